"""Edges of the rules, and what questions say: of questions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.caucasus.combat.defence import dd_table
from sandtable.games.caucasus.supply.supply_lines import fed_by, full
from sandtable.games.caucasus.table.ids import (
    AFTER_ADVANCE,
    AFTER_MOVES,
    AXIS,
    CUP,
    F_ATTRITION,
    F_COMBAT,
    F_DRAW,
    F_MOVES,
    F_OVERSTACK,
    SOVIET,
    UNUSED,
    VIII_AIR,
)
from sandtable.games.caucasus.table.state import State, clear_marks, enter, put, zone
from sandtable.games.caucasus.turn.initial import air_markers
from sandtable.games.caucasus.turn.supply_phase import attrition_terms
from sandtable.games.caucasus.turn.victory import vp

from ..combat.test_ch13_mobile_assault import front, storm, together
from ..fights import combat, field, fight
from ..kit import GAME, H, U, at, board, controlled_by, do, empty, hexes, new, place, roll, start, texts, units, why
from ..movekit import goes, hint, phase, refusal
from ..phases import STOP, arrive, boxed, due
from ..phases import phase as initial_phase

rule = pytest.mark.rule


# 3, 5, 14, 19 What is asked, told and counted


def test_before_the_game_all_units_lie_in_the_same_box() -> None:
    assert State(board, scenario="campaign").boxes == {UNUSED: (1 << len(board.units)) - 1}


@rule("caucasus", "5.2b", "5.2c")
@pytest.mark.parametrize(("moment", "when"), [(AFTER_MOVES, "end of the movement phase"), (AFTER_ADVANCE, "now")])
def test_who_has_too_many_units_in_a_hex_is_told_when_that_is_checked(moment: int, when: str) -> None:
    s = empty()
    place(s, ["GE-13Pz", "GE-23Pz", "GE-73", "GE-125", "GE-198"], "1333")
    if moment == AFTER_ADVANCE:
        s.fight.advanced_once = s.fight.advanced = units("GE-13Pz")
        s.fight.vacated = H("1333")
    start(s, (F_OVERSTACK, AXIS, AFTER_MOVES), (F_OVERSTACK, AXIS, moment))
    assert when in str(GAME.prompt(s).text)


@rule("caucasus", "4.1a", "4.1g")
@pytest.mark.parametrize("count", [3, 4])
def test_three_reinforcements_are_named_and_more_are_said_to_come(count: int) -> None:
    s = initial_phase("axis", 3)
    due(s, 3, *["GE-14Pz", "GE-16Mot", "GE-4Mtn", "GE-111"][:count])
    arrive(s)
    text = str(GAME.prompt(s).text)
    assert ("and more" in text) == (count > 3)
    assert all(board.unit_names[U(unit)] in text for unit in ("GE-14Pz", "GE-16Mot", "GE-4Mtn"))
    assert board.unit_names[U("GE-111")] not in text


@rule("caucasus", "4.1a")
def test_who_has_arrived_is_due_no_more() -> None:
    s = initial_phase("axis", 3)
    due(s, 3, "GE-111", "GE-370")
    arrive(s)
    do(s, "place GE-111 1029")
    assert (s.due[U("GE-111")], s.due[U("GE-370")]) == (0, 3)


@rule("caucasus", "4.4b", "4.4c")
def test_the_first_of_the_units_drawn_goes_to_tbilisi() -> None:
    s = initial_phase("soviet", 3)
    boxed(s, CUP, "SU-30RD", "SU-10RB", "SU-2TB")
    place(s, "SU-North-HQ", "3021")
    start(s, STOP, (F_DRAW, 0))
    do(s, "drew SU-30RD", "drew SU-10RB", "drew SU-2TB")
    assert {text.split()[2] for text in texts(s)} == {"3621"}


@rule("caucasus", "16.15", "4.3c")
@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_it_is_told_whether_an_air_marker_comes_or_goes(side: str) -> None:
    told = set()
    for turn in range(1, 15):
        for held in (0, -1):
            s = initial_phase(side, turn)
            s.air = held & (1 << len(board.air_turns)) - 1
            air_markers(s)
            for event in s.events:
                marker = event.data["support"]
                assert event.data["available"] == bool(s.air >> marker & 1) == (turn in board.air_turns[marker])
                told.add(event.data["available"])
    assert told == {0, 1}


@rule("caucasus", "14.6d")
def test_the_chance_of_attrition_is_told_in_sixths() -> None:
    s = empty(phase="axis_supply")
    place(s, "GE-73", "1333")
    start(s, (F_MOVES, 0), (F_ATTRITION, U("GE-73")))
    least = board.pack.tables["attrition_table"]["lose_step_at_most"]
    drm = sum(value for value, _, _ in attrition_terms(s, U("GE-73")))
    assert 0 < least - drm < 6
    assert f"{Fraction(least - drm, 6)} to lose a step" in str(GAME.prompt(s).text)


@rule("caucasus", "14.1d", "14.3e")
def test_an_empty_port_in_an_enemy_zone_feeds_nobody_outside() -> None:
    s = empty("soviet")
    place(s, "GE-73", "2241")  # 2240 is in its zone, 2239 is not
    port = H("2240")
    assert hexes(fed_by(s, SOVIET, 1 << port)[port]) == {"2240"}
    place(s, "SU-4RD", "2240")
    assert {"2240", "2239"} <= hexes(fed_by(s, SOVIET, 1 << port)[port])


@rule("caucasus", "14.1a", "14.3e")
def test_nobody_is_in_supply_in_a_hex_of_the_enemy() -> None:
    s = empty("soviet")
    place(s, "GE-7Flak", "2331")  # no zone of control: all around it is in supply
    assert {"2331", "2330", "2332"} & hexes(full(s, SOVIET)) == {"2330", "2332"}


@rule("caucasus", "19.2a", "19.3b")
def test_the_points_stand_beside_the_condition_that_asks_for_them() -> None:
    s = new("campaign")
    s.control |= 1 << next(iter(board.vp))
    stand = {tally.rule: str(tally.value) for tally in GAME.reckoning(s) if tally.ends is not None}
    assert stand["19.2a"] == str(vp(s)) != "0"
    assert stand["19.2b"] == stand["19.3d"] == ""


@rule("caucasus", "15.3d")
def test_the_flotilla_outlives_the_fall_of_a_port_as_long_as_there_is_another() -> None:
    s = empty("axis")
    place(s, "SU-Azov", "2041")
    place(s, "GE-73", "1337")
    enter(s, U("GE-73"), H("1338"))
    assert at(s, "SU-Azov") == "2041"
    controlled_by(s, "axis", "1638", "2043")
    s.control |= 1 << H("2041")  # the last one falls
    s.control &= ~(1 << H("1638"))
    enter(s, U("GE-73"), H("1638"))
    assert at(s, "SU-Azov") != "2041"


@rule("caucasus", "8.5e")
def test_the_claim_of_a_unit_that_leaves_the_map_goes_with_it() -> None:
    s = combat()
    place(s, ["GE-73", "GE-125"], "1234")
    s.claims = {H("1333"): units("GE-73"), H("1334"): units("GE-73", "GE-125")}
    clear_marks(s, U("GE-73"))
    assert s.claims == {H("1334"): units("GE-125")}


@rule("caucasus", "8.3d", "13.1l")
def test_a_fight_is_over_when_all_of_it_is_done() -> None:
    s = field("GE-73", "SU-353RD")
    fight(s, "1333", "GE-73")
    roll(s, 1)  # A1
    while s.fight.attackers and GAME.to_act(s) == AXIS and any(text.startswith("lose") for text in texts(s)):
        do(s, texts(s)[0])
    assert (s.fight.target, s.fight.attackers) == (-1, 0)
    s = together(front(("SU-68RB", "1142")))
    storm(s, "1142", 1)
    assert texts(s) == ["enter", "stay"]
    assert s.fight.target == H("1142"), "the hex is still asked about"
    do(s, "stay")
    assert s.fight.target == -1


@rule("caucasus", "8.4a", "15.2a")
def test_the_brandenburg_unit_is_asked_how_it_helps_where_the_attack_needs_it() -> None:
    s = field(["RO-5Cav", "GE-Brand"], "SU-10GRC")
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    do(s, "attack 1333", "join RO-5Cav")
    assert texts(s) == ["join GE-Brand", "shift GE-Brand"]


@rule("caucasus", "8.4a", "13.1g", "15.2a")
def test_an_air_marker_may_make_up_for_the_brandenburg_unit_that_only_shifts() -> None:
    s = empty(phase="axis_second_movement")
    s.air = 1 << VIII_AIR
    place(s, "RO-5Cav", "1143", shows="reduced")
    place(s, "GE-Brand", "1143")
    place(s, "GE-1PzA-HQ", "1144")
    place(s, "SU-10GRC", "1142")
    do(phase(s), "raid RO-5Cav", "pick GE-Brand", "storm 1142")
    assert texts(s) == ["shift GE-Brand", "support AX-VIII"]


@rule("caucasus", "12.1a")
def test_who_has_ended_an_advance_is_told_how_far_that_was() -> None:
    s = field(["GE-13Pz", "GE-23Pz", "GE-73"], "SU-353RD", shows="reduced")
    fight(s, "1333")
    do(s, "advance GE-13Pz 1333", "advance GE-13Pz 1332", "advance GE-73 1333")
    for unit, said in (("GE-13Pz", "two hexes"), ("GE-73", "no more than 1 hex")):
        found = why(s, f"advance {unit} 1331")
        assert found is not None
        assert found.rule == "12.1a"
        assert said in str(found.why)


@rule("caucasus", "10.4i", "10.4j", "10.4k")
def test_what_a_determined_defence_comes_to_is_said_in_words() -> None:
    words = {code: str(stand.text) for code, stand in dd_table(empty()).codes.items()}
    losses = {"": "", "-1": "; lead unit loses a step", "1/1": "; lead unit and attacker lose a step each"}
    for code, loss in losses.items():
        assert words[code] == "fails, retreat 2" + loss
        assert words[f"*{code}"] == "holds" + loss


# 7, 13, 15 Ways


@rule("caucasus", "7.5c")
def test_the_additional_road_hex_costs_nothing_on_the_way_that_is_shown() -> None:
    s = empty(phase="axis_second_movement")
    place(s, "GE-73", "1134")
    shown = hint(phase(s), "GE-73", "1333")
    assert (shown["path"], shown["costs"], shown["cost"]) == (["1234", "1333"], ["1", "1"], "1")


@rule("caucasus", "13.1l", "11.5b")
@pytest.mark.parametrize(("enemy", "enters"), [("1243", False), ("1241", True)])
def test_a_stack_with_a_disrupted_unit_enters_a_cleared_hex_only_out_of_enemy_zones(enemy: str, enters: bool) -> None:
    s = together(front(("SU-68RB", "1142"), ("SU-4RD", enemy)))  # 1142 is in the zone of 1243, 1141 in that of 1241
    s.disrupted |= units("GE-23Pz")
    s.choices = None
    storm(s, "1142", 1)
    assert ("enter" in texts(s)) == enters


@rule("caucasus", "7.5b", "7.21a")
def test_an_enemy_far_down_the_road_matters_while_he_is_there() -> None:
    """By strategic movement a panzer division comes farther than its MPs are hexes."""
    far = []
    for enemy in ("2914", ""):
        s = empty()
        place(s, "GE-13Pz", "2425")
        if enemy:
            place(s, "SU-4RD", enemy)
        far.append("3014" in goes(s, "GE-13Pz"))
    assert far == [False, True]


@rule("caucasus", "6.1a", "6.2")
def test_a_zone_of_control_goes_with_the_last_unit_that_has_one() -> None:
    s = empty()
    place(s, ["GE-73", "GE-125", "GE-7Flak"], "1333")
    for unit, stays in (("GE-73", True), ("GE-125", False)):
        put(s, U(unit), H("1046"))
        assert bool(zone(s, AXIS) >> H("1332") & 1) == stays


@rule("caucasus", "7.1c", "7.6a", "13.1c")
def test_a_stack_of_tanks_and_cavalry_enters_no_marsh() -> None:
    s = empty(phase="axis_second_movement")
    s.air = 0
    place(s, ["RO-5Cav", "GE-13Pz"], "1737")
    place(s, "SU-68RB", "1637")
    do(phase(s), "raid RO-5Cav")
    assert "to 1738" in texts(s)
    do(s, "pick GE-13Pz")
    assert "to 1738" not in texts(s)


@rule("caucasus", "7.1d", "11.5b", "16.23a")
@pytest.mark.parametrize("disrupted", [False, True])
def test_who_is_shut_in_may_still_land_and_is_told_by_which_rule_it_stays(disrupted: bool) -> None:
    for fleet in (1, 0):
        s = empty("soviet", turn=6)
        s.fleet_ready, s.fleet_away = fleet, 2 - fleet
        place(s, "SU-83NB", "3429", disrupted=disrupted)
        around = ("3428", "3328", "3329", "3430", "3529", "3528")
        for unit, hex_ in zip(("GE-13Pz", "GE-23Pz", "GE-73", "GE-125", "GE-198", "GE-9"), around, strict=True):
            place(s, unit, hex_)
        phase(s)
        assert ("move SU-83NB" in texts(s)) == bool(fleet)
        assert refusal(s, "move SU-83NB") == ("" if fleet else "11.5b" if disrupted else "7.1d")


@rule("caucasus", "15.3a")
def test_the_flotilla_stays_where_no_other_port_is_left() -> None:
    s = empty("soviet")
    place(s, "SU-Azov", "2041")
    place(s, "SU-Train", "1733")
    controlled_by(s, "axis", "1338", "1638", "2043")
    phase(s)
    assert "move SU-Azov" not in texts(s)
    assert refusal(s, "move SU-Azov") == "15.3a"


@rule("caucasus", "6.3a")
def test_a_zone_that_is_left_just_before_the_end_of_a_move_is_shown_too() -> None:
    s = empty()
    place(s, "GE-13Pz", "1335")
    place(s, "SU-4RD", "1332")
    phase(s)
    shown = hint(s, "GE-13Pz", "1132")
    assert shown["path"] == ["1235", "1234", "1233", "1132"]  # 1233 is in the zone, 1132 is not
    assert [(line["rule"], line.get("value")) for line in shown["lines"]] == [("6.3a", "+2")]


@rule("caucasus", "15.6a", "7.22p")
def test_the_train_goes_off_the_map_from_tbilisi_to_the_caspian_and_back() -> None:
    one, other = "3621", "3510"
    for start_, end in ((one, other), (other, one)):
        s = empty("soviet")
        place(s, "SU-Train", start_)
        assert hint(s, "SU-Train", end)["path"] == [end]
        place(s, "GE-73", end)
        assert end not in goes(s, "SU-Train")
    s = empty("soviet")
    place(s, "SU-Train", "2136")
    far = hint(s, "SU-Train", one)["path"]
    assert far[-2:] == [other, one]


@rule("caucasus", "15.6a", "7.9")
def test_the_train_goes_round_an_enemy_on_its_railway() -> None:
    s = empty("soviet")
    place(s, "SU-Train", "1733")
    assert hint(s, "SU-Train", "1234")["path"] == ["1634", "1534", "1435", "1334", "1234"]
    place(s, "GE-7Flak", "1435")  # it has no zone of control
    way = hint(s, "SU-Train", "1234")["path"]
    assert way[:2] == ["1732", "1632"]
    assert "1435" not in way
    do(phase(s), "move SU-Train", "to 1234")
    assert at(s, "SU-Train") == "1234"
    assert not s.assault, "no attack is meant by that"
