"""Leagues and knock-outs of a club as they travel."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from .common import Count, Id
from .games import RatingRecord

Form = Literal["single", "double", "knockout"]
"""Everybody against everybody once, or twice with sides swapped; or whoever loses a match is out."""
Verdict = Literal["first", "second", "draw", "none"]
"""Who has won a game: who had the first side, or the second; nobody; or it did not take place."""


class NewContest(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=80)]
    game: Id
    scenario: Id
    form: Form
    pace: Annotated[int, Meta(ge=1, le=365)]
    """Days per turn, of every game."""
    options: dict[str, bool] = {}
    rated: bool = False
    at_once: bool = False
    """All games of a league are made at its start; otherwise round by round."""
    open: bool = True
    """Whether anybody with an account may enter; otherwise who has the link."""
    watch: Literal["anyone", "players"] = "anyone"


class ContestToken(Struct, forbid_unknown_fields=True):
    token: Annotated[str, Meta(max_length=64)] | None = None


class Dismissal(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=60)]


class Settlement(Struct, forbid_unknown_fields=True):
    n: Count
    """The game of the contest, by its number."""
    result: Verdict


class ContestRecord(Struct):
    id: str
    name: str
    game: str
    title: str
    scenario: str
    scenario_title: str
    form: Form
    rated: bool
    pace: int
    at_once: bool
    open: bool
    status: Literal["gathering", "running", "finished", "cancelled"]
    round: int
    """The one that is played; 0 before the start."""
    rounds: int
    """How many there are; 0 before the start."""
    players: int
    organiser: str
    yours: bool
    """Whether you are the organiser."""
    entered: bool
    """Whether you take part."""
    token: str | None
    """What makes the link to enter by; for the organiser and for those who take part."""
    created: str


class Entrant(Struct):
    name: str
    you: bool
    withdrawn: bool
    rating: RatingRecord | None


class MeetingRecord(Struct):
    """One game of the contest, made or still to be made."""

    n: int
    round: int
    slot: int
    """Of a knock-out: its match in the round; the winners of matches 2k and 2k + 1 meet in match k."""
    first: str
    """Who has the first side."""
    second: str | None
    """Nobody: a bye."""
    game_id: str | None
    result: Verdict | None
    how: Literal["", "played", "bye", "forfeit", "settled", "abandoned"]
    due: str | None
    overdue: bool
    yours: bool


class MatchRecord(Struct):
    """A match of a knock-out: two games with sides swapped, and one more if they leave both level."""

    round: int
    slot: int
    a: str
    b: str | None
    points_a: float
    points_b: float
    winner: str | None


class TableLine(Struct):
    place: int
    name: str
    withdrawn: bool
    played: int
    won: int
    drawn: int
    lost: int
    points: float
    direct: float
    quality: float


class ContestDetail(Struct):
    contest: ContestRecord
    sides: list[str]
    """Of the game, by title: the first, and the second."""
    entrants: list[Entrant]
    meetings: list[MeetingRecord]
    table: list[TableLine]
    """Of a league."""
    matches: list[MatchRecord]
    """Of a knock-out."""
    winners: list[str]
    """When it is over: whoever came first."""
