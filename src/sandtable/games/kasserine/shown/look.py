"""How the map and the counters of Kasserine are drawn."""

from __future__ import annotations

from pathlib import Path

from sandtable.engine.drawing import read_style

# fmt: off
GROUND_WORDS = (
    "clear", "rough", "hill", "mountain", "marsh", "woods", "orchard",
    "village", "town", "pass", "airfield", "landmark", "Axis exit hex", "Allied exit hex",
    "primary road", "secondary road", "trail", "railway", "wadi", "escarpment",
)
MARK_WORDS = (
    "disrupted", "out of supply", "limited supply", "fired", "spent", "fire net", "moved",
    "strongpoint", "construction", "minefield", "no retreat", "battle",
)
# fmt: on
"""What the card of a hex says of its ground, and of counters and markers there."""

STYLE = read_style(Path(__file__).parents[1] / "data" / "look.toml")
