"""7 Movement."""

from __future__ import annotations

from sandtable.engine.frames import Frame

from .state import State

FRAMES: dict[int, Frame[State]] = {}


def begin_moves(s: State) -> None:
    raise NotImplementedError
