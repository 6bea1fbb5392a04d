"""The view made drawable: counters, works, boxes and tracks."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sandtable.engine.contract import View
from sandtable.engine.scene import CounterItem, MarkerItem, PhaseItem, Scene, StatItem, TrackItem
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.shown.showing import box_items, phase_bar, shortened, stacked

from ..table import steps, verbs
from ..table.board import Board
from ..table.ids import ALLIED, ASSAULT, AXIS, PHASES, SHOWS, SIDES
from ..table.steps import HexAt, ReactAt, UnitAt
from ..turn.standing import AVOIDS, ODDS, REVOKED, STANDS
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
    "ready": ("Air ready", "10.13"),
    "interdiction": ("Interdiction", "10.34"),
    "flown": ("Air flown", "10.12"),
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
        "notes": [],
    }


def _phases(view: View) -> list[PhaseItem]:
    return phase_bar([(name, PHASE_TITLES[name]) for name in PHASES[:-1]], view["phase"])


def _counters(board: Board, view: View) -> list[CounterItem]:
    """The strongest of a stack lies on top."""
    acting, tried, failed = _acting(board, view), _tried(board, view), _stayed(board, view)
    items = []
    for unit in view["units"]:
        item = _counter(board, unit, unit["side"] == view["active"] and _moving(view))
        if unit["id"] in acting:
            item["marks"].append("acting")
        if unit["id"] in tried:
            item["marks"].append("avoid_failed" if unit["id"] in failed else "reacted")
        items.append((item, _weight(board, unit)))
    return stacked(items)


def _moving(view: View) -> bool:
    """Whether it matters who has moved: not when the attackers are named at the end of the phase (7.11a)."""
    if view["frames"] and view["frames"][-1][0] in (steps.DECLARATIONS, steps.DECLARING):
        return False
    return "movement" in view["phase"]


def _acting(board: Board, view: View) -> set[str]:
    """The units that the decision is about."""
    if not view["frames"] or view["to_act"] in (None, "chance"):
        return set()
    number, *facts = view["frames"][-1]
    if number in (steps.MOVE_TO, steps.ENTERING, steps.REACTION_MOVE):
        return {board.units[UnitAt(number, *facts).unit]}
    if number == steps.STACK_MOVES:
        return _units(board, view, "stack_units")
    return set()


def _tried(board: Board, view: View) -> set[str]:
    """7.26, 7.32 who has had his reaction in this Reaction Phase: not yet while his attempt to avoid is under way."""
    if not view["phase"].endswith("reaction"):
        return set()
    found = _units(board, view, "tried")
    if any(frame[0] == steps.AVOIDING for frame in view["frames"][:-1]):
        tried = (TRYING[number](number, *facts).hex for number, *facts in view["frames"] if number in TRYING)
        under_way = {board.grid.names[h] for h in tried}
        found -= {unit["id"] for unit in view["units"] if unit.get("hex") in under_way}
    return found


TRYING: dict[int, type[HexAt] | type[ReactAt]] = {
    steps.AVOID_LEAD: HexAt,
    steps.COMMANDING: ReactAt,
    steps.HARASSING: ReactAt,
    steps.REACTION_CHECK: ReactAt,
    steps.AVOID_ADVANCE: HexAt,
}
"""The steps of an attempt to avoid combat, and their facts: each has a hex."""


def _stayed(board: Board, view: View) -> set[str]:
    """7.22a who tried to avoid combat and is still attacked; not who came to help (7.34a)."""
    aims = view["declared"]["aims"]
    return {unit["id"] for unit in view["units"] if unit.get("hex") in aims} - _units(board, view, "reacted")


def _units(board: Board, view: View, name: str) -> set[str]:
    mask = view["unit_sets"][name]
    units = int(mask, 16) if isinstance(mask, str) else mask
    return {name for u, name in enumerate(board.units) if units >> u & 1}


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
        "nation": "Luftwaffe" if board.air >> u & 1 and row["nation"] == "German" else row["nation"],
        "strength": strength(board, u, shows, unit.get("marks", ())),
        "values": [] if board.air >> u & 1 else [str(0 if "fire_net" in unit.get("marks", ()) else board.ma[u][shows])],
        "boxed": _boxed(board, u),
        "steps": [board.steps[u] - shows, board.steps[u]],
        "marks": [SHOWN_MARKS[m] for m in unit.get("marks", ()) if m in SHOWN_MARKS and (m != "moved" or moving)],
        "detail": detail(board, u, shows, unit.get("marks", ())),
    }
    if row["formation"] in STYLE.bands:
        item["band"] = STYLE.bands[row["formation"]]
    disc = _disc(board, u, shows, unit.get("marks", ()))
    if disc:
        item["tank"] = disc
        item["tank_hollow"] = True
    if board.artillery >> u & 1:
        item["range"] = f"R{board.range[u]}"
    if "hex" in unit:
        item["hex"] = unit["hex"]
    else:
        item["box"] = unit["box"]
    return item


NONE = "–"
"""What a counter shows where another has a value."""


def strength(board: Board, u: int, shows: int, marks: Collection[str] = ()) -> str:
    """2.21 what stands at the bottom of the counter: attack and defense, support in brackets, CAS and bombing."""
    if board.air >> u & 1:
        return f"{board.cas[u]}-{board.bombing[u] or NONE}"
    if board.leaders >> u & 1:
        return ""
    attack = str(board.attack[u][shows] or NONE)
    if board.artillery >> u & 1:
        attack = NONE if "fired" in marks else f"({board.support[u]})"  # 9.1a, 9.13c
    return f"{attack}-{board.defense[u][shows]}"


def _disc(board: Board, u: int, shows: int, marks: Collection[str]) -> str:
    """3.41 the ER in its disc; a headquarters' Command Points (12.21), which are spent (12.22b) or a net's (12.31)."""
    if board.air >> u & 1:
        return str(board.air_er[u])
    if board.hqs >> u & 1:
        return "–2" if "fire_net" in marks else "0" if "spent" in marks else str(board.cp[u])
    return str(board.er[u][shows] or "")


MA_BOXES = ("red", "orange", "")


def _boxed(board: Board, u: int) -> list[str]:
    """2.22, 3.14 red figures are armor and anti-tank; the shape around the MA is the class of movement."""
    if board.air >> u & 1:
        return []
    box = MA_BOXES[board.mover[u]]
    if board.leaders >> u & 1:
        return [box]
    return ["armor" if red >> u & 1 else "" for red in (board.armor, board.red_defense)] + [box]


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


FORMATIONS = {
    "Army": term("army troops"),
    "Cent": term("Centauro"),
    "Imp": term("Imperiali"),
    "1Gds": term("1 Guards"),
    "Const": term("Constantine"),
}
"""12.13 those whose sign on the counters is not their name."""


def detail(board: Board, u: int, shows: int, marks: Collection[str] = ()) -> Said:
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
        idle = "fire_net" in marks or "spent" in marks  # 12.22b, 12.35
        values = Text("Command Points {points}, defense {defense}", points=0 if idle else board.cp[u], defense=defense)
    else:
        values = Text("attack {attack}, defense {defense}", attack=board.attack[u][shows], defense=defense)
    parts: list[Said] = [KIND_WORDS[row["type"]], values]
    if board.er[u][shows]:
        parts.append(Text("ER {er}", er=board.er[u][shows]))
    parts.append(Text(MOVE_WORDS[board.mover[u]], ma=0 if "fire_net" in marks else board.ma[u][shows]))
    if shows:
        parts.append(term("reduced"))
    formation = FORMATIONS.get(row["formation"], row["formation"])
    return Text("{name} ({formation}), {parts}", name=name, formation=formation, parts=tuple(parts))


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
    fight = None if view["fight"] is None else board.grid.names[view["fight"]["numbers"]["target"]]
    at = {unit["id"]: unit["hex"] for unit in view["units"] if "hex" in unit}
    for number, attackers in view["declared"]["aims"].items():
        if number != fight:
            mark: MarkerItem = {"hex": number, "kind": "battle", "label": term("Attacked"), "rule": "7.12b"}
            out.append({**mark, "directions": _from(board, number, {at[one] for one in attackers if one in at})})
    if fight is not None:
        out.append({"hex": fight, "kind": "battle", "label": term("Combat"), "rule": "8.0a"})
    return out


def _from(board: Board, target: str, origins: set[str]) -> list[str]:
    """7.12b over which hexsides the arrows of the attackers point into a hex."""
    grid = board.grid
    h = grid.index[target]
    return [grid.directions[d] for d, n in grid.neighbours[h] if grid.names[n] in origins]


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
        *(_air(view, side) for side in (AXIS, ALLIED)),
        *(_pool(view, side) for side in (AXIS, ALLIED)),
        *_standing(board, view),
        *_changes(board, view),
    ]


def _standing(board: Board, view: View) -> list[TrackItem]:
    """7.0 the standing orders of whoever looks: what he has told his units to do without asking him."""
    labels = {
        REVOKED: verbs.ORDER_PASS_ALL.label,
        ODDS: verbs.ORDER_PASS.label,
        AVOIDS: verbs.ORDER_AVOID.label,
        STANDS: verbs.ORDER_STAND.label,
    }
    ratios = board.charts.crts[ASSAULT].columns
    there = {unit["id"] for unit in view["units"] if "hex" in unit}
    given = tuple(
        Text(str(labels[until]), unit=board.unit_names[unit], ratio=ratios[value])
        for _, until, unit, value in view["orders"]
        if until in labels and (until not in (AVOIDS, STANDS) or board.units[unit] in there)
    )
    if not given:
        return []
    value = Text("{orders}", orders=given)
    return [{"id": "orders", "title": "Standing orders", "value": value, "side": view["side"], "rule": "7.0"}]


def _changes(board: Board, view: View) -> list[TrackItem]:
    """What has happened once and holds from then on: Rain has bound the Tigers, Patton is there."""
    out: list[TrackItem] = []
    if view["numbers"]["tigers_bound"]:
        out.append(
            {"id": "tigers", "title": "Tigers", "value": term("on roads alone"), "tone": "warn", "rule": "13.22a"}
        )
    if view["numbers"]["patton_felt"]:
        raised = Text("ER of US units +{n}", n=board.charts.constants["patton_er"])
        out.append({"id": "patton", "title": "Patton", "value": raised, "side": "allied", "rule": "12.43b"})
    return out


def _air(view: View, side: int) -> TrackItem:
    """10.12, 10.34 what is left to fly, and what still threatens supply and reactions."""
    own = [unit.get("box") for unit in view["units"] if unit["side"] == SIDES[side]]
    counts = {box: own.count(box) for box in ("ready", "flown", "interdiction")}
    value = Text("{ready} ready, {flown} flown", ready=counts["ready"], flown=counts["flown"])
    if counts["interdiction"]:
        value = Text("{air}, {interdiction} interdiction", air=value, interdiction=counts["interdiction"])
    return {
        "id": f"air_{SIDES[side]}",
        "title": Text("{side}: {box}", side=TITLES[side], box=term("Air")),
        "value": value,
        "side": SIDES[side],
        "rule": "10.12",
    }


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
