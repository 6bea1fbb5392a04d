"""E3, F11 What is in the air at this moment: the scenario's weather, and what the Wind Change DR has made of it."""

from __future__ import annotations

from dataclasses import replace

from ..boards.climate import DUSTS, Climate, Dust, haze_possible, light_dust_possible, sun_possible
from ..los.visibility import Air, dust_die
from .state import State

FORCES = ("No Wind", "Mild Breeze", "Heavy Wind")
NO_WIND, MILD, HEAVY = range(3)
DENSE = ("very_heavy", "extremely_heavy")
"""F11.731 the dust in which nobody goes at Double Time and little is found."""


def begin(s: State) -> None:
    """The weather as the scenario sets it (E3.2)."""
    told = s.stage.script["conditions"]
    s.wind = FORCES.index(str(told.get("wind_force", "No Wind")))
    s.toward = int(told.get("wind_direction", 0))
    s.gusts = int(bool(told.get("gusts_at_start", False)))
    s.density = DUSTS.index(str(told.get("dust", "none")))


def climate(s: State) -> Climate:
    """The conditions of the moment."""
    told, key = s.stage.told, ("climate", s.wind, s.gusts)
    found: Climate | None = told.get(key)
    if found is None:
        base = Climate.of(s.stage.script["conditions"])
        found = told[key] = replace(base, heavy_wind=s.wind == HEAVY, mild_breeze=s.wind == MILD, gusts=bool(s.gusts))
    return found


def dust(s: State) -> Dust:
    """The dust in the air; where there can be none there is none (F11.71a)."""
    return Dust(DUSTS[s.density], bool(s.raised), bool(s.settled))


def density(s: State) -> str:
    return air(s).dust


def air(s: State) -> Air:
    """What sight and fire ask."""
    told, key = s.stage.told, ("air", s.wind, s.gusts, s.density, s.toward)
    found: Air | None = told.get(key)
    if found is None:
        found = told[key] = _air(s)
    return found


def _air(s: State) -> Air:
    script, now, field = s.stage.script, climate(s), s.stage.field
    base = Air.of(script["conditions"], str(script["map"].get("north", "top")))
    return replace(
        base,
        dust=DUSTS[s.density] if light_dust_possible(now, field) else "none",
        haze=base.haze if haze_possible(now, field) else "none",
        sun=base.sun if sun_possible(now, field) else "none",
        wind=s.toward - 1 if s.wind == HEAVY else -1,
        night=int(script["conditions"]["night_range"]) if now.night else 0,
    )


def die_drms(s: State) -> list[int]:
    """F11.71b, F11.72 what the extra die of dust may add, face by face; nothing to roll where there is no dust."""
    now = density(s)
    return [0] if now == "none" else [dust_die(now, face) for face in range(1, 7)]


def grit(s: State) -> int:
    """F11.732b by how much Extremely Heavy Dust lowers every B# and X#."""
    chart = s.stage.pack.tables["malfunction"]
    return int(chart["b_reduction_extremely_heavy_dust"]) if density(s) == "extremely_heavy" else 0
