"""21, 22 Naval transport and convoy attacks."""

from __future__ import annotations

from sandtable.engine.frames import Frame

from .state import State

FRAMES: dict[int, Frame[State]] = {}
