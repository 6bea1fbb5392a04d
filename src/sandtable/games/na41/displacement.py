"""13.3.2e Units in Full Retreat give way."""

from __future__ import annotations

from sandtable.engine.frames import Frame

from .state import State

FRAMES: dict[int, Frame[State]] = {}
