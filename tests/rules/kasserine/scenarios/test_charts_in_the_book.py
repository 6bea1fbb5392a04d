"""The charts printed in the rulebook, in both languages, are the charts that are played (tables.toml)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sandtable.games.kasserine

from ..kit import board

HOME = Path(str(sandtable.games.kasserine.__file__)).parent
BOOKS = {name: (HOME / name).read_text(encoding="utf-8") for name in ("rulebook.md", "rulebook.ja.md")}
TABLES, CHARTS = board.pack.tables, board.charts
ASSAULT, MOBILE, TERRAIN, COORDINATION, WEATHER, INTERDICTION, BOMBING = range(7)
YES, VOID = ("yes", "はい"), ("void", "無効")

both = pytest.mark.parametrize("book", BOOKS)


def chart(book: str, number: int) -> list[list[str]]:
    """A chart of the book by its place, head row first."""
    found = re.split(r"^### ", BOOKS[book], flags=re.MULTILINE)[-7:][number].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in found.splitlines() if line[:1] == "|"]
    return [row for row in rows if set(row[0]) != {"-"}]


@both
@pytest.mark.rule("kasserine", "8.63", "8.71a")
def test_the_combat_results_tables(book: str) -> None:
    for number, crt in zip((ASSAULT, MOBILE), CHARTS.crts, strict=True):
        head, *rows = chart(book, number)
        assert tuple(head[1:]) == crt.columns
        assert [int(row[0]) for row in rows] == list(range(crt.first, crt.last + 1))
        for row in rows:
            results = [crt.result(column, int(row[0])) for column in range(len(crt.columns))]
            assert row[1:] == [result.code + "*" * result.shaded for result in results]


@both
@pytest.mark.rule("kasserine", "6.31", "6.35", "6.62b", "8.22a", "8.32a")
def test_the_terrain_effects_chart(book: str) -> None:
    tec = TABLES["tec"]
    known = [row for part in ("hex", "hexside", "road") for row in tec[part].values() if "effect" not in row]
    rows = chart(book, TERRAIN)[1:]
    for row, terrain in zip(rows, known, strict=True):
        costs = [str(terrain[key]) for key in ("mot_dry", "foot_dry", "mot_rain", "foot_rain")]
        assert ["void" if cell in VOID else cell for cell in row[1:5]] == costs
        if isinstance(terrain.get("drm"), int):
            assert row[5] == str(terrain["drm"])
        if "assault_forced" in terrain:
            assert (row[6] in YES) == terrain["assault_forced"]
        if "overrun" in terrain:
            assert (row[7] in YES) == terrain["overrun"]


@both
@pytest.mark.rule("kasserine", "3.72b", "3.73e", "12.31b", "11.45e")
def test_the_modifiers_of_coordination(book: str) -> None:
    rows = chart(book, COORDINATION)[1:]
    for row, cause in zip(rows, TABLES["coordination"], strict=True):
        assert row[1:] == [str(cause[kind]) for kind in ("artillery", "ground", "air")]


@both
@pytest.mark.rule("kasserine", "3.71a")
def test_the_weather(book: str) -> None:
    for row, before in zip(chart(book, WEATHER)[1:], ("dry", "cloudy", "rain"), strict=True):
        spans = [TABLES["weather"]["table"][before][sky] for sky in ("dry", "cloudy", "rain")]
        assert row[1:] == ["-".join(map(str, dict.fromkeys(span))) for span in spans]
    for first, last, drm in CHARTS.weather_drm:
        assert re.search(rf"{first}\D{last}[^,、]*{abs(drm)}", BOOKS[book])


@both
@pytest.mark.rule("kasserine", "10.37a", "10.55")
def test_interdiction_and_bombing(book: str) -> None:
    for row in chart(book, INTERDICTION)[1:]:
        assert [int(cell) for cell in row[1:]] == [column[int(row[0]) - 1] for column in CHARTS.interdiction]
    head, *rows = chart(book, BOMBING)
    assert [int(re.split(r"\D", cell)[0]) for cell in head[1:]] == list(CHARTS.bombing_columns)
    for row in rows:
        hits = [column[int(row[0]) - 1] for column in CHARTS.bombing]
        assert row[1:] == [f"{disrupted}{'L' * lost}" for disrupted, lost in hits]
