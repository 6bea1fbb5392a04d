"""The drawings: valid SVG, complete, escaped, small, and silent about what is hidden."""

from __future__ import annotations

import dataclasses
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from itertools import pairwise
from math import hypot
from pathlib import Path

import pytest
import resvg_py

import sandtable.games.caucasus
import sandtable.games.rommel
from sandtable.engine.drawing import (
    PALETTES,
    Counter,
    MapStyle,
    Marker,
    SiteLook,
    draw_map,
    draw_position,
    relief,
    symbol,
    ways,
)
from sandtable.engine.drawing.field import Lattice
from sandtable.engine.drawing.ground import draw_ground, land_field
from sandtable.engine.drawing.hexsides import draw_hexsides
from sandtable.engine.drawing.scene import UNIT, Obstacles, Scene, chains
from sandtable.engine.drawing.svg import curve_path, curve_pieces, loop_path, loop_pieces, num, safe, scattered
from sandtable.engine.drawing.ways import draw_ways, lines_through
from sandtable.engine.hexes import Grid, GridSpec, hexes_of, numbered
from sandtable.engine.packs import Pack, load_pack
from sandtable.export import svg_to_png
from sandtable.games.caucasus.shown.look import STYLE as HIGH
from sandtable.games.rommel.shown.look import STYLE, block, short_name

SVG = "{http://www.w3.org/2000/svg}"
FOLDER = Path(sandtable.games.rommel.__file__).parent / "data"


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(FOLDER)


@pytest.fixture(scope="module")
def empty(pack: Pack) -> str:
    return draw_map(pack, STYLE)


def set_up(pack: Pack, scenario: str, seen_by: str = "") -> list[Counter]:
    """The blocks of a scenario, those of the other side from behind."""
    weaker = pack.scenarios[scenario]["strength"]
    counters = []
    for placed in pack.setup(scenario):
        row = pack.units[placed.unit]
        cv = weaker.get(placed.unit, row.whole("cv_max"))
        hidden = seen_by not in ("", row["side"])
        counters.append(block(pack, placed.unit, pack.hex(placed.at), cv, hidden=hidden))
    return counters


def titles(svg: str) -> list[str]:
    """The titles of all counters."""
    found = ET.fromstring(svg).iterfind(f".//{SVG}g[@transform]/{SVG}title")
    return [element.text or "" for element in found]


# ---------------------------------------------------------------- the map


@pytest.mark.parametrize("palette", PALETTES)
def test_map_is_valid_and_small(pack: Pack, palette: str) -> None:
    svg = draw_map(pack, STYLE, palette, numbers=True)
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("width") == "2000"
    assert len(svg) < 400_000
    assert "nan" not in svg
    assert "inf" not in re.sub("[a-z_]*infantry", "", svg)


def test_every_place_is_named(pack: Pack, empty: str) -> None:
    named = {element.get("data-place") for element in ET.fromstring(empty).iter(f"{SVG}g")}
    assert {place.name for place in pack.places} <= named


def test_names_stand_in_the_text(pack: Pack, empty: str) -> None:
    words = " ".join(" ".join(ET.fromstring(empty).itertext()).split())
    for place in pack.places:
        for word in place.name.split():
            assert word in words


def test_names_can_be_left_out(pack: Pack) -> None:
    assert "Tobruk" not in draw_map(pack, STYLE, names=False)


def test_numbers_on_request(pack: Pack, empty: str) -> None:
    assert ">0313<" not in empty
    numbered_map = draw_map(pack, STYLE, numbers=True)
    assert ">0313<" in numbered_map
    assert ">0101<" not in numbered_map  # sea


def test_drawing_is_the_same_every_time(pack: Pack, empty: str) -> None:
    assert draw_map(load_pack(FOLDER), STYLE) == empty
    assert draw_map(pack, STYLE) == empty  # from what was kept


def test_small_maps_drop_lesser_names(pack: Pack) -> None:
    sites = {**STYLE.sites, "well": SiteLook("ring", "landmark", shown_from=60)}
    style = dataclasses.replace(STYLE, sites=sites)
    assert "Sofafi" in draw_map(pack, style, width=2000)
    assert "Sofafi" not in draw_map(pack, style, width=1000)


def test_names_keep_apart(pack: Pack, empty: str) -> None:
    """No town's name starts where another's does."""
    texts = ET.fromstring(empty).iterfind(f".//{SVG}g[@class='names']//{SVG}text")
    spots = [(float(element.get("x", 0)), float(element.get("y", 0))) for element in texts]
    for i, (x, y) in enumerate(spots):
        assert all(hypot(x - a, y - b) > 6 for a, b in spots[:i])


def test_unknown_palette(pack: Pack) -> None:
    with pytest.raises(ValueError, match="no palette 'sepia'; there are light, dark"):
        draw_map(pack, STYLE, "sepia")


def test_a_style_may_know_nothing_of_the_pack(pack: Pack) -> None:
    ET.fromstring(draw_map(pack, MapStyle("Bare", sea=())))


# ---------------------------------------------------------------- shapes


def test_every_hex_keeps_its_terrain(pack: Pack) -> None:
    scene = Scene(pack, STYLE, "light", 2000)
    field = land_field(scene)
    for h in pack.grid.hexes:
        assert (field.at(pack.grid.centre(h)) > 0.5) == bool(scene.land >> h & 1), pack.id(h)


def test_contours_are_closed_and_separate() -> None:
    grid = Grid(GridSpec("flat", numbered("CCRR", ((r, c) for r in range(6) for c in range(9)))))
    islands = 1 << grid.index["0202"] | 1 << grid.index["0603"]
    loops = Lattice(grid).field(islands).contour()
    assert len(loops) == 2
    for loop in loops:
        assert all(hypot(bx - ax, by - ay) < 0.3 for (ax, ay), (bx, by) in pairwise([*loop, loop[0]]))


def test_chains_join_ends() -> None:
    a, b, c, d = (0.0, 0.0), (10.0, 0.0), (20.0, 0.0), (20.0, 10.0)
    assert [[point for point, _ in chain] for chain in chains([(b, a), (b, c), (d, c)])] == [[a, b, c, d]]
    ring = chains([(a, b), (b, d), (d, a)])
    assert len(ring) == 1
    assert ring[0][0][0] == ring[0][-1][0]
    star = chains([(a, b), (b, c), (b, d)])
    assert sorted(len(chain) for chain in star) == [2, 2, 2]


def test_ways_cover_every_link_once(pack: Pack) -> None:
    scene = Scene(pack, STYLE, "light", 2000)
    for kind in pack.links:
        pairs = [(edge.hex, edge.neighbour) for edge in pack.ways if edge.kind == kind]
        drawn = [frozenset(step) for line in lines_through(scene, pairs) for step in pairwise(line)]
        assert sorted(map(sorted, drawn)) == sorted(map(sorted, pairs))


def test_sea_side_parts_bardia_from_sollum(pack: Pack) -> None:
    field = land_field(Scene(pack, STYLE, "light", 2000))
    (ax, ay), (bx, by) = (pack.grid.centre(pack.hex(name)) for name in ("Bardia", "Sollum"))
    assert field.at(((ax + bx) / 2, (ay + by) / 2)) < 0.5


def test_strokes_are_gathered_by_place(pack: Pack, empty: str) -> None:
    """No stroked path carries strokes of the whole map: each part drawn would have to go through all of them."""
    root = ET.fromstring(empty)
    drawn = 0
    for name in ("ground", "grid", "hexsides"):
        for path in root.iterfind(f".//{SVG}g[@class='{name}']//{SVG}path"):
            starts = [tuple(map(float, pair)) for pair in re.findall(r"M(-?[\d.]+) ?(-?[\d.]+)", path.get("d", ""))]
            if len(starts) > 60 and path.get("fill") is None:
                drawn += 1
                assert max(x for x, _ in starts) - min(x for x, _ in starts) <= 450  # a cell and a stroke
                assert max(y for _, y in starts) - min(y for _, y in starts) <= 450  # a cell and a stroke
    assert drawn > 10


def test_scattered_pieces_keep_one_look() -> None:
    drawn = scattered(["M1 2h3", "M390-3h3", "M5 6h3", "M-7 8h3"], stroke="#000", opacity=".5")
    root = ET.fromstring(drawn)
    assert (root.tag, root.get("opacity")) == ("g", ".5")
    assert [path.get("d") for path in root] == ["M1 2h3M5 6h3", "M390-3h3", "M-7 8h3"]
    with pytest.raises(ValueError, match="must begin with M"):
        scattered(["m1 2h3"])


def test_pieces_of_a_line_lie_end_to_end() -> None:
    points = [(0.0, 0.0), (100.0, 0.0), (150.0, 80.0), (250.0, 80.0), (300.0, 0.0), (400.0, 0.0)]
    curves = [path.partition("C")[2] for path, _ in curve_pieces(points, 2)]
    assert "C".join(curves) == curve_path(points).partition("C")[2]
    along = [start for _, start in curve_pieces(points, 2)]
    assert along[0] == 0.0
    assert along[1] == pytest.approx(197, abs=2)
    assert along[2] == pytest.approx(along[1] * 2, abs=2)
    loops = [piece.partition("Q")[2] for piece in loop_pieces(points, 4)]
    assert "Q".join(loops) + "Z" == loop_path(points).partition("Q")[2]


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize("scenario", ["1940", "1941", "1942", "battleaxe", "crusader", "gazala", "pursuit"])
def test_every_unit_is_drawn_once(pack: Pack, scenario: str) -> None:
    counters = set_up(pack, scenario)
    drawn = titles(draw_position(pack, STYLE, counters, names=False))
    assert sorted(drawn) == sorted(f"{c.label}, {c.strength}, {c.detail}" for c in counters)
    assert len(set(drawn)) == len(counters)


def test_hidden_counters_say_nothing(pack: Pack) -> None:
    """Not one word, number or kind of the enemy's blocks is in the file."""
    counters = set_up(pack, "crusader", seen_by="axis")
    svg = draw_position(pack, STYLE, counters, names=False)
    theirs = [pack.units[p.unit] for p in pack.setup("crusader") if pack.units[p.unit]["side"] == "commonwealth"]
    for row in theirs:
        assert safe(row["name"]) not in svg
        assert f">{safe(short_name(row['name']))}<" not in svg
        assert row["id"] not in svg
    assert titles(svg).count("hidden, commonwealth") == len(theirs)
    for nation in ("british", "indian", "south_african", "label-cw"):
        assert nation not in svg


def test_hidden_counters_hide_what_they_were_given(pack: Pack) -> None:
    """Even a counter that carries its identity shows none of it."""
    secret = Counter(
        pack.hex("Tobruk"),
        "commonwealth",
        label="SECRETLABEL",
        strength="97531",
        symbol="SECRETKIND",
        size="SECRETSIZE",
        hidden=True,
        steps=3,
        nation="german",
        detail="SECRETDETAIL",
        edges=("86420", "75310"),
        tank="64",
        tank_hollow=True,
        boxed=("low", "elite"),
        band="band-8",
    )
    plain = Counter(pack.hex("Tobruk"), 1, hidden=True)
    for style in (STYLE, dataclasses.replace(STYLE, blocks=False, nations={"german": "de"})):
        svg = draw_position(pack, style, [secret])
        assert "SECRET" not in svg
        assert svg == draw_position(pack, style, [plain])


def test_boxes_band_and_tank_value_of_a_counter(pack: Pack) -> None:
    """A red box around an elite value and a white one around a low, at their places; band and circle beside."""
    style = dataclasses.replace(STYLE, blocks=False, nations={"german": "de"})
    plain = Counter(pack.hex("Tobruk"), "axis", "A", "8-5-4", nation="german", symbol="armour")
    fill = {token: f'fill="{PALETTES["light"][token]}"' for token in ("elite", "low", "band-2")}
    bare = draw_position(pack, style, [plain])
    assert not any(colour in bare for colour in (fill["elite"], fill["band-2"]))
    elite = draw_position(pack, style, [dataclasses.replace(plain, boxed=("", "elite", ""), band="band-2")])
    assert '<rect x="-5.6" y="9.9"' in elite
    assert fill["elite"] in elite
    assert fill["band-2"] in elite
    attack = draw_position(pack, style, [dataclasses.replace(plain, boxed=("elite", "", ""))])
    assert '<rect x="-19.1" y="9.9"' in attack
    full = draw_position(pack, style, [dataclasses.replace(plain, tank="3")])
    hollow = draw_position(pack, style, [dataclasses.replace(plain, tank="3", tank_hollow=True)])
    assert full != hollow
    assert ">3<" in full
    assert ">3<" in hollow


def test_order_of_hidden_counters_tells_nothing(pack: Pack) -> None:
    tobruk = pack.hex("Tobruk")
    hidden = [Counter(tobruk, "commonwealth", label=name, hidden=True) for name in "abc"]
    seen = Counter(tobruk, "commonwealth", label="seen", marks=("revealed",))
    first = draw_position(pack, STYLE, [hidden[0], seen, hidden[1], hidden[2]])
    assert first == draw_position(pack, STYLE, [hidden[2], hidden[1], hidden[0], seen])


def test_text_is_escaped(pack: Pack) -> None:
    nasty = "<b>&\"'\x00\x0b</svg>"
    counter = Counter(pack.hex("Tobruk"), "axis", label=nasty, strength="<", symbol="?<&", detail=nasty)
    marker = Marker(pack.hex("Tobruk"), "badge", nasty)
    for blocks in (True, False):
        style = dataclasses.replace(STYLE, blocks=blocks)
        root = ET.fromstring(draw_position(pack, style, [counter], [marker], title=nasty))
        texts = {element.text for element in root.iter(f"{SVG}text")}
        assert "<b>&\"'</svg>" in texts
        assert root.find(f"{SVG}title") is not None


def test_marks_and_markers(pack: Pack) -> None:
    tobruk, bardia = pack.hex("Tobruk"), pack.hex("Bardia")
    counters = [
        Counter(tobruk, "axis", "A", "4", marks=("disrupted", "out_of_supply")),
        Counter(bardia, "axis", "B", "4", marks=("moved",)),
    ]
    markers = [Marker(tobruk, "battle"), Marker(bardia, "minefield"), Marker(bardia, "control", side="axis")]
    svg = draw_position(pack, STYLE, counters, markers)
    for word in ("mark disrupted", "mark out_of_supply", "mark moved", "battle", "minefields", "control"):
        assert f'class="{word}"' in svg


def test_highlights_and_path(pack: Pack) -> None:
    hexes = 1 << pack.hex("Tobruk") | 1 << pack.hex("Acroma")
    route = [pack.hex(name) for name in ("0313", "0413", "0513")]
    svg = draw_position(pack, STYLE, [], highlight=hexes, danger=1 << pack.hex("Bardia"), path=route)
    for word in ("highlight", "danger", "path"):
        assert f'class="{word}"' in svg


@pytest.mark.parametrize("many", [1, 2, 3, 4, 5, 8, 9, 12, 16, 17, 30])
def test_stacks_of_any_size(pack: Pack, many: int) -> None:
    """Each block has a place of its own, inside or close to its hex."""
    tobruk = pack.hex("Tobruk")
    sides = ("axis", "commonwealth")
    stack = [Counter(tobruk, sides[k % 2], str(k), "1") for k in range(many)]
    svg = draw_position(pack, STYLE, stack, names=False)
    found = re.findall(r'class="counter \w+" transform="translate\((-?[\d.]+)[ ]?(-?[\d.]+)\)"', svg)
    spots = [(float(x), float(y)) for x, y in found]
    x0, y0 = Scene(pack, STYLE, "light", 2000).xy(tobruk)
    assert len(set(spots)) == many
    assert all(abs(x - x0) < 60 and abs(y - y0) < 55 for x, y in spots)


def test_counters_in_a_pile_count_themselves(pack: Pack) -> None:
    style = dataclasses.replace(STYLE, blocks=False)
    stack = [Counter(pack.hex("Tobruk"), "axis", f"U{k}", "5-6-3", "infantry", "II") for k in range(3)]
    svg = draw_position(pack, style, stack)
    assert len(titles(svg)) == 3
    assert svg.count(">3</text>") == 2  # the pile's count, and the movement of the counter on top


def test_names_move_aside_for_counters(pack: Pack) -> None:
    """The name of an occupied hex does not lie on its block."""
    adem = pack.hex("El Adem")
    x0, y0 = Scene(pack, STYLE, "light", 2000).xy(adem)
    svg = draw_position(pack, STYLE, [Counter(adem, "axis", "X", "4", "armour")])
    name = next(e for e in ET.fromstring(svg).iter(f"{SVG}g") if e.get("data-place") == "El Adem")
    for element in name.iter(f"{SVG}text"):
        x, y = float(element.get("x", 0)), float(element.get("y", 0))
        assert abs(x - x0) > 22 or abs(y - y0) > 22


# ---------------------------------------------------------------- parts


def test_numbers_are_short() -> None:
    assert [num(v) for v in (0, -0.04, 0.5, -0.5, 12.0, 12.34, -7)] == [
        "0",
        "0",
        ".5",
        "-.5",
        "12",
        "12.3",
        "-7",
    ]


def test_every_kind_of_unit_has_a_symbol(pack: Pack) -> None:
    for kind in {row["type"] for row in pack.units.values()}:
        drawn = symbol(kind, 0, 0, 30, "#000")
        assert "<text" not in drawn
        assert "<path" in drawn
    assert ">XY<" in symbol("xylophone_yard", 0, 0, 30, "#000")


def test_labels_of_blocks_are_short(pack: Pack) -> None:
    assert short_name("Panzer-Rgt 5") == "Pz 5"
    assert all(len(short_name(row["name"])) <= 10 for row in pack.units.values())


def test_block_shows_its_edges(pack: Pack) -> None:
    drawn = block(pack, "IT-ARI", 0, 3)
    assert (drawn.strength, drawn.edges, drawn.steps) == ("3", ("2", "4"), 3)
    assert block(pack, "IT-ARI", 0, 3, hidden=True) == Counter(0, "axis", hidden=True)


# ---------------------------------------------------------------- PNG


def test_png_is_lettered_on_a_machine_without_fonts(
    pack: Pack, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    render = resvg_py.svg_to_bytes
    monkeypatch.setattr(resvg_py, "svg_to_bytes", lambda **wish: render(**wish, skip_system_fonts=True))
    with_names = svg_to_png(empty, tmp_path / "map.png", 600).read_bytes()
    assert with_names.startswith(b"\x89PNG")
    without = svg_to_png(draw_map(pack, STYLE, names=False), tmp_path / "bare.png", 600).read_bytes()
    assert without != with_names


# ---------------------------------------------------------------- relief


def test_relief_lies_on_heights_alone_and_is_the_same_in_all_palettes() -> None:
    folder = Path(sandtable.games.caucasus.__file__).parent / "data"
    mountains = load_pack(folder)
    scene = Scene(mountains, HIGH, "css", 2400)
    slope = relief._slope(scene, relief._heights(scene))
    lattice = scene.lattice

    def steep(name: str) -> float:
        row, column = (round(at) for at in lattice.spot(mountains.grid.centre(mountains.hex(name))))
        return max(abs(slope[i][j]) for i in range(row - 3, row + 4) for j in range(column - 3, column + 4))

    high = hexes_of(mountains.terrain["mountain"])
    assert min(steep(mountains.id(h)) for h in high) > 0.1
    plain = scene.land & ~mountains.grid.dilate(mountains.grid.dilate(scene.terrain(tuple(HIGH.heights))))
    assert plain
    assert max(steep(mountains.id(h)) for h in hexes_of(plain)) == 0
    drawn = [relief.draw_relief(Scene(mountains, HIGH, palette, 2400)) for palette in ("light", "css")]
    paths = [re.findall(r' d="([^"]+)"', one) for one in drawn]
    assert paths[0] == paths[1]
    assert len(paths[0]) == 10
    assert relief.draw_relief(Scene(mountains, dataclasses.replace(HIGH, heights={}), "light", 2400)) == ""


def test_snow_is_ground_and_crests_run_into_it() -> None:
    """An alpine hex is snow to its corners, inside one line; no crest is drawn around it, or through it."""
    high = load_pack(Path(sandtable.games.caucasus.__file__).parent / "data")
    scene = Scene(high, HIGH, "light", 2400)
    alpine = scene.terrain(("alpine",))
    sides = [edge for edge in high.hexsides if edge.kind == "alpine"]
    around = [edge for edge in sides if (alpine >> edge.hex | alpine >> edge.neighbour) & 1]
    assert 0 < len(around) < len(sides)
    crests = draw_hexsides(scene).split('class="side alpine"')[1].split('class="side ')[0]
    drawn = [tuple(map(float, at)) for at in re.findall(r"[ML](-?[\d.]+)[ ,](-?[\d.]+)", crests)]
    for edge in sides:
        mx, my = scene.middle(edge.hex, edge.direction)
        away = min(hypot(x - mx, y - my) for x, y in drawn)
        assert (away > 15) == (edge in around), (edge.hex, edge.neighbour, away)
    ground = draw_ground(scene)
    assert ground.count(f'stroke="{PALETTES["light"]["alpine-ink"]}"') >= 1
    (area,) = (area for area in HIGH.areas if area.rim)
    field = scene.lattice.field(alpine, area.rough, seed=20 + 3 * HIGH.areas.index(area))
    for edge in around:
        corner = scene.unplace(scene.side(edge.hex, edge.direction)[0])
        assert field.at(corner) > area.level - 0.1


@pytest.fixture(scope="module")
def caucasus() -> Scene:
    return Scene(load_pack(Path(sandtable.games.caucasus.__file__).parent / "data"), HIGH, "light", 2400)


def test_kerch_and_the_crimea_are_blank_land_with_a_soft_coast_and_no_grey_hexes(caucasus: Scene) -> None:
    """Land that is no part of the map lies under the shape of the land, and none of its edges is a hexside."""
    assert caucasus.void
    root = ET.fromstring(f"<svg>{draw_ground(caucasus)}</svg>")
    parents = {child: parent for parent in root.iter() for child in parent}
    (blank,) = (one for one in root.iter("path") if one.get("fill") == caucasus["void"])
    assert "clip-path" in parents[blank].attrib  # by the shape of the land
    shape = blank.attrib["d"]
    numbers = [float(one) for one in re.findall(r"-?\d*\.?\d+", shape)]
    points = list(zip(numbers[::2], numbers[1::2], strict=False))
    corners = [corner for h in hexes_of(caucasus.void) for corner in caucasus.outline(h)]
    sharp = [p for p in points if min(hypot(p[0] - x, p[1] - y) for x, y in corners) < 0.5]
    assert len(points) > 30
    assert len(sharp) < len(points) / 20
    assert "L" not in shape  # curves alone


class Drawn(Obstacles):
    """Keeps the lines that are drawn, as they are drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[list[tuple[float, float]]] = []

    def add_points(self, points: Iterable[tuple[float, float]], weight: float) -> None:
        self.lines.append(list(points))

    def off(self, x: float, y: float) -> float:
        """How far the nearest line passes."""
        near = min((hypot(p[0] - x, p[1] - y), i, j) for i, line in enumerate(self.lines) for j, p in enumerate(line))
        _, i, j = near
        around = pairwise(self.lines[i][max(0, j - 1) : j + 2])
        return min(_to_segment(x, y, a, b) for a, b in around)


def _to_segment(x: float, y: float, a: tuple[float, float], b: tuple[float, float]) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    part = max(0.0, min(1.0, ((x - a[0]) * dx + (y - a[1]) * dy) / ((dx * dx + dy * dy) or 1.0)))
    return hypot(a[0] + part * dx - x, a[1] + part * dy - y)


def test_roads_wind_between_the_hexes_and_never_leave_them(caucasus: Scene) -> None:
    """Taken from the lines that are drawn: half-way between two hexes a road is off the straight line, by little."""
    caucasus.obstacles = drawn = Drawn()
    draw_ways(caucasus)
    spots = ways.way_spots(caucasus)
    off = []
    for edge in caucasus.pack.ways:
        if edge.kind == "road":
            (ax, ay), (bx, by) = spots[edge.hex], spots[edge.neighbour]
            off.append(drawn.off((ax + bx) / 2, (ay + by) / 2))
    assert len(off) == 291
    assert max(off) < 0.25 * UNIT
    assert sum(one > 0.02 * UNIT for one in off) > 0.6 * len(off)
