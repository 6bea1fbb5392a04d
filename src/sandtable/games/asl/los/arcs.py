"""C3.2, D3.11, D3.21 Facing: the 60-degree fan of a vertex, how far a weapon must turn, and which side is hit.

A facing is a vertex, 0 to 5 (NNE, E, SSE, SSW, W, NNW): vertex v lies between the directions v and v + 1. The pack and
the players count them from 1.
"""

from __future__ import annotations

from math import ceil, floor

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.memory import remembered

from ..boards.battlefield import Battlefield
from ..boards.layout import STEPS, At
from .geometry import VERTEX_OFFSETS, hex_range, path

FRONT, SIDE, REAR = range(3)
ASPECTS = ("front", "side", "rear")
TURNS = (0, 1, -1, 2, -2, 3)
"""Changes of facing, the least first, clockwise before counterclockwise."""
FACINGS = ("NNE", "E", "SSE", "SSW", "W", "NNW")


def _offset(field: Battlefield, a: Hex, b: Hex) -> tuple[int, int]:
    (ac, ay), (bc, by) = field.place[a], field.place[b]
    return bc - ac, by - ay


def in_arc(field: Battlefield, at: Hex, facing: int, target: Hex) -> bool:
    """C3.2 whether a hex lies in the fan of a facing; its borders run through hex centres and belong to it.

    The own hex lies in every fan: fire there is Case E, not Case A.
    """
    if at == target:
        return True
    c, y = _offset(field, at, target)
    left, right = STEPS[facing % 6], STEPS[(facing + 1) % 6]
    return left[0] * y - left[1] * c >= 0 and c * right[1] - y * right[0] >= 0


@remembered(1 << 13)
def arc(field: Battlefield, at: Hex, facing: int) -> Mask:
    """C3.2 all hexes in the fan of a facing; the same as `in_arc` of each."""
    return wedge(field, at, STEPS[facing % 6], STEPS[(facing + 1) % 6]) | 1 << at


@remembered(1 << 17)
def shadow(field: Battlefield, at: Hex, screen: Hex) -> Mask:
    """The hexes as far as another one or farther to whose centres lines run through it or along its sides."""
    c, y = _offset(field, at, screen)
    return wedge(field, at, *_corners(c, y)) & ~field.grid.within(at, hex_range(c, y) - 1)


@remembered()
def _corners(c: int, y: int) -> tuple[At, At]:
    """The corners of a hex so far away between which all of it lies."""
    corners = [(3 * c + x, 3 * (y + up)) for x, up in VERTEX_OFFSETS]  # as columns and rows count, thrice
    first = next(one for one in corners if all(one[0] * two[1] >= one[1] * two[0] for two in corners))
    last = next(one for one in corners if all(one[0] * two[1] <= one[1] * two[0] for two in corners))
    return first, last


def wedge(field: Battlefield, at: Hex, first: tuple[int, int], last: tuple[int, int]) -> Mask:
    """The hexes with their centres between two directions (columns, rows) less than half a turn apart, clockwise from
    the first to the last, both included: column by column."""
    row = field.place[at][1]
    width = field.columns[1] - field.columns[0]
    base, found = _wedge(field.grid.stride, width, field.rows[0] - row, field.rows[1] - row, first, last)
    base += at  # columns beyond the map lie beyond all its hexes, or beneath them
    return (found << base if base >= 0 else found >> -base) & field.grid.all


@remembered(1 << 15)
def _wedge(stride: int, width: int, top: int, bottom: int, first: At, last: At) -> tuple[int, Mask]:
    """The same for all hexes of a row, on a map that is as wide to both sides as it is: where its bits begin, from the
    hex itself, and the bits."""
    found, west, east, base = 0, -width, width, -(width + 1) * stride
    if first[0] > 0 and last[0] > 0:  # all of it lies to one side
        west = 0
    elif first[0] < 0 and last[0] < 0:
        east = 0
    for c in range(west, east + 1):
        low, high = top, bottom
        for slope, rise in ((first[0], -first[1] * c), (-last[0], last[1] * c)):  # slope * y + rise is 0 or more
            if slope > 0:
                low = max(low, -(rise // slope))
            elif slope < 0:
                high = min(high, rise // -slope)
            elif rise < 0:
                low, high = 1, 0
        low += (low - c) % 2
        high -= (high - c) % 2
        if low <= high:
            first_bit = c * stride + (low - c) // 2 - base
            found |= ((1 << (high - low) // 2 + 1) - 1) << first_bit
    return base, found


def between(field: Battlefield, a: Hex, b: Hex) -> Mask:
    """The hexes that a line from centre to centre meets between its ends: the same as those of its `path`, without all
    else that is known of them."""
    low, bits = _strip(field.grid.stride, *_offset(field, a, b))
    at = a + low
    return (bits << at if at >= 0 else bits >> -at) & field.grid.all


@remembered(1 << 15)
def _strip(stride: int, dc: int, dy: int) -> tuple[int, Mask]:
    """The hexes of such a line as bits, column by column, and the place of the first bit from where it begins."""
    x, y = 3 * dc, dy
    reach, whole = max(abs(x) + abs(y), 2 * abs(y)), x * x + 3 * y * y
    found: list[int] = []
    for c in range(min(dc, 0), max(dc, 0) + 1):
        if x:
            ends = sorted((3 * c * y - reach * way) / x for way in (-1, 1))
            rows = range(ceil(ends[0]), floor(ends[1]) + 1)
        else:
            rows = range(min(0, y), max(0, y) + 1)
        # a hex farther than either end is met by the line beyond it alone
        found += [c * stride + (r - c) // 2 for r in rows if not (r - c) % 2 and 0 < 3 * c * x + 3 * r * y < whole]
    low = min(found, default=0)
    return low, sum(1 << one - low for one in found)


def turns(field: Battlefield, at: Hex, facing: int, target: Hex) -> int:
    """C3.2 by how many vertices a facing must change to cover a hex: 0 to 3."""
    return abs(turn(field, at, facing, target))


def turn(field: Battlefield, at: Hex, facing: int, target: Hex) -> int:
    """The least change of facing that covers a hex, clockwise positive."""
    for step in TURNS:
        if in_arc(field, at, (facing + step) % 6, target):
            return step
    raise AssertionError("six fans cover the whole map")


def toward(field: Battlefield, at: Hex, facing: int, target: Hex) -> int:
    """The facing after the least change that covers a hex."""
    return (facing + turn(field, at, facing, target)) % 6


def aspect(field: Battlefield, firer: Hex, target: Hex, facing: int) -> int:
    """D3.21 which side a line of fire strikes; along a hexspine the one better for the target.

    AMB-65 from within the hex it is the side.
    """
    if firer == target:
        return SIDE
    return min(_struck(side, facing) for side in path(*_offset(field, firer, target)).enter)


def _struck(side: int, facing: int) -> int:
    front = {facing % 6, (facing + 1) % 6}
    if side in front:
        return FRONT
    return REAR if (side + 3) % 6 in front else SIDE


def behind(field: Battlefield, at: Hex, facing: int, target: Hex) -> bool:
    """D1.3 rear_arc: whether a hex lies outside the VCA altogether."""
    return at != target and not in_arc(field, at, facing, target)
