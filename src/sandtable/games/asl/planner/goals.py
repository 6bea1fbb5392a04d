"""What a side wants by its scenario's victory conditions: hexes to take, hexes to hold, ground to be on, whom to kill.

Every condition of `turn.victory` is read for the side that it serves and for the side that it must be denied to.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import hexes_in, units_of

from ..table.forces import force_of
from ..table.ids import ALLIED, SIDES
from ..table.state import State, taken_guns, vehicles
from ..turn.victory import CONDITIONS, area, kinds_of, of_class, scored

SOUGHT = 0.6
"""What a "?" is worth under which something may lie that must be eliminated."""
PRESENT = 0.5
"""What ground to be on at the end is worth."""
MEANWHILE = 0.2
"""What ground to be on at the end is worth as long as something is still to be eliminated."""
MARGIN, LAST = 1.3, 2.5
"""How much more own losses count where points are compared, and those of the last few who must be there at the end."""
SPARES = 2
"""Of each that must be there so many are the last few."""
DONE = 0.35
"""What is left of the pull of a hex that is taken already, or that is one more than is needed."""


@dataclass(slots=True)
class Aims:
    """What a side is after."""

    attacks: bool
    """Whether it has to bring the victory conditions about; the other side wins by denying them."""
    take: dict[Hex, float] = field(default_factory=dict)
    """Hex -> how much it is wanted, by whoever can get there."""
    hold: dict[Hex, float] = field(default_factory=dict)
    """Hexes of its own that must not be lost."""
    ground: Mask = 0
    """Where its units count at the end."""
    lack: float = 0.0
    """How much of what has to be on it is not there: 1 if all of it is missing, 0 if there is twice as much."""
    below: bool = True
    """Whether they count IN a wadi."""
    edge: int = -1
    """The edge by which its AFV are to leave: N, E, S, W."""
    prey: int = 0
    """Enemy pieces that must be eliminated."""
    treasure: int = 0
    """Own pieces that the enemy must eliminate, or that must still work at the end: a Gun that breaks down is lost."""
    care: float = 1.0
    """How much more own losses count, because they may end the game."""
    blood: float = 1.0
    """How much more than usual losses count, because they are counted."""


def aims_of(s: State, side: int) -> Aims:
    """The victory conditions as a side sees them now."""
    victory = s.stage.script["victory"]
    found = Aims(attacks=SIDES.index(victory["winner"]) == side and bool(victory["at_end"]))
    for goal in (*victory["at_end"], *victory.get("immediate", ())):
        READ[goal["type"]](s, side, goal, found)
    if found.ground and any(weight > 0.5 for weight in found.take.values()):
        for h in hexes_in(found.ground):
            if found.take.get(h) == PRESENT:
                found.take[h] = MEANWHILE
    if _keeps(victory):  # who has to hold something wins by it: it is the other side that has to come
        found.attacks = not found.attacks
    return found


def _keeps(victory: Mapping[str, Any]) -> bool:
    """Whether the condition of the side that is named is to keep what it has."""
    return any(goal["type"] == "functioning_guns_in_area" for goal in victory["at_end"])


def _controlled(s: State, side: int, where: Mask) -> Mask:
    return where & s.control if side == ALLIED else where & ~s.control


def _by_control(s: State, side: int, goal: Mapping[str, Any], where: Mask, found: Aims) -> None:
    """Hexes that somebody must control: taken by one side, held and taken back by the other."""
    wants = SIDES.index(goal["side"]) == side
    mine = _controlled(s, side, where)
    enough = mine.bit_count() >= int(goal["at_least"])
    for h in hexes_in(where):
        if mine >> h & 1:
            found.hold[h] = 1.0
        elif wants:
            found.take[h] = DONE if enough else 1.0
        else:
            found.take[h] = 0.5


def _posts(s: State, side: int, goal: Mapping[str, Any], found: Aims) -> None:
    _by_control(s, side, goal, s.posts, found)


def _hexes(s: State, side: int, goal: Mapping[str, Any], found: Aims) -> None:
    _by_control(s, side, goal, area(s.stage, goal), found)


def _area(s: State, side: int, goal: Mapping[str, Any], found: Aims) -> None:
    """Ground that must be clear of the enemy."""
    where = area(s.stage, goal)
    if SIDES.index(goal["side"]) == side:
        held = [h for h in hexes_in(where) if defended(s, 1 - side, h)]  # nobody wins by standing beside them
        found.take |= dict.fromkeys(held, 1.0) if held else dict.fromkeys(hexes_in(where), 0.6)
    else:
        found.ground |= where
        found.hold |= dict.fromkeys(hexes_in(where), 0.5)


def _points(s: State, side: int, goal: Mapping[str, Any], found: Aims) -> None:
    found.blood = max(found.blood, 1.3)
    if goal["type"] == "vp_scored" and SIDES.index(goal["side"]) != side:  # what one loses ends the game
        found.care = max(found.care, 1.3 + scored(s, 1 - side) / int(goal["at_least"]))
    if goal["type"] == "vp_lost_max" and SIDES.index(goal["side"]) == side:
        found.care = max(found.care, 1.0 + scored(s, 1 - side) / max(1, int(goal["max"])))
    if goal["type"] == "vp_margin_min" and SIDES.index(goal["side"]) == side:
        found.care = max(found.care, MARGIN)


def _presence(s: State, side: int, goal: Mapping[str, Any], found: Aims) -> None:
    """Ground on which one side's units must be at the end."""
    part = goal["area"]
    where = area(s.stage, part)
    if SIDES.index(goal["side"]) != side:
        return
    found.ground |= where
    stands = [CONDITIONS[kind][2](s, goal) for kind in kinds_of(goal)]
    found.lack = max(0.0, *(1 - one.counted / (2 * max(1, one.wanted)) for one in stands))
    found.below = not part.get("exclude_in_wadi", False)
    if "and_min" in goal:  # the last of those of whom some must be there are not to be lost
        left = of_class(s, sum(1 << u for u in units_of(s.stage.roster.of_side[side]) if s.at[u] >= 0), "afv")
        if 0 < left.bit_count() <= SPARES * int(goal["and_min"]["n"]):
            found.care = max(found.care, LAST)
    for h in hexes_in(where):
        found.take.setdefault(h, PRESENT)


def _prey(s: State, side: int, units: int, by: int, found: Aims) -> None:
    if by != side:
        found.treasure |= units
        return
    found.prey |= units
    for u in units_of(units & ~taken_guns(s)):
        if s.at[u] >= 0 and not s.concealed >> u & 1:
            found.take[s.at[u]] = 1.0
        elif s.concealed >> u & 1:
            for h in hexes_in(_under_a_mark(s, u)):
                found.take.setdefault(h, SOUGHT)


def _under_a_mark(s: State, u: int) -> Mask:
    """Where a piece that is still to be found could be: under any "?" where its force set up."""
    force = force_of(s.stage.scenario, u)
    theirs, found = s.stage.roster.of_side[s.stage.roster.side[u]] & s.concealed & ~s.hip, 0
    for h, pieces in s.here.items():
        found |= 1 << h if pieces & theirs else 0
    return found & (force.area if force is not None else 0)


def _eliminate_units(s: State, side: int, goal: Mapping[str, Any], found: Aims) -> None:
    by = SIDES.index(goal["by"])
    enemy = s.stage.roster.of_side[1 - by]
    _prey(s, side, sum(1 << u for u in units_of(enemy) if s.kind(u).id in goal["ids"]), by, found)


def _eliminate_class(s: State, side: int, goal: Mapping[str, Any], found: Aims) -> None:
    by = SIDES.index(goal["by"])
    _prey(s, side, of_class(s, s.stage.roster.of_side[1 - by], goal["unit_class"]), by, found)


def _guns(s: State, side: int, goal: Mapping[str, Any], found: Aims) -> None:
    """Guns that must still fire in an area at the end."""
    where, keeper = area(s.stage, goal), SIDES.index(goal["side"])
    if keeper == side:
        found.treasure |= s.stage.roster.guns & s.stage.roster.of_side[side]
        found.ground |= where
        found.hold |= dict.fromkeys(hexes_in(where), 0.5)
        return
    guns = s.stage.roster.guns & s.stage.roster.of_side[keeper]
    _prey(s, side, sum(1 << g for g in units_of(guns) if s.at[g] >= 0 and where >> s.at[g] & 1), side, found)
    for h in hexes_in(where):
        found.take.setdefault(h, 0.4)


def _exit(s: State, side: int, goal: Mapping[str, Any], found: Aims) -> None:
    if SIDES.index(goal["side"]) == side:
        found.edge = "NESW".index(goal["edge"])


READ = {
    "control_start_fortifications": _posts,
    "control_hexes": _hexes,
    "control_area": _area,
    "vp_compare": _points,
    "vp_margin_min": _points,
    "vp_scored": _points,
    "vp_lost_max": _points,
    "vp_in_area": _presence,
    "eliminate_units": _eliminate_units,
    "silence_units": _eliminate_units,
    "eliminate_class": _eliminate_class,
    "functioning_guns_in_area": _guns,
    "exit": _exit,
}


def exit_hexes(s: State, edge: int) -> Mask:
    """The hexes of the map by which one leaves over an edge."""
    return s.stage.field.edges["NESW"[edge]]


def defended(s: State, side: int, h: Hex) -> bool:
    """Whether somebody of a side who counts is in a hex."""
    roster = s.stage.roster
    here = s.here.get(h, 0) & roster.of_side[side] & (roster.men | roster.dummies) & ~(s.captive | s.hip)
    return bool(here | vehicles(s, h, side))


# How near victory is

LEEWAY = 12.0
"""Points by which a comparison of points tips."""
FEW_LEFT = 3.0
"""So many enemies in an area that must be clear of them count half."""


def nearness(s: State) -> float:
    """How much of what the scenario asks for at its end is there now, between 0 and 1."""
    victory = s.stage.script["victory"]
    shares = [_share(s, goal, kind) for goal in victory["at_end"] for kind in kinds_of(goal)]
    found = sum(shares) / len(shares)
    for goal in victory.get("immediate", ()):
        at_once = min(_share(s, goal, kind) for kind in kinds_of(goal))
        found += (1 - found) * at_once**3
    return found


def _share(s: State, goal: Mapping[str, Any], kind: str) -> float:
    stand = CONDITIONS[kind][2](s, goal)
    if kind == "control_area":
        return FEW_LEFT / (FEW_LEFT + stand.counted)
    if kind in ("vp_compare", "vp_margin_min"):
        return 1 / (1 + math.exp((stand.wanted - stand.counted) / LEEWAY))
    if kind == "vp_lost_max":
        return 1 / (1 + math.exp((stand.counted - stand.wanted) / LEEWAY))
    return min(1.0, stand.counted / stand.wanted) if stand.wanted > 0 else 1.0
