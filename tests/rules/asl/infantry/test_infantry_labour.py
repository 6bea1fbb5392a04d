"""A7.7, A7.25, A9, A14, A21 to A23, B26 to B28: labour."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.climate import DUSTS
from sandtable.games.asl.fire.ift import RESULTS, ift
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.points import HALF, left
from sandtable.games.asl.table.ids import (
    ABOVE,
    AFPH,
    CCPH,
    F_CHARGES,
    F_CLEARING,
    F_FIRE,
    F_MINES,
    FOXHOLE,
    GONE,
    ON_WIRE,
    PFPH,
    UNDER_FOXHOLE,
    UNDER_SANGAR,
)
from sandtable.games.asl.table.state import State
from sandtable.games.asl.turn.labour import ClearingAt, FireAt
from sandtable.games.asl.works.blast import ChargesAt
from sandtable.games.asl.works.mines import MinesAt, shell
from sandtable.games.asl.works.ruin import collapse, ruin

from ..infantrykit import (
    ALLIED,
    AXIS,
    FINAL,
    FOE,
    FOE2,
    LEADER,
    LMG,
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
    drms,
    firing,
    give,
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
from ..kit import filled, hill

rule = partial(pytest.mark.rule, "asl")
DC = "br_dc#1"


def dig(s: State, work: str, where: str, strength: int = 1) -> None:
    place(s, work, where)
    s.strength[U(work)] = strength


# A23 demolition charges


def sapper(terrain: str = "open") -> State:
    s = desert(filled(terrain, "N5"))
    place(s, SQUAD, "M5")
    give(s, DC, SQUAD)
    place(s, FOE, "N5")
    s.under[U(FOE)] = UNDER_FOXHOLE
    dig(s, "axis_foxhole#1", "N5")
    return s


@rule("A23.3")
def test_a_charge_is_set_in_the_move_and_goes_off_in_the_advancing_fire_phase() -> None:
    s = sapper()
    moving(s)
    do(s, f"move {SQUAD}", f"set-charge {DC} N5")
    assert left(s) == 3 * HALF
    while side_of(s) == "axis":
        do(s, "hold")
    assert s.charges == {U(DC): H("N5")}
    do(s, "halt")
    s.phase = AFPH
    s.stack.append(ChargesAt(F_CHARGES))
    settle(s)
    found = roll(s, 6, 4)
    told = next(one for one in found if one.kind == "blast")
    assert (told.data["drm"], told.data["result"]) == (2, "1MC")  # 30 FP, +2 foxhole
    assert s.at[U(DC)] == GONE
    s = sapper()
    s.charges = {U(DC): H("N5")}
    s.pinned = bits(SQUAD)
    s.stack.append(ChargesAt(F_CHARGES))
    settle(s)
    assert s.at[U(DC)] == H("M5")  # the placer is pinned


@rule("A23.3")
def test_only_a_charge_is_set_and_that_once() -> None:
    s = sapper()
    give(s, LMG, SQUAD)
    moving(s)
    do(s, f"move {SQUAD}")
    assert {one for one in legal(s) if one.startswith("set-charge")} == {f"set-charge {DC} N5"}
    do(s, f"set-charge {DC} N5")
    while side_of(s) == "axis":
        do(s, "hold")
    assert held_by(s, f"set-charge {DC} N5") == "A23.3"
    assert held_by(s, f"set-charge {LMG} N5") == "A23.3"


@rule("A23.6")
def test_a_thrown_charge_hurts_the_thrower_too() -> None:
    s = sapper()
    firing(s, ALLIED, PREP)
    assert held_by(s, f"throw {DC} P5") == "A23.6"
    do(s, f"throw {DC} N5")
    found = roll(s, 4, 4)
    assert sorted(one.data["drm"] for one in found if one.kind == "blast") == [3, 4]  # own hex; +2 foxhole +2 thrown


@rule("F3.4a", "A23.3")
def test_a_charge_in_hammada_has_one_less() -> None:
    s = sapper("hammada")
    firing(s, ALLIED, PREP)
    do(s, f"throw {DC} N5")
    found = roll(s, 4, 4)
    assert sorted(one.data["drm"] for one in found if one.kind == "blast") == [3, 3]


@rule("F8.41a", "F8.41c")
def test_a_charge_that_kills_removes_the_sangar() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    give(s, DC, SQUAD)
    place(s, "axis_sangar#1", "N5")
    place(s, [FOE, FOE2], "N5", UNDER_SANGAR)
    firing(s, ALLIED, PREP)
    do(s, f"throw {DC} N5")
    roll(s, 1, 1)
    assert s.at[U("axis_sangar#1")] == GONE
    assert s.under[U(FOE)] == ABOVE
    s = desert()
    place(s, "axis_sangar#1", "N5")
    ruin(s, H("N5"), False)
    assert s.at[U("axis_sangar#1")] == H("N5")


@rule("F7.42c", "F7.42d", "F7.42e")
def test_ex_f7_42_a_foxhole_in_sand_collapses_squad_by_squad() -> None:
    """EX-F7.42: a 2S foxhole with a squad and a half-squad; halves are counted, whole squads cut it."""

    def hole() -> State:
        s = desert(filled("sand", "N5"))
        dig(s, "axis_foxhole#1", "N5", 2)
        place(s, FOE, "N5", UNDER_FOXHOLE)
        return s

    cases = ((2, 1, True, 1), (3, 2, True, 1), (1, 1, True, 2), (2, 1, False, 2), (2, 2, False, 1))
    for lost, picked, killed, expected in cases:
        s = hole()
        collapse(s, H("N5"), lost, picked, killed)
        assert s.strength[U("axis_foxhole#1")] == expected
    s = hole()
    collapse(s, H("N5"), 4, 2, True)
    assert s.at[U("axis_foxhole#1")] == GONE
    assert s.under[U(FOE)] == ABOVE
    s = desert()
    dig(s, "axis_foxhole#1", "N5", 2)
    collapse(s, H("N5"), 4, 2, True)
    assert s.strength[U("axis_foxhole#1")] == 2  # not in sand


# A22 flamethrowers


def burner(where: str = "N5") -> State:
    s = desert(filled("broken_hex", where))
    place(s, SQUAD, "M5")
    s.type[U(DC)] = ROSTER.type_of["ge_ft"]
    give(s, DC, SQUAD)
    place(s, FOE, where)
    return s


@rule("A22.1")
def test_a_flamethrower_minds_no_terrain_and_reaches_two_hexes() -> None:
    for where, fp in (("N5", 24), ("O5", 12)):
        s = burner(where)
        firing(s, ALLIED, PREP)
        do(s, f"burn {DC} {where}")
        told = next(one for one in roll(s, 4, 4) if one.kind == "blast")
        assert (told.data["drm"], told.data["result"]) == (0, RESULTS[ift().result(ift().column(fp), 8)])
    s = burner("P5")
    firing(s, ALLIED, PREP)
    assert held_by(s, f"burn {DC} P5") == "A22.1"


@rule("A22.1", "F11.732b")
def test_a_flamethrower_is_gone_at_its_x_number_and_draws_fire() -> None:
    s = burner()
    firing(s, ALLIED, PREP)
    do(s, f"burn {DC} N5")
    roll(s, 5, 5)
    assert s.at[U(DC)] == GONE
    for edition, gone in ((6, True), (5, False)):  # F11.732b
        s = burner()
        s.edition, s.density = edition, DUSTS.index("extremely_heavy")
        firing(s, ALLIED, PREP)
        do(s, f"burn {DC} N5")
        roll(s, 5, 4)
        assert (s.at[U(DC)] == GONE) == gone
    s = burner("P5")
    place(s, SQUAD2, "M5")
    attack(s, AXIS, "M5")
    do(s, f"join {FOE}", "commit")
    found = roll(s, 6, 6)
    rolled = sorted(one.data["drm"] for one in found if one.kind.endswith("rolled"))
    assert rolled == [-1, 0]  # against its possessor alone


# B27.11, B26.4, B28.7 labour


def sapping(*names: str, **ground: object) -> State:
    s = desert(ground)  # type: ignore[arg-type]
    s.stage.no_digging = False
    place(s, [SQUAD, *names], "M5")
    s.at[U("allied_foxhole#1")] = -3
    s.phase = PFPH
    s.stack.append(FireAt(F_FIRE, ALLIED, PREP))
    return settle(s)


@rule("B27.11", "F.1B", "A4.9")
def test_digging_in_the_desert() -> None:
    s = sapping()
    do(s, f"dig {SQUAD}")
    roll(s, 1, 2)  # 3 + 2
    assert s.under[U(SQUAD)] == UNDER_FOXHOLE
    assert s.ti == bits(SQUAD)
    s = sapping()
    do(s, f"dig {SQUAD}")
    roll(s, 2, 2)
    assert s.under[U(SQUAD)] == ABOVE
    assert s.dug == {H("M5"): 1}
    s = sapping()
    s.dug = {H("M5"): 1}
    do(s, f"dig {SQUAD}")
    roll(s, 2, 2)  # 4 + 2 - 1 for the labour before
    assert s.under[U(SQUAD)] == UNDER_FOXHOLE


@rule("F7.421", "B27.11")
def test_digging_in_sand_with_a_leader_and_where_it_is_forbidden() -> None:
    s = sapping(LEADER, M5={"terrain": "sand"})
    do(s, f"dig {SQUAD}")
    found = roll(s, 3, 3)
    assert next(one for one in found if one.kind == "dug").data["final"] == 5  # -1 for the 9-1
    for mark in ("pinned", "ti"):
        s = sapping(LEADER, M5={"terrain": "sand"})
        setattr(s, mark, bits(LEADER))
        do(settle(s), f"dig {SQUAD}")
        assert next(one for one in roll(s, 3, 3) if one.kind == "dug").data["final"] == 6, mark
    s = sapping(M5={"terrain": "building_stone"})
    assert held_by(s, f"dig {SQUAD}") == "B27.11"
    s = sapping()
    s.stage.no_digging = True
    assert held_by(settle(s), f"dig {SQUAD}") == "B27.11"


@rule("F8.2a", "B27.6")
def test_no_sangar_is_ever_built_in_play() -> None:
    s = sapping()
    do(s, f"dig {SQUAD}")
    roll(s, 1, 1)
    made = [u for u in range(len(s.at)) if s.at[u] == H("M5") and ROSTER.works >> u & 1]
    assert [s.kind(u).kind for u in made] == [FOXHOLE]


@rule("B26.4", "A4.62")
def test_clearing_wire_takes_a_turn_and_is_hazardous() -> None:
    for face, gone in ((3, True), (4, False)):
        s = sapping()
        place(s, "axis_wire#1", "M5")
        s.under[U(SQUAD)] = ON_WIRE
        do(settle(s), f"clear {SQUAD}")
        assert s.ti == s.clears == bits(SQUAD)
        place(s, FOE, "P5")
        attack(s, AXIS, "M5", FINAL)
        assert drms(do(s, f"join {FOE}", "commit")) == -2
        roll(s, 6, 6)
        s.phase = CCPH
        s.stack.append(ClearingAt(F_CLEARING))
        settle(s)
        roll(s, face, 6)
        assert (s.at[U("axis_wire#1")] == GONE) == gone
        assert s.under[U(SQUAD)] == (ABOVE if gone else ON_WIRE)


@rule("B28.7")
def test_clearing_mines_needs_a_two() -> None:
    for faces, strength in (((1, 1), 8), ((1, 2), 12)):
        s = sapping()
        dig(s, "axis_known_minefield_ap#1", "M5", 12)
        do(settle(s), f"clear {SQUAD}")
        s.stack.append(ClearingAt(F_CLEARING))
        settle(s)
        roll(s, *faces)
        assert s.strength[U("axis_known_minefield_ap#1")] == strength


@rule("B26.4", "B28.7")
def test_of_two_who_clear_the_second_rolls_only_if_something_is_left() -> None:
    for face, again in ((3, False), (4, True)):
        s = sapping()
        place(s, [SQUAD2, "axis_wire#1"], "M5")
        do(settle(s), f"clear {SQUAD}", f"clear {SQUAD2}")
        s.stack.append(ClearingAt(F_CLEARING))
        settle(s)
        roll(s, face, 6)
        assert GAME.is_chance(s) == again


@rule("B28.41")
def test_mines_that_are_gone_attack_nobody() -> None:
    """A minefield that a barrage has emptied lies there as a dummy does, as long as nobody has read it (F.7Bc)."""
    for strength in (12, 0):
        s = moving(desert())
        dig(s, "axis_known_minefield_ap#1", "M5", strength)
        place(s, SQUAD, "M5")
        s.stack.append(MinesAt(F_MINES, H("M5"), bits(SQUAD)))
        assert GAME.is_chance(settle(s)) == bool(strength)


@rule("B28.62", "F.7f", "F.7Bc")
def test_shelling_a_minefield() -> None:
    s = desert()
    dig(s, "axis_known_minefield_ap#1", "M5", 12)
    place(s, "axis_dummy_minefield#1", "M5")
    shell(s, H("M5"), False)
    assert s.strength[U("axis_known_minefield_ap#1")] == 8
    shell(s, H("M5"), True)
    assert s.strength[U("axis_known_minefield_ap#1")] == 0
    assert s.at[U("axis_known_minefield_ap#1")] == H("M5")  # unread: it lies there as a dummy does
    assert s.at[U("axis_dummy_minefield#1")] == H("M5")


# B11.4 climbing


@rule("B11.4", "A4.62", "F5.3b")
def test_a_cliff_is_climbed_level_by_level() -> None:
    """EX-F5.3: two levels need two climbs."""
    for levels in (1, 2):
        s = desert(hill(levels, "N5"), [("M5", "N5", "cliff")])
        place(s, SQUAD, "M5")
        moving(s)
        do(s, f"move {SQUAD}")
        assert held_by(s, "to N5") == "B11.4"
        do(s, "climb N5")
        roll(s, 4, 5)
        assert s.at[U(SQUAD)] == H("N5" if levels == 1 else "M5")
        do(s, "halt")
        if levels == 2:
            s.moved, s.paces = 0, {}
            do(settle(s), f"move {SQUAD}", "climb N5")
            roll(s, 4, 5)
            assert s.at[U(SQUAD)] == H("N5")
    s = desert(hill(1, "N5"), [("M5", "N5", "cliff")])
    place(s, SQUAD, "M5")
    place(s, FOE, "M8")
    moving(s)
    do(s, f"move {SQUAD}", "climb N5")
    assert side_of(s) == "axis"
    assert drms(do(s, f"join {FOE}", "commit")) == -2
    roll(s, 6, 6)
    do(s, "hold") if side_of(s) == "axis" else None
    roll(s, 6, 6)
    assert s.at[U(SQUAD)] == GONE
