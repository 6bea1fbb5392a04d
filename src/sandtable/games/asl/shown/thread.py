"""A6.1 The LOS thread: a line of sight between two hexes, drawn out for a client as a side knows the map."""

from __future__ import annotations

from sandtable.engine.contract import View
from sandtable.engine.hexes import Hex
from sandtable.engine.scene import Sight, SightItem
from sandtable.engine.texts.text import Fact, Said, Text
from sandtable.mechanics.fights.odds import signed

from ..boards.locations import Spot
from ..los.line import thread
from ..table.ids import UNDER_SANGAR
from ..table.stage import stage

HINDRANCE_WORDS = {
    "scrub": "scrub",
    "hammada": "hammada",
    "sand_scrub": "sand with scrub",
    "brush": "brush",
    "grain": "grain",
    "orchard": "orchard",
    "olive_grove": "olive grove",
    "vineyard": "vineyard",
    "cactus_patch": "cactus patch",
    "hillock": "hillock",
    "vehicle": "a vehicle or wreck",
    "smoke": "SMOKE",
    "vehicle_dust": "Vehicle Dust",
    "dust": "dust",
    "fire_for_effect": "Fire For Effect",
}


def sight(view: View, a: str, b: str) -> Sight | None:
    """The line from one hex to the other; None if one of them is not on the map."""
    place = stage(view["scenario"]).ruled(view["numbers"]["edition"])
    index, names = place.grid.index, place.grid.names
    if a not in index or b not in index:
        return None
    found = thread(place.sights, _spot(view, a, index[a]), _spot(view, b, index[b]))
    los = found.los
    hindrances: list[SightItem] = [
        {
            "hex": names[one.hex],
            "value": signed(one.drm),
            "text": HINDRANCE_WORDS.get(one.kind, one.kind.replace("_", " ")),
            "rule": one.rule,
        }
        for one in found.hindrances
    ]
    facts: dict[str, Fact] = {"from": a, "to": b, "n": los.range, "drm": signed(los.hindrance)}
    text: Said
    if los.block is not None:
        why = Text.of(los.block.why, {"hex": names[los.block.hex]})
        text = Text.of("{from} does not see {to}: {why}", {**facts, "why": why})
    elif hindrances:
        text = Text.of("{from} sees {to}: range {n}, Hindrance {drm}", facts)
    else:
        text = Text.of("{from} sees {to}: range {n}, no Hindrance", facts)
    return {
        "hexes": [names[h] for h in found.hexes],
        "range": los.range,
        "clear": los.clear,
        "blocked": "" if los.block is None else names[los.block.hex],
        "unseen": [names[h] for h in found.unseen],
        "hindrances": hindrances,
        "text": text,
        "rule": found.rule,
    }


def _spot(view: View, name: str, h: Hex) -> Spot:
    """An end of the line: beneath a sangar if everybody known there is."""
    here = [unit for unit in view["units"] if unit.get("hex") == name and "holder" not in unit]
    men = [unit for unit in here if unit["type"] != "sangar"]
    return Spot(h, dug_in=bool(men) and all(unit.get("under") == UNDER_SANGAR for unit in men))
