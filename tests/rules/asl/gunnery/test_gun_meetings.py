"""C2, C3, C6, A8, A12 Where rules for Guns meet: shots and sight, wheels and fire, crews that break or are found."""

from __future__ import annotations

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.fire.attack import reveal
from sandtable.games.asl.fire.morale import break_
from sandtable.games.asl.ordnance.aim import IFE, aiming_at, marks, tube_of
from sandtable.games.asl.ordnance.bursts import residual
from sandtable.games.asl.ordnance.laying import LAY
from sandtable.games.asl.ordnance.to_hit import AREA, INFANTRY
from sandtable.games.asl.ordnance.weapons import HE
from sandtable.games.asl.table.ids import AXIS, F_END, FINAL, FIRST, PREP, RPH
from sandtable.games.asl.table.state import Shoot, settle
from sandtable.games.asl.turn.ending import EndAt
from sandtable.games.asl.turn.rally import RallyAt, gifts

from ..kit import ground
from ..vehiclekit import NNE, Desk, E, W, event, kinds

GUN, CREW, OTHER, SECOND = "ge_at50#1", "ge_228#1", "ge_at50#2", "ge_228#2"
SQUAD, MATE, TRUCK = "br_457#1", "br_457#2", "br_3ton#1"
EDITIONS = ((7, True), (6, False))
WADI = ground({"R5": {"forms": {"wadi"}}, "R6": {"forms": {"wadi"}}}, [("R5", "R6", "wadi", "R5", "R6")])


def desk(edition: int = 7, gun: str = GUN, field: object = None) -> Desk:
    d = Desk("s08_totensonntag", phasing=AXIS, field=field or ground()).under(ec="Dry", vehicle_dust=False)  # type: ignore[arg-type]
    d.s.edition = edition
    d.put(CREW, "N5")
    d.put(gun, "N5", E)
    d.s.holder[d.unit(gun)] = d.unit(CREW)
    return d


# C3.32, A6.11


@pytest.mark.rule("asl", "C3.32", "A6.11", "A7.4", "C2.29")
@pytest.mark.parametrize(("edition", "spared"), EDITIONS)
def test_a_shot_at_men_hits_only_those_whom_the_gun_sees(edition: int, spared: bool) -> None:
    """One squad stands at the Crest of a wadi, the other IN its bed, where nobody sees it from afar."""
    d = desk(edition, "ge_aa20#1", WADI)
    for name, place in ((SQUAD, Place.CREST), (MATE, Place.IN)):
        u = d.put(name, "R5")
        d.s.place[u], d.s.cafp[u] = place, 5
    both, seen = d.bit(SQUAD, MATE), d.bit(SQUAD)
    for target, whom in ((INFANTRY, seen if spared else both), (IFE, seen if spared else both), (AREA, both)):
        shoot = Shoot(fire=PREP, side=AXIS, gun=d.bit("ge_aa20#1"), type=target, hex=d.hex("R5"), shell=HE)
        assert marks(d.s, shoot) == whom


# C2.6


def wheeled(edition: int, gun: str) -> Desk:
    d = desk(edition, gun)
    d.put("br_crus2#1", "R5", W)
    settle(d.s, d.unit(gun))
    return d


def barred(d: Desk, gun: str, fire: int) -> str:
    u = d.unit(gun)
    found = LAY.why(u, d.s, aiming_at(fire, AXIS), {"weapon": u})
    return found.rule if found else ""


@pytest.mark.rule("asl", "C2.6", "C10.1")
def test_an_aa_gun_that_has_moved_fires_from_its_wheels() -> None:
    gun = "ge_aa88#1"
    for edition, rule, rof in ((7, "", 1), (6, "C2.6", 2)):
        d = wheeled(edition, gun)
        made = tube_of(d.s, d.unit(gun))
        assert made is not None
        assert (barred(d, gun, FINAL), made.rof) == (rule, rof)
    d = wheeled(7, gun)
    d.settle(EndAt(F_END))
    assert d.has("limbered", gun), "the enemy's Player Turn"
    d.settle(EndAt(F_END))
    assert not d.has("limbered", gun)
    assert not d.has("settling", gun)
    assert barred(d, gun, PREP) == ""


@pytest.mark.rule("asl", "C2.6")
def test_one_that_has_no_such_fire_waits() -> None:
    d = desk(7, "ge_aa88#1")
    d.s.settling |= d.bit("ge_aa88#1")
    assert barred(d, "ge_aa88#1", FINAL) == "C2.6"


@pytest.mark.rule("asl", "C2.6", "C10.1")
def test_a_gun_in_tow_stays_on_its_wheels() -> None:
    d = wheeled(7, "ge_aa88#1")
    d.put("ge_sdk7#1", "N5", E)
    d.board("ge_aa88#1", "ge_sdk7#1")
    for _ in range(2):
        d.settle(EndAt(F_END))
    assert d.has("limbered", "ge_aa88#1")


# A8.2


@pytest.mark.rule("asl", "A8.2", "C2.29", "A7.7")
@pytest.mark.parametrize(("edition", "left"), [(7, 1), (6, 2)])
def test_what_hampers_rapid_fire_lowers_its_residual_fp(edition: int, left: int) -> None:
    """6 FP of a FlaK 30 leave 2; its crew is Encircled: +1, one counter less."""
    d = desk(edition, "ge_aa20#1")
    d.s.encircled |= d.bit(CREW)
    d.put(SQUAD, "R5")
    gun, target = d.bit("ge_aa20#1"), d.hex("R5")
    residual(d.s, Shoot(fire=FIRST, side=AXIS, gun=gun, type=IFE, hex=target, shell=HE, hit=d.bit(SQUAD)))
    assert d.s.residual[target] == left


# C6.5


@pytest.mark.rule("asl", "C6.5", "A10.4")
@pytest.mark.parametrize(("edition", "lost"), EDITIONS)
def test_a_crew_that_breaks_has_lost_its_target_even_if_it_rallies_at_once(edition: int, lost: bool) -> None:
    d = desk(edition)
    d.s.aim[d.unit(GUN)] = (-1, d.hex("R5"), 2)
    break_(d.s, d.unit(CREW), "A10.4")
    assert (d.unit(GUN) not in d.s.aim) == lost


# A12.14c


@pytest.mark.rule("asl", "A12.14c", "A12.3")
@pytest.mark.parametrize(("edition", "found"), EDITIONS)
def test_a_gun_is_found_with_its_crew(edition: int, found: bool) -> None:
    d = desk(edition)
    for mark in ("hip", "concealed"):
        setattr(d.s, mark, d.bit(GUN, CREW))
    reveal(d.s, d.bit(CREW))
    assert not d.has("concealed", CREW)
    assert d.has("concealed", GUN) != found
    assert d.has("hip", GUN) != found


# C2.1, A4.43


@pytest.mark.rule("asl", "C2.1", "A4.43")
@pytest.mark.parametrize(("edition", "barred_"), EDITIONS)
def test_nobody_is_handed_a_second_gun(edition: int, barred_: bool) -> None:
    d = desk(edition)
    d.put(SECOND, "N5")
    d.put(OTHER, "N5", E)
    d.s.holder[d.unit(OTHER)] = d.unit(SECOND)
    d.s.phase = RPH
    now = RallyAt(0, AXIS)
    given = gifts(d.s, now, now)
    assert ((d.unit(OTHER), d.unit(CREW)) in given) != barred_
    d.s.holder[d.unit(OTHER)] = -1
    assert (d.unit(GUN), d.unit(SECOND)) in gifts(d.s, now, now)


# D6.1, D8.2


@pytest.mark.rule("asl", "D6.1", "D8.2", "A4.15")
@pytest.mark.parametrize(("edition", "more"), EDITIONS)
def test_all_passengers_get_out_of_a_bogged_truck(edition: int, more: bool) -> None:
    d = Desk("s08_totensonntag", field=ground()).under(ec="Dry", vehicle_dust=False)
    d.s.edition = edition
    d.put(TRUCK, "Q5", NNE, bogged=True)
    d.board(SQUAD, TRUCK)
    d.board(MATE, TRUCK)
    d.driving(TRUCK).do(f"disembark {SQUAD}")
    assert (f"disembark {MATE}" in d.legal()) == more


@pytest.mark.rule("asl", "D8.2", "A4.15", "F7.31a")
def test_who_bogs_on_the_way_ends_its_move() -> None:
    d = Desk("s08_totensonntag", field=ground({"Q4": {"terrain": "sand"}})).under(ec="Dry", vehicle_dust=False)
    d.put(TRUCK, "Q5", NNE, motion=True)
    d.board(SQUAD, TRUCK)
    d.driving(TRUCK).do("to Q4")
    found = d.roll(6, 6)
    assert event(found, "bogged")
    assert "halted" in kinds(found) or d.s.move is None
