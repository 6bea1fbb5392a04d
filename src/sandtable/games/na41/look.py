"""How the map and the counters of North Africa '41 are drawn."""

from __future__ import annotations

from sandtable.engine.drawing import MapStyle

STYLE = MapStyle(title="North Africa '41")
