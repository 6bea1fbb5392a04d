"""Where a straight line runs among hexes, exactly.

Everything is whole numbers: with x in half hex-sides and y in units of the square root of three times that, a hex at
(column, doubled row) has its centre at (3 * column, doubled row) and its vertices one or two steps from there. A line
therefore crosses, touches or follows a hexside without any rounding. What a line meets depends only on how its two
ends lie to each other, so each `Path` is worked out once for every map.
"""

from __future__ import annotations

from functools import cache
from math import ceil, floor
from typing import NamedTuple

from sandtable.games.asl.boards.layout import STEPS, At

VERTEX_OFFSETS: tuple[At, ...] = ((1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1))
"""NNE, E, SSE, SSW, W, NNW: vertex v lies between the directions v and v + 1."""

_FACES: tuple[At, ...] = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""A point is inside a hex if each of these, times its place from the centre, is 2 or less."""

THROUGH, ALONG, TOUCH = range(3)
"""A line runs through a hex, along one of its sides, or touches it at a vertex only."""


class Step(NamedTuple):
    """One hex that a line meets on its way, its own hexes left out unless an end is at a vertex."""

    at: At
    """Where it lies, from the hex of the first end."""
    how: int
    near: int
    """Its range from the first end's hex."""
    far: int
    """Its range from the second end's hex."""
    enter: tuple[int, ...]
    """The side by which the line enters it, or the two sides that meet at the vertex."""
    leave: tuple[int, ...]
    twin: At | None = None
    """For a line along a side: the hex on its other side."""
    begin: float = 0.0
    """Where on the line, from 0 to 1, the hex begins."""
    end: float = 0.0


class Crossing(NamedTuple):
    """One hexside that a line crosses, follows or touches at an end; each once, with a direction below 3."""

    at: At
    d: int
    how: int
    """THROUGH: crossed inside; ALONG: followed; TOUCH: met at a vertex."""
    begin: float
    """Where on the line it is met, from 0 to 1: the same as `end` unless it is followed."""
    end: float


class Path(NamedTuple):
    """All that a line meets between two ends."""

    steps: tuple[Step, ...]
    crossings: tuple[Crossing, ...]
    leave: tuple[int, ...]
    """The sides by which it leaves the first hex: one, or two that meet at a vertex."""
    enter: tuple[int, ...]
    """The sides by which it enters the second hex."""
    range: int


def hex_range(dc: int, dy: int) -> int:
    """A6.12 Hexes between two places that lie so far apart."""
    dc, dy = abs(dc), abs(dy)
    return dc + max(0, (dy - dc) // 2)


@cache
def path(dc: int, dy: int, first: int = -1, second: int = -1) -> Path:
    """The line from a hex to another that lies (dc, dy) from it, from centre or vertex to centre or vertex."""
    ax, ay = VERTEX_OFFSETS[first] if first >= 0 else (0, 0)
    bx, by = VERTEX_OFFSETS[second] if second >= 0 else (0, 0)
    bx, by = bx + 3 * dc, by + dy
    met: list[tuple[float, Step]] = []
    leave: tuple[int, ...] = ()
    enter: tuple[int, ...] = ()
    sides: dict[tuple[At, int], tuple[int, float, float]] = {}
    for c, y in _near(ax, ay, bx, by):
        cut = _cut(ax, ay, bx, by, 3 * c, y)
        if cut is None:
            continue
        how, begin, end, ins, outs = cut
        t = (begin + end) / 2
        here = (c, y)
        _note_sides(sides, here, how, ins, outs, begin, end)
        if here == (0, 0):
            leave = outs
        if here == (dc, dy):
            enter = ins
        own = (here == (0, 0) and first < 0) or (here == (dc, dy) and second < 0)
        if own:
            continue
        twin = None
        if how == ALONG:
            step = STEPS[_followed(ins, outs)]
            twin = (c + step[0], y + step[1])
        met.append((t, Step(here, how, hex_range(c, y), hex_range(c - dc, y - dy), ins, outs, twin, begin, end)))
    met.sort(key=lambda one: (one[0], one[1].at))
    order = sorted(sides.items(), key=lambda one: (one[1][1] + one[1][2], one[0]))
    crossings = tuple(Crossing(at, d, *side) for (at, d), side in order)
    return Path(tuple(step for _, step in met), crossings, leave, enter, hex_range(dc, dy))


def _near(ax: int, ay: int, bx: int, by: int) -> list[At]:
    """The hexes that a line can meet: column by column, those as high as it is there."""
    found = []
    low, high = min(ax, bx), max(ax, bx)
    for c in range((low - 2) // 3, (high + 2) // 3 + 1):
        left, right = max(low, 3 * c - 2), min(high, 3 * c + 2)
        if left > right:
            continue
        if ax == bx:
            ends = [float(min(ay, by)), float(max(ay, by))]
        else:
            ends = sorted(ay + (by - ay) * (x - ax) / (bx - ax) for x in (left, right))
        for y in range(floor(ends[0]) - 1, ceil(ends[1]) + 2):  # a hex reaches one up and one down
            if (y - c) % 2 == 0:
                found.append((c, y))
    return found


def _cut(
    ax: int, ay: int, bx: int, by: int, cx: int, cy: int
) -> tuple[int, float, float, tuple[int, ...], tuple[int, ...]] | None:
    """How a line meets one hex: how, from where to where (0 to 1), the sides of entry and those of exit."""
    in_n, in_d, out_n, out_d = 0, 1, 1, 1  # as fractions: from 0 to 1
    ins: list[int] = []
    outs: list[int] = []
    edge = -1
    for d, (fx, fy) in enumerate(_FACES):
        a = fx * (ax - cx) + fy * (ay - cy)
        b = fx * (bx - ax) + fy * (by - ay)
        room = 2 - a
        if b == 0:
            if room < 0:
                return None
            if room == 0:
                edge = d
        elif b > 0:  # leaves by this side at room / b
            less = room * out_d - out_n * b
            if less < 0:
                out_n, out_d, outs = room, b, [d]
            elif less == 0:
                outs.append(d)
        else:  # enters by it
            more = room * in_d - in_n * b  # room / b > in_n / in_d, with b below 0
            if more < 0:
                in_n, in_d, ins = -room, -b, [d]
            elif more == 0:
                ins.append(d)
    order = in_n * out_d - out_n * in_d
    if order > 0:
        return None
    t, end = in_n / in_d, out_n / out_d
    if edge >= 0:
        if order == 0:
            return TOUCH, t, end, tuple(sorted({*ins, *outs, edge})), ()
        return ALONG, t, end, (edge, *ins), (edge, *outs)
    if order == 0:
        return TOUCH, t, end, tuple(sorted({*ins, *outs})), ()
    return THROUGH, t, end, tuple(ins), tuple(outs)


def _followed(ins: tuple[int, ...], outs: tuple[int, ...]) -> int:
    return (set(ins) & set(outs)).pop()


def _note_sides(
    sides: dict[tuple[At, int], tuple[int, float, float]],
    here: At,
    how: int,
    ins: tuple[int, ...],
    outs: tuple[int, ...],
    begin: float,
    end: float,
) -> None:
    """Write down the hexsides of a hex that the line meets; the most that happens to a side counts."""
    followed = _followed(ins, outs) if how == ALONG else -1
    for group, t in ((ins, begin), (outs, end)):
        for d in group:
            first = last = t
            if d == followed:
                kind, first, last = ALONG, begin, end
            elif how == THROUGH and len(group) == 1:
                kind = THROUGH
            else:
                kind = TOUCH
            at, way = here, d
            if d >= 3:
                step = STEPS[d]
                at, way = (here[0] + step[0], here[1] + step[1]), d - 3
            known = sides.get((at, way))
            if known is None or _RANK[kind] > _RANK[known[0]]:
                sides[at, way] = (kind, first, last)


_RANK = {THROUGH: 1, ALONG: 2, TOUCH: 0}
