"""How the counters of the desert look, and what its ground and its markers are called."""

from __future__ import annotations

from pathlib import Path

from sandtable.engine.drawing import read_style

SIDE_TITLES = ("Axis", "Allied")

# fmt: off
GROUND_WORDS = (
    "open", "scrub", "hammada", "hammada crag", "sand", "sand scrub", "crag", "orchard", "vineyard", "tomb",
    "building stone", "building wood", "brush", "grain", "woods", "oasis", "cactus patch", "olive grove", "broken",
    "hillock", "summit", "deir", "lip", "wadi", "wadi cliff", "dune", "dune crest", "hill", "crest", "cliff", "wall",
    "hedge", "height", "track", "road", "level ½", "level 1", "level 1½", "level 2", "level 3", "level 4", "level −1",
)
MARK_WORDS = (
    "broken", "dm", "pinned", "cx", "wounded", "disrupted", "concealed", "melee", "captive", "jammed", "fired",
    "prep fired", "first fired", "final fired", "moved", "dug in", "emplaced", "limbered", "motion", "reversing", "ce",
    "bogged", "mired", "immobile", "stunned", "shaken", "shocked", "recalled", "abandoned", "burning", "sangar",
    "residual", "waits", "apart", "ti", "clears", "encircled", "walled", "hip", "read", "foxhole", "trench", "wire",
    "known minefield ap", "known minefield at", "dummy minefield", "minefield", "smoke", "target", "dust",
    "dispersed smoke", "fire lane", "fascine", "opportunity", "hidden",
)
# fmt: on
"""What the card of a hex says of its ground, and of counters and markers there."""

STYLE = read_style(Path(__file__).parents[1] / "data" / "look.toml")
