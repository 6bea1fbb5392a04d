"""Letters, by the operator's own mail server. Players give an address to write to, and nothing else of it."""

from __future__ import annotations

import re
import smtplib
import ssl
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parseaddr
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

SECONDS = 15.0
_LETTERS = r"[^\s@<>\"',;:/?#&%\\()\[\]"
ADDRESS = re.compile(rf"{_LETTERS}]{{1,64}}@(?:{_LETTERS}.]+\.)+{_LETTERS}.]+\Z")


class MailError(ValueError):
    """A mail server that makes no sense; its text is what the operator reads, without the password."""


def is_address(text: str) -> bool:
    """Whether this can be an e-mail address; without letters that nobody sees, which turn what is read around."""
    return text.isprintable() and ADDRESS.match(text) is not None


class MailServer(NamedTuple):
    """Where letters are handed in, and from whom they come."""

    host: str
    port: int
    tls: bool
    """TLS from the start; otherwise when the server offers it."""
    user: str
    password: str
    sender: str


def mail_server(url: str) -> MailServer:
    """``smtp://USER:PASSWORD@HOST:PORT?from=ADDRESS``; ``smtps://`` where TLS is spoken from the start."""
    try:
        parts = urlsplit(url)
        port = parts.port
        wishes = parse_qs(parts.query, strict_parsing=True) if parts.query else {}
    except ValueError as error:
        raise MailError("the mail server is smtp://USER:PASSWORD@HOST:PORT?from=ADDRESS") from error
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or set(wishes) - {"from"}:
        raise MailError("the mail server is smtp://USER:PASSWORD@HOST:PORT?from=ADDRESS, or smtps://…")
    user = unquote(parts.username or "")
    sender = wishes.get("from", [user])[0]
    if not is_address(parseaddr(sender)[1]):
        raise MailError("the mail server needs an address to write from: ?from=table@example.org")
    tls = parts.scheme == "smtps"
    return MailServer(parts.hostname, port or (465 if tls else 587), tls, user, unquote(parts.password or ""), sender)


def send(server: MailServer, to: str, title: str, body: str) -> None:
    """Hand in one letter. Blocks; raises if it should be tried again."""
    if not is_address(to):
        raise ValueError("not an e-mail address")
    letter = EmailMessage()
    letter["Subject"] = " ".join(title.split())
    letter["From"] = server.sender
    letter["To"] = to
    letter["Date"] = format_datetime(datetime.now(UTC))
    letter["Message-ID"] = make_msgid(domain=parseaddr(server.sender)[1].rpartition("@")[2])
    letter["Auto-Submitted"] = "auto-generated"
    letter.set_content(body)
    context = ssl.create_default_context()
    if server.tls:
        session: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=SECONDS, context=context)
    else:
        session = smtplib.SMTP(server.host, server.port, timeout=SECONDS)
    with session:
        session.ehlo_or_helo_if_needed()
        if not server.tls and session.has_extn("starttls"):
            session.starttls(context=context)
        elif not server.tls and server.password:
            raise MailError("the mail server offers no TLS: the password is not sent")
        if server.user:
            session.login(server.user, server.password)
        session.send_message(letter)
