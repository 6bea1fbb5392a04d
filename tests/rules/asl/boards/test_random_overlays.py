"""F12.3 to F12.46: overlays at random, and what the special ones are."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import partial
from itertools import pairwise

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.games.asl.boards.battlefield import battlefield
from sandtable.games.asl.boards.layout import lay_out, overlay_cells
from sandtable.games.asl.boards.pack import asl_pack
from sandtable.games.asl.boards.random_overlays import (
    Chosen,
    Half,
    Roll,
    density,
    dune_drm,
    halves,
    hexrow,
    overlay_name,
    place_overlays,
)

rule = partial(pytest.mark.rule, "asl")

PACK = asl_pack()
ONE = {"boards": [{"id": "D1"}]}


def dice(numbers: Iterable[int]) -> Roll:
    """These dice and no more."""
    left = iter(numbers)
    return lambda: next(left)


@rule("F12.3b", "F12.3c")
def test_how_many_overlays() -> None:
    assert [density(PACK, dr) for dr in range(1, 7)] == [-2, -2, -1, -1, 0, 0]
    assert [halves(n) for n in (-1, 0, 1, 2, 3, 4, 5, 6)] == [(2, 2)] * 3 + [(1, 1), (0, 1), (1, 0), (0, 0), (0, 0)]
    assert place_overlays(PACK, ONE, dice([6, 6])) == []


@rule("F12.3d")
def test_which_overlays() -> None:
    table = [[overlay_name(PACK, c, w) for w in range(1, 7)] for c in range(1, 7)]
    assert table[0] == ["W1", "W2", "W3", "W4", "S1", "S2"]
    assert table[2] == [f"H{n}" for n in range(1, 7)]
    assert table[5] == ["SD7", "SD8", "X2", "X3", "X4", "X5"]
    names = [name for row in table for name in row]
    assert len(set(names)) == 36
    known = {shape.get("dyo_name") for shape in PACK.overlays.values()}
    assert set(names) <= known


@rule("F12.31", "F12.32a", "B.8", "F12.2a")
def test_where_an_overlay_lies() -> None:
    """EX-F12.2 in our letters: hex 1 of H1 on the first hex, hex 2 on the second."""
    assert [hexrow(PACK, n, east=False) for n in (2, 7, 12)] == ["D", "I", "N"]
    assert [hexrow(PACK, n, east=True) for n in (2, 7, 12)] == ["DD", "Y", "T"]
    # density 0, the board's dr 4: one on the western half; H1; hexrow DR 6 is H; row 4 + 2; direction 2 is NE
    entries = place_overlays(PACK, ONE, dice([5, 4, 3, 1, 3, 3, 4, 2]))
    assert entries == [{"id": "ovH1", "board": "D1", "hex1": "H6", "hex2": "I6"}]
    field = battlefield({**ONE, "overlays": entries})
    assert field.has("summit", field.hex("D1oH6"))
    assert field.has("summit", field.hex("D1oI6"))
    north = place_overlays(PACK, ONE, dice([5, 4, 3, 1, 3, 3, 4, 1]))
    assert north[0]["hex2"] == "H5"
    turned = {"boards": [{"id": "D1", "rotated": True}]}
    assert place_overlays(PACK, turned, dice([5, 4, 3, 1, 3, 3, 4, 1]))[0]["hex2"] == "Z5"


@rule("F12.33a", "F12.33b")
def test_repeats_and_overlaps_are_rolled_again() -> None:
    # one on each half: H5 twice is rolled again to S1; both on hexes of their own
    rolls = [5, 2, 3, 5, 3, 5, 1, 5, 3, 3, 4, 1, 3, 3, 4, 1]
    entries = place_overlays(PACK, ONE, dice(rolls))
    assert [entry["id"] for entry in entries] == ["ovH5", "ovS1"]
    # two on one half: the second would lie on the first and is rolled again
    rolls = [1, 3, 3, 5, 1, 5, 3, 6, 3, 4, 3, 3, 4, 1, 3, 3, 4, 1, 6, 6, 4, 1, 3, 3, 4, 1, 6, 6, 4, 1]
    entries = place_overlays(PACK, ONE, dice(rolls))
    layout = lay_out(PACK, ONE)
    cells = [set(overlay_cells(PACK, layout, entry)[0]) for entry in entries]
    assert len(cells) == 4
    for one, other in pairwise(cells):
        assert not one & other


@rule("F12.3d", "F12.31")
def test_on_a_turned_board_overlays_lie_on_the_half_that_they_were_rolled_for() -> None:
    """Its western half is the one with the letters of the printed east."""
    turned = {"boards": [{"id": "D1", "rotated": True}]}
    for board_dr, half in ((3, range(17, 34)), (4, range(1, 18))):  # 3: the eastern half, 4: the western one
        for map_ in (ONE, turned):
            entries = place_overlays(PACK, map_, dice([5, board_dr, 3, 1, 3, 3, 4, 1]))
            column, _ = lay_out(PACK, map_).find(f"D1.{entries[0]['hex1']}")
            assert column in half, (board_dr, map_)


@rule("F12.33b")
def test_the_end_of_a_wadi_may_lie_on_another_wadi() -> None:
    rolls = [1, 3, 1, 1, 1, 2, 3, 5, 5, 1]  # W1 and W2 on the western half, H5 and sand on the eastern one
    first = [3, 3, 4, 1]  # W1 north from H6
    away = [6, 6, 6, 1], [3, 4, 2, 1]
    joined = place_overlays(PACK, ONE, dice([*rolls, *first, 3, 3, 4, 4, *away[0], *away[1]]))
    assert [entry["id"] for entry in joined[:2]] == ["ovW1", "ovW2"]
    assert joined[1]["hex1"] == "H6"  # both begin there: end on end
    # in the middle of W2 it is rolled again
    again = place_overlays(PACK, ONE, dice([*rolls, *first, 3, 3, 5, 1, 5, 6, 4, 4, *away[0], *away[1]]))
    assert again[1]["hex1"] != "H7"


@rule("F12.42a", "F12.42b", "F12.42c")
def test_dunes_need_sand() -> None:
    board = lay_out(PACK, ONE).placed[0]
    west, east = Half(board, False), Half(board, True)
    sand, deir = Chosen("ovS1", "S1", west), Chosen("ovD1", "D1", west)
    assert dune_drm([sand, deir], [], east) == -1
    assert dune_drm([sand, deir], [sand, deir], east) == -2
    far = Half(lay_out(PACK, {"boards": [{"id": "D1"}, {"id": "D2", "x": 1}]}).placed[1], True)
    assert dune_drm([sand], [sand], far) == -1
    alone = [5, 4, 5, 1]  # SD1 on the western half
    assert place_overlays(PACK, ONE, dice([*alone, 2])) == []
    low = place_overlays(PACK, ONE, dice([*alone, 1, 2, 3, 3, 4, 1]))
    assert low == [{"id": "ovSD1", "board": "D1", "hex1": "H6", "hex2": "H5"}]
    high = place_overlays(PACK, ONE, dice([*alone, 1, 1, 3, 3, 4, 1]))
    assert high[0]["high"] is True
    field = battlefield({**ONE, "overlays": high})
    assert field.form["high_dune"].bit_count() == 2


@rule("F12.3a")
def test_many_random_maps_can_be_laid() -> None:
    boards = [{"id": "D1"}, {"id": "D4", "x": 1, "rotated": True}, {"id": "D3", "y": 1}]
    for seed in range(25):
        draw = random.Random(seed)
        entries = place_overlays(PACK, {"boards": boards}, lambda draw=draw: draw.randint(1, 6))  # type: ignore[misc]
        field = battlefield({"boards": boards, "overlays": entries})
        assert len(field.grid.hexes) == 346 * 3 - 10 - 16
    assert place_overlays(PACK, {"boards": [{"id": "D6"}]}, dice([1])) == []  # the part of board 25


@rule("F12.43a", "F12.44a", "F12.45", "F12.46")
def test_the_special_overlays() -> None:
    def laid(id: str) -> tuple[str, set[str], int]:
        field = battlefield({**ONE, "overlays": [{"id": id, "board": "D1", "hex1": "M5", "hex2": "M4"}]})
        h = field.hex("D1.M5")
        cliffs = sum(field.side("cliff", h, d) for d in range(6))
        return field.terrain[h], {tag for tag, m in field.tags.items() if m >> h & 1}, cliffs

    terrain, tags, cliffs = laid("ovX1")
    assert (terrain, cliffs) == ("building_stone", 6)
    assert "tem4" in tags
    assert laid("ovX2")[0] == "tomb"
    kind = PACK.terrain["tomb"]
    assert (kind.tem_direct, kind.obstacle) == (1, 2)
    camp = battlefield({**ONE, "overlays": [{"id": "ovX3", "board": "D1", "hex1": "M5", "hex2": "M4"}]})
    tents = hexes_of(camp.covered)
    assert [camp.terrain[h] for h in tents] == ["grain", "grain"]
    assert camp.inherent == camp.covered
    assert laid("ovX4")[0] == laid("ovX5")[0] == "building_stone"
