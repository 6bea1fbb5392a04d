"""What the tests of chapters 3 and 4 share: whole player turns, played through the real game."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine.contract import Event
from sandtable.games.rommel.table.ids import F_CHALLENGE, F_TURN
from sandtable.games.rommel.table.state import State

from .kit import GAME, do, empty, place, start, texts

STOP = (F_CHALLENGE,)
"""The frame below a turn under test: play stops there, because the Commonwealth has to decide."""

QUIET = (
    *("end-move", "end-moves", "marches", "no-probe", "stand", "declared"),
    *("resolve", "fire", "lose", "pass", "no-challenge", "keep", "spent"),
)
"""What a player does who wants nothing in particular, the first that is possible."""


def turn(s: State, side: int = 0) -> list[Event]:
    """Begin a player turn of a side; it stops at the choice of the turn option."""
    s.active = side
    s.option = -1
    return start(s, STOP, (F_TURN, 0))


def near_agedabia(option: str | None = None) -> State:
    """Three Axis blocks before Agedabia, which three Commonwealth blocks hold; an Axis turn begins."""
    s = empty("axis", None)
    place(s, ["GE-PZ5", "GE-PZ8", "GE-AA3"], "0803")
    place(s, "IT-BRE", "0902")
    place(s, ["CW-KDG", "CW-3A", "CW-22G"], "0704")
    place(s, "CW-4A", "0626")
    turn(s)
    if option:
        do(s, f"option {option} 0")
    return s


def top(s: State) -> int:
    """The number of the frame in charge."""
    return s.stack[-1][0]


def quiet(s: State, until: Callable[[State], bool], face: int = 1) -> list[Event]:
    """Play on with as little as possible happening (dice that all show `face`) until something is so."""
    events: list[Event] = []
    for _ in range(500):
        if s.ended is not None or until(s):
            return events
        if GAME.to_act(s) == -1:
            events += GAME.apply(s, GAME.roll(s, lambda n: min(face, n)).action)
            continue
        legal = texts(s)
        for verb in QUIET:
            chosen = next((t for t in legal if t.split()[0] == verb), None)
            if chosen is not None:
                break
        events += do(s, chosen or legal[0])
    raise AssertionError(f"it never came: {s.stack}")


def frames_until(s: State, until: Callable[[State], bool]) -> list[int]:
    """The frames that ask somebody something on the way, each named once in a row."""
    seen: list[int] = []

    def watch(s: State) -> bool:
        if not seen or seen[-1] != top(s):
            seen.append(top(s))
        return until(s)

    quiet(s, watch)
    return seen


def turn_over(s: State) -> bool:
    """The turn under test is over."""
    return s.stack[-1] == STOP
