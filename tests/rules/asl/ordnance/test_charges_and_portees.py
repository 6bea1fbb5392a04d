"""C7.346, A22.4, F5.41: charges and flames against vehicles; C10.5 portees; D15.1 motorcycles; D8.23, F11.8 Mud;
F5.43e Guns at the Crest."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.fire.crews import prc_drm
from sandtable.games.asl.fire.firepower import cohorts
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.soundness import faults
from sandtable.games.asl.table.hardware import MA
from sandtable.games.asl.table.ids import F_CHARGES, F_FIRE, F_HULL, F_MOVES, MPH, PREP, SPARE
from sandtable.games.asl.table.state import Attack, make_wreck
from sandtable.games.asl.turn.fires import FireAt
from sandtable.games.asl.turn.victory import crew_value
from sandtable.games.asl.works.blast import ChargesAt

from ..kit import filled, ground
from ..vehiclekit import ALLIED, AXIS, NNE, SSW, Desk, event, kinds

marked = partial(pytest.mark.rule, "asl")
SQUAD, DC = "br_457#1", "br_dc#1"
TANK, TRUCK = "ge_pz3h#1", "ge_opel#1"


def sapper(where: str = "M5", target: str = TANK, facing: int = NNE, **marks: bool) -> Desk:
    d = Desk(field=ground(), phasing=ALLIED)
    d.put(SQUAD, "M6")
    d.give(DC, SQUAD)
    d.put(target, where, facing, **marks)
    return d


def firing(d: Desk) -> Desk:
    return d.settle(FireAt(F_FIRE, ALLIED, PREP))


def walking(d: Desk, unit: str = SQUAD) -> Desk:
    d.s.phase = MPH
    d.settle(MovesAt(F_MOVES))
    d.do(f"move {unit}")
    return d


def idle(d: Desk) -> None:
    while d.who == "axis":
        d.do("hold")


# C7.346


@marked("C7.346")
def test_a_charge_against_an_afv_rolls_for_its_place_and_to_kill() -> None:
    """Set from M6 against the rear of a tank in M5 that faces north: -1; 5 or less lies on top."""
    d = sapper()
    d.s.charges = {d.unit(DC): d.hex("M5")}
    d.settle(ChargesAt(F_CHARGES))
    d.roll(6, 6)  # the attack on whoever else is there
    top = event(d.roll(3, 3), "charge_aerial_af")
    assert top["final"] == 5
    killed = d.roll(6, 5)
    made = d.s.kind(d.unit(TANK)).vehicle
    assert made is not None
    assert event(killed, "charge_kill")["number"] == 16 - made.aerial
    assert d.has("wreck", TANK)
    assert not d.has("burning", TANK)
    d = sapper()
    d.s.charges = {d.unit(DC): d.hex("M5")}
    d.settle(ChargesAt(F_CHARGES))
    d.roll(6, 6)
    assert event(d.roll(5, 4), "charge_normal_af")["final"] == 8
    killed = d.roll(1, 2)
    assert event(killed, "charge_kill")["number"] == 16 - made.hull_side
    assert d.has("burning", TANK)


@marked("C7.346")
@pytest.mark.parametrize(
    ("marks", "facing", "drm"),
    [
        ({}, NNE, -1),
        ({}, SSW, 1),
        ({"motion": True}, NNE, 1),
        ({"immobile": True}, NNE, -3),
        ({"concealed": True}, SSW, 3),
    ],
)
def test_the_drm_of_the_position(marks: dict[str, bool], facing: int, drm: int) -> None:
    d = sapper(facing=facing, **marks)
    d.s.charges = {d.unit(DC): d.hex("M5")}
    d.settle(ChargesAt(F_CHARGES))
    d.roll(6, 6)
    found = next(one for one in d.roll(6, 5) if one.kind.startswith("charge_"))
    assert found.data["final"] == 11 + drm


@marked("C7.346", "A23.6")
def test_a_thrown_charge_may_reach_the_crew_alone_or_nothing() -> None:
    d = firing(sapper(exposed=True))
    assert f"throw {DC} M5" in d.legal()
    d.do(f"throw {DC} M5")
    d.roll(1, 2)
    while d.s.stack[-1][0] != F_HULL:  # the thrower's own checks first
        GAME.apply(d.s, GAME.roll(d.s, lambda sides: 1).action)
    found = d.roll(5, 5)
    assert event(found, "charge_prc_only")["final"] == 11
    assert not d.has("wreck", TANK)
    assert d.has("stunned", TANK), "30 FP at an exposed crew"
    d = firing(sapper())
    d.do(f"throw {DC} M5")
    d.roll(6, 6)
    while d.s.stack[-1][0] != F_HULL:
        GAME.apply(d.s, GAME.roll(d.s, lambda sides: 1).action)
    assert "charge_none" in kinds(d.roll(6, 5))


@marked("C7.346", "A7.308")
def test_a_charge_against_a_truck_is_judged_on_the_ift() -> None:
    d = sapper(target=TRUCK)
    d.s.charges = {d.unit(DC): d.hex("M5")}
    d.settle(ChargesAt(F_CHARGES))
    d.roll(5, 5)
    assert d.has("wreck", TRUCK), "10 is below 12"


# A22.4


@marked("A22.4")
@pytest.mark.parametrize(
    ("target", "dice", "mark"),
    [
        (TANK, (4, 2), "wreck"),
        (TANK, (4, 3), "immobile"),
        (TANK, (1, 2), "burning"),
        (TRUCK, (5, 5), "wreck"),
        (TRUCK, (5, 6), "immobile"),
    ],
)
def test_a_flamethrower_against_vehicles(target: str, dice: tuple[int, int], mark: str) -> None:
    """TK# 7 against a closed-topped AFV; 11 of the 24 column against a truck."""
    d = Desk(field=ground(), phasing=AXIS)
    d.put("ge_467#1", "M6")
    d.s.type[d.give("ge_dc#1", "ge_467#1")] = d.roster.type_of["ge_ft"]
    swap = {TANK: "br_crus1#1", TRUCK: "br_3ton#1"}[target]
    d.put(swap, "M5", NNE)
    d.settle(FireAt(F_FIRE, AXIS, PREP))
    d.do("burn ge_dc#1 M5")
    d.roll(*dice)
    assert d.has(mark, swap)
    assert d.has("wreck", swap) == (mark != "immobile")


# F5.41d, F5.41e


def at_the_rim(walker: str = "M6") -> Desk:
    field = ground({"M5": {"forms": {"wadi"}}, "M4": {"forms": {"wadi"}}}, [("M5", "M4", "wadi")])
    d = Desk(field=field, phasing=ALLIED)
    d.put(SQUAD, walker)
    d.give(DC, SQUAD)
    u = d.put(TANK, "M5", NNE)
    d.s.place[u], d.s.cafp[u] = Place.CREST, 2
    return d


@marked("F5.41d", "C7.346")
def test_a_charge_against_a_crest_vehicle_costs_the_mf_of_the_crest() -> None:
    d = walking(at_the_rim())
    d.do(f"set-charge {DC} M5")
    assert d.s.move is not None
    assert d.s.move.spent == 2, "1 MF: the 2 of going IN less 1"
    low = at_the_rim("M5")
    low.s.place[low.unit(SQUAD)] = Place.IN
    walking(low)
    low.do(f"set-charge {DC} M5")
    assert low.s.move is not None
    assert low.s.move.spent == 4, "from IN the wadi 2 MF"
    idle(low)
    low.do("halt")
    low.settle(ChargesAt(F_CHARGES))
    low.roll(6, 6)
    assert next(one for one in low.roll(1, 2) if one.kind.startswith("charge_")), "then it rolls for its position"


@marked("F5.41e")
def test_no_charge_is_thrown_at_a_crest_vehicle() -> None:
    d = firing(at_the_rim())
    assert d.rule(f"throw {DC} M5") == "F5.41e"
    d = at_the_rim()
    d.put("ge_467#1", "M5")
    d.s.place[d.unit("ge_467#1")] = Place.CREST
    firing(d)
    d.do(f"throw {DC} M5")
    d.roll(6, 6)
    assert not d.has("wreck", TANK)
    assert not GAME.is_chance(d.s) or "charge" not in str(GAME.prompt(d.s).title), "the tank is not touched"


# F5.43e


@marked("F5.43e", "C10.3")
def test_a_gun_is_pushed_to_the_crest_and_off_it() -> None:
    field = ground({"M5": {"forms": {"wadi"}}, "M4": {"forms": {"wadi"}}}, [("M5", "M4", "wadi")])
    d = Desk(field=field, phasing=ALLIED)
    gun, crew = "br_at40#1", "br_228#1"
    d.put(crew, "M6")
    d.put(gun, "M6", NNE)
    d.s.holder[d.unit(gun)] = d.unit(crew)
    walking(d, crew)
    assert f"push-crest {gun} M5 S" in d.legal()
    assert d.rule(f"push-crest {gun} M5 SE") == "B20.9"
    d.do(f"push-crest {gun} M5 S")
    d.roll(1, 1)
    assert [d.s.place[d.unit(u)] for u in (gun, crew)] == [Place.CREST, Place.CREST]
    assert [d.s.cafp[d.unit(u)] for u in (gun, crew)] == [3, 3]
    assert d.s.move is not None
    assert d.s.move.spent == 4, "the MF of the Crest twice"
    down = Desk(field=field, phasing=ALLIED)
    for u in (crew, gun):
        down.put(u, "M5")
        down.s.place[down.unit(u)], down.s.cafp[down.unit(u)] = Place.CREST, 3
    down.s.holder[down.unit(gun)] = down.unit(crew)
    walking(down, crew)
    assert {f"push {gun} M5", f"push {gun} M6"} <= down.legal()
    assert down.rule(f"push {gun} N4") == "B20.9"
    down.do(f"push {gun} M5")
    down.roll(1, 1)
    assert [down.s.place[down.unit(u)] for u in (gun, crew)] == [Place.IN, Place.IN]


@marked("F5.43e", "C10.1")
def test_a_gun_at_the_crest_may_be_towed_away() -> None:
    field = ground({"M5": {"forms": {"wadi"}}})
    d = Desk(field=field, phasing=ALLIED)
    gun = "br_at40#1"
    truck = d.put("br_3ton#1", "M5", NNE)
    g = d.put(gun, "M5", NNE)
    for u, edge in ((truck, 2), (g, 3)):
        d.s.place[u], d.s.cafp[u] = Place.CREST, edge
    d.driving("br_3ton#1")
    d.do(f"hook {gun}")
    assert d.s.aboard[g] == truck


@marked("A12.15", "C10.3")
def test_a_gun_is_not_pushed_upon_a_hidden_enemy() -> None:
    d = Desk(field=ground(), phasing=ALLIED)
    gun, crew = "br_at40#1", "br_228#1"
    d.put(crew, "M6")
    d.put(gun, "M6", NNE)
    d.put("ge_467#1", "M5", hip=True, concealed=True)
    d.s.holder[d.unit(gun)] = d.unit(crew)
    walking(d, crew)
    d.do(f"push {gun} M5")
    d.roll(1, 1)
    assert d.where(crew) == d.where(gun) == "M6"
    assert not d.s.hip


# C10.5


PORTEE = "br_portee#1"


@marked("C10.5", "F.3Aa", "D5.7")
def test_the_gun_of_a_portee_is_unloaded_and_loaded_again() -> None:
    d = Desk("s08_totensonntag", "D4", phasing=ALLIED)
    u = d.put(PORTEE, "U8", NNE)
    assert crew_value(d.s, u) == 2
    d.driving(PORTEE)
    d.do("unload-gun")
    idle(d)
    gun = next(g for g in range(len(d.s.at)) if d.s.at[g] == d.hex("U8") and d.s.kind(g).id == "br_at40")
    crew = d.s.holder[gun]
    assert d.s.at[crew] == d.hex("U8")
    assert d.s.vca[gun] == SSW, "to its rear"
    assert d.s.off[u] & MA, "the truck has no MA now"
    assert d.s.move is None, "that took its whole MPh"
    assert d.s.moved >> gun & d.s.moved >> u & 1
    assert crew_value(d.s, u) == 0
    wreck = d.s.copy()
    make_wreck(wreck, u, False)
    assert wreck.lost_points[ALLIED] == 1, "F.3Aa 1 DVP without its Gun, 4 with it"
    d.s.moved = 0
    d.s.stack.pop()
    d.driving(PORTEE)
    name = d.roster.names[gun]
    assert d.rule("unload-gun") == "C10.5"
    for mark in ("broken", "pinned", "moved", "fired"):
        setattr(d.s, mark, getattr(d.s, mark) | 1 << crew)
        d.s.choices = None
        assert d.rule(f"load-gun {name}") == "A10.41", mark
        setattr(d.s, mark, getattr(d.s, mark) & ~(1 << crew))
    d.s.choices = None
    d.do(f"load-gun {name}")
    idle(d)
    assert (d.s.at[gun], d.s.off[u] & MA) == (SPARE, 0)
    assert crew_value(d.s, u) == 2
    make_wreck(d.s, u, False)
    assert d.s.lost_points[ALLIED] == 4
    assert not faults(d.s)


@marked("C10.5")
def test_when_a_portee_does_not_unload() -> None:
    d = Desk("s08_totensonntag", "D4", phasing=ALLIED)
    d.put(PORTEE, "U8", NNE)
    d.driving(PORTEE)
    d.do("start")
    idle(d)
    assert d.rule("unload-gun") == "C10.5"
    d = Desk("s08_totensonntag", "D4", phasing=ALLIED)
    d.put("br_crus4#1" if "br_crus4#1" in d.roster.index else "br_crus1#1", "U8", NNE)
    name = next(n for n in ("br_crus4#1", "br_crus1#1") if n in d.roster.index)
    d.driving(name)
    assert d.rule("unload-gun") == "C10.5"


# D15.1


def cyclist(**kw: Any) -> tuple[Desk, int, int]:
    d = Desk(field=ground(), phasing=AXIS)
    bike = d.put("ge_opel#1", "M5", NNE)
    d.s.type[bike] = d.roster.type_of["ge_motors"]
    rider = d.put("ge_467#1", "M5")
    d.s.type[rider] = d.roster.type_of["ge_247"]
    return d, bike, rider


@marked("D15.1")
def test_riders_mount_a_motorcycle_for_one_mf_and_nobody_else_moves_it() -> None:
    d, bike, rider = cyclist()
    d.s.phase = MPH
    d.settle(MovesAt(F_MOVES))
    assert d.rule("drive ge_opel#1") == "D15.1"
    put_on, bike, rider = cyclist()
    from sandtable.games.asl.table.state import board

    other = put_on.put("ge_467#2", "M5")
    put_on.s.type[other] = put_on.roster.type_of["ge_247"]
    board(put_on.s, other, bike)
    put_on.driving("ge_opel#1")
    assert put_on.rule("reverse") == "D15.1"
    left = put_on.left
    put_on.do("disembark ge_467#2")
    assert put_on.left == left, "it costs the Rider 1 MF and the motorcycle nothing"
    assert put_on.s.paces[other] == 2
    assert rider >= 0


@marked("D15.1", "D5.31")
def test_fire_at_motorcyclists_has_one_less() -> None:
    d, bike, rider = cyclist()
    from sandtable.games.asl.table.state import board

    board(d.s, rider, bike)
    d.put(SQUAD, "M8")
    assert prc_drm(d.s, rider) == prc_drm(d.s, bike) == -1
    attack = Attack(fire=PREP, side=ALLIED, target=d.hex("M5"), firers=d.bit(SQUAD))
    drms = [one for group in cohorts(d.s, attack) for one in group.drms]
    assert {(one.value, one.rule) for one in drms} == {(-1, "D15.1")}
    step = Desk(field=ground(filled("hammada", "M4")), phasing=AXIS)
    assert step.stage is not None


# D8.23, F11.8 Mud


def in_mud(hexes: Any, truck: str = "br_3ton#1", **map_: Any) -> Desk:
    d = Desk(field=ground(hexes, **map_), phasing=ALLIED)
    d.under(ec="Mud", dust="none", vehicle_dust=False)
    d.put(truck, "M8", NNE, motion=True)
    return d


@marked("D8.23", "F11.8a", "F11.8b")
def test_mud_bogs_in_one_of_the_open_hexes_beside_hammada() -> None:
    """EX-F11.8: the chance is that of a Bog DR, spread over six eligible hexes."""
    d = in_mud(filled("hammada", "L7", "L6", "L5"))
    d.driving("br_3ton#1")
    assert not GAME.is_chance(d.s)
    d.do("to M7")
    assert GAME.is_chance(d.s), "M7 lies beside hammada"
    made = d.s.kind(d.unit("br_3ton#1")).vehicle
    assert made is not None
    drm = {"Low": 0, "Normal": 1, "High": 2}[made.pressure] + 1 + 1 + 1  # not tracked, truck, Mud
    ways = sum(1 for a in range(1, 7) for b in range(1, 7) if a + b + drm >= 12)
    assert dict(GAME.chances(d.s))[GAME.legal(d.s)[0]] == Fraction(ways, 216)
    safe = d.s.copy()
    GAME.apply(safe, GAME.legal(safe)[1])
    while GAME.to_act(safe) == AXIS:
        GAME.apply(safe, GAME.parse("hold"))
    GAME.apply(safe, GAME.parse("to D1.M6"))
    assert dict(GAME.chances(safe))[GAME.legal(safe)[0]] == Fraction(ways, 216 - ways), "the second of six"
    GAME.apply(d.s, GAME.legal(d.s)[0])
    assert d.has("bogged", "br_3ton#1")


@marked("F11.8a", "F11.8d", "D8.23")
def test_where_mud_does_not_bog_in_the_desert() -> None:
    d = in_mud({**filled("hammada", "L7"), **filled("scrub", "M7")})
    d.driving("br_3ton#1")
    d.do("to M7")
    assert not GAME.is_chance(d.s), "scrub does not count"
    d = in_mud({})
    d.driving("br_3ton#1")
    d.do("to M7")
    assert not GAME.is_chance(d.s), "Open Ground far from hammada does not count"
    d = in_mud({})
    d.stage.field.alternates = frozenset({"steppe"})
    d.driving("br_3ton#1")
    d.do("to M7")
    assert GAME.is_chance(d.s), "F11.8d on the steppe every hex does"


@marked("F11.8c", "F9.2a")
def test_a_paved_road_leads_through_the_mud_and_a_track_does_not() -> None:
    for way, wet in (("roads", False), ("tracks", True)):
        d = in_mud(filled("hammada", "L7"))
        h, masks = d.hex("M8"), [0] * 6
        masks[0] = 1 << h
        setattr(d.stage.field, way, tuple(masks))
        d.driving("br_3ton#1")
        d.do("to M7")
        assert GAME.is_chance(d.s) is wet
