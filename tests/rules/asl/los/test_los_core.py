"""Chapter A6 with B10.2, B12 and B14: line of sight by the core rules."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.games.asl.boards.battlefield import battlefield
from sandtable.games.asl.boards.locations import Place, Spot
from sandtable.games.asl.los import geometry
from sandtable.games.asl.los.geometry import ALONG, THROUGH, TOUCH, hex_range, path
from sandtable.games.asl.los.sight import Sightlines, blind_hexes

from ..kit import blocked_by, filled, ground, hill, look, sees

rule = partial(pytest.mark.rule, "asl")


@rule("A6.1")
def test_a_line_runs_from_centre_to_centre() -> None:
    straight = path(0, -8)
    assert [step.at for step in straight.steps] == [(0, -2), (0, -4), (0, -6)]
    assert all(step.how == THROUGH for step in straight.steps)
    spine = path(2, 0)  # centre, vertex, along the hexside, vertex, centre
    assert {step.at for step in spine.steps} == {(1, -1), (1, 1)}
    assert all(step.how == ALONG for step in spine.steps)
    assert spine.leave == (1, 2)
    field = ground(filled("building_stone", "M5", "M6"))
    assert look(field, "M5", "M5").clear
    assert look(field, "M5", "M6").clear


@rule("A6.1", "F5.424a")
def test_units_in_bypass_are_at_their_vertex() -> None:
    """A building between the centres does not hide a unit at the vertex beside it, and hides one behind it."""
    field = ground(filled("building_stone", "M5"))
    assert blocked_by(field, "M7", "M3") == "A6.2"
    assert blocked_by(field, "M5 v5", "M7") == "A6.2"  # through its own building
    assert look(field, "M5 v3", "M7").clear
    assert look(field, "M5 v1", "O4").clear
    wadi = ground({"M5": {"forms": {"wadi"}}, **filled("building_stone", "M4")})
    assert blocked_by(wadi, "M5 crest", "M2") == blocked_by(wadi, "M5", "M2") == "A6.2"


@rule("A6.12")
def test_range_counts_hexes_and_not_levels() -> None:
    field = ground(hill(3, "M3"))
    assert look(field, "M8", "M3").range == 5
    assert look(field, "M8", "M8").range == 0
    grid = field.grid
    for h in hexes_of(grid.all)[::7]:
        for n in hexes_of(grid.all)[::11]:
            (ac, ay), (bc, by) = field.place[h], field.place[n]
            assert grid.distance(h, n) == hex_range(bc - ac, by - ay)


@rule("A6.2")
def test_a_full_level_obstacle() -> None:
    field = ground({**filled("building_stone", "M5"), **hill(1, "M9"), **hill(2, "M1")})
    assert blocked_by(field, "M6", "M4") == "A6.2"
    block = look(field, "M6", "M4").block
    assert block is not None
    assert field.name(block.hex) == "D1.M5"
    assert blocked_by(field, "M9", "M4") == "A6.2"  # level 1 is not higher than a level-1 obstacle
    assert blocked_by(field, "M9", "M1") == ""
    assert look(field, "L5", "N5").clear  # along its hexside: its interior is not touched (AMB-55)
    assert look(field, "L6", "L4").clear


@rule("B.6")
def test_inherent_terrain_fills_its_hexsides_too() -> None:
    plain = ground(filled("brush", "M5"))
    inherent = ground(filled("brush", "M5", inherent=True))
    assert look(plain, "L5", "L4").hindrance == look(inherent, "L5", "L4").hindrance == 0
    along = ("N4", "L4")  # M4 and M5 lie on either side of this line
    assert {step.how for step in path(2, 0).steps} == {ALONG}
    assert look(plain, *along).hindrance == 0
    assert look(inherent, *along).hindrance == 1


@rule("A6.4")
def test_blind_hexes_behind_an_obstacle() -> None:
    # a level-1 building on level 0 seen from level 2 at range 2: one blind hex; from level 4: still one
    field = ground({**filled("building_stone", "M5"), **hill(2, "M7")})
    assert blocked_by(field, "M7", "M4") == "A6.4"
    assert look(field, "M7", "M3").clear
    assert blind_hexes(2, 2, 2) == 1
    assert blind_hexes(2, 5, 2) == 2
    assert blind_hexes(2, 10, 2) == 3
    assert blind_hexes(2, 10, 4) == 2  # one level more than one level above it
    assert blind_hexes(2, 10, 20) == 1  # at least one
    assert blind_hexes(4, 0, 2) == 2
    far = ground({**filled("building_stone", "M4"), **hill(2, "M9")})
    assert [blocked_by(far, "M9", f"M{n}") for n in (3, 2, 1)] == ["A6.4", "A6.4", ""]
    raised = ground({**filled("building_stone", "M5"), **hill(2, "M7"), **hill(1, "M4")})
    assert look(raised, "M7", "M4").clear  # as high as the obstacle: not blind


@rule("A6.21")
def test_a_half_level_obstacle() -> None:
    field = ground({**hill(1, "M9")}, [("M5", "M6", "wall")])
    assert blocked_by(field, "M7", "M4") == "A6.21"
    assert look(field, "M6", "M4").clear  # on a hexside of its own hex
    assert look(field, "M7", "M5").clear
    assert look(field, "M9", "M3").clear  # from above it
    assert look(field, "M9", "M4").clear  # and it makes no blind hexes
    block = look(field, "M8", "M2").block
    assert block is not None
    assert {field.name(block.hex), field.name(field.grid.neighbour(block.hex, block.side))} == {"D1.M5", "D1.M6"}
    corner = ground({}, [("L4", "M5", "wall")])  # met at a vertex
    assert blocked_by(corner, "J4", "N4") == "A6.21"
    followed = ground({}, [("M4", "M5", "wall")])
    assert blocked_by(followed, "J4", "P4") == "A6.21"
    cactus = ground(filled("cactus_patch", "M5"))
    assert blocked_by(cactus, "M6", "M4") == "A6.21"


@rule("B10.2")
def test_crest_lines() -> None:
    field = ground({**hill(1, "M4", "M5", "M6"), **hill(2, "Q1")})
    assert blocked_by(field, "M8", "M2") == "B10.2"  # higher than both
    assert look(field, "M4", "M6").clear
    assert look(field, "M8", "M6").clear  # uphill to the edge: the Crest Line is not past it (AMB-38)
    assert look(field, "M5", "M9").clear
    plateau = ground(hill(1, *(f"M{n}" for n in range(1, 8))))
    assert look(plateau, "M3", "M8").clear  # four hexes to the edge: none blind
    assert [blocked_by(plateau, "M2", f"M{n}") for n in (8, 9)] == ["B10.2", ""]
    cliff = ground(hill(1, *(f"M{n}" for n in range(1, 6))), [("M5", "M6", "cliff", "M5")])
    assert blocked_by(cliff, "M4", "M6") == "B10.2"
    assert look(cliff, "M4", "M7").clear
    assert look(cliff, "M5", "M6").clear


def wadi(*names: str) -> dict[str, dict[str, object]]:
    return {name: {"forms": {"wadi"}} for name in names}


@rule("A6.3a")
def test_into_a_depression() -> None:
    field = ground({**wadi("M5"), **hill(1, "M7", "K6"), **hill(2, "M2")})
    assert look(field, "M5 in", "M6").clear  # a level above the bottom, one hex away
    assert blocked_by(field, "M5 in", "M8") == "A6.3a"
    assert look(field, "M5 in", "M7").clear  # two levels above, two hexes away
    assert look(field, "M5 in", "M2").clear
    assert look(field, "M5 crest", "P5").clear
    assert blocked_by(field, "M5 in", "P5") == "A6.3a"
    assert look(field, "M5 in", "M5 crest").clear


@rule("A6.3b", "F5.11")
def test_along_a_depression() -> None:
    bed = [("M3", "M4", "wadi"), ("M4", "M5", "wadi"), ("M5", "N5", "wadi")]
    field = ground(wadi("M3", "M4", "M5", "N5", "N4"), bed)
    assert sees(field, "M3 in", "M4 in", "M5 in", "N5 in") == ["M4 in", "M5 in"]
    assert blocked_by(field, "M5 in", "N4 in") == "A6.3b"  # adjacent, but not through a wadi hexside
    assert blocked_by(field, "M4 in", "N4 in") == "A6.3b"
    # AMB-49 exactly along a hexside between wadi and other ground
    spine = ground(wadi("M5", "N4", "O5"), [("M5", "N4", "wadi"), ("N4", "O5", "wadi")])
    assert blocked_by(spine, "M5 in", "O5 in") == "A6.3b"


@rule("A6.5", "F6.44a")
@pytest.mark.parametrize("id", ["D2", "D3", "D4", "D5", "D6"])
def test_sight_is_mutual_for_every_pair(id: str) -> None:
    field = battlefield({"boards": [{"id": id}]})
    lines = Sightlines(field)
    hexes = field.grid.hexes
    for i, a in enumerate(hexes[::3]):
        for b in hexes[3 * i + 1 :: 2]:
            one, other = Spot(a), Spot(b)
            assert lines.sees(one, other) == lines.sees(other, one)
            dug, low = Spot(a, dug_in=True), Spot(b, Place.IN if field.has("wadi", b) else Place.GROUND, True)
            assert lines.sees(dug, low) == lines.sees(low, dug)


@rule("A6.7")
def test_each_hindrance_hex_adds_one() -> None:
    field = ground(filled("brush", "M3", "M5"))
    los = look(field, "M7", "M1")
    assert los.hindrance == 2
    assert [(field.name(one.hex), one.drm, one.rule) for one in los.hindrances] == [
        ("D1.M5", 1, "B12.2"),
        ("D1.M3", 1, "B12.2"),
    ]
    assert look(field, "M5", "M4").hindrance == 0  # not in the units' own hexes
    assert look(field, "M5", "M1").hindrance == 1
    both = ground(filled("brush", "M4", "M5", inherent=True))
    assert look(both, "N4", "L4").hindrance == 1  # two hexes at equal range


@rule("B.10", "A6.7")
def test_six_hindrances_block() -> None:
    five = ground(filled("brush", *(f"M{n}" for n in range(2, 7))))
    assert look(five, "M7", "M1").hindrance == 5
    six = ground(filled("brush", *(f"M{n}" for n in range(2, 8))))
    assert blocked_by(six, "M8", "M1") == "B.10"


@rule("B12.2")
def test_brush_and_vineyards_hinder_between_equal_levels() -> None:
    field = ground({**filled("brush", "M5"), **filled("vineyard", "M4"), **hill(1, "M9")})
    assert look(field, "M6", "M3").hindrance == 2
    assert look(field, "M9", "M3").hindrance == 0
    assert field.kinds["vineyard"].inherent


@rule("B14.2")
def test_orchards() -> None:
    field = ground({**filled("orchard", "M5"), **hill(1, "M8"), **hill(3, "M9")})
    assert look(field, "M6", "M4").hindrance == 1
    assert blocked_by(field, "M8", "M3") == "B14.2"  # an obstacle to a LOS from above its level
    assert blocked_by(field, "M9", "M4") == "A6.4"
    assert look(field, "M9", "M1").clear


@rule("B9.21")
def test_entrenched_behind_a_wall() -> None:
    field = ground({**hill(1, "M2"), "M1": {"forms": {"hillock"}, "mass": "x"}}, [("M5", "M6", "wall")])
    assert look(field, "M6 dug", "M5").clear
    assert blocked_by(field, "M6 dug", "M4") == "B9.21"
    assert look(field, "M6", "M4").clear
    assert look(field, "M6 dug", "M2").clear
    assert look(field, "M6 dug", "M9").clear  # not across the wall


@pytest.mark.rule("asl", "B10.2", "A6.1")
def test_a_hill_blocks_where_the_line_crosses_it_and_along_a_hexside_only_with_its_neighbour() -> None:
    flat = ground()
    a = flat.hex("D1.M5")
    met = {THROUGH: 0, ALONG: 0, TOUCH: 0}
    for end in ("P3", "O6", "K7", "O2", "H3", "I8", "N9"):
        b = flat.hex(f"D1.{end}")
        (ac, ay), (bc, by) = flat.place[a], flat.place[b]
        steps = [(step.how, flat.at[ac + step.at[0], ay + step.at[1]]) for step in path(bc - ac, by - ay).steps]
        along = {h for how, h in steps if how == ALONG}
        for how, h in steps:
            if h in (a, b):
                continue
            name = flat.grid.names[h].removeprefix("D1.")
            blocked = blocked_by(ground(hill(2, name)), "M5", end)
            assert (blocked == "B10.2") == (how == THROUGH), (end, name, how)
            met[how] += 1
        sides = [flat.grid.names[h].removeprefix("D1.") for h in along - {a, b}]
        if sides:
            assert blocked_by(ground(hill(2, *sides)), "M5", end) == "B10.2"
    assert all(met.values())


@rule("A6.1")
def test_a_line_meets_every_hex_that_it_meets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the hexes near a line are asked; were all asked that are about, it would meet no more."""
    ends = [
        (dc, dy, first, second)
        for dc in range(-3, 4)
        for dy in range(-7, 8)
        for first in (-1, 0, 1, 2, 3, 4, 5)
        for second in (-1, 0, 1, 4)
        if (dc - dy) % 2 == 0 and (dc, dy) != (0, 0)
    ]
    found = [path(*one) for one in ends]
    about = [(c, y) for c in range(-5, 6) for y in range(-11, 12) if (c - y) % 2 == 0]
    monkeypatch.setattr(geometry, "_near", lambda *_: about)
    all_ = [path.__wrapped__(*one) for one in ends]
    assert found == all_
