"""A2-A5, A12, B: movement, and what lies on the ground or meets whoever moves."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.ids import (
    APH,
    EXITED,
    F_ADVANCE,
    F_SETUP,
    ON_WIRE,
    UNDER_FOXHOLE,
)
from sandtable.games.asl.table.scenarios import SetupAt, finish
from sandtable.games.asl.table.state import Move, State
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.games.asl.vehicles.company import companions, follow

from ..infantrykit import (
    ALLIED,
    FOE,
    LEADER,
    SQUAD,
    SQUAD2,
    H,
    U,
    bits,
    desert,
    do,
    give,
    legal,
    moving,
    place,
    roll,
    settle,
)
from ..infantrykit import rule as held_by
from ..kit import hill
from ..vehiclekit import Desk

rule = partial(pytest.mark.rule, "asl")
EDITIONS = [7, 6]
MINE, WIRE_ = "axis_known_minefield_ap#1", "axis_wire#1"


def mines(s: State, where: str) -> None:
    place(s, MINE, where)
    s.strength[U(MINE)] = 6


def march(edition: int, where: str = "M5", on: State | None = None, under: int = 0) -> State:
    s = on or desert()
    s.edition = edition
    place(s, SQUAD, where, under)
    moving(s)
    do(s, f"move {SQUAD}")
    return s


# A4.134


@rule("A4.134")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_minimum_move_needs_a_movement_factor(edition: int) -> None:
    s = desert()
    s.edition = edition
    place(s, SQUAD, "M5")
    for weapon in ("it_hmg#1", "it_mmg#1"):
        give(s, weapon, SQUAD)  # 9 PP: nothing is left
    moving(s)
    do(s, f"move {SQUAD}")
    assert ("to N5" in legal(s)) == (edition < 7)


# B28.41 who leaves a mined hex


@rule("B28.41", "A2.6")
@pytest.mark.parametrize("edition", EDITIONS)
def test_mines_attack_who_leaves_the_map_from_their_hex(edition: int) -> None:
    s = desert()
    mines(s, "H5")
    march(edition, "H5", s)
    do(s, "exit")
    if edition > 6:
        assert GAME.is_chance(s)
        roll(s, 6, 6)
    assert s.at[U(SQUAD)] == EXITED
    s = desert()
    mines(s, "H5")
    march(edition, "H5", s)
    do(s, "exit")
    if edition > 6:
        roll(s, 2, 4, 6, 5)  # a MC, and it fails
        assert (s.at[U(SQUAD)], s.broken) == (H("H5"), bits(SQUAD))


def advancing(s: State) -> State:
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    return settle(s)


@rule("B28.41", "A2.6")
@pytest.mark.parametrize("edition", EDITIONS)
def test_so_they_do_in_the_advance_phase(edition: int) -> None:
    s = desert()
    s.edition = edition
    mines(s, "H5")
    place(s, SQUAD, "H5")
    advancing(s)
    do(s, f"exit-from {SQUAD}")
    if edition > 6:
        assert GAME.is_chance(s)
        roll(s, 6, 6)
    assert s.at[U(SQUAD)] == EXITED


@rule("B28.41", "A11.6")
@pytest.mark.parametrize(("edition", "dice"), [(7, 1), (6, 2)])
def test_whom_a_tank_has_pinned_meets_no_mines_for_he_stays(edition: int, dice: int) -> None:
    t = Desk(phasing=ALLIED)
    t.s.edition = edition
    t.put("ge_pz3g#1", "Q4")
    t.put("br_457#1", "Q5")
    mine = t.unit(MINE)
    t.put(MINE, "Q5")
    t.s.strength[mine] = 6
    t.s.phase = APH
    t.settle(AdvanceAt(F_ADVANCE)).do("advance br_457#1 Q4")
    t.roll(6, 6)  # PAATC
    assert t.has("pinned", "br_457#1")
    assert GAME.is_chance(t.s) == (dice == 2)
    t = Desk(phasing=ALLIED)
    t.s.edition = edition
    t.put("ge_pz3g#1", "Q4")
    t.put("br_457#1", "Q5")
    t.put(MINE, "Q5")
    t.s.strength[mine] = 6
    t.s.phase = APH
    t.settle(AdvanceAt(F_ADVANCE)).do("advance br_457#1 Q4")
    t.roll(1, 1)
    assert GAME.is_chance(t.s)  # the mines
    t.roll(6, 6)
    assert t.where("br_457#1") == "Q4"


@rule("B28.41", "B11.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_mines_attack_who_climbs_out_of_their_hex(edition: int) -> None:
    s = desert(hill(1, "N5"), [("M5", "N5", "cliff")])
    mines(s, "M5")
    march(edition, "M5", s)
    do(s, "climb N5")
    roll(s, 4, 5)
    if edition > 6:
        assert GAME.is_chance(s)
        assert s.at[U(SQUAD)] == H("M5")
        roll(s, 6, 6)
    assert s.at[U(SQUAD)] == H("N5")


@rule("B28.41", "C10.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_mines_attack_who_pushes_a_gun_out_of_their_hex(edition: int) -> None:
    for faces, gone in (((6, 6), True), ((2, 4, 6, 5), False)):
        s = desert()
        s.edition = edition
        mines(s, "M5")
        place(s, SQUAD, "M5")
        give(s, "br_at40#1", SQUAD)
        moving(s)
        do(s, f"move {SQUAD}", "push br_at40#1 N5")
        roll(s, 1, 1)
        if edition > 6:
            assert GAME.is_chance(s)
            assert s.at[U("br_at40#1")] == H("M5")
            roll(s, *faces)
        assert s.at[U("br_at40#1")] == H("N5" if gone or edition < 7 else "M5")


# A12.15, A4.14, A12.14b who climbs


def below(edition: int) -> State:
    s = desert(hill(1, "N5"), [("M5", "N5", "cliff")])
    s.edition = edition
    return s


@rule("A4.14", "B11.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_climbs_up_to_known_enemies(edition: int) -> None:
    s = below(edition)
    place(s, FOE, "N5")
    march(edition, "M5", s)
    assert ("climb N5" in legal(s)) == (edition < 7)
    if edition > 6:
        assert held_by(s, "climb N5") == "A4.14"


@rule("A12.15", "A12.11", "B11.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_hidden_enemies_are_found_by_who_climbs_and_dummies_go(edition: int) -> None:
    s = below(edition)
    place(s, FOE, "N5")
    s.hip = s.concealed = bits(FOE)
    march(edition, "M5", s)
    do(s, "climb N5")
    while not GAME.is_chance(s):
        do(s, "hold")
    roll(s, 4, 5)
    assert s.at[U(SQUAD)] == H("M5")
    assert bool(s.hip) == (edition < 7)
    s = below(edition)
    place(s, "axis_dummy#1", "N5")
    s.concealed = bits("axis_dummy#1")
    march(edition, "M5", s)
    do(s, "climb N5")
    while not GAME.is_chance(s):
        do(s, "hold")
    roll(s, 4, 5)
    assert s.at[U(SQUAD)] == H("N5")
    assert (s.at[U("axis_dummy#1")] < 0) == (edition > 6)


@rule("A12.14b", "B11.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_climbs_into_the_enemy_s_sight_is_seen(edition: int) -> None:
    s = desert({"N5": {"level": 1}, "O6": {"level": 1}}, [("M5", "N5", "cliff")])
    s.edition = edition
    place(s, FOE, "O6")
    s.concealed = bits(SQUAD)
    march(edition, "M5", s)
    hidden = bool(s.concealed & bits(SQUAD))
    do(s, "climb N5")
    while not GAME.is_chance(s):
        do(s, "hold")
    was_seen = not s.concealed & bits(SQUAD)
    roll(s, 4, 5)
    assert s.at[U(SQUAD)] == H("N5")
    assert hidden
    if not was_seen:
        assert bool(s.concealed & bits(SQUAD)) == (edition < 7)


# A4.62


@rule("A4.62", "C10.3")
@pytest.mark.parametrize(("edition", "drm"), [(7, -2), (6, -2)])
def test_who_has_pushed_and_walks_on_moves_like_others(edition: int, drm: int) -> None:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, SQUAD2], "M5")
    give(s, "br_at40#1", SQUAD)
    place(s, LEADER, "M5")
    place(s, FOE, "T5")
    moving(s)
    do(s, f"move {SQUAD}", f"also {LEADER}", "push br_at40#1 N5")
    roll(s, 6, 6)  # it stays
    assert s.move is not None
    assert s.move.hazardous == 1
    while "hold" in legal(s):
        do(s, "hold")
    do(s, "to N5")
    assert s.move is not None
    assert s.move.hazardous == (0 if edition > 6 else 1)
    assert drm == -2  # FFNAM and FFMO in the open


# B26.4 wire


@rule("B26.4", "A2.6")
@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_walks_off_the_map_from_the_top_of_wire_or_from_beneath_cover(edition: int) -> None:
    for under, by in ((ON_WIRE, "B26.4"), (UNDER_FOXHOLE, "B27.3")):
        s = march(edition, "H5", under=under)
        assert ("exit" in legal(s)) == (edition < 7)
        if edition > 6:
            assert held_by(s, "exit") == by


@rule("B26.4", "B27.3", "F8.6b")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("under", [ON_WIRE, UNDER_FOXHOLE])
def test_nobody_dives_off_wire_or_out_of_a_foxhole(edition: int, under: int) -> None:
    trench = next(name for name in desert().stage.roster.names if name.startswith("allied_sangar"))
    for start in (0, under):
        s = desert(hill(1, "N5"))
        place(s, trench, "N5")
        march(edition, "M5", s, start)
        assert ("dive N5" in legal(s)) == (edition < 7 or not start)


@rule("B26.4", "C10.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_gun_is_pushed_off_wire_nor_on_after_coming_upon_it(edition: int) -> None:
    s = desert()
    s.edition = edition
    place(s, SQUAD, "M5")
    give(s, "br_at40#1", SQUAD)
    place(s, WIRE_, "N5")
    moving(s)
    do(s, f"move {SQUAD}", "push br_at40#1 N5")
    roll(s, 1, 1)
    assert s.under[U(SQUAD)] == ON_WIRE
    assert s.move is not None
    assert bool(s.move.ended) == (edition > 6)
    s = desert()
    s.edition = edition
    place(s, SQUAD, "M5", ON_WIRE)
    give(s, "br_at40#1", SQUAD)
    moving(s)
    do(s, f"move {SQUAD}")
    assert ("push br_at40#1 N5" in legal(s)) == (edition < 7)


# D9.31, D6.1 those who go with a vehicle


@rule("D9.31", "A7.25", "A3.2", "B26.4", "B27.3")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("how", ["waits", "served", "wire", "foxhole"])
def test_who_may_not_walk_off_does_not_go_with_a_tank(edition: int, how: str) -> None:
    t = Desk()
    t.s.edition = edition
    tank, squad = t.put("br_crus2#1", "Q5"), t.put("br_457#1", "Q5")
    move = Move(movers=1 << tank, vehicle=tank, hex=t.hex("Q5"))
    assert companions(t.s, move) == 1 << squad
    if how in ("waits", "served"):
        setattr(t.s, how, 1 << squad)
    else:
        t.s.under[squad] = ON_WIRE if how == "wire" else UNDER_FOXHOLE
    assert bool(companions(t.s, move)) == (edition < 7)


@rule("D9.31", "B26.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_escort_stays_on_the_wire_that_it_has_come_upon(edition: int) -> None:
    t = Desk()
    t.s.edition = edition
    tank, squad = t.put("br_crus2#1", "Q5"), t.put("br_457#1", "Q5")
    t.s.under[squad] = ON_WIRE
    move = Move(movers=1 << tank | 1 << squad, vehicle=tank, hex=t.hex("Q5"), escort=1 << squad)
    follow(t.s, move, t.hex("Q4"))
    assert t.where("br_457#1") == ("Q5" if edition > 6 else "Q4")


@rule("D9.31")
def test_an_escort_follows_from_the_first_hex_of_the_map() -> None:
    t = Desk(prefix="D4")
    assert t.hex("A1") == 0
    tank, squad = t.put("br_crus2#1", "A1"), t.put("br_457#1", "A1")
    move = Move(movers=1 << tank | 1 << squad, vehicle=tank, hex=t.hex("A1"), escort=1 << squad)
    follow(t.s, move, t.hex("A2"))
    assert t.where("br_457#1") == "A2"


@rule("D6.1", "A7.25", "B26.4", "B27.3")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("how", "by"), [("waits", "A7.25"), ("wire", "B26.4"), ("foxhole", "D6.1")])
def test_who_waits_or_lies_on_wire_does_not_mount_and_who_is_dug_in_comes_out_first(
    edition: int, how: str, by: str
) -> None:
    t = Desk()
    t.s.edition = edition
    squad = t.put("br_457#1", "Q5")
    t.put("br_3ton#1", "Q5")
    if how == "waits":
        t.s.waits = 1 << squad
    else:
        t.s.under[squad] = ON_WIRE if how == "wire" else UNDER_FOXHOLE
    if how == "foxhole":
        t.s.paces[squad] = 6  # one MF is left: to come out, and none to mount
    t.driving("br_3ton#1")
    assert ("embark br_457#1" in t.legal()) == (edition < 7)
    if edition > 6:
        assert t.rule("embark br_457#1") == by


# A2.9 what the enemy's vehicles see at set-up


@rule("A2.9", "A12.12")
@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_starts_concealed_in_sight_of_a_vehicle(edition: int) -> None:
    t = Desk(phasing=ALLIED)
    t.s.edition = edition
    squad = t.put("br_457#1", "Q5")
    t.put("ge_pz3g#1", "S5")
    frame = SetupAt(F_SETUP, t.stage.first)
    t.s.stack.append(frame)
    finish(t.s, frame)
    assert bool(t.s.concealed >> squad & 1) == (edition < 7)


# B11.4


@rule("B11.4")
def test_who_would_walk_over_a_cliff_is_told_that_it_is_climbed() -> None:
    s = desert(sides=[("N5", "N6", "cliff")])
    place(s, SQUAD, "N5")
    moving(s)
    do(s, f"move {SQUAD}")
    assert held_by(s, "to N6") == "B11.4"
    assert held_by(s, "to P5") == "A4.13"


# A4.2, A4.5, D6.1 who joins a stack


@rule("A4.5", "A4.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_joins_those_who_go_at_double_time_without_its_price(edition: int) -> None:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, SQUAD2], "M5")
    moving(s)
    do(s, f"move {SQUAD}")
    assert f"also {SQUAD2}" in legal(s)
    do(s, "double-time")
    assert (f"also {SQUAD2}" in legal(s)) == (edition < 7)


@rule("A4.2", "D6.1", "A4.11")
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_has_dismounted_does_not_borrow_the_mf_of_others(edition: int) -> None:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, SQUAD2], "M5")
    s.paces = {U(SQUAD2): 6}
    moving(s)
    do(s, f"move {SQUAD}")
    assert (f"also {SQUAD2}" in legal(s)) == (edition < 7)
    if edition > 6:
        assert held_by(s, f"also {SQUAD2}") == "D6.1"
