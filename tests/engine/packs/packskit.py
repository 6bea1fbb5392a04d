"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from pathlib import Path

import sandtable.games.rommel

ROMMEL = Path(sandtable.games.rommel.__file__).parent / "data"

FILES = {
    "grid.toml": """\
orientation = "pointy"
numbering = "RRCC"
rows = [1, 3]
columns_odd_rows = [1, 4]
columns_even_rows = [1, 3]
offset_rows = "even"
hex_count = 11
[neighbours]
odd_rows = { E = [0, 1], W = [0, -1], NE = [-1, 0], NW = [-1, -1], SE = [1, 0], SW = [1, -1] }
even_rows = { E = [0, 1], W = [0, -1], NE = [-1, 1], NW = [-1, 0], SE = [1, 1], SW = [1, 0] }
""",
    "hexes.csv": """\
hex,terrain,tags,name,source
0101,sea,,,book
0102,sea,,,book
0103,land,coastal,,book
0104,land,coastal|capacity:2,Port,book
0201,land,,,book
0202,land,,Well,book
0203,land,,,book
0301,land,,,book
0302,land,,,book
0303,land,,,book
0304,land,impassable,,book
""",
    "hexsides.csv": """\
hex,neighbour,kind,high,source
0201,0202,ridge,0202,book
0202,0302,ridge,,book
""",
    "links.csv": """\
hex,neighbour,kind,source
0103,0104,road,book
0202,0203,track,book
0202,0203,rail,book
""",
    "places.csv": """\
name,name_ja,hex,kind,lat,lon,attributes,source
Port,,0104,town,31.5,24.25,port;capacity=2,book
Gap,,0202,pass,,,hexside=0201/0202,book
""",
    "units.csv": """\
id,name,side,nation,type,steps,source
A1,First,axis,german,armour,2,book
A2,"Second, the",axis,german,infantry,1,book
B1,Third,allied,british,armour,2,book
""",
    "tables.toml": """\
[combat]
results = ["hit", "miss"]
[costs]
clear = 1
rough = 2
""",
    "pack.toml": """\
[units]
whole = ["steps"]
choices = { side = ["axis", "allied"] }
[tables]
needed = ["combat.results", "costs"]
[scenarios]
needed = ["title"]
hexes = ["areas.*"]
units = ["reserve"]
once = ["arrivals.*"]
""",
    "scenarios/first.toml": """\
id = "first"
title = "The first"

[setup]
A1 = "0103"
B1 = "0302"

[arrivals]
"2" = ["A2"]

[areas]
axis = ["0201", "0202"]
""",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def change(folder: Path, name: str, old: str, new: str) -> Path:
    text = FILES[name]
    assert old in text
    return write(folder, {name: text.replace(old, new, 1)})
