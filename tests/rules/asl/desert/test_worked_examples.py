"""Worked examples of the rulebook that have no test beside their rule: F3.4, F4.5, F5.422, F6.6, F8.6, F10.3, F12.3.

The book's drawings are not in the data (MISS-02): the positions are built anew so that every sentence of an example can
be asked. EX-F12.51 speaks of overlay E1, which is not in the data: a made-up one is in test_costs.py.
"""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.boards.pack import asl_pack
from sandtable.games.asl.boards.random_overlays import place_overlays
from sandtable.games.asl.combat.close import CombatsAt
from sandtable.games.asl.fire.protection import tem_of
from sandtable.games.asl.game import GAME
from sandtable.games.asl.los.cover import covers
from sandtable.games.asl.los.screens import Screens, screened, vehicle
from sandtable.games.asl.los.sight import Sightlines
from sandtable.games.asl.ordnance.aim import tem_of as aimed_tem
from sandtable.games.asl.table import weather
from sandtable.games.asl.table.ids import CCPH, F_COMBATS, F_DUST_DIE, UNDER_FOXHOLE, UNDER_SANGAR, UNDER_TRENCH
from sandtable.games.asl.table.state import State
from sandtable.games.asl.table.works import spot as where_is

from ..infantrykit import ALLIED, AXIS, FOE, SQUAD, H, U, desert, do, kinds, legal, moving, place, roll, rule, settle
from ..kit import blocked_by, ground, hill, hillock, look, sees, spot
from ..los.test_examples_los import PLACES, deir_country

marked = partial(pytest.mark.rule, "asl")
HEDGED = "it_346#2"


def on(s: State) -> None:
    while GAME.to_act(s) == 1 - s.phasing:
        do(s, "hold")


# F3.4


@marked("F3.4a", "B.5", "B27.3")
def test_ex_f3_4_3_a_foxhole_in_hammada() -> None:
    """EX-F3.4-3: +2 of the foxhole and -1 of the stones: +1 in all, against HE."""
    from ..ordnance.ordnanceshotskit import aimed, desk

    d = desk()
    d.put("br_457#1", "P7")
    d.put("allied_foxhole#1", "P7")
    d.s.under[d.unit("br_457#1")] = UNDER_FOXHOLE
    aimed(d, "at-infantry P7", "load HE")
    assert d.stage.field.terrain[d.hex("P7")] == "hammada"
    assert d.s.shoot is not None
    assert sum(one.value for one in aimed_tem(d.s, d.s.shoot, d.unit("br_457#1"))) == 1


# F4.5


@marked("F4.4a", "F4.5a", "F4.5c", "F4.51b")
def test_ex_f4_5_1_all_see_one_another() -> None:
    """EX-F4.5-1: all units have mutual LOS; the lip gives nothing against what falls from above."""
    field = deir_country()
    names = list(PLACES.values())
    for one in names:
        assert sees(field, one, *[other for other in names if other != one]) == [x for x in names if x != one]
    lines = Sightlines(field)
    found = [one for a in names for b in names if a != b for one in covers(lines, spot(field, a), spot(field, b))]
    assert found
    assert not [one for one in found if one.kind == "lip" and one.indirect]


@marked("F4.51b", "D9.4")
def test_ex_f4_5_4_a_tank_in_a_deir_hinders_at_its_own_level_alone() -> None:
    """EX-F4.5-4, -5: it hinders those outside who look across at its level, and not whoever looks down."""
    field = deir_country()
    lines = Sightlines(field)
    tank = Screens([vehicle(field, field.hex("D1.M6"))])

    def hindered(a: str, b: str) -> bool:
        return screened(lines, spot(field, PLACES[a]), spot(field, PLACES[b]), tank).hindrance > 0

    assert hindered("H", "K")
    assert hindered("K", "H")
    assert not hindered("G", "H"), "G looks down from its hillock"


@marked("D9.3", "F4.51a", "B.5")
def test_ex_f4_5_8_a_tank_covers_whoever_stands_beside_it() -> None:
    """EX-F4.5-8: +1 of the tank vs any unit, not added to the deir's; without the tank +1 only across the lip."""
    s = desert()
    s.stage.lay(deir_country())
    s.stage.script = {**s.stage.script}
    field = s.stage.field
    place(s, SQUAD, PLACES["K"])
    place(s, FOE, PLACES["H"])
    inside = "it_346#2"
    place(s, inside, PLACES["J"])
    across, within = [where_is(s, U(FOE))], [where_is(s, U(inside))]
    assert [one.rule for one in tem_of(s, across, U(SQUAD))] == ["F4.5a"]
    assert not tem_of(s, within, U(SQUAD))
    tank = U("br_crus1#1")
    from sandtable.games.asl.table.state import put

    put(s, tank, field.hex(f"D1.{PLACES['K']}"))
    for firer in (across, within):
        assert [one.value for one in tem_of(s, firer, U(SQUAD))] == [1], "one of them, not both"


# F5.12b, F5.422


@marked("F5.12b", "F5.2b", "F5.2c", "A6.3b")
def test_a_wadi_that_climbs_a_hill() -> None:
    """EX-F5.2-2, -3: along its bed the rise is paid once, over its rim as an abrupt change; sight follows the bed."""
    from ..boards.test_costs import FOOT, TANK, price

    bed = ground({"M5": {"forms": {"wadi"}, "level": 2}, "M6": {"forms": {"wadi"}, "level": 1}}, [("M5", "M6", "wadi")])
    assert (price(bed, FOOT, "M6 in", "M5 in"), price(bed, TANK, "M6 in", "M5 in")) == (4, 7)
    assert look(bed, "M6 in", "M5 in").clear
    shut = ground({"M5": {"forms": {"wadi"}, "level": 2}, "M6": {"forms": {"wadi"}, "level": 1}})
    assert blocked_by(shut, "M6 in", "M5 in") == "A6.3b", "only through the wadi's own hexside"
    rim = ground({"M5": {"forms": {"wadi"}, "level": 3}, **hill(2, "M6")})
    assert (price(rim, FOOT, "M6", "M5 in"), price(rim, TANK, "M6", "M5 in")) == (4, 7)


@marked("F5.422a", "F5.422e")
def test_ex_f5_422_2_from_one_wadi_into_the_next() -> None:
    """EX-F5.422-2: across its CAFP IN the next wadi hex for 1 + 2 + 2; not directly to its Crest."""
    from ..vehiclekit import NNE, Desk

    field = ground(
        {"M5": {"forms": {"wadi"}}, "M4": {"forms": {"wadi"}, "terrain": "hammada"}},
    )
    d = Desk(field=field, phasing=ALLIED)
    u = d.put("br_crus1#1", "M5", NNE)
    d.s.place[u], d.s.cafp[u] = Place.CREST, 0
    d.driving("br_crus1#1")
    left = d.left
    d.do("start")
    if GAME.is_chance(d.s):  # D2.51
        d.roll(1, 1)
    assert not [one for one in d.legal() if one.startswith("rim")]
    d.do("to M4")
    assert d.left == left - 5
    assert d.s.place[u] == Place.IN


# F6.6


@marked("F6.44b", "F6.41b", "F6.5a")
def test_ex_f6_6_7_to_9_mutual_sight_behind_hillocks() -> None:
    """EX-F6.6-7, EX-F6.6-8, EX-F6.6-9: who is behind a hillock sees past it, and right behind the next; what he sees
    there claims its TEM, and sees him."""
    field = ground({**hillock("1", "M8"), **hillock("2", "M5")})
    assert sees(field, "M9", "M8", "M7", "M6", "M5", "M4", "M3") == ["M8", "M7", "M6", "M5", "M4"]
    assert sees(field, "M4", "M5", "M6", "M7", "M8", "M9", "M10") == ["M5", "M6", "M7", "M8", "M9"]
    lines = Sightlines(field)
    for a, b in (("M9", "M4"), ("M4", "M9")):
        assert [one.rule for one in covers(lines, spot(field, a), spot(field, b))] == ["F6.5a"]
    assert not covers(lines, spot(field, "M8"), spot(field, "M7")), "from the hillock itself there is no cover"


@marked("F6.52b", "D9.4", "F4.51c")
def test_ex_f6_6_9_a_wreck_in_a_trench_is_out_of_sight() -> None:
    """EX-F6.6-9, F4.51c: a tank or wreck hinders nobody who does not see it."""
    field = ground({**hillock("1", "M8"), **hillock("2", "M5")})
    assert blocked_by(field, "M9", "M4 dug")
    rolling = ground({**hillock("1", "M7"), **hillock("2", "M2")})
    lines = Sightlines(rolling)
    tanks = {name: Screens([vehicle(rolling, rolling.hex(f"D1.{name}"))]) for name in ("M6", "M4")}
    k, d = spot(rolling, "M9"), spot(rolling, "M2")
    assert blocked_by(rolling, "M9", "M4")
    assert [screened(lines, k, d, tanks[name]).hindrance for name in ("M6", "M4")] == [1, 0]
    assert [screened(lines, d, k, tanks[name]).hindrance for name in ("M6", "M4")] == [1, 1], "D sees both"
    former = Sightlines(rolling, former=True)
    assert screened(former, k, d, tanks["M4"]).hindrance == 1, "as it was ruled before version 4"


# F8.6


def strongpoint(sangars: str = "axis") -> State:
    """M3 an Axis trench in brush, L1 one below, sangars in L2 and M2; K2, L1 and M1 lie lower, N3 is a wadi."""
    high = {name: {"level": 1} for name in ("K3", "L2", "L3", "M2", "N1", "N2")}
    s = desert(
        {
            **high,
            "M3": {"level": 1, "terrain": "brush"},
            "M1": {"terrain": "brush"},
            "N3": {"level": 1, "forms": {"wadi"}, "terrain": "hammada"},
        }
    )
    for work, where in (("axis_trench#1", "M3"), ("axis_trench#2", "L1")):
        place(s, work, where)
    for i, where in enumerate(("L2", "M2")):
        place(s, f"{sangars}_sangar#{i + 1}", where)
    s.control = s.stage.grid.all  # the Allies control every hex
    return s


def starting(where: str, under: int = 0, at: int = 0, who: str = FOE, sangars: str = "axis") -> State:
    s = strongpoint(sangars)
    s.phasing = AXIS if who == FOE else ALLIED
    if who != FOE:
        s.control = 0
    place(s, who, where, under, at)
    moving(s)
    do(s, f"move {who}")
    return s


def paid(s: State, text: str) -> float:
    one = s.copy()
    do(one, text)
    assert one.move is not None
    return one.move.spent / 2


@marked("F8.6a", "F8.6c")
def test_ex_f8_6_1_from_the_trench() -> None:
    """EX-F8.6-1: beneath either sangar for 1 MF, or directly into any lower Location."""
    s = starting("M3", UNDER_TRENCH)
    assert (paid(s, "dive L2"), paid(s, "dive M2")) == (1, 1)
    after = s.copy()
    do(after, "dive L2")
    assert after.under[U(FOE)] == UNDER_SANGAR
    assert "to N3" in legal(s)
    assert rule(s, "to L3") == "B27.3"


@marked("F8.6a", "F8.6c")
def test_ex_f8_6_2_from_the_sangar_in_l2() -> None:
    """EX-F8.6-2: M3 2 MF, L1 1 MF, K2 1 MF directly; K3, L3 and M2 only after coming above."""
    s = starting("L2", UNDER_SANGAR)
    assert (paid(s, "dive M3"), paid(s, "dive L1"), paid(s, "to K2")) == (2, 1, 1)
    assert [rule(s, f"to {name}") for name in ("K3", "L3", "M2")] == ["B27.3"] * 3
    assert rule(s, "dive M2") == "F8.6b", "from sangar to sangar there is no such way"
    do(s, "out")
    on(s)
    assert {"to K3", "to L3", "to M2"} <= legal(s)


@marked("F8.6a", "F8.6c")
def test_ex_f8_6_3_from_the_sangar_in_m2() -> None:
    """EX-F8.6-3: L1 and M3 as from L2, M1 directly for 2 MF; N1, N2 and L2 only after coming above."""
    s = starting("M2", UNDER_SANGAR)
    assert (paid(s, "dive M3"), paid(s, "dive L1"), paid(s, "to M1")) == (2, 1, 2)
    assert [rule(s, f"to {name}") for name in ("N1", "N2", "L2")] == ["B27.3"] * 3


@marked("F8.6b", "F8.6e", "F8.6c")
def test_ex_f8_6_4_from_below_into_a_sangar() -> None:
    """EX-F8.6-4: from K2 for 2 MF into one's own; Entrenched in L1 into anybody's; not into a full one."""
    s = starting("K2")
    assert paid(s, "dive L2") == 2
    assert rule(starting("K2", sangars="allied"), "dive L2") == "F8.6b"
    theirs = starting("L1", UNDER_TRENCH, sangars="allied")
    assert {"dive L2", "dive M2"} <= legal(theirs)
    full = strongpoint()
    full.phasing = AXIS
    place(full, "it_346#2", "L2", UNDER_SANGAR)
    place(full, FOE, "L1", UNDER_TRENCH)
    moving(full)
    do(full, f"move {FOE}")
    assert rule(full, "dive L2") == "F8.6e"
    assert rule(full, "to L2") == "B27.3", "it must come above its own trench first"


@marked("F8.6a", "F8.6b")
def test_ex_f8_6_5_into_the_wadi_and_back() -> None:
    """EX-F8.6-5: IN N3 directly for 3 MF, its Crest only after coming above; back beneath the trench for 4 MF."""
    s = starting("M3", UNDER_TRENCH)
    assert paid(s, "to N3") == 3
    assert rule(s, "crest N3 NW") == "F8.6a"
    back = starting("N3", at=Place.IN)
    assert paid(back, "dive M3") == 4
    assert rule(starting("N3", at=Place.IN, who=SQUAD), "dive M3") == "F8.6b"


# F10.3


@marked("F10.3d", "F10.3b", "B9.32")
def test_ex_f10_3_2_a_crest_unit_behind_a_hillside_hedge() -> None:
    """EX-F10.3-2, -3: at the Crest level with the hedge it may claim it; IN the wadi it gets nothing from it."""
    from sandtable.games.asl.fire.protection import claim

    s = desert({"M5": {"forms": {"wadi"}, "level": 1}, "M4": {"level": 1}}, [("M5", "M4", "hedge")])
    place(s, SQUAD, "M5", at=Place.CREST)
    s.cafp[U(SQUAD)] = 0
    place(s, FOE, "M4")
    place(s, HEDGED, "M2")
    far = [where_is(s, U(HEDGED))]
    assert "B9.3" in [one.rule for one in covers_of(s, HEDGED, SQUAD)]
    claim(s, U(SQUAD))
    assert not s.walled, "claiming it would take the Crest's +2 away (AMB-100)"
    assert [one.value for one in tem_of(s, far, U(SQUAD))] == [2], "the Crest's +2, which does not add to the hedge"
    s.cafp[U(SQUAD)] = 3
    assert [one.rule for one in tem_of(s, far, U(SQUAD))] == ["B9.3"], "the hedge alone, where the Crest does not face"
    s.edition = 4
    claim(s, U(SQUAD))
    s.cafp[U(SQUAD)] = 0
    claim(s, U(SQUAD))
    assert s.walled >> U(SQUAD) & 1
    low = desert({"M5": {"forms": {"wadi"}, "level": 1}, "M4": {"level": 1}}, [("M5", "M4", "hedge")])
    place(low, SQUAD, "M5", at=Place.IN)
    place(low, FOE, "M4")
    assert not covers_of(low, FOE, SQUAD), "it lies below the hedge"
    claim(low, U(SQUAD))
    assert not low.walled


def covers_of(s: State, firer: str, target: str) -> list[object]:
    return list(covers(s.stage.sights.lines, where_is(s, U(firer)), where_is(s, U(target))))


# F11.794a


@marked("F11.794a", "F11.79")
def test_dust_has_no_part_in_close_combat() -> None:
    s = desert(phasing=ALLIED)
    s.stage.script = {**s.stage.script, "conditions": {**s.stage.script["conditions"], "dust": "heavy", "ec": "Dry"}}
    weather.begin(s)
    assert weather.density(s) == "heavy"
    place(s, SQUAD, "M5")
    place(s, FOE, "M5")
    s.phase = CCPH
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    settle(s)
    do(s, f"join {SQUAD}", f"strike {FOE}")
    assert s.stack[-1][0] != F_DUST_DIE, "no die of dust is rolled"
    found = roll(s, 1, 3)
    assert "dust_die" not in kinds(found)
    told = next(one for one in found if one.kind == "close_combat")
    assert told.data["odds"] == "1-1"
    assert U(FOE) in [u for u in range(len(s.at)) if s.fight is not None and s.fight.lost >> u & 1], "4 is below 5"


# F12.32b


@marked("F12.32b", "F12.31", "F12.32a")
def test_every_overlay_is_rolled_for_and_a_single_hex_lies_any_way() -> None:
    """Density 1 (-2), board 4: one on each half; X2 and X4 of one hex, each with its own hexrow, hex and direction."""
    faces = iter([1, 4, 6, 3, 6, 5, 3, 4, 3, 2, 2, 3, 1, 5])
    found = place_overlays(asl_pack(), {"boards": [{"id": "D1"}]}, lambda: next(faces))
    assert [(one["id"], one["hex1"]) for one in found] == [("ovX2", "I5"), ("ovX4", "AA3")]
    assert next(faces, None) is None
    for way in range(1, 7):
        again = iter([1, 4, 6, 3, 6, 5, 3, 4, 3, way, 2, 3, 1, 5])
        other = place_overlays(asl_pack(), {"boards": [{"id": "D1"}]}, lambda rolled=again: next(rolled))
        assert other[0]["hex1"] == "I5", "the direction does not matter to one hex"
