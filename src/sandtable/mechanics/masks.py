"""What every chapter asks for: the units of a unit mask, the hexes of a hex mask, and the other side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from sandtable.engine.hexes import Hex, Mask, hexes_of


def enemy(side: int) -> int:
    """The other of two sides."""
    return 1 - side


# The same stacks of units and the same sets of hexes are asked for again and again, in one turn and from turn
# to turn: these lists are made once and kept, as long as there is room for them.


@lru_cache(maxsize=1 << 16)
def units_of(mask: int) -> tuple[int, ...]:
    """The unit numbers of a unit mask, ascending."""
    out: list[int] = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return tuple(out)


@lru_cache(maxsize=1 << 14)
def hexes_in(mask: Mask) -> tuple[Hex, ...]:
    """The hexes of a hex mask, ascending."""
    return tuple(hexes_of(mask))


def where(flags: Iterable[bool]) -> int:
    """The mask of those for whom a flag is set, in the order of their numbers."""
    found, bit = 0, 1
    for flag in flags:
        if flag:
            found |= bit
        bit <<= 1
    return found


def by_hex(at: Sequence[int]) -> dict[Hex, int]:
    """The units in each hex, by the hex in which each unit is; what is negative is no hex."""
    here: dict[Hex, int] = {}
    for u, h in enumerate(at):
        if h >= 0:
            here[h] = here.get(h, 0) | 1 << u
    return here


def mask_of(numbers: Iterable[int]) -> int:
    """The set of these hexes or units."""
    found = 0
    for n in numbers:
        found |= 1 << n
    return found
