"""F11.1-F11.5, F11.7 The climate of arid lands: what a scenario's own weather may be, and how wind changes dust.

Charts for scenarios of the players' own design, with dice from outside; conditions under which each rule of the
chapter applies; and the density of dust from one Wind Change DR to the next. What the air does to sight is in
`los.visibility`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.pack import AslPack

NORTH_AFRICA = ("Egypt", "Libya", "Tunisia", "Morocco", "Algeria")
MIDDLE_EAST = ("Syria", "Lebanon", "Palestine", "Iraq", "Persia")
ARID = (*NORTH_AFRICA, *MIDDLE_EAST, "Mediterranean islands", "East Africa")
"""F11.2a"""

EC = ("Mud", "Wet", "Moist", "Moderate", "Dry", "Very Dry")
"""Environmental Conditions, the wettest first."""

DUSTS = ("none", "light", "moderate", "heavy", "very_heavy", "extremely_heavy")

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def month_number(month: str | int) -> int:
    """A month by its name or number."""
    if isinstance(month, int):
        return month
    return MONTHS.index(month) + 1


@dataclass(frozen=True)
class Climate:
    """The conditions of one moment, as far as this chapter asks for them."""

    ec: str = "Moderate"
    weather: str = "Clear"
    north_africa: bool = True
    night: bool = False
    heavy_wind: bool = False
    mild_breeze: bool = False
    gusts: bool = False

    @classmethod
    def of(cls, conditions: Mapping[str, Any]) -> Climate:
        """The climate of a scenario's `[conditions]`."""
        force = str(conditions.get("wind_force", "No Wind"))
        return cls(
            ec=str(conditions.get("ec", "Moderate")),
            weather=str(conditions.get("weather", "Clear")),
            night=bool(conditions.get("night", False)),
            heavy_wind=force == "Heavy Wind",
            mild_breeze=force == "Mild Breeze",
            gusts=bool(conditions.get("gusts_at_start", False)),
        )

    @property
    def overcast(self) -> bool:
        return "Overcast" in self.weather


# ------------------------------------------------------------------------------- when each rule applies (F11.1)


def desert_boards(field: Battlefield) -> tuple[int, int]:
    """How many boards are desert, of how many."""
    return sum(one.board.desert for one in field.placed), len(field.placed)


def sun_possible(climate: Climate, field: Battlefield) -> bool:
    """F11.61 By day, with a desert board, unless it is overcast."""
    return desert_boards(field)[0] > 0 and not climate.overcast and not climate.night


def haze_possible(climate: Climate, field: Battlefield) -> bool:
    """F11.62a As the sun, and in North Africa."""
    return sun_possible(climate, field) and climate.north_africa


def light_dust_possible(climate: Climate, field: Battlefield) -> bool:
    """F11.71a With a desert board and EC Dry or Very Dry; on Steppe (F13.2b) only Very Dry. Also F11.74, F11.75."""
    dry = ("Very Dry",) if "steppe" in field.alternates else ("Dry", "Very Dry")
    return desert_boards(field)[0] > 0 and climate.ec in dry


def heavy_dust_possible(climate: Climate, field: Battlefield) -> bool:
    """F11.73a With desert boards alone, EC Dry or Very Dry, and no Steppe. Also F11.76."""
    sandy, boards = desert_boards(field)
    return sandy == boards and climate.ec in ("Dry", "Very Dry") and "steppe" not in field.alternates


def vehicle_dust_possible(climate: Climate, field: Battlefield) -> bool:
    """F11.74a, F11.74b Where Light Dust is possible, and neither Heavy Wind nor Gusts blow."""
    return light_dust_possible(climate, field) and not climate.heavy_wind and not climate.gusts


def desert_mud(climate: Climate, field: Battlefield) -> bool:
    """F11.8a, F11.8d In Mud on desert boards alone, without Broken or Steppe Terrain; otherwise D8.23."""
    sandy, boards = desert_boards(field)
    muddy = climate.ec == "Mud" or "Mud" in climate.weather
    return muddy and sandy == boards and not field.alternates & {"broken", "steppe"}


def early_morning_ec(ec: str, raining: bool, mud: bool) -> str:
    """F11.6111 Early in the morning it is Moist; Wet if it rains, Mud in Mud."""
    return "Mud" if mud else "Wet" if raining else "Moist"


def at_dawn(conditions: Mapping[str, Any], field: Battlefield) -> Mapping[str, Any]:
    """F11.6111 A scenario's `[conditions]`, with the EC of an early morning in which the sun blinds."""
    now, sun = Climate.of(conditions), str(conditions.get("sun", ""))
    if not ("morning" in sun or "east" in sun) or not sun_possible(now, field):
        return conditions
    mud = now.ec == "Mud" or "Mud" in now.weather
    return {**conditions, "ec": early_morning_ec(now.ec, "Rain" in now.weather, mud)}


# ------------------------------------------------------------------------------- charts for scenarios of one's own


def arid_weather(pack: AslPack, month: int, total: int) -> str:
    """F11.2b The weather of a DR."""
    column = 0 if month == 4 else 1 if 5 <= month <= 9 else 2 if month in (10, 11) else 3
    return str(pack.tables["arid_weather"]["rows"][str(total)][column])


class TimeOfDay(NamedTuple):
    """What a Time of Day dr calls for."""

    sun: str = "none"
    haze: str = "none"
    mist: bool = False
    night: bool = False


def time_of_day(pack: AslPack, month: int, climate: Climate, dr: int, night_by_consent: bool = True) -> TimeOfDay:
    """F11.3 The result of the dr; overcast, all but Night is no effect, and players may agree to have no night."""
    effect = next(one for one in pack.tables["time_of_day"]["effect"] if one["dr"] == dr)
    if effect.get("night"):
        return TimeOfDay(night=night_by_consent)
    if climate.overcast:
        return TimeOfDay()
    haze = str(effect.get("haze", "none"))
    if month in effect.get("intense_haze_months", ()):
        haze = "intense"
    if effect.get("north_africa_only") and not climate.north_africa:
        haze = "none"
    sun = {"east": "early_morning", "west": "late_afternoon"}.get(str(effect.get("sun", "")), "none")
    return TimeOfDay(sun, haze, month in effect.get("mist_months", ()))


def arid_ec(pack: AslPack, month: int, dr: int) -> str:
    """F11.4 The Environmental Conditions of a dr with the month's drm."""
    table = pack.tables["arid_ec"]
    season = "December-March" if month in (12, 1, 2, 3) else "April-September" if month <= 9 else "October-November"
    final = dr + int(table["month_drm"][season])
    return next(str(ec) for most, ec in zip(table["max_final_dr"], table["ec"], strict=True) if final <= most)


def ec_drm(pack: AslPack, ec: str) -> int:
    """The DRM or drm of the Environmental Conditions."""
    table = pack.tables["arid_ec"]
    return int(table["drm"][table["ec"].index(ec)])


def wind_force(pack: AslPack, dr: int) -> str:
    """F11.5 The wind of a dr."""
    return str(pack.tables["wind"]["force_by_dr"][dr - 1])


def dust_at_start(climate: Climate, field: Battlefield, dr: int, bombardments: int = 0) -> str:
    """F11.701 The dust of a dr, where any is possible; AMB-18: +1 for either wind. On Steppe Heavy is Moderate."""
    if not light_dust_possible(climate, field):
        return "none"
    final = dr + (climate.mild_breeze or climate.heavy_wind) + 3 * bombardments
    density = "none" if final <= 5 else "light" if final <= 7 else "moderate" if final <= 9 else "heavy"
    return "moderate" if density == "heavy" and not heavy_dust_possible(climate, field) else density


# ------------------------------------------------------------------------------- dust and wind


class Dust(NamedTuple):
    """The density of the dust, and whether wind has raised it and it will fall by one step again."""

    density: str = "none"
    raised: bool = False
    settled: bool = False
    """F11.77 It has rained: there is no more dust in this scenario."""


def after_wind_change(dust: Dust, climate: Climate, field: Battlefield) -> Dust:
    """F11.76 Heavy Wind with Gusts raises dust a step each Player Turn; when either ceases it falls by just one."""
    if dust.settled or not heavy_dust_possible(climate, field):
        return dust
    step = DUSTS.index(dust.density)
    if climate.heavy_wind and climate.gusts:
        return dust._replace(density=DUSTS[min(step + 1, len(DUSTS) - 1)], raised=True)
    if dust.raised:  # AMB-23, AMB-24
        return dust._replace(density=DUSTS[max(step - 1, 0)], raised=False)
    return dust


def after_rain(dust: Dust) -> Dust:
    """F11.77 Rain ends all dust for good."""
    return Dust("none", raised=False, settled=True)
