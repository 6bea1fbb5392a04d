"""C7.42, C7.6, D5.34, D8.2 What happens to a vehicle short of its end: immobilized, bogged, shocked, stunned."""

from __future__ import annotations

from sandtable.mechanics.masks import units_of

from ..table.hardware import MA, Vehicle
from ..table.ids import ARMOR_LEADER
from ..table.state import (
    State,
    all_men,
    all_vehicles,
    despair,
    good_order,
    known_enemies,
    men,
    on_map,
    passengers,
    places,
)
from ..table.telling import emit


def vehicle_of(s: State, u: int) -> Vehicle:
    """The values of a vehicle's counter."""
    found = s.kind(u).vehicle
    assert found is not None, f"{s.stage.roster.names[u]} is no vehicle"
    return found


def told(s: State, u: int) -> dict[str, int]:
    return {"unit": u, "hex": s.at[u], "side": s.stage.roster.side[u]}


def still(s: State, u: int) -> None:
    """It moves no further: it is Stopped where it is."""
    bit = ~(1 << u)
    s.motion &= bit
    s.backing &= bit


def immobilize(s: State, u: int, rule: str) -> None:
    """C7.6 it cannot move for the rest of the game."""
    still(s, u)
    s.bogged &= ~(1 << u)
    s.mired &= ~(1 << u)
    s.immobile |= 1 << u
    emit(s, "immobilized", rule, told(s, u))


def bog(s: State, u: int, rule: str) -> None:
    """D8.2 it is bogged until it is removed (D8.3)."""
    still(s, u)
    s.bogged |= 1 << u
    if s.move is not None and s.move.vehicle == u and s.edition > 6:  # A4.15
        s.move.over = 1
    emit(s, "bogged", rule, told(s, u))


def shock(s: State, u: int, rule: str) -> None:
    """C7.42 a shocked AFV loses all actions and CE."""
    still(s, u)
    s.exposed &= ~(1 << u)
    s.shocked |= 1 << u
    emit(s, "shocked", rule, told(s, u))


def stun(s: State, u: int, rule: str) -> None:
    """D5.34 no actions for that Player Turn and the next enemy one, +1 to its DR from then on; twice is a Recall."""
    bit = 1 << u
    again = s.shaken & bit
    still(s, u)
    s.exposed &= ~bit
    s.stunned |= bit
    s.shaken |= bit
    s.numb &= ~bit
    emit(s, "stunned", rule, told(s, u))
    if again:
        recall(s, u, "D5.34")


def recall(s: State, u: int, rule: str) -> None:
    """D5.341 it must exit by the nearest friendly edge without firing."""
    if not s.recalled >> u & 1:
        s.recalled |= 1 << u
        emit(s, "recalled", rule, told(s, u))


def delivers(s: State, u: int) -> bool:
    """D3.7 whether an AFV still has Passengers to deliver; until version 7 Riders counted too."""
    if s.edition < 7:
        return bool(exposed_riders(s, u))
    return any(s.stage.roster.men >> one & 1 and not s.riding >> one & 1 for one in passengers(s, u))


def recall_disarmed(s: State, u: int) -> None:
    """D3.7 an AFV whose MA is disabled is Recalled, as soon as it has no Passengers to deliver."""
    if s.off[u] & MA and vehicle_of(s, u).armoured and not s.wreck >> u & 1 and not delivers(s, u):
        recall(s, u, "D3.7")


def wake(s: State) -> None:
    """D5.34 at the end of a Player Turn: those who were stunned before it are awake again if it was the enemy's."""
    own = s.stage.roster.of_side[s.phasing]
    s.stunned &= ~(s.numb & ~own)
    s.numb = s.stunned


def inert(s: State) -> int:
    """Vehicles that can do nothing: wrecks, shocked, stunned and abandoned ones."""
    return s.wreck | s.shocked | s.stunned | s.abandoned


def onlookers(s: State, side: int) -> int:
    """A.7, A12.14 those of a side whose sight takes a "?" off: its Good Order Infantry, in or on vehicles too, and the
    vehicles whose crew is in order."""
    return (good_order(s, all_men(s, side) | aboard(s, side)) | all_vehicles(s, side) & ~inert(s)) & ~s.hip


def known_unbroken(s: State, side: int) -> int:
    """The Known unbroken enemies of a side: Infantry, and vehicles whose crew is in order."""
    foes = known_enemies(s, side)
    if s.edition > 6:
        foes |= gunners(s, 1 - side) & ~(s.concealed | s.hip)
    return foes | all_vehicles(s, 1 - side) & ~(inert(s) | s.concealed | s.hip) if s.edition > 2 else foes


def dismay(s: State) -> None:
    """A10.62 broken units beside whom a Known unbroken enemy has come are DM."""
    for side in range(2):
        calm = s.broken & all_men(s, side) & ~s.dm
        if calm:
            near = s.stage.grid.dilate(places(s, known_unbroken(s, side)))
            despair(s, sum(1 << u for u in units_of(calm) if near >> s.at[u] & 1))


def dismay_beside(s: State) -> None:
    """A10.62 at once, as soon as a Known enemy has become adjacent; until version 5 at the next phase."""
    if s.broken & ~s.dm and s.edition > 4:
        dismay(s)


def aboard(s: State, side: int) -> int:
    """The Infantry of a side in and on vehicles of the map."""
    return on_map(s) & s.mounted & s.stage.roster.men & s.stage.roster.of_side[side]


def gunners(s: State, side: int) -> int:
    """D6.22, AMB-196 the Good Order Passengers of a side who could fire from their vehicles."""
    found = good_order(s, aboard(s, side) & ~s.riding)
    lids = s.stage.roster.closed_topped
    return sum([1 << u for u in units_of(found) if not lids >> s.aboard[u] & 1]) if found else 0


def company(s: State, u: int) -> int:
    """A10.7, AMB-190 those of its side who share its Location: whoever is aboard a vehicle is with those aboard it;
    until version 6 with those outside."""
    if not s.mounted >> u & 1 or s.edition < 7:
        return men(s, s.at[u], s.stage.roster.side[u])
    return sum(1 << one for one in passengers(s, s.aboard[u])) & s.stage.roster.men


def armor_leader(s: State, u: int) -> int:
    """D3.4 the armor leader in a vehicle, -1 if there is none."""
    return next((one for one in passengers(s, u) if s.kind(one).kind == ARMOR_LEADER), -1)


def armor_bonus(s: State, u: int) -> int:
    """D3.4 what he adds to his vehicle's TH, MG, MC and bog DR."""
    leader = armor_leader(s, u)
    return s.kind(leader).leadership if leader >= 0 else 0


def crew_drm(s: State, u: int) -> int:
    """D3.4, D5.34 what a crew adds to every DR of its vehicle."""
    return armor_bonus(s, u) + (s.shaken >> u & 1)


def open_topped(s: State, u: int) -> bool:
    return vehicle_of(s, u).top == "OT"


def crewed(s: State, u: int) -> bool:
    """D5.1 whether a vehicle has its Inherent crew aboard: it is neither abandoned nor an unloaded portee."""
    away = s.abandoned | s.wreck | s.unloaded
    return vehicle_of(s, u).inherent != "none" and not away >> u & 1


def crew_exposed(s: State, u: int) -> bool:
    """D5.31 whether the Inherent crew can be attacked by small arms and HE: CE, open-topped or unarmoured."""
    kind = vehicle_of(s, u)
    if not crewed(s, u):
        return False
    return kind.top != "CT" or bool(s.exposed >> u & 1)


def exposed_riders(s: State, u: int) -> int:
    """D5.31 those aboard who can be attacked: all of an open-topped or unarmoured vehicle, Riders of any."""
    kind, roster = vehicle_of(s, u), s.stage.roster
    inside = sum(1 << one for one in passengers(s, u) if roster.men >> one & 1)
    return inside if kind.top != "CT" else inside & s.riding


def prc_drm(s: State, u: int) -> int:
    """D5.31, D6.2 what a crew or PRC as target adds: +2 behind armour, nothing for Riders or on trucks."""
    roster = s.stage.roster
    vehicle = u if roster.vehicles >> u & 1 else s.aboard[u]
    if vehicle_of(s, vehicle).move == "motorcycle":  # D15.1
        return int(s.stage.pack.tables["ift_drm"]["target_motorcyclist"])
    return 2 if vehicle_of(s, vehicle).armoured and not s.riding >> u & 1 else 0


def soft_targets(s: State, vehicles: int) -> int:
    """What small arms can hurt of some vehicles: unarmoured ones and exposed crews (as the vehicle), exposed PRC."""
    roster, vehicles = s.stage.roster, vehicles & ~s.wreck
    crews = roster.crewed & ~s.abandoned & (s.exposed | ~roster.closed_topped)  # as `crew_exposed`
    found = vehicles & (crews | ~roster.armoured)
    aboard = s.mounted & roster.men if vehicles else 0
    if aboard:  # as `exposed_riders`
        lids, carriers, riding = roster.closed_topped, s.aboard, s.riding
        for one in units_of(aboard):
            bit = 1 << carriers[one]
            if vehicles & bit and (riding >> one & 1 or not lids & bit):
                found |= 1 << one
    return found
