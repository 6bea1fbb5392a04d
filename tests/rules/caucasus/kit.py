"""Positions for the rule tests, built by hand and played through the real game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sandtable.engine.contract import Event, Illegal, Reason
from sandtable.games.caucasus.board import Board
from sandtable.games.caucasus.game import GAME
from sandtable.games.caucasus.ids import BOXES, PHASES, SHOWS, SIDES, VIII_AIR
from sandtable.games.caucasus.state import State, put, touch

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


def H(number: str) -> int:
    """A hex by its number or its name ("1134", "Rostov")."""
    if number in board.grid.index:
        return board.grid.index[number]
    return board.names.index(number)


def U(name: str) -> int:
    return board.unit_index[name]


def mask(*numbers: str) -> int:
    """The hex mask of some hexes."""
    return sum(1 << H(n) for n in numbers)


def units(*idents: str) -> int:
    """The unit mask of some units."""
    return sum(1 << U(n) for n in idents)


def hexes(m: int) -> set[str]:
    """The numbers of the hexes of a mask."""
    return {board.grid.names[h] for h in board.grid.hexes if m >> h & 1}


def names(m: int) -> set[str]:
    """The ids of the units of a unit mask."""
    return {board.units[u] for u in range(len(board.units)) if m >> u & 1}


def side_of(name: str) -> int:
    return SIDES.index(name)


def new(scenario: str = "campaign", **options: bool) -> State:
    """A real scenario at its first decision."""
    return GAME.new(scenario, options)


def empty(active: str = "axis", turn: int = 3, phase: str = "", scenario: str = "campaign", **options: bool) -> State:
    """An empty map on some turn, nobody's counters placed; everything as at the start of an impulse.

    The Axis controls Rostov, Kagalnik, Taganrog and its entry hexes, as at start. No frames on the stack:
    see `start`. `phase` is one of ids.PHASES ("axis_second_movement"); default: the First Movement Phase.
    """
    from sandtable.games.caucasus.scenarios import option_bits

    b = GAME.board_for(options)
    s = State(b, scenario)
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


def start(s: State, *frames: tuple[int, ...]) -> list[Event]:
    """Put frames on the stack (the last one is in charge) and let play run to the first decision."""
    s.stack.extend(frames)
    s.events = []
    s.choices = None
    GAME.settle(s)
    return s.events


def do(s: State, *actions: str) -> list[Event]:
    """Take actions in their text notation; returns the events of all of them."""
    events: list[Event] = []
    for text in actions:
        events += GAME.apply(s, GAME.parse(text))
    return events


def roll(s: State, *faces: int) -> list[Event]:
    """Let chance decisions fall with these faces, until they are used up."""
    left = list(faces)
    events: list[Event] = []
    while left:
        events += GAME.apply(s, GAME.roll(s, lambda n: left.pop(0)).action)
    return events


def at_random(s: State, rng: Random) -> None:
    """One decision by chance, whoever has it."""
    GAME.apply(s, rng.choice(GAME.legal(s)))


def texts(s: State) -> list[str]:
    """The legal actions in text notation."""
    return [GAME.text(a) for a in GAME.legal(s)]


def why(s: State, text: str) -> Reason | None:
    return GAME.why_not(s, GAME.parse(text))


def kinds(events: Sequence[Event]) -> list[str]:
    return [e.kind for e in events]


def of_kind(events: Sequence[Event], kind: str) -> list[Event]:
    return [e for e in events if e.kind == kind]


def at(s: State, unit: str) -> str:
    """Where a unit is: a hex number, or the name of its box."""
    h = s.at[U(unit)]
    return board.grid.names[h] if h >= 0 else BOXES[h]
