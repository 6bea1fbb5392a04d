"""B19.4, B20.9, B26 to B28, F7.42, F8: Infantry on broken ground, in entrenchments, on wire and in mines."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.points import HALF, left
from sandtable.games.asl.table.ids import (
    ABOVE,
    APH,
    F_ADVANCE,
    GONE,
    ON_WIRE,
    SANGAR,
    TRENCH,
    UNDER_FOXHOLE,
    UNDER_SANGAR,
    UNDER_TRENCH,
)
from sandtable.games.asl.table.state import State
from sandtable.games.asl.table.works import capacity, forbidden, room
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.games.asl.works.mines import weaken

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    FOE2,
    LEADER,
    SQUAD,
    SQUAD2,
    H,
    U,
    attack,
    bits,
    desert,
    do,
    drms,
    kinds,
    moving,
    place,
    roll,
    settle,
)
from ..infantrykit import (
    rule as held_by,
)
from ..kit import filled, hill

rule = partial(pytest.mark.rule, "asl")

WADI = {"N5": {"forms": {"wadi"}}}
FOX, TRENCHES, WIRES, MINE = "axis_foxhole#1", "axis_trench#1", "axis_wire#1", "axis_known_minefield_ap#1"


def start(s: State, where: str = "M5", under: int = ABOVE, at: int = 0) -> State:
    place(s, SQUAD, where, under, at)
    moving(s)
    do(s, f"move {SQUAD}")
    return s


def dig(s: State, work: str, where: str, strength: int = 1) -> None:
    place(s, work, where)
    s.strength[U(work)] = strength


# entry costs in play


@rule("B10.4", "B19.4")
def test_a_walk_pays_for_hills_and_wadis() -> None:
    s = start(desert({**hill(1, "N5")}))
    do(s, "to N5")
    assert left(s) == 2 * HALF  # doubled uphill
    s = start(desert(WADI))
    do(s, "to N5")
    assert s.place[U(SQUAD)] == Place.IN
    assert left(s) == 2 * HALF
    do(s, "to O5")
    assert (s.place[U(SQUAD)], left(s)) == (Place.GROUND, 0)  # out of it is uphill


@rule("F7.3a", "B.2")
def test_a_walk_pays_for_sand_and_cannot_pay_more_than_it_has() -> None:
    s = start(desert({**filled("sand", "N5", "O5"), **filled("brush", "P5")}))
    do(s, "to N5", "to O5")
    assert left(s) == 0
    assert held_by(s, "to P5") == "A4.13"


@rule("B20.9", "F5.4a")
def test_the_crest_is_taken_from_outside_or_from_below() -> None:
    s = start(desert(WADI))
    assert held_by(s, "crest N5 N") == "B20.9"  # the front is the hexside crossed
    do(s, "crest N5 NW")
    assert (s.place[U(SQUAD)], left(s)) == (Place.CREST, 3 * HALF)  # the INTO cost less one
    assert held_by(s, "to O5") == "B20.9"  # not across its front
    do(s, "descend", "to O5")
    assert (s.place[U(SQUAD)], left(s)) == (Place.GROUND, 0)
    s = start(desert(WADI), "N5", at=Place.IN)
    do(s, "crest N5 S")
    assert (s.place[U(SQUAD)], s.cafp[U(SQUAD)], left(s)) == (Place.CREST, 3, 2 * HALF)


@rule("F5.4b")
def test_no_crest_along_a_depression_cliff_or_across_the_bed() -> None:
    s = start(
        desert({**WADI, "O5": {"forms": {"wadi"}}}, [("N5", "O5", "wadi"), ("N5", "N4", "wadi_cliff")]), "N5", at=1
    )
    assert held_by(s, "crest N5 N") == "F5.4b"
    field = s.stage.field
    d = field.grid.direction(field.hex("D1.N5"), field.hex("D1.O5"))
    assert held_by(s, f"crest N5 {('N', 'NE', 'SE', 'S', 'SW', 'NW')[d]}") == "F5.4b"


@rule("B20.9")
def test_the_crest_protects_across_its_front_alone_and_is_lost_by_breaking() -> None:
    s = desert(WADI)
    place(s, FOE, "N5", at=Place.CREST)
    s.cafp[U(FOE)] = 5
    place(s, SQUAD, "K5")
    attack(s, ALLIED, "N5")
    assert drms(do(s, f"join {SQUAD}", "commit")) == 2
    s.cafp[U(FOE)] = 2
    s = desert(WADI)
    place(s, FOE, "N5", at=Place.CREST)
    s.cafp[U(FOE)] = 2
    place(s, SQUAD, "K5")
    attack(s, ALLIED, "N5")
    assert drms(do(s, f"join {SQUAD}", "commit")) == 0
    roll(s, 1, 1)
    roll(s, *(6 for _ in range(2)))
    while GAME.is_chance(s):
        roll(s, 6)
    assert s.at[U(FOE)] < 0 or s.place[U(FOE)] == Place.IN


# entrenchments


@rule("B27.3", "B27.44")
def test_a_foxhole_is_entered_for_one_mf_and_protects_with_two() -> None:
    s = desert()
    dig(s, FOX, "M5")
    place(s, [SQUAD2], "M5")
    start(s)
    do(s, "under")
    assert (s.under[U(SQUAD)], left(s)) == (UNDER_FOXHOLE, 3 * HALF)
    assert held_by(s, "to N5") == "B27.3"
    do(s, "halt", f"move {SQUAD2}")
    assert held_by(s, "under") == "B27.44"  # a 1S foxhole is full
    s.strength[U(FOX)] = 2
    do(settle(s), "under")
    assert s.under[U(SQUAD2)] == UNDER_FOXHOLE
    s = desert(phasing=AXIS)
    dig(s, FOX, "N5")
    place(s, SQUAD, "N5", UNDER_FOXHOLE)
    place(s, FOE, "P5")
    attack(s, AXIS, "N5")
    assert drms(do(s, f"join {FOE}", "commit")) == 2


@rule("B27.44")
def test_each_side_has_the_capacity_of_a_foxhole_and_a_trench_for_itself() -> None:
    s = desert()
    dig(s, FOX, "M5")
    place(s, SQUAD, "M5", UNDER_FOXHOLE)
    assert (room(s, H("M5"), UNDER_FOXHOLE, ALLIED), room(s, H("M5"), UNDER_FOXHOLE, AXIS)) == (0, 2)
    place(s, TRENCHES, "N5")
    assert capacity(s, H("N5"), UNDER_TRENCH) == 6


@rule("F7.42b")
def test_a_foxhole_in_sand_protects_with_one() -> None:
    s = desert(filled("sand", "N5"))
    dig(s, FOX, "N5")
    place(s, FOE, "N5", UNDER_FOXHOLE)
    place(s, SQUAD, "P5")
    attack(s, ALLIED, "N5")
    assert drms(do(s, f"join {SQUAD}", "commit")) == 1


@rule("F7.42a", "F8.2b")
def test_no_trench_or_sangar_in_sand_and_one_sangar_a_hex() -> None:
    s = desert(filled("sand", "N5"))
    assert [forbidden(s, kind, H("N5")) for kind in (SANGAR, TRENCH)] == ["F7.42a", "F7.42a"]
    place(s, "axis_sangar#1", "M5")
    assert forbidden(s, SANGAR, H("M5")) == "F8.2b"


@rule("A7.4", "B.5")
def test_one_roll_meets_each_target_behind_its_own_cover() -> None:
    """A squad beneath a foxhole has +2, one above it nothing; of two TEM the better counts, not their sum."""
    s = desert(filled("broken_hex", "N5"))
    dig(s, FOX, "N5")
    place(s, FOE, "N5", UNDER_FOXHOLE)
    place(s, FOE2, "N5")
    place(s, SQUAD, "M5")
    attack(s, ALLIED, "N5")
    do(s, f"join {SQUAD}", "commit")
    found = roll(s, 3, 4)
    rolled = [(one.kind, one.data["drm"]) for one in found if one.kind.endswith("rolled")]
    assert rolled == [("attack_rolled", 1), ("also_rolled", 2)]


@rule("B27.5", "F8.6c")
def test_trenches_and_sangars_beside_each_other_are_connected() -> None:
    s = desert()
    for work, where in ((TRENCHES, "M5"), ("axis_sangar#1", "N5"), ("axis_trench#2", "M6")):
        place(s, work, where)
    start(s, under=UNDER_TRENCH)
    assert held_by(s, "to M4") == "B27.3"
    do(s, "dive N5")
    assert (s.under[U(SQUAD)], left(s)) == (UNDER_SANGAR, 3 * HALF)
    do(s, "dive M5", "dive M6")
    assert (s.under[U(SQUAD)], left(s)) == (UNDER_TRENCH, HALF)


@rule("F8.6a", "F8.6b")
def test_out_of_a_trench_downward_and_up_into_ones_own() -> None:
    s = desert({**hill(1, "M5")})
    place(s, TRENCHES, "M5")
    start(s, under=UNDER_TRENCH)
    do(s, "to N5")
    assert (s.under[U(SQUAD)], left(s)) == (ABOVE, 3 * HALF)
    s.control = 0
    assert held_by(settle(s), "dive M5") == "F8.6b"  # the enemy's
    s.control = 1 << H("M5")
    do(settle(s), "dive M5")
    assert (s.under[U(SQUAD)], left(s)) == (UNDER_TRENCH, HALF)


@rule("F8.6e")
def test_a_full_sangar_takes_nobody_in() -> None:
    s = desert()
    place(s, TRENCHES, "M5")
    place(s, "axis_sangar#1", "N5")
    place(s, SQUAD2, "N5", UNDER_SANGAR)
    start(s, under=UNDER_TRENCH)
    assert held_by(s, "dive N5") == "F8.6e"


# wire


@rule("B26.4")
def test_wire_stops_whoever_enters_and_costs_a_die_of_mf() -> None:
    s = desert()
    place(s, WIRES, "N5")
    start(s)
    do(s, "to N5")
    assert s.under[U(SQUAD)] == ON_WIRE
    assert held_by(s, "to O5") == "A4.15"
    do(s, "halt")
    s.moved, s.paces = 0, {}
    do(settle(s), f"move {SQUAD}")
    assert held_by(s, "to O5") == "B26.4"
    do(s, "through")
    roll(s, 3)
    assert (s.under[U(SQUAD)], left(s)) == (ABOVE, HALF)
    do(s, "to O5")


@rule("B26.4")
def test_too_much_wire_takes_everything_and_fire_from_on_top_has_plus_one() -> None:
    s = desert()
    place(s, WIRES, "N5")
    start(s, "N5", ON_WIRE)
    do(s, "through")
    roll(s, 5)
    assert (s.under[U(SQUAD)], left(s)) == (ON_WIRE, 0)
    s = desert()
    place(s, SQUAD, "N5", ON_WIRE)
    place(s, FOE, "P5")
    attack(s, ALLIED, "P5")
    assert drms(do(s, f"join {SQUAD}", "commit")) == 1


# mines


@rule("B28.41")
def test_mines_attack_on_entry_and_on_exit_without_any_modifier() -> None:
    s = desert()
    dig(s, MINE, "N5", 6)
    start(s)
    found = do(s, "to N5")
    assert "mines" in kinds(found)
    found = roll(s, 6, 4)
    assert [one.data["drm"] for one in found if one.kind == "attack_rolled"] == [0]
    do(s, "to O5")
    assert s.at[U(SQUAD)] == H("N5")  # it is attacked before it leaves
    roll(s, 6, 4)
    assert s.at[U(SQUAD)] == H("O5")


@rule("B28.41")
def test_who_breaks_in_the_mines_goes_no_further() -> None:
    s = desert()
    dig(s, MINE, "M5", 12)
    start(s)
    do(s, "to N5")
    roll(s, 3, 4)
    roll(s, 6, 5)
    assert s.broken == bits(SQUAD)
    assert s.at[U(SQUAD)] == H("M5")


@rule("F.7d", "F.7b")
def test_the_strength_of_a_minefield_is_learnt_when_it_goes_off() -> None:
    s = desert()
    dig(s, MINE, "N5", 6)
    dig(s, "axis_known_minefield_at#1", "O5", 3)
    start(s)

    def seen() -> list[str]:
        return sorted(one["type"] for one in GAME.view(s, ALLIED)["units"] if "mine" in one["type"])

    assert seen() == ["minefield", "minefield"]
    do(s, "to N5")
    roll(s, 6, 4)
    assert seen() == ["known_minefield_ap", "minefield"]
    mine = next(one for one in GAME.view(s, ALLIED)["units"] if one["type"] == "known_minefield_ap")
    assert mine["strength"] == 6


@rule("F.7Ba", "F.7Bb")
def test_a_dummy_minefield_looks_like_one_and_is_removed_when_it_is_entered() -> None:
    s = desert()
    place(s, "axis_dummy_minefield#1", "N5")
    start(s)
    shown = [one["type"] for one in GAME.view(s, ALLIED)["units"] if one["side"] == "axis" and "hex" in one]
    assert shown == ["minefield"]
    assert "dummy_minefield" in kinds(do(s, "to N5"))
    assert s.at[U("axis_dummy_minefield#1")] == GONE


@rule("B28.7")
def test_a_minefield_loses_step_by_step() -> None:
    s = desert()
    dig(s, MINE, "N5", 12)
    for expected in (8, 6, 0):
        weaken(s, U(MINE))
        assert s.strength[U(MINE)] == expected
    assert s.at[U(MINE)] == GONE


@rule("B26.4", "B28.41")
def test_wire_and_mines_hold_in_the_advance_too() -> None:
    s = desert()
    place(s, WIRES, "N5")
    dig(s, MINE, "N5", 6)
    place(s, [SQUAD, LEADER], "M5")
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    settle(s)
    assert "mines" in kinds(do(s, f"advance {SQUAD} N5"))
    assert s.under[U(SQUAD)] == ON_WIRE


@rule("A12.33")
def test_hidden_entrenchments_are_found_by_sight_and_hidden_mines_by_entry() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    dig(s, FOX, "R5")
    dig(s, MINE, "N5", 6)
    s.hip = bits(FOX, MINE)
    assert not [one for one in GAME.view(s, ALLIED)["units"] if one["side"] == "axis" and "hex" in one]
    moving(s)
    do(s, f"move {SQUAD}", "to N5")
    assert s.hip == 0
    s = desert()
    dig(s, MINE, "O5", 6)
    s.hip = bits(MINE)
    start(s)
    do(s, "to N5")
    assert s.hip == bits(MINE)
