"""A4.31, D2.3: along the hexsides of a hex whose obstacle does not touch them."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.bypass import barred, legs, names, obstructed
from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.fire.firepower import cohorts
from sandtable.games.asl.fire.protection import tem_of
from sandtable.games.asl.game import GAME
from sandtable.games.asl.los.geometry import VERTEX_OFFSETS
from sandtable.games.asl.table.ids import FIRST
from sandtable.games.asl.table.state import Attack, State
from sandtable.games.asl.table.works import spot

from ..infantrykit import ALLIED, AXIS, FOE, SQUAD, H, U, desert, do, legal, moving, place, roll, rule, settle, why
from ..kit import filled, ground
from ..vehiclekit import NNE, Desk, E

marked = partial(pytest.mark.rule, "asl")
TRUCK, TANK = "br_3ton#1", "br_crus1#1"


def village() -> State:
    return desert(filled("building_stone", "M5"), phasing=ALLIED)


def walking(s: State) -> State:
    place(s, SQUAD, "M6")
    moving(s)
    do(s, f"move {SQUAD}")
    return s


def on(s: State) -> None:
    """The other side lets them go on."""
    while GAME.to_act(s) == AXIS:
        do(s, "hold")


def test_a_corner_has_three_names() -> None:
    """They are the same point of the map."""
    field = ground()
    for v in range(6):
        found = names(field, field.hex("D1.M5"), v)
        assert len(found) == 3
        points = set()
        for one in found:
            c, y = field.place[one.hex]
            x, z = VERTEX_OFFSETS[one.vertex]
            points.add((3 * c + x, y + z))
        assert len(points) == 1
        assert {d.to for d in legs(field, found[0].hex, v)} == set(), "nothing to bypass there"


@marked("A4.31")
def test_infantry_goes_past_a_building_for_one_mf() -> None:
    """From M6 around M5 to its northern corners, then on to M4: 1 MF each, where the building itself costs 2."""
    s = walking(village())
    around = {one for one in legal(s) if one.startswith("bypass")}
    assert around == {f"bypass M5 {v}" for v in ("nne", "e", "sse", "ssw", "w", "nnw")}
    do(s, "bypass M5 nne")
    on(s)
    assert s.move is not None
    assert (s.move.spent, s.at[U(SQUAD)], s.place[U(SQUAD)], s.cafp[U(SQUAD)]) == (2, H("M5"), Place.BYPASS, 0)
    assert {one for one in legal(s) if one.startswith("to ")} == {"to M5", "to M4", "to N4"}
    assert rule(s, "to M6") == "A4.13"
    assert rule(s, "halt") == "A4.31"
    inside = s.copy()
    do(s, "to M4")
    on(s)
    assert s.move is not None
    assert (s.move.spent, s.place[U(SQUAD)]) == (4, Place.GROUND)
    do(inside, "to M5")
    on(inside)
    assert inside.move is not None
    assert (inside.move.spent, inside.place[U(SQUAD)]) == (6, Place.GROUND), "the building costs its 2 MF"


@marked("A4.31")
def test_two_hexsides_for_one_payment() -> None:
    """From the corner W it goes to E only in two payments."""
    s = walking(village())
    do(s, "bypass M5 w")
    on(s)
    found = {one for one in legal(s) if one.startswith("bypass M5")}
    assert found == {"bypass M5 nnw", "bypass M5 nne", "bypass M5 ssw", "bypass M5 sse"}


@marked("B28.41", "A4.31")
@pytest.mark.parametrize("edition", [7, 6])
def test_mines_attack_who_passes_along_their_hex_and_goes_into_it_once(edition: int) -> None:
    s = village()
    s.edition = edition
    place(s, "axis_known_minefield_ap#1", "M5")
    s.strength[U("axis_known_minefield_ap#1")] = 6
    walking(s)
    do(s, "bypass M5 nne")
    roll(s, 6, 6)
    on(s)
    do(s, "to M5")
    assert GAME.is_chance(s) == (edition < 7)


@marked("A4.31", "A4.6b")
def test_in_bypass_it_stands_in_the_open_at_the_corner() -> None:
    s = walking(village())
    place(s, FOE, "Q5")
    do(s, "bypass M5 e")
    u = U(SQUAD)
    assert spot(s, u).vertex == 1
    assert not tem_of(s, [spot(s, U(FOE))], u), "the walls do not protect it"
    attack = Attack(fire=FIRST, side=AXIS, target=H("M5"), firers=1 << U(FOE), movers=1 << u)
    assert {one.rule for one in cohorts(s, attack)[0].drms} == {"A4.6a", "A4.6b"}
    other = walking(village())
    place(other, FOE, "Q5")
    do(other, "bypass M5 w")
    assert not other.stage.sights.sees(spot(other, U(FOE)), spot(other, u)), "behind the building nobody sees it"


@marked("A4.31")
def test_who_breaks_or_is_pinned_in_bypass_is_in_the_building() -> None:
    s = walking(village())
    do(s, "bypass M5 e")
    s.pinned |= 1 << U(SQUAD)
    settle(s)
    assert (s.at[U(SQUAD)], s.place[U(SQUAD)]) == (H("M5"), Place.GROUND)
    assert s.move is None


@marked("A4.31", "A4.14", "A4.61")
def test_who_may_not_bypass() -> None:
    s = walking(village())
    s.move.spent = 6  # type: ignore[union-attr]
    s.choices = None
    assert rule(s, "bypass M5 e") == "A4.31", "1 MF is left: none to go on with"
    s = village()
    place(s, FOE, "M5")
    walking(s)
    assert rule(s, "bypass M5 e") == "A4.14"
    s = walking(village())
    do(s, "assault")
    assert rule(s, "bypass M5 e") == "A4.61"
    s = walking(desert(filled("orchard", "M5"), phasing=ALLIED))
    assert rule(s, "bypass M5 e") == "A4.31", "an orchard is no such obstacle"
    s = walking(desert(filled("woods", "M5", inherent=True), phasing=ALLIED))
    assert rule(s, "bypass M5 e") == "A4.31", "Inherent Terrain fills its hex"
    s = walking(desert(filled("building_stone", "M5"), [("M5", "N5", "cliff")], phasing=ALLIED))
    assert "bypass M5 sse" in legal(s)
    assert "bypass M5 e" not in legal(s) or barred(s.stage.field, H("M5"), 2)
    assert why(s, "bypass Q5 e").rule == "A4.31"


def test_what_is_bypassed() -> None:
    field = ground({**filled("woods", "M5"), **filled("tomb", "M7"), **filled("brush", "M9")})
    assert [obstructed(field, field.hex(f"D1.{name}")) for name in ("M5", "M7", "M9")] == [True, True, False]


# D2.3 vehicles


def street(facing: int, unit: str = TANK, at: str = "M6") -> Desk:
    """M5 is a building; the vehicle stands in M6, its corner NNE lies between M5 and N5."""
    d = Desk(field=ground(filled("building_stone", "M5", "N7")), phasing=ALLIED)
    d.put(unit, at, facing, motion=True)
    d.driving(unit)
    return d


@marked("D2.3")
def test_a_vehicle_bypasses_along_the_hexside_before_it() -> None:
    """From M6 facing NNE along M5-N5 to the corner E of M5: 2 MP for a tank; then N4 lies before it."""
    d = street(NNE)
    assert {one for one in d.legal() if one.startswith("bypass")} == {"bypass M5 e"}
    left = d.left
    d.do("bypass M5 e")
    u = d.unit(TANK)
    assert d.left == left - 2
    assert (d.s.at[u], d.s.place[u], d.s.cafp[u]) == (d.hex("M5"), Place.BYPASS, 1)
    assert not [one for one in d.legal() if one.startswith("rolled")], "no Bog DR beside the building"
    assert {one for one in d.legal() if one.startswith("to ")} == {"to N4"}
    assert spot(d.s, u).vertex == 1
    d.do("to N4")
    assert (d.where(TANK), d.s.place[u]) == ("N4", Place.GROUND)


@marked("D2.3", "F11.74a")
@pytest.mark.parametrize(("edition", "dust"), [(6, "M6"), (5, "M5")])
def test_along_the_next_hexside_of_one_hex_no_new_hex_is_left(edition: int, dust: str) -> None:
    """Its dust stays where it was, and none rises in the hex that it goes around."""
    d = street(NNE).under(vehicle_dust=True, ec="Dry")
    d.s.edition = edition
    u = d.unit(TANK)
    d.do("bypass M5 e")
    assert d.s.trail == {u: d.hex("M6")}
    d.do("turn nnw")
    round_ = next(one for one in sorted(d.legal()) if one.startswith("bypass M5"))
    d.do(round_)
    assert d.s.trail == {u: d.hex(dust)}


@marked("D2.3", "D2.1")
def test_at_the_corner_it_turns_and_goes_on() -> None:
    d = street(NNE)
    d.do("bypass M5 e")
    left = d.left
    d.do("turn nnw")
    assert d.left == left - 1, "a vertex costs 1 MP there, not 2 as in the building"
    assert {one for one in d.legal() if one.startswith("bypass")} == {"bypass M5 nne"}
    assert {one for one in d.legal() if one.startswith("to ")} == {"to M5", "to N4"}
    d.do("bypass M5 nne")
    assert d.left == left - 3
    assert {one for one in d.legal() if one.startswith("to ")} == {"to M4"}


@marked("D2.3")
def test_what_bypass_costs_and_where_there_is_none() -> None:
    """Trucks pay 2 x 1 in the desert, 2 x 4 where Chapter B rules."""
    d = street(NNE, TRUCK)
    left = d.left
    d.do("bypass M5 e")
    assert d.left == left - 2
    hill = Desk(field=ground(filled("building_stone", "M5")), phasing=ALLIED)
    hill.stage.field.chapter_b |= 1 << hill.hex("M5")
    hill.put(TRUCK, "M6", NNE, motion=True)
    hill.driving(TRUCK)
    left = hill.left
    hill.do("bypass M5 e")
    assert hill.left == left - 8
    d = street(E)
    assert d.rule("bypass M5 e") == "D2.3", "it does not face that hexside"
    d = Desk(field=ground(filled("building_stone", "M5")), phasing=ALLIED)
    d.put(TANK, "M6", NNE)
    d.driving(TANK)
    assert d.rule("bypass M5 e") == "D2.1"


@marked("D2.3", "D5.31")
def test_beside_the_building_it_has_no_cover() -> None:
    d = street(NNE, TRUCK)
    d.do("bypass M5 e")
    u = d.unit(TRUCK)
    assert not tem_of(d.s, [], u)
