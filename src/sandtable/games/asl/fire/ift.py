"""A7 The Infantry Fire Table: columns, rows and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from sandtable.engine.odds import Cell, Column, Force, Ladder
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.memory import remembered

from ..boards.pack import asl_pack

RESULTS = (
    "-",
    "PTC",
    "NMC",
    "1MC",
    "2MC",
    "3MC",
    "4MC",
    "K/1",
    "K/2",
    "K/3",
    "K/4",
    "1KIA",
    "2KIA",
    "3KIA",
    "4KIA",
    "5KIA",
    "6KIA",
    "7KIA",
)
NO_EFFECT, PIN_CHECK = 0, 1
FIRST_MC, FIRST_K, FIRST_KIA = RESULTS.index("NMC"), RESULTS.index("K/1"), RESULTS.index("1KIA")


class Ift:
    """The table as the pack has it."""

    def __init__(self) -> None:
        chart = asl_pack().tables["ift"]
        self.columns: tuple[int, ...] = tuple(chart["columns_fp"])
        rows = {int(row): [RESULTS.index(one) for one in cells] for row, cells in chart["rows"].items()}
        self.rows = [rows[i] for i in range(16)]
        self.kills: tuple[int, ...] = tuple(chart["kill_number_unarmored"])
        residual = asl_pack().tables["residual_fp"]
        self.residual: tuple[int, ...] = tuple(residual["residual"])
        self.counters: tuple[int, ...] = tuple(residual["counters"])

    def column(self, fp: float) -> int:
        """A7.1 the highest column not above the FP; -1 is no attack."""
        return sum(1 for one in self.columns if one <= fp) - 1

    def result(self, column: int, final: int) -> int:
        """What a Final DR gives; a column left of the first has no effect."""
        return self.rows[max(0, min(15, final))][column] if column >= 0 else NO_EFFECT

    def residual_of(self, column: int, down: int) -> int:
        """A8.2 the Residual FP that an attack on a column leaves, one counter lower for each DRM from outside."""
        left = self.residual[column] if column >= 0 else 0
        if not left:
            return 0
        step = self.counters.index(left) - down
        return self.counters[step] if step >= 0 else 0


@cache
def ift() -> Ift:
    return Ift()


def morale_modifier(result: int) -> int:
    """The n of an nMC, or of the MC that follows a K/n."""
    word = RESULTS[result]
    if word == "NMC":
        return 0
    return int(word[-1]) if word.startswith("K/") else int(word[0])


def killed(result: int) -> int:
    """The n of an nKIA."""
    return int(RESULTS[result][0])


# The panel


def cowering(shift: int) -> tuple[int, ...]:
    """A7.9 the columns lost by each of the 36 DR: those of doubles, and no others."""
    return tuple(0 if roll // 6 != roll % 6 else shift for roll in range(36))


def spread(column: int, drm: int, cowers: Sequence[int], clouds: Sequence[int]) -> list[tuple[str, Fraction]]:
    """The chance of every result, the gravest first: over the 36 DR, each with the columns that the firers cower by
    (A7.9), and over the falls of the die of dust (F11.71b)."""
    return list(_spread(column, drm, tuple(cowers), tuple(clouds)))


@remembered(1 << 12)
def _spread(
    column: int, drm: int, cowers: tuple[int, ...], clouds: tuple[int, ...]
) -> tuple[tuple[str, Fraction], ...]:
    table, found = ift(), dict.fromkeys(RESULTS, 0)
    for roll, shift in enumerate(cowers):
        final = roll // 6 + roll % 6 + 2 + drm
        for cloud in clouds:
            found[RESULTS[table.result(column - shift, final + cloud)]] += 1
    return tuple((word, Fraction(n, 36 * len(clouds))) for word, n in reversed(found.items()) if n)


def meaning(word: str) -> Said:
    """A7.3 what a result does."""
    result = RESULTS.index(word)
    if result == NO_EFFECT:
        return term("no effect")
    if result == PIN_CHECK:
        return term("a Pin Task Check: pinned at worst")
    if result >= FIRST_KIA:
        n = killed(result)
        return term("one eliminated, the others break") if n == 1 else Text("{n} eliminated, the others break", n=n)
    n = morale_modifier(result)
    if result >= FIRST_K:
        return Text("one Reduced, then a Morale Check with +{n}", n=n)
    return Text("a Morale Check with +{n}", n=n) if n else term("a Morale Check")


def failing(morale: int, n: int) -> Fraction:
    """A10.1 the chance to break in a Morale Check with +n."""
    return Fraction(sum(1 for a in range(1, 7) for b in range(1, 7) if a + b + n > morale), 36)


def ladder(
    column: int, drm: int, cowers: Sequence[int], clouds: Sequence[int], morale: int, forces: tuple[Force, ...], at: str
) -> Ladder:
    """All columns, with what each brings for a target of this morale; -1 if nobody knows it."""

    def cell(word: str, chance: Fraction) -> Cell:
        result = RESULTS.index(word)
        hurt = Fraction(result >= FIRST_K)
        if FIRST_MC <= result < FIRST_K:
            hurt = failing(morale, morale_modifier(result))
        return Cell(word if result else "–", chance, meaning(word), good=hurt if morale >= 0 else None)

    columns = tuple(
        Column(str(fp), tuple(cell(*one) for one in spread(i, drm, cowers, clouds)))
        for i, fp in enumerate(ift().columns)
    )
    return Ladder(columns, column, (), forces, (term("Broken or worse"), term("It holds")), hex=at)
