"""Fights of the rule tests: an attack gathered unit by unit, and its odds panel read like a player reads it."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Event, Odds, Term
from sandtable.games.caucasus.table.ids import F_COMBAT, F_MOVES
from sandtable.games.caucasus.table.state import State

from .kit import GAME, H, U, board, do, empty, place, roll, start, texts, units

TARGET = "1333"
"""A clear hex with no river on any side; 1233, 1234, 1334, 1433, 1434 beside it are clear too."""

AXIS, SOVIET = 0, 1

# Positions with a known column (all in the open): who attacks from 1234, who stands in 1333.
ONE_TO_ONE = ["GE-73"]  # 5:5: A1 A1 A1 EX A1/DR DR
FOUR_TO_ONE = ["GE-13Pz"]  # 10:5, armour, TQ: EX DR DR A1/D1 D1 D1
FIVE_TO_ONE = ["GE-13Pz", "GE-73"]  # 15:5, armour, TQ: DR DR A1/D1 D1 D1 A1/D2
SIX_TO_ONE = ["GE-13Pz", "GE-23Pz"]  # 20:5, armour, TQ: A1/D1 DR D1 D1 D1 D1-B


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
        if not s.fight.attackers & units(name):  # a unit that is alone has joined by itself
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


def shows(s: State, unit: str) -> int:
    return s.step[U(unit)]


def retreat(s: State) -> None:
    """The Soviet player gives way, by the first hexes that he may choose."""
    if "yield" in texts(s):
        do(s, "yield")
    while GAME.to_act(s) == SOVIET:
        do(s, texts(s)[0])


def away(s: State, unit: str) -> int:
    """How far from 1333 a unit is."""
    return board.grid.distance(s.at[U(unit)], H("1333"))


def may_advance(s: State) -> bool:
    return any(text.startswith("advance") for text in texts(s))


def odds_of(s: State, action: str) -> Odds:
    odds = GAME.odds(s, GAME.parse(action))
    assert odds is not None
    return odds
