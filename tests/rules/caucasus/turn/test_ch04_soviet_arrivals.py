"""Chapter 4: soviet arrivals."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.engine.contract import CHANCE, Event
from sandtable.games.caucasus.table.ids import (
    CADRE,
    CUP,
    DRAWN,
    F_DRAW,
    F_INITIAL,
    F_RANDOM,
    F_TABLE,
    SOVIET,
    T_EVENT,
)
from sandtable.games.caucasus.table.scenarios import script
from sandtable.games.caucasus.table.state import State
from sandtable.games.caucasus.turn.initial import STEPS

from ..kit import GAME, H, U, at, board, controlled_by, do, of_kind, place, start, texts
from ..phases import STOP, boxed, due, initial, over, phase, places, why

# 4.3 Soviet reinforcements


@pytest.mark.rule("caucasus", "4.3a")
def test_soviet_turn_track_units_arrive_at_e_or_go_to_the_east_caspian_box() -> None:
    s = phase("soviet", 6)
    due(s, 6, "SU-248RD", "SU-9RC")
    initial(s)
    assert places(s, "SU-248RD") == {"1013", "1014"}
    assert not places(s, "SU-9RC")
    assert at(s, "SU-9RC") == "east_caspian"
    letters = {board.entry[u] for u, t in script(s).due.items() if board.side[u] == SOVIET}
    assert letters == {"E", "EC"}


@pytest.mark.rule("caucasus", "4.3b")
def test_the_east_caspian_box_opens_in_the_next_soviet_initial_phase() -> None:
    s = phase("soviet", 6)
    due(s, 6, "SU-9RC")
    s.none_chits = 1
    initial(s)
    assert s.stack[-1][0] == F_DRAW  # nobody to place on turn 6
    s.stack, s.turn = [], 7
    initial(s)
    assert places(s, "SU-9RC") == {"1511", "3013", "3510"}
    assert "delay" in texts(s)
    s.stack = []
    controlled_by(s, "axis", "3013")
    initial(s)
    assert places(s, "SU-9RC") == {"1511", "3510"}
    assert why(s, "place SU-9RC 3013")[0] == "4.3b"


@pytest.mark.rule("caucasus", "4.3c")
def test_soviet_air_markers_come_in_the_soviet_initial_phases_of_turns_4_and_5() -> None:
    for turn, air in ((3, 0b0011), (4, 0b0111), (5, 0b1111)):
        s = phase("soviet", turn)
        s.air = 0b0011 if turn < 5 else 0b0111
        initial(s)
        assert s.air == air
    s = phase("axis", 4)
    s.air = 0b0011
    initial(s)
    assert not s.air & 0b1100  # not at the start of the turn


@pytest.mark.rule("caucasus", "4.3d", "15.7a")
def test_the_guards_cavalry_marker_may_be_placed_from_turn_7_with_soviet_cavalry() -> None:
    s = phase("soviet", 7)
    place(s, ["SU-12CD", "SU-13CD"], "1435")
    place(s, "SU-110CD", "1128")
    place(s, "RO-5Cav", "1033")
    s.none_chits = 1
    start(s, (F_DRAW, 0), (F_INITIAL, SOVIET, len(STEPS[SOVIET]) - 1))
    assert texts(s) == ["corps 1128", "corps 1435", "no-corps"]
    assert why(s, "corps 1033")[0] == "15.7a"
    do(s, "corps 1435")
    assert s.corps == H("1435")


@pytest.mark.rule("caucasus", "4.3d", "15.7a")
def test_no_guards_cavalry_marker_before_turn_7_without_cavalry_or_once_placed() -> None:
    for turn, cavalry, corps in ((6, True, -1), (7, False, -1), (8, True, -2), (8, True, H("1435"))):
        s = phase("soviet", turn)
        if cavalry:
            place(s, "SU-12CD", "1435")
        s.corps = corps
        s.none_chits = 1
        start(s, (F_DRAW, 0), (F_INITIAL, SOVIET, len(STEPS[SOVIET]) - 1))
        assert s.stack == [(F_DRAW, 0)]
    s = phase("soviet", 7)
    place(s, "SU-12CD", "1435")
    s.none_chits = 1
    start(s, (F_DRAW, 0), (F_INITIAL, SOVIET, len(STEPS[SOVIET]) - 1))
    do(s, "no-corps")
    assert s.corps == -1
    assert s.stack == [(F_DRAW, 0)]


# 4.4 Random reinforcements


def drawn(*names: str, **held: str) -> State:
    """These units have been drawn and are to be placed; the front HQs stand in Tuapse and Ordzhonikidze."""
    s = phase("soviet", 3)
    place(s, "SU-BlackSea-HQ", held.get("black", "2536"))
    place(s, "SU-North-HQ", held.get("north", "3021"))
    boxed(s, DRAWN, *names)
    return s


def place_them(s: State) -> list[Event]:
    return start(s, STOP, (F_RANDOM, 0))


@pytest.mark.rule("caucasus", "4.4a", "4.4b", "4.4i")
def test_three_counters_are_drawn_with_equal_chances() -> None:
    s = phase("soviet", 1)
    boxed(s, CUP, "SU-30RD", "SU-2TB", "SU-98AT", "SU-10RB")
    s.none_chits = 2
    start(s, STOP, (F_DRAW, 0))
    assert GAME.to_act(s) == CHANCE
    assert texts(s) == ["drew SU-30RD", "drew SU-10RB", "drew SU-2TB", "drew SU-98AT", "drew-none"]
    assert [p for _, p in GAME.chances(s)] == [Fraction(1, 6)] * 4 + [Fraction(1, 3)]
    do(s, "drew SU-2TB")
    assert [p for _, p in GAME.chances(s)] == [Fraction(1, 5)] * 3 + [Fraction(2, 5)]
    do(s, "drew SU-98AT")
    assert s.stack[-1] == (F_DRAW, 2)
    do(s, "drew SU-30RD")
    assert s.stack[-1][0] == F_RANDOM
    assert [s.at[U(n)] for n in ("SU-2TB", "SU-98AT", "SU-30RD")] == [DRAWN] * 3


@pytest.mark.rule("caucasus", "4.4b")
def test_counters_are_drawn_in_every_soviet_initial_phase_from_turn_1() -> None:
    for turn in (1, 2, 14):
        s = phase("soviet", turn)
        s.none_chits = 5
        initial(s)
        assert s.stack[-1] == (F_DRAW, 0)
    s = phase("soviet", 3)
    s.none_chits = 1
    initial(s)
    do(s, "drew-none")
    assert s.stack[-1] == (F_TABLE, T_EVENT, 0)  # A4 as long as the cup has any


@pytest.mark.rule("caucasus", "4.4i", "4.4j")
def test_a_none_chit_gives_no_unit_and_leaves_the_game() -> None:
    s = phase("soviet", 3)
    boxed(s, CUP, "SU-30RD", "SU-10RB")
    s.none_chits = 1
    start(s, STOP, (F_DRAW, 0))
    do(s, "drew-none")
    assert s.none_chits == 0
    assert texts(s) == ["drew SU-30RD", "drew SU-10RB"]  # the other two draws are made


@pytest.mark.rule("caucasus", "4.4b")
def test_the_cup_is_drawn_from_with_one_die_of_all_its_counters() -> None:
    s = phase("soviet", 3)
    boxed(s, CUP, "SU-30RD", "SU-10RB")
    s.none_chits = 2
    start(s, STOP, (F_DRAW, 0))

    def fall(face: int) -> str:
        return GAME.text(GAME.roll(s, lambda n: {4: face}[n]).action)  # a die of all four counters

    fell = [fall(face) for face in (1, 2, 3, 4)]
    assert fell == ["drew SU-30RD", "drew SU-10RB", "drew-none", "drew-none"]


@pytest.mark.rule("caucasus", "4.4c", "4.4d", "4.4g")
def test_x_4_4_one_to_tbilisi_one_on_the_black_sea_hq_one_at_grozny() -> None:
    s = drawn("SU-30RD", "SU-271RD", "SU-10RB")
    place_them(s)
    assert texts(s) == ["place SU-30RD 3621", "place SU-271RD 3621", "place SU-10RB 3621"]
    assert why(s, "place SU-30RD 2818")[0] == "4.4c"
    do(s, "place SU-271RD 3621")
    assert places(s, "SU-30RD") == {"1511", "2136", "2818", "2536", "3021"}
    do(s, "place SU-30RD 2536", "place SU-10RB 2818")
    assert over(s)
    assert [at(s, n) for n in ("SU-271RD", "SU-30RD", "SU-10RB")] == ["3621", "2536", "2818"]


@pytest.mark.rule("caucasus", "4.4c")
def test_the_unit_for_tbilisi_is_lost_with_tbilisi() -> None:
    s = drawn("SU-30RD", "SU-271RD", "SU-2TB")
    controlled_by(s, "axis", "3621")
    place_them(s)
    assert texts(s) == ["drop SU-30RD", "drop SU-271RD", "drop SU-2TB"]
    do(s, "drop SU-2TB")
    assert s.at[U("SU-2TB")] == CADRE
    assert "3621" not in places(s, "SU-30RD")
    assert "2818" in places(s, "SU-30RD")


@pytest.mark.rule("caucasus", "4.4d")
def test_a_front_hq_must_be_in_full_supply_and_a_city_friendly_and_connected() -> None:
    s = drawn("SU-30RD", "SU-271RD")
    s.limited = 1 << U("SU-BlackSea-HQ")
    controlled_by(s, "axis", "2818")
    place(s, "GE-13Pz", "2135")  # its ZOC is on the railway in Krasnodar
    place_them(s)
    do(s, "place SU-30RD 3621")
    assert places(s, "SU-271RD") == {"1511", "3021"}
    assert why(s, "place SU-271RD 2536")[0] == "4.4d"
    s.stack = []
    s.limited, s.oos = 0, 1 << U("SU-North-HQ")
    start(s, STOP, (F_RANDOM, 1))
    assert places(s, "SU-271RD") == {"1511", "3621", "2536"}


@pytest.mark.rule("caucasus", "4.4e")
def test_one_random_reinforcement_a_hex_and_two_in_a_major_city_with_a_front_hq() -> None:
    s = drawn("SU-30RD", "SU-271RD", "SU-10RB")
    place_them(s)
    do(s, "place SU-30RD 3621", "place SU-271RD 2536")
    assert places(s, "SU-10RB") == {"1511", "2136", "2818", "3021"}
    assert why(s, "place SU-10RB 2536")[0] == why(s, "place SU-10RB 3621")[0] == "4.4e"
    s = drawn("SU-30RD", "SU-271RD", "SU-10RB", north="3621")
    place_them(s)
    do(s, "place SU-30RD 3621")
    assert "3621" in places(s, "SU-271RD")
    do(s, "place SU-271RD 3621")
    assert "3621" not in places(s, "SU-10RB")  # A6 two in all
    assert why(s, "place SU-10RB 3621")[0] == "4.4e"


@pytest.mark.rule("caucasus", "4.4f")
def test_units_without_a_place_are_lost_to_the_cadre_box() -> None:
    s = drawn("SU-30RD", "SU-271RD", "SU-10RB")
    s.oos = 1 << U("SU-BlackSea-HQ") | 1 << U("SU-North-HQ")
    controlled_by(s, "axis", "2136", "2818")
    place_them(s)
    do(s, "place SU-30RD 3621")
    assert places(s, "SU-10RB") == {"1511"}
    events = do(s, "place SU-10RB 1511")
    assert over(s)
    assert s.at[U("SU-271RD")] == CADRE
    assert [e.rule for e in of_kind(events, "lost")] == ["4.4f"]


@pytest.mark.rule("caucasus", "4.4g")
def test_rostov_is_never_a_place_for_random_reinforcements() -> None:
    s = drawn("SU-30RD", "SU-271RD")
    controlled_by(s, "soviet", "1134")
    place(s, "SU-4RD", "1134")
    start(s, STOP, (F_RANDOM, 1))
    assert places(s, "SU-30RD") == {"1511", "3621", "2136", "2818", "2536", "3021"}


@pytest.mark.rule("caucasus", "4.4h", "2.1d")
def test_random_reinforcements_with_a_triangle_arrive_reduced() -> None:
    s = GAME.new("campaign")
    for name in ("SU-30RD", "SU-30CD", "SU-9MD", "SU-20MD", "SU-83MD", "SU-242MD"):
        assert s.step[U(name)] == 1
    for name in ("SU-10RB", "SU-2TB", "SU-19NKVD"):
        assert s.step[U(name)] == 0
    s.stack = []
    s.active, s.turn = SOVIET, 1
    boxed(s, DRAWN, "SU-9MD", "SU-19NKVD")
    place_them(s)
    do(s, "place SU-9MD 3621", "place SU-19NKVD 2818")
    assert (s.step[U("SU-9MD")], s.step[U("SU-19NKVD")]) == (1, 0)
