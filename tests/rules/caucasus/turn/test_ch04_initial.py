"""Chapter 4: replacements, events and weather (4.5 to 4.8), and the order of the steps."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from sandtable.games.caucasus.table.ids import (
    AXIS,
    CADRE,
    F_ARRIVE,
    F_COMBAT,
    F_CORPS,
    F_DRAW,
    F_EVENT,
    F_INITIAL,
    F_TABLE,
    F_TYPE,
    LEND_LEASE,
    NAVAL_BOX,
    PHASES,
    R_ALLIES,
    R_ELITE,
    R_INFANTRY,
    R_MECHANISED,
    R_SOVIET_CAVALRY,
    R_SOVIET_INFANTRY,
    T_EVENT,
    T_REPLACEMENT,
    T_WEATHER,
    TURKISH_FRONT,
)
from sandtable.games.caucasus.table.scenarios import script
from sandtable.games.caucasus.table.state import State, put
from sandtable.games.caucasus.turn.initial import STEPS, roll_weather

from ..kit import GAME, U, at, board, controlled_by, do, empty, kinds, place, roll, start, texts
from ..phases import STOP, boxed, due, initial, over, phase, places, why

TYPES = "type german_regular_infantry", "type german_elite_infantry", "type axis_allies", "type german_mechanised"


# 4.5, 4.6 Axis replacements


def table(turn: int, die: int) -> State:
    """A roll on the Axis replacement table; the Panzer Army HQ is on the map."""
    s = phase("axis", turn)
    place(s, "GE-1PzA-HQ", "1134")
    start(s, STOP, (F_TABLE, T_REPLACEMENT, 0))
    roll(s, die)
    return s


def held(s: State) -> dict[int, int]:
    return {kind: n for kind, n in enumerate(s.replacements) if n}


@pytest.mark.rule("caucasus", "4.5a")
def test_the_axis_rolls_for_one_replacement_from_turn_2_to_turn_6() -> None:
    for turn in range(2, 7):
        s = phase("axis", turn)
        initial(s)
        if turn == 5:
            roll(s, 6)  # the Alpini
        assert s.stack[-1] == (F_TABLE, T_REPLACEMENT, 0)
        roll(s, 2)
        assert held(s) == {R_INFANTRY: 1}
        assert s.stack[-1] != (F_TYPE, 0b1111, 0)
    s = phase("axis", 1)
    initial(s)
    assert over(s)
    assert not any(s.replacements)


@pytest.mark.rule("caucasus", "4.5b", "4.5c", "4.5d", "4.5f")
def test_single_results_are_recorded_at_once() -> None:
    for die, kind in ((1, R_ALLIES), (2, R_INFANTRY), (3, R_ELITE), (5, R_MECHANISED)):
        s = table(3, die)
        assert over(s)
        assert held(s) == {kind: 1}


@pytest.mark.rule("caucasus", "4.5b", "4.5c", "4.5d", "4.5f")
def test_which_units_a_type_is_good_for() -> None:
    good: dict[int, set[str]] = {}
    for u, kind in enumerate(board.rebuilt_by):
        if board.side[u] == AXIS and kind >= 0:
            good.setdefault(kind, set()).add(board.units[u])
    rows = board.pack.units
    infantry = {n for n, r in rows.items() if r["nation"] == "German" and r["type"] == "infantry"}
    assert good[R_INFANTRY] == infantry | {"GE-4Bic"}
    assert good[R_ELITE] == {"GE-1Mtn", "GE-4Mtn", "GE-97Jg", "GE-101Jg"}
    assert good[R_ALLIES] == {n for n, r in rows.items() if r["side"] == "axis" and r["nation"] != "German"}
    mobile = {"GE-3Pz", "GE-13Pz", "GE-14Pz", "GE-23Pz", "GE-16Mot", "GE-5SS"}
    assert good[R_MECHANISED] == mobile | {"GE-Felmy", "GE-191StG", "GE-203StG", "GE-210StG"}  # A20


@pytest.mark.rule("caucasus", "4.5e")
def test_any_infantry_is_one_of_three_types() -> None:
    s = table(3, 4)
    assert GAME.to_act(s) == AXIS
    assert texts(s) == list(TYPES[:3])
    assert why(s, "type german_mechanised")[0] == "4.5e"
    do(s, "type axis_allies")
    assert over(s)
    assert held(s) == {R_ALLIES: 1}


@pytest.mark.rule("caucasus", "4.5g", "15.2d", "17.2i")
def test_the_special_result_is_any_type_or_a_special_unit_out_of_the_cadre_box() -> None:
    s = table(3, 6)
    assert texts(s) == list(TYPES)
    assert why(s, "cadre GE-7Flak") == ("4.5g", "7th Flak Regiment is not in the Cadre Box")
    s = phase("axis", 3)
    place(s, "GE-1PzA-HQ", "1234")
    boxed(s, CADRE, "GE-7Flak", "GE-Brand")
    start(s, STOP, (F_TABLE, T_REPLACEMENT, 0))
    roll(s, 6)
    assert texts(s) == [*TYPES, "cadre GE-7Flak", "cadre GE-Brand"]
    do(s, "cadre GE-Brand")
    assert s.stack[-1] == (F_EVENT, U("GE-Brand"), CADRE)  # no roll for a delay (15.2d)
    assert set(texts(s)) == {"place GE-Brand 1134", "place GE-Brand 1234"}
    do(s, "place GE-Brand 1234")
    assert s.rebuilt == 1 << U("GE-Brand")  # 17.2i like every unit from the Cadre Box
    assert over(s)
    assert at(s, "GE-Brand") == "1234"
    assert not any(s.replacements)


@pytest.mark.rule("caucasus", "4.5g")
def test_no_special_unit_without_a_place_for_it_nor_by_another_result() -> None:
    s = phase("axis", 3)
    s.control = board.special_entries[AXIS]  # neither an HQ nor a city
    boxed(s, CADRE, "GE-7Flak")
    start(s, STOP, (F_TABLE, T_REPLACEMENT, 0))
    roll(s, 6)
    assert texts(s) == list(TYPES)
    s = phase("axis", 3)
    boxed(s, CADRE, "GE-7Flak")
    start(s, STOP, (F_TABLE, T_REPLACEMENT, 0))
    roll(s, 4)
    assert texts(s) == list(TYPES[:3])


@pytest.mark.rule("caucasus", "4.5h")
def test_the_other_assault_guns_come_by_the_replacement_table_alone() -> None:
    s = GAME.new("campaign")
    for name in ("GE-191StG", "GE-203StG"):
        assert s.at[U(name)] == CADRE
        assert U(name) not in script(s).due
        assert board.rebuilt_by[U(name)] == R_MECHANISED


@pytest.mark.rule("caucasus", "4.6a", "4.6b")
def test_from_turn_7_a_second_replacement_of_any_type_after_the_roll() -> None:
    s = phase("axis", 7)
    initial(s)
    assert s.stack[-1] == (F_TABLE, T_REPLACEMENT, 0)
    roll(s, 2)
    assert held(s) == {R_INFANTRY: 1}
    assert texts(s) == list(TYPES)
    do(s, "type german_mechanised")
    assert held(s) == {R_INFANTRY: 1, R_MECHANISED: 1}
    assert s.stack[-1] == (F_TABLE, T_WEATHER, 0)


# 4.7 Soviet events


def event(die: int, turn: int = 1, **boxes: tuple[int, tuple[str, ...]]) -> State:
    s = phase("soviet", turn)
    for box, names in boxes.values():
        boxed(s, box, *names)
    start(s, STOP, (F_TABLE, T_EVENT, 0))
    roll(s, die)
    return s


@pytest.mark.rule("caucasus", "4.7a")
def test_the_event_is_rolled_in_every_soviet_initial_phase() -> None:
    for turn in (1, 2, 14):
        s = phase("soviet", turn)
        initial(s)
        assert s.stack[-1] == (F_TABLE, T_EVENT, 0)
        assert [p for _, p in GAME.chances(s)] == [Fraction(1, 6)] * 6


@pytest.mark.rule("caucasus", "4.7b")
def test_x_4_7_a_naval_brigade_arrives_in_a_black_sea_port_even_in_ezoc() -> None:
    s = phase("soviet", 1)
    boxed(s, NAVAL_BOX, "SU-83NB", "SU-137NB")
    place(s, "GE-13Pz", "2239")  # next to Novorossiysk
    controlled_by(s, "axis", "2141")
    start(s, STOP, (F_TABLE, T_EVENT, 0))
    roll(s, 2)
    assert places(s, "SU-83NB") == {"2240", "2339", "2536", "2734", "3031", "3429", "3629"}
    assert why(s, "place SU-83NB 2141")[0] == why(s, "place SU-83NB 2041")[0] == "4.7b"
    do(s, "place SU-137NB 2240")
    assert over(s)
    assert at(s, "SU-137NB") == "2240"
    assert s.at[U("SU-83NB")] == NAVAL_BOX


@pytest.mark.rule("caucasus", "4.7b", "4.7f")
def test_an_empty_box_gives_an_infantry_replacement_instead() -> None:
    for die, rule in ((2, "4.7b"), (6, "4.7f")):
        s = event(die)
        assert over(s)
        assert held(s) == {R_SOVIET_INFANTRY: 1}
        assert [e.rule for e in s.events if e.kind == "replacement"] == [rule]


@pytest.mark.rule("caucasus", "4.7c", "4.7d")
def test_infantry_and_cavalry_replacements_are_recorded() -> None:
    assert held(event(3)) == {R_SOVIET_INFANTRY: 1}
    assert held(event(4)) == {R_SOVIET_CAVALRY: 1}


@pytest.mark.rule("caucasus", "4.7e")
def test_lend_lease_tanks_arrive_at_f_or_g() -> None:
    s = event(5, tanks=(LEND_LEASE, ("SU-15TB", "SU-140TB")))
    assert places(s, "SU-15TB") == places(s, "SU-140TB") == {"3510", "3719"}
    assert why(s, "place SU-15TB 3721")[0] == "4.7e"
    do(s, "place SU-15TB 3719")
    assert over(s)
    assert s.at[U("SU-140TB")] == LEND_LEASE
    s = event(5)  # the box is empty: no effect
    assert over(s)
    assert not any(s.replacements)


@pytest.mark.rule("caucasus", "4.7f")
def test_a_turkish_front_division_arrives_at_g_or_h() -> None:
    s = event(6, divisions=(TURKISH_FRONT, ("SU-61RD", "SU-89RD")))
    assert places(s, "SU-61RD") == places(s, "SU-89RD") == {"3719", "3721"}
    assert why(s, "place SU-61RD 3510")[0] == "4.7f"
    do(s, "place SU-89RD 3721")
    assert over(s)
    assert at(s, "SU-89RD") == "3721"


@pytest.mark.rule("caucasus", "4.7g", "16.21a")
def test_a_sortie_makes_one_fleet_marker_available() -> None:
    s = event(1)
    assert (s.fleet_ready, s.fleet_away) == (1, 1)
    for ready, away in ((2, 0), (0, 0)):  # both available, or out of play
        s = phase("soviet", 5)
        s.fleet_ready, s.fleet_away = ready, away
        start(s, STOP, (F_TABLE, T_EVENT, 0))
        events = roll(s, 1)
        assert (s.fleet_ready, s.fleet_away) == (ready, away)
        assert "no_effect" in kinds(events)


# 4.8 Weather


@pytest.mark.rule("caucasus", "4.8a")
def test_the_weather_is_rolled_for_from_turn_6_to_14() -> None:
    for turn in range(1, 15):
        s = phase("axis", turn)
        s.no_roll = 1
        start(s, STOP, (F_INITIAL, AXIS, STEPS[AXIS].index(roll_weather) if turn > 1 else 0))
        assert (s.stack[-1] == (F_TABLE, T_WEATHER, 0)) == (turn >= 6)


@pytest.mark.rule("caucasus", "4.8a", "4.8b", "4.8c")
@pytest.mark.parametrize(("turn", "bad"), [(6, {6}), (9, {6}), (10, {5, 6}), (14, {5, 6})])
def test_the_weather_table(turn: int, bad: set[int]) -> None:
    found = set()
    for die in range(1, 7):
        s = phase("axis", turn)
        start(s, STOP, (F_TABLE, T_WEATHER, 0))
        roll(s, die)
        if s.bad:
            found.add(die)
    assert found == bad


@pytest.mark.rule("caucasus", "4.8d")
def test_support_markers_may_be_used_in_bad_weather() -> None:
    for side, attacker, target, hq, marker in (
        ("axis", "GE-13Pz", "SU-4RD", "GE-1PzA-HQ", "AX-IV"),
        ("soviet", "SU-10GRC", "GE-73", "SU-BlackSea-HQ", "SU-4VA"),
    ):
        s = empty(side, 10, f"{side}_first_combat")
        s.bad = 1
        s.air = 0b0110
        s.fleet_ready = 1
        place(s, [attacker, hq], "2339")
        place(s, target, "2240")
        start(s, STOP, (F_COMBAT, 0))
        do(s, "attack 2240", "commit")
        assert f"support {marker}" in texts(s)
        assert ("support SU-BSF" in texts(s)) == (side == "soviet")


@pytest.mark.rule("caucasus", "4.1a", "4.5a", "4.8a")
def test_the_steps_of_the_axis_initial_phase_come_in_their_order() -> None:
    s = phase("axis", 7)
    due(s, 7, "GE-111")
    put(s, U("GE-17A-HQ"), -14)
    initial(s)
    order = []
    rng = Random(1)
    while not over(s):
        order.append(s.stack[-1][:2])
        GAME.apply(s, rng.choice([a for a in GAME.legal(s) if GAME.text(a) != "delay"]))
    wanted = [(F_ARRIVE, AXIS), (F_TABLE, T_REPLACEMENT), (F_TYPE, 15), (F_TABLE, T_WEATHER), (F_ARRIVE, AXIS)]
    assert [f for f in order if f != (F_TYPE, 7)] == wanted
    assert PHASES[s.phase] == "axis_initial"


@pytest.mark.rule("caucasus", "4.3a", "4.4b", "4.7a")
def test_the_steps_of_the_soviet_initial_phase_come_in_their_order() -> None:
    s = phase("soviet", 7)
    due(s, 7, "SU-152RB")
    place(s, "SU-12CD", "1435")
    s.none_chits = 3
    put(s, U("SU-North-HQ"), -14)
    initial(s)
    order = []
    while not over(s):
        order.append(s.stack[-1][0])
        GAME.apply(s, GAME.legal(s)[0] if s.stack[-1][0] != F_TABLE else GAME.legal(s)[2])
    assert order == [F_ARRIVE, F_DRAW, F_DRAW, F_DRAW, F_TABLE, F_ARRIVE, F_CORPS]
