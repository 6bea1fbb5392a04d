"""Games as lists and headings show them, seats, chat and notes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from .common import Count, Id, Name, Title


class NewGame(Struct, forbid_unknown_fields=True):
    game: Id
    scenario: Id
    options: dict[str, bool] = {}
    seats: dict[str, Id] = {}
    """By side: me, open, invite, or the name of a computer player."""
    pace: Annotated[int, Meta(ge=1, le=365)] | None = None
    """Days per turn."""
    watch: Literal["anyone", "players"] = "anyone"
    name: Title = ""
    rated: bool = False
    """Whether it counts for the ratings of those who play: accounts only, one seat each, and a pace."""
    kept: dict[str, Name] = {}
    """By side: the account by its name for whom a seat is kept. It sits down itself, or does not."""


class RatingRecord(Struct):
    """How strong somebody is in a game: with 95 in 100 within two deviations of the rating."""

    rating: int
    deviation: int
    games: int


class SeatRecord(Struct, omit_defaults=True):
    side: str
    title: str
    holder: str | None = None
    account: str | None = None
    computer: str | None = None
    you: bool = False
    guest: bool = False
    """Whether the holder is a guest: his name is what he says it is."""
    open: bool = False
    """Whether you could sit down here."""
    for_you: bool = False
    """Whether it is kept for you: you take it, or decline."""
    kept_for: str | None = None
    """The name that was invited here; only for those who may give the seat on."""
    invite: str | None = None
    """The invitation's token; only for those who may give it on."""
    rating: RatingRecord | None = None
    """The holder's rating in this game, if he has one; guests have none."""


class ClockRecord(Struct):
    days: int
    since: str
    due: str
    overdue: bool


class OutcomeRecord(Struct):
    winner: str | None
    level: str
    points: int
    rule: str


class UndoAsked(Struct):
    by: str
    """The side that asks."""
    decisions: int
    """How many would be taken back, of those that this seat has noticed."""
    length: int


class GameRecord(Struct):
    id: str
    name: str
    game: str
    title: str
    scenario: str
    scenario_title: str
    options: dict[str, bool]
    status: Literal["open", "running", "finished", "abandoned"]
    seats: list[SeatRecord]
    owner: bool
    length: int
    """How far the game has come, as spectators count; after the end, the length of its log."""
    to_act: str | None
    your_turn: bool
    commitment: str
    seed: str | None
    unsealed: bool
    clock: ClockRecord | None
    watch: str
    analysis: bool
    parent: str | None
    branched_at: int | None
    rematch: str | None
    notify: bool
    created: str
    updated: str
    outcome: OutcomeRecord | None
    lesson: str | None
    """The lesson that is taught at this table."""
    rated: bool
    """Whether it counts for ratings; otherwise it is friendly."""
    contest: str | None
    """The league or knock-out that it is a game of."""


class Join(Struct, forbid_unknown_fields=True):
    """Take a seat: the one of an invitation, or an open one by its side."""

    invite: Annotated[str, Meta(max_length=64)] | None = None
    seat: Id | None = None


class Rename(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=100)]


class SeatWish(Struct, forbid_unknown_fields=True):
    """Who is to hold the seat: open, invite, me, a computer player, or an account by its name.

    For an account the seat is kept: it sits down itself, or does not. Nobody is told whether the name exists.
    """

    to: Annotated[str, Meta(min_length=1, max_length=60)]


class SeatChoice(Struct, forbid_unknown_fields=True):
    """Which of one's own seats; not needed by those who hold one."""

    seat: Id | None = None


class WatchWish(Struct, forbid_unknown_fields=True):
    watch: Literal["anyone", "players"] | None = None
    notify: bool | None = None


class Branch(Struct, forbid_unknown_fields=True):
    at: Count
    """The moment, in the count of this seat."""
    seat: Id | None = None
