"""S3 Crusader."""

from __future__ import annotations

import pytest

from sandtable.games.na41.movement.anti_shipping import crete
from sandtable.games.na41.supply.support import superiority
from sandtable.games.na41.table.ids import ALLIED, AXIS, F_VICTORY, UNUSED
from sandtable.games.na41.table.scenarios import script

from ..kit import GAME, U, at, board, controlled_by, empty, hexes, new, start
from ..phasekit import END

OBJECTIVES = ("3138", "2937", "3041", "3629", "3332")
SCENARIO = "s3_crusader"


@pytest.mark.rule("na41", "S3.1a", "S3.1b", "S3.1c", "S3.1d", "S3.1f")
def test_the_table_of_the_crusader_card() -> None:
    s = new(SCENARIO)
    assert len([h for h in s.at if h >= 0]) == 117
    assert s.at[U("GE_I5_5L")] == UNUSED  # it is 21st Panzer by now
    assert at(s, "AL_TOB") == "3138"
    assert s.malta == 3
    assert board.turns[17]["malta_side"] == "allied"
    assert hexes(s.control & board.airfields) == {"3212", "3629", "3041"}
    assert crete(s) == AXIS
    assert not any(s.port_level)
    assert s.rp == [0, 0]
    assert [m.bit_count() for m in s.forts] == [10, 4]
    assert superiority(s) == ALLIED


@pytest.mark.rule("na41", "S3.1e", "S3.2a")
def test_it_begins_with_the_allied_initial_phase_of_turn_17() -> None:
    s = new(SCENARIO)
    assert (s.turn, s.impulse, s.active) == (17, 1, ALLIED)
    assert GAME.prompt(s).rules == ("23.1a",)
    assert s.sp[AXIS].get(board.italy) is None  # no Preparation Phase


@pytest.mark.rule("na41", "S3.2b")
def test_it_lasts_three_turns_of_three_impulses() -> None:
    s = new(SCENARIO)
    assert (script(s).first_turn, script(s).last_turn) == (17, 19)
    assert all(board.turns[t]["impulses"] == [1, 2, 3] for t in (17, 18, 19))
    s = empty(turn=18, scenario=SCENARIO)
    start(s, END, (F_VICTORY, 1))
    assert s.ended is None


@pytest.mark.rule("na41", "S3.3")
def test_three_of_five_hexes_win() -> None:
    goals = script(empty(scenario=SCENARIO)).objectives
    assert goals is not None
    assert hexes(goals.hexes) == set(OBJECTIVES)
    for count, winner in ((2, ALLIED), (3, AXIS)):
        s = empty(turn=19, scenario=SCENARIO)
        controlled_by(s, "axis", *OBJECTIVES[:count])  # nobody is in supply, which is irrelevant
        start(s, END, (F_VICTORY, 1))
        assert s.ended is not None
        assert (s.ended.winner, s.ended.rule) == (winner, "S3.3")
