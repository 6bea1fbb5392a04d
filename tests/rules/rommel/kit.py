"""Positions for the rule tests, built by hand and played through the real game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sandtable.engine.contract import Event, Illegal, Reason
from sandtable.games.rommel.game import GAME
from sandtable.games.rommel.ids import DIRS, OPTIONS, SIDES
from sandtable.games.rommel.state import State, begin_battle, disrupt, put, reveal

__all__ = [
    "GAME",
    "H",
    "Illegal",
    "U",
    "at",
    "battle",
    "board",
    "do",
    "empty",
    "hexes",
    "kinds",
    "lucky",
    "mask",
    "new",
    "place",
    "roll",
    "side_of",
    "start",
    "texts",
    "units",
    "why",
]

board = GAME.board


def H(number: str) -> int:
    """A hex by its number or its name ("0313", "Tobruk")."""
    if number in board.grid.index:
        return board.grid.index[number]
    return board.names.index(number)


def U(name: str) -> int:
    return board.unit_index[name]


def mask(*numbers: str) -> int:
    """The hex mask of some hexes."""
    return sum(1 << H(n) for n in numbers)


def units(*names: str) -> int:
    """The unit mask of some units."""
    return sum(1 << U(n) for n in names)


def hexes(m: int) -> set[str]:
    """The numbers of the hexes of a mask."""
    return {board.grid.names[h] for h in board.grid.hexes if m >> h & 1}


def side_of(name: str) -> int:
    return SIDES.index(name)


def new(scenario: str = "1941", seed: int = 1, **options: bool) -> State:
    """A real scenario, its first hands dealt."""
    s = GAME.new(scenario, options)
    rng = Random(seed)
    while GAME.to_act(s) == -1:
        GAME.apply(s, GAME.roll(s, lambda n: rng.randint(1, n)).action)
    return s


def empty(
    active: str = "axis",
    option: str | None = "basic",
    scenario: str = "1941",
    cards: tuple[tuple[int, int], tuple[int, int]] = ((4, 2), (4, 2)),
    month: int | None = None,
) -> State:
    """An empty map in the first month of a scenario, nobody's blocks placed.

    `cards` are (real, dummy) of each side; the rest of the 42 is the deck.
    """
    s = State(board, scenario)
    s.month = board.pack.scenarios[scenario]["first_month"] if month is None else month
    s.active = side_of(active)
    s.actor = s.active
    s.option = OPTIONS.index(option) if option else -1
    s.real = [cards[0][0], cards[1][0]]
    s.dummy = [cards[0][1], cards[1][1]]
    s.fort_owner = [0, 1, 1]
    return s


def place(
    s: State,
    unit: str | Sequence[str],
    hex_: str,
    cv: int | None = None,
    disrupted: bool = False,
    unsupplied: bool = False,
) -> None:
    """Put a block (or several) into a hex, at full strength unless said otherwise.

    Blocks of both sides in one hex are a battle: give the roles with `battle`.
    """
    for name in [unit] if isinstance(unit, str) else unit:
        u = U(name)
        s.cv[u] = board.max_cv[u] if cv is None else cv
        put(s, u, H(hex_))
        if disrupted:
            disrupt(s, u)
            s.fresh &= ~(1 << u)
        if unsupplied:
            s.unsupplied |= 1 << u


def battle(
    s: State,
    hex_: str,
    defender: str,
    attacker_sides: Sequence[str] = (),
    revealed: bool = True,
    attacked: bool = False,
) -> None:
    """Make a hex with blocks of both sides a battle hex with these roles and Attacker's hexsides."""
    h = H(hex_)
    begin_battle(s, h, 1 - side_of(defender))
    if not attacked:
        s.attacked &= ~(1 << h)
    for name in attacker_sides:
        s.att_side[DIRS.index(name)] |= 1 << h
    if revealed:
        reveal(s, s.here[h] & ~s.disrupted, "8.5b")
    s.events = []


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


def lucky(s: State, face: int = 6) -> list[Event]:
    """Let the next chance decision fall with the same face on every die."""
    return GAME.apply(s, GAME.roll(s, lambda n: min(face, n)).action)


def texts(s: State) -> list[str]:
    """The legal actions in text notation."""
    return [GAME.text(a) for a in GAME.legal(s)]


def why(s: State, text: str) -> Reason | None:
    return GAME.why_not(s, GAME.parse(text))


def kinds(events: Sequence[Event]) -> list[str]:
    return [e.kind for e in events]


def at(s: State, unit: str) -> str:
    """Where a unit is: a hex number, or the name of its box."""
    from sandtable.games.rommel.ids import BOXES

    h = s.at[U(unit)]
    return board.grid.names[h] if h >= 0 else BOXES[h]
