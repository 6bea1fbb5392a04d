"""Chapter 1: introduction."""

from __future__ import annotations

from math import hypot, sqrt

import pytest

from sandtable.games.caucasus.table.ids import AXIS, SIDES, SOVIET

from ..kit import GAME, H, board, new


@pytest.mark.rule("caucasus", "1.0a")
def test_two_sides_and_their_nations() -> None:
    assert GAME.info.sides == SIDES == ("axis", "soviet")
    nations = [{row["nation"] for row in board.pack.units.values() if row["side"] == side} for side in SIDES]
    assert nations[AXIS] == {"German", "Romanian", "Slovak", "Italian", "Eastern"}
    assert nations[SOVIET] == {"Soviet"}
    s = new()
    assert {board.names[h] for h in board.grid.hexes if s.control >> h & 1 and board.names[h]} >= {"Rostov"}
    dates = [board.turns[turn]["dates"] for turn in (1, 14)]
    assert "July 1942" in dates[0]
    assert "November 1942" in dates[1]


@pytest.mark.rule("caucasus", "1.0b")
def test_a_hex_is_29_kilometres_and_a_turn_about_a_week() -> None:
    # Derbent and Rostov are 577 km apart from north to south and 677 km from west to east: 889 km as the crow flies
    (row, column), (other, last) = (divmod(int(board.grid.names[H(n)]), 100) for n in ("Derbent", "Rostov"))
    across = 29.0  # from centre to centre along a row; rows lie the height of a triangle apart
    assert hypot((row - other) * across * sqrt(3) / 2, (column - last) * across) == pytest.approx(889, rel=0.02)
    days = {turn: board.turns[turn]["dates"] for turn in range(1, 8)}
    assert days[1] == "25-31 July 1942"  # A1 turns 1 to 7 are weeks
    assert days[7] == "5-11 September 1942"
