"""The ladder of an odds table: which column a fight is on, and what it brings there."""

from __future__ import annotations

from fractions import Fraction

from sandtable.engine.odds import Cell, Column, Ladder, Shift

SIXTH = Fraction(1, 6)


def ladder(base: int, *shifts: Shift) -> Ladder:
    columns = tuple(
        Column(label, tuple(Cell(result, SIXTH, faces=(face,)) for face, result in enumerate(results, 1)))
        for label, results in (
            ("1:1", ("A1", "A1", "A1", "EX", "DR", "DR")),
            ("2:1", ("A1", "A1", "EX", "DR", "DR", "D1")),
            ("3:1", ("A1", "EX", "DR", "DR", "D1", "D1")),
        )
    )
    return Ladder(columns, base, shifts)


def test_the_column_moves_by_the_shifts_that_are_on() -> None:
    found = ladder(0, Shift(+1, "9.5a", "armour"), Shift(+1, "16.12", "air support", by="decider", on=False))
    assert found.columns[found.now].label == "2:1"


def test_the_column_stays_on_the_ladder() -> None:
    assert ladder(2, Shift(+3, "", "")).now == 2
    assert ladder(1, Shift(-4, "", "")).now == 0
    assert ladder(2, Shift(+3, "", ""), Shift(-4, "", "")).now == 1, "shifts are added up before the ends count"


def test_equal_results_are_one_line() -> None:
    assert ladder(0).results() == (("A1", Fraction(1, 2)), ("EX", SIXTH), ("DR", Fraction(1, 3)))
