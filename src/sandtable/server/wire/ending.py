"""The end of a game, as its page shows it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from sandtable.engine.contract import Tally
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


def tallied(lines: Sequence[Tally], sides: Sequence[str], decides: Tally | None = None) -> list[TallyLine]:
    """The lines of a reckoning, with the sides by their names."""
    return [
        TallyLine(
            rule=line.rule,
            text=line.text,
            value=line.value,
            points=line.points,
            met=line.met,
            ends=line.ends is not None,
            winner=None if line.ends is None or line.ends.winner is None else sides[line.ends.winner],
            level="" if line.ends is None else line.ends.level,
            decides=line is decides,
            parts=tallied(line.parts, sides),
        )
        for line in lines
    ]


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
