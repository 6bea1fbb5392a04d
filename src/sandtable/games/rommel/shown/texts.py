"""Events in the words of a calm staff officer. A side that does not know a block is told of "an Axis block"."""

from __future__ import annotations

from typing import Any

from sandtable.engine.texts.text import Said, Text
from sandtable.mechanics.shown.telling import Line

from ..table.throws import so_many_dice

Words = dict[str, Any]

MONTH_WORDS = (
    "September 1940",
    "October 1940",
    "November 1940",
    "December 1940",
    "January 1941",
    "February 1941",
    "April 1941",
    "May 1941",
    "June 1941",
    "July 1941",
    "August 1941",
    "September 1941",
    "October 1941",
    "November 1941",
    "December 1941",
    "January 1942",
    "February 1942",
    "March 1942",
    "April 1942",
    "May 1942",
    "June 1942",
    "July 1942",
    "August 1942",
    "September 1942",
    "October 1942",
    "November 1942",
)
LENGTH_WORDS = ("2 months", "3 months", "6 months", "10 months", "20 months")
LEVEL_WORDS = ("strategic", "decisive", "positional", "marginal", "draw")


def who(w: Words) -> Said:
    """The block as this side knows it."""
    if "unit" in w:
        return str(w["unit"])
    side = w.get("side", "")
    return Text("An {side} block", side=side) if side[:1] in "AEIOU" else Text("A {side} block", side=side)


def blocks(w: Words, key: str = "count") -> Text:
    """So many blocks, and which they are if this side knows."""
    n, side = w.get(key, 0), w.get("side", "")
    if w.get("units"):
        return Text.many(n, "{n} {side} block ({units})", "{n} {side} blocks ({units})", side=side, units=w["units"])
    return Text.many(n, "{n} {side} block", "{n} {side} blocks", side=side)


def cards(w: Words) -> Text:
    return Text.many(w["cards"], "{n} card", "{n} cards")


def hits(w: Words) -> Text:
    return Text.many(w["hits"], "{n} hit", "{n} hits")


def by(w: Words, **more: Said) -> Words:
    """The facts of an event, with who it is about."""
    return {**w, "who": who(w), **more}


def _plays(w: Words) -> Text:
    if "option" in w:
        return Text.of(
            "{side} plays {cards} face down: {option}, {real} real and {dummy} dummy", {**w, "cards": cards(w)}
        )
    return Text.of("{side} plays {cards} face down", {**w, "cards": cards(w)})


def _challenges(w: Words) -> Text:
    if "card" in w:
        return Text.of("{side} challenges for the initiative with a {card} card", w)
    return Text.of("{side} challenges for the initiative", w)


def _group(w: Words) -> Text:
    if w.get("rommel"):
        return Text.of("{side} moves the group at {hex}, led by Rommel", w)
    return Text.of("{side} moves the group at {hex}", w)


def _regroup(w: Words) -> Text:
    if w.get("rommel"):
        return Text.of("{side} regroups around {hex}, led by Rommel", w)
    return Text.of("{side} regroups around {hex}", w)


def _marched(w: Words) -> Text:
    if w["success"]:
        return Text.of("{who} rolls {die}: the march succeeds", by(w))
    return Text.of("{who} rolls {die}: the march fails", by(w))


def _avoided(w: Words) -> Text:
    if w.get("count") == 1:
        return Text.of("{blocks} avoids battle at {hex}", {**w, "blocks": blocks(w)})
    return Text.of("{blocks} avoid battle at {hex}", {**w, "blocks": blocks(w)})


def _routed(w: Words) -> Text:
    if w.get("count") == 1:
        return Text.of("{blocks} routs at {hex}", {**w, "blocks": blocks(w)})
    return Text.of("{blocks} rout at {hex}", {**w, "blocks": blocks(w)})


def _round(w: Words) -> Text:
    if w.get("probe"):
        return Text.of("Probe at {hex}", w)
    return Text.of("Assault at {hex}", w) if w.get("assault") else Text.of("Battle at {hex}", w)


def _step(w: Words) -> Text:
    if "cv" in w:
        return Text.of("{who} loses a step, CV {cv} left", by(w))
    return Text.of("{who} loses a step", by(w))


def _early(w: Words) -> Text:
    if w["early"]:
        return Text.of("{unit} rolls {roll}: comes early", w)
    return Text.of("{unit} rolls {roll}: comes on time", w)


def _arrived_early(w: Words) -> Text:
    if w.get("blocks") == 1:
        return Text.of("{blocks} arrives early at {hex}", {**w, "blocks": blocks(w, "blocks")})
    return Text.of("{blocks} arrive early at {hex}", {**w, "blocks": blocks(w, "blocks")})


def _arrived(w: Words) -> Text:
    if w.get("blocks") == 1:
        return Text.of("{blocks} arrives at {hex}", {**w, "blocks": blocks(w, "blocks")})
    return Text.of("{blocks} arrive at {hex}", {**w, "blocks": blocks(w, "blocks")})


def _returned(w: Words) -> Text:
    if w.get("blocks") == 1:
        return Text.of("{blocks} returns from refit to {hex}", {**w, "blocks": blocks(w, "blocks")})
    return Text.of("{blocks} return from refit to {hex}", {**w, "blocks": blocks(w, "blocks")})


def _rebuilt(w: Words) -> Text:
    return Text.of("{who} is rebuilt to CV {cv}", by(w)) if "cv" in w else Text.of("{who} is rebuilt", by(w))


def _mine(w: Words) -> Text:
    if "hex" in w:
        return Text.of("{side} lays a minefield at {hex}", w)
    return Text.of("{side} lays a minefield", w)


def _lifted(w: Words) -> Text:
    if "hexes" in w:
        return Text.of("{side} lifts minefields at {hexes}", w)
    return Text.of("{side} lifts minefields", w)


def _given_up(w: Words) -> Text:
    if "card" in w:
        return Text.of("{side} gives up a {card} card", w)
    return Text.of("{side} gives up a card", w)


def _dealt(w: Words) -> Text:
    if "real" in w:
        return Text.of("{side} is dealt {cards}: {real} real, {dummy} dummy", {**w, "cards": cards(w)})
    return Text.of("{side} is dealt {cards}", {**w, "cards": cards(w)})


def _victory(w: Words) -> Text:
    points = Text.many(w["points"], "{n} victory point", "{n} victory points")
    if w["winner"]:
        return Text("{winner} wins: {level} ({points})", winner=w["winner"], level=w["level"], points=points)
    return Text("Nobody wins: {level} ({points})", level=w["level"], points=points)


LINES: dict[str, Line] = {
    "month": "{name} begins",
    "month_over": "Both have passed: {name} is over",
    "turn": "{side} player turn",
    "passed": "{side} passes",
    "cards_played": _plays,
    "cards_shown": "{side} shows {real} real and {dummy} dummy cards: {option}",
    "challenged": _challenges,
    "no_challenge": "{side} does not challenge",
    "challenge_cards": "Challenge card: {challenge}, answer: {answer}",
    "initiative": "{side} has the initiative",
    "group_move": _group,
    "regroup_move": _regroup,
    "gathering": "They gather at {to}",
    "moved": lambda w: Text.of("{who} moves from {from} to {to}", by(w)),
    "move_over": "The move is over",
    "withdrawal_abandoned": "{side} gives the withdrawal up",
    "exited": lambda w: Text.of("{who} leaves the map at {hex}", by(w)),
    "attacked": "{side} attacks {hex}",
    "leaving": lambda w: Text.of("{who} prepares to leave {hex}", by(w)),
    "full_retreat": "{side} retreats from {hex}",
    "partial_retreat": "{side} leaves a rearguard at {hex}",
    "probed": "{side} probes at {hex}",
    "no_probe": "{side} does not probe at {hex}",
    "march_declared": lambda w: Text.of("{who} is to force-march to {to}", by(w)),
    "marched": _marched,
    "raider": lambda w: Text.of("{who} is cut off as a raider at {hex}", by(w)),
    "revealed": "Revealed at {hex}: {units}",
    "stood": "{side} stands at {hex}",
    "avoided": _avoided,
    "pursuit": lambda w: Text.of(
        "Pursuit at {hex}: slowest speed {speed}, {dice}", {**w, "dice": so_many_dice(w["dice"])}
    ),
    "pursuit_fire": lambda w: Text.of("Pursuit fire at {hex}: {hits} of {dice}", {**w, "hits": hits(w)}),
    "retired": lambda w: Text.of("{who} withdraws from {from} to {to}", by(w)),
    "routed": _routed,
    "declared": "{side} will fight at {hexes}",
    "assaults": "{side} assaults {hexes}",
    "round": _round,
    "fired": lambda w: Text.of(
        "{unit} fires at {cls}, {dice}: {hits}", {**w, "dice": so_many_dice(w["dice"]), "hits": hits(w)}
    ),
    "hits_wasted": "Hits left over at {hex} are lost",
    "step_lost": _step,
    "eliminated": "{unit} is eliminated",
    "battle_over": "The battle at {hex} is over",
    "disclosed": "A minefield is disclosed at {hex}",
    "minefield_gone": "{side} has lifted the minefields at {hexes}",
    "disrupted": lambda w: Text.of("{who} disrupted at {hex}", by(w, who=blocks(w) if "count" in w else who(w))),
    "recovered": lambda w: Text.of("{blocks} recovered at {hex}", {**w, "blocks": blocks(w)}),
    "unsupplied": lambda w: Text.of("{blocks} out of supply at {hex}", {**w, "blocks": blocks(w)}),
    "resupplied": lambda w: Text.of("{blocks} in supply again at {hex}", {**w, "blocks": blocks(w)}),
    "fortress_supply": lambda w: Text.of("{who} draws supply from {fortress}", by(w)),
    "oasis_supply": lambda w: Text.of("{who} lives on the oasis of {hex}", by(w)),
    "captured": lambda w: Text.many(
        w["cards"],
        "{side} captures {fortress}: {n} bonus card to come",
        "{side} captures {fortress}: {n} bonus cards to come",
        side=w["side"],
        fortress=w["fortress"],
    ),
    "buildup": "Buildup of {name}",
    "buildup_roll": "{side} rolls {roll} for buildup points",
    "buildup_points": "Each side receives {points} points; {side} builds up first",
    "player_buildup": "{side} builds up",
    "points_lost": lambda w: Text.many(
        w["points"], "Lost over the limit: {n} point", "Lost over the limit: {n} points"
    ),
    "early_checks": lambda w: Text.many(
        w["blocks"],
        "{side} checks {n} reinforcement for early arrival",
        "{side} checks {n} reinforcements for early arrival",
        side=w["side"],
    ),
    "early_check": _early,
    "arrived_early": _arrived_early,
    "arrived": _arrived,
    "held": lambda w: Text.of("{who} is held back", by(w)),
    "returned": _returned,
    "redeployed": lambda w: Text.of("{who} redeploys from {from} to {to}", by(w)),
    "shipped": lambda w: Text.of("{who} sails from {from} to {to}", by(w)),
    "refit": lambda w: Text.of("{who} goes from {from} to refit", by(w)),
    "rebuilt": _rebuilt,
    "mine_laid": _mine,
    "mines_lifted": _lifted,
    "card_bought": "{side} buys an extra card",
    "spent": "{side} spends no more",
    "card_given_up": _given_up,
    "deck_formed": "The spent cards are shuffled into the deck",
    "resupply": lambda w: Text.of("{side} draws {cards}", {**w, "cards": cards(w)}),
    "dealt": _dealt,
    "placed": "{unit} is placed at {hex}",
    "set_up": "{side} has set up",
    "victory": _victory,
}
