"""Chapter 19: the optional rule."""

from __future__ import annotations

import pytest

from sandtable.games.rommel.table.ids import F_MOVES
from sandtable.games.rommel.table.state import State, put

from ..kit import GAME, H, U, board, do, start, texts

TANKS = {"CW-1AT", "CW-32AT"}


@pytest.mark.rule("rommel", "19.1a")
def test_the_two_army_tank_brigades_are_infantry_tanks() -> None:
    assert {name for name in board.units if board.unit_types[U(name)] == "infantry_tank"} == TANKS
    assert {board.unit_names[U(name)] for name in TANKS} == {"1 Army Tank", "32 Army Tank"}


@pytest.mark.rule("rommel", "19.1b")
def test_infantry_tanks_have_speed_two_and_nothing_else_changes() -> None:
    slow = GAME.new("1942", {"infantry_tanks": True}).board
    for name in board.units:
        assert slow.speed[U(name)] == (2 if name in TANKS else board.speed[U(name)])
    assert {board.speed[U(name)] for name in TANKS} == {3}
    for table in ("cls", "step_cv", "max_cv", "weight2", "rebuild_cost", "fire"):  # M16
        assert getattr(slow, table) == getattr(board, table)


@pytest.mark.rule("rommel", "19.1b")
@pytest.mark.parametrize(("chosen", "far"), [(False, 3), (True, 2)])
def test_infantry_tanks_on_the_move(chosen: bool, far: int) -> None:
    s = GAME.new("1942", {"infantry_tanks": chosen})
    moving = State(s.board, scenario="1942")
    moving.month, moving.active, moving.option = 11, 1, 0
    u = U("CW-1AT")
    moving.cv[u] = board.max_cv[u]
    put(moving, u, H("0918"))  # open desert without roads
    start(moving, (F_MOVES, 0, 0))
    do(moving, "group 0918 0", "move CW-1AT")
    reached = [H(t.split()[1]) for t in texts(moving) if t.startswith("to ")]
    assert max(board.grid.distance(h, H("0918")) for h in reached) == far


@pytest.mark.rule("rommel", "19.1b")
@pytest.mark.parametrize(("chosen", "speed"), [(False, 3), (True, 2)])
def test_the_table_shows_the_speed_that_is_played(chosen: bool, speed: int) -> None:
    s = GAME.new("gazala", {"infantry_tanks": chosen})
    shown = {item["unit"]: item["detail"] for item in GAME.scene(GAME.view(s, 1))["counters"] if "unit" in item}
    assert shown.keys() >= TANKS
    assert all(f"speed {speed}" in shown[name] for name in TANKS)
