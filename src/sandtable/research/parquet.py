"""The rows of a series as Parquet: the same games as in JSON Lines, a column for each thing that is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as arrow
import pyarrow.parquet as files

from sandtable.players.simulate import Row, in_order

COLUMNS: Any = arrow.schema(
    [
        ("game", arrow.int64()),
        ("rules", arrow.string()),
        ("scenario", arrow.string()),
        ("seed", arrow.string()),
        ("seats", arrow.map_(arrow.string(), arrow.string())),
        ("winner", arrow.string()),
        ("level", arrow.string()),
        ("points", arrow.int64()),
        ("decisions", arrow.int64()),
        ("error", arrow.string()),
    ]
)
"""What a row says; who sat where is a map from side to player."""


def write_parquet(rows: Sequence[Row], path: str | Path) -> None:
    """The games of a series in their order: the same on any number of processes."""
    files.write_table(arrow.Table.from_pylist(in_order(rows), COLUMNS), path)


def read_parquet(path: str | Path) -> list[Row]:
    """The rows again, as they were."""
    found: list[Row] = files.read_table(path, schema=COLUMNS).to_pylist(maps_as_pydicts="strict")
    return found
