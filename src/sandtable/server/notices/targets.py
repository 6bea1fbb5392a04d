"""Whom a notice can go to: a browser, an e-mail address, a Discord channel, or a web address of one's own."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from .mail import is_address
from .outside import BadAddress, Where, where

DISCORD = Where("discord.com", 443, "/api/webhooks")
_DISCORD = re.compile(
    r"(?:https://(?:www\.)?discord(?:app)?\.com/api/webhooks|discord:/)/(?P<id>\d{1,25})/(?P<token>[\w-]{1,100})/?\Z",
    re.ASCII,
)
PUSH, MAIL = "push:", "mail:"


class Discord(NamedTuple):
    """A channel's webhook."""

    id: str
    token: str

    @property
    def where(self) -> Where:
        return DISCORD._replace(path=f"{DISCORD.path}/{self.id}/{self.token}")


class Webhook(NamedTuple):
    """A web address that takes JSON."""

    where: Where


class Browser(NamedTuple):
    """A subscription to web push."""

    where: Where
    endpoint: str
    p256dh: str
    auth: str


class Letter(NamedTuple):
    """An e-mail address."""

    to: str


Target = Discord | Webhook | Browser | Letter


def hook(url: str, private: bool = False) -> Discord | Webhook:
    """A target by the address that a player gives; BadAddress says what is wrong with it."""
    if found := _DISCORD.match(url):
        return Discord(found["id"], found["token"])
    found_at = where(url, private)
    if found_at.host in ("discord.com", "discordapp.com"):
        raise BadAddress("a Discord webhook is https://discord.com/api/webhooks/NUMBER/TOKEN")
    return Webhook(found_at)


def target(text: str, private: bool = False) -> Target:
    """A target as the queue keeps it."""
    if text.startswith(MAIL):
        if not is_address(text[len(MAIL) :]):
            raise BadAddress("this is not an e-mail address")
        return Letter(text[len(MAIL) :])
    if not text.startswith(PUSH):
        return hook(text, private)
    data: dict[str, Any] = msgspec.json.decode(text[len(PUSH) :])
    return Browser(where(data["endpoint"], private), data["endpoint"], data["keys"]["p256dh"], data["keys"]["auth"])


def lane(found: Target) -> str:
    """In which queue it stands: with everything that the same service has to answer."""
    return MAIL if isinstance(found, Letter) else found.where.lane
