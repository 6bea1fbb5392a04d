"""4 Stacking."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Each, Elsewhere, Phase
from sandtable.mechanics.shown.telling import emit

from .board import Board
from .frames import OverstackAt
from .ids import F_OVERSTACK, PHASES
from .position import eliminate, units_in
from .state import State
from .verbs import V_DROP, all_but

# 4.1 to 4.3 What counts


def limit(s: State) -> int:
    """4.1a the stacking points that one side may have in a hex."""
    return int(s.board.general["stacking_limit"])


def value(s: State, u: int) -> int:
    """4.2a the stacking value printed on the counter; a remnant's own where one stands in for a unit (10.4)."""
    return _values(s.board)[u][s.step[u]]


def points(s: State, units: int) -> int:
    """4.2, 4.3 the stacking points of these units of one side in one hex; 4.4.2 whatever their nations."""
    board, step = s.board, s.step
    values = _values(board)
    total = 0
    for u in units_of(units):
        total += values[u][step[u]]
    silhouettes = (units & board.silhouettes).bit_count()
    free = int(board.general["free_silhouettes_per_hex"])
    if silhouettes > free:  # 4.3a one is free, 4.3b each further one counts
        total += (silhouettes - free) * int(board.general["further_silhouette_stacking"])
    return total


def _values(board: Board) -> list[tuple[int, ...]]:
    """4.2c by unit and side that shows: nothing for non-combat units, ASUs and silhouettes (those go by 4.3)."""
    found: list[tuple[int, ...]] | None = board.kept.get("stacking")
    if found is None:
        counts = board.combat & ~board.asus & ~board.silhouettes
        remnants = {
            mark.partition(":")[2]: int(row["stacking"])
            for row in board.pack.units.values()
            for mark in row.parts("marks")
            if mark.startswith("remnant:")
        }
        found = board.kept["stacking"] = [
            (value, value, remnants.get(board.remnant[u], value)) if counts >> u & 1 else (0, 0, 0)
            for u, value in enumerate(board.stacking)
        ]
    return found


def counted(s: State, h: Hex, side: int) -> int:
    """4.4.1b, 12.1.4 the units of a hex that are judged: who has retreated in this Combat Phase, whoever's it is, has
    until the end of its owner's next Movement Phase."""
    return units_in(s, h, side) & ~s.retreated


def excess(s: State, h: Hex, side: int) -> int:
    """4.1a by how many points a side is over the limit in a hex; never in a box (6.2a)."""
    if s.board.box_mask >> h & 1:
        return 0
    units = counted(s, h, side)
    if units.bit_count() <= 2:  # two units are 4 points at most
        return 0
    return max(0, points(s, units) - limit(s))


def fits(s: State, h: Hex, units: int) -> bool:
    """Whether these units, coming into this hex, would keep the limit there."""
    board = s.board
    if board.box_mask >> h & 1 or not units:
        return True
    side = board.side[units_of(units)[0]]
    return points(s, units_in(s, h, side) | units) <= limit(s)


# 4.4 When it counts


def overstacked(s: State, side: int, h: Hex = -1) -> Hex:
    """4.4.1b the first hex in which this side is over the limit, -1 if there is none; or whether this one is."""
    if h >= 0:
        return h if excess(s, h, side) else -1
    own = s.board.of_side[side]
    found = [h for h, units in s.here.items() if (units & own).bit_count() > 2 and excess(s, h, side)]
    return min(found) if found else -1


def droppable(s: State, h: Hex, side: int) -> int:
    """4.4.1c the units whose loss would help: not those that count nothing there."""
    units = counted(s, h, side)
    total = points(s, units)
    return sum(1 << u for u in units_of(units) if points(s, units & ~(1 << u)) < total)


NO_HELP = term("{unit} does not count for stacking there: its loss would not help")


class Crowded(NamedTuple):
    """Which hex of whose units is too full."""

    hex: Hex
    side: int


DROPPING: Bars[State, Crowded] = Bars(
    Need("4.4.1c", "{unit} is not yours", lambda s, now: s.board.of_side[now.side]),
    Need("4.4.1c", "{unit} is not in {hex}, where there are too many", lambda s, now: s.here.get(now.hex, 0)),
    Bar("12.1.4", NO_HELP, lambda s, now: s.retreated & ~droppable(s, now.hex, now.side)),
    Bar("4.3a", NO_HELP, lambda s, now: s.board.silhouettes & ~droppable(s, now.hex, now.side)),
    Need("4.2b", NO_HELP, lambda s, now: droppable(s, now.hex, now.side)),
)
"""4.4.1c whose loss helps where there are too many."""


def drop(s: State, f: OverstackAt, u: int) -> None:
    """4.4.1c a unit is given up."""
    emit(s, "overstacked", "4.4.1c", {"unit": u, "hex": s.at[u], "side": f.side})
    eliminate(s, u, "4.4.1c")


class Overstack(Phase[State, OverstackAt, Crowded]):
    """4.4.1c Too many units in a hex: the phasing player eliminates some.

    Frame: side, and the one hex that is looked at (none or -1: all hexes of the map). Pushed at the end of the
    Movement Phase and of the Combat Phase, and for the attackers' hexes at a breakthrough or an Auto DS (4.4.1b).
    """

    at = OverstackAt
    does = (
        Each(
            V_DROP,
            of=lambda s, now: droppable(s, now.hex, now.side),
            bars=DROPPING,
            take=drop,
            facts=lambda s, now: {"hex": now.hex},
        ),
        Elsewhere("4.4.1c", "first eliminate units until the stacking limit is met", *all_but(V_DROP)),
    )

    def now(self, s: State, f: OverstackAt) -> Crowded:
        return Crowded(self.where(s, f), f.side)

    def actor(self, s: State, f: OverstackAt) -> int | None:
        return f.side if self.where(s, f) >= 0 else None

    def where(self, s: State, f: OverstackAt) -> Hex:
        return overstacked(s, f.side, f.hex)

    def prompt(self, s: State, f: OverstackAt) -> Prompt:
        h = self.where(s, f)
        one = term("{hex} is 1 stacking point over the limit: eliminate a unit")
        many = term("{hex} is {n} stacking points over the limit: eliminate a unit")
        text = Text.many(excess(s, h, f.side), one, many, hex=h)
        return Prompt("Too many units in a hex", text, ("4.4.1c", "4.4.1b", "4.1a"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_OVERSTACK: Overstack()}
