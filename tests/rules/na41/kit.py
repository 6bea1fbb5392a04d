"""Positions for the rule tests, built by hand and played through the real game."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Illegal
from sandtable.games.na41.game import GAME
from sandtable.games.na41.table.board import Board
from sandtable.games.na41.table.ids import BOXES, PHASES, SHOWS, SIDES
from sandtable.games.na41.table.position import add_sp, put, recount, touch
from sandtable.games.na41.table.state import State

from ..desk import Desk, kinds, of_kind

__all__ = [
    "GAME",
    "H",
    "Illegal",
    "U",
    "at",
    "board",
    "controlled_by",
    "do",
    "empty",
    "hexes",
    "kinds",
    "mask",
    "names",
    "new",
    "of_kind",
    "place",
    "roll",
    "side_of",
    "start",
    "supplies",
    "texts",
    "units",
    "why",
]

board: Board = GAME.board
_desk = Desk(GAME, board, SIDES, BOXES)

H = _desk.hex
U = _desk.unit
mask = _desk.mask
units = _desk.units
hexes = _desk.hexes
names = _desk.names
side_of = _desk.side_of
start = _desk.start
do = _desk.do
roll = _desk.roll
texts = _desk.texts
why = _desk.why
at = _desk.at


def new(scenario: str = "s1_enter_rommel", **options: bool) -> State:
    """A real scenario at its first decision."""
    return GAME.new(scenario, options)


def empty(
    active: str = "axis",
    phase: str = "movement",
    turn: int = 4,
    impulse: int = 2,
    scenario: str = "s2_campaign",
    **options: bool,
) -> State:
    """An empty map, nobody's counters placed; the Axis controls El Agheila alone, all ports are whole."""
    from sandtable.games.na41.table.scenarios import option_bits

    s = State(board, scenario=scenario)
    s.flags = option_bits(options)
    s.turn = turn
    s.impulse = impulse
    s.active = s.actor = side_of(active)
    s.phase = PHASES.index(phase)
    s.control = s.control_before = mask("1604")
    return s


def place(
    s: State,
    unit: str | Sequence[str],
    hex_: str,
    shows: str = "full",
    *,
    disrupted: bool = False,
    routed: bool = False,
    oos: bool = False,
    isolated: bool = False,
    depleted: bool = False,
    msu: bool = False,
) -> None:
    """Put a counter (or several) into a place, at full strength and in Good Order unless said otherwise."""
    for name in [unit] if isinstance(unit, str) else unit:
        u = U(name)
        b = 1 << u
        s.step[u] = SHOWS.index(shows)
        s.disrupted |= b if disrupted else 0
        s.routed |= b if routed else 0
        s.oos |= b if oos or isolated else 0
        s.isolated |= b if isolated else 0
        s.depleted |= b if depleted else 0
        s.msu |= b if msu else 0
        put(s, u, H(hex_))
        recount(s, H(hex_))
    touch(s)


def supplies(s: State, side: str, hex_: str, count: int = 1) -> None:
    """Put supply points down."""
    add_sp(s, side_of(side), H(hex_), count)


def controlled_by(s: State, side: str, *numbers: str) -> None:
    """Give places to a side."""
    m = mask(*numbers)
    s.control = s.control | m if side == "axis" else s.control & ~m
    s.control_before = s.control
    touch(s)
