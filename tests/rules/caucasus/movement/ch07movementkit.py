"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

SECOND = "axis_second_movement"
SOVIET_SECOND = "soviet_second_movement"
