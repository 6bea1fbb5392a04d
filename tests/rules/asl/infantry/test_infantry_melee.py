"""A11, A20, A25, A26: Close Combat in detail, prisoners, surrender, control and points; A10.5 in the desert."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.combat.close import SLIPS, CombatsAt, leavers
from sandtable.games.asl.fire.morale import break_
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.captives import capture, count_prisoners, free_from, room_for, take_control
from sandtable.games.asl.table.ids import CCPH, F_COMBATS, F_ROUTS, GONE, GRENADE, RTPH
from sandtable.games.asl.table.state import Melee, State, eliminate, put
from sandtable.games.asl.turn.flight import beside, refuges
from sandtable.games.asl.turn.routs import RoutsAt, perish
from sandtable.mechanics.masks import hexes_in

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    FOE2,
    FOE_LEADER,
    LEADER,
    ROSTER,
    SQUAD,
    SQUAD2,
    SQUAD3,
    H,
    U,
    bits,
    desert,
    do,
    give,
    kinds,
    legal,
    place,
    roll,
    settle,
    side_of,
)
from ..infantrykit import (
    rule as held_by,
)
from ..kit import filled

rule = partial(pytest.mark.rule, "asl")


def brawl(*names: str, melee: bool = False, veiled: tuple[str, ...] = ()) -> State:
    s = desert()
    place(s, [SQUAD, FOE, *names], "M5")
    s.phase = CCPH
    if melee:
        s.melee = bits(SQUAD, FOE, *names)
    s.concealed = bits(*veiled)
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    return settle(s)


# A11


@rule("A11.1", "A11.12", "A.9")
def test_several_are_attacked_as_one_and_one_of_them_suffers() -> None:
    s = brawl(FOE2, SQUAD2, SQUAD3)
    do(s, f"join {SQUAD}", f"join {SQUAD2}", f"join {SQUAD3}", f"against {FOE}")
    do(s, f"strike {FOE2}")  # 12 to 6: 2-1, below 7
    roll(s, 3, 4)
    roll(s, 2, 5)  # the second has the higher die
    assert s.fight is not None
    assert s.fight.reduced == bits(FOE2)
    assert s.fight.hit == bits(FOE, FOE2)


@rule("A11.12", "A10.2", "A17.1")
def test_what_a_leader_s_loss_asks_for_comes_after_the_close_combat() -> None:
    s = brawl(LEADER, SQUAD2)
    do(s, f"join {SQUAD}", f"join {SQUAD2}", f"join {LEADER}", f"strike {FOE}")
    roll(s, 6, 5)
    do(s, f"join {FOE}", f"strike {LEADER}")
    found = roll(s, 1, 2)  # he falls: each of his men takes a LLMC
    assert "eliminated" in kinds(found)
    assert GAME.is_chance(s)
    roll(s, 1, 1, 1, 1)
    assert s.fight is None
    assert not s.broken & bits(SQUAD, SQUAD2)
    assert s.melee & bits(SQUAD, FOE) == bits(SQUAD, FOE)


@rule("A11.19")
def test_attacks_on_the_concealed_are_halved_until_they_attack() -> None:
    s = brawl(veiled=(FOE,))
    roll(s, 3, 3)  # no Ambush
    found = do(s, f"join {SQUAD}", f"strike {FOE}")
    found = roll(s, 6, 5)
    assert next(one for one in found if one.kind == "close_combat").data["odds"] == "1-2"  # 2 to 3
    s = brawl(veiled=(SQUAD,))
    roll(s, 3, 3)
    do(s, f"join {SQUAD}", f"strike {FOE}")
    roll(s, 6, 5)
    do(s, f"join {FOE}", f"strike {SQUAD}")
    found = roll(s, 6, 5)
    assert next(one for one in found if one.kind == "close_combat").data["odds"] == "1-2"  # 3 to 4, not halved


@rule("A11.2", "A11.15")
def test_who_is_held_in_melee_may_withdraw_and_is_attacked_first() -> None:
    s = brawl(melee=True)
    assert side_of(s) == "allied"
    assert "withdraw br_457#1 N5" in legal(s)
    do(s, f"withdraw {SQUAD} N5")
    do(s, "stand") if side_of(s) == "axis" else None
    assert held_by(s, f"join {SQUAD}") in ("A11.2", "A11.1")
    do(s, f"join {FOE}")
    found = do(s, f"strike {SQUAD}")
    found = roll(s, 6, 5)
    told = next(one for one in found if one.kind == "close_combat")
    assert told.data["final"] == 9  # -2
    assert (s.at[U(SQUAD)], s.melee) == (H("N5"), 0)


@rule("A11.2", "A12.11")
@pytest.mark.parametrize(("edition", "free"), [(7, False), (3, False), (2, True)])
def test_nobody_withdraws_onto_what_may_be_the_enemy(edition: int, free: bool) -> None:
    s = brawl(melee=True)
    s.edition = edition
    dummy = next(u for u in range(len(s.at)) if ROSTER.dummies & ROSTER.of_side[AXIS] >> u << u & 1 << u)
    put(s, dummy, H("N5"))
    s.concealed |= 1 << dummy
    assert (f"withdraw {SQUAD} N5" in legal(settle(s))) == free


@rule("A11.2")
def test_nobody_withdraws_from_a_first_round_or_to_an_enemy() -> None:
    s = brawl()
    assert held_by(s, f"withdraw {SQUAD} N5") == "A11.2"
    s = desert()
    place(s, [SQUAD, FOE], "M5")
    place(s, FOE2, "N5")
    s.melee = bits(SQUAD, FOE)
    s.phase = CCPH
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    settle(s)
    assert held_by(s, f"withdraw {SQUAD} N5") == "A11.2"


@rule("A11.22")
def test_infiltration() -> None:
    s = brawl()
    do(s, f"join {SQUAD}", f"strike {FOE}")
    roll(s, 6, 6)  # the defender may slip away
    do(s, f"join {FOE}", f"strike {SQUAD}")
    roll(s, 6, 5)
    assert side_of(s) == "axis"
    do(s, f"withdraw {FOE} N5")
    assert s.at[U(FOE)] == H("N5")
    assert s.melee == 0
    s = brawl(FOE2)
    do(s, f"join {SQUAD}", f"strike {FOE}")
    roll(s, 1, 1)  # the attacker may
    do(s, f"join {FOE2}", f"strike {SQUAD}")
    roll(s, 6, 5)
    do(s, "end-combat") if side_of(s) == "axis" else None
    assert side_of(s) == "allied"
    do(s, "stand")
    assert s.melee == bits(SQUAD, FOE2)


@rule("A11.4")
def test_ambush_drm_and_the_ambusher_may_withdraw() -> None:
    s = brawl(veiled=(FOE,))
    roll(s, 4, 3)  # 3 less 2 for "?": lower by 3
    assert s.fight is not None
    assert s.fight.ambush == AXIS
    do(s, f"withdraw {FOE} N5")
    assert s.fight.leaving == {U(FOE): H("N5")}


@rule("A11.4")
@pytest.mark.parametrize(("dice", "first", "finals"), [((4, 3), FOE, (10, 12)), ((3, 4), SQUAD, (11, 11))])
def test_an_ambusher_strikes_first_and_better_and_is_struck_worse(
    dice: tuple[int, int], first: str, finals: tuple[int, int]
) -> None:
    s = brawl(veiled=(FOE,))
    roll(s, *dice)  # 2 less for the "?" of the defender: 4 against 1, or no Ambush
    while "stand" in legal(s):
        do(s, "stand")
    for attacker, final in zip((first, FOE if first == SQUAD else SQUAD), finals, strict=True):
        do(s, f"join {attacker}", f"strike {SQUAD if attacker == FOE else FOE}")
        assert next(one for one in roll(s, 6, 5) if one.kind == "close_combat").data["final"] == final
    assert s.fight is None


@rule("A11.15", "A11.16", "A26.1")
def test_who_has_lost_his_enemies_is_free_though_he_is_broken() -> None:
    s = brawl(SQUAD2, melee=True)
    s.broken = bits(SQUAD)
    while "stand" in legal(s):
        do(s, "stand")
    do(s, f"join {SQUAD2}", f"strike {FOE}")
    roll(s, 1, 2)
    do(s, f"join {FOE}", f"strike {SQUAD}")
    roll(s, 6, 5)
    assert (s.fight, s.melee, s.at[U(FOE)]) == (None, 0, GONE)
    assert s.at[U(SQUAD)] == s.at[U(SQUAD2)] == H("M5")
    assert s.control >> H("M5") & 1


@rule("A11.4", "A25.6")
def test_lax_conscripts_are_ambushed_more_easily() -> None:
    s = desert()
    place(s, [SQUAD, FOE], "M5")
    s.type[U(FOE)] = ROSTER.type_of["it_336"]
    s.concealed = bits(SQUAD)
    s.phase = CCPH
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    settle(s)
    roll(s, 3, 3)  # 1 against 4
    assert s.fight is not None
    assert s.fight.ambush == ALLIED


@rule("B20.9")
@pytest.mark.parametrize(
    ("above", "below", "edition", "final"),
    [
        (SQUAD, FOE, 5, 13),  # by the Crest
        (FOE, SQUAD, 5, 9),  # against it
        (SQUAD, FOE, 4, 9),
        (FOE, SQUAD, 4, 13),
        (f"{SQUAD} {FOE}", "", 5, 11),
        (f"{SQUAD}", f"{SQUAD2} {FOE}", 5, 13),
        (f"{FOE2}", f"{SQUAD} {FOE}", 5, 9),
    ],
)
def test_who_clings_to_the_crest_fights_badly(above: str, below: str, edition: int, final: int) -> None:
    s = desert({"M5": {"forms": {"wadi"}}})
    s.edition = edition
    for names, at in ((above, Place.CREST), (below, Place.IN)):
        place(s, names.split(), "M5", at=at)
    s.phase = CCPH
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    settle(s)
    for name in (SQUAD, SQUAD2):
        if name in f"{above} {below}".split():
            do(s, f"join {name}")
    if FOE2 in above:
        do(s, f"against {FOE2}")
    do(s, f"strike {FOE}")
    found = roll(s, 6, 5)
    assert next(one for one in found if one.kind == "close_combat").data["final"] == final


# A20 prisoners


@rule("A20.5")
def test_prisoners_go_with_their_guard_and_are_freed_with_his_loss() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "N5")
    s.broken = bits(FOE)
    capture(s, U(FOE), U(SQUAD), "A20.21")
    assert s.at[U(FOE)] == H("M5")
    put(s, U(SQUAD), H("M6"))
    assert s.at[U(FOE)] == H("M6")
    assert s.lost_points == [2, 0]
    free_from(s, U(SQUAD))
    assert (s.captive, s.lost_points) == (0, [0, 0])
    assert s.broken & bits(FOE)


@rule("A20.5")
def test_a_guard_who_breaks_loses_his_prisoners_and_holds_five_times_his_number() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    for i in range(1, 6):
        place(s, f"it_346#{i}", "M5")
    for i in range(1, 6):
        assert room_for(s, U(SQUAD), U(f"it_346#{i}"))
        capture(s, U(f"it_346#{i}"), U(SQUAD), "A20.21")
    place(s, "it_347#1", "M5")
    assert not room_for(s, U(SQUAD), U("it_347#1"))
    break_(s, U(SQUAD), "A10.4")
    assert s.captive == 0


@rule("A20.6", "A26.2")
def test_points_for_the_lost_and_for_prisoners_twice() -> None:
    s = desert()
    place(s, [SQUAD, LEADER], "M5")
    place(s, [FOE, FOE_LEADER, "it_136#1"], "N5")
    eliminate(s, U(LEADER))  # a 9-1
    assert s.lost_points == [0, 2]
    eliminate(s, U("it_136#1"))
    assert s.lost_points == [1, 2]
    capture(s, U(FOE), U(SQUAD), "A20.21")
    assert s.lost_points == [3, 2]
    count_prisoners(s)
    assert s.lost_points == [5, 2]


# A26.1


@rule("A26.1")
def test_control_needs_a_good_order_mmc_without_an_enemy_mmc() -> None:
    s = desert()
    place(s, LEADER, "M5")
    take_control(s, H("M5"), ALLIED)
    assert s.control == 0
    place(s, [SQUAD, FOE], "M5")
    take_control(s, H("M5"), ALLIED)
    assert s.control == 0
    s.broken = bits(FOE)
    take_control(s, H("M5"), ALLIED)
    assert s.control == 1 << H("M5")
    put(s, U(SQUAD), H("N5"))
    assert s.control == 1 << H("M5")  # it stays controlled


# A10.5, F.1C, A25.61


def running(s: State, side: int = AXIS) -> State:
    s.phase = RTPH
    s.stack.append(RoutsAt(F_ROUTS, side))
    return settle(s)


@rule("A20.21", "F.5", "A20.3")
def test_a_surrender_is_never_refused() -> None:
    s = desert()
    place(s, FOE, "M5")
    for name, where in zip((SQUAD, SQUAD2, SQUAD3), ("M4", "N6", "L6"), strict=True):
        place(s, name, where)
    s.broken = s.dm = s.disrupted = bits(FOE)  # A19.12
    running(s)
    do(s, f"stay {FOE}")
    assert s.captive == bits(FOE)


def cornered(kind: str = "it_346") -> State:
    """Broken in the open, seen by six squads, none beside it: every hex is nearer to one of them."""
    s = desert()
    place(s, FOE, "M5")
    s.type[U(FOE)] = ROSTER.type_of[kind]
    for i, where in enumerate(("M3", "O4", "O6", "M7", "K6", "K4")):
        place(s, f"br_457#{i + 1}", where)
    s.broken = s.dm = bits(FOE)
    return running(s)


@rule("A25.61", "A25.6")
def test_italians_who_cannot_rout_may_give_themselves_up_from_afar() -> None:
    s = cornered()
    do(s, f"stay {FOE}")
    roll(s, 4)
    assert s.captive == bits(FOE)
    s = cornered()
    do(s, f"stay {FOE}")
    roll(s, 5)
    assert s.at[U(FOE)] == GONE  # A10.54: an enemy within 6 hexes
    s = cornered("it_347")
    do(s, f"stay {FOE}")
    assert s.at[U(FOE)] == GONE  # elite units do not


@rule("A25.61")
@pytest.mark.parametrize("nearest", [1, 4, 6])
def test_italians_give_themselves_up_to_the_nearest_enemy_mmc(nearest: int) -> None:
    s = cornered()
    for i, farther in enumerate(("M2", "P4", "P7", "M8", "J7", "J4")):
        if i + 1 != nearest:
            place(s, f"br_457#{i + 1}", farther)
    place(s, LEADER, "M6")  # a leader takes nobody
    settle(s)
    do(s, f"stay {FOE}")
    roll(s, 4)
    assert s.guard == {U(FOE): U(f"br_457#{nearest}")}


@rule("A19.12", "A10.52")
def test_a_disrupted_unit_only_crawls_and_gives_up_to_who_is_beside_it() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "M7")
    s.broken = s.dm = s.disrupted = bits(SQUAD)
    running(s, ALLIED)
    do(s, f"rout {SQUAD}")
    assert held_by(s, "to M4") == "A19.12"
    assert "crawl M4" in legal(s)
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "M6")
    s.broken = s.dm = s.disrupted = bits(SQUAD)
    running(s, ALLIED)
    assert held_by(s, f"rout {SQUAD}") == "A19.12"
    do(s, f"stay {SQUAD}")
    assert s.captive == bits(SQUAD)


@rule("A10.501", "A4.42")
def test_a_router_drops_what_is_above_its_capacity() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "M7")
    for weapon in ("br_lmg#1", "br_lmg#2", "br_m51#1"):
        give(s, weapon, SQUAD)
    assert sum(s.kind(U(w)).pp for w in ("br_lmg#1", "br_lmg#2", "br_m51#1")) > 3
    s.broken = s.dm = bits(SQUAD)
    running(s, ALLIED)
    do(s, f"rout {SQUAD}")
    held = [w for w in ("br_lmg#1", "br_lmg#2", "br_m51#1") if s.holder[U(w)] == U(SQUAD)]
    assert 0 < sum(s.kind(U(w)).pp for w in held) <= 3


@rule("A10.52", "A12.3")
def test_a_crawl_into_a_hidden_enemy_stays_where_it_was() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "M7")
    place(s, "it_346#2", "M4")
    s.hip = s.concealed = bits("it_346#2")
    s.broken = s.dm = bits(SQUAD)
    running(s, ALLIED)
    do(s, f"rout {SQUAD}", "crawl M4")
    assert s.at[U(SQUAD)] == H("M5")
    assert not s.hip


@rule("F.1Cc")
@pytest.mark.parametrize("alternate", ["broken", "steppe"])
def test_on_other_ground_who_cannot_rout_is_lost_at_any_range(alternate: str) -> None:
    s = desert()
    s.stage.field.alternates = frozenset({alternate})
    place(s, SQUAD, "M5")
    place(s, FOE, "T5")
    s.broken = bits(SQUAD)
    perish(s, U(SQUAD))
    assert s.at[U(SQUAD)] == GONE


@rule("F.1Cc")
def test_far_enemies_do_not_eliminate_who_cannot_rout_in_the_desert() -> None:
    for edition in (4, 5):
        for where, at in (("S5", GONE), ("T5", H("M5"))):
            s = desert()
            s.edition = edition
            place(s, SQUAD, "M5")
            place(s, FOE, where)
            give(s, "it_hmg#1", FOE)
            s.broken = bits(SQUAD)
            perish(s, U(SQUAD))
            assert s.at[U(SQUAD)] == at


@rule("A10.51", "F.1Ca", "F.1Cb")
def test_a_router_makes_for_the_nearest_woods_it_can_reach() -> None:
    s = desert(filled("woods", "M9"))
    place(s, FOE, "M5")
    place(s, SQUAD, "M4")
    s.broken = s.dm = bits(FOE)
    running(s)
    do(s, f"rout {FOE}")
    assert {one for one in legal(s) if one.startswith("to ")} == {"to M6"}
    s = desert()
    place(s, FOE, "M5")
    place(s, SQUAD, "M4")
    s.broken = s.dm = bits(FOE)
    running(s)
    do(s, f"rout {FOE}")
    assert len([one for one in legal(s) if one.startswith("to ")]) > 1  # no cover: any way that leads away


@rule("A10.51", "A10.501")
def test_woods_that_hold_an_enemy_are_no_refuge_though_he_is_broken() -> None:
    s = desert(filled("woods", "M7", "O9"))
    place(s, FOE, "M5")
    place(s, SQUAD, "M4")
    s.broken = s.dm = bits(FOE)
    assert {s.stage.field.name(h) for h in hexes_in(refuges(s, U(FOE)))} == {"D1.M7", "D1.O9"}
    place(s, SQUAD2, "M7")
    s.broken |= bits(SQUAD2)
    assert {s.stage.field.name(h) for h in hexes_in(refuges(s, U(FOE)))} == {"D1.O9"}


@rule("A10.501")
def test_an_enemy_in_any_of_the_six_hexes_is_beside_a_router() -> None:
    s = desert()
    place(s, SQUAD, "P5")
    for d in range(6):
        put(s, U(SQUAD), s.stage.grid.neighbour(H("M5"), d))
        assert beside(s, H("M5"), AXIS) == bits(SQUAD), d
    for where in ("M3", "M7", "O5", "K5"):
        place(s, SQUAD, where)
        assert not beside(s, H("M5"), AXIS), where


@rule("A10.5", "A10.501")
def test_who_routs_from_the_first_hex_of_the_map_goes() -> None:
    s = desert()
    place(s, FOE, "H0")
    place(s, SQUAD, "H1")
    s.broken = s.dm = bits(FOE)
    running(s)
    do(s, f"rout {FOE}")
    assert side_of(s) == "axis"
    assert "to I1" in legal(s)


@rule("A10.51")
@pytest.mark.parametrize(("woods", "only"), [("M10", True), ("M9", True), ("L10", False)])
def test_woods_that_the_last_mf_reaches_are_reached(woods: str, only: bool) -> None:
    """Four hexes of Open Ground and 2 MF for the woods are just the six that a router has."""
    s = desert(filled("woods", woods))
    place(s, FOE, "M5")
    place(s, SQUAD, "M4")
    s.broken = s.dm = bits(FOE)
    running(s)
    do(s, f"rout {FOE}")
    assert ({one for one in legal(s) if one.startswith("to ")} == {"to M6"}) == only


@rule("A11.22")
@pytest.mark.parametrize(("edition", "slips"), [(7, False), (6, False), (5, True)])
def test_nobody_slips_away_from_enemies_who_are_gone(edition: int, slips: bool) -> None:
    s = desert()
    s.edition = edition
    place(s, SQUAD, "M5")
    fight = Melee(hex=H("M5"), side=ALLIED, step=SLIPS, slips=bits(SQUAD))
    assert leavers(s, fight) == (bits(SQUAD) if slips else 0)


@rule("A10.53", "A24.8")
def test_smoke_in_between_keeps_interdiction_off() -> None:
    for smoky in (False, True):
        s = desert()
        place(s, FOE, "M5")
        place(s, SQUAD, "M3")
        if smoky:
            s.smoke = {H("M4"): 1 << 2 * GRENADE}
        s.broken = s.dm = bits(FOE)
        running(s)
        do(s, f"rout {FOE}", "to M6")
        assert (side_of(s) == "chance") != smoky


@rule("A12.3")
def test_a_rout_into_hidden_enemies_finds_them() -> None:
    s = desert()
    place(s, FOE, "M5")
    place(s, SQUAD, "M4")
    place(s, SQUAD2, "M6")
    s.hip = s.concealed = bits(SQUAD2)
    s.broken = s.dm = bits(FOE)
    running(s)
    do(s, f"rout {FOE}")
    assert "detected" in kinds(do(s, "to M6"))
    assert (s.at[U(FOE)], s.hip) == (H("M5"), 0)
    faults = [fault for fault in GAME.invariants(s) if not fault.endswith("is nowhere")]  # three pieces of a scenario
    assert faults == []
