"""The ground drawn: well-formed, the same every time, in every palette, with all that the data have."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from sandtable.engine.drawing import PALETTES
from sandtable.engine.drawing.scene import MARGIN, RADIUS, UNIT
from sandtable.games.asl.boards.battlefield import Battlefield, battlefield, scenario_battlefield
from sandtable.games.asl.shown.colours import COLOURS
from sandtable.games.asl.shown.ground import FAR, MIDDLE, NEAR, draw_ground
from sandtable.games.asl.shown.strokes import Paper


def one(id: str, **more: object) -> Battlefield:
    return battlefield({"boards": [{"id": id}], **more})


@pytest.mark.parametrize("id", ["D1", "D2", "D3", "D4", "D5", "D6"])
def test_every_board_is_drawn(id: str) -> None:
    picture = draw_ground(one(id))
    root = ElementTree.fromstring(picture)
    assert root.tag.endswith("svg")
    labels = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"A1", "B0", "GG10"} <= set(labels)
    assert picture == draw_ground(one(id))
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', picture))
    ids = set(re.findall(r'id="([^"]+)"', picture))
    assert {a or b for a, b in used} <= ids


def test_the_zooms() -> None:
    near, middle, far = (draw_ground(one("D4"), detail=detail) for detail in (NEAR, MIDDLE, FAR))
    assert "½" in near
    assert "<text" not in middle
    assert len(near) > len(middle) > len(far)


@pytest.mark.parametrize("palette", list(PALETTES))
def test_the_palettes(palette: str) -> None:
    picture = draw_ground(one("D6"), palette)
    colours = set(re.findall(r'(?:fill|stroke)="([^"]+)"', picture)) - {"none"}
    assert colours <= set(COLOURS[palette].values())
    assert set(COLOURS[palette]) == set(COLOURS["light"])


def test_an_unknown_palette_is_refused() -> None:
    with pytest.raises(ValueError, match="no palette 'sepia'; there are light"):
        draw_ground(one("D1"), "sepia")


def test_tracks_are_drawn_only_where_the_scenario_has_them() -> None:
    token = COLOURS["light"]["asl-track"]
    assert token not in draw_ground(one("D4"))
    assert token in draw_ground(one("D4", tracks=["D4:EW"]))


def test_features_lie_on_their_hexsides() -> None:
    """The drawing never suggests what the data do not say: each feature is drawn where it stands, and no other."""
    field = one("D6")
    paper = Paper(field)
    for kind in ("wall", "hedge", "cliff"):
        drawn = sum(len(line) - 1 for line in paper.owned(kind))
        assert drawn == sum(m.bit_count() for m in field.sides[kind]) // 2
    lines = paper.outline(field.form["wadi"])
    assert all(line[0] == pytest.approx(line[-1]) for line in lines)


def test_the_places_are_those_of_all_maps() -> None:
    """Counters and marks of the table lie by the same measure as on the other games' maps."""
    field = scenario_battlefield("s05_hafid_ridge")
    paper = Paper(field)
    for h in field.grid.hexes[::97]:
        x, y = field.grid.centre(h)
        assert paper.centre(h) == pytest.approx((x * UNIT + RADIUS + MARGIN, y * UNIT + UNIT / 2 + MARGIN))
