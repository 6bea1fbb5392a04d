"""A3, A7, A8, A12 as the third version reads them: what fire leaves behind, who serves what, whose sight counts."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.fire.firepower import share, total, worth
from sandtable.games.asl.fire.snipers import prey
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.points import allotment
from sandtable.games.asl.table.ids import ADVANCING, F_CONCEAL, FIRST, PFPH, UNDER_FOXHOLE
from sandtable.games.asl.table.state import Attack, State
from sandtable.games.asl.turn.ending import ConcealAt, unbroken_foes

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    FOE2,
    LEADER,
    LMG,
    PREP,
    ROSTER,
    SQUAD,
    SQUAD2,
    SQUAD3,
    H,
    U,
    attack,
    bits,
    desert,
    do,
    firing,
    give,
    legal,
    moving,
    place,
    roll,
    settle,
)
from ..infantrykit import (
    rule as held_by,
)
from ..kit import filled

rule = partial(pytest.mark.rule, "asl")
LMG2, HALF, TANK, DC = "br_lmg#2", "br_247#1", "it_m13#1", "br_dc#1"


# A8.2 Residual FP


def left_behind(**marks: int) -> int:
    """The Residual FP that a squad leaves where a mover has gone two hexes before it."""
    s = desert(phasing=AXIS)
    place(s, SQUAD, "N5")
    place(s, FOE, "P4")
    for mark, bit in marks.items():
        setattr(s, mark, getattr(s, mark) | bit)
    moving(s)
    do(s, f"move {FOE}", "to P5", f"join {SQUAD}", "commit")
    roll(s, 5, 6)
    return s.residual.get(H("P5"), 0)


@rule("A8.2")
def test_whatever_hampers_the_firers_lowers_the_residual_fp_they_leave() -> None:
    assert left_behind() == 2  # 4 FP
    assert left_behind(cx=bits(SQUAD)) == left_behind(encircled=bits(SQUAD)) == 1
    assert left_behind(cx=bits(SQUAD), encircled=bits(SQUAD)) == 0
    assert left_behind(edition=-1) == 2  # as it was ruled before


@rule("A8.2")
def test_a_leader_who_does_not_help_lowers_it_too() -> None:
    s = desert(phasing=AXIS)
    place(s, [SQUAD, "br_ldr_8m0#1"], "N5")
    s.wounded = bits("br_ldr_8m0#1")  # A17.1 he is a +1 now
    place(s, FOE, "P4")
    moving(s)
    do(s, f"move {FOE}", "to P5", f"join {SQUAD}", "direct br_ldr_8m0#1", "commit")
    roll(s, 5, 6)
    assert s.residual == {H("P5"): 1}


# A7.36 Assault Fire


@rule("A7.36")
def test_assault_fire_adds_its_fp_after_all_halving_and_rounds_up() -> None:
    s = desert(phasing=AXIS)
    bold = FOE
    s.type[U(bold)] = ROSTER.type_of["ge_548"]
    place(s, bold, "N5")
    place(s, SQUAD, "P5")
    one = Attack(fire=ADVANCING, side=AXIS, target=H("P5"), firers=bits(bold))
    assert total(s, one) == 4  # 5 / 2, rounded up, and 1
    s.concealed = bits(SQUAD)
    assert worth(s, one, True) == 3  # 5 / 4, rounded up, and 1
    s.pinned = bits(bold)
    assert share(s, one, U(bold), False).fp == 3
    s.edition = 2
    assert (share(s, one, U(bold), False).fp, worth(s, one, True)) == (2, 1)


@rule("A7.36")
def test_the_panel_of_assault_fire_at_a_concealed_stack_adds_up() -> None:
    s = desert(phasing=AXIS)
    s.type[U(FOE)] = ROSTER.type_of["ge_548"]
    place(s, FOE, "N5")
    place(s, SQUAD, "P5")
    s.concealed = bits(SQUAD)
    attack(s, AXIS, "P5", ADVANCING)
    do(s, f"join {FOE}")
    odds = GAME.odds(s, GAME.parse("commit"))
    assert odds is not None
    assert [(one.value, one.rule) for one in odds.terms if one.rule.startswith("A7.")] == [("3", "A7.36")]


@rule("A7.1", "A7.23")
def test_the_panel_of_fire_that_is_too_weak_says_why() -> None:
    s = desert(phasing=AXIS)
    place(s, "br_247#1", "N5")
    place(s, FOE, "U5")
    s.concealed, s.cx = bits(FOE), bits("br_247#1")
    attack(s, ALLIED, "U5", ADVANCING)
    do(s, "join br_247#1")
    odds = GAME.odds(s, GAME.parse("commit"))
    assert odds is not None
    assert odds.title.facts["fp"] == "0.25"  # 2, halved for its range, its phase and the "?"
    assert [one.rule for one in odds.terms] == ["A7.23", "A4.51"]


# A7.35 who serves what


def armed(*weapons: str, by: str = SQUAD) -> State:
    s = desert()
    place(s, by, "N5")
    for weapon in weapons:
        give(s, weapon, by)
    place(s, FOE, "P5")
    firing(s, ALLIED, PREP)
    return s


@rule("A7.35")
def test_a_squad_that_has_fired_itself_fires_one_weapon_besides() -> None:
    s = armed(LMG, LMG2)
    do(s, "fire P5", f"join {SQUAD}", "commit")
    roll(s, 5, 6)
    do(s, "fire P5", f"use {LMG}", "commit")
    roll(s, 5, 6)
    assert "fire P5" not in legal(s)
    s = armed(LMG, LMG2)
    do(s, "fire P5", f"join {SQUAD}", f"use {LMG}", "commit")
    roll(s, 5, 6)
    attack(s, ALLIED, "P5")
    assert held_by(s, f"use {LMG2}") == "A7.35"


@rule("A7.35")
def test_a_squad_that_has_fired_two_weapons_does_not_fire_itself_even_if_one_kept_its_rof() -> None:
    s = armed(LMG, LMG2)
    for weapon in (LMG, LMG2):
        do(s, "fire P5", f"use {weapon}", "commit")
        roll(s, 1, 6)
    attack(s, ALLIED, "P5")
    assert held_by(s, f"join {SQUAD}") == "A7.35"
    assert f"use {LMG}" in legal(s)  # A9.2 its ROF


@rule("A7.35")
@pytest.mark.parametrize(("edition", "bars"), [(3, True), (2, False)])
def test_before_the_third_version_it_still_fired_itself(edition: int, bars: bool) -> None:
    s = armed(LMG, LMG2)
    s.edition, s.served = edition, bits(SQUAD)
    s.handled, s.shots = bits(LMG, LMG2), {U(LMG): 1, U(LMG2): 1}
    attack(s, ALLIED, "P5")
    assert (f"join {SQUAD}" not in legal(s)) == bars


@rule("A7.35")
def test_a_half_squad_that_has_fired_itself_serves_no_weapon() -> None:
    s = armed(LMG, by=HALF)
    do(s, "fire P5", f"join {HALF}", "commit")
    roll(s, 5, 6)
    attack(s, ALLIED, "P5")
    assert held_by(s, f"use {LMG}") == "A7.35"


def burner(by: str = SQUAD) -> State:
    s = desert()
    place(s, by, "N5")
    s.type[U(DC)] = ROSTER.type_of["ge_ft"]
    give(s, DC, by)
    place(s, FOE, "O5")
    s.phase = PFPH
    firing(s, ALLIED, PREP)
    return s


@rule("A3.2", "A7.35")
def test_who_has_used_a_flamethrower_in_the_prep_fire_phase_neither_moves_nor_digs() -> None:
    for edition in (2, 3):
        s = burner()
        s.edition = edition
        do(s, f"burn {DC} O5")
        roll(s, 6, 5)
        assert bool(s.served & bits(SQUAD)) == (edition > 2)
    s = burner()
    do(s, f"burn {DC} O5")
    roll(s, 6, 5)
    firing(s, ALLIED, PREP)
    assert held_by(s, f"dig {SQUAD}") == "A7.11"
    moving(s)
    assert held_by(s, f"move {SQUAD}") == "A3.2"


@rule("A7.35")
def test_a_half_squad_fires_its_flamethrower_or_itself() -> None:
    s = burner(HALF)
    place(s, SQUAD2, "N6")
    do(s, "fire O5", f"join {HALF}", "commit")
    roll(s, 6, 5)
    assert held_by(s, f"burn {DC} O5") == "A7.35"


@rule("A10.62")
def test_a_flame_makes_a_broken_unit_dm_whatever_it_does() -> None:
    s = burner()
    s.broken = bits(FOE)
    do(s, f"burn {DC} O5")
    roll(s, 6, 6)
    assert s.dm & bits(FOE)


@rule("A10.62")
@pytest.mark.parametrize(("cx", "dm"), [(False, True), (True, False)])
def test_fire_that_could_cause_a_nmc_at_its_best_makes_a_broken_unit_dm(cx: bool, dm: bool) -> None:
    s = desert()
    place(s, HALF, "N5")
    place(s, "axis_foxhole#1", "T5")
    place(s, FOE, "T5", UNDER_FOXHOLE)
    s.broken = bits(FOE)
    s.cx = bits(HALF) if cx else 0
    attack(s, ALLIED, "T5")
    do(s, f"join {HALF}", "commit")  # 1 FP with +2: a NMC on an Original 2, with +3 a PTC
    roll(s, 6, 5)
    assert bool(s.dm) == dm


# A8.3 the nearest enemy


@rule("A8.3")
@pytest.mark.parametrize("nearer", [TANK, FOE2])
def test_a_broken_enemy_or_a_vehicle_that_is_nearer_draws_subsequent_first_fire(nearer: str) -> None:
    for where, edition, fires in (("N7", 3, True), ("N6", 3, False), ("N6", 2, True)):
        s = desert(phasing=AXIS)
        s.edition = edition
        place(s, SQUAD, "N5")
        place(s, FOE, "P5")
        place(s, nearer, where)
        s.broken, s.fired = bits(FOE2), bits(SQUAD)
        attack(s, ALLIED, "P5", FIRST)
        assert (f"join {SQUAD}" in legal(s)) == fires
        assert fires or held_by(s, f"join {SQUAD}") == "A8.3"


# A12.14, A12.12 whose sight counts


@rule("A12.14a")
def test_who_fires_in_sight_of_a_tank_is_seen() -> None:
    s = desert()
    place(s, SQUAD, "N5")
    place(s, FOE, "P5")
    place(s, TANK, "Q5")
    s.broken = bits(FOE)
    s.concealed = bits(SQUAD)
    firing(s, ALLIED, PREP)
    do(s, "fire P5", f"join {SQUAD}", "commit")
    roll(s, 6, 5)
    assert not s.concealed
    s.concealed, s.fired, s.stunned = bits(SQUAD), 0, bits(TANK)
    attack(s, ALLIED, "P5")
    do(s, f"join {SQUAD}", "commit")
    roll(s, 6, 5)
    assert s.concealed == bits(SQUAD)


@rule("A12.14b")
def test_who_moves_in_sight_of_a_tank_is_seen() -> None:
    for stunned in (False, True):
        s = desert(phasing=AXIS)
        place(s, FOE, "N5")
        place(s, "br_mat2#1", "R5")
        s.concealed = bits(FOE)
        s.stunned = bits("br_mat2#1") if stunned else 0
        moving(s)
        do(s, f"move {FOE}", "to N6")
        assert bool(s.concealed) == stunned


def hiding(terrain: str, *marks: str) -> State:
    s = desert(filled(terrain, "N5"))
    place(s, SQUAD, "N5")
    for mark in marks:
        setattr(s, mark, bits(SQUAD))
    return s


def hides(s: State) -> State:
    s.stack.append(ConcealAt(F_CONCEAL, bits(SQUAD)))
    return settle(s)


@rule("A12.12")
def test_a_tank_that_sees_it_keeps_a_unit_from_hiding_for_nothing() -> None:
    s = hiding("scrub")
    place(s, TANK, "P5")
    hides(s)
    assert not s.concealed
    roll(s, 6)
    assert not s.concealed
    s = hiding("scrub")
    s.abandoned = bits(TANK)
    place(s, TANK, "P5")
    assert hides(s).concealed


@rule("A12.12")
@pytest.mark.parametrize(("edition", "hidden"), [(3, False), (2, True)])
def test_before_the_third_version_no_tank_kept_anybody_from_hiding(edition: int, hidden: bool) -> None:
    s = hiding("scrub")
    s.edition = edition
    place(s, TANK, "P5")
    assert bool(unbroken_foes(s, U(SQUAD)) & bits(TANK)) != hidden
    assert bool(hides(s).concealed) == hidden


@rule("A12.12")
def test_who_has_fired_a_machine_gun_does_not_hide_in_sight_of_the_enemy() -> None:
    s = hiding("scrub", "served")
    place(s, FOE, "P5")
    hides(s)
    assert not s.concealed
    assert s.stack[-1][0] != F_CONCEAL


@rule("A12.12")
@pytest.mark.parametrize(("terrain", "hidden"), [("woods", True), ("brush", False), ("tomb", False)])
def test_in_woods_and_buildings_it_is_easier_to_hide(terrain: str, hidden: bool) -> None:
    s = hiding(terrain)
    place(s, FOE, "O5")
    hides(s)
    roll(s, 6)
    assert bool(s.concealed) == hidden


@rule("A12.12")
@pytest.mark.parametrize(
    ("others", "most"),
    [((), 5), ((SQUAD2,), 4), ((SQUAD2, SQUAD3), 3), ((HALF,), 5), ((LEADER,), 6), ((SQUAD2, LEADER), 5)],
)
def test_each_squad_more_in_the_stack_makes_it_harder_to_hide_and_a_leader_easier(
    others: tuple[str, ...], most: int
) -> None:
    for die in range(1, 7):
        s = hiding("scrub")
        place(s, others, "N5")
        place(s, FOE, "P5")
        hides(s)
        roll(s, die)
        assert bool(s.concealed) == (die <= most)


# A14.3, A9.5, A4.42 limits


@rule("A14.3")
def test_a_sniper_reaches_six_hexes() -> None:
    s = desert()
    place(s, FOE, "N5")
    assert prey(s, ALLIED, H("T5")) == bits(FOE)
    assert prey(s, ALLIED, H("U5")) == 0


@rule("A9.5")
def test_spraying_fire_reaches_no_farther_than_normal_range() -> None:
    s = desert()
    place(s, SQUAD, "I5")
    give(s, LMG, SQUAD)
    far = s.kind(U(LMG)).range
    assert s.stage.grid.distance(H("I5"), H("P5")) == far == 7
    place(s, FOE, "P5")
    place(s, FOE2, "Q5")
    attack(s, ALLIED, "P5")
    do(s, f"use {LMG}")
    assert held_by(s, "spray Q5") == "A9.5"


@rule("A4.42")
def test_one_man_carries_one_pp() -> None:
    s = desert()
    place(s, LEADER, "N5")
    assert allotment(s, U(LEADER), False) == 12
    give(s, LMG, LEADER)
    assert allotment(s, U(LEADER), False) == 12 - 2 * (s.kind(U(LMG)).pp - 1)
    give(s, LMG2, LEADER)
    assert allotment(s, U(LEADER), False) == 12 - 2 * (2 * s.kind(U(LMG)).pp - 1)
