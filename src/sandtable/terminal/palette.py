"""Colours and characters of the terminal's map: paper, ink and one petrol accent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

INK = "#231d13"
INK_SOFT = "#8a7a5c"
GRID = "#cbbd9d"
ACCENT = "#0d5f6b"
ACCENT_TEXT = "bright_cyan"
ON_ACCENT = "#ffffff"
REACH = "#bfe0e0"
REACH_SHADE = "#aed5d6"
SELECTED = "#ffffff"
MINE = "#e6cb67"


@dataclass(frozen=True)
class Ground:
    """A terrain: two shades of one colour, so that neighbouring hexes can be told apart, and a mark."""

    colour: str
    shade: str
    mark: str = ""
    ink: str = INK_SOFT


LAND = Ground("#f1e8d3", "#eadfc5")

GROUNDS: dict[str, Ground] = {
    "land": LAND,
    "clear": LAND,
    "sea": Ground("#c5d8de", "#c5d8de", "~", "#7fa3b1"),
    "lake": Ground("#c5d8de", "#c5d8de", "~", "#7fa3b1"),
    "desert": Ground("#f7f0df", "#f1e9d4"),
    "rough": Ground("#dfcda6", "#d8c59c", "^", "#a98a58"),
    "jebel": Ground("#cdb384", "#c6ab7b", "^", "#876636"),
    "mountain": Ground("#cdb384", "#c6ab7b", "^", "#876636"),
    "marsh": Ground("#d3dcc3", "#ccd6bb", "=", "#5f8377"),
    "depression": Ground("#c3cfa6", "#c3cfa6", "=", "#5f8377"),
    "forest": Ground("#c3cfa6", "#bcc99e", "o", "#71844f"),
    "woods": Ground("#c3cfa6", "#bcc99e", "o", "#71844f"),
    "alpine": Ground("#c6ab7b", "#bfa373", "^", "#876636"),
    "hill": Ground("#dfcda6", "#d8c59c", "^", "#a98a58"),
    "city": Ground("#c9b8a4", "#c2b09b"),
    "out_of_play": Ground("#ddd3bf", "#ddd3bf", "/", "#8a7a5c"),
}


@dataclass(frozen=True)
class Line:
    """A hexside or a way as characters: across (level), down (upright), and its colour."""

    ink: str
    level: str
    upright: str
    rising: str = "╱"
    falling: str = "╲"


HEXSIDES: dict[str, Line] = {
    "mountain": Line("#876636", "▲", "▲"),
    "ridge": Line("#94713f", "━", "┃"),
    "escarpment": Line("#6b4a26", "┯", "┠"),
    "marsh": Line("#3f7f79", "≈", "≈"),
    "river": Line("#4f88a3", "~", "≀"),
    "alpine": Line("#876636", "▲", "▲"),
    "lake": Line("#4f88a3", "~", "≀"),
    "wadi": Line("#94713f", "╌", "╎"),
    "sea": Line("#56788a", "━", "┃"),
    "perimeter": Line("#3c3a36", "┷", "┨"),
}
HEXSIDE = Line("#6b4a26", "━", "┃")

WAYS: dict[str, Line] = {
    "highway": Line("#b4402f", "═", "║"),
    "coast_road": Line("#b4402f", "═", "║"),
    "primary": Line("#b4402f", "═", "║"),
    "road": Line("#80613a", "━", "┃"),
    "secondary": Line("#80613a", "━", "┃"),
    "track": Line("#80613a", "╌", "╎"),
    "trail": Line("#a98a58", "┈", "┊"),
    "rail": Line("#35322d", "┿", "╂"),
}
WAY = WAYS["track"]


def find(table: Mapping[str, T], kind: str, default: T) -> T:
    """The entry of a kind, or of the first word that the kind's name has in it ("river_major")."""
    if kind in table:
        return table[kind]
    return next((entry for word, entry in table.items() if word in kind), default)


SIDE_COLOURS: tuple[tuple[str, str], ...] = (("#ffffff", "#2a3033"), ("#ffffff", "#97402f"))
"""Text and ground of the two sides' blocks."""

NEUTRAL = ("#ffffff", "#4c5a2f")


def side_colours(side: int) -> tuple[str, str]:
    return SIDE_COLOURS[side] if 0 <= side < len(SIDE_COLOURS) else NEUTRAL


def side_style(side: int) -> str:
    ink, ground = side_colours(side)
    return f"bold {ink} on {ground}"
