"""3.1 The Preparation Phase; 20 removals, upgrades and conversions."""

from __future__ import annotations

from sandtable.engine.frames import Frame

from .state import State

FRAMES: dict[int, Frame[State]] = {}
