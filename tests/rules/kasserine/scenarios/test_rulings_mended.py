"""Rules that games of the third edition did not know, or knew otherwise: as they are now, and as they were ruled."""

from __future__ import annotations

import pytest

from sandtable.games.kasserine.combat.fight import FULL_SUPPORT, Fight
from sandtable.games.kasserine.combat.results import apply, settle_retreats
from sandtable.games.kasserine.combat.strengths import fight_defense
from sandtable.games.kasserine.combat.support import FIRE
from sandtable.games.kasserine.movement.stacks import group
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.charts import Result
from sandtable.games.kasserine.table.ids import TO_COME
from sandtable.games.kasserine.table.position import put
from sandtable.games.kasserine.table.script import script_of
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import RetreatAt
from sandtable.games.kasserine.turn.air import VictimAt

from ..combat.ch08combatkit import GUNS, HQ, PZ, PZG, RIFLES, fight
from ..kit import ALLIED, AXIS, H, U, at, board, do, empty, place, start, texts, units, why, works

GUNS2 = "us_34id_151_fa"
NOTHING = Result("", False, 0, False, False, False, 0, False, False, False)
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


# 6.02, 14.26 stacks


@pytest.mark.rule("kasserine", "6.02", "6.67e")
def test_a_stack_drops_units_on_its_way_and_takes_nobody_back() -> None:
    s = empty("axis_movement")
    place(s, [PZ, PZG, "ger_army_1_501_tiger"], "6733")
    start(s, steps.MOVES)
    do(s, f"stack {PZ}", f"join {PZG}", "join ger_army_1_501_tiger")
    assert rule_against(s, f"drop {PZG}") == "6.02"  # it has not set out
    do(s, "to 6732")
    left = group(s).left
    do(s, "drop ger_army_1_501_tiger")
    assert at(s, "ger_army_1_501_tiger") == "6732"
    assert group(s).left == left + 4  # MA 8 instead of 6: the slowest that is still with it
    assert rule_against(s, "join ger_army_1_501_tiger") == "6.61c"
    do(s, f"drop {PZG}")
    assert rule_against(s, f"drop {PZ}") == "6.02"
    do(s, "halt")
    assert {f"move {name}" for name in (PZ, PZG)} & set(texts(s)) == set()
    s = empty("axis_movement")
    s.edition = BEFORE
    place(s, [PZ, PZG], "6733")
    start(s, steps.MOVES)
    do(s, f"stack {PZ}", f"join {PZG}", "to 6732")
    assert not any(text.startswith("drop") for text in texts(s))


@pytest.mark.rule("kasserine", "6.02", "6.15a")
def test_a_stack_drops_nobody_where_he_may_not_end_his_move() -> None:
    s = empty("allied_movement")
    tanks = ["us_1ad_2_1_ar", "us_1ad_3_1_ar"]
    place(s, tanks, "6733")
    place(s, "ger_47gr_i_47", "6833")
    around = board.grid.neighbours[H("6732")]
    works(s, AXIS, "strongpoint", *(board.grid.names[n] for _, n in around if n != H("6733")))
    start(s, steps.MOVES)
    do(s, f"stack {tanks[0]}", f"join {tanks[1]}", "to 6732")
    assert rule_against(s, f"drop {tanks[0]}") == "6.15a"


@pytest.mark.rule("kasserine", "14.26")
def test_a_reinforcement_may_overrun_as_it_comes_on() -> None:
    for edition, asked in ((4, True), (BEFORE, False)):
        s = empty("axis_movement", turn=2)
        s.edition = edition
        u = U("ger_dak_i_8_pz")
        group_of = next(i for i, g in enumerate(script_of(board, s.scenario).groups) if u in g.units)
        put(s, u, TO_COME)
        s.due[u], s.group[u], s.gate[u] = 2, group_of, board.entry_letters.index("O")
        place(s, RIFLES, "3847")
        start(s, steps.MOVES)
        do(s, "enter ger_dak_i_8_pz", "to 3848")
        assert ("overrun 3847" in texts(s)) == asked
        if asked:
            assert group(s).left == 2 * 8 - 1 - 2  # the road of the entry hex and its EZOC are paid
            assert rule_against(s, f"join {PZ}") != ""
            do(s, "halt")
        assert s.moved >> u & 1


# 12.41 leaders


@pytest.mark.rule("kasserine", "12.41c", "8.71b")
def test_a_leader_may_go_back_with_the_attackers_and_need_not() -> None:
    for edition, asked in ((4, True), (BEFORE, False)):
        s = fight([PZ], [RIFLES])
        s.edition = edition
        place(s, "ger_leader_rommel", "6733")
        apply(s, s.fight, NOTHING._replace(attacker_retreats=True))
        settle_retreats(s)
        start(s, *s.stack[-1:])
        do(s, next(text for text in texts(s) if text.startswith(f"retreat {PZ}")))
        if not asked:
            assert at(s, "ger_leader_rommel") == "6733"
            continue
        assert s.actor == AXIS
        assert "stay" in texts(s)
        other = s.copy()
        do(other, "stay")
        assert at(other, "ger_leader_rommel") == "6733"
        do(s, next(text for text in texts(s) if text.startswith("retreat ger_leader_rommel")))
        assert at(s, "ger_leader_rommel") != "6733"


@pytest.mark.rule("kasserine", "8.71a", "12.41c")
def test_who_has_to_retreat_does_not_stay() -> None:
    s = fight([PZ], [RIFLES])
    start(s, RetreatAt(steps.RETREATS, ALLIED, units(RIFLES), H("6732"), 1, 2))
    assert rule_against(s, "stay") == "8.71a"
    s = fight([PZ], [RIFLES])
    place(s, "us_leader_harmon", "6732")
    start(s, RetreatAt(steps.RETREATS, AXIS, units("us_leader_harmon"), H("6732"), 2, 2, 0, 1))
    assert "stay" not in texts(s)  # 6.67c the overrunner does not keep him there


# 10.38 priority supply


@pytest.mark.rule("kasserine", "10.37b", "10.38a")
def test_a_unit_that_was_spared_is_not_chosen_again() -> None:
    for edition, again in ((4, False), (BEFORE, True)):
        s = empty("joint_air")
        s.edition = edition
        tanks = ["us_1ad_2_1_ar", "us_1ad_3_1_ar", "us_1ad_1_1_ar", "us_1ad_2_13_ar"]
        place(s, tanks, "6733")
        start(s, VictimAt(steps.RAID_VICTIMS, AXIS, 2))
        do(s, f"starve {tanks[0]}", f"spare {tanks[1]}", f"spare {tanks[2]}")
        assert s.actor == AXIS
        assert (f"starve {tanks[0]}" in texts(s)) == again
        if not again:
            assert rule_against(s, f"starve {tanks[0]}") == "10.38a"
