"""Weapons and vehicles of the pack by their ids."""

from __future__ import annotations

from sandtable.games.asl.ordnance import to_kill
from sandtable.games.asl.ordnance.weapons import Tube, tube
from sandtable.games.asl.table.hardware import MA
from sandtable.games.asl.table.stage import roster


def gun(id: str, weapon: int = MA, limbered: bool = False) -> Tube:
    """The weapon of a counter."""
    found = maybe(id, weapon, limbered)
    assert found is not None, id
    return found


def maybe(id: str, weapon: int = MA, limbered: bool = False) -> Tube | None:
    types = roster()
    return tube(types.types[types.type_of[id]], weapon, limbered)


def armour(id: str) -> to_kill.Armour:
    types = roster()
    made = types.types[types.type_of[id]].vehicle
    assert made is not None, id
    return to_kill.armour(made)
