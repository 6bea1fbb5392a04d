"""Boards of VASL: an archive made here, and, where a player's own are at hand, those of the desert."""

from __future__ import annotations

import gzip
import os
import random
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from sandtable.cli import main
from sandtable.engine.packs import PackError
from sandtable.games.asl.boards.art import BoardArt, read_art
from sandtable.games.asl.boards.battlefield import Battlefield, battlefield
from sandtable.games.asl.boards.locations import (
    Place,
    Spot,
    crest_exits,
    crest_vertices,
    elevation,
    may_centre,
    places_of,
)
from sandtable.games.asl.boards.pack import load_asl_pack
from sandtable.games.asl.boards.vasl import import_vasl, read_archive
from sandtable.games.asl.game import Asl
from sandtable.games.asl.los.geometry import TOUCH, path
from sandtable.games.asl.los.sight import Sightlines
from sandtable.games.asl.los.tables import SightTable

WIDTH, HEIGHT = 1800, 645
OPEN, BRUSH, WADI, STONE, WALL, CLIFF, SCRUB = 0, 25, 30, 40, 72, 75, 100

Pixel = Callable[[int, int], tuple[int, int]]
"""(x, y) -> elevation, terrain."""


def archive(
    path: Path,
    pixel: Pixel,
    name: str = "T1",
    size: tuple[int, int] = (33, 10),
    cut: int = 0,
    picture: tuple[int, int] = (WIDTH, HEIGHT),
) -> Path:
    """A board archive with these pixels; `picture`: how many it says they are."""
    body = bytearray(struct.pack(">4i", *size, *picture))
    for x in range(WIDTH):
        for y in range(HEIGHT):
            elevation_, terrain = pixel(x, y)
            body += bytes((elevation_ % 256, terrain))
    body += bytes(346)
    if cut:
        del body[-cut:]
    stream = bytearray(b"\xac\xed\x00\x05")
    for at in range(0, len(body), 1024):
        block = body[at : at + 1024]
        stream += b"\x77" + bytes([len(block)]) if len(block) < 256 else b"\x7a" + struct.pack(">I", len(block))
        stream += block
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("LOSData", gzip.compress(bytes(stream), 1))
        file.writestr("BoardMetadata.xml", f'<boardMetadata name="{name}" version="1" width="33" height="10"/>')
    return path


def centre(column: int, row: int) -> tuple[float, float]:
    return 56.25 * (column - 1), 64.5 * (row - 0.5 if column % 2 else row)


def near(x: float, y: float, column: int, row: int, reach: float) -> bool:
    cx, cy = centre(column, row)
    return (x - cx) ** 2 + (y - cy) ** 2 < reach**2


def country(x: int, y: int) -> tuple[int, int]:
    """A building in M5 that fills its middle, a hill around U5, scrub in C4, brush in half of Q6, two walls, one of
    them beside its hexside, a wadi from Z8 to BB8, and one in F7 under a cliff to its east."""
    if near(x, y, 13, 5, 14):
        return 0, STONE
    if near(x, y, 21, 5, 70):
        return 1, OPEN
    if near(x, y, 3, 4, 20):
        return 0, SCRUB
    if near(x, y, 17, 6, 28) and x < centre(17, 6)[0]:
        return 0, BRUSH
    if abs(y - centre(26, 8)[1]) < 12 and centre(26, 8)[0] - 12 < x < centre(28, 8)[0] + 12:
        return -1, WADI
    if abs(y - (centre(9, 3)[1] + 32.25)) < 3 and abs(x - centre(9, 3)[0]) < 20:
        return 0, WALL
    if abs(y - (centre(5, 3)[1] + 37.25)) < 1.5 and abs(x - centre(5, 3)[0]) < 20:
        return 0, WALL
    cx, cy = centre(6, 7)
    if abs(x - cx) < 10 and abs(y - cy) < 20:
        return -1, WADI
    if 10 <= x - cx < 13 and abs(y - cy) < 24:
        return 0, CLIFF
    return 0, OPEN


@cache
def made(folder: Path) -> Battlefield:
    import_vasl(archive(folder / "bdT1", country), folder / "pack")
    return battlefield({"boards": [{"id": "T1"}]}, load_asl_pack([folder / "pack"]))


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Battlefield:
    return made(tmp_path_factory.mktemp("vasl"))


def test_hexes_of_an_imported_board(field: Battlefield) -> None:
    words = {name: field.terrain[field.hex(f"T1.{name}")] for name in ("M5", "C4", "Q6", "U5", "D4")}
    assert words == {"M5": "building_stone", "C4": "scrub", "Q6": "brush", "U5": "open", "D4": "open"}
    assert field.level[field.hex("T1.U5")] == 2
    assert [field.has("wadi", field.hex(f"T1.{name}")) for name in ("Z8", "AA8", "BB8")] == [True, True, True]
    assert field.level[field.hex("T1.Z8")] == 0
    z8, aa8 = field.hex("T1.Z8"), field.hex("T1.AA8")
    assert field.side("wadi", z8, field.grid.direction(z8, aa8))
    assert [[d for d in range(6) if field.side("wall", field.hex(f"T1.{name}"), d)] for name in ("I3", "E3")] == [
        [3],
        [3],
    ]
    sides = (("I3", "wall"), ("E3", "wall"), ("F7", "wadi_cliff"))
    found = [[d for d in range(6) if field.side(kind, field.hex(f"T1.{name}"), d)] for name, kind in sides]
    assert found == [[3], [3], [1, 2]]
    u4, u5 = field.hex("T1.U3"), field.hex("T1.U5")
    assert field.level[u4] == 0
    raised = [h for h in field.grid.hexes if field.level[h] == 2]
    assert u5 in raised
    for one, d, n in ((h, d, n) for h in raised for d, n in field.grid.neighbours[h]):
        assert field.side("crest", one, d) == (field.level[n] == 0)
    assert field.half.bit_count() == 52


def test_lines_run_past_the_art_and_not_past_the_hex(field: Battlefield) -> None:
    lines = Sightlines(field)

    def rule(a: str, b: str) -> str:
        block = lines.look(Spot(field.hex(f"T1.{a}")), Spot(field.hex(f"T1.{b}"))).block
        return block.rule if block else ""

    assert rule("M6", "M4") == "A6.2"  # straight through the building
    assert rule("K3", "O6") == ""  # through the hex, past the building in it
    east, west = (lines.look(Spot(field.hex("T1.Q8")), Spot(field.hex(f"T1.{name}"))) for name in ("R3", "P3"))
    assert (east.hindrance, west.hindrance) == (0, 1)  # past the brush of Q6 and through it
    for a, b in (("Q4", "Q8"), ("Q8", "Q4")):  # from the middle of a hex to the east or west corner of another
        corners = [Spot(field.hex(f"T1.{b}"), Place.BYPASS, vertex=v) for v in (1, 4)]
        assert [lines.look(Spot(field.hex(f"T1.{a}")), one).hindrance for one in corners] == [0, 1]
    assert rule("U9", "U1") == "B10.2"
    assert rule("I5", "I2") == "A6.21"


def test_sight_along_the_drawn_bed_of_a_wadi(field: Battlefield) -> None:
    """A6.3b the line from Z8 to BB8 stays on the bed; that from Z8 to AA8 too."""
    lines = Sightlines(field)
    z8, aa8, bb8 = (Spot(field.hex(f"T1.{name}"), Place.IN) for name in ("Z8", "AA8", "BB8"))
    assert lines.look(z8, aa8).clear
    assert lines.look(z8, bb8).clear


@pytest.mark.rule("asl", "A6.3a", "A6.3b")
def test_a_drawn_wadi_hides_those_in_it(field: Battlefield) -> None:
    lines = Sightlines(field)
    aa8, f7 = (Spot(field.hex(f"T1.{name}"), Place.IN) for name in ("AA8", "F7"))
    block = lines.look(aa8, Spot(field.hex("T1.AA4"))).block
    assert block is not None
    assert block.rule == "A6.3a"
    block = lines.look(aa8, f7).block
    assert block is not None
    assert block.rule == "A6.3b"


def test_sight_over_art_is_mutual(field: Battlefield) -> None:
    lines = Sightlines(field)
    draw = random.Random(1)
    for _ in range(1500):
        a, b = draw.choice(field.grid.hexes), draw.choice(field.grid.hexes)
        one = Spot(a, draw.choice(places_of(field, a)), draw.random() < 0.3)
        other = Spot(b, draw.choice(places_of(field, b)), draw.random() < 0.3)
        assert lines.sees(one, other) == lines.sees(other, one)


def test_an_imported_board_joins_others_and_turns(field: Battlefield) -> None:
    boards = [{"id": "T1", "rotated": True}, {"id": "D4", "x": 1}]
    joined = battlefield({"boards": boards}, field.pack)
    turned, plain = Sightlines(joined), Sightlines(field)
    for a, b in (("M6", "M4"), ("K3", "O6"), ("U9", "U1"), ("Q8", "P3"), ("I5", "I2"), ("C4", "GG7")):
        spots = [Spot(joined.hex(f"T1.{name}")) for name in (a, b)]
        other = [Spot(field.hex(f"T1.{name}")) for name in (a, b)]
        assert turned.look(spots[0], spots[1]).clear == plain.look(other[0], other[1]).clear
    beside = Sightlines(battlefield({"boards": [{"id": "T1"}, {"id": "D6", "x": 1, "rotated": True}]}, field.pack))
    ends = [Spot(beside.field.hex(name)) for name in ("T1.L5", "D6.W2")]
    block = beside.look(*ends).block  # over drawn ground, and over a hill of a board that has none
    assert block is not None
    assert block.rule == "B10.2"


def test_the_list_of_boards_grows(tmp_path: Path) -> None:
    for name in ("T1", "T2", "T1"):
        import_vasl(archive(tmp_path / name, lambda x, y: (0, 0), name), tmp_path / "pack")
    pack = load_asl_pack([tmp_path / "pack"])
    assert [id for id in pack.boards if id[0] == "T"] == ["T1", "T2"]
    assert not pack.boards["T1"].desert


def test_bad_archives_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flat: Pixel = lambda x, y: (0, 0)  # noqa: E731
    with pytest.raises(PackError, match="there is no such file") as told:
        read_archive(tmp_path / "none")
    assert told.value.line == 0, "no line of it is at fault"
    (tmp_path / "text").write_text("hello")
    with pytest.raises(PackError, match="this is not a VASL board archive"):
        read_archive(tmp_path / "text")
    with zipfile.ZipFile(tmp_path / "empty", "w") as file:
        file.writestr("data", "x")
    with pytest.raises(PackError, match="no LOSData"):
        read_archive(tmp_path / "empty")
    with zipfile.ZipFile(tmp_path / "odd", "w") as file:
        file.writestr("LOSData", gzip.compress(b"nonsense"))
    with pytest.raises(PackError, match="the LOS data cannot be read"):
        read_archive(tmp_path / "odd")
    with pytest.raises(PackError, match="20 by 8 hexes"):
        read_archive(archive(tmp_path / "small", flat, size=(20, 8)))
    with pytest.raises(PackError, match="the picture has 900 by 300 pixels; only 1800 by 645 can be read"):
        read_archive(archive(tmp_path / "coarse", flat, picture=(900, 300)))
    with pytest.raises(PackError, match="end early"):
        read_archive(archive(tmp_path / "short", flat, cut=5000))
    strange = archive(tmp_path / "strange", lambda x, y: (0, 99 if x < 5 else 0))
    with pytest.raises(PackError, match="unknown numbers: 99"):
        read_archive(strange)
    assert import_vasl(strange, tmp_path / "pack", {99: "grain"}).hexes == 346
    with pytest.raises(PackError, match="'jungle' is none of"):
        import_vasl(strange, tmp_path / "pack", {99: "jungle"})
    assert main(["packs", "import-vasl", str(tmp_path / "text"), "--to", str(tmp_path / "pack")]) == 1
    assert "this is not a VASL board archive" in capsys.readouterr().err
    assert main(["packs", "import-vasl", str(strange), "--to", str(tmp_path / "out"), "--terrain", "99=grain"]) == 0
    assert "board T1: 346 hexes" in capsys.readouterr().out
    (tmp_path / "out" / "boards" / "T1_pixels.bin").write_bytes(b"broken")
    with pytest.raises(PackError, match="this is not the art of a board"):
        read_art(tmp_path / "out" / "boards" / "T1_pixels.bin")


@pytest.mark.parametrize("pixels", [bytes(5), bytes(7), bytes([0, 0, 0, 0, 0, 1])])
def test_art_whose_pixels_do_not_fit_is_refused(tmp_path: Path, pixels: bytes) -> None:
    BoardArt(2, 3, ((0, "open"),), bytes(6)).write(tmp_path / "art")
    assert read_art(tmp_path / "art").pixels == bytes(6)
    BoardArt(2, 3, ((0, "open"),), pixels).write(tmp_path / "art")
    with pytest.raises(PackError, match="its pixels do not fit"):
        read_art(tmp_path / "art")


# The forces of the first scenario on an imported board


def run(config: Path, *words: str) -> str:
    """What the command line says to somebody whose configuration is this folder."""
    made = subprocess.run(
        [sys.executable, "-m", "sandtable.cli", *words],
        env={**os.environ, "XDG_CONFIG_HOME": str(config)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout


def played_and_verified(config: Path, scenario: str, players: str) -> None:
    """A game from beginning to end whose save is good."""
    saves = config / players
    told = run(
        config, "simulate", "asl", scenario, "--games", "1", "--seed", "7", "--players", players,
        "--jobs", "1", "--save-dir", str(saves),
    )  # fmt: skip
    assert "1 played, 1 finished, 0 errors" in told
    (save,) = saves.iterdir()
    assert "good" in run(config, "verify", str(save))


def test_the_first_scenario_plays_on_an_imported_board(tmp_path: Path) -> None:
    board = archive(tmp_path / "bdT1", lambda x, y: (0, SCRUB if (x // 90 + y // 90) % 3 == 0 else OPEN))
    run(tmp_path, "packs", "import-vasl", str(board))
    assert "s01_on_T1" in run(tmp_path, "scenarios", "asl")
    assert "no faults" in run(tmp_path, "packs", "check", "asl")
    played_and_verified(tmp_path, "s01_on_T1", "random,random")


def test_asl_says_where_data_of_ones_own_belong(tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"from .*sandtable/packs/asl alone"):
        Asl(overrides=[tmp_path])


# A player's own boards

OWN = Path(__file__).resolve().parents[4] / "shared" / "asl" / "boards"
own = pytest.mark.skipif(not OWN.is_dir(), reason="no VASL boards beside the repository: they are not ours to bring")


@pytest.fixture(scope="module")
def board25(tmp_path_factory: pytest.TempPathFactory) -> Battlefield:
    folder = tmp_path_factory.mktemp("own")
    import_vasl(OWN / "bd25", folder)
    return battlefield({"boards": [{"id": "25"}]}, load_asl_pack([folder]))


@own
def test_board_25_is_as_the_book_says(board25: Battlefield) -> None:
    """DATA-02, DATA-04, DATA-05, DATA-06 and the examples of F5 name hexes of board 25."""
    f = board25
    text = "B2 B4 C2 D2 D6 D7 E2 E8 E9 E10 F6 F10 G7 G9 I9 J8 K5 M7 O8 O9 U4 V5 Y7"
    wadi = set(text.split())
    assert {name for name in wadi if f.has("wadi", f.hex(f"25.{name}"))} == wadi
    assert not any(f.has("wadi", f.hex(f"25.{name}")) for name in ("C7", "G10", "Z10", "C3", "D3", "C4", "U3"))
    bottoms = {name: elevation(f, Spot(f.hex(f"25.{name}"), Place.IN)) // 2 for name in ("I9", "J8", "G9")}
    assert bottoms == {"I9": 0, "J8": 1, "G9": 0}
    assert f.level[f.hex("25.O8")] == 6
    assert f.level[f.hex("25.N9")] - elevation(f, Spot(f.hex("25.O9"), Place.IN)) == 4
    for pair in ("B4 B5", "B5 C5", "C5 C6", "D5 C6", "U3 U4", "V9 W9", "X4 X5"):
        a, b = (f.hex(f"25.{name}") for name in pair.split())
        d = f.grid.direction(a, b)
        assert f.side("hedge", a, d) or f.side("wall", a, d), pair
    for name in ("B5", "V2", "W2", "X3", "Y2", "Q10"):
        assert f.terrain[f.hex(f"25.{name}")] == "building_stone"
    for name in ("B6", "D4"):
        assert f.terrain[f.hex(f"25.{name}")] == "orchard"
    e2 = f.hex("25.E2")  # EX-F5.421: two wadi hexsides, cliffs on the others
    assert [f.side("wadi", e2, d) for d in range(6)] == [False] * 4 + [True] * 2
    assert [f.side("wadi_cliff", e2, d) for d in range(6)] == [True] * 4 + [False] * 2
    assert any(f.roads)
    # EX-F5.4, EX-F5.421, EX-F5.422-1
    o8, o9, c2 = (f.hex(f"25.{name}") for name in ("O8", "O9", "C2"))
    assert [d for d in range(6) if may_centre(f, o8, d)] == [0, 1, 2, 3, 5]
    assert [d for d in range(6) if may_centre(f, o9, d)] == [0, 1]
    assert crest_vertices(f, c2) == (2, 3)
    assert crest_vertices(f, e2) == ()
    assert [f.name(f.grid.neighbour(c2, d)) for d in crest_exits(f, c2, 2)] == ["25.C3"]
    assert [f.name(f.grid.neighbour(c2, d)) for d in crest_exits(f, c2, 3)] == ["25.C3", "25.B2"]


@own
@pytest.mark.parametrize("players", ["random,random", "planner,planner"])
def test_board_25_plays_the_forces_of_the_first_scenario_to_the_end(tmp_path: Path, players: str) -> None:
    run(tmp_path, "packs", "import-vasl", str(OWN / "bd25"))
    played_and_verified(tmp_path, "s01_on_25", players)


@own
def test_the_walls_of_board_25(board25: Battlefield) -> None:
    """EX-F10.2, to the letter."""
    f, lines = board25, Sightlines(board25)

    def sees(a: Spot, name: str, place: Place = Place.GROUND, dug_in: bool = False) -> bool:
        return lines.sees(a, Spot(f.hex(f"25.{name}"), place, dug_in))

    w4, w5 = Spot(f.hex("25.W4")), Spot(f.hex("25.W5"))
    crest, inside = (Spot(f.hex("25.V5"), place) for place in (Place.CREST, Place.IN))
    for name in ["U7", "V6", "V7", "W6", "W7", "W8", "X5", "X6", "X7"]:
        for one in (w4, w5, crest, inside):
            assert sees(one, name), (one, name)
    for one in (w4, w5, crest):
        for name in ("V6", "W6", "X5"):
            assert sees(one, name, dug_in=True) == f.grid.adjacent(one.hex, f.hex(f"25.{name}"))
    assert [sees(inside, name, dug_in=True) for name in ("V6", "W6", "X5")] == [True, True, False]
    assert sees(w4, "Y7", Place.CREST)
    assert sees(w5, "Y5")


@own
def test_lines_agree_with_the_stored_geometry(board25: Battlefield) -> None:
    """What blocks stands in the stored data where it is said to, and nothing that would block was missed."""
    f = board25
    lines = Sightlines(f)
    assert f.placed[0].board.pixels is not None
    art = read_art(f.placed[0].board.pixels)
    draw = random.Random(5)
    counts = {"A6.2": 0, "B10.2": 0, "": 0}
    while min(counts.values()) < 40:
        a, b = draw.choice(f.grid.hexes), draw.choice(f.grid.hexes)
        if f.grid.distance(a, b) < 2 or f.grid.distance(a, b) > 9:
            continue
        (ac, ay), (bc, by) = f.place[a], f.place[b]
        between: dict[int, list[tuple[int, str]]] = {}
        for step in path(bc - ac, by - ay).steps:
            h = f.at.get((ac + step.at[0], ay + step.at[1]), -1)
            if h < 0 or step.how == TOUCH:
                continue
            found = between.setdefault(h, [])
            for i in range(120):
                t = step.begin + (step.end - step.begin) * (i + 0.5) / 120
                x, y = (ac - 1 + (bc - ac) * t) * 56.25, (ay + (by - ay) * t) * 32.25
                found.append(art.meanings[art.at(x, y)])
        block = lines.look(Spot(a), Spot(b)).block
        high = max(f.level[a], f.level[b])
        if block is None:
            for h, pixels in between.items():
                along = any(
                    s.at == (f.place[h][0] - ac, f.place[h][1] - ay) and s.twin for s in path(bc - ac, by - ay).steps
                )
                worst = [level for level, word in pixels if level > high]
                assert along or len(worst) <= 2, (f.name(a), f.name(b), f.name(h), worst)
                assert sum(word == "building_stone" and level + 2 >= high for level, word in pixels) <= 2
            counts[""] += 1
        elif block.rule == "A6.2":
            assert any(word == "building_stone" for _, word in between[block.hex])
            counts["A6.2"] += 1
        elif block.rule == "B10.2":
            lowest = min(f.level[a], f.level[b])
            drawn = max(level for level, _ in between[block.hex])
            assert max(drawn, f.base[block.hex]) > lowest
            counts["B10.2"] += 1


@own
@pytest.mark.slow
@pytest.mark.parametrize("number", range(25, 32))
def test_every_pair_of_an_own_board_is_mutual(number: int, tmp_path: Path) -> None:
    import_vasl(OWN / f"bd{number}", tmp_path)
    f = battlefield({"boards": [{"id": str(number)}]}, load_asl_pack([tmp_path]))
    lines = Sightlines(f)
    hexes = f.grid.hexes
    for i, a in enumerate(hexes):
        for b in hexes[i + 1 :]:
            there, back = lines.look(Spot(a), Spot(b)), lines.look(Spot(b), Spot(a))
            assert there.clear == back.clear
            if there.block is not None:
                assert there.block.rule
                assert f.grid.names[there.block.hex]
    table = SightTable(f, folder=tmp_path / "cache")
    table.prepare()
    assert table.path().is_file()


def test_beyond_the_edge_of_the_art_lies_what_lies_on_the_edge() -> None:
    art = BoardArt(2, 3, ((0, "open"),), bytes(range(6)))  # column by column
    assert [art.at(x, y) for x, y in ((0, 0), (0.9, 2), (1, 2.5), (-1, -1), (5, 1), (1, 9))] == [0, 2, 5, 0, 4, 5]
