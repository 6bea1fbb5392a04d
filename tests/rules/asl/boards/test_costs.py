"""F.2 and the movement costs of every terrain, with the worked examples on them."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.costs import CLASSES, ROAD, TRACK, Mover, Weather, entry_price

from ..kit import filled, ground, hill, hillock, spot

rule = partial(pytest.mark.rule, "asl")

FOOT = Mover("infantry")
HORSE = Mover("cavalry", 12)
TANK = Mover("tracked", 13)
CAR = Mover("armoured_car", 34)
TRUCK = Mover("truck", 24)
BIKE = Mover("motorcycle", 24)
HALFTRACK = Mover("halftrack", 20)
ALL = tuple(Mover(kind, 20) for kind in CLASSES)


def price(field: Battlefield, mover: Mover, a: str, b: str, way: str = "", **weather: Any) -> float | None:
    found = entry_price(field, mover, spot(field, a), spot(field, b), way, Weather(**weather))
    return None if found is None else found.points


def board25(**hexes: Any) -> Battlefield:
    """Ground that plays by the costs of Chapter B where it is hill."""
    field = ground(hexes)
    for name, facts in hexes.items():
        if facts.get("level") and facts.get("terrain", "open") == "open" and not facts.get("forms"):
            field.chapter_b |= 1 << field.hex(f"D1.{name}")
    return field


@rule("F.2a", "F2.21a", "F3.3")
def test_the_desert_chart() -> None:
    field = ground({**filled("scrub", "M5"), **filled("hammada", "M4")})
    assert [price(field, mover, "M6", "N6") for mover in ALL] == [1] * 7
    assert [price(field, mover, "M6", "M5") for mover in ALL] == [1, 2, 2, 3, 4, 4, 6]
    assert [price(field, mover, "M5", "M4") for mover in ALL] == [1, 3, 2, 3, 4, 4, 6]


@rule("F.2b", "F.2Aa")
def test_ex_f_2_an_armoured_car_and_a_tank() -> None:
    """EX-F.2-1, EX-F.2-2, EX-F.2A: orchards and hills at Chapter B's rates, wadis with desert Open Ground."""
    field = board25(
        M4={"terrain": "orchard"},
        M6={"forms": {"wadi"}},
        N6={"level": 0, "terrain": "open"},
        M7={"level": 0},
        L6={"forms": {"wadi"}, "terrain": "woods"},
        N5={"level": 1},
        O6={"level": 1},
    )
    assert price(field, CAR, "M5", "M4") == 3
    assert price(field, CAR, "M4", "M5") == 1
    assert price(field, CAR, "M5", "M6 in") == 5
    assert price(field, CAR, "M6 in", "N5") == 11  # two levels at once: 4 + 4 + 3
    assert price(field, TANK, "M5", "M6 in") == 3
    assert price(field, TRUCK, "O6", "N5") == 4
    assert price(field, TRUCK, "M5", "M6 in") == 7
    wadi = ground({"M6": {"forms": {"wadi"}}, "M7": {"forms": {"wadi"}, "terrain": "woods"}}, [("M6", "M7", "wadi")])
    assert price(wadi, TANK, "M6 in", "M7 in") == 8.5  # 2 + half of 13
    out = board25(M6={"forms": {"wadi"}})
    out.chapter_b |= 1 << out.hex("D1.M5")
    assert price(out, CAR, "M6 in", "M5") == 7  # 4 up + 3 Chapter B Open Ground
    grove = ground({"M6": {"forms": {"wadi"}}, "M5": {"terrain": "orchard"}})
    assert price(grove, CAR, "M6 in", "M5") == 7  # 4 up + 3 orchard
    past = Mover("armoured_car", 34, bypass=True)
    assert [price(out, past, "N5", name) for name in ("M5", "N6")] == [6, 2]  # twice Open Ground of B, of the desert
    woods = price(wadi, CAR, "M6 in", "M7 in")
    assert woods is not None
    assert woods > 34  # it needs all its MP for the woods alone


@rule("F4.3a", "F4.3b")
def test_the_lip_of_a_deir() -> None:
    field = ground({"M5": {"forms": {"deir", "lip"}, "mass": "d"}}, [("M5", "M6", "lip", "M5")])
    assert [price(field, mover, "M6", "M5") for mover in ALL] == [1] * 7
    assert price(field, FOOT, "M5", "M6") == price(field, HORSE, "M5", "M6") == 1
    assert price(field, TANK, "M5", "M6") == 2
    assert price(field, Mover("cavalry", 12, wagon=True), "M5", "M6") == 2  # AMB-04
    assert price(field, TANK, "M5", "M4") == 1


@rule("F5.2a", "F5.2b", "F5.2c", "B19.4", "B10.5")
def test_ex_f5_2_into_wadis() -> None:
    """EX-F5.2-1 to -4."""
    trace = ground({"M5": {"forms": {"wadi"}, "level": 1}}, [("M5", "M6", "wadi")])
    assert (price(trace, FOOT, "M6", "M5 in"), price(trace, TANK, "M6", "M5 in")) == (2, 3)
    bed = ground({"M5": {"forms": {"wadi"}, "level": 2}, "M6": {"forms": {"wadi"}, "level": 1}}, [("M5", "M6", "wadi")])
    assert (price(bed, FOOT, "M6 in", "M5 in"), price(bed, TANK, "M6 in", "M5 in")) == (4, 7)
    rim = ground({"M5": {"forms": {"wadi"}, "level": 3}, **hill(2, "M6")})
    assert (price(rim, FOOT, "M6", "M5 in"), price(rim, TANK, "M6", "M5 in")) == (4, 7)
    drop = ground({"M5": {"forms": {"wadi"}, "level": 2, "terrain": "hammada"}, **hill(3, "M6")})
    assert (price(drop, FOOT, "M6", "M5 in"), price(drop, TANK, "M6", "M5 in")) == (4, 6)
    assert price(drop, FOOT, "M6", "M5 crest") == 3
    flat = ground({"M5": {"forms": {"wadi"}}})
    assert price(flat, FOOT, "M6", "M5 crest") == 1  # the INTO cost less one (B20.9)
    assert price(flat, TANK, "M6", "M5 crest") == 1  # the hex without the wadi (F5.42e)


@rule("B10.4", "B10.5", "F5.21")
def test_uphill() -> None:
    field = ground({**hill(1, "M5"), **hill(3, "M4"), "M7": {"forms": {"wadi"}}})
    assert (price(field, FOOT, "M6", "M5"), price(field, TANK, "M6", "M5")) == (2, 5)
    assert (price(field, FOOT, "M5", "M6"), price(field, TANK, "M5", "M6")) == (1, 1)
    assert (price(field, FOOT, "M5", "M4"), price(field, TANK, "M5", "M4")) == (4, 9)  # two levels at once
    assert (price(field, FOOT, "M4", "M5"), price(field, TANK, "M4", "M5")) == (2, 3)
    assert (price(field, FOOT, "M7 in", "M8"), price(field, TANK, "M7 in", "M8")) == (2, 5)


@rule("F6.3a")
def test_ex_f6_6_1_onto_a_hillock() -> None:
    """EX-F6.6-1."""
    cells = {**hillock("h", "M5"), "M4": {"forms": {"wadi"}}, "N4": {"forms": {"deir", "lip"}, "mass": "d"}}
    field = ground(cells, [("N4", "M5", "lip", "N4")])
    assert price(field, FOOT, "M6", "M5") == 1
    assert price(field, FOOT, "M4 in", "M5") == 2
    assert price(field, TANK, "M6", "M5") == 2
    assert price(field, TANK, "M4 in", "M5") == 6
    assert price(field, TANK, "N4", "M5") == 3
    assert price(field, TANK, "M5", "M6") == 1
    wide = ground(hillock("h", "M5", "M4", summit=("M3",)))
    steps = (("M5", "M4"), ("M4", "M3"), ("M3", "M4"))
    assert [price(wide, TANK, *step) for step in steps] == [1, 2, 1], "only from lower ground"


@rule("F7.3a", "F7.3b", "F2.21b")
def test_ex_f7_3_sand() -> None:
    """EX-F7.3."""
    field = ground({**filled("sand", "M5"), **filled("sand_scrub", "M4")})
    assert [price(field, mover, "M6", "M5") for mover in ALL] == [2, 3, 3, 4, 5, 5, 7]
    assert [price(field, mover, "M6", "M5", wet=True) for mover in ALL] == [1, 2, 2, 3, 4, 4, 6]
    assert (price(field, FOOT, "M5", "M4"), price(field, TANK, "M5", "M4")) == (2, 4)


@rule("F7.511")
def test_ex_f7_511_dune_crests() -> None:
    """EX-F7.511-1, -2: K2 to J2 to I2, low and high, with scrub in J2."""

    def dune(high: bool, terrain: str = "sand") -> Battlefield:
        forms = {"dune", "hillock", "high_dune"} if high else {"dune"}
        sand = {"terrain": terrain, "forms": forms, "mass": "d"}
        return ground({"M5": sand, "M4": {"terrain": "sand"}}, [("M5", "M4", "dune_crest", "M5")])

    def way(field: Battlefield, mover: Mover) -> float:
        found = [price(field, mover, "M6", "M5"), price(field, mover, "M5", "M4")]
        return sum(one for one in found if one is not None)

    assert [way(dune(high), FOOT) for high in (False, True)] == [5, 5]
    assert [way(dune(high), TANK) for high in (False, True)] == [7, 8]
    assert [price(dune(high, "sand_scrub"), TANK, "M6", "M5") for high in (False, True)] == [4, 5]


@rule("F9.1b", "F9.1c")
def test_ex_f9_2_tracks() -> None:
    """EX-F9.2."""
    field = ground({**filled("sand", "M5"), **filled("hammada", "M4"), **hill(1, "N6"), **hillock("h", "L6")})
    assert price(field, FOOT, "M6", "M5", TRACK) == 1
    assert price(field, FOOT, "M5", "M4", TRACK) == 1
    assert price(field, FOOT, "M6", "N6", TRACK) == 2
    assert price(field, FOOT, "M6", "N6", TRACK, smoke=1) == 4
    assert price(field, TRUCK, "M5", "M4", TRACK) == 5
    assert price(field, Mover("truck", 24, towing=True), "M5", "M4", TRACK) == 6
    assert price(field, Mover("infantry", pushing=True), "M6", "M5") == 4
    assert price(field, Mover("infantry", pushing=True), "M6", "M5", TRACK) == 3
    assert price(field, TANK, "M6", "L6") == 2
    assert price(field, TANK, "M6", "L6", TRACK) == 1
    grain = ground(filled("grain", "M5"))
    assert [price(grain, FOOT, "M6", "M5", way) for way in ("", TRACK)] == [1.5, 1], "never below 1"


@rule("B.2", "F11.73c", "F11.731b")
def test_surcharges_and_roads() -> None:
    field = ground({}, [("M5", "M6", "wall"), ("M7", "M8", "cliff", "M8")])
    assert price(field, FOOT, "M6", "M5") == 2
    assert price(field, FOOT, "M7", "M8") is None
    assert price(field, FOOT, "M5", "N5", smoke=1) == 2
    assert price(field, TANK, "M5", "N5", vehicles=2) == 3
    assert price(field, FOOT, "M5", "N5", vehicles=2) == 1
    assert price(field, TANK, "M5", "N5", ROAD) == 0.5
    assert price(field, Mover("tracked", 13, buttoned_up=True), "M5", "N5", ROAD) == 1
    assert price(field, TANK, "M5", "N5", ROAD, vehicles=1) == 2.5
    dusts = ("none", "light", "heavy", "very_heavy", "extremely_heavy")
    assert [price(field, TANK, "M5", "N5", dust=dust) for dust in dusts] == [1, 1, 2, 2, 2]
    closed = Mover("tracked", 13, buttoned_up=True)
    assert [price(field, closed, "M5", "N5", dust=dust) for dust in dusts] == [1, 1, 2, 3, 3]
    assert price(field, FOOT, "M5", "N5", dust="heavy") == 1
    assert price(field, HORSE, "M5", "N5", dust="heavy") == 2


@rule("F13.1c", "F13.4a", "F13.5a", "F12.45")
def test_alternate_terrain_and_tents() -> None:
    words = {"M5": "broken_hex", "M4": "cactus_patch", "M3": "olive_grove", "M2": "crag"}
    field = ground({name: {"terrain": word} for name, word in words.items()})
    assert [price(field, mover, "M6", "M5") for mover in ALL] == [2, 2, 2, 2, 6, 4, 8]  # twice Chapter B Open Ground
    assert [price(field, mover, "M5", "M4") for mover in (FOOT, CAR, TRUCK)] == [3, 9, 12]
    assert [price(field, mover, "M4", "M3") for mover in (FOOT, CAR, TRUCK)] == [2, 6, 8]
    assert price(field, TANK, "M3", "M2") is None
    camp = ground({}, overlays=[{"id": "ovX3", "board": "D1", "hex1": "M5", "hex2": "M4"}])
    assert price(camp, FOOT, "M6", "M5") == 2.5
    assert price(camp, TANK, "M6", "M5") == 2


def test_reverse_multiplies_the_terrain_alone() -> None:
    """EX-F5.422-3, AMB-45: {1 Open Ground + 1 hedge} × 4; no surcharge is multiplied."""
    field = ground({}, [("M5", "M6", "hedge")])
    back = Mover("tracked", 13, reverse=4)
    assert price(field, back, "M6", "M5") == 8
    assert price(field, back, "M6", "M5", smoke=1) == 9


def test_every_part_has_its_rule() -> None:
    field = ground({**filled("sand", "M5"), **hill(1, "M4")}, [("M5", "M6", "wall")])
    found = entry_price(field, TANK, spot(field, "M6"), spot(field, "M5"), "", Weather(smoke=1))
    assert found is not None
    assert [(part.rule, part.what, part.halves) for part in found.parts] == [
        ("F7.3a", "sand", 4),
        ("F.2a", "open", 2),
        ("B9.3", "wall", 2),
        ("A24.7", "smoke", 2),
    ]
    assert sum(part.halves for part in found.parts) == found.halves


@rule("F12.51")
def test_ex_f12_51_a_truck_on_the_escarpment() -> None:
    """EX-F12.51: a made-up escarpment, because overlay E1 itself is not in the data."""
    field = ground(
        {"M8": {"level": 3}, "L7": {"level": 4}, "K7": {"level": 4}, "M7": {"level": 4, "forms": {"wadi"}}},
        [("M7", "M8", "wadi")],
    )
    field.chapter_b |= 1 << field.hex("D1.M8")
    field.overlays = (*field.overlays, "E1")
    assert price(field, TRUCK, "M8", "L7") == 8  # 4 higher + 4 Chapter B Open Ground
    assert price(field, TRUCK, "M7 in", "L7") == 5  # 4 + 1 desert Open Ground
    assert price(field, TRUCK, "L7", "M7 in") == price(field, TRUCK, "M8", "M7 in") == 7  # 6 wadi + 1
    assert price(field, TRUCK, "L7", "M8") == 4  # Chapter B Open Ground
    assert price(field, TRUCK, "K7", "L7") == 1  # level 4 uses the costs of the desert


@rule("F9.1b", "F9.1c", "D2.2")
def test_a_track_helps_in_reverse_too_and_after_the_multiplier() -> None:
    """It is subtracted last but for SMOKE, vehicles, weather and towing: 4 x 2 of hammada less 1."""
    field = ground(filled("hammada", "M5"))
    back = Mover("tracked", 13, reverse=4)
    assert price(field, back, "M6", "M5", "track") == 7
    assert price(field, back, "M6", "M5", "track", smoke=1) == 8
    assert [price(field, Mover("tracked", 13, reverse=n), "M6", "M5") for n in (1, 2, 3)] == [2, 4, 6]
    assert price(field, TANK, "M6", "M7", "track") == 1
