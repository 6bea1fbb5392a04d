"""How the map and the counters of North Africa '41 are drawn."""

from __future__ import annotations

from pathlib import Path

from sandtable.engine.drawing import read_style

STYLE = read_style(Path(__file__).parents[1] / "data" / "look.toml")
