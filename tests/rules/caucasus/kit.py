"""Positions for the rule tests, built by hand and played through the real game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sandtable.engine.contract import Illegal
from sandtable.games.caucasus.game import GAME
from sandtable.games.caucasus.table.board import Board
from sandtable.games.caucasus.table.ids import BOXES, PHASES, SHOWS, SIDES, VIII_AIR
from sandtable.games.caucasus.table.state import State, put, touch

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


def new(scenario: str = "campaign", **options: bool) -> State:
    """A real scenario at its first decision."""
    return GAME.new(scenario, options)


def empty(active: str = "axis", turn: int = 3, phase: str = "", scenario: str = "campaign", **options: bool) -> State:
    """An empty map on some turn, nobody's counters placed; everything as at the start of an impulse.

    The Axis controls Rostov, Kagalnik, Taganrog and its entry hexes, as at start. No frames on the stack:
    see `start`. `phase` is one of ids.PHASES ("axis_second_movement"); default: the First Movement Phase.
    """
    from sandtable.games.caucasus.table.scenarios import option_bits

    b = GAME.board_for(options)
    s = State(b, scenario=scenario)
    s.flags = option_bits(options)
    s.turn = turn
    s.ground = b.ground(turn)
    s.active = s.actor = side_of(active)
    s.phase = PHASES.index(phase or f"{active}_first_movement")
    s.second = int("_second_" in PHASES[s.phase])
    s.control = mask("1134", "1236", "1136") | (b.entry_hexes[0] & ~(1 << b.taman))
    s.air = 1 << VIII_AIR | 2
    s.fleet_away = 2
    return s


def place(
    s: State,
    unit: str | Sequence[str],
    hex_: str,
    shows: str = "full",
    disrupted: bool = False,
    oos: bool = False,
    limited: bool = False,
) -> None:
    """Put a counter (or several) into a hex, at full strength unless said otherwise."""
    for name in [unit] if isinstance(unit, str) else unit:
        u = U(name)
        s.step[u] = SHOWS.index(shows)
        put(s, u, H(hex_))
        b = 1 << u
        s.disrupted |= b if disrupted else 0
        s.oos |= b if oos else 0
        s.limited |= b if limited else 0
    touch(s)


def controlled_by(s: State, side: str, *numbers: str) -> None:
    """Give places to a side."""
    m = mask(*numbers)
    s.control = s.control | m if side == "axis" else s.control & ~m
    touch(s)


def at_random(s: State, rng: Random) -> None:
    """One decision by chance, whoever has it."""
    GAME.apply(s, rng.choice(GAME.legal(s)))
