"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

CORNER, BESIDE = "0101", "0102"
