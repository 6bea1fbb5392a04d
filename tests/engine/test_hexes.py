"""The grid against plain geometry: centres, sets and breadth-first search."""

from __future__ import annotations

import math
from collections import deque
from itertools import pairwise
from random import Random

import pytest

from sandtable.engine.hexes import (
    NO_SIDES,
    Grid,
    GridSpec,
    Hex,
    bit,
    count,
    either,
    hexes_of,
    letters,
    lowest,
    mask_of,
    numbered,
    opposite,
    pairs_from_sides,
    sides_from_pairs,
    steps_into,
    touching,
    without,
)

# ------------------------------------------------------------------------- the five packs' shapes

ROMMEL = GridSpec(
    "pointy",
    numbered("RRCC", [(r, c) for r in range(1, 11) for c in range(1, 28 if r % 2 else 27)]),
    shifted="even",
    shift="east",
)
CAUCASUS = GridSpec(
    "pointy",
    numbered("RRCC", [(r, c) for r in range(10, 38) for c in range(10, 47)]),
    shifted="odd",
    shift="west",
    columns="west",
)
NA41 = GridSpec(
    "pointy",
    numbered("RRCC", [(r, c) for r in range(10, 41) for c in range(1, 81)]),
    shifted="even",
    shift="east",
    rows="north",
)
KASSERINE = GridSpec(
    "flat",
    numbered("CCRR", [(r, c) for c in range(1, 71) for r in range(1, 49)]),
    shifted="even",
    shift="south",
)
ASL = GridSpec(
    "flat",
    numbered("letters", [(r, c) for c in range(1, 34) for r in range(c % 2, 11)]),
    shifted="even",
    shift="south",
)
PACKS = {"rommel": ROMMEL, "caucasus": CAUCASUS, "na41": NA41, "kasserine": KASSERINE, "asl": ASL}
GRIDS = {name: Grid(spec) for name, spec in PACKS.items()}
COUNTS = {"rommel": 265, "caucasus": 1036, "na41": 2480, "kasserine": 3360, "asl": 346}

# The packs' own neighbour tables: (row step, column step) by direction, for odd and even lines.
TABLES = {
    "rommel": (
        {"E": (0, 1), "W": (0, -1), "NE": (-1, 0), "NW": (-1, -1), "SE": (1, 0), "SW": (1, -1)},
        {"E": (0, 1), "W": (0, -1), "NE": (-1, 1), "NW": (-1, 0), "SE": (1, 1), "SW": (1, 0)},
    ),
    "caucasus": (
        {"E": (0, -1), "W": (0, 1), "NE": (-1, 0), "NW": (-1, 1), "SE": (1, 0), "SW": (1, 1)},
        {"E": (0, -1), "W": (0, 1), "NE": (-1, -1), "NW": (-1, 0), "SE": (1, -1), "SW": (1, 0)},
    ),
    "na41": (
        {"E": (0, 1), "W": (0, -1), "NE": (1, 0), "NW": (1, -1), "SE": (-1, 0), "SW": (-1, -1)},
        {"E": (0, 1), "W": (0, -1), "NE": (1, 1), "NW": (1, 0), "SE": (-1, 1), "SW": (-1, 0)},
    ),
    "kasserine": (
        {"N": (-1, 0), "NE": (-1, 1), "SE": (0, 1), "S": (1, 0), "SW": (0, -1), "NW": (-1, -1)},
        {"N": (-1, 0), "NE": (0, 1), "SE": (1, 1), "S": (1, 0), "SW": (1, -1), "NW": (0, -1)},
    ),
    "asl": (
        {"N": (-1, 0), "NE": (-1, 1), "SE": (0, 1), "S": (1, 0), "SW": (0, -1), "NW": (-1, -1)},
        {"N": (-1, 0), "NE": (0, 1), "SE": (1, 1), "S": (1, 0), "SW": (1, -1), "NW": (0, -1)},
    ),
}


@pytest.mark.parametrize("name", PACKS)
def test_numbering_round_trip(name: str) -> None:
    grid, spec = GRIDS[name], PACKS[name]
    assert len(grid.hexes) == len(grid.index) == count(grid.all) == COUNTS[name]
    assert [grid.names[h] for h in grid.hexes] == [number for number, _, _ in spec.cells]
    for number, h in grid.index.items():
        assert grid.index_of(number) == h
        assert grid.names[h] == number
        assert grid.all >> h & 1
    assert mask_of(grid.hexes) == grid.all
    assert len(grid.names) == len(grid.neighbours) == grid.size > max(grid.hexes)


@pytest.mark.parametrize("name", PACKS)
def test_the_packs_own_neighbour_tables(name: str) -> None:
    grid, spec = GRIDS[name], PACKS[name]
    at = {(row, column): grid.index[number] for number, row, column in spec.cells}
    odd, even = TABLES[name]
    for (row, column), h in at.items():
        table = odd if (row if spec.orientation == "pointy" else column) % 2 else even
        for d, direction in enumerate(grid.directions):
            dr, dc = table[direction]
            assert grid.neighbour(h, d) == at.get((row + dr, column + dc), -1), (grid.names[h], direction)


def test_places_that_the_books_name() -> None:
    rommel = GRIDS["rommel"]  # "El Alamein SW1" and "Msus E1" are such bearings
    assert rommel.names[rommel.neighbour(rommel.index["0725"], rommel.directions.index("SW"))] == "0824"
    kasserine = GRIDS["kasserine"]  # 14.33: 7005 lies south of 7004
    assert kasserine.direction(kasserine.index["7004"], kasserine.index["7005"]) == 3
    caucasus = GRIDS["caucasus"]  # Derbent 3411 lies east of Gudermes 2817
    assert caucasus.centre(caucasus.index["3411"])[0] > caucasus.centre(caucasus.index["2817"])[0]
    na41 = GRIDS["na41"]  # Tobruk 3138 lies north of El Adem 2937
    assert na41.centre(na41.index["3138"])[1] < na41.centre(na41.index["2937"])[1]
    asl = GRIDS["asl"]
    assert asl.index_of("gg10") == asl.index["GG10"]
    assert "A0" not in asl.index
    assert {"B0", "B10"} <= set(asl.index)


def test_the_layout_wastes_little() -> None:
    for name, grid in GRIDS.items():
        assert grid.size < 1.12 * len(grid.hexes), name


# ------------------------------------------------------------------------------------ random maps


def random_spec(rng: Random, boxes: tuple[str, ...] = ()) -> GridSpec:
    orientation = rng.choice(("pointy", "flat"))
    rows, columns = rng.randint(1, 9), rng.randint(1, 9)
    row, column = rng.randint(-5, 5), rng.randint(-5, 5)
    cells = [(r, c) for r in range(row, row + rows) for c in range(column, column + columns)]
    keep = rng.choice((1.0, 0.9, 0.6, 0.3))
    kept = [cell for cell in cells if rng.random() < keep] or cells[:1]
    rng.shuffle(kept)
    return GridSpec(
        orientation,
        tuple((f"{r}/{c}", r, c) for r, c in kept),
        shifted=rng.choice(("odd", "even")),
        shift=rng.choice(("east", "west") if orientation == "pointy" else ("south", "north")),
        rows=rng.choice(("south", "north")),
        columns=rng.choice(("east", "west")),
        boxes=boxes,
    )


def plain_centre(spec: GridSpec, row: int, column: int) -> tuple[float, float]:
    """Where the spec puts a cell, x east and y south, said once more without axial coordinates."""
    x = float(column if spec.columns == "east" else -column)
    y = float(row if spec.rows == "south" else -row)
    number = row if spec.orientation == "pointy" else column
    if ("odd" if number % 2 else "even") == spec.shifted:
        x += {"east": 0.5, "west": -0.5}.get(spec.shift, 0.0)
        y += {"south": 0.5, "north": -0.5}.get(spec.shift, 0.0)
    if spec.orientation == "pointy":
        return x, y * math.sqrt(3) / 2
    return x * math.sqrt(3) / 2, y


COMPASS = {  # degrees from east, counted as on paper
    "pointy": {0: "E", 60: "NE", 120: "NW", 180: "W", 240: "SW", 300: "SE"},
    "flat": {30: "NE", 90: "N", 150: "NW", 210: "SW", 270: "S", 330: "SE"},
}


@pytest.mark.parametrize("seed", range(6))
def test_neighbours_are_the_hexes_one_unit_away(seed: int) -> None:
    rng = Random(seed)
    for _ in range(60):
        spec = random_spec(rng)
        grid = Grid(spec)
        centres = {grid.index[name]: plain_centre(spec, r, c) for name, r, c in spec.cells}
        least = [min(axis) for axis in zip(*centres.values(), strict=True)]
        for a, (ax, ay) in centres.items():
            assert grid.centre(a) == pytest.approx((ax - least[0], ay - least[1]))
            beside = {}
            for b, (bx, by) in centres.items():
                if abs(math.hypot(bx - ax, by - ay) - 1) < 1e-9:
                    angle = round(math.degrees(math.atan2(ay - by, bx - ax))) % 360
                    d = grid.directions.index(COMPASS[spec.orientation][angle])
                    beside[d] = b
                    assert grid.direction(a, b) == d
                    assert grid.direction(b, a) == opposite(d)
                elif a != b:
                    assert grid.direction(a, b) == -1
            assert dict(grid.neighbours[a]) == beside
            for d in range(6):
                assert grid.neighbour(a, d) == beside.get(d, -1)
                there = a + grid.shift[d]  # the promise that everything else rests on
                assert (there >= 0 and bool(grid.all >> there & 1)) == (d in beside)


@pytest.mark.parametrize("seed", range(6))
def test_steps_and_dilation_of_sets(seed: int) -> None:
    rng = Random(seed)
    for _ in range(60):
        grid = Grid(random_spec(rng))
        for _ in range(5):
            chosen = {h for h in grid.hexes if rng.random() < rng.choice((0.1, 0.5, 1.0))}
            m = mask_of(chosen)
            for d in range(6):
                assert set(hexes_of(grid.step(m, d))) == {grid.neighbour(h, d) for h in chosen} - {-1}
            wider = chosen | {n for h in chosen for _, n in grid.neighbours[h]}
            assert set(hexes_of(grid.dilate(m))) == wider
            assert set(hexes_of(grid.around(m))) == wider - chosen
            assert set(hexes_of(grid.beside(m))) == {n for h in chosen for _, n in grid.neighbours[h]}
            into = steps_into(grid, m)
            leave = mask_of(h for h in grid.hexes if rng.random() < 0.5)
            out = steps_into(grid, m, leave)
            for d in range(6):
                assert set(hexes_of(into[d])) == {h for h in grid.hexes if grid.neighbour(h, d) in chosen}
                assert out[d] == into[d] & leave


def whole(spec: GridSpec) -> GridSpec:
    """The same grid with every hole and ragged edge filled, and a margin around."""
    rows = [r for _, r, _ in spec.cells]
    columns = [c for _, _, c in spec.cells]
    cells = [
        (f"{r}/{c}", r, c)
        for r in range(min(rows) - 2, max(rows) + 3)
        for c in range(min(columns) - 2, max(columns) + 3)
    ]
    return GridSpec(spec.orientation, tuple(cells), spec.shifted, spec.shift, spec.rows, spec.columns)


def walk(grid: Grid, start: Hex) -> dict[Hex, int]:
    away = {start: 0}
    queue = deque([start])
    while queue:
        h = queue.popleft()
        for _, n in grid.neighbours[h]:
            if n not in away:
                away[n] = away[h] + 1
                queue.append(n)
    return away


@pytest.mark.parametrize("seed", range(4))
def test_distance_is_a_walk_on_the_whole_grid(seed: int) -> None:
    rng = Random(seed)
    for _ in range(25):
        spec = random_spec(rng)
        grid, full = Grid(spec), Grid(whole(spec))
        assert full.size >= len(full.hexes)
        a = rng.choice(grid.hexes)
        away = {full.names[h]: n for h, n in walk(full, full.index[grid.names[a]]).items()}
        for b in grid.hexes:
            assert grid.distance(a, b) == grid.distance(b, a) == away[grid.names[b]]
        for n in range(8):
            assert set(hexes_of(grid.within(a, n))) == {b for b in grid.hexes if away[grid.names[b]] <= n}
            assert grid.within(a, n) == grid.within(a, n)
        for d in range(6):
            for n in range(10):
                assert grid.ray(a, d, n) == ray_by_steps(grid, full, a, d, n)


def ray_by_steps(grid: Grid, full: Grid, h: Hex, d: int, n: int) -> Hex:
    there = full.index[grid.names[h]]
    for _ in range(n):
        there = full.neighbour(there, d)
        if there < 0:
            return -1
    return grid.index.get(full.names[there], -1)


def test_distances_on_the_maps_themselves() -> None:
    for name, grid in GRIDS.items():
        rng = Random(name)
        for a in rng.sample(grid.hexes, 3):
            away = walk(grid, a)
            assert all(grid.distance(a, b) == away[b] for b in grid.hexes)
            for n in (0, 1, 3, 12, 100):
                assert set(hexes_of(grid.within(a, n))) == {b for b in grid.hexes if away[b] <= n}


@pytest.mark.parametrize("name", PACKS)
def test_lines(name: str) -> None:
    grid = GRIDS[name]
    rng = Random(name)
    for _ in range(300):
        a, b = rng.choice(grid.hexes), rng.choice(grid.hexes)
        line = grid.line(a, b)
        assert (line[0], line[-1]) == (a, b)
        assert line == grid.line(b, a)[::-1]
        (ax, ay), (bx, by) = grid.centre(a), grid.centre(b)
        n = max(1, grid.distance(a, b))
        for h in line:  # each is the hex in which (or on whose side) a point of the line lies
            i = grid.distance(a, h)
            point = ax + (bx - ax) * i / n, ay + (by - ay) * i / n
            nearest = min(math.dist(grid.centre(other), point) for other in hexes_of(grid.within(h, 1)))
            assert math.dist(grid.centre(h), point) == pytest.approx(nearest)
        if len(line) == grid.distance(a, b) + 1:
            assert all(grid.adjacent(p, q) for p, q in pairwise(line))
        else:  # only where the line runs along a ragged edge, half of it outside
            assert len(line) > grid.distance(a, b) // 2
            assert any(len(grid.neighbours[h]) < 6 for h in line[1:-1])


def test_lines_on_whole_ground_have_no_gaps() -> None:
    for spec in (whole(random_spec(Random(seed))) for seed in range(40)):
        grid = Grid(spec)
        rng = Random(1)
        for _ in range(30):
            a, b = rng.choice(grid.hexes), rng.choice(grid.hexes)
            line = grid.line(a, b)
            inner = all(len(grid.neighbours[h]) == 6 for h in line)
            if inner:
                assert len(line) == grid.distance(a, b) + 1
            for d in range(6):
                end = grid.ray(a, d, 3)
                if end >= 0:
                    assert grid.line(a, end) == [grid.ray(a, d, n) for n in range(4)]
    assert grid.line(a, a) == [a]


# ------------------------------------------------------------------------------ sets and sides


def test_sets() -> None:
    rng = Random(5)
    assert hexes_of(0) == []
    assert (lowest(0), count(0)) == (-1, 0)
    for _ in range(500):
        size = rng.choice((8, 60, 300, 3600))
        chosen = sorted(h for h in range(size) if rng.random() < rng.choice((0.005, 0.05, 0.5, 0.99)))
        m = mask_of(chosen)
        assert hexes_of(m) == chosen
        assert count(m) == len(chosen)
        assert lowest(m) == (chosen[0] if chosen else -1)
    assert bit(7) == 128
    assert [opposite(d) for d in range(6)] == [3, 4, 5, 0, 1, 2]


def test_sides_are_noted_in_both_hexes() -> None:
    rng = Random(6)
    for _ in range(100):
        grid = Grid(random_spec(rng))
        every = [(h, n) for h in grid.hexes for _, n in grid.neighbours[h] if h < n]
        some = [pair if rng.random() < 0.5 else pair[::-1] for pair in every if rng.random() < 0.4]
        sides = sides_from_pairs(grid, some)
        for a, b in every:
            on = (a, b) in some or (b, a) in some
            assert bool(sides[grid.direction(a, b)] >> a & 1) == on
            assert bool(sides[grid.direction(b, a)] >> b & 1) == on
        listed = [frozenset(pair) for pair in pairs_from_sides(grid, sides)]
        assert sorted(map(sorted, listed)) == sorted(map(sorted, map(frozenset, some)))
        assert touching(sides) == mask_of(h for pair in some for h in pair)
        half = sides_from_pairs(grid, some[::2])
        rest = sides_from_pairs(grid, some[1::2])
        assert either(half, rest) == sides
        assert without(sides, half) == rest
        assert without(sides, sides) == NO_SIDES


def test_sides_between_hexes_that_are_not_adjacent() -> None:
    grid = GRIDS["na41"]
    with pytest.raises(ValueError, match="3138 and 2937"):
        sides_from_pairs(grid, [(grid.index["3138"], grid.index["2937"])])


# ------------------------------------------------------------------------ boxes, numbers, faults


def test_boxes_are_adjacent_to_nothing() -> None:
    rng = Random(7)
    for _ in range(60):
        grid = Grid(random_spec(rng, ("Malta", "Tripoli", "Nile Delta")))
        assert list(grid.boxes) == ["Malta", "Tripoli", "Nile Delta"]
        for name, box in grid.boxes.items():
            assert grid.names[box] == name
            assert grid.index_of(name.lower()) == box
            assert not grid.all >> box & 1
            assert grid.neighbours[box] == ()
            assert grid.within(box, 99) == bit(box)
            assert grid.distance(box, box) == 0
            assert grid.dilate(bit(box)) == 0
            for d in range(6):
                assert grid.neighbour(box, d) == -1
                assert grid.step(bit(box), d) == 0
                assert grid.ray(box, d, 1) == -1
                assert grid.step(grid.all, d) >> box & 1 == 0
                assert all(h + grid.shift[d] not in grid.boxes.values() for h in grid.hexes)
            assert all(grid.direction(box, other) == -1 for other in (*grid.hexes, *grid.boxes.values()))
            assert all(grid.direction(h, box) == -1 for h in grid.hexes)
        assert grid.size == max(grid.boxes.values()) + 1
        with pytest.raises(ValueError, match="Malta"):
            grid.distance(grid.hexes[0], grid.boxes["Malta"])
        with pytest.raises(ValueError, match="Tripoli"):
            grid.centre(grid.boxes["Tripoli"])


@pytest.mark.parametrize(
    ("name", "wrong", "nearest"),
    [
        ("na41", "3181", "3180, 3080, 3179"),
        ("na41", "0938", "1038, 1037, 1039"),
        ("caucasus", "9999", "3746, 3646, 3745"),
        ("kasserine", "7100", "7001, 6901, 7002"),
        ("asl", "A0", "A1, B0, A2"),
        ("asl", "HH4", "GG4, FF4, GG3"),
        ("rommel", "Tobruk", "0101, 0102, 0103"),
    ],
)
def test_a_wrong_number_names_the_nearest(name: str, wrong: str, nearest: str) -> None:
    with pytest.raises(ValueError, match=f"{wrong!r}.*nearest: {nearest}$"):
        GRIDS[name].index_of(wrong)


def test_aliases() -> None:
    cells = numbered("RRCC", [(r, c) for r in (1, 2) for c in (1, 2)])
    grid = Grid(GridSpec("pointy", cells, aliases={"Tobruk": "0102", "Msus E1": "0201"}))
    assert grid.index_of(" tobruk ") == grid.index["0102"]
    assert grid.index_of("Msus e1") == grid.index["0201"]
    assert "Tobruk" not in grid.index
    with pytest.raises(ValueError, match=r"nearest: 0102$"):
        grid.index_of("Tobruck")
    with pytest.raises(ValueError, match="9999, which is no hex"):
        Grid(GridSpec("pointy", cells, aliases={"Tobruk": "9999"}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"orientation": "square"}, "orientation 'square'"),
        ({"shifted": "some"}, "shifted 'some'"),
        ({"shift": "south"}, "shift 'south'"),
        ({"rows": "east"}, "rows 'east'"),
        ({"columns": "north"}, "columns 'north'"),
        ({"cells": ()}, "at least one hex"),
        ({"cells": (("0101", 1, 1), ("0101", 1, 2))}, "0101 is there twice"),
        ({"cells": (("0101", 1, 1), ("0102", 1, 1))}, "0101 and 0102 lie on one another"),
        ({"boxes": ("0101",)}, "same name"),
    ],
)
def test_specs_that_cannot_be(change: dict[str, object], message: str) -> None:
    good: dict[str, object] = {"orientation": "pointy", "cells": (("0101", 1, 1),)}
    with pytest.raises(ValueError, match=message):
        Grid(GridSpec(**(good | change)))  # type: ignore[arg-type]


def test_letters_and_numberings() -> None:
    assert [letters(n) for n in (1, 26, 27, 33)] == ["A", "Z", "AA", "GG"]
    assert numbered("CCRR", [(4, 70)]) == (("7004", 4, 70),)
    with pytest.raises(ValueError, match="numbering"):
        numbered("XY", [(1, 1)])
