"""The lines of sight that a diagram draws are those of the game, on the ground that it shows."""

from __future__ import annotations

import pytest

from sandtable import registry
from sandtable.examples.form import Example, examples
from sandtable.games.asl.boards.locations import Place, Spot
from sandtable.games.asl.los.sight import Sightlines
from sandtable.games.asl.shown.models import model, piece, written
from sandtable.games.asl.table.ids import UNDER_FOXHOLE

ALL = [one for one in examples(registry.get("asl")).values() if one.sights or one.blocked]


@pytest.mark.parametrize("one", ALL, ids=[one.id for one in ALL])
def test_what_is_drawn_as_seen_is_seen(one: Example) -> None:
    assert one.ground is not None
    field = written(one.ground)
    lines = Sightlines(field)
    dug = {unit["hex"] for unit in one.units if unit.get("under") == UNDER_FOXHOLE}

    def spot(name: str) -> Spot:
        return Spot(field.hex(name), Place.GROUND, name in dug, -1)

    for a, b in one.sights:
        assert lines.look(spot(a), spot(b)).clear, (a, b)
    for a, b in one.blocked:
        assert not lines.look(spot(a), spot(b)).clear, (a, b)


def test_a_ground_that_cannot_be_laid_says_why() -> None:
    with pytest.raises(ValueError, match="not walls"):
        model({"board": "D1", "walls": []}, "css")
    with pytest.raises(ValueError, match="not 'depth=2'"):
        model({"board": "D1", "hexes": {"M5": "depth=2"}}, "css")
    with pytest.raises(KeyError):
        piece("br_none")
