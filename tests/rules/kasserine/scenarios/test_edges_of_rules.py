"""Edges of the rules, and what they say: what broken code would get wrong unseen."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.games.kasserine.combat.coordination import fire_net
from sandtable.games.kasserine.combat.fight import Fight
from sandtable.games.kasserine.combat.reckoning import leader_near
from sandtable.games.kasserine.combat.results import STAND, apply, finish, losers, taking_part
from sandtable.games.kasserine.combat.showing import chances_of
from sandtable.games.kasserine.combat.strengths import batteries, halvings
from sandtable.games.kasserine.combat.support import _command_odds
from sandtable.games.kasserine.paths.moves import tolls
from sandtable.games.kasserine.retreat.ways import Retreat, ways
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ids import GROUND_CHECK
from sandtable.games.kasserine.table.position import clear_marks, enter, put
from sandtable.games.kasserine.table.ratings import mover
from sandtable.games.kasserine.table.steps import CheckAt, LossAt, RetreatAt
from sandtable.mechanics.paths.charts import due

from ..combat.ch08combatkit import (
    ARMORED_GUNS,
    GRENADIERS,
    GRENADIERS2,
    GUNS,
    HQ,
    PZ,
    PZ2,
    PZG,
    PZHQ,
    RIFLES,
    RIFLES2,
    TANKS,
    TD,
    fight,
)
from ..combat.test_ch08_results import NOTHING, resolve, rule_against, surrounded
from ..kit import (
    ALLIED,
    AXIS,
    GAME,
    H,
    U,
    at,
    board,
    do,
    empty,
    place,
    start,
    texts,
    units,
    works,
)
from .edgesofruleskit import BESIDE, CORNER

rule = pytest.mark.rule
"""The first hex of the map is a hex like all others."""


# The corner of the map


@rule("kasserine", "8.71c", "8.73", "16.2")
def test_attackers_out_of_the_corner_hex_suffer_what_befalls_attackers() -> None:
    assert H(CORNER) == 0
    s = fight([PZ, PZG], [RIFLES], BESIDE, CORNER)
    assert taking_part(s, s.fight) == units(PZ, PZG)
    s.fight.green = True
    finish(s)
    assert s.disrupted == units(PZ)
    resolve(s, NOTHING._replace(attacker_eliminated=True))
    assert at(s, PZ) == at(s, PZG) == "eliminated"


@rule("kasserine", "6.01")
def test_who_leaves_the_corner_hex_is_there_no_longer() -> None:
    s = empty("axis_movement")
    place(s, PZ, CORNER)
    assert s.here == {0: units(PZ)}
    place(s, PZ, BESIDE)
    assert s.here == {H(BESIDE): units(PZ)}


@rule("kasserine", "6.67d", "6.67e")
def test_a_stack_overruns_out_of_the_corner_hex() -> None:
    s = empty("axis_movement")
    place(s, PZ, CORNER)
    s.stack_units, s.stack_spent = units(PZ), 0
    s.fight = Fight(board, target=H(BESIDE), side=AXIS, attackers=units(PZ))
    s.fight.overrun = 1
    start(s, steps.OVERRUN_END)
    do(s, f"to {BESIDE}")
    assert at(s, PZ) == BESIDE


@rule("kasserine", "8.55a", "3.12a", "6.21a")
def test_leaders_control_and_zones_in_the_corner() -> None:
    s = fight([PZ], [RIFLES], BESIDE, "0103")
    place(s, "ger_leader_rommel", CORNER)
    assert leader_near(s, U("ger_leader_rommel"), s.fight, False)
    put(s, U("ger_leader_rommel"), -3)
    assert not leader_near(s, U("ger_leader_rommel"), s.fight, False)
    s = empty("axis_movement")
    place(s, RIFLES, "6733")
    assert due(tolls(s, AXIS), H(CORNER)) == 0
    assert due(tolls(s, AXIS), H("6732")) > 0


@rule("kasserine", "11.15a")
def test_ground_units_take_strongpoints_that_they_enter_and_leaders_do_not() -> None:
    for name, takes in (("fr_xix_blm", True), ("us_leader_patton", False)):
        s = empty("allied_movement")
        works(s, AXIS, "strongpoint", "6733")
        enter(s, U(name), H("6733"))
        assert at(s, name) == "6733"
        assert bool(s.strongpoints[AXIS]) != takes


# 3.43, 8.4 Checks and their chances


@rule("kasserine", "3.43", "8.41d", "8.41e", "8.41f")
def test_the_chances_of_a_check_count_the_modifiers() -> None:
    found = chances_of("", 6, [], drm=1, ten=True)
    assert found.results == (("success", Fraction(5, 10)), ("half", Fraction(3, 10)), ("nothing", Fraction(2, 10)))
    found = chances_of("", 6, [], drm=-1, ten=True)
    assert found.results == (("success", Fraction(7, 10)), ("half", Fraction(3, 10)))
    assert chances_of("", 6, [], drm=2).results == (("success", Fraction(4, 10)), ("failure", Fraction(6, 10)))
    assert chances_of("", 10, [], drm=0, ten=True).results == (("success", Fraction(1)),)


@rule("kasserine", "12.22a", "12.23b")
def test_what_command_points_would_change_is_shown() -> None:
    s = fight([PZ], [RIFLES])
    place(s, PZHQ, "6736")
    f = CheckAt(steps.COMBAT_COMMAND, AXIS, GROUND_CHECK)
    with_, without = (_command_odds(s, f, GAME.parse(text)) for text in (f"command {PZHQ}", "no_command"))
    assert with_ is not None
    assert without is not None
    assert "12.23b" in {term.rule for term in with_.terms}
    assert "12.23b" not in {term.rule for term in without.terms}


@rule("kasserine", "12.31c", "12.32b")
def test_a_fire_net_reaches_as_far_as_commands_do() -> None:
    reach = board.charts.constants["command_range"]
    s = empty("allied_combat")
    place(s, [GUNS, HQ], "6734")
    s.fire_net = units(HQ)
    for distance in (reach, reach + 1):
        target = next(h for h in board.grid.hexes if board.grid.distance(H("6734"), h) == distance)
        assert fire_net(s, U(GUNS), target) == (U(HQ) if distance == reach else -1)


@rule("kasserine", "7.22", "3.42")
def test_the_chances_of_each_who_could_lead_an_attempt_are_shown() -> None:
    s = empty("allied_reaction")
    place(s, PZ, "6733")
    place(s, [TANKS, "us_1ad_3_1_ar"], "6732")
    s.aims = {H("6732"): units(PZ)}
    start(s, steps.AVOIDING)
    do(s, "avoid 6732")
    shown = [GAME.odds(s, GAME.parse(text)) for text in texts(s)]
    assert len(shown) == 2
    assert all(found is not None and found.terms[0].value == "4" for found in shown)


@rule("kasserine", "8.52b", "8.52c", "8.53")
def test_shifts_end_at_the_ends_of_the_table() -> None:
    for crt in board.charts.crts:
        last = len(crt.columns) - 1
        assert [crt.shifted(column, shift) for column, shift in ((0, -2), (1, -1), (last, 3), (last - 1, 1))] == [
            *(0, 0, last, last)
        ]


@rule("kasserine", "6.36", "3.55c", "3.53b")
def test_whose_attack_is_halved() -> None:
    def rules(unit: str, target: int) -> list[str]:
        return [cause.rule for cause in halvings(s, U(unit), target)]

    s = empty("axis_combat")
    place(s, [PZ, GRENADIERS], "6733")
    for h in board.grid.hexes:
        assert ("6.36" in rules(PZ, h)) == bool(board.terrain.mountain & 1 << h)
        assert "6.36" not in rules(GRENADIERS, h)
    works(s, ALLIED, "minefield", "6732")
    assert (rules(PZ, H("6732")), rules(GRENADIERS, H("6732"))) == (["3.55c"], [])


# 8.7, 8.8 Results and retreats


@rule("kasserine", "8.87ba")
def test_the_step_for_standing_is_lost_by_the_best_of_those_who_are_left() -> None:
    s = fight([PZ], [RIFLES, RIFLES2, HQ, GUNS])
    lost = LossAt(steps.LOSSES, ALLIED, 1, STAND)
    assert losers(s, lost) == units(RIFLES), "the lead"
    s.fight.lead[ALLIED] = U(TD)  # which is gone
    assert losers(s, lost) == units(GUNS), "5, as the HQ, which is no such unit"
    s = fight([PZ], [RIFLES, RIFLES2, HQ])
    s.fight.lead[ALLIED] = U(TD)
    assert losers(s, lost) == units(RIFLES, RIFLES2)
    s = fight([PZ], [HQ])
    s.fight.lead[ALLIED] = U(TD)
    assert losers(s, lost) == units(HQ)


@rule("kasserine", "8.72b", "3.42ba")
def test_a_shaded_cell_costs_one_step() -> None:
    s = fight([PZG, PZ, PZ2], [RIFLES, TD])
    apply(s, s.fight, NOTHING._replace(shaded=True))
    assert (s.fight.owed[AXIS], s.fight.armor_owed) == (1, 1)


@rule("kasserine", "8.77")
def test_both_sides_are_spared_a_step_and_no_more() -> None:
    s = fight([PZ, PZG], ["us_iic_443_aa"])  # one step
    apply(s, s.fight, NOTHING._replace(attacker_loss=3, defender_loss=2))
    assert s.fight.owed[AXIS] == 2
    s = fight(["ger_47gr_14_47"], [RIFLES, RIFLES2])
    s.step[U("ger_47gr_14_47")] = board.steps[U("ger_47gr_14_47")] - 1
    apply(s, s.fight, NOTHING._replace(attacker_loss=2, defender_loss=3))
    assert s.fight.owed[ALLIED] == 2


@rule("kasserine", "8.89a", "8.89b", "8.89d")
def test_a_special_retreat_leads_through_an_ezoc_into_a_free_hex() -> None:
    s = surrounded()
    place(s, ARMORED_GUNS, "6732")
    how = Retreat(H("6732"), 2, 2)
    found = ways(s, U(ARMORED_GUNS), how).special
    grid = board.grid
    ring = grid.within(H("6732"), 2) & ~grid.within(H("6732"), 1)
    assert found
    assert not found & ~ring
    for name, where in ((PZ, "6733"), (GRENADIERS, "6631"), (GRENADIERS2, "6831")):
        assert not found & grid.within(H(where), 1), name
    place(s, TANKS, "6731")  # friends hold one of the hexes in EZOCs: then there is a lawful way
    assert ways(s, U(ARMORED_GUNS), how).special == 0


@rule("kasserine", "8.89a", "8.89d", "8.81a")
def test_a_special_retreat_goes_step_by_step() -> None:
    """Where terrain lets nobody through no special retreat leads, whoever watches the hex behind it."""
    s = empty("axis_combat")
    u = U(ARMORED_GUNS)
    grid, exits = board.grid, s.ground.exits[mover(s, u)]
    met = 0
    for start_ in range(0, board.size, 9):
        if not exits[start_]:
            continue
        place(s, ARMORED_GUNS, grid.names[start_])
        watched = grid.within(start_, 1) & ~(1 << start_)
        s.zones[AXIS], s.memo = watched, {}
        found = ways(s, u, Retreat(start_, 2, 2))
        s.zones[AXIS] = watched
        beyond = 0
        for n in hexes_of(watched & exits[start_]):
            beyond |= exits[n] & ~grid.within(start_, 1)
        assert found.ends == 0
        assert found.special & ~beyond == 0
        met += bool(found.special)
    assert met > 50


@rule("kasserine", "8.88a", "8.89a")
def test_why_a_unit_does_not_break_out() -> None:
    s = empty("axis_combat")
    place(s, [RIFLES, RIFLES2], "6732")
    place(s, PZ, "6733")
    start(s, RetreatAt(steps.RETREATS, ALLIED, units(RIFLES), H("6732"), 1, 2))
    assert rule_against(s, f"break_out {RIFLES} 6730") == "8.88a"
    assert rule_against(s, f"break_out {RIFLES2} 6730") == "8.89a", "it does not have to retreat"


@rule("kasserine", "9.24b", "9.21")
def test_guns_with_other_troops_in_another_defending_hex_stay_with_them() -> None:
    s = fight([PZ], [RIFLES])
    place(s, [GUNS, RIFLES2], "6730")
    assert batteries(s, ALLIED, H("6732")) == units(GUNS)
    s.aims = {H("6732"): units(PZ), H("6730"): units(PZ2)}
    assert batteries(s, ALLIED, H("6732")) == 0
    place(s, RIFLES2, "6729")  # guns alone
    assert batteries(s, ALLIED, H("6732")) == units(GUNS)


@rule("kasserine", "8.74c", "7.12c")
def test_who_is_gone_is_of_no_attack_any_more() -> None:
    s = empty("axis_combat")
    place(s, [PZ, PZ2, PZG], "6733")
    place(s, RIFLES, "6732")
    s.aims = {H("6732"): units(PZ, PZ2), H("6632"): units(PZG)}
    clear_marks(s, U(PZ))
    assert s.aims == {H("6732"): units(PZ2), H("6632"): units(PZG)}
    clear_marks(s, U(PZG))
    assert s.aims == {H("6732"): units(PZ2)}
