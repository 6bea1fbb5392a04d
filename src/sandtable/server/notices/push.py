"""Web push: the server's keys, and sending one message."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import Any, NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..storage import schema
from ..storage.database import Database, is_conflict

KEY = "vapid"
GONE = (404, 410)
SECONDS = 10


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


def send(subscription: dict[str, Any], news: dict[str, Any], own: Keys, contact: str) -> bool:
    """Send to one browser. True if it has unsubscribed; raises if it should be tried again."""
    from py_vapid import Vapid02
    from pywebpush import WebPushException, webpush  # slow to import, and seldom needed

    try:
        webpush(
            subscription_info=subscription,
            data=msgspec.json.encode(news),
            vapid_private_key=Vapid02.from_pem(own.private.encode()),
            vapid_claims={"sub": contact},
            ttl=86400,
            timeout=SECONDS,
        )
    except WebPushException as error:
        if error.response is not None and error.response.status_code in GONE:
            return True
        raise
    return False
