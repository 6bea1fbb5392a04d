"""F3.31, F3.32, F7.31 What rocks and sand do to vehicles: who has to roll, with which DRM, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask
from sandtable.games.asl.boards.battlefield import Battlefield

FATAL = 12
"""The Final DR at which a vehicle is immobilized or bogged."""

HEAVY_TRUCK = 4.0
"""Tons from which a truck counts as heavy."""

SAND = ("sand", "sand_scrub")
ROCKS = ("hammada", "hammada_crag")


@dataclass(frozen=True)
class Vehicle:
    """What these rules ask of a vehicle."""

    kind: str
    """Its class of movement, one of `costs.CLASSES`; a Wagon is cavalry."""
    tons: float = 1.0
    british_made: bool = False
    """F3.31h British-coloured and without "(a)" in its name."""
    pressure: str = "Normal"
    """Ground pressure: Low, Normal or High."""

    @property
    def heavy_truck(self) -> bool:
        """F3.31c A truck of four tons or more that is not British-made."""
        return self.kind == "truck" and self.tons >= HEAVY_TRUCK and not self.british_made


class Modifier(NamedTuple):
    rule: str
    what: str
    drm: int


class Check(NamedTuple):
    """A DR that a vehicle has to make."""

    rule: str
    modifiers: tuple[Modifier, ...]

    @property
    def drm(self) -> int:
        """F3.31g, F7.31c They all add together."""
        return sum(one.drm for one in self.modifiers)

    @property
    def number(self) -> int:
        """The Original DR from which it fails; above 12 it cannot."""
        return FATAL - self.drm


def is_open(field: Battlefield, h: Hex, scrub: bool) -> bool:
    """F3.31l Open Ground without scrub, hammada and sand; F7.31g for sand, scrub is Open Ground too."""
    return field.terrain[h] == "open" or (scrub and field.terrain[h] == "scrub")


def rocks_of(field: Battlefield) -> Mask:
    """All hammada of a map."""
    return _all(field, ROCKS)


def hammada_check(
    field: Battlefield, vehicle: Vehicle, h: Hex, *, doubled: bool = False, on_way: bool = False, mud: bool = False
) -> Check | None:
    """F3.31a The Hammada Immobilization DR on entering a hex or for each hexspine of VCA change there (F3.31k).

    `doubled`: twice the normal cost is spent (F3.31e); `on_way`: along a track or road; `mud`: Desert Mud (F11.8b).
    None if it has not to be made; one DR is enough however much hammada lies around (F3.31j).
    """
    if vehicle.kind in ("tracked", "cavalry", "infantry") or on_way:
        return None
    rocks = field.terrain[h] in ROCKS
    broken = vehicle.kind == "motorcycle" and field.terrain[h] == "broken_hex"  # F13.1c
    near = is_open(field, h, scrub=False) and bool(field.accessible(h) & _all(field, ROCKS))
    beside = not rocks and (near or broken)
    if not rocks and not beside:
        return None
    if beside and mud and vehicle.kind != "motorcycle":
        return None
    found = []
    if vehicle.heavy_truck:
        found.append(Modifier("F3.31c", "heavy truck", 1))
    if vehicle.kind == "motorcycle":
        found.append(Modifier("F3.31d", "motorcycle", 1))
    if not doubled:
        found.append(Modifier("F3.31e", "normal cost", 1))
    if beside:
        found.append(Modifier("F3.31f", "near hammada", -1))
    return Check("F3.31a", tuple(found))


def hammada_result(vehicle: Vehicle, check: Check, original: int) -> str:
    """F3.31b, F3.32 "immobilized"; for a motorcycle "rider breaks", or "eliminated" besides; or ""."""
    final = original + check.drm
    if final < FATAL:
        return ""
    if vehicle.kind == "motorcycle":
        return "rider breaks" if final == FATAL else "eliminated"
    return "immobilized"


def sand_bog_check(
    field: Battlefield,
    vehicle: Vehicle,
    h: Hex,
    *,
    came_from: int = -1,
    on_way: bool = False,
    wet: bool = False,
) -> Check | None:
    """F7.31a The Sand Bog DR on entering a hex or for each hexspine of VCA change there (F7.31e).

    `came_from` is the direction of the hexside by which it entered, -1 for a change of VCA. It is made after a
    Hammada Immobilization DR that is passed (F7.31f); no other Bog DRM applies (F7.31c).
    """
    if vehicle.kind in ("motorcycle", "infantry") or on_way:
        return None
    sand = field.terrain[h] in SAND
    beside = not sand and is_open(field, h, scrub=True) and bool(field.accessible(h) & _all(field, SAND))
    if not sand and not beside:
        return None
    found = []
    pressure = {"High": 2, "Normal": 1}.get(vehicle.pressure, 0)
    if pressure:
        found.append(Modifier("F7.31c", f"{vehicle.pressure} ground pressure", pressure))
    if vehicle.kind != "tracked":
        found.append(Modifier("F7.31c", "not fully tracked", 1))
    if vehicle.heavy_truck:
        found.append(Modifier("F7.31c", "heavy truck", 1))
    if sand and came_from >= 0 and field.side("dune_crest", h, came_from):
        found.append(Modifier("F7.31c", "dune crest", 1))
    if beside:
        found.append(Modifier("F7.31c", "near sand", -1))
    if wet:
        found.append(Modifier("F7.31c", "wet ground", -1))
    return Check("F7.31a", tuple(found))


def is_bogged(check: Check, original: int) -> bool:
    """F7.31b"""
    return original + check.drm >= FATAL


def _all(field: Battlefield, words: tuple[str, ...]) -> int:
    found = 0
    for word in words:
        found |= field.ground.get(word, 0)
    return found
