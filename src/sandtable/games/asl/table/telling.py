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


NOBODY = -1
"""In events: one who lies under a "?", for those who may not know him."""
UNTOLD = frozenset(("deployed", "recombined", "transferred"))
"""What happens beneath a "?" and shows nothing."""


def veiled(s: State, u: int) -> bool:
    """A12.1, A12.3 whether a piece lies under a "?" or is hidden, or is in the hands of one who does."""
    under = s.concealed | s.hip
    return bool(under >> u & 1) or (s.holder[u] >= 0 and bool(under >> s.holder[u] & 1))


def emit(s: State, kind: str, rule: str, data: dict[str, Any], final: bool = False) -> None:
    """Tell everybody; whom a "?" hides is named to his own side alone."""
    if s.edition > 6 and s.concealed | s.hip:
        found = [u for u in named(data) if veiled(s, u)]
        if found:
            emit_veiled(s, kind, rule, data, final, found)
            return
    telling.emit(s, kind, rule, _placed(s, data), final)


def named(data: dict[str, Any]) -> list[int]:
    """The pieces that an event names."""
    found: list[int] = []
    for key, value in data.items():
        if key in UNIT_KEYS and value is not None and value >= 0:
            found.append(value)
        elif key in UNITS_KEYS:
            found += value
    return found


def emit_veiled(s: State, kind: str, rule: str, data: dict[str, Any], final: bool, those: list[int]) -> None:
    """A12.1 the enemy learns that it happens, and of those under a "?" no more than that they are there."""
    side = s.stage.roster.side
    owner = side[s.holder[those[0]] if s.holder[those[0]] >= 0 else those[0]]
    whole = _placed(s, data)
    known: dict[str, Any] = {}
    for key, value in whole.items():
        if key in UNIT_KEYS and value in those:
            known[key] = NOBODY
        elif key in UNITS_KEYS:
            known[key] = [u for u in value if u not in those]
            known["hidden"] = len(value) - len(known[key])
        elif key == AS:
            known[key] = {u: what for u, what in value.items() if u not in those}
        elif key != INTO:
            known[key] = value
    secret = {**whole, **({"hidden": 0} if "hidden" in known else {})}
    s.events.append(Event(kind, rule, known, owner, secret, kind in UNTOLD, final))


def tell(s: State, kind: str, rule: str, units: int, side: int, data: dict[str, Any], final: bool = False) -> None:
    """Something that units of a side did: everybody learns which, unless a "?" lies on them."""
    names = list(units_of(units))
    under = s.concealed
    if s.edition > 6:  # the weapons of those under a "?" too
        under = sum(1 << u for u in names if veiled(s, u))
    if not units & under:
        emit(s, kind, rule, {"units": names, "side": side, **data}, final)
        return
    seen = list(units_of(units & ~under))
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
