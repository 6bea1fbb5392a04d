"""F5.42 Vehicles at the rim of a wadi, by the costs of the worked examples."""

from __future__ import annotations

import pytest

from sandtable.games.asl.boards.locations import Place

from ..kit import Side, ground
from ..vehiclekit import NNE, NNW, SSE, SSW, Desk, E, W

TANK = "br_stu1#1"
WADI = {"Q5": {"forms": {"wadi"}}, "Q6": {"forms": {"wadi"}}, "R5": {"terrain": "hammada"}}
BED: list[Side] = [("Q5", "Q6", "wadi", "Q5", "Q6")]
FIELD = ground(WADI, BED)
"""A wadi of two hexes, Q5 north of Q6; R4 lies north-east of Q5, R5 (hammada) south-east, P4 and P5 west."""


def desk(where: str, facing: int, place: Place = Place.GROUND, vertex: int = 0, **marks: bool) -> Desk:
    t = Desk(field=FIELD).under(vehicle_dust=False, ec="Dry")
    u = t.put(TANK, where, facing, **marks)
    t.s.place[u], t.s.cafp[u] = place, vertex
    return t.driving(TANK)


def at(t: Desk) -> tuple[Place, int]:
    u = t.unit(TANK)
    return Place(t.s.place[u]), t.s.cafp[u]


@pytest.mark.rule("asl", "F5.42a", "F5.42b", "F5.42i", "F5.42g")
def test_forward_from_in_the_wadi() -> None:
    """EX-F5.42-1: 3 into the wadi hex, 2 for the VCA, 4 up and 1 to Stop: 10 MP."""
    t = desk("Q6", NNE, Place.IN, motion=True)
    whole = t.left
    t.do("to Q5")
    assert whole - t.left == 3
    t.do("turn e", "turn sse", "up")
    assert whole - t.left == 10
    assert at(t) == (Place.CREST, SSE)
    assert not t.has("motion", TANK)
    t.do("start")
    assert t.rule("turn e") == "F5.42g"


@pytest.mark.rule("asl", "F5.42c", "F5.42h")
def test_in_reverse_from_in_the_wadi() -> None:
    """EX-F5.42-2: 4 x 4 up and 1 to Stop; a Minimum Move includes the Stop."""
    t = desk("Q5", NNW, Place.IN)
    t.do("reverse")
    assert t.left == 16
    t.do("up")  # 17 are needed
    assert at(t) == (Place.CREST, SSE)
    assert not t.has("motion", TANK)
    assert t.s.move is None
    late = desk("Q5", NNW, Place.IN)
    late.do("delay", "reverse")
    assert late.rule("up") == "F5.42b"


@pytest.mark.rule("asl", "F5.42d", "F5.42e", "F5.42f", "F5.42i", "F5.4251")
def test_directly_from_outside() -> None:
    """EX-F5.42-3: (b) reverse 4 and Stop 1, front vertex; (c) forward 1 and Stop 1, rear vertex."""
    t = desk("R4", SSW, motion=True)
    whole = t.left
    t.do("rim Q5")
    assert whole - t.left == 2
    assert at(t) == (Place.CREST, NNE)
    assert not t.has("motion", TANK)
    t = desk("R4", NNE, motion=True, backing=True)
    whole = t.left
    t.do("rim Q5")
    assert whole - t.left == 5
    assert at(t) == (Place.CREST, NNE)
    inside = desk("Q6", NNE, Place.IN, motion=True)
    assert inside.rule("rim Q5") == "F5.42d"
    assert inside.rule("rim R5") == "F5.42d"


@pytest.mark.rule("asl", "F5.42b", "F5.42d", "F5.42e", "F5.42f")
@pytest.mark.parametrize(
    ("facing", "way", "whole"),
    [
        (W, ("to Q5", "turn nnw", "turn nne", "up"), 10),
        (SSE, ("turn e", "turn nne", "stop", "reverse", "rim Q5"), 9),
        (SSE, ("turn ssw", "rim Q5"), 3),
    ],
)
def test_ex_f5_42_3_three_ways_to_the_same_vertex(facing: int, way: tuple[str, ...], whole: int) -> None:
    """EX-F5.42-3: INTO the wadi and up for 10 MP, in reverse from outside for 9, forward from outside for 3."""
    t = desk("R4", facing, motion=True)
    before = t.left
    t.do(*way)
    assert before - t.left == whole
    assert at(t) == (Place.CREST, NNE)


@pytest.mark.rule("asl", "F5.422a", "F5.422b", "F5.422d", "F5.422e")
def test_leaving_the_rim_front_first() -> None:
    """EX-F5.422-1: across for the hex's own cost (1 Start + 2 hammada), in reverse IN for 1 + 2 x 4."""
    t = desk("Q5", E, Place.CREST, E)
    whole = t.left
    t.do("start")
    assert {one for one in t.legal() if one.startswith(("to ", "rim "))} == {"to R4", "to R5"}
    assert t.rule("down") == "F5.422d"
    t.do("to R5")
    assert whole - t.left == 3
    assert at(t)[0] == Place.GROUND
    t = desk("Q5", E, Place.CREST, E)
    t.do("reverse")
    assert t.rule("to P4") == "F5.422a"
    t.do("down")
    assert t.left == whole - 9
    assert at(t)[0] == Place.IN


@pytest.mark.rule("asl", "F5.422a", "F5.422d", "F5.422f")
def test_leaving_the_rim_rear_first() -> None:
    """EX-F5.422-3: forward IN for 1 + 2, in reverse across for 1 + 4 times the cost."""
    t = desk("Q5", W, Place.CREST, E)
    whole = t.left
    t.do("start", "down")
    assert whole - t.left == 3
    t = desk("Q5", W, Place.CREST, E)
    t.do("reverse", "to R4")
    assert whole - t.left == 5


@pytest.mark.rule("asl", "F5.421b", "F5.425c")
def test_where_no_vehicle_can_stand() -> None:
    bend = ground(
        {"Q5": {"forms": {"wadi"}}, "Q6": {"forms": {"wadi"}}, "P5": {"forms": {"wadi"}}},
        [("Q5", "Q6", "wadi", "Q5", "Q6"), ("Q5", "P5", "wadi", "Q5", "P5")],
    )
    t = Desk(field=bend).under(vehicle_dust=False)
    u = t.put(TANK, "Q5", SSW, motion=True)
    t.s.place[u] = Place.IN
    t.driving(TANK)
    assert t.rule("up") == "F5.421a"
    t = desk("Q5", SSE, Place.IN, motion=True)
    other = t.put("br_stu1#2", "Q5", SSE)
    t.s.place[other], t.s.cafp[other] = Place.CREST, SSE
    t.settle()
    assert t.rule("up") == "F5.421a"


@pytest.mark.rule("asl", "F5.425a", "F5.425b")
def test_vehicles_at_the_rim_are_in_the_way_at_their_hexsides() -> None:
    """EX-F5.425"""
    t = desk("Q6", NNE, Place.IN, motion=True)
    other = t.put("br_stu1#2", "Q5", E)
    t.s.place[other], t.s.cafp[other] = Place.CREST, E
    t.settle()
    whole = t.left
    t.do("to Q5")
    assert whole - t.left == 3, "it does not cross a hexside of that vertex"
    t = desk("R4", SSW, motion=True)
    other = t.put("br_stu1#2", "Q5", E)
    t.s.place[other], t.s.cafp[other] = Place.CREST, E
    t.settle()
    whole = t.left
    t.do("to Q5")
    assert whole - t.left == 4
    t = desk("Q6", NNE, Place.IN, motion=True)
    other = t.put("br_stu1#2", "Q5", E)
    t.s.place[other] = Place.IN
    t.settle()
    whole = t.left
    t.do("to Q5")
    assert whole - t.left == 4


@pytest.mark.rule("asl", "F5.4252a", "F5.4252b", "D5.4")
def test_getting_out_at_the_rim() -> None:
    t = desk("Q5", E, Place.CREST, E)
    t.do("abandon")
    crew = next(u for u in range(len(t.s.at)) if t.roster.spare >> u & 1 and t.s.at[u] >= 0)
    assert t.s.place[crew] == Place.CREST
    assert t.s.cafp[crew] in (1, 2)
    assert t.has("abandoned", TANK)
    assert t.s.move is None
    t = Desk(field=FIELD).under(vehicle_dust=False)
    u = t.put("br_3ton#1", "Q5", E)
    t.s.place[u], t.s.cafp[u] = Place.CREST, E
    squad = t.put("br_457#1", "Q5")
    t.s.place[squad] = Place.IN
    t.driving("br_3ton#1")
    assert t.rule("embark br_457#1") == "D6.1"
    t.s.place[squad] = Place.CREST
    t.settle()
    t.do("embark br_457#1")
