"""A7 to A10, A20 at their limits: what is ADJACENT, how near is near enough, and what the dice of a kind bring."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.fire.attack import ResultAt
from sandtable.games.asl.fire.bursts import shots_out, sprayed
from sandtable.games.asl.fire.firepower import cower
from sandtable.games.asl.fire.group import now_of, too_far
from sandtable.games.asl.fire.ift import RESULTS
from sandtable.games.asl.fire.morale import inexperienced
from sandtable.games.asl.table.ids import F_RALLY_ROLL, F_RESULT, F_SURRENDER, GONE, PROTECTIVE, SUBSEQUENT
from sandtable.games.asl.table.state import Attack, Move, State
from sandtable.games.asl.turn.flight import RouterAt, near, pressed, toward_cover
from sandtable.games.asl.turn.rally import RollAt, calm
from sandtable.games.asl.turn.routs import SurrenderAt, captor_of

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    FOE2,
    HMG,
    LEADER,
    LMG,
    OTHER_LEADER,
    PREP,
    ROSTER,
    SQUAD,
    SQUAD2,
    H,
    U,
    attack,
    bits,
    desert,
    do,
    empty,
    firing,
    give,
    kinds,
    place,
    roll,
    settle,
)
from ..infantrykit import rule as held_by
from ..kit import hill

rule = partial(pytest.mark.rule, "asl")


# ADJACENT: Accessible and in LOS


def below_a_cliff() -> State:
    s = desert(hill(1, "N5"), [("M5", "N5", "cliff")])
    place(s, SQUAD, "N5")
    place(s, FOE, "M5")
    s.broken = s.dm = bits(FOE)
    return s


@rule("A10.5", "A10.501", "A10.621", "A20.21")
def test_nobody_is_adjacent_across_a_cliff() -> None:
    s = below_a_cliff()
    assert not pressed(s, U(FOE))
    assert not near(s, AXIS) >> H("M5") & 1
    assert near(s, AXIS) >> H("O5") & 1
    assert captor_of(s, U(FOE)) < 0
    calm(s)
    assert not s.dm & bits(FOE)
    place(s, SQUAD2, "M6")
    s.dm = bits(FOE)
    assert pressed(s, U(FOE))
    assert captor_of(s, U(FOE)) == U(SQUAD2)
    calm(s)
    assert s.dm & bits(FOE)
    old = below_a_cliff()
    old.edition = 3
    assert pressed(old, U(FOE))


@rule("A8.31")
def test_final_protective_fire_does_not_reach_up_a_cliff() -> None:
    for where, reached in (("M5", False), ("M6", True)):
        s = below_a_cliff()
        place(s, FOE, where)
        s.spent_fire = bits(SQUAD)
        s.attack = Attack(fire=PROTECTIVE, side=ALLIED, target=H(where), movers=bits(FOE))
        with_level = too_far(s, now_of(s), U(SQUAD))
        assert with_level != reached


# A8.14, A7.25


@rule("A8.14")
@pytest.mark.parametrize(("halves", "most"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (8, 4)])
def test_nobody_fires_more_often_than_the_mover_spent_points(halves: int, most: int) -> None:
    s = empty()
    s.move = Move(movers=bits(FOE), here=halves)
    made = 0
    while not shots_out(s, U(SQUAD)):
        made += 1
        s.shots = {U(SQUAD): made}
    assert made == most


@rule("A7.25")
def test_who_waits_does_not_fire_before_the_advancing_fire_phase() -> None:
    s = desert()
    place(s, [SQUAD, SQUAD2], "M5")
    give(s, LMG, SQUAD)
    place(s, FOE, "P5")
    firing(s, ALLIED, PREP)
    do(s, f"wait {SQUAD}")
    do(s, "fire P5")
    assert held_by(s, f"join {SQUAD}") == "A7.25"
    assert held_by(s, f"use {LMG}") == "A7.25"
    do(s, f"join {SQUAD2}")


# A20.5, A25.61


@rule("A25.61", "A20.5")
def test_nobody_gives_himself_up_to_a_guard_who_holds_as_many_as_he_can() -> None:

    for held, guard in ((0, SQUAD), (5, SQUAD2)):
        s = desert()
        place(s, SQUAD, "M7")
        place(s, SQUAD2, "M8")
        place(s, FOE, "M4")
        s.broken = bits(FOE)
        others = [name for name in ROSTER.names if name.startswith("it_346#") and name != FOE][:held]
        for name in others:
            place(s, name, "M7")
            s.captive |= bits(name)
            s.guard[U(name)] = U(SQUAD)
        s.stack.append(SurrenderAt(F_SURRENDER, U(FOE)))
        settle(s)
        roll(s, 1)
        assert s.guard[U(FOE)] == U(guard)


# A7.21, A7.9, A9.21, A7.301


@rule("A7.21")
def test_fire_within_a_location_is_tripled() -> None:
    s = empty()
    place(s, SQUAD, "M5")
    place(s, FOE, "M5")
    attack(s, ALLIED, "M5")
    told = next(one for one in do(s, f"join {SQUAD}", "commit") if one.kind == "attack")
    assert told.data["fp"] == 12


@rule("A7.9", "A19.3")
def test_the_inexperienced_cower_by_two_columns() -> None:
    for leader, columns in (("", 2), ("it_ldr_8m0#1", 1)):
        s = empty(AXIS)
        place(s, FOE, "N5")
        s.type[U(FOE)] = ROSTER.type_of["it_336"]
        if leader:
            place(s, leader, "N5")
        place(s, SQUAD, "R5")
        attack(s, AXIS, "R5")
        do(s, f"join {FOE}")
        assert inexperienced(s, U(FOE)) == (not leader)
        assert s.attack is not None
        assert cower(s, s.attack, 3, 3) == columns


@rule("A7.9", "A9.21")
def test_who_cowers_keeps_no_rate_of_fire() -> None:
    for dice, kept in (((1, 1), False), ((1, 2), True)):
        s = empty(AXIS)
        place(s, FOE, "N5")
        give(s, HMG, FOE)
        place(s, SQUAD, "R5")
        attack(s, AXIS, "R5")
        do(s, f"use {HMG}", "commit")
        assert ("rate_of_fire" in kinds(roll(s, *dice))) == kept


@rule("A7.301")
def test_a_kia_reduces_the_others_who_are_broken_already() -> None:
    s = empty()
    place(s, [FOE, FOE2], "P5")
    s.broken = bits(FOE2)
    s.stack.append(ResultAt(F_RESULT, RESULTS.index("1KIA"), bits(FOE, FOE2)))
    settle(s)
    roll(s, 6, 1)
    assert s.at[U(FOE)] == GONE
    assert s.kind(U(FOE2)).id == "it_136"


# A8.3, A9.5, A10.64, A10.501


@rule("A8.3")
def test_subsequent_first_fire_reaches_no_farther_than_normal_range() -> None:
    """The squad's Normal Range is 5."""
    for where, reached in (("R5", True), ("S5", False)):
        s = empty()
        place(s, SQUAD, "M5")
        place(s, FOE, where)
        s.fired = bits(SQUAD)
        s.attack = Attack(fire=SUBSEQUENT, side=ALLIED, target=H(where), movers=bits(FOE))
        assert too_far(s, now_of(s), U(SQUAD)) != reached


@rule("A9.5")
def test_spraying_fire_needs_both_hexes_within_normal_range() -> None:
    """The LMG's Normal Range is 7: T5 is at seven hexes, U5 at eight."""
    for first, second, able in (("S5", "T5", True), ("T5", "S5", True), ("U5", "T5", False), ("T5", "U5", False)):
        s = empty()
        place(s, SQUAD, "M5")
        give(s, LMG, SQUAD)
        place(s, FOE, first)
        place(s, FOE2, second)
        assert (H(second) in sprayed(s, Attack(fire=PREP, side=ALLIED, target=H(first), weapons=bits(LMG)))) == able


@rule("A10.64", "A10.6")
def test_a_twelve_reduces_and_rallies_nobody_not_even_him_whose_number_it_is() -> None:
    """A 10-3 beside another: 12 - 3 is not above his broken morale of 10."""
    s = empty()
    place(s, [LEADER, OTHER_LEADER], "M5")
    s.type[U(LEADER)] = s.type[U(OTHER_LEADER)] = ROSTER.type_of["ge_ldr_10m3"]
    s.broken = bits(LEADER)
    s.stack.append(RollAt(F_RALLY_ROLL, U(LEADER), U(OTHER_LEADER)))
    settle(s)
    roll(s, 6, 6, 1)
    assert s.broken & s.wounded == bits(LEADER)


@rule("A10.51", "A10.501")
def test_woods_beside_an_enemy_are_no_goal_of_a_rout() -> None:
    """M8 is nearer than I5, but an enemy lies beside it."""
    s = desert({"M8": {"terrain": "woods"}, "I5": {"terrain": "woods"}})
    place(s, FOE, "M6")
    place(s, SQUAD, "N8")
    s.broken = s.dm = bits(FOE)
    open_to = sum(1 << n for _, n in s.stage.grid.neighbours[H("M6")])
    found = toward_cover(s, RouterAt(0, U(FOE), 0, 0), open_to)
    assert not found >> H("M7") & 1
    s.edition = 2
    assert toward_cover(s, RouterAt(0, U(FOE), 0, 0), open_to) >> H("M7") & 1
