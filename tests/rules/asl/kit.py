"""A flat board to put terrain on, and short ways of asking about it.

Board D1 has nothing that lines of sight mind; its scrub and hammada are made Open Ground first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.locations import Place, Spot
from sandtable.games.asl.los.answer import Los
from sandtable.games.asl.los.sight import Sightlines
from sandtable.games.asl.shown.models import ground

__all__ = ["ground"]

Side = tuple[str, ...]
"""(hex, neighbour, kind) and the hexes that own it."""


def hillock(mass: str, *names: str, summit: Iterable[str] = ()) -> dict[str, dict[str, Any]]:
    """A hillock on these hexes, some of them its summit."""
    tops = set(summit)
    return {
        name: {"forms": {"hillock", "summit"} if name in tops else {"hillock"}, "mass": mass}
        for name in (*names, *tops)
    }


def hill(level: float, *names: str) -> dict[str, dict[str, Any]]:
    return {name: {"level": level} for name in names}


def filled(terrain: str, *names: str, **more: Any) -> dict[str, dict[str, Any]]:
    return {name: {"terrain": terrain, **more} for name in names}


def spot(field: Battlefield, text: str) -> Spot:
    """ "M5", "M5 in", "M5 crest", "M5 dug", "M5 in dug", "M5 v0"."""
    name, *words = text.split()
    place = Place.IN if "in" in words else Place.CREST if "crest" in words else Place.GROUND
    vertex = next((int(word[1:]) for word in words if word[0] == "v"), -1)
    name = name if "." in name else f"D1.{name}"
    return Spot(field.hex(name), place, "dug" in words, vertex)


def look(field: Battlefield, a: str, b: str) -> Los:
    """The line of sight, after making sure that it is the same from the other end."""
    lines = Sightlines(field)
    there, back = lines.look(spot(field, a), spot(field, b)), lines.look(spot(field, b), spot(field, a))
    assert there.clear == back.clear, (a, b, there, back)
    return there


def blocked_by(field: Battlefield, a: str, b: str) -> str:
    """The rule that blocks the line, or ""."""
    block = look(field, a, b).block
    return block.rule if block else ""


def sees(field: Battlefield, a: str, *others: str) -> list[str]:
    """Which of the others are seen."""
    return [other for other in others if look(field, a, other).clear]
