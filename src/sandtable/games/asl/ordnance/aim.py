"""C3 A shot on the table: what a weapon is and where it can fire, and all facts of the shot in hand.

`shot_of` makes the `Shot` that the To Hit table is read with; the list of targets, the panel and the dice use it alike.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import hexes_in, units_of

from ..boards.crests import crest_front
from ..boards.locations import Place, Spot, elevation
from ..boards.terrain import LEVEL
from ..fire.air import AIR_WORDS, dlv
from ..fire.crews import armor_bonus, inert
from ..fire.firepower import bonus, bound_to_front
from ..fire.protection import candidates, ground_tem, in_the_open
from ..fire.sights import clear, line, sees, veils
from ..los import arcs
from ..los.answer import Los
from ..los.cover import covers
from ..table.counters import captured_use
from ..table.hardware import MA, SA, Shell, shells
from ..table.ids import ADVANCING, BOUNDING, CREW, HALF_SQUAD
from ..table.state import Shoot, State, gun_of, men
from ..table.works import spot
from .acquisition import acquired, bore_sighted, user_of
from .ammunition import CANISTER, HE, IR
from .shells import Burst, splinters
from .to_hit import AREA, INFANTRY, VEHICLE, Shot, Term, fits, types_of
from .weapons import Tube, tube

IFE = 3
"""C2.29 Rapid fire on the IFT, as a machine gun: no target type of the To Hit table."""

RAPID_RANGE = 16


class Aiming(NamedTuple):
    """Whose weapons fire now, and by which rule."""

    fire: int
    side: int
    movers: int = 0
    """First Fire: those who move, at whom alone it may be fired."""


# The weapon


def piece(shoot: Shoot) -> int:
    """The Gun, vehicle or Support Weapon of a shot."""
    return shoot.gun.bit_length() - 1


def tube_of(s: State, u: int, weapon: int = MA) -> Tube | None:
    """The weapon of a piece as it is now; None if it has none that rolls To Hit."""
    return tube(s.kind(u), weapon, bool(s.limbered >> u & 1))


def of_shot(s: State, shoot: Shoot) -> Tube:
    found = tube_of(s, piece(shoot), shoot.weapon)
    assert found is not None
    return found


def facing(s: State, u: int, gun: Tube) -> int:
    """C3.2, D1.3 the vertex that a weapon faces; -1 if it has no CA."""
    if gun.carried or gun.mount == "none":
        return -1
    if s.stage.roster.guns >> u & 1 or gun.mount == "NT":
        return s.vca[u]
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
    and not in the AFPh after Prep Fire (A7.11)."""
    if gun.mortar or gun.carried or s.worked[u] & weapon:
        return False
    return aiming.fire != ADVANCING


def special_shells(s: State, id: str) -> tuple[Shell, ...]:
    """What a scenario gives a counter instead of its own (ssr effect "ammo")."""
    for one in s.stage.script.get("ssr", ()):
        effect = one.get("effect", {})
        if effect.get("kind") == "ammo" and id in effect["units"]:
            return shells(str(effect["units"][id]))
    return ()


def supply_of(s: State, u: int, weapon: int = MA) -> dict[int, int]:
    """C8.3, C8.9 shell -> depletion number of what is left."""
    gun = tube_of(s, u, weapon)
    if gun is None:
        return {}
    out = (s.empty_second if weapon == SA else s.empty)[u]
    found = gun.shells(s.stage.month, special_shells(s, gun.id))
    return {shell: number for shell, number in found.items() if not out >> shell & 1}


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


def reaches(s: State, u: int, gun: Tube, target: int, h: Hex) -> bool:
    """C9.1, C9.3, C13 whether a hex is within the range of a weapon."""
    span = span_to(s, u, h)
    if target == IFE:
        return span <= 2 * RAPID_RANGE
    return gun.least <= span <= gun.most


def bears(s: State, u: int, gun: Tube, h: Hex) -> bool:
    """C3.2, D1.3, F5.41b, F5.42g, F5.43g whether it may be turned on a hex."""
    way = facing(s, u, gun)
    if way < 0:
        return not (gun.carried and bound_to_front(s, u, h))
    field, at = s.stage.field, s.at[u]
    if gun.rear_arc and not arcs.behind(field, at, s.vca[u], h):
        return False
    fixed = gun.mount == "NT" and (
        bool(s.turned >> u & 1) or (s.place[u] == Place.CREST and bool(s.stage.roster.vehicles >> u & 1))
    )
    if fixed and not arcs.in_arc(field, at, way, h):
        return False
    if gun.mount != "NT" or s.place[u] != Place.CREST or not s.stage.roster.guns >> u & 1:
        return True
    new = arcs.toward(field, at, way, h)  # F5.43g
    return bool({new, (new + 1) % 6} & set(crest_front(field, at, s.cafp[u])))


def plunges(s: State, u: int, gun: Tube, target: Spot) -> bool:
    """F5.426b, F5.426d from Crest a gun does not fire a level down: but mortars do, and into its own wadi hex, and
    along the wadi."""
    if s.place[u] != Place.CREST or gun.mortar or gun.carried or target.hex == s.at[u]:
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


def foes_in(s: State, h: Hex, side: int) -> int:
    """Infantry, Guns and dummies of the other side in a hex, whom a shot at it can hit; those aboard are left out."""
    roster = s.stage.roster
    things = s.here.get(h, 0) & roster.of_side[1 - side] & (roster.dummies | roster.guns) & ~s.mounted
    return men(s, h, 1 - side) | things


def all_in(s: State, h: Hex) -> int:
    """C3.32 all unarmored units and Guns of a hex, of both sides."""
    return foes_in(s, h, 0) | foes_in(s, h, 1)


def victims(s: State, shoot: Shoot) -> int:
    """C3.32, A8.1 whom a hit on the Infantry or Area type attacks; First Fire only those who move."""
    found = foes_in(s, shoot.hex, shoot.side) if shoot.type != AREA else all_in(s, shoot.hex)
    return found & shoot.movers if shoot.movers else found


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
    sight = line(s, user, shoot.hex, 1 << u if u >= 0 else 0)
    tem = () if u < 0 else tem_of(s, shoot, u)
    moving = bool(u >= 0 and shoot.movers >> u & 1 and s.move is not None)
    return Shot(
        gun=gun,
        target=min(shoot.type, AREA),
        range=span_to(s, who, shoot.hex),
        shell=shoot.shell,
        turn=arcs.turns(field, s.at[who], way, shoot.hex) if way >= 0 else 0,
        cramped=field.terrain[s.at[who]] in ("woods", "building_stone"),
        advancing=shoot.fire == ADVANCING and not s.waits >> user & 1,
        bounding=shoot.fire == BOUNDING,
        seen_mp=bounded(s, who, shoot.hex) if shoot.fire == BOUNDING else 99,
        motion=vehicle and bool(s.motion >> who & 1) and shoot.fire != BOUNDING,
        pinned=bool(s.pinned >> user & 1),
        intensive=bool(shoot.intensive),
        deliberate=bool(shoot.deliberate),
        captured=unskilled(s, who, user),
        buttoned=kind is not None and kind.top == "CT" and not s.exposed >> who & 1,
        cx=bool(s.cx >> user & 1),
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
        hindrances=hindrances_of(s, user, shoot, sight),
    )


def unskilled(s: State, u: int, user: int) -> bool:
    """C2.1, A21.1 Case H: no crew or HS of its nation at a Gun, or a captured weapon."""
    roster = s.stage.roster
    if roster.vehicles >> u & 1:
        return False
    if captured_use(s.kind(u), s.kind(user).nation, s.stage.month):
        return True
    return bool(roster.guns >> u & 1) and s.kind(user).kind not in (CREW, HALF_SQUAD)


def is_moving(s: State, u: int) -> bool:
    """C.8 a vehicle that has entered a hex, or was in Motion, in this Player Turn."""
    if not s.stage.roster.vehicles >> u & 1:
        return False
    return bool(s.motion >> u & 1) or len({h for h, _ in s.track.get(u, ())}) > 1


def mp_seen(s: State, user: int, u: int) -> float:
    """C.8 the MP that a vehicle has spent in the firer's LOS in this MPh; 99 if it has spent none at all."""
    way = s.track.get(u, ())
    if not way:
        return 99
    mine = spot(s, user)
    return sum(halves for h, halves in way if s.stage.sights.sees(mine, Spot(h))) / 2


def bounded(s: State, u: int, h: Hex) -> float:
    """C5.2 Cases C1 and C2: the MP that a bounding vehicle has spent in this MPh where it had its target's hex in
    sight."""
    there = Spot(h)
    return sum(halves for at, halves in s.track.get(u, ()) if s.stage.sights.sees(Spot(at), there)) / 2


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


def hindrances_of(s: State, user: int, shoot: Shoot, sight: Los) -> tuple[Term, ...]:
    """Case R: Hindrances, and what is in the air (F11.6)."""
    name = s.stage.field.name
    found = [
        Term(one.drm, one.rule, Text("{what} in {where}", what=one.kind.replace("_", " "), where=name(one.hex)))
        for one in sight.hindrances
    ]
    mixed = shoot.type == AREA and bool(s.here.get(shoot.hex, 0) & s.stage.roster.vehicles & ~s.wreck)  # F11.623a
    vehicle = shoot.type == VEHICLE or mixed
    for one in dlv(s, spot(s, user), Spot(shoot.hex), vehicle, shoot.dusty):
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
    if roster.vehicles >> u & 1:
        ground = ground_tem(s, u)
        if hull_down(s, shoot, u) is not None or ground is None:
            return ()
        return (Term(ground.value, ground.rule, ground.text),)
    found = protections(s, spot(s, user_of(s, piece(shoot))), u, indirect(gun))
    best = max(found, key=lambda one: one.value, default=None)
    stones = splinters(s.stage.field.terrain[s.at[u]], burst_of(s, shoot))
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
        into = s.stage.sights.sees(firer, Spot(s.at[u], Place.IN)) and firer.hex != s.at[u]
        return None if into else Term(0, "F5.423a", "Hull Down at the Crest")
    for one in covers(s.stage.sights.lines, firer, target):
        if one.hull_down:
            return Term(0, one.rule, Text("Hull Down: {terrain}", terrain=one.kind.replace("_", " ")))
    return None


# Who may fire


def armed(s: State, now: Aiming, weapon: int = MA) -> int:
    """The pieces of a side on the map that have a weapon which rolls To Hit."""
    roster = s.stage.roster
    pool = roster.of_side[now.side] & (
        roster.guns | roster.vehicles | roster.weapons if weapon == MA else roster.vehicles
    )
    return sum(
        1 << u
        for u in units_of(pool & ~s.wreck)
        if s.at[u] >= 0 and tube_of(s, u, weapon) is not None and not (s.mounted >> u & 1)
    )


def served(s: State, u: int, side: int) -> bool:
    """C2.1 whether somebody of the side mans it; a vehicle has its crew unless it is abandoned."""
    user = user_of(s, u)
    if user < 0 or s.stage.roster.side[user] != side:
        return False
    return not (s.captive | s.mounted) >> user & 1


def helpless(s: State) -> int:
    """Vehicles that can do nothing, and those that are recalled (D5.341)."""
    return inert(s) | s.recalled


def target_types(s: State, u: int, weapon: int, gun: Tube) -> list[int]:
    """C3.3, C2.29 the ways in which a weapon can fire with the shells that are left."""
    left = supply_of(s, u, weapon)
    found = [
        one
        for one in types_of(gun)
        if any(fits(gun, shell, one) for shell in left) or (one == INFANTRY and CANISTER in left)
    ]
    if gun.ife and s.stage.roster.guns >> u & 1:
        found.append(IFE)
    return found


def area_hexes(s: State, u: int, gun: Tube, eye: int) -> Mask:
    """C3.3, C9.3 the hexes that can be fired at as an area: all that it, or its spotter, sees within its range."""
    return seen_hexes(s, eye) & area_reach(s, u, gun)


def any_area(s: State, u: int, gun: Tube) -> bool:
    """Whether there is any hex to fire at as an area: one of those around it, as a rule."""
    mine = spot(s, user_of(s, u))
    return any(
        bears(s, u, gun, h)
        and not s.here.get(h, 0) & s.melee
        and not plunges(s, u, gun, Spot(h))
        and clear(s, mine, Spot(h))
        for h in hexes_in(area_reach(s, u, gun) & s.stage.sights.seen_from(mine))
    )


def area_reach(s: State, u: int, gun: Tube) -> Mask:
    """C9.1, C9.3 the hexes within the range of a weapon."""
    far = s.stage.grid.within(s.at[u], min(gun.most, 99))
    return far & ~(s.stage.grid.within(s.at[u], gun.least - 1) if gun.least else 0)


def sees_unit(s: State, u: int, target: int) -> bool:
    return sees(s, user_of(s, u), s.at[target], 1 << target)
