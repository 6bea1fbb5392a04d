"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

TANK = "BR_3H"
FOOT = "BR_1DLI"
