"""An odds table with the place of one fight on it.

A game that fights by odds gives every column of its table and every shift with the chances of an action
(`contract.Odds`), so that a client can show what one shift more or less would mean without knowing a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sandtable.engine.texts.text import Said


@dataclass(frozen=True, slots=True)
class Force:
    """One side of a fight: who takes part and what they are worth. The first is the attacker."""

    side: str
    units: tuple[str, ...]  # ids, as far as the player to act may know them
    value: str  # "51"
    text: Said  # "51 attack, counts as 30"
    rule: str = ""
    hexes: tuple[str, ...] = ()  # where they stand


@dataclass(frozen=True, slots=True)
class Shift:
    """So many columns to the right (the attacker's way) or to the left.

    `by` says who can change it: "" nobody, it is so; "decider" the player to act may still add or drop it;
    "answer" the other side may answer with it. `on` says whether the action asked about has it.
    `action` is the text of the action that has it the other way round, if there is one. `yes` and `no` are how the
    texts of the actions begin that decide for it and against it when its question comes, so that what was tried out
    beforehand can be proposed then.
    """

    value: int
    rule: str
    text: Said
    note: Said = ""
    by: str = ""
    on: bool = True
    action: str = ""
    yes: str = ""
    no: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A result in one column: what the table prints, the faces that give it, what it means.

    `good` is the part of it in which the question of the fight is answered as the player to act wants it
    (the place is his), between 0 and 1.
    """

    result: str
    chance: Fraction
    text: Said = ""
    faces: tuple[int, ...] = ()
    good: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the odds table; `lost` is what each force loses on average, in the order of the forces.

    `read` is the column on which it is read, where the table ends before it.
    """

    label: str
    cells: tuple[Cell, ...]
    lost: tuple[Fraction, ...] = ()
    read: str = ""


@dataclass(frozen=True, slots=True)
class Ladder:
    """An odds table with the place of one fight on it.

    The column is `base` moved by the shifts that are on, never beyond the ends. A table with limits ("below 1:2
    no attack", "10:1 and more eliminates") has columns of their own for what lies beyond them.
    """

    columns: tuple[Column, ...]
    base: int  # before shifts
    shifts: tuple[Shift, ...] = ()
    forces: tuple[Force, ...] = ()
    question: tuple[Said, Said] = ("", "")  # ("Gabr Saleh is yours", "They hold")
    legend: tuple[Said, Said] = ("", "")  # what the good and the other part of a bar stand for
    legend_rule: str = ""
    unit: str = ""  # what `lost` counts: "Steps"
    hex: str = ""  # where the fight is

    def at(self, shift: int) -> int:
        """The column so many to the right of the base."""
        return max(0, min(len(self.columns) - 1, self.base + shift))

    @property
    def now(self) -> int:
        """The column of the action asked about."""
        return self.at(sum(shift.value for shift in self.shifts if shift.on))

    def results(self) -> tuple[tuple[Said, Fraction], ...]:
        """The chances of this column, a line for every different result, as `Odds.results` wants them."""
        return together(self.columns[self.now].cells)


def together(cells: Sequence[Cell]) -> tuple[tuple[Said, Fraction], ...]:
    """Equal results added up, in the order in which they first stand."""
    found: dict[Said, Fraction] = {}
    for cell in cells:
        found[cell.result] = found.get(cell.result, Fraction(0)) + cell.chance
    return tuple(found.items())
