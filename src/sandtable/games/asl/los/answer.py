"""What a line of sight is: a value that the LOS thread, reasons, fire odds and the computer read alike."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text, term

NO_SIDE = -1

# Why a line is blocked: whole sentences, with {hex} for the place

OBSTACLES = {
    "building_stone": term("the building at {hex} is as high as both"),
    "tomb": term("the tomb at {hex} is as high as both"),
    "woods": term("the woods at {hex} are as high as both"),
    "orchard": term("the palms at {hex} are as high as the upper one"),
    "olive_grove": term("the olive grove at {hex} is as high as the upper one"),
}
IN_THE_WAY = {
    "wall": term("the wall at {hex} is in the way"),
    "hedge": term("the hedge at {hex} is in the way"),
    "dune_crest": term("the dune crest at {hex} is in the way"),
    "cactus_patch": term("the cactus patch at {hex} is in the way"),
    "hammada_crag": term("the rocks at {hex} are in the way"),
}
OTHER = term("what stands at {hex} is in the way")
BLIND = term("what stands at {hex} hides what lies close behind it")
CREST_LINE = term("the hill at {hex} is higher than both")
CREST_BLIND = term("the Crest Line at {hex} hides what lies close below it")
IN_WADI = term("a unit IN the wadi at {hex} is seen only from a level above its bottom for each hex of range")
ALONG_WADI = term("the line leaves the bed of the wadi at {hex}")
DEIR = term("dug in inside the deir, a unit sees past its lip at {hex} only what is higher or right behind it")
ENTRENCHED_WALL = term("a unit dug in behind a wall at {hex} sees past it only what is beside it or higher")
FIRED_OUT, BLAZE = "A24.22", "D10.1"
BURNING = term("smoke of a wreck")
SIX = term("Hindrances of six or more block the line")


class Hindrance(NamedTuple):
    """One Hindrance along a line of sight, in one hex."""

    rule: str
    kind: str
    """What hinders: a terrain word, "vehicle", "smoke", "dust", "fire_for_effect" …"""
    hex: Hex
    drm: int
    range: int
    """From the first end: at equal range only the larger of two counts (A6.7)."""

    @property
    def dust(self) -> bool:
        """AMB-39 dust of any kind: it lowers no Residual FP."""
        return self.kind in ("dust", "vehicle_dust") or self.rule.startswith("F11.75")

    def said(self, where: str) -> Text:
        """What hinders, and where; the smoke of one hex may count in several ways."""
        if self.rule == FIRED_OUT:
            return Text("firing out of the smoke in {where}", where=where)
        what = BURNING if self.rule == BLAZE and self.kind == "smoke" else self.kind.replace("_", " ")
        return Text("{what} in {where}", what=what, where=where)


class Block(NamedTuple):
    """What blocks a line of sight, where, and under which rule."""

    rule: str
    why: str
    """A template with {hex}."""
    hex: Hex
    side: int = NO_SIDE
    """The hexside of `hex` that blocks, if it is one."""

    @property
    def text(self) -> Text:
        """The reason as a text for players."""
        return Text.of(self.why, {"hex": self.hex})


class Los(NamedTuple):
    """The answer to "does this see that?"; the first end is the viewer or firer, the second the target."""

    range: int
    block: Block | None
    hindrances: tuple[Hindrance, ...]
    """Those that count, in order of range; none if it is blocked by something else."""

    @property
    def clear(self) -> bool:
        return self.block is None

    @property
    def hindrance(self) -> int:
        """The sum of the Hindrances."""
        return sum(one.drm for one in self.hindrances)


def counted(found: list[Hindrance]) -> list[Hindrance]:
    """A6.7 Of two hexes at equal range only the larger Hindrance counts; AMB-63 several in one hex add up."""
    best: dict[int, list[Hindrance]] = {}
    by_range: dict[int, dict[Hex, list[Hindrance]]] = {}
    for one in found:
        by_range.setdefault(one.range, {}).setdefault(one.hex, []).append(one)
    for at, hexes in by_range.items():
        best[at] = max(hexes.values(), key=lambda group: sum(one.drm for one in group))
    return [one for at in sorted(best) for one in best[at]]
