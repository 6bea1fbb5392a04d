"""Rulings that two chapters meet in: duds in combat, builders who stay, leaders who follow, overruns out of a ring,
stacks that pass out of supply."""

from __future__ import annotations

import pytest

from sandtable.engine.log import Header, Log
from sandtable.engine.migrations import migrate
from sandtable.games.kasserine.combat.chain import begin
from sandtable.games.kasserine.combat.reckoning import reckon
from sandtable.games.kasserine.movement.stacks import group
from sandtable.games.kasserine.paths.moves import ways_on
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import At, HexAt, StageAt

from ..kit import ALLIED, AXIS, GAME, H, U, at, do, empty, mask, of_kind, place, start, texts, units, why, works

PZ, PZ2 = "ger_10pz_i_7_pz", "ger_10pz_ii_7_pz"
RIFLES, TANKS, TANKS2, ARMORED_RIFLES = "us_34id_1_133", "us_1ad_2_1_ar", "us_1ad_3_1_ar", "us_1ad_1_6_air"


def combat(edition: int) -> State:
    """Tanks before an Untried minefield, when the modifiers are determined."""
    s = empty("axis_combat")
    s.edition = edition
    place(s, [PZ, PZ2], "6733")
    place(s, RIFLES, "6732")
    works(s, ALLIED, "minefield", "6732", untried=True)
    s.aims = {H("6732"): units(PZ, PZ2)}
    begin(s, At(steps.COMBATS), H("6732"))
    s.fight.lead = [U(PZ), U(RIFLES)]
    s.stack.clear()
    start(s, StageAt(steps.COMBAT_CHAIN, 14))
    return s


@pytest.mark.rule("kasserine", "3.55c", "11.45g", "3.42bc")
def test_armor_stays_halved_before_a_minefield_that_proves_a_dud_in_the_combat() -> None:
    """A67 only the modifier and the armor loss vanish."""
    s = combat(2)
    before = reckon(s, s.fight).attack.value
    odds = of_kind(do(s, "reveal 0"), "odds")[0].data
    assert odds["attack"] == before
    assert not any(drm.rule == "8.61d" for drm in reckon(s, s.fight).drms)
    s = combat(1)  # as games of the first version go on
    assert of_kind(do(s, "reveal 0"), "odds")[0].data["attack"] > before


def building(side: int, builder: str, h: str) -> State:
    s = empty("axis_movement" if side == ALLIED else "allied_movement")
    place(s, builder, h)
    s.building[side] |= 1 << H(h)
    s.builder[H(h)] = U(builder)
    return s


@pytest.mark.rule("kasserine", "11.23b", "7.21a")
def test_a_builder_does_not_avoid_combat() -> None:
    """A89 he does not leave of his own will."""
    s = building(ALLIED, ARMORED_RIFLES, "6732")
    place(s, PZ, "6733")
    s.aims = {H("6732"): units(PZ)}
    frame = GAME.frames[steps.AVOIDING]
    reason = frame.why_not(s, At(steps.AVOIDING), GAME.parse("avoid 6732"))
    assert reason is not None
    assert reason.rule == "11.23b"
    assert GAME.parse("avoid 6732") not in frame.legal(s, At(steps.AVOIDING))
    s.builder.clear()
    s.building[ALLIED] = 0
    s.memo = {}
    assert GAME.parse("avoid 6732") in frame.legal(s, At(steps.AVOIDING))


@pytest.mark.rule("kasserine", "11.23b", "7.22c")
def test_a_builder_does_not_follow_into_a_hex_that_was_left() -> None:
    s = building(ALLIED, RIFLES, "6733")
    s.active = s.actor = ALLIED
    place(s, TANKS, "6733")
    s.aims = {H("6732"): units(RIFLES, TANKS)}
    start(s, HexAt(steps.AVOID_ADVANCE, H("6732")))
    assert texts(s) == [f"advance {TANKS} 6732", "end_advance"]


@pytest.mark.rule("kasserine", "15.13d", "7.22c")
def test_nobody_follows_into_hexes_that_his_orders_close() -> None:
    s = empty("axis_movement", turn=2)
    place(s, PZ, "3020")
    west = next(n for _, n in s.board.grid.neighbours[H("3020")] if s.board.column_of[n] == 29)
    s.aims = {west: units(PZ)}
    start(s, HexAt(steps.AVOID_ADVANCE, west))
    assert not s.aims
    assert at(s, PZ) == "3020"
    s = empty("axis_movement", turn=5)
    place(s, PZ, "3020")
    s.aims = {west: units(PZ)}
    start(s, HexAt(steps.AVOID_ADVANCE, west))
    assert f"advance {PZ} {s.board.grid.names[west]}" in texts(s)


@pytest.mark.rule("kasserine", "12.41c", "8.93a")
def test_a_leader_may_advance_after_the_last_of_his_stack() -> None:
    s = empty("axis_combat")
    place(s, [PZ, "ger_leader_rommel"], "6733")
    place(s, RIFLES, "6732")
    s.aims = {H("6732"): units(PZ)}
    begin(s, At(steps.COMBATS), H("6732"))
    s.fight.lead = [U(PZ), U(RIFLES)]
    s.stack.clear()
    place(s, RIFLES, "5040")
    start(s, steps.ADVANCES)
    do(s, f"advance {PZ} 6732")
    assert "advance ger_leader_rommel 6732" in texts(s)
    do(s, "advance ger_leader_rommel 6732")
    assert at(s, "ger_leader_rommel") == "6732"


@pytest.mark.rule("kasserine", "6.6b", "6.61", "6.15a")
def test_a_ring_of_enemies_does_not_keep_tanks_from_an_overrun() -> None:
    """A83 where a unit cannot go anywhere it may still break into an enemy's hex."""
    s = empty("axis_movement")
    place(s, PZ, "6733")
    ring = sorted(n for _, n in s.board.grid.neighbours[H("6733")])
    rifles = [name for name in s.board.units if name.startswith("us_") and s.board.attack[U(name)][0]]
    for n, name in zip(ring, rifles, strict=False):
        place(s, name, s.board.grid.names[n])
    start(s, steps.MOVES)
    assert f"move {PZ}" not in texts(s)
    assert why(s, f"move {PZ}").rule == "6.13"
    assert f"stack {PZ}" in texts(s)
    do(s, f"stack {PZ}")
    assert any(text.startswith("overrun ") for text in texts(s))


def test_games_of_the_first_version_go_on_as_they_were_ruled() -> None:
    log = migrate(Log(Header("kasserine", 1, "s0_learning", ("axis", "allied"))), GAME.version)
    assert GAME.new("s0_learning", log.header.options).edition == 1
    assert GAME.new("s0_learning").edition == GAME.version


def _pocket() -> tuple[State, str]:
    """Two US tank battalions in an EZOC, beside a hex out of which no line leads once they have left their own."""
    s = empty("allied_movement")
    here, grid = H("6733"), s.board.grid
    place(s, [TANKS, TANKS2], "6733")
    place(s, "ger_47gr_i_47", "6833")
    works(s, AXIS, "strongpoint", *(grid.names[n] for _, n in grid.neighbours[H("6732")] if n != here))
    start(s, steps.MOVES)
    return s, "6732"


@pytest.mark.rule("kasserine", "6.15a", "6.16")
def test_a_stack_passes_through_a_hex_out_of_supply_and_does_not_stop_there() -> None:
    """A17 the ban holds at the end of the move."""
    s, pocket = _pocket()
    do(s, f"move {TANKS}")
    assert f"to {pocket}" in texts(s)  # the other battalion stays and keeps the line open
    s, pocket = _pocket()
    do(s, f"stack {TANKS}", f"join {TANKS2}", f"to {pocket}")
    assert at(s, TANKS) == pocket
    reason = why(s, "halt")
    assert reason is not None
    assert reason.rule == "6.15a"
    do(s, "to 6733")
    assert why(s, "halt") is None
    do(s, "halt")
    assert at(s, TANKS2) == "6733"


@pytest.mark.rule("kasserine", "6.15a", "6.16")
def test_a_stack_does_not_enter_a_hex_out_of_supply_that_it_could_not_leave() -> None:
    s, pocket = _pocket()
    do(s, f"stack {TANKS}", f"join {TANKS2}")
    now = group(s)
    s.stack_spent, s.memo, s.choices = now.left - now.leg.found.cost(H(pocket)), {}, None
    assert group(s).everywhere >> H(pocket) & 1
    reason = why(s, f"to {pocket}")
    assert reason is not None
    assert reason.rule == "6.15a"
    s.edition, s.memo, s.choices = 2, {}, None  # as it was ruled: each counted on the other
    assert f"to {pocket}" in texts(s)


@pytest.mark.rule("kasserine", "6.15a", "6.6b")
def test_a_stack_may_pass_through_a_hex_out_of_supply_to_an_overrun() -> None:
    """A83 what becomes of it there is not of its own will: it may stop."""
    s, pocket = _pocket()
    place(s, "ger_47gr_ii_47", "6731")
    s.strongpoints[AXIS] &= ~mask("6731")
    s.memo, s.choices = {}, None
    do(s, f"stack {TANKS}", f"join {TANKS2}")
    now = group(s)
    assert ways_on(now.leg, 0, {}) == 0
    assert ways_on(now.leg, 0, {H(pocket): 6}) >> H(pocket) & 1
    do(s, f"to {pocket}")
    assert why(s, "halt") is not None
    assert "overrun 6731" in texts(s)
    do(s, "overrun 6731")
    assert not s.stack_passing
