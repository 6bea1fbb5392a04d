"""The terrain chart: what each kind of terrain and of hexside does, from `tables.toml`.

Heights are counted in half levels throughout the game: 1 is a hillock, 2 a full level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

LEVEL = 2
"""Half levels in a full level."""


@dataclass(frozen=True)
class TerrainKind:
    """One row of the terrain chart; heights in half levels."""

    id: str
    obstacle: int = 0
    """A6.2, A6.21 Height of the LOS obstacle (1 is a half-level obstacle)."""
    obstacle_from_above: int = 0
    """B14.2 Height of the obstacle that it is to a LOS from above it (orchards)."""
    hindrance: int = 0
    hindrance_height: int = 0
    """1 is a half-level Hindrance (F4.51c)."""
    months: tuple[int, ...] = ()
    """The months in which it is a Hindrance; empty is always."""
    inherent: bool = False
    """B.6 Does it fill its whole hex, hexsides included?"""
    tem_direct: int = 0
    tem_indirect: int = 0
    ffmo: bool = True
    concealment: str = "no"
    bog: bool | str = False
    rule: str = ""


@dataclass(frozen=True)
class HexsideKind:
    """One row of the chart of hexsides; heights in half levels."""

    id: str
    obstacle: int = 0
    tem_direct: int = 0
    tem_indirect: int = 0
    hull_down: bool = False
    cost: int = 0
    climb_only: bool = False
    wall_advantage: bool = False
    underbelly: bool = False
    rule: str = ""


def terrain_kinds(rows: Iterable[Mapping[str, Any]]) -> dict[str, TerrainKind]:
    """The kinds of terrain by id, with those that a rule makes of others."""
    kinds = {}
    for row in rows:
        kinds[str(row["id"])] = TerrainKind(
            id=str(row["id"]),
            obstacle=round(LEVEL * row.get("obstacle_level", 0)),
            obstacle_from_above=round(LEVEL * row.get("obstacle_level_to_higher_los", 0)),
            hindrance=int(row.get("hindrance", 0)),
            hindrance_height=round(LEVEL * row.get("hindrance_height", 0)),
            months=tuple(row.get("hindrance_months", ())),
            inherent=bool(row.get("inherent", False)),
            tem_direct=int(row.get("tem_direct", 0)),
            tem_indirect=int(row.get("tem_indirect", 0)),
            ffmo=bool(row.get("ffmo", True)),
            concealment=str(row.get("concealment", "no")),
            bog=row.get("bog", False),
            rule=str(row.get("rule", "")),
        )
    # F13.1b Under Broken Terrain hammada is crag and a half-level obstacle besides.
    if "crag" in kinds:
        kinds["hammada_crag"] = replace(kinds["crag"], id="hammada_crag", obstacle=1, rule="F13.1b")
    return kinds


def hexside_kinds(rows: Iterable[Mapping[str, Any]]) -> dict[str, HexsideKind]:
    """The kinds of hexside features by id."""
    return {
        str(row["id"]): HexsideKind(
            id=str(row["id"]),
            obstacle=round(LEVEL * row.get("obstacle_level", 0)),
            tem_direct=int(row.get("tem_direct", 0)),
            tem_indirect=int(row.get("tem_indirect", 0)),
            hull_down=bool(row.get("hull_down", False)),
            cost=int(row.get("cost", 0)),
            climb_only=bool(row.get("climb_only", False)),
            wall_advantage=bool(row.get("wall_advantage", False)),
            underbelly=bool(row.get("underbelly", False)),
            rule=str(row.get("rule", "")),
        )
        for row in rows
    }
