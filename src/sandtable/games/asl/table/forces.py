"""A2.9 The groups of a scenario: who sets up where, who enters when and by which hexes, who stays off the map.

The files name the pieces of a group by kind and number; they are counted through the groups of a side in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from sandtable.engine.hexes import Mask

from .ids import SIDES
from .stage import Stage, stage

SETUP, ENTRY, OFF_MAP = "setup", "entry", "off_map"
INWARD = {"N": 2, "E": 4, "S": 5, "W": 1}
"""The vertex that a vehicle entering from an edge faces."""


class Force(NamedTuple):
    """One group of a side."""

    side: int
    id: str
    when: str
    turn: int
    """The turn from which it may enter."""
    members: int
    area: Mask
    """Where it sets up."""
    doors: Mask
    """The hexes by which it enters (A2.5)."""
    edge: str
    facing: int
    hides: bool
    """Whether its Emplaced Guns may set up hidden."""
    bores: int
    """Hexes that it may bore sight."""
    script: Mapping[str, Any]


def members_of(place: Stage, side: int) -> Iterator[tuple[Mapping[str, Any], list[str]]]:
    """The groups of a side with the names of their pieces, works among them."""
    count: dict[str, int] = {}

    def next_of(id: str, prefix: str) -> str:
        count[id] = count.get(id, 0) + 1
        return f"{prefix}#{count[id]}"

    for group in place.sides[side]["group"]:
        names = [next_of(unit["id"], unit["id"]) for unit in group["units"] for _ in range(int(unit["n"]))]
        for id, n in group.get("fortifications", {}).items():
            laid = sum(1 for one in group.get("default_setup", ()) if one["unit"] == id)
            many = laid if "minefield" in id else int(n)
            names += [next_of(id, f"{SIDES[side]}_{id}") for _ in range(many)]
        yield group, names


@cache
def forces(scenario: str) -> tuple[Force, ...]:
    """The groups of both sides, in the order of the file."""
    place, found = stage(scenario), []
    index = place.roster.index
    for side in range(2):
        for group, names in members_of(place, side):
            area = 0
            for part in group.get("area", ()):
                area |= place.mask_of(part)
            doors = sum(1 << place.field.hex(name) for name in group.get("entry_hexes", ()))
            edge = str(group.get("edge", {}).get("edge", ""))
            facing = int(group["facing"]) - 1 if "facing" in group else INWARD.get(edge, 1)
            found.append(
                Force(
                    side,
                    str(group["id"]),
                    str(group["when"]),
                    int(group.get("turn", 1)),
                    sum(1 << index[name] for name in names),
                    area & place.grid.all,
                    doors,
                    edge,
                    facing,
                    bool(group.get("guns_may_hide", False)),
                    int(group.get("bore_sight_hexes", 0)),
                    group,
                )
            )
    return tuple(found)


@cache
def _by_piece(scenario: str) -> dict[int, Force]:
    found: dict[int, Force] = {}
    for force in forces(scenario):
        left = force.members
        while left:
            low = left & -left
            found[low.bit_length() - 1] = force
            left ^= low
    return found


def force_of(scenario: str, u: int) -> Force | None:
    """The group of a piece; None for dummies and for counters in the box."""
    return _by_piece(scenario).get(u)


@cache
def area_of_side(scenario: str, side: int) -> Mask:
    """Where any group of a side sets up."""
    found = 0
    for force in forces(scenario):
        if force.side == side:
            found |= force.area
    return found


@cache
def crews(scenario: str) -> dict[int, int]:
    """Gun -> the crew that the scenario gives it."""
    index, found = stage(scenario).roster.index, {}
    for force in forces(scenario):
        for one in (*force.script.get("default_setup", ()), *force.script.get("default_entry", ())):
            if "crew" in one:
                found[index[one["unit"]]] = index[one["crew"]]
            if "mans" in one:
                found[index[one["mans"]]] = index[one["unit"]]
    return found
