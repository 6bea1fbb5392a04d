"""D3 Victory Determination: points for places, exits and losses, and who has won (15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.contract import Outcome
from sandtable.engine.hexes import Hex

from ..supply.lines import supplied
from ..table.ids import ALLIED, AXIS, NATIONS, SIDES
from ..table.ratings import Drm
from ..table.script import script
from ..table.state import State
from ..table.zones import controls

LEVEL_WORDS = {
    "axis_decisive": (AXIS, "Axis decisive victory"),
    "axis_marginal": (AXIS, "Axis marginal victory"),
    "draw": (None, "Draw"),
    "allied_marginal": (ALLIED, "Allied marginal victory"),
    "allied_decisive": (ALLIED, "Allied decisive victory"),
}


def score(s: State) -> list[Drm]:
    """15.15, 15.25, 15.35 the net points of the Axis as they stand, item by item."""
    victory = script(s).victory
    rule = victory["rule"]
    places = sum(place["vp"] for place in victory.get("hexes", ()) if controls(s, AXIS, _hex(s, place)))
    theirs = sum(place["vp"] for place in victory.get("allied_hexes", ()) if controls(s, ALLIED, _hex(s, place)))
    found = [Drm(places, rule, "places"), Drm(-theirs, rule, "places of the Allies")]
    for loss in victory.get("loss", ()):
        steps = sum(s.lost[NATIONS.index(nation)] for nation in loss["nations"])
        value = steps // loss["steps_per_point"] * loss["points"]
        sign = 1 if loss["scorer"] == SIDES[AXIS] else -1
        found.append(Drm(sign * value, rule, " and ".join(loss["nations"]) + " losses"))
    for loss in victory.get("leader_loss", ()):
        count = sum(1 for name in loss["units"] if s.captured >> s.board.unit_index[name] & 1)
        found.append(Drm(count * loss["points"], rule, "leaders taken"))
    found.append(Drm(exit_points(s, AXIS), "14.36", "Axis exits"))
    found.append(Drm(-exit_points(s, ALLIED), "14.36", "Allied exits"))
    found.append(Drm(-s.penalty, "15.23d", "Mareth"))
    return [item for item in found if item.value]


def net(s: State) -> int:
    """Axis points less Allied points."""
    return sum(item.value for item in score(s))


def exit_points(s: State, side: int) -> int:
    """14.36, 15.25b, 15.25e the points for steps that left the map in supply: the best of them, so many at most."""
    table = script(s).victory.get(f"exit_{SIDES[side]}")
    if not table:
        return 0
    board = s.board
    each: list[int] = []
    for u, h in s.left_at.items():
        if board.side[u] == side:
            for row in table["score"]:
                if NATIONS[board.nation[u]] in row["nations"] and board.grid.names[h] in row["hexes"]:
                    each += [row["points_per_step"]] * (board.steps[u] - s.step[u])
    return sum(sorted(each, reverse=True)[: table["max_steps"]])


def steps_exited(s: State, side: int, nations: list[str], hexes: list[str]) -> int:
    """14.36 the steps of some nations that left by some hexes in supply."""
    board = s.board
    return sum(
        board.steps[u] - s.step[u]
        for u, h in s.left_at.items()
        if board.side[u] == side and NATIONS[board.nation[u]] in nations and board.grid.names[h] in hexes
    )


def holds(s: State, condition: Mapping[str, Any]) -> bool:
    """One condition of a scenario's list."""
    kind, side = condition["kind"], SIDES.index(condition["side"])
    if kind == "controls":
        return controls(s, side, _hex(s, condition))
    if kind == "hex_in_supply":
        return bool(supplied(s, side) >> _hex(s, condition) & 1)
    if kind == "steps_exited":
        return steps_exited(s, side, condition["nations"], condition["hexes"]) >= int(condition["at_least"])
    nations = condition.get("nations") or (NATIONS[:2] if side == AXIS else NATIONS[2:])
    lost: int = sum(s.lost[NATIONS.index(nation)] for nation in nations)
    return lost >= int(condition["at_least"])


def determine(s: State) -> Outcome | None:
    """D3 an immediate victory, or after the last turn the level that has been reached."""
    play = script(s)
    victory = play.victory
    for instant in victory.get("instant", ()):
        if s.turn >= instant["first_turn"] and all(holds(s, condition) for condition in instant["all"]):
            return _outcome(s, instant["result"])
    if s.turn < play.last:
        return None
    for result in victory.get("result", ()):  # 15.05b tested in this order
        if any(all(holds(s, condition) for condition in case["all"]) for case in result["any"]):
            return _outcome(s, result["result"])
    points = net(s)
    for level in victory.get("level", ()):
        if level.get("edition", s.edition) != s.edition:
            continue
        if "net_at_least" not in level or points >= level["net_at_least"]:
            return _outcome(s, level["result"])
    raise AssertionError("the levels of victory have a gap")


def turn_penalty(s: State) -> int:
    """15.23d the points that the end of this turn costs the Axis."""
    found = 0
    for item in script(s).victory.get("turn_penalty", ()):
        there = s.on_map[AXIS] & s.board.of_formation[item["when"]["formation"]]
        if s.turn >= item["first_turn"] and there.bit_count() > item["when"]["units_on_map_more_than"]:
            found -= item["points"]
    return found


def _outcome(s: State, result: str) -> Outcome:
    winner, level = LEVEL_WORDS[result]
    points = net(s) if script(s).victory["kind"] == "points" else 0
    return Outcome(winner, level, points, script(s).victory["rule"])


def _hex(s: State, item: Mapping[str, Any]) -> Hex:
    return s.board.grid.index[item["hex"]]
