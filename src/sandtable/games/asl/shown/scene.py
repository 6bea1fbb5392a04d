"""A view made drawable."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import View
from sandtable.engine.scene import CounterItem, MarkerItem, Scene
from sandtable.engine.texts.text import Text
from sandtable.mechanics.shown.showing import phase_bar

from ..table.ids import (
    ARMOR_LEADER,
    CREW,
    FOXHOLE,
    GUN,
    HALF_SQUAD,
    LEADER,
    MINES_AP,
    MINES_AT,
    MINES_DUMMY,
    SANGAR,
    SIDES,
    SQUAD,
    TRENCH,
    VEHICLE,
    WEAPON,
    WIRE,
    WORKS,
)
from ..table.stage import stage
from .texts import PHASE_TITLES

SYMBOLS = {LEADER: "headquarters", ARMOR_LEADER: "headquarters", WEAPON: "weapon", GUN: "artillery", VEHICLE: "armour"}
NAMED = (WEAPON, LEADER, ARMOR_LEADER, GUN, VEHICLE)
UNSHOWN = ("shot", "tried", "routed", "directed", "faced")
RULES = {
    SANGAR: "F8.1",
    FOXHOLE: "B27.3",
    TRENCH: "B27.5",
    WIRE: "B26.4",
    MINES_AP: "B28.41",
    MINES_AT: "B28.41",
    MINES_DUMMY: "F.7Ba",
}
SIZES = {SQUAD: "squad", HALF_SQUAD: "team", CREW: "team"}


def scene(view: View) -> Scene:
    """All of it."""
    place = stage(view["scenario"])
    roster = place.roster
    counters: list[CounterItem] = []
    markers: list[MarkerItem] = []
    for unit in view["units"]:
        if unit["type"] == "minefield":
            markers.append({"hex": unit["hex"], "kind": "minefield", "label": "Mines", "rule": "F.7b"})
            continue
        kind = roster.types[roster.type_of[unit["type"]]]
        if kind.kind in WORKS:
            if "hex" in unit:
                size = unit.get("strength", 0)
                label = f"{kind.name} {size}" if size else kind.name
                markers.append({"hex": unit["hex"], "kind": kind.id, "label": label, "rule": RULES[kind.kind]})
            continue
        if unit.get("box") in ("unused", "spare"):
            continue
        counters.append(_counter(unit, kind))
    for name, count in view["hidden"].items():
        other = SIDES[1 - SIDES.index(view["side"])] if view["side"] else SIDES[0]
        counters += [{"side": other, "hex": name, "hidden": True, "label": "?"} for _ in range(count)]
    for name in view["smoke"]:
        markers.append({"hex": name, "kind": "smoke", "label": "SMOKE", "rule": "A24.1"})
    for name in view["lanes"].values():
        markers.append({"hex": name, "kind": "fire_lane", "label": "Fire Lane", "rule": "A9.22"})
    for name, fp in view["residual"].items():
        markers.append({"hex": name, "kind": "residual", "label": str(fp), "rule": "A8.2"})
    script = place.script
    return {
        "title": script["title"],
        "subtitle": Text("Turn {turn} of {of}", turn=view["turn"], of=script["turns"]),
        "active": view["active"],
        "to_act": view["to_act"],
        "phases": phase_bar(list(PHASE_TITLES.items()), view["phase"]),
        "counters": counters,
        "markers": markers,
        "control": {"allied": view["control"]},
        "tracks": [{"id": "turn", "title": "Turn", "pips": [view["turn"], script["turns"]]}],
        "hands": [],
        "boxes": [],
        "stats": [{"id": "lost", "title": "Points lost", "values": [float(one) for one in view["lost"]]}],
        "notes": [script["victory"]["text"]],
    }


def _counter(unit: dict[str, Any], kind: Any) -> CounterItem:
    item: CounterItem = {
        "unit": unit["id"],
        "side": unit["side"],
        "label": kind.name if kind.kind in NAMED else f"{kind.fp}-{kind.range}-{kind.morale}",
        "name": kind.name,
        "nation": kind.nation,
        "symbol": SYMBOLS.get(kind.kind, "infantry"),
        "strength": f"{kind.fp}-{kind.range}" if kind.fp else str(kind.leadership),
        "values": [str(kind.morale)] if kind.morale else [],
        "marks": [mark for mark in unit.get("marks", ()) if mark not in UNSHOWN],
        "detail": kind.name,
    }
    if kind.kind in SIZES:
        item["size"] = SIZES[kind.kind]
    if "hex" in unit:
        item["hex"] = unit["hex"]
    else:
        item["box"] = unit["box"]
    return item
