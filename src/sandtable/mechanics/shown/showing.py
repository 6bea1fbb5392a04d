"""What the scenes of counter games have in common: the phase bar, boxes, the order in a stack, overlays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.engine.hexes import Grid, Hex, Mask, hexes_of
from sandtable.engine.scene import BoxItem, CounterItem, Overlay, PhaseItem
from sandtable.engine.texts.text import Said, Text

_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def superscript(number: int) -> str:
    """A number as it is raised on a counter."""
    return str(number).translate(_SUPERSCRIPT)


def phase_bar(phases: Sequence[tuple[str, str]], now: str) -> list[PhaseItem]:
    """The phases (id, title) in order, those before the one under way being done."""
    at = next((i for i, (key, _) in enumerate(phases) if key == now), -1)
    return [
        {"id": key, "title": title, "state": "done" if i < at else "now" if i == at else "next"}
        for i, (key, title) in enumerate(phases)
    ]


def stacked(items: Sequence[tuple[CounterItem, int]]) -> list[CounterItem]:
    """Counters with their weight, so that the heaviest of a hex lies on top."""
    return [item for item, _ in sorted(items, key=lambda pair: (pair[0].get("hex", ""), -pair[1]))]


def box_items(
    titles: Mapping[str, tuple[Said, str]],
    sides: Sequence[str],
    side_titles: Sequence[str],
    units: Sequence[Mapping[str, Any]],
    notes: Mapping[str, Said] | None = None,
) -> list[BoxItem]:
    """The boxes (id -> title, rule) that hold units of a side, one item for each side."""
    out: list[BoxItem] = []
    for box, (title, rule) in titles.items():
        for side, name in zip(sides, side_titles, strict=True):
            count = sum(1 for unit in units if unit.get("box") == box and unit["side"] == side)
            if count:
                whose = Text("{side}: {box}", side=name, box=title)
                item: BoxItem = {"id": box, "title": whose, "side": side, "count": count, "rule": rule}
                if notes and box in notes:
                    item["note"] = notes[box]
                out.append(item)
    return out


def shortened(name: str, words: Sequence[tuple[str, str]], longest: int) -> str:
    """A name with long words replaced by short ones, cut to fit a counter."""
    for long, short in words:
        name = name.replace(long, short)
    name = " ".join(name.split())
    return name if len(name) <= longest else name[: longest - 1].rstrip() + "."


class Overlays:
    """What can be laid over the map of a game, side by side: its sides by id and by title."""

    def __init__(self, grid: Grid, sides: Sequence[str], titles: Sequence[str]) -> None:
        self.grid = grid
        self.sides = sides
        self.titles = titles

    def names(self, hexes: Mask) -> list[str]:
        """The hexes of a mask that are on the map, by their numbers."""
        return [self.grid.names[h] for h in hexes_of(hexes & self.grid.all)]

    def area(self, side: int, kind: str, title: str, rule: str, hexes: Mask) -> Overlay:
        """Hexes that mean something for a side: `title` is a template that names it, or what follows its name."""
        template = title if "{side}" in title else f"{{side}} {title}"
        return {
            "id": f"{kind}_{self.sides[side]}",
            "title": Text.of(template, {"side": self.titles[side]}),
            "rule": rule,
            "hexes": self.names(hexes),
        }

    def threat(self, side: int, rule: str, points: Mapping[Hex, int]) -> Overlay:
        """The hexes that a side could attack, with the points that it could bring up."""
        names = self.grid.names
        return {
            "id": f"threat_{self.sides[side]}",
            "title": Text("What the {side} side could attack", side=self.titles[side]),
            "rule": rule,
            "hexes": [names[h] for h in sorted(points)],
            "numbers": {names[h]: str(n) for h, n in sorted(points.items())},
        }
