"""D2, D3, F5, F8, F11, F13 Vehicles at the seams of the rules: rims, paved roads, sangars, sun, edges of the map."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.hazards import Vehicle, hammada_check
from sandtable.games.asl.boards.locations import Place, Spot
from sandtable.games.asl.fire.air import dlv, out_of_the_sun
from sandtable.games.asl.fire.fate import SurvivalAt, destroy
from sandtable.games.asl.fire.mounts import mg_share
from sandtable.games.asl.fire.protection import beside_armour
from sandtable.games.asl.los.screens import Screens, screened, smoke, vehicle_dust
from sandtable.games.asl.los.sight import Sightlines
from sandtable.games.asl.ordnance.acquisition import prune
from sandtable.games.asl.ordnance.effects import rapid_fp
from sandtable.games.asl.table import scenarios
from sandtable.games.asl.table.hardware import CMG
from sandtable.games.asl.table.ids import ADVANCING, F_FIRE, MPH, OFFMAP, PREP, SANGAR, TRENCH
from sandtable.games.asl.table.state import Attack, Move, Shoot, put
from sandtable.games.asl.table.weather import air
from sandtable.games.asl.table.works import spot
from sandtable.games.asl.turn.fires import FireAt
from sandtable.games.asl.vehicles import dust, entry, points, rims
from sandtable.games.asl.vehicles.driving import drive_of
from sandtable.mechanics.masks import units_of

from ..kit import ground
from ..vehiclekit import ALLIED, AXIS, NNE, SSE, Desk, E

TANK, OTHER, SQUAD, PANZER = "br_stu1#1", "br_stu1#2", "br_457#1", "ge_pz3g#1"
WADI = {"Q5": {"forms": {"wadi"}}, "Q6": {"forms": {"wadi"}}}
BED = [("Q5", "Q6", "wadi", "Q5", "Q6")]
FIELD = ground(WADI, BED)
"""A wadi of two hexes, Q5 north of Q6; R4 lies north-east of Q5, R5 south-east, P4 and P5 west."""


def desk(field: Battlefield = FIELD, **conditions: Any) -> Desk:
    return Desk(field=field).under(vehicle_dust=False, **{"ec": "Dry", **conditions})


@pytest.mark.rule("asl", "D3.5", "F5.423a")
def test_at_the_rim_of_a_wadi_the_bow_mg_is_below_it() -> None:
    for place, barred in ((Place.CREST, True), (Place.GROUND, False)):
        t = Desk(field=FIELD if place == Place.CREST else ground(), phasing=AXIS)
        u = t.put(PANZER, "Q5", NNE)
        t.s.place[u], t.s.cafp[u] = place, NNE
        t.put(SQUAD, "Q1")
        t.settle(FireAt(F_FIRE, AXIS, PREP))
        t.do("fire Q1")
        assert (f"bow {PANZER}" in t.legal()) == (not barred)
        assert f"coax {PANZER}" in t.legal()
        if barred:
            assert t.rule(f"bow {PANZER}") == "D3.5"


@pytest.mark.rule("asl", "F5.423b")
def test_a_tank_at_the_rim_covers_those_beside_it_across_its_own_hexsides_alone() -> None:
    t = desk()
    u, v = t.put(SQUAD, "Q5"), t.put(TANK, "Q5", E)
    t.s.place[u] = t.s.place[v] = Place.CREST
    t.s.cafp[v] = 0  # between north and north-east
    t.s.cafp[u] = 2  # the front of the squad: north-east, south-east (south is the wadi's)
    for where, covered in (("R4", True), ("R5", False), ("P5", False)):
        w = t.put("ge_467#1", where)
        found = beside_armour(t.s, u, [spot(t.s, w)])
        assert (found is not None) == covered, where
    assert beside_armour(t.s, u) is not None, "against what falls from above"
    t.s.cafp[u] = 4
    assert beside_armour(t.s, u) is None, "no hexside of its front starts there"


@pytest.mark.rule("asl", "F11.74b")
def test_on_a_paved_road_no_dust_rises() -> None:
    t = Desk(field=ground()).under(vehicle_dust=True, ec="Dry", dust="none")
    t.put(TANK, "Q5", NNE, motion=True)
    t.driving(TANK)
    here, there = t.hex("Q5"), t.hex("Q4")
    assert dust.raised_by(t.s, t.unit(TANK), 2, here, there)
    roads = list(t.stage.field.roads)
    roads[0] |= 1 << here
    old, t.stage.field.roads = t.stage.field.roads, roads
    try:
        assert not dust.raised_by(t.s, t.unit(TANK), 2, here, there)
    finally:
        t.stage.field.roads = old


@pytest.mark.rule("asl", "F5.425a", "F5.422d", "F11.731b")
def test_going_down_again_costs_what_is_in_the_way_and_what_is_in_the_air() -> None:
    """EX-F5.422-1: 2 MP for the wadi alone, times 4 in reverse."""
    t = desk(FIELD, dust="none")
    u = t.put(TANK, "Q5", SSE)
    t.s.place[u], t.s.cafp[u] = Place.CREST, 0
    t.driving(TANK).do("start")
    assert rims.down_cost(t.s, drive_of(t.s)) == 2 * 2
    v = t.put(OTHER, "Q5", SSE)
    t.s.place[v] = Place.IN
    assert rims.down_cost(t.s, drive_of(t.s)) == 2 * 3
    put(t.s, v, OFFMAP)
    for density, open_, mp in ((3, False, 3), (4, False, 4), (4, True, 3)):
        t.s.density, t.s.exposed = density, 1 << u if open_ else 0
        assert rims.down_cost(t.s, drive_of(t.s)) == 2 * mp


@pytest.mark.rule("asl", "F8.5")
def test_a_sangar_joined_to_a_trench_doubles_the_terrain_alone() -> None:
    t = Desk("s03_nibeiwa", "D4", field=ground()).under(vehicle_dust=False, ec="Dry")
    t.prefix = "D1"
    u = t.put("br_mat2#1", "Q5", NNE, motion=True)
    works = {kind: units_of(t.roster.of_kind[kind])[0] for kind in (SANGAR, TRENCH)}
    put(t.s, works[SANGAR], t.hex("Q4"))
    put(t.s, works[TRENCH], t.hex("Q3"))
    t.put("br_mat2#2", "Q4", NNE)
    found = points.price(t.s, u, t.hex("Q4"), False)
    assert found is not None
    assert found.points == 1 + 1 + 1, "Open Ground twice, the vehicle there once"


@pytest.mark.rule("asl", "F13.1c", "F3.32a")
def test_a_motorcycle_rolls_in_a_broken_hex() -> None:
    field = ground({"Q5": {"terrain": "broken_hex"}})
    found = hammada_check(field, Vehicle("motorcycle"), field.hex("D1.Q5"))
    assert found is not None
    assert found.drm == 1 + 1 - 1
    assert hammada_check(field, Vehicle("truck"), field.hex("D1.Q5")) is None, "a Bog hex for others"


@pytest.mark.rule("asl", "A2.5", "D2.14", "A24.7")
def test_coming_on_costs_what_is_in_the_hex_too() -> None:
    t = desk(ground())
    u = t.unit(TANK)
    put(t.s, u, OFFMAP)
    h = t.hex("Q1")
    found = entry.entry_price(t.s, u, h)
    assert found is not None
    assert found.points == 1
    t.put(OTHER, "Q1", NNE)
    t.s.smoke[h] = 1
    found = entry.entry_price(t.s, u, h)
    assert found is not None
    assert found.points == 3
    squad = entry.entry_price(t.s, t.unit(SQUAD), h)
    assert squad is not None
    assert squad.points == 2


@pytest.mark.rule("asl", "A7.2", "D2.4", "A3.5")
def test_in_motion_and_in_the_advancing_fire_phase_each_halves() -> None:
    t = Desk(field=ground(), phasing=AXIS)
    u = t.put(PANZER, "Q5", NNE, motion=True)
    t.put(SQUAD, "Q3")
    attack = Attack(fire=ADVANCING, side=AXIS, target=t.hex("Q3"), vehicle=u, mgs=CMG)
    assert mg_share(t.s, attack, u, CMG)[0] == 5 / 4
    t.s.motion = 0
    assert mg_share(t.s, attack, u, CMG)[0] == 5 / 2
    flak = t.put("ge_sdk104#1", "Q6", NNE, motion=True)
    shoot = Shoot(fire=ADVANCING, side=AXIS, gun=1 << flak, type=3, hex=t.hex("Q3"))
    whole = rapid_fp(t.s, shoot, t.unit(SQUAD))
    t.s.motion = 0
    assert rapid_fp(t.s, shoot, t.unit(SQUAD)) == 2 * whole


@pytest.mark.rule("asl", "F11.611e", "F11.611a")
def test_who_comes_out_of_the_sun_into_the_hex_is_fired_at_with_the_sun_in_the_eyes() -> None:
    """TN8: across the hexsides to the west late in the afternoon, by those who wait for him alone."""
    for came, blind in (("P5", True), ("P4", True), ("Q4", False), ("R5", False)):
        t = Desk("s04_cauldron_sunset", field=ground(), phasing=AXIS)
        t.s.phase = MPH
        u = t.put(PANZER, "Q5", E)
        t.put(SQUAD, "Q5")
        t.s.move = Move(movers=1 << u, vehicle=u, came=t.hex(came), hex=t.hex("Q5"))
        here = spot(t.s, u)
        assert air(t.s).sun == "late_afternoon"
        assert out_of_the_sun(t.s, t.hex("Q5")) == blind, came
        assert [one.rule for one in dlv(t.s, here, here, True, 0, ALLIED)] == (["TN8"] if blind else [])
        assert dlv(t.s, here, here, True, 0, AXIS) == []


@pytest.mark.rule("asl", "F.2b", "B23.3", "B11.4", "F12.44a")
def test_what_bars_a_vehicle_is_named() -> None:
    terrains = {"Q4": {"terrain": "building_stone"}, "R4": {"terrain": "tomb"}, "P5": {"terrain": "crag"}}
    field = ground(terrains, [("Q5", "P4", "cliff", "P4")])
    t = Desk(field=field).under(vehicle_dust=False)
    for facing, where, rule in ((0, "Q4", "B23.3"), (0, "R4", "F12.44a"), (4, "P5", "F.2b"), (4, "P4", "B11.4")):
        u = t.put("br_3ton#1", "Q5", facing, motion=True)
        assert points.price(t.s, u, t.hex(where), False) is None
        assert points.why_closed(t.s, u, t.hex(where)).rule == rule
    t.driving("br_3ton#1")
    assert t.rule("to P5") == "F.2b"


@pytest.mark.rule("asl", "F7.42a", "F8.2b", "F.7Ad", "A12.11", "A5.1", "B27.11")
def test_what_bars_a_piece_at_set_up_is_named() -> None:
    t = Desk("s03_nibeiwa", "D1", field=ground({"Q5": {"terrain": "sand"}, "Q6": {"terrain": "tomb"}}))
    kinds = {kind: units_of(t.roster.of_kind[kind]) for kind in (SANGAR, TRENCH)}
    sangar, other = kinds[SANGAR][:2]
    put(t.s, other, t.hex("Q7"))
    dummy = units_of(t.roster.dummies)[0]
    tank, second = t.put("br_mat2#1", "Q7", NNE), t.unit("br_mat2#2")
    assert t.s.at[tank] == t.hex("Q7")
    for u, where, rule in (
        (sangar, "Q5", "F7.42a"),
        (kinds[TRENCH][0], "Q5", "F7.42a"),
        (sangar, "Q7", "F8.2b"),
        (sangar, "Q6", "B27.11"),
        (dummy, "Q8", "A12.11"),
        (second, "Q7", "A5.1"),
        (second, "Q6", "F.2b"),
    ):
        assert not scenarios.may_stand(t.s, u, t.hex(where))
        assert scenarios.why_not_there(t.s, u, t.hex(where)).rule == rule


@pytest.mark.rule("asl", "F11.74a", "A24.7")
def test_two_mp_at_once_raise_dust_and_three_do_not() -> None:
    """EX-F11.74-1: 1 MP of Open Ground and 1 of SMOKE."""
    t = Desk(field=ground()).under(vehicle_dust=True, ec="Dry", dust="none")
    u = t.put(TANK, "Q5", NNE, motion=True)
    t.driving(TANK)
    here, there = t.hex("Q5"), t.hex("Q4")
    assert [dust.raised_by(t.s, u, halves, here, there) for halves in (1, 2, 3, 4, 5, 6)] == [True] * 4 + [False] * 2


@pytest.mark.rule("asl", "A24.22", "F11.74d")
def test_vehicle_dust_counts_as_smoke_up_to_three_in_a_hex() -> None:
    field = ground()
    lines, h = Sightlines(field), field.hex("D1.Q4")
    a, b = Spot(field.hex("D1.Q6")), Spot(field.hex("D1.Q2"))
    both = Screens([vehicle_dust(field, h), smoke(field, h, 2)])
    assert sum(one.drm for one in screened(lines, a, b, both).hindrances) == 3


@pytest.mark.rule("asl", "D5.6", "D10.1")
def test_out_of_a_fire_fewer_come() -> None:
    for burns, drm in ((True, 2), (False, 0)):
        t = desk(ground())
        u = t.put(TANK, "Q5", NNE)
        destroy(t.s, u, "C7.2", burns)
        assert [one.drm for one in t.s.stack if isinstance(one, SurvivalAt)] == [drm]
        assert bool(t.s.burning >> u & 1) == burns


@pytest.mark.rule("asl", "C6.5")
def test_nobody_has_a_wreck_acquired() -> None:
    t = desk(ground())
    gun, target = t.put(TANK, "Q5", NNE), t.put(PANZER, "Q2", NNE)
    t.s.aim[gun] = (target, t.hex("Q2"), 2)
    prune(t.s)
    assert gun in t.s.aim
    t.s.wreck |= 1 << target
    prune(t.s)
    assert gun not in t.s.aim
