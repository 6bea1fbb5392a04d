"""9.4, 18.7 Artillery and air support; 8.5 attack supply."""

from __future__ import annotations

from sandtable.engine.frames import Frame

from .state import State

FRAMES: dict[int, Frame[State]] = {}
