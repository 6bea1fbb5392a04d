"""Edges of the rules, and what they say: what broken code would get wrong unseen."""

from __future__ import annotations

import pytest

from sandtable.games.na41.movement.anti_shipping import found_words
from sandtable.games.na41.supply.resources import goods, shift_malta
from sandtable.games.na41.table.ids import AT_SEA, F_SINKING
from sandtable.games.na41.table.position import put
from sandtable.games.na41.table.state import State

from .kit import U, board, empty, roll, start, units
from .phasekit import END

rule = pytest.mark.rule


def at_sea(*items: int) -> State:
    """An Axis convoy with these units."""
    s = empty("axis", "movement", turn=4, impulse=1)
    for u in items:
        s.step[u] = 0
        put(s, u, AT_SEA)
    s.convoy = sum(1 << u for u in items)
    return s


@rule("na41", "22.3.2a", "22.3.4")
def test_the_malta_marker_stays_in_its_boxes() -> None:
    s = empty("axis", "movement", turn=4, impulse=1)
    boxes = goods(board).malta
    for last, by in ((boxes[0], -1), (boxes[-1], 1)):
        s.malta = last
        shift_malta(s, by, "22.3.4")
        assert s.malta == last
        shift_malta(s, -by, "22.3.4")
        assert s.malta == last - by


@rule("na41", "22.2.4b", "22.2.5")
def test_what_is_found_at_sea_is_told_by_what_can_be_sunk() -> None:
    s = at_sea()
    tank = units("GE_AA3_5L")
    assert found_words(s, 0, tank) == "not found"
    assert found_words(s, 3, 0) == "found, sunk on 3 or less"
    assert found_words(s, 3, tank) == "found, sunk on 3 or less, combat units on 2 or less"
    assert found_words(s, 1, tank) == "found, sunk on 1 or less, combat units never"


@rule("na41", "22.2.4b", "22.2.4c")
def test_the_first_unit_of_the_list_is_sunk_like_others() -> None:
    first = U("GE_AA3_5L")
    assert first == 0
    s = at_sea(first)
    start(s, END, (F_SINKING, 6, first))
    events = roll(s, 1)
    assert [e.data["unit"] for e in events if e.kind == "sinking"] == [first]
