"""The view made drawable: counters, markers, boxes and tracks."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import View
from sandtable.engine.scene import BoxItem, CounterItem, MarkerItem, PhaseItem, Scene, StatItem, TrackItem
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.shown.showing import box_items, phase_bar, shortened, stacked, superscript

from ..table.board import ARMOUR, CANCELS, Board
from ..table.ids import (
    ELITE,
    F_CLAIM,
    F_EVENT,
    F_RAID,
    F_RETREAT_UNIT,
    F_UNIT,
    FLEET,
    PHASES,
    POOR,
    REPLACEMENTS,
    SHOWS,
    SIDES,
    SUPPORTS,
)
from ..table.verbs import MARKERS
from .look import STYLE

TITLES = (term("Axis"), term("Soviet"))

# 3.0 the phases of a turn, as the bar shows them; the ids are those of the phase track
PHASE_TITLES = {
    "setup": "Set-up",
    "axis_initial": "Axis initial",
    "axis_first_movement": "Axis 1st move",
    "axis_first_combat": "Axis 1st combat",
    "soviet_second_movement": "Soviet 2nd move",
    "soviet_second_combat": "Soviet 2nd combat",
    "axis_second_movement": "Axis 2nd move",
    "axis_second_combat": "Axis 2nd combat",
    "axis_supply": "Axis supply",
    "soviet_initial": "Soviet initial",
    "soviet_first_movement": "Soviet 1st move",
    "soviet_first_combat": "Soviet 1st combat",
    "soviet_supply": "Soviet supply",
    "victory": "Victory",
}

BOX_TITLES = {
    "drawn": ("Drawn from the cup", "4.4b"),
    "waiting": ("Waiting to arrive", "4.1f"),
    "turn_track": ("On the turn track", "4.1a"),
    "cadre": ("Cadre Box", "10.3a"),
    "returning": ("HQs that return", "15.1f"),
    "east_caspian": ("East Caspian", "4.3b"),
    "naval_brigades": ("Naval brigades", "4.7b"),
    "lend_lease": ("Lend-Lease", "4.7e"),
    "turkish_front": ("Turkish Front", "4.7f"),
    "cup": ("In the cup", "4.4a"),
    "bluecher_ii": ("Blücher II", "4.2f"),
    "alpini": ("Italian Alpini Corps", "4.2d"),
    "eastern": ("Eastern units", "4.2g"),
    "brandenburg": ("Brandenburg", "15.2e"),
    "removed": ("Out of play", "10.3a"),
}

# Marks of the view as a player sees them on a counter
SHOWN_MARKS = {
    "disrupted": "disrupted",
    "oos": "out_of_supply",
    "limited": "limited_supply",
    "assault": "assault",
    "rebuilt": "rebuilt",
    "marked": "automatic elimination",
    "moved": "moved",
    "attacked": "attacked",
    "retreated": "retreated",
}

REPLACEMENT_TITLES = ("Infantry", "Elite infantry", "Allies", "Mechanised", "Infantry", "Cavalry")


def scene(board: Board, view: View) -> Scene:
    """Everything that the table shows."""
    turn = board.turns.get(view["turn"])
    return {
        "title": Text("Turn {turn}", turn=view["turn"]) if turn else "Set-up",
        "subtitle": turn["dates"] if turn else term("25 July 1942"),
        "active": view["to_act"] if view["phase"] == "setup" else view["active"],  # 20.2a the Soviet player begins
        "to_act": view["to_act"],
        "phases": _phases(view),
        "counters": _counters(board, view),
        "markers": _markers(board, view),
        "control": _control(board, view),
        "tracks": _tracks(board, view),
        "hands": [],
        "boxes": _boxes(view),
        "stats": _stats(board, view),
        "notes": _notes(board, view),
    }


def _phases(view: View) -> list[PhaseItem]:
    """3.0c in bad weather there are no Second Impulses."""
    names = [name for name in PHASES if not (view["numbers"]["bad"] and "_second_" in name)]
    shown = [name for name in names if name != "setup" or view["phase"] == "setup"]
    return phase_bar([(name, PHASE_TITLES[name]) for name in shown], view["phase"])


def _counters(board: Board, view: View) -> list[CounterItem]:
    """The strongest of a stack lies on top."""
    acting = _acting(board, view)
    past = {side: _past_marks(view["phase"], side == view["active"]) for side in SIDES}
    items = [(_counter(board, unit, past[unit["side"]]), _weight(board, unit)) for unit in view["units"]]
    for item, _ in items:
        if item["unit"] in acting:
            item["marks"].append("acting")
    return stacked(items)


def _acting(board: Board, view: View) -> set[str]:
    """The units that the decision is about: the one on the move, the mobile stack, the one that arrives."""
    if not view["frames"] or view["to_act"] in (None, "chance"):
        return set()
    frame, *rest = view["frames"][-1]
    if frame in (F_UNIT, F_CLAIM, F_RETREAT_UNIT) or (frame == F_EVENT and rest[0] >= 0):
        return {board.units[rest[0]]}
    return set(view["unit_sets"]["raid"]) if frame == F_RAID else set()


def _weight(board: Board, unit: dict[str, Any]) -> int:
    u, shows = board.unit_index[unit["id"]], SHOWS.index(unit["shows"])
    return board.att[u][shows] * 10 + board.dfn[u][shows] - (100 if board.white >> u & 1 else 0)


def _past_marks(phase: str, active: bool) -> tuple[str, ...]:
    """What a counter need not show: who has moved matters while his side moves, who has fought in combat alone."""
    fought = () if phase.endswith("combat") else ("attacked", "retreated")
    return fought if active and phase.endswith("movement") else (*fought, "moved")


def _counter(board: Board, unit: dict[str, Any], past: tuple[str, ...]) -> CounterItem:
    u, shows = board.unit_index[unit["id"]], SHOWS.index(unit["shows"])
    row = board.pack.units[unit["id"]]
    service = row["service"] if row["service"] in ("SS", "Luftwaffe", "Guards", "navy", "NKVD") else row["nation"]
    item: CounterItem = {
        "unit": unit["id"],
        "side": unit["side"],
        "hidden": False,
        "label": short_label(row["name"], row["type"]),
        "name": _full_name(board, u, shows),
        "formation": row["formation"],
        "symbol": row["type"],
        "size": row["size"],
        "nation": service,
        "strength": _strength(board, u, shows),
        "values": [_allowance(board, u, shows)],
        "boxed": ["", _boxed(board, u, shows), ""],
        "steps": [board.steps[u] - shows, board.steps[u]],
        "marks": [SHOWN_MARKS[m] for m in unit.get("marks", ()) if m in SHOWN_MARKS and m not in past],
        "detail": detail(board, u, shows),
    }
    if row["formation"] in STYLE.bands:
        item["band"] = STYLE.bands[row["formation"]]
    armour = board.armour[u][shows]
    if armour in (ARMOUR, CANCELS):
        item["tank"] = "A"
        item["tank_hollow"] = armour == CANCELS
    if "hex" in unit:
        item["hex"] = unit["hex"]
    else:
        item["box"] = unit["box"]
    return item


def _full_name(board: Board, u: int, shows: int) -> str:
    if shows == 2:
        return f"{board.unit_names[u]} (Kampfgruppe)" if board.side[u] == 0 else f"{board.unit_names[u]} (remnant)"
    return board.unit_names[u]


def _strength(board: Board, u: int, shows: int) -> str:
    if board.hq >> u & 1:  # 2.1e
        return f"({board.dfn[u][shows]})"
    attack = str(board.att[u][shows])
    if board.att_sup[u][shows] != board.att[u][shows]:  # 2.2b
        attack += superscript(board.att_sup[u][shows])
    return f"{attack}-{board.dfn[u][shows]}"


def _allowance(board: Board, u: int, shows: int) -> str:
    if u == board.train:  # 2.1f
        return "R"
    return "S" if u == board.flotilla else str(board.ma[u][shows])


def _boxed(board: Board, u: int, shows: int) -> str:
    quality = board.tq_def[u][shows]
    return "elite" if quality == ELITE else "low" if quality == POOR else ""


QUALITY_WORDS = ("poor", "regular", "elite")
ATTACK_WORDS = ("poor in attack", "regular in attack", "elite in attack")
DEFENCE_WORDS = ("poor in defence", "regular in defence", "elite in defence")
SHOWS_WORDS = ("", "reduced", "remnant")
TROOPS_WORDS = {
    "hq": "hq",
    "infantry": "infantry",
    "mountain": "mountain",
    "jaeger": "jaeger",
    "security": "security",
    "cavalry": "cavalry",
    "tank": "tank",
    "panzer": "panzer",
    "panzergrenadier": "panzergrenadier",
    "motorised_infantry": "motorised infantry",
    "bicycle_infantry": "bicycle infantry",
    "naval_infantry": "naval infantry",
    "assault_gun": "assault gun",
    "anti_tank": "anti tank",
    "flak": "flak",
    "commando": "commando",
    "nkvd": "nkvd",
    "port_garrison": "port garrison",
    "armoured_train": "armoured train",
    "azov_flotilla": "azov flotilla",
}


def detail(board: Board, u: int, shows: int) -> Said:
    """One line for the hex card."""
    row = board.pack.units[board.units[u]]
    attack, defend = board.tq_att[u][shows], board.tq_def[u][shows]
    quality = (QUALITY_WORDS[attack],) if attack == defend else (ATTACK_WORDS[attack], DEFENCE_WORDS[defend])
    kind = term("mechanised") if board.mech >> u & 1 else term("cavalry") if board.cavalry >> u & 1 else term("foot")
    troops = TROOPS_WORDS[row["type"]]
    described = (troops,) if troops == kind else (troops, kind)
    side = (SHOWS_WORDS[shows],) if shows else ()
    values = f"{_strength(board, u, shows)}-{_allowance(board, u, shows)}"
    return Text("{facts}", facts=(row["name"], *described, values, *quality, *side))


def short_label(name: str, kind: str) -> str:
    """A name short enough for a counter."""
    if kind == "port_garrison":
        return name.split(maxsplit=1)[0][:6]
    if kind == "nkvd" and not name[0].isdigit():
        return "NKVD"
    return shortened(name, STYLE.short, 9)


def _markers(board: Board, view: View) -> list[MarkerItem]:
    out: list[MarkerItem] = []
    names, numbers = board.grid.names, view["numbers"]
    held = set(view["control"])
    for h, value in board.vp.items():  # 2.37c Axis control markers
        if names[h] in held:
            points = Text("{n} VP", n=value)
            out.append({"hex": names[h], "kind": "control", "label": points, "side": "axis", "rule": "2.37c"})
    if numbers["corps"] >= 0:
        out.append(
            {
                "hex": names[numbers["corps"]],
                "kind": "corps",
                "label": term("4th Guards Cavalry Corps"),
                "side": "soviet",
                "rule": "15.7b",
            }
        )
    if numbers["target"] >= 0 and view["unit_sets"]["attackers"]:
        fight = {"hex": names[numbers["target"]], "kind": "battle", "label": term("Attacked"), "rule": "8.1a"}
        out.append({"hex": fight["hex"], "kind": fight["kind"], "label": fight["label"], "rule": fight["rule"]})
    for number in view["claims"]:
        out.append({"hex": number, "kind": "cleared", "label": term("Cleared: may be entered"), "rule": "8.5e"})
    return out


def _control(board: Board, view: View) -> dict[str, list[str]]:
    """2.37 the places each side controls."""
    held = set(view["control"])
    places = [board.grid.names[h] for h in board.grid.hexes if board.places >> h & 1]
    return {"axis": [n for n in places if n in held], "soviet": [n for n in places if n not in held]}


def _tracks(board: Board, view: View) -> list[TrackItem]:
    last = board.pack.scenarios[view["scenario"]]["last_turn"]
    turn = view["turn"]
    out: list[TrackItem] = [
        {"id": "turn", "title": "Turn", "cells": [str(n) for n in range(1, last + 1)], "now": turn - 1}
    ]
    par = board.turns[turn]["par"] if turn in board.turns else -1
    tone = "" if par < 0 else "bad" if view["vp"] < par else "good"
    points: TrackItem = {"id": "vp", "title": "Axis VP", "value": str(view["vp"]), "side": "axis", "rule": "19.1a"}
    if par >= 0:
        points["value"] = Text("{vp} (par {par})", vp=view["vp"], par=par)
        points["tone"] = tone
    out.append(points)
    numbers = view["numbers"]
    if turn >= 6:
        bad = bool(numbers["bad"])
        weather: TrackItem = {
            "id": "weather",
            "title": "Weather",
            "value": term("Bad") if bad else term("Fair"),
            "rule": "4.8a",
        }
        weather["tone"] = "warn" if bad else "good"
        out.append(weather)
    for i, name in enumerate(MARKERS[:FLEET]):
        if numbers["air"] >> i & 1:
            used = numbers["air_used"] >> i & 1
            state = term("Used") if used else term("Ready")
            out.append(
                {
                    "id": SUPPORTS[i],
                    "title": Text("{marker} +{n}", marker=name, n=board.air_shift[i]),
                    "value": state,
                    "tone": "warn" if used else "good",
                    "side": SIDES[board.air_side[i]],
                    "rule": "16.11c",
                }
            )
    fleet = numbers["fleet_ready"] + numbers["fleet_away"]
    if fleet:
        out.append(
            {
                "id": SUPPORTS[FLEET],
                "title": "Black Sea Fleet",
                "pips": [numbers["fleet_ready"], fleet],
                "side": "soviet",
                "rule": "16.21a",
            }
        )
    for i, kind in enumerate(REPLACEMENTS):
        if view["replacements"][i]:
            out.append(
                {
                    "id": kind,
                    "title": Text("Replacements: {type}", type=REPLACEMENT_TITLES[i]),
                    "pips": [view["replacements"][i], 3],
                    "side": SIDES[0 if i < 4 else 1],
                    "rule": "17.2k",
                }
            )
    return out


def _boxes(view: View) -> list[BoxItem]:
    notes = {"cup": Text("and {n} None chits", n=view["numbers"]["none_chits"])}
    return box_items(BOX_TITLES, SIDES, TITLES, view["units"], notes)


def _stats(board: Board, view: View) -> list[StatItem]:
    steps = [0.0, 0.0]
    attack = [0.0, 0.0]
    lost = [0.0, 0.0]
    for unit in view["units"]:
        u, shows = board.unit_index[unit["id"]], SHOWS.index(unit["shows"])
        side = board.side[u]
        if "hex" in unit:
            steps[side] += board.steps[u] - shows
            attack[side] += board.att[u][shows]
        elif unit["box"] in ("cadre", "removed"):
            lost[side] += 1
    return [
        {"id": "vp", "title": "Victory points", "values": [float(view["vp"]), None]},
        {"id": "steps", "title": "Steps on the map", "values": [*steps]},
        {"id": "attack", "title": "Attack strength on the map", "values": [*attack]},
        {"id": "lost", "title": "Units in the Cadre Box and out of play", "values": [*lost]},
    ]


def _notes(board: Board, view: View) -> list[str]:
    out: list[str] = []
    turn = view["turn"]
    if turn == 1:
        out.append(term("Not one step back: Soviet units in EZOC stand in the Second Impulse (18.2)"))
    if turn >= 10:
        out.append(term("Winter: passes closed but the Krestovy, seasonal marsh is marsh (2.31, 2.32)"))
    if view["numbers"]["bad"]:
        out.append(term("Bad weather: no Second Impulses (4.8c)"))
    if view["numbers"]["alpini_came"]:
        out.append(term("The Alpini Corps has come: the Axis needs 20 VP (4.2e)"))
    return out
