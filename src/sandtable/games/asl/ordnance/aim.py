"""C3 A shot on the table: what a weapon is and where it can fire, and all facts of the shot in hand.

`shot_of` makes the `Shot` that the To Hit table is read with; the list of targets, the panel and the dice use it alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import asked_once, remembered

from ..boards.locations import Place, Spot, crest_front, elevation
from ..boards.terrain import LEVEL
from ..fire.air import AIR_WORDS, dlv
from ..fire.bursts import Burden, burdens
from ..fire.crews import armor_bonus, inert, soft_targets
from ..fire.firepower import bonus, bound
from ..fire.morale import inexperienced
from ..fire.mounts import RANGES, mounted_firers
from ..fire.protection import candidates, ground_tem, in_the_open, wall_counts
from ..fire.sights import line, seen_by_all, stances, veils
from ..los import arcs
from ..los.answer import Los
from ..los.cover import covers, front_of
from ..los.veils import Stances
from ..table.counters import Roster
from ..table.hardware import AAMG, BMG, MA, SA, Shell, shells
from ..table.ids import ADVANCING, BOUNDING
from ..table.state import Shoot, State, all_vehicles, gun_of, on_map, passengers, places, taken_guns, weapons_of
from ..table.works import spot
from .acquisition import acquired, bore_sighted, is_moving, mp_seen, sighted, taken, unskilled, user_of
from .shells import Burst, splinters
from .to_hit import AREA, INFANTRY, VEHICLE, Shot, Term, fits, types_of
from .weapons import CANISTER, HE, IR, Tube, tube

IFE = 3
"""C2.29 Rapid fire on the IFT, as a machine gun: no target type of the To Hit table."""

RAPID_RANGE = 16


class Aiming(NamedTuple):
    """Whose weapons fire now, and by which rule."""

    fire: int
    side: int
    movers: int = 0
    """First Fire: those who move, at whom alone it may be fired."""
    by: int = -1
    """D3.3 Bounding First Fire: the vehicle that alone may fire, -1 for anybody."""


@remembered()
def aiming_at(fire: int, side: int, movers: int = 0, by: int = -1) -> Aiming:
    """The same by its parts: every row of a list asks for it."""
    return Aiming(fire, side, movers, by)


# The weapon


def piece(shoot: Shoot) -> int:
    """The Gun, vehicle or Support Weapon of a shot."""
    return shoot.gun.bit_length() - 1


def tube_of(s: State, u: int, weapon: int = MA) -> Tube | None:
    """The weapon of a piece as it is now; None if it has none that rolls To Hit."""
    return _tube(s.stage.roster, s.type[u], weapon, bool(s.limbered >> u & 1))


@remembered()
def _tube(roster: Roster, kind: int, weapon: int, limbered: bool) -> Tube | None:
    return tube(roster.types[kind], weapon, limbered)


def of_shot(s: State, shoot: Shoot) -> Tube:
    found = tube_of(s, piece(shoot), shoot.weapon)
    assert found is not None
    return found


def by_hand(s: State, gun: Tube) -> bool:
    """C3.2 whether a weapon has no CA; until version 5 the MG and ATR of vehicles were fired as those of men are."""
    return gun.in_hand if s.edition > 4 else gun.carried


def facing(s: State, u: int, gun: Tube) -> int:
    """C3.2, D1.3 the vertex that a weapon faces; -1 if it has no CA."""
    if by_hand(s, gun) or gun.mount == "none":
        return -1
    if s.stage.roster.guns >> u & 1 or gun.mount == "NT":
        return (s.vca[u] + (3 if gun.rear_arc and s.edition > 5 else 0)) % 6  # D1.3 one that fires to the rear
    return s.tca[u]


def jammed(s: State, u: int, weapon: int) -> bool:
    """A9.7, D3.7 whether it has malfunctioned or is disabled."""
    if s.stage.roster.vehicles >> u & 1:
        return bool((s.jam[u] | s.off[u]) & weapon)
    return bool(s.jammed >> u & 1)


def spent(s: State, u: int, weapon: int) -> bool:
    """A7.11 whether it has fired and lost its ROF in this Player Turn."""
    if s.stage.roster.vehicles >> u & 1:
        return bool(s.used[u] & weapon)
    return bool(s.fired >> u & 1)


def may_work(s: State, aiming: Aiming, u: int, weapon: int, gun: Tube) -> bool:
    """C5.6 whether a weapon that has fired may fire once more: not mortars, not Support Weapons, once a Player Turn,
    and not in the AFPh after Prep Fire (A7.11), nor after Bounding First Fire (D3.3)."""
    if gun.mortar or gun.carried or s.worked[u] & weapon:
        return False
    if s.edition > 5 and gun.id in s.stage.pack.tables["counter_notes"]["no_intensive_fire"]:
        return False
    return aiming.fire != ADVANCING and (aiming.fire != BOUNDING or s.edition < 3)


def special_shells(s: State, id: str) -> tuple[Shell, ...]:
    """What a scenario gives a counter instead of its own (ssr effect "ammo")."""
    for one in s.stage.script.get("ssr", ()):
        effect = one.get("effect", {})
        if effect.get("kind") == "ammo" and id in effect["units"]:
            return shells(str(effect["units"][id]))
    return ()


def supply_of(s: State, u: int, weapon: int = MA) -> Mapping[int, int]:
    """C8.3, C8.9 shell -> depletion number of what is left."""
    out = (s.empty_second if weapon == SA else s.empty)[u]
    told, key = s.stage.told, ("supply", s.type[u], weapon, s.limbered >> u & 1, out)
    found: Mapping[int, int] | None = told.get(key)
    if found is None:
        gun = tube_of(s, u, weapon)
        whole = {} if gun is None else gun.shells(s.stage.month, special_shells(s, gun.id))
        found = told[key] = {shell: number for shell, number in whole.items() if not out >> shell & 1}
    return found


def loads(s: State, u: int, weapon: int, target: int, span: int) -> list[int]:
    """The shells that fit a target type; canister reaches a few hexes only (C8.3)."""
    gun = tube_of(s, u, weapon)
    if target == IFE or gun is None:
        return [HE]
    left = supply_of(s, u, weapon)
    found = [one for one in left if one not in (CANISTER, IR) and fits(gun, one, target)]
    if target == INFANTRY and CANISTER in left:
        reach = int(s.stage.pack.tables["ammo_codes"]["canister"]["normal_range"])
        found += [CANISTER] if span <= reach else []
    return found


# What can be seen and reached


def span_to(s: State, u: int, h: Hex) -> int:
    return s.stage.grid.distance(s.at[u], h)


def area_reach(s: State, u: int, gun: Tube) -> Mask:
    """C9.1, C9.3 the hexes within the range of a weapon; A9.6, D3.5 of a MG of a vehicle its Normal Range."""
    kind = s.kind(u).vehicle
    mounted = kind is not None and gun.kind == "MG" and s.edition > 4
    far = s.stage.grid.within(s.at[u], RANGES[kind.main_mg] if kind is not None and mounted else min(gun.most, 99))
    return far & ~(s.stage.grid.within(s.at[u], gun.least - 1) if gun.least else 0)


def reached(s: State, u: int, gun: Tube, target: int) -> Mask:
    """C9.1, C9.3, C13 the hexes within the range of a weapon."""
    return area_reach(s, u, gun) if target != IFE else s.stage.grid.within(s.at[u], 2 * RAPID_RANGE)


def bearing(s: State, u: int, gun: Tube) -> Mask:
    """C3.2, D1.3, F5.41b, F5.42g, F5.43g the hexes that it may be turned on."""
    way, everywhere = facing(s, u, gun), s.stage.grid.all
    kind = s.kind(u).vehicle
    if kind is not None and gun.kind == "MG" and kind.main_mg == BMG and s.edition > 4:
        return arcs.arc(s.stage.field, s.at[u], s.vca[u])  # D3.5
    if way < 0:
        return open_front(s, u) if by_hand(s, gun) else everywhere
    field, at, roster = s.stage.field, s.at[u], s.stage.roster
    found = everywhere & ~arcs.arc(field, at, s.vca[u]) if gun.rear_arc else everywhere  # D1.3
    crest = gun.mount == "NT" and s.place[u] == Place.CREST
    if gun.mount == "NT" and (s.turned >> u & 1 or (crest and roster.vehicles >> u & 1) or held(s, u)):
        found &= arcs.arc(field, at, way)
    if not crest or not roster.guns >> u & 1:
        return found
    front, left, open_ = set(crest_front(field, at, s.cafp[u])), found, 0  # F5.43g
    for step in arcs.TURNS:
        new = (way + step) % 6
        covered = left & arcs.arc(field, at, new)
        left &= ~covered
        open_ |= covered if {new, (new + 1) % 6} & front else 0
    return open_


def held(s: State, u: int) -> bool:
    """C7.6, D2.1, AMB-170 a vehicle that cannot turn, or turns for MP now, is not turned with a gun bound to it."""
    if s.edition < 6 or not s.stage.roster.vehicles >> u & 1:
        return False
    return bool((s.immobile | s.bogged) >> u & 1) or (s.move is not None and s.move.vehicle == u)


def bears(s: State, u: int, gun: Tube, h: Hex) -> bool:
    """Whether it may be turned on a hex."""
    return bool(bearing(s, u, gun) >> h & 1)


def open_front(s: State, u: int) -> Mask:
    """F5.41b the hexes at which a Support Weapon may be fired from a Crest: as `bound_to_front` says of one."""
    if not bound(s, u):
        return s.stage.grid.all
    user = user_of(s, u)
    return front_of(s.stage.sights.lines, spot(s, user), s.cafp[user])


def on_rim(s: State, u: int, gun: Tube) -> bool:
    """F5.426b, F5.426d a gun at the Crest, which does not fire everywhere: not a mortar, nor an AAMG."""
    kind = s.kind(u).vehicle
    free = gun.mortar or by_hand(s, gun) or (kind is not None and gun.kind == "MG" and kind.main_mg == AAMG)
    return s.place[u] == Place.CREST and not free


def plunges(s: State, u: int, gun: Tube, target: Spot) -> bool:
    """F5.426b, F5.426d from Crest a gun does not fire a level down: but mortars do, and into its own wadi hex, and
    along the wadi."""
    if not on_rim(s, u, gun) or target.hex == s.at[u]:
        return False
    field = s.stage.field
    if elevation(field, target) > field.level[s.at[u]] - LEVEL:
        return False
    bottom = Spot(s.at[u], Place.IN)
    return not (target.place == Place.IN and s.stage.sights.sees(bottom, target))


def seen_hexes(s: State, who: int) -> Mask:
    """The hexes whose ground a unit sees, with everything that lies on the map in between."""
    return veils(s).seen(spot(s, who))


# Whom


def all_foes(s: State, side: int) -> int:
    """Infantry, Guns and dummies of the other side, wherever they are; those aboard and prisoners are left out."""
    roster = s.stage.roster
    found = roster.men & ~s.captive | roster.dummies | roster.guns
    return found & roster.of_side[1 - side] & ~s.mounted


@asked_once
def foes_about(s: State, side: int) -> int:
    """Those of them that anybody knows of (A12.3)."""
    return all_foes(s, side) & on_map(s) & ~(s.hip | taken_guns(s))


@asked_once
def foe_stances(s: State, side: int) -> Stances:
    """How they are in their hexes, as far as sight goes."""
    return stances(s, foes_about(s, side))


@asked_once
def foe_places(s: State, side: int) -> Mask:
    """The hexes of those who are not in Melee."""
    foes = foes_about(s, side) & ~s.melee
    return places(s, foes)


@asked_once
def motors_about(s: State, side: int) -> int:
    """The vehicles of the other side in plain view."""
    return all_vehicles(s, 1 - side) & ~s.concealed


@asked_once
def motor_stances(s: State, side: int) -> Stances:
    return stances(s, motors_about(s, side))


def foes_in(s: State, h: Hex, side: int) -> int:
    """Those of them in a hex, whom a shot at it can hit."""
    return s.here.get(h, 0) & all_foes(s, side)


def all_in(s: State, h: Hex) -> int:
    """C3.32 all unarmored units and Guns of a hex, of both sides."""
    return foes_in(s, h, 0) | foes_in(s, h, 1)


def vehicles_hit(s: State, shoot: Shoot) -> int:
    """C3.32 the vehicles that an Area hit attacks; in First Fire those that move."""
    if shoot.type != AREA:
        return 0
    found = s.here.get(shoot.hex, 0) & s.stage.roster.vehicles & ~s.wreck
    return found & shoot.movers if shoot.movers else found


def victims(s: State, shoot: Shoot) -> int:
    """C3.32, A8.1 whom a hit on the Infantry or Area type attacks; First Fire only those who move; but on the Area type
    only those whom the firer sees."""
    found = foes_in(s, shoot.hex, shoot.side) if shoot.type != AREA else all_in(s, shoot.hex)
    found = found & shoot.movers if shoot.movers else found
    if shoot.type == IFE and s.edition > 5:
        there = s.here.get(shoot.hex, 0) & all_vehicles(s, 1 - shoot.side) & ~s.concealed  # AMB-174
        found |= soft_targets(s, there & shoot.movers if shoot.movers else there)
    if shoot.type == AREA or s.edition < 7:
        return found
    return seen_by_all(s, 1 << user_of(s, piece(shoot)), found)  # A6.11, AMB-181


def marks(s: State, shoot: Shoot) -> int:
    """Those whom a shot is judged by, one by one: Guns with a crew through their crew."""
    found = victims(s, shoot)
    return found & ~sum(1 << g for g in units_of(found & s.stage.roster.guns) if s.holder[g] >= 0)


# The facts of a shot


def shot_of(s: State, shoot: Shoot, u: int = -1) -> Shot:
    """All facts of the shot in hand against one target (or against the bare hex)."""
    who = piece(shoot)
    gun = of_shot(s, shoot)
    user = user_of(s, who)
    field, roster = s.stage.field, s.stage.roster
    vehicle = bool(roster.vehicles >> who & 1)
    kind = s.kind(who).vehicle
    way = facing(s, who, gun)
    eye = units_of(shoot.spotter)[0] if shoot.spotter and s.edition > 2 else user  # C9.3, F11.761b
    sight = line(s, eye, shoot.hex, 1 << u if u >= 0 else 0)
    tem = () if u < 0 else tem_of(s, shoot, u)
    moving = bool(u >= 0 and shoot.movers >> u & 1 and s.move is not None)
    return Shot(
        gun=gun,
        target=min(shoot.type, AREA),
        range=span_to(s, who, shoot.hex),
        shell=shoot.shell,
        turn=arcs.turns(field, s.at[who], way, shoot.hex) if way >= 0 else 0,
        cramped=cramped(s, who),
        advancing=shoot.fire == ADVANCING and not s.waits >> user & 1,
        bounding=shoot.fire == BOUNDING,
        seen_mp=sighted(s, who, shoot, u),
        motion=vehicle and bool(s.motion >> who & 1) and (shoot.fire != BOUNDING or s.edition > 2),
        eased=s.edition < 3,
        pinned=bool(s.pinned >> user & 1),
        intensive=bool(shoot.intensive),
        deliberate=bool(shoot.deliberate),
        captured=taken(s, who, user) if s.edition > 3 else unskilled(s, who, user),
        unskilled=s.edition > 3 and unskilled(s, who, user),
        green=s.edition > 3 and not vehicle and inexperienced(s, user),
        buttoned=kind is not None and kind.top == "CT" and not s.exposed >> who & 1,
        cx=bool(s.cx >> user & 1),
        burdens=hampered(s, 1 << user, shoot.side),
        shaken=vehicle and s.edition > 1 and bool(s.shaken >> who & 1),
        leadership=armor_bonus(s, who) if vehicle else sum(bonus(s, one) for one in units_of(shoot.leader)),
        spotted=bool(shoot.spotter),
        moving=u >= 0 and is_moving(s, u),
        mp_in_los=mp_seen(s, user, u) if u >= 0 else 99,
        ffnam=moving and s.move is not None and not s.move.assault,
        hazardous=moving and s.move is not None and bool(s.move.hazardous),
        ffmo=moving and moves_openly(s, u, tem, sight),
        concealed=bool(u >= 0 and s.concealed >> u & 1),
        bore_sighted=bore_sighted(s, who, shoot.hex),
        acquired=acquired(s, who, shoot.weapon, u if shoot.type == VEHICLE else -1, shoot.hex),
        size=size_of(s, u),
        tem=tem,
        hindrances=hindrances_of(s, eye, shoot, sight),
    )


def cramped(s: State, u: int) -> bool:
    """C3.2 Case A is doubled in woods and buildings."""
    return s.stage.field.terrain[s.at[u]] in ("woods", "building_stone")


def hampered(s: State, users: int, side: int) -> tuple[Burden, ...]:
    """A7.7, B26.4, A5.12 what hampers those who fire, besides CX, which has its own case."""
    return tuple(one for one in burdens(s, users, side) if one.case != "CX") if s.edition > 4 else ()


def size_of(s: State, u: int) -> int:
    """Case P: of a vehicle; of a Gun for those who man it."""
    if u < 0:
        return 0
    kind = s.kind(u)
    if kind.vehicle is not None:
        return kind.vehicle.size
    g = gun_of(s, u)
    made = s.kind(g).gun if g >= 0 else None
    return made.size if made is not None else 0


def moves_openly(s: State, u: int, tem: tuple[Term, ...], sight: Los) -> bool:
    """A4.6b FFMO: nothing protects the mover, and no normal Hindrance lies between."""
    covered = any(one.value > 0 for one in tem)
    return in_the_open(s, u) and not covered and not sight.hindrances


def hindrances_of(s: State, user: int, shoot: Shoot, sight: Los, aboard: bool = False) -> tuple[Term, ...]:
    """Case R: Hindrances, and what is in the air (F11.6)."""
    name = s.stage.field.name
    found = [Term(one.drm, one.rule, one.said(name(one.hex))) for one in sight.hindrances]
    mixed = shoot.type == AREA and bool(s.here.get(shoot.hex, 0) & s.stage.roster.vehicles & ~s.wreck)  # F11.623a
    vehicle = shoot.type == VEHICLE or mixed or aboard
    for one in dlv(s, spot(s, user), Spot(shoot.hex), vehicle, shoot.dusty, shoot.side):
        found.append(Term(one.drm, one.rule, AIR_WORDS[one.kind]))
    return tuple(found)


# What protects


def burst_of(s: State, shoot: Shoot, critical: bool = False, direct_hit: bool = False) -> Burst:
    """The hit of the shot in hand on the IFT."""
    conditions = s.stage.script["conditions"]
    return Burst(
        of_shot(s, shoot),
        shoot.shell,
        shoot.type,
        critical,
        s.stage.field.terrain[shoot.hex],
        str(conditions["ec"]),
        direct_hit,
    )


def indirect(gun: Tube) -> bool:
    """C9.3 the shells of a mortar fall from above."""
    return gun.mortar


def tem_of(s: State, shoot: Shoot, u: int) -> tuple[Term, ...]:
    """B.5 Case Q: the best positive TEM of the target, and the stones of a hammada besides (F3.4a).

    A vehicle that is HD claims nothing else (D4.2).
    """
    gun, roster = of_shot(s, shoot), s.stage.roster
    if roster.vehicles >> u & 1 and s.edition > 2:
        return vehicle_tem(s, shoot, u)
    if roster.vehicles >> u & 1:
        ground = ground_tem(s, u)
        if hull_down(s, shoot, u) is not None or ground is None:
            return ()
        return (Term(ground.value, ground.rule, ground.text),)
    found = protections(s, spot(s, user_of(s, piece(shoot))), u, indirect(gun))
    best = max(found, key=lambda one: one.value, default=None)
    stones = splinters(s.stage.field.terrain[s.at[u]], burst_of(s, shoot))
    return tuple(one for one in (best, stones) if one is not None)


def vehicle_tem(s: State, shoot: Shoot, u: int) -> tuple[Term, ...]:
    """B.5 the best of ground, hedge and height for a vehicle that is not HD; F3.4a stones, if it has no armour."""
    firer, above, kind = spot(s, user_of(s, piece(shoot))), indirect(of_shot(s, shoot)), s.kind(u).vehicle
    found: list[Term] = []
    ground = ground_tem(s, u, above)
    if ground is not None:
        found.append(Term(ground.value, ground.rule, ground.text))
    for one in covers(s.stage.sights.lines, firer, spot(s, u), s.edition < 6):
        value = one.indirect if above else one.tem
        if value > 0 and wall_counts(s, one, firer, u):
            found.append(Term(value, one.rule, Text("{terrain}", terrain=one.kind.replace("_", " "))))
    best = max(found, key=lambda one: one.value, default=None) if hull_down(s, shoot, u) is None else None
    armoured = kind is None or kind.armoured
    stones = None if armoured else splinters(s.stage.field.terrain[s.at[u]], burst_of(s, shoot))
    return tuple(one for one in (best, stones) if one is not None)


def protections(s: State, firer: Spot, u: int, from_above: bool) -> list[Term]:
    """Every positive TEM that a target could claim."""
    return [Term(one.value, one.rule, one.text) for one in candidates(s, [firer], u, from_above)]


def hull_down(s: State, shoot: Shoot, u: int) -> Term | None:
    """D4.2, F4.5a, F5.423a, F6.5a, F7.513a whether a vehicle is HD to this shot; never to Indirect Fire."""
    if indirect(of_shot(s, shoot)):
        return None
    firer = spot(s, user_of(s, piece(shoot)))
    target = spot(s, u)
    if s.place[u] == Place.CREST:
        into = s.stage.sights.sees(firer, Spot(s.at[u], Place.IN)) and (s.edition > 2 or firer.hex != s.at[u])
        return None if into else Term(0, "F5.423a", "Hull Down at the Crest")
    for one in covers(s.stage.sights.lines, firer, target, s.edition < 6):
        if one.hull_down and (s.edition < 3 or wall_counts(s, one, firer, u)):
            return Term(0, one.rule, Text("Hull Down: {terrain}", terrain=one.kind.replace("_", " ")))
    return None


# Who may fire


def armed(s: State, now: Aiming, weapon: int = MA) -> int:
    """The pieces of a side on the map that have a weapon which rolls To Hit."""
    return _armed(s, now.side, weapon) if now.by < 0 else _armed(s, now.side, weapon, now.by)


@asked_once
def _armed(s: State, side: int, weapon: int, by: int = -1) -> int:
    roster = s.stage.roster
    pool = roster.guns | roster.vehicles | roster.weapons if weapon == MA else roster.mounts[SA]
    pool &= roster.of_side[side] & (on_map(s) if by < 0 else 1 << by) & ~(s.wreck | s.mounted)
    return pool & (_tubes(roster, weapon, False) & ~s.limbered | _tubes(roster, weapon, True) & s.limbered)


@remembered()
def _tubes(roster: Roster, weapon: int, limbered: bool) -> int:
    """The pieces with such a weapon: Guns, vehicles and Support Weapons stay what they are."""
    return sum(1 << u for u, kind in enumerate(roster.first) if _tube(roster, kind, weapon, limbered) is not None)


def crews(s: State, now: Aiming, weapon: int) -> list[tuple[int, int]]:
    """The same with those who man them: (1 << weapon, 1 << user), the user 0 if there is none."""
    return _crews(s, armed(s, now, weapon))


def users(s: State, now: Aiming, weapon: int) -> int:
    """All who man one of them."""
    return _users(s, armed(s, now, weapon))


@asked_once
def _users(s: State, able: int) -> int:
    found = 0
    for _, user in _crews(s, able):
        found |= user
    return found


@asked_once
def _crews(s: State, able: int) -> list[tuple[int, int]]:
    found = []
    for u in units_of(able):
        user = user_of(s, u)
        found.append((1 << u, 1 << user if user >= 0 else 0))
    return found


def manned(s: State, now: Aiming, weapon: int) -> int:
    """C2.1 those that somebody of the side mans; a vehicle has its crew unless it is abandoned."""
    able = s.stage.roster.of_side[now.side] & ~(s.captive | s.mounted) | from_aboard(s, now.side)
    return sum([bit for bit, user in crews(s, now, weapon) if user & able])


@asked_once
def from_aboard(s: State, side: int) -> int:
    """D6.22 Passengers who may fire a Support Weapon that rolls To Hit: their vehicle is not in Motion, and nobody else
    aboard has fired."""
    if s.edition < 2 or not s.mounted & s.stage.roster.men:
        return 0
    busy, found = s.fired | s.spent_fire | s.served, 0
    for u in units_of(mounted_firers(s, side)):
        others = [one for one in passengers(s, s.aboard[u]) if one != u]
        held = sum(weapons_of(s, one) for one in others) | sum(1 << one for one in others)
        if not s.motion >> s.aboard[u] & 1 and not busy & held:
            found |= 1 << u
    return found


def helpless(s: State) -> int:
    """Vehicles that can do nothing, and those that are recalled (D5.341)."""
    return inert(s) | s.recalled


def target_types(s: State, u: int, weapon: int, gun: Tube) -> list[int]:
    """C3.3, C2.29 the ways in which a weapon can fire with the shells that are left."""
    out = (s.empty_second if weapon == SA else s.empty)[u]
    told, key = s.stage.told, ("types", s.type[u], weapon, s.limbered >> u & 1, out, s.edition)
    found: list[int] | None = told.get(key)
    if found is None:
        left = supply_of(s, u, weapon)
        found = told[key] = [
            one
            for one in types_of(gun)
            if any(fits(gun, shell, one) for shell in left) or (one == INFANTRY and CANISTER in left)
        ]
        if gun.ife and (s.kind(u).gun is not None or (s.edition > 1 and weapon == MA)):  # D1.8
            found.append(IFE)
    return found
