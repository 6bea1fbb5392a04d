"""D2 to D8, F5, F11 Where two rules for vehicles meet: Overrun and dust, Motion and the rim, bog and sight."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.combat.armour import fp_in_combat
from sandtable.games.asl.fire.bursts import count_shot, shots_out
from sandtable.games.asl.fire.fate import crew_fate
from sandtable.games.asl.fire.morale import break_
from sandtable.games.asl.movement.exits import edge_of
from sandtable.games.asl.movement.rousing import newly_seen, starters, why_not
from sandtable.games.asl.ordnance.acquisition import is_moving, mp_seen
from sandtable.games.asl.table.hardware import BMG, CMG, MA
from sandtable.games.asl.table.ids import EXITED, F_MEND, GONE, MPH
from sandtable.games.asl.table.state import Move, points_of
from sandtable.games.asl.turn import mending
from sandtable.games.asl.turn.mending import MendAt
from sandtable.games.asl.turn.victory import exited_points
from sandtable.games.asl.vehicles.driving import drive_of, minimum_move
from sandtable.games.asl.vehicles.loads import crew_leaves, set_down
from sandtable.games.asl.vehicles.overrun import overrun_fp

from ..kit import ground
from ..vehiclekit import ALLIED, AXIS, NNE, SSW, Desk, E, W, kinds

TANK, OTHER, FOE, CRUISER = "ge_pz3g#1", "ge_pz3g#2", "br_457#1", "br_stu1#1"
FLAT = ground()
WADI = ground({"Q5": {"forms": {"wadi"}}, "Q6": {"forms": {"wadi"}}}, [("Q5", "Q6", "wadi", "Q5", "Q6")])
EDITIONS = ((7, True), (6, False))


def desk(edition: int = 7, phasing: int = AXIS, **conditions: Any) -> Desk:
    found = Desk(field=FLAT, phasing=phasing).under(
        date="1942-06-01", **{"vehicle_dust": False, "ec": "Dry", **conditions}
    )
    found.s.edition = edition
    return found


# F11.74


@pytest.mark.rule("asl", "F11.74h", "D7.1")
@pytest.mark.parametrize(("edition", "raised"), EDITIONS)
def test_what_an_overrun_costs_besides_raises_its_dust_all_the_same(edition: int, raised: bool) -> None:
    t = desk(edition, vehicle_dust=True)
    t.put(TANK, "Q5", NNE, motion=True)
    t.put(FOE, "Q4")
    t.driving(TANK).do("overrun Q4")
    assert (t.s.trail.get(t.unit(TANK)) == t.hex("Q5")) == raised


# D2.401


def watching(edition: int, place: Place = Place.GROUND) -> Desk:
    """A tank in Q5 sees another come over the hill of row 6, which it did not see before."""
    found = Desk(field=WADI, phasing=ALLIED).under(vehicle_dust=False)
    found.s.edition = edition
    u = found.put(TANK, "Q5", NNE)
    found.s.place[u], found.s.cafp[u] = place, NNE
    return found


@pytest.mark.rule("asl", "D2.401", "F5.42g")
@pytest.mark.parametrize(("edition", "barred"), EDITIONS)
def test_a_vehicle_at_the_rim_gets_into_motion_without_turning(
    edition: int, barred: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandtable.games.asl.movement.rousing.newly_seen", lambda s, u: True)
    t = watching(edition, Place.CREST)
    u = t.unit(TANK)
    assert starters(t.s, None, None) == ([(u, NNE)] if barred else [(u, 0), (u, 1), (u, 5)])
    reason = why_not(t.s, None, None, (u, E))
    assert (reason.rule if reason else "") == ("F5.42g" if barred else "")
    assert why_not(t.s, None, None, (u, NNE)) is None


@pytest.mark.rule("asl", "D2.401", "D2.1")
@pytest.mark.parametrize(("edition", "barred"), EDITIONS)
def test_who_may_not_start_by_the_scenario_does_not_get_into_motion(
    edition: int, barred: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandtable.games.asl.movement.rousing.newly_seen", lambda s, u: True)
    t = Desk("s03_nibeiwa", "D4", ALLIED)
    t.s.edition = edition
    u = t.put("it_m11#1", "Q5", NNE)
    for turn, early in ((1, True), (2, False)):
        t.s.turn = turn
        assert bool(starters(t.s, None, None)) != (early and barred)
    t.s.turn = 1
    reason = why_not(t.s, None, None, (u, NNE))
    assert (reason.rule if reason else "") == ("D2.1" if barred else "")


@pytest.mark.rule("asl", "D2.401", "A2.5", "A2.51")
@pytest.mark.parametrize(("edition", "seen"), EDITIONS)
def test_who_comes_on_has_not_been_seen_before(edition: int, seen: bool) -> None:
    for name, vehicle in ((FOE, -1), (CRUISER, 0)):
        t = desk(edition, ALLIED)
        t.put(TANK, "Q5", NNE)
        u = t.put(name, "Q1", SSW)
        h = t.hex("Q1")
        t.s.move = Move(movers=1 << u, came=h, hex=h, entered=1, vehicle=-1 if vehicle < 0 else u)
        assert newly_seen(t.s, t.unit(TANK)) == seen
        t.s.move.entered = 0
        assert not newly_seen(t.s, t.unit(TANK)), "it stood there"
        t.s.move.entered, t.s.place[u] = 1, Place.BYPASS
        assert not newly_seen(t.s, t.unit(TANK)), "it goes past an obstacle, in its own hex"


@pytest.mark.rule("asl", "D2.13", "A2.5")
@pytest.mark.parametrize(("edition", "barred"), EDITIONS)
def test_who_has_come_on_makes_no_minimum_move(edition: int, barred: bool) -> None:
    """Its edge hex cost 1 MP, as a Start does."""
    t = desk(edition)
    u = t.put(TANK, "Q1", SSW, motion=True)
    t.s.phase = MPH
    h = t.hex("Q1")
    t.s.move = Move(movers=1 << u, vehicle=u, came=h, hex=h, allowed=26, spent=2, started=1, entered=1)
    assert minimum_move(t.s, drive_of(t.s)) != barred


# D5.341, A2.6


@pytest.mark.rule("asl", "D5.341", "A2.6")
@pytest.mark.parametrize(("edition", "barred"), EDITIONS)
def test_a_recalled_vehicle_leaves_by_its_own_edge(edition: int, barred: bool) -> None:
    """In the scenario the Axis comes on in the north."""
    for name, facing, own in (("A5", W, False), ("Q1", NNE, True)):
        t = Desk("s02_gabr_saleh", "D4" if own else "D1")
        t.s.phasing, t.s.edition = AXIS, edition
        t.put(TANK, name, facing, motion=True, recalled=True)
        t.driving(TANK)
        assert ("exit" in t.legal()) == (own or not barred)
        if not own and barred:
            assert t.rule("exit") == "D5.341"


@pytest.mark.rule("asl", "A2.6", "A26.2")
def test_who_leaves_by_a_corner_leaves_by_the_edge_that_he_wins_by() -> None:
    t = Desk("s10_bir_hakeim", "D1")
    edges = t.stage.field.edges
    corner = next(h for h in t.stage.grid.hexes if edges["N"] >> h & 1 and edges["E"] >> h & 1)
    t.s.edition = 6
    assert edge_of(t.s, corner, AXIS) == 0
    t.s.edition = 7
    assert edge_of(t.s, corner, AXIS) == 1, "six AFV off the east edge win"
    assert edge_of(t.s, corner, ALLIED) == 0
    assert edge_of(t.s, t.hex("Q5"), AXIS) == -1


# D3.7


@pytest.mark.rule("asl", "D3.7", "D5.341")
def test_an_afv_without_its_ma_is_recalled_when_its_passengers_are_delivered() -> None:
    for edition in (7, 6):
        t = desk(edition)
        u = t.put("ge_spw2511#1", "Q5", NNE)
        man = t.board("ge_467#1", "ge_spw2511#1")
        t.s.jam[u] = t.s.kind(u).vehicle.weapons  # type: ignore[union-attr]
        t.settle(MendAt(F_MEND, u, MA))
        t.roll(6)
        assert t.s.off[u] & MA
        assert not t.has("recalled", "ge_spw2511#1")
        mending.begin(t.s)
        assert not t.has("recalled", "ge_spw2511#1"), "it carries them still"
        set_down(t.s, man, u)
        assert t.has("recalled", "ge_spw2511#1") == (edition > 6)


@pytest.mark.rule("asl", "D3.7", "D6.2")
@pytest.mark.parametrize(("edition", "recalled"), EDITIONS)
def test_riders_are_no_passengers_to_deliver(edition: int, recalled: bool) -> None:
    t = desk(edition)
    u = t.put(TANK, "Q5", NNE)
    t.board("ge_467#1", TANK, rides=True)
    t.s.jam[u] = MA
    t.settle(MendAt(F_MEND, u, MA))
    t.roll(6)
    assert t.has("recalled", TANK) == recalled


# D5.4, AMB-81


@pytest.mark.rule("asl", "D5.4", "D3.4")
@pytest.mark.parametrize(("edition", "out"), EDITIONS)
def test_an_armor_leader_goes_with_the_crew_that_leaves(edition: int, out: bool) -> None:
    t = desk(edition)
    u = t.put(TANK, "Q5", NNE)
    leader = t.board("ge_arm_8m1#1", TANK)
    crew_leaves(t.s, u)
    assert (t.s.at[leader] == EXITED) == out
    assert (t.s.aboard[leader] < 0) == out
    assert t.s.lost_points == [0, 0]


@pytest.mark.rule("asl", "D3.4", "A26.2")
@pytest.mark.parametrize(("edition", "free"), EDITIONS)
def test_he_does_not_count_as_eliminated_where_leaving_the_map_does(edition: int, free: bool) -> None:
    t = Desk("s02_gabr_saleh", "D4")
    t.s.edition = edition
    u = t.put(TANK, "Q5", NNE, wreck=True)
    leader = t.unit("ge_arm_8m1#1")
    t.put("ge_arm_8m1#1", "Q5")
    crew_fate(t.s, u, True)
    assert t.s.at[leader] == EXITED
    assert (exited_points(t.s, AXIS) == 0) == free
    t.s.exits[leader] = 0
    assert exited_points(t.s, AXIS) > 0, "over the edge of the map he would"


@pytest.mark.rule("asl", "D5.4")
@pytest.mark.parametrize(("edition", "held"), EDITIONS)
def test_nobody_captures_a_vehicle_with_men_aboard(edition: int, held: bool) -> None:
    t = desk(edition, ALLIED)
    t.put("ge_spw2511#1", "Q5", NNE, abandoned=True)
    t.board("ge_467#1", "ge_spw2511#1")
    t.put(FOE, "Q5")
    mending.capture(t.s)
    assert (t.where("ge_spw2511#1") == "Q5") == held


# D8.3


def bogged(name: str, edition: int) -> Desk:
    t = desk(edition)
    t.put(name, "Q5", NNE, bogged=True)
    return t.driving(name)


@pytest.mark.rule("asl", "D8.3", "C.8", "D2.17")
def test_the_mp_of_bog_removal_are_spent_in_sight() -> None:
    for edition, mp in ((7, 4), (6, 99)):
        t = bogged(TANK, edition)
        t.put(FOE, "Q9")
        t.do("unbog")
        t.roll(2, 2)
        assert not t.has("bogged", TANK)
        assert is_moving(t.s, t.unit(TANK))
        assert mp_seen(t.s, t.unit(FOE), t.unit(TANK)) == mp


@pytest.mark.rule("asl", "D8.3", "D14.2")
def test_a_lone_radioless_afv_takes_its_check_before_it_gets_out_of_the_bog() -> None:
    name = "it_m13#1"
    for edition in (7, 6):
        t = Desk("s03_nibeiwa", "D4", AXIS)
        t.s.edition = edition
        name = "it_m11#1"
        t.s.turn = 2
        t.put(name, "A5", NNE, bogged=True)
        t.driving(name).do("unbog")
        if edition > 6:
            assert "lone" in kinds(t.roll(6, 6))
            assert t.s.move is not None
            assert t.s.move.allowed == 11, "half of 11 MP"
        assert "unbogged" in kinds(t.roll(1, 2))


@pytest.mark.rule("asl", "D8.3", "D2.51")
def test_who_gets_out_of_the_bog_has_started() -> None:
    for edition, rolls in ((7, True), (6, False)):
        t = Desk("s05_hafid_ridge", "D1", ALLIED)
        t.s.edition = edition
        t.put("br_crus1#1", "Q5", NNE, bogged=True)
        t.driving("br_crus1#1").do("unbog")
        t.roll(1, 2)
        assert "reliability" in kinds(t.roll(6, 6)) if rolls else t.who != "chance"
        assert t.has("immobile", "br_crus1#1") == rolls


@pytest.mark.rule("asl", "D8.3", "A8.22")
@pytest.mark.parametrize(("edition", "attacked"), EDITIONS)
def test_residual_fp_meets_who_spends_mp_to_get_out(edition: int, attacked: bool) -> None:
    t = desk(edition)
    t.put(TANK, "Q5", NNE, bogged=True, exposed=True)
    t.s.residual[t.hex("Q5")] = 8
    t.driving(TANK).do("unbog")
    t.roll(1, 2)
    assert (t.who == "chance") == attacked


# C10.1, A12.3


@pytest.mark.rule("asl", "C10.1", "A12.3", "F2.3a")
@pytest.mark.parametrize(("edition", "seen"), EDITIONS)
def test_a_hidden_gun_is_seen_when_it_is_hooked_up(edition: int, seen: bool) -> None:
    t = Desk("s08_totensonntag", "D1", AXIS, field=FLAT).under(vehicle_dust=False)
    t.s.edition = edition
    t.put("ge_sdk11#1", "Q5", NNE)
    t.put("ge_at50#1", "Q5", NNE, hip=True, concealed=True)
    t.driving("ge_sdk11#1").do("hook ge_at50#1")
    for mark in ("hip", "concealed"):
        assert t.has(mark, "ge_at50#1") != seen


@pytest.mark.rule("asl", "F5.43a", "F5.43g", "F5.4252a", "C10.1")
@pytest.mark.parametrize(("edition", "right"), EDITIONS)
def test_a_gun_unhooked_at_the_rim_points_across_it(edition: int, right: bool) -> None:
    """The vehicle stands at the vertex between NE and E, which it came up to from IN the wadi."""
    t = Desk("s08_totensonntag", "D1", AXIS, field=WADI).under(vehicle_dust=False)
    t.s.edition = edition
    u = t.put("ge_sdk11#1", "Q5", E)
    g = t.board("ge_at50#1", "ge_sdk11#1")
    t.s.limbered |= 1 << g
    for one in (u, g):
        t.s.place[one] = Place.CREST
    t.s.cafp[u] = E
    t.driving("ge_sdk11#1").do("unhook ge_at50#1")
    assert t.s.place[g] == Place.CREST
    assert ((t.s.cafp[g], t.s.vca[g]) == (1, E)) == right


# D7.1, D6.2


@pytest.mark.rule("asl", "D7.1", "D6.2")
def test_riders_add_nothing_to_an_overrun_and_get_off_it() -> None:
    for edition, off in EDITIONS:
        t = desk(edition)
        u = t.put(TANK, "Q5", NNE, motion=True)
        alone = overrun_fp(t.s, u)
        t.board("ge_467#1", TANK, rides=True)
        assert (overrun_fp(t.s, u) == alone) == off
        t.put(FOE, "Q4")
        t.driving(TANK).do("overrun Q4")
        while t.who == "allied":
            t.do("hold")
        assert t.has("mounted", "ge_467#1") != off


@pytest.mark.rule("asl", "D1.3", "A11.62")
@pytest.mark.parametrize(("edition", "shut"), EDITIONS)
def test_the_one_man_of_a_turret_does_not_fight_with_its_mg_while_he_is_exposed(edition: int, shut: bool) -> None:
    t = desk(edition)
    u = t.put("ge_pz2f#1", "Q5", NNE, exposed=True)
    whole = t.s.kind(u).vehicle.cmg  # type: ignore[union-attr]
    assert fp_in_combat(t.s, u) == (0 if shut else whole)
    t.s.exposed = 0
    assert fp_in_combat(t.s, u) == whole


@pytest.mark.rule("asl", "D7.1", "A7.11")
def test_passengers_who_have_fired_add_nothing_and_who_has_added_has_fired() -> None:
    car, man = "ge_spw2511#1", "ge_467#1"
    for edition, once in EDITIONS:
        t = desk(edition)
        u = t.put(car, "Q5", NNE, motion=True)
        t.board(man, car)
        whole = overrun_fp(t.s, u)
        t.s.fired |= t.bit(man)
        assert (overrun_fp(t.s, u) < whole) == once
        t.s.fired = 0
        t.put(FOE, "Q4")
        t.driving(car).do("overrun Q4")
        while t.who == "allied":
            t.do("hold")
        assert t.has("fired", man) == once


@pytest.mark.rule("asl", "D9.31", "D7.1", "F5.42d", "F5.42b")
def test_armored_assault_neither_overruns_nor_takes_the_rim() -> None:
    for edition, shut in EDITIONS:
        t = desk(edition)
        t.put(TANK, "Q5", NNE)
        t.put("ge_467#1", "Q5")
        t.put(FOE, "Q4")
        t.driving(TANK).do("also ge_467#1", "start")
        while t.who == "allied":
            t.do("hold")
        assert ("overrun Q4" in t.legal()) != shut
        if shut:
            assert t.rule("overrun Q4") == "D9.31"
        t = Desk(field=WADI, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
        t.s.edition = edition
        t.put(TANK, "Q4", SSW)
        t.put("ge_467#1", "Q4")
        t.driving(TANK).do("also ge_467#1", "start")
        assert any(one.startswith("rim ") for one in t.legal()) != shut


@pytest.mark.rule("asl", "A8.14", "D3.5")
@pytest.mark.parametrize(("edition", "each"), EDITIONS)
def test_each_weapon_of_a_vehicle_is_counted_by_itself(edition: int, each: bool) -> None:
    """One MP was spent: the MA has fired, the machine guns have not."""
    t = desk(edition, ALLIED)
    u = t.put(TANK, "Q5", NNE)
    who = t.put(FOE, "Q4")
    t.s.move = Move(movers=1 << who, here=2)
    count_shot(t.s, u, MA)
    assert shots_out(t.s, u, MA)
    assert shots_out(t.s, u, CMG) != each
    count_shot(t.s, u, CMG)
    assert shots_out(t.s, u, CMG)
    assert shots_out(t.s, u, BMG) != each
    light = t.put("ge_spw2511#1", "Q6", NNE)
    count_shot(t.s, light, MA)
    assert shots_out(t.s, light, t.s.kind(light).vehicle.main_mg), "a MG that is the MA"  # type: ignore[union-attr]


@pytest.mark.rule("asl", "B20.9", "F5.426a")
@pytest.mark.parametrize(("edition", "stays"), EDITIONS)
def test_who_breaks_aboard_stays_in_his_vehicle_at_the_rim(edition: int, stays: bool) -> None:
    t = Desk(field=WADI, phasing=AXIS)
    t.s.edition = edition
    u = t.put("ge_spw2511#1", "Q5", NNE)
    man = t.board("ge_467#1", "ge_spw2511#1")
    t.s.place[u] = t.s.place[man] = Place.CREST
    break_(t.s, man, "A10.4")
    assert (t.s.place[man] == Place.CREST) == stays


@pytest.mark.rule("asl", "D5.4", "A26.2", "C10.1")
@pytest.mark.parametrize(("edition", "both"), EDITIONS)
def test_a_gun_in_tow_is_captured_with_its_vehicle(edition: int, both: bool) -> None:
    t = Desk("s08_totensonntag", phasing=ALLIED, field=FLAT)
    t.s.edition = edition
    u = t.put("ge_sdk11#1", "Q5", NNE, abandoned=True)
    g = t.board("ge_at50#1", "ge_sdk11#1")
    t.put(FOE, "Q5")
    mending.capture(t.s)
    assert t.s.at[u] == t.s.at[g] == GONE
    assert t.s.lost_points[AXIS] == 2 * (points_of(t.s, u) + (points_of(t.s, g) if both else 0))


@pytest.mark.rule("asl", "D2.401", "D15.1")
@pytest.mark.parametrize(("edition", "barred"), EDITIONS)
def test_nobody_gets_a_motorcycle_into_motion_that_nobody_rides(
    edition: int, barred: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandtable.games.asl.movement.rousing.newly_seen", lambda s, u: True)
    t = desk(edition, ALLIED)
    u = t.put(TANK, "Q5", NNE)
    t.s.type[u] = t.roster.type_of["ge_motor"] if "ge_motor" in t.roster.type_of else t.s.type[u]
    assert bool(starters(t.s, None, None)) != barred
    t.board("ge_467#1", TANK)
    assert starters(t.s, None, None)
