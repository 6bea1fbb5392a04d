"""S1 Enter Rommel."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from sandtable.games.na41.movement.anti_shipping import crete
from sandtable.games.na41.supply.support import superiority
from sandtable.games.na41.table.ids import ALLIED, ASIDE, AXIS, F_ATTRITION, F_GAME_TURN, F_VICTORY, POOL, UNUSED
from sandtable.games.na41.table.position import capacity
from sandtable.games.na41.table.scenarios import new_state, script, script_of

from ..kit import GAME, H, U, at, board, controlled_by, empty, hexes, new, roll, start, texts
from ..phasekit import END
from ..turnkit import moving

OBJECTIVES = ("3212", "3629", "3041", "2851", "2365", "3211", "3828", "3138", "2946", "2660")
SCENARIO = "s1_enter_rommel"


@pytest.mark.rule("na41", "S1.1a")
def test_the_campaign_cards_are_used() -> None:
    one, two = new(SCENARIO), new("s2_campaign")
    assert [h for h in one.at if h >= 0] == [h for h in two.at if h >= 0]
    assert one.sp == two.sp
    assert at(one, "GE_DAK") == "1602"
    assert one.step[U("BR_6R")] == 1  # it starts reduced
    assert one.sp[AXIS] == {H("1602"): 2, H("tripoli"): 2}
    assert not one.depleted
    assert not one.msu


@pytest.fixture
def another(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """A scenario like this one, to be changed."""
    found = deepcopy(board.pack.scenarios[SCENARIO])
    monkeypatch.setattr(board, "pack", replace(board.pack, scenarios={**board.pack.scenarios, "another": found}))
    yield found
    board.scripts.pop("another", None)


@pytest.mark.rule("na41", "S1.1a", "S1.1e", "S2.3.2a")
def test_what_a_scenario_says_is_laid_out(another: dict[str, Any]) -> None:
    another["state"] |= {"rp_axis": 2, "rp_allied": 1, "vp": -3}
    s = new_state(board, "another", {})
    assert (s.rp, s.vp) == ([2, 1], -3)


@pytest.mark.rule("na41", "S1.1a")
def test_nobody_is_set_up_in_a_state_that_does_not_exist(another: dict[str, Any]) -> None:
    another["setup"][0]["state"] = "tired"
    with pytest.raises(ValueError, match="GE_AA3_5L: no unit is set up as 'tired'"):
        script_of(board, "another")


@pytest.mark.rule("na41", "S1.1b", "S1.1c", "S1.1d", "S1.1e", "S1.1g", "S1.1h")
def test_the_state_of_the_table_at_the_start() -> None:
    s = new(SCENARIO)
    assert s.malta == -2
    assert board.turns[1]["malta_side"] == "luftwaffe"
    assert not s.control & board.airfields
    assert crete(s) == ALLIED
    assert {name: capacity(s, i) for i, name in enumerate(board.port_ids) if board.port_damageable[i]} == {
        "benghazi": 3,
        "derna": 2,
        "tobruk": 4,
        "bardia": 2,
        "mersa_matruh": 3,
    }
    assert s.rp == [0, 0]
    assert s.forts == [0, 0]
    assert s.building == [0, 0]
    assert superiority(s) == AXIS


@pytest.mark.rule("na41", "S1.1f", "S1.2b")
def test_it_begins_with_the_axis_event_of_the_third_impulse() -> None:
    s = new(SCENARIO)
    assert (s.turn, s.impulse, s.active) == (1, 3, AXIS)
    assert GAME.is_chance(s)
    assert GAME.prompt(s).rules == ("23.1a",)
    assert not s.sp[AXIS].get(board.italy)  # A38 no Preparation Phase
    roll(s, 3, 4)
    assert s.rp == [1, 0]


@pytest.mark.rule("na41", "S1.2b")
def test_only_that_player_turn_of_turn_1_is_played() -> None:
    s = new(SCENARIO)
    s.stack = s.stack[:1]
    assert s.stack == [(F_GAME_TURN, 7)]  # what follows is the Supply Attrition Phase
    start(s)
    assert [f[0] for f in s.stack[1:]] == [F_ATTRITION, F_ATTRITION]


@pytest.mark.rule("na41", "S1.1i")
def test_replacements_lie_in_the_pool_and_other_counters_aside() -> None:
    s = new(SCENARIO)
    assert all(s.at[u] == POOL for u in range(len(board.units)) if board.replacements >> u & 1)
    assert all(s.at[u] == ASIDE for u in range(len(board.units)) if board.captured >> u & 1)
    assert s.assets == [0] * 10


@pytest.mark.rule("na41", "S1.2a")
def test_it_lasts_seven_turns() -> None:
    assert (script(new(SCENARIO)).first_turn, script(new(SCENARIO)).last_turn) == (1, 7)
    s = empty(turn=6, scenario=SCENARIO)
    start(s, END, (F_VICTORY, 1))
    assert s.ended is None


@pytest.mark.rule("na41", "S1.2c")
def test_the_reserves_are_not_used() -> None:
    s = new(SCENARIO)
    assert [s.at[U(name)] for name in ("NZ_6", "SA_3", "SA_6")] == [UNUSED] * 3


@pytest.mark.rule("na41", "S1.2d")
def test_the_poles_stay_in_alexandria_until_turn_11() -> None:
    for turn, free in ((7, False), (10, False), (11, True)):
        s = new("s2_campaign")
        s.turn, s.active, s.stack = turn, ALLIED, []
        moving(s)
        assert ("move PO_CAR" in texts(s)) == free
        assert ("convoy alexandria mersa_matruh" in texts(s)) == free  # nobody else is there to embark


@pytest.mark.rule("na41", "S1.3")
def test_seven_of_ten_objectives_win_for_the_axis() -> None:
    s = empty(scenario=SCENARIO)
    goals = script(s).objectives
    assert goals is not None
    assert hexes(goals.hexes) == set(OBJECTIVES)
    for count, winner in ((7, AXIS), (6, ALLIED), (10, AXIS)):
        s = empty(turn=7, scenario=SCENARIO)
        controlled_by(s, "axis", *OBJECTIVES[:count], "2478")
        s.port_level[board.port_ids.index("benghazi")] = 4  # port capacity is irrelevant
        start(s, END, (F_VICTORY, 1))
        assert s.ended is not None
        assert (s.ended.winner, s.ended.rule, s.ended.points) == (winner, "S1.3", count)
