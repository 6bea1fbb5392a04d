"""A as the sixth version reads it: who has Prep Fired, who directs, what follows a leader's end in Close Combat."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from sandtable.games.asl.combat.close import CombatsAt
from sandtable.games.asl.fire.attack import ResultAt, SelectAt
from sandtable.games.asl.fire.firepower import drms as every_drm
from sandtable.games.asl.fire.ift import RESULTS
from sandtable.games.asl.fire.morale import CheckAt, WoundAt
from sandtable.games.asl.fire.snipers import SniperWoundAt, prey
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.exits import leave_map
from sandtable.games.asl.table.captives import capture
from sandtable.games.asl.table.ids import (
    AFPH,
    EXITED,
    F_COMBATS,
    F_RESULT,
    F_ROUTS,
    F_SELECT,
    F_SNIPER_WOUND,
    F_TURN,
    FIRST,
    GONE,
    MPH,
    ON_WIRE,
    PFPH,
    RPH,
    SUBSEQUENT,
    WIRE,
)
from sandtable.games.asl.table.scenarios import TurnAt
from sandtable.games.asl.table.state import Move, State, put
from sandtable.games.asl.turn.routs import RoutsAt
from sandtable.mechanics.masks import units_of

from .infantrykit import (
    ALLIED,
    AXIS,
    CCPH,
    FINAL,
    FOE,
    FOE2,
    HMG,
    LEADER,
    LMG,
    OTHER_LEADER,
    PREP,
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
    rallying,
    roll,
    settle,
)
from .infantrykit import (
    rule as held_by,
)

rule = partial(pytest.mark.rule, "asl")


# A3.2 Prep Fire


def after_prep(edition: int, fire: str) -> State:
    """A squad with a LMG has fired one of the two, and the turn goes on to its Advancing Fire Phase."""
    s = desert()
    s.edition = edition
    place(s, SQUAD, "N5")
    place(s, SQUAD2, "W9")
    place(s, FOE, "P5")
    give(s, LMG, SQUAD)
    prepping(s)
    do(s, "fire P5", fire, "commit")
    roll(s, *((1, 6) if LMG in fire else (6, 5)))  # the LMG keeps its ROF
    return to_advancing_fire(s)


def prepping(s: State) -> None:
    """The Prep Fire Phase of a Player Turn that goes on."""
    s.stack, s.phase = [TurnAt(F_TURN, MPH)], PFPH
    firing(s, ALLIED, PREP)


def to_advancing_fire(s: State) -> State:
    do(s, *(["end-fire"] if "end-fire" in legal(s) and s.phase == PFPH else []), "end-moves")
    while s.phase < AFPH:
        do(s, "end-fire")
    return s


@rule("A3.2", "A3.5")
@pytest.mark.parametrize("fire", [f"use {LMG}", f"join {SQUAD}"])
def test_who_has_prep_fired_does_not_fire_in_the_advancing_fire_phase(fire: str) -> None:
    s = after_prep(6, fire)
    do(s, "fire P5")
    assert legal(s) == {f"join {SQUAD2}"}
    assert held_by(s, f"join {SQUAD}") in ("A7.11", "A7.35")
    assert held_by(s, f"use {LMG}") in ("A7.11", "A7.35")


@rule("A3.2")
def test_games_begun_before_go_on_with_it() -> None:
    s = after_prep(5, f"use {LMG}")
    do(s, "fire P5")
    assert {f"join {SQUAD}", f"use {LMG}"} <= legal(s)


# A7.531, AMB-160 those who direct


def led_fire(edition: int = 6) -> State:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, SQUAD2, LEADER], "N5")
    place(s, FOE, "P5")
    prepping(s)
    do(s, "fire P5", f"join {SQUAD}", f"direct {LEADER}", "commit")
    roll(s, 6, 5)
    return s


@rule("A7.531", "A3.2")
@pytest.mark.parametrize(("edition", "free"), [(6, False), (5, True)])
def test_a_leader_who_has_directed_prep_fire_neither_moves_nor_directs_again(edition: int, free: bool) -> None:
    s = led_fire(edition)
    do(s, "end-fire")
    assert (f"move {LEADER}" in legal(s)) == free
    if not free:
        assert held_by(s, f"move {LEADER}") == "A3.2"
    to_advancing_fire(s)
    do(s, "fire P5", f"join {SQUAD2}")
    assert (f"direct {LEADER}" in legal(s)) == free
    if not free:
        assert held_by(s, f"direct {LEADER}") == "A7.11"


@rule("A7.531", "A7.35")
@pytest.mark.parametrize(("edition", "free"), [(6, False), (5, True)])
def test_a_leader_directs_or_fires_but_not_both(edition: int, free: bool) -> None:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, LEADER], "N5")
    place(s, FOE, "P5")
    give(s, LMG, LEADER)
    firing(s, ALLIED, PREP)
    do(s, "fire P5", f"use {LMG}", "commit")
    roll(s, 6, 5)
    do(s, "fire P5", f"join {SQUAD}")
    assert (f"direct {LEADER}" in legal(s)) == free
    s = desert()
    s.edition = edition
    place(s, [SQUAD, SQUAD2, LEADER], "N5")
    place(s, FOE, "P5")
    give(s, LMG, LEADER)
    firing(s, ALLIED, PREP)
    do(s, "fire P5", f"join {SQUAD}", f"direct {LEADER}", "commit")
    roll(s, 6, 5)
    do(s, "fire P5")
    assert (f"use {LMG}" in legal(s)) == free


@rule("A7.531", "A12.14a", "A12.3")
@pytest.mark.parametrize(("edition", "hidden"), [(6, False), (5, True)])
def test_a_leader_who_directs_is_seen_like_those_who_fire(edition: int, hidden: bool) -> None:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, LEADER], "N5")
    place(s, FOE, "P5")
    s.concealed = s.hip = bits(SQUAD, LEADER)
    firing(s, ALLIED, PREP)
    do(s, "fire P5", f"join {SQUAD}", f"direct {LEADER}", "commit")
    roll(s, 6, 5)
    assert not s.concealed & bits(SQUAD)
    assert bool(s.concealed & bits(LEADER)) == bool(s.hip & bits(LEADER)) == hidden


@rule("A8.31", "A7.531")
@pytest.mark.parametrize(("edition", "checks"), [(6, [LEADER, SQUAD]), (5, [SQUAD])])
def test_who_directs_final_protective_fire_takes_its_check_first(edition: int, checks: list[str]) -> None:
    s = desert(phasing=AXIS)
    s.edition = edition
    place(s, [SQUAD, LEADER], "N5")
    place(s, FOE, "P5")
    s.fired = s.spent_fire = bits(SQUAD)
    moving(s)
    do(s, f"move {FOE}", "to O5", f"join {SQUAD}", f"direct {LEADER}", "commit")
    found = roll(s, 5, 4, 1, 1)
    told = [one.data["unit"] for one in found if one.kind == "check"]
    assert told[1:] == [U(one) for one in checks]


# A8.3, AMB-161


@rule("A8.3", "A8.31", "A8.4")
@pytest.mark.parametrize(("edition", "again"), [(6, False), (5, True)])
def test_who_is_final_fire_marked_is_so_with_his_weapons(edition: int, again: bool) -> None:
    s = desert(phasing=AXIS)
    s.edition = edition
    place(s, SQUAD, "N5")
    place(s, FOE, "Q6")
    give(s, LMG, SQUAD)
    s.fired = bits(SQUAD)
    moving(s)
    do(s, f"move {FOE}", "to P5", f"join {SQUAD}")
    assert s.attack is not None
    assert s.attack.fire == SUBSEQUENT
    do(s, "commit")
    roll(s, 6, 5)
    assert bool(s.spent_fire & bits(LMG)) != again
    s.move = None
    s.stack = s.stack[:1]
    firing(s, ALLIED, FINAL)
    assert ("fire P5" in legal(s)) == again


@rule("A7.9", "A8.3")
@pytest.mark.parametrize(("fire", "edition", "spent"), [(FIRST, 6, True), (FIRST, 5, False), (PREP, 6, False)])
def test_who_cowers_in_first_fire_has_no_weapon_left_to_fire(fire: int, edition: int, spent: bool) -> None:
    s = desert(phasing=ALLIED if fire == FIRST else AXIS)
    s.edition = edition
    place(s, FOE, "N5")
    give(s, HMG, FOE)
    place(s, SQUAD, "R5")
    attack(s, AXIS, "R5", fire)
    assert s.attack is not None
    s.attack.movers = bits(SQUAD) if fire == FIRST else 0
    do(settle(s), f"join {FOE}", "commit")
    roll(s, 2, 2)
    assert bool(s.spent_fire & bits(HMG)) == spent
    assert s.spent_fire & bits(FOE)


# A8.2 Residual FP of fire at the concealed


@rule("A8.2", "A7.23")
@pytest.mark.parametrize(("edition", "left"), [(6, 1), (5, 2)])
def test_fire_at_a_concealed_mover_leaves_residual_fp_of_its_halved_column(edition: int, left: int) -> None:
    s = desert({"P5": {"terrain": "brush"}}, phasing=AXIS)
    s.edition = edition
    place(s, SQUAD, "N5")
    place(s, FOE, "P4")
    s.concealed = bits(FOE)
    moving(s)
    do(s, f"move {FOE}", "assault", "to P5", f"join {SQUAD}")
    assert s.attack is not None
    assert s.attack.fire == FIRST
    do(s, "commit")
    roll(s, 6, 5)
    assert s.residual.get(H("P5"), 0) == left


# A9.5 Spraying Fire in Final Fire


@rule("A9.5", "A8.4")
@pytest.mark.parametrize(("edition", "far"), [(6, False), (5, True)])
def test_who_has_first_fired_sprays_adjacent_hexes_alone_in_final_fire(edition: int, far: bool) -> None:
    s = desert()
    s.edition = edition
    place(s, SQUAD, "N5")
    place(s, FOE, "O5")
    place(s, FOE2, "P5")
    place(s, "it_346#3", "N4")
    give(s, LMG, SQUAD)
    s.fired = bits(LMG)
    attack(s, ALLIED, "O5", FINAL)
    do(s, f"use {LMG}")
    assert "spray N4" in legal(s)
    assert ("spray P5" in legal(s)) == far


# A7.301, A10.2


@rule("A7.301", "A10.2")
@pytest.mark.parametrize(("edition", "selection"), [(6, True), (5, False)])
def test_all_who_are_killed_are_drawn_before_the_others_feel_a_leader_s_loss(edition: int, selection: bool) -> None:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, SQUAD2, LEADER, OTHER_LEADER], "N5")
    all_ = bits(SQUAD, SQUAD2, LEADER, OTHER_LEADER)
    s.stack.append(SelectAt(F_SELECT, all_, 0, 6, bits(LEADER), 2, 1, 0))
    settle(s)
    assert s.at[U(LEADER)] == GONE
    assert isinstance(s.stack[-1], SelectAt) == selection


# A7.7 Encirclement


@rule("A7.7")
@pytest.mark.parametrize(("edition", "kept"), [(6, False), (5, True)])
@pytest.mark.parametrize("verb", ["to", "crawl"])
def test_who_routs_away_is_no_longer_encircled(edition: int, kept: bool, verb: str) -> None:
    s = desert()
    s.edition = edition
    place(s, SQUAD, "N5")
    place(s, FOE, "P5")
    s.broken = s.dm = s.encircled = bits(SQUAD)
    s.stack.append(RoutsAt(F_ROUTS, ALLIED))
    settle(s)
    do(s, f"rout {SQUAD}", f"{verb} M6")
    assert s.at[U(SQUAD)] == H("M6")
    assert bool(s.encircled & bits(SQUAD)) == kept


# A11.16, A10.2 the end of a Close Combat


def brawl(*names: str, edition: int = 6, melee: bool = False, more: Callable[[State], None] | None = None) -> State:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, FOE, *names], "M5")
    if more:
        more(s)
    s.phase = CCPH
    if melee:
        s.melee = bits(SQUAD, FOE, *names)
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    return settle(s)


@rule("A11.16", "A10.2")
@pytest.mark.parametrize(("edition", "lost"), [(6, True), (5, False)])
def test_whom_a_leader_s_end_in_close_combat_breaks_is_lost_with_the_broken(edition: int, lost: bool) -> None:
    s = brawl(LEADER, SQUAD2, edition=edition)
    do(s, f"join {SQUAD}", f"join {SQUAD2}", f"join {LEADER}", f"strike {FOE}")
    roll(s, 6, 5)
    do(s, f"join {FOE}", f"strike {LEADER}")
    roll(s, 1, 2)  # he falls: each of his men takes a LLMC
    roll(s, 6, 4, 1, 1)
    one, other = (U(SQUAD), U(SQUAD2)) if s.at[U(SQUAD)] == GONE or s.broken >> U(SQUAD) & 1 else (U(SQUAD2), U(SQUAD))
    assert (s.at[one] == GONE) == lost
    assert s.at[other] == H("M5")
    assert s.melee >> other & 1
    assert s.fight is None


# A11.2 Withdrawal


@rule("A5.1", "A11.2")
def test_nobody_withdraws_to_where_there_is_no_room() -> None:
    def fill(s: State) -> None:
        place(s, [SQUAD2, SQUAD3, "br_457#4"], "L5")

    s = brawl(melee=True, more=fill)
    assert any(text.startswith(f"withdraw {SQUAD} ") for text in legal(s))
    assert f"withdraw {SQUAD} L5" not in legal(s)
    assert held_by(s, f"withdraw {SQUAD} L5") == "A5.1"
    s = brawl(melee=True, more=fill, edition=5)
    assert f"withdraw {SQUAD} L5" in legal(s)


@rule("B26.4", "A11.2")
@pytest.mark.parametrize("edition", [6, 5])
def test_who_withdraws_onto_wire_is_on_top_of_it(edition: int) -> None:
    def wire(s: State) -> None:
        put(s, units_of(s.stage.roster.of_kind[WIRE])[0], H("L5"))

    s = brawl(melee=True, more=wire, edition=edition)
    do(s, f"withdraw {SQUAD} L5")
    while s.fight is not None:
        if GAME.is_chance(s):
            roll(s, 6)
        else:
            texts = legal(s)
            do(s, "stand" if "stand" in texts else "end-combat" if "end-combat" in texts else sorted(texts)[0])
    assert s.at[U(SQUAD)] == H("L5")
    assert (s.under[U(SQUAD)] == ON_WIRE) == (edition == 6)


# A20.5 prisoners


@rule("A20.5", "A2.6")
@pytest.mark.parametrize(("edition", "gone"), [(6, True), (5, False)])
def test_prisoners_leave_the_map_with_their_guard(edition: int, gone: bool) -> None:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, FOE], "M5")
    capture(s, U(FOE), U(SQUAD), "A20.21")
    leave_map(s, bits(SQUAD), 0)
    assert (s.at[U(FOE)] == EXITED) == gone
    assert s.guard == {U(FOE): U(SQUAD)}


@rule("A20.5", "A1.32")
def test_prisoners_of_a_half_squad_that_recombines_are_held_by_the_squad() -> None:
    s = desert()
    halves = ["br_247#1", "br_247#2"]
    place(s, [*halves, LEADER, FOE], "M5")
    capture(s, U(FOE), U(halves[1]), "A20.21")
    s.phase = RPH
    rallying(s, ALLIED)
    do(s, f"recombine {halves[0]} {halves[1]}")
    assert s.guard == {U(FOE): U(halves[0])}


# A7.1 less than 1 FP


@rule("A7.1", "A12.12", "A7.7")
@pytest.mark.parametrize(("edition", "counts"), [(6, False), (5, True)])
def test_fire_of_less_than_one_fp_is_no_attack(edition: int, counts: bool) -> None:
    s = desert(phasing=AXIS)
    s.edition = edition
    place(s, FOE, "N5")
    place(s, SQUAD, "T5")
    s.pinned = bits(FOE)
    attack(s, AXIS, "T5")
    do(s, f"join {FOE}", "commit")
    roll(s, 6, 5)
    assert bool(s.shot & bits(SQUAD)) == counts


# A12.14b


@rule("A12.14b")
def test_who_is_seen_moving_is_told_so_by_the_rule_of_movement() -> None:
    s = desert()
    place(s, SQUAD, "N5")
    place(s, FOE, "T5")
    s.concealed = bits(SQUAD)
    moving(s)
    found = do(s, f"move {SQUAD}", "to N6")
    assert [one.rule for one in found if one.kind == "revealed"] == ["A12.14b"]


# B11.4


@rule("B11.4")
def test_who_would_walk_over_a_cliff_is_told_that_it_is_climbed() -> None:
    s = desert(sides=[("N5", "N6", "cliff")])
    place(s, SQUAD, "N5")
    moving(s)
    do(s, f"move {SQUAD}")
    assert held_by(s, "to N6") == "B11.4"
    assert held_by(s, "to P5") == "A4.13"


# A8.15, AMB-163


@rule("A8.15", "B9.3")
@pytest.mark.parametrize(("edition", "came", "drm"), [(6, "L5", 2), (6, "M6", 2), (5, "L5", 0)])
def test_a_wall_protects_from_snap_shots_who_crosses_it(edition: int, came: str, drm: int) -> None:
    s = desert(sides=[(came, "M5", "wall")], phasing=ALLIED)
    s.edition = edition
    place(s, SQUAD, "M5")
    place(s, FOE, "M8")
    attack(s, AXIS, "M5", FIRST)
    assert s.attack is not None
    s.move = Move(movers=bits(SQUAD), came=H(came), hex=H("M5"), crossing=1, here=2)
    s.attack.movers, s.attack.snap, s.attack.firers = bits(SQUAD), 1, bits(FOE)
    assert sum(one.value for one in every_drm(s, s.attack)) == drm


# What breakages by hand passed


@rule("A7.302")
def test_who_is_left_of_a_k_takes_its_morale_check_with_its_number() -> None:
    s = desert()
    place(s, SQUAD, "N5")
    s.stack.append(ResultAt(F_RESULT, RESULTS.index("K/2"), bits(SQUAD)))
    settle(s)
    assert s.kind(U(SQUAD)).id == "br_247"
    check = s.stack[-1]
    assert isinstance(check, CheckAt)
    assert check.modifier == 2


@rule("A14.3")
def test_a_sniper_reaches_six_hexes_and_wounds_a_pinned_man_on_a_one() -> None:
    s = desert()
    place(s, FOE, "O5")
    place(s, FOE2, "P5")
    assert prey(s, ALLIED, H("I5")) == bits(FOE)
    for die, hit in ((1, True), (2, False)):
        place(s, LEADER, "N5")
        s.stack.append(SniperWoundAt(F_SNIPER_WOUND, U(LEADER)))
        settle(s)
        roll(s, die)
        assert isinstance(s.stack[-1], WoundAt) == hit
        s.stack = s.stack[:1]


@rule("A12.14b")
@pytest.mark.parametrize(("start", "to", "hidden"), [("Z5", "Y6", True), ("Y5", "X5", False)])
def test_who_moves_seventeen_hexes_away_keeps_its_mark(start: str, to: str, hidden: bool) -> None:
    s = desert()
    place(s, SQUAD, start)
    place(s, FOE, "H5")
    s.concealed = bits(SQUAD)
    moving(s)
    do(s, f"move {SQUAD}", f"to {to}")
    assert s.stage.grid.distance(H("H5"), H(to)) == (17 if hidden else 16)
    assert bool(s.concealed & bits(SQUAD)) == hidden
