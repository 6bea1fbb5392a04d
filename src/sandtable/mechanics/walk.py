"""A way walked hex by hex: a frame on the stack that enters one hex after the other.

What happens on entering a hex (a capture, mines, an ambush, defensive fire) is the game's own: it may push frames,
which are played out before the walk goes on, or cut the way short.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

from sandtable.engine.contract import State
from sandtable.engine.frames import Frame

S = TypeVar("S", bound=State)


class WalkAt(NamedTuple):
    """Who walks (a unit, or a set of units), the way, how many of its hexes have been entered, and what for."""

    frame: int
    who: int
    path: tuple[int, ...]
    entered: int = 0
    errand: int = 0


class Walk(Frame[S, WalkAt]):
    """Enters the hexes of a path in order; nobody decides anything here."""

    at = WalkAt

    def enter(self, s: S, f: WalkAt, h: int) -> bool:
        """The walker enters a hex; frames may be pushed. False cuts the way short here."""
        raise NotImplementedError(type(self).__name__)

    def goes_on(self, s: S, f: WalkAt) -> bool:
        """Whether the walker can still walk, after what has happened in the hex that he entered last."""
        return True

    def arrive(self, s: S, f: WalkAt) -> None:
        """The way is walked, or was cut short at the last hex entered; the frame is off the stack."""

    def run(self, s: S, f: WalkAt) -> None:
        """Hex after hex, as long as nothing comes in between that has to be played out first."""
        stack = s.stack
        while s.ended is None and (not f.entered or stack[-1] is f):
            if f.entered >= len(f.path) or (f.entered and not self.goes_on(s, f)):
                stack.pop()
                self.arrive(s, f)
                return
            number, who, path, entered, errand = f
            on: WalkAt = tuple.__new__(WalkAt, (number, who, path, entered + 1, errand))
            stack[-1] = on
            if not self.enter(s, on, path[entered]):
                place = stack.index(on)
                on = stack[place] = on._replace(path=path[: on.entered])
            f = on


def walking(number: int, who: int, path: Any, errand: int = 0) -> WalkAt:
    """The frame of a walk that begins."""
    return tuple.__new__(WalkAt, (number, who, tuple(path), 0, errand))
