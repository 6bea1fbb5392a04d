"""The end of a game, as its page shows it."""

from __future__ import annotations

from msgspec import Struct

from sandtable.engine.scene import StatItem
from sandtable.engine.texts.text import Said


class TallyLine(Struct):
    """A line of the reckoning: what is counted or asked, and how it stood."""

    rule: str
    text: Said
    value: Said
    points: int | None
    met: bool | None
    ends: bool
    """Whether the game ends by it if it is met."""
    winner: str | None
    level: str
    decides: bool
    """The line by which this game was decided."""
    parts: list[TallyLine]


class Stretch(Struct):
    """A part of the game: how both sides stood when it began, and how often each decided in it."""

    n: int
    title: Said
    stats: list[StatItem]
    moves: list[int]


class HiddenItem(Struct, omit_defaults=True):
    """Something that one side alone knew at the end."""

    side: str
    kind: str
    """counter, marker or card"""
    title: Said
    hex: str = ""
    value: Said = ""
    unit: str = ""
    cards: list[str] = []


class Ending(Struct):
    lines: list[TallyLine]
    course: list[Stretch]
    hidden: list[HiddenItem]
