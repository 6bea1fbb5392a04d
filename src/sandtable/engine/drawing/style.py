"""How a game wants its map and its counters drawn. Colours are names of the palette's tokens.

Lengths are in hundredths of the distance between two neighbouring centres. A game says it in its `data/look.toml`:
tables and keys there are the classes and fields below.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints


@dataclass(frozen=True)
class AreaLook:
    """A tint over all hexes of some terrains or with some tags, with a texture of small strokes.

    Textures: stipple, strokes (rough), humps, peaks, reeds, crowns, rows (of olives), flats (of salt), ice, blocks.
    """

    fill: str
    terrain: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    texture: str = ""
    ink: str = ""
    rough: float = 0.11
    sharp: bool = False  # whole hexes, not soft shapes
    level: float = 0.5  # how much a point belongs to these hexes that is tinted: a third reaches their corners
    rim: str = ""  # ink of a line around it
    dashed: bool = False  # whether that line is


@dataclass(frozen=True)
class SideLook:
    """A hexside feature.

    Forms: escarpment, mountain, ridge, marsh, river, wadi, lake, channel (cut out of the land), perimeter,
    frontier, alpine, pass. `gap` names a column of hexsides.csv whose "yes" opens a gap with two curves. Sides of hexes
    of the terrains of `ground` are not drawn: the ground itself says it.
    """

    form: str
    ink: str = "ridge"
    width: float = 2.0
    gap: str = ""
    ground: tuple[str, ...] = ()
    bed: str = ""  # fill of a pale bed beneath a wadi


@dataclass(frozen=True)
class BorderLook:
    """A line along all sides between the hexes of one tag and those of another."""

    tags: tuple[str, str]
    look: SideLook = SideLook("frontier", "border", 1.5)


@dataclass(frozen=True)
class WayLook:
    """A way from centre to centre. Forms: highway, road, track, trail, railway, rail_dashed."""

    form: str
    ink: str = "track"
    width: float = 1.8
    order: int = 0  # later ones lie on top
    aside: float = 0.0  # how far it keeps from other ways on the same links
    bridges: tuple[str, ...] = ()  # kinds of hexsides that it crosses on a bridge


@dataclass(frozen=True)
class SiteLook:
    """A kind of place: its mark, the way its name is set, and from which size on the name is shown.

    Marks: dot, ring, square, city, base, fort, oasis, airfield, peak, none; "pass": two curves across the way through
    it; with "border" the name stands at the nearest border. Names: capital, city, pass, town, landmark, small, area,
    road. `shown_from` is in pixels a
    hex. `badge` names an attribute that stands in a dark hexagon before the name.
    """

    mark: str = "dot"
    name: str = "town"
    shown_from: float = 0.0
    badge: str = ""


@dataclass(frozen=True)
class Lettering:
    """A large name: a sea, a gulf, a desert. Its middle lies at `hex` and a part of a hex (dx, dy) beside it.

    One that names a place of the pack stands in for that place's own name. A line break parts two lines.
    """

    text: str
    hex: str
    size: float = 26.0
    spacing: float = 0.18
    kind: str = "water"  # or "area"
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True)
class SideColours:
    """One side's counters: `square` corners or round ones, edge, and for blocks wood and labels."""

    edge: str = "axis-edge"
    square: bool = True
    block: str = "block-axis"
    label: str = "label-de"


@dataclass(frozen=True)
class MapStyle:
    title: str
    sea: tuple[str, ...] = ("sea",)
    sea_edges: tuple[str, ...] = ()  # "north", "west"...: where the sea begins beyond the map
    void: tuple[str, ...] = ()  # terrain that is no part of the map
    land: str = "land"
    areas: tuple[AreaLook, ...] = ()
    heights: Mapping[str, float] = field(default_factory=dict)  # terrain -> height from 0 to 1, for light and shade
    hexsides: Mapping[str, SideLook] = field(default_factory=dict)
    borders: tuple[BorderLook, ...] = ()
    ways: Mapping[str, WayLook] = field(default_factory=dict)
    sites: Mapping[str, SiteLook] = field(default_factory=dict)
    letterings: tuple[Lettering, ...] = ()
    line: float = 1.0  # all line widths
    type: float = 1.0  # all name sizes
    grid_from: float = 20.0  # pixels a hex from which on the grid is drawn
    blocks: bool = False
    counter: float = 62.0  # side of a single counter
    anchors: str = ""  # the attribute of a place that says it is a port; "large" gets a ring
    airfields: str = ""  # the attribute of a place that says it has an airfield: a disc beside its mark
    crests: str = ""  # how names in hexes.csv begin that are lettered along the hexes which share them
    letters: str = ""  # a tag like entry:A whose letter stands in its hexes; entry_side:<side> gives the colour
    sides: Mapping[str, SideColours] = field(default_factory=dict)
    nations: Mapping[str, str] = field(default_factory=dict)  # nation -> fill token (and its -box), or label
    short: tuple[tuple[str, str], ...] = ()  # words of unit names, in order, and what stands for them on a counter
    bands: Mapping[str, str] = field(default_factory=dict)  # formation -> colour of its counters' band


def read_style(path: Path) -> MapStyle:
    """The look that a file describes; what does not fit is refused by its place there."""
    with path.open("rb") as file:
        try:
            made: MapStyle = _made(MapStyle, tomllib.load(file), "")
        except ValueError as error:
            raise ValueError(f"{path.name}: {error}") from None
    return made


def _made(kind: Any, value: Any, where: str) -> Any:
    """A value of the file as the class, tuple, mapping or plain type that stands in its place."""
    parts = get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        if not isinstance(value, dict):
            raise ValueError(f"{where} is no table")
        hints = get_type_hints(kind)
        unknown = value.keys() - {one.name for one in fields(kind)}
        if unknown:
            raise ValueError(f"{where + ': ' if where else ''}nothing is called {', '.join(sorted(unknown))} here")
        given = {key: _made(hints[key], one, f"{where}.{key}".lstrip(".")) for key, one in value.items()}
        try:
            return kind(**given)
        except TypeError as error:
            raise ValueError(f"{where}: {error}") from None
    if get_origin(kind) is tuple and isinstance(value, list):
        if parts[-1] is not ... and len(parts) != len(value):
            raise ValueError(f"{where} has {len(value)} values instead of {len(parts)}")
        return tuple(_made(parts[0], one, f"{where}[{i}]") for i, one in enumerate(value))
    if get_origin(kind) is Mapping and isinstance(value, dict):
        return {key: _made(parts[1], one, f"{where}.{key}") for key, one in value.items()}
    if get_origin(kind) is None and isinstance(value, (int, float) if kind is float else kind):
        return value
    raise ValueError(f"{where} cannot be {value!r}")
