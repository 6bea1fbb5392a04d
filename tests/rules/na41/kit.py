"""Positions for the rule tests, built by hand and played through the real game."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Event, Illegal, Reason
from sandtable.games.na41.board import Board
from sandtable.games.na41.game import GAME
from sandtable.games.na41.ids import BOXES, PHASES, SHOWS, SIDES
from sandtable.games.na41.position import add_sp, put, recount, touch
from sandtable.games.na41.state import State

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


def H(number: str) -> int:
    """A place by its number, its name or its box ("3138", "Tobruk", "tripoli")."""
    if number in board.grid.index:
        return board.grid.index[number]
    if number in board.grid.boxes:
        return board.grid.boxes[number]
    return board.names.index(number)


def U(name: str) -> int:
    return board.unit_index[name]


def mask(*numbers: str) -> int:
    """The mask of some places."""
    return sum(1 << H(n) for n in numbers)


def units(*idents: str) -> int:
    """The unit mask of some units."""
    return sum(1 << U(n) for n in idents)


def hexes(m: int) -> set[str]:
    """The numbers of the places of a mask."""
    return {name for h, name in enumerate(board.grid.names) if name and m >> h & 1}


def names(m: int) -> set[str]:
    """The ids of the units of a unit mask."""
    return {board.units[u] for u in range(len(board.units)) if m >> u & 1}


def side_of(name: str) -> int:
    return SIDES.index(name)


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
    from sandtable.games.na41.scenarios import option_bits

    s = State(board, scenario)
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
