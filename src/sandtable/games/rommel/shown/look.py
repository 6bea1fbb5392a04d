"""How the map and the blocks of Rommel in the Desert are drawn."""

from __future__ import annotations

from pathlib import Path

from sandtable.engine.drawing import Counter, read_style
from sandtable.engine.packs import Pack, Row

STYLE = read_style(Path(__file__).parents[1] / "data" / "look.toml")


def short_name(name: str) -> str:
    """A unit's name as it stands on its block."""
    for long, short in STYLE.short:
        name = name.replace(long, short)
    return name.strip()


def block(
    pack: Pack,
    unit: str,
    hex_: int,
    cv: int,
    *,
    hidden: bool = False,
    marks: tuple[str, ...] = (),
) -> Counter:
    """The block of a unit at its current CV, as its owner sees it or from behind."""
    row = pack.units[unit]
    if hidden:
        return Counter(hex_, row["side"], hidden=True, marks=marks)
    return Counter(
        hex_,
        row["side"],
        label=short_name(row["name"]),
        strength=str(cv),
        symbol=row["type"],
        size=row["size"],
        marks=marks,
        steps=_steps_left(row, cv),
        nation=row["nation"],
        detail=f"{row['name']}, {row['type'].replace('_', ' ')}, speed {row['speed']}",
        edges=_edges(row, cv),
    )


def _values(row: Row) -> list[int]:
    return [int(value) for value in row.parts("cv_values")]


def _steps_left(row: Row, cv: int) -> int:
    return sum(1 for value in _values(row) if value <= cv)


def _edges(row: Row, cv: int) -> tuple[str, ...]:
    """The next lower and the next higher strength, on the left and the right edge."""
    lower = [value for value in _values(row) if value < cv]
    higher = [value for value in _values(row) if value > cv]
    return (str(max(lower)) if lower else "", str(min(higher)) if higher else "")
