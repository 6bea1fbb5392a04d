"""F6.4-F6.44, F6.6: seeing past hillocks and summits.

A hillock is a very thick wall (FN12). The rules speak of a viewer that is above a hillock, on one, behind one, or
none of these; AMB-37 takes the end with the stronger status and mirrors its rule, so that sight is mutual. A summit is
a hillock standing on a hillock (F6.6b): each height is judged by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import term
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.locations import Spot
from sandtable.games.asl.boards.terrain import LEVEL
from sandtable.games.asl.los.answer import Block

ON, BEHIND, NEITHER = 2, 1, 0

PAST = {
    ON: ("F6.41b", term("from a hillock nothing lower is seen past the second hillock at {hex}")),
    BEHIND: (
        "F6.44b",
        term("from behind a hillock only what lies right behind the next one, at {hex}, is seen past it"),
    ),
    NEITHER: ("F6.44d", term("past the hillock at {hex} only what lies right behind it is seen")),
}


TOO_LOW = term("only from above the hillock at {hex} is a level so far below it seen")
DUG_IN_VIEWER = term("dug in behind the hillock at {hex} a unit sees only what is as high")
DUG_IN_TARGET = term("a unit dug in behind the hillock at {hex} is seen only from its height")


class Rise(NamedTuple):
    """One hillock, or one summit, that a line meets; ranges are those of its nearest hex to each end."""

    mass: int
    height: int
    hex: Hex
    from_a: int
    from_b: int
    beside_a: int
    """The level of its hex beside the first end, on the line; -1 if none is."""
    beside_b: int


def rises(field: Battlefield, met: Iterable[tuple[Hex, int, int]]) -> list[Rise]:
    """The hillocks and summits among the hexes that a line meets: (hex, range from a, range from b) in order."""
    found: dict[tuple[int, int], Rise] = {}
    for h, near, far in met:
        if not field.form["hillock"] >> h & 1:
            continue
        heights = [field.base[h] + 1]
        if field.form["summit"] >> h & 1:
            heights.append(field.base[h] + LEVEL)
        for height in heights:
            key = (field.mass[h], height)
            beside_a = field.level[h] if near == 1 else -1
            beside_b = field.level[h] if far == 1 else -1
            known = found.get(key)
            if known is None:
                found[key] = Rise(key[0], height, h, near, far, beside_a, beside_b)
            else:
                found[key] = known._replace(
                    from_a=min(known.from_a, near),
                    from_b=min(known.from_b, far),
                    beside_a=beside_a if _lower(beside_a, known.beside_a) else known.beside_a,
                    beside_b=beside_b if _lower(beside_b, known.beside_b) else known.beside_b,
                )
    return list(found.values())


def _lower(new: int, known: int) -> bool:
    """Of two hexes of a hillock beside a unit the lower one makes it adjacent (F6.4c)."""
    return new >= 0 and (known < 0 or new < known)


def blocked(field: Battlefield, found: list[Rise], a: Spot, b: Spot, ea: int, eb: int) -> Block | None:
    """What of the hillocks on a line blocks it, if anything; `ea` and `eb` are the elevations of its ends."""
    top = max(ea, eb)
    left = [rise for rise in found if rise.height >= top]  # F6.42: an end that is higher sees over it
    if not left:
        return None
    mass_a, mass_b = field.mass[a.hex], field.mass[b.hex]
    for rise in left:
        on_a = mass_a == rise.mass and ea == rise.height
        on_b = mass_b == rise.mass and eb == rise.height
        # F6.43a Past it to a full level below it only from above it; AMB-47: not past one's own.
        if (eb <= rise.height - LEVEL and not on_a) or (ea <= rise.height - LEVEL and not on_b):
            return Block("F6.43a", TOO_LOW, rise.hex)
        # F6.43b, F6.44c An Entrenched or Emplaced unit right behind it is seen only from its height or above.
        if a.dug_in and rise.beside_a == ea + 1 and eb < rise.height:
            return Block("F6.44c", DUG_IN_VIEWER, rise.hex)
        if b.dug_in and rise.beside_b == eb + 1 and ea < rise.height:
            return Block("F6.43b", DUG_IN_TARGET, rise.hex)
    for height in sorted({rise.height for rise in left}):
        on = tuple(e == height and field.has("hillock", one.hex) for one, e in ((a, ea), (b, eb)))
        block = _past([rise for rise in left if rise.height == height], on, mass_a, mass_b, ea, eb)
        if block is not None:
            return block
    return None


def _past(left: list[Rise], on: tuple[bool, ...], mass_a: int, mass_b: int, ea: int, eb: int) -> Block | None:
    """The hillocks of one height, none of them below either end; `on`: which of the ends is on one so high."""
    if ea == eb and any(on):
        return None  # F6.41b: it sees on to Locations at least as high as itself
    from_a = sorted(left, key=lambda rise: (rise.from_a, -rise.from_b))
    from_b = sorted(left, key=lambda rise: (rise.from_b, -rise.from_a))
    status_a = ON if on[0] else BEHIND if from_a[0].beside_a == ea + 1 else NEITHER
    status_b = ON if on[1] else BEHIND if from_b[0].beside_b == eb + 1 else NEITHER
    if status_a >= status_b:
        order, status, own, low = from_a, status_a, mass_a, eb
        ends = [rise.beside_b == low + 1 for rise in order]
    else:
        order, status, own, low = from_b, status_b, mass_b, ea
        ends = [rise.beside_a == low + 1 for rise in order]
    if status == ON:  # F6.41a over its own hillock
        pairs = [(rise, end) for rise, end in zip(order, ends, strict=True) if rise.mass != own]
    else:
        pairs = list(zip(order, ends, strict=True))
    free = 1 if status else 0  # F6.41a the next one; F6.44b the one it is behind
    for number, (rise, behind) in enumerate(pairs):
        if number < free or (number == free and behind):
            continue
        rule, why = PAST[status]
        return Block(rule, why, rise.hex)
    return None
