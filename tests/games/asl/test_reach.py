"""Who can be fired at: the sets that are worked out for all hexes at once, beside the tables asked about one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.engine.dice import QuickDice
from sandtable.engine.hexes import hexes_of
from sandtable.games.asl.boards.battlefield import scenario_battlefield
from sandtable.games.asl.boards.locations import Place, Spot, crest_front
from sandtable.games.asl.fire.firepower import bound_to_front
from sandtable.games.asl.fire.group import JOIN, USE, enemies_at, held_weapons, in_reach, now_of
from sandtable.games.asl.fire.mounts import TABLES
from sandtable.games.asl.fire.sights import look, sees
from sandtable.games.asl.game import GAME
from sandtable.games.asl.los.arcs import arc, in_arc, shadow, toward
from sandtable.games.asl.los.geometry import ALONG
from sandtable.games.asl.los.sight import Sightlines
from sandtable.games.asl.ordnance.acquisition import user_of
from sandtable.games.asl.ordnance.aim import Aiming, area_reach, armed, bearing, facing, foes_in
from sandtable.games.asl.ordnance.targets import AT_AREA, any_area, area_targets, foe_hexes, laid, seen_foes
from sandtable.games.asl.ordnance.to_hit import AREA
from sandtable.games.asl.ordnance.weapons import Tube
from sandtable.games.asl.table.hardware import BMG
from sandtable.games.asl.table.ids import ADVANCING, BOUNDING, FINAL, PREP
from sandtable.games.asl.table.stage import stage
from sandtable.games.asl.table.state import Attack, Shoot, State, all_vehicles
from sandtable.games.asl.table.works import spot
from sandtable.mechanics.masks import units_of

SCENARIOS = ("s02_gabr_saleh", "s03_nibeiwa", "s06_wadi_zigzaou")


def positions(scenario: str, seed: str, every: int, most: int) -> Iterator[State]:
    """Some moments of a game at random."""
    rng = Random(seed)
    s, dice = GAME.new(scenario, {}), QuickDice(rng)
    for number in range(most):
        who = GAME.to_act(s)
        if who is None:
            return
        if who == CHANCE:
            GAME.apply(s, GAME.roll(s, dice).action)
        else:
            GAME.apply(s, rng.choice(GAME.legal(s)))
        if number % every == every - 1 and GAME.to_act(s) is not None:
            yield s.copy()


def one_by_one(s: State, fire: int, side: int, by: int = -1) -> int:
    found = 0
    for h in hexes_of(enemies_at(s, side)):
        s.attack = Attack(fire=fire, side=side, target=h, by=by)
        now = now_of(s)
        able = JOIN.free(now.mine, s, now) or USE.free(held_weapons(s, now), s, now)
        if able or any(table.free(all_vehicles(s, side), s, now) for table in TABLES.values()):
            found |= 1 << h
    s.attack = None
    return found


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_all_hexes_at_once_are_the_hexes_one_by_one(scenario: str) -> None:
    asked = 0
    for s in positions(scenario, f"reach {scenario}", 70, 700):
        for side in range(2):
            hexes = enemies_at(s, side)
            asked += hexes.bit_count()
            for fire in (PREP, FINAL, ADVANCING):
                assert in_reach(s, fire, side, hexes) == one_by_one(s, fire, side)
            for u in range(0, len(s.at), 7):
                if all_vehicles(s, side) >> u & 1:
                    assert in_reach(s, BOUNDING, side, hexes, u) == one_by_one(s, BOUNDING, side, u)
    assert asked


def plainly_bears(s: State, u: int, gun: Tube, h: int) -> bool:
    """C3.2, D1.3, D3.5, F5.41b, F5.42g, F5.43g asked of one hex."""
    way, field, at, roster = facing(s, u, gun), s.stage.field, s.at[u], s.stage.roster
    kind = s.kind(u).vehicle
    if kind is not None and gun.kind == "MG" and kind.main_mg == BMG:
        return in_arc(field, at, s.vca[u], h)
    if way < 0:
        return not (gun.in_hand and s.place[user_of(s, u)] == Place.CREST and bound_to_front(s, u, h))
    if gun.rear_arc and (h == at or in_arc(field, at, s.vca[u], h)):
        return False
    crest = gun.mount == "NT" and s.place[u] == Place.CREST
    fixed = gun.mount == "NT" and (bool(s.turned >> u & 1) or (crest and bool(roster.vehicles >> u & 1)))
    if fixed and not in_arc(field, at, way, h):
        return False
    if not crest or not roster.guns >> u & 1:
        return True
    new = toward(field, at, way, h)
    return bool({new, (new + 1) % 6} & set(crest_front(field, at, s.cafp[u])))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_targets_of_a_gun_are_those_looked_at_one_by_one(scenario: str) -> None:
    asked = hit = 0
    rng = Random(scenario)
    for s in positions(scenario, f"guns {scenario}", 90, 720):
        for side in range(2):
            guns = [u for u in units_of(armed(s, Aiming(PREP, side))) if user_of(s, u) >= 0]
            for u in rng.sample(guns, min(5, len(guns))):
                s.place[u] = rng.choice((s.place[u], int(Place.CREST)))
                s.turned ^= 1 << u
                now = laid(s, Shoot(fire=PREP, side=side, gun=1 << u))
                field, into = s.stage.field, s.stage.into
                for h in field.grid.hexes[::7]:
                    assert bool(bearing(s, u, now.gun) >> h & 1) == plainly_bears(s, u, now.gun, h)
                fair = seen_foes(s, now)
                for g in units_of(foe_hexes(s, now)):
                    h = into[g]
                    plain = sees(s, now.user, h, foes_in(s, h, side) & ~s.hip)
                    assert plain == any(
                        look(s, spot(s, now.user), spot(s, e)).clear for e in units_of(foes_in(s, h, side) & ~s.hip)
                    )
                    assert plain == bool(fair >> g & 1)
                    asked, hit = asked + 1, hit + plain
                seen = area_targets(s, now)
                reach = area_reach(s, u, now.gun)
                for h in field.grid.hexes[::11]:
                    plain = bool(reach >> h & 1) and look(s, spot(s, now.user), Spot(h)).clear
                    assert plain == bool(seen >> s.stage.out[h] & 1)
                listed = AT_AREA.free(-1 & (1 << len(into)) - 1, s, now)
                if AREA in now.types:
                    assert any_area(s, u, now.gun) == bool(listed) or s.melee or s.place[u] == Place.CREST
    assert asked > hit > 0


def test_a_fan_is_all_hexes_in_the_arc() -> None:
    rng = Random(6)
    for scenario in ("s01_capuzzo_outpost", "s08_totensonntag", "s04_cauldron_sunset"):
        field = scenario_battlefield(scenario)
        for h in rng.sample(field.grid.hexes, 8):
            for v in range(6):
                assert arc(field, h, v) == sum(1 << x for x in field.grid.hexes if in_arc(field, h, v, x))


def test_a_shadow_holds_all_hexes_behind_another() -> None:
    rng = Random(7)
    for scenario in ("s01_capuzzo_outpost", "s04_cauldron_sunset"):
        lines = Sightlines(scenario_battlefield(scenario))
        field = lines.field
        for h in rng.sample(field.grid.hexes, 2):
            for other in rng.sample(field.grid.hexes, 150):
                for step in lines.way(Spot(h), Spot(other)).steps if other != h else ():
                    between = h + step[0]
                    if step[1] <= ALONG and lines.on_map(between):
                        assert shadow(field, h, between) >> other & 1


def test_hexes_have_the_numbers_of_actions_word_by_word() -> None:
    place, rng = stage("s05_hafid_ridge"), Random(9)
    for _ in range(20):
        hexes = sum(1 << h for h in rng.sample(place.grid.hexes, rng.randrange(1, 300)))
        assert place.numbers(hexes) == sum(1 << place.out[h] for h in hexes_of(hexes) if h in place.out)
