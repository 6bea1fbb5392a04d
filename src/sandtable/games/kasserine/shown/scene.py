"""The view made drawable: counters, works, boxes and tracks."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import View
from sandtable.engine.scene import CounterItem, MarkerItem, PhaseItem, Scene, StatItem, TrackItem
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.shown.showing import box_items, phase_bar, shortened, stacked

from ..table import steps
from ..table.board import Board
from ..table.ids import ALLIED, AXIS, PHASES, SHOWS, SIDES
from .look import STYLE
from .texts import dated

TITLES = ("Axis", "Allied")

PHASE_TITLES = {
    "weather": "Weather",
    "reinforcements": "Reinforcements",
    "supply_determination": "Supply",
    "air_readiness": "Air readiness",
    "joint_air": "Joint air",
    "axis_movement": "Axis movement",
    "allied_reaction": "Allied reaction",
    "axis_combat": "Axis combat",
    "axis_motorized_movement": "Axis motorized",
    "allied_movement": "Allied movement",
    "axis_reaction": "Axis reaction",
    "allied_combat": "Allied combat",
    "allied_motorized_movement": "Allied motorized",
    "engineer": "Engineers",
    "reorganization": "Reorganization",
    "victory_determination": "Victory",
    "turn_record": "Turn record",
}

BOX_TITLES = {
    "ready": ("Ready", "10.13"),
    "interdiction": ("Interdiction", "10.34"),
    "flown": ("Flown", "10.12"),
    "to_come": ("To come", "14.11a"),
    "exited": ("Exited", "14.36"),
    "withdrawn": ("Withdrawn", "14.41"),
    "eliminated": ("Eliminated", "8.74a"),
}

SHOWN_MARKS = {
    "disrupted": "disrupted",
    "oos": "out_of_supply",
    "emergency": "limited_supply",
    "fired": "fired",
    "spent": "spent",
    "fire_net": "fire_net",
    "moved": "moved",
}

WEATHER_TITLES = {"dry": "Dry", "cloudy": "Cloudy", "rain": "Rain", "lingering_mud": "Lingering mud"}


def scene(board: Board, view: View) -> Scene:
    """Everything that the table shows."""
    turn = view["turn"]
    return {
        "title": Text("Turn {n}", n=turn),
        "subtitle": dated(board.charts.dates.get(turn, "")),
        "active": view["active"],
        "to_act": view["to_act"],
        "phases": _phases(view),
        "counters": _counters(board, view),
        "markers": _markers(board, view),
        "control": _control(board, view),
        "tracks": _tracks(board, view),
        "hands": [],
        "boxes": box_items(BOX_TITLES, SIDES, TITLES, view["units"]),
        "stats": _stats(board, view),
        "notes": _notes(view),
    }


def _phases(view: View) -> list[PhaseItem]:
    return phase_bar([(name, PHASE_TITLES[name]) for name in PHASES[:-1]], view["phase"])


def _counters(board: Board, view: View) -> list[CounterItem]:
    """The strongest of a stack lies on top."""
    acting = _acting(board, view)
    items = []
    for unit in view["units"]:
        item = _counter(board, unit, unit["side"] == view["active"] and "movement" in view["phase"])
        if unit["id"] in acting:
            item["marks"].append("acting")
        items.append((item, _weight(board, unit)))
    return stacked(items)


def _acting(board: Board, view: View) -> set[str]:
    """The units that the decision is about."""
    if not view["frames"] or view["to_act"] in (None, "chance"):
        return set()
    frame, *rest = view["frames"][-1]
    if frame in (steps.MOVE_TO, steps.ENTERING, steps.REACTION_MOVE):
        return {board.units[rest[0]]}
    if frame == steps.STACK_MOVES:
        mask = view["unit_sets"]["stack_units"]
        units = int(mask, 16) if isinstance(mask, str) else mask
        return {name for u, name in enumerate(board.units) if units >> u & 1}
    return set()


def _weight(board: Board, unit: dict[str, Any]) -> int:
    u, shows = board.unit_index[unit["id"]], SHOWS.index(unit["shows"])
    return board.attack[u][shows] * 10 + board.defense[u][shows] + (200 if board.leaders >> u & 1 else 0)


def _counter(board: Board, unit: dict[str, Any], moving: bool) -> CounterItem:
    u, shows = board.unit_index[unit["id"]], SHOWS.index(unit["shows"])
    row = board.pack.units[unit["id"]]
    item: CounterItem = {
        "unit": unit["id"],
        "side": unit["side"],
        "hidden": False,
        "label": shortened(row["name"], (("Panzer", "Pz"), (" HQ", "")), 9),
        "name": row["name"],
        "formation": row["formation"],
        "symbol": row["type"],
        "size": row["size"],
        "nation": row["nation"],
        "strength": strength(board, u, shows),
        "values": _values(board, u, shows),
        "steps": [board.steps[u] - shows, board.steps[u]],
        "marks": [SHOWN_MARKS[m] for m in unit.get("marks", ()) if m in SHOWN_MARKS and (m != "moved" or moving)],
        "detail": detail(board, u, shows),
    }
    if row["formation"] in STYLE.bands:
        item["band"] = STYLE.bands[row["formation"]]
    if board.armor >> u & 1:
        item["tank"] = "A"
    elif board.red_defense >> u & 1:
        item["tank"] = "A"
        item["tank_hollow"] = True
    if "hex" in unit:
        item["hex"] = unit["hex"]
    else:
        item["box"] = unit["box"]
    return item


def strength(board: Board, u: int, shows: int) -> str:
    """2.21 what stands on the counter: attack-defense, support and range, Command Points, CAS and bombing."""
    if board.air >> u & 1:
        return f"{board.cas[u]}-{board.bombing[u]}" if board.bombing[u] else str(board.cas[u])
    if board.leaders >> u & 1:
        return ""
    if board.artillery >> u & 1:
        return f"{board.support[u]}-{board.range[u]}"
    if board.hqs >> u & 1:
        return f"{board.cp[u]}"
    return f"{board.attack[u][shows]}-{board.defense[u][shows]}"


def _values(board: Board, u: int, shows: int) -> list[str]:
    if board.air >> u & 1:
        return [str(board.air_er[u])]
    values = [str(board.er[u][shows])] if board.er[u][shows] else []
    return [*values, str(board.ma[u][shows])]


MOVE_WORDS = ("MA {ma} (red box)", "MA {ma} (orange circle)", "MA {ma}")
KIND_WORDS = {
    "hq": "HQ",
    "armor": "armor",
    "armored_artillery": "armored artillery",
    "armored_car": "armored cars",
    "armored_infantry": "armored infantry",
    "artillery": "artillery",
    "rocket_artillery": "rocket artillery",
    "aa": "anti-aircraft",
    "heavy_aa": "heavy anti-aircraft",
    "at": "anti-tank",
    "td": "tank destroyers",
    "infantry": "infantry",
    "motorcycle": "motorcycles",
    "motorized_infantry": "motorized infantry",
    "mountain_infantry": "mountain infantry",
    "recon": "reconnaissance",
}


def detail(board: Board, u: int, shows: int) -> Said:
    """One line for the hex card."""
    row = board.pack.units[board.units[u]]
    name = row["name"]
    if board.air >> u & 1:
        sentence = term("{name}, air unit, ER {er}, CAS {cas}, bombing {bombing}")
        return Text(sentence, name=name, er=board.air_er[u], cas=board.cas[u], bombing=board.bombing[u])
    if board.leaders >> u & 1:
        return Text("{name}, leader", name=name)
    defense = board.defense[u][shows]
    if board.artillery >> u & 1:
        sentence = term("support {support}, range {range}, defense {defense}")
        values = Text(sentence, support=board.support[u], range=board.range[u], defense=defense)
    elif board.hqs >> u & 1:
        values = Text("Command Points {points}, defense {defense}", points=board.cp[u], defense=defense)
    else:
        values = Text("attack {attack}, defense {defense}", attack=board.attack[u][shows], defense=defense)
    parts: list[Said] = [KIND_WORDS[row["type"]], values]
    if board.er[u][shows]:
        parts.append(Text("ER {er}", er=board.er[u][shows]))
    parts.append(Text(MOVE_WORDS[board.mover[u]], ma=board.ma[u][shows]))
    if shows:
        parts.append(term("reduced"))
    return Text("{name} ({formation}), {parts}", name=name, formation=row["formation"], parts=tuple(parts))


def _markers(board: Board, view: View) -> list[MarkerItem]:
    out: list[MarkerItem] = []
    works = view["works"]
    untried = _hexes(board, view, "untried")
    double = _hexes(board, view, "double")
    for side in (AXIS, ALLIED):
        for number in works["strongpoints"][side]:
            out.append(_marker(number, "strongpoint", term("Strongpoint"), side, "11.13a"))
        for number in works["building"][side]:
            out.append(_marker(number, "construction", term("Under construction"), side, "11.23a"))
        for number in works["mines"][side]:
            label = term("Untried") if number in untried else "+2" if number in double else "+1"
            out.append(_marker(number, "minefield", label, side, "11.45a"))
    for number in _hexes(board, view, "no_retreat"):
        out.append({"hex": number, "kind": "no_retreat", "label": term("No Retreat"), "rule": "7.42"})
    for number in view["declared"]["aims"]:
        out.append({"hex": number, "kind": "battle", "label": term("Attacked"), "rule": "7.12b"})
    if view["fight"] is not None:
        target = board.grid.names[view["fight"]["numbers"]["target"]]
        out.append({"hex": target, "kind": "battle", "label": term("Combat"), "rule": "8.0a"})
    return out


def _marker(number: str, kind: str, label: str, side: int, rule: str) -> MarkerItem:
    return {"hex": number, "kind": kind, "label": label, "side": SIDES[side], "rule": rule}


def _hexes(board: Board, view: View, name: str) -> list[str]:
    value = view["hex_sets"][name]
    mask = int(value, 16) if isinstance(value, str) else value
    return [board.grid.names[h] for h in board.grid.hexes if mask >> h & 1] if mask else []


def _control(board: Board, view: View) -> dict[str, list[str]]:
    """3.12 who controls the named places."""
    held = set(_hexes(board, view, "control"))
    places = [board.grid.names[h] for h in board.grid.hexes if board.named >> h & 1]
    return {"axis": [n for n in places if n in held], "allied": [n for n in places if n not in held]}


def _tracks(board: Board, view: View) -> list[TrackItem]:
    data = board.pack.scenarios[view["scenario"]]
    turns = range(data["first_turn"], data["last_turn"] + 1)
    net: TrackItem = {
        "id": "net",
        "title": "Net points of the Axis",
        "value": str(view["net"]),
        "side": "axis",
        "rule": "15",
    }
    rain = view["weather"] in ("rain", "lingering_mud")
    return [
        {"id": "turn", "title": "Turn", "cells": [str(n) for n in turns], "now": view["turn"] - turns[0]},
        {
            "id": "weather",
            "title": "Weather",
            "value": WEATHER_TITLES[view["weather"]],
            "tone": "warn" if rain else "good",
            "rule": "3.71a",
        },
        *([net] if data["victory"]["kind"] == "points" else []),
        *(_pool(view, side) for side in (AXIS, ALLIED)),
    ]


def _pool(view: View, side: int) -> TrackItem:
    rows = view["rows"]
    value = Text(
        "{strongpoints} strongpoints, {minefields} minefields",
        strongpoints=rows["strong_left"][side],
        minefields=rows["mines_left"][side],
    )
    return {
        "id": f"works_{SIDES[side]}",
        "title": Text("{side}: {box}", side=TITLES[side], box=term("Works left")),
        "value": value,
        "side": SIDES[side],
        "rule": "11.1",
    }


def _stats(board: Board, view: View) -> list[StatItem]:
    steps_on, attack, lost = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
    for unit in view["units"]:
        u, shows = board.unit_index[unit["id"]], SHOWS.index(unit["shows"])
        side = board.side[u]
        if "hex" in unit:
            steps_on[side] += board.steps[u] - shows
            attack[side] += board.attack[u][shows]
    for nation, n in enumerate(view["rows"]["lost"]):
        lost[AXIS if nation < 2 else ALLIED] += n
    return [
        {"id": "steps", "title": "Steps on the map", "values": [*steps_on]},
        {"id": "attack", "title": "Attack strength on the map", "values": [*attack]},
        {"id": "lost", "title": "Steps lost", "values": [*lost]},
    ]


def _notes(view: View) -> list[Said]:
    out: list[Said] = []
    if view["numbers"]["tigers_bound"]:
        out.append(term("Tigers keep to the roads (13.22)"))
    if view["numbers"]["patton_felt"]:
        out.append(term("Patton: US units have their ER raised (12.43b)"))
    return out
