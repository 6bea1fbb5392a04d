"""Chapter 21: the tournament scenario."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import Outcome
from sandtable.games.caucasus.table.ids import (
    ALPINI,
    AXIS,
    F_CORPS,
    F_INITIAL,
    F_TABLE,
    F_VICTORY,
    SOVIET,
    T_ALPINI,
    T_REPLACEMENT,
    UNUSED,
)
from sandtable.games.caucasus.table.scenarios import script
from sandtable.games.caucasus.table.state import State, put, vp

from ..kit import GAME, H, U, board, empty, new, start
from .test_ch19_victory import holding, judged

STOP = (F_CORPS,)


@pytest.mark.rule("caucasus", "21.0")
def test_seven_turns_with_the_campaign_set_up() -> None:
    s, campaign = new("tournament"), new("campaign")
    assert (script(s).first_turn, script(s).last_turn) == (1, 7)
    assert script(s).setup == script(campaign).setup
    assert script(s).zones == script(campaign).zones
    assert (s.control, s.air, s.none_chits, s.fleet_away) == (campaign.control, campaign.air, 6, 2)
    for u in range(len(board.units)):
        late = script(campaign).due.get(u, 0) > 7 or script(campaign).boxes.get(u) == ALPINI
        assert s.at[u] == (UNUSED if late else campaign.at[u])
    assert [one.length for one in GAME.scenarios() if one.id == "tournament"] == ["7 turns"]


@pytest.mark.rule("caucasus", "21.1")
def test_no_alpini_roll_on_turn_5() -> None:
    def fifth(scenario: str) -> State:
        s = empty("axis", 5, "axis_initial", scenario)
        put(s, U("IT-2Alp"), ALPINI)
        start(s, STOP, (F_INITIAL, AXIS, 0))
        return s

    assert fifth("tournament").stack[-1] == (F_TABLE, T_REPLACEMENT, 0)
    assert fifth("campaign").stack[-1] == (F_TABLE, T_ALPINI, 0)


@pytest.mark.rule("caucasus", "21.2")
def test_fourteen_points_win_on_turn_7() -> None:
    assert judged(holding(14, 7, "tournament")) == Outcome(AXIS, "victory", 14, "21.2")
    assert judged(holding(15, 7, "tournament")) == Outcome(AXIS, "victory", 15, "21.2")  # par + 7, but the last turn
    assert judged(holding(13, 6, "tournament")) is None  # par + 6
    assert judged(holding(14, 7)) is None  # the campaign goes on


@pytest.mark.rule("caucasus", "21.3")
def test_the_soviet_wins_otherwise_and_by_par_on_turn_6() -> None:
    assert judged(holding(13, 7, "tournament")) == Outcome(SOVIET, "victory", 13, "21.3")
    below = judged(holding(6, 6, "tournament"))
    assert below is not None
    assert (below.winner, below.rule) == (SOVIET, "21.3")
    assert judged(holding(7, 6, "tournament")) is None


@pytest.mark.rule("caucasus", "21.2")
def test_x_h2_the_historical_line_of_turn_7_is_fourteen_points() -> None:
    s = empty("axis", 7, "victory", "tournament")
    for name in board.pack.tables["victory"]["historical_turn_7"]:
        s.control |= 1 << H(name)
    assert {"Novorossiysk", "Mozdok"} <= set(board.pack.tables["victory"]["historical_turn_7"])
    assert vp(s) == 14
    start(s, STOP, (F_VICTORY,))
    assert s.ended is not None
    assert s.ended.winner == AXIS
