"""The log in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.engine.texts.text import Said, Text, term
from sandtable.engine.texts.words import OFF_MAP

from ..fire.ift import NO_EFFECT, RESULTS, meaning
from .motors import MOTOR_LINES, whether

PHASE_TITLES = {
    "rally": "Rally Phase",
    "prep_fire": "Prep Fire Phase",
    "movement": "Movement Phase",
    "defensive_fire": "Defensive Fire Phase",
    "advancing_fire": "Advancing Fire Phase",
    "rout": "Rout Phase",
    "advance": "Advance Phase",
    "close_combat": "Close Combat Phase",
}


def seen_or_not(w: Mapping[str, Any], seen: str, hidden: str, both: str) -> Text:
    """Which of three sentences: all of them known, none, or some."""
    count = w.get("hidden", 0)
    facts = {**w, "n": count}
    if not count:
        return Text.of(seen, facts)
    return Text.of(both if w.get("units") else hidden, facts)


def _moved(w: Mapping[str, Any]) -> Text:
    return seen_or_not(
        w, "{units} moves from {from} to {to}", "? moves from {from} to {to}", "{units} and ? move from {from} to {to}"
    )


def _advanced(w: Mapping[str, Any]) -> Text:
    return seen_or_not(
        w,
        "{units} advances to {to}",
        "? advances to {to}",
        "{units} and ? advance to {to}",
    )


def _set_up(w: Mapping[str, Any]) -> Text:
    return seen_or_not(
        w,
        "{units} sets up in {hex}",
        "? sets up in {hex}",
        "{units} and ? set up in {hex}",
    )


def _double(w: Mapping[str, Any]) -> Text:
    return seen_or_not(
        w,
        "{units} goes at Double Time",
        "? goes at Double Time",
        "{units} and ? go at Double Time",
    )


def _cover(w: Mapping[str, Any]) -> Text:
    return seen_or_not(
        w,
        "{units} goes beneath the entrenchment",
        "? goes beneath the entrenchment",
        "{units} and ? go beneath the entrenchment",
    )


def _out(w: Mapping[str, Any]) -> Text:
    return seen_or_not(
        w,
        "{units} comes out of the entrenchment",
        "? comes out of the entrenchment",
        "{units} and ? come out of the entrenchment",
    )


def _crest(w: Mapping[str, Any]) -> Text:
    return seen_or_not(
        w,
        "{units} goes up to the Crest of {hex}",
        "? goes up to the Crest of {hex}",
        "{units} and ? go up to the Crest of {hex}",
    )


def _down(w: Mapping[str, Any]) -> Text:
    return seen_or_not(
        w,
        "{units} goes down into the wadi",
        "? goes down into the wadi",
        "{units} and ? go down into the wadi",
    )


def in_words(w: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a fall of the dice, with a dash of the IFT said in words."""
    nothing = RESULTS[NO_EFFECT]
    return {**w, "result": meaning(nothing) if w["result"] == nothing else w["result"]}


def _rolled(w: Mapping[str, Any]) -> Text:
    if w["cowers"]:
        return Text.of("Rolled {dice}, DRM {drm}, and the firers cower: {result}", in_words(w))
    return Text.of("Rolled {dice}, DRM {drm}: {result}", in_words(w))


def _repair(w: Mapping[str, Any]) -> Text:
    if w["repaired"]:
        return Text.of("{unit} is repaired", w)
    return Text.of("{unit} is lost for good" if w["lost"] else "{unit} is not repaired", w)


def _shot(w: Mapping[str, Any]) -> Text:
    if "number" not in w:
        return seen_or_not(w, "{units} fires at {hex}", "? fires at {hex}", "{units} and ? fire at {hex}")
    return seen_or_not(
        w,
        "{units} fires {shell} at {hex}: To Hit {number}, DRM {drm}",
        "? fires {shell} at {hex}: To Hit {number}, DRM {drm}",
        "{units} and ? fire {shell} at {hex}: To Hit {number}, DRM {drm}",
    )


def _again(w: Mapping[str, Any]) -> Text:
    return seen_or_not(w, "{units} may fire again", "? may fire again", "{units} and ? may fire again")


def _used_up(w: Mapping[str, Any]) -> Text:
    return seen_or_not(w, "{units} is used up", "? is used up", "{units} and ? are used up")


def _breaks_down(w: Mapping[str, Any]) -> Text:
    return seen_or_not(w, "{units} malfunctions", "? malfunctions", "{units} and ? malfunction")


def _drawn(w: Mapping[str, Any]) -> Text:
    return seen_or_not(w, "{units} rolls {die}", "? rolls {die}", "{units} and ? roll {die}")


def _deployed(w: Mapping[str, Any]) -> Text:
    """Both halves are of one type."""
    return Text.of("{unit} deploys in {hex} into two {name} half-squads", {**w, **w["into"].facts})


TO_HIT = {
    "critical": term("Rolled {dice}: a Critical Hit in {hex}"),
    "hit": term("Rolled {dice}: a hit in {hex}"),
    "miss": term("Rolled {dice}: a miss"),
    "improbable": term("Rolled {dice}: an improbable hit in {hex}?"),
}

TO_KILL = {
    "-": term("To Kill {number} ({part}), rolled {dice}: {unit} is not hurt"),
    "shock": term("To Kill {number} ({part}), rolled {dice}: {unit} is shocked"),
    "immobilized": term("To Kill {number} ({part}), rolled {dice}: {unit} is immobilized"),
    "destroyed": term("To Kill {number} ({part}), rolled {dice}: {unit} is destroyed"),
    "burning": term("To Kill {number} ({part}), rolled {dice}: {unit} burns"),
}


def _chit(w: Mapping[str, Any]) -> Text:
    if not w["red"]:
        return Text.of("A black chit: Battery Access", w)
    return Text.of("A red chit: the battery of {side} is lost" if w["over"] else "A red chit: contact is lost", w)


def _ran_out(w: Mapping[str, Any]) -> Text:
    return seen_or_not(w, "{units} has no {shell} left", "? has no {shell} left", "{units} and ? have no {shell} left")


def _search(w: Mapping[str, Any]) -> Text:
    if not w["hexes"]:
        return seen_or_not(w, "{units} searches in vain", "? searches in vain", "{units} and ? search in vain")
    return seen_or_not(w, "{units} searches: {hexes}", "? searches: {hexes}", "{units} and ? search: {hexes}")


def _climb(w: Mapping[str, Any]) -> Text:
    if not w["passed"]:
        return seen_or_not(
            w, "{units} does not get up to {hex}", "? does not get up to {hex}", "{units} and ? do not get up to {hex}"
        )
    return seen_or_not(w, "{units} climbs towards {hex}", "? climbs towards {hex}", "{units} and ? climb towards {hex}")


WIND_WORDS = ("No Wind", "Mild Breeze", "Heavy Wind")
DUST_LINES = {
    "none": "The dust has settled",
    "light": "Light Dust",
    "moderate": "Moderate Dust",
    "heavy": "Heavy Dust",
    "very_heavy": "Very Heavy Dust",
    "extremely_heavy": "Extremely Heavy Dust",
}

LINES: dict[str, str | Callable[[Mapping[str, Any]], Said]] = {
    "player_turn": "Turn {turn}: {side}",
    "phase": lambda w: PHASE_TITLES[w["phase"]],
    "set_up": _set_up,
    "set_up_done": "{side} has set up",
    "moved": _moved,
    "advanced_to": _advanced,
    "double_time": _double,
    "took_cover": _cover,
    "came_out": _out,
    "took_crest": _crest,
    "went_down": _down,
    "wire": lambda w: whether(
        w, "The wire of {hex} takes {die} MF", "The wire of {hex} would take {die} MF, more than there are"
    ),
    "mines": "The mines of {hex} go off: {fp} FP",
    "dummy_minefield": "The minefield of {hex} is a dummy",
    "dummy_mines": lambda w: Text.of(
        "{side} has {count} dummy minefields" if "count" in w else "{side} notes its dummy minefields", w
    ),
    "work_found": "{unit} is found in {hex}",
    "grenade": lambda w: whether(w, "{unit} throws SMOKE into {hex}", "{unit} gets no SMOKE into {hex}"),
    "search": _search,
    "charge_set": "{unit} is set against {hex}",
    "climb": _climb,
    "mud": "{unit} sinks into the mud of {hex}",
    "gun_unloaded": "{unit} is unloaded from {other}",
    "gun_loaded": "{unit} is loaded on {other}",
    "charge_aerial_af": "The charge lies on top of {unit}: rolled {dice}, Final {final}",
    "charge_normal_af": "The charge lies against the side of {unit}: rolled {dice}, Final {final}",
    "charge_prc_only": "The charge reaches only those who are exposed on {unit}: rolled {dice}, Final {final}",
    "charge_none": "The charge misses {unit}: rolled {dice}, Final {final}",
    "charge_kill": "The charge against {unit}: rolled {dice} against {number}",
    "blast": lambda w: Text.of("{unit} at {hex}: rolled {dice}, DRM {drm}: {result}", in_words(w)),
    "sniper": lambda w: Text.of("The {side} Sniper fires" if w["die"] <= 2 else "The {side} Sniper finds nobody", w),
    "encircled": "{unit} is Encircled in {hex}",
    "fire_lane": "{unit} lays a Fire Lane to {hex}",
    "waits": "{unit} waits to fire",
    "dug": lambda w: whether(w, "{unit} digs in: {final}", "{unit} does not get dug in: {final}"),
    "cleared": lambda w: whether(w, "{unit} clears {other}", "{unit} does not clear {other}"),
    "dismantled": lambda w: whether(w, "{unit} is taken apart", "{unit} is put together"),
    "work_gone": "{unit} in {hex} is gone",
    "detected": "An enemy is found in {hex}",
    "attack": "{side} fires at {hex} with {fp} FP: column {column}, DRM {drm}",
    "attack_rolled": _rolled,
    "also_rolled": lambda w: Text.of("Those better protected: DRM {drm}: {result}", in_words(w)),
    "rate_of_fire": "{unit} may fire again",
    "jammed": "{unit} malfunctions",
    "residual": "{fp} Residual FP lies in {hex}",
    "shot": _shot,
    "to_hit": lambda w: Text.of(TO_HIT[w["word"]], w),
    "to_kill": lambda w: Text.of(TO_KILL[w["word"]], w),
    "improbable": lambda w: whether(w, "A {die}: it hits", "A {die}: it misses"),
    "skirts": lambda w: whether(w, "A {die}: the skirts of {unit} save its tracks", "A {die}: the skirts do not help"),
    "ran_out": _ran_out,
    "fires_again": _again,
    "drawn": _drawn,
    "weapon_lost": _used_up,
    "breaks_down": _breaks_down,
    "acquired": lambda w: Text.of("{unit} is acquired" if "unit" in w else "{hex} is acquired", w),
    "burst": lambda w: Text.of("The burst in {hex}: rolled {dice}, {result}", in_words(w)),
    "collateral": lambda w: Text.of("The crew of {unit} is hit: {result}", in_words(w)),
    "gun_destroyed": "{unit} is destroyed by a Direct Hit in {hex}",
    "contact": lambda w: whether(w, "Contact: {final} against {number}", "No contact: {final} against {number}"),
    "chit": _chit,
    "accuracy": lambda w: whether(w, "The round falls in {hex}", "The round errs"),
    "erred": lambda w: Text.of("It falls in {hex}" if w["hex"] != OFF_MAP else "It falls off the map", w),
    "round": lambda w: Text.of("Fire for Effect in {hex}" if w["effect"] else "A Spotting Round in {hex}", w),
    "ceased": "The battery of {side} ceases fire",
    "shelling": lambda w: Text.of("Shells fall in {hex}: rolled {dice}, {result}", in_words(w)),
    "pushed": lambda w: whether(
        w, "{unit} is pushed to {hex}: {final} against {number}", "{unit} does not move: {final} against {number}"
    ),
    "bore_sighted": "{unit} is bore-sighted on {hex}",
    "selection": "{unit} rolls {die}",
    "dummy": "It was a dummy in {hex}",
    "revealed": "{unit} is seen in {hex}",
    "check": lambda w: whether(w, "{unit} passes: {final} against {morale}", "{unit} fails: {final} against {morale}"),
    "broke": "{unit} breaks in {hex}",
    "pinned": "{unit} is pinned in {hex}",
    "replaced": "{unit} is replaced by {into}",
    "disrupted": "{unit} is Disrupted",
    "reduced": "{unit} suffers casualties in {hex}: {into} is left",
    "eliminated": lambda w: Text.of(
        "{unit} is eliminated in {hex}" if w["hex"] != OFF_MAP else "{unit} is eliminated", w
    ),
    "wounded": lambda w: Text.of("{unit} dies of his wound" if w["dead"] else "{unit} is wounded", w),
    "deployed": _deployed,
    "recombined": "Two half-squads recombine in {hex} into {into}",
    "transferred": "{other} is handed to {unit}",
    "rally": lambda w: whether(
        w, "{unit} rallies: {final} against {morale}", "{unit} does not rally: {final} against {morale}"
    ),
    "repair": lambda w: Text.of(
        "{unit} is repaired" if w["repaired"] else "{unit} is lost for good" if w["lost"] else "{unit} is not repaired",
        w,
    ),
    "recovery": lambda w: Text.of(
        "{unit} takes up {other}" if w["taken"] else "{unit} does not get hold of {other}", w
    ),
    "routed": "{unit} routs from {from} to {to}",
    "crawled": "{unit} crawls from {from} to {to}",
    "lies_low": "{unit} cannot rout and lies low in {hex}",
    "gives_up": lambda w: whether(w, "{unit} gives itself up", "{unit} does not give itself up"),
    "freed": "{unit} is free again in {hex}",
    "withdrew": "{unit} withdraws to {hex}",
    "surrendered": "{unit} surrenders to {other}",
    "ambush": lambda w: Text.of(
        "{winner} ambushes the other side in {hex}" if w["winner"] else "No Ambush in {hex}", w
    ),
    "close_combat": "Close Combat in {hex}: {attackers} attack {units} at {odds}, {final} against {kill}: {result}",
    "concealed": "{unit} is out of sight",
    "hides": lambda w: whether(w, "{unit} hides", "{unit} is still seen"),
    **MOTOR_LINES,
    "smoke": "SMOKE lies in {hex}",
    "fascine": "{unit} lays its fascine towards {hex}",
    "halted": "The move ends",
    "pointed": lambda w: seen_or_not(w, "{units} is turned", "? is turned", "{units} and ? are turned"),
    "entered": lambda w: seen_or_not(
        w, "{units} enters the map at {hex}", "? enters the map at {hex}", "{units} and ? enter the map at {hex}"
    ),
    "exited": lambda w: seen_or_not(
        w, "{units} leaves the map from {hex}", "? leaves the map from {hex}", "{units} and ? leave the map from {hex}"
    ),
    "wind": lambda w: Text.of(
        "{force}" if w["force"] == "No Wind" or not w["toward"] else "{force}, towards hexside {toward}", w
    ),
    "gusts": "Gusts blow in this Player Turn",
    "dust_changes": lambda w: DUST_LINES[w["density"]],
    "dust_die": "The die of dust: {die}",
    "game_over": "{winner} wins; the Axis have scored {axis}, the Allies {allied}",
}
