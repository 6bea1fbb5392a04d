"""1 Introduction: what the game is about, and its words."""

from __future__ import annotations

import pytest

from sandtable.games.na41.table.ids import SIDES

from ..kit import GAME, board


@pytest.mark.rule("na41", "1.0a")
def test_two_sides_from_march_to_december_1941() -> None:
    assert SIDES == ("axis", "allied")
    assert GAME.info.sides == SIDES
    assert [board.turns[t]["date"] for t in (1, 2, 3, 19)] == [
        "1941 March II",
        "1941 April I",
        "1941 April II",
        "1941 December II",
    ]
    assert len(board.turns) == 19
    assert {scenario.id for scenario in GAME.scenarios()} - {"s4_first_battle"} == {
        *("s1_enter_rommel", "s2_campaign", "s3_crusader")
    }
