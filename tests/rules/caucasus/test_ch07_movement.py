"""Chapter 7: movement."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sandtable.games.caucasus.movement.phase import begin_moves
from sandtable.games.caucasus.table.ids import F_COMBAT, F_MOVES, SOVIET

from .kit import (
    GAME,
    H,
    at,
    board,
    controlled_by,
    do,
    empty,
    kinds,
    names,
    of_kind,
    place,
    start,
    texts,
)
from .movekit import cost, goes, hint, moving, phase, refusal, verbs

rule = pytest.mark.rule
SECOND = "axis_second_movement"
SOVIET_SECOND = "soviet_second_movement"


# 7.1 The basics


@rule("caucasus", "7.1a")
def test_any_number_of_units_may_move_or_none() -> None:
    s = empty()
    place(s, ["GE-73", "GE-125"], "1434")
    place(s, "SU-4RD", "1733")
    phase(s)
    assert texts(s) == ["move GE-73", "move GE-125", "end-moves"]  # not the enemy's
    assert refusal(s, "move SU-4RD") == "7.1a"
    do(s, "move GE-73", "to 1435")
    assert texts(s) == ["move GE-125", "end-moves"]
    do(s, "end-moves")
    assert at(s, "GE-125") == "1434"


@rule("caucasus", "7.1b", "2.3")
def test_each_hex_costs_what_the_chart_says() -> None:
    s = empty()
    place(s, "GE-13Pz", "2226")
    place(s, "GE-73", "2226")
    place(s, "RO-5Cav", "2226")
    # clear 1 for all, rough 2 for mechanised and 1 for others
    assert (cost(s, "GE-13Pz", "2225"), cost(s, "GE-13Pz", "2227"), cost(s, "GE-13Pz", "2228")) == ("1", "2", "4")
    assert (cost(s, "GE-73", "2225"), cost(s, "GE-73", "2227"), cost(s, "GE-73", "2228")) == ("1", "1", "2")
    assert cost(s, "RO-5Cav", "2228") == "2"
    # forest 2 for all; the MA is what can be spent
    place(s, "GE-73", "2134")
    assert cost(s, "GE-73", "2235") == "3"  # and 1 for the river
    place(s, "GE-73", "1435")
    far = goes(s, "GE-73")
    s.stack = []
    assert "1438" in far
    assert all(int(cost(s, "GE-73", x)) <= 5 for x in ("1438", "1432", "1538"))
    assert "1442" not in far
    c = moving(s, "GE-73")
    assert refusal(c, "to 1426") == "7.1b"


@rule("caucasus", "7.1c")
def test_a_stack_moves_at_the_rate_of_its_slowest_unit() -> None:
    s = empty("soviet", phase=SOVIET_SECOND)
    place(s, ["SU-136TB", "SU-12CD"], "2226")
    place(s, "GE-73", "2325")  # something to raid
    phase(s)
    do(s, "raid SU-136TB", "pick SU-12CD")
    # rough costs the tanks 2 and the cavalry 1: the stack pays 2, and its 5 MPs are those of both
    found = GAME.hint(s, GAME.parse("to 2227"))
    assert found is not None
    assert found["cost"] == "4"  # 2 for leaving EZOC
    s = empty(phase=SECOND)
    place(s, ["GE-13Pz", "RO-5Cav"], "1435")  # MA 6 and 5
    place(s, "SU-4RD", "1632")
    phase(s)
    do(s, "raid GE-13Pz")
    assert "to 1440" not in texts(s)
    six = {a for a in texts(s) if a.startswith("to ")}
    do(s, "pick RO-5Cav")
    five = {a for a in texts(s) if a.startswith("to ")}
    assert five < six


@rule("caucasus", "7.1d")
def test_no_unit_enters_an_enemy_occupied_hex() -> None:
    s = empty()
    place(s, "GE-13Pz", "1434")
    place(s, "SU-98AT", "1433")  # no ZOC, but it is there
    assert "1433" not in goes(s, "GE-13Pz")
    assert refusal(moving(s, "GE-13Pz"), "to 1433") == "7.1d"
    assert "1433" not in hint(s, "GE-13Pz", "1432")["path"]


@rule("caucasus", "7.1e", "7.1f")
def test_a_move_is_finished_before_the_next_and_nothing_is_saved() -> None:
    s = empty()
    place(s, ["GE-13Pz", "GE-73"], "1434")
    phase(s)
    do(s, "move GE-13Pz")
    assert verbs(s) == {"to"}
    assert refusal(s, "move GE-73") == "7.1e"
    do(s, "to 1435")  # one MP of six
    assert "move GE-13Pz" not in texts(s)
    assert refusal(s, "move GE-13Pz") == "7.1e"
    assert refusal(s, "to 1436") == "7.1e"


@rule("caucasus", "7.1g")
def test_a_unit_with_ma_0_never_moves() -> None:
    for name in ("soviet_first_movement", SOVIET_SECOND):
        s = empty("soviet", phase=name)
        place(s, ["SU-NKVD-Grozny", "SU-4RD"], "2818")
        place(s, "SU-PG-Tuapse", "2536")
        phase(s)
        assert [t for t in texts(s) if t.startswith("move")] == ["move SU-4RD"]
        assert refusal(s, "move SU-NKVD-Grozny") == "7.1g"


@rule("caucasus", "7.1h")
def test_along_a_road_the_road_rate_counts() -> None:
    s = empty()
    place(s, ["GE-13Pz", "GE-73"], "2228")  # rough, with Voroshilovsk road beside it
    assert cost(s, "GE-13Pz", "2227") == "2"
    place(s, ["GE-13Pz", "GE-73"], "2029")
    assert cost(s, "GE-13Pz", "2128") == "½"  # strategic along the road
    place(s, "SU-4RD", "2130")  # zone over 2029 forbids that: the ordinary road rate
    place(s, "SU-74RD", "2030")
    assert cost(s, "GE-13Pz", "2128") == "3"  # 1 by road into rough, 2 out of the zone
    place(s, "GE-73", "2136")
    assert cost(s, "GE-73", "2236") == "1"  # forest by road
    assert cost(s, "GE-73", "2237") == "2"


@rule("caucasus", "7.1i")
def test_roads_and_railways_bridge_rivers() -> None:
    s = empty()
    place(s, "GE-73", "1435")
    assert cost(s, "GE-73", "1534") == "1"  # road bridge
    assert cost(s, "GE-73", "1535") == "2"  # the same river without one
    place(s, "GE-73", "2131")
    assert cost(s, "GE-73", "2130") == "1"  # railway bridge, no road
    assert cost(s, "GE-73", "2031") == "2"
    place(s, "GE-73", "1932")
    assert cost(s, "GE-73", "2033") == "1"  # the Kuban is major, but bridged


# 7.2 The First Movement Phase


@rule("caucasus", "7.2a")
def test_all_units_move_with_their_full_ma_in_the_first_phase() -> None:
    s = empty()
    place(s, "GE-73", "1434")
    place(s, "SU-4RD", "1530")
    # 1432 is three hexes away and in EZOC: it takes the whole MA of 3
    place(s, "GE-73", "1434")
    assert cost(s, "GE-73", "1431") == "3"
    assert "1431" in goes(s, "GE-73")


@rule("caucasus", "7.2b", "7.3c")
def test_extended_rail_and_sea_movement_are_for_the_first_phase_only() -> None:
    for name, special in (("soviet_first_movement", True), (SOVIET_SECOND, False)):
        s = empty("soviet", phase=name)
        place(s, "SU-4RD", "2240")
        place(s, "SU-74RD", "2130")
        assert bool(goes(s, "SU-4RD", "ship")) is special
        assert bool(goes(s, "SU-74RD", "rail")) is special
    first = empty("soviet")
    second = empty("soviet", phase=SOVIET_SECOND)
    for s in (first, second):
        place(s, "SU-12CD", "1144")  # open steppe, MA 5
    assert {"1139", "1138", "1137"} <= goes(first, "SU-12CD")
    assert goes(second, "SU-12CD") & {"1139", "1138", "1137"} == {"1139"}
    assert refusal(moving(second, "SU-12CD"), "to 1138") == "7.1b"


@rule("caucasus", "7.21a")
def test_extended_movement_adds_two_mps_unless_the_move_ends_in_a_zone() -> None:
    s = empty()
    place(s, "GE-73", "1435")
    assert "1440" not in goes(s, "GE-73")
    place(s, "GE-73", "1434")
    assert {"1431", "1430"} <= goes(s, "GE-73")  # 3 and 4 hexes
    assert hint(s, "GE-73", "1430")["extended"]
    assert not hint(s, "GE-73", "1432")["extended"]
    place(s, "SU-4RD", "1529")  # 1430 is in its zone
    assert "1431" in goes(s, "GE-73")
    assert "1430" not in goes(s, "GE-73")
    assert refusal(moving(s, "GE-73"), "to 1430") == "7.21a"


@rule("caucasus", "7.21b")
def test_a_unit_that_starts_in_a_zone_may_extend_its_movement() -> None:
    s = empty()
    place(s, "GE-73", "1434")
    place(s, "SU-4RD", "1433")
    assert cost(s, "GE-73", "1436") == "5"  # 2 out of the zone, 1435 (1), the river and 1436 (2)
    assert hint(s, "GE-73", "1436")["extended"]


@rule("caucasus", "7.21a")
def test_x_7_7_ef_ma_3_becomes_5() -> None:
    s = empty()
    place(s, "GE-73", "1144")
    assert goes(s, "GE-73") & {"1141", "1140", "1139", "1138"} == {"1141", "1140", "1139"}


# 7.22 Rail and sea movement


@rule("caucasus", "7.22a")
def test_who_went_by_rail_moves_normally_in_the_second_phase() -> None:
    s = empty()
    place(s, "GE-13Pz", "1037")
    phase(s)
    do(s, "move GE-13Pz", "rail 1333", "end-moves")
    assert at(s, "GE-13Pz") == "1333"
    s.second, s.stack = 1, []
    assert "1332" in goes(s, "GE-13Pz")
    assert goes(s, "GE-13Pz", "rail") == set()
    assert refusal(moving(s, "GE-13Pz"), "rail 1134") == "7.22a"


@rule("caucasus", "7.22b", "7.22e")
def test_sea_movement_takes_the_whole_ma_and_excludes_rail() -> None:
    s = empty("soviet")
    place(s, "SU-4RD", "2240")  # Novorossiysk: port and rail hex
    c = moving(s, "SU-4RD")
    assert {"rail", "ship", "to"} <= verbs(c)
    do(c, "ship 2536 0")
    assert at(c, "SU-4RD") == "2536"
    assert "move SU-4RD" not in texts(c)  # neither MPs nor a rail move are left
    c = moving(s, "SU-4RD")
    do(c, "rail 2136")
    assert "move SU-4RD" not in texts(c)


@rule("caucasus", "7.22c")
def test_only_the_soviets_move_by_sea() -> None:
    s = empty()
    controlled_by(s, "axis", "2240", "2536")
    place(s, "GE-73", "2240")
    assert goes(s, "GE-73", "ship") == set()
    assert refusal(moving(s, "GE-73"), "ship 2536 0") == "7.22c"


@rule("caucasus", "7.22d")
def test_sea_movement_is_from_friendly_port_to_friendly_port_on_one_sea() -> None:
    s = empty("soviet")
    place(s, "SU-4RD", "2240")
    assert goes(s, "SU-4RD", "ship") == {"2141", "2339", "2536", "2734", "3031", "3429", "3629"}
    controlled_by(s, "axis", "2734")  # empty, but the enemy's
    assert "2734" not in goes(s, "SU-4RD", "ship")
    c = moving(s, "SU-4RD")
    assert refusal(c, "ship 2734 0") == "7.22d"
    assert refusal(c, "ship 3013 0") == "7.22d"  # another sea
    assert refusal(c, "ship 2136 0") == "7.22d"  # no port
    place(s, "SU-74RD", "3013")
    assert goes(s, "SU-74RD", "ship") == {"3411", "1511"}
    controlled_by(s, "axis", "2240")
    assert goes(s, "SU-4RD", "ship") == set()  # the port of departure must be friendly too


@rule("caucasus", "7.22f")
def test_one_unit_a_sea_goes_by_ship_in_a_phase() -> None:
    s = empty("soviet")
    place(s, ["SU-4RD", "SU-74RD"], "2240")
    place(s, "SU-77RD", "3013")
    place(s, "SU-83NB", "1638")
    phase(s)
    do(s, "move SU-4RD", "ship 2536 0")
    assert goes(s, "SU-74RD", "ship") == set()
    assert refusal(moving(s, "SU-74RD"), "ship 2536 0") == "7.22f"
    assert "1511" in goes(s, "SU-77RD", "ship")  # A12 three seas, one unit each
    assert "1338" in goes(s, "SU-83NB", "ship")
    do(s, "move SU-77RD", "ship 1511 0", "move SU-83NB", "ship 1338 0")
    begin_moves(s)  # a new phase
    assert "2240" in goes(s, "SU-4RD", "ship")


@rule("caucasus", "7.22g")
def test_only_naval_brigades_use_the_sea_of_azov() -> None:
    s = empty("soviet")
    place(s, ["SU-4RD", "SU-83NB"], "1638")
    assert goes(s, "SU-4RD", "ship") == set()
    assert refusal(moving(s, "SU-4RD"), "ship 1338 0") == "7.22g"
    assert goes(s, "SU-83NB", "ship") == {"1338", "2041", "2043"}


@rule("caucasus", "7.22h")
def test_ports_in_a_zone_are_closed_without_air_cover() -> None:
    s = empty("soviet")
    s.air = 0
    place(s, "SU-4RD", "2240")
    place(s, "GE-73", "2435")
    assert "2536" in goes(s, "SU-4RD", "ship")
    place(s, "GE-73", "2436")  # Tuapse is in its zone
    assert "2536" not in goes(s, "SU-4RD", "ship")
    place(s, "SU-BlackSea-HQ", "2734")  # an HQ in range, but no aircraft
    assert refusal(moving(s, "SU-4RD"), "ship 2536 1") == "7.22h"
    place(s, "GE-125", "2241")  # and so is Novorossiysk
    assert goes(s, "SU-4RD", "ship") == set()


@rule("caucasus", "7.22i", "7.22k")
def test_rail_movement_goes_any_distance_along_the_railway() -> None:
    s = empty("soviet")
    place(s, "SU-4RD", "2136")
    far = goes(s, "SU-4RD", "rail")
    assert {"2240", "1332", "1838"} & far == {"2240", "1332"}
    assert "2818" in far  # Grozny: more than twenty hexes
    assert "2437" not in far  # no rail hex
    place(s, "SU-4RD", "2433")  # it must start on a rail hex
    assert goes(s, "SU-4RD", "rail") == set()
    assert refusal(moving(s, "SU-4RD"), "rail 2136") == "7.22k"
    place(s, "SU-4RD", "2136")
    c = moving(s, "SU-4RD")
    [event] = of_kind(do(c, "rail 2818"), "railed")
    path = [H("2136"), *event.data["path"]]
    tracks = board.rails
    for a, b in pairwise(path):
        d = board.grid.direction(a, b)
        assert d >= 0
        assert tracks[d] >> a & 1


@rule("caucasus", "7.22j")
def test_one_unit_a_side_goes_by_rail_in_a_phase() -> None:
    s = empty()
    place(s, ["GE-73", "GE-125"], "1134")
    phase(s)
    assert "1333" in goes(s, "GE-125", "rail")
    do(s, "move GE-73", "rail 1333")
    assert goes(s, "GE-125", "rail") == set()
    assert refusal(moving(s, "GE-125"), "rail 1333") == "7.22j"
    begin_moves(s)
    assert "1333" in goes(s, "GE-125", "rail")


@rule("caucasus", "7.22k")
def test_only_rails_friendly_at_the_start_of_the_phase_are_used() -> None:
    s = empty()
    place(s, "GE-73", "1134")
    place(s, "GE-13Pz", "1234")
    place(s, "SU-98AT", "1431")
    assert "1331" not in goes(s, "GE-73", "rail")  # Mechetinskaya is the enemy's
    phase(s)
    do(s, "move GE-13Pz", "to 1331")  # it takes the town on its way
    assert not board.places >> H("1331") & 1
    assert s.control >> H("1332") & 1
    assert goes(s, "GE-73", "rail") & {"1333", "1332", "1331"} == {"1333"}
    assert refusal(moving(s, "GE-73"), "rail 1331") == "7.22k"
    begin_moves(s)  # in the next phase they may
    assert {"1332", "1331"} <= goes(s, "GE-73", "rail")


@rule("caucasus", "7.22m")
def test_rail_movement_enters_no_enemy_controlled_place() -> None:
    s = empty()
    place(s, "GE-73", "1134")
    assert "1333" in goes(s, "GE-73", "rail")
    assert not goes(s, "GE-73", "rail") & {"1332", "1331", "1430"}
    assert refusal(moving(s, "GE-73"), "rail 1332") == "7.22m"
    controlled_by(s, "axis", "1332")
    assert {"1332", "1331"} <= goes(s, "GE-73", "rail")


@rule("caucasus", "7.22n")
def test_a_unit_with_ma_0_does_not_go_by_rail() -> None:
    s = empty("soviet")
    place(s, ["SU-NKVD-Grozny", "SU-4RD"], "2818")
    phase(s)
    assert "2817" in goes(s, "SU-4RD", "rail")
    assert goes(s, "SU-NKVD-Grozny", "rail") == set()


@rule("caucasus", "7.22o")
def test_rails_must_be_joined_to_a_friendly_major_city_or_entry_hex() -> None:
    s = empty("soviet")
    place(s, "SU-4RD", "2536")
    assert {"2734", "2136"} <= goes(s, "SU-4RD", "rail")
    controlled_by(s, "axis", "2234", "2333")  # Belorechenskaya and Maikop: Tuapse - Sochi leads nowhere now
    assert goes(s, "SU-4RD", "rail") == set()
    assert refusal(moving(s, "SU-4RD"), "rail 2734") == "7.22k"  # no friendly rail hex at the start of the phase
    s = empty("soviet")
    place(s, "SU-4RD", "2536")
    place(s, "GE-Brand", "2334")  # an enemy unit on the line, without a ZOC
    assert goes(s, "SU-4RD", "rail") == set()


@rule("caucasus", "7.22p")
def test_tbilisi_and_entry_f_are_joined_off_the_map_for_the_soviets() -> None:
    s = empty("soviet")
    place(s, "SU-4RD", "3721")
    far = goes(s, "SU-4RD", "rail")
    assert {"3621", "3510"} <= far
    assert "3411" not in far  # it must end at the far end of the link
    c = moving(s, "SU-4RD")
    [event] = of_kind(do(c, "rail 3510"), "railed")
    assert [board.grid.names[h] for h in event.data["path"]] == ["3621", "3510"]
    place(s, "SU-4RD", "3411")
    far = goes(s, "SU-4RD", "rail")
    assert "3621" in far
    assert "3721" not in far
    s = empty()  # the Axis with Grozny, Tbilisi, and all the line to entry F
    controlled_by(s, "axis", "3621", "2818", "2817", "2915", "3013", "3212", "3411", "3510")
    place(s, "GE-125", "2818")
    assert "3510" in goes(s, "GE-125", "rail")
    place(s, "GE-73", "3521")
    assert "3621" in goes(s, "GE-73", "rail")
    assert "3510" not in goes(s, "GE-73", "rail")


@rule("caucasus", "7.22q", "2.34", "2.33b")
def test_sochi_sukhumi_and_the_unfinished_railway_are_no_use_for_rail_movement() -> None:
    s = empty("soviet", turn=9)
    place(s, "SU-4RD", "2734")
    assert "2536" in goes(s, "SU-4RD", "rail")
    assert not goes(s, "SU-4RD", "rail") & {"2834", "2833", "2932", "2931", "3031"}
    assert refusal(moving(s, "SU-4RD"), "rail 2833") == "7.22q"
    place(s, "SU-4RD", "2817")
    assert not goes(s, "SU-4RD", "rail") & {"2716", "2715", "2615", "1511"}
    assert refusal(moving(s, "SU-4RD"), "rail 2615") == "7.22q"


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
