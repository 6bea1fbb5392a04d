"""Telling what happens: hexes by the numbers that actions have, and what a "?" hides to its owner alone (A12.1);
the table as one side knows it, from which odds and announcements are worked out so that they tell nothing more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.engine.contract import Event
from sandtable.engine.texts.words import HEX_KEYS, HEXES_KEYS
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.shown import telling

from .ids import GONE
from .state import State, put

UNIT_KEYS = frozenset(("unit", "other", "weapon"))
UNITS_KEYS = frozenset(("units", "attackers"))
AS = "as"
"""In events: unit -> what it was when it was told of, for those who are not called as when the game began."""
INTO = "into"
"""In events: what somebody has become."""


def _placed(s: State, data: dict[str, Any]) -> dict[str, Any]:
    """The same facts with the numbers of hexes that mean the same in every scenario, and what those spoken of are."""
    out, found = s.stage.out, dict(data)
    kinds: dict[int, int] = {}
    for key, value in data.items():
        if key in HEX_KEYS:
            found[key] = out.get(value, -1)
        elif key in HEXES_KEYS:
            found[key] = [out.get(h, -1) for h in value]
        elif key in UNIT_KEYS:
            kinds |= what_they_are(s, (value,) if value is not None else ())
        elif key in UNITS_KEYS:
            kinds |= what_they_are(s, value)
    if kinds:
        found[AS] = {**kinds, **data.get(AS, {})}
    return found


def what_they_are(s: State, units: Iterable[int]) -> dict[int, int]:
    """The types of those units that are not called as when the game began."""
    types, plain = s.type, s.stage.roster.plain
    return {u: types[u] for u in units if u >= 0 and types[u] != plain[u]}


def emit(s: State, kind: str, rule: str, data: dict[str, Any], final: bool = False) -> None:
    """Tell everybody."""
    telling.emit(s, kind, rule, _placed(s, data), final)


def tell(s: State, kind: str, rule: str, units: int, side: int, data: dict[str, Any], final: bool = False) -> None:
    """Something that units of a side did: everybody learns which, unless a "?" lies on them."""
    names = list(units_of(units))
    if not units & s.concealed:
        emit(s, kind, rule, {"units": names, "side": side, **data}, final)
        return
    seen = list(units_of(units & ~s.concealed))
    facts = _placed(s, {"units": seen, "hidden": len(names) - len(seen), "side": side, **data})
    own = {"units": names, "hidden": 0}
    kinds = {**facts.get(AS, {}), **what_they_are(s, names)}
    s.events.append(Event(kind, rule, facts, side, {**own, AS: kinds} if kinds else own, False, final))


def known_to(s: State, side: int) -> State:
    """A12.1, A12.3 the same table without what a side does not know of the enemy: who is hidden is not there, and of
    those under a "?" nobody can say who mans a Gun, nor whether it is Emplaced."""
    roster = s.stage.roster
    foes = roster.of_side[1 - side]
    veiled = (s.concealed | s.hip) & foes
    if not veiled & (roster.guns | s.hip):
        return s
    known = s.copy()
    known.emplaced &= ~veiled
    for gun in units_of(roster.guns & veiled):
        known.holder[gun] = -1
    for u in units_of(s.hip & foes):
        put(known, u, GONE)
    return known


def uncover(s: State) -> int:
    """A12.3 whoever has lost his "?" is hidden no longer; works are hidden without one. Who it is."""
    found = s.hip & ~(s.concealed | s.stage.roster.works)
    s.hip &= ~found
    return found
