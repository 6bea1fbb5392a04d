"""10.2 to 10.4 Step losses and remnants."""

from __future__ import annotations

from sandtable.engine.frames import Frame

from .state import State

FRAMES: dict[int, Frame[State]] = {}
