"""9.5 Applying losses: who of those aimed at takes the hits.

Hits on a class are pooled while the enemy fires and allotted by their owner when his fire is over:
the same as allotting them as they fall and shifting them until then (9.5f, A34). The pool counts
half hits (A51): 2 take one CV, 4 take one step of an elite unit (9.5c, 9.52c).
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.phases import Each, Phase

from ..table import verbs
from ..table.board import units_of
from ..table.ids import CLASSES, F_LOSSES
from ..table.state import State, eliminate, emit, lose_step
from ..table.steps import LossesAt
from .disruption import battle_line

PURSUED = len(CLASSES)
"""Stands for a class: the units under pursuit, whose class does not matter (10.5f)."""

POOL_OF = (0, 1, 2, 3, 0)
"""Where the hits on a class are counted; pursuit counts its own when no other fire is under way."""


def aimed_at(s: State, h: Hex, side: int, cls: int) -> int:
    """The units that may take hits on a class: undisrupted ones in the battle (11.1d), or those pursued."""
    if cls == PURSUED:
        return s.retreating & s.board.of_side[side]
    return battle_line(s, h, side) & s.board.of_class[cls]


def strength(s: State, units: int) -> int:
    """The CV of some units together: the hits that eliminate them all (an elite step is 2 CV, 2.4b)."""
    cv = s.cv
    total = 0
    while units:
        low = units & -units
        total += cv[low.bit_length() - 1]
        units ^= low
    return total


def may_lose(s: State, units: int, halves: int) -> int:
    """9.5d which of the units may take the next step of loss without a hit being wasted needlessly.

    Only an odd hit can be wasted, and only where nobody loses single CVs; so the last such CV must be
    kept for the odd hit: with an even number of hits left it would waste one.
    """
    hits = halves >> 1
    if not hits:
        return 0
    elite = units & s.board.elite
    ordinary = units & ~elite
    if hits == 1:  # 9.5c one hit alone does not reduce an elite unit
        return ordinary
    if elite and not hits & 1 and strength(s, ordinary) == 1:
        return elite
    return units


def wipe_out(s: State, units: int, rule: str) -> None:
    """9.5g the hits suffice for every unit that they could fall on."""
    for u in units_of(units):
        eliminate(s, u, rule)


def allot(s: State, h: Hex, side: int, cls: int) -> None:
    """9.5 apply the hits on a class as far as there is nothing to choose, then ask their owner.

    An owner of hidden units is asked even if the rules leave him one choice: not to be asked would
    tell the enemy what they are. What is left over at the end is lost (9.5e, 9.52d).
    """
    pool = POOL_OF[cls]
    rule = "10.5g" if cls == PURSUED else "9.5b"
    while True:
        units = aimed_at(s, h, side, cls)
        halves = s.hits[pool]
        if units and halves >= 2 * strength(s, units):
            wipe_out(s, units, rule)
            halves = 0
        able = may_lose(s, units, halves) if halves else 0
        if not able:
            break
        only = not able & (able - 1)
        if not (only and (able == units or not units & ~s.revealed)):
            s.stack.append(LossesAt(F_LOSSES, h, side, cls))
            return
        _take_step(s, able.bit_length() - 1, pool, rule)
    if halves:
        emit(s, "hits_wasted", "9.5e", {"hex": h, "side": side, "halves": halves})
    s.hits[pool] = 0


def _take_step(s: State, u: int, pool: int, rule: str) -> None:
    s.hits[pool] -= 2 * s.board.step_cv[u]
    lose_step(s, u, rule)


def why_spared(s: State, f: LossesAt, u: int) -> Reason:
    if s.board.elite >> u & 1:
        return Reason("9.5c", Text("{unit} is elite: one hit alone does not reduce it", unit=u))
    text = Text("a hit would be wasted: if {unit} takes this one, the last cannot be used", unit=u)
    return Reason("9.5d", text)


LOSING: Bars[State, LossesAt] = Bars(
    Need("9.5b", "{unit} is not yours: you choose who of your own units is hit", lambda s, f: s.board.of_side[f.side]),
    Need(
        "10.5g",
        "{unit} is not one of the retreating units",
        lambda s, f: s.retreating if f.cls == PURSUED else ALL,
    ),
    Need("9.5b", "{unit} is not in the battle in {hex}", lambda s, f: ALL if f.cls == PURSUED else s.here[f.hex]),
    Bar(
        "11.1d",
        "{unit} is disrupted and cannot be given hits in battle",
        lambda s, f: 0 if f.cls == PURSUED else s.disrupted,
    ),
    Bar(
        "10.4d",
        "{unit} is leaving: the rearguard takes the hits",
        lambda s, f: 0 if f.cls == PURSUED else s.retreating,
    ),
    Need(
        "9.2d",
        lambda s, f, u: Text("{unit} is not {cls}: the hits fall on that class", unit=u, cls=f.cls),
        lambda s, f: ALL if f.cls == PURSUED else s.board.of_class[f.cls],
    ),
    Need(
        "9.5d",
        why_spared,
        lambda s, f: may_lose(s, aimed_at(s, f.hex, f.side, f.cls), s.hits[POOL_OF[f.cls]]),
    ),
)


def lose(s: State, f: LossesAt, u: int) -> None:
    s.stack.pop()
    _take_step(s, u, POOL_OF[f.cls], "10.5g" if f.cls == PURSUED else "9.5b")
    allot(s, f.hex, f.side, f.cls)


def so_many_hits(halves: int) -> Text:
    """Hits as a player counts them, in halves."""
    if halves & 1:
        return Text("{n} and a half hits", n=halves // 2)
    return Text.many(halves // 2, "{n} hit", "{n} hits")


class Losses(Phase[State, LossesAt, LossesAt]):
    """9.5b, 10.5g The owner chooses which unit loses the next step."""

    at = LossesAt
    does = (Each(verbs.LOSE, bars=LOSING, facts=lambda s, f: {"hex": f.hex}, take=lose),)

    def actor(self, s: State, f: LossesAt) -> int | None:
        return f.side

    def prompt(self, s: State, f: LossesAt) -> Prompt:
        hits = so_many_hits(s.hits[POOL_OF[f.cls]])
        if f.cls == PURSUED:
            text = Text("{hits} on the units leaving {hex}", hits=hits, hex=f.hex)
            return Prompt("Take pursuit losses", text, ("10.5g", "9.5b"), "pursuit")
        text = Text("{hits} on your {cls} in {hex}", hits=hits, cls=f.cls, hex=f.hex)
        return Prompt("Take losses", text, ("9.5b", "9.5d"), "combat")


FRAMES: dict[int, Frame[State, Any]] = {F_LOSSES: Losses()}
