"""C7.42, D3.7, D5, D9, D13, F.10, D2.401 Crews in trouble, smoke, cover beside armour, and getting into Motion."""

from __future__ import annotations

import pytest

from sandtable.games.asl.fire.fate import bail_out
from sandtable.games.asl.fire.protection import candidates
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.hardware import AAMG, BMG, CMG, MA
from sandtable.games.asl.table.ids import ALLIED, AXIS, DISPERSED, F_RALLY, GONE, GRENADE, RPH
from sandtable.games.asl.table.works import spot
from sandtable.games.asl.turn import mending
from sandtable.games.asl.turn.rally import RallyAt
from sandtable.games.asl.vehicles.points import friendly_edges, points_at_end
from sandtable.games.asl.vehicles.screening import lob_number

from ..kit import ground, hill
from ..vehiclekit import NNE, SSW, Desk, event, kinds

FLAT = ground()
TANK, FOE, TRUCK = "ge_pz3g#1", "br_457#1", "br_3ton#1"


def rallying(t: Desk, side: int = AXIS) -> Desk:
    t.s.phase = RPH
    t.s.stack.append(RallyAt(F_RALLY, side))
    mending.begin(t.s)
    return t.settle()


# C7.42, D3.7


@pytest.mark.rule("asl", "C7.42")
def test_shock_is_recovered_from_or_kills() -> None:
    for die, doomed, word in ((2, False, ""), (3, False, "doomed"), (3, True, ""), (4, True, "wreck")):
        t = Desk(field=FLAT, phasing=AXIS)
        t.put(TANK, "Q5", shocked=True)
        t.s.doomed = t.bit(TANK) if doomed else 0
        rallying(t)
        t.roll(die)
        assert t.has("shocked", TANK) == (word == "doomed"), (die, doomed)
        assert t.has("wreck", TANK) == (word == "wreck")
        assert t.has("doomed", TANK) == (word == "doomed")


@pytest.mark.rule("asl", "D3.7", "A9.72")
def test_a_disabled_main_armament_recalls() -> None:
    for die, jam, off in ((1, 0, 0), (3, MA, 0), (6, 0, MA)):
        t = Desk(field=FLAT, phasing=AXIS)
        u = t.put(TANK, "Q5")
        t.put("ge_467#1", "Q6")
        t.s.jam[u] = MA
        rallying(t).do(f"mend {TANK}")
        t.roll(die)
        assert (t.s.jam[u], t.s.off[u]) == (jam, off)
        assert t.has("recalled", TANK) == (die == 6)
        assert t.rule(f"mend {TANK}") == "A9.72"
    bow = Desk(field=FLAT, phasing=AXIS)
    u = bow.put(TANK, "Q5")
    bow.s.jam[u] = BMG | CMG
    rallying(bow).do(f"mend-mount {TANK} BMG")
    bow.roll(6)
    assert bow.s.off[u] == BMG
    assert not bow.has("recalled", TANK)


@pytest.mark.rule("asl", "A9.72")
def test_each_weapon_of_a_vehicle_may_be_repaired_once_a_phase_and_none_has_to() -> None:
    t = Desk(field=FLAT, phasing=AXIS)
    u = t.put(TANK, "Q5")
    t.s.jam[u] = MA | BMG | CMG
    rallying(t)
    assert t.rule(f"mend {TANK}") == "A9.72", "which of them?"
    assert t.rule(f"mend-mount {TANK} AAMG") == "A9.72"
    t.do(f"mend-mount {TANK} CMG")
    t.roll(1)
    assert t.s.jam[u] == MA | BMG
    t.do(f"mend-mount {TANK} BMG")
    t.roll(3)
    assert (t.s.jam[u], t.s.tended[u]) == (MA | BMG, BMG | CMG)
    assert t.rule(f"mend-mount {TANK} BMG") == "A9.72"
    t.do(f"mend {TANK}")
    t.roll(1)
    assert t.s.jam[u] == BMG
    assert t.rule(f"mend {TANK}") == "A9.72"
    old = Desk(field=FLAT, phasing=AXIS)
    old.s.edition = 2
    old.s.jam[old.put(TANK, "Q5")] = MA | CMG
    rallying(old).do(f"mend {TANK}")
    old.roll(3)
    assert old.rule(f"mend {TANK}") == "A9.72"
    assert old.rule(f"mend-mount {TANK} CMG") == "A9.72"


@pytest.mark.rule("asl", "D3.7", "D1.8")
def test_a_carrier_loses_its_gun_and_main_armament_together() -> None:
    t = Desk("s07_sidi_bou_zid", field=FLAT, phasing=ALLIED)
    u = t.put("us_m3ht#1", "Q5")
    t.s.jam[u] = MA | AAMG
    rallying(t, ALLIED).do("mend us_m3ht#1")
    t.roll(6)
    assert t.s.jam[u] == 0
    assert t.s.off[u] == MA | AAMG


@pytest.mark.rule("asl", "D5.4", "A26.21")
def test_an_abandoned_vehicle_is_captured_at_the_start_of_the_enemys_rally_phase() -> None:
    t = Desk(field=FLAT, phasing=ALLIED)
    t.put(TANK, "Q5", abandoned=True)
    t.put(FOE, "Q5")
    rallying(t, ALLIED)
    assert t.s.at[t.unit(TANK)] == GONE
    assert t.s.lost_points[AXIS] == 2 * t.s.kind(t.unit(TANK)).value
    held = Desk(field=FLAT, phasing=ALLIED)
    held.put(TANK, "Q5", abandoned=True)
    held.put(FOE, "Q5")
    held.put("ge_467#1", "Q5")
    rallying(held, ALLIED)
    assert held.s.at[held.unit(TANK)] >= 0
    assert held.s.lost_points == [0, 0]


# D5.341


@pytest.mark.rule("asl", "D5.341")
def test_a_recalled_vehicle_makes_for_its_own_edge() -> None:
    t = Desk(field=FLAT, phasing=ALLIED).under(vehicle_dust=False)
    assert friendly_edges(t.s, ALLIED) == ["S"]
    t.put("br_stu1#1", "Q5", NNE, motion=True, recalled=True)
    t.driving("br_stu1#1")
    assert t.rule("to Q4") == "D5.341"
    assert t.rule("fire Q4") in ("A7.4", "D3.3")
    home = Desk(field=FLAT, phasing=ALLIED).under(vehicle_dust=False)
    home.put("br_stu1#1", "Q5", SSW, motion=True, recalled=True)
    home.driving("br_stu1#1").do("to Q6")
    points_at_end(home.s)
    assert home.s.lost_points[ALLIED] == home.s.kind(home.unit("br_stu1#1")).value


# D6.2


@pytest.mark.rule("asl", "D6.2")
def test_riders_jump_off_when_the_turret_turns() -> None:
    t = Desk(field=FLAT, phasing=ALLIED).under(vehicle_dust=False)
    t.put("br_stu1#1", "Q5", NNE, motion=True)
    squad = t.board(FOE, "br_stu1#1", rides=True)
    t.driving("br_stu1#1").do("turret sse")
    assert not t.s.mounted
    assert t.who == "chance"
    t.roll(5, 5)
    assert t.s.broken >> squad & 1
    bail_out(t.s, t.unit("br_stu1#1"))
    assert not GAME.is_chance(t.s)


# D9


@pytest.mark.rule("asl", "D9.3", "F4.51a", "F6.52a", "F5.423c", "F5.423d")
def test_cover_beside_armour() -> None:
    def tem(mark: str = "", vehicle: str = "br_stu1#1") -> list[str]:
        t = Desk(field=FLAT)
        u = t.put(FOE, "Q5")
        firer = t.put("ge_467#1", "Q2")
        t.put(vehicle, "Q5", **({mark: True} if mark else {}))
        if mark == "burning":
            t.s.wreck |= t.bit(vehicle)
        return [one.rule for one in candidates(t.s, [spot(t.s, firer)], u)]

    assert tem() == ["D9.3"]
    assert tem("motion") == []
    assert tem("wreck") == ["D9.3"]
    assert tem("burning") == []
    assert tem(vehicle=TRUCK) == []
    assert tem(vehicle=TANK) == []
    assert tem("wreck", TANK) == ["D9.3"]


@pytest.mark.rule("asl", "F5.423b")
def test_cover_beside_a_vehicle_at_the_rim() -> None:
    """EX-F5.424: only for Crest Infantry whose hexside begins at the vehicle's vertex."""
    field = ground({"Q5": {"forms": {"wadi"}}, "Q6": {"forms": {"wadi"}}}, [("Q5", "Q6", "wadi", "Q5", "Q6")])
    for hexside, rules in ((1, ["F5.423b"]), (2, ["F5.423b"]), (4, [])):
        t = Desk(field=field)
        u, tank = t.put(FOE, "Q5"), t.put("br_stu1#1", "Q5", 1)
        t.s.place[u] = t.s.place[tank] = 2
        t.s.cafp[u], t.s.cafp[tank] = hexside, 1
        found = [one.rule for one in candidates(t.s, [], u)]
        assert found == rules, hexside


# D13.2, F.10


@pytest.mark.rule("asl", "D13.2", "F.10h")
def test_a_smoke_dispenser() -> None:
    """A PzKpfw IIIG has sD7."""
    for dice, laid in (((3, 4), True), ((4, 4), False)):
        t = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
        t.put(TANK, "Q5", NNE, motion=True)
        t.driving(TANK)
        before = t.left
        t.do("dispense")
        assert before - t.left == 1
        t.roll(*dice)
        assert bool(t.s.smoke.get(t.hex("Q5"), 0) >> 2 * DISPERSED & 3) == laid
        assert t.rule("dispense") == "F.10h"
        assert t.rule("screen") in ("F.10h", "F.10b")
    late = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    u = late.put(TANK, "Q5", NNE, motion=True)
    late.s.used[u] = CMG
    late.driving(TANK)
    assert late.rule("dispense") == "D13.2"
    none = Desk(field=FLAT, phasing=ALLIED).under(vehicle_dust=False)
    none.put(TRUCK, "Q5", NNE)
    none.driving(TRUCK)
    assert none.rule("dispense") == "D13.2"
    assert none.rule("screen") == "F.10a"


@pytest.mark.rule("asl", "F.10a", "F.10b", "F.10c", "F.10d", "F.10e", "F.10g")
def test_smoke_grenades_of_a_crew() -> None:
    t = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    t.put(TANK, "Q5", NNE, motion=True)
    t.driving(TANK)
    assert t.rule("screen") == "F.10b"
    for die, laid in ((2, True), (3, False), (6, False)):
        t = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
        u = t.put(TANK, "Q5", NNE, motion=True, exposed=True)
        assert lob_number(t.s, u) == 2
        t.driving(TANK).do("screen")
        t.roll(die)
        assert bool(t.s.smoke.get(t.hex("Q5"), 0) >> 2 * GRENADE & 3) == laid
        assert t.who == "axis", "a 6 does not end its move"
    kit = Desk(field=FLAT)
    assert lob_number(kit.s, kit.put("ge_spw2511#1", "A5")) == 2, "AMB-125 an open-topped AFV is never BU"
    assert lob_number(kit.s, kit.put("br_portee#1", "A6")) == 1
    assert lob_number(kit.s, kit.put("br_cara#1", "A7")) == 2
    kit.s.edition = 2
    assert lob_number(kit.s, kit.unit("ge_spw2511#1")) == 1
    assert lob_number(kit.s, kit.unit("br_cara#1")) == 2


@pytest.mark.rule("asl", "F.10f")
def test_smoke_grenades_last_until_the_end_of_the_phase() -> None:
    t = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    t.put(TANK, "Q5", NNE, motion=True, exposed=True)
    t.driving(TANK).do("screen")
    t.roll(1)
    t.do("halt", "end-moves")
    assert not t.s.smoke


# D2.401


@pytest.mark.rule("asl", "D2.401")
def test_a_stopped_vehicle_may_get_into_motion_when_an_enemy_comes_into_view() -> None:
    field = ground(hill(2, *(f"{c}6" for c in "LMNOPQRSTU")))
    for die, moves in ((1, True), (2, False)):
        t = Desk(field=field, phasing=ALLIED).under(vehicle_dust=False)
        t.put(TANK, "Q3", NNE)
        t.put("br_stu1#1", "Q7", NNE, motion=True)
        t.driving("br_stu1#1").do("to Q6")
        if t.who == "axis":
            t.do(f"rouse {TANK} e")
        events = t.roll(die)
        number = event(events, "roused")["number"]
        assert t.has("motion", TANK) == (die <= number)
        assert moves or number > 1 or not t.has("motion", TANK)
        if t.has("motion", TANK):
            assert t.s.vca[t.unit(TANK)] == 1
        assert "roused" in kinds(events)
    t = Desk(field=FLAT, phasing=ALLIED).under(vehicle_dust=False)
    t.put(TANK, "Q3", NNE)
    t.put(TRUCK, "Q7", NNE, motion=True)
    t.driving(TRUCK).do("to Q6")
    assert t.rule(f"rouse {TANK} nne") == "D2.401", "it has been in sight all the time"
