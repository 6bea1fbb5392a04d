"""The view made drawable: counters, supply points, fortifications, ports, boxes and tracks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine.contract import View
from sandtable.engine.hexes import hexes_of
from sandtable.engine.scene import BoxItem, MarkerItem, Scene, StatItem, TrackItem
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.shown.showing import box_items, phase_bar, stacked

from ..table.board import Board
from ..table.ids import (
    AIR_ALLIED,
    ASSETS,
    AXIS,
    F_BREAKTHROUGH,
    F_CONVOY,
    F_RETREAT_UNIT,
    F_STACK,
    SHOWS,
    SIDES,
    STRAFING,
)
from ..table.scenarios import script_of
from ..table.verbs import month_said
from .counters import counter, weight

TITLES = ("Axis", "Allied")

PHASE_TITLES = {
    "preparation": "Preparation",
    "initial": "Initial",
    "movement": "Movement",
    "combat": "Combat",
    "recovery": "Recovery",
    "supply": "Supply",
    "delay": "Delay",
    "supply_attrition": "Supply attrition",
    "victory_points": "Victory points",
}

BOX_TITLES = {
    "italy": ("Italy", "6.1.1a"),
    "tripoli": ("Tripoli", "6.1.2a"),
    "nile_delta": ("Nile Delta", "6.1.2a"),
    "at_sea": ("At sea", "21.1.1b"),
    "reserve": ("Reserve Box", "S2.2b"),
    "withdrawn": ("Withdrawn Box", "20.3a"),
    "scheduled": ("Reinforcements to come", "20.1a"),
    "eliminated": ("Eliminated Box", "8.7e"),
    "surrender_left": ("Surrender Box, left", "12.5.2a"),
    "surrender_right": ("Surrender Box, right", "12.5.2a"),
    "replacement_pool": ("Replacement Pool", "2.2.3"),
    "removed": ("Out of the game", "20.2a"),
}

ASSET_TITLES = (
    "German air support",
    "Italian air support",
    "Allied air support",
    "Axis strafing",
    "LRDG",
    "Air transport",
    "Comando Supremo",
    "Coastal convoy",
    "",
    "Allied strafing",
)


def scene(board: Board, view: View) -> Scene:
    """Everything that the table shows."""
    turn = board.turns.get(view["turn"])
    heavy = set(view["unit_sets"]["heavy"])
    past = _past_marks(view)
    counters = [
        (counter(board, unit, unit["id"] in heavy, past[unit["side"]]), weight(board, unit)) for unit in view["units"]
    ]
    for (item, _), unit in zip(counters, view["units"], strict=True):
        if "box" in item:
            item["box"] = _dated(item["box"], unit)
    acting = _acting(board, view)
    for item, _ in counters:
        if item["unit"] in acting:
            item["marks"].append("acting")
    return {
        "title": Text("Turn {n}", n=view["turn"]) if turn else term("Set-up"),
        "subtitle": _subtitle(view, turn["date"]) if turn else "",
        "active": view["active"],
        "to_act": view["to_act"],
        "phases": phase_bar(_phases(board, view), view["phase"]),
        "counters": stacked(counters),
        "markers": _markers(board, view),
        "control": _control(board, view),
        "tracks": _tracks(board, view),
        "hands": [],
        "boxes": _boxes(board, view),
        "stats": _stats(board, view),
        "notes": _notes(board, view),
    }


def _past_marks(view: View) -> dict[str, frozenset[str]]:
    """What a counter need not show any more: who has moved matters while his side moves, how he did until it has
    fought, who has attacked or given way in the Combat Phase alone."""
    phase, active = view["phase"], view["active"]
    fought = frozenset(("attacked", "retreated")) if phase != "combat" else frozenset[str]()
    moved = {"movement": frozenset[str](), "combat": frozenset(("moved",))}.get(phase, frozenset(("moved", "extended")))
    return {side: fought | (moved if side == active else frozenset(("moved", "extended"))) for side in SIDES}


def _acting(board: Board, view: View) -> set[str]:
    """The units that the decision is about: the stack on the move, the convoy, who retreats."""
    if not view["frames"] or view["to_act"] in (None, "chance"):
        return set()
    frame, *rest = view["frames"][-1]
    if frame == F_RETREAT_UNIT:
        return {board.units[rest[0]]}
    if frame in (F_STACK, F_BREAKTHROUGH):
        return {*view["unit_sets"]["group"], *view["unit_sets"]["loads"]}
    return set(view["unit_sets"]["convoy"]) if frame == F_CONVOY else set()


def _around(view: View) -> bool:
    """3.1a whether this is a phase of the game turn, in which both sides act."""
    return view["phase"] in ("preparation", "supply_attrition", "victory_points")


def _subtitle(view: View, date: str) -> Said:
    """The year is known: month and half, the impulse, and whose player turn it is."""
    half = date.removeprefix("1941 ")
    month = month_said(half)
    return month if _around(view) else Text("{month} \u2022 Impulse {n} of 3", month=month, n=view["impulse"])


def _phases(board: Board, view: View) -> list[tuple[str, str]]:
    """The bar: the six phases of a player turn (3.2a), or those around them while one of these goes on (3.1a)."""
    around = ["preparation", "supply_attrition"]
    if board.pack.scenarios[view["scenario"]]["scenario"]["victory_point_phase"]:
        around.append("victory_points")
    wanted = around if _around(view) else [p for p in PHASE_TITLES if p not in (*around, "victory_points")]
    return [(phase, PHASE_TITLES[phase]) for phase in wanted]


# The map


def _markers(board: Board, view: View) -> list[MarkerItem]:
    """What lies on the map beside the units; of a hex the first stands highest."""
    out: list[MarkerItem] = []
    axis = set(view["place_sets"]["control"])
    occupied = {(unit["side"], unit["hex"]) for unit in view["units"] if "hex" in unit}
    for i, side in enumerate(SIDES):
        for place, count in view["supply_points"][i].items():
            if place in board.grid.index:
                out.append(_marker(place, "supply", f"{count} SP", side, "17.2.1a"))
        for place, count in view["supply_points_held"][i].items():
            if place in board.grid.index:
                out.append(_marker(place, "transport", f"{count} T", side, "21.1.5b"))
        for place in view["fortifications"][i]:
            out.append(_marker(place, "fortification", "Complete", side, "9.5.1a"))
        for place in view["building"][i]:
            out.append(_marker(place, "building", "Fortification under construction", side, "9.5.4b"))
        for place in view["strafing"][i]:
            out.append(_marker(place, "strafing", "+1 MP for the enemy", side, "18.7.5c"))
        for number, h in enumerate(view["lists"][f"delay_{side}"]):
            if h >= 0:
                out.append(_marker(board.grid.names[h], "delay", f"D{number + 1}", side, "24.2a"))
    for place in view["lrdg"]:
        out.append(_marker(place, "lrdg", "+2 MP for the Axis", "allied", "18.8c"))
    for h in hexes_of(board.controllable):
        name = board.grid.names[h]
        side = "axis" if name in axis else "allied"
        if (side, name) not in occupied:
            out.append(_marker(name, "control", "", side, "16.3.5a"))
        port = board.port_at.get(h)
        if port is not None:
            capacity = board.port_track[port][view["lists"]["port_level"][port]]
            out.append(_marker(name, "badge", str(capacity), side, "21.3.2b"))
    spread: dict[int, int] = {}
    for place, reach, _ in view["lists"]["supplies"] if view["phase"] == "combat" else ():
        spread[place] = max(reach, spread.get(place, 0))
    for place, reach in spread.items():
        if place >= 0 and not board.is_box(place):
            label = Text("Attack supply within {n} hexes", n=reach)
            out.append(_marker(board.grid.names[place], "spent", label, view["active"], "8.5.1c"))
    if view["numbers"]["target"] >= 0 and view["unit_sets"]["attackers"]:
        target = board.grid.names[view["numbers"]["target"]]
        out.append({"hex": target, "kind": "battle", "label": "Attacked", "rule": "8.1a"})
    return out


def _marker(place: str, kind: str, label: Said, side: str, rule: str) -> MarkerItem:
    return {"hex": place, "kind": kind, "label": label, "side": side, "rule": rule}


def _control(board: Board, view: View) -> dict[str, list[str]]:
    """16.3.5 the places each side controls."""
    axis = set(view["place_sets"]["control"])
    places = [board.grid.names[h] for h in hexes_of(board.controllable)]
    return {"axis": [n for n in places if n in axis], "allied": [n for n in places if n not in axis]}


# The displays


def _tracks(board: Board, view: View) -> list[TrackItem]:
    """Turn, impulse, victory; then what each side has in hand; then the sea."""
    return [*_clock(board, view), *_victory(board, view), *_means(board, view), *_shipping(board, view)]


def _clock(board: Board, view: View) -> list[TrackItem]:
    """3.1 the turn and the impulse; a summer turn has no second one (3.1g)."""
    plan = script_of(board, view["scenario"])
    turn = view["turn"]
    out: list[TrackItem] = [
        {"id": "turn", "title": "Turn", "value": Text("{n} of {last}", n=turn, last=plan.last_turn), "rule": "3.1a"}
    ]
    if turn in board.turns:
        cells = board.turns[turn]["impulses"]
        impulse: TrackItem = {"id": "impulse", "title": "Impulse", "cells": [str(n) for n in cells], "rule": "3.1g"}
        if view["impulse"] in cells:
            impulse["now"] = cells.index(view["impulse"])
        out.append(impulse)
    return out


def _victory(board: Board, view: View) -> list[TrackItem]:
    plan = script_of(board, view["scenario"])
    if plan.points:
        number = view["numbers"]["vp"]
        return [{"id": "vp", "title": "Victory points", "value": signed(number), "rule": "S2.3.2a"}]
    if not plan.objectives:
        return []
    axis = set(view["place_sets"]["control"])
    goals = [board.grid.names[h] for h in hexes_of(plan.objectives.hexes)]
    held = sum(1 for name in goals if name in axis)
    value = Text("{n}, {needed} needed", n=held, needed=plan.objectives.needed)
    return [
        {"id": "objectives", "title": "Axis objectives", "value": value, "side": "axis", "rule": plan.objectives.rule}
    ]


RP_TITLES = ("Axis RP", "Allied RP")


def _means(board: Board, view: View) -> list[TrackItem]:
    out: list[TrackItem] = []
    for i, side in enumerate(SIDES):
        points: TrackItem = {"id": f"rp_{side}", "title": RP_TITLES[i], "side": side, "rule": "23.1b"}
        points["pips"] = [view["pairs"]["rp"][i], board.general["max_rp"]]
        out.append(points)
    stocks = [supplies(view, i) for i in (0, 1)]
    out.append({"id": "sp", "title": "Supply points", "value": both(stocks), "rule": "17.2.1a"})
    ready = bool(view["numbers"]["rommel"])
    rommel: TrackItem = {"id": "rommel", "title": "Rommel", "side": "axis", "rule": "18.5a"}
    rommel["value"], rommel["tone"] = (term("Ready"), "good") if ready else (term("Used"), "warn")
    out.append(rommel)
    if view["turn"] in board.turns:
        superiority = board.turns[view["turn"]]["air_superiority"].capitalize()
        out.append({"id": "air", "title": "Air superiority", "value": superiority, "rule": "18.6a"})
    for i, count in enumerate(view["lists"]["assets"]):
        if count:
            side = "allied" if i in (AIR_ALLIED, 4, 7, 9) else "axis"
            name = ASSETS[i] if i < len(ASSETS) else f"{ASSETS[STRAFING]}_allied"
            out.append({"id": name, "title": ASSET_TITLES[i], "value": str(count), "side": side, "rule": "23.2.3a"})
    return out


def _shipping(board: Board, view: View) -> list[TrackItem]:
    """22 The modifiers of convoys; ports bear their capacity on the map (21.3.2b)."""
    tables = board.pack.tables
    boxes = tables["malta"]["boxes"]
    malta: TrackItem = {"id": "malta", "title": "Malta", "cells": [signed(n) for n in boxes], "rule": "22.3.2a"}
    malta["now"] = boxes.index(view["numbers"]["malta"])
    out = [malta]
    drm = tables["ast"]["coastal_drm"]
    axis = set(view["place_sets"]["control"])
    fields = [row["hex"] for row in tables["airfield"] if row["id"] in drm["map_airfields"]]
    crete = "axis" if view["turn"] >= tables["crete"]["axis_from_turn"] else "allied"
    totals = []
    for i, side in enumerate(SIDES):
        held = sum(1 for name in fields if (name in axis) == (i == AXIS))
        total = held * drm["per_controlled_map_airfield"] + (drm["crete_friendly"] if side == crete else 0)
        totals.append(total + (drm["third_impulse"] if view["impulse"] == drm["third_impulse_number"] else 0))
    value = both([signed(n) for n in totals])
    out.append({"id": "coastal", "title": "Coastal convoys", "value": value, "rule": "22.2.2a"})
    return out


def supplies(view: View, side: int) -> int:
    """17.2.1a, 17.2.4a the supply points of a side, loose or carried by an MSU."""
    loose: int = sum(view["supply_points"][side].values())
    return loose + sum(1 for unit in view["units"] if unit["side"] == SIDES[side] and "msu" in unit.get("marks", ()))


def both(values: Sequence[int | str]) -> Text:
    """One value for each side."""
    return Text("Axis {axis}, Allied {allied}", axis=values[0], allied=values[1])


def signed(number: int) -> str:
    """A modifier with its sign, and a true minus."""
    return f"{number:+d}".replace("-", "\u2212") if number else "0"


DATED_TITLES = {"scheduled": "Reinforcements of turn {n}", "withdrawn": "Withdrawn until turn {n}"}
"""20.1a, 20.3a the boxes whose units come at a known time: one for each turn."""


def _dated(box: str, unit: dict[str, Any]) -> str:
    """The box in which a unit lies, with the turn in which it comes."""
    return f"{box}_{unit['due']}" if box in DATED_TITLES and unit.get("due") else box


def _box_titles(view: View) -> dict[str, tuple[Said, str]]:
    """All boxes in their order; those with dates turn by turn."""
    out: dict[str, tuple[Said, str]] = {}
    for box, (title, rule) in BOX_TITLES.items():
        for turn in sorted(
            {u["due"] for u in view["units"] if box in DATED_TITLES and u.get("box") == box and u.get("due")}
        ):
            out[f"{box}_{turn}"] = (Text(DATED_TITLES[box], n=turn), rule)
        out[box] = (title, rule)
    return out


def _boxes(board: Board, view: View) -> list[BoxItem]:
    """The boxes that hold anything, and the bases always: supply points lie there too (6.1.3)."""
    units = [
        dict(u, box=u["hex"]) if u.get("hex") in board.grid.boxes else dict(u, box=_dated(u.get("box", ""), u))
        for u in view["units"]
    ]
    notes = {}
    for i in (0, 1):
        for place, count in view["supply_points"][i].items():
            if place in board.grid.boxes:
                notes[place] = Text("{n} SP", n=count)
    out = box_items(_box_titles(view), SIDES, TITLES, units, notes)
    there = {box["id"] for box in out}
    for place, note in notes.items():
        if place not in there:
            title, rule = BOX_TITLES[place]
            side = next(i for i in (0, 1) if board.own_boxes[i] >> board.grid.boxes[place] & 1)
            item: BoxItem = {
                "id": place,
                "title": Text("{side}: {box}", side=TITLES[side], box=title),
                "side": SIDES[side],
                "count": 0,
            }
            out.append({**item, "rule": rule, "note": note})
    return out


def _stats(board: Board, view: View) -> list[StatItem]:
    steps = [0.0, 0.0]
    tanks = [0.0, 0.0]
    supply = [float(supplies(view, i)) for i in (0, 1)]
    lost = [0.0, 0.0]
    for unit in view["units"]:
        u, shows = board.unit_index[unit["id"]], SHOWS.index(unit["shows"])
        if not board.combat >> u & 1:
            continue
        side, left = board.side[u], board.steps_of[u] - shows
        if "hex" in unit:
            steps[side] += left
            tanks[side] += left if board.tanks >> u & 1 else 0
        elif unit["box"] in ("eliminated", "surrender_left", "surrender_right"):
            lost[side] += 1
    return [
        {"id": "steps", "title": "Steps in play", "values": [*steps]},
        {"id": "tanks", "title": "Tank steps in play", "values": [*tanks]},
        {"id": "supply", "title": "Supply points", "values": [*supply]},
        {"id": "lost", "title": "Units eliminated or surrendered", "values": [*lost]},
    ]


def _notes(board: Board, view: View) -> list[str]:
    out = []
    turn = board.turns.get(view["turn"])
    if turn and turn["summer"]:
        out.append("Summer: there is no second impulse (3.1g)")
    if view["numbers"]["comando"]:
        out.append("Comando Supremo: Germans and Italians may attack together (8.4.1a)")
    return out
