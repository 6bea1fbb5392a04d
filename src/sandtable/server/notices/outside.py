"""Requests to addresses that players name: parsed into parts, resolved once, checked, and pinned to what was checked.

Nothing here follows a redirect, reads a proxy from the environment, or opens a file. What cannot be checked is not
sent.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from socket import SOCK_STREAM, getaddrinfo
from typing import NamedTuple
from urllib.parse import urlsplit

SECONDS = 10.0
"""How long a service may take, from its name to its answer."""
LONGEST_HEAD = 16384

HOST = re.compile(r"(?=.{4,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?\Z")
PATH = re.compile(r"/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*\Z")
NAT64 = ip_network("64:ff9b::/96")


class BadAddress(ValueError):
    """An address that is not sent to; its text is what a player reads."""


class Where(NamedTuple):
    """The parts of an address, each checked by itself."""

    host: str
    port: int
    path: str
    tls: bool = True

    @property
    def origin(self) -> str:
        usual = self.port == (443 if self.tls else 80)
        return f"{'https' if self.tls else 'http'}://{self.host}" + ("" if usual else f":{self.port}")

    @property
    def lane(self) -> str:
        """Who answers for it, roughly: names under one domain stand in one queue."""
        return ".".join(self.host.split(".")[-2:])


def where(url: str, private: bool = False) -> Where:
    """The parts of a web address. `private`: also plain http and addresses without a name, for one's own network."""
    if re.search(r"[\x00-\x20\x7f\\]", url):
        raise BadAddress("an address has no spaces")
    try:
        parts = urlsplit(url)
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode() if parts.hostname else ""
    except (ValueError, UnicodeError) as error:
        raise BadAddress("this is not a web address") from error
    if parts.scheme != "https" and not (private and parts.scheme == "http"):
        raise BadAddress("an address begins with https://")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise BadAddress("an address has a host and a path, no user, password or fragment")
    if not HOST.match(host) and not private:
        raise BadAddress("the host of an address is a name, as in hooks.example.org")
    tls = parts.scheme == "https"
    port = (443 if tls else 80) if port is None else port
    if port != 443 and port < 1024 and not private:
        raise BadAddress("the port of an address is 443, or one from 1024 on")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not PATH.match(path):
        raise BadAddress("the path of an address has letters that have to be written as %XX")
    return Where(host, port, path, tls)


def is_outside(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address belongs to the public network, however it is wrapped."""
    if isinstance(address, IPv6Address):
        if address.is_site_local:  # an older name for one's own network, which Python calls global
            return False
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is None and address in NAT64:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return address.teredo is None and is_outside(inner)
    return (
        address.is_global
        and not address.is_multicast
        and not address.is_reserved
        and not address.is_unspecified
        and not address.is_loopback
        and not address.is_link_local
    )


class Refusal(ConnectionError):
    """The service did not take it, or was not asked because of where it is."""


class Outside:
    """The way out of this process: names are looked up in threads of its own, which nothing else waits for."""

    def __init__(self, private: bool = False) -> None:
        self.private = private
        self._names = ThreadPoolExecutor(4, "names")
        self._tls = ssl.create_default_context()

    def close(self) -> None:
        self._names.shutdown(wait=False, cancel_futures=True)

    async def addresses(self, host: str, port: int) -> list[str]:
        """The addresses behind a name, if every one of them is outside; otherwise none is good."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._names, _looked_up, host, port)
        except (OSError, UnicodeError) as error:
            raise Refusal("the name of the service is not known") from error
        addresses = list(dict.fromkeys(found))
        if not addresses:
            raise Refusal("the name of the service is not known")
        if not self.private and not all(is_outside(ip_address(one)) for one in addresses):
            raise Refusal("not to the local network")
        return addresses

    async def post(self, to: Where, headers: Mapping[str, str], body: bytes) -> int:
        """Send once, to an address that was checked; the status of the answer. A redirect is an answer, not a way."""
        async with asyncio.timeout(SECONDS):
            reader, writer = await self._connect(to)
            try:
                writer.write(_head(to, headers, len(body)) + body)
                await writer.drain()
                return await _status(reader)
            finally:
                writer.close()

    async def _connect(self, to: Where) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        last: OSError | None = None
        for address in (await self.addresses(to.host, to.port))[:4]:
            try:
                return await asyncio.open_connection(
                    address,
                    to.port,
                    ssl=self._tls if to.tls else None,
                    server_hostname=to.host if to.tls else None,
                    limit=LONGEST_HEAD,
                )
            except OSError as error:
                last = error
        raise Refusal("the service cannot be reached") from last


def _head(to: Where, headers: Mapping[str, str], length: int) -> bytes:
    named = f"[{to.host}]" if ":" in to.host else to.host
    usual = to.port == (443 if to.tls else 80)
    lines = [
        f"POST {to.path} HTTP/1.1",
        f"Host: {named}" + ("" if usual else f":{to.port}"),
        "User-Agent: sandtable",
        f"Content-Length: {length}",
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    if any("\r" in line or "\n" in line for line in lines):
        raise Refusal("a header has no line ends")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _looked_up(host: str, port: int) -> list[str]:
    return [str(one[4][0]).partition("%")[0] for one in getaddrinfo(host, port, 0, SOCK_STREAM)]


async def _status(reader: asyncio.StreamReader) -> int:
    try:
        line = await reader.readuntil(b"\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        raise Refusal("the service did not answer in HTTP") from error
    found = re.match(rb"HTTP/1\.[01] ([1-5]\d\d)\b", line)
    if found is None:
        raise Refusal("the service did not answer in HTTP")
    return int(found[1])
