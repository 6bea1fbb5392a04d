"""Signs of Kasserine's map: bridges, passes, airfields, plates of edge hexes, names along crests."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandtable.games.kasserine
from sandtable.engine.drawing import PALETTES
from sandtable.engine.drawing.emblems import draw_emblems
from sandtable.engine.drawing.names import crests, draw_lettering, draw_names, on_crest
from sandtable.engine.drawing.scene import Scene
from sandtable.engine.drawing.svg import safe
from sandtable.engine.drawing.ways import draw_ways
from sandtable.engine.packs import load_pack
from sandtable.games.kasserine.shown.look import STYLE

LIGHT = PALETTES["light"]


@pytest.fixture
def scene() -> Scene:
    return Scene(load_pack(Path(sandtable.games.kasserine.__file__).parent / "data"), STYLE, "light", 2400)


def test_a_road_has_a_bridge_over_every_wadi_and_a_trail_has_none(scene: Scene) -> None:
    wadis = {frozenset((edge.hex, edge.neighbour)) for edge in scene.pack.hexsides if edge.kind == "wadi"}
    crossings = [way for way in scene.pack.ways if frozenset((way.hex, way.neighbour)) in wadis]
    roads = [way for way in crossings if way.kind in ("primary", "secondary")]
    assert len(roads) < len(crossings)
    bridges = draw_ways(scene).partition('class="bridges"')[2]
    assert bridges.count("M") == 2 * len(roads)


def test_passes_stand_across_their_roads_and_airfields_beside_their_towns(scene: Scene) -> None:
    drawn = "".join(draw_emblems(scene))
    passes = [place for place in scene.pack.places if place.kind == "pass"]
    assert drawn.count('d="M-9 -15Q0') == len(passes) > 0
    assert drawn.count(f'r="9.5" fill="{LIGHT["halo"]}"') == sum("airfield" in p.attributes for p in scene.pack.places)


def test_plates_tell_whose_source_and_whose_way_out_an_edge_hex_is(scene: Scene) -> None:
    drawn = "".join(draw_emblems(scene))
    sources = [row.tag("supply") for row in scene.pack.hexes.values()]
    axis = sum(source.startswith("axis") for source in sources)
    allied = sum(source.startswith("allied") for source in sources)
    assert drawn.count("<rect") == drawn.count(f'fill="{LIGHT["axis-edge"]}" stroke="{LIGHT["axis-edge"]}"') == axis
    assert drawn.count(f'fill="{LIGHT["allied-edge"]}" stroke="{LIGHT["allied-edge"]}"') == allied
    assert drawn.count("stroke-dasharray") == 1  # the Souk Ahras road, an entry only
    exits = sum(bool(row.tags & {"axis_exit", "allied_exit"}) for row in scene.pack.hexes.values())
    assert drawn.count('Z" fill=') == exits > 0


def test_a_height_lettered_along_its_crest_is_not_named_again(scene: Scene) -> None:
    lettered = crests(scene)
    assert "Dj. Chambi" in lettered
    assert "Dj. Trozza" not in lettered  # one hex alone
    letters = draw_lettering(scene)
    assert all(f'data-place="{name}"' in letters for name in lettered)
    names = draw_names(scene)
    for place in scene.pack.places:
        assert (f'data-place="{safe(place.name)}"' in names) is not on_crest(place, lettered, STYLE), place.name
    assert 'data-place="Djebel Trozza"' in names
    assert 'data-place="Djebel Chambi"' not in names
