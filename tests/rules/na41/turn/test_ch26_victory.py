"""26 Automatic victory."""

from __future__ import annotations

import pytest

from sandtable.games.na41.table.ids import ALLIED, AXIS, F_VICTORY
from sandtable.games.na41.table.state import State
from sandtable.mechanics.masks import hexes_in

from ..kit import H, board, controlled_by, empty, kinds, new, place, start
from ..phasekit import END


def judged(s: State) -> State:
    start(s, END, (F_VICTORY, 0))
    return s


def panzers_in_alexandria(turn_of: str = "allied") -> State:
    """The way from Tripoli is free of enemies but for what each test adds."""
    s = empty(turn_of, "supply")
    place(s, "GE_I5_5L", "2478")
    controlled_by(s, "axis", *(board.grid.names[h] for h in range(board.size) if board.controllable >> h & 1))
    return s


@pytest.mark.rule("na41", "26.1.1")
def test_the_axis_wins_in_alexandria_after_an_allied_supply_phase() -> None:
    s = judged(panzers_in_alexandria())
    assert s.ended is not None
    assert (s.ended.winner, s.ended.rule) == (AXIS, "26.1.1")


@pytest.mark.rule("na41", "26.1.1")
def test_not_after_its_own_supply_phase() -> None:
    assert judged(panzers_in_alexandria("axis")).ended is None


@pytest.mark.rule("na41", "26.1.1")
def test_not_without_control_a_combat_unit_or_full_supply() -> None:
    s = panzers_in_alexandria()
    controlled_by(s, "allied", "2478")
    assert judged(s).ended is None
    s = empty("allied", "supply")
    s.control = board.controllable
    place(s, "AX_TR1", "2478")
    assert judged(s).ended is None
    s = panzers_in_alexandria()
    ring = zip(hexes_in(board.around[H("2478")]), ("BR_1R", "BR_2R", "BR_4R", "BR_7R", "BR_5R", "BR_6R"), strict=False)
    for h, name in ring:
        place(s, name, board.grid.names[h])
    assert judged(s).ended is None


@pytest.mark.rule("na41", "26.1.2")
def test_the_allies_win_in_el_agheila_after_an_axis_supply_phase() -> None:
    s = empty("axis", "supply")
    place(s, "BR_5R", "1604")
    controlled_by(s, "allied", "1604")
    events = start(s, END, (F_VICTORY, 0))
    assert s.ended is not None
    assert (s.ended.winner, s.ended.rule) == (ALLIED, "26.1.2")
    assert kinds(events) == ["game_over"]


@pytest.mark.rule("na41", "26.1.2")
def test_the_allies_need_their_own_hex_and_the_enemys_player_turn() -> None:
    s = empty("allied", "supply")
    place(s, "BR_5R", "1604")
    controlled_by(s, "allied", "1604")
    assert judged(s).ended is None
    s = empty("axis", "supply")
    controlled_by(s, "allied", "1604")  # nobody is there
    assert judged(s).ended is None


def test_nobody_has_won_at_the_start() -> None:
    for scenario in ("s1_enter_rommel", "s2_campaign", "s3_crusader"):
        assert new(scenario).ended is None
