"""A view made drawable."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import View
from sandtable.engine.scene import BoxItem, CounterItem, MarkerItem, Scene, TrackItem
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.shown.showing import box_items, phase_bar

from ..boards.climate import DUSTS
from ..los.screens import MOST_SMOKE
from ..table.counters import Type
from ..table.ids import (
    ARMOR_LEADER,
    CREW,
    DUMMY,
    FOXHOLE,
    GUN,
    HALF_SQUAD,
    HERO,
    KINDS,
    LEADER,
    MINES_AP,
    MINES_AT,
    MINES_DUMMY,
    PHASES,
    SANGAR,
    SIDES,
    SMOKES,
    SQUAD,
    TRENCH,
    VEHICLE,
    WEAPON,
    WIRE,
    WORKS,
)
from ..table.stage import stage
from .look import MARK_WORDS, SIDE_TITLES
from .texts import DUST_LINES, PHASE_TITLES, WIND_WORDS

SYMBOLS = {ARMOR_LEADER: "leader", SANGAR: "sangar"}
"""What the drawing of a counter goes by, where that is not what the counter is."""
RULES = {
    SANGAR: "F8.1",
    FOXHOLE: "B27.3",
    TRENCH: "B27.5",
    WIRE: "B26.4",
    MINES_AP: "B28.41",
    MINES_AT: "B28.41",
    MINES_DUMMY: "F.7Ba",
}
EC_WORDS = {
    "Mud": "Mud",
    "Wet": "Wet",
    "Moist": "Moist",
    "Moderate": "Moderate",
    "Dry": "Dry",
    "Very Dry": "Very Dry",
}
HAZE_WORDS = {"haze": "Heat Haze", "intense": "Intense Heat Haze"}
SUN_WORDS = {False: "low in the east", True: "low in the west"}
SET_UP = term("Set-up")
BOX_TITLES = {"off_map": (term("To enter"), "A2.5"), "exited": (term("Off the map"), "A2.6")}
LETTERS = {
    "rally": "RPh",
    "prep_fire": "PFPh",
    "movement": "MPh",
    "defensive_fire": "DFPh",
    "advancing_fire": "AFPh",
    "rout": "RtPh",
    "advance": "APh",
    "close_combat": "CCPh",
}
GRADE_WORDS = {
    "elite": "elite",
    "first_line": "first line",
    "second_line": "second line",
    "green": "green",
    "conscript": "conscript",
    "crew": "Gun",
    "vehicle_crew": "vehicle",
}
KIND_WORDS = {
    SQUAD: "squad",
    HALF_SQUAD: "half-squad",
    CREW: "crew",
    LEADER: "leader",
    HERO: "hero",
    ARMOR_LEADER: "armor leader",
    DUMMY: "dummy",
}


def scene(view: View) -> Scene:
    """All of it."""
    place = stage(view["scenario"])
    roster = place.roster
    counters: list[CounterItem] = []
    markers: list[MarkerItem] = []
    for unit in view["units"]:
        if unit["type"] == "minefield":
            markers.append({"hex": unit["hex"], "kind": "minefield", "rule": "F.7b"})
            continue
        kind = roster.types[roster.type_of[unit["type"]]]
        if kind.kind in WORKS:
            if "hex" in unit:
                work: MarkerItem = {"hex": unit["hex"], "kind": kind.id, "rule": RULES[kind.kind]}
                if unit.get("strength"):
                    work["label"] = str(unit["strength"])
                markers.append(work)
            continue
        if unit.get("box") in ("unused", "spare"):
            continue
        counters.append(_counter(view, unit, kind))
    for other, name in mysteries(view):
        nation = place.sides[other]["nation"]
        counters.append({"side": SIDES[other], "hex": name, "hidden": True, "label": "?", "nation": nation})
    for name, bits in view["smoke"].items():
        kinds = [word for i, word in enumerate(SMOKES) if bits >> 2 * i & 3]
        drm = min(MOST_SMOKE, sum(int(place.pack.tables["smoke"][word]) for word in kinds))
        thin = all("dispersed" in word for word in kinds)
        cloud = "dispersed_smoke" if thin else "smoke"
        markers.append({"hex": name, "kind": cloud, "label": signed(drm), "rule": "A24.2"})
    for name in view["trail"].values():
        markers.append({"hex": name, "kind": "dust", "label": "+2", "rule": "F11.74d"})
    markers += [{"hex": place.grid.names[h], "kind": "target", "rule": "A7.1"} for h in _aimed_at(view)]
    for weapon, name in view["lanes"].items():
        markers += _lane(view, weapon, name)
    for name in view["fascines"]:
        markers.append({"hex": name, "kind": "fascine", "rule": "F5.3a"})
    for name, fp in view["residual"].items():
        markers.append({"hex": name, "kind": "residual", "label": str(fp), "rule": "A8.2"})
    aboard = {unit["id"] for unit in view["units"] if "aboard" in unit}
    # who is aboard lies beneath his vehicle, and a wreck beneath everybody
    counters.sort(key=lambda item: 2 * (item.get("symbol") == "wreck") + (item.get("unit") in aboard))
    script = place.script
    before = _setting_up(view)
    return {
        "title": Text("Turn {turn} of {of}", turn=view["turn"], of=script["turns"]),
        "subtitle": script["title"],
        "active": view["to_act"] if before else view["active"],
        "to_act": view["to_act"],
        "phases": phase_bar(_steps(view["phase"], before), SET_UP if before else view["phase"]),
        "counters": counters,
        "markers": markers,
        "control": {"allied": view["control"]},
        "tracks": [{"id": "turn", "title": "Turn", "pips": [view["turn"], script["turns"]]}, *_weather(view)],
        "hands": [],
        "boxes": _boxes(view),
        "stats": [{"id": "lost", "title": "Points lost", "values": [float(one) for one in view["lost"]]}],
        "notes": [script["victory"]["text"]],
    }


def _boxes(view: View) -> list[BoxItem]:
    """A2.5, A2.6 who waits beyond the edge of the map, and who has left it."""
    return box_items(BOX_TITLES, SIDES, SIDE_TITLES, view["units"])


def _weather(view: View) -> list[TrackItem]:
    """F11 what is in the air: EC, wind, dust, haze, sun."""
    told, now = stage(view["scenario"]).script["conditions"], view["numbers"]
    found: list[TrackItem] = [{"id": "ec", "title": "EC", "value": EC_WORDS[told["ec"]], "rule": "F11.4"}]
    force = WIND_WORDS[now["wind"]]
    wind: Said = force if not now["wind"] else Text("{force} to {toward}", force=force, toward=now["toward"])
    if now["gusts"]:
        wind = Text("{force} with Gusts", force=force)
    found.append({"id": "wind", "title": "Wind", "value": wind, "rule": "B25.65"})
    if now["density"]:
        word = DUST_LINES[DUSTS[now["density"]]]
        found.append({"id": "dust", "title": "Dust", "value": word, "rule": "F11.7b"})
    if told["haze"] != "none":
        found.append({"id": "haze", "title": "Haze", "value": HAZE_WORDS[told["haze"]], "rule": "F11.62a"})
    if told["sun"] != "none":
        found.append({"id": "sun", "title": "Sun", "value": SUN_WORDS["late" in told["sun"]], "rule": "F11.61"})
    return found


def _setting_up(view: View) -> bool:
    """A2.9 whether the first Player Turn has not begun: its frame waits for its first step, and no phase has passed."""
    return bool(view["frames"]) and view["frames"][0][1] == 0 and view["phase"] == PHASES[0]


def _steps(now: str, before: bool) -> list[tuple[str, str]]:
    """The eight phases: the one under way by its name, the others by their letters; before them the set-up."""
    steps = [(id, title if id == now and not before else LETTERS[id]) for id, title in PHASE_TITLES.items()]
    return [(SET_UP, SET_UP), *steps] if before else steps


def _lane(view: View, weapon: str, end: str) -> list[MarkerItem]:
    """A9.22 a Fire Lane: the hexes from beside its MG to its counter, where its FP stands."""
    place = stage(view["scenario"])
    grid = place.grid
    unit: dict[str, Any] = next((one for one in view["units"] if one["id"] == weapon), {})
    last: MarkerItem = {"hex": end, "kind": "fire_lane", "rule": "A9.22"}
    if "hex" not in unit:
        return [last]
    last["label"] = str(place.roster.types[place.roster.type_of[unit["type"]]].fp)
    here, there = grid.index[unit["hex"]], grid.index[end]
    for d, direction in enumerate(grid.directions):
        way, h = [], grid.neighbour(here, d)
        while h >= 0 and h != there:
            way.append(h)
            h = grid.neighbour(h, d)
        if h == there:
            back = grid.directions[(d + 3) % 6]
            through: list[MarkerItem] = [
                {"hex": grid.names[h], "kind": "fire_lane", "directions": [back, direction], "rule": "A9.22"}
                for h in way
            ]
            return [*through, {**last, "directions": [back]}]
    return [last]


def mysteries(view: View) -> list[tuple[int, str]]:
    """The hexes in which a "?" lies, with its side: the other one, or for somebody who only watches either."""
    if view["side"]:
        return [(1 - SIDES.index(view["side"]), name) for name in view["hidden"]]
    return [(side, name) for side, found in enumerate(view["hidden_of"]) for name in found]


def _counter(view: View, unit: dict[str, Any], kind: Type) -> CounterItem:
    marks = unit.get("marks", [])
    symbol = "wreck" if "wreck" in marks else SYMBOLS.get(kind.kind, KINDS[kind.kind])
    item: CounterItem = {
        "unit": unit["id"],
        "side": unit["side"],
        "label": kind.name,
        "name": kind.name,
        "nation": kind.nation or stage(view["scenario"]).sides[SIDES.index(unit["side"])]["nation"],
        "symbol": symbol,
        "row": kind.id,
        "strength": f"{kind.fp}-{kind.range}" if kind.fp else str(kind.leadership),
        "values": [str(kind.morale)] if kind.morale else [],
        "marks": _marks(view, unit, marks, kind),
        "detail": _detail(kind),
    }
    if kind.kind in (GUN, VEHICLE):
        item["facing"] = [unit.get("vca", 0), unit.get("tca", 0)] if kind.kind == VEHICLE else [unit.get("vca", 0)]
    if "holder" in unit and kind.kind == WEAPON:
        item["holder"] = unit["holder"]
    if "hex" in unit:
        item["hex"] = unit["hex"]
    else:
        item["box"] = unit["box"]
    return item


def _detail(kind: Type) -> Said:
    if kind.grade:
        grade, word = GRADE_WORDS.get(kind.grade, kind.grade), KIND_WORDS[kind.kind]
        return Text("{name}, {grade} {kind}", name=kind.name, grade=grade, kind=word)
    if kind.kind in KIND_WORDS and kind.kind != DUMMY:
        return Text("{name}, {kind}", name=kind.name, kind=KIND_WORDS[kind.kind])
    return kind.name


def _marks(view: View, unit: dict[str, Any], marks: list[str], kind: Type) -> list[str]:
    """What the frame of a counter shows, in the words of its badges and tabs."""
    own_words = ("fired", "spent_fire", "moved", "waits", "hip")
    found = [mark for mark in marks if mark.replace("_", " ") in MARK_WORDS and mark not in own_words]
    if "waits" in marks:
        found.append("opportunity")
    if "hip" in marks:
        found.append("hidden")
    if "spent_fire" in marks:
        found.append("final_fired")
    elif "fired" in marks:
        own, early = unit["side"] == view["active"], view["phase"] in ("prep_fire", "movement", "defensive_fire")
        found.append("first_fired" if not own else "prep_fired" if early else "fired")
    if "moved" in marks and view["phase"] == "movement":
        found.append("moved")
    if "motion" in marks and "backing" in marks:
        found.remove("motion")
        found.append("reversing")
    if kind.vehicle is not None and "wreck" not in marks and "exposed" in marks:
        found.append("ce")
    if unit.get("under"):
        found.append("dug_in")
    record = view["records"]
    acting = [name for one in ("attack", "move") if record[one] for name in _taking_part(one, record[one])]
    if (
        unit["id"] in acting and unit["side"] == view["side"]
    ):  # what is being put together is nobody else's business yet
        found.append("acting")
    return found


def _aimed_at(view: View) -> list[int]:
    """The hex that one's own fire in hand is aimed at; what the other side puts together is nobody's business yet."""
    attack, shoot = view["records"]["attack"], view["records"]["shoot"]
    aims = [(attack["side"], attack["target"])] if attack else [(shoot["side"], shoot["hex"])] if shoot else []
    return [h for side, h in aims if h >= 0 and view["side"] == SIDES[side]]


def _taking_part(name: str, record: dict[str, Any]) -> list[str]:
    """The pieces that an attack or a move in hand is made with."""
    keys = ("firers", "weapons", "leaders") if name == "attack" else ("movers",)
    return [unit for key in keys for unit in record.get(key, ())]
