"""13 Fortresses: control, fortress supply, capture and siege. Combat in a fortress (13.2) is in combat.py."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.masks import enemy
from sandtable.mechanics.phases import Each, Once, Phase

from ..table import verbs
from ..table.board import units_of
from ..table.ids import BUILDUP, F_FORTRESS, FINAL, INITIAL
from ..table.state import State, emit, in_sight
from ..table.steps import FortressAt
from .supply import is_isolated, units_in_hexes, unsupplied_units
from .supply_lines import cut_off_units, trace

__all__ = ["FRAMES", "besieged", "candidates", "captures", "is_isolated"]

PHASES = {INITIAL: "supply", FINAL: "supply", BUILDUP: "buildup"}

# 13.3 Fortress supply


def candidates(s: State, side: int, f: int) -> int:
    """13.3b, 13.3g, A53 The units that could be given supply by this isolated fortress, as a unit mask.

    1.7c: it is for units that have no supply otherwise. 12.5f: raiders cut off share nothing in their hex.
    """
    without = needy(s, side)
    if not without:
        return 0
    return units_in_hexes(s, side, trace(s, side, s.board.fortresses[f])) & without & ~cut_off_units(s, side)


def first_in_line(s: State, units: int, h: Hex) -> int:
    """13.3f, 13.3g Those of the units that come before the others: the garrison, then whoever is nearest.

    The distance is counted in hexes whatever the terrain; among equals the owner chooses (A53).
    """
    distance = s.board.grid.distance
    near = min((distance(s.at[u], h) for u in units_of(units)), default=0)
    return sum(1 << u for u in units_of(units) if distance(s.at[u], h) == near)


def assign(s: State, side: int, f: int, units: int) -> None:
    """13.3h Mark units as drawing on a fortress."""
    s.assigned[f] |= units
    s.fort_supply |= units
    for u in sorted(units_of(units), key=lambda u: in_sight(s, u)):
        emit(s, "fortress_supply", "13.3h", {"fortress": f, "side": side, "hex": s.at[u]}, side, {"unit": u})


class Fortress(NamedTuple):
    """A fortress whose supply is to be given: who could have it, who lacks it, and who comes first."""

    side: int
    hex: Hex
    needy: int
    units: int
    first: int
    may_keep: bool


def needy(s: State, side: int) -> int:
    """13.3a, 13.3i The units of a side that have no supply and draw on no fortress yet."""
    return unsupplied_units(s, side) & ~s.fort_supply


def who_first(s: State, now: Fortress, u: int) -> Reason:
    """13.3f, 13.3g Who comes before a unit."""
    if s.here[now.hex] & now.units:
        return Reason("13.3f", Text("units inside {hex} come first", hex=now.hex))
    return Reason("13.3g", Text("units nearer to {hex} than {unit} come first", hex=now.hex, unit=u))


FED: Bars[State, Fortress] = Bars(
    Need(
        "13.0b",
        "{unit} is not yours: {hex} supplies only the side that holds it",
        lambda s, now: s.board.of_side[now.side],
    ),
    Need("13.3g", "{unit} is not on the map", lambda s, now: s.placed),
    Bar("13.3i", "{unit} already draws on a fortress in this turn", lambda s, now: s.fort_supply),
    Need("13.3a", "{unit} is in supply without the fortress", lambda s, now: now.needy),
    Bar(
        "12.5f",
        "{unit} is a raider, cut off from the supply of its friends in the hex",
        lambda s, now: cut_off_units(s, now.side),
    ),
    Need("13.3g", "{unit} cannot trace a supply line to {hex}", lambda s, now: now.units),
    Need("13.3g", who_first, lambda s, now: now.first),
)


def feed(s: State, f: FortressAt, u: int) -> None:
    assign(s, f.side, f.fortress, 1 << u)
    s.stack[-1] = f._replace(left=f.left - 1)


def keep_the_rest(s: State, f: FortressAt) -> None:
    s.stack.pop()


def not_all_fed(s: State, now: Fortress) -> Reason | None:
    """13.3l Only at the initial check can supply be kept back."""
    if now.may_keep:
        return None
    return Reason("13.3l", Text("{hex} still has supply to give and units in need of it: choose one", hex=now.hex))


class FortressSupply(Phase[State, FortressAt, Fortress]):
    """13.3e Who gets the supply of an isolated fortress.

    In the initial check the owner may keep capacity back for the final check (13.3l, A5), so he is asked,
    unless there is enough for every unit of his that has no supply. In the final and the Buildup check
    keeping it back could only harm him: he is asked only when some of equal rank must go without.
    """

    at = FortressAt
    does = (
        Each(verbs.SUPPLY, bars=FED, facts=lambda s, now: {"hex": now.hex}, take=feed),
        Once(verbs.ASSIGNED, take=keep_the_rest, shut=not_all_fed),
    )

    def actor(self, s: State, f: FortressAt) -> int | None:
        units = candidates(s, f.side, f.fortress) if f.left > 0 else 0
        return f.side if units and not self._given(s, f, units) else None

    def _given(self, s: State, f: FortressAt, units: int) -> int:
        """The units that get supply without a question."""
        if f.moment == INITIAL:
            return units if needy(s, f.side).bit_count() <= f.left else 0
        first = first_in_line(s, units, s.board.fortresses[f.fortress])
        return first if first.bit_count() <= f.left else 0

    def run(self, s: State, f: FortressAt) -> None:
        units = candidates(s, f.side, f.fortress) if f.left > 0 else 0
        if not units:
            s.stack.pop()
            return
        given = self._given(s, f, units)
        assign(s, f.side, f.fortress, given)
        s.stack[-1] = f._replace(left=f.left - given.bit_count())

    def now(self, s: State, f: FortressAt) -> Fortress:
        h = s.board.fortresses[f.fortress]
        units = candidates(s, f.side, f.fortress)
        return Fortress(f.side, h, needy(s, f.side), units, first_in_line(s, units, h), f.moment == INITIAL)

    def prompt(self, s: State, f: FortressAt) -> Prompt:
        h = s.board.fortresses[f.fortress]
        title = Text("Fortress supply in {hex}", hex=h)
        if f.moment == INITIAL:
            text = Text.many(
                f.left,
                "{hex} is isolated and can supply one more unit: the garrison first, then the nearest units."
                " What you keep back can be given at the final supply check.",
                "{hex} is isolated and can supply {n} more units: the garrison first, then the nearest units."
                " What you keep back can be given at the final supply check.",
                hex=h,
            )
            return Prompt(title, text, ("13.3e", "13.3f", "13.3g", "13.3l"), "supply")
        text = Text.many(
            f.left,
            "{hex} is isolated and can supply one more unit: the garrison first, then the nearest units."
            " Choose among those of equal rank.",
            "{hex} is isolated and can supply {n} more units: the garrison first, then the nearest units."
            " Choose among those of equal rank.",
            hex=h,
        )
        rules = ("13.3l", "13.3g") if f.moment == FINAL else ("12.7k", "13.3g")
        return Prompt(title, text, rules, PHASES[f.moment])


# 13.4 Capture


def captures(s: State) -> None:
    """13.4a, 13.4c to 13.4e Who holds the fortresses at the end of a player turn, of either side (A52)."""
    board = s.board
    for f, h in enumerate(board.fortresses):
        owner = s.fort_owner[f]
        taker = enemy(owner)
        if not s.firm[taker] >> h & 1 or s.occ[owner] >> h & 1:
            continue
        s.fort_owner[f] = taker
        s.fort_supply &= ~s.assigned[f]  # what drew on it has lost its source
        s.assigned[f] = 0
        cards = 0 if s.captured[f] else board.bonus[f][taker]  # A52: the first capture of the month alone
        s.captured[f] = 1
        s.bonus[taker] += cards
        emit(s, "captured", "13.4a", {"fortress": f, "hex": h, "side": taker, "cards": cards})


# 13.5 Siege


def besieged(s: State, h: Hex, side: int) -> bool:
    """13.5a, A18 Whether enemies of this side stand beside a fortress or in it, disrupted or not.

    A26: only a fortress can be besieged, never a base.
    """
    board = s.board
    return h in board.fortresses and bool(board.siege_ring[board.fortresses.index(h)] & s.occ[enemy(side)])


FRAMES: dict[int, Frame[State, Any]] = {F_FORTRESS: FortressSupply()}
