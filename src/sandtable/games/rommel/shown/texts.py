"""Actions and events in the words of a calm staff officer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.words import count
from sandtable.mechanics.telling import Line

from ..table.throws import so_many_dice


def _who(w: Mapping[str, Any]) -> str:
    """The block as this side knows it."""
    if "unit" in w:
        return str(w["unit"])
    return f"A{'n' if w.get('side', '')[:1] in 'AEIOU' else ''} {w.get('side', '')} block"


def _blocks(w: Mapping[str, Any], key: str = "count") -> str:
    n = w.get(key, 0)
    many = f"{n} {w.get('side', '')} block{'' if n == 1 else 's'}"
    return f"{many} ({w['units']})" if w.get("units") else many


def _do(w: Mapping[str, Any], verb: str, key: str = "count") -> str:
    """So many blocks do something: one routs, two rout."""
    return f"{_blocks(w, key)} {verb}s" if w.get(key) == 1 else f"{_blocks(w, key)} {verb}"


LINES: dict[str, Line] = {
    "month": lambda w: f"{w['name']} begins",
    "month_over": lambda w: f"Both have passed: {w['name']} is over",
    "turn": lambda w: f"{w['side']} player turn",
    "passed": lambda w: f"{w['side']} passes",
    "cards_played": lambda w: (
        f"{w['side']} plays {count(w['cards'], 'card')} face down"
        + (f": {w['option']}, {w['real']} real and {w['dummy']} dummy" if "option" in w else "")
    ),
    "cards_shown": lambda w: f"{w['side']} shows {w['real']} real and {w['dummy']} dummy cards: {w['option']}",
    "challenged": lambda w: (
        f"{w['side']} challenges for the initiative" + (f" with a {w['card']} card" if "card" in w else "")
    ),
    "no_challenge": lambda w: f"{w['side']} does not challenge",
    "challenge_cards": lambda w: f"Challenge card: {w['challenge']}, answer: {w['answer']}",
    "initiative": lambda w: f"{w['side']} has the initiative",
    "group_move": lambda w: f"{w['side']} moves the group at {w['hex']}" + _rommel(w),
    "regroup_move": lambda w: f"{w['side']} regroups around {w['hex']}" + _rommel(w),
    "gathering": lambda w: f"They gather at {w['to']}",
    "moved": lambda w: f"{_who(w)} moves from {w['from']} to {w['to']}",
    "move_over": lambda w: "The move is over",
    "withdrawal_abandoned": lambda w: f"{w['side']} gives the withdrawal up",
    "exited": lambda w: f"{_who(w)} leaves the map at {w['hex']}",
    "attacked": lambda w: f"{w['side']} attacks {w['hex']}",
    "leaving": lambda w: f"{_who(w)} prepares to leave {w['hex']}",
    "full_retreat": lambda w: f"{w['side']} retreats from {w['hex']}",
    "partial_retreat": lambda w: f"{w['side']} leaves a rearguard at {w['hex']}",
    "probed": lambda w: f"{w['side']} probes at {w['hex']}",
    "no_probe": lambda w: f"{w['side']} does not probe at {w['hex']}",
    "march_declared": lambda w: f"{_who(w)} is to force-march to {w['to']}",
    "marched": lambda w: f"{_who(w)} rolls {w['die']}: the march {'succeeds' if w['success'] else 'fails'}",
    "raider": lambda w: f"{_who(w)} is cut off as a raider at {w['hex']}",
    "revealed": lambda w: f"Revealed at {w['hex']}: {w['units']}",
    "stood": lambda w: f"{w['side']} stands at {w['hex']}",
    "avoided": lambda w: f"{_do(w, 'avoid')} battle at {w['hex']}",
    "pursuit": lambda w: f"Pursuit at {w['hex']}: slowest speed {w['speed']}, {so_many_dice(w['dice'])}",
    "pursuit_fire": lambda w: f"Pursuit fire at {w['hex']}: {count(w['hits'], 'hit')} of {w['dice']}",
    "retired": lambda w: f"{_who(w)} withdraws from {w['from']} to {w['to']}",
    "routed": lambda w: f"{_do(w, 'rout')} at {w['hex']}",
    "declared": lambda w: f"{w['side']} will fight at {w['hexes']}",
    "assaults": lambda w: f"{w['side']} assaults {w['hexes']}",
    "round": lambda w: f"{'Probe' if w.get('probe') else 'Assault' if w.get('assault') else 'Battle'} at {w['hex']}",
    "fired": lambda w: f"{w['unit']} fires at {w['cls']}, {so_many_dice(w['dice'])}: {count(w['hits'], 'hit')}",
    "hits_wasted": lambda w: f"Hits left over at {w['hex']} are lost",
    "step_lost": lambda w: f"{_who(w)} loses a step" + (f", CV {w['cv']} left" if "cv" in w else ""),
    "eliminated": lambda w: f"{w['unit']} is eliminated",
    "battle_over": lambda w: f"The battle at {w['hex']} is over",
    "disclosed": lambda w: f"A minefield is disclosed at {w['hex']}",
    "minefield_gone": lambda w: f"{w['side']} has lifted the minefields at {w['hexes']}",
    "disrupted": lambda w: f"{_blocks(w) if 'count' in w else _who(w)} disrupted at {w['hex']}",
    "recovered": lambda w: f"{_blocks(w)} recovered at {w['hex']}",
    "unsupplied": lambda w: f"{_blocks(w)} out of supply at {w['hex']}",
    "resupplied": lambda w: f"{_blocks(w)} in supply again at {w['hex']}",
    "fortress_supply": lambda w: f"{_who(w)} draws supply from {w['fortress']}",
    "oasis_supply": lambda w: f"{_who(w)} lives on the oasis of {w['hex']}",
    "captured": lambda w: f"{w['side']} captures {w['fortress']}: {count(w['cards'], 'bonus card')} to come",
    "buildup": lambda w: f"Buildup of {w['name']}",
    "buildup_roll": lambda w: f"{w['side']} rolls {w['roll']} for buildup points",
    "buildup_points": lambda w: f"Each side receives {w['points']} points; {w['side']} builds up first",
    "player_buildup": lambda w: f"{w['side']} builds up",
    "points_lost": lambda w: f"Lost over the limit: {count(w['points'], 'point')}",
    "early_checks": lambda w: f"{w['side']} checks {count(w['blocks'], 'reinforcement')} for early arrival",
    "early_check": lambda w: f"{w['unit']} rolls {w['roll']}: {'comes early' if w['early'] else 'comes on time'}",
    "arrived_early": lambda w: f"{_do(w, 'arrive', 'blocks')} early at {w['hex']}",
    "arrived": lambda w: f"{_do(w, 'arrive', 'blocks')} at {w['hex']}",
    "held": lambda w: f"{_who(w)} is held back",
    "returned": lambda w: f"{_do(w, 'return', 'blocks')} from refit to {w['hex']}",
    "redeployed": lambda w: f"{_who(w)} redeploys from {w['from']} to {w['to']}",
    "shipped": lambda w: f"{_who(w)} sails from {w['from']} to {w['to']}",
    "refit": lambda w: f"{_who(w)} goes from {w['from']} to refit",
    "rebuilt": lambda w: f"{_who(w)} is rebuilt" + (f" to CV {w['cv']}" if "cv" in w else ""),
    "mine_laid": lambda w: f"{w['side']} lays a minefield" + (f" at {w['hex']}" if "hex" in w else ""),
    "mines_lifted": lambda w: f"{w['side']} lifts minefields" + (f" at {w['hexes']}" if "hexes" in w else ""),
    "card_bought": lambda w: f"{w['side']} buys an extra card",
    "spent": lambda w: f"{w['side']} spends no more",
    "card_given_up": lambda w: f"{w['side']} gives up a {w['card'] + ' ' if 'card' in w else ''}card",
    "deck_formed": lambda w: "The spent cards are shuffled into the deck",
    "resupply": lambda w: f"{w['side']} draws {count(w['cards'], 'card')}",
    "dealt": lambda w: (
        f"{w['side']} is dealt {count(w['cards'], 'card')}"
        + (f": {w['real']} real, {w['dummy']} dummy" if "real" in w else "")
    ),
    "placed": lambda w: f"{w['unit']} is placed at {w['hex']}",
    "set_up": lambda w: f"{w['side']} has set up",
    "victory": lambda w: f"{w['winner'] or 'Nobody'} wins: {w['level']} ({count(w['points'], 'victory point')})",
}


def _rommel(w: Mapping[str, Any]) -> str:
    return ", led by Rommel" if w.get("rommel") else ""
