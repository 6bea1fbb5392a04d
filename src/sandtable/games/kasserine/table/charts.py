"""The charts of the player aids as the pack has them: CRTs, coordination, weather, interdiction, bombing (2.31)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .ids import CHECKS, CRTS, SIDES, WEATHERS

FACES = 10  # 2.41 a ten-sided die, a 0 reads as 10
HOPELESS = -1  # 8.52a the column of odds of 1:4 or worse


class Result(NamedTuple):
    """8.71 a cell of a CRT, spelt out."""

    code: str
    shaded: bool  # 3.42ba, 8.72
    attacker_loss: int
    attacker_retreats: bool
    attacker_eliminated: bool
    attacker_disrupted: bool
    defender_loss: int
    defender_retreats: bool
    defender_eliminated: bool
    defender_disrupted: bool


class CombatTable:
    """One of the two CRTs: columns from 1:3 upwards, rows by the modified roll."""

    def __init__(self, name: str, crt: Mapping[str, Any]) -> None:
        table = crt[name]
        self.name = name
        self.columns: tuple[str, ...] = tuple(table["columns"])
        self.first: int = table["row_min"]
        self.last: int = table["row_max"]
        self.retreat: tuple[int, int] = tuple(table["retreat_hexes"])  # 8.8b, 8.8c at least, at most
        self.advance: int = table["advance_hexes"]  # 8.91
        self._ratios = tuple(_ratio(column) for column in self.columns)
        self._rows = [
            tuple(_result(cell, crt["codes"]) for cell in table["rows"][str(roll)])
            for roll in range(self.first, self.last + 1)
        ]

    def column(self, attack: int, defense: int) -> int:
        """8.52 the column of two strengths, rounded in the defender's favor; HOPELESS below the lowest (A37)."""
        if defense <= 0:
            return len(self.columns) - 1
        found = HOPELESS
        for i, (a, d) in enumerate(self._ratios):
            if attack * d >= a * defense:
                found = i
        return found

    def shifted(self, column: int, shift: int) -> int:
        """8.53 a column so many to the right, never beyond the ends of the table (8.52b, 8.52c)."""
        return max(0, min(len(self.columns) - 1, column + shift))

    def result(self, column: int, roll: int) -> Result:
        """8.63 the cell of a modified roll."""
        return self._rows[max(self.first, min(self.last, roll)) - self.first][column]


def _ratio(column: str) -> tuple[int, int]:
    attack, defense = column.split(":")
    return int(attack), int(defense)


def _result(cell: str, codes: Mapping[str, Mapping[str, Any]]) -> Result:
    code = cell.rstrip("*")
    of = codes[code]
    return Result(
        code,
        cell.endswith("*"),
        of["a_loss"],
        of["a_retreat"],
        of["a_eliminated"],
        of["a_disrupted"],
        of["d_loss"],
        of["d_retreat"],
        of["d_eliminated"],
        of["d_disrupted"],
    )


class Coordination(NamedTuple):
    """A row of the coordination chart: when it holds, and what it adds to each kind of check (8.4)."""

    id: str
    cause: str
    rule: str
    when: Mapping[str, Any]
    drm: tuple[int, int, int]  # by kind of check: artillery, ground, air


_CAUSES = {  # the rule of each row of the chart
    "weather_cloudy": "3.72b",
    "weather_rain_allied": "3.73e",
    "weather_rain_axis": "3.73e",
    "command_points": "12.23b",
    "fire_net": "12.31b",
    "untried_minefield": "11.45e",
    "mixed_formations": "8.41c",
    "foreign_artillery": "8.41c",
    "early_allied_air": "10.2",
}


class Charts:
    """All charts but the Terrain Effects Chart, which lies on the map (board.py)."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.crts: tuple[CombatTable, ...] = tuple(CombatTable(name, tables["crt"]) for name in CRTS)
        self.constants: dict[str, Any] = {key: c.get("value") for key, c in tables["constants"].items()}
        self.coordination: tuple[Coordination, ...] = tuple(
            Coordination(
                row["id"],
                row["cause"],
                _CAUSES[row["id"]],
                row["when"],
                (_drm(row["artillery"]), _drm(row["ground"]), _drm(row["air"])),
            )
            for row in tables["coordination"]
        )
        self.row: dict[str, Coordination] = {row.id: row for row in self.coordination}
        weather = tables["weather"]
        self.weather: tuple[tuple[int, ...], ...] = tuple(
            _weather_row(weather["table"]["cloudy" if name == "lingering_mud" else name]) for name in WEATHERS
        )
        """3.71a by the weather of the turn before: the weather of a 1, a 2, and so on to 10."""
        self.weather_drm: tuple[tuple[int, int, int], ...] = tuple(
            (span["first"], span["last"], span["drm"]) for span in weather["drm"]["by_turn"]
        )
        self.dates: dict[int, str] = {turn["n"]: turn["date"] for turn in tables["turn_track"]["turn"]}
        self.historical: dict[int, int] = {
            turn["n"]: WEATHERS.index(turn["historical_weather"]) for turn in tables["turn_track"]["turn"]
        }
        # 10.37a by number of air units (1 to 3), then by face: how many enemy units become OOS
        rows = tables["supply_interdiction"]["rows"]
        self.interdiction: tuple[tuple[int, ...], ...] = tuple(
            tuple(rows[str(face)][column] for face in range(1, FACES + 1)) for column in range(3)
        )
        bombing = tables["bombing"]
        self.bombing_columns: tuple[int, ...] = tuple(bombing["column_min"])
        self.bombing: tuple[tuple[tuple[int, int], ...], ...] = tuple(
            tuple(
                (bombing["codes"][code]["disrupted"], bombing["codes"][code]["steps_lost"])
                for code in (bombing["rows"][str(face)][column] for face in range(1, FACES + 1))
            )
            for column in range(len(self.bombing_columns))
        )
        """10.55 by column, then by face: units disrupted, steps lost."""
        markers = tables["markers"]
        mix = markers["allied_minefields"]["mix"]
        self.minefield_mix: tuple[int, int, int] = (mix["0"], mix["1"], mix["2"])  # 11.45 markers by value
        self.axis_minefield: int = markers["axis_minefields"]["value"]  # 11.44
        self.rain_air_units: int = tables["air_availability"]["rain_max_air_units_per_side"]  # 10.18
        self.entry_order: tuple[str, ...] = tuple(tables["entry_alternatives"]["order"])  # 14.13a
        self.entry_delay: int = tables["entry_alternatives"]["delay_turns_per_step"]
        self.early_air = self.row["early_allied_air"].when
        assert self.early_air["side"] == SIDES[1]

    def roll_weather(self, before: int, turn: int, face: int) -> int:
        """3.71a the weather that a roll brings; the mud after Rain is the turn's affair."""
        drm = next((drm for first, last, drm in self.weather_drm if first <= turn <= last), 0)
        return self.weather[before][max(1, min(FACES, face + drm)) - 1]

    def bombing_column(self, value: int) -> int:
        """10.55 the column of so many bombing points; -1 for none."""
        return sum(1 for least in self.bombing_columns if value >= least) - 1


def _drm(value: object) -> int:
    return value if isinstance(value, int) else 0  # "-CP" is the HQ's own number


def _weather_row(row: Mapping[str, list[int]]) -> tuple[int, ...]:
    faces = [-1] * FACES
    for name, (first, last) in row.items():
        for face in range(first, last + 1):
            faces[face - 1] = WEATHERS.index(name)
    return tuple(faces)


assert len(CHECKS) == 3
