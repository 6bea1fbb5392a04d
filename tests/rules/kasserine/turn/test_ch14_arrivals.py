"""Chapter 14: reinforcements, exit and withdrawal."""

from __future__ import annotations

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.games.kasserine.movement.arrivals import entry_ends, entry_leg, expected, gates, shut
from sandtable.games.kasserine.movement.orders import exits
from sandtable.games.kasserine.paths.moves import move_leg
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ground import HALF
from sandtable.games.kasserine.table.ids import TO_COME
from sandtable.games.kasserine.table.position import put
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.turn.victory import exit_points, steps_exited
from sandtable.games.kasserine.turn.weather import reinforcements

from ..kit import ALLIED, AXIS, GAME, H, U, at, board, do, empty, mask, new, place, play_to, start, texts, why

PZ, RIFLES = "ger_10pz_i_7_pz", "us_34id_1_133"
DAK, DAK_HQ = "ger_dak_i_8_pz", "ger_dak_dak_hq"
GUARDS = "br_1gds_3_gren"


def rule_against(s: State, text: str) -> str:
    reason = why(s, text)
    return "" if reason is None else reason.rule


def turn(n: int, phase: str = "axis_movement") -> State:
    """Scenario 1 in a movement phase of some turn, with everybody where he stood at the start."""
    s = new("s1_historical")
    play_to(s, "axis_movement", turn=1)
    s.turn = n
    s.phase = 5 if phase == "axis_movement" else 9
    s.active = AXIS if phase == "axis_movement" else ALLIED
    s.stack.clear()
    s.memo = {}
    start(s, steps.MOVES)
    return s


@pytest.mark.rule("kasserine", "14.11a", "14.11b", "14.11c", "14.12a", "14.25", "14.21")
def test_reinforcements_come_on_their_turn_or_later_in_a_movement_phase() -> None:
    s = turn(1)
    assert rule_against(s, f"enter {DAK}") == "14.11a"
    for n in (2, 4):
        s = turn(n)
        assert f"enter {DAK}" in texts(s)
        assert gates(s, U(DAK)) == mask("3848")
    s.phase = 8
    assert expected(s, AXIS) == 0
    assert [board.grid.names[h] for h in board.entries.values()] == [
        *("0111", "0501", "2401", "3901", "5001"),
        *("7004", "7005", "7024", "7040", "3848"),
    ]


@pytest.mark.rule("kasserine", "14.22", "14.23", "14.24", "14.26", "5.37")
def test_entering_costs_the_road_and_more_in_column() -> None:
    s = turn(2)
    first = entry_leg(s, U(DAK), H("3848"))
    assert first is not None
    price = 16 - first.points
    assert price > 0
    s.column[s.group[U(DAK)]] = 9  # a full stack has gone before
    second = entry_leg(s, U(DAK), H("3848"))
    assert second is not None
    assert second.points == first.points - 1
    s.column.clear()
    do(s, f"enter {DAK}")
    far = [text for text in texts(s) if text != "to 3848"]
    way = first.to(H(far[0].removeprefix("to ")))
    assert way is not None
    hints = [GAME.hint(s, GAME.parse(text)) for text in ("to 3848", far[0])]
    assert [hint and (hint["cost"], hint["of"]) for hint in hints] == [
        (f"{price / 2:g}", "8 MP"),
        (f"{(price + way.cost) / 2:g}", "8 MP"),
    ]
    do(s, far[0])
    assert s.moved >> U(DAK) & 1
    assert s.arrived >> U(DAK) & 1
    place(s, ["ger_10pz_i_7_pz", "ger_10pz_ii_7_pz", "ger_21pz_i_5_pz"], "3848")
    assert not entry_ends(s, U(DAK_HQ)) >> H("3848") & 1  # no room: it must get away from there
    place(s, RIFLES, "3746")
    leg = entry_leg(s, U(DAK_HQ), H("3848"))
    assert leg is not None  # an EZOC costs more but bars nothing


@pytest.mark.rule("kasserine", "14.12b", "14.27a", "14.27b")
def test_a_blocked_entry_moves_along_the_edge() -> None:
    s = turn(4, "allied_movement")
    assert gates(s, U(GUARDS)) == mask("3901")
    place(s, PZ, "3901")
    s.memo = {}
    assert gates(s, U(GUARDS)) == mask("3801", "4001")
    place(s, "ger_10pz_ii_7_pz", "3801")
    place(s, "ger_21pz_i_5_pz", "4001")
    s.memo = {}
    found = gates(s, U(GUARDS))
    assert found
    assert not found & mask("3801", "3901", "4001")
    assert found & ~board.edge == 0


@pytest.mark.rule("kasserine", "14.28a", "14.28b")
def test_nobody_enters_where_the_enemy_has_left() -> None:
    s = turn(4, "allied_movement")
    s.exited_by[AXIS] = mask("3901")
    assert gates(s, U(GUARDS)) == 0
    assert shut(s, ALLIED) & mask("3801", "3901", "4001") == mask("3801", "3901", "4001")
    assert rule_against(s, f"enter {GUARDS}") == "14.28a"
    s.exited_by[AXIS] = mask("2401", "5001")
    assert shut(s, ALLIED) >> H("3901") & 1
    assert shut(s, ALLIED) >> H("3001") & 1
    assert not shut(s, ALLIED) >> H("0501") & 1


@pytest.mark.rule("kasserine", "14.13", "14.13a")
def test_allied_groups_may_go_to_a_neighbouring_place_a_turn_later() -> None:
    s = turn(4, "allied_movement")
    legal = {text for text in texts(s) if text.startswith("reroute")}
    assert any(text.endswith(" B") for text in legal)
    mine = next(text for text in sorted(legal) if "1gds" in text and text.endswith(" B"))
    do(s, mine)
    assert s.due[U(GUARDS)] == 5
    assert gates(s, U(GUARDS)) == mask("2401")
    assert rule_against(s, f"enter {GUARDS}") == "14.11a"


@pytest.mark.rule("kasserine", "14.31a", "14.31b", "14.32", "14.33", "14.35")
def test_who_may_leave_the_map_where_and_for_what() -> None:
    s = empty("axis_movement")
    place(s, PZ, "0211")
    assert exits(s, U(PZ)) == mask("0111")
    s.phase = 8
    assert exits(s, U(PZ)) == mask("0111")
    s.turn = 4
    assert exits(s, U(PZ)) == 0  # 15.13f
    s = empty("allied_movement")
    place(s, RIFLES, "7004")
    assert exits(s, U(RIFLES)) == 0  # only in Scenario 2
    s = empty("allied_movement", scenario="s2_campaign")
    place(s, RIFLES, "7004")
    assert exits(s, U(RIFLES)) == mask("7004", "7005")  # two neighbours
    s = empty("axis_movement")
    place(s, "ger_10pz_i_7_pz", "0111", disrupted=True, oos=True)
    s.phase = 8
    assert exits(s, U(PZ)) == mask("0111")  # 2 MP left, 1 is needed


@pytest.mark.rule("kasserine", "14.31b", "14.35")
def test_who_has_less_than_a_point_left_in_the_exit_hex_stays_on_the_map() -> None:
    gate = H("0111")
    seen = set()
    for h in hexes_of(board.grid.within(gate, 12) & ~board.grid.within(gate, 6))[::3]:
        s = empty("axis_movement")
        put(s, U(PZ), h)
        leg = move_leg(s, U(PZ))
        cost = leg.found.cost(gate)
        if 0 <= cost <= leg.points:
            enough = leg.points - cost >= HALF
            assert bool(exits(s, U(PZ)) >> gate & 1) == enough
            seen.add(enough)
    assert seen == {True, False}


@pytest.mark.rule("kasserine", "14.36", "15.25b")
def test_exited_steps_score_only_if_in_supply() -> None:
    for oos, points in ((False, 6), (True, 0)):
        s = empty("axis_movement")
        place(s, PZ, "0111", oos=oos)
        start(s, steps.MOVES)
        do(s, f"move {PZ}", "exit 0111")
        assert exit_points(s, AXIS) == points
        assert steps_exited(s, AXIS, ["German"], ["0111"]) == points // 3
        assert s.lost == [0] * 5
        assert at(s, PZ) == "exited"


@pytest.mark.rule("kasserine", "14.41", "14.42a", "14.42b", "14.43")
def test_withdrawals_and_the_air_schedule() -> None:
    s = new("s1_historical")
    s.turn = 5
    put(s, U("ger_army_1_501_tiger"), -3)
    reinforcements(s)
    assert at(s, "ger_10pz_i_86") == "withdrawn"
    assert at(s, "ger_army_1_501_tiger") == "eliminated"
    assert at(s, "br_air_322_wg") == "ready"
    s.turn = 10
    reinforcements(s)
    assert at(s, "ger_air_ii_stg_3") == "withdrawn"
    s = new("s1_historical")
    s.turn = 4
    reinforcements(s)
    assert s.at[U("br_air_322_wg")] == TO_COME
