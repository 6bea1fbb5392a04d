"""A6.1 The LOS thread: a line of sight between two hexes, drawn out for a client as a side knows the map."""

from __future__ import annotations

from sandtable.engine.contract import View
from sandtable.engine.hexes import Hex
from sandtable.engine.scene import Sight, SightItem
from sandtable.engine.texts.text import Fact, Said, Text
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.masks import units_of

from ..boards.locations import Spot
from ..fire.sights import screens_of
from ..los.line import Thread, thread
from ..table.state import State
from ..table.weather import air
from ..table.works import bare, spot
from .view import known

HINDRANCE_WORDS = {
    "scrub": "scrub",
    "hammada": "hammada",
    "sand_scrub": "sand with scrub",
    "brush": "brush",
    "hammada_crag": "crag",
    "grain": "grain",
    "orchard": "orchard",
    "olive_grove": "olive grove",
    "vineyard": "vineyard",
    "cactus_patch": "cactus patch",
    "hillock": "hillock",
    "vehicle": "a vehicle or wreck",
    "smoke": "smoke",
    "vehicle_dust": "Vehicle Dust",
    "dust": "dust",
    "fire_for_effect": "Fire For Effect",
}


def sight(view: View, a: str, b: str) -> Sight | None:
    """The line from one hex to the other; None if one of them is not on the map."""
    s = known(view)
    index, names = s.stage.grid.index, s.stage.grid.names
    if a not in index or b not in index:
        return None
    found = _best(s, _spots(s, index[a]), _spots(s, index[b]))
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


def _best(s: State, ends: list[Spot], others: list[Spot]) -> Thread:
    """The line between those of two hexes who see most of each other, with what lies on the map and in the air."""
    screens, now = screens_of(s), air(s)
    lines = [thread(s.stage.sights, one, other, screens, now) for one in ends for other in others]
    return min(lines, key=lambda one: (not one.los.clear, one.los.hindrance))


def _spots(s: State, h: Hex) -> list[Spot]:
    """The ends of a line in a hex: where the pieces are that are known to be there; its ground if none is."""
    here = s.here.get(h, 0) & (s.stage.roster.men | s.stage.roster.guns | s.stage.roster.vehicles)
    return sorted({spot(s, u) for u in units_of(here)}) or [bare(h)]
