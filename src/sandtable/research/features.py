"""What a side may know as arrays of numbers: planes by hex, units, and what concerns the whole table.

All of it comes of the view, through the scene that every game draws of it: the same names mean the same in every game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandtable.engine.contract import Game, View
from sandtable.engine.texts.text import Text

Floats = NDArray[np.float32]

PLANES = (
    "own units",
    "enemy units",
    "own steps",
    "enemy steps that are known",
    "enemy units that are hidden",
    "own units in hand",
    "own control",
    "enemy control",
    "markers",
)
"""Columns of `planes`: one number a hex."""

UNITS = ("own", "enemy", "on the map", "hex, as a share of all hexes", "steps", "full steps", "marks")
"""Columns of `units`: one row a unit whose name the side knows; nothing but zeros for the others."""

GLOBALS = ("side", "to act", "turn, as a share of the track", "units in hand")
"""The first numbers of `globals`; after them come up to STATS pairs of what the scene counts, own and enemy, in
hundreds, -1 where it is not known."""

STATS = 4
PLACES = ("hex", "hex or box")
"""What a game calls the arguments that are hexes."""


class Features(NamedTuple):
    """The arrays."""

    planes: Floats
    units: Floats
    globals: Floats


class Reader:
    """Makes arrays of the views of one game; their shapes are the same in all of its scenarios."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        codec: Any = game.codec  # type: ignore[attr-defined]
        kinds = {kind.name: kind for verb in codec.verbs for _, kind in verb.args}
        hexes = next(kind for name, kind in kinds.items() if name in PLACES)
        self.hexes = {name: i for i, name in enumerate(hexes.values) if name}
        self.units = {name: i for i, name in enumerate(kinds["unit"].values) if name}
        self.hex_count, self.unit_count = len(hexes.values), len(kinds["unit"].values)

    @property
    def shapes(self) -> Features:
        """The shapes of the arrays, as the lengths of their sides."""
        shapes: Any = (
            (self.hex_count, len(PLANES)),
            (self.unit_count, len(UNITS)),
            (len(GLOBALS) + 2 * STATS,),
        )
        return Features(*shapes)

    def features(self, view: View) -> Features:
        """The arrays of a view."""
        sides, scene = self.game.info.sides, self.game.scene(view)
        me = view["side"] if isinstance(view["side"], str) else sides[view["side"]]
        planes, units, table = (np.zeros(shape, np.float32) for shape in self.shapes)
        in_hand = 0
        for item in scene.get("counters", ()):
            own, h = item["side"] == me, self.hexes.get(item.get("hex", ""))
            now, full = item.get("steps", (0, 0))
            acting = "acting" in item.get("marks", ())
            in_hand += own and acting
            if h is not None:
                planes[h, 0 if own else 1] += 1
                planes[h, 2 if own else 3] += now
                planes[h, 4] += not own and "unit" not in item
                planes[h, 5] += own and acting
            u = self.units.get(item.get("unit", ""))
            if u is not None:
                place = (h + 1) / self.hex_count if h is not None else 0.0
                units[u] = (own, not own, h is not None, place, now, full, len(item.get("marks", ())))
        for side, hexes in scene.get("control", {}).items():
            for name in hexes:
                if name in self.hexes:
                    planes[self.hexes[name], 6 if side == me else 7] = 1
        for marker in scene.get("markers", ()):
            if marker["hex"] in self.hexes:
                planes[self.hexes[marker["hex"]], 8] += 1
        track: Any = next(iter(scene.get("tracks", ())), {})
        table[: len(GLOBALS)] = (sides.index(me), scene.get("to_act") == me, _share(track), in_hand)
        mine = sides.index(me)
        for i, stat in enumerate(list(scene.get("stats", ()))[:STATS]):
            values = [stat["values"][mine], stat["values"][1 - mine]]
            at = len(GLOBALS) + 2 * i
            table[at : at + 2] = [-1.0 if value is None else float(value) / 100.0 for value in values]
        return Features(planes, units, table)


def _share(track: Any) -> float:
    """How far a track has come: by its cells, its pips, or the number that it says."""
    now, of = 0.0, 1.0
    if track.get("cells"):
        now, of = track.get("now", -1) + 1.0, float(len(track["cells"]))
    elif track.get("pips"):
        now, of = map(float, track["pips"])
    elif isinstance(value := track.get("value"), Text) and {"n", "last"} <= set(value.facts):
        now, of = float(value.facts["n"]), float(value.facts["last"])
    return min(1.0, max(0.0, now / max(1.0, of)))
