"""Positions for the rule tests, built by hand and played through the real game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from sandtable.engine.contract import Event, Illegal
from sandtable.games.kasserine.game import GAME
from sandtable.games.kasserine.table.board import Board
from sandtable.games.kasserine.table.ids import ALLIED, AXIS, BOXES, PHASES, READY, SIDES, WEATHERS
from sandtable.games.kasserine.table.position import control, put
from sandtable.games.kasserine.table.script import option_bits, script_of
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import At, StageAt

from ..desk import Desk, kinds, of_kind

__all__ = [
    "ALLIED",
    "AXIS",
    "GAME",
    "H",
    "Illegal",
    "State",
    "U",
    "at",
    "board",
    "do",
    "empty",
    "hexes",
    "kinds",
    "least",
    "mask",
    "names",
    "new",
    "of_kind",
    "place",
    "play_to",
    "roll",
    "start",
    "texts",
    "units",
    "weather",
    "why",
    "works",
]

board: Board = GAME.board
_desk = Desk(GAME, board, SIDES, BOXES)

H = _desk.hex
U = _desk.unit
mask = _desk.mask
units = _desk.units
hexes = _desk.hexes
names = _desk.names
do = _desk.do
roll = _desk.roll
texts = _desk.texts
why = _desk.why
at = _desk.at


def new(scenario: str = "s1_historical", **options: bool) -> State:
    """A real scenario at its first decision."""
    return GAME.new(scenario, options)


def empty(
    phase: str = "axis_movement",
    turn: int = 6,
    sky: str = "dry",
    scenario: str = "s1_historical",
    **options: bool,
) -> State:
    """An empty map in some phase of some turn: nobody's counters placed, nothing on the stack (see `start`).

    All works of the scenario's pools are at hand.
    """
    s = State(board, scenario=scenario)
    s.flags = option_bits(options)
    s.turn = turn
    s.weather = WEATHERS.index(sky)
    s.phase = PHASES.index(phase)
    s.active = s.actor = ALLIED if PHASES.index("allied_movement") <= s.phase < PHASES.index("engineer") else AXIS
    for side in (AXIS, ALLIED):
        pool = script_of(board, scenario).pools[side]
        s.strong_left[side], s.mines_left[side] = pool.strongpoints, pool.mines
    return s


def place(
    s: State,
    unit: str | Sequence[str],
    hex_: str,
    reduced: bool = False,
    disrupted: bool = False,
    oos: bool = False,
    emergency: bool = False,
) -> None:
    """Put a counter (or several) into a hex, at full strength unless said otherwise."""
    for name in [unit] if isinstance(unit, str) else unit:
        u = U(name)
        s.step[u] = int(reduced)
        put(s, u, READY if hex_ == "ready" else H(hex_))
        b = 1 << u
        s.disrupted |= b if disrupted else 0
        s.oos |= b if oos else 0
        s.emergency |= b if emergency else 0
    control(s)
    s.events = []


def works(s: State, side: int, kind: str, *numbers: str, untried: bool = False) -> None:
    """Lay works of a side on the map."""
    for number in numbers:
        bit = 1 << H(number)
        if kind == "strongpoint":
            s.strongpoints[side] |= bit
            s.strong_left[side] -= 1
        else:
            s.mines[side] |= bit
            if untried:
                s.untried |= bit
    s.memo = {}


def weather(s: State, sky: str) -> None:
    """Another weather, with nothing else of a new turn."""
    s.weather = WEATHERS.index(sky)
    s.zones[:] = [-1, -1]
    s.memo = {}


def start(s: State, *frames: int | tuple[Any, ...]) -> list[Event]:
    """Put frames on the stack (the last one is in charge; a bare number has no facts), with the turn beneath them."""
    s.stack.append(StageAt(0, s.phase + 1))
    return _desk.start(s, *(At(frame) if isinstance(frame, int) else frame for frame in frames))


def play_to(s: State, phase: str, turn: int = 0, seed: int = 1) -> None:
    """Let both sides do as little as they can until a phase begins (of a turn, or of the next that has it)."""
    rng = Random(seed)
    wanted = PHASES.index(phase)
    for _ in range(5000):
        if s.phase == wanted and (not turn or s.turn == turn) and s.actor >= 0:
            return
        if s.ended is not None:
            break
        if s.actor < 0:
            GAME.apply(s, GAME.roll(s, lambda n: rng.randint(1, n)).action)
        else:
            GAME.apply(s, least(s))
    raise AssertionError(f"{phase} never came")


def least(s: State) -> tuple[int, ...]:
    """The action that ends something, if there is one."""
    legal = GAME.legal(s)
    words = {GAME.codec.verbs[a[0]].word: a for a in legal}
    for word, action in words.items():
        if word.startswith(("end_", "no_", "halt", "let_go", "bear", "stay", "declared")):
            return action
    return legal[0]
