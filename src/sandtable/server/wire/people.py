"""Accounts, sessions and settings as they travel."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from .common import Name, Password


class Credentials(Struct, forbid_unknown_fields=True):
    name: Name
    password: Password


class Login(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(max_length=200)]
    password: Annotated[str, Meta(max_length=1000)]


class PasswordWish(Struct, forbid_unknown_fields=True):
    old: Annotated[str, Meta(max_length=1000)]
    new: Password


class GuestWish(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(max_length=40)] = ""


class PushKeys(Struct, forbid_unknown_fields=True):
    p256dh: Annotated[str, Meta(max_length=200)]
    auth: Annotated[str, Meta(max_length=100)]


class PushSubscription(Struct):
    """A browser's web push subscription, as `PushSubscription.toJSON()` gives it."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    keys: PushKeys


class MySettings(Struct, forbid_unknown_fields=True):
    """What an account has set. `client` belongs to the browser alone."""

    theme: Annotated[str, Meta(max_length=20)] = "system"
    palette: Annotated[str, Meta(max_length=20)] = "light"
    language: Annotated[str, Meta(max_length=10)] = "en"
    help: Annotated[str, Meta(max_length=20)] = "full"
    notify: bool = True
    email: Annotated[str, Meta(max_length=200)] = ""
    email_code: Annotated[str, Meta(max_length=20)] = ""
    """What was written to that address: only who has told it gets letters. A new address begins without."""
    notify_urls: Annotated[list[Annotated[str, Meta(max_length=500)]], Meta(max_length=5)] = []
    push: Annotated[list[PushSubscription], Meta(max_length=10)] = []
    client: dict[str, Any] = {}


class Me(Struct):
    id: str
    name: str
    guest: bool
    settings: MySettings


class PushKey(Struct):
    """The key that a browser needs to subscribe to web push."""

    key: str
