"""One log line for each kind of event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.shown.telling import SHARED_LINES, moved

Line = str | Callable[[dict[str, Any]], Said]


def _passed(yes: str, no: str) -> Callable[[dict[str, Any]], Said]:
    return lambda w: Text.of(yes if w["passed"] else no, w)


def _roll(w: dict[str, Any]) -> Said:
    """3.43 what the die showed, and what it came to where something was added."""
    if w.get("face", w["roll"]) == w["roll"]:
        return Text("roll {roll}", roll=w["roll"])
    return Text("roll {face}, modified {roll}", face=w["face"], roll=w["roll"])


def _checked(said: Callable[[dict[str, Any]], Said]) -> Callable[[dict[str, Any]], Said]:
    """A check's line with its roll in words."""
    return lambda w: said({**w, "rolled": _roll(w)})


PHASE_LINES = {
    "weather": "Weather",
    "reinforcements": "Reinforcements",
    "supply_determination": "Supply determination",
    "air_readiness": "Air readiness",
    "joint_air": "Joint air",
    "axis_movement": "Axis movement",
    "allied_reaction": "Allied reaction",
    "axis_combat": "Axis combat",
    "axis_motorized_movement": "Axis motorized movement",
    "allied_movement": "Allied movement",
    "axis_reaction": "Axis reaction",
    "allied_combat": "Allied combat",
    "allied_motorized_movement": "Allied motorized movement",
    "engineer": "Engineer",
    "reorganization": "Reorganization",
    "victory_determination": "Victory determination",
    "turn_record": "Turn record",
}


def _phase(w: dict[str, Any]) -> Said:
    return PHASE_LINES[w["phase"]]


def _coordinated(w: dict[str, Any]) -> Said:
    """8.41e, 8.41f artillery that fails gives half, or nothing on a 10."""
    if w["passed"]:
        return Text.of("{unit}: {check} coordination succeeds ({rolled}, ER {er})", w)
    if w["check"] != "artillery":
        return Text.of("{unit}: {check} coordination fails ({rolled}, ER {er})", w)
    if w["roll"] < 10:
        return Text.of("{unit}: artillery coordination fails, half the support is left ({rolled}, ER {er})", w)
    return Text.of("{unit}: artillery coordination fails, no support is left ({rolled}, ER {er})", w)


def _raided(w: dict[str, Any]) -> Said:
    if not w["count"]:
        return Text.of("Supply interdiction: nobody is cut off (roll {face})", w)
    one = term("Supply interdiction: one unit is cut off (roll {face})")
    return Text.many(w["count"], one, term("Supply interdiction: {n} units are cut off (roll {face})"), face=w["face"])


def _result(w: dict[str, Any]) -> Said:
    """8.72 a shaded cell has its star, as in the table."""
    shaded = "*" if w["shaded"] else ""
    return Text("Roll {face}, modified {roll}: {result}", face=w["face"], roll=w["roll"], result=w["result"] + shaded)


FEBRUARY = "1943-02-"


def dated(date: str) -> Said:
    """A day of the battle in words; a date of another month, of somebody's own scenario, as it is written."""
    if not date.startswith(FEBRUARY):
        return date
    return Text("{day} February 1943", day=int(date.removeprefix(FEBRUARY)))


LINES: Mapping[str, Line] = {
    **{key: SHARED_LINES[key] for key in ("step_lost", "retreated", "disrupted", "advanced")},
    "turn": lambda w: Text("Turn {turn}, {date}", turn=w["turn"], date=dated(w["date"])),
    "phase": _phase,
    "weather": "The weather: {weather}",
    "command": lambda w: Text.of(
        "Divided command ends early (roll {face})" if w["free"] else "Divided command goes on (roll {face})", w
    ),
    "supply": "{units}: {supply}",
    "withdrawn": "{unit} is withdrawn",
    "arrived": "{unit} arrives",
    "rerouted": "The group of {unit} will come at {entry} on turn {turn}",
    "moved": moved,
    "left_map": "{unit} leaves the map at {hex}",
    "converted": lambda w: Text.of(
        "{unit} becomes a Fire Net headquarters" if w["net"] else "{unit} becomes mobile again", w
    ),
    "control": "{side} controls {hex}",
    "captured": "{unit} is captured in {hex}",
    "fled": "{unit} gets away to {to}",
    "revealed": lambda w: Text.of(
        "The minefield in {hex} is worth {value}" if w["value"] else "The minefield in {hex} is a dud", w
    ),
    "strongpoint_lost": "The strongpoint in {hex} is lost",
    "building_stopped": "The construction in {hex} is given up",
    "eliminated": "{unit} is eliminated",
    "overrun": "{attackers} overrun {hex}",
    "overrun_failed": "The overrun of {hex} fails",
    "declared": "{attackers} will attack {hex}",
    "commands": "{unit} spends Command Points: {points}",
    "harassed": "{unit} interdicts {other}",
    "reaction": _checked(
        _passed(
            term("{unit} passes its check: {kind} ({rolled}, ER {er})"),
            term("{unit} fails its check: {kind} ({rolled}, ER {er})"),
        )
    ),
    "combat": "Combat in {hex}: {attackers} attack",
    "leads": "{unit} leads",
    "flies": "{unit} flies close support",
    "supports": "{unit} supports",
    "coordinated": _checked(_coordinated),
    "shifted": "{unit} shifts the odds",
    "odds": "{attack} against {defense}: {odds}, resolved at {column} on the {crt} table, modifier {drm}",
    "result": _result,
    "broke_out": _passed(
        term("{unit} breaks out (roll {roll}, ER {er})"), term("{unit} breaks out with a loss (roll {roll}, ER {er})")
    ),
    "silenced": "{unit} is silenced by the enemy's approach",
    "interdiction": _passed(term("{unit} flies interdiction"), term("{unit} finds no target")),
    "raided": _raided,
    "bombers": "{unit} leads the bombers to {hex} (roll {roll}, ER {er}): bombing points {value}",
    "bombed": "Bombs on {hex} (roll {face}): disrupted {count}, steps lost {steps}",
    "building": "{unit} begins a strongpoint in {hex}",
    "built": "The strongpoint in {hex} is finished",
    "razed": "The strongpoint in {hex} is removed",
    "laid": "{side} lays a minefield in {hex}",
    "cleared": "The minefield in {hex} is cleared",
    "recovered": "{unit} recovers",
    "recovery": _passed(term("{unit} passes its recovery check"), term("{unit} stays disrupted")),
    "ordered": "{side}, standing orders: {kind} in {hex}",
    "passed_over": "{side}, standing orders: no {kind}",
    "game_over": "{level}",
}
"""What happened, in the words of a calm staff officer."""
