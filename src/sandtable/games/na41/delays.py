"""24 Delay markers; strafing and LRDG (18.7.5, 18.8)."""

from __future__ import annotations

from sandtable.engine.frames import Frame

from .state import State

FRAMES: dict[int, Frame[State]] = {}
