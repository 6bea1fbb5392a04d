"""Chapters 12 and 13: headquarters, leaders, special units."""

from __future__ import annotations

import pytest

from sandtable.games.kasserine.combat.chain import begin
from sandtable.games.kasserine.combat.coordination import commanders, hqs_of
from sandtable.games.kasserine.combat.leading import shifter
from sandtable.games.kasserine.combat.reckoning import modifiers, reckon
from sandtable.games.kasserine.movement.arrivals import places
from sandtable.games.kasserine.paths.moves import move_leg
from sandtable.games.kasserine.retreat.ways import Retreat, ways
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.position import put
from sandtable.games.kasserine.table.ratings import attack_rating, mover, rating
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import At, RetreatAt
from sandtable.games.kasserine.turn.weather import set_weather

from ..kit import ALLIED, AXIS, H, U, at, board, do, empty, new, of_kind, place, play_to, start, texts, units, why

PZ, PZG, PZHQ, TIGER = "ger_10pz_i_7_pz", "ger_10pz_i_69", "ger_10pz_10_pz_hq", "ger_army_1_501_tiger"
RIFLES, TANKS, HQ, CCA, GUNS = "us_34id_1_133", "us_1ad_2_1_ar", "us_34id_34_id_hq", "us_1ad_cca_hq", "us_34id_125_fa"
ROMMEL, HARMON, PATTON = "ger_leader_rommel", "us_leader_harmon", "us_leader_patton"


def rule_against(s: State, text: str) -> str:
    reason = why(s, text)
    return "" if reason is None else reason.rule


# 12.1-12.3


@pytest.mark.rule("kasserine", "12.11", "12.13c", "12.14a", "12.14b", "12.22b", "3.93c", "12.13b", "3.81a")
def test_command_points_stay_in_the_formation_and_in_range() -> None:
    s = empty("axis_combat")
    place(s, [PZ, TIGER], "6733")
    place(s, PZHQ, "6737")  # four hexes
    assert hqs_of(s, U(PZ)) == units(PZHQ)
    assert hqs_of(s, U(TIGER)) == 0  # a white unit
    place(s, PZHQ, "6738")
    assert hqs_of(s, U(PZ)) == 0
    place(s, PZHQ, "6737")
    for mark in ("spent", "disrupted"):
        setattr(s, mark, units(PZHQ))
        assert hqs_of(s, U(PZ)) == 0
        setattr(s, mark, 0)
    s.aims = {H("6737"): 0}  # under attack itself: it may still help
    assert hqs_of(s, U(PZ)) == units(PZHQ)


@pytest.mark.rule("kasserine", "12.23b", "12.23c", "12.22a")
def test_one_hq_for_each_combat_and_its_points_whole() -> None:
    s = empty("axis_combat")
    place(s, [PZ, PZHQ], "6733")
    place(s, RIFLES, "6732")
    s.aims = {H("6732"): units(PZ)}
    start(s, steps.COMBATS)
    do(s, "use_assault")
    assert set(texts(s)) == {f"command {PZHQ}", "no_command"}
    do(s, f"command {PZHQ}")
    assert s.fight.points[AXIS] == board.cp[U(PZHQ)] == 3
    assert s.spent == units(PZHQ)
    assert commanders(s, s.fight, AXIS, 2) == 0


@pytest.mark.rule("kasserine", "12.12ab")
def test_a_red_box_hq_may_ride_with_an_overrun() -> None:
    s = empty("axis_movement")
    place(s, [PZ, PZHQ], "6733")
    start(s, steps.MOVES)
    do(s, f"stack {PZ}", f"join {PZHQ}")
    assert s.stack_units == units(PZ, PZHQ)


@pytest.mark.rule("kasserine", "12.31a", "12.34a", "12.34b", "12.34c", "12.35", "12.36")
def test_fire_net_conversion() -> None:
    s = empty("allied_movement")
    place(s, [HQ, CCA, "us_1id_1_id_hq"], "6733")
    start(s, steps.MOVES)
    assert rule_against(s, f"convert {CCA}") == "12.36"
    do(s, f"convert {HQ}")
    assert s.fire_net == units(HQ)
    assert rule_against(s, f"move {HQ}") == "12.35"
    assert rule_against(s, f"convert {HQ}") == "12.34a"
    do(s, "move us_1id_1_id_hq", "to 6732")
    assert rule_against(s, "convert us_1id_1_id_hq") == "12.34b"
    assert hqs_of(s, U(RIFLES)) == 0 or s.at[U(RIFLES)] < 0
    s = empty("axis_combat")
    place(s, HQ, "6732")
    s.fire_net = units(HQ)
    start(s, RetreatAt(steps.RETREATS, ALLIED, units(HQ), H("6732"), 1, 2))
    do(s, f"retreat {HQ} 6731")
    assert s.fire_net == 0  # turned to its mobile side
    s = empty("allied_motorized_movement")
    place(s, HQ, "6733")
    start(s, steps.MOVES)
    assert rule_against(s, f"convert {HQ}") == "12.34a"


# 12.4


@pytest.mark.rule("kasserine", "12.41a", "12.41ba", "12.43c")
def test_a_leader_alone_is_captured_by_whoever_enters() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733")
    place(s, HARMON, "6732")
    start(s, steps.MOVES)
    events = do(s, f"move {PZ}", "to 6732")
    assert of_kind(events, "captured")
    assert at(s, HARMON) == "eliminated"
    assert s.captured == units(HARMON)


@pytest.mark.rule("kasserine", "12.42c")
def test_rommel_gets_away_to_the_nearest_unit() -> None:
    s = empty("allied_movement")
    place(s, TANKS, "6733")
    place(s, ROMMEL, "6732")
    place(s, PZ, "6730")
    place(s, PZG, "6932")
    place(s, "ger_47gr_i_47", "6938")
    start(s, steps.MOVES)
    do(s, f"move {TANKS}")
    do(s, "to 6732")
    assert s.actor == AXIS
    assert set(texts(s)) == {"flee 6730", "flee 6932"}
    do(s, "flee 6932")
    assert at(s, ROMMEL) == "6932"


@pytest.mark.rule("kasserine", "12.43b", "12.43ba")
def test_patton_raises_the_er_of_us_units_from_the_next_combat_phase() -> None:
    s = new("s2_campaign")
    play_to(s, "axis_movement", turn=1)
    put(s, U(PATTON), H("0111"))
    tanks = U("us_1ad_3_1_ar")
    before = rating(s, tanks)
    french = rating(s, U("fr_const_i_3_rta"))
    play_to(s, "axis_motorized_movement")
    assert rating(s, tanks) == before + 1
    assert rating(s, U("fr_const_i_3_rta")) == french
    put(s, U(PATTON), -3)
    assert rating(s, tanks) == before
    s = empty("axis_combat")
    place(s, PZ, "6733")
    place(s, [RIFLES, PATTON], "6732")
    s.aims = {H("6732"): units(PZ)}
    begin(s, At(steps.COMBATS), H("6732"))
    assert shifter(s, ALLIED) == -1


@pytest.mark.rule("kasserine", "12.45", "15.13c")
def test_where_an_arriving_leader_may_be_placed() -> None:
    s = new("s1_historical")
    play_to(s, "axis_movement", turn=1)
    s.turn = 5
    found = places(s, U(ROMMEL))
    assert found >> s.at[U("ger_21pz_i_5_pz")] & 1
    assert found >> s.at[U("ger_47gr_i_47")] & 1  # German and in supply
    assert not found >> s.at[U("ita_cent_xiv_5b")] & 1 or s.here[s.at[U("ita_cent_xiv_5b")]] & board.of_nation[0]


# 13


@pytest.mark.rule("kasserine", "13.1", "13.11", "13.34")
def test_mountain_units() -> None:
    s = empty()
    place(s, ["us_army_1rngr", "fr_xix_mtn_4", "fr_xix_racl"], "5908")
    assert attack_rating(s, U("us_army_1rngr"), H("6008")) == 10
    assert attack_rating(s, U("us_army_1rngr"), H("5907")) == 8
    assert attack_rating(s, U("fr_xix_racl"), H("6008")) == rating(s, U("fr_xix_racl"))
    assert {mover(s, U(name)) for name in ("us_army_1rngr", "fr_xix_racl", "ger_47gr_5p6_22")} == {2}


@pytest.mark.rule("kasserine", "13.22a", "13.22b", "13.22c")
def test_tigers_keep_to_the_roads_after_rain() -> None:
    s = empty("axis_movement")
    place(s, TIGER, "6733")
    place(s, "ger_army_2_501_tiger", "6218")
    set_weather(s, 2)
    assert at(s, TIGER) == "eliminated"  # off the road when the Rain came
    assert at(s, "ger_army_2_501_tiger") == "6218"
    leg = move_leg(s, U("ger_army_2_501_tiger"))
    assert leg.everywhere() & ~board.terrain.road_hexes == 0
    set_weather(s, 0)
    assert s.tigers_bound
    for d, n in board.grid.neighbours[H("6218")]:
        if board.terrain.roads[d] >> H("6218") & 1:
            place(s, "us_34id_1_133", board.grid.names[n]) if s.at[U(RIFLES)] < 0 else place(
                s, "us_34id_2_133", board.grid.names[n]
            )
    found = ways(s, U("ger_army_2_501_tiger"), Retreat(H("6218"), 1, 2))
    assert found == (0, 0)
    place(s, TIGER, "6733")
    set_weather(s, 2)  # A73: the check is repeated on every Rain turn
    assert at(s, TIGER) == "eliminated"


@pytest.mark.rule("kasserine", "13.33", "13.31")
def test_germans_and_italians_fight_together_without_penalty() -> None:
    s = empty("axis_combat")
    place(s, [PZG, "ita_cent_xiv_5b"], "6733")
    place(s, RIFLES, "6732")
    s.aims = {H("6732"): units(PZG, "ita_cent_xiv_5b")}
    begin(s, At(steps.COMBATS), H("6732"))
    s.fight.lead = [U(PZG), U(RIFLES)]
    assert "13.32" not in {item.rule for item in modifiers(s, s.fight)}
    assert reckon(s, s.fight).attack.value == 4 + board.attack[U("ita_cent_xiv_5b")][0]
