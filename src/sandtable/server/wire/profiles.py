"""Profiles and friends as they travel."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from .games import GameRecord

Standing = Literal["", "friend", "asked", "asks"]
"""Between me and somebody: nothing, friends, I have asked, he asks."""


class CurvePoint(Struct):
    """A rating after a game."""

    at: str
    rating: int
    deviation: int


class GameRating(Struct):
    """How strong somebody is in a game, and how that has gone: the last hundred games."""

    game: str
    title: str
    rating: int
    deviation: int
    games: int
    curve: list[CurvePoint]


class SideResult(Struct):
    """What came of the games against people with one side of one game, as far as you may see them."""

    game: str
    title: str
    side: str
    side_title: str
    won: int
    drawn: int
    lost: int
    rated: int
    """How many of them were rated."""


class Profile(Struct):
    name: str
    since: str
    you: bool
    friend: Standing
    ratings: list[GameRating]
    results: list[SideResult]
    games: list[GameRecord]
    """The latest that you may see, running and ended."""
    friends: list[str] | None
    """For oneself and for friends; null for others."""


class Friend(Struct):
    name: str
    since: str


class Friends(Struct):
    friends: list[Friend]
    asking: list[Friend]
    """Who would like to be one."""
    asked: list[Friend]
    """Whom you have asked."""


class FriendLink(Struct):
    """What makes a personal link: who opens it can ask to be a friend."""

    token: str


class LinkWish(Struct, forbid_unknown_fields=True):
    renew: bool = False
    """The old link is not good any more."""


class LinkOwner(Struct):
    name: str
    friend: Standing
    you: bool


class FriendName(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=60)]


class FriendWish(Struct, forbid_unknown_fields=True):
    token: Annotated[str, Meta(min_length=1, max_length=64)]
