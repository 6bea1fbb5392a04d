"""F11.6-F11.79 The air: sun, haze, dust and darkness.

DLV (F11.6a) never blocks a line of sight and does not cancel FFMO; it is a list of `Dlv` beside the answer. The part
of heavier dust that grows with the range is a normal Hindrance (F11.73d): `in_dust` adds it to the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import term
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.climate import DUSTS
from sandtable.games.asl.boards.locations import Spot, elevation
from sandtable.games.asl.boards.terrain import LEVEL
from sandtable.games.asl.los.answer import SIX, Block, Hindrance, Los
from sandtable.games.asl.los.geometry import ALONG, VERTEX_OFFSETS, path
from sandtable.games.asl.los.sight import MOST_HINDRANCE
from sandtable.mechanics.memory import remembered

NORTHS = ("top", "right", "bottom", "left")
"""Where on the map north is."""

DARK = term("it is night, and {hex} is neither near nor lit")


@dataclass(frozen=True)
class Air:
    """What is in the air at one moment: everything that this module asks of a scenario or a state."""

    dust: str = "none"
    haze: str = "none"
    """"haze" or "intense"."""
    sun: str = "none"
    """"early_morning" (blind to the east) or "late_afternoon" (to the west)."""
    north: str = "top"
    wind: int = -1
    """F11.761 The direction, 0 to 5, in which a Heavy Wind blows; -1 if none does."""
    night: int = 0
    """The range within which one sees at night; 0 is day."""
    lit: Mask = 0
    """Hexes that are illuminated."""

    @classmethod
    def of(cls, conditions: Mapping[str, Any], north: str = "top") -> Air:
        """The air of a scenario's `[conditions]`."""
        sun = str(conditions.get("sun", "none"))
        if sun not in ("none", "", "early_morning", "late_afternoon"):
            sun = "early_morning" if "east" in sun or "morning" in sun else "late_afternoon"
        wind = int(conditions.get("wind_direction", 0)) if conditions.get("wind_force") == "Heavy Wind" else 0
        return cls(
            dust=str(conditions.get("dust", "none")),
            haze=str(conditions.get("haze", "none")),
            sun=sun or "none",
            north=north,
            wind=wind - 1,
        )


class Dlv(NamedTuple):
    """One Low Visibility Hindrance: added to To Hit and small-arms rolls, never counted toward blocking (F11.6c)."""

    rule: str
    kind: str
    drm: int


# ------------------------------------------------------------------------------- dust


def dust_die(dust: str, dr: int) -> int:
    """F11.71b, F11.72, F11.73b, F11.732a The part of the extra die: half of it, by density up or down."""
    if dust == "none":
        return 0
    return (dr + 1) // 2 if dust in ("moderate", "extremely_heavy") else dr // 2


def dust_die_rule(dust: str) -> str:
    rules = {"light": "F11.71b", "moderate": "F11.72", "heavy": "F11.73b", "very_heavy": "F11.731a"}
    return rules.get(dust, "F11.732a")


def dust_range(dust: str, span: int) -> int:
    """F11.73b, F11.731a, F11.732a The part of the range: half of it (up) in Heavy, all of it in denser dust."""
    if dust == "heavy":
        return (span + 1) // 2
    return span if dust in ("very_heavy", "extremely_heavy") else 0


def in_dust(los: Los, air: Air, target: Hex) -> Los:
    """The answer with the part of the dust that is a normal Hindrance, and so counts toward blocking (B.10)."""
    drm = dust_range(air.dust, los.range)
    if los.block is not None or not drm:
        return los
    if los.hindrance + drm > MOST_HINDRANCE:
        return Los(los.range, Block("B.10", SIX, target), ())
    return los._replace(
        hindrances=(*los.hindrances, Hindrance(dust_die_rule(air.dust), "dust", target, drm, los.range))
    )


def negates_ffmo(dust: str) -> bool:
    """F11.711a, F11.73d Light and Moderate Dust do not; heavier dust does."""
    return DUSTS.index(dust) >= DUSTS.index("heavy")


# ------------------------------------------------------------------------------- haze


def haze_drm(haze: str, span: int, vehicle: bool) -> int:
    """F11.62c, F11.62d, F11.621 Heat Haze by range, against Infantry or against vehicles and their PRC."""
    if haze not in ("haze", "intense"):
        return 0
    step = 12 if vehicle else 6
    start = (25 if vehicle else 13) if haze == "haze" else (13 if vehicle else 7)
    return (span - start) // step + 1 if span >= start else 0


# ------------------------------------------------------------------------------- sun


def in_sun(air: Air, field: Battlefield, firer: Spot, target: Spot) -> bool:
    """F11.611b-f, F11.612 Does Sun Blindness affect fire from here to there?"""
    if air.sun == "none" or firer.hex == target.hex:
        return False
    (fx, fy), (tx, ty) = _point(field, firer), _point(field, target)
    if not in_sun_zone(air, tx - fx, ty - fy):
        return False
    mine, theirs = elevation(field, firer), elevation(field, target)
    if mine - theirs >= 2 * LEVEL:  # F11.611e
        return False
    return not _shaded(field, firer, target, theirs)


def in_sun_zone(air: Air, x: int, y: int) -> bool:
    """AMB-26 A wedge of sixty degrees around due east (late in the day: west), its borders included.

    x and y are as in `geometry`: a hex is three wide and two high.
    """
    east = {"top": (1, 0), "right": (0, 1), "bottom": (-1, 0), "left": (0, -1)}[air.north]
    if air.sun == "late_afternoon":
        east = (-east[0], -east[1])
    if east[0]:
        return x * east[0] > 0 and 3 * abs(y) <= x * east[0]
    return y * east[1] > 0 and abs(x) <= y * east[1]


def _point(field: Battlefield, spot: Spot) -> tuple[int, int]:
    c, y = field.place[spot.hex]
    dx, dy = VERTEX_OFFSETS[spot.vertex] if spot.vertex >= 0 else (0, 0)
    return 3 * c + dx, y + dy


@remembered(1 << 14)
def _shaded(field: Battlefield, firer: Spot, target: Spot, theirs: int) -> bool:
    """F11.611d Beyond the target, does anything two levels higher than it stand between it and the sun?"""
    if highest(field) - theirs < 2 * LEVEL:
        return False
    (fc, fy), (tc, ty) = field.place[firer.hex], field.place[target.hex]
    dc, dy = tc - fc, ty - fy
    times = 2
    while (tc + times * dc, ty + times * dy) in field.at or times < 3:
        times += 1
    reach = max(times, 1 + 70 // max(1, abs(dc) + abs(dy)))
    for step in path(reach * dc, reach * dy).steps:
        h = field.at.get((tc + step.at[0], ty + step.at[1]), -1)
        if h >= 0 and step.how <= ALONG and top(field, h) - theirs >= 2 * LEVEL:
            return True
    return False


def top(field: Battlefield, h: Hex) -> int:
    """How high a hex is, with what stands on it."""
    kind = field.kind(h)
    return field.level[h] + max(kind.obstacle, kind.obstacle_from_above)


@remembered(1 << 8)
def highest(field: Battlefield) -> int:
    """How high the highest of all is."""
    return max(top(field, h) for h in field.grid.hexes)


# ------------------------------------------------------------------------------- wind and all together


def upwind(air: Air, field: Battlefield, firer: Spot, target: Spot) -> bool:
    """F11.761b Does the line leave through, or touch, a hex beside the firer from which the Heavy Wind blows?

    MISS-04: those are the hex straight upwind and the two beside it.
    """
    if air.wind < 0 or firer.hex == target.hex:
        return False
    (fc, fy), (tc, ty) = field.place[firer.hex], field.place[target.hex]
    tail = {(air.wind + n) % 6 for n in (2, 3, 4)}
    return bool(tail & set(path(tc - fc, ty - fy, firer.vertex, target.vertex).leave))


def low_visibility(
    air: Air, field: Battlefield, firer: Spot, target: Spot, vehicle: bool, dr: int | None = None
) -> list[Dlv]:
    """Every DLV Hindrance of an attack on Infantry, or on a vehicle or its PRC; `dr` is the extra die for dust."""
    span = field.grid.distance(firer.hex, target.hex)
    found = []
    if in_sun(air, field, firer, target):
        found.append(Dlv("F11.611a" if air.sun == "early_morning" else "F11.612", "sun", 2))
    haze = haze_drm(air.haze, span, vehicle)
    if haze:
        found.append(Dlv("F11.621" if air.haze == "intense" else "F11.62d" if vehicle else "F11.62c", "haze", haze))
    if dr is not None and dust_die(air.dust, dr):
        found.append(Dlv(dust_die_rule(air.dust), "dust", dust_die(air.dust, dr)))
    if air.dust != "none" and upwind(air, field, firer, target):
        found.append(Dlv("F11.761a", "upwind", 1))
    return found


# ------------------------------------------------------------------------------- night


def light_radius(dust: str, source: str, burning_levels: int = 1) -> int:
    """F11.78 How far a "starshell", an "ir" or a "fire" lights the night in dust; -1 is not at all, 0 its own hex.

    Without dust the core rules say; 3 and 6 hexes are taken, and a fire lights what it does in Light Dust.
    """
    rows = {
        "none": (3, 6, burning_levels + 1),
        "light": (2, 4, burning_levels + 1),
        "moderate": (2, 4, burning_levels + 1),
        "heavy": (1, 2, burning_levels),
        "very_heavy": (-1, 0, burning_levels),
        "extremely_heavy": (-1, -1, 0),
    }
    return rows[dust][("starshell", "ir", "fire").index(source)]


def in_darkness(los: Los, air: Air, target: Hex) -> Los:
    """At night nothing is seen beyond the range of the night unless it is lit."""
    if los.block is not None or not air.night or los.range <= air.night or air.lit >> target & 1:
        return los
    return Los(los.range, Block("F11.78a", DARK, target), ())
