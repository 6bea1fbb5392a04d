"""Chapter 5: supply lines, supply roads, sources, and what want of supply does."""

from __future__ import annotations

import pytest

from sandtable.games.kasserine.combat.coordination import fire_net
from sandtable.games.kasserine.combat.strengths import can_fire
from sandtable.games.kasserine.supply.determination import determine
from sandtable.games.kasserine.supply.lines import sources, supplied, supply_roads
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import SideAt
from sandtable.games.kasserine.turn.air import cut_off
from sandtable.games.kasserine.turn.weather import reinforcements

from ..kit import (
    ALLIED,
    AXIS,
    H,
    U,
    board,
    do,
    empty,
    mask,
    new,
    place,
    play_to,
    start,
    texts,
    units,
    weather,
    why,
    works,
)

PZ, PZG = "ger_10pz_i_7_pz", "ger_10pz_i_69"
RIFLES, TANKS = "us_34id_1_133", "us_1ad_2_1_ar"


def lines(s: State, side: int, number: str) -> bool:
    return bool(supplied(s, side) >> H(number) & 1)


@pytest.mark.rule("kasserine", "5.31", "5.32", "5.36", "14.32", "14.33")
def test_the_sources_of_both_sides() -> None:
    s = empty()
    assert sources(s, ALLIED) == mask("0111", "2401", "3901", "5001")
    assert sources(s, AXIS) == mask("7004", "7005", "7024", "7040", "3848")
    assert lines(s, AXIS, "7005")
    assert lines(s, ALLIED, "0211")


@pytest.mark.rule("kasserine", "5.22a", "5.22b", "5.22c", "5.26")
def test_a_supply_road_is_a_chain_of_roads_of_any_length_and_never_a_trail() -> None:
    s = empty()
    roads = supply_roads(s, ALLIED)
    assert roads >> H("4119") & 1  # Sbeitla, far from every source
    assert roads & ~board.terrain.road_hexes & ~sources(s, ALLIED) == 0
    assert not roads >> H("3233") & 1  # a trail
    weather(s, "rain")
    assert supply_roads(s, ALLIED) == roads


@pytest.mark.rule("kasserine", "5.2a", "5.2b", "5.21", "3.73c", "5.11")
def test_a_line_is_seven_hexes_long_and_five_in_rain() -> None:
    s = empty()
    dry = supplied(s, AXIS)
    weather(s, "rain")
    wet = supplied(s, AXIS)
    weather(s, "lingering_mud")
    mud = supplied(s, AXIS)
    assert wet & ~dry == 0
    assert wet != dry
    roads = supply_roads(s, AXIS)
    far = [h for h in board.grid.hexes if not board.grid.within(h, 7) & roads]
    assert not any(dry >> h & 1 for h in far)
    far = [h for h in board.grid.hexes if not board.grid.within(h, 5) & roads]
    assert not any((wet | mud) >> h & 1 for h in far)
    assert any(dry >> h & 1 for h in far)
    assert dry >> H("7024") & 1  # on the road: no line is needed


@pytest.mark.rule("kasserine", "5.22d", "5.23", "5.23a", "5.23b", "5.23c", "5.23d", "6.35a")
def test_terrain_on_the_way_of_a_line() -> None:
    ground = board.grounds

    def step(sky: int, start: str, end: str) -> bool:
        d = board.grid.direction(H(start), H(end))
        return bool(ground[sky].supply_steps[d] >> H(start) & 1)

    dry, rain, mud = 0, 1, 2
    assert step(dry, "6733", "6732")
    assert not step(dry, "5908", "6008")  # into a mountain hex across country
    assert step(dry, "5909", "6008")  # along the road
    assert step(dry, "3134", "3233")  # along the trail
    assert not step(rain, "3134", "3233")
    assert not step(dry, "0818", "0817")  # an escarpment
    assert step(dry, "2339", "2338")  # a wadi
    assert not step(rain, "2339", "2338")
    assert not step(mud, "2339", "2338")
    assert step(rain, "4119", "4118")  # at a bridge
    assert not step(rain, "5219", "5218")  # a trail over a wadi
    assert step(mud, "5219", "5218")


@pytest.mark.rule("kasserine", "5.24", "5.25", "5.33")
def test_ezocs_cut_roads_lines_and_sources_unless_a_friend_is_there() -> None:
    s = empty()
    place(s, RIFLES, "6733")  # far from the roads of the Axis: nothing is cut
    assert lines(s, AXIS, "7024")
    place(s, "us_34id_2_133", "6925")
    assert not supply_roads(s, AXIS) & mask("7024")  # 5.33 the source is in an EZOC
    place(s, "ger_10pz_i_90", "7024")
    assert not supply_roads(s, AXIS) & mask("7024")  # artillery does not keep it open
    place(s, "ger_47gr_i_47", "7024")
    assert supply_roads(s, AXIS) & mask("7024")


@pytest.mark.rule("kasserine", "5.23e", "11.11", "11.31", "11.33e")
def test_enemy_works_cut_and_own_works_do_not() -> None:
    s = empty()
    works(s, AXIS, "strongpoint", "0211")
    assert not supply_roads(s, ALLIED) & mask("0211")
    s = empty()
    works(s, AXIS, "minefield", "0211")
    assert not supply_roads(s, ALLIED) & mask("0211")
    s = empty()
    works(s, ALLIED, "minefield", "0211")
    works(s, ALLIED, "strongpoint", "0211")
    assert supply_roads(s, ALLIED) & mask("0211")


@pytest.mark.rule("kasserine", "5.34", "5.35")
def test_a_captured_source_feeds_nobody_and_one_passed_by_exits_is_lost() -> None:
    s = empty()
    place(s, PZ, "0111")
    assert not supply_roads(s, ALLIED) & mask("0111")
    assert not sources(s, AXIS) & mask("0111")
    s = empty()
    s.exited_by[AXIS] = mask("0111")
    assert sources(s, ALLIED) == mask("2401", "3901", "5001")
    s.exited_by[ALLIED] = mask("7004")  # 15.25e costs the Axis nothing of its own: only Allied points are lost by exits
    assert sources(s, AXIS) >> H("7004") & 1
    s.edition = 3  # as it was ruled
    assert not sources(s, AXIS) >> H("7004") & 1


@pytest.mark.rule("kasserine", "5.12", "5.12a", "5.12b", "5.12c", "5.12d", "5.13a", "5.13b", "5.15", "5.38")
def test_markers_from_emergency_supply_to_out_of_supply_and_back() -> None:
    s = empty()
    place(s, [RIFLES, "us_leader_harmon"], "6733")
    place(s, PZ, "6732")  # these two cover every hex around
    place(s, PZG, "6734")
    u = 1 << U(RIFLES)
    determine(s)
    assert (s.emergency, s.oos) == (u, 0)
    determine(s)
    assert (s.emergency, s.oos) == (0, u)
    determine(s)
    assert (s.emergency, s.oos) == (0, u)
    assert s.at[U(RIFLES)] == H("6733")
    place(s, RIFLES, "0311")
    determine(s)
    assert (s.emergency, s.oos) == (0, 0)
    place(s, RIFLES, "6733")
    s.emergency = u
    place(s, RIFLES, "0311")
    determine(s)
    assert s.emergency == 0


@pytest.mark.rule("kasserine", "5.14d", "5.14e", "5.14f")
def test_what_a_unit_out_of_supply_cannot_do() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733", oos=True)
    start(s, steps.MOVES)
    reason = why(s, f"stack {PZ}")
    assert reason is not None
    assert reason.rule == "6.61"
    place(s, "ger_10pz_i_90", "6733", oos=True)
    assert not can_fire(s, U("ger_10pz_i_90"))
    s = empty("engineer")
    place(s, "ger_47gr_i_47", "7024", oos=True)
    start(s, SideAt(steps.ENGINEERS, AXIS))
    reason = why(s, "build ger_47gr_i_47")
    assert reason is not None
    assert reason.rule == "5.14f"


@pytest.mark.rule("kasserine", "5.37", "5.37a")
def test_arrivals_carry_no_marker_and_withdrawals_ask_for_no_supply() -> None:
    s = new("s1_historical")
    play_to(s, "axis_movement", turn=2)
    do(s, "enter ger_dak_i_8_pz")
    do(s, next(text for text in texts(s) if text.startswith("to ")))
    assert not (s.emergency | s.oos) >> U("ger_dak_i_8_pz") & 1
    s.turn = 5
    s.oos |= units("ger_10pz_i_86")
    reinforcements(s)
    assert s.at[U("ger_10pz_i_86")] < 0


@pytest.mark.rule("kasserine", "5.13c", "12.32a")
def test_emergency_supply_bars_the_fire_net() -> None:
    s = empty()
    place(s, "us_34id_34_id_hq", "6733")
    place(s, "us_34id_125_fa", "6632")
    s.fire_net = units("us_34id_34_id_hq")
    assert fire_net(s, U("us_34id_125_fa"), H("6833")) == U("us_34id_34_id_hq")
    s.emergency = units("us_34id_125_fa")
    assert fire_net(s, U("us_34id_125_fa"), H("6833")) == -1


@pytest.mark.rule("kasserine", "5.12e", "10.38b")
def test_interdicted_units_are_out_of_supply_for_the_turn() -> None:
    s = empty()
    place(s, TANKS, "0311")
    cut_off(s, U(TANKS), "10.37b")
    assert s.oos == units(TANKS)
    determine(s)
    assert s.oos == 0  # the next determination feeds it again
