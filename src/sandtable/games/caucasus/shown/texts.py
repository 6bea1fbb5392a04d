"""Events in the words of a calm staff officer."""

from __future__ import annotations

from typing import Any

from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.shown.telling import SHARED_LINES, Line

PHASE_WORDS = {
    "setup": term("Setup"),
    "axis_initial": term("Axis initial"),
    "axis_first_movement": term("Axis first movement"),
    "axis_first_combat": term("Axis first combat"),
    "soviet_second_movement": term("Soviet second movement"),
    "soviet_second_combat": term("Soviet second combat"),
    "axis_second_movement": term("Axis second movement"),
    "axis_second_combat": term("Axis second combat"),
    "axis_supply": term("Axis supply"),
    "soviet_initial": term("Soviet initial"),
    "soviet_first_movement": term("Soviet first movement"),
    "soviet_first_combat": term("Soviet first combat"),
    "soviet_supply": term("Soviet supply"),
    "victory": term("Victory"),
}

FOUGHT = {
    "combat": (
        term("{side} attacks {hex} with {attackers}. {attack} to {defence} is {odds}: {column}"),
        term("{side} attacks {hex} with {attackers}. {attack} to {defence} is {odds}, shifted {shift}: {column}"),
    ),
    "mobile_assault": (
        term("{side} storms {hex} with {attackers}. {attack} to {defence} is {odds}: {column}"),
        term("{side} storms {hex} with {attackers}. {attack} to {defence} is {odds}, shifted {shift}: {column}"),
    ),
    "automatic_elimination": (
        term("{side} overwhelms {hex} with {attackers}. {attack} to {defence} is {odds}: {column}"),
        term("{side} overwhelms {hex} with {attackers}. {attack} to {defence} is {odds}, shifted {shift}: {column}"),
    ),
}
"""By kind of fight: without shifts, and with some."""

ARRIVALS = {
    ("brandenburg", "arrives"): term("{side} rolls {die} for the Brandenburg battalion: it arrives on turn {turn}"),
    ("brandenburg", "never"): term("{side} rolls {die} for the Brandenburg battalion: it never arrives"),
    ("eastern", "arrives"): term("{side} rolls {die} for an Eastern unit: it arrives on turn {turn}"),
    ("alpini", "arrives"): term("{side} rolls {die} for the Alpini Corps: it arrives this turn"),
    ("alpini", "never"): term("{side} rolls {die} for the Alpini Corps: it never arrives"),
}
"""15.2b, 4.2h, 4.2d tables whose result is an arrival."""

TABLE_WORDS = {
    "replacement": term("{side} rolls {die} on the replacement table: {result}"),
    "event": term("{side} rolls {die} on the event table: {result}"),
    "weather": term("{side} rolls {die} on the weather table: {result}"),
}

RESULT_WORDS = {
    "german_regular_infantry": "german regular infantry",
    "german_elite_infantry": "german elite infantry",
    "axis_allies": "axis allies",
    "german_mechanised": "german mechanised",
    "any_infantry": "any infantry",
    "special": "special",
    "black_sea_fleet_sortie": "black sea fleet sortie",
    "naval_brigade": "naval brigade",
    "infantry_replacement": "infantry replacement",
    "cavalry_replacement": "cavalry replacement",
    "lend_lease_tanks": "lend lease tanks",
    "turkish_front_division": "turkish front division",
    "fair": "fair",
    "bad": "bad",
}
"""4.5, 4.7, 4.8 what the tables say."""

ELIMINATED = {
    "cadre": term("{unit} is eliminated, into the Cadre Box"),
    "removed": term("{unit} is eliminated, out of the game"),
    "returning": term("{unit} is eliminated and returns next turn"),
}


def _modified(w: dict[str, Any]) -> dict[str, Any]:
    """With modifiers as players write them."""
    return {key: signed(value) if key in ("drm", "shift") else value for key, value in w.items()}


def _defence(w: dict[str, Any]) -> Said:
    facts = _modified(w)
    if w["drm"]:
        if w["holds"]:
            return Text("Determined Defence at {hex} led by {lead}: rolled {die} {drm}, it holds", **facts)
        return Text("Determined Defence at {hex} led by {lead}: rolled {die} {drm}, it fails", **facts)
    if w["holds"]:
        return Text("Determined Defence at {hex} led by {lead}: rolled {die}, it holds", **facts)
    return Text("Determined Defence at {hex} led by {lead}: rolled {die}, it fails", **facts)


def _attrition(w: dict[str, Any]) -> Said:
    facts = _modified(w)
    if w["drm"]:
        if w["lost"]:
            return Text("{unit} is isolated: rolled {die} {drm}, a step is lost", **facts)
        return Text("{unit} is isolated: rolled {die} {drm}, no loss", **facts)
    if w["lost"]:
        return Text("{unit} is isolated: rolled {die}, a step is lost", **facts)
    return Text("{unit} is isolated: rolled {die}, no loss", **facts)


def _supply(w: dict[str, Any]) -> Said:
    facts = {"side": w["side"], "full": w["full"], "limited": len(w["limited"]), "out": len(w["out"])}
    if w["limited"] and w["out"]:
        sentence = term("{side} supply: {full} in full supply, {limited} in limited supply, {out} out of supply")
    elif w["limited"]:
        sentence = term("{side} supply: {full} in full supply, {limited} in limited supply")
    elif w["out"]:
        sentence = term("{side} supply: {full} in full supply, {out} out of supply")
    else:
        sentence = term("{side} supply: {full} in full supply")
    return Text.of(sentence, facts)


def _table(w: dict[str, Any]) -> Said:
    """15.2b, 4.2h, 4.2d an arrival, or what another table says."""
    if w["table"] in TABLE_WORDS:
        return Text.of(TABLE_WORDS[w["table"]], {**w, "result": RESULT_WORDS[w["result"]]})
    return Text.of(ARRIVALS[w["table"], w["result"]], w)


def _check(w: dict[str, Any]) -> Said:
    if w.get("par", -1) >= 0:
        return Text("End of turn {turn}: the Axis has {vp} VP, par {par}", **w)
    return Text("End of turn {turn}: the Axis has {vp} VP", **w)


def _either(key: str, yes: str, no: str) -> Line:
    """One sentence or another, by a fact that an event has or has not."""
    return lambda w: Text.of(yes if w.get(key) else no, w)


LINES: dict[str, Line] = {
    **SHARED_LINES,
    "phase": lambda w: PHASE_WORDS[w["phase"]],
    "turn": term("Turn {turn}: {dates}"),
    "winter": term("Winter: passes closed but the Krestovy, seasonal marsh is marsh"),
    "set_up": term("{unit} is set up at {hex}"),
    "arrived": term("{unit} arrives at {hex}"),
    "alpini_level": term("The Alpini Corps has come: the Axis needs 20 VP"),
    "delayed": term("{side} waits with {units}"),
    "drew": term("Drawn from the cup: {unit}"),
    "drew_none": term("Drawn from the cup: none"),
    "lost": term("No place for {unit}: it goes to the Cadre Box"),
    "called_up": _either("box", term("{unit} is called up to the East Caspian box"), term("{unit} is called up")),
    "air": _either("available", term("{support} joins"), term("{support} leaves")),
    "withdrawn": _either(
        "penalty", term("{unit} is withdrawn: no replacement roll this turn"), term("{unit} is withdrawn")
    ),
    "eastern_formed": term("The Axis forms the Eastern units"),
    "table": _table,
    "no_effect": term("No effect"),
    "fleet": lambda w: Text.many(
        w["ready"], "The Black Sea Fleet is ready: {n} marker", "The Black Sea Fleet is ready: {n} markers"
    ),
    "corps": term("The 4th Guards Cavalry Corps forms at {hex}"),
    "replacement": _either("lost", term("{side}: {type} is lost, three are held"), term("{side} receives {type}")),
    "rebuilt": term("{unit} is rebuilt at {hex}: {shows}"),
    "merged": term("{other} is merged into {unit} at {hex}"),
    "moved": _either(
        "mp", term("{unit} moves from {from} to {to} for {mp} MP"), term("{unit} moves from {from} to {to}")
    ),
    "railed": term("{unit} goes by rail from {from} to {to}"),
    "shipped": term("{unit} goes by sea from {from} to {to}"),
    "air_cover": term("{support} covers {unit}"),
    "landed": term("{unit} lands at {to}"),
    "removed": term("{unit} leaves {hex} and returns on turn {turn}"),
    "assault": term("{unit} makes ready to assault from {hex}"),
    "picked_up": term("{unit} joins the stack at {hex}"),
    "mobile_assault": term("{units} storm {hex}"),
    "entered": term("{units} enter {hex}"),
    "support": term("{support} supports the fight at {hex}"),
    "combat": lambda w: Text.of(FOUGHT[w["fight"]][bool(w["shift"])], _modified(w)),
    "combat_result": term("Rolled {die} at {column}: {result}"),
    "withdrew": term("{unit} slips away"),
    "determined_defence": _defence,
    "eliminated": lambda w: Text.of(ELIMINATED.get(w["box"], term("{unit} is eliminated")), w),
    "one_hex_retreat": term("{unit} stops at {hex}"),
    "control": term("{side} takes {hex}: {vp} VP"),
    "fleet_gone": term("Poti has fallen: the Black Sea Fleet is out of the game"),
    "corps_gone": term("The 4th Guards Cavalry Corps is no more"),
    "supply": _supply,
    "azov_ports": _either(
        "open", term("The Azov ports supply again"), term("Temryuk is cut off: no Azov port supplies")
    ),
    "attrition": _attrition,
    "recovered": term("{side} recovers: {units}"),
    "victory_check": _check,
    "game_over": term("{winner} wins, {level}: the Axis has {vp} VP"),
}
