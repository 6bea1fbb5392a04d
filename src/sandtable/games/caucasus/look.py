"""How the map and the counters of The Caucasus Campaign are drawn."""

from __future__ import annotations

from sandtable.engine.drawing import MapStyle

STYLE = MapStyle(title="The Caucasus Campaign")
