"""One step to either side of a number, a side or a hexside on which a rule turns."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from sandtable.games.asl.boards.art import BoardArt
from sandtable.games.asl.boards.climate import Climate
from sandtable.games.asl.boards.layout import lay_out
from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.boards.pack import asl_pack
from sandtable.games.asl.boards.vasl import _same_area
from sandtable.games.asl.combat.close import CombatsAt
from sandtable.games.asl.fire.attack import ResultAt
from sandtable.games.asl.fire.ift import RESULTS, ift
from sandtable.games.asl.fire.mounts import _hampered
from sandtable.games.asl.fire.sights import stances
from sandtable.games.asl.fire.snipers import prey
from sandtable.games.asl.game import GAME
from sandtable.games.asl.los.answer import Los
from sandtable.games.asl.los.art import _codes
from sandtable.games.asl.los.tables import GROUND
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.movement.points import thorny
from sandtable.games.asl.ordnance import ffe
from sandtable.games.asl.ordnance.aim import moves_openly
from sandtable.games.asl.ordnance.batteries import ObaAt, contact_number, push_shelling
from sandtable.games.asl.ordnance.effects import IFE, caves_in, rapid_steps, shake
from sandtable.games.asl.ordnance.laying import directors
from sandtable.games.asl.ordnance.shooting import DieAt
from sandtable.games.asl.ordnance.to_hit import Term
from sandtable.games.asl.table.hardware import CMG, MA
from sandtable.games.asl.table.ids import (
    ADVANCING,
    APH,
    F_ADVANCE,
    F_COMBATS,
    F_FIRE,
    F_IMPROBABLE,
    F_MOVES,
    F_OBA,
    F_RALLY,
    F_REACTION,
    F_RESULT,
    F_TURN,
    GONE,
    MPH,
    PFPH,
    PREP,
    UNDER_FOXHOLE,
)
from sandtable.games.asl.table.scenarios import TurnAt
from sandtable.games.asl.table.state import (
    ACCESS,
    BATTERY,
    CONTACT,
    FFE_1,
    SHELLED,
    SPOTTING,
    STAGE,
    Attack,
    Shoot,
    put,
)
from sandtable.games.asl.table.works import postures
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.games.asl.turn.fires import FireAt
from sandtable.games.asl.turn.rally import DEPLOYS, RallyAt
from sandtable.games.asl.turn.victory import present_in
from sandtable.games.asl.vehicles.dust import clear
from sandtable.games.asl.vehicles.overrun import ReactionAt
from sandtable.games.asl.vehicles.points import in_the_way, shows_belly
from sandtable.games.asl.works.ruin import CollapseAt

from .infantrykit import (
    CCPH,
    FOE,
    FOE2,
    LEADER,
    ROSTER,
    UNDER_SANGAR,
    H,
    U,
    attack,
    bits,
    column,
    desert,
    do,
    legal,
    place,
    roll,
    settle,
)
from .infantrykit import SQUAD as FOOT
from .infantrykit import SQUAD2 as SECOND
from .infantrykit import rule as held_by
from .kit import ground, hill
from .vehiclekit import ALLIED, AXIS, NNE, Desk, E, W, event, kinds, on_ground

rule = partial(pytest.mark.rule, "asl")

FLAT = ground()
SQUAD, TANK, RAPID = "br_457#1", "br_crus2#1", "ge_at50#1"
IN_AREA = {f"D3.{column}{row}" for column in "ABCDEFGHIJKL" for row in range(1, 11)}


# Offboard Artillery


def battery() -> Desk:
    """The German battery of s08, whose observer has a radio."""
    d = Desk("s08_totensonntag", "D1", AXIS)
    d.s.phase = PFPH
    d.s.stack = [TurnAt(F_TURN, 2)]
    return d


@rule("C1.2")
def test_the_chance_of_contact_is_that_of_two_dice() -> None:
    d = battery()
    push_shelling(d.s, AXIS)
    d.settle()
    odds = GAME.odds(d.s, GAME.parse("contact"))
    assert odds is not None
    assert odds.results[0][1] == Fraction(26, 36) * Fraction(7, 10), "8 or less, and a black chit"


@rule("C1.2")
def test_a_field_phone_has_a_number_of_its_own() -> None:
    d = battery()
    assert contact_number(d.s, AXIS) == 8
    d.s.stage = made = on_ground(d.stage.scenario, d.stage.field)
    made.sides = deepcopy(made.sides)
    for group in made.sides[AXIS]["group"]:
        for unit in group["units"]:
            if unit["id"] == "ge_radio":
                unit["id"] = "ge_phone"
    assert contact_number(d.s, AXIS) == 9


@rule("C1.5")
def test_with_a_spotting_round_and_access_it_may_wait() -> None:
    d = battery()
    for what, value in ((ACCESS, 1), (CONTACT, 1), (STAGE, SPOTTING), (SHELLED, d.hex("N5"))):
        d.s.oba[AXIS * BATTERY + what] = value
    d.settle(ObaAt(F_OBA, AXIS, 1))
    assert "no-call" in d.legal()


@rule("C1.51", "C11.4")
def test_shells_destroy_a_gun_with_its_crew_or_miss_it_nearly() -> None:
    for dice, left in (((1, 2), False), ((6, 5), True)):
        d = battery()
        d.put("br_228#1", "N5")
        gun = d.put("br_at57#1", "N5")
        d.s.holder[gun] = d.unit("br_228#1")
        for what, value in ((ACCESS, 1), (CONTACT, 1), (STAGE, FFE_1), (SHELLED, d.hex("N5"))):
            d.s.oba[AXIS * BATTERY + what] = value
        ffe.shell_all(d.s)
        d.settle()
        d.roll(*dice)
        assert (d.s.at[gun] >= 0) == left
        assert not d.has("jammed", "br_at57#1")


@rule("F7.42c")
def test_a_foxhole_in_sand_caves_in_from_70mm_on() -> None:
    for caliber, shakes in ((69.0, False), (70.0, True)):
        d = Desk("s08_totensonntag", phasing=AXIS)
        h = next(one for one in d.stage.grid.hexes if d.stage.field.terrain[one] == "sand" and one in d.stage.out)
        hole = next(u for u, name in enumerate(d.roster.names) if name.startswith("allied_foxhole"))
        put(d.s, hole, h)
        d.s.strength[hole] = 1
        put(d.s, d.unit(SQUAD), h)
        d.s.under[d.unit(SQUAD)] = UNDER_FOXHOLE
        caves_in(d.s, h, caliber, RESULTS.index("1KIA"), d.bit(SQUAD))
        assert isinstance(d.s.stack[-1], CollapseAt) == shakes


# Ordnance


def manned() -> Desk:
    """A German Gun at N5 that faces east, and a British squad at R5."""
    d = Desk("s08_totensonntag", phasing=AXIS)
    d.put("ge_228#1", "N5")
    gun = d.put("ge_at50#1", "N5", E)
    d.s.holder[gun] = d.unit("ge_228#1")
    d.put(SQUAD, "R5")
    d.settle(FireAt(F_FIRE, AXIS, PREP))
    d.do("lay ge_at50#1", "at-infantry R5", "load HE")
    return d


@rule("C5.2")
def test_a_plain_miss_is_no_improbable_hit() -> None:
    d = manned()
    d.do("shoot")
    events = d.roll(6, 5)
    assert event(events, "to_hit")["word"] == "miss"
    assert not any(isinstance(f, DieAt) for f in d.s.stack)


@rule("C5.2")
def test_an_improbable_hit_takes_a_low_die() -> None:
    for die, made in ((2, True), (3, False)):
        d = manned()
        d.s.stack[-1] = DieAt(F_IMPROBABLE)
        d.settle()
        assert event(d.roll(die), "improbable")["passed"] == made


@rule("A7.308", "C1.51")
def test_a_weak_burst_leaves_an_afv_alone() -> None:
    d = Desk("s08_totensonntag", phasing=AXIS)
    tank = d.put(TANK, "N5")
    assert not shake(d.s, tank, ift().column(4), 6, 5, "C1.51")
    assert not (d.s.shocked | d.s.immobile) >> tank & 1


@rule("A4.6b")
def test_whoever_is_covered_does_not_move_openly() -> None:
    d = Desk("s08_totensonntag", phasing=AXIS)
    u = d.put(SQUAD, "N5")
    assert not moves_openly(d.s, u, (Term(1, "B.1", "cover"),), Los(3, None, ()))


@rule("A7.531")
def test_no_leader_directs_the_gun_of_a_vehicle() -> None:
    d = Desk("s08_totensonntag", phasing=ALLIED)
    vehicles = d.roster.vehicles & d.roster.of_side[ALLIED]
    last = vehicles.bit_length() - 1
    assert not d.roster.vehicles >> (last + 1) & 1
    tank = d.put(d.roster.names[last], "N5", E)
    leader = next(name for name in d.roster.names if name.startswith("br_ldr"))
    d.put(leader, "N5")
    now: Any = SimpleNamespace(u=tank, user=tank, shoot=Shoot(side=ALLIED))
    assert directors(d.s, now) == 0


# Vehicles


@rule("D7.1")
def test_an_overrun_may_take_the_last_of_its_points() -> None:
    t = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    t.put("ge_pz3g#1", "Q5", NNE, motion=True)
    t.put(SQUAD, "Q4")
    t.driving("ge_pz3g#1")
    while t.left > 5:
        t.do("delay")
    assert t.left == 5
    assert "overrun Q4" in t.legal(), "1 for the hex and 4 for the Overrun"
    t.do("delay")
    assert "overrun Q4" not in t.legal()


@rule("D2.401")
def test_it_gets_into_motion_within_a_vertex_of_its_facing() -> None:
    t = Desk(field=ground(hill(2, *(f"{c}6" for c in "LMNOPQRSTU"))), phasing=ALLIED).under(vehicle_dust=False)
    t.put("ge_pz3g#1", "Q3", E)
    t.put("br_stu1#1", "Q7", NNE, motion=True)
    t.driving("br_stu1#1").do("to Q6")
    assert t.who == "axis"
    assert {one for one in t.legal() if one.startswith("rouse")} == {
        f"rouse ge_pz3g#1 {way}" for way in ("nne", "e", "sse")
    }
    assert t.rule("rouse ge_pz3g#1 nnw") == "D2.401"


@rule("D14.2")
def test_nobody_joins_a_platoon_twice() -> None:
    t = Desk("s03_nibeiwa", field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    first, second, third = "it_m13#1", "it_m13#2", "it_m13#3"
    for name, where in ((first, "Q5"), (second, "R5"), (third, "P5")):
        t.put(name, where, NNE, motion=True)
    t.driving(first).do(f"also {second}")
    assert {one for one in t.legal() if one.startswith("also")} == {f"also {third}"}


@rule("D4.3")
def test_a_truck_shows_no_belly() -> None:
    t = Desk(field=ground(sides=[("Q5", "Q4", "wall", "Q5")]))
    truck, tank = t.put("br_3ton#1", "Q5"), t.put("br_stu1#1", "Q5")
    assert shows_belly(t.s, truck, t.hex("Q5"), t.hex("Q4")) == 0
    assert shows_belly(t.s, tank, t.hex("Q5"), t.hex("Q4")) == 4


@rule("F5.425b")
def test_a_vehicle_at_the_rim_is_in_the_way_at_both_hexsides_of_its_vertex() -> None:
    field = ground({"Q5": {"forms": {"wadi"}}, "Q6": {"forms": {"wadi"}}}, [("Q5", "Q6", "wadi", "Q5", "Q6")])
    t = Desk(field=field)
    other = t.put("br_stu1#2", "Q5", E)
    t.s.place[other], t.s.cafp[other] = Place.CREST, E
    u = t.put("br_stu1#1", "R5", W)
    found = [in_the_way(t.s, u, t.hex(one), t.hex("Q5"), Place.IN) for one in ("Q4", "R4", "R5", "P5")]
    assert found == [0, 1, 1, 0]


@rule("F11.74c")
def test_dust_in_the_first_hex_of_the_map_settles_too() -> None:
    t = Desk(field=FLAT)
    u = t.put("br_stu1#1", "Q5")
    t.s.trail[u] = 0
    clear(t.s, u)
    assert kinds(t.s.events) == ["dust_settles"]


@rule("D7.2")
def test_those_overrun_in_the_first_hex_of_the_map_strike_back() -> None:
    t = Desk(field=FLAT, phasing=AXIS)
    tank = t.put("ge_pz3g#1", "Q5")
    put(t.s, tank, 0)
    put(t.s, t.unit(SQUAD), 0)
    assert GAME.frames[F_REACTION].actor(t.s, ReactionAt(F_REACTION, tank, t.bit(SQUAD))) == ALLIED


# Infantry


@rule("A20.5")
def test_a_prisoner_follows_his_guard_into_every_hex() -> None:
    s = desert()
    place(s, [FOOT, FOE], "M5")
    s.guard[U(FOE)] = U(FOOT)
    put(s, U(FOOT), 0)
    assert s.at[U(FOE)] == 0


@rule("A7.301")
def test_nobody_is_safe_in_the_first_hex_of_the_map() -> None:
    s = desert()
    put(s, U(FOOT), 0)
    s.stack.append(ResultAt(F_RESULT, RESULTS.index("7KIA"), bits(FOOT)))
    settle(s)
    assert s.at[U(FOOT)] == GONE


@rule("A14.3")
def test_a_sniper_of_either_side_looks_for_the_other() -> None:
    s = desert()
    place(s, FOOT, "M5")
    place(s, FOE, "N5")
    assert [prey(s, side, H("M5")) for side in (ALLIED, AXIS)] == [bits(FOE), bits(FOOT)]


@rule("A11.2")
def test_who_withdraws_is_said_before_close_combat_ends() -> None:
    s = desert()
    place(s, [FOOT, FOE], "M5")
    s.phase = CCPH
    s.melee = bits(FOOT, FOE)
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    settle(s)
    assert "end-combat" not in legal(s)
    assert held_by(s, "end-combat") == "A11.2"
    do(s, "stand", "stand")
    assert "end-combat" in legal(s)


@rule("A7.301")
def test_fire_too_weak_for_any_column_has_no_effect_for_certain() -> None:
    s = desert()
    place(s, FOOT, "M5")
    place(s, FOE, "U5", UNDER_SANGAR)
    s.concealed = bits(FOE)
    attack(s, ALLIED, "U5")
    s.pinned = bits(FOOT)
    do(s, f"join {FOOT}")
    odds = GAME.odds(s, GAME.parse("commit"))
    assert odds is not None
    assert [chance for _, chance in odds.results] == [1]


@rule("A10.62")
def test_the_weakest_fire_that_can_break_is_desperate_enough() -> None:
    s = desert()
    place(s, [FOOT, SECOND], "M5")
    place(s, [FOE, FOE2], "P5")
    s.broken = bits(SECOND)
    s.type[U(FOE)] = ROSTER.type_of["it_136"]
    s.stack.append(FireAt(F_FIRE, AXIS, PREP))
    attack(s, AXIS, "M5")
    events = do(s, f"join {FOE}", "commit")
    assert column(events) == 1
    roll(s, 6, 5)
    assert s.dm & bits(SECOND)


@rule("F13.3a")
def test_a_cactus_hedge_is_met_on_every_hexside() -> None:
    near = ("M4", "N4", "N5", "M6", "L5", "L4")
    for name in near:
        s = desert(sides=[("M5", name, "cactus", "M5")])
        assert [thorny(s, H("M5"), H(one)) for one in near] == [one == name for one in near]


@rule("F11.5")
def test_a_mild_breeze_is_told_from_other_winds() -> None:
    winds = ("No Wind", "Mild Breeze", "Heavy Wind")
    assert [Climate.of({"wind_force": one}).mild_breeze for one in winds] == [False, True, False]


def test_a_set_up_area_on_an_imported_board_ends_with_its_last_row() -> None:
    assert [_same_area("R5", one) for one in ("R1", "R2", "R9", "R10")] == [False, True, True, False]
    assert [_same_area("H5", one) for one in ("H1", "H10", "H11")] == [True, True, False]


# Batteries, Guns and vehicles once more


@rule("C1.2")
def test_contact_that_is_kept_is_likelier() -> None:
    d = battery()
    for what, value in ((ACCESS, 1), (CONTACT, 1), (STAGE, SPOTTING), (SHELLED, d.hex("N5"))):
        d.s.oba[AXIS * BATTERY + what] = value
    push_shelling(d.s, AXIS)
    d.settle()
    odds = GAME.odds(d.s, GAME.parse("contact"))
    assert odds is not None
    assert Fraction(30, 36) in [chance for _, chance in odds.results], "9 or less"


@rule("C5.2")
def test_an_original_two_of_a_hopeless_shot_is_looked_into() -> None:
    d = Desk("s08_totensonntag", phasing=AXIS)
    d.put("ge_228#1", "B5", pinned=True, cx=True)
    gun = d.put("ge_at50#1", "B5", E)
    d.s.holder[gun] = d.unit("ge_228#1")
    d.put("allied_sangar#1", "Z5")
    d.s.under[d.put(SQUAD, "Z5", concealed=True)] = UNDER_SANGAR
    d.settle(FireAt(F_FIRE, AXIS, PREP))
    d.do("lay ge_at50#1", "at-infantry Z5", "load HE", "shoot")
    assert event(d.roll(1, 1), "to_hit")["word"] == "improbable"
    assert isinstance(d.s.stack[-1], DieAt)


@rule("A7.25", "C2.29")
def test_opportunity_fire_of_a_rapid_gun_is_not_halved() -> None:
    for waits, halved in ((False, True), (True, False)):
        d = Desk("s08_totensonntag", phasing=AXIS)
        gun = d.put(RAPID, "N5", E)
        d.s.type[gun] = d.roster.type_of["ge_aa20"]
        d.put("ge_228#1", "N5")
        d.s.holder[gun] = d.unit("ge_228#1")
        if waits:
            d.s.waits = d.bit("ge_228#1")
        shoot = Shoot(fire=ADVANCING, side=AXIS, gun=1 << gun, hex=d.hex("R5"), type=IFE, weapon=MA)
        steps = rapid_steps(d.s, shoot, d.put(SQUAD, "R5"))
        assert any(rule == "A3.5" for _, rule, _ in steps) == halved


@rule("F5.43e", "B20.9")
def test_a_gun_is_pushed_to_the_northern_crest() -> None:
    d = Desk(field=ground({"M5": {"forms": {"wadi"}}}), phasing=ALLIED)
    gun, crew = "br_at40#1", "br_228#1"
    d.put(crew, "M4")
    d.put(gun, "M4", NNE)
    d.s.holder[d.unit(gun)] = d.unit(crew)
    d.s.phase = MPH
    d.settle(MovesAt(F_MOVES)).do(f"move {crew}", f"push-crest {gun} M5 N")
    d.roll(1, 1)
    assert [(d.s.place[d.unit(u)], d.s.cafp[d.unit(u)]) for u in (gun, crew)] == [(Place.CREST, 0)] * 2


@rule("F5.426b")
def test_no_coaxial_mg_fires_down_from_a_rim() -> None:
    d = Desk(field=ground({"Q5": {"forms": {"wadi"}, "level": 2}}), phasing=ALLIED)
    tank, low = d.put("br_stu1#1", "Q5", E), d.put("ge_467#1", "T5")
    d.s.place[tank] = Place.CREST
    now: Any = SimpleNamespace(attack=Attack(side=ALLIED, target=d.hex("T5")), shot=1 << low)
    assert _hampered(d.s, now, tank, CMG)
    d.s.place[tank] = Place.GROUND
    assert not _hampered(d.s, now, tank, CMG)


@rule("D8.3")
def test_who_gets_out_of_the_mire_is_out_of_it() -> None:
    t = Desk(field=FLAT).under(vehicle_dust=False)
    t.put("br_stu1#1", "Q4", NNE, bogged=True, mired=True)
    t.driving("br_stu1#1").do("unbog")
    t.roll(1, 1)
    assert not t.has("bogged", "br_stu1#1")
    assert not t.has("mired", "br_stu1#1")


@rule("D6.1")
def test_whoever_gets_off_too_late_to_walk_has_moved() -> None:
    t = Desk(field=FLAT).under(vehicle_dust=False)
    t.put("br_3ton#1", "Q9", NNE, motion=True)
    t.board(SQUAD, "br_3ton#1")
    t.driving("br_3ton#1")
    while t.left > 9:
        t.do("delay")
    t.do("stop", f"disembark {SQUAD}")
    assert t.s.moved & ~t.bit("br_3ton#1") == t.bit(SQUAD)


@rule("A11.6")
def test_whoever_dares_to_advance_upon_a_tank_has_advanced() -> None:
    t = Desk(field=FLAT, phasing=ALLIED)
    t.put("ge_pz3g#1", "Q4", NNE)
    t.put(SQUAD, "Q5")
    t.put("br_457#2", "Q8")
    t.s.phase = APH
    t.settle(AdvanceAt(F_ADVANCE)).do(f"advance {SQUAD} Q4")
    assert t.s.routed == t.bit(SQUAD)


# Infantry once more


@rule("F8.3d")
def test_only_the_halves_of_the_squad_at_the_gun_have_moved() -> None:
    s = desert(phasing=AXIS)
    place(s, "axis_sangar#1", "M5")
    place(s, next(n for n in ROSTER.names if ROSTER.guns & ROSTER.of_side[AXIS] & bits(n)), "M5", UNDER_SANGAR)
    place(s, FOE, "M5")
    place(s, FOE2, "P5")
    s.phase = MPH
    s.stack.append(MovesAt(F_MOVES))
    settle(s)
    do(s, f"move {FOE}", "under")
    assert s.moved >= 0
    assert not s.moved & bits(FOE2)


@rule("A1.31", "A.7")
def test_no_squad_deploys_that_is_broken_or_in_melee() -> None:
    for mark in ("", "broken", "melee"):
        s = desert()
        place(s, [FOOT, LEADER], "M5")
        if mark:
            setattr(s, mark, bits(FOOT))
        assert (DEPLOYS.free(bits(FOOT), s, RallyAt(F_RALLY, ALLIED)) != 0) == (not mark)


@rule("B27.3")
def test_whoever_lies_in_a_foxhole_is_dug_in_and_nobody_else() -> None:
    for name in (FOOT, SECOND, LEADER, FOE, FOE2):
        s = desert()
        place(s, [FOOT, SECOND, LEADER, FOE, FOE2], "M5")
        s.under[U(name)] = UNDER_FOXHOLE
        assert postures(s)[0] == bits(name)


@rule("A4.31")
def test_who_is_elsewhere_in_bypass_is_not_seen_here() -> None:
    d = Desk(field=ground({"Q5": {"terrain": "woods"}}))
    squad, tank = d.put(SQUAD, "N5"), d.put("br_stu1#1", "Q5")
    d.s.place[tank] = Place.BYPASS
    assert dict(stances(d.s, 1 << squad)) == {GROUND: 1 << d.hex("N5")}


@rule("A26.2")
def test_whoever_is_in_the_wadi_counts_only_where_the_scenario_does_not_leave_him_out() -> None:
    d = Desk("s06_wadi_zigzaou", "D3")
    wadi = next(h for h in d.stage.grid.hexes if d.stage.field.has("wadi", h) and d.stage.grid.names[h] in IN_AREA)
    goal = d.stage.script["victory"]["at_end"][0]
    name = next(n for n in d.roster.names if d.roster.men & d.roster.of_side[ALLIED] & d.bit(n))
    u = d.put(name, d.stage.grid.names[wadi])
    d.s.place[u] = Place.CREST
    assert present_in(d.s, goal) == 1 << u
    d.s.place[u] = Place.IN
    assert present_in(d.s, goal) == 0


@rule("A6.1")
def test_the_art_of_a_board_ends_at_its_edge() -> None:
    art = BoardArt(2, 2, ((0, "open"),), bytes((1, 2, 3, 4)))
    assert _codes(art, 0.5, 0.5, 3.5, 0.5) == {1, 3}
    assert _codes(art, 0.5, 0.5, 0.5, 3.5) == {1, 2}


@rule("A26.2")
def test_a_better_leader_is_worth_more() -> None:
    types = ROSTER.types
    assert [types[ROSTER.type_of[one]].value for one in ("br_ldr_9m1", "br_ldr_8m0")] == [2, 1]


@rule("F12.2a")
def test_the_hexsides_of_an_overlay_turn_with_it() -> None:
    pack = asl_pack()
    id = next(one for one, shape in pack.overlays.items() if any(side["kind"] == "wadi" for side in shape["hexsides"]))
    found = set()
    for second in ("P4", "Q5", "Q6", "P6", "O6", "O5"):
        entry = {"id": id, "board": "D1", "hex1": "P5", "hex2": second}
        layout = lay_out(pack, {"boards": [{"id": "D1"}], "overlays": [entry]})
        laid = {at for at, cell in layout.cells.items() if cell.overlay}
        found.add(sum(1 for a, b, kind in layout.sides if kind == "wadi" and {a, b} <= laid))
    assert len(found) == 1
    assert found != {0}
