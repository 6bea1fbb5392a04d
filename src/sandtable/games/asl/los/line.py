"""A line of sight with everything on it: the ground, what lies on the map, and what is in the air.

This is what fire, reasons, the LOS thread and the computer ask. `sight_table` gives the one table that all users of a
battlefield share; `line_of_sight` the whole answer; `thread` the same drawn out hex by hex for a client.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.locations import Spot
from sandtable.games.asl.los.answer import Hindrance, Los
from sandtable.games.asl.los.geometry import ALONG
from sandtable.games.asl.los.screens import Screens, screened
from sandtable.games.asl.los.tables import SightTable, posture
from sandtable.games.asl.los.visibility import Air, in_darkness, in_dust

NO_SCREENS = Screens()
CLEAR_AIR = Air()

_tables: WeakKeyDictionary[Battlefield, dict[int, SightTable]] = WeakKeyDictionary()


def sight_table(field: Battlefield, month: int = 6) -> SightTable:
    """The table of a battlefield in this month (grain grows in summer), the same for all who ask."""
    tables = _tables.setdefault(field, {})
    found = tables.get(month)
    if found is None:
        found = tables[month] = SightTable(field, month)
    return found


def line_of_sight(table: SightTable, a: Spot, b: Spot, screens: Screens = NO_SCREENS, air: Air = CLEAR_AIR) -> Los:
    """The line from a viewer or firer to a target, with SMOKE, vehicles, dust and darkness.

    DLV (sun, haze, the die of dust) is not part of it: `visibility.low_visibility` lists it.
    """
    los = table.look(a, b)
    if los.block is None:
        los = in_darkness(in_dust(screened(table.lines, a, b, screens, los), air, b.hex), air, b.hex)
    return los


def can_see(table: SightTable, a: Spot, b: Spot, screens: Screens = NO_SCREENS, air: Air = CLEAR_AIR) -> bool:
    """Is there a line of sight? The table answers where nothing lies on the map or in the air."""
    if not table.sees(a, b):
        return False
    if not screens.mask and air.dust in ("none", "light", "moderate") and not air.night:
        return True
    return line_of_sight(table, a, b, screens, air).clear


class Thread(NamedTuple):
    """The LOS thread of a client: where it runs, what it meets, and where it ends."""

    los: Los
    hexes: tuple[Hex, ...]
    """The hexes that it crosses or follows, both ends among them, in order."""
    hindrances: tuple[Hindrance, ...]
    unseen: tuple[Hex, ...]
    """Of those, the hexes that a unit there like the target would not be seen in."""
    reason: Text | None
    """Why it is blocked."""
    rule: str
    """The rule that blocks it, or "A6.7" where it is hindered, or "A6.1"."""


def thread(table: SightTable, a: Spot, b: Spot, screens: Screens = NO_SCREENS, air: Air = CLEAR_AIR) -> Thread:
    """The line drawn out hex by hex."""
    los = line_of_sight(table, a, b, screens, air)
    lines = table.lines
    between = []
    if a.hex != b.hex:
        for step in lines.way(a, b).steps:
            h = a.hex + step[0]
            if step[1] <= ALONG and lines.on_map(h) and h not in (a.hex, b.hex):
                between.append(h)
    hexes = (a.hex, *between, b.hex) if a.hex != b.hex else (a.hex,)
    seen = table.seen_from(a, posture(b) & 1)
    unseen = tuple(h for h in between if not seen >> h & 1)
    if not los.clear and b.hex != a.hex:
        unseen = (*unseen, b.hex)
    rule = los.block.rule if los.block else "A6.7" if los.hindrances else "A6.1"
    return Thread(los, hexes, los.hindrances, unseen, los.block.text if los.block else None, rule)
