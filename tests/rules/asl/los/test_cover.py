"""What the ground along a line of fire gives its target: F4.5, F6.5, F7.513, F10.3, B9.3, B10.31."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.los.cover import covers, entry_sides
from sandtable.games.asl.los.sight import Sightlines

from ..kit import ground, hill, hillock, spot

rule = partial(pytest.mark.rule, "asl")


def cover(field: Battlefield, firer: str, target: str) -> list[tuple[str, int, bool]]:
    """Rule, TEM and HD of all that protects the target."""
    found = covers(Sightlines(field), spot(field, firer), spot(field, target))
    return [(one.rule, one.tem, one.hull_down) for one in found]


@rule("F4.5a", "F4.5c")
def test_across_the_lip_of_a_deir() -> None:
    cells = {name: {"forms": {"deir", "lip"} if name != "M5" else {"deir"}, "mass": "d"} for name in ("M4", "M5", "M6")}
    field = ground({**cells, **hill(1, "M9")}, [("M6", "M7", "lip", "M6"), ("M4", "M3", "lip", "M4")])
    assert cover(field, "M8", "M5") == [("F4.5a", 1, True)]
    assert cover(field, "M8", "M6") == [("F4.5a", 1, True)]
    assert cover(field, "M7", "M5") == []  # the firer's hex shares that lip hexside
    assert cover(field, "M9", "M5") == []  # not from its own elevation
    assert cover(field, "M4", "M6") == []  # inside
    assert cover(field, "M5", "M8") == []  # not in a deir


@rule("F4.5a")
def test_along_the_lip_of_ones_own_deir() -> None:
    """A line that only follows a lip crosses none; one that leaves the deir and comes back does."""
    cells = {name: {"forms": {"deir", "lip"}, "mass": "d"} for name in ("M5", "N5", "O5")}
    field = ground(cells, [("N4", side, "lip", side) for side in ("N5", "M5", "O5")])
    assert cover(field, "M5", "O5") == []
    assert [one.rule for one in covers(Sightlines(field), spot(field, "M5"), spot(field, "O5"), followed=True)] == [
        "F4.5a"
    ]
    away = ground(
        {name: {"forms": {"deir", "lip"}, "mass": "d"} for name in ("M4", "L5", "L6", "M7")},
        [
            (one, inner, "lip", inner)
            for inner in ("M4", "M7")
            for one in ("M5", "M6")
            if (one, inner) in (("M5", "M4"), ("M6", "M7"))
        ],
    )
    assert cover(away, "M4", "M7") == cover(away, "M7", "M4") == [("F4.5a", 1, True)]
    ends = {name: {"forms": {"deir", "lip"}, "mass": "d"} for name in ("L5", "N5")}
    between = ground(ends, [(one, inner, "lip", inner) for one in ("M5", "M6") for inner in ("L5", "N5")])
    assert cover(between, "L5", "N5") == cover(between, "N5", "L5") == [("F4.5a", 1, True)]  # along a side of neither


@rule("F4.5b")
def test_between_two_deirs() -> None:
    cells = {"M5": {"forms": {"deir", "lip"}, "mass": "a"}, "M6": {"forms": {"deir", "lip"}, "mass": "b"}}
    field = ground(cells, [("M5", "M6", "lip", "M5", "M6")])
    assert cover(field, "M5", "M6") == cover(field, "M6", "M5") == [("F4.5b", 1, True)]


@rule("F6.5a", "F6.5b")
def test_behind_a_hillock() -> None:
    field = ground({**hillock("a", "M5"), **hill(1, "M9"), **hillock("b", "M8")})
    assert cover(field, "M7", "M4") == [("F6.5a", 1, True)]
    assert cover(field, "M6", "M4") == [("F6.5a", 1, True)]
    assert [one.indirect for one in covers(Sightlines(field), spot(field, "M7"), spot(field, "M4"))] == [0]
    assert cover(field, "M9", "M4") == []  # OVER it, from above
    assert cover(field, "M8", "M4") == []  # OVER it, from a hillock past the first (F6.41a)
    assert cover(field, "M5", "M4") == []  # from it
    assert cover(field, "M7", "M5") == []
    two = ground({**hillock("a", "M8"), **hillock("b", "M6"), **hillock("c", "M4")})
    assert cover(two, "M8", "M3") == [("F6.5a", 1, True)]  # past the second it is not OVER
    spine = ground(hillock("a", "M5"))
    assert cover(spine, "J4", "N4") == [("F6.5a", 1, True)]  # along its hexside, in at a vertex


@rule("B10.31", "F6.51a", "F6.51b")
def test_height_advantage() -> None:
    field = ground({**hill(1, "M5"), **hillock("a", "M3", summit=["M2"])})
    assert cover(field, "M7", "M5") == [("B10.31", 1, True)]
    assert cover(field, "M4", "M3") == []  # half a level
    assert cover(field, "M1", "M2") == [("B10.31", 1, False)]  # a hillock never gives HD by height
    assert cover(field, "M3", "M2") == []


@rule("F7.513a", "F7.514")
def test_behind_a_dune_crest() -> None:
    """EX-F7.513-3: with only B's dune High, only B is protected in their mutual fire."""
    low = {"M5": {"terrain": "sand", "forms": {"dune"}, "mass": "d"}}
    field = ground({**low, **hillock("h", "M9")}, [("M5", "M6", "dune_crest", "M5")])
    assert cover(field, "M8", "M5") == [("F7.513a", 1, True)]
    assert cover(field, "M3", "M6") == [("F7.513a", 1, True)]
    assert cover(field, "M9", "M5") == []  # the firer is higher
    assert cover(field, "M6", "M5") == cover(field, "M5", "M6") == [("F7.513a", 1, True)]  # AMB-46
    found = covers(Sightlines(field), spot(field, "M8"), spot(field, "M5"))
    assert [(one.wall_advantage, one.indirect) for one in found] == [(False, 0)]
    both = {"M5": {"forms": {"dune"}, "mass": "d"}, "M8": {"forms": {"dune", "hillock", "high_dune"}, "mass": "e"}}
    crests = [("M5", "M6", "dune_crest", "M5"), ("M8", "M7", "dune_crest", "M8")]
    mixed = ground(both, crests)
    assert cover(mixed, "M8", "M5") == []
    assert cover(mixed, "M5", "M8") == [("F7.513a", 1, True)]


@rule("B9.3", "F10.3b", "F10.3c")
def test_behind_walls_and_hedges() -> None:
    field = ground({}, [("M5", "M6", "wall"), ("M3", "M4", "hedge")])
    assert cover(field, "M8", "M5") == [("B9.3", 2, True)]
    assert cover(field, "M6", "M3") == [("B9.3", 1, False)]
    indirect = covers(Sightlines(field), spot(field, "M8"), spot(field, "M5"))
    assert [(one.indirect, one.wall_advantage) for one in indirect] == [(1, True)]
    hillside = ground(hill(1, "M5"), [("M5", "M6", "wall", "M5")])
    assert ("B9.3", 2, True) in cover(hillside, "M8", "M5")
    assert cover(hillside, "M3", "M6") == []  # below it


def test_the_sides_by_which_fire_enters() -> None:
    field = ground()
    lines = Sightlines(field)
    assert entry_sides(lines, spot(field, "M8"), spot(field, "M5")) == (3,)
    assert entry_sides(lines, spot(field, "K5"), spot(field, "M5")) == (4, 5)
    assert entry_sides(lines, spot(field, "M5"), spot(field, "M5")) == ()
