"""D3.5 The machine guns of vehicles on the IFT: bow, coaxial and anti-aircraft; D6.22 those who fire from aboard.

The MGs of one vehicle may fire together at one target, and with nobody else (AMB-82).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import asked_once, remembered

from ..boards.locations import Place, Spot, elevation
from ..boards.terrain import LEVEL
from ..los.arcs import arc, toward, turns
from ..los.cover import Cover, covers
from ..los.sight import Sightlines
from ..los.veils import Stances
from ..table.hardware import AAMG, BMG, CMG, MA, WEAPONRY, Vehicle
from ..table.ids import ADVANCING, BOUNDING, PREP
from ..table.state import Attack, State, all_vehicles, good_order, on_map
from ..table.weather import grit
from ..table.works import spot
from .bursts import count_shot, shots_out
from .crews import crew_drm, inert, vehicle_of
from .fate import bail_out
from .protection import wall_counts
from .sights import in_view, sees, veiled, veils

if TYPE_CHECKING:
    from .group import Now

RANGES = {BMG: 8, CMG: 12, AAMG: 8}
"""D3.5 Normal Range."""
MOUNTS = (BMG, CMG, AAMG)
FARTHEST = 2 * max(RANGES.values())
"""A7.22 as far as any of them is fired."""
Notes = tuple[tuple[str, str], ...]


def rolls(kind: Vehicle, mg: int) -> int:
    """The bits of a MG: where it is the MA too (D1.8), both."""
    return mg | (MA if kind.main_mg == mg else 0)


def mounts_of(mgs: int) -> list[int]:
    return [mg for mg in MOUNTS if mgs & mg]


def rof(s: State, u: int, mg: int) -> int:
    """D1.8 a MG that is the MA has its ROF; others have none."""
    kind = vehicle_of(s, u)
    return kind.rof if kind.main_mg == mg else 0


def breakdown(s: State, u: int, mg: int) -> int:
    kind = vehicle_of(s, u)
    return (kind.breakdown if kind.main_mg == mg else 12) - grit(s)


def mg_share(s: State, attack: Attack, u: int, mg: int) -> tuple[float, Notes]:
    """A7.2, D3.3 what one MG adds, every factor that applies multiplied."""
    fp, notes = float(vehicle_of(s, u).fp(mg)), []
    span = s.stage.grid.distance(s.at[u], attack.target)
    factors: list[tuple[float, str, str]] = []
    if span == 0:
        factors.append((3, "A7.21", term("same Location, tripled")))
    elif span == 1:
        factors.append((2, "A7.21", term("point blank, doubled")))
    elif span > RANGES[mg]:
        factors.append((0.5, "A7.22", term("long range, halved")))
    if attack.fire == BOUNDING:
        factors.append((0.5, "D3.3", term("Bounding First Fire, halved")))
    elif s.motion >> u & 1:
        factors.append((0.5, "D2.4", term("in Motion, halved")))
    if attack.fire == ADVANCING and (s.edition > 2 or not s.motion >> u & 1):
        factors.append((0.5, "A3.5", term("Advancing Fire, halved")))
    for factor, rule, text in factors:
        fp *= factor
        notes.append((rule, text))
    return fp, tuple(notes)


def turret_turns(s: State, attack: Attack) -> int:
    """The vertices by which the turret must turn for the coaxial MG."""
    if attack.vehicle < 0 or not attack.mgs & CMG or not has_turret(s, attack.vehicle):
        return 0
    return turns(s.stage.field, s.at[attack.vehicle], s.tca[attack.vehicle], attack.target)


def has_turret(s: State, u: int) -> bool:
    """D1.3; a Support Weapon turret (M11/39) counts: its MG turn though the gun does not."""
    kind = vehicle_of(s, u)
    return kind.turret in ("T", "ST", "1MT") or (kind.turret == "NT" and bool(kind.cmg))


def mount_drms(s: State, attack: Attack) -> list[tuple[int, str, str]]:
    """D3.4, D5.34, table ift_drm: the crew, and a turret that turns."""
    if attack.vehicle < 0:
        return []
    found = []
    each = int(s.stage.pack.tables["ift_drm"]["vehicle_mg_ca_change_each"])
    turned = turret_turns(s, attack)
    if turned:
        found.append((each * turned, "D3.5", term("the turret turns")))
    if crew_drm(s, attack.vehicle):
        found.append((crew_drm(s, attack.vehicle), "D3.4", term("the crew")))
    return found


def marked(s: State, attack: Attack, first: int, original: int) -> list[tuple[str, str, int]]:
    """A7.11, A9.2, A9.7 what has fired is marked; the turret points at its target. Returns what is to be told."""
    u, told = attack.vehicle, []
    before, kind = s.tca[u], vehicle_of(s, u)
    if attack.mgs & CMG and has_turret(s, u) and s.at[u] != attack.target:
        s.tca[u] = toward(s.stage.field, s.at[u], s.tca[u], attack.target)
    if s.edition > 3 and (s.tca[u] != before or attack.mgs & kind.main_mg):
        bail_out(s, u)  # D6.2
    for mg in mounts_of(attack.mgs):
        if original >= breakdown(s, u, mg):
            s.jam[u] |= rolls(kind, mg)
            told.append(("jammed_mount", "A9.7", mg))
        keeps = first <= rof(s, u, mg) and attack.fire not in (ADVANCING, BOUNDING)
        if keeps and not s.jam[u] & mg:
            told.append(("rate_of_fire", "A9.2", mg))
        else:
            s.used[u] |= rolls(kind, mg)
    if attack.fire == PREP:
        s.fired |= 1 << u
    for mg in mounts_of(attack.mgs) if s.edition > 6 else (MA,):
        count_shot(s, u, mg)
    return told


# Who may fire


def _with(s: State, now: Now, mg: int, marked: bytearray) -> int:
    """The vehicles of the side whose MG bears this mark."""
    if marked == s.stage.roster.unmarked:
        return 0
    able = all_vehicles(s, now.attack.side) if now.attack.by < 0 else 1 << now.attack.by  # nobody else is asked about
    return sum([1 << u for u in units_of(able & s.stage.roster.mounts[mg]) if marked[u] & mg])


def others_fire(s: State, now: Now) -> int:
    """AMB-82 all, once Infantry fires; all but one, once a vehicle does."""
    if now.attack.firers | now.attack.weapons:
        return ALL
    return ALL & ~(1 << now.attack.vehicle) if now.attack.vehicle >= 0 else 0


def not_asked(s: State, now: Now) -> int:
    """D3.3 in Bounding First Fire all but the vehicle that moves."""
    return ALL & ~(1 << now.attack.by) if now.attack.by >= 0 else 0


def prepared(s: State, now: Now) -> int:
    """A3.2 vehicles that have fired any weapon in the PFPh fire none in the AFPh."""
    return s.fired & s.stage.roster.vehicles if now.attack.fire == ADVANCING and s.edition > 5 else 0


def bearing(s: State, u: int, mg: int) -> Mask:
    """D3.5 the hexes that a MG can be turned on: all, or those before its hull."""
    if mg == AAMG or (mg == CMG and has_turret(s, u)):
        return s.stage.grid.all
    return arc(s.stage.field, s.at[u], s.vca[u])


def range_of(s: State, u: int, mg: int) -> Mask:
    """A7.22, D3.5 the hexes within twice its Normal Range."""
    return s.stage.grid.within(s.at[u], 2 * RANGES[mg])


def _fired_out(mg: int) -> Any:
    return lambda s, now, u: bool(now.attack.movers) and shots_out(s, u, mg)


def _far(mg: int) -> Any:
    return lambda s, now, u: not range_of(s, u, mg) >> now.attack.target & 1


def _awry(mg: int) -> Any:
    return lambda s, now, u: not bearing(s, u, mg) >> now.attack.target & 1


def behind_cover(s: State, now: Now, u: int) -> bool:
    """D3.5 a vehicle that is HD toward the target does not fire its bow MG; F5.423a at the rim of a wadi it is HD to
    all who do not see INTO its hex."""
    first = now.shot & -now.shot
    if first and s.edition > 2 and s.place[u] == Place.CREST:
        return not s.stage.sights.sees(spot(s, first.bit_length() - 1), Spot(s.at[u], Place.IN))
    if not first:
        return False
    foe = spot(s, first.bit_length() - 1)
    found = _hiding(s.stage.sights.lines, foe, spot(s, u), s.edition < 6)
    return bool(found) and (s.edition < 5 or any(wall_counts(s, one, foe, u) for one in found))  # AMB-110


@remembered(1 << 15)
def _hiding(lines: Sightlines, firer: Spot, target: Spot, followed: bool) -> list[Cover]:
    """What could make a vehicle HD to fire from a spot."""
    return [one for one in covers(lines, firer, target, followed) if one.hull_down]


def unseen(s: State, now: Now, u: int) -> bool:
    return not sees(s, u, now.attack.target, now.shot)


def shut_in(s: State, u: int) -> bool:
    """D3.5 nobody can man the AAMG: a closed-topped AFV that is BU."""
    return vehicle_of(s, u).top == "CT" and not s.exposed >> u & 1


def one_man(s: State, u: int) -> bool:
    """D1.3 the weapons of a one-man turret do not fire while a closed-topped AFV is CE."""
    kind = vehicle_of(s, u)
    return kind.turret == "1MT" and kind.top == "CT" and bool(s.exposed >> u & 1)


def one_men(s: State) -> int:
    """All of them."""
    return s.exposed & on_map(s) & s.stage.roster.one_man


def one_at_mg(s: State) -> int:
    """D1.3 those whose MG stand in a turret of one man, though their gun does not (the note of the M11/39)."""
    if s.edition < 6:
        return 0
    noted = s.stage.pack.tables["counter_notes"]["one_man_mg"]
    return sum([1 << u for u in units_of(s.exposed & all_tanks(s)) if s.kind(u).id in noted])


def all_tanks(s: State) -> int:
    """The closed-topped vehicles on the map."""
    return s.stage.roster.closed_topped & on_map(s)


def plunging(s: State, now: Now, u: int) -> bool:
    """F5.426b, F5.426d from the rim of a wadi no mounted weapon but the AAMG fires a level or more below its Crest; but
    IN its own hex, or along the bed without turning the hull."""
    if s.place[u] != Place.CREST:
        return False
    field, h = s.stage.field, s.at[u]
    low = [spot(s, one) for one in units_of(now.shot)] or [Spot(now.attack.target)]
    if now.attack.target == h or any(elevation(field, one) > field.level[h] - LEVEL for one in low):
        return False
    d = field.grid.direction(h, now.attack.target)
    return d < 0 or not field.side("wadi", h, d)


def why_far(mg: int) -> Any:
    def say(s: State, now: Now, u: int) -> Reason:
        text = Text("it reaches {range} hexes, twice that halved", range=RANGES[mg])
        return Reason("D3.5", text)

    return say


def _ready(mg: int) -> Bars[State, Now]:
    """The vehicles that can fire a MG at all, wherever the target is."""
    name = WEAPONRY[mg]
    rows: list[Any] = [
        Need(
            "D3.5",
            f"{{unit}} is no vehicle with a {name} that fires now",
            lambda s, now: all_vehicles(s, now.attack.side) & s.stage.roster.mounts[mg],
        ),
        Bar("D3.5", "the MGs of a vehicle fire together with nobody else", others_fire),
        Bar("D3.3", "only the vehicle that moves may fire now", not_asked),
        Bar("D5.34", "the crew of {unit} can do nothing now", lambda s, now: inert(s)),
        Bar("D5.341", "{unit} is Recalled and does not fire", lambda s, now: s.recalled),
        Bar("A7.1", "it fires in this attack already", lambda s, now: in_hand(now, mg)),
        Bar("A9.7", "it has malfunctioned", lambda s, now: _with(s, now, mg, s.jam) | _with(s, now, mg, s.off)),
        Bar("D3.5", "it has fired in this Player Turn", lambda s, now: _with(s, now, mg, s.used)),
        Bar("A3.2", "{unit} has fired in the Prep Fire Phase", prepared),
    ]
    if mg == AAMG:
        rows.append(Bar("D5.3", "{unit} is buttoned up", lambda s, now: s.stage.roster.closed_topped & ~s.exposed))
    if mg == CMG:
        rows.append(Bar("D1.3", "its one man is exposed", lambda s, now: one_men(s) | one_at_mg(s)))
    return Bars(*rows)


def _table(mg: int) -> Bars[State, Now]:
    rows: list[Any] = [
        READY[mg],
        Bar(
            "D5.31",
            "there is nothing that small arms could hurt",
            lambda s, now: 0 if now.shot or veiled(s, now.attack.target, now.attack.side) else ALL,
        ),
        Doubt("A8.14", "{unit} has fired at the mover here as often as it spent points", _fired_out(mg)),
        Doubt("D3.5", "it does not bear on the target", _awry(mg)),
        Doubt("D3.5", why_far(mg), _far(mg)),
        Doubt("A6.1", "{unit} has no line of sight to the target", unseen),
    ]
    if mg != AAMG:
        rows.append(Doubt("F5.426b", "from the rim of a wadi it does not fire so far down", plunging))
    if mg == BMG:
        rows.append(Doubt("D3.5", "{unit} is Hull Down toward the target", behind_cover))
    return Bars(*rows)


def in_hand(now: Now, mg: int) -> int:
    return 1 << now.attack.vehicle if now.attack.vehicle >= 0 and now.attack.mgs & mg else 0


READY = {mg: _ready(mg) for mg in MOUNTS}
BOW, COAX, ANTI_AIR = (_table(mg) for mg in MOUNTS)
TABLES = {BMG: BOW, CMG: COAX, AAMG: ANTI_AIR}


def man(mg: int) -> Any:
    """The deed of a MG in a Fire Group."""

    def take(s: State, f: Any, u: int) -> None:
        assert s.attack is not None
        s.attack.vehicle = u
        s.attack.mgs |= mg

    return take


def mounts_reach(
    s: State, now: Now, there: Stances, wanted: Mask, at: Callable[[Hex], Now], ready: dict[int, int] | None = None
) -> Mask:
    """Of some hexes with targets of these stances, those that any vehicle could fire a MG at: as the tables say of one
    hex, but what is the same for all is asked once. `at`: what a table goes by that has this target; `ready`: the
    vehicles that can fire, where that is known."""
    found = targets = 0
    if not wanted:
        return 0
    for _, hexes in there:
        targets |= hexes
    told = veils(s).told(there)
    for mg, able in (mounts_ready(s, now) if ready is None else ready).items():
        for u in units_of(able):
            key = (mg, spot(s, u), s.vca[u], s.type[u])
            seen: Mask | None = told.get(key)
            if seen is None:
                near = targets & bearing(s, u, mg) & range_of(s, u, mg)
                seen = told[key] = in_view(s, u, there, near) if near else 0
            seen &= wanted & ~found
            if seen and (mg == BMG or (mg == CMG and s.place[u] == Place.CREST)):
                seen = sum(1 << h for h in hexes_of(seen) if not _hampered(s, at(h), u, mg))
            found |= seen
            if found == wanted:
                return found
    return found


def able_vehicles(s: State, now: Now) -> int:
    """The vehicles of the side that fires; in Bounding First Fire the one that moves (D3.3)."""
    able = all_vehicles(s, now.attack.side)
    return able & 1 << now.attack.by if now.attack.by >= 0 else able


def mounts_ready(s: State, now: Now) -> dict[int, int]:
    """The vehicles that can fire a MG at all, wherever the target is, by the MG."""
    able, mounts = able_vehicles(s, now), s.stage.roster.mounts
    found = {mg: ready.free(able & mounts[mg], s, now) for mg, ready in READY.items()}
    return {mg: units for mg, units in found.items() if units}


def _hampered(s: State, now: Now, u: int, mg: int) -> bool:
    """What is left to ask about a hex that a bow or coaxial MG bears on, reaches and sees."""
    return plunging(s, now, u) or (mg == BMG and behind_cover(s, now, u))


# D6.22 Mounted Fire


@asked_once
def mounted_firers(s: State, side: int) -> int:
    """D6.22 Passengers of open-topped and unarmoured vehicles, who may fire from them."""
    roster = s.stage.roster
    aboard = good_order(s, s.mounted & roster.men & roster.of_side[side] & ~s.riding) & on_map(s)
    return sum([1 << u for u in units_of(aboard) if not roster.closed_topped >> s.aboard[u] & 1])


def seat_taken(s: State, now: Now) -> int:
    """D6.22 one unit or SW of a vehicle fires: the others aboard who are held by that, with their weapons."""
    if not s.mounted & s.stage.roster.men:
        return 0
    return _seats(s, now.attack.firers | now.attack.weapons)


@asked_once
def _seats(s: State, busy: int) -> int:
    taken: dict[int, int] = {}
    roster = s.stage.roster
    for u in units_of(s.mounted & (roster.men | roster.weapons)):
        if (s.fired | s.spent_fire | busy) >> u & 1:
            taken.setdefault(s.aboard[u], u)
    for w in units_of(roster.weapons & (s.fired | s.spent_fire | busy)):
        user = s.holder[w]
        if user >= 0 and s.mounted >> user & 1:
            taken[s.aboard[user]] = w
    found = 0
    if not taken:
        return found
    for u in units_of(s.mounted & roster.men):
        if s.aboard[u] in taken and taken[s.aboard[u]] != u:
            found |= 1 << u
    for w in units_of(roster.weapons):
        user = s.holder[w]
        if user >= 0 and s.mounted >> user & 1 and s.aboard[user] in taken and taken[s.aboard[user]] != w:
            found |= 1 << w
    return found
