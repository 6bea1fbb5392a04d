"""Fights by odds: strengths compared as so many to one, and a table of results read with one die.

A rung is a ratio as a whole number on one ladder without gaps, so that column shifts are additions:
3:1 is 3, 2:1 is 2, 1:1 is 1, 1:2 is 0, 1:3 is -1. Which rungs have a column, and what lies beyond the
outermost ones, is the game's own affair.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeVar

from sandtable.engine.contract import State
from sandtable.engine.odds import Cell
from sandtable.engine.texts.text import Said
from sandtable.mechanics.masks import units_of

S = TypeVar("S", bound=State)

HOPELESS = -99
"""The rung of an attack without any strength."""
OVERWHELMING = 99
"""The rung of an attack on defenders without any strength."""


def halved(strength: int) -> int:
    """Half of a unit's strength, fractions rounded up."""
    return (strength + 1) >> 1


def rung(attack: int, defence: int) -> int:
    """The odds of two strengths, rounded in the defender's favour: 15 to 4 is 3:1, 6 to 4 is 1:1, 3 to 4 is 1:2."""
    if attack <= 0:
        return HOPELESS
    if defence <= 0:
        return OVERWHELMING
    if attack >= defence:
        return attack // defence
    return 2 - -(-defence // attack)


def rung_name(step: int) -> str:
    """A rung as players write it."""
    return f"{step}:1" if step >= 1 else f"1:{2 - step}"


def column_name(step: int) -> str:
    """A rung as players write it, those of nobody against somebody and of somebody against nobody included."""
    if step < HOPELESS // 2:
        return "no strength"
    if step > OVERWHELMING // 2:
        return "no defence"
    return rung_name(step)


def signed(value: int) -> str:
    """A shift or a modifier as players write it."""
    return f"{value:+d}" if value else "0"


class Push(NamedTuple):
    """Columns to the right, or to the left if negative."""

    value: int
    rule: str
    text: Said


class Fight(Protocol):
    """A fight in hand."""

    target: int
    attackers: int
    defenders: int


class Reckoned(Protocol):
    """Strengths compared: the rung before shifts and after them."""

    @property
    def attack(self) -> int: ...

    @property
    def defence(self) -> int: ...

    @property
    def base(self) -> int: ...

    @property
    def column(self) -> int: ...


def fight_told(fight: Fight, kind: int, side: int, of: Reckoned, column: int) -> dict[str, Any]:
    """What is told of a fight when it is joined: who, where, and the odds, read at a column of the table."""
    return {
        "fight": kind,
        "hex": fight.target,
        "side": side,
        "attackers": list(units_of(fight.attackers)),
        "defenders": list(units_of(fight.defenders)),
        "attack": of.attack,
        "defence": of.defence,
        "odds": column_name(of.base),
        "shift": of.column - of.base,
        "column": column_name(column),
    }


def cells(
    results: Sequence[str],
    text: Callable[[str], Said],
    good: Callable[[str], Fraction] | None = None,
) -> tuple[Cell, ...]:
    """A column of a table read with one die (the result of a 1 first), equal results in one cell with their faces."""
    faces: dict[str, tuple[int, ...]] = {}
    for i, result in enumerate(results):
        faces[result] = (*faces.get(result, ()), i + 1)
    share = Fraction(1, len(results))
    return tuple(
        Cell(result, share * len(found), text(result), found, good(result) if good else None)
        for result, found in faces.items()
    )


def average(results: Sequence[str], value: Callable[[str], int]) -> Fraction:
    """What a column gives on average, by the value of each result."""
    return sum((Fraction(value(result)) for result in results), Fraction(0)) / len(results)
