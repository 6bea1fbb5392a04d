"""A7.7, A7.25, A9, A14, A21 to A23, B26 to B28: Encirclement, Fire Lanes, Spraying Fire, snipers, DC, FT, labour."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.fire.bursts import lane_column, lane_ends, lane_hexes
from sandtable.games.asl.fire.group import RollAt
from sandtable.games.asl.fire.ift import ift
from sandtable.games.asl.fire.morale import morale
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.points import HALF, allotment
from sandtable.games.asl.table.ids import (
    AFPH,
    F_ATTACK_ROLL,
    F_END,
    FIRST,
    GONE,
    PFPH,
    PROTECTIVE,
    SUBSEQUENT,
)
from sandtable.games.asl.table.state import Attack, State
from sandtable.games.asl.turn.ending import EndAt

from ..infantrykit import (
    ADVANCING,
    ALLIED,
    AXIS,
    FINAL,
    FOE,
    FOE2,
    FOE_LEADER,
    HMG,
    LEADER,
    PREP,
    ROSTER,
    SQUAD,
    SQUAD2,
    SQUAD3,
    H,
    U,
    attack,
    bits,
    column,
    desert,
    do,
    drms,
    firing,
    give,
    kinds,
    moving,
    place,
    roll,
    settle,
    side_of,
)
from ..infantrykit import (
    rule as held_by,
)
from ..kit import hill

rule = partial(pytest.mark.rule, "asl")
SQUAD4, SQUAD5, SQUAD6 = (f"br_457#{i}" for i in (4, 5, 6))


def shoot(s: State, name: str, target: str, *faces: int) -> None:
    do(s, f"fire {target}", f"join {name}", "commit")
    roll(s, *faces)


# A7.7


@rule("A7.7")
def test_attacks_from_all_around_encircle() -> None:
    s = desert()
    place(s, FOE, "M5")
    for name, where in ((SQUAD, "M3"), (SQUAD2, "O6"), (SQUAD3, "K6")):
        place(s, name, where)
    place(s, FOE2, "M7")
    place(s, FOE_LEADER, "M4")  # amid them too, and not fired at
    firing(s, ALLIED, PREP)
    shoot(s, SQUAD, "M5", 6, 5)
    shoot(s, SQUAD2, "M5", 6, 5)
    assert s.encircled == 0
    shoot(s, SQUAD3, "M5", 6, 5)
    assert s.encircled == bits(FOE)
    assert morale(s, U(FOE)) == 5
    attack(s, AXIS, "M3")
    assert drms(do(s, f"join {FOE}", "commit")) == 1


@rule("A7.7")
def test_encirclement_ends_when_the_unit_leaves_and_with_the_turn() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    s.encircled = bits(SQUAD)
    moving(s)
    do(s, f"move {SQUAD}", "to N5")
    assert s.encircled == 0
    s = desert()
    place(s, SQUAD, "M5")
    s.encircled = bits(SQUAD)
    s.stack = [*s.stack, EndAt(F_END)]
    GAME.frames[F_END].run(s, EndAt(F_END))
    assert s.encircled == 0


# A9.5 Spraying Fire


@rule("A9.5", "A9.21")
def test_a_machine_gun_sprays_two_hexes_beside_each_other() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    give(s, HMG, SQUAD)
    for name, where in ((FOE, "P5"), (FOE2, "P6"), ("it_346#3", "P8")):
        place(s, name, where)
    attack(s, ALLIED, "P5")
    do(s, f"use {HMG}")
    assert held_by(s, "spray P8") == "A9.5"
    do(s, "spray P6")
    assert held_by(s, f"join {SQUAD}") == "A9.5"
    assert column(do(s, "commit")) == 2  # 4 FP halved
    found = roll(s, 1, 1)
    assert [one.data["hex"] for one in found if one.kind == "attack_rolled"] == [
        s.stage.out[H("P5")],
        s.stage.out[H("P6")],
    ]
    assert s.fired & bits(HMG)  # no ROF
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "P5")
    place(s, FOE2, "P6")
    attack(s, ALLIED, "P5")
    do(s, f"join {SQUAD}")
    assert held_by(s, "spray P6") == "A9.5"  # it cannot spray


@rule("A9.21", "A7.8")
@pytest.mark.parametrize(("pinned", "fp"), [(False, 8), (True, 4)])
def test_who_is_pinned_fires_his_machine_gun_at_half_and_keeps_no_rof(pinned: bool, fp: int) -> None:
    s = desert()
    place(s, SQUAD, "M5")
    give(s, HMG, SQUAD)
    place(s, FOE, "P5")
    s.pinned = bits(SQUAD) if pinned else 0
    attack(s, ALLIED, "P5")
    assert column(do(s, f"join {SQUAD}", f"use {HMG}", "commit")) == fp
    found = roll(s, 1, 5)
    assert ("rate_of_fire" in kinds(found)) != pinned
    assert bool(s.fired & bits(HMG)) == pinned


@rule("A9.21")
@pytest.mark.parametrize(("fire", "kept"), [(PREP, True), (FINAL, True), (ADVANCING, False)])
def test_a_machine_gun_keeps_no_rof_in_the_advancing_fire_phase(fire: int, kept: bool) -> None:
    s = desert()
    place(s, SQUAD, "M5")
    give(s, HMG, SQUAD)
    place(s, FOE, "P5")
    attack(s, ALLIED, "P5", fire)
    do(s, f"use {HMG}", "commit")
    roll(s, 1, 5)
    assert bool(s.fired & bits(HMG)) != kept


@rule("A9.21")
@pytest.mark.parametrize(("marks", "fire"), [(("fired",), SUBSEQUENT), (("fired", "spent_fire"), PROTECTIVE)])
def test_a_machine_gun_keeps_no_rof_in_subsequent_first_and_final_protective_fire(
    marks: tuple[str, ...], fire: int
) -> None:
    for marked in ((), marks):
        s = desert()
        place(s, FOE, "M5")
        give(s, HMG, FOE)
        place(s, SQUAD, "K5")
        for mark in marked:
            setattr(s, mark, bits(FOE, HMG))
        moving(s)
        do(s, f"move {SQUAD}", "to L5", f"use {HMG}", "commit")
        assert s.attack is not None
        assert s.attack.fire == (fire if marked else FIRST)
        assert ("rate_of_fire" in kinds(roll(s, 1, 5))) == (not marked)
        assert bool(s.spent_fire & bits(HMG)) == bool(marked)


# A9.22 Fire Lanes


def lane() -> State:
    """A squad is about to cross the column in which an HMG lies."""
    s = desert(phasing=ALLIED)
    place(s, FOE, "M9")
    give(s, HMG, FOE)
    place(s, [SQUAD, SQUAD2], "L6")
    moving(s)
    do(s, f"move {SQUAD}")
    return s


@rule("A9.22", "A9.21")
def test_a_fire_lane_is_laid_along_the_hex_grain_instead_of_rof() -> None:
    s = lane()
    do(s, "to M6")  # due north of the gun
    do(s, f"use {HMG}")
    ends = {s.stage.field.name(h) for h in lane_ends(s, s.attack)} if s.attack else set()
    assert ends == {f"D1.M{i}" for i in range(1, 7)}
    do(s, "lane M4", "commit")
    roll(s, 1, 5)  # the ROF would be kept
    assert s.fired & bits(HMG)
    assert s.lanes == {U(HMG): H("M4")}
    assert [s.stage.field.name(h) for h in lane_hexes(s, U(HMG))] == [f"D1.M{i}" for i in (8, 7, 6, 5, 4)]


@rule("A9.221")
def test_a_fire_lane_attacks_whoever_comes_one_column_lower() -> None:
    s = lane()
    do(s, "to M6", f"use {HMG}", "lane M4", "commit")
    roll(s, 6, 4)
    while side_of(s) != "allied":
        roll(s, 1, 1) if side_of(s) == "chance" else do(s, "hold")
    u = U(SQUAD)
    assert ift().columns[lane_column(s, U(HMG), u)] == 2  # 4 FP: one column left
    do(s, "to M7")
    assert side_of(s) == "chance"
    found = roll(s, 6, 6)
    assert [one.data["drm"] for one in found if one.kind == "attack_rolled"] == [-2]
    while side_of(s) == "axis":
        do(s, "hold")
    do(s, "to M8")
    assert s.attack is not None
    assert ift().columns[s.attack.column] == 6  # beside the gun: of twice its FP
    roll(s, 6, 6)
    s.pinned |= bits(FOE)
    assert lane_column(s, U(HMG), u) == -1  # its firer is pinned


@rule("A9.221", "F6.53a")
def test_a_fire_lane_passes_over_lower_ground_and_ends_with_the_phase() -> None:
    s = desert({**hill(1, "M9", "M8", "M7", "M6")})
    place(s, FOE, "M9")
    give(s, HMG, FOE)
    place(s, SQUAD, "M5")
    s.lanes = {U(HMG): H("M4")}
    assert lane_column(s, U(HMG), U(SQUAD)) == -1
    place(s, SQUAD, "M6")
    assert lane_column(s, U(HMG), U(SQUAD)) >= 0
    moving(s)
    do(s, "end-moves")
    assert s.lanes == {}


@rule("F4.52a")
def test_a_fire_lane_from_outside_meets_men_in_a_deir_only_where_its_counter_lies() -> None:
    s = desert({name: {"forms": {"deir"}, "mass": "d"} for name in ("M5", "M4")})
    place(s, FOE, "M9")
    give(s, HMG, FOE)
    place(s, SQUAD, "M5")
    s.lanes = {U(HMG): H("M3")}
    assert lane_column(s, U(HMG), U(SQUAD)) == -1
    s.lanes = {U(HMG): H("M5")}
    assert lane_column(s, U(HMG), U(SQUAD)) >= 0


# A7.25, A9.8, A8.32, A21.1


@rule("A7.25", "A9.21")
def test_opportunity_fire_is_full_in_the_advancing_fire_phase() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "P5")
    s.phase = PFPH
    firing(s, ALLIED, PREP)
    do(s, f"wait {SQUAD}")  # nothing else is left to do: he may fire in the AFPh alone
    assert s.waits == bits(SQUAD)
    s.phase = AFPH
    give(s, HMG, SQUAD)
    attack(s, ALLIED, "P5", ADVANCING)
    assert column(do(s, f"join {SQUAD}", f"use {HMG}", "commit")) == 8  # 4 and 4, not halved
    roll(s, 1, 5)
    assert not s.fired & bits(HMG)  # and ROF is kept
    s = moving(desert())
    place(s, SQUAD, "M5")
    s.waits = bits(SQUAD)
    assert held_by(settle(s), f"move {SQUAD}") == "A7.25"


@rule("A9.8")
def test_a_dismantled_weapon_is_lighter_and_does_not_fire() -> None:
    s = desert()
    place(s, FOE, "M5")
    place(s, SQUAD, "P5")
    give(s, HMG, FOE)
    assert allotment(s, U(FOE), False) == 2 * HALF
    s.phase = PFPH
    firing(s, AXIS, PREP)
    do(s, f"dismantle {HMG}")
    assert s.apart == bits(HMG)
    assert allotment(s, U(FOE), False) == 4 * HALF
    do(s, "fire P5")
    assert held_by(s, f"use {HMG}") == "A9.8"


@rule("A8.32", "A21.1", "A19.3")
def test_a_weapon_jams_earlier_in_a_hurry_in_enemy_hands_and_in_green_ones() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    give(s, HMG, SQUAD)  # an Italian B11 in British hands
    place(s, FOE, "P5")
    attack(s, ALLIED, "P5")
    do(s, f"use {HMG}", "commit")
    roll(s, 4, 5)
    assert s.jammed == bits(HMG)  # 11 less 2
    s = desert()
    place(s, "it_336#1" if "it_336#1" in ROSTER.index else FOE, "M5")
    s.type[U(FOE)] = ROSTER.type_of["it_336"]
    place(s, FOE, "M5")
    give(s, HMG, FOE)
    place(s, SQUAD, "P5")
    attack(s, AXIS, "P5")
    do(s, f"use {HMG}", "commit")
    roll(s, 4, 6)
    assert s.jammed == bits(HMG)  # 11 less 1


@pytest.mark.rule("asl", "A9.7")
def test_a_weapon_that_is_lost_for_good_has_been_served() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    give(s, HMG, SQUAD)  # an Italian B11 in British hands
    place(s, FOE, "P5")
    attack(s, ALLIED, "P5")
    do(s, f"use {HMG}", "commit")
    roll(s, 6, 6)
    assert s.at[U(HMG)] == GONE
    assert s.served & bits(SQUAD)


# A14 snipers


def sniped(*faces: int) -> State:
    s = desert()
    s.stage.san = (4, 4)
    place(s, SQUAD, "M5")
    place(s, [FOE, FOE_LEADER], "P5")
    attack(s, ALLIED, "P5")
    do(s, f"join {SQUAD}", "commit")
    roll(s, *faces)
    return s


@rule("A14.1")
def test_a_roll_of_the_enemys_san_wakes_his_sniper() -> None:
    found = sniped(1, 3)
    assert GAME.prompt(found).title == "A Sniper"
    assert GAME.prompt(sniped(6, 6)).title != "A Sniper"


@rule("A14.1")
def test_residual_fire_wakes_a_sniper_and_mines_do_not() -> None:
    for residual, wakes in ((1, True), (2, False)):
        s = desert()
        s.stage.san = (4, 4)
        place(s, SQUAD, "M5")
        column = ift().column(2)
        s.attack = Attack(fire=FIRST, side=AXIS, target=H("M5"), movers=bits(SQUAD), residual=residual, column=column)
        s.stack.append(RollAt(F_ATTACK_ROLL))
        settle(s)
        roll(s, 1, 3)
        assert (GAME.prompt(s).title == "A Sniper") == wakes


@rule("A12.14a")
def test_everybody_is_told_who_was_seen_firing() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "P5")
    s.concealed = bits(SQUAD)
    attack(s, ALLIED, "P5")
    do(s, f"join {SQUAD}", "commit")
    found = [one for one in roll(s, 3, 4) if one.kind == "revealed"]
    assert [(one.rule, one.data["unit"]) for one in found] == [("A12.14a", U(SQUAD))]
    assert not s.concealed & bits(SQUAD)


@rule("A14.3")
def test_what_a_sniper_does() -> None:
    s = sniped(1, 3)
    roll(s, 1)
    assert s.broken & bits(SQUAD)  # the Axis Sniper breaks the only Allied unit within 6 hexes
    s = sniped(1, 3)
    roll(s, 2)
    assert s.pinned & bits(SQUAD)
    s = sniped(1, 3)
    roll(s, 3)
    assert not (s.broken | s.pinned) & bits(SQUAD)
    s = desert()
    s.stage.san = (4, 4)
    place(s, LEADER, "M5")
    place(s, FOE, "P5")
    s.broken = bits(LEADER)
    attack(s, AXIS, "M5")
    do(s, f"join {FOE}", "commit")
    roll(s, 6, 6)
    assert s.at[U(LEADER)] == H("M5")


# What random breakages passed


@rule("A9.22")
def test_a_fire_lane_reaches_to_the_corner_of_the_map() -> None:
    s = desert(phasing=ALLIED)
    place(s, FOE, "H6")
    give(s, HMG, FOE)
    place(s, SQUAD, "I4")
    moving(s)
    do(s, f"move {SQUAD}", "to H4", f"use {HMG}")
    assert s.attack is not None
    assert [s.stage.field.name(h) for h in lane_ends(s, s.attack)] == [f"D1.H{i}" for i in (4, 3, 2, 1, 0)]


@rule("A9.221")
def test_a_fire_lane_leaves_alone_whom_its_gunner_does_not_see() -> None:
    s = desert({"M5": {"forms": {"wadi"}}})
    place(s, FOE, "M9")
    give(s, HMG, FOE)
    place(s, SQUAD, "M5")
    s.lanes = {U(HMG): H("M4")}
    assert lane_column(s, U(HMG), U(SQUAD)) >= 0
    s.place[U(SQUAD)] = Place.IN
    assert lane_column(s, U(HMG), U(SQUAD)) == -1
