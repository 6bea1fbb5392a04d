"""Which hexes can be reached by steps of any number: floods, and the same step by step.

Both work on whole sets of hexes at once. Below them stands the same hex by hex with a queue: what tests and
benchmarks compare with. Movement by points is in `sandtable.mechanics.paths`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from .hexes import NO_SIDES, Grid, Hex, Mask, Sides, steps_into

# The six directions in the order of the shifts +1, -1, +(stride - 1), +stride, -(stride - 1), -stride
_BY_SHIFT = {"pointy": (0, 3, 4, 5, 1, 2), "flat": (3, 0, 1, 2, 4, 5)}


def _by_shift(grid: Grid, sides: Sequence[Mask]) -> tuple[Mask, Mask, Mask, Mask, Mask, Mask]:
    a, b, c, d, e, f = _BY_SHIFT[grid.orientation]
    return sides[a], sides[b], sides[c], sides[d], sides[e], sides[f]


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


Adjacency: TypeAlias = list[list[Hex]]
"""By hex: the hexes beside it that a step leads to."""


def adjacency(grid: Grid, open_: Sequence[Mask], barred: Mask = 0) -> Adjacency:
    """Every possible step: `open_[d]` holds the hexes that may be left in direction d."""
    return [[n for d, n in grid.neighbours[h] if open_[d] >> h & 1 and not barred >> n & 1] for h in range(grid.size)]


def queue_flood(steps: Adjacency, starts: Collection[Hex], limit: int = 1 << 30) -> dict[Hex, int]:
    """Breadth-first search: the fewest steps to each hex."""
    found = dict.fromkeys(starts, 0)
    front = list(starts)
    away = 0
    while front and away < limit:
        away += 1
        following = []
        for h in front:
            for n in steps[h]:
                if n not in found:
                    found[n] = away
                    following.append(n)
        front = following
    return found
