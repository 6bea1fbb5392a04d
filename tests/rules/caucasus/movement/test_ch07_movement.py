"""Chapter 7: movement."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sandtable.games.caucasus.movement.phase import begin_moves

from ..kit import (
    GAME,
    H,
    at,
    board,
    controlled_by,
    do,
    empty,
    of_kind,
    place,
    texts,
)
from ..movekit import cost, goes, hint, moving, phase, refusal, verbs
from .ch07movementkit import SECOND, SOVIET_SECOND

rule = pytest.mark.rule


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
