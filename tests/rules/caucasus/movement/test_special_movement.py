"""Movement of special units, air cover, landings: 15.3a to 15.9, 16.14, 16.23, 18.2, and what limits a move."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.table.ids import AIR_4, AIR_5, CADRE
from sandtable.games.caucasus.table.state import State, controls, enter, put

from ..kit import GAME, H, U, at, controlled_by, do, empty, hexes, kinds, of_kind, place, texts, units
from ..movekit import cost, goes, hint, moving, phase, refusal, verbs

rule = pytest.mark.rule
SECOND = "axis_second_movement"
SOVIET_SECOND = "soviet_second_movement"


# 15.3 The Azov Flotilla


@rule("caucasus", "15.3a")
def test_the_flotilla_moves_from_port_to_port_in_both_phases() -> None:
    for name in ("soviet_first_movement", SOVIET_SECOND):
        s = empty("soviet", phase=name)
        place(s, "SU-Azov", "2041", oos=True)
        assert goes(s, "SU-Azov") == {"1338", "1638", "2043"}  # Taman included
        place(s, "GE-73", "2140")
        place(s, "GE-125", "1637")  # from EZOC to EZOC
        assert "1638" in goes(s, "SU-Azov")
        phase(s)
        do(s, "move SU-Azov", "to 1638")
        assert at(s, "SU-Azov") == "1638"
        assert not s.sea_used  # its own movement takes no capacity


@rule("caucasus", "15.3a", "15.3f")
def test_the_flotilla_goes_to_soviet_controlled_ports_only_and_retakes_none() -> None:
    s = empty("soviet")
    place(s, "SU-Azov", "2041")
    controlled_by(s, "axis", "1338")
    assert goes(s, "SU-Azov") == {"1638", "2043"}
    assert refusal(moving(s, "SU-Azov"), "to 1338") == "15.3f"
    assert refusal(moving(s, "SU-Azov"), "to 2240") == "15.3a"
    enter(s, U("SU-Azov"), H("1338"))  # even if it came there
    assert controls(s, 0, H("1338"))


# 15.6 The armoured train


@rule("caucasus", "15.6a")
def test_the_train_goes_any_distance_in_both_phases_and_stops_in_the_first_zone() -> None:
    for name in ("soviet_first_movement", SOVIET_SECOND):
        s = empty("soviet", phase=name)
        place(s, "SU-Train", "1733")
        far = goes(s, "SU-Train")
        assert {"2818", "2240", "1332"} <= far
        place(s, "GE-73", "2330")  # beside the line to Mineralnye Vody: 2230 is in its zone
        far = goes(s, "SU-Train")
        assert {"2230", "2130"} <= far
        assert not far & {"2229", "2328", "2818"}
        # it leaves a zone for nothing
        put(s, U("SU-Train"), H("2230"))
        assert {"2130", "1733", "1332", "2229", "2818"} <= goes(s, "SU-Train")
        place(s, "GE-125", "2229")  # nor does it pass an enemy on the line
        assert not goes(s, "SU-Train") & {"2229", "2328", "2818"}


@rule("caucasus", "15.6a", "15.6b")
def test_the_train_takes_what_it_passes_and_never_leaves_the_rails() -> None:
    s = empty("soviet")
    place(s, "SU-Train", "1733")
    controlled_by(s, "axis", "1634", "1435")
    assert not goes(s, "SU-Train") & {"1734", "1735", "1832"}
    assert refusal(moving(s, "SU-Train"), "to 1735") == "15.6b"
    phase(s)
    do(s, "move SU-Train", "to 1334")
    assert not s.control & (1 << H("1634") | 1 << H("1435"))


@rule("caucasus", "15.6e", "2.34")
def test_the_train_keeps_off_the_unfinished_and_the_sochi_railway() -> None:
    s = empty("soviet", turn=9)
    place(s, "SU-Train", "2734")
    far = goes(s, "SU-Train")
    assert "2536" in far
    assert not far & {"2834", "2833", "2931", "3031"}
    assert refusal(moving(s, "SU-Train"), "to 2833") == "15.6e"
    place(s, "SU-Train", "2817")
    assert not goes(s, "SU-Train") & {"2716", "2715", "2615", "1511"}


# 15.4, 15.5, 15.8, 15.9


@rule("caucasus", "15.4a")
def test_cavalry_alone_of_the_non_mechanised_has_its_full_ma_in_the_second_phase() -> None:
    s = empty("soviet", phase=SOVIET_SECOND)
    place(s, ["SU-12CD", "SU-4RD", "SU-9MD"], "1144")
    assert "1139" in goes(s, "SU-12CD")
    for name in ("SU-4RD", "SU-9MD"):
        assert goes(s, name) == {"1143", "1145", "1044", "1045", "1244", "1245"}, name


@rule("caucasus", "15.5a")
def test_mountain_units_do_not_stop_in_mountains() -> None:
    s = empty("soviet")
    place(s, ["SU-9MD", "SU-4RD"], "2430")
    assert "2631" in goes(s, "SU-9MD")
    assert "2631" not in goes(s, "SU-4RD")


@rule("caucasus", "15.8")
def test_the_bicycles_take_roads_at_half_an_mp() -> None:
    s = empty()
    place(s, ["GE-4Bic", "GE-73"], "1134")
    assert cost(s, "GE-4Bic", "1235") == "½"
    assert cost(s, "GE-73", "1235") == "1"
    assert cost(s, "GE-4Bic", "1837") == "3½"  # seven road hexes
    # it is no strategic movement: off the road and out of a zone it holds too
    place(s, "SU-4RD", "1133")
    assert cost(s, "GE-4Bic", "1335") == "3"  # ½ + ½ + 2
    assert cost(s, "GE-4Bic", "1336") == "4"


@rule("caucasus", "15.9a")
def test_the_454th_must_go_to_rostov_on_turn_2() -> None:
    s = empty(turn=2)
    place(s, "GE-454Sec", "1035")
    place(s, "GE-73", "1236")
    phase(s)
    assert "end-moves" not in texts(s)
    assert refusal(s, "end-moves") == "15.9a"
    do(s, "move GE-73", "to 1335", "move GE-454Sec")  # one way only: it is taken
    assert at(s, "GE-454Sec") == "1134"
    assert "end-moves" in texts(s)
    for entry in ("1033", "1034", "1036", "1037", "1038"):  # from any A hex
        s = empty(turn=2)
        place(s, "GE-454Sec", entry)
        assert goes(s, "GE-454Sec") == {"1134"}, entry
    s = empty(turn=3)
    place(s, "GE-454Sec", "1035")
    assert "end-moves" in texts(phase(s))


@rule("caucasus", "15.9a", "8.5c")
def test_the_454th_need_not_go_once_an_automatic_elimination_holds_it() -> None:
    s = empty(turn=2)
    place(s, "GE-454Sec", "1035")
    phase(s)
    s.marked |= 1 << U("GE-454Sec")
    s.choices = None
    assert texts(s) == ["end-moves"]  # it may not move: the phase must not wait for it


@rule("caucasus", "15.9b")
def test_the_454th_stays_in_rostov_and_only_returns_there() -> None:
    for name in ("axis_first_movement", SECOND):
        s = empty(turn=4, phase=name)
        place(s, ["GE-454Sec", "GE-73"], "1134")
        phase(s)
        assert "move GE-454Sec" not in texts(s)
        assert refusal(s, "move GE-454Sec") == "15.9b"
    s = empty(turn=4)
    place(s, "GE-454Sec", "1033")  # A42 driven out, it may only return
    assert goes(s, "GE-454Sec") == {"1134"}
    s = empty(turn=4, phase=SECOND)
    place(s, "GE-454Sec", "1032")  # too far: it comes nearer
    assert goes(s, "GE-454Sec") == {"1033", "1132"}


@rule("caucasus", "15.9c")
def test_the_454th_never_receives_replacements() -> None:
    s = empty(turn=4)
    place(s, ["GE-73", "GE-454Sec"], "1134", shows="full")
    place(s, "GE-125", "1235", shows="reduced")
    s.replacements = [3, 3, 3, 3, 0, 0]
    put(s, U("GE-454Sec"), CADRE)
    phase(s)
    assert {t for t in texts(s) if t.startswith("rebuild")} == {"rebuild GE-125 german_regular_infantry"}
    assert refusal(s, "rebuild GE-454Sec german_regular_infantry") == "15.9c"


# 16.14 Air cover


def convoy(turn: int = 6) -> State:
    s = empty("soviet", turn=turn)
    s.air = 1 << AIR_4 | 1 << AIR_5
    place(s, "SU-4RD", "2240")
    place(s, "SU-BlackSea-HQ", "2536")
    return s


@rule("caucasus", "16.14a", "7.22h")
def test_an_air_marker_covers_a_port_in_a_zone() -> None:
    s = convoy()
    place(s, "GE-73", "2436")  # Tuapse is in EZOC
    phase(s)
    c = moving(s, "SU-4RD")
    assert "ship 2536 1" in texts(c)
    assert "ship 2536 0" not in texts(c)
    assert "ship 2339 0" in texts(c)
    assert refusal(c, "ship 2536 0") == "7.22h"
    events = do(c, "ship 2536 1")
    assert at(c, "SU-4RD") == "2536"
    assert c.air_used == 1 << AIR_4
    assert [e.data["support"] for e in of_kind(events, "air_cover")] == [AIR_4]
    # out of a port in EZOC it is the same
    s = convoy()
    place(s, "GE-73", "2241")
    assert {t for t in texts(moving(s, "SU-4RD")) if t.startswith("ship")} >= {"ship 2536 1", "ship 2339 1"}
    # not in the second impulse, and not without an HQ within 8 hexes
    put(s, U("SU-BlackSea-HQ"), H("3429"))
    assert "ship" not in verbs(moving(s, "SU-4RD"))


@rule("caucasus", "16.14b")
def test_two_ports_in_zones_take_two_markers() -> None:
    s = convoy()
    place(s, "GE-73", "2241")
    place(s, "GE-125", "2436")
    c = moving(s, "SU-4RD")
    assert "ship 2536 2" in texts(c)
    assert "ship 2536 1" not in texts(c)
    assert refusal(c, "ship 2536 1") == "16.14b"
    do(c, "ship 2536 2")
    assert c.air_used == 1 << AIR_4 | 1 << AIR_5
    s.air_used = 1 << AIR_5
    c = moving(s, "SU-4RD")
    assert not [t for t in texts(c) if t.startswith("ship 2536")]
    assert "ship 2339 1" in texts(c)  # one is left for one port


# 16.23 Landings


def marines() -> State:
    s = empty("soviet", turn=6)
    s.fleet_ready, s.fleet_away = 1, 1
    place(s, ["SU-83NB", "SU-137NB", "SU-4RD"], "3429")
    return s


@rule("caucasus", "16.23a")
def test_a_naval_brigade_lands_on_any_unoccupied_black_sea_hex() -> None:
    s = marines()
    place(s, "GE-73", "2241")
    place(s, "SU-74RD", "2536")
    far = goes(s, "SU-83NB", "land")
    assert {"2438", "2734", "2240", "2141"} <= far  # a port or not, in EZOC or not
    assert not far & {"2241", "2536", "2043", "2136"}  # occupied, Taman, inland
    assert goes(s, "SU-4RD", "land") == set()
    c = moving(s, "SU-83NB")
    assert refusal(c, "land 2536") == "16.23a"
    assert refusal(c, "land 2043") == "16.23a"
    assert refusal(moving(s, "SU-4RD"), "land 2438") == "16.23a"
    controlled_by(s, "axis", "2240")
    c = moving(s, "SU-83NB")
    events = do(c, "land 2240")
    assert "landed" in kinds(events)
    assert at(c, "SU-83NB") == "2240"
    assert not c.control >> H("2240") & 1  # A61 it takes the place
    s.second = 1  # A18
    s.stack = []
    assert goes(s, "SU-83NB", "land") == set()


@rule("caucasus", "16.23b")
def test_a_landing_begins_in_poti_and_is_the_whole_move() -> None:
    s = marines()
    put(s, U("SU-137NB"), H("3629"))
    assert goes(s, "SU-137NB", "land") == set()
    assert refusal(moving(s, "SU-137NB"), "land 2438") == "16.23b"
    phase(s)
    do(s, "move SU-83NB", "land 2438")
    assert "move SU-83NB" not in texts(s)


@rule("caucasus", "16.23c")
def test_a_landing_takes_a_fleet_marker_but_no_sea_movement() -> None:
    s = marines()
    phase(s)
    do(s, "move SU-83NB", "land 2438")
    assert (s.fleet_ready, s.fleet_away) == (0, 2)
    assert s.sea_used == 0
    assert goes(s, "SU-137NB", "land") == set()
    assert refusal(moving(s, "SU-137NB"), "land 2734") == "16.23a"
    assert "2734" in goes(s, "SU-4RD", "ship")


# 18.2


@rule("caucasus", "18.2")
def test_not_one_step_back_is_for_the_soviet_second_impulse_of_turn_1() -> None:
    for active, turn, name, held in (
        ("soviet", 1, SOVIET_SECOND, True),
        ("soviet", 2, SOVIET_SECOND, False),
        ("soviet", 1, "soviet_first_movement", False),
    ):
        s = empty(active, turn=turn, phase=name)
        place(s, "SU-4RD", "1333")
        place(s, "SU-74RD", "1432")
        place(s, "GE-73", "1234")
        phase(s)
        assert ("move SU-4RD" not in texts(s)) is held, (turn, name)
        assert "move SU-74RD" in texts(s)
    s = empty(turn=1, phase=SECOND)  # the Axis is free
    place(s, "SU-4RD", "1333")
    place(s, "GE-73", "1234")
    assert "move GE-73" in texts(phase(s))


# Disruption, supply and replacements as they limit a move


@rule("caucasus", "11.5b")
def test_a_disrupted_unit_does_not_end_its_move_in_a_zone() -> None:
    for name in ("axis_first_movement", SECOND):
        s = empty(phase=name)
        place(s, "GE-13Pz", "1434", disrupted=True)
        place(s, "SU-4RD", "1432")
        assert {"1435", "1333", "1433", "1331"} & goes(s, "GE-13Pz") == {"1435", "1333"}
        assert refusal(moving(s, "GE-13Pz"), "to 1433") == "11.5b"
        s.disrupted = 0
        assert "1433" in goes(s, "GE-13Pz")


@rule("caucasus", "11.5b")
def test_a_stack_with_a_disrupted_unit_keeps_out_of_zones() -> None:
    s = empty(phase=SECOND)
    s.air = 0
    place(s, ["GE-13Pz", "GE-23Pz"], "1143")
    place(s, "SU-4RD", "1140")
    phase(s)
    do(s, "raid GE-13Pz", "pick GE-23Pz")
    assert "to 1141" in texts(s)
    s.disrupted |= units("GE-23Pz")
    s.choices = None
    assert "to 1141" not in texts(s)  # beside the enemy
    assert "to 1142" in texts(s)
    assert refusal(s, "to 1141") == "11.5b"


@rule("caucasus", "14.4c")
def test_out_of_supply_by_rail_and_on_the_train_it_is_two_hexes_too() -> None:
    s = empty("soviet")
    place(s, "SU-4RD", "1733", oos=True)
    place(s, "SU-Train", "1733", oos=True)
    two = {"1634", "1534", "1732", "1632", "1833", "1932", "1834", "1835"}
    assert goes(s, "SU-4RD", "rail") == two
    assert goes(s, "SU-Train") == two
    assert refusal(moving(s, "SU-4RD"), "rail 2136") == "14.4c"
    place(s, "SU-83NB", "3429", oos=True)
    s.fleet_ready = 1
    assert goes(s, "SU-83NB", "ship") == goes(s, "SU-83NB", "land") == set()
    # an assault marker is within its reach
    s = empty(phase=SECOND)
    place(s, "GE-13Pz", "1143", oos=True)
    place(s, "SU-4RD", "1140")
    assert goes(s, "GE-13Pz", "charge") == {"1141"}


@rule("caucasus", "14.4c")
def test_a_unit_out_of_supply_moves_two_hexes_whatever_they_cost() -> None:
    s = empty()
    place(s, ["GE-13Pz", "GE-73"], "2428", oos=True)
    far = goes(s, "GE-13Pz")
    within_two = {
        GAME.board.grid.names[h] for h in GAME.board.grid.hexes if GAME.board.grid.distance(h, H("2428")) <= 2
    }
    assert far <= within_two
    assert {"2426", "2326", "2430"} <= far  # roughs and rivers
    assert "2425" not in far  # a road hex farther on
    assert refusal(moving(s, "GE-13Pz"), "to 2425") == "14.4c"
    second = empty(phase=SECOND)
    place(second, ["GE-13Pz", "GE-73"], "2428", oos=True)
    assert "2426" in goes(second, "GE-13Pz")
    assert "2426" not in goes(second, "GE-73")  # A17 a foot unit: one hex
    assert "2427" in goes(second, "GE-73")
    # MP costs are ignored, the terrain's stop is not
    place(s, "GE-73", "2430", oos=True)
    assert "2631" not in goes(s, "GE-73")


@rule("caucasus", "17.2i")
def test_a_unit_with_a_replacement_moves_one_hex() -> None:
    s = empty()
    place(s, "GE-13Pz", "1134")
    phase(s)
    s.rebuilt |= units("GE-13Pz")
    s.choices = None
    assert hexes(sum(1 << H(x) for x in goes(s, "GE-13Pz"))) == {"1133", "1135", "1034", "1035", "1234", "1235"}
    assert goes(s, "GE-13Pz", "rail") == set()
    assert refusal(moving(s, "GE-13Pz"), "to 1436") == "17.2i"
    assert refusal(moving(s, "GE-13Pz"), "rail 1333") == "17.2i"


@rule("caucasus", "4.1d")
def test_nobody_enters_the_entry_hexes_of_the_enemy_on_the_north_edge() -> None:
    s = empty("soviet")
    place(s, "SU-12CD", "1128")
    assert not goes(s, "SU-12CD") & {"1028", "1029", "1027"}
    assert refusal(moving(s, "SU-12CD"), "to 1028") == "4.1d"
    s = empty()
    place(s, "RO-5Cav", "1113")
    assert not goes(s, "RO-5Cav") & {"1013", "1014"}
    assert "1012" in goes(s, "RO-5Cav")
    place(s, "RO-5Cav", "1128")
    assert {"1028", "1029"} <= goes(s, "RO-5Cav")
    assert hint(s, "RO-5Cav", "1028")["cost"] == "2"  # clear, over the Sal
