"""Fights of the rule tests: an attack gathered unit by unit, and its odds panel read like a player reads it."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Event, Odds, Term
from sandtable.games.caucasus.ids import F_COMBAT, F_MOVES
from sandtable.games.caucasus.state import State

from .kit import GAME, do, empty, place, roll, start, texts, units

__all__ = ["attack", "combat", "field", "fight", "panel", "reads", "resolve", "shifts", "term"]

TARGET = "1333"
"""A clear hex with no river on any side; 1233, 1234, 1334, 1433, 1434 beside it are clear too."""


def combat(active: str = "axis", turn: int = 5, second: bool = False) -> State:
    """A combat phase on an empty map, without support markers, before anybody is placed."""
    s = empty(active, turn, f"{active}_{'second' if second else 'first'}_combat")
    s.air = 0
    return s


def field(attackers: str | Sequence[str], defenders: str | Sequence[str], shows: str = "full") -> State:
    """Axis attackers in 1234 against Soviet defenders in 1333, both in the open."""
    s = combat()
    place(s, attackers, "1234")
    place(s, defenders, TARGET, shows=shows)
    return s


def attack(s: State, target: str, *joins: str) -> None:
    """Attack a hex with these units; with none, with everybody who can (the Brandenburg unit fights)."""
    if not s.stack:
        start(s, (F_MOVES, 0), (F_COMBAT, s.second))  # what lies below does not matter
    do(s, f"attack {target}")
    for name in joins:
        if not s.attackers & units(name):  # a unit that is alone has joined by itself
            do(s, f"join {name}")
    while not joins and any(text.startswith("join") for text in texts(s)):
        do(s, next(text for text in texts(s) if text.startswith("join")))


def panel(s: State, target: str, *joins: str) -> Odds:
    """The odds panel of `commit`."""
    attack(s, target, *joins)
    odds = GAME.odds(s, GAME.parse("commit"))
    assert odds is not None
    return odds


def fight(s: State, target: str, *joins: str) -> list[Event]:
    """Attack and commit; no support if it is asked for."""
    attack(s, target, *joins)
    events = do(s, "commit")
    if "support none" in texts(s):
        events += do(s, "support none")
    return events


def resolve(s: State, die: int, target: str, *joins: str) -> list[Event]:
    """The same with the die."""
    return fight(s, target, *joins) + roll(s, die)


def term(odds: Odds, words: str) -> Term:
    """The one line of a panel with these words."""
    found = [t for t in odds.terms if words in t.text]
    assert len(found) == 1, odds.terms
    return found[0]


def reads(odds: Odds) -> tuple[int, int, str, str]:
    """Attack strength, defence strength, odds before shifts and final column, as the panel prints them."""
    base = next(i for i, t in enumerate(odds.terms) if "rounded" in t.text)
    return (
        int(term(odds, "attack strength").value),
        int(term(odds, "defence strength").value),
        odds.terms[base].value,
        odds.terms[-1].value,
    )


def shifts(odds: Odds) -> dict[str, int]:
    """The shifts that are on, by rule."""
    assert odds.ladder is not None
    return {one.rule: one.value for one in odds.ladder.shifts if one.on}
