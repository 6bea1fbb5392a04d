"""The door: who asks, whether a request comes from our own page, headers, logs and counts."""

from __future__ import annotations

import logging
import sys
import time
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar.connection import ASGIConnection, Request
from litestar.datastructures import MutableScopeHeaders
from litestar.types import ASGIApp, Message, Receive, Send

from .. import metrics
from ..house.house import House
from ..people.accounts import COOKIE, Person, new_id
from ..people.lanes import Lanes, Late
from ..people.limits import POST, POST_HERE, READ, READ_HERE, Rate, too_many
from ..refusals import Refused

log = logging.getLogger("sandtable.requests")

SAFE = ("GET", "HEAD", "OPTIONS")
ABREAST = 4
"""Requests from one place that are answered at a time: who asks three hundred things at once waits, and nobody else."""
WAITING = 200
"""Requests from one place that are let in: the others are told to come again."""
ELSEWHERE = ("/analysis", "/branch", "/dice", "/ending", "/hint", "/import")
"""Ends of paths whose work other processes do: it may take long, and is counted by itself."""
NO_PAGES = ("/api/", "/metrics")
"""Beginnings of paths at which there is nothing to be visited."""
OWN_HEADER = b"x-sandtable"
"""A header that a page of somebody else cannot send without asking us first; we never say yes."""

HEADERS = {
    "content-security-policy": (
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; "
        "base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def is_ours(headers: dict[bytes, bytes]) -> bool:
    """Whether a request comes from our own page, as far as a browser says where it comes from."""
    site = headers.get(b"sec-fetch-site", b"").lower()
    if site and site not in (b"same-origin", b"none"):
        return False
    origin = headers.get(b"origin", b"")
    if not origin:
        return True
    host = headers.get(b"host", b"").decode("latin-1").lower()
    try:
        return urlsplit(origin.decode("latin-1")).netloc.lower() == host
    except ValueError:
        return False


def is_visit(scope: Any, headers: dict[bytes, bytes]) -> bool:
    """Whether somebody follows a link to the page: from a letter or a chat as well as from our own."""
    to_page = (headers.get(b"sec-fetch-mode"), headers.get(b"sec-fetch-dest")) == (b"navigate", b"document")
    return to_page and scope["type"] == "http" and scope["method"] == "GET" and not scope["path"].startswith(NO_PAGES)


def check_origin(scope: Any) -> None:
    """Refuse what another site has a browser send in our user's name."""
    headers = dict(scope["headers"])
    if not is_ours(headers) and not is_visit(scope, headers):
        raise Refused(403, "origin", "this request comes from another site")
    if scope["type"] == "http" and scope["method"] not in SAFE and not headers.get(OWN_HEADER):
        raise Refused(403, "csrf", "requests that change something carry the header x-sandtable: 1")


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    return connection.client.host if connection.client is not None else "unknown"


def network(host: str) -> str:
    """Whom an address stands for when it is counted: whoever has one of IPv6 has the 2**64 beside it as well."""
    try:
        found = ip_address(host)
    except ValueError:
        return host
    if isinstance(found, IPv4Address):
        return host
    return str(found.ipv4_mapped or ip_network((int(found), 64), strict=False))


def whence(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """From where somebody asks, as far as it is counted."""
    return network(address(connection))


async def who(connection: ASGIConnection[Any, Any, Any, Any], house: House) -> Person | None:
    """The person of this request's session; counts what he asks."""
    person = await house.accounts.person(connection.cookies.get(COOKIE))
    connection.scope["state"]["account"] = person.id if person else None
    scope: Any = connection.scope
    if scope["type"] == "http" and scope["method"] not in SAFE:
        kind, rate, rate_here = "post", POST, POST_HERE
    else:
        kind, rate, rate_here = "read", READ, READ_HERE
    if person is None:
        house.limits.check(kind, whence(connection), rate)
    else:
        house.limits.check(kind, person.id, rate)
    house.limits.check(f"{kind} here", whence(connection), rate_here)
    return person


class Asked(Request[Any, Any, Any]):
    """A request whose body may be anything: what cannot be read is the fault of who sent it."""

    async def json(self) -> Any:
        try:
            return await super().json()
        except (UnicodeDecodeError, RecursionError) as error:
            raise Refused(400, "http_400", "the body is not JSON that can be read") from error


class Door:
    """Around every request: headers, one line in the log, and the counts. Never a body, a cookie or a query."""

    def __init__(self, app: ASGIApp, secure: bool = False, limits: bool = True) -> None:
        self.app = app
        self.secure = secure
        self.lanes = Lanes(ABREAST, WAITING) if limits else None

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        begin = time.perf_counter()
        status = 0
        request = new_id(12)
        secure = self.secure or scope.get("scheme") in ("https", "wss")

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableScopeHeaders.from_message(message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if secure:
                    headers.setdefault("strict-transport-security", "max-age=31536000")
                headers.setdefault("cache-control", "no-store")
                headers["x-request-id"] = request
            await send(message)

        scope["state"]["request"] = request
        try:
            await self._in_turn(scope, receive, answer)
        finally:
            self._note(scope, status, time.perf_counter() - begin, request)

    async def _in_turn(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer a request when those before it from the same place are answered."""
        if self.lanes is None or scope["type"] != "http" or scope["path"].endswith(ELSEWHERE):
            await self.app(scope, receive, send)
            return
        client = scope.get("client")
        try:
            await self.lanes.run(network(client[0]) if client else "unknown", lambda: self.app(scope, receive, send))
        except Late:
            refusal = too_many(0, Rate(1, 1))
            headers = [(b"content-type", b"application/json"), (b"retry-after", b"1")]
            start: Any = {"type": "http.response.start", "status": refusal.status, "headers": headers}
            body: Any = {"type": "http.response.body", "body": msgspec.json.encode(refusal.problem)}
            await send(start)
            await send(body)

    def _note(self, scope: Any, status: int, seconds: float, request: str) -> None:
        if scope["type"] != "http":
            return
        path = scope.get("path_template") or "other"
        metrics.REQUESTS.labels(scope["method"], path, str(status)).inc()
        metrics.SECONDS.labels(scope["method"], path).observe(seconds)
        if log.isEnabledFor(logging.INFO):
            log.info(
                "request",
                extra={
                    "method": scope["method"],
                    "path": scope["path"][:200],
                    "status": status,
                    "ms": round(seconds * 1000, 1),
                    "account": scope["state"].get("account"),
                    "request": request,
                },
            )


# ------------------------------------------------------------------------------------------ logs

_PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in _PLAIN}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def set_up_logs(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("sandtable").setLevel(level.upper())
