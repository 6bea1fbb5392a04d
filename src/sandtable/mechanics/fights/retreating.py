"""Retreats: ways that lead away from a hex, step by step farther, past enemies and their zones of control.

A retreat of n hexes ends n hexes away from where it began, so every step leads one hex farther. Which
steps are deadly is the same for everybody who retreats at one time (`Threat`); where a unit can go is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

from sandtable.engine.hexes import Grid, Hex, Mask, Sides, hexes_of, opposite

# What may bar a retreat, in the order in which the reason for a unit's end is looked for
TERRAIN, ENEMIES, HEXSIDES, BETWEEN, ZONES = range(5)


class Threat:
    """What the enemy bars. Friendly units outside the retreat make the hexes they hold safe from ZOCs."""

    __slots__ = ("between", "enemies", "gated", "gates", "zone")

    def __init__(self, grid: Grid, crossable: Sides, enemies: Mask, with_zoc: Mask, friends: Mask) -> None:
        exerted = [grid.step(with_zoc & crossable[d], d) & ~friends for d in range(6)]
        self.enemies = enemies
        self.zone: Mask = 0  # in EZOC
        for m in exerted:
            self.zone |= m
        self.between: Mask = exerted[0] & exerted[3] | exerted[1] & exerted[4] | exerted[2] & exerted[5]
        # A step in direction d passes between the two hexes that touch both its ends; they see the hex entered
        # in directions d + 2 and d - 2.
        self.gates: Sides = tuple(exerted[opposite((d + 2) % 6)] & exerted[opposite((d + 4) % 6)] for d in range(6))
        self.gated: Mask = 0
        for m in self.gates:
            self.gated |= m

    def safe(self, grid: Grid, h: Hex, to: Mask, first: bool, bars: int = ZONES) -> Mask:
        """Of the hexes beside h in `to`, those that a unit retreats into and lives; `bars` leaves later dangers out."""
        if bars >= ENEMIES:
            to &= ~self.enemies
        if bars >= HEXSIDES and to & self.gated:
            for d, n in grid.neighbours[h]:
                if self.gates[d] >> n & 1:
                    to &= ~(1 << n)
        if bars >= BETWEEN:
            to &= ~self.between
        if bars >= ZONES and not first:
            to &= ~self.zone
        return to


class Ways:
    """All lawful ways of one unit from where it stands: where its next step may go, and where that can end."""

    __slots__ = ("ends", "next")

    def __init__(self) -> None:
        self.next: dict[Hex, Mask] = {}  # by hex: next hexes from which the retreat can be completed
        self.ends: dict[Hex, Mask] = {}  # by hex: where a retreat that comes through here can end

    def leading(self, h: Hex, ends: Mask) -> Mask:
        """The next hexes from h that can lead to one of these ends."""
        return sum(1 << n for n in hexes_of(self.next.get(h, 0)) if self.ends[n] & ends)


def ways(
    grid: Grid,
    threat: Threat,
    exits: Callable[[Hex], Mask],
    origin: Hex,
    start: Hex,
    length: int,
    stops: Mask = 0,
    bars: int = ZONES,
) -> Ways:
    """The ways of a unit that has come from `origin` to `start` and has to end `length` hexes from the origin.

    `exits` tells where the unit could step at all. `stops` are hexes one away from the origin where it may
    end after one hex. If it cannot save itself, the start has no ends.
    """
    found = Ways()
    _explore(found, grid, threat, exits, origin, start, length, stops, bars)
    return found


def _explore(
    found: Ways,
    grid: Grid,
    threat: Threat,
    exits: Callable[[Hex], Mask],
    origin: Hex,
    h: Hex,
    length: int,
    stops: Mask,
    bars: int,
) -> Mask:
    known = found.ends.get(h)
    if known is not None:
        return known
    gone = grid.distance(origin, h)
    if gone == length:
        found.ends[h] = 1 << h
        return 1 << h
    ring = grid.within(origin, gone + 1) & ~grid.within(origin, gone)
    ends = 1 << h if gone == 1 and stops >> h & 1 else 0
    onward = 0
    for n in hexes_of(threat.safe(grid, h, exits(h) & ring, gone == 0, bars)):
        beyond = _explore(found, grid, threat, exits, origin, n, length, stops, bars)
        if beyond:
            onward |= 1 << n
            ends |= beyond
    found.next[h] = onward
    found.ends[h] = ends
    return ends


def fewest(options: Iterable[Mask], used: Mask) -> int:
    """How many hexes must be added to `used` so that each of these sets holds one of them."""
    left = [m for m in options if not m & used]
    if not left:
        return 0
    common, every = -1, 0
    for m in left:
        common &= m
        every |= m
    if common:
        return 1
    hexes = hexes_of(every)
    for n in range(2, len(hexes)):
        for chosen in combinations(hexes, n):
            mask = sum(1 << h for h in chosen)
            if all(m & mask for m in left):
                return n
    return len(hexes)
