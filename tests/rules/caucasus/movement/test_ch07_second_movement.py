"""Chapter 7: second movement."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.movement.phase import begin_moves
from sandtable.games.caucasus.table.ids import F_COMBAT, F_MOVES, SOVIET

from ..kit import (
    GAME,
    board,
    do,
    empty,
    kinds,
    names,
    of_kind,
    place,
    start,
    texts,
)
from ..movekit import cost, goes, hint, moving, phase, refusal, verbs
from .ch07movementkit import SECOND, SOVIET_SECOND

rule = pytest.mark.rule


# 7.3 The Second Movement Phase


@rule("caucasus", "7.3a", "15.4a")
def test_mechanised_units_and_cavalry_move_with_full_ma_in_the_second_phase() -> None:
    s = empty(phase=SECOND)
    place(s, ["GE-13Pz", "RO-5Cav", "GE-73"], "1144")
    assert cost(s, "GE-13Pz", "1138") == "6"
    assert cost(s, "RO-5Cav", "1139") == "5"
    assert "1138" not in goes(s, "RO-5Cav")
    assert "1142" not in goes(s, "GE-73")  # cavalry alone of the non-mechanised
    place(s, "SU-4RD", "1145")
    assert "raid GE-13Pz" in texts(phase(s))


@rule("caucasus", "7.3b")
def test_a_foot_unit_moves_one_hex_in_the_second_phase_whatever_it_costs_or_attacks() -> None:
    s = empty(phase=SECOND)
    place(s, "GE-73", "1434")
    place(s, "SU-4RD", "1433")  # 1434 is in its zone: 4 MPs to 1534
    assert goes(s, "GE-73") == {"1435", "1334", "1333", "1533", "1534"}
    phase(s)
    do(s, "move GE-73", "to 1533")  # still beside the enemy
    assert "assault GE-73" not in texts(s)
    assert refusal(s, "assault GE-73") == "7.3b"
    s = empty(phase=SECOND)
    place(s, "GE-73", "1434")
    assert refusal(moving(s, "GE-73"), "to 1430") == "7.3b"


@rule("caucasus", "7.3d")
def test_a_mobile_unit_spends_three_mps_on_an_assault_marker() -> None:
    s = empty(phase=SECOND)
    place(s, "GE-13Pz", "1829")
    place(s, "SU-4RD", "1825")
    # beside 1825 and within 3 MPs: 1826 only
    assert goes(s, "GE-13Pz", "charge") == {"1826"}
    phase(s)
    events = do(s, "move GE-13Pz", "charge 1826")
    assert kinds(events)[-1] == "assault"
    assert names(s.assault) == {"GE-13Pz"}
    place(s, "GE-13Pz", "1830")  # one hex farther it would have 2 left
    s.stack, s.assault = [], 0
    assert goes(s, "GE-13Pz", "charge") == set()
    assert "1826" in goes(s, "GE-13Pz")
    assert refusal(moving(s, "GE-13Pz"), "charge 1826") == "7.3d"
    # standing still it pays them too
    place(s, "GE-13Pz", "1826")
    phase(s)
    do(s, "assault GE-13Pz")
    assert "move GE-13Pz" not in texts(s)


@rule("caucasus", "7.3e")
def test_a_foot_unit_with_an_assault_marker_does_not_move() -> None:
    s = empty(phase=SECOND)
    place(s, "GE-73", "1434")
    place(s, "SU-4RD", "1433")
    phase(s)
    assert {"move GE-73", "assault GE-73"} <= set(texts(s))
    do(s, "assault GE-73")
    assert names(s.assault) == {"GE-73"}
    assert "move GE-73" not in texts(s)
    assert refusal(s, "move GE-73") == "7.3e"
    c = empty(phase=SECOND)
    place(c, "GE-73", "1434")
    place(c, "SU-4RD", "1432")
    phase(c)
    assert "charge" not in verbs(moving(c, "GE-73"))
    assert refusal(moving(c, "GE-73"), "charge 1433") == "7.3b"
    assert refusal(c, "assault GE-73") == "7.3d"  # nobody to attack


@rule("caucasus", "7.3f")
def test_only_marked_units_attack_in_the_second_combat_phase() -> None:
    s = empty(phase=SECOND)
    place(s, ["GE-73", "GE-125"], "1434")
    place(s, "SU-4RD", "1433", shows="reduced")
    phase(s)
    do(s, "assault GE-73", "end-moves")
    s.stack = []
    start(s, (F_MOVES, 0), (F_COMBAT, 1))
    do(s, "attack 1433")
    joined = names(s.fight.attackers) | {t.split()[1] for t in texts(s) if t.startswith("join")}
    assert joined == {"GE-73"}


@rule("caucasus", "7.3f", "15.3b", "15.6c")
def test_flotilla_and_train_need_no_marker() -> None:
    s = empty("soviet", phase=SOVIET_SECOND)
    place(s, "SU-Azov", "2041")
    place(s, ["SU-Train", "SU-4RD"], "1733")
    place(s, "GE-73", "2140")
    place(s, "GE-125", "1732")
    phase(s)
    assert {t for t in texts(s) if t.startswith("assault")} == {"assault SU-4RD"}
    assert refusal(s, "assault SU-Train") == "7.3f"
    place(s, "SU-98AT", "1733")  # nothing to attack with: no marker for it
    s.choices = None
    assert not {"assault SU-98AT", "raid SU-98AT"} & set(texts(s))
    assert "charge" not in verbs(moving(s, "SU-98AT"))
    assert refusal(s, "raid SU-98AT") == refusal(s, "assault SU-98AT") == "2.2a"


@rule("caucasus", "7.3g")
def test_a_mobile_unit_may_always_move_one_hex_and_take_the_marker() -> None:
    s = empty(phase=SECOND)
    place(s, "GE-13Pz", "1434")
    place(s, "SU-4RD", "1433")
    assert cost(s, "GE-13Pz", "1534") == "4"  # 2 + 2 would remain
    assert "1533" in goes(s, "GE-13Pz", "charge")
    place(s, "SU-74RD", "1635")
    assert "1534" in goes(s, "GE-13Pz", "charge")  # 4 MPs, then the marker all the same
    assert "1535" not in goes(s, "GE-13Pz", "charge")  # two hexes


# 7.4 Minimum movement


@rule("caucasus", "7.4a")
def test_x_7_7_h_a_unit_may_always_move_one_hex() -> None:
    s = empty()
    place(s, "GE-73", "1434")
    place(s, "SU-4RD", "1433")
    place(s, "SU-74RD", "1635")  # 1534 is in a zone: 1 + 1 for the river + 2 = 4 MPs, more than the MA of 3
    shown = hint(s, "GE-73", "1534")
    assert shown["path"] == ["1534"]
    assert "7.4a" in shown["note"]
    assert "1535" not in goes(s, "GE-73")
    s = empty(phase=SOVIET_SECOND, active="soviet")
    place(s, "SU-136TB", "1433")  # in both phases
    assert goes(s, "SU-136TB") >= {"1432", "1434"}


@rule("caucasus", "7.4b")
def test_minimum_movement_enters_no_prohibited_terrain() -> None:
    s = empty()
    place(s, "GE-13Pz", "1737")
    assert not goes(s, "GE-13Pz") & {"1738", "1838"}
    assert refusal(moving(s, "GE-13Pz"), "to 1738") == "7.6a"
    place(s, "GE-13Pz", "3122")
    assert not goes(s, "GE-13Pz") & {"3223", "3023"}


# 7.5 Strategic road movement


@rule("caucasus", "7.5a")
def test_strategic_road_movement_is_for_both_phases_and_all_units() -> None:
    for name, mech, foot in (("axis_first_movement", "2536", "1737"), (SECOND, "2138", "1436")):
        s = empty(phase=name)
        place(s, ["GE-13Pz"], "1134")
        assert mech in goes(s, "GE-13Pz"), name
        place(s, "GE-73", "1235" if name == SECOND else "1134")
        assert foot in goes(s, "GE-73"), name


@rule("caucasus", "7.5b", "7.5d")
def test_x_7_5_sixteen_road_hexes_for_a_mechanised_unit() -> None:
    s = empty()
    place(s, "GE-13Pz", "1134")
    shown = hint(s, "GE-13Pz", "2536")  # all the way to Tuapse
    assert len(shown["path"]) == 16
    assert shown["cost"] == "8"
    assert "2535" not in goes(s, "GE-13Pz")  # the seventeenth
    # in the second phase there is no extended movement: 12
    s = empty(phase=SECOND)
    place(s, "GE-13Pz", "1134")
    shown = hint(s, "GE-13Pz", "2240")
    assert len(shown["path"]) == 12
    assert "2339" not in goes(s, "GE-13Pz")


@rule("caucasus", "7.5b")
def test_strategic_movement_neither_leaves_nor_enters_a_zone() -> None:
    s = empty()
    place(s, "GE-13Pz", "1134")
    assert cost(s, "GE-13Pz", "1637") == "2½"
    assert "2536" in goes(s, "GE-13Pz")
    place(s, "SU-4RD", "2334")  # its zone holds 2435 on the road to Tuapse
    assert goes(s, "GE-13Pz") & {"2435", "2436"} == set()
    place(s, "SU-74RD", "1133")  # A16 it starts in EZOC
    assert cost(s, "GE-13Pz", "1235") == "3"
    assert "1837" not in goes(s, "GE-13Pz")


@rule("caucasus", "7.5c", "7.5d")
def test_a_non_mechanised_unit_gets_one_more_road_hex() -> None:
    s = empty()
    place(s, "GE-73", "1134")
    # 3 + 2 for extended movement + 1: six road hexes
    assert len(hint(s, "GE-73", "1737")["path"]) == 6
    assert "1837" not in goes(s, "GE-73")
    place(s, "SU-98AT", "1836")  # no zone, no hindrance
    assert "1737" in goes(s, "GE-73")
    place(s, "SU-4RD", "1535")  # its zone cuts the road
    assert "1737" not in goes(s, "GE-73")


@rule("caucasus", "7.5c")
def test_x_7_5c_a_foot_unit_moves_two_road_hexes_in_the_second_phase() -> None:
    s = empty(phase=SECOND)
    place(s, "GE-73", "1235")
    assert "1436" in goes(s, "GE-73")  # over 1335
    assert not goes(s, "GE-73") & {"1434", "1337"}  # two hexes without a road
    assert "1536" not in goes(s, "GE-73")  # three
    place(s, "SU-4RD", "1336")  # 1335 and 1235 in its zone or not: 1335 and 1436 are
    assert "1436" not in goes(s, "GE-73")


@rule("caucasus", "7.5b", "7.5c", "7.5d")
def test_only_mechanised_units_pay_half_a_point_a_road_hex() -> None:
    """What is shown: one hex of a foot unit is no strategic movement; the additional hex costs nothing more."""
    s = empty(phase=SECOND)
    place(s, "GE-198", "1332")
    shown = hint(s, "GE-198", "1331")
    assert (shown["cost"], shown["note"]) == ("1", "")
    s = empty(phase=SECOND)
    place(s, "GE-198", "1332")
    start(s, (F_MOVES, 1))
    assert of_kind(do(s, "move GE-198", "to 1331"), "moved")[0].rule == "7.1b"
    s = empty()
    place(s, "GE-17A-HQ", "1332")  # MA 4, extended 6, and one road hex more
    shown = hint(s, "GE-17A-HQ", "1227")
    assert shown["costs"] == ["1", "2", "3", "4", "5", "6", "6"]
    assert (shown["cost"], shown["of"], shown["extended"]) == ("6", "4 MP", True)
    place(s, "GE-13Pz", "1134")
    assert hint(s, "GE-13Pz", "2536")["extended"]  # 16 hexes: 8 MP
    assert not hint(s, "GE-13Pz", "1637")["extended"]


@rule("caucasus", "7.5e", "7.5d")
def test_x_q2_over_the_krestovy_pass_from_tbilisi() -> None:
    s = empty("soviet")
    place(s, "SU-4RD", "3621")
    shown = hint(s, "SU-4RD", "3121")
    assert shown["path"] == ["3521", "3421", "3321", "3222", "3121"]
    place(s, "SU-136TB", "3222")
    assert cost(s, "SU-136TB", "3121") == "1½"  # ½ for the road, 1 for the pass


# 7.6 to 7.8 Terrain


@rule("caucasus", "7.6a", "7.8a")
def test_mechanised_units_enter_marsh_and_mountain_only_along_a_road() -> None:
    s = empty()
    place(s, "GE-13Pz", "1937")
    far = goes(s, "GE-13Pz")
    assert {"1938", "2039"} <= far  # marsh by road
    assert not far & {"1838", "1839", "1939"}
    assert refusal(moving(s, "GE-13Pz"), "to 1939") == "7.6a"
    place(s, "GE-13Pz", "3021")
    assert {"3121", "3122"} <= goes(s, "GE-13Pz")  # mountain by road
    assert not goes(s, "GE-13Pz") & {"3120", "3020", "3124"}


@rule("caucasus", "7.6b")
def test_x_7_7_j_mechanised_units_stop_in_forest_off_the_road() -> None:
    s = empty("soviet", phase=SOVIET_SECOND)
    place(s, "SU-136TB", "2134")
    assert hint(s, "SU-136TB", "2235").get("stop")
    assert "2335" not in goes(s, "SU-136TB")  # 3 + 2 MPs, but it has stopped
    place(s, "SU-136TB", "2136")
    assert {"2236", "2336"} <= goes(s, "SU-136TB")  # by road it goes on
    assert not hint(s, "SU-136TB", "2236").get("stop")
    place(s, "SU-12CD", "2134")  # cavalry does not stop there
    assert "2335" in goes(s, "SU-12CD")


@rule("caucasus", "7.7a")
def test_a_minor_river_costs_one_more() -> None:
    s = empty()
    place(s, ["GE-73", "GE-13Pz"], "1434")
    assert (cost(s, "GE-73", "1534"), cost(s, "GE-13Pz", "1534")) == ("2", "2")
    assert cost(s, "GE-73", "1533") == "1"


@rule("caucasus", "7.7b", "7.7c")
def test_a_major_river_is_crossed_as_the_first_step_only() -> None:
    s = empty()
    place(s, "SU-98AT", "1134")  # nobody passes by Rostov
    place(s, "GE-73", "1135")
    assert cost(s, "GE-73", "1235") == "2"  # 1 and 1 for the Don
    assert {"1236", "1335"} <= goes(s, "GE-73")  # and it goes on
    place(s, "GE-73", "1035")
    assert cost(s, "GE-73", "1135") == "1"
    assert not goes(s, "GE-73") & {"1235", "1236"}  # 3 MPs, but it has not begun beside the river
    assert refusal(moving(s, "GE-73"), "to 1236") == "7.7b"


@rule("caucasus", "7.7c", "6.3a")
def test_x_7_7_a_out_of_a_zone_over_the_don() -> None:
    s = empty()
    place(s, "GE-13Pz", "1133")
    place(s, "SU-4RD", "1132")
    assert cost(s, "GE-13Pz", "1233") == "4"


@rule("caucasus", "7.8a")
def test_x_7_7_b_marsh_off_the_road_costs_two_and_stops() -> None:
    s = empty()
    place(s, "GE-73", "1737")
    assert cost(s, "GE-73", "1738") == "2"
    assert hint(s, "GE-73", "1738").get("stop")
    assert "1739" not in goes(s, "GE-73")  # 2 more MPs would be there
    place(s, "GE-73", "1937")
    assert {"1938", "2039", "2040"} <= goes(s, "GE-73")  # along the road
    place(s, "GE-1Mtn", "1737")
    assert "1739" not in goes(s, "GE-1Mtn")  # mountain troops too


@rule("caucasus", "7.8b")
def test_x_7_7_c_mountain_off_the_road_costs_two_and_stops() -> None:
    s = empty()
    for name in ("GE-73", "GE-97Jg", "RO-5Cav"):
        place(s, name, "2430")
        assert cost(s, name, "2530") == "2"
        assert hint(s, name, "2530").get("stop")
        assert "2631" not in goes(s, name), name


@rule("caucasus", "7.8b", "15.5a", "7.21a")
def test_x_7_7_d_mountain_infantry_goes_on() -> None:
    s = empty()
    place(s, "GE-1Mtn", "2430")
    shown = hint(s, "GE-1Mtn", "2631")
    assert shown["cost"] == "4"
    assert shown["extended"]
    assert not shown.get("stop")


@rule("caucasus", "6.3a")
def test_x_7_7_g_every_zone_left_costs_two() -> None:
    s = empty()
    place(s, "GE-13Pz", "1534")
    place(s, "SU-4RD", "1635")
    place(s, "SU-74RD", "1434")
    assert hint(s, "GE-13Pz", "1536")["costs"] == ["3", "6"]


@rule("caucasus", "7.8c")
def test_x_q1_the_ossetian_military_highway() -> None:
    s = empty("soviet")
    place(s, "SU-4RD", "3122")
    assert not hint(s, "SU-4RD", "3123").get("stop")
    assert hint(s, "SU-4RD", "3124").get("stop")
    place(s, "SU-4RD", "3123")
    assert "3124" in goes(s, "SU-4RD")
    assert "3224" not in goes(s, "SU-4RD")  # 2 + 3 MPs would do, but it stops at 3124
    place(s, "SU-9MD", "3123")
    assert "3224" in goes(s, "SU-9MD")
    place(s, "SU-4RD", "3124")  # in its next movement phase it crosses the pass
    assert cost(s, "SU-4RD", "3224") == "3"


@rule("caucasus", "7.8d")
def test_nobody_enters_alpine_hexes_or_crosses_alpine_hexsides_but_by_a_pass() -> None:
    s = empty("soviet")
    alpine = [h for h in board.grid.hexes if board.pack.terrain["alpine"] >> h & 1]
    assert alpine
    place(s, "SU-9MD", "3122")
    far = goes(s, "SU-9MD")
    assert not far & {board.grid.names[h] for h in alpine}
    assert "3223" not in far
    assert hint(s, "SU-9MD", "3222")["path"] == ["3121", "3222"]  # over the Krestovy Pass, not straight
    place(s, "SU-9MD", "2830")
    assert "2930" in goes(s, "SU-9MD")  # the Marukh Pass
    assert len(hint(s, "SU-9MD", "2929")["path"]) > 1  # not straight
    assert refusal(moving(s, "SU-9MD"), f"to {board.grid.names[alpine[0]]}") == "7.8d"


@rule("caucasus", "7.9", "2.1f")
def test_four_units_move_by_rules_of_their_own() -> None:
    rows = board.pack.units
    assert rows["SU-Azov"]["ma"] == "S"
    assert rows["SU-Train"]["ma"] == "R"
    s = empty("soviet")
    place(s, "SU-Azov", "2041")
    place(s, "SU-Train", "1733")
    assert goes(s, "SU-Azov") == {"2043", "1638", "1338"}
    assert "2818" in goes(s, "SU-Train")
    s = empty()
    place(s, ["GE-4Bic", "GE-73"], "1134")
    place(s, "GE-454Sec", "1035")
    assert "1536" in goes(s, "GE-4Bic")
    assert goes(s, "GE-454Sec") == {"1134"}


# The example of play


@rule("caucasus", "18.2")
def test_x_t1_s2_soviet_units_in_a_zone_stand_fast_in_turn_1() -> None:
    s = empty("soviet", turn=1, phase=SOVIET_SECOND)
    place(s, ["SU-4RD", "SU-12CD"], "1333")
    place(s, "SU-74RD", "1433")
    place(s, "GE-73", "1234")
    phase(s)
    assert [t for t in texts(s) if t.startswith("move")] == ["move SU-74RD"]
    assert refusal(s, "move SU-4RD") == "18.2"
    assert refusal(s, "raid SU-12CD") == "18.2"
    assert "assault SU-4RD" in texts(s)  # it does not move


@rule("caucasus", "7.3a", "7.3b", "7.3d", "7.3e")
def test_x_t1_2m_all_but_the_infantry_that_moved_may_take_markers() -> None:
    s = empty(turn=1, phase=SECOND)
    place(s, ["GE-125", "GE-198"], "1234")
    place(s, ["GE-5SS", "GE-3Pz"], "1133")
    place(s, "SU-4RD", "1333")
    place(s, "SU-74RD", "1233")
    phase(s)
    do(s, "move GE-198", "to 1334")
    do(s, "move GE-5SS", "charge 1234")
    assert "assault GE-198" not in texts(s)
    do(s, "assault GE-125", "assault GE-3Pz")
    assert names(s.assault) == {"GE-5SS", "GE-125", "GE-3Pz"}
    assert s.met == 0  # no mobile assault was made


@rule("caucasus", "7.2a", "7.21a", "4.1e")
def test_x_t1_s1_in_the_soviet_first_impulse_everybody_moves_with_full_ma() -> None:
    s = empty("soviet", turn=1)
    place(s, "SU-4RD", "1333")
    place(s, "SU-30RD", "3621", shows="reduced")  # just arrived
    place(s, "GE-73", "1234")
    phase(s)
    assert {"move SU-4RD", "move SU-30RD"} <= set(texts(s))
    assert cost(s, "SU-4RD", "1433") == "3"  # 18.2 no longer holds
    assert "3121" in goes(s, "SU-30RD")
    assert s.pinned == 0


@rule("caucasus", "7.1a")
def test_a_second_phase_in_which_nobody_can_do_anything_is_passed_over() -> None:
    s = empty("soviet", phase=SOVIET_SECOND)
    place(s, "SU-NKVD-Grozny", "2818")
    s.stack.append(GAME.framed((F_MOVES, 0)))
    begin_moves(s)
    start(s, (F_MOVES, 1))
    assert s.stack == [(F_MOVES, 0)]
    assert s.actor == SOVIET
