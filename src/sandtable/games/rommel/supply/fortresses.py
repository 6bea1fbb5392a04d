"""13 Fortresses: control, fortress supply, capture and siege. Combat in a fortress (13.2) is in combat.py."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy

from ..table import verbs
from ..table.board import units_of
from ..table.ids import BUILDUP, F_FORTRESS, FINAL, INITIAL
from ..table.state import State, emit, in_sight
from ..table.steps import FortressAt
from .supply import is_isolated, units_in_hexes, unsupplied_units
from .supply_lines import is_cut_off, trace

__all__ = ["FRAMES", "besieged", "candidates", "captures", "is_isolated"]

PHASES = {INITIAL: "supply", FINAL: "supply", BUILDUP: "buildup"}

# 13.3 Fortress supply


def candidates(s: State, side: int, f: int) -> int:
    """13.3b, 13.3g, A53 The units that could be given supply by this isolated fortress, as a unit mask.

    1.7c: it is for units that have no supply otherwise. 12.5f: raiders cut off share nothing in their hex.
    """
    without = unsupplied_units(s, side) & ~s.fort_supply
    if not without:
        return 0
    within = units_in_hexes(s, side, trace(s, side, s.board.fortresses[f])) & without
    return sum(1 << u for u in units_of(within) if not is_cut_off(s, u)) if s.raiders & within else within


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


class FortressSupply(Frame[State, FortressAt]):
    """13.3e Who gets the supply of an isolated fortress.

    In the initial check the owner may keep capacity back for the final check (13.3l, A5), so he is asked,
    unless there is enough for every unit of his that has no supply. In the final and the Buildup check
    keeping it back could only harm him: he is asked only when some of equal rank must go without.
    """

    at = FortressAt

    def actor(self, s: State, f: FortressAt) -> int | None:
        _, side, _, fortress, left = f
        units = candidates(s, side, fortress) if left > 0 else 0
        return side if units and not self._given(s, f, units) else None

    def _given(self, s: State, f: FortressAt, units: int) -> int:
        """The units that get supply without a question."""
        _, side, moment, fortress, left = f
        if moment == INITIAL:
            wanting = unsupplied_units(s, side) & ~s.fort_supply
            return units if wanting.bit_count() <= left else 0
        first = first_in_line(s, units, s.board.fortresses[fortress])
        return first if first.bit_count() <= left else 0

    def run(self, s: State, f: FortressAt) -> None:
        _, side, moment, fortress, left = f
        units = candidates(s, side, fortress) if left > 0 else 0
        if not units:
            s.stack.pop()
            return
        given = self._given(s, f, units)
        assign(s, side, fortress, given)
        s.stack[-1] = FortressAt(F_FORTRESS, side, moment, fortress, left - given.bit_count())

    def legal(self, s: State, f: FortressAt) -> list[Action]:
        _, side, moment, fortress, _ = f
        first = first_in_line(s, candidates(s, side, fortress), s.board.fortresses[fortress])
        actions: list[Action] = [(verbs.SUPPLY, u) for u in units_of(first)]
        if moment == INITIAL:
            actions.append((verbs.ASSIGNED,))
        return actions

    def take(self, s: State, f: FortressAt, action: Action) -> None:
        _, side, moment, fortress, left = f
        if action[0] == verbs.ASSIGNED:
            s.stack.pop()
            return
        assign(s, side, fortress, 1 << action[1])
        s.stack[-1] = FortressAt(F_FORTRESS, side, moment, fortress, left - 1)

    def prompt(self, s: State, f: FortressAt) -> Prompt:
        _, _, moment, fortress, left = f
        name = s.board.fortress_names[fortress]
        share = "one more unit" if left == 1 else f"{left} more units"
        text = f"{name} is isolated and can supply {share}: the garrison first, then the nearest units."
        if moment == INITIAL:
            text += " What you keep back can be given at the final supply check."
            return Prompt(f"Fortress supply in {name}", text, ("13.3e", "13.3f", "13.3g", "13.3l"), "supply")
        text += " Choose among those of equal rank."
        rules = ("13.3l", "13.3g") if moment == FINAL else ("12.7k", "13.3g")
        return Prompt(f"Fortress supply in {name}", text, rules, PHASES[moment])

    def why_not(self, s: State, f: FortressAt, action: Action) -> Reason | None:
        _, side, _, fortress, _ = f
        board = s.board
        name = board.fortress_names[fortress]
        inside = board.fortresses[fortress]
        if action[0] == verbs.ASSIGNED:
            return Reason("13.3l", f"{name} still has supply to give and units in need of it: choose one")
        if action[0] != verbs.SUPPLY:
            return None
        u = action[1]
        unit = board.unit_names[u]
        h = s.at[u]
        if board.side[u] != side:
            return Reason("13.0b", f"{unit} is not yours: {name} supplies only the side that holds it")
        if h < 0:
            return Reason("13.3g", f"{unit} is not on the map")
        if s.fort_supply >> u & 1:
            return Reason("13.3i", f"{unit} already draws on a fortress in this turn")
        if not unsupplied_units(s, side) >> u & 1:
            return Reason("13.3a", f"{unit} is in supply without the fortress")
        if is_cut_off(s, u):
            return Reason("12.5f", f"{unit} is a raider, cut off from the supply of its friends in the hex")
        waiting = candidates(s, side, fortress)
        if not waiting >> u & 1:
            return Reason("13.3g", f"{unit} cannot trace a supply line to {name}")
        if s.here[inside] & waiting:
            return Reason("13.3f", f"units inside {name} come first")
        return Reason("13.3g", f"units nearer to {name} than {unit} come first")


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
