"""A7.35, A9.5, A9.22 What machine guns do besides, who serves them and what hampers him: Spraying Fire, Snap Shots and
Fire Lanes."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.memory import asked_once

from ..boards.locations import Spot, elevation
from ..boards.terrain import LEVEL
from ..los.screens import wreck_would_hinder
from ..table.hardware import MA
from ..table.ids import ADVANCING, FINAL, FIRST, ON_WIRE, PREP, SQUAD, UNDER_SANGAR, UNDER_TRENCH
from ..table.state import Attack, State, equivalents, gun_of, men, weapons_of
from ..table.works import spot
from .ift import ift
from .protection import Drm
from .sights import clear, look, target_spots

MGS = ("LMG", "MMG", "HMG")
LIMIT = 6  # A5.1 three squad equivalents, in halves


FROM_COVER = 2
"""What a move notes as a hexside crossed from beneath a trench or sangar."""


class Burden(NamedTuple):
    """What hampers those who fire, with the case of To Hit that it is."""

    case: str
    value: int
    rule: str
    text: str


def burdens(s: State, users: int, side: int) -> list[Burden]:
    """A4.51, A7.7, B26.4, A5.12 what the state of the firers adds to their fire, of whatever kind it is."""
    chart, found = s.stage.pack.tables["ift_drm"], []
    if s.cx & users:
        found.append(Burden("CX", int(chart["firer_cx"]), "A4.51", term("a firer is CX")))
    if s.encircled & users:
        found.append(Burden("ENC", int(chart["firer_encircled"]), "A7.7", term("a firer is Encircled")))
    if any(s.under[u] == ON_WIRE for u in units_of(users)):
        found.append(Burden("WIRE", int(chart["firer_on_wire"]), "B26.4", term("a firer is on wire")))
    over = max((equivalents(s, men(s, h, side)) - LIMIT for h in {s.at[u] for u in units_of(users)}), default=0)
    if over > 0:
        each = int(chart["per_squad_equivalent_overstacked_firer"])
        found.append(Burden("CROWD", each * ((over + 1) // 2), "A5.12", term("the firers are overstacked")))
    return found


# A7.35 who serves what


def at_work(s: State, u: int, weapons: int) -> int:
    """The weapons of a unit that it has fired in this Player Turn, or fires now; its Gun among them."""
    gun = gun_of(s, u) if s.edition > 3 else -1
    return (weapons_of(s, u) | (1 << gun if gun >= 0 else 0)) & (s.handled | weapons)


@asked_once
def working(s: State, weapons: int) -> dict[int, int]:
    """Those who have weapons at work, with these."""
    holder = s.holder
    users = {holder[w] for w in units_of(s.handled | weapons)}
    return {u: at_work(s, u, weapons) for u in users if u >= 0}


def hands_taken(s: State, w: int, firers: int, weapons: int) -> bool:
    """Whether the user of a weapon that has not fired in this Player Turn has done all that he can in it: a squad fires
    itself and one weapon, or two; all others one weapon, or themselves."""
    u = s.holder[w]
    if s.edition < 3 or u < 0 or s.handled >> w & 1:
        return False
    others = (working(s, weapons).get(u, 0) & ~(1 << w)).bit_count()
    own = (s.fired | firers) >> u & 1
    return others + own > (1 if s.kind(u).kind == SQUAD else 0)


def out_of_hands(s: State, held: int, firers: int, weapons: int) -> int:
    """Those of some weapons of whose users that is so: whoever has done nothing is not asked about."""
    holder, busy = s.holder, s.fired | firers
    for u in working(s, weapons):
        busy |= 1 << u
    those = [w for w in units_of(held) if holder[w] >= 0 and busy >> holder[w] & 1]
    return sum([1 << w for w in those if hands_taken(s, w, firers, weapons)])


def hands_full(s: State, now: Any) -> int:
    """A7.35 units whose weapons fire instead of them: half-squads and crews with one, squads with two."""
    users = Counter(s.holder[w] for w in units_of(now.attack.weapons))
    return sum(1 << u for u, n in users.items() if n >= (2 if s.kind(u).kind == SQUAD else 1))


def served_instead(s: State, now: Any) -> int:
    """A7.35 half-squads, crews and single men who have fired a Gun or Support Weapon in this Player Turn, and squads
    that have fired two."""
    found = sum(1 << u for u in units_of(now.mine & s.served) if s.kind(u).kind != SQUAD)
    if s.edition > 2:
        able = now.mine & s.served & ~(s.fired | found)
        busy = working(s, now.attack.weapons) if able else {}
        found |= sum([1 << u for u, those in busy.items() if able >> u & 1 and those.bit_count() > 1])
    return found


BYTE = 8
"""The bits in which the attacks of each weapon of a vehicle are counted."""


def slot(s: State, u: int, weapon: int) -> int:
    """Where the attacks of one weapon are counted: of a vehicle each has its own count, a MG that is the MA one."""
    kind = s.kind(u).vehicle
    if kind is None or s.edition < 7 or weapon in (MA, kind.main_mg):
        return 0
    return BYTE * (weapon.bit_length() - 1)


def count_shot(s: State, u: int, weapon: int = MA) -> None:
    """A8.14 one attack more on the mover in this Location."""
    s.shots[u] = s.shots.get(u, 0) + (1 << slot(s, u, weapon))


def shots_out(s: State, u: int, weapon: int = MA) -> bool:
    """A8.14 no more attacks on the mover in a Location than the MF or MP that it spent there, but one at any rate."""
    move, made = s.move, s.shots.get(u, 0) >> slot(s, u, weapon) & ((1 << BYTE) - 1)
    if move is None:
        return False
    return made * 2 >= max(1, move.here) if s.edition < 4 else made > 0 and (made + 1) * 2 > move.here


def fired_out(s: State, now: Any, u: int) -> bool:
    """A8.14 the same for one of those who could fire in an attack."""
    return bool(now.attack.movers) and shots_out(s, u)


def fires_himself(s: State, fire: int) -> int:
    """A3.2, AMB-160 leaders who direct nobody in this fire because they have fired: a weapon in this Player Turn, or,
    by themselves or through others, in its Prep Fire Phase; A4.9 or are busy."""
    if s.edition < 6:
        return 0
    return s.served | s.ti | (s.fired & ~s.directed if fire == ADVANCING else 0)


# A7.25 Opportunity Fire


def waiting(s: State, now: Any) -> int:
    """A7.25 who is marked for Opportunity Fire fires in the AFPh, not before."""
    return s.waits if now.attack.fire == PREP and s.edition > 3 else 0


def held_by_waiting(s: State, now: Any) -> int:
    """The weapons of those."""
    found = waiting(s, now)
    return sum(weapons_of(s, u) for u in units_of(found)) if found else 0


# A9.5 Spraying Fire


def single(attack: Attack) -> int:
    """The one unit or weapon of an attack, -1 if there are more."""
    both = attack.firers | attack.weapons
    return both.bit_length() - 1 if both and not both & (both - 1) else -1


def sprayed(s: State, attack: Attack) -> list[Hex]:
    """A9.5 the hexes beside the target that the same burst may reach, within Normal Range and LOS."""
    one = single(attack)
    if one < 0 or (attack.movers and s.edition > 2):  # A8.1 First Fire is at the mover alone
        return []
    kind = s.kind(one)
    if not (kind.weapon in MGS or kind.spraying):
        return []
    user = s.holder[one] if s.holder[one] >= 0 else one
    grid, here = s.stage.grid, s.at[user]
    if grid.distance(here, attack.target) > kind.range or here == attack.target:
        return []
    near = attack.fire == FINAL and s.fired >> one & 1 and s.edition > 5  # A8.4 adjacent hexes alone
    found = []
    for h in hexes_in(grid.within(attack.target, 1) & ~(1 << attack.target)):
        foes = men(s, h, 1 - attack.side) & ~(s.hip | s.melee)
        if s.edition > 2:  # A12.11 nobody can tell a dummy
            foes |= s.here.get(h, 0) & s.stage.roster.dummies & s.stage.roster.of_side[1 - attack.side]
        if not foes or grid.distance(here, h) > (1 if near else kind.range):
            continue
        if any(clear(s, spot(s, user), there) for there in target_spots(s, foes)):
            found.append(h)
    return found


# A8.15 Snap Shots


def hexside(s: State) -> list[Spot]:
    """The two ends of the hexside that the mover has crossed."""
    move = s.move
    if move is None or not move.crossing:
        return []
    d = s.stage.grid.direction(move.came, move.hex)
    return [Spot(move.came, vertex=v) for v in ((d - 1) % 6, d)] if d >= 0 else []


def snaps(s: State, u: int) -> bool:
    """Whether a unit sees the hexside."""
    ends = hexside(s)
    return bool(ends) and all(clear(s, spot(s, u), one) for one in ends)


def snap_drms(s: State, users: list[int], those: int) -> list[Drm]:
    """A8.15 neither FFNAM nor FFMO nor the TEM of the hex; F8.6d, AMB-60 a trench protects who goes from cover to
    cover; Hindrances as they lie."""
    found = []
    leaves = s.move is not None and s.move.crossing == FROM_COVER  # F8.6a straight down out of one
    if those and (leaves or all(s.under[u] in (UNDER_TRENCH, UNDER_SANGAR) for u in units_of(those))):
        found.append(Drm(int(s.stage.pack.tables["fortifications"]["trench"]["tem"]), "F8.6d", "from cover to cover"))
    elif those and s.edition > 5:
        found += crossed_wall(s)
    lines = [look(s, spot(s, u), one) for u in users for one in hexside(s)]
    worst = max((one.hindrance for one in lines if one.clear), default=0)
    return [*found, Drm(worst, "A6.7", "Hindrances")] if worst else found


def crossed_wall(s: State) -> list[Drm]:
    """A8.15, AMB-163 the TEM of the wall or hedge that the mover has crossed."""
    move, field = s.move, s.stage.field
    d = s.stage.grid.direction(move.came, move.hex) if move is not None and move.crossing else -1
    if move is None or d < 0:
        return []
    kinds = [field.side_kinds[word] for word in ("wall", "hedge") if field.side(word, move.came, d)]
    return [Drm(one.tem_direct, "A8.15", Text("{terrain}", terrain=one.id)) for one in kinds]


# A9.22 Fire Lanes


def grain(s: State, a: Hex, b: Hex) -> int:
    """The direction of the Hex Grain from one hex through another, -1 if they are on none."""
    grid = s.stage.grid
    for d in range(6):
        h = a
        for _ in range(grid.distance(a, b)):
            h = grid.neighbour(h, d) if h >= 0 else -1
        if h == b and a != b:
            return d
    return -1


def lane_ends(s: State, attack: Attack) -> list[Hex]:
    """A9.22, AMB-51 the hexes in which the owner may lay the counter: from the target on, in Normal Range and LOS."""
    w = single(attack)
    if w < 0 or s.kind(w).weapon not in MGS or attack.fire != FIRST:
        return []
    user = s.holder[w]
    grid, here = s.stage.grid, s.at[user]
    d = grain(s, here, attack.target)
    if d < 0 or not same_level(s, w, attack):
        return []
    found, h = [], attack.target
    while h >= 0 and grid.distance(here, h) <= s.kind(w).range and clear(s, spot(s, user), Spot(h)):
        found.append(h)
        h = grid.neighbour(h, d)
    return found


def same_level(s: State, w: int, attack: Attack) -> bool:
    level = elevation(s.stage.field, spot(s, s.holder[w]))
    return any(elevation(s.stage.field, spot(s, u)) == level for u in units_of(attack.movers))


def lane_hexes(s: State, w: int) -> list[Hex]:
    """The hexes of a Fire Lane, from the first beside the MG to its counter."""
    end, here, grid = s.lanes[w], s.at[w], s.stage.grid
    d = grain(s, here, end)
    found, h = [], here
    while h >= 0 and h != end:
        h = grid.neighbour(h, d)
        found.append(h)
    return found


def serves(s: State, w: int) -> bool:
    """A9.221 a Fire Lane ends when its firer breaks or is pinned, or the MG malfunctions."""
    user = s.holder[w]
    return user >= 0 and s.at[w] >= 0 and not (s.broken | s.pinned | s.captive) >> user & 1 and not s.jammed >> w & 1


def lane_column(s: State, w: int, u: int) -> int:
    """A9.221 the column on which a Fire Lane attacks a unit; -1 if it does not."""
    h, field = s.at[u], s.stage.field
    if not serves(s, w) or h not in lane_hexes(s, w):
        return -1
    gun, man = spot(s, s.holder[w]), spot(s, u)
    if not clear(s, gun, man):
        return -1
    level, mine = elevation(field, gun), elevation(field, man)
    if mine > level or level - mine >= LEVEL // 2:  # A9.221, F6.53a
        return -1
    if spared_by_lip(s, w, u, gun):
        return -1
    fp = s.kind(w).fp * (2 if s.stage.grid.distance(gun.hex, h) == 1 else 1)
    return ift().column(fp) - 1


def hinders(s: State, u: int) -> bool:
    """D9.4 whether a vehicle is an AFV or a wreck."""
    made = s.kind(u).vehicle
    return bool(s.wreck >> u & 1) or (made is not None and made.armoured)


def spared_by_lip(s: State, w: int, u: int, gun: Spot) -> bool:
    """F4.52 whether a Fire Lane passes over a mover in a deir: F4.52a Infantry if it comes from outside the lip, F4.52b
    a vehicle and its PRC if a wreck there would not Hinder it; nobody in the hex of its counter."""
    field, h, end = s.stage.field, s.at[u], s.lanes[w]
    if not field.has("deir", h) or end == h:
        return False
    if (s.stage.roster.vehicles | s.mounted) >> u & 1:
        return not wreck_would_hinder(s.stage.sights.lines, gun, Spot(end), h)
    return field.mass[h] != field.mass[gun.hex]


def lane_drm(s: State, w: int, h: Hex) -> list[Drm]:
    """A9.221, AMB-50 each AFV or wreck in between takes 1 off; nothing else does."""
    grid, here = s.stage.grid, s.at[w]
    between = [one for one in lane_hexes(s, w) if grid.distance(here, one) < grid.distance(here, h)]
    field = s.stage.field
    level = elevation(field, spot(s, s.holder[w]))
    beside = [one for one in between if level - field.level[one] < LEVEL // 2]  # F6.53b
    gun, end = spot(s, s.holder[w]), Spot(s.lanes[w])
    met = [
        one for one in beside if not field.has("deir", one) or wreck_would_hinder(s.stage.sights.lines, gun, end, one)
    ]
    count = sum(1 for one in met for u in units_of(s.here.get(one, 0) & s.stage.roster.vehicles) if hinders(s, u))
    return [Drm(count, "A9.221", "vehicles in the Fire Lane")] if count else []
