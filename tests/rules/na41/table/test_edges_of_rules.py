"""Edges of the rules, and what they say: what broken code would get wrong unseen."""

from __future__ import annotations

import pytest

from sandtable.games.na41.movement.anti_shipping import found_words
from sandtable.games.na41.supply.resources import goods, shift_malta
from sandtable.games.na41.table.ids import AT_SEA, F_SINKING
from sandtable.games.na41.table.position import put
from sandtable.games.na41.table.state import State

from ..kit import GAME, U, board, do, empty, place, roll, start, supplies, units
from ..marchkit import phase, refusal
from ..phasekit import END

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


@rule("na41", "5.8.4a")
def test_a_special_transfer_shows_where_it_ends() -> None:
    s = empty()
    place(s, ["AX_TR1", "IT_27"], "1604")
    place(s, "IT_28", "1707")
    supplies(s, "axis", "1702")
    phase(s)
    do(s, "move AX_TR1")
    shown = GAME.hint(s, GAME.parse("transfer AX_TR1 1707"))
    assert shown == {"path": ["1707"], "note": "special transfer (5.8.4)"}


@rule("na41", "17.2.4a", "17.2.1f")
def test_a_truck_is_told_that_there_is_no_supply_point() -> None:
    s = empty()
    place(s, ["AX_TR1", "IT_27"], "1604")
    phase(s)
    do(s, "move AX_TR1")
    assert refusal(s, "load-sp") == "17.2.4a"
