"""5 Stacking."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.contract import Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.phases import Each, Elsewhere, Phase
from sandtable.mechanics.shown.telling import emit

from . import verbs
from .board import Board
from .frames import StackAt
from .ids import AFTER_MOVES, AFTER_STORM, F_OVERSTACK, PHASES, SOVIET
from .state import State, eliminate, units_in

# 5.1 The limit


def limit(s: State) -> int:
    """5.1a how many units of a side may be in one hex."""
    return int(s.board.pack.tables["limits"]["stacking"])


def free_kinds(s: State) -> tuple[int, ...]:
    """5.1b, A9 the kinds of which one unit a hex does not count, as unit masks."""
    return _free_kinds(s.board)


@remembered()
def _free_kinds(board: Board) -> tuple[int, ...]:
    return tuple(board.of_type.get(name, 0) for name in board.pack.tables["limits"]["free_stacking_each"])


def counted(s: State, h: Hex, units: int, with_corps: bool = False) -> int:
    """5.1 how many these units of one side count in this hex; `with_corps` as if the corps marker were there."""
    board = s.board
    count = units.bit_count()
    if units & board.white:
        for kind in free_kinds(s):  # 5.1b one of each kind counts nothing, A9 a second one counts
            if units & kind:
                count -= 1
    if (with_corps or h == s.corps) and units & board.of_side[SOVIET]:  # 5.1c, 15.7b up to three divisions count as one
        together = min((units & board.cavalry).bit_count(), CORPS_DIVISIONS)
        if together > 1:
            count -= together - 1
    return count


CORPS_DIVISIONS = 3  # 5.1c


def excess(s: State, h: Hex, side: int) -> int:
    """5.1 by how many units a side is over the limit in this hex; 0 if it is not."""
    units = units_in(s, h, side)
    if units.bit_count() <= 3:
        return 0
    return max(0, counted(s, h, units) - limit(s))


def full(s: State, h: Hex, u: int) -> bool:
    """Whether this unit, coming into this hex, would be over the limit."""
    units = units_in(s, h, s.board.side[u]) | 1 << u
    return units.bit_count() > 3 and counted(s, h, units) > limit(s)


# 5.2 When it counts


def overstacked(s: State, side: int, moment: int) -> Hex:
    """5.2b the first hex in which the limit is exceeded at this moment, -1 if there is none."""
    if moment == AFTER_STORM:  # at a mobile assault only the assaulting stack's hex is checked
        u = s.raid.bit_length() - 1
        return s.at[u] if u >= 0 and excess(s, s.at[u], side) else -1
    own = s.board.of_side[side]
    found = [h for h, units in s.here.items() if (units & own).bit_count() > 3 and excess(s, h, side)]
    return min(found) if found else -1


def droppable(s: State, h: Hex, side: int) -> int:
    """5.2c the units whose loss would help: not those that count nothing there."""
    units = units_in(s, h, side)
    count = counted(s, h, units)
    return sum(1 << u for u in units_of(units) if counted(s, h, units & ~(1 << u)) < count)


class Crowded(NamedTuple):
    """A hex with too many units of a side."""

    side: int
    hex: Hex


DROP: Bars[State, Crowded] = Bars(
    Need("5.2c", "{unit} is not yours", lambda s, now: s.board.of_side[now.side]),
    Need("5.2c", "{unit} is not in {hex}, where there are too many", lambda s, now: s.here[now.hex]),
    Need(
        "5.1b",
        "{unit} does not count for stacking there: its loss would not help",
        lambda s, now: droppable(s, now.hex, now.side),
    ),
)


def _drop(s: State, f: StackAt, u: int) -> None:
    emit(s, "overstacked", "5.2c", {"unit": u, "hex": s.at[u], "side": f.side})
    eliminate(s, u, "5.2c")  # A10 the whole unit


class Overstack(Phase[State, StackAt, Crowded]):
    """5.2c Too many units in a hex: the owner eliminates some."""

    at = StackAt
    does = (
        Each(
            verbs.DROP,
            of=lambda s, now: s.here[now.hex],
            bars=DROP,
            facts=lambda s, now: {"hex": now.hex},
            take=_drop,
        ),
        Elsewhere("5.2c", "first eliminate units until the stacking limit is met"),
    )

    def now(self, s: State, f: StackAt) -> Crowded:
        return Crowded(f.side, overstacked(s, f.side, f.moment))

    def actor(self, s: State, f: StackAt) -> int | None:
        return f.side if overstacked(s, f.side, f.moment) >= 0 else None

    def prompt(self, s: State, f: StackAt) -> Prompt:
        h = overstacked(s, f.side, f.moment)
        over = excess(s, h, f.side)
        text = Text("{hex} holds {over} too many (stacking is checked now): eliminate a unit", hex=h, over=over)
        if f.moment == AFTER_MOVES:
            sentence = term("{hex} holds {over} too many (end of the movement phase): eliminate a unit")
            text = Text(sentence, hex=h, over=over)
        return Prompt("Too many units in a hex", text, ("5.2c", "5.2b", "5.1a"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, StackAt]] = {F_OVERSTACK: Overstack()}
