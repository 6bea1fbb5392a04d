"""What units, places and exits are worth by the victory conditions of the scenario that is played (15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import enemy, units_of

from ..table.ids import ALLIED, AXIS, NATIONS, SIDES
from ..table.script import script
from ..table.state import State
from ..table.zones import controls
from ..turn.victory import net, steps_exited

MENTIONED = 4.0  # points that a hex is taken to be worth for each condition that names it (15.05b)
DECIDES = 12.0  # for a hex that decides alone
DAILY = (2, 5)  # steps of the Axis, of the Allies that a day may cost
NEARLY = 1.8  # what a step is worth besides on the last day if those that are wanted may fall


class Stakes(NamedTuple):
    """What a scenario is about; worked out once."""

    places: dict[Hex, float]  # points for their control, whoever scores them
    step: tuple[float, ...]  # nation -> points for a step eliminated
    exits: tuple[dict[Hex, dict[int, float]], ...]  # side -> exit hex -> nation -> points for a step
    exit_most: tuple[int, ...]  # side -> steps that count
    instant: tuple[tuple[int, Mapping[str, Any]], ...]  # winner, condition: steps exited that end the game
    first_exit: tuple[int, ...]  # side -> the first turn in which it may exit
    ends_the_game: Mask  # exit hexes by which enough steps end the game
    asked: tuple[tuple[int, int], ...]  # side, steps: losses that conditions ask for (15.05b)


def stakes(s: State) -> Stakes:
    """15 what the scenario is about."""
    kept = s.board.kept
    key = f"planner stakes {s.scenario} {s.edition}"
    found: Stakes | None = kept.get(key)
    if found is None:
        found = kept[key] = _stakes(s)
    return found


def _stakes(s: State) -> Stakes:
    play = script(s)
    victory, index = play.victory, s.board.grid.index
    places: dict[Hex, float] = {}
    for name in ("hexes", "allied_hexes"):
        for place in victory.get(name, ()):
            places[index[place["hex"]]] = float(place["vp"])
    for result in play.judged_by("result", s.edition):
        for case in result["any"]:
            named = [c for c in case["all"] if c["kind"] == "controls"]
            for condition in named:
                h = index[condition["hex"]]
                alone = len(case["all"]) == 1 and condition["side"] == SIDES[AXIS]
                places[h] = places.get(h, 0.0) + (DECIDES if alone else MENTIONED)
    step = [0.0] * len(NATIONS)
    for loss in victory.get("loss", ()):
        for nation in loss["nations"]:
            step[NATIONS.index(nation)] = loss["points"] / loss["steps_per_point"]
    if not any(step):  # 15.05b losses are conditions
        step = [1.8, 1.0, 1.6, 1.6, 1.6]
    exits: list[dict[Hex, dict[int, float]]] = [{}, {}]
    most = [0, 0]
    for side in (AXIS, ALLIED):
        table = victory.get(f"exit_{SIDES[side]}")
        if not table or not play.exits[side]:
            continue
        most[side] = table["max_steps"]
        for row in table["score"]:
            for hex_ in row["hexes"]:
                by = exits[side].setdefault(index[hex_], {})
                for nation in row["nations"]:
                    by[NATIONS.index(nation)] = float(row["points_per_step"])
    instant = []
    for item in victory.get("instant", ()):
        for condition in item["all"]:
            if condition["kind"] == "steps_exited":
                instant.append((SIDES.index(condition["side"]), condition))
    first = [play.first, play.first]
    for ban in play.bans:
        if ban.kind == "may_not_exit":
            for side in (AXIS, ALLIED):
                if ban.units & s.board.of_side[side]:
                    first[side] = max(first[side], ban.last + 1)
    ends = 0
    for _, condition in instant:
        ends |= s.board.mask(condition["hexes"])
    asked = {
        (SIDES.index(condition["side"]), int(condition["at_least"]))
        for result in play.judged_by("result", s.edition)
        for case in result["any"]
        for condition in case["all"]
        if condition["kind"] == "steps_eliminated"
    }
    return Stakes(
        places, tuple(step), tuple(exits), tuple(most), tuple(instant), tuple(first), ends, tuple(sorted(asked))
    )


# Units


def step_points(s: State) -> tuple[float, ...]:
    """Nation -> what a step eliminated is worth now. Where conditions ask for so many, those count that are still
    wanted: most of all when it is nearly done, and little while it is far off."""
    about = stakes(s)
    if not about.asked:
        return about.step
    found = list(about.step)
    turns = turns_left(s) + 1
    for side in (AXIS, ALLIED):
        nations = range(2) if side == AXIS else range(2, len(found))
        gone = sum(s.lost[n] for n in nations)
        wanted = [n - gone for who, n in about.asked if who == side and n > gone]
        each = 0.5 if not wanted else 1.0 + NEARLY / turns if wanted[0] <= DAILY[side] * turns else 1.0
        for n in nations:
            found[n] = each
    return tuple(found)


def step_worth(s: State, u: int, strength: float) -> float:
    """The step that a unit loses next: its points, and what it takes from its strength."""
    board = s.board
    now = s.step[u]
    fights = board.attack[u][now] + board.defense[u][now] + board.support[u] + 2 * board.cp[u]
    if now + 1 < board.steps[u]:
        fights -= board.attack[u][1] + board.defense[u][1]
    return step_points(s)[board.nation[u]] + strength * fights


def worth(s: State, units: int, strength: float, step: tuple[float, ...] | None = None) -> float:
    """All steps that units have left, by what each is worth now or by these points."""
    board, step = s.board, step or step_points(s)
    total = 0.0
    for u in units_of(units & board.ground):
        now = s.step[u]
        fights = board.attack[u][now] + board.defense[u][now] + board.support[u] + 2 * board.cp[u]
        total += step[board.nation[u]] * (board.steps[u] - now) + strength * fights
    return total


# Places


def place_value(s: State, h: Hex) -> float:
    """The points for the control of a hex."""
    return stakes(s).places.get(h, 0.0)


def wanted(s: State, side: int) -> Mask:
    """The places that count and that the other side controls."""
    return sum(1 << h for h in stakes(s).places if not controls(s, side, h))


def exit_value(s: State, u: int, h: Hex) -> float:
    """14.36 what it brings if a unit leaves the map by a hex now: points that still count, or the game itself."""
    board = s.board
    side = board.side[u]
    about = stakes(s)
    each = about.exits[side].get(h, {}).get(board.nation[u], 0.0)
    if not each or s.oos >> u & 1:
        return 0.0
    steps = board.steps[u] - s.step[u]
    gone = sum(board.steps[v] - s.step[v] for v in s.left_at if board.side[v] == side)
    left = max(0, about.exit_most[side] - gone)
    value = each * min(steps, left)
    for winner, condition in about.instant:
        if winner != side or NATIONS[board.nation[u]] not in condition["nations"]:
            continue
        if board.grid.names[h] in condition["hexes"]:
            so_far = steps_exited(s, side, condition["nations"], condition["hexes"])
            value += 4.0 * steps if so_far + steps < int(condition["at_least"]) else 40.0
    return value


def exit_hexes(s: State, side: int) -> list[Hex]:
    """The hexes by which leaving the map scores for a side, if it may leave soon."""
    about = stakes(s)
    if not about.exits[side] or s.turn + 2 < about.first_exit[side]:
        return []
    return [h for h in about.exits[side] if not s.exited_by[enemy(side)] >> h & 1]


def turns_left(s: State) -> int:
    """Turns after this one."""
    return script(s).last - s.turn


def standing(s: State, side: int) -> float:
    """The points as they stand, from this side's chair."""
    play = script(s)
    if play.victory["kind"] == "points":
        points = float(net(s))
    else:
        about = stakes(s)
        points = sum(value for h, value in about.places.items() if controls(s, AXIS, h))
        points += sum(about.step[n] * lost * (-1 if n < 2 else 1) for n, lost in enumerate(s.lost))
    return points if side == AXIS else -points
