"""Reasons that reckon: they name the numbers that the rules would come to."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import Reason
from sandtable.games.caucasus.table.ids import F_COMBAT, F_MOVES

from ..fights import combat
from ..kit import do, empty, place, start, texts, units, why
from ..movekit import phase

rule = pytest.mark.rule


@rule("caucasus", "7.1b")
def test_a_hex_out_of_reach_is_named_with_what_it_takes() -> None:
    """Six hexes of open country with one MP each."""
    s = empty("axis", turn=3)
    place(s, "GE-73", "1234")
    phase(s)
    do(s, "move GE-73")
    text = "73rd Infantry Division needs 6 MP to 1834; it has 3 and 2 more by extended movement"
    assert why(s, "to 1834") == Reason("7.1b", text)


@rule("caucasus", "8.4a", "16.12a")
@pytest.mark.parametrize(("air", "best"), [(0, "1:15"), (1, "1:13")])
def test_the_best_odds_count_the_best_marker(air: int, best: str) -> None:
    """One point against fifteen; VIII Air Corps shifts two columns if an HQ is near."""
    s = combat(turn=3)
    s.air = air
    place(s, ["GE-7Flak", "GE-17A-HQ"], "1234")
    place(s, ["SU-4RD", "SU-74RD", "SU-176RD"], "1333")
    place(s, "GE-13Pz", "1634")
    place(s, "SU-216RD", "1734")
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    text = f"the best odds against 1333 are {best}, and 1:2 is the least allowed"
    assert why(s, "attack 1333") == Reason("8.4a", text)


@rule("caucasus", "18.1b", "7.3e")
@pytest.mark.parametrize(("moved", "may"), [("", True), ("SU-4RD", False), ("SU-74RD", False)])
def test_a_merged_division_takes_an_assault_marker_only_if_neither_has_moved(moved: str, may: bool) -> None:
    s = empty("soviet", turn=5, phase="soviet_second_movement")
    place(s, ["SU-4RD", "SU-74RD"], "1333", shows="reduced")
    place(s, "GE-73", "1234")
    phase(s)
    s.moved = units(moved) if moved else 0
    s.choices = None
    kept = "SU-4RD" if "merge SU-4RD SU-74RD" in texts(s) else "SU-74RD"
    other = "SU-74RD" if kept == "SU-4RD" else "SU-4RD"
    do(s, f"merge {kept} {other}")
    assert (f"assault {kept}" in texts(s)) is may
