"""Chapter 4: reinforcements (4.1 to 4.4)."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.movement.phase import begin_moves
from sandtable.games.caucasus.table.ids import (
    ALPINI,
    AXIS,
    BLUECHER,
    EAST_CASPIAN,
    EASTERN,
    F_COMBAT,
    F_EVENT,
    F_MOVES,
    F_TABLE,
    LEND_LEASE,
    NAVAL_BOX,
    REMOVED,
    SOVIET,
    T_ALPINI,
    T_EASTERN,
    T_REPLACEMENT,
    TRACK,
    TURKISH_FRONT,
    WAITING,
)
from sandtable.games.caucasus.table.state import State, put

from ..kit import H, U, at, board, controlled_by, do, empty, hexes, kinds, of_kind, place, roll, start, texts
from ..phases import STOP, arrive, boxed, due, initial, over, phase, places, why

# 4.1 Reinforcements


@pytest.mark.rule("caucasus", "4.1a")
def test_reinforcements_are_placed_on_their_turn_in_the_initial_phase() -> None:
    s = phase("axis", 3)
    due(s, 3, "GE-111")
    due(s, 4, "GE-370")
    arrive(s)
    assert places(s, "GE-111")
    assert not places(s, "GE-370")
    assert why(s, "place GE-370 1029") == ("4.1a", "370th Infantry Division arrives on turn 4")
    events = do(s, "place GE-111 1029")
    assert kinds(events) == ["arrived"]
    assert at(s, "GE-111") == "1029"
    assert over(s)


@pytest.mark.rule("caucasus", "4.1b", "4.2a")
def test_the_letter_on_the_counter_is_a_group_of_entry_hexes() -> None:
    s = phase("axis", 3)
    due(s, 3, "GE-4Mtn", "GE-16Mot", "GE-14Pz", "GE-Felmy")
    arrive(s)
    assert places(s, "GE-4Mtn") == {"1033", "1034", "1035", "1036", "1037", "1038"}
    assert places(s, "GE-16Mot") == {"1031", "1032"}
    assert places(s, "GE-14Pz") == {"1028", "1029", "1030"}
    assert places(s, "GE-Felmy") == {"1025", "1026", "1027"}
    assert why(s, "place GE-16Mot 1028")[0] == "4.1b"
    assert all(board.entry_side[letter] == AXIS for letter in "ABCDJ")
    assert all(board.entry_side[letter] == SOVIET for letter in "EFGHI")


@pytest.mark.rule("caucasus", "4.1c")
def test_entry_hexes_f_to_j_are_ordinary_hexes() -> None:
    ordinary = sum(1 << h for letter in "FGHIJ" for h in board.entries[letter])
    assert not ordinary & (board.barred[AXIS] | board.barred[SOVIET])
    s = phase("soviet", 5)
    boxed(s, LEND_LEASE, "SU-15TB")
    controlled_by(s, "axis", "3510")  # the Axis can take F, and blocks it
    start(s, STOP, (F_EVENT, -1, LEND_LEASE))
    assert places(s, "SU-15TB") == {"3719"}


@pytest.mark.rule("caucasus", "4.1d")
def test_entry_hexes_a_to_e_are_clear_and_closed_to_the_enemy() -> None:
    axis = sum(1 << h for letter in "ABCD" for h in board.entries[letter])
    soviet = sum(1 << h for h in board.entries["E"])
    assert (board.barred[SOVIET], board.barred[AXIS]) == (axis, soviet)
    for ground in board.grounds:
        assert not (axis | soviet) & ~ground.terrain["clear"]
    assert hexes(axis | soviet) == {f"10{c}" for c in (*range(25, 39), 13, 14)}


@pytest.mark.rule("caucasus", "4.1c", "4.1d")
def test_the_enemy_may_enter_f_to_j_but_neither_enter_a_to_e_nor_attack_into_them() -> None:
    def reach(unit: str, where: str) -> set[str]:
        side = "axis" if unit.startswith("GE") else "soviet"
        s = empty(side, 3)
        place(s, unit, where)
        begin_moves(s)
        start(s, STOP, (F_MOVES, 0))
        do(s, f"move {unit}")
        return {text.split()[1] for text in texts(s) if text.startswith("to ")}

    assert "3510" in reach("GE-13Pz", "3411")
    assert "1013" not in reach("GE-13Pz", "1113")
    assert "1013" in reach("SU-4RD", "1113")
    assert not {h for h in reach("SU-4RD", "1133") if h.startswith("10")}
    s = empty("soviet", 3, "soviet_first_combat")
    place(s, "SU-10GRC", "1133")
    place(s, "GE-454Sec", "1034")
    place(s, "GE-4Bic", "1132")
    start(s, STOP, (F_COMBAT, 0))
    assert board.grid.distance(H("1133"), H("1034")) == 1
    assert [text for text in texts(s) if text.startswith("attack")] == ["attack 1132"]


@pytest.mark.rule("caucasus", "4.1e")
def test_reinforcements_may_overstack_and_be_placed_in_ezoc() -> None:
    s = phase("axis", 3)
    place(s, ["GE-73", "GE-125", "GE-198"], "1029")
    place(s, "SU-91RD", "1129")  # its ZOC covers 1029
    due(s, 3, "GE-111", "GE-370")
    arrive(s)
    do(s, "place GE-111 1029", "place GE-370 1029")
    assert s.here[H("1029")].bit_count() == 5
    assert not s.moved  # it costs nothing: they may move in the phase that follows


@pytest.mark.rule("caucasus", "4.1f")
def test_a_blocked_reinforcement_waits_until_an_entry_hex_is_free() -> None:
    s = phase("soviet", 5)
    due(s, 5, "SU-10GRC")
    put(s, U("SU-10GRC"), EAST_CASPIAN)
    controlled_by(s, "axis", "1511", "3013", "3510")
    events = arrive(s)
    assert [e.rule for e in of_kind(events, "delayed")] == ["4.1f"]
    assert over(s)
    assert at(s, "SU-10GRC") == "east_caspian"
    s.stack, s.turn = [], 6
    controlled_by(s, "soviet", "3510")
    arrive(s)
    assert places(s, "SU-10GRC") == {"3510"}


@pytest.mark.rule("caucasus", "4.1f")
def test_an_event_unit_waits_when_its_entry_hexes_are_lost() -> None:
    s = phase("soviet", 5)
    boxed(s, TURKISH_FRONT, "SU-61RD")
    controlled_by(s, "axis", "3719", "3721")
    start(s, STOP, (F_EVENT, -1, TURKISH_FRONT))
    assert over(s)
    assert s.at[U("SU-61RD")] == WAITING
    s.stack, s.turn = [], 6
    controlled_by(s, "soviet", "3721")
    arrive(s)
    assert places(s, "SU-61RD") == {"3721"}


@pytest.mark.rule("caucasus", "4.1g")
def test_reinforcements_may_be_delayed_turn_after_turn() -> None:
    s = phase("axis", 3)
    due(s, 3, "GE-111", "GE-370")
    arrive(s)
    do(s, "place GE-111 1029")
    events = do(s, "delay")
    assert over(s)
    assert s.at[U("GE-370")] == WAITING
    assert [e.data["units"] for e in of_kind(events, "delayed")] == [[U("GE-370")]]
    for turn in (4, 5):
        s.stack, s.turn = [], turn
        arrive(s)
        assert places(s, "GE-370") == {"1028", "1029", "1030"}  # A7 only its own letter
        do(s, "delay")


@pytest.mark.rule("caucasus", "4.1g")
def test_lend_lease_and_turkish_front_units_may_be_delayed_but_not_naval_brigades() -> None:
    for box, unit, delayed in ((LEND_LEASE, "SU-15TB", True), (TURKISH_FRONT, "SU-61RD", True)):
        s = phase("soviet", 5)
        boxed(s, box, unit)
        start(s, STOP, (F_EVENT, -1, box))
        assert ("delay" in texts(s)) == delayed
        do(s, "delay")
        assert over(s)
        assert s.at[U(unit)] == WAITING
    s = phase("soviet", 5)
    boxed(s, NAVAL_BOX, "SU-83NB")
    start(s, STOP, (F_EVENT, -1, NAVAL_BOX))
    assert "delay" not in texts(s)
    assert why(s, "delay")[0] == "4.1g"


@pytest.mark.rule("caucasus", "15.9a")
def test_the_454th_arrives_on_turn_2_and_may_not_be_delayed() -> None:
    s = phase("axis", 2)
    due(s, 2, "GE-454Sec", "GE-9")
    arrive(s)
    assert "delay" not in texts(s)
    assert why(s, "delay")[0] == "15.9a"
    do(s, "place GE-454Sec 1034")
    assert "delay" in texts(s)


# 4.2 Axis reinforcements


@pytest.mark.rule("caucasus", "4.2b", "4.2c")
def test_taman_is_blocked_until_the_axis_controls_it() -> None:
    s = phase("axis", 6)
    due(s, 6, "RO-19")
    arrive(s)
    assert over(s)
    assert s.at[U("RO-19")] == WAITING
    s = phase("axis", 6)
    due(s, 6, "RO-19")
    controlled_by(s, "axis", "2043")
    arrive(s)
    assert places(s, "RO-19") == {"2043"}


@pytest.mark.rule("caucasus", "4.2c")
def test_a_reinforcement_for_taman_may_come_a_turn_late_at_a() -> None:
    s = phase("axis", 6)
    due(s, 6, "RO-19")
    due(s, 6, "GE-111")
    arrive(s)
    assert why(s, "place RO-19 1033") == (
        "4.2c",
        "19th Romanian Infantry Division waits for Taman, or arrives next turn at an A entry hex",
    )
    do(s, "delay")
    s.stack, s.turn = [], 7
    arrive(s)
    assert places(s, "RO-19") == {"1033", "1034", "1035", "1036", "1037", "1038"}
    do(s, "delay")  # the Axis may wait for Taman instead
    s.stack, s.turn = [], 8
    controlled_by(s, "axis", "2043")
    arrive(s)
    assert places(s, "RO-19") == {"2043"}


@pytest.mark.rule("caucasus", "4.2d")
@pytest.mark.parametrize(("die", "come"), [(1, True), (2, True), (3, False), (6, False)])
def test_the_alpini_corps_comes_on_1_or_2(die: int, come: bool) -> None:
    s = phase("axis", 5)
    boxed(s, ALPINI, "IT-2Alp", "IT-3Alp", "IT-4Alp")
    initial(s)
    assert s.stack[-1] == (F_TABLE, T_ALPINI, 0)
    roll(s, die)
    if come:
        for name in ("IT-2Alp", "IT-3Alp", "IT-4Alp"):
            assert places(s, name) == {"1033", "1034", "1035", "1036", "1037", "1038"}
    else:
        assert [s.at[U(n)] for n in ("IT-2Alp", "IT-3Alp", "IT-4Alp")] == [REMOVED] * 3


@pytest.mark.rule("caucasus", "4.2d")
def test_the_alpini_roll_is_made_on_turn_5_only() -> None:
    for turn in (4, 6):
        s = phase("axis", turn)
        boxed(s, ALPINI, "IT-2Alp")
        initial(s)
        assert s.stack[-1] == (F_TABLE, T_REPLACEMENT, 0)


@pytest.mark.rule("caucasus", "4.2e")
def test_the_alpini_raise_the_level_when_they_arrive() -> None:
    s = phase("axis", 5)
    boxed(s, ALPINI, "IT-2Alp", "IT-3Alp", "IT-4Alp")
    initial(s)
    roll(s, 2)
    assert not s.alpini_came
    events = do(s, "place IT-2Alp 1033")
    assert s.alpini_came
    events += do(s, "place IT-3Alp 1033")
    assert kinds(events).count("alpini_level") == 1


@pytest.mark.rule("caucasus", "4.2f")
def test_bluecher_ii_comes_when_taman_is_axis_controlled() -> None:
    s = phase("axis", 4)
    boxed(s, BLUECHER, "GE-46", "RO-3Mtn")
    initial(s)
    assert s.stack[-1] == (F_TABLE, T_REPLACEMENT, 0)
    assert s.at[U("GE-46")] == BLUECHER
    s = phase("axis", 4)
    boxed(s, BLUECHER, "GE-46", "RO-3Mtn")
    controlled_by(s, "axis", "2043")
    initial(s)
    assert places(s, "GE-46") == places(s, "RO-3Mtn") == {"2043"}


def eastern(turn: int, *held: str) -> State:
    s = phase("axis", turn)
    boxed(s, EASTERN, "EA-1", "EA-2", "EA-3")
    controlled_by(s, "axis", *held)
    initial(s)
    return s


@pytest.mark.rule("caucasus", "4.2g")
def test_eastern_troops_are_formed_from_turn_7_with_krasnodar_and_voroshilovsk() -> None:
    both = ("2136", "2128")
    assert eastern(7, *both).stack[-1][:2] == (F_TABLE, T_EASTERN)
    assert eastern(9, *both).stack[-1][:2] == (F_TABLE, T_EASTERN)
    for s in (eastern(6, *both), eastern(7, "2136"), eastern(7, "2128")):
        assert s.stack[-1] == (F_TABLE, T_REPLACEMENT, 0)
        assert s.at[U("EA-1")] == EASTERN


@pytest.mark.rule("caucasus", "4.2g")
def test_eastern_troops_are_formed_once() -> None:
    s = eastern(7, "2136", "2128")
    roll(s, 6, 6, 6)
    assert s.eastern_formed
    s.stack, s.turn = [], 8
    put(s, U("EA-1"), EASTERN)  # even if one were in the box again (A8)
    initial(s)
    assert s.stack[-1] == (F_TABLE, T_REPLACEMENT, 0)


@pytest.mark.rule("caucasus", "4.2h")
def test_x_4_2_an_eastern_unit_that_rolls_a_1_arrives_next_turn() -> None:
    s = eastern(7, "2136", "2128")
    assert s.stack[-1] == (F_TABLE, T_EASTERN, U("EA-1"))
    roll(s, 1, 2, 6)
    assert [s.due[U(n)] for n in ("EA-1", "EA-2", "EA-3")] == [8, 9, 13]
    assert all(s.at[U(n)] == TRACK for n in ("EA-1", "EA-2", "EA-3"))


@pytest.mark.rule("caucasus", "4.2i")
def test_eastern_units_arrive_in_connected_cities_outside_ezoc() -> None:
    s = phase("axis", 8)
    due(s, 8, "EA-1")
    boxed(s, EASTERN, "EA-2")
    controlled_by(s, "axis", "2136", "2128")
    arrive(s)
    assert {"1134", "2136"} <= places(s, "EA-1")
    assert all(board.city[H(h)] >= 2 for h in places(s, "EA-1"))
    assert "delay" not in texts(s)
    assert why(s, "delay")[0] == why(s, "place EA-1 1033")[0] == "4.2i"
    s.stack = []
    place(s, "SU-4RD", "2236")  # its ZOC is on Krasnodar
    arrive(s)
    assert "2136" not in places(s, "EA-1")


@pytest.mark.rule("caucasus", "4.2i")
def test_eastern_units_wait_while_no_city_is_connected() -> None:
    s = phase("axis", 8)
    due(s, 8, "EA-1")
    s.control = board.special_entries[AXIS]  # no city is held
    arrive(s)
    assert over(s)
    assert s.at[U("EA-1")] == WAITING
