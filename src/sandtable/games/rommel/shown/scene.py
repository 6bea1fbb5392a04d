"""The view of a side made drawable: blocks, battles, cards, months and boxes."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import View
from sandtable.engine.packs import Row
from sandtable.engine.scene import (
    BoxItem,
    CounterItem,
    HandItem,
    MarkerItem,
    PhaseItem,
    Scene,
    StatItem,
    TrackItem,
)
from sandtable.engine.texts.text import Fact, Said, Text, term

from ..table.board import Board
from ..table.ids import SIDES
from ..table.scenarios import script_of

TITLES = ("Axis", "Commonwealth")

# 3.4 the parts of a month, as the bar shows them; the ids are the phases of the prompts
PHASES = (
    ("buildup", term("Buildup")),
    ("initiative", term("Initiative")),
    ("supply", term("Supply check")),
    ("option", term("Turn option")),
    ("movement", term("Movement")),
    ("combat", term("Combat")),
    ("final", term("Final supply check")),
)

# Moments that belong to one of them
WITHIN = {
    "setup": "buildup",
    "avoid": "movement",
    "declare": "combat",
    "retreat": "movement",
    "probe": "movement",
    "pursuit": "movement",
}

BOXES_SHOWN = {
    "pool": (term("Reinforcements to come"), "16.4a"),
    "refit": (term("In refit"), "16.52d"),
    "held": (term("Held back from the base"), "16.52f"),
    "exited": (term("Left the map"), "17.1a"),
    "dead": (term("Eliminated"), "2.3d"),
}

# 2.1 The kinds of troops
TYPE_WORDS = {
    "armour": "armour",
    "artillery": "artillery",
    "infantry": "infantry",
    "infantry_tank": "infantry tank",
    "mechanised_infantry": "mechanised infantry",
    "mobile_antitank": "mobile antitank",
    "motorised_antitank": "motorised antitank",
    "motorised_infantry": "motorised infantry",
    "paratroops": "paratroops",
    "recon": "recon",
    "self_propelled_artillery": "self propelled artillery",
}

# Marks of the view as a player sees them on a block
SHOWN_MARKS = {
    "disrupted": "disrupted",
    "unsupplied": "out_of_supply",
    "raiders": "raider",
    "fort_supply": "fortress_supply",
    "oasis_supply": "oasis_supply",
    "revealed": "revealed",
    "moved": "moved",
    "leaving": "leaving",
    "marching": "marching",
    "retreating": "retreating",
}


def scene(board: Board, view: View) -> Scene:
    """Everything that the table shows to the side whose view this is."""
    out: Scene = {
        "title": view["month_name"],
        "subtitle": board.pack.scenarios[view["scenario"]]["title"],
        "active": view["active"],
        "to_act": view["to_act"],
        "phases": _phases(view),
        "counters": [_counter(board, block) for block in view["units"]],
        "markers": _markers(board, view),
        "control": _control(view),
        "tracks": _tracks(board, view),
        "hands": _hands(view),
        "boxes": _boxes(view),
        "stats": _stats(board, view),
        "notes": _notes(view),
    }
    return out


def _phases(view: View) -> list[PhaseItem]:
    phase = WITHIN.get(view["phase"], view["phase"])
    now = next((i for i, (key, _) in enumerate(PHASES) if key == phase), -1)
    states = ["done" if i < now else "now" if i == now else "next" for i in range(len(PHASES))]
    return [{"id": k, "title": t, "state": st} for (k, t), st in zip(PHASES, states, strict=True)]


def _counter(board: Board, block: dict[str, Any]) -> CounterItem:
    marks = [SHOWN_MARKS[m] for m in block.get("marks", ()) if m in SHOWN_MARKS]
    item: CounterItem = {"side": block["side"], "hidden": "id" not in block, "marks": marks}
    if "hex" in block:
        item["hex"] = block["hex"]
    else:
        item["box"] = block["box"]
    if "id" not in block:
        return item
    u = board.unit_index[block["id"]]
    row = board.pack.units[block["id"]]
    cv, step, full = block["cv"], board.step_cv[u], board.max_cv[u]
    item |= {
        "unit": block["id"],
        "label": short_label(row["name"]),
        "name": row["name"],
        "formation": row["formation"],
        "symbol": row["type"],
        "size": row["size"],
        "nation": row["nation"],
        "strength": str(cv),
        "steps": [-(-cv // step), -(-full // step)],
        "elite": step == 2,
        "flat": "revealed" in marks,
        "detail": _detail(row, cv, full, board.speed[u], step == 2),
    }
    return item


def _detail(row: Row, cv: int, full: int, speed: int, elite: bool) -> Text:
    facts: dict[str, Fact] = {
        "unit": row["name"],
        "formation": row["formation"],
        "type": TYPE_WORDS[row["type"]],
        "cv": cv,
        "full": full,
        "speed": speed,
    }
    if elite:
        return Text.of("{unit} ({formation}), {type}, CV {cv} of {full}, speed {speed}, elite", facts)
    return Text.of("{unit} ({formation}), {type}, CV {cv} of {full}, speed {speed}", facts)


def short_label(name: str) -> str:
    """A name short enough for a block."""
    for long, short in (
        ("Aufkl.Abt", "AA"),
        ("Panzer-Rgt", "Pz"),
        ("Schützen-Rgt", "Sch"),
        ("Kradschützen", term("K")),
        ("Inf.Rgt", "IR"),
        ("Pz.Jäger", "PzJ"),
        ("Art.Rgt", "AR"),
        ("Flak-Rgt", "Flak"),
        ("Sonderverband", "Sdv"),
        ("Brigade ", ""),
        (" Corps artillery", " Art"),
        (" Armoured", " Arm"),
        (" Army Tank", " ATk"),
        (" Support Group", " Sup"),
        (" South African", " SA"),
        (" New Zealand", " NZ"),
        (" Australian", " Aus"),
        (" Indian", " Ind"),
        (" Guards", " Gds"),
        (" Infantry", ""),
    ):
        name = name.replace(long, short)
    return name if len(name) <= 12 else name[:11].rstrip() + "."


def _markers(board: Board, view: View) -> list[MarkerItem]:
    out: list[MarkerItem] = []
    for fort in view["fortresses"]:
        i = board.fortress_names.index(fort["name"])
        capacity = board.capacity[i][SIDES.index(fort["owner"])]
        out.append(
            {"hex": fort["hex"], "kind": "fortress", "label": str(capacity), "side": fort["owner"], "rule": "13.3"}
        )
    for battle in view["battles"]:
        out.append(
            {
                "hex": battle["hex"],
                "kind": "assault" if battle["assault"] else "battle",
                "label": Text("{side} defends", side=battle["defender"].capitalize()),
                "side": battle["defender"],
                "rule": "8.3a",
                "directions": battle["attacker_sides"],
            }
        )
    mines = view["minefields"]
    out += [{"hex": h, "kind": "minefield", "label": term("Minefield"), "rule": "14.2d"} for h in mines["disclosed"]]
    out += [
        {"hex": h, "kind": "secret_minefield", "label": term("Minefield, known to you"), "rule": "14.1a"}
        for h in mines["secret"]
    ]
    return out


def _control(view: View) -> dict[str, list[str]]:
    """1.2 hexes with units of one side alone, and battle hexes by their Defender."""
    held: dict[str, set[str]] = {side: set() for side in SIDES}
    for block in view["units"]:
        if "hex" in block:
            held[block["side"]].add(block["hex"])
    for battle in view["battles"]:
        held[SIDES[1 - SIDES.index(battle["defender"])]].discard(battle["hex"])
    return {side: sorted(hexes) for side, hexes in held.items()}


def _tracks(board: Board, view: View) -> list[TrackItem]:
    play = script_of(board, view["scenario"])
    months = list(play.months[play.first_month - 1 : play.last_month])
    return [{"id": "month", "title": "Month", "cells": months, "now": view["month"] - play.first_month}]


def _hands(view: View) -> list[HandItem]:
    out: list[HandItem] = []
    for side, title in zip(SIDES, TITLES, strict=True):
        hand = view["cards"][side]
        item: HandItem = {"side": side, "title": Text("{side} hand", side=title), "count": hand["count"]}
        if "real" in hand:
            item["cards"] = ["real"] * hand["real"] + ["dummy"] * hand["dummy"]
        out.append(item)
    played = view["cards"]["played"]
    if played["count"]:
        table: HandItem = {"side": view["active"], "title": "Played face down", "count": played["count"]}
        if "real" in played:
            table["cards"] = ["real"] * played["real"] + ["dummy"] * played["dummy"]
        out.append(table)
    return out


def _boxes(view: View) -> list[BoxItem]:
    out: list[BoxItem] = []
    for box, (title, rule) in BOXES_SHOWN.items():
        for side, name in zip(SIDES, TITLES, strict=True):
            count = sum(1 for b in view["units"] if b.get("box") == box and b["side"] == side)
            if count:
                out.append(
                    {
                        "id": box,
                        "title": Text("{side}: {box}", side=name, box=title),
                        "side": side,
                        "count": count,
                        "rule": rule,
                    }
                )
    return out


def _stats(board: Board, view: View) -> list[StatItem]:
    on_map = [b for b in view["units"] if "hex" in b]
    blocks: list[float | None] = [float(sum(1 for b in on_map if b["side"] == side)) for side in SIDES]
    lost: list[float | None] = [
        float(sum(1 for b in view["units"] if b.get("box") == "dead" and b["side"] == side)) for side in SIDES
    ]
    cards: list[float | None] = [float(view["cards"][side]["count"]) for side in SIDES]
    strength: list[float | None] = []
    for side in SIDES:
        own = [b for b in on_map if b["side"] == side]
        strength.append(float(sum(b["cv"] for b in own)) if all("cv" in b for b in own) else None)
    return [
        {"id": "blocks", "title": "Blocks on the map", "values": blocks},
        {"id": "strength", "title": "Combat value on the map", "values": strength},
        {"id": "lost", "title": "Blocks lost", "values": lost},
        {"id": "cards", "title": "Cards in hand", "values": cards},
    ]


def _notes(view: View) -> list[Said]:
    out: list[Said] = []
    points = view["buildup"]["points"]
    if points:
        out.append(Text("Buildup points: {n}", n=points))
    if view["option"]:
        out.append(Text("Turn option: {option}", option=view["option"]))
    for side, gone in zip(TITLES, view["exited"], strict=True):
        if gone:
            out.append(Text("{side}: {n} of 3 units have left the map (17.1a)", side=side, n=gone))
    return out
