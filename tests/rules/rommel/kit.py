"""Positions for the rule tests, built by hand and played through the real game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sandtable.engine.contract import Event, Illegal
from sandtable.games.rommel.game import GAME
from sandtable.games.rommel.table.ids import BOXES, DIRS, OPTIONS, SIDES
from sandtable.games.rommel.table.state import State, begin_battle, disrupt, put, reveal

from ..desk import Desk, kinds

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
_desk = Desk(GAME, board, SIDES, BOXES)

H = _desk.hex
U = _desk.unit
mask = _desk.mask
units = _desk.units
hexes = _desk.hexes
side_of = _desk.side_of
start = _desk.start
do = _desk.do
roll = _desk.roll
texts = _desk.texts
why = _desk.why
at = _desk.at


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
    s = State(board, scenario=scenario)
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


def lucky(s: State, face: int = 6) -> list[Event]:
    """Let the next chance decision fall with the same face on every die."""
    return GAME.apply(s, GAME.roll(s, lambda n: min(face, n)).action)
