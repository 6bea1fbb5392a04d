"""A26 Victory: control, points, and the conditions of the scenarios.

Each condition of a scenario's `[victory]` is a row with a type; what it asks is worked out here. All of `at_end` must
hold at the end for the winner that the scenario names; any of `immediate` ends the game at once (A3.9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from sandtable.engine.contract import Outcome, Tally, verdict
from sandtable.engine.hexes import Mask
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.masks import units_of

from ..boards.locations import Place
from ..table.ids import ALLIED, ARMOR_LEADER, EXITED, GONE, MMC, SIDES
from ..table.stage import Stage
from ..table.state import State, good_order, mobile, points_of, taken_guns
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
    gone = [u for u in units_of(roster.of_side[side]) if s.at[u] == EXITED]
    if s.edition > 6:  # AMB-81 not an armor leader who has left the battle with his crew
        gone = [u for u in gone if u in s.exits or s.kind(u).kind != ARMOR_LEADER]
    return sum(worth(s, u) for u in gone)


def lost_by(s: State, side: int) -> int:
    """A26.2 what a side has lost; AMB-57 a Gun that the enemy has counts double as long as he has it."""
    taken = taken_guns(s) & s.stage.roster.of_side[side]
    return s.lost_points[side] + 2 * sum(points_of(s, g) for g in units_of(taken))


def scored(s: State, side: int) -> int:
    """A26.2 the points that a side has: what the other has lost, captured pieces doubled."""
    return lost_by(s, 1 - side) + exited_points(s, 1 - side)


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
    guns &= ~taken_guns(s)
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


class Stand(NamedTuple):
    """How a condition stands: whether it is met, what is counted, and what that is compared with."""

    met: bool
    counted: int
    wanted: int


def at_least(count: int, wanted: Any) -> Stand:
    return Stand(count >= int(wanted), count, int(wanted))


def at_most(count: int, wanted: Any) -> Stand:
    return Stand(count <= int(wanted), count, int(wanted))


def control_posts(s: State, goal: Goal) -> Stand:
    return at_least(posts_held(s, SIDES.index(goal["side"])), goal["at_least"])


def posts_held(s: State, side: int) -> int:
    """A26.1 hexes that held a sangar at the start and that a side controls."""
    held = (s.control & s.posts).bit_count()
    return held if side == ALLIED else s.posts.bit_count() - held


def control_hexes(s: State, goal: Goal) -> Stand:
    where = area(s.stage, goal)
    held = s.control & where if goal["side"] == SIDES[ALLIED] else where & ~s.control
    return at_least(held.bit_count(), goal["at_least"])


def control_area(s: State, goal: Goal) -> Stand:
    """Nobody of the enemy's in Good Order is there: no MMC, no manned Gun, no mobile AFV."""
    other = 1 - SIDES.index(goal["side"])
    there = present(s, other, area(s.stage, goal))
    mmc = sum(1 << u for u in units_of(there & s.stage.roster.men) if s.kind(u).kind in MMC)
    return at_most((mmc | of_class(s, there, "gun") | of_class(s, there, "afv")).bit_count(), 0)


def vp_compare(s: State, goal: Goal) -> Stand:
    side = SIDES.index(goal["more"])
    own, other = scored(s, side), scored(s, 1 - side)
    return Stand(own > other, own, other)


def vp_margin(s: State, goal: Goal) -> Stand:
    side = SIDES.index(goal["side"])
    return at_least(scored(s, side) - scored(s, 1 - side), goal["at_least"])


def vp_scored(s: State, goal: Goal) -> Stand:
    return at_least(scored(s, SIDES.index(goal["side"])), goal["at_least"])


def vp_lost(s: State, goal: Goal) -> Stand:
    return at_most(scored(s, 1 - SIDES.index(goal["side"])), goal["max"])


def present_in(s: State, goal: Goal) -> int:
    """The Good Order units of a side in the area of a condition."""
    part = goal["area"]
    return present(s, SIDES.index(goal["side"]), area(s.stage, part), not part.get("exclude_in_wadi", False))


def vp_in_area(s: State, goal: Goal) -> Stand:
    """Good Order units worth so many points in an area."""
    return at_least(sum(worth(s, u) for u in units_of(present_in(s, goal))), goal["at_least"])


def class_in_area(s: State, goal: Goal) -> Stand:
    """So many of a class among them."""
    least = goal["and_min"]
    return at_least(of_class(s, present_in(s, goal), least["unit_class"]).bit_count(), least["n"])


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


def eliminate_units(s: State, goal: Goal) -> Stand:
    roster = s.stage.roster
    enemy = roster.of_side[1 - SIDES.index(goal["by"])]
    wanted = sum(1 << u for u in units_of(enemy) if s.kind(u).id in goal["ids"])
    return at_least(lost_for_good(s, wanted).bit_count(), goal["at_least"])


def silence_units(s: State, goal: Goal) -> Stand:
    """The same, and Guns that nobody serves."""
    roster = s.stage.roster
    enemy = roster.of_side[1 - SIDES.index(goal["by"])]
    wanted = sum(1 << u for u in units_of(enemy) if s.kind(u).id in goal["ids"])
    idle = sum(1 << g for g in units_of(wanted & roster.guns & ~s.mounted) if s.at[g] >= 0 and s.holder[g] < 0)
    return at_least((lost_for_good(s, wanted) | idle).bit_count(), goal["at_least"])


def eliminate_class(s: State, goal: Goal) -> Stand:
    enemy = s.stage.roster.of_side[1 - SIDES.index(goal["by"])]
    return at_least(lost_for_good(s, of_class(s, enemy, goal["unit_class"])).bit_count(), goal["at_least"])


def functioning_guns(s: State, goal: Goal) -> Stand:
    """Guns of a side that are manned and have not malfunctioned, in an area."""
    there = present(s, SIDES.index(goal["side"]), area(s.stage, goal))
    return at_least(of_class(s, there, "gun").bit_count(), goal["at_least"])


def exit_units(s: State, goal: Goal) -> Stand:
    """So many mobile AFV have left by an edge."""
    own = s.stage.roster.of_side[SIDES.index(goal["side"])]
    edge = "NESW".index(goal["edge"])
    gone = sum(1 << u for u, by in s.exits.items() if by == edge and own >> u & 1)
    return at_least(of_class(s, gone, goal["unit_class"]).bit_count(), goal["at_least"])


CONDITIONS: Mapping[str, tuple[str, str, Callable[[State, Goal], Stand]]] = {
    "control_start_fortifications": ("A26.1", term("Hexes that held a sangar, controlled by {side}"), control_posts),
    "control_hexes": ("A26.1", term("Hexes controlled by {side}: {area}"), control_hexes),
    "control_area": ("A26.1", term("Enemies of {side} in Good Order: {area}"), control_area),
    "vp_compare": ("A26.2", term("Points scored by {side}, more than the enemy"), vp_compare),
    "vp_margin_min": ("A26.2", term("Points scored by {side} less those of the enemy"), vp_margin),
    "vp_scored": ("A26.2", term("Points scored by {side}"), vp_scored),
    "vp_lost_max": ("A26.2", term("Points lost by {side}"), vp_lost),
    "vp_in_area": ("A26.2", term("Points of {side} in Good Order: {area}"), vp_in_area),
    "class_in_area": ("A26.2", term("Mobile AFV of {side}: {area}"), class_in_area),
    "eliminate_units": ("A26.2", term("Guns lost to {side} or malfunctioned: {kinds}"), eliminate_units),
    "silence_units": ("A26.2", term("Guns lost to {side}, malfunctioned or unmanned: {kinds}"), silence_units),
    "eliminate_class": ("A26.2", term("Guns lost to {side} or malfunctioned"), eliminate_class),
    "functioning_guns_in_area": ("A26.2", term("Manned, functioning Guns of {side}: {area}"), functioning_guns),
    "exit": ("A26.2", term("Mobile AFV of {side} off the {edge} edge"), exit_units),
}
"""What each condition counts, by which rule."""

EDGE_WORDS = {"N": "north", "E": "east", "S": "south", "W": "west"}

COMPARED_LINES = {
    "vp_compare": term("{n} against {wanted}"),
    "vp_margin_min": term("{n}, at least {wanted}"),
    "control_area": term("{n}, at most {wanted}"),
    "vp_lost_max": term("{n}, at most {wanted}"),
}


def kinds_of(goal: Goal) -> tuple[str, ...]:
    """The conditions that a row asks for: some ask for two."""
    return (goal["type"], "class_in_area") if "and_min" in goal else (goal["type"],)


def holds(s: State, goal: Goal) -> bool:
    return all(CONDITIONS[kind][2](s, goal).met for kind in kinds_of(goal))


def area_said(goal: Goal) -> Said:
    """The hexes of a condition as one says them."""
    part = goal.get("area", goal)
    if "tag" in part:
        return Text("the deir of {board}", board=part["board"])
    if "terrain" in part:
        return Text("buildings of {board}", board=part["board"])
    if "cols" not in part or (part["cols"], part["rows"]) == (["A", "GG"], [1, 10]):
        return str(part.get("board", ""))
    (first, last), (top, foot) = part["cols"], part["rows"]
    facts = {"board": part["board"], "first": first, "last": last, "top": top, "foot": foot}
    if part.get("exclude_in_wadi", False):
        return Text.of("{board}, columns {first} to {last}, not IN a wadi", facts)
    return Text.of("{board}, columns {first} to {last}, rows {top} to {foot}", facts)


def asked(s: State, goal: Goal) -> Iterator[Tally]:
    """What a row asks for, and how that stands."""
    side = SIDES.index(goal.get("side") or goal.get("more") or goal["by"])
    names = tuple(kind.name for kind in s.stage.roster.types if kind.id in goal.get("ids", ()))
    facts = {"side": side, "area": area_said(goal), "edge": EDGE_WORDS.get(goal.get("edge", ""), ""), "kinds": names}
    for kind in kinds_of(goal):
        rule, template, look = CONDITIONS[kind]
        stand = look(s, goal)
        value = Text.of(COMPARED_LINES.get(kind, term("{n} of {wanted}")), {"n": stand.counted, "wanted": stand.wanted})
        yield Tally(rule, Text.of(template, facts), value, met=stand.met)


def reckon(s: State) -> Iterator[Tally]:
    """A3.9 the points of both sides, what wins at once, and what is asked at game end."""
    for side in range(2):
        lost = Tally("A26.2", "Enemies eliminated or captured", points=lost_by(s, 1 - side))
        gone = Tally("A26.2", "Enemies off the map", points=exited_points(s, 1 - side))
        text = Text("Points scored by {side}", side=side)
        yield Tally("A26.2", text, points=scored(s, side), parts=(lost, gone) if gone.points else (lost,))
    victory = s.stage.script["victory"]
    for goal in victory.get("immediate", ()):
        parts = tuple(asked(s, goal))
        won = all(part.met for part in parts)
        yield Tally("A3.9", "At once", met=won, ends=won_by(s, victory["winner"]), parts=parts)
    parts = tuple(line for goal in victory["at_end"] for line in asked(s, goal))
    won = all(part.met for part in parts)
    yield Tally("A3.9", "At game end", met=won, ends=won_by(s, victory["winner"]), parts=parts)
    yield Tally("A3.9", "Otherwise", met=True, ends=won_by(s, victory["otherwise"]))


def won_by(s: State, side: str) -> Outcome:
    winner = SIDES.index(side)
    return Outcome(winner, "victory", scored(s, winner) - scored(s, 1 - winner), "A3.9")


def at_once(s: State) -> bool:
    """A3.9 an immediate condition ends the game."""
    if s.ended is None and any(holds(s, goal) for goal in s.stage.script["victory"].get("immediate", ())):
        judge(s)
        return True
    return False


def judge(s: State) -> None:
    """A3.9 the scenario's own conditions: the first line that is met decides."""
    s.ended = verdict(reckon(s))
    assert s.ended is not None
    points = [scored(s, side) for side in range(2)]
    facts = {"winner": s.ended.winner, "axis": points[0], "allied": points[1]}
    emit(s, "game_over", "A3.9", facts, final=True)
    s.stack = []
