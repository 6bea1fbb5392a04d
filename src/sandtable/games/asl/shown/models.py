"""Ground laid out for a worked example, whose picture is lost or stands on a board that is not ours.

    [example.ground]
    board = "D1"                        # its hexes are named; D1 is laid flat and open first
    hexes = { "M9 M8" = "hillock mass=1", "M5" = "level=1", "K4" = "terrain=brush inherent" }
    sides = ["M5 M6 hedge M5"]          # two hexes, the kind, and those that own it

A bare word is a form (hillock, summit, deir, lip, wadi, dune, high_dune).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from sandtable.engine.packs import Pack

from ..boards.battlefield import Battlefield
from ..boards.layout import lay_out
from ..boards.pack import asl_pack
from ..table.counters import AXIS_NATIONS
from ..table.ids import SIDES
from ..table.stage import roster
from .ground import draw_ground
from .sheet import sheet_of

FLAT = "D1"
"""A board with nothing that lines of sight mind, once its scrub and hammada are made Open Ground."""
KEYS = {"board", "hexes", "sides", "overlays"}


def ground(
    hexes: Mapping[str, Mapping[str, Any]] | None = None,
    sides: Iterable[tuple[str, ...]] = (),
    board: str = FLAT,
    **map_: Any,
) -> Battlefield:
    """A board with these hexes changed: level (in levels), terrain, forms, mass, inherent; and these hexsides."""
    layout = lay_out(asl_pack(), {"boards": [{"id": board}], **map_})
    for cell in layout.cells.values():
        if board == FLAT and not cell.overlay:
            cell.terrain = "open"
    for name, facts in (hexes or {}).items():
        cell = layout.cells[layout.find(f"{board}.{name}")]
        cell.terrain = str(facts.get("terrain", cell.terrain))
        cell.forms = set(facts.get("forms", cell.forms))
        cell.mass = str(facts.get("mass", cell.mass))
        cell.inherent = bool(facts.get("inherent", False))
        cell.level = cell.base = round(2 * facts.get("level", 0))
        if "hillock" in cell.forms:
            cell.level += 2 if "summit" in cell.forms else 1
    for a, b, kind, *owner in sides:
        owners = [layout.find(f"{board}.{name}") for name in owner]
        layout.add_side(layout.find(f"{board}.{a}"), layout.find(f"{board}.{b}"), kind, owners)
    return Battlefield(asl_pack(), layout)


def written(table: Mapping[str, Any]) -> Battlefield:
    """The ground that an example writes down; ValueError where it says something that is not known."""
    if table.keys() - KEYS:
        raise ValueError(f"a ground has {', '.join(sorted(KEYS))}, not {', '.join(sorted(table.keys() - KEYS))}")
    cells: dict[str, dict[str, Any]] = {}
    for names, words in table.get("hexes", {}).items():
        for name in names.split():
            cells[name] = _facts(words)
    more = {"overlays": table["overlays"]} if "overlays" in table else {}
    try:
        return ground(cells, [tuple(one.split()) for one in table.get("sides", ())], table.get("board", FLAT), **more)
    except KeyError as error:
        raise ValueError(f"there is no {error} on the board") from None


def _facts(words: str) -> dict[str, Any]:
    found: dict[str, Any] = {"forms": set()}
    for word in words.split():
        key, is_, value = word.partition("=")
        if key == "inherent":
            found["inherent"] = True
        elif not is_:
            found["forms"].add(word)
        elif key == "level":
            found["level"] = float(value)
        elif key in ("terrain", "mass"):
            found[key] = value
        else:
            raise ValueError(f"a hex has level, terrain, mass, inherent and forms, not '{word}'")
    return found


def model(table: Mapping[str, Any], palette: str) -> tuple[Pack, str]:
    """That ground as a map and as a drawing."""
    return _made(json.dumps(table, sort_keys=True), palette)


@lru_cache(maxsize=64)
def _made(table: str, palette: str) -> tuple[Pack, str]:
    field = _field(table)
    return sheet_of(field), draw_ground(field, palette)


@lru_cache(maxsize=64)
def _field(table: str) -> Battlefield:
    return written(json.loads(table))


def piece(kind: str) -> dict[str, Any]:
    """A counter of a kind, as a view has it."""
    found = roster().types[roster().type_of[kind]]
    return {"id": kind, "type": kind, "side": SIDES[0 if found.nation in AXIS_NATIONS else 1]}
