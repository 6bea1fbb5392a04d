"""3 The sequence of play."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.engine.frames import F, Frame
from sandtable.games.na41.game import NorthAfrica
from sandtable.games.na41.table.ids import (
    ALLIED,
    AXIS,
    ELIMINATED,
    F_ATTRITION,
    F_COMBAT,
    F_DELAY,
    F_GAME_TURN,
    F_INITIAL,
    F_MOVES,
    F_OVERSTACK,
    F_PLAYER_TURN,
    F_PORTS,
    F_PREPARATION,
    F_RECOVERY,
    F_SUPPLY,
    F_VICTORY,
    PHASES,
    SURRENDER_LEFT,
    SURRENDER_RIGHT,
)
from sandtable.games.na41.table.position import put
from sandtable.games.na41.table.state import State

from ..kit import GAME, U, at, board, do, empty, names, new, place, roll, start, supplies, texts, units
from ..phasekit import END, over
from ..turnkit import initial, moving, prepare, prepared, rule_of

NAMES = {
    F_PREPARATION: "preparation",
    F_INITIAL: "initial",
    F_MOVES: "movement",
    F_COMBAT: "combat",
    F_RECOVERY: "recovery",
    F_SUPPLY: "supply",
    F_DELAY: "delay",
    F_ATTRITION: "supply_attrition",
    F_VICTORY: "victory",
}


def order(turn: int) -> list[tuple[str, int, str]]:
    """The steps of a game turn in the order in which they are reached, each passed over: impulse, side, step."""
    seen: list[tuple[str, int, str]] = []

    class Pass(Frame[State]):
        def run(self, s: State, f: F) -> None:
            s.stack.pop()
            side = ("axis", "allied")[f[1] if f[0] == F_ATTRITION else s.active]
            seen.append((side, s.impulse, NAMES[f[0]] + (str(f[1]) if f[0] == F_VICTORY else "")))

    game = NorthAfrica(board.pack)
    for number in NAMES:
        game.frames[number] = Pass()  # type: ignore[index]
    s = empty(turn=turn - 1)
    s.stack = [GAME.framed((F_GAME_TURN, 0))]
    while s.turn < turn + 1:
        f = s.stack[-1]
        game.frames[f[0]].run(s, f)
    return seen


@pytest.mark.rule("na41", "3.1a", "3.1g", "3.2a", "3.2i", "3.1j", "3.1k")
def test_the_order_of_a_game_turn() -> None:
    phases = ["initial", "movement", "combat", "recovery", "supply", "victory0", "delay"]
    player_turns = [(side, impulse, phase) for impulse in (1, 2, 3) for side in ("allied", "axis") for phase in phases]
    found = order(4)
    assert found[0][2] == "preparation"
    assert found[1:-3] == player_turns
    assert [(side, phase) for side, _, phase in found[-3:]] == [
        ("axis", "supply_attrition"),
        ("allied", "supply_attrition"),
        ("axis", "victory1"),
    ]


@pytest.mark.rule("na41", "3.1g")
def test_in_summer_the_second_impulse_is_skipped() -> None:
    assert {impulse for _, impulse, phase in order(9) if phase == "movement"} == {1, 3}
    assert [t for t in board.turns if board.turns[t]["impulses"] == [1, 3]] == [8, 9, 10, 11, 12]


@pytest.mark.rule("na41", "8.4.1c")
def test_comando_supremo_is_over_with_its_impulse() -> None:
    s = empty(turn=4)
    s.comando = 1
    s.stack = [GAME.framed((F_GAME_TURN, 3))]  # the Allied player turn of the second impulse
    GAME.frames[F_GAME_TURN].run(s, s.stack[-1])
    assert s.stack[-1][0] == F_PLAYER_TURN
    assert s.comando == 0


# 3.1 A The Preparation Phase


@pytest.mark.rule("na41", "3.1b", "6.1.3")
def test_two_supply_points_come_to_each_base() -> None:
    s = prepared(4)
    supplies(s, "axis", "italy", 1)
    prepare(s, "supply")
    assert s.sp == [{board.italy: 3}, {board.delta: 2}]


@pytest.mark.rule("na41", "3.1d", "18.5d")
def test_rommel_is_ready_again() -> None:
    s = prepared(4)
    s.rommel = 0
    prepare(s, "ready_rommel")
    assert s.rommel == 1


@pytest.mark.rule("na41", "3.1e", "12.5.2a")
def test_the_surrender_boxes_advance() -> None:
    s = prepared(4)
    put(s, U("AU_20"), SURRENDER_LEFT)
    put(s, U("IT_27"), SURRENDER_RIGHT)
    prepare(s, "advance_surrendered")
    assert (at(s, "AU_20"), at(s, "IT_27")) == ("surrender_right", "eliminated")
    prepare(s, "advance_surrendered")
    assert at(s, "AU_20") == "eliminated"


@pytest.mark.rule("na41", "3.1b", "3.1c", "3.1d", "3.1e", "3.1f")
def test_the_steps_of_the_preparation_phase_in_order() -> None:
    s = new("s2_campaign")
    s.turn, s.stack, s.malta, s.rommel = 10, [], 0, 0
    put(s, U("AU_20"), SURRENDER_LEFT)
    events = prepare(s)
    while not over(s):
        events += do(s, texts(s)[0])
    kinds = [e.kind for e in events]
    first = [
        kinds.index(k)
        for k in ("sp_received", "arrived", "replacement", "malta_roll", "surrender_advanced", "converted")
    ]
    assert first == sorted(first)
    assert s.rommel == 1


# 3.2 The player turn


@pytest.mark.rule("na41", "3.2b")
def test_the_initial_phase() -> None:
    s = empty("axis", "initial", turn=8)
    place(s, ["GE_I5_5L", "GE_RT1"], "1604", "full")
    s.step[U("GE_I5_5L")] = 1
    place(s, "BR_5R", "2478")
    s.shipped = units("GE_RT1", "BR_5R")
    initial(s, 0)
    assert names(s.shipped) == {"BR_5R"}  # own markers alone
    assert s.stack[-1][0] != F_INITIAL  # the event
    do(s, "rolled 7")
    assert "replace GE_I5_5L GE_RT1" in texts(s)
    do(s, "replace GE_I5_5L GE_RT1", "end-initial")
    assert over(s)


@pytest.mark.rule("na41", "3.2b", "9.5.3d")
def test_fortifications_are_completed_in_the_initial_phase() -> None:
    s = empty("allied", "initial", turn=8)
    place(s, "AU_20", "3138")
    s.building[ALLIED] = 1 << board.tobruk
    s.building[AXIS] = 1 << board.el_agheila
    place(s, "IT_27", "1604")
    initial(s, 0)
    do(s, "rolled 10")  # a convoy, which leaves nothing to decide
    while not over(s):
        do(s, texts(s)[0])
    assert s.forts[ALLIED] >> board.tobruk & 1  # groundworks
    assert s.building[AXIS] >> board.el_agheila & 1


@pytest.mark.rule("na41", "3.2d", "3.2c")
def test_ports_come_last_in_the_movement_phase() -> None:
    s = empty("allied", "movement", turn=8)
    place(s, ["AU_20", "BR_5R"], "3138")
    moving(s)
    assert not [t for t in texts(s) if t.startswith("demolish")]
    do(s, "end-moves")
    assert [f[0] for f in s.stack] == [END[0], F_MOVES, F_OVERSTACK, F_PORTS]
    assert "demolish tobruk 1" in texts(s)
    assert rule_of(s, "move BR_5R") == "3.2d"
    do(s, "end-ports")
    assert over(s)


@pytest.mark.rule("na41", "3.2i")
def test_the_axis_has_no_rail_movement() -> None:
    s = empty("axis", "movement", turn=8)
    s.control = board.controllable
    place(s, "IT_27", "2660")
    supplies(s, "axis", "2660", 1)
    moving(s)
    assert not [t for t in texts(s) if t.startswith("rail")]
    do(s, "move IT_27")
    assert not [t for t in texts(s) if t.startswith("rail")]


def test_phases_are_told() -> None:
    s = new("s1_enter_rommel")
    assert PHASES[s.phase] == "initial"
    assert s.active == AXIS


def test_over_means_that_the_phase_has_ended() -> None:
    s = empty("axis", "initial", turn=8)
    start(s, END, (F_INITIAL, 3))
    assert over(s)


@pytest.mark.rule("na41", "3.2b", "23.1b", "19.1.2a")
def test_who_has_many_rps_may_spend_some_before_the_event() -> None:
    s = empty("axis", "initial")
    s.rp[AXIS] = 4
    put(s, U("AX_TR1"), ELIMINATED)
    start(s, END, (F_INITIAL, 0))
    assert {"return AX_TR1", "buy comando_supremo", "event"} <= set(texts(s))
    assert "end-initial" not in texts(s)
    do(s, "return AX_TR1", "buy comando_supremo", "event")
    roll(s, 4, 4)  # 2 RPs
    assert s.rp[AXIS] == 4, "none of them is lost"
    assert texts(s)[-1] == "end-initial"
    s = empty("axis", "initial")
    s.rp[AXIS] = 1  # with 3 more he has all that he can hold
    start(s, END, (F_INITIAL, 0))
    assert s.actor == CHANCE
