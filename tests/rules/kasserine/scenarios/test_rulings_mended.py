"""Rules that games of the third edition did not know, or knew otherwise: as they are now, and as they were ruled."""

from __future__ import annotations

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.games.kasserine.combat.coordination import Helped, check_terms, helped, hqs_of
from sandtable.games.kasserine.combat.fight import FULL_SUPPORT, Fight
from sandtable.games.kasserine.combat.results import LOSE, RESULT, STAND, apply, settle_retreats
from sandtable.games.kasserine.combat.strengths import fight_defense
from sandtable.games.kasserine.combat.support import COMMAND, FIRE
from sandtable.games.kasserine.movement.arrivals import entry_leg
from sandtable.games.kasserine.movement.orders import exits
from sandtable.games.kasserine.movement.stacks import group
from sandtable.games.kasserine.retreat.ways import Retreat, ways
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.charts import Result
from sandtable.games.kasserine.table.ids import AIR_CHECK, GROUND_CHECK, TO_COME
from sandtable.games.kasserine.table.position import eliminate, put
from sandtable.games.kasserine.table.script import script_of
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import CheckAt, LossAt, RetreatAt, UnitAt
from sandtable.games.kasserine.turn.air import VictimAt
from sandtable.games.kasserine.turn.declaration import DECLARE
from sandtable.games.kasserine.turn.reaction import AVOID
from sandtable.games.kasserine.turn.reaction import COMMAND as REACTION_COMMAND

from ..combat.ch08combatkit import GUNS, HQ, PZ, PZG, RIFLES, fight, why_no_advance
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


# 6.67 overruns


@pytest.mark.rule("kasserine", "6.67d")
def test_games_of_the_third_edition_enter_the_hex_they_have_overrun_at_once() -> None:
    for edition, where in ((4, "6733"), (BEFORE, "6732")):
        s = empty("axis_movement")
        s.edition = edition
        place(s, PZ, "6733")
        s.stack_units, s.stack_spent = units(PZ), 6
        s.fight = Fight(board, overrun=1, target=H("6732"), side=AXIS, attackers=units(PZ))
        start(s, steps.STACK_MOVES, steps.OVERRUN_END)
        assert at(s, PZ) == where
        assert s.actor == AXIS


# 12.2 Command Points: which rule, and why not


def command(target: list[str], attackers: list[str], *others: tuple[str, str]) -> State:
    s = fight(attackers, target)
    for name, hex_ in others:
        place(s, name, hex_)
    start(s, CheckAt(steps.COMBAT_COMMAND, AXIS, GROUND_CHECK))
    return s


@pytest.mark.rule("kasserine", "12.13b", "12.13c", "12.14a", "12.23b", "12.24", "12.35")
def test_why_a_headquarters_does_not_help_names_its_rule() -> None:
    hq, other = "ger_10pz_10_pz_hq", "ger_21pz_21_pz_hq"
    s = command([RIFLES], [PZ], (hq, "6734"), (other, "6734"))
    assert rule_against(s, f"command {hq}") == ""
    assert rule_against(s, f"command {other}") == "12.13c"
    place(s, hq, "6738")
    place(s, "ger_10pz_i_69", "6733")
    s.choices, s.memo = None, {}
    assert rule_against(s, f"command {hq}") == "12.14a"
    s.fight.commanded[AXIS] = U(hq)
    assert rule_against(s, f"command {hq}") == "12.23b"
    s = command([RIFLES], ["ger_army_1_501_tiger"], (hq, "6734"))
    reason = COMMAND.why(U(hq), s, helped(s, s.fight, AXIS, GROUND_CHECK), {"unit": 0})
    assert reason is not None
    assert reason.rule == "12.13b"


@pytest.mark.rule("kasserine", "12.23b", "12.23c")
def test_the_defender_spends_by_a_rule_of_his_own() -> None:
    s = fight([PZ], [RIFLES])
    for side, rule in ((AXIS, "12.23b"), (ALLIED, "12.23c")):
        s.fight.points[side], s.fight.on[side] = 2, AIR_CHECK
        assert [item.rule for item in check_terms(s, s.fight, side, AIR_CHECK) if item.value == -2] == [rule]


@pytest.mark.rule("kasserine", "12.13b", "12.13c", "12.14a", "12.35", "12.23a")
def test_why_a_headquarters_does_not_help_a_reaction() -> None:
    s = empty("allied_reaction")
    s.active = AXIS
    tanks, hq = "us_1ad_2_1_ar", "us_1ad_1_ad_hq"
    place(s, tanks, "6732")
    place(s, [hq, HQ], "6731")

    def rule(name: str, lead: int = U(tanks)) -> str:
        reason = REACTION_COMMAND.why(U(name), s, Helped(ALLIED, lead, hqs_of(s, lead)), {"unit": 0})
        return "" if reason is None else reason.rule

    assert rule(hq) == ""
    assert rule(HQ) == "12.13c"
    s.fire_net = units(hq)
    assert rule(hq) == "12.35"
    s.fire_net = 0
    place(s, hq, "6726")
    assert rule(hq) == "12.14a"
    assert rule(hq, lead=U("us_army_1rngr")) == "12.13b"


# 7, 8, 14 reasons with their own rule


@pytest.mark.rule("kasserine", "7.11a", "7.14a", "7.14b", "7.15", "8.13")
def test_why_a_hex_cannot_be_attacked() -> None:
    def rule(*own: str, hex_: str = "6732", from_: str = "6733", oos: bool = False) -> str:
        s = empty("axis_movement")
        place(s, RIFLES, hex_)
        place(s, PZ, "0101")  # somebody far away who cannot help
        for name in own:
            place(s, name, from_, oos=oos)
        reason = DECLARE.why(H(hex_), s, None, {"hex": H(hex_)})
        return "" if reason is None else reason.rule

    assert rule("ger_47gr_i_47") == ""
    assert rule() == "7.11a"
    assert rule("ger_10pz_10_pz_hq") == "7.11a"
    assert rule("ger_47gr_14_47", oos=True) == "7.14b"  # 1 at half
    mountain, beside = next(
        (h, n)
        for h in board.grid.hexes
        for d, n in board.grid.neighbours[h]
        if board.terrain.mountain >> h & 1
        and not board.terrain.mountain >> n & 1
        and not board.grounds[0].exits[0][n] >> h & 1
    )
    assert rule("ger_10pz_i_69", hex_=board.grid.names[mountain], from_=board.grid.names[beside]) == "7.15"


@pytest.mark.rule("kasserine", "8.72b", "8.75", "8.87ba", "6.67fa")
def test_why_another_unit_loses_the_step() -> None:
    s = fight([PZ, PZG], [RIFLES])
    start(s, LossAt(steps.LOSSES, AXIS, 2, RESULT))
    assert at(s, PZ) == "6733"  # the lead has lost the first step by itself
    f = LossAt(steps.LOSSES, AXIS, 1, RESULT)
    rules = {}
    for name, armor in ((PZG, 0), (PZG, 1)):
        s.fight.armor_owed = armor
        reason = LOSE.why(U(name), s, f, {"unit": 0})
        rules[armor] = "" if reason is None else reason.rule
    assert rules == {0: "8.75", 1: "8.72b"}
    s.fight.armor_owed = 0
    reason = LOSE.why(U("us_34id_2_133"), s, LossAt(steps.LOSSES, ALLIED, 1, STAND), {"unit": 0})
    assert reason is not None
    assert reason.rule == "8.87ba"


@pytest.mark.rule("kasserine", "14.31b", "14.32", "14.33", "15.13f")
def test_why_a_unit_cannot_leave_the_map() -> None:
    def rule(name: str, from_: str, hex_: str, turn: int = 6, phase: str = "axis_movement") -> str:
        s = empty(phase, turn=turn)
        place(s, name, from_)
        start(s, steps.MOVES)
        do(s, f"move {name}")
        return rule_against(s, f"exit {hex_}")

    assert rule(PZ, "0211", "0111") == ""
    assert rule(PZ, "0211", "0210") == "14.32"
    assert rule("ger_army_1_501_tiger", "0211", "0111", turn=4) == "15.13f"
    assert rule(PZ, "3030", "0111") == "14.31b"
    assert rule(RIFLES, "7004", "7004", phase="allied_movement") == "14.33"


@pytest.mark.rule("kasserine", "8.9", "8.91a", "8.91d", "8.95", "8.96")
def test_why_a_unit_does_not_advance() -> None:
    s = fight([PZ], [RIFLES])
    assert forbidden(s, "6732") == "8.9"
    eliminate(s, U(RIFLES), "8.71d")
    assert forbidden(s, "6732") == ""
    assert forbidden(s, "6731") == "8.91a"  # one hex on the Assault CRT
    s.fight.crt = 1
    assert forbidden(s, "6731") == ""
    s.disrupted = units(PZ)
    assert forbidden(s, "6731") == "8.91d"
    s.disrupted = 0
    place(s, ["ger_10pz_ii_7_pz", "ger_21pz_i_5_pz", "ger_21pz_ii_5_pz"], "6732")
    assert forbidden(s, "6732") == "8.95"
    s.fight.last_step_stood = 1
    assert forbidden(s, "6732") == "8.96"


def forbidden(s: State, hex_: str) -> str:
    return why_no_advance(s, PZ, hex_)


@pytest.mark.rule("kasserine", "7.33a", "6.15a", "6.01")
def test_why_a_reacting_unit_does_not_go_there() -> None:
    s = empty("allied_reaction")
    s.active = AXIS
    tanks = "us_1ad_2_1_ar"
    place(s, tanks, "5521")
    place(s, RIFLES, "5523")
    place(s, PZ, "5524")
    s.aims = {H("5523"): units(PZ)}
    start(s, UnitAt(steps.REACTION_MOVE, U(tanks)))
    assert s.actor == ALLIED
    beside = next(n for _, n in board.grid.neighbours[H("5524")] if n not in (H("5523"),))
    assert rule_against(s, f"to {board.grid.names[beside]}") == "7.33a"
    assert rule_against(s, "to 0101") == "6.01"
    assert rule_against(s, "to 5523") == ""


# 11.32 minefields at the edge of the map


@pytest.mark.rule("kasserine", "11.32c", "14.35")
def test_whom_a_minefield_stops_in_the_exit_hex_does_not_leave_in_that_phase() -> None:
    for name, edition, leaves in ((PZ, 4, False), (PZ, BEFORE, True), ("ger_47gr_i_47", 4, True)):
        s = empty("axis_movement")
        s.edition = edition
        place(s, name, "0211")
        works(s, ALLIED, "minefield", "0111")
        assert bool(exits(s, U(name))) == leaves
        place(s, name, "0111")
        s.memo = {}
        assert exits(s, U(name))  # in a later phase it may


@pytest.mark.rule("kasserine", "11.32c", "14.22", "14.24")
def test_a_mined_entry_hex_stops_motorized_reinforcements() -> None:
    for edition, goes in ((4, False), (BEFORE, True)):
        s = empty("axis_movement", turn=2)
        s.edition = edition
        works(s, ALLIED, "minefield", "3848")
        leg = entry_leg(s, U("ger_dak_i_8_pz"), H("3848"))
        assert leg is not None
        assert bool(leg.everywhere() & ~(1 << H("3848"))) == goes


# 7.2 avoiding combat


@pytest.mark.rule("kasserine", "7.22b", "7.25", "8.82b")
def test_a_stack_avoids_combat_only_where_there_is_room_for_all_of_it() -> None:
    tanks = ["us_1ad_2_1_ar", "us_1ad_3_1_ar"]
    for edition, tries in ((4, False), (BEFORE, True)):
        s = empty("allied_reaction")
        s.active, s.edition = AXIS, edition
        place(s, tanks, "6732")
        place(s, PZ, "6733")
        s.aims = {H("6732"): units(PZ)}
        ring = board.grid.within(H("6732"), 2) & ~board.grid.within(H("6732"), 1)
        crowd = ["us_1ad_1_1_ar", "us_1ad_1_13_ar"]
        place(s, crowd, "6730")  # room for one battalion more
        for h in hexes_of(ring & ~(1 << H("6730"))):
            s.aims[h] = 0  # 7.24 all other hexes are attacked too
        reason = AVOID.why(H("6732"), s, None, {"hex": 0})
        assert (reason is None) == tries
        if reason is not None:
            assert reason.rule == "8.82b"
        assert not ways(s, U(tanks[0]), Retreat(H("6732"), 2, 2, ring)).ends
