"""What lies on the table, and the few ways in which it changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from sandtable.engine.contract import Event
from sandtable.engine.flat import Flat, cache, derived, given, hexes, number, record, records, row, table, units
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import mask_of, units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.orders import Order

from .counters import Type
from .ids import GONE, RPH, UNUSED
from .stage import Stage

EDITION = 7
"""The version of these rules. Where it rules otherwise than the first did, the rule asks `State.edition`."""


class Attack(Flat):
    """One attack by fire: who fires at which Location, as it is put together and resolved."""

    fire: int = number("how: PREP, FIRST, SUBSEQUENT, PROTECTIVE, FINAL, ADVANCING")
    side: int = number("who fires")
    target: int = number("the target hex", -1)
    firers: int = units("units that use their own FP")
    weapons: int = units("Support Weapons that fire")
    leaders: int = units("leaders who direct")
    movers: int = units("First Fire: the moving units that it is aimed at")
    column: int = number("the column of the IFT, after cowering", -1)
    kept: int = units("weapons that keep their ROF")
    result: int = number("index in fire.ift.RESULTS", -1)
    left: int = units("targets that are still to take the result")
    highest: int = number("the highest dr of a Random Selection")
    chosen: int = units("those who rolled it")
    dusty: int = number("F11.71b the face of the extra die of dust, 0 before it is rolled")
    residual: int = number("1: an attack by Residual FP; 2: by mines; 3: an Overrun")
    vehicle: int = number("D3.5 the vehicle whose MGs fire, -1 if none", -1)
    mgs: int = number("D3.5 which of its MGs, as bits of hardware.WEAPONRY")
    fp: int = number("D7.1 the FP of an Overrun, in halves")
    by: int = number("D3.3 Bounding First Fire: the vehicle that alone may fire, -1 for anybody", -1)
    original: int = number("the Original DR")
    second: int = number("A9.5 the other hex of Spraying Fire", -1)
    snap: int = number("A8.15 whether it is a Snap Shot at the hexside that was crossed")
    lane: int = number("A9.22 the hex in which the MG lays its Fire Lane counter", -1)


class Shoot(Flat):
    """C3 one shot of ordnance, as it is laid and resolved. Pieces stand in sets, so that a view can leave them out."""

    fire: int = number("how: PREP, FIRST, FINAL, ADVANCING or BOUNDING")
    side: int = number("who fires")
    gun: int = units("the Gun, vehicle or Support Weapon")
    weapon: int = number("of a vehicle: MA or SA; MA for all others", 1)
    type: int = number("the target type, of ordnance.to_hit", -1)
    hex: int = number("the hex fired at", -1)
    target: int = units("the vehicle fired at")
    shell: int = number("what is loaded, of table.hardware.SHELLS", -1)
    leader: int = units("who directs")
    dusty: int = number("F11.71b the face of the extra die of dust, 0 before it is rolled")
    spotter: int = units("C9.3 who spots for a mortar")
    movers: int = units("First Fire: those who move, whom alone it can hit")
    deliberate: int = number("C5.7 aimed low, to immobilize")
    intensive: int = number("C5.6")
    first: int = number("the coloured die To Hit")
    second: int = number("the white one")
    hit: int = units("those who are hit")
    struck: int = units("C3.7 those of them who are hit critically")
    critical: int = number("C3.7 whether it is a Critical Hit")
    rolls: int = number("TK DR that are still to be rolled")
    best: int = number("the best outcome of those rolled")


# C1 A side's battery, as numbers of `State.oba`
CALIBER, BLACK, RED, DRAWN, ACCESS, CONTACT, SHELLED, STAGE, BLAST = range(9)
BATTERY = 9
NO_ROUND, SPOTTING, FFE_1, FFE_2, FFE_C = range(5)


def batteries(stage: Stage) -> list[int]:
    """C1.2 the batteries of both sides at the start: caliber and chits; a caliber of 0 is none."""
    found: list[int] = []
    modules = {one["nation"]: one for one in stage.pack.tables["oba"]["module"]}
    for script in stage.sides:
        given = next((group["oba"] for group in script["group"] if "oba" in group), None)
        if given is None:
            found += [0, 0, 0, 0, 0, 0, -1, NO_ROUND, 0]
        else:
            module = modules[given["module"]]
            found += [given["caliber"], module["chits_black"], module["chits_red"], 0, 0, 0, -1, NO_ROUND, 0]
    return found


class Move(Flat):
    """A move under way."""

    movers: int = units("who moves together")
    spent: int = number("MF spent so far, in halves")
    here: int = number("MF spent in the present Location, in halves")
    entered: int = number("Locations entered")
    assault: int = number("A4.61 Assault Movement was declared")
    double: int = number("A4.5 MF gained by Double Time")
    led: int = units("a leader who has moved with them all the way")
    exposed: int = number("whether the Location was entered in Open Ground")
    ended: int = number("whether nothing more may be done")
    crossing: int = number("A8.15 whether a hexside was crossed by what was spent last; 2: out of a trench or sangar")
    hazardous: int = number("A4.62 Hazardous Movement")
    came: int = number("the hex they came from", -1)
    hex: int = number("the hex they are in", -1)
    # a vehicle's move
    vehicle: int = number("the vehicle that moves, -1 for Infantry", -1)
    allowed: int = number("D2.1 the MP that it has, in halves")
    started: int = number("F11.74b whether it spent its Start MP in the present hex")
    turned: int = number("D3.11 whether the turret turned since the last expenditure")
    minimum: int = number("D2.13 it made a Minimum Move")
    over: int = number("its move is at an end, what is left is being spent")
    rim: int = number("F5.42 the vertex of the rim that it is taking, + 1")
    muddy: int = number("D8.23 hexes entered in which Mud could bog it")
    strained: int = number("D2.5 MP sought by ESB, and what the MP were before")
    enlisted: int = number("D14.2 it moves in a Platoon")
    impulse: int = number("D14.2 it has entered a hex in its turn of the Platoon")
    loading: int = number("D6.1 1: those who mount with the last have paid, 2: those who dismount")
    escort: int = units("D9.31 Infantry that moves with it by Armored Assault")
    overran: int = number("D7.1 the hex that it is Overrunning, -1 if none", -1)
    belly: int = number("D4.3 the hexside by which it shows its underbelly, + 1")
    razed: int = number("F8.41a its Overrun has killed somebody in a sangar")


class Melee(Flat):
    """One Close Combat."""

    hex: int = number("where", -1)
    ambush: int = number("the side that ambushes, or -1", -1)
    side: int = number("who declares now")
    attackers: int = units("units of this attack")
    foes: int = units("units attacked together")
    step: int = number("0 and 1: who withdraws, first of the phasing side; 2: attacks; 3: who slips away")
    leaving: dict[int, int] = table("A11.2 unit -> the hex that it withdraws to")
    slips: int = units("A11.22 who may withdraw after the round")
    veiled: int = units("A11.19 who was concealed and has not attacked")
    struck: int = units("units that have attacked in this CCPh")
    hit: int = units("units that have been attacked")
    lost: int = units("units that a simultaneous result eliminates")
    reduced: int = units("units that it reduces")
    first: int = number("the first side's Ambush dr")


class State(Flat):
    """One game in progress."""

    stage: Stage = given("scenario, battlefield, lines of sight and pieces", lambda stage: stage)
    stack: list[tuple[Any, ...]] = row(lambda _: [], "the sequence of play")
    actor: int = number("who decides")
    events: list[Event] = cache("what has happened since the last decision", lambda _: [], "[]")
    choices: Any = cache("the legal actions")
    memo: dict[Any, Any] | None = cache("what is worked out once for a question put to this position", copied="None")
    ended: Any = given("how it ended")
    flags: int = number("options")
    edition: int = number("by the rulings of which version it is played: that in which it was begun", EDITION)
    turn: int = number("the Game Turn")
    phase: int = number("the phase, of ids.PHASES")
    phasing: int = number("whose Player Turn it is")
    # the pieces
    at: list[int] = row(lambda stage: [UNUSED] * len(stage.roster.names), "piece -> hex or box")
    type: list[int] = row(lambda stage: list(stage.roster.first), "piece -> what it is")
    under: bytearray = row(lambda stage: bytearray(len(stage.roster.names)), "piece -> ABOVE, UNDER_SANGAR, …")
    strength: bytearray = row(lambda stage: bytearray(len(stage.roster.names)), "work -> squads, or factors of mines")
    holder: list[int] = row(lambda stage: [-1] * len(stage.roster.names), "weapon -> who has it")
    here: dict[Hex, int] = table("hex -> pieces")
    present: int = derived(lambda _: 0, "all pieces that are in a hex", "{}")
    aboard: list[int] = row(
        lambda stage: [-1] * len(stage.roster.names), "Passenger, Rider, armor leader or towed Gun -> its vehicle"
    )
    mounted: int = units("D6.1, D6.2, C10.1 who is in, on or behind a vehicle: those whom `aboard` names")
    riding: int = units("D6.2 those of them who ride on top")
    vca: bytearray = row(
        lambda stage: bytearray(len(stage.roster.names)), "D3.11 vehicle or Gun -> the vertex it faces"
    )
    tca: bytearray = row(
        lambda stage: bytearray(len(stage.roster.names)), "D3.11 vehicle -> the vertex its turret faces"
    )
    place: bytearray = row(
        lambda stage: bytearray(len(stage.roster.names)), "piece -> boards.locations.Place in its hex"
    )
    cafp: bytearray = row(
        lambda stage: bytearray(len(stage.roster.names)),
        "F5.42i, B20.9 Crest -> vertex of a vehicle, hexside of others",
    )
    jam: bytearray = row(lambda stage: bytearray(len(stage.roster.names)), "A9.7 vehicle -> weapons that malfunction")
    tended: bytearray = row(
        lambda stage: bytearray(len(stage.roster.names)), "A9.72 vehicle -> weapons tried to repair in this RPh"
    )
    off: bytearray = row(
        lambda stage: bytearray(len(stage.roster.names)), "D3.7 vehicle -> weapons disabled or removed"
    )
    used: bytearray = row(lambda stage: bytearray(len(stage.roster.names)), "D3.5 vehicle -> weapons that have fired")
    worked: bytearray = row(
        lambda stage: bytearray(len(stage.roster.names)), "C5.6 Gun or vehicle -> weapons that fired intensively"
    )
    empty: bytearray = row(
        lambda stage: bytearray(len(stage.roster.names)), "C8.9 weapon -> special shells that have run out"
    )
    empty_second: bytearray = row(lambda stage: bytearray(len(stage.roster.names)), "C8.9 the same for a vehicle's SA")
    aim: dict[int, tuple[int, int, int]] = table("C6.5 weapon -> the unit (or -1), the hex and the level acquired")
    aim_second: dict[int, tuple[int, int, int]] = table("C6.5 the same for the SA of a vehicle")
    bore: dict[int, tuple[int, ...]] = table("C6.4 Gun -> its bore-sighted hexes, while it stands as it was set up")
    track: dict[int, tuple[tuple[int, int], ...]] = table("C.8 vehicle -> hexes and halves of MP spent in this MPh")
    paces: dict[int, int] = table("D6.1 Infantry -> halves of MF spent in this MPh")
    trail: dict[int, Hex] = table("F11.74 vehicle -> the hex of its Vehicle Dust")
    broken: int = units("A10.4")
    dm: int = units("A10.62 desperation morale")
    dismayed: int = units("A10.621 those of them who were made so in this RPh")
    pinned: int = units("A7.8")
    cx: int = units("A4.51")
    wounded: int = units("A17.1")
    disrupted: int = units("A19.12")
    concealed: int = units("A12.1 under a ?")
    melee: int = units("A11.15 held in Melee")
    captive: int = units("A20.5 prisoners")
    guard: dict[int, int] = table("A20.5 prisoner -> who guards him")
    hip: int = units("A12.3 hidden: not on the map as far as the enemy knows")
    read: int = units("F.7d minefields whose strength the enemy knows")
    encircled: int = units("A7.7")
    walled: int = units("B9.32 who holds Wall Advantage")
    jammed: int = units("A9.7 malfunctioned weapons")
    # vehicles and Guns
    emplaced: int = units("C11.2 Guns that are Emplaced")
    unloaded: int = units("C10.5 portees whose Gun has been unloaded, with their crew")
    limbered: int = units("C10.1 Guns on their wheels")
    settling: int = units("C2.6 AA Guns that have moved since the last PFPh of their side")
    motion: int = units("D2.4 vehicles in Motion")
    backing: int = units("F.11a those of them in Reverse Motion")
    rolled: int = units("C.8 vehicles that have entered a hex or were in Motion in this Player Turn")
    exposed: int = units("D5.3 vehicles whose crew is CE; an open-topped or unarmoured one is exposed anyway")
    smoked: int = units("D13.2, F.10h vehicles that have used dispenser or grenades in this Player Turn")
    roused: int = units("D2.401 vehicles that have tried to get into Motion in this MPh")
    hatched: int = units("D5.3 vehicles whose hatch was opened or shut in this phase")
    bogged: int = units("D8.2")
    mired: int = units("D8.3")
    immobile: int = units("C7.6 vehicles that cannot move for the rest of the game")
    stunned: int = units("D5.34 no actions in this Player Turn and the next enemy one")
    numb: int = units("D5.34 those of them who were stunned before this Player Turn")
    shaken: int = units("D5.34 those who have been stunned once: +1 to all DR")
    shocked: int = units("C7.42")
    doomed: int = units("C7.42 an Unconfirmed Kill: shocked and once more failed to recover")
    recalled: int = units("D5.341")
    abandoned: int = units("D5.4 vehicles without a crew")
    wreck: int = units("D10.1")
    burning: int = units("D10.1 wrecks that burn")
    served: int = units("who has fired a Gun or Support Weapon in this Player Turn")
    handled: int = units("A7.35 weapons that have fired in this Player Turn, whether they kept their ROF or not")
    turned: int = units("C3.2 NT weapons that have changed their CA in this phase")
    smoke: dict[Hex, int] = table("A24 hex -> bits of SMOKE, two for each kind: by side")
    fascines: dict[Hex, int] = table("wadi hex -> its cliffs at which a fascine lies, as bits by direction")
    unladen: int = units("vehicles that have laid their fascine")
    climbs: dict[int, int] = table("B11.4 unit -> half levels climbed so far")
    apart: int = units("A9.8 dismantled weapons")
    lanes: dict[int, int] = table("A9.22 MG -> the hex of its Fire Lane counter")
    charges: dict[int, int] = table("A23.3 DC -> the hex that it is placed against")
    dug: dict[Hex, int] = table("B27.11 hex -> failed attempts to entrench")
    crossed: dict[int, int] = table("A7.7 unit -> hexsides by which it was attacked in this phase")
    clinched: int = units("A11.5 Infantry that has attacked a vehicle in this CCPh")
    # what was done in this Player Turn
    ti: int = units("A4.9 who digs, searches or clears")
    waits: int = units("A7.25 marked for Opportunity Fire")
    lobbed: int = units("A24.1 who has tried a SMOKE grenade in this MPh")
    clears: int = units("B26.4, B28.7 who clears wire or mines")
    fired: int = units("Prep, First or Advancing Fire, or used up")
    spent_fire: int = units("Final Fire: may fire no more but for A8.31")
    moved: int = units("who has moved in this MPh")
    shot: int = units("who was attacked in this Player Turn (A12.12)")
    tried: int = units("who has tried to rally, repair or recover in this RPh")
    handed: int = units("A4.43 weapons handed over in this RPh")
    self_rallied: int = number("A10.63 one MMC a RPh")
    routed: int = units("who has routed or stayed in this RtPh")
    directed: int = units("leaders who have directed in this phase")
    guided: dict[int, int] = table("A7.531 weapon that kept its ROF -> the leader who may direct it again")
    residual: dict[Hex, int] = table("A8.2 hex -> Residual FP")
    faced: int = units("who has been attacked by the Residual FP of its Location")
    shots: dict[int, int] = table("A8.14 firer -> attacks on the mover in this Location")
    control: Mask = hexes("A26.1 hexes that the Allied side controls")
    posts: Mask = hexes("hexes that held a sangar at the start")
    wind: int = number("B25 the force of the wind, of weather.FORCES")
    toward: int = number("where it blows: 1 to 6, 0 is nowhere")
    gusts: int = number("B25.65 Gusts in this Player Turn")
    density: int = number("F11.7 how dense the dust is, of climate.DUSTS")
    raised: int = number("F11.76 wind has raised the dust")
    settled: int = number("F11.77 it has rained")
    marches: int = number("moves begun in this MPh")
    orders: list[Order] = row(lambda _: [], "A8.1 standing orders of both sides; each side knows its own")
    exits: dict[int, int] = table("A2.6 piece that has left the map -> by which edge: N, E, S, W")
    oba: list[int] = row(batteries, "C1 the batteries: BATTERY numbers for each side")
    shelled: dict[int, int] = table("C1.51 mover -> the hex in which an FFE has attacked it as it entered")
    lost_points: list[int] = row(lambda _: [0, 0], "A26.2 victory points that a side has lost")
    attack: Attack | None = record("the fire attack in hand")
    shoot: Shoot | None = record("the shot of ordnance in hand")
    move: Move | None = record("the move in hand")
    platoon: list[Move] = records("D14.2 the moves of the others of its Platoon, in their order")
    fight: Melee | None = record("the Close Combat in hand")

    def kind(self, u: int) -> Type:
        """What a piece is."""
        return self.stage.roster.types[self.type[u]]


def men(s: State, h: Hex, side: int) -> int:
    """The Infantry of a side in a hex: squads, half-squads, crews, leaders and heroes; prisoners and those in or on
    vehicles are left out."""
    roster = s.stage.roster
    return s.here.get(h, 0) & roster.men & roster.of_side[side] & ~s.captive & ~s.mounted


def on_map(s: State) -> int:
    """All pieces that are in a hex."""
    return s.present


def places(s: State, units_: int) -> Mask:
    """The hexes of some pieces that are on the map."""
    those = units_ & s.present
    return _places(of_each(those)(s.at)) if those & those - 1 else 1 << s.at[those.bit_length() - 1] if those else 0


@remembered(1 << 12)
def _places(hexes: tuple[Hex, ...]) -> Mask:
    return mask_of(set(hexes))


@remembered(1 << 12)
def of_each(units_: int) -> Callable[[Sequence[int]], Any]:
    """What a row says of each of these pieces: a tuple of two and more."""
    return itemgetter(*units_of(units_)) if units_ else lambda row: ()


def all_men(s: State, side: int) -> int:
    """The Infantry of a side on the map."""
    roster = s.stage.roster
    return on_map(s) & roster.men & roster.of_side[side] & ~s.captive & ~s.mounted


def put(s: State, u: int, h: Hex) -> None:
    """A piece goes to a hex or a box; what it holds goes with it, a Gun that it mans stays where it is. Whoever is
    aboard a vehicle goes with it."""
    old = s.at[u]
    bit = 1 << u
    if old >= 0:
        left = s.here[old] & ~bit
        if left:
            s.here[old] = left
        else:
            del s.here[old]
    s.at[u] = h
    if h >= 0:
        s.here[h] = s.here.get(h, 0) | bit
        s.present |= bit
    else:
        s.present &= ~bit
    if old != h and (u in s.aim or u in s.aim_second or u in s.bore):  # C6.5, C6.4 lost when it moves
        s.aim.pop(u, None)
        s.aim_second.pop(u, None)
        s.bore.pop(u, None)
    for one, by in s.guard.items():  # A20.5
        if by == u and h >= 0:
            put(s, one, h)
    roster = s.stage.roster
    if roster.vehicles & bit:
        for one in passengers(s, u):
            put(s, one, h)
        return
    for w in belongings(s, u, old):
        if s.holder[w] == u:
            if roster.guns >> w & 1 and s.at[w] != h:
                s.holder[w] = -1
            elif h >= 0:
                put(s, w, h)
            else:
                drop(s, w, old)


def belongings(s: State, u: int, h: Hex) -> tuple[int, ...]:
    """What a piece that stands, or stood, in a hex can have: Support Weapons and Guns of the same hex; beyond the map
    any."""
    roster = s.stage.roster
    return units_of(s.here.get(h, 0) & (roster.weapons | roster.guns)) if h >= 0 else roster.armoury


def passengers(s: State, u: int) -> list[int]:
    """Who and what is in, on or behind a vehicle: Passengers, Riders, its armor leader, a Gun in tow."""
    return [one for one in units_of(s.mounted) if s.aboard[one] == u]


def board(s: State, u: int, vehicle: int, rides: bool = False) -> None:
    """A unit or Gun goes aboard a vehicle of its hex; what it holds is carried along."""
    s.aboard[u] = vehicle
    s.mounted |= 1 << u
    s.under[u] = 0
    if rides:
        s.riding |= 1 << u


def leave(s: State, u: int) -> None:
    """Whoever is aboard a vehicle is beside it now."""
    s.aboard[u] = -1
    s.mounted &= ~(1 << u)
    s.riding &= ~(1 << u)


def drop(s: State, w: int, h: Hex) -> None:
    """A weapon is left behind in a hex."""
    s.holder[w] = -1
    if s.at[w] != h:
        put(s, w, h)


def weapons_of(s: State, u: int) -> int:
    """The weapons that a unit has."""
    h, roster, holder = s.at[u], s.stage.roster, s.holder
    near = s.here.get(h, 0) & roster.weapons if h >= 0 else roster.weapons
    return sum([1 << w for w in units_of(near) if holder[w] == u]) if near else 0


def gun_of(s: State, u: int) -> int:
    """C2.1 the Gun that a unit mans, a Gun itself, or -1."""
    guns = s.stage.roster.guns
    if guns >> u & 1:
        return u
    there = guns & s.here.get(s.at[u], 0)
    return next((g for g in units_of(there) if s.holder[g] == u), -1) if there else -1


def settle(s: State, g: int) -> None:
    """C2.6 an AA Gun with a mount all round that has moved fires from its wheels alone until it has stood in a PFPh."""
    gun = s.kind(g).gun
    if s.edition > 4 and gun is not None and (gun.kind, gun.mount) == ("AA", "T"):
        s.settling |= 1 << g
        s.limbered |= 1 << g if gun.limbered_rof >= 0 and s.edition > 6 else 0


def takeable(s: State, side: int) -> int:
    """A4.44, C2.1 Support Weapons, and Guns that stand on their own, as far as a side knows of them."""
    roster = s.stage.roster
    if s.edition < 2:
        return roster.weapons
    return roster.weapons | roster.guns & ~(s.mounted | (s.hip | s.concealed) & roster.of_side[1 - side])


def taken_guns(s: State) -> int:
    """A21.1 Guns that the enemy of their side has."""
    side, holder = s.stage.roster.side, s.holder
    return sum(1 << g for g in units_of(s.stage.roster.guns) if holder[g] >= 0 and side[holder[g]] != side[g])


def forget(s: State, u: int) -> None:
    """All markers come off a piece."""
    bit = ~(1 << u)
    s.broken &= bit
    s.dm &= bit
    s.dismayed &= bit
    s.pinned &= bit
    s.cx &= bit
    s.wounded &= bit
    s.disrupted &= bit
    s.concealed &= bit
    s.melee &= bit
    s.captive &= bit
    for name in HARD_MARKS:
        setattr(s, name, getattr(s, name) & bit)
    s.hip &= bit
    s.encircled &= bit
    s.walled &= bit
    s.ti &= bit
    s.clears &= bit
    s.climbs.pop(u, None)
    s.waits &= bit
    s.guard.pop(u, None)
    s.crossed.pop(u, None)
    leave(s, u)
    s.jam[u] = s.off[u] = s.used[u] = s.tended[u] = 0
    s.aim.pop(u, None)
    s.aim_second.pop(u, None)
    s.bore.pop(u, None)
    s.track.pop(u, None)


HARD_MARKS = (
    *(
        "emplaced",
        "limbered",
        "settling",
        "motion",
        "backing",
        "exposed",
        "bogged",
        "mired",
        "immobile",
        "stunned",
        "numb",
        "shaken",
    ),
    *("shocked", "doomed", "recalled", "abandoned", "wreck", "burning", "unloaded"),
)
"""The markers of vehicles and Guns."""


def vehicles(s: State, h: Hex, side: int) -> int:
    """The vehicles of a side in a hex, wrecks left out."""
    roster = s.stage.roster
    return s.here.get(h, 0) & roster.vehicles & roster.of_side[side] & ~s.wreck


def all_vehicles(s: State, side: int) -> int:
    """The vehicles of a side on the map, wrecks left out."""
    roster = s.stage.roster
    return on_map(s) & roster.vehicles & roster.of_side[side] & ~s.wreck


def mobile(s: State, units_: int) -> int:
    """Those of some vehicles that can move: neither wrecked, immobilized nor bogged."""
    return units_ & ~(s.wreck | s.immobile | s.bogged)


def points_of(s: State, u: int) -> int:
    """A26.2 the points of a piece; F.3Aa a portee without its Gun has fewer."""
    kind = s.kind(u)
    return kind.vehicle.dvp_without_ma if kind.vehicle is not None and s.unloaded >> u & 1 else kind.value


def make_wreck(s: State, u: int, burns: bool) -> None:
    """D10.1 an eliminated vehicle is a wreck where it stood; its points count for the enemy (A26.21), its MG and guns
    are lost with it. Who was aboard is dealt with before."""
    s.lost_points[s.stage.roster.side[u]] += points_of(s, u)
    for one in passengers(s, u):
        leave(s, one)
    forget(s, u)
    s.wreck |= 1 << u
    if burns:
        s.burning |= 1 << u


def despair(s: State, units_: int) -> None:
    """A10.62 they are DM; A10.621 those who become so in a RPh stay it beyond its end."""
    s.dm |= units_
    if s.phase == RPH:
        s.dismayed |= units_


def good_order(s: State, units_: int) -> int:
    """A.7 those who are unbroken, not captured and not held in Melee."""
    return units_ & ~(s.broken | s.captive | s.melee)


def known_enemies(s: State, side: int) -> int:
    """The unbroken, unconcealed Infantry of the other side."""
    return all_men(s, 1 - side) & ~(s.broken | s.concealed)


def eliminate(s: State, u: int) -> None:
    """A piece is removed; its equipment is left where it stood, and its points count for the enemy (A26.2)."""
    h = s.at[u]
    for w in belongings(s, u, h):
        if s.holder[w] == u:
            drop(s, w, h)
    for one in passengers(s, u):
        leave(s, one)
    s.lost_points[s.stage.roster.side[u]] += s.kind(u).value
    s.holder[u] = -1
    forget(s, u)
    s.under[u] = s.place[u] = 0
    put(s, u, GONE)


def equivalents(s: State, units_: int) -> int:
    """A5.5 squad equivalents, in halves; a crew or HS that mans a Gun counts as a squad."""
    total = 0
    while units_:
        low = units_ & -units_
        total += size_of(s, low.bit_length() - 1)
        units_ ^= low
    return total


def size_of(s: State, u: int) -> int:
    """A5.5 the same of one unit."""
    found = s.kind(u).equivalents
    if found != 1 or s.edition < 2 or not s.here.get(s.at[u], 0) & s.stage.roster.guns:
        return found
    return 2 if gun_of(s, u) >= 0 else 1
