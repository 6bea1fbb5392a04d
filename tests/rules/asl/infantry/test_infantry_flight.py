"""A4, A8, A10, A11 as the third version reads them: who must rout and where to, mines and wire, Melee, what moves."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.combat.close import CombatsAt, ambush_drm
from sandtable.games.asl.fire.morale import CheckAt, deploy, morale
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.points import HALF, left
from sandtable.games.asl.table.ids import (
    APH,
    CCPH,
    F_ADVANCE,
    F_CHECK,
    F_COMBATS,
    F_ROUTS,
    F_TURN,
    GONE,
    MC,
    ON_WIRE,
    PFPH,
    RTPH,
    UNDER_FOXHOLE,
)
from sandtable.games.asl.table.scenarios import TurnAt
from sandtable.games.asl.table.state import Melee, State
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.games.asl.turn.flight import RouterAt, armed
from sandtable.games.asl.turn.rally import calm
from sandtable.games.asl.turn.routs import RoutsAt

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    FOE2,
    HMG,
    LEADER,
    OTHER_LEADER,
    SQUAD,
    SQUAD2,
    SQUAD3,
    H,
    U,
    attack,
    bits,
    desert,
    do,
    give,
    kinds,
    legal,
    moving,
    place,
    rallying,
    roll,
    settle,
    side_of,
)
from ..infantrykit import (
    rule as held_by,
)
from ..kit import filled, hill

rule = partial(pytest.mark.rule, "asl")
TANK, TRUCK, MINE, WIRES = "it_m13#1", "ge_opel#1", "axis_known_minefield_ap#1", "axis_wire#1"


def routing(s: State, *broken: str) -> State:
    s.broken |= bits(*broken)
    s.dm |= bits(*broken)
    s.phase = RTPH
    s.stack.append(RoutsAt(F_ROUTS, ALLIED))
    return settle(s)


def ways(s: State) -> set[str]:
    return {text.split()[1] for text in legal(s) if text.startswith("to ")}


# A10.5 who must


@rule("A10.5")
@pytest.mark.parametrize(
    ("beside", "mark", "held"),
    [(TANK, "", True), (TANK, "stunned", False), (TANK, "abandoned", False), (TRUCK, "", False)],
)
def test_an_armed_vehicle_beside_it_makes_a_broken_unit_rout(beside: str, mark: str, held: bool) -> None:
    s = desert(filled("brush", "N5"))
    place(s, SQUAD, "N5")
    place(s, beside, "N6")
    if mark:
        setattr(s, mark, bits(beside))
    routing(s, SQUAD)
    assert ("end-routs" in legal(s)) != held


@rule("A10.5", "A10.53")
def test_a_tank_that_sees_it_in_the_open_makes_it_rout_and_interdicts_it() -> None:
    s = desert()
    place(s, SQUAD, "N5")
    place(s, TANK, "N9")
    routing(s, SQUAD)
    assert held_by(s, "end-routs") == "A10.5"
    found = do(s, f"rout {SQUAD}", "to N4")
    assert "check" in kinds(found + roll(s, 1, 1))
    s.off[U(TANK)] = s.kind(U(TANK)).vehicle.weapons  # type: ignore[union-attr]
    assert armed(s, U(TANK)) == 0


@rule("A10.5")
def test_a_machine_gun_reaches_farther_than_those_who_have_it() -> None:
    s = desert()
    place(s, FOE, "N5")
    assert armed(s, U(FOE)) == s.kind(U(FOE)).range
    give(s, HMG, FOE)
    assert armed(s, U(FOE)) == min(16, s.kind(U(HMG)).range)
    s.jammed = bits(HMG)
    assert armed(s, U(FOE)) == s.kind(U(FOE)).range


@rule("A10.53")
@pytest.mark.parametrize(("mark", "checked"), [("", True), ("melee", False), ("ti", False)])
def test_who_cannot_fire_does_not_interdict(mark: str, checked: bool) -> None:
    s = desert()
    place(s, SQUAD, "N5")
    place(s, FOE, "N8")
    if mark:
        setattr(s, mark, bits(FOE))
    routing(s, SQUAD)
    do(s, f"rout {SQUAD}", "to N4")
    assert GAME.is_chance(s) == checked


@rule("A10.53")
@pytest.mark.parametrize(("edition", "dice", "pinned"), [(3, (4, 3), True), (3, (4, 2), False), (2, (4, 3), False)])
def test_the_highest_roll_that_passes_interdiction_pins_a_router_where_it_is(
    edition: int, dice: tuple[int, int], pinned: bool
) -> None:
    s = desert()
    s.edition = edition
    place(s, SQUAD, "N5")
    place(s, FOE, "N8")
    routing(s, SQUAD)
    do(s, f"rout {SQUAD}", "to N4")
    assert morale(s, U(SQUAD)) == 7
    found = roll(s, *dice)
    assert ("pinned" in kinds(found)) == bool(s.pinned) == pinned
    assert (s.at[U(SQUAD)], s.broken) == (H("N4"), bits(SQUAD))
    assert any(isinstance(f, RouterAt) for f in s.stack) != pinned  # its rout is over, though it has 5 MF


@rule("A10.501")
@pytest.mark.parametrize(("terrain", "far"), [("open", 6), ("brush", 3)])
def test_a_router_has_six_mf(terrain: str, far: int) -> None:
    s = desert(filled(terrain, *(f"{column}{row}" for column in "LMNOPQRSTUV" for row in range(1, 11))))
    place(s, SQUAD, "W5")
    place(s, FOE, "Y5")
    routing(s, SQUAD)
    do(s, f"rout {SQUAD}")
    gone = 0
    while ways(s):
        do(s, f"to {min(ways(s))}")
        gone += 1
        while GAME.is_chance(s):
            roll(s, 1, 1)
    assert gone == far  # 1 MF a hex, or 2
    assert legal(s) == {"halt"}


@rule("A10.5")
def test_whoever_is_on_wire_in_the_open_must_rout_too() -> None:
    s = desert()
    place(s, WIRES, "N5")
    place(s, SQUAD, "N5", ON_WIRE)
    place(s, FOE, "N8")
    routing(s, SQUAD)
    assert held_by(s, "end-routs") == "A10.5"
    s = desert()
    place(s, "allied_foxhole#1", "N5")
    place(s, SQUAD, "N5", UNDER_FOXHOLE)
    place(s, FOE, "N8")
    assert "end-routs" in legal(routing(s, SQUAD))


# A10.501, A10.51 where to


@rule("A10.501")
def test_a_router_passes_beside_an_enemy_only_where_it_can_leave_at_once_and_then_does() -> None:
    def fleeing(*others: tuple[str, str]) -> State:
        s = desert(hill(1, "N3"))
        place(s, SQUAD, "N4")
        place(s, FOE, "N7")
        place(s, FOE2, "N2")  # it does not see N4 past the hill
        for name, where in others:
            place(s, name, where)
        routing(s, SQUAD)
        do(s, f"rout {SQUAD}")
        return s

    s = fleeing()
    assert "N3" in ways(s)
    do(s, "to N3")
    while GAME.is_chance(s):
        roll(s, 1, 1)
    assert held_by(s, "halt") == "A10.501"
    assert "N3" not in ways(fleeing(("it_346#3", "L3"), ("it_346#4", "P3")))  # it could not go on from there


@rule("A10.51")
@pytest.mark.parametrize("nearer", [TANK, FOE2])
def test_no_router_goes_nearer_to_a_vehicle_or_a_broken_enemy_that_sees_it(nearer: str) -> None:
    s = desert()
    place(s, SQUAD, "N5")
    place(s, FOE, "N7")
    place(s, nearer, "K5")  # no hex beside the router is ADJACENT to it
    s.broken = bits(FOE2)
    routing(s, SQUAD)
    do(s, f"rout {SQUAD}")
    assert "M5" not in ways(s)
    assert "N4" in ways(s)
    s.abandoned = bits(TANK)
    settle(s)
    assert ("M5" in ways(s)) == (nearer == TANK)


@rule("A10.501")
def test_no_router_enters_the_hex_of_a_vehicle() -> None:
    s = desert()
    place(s, SQUAD, "N5")
    place(s, FOE, "N7")
    place(s, TRUCK, "N3")
    s.concealed = 0
    routing(s, SQUAD)
    do(s, f"rout {SQUAD}")
    assert "N3" not in ways(s)


@rule("A5.1")
def test_a_rout_does_not_end_where_there_are_too_many_while_it_can_go_on() -> None:
    s = desert()
    place(s, SQUAD, "N5")
    place(s, FOE, "N7")
    place(s, [SQUAD2, SQUAD3, "br_457#4"], "N4")
    routing(s, SQUAD)
    do(s, f"rout {SQUAD}", "to N4")
    while GAME.is_chance(s):
        roll(s, 1, 1)
    assert held_by(s, "halt") == "A5.1"


@rule("B28.41", "A10.52")
def test_mines_meet_whoever_routs_or_crawls_out_of_their_hex_or_into_it() -> None:
    for word, mined, hit in (("to", "N5", True), ("crawl", "N5", True), ("crawl", "N4", True), ("crawl", "M4", False)):
        s = desert()
        place(s, SQUAD, "N5")
        place(s, FOE, "N7")
        place(s, MINE, mined)
        s.strength[U(MINE)] = 6
        routing(s, SQUAD)
        found = do(s, f"rout {SQUAD}", f"{word} N4")
        assert ("mines" in kinds(found)) == hit
        if mined == "N5":
            assert s.at[U(SQUAD)] == H("N5")
            roll(s, 6, 6)
            assert s.at[U(SQUAD)] == H("N4")


@rule("B28.41")
def test_a_router_that_dies_in_the_mines_it_leaves_goes_nowhere() -> None:
    s = desert()
    place(s, SQUAD, "N5")
    place(s, FOE, "N7")
    place(s, MINE, "N5")
    s.strength[U(MINE)] = 12
    routing(s, SQUAD)
    do(s, f"rout {SQUAD}", "to N4")
    roll(s, 1, 1)
    assert s.at[U(SQUAD)] == GONE


# A12.11 what a list must not tell


@rule("A12.11", "A10.501")
def test_a_router_enters_the_hex_of_no_question_mark_dummy_or_not() -> None:
    for other in (FOE2, "axis_dummy#1"):
        s = desert()
        place(s, SQUAD, "N5")
        place(s, FOE, "N7")
        place(s, other, "N4")
        s.concealed = bits(other)
        routing(s, SQUAD)
        do(s, f"rout {SQUAD}")
        assert "N4" not in ways(s)
        assert "M5" in ways(s)


@rule("A12.11", "A11.2")
def test_nobody_withdraws_to_a_question_mark_dummy_or_not() -> None:
    for other in (FOE2, "axis_dummy#1"):
        s = desert()
        place(s, [SQUAD, LEADER, FOE], "M5")
        place(s, other, "M4")
        s.concealed, s.melee = bits(other), bits(SQUAD, LEADER, FOE)
        s.phase = CCPH
        s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
        settle(s)
        assert f"withdraw {SQUAD} M6" in legal(s)
        assert held_by(s, f"withdraw {SQUAD} M4") == "A11.2"


@rule("A12.11", "A9.5")
def test_spraying_fire_reaches_a_question_mark_dummy_or_not() -> None:
    for other in (FOE2, "axis_dummy#1"):
        s = desert()
        place(s, SQUAD, "M5")
        give(s, "br_lmg#1", SQUAD)
        place(s, FOE, "O5")
        place(s, other, "O6")
        s.concealed = bits(other)
        attack(s, ALLIED, "O5")
        do(s, "use br_lmg#1")
        assert "spray O6" in legal(s)


@rule("A8.1", "A9.5")
def test_first_fire_sprays_nobody_but_the_mover() -> None:
    s = desert(phasing=AXIS)
    place(s, SQUAD, "M5")
    give(s, "br_lmg#1", SQUAD)
    place(s, FOE, "P5")
    place(s, FOE2, "O6")
    moving(s)
    do(s, f"move {FOE}", "to O5", "use br_lmg#1")
    assert held_by(s, "spray O6") == "A9.5"


@rule("A19.12", "A12.1")
def test_a_disrupted_unit_gives_itself_up_to_nobody_it_does_not_know_of() -> None:
    for known in (True, False):
        s = desert(filled("brush", "N5"))
        place(s, SQUAD, "N5")
        place(s, FOE, "N6")
        s.disrupted = bits(SQUAD)
        s.concealed = 0 if known else bits(FOE)
        routing(s, SQUAD)
        assert (f"rout {SQUAD}" in legal(s)) != known


# A10.62 desperation


@rule("A10.62")
@pytest.mark.parametrize(("beside", "where", "dm"), [(FOE, "N6", True), (TANK, "N6", True), (FOE, "N7", False)])
def test_a_known_enemy_who_comes_beside_a_broken_unit_makes_it_dm(beside: str, where: str, dm: bool) -> None:
    s = desert(phasing=AXIS)
    place(s, SQUAD, "N5")
    place(s, beside, where)
    s.broken = bits(SQUAD)
    s.stack = [TurnAt(F_TURN, PFPH)]
    settle(s)
    assert bool(s.dm) == dm


@rule("A10.62")
def test_a_concealed_enemy_dismays_nobody() -> None:
    s = desert(phasing=AXIS)
    place(s, SQUAD, "N5")
    place(s, FOE, "N6")
    s.broken, s.concealed = bits(SQUAD), bits(FOE)
    s.stack = [TurnAt(F_TURN, PFPH)]
    assert not settle(s).dm


@rule("A10.621")
def test_a_tank_beside_it_keeps_a_unit_dm() -> None:
    s = desert()
    place(s, SQUAD, "N5")
    place(s, TANK, "N6")
    s.broken = s.dm = bits(SQUAD)
    calm(s)
    assert s.dm
    s.abandoned = bits(TANK)
    calm(s)
    assert not s.dm


# A10.7, A1.31 leaders and half-squads


@rule("A10.7")
def test_a_leader_helps_another_who_comes_after_him() -> None:
    s = desert()
    place(s, [LEADER, OTHER_LEADER], "N5")
    s.stack += [CheckAt(F_CHECK, U(LEADER), MC, 2), CheckAt(F_CHECK, U(OTHER_LEADER), MC, 2)]
    settle(s)
    first = next(one for one in roll(s, 3, 3) if one.kind == "check")
    assert (first.data["unit"], first.data["final"]) == (U(OTHER_LEADER), 8)  # LEADER has not taken his own
    s.pinned = 0
    second = next(one for one in roll(s, 3, 3) if one.kind == "check")
    assert (second.data["unit"], second.data["final"]) == (U(LEADER), 8)  # a modifier of 0
    s.stack.append(CheckAt(F_CHECK, U(OTHER_LEADER), MC, 2))
    settle(s)
    third = next(one for one in roll(s, 3, 3) if one.kind == "check")
    assert third.data["final"] == 7  # 9-1 helps him


@rule("A1.31", "A4.51")
def test_both_half_squads_keep_what_the_squad_was_marked_with() -> None:
    s = desert()
    place(s, SQUAD, "N5", at=1)
    s.cx = s.fired = bits(SQUAD)
    deploy(s, U(SQUAD))
    other = next(u for u in range(len(s.at)) if s.at[u] == H("N5") and u != U(SQUAD))
    assert s.cx >> other & s.fired >> other & 1
    assert s.place[other] == 1


@rule("A1.32", "A12.1")
def test_half_squads_of_whom_one_is_known_are_known_when_they_recombine() -> None:
    s = desert()
    place(s, ["br_247#1", "br_247#2", LEADER], "N5")
    s.concealed, s.cx = bits("br_247#1"), bits("br_247#2")
    rallying(s, ALLIED)
    do(s, "recombine br_247#1 br_247#2")
    assert not s.concealed
    assert s.cx == bits("br_247#1")


# A11 Close Combat


def melee(terrain: str = "open", held: bool = False, **marks: int) -> State:
    s = desert(filled(terrain, "M5"))
    place(s, [SQUAD, LEADER, FOE], "M5")
    s.melee = bits(SQUAD, LEADER, FOE) if held else 0
    for mark, those in marks.items():
        setattr(s, mark, those)
    s.phase = CCPH
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    return settle(s)


@rule("A11.4")
def test_only_who_has_advanced_into_woods_is_ambushed() -> None:
    assert "Ambush" in str(GAME.prompt(melee("woods")).title)
    assert "Ambush" not in str(GAME.prompt(melee("woods", held=True)).title)
    assert "Ambush" not in str(GAME.prompt(melee()).title)


@rule("A11.4", "A7.8")
def test_a_vehicle_makes_an_ambush_harder_and_a_pinned_leader_does_not_help() -> None:
    s = desert()
    s.fight = Melee(hex=H("M5"))
    place(s, [SQUAD, LEADER], "M5")
    assert ambush_drm(s, H("M5"), ALLIED) == -1
    place(s, "br_mat2#1", "M5")
    assert ambush_drm(s, H("M5"), ALLIED) == 1
    s.pinned = bits(LEADER)
    assert ambush_drm(s, H("M5"), ALLIED) == 3  # no leadership, and +1 for being pinned


@rule("A11.11", "A7.8")
def test_who_is_pinned_attacks_at_half_strength_defends_at_full_and_leads_nobody() -> None:
    s = melee(pinned=bits(FOE, LEADER))
    do(s, f"join {SQUAD}", f"join {LEADER}")
    odds = GAME.odds(s, GAME.parse(f"strike {FOE}"))
    assert odds is not None
    assert [(one.value, one.rule) for one in odds.terms] == [("4.5", "A11.11"), ("3", "A11.11")]


# A4 what moves


@rule("A24.7")
@pytest.mark.parametrize("what", ["fire", "dust", "smoke", "nothing"])
def test_infantry_pays_for_the_smoke_of_a_fire_and_for_vehicle_dust(what: str) -> None:
    s = desert()
    place(s, SQUAD, "M5")
    if what == "fire":
        place(s, TANK, "N5")
        s.wreck = s.burning = bits(TANK)
    s.trail = {U("br_mat2#1"): H("N5")} if what == "dust" else {}
    s.smoke = {H("N5"): 1} if what == "smoke" else {}
    moving(s)
    do(s, f"move {SQUAD}", "to N5")
    assert left(s) == (3 if what == "nothing" else 2) * HALF


@rule("A4.61")
def test_assault_movement_leaves_a_fraction_of_a_mf_whatever_it_is_spent_on() -> None:
    s = desert(filled("brush", "N5"))
    place(s, "allied_foxhole#1", "N5")
    s.strength[U("allied_foxhole#1")] = 1
    place(s, SQUAD, "M5")
    give(s, "br_mmg#1", SQUAD)
    s.type[U("br_mmg#1")] = s.stage.roster.type_of["ge_mmg"]  # 4 PP: 3 MF are left
    moving(s)
    do(s, f"move {SQUAD}", "assault", "to N5")
    assert left(s) == HALF
    assert held_by(s, "under") == "A4.61"


@rule("A8.1")
def test_who_breaks_may_be_fired_at_for_the_same_mf() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, [FOE, FOE2], "O5")
    moving(s)
    do(s, f"move {SQUAD}", "to N5", f"join {FOE}", "commit")
    roll(s, 3, 3)
    roll(s, 5, 5)
    assert s.broken == bits(SQUAD)
    assert side_of(s) == "axis"
    assert f"join {FOE2}" in legal(s)
    do(s, "hold")
    assert side_of(s) == "allied"


@rule("A12.14b")
def test_who_comes_out_of_cover_in_sight_of_the_enemy_is_seen() -> None:
    for word in ("", "assault"):
        s = desert(filled("brush", "M5"))
        place(s, "allied_foxhole#1", "M5")
        place(s, SQUAD, "M5", UNDER_FOXHOLE)
        place(s, FOE, "O5")
        s.concealed = bits(SQUAD)
        moving(s)
        do(s, f"move {SQUAD}", *([word] if word else []), "out")
        assert bool(s.concealed) == bool(word)


@rule("A4.14")
@pytest.mark.parametrize(("edition", "open_"), [(3, True), (2, False)])
def test_the_passengers_of_a_vehicle_close_no_hex(edition: int, open_: bool) -> None:
    s = desert()
    s.edition = edition
    place(s, SQUAD, "M5")
    place(s, [TRUCK, FOE], "N5")
    s.mounted, s.aboard[U(FOE)] = bits(FOE), U(TRUCK)
    moving(s)
    do(s, f"move {SQUAD}")
    assert ("N5" in ways(s)) == open_


# A3.7 the advance


def advancing(s: State) -> State:
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    return settle(s)


@rule("A12.14b")
@pytest.mark.parametrize(("terrain", "edition", "hidden"), [("open", 3, False), ("brush", 3, True), ("open", 2, True)])
def test_who_advances_into_open_ground_in_sight_of_the_enemy_is_seen(terrain: str, edition: int, hidden: bool) -> None:
    s = desert(filled(terrain, "N5"))
    s.edition = edition
    place(s, SQUAD, "M5")
    place(s, FOE, "R5")
    s.concealed = bits(SQUAD)
    do(advancing(s), f"advance {SQUAD} N5")
    assert bool(s.concealed) == hidden


@rule("B26.4")
def test_nobody_advances_off_wire() -> None:
    s = desert()
    place(s, WIRES, "M5")
    place(s, SQUAD, "M5", ON_WIRE)
    assert held_by(advancing(s), f"advance {SQUAD} N5") == "B26.4"


@rule("B28.41")
def test_mines_meet_whoever_advances_out_of_their_hex() -> None:
    s = desert()
    place(s, MINE, "M5")
    s.strength[U(MINE)] = 6
    place(s, SQUAD, "M5")
    assert "mines" in kinds(do(advancing(s), f"advance {SQUAD} N5"))
    assert s.at[U(SQUAD)] == H("M5")
    roll(s, 6, 6)
    assert s.at[U(SQUAD)] == H("N5")
