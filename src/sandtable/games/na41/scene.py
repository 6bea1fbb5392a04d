"""The view made drawable: counters, supply points, fortifications, ports, boxes and tracks."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import View
from sandtable.engine.scene import BoxItem, CounterItem, MarkerItem, Scene, StatItem, TrackItem
from sandtable.mechanics.showing import box_items, phase_bar, shortened, stacked

from .board import Board
from .ids import AIR_ALLIED, ASSETS, ELITE, LOW, SHOWS, SIDES, STRAFING

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

SHOWN_MARKS = {
    "disrupted": "disrupted",
    "routed": "full retreat",
    "oos": "out_of_supply",
    "isolated": "isolated",
    "depleted": "depleted",
    "shipped": "transport",
    "refreshed": "rebuilt",
    "auto": "auto ds",
    "moved": "moved",
    "extended": "extended",
    "attacked": "attacked",
    "retreated": "retreated",
    "fed": "port supply",
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

SHORT = (
    (" (re-equipped)", ""),
    (" (Matilda and Valentine)", ""),
    (" (Matilda)", ""),
    (" (Crusader)", ""),
    (" (Stuart)", ""),
    (" (A9/A13)", ""),
    (" (A13)", ""),
    (" (Mk VI)", ""),
    (" (old)", ""),
    (" Tank (M13)", ""),
    (" Tank (L3)", ""),
    (" (88mm)", ""),
    (" (70 Div)", ""),
    (" Recon (AA 3)", " AA"),
    (" Recon (AA 33)", " AA"),
    (" (ex MG 8)", ""),
    (" (recon)", ""),
    ("Royal Gloucestershire Hussars", "RGH"),
    ("County of London Yeomanry", "CLY"),
    ("King's Dragoon Guards", "KDG"),
    ("Tower Hamlets Rifles", "THR"),
    ("Royal Northumberland Fusiliers", "RNF"),
    ("King's Royal Rifle Corps", "KRRC"),
    ("Rifle Brigade", "RB"),
    ("Scots Guards", "SG"),
    ("Durham Light Infantry", "DLI"),
    ("Central India Horse", "CIH"),
    ("Divisional Cavalry", "DC"),
    ("Polish Carpathian", "Carp"),
    ("Armoured Cars", "AC"),
    ("Western Desert Force / XIII Corps HQ", "XIII"),
    ("Tobruk Fortress Artillery (Tobruk ASU)", "Tobruk"),
    (" Medium Artillery Group", " Med"),
    (" Army Artillery Group", " Army"),
    (" Corps Artillery Group", " Corps"),
    (" Corps HQ", ""),
    (" (CAM)", ""),
    (" HQ", ""),
    ("Carabinieri Parachute", "CCP"),
    ("Giovani Fascisti", "GGFF"),
    ("Lancieri Novara", "Novara"),
    ("Sonderverband", "Sdv"),
    ("Kradschützen", "K"),
    ("Bersaglieri", "Bers"),
    ("Schützen", "Sch"),
    ("Panzer", "Pz"),
    ("Hussars", "H"),
    ("Lancers", "L"),
    (" Infantry", ""),
    (" Group", ""),
    (" Bde", ""),
    (" Bn", ""),
    ("Indian", "Ind"),
    ("Czechoslovak", "Cz"),
    ("Captured Truck", "Capt"),
    ("Axis Truck", "Tr"),
    ("Allied Truck", "Tr"),
)

BANDS = {
    "5le": "band-2",
    "21pz": "band-2",
    "15pz": "band-1",
    "afrika": "band-9",
    "ariete": "band-6",
    "brescia": "band-3",
    "pavia": "band-4",
    "bologna": "band-5",
    "savona": "band-7",
    "sabratha": "band-8",
    "trento": "band-10",
    "trieste": "band-1",
    "2arm": "band-3",
    "7arm": "band-2",
    "1arm": "band-8",
    "4ind": "band-1",
    "2nz": "band-4",
    "9aus": "band-6",
    "7aus": "band-6",
    "70inf": "band-5",
    "1sa": "band-7",
    "2sa": "band-10",
}


def scene(board: Board, view: View) -> Scene:
    """Everything that the table shows."""
    turn = board.turns.get(view["turn"])
    phase = view["phase"]
    around = phase in ("preparation", "supply_attrition", "victory_points")
    who = "" if around else f", impulse {view['impulse']}, {view['active'].capitalize()} {PHASE_TITLES[phase].lower()}"
    return {
        "title": f"Turn {view['turn']}" if turn else "Set-up",
        "subtitle": f"{turn['date']}{who or ', ' + PHASE_TITLES[phase].lower()}" if turn else "",
        "active": view["active"],
        "to_act": view["to_act"],
        "phases": phase_bar(list(PHASE_TITLES.items()), phase),
        "counters": stacked([(_counter(board, unit), _weight(board, unit)) for unit in view["units"]]),
        "markers": _markers(board, view),
        "control": _control(board, view),
        "tracks": _tracks(board, view),
        "hands": [],
        "boxes": _boxes(board, view),
        "stats": _stats(board, view),
        "notes": _notes(board, view),
    }


def _weight(board: Board, unit: dict[str, Any]) -> int:
    u, shows = board.unit_index[unit["id"]], SHOWS.index(unit["shows"])
    return board.att[u][shows] * 10 + board.dfn[u][shows]


def _counter(board: Board, unit: dict[str, Any]) -> CounterItem:
    u, shows = board.unit_index[unit["id"]], SHOWS.index(unit["shows"])
    row = board.pack.units[unit["id"]]
    marks = unit.get("marks", ())
    nation = "luftwaffe" if "luftwaffe" in row.parts("marks") else row["nation"]
    msu = "msu" in marks
    item: CounterItem = {
        "unit": unit["id"],
        "side": unit["side"],
        "hidden": False,
        "label": shortened(row["name"], SHORT, 9),
        "name": row["name"] + (" (remnant)" if shows == 2 else ""),
        "formation": row["formation"],
        "symbol": "supply" if msu else row["type"],
        "size": row["size"] if row["size"] != "none" else "",
        "nation": nation,
        "strength": _strength(board, u, shows),
        "values": [str(board.ma[u][shows])],
        "steps": [board.steps_of[u] - shows, board.steps_of[u]],
        "marks": [SHOWN_MARKS[m] for m in marks if m in SHOWN_MARKS],
        "detail": detail(board, u, shows, msu),
    }
    if board.tq[u] in (ELITE, LOW):
        item["boxed"] = ["", "elite" if board.tq[u] == ELITE else "low", ""]
    if row["formation"] in BANDS:
        item["band"] = BANDS[row["formation"]]
    if board.silhouettes >> u & 1:
        item["tank"] = str(board.tank_value[u])
        item["tank_hollow"] = bool(board.flak >> u & 1)
    place = unit.get("hex", "")
    if place in board.grid.index:
        item["hex"] = place
    else:
        item["box"] = place or unit["box"]
    return item


def _strength(board: Board, u: int, shows: int) -> str:
    if board.asus >> u & 1:  # 2.3.2g
        support = "S" if board.support_asus >> u & 1 else ""
        return f"{board.asu_range[u]}{support}-({board.dfn[u][shows]})"
    if not board.combat >> u & 1:
        return "0"
    defence = f"({board.dfn[u][shows]})" if board.parenthesised >> u & 1 else str(board.dfn[u][shows])
    return f"{board.att[u][shows]}-{defence}"


def detail(board: Board, u: int, shows: int, msu: bool) -> str:
    """One line for the hex card."""
    row = board.pack.units[board.units[u]]
    quality = ("low quality", "", "elite")[board.tq[u]]
    kind = "mobile supply unit" if msu else row["type"].replace("_", " ")
    move = "mechanised" if board.mech >> u & 1 else "on foot"
    words = [row["name"], kind, move, f"{_strength(board, u, shows)}-{board.ma[u][shows]}"]
    if board.silhouettes >> u & 1:
        words.append(f"tank value {board.tank_value[u]}")
    words += [quality] if quality else []
    words.append(f"stacking {board.stacking[u]}")
    return ", ".join(words) + ("", ", reduced", ", remnant")[shows]


def _markers(board: Board, view: View) -> list[MarkerItem]:
    out: list[MarkerItem] = []
    for i, side in enumerate(SIDES):
        for place, count in view["supply_points"][i].items():
            if place in board.grid.index:
                label = f"{count} SP"
                out.append({"hex": place, "kind": "supply", "label": label, "side": side, "rule": "17.2.1a"})
        for place in view["fortifications"][i]:
            out.append({"hex": place, "kind": "fortress", "label": "Fortification", "side": side, "rule": "9.5"})
        for place in view["building"][i]:
            out.append({"hex": place, "kind": "building", "label": "Under construction", "side": side, "rule": "9.5.3"})
        for place in view["strafing"][i]:
            out.append({"hex": place, "kind": "strafing", "label": "Strafing", "side": side, "rule": "18.7.5"})
        for number, h in enumerate(view["lists"][f"delay_{side}"]):
            if h >= 0:
                name = board.grid.names[h]
                out.append({"hex": name, "kind": "delay", "label": f"{number + 1}", "side": side, "rule": "24.2a"})
    for place in view["lrdg"]:
        out.append({"hex": place, "kind": "lrdg", "label": "LRDG", "side": "allied", "rule": "18.8"})
    axis = set(view["place_sets"]["control"])
    for h in board.grid.hexes:
        if board.controllable >> h & 1:
            name = board.grid.names[h]
            side = "axis" if name in axis else "allied"
            port = board.port_at.get(h)
            label = "Held"
            if port is not None:
                label = f"Port {board.port_track[port][view['lists']['port_level'][port]]}"
            out.append({"hex": name, "kind": "control", "label": label, "side": side, "rule": "16.3.5a"})
    if view["numbers"]["target"] >= 0 and view["unit_sets"]["attackers"]:
        target = board.grid.names[view["numbers"]["target"]]
        out.append({"hex": target, "kind": "battle", "label": "Attacked", "rule": "8.1a"})
    return out


def _control(board: Board, view: View) -> dict[str, list[str]]:
    """16.3.5 the places each side controls."""
    axis = set(view["place_sets"]["control"])
    places = [board.grid.names[h] for h in board.grid.hexes if board.controllable >> h & 1]
    return {"axis": [n for n in places if n in axis], "allied": [n for n in places if n not in axis]}


def _tracks(board: Board, view: View) -> list[TrackItem]:
    scenario = board.pack.scenarios[view["scenario"]]["scenario"]
    first, last, turn = scenario["first_turn"], scenario["last_turn"], view["turn"]
    cells = [str(n) for n in range(first, last + 1)]
    out: list[TrackItem] = [{"id": "turn", "title": "Turn", "cells": cells, "now": turn - first}]
    for i, side in enumerate(SIDES):
        points: TrackItem = {"id": f"rp_{side}", "title": f"{TITLES[i]} RP", "side": side, "rule": "23.1b"}
        points["pips"] = [view["pairs"]["rp"][i], board.general["max_rp"]]
        out.append(points)
    if scenario["victory_point_phase"]:
        points = {"id": "vp", "title": "Victory points", "value": f"{view['numbers']['vp']:+d}", "rule": "S2.3.2a"}
        out.append(points)
    out.append({"id": "malta", "title": "Malta", "value": f"{view['numbers']['malta']:+d}", "rule": "22.3.2a"})
    if turn in board.turns:
        superiority = board.turns[turn]["air_superiority"]
        out.append({"id": "air", "title": "Air superiority", "value": superiority.capitalize(), "rule": "18.6a"})
    ready = bool(view["numbers"]["rommel"])
    rommel: TrackItem = {"id": "rommel", "title": "Rommel", "side": "axis", "rule": "18.5a"}
    rommel["value"], rommel["tone"] = ("Ready", "good") if ready else ("Used", "warn")
    out.append(rommel)
    for i, count in enumerate(view["lists"]["assets"]):
        if count:
            side = "allied" if i in (AIR_ALLIED, 4, 7, 9) else "axis"
            name = ASSETS[i] if i < len(ASSETS) else f"{ASSETS[STRAFING]}_allied"
            out.append({"id": name, "title": ASSET_TITLES[i], "value": str(count), "side": side, "rule": "23.2.3a"})
    return out


def _boxes(board: Board, view: View) -> list[BoxItem]:
    units = [dict(u, box=u["hex"]) if u.get("hex") in board.grid.boxes else u for u in view["units"]]
    notes = {}
    for i in (0, 1):
        for place, count in view["supply_points"][i].items():
            if place in board.grid.boxes:
                notes[place] = f"{count} SP"
    return box_items(BOX_TITLES, SIDES, TITLES, units, notes)


def _stats(board: Board, view: View) -> list[StatItem]:
    steps = [0.0, 0.0]
    tanks = [0.0, 0.0]
    supply = [float(sum(view["supply_points"][i].values())) for i in (0, 1)]
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
