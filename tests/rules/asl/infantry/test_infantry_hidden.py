"""A12, A24: what is hidden and how it is found, concealment gained and lost, SMOKE grenades."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from sandtable.engine.contract import SPECTATOR
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.movement.points import HALF, left
from sandtable.games.asl.table.ids import (
    APH,
    DFPH,
    F_ADVANCE,
    F_CONCEAL,
    F_FIRE,
    F_MOVES,
    FINAL,
    GONE,
    GRENADE,
    MPH,
    PFPH,
)
from sandtable.games.asl.table.state import State
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.games.asl.turn.ending import ConcealAt
from sandtable.games.asl.turn.fires import FireAt

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    FOE2,
    LEADER,
    PREP,
    ROSTER,
    SQUAD,
    SQUAD2,
    H,
    U,
    attack,
    bits,
    column,
    desert,
    do,
    drms,
    empty,
    firing,
    kinds,
    legal,
    moving,
    place,
    roll,
    settle,
    side_of,
)
from ..infantrykit import (
    rule as held_by,
)
from ..kit import filled, hill, hillock
from ..vehiclekit import Desk

rule = partial(pytest.mark.rule, "asl")


def start(s: State, where: str = "M5") -> State:
    place(s, SQUAD, where)
    moving(s)
    do(s, f"move {SQUAD}")
    return s


def hide(s: State, *names: str) -> None:
    s.hip |= bits(*names)
    s.concealed |= bits(*names)


# A12.3 hidden units


@rule("A12.3")
def test_a_view_shows_nothing_of_hidden_units() -> None:
    """Wherever they are, and whether they are there at all: the view of the other side is the same."""

    def table(*places: str) -> State:
        s = desert()
        place(s, SQUAD, "M5")
        for name, where in zip((FOE, FOE2), places, strict=False):
            place(s, name, where)
            hide(s, name)
        return moving(s)

    first, second = table("P5", "Q5"), table("U5", "V7")
    for side in (ALLIED, SPECTATOR):
        assert GAME.view(first, side) == GAME.view(second, side)
        assert GAME.legal(first) == GAME.legal(second)
    assert GAME.view(first, AXIS) != GAME.view(second, AXIS)
    assert not GAME.view(first, ALLIED)["hidden"]


@rule("A12.3")
def test_nobody_is_listed_as_a_target_because_he_is_hidden() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "P5")
    hide(s, FOE)
    s.phase = PFPH
    firing(s, ALLIED, PREP)
    assert held_by(s, "fire P5") == "A7.4"
    s = desert()
    place(s, SQUAD, "M5")
    place(s, [FOE, FOE2], "P5")
    hide(s, FOE)
    attack(s, ALLIED, "P5")
    do(s, f"join {SQUAD}", "commit")
    found = roll(s, 6, 6)  # without effect: nothing is told of the one who is hidden
    assert [one.kind for one in found if one.kind.endswith("rolled")] == ["attack_rolled"]
    assert s.hip == bits(FOE)


@rule("A12.3")
def test_a_hidden_unit_is_placed_when_it_fires_or_moves() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "P5")
    hide(s, FOE)
    s.phase = DFPH
    attack(s, AXIS, "M5", FINAL)
    do(s, f"join {FOE}", "commit")
    roll(s, 6, 6)
    assert s.hip == 0
    assert s.concealed == 0  # A12.14a
    s = desert()
    place(s, SQUAD, "M5")
    hide(s, SQUAD)
    moving(s)
    do(s, f"move {SQUAD}", "to N5")
    assert (s.hip, s.concealed) == (0, bits(SQUAD))


@rule("A12.3", "A12.15")
def test_a_hidden_unit_is_under_a_question_mark_when_its_hex_is_entered() -> None:
    s = desert()
    place(s, FOE, "N5")
    hide(s, FOE)
    start(s)
    assert "detected" in kinds(do(s, "to N5"))
    assert (s.hip, s.concealed, s.at[U(SQUAD)]) == (0, bits(FOE), H("M5"))
    s = desert()
    place(s, FOE, "N5")
    hide(s, FOE)
    place(s, SQUAD, "M5")
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    settle(s)
    do(s, f"advance {SQUAD} N5")
    assert s.hip == 0


@rule("A12.3")
def test_the_other_side_is_asked_while_anybody_of_it_is_hidden_anywhere() -> None:
    """The mover waits at every step, whether the one who is hidden could fire or not: a pause betrays no place."""
    for where in ("X9", "P5"):
        s = desert()
        place(s, FOE, where)
        hide(s, FOE)
        start(s)
        do(s, "to N5")
        assert side_of(s) == "axis"


@rule("A12.11")
def test_a_dummy_is_removed_when_its_hex_is_entered_and_the_mover_goes_on() -> None:
    s = desert()
    place(s, "axis_dummy#1", "N5")
    s.concealed |= bits("axis_dummy#1")
    start(s)
    found = do(s, "to N5")
    assert "dummy" in kinds(found)
    assert (s.at[U("axis_dummy#1")], s.at[U(SQUAD)]) == (GONE, H("N5"))


# A12.152 Search


@rule("A12.152", "A4.9")
def test_a_search_finds_what_lies_in_the_hexes_that_the_die_leaves() -> None:
    s = desert()
    place(s, FOE, "M4")
    place(s, "axis_known_minefield_ap#1", "N4")
    place(s, "axis_dummy_minefield#1", "N5")
    hide(s, FOE)
    s.hip |= bits("axis_known_minefield_ap#1")
    start(s)
    do(s, "search M4")
    assert side_of(s) == "chance"
    roll(s, 4)  # a squad: 3 hexes stay unsearched; M4, N4 and N5 are taken clockwise
    assert s.hip == 0
    assert s.at[U("axis_dummy_minefield#1")] == GONE  # F.7Bb
    assert s.ti == bits(SQUAD)
    assert left(s) == 0


@rule("A12.152")
def test_a_search_is_worse_for_the_tired_and_better_under_a_leader() -> None:
    for names, cx, die, found in (((SQUAD,), 0, 6, 1), ((SQUAD,), 1, 6, 0), ((SQUAD, LEADER), 0, 6, 2)):
        s = desert()
        place(s, FOE, "M4")
        hide(s, FOE)
        place(s, names, "M5")
        moving(s)
        do(s, f"move {SQUAD}", *(f"also {name}" for name in names[1:]))
        s.cx = bits(SQUAD) if cx else 0
        events = do(s, "search M4")
        events = roll(s, die)
        assert len(next(one for one in events if one.kind == "search").data["hexes"]) == found


@rule("A4.9")
def test_who_is_busy_neither_fires_nor_advances_nor_moves() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "P5")
    s.ti = bits(SQUAD)
    attack(s, ALLIED, "P5")
    assert held_by(s, f"join {SQUAD}") == "A4.9"
    s = moving(desert())
    place(s, SQUAD, "M5")
    s.ti = bits(SQUAD)
    assert held_by(settle(s), f"move {SQUAD}") == "A4.9"
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    assert held_by(settle(s), f"advance {SQUAD} N5") == "A4.9"


# A12.12, A12.14 concealment


def evening(s: State, *names: str) -> State:
    s.stack.append(ConcealAt(F_CONCEAL, bits(*names)))
    return settle(s)


@rule("A12.12", "F11.601b")
@pytest.mark.parametrize(("edition", "emplaced", "both"), [(6, True, True), (6, False, False), (5, True, False)])
def test_an_emplaced_gun_gains_its_mark_with_those_who_man_it(edition: int, emplaced: bool, both: bool) -> None:
    s = desert(filled("scrub", "M5"))
    s.edition = edition
    british = ((u, name) for u, name in enumerate(ROSTER.names) if name.startswith("br_"))
    gun, names = next(one for one in british if ROSTER.guns >> one[0] & 1)
    place(s, SQUAD, "M5")
    place(s, names, "M5")
    s.holder[gun] = U(SQUAD)
    s.emplaced = 1 << gun if emplaced else 0
    evening(s, SQUAD)
    assert s.concealed == bits(SQUAD) | (1 << gun if both else 0)


@rule("A12.12", "F2.3a")
def test_concealment_is_gained_out_of_sight_or_with_a_die() -> None:
    s = desert(filled("scrub", "M5"))
    place(s, SQUAD, "M5")
    evening(s, SQUAD)
    assert s.concealed == bits(SQUAD)  # scrub, and nobody looks
    for die, gained in ((5, True), (6, False)):
        s = desert(filled("scrub", "M5"))
        place(s, SQUAD, "M5")
        place(s, FOE, "P5")
        evening(s, SQUAD)
        roll(s, die)
        assert bool(s.concealed) == gained
    s = desert(filled("scrub", "M5"))
    place(s, SQUAD, "M5")
    place(s, FOE, "P5")
    s.moved = bits(SQUAD)
    evening(s, SQUAD)
    assert s.concealed == 0  # it moved in sight
    s = desert()
    place(s, SQUAD, "M5")
    evening(s, SQUAD)
    assert s.concealed == bits(SQUAD)  # A12.12: no enemy within 16 hexes
    s = desert({**filled("woods", "O5")})
    place(s, SQUAD, "M5")
    place(s, FOE, "Q5")
    evening(s, SQUAD)
    assert s.concealed == 0  # out of sight, but in the open and too near


@rule("A12.14a", "A12.14c")
def test_concealment_is_lost_by_firing_and_by_any_result() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "P5")
    s.concealed = bits(SQUAD, FOE)
    attack(s, ALLIED, "P5")
    assert column(do(s, f"join {SQUAD}", "commit")) == 4
    roll(s, 1, 2)
    assert not s.concealed & bits(SQUAD)
    assert not s.concealed & bits(FOE)  # 2 FP, DR 3: a result
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "P5")
    s.concealed = bits(FOE)
    attack(s, ALLIED, "P5")
    do(s, f"join {SQUAD}", "commit")
    roll(s, 6, 5)
    assert s.concealed == bits(FOE)  # no result
    s = desert({**filled("woods", "O5")})
    place(s, SQUAD, "M5")
    place(s, FOE, "N6")
    place(s, FOE2, "Q5")
    s.concealed = bits(SQUAD)
    s.broken = bits(FOE)
    attack(s, ALLIED, "N6")
    do(s, f"join {SQUAD}", "commit")
    roll(s, 6, 6)
    assert s.concealed == bits(SQUAD)  # no Good Order enemy sees it


@rule("A12.152", "A26.1")
def test_the_first_hex_of_the_map_is_searched_from_and_held() -> None:
    s = start(desert(), "H0")
    assert s.at[U(SQUAD)] == 0
    do(s, "search H1")
    assert "search" in kinds(roll(s, 1))
    s = start(desert(), "I1")
    do(s, "to H0", "halt")
    assert s.control & 1


@rule("A12.152", "A4.13")
def test_who_has_no_mf_left_searches_nowhere() -> None:
    d = Desk("s10_bir_hakeim", "D1")
    d.put(SQUAD, "A2")
    d.s.phase = MPH
    d.settle(MovesAt(F_MOVES)).do(f"move {SQUAD}")
    assert "search A1" in d.legal()
    assert d.s.move is not None
    d.s.move.spent, d.s.choices = 4 * HALF, None
    assert not any(one.startswith("search") for one in d.legal())
    assert d.rule("search A1") == "A4.13"


# A24.1 SMOKE grenades


@rule("A24.1")
def test_a_grenade_into_its_own_hex_or_the_next() -> None:
    s = start(desert())
    do(s, "lob M5")
    assert left(s) == 3 * HALF
    roll(s, 1)
    assert s.smoke == {H("M5"): 1 << 2 * GRENADE + ALLIED}
    assert held_by(s, "lob N5") == "A24.1"  # one try
    s = start(desert())
    do(s, "lob N5")
    assert left(s) == 2 * HALF
    roll(s, 2)
    assert not s.smoke
    for spent, own, beside in ((2 * HALF, True, True), (3 * HALF, True, False), (4 * HALF, False, False)):
        s = start(desert())
        assert s.move is not None
        s.move.spent = spent
        assert ("lob M5" in legal(settle(s)), "lob N5" in legal(s)) == (own, beside)
    s = start(desert())
    assert held_by(s, "lob P5") == "A24.1"
    do(s, "lob N5")
    roll(s, 6)
    assert held_by(s, "to N5") == "A4.15"  # a 6 ends its move


@rule("A24.1", "A24.7", "A24.8")
def test_smoke_costs_a_point_hinders_and_is_gone_with_the_phase() -> None:
    s = desert()
    place(s, FOE, "R5")
    start(s)
    do(s, "lob N5")
    if side_of(s) == "chance":
        roll(s, 1)
    do(s, "hold")
    do(s, "to N5")
    assert left(s) == 0  # 2 MF for the grenade, 2 for the hex with SMOKE
    assert drms(do(s, f"join {FOE}", "commit")) == 2 - 1  # +2 SMOKE, FFNAM; no FFMO
    roll(s, 6, 6)
    do(s, "hold") if side_of(s) == "axis" else None
    do(s, "halt", "end-moves")
    assert not s.smoke


@rule("A24.1", "F6.21")
def test_uphill_a_grenade_needs_a_further_die_but_not_onto_a_hillock() -> None:
    s = start(desert(hill(1, "N5")))
    do(s, "lob N5")
    roll(s, 1)
    assert side_of(s) == "chance"
    roll(s, 4)
    assert not s.smoke
    s = start(desert(hill(1, "N5")))
    do(s, "lob N5")
    roll(s, 1, 3)
    assert H("N5") in s.smoke
    s = start(desert(hillock("a", "N5")))
    do(s, "lob N5")
    roll(s, 1)
    assert H("N5") in s.smoke


@rule("A12.1")
def test_redealing_what_is_hidden_does_not_change_what_a_side_sees() -> None:
    """A whole game at random: at every decision a table imagined from a side's view shows the same view."""
    random = Random(11)
    s = GAME.new("s01_capuzzo_outpost")
    checked = 0
    while GAME.to_act(s) is not None and s.turn <= 2:
        if not GAME.is_chance(s) and random.random() < 0.2:
            for side in (AXIS, ALLIED):
                seen = GAME.view(s, side)
                assert GAME.view(GAME.imagine(seen, random), side) == seen
                checked += 1
        if GAME.is_chance(s):
            GAME.apply(s, GAME.roll(s, lambda sides: random.randint(1, sides)).action)
        else:
            GAME.apply(s, random.choice(GAME.legal(s)))
    assert checked > 20


@rule("A12.1")
def test_the_fire_phase_asks_a_side_that_may_hide_something() -> None:
    s = empty()
    place(s, SQUAD2, "M5")
    s.concealed = bits("axis_dummy#1")
    place(s, "axis_dummy#1", "U5")
    s.phase = DFPH
    s.stack.append(FireAt(F_FIRE, AXIS, FINAL))
    assert side_of(settle(s)) == "axis"
