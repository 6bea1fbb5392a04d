"""The charts printed in the rulebook are the charts that are played (tables.toml, units.csv)."""

from __future__ import annotations

from pathlib import Path

import sandtable.games.caucasus

from ..kit import board

BOOK = (Path(str(sandtable.games.caucasus.__file__)).parent / "rulebook.md").read_text(encoding="utf-8")
TABLES = board.pack.tables


def chart(heading: str) -> list[list[str]]:
    """The first table under a heading, head row first."""
    _, _, rest = BOOK.partition(f"### {heading}\n")
    assert rest, heading
    rows: list[list[str]] = []
    for line in rest.splitlines():
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            break
    return [row for row in rows if set(row[0]) != {"-"}]


def test_the_combat_results_table() -> None:
    head, *rows = chart("Combat results table")
    assert tuple(head[1:]) == board.crt_columns
    for die, row in enumerate(rows):
        assert row[1:] == [column[die] for column in board.crt]


def test_the_determined_defence_table() -> None:
    table = TABLES["determined_defence"]
    _, *rows = chart("Determined Defence table")
    for i, row in enumerate(rows):
        codes = [cell.replace("• ", "*").replace("•", "*").replace("−", "-").replace("–", "") for cell in row[1:]]
        assert codes == [table["columns"][name][i] for name in table["column_of"]["quality_order"]]
    assert len(rows) == 8


def test_terrain() -> None:
    known = {**TABLES["terrain"], **TABLES["artificial"]}
    seen = 0
    for row in chart("Terrain effects chart")[1:]:
        terrain = known.get(row[0].lower().replace(" ", "_"))
        if terrain is None or row[2] == "as those":
            continue
        seen += 1
        assert int(row[2]) == terrain["dtb"]
        assert row[4] == ("yes" if terrain["armour_shift"] else "no")
        if isinstance(terrain["mp"], list):
            mech, others = terrain["mp"]
            assert row[1] == f"{'no' if mech < 0 else mech} / {others}"
    assert seen == 9


def test_dice_tables() -> None:
    for heading, key in (("Axis replacement table (4.5)", "axis_replacement_table"), ("Soviet event table (4.7)", "")):
        table = TABLES[key or "soviet_event_table"]
        for die, result, _ in chart(heading)[1:]:
            assert result.lower().replace(" ", "_").replace("-", "_") == table[die]
    for turns, fair, bad in chart("Weather table (4.8)")[1:]:
        season = next(s for s in TABLES["weather_table"]["season"] if s["turns"][0] == int(turns.split("–")[0]))
        for words, faces in ((fair, season["fair"]), (bad, season["bad"])):
            assert [int(n) for n in words.split("–")] == sorted({faces[0], faces[-1]})


def test_victory_points_and_par() -> None:
    assert {hex_: int(value) for _, hex_, value in chart("Victory points (19.1)")[1:]} == {
        board.grid.names[h]: value for h, value in board.vp.items()
    }
    par = {int(row[0]): -1 if row[2] == "–" else int(row[2]) for row in chart("Turn track")[1:]}
    assert par == {turn: facts["par"] for turn, facts in board.turns.items()}


def test_entry_hexes_and_ports() -> None:
    for letter, side, hexes_, kind, _ in chart("Entry hexes (4.1b)")[1:]:
        entry = TABLES["entry"][letter]
        assert (side.lower(), hexes_.split(", "), kind.startswith("special")) == (
            entry["side"],
            entry["hexes"],
            entry["special"],
        )
    assert [(row[0], row[1], row[3]) for row in chart("Ports (7.22, 14.22)")[1:]] == [
        (port["place"], port["hex"], port["size"]) for port in TABLES["port"]
    ]


def test_counters() -> None:
    rows = chart("Axis counters")[1:] + chart("Soviet counters")[1:]
    assert [row[0] for row in rows] == list(board.unit_names)
    for u, row in enumerate(rows):
        sides = [cell for cell in row[2:5] if cell != "–"]
        assert len(sides) == board.steps[u]
        for step, cell in enumerate(sides):
            attack, defence, ma = cell.split(" ")[0].split("-")
            assert int(attack.split("[")[0]) == board.att[u][step]
            assert int(defence.strip("()")) == board.dfn[u][step]
            assert ma in (str(board.ma[u][step]), "S", "R")
            if "[" in attack:
                assert int(attack.split("[")[1].strip("]")) == board.att_sup[u][step]
