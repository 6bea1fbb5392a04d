"""Actions and events in the words of a calm staff officer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sandtable.engine.contract import Action
from sandtable.engine.words import count
from sandtable.mechanics.telling import Line

from ..table.board import Board
from ..table.ids import (
    CARDS,
    CLASSES,
    DIRS,
    NO_DIR,
    OPTIONS,
    V_ABANDON,
    V_ACCEPT,
    V_ANSWER,
    V_ARRIVE,
    V_ASSAULT,
    V_ASSIGNED,
    V_AVOID,
    V_BUY,
    V_CHALLENGE,
    V_DEALT,
    V_DECLARED,
    V_END_MOVE,
    V_END_MOVES,
    V_EXIT,
    V_FIGHT,
    V_FIRE,
    V_GATHER,
    V_GIVE,
    V_GROUP,
    V_HITS,
    V_HOLD,
    V_JOIN,
    V_KEEP,
    V_LIFT,
    V_LOSE,
    V_MARCH,
    V_MARCHES,
    V_MINE,
    V_MOVE,
    V_NO_ANSWER,
    V_NO_CHALLENGE,
    V_NO_PROBE,
    V_OASIS,
    V_OPTION,
    V_PASS,
    V_PLACE,
    V_PORT,
    V_PROBE,
    V_REBUILD,
    V_REDEPLOY,
    V_REFIT,
    V_REGROUP,
    V_RESOLVE,
    V_ROLLED,
    V_ROUT,
    V_SHIP,
    V_SPENT,
    V_STAND,
    V_SUPPLY,
    V_TO,
)
from ..table.state import State
from ..table.throws import so_many_dice

if TYPE_CHECKING:
    from ..game import Rommel

U, H, D = "unit", "hex", "via"

# Verb -> what its arguments are, and the sentence
LABELS: dict[int, tuple[tuple[str, ...], str]] = {
    V_PLACE: ((U, H), "Place {0} at {1}"),
    V_ACCEPT: ((), "Accept the printed set-up for the rest"),
    V_CHALLENGE: (("card",), "Challenge with a {0} card"),
    V_NO_CHALLENGE: ((), "Do not challenge"),
    V_ANSWER: (("card",), "Answer with a {0} card"),
    V_NO_ANSWER: ((), "Do not answer"),
    V_SUPPLY: ((U,), "Fortress supply for {0}"),
    V_OASIS: ((U,), "Oasis supply for {0}"),
    V_ASSIGNED: ((), "Assign no more"),
    V_PASS: ((), "Pass"),
    V_REGROUP: ((H, "rommel"), "Regroup around {0}{1}"),
    V_GROUP: ((H, "rommel"), "Move the group at {0}{1}"),
    V_GATHER: ((H,), "Gather at {0}"),
    V_MOVE: ((U,), "Move {0}"),
    V_TO: ((H, D), "To {0}{1}"),
    V_EXIT: ((H,), "Leave the map at {0}"),
    V_JOIN: ((U, D), "{0} joins{1}"),
    V_ROUT: ((H,), "Rout the disrupted enemy at {0} now"),
    V_END_MOVE: ((), "End this move"),
    V_ABANDON: ((), "Give the withdrawal up"),
    V_END_MOVES: ((), "End movement"),
    V_MARCH: ((U, H, D), "Forced march of {0} to {1}{2}"),
    V_MARCHES: ((), "No more forced marches"),
    V_PROBE: ((H,), "Probe at {0}"),
    V_NO_PROBE: ((H,), "Let them go from {0}"),
    V_STAND: ((H,), "Stand at {0}"),
    V_AVOID: ((H,), "Avoid battle at {0}"),
    V_FIGHT: ((H,), "Fight at {0}"),
    V_ASSAULT: ((H,), "Assault at {0}"),
    V_DECLARED: ((), "Battles declared"),
    V_RESOLVE: ((H,), "Resolve the battle at {0}"),
    V_FIRE: ((U, "class"), "{0} fires at {1}"),
    V_LOSE: ((U,), "{0} loses a step"),
    V_ARRIVE: ((U,), "{0} enters the battle in the base"),
    V_HOLD: ((U,), "Hold {0} back"),
    V_REDEPLOY: ((U,), "Redeploy {0}"),
    V_SHIP: ((U,), "Ship {0}"),
    V_PORT: ((H,), "To the port of {0}"),
    V_REFIT: ((U,), "Send {0} to refit"),
    V_REBUILD: ((U,), "Rebuild a step of {0}"),
    V_MINE: ((H,), "Lay a minefield at {0}"),
    V_LIFT: ((H, H), "Lift the minefields at {0} and {1}"),
    V_BUY: ((), "Buy an extra supply card"),
    V_SPENT: ((), "Spend no more"),
    V_GIVE: (("card",), "Give up a {0} card"),
    V_KEEP: ((), "Keep the rest"),
    V_ROLLED: (("number",), "Rolled {0}"),
    V_HITS: (("hits",), "{0}"),
    V_DEALT: (("real cards",), "{0}"),
}


def label(game: Rommel, s: State, action: Action) -> str:
    """An action as a player would say it."""
    if action[0] == V_OPTION:
        _, option, dummies = action
        extra = f" with {dummies} dummies" if dummies > 1 else " with a dummy" if dummies else ""
        return f"{OPTIONS[option].capitalize()}{extra}"
    kinds, sentence = LABELS[action[0]]
    return sentence.format(*(_argument(s.board, k, v) for k, v in zip(kinds, action[1:], strict=True)))


def _argument(board: Board, kind: str, value: int) -> str:
    if kind == U:
        return board.unit_names[value]
    if kind == H:
        return f"{board.hex_name(value)} ({board.grid.names[value]})"
    if kind == D:
        return "" if value == NO_DIR else f" by the {DIRS[value]} side"
    if kind == "class":
        return CLASSES[value]
    if kind == "card":
        return CARDS[value]
    if kind == "rommel":
        return ", led by Rommel" if value else ""
    if kind in ("hits", "real cards"):
        return count(value, kind.removesuffix("s"))
    return str(value)


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
