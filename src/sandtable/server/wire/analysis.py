"""A game looked back at. Chances are those of the first side, from 0 to 1."""

from __future__ import annotations

from msgspec import Struct

from sandtable.engine.texts.text import Said

from .common import Problem


class CurvePoint(Struct):
    """A moment of the curve, in the count of the log: chance with its interval, what the dice gave so far, losses."""

    n: int
    label: Said
    chance: float
    low: float
    high: float
    luck: float
    lost: list[float]


class TurningPoint(Struct):
    start: int
    end: int
    before: float
    after: float
    luck: float


class ChoiceRecord(Struct):
    """A plan of a side that did worse than the computer's: by how much chance, give or take a margin."""

    n: int
    side: str
    label: Said
    played: list[Said]
    preferred: list[Said]
    why: list[Said]
    cost: float
    margin: float


class FortuneRecord(Struct):
    """A roll, and what it gave the first side against its expectation."""

    n: int
    text: Said
    luck: float


class AnalysisRecord(Struct):
    game: str
    sides: list[str]
    ended: bool
    winner: str | None
    points: list[CurvePoint]
    turning: list[TurningPoint]
    choices: list[ChoiceRecord]
    fortunes: list[FortuneRecord]
    luck: float
    weighed: int
    rolls: int
    lost: Said
    better: float | None = None
    """The share of games in which the same rolls would have served the first side worse."""


class AnalysisLine(Struct, omit_defaults=True):
    """One line of the answer: how far the work is, or the analysis, or why there is none."""

    done: int = 0
    todo: int = 0
    analysis: AnalysisRecord | None = None
    problem: Problem | None = None
