"""What must hold at every moment."""

from __future__ import annotations

from sandtable.mechanics.masks import units_of

from .table.forces import forces
from .table.ids import OFFMAP, SMC, UNUSED
from .table.minefields import WAITING
from .table.scenarios import SetupAt
from .table.state import HARD_MARKS, State, all_men, men

MOST_EQUIVALENTS, MOST_SINGLE, MOST_GUNS = 6, 4, 2
"""A5.1 squad equivalents in halves, SMC and Guns of a side in a Location."""


def faults(s: State) -> list[str]:
    """Pieces are where they are noted, weapons where their users are, markers on those who can have them."""
    found = []
    names = s.stage.roster.names
    for h, pieces in s.here.items():
        found += [f"{names[u]} is noted in {s.stage.grid.names[h]}" for u in units_of(pieces) if s.at[u] != h]
    for u, h in enumerate(s.at):
        if h >= 0 and not s.here.get(h, 0) >> u & 1:
            found.append(f"{names[u]} is noted nowhere")
    for w, u in enumerate(s.holder):
        if u >= 0 and s.at[w] != s.at[u]:
            found.append(f"{names[w]} is not with {names[u]}")
        if u >= 0 and s.at[u] < -1 and s.at[u] not in (OFFMAP, WAITING):
            found.append(f"{names[w]} is held by {names[u]}, who is gone")
    living = all_men(s, 0) | all_men(s, 1) | s.captive | s.mounted
    for name in ("broken", "dm", "pinned", "cx", "wounded", "disrupted", "melee"):
        wrong = getattr(s, name) & ~living
        found += [f"{names[u]} is {name} and not on the map" for u in units_of(wrong)]
    found += [f"{names[u]} is DM and not broken" for u in units_of(s.dm & ~s.broken)]
    return found + _counted(s) + _veiled(s) + _hardware(s) + _stacked(s)


def _stacked(s: State) -> list[str]:
    """A5.1 three squad equivalents, four SMC and two Guns of a side in a Location, and one vehicle as they are set up.

    Whoever moves may pass; whoever was broken, pinned or held where there are too many stays there. Vehicles may have
    to end their moves together (AMB-87).
    """
    roster, found = s.stage.roster, []
    names, setting_up = s.stage.grid.names, any(isinstance(f, SetupAt) for f in s.stack)
    moving = 0 if s.move is None else s.move.movers | s.move.escort
    held = s.broken | s.pinned | s.melee | moving
    for h, pieces in s.here.items():
        for side in range(2):
            able = men(s, h, side) & ~held
            single = sum(1 for u in units_of(able) if s.kind(u).kind in SMC)
            size = sum(s.kind(u).equivalents for u in units_of(able))  # whoever takes over a Gun stays with it (A5.5)
            if size > MOST_EQUIVALENTS or single > MOST_SINGLE:
                found.append(f"too many men are in {names[h]}")
            own = pieces & roster.of_side[side]
            if (own & roster.guns & ~s.mounted).bit_count() > MOST_GUNS:
                found.append(f"too many Guns are in {names[h]}")
            if setting_up and (own & roster.vehicles & ~s.wreck).bit_count() > 1:
                found.append(f"too many vehicles are in {names[h]}")
    return found


def _counted(s: State) -> list[str]:
    """Units are conserved: whoever belongs to the scenario is on the map, in a box, or waits for his turn to come."""
    roster, found = s.stage.roster, []
    pieces = sum(force.members for force in forces(s.stage.scenario)) & ~roster.works
    for u in units_of(pieces):
        if s.at[u] == UNUSED:
            found.append(f"{roster.names[u]} belongs to the scenario and is nowhere")
    for w, u in enumerate(s.holder):
        if u >= 0 and not (roster.men | roster.vehicles) >> u & 1:
            found.append(f"{roster.names[w]} is held by {roster.names[u]}, who cannot")
    for u, by in s.guard.items():
        if roster.side[u] == roster.side[by] or not s.captive >> u & 1:
            found.append(f"{roster.names[u]} is guarded by {roster.names[by]} and no prisoner")
    return found


def _veiled(s: State) -> list[str]:
    """A12.1, A12.3 a "?" lies on those who can have one."""
    roster = s.stage.roster
    names = roster.names
    found = [f"{names[u]} is hidden and not concealed" for u in units_of(s.hip & ~(s.concealed | roster.works))]
    found += [f"{names[u]} is broken under a ?" for u in units_of(s.concealed & s.broken)]
    found += [f"{names[u]} is a prisoner under a ?" for u in units_of(s.concealed & s.captive)]
    able = roster.men | roster.guns | roster.dummies | roster.vehicles
    found += [f"{names[u]} is no unit and under a ?" for u in units_of(s.concealed & ~able)]
    found += [f"{names[u]} is a dummy in sight" for u in units_of(roster.dummies & ~s.concealed) if s.at[u] >= 0]
    return found


def _hardware(s: State) -> list[str]:
    """Vehicles and Guns: markers on those who can have them, facings that exist, crews and Passengers with them."""
    roster = s.stage.roster
    names, hard = roster.names, roster.vehicles | roster.guns
    found = [
        f"{names[u]} is {name} and no vehicle or Gun" for name in HARD_MARKS for u in units_of(getattr(s, name) & ~hard)
    ]
    found += [f"{names[u]} is no Gun" for u in units_of((s.emplaced | s.limbered) & ~roster.guns)]
    found += [f"{names[u]} burns and is no wreck" for u in units_of(s.burning & ~s.wreck)]
    found += [f"{names[u]} is in Reverse Motion and not in Motion" for u in units_of(s.backing & ~s.motion)]
    still = s.wreck | s.immobile | s.bogged | s.abandoned
    found += [f"{names[u]} is in Motion and cannot move" for u in units_of(s.motion & still)]
    found += [f"{names[u]} is mired and not bogged" for u in units_of(s.mired & ~s.bogged)]
    for u in units_of(hard):
        if s.vca[u] > 5 or s.tca[u] > 5:
            found.append(f"{names[u]} faces nowhere")
    for u, v in enumerate(s.aboard):
        if (v >= 0) != bool(s.mounted >> u & 1):
            found.append(f"{names[u]} is aboard, or is not")
        elif v >= 0 and (not roster.vehicles >> v & 1 or s.wreck >> v & 1 or s.at[u] != s.at[v]):
            found.append(f"{names[u]} is not with {names[v]}, its vehicle")
    for u in units_of(roster.vehicles):
        kind = s.kind(u).vehicle
        if kind is not None and (s.jam[u] | s.off[u] | s.used[u]) & ~kind.weapons:
            found.append(f"{names[u]} has no such weapon")
    return found
