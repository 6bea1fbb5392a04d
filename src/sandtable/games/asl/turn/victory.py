"""A26 Victory: control, points, and the conditions of the scenarios.

Each condition of a scenario's `[victory]` is a row with a type; what it asks is worked out here. All of `at_end` must
hold at the end for the winner that the scenario names; any of `immediate` ends the game at once (A3.9).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.engine.contract import Outcome
from sandtable.engine.hexes import Mask
from sandtable.mechanics.masks import units_of

from ..boards.locations import Place
from ..table.ids import ALLIED, EXITED, GONE, MMC, SIDES
from ..table.stage import Stage
from ..table.state import State, good_order, mobile, points_of
from ..table.telling import emit

Goal = Mapping[str, Any]


# Points


def crew_value(s: State, u: int) -> int:
    """F.3e what the Inherent crew of a vehicle adds; D5.7 a driver adds nothing."""
    kind = s.kind(u).vehicle
    if kind is None or kind.inherent == "none" or (s.abandoned | s.unloaded) >> u & 1:
        return 0
    chart = s.stage.pack.tables["victory_points"]
    return int(chart["inherent_hs" if kind.inherent == "hs" else "inherent_crew"])


def worth(s: State, u: int) -> int:
    """A26.2, A26.21 the points of a piece with the crew inherent in it."""
    return points_of(s, u) + crew_value(s, u)


def exited_points(s: State, side: int) -> int:
    """What has left the map, where the scenario counts that as eliminated."""
    if not s.stage.script["victory"].get("exited_count_as_eliminated", False):
        return 0
    roster = s.stage.roster
    return sum(worth(s, u) for u in units_of(roster.of_side[side]) if s.at[u] == EXITED)


def scored(s: State, side: int) -> int:
    """A26.2 the points that a side has: what the other has lost, captured pieces doubled."""
    return s.lost_points[1 - side] + exited_points(s, 1 - side)


# Areas


def area(place: Stage, given: Goal) -> Mask:
    """The hexes of a condition: a part of a board, or the hexes of a board with a tag or of a terrain."""
    if "cols" in given:
        return place.mask_of(given)
    found: Mask = place.field.boards[str(given["board"])]
    if "tag" in given:
        found &= place.field.tags[str(given["tag"])]
    if "terrain" in given:
        found &= place.field.ground.get(str(given["terrain"]), 0)
    return found


def present(s: State, side: int, where: Mask, in_wadi: bool = True) -> int:
    """Good Order units and mobile vehicles of a side in some hexes (A26.2)."""
    roster, found = s.stage.roster, 0
    for h, pieces in s.here.items():
        if where >> h & 1:
            found |= pieces
    own = found & roster.of_side[side]
    ready = good_order(s, own & roster.men & ~s.captive)
    driven = own & roster.vehicles & ~(s.wreck | s.abandoned)
    guns = sum(1 << g for g in units_of(own & roster.guns) if s.holder[g] >= 0 and not s.jammed >> g & 1)
    whole = ready | driven | guns
    return whole if in_wadi else sum(1 << u for u in units_of(whole) if s.place[u] != Place.IN)


def of_class(s: State, units: int, word: str) -> int:
    """Those of some pieces that are mobile AFV, or Guns."""
    if word == "afv":
        return sum(1 << u for u in units_of(mobile(s, units)) if (v := s.kind(u).vehicle) is not None and v.armoured)
    if word == "gun":
        return units & s.stage.roster.guns
    raise ValueError(f"no class of units is called {word!r}")


# Conditions


def control_posts(s: State, goal: Goal) -> bool:
    return posts_held(s, SIDES.index(goal["side"])) >= int(goal["at_least"])


def posts_held(s: State, side: int) -> int:
    """A26.1 hexes that held a sangar at the start and that a side controls."""
    held = (s.control & s.posts).bit_count()
    return held if side == ALLIED else s.posts.bit_count() - held


def control_hexes(s: State, goal: Goal) -> bool:
    where = area(s.stage, goal)
    held = s.control & where if goal["side"] == SIDES[ALLIED] else where & ~s.control
    return held.bit_count() >= int(goal["at_least"])


def control_area(s: State, goal: Goal) -> bool:
    """Nobody of the enemy's in Good Order is there: no MMC, no manned Gun, no mobile AFV."""
    other = 1 - SIDES.index(goal["side"])
    there = present(s, other, area(s.stage, goal))
    mmc = sum(1 << u for u in units_of(there & s.stage.roster.men) if s.kind(u).kind in MMC)
    return not (mmc | of_class(s, there, "gun") | of_class(s, there, "afv"))


def vp_compare(s: State, goal: Goal) -> bool:
    side = SIDES.index(goal["more"])
    return scored(s, side) > scored(s, 1 - side)


def vp_margin(s: State, goal: Goal) -> bool:
    side = SIDES.index(goal["side"])
    return scored(s, side) - scored(s, 1 - side) >= int(goal["at_least"])


def vp_scored(s: State, goal: Goal) -> bool:
    return scored(s, SIDES.index(goal["side"])) >= int(goal["at_least"])


def vp_lost(s: State, goal: Goal) -> bool:
    side = SIDES.index(goal["side"])
    return scored(s, 1 - side) <= int(goal["max"])


def vp_in_area(s: State, goal: Goal) -> bool:
    """Good Order units worth so many points in an area, and so many of a class among them."""
    part = goal["area"]
    there = present(s, SIDES.index(goal["side"]), area(s.stage, part), not part.get("exclude_in_wadi", False))
    least = goal.get("and_min")
    if least is not None and of_class(s, there, least["unit_class"]).bit_count() < int(least["n"]):
        return False
    return sum(worth(s, u) for u in units_of(there)) >= int(goal["at_least"])


def lost_for_good(s: State, units: int) -> int:
    """Guns eliminated, captured or malfunctioned; others eliminated. Who has left the map counts where he may not."""
    side_of = s.stage.roster.side
    out = s.stage.script["victory"].get("exited_count_as_eliminated", False)
    found = 0
    for u in units_of(units):
        holder = s.holder[u]
        taken = holder >= 0 and side_of[holder] != side_of[u]
        if s.at[u] == GONE or s.jammed >> u & 1 or taken or (out and s.at[u] == EXITED):
            found |= 1 << u
    return found


def eliminate_units(s: State, goal: Goal) -> bool:
    roster = s.stage.roster
    enemy = roster.of_side[1 - SIDES.index(goal["by"])]
    wanted = sum(1 << u for u in units_of(enemy) if s.kind(u).id in goal["ids"])
    return lost_for_good(s, wanted).bit_count() >= int(goal["at_least"])


def eliminate_class(s: State, goal: Goal) -> bool:
    enemy = s.stage.roster.of_side[1 - SIDES.index(goal["by"])]
    return lost_for_good(s, of_class(s, enemy, goal["unit_class"])).bit_count() >= int(goal["at_least"])


def functioning_guns(s: State, goal: Goal) -> bool:
    """Guns of a side that are manned and have not malfunctioned, in an area."""
    there = present(s, SIDES.index(goal["side"]), area(s.stage, goal))
    return of_class(s, there, "gun").bit_count() >= int(goal["at_least"])


def exit_units(s: State, goal: Goal) -> bool:
    """So many mobile AFV have left by an edge."""
    own = s.stage.roster.of_side[SIDES.index(goal["side"])]
    edge = "NESW".index(goal["edge"])
    gone = sum(1 << u for u, by in s.exits.items() if by == edge and own >> u & 1)
    return of_class(s, gone, goal["unit_class"]).bit_count() >= int(goal["at_least"])


CONDITIONS: Mapping[str, Callable[[State, Goal], bool]] = {
    "control_start_fortifications": control_posts,
    "control_hexes": control_hexes,
    "control_area": control_area,
    "vp_compare": vp_compare,
    "vp_margin_min": vp_margin,
    "vp_scored": vp_scored,
    "vp_lost_max": vp_lost,
    "vp_in_area": vp_in_area,
    "eliminate_units": eliminate_units,
    "eliminate_class": eliminate_class,
    "functioning_guns_in_area": functioning_guns,
    "exit": exit_units,
}


def holds(s: State, goal: Goal) -> bool:
    return CONDITIONS[goal["type"]](s, goal)


def at_once(s: State) -> bool:
    """A3.9 an immediate condition ends the game."""
    victory = s.stage.script["victory"]
    if s.ended is None and any(holds(s, goal) for goal in victory.get("immediate", ())):
        end(s, SIDES.index(victory["winner"]))
        return True
    return False


def judge(s: State) -> None:
    """A3.9 the scenario's own conditions at game end."""
    victory = s.stage.script["victory"]
    won = all(holds(s, goal) for goal in victory["at_end"])
    end(s, SIDES.index(victory["winner"] if won else victory["otherwise"]))


def end(s: State, winner: int) -> None:
    points = [scored(s, side) for side in range(2)]
    facts = {"winner": winner, "axis": points[0], "allied": points[1]}
    emit(s, "game_over", "A3.9", facts, final=True)
    s.stack = []
    s.ended = Outcome(winner, "victory", points[winner] - points[1 - winner], "A3.9")
