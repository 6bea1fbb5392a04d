"""Rules that games of the third edition did not know, or knew otherwise: as they are now, and as they were ruled."""

from __future__ import annotations

import pytest

from sandtable.games.kasserine.combat.fight import FULL_SUPPORT, Fight
from sandtable.games.kasserine.combat.strengths import fight_defense
from sandtable.games.kasserine.combat.support import FIRE
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.state import State

from ..combat.ch08combatkit import GUNS, HQ, PZ, RIFLES, fight
from ..kit import ALLIED, AXIS, H, U, at, board, do, empty, place, start, units, why, works

GUNS2 = "us_34id_151_fa"
BEFORE = 3


def rule_against(s: State, text: str) -> str:
    reason = why(s, text)
    return "" if reason is None else reason.rule


# 6.66, 9 artillery


@pytest.mark.rule("kasserine", "6.66c", "9.14a")
def test_artillery_that_is_overrun_defends_itself_and_supports_nobody() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733")
    place(s, [RIFLES, GUNS], "6732")
    overrun = Fight(board, overrun=1, target=H("6732"), side=AXIS, attackers=units(PZ))
    declared = Fight(board, target=H("6732"), side=AXIS, attackers=units(PZ))
    assert fight_defense(s, overrun).value == 4 + 1
    assert fight_defense(s, declared).value == 4 + 4
    s.edition = BEFORE
    assert fight_defense(s, overrun).value == 4 + 4


@pytest.mark.rule("kasserine", "9.3b", "9.1b", "9.28")
def test_support_of_the_defender_counts_no_more_than_the_troops_that_are_not_artillery() -> None:
    """A55"""
    s = fight([PZ], [RIFLES, GUNS])
    place(s, GUNS2, "6730")
    s.fired = units(GUNS)  # A79 it defends itself, with 1
    s.fight.guns[ALLIED], s.fight.artillery[ALLIED] = units(GUNS2), FULL_SUPPORT
    s.step[U(RIFLES)] = 1
    troops = board.defense[U(RIFLES)][1]
    assert troops < board.support[U(GUNS2)]
    assert fight_defense(s, s.fight).value == troops + 1 + troops
    s.edition = BEFORE
    assert fight_defense(s, s.fight).value == troops + 1 + min(troops + 1, board.support[U(GUNS2)])


@pytest.mark.rule("kasserine", "9.1b", "9.22", "9.23")
def test_artillery_supports_no_hex_in_which_artillery_is_alone() -> None:
    for target, rule in (([GUNS], "9.1b"), ([GUNS, HQ], "")):
        s = fight([PZ], target)
        place(s, GUNS2, "6730")
        reason = FIRE.why(U(GUNS2), s, ALLIED, {"unit": 0})
        assert ("" if reason is None else reason.rule) == rule
    s.fight.guns[ALLIED], s.fight.artillery[ALLIED] = units(GUNS2), FULL_SUPPORT
    assert fight_defense(s, s.fight).value == 1 + 1 + 1  # guns and HQ, and no more than the HQ has


# 14.3 exit


@pytest.mark.rule("kasserine", "11.15a", "12.41ba", "14.35")
def test_who_leaves_the_map_takes_what_lies_on_his_way() -> None:
    for edition, taken in ((4, True), (BEFORE, False)):
        s = empty("axis_movement")
        s.edition = edition
        place(s, PZ, "0311")
        place(s, "us_leader_harmon", "0111")
        works(s, ALLIED, "strongpoint", "0211")
        start(s, steps.MOVES)
        do(s, f"move {PZ}", "exit 0111")
        assert at(s, PZ) == "exited"
        assert (at(s, "us_leader_harmon") == "eliminated") == taken
        assert bool(s.strongpoints[ALLIED]) != taken
