"""Chapters A2, F12 and F13: boards, joins, overlays and alternate terrain."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.engine.packs import PackError
from sandtable.games.asl.boards.battlefield import Battlefield, battlefield, scenario_battlefield
from sandtable.games.asl.boards.layout import lay_out, overlay_cells
from sandtable.games.asl.boards.locations import Place, Spot, elevation, places_of
from sandtable.games.asl.boards.pack import asl_pack

rule = partial(pytest.mark.rule, "asl")

BOARDS = ("D1", "D2", "D3", "D4", "D5", "D6")


def one(id: str, **more: Any) -> Battlefield:
    """A map of one board."""
    rotated = bool(more.pop("rotated", False))
    return battlefield({"boards": [{"id": id, "x": 0, "y": 0, "rotated": rotated}], **more})


def two(first: str, second: str, x: float, y: int, turned: tuple[bool, bool] = (False, False)) -> Battlefield:
    boards = [
        {"id": first, "x": 0, "y": 0, "rotated": turned[0]},
        {"id": second, "x": x, "y": y, "rotated": turned[1]},
    ]
    return battlefield({"boards": boards})


@rule("A2.1")
@pytest.mark.parametrize("id", BOARDS)
def test_names_and_half_hexes_of_a_board(id: str) -> None:
    field = one(id)
    assert len(field.grid.hexes) == 346
    assert field.hexes(field.half & field.boards[id])[:3] == [f"{id}.A1", f"{id}.A2", f"{id}.A3"]
    assert {"D1.B0", "D1.B10", "D1.GG5"} <= {name.replace(id, "D1") for name in field.hexes(field.half)}
    with pytest.raises(ValueError, match="nearest"):
        field.hex(f"{id}.A0")
    around = {field.name(n) for _, n in field.grid.neighbours[field.hex(f"{id}.B4")]}
    assert around == {f"{id}.{name}" for name in ("B3", "B5", "A4", "A5", "C4", "C5")}


@rule("A2.3")
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
def test_boards_join_in_every_orientation(turned: tuple[bool, bool]) -> None:
    for first in BOARDS:
        for second in BOARDS:
            if first == second:
                continue
            beside = two(first, second, 1, 0, turned)
            assert len(beside.grid.hexes) == 2 * 346 - 10
            below = two(first, second, 0, 1, turned)
            assert len(below.grid.hexes) == 2 * 346 - 16
            shared = below.boards[first] & below.boards[second]
            assert shared.bit_count() == 16
            assert all(below.name(h).startswith(f"{first}.") for h in hexes_of(shared))
            assert not shared & below.half
    plain = two("D1", "D2", 1, 0)
    assert plain.hex("D1.GG5") == plain.hex("D2.A5")
    turned_right = two("D1", "D2", 1, 0, (False, True))
    assert turned_right.hex("D1.GG4") == turned_right.hex("D2.GG7")
    stacked = two("D1", "D2", 0, 1)
    assert stacked.hex("D1.D10") == stacked.hex("D2.D0")
    assert stacked.grid.adjacent(stacked.hex("D1.E10"), stacked.hex("D2.E1"))
    shifted = two("D1", "D2", 0.5, 1)
    assert shifted.hex("D1.R10") == shifted.hex("D2.B0")


@rule("A2.3")
def test_a_turned_board_is_the_same_ground_seen_from_the_other_side() -> None:
    for id in BOARDS:
        plain, turned = one(id), one(id, rotated=True)
        for h in plain.grid.hexes:
            t = turned.hex(plain.name(h))
            assert (plain.level[h], plain.terrain[h]) == (turned.level[t], turned.terrain[t])
            for d, n in plain.grid.neighbours[h]:
                assert turned.name(turned.grid.neighbour(t, (d + 3) % 6)) == plain.name(n)
                for kind in plain.sides:
                    assert plain.side(kind, h, d) == turned.side(kind, t, (d + 3) % 6)
                    assert plain.owns(kind, h, d) == turned.owns(kind, t, (d + 3) % 6)
        assert turned.name(min(turned.grid.hexes)).endswith("GG10")


def test_playable_columns_and_edges() -> None:
    field = scenario_battlefield("s01_capuzzo_outpost")
    assert {name.split(".")[1].rstrip("0123456789") for name in field.hexes(field.grid.all)} == set(
        "HIJKLMNOPQRSTUVWXYZ"
    )
    assert field.hexes(field.edges["W"]) == [f"D1.H{n}" for n in range(11)]
    assert "D1.I1" in field.hexes(field.edges["N"])
    assert "D1.J0" in field.hexes(field.edges["N"])


@rule("A2.7", "F12.1b", "F12.2a", "F12.2d", "F.1D")
def test_an_overlay_replaces_the_terrain_it_covers() -> None:
    entry = {"id": "ovH5", "board": "D4", "hex1": "M7", "hex2": "M6"}
    field = one("D4", overlays=[entry])
    bare = one("D4")
    covered = {field.name(h) for h in hexes_of(field.covered)}
    assert covered == {"D4.M7", "D4.M6", "D4.N6"}
    assert field.hex("D4oM7") == field.hex("D4.M7")
    for h in hexes_of(field.covered):
        assert field.level[h] == 1
        assert field.has("hillock", h)
        assert field.desert >> h & 1
        assert field.terrain[h] == bare.terrain[bare.hex(field.name(h))]  # this shape keeps the board's terrain
    turned = one("D4", overlays=[{**entry, "hex2": "N6"}])
    assert {turned.name(h) for h in hexes_of(turned.covered)} == {"D4.M7", "D4.N6", "D4.N7"}
    assert field.mass[field.hex("D4.M7")] != field.mass[field.hex("D4.L8")]
    # along its edge the board's own hexsides govern: a lip of D2 beside a sand overlay stays
    sand = one("D2", overlays=[{"id": "ovS5", "board": "D2", "hex1": "C4", "hex2": "C3"}])
    before = one("D2")
    kept = lost = 0
    for h in hexes_of(sand.covered):
        for d, n in sand.grid.neighbours[h]:
            if sand.covered >> n & 1:
                lost += before.side("lip", h, d)
                assert not sand.side("lip", h, d)
            else:
                kept += before.side("lip", h, d)
                assert sand.side("lip", h, d) == before.side("lip", h, d)
    assert kept
    assert lost


@rule("F12.2b")
def test_overlays_are_laid_in_the_order_of_the_list() -> None:
    sand = {"id": "ovS1", "board": "D1", "hex1": "M5", "hex2": "M4"}
    scrub = {"id": "ovSc1", "board": "D1", "hex1": "M5", "hex2": "M4"}
    assert one("D1", overlays=[sand, scrub]).terrain[one("D1").hex("D1.M5")] == "scrub"
    assert one("D1", overlays=[scrub, sand]).terrain[one("D1").hex("D1.M5")] == "sand"


@rule("F12.33c")
def test_what_lies_outside_the_playing_area_is_not_used() -> None:
    field = one("D1", overlays=[{"id": "ovS8", "board": "D1", "hex1": "Q1", "hex2": "Q2"}])
    assert 0 < field.covered.bit_count() < 20


@pytest.mark.parametrize(
    ("overlay", "why"),
    [
        ({"id": "ovZ9", "board": "D1", "hex1": "M5", "hex2": "M4"}, "no overlay ovZ9"),
        ({"id": "ovH5", "board": "D1", "hex1": "M5", "hex2": "M3"}, "not adjacent"),
        ({"id": "ovH5", "board": "D9", "hex1": "M5", "hex2": "M4"}, "no hex D9.M5"),
        ({"id": "ovH5", "board": "D1", "hex1": "5M", "hex2": "M4"}, "no hex|not the name"),
    ],
)
def test_bad_overlays_are_refused(overlay: dict[str, str], why: str) -> None:
    with pytest.raises(PackError, match=why):
        one("D1", overlays=[overlay])


@rule("F12.41a")
def test_wadis_that_meet_are_one() -> None:
    """The wadi of D3 ends at its long edge; the turned copy of D6's wadi does not meet it, an overlay does."""
    field = one("D3", overlays=[{"id": "ovW4", "board": "D3", "hex1": "O9", "hex2": "P8"}])
    bare = one("D3")
    joined = [
        (field.name(h), field.name(n))
        for h in hexes_of(field.covered & field.form["wadi"])
        for d, n in field.grid.neighbours[h]
        if field.has("wadi", n) and not field.covered >> n & 1 and field.side("wadi", h, d)
    ]
    assert joined
    for a, b in joined:
        d = bare.grid.direction(bare.hex(a), bare.hex(b))
        assert not bare.has("wadi", bare.hex(a)) or bare.side("wadi", bare.hex(a), d)
        assert not field.side("wadi_cliff", field.hex(a), d)


@rule("F.1a", "F.2Aa")
def test_desert_boards_and_the_hills_of_chapter_b() -> None:
    field = two("D1", "D6", 1, 0)
    assert field.desert == field.grid.all
    hills = {field.name(h) for h in hexes_of(field.chapter_b)}
    assert hills
    assert all(name.startswith("D6.") for name in hills)
    for h in hexes_of(field.boards["D6"]):
        plain = field.terrain[h] not in ("scrub", "hammada") and not field.has("wadi", h)
        assert bool(field.chapter_b >> h & 1) == (field.level[h] > 0 and plain)


@rule("F.1c", "B23.3")
def test_buildings_are_of_stone() -> None:
    field = one("D6")
    assert field.ground["building_stone"].bit_count() == 12
    kind = field.kinds["building_stone"]
    assert (kind.obstacle, kind.tem_direct, kind.concealment) == (2, 3, "yes")


@rule("B19.4", "F5.12a", "F4.2a", "F6.2a", "F6.6a")
def test_locations_and_elevations() -> None:
    wadi = one("D3")
    p6 = wadi.hex("D3.P6")
    assert places_of(wadi, p6) == (Place.IN, Place.CREST)
    assert elevation(wadi, Spot(p6, Place.IN)) == -2
    assert elevation(wadi, Spot(p6, Place.CREST)) == 0
    deir = one("D2")
    assert all(deir.level[h] == 0 for h in hexes_of(deir.form["deir"]))
    hillocks = one("D4")
    assert elevation(hillocks, Spot(hillocks.hex("D4.S5"))) == 1
    assert elevation(hillocks, Spot(hillocks.hex("D4.S6"))) == 2
    assert places_of(hillocks, hillocks.hex("D4.S6")) == (Place.GROUND,)


@rule("F4.2b")
def test_a_lip_belongs_to_the_deir() -> None:
    field = one("D2")
    for h in field.grid.hexes:
        for d, n in field.grid.neighbours[h]:
            if field.side("lip", h, d):
                assert field.owns("lip", h, d) == field.has("deir", h)
                assert field.has("deir", h) or field.has("deir", n)


@rule("F7.5a", "F7.5b", "F7.5c", "F7.51")
def test_low_and_high_dunes() -> None:
    low = one("D5")
    t6 = low.hex("D5.T6")
    assert low.level[t6] == 0
    assert not low.has("hillock", t6)
    assert low.side("dune_crest", t6, 0)
    assert low.owns("dune_crest", t6, 0)
    assert low.wall_height("dune_crest", t6, 0) == 1
    high = one("D5", high_dunes=["D5.T6"])
    assert high.level[t6] == 1
    assert high.has("hillock", t6)
    assert high.has("high_dune", t6)
    assert high.wall_height("dune_crest", t6, 0) == 2
    assert high.form["high_dune"].bit_count() < high.form["dune"].bit_count()
    with pytest.raises(PackError, match="is not a dune"):
        one("D5", high_dunes=["D5.A5"])


@rule("F6.6c")
def test_a_summit_by_special_rule() -> None:
    field = one("D4", summits=["D4.N3"])
    assert field.level[field.hex("D4.N3")] == 2
    with pytest.raises(PackError, match="is not a hillock"):
        one("D4", summits=["D4.A5"])


@rule("F9.1a", "F9.3a", "F9.3b")
def test_tracks_and_roads_exist_only_where_the_scenario_has_them() -> None:
    bare = one("D4")
    assert not any(bare.tracks)
    assert not any(bare.roads)
    field = one("D4", tracks=["D4:EW"], roads=["D4.Q1-D4.Q2-D4.Q3"])
    assert field.tracks[1] >> field.hex("D4.A5") & 1 or field.tracks[2] >> field.hex("D4.A5") & 1
    assert field.roads[3] >> field.hex("D4.Q1") & 1
    assert field.roads[0] >> field.hex("D4.Q2") & 1
    with pytest.raises(PackError, match="no track D4:XY"):
        one("D4", tracks=["D4:XY"])


@rule("F10.1a")
def test_hillside_walls() -> None:
    field = one("D6")
    t4, u5 = field.hex("D6.T4"), field.hex("D6.U5")
    d = field.grid.direction(t4, u5)
    assert field.hillside("wall", t4, d)
    assert field.wall_height("wall", t4, d) == field.level[u5] + 1
    s3 = field.hex("D6.S3")
    assert field.side("wall", s3, 3)
    assert not field.hillside("wall", s3, 3)


@rule("F13.1a", "F13.1b", "F13.1c", "F12.421")
def test_broken_terrain() -> None:
    plain, broken = one("D1"), one("D1", alternate=["broken"])
    assert plain.form["wadi"] == 0
    for h in hexes_of(plain.ground["scrub"]):
        assert broken.terrain[h] == "brush"
        assert broken.inherent >> h & 1
    for h in hexes_of(plain.ground["hammada"]):
        assert broken.terrain[h] == "hammada_crag"
    assert broken.kinds["hammada_crag"].obstacle == 1
    assert broken.kinds["hammada_crag"].tem_direct == 1
    wanted = plain.ground["open"] & plain.accessible_to(plain.ground["hammada"])
    assert broken.ground["broken_hex"] == wanted
    kind = broken.kinds["broken_hex"]
    assert (kind.tem_direct, kind.obstacle, kind.hindrance, kind.concealment, kind.bog) == (1, 0, 0, "yes", True)
    entry = {"id": "ovD6", "board": "D1", "hex1": "M5", "hex2": "M4"}
    assert "sand" in one("D1", overlays=[entry]).ground
    for word in ("broken", "steppe"):
        hollow = one("D1", overlays=[entry], alternate=[word])
        assert not {"sand", "sand_scrub", "grain"} & {hollow.terrain[h] for h in hexes_of(hollow.form["deir"])}
        assert "sand" not in hollow.ground


@rule("F13.2a")
def test_steppe_terrain() -> None:
    plain, steppe = one("D5"), one("D5", alternate=["steppe"])
    becomes = {"hammada": "brush", "scrub": "woods", "sand": "grain", "sand_scrub": "woods"}
    for word, other in becomes.items():
        for h in hexes_of(plain.ground.get(word, 0)):
            assert steppe.terrain[h] == other
            assert steppe.inherent >> h & 1


@rule("F13.3a", "F13.4a", "F13.5a", "F13.6a")
def test_cactus_olives_and_vineyards() -> None:
    plain = one("D6")
    orchards = plain.ground["orchard"]
    cactus = one("D6", alternate=["cactus_patch", "cactus_hedge"])
    assert cactus.ground["cactus_patch"] == orchards
    assert (cactus.kinds["cactus_patch"].obstacle, cactus.kinds["cactus_patch"].tem_direct) == (1, 1)
    assert cactus.sides["cactus"] == cactus.sides["hedge"]
    assert not any(cactus.sides["wall"])
    olives = one("D6", alternate=["olive_grove"])
    assert olives.ground["olive_grove"] == orchards
    assert olives.kinds["olive_grove"].tem_direct == 1
    vines = one("D1", vineyards=["D1.M5"])
    h = vines.hex("D1.M5")
    assert vines.inherent >> h & 1
    assert vines.kind(h).bog is True
    assert vines.kind(h).hindrance == 1
    with pytest.raises(PackError, match="alternate terrain 'jungle' is none of"):
        one("D1", alternate=["jungle"])


@rule("F12.5b")
def test_a_board_on_a_higher_level() -> None:
    boards = [{"id": "D1", "x": 0, "y": 0, "level": 4}, {"id": "D3", "x": 0, "y": 1}]
    field = battlefield({"boards": boards})
    assert field.level[field.hex("D1.M5")] == 8
    assert elevation(field, Spot(field.hex("D3.P6"), Place.IN)) == -2


def test_the_overlays_of_the_random_table_are_all_there() -> None:
    pack = asl_pack()
    wanted = ["W", 4, "S", 8, "H", 6, "D", 6, "SD", 8]
    names = {str(shape.get("dyo_name", "")) for shape in pack.overlays.values()}
    for word, n in zip(wanted[::2], wanted[1::2], strict=True):
        assert {f"{word}{i}" for i in range(1, int(n) + 1)} <= names
    assert {"X1", "X2", "X3", "X4", "X5"} <= names
    assert len(pack.overlays) == 43


def test_every_overlay_can_be_laid_in_all_six_directions() -> None:
    pack = asl_pack()
    layout = lay_out(pack, {"boards": [{"id": "D1"}]})
    for id, shape in pack.overlays.items():
        for number, second in enumerate(("Q4", "R4", "R5", "Q6", "P5", "P4")):
            entry = {"id": id, "board": "D1", "hex1": "Q5", "hex2": second}
            covered, turns = overlay_cells(pack, layout, entry)
            assert (len(covered), turns) == (len(shape["hexes"]), number)
