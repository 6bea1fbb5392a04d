"""Which hexes can be reached: floods, layers of steps, and movement by points.

All of these work on whole sets of hexes at once, so that a point spent costs a handful of operations on
big ints however many hexes are on the front. `sandtable.engine.reference` does the same hex by hex and is
what the tests and the benchmark compare with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from .hexes import NO_SIDES, Grid, Hex, Mask, Sides, either, opposite, steps_into, touching, without

Classes: TypeAlias = Sequence[tuple[int, Sequence[Mask]]]
"""Steps by cost: (points, exits), exits[d] being the hexes from which a step in direction d costs that.
A step in no class is impossible; a step in two has the lower cost."""


class Toll(NamedTuple):
    """Points to pay on top, and the hexes for which they are due."""

    points: int
    hexes: Mask


NO_TOLL = Toll(0, 0)

# The six directions in the order of the shifts +1, -1, +(stride - 1), +stride, -(stride - 1), -stride
_BY_SHIFT = {"pointy": (0, 3, 4, 5, 1, 2), "flat": (3, 0, 1, 2, 4, 5)}


def _by_shift(grid: Grid, sides: Sequence[Mask]) -> tuple[Mask, Mask, Mask, Mask, Mask, Mask]:
    a, b, c, d, e, f = _BY_SHIFT[grid.orientation]
    return sides[a], sides[b], sides[c], sides[d], sides[e], sides[f]


# --------------------------------------------------------------------------------------- floods


def open_steps(grid: Grid, enter: Mask, closed: Sides = NO_SIDES, leave: Mask | None = None) -> Sides:
    """The steps into hexes of `enter`, out of hexes of `leave` (any, if not given), not across `closed`."""
    steps = steps_into(grid, enter, leave)
    return tuple(steps[d] & ~closed[d] for d in range(6))


def flood(grid: Grid, start: Mask, open_: Sequence[Mask], barred: Mask = 0) -> Mask:
    """All hexes that open steps lead to from the start, start included.

    open_[d] holds the hexes that may be left in direction d; `barred` hexes may not be entered.
    """
    if barred:
        free = grid.all & ~barred | start
        open_ = [mask & free for mask in open_]
    ahead, back, near_down, far_down, near_up, far_up = _by_shift(grid, open_)
    far = grid.stride
    near = far - 1
    seen = start
    while True:
        before = seen
        # each direction goes on from what the one before it has added: fewer rounds than there are steps
        seen |= (seen & ahead) << 1
        seen |= (seen & back) >> 1
        seen |= (seen & near_down) << near
        seen |= (seen & far_down) << far
        seen |= (seen & near_up) >> near
        seen |= (seen & far_up) >> far
        if seen == before:
            return seen & grid.all & ~barred | start


def layers(grid: Grid, start: Mask, open_: Sequence[Mask], limit: int | None = None, barred: Mask = 0) -> list[Mask]:
    """The flood step by step: [n] holds the hexes first reached after n steps, [0] is the start.
    Ends with the last layer that holds a hex, or after `limit` steps."""
    ahead, back, near_down, far_down, near_up, far_up = _by_shift(grid, open_)
    near = grid.stride - 1
    left = grid.all & ~(start | barred)
    front = start
    found = [start]
    while limit is None or len(found) <= limit:
        down = front & near_down | (front & far_down) << 1
        up = front & near_up | (front & far_up) >> 1
        front = ((front & ahead) << 1 | (front & back) >> 1 | down << near | up >> near) & left
        if not front:
            break
        left ^= front
        found.append(front)
    return found


# --------------------------------------------------------------------------------------- costs


class Costs:
    """Movement costs made ready for `reach`: make them once per map and kind of movement.

    What changes from move to move (enemies, their zones of control) is given to `reach` itself as `stop`,
    `barred`, `leaving`, `entering` and `apart`.
    """

    __slots__ = ("classes", "dense", "grid", "least", "plain", "sided", "sided_hexes")

    def __init__(self, grid: Grid, classes: Classes) -> None:
        self.grid = grid
        by_cost: dict[int, list[Mask]] = {}
        taken = [0] * 6
        for cost, exits in sorted(classes, key=itemgetter(0)):
            if cost < 1:
                raise ValueError(f"a step for {cost} points: costs are whole points from 1; scale them")
            row = by_cost.setdefault(cost, [0] * 6)
            for d in range(6):
                row[d] |= exits[d] & grid.step(grid.all, opposite(d)) & ~taken[d]
                taken[d] |= row[d]
        self.classes: tuple[tuple[int, Sides], ...] = tuple(
            (cost, tuple(row)) for cost, row in by_cost.items() if any(row)
        )
        self.least = self.classes[0][0] if self.classes else 0
        self._sort_out()

    def _sort_out(self) -> None:
        """The classes by the hex that is entered, as the kernel wants them.

        Where a class holds for every way into a hex, one mask does for all six directions (`plain`). The
        rest goes by direction (`sided`), and so does a class of which much is left over.
        """
        grid = self.grid
        self.plain: list[tuple[int, Mask]] = []
        self.sided: list[tuple[int, Mask, Mask, Mask, Mask, Mask, Mask]] = []
        self.sided_hexes: Mask = 0
        self.dense = False
        for cost, exits in self.classes:
            ways_in = [grid.step(exits[d], d) for d in range(6)]
            plain = grid.all
            for d in range(6):
                plain &= ways_in[d] | ~grid.step(grid.all, d)
            sided = touching(without(tuple(ways_in), (plain,) * 6))
            if sided.bit_count() > _FEW * len(grid.hexes):
                self.dense = True
                sided |= plain
                plain = 0
            if plain:
                self.plain.append((cost, plain))
            if sided:
                self.sided.append((cost, *_by_shift(grid, [way & sided for way in ways_in])))
                self.sided_hexes |= sided

    def price(self, h: Hex, d: int) -> int:
        """The points for the step from this hex in this direction, -1 if it is impossible."""
        for cost, exits in self.classes:
            if exits[d] >> h & 1:
                return cost
        return -1


_FEW = 0.02  # of the map; more exceptions than that are met on nearly every front


def classes_by(grid: Grid, price: Callable[[Hex, int, Hex], int]) -> list[tuple[int, Sides]]:
    """Classes from any rule: price(from, direction, to) in points, 0 or less if the step is impossible."""
    by_cost: dict[int, list[Mask]] = {}
    for h in grid.hexes:
        for d, n in grid.neighbours[h]:
            cost = price(h, d, n)
            if cost > 0:
                by_cost.setdefault(cost, [0] * 6)[d] |= 1 << h
    return [(cost, tuple(by_cost[cost])) for cost in sorted(by_cost)]


def terrain_classes(
    grid: Grid,
    terrain: Mapping[int, Mask],
    extra: Iterable[tuple[int, Sides]] = (),
    closed: Sides = NO_SIDES,
    links: Iterable[tuple[int, Sides]] = (),
) -> list[tuple[int, Sides]]:
    """Classes from a terrain effects chart.

    A step costs what the terrain entered costs, plus each `extra` whose side it crosses (rivers), not
    across `closed` sides (cliffs); along a link (road, bridge) it costs the link's points and nothing else,
    whatever the terrain and the side, even if without the link it would be impossible.
    """
    by_cost = {cost: steps_into(grid, hexes) for cost, hexes in terrain.items()}
    for points, sides in extra:
        by_cost = dict(dearer(list(by_cost.items()), points, sides))
    by_cost = {cost: without(exits, closed) for cost, exits in by_cost.items()}
    for points, sides in links:
        by_cost = {cost: without(exits, sides) for cost, exits in by_cost.items()}
        by_cost[points] = either(by_cost.get(points, NO_SIDES), sides)
    return sorted(by_cost.items())


def dearer(classes: Classes, points: int, steps: Sequence[Mask]) -> list[tuple[int, Sides]]:
    """The same classes with some steps costing more: steps[d] holds the hexes from which a step in
    direction d does. (See `steps_into` for the steps that enter certain hexes.)"""
    by_cost: dict[int, Sides] = {}
    for cost, exits in classes:
        same = tuple(exits[d] & ~steps[d] for d in range(6))
        more = tuple(exits[d] & steps[d] for d in range(6))
        by_cost[cost] = either(by_cost.get(cost, NO_SIDES), same)
        by_cost[cost + points] = either(by_cost.get(cost + points, NO_SIDES), more)
    return sorted(by_cost.items())


# --------------------------------------------------------------------------------------- reach


Limits: TypeAlias = tuple[Mask, tuple[int, Mask], tuple[int, Mask], Mask]
"""stop, leaving, entering, apart: see `reach`."""


class Reach:
    """What a move can reach, for how many points, and how."""

    __slots__ = ("costs", "hexes", "layers", "limits")

    def __init__(self, costs: Costs, limits: Limits, hexes: Mask, layers: list[Mask]) -> None:
        self.costs = costs
        self.limits = limits
        self.hexes = hexes  # everything that can be reached, the start included
        self.layers = layers  # by points spent: what is reached for just so many

    def __contains__(self, h: Hex) -> bool:
        return bool(self.hexes >> h & 1)

    def cost(self, h: Hex) -> int:
        """The fewest points to get there, -1 if it cannot be reached."""
        for spent, layer in enumerate(self.layers):
            if layer >> h & 1:
                return spent
        return -1

    def path(self, h: Hex) -> list[Hex]:
        """A cheapest way from the start to this hex, both included; empty if it cannot be reached.
        Always the same one, and one that goes straight on where that costs no more."""
        spent = self.cost(h)
        if spent < 0:
            return []
        way = [h]
        d = 0
        while spent:
            d, h, spent = self._step_to(h, spent, d)
            way.append(h)
        way.reverse()
        return way

    def _step_to(self, h: Hex, spent: int, onward: int) -> tuple[int, Hex, int]:
        """The last step of a cheapest way to h: its direction, the hex before h, the points spent there."""
        grid, layers = self.costs.grid, self.layers
        stop, (exit_toll, exit_hexes), (entry_toll, entry_hexes), apart = self.limits
        before = spent - (entry_toll if entry_hexes >> h & 1 else 0)
        for turn in range(6):
            d = (onward + turn) % 6
            n = grid.neighbour(h, opposite(d))
            price = self.costs.price(n, d) if n >= 0 else -1
            if price < 0 or apart >> h & apart >> n & 1:
                continue
            at = before - price - (exit_toll if exit_hexes >> n & 1 else 0)
            if at >= 0 and layers[at] >> n & 1 and (at == 0 or not stop >> n & 1):
                return d, n, at
        raise AssertionError("a hex was reached from nowhere")


def reach(
    grid: Grid,
    start: Hex,
    points: int,
    classes: Costs | Classes,
    stop: Mask = 0,
    barred: Mask = 0,
    leaving: tuple[int, Mask] = NO_TOLL,
    entering: tuple[int, Mask] = NO_TOLL,
    apart: Mask = 0,
) -> Reach:
    """Movement by points from one hex. `Costs` made beforehand are much faster than bare classes.

    stop      may be entered but not left; the start may always be left
    barred    may not be entered
    leaving   (points, hexes): dearer to leave by so much, the start too
    entering  (points, hexes): dearer to enter by so much
    apart     no step leads from one of these hexes to another (zone of control to zone of control);
              take the start out of the mask if the first step is free of that
    """
    costs = classes if isinstance(classes, Costs) else Costs(grid, classes)
    return _spread(grid, 1 << start, points, costs, barred, (stop, leaving, entering, apart))


def reach_from(
    grid: Grid,
    starts: Mask,
    points: int,
    classes: Costs | Classes,
    stop: Mask = 0,
    barred: Mask = 0,
    leaving: tuple[int, Mask] = NO_TOLL,
    entering: tuple[int, Mask] = NO_TOLL,
    apart: Mask = 0,
) -> Reach:
    """The same from several hexes at once: what lies within so many points of any of them."""
    costs = classes if isinstance(classes, Costs) else Costs(grid, classes)
    return _spread(grid, starts, points, costs, barred, (stop, leaving, entering, apart))


def _spread(grid: Grid, starts: Mask, points: int, costs: Costs, barred: Mask, limits: Limits) -> Reach:
    """One round for each point spent: settle the hexes that are due, and note what they lead to under the
    points that it will take."""
    stop, (exit_toll, exit_hexes), (entry_toll, entry_hexes), apart = limits
    plain, sided, sided_hexes, dense = costs.plain, costs.sided, costs.sided_hexes, costs.dense
    near = grid.stride - 1
    points = max(points, 0)
    last = points - costs.least
    due = [0] * (points + 1)
    due[0] = starts
    left = there = grid.all & ~barred | starts
    free = grid.all & ~stop if stop else -1
    limited = bool(exit_toll or entry_toll or apart)
    if limited:
        paid, held, due_apart = [0] * (points + 1), [0] * (points + 1), [0] * (points + 1)
    inside = 0

    for spent in range(points + 1):
        layer = due[spent] & left
        if limited:
            layer |= due_apart[spent] & left & ~apart
            if spent and entry_toll:  # who enters pays first, and is there later
                entered = layer & entry_hexes
                if spent + entry_toll <= points:
                    paid[spent + entry_toll] |= entered
                layer = layer ^ entered | paid[spent] & left
        due[spent] = layer
        left ^= layer
        front = layer & free if stop and spent else layer
        if limited:
            if exit_toll:  # who leaves pays first, and sets out later
                leaving = front & exit_hexes
                if spent + exit_toll <= points:
                    held[spent + exit_toll] |= leaving
                front = front ^ leaving | held[spent]
            inside = front & apart
            front ^= inside
        if spent > last or not (front or inside):
            continue
        to = due
        while True:
            ahead, back = front << 1, front >> 1
            around = 0
            if plain:
                around = ahead | back | (front | ahead) << near | (front | back) >> near
                for cost, hexes in plain:
                    at = spent + cost
                    if at > points:
                        break
                    to[at] |= around & hexes
            if dense or around & sided_hexes:
                near_down, far_down = front << near, ahead << near
                near_up, far_up = front >> near, back >> near
                for cost, a, b, c, d, e, f in sided:
                    at = spent + cost
                    if at > points:
                        break
                    to[at] |= ahead & a | back & b | near_down & c | far_down & d | near_up & e | far_up & f
            if not inside:
                break
            front, inside, to = inside, 0, due_apart
    return Reach(costs, limits, there ^ left, due)
