"""Actions and events in the words of a calm staff officer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sandtable.engine.contract import Action
from sandtable.engine.words import count
from sandtable.mechanics.telling import SHARED_LINES, Line

from ..movement.convoys import cost, fills
from ..table.board import Board
from ..table.ids import (
    ASSETS,
    F_ADVANCE,
    F_BREAKTHROUGH,
    RESOURCES,
    V_DONE,
    V_GROUPED,
    V_HALT,
    V_HITS,
    V_SHIP,
    V_SHIP_SP,
    V_SUPPLY_ASU,
)
from ..table.state import State

if TYPE_CHECKING:
    from ..game import NorthAfrica

# Verb -> the sentence; arguments stand in the order of the verb's own
LABELS: dict[str, str] = {
    "remove": "{0} leaves",
    "upgrade": "{0} comes, {1} goes",
    "give": "Give a freed step to {0}",
    "convert": "Form {0}",
    "choose": "Take {0}",
    "put-off": "Not this turn",
    "buy": "{0}",
    "take": "Take {0}",
    "bomb": "Bomb {0}",
    "return": "Bring {0} back",
    "replace": "{0} takes {1}",
    "event": "Roll for the event",
    "end-initial": "End the Initial Phase",
    "move": "Move {0}",
    "join": "{0} goes too",
    "load": "Load {0} on the truck",
    "load-sp": "Load a supply point: the truck becomes an MSU",
    "unload-sp": "Unload the supply point: the MSU becomes a truck",
    "rommel": "Rommel leads them: 2 MP more",
    "to": "To {0}{1}",
    "leave": "Leave {0} behind",
    "halt": "End the move here",
    "rail": "{0} by rail to {1}",
    "rail-sp": "A supply point by rail from {0} to {1}",
    "transfer": "Transfer {0} to {1}",
    "fly": "Fly {0} to {1}",
    "convoy": "Convoy from {0} to {1}",
    "ship": "Ship {0}",
    "ship-sp": "Ship a supply point",
    "sail": "The convoy sails",
    "on": "{0} goes on to Benghazi",
    "sp-on": "A supply point goes on to Benghazi",
    "crush": "Shatter {0} at once (Auto DS)",
    "fortify": "Fortify {0}",
    "unfortify": "Give the fortification at {0} up",
    "ready": "Refit {0} with a supply point",
    "destroy-sp": "Destroy an own supply point at {0}",
    "surrender": "Surrender {0}",
    "flee": "Put {0} into Full Retreat",
    "end-moves": "End movement",
    "demolish": "Demolish {0} with {1}",
    "repair": "Repair {0}",
    "end-ports": "No more demolition or repair",
    "drop": "Eliminate {0}",
    "attack": "Attack {0}",
    "commit": "These attack",
    "supply-sp": "Attack supply: spend a supply point at {0}",
    "supply-asu": "Attack supply: deplete {0}",
    "no-supply": "Without attack supply",
    "artillery": "{0} fires in support and is depleted",
    "artillery-sp": "{0} fires in support, with a supply point",
    "no-artillery": "No artillery support",
    "air": "{0}",
    "reroll": "Rommel: roll again",
    "accept": "Let the roll stand",
    "lose": "{0} loses a step",
    "remnant": "A remnant stays",
    "no-remnant": "No remnant",
    "lead": "Determined defense led by {0}",
    "desperate": "Desperate defense led by {0}",
    "yield": "Retreat",
    "carry": "{0} carries {1}",
    "no-carry": "Carry nobody else",
    "group": "{0} is in the breakthrough group",
    "grouped": "That is the group",
    "advance": "{0} advances to {1}",
    "storm": "Breakthrough combat against {0}",
    "done": "Done",
    "disengage": "{0} disengages",
    "end-combat": "End combat",
    "free-sp": "The free supply point to {0}",
    "capture": "Take {0}",
    "no-capture": "Take no truck",
    "feed": "The port supplies {0}",
    "end-supply": "End the Supply Phase",
    "delay": "Delay marker {0} at {1}",
    "strafe": "Strafe {0}",
    "lrdg": "LRDG at {0}",
    "take-back": "Take delay marker {0} back",
    "end-delay": "End the Delay Phase",
    "pay-sp": "Give up a supply point at {0}",
    "deplete": "Deplete {0}",
    "sit-out": "{0} adds nothing to the defence",
    "rolled": "Rolled {0}",
    "pair": "Rolled {0} and {1}",
    "hits": "{0}",
}

WAYS = ("", ", extended movement", ", tactical movement", ", with the road bonus")

ASSET_WORDS = {
    "air_support_german": "German air support",
    "air_support_italian": "Italian air support",
    "air_support_allied": "Allied air support",
    "strafing": "strafing",
    "lrdg": "the LRDG",
    "air_transport": "air transport",
    "comando_supremo": "Comando Supremo",
    "coastal_convoy": "a second coastal convoy",
    "bombing_raid": "a bombing raid",
    "none": "No air support",
}


def label(game: NorthAfrica, s: State, action: Action) -> str:
    """An action as a player would say it."""
    verb = game.codec.verbs[action[0]]
    if action[0] == V_HALT and s.spent < 0:
        alone = not (s.group | s.loads) & ((s.group | s.loads) - 1)
        return "Leave it here: it does not move" if alone else "Leave them here: they do not move"
    if action[0] == V_GROUPED and not s.group:
        return "No breakthrough group"
    if action[0] == V_SUPPLY_ASU and s.board.trucks >> action[1] & 1:
        return f"Attack supply: spend the supply point of {s.board.unit_names[action[1]]}"
    if action[0] == V_DONE and s.stack[-1][0] in (F_ADVANCE, F_BREAKTHROUGH):
        return "End the advance"
    if action[0] == V_HITS:
        return count(action[1], "hit")
    words = [_argument(s.board, kind.name, value) for (_, kind), value in zip(verb.args, action[1:], strict=True)]
    said = LABELS[verb.word].format(*words)
    if action[0] in (V_SHIP, V_SHIP_SP):
        points = cost(s, action[1]) if action[0] == V_SHIP else 1
        said += f": {count(points, 'shipping point')}{', and sail' if fills(s, action) else ''}"
    return said


def _argument(board: Board, kind: str, value: int) -> str:
    if kind == "unit":
        return board.unit_names[value]
    if kind == "hex or box":
        number, known = board.grid.names[value], board.names[value]
        return f"{known} ({number})" if known and number.isdigit() else known or number
    if kind == "way of moving":
        return WAYS[value]
    if kind == "port":
        return board.port_ids[value].replace("_", " ").title()
    if kind == "asset":
        return ASSET_WORDS.get(ASSETS[value], ASSETS[value].replace("_", " "))
    if kind == "resource":
        row = next(row for row in board.pack.tables["resource"] if row["code"] == RESOURCES[value])
        return f"{row['name']}: {count(row['cost'], 'RP')}"
    if kind == "number of dice":
        return count(value, "die", "dice")
    return str(value)


def _rolled(w: Mapping[str, Any], key: str = "die") -> str:
    """What was rolled, and what the modifiers make of it: 3 - 2 = 1."""
    rolled, drm = w[key], w.get("drm", 0)
    return f"{rolled} {'-' if drm < 0 else '+'} {abs(drm)} = {rolled + drm}" if drm else str(rolled)


def _fight(w: Mapping[str, Any]) -> str:
    kind = {"combat": "attacks", "auto_ds": "overwhelms", "breakthrough": "breaks through against"}[w["fight"]]
    odds = f"{w['attack']} against {w['defence']}: {w['odds']}"
    if w["shift"]:
        odds += f", shifted by {w['shift']:+d}, read at {w['column']}"
    return f"{w['side']} {kind} {w['hex']} with {w['attackers']}. {odds}"


def _defence(w: Mapping[str, Any]) -> str:
    held = "holds" if w["holds"] else "fails"
    return f"Determined defense at {w['hex']} led by {w['lead']}: rolled {_rolled(w)}, it {held}"


def _supply(w: Mapping[str, Any]) -> str:
    parts = [f"{w['full']} in full supply"]
    parts += [f"{w['by_port']} by port"] if w["by_port"] else []
    parts += [f"out: {w['units']}"] if w["units"] else []
    parts += [f"{len(w['red'])} for a second time"] if w["red"] else []
    return f"{w['side']} supply: {', '.join(parts)}"


def _event(w: Mapping[str, Any]) -> str:
    got = [count(w["points"], "RP")] if w["points"] else []
    got += [ASSET_WORDS[asset] for asset in w["assets"]]
    return f"{w['side']} event, rolled {w['dice']}: {', '.join(got) or 'nothing'}"


def _asset(w: Mapping[str, Any]) -> str:
    return ASSET_WORDS[w["asset"]]


def _sinking(w: Mapping[str, Any]) -> str:
    what = "A supply point" if w["sp"] else w["unit"]
    return f"{what}: rolled {_rolled(w)}, " + ("sunk" if w["sunk"] else "safe")


def _convoy(w: Mapping[str, Any]) -> str:
    load = [w["units"]] if w["units"] else []
    load += [count(w["count"], "supply point")] if w["count"] else []
    return f"Convoy from {w['from']} to {w['to']}: {', '.join(load)}"


def _units(w: Mapping[str, Any]) -> str:
    return str(w.get("units") or w.get("unit") or "")


LINES: dict[str, Line] = {
    **SHARED_LINES,
    "turn": lambda w: f"Turn {w['turn']}: {w['date']}",
    "player_turn": lambda w: f"{w['side']} player turn, impulse {w['impulse']}",
    "sp_received": lambda w: f"{w['side']} receives {count(w['count'], 'supply point')} in {w['hex']}",
    "arrived": lambda w: f"{w['unit']} arrives" + (f" in {w['hex']}" if "hex" in w else ""),
    "replacement": lambda w: f"{w['unit']} arrives in {w['hex']}",
    "replacement_forfeited": lambda w: f"{w['side']}: no replacement of that type is left in the pool",
    "malta_roll": lambda w: f"Malta: rolled {w['die']}, {w['needed']} needed",
    "malta": lambda w: f"Malta stands at {w['modifier']:+d}",
    "surrender_advanced": lambda w: f"{w['unit']} is one turn nearer to its return",
    "removed": lambda w: f"{w['unit']} leaves the game",
    "withdrawn": lambda w: f"{w['unit']} is withdrawn",
    "released": lambda w: f"{w['unit']} is released from reserve",
    "upgraded": lambda w: f"{w['unit']} arrives, {w['other']} goes",
    "put_off": lambda w: f"{w['unit']} waits",
    "restored": lambda w: f"{w['unit']} regains a step",
    "steps_forfeited": lambda w: f"{count(w['steps'], 'freed step')} forfeited",
    "converted": lambda w: f"{w['units']} becomes {w['unit']}",
    "event": _event,
    "resource_points": lambda w: f"{w['side']} has {count(w['held'], 'RP')}",
    "rp_lost": lambda w: f"{w['side']} loses an RP",
    "rp_owed": lambda w: f"{w['side']} will lose its next RP",
    "asset": lambda w: f"{w['side']} receives {_asset(w)}",
    "asset_forfeited": lambda w: f"{w['side']} forfeits {_asset(w)}",
    "asset_used": lambda w: f"{w['side']} uses {_asset(w)}",
    "bought": lambda w: f"{w['side']} buys {str(w['resource']).replace('_', ' ')} for {count(w['cost'], 'RP')}",
    "returned": lambda w: f"{w['unit']} returns in {w['hex']}",
    "replaced": lambda w: f"{w['unit']} takes a replacement",
    "transport_over": lambda w: f"Ready again after transport: {w['units']}" if w["units"] else "Transport is over",
    "moved": lambda w: f"{w['unit']} moves from {w['from']} to {w['to']}",
    "loaded": lambda w: f"{w['truck']} picks {w['unit']} up",
    "sp_loaded": lambda w: f"{w.get('truck') or w.get('unit')} loads a supply point at {w['hex']}",
    "sp_unloaded": lambda w: f"{w['truck']} unloads a supply point at {w['hex']}",
    "rommel": lambda w: f"Rommel leads {_units(w)}" if _units(w) else "Rommel: the die is rolled again",
    "railed": lambda w: f"{w['unit']} goes by rail to {w['to']}",
    "sp_railed": lambda w: f"A supply point goes by rail to {w['to']}",
    "transferred": lambda w: f"{w['unit']} is transferred to {w['to']}",
    "flown": lambda w: f"{w['unit']} is flown to {w['to']}",
    "convoy": _convoy,
    "anti_shipping": lambda w: (
        f"Anti-shipping, rolled {_rolled(w, 'dice')}: "
        + (f"found, each step and supply point is sunk by {w['result']} or less" if w["result"] else "not found")
    ),
    "sinking": _sinking,
    "landed": lambda w: f"The convoy lands at {w['hex']}",
    "demolition": lambda w: f"Demolition at {w['hex']}: {count(w['hits'], 'hit')}",
    "bombing": lambda w: f"Bombing of {w['hex']}: rolled {w['die']}, " + ("a hit" if w["hit"] else "no hit"),
    "port_damaged": lambda w: f"{w['hex']} is down to capacity {w['capacity']}",
    "port_repaired": lambda w: f"{w['hex']} is up to capacity {w['capacity']}",
    "fortification_begun": lambda w: f"{w['side']} begins a fortification at {w['hex']}",
    "fortification_roll": lambda w: f"Fortification at {w['hex']}: rolled {w['die']}",
    "fortification_completed": lambda w: f"The fortification at {w['hex']} is complete",
    "fortification_removed": lambda w: f"The fortification at {w['hex']} is gone",
    "ready": lambda w: f"{w['unit']} is ready",
    "fled": lambda w: f"{w['unit']} goes into Full Retreat",
    "sp_destroyed": lambda w: f"{count(w['count'], 'supply point')} destroyed at {w['hex']}",
    "sp_captured": lambda w: f"{w['side']} captures a supply point at {w['hex']}",
    "truck_captured": lambda w: f"{w['unit']} is captured at {w['hex']}",
    "crowded": lambda w: f"Too many in {w['hex']}: {w['unit']} adds nothing to the defence",
    "control": lambda w: f"{w['side']} takes {w['hex']}",
    "comando_supremo": lambda w: "Comando Supremo: Germans and Italians attack together",
    "attack_supply": lambda w: f"Attack supply from {w['from']}",
    "artillery": lambda w: f"{w['unit']} fires in support at {w['hex']}",
    "air_support": lambda w: f"{_asset(w)} at {w['hex']}",
    "combat": _fight,
    "auto_ds": lambda w: f"Auto DS on {w['hex']} by {w['units']}",
    "combat_result": lambda w: (f"Rolled {w['die']} at {w['column']}: " if w.get("die") else "") + str(w["result"]),
    "loss_ignored": lambda w: "Reconnaissance slips away: no step is lost",
    "eliminated": lambda w: f"{w['unit']} is eliminated",
    "surrendered": lambda w: f"{w['unit']} surrenders",
    "determined_defence": _defence,
    "desperate_defence": lambda w: f"Desperate defense at {w['hex']} led by {w['lead']}",
    "carried": lambda w: f"{w['truck']} carries {w['unit']}",
    "tagged_along": lambda w: f"{w['unit']} goes along",
    "full_retreat": lambda w: f"{w['unit']} is in Full Retreat",
    "displaced": lambda w: f"{w['unit']} must give way at {w['hex']}",
    "breakthrough_group": lambda w: f"Breakthrough group: {w['units']}",
    "dropped": lambda w: f"{w['unit']} stops at {w['hex']}",
    "disengagement": lambda w: f"{w['units']} disengage: rolled {_rolled(w)}, {w['answer']}",
    "free_sp": lambda w: f"A free supply point at {w['hex']}",
    "recovered": lambda w: (
        f"{w['unit']} recovers: it is {'in Good Order' if w['order'] == 'good_order' else 'Disrupted'} now"
    ),
    "rally": lambda w: f"{w['unit']} {'rallies' if w['rallied'] else 'does not rally'}: rolled {_rolled(w)}",
    "replacement_markers_off": lambda w: f"{w['side']}: replacement markers come off",
    "supply": _supply,
    "isolation": lambda w: (
        f"{w['unit']} is isolated: rolled {_rolled(w)}, " + ("a step is lost" if w["lost"] else "no loss")
    ),
    "delay_placed": lambda w: f"{w['side']} places delay marker {w['marker']} at {w['hex']}",
    "delay_removed": lambda w: f"Delay marker {w['marker']} comes off {w['hex']}",
    "delay_roll": lambda w: f"{w['side']} rolls {' and '.join(str(d) for d in w['dice'])} for its delay markers",
    "strafing_placed": lambda w: f"{w['side']} strafes {w['hex']}",
    "strafing_over": lambda w: f"{w['side']} strafing ends",
    "lrdg_placed": lambda w: f"LRDG at {w['hex']}",
    "lrdg_over": lambda w: "The LRDG withdraws",
    "supply_attrition": lambda w: (
        f"{w['side']} supply attrition, rolled {w['dice']}: "
        + ("no" if w["sector"] == "none" else str(w["sector"]).replace("_", " ").title())
        + " sector"
        + ("" if w["bites"] else ", no loss")
    ),
    "attrition_sp": lambda w: f"{w['side']} gives up a supply point at {w['hex']}",
    "attrition_asu": lambda w: f"{w['unit']} is depleted",
    "starving": lambda w: f"{w['side']} has nothing to give: all are out of supply",
    "objectives": lambda w: f"The Axis holds {count(w['count'], 'objective')}, {w['needed']} needed",
    "victory_points": lambda w: f"{count(w['airfields'], 'airfield')} against {w['index']}: {w['vp']:+d} VP",
    "game_over": lambda w: f"{w['winner'] or 'Nobody'} wins: {w['level']}",
}
