"""A3, A7-A9: Prep Fire and First Fire, those who direct it, Final Fire marks, Residual FP and results."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.fire.attack import ResultAt, SelectAt
from sandtable.games.asl.fire.firepower import drms as every_drm
from sandtable.games.asl.fire.ift import RESULTS
from sandtable.games.asl.fire.morale import CheckAt
from sandtable.games.asl.table.ids import (
    AFPH,
    F_RESULT,
    F_SELECT,
    F_TURN,
    FIRST,
    GONE,
    MPH,
    PFPH,
    SUBSEQUENT,
)
from sandtable.games.asl.table.scenarios import TurnAt
from sandtable.games.asl.table.state import Move, State

from ..infantrykit import (
    ALLIED,
    AXIS,
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
