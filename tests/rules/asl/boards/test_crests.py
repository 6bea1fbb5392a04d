"""F5.4, F5.421, F5.422: Crest fronts and Crest CAFPs, on hexes like those of the examples."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.locations import crest_exits, crest_front, crest_vertices, may_centre

from ..kit import ground, hill

rule = partial(pytest.mark.rule, "asl")


def wadi_country() -> Battlefield:
    """M5 as C2 of the examples: bed to N5 and L5, cliffs to M4, N4 and L4; N5 as D2: a cliff toward M6."""
    cells = {name: {"forms": {"wadi"}} for name in ("M5", "N5", "L5")}
    sides = [
        ("M5", "N5", "wadi"),
        ("M5", "L5", "wadi"),
        ("M5", "M4", "wadi_cliff", "M4"),
        ("M5", "N4", "wadi_cliff", "N4"),
        ("M5", "L4", "wadi_cliff", "L4"),
        ("N5", "M6", "wadi_cliff", "M6"),
    ]
    return ground(cells, sides)


@rule("F5.4b")
def test_ex_f5_4_where_a_crest_front_may_be_centred() -> None:
    """EX-F5.4: on any hexside but those of the bed and of wadi cliffs; ordinary cliffs do not bar it."""
    field = wadi_country()
    h = field.hex("D1.M5")
    assert [d for d in range(6) if may_centre(field, h, d)] == [3]
    cliff = ground({"M5": {"forms": {"wadi"}, "level": 1}, **hill(3, "M4")}, [("M5", "M4", "cliff", "M4")])
    assert [d for d in range(6) if may_centre(cliff, cliff.hex("D1.M5"), d)] == [0, 1, 2, 3, 4, 5]
    assert not any(may_centre(cliff, cliff.hex("D1.M4"), d) for d in range(6))


def test_the_hexsides_of_a_front() -> None:
    field = wadi_country()
    assert crest_front(field, field.hex("D1.M5"), 3) == (3,)
    alone = ground({"M5": {"forms": {"wadi"}}})
    assert crest_front(alone, alone.hex("D1.M5"), 0) == (5, 0, 1)


@rule("F5.421a", "F5.421b")
def test_ex_f5_421_legal_vertices() -> None:
    """EX-F5.421: in C2 the two vertices away from the cliffs; in E2 none."""
    field = wadi_country()
    assert crest_vertices(field, field.hex("D1.M5")) == (2, 3)
    sides = [("M5", "L4", "wadi"), ("M5", "L5", "wadi")]
    sides += [("M5", name, "wadi_cliff", name) for name in ("M4", "N4", "N5", "M6")]
    e2 = ground({name: {"forms": {"wadi"}} for name in ("M5", "L4", "L5")}, sides)
    assert crest_vertices(e2, e2.hex("D1.M5")) == ()
    assert crest_vertices(e2, e2.hex("D1.M8")) == ()


@rule("F5.422a")
def test_ex_f5_422_leaving_crest_by_crossing() -> None:
    """EX-F5.422-1, -2: from D2-C3 only C3, because the CAFP lies on D2's cliff side; from C3-B2 both."""
    field = wadi_country()
    h = field.hex("D1.M5")
    assert crest_exits(field, h, 2) == (3,)
    assert crest_exits(field, h, 3) == (3, 4)
