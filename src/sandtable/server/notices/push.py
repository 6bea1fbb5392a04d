"""Web push: the server's keys, and sealing one message."""

from __future__ import annotations

import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..storage import schema
from ..storage.database import Database, is_conflict
from .targets import Browser

KEY = "vapid"
GONE = (404, 410)


class Keys(NamedTuple):
    """The private key (PEM), and the public one as browsers want it."""

    private: str
    public: str


_known: dict[str, Keys] = {}


async def keys(database: Database) -> Keys:
    """The keys of this server: made once, kept in its database."""
    if database.url in _known:
        return _known[database.url]
    meta = schema.meta
    wanted = select(meta.c.value).where(meta.c.key == KEY)
    async with database.read() as connection:
        pem = (await connection.execute(wanted)).scalar_one_or_none()
    if pem is None:
        from py_vapid import Vapid02

        made = Vapid02()
        made.generate_keys()
        fresh: str = made.private_pem().decode()

        async def job(connection: AsyncConnection) -> str:
            await connection.execute(insert(meta), [{"key": KEY, "value": fresh}])
            return fresh

        try:
            pem = await database.write(job)
        except Exception as error:
            if not is_conflict(error):
                raise
            async with database.read() as connection:
                pem = (await connection.execute(wanted)).scalar_one()
    assert pem is not None
    found = Keys(pem, _public(pem))
    _known[database.url] = found
    return found


def _public(pem: str) -> str:
    from py_vapid import Vapid02

    key: ec.EllipticCurvePublicKey = Vapid02.from_pem(pem.encode()).public_key
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


def sealed(browser: Browser, news: dict[str, Any], own: Keys, contact: str) -> tuple[dict[str, str], bytes]:
    """The headers and the body of one message: only the browser can read it, and the service knows who sends it."""
    import http_ece
    from py_vapid import Vapid02  # slow to import, and seldom needed

    body: bytes = http_ece.encrypt(
        msgspec.json.encode(news),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_bytes(browser.p256dh),
        auth_secret=_bytes(browser.auth),
        version="aes128gcm",
    )
    claims = {"sub": contact, "aud": browser.where.origin, "exp": int(time.time()) + 12 * 3600}
    signed: dict[str, str] = Vapid02.from_pem(own.private.encode()).sign(claims)
    headers = {"Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream", "TTL": "86400"}
    return headers | signed, body


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
