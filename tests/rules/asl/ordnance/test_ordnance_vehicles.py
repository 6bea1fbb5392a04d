"""C5, C6, D3 Vehicles as targets and as firers: moving ones, soft ones, and what the ground does for them."""

from __future__ import annotations

import pytest

from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.combat.charges import soft_drm
from sandtable.games.asl.fire.ift import ift
from sandtable.games.asl.fire.sights import sees
from sandtable.games.asl.game import GAME
from sandtable.games.asl.ordnance import ffe, to_hit
from sandtable.games.asl.ordnance.acquisition import acquire, is_moving
from sandtable.games.asl.ordnance.aim import (
    IFE,
    aiming_at,
    area_reach,
    bearing,
    hull_down,
    may_work,
    shot_of,
    tem_of,
    tube_of,
    vehicles_hit,
)
from sandtable.games.asl.ordnance.bursts import burst, residual, turn_to
from sandtable.games.asl.ordnance.shells import Burst, fp
from sandtable.games.asl.ordnance.to_hit import AREA, INFANTRY, VEHICLE
from sandtable.games.asl.ordnance.weapons import AP, HE
from sandtable.games.asl.table.hardware import MA
from sandtable.games.asl.table.ids import ADVANCING, BOUNDING, F_END, F_FFE_ROLL, F_FIRE, F_HULL, FIRST, PREP
from sandtable.games.asl.table.state import BLAST, CALIBER, FFE_1, SHELLED, STAGE, Shoot
from sandtable.games.asl.turn.ending import End as EndFrame
from sandtable.games.asl.turn.ending import EndAt
from sandtable.games.asl.turn.fires import FireAt
from sandtable.games.asl.works.blast import SET, THROWN, HullAt

from ..kit import filled, ground, hillock
from ..vehiclekit import AXIS, NNE, Desk, E, W
from .ordnanceshotskit import CREW, GUN, panel

TRUCK, TANK, STUART, OWN = "br_3ton#1", "br_crus2#1", "br_stu1#1", "ge_pz3g#1"


def table(field: Battlefield | None = None) -> Desk:
    """A German 50mm Gun at N5, which faces east; R5 is four hexes away."""
    d = Desk("s08_totensonntag", phasing=AXIS, field=field or ground()).under(ec="Dry")
    d.put(CREW, "N5")
    d.put(GUN, "N5", E)
    d.s.holder[d.unit(GUN)] = d.unit(CREW)
    return d


def shot(d: Desk, target: str, type_: int = VEHICLE, shell: int = HE, gun: str = GUN, fire: int = PREP) -> Shoot:
    u = d.unit(target)
    return Shoot(
        fire=fire,
        side=AXIS,
        gun=1 << d.unit(gun),
        weapon=MA,
        type=type_,
        hex=d.s.at[u],
        target=1 << u,
        shell=shell,
        hit=1 << u,
    )


def cases(d: Desk, shoot: Shoot, target: str) -> dict[str, int]:
    return {one.case: one.value for one in to_hit.cases(shot_of(d.s, shoot, d.unit(target)))}


@pytest.mark.rule("asl", "F3.4a")
def test_he_at_a_truck_among_stones_has_case_q_minus_one_and_nothing_else_has() -> None:
    d = table(ground(filled("hammada", "R5", "R6")))
    d.put(TRUCK, "R5", W)
    d.put(TANK, "R6", W)
    assert cases(d, shot(d, TRUCK), TRUCK)["Q"] == -1
    assert "Q" not in cases(d, shot(d, TRUCK, shell=AP), TRUCK), "HE equivalency"
    assert "Q" not in cases(d, shot(d, TANK), TANK), "armour"
    d.s.edition = 2
    assert "Q" not in cases(d, shot(d, TRUCK), TRUCK)


@pytest.mark.rule("asl", "F3.4a", "A7.308")
@pytest.mark.parametrize(("terrain", "dies"), [("hammada", True), ("open", False)])
def test_a_burst_among_stones_destroys_a_truck_that_it_would_spare_elsewhere(terrain: str, dies: bool) -> None:
    """The Area type halves 50mm HE to 3 FP, the column of 2: its Kill Number is 4, and 3 + 1 are not below it."""
    d = table(ground(filled(terrain, "R5")))
    u = d.put(TRUCK, "R5", W)
    burst(d.s, shot(d, TRUCK, AREA), 3, 1)
    assert bool(d.s.wreck >> u & 1) == dies


@pytest.mark.rule("asl", "F3.4a", "C1.51")
@pytest.mark.parametrize(("terrain", "dies"), [("hammada", True), ("open", False)])
def test_shells_among_stones_destroy_a_truck_that_they_would_spare_elsewhere(terrain: str, dies: bool) -> None:
    """105mm: the column of 20 has the Kill Number 10."""
    d = table(ground(filled(terrain, "R5")))
    u = d.put(TRUCK, "R5", W)
    d.s.oba[CALIBER], d.s.oba[BLAST], d.s.oba[STAGE], d.s.oba[SHELLED] = 105, 0, FFE_1, d.s.at[u]
    ffe.strike(d.s, AXIS, d.s.at[u], 0, 6, 4, 0)
    assert bool(d.s.wreck >> u & 1) == dies


@pytest.mark.rule("asl", "F7.4b")
@pytest.mark.parametrize(("edition", "column"), [(3, 20), (2, 8)])
def test_sand_muffles_no_shell_for_armour(monkeypatch: pytest.MonkeyPatch, edition: int, column: int) -> None:
    d = table(ground(filled("sand", "R5")))
    d.s.edition = edition
    u = d.put(TANK, "R5", W)
    found: list[int] = []
    monkeypatch.setattr(ffe, "shake", lambda s, u, column, *_: found.append(ift().columns[column]) or True)
    d.s.oba[CALIBER], d.s.oba[BLAST], d.s.oba[STAGE], d.s.oba[SHELLED] = 105, 0, FFE_1, d.s.at[u]
    ffe.strike(d.s, AXIS, d.s.at[u], 0, 3, 4, 0)
    assert found == [column]
    d.put(TRUCK, "R5", W)
    found.clear()
    ffe.strike(d.s, AXIS, d.s.at[u], 0, 3, 4, 0)
    assert sorted(found) == sorted([column, 8]), "the truck is unarmored"


@pytest.mark.rule("asl", "A23.6", "F3.4a", "A7.308")
def test_a_charge_against_a_truck_counts_the_stones_and_the_throw() -> None:
    d = table(ground(filled("hammada", "R5")))
    u = d.put(TRUCK, "R5", W)
    assert soft_drm(d.s, HullAt(F_HULL, u, d.hex("Q5"), SET, 0, 7)) == -1
    assert soft_drm(d.s, HullAt(F_HULL, u, d.hex("Q5"), THROWN, 0, 7)) == 1


@pytest.mark.rule("asl", "B9.3", "B10.31", "F6.51a", "F6.51b")
def test_a_vehicle_claims_a_hedge_and_on_a_summit_its_height() -> None:
    d = table(ground({}, [("Q5", "R5", "hedge"), ("Q5", "R4", "hedge"), ("Q6", "R5", "hedge")]))
    d.put(TANK, "R5", W)
    assert cases(d, shot(d, TANK, shell=AP), TANK)["Q"] == 1
    assert hull_down(d.s, shot(d, TANK), d.unit(TANK)) is None
    d = table(ground(hillock("1", "R5", summit=["R5"])))
    d.put(TANK, "R5", W)
    (found,) = tem_of(d.s, shot(d, TANK, shell=AP), d.unit(TANK))
    assert (found.value, found.rule) == (1, "B10.31")
    assert hull_down(d.s, shot(d, TANK), d.unit(TANK)) is None


@pytest.mark.rule("asl", "B9.32")
def test_across_a_wall_that_the_firer_holds_nobody_is_hull_down() -> None:
    d = table(ground({}, [("N5", "O5", "wall")]))
    d.put(TANK, "O5", W)
    assert hull_down(d.s, shot(d, TANK), d.unit(TANK)) is not None
    d.s.walled |= d.bit(CREW)
    assert hull_down(d.s, shot(d, TANK), d.unit(TANK)) is None


@pytest.mark.rule("asl", "F5.423a")
def test_from_within_its_wadi_hex_a_vehicle_at_the_rim_is_not_hull_down() -> None:
    d = table(ground({"N5": {"forms": {"wadi"}}}))
    u = d.put(TANK, "N5", W)
    d.s.place[u] = Place.CREST
    d.s.place[d.unit(CREW)] = d.s.place[d.unit(GUN)] = Place.IN
    assert hull_down(d.s, shot(d, TANK), u) is None


# C.8 Who is a moving target


@pytest.mark.rule("asl", "C.8")
def test_a_vehicle_that_was_in_motion_and_stops_is_a_moving_target_all_the_same() -> None:
    t = Desk(field=ground()).under(vehicle_dust=False)
    t.put(STUART, "Q5", NNE, motion=True)
    t.s.rolled = t.s.motion  # as the Player Turn began
    t.driving(STUART)
    t.do("stop")
    assert is_moving(t.s, t.unit(STUART))
    t.do("halt")
    t.s.stack.append(EndAt(F_END))
    t.s.choices = None
    GAME.settle(t.s)
    assert not is_moving(t.s, t.unit(STUART)), "in the next Player Turn it stands"


@pytest.mark.rule("asl", "C.8")
def test_a_vehicle_that_starts_and_stops_in_one_hex_is_none() -> None:
    t = Desk(field=ground()).under(vehicle_dust=False)
    t.put(STUART, "Q5", NNE)
    t.driving(STUART).do("start", "stop")
    assert not is_moving(t.s, t.unit(STUART))
    t = Desk(field=ground()).under(vehicle_dust=False)
    t.put(STUART, "Q5", NNE)
    t.driving(STUART).do("start", "to Q4", "stop")
    assert is_moving(t.s, t.unit(STUART))


# C5 Fire on the move


def moving(**marks: bool) -> Desk:
    d = Desk("s08_totensonntag", phasing=AXIS, field=ground()).under(ec="Dry", vehicle_dust=False)
    d.put(OWN, "N5", E, exposed=True, **marks)
    d.put(TRUCK, "R5", W)
    return d


@pytest.mark.rule("asl", "D3.3", "C5.2")
def test_a_vehicle_that_has_not_stopped_bounds_with_the_lower_die_doubled() -> None:
    d = moving()
    d.driving(OWN).do("start", "delay", "delay", "delay", f"lay {OWN}", f"at-vehicle {TRUCK}", "load AP")
    assert panel(d)["cases"] == {"B": 2, "C": 2, "C4": 0, "P": -1}
    assert d.s.shoot is not None
    fired = shot_of(d.s, d.s.shoot, d.unit(TRUCK))
    assert to_hit.rolled(fired, 2, 5) == 9
    d = moving()
    d.driving(OWN).do("start", "delay", "delay", "stop", f"lay {OWN}", f"at-vehicle {TRUCK}", "load AP")
    assert panel(d)["cases"] == {"B": 2, "C": 2, "P": -1}


@pytest.mark.rule("asl", "D2.4", "C5.2")
def test_a_vehicle_in_motion_fires_with_cases_b_c_and_c4() -> None:
    d = moving(motion=True)
    d.settle(FireAt(F_FIRE, AXIS, ADVANCING))
    d.do(f"lay {OWN}", f"at-vehicle {TRUCK}", "load AP")
    assert panel(d)["cases"] == {"B": 2, "C": 2, "C4": 0, "P": -1}
    d.s.edition = 2
    assert panel(d)["cases"] == {"C": 2, "C4": 0, "P": -1}


@pytest.mark.rule("asl", "D3.3")
def test_what_fired_on_the_move_is_not_worked_harder() -> None:
    d = moving()
    u = d.unit(OWN)
    gun = tube_of(d.s, u)
    assert gun is not None
    assert may_work(d.s, aiming_at(PREP, AXIS), u, MA, gun)
    assert not may_work(d.s, aiming_at(BOUNDING, AXIS, 0, u), u, MA, gun)
    d.driving(OWN).do("start", f"lay {OWN}", f"at-vehicle {TRUCK}", "load AP", "shoot")
    d.roll(6, 5)
    assert d.rule(f"lay {OWN}") == "A7.11"


# C5.7, A8.2


@pytest.mark.rule("asl", "C5.7")
def test_nobody_aims_at_the_hull_of_a_target_that_is_hull_down() -> None:
    for wall, rule in (("wall", "C5.7"), ("hedge", "")):
        d = table(ground({}, [("P4", "Q5", wall), ("P5", "Q5", wall), ("Q4", "Q5", wall)]))
        d.put(TANK, "Q5", W)
        d.settle(FireAt(F_FIRE, AXIS, PREP))
        d.do(f"lay {GUN}", f"at-vehicle {TANK}", "load AP")
        assert ("deliberate" in d.legal()) == (not rule)
        if rule:
            assert d.rule("deliberate") == rule


@pytest.mark.rule("asl", "A8.2", "F11.794b")
def test_the_dust_of_vehicles_lowers_no_residual_fp_but_their_hulls_do() -> None:
    for dust, left in ((True, 2), (False, 1)):
        d = table()
        d.put("br_457#1", "R5")
        u = d.put(TANK, "P5" if not dust else "P9", W)
        if dust:
            d.s.trail = {u: d.hex("P5")}
        shoot = shot(d, "br_457#1", INFANTRY, fire=FIRST)
        shoot.hit = d.bit("br_457#1")
        assert ift().columns[ift().column(6)] == 6
        residual(d.s, shoot)
        assert d.s.residual[d.hex("R5")] == left


@pytest.mark.rule("asl", "A8.2", "C2.29")
def test_rapid_fire_leaves_the_residual_fp_of_its_final_column() -> None:
    """6 FP at point blank are 12, which leave 6; beyond 16 hexes 3, which leave 1."""
    for where, left in (("O5", 6), ("EE5", 1)):
        d = Desk("s08_totensonntag", phasing=AXIS, field=ground()).under(ec="Dry")
        d.put("ge_sdk104#1", "N5", E)
        u = d.put("br_457#1", where)
        shoot = shot(d, "br_457#1", IFE, gun="ge_sdk104#1", fire=FIRST)
        shoot.hit = 1 << u
        gun = tube_of(d.s, d.unit("ge_sdk104#1"))
        assert gun is not None
        assert gun.ife == 6
        residual(d.s, shoot)
        assert d.s.residual[d.hex(where)] == left


@pytest.mark.rule("asl", "C13.3")
def test_a_bazooka_is_fired_at_infantry_behind_a_wall_that_lies_between() -> None:
    for side, cleared in (("P5", True), ("R5", False)):
        d = Desk("s07_sidi_bou_zid", "D1", field=ground({}, [(side, "Q5", "wall")]))
        d.put("us_666#1", "P5")
        d.give("us_baz43#1", "us_666#1")
        d.put("ge_467#1", "Q5")
        d.settle(FireAt(F_FIRE, 1, PREP))
        if cleared:
            d.do("lay us_baz43#1")
            assert "at-infantry Q5" in d.legal()
        else:
            assert d.rule("lay us_baz43#1") == "C3.3"


@pytest.mark.rule("asl", "C9.3", "A6.7")
def test_what_hinders_the_spotter_of_a_mortar_hinders_its_shot() -> None:
    """The mortar at N5 sees nothing past a building at O5 or P5; its spotter at N6 looks through brush."""
    names = {"O4": "building_stone", "O5": "building_stone", "P5": "building_stone", "P6": "brush"}
    terrains = {name: {"terrain": word, "inherent": True} for name, word in names.items()}
    d = Desk("s08_totensonntag", phasing=AXIS, field=ground(terrains)).under(ec="Dry")
    d.put("ge_228#1", "N5")
    d.put("ge_mtr81#1", "N5", E)
    d.s.holder[d.unit("ge_mtr81#1")] = d.unit("ge_228#1")
    d.put("ge_ldr_9m1#1", "N6")
    d.put("br_457#1", "R6")
    d.settle(FireAt(F_FIRE, AXIS, PREP))
    d.do("lay ge_mtr81#1", "spot ge_ldr_9m1#1", "at-area R6", "load HE")
    assert not sees(d.s, d.unit("ge_228#1"), d.hex("R6"), d.bit("br_457#1"))
    assert panel(d)["cases"]["R"] == 1


@pytest.mark.rule("asl", "C9.3", "C3.2")
@pytest.mark.parametrize("turned", [False, True])
def test_nobody_spots_where_the_mortar_cannot_be_turned(turned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its spotter sees hexes, but none that it bears on: there would be nothing to fire at."""
    d = Desk("s08_totensonntag", phasing=AXIS, field=ground({"GG5": {"forms": {"wadi"}}})).under(ec="Dry")
    d.put("ge_228#1", "GG5")
    d.put("it_m45#1", "GG5", E)
    d.s.holder[d.unit("it_m45#1")] = d.unit("ge_228#1")
    for one in ("ge_228#1", "it_m45#1"):
        d.s.place[d.unit(one)] = Place.IN
    d.put("ge_ldr_9m1#1", "GG6")
    d.put("br_457#1", "DD8")
    d.settle(FireAt(F_FIRE, AXIS, PREP))
    d.do("lay it_m45#1")
    if turned:
        monkeypatch.setattr("sandtable.games.asl.ordnance.aim.bearing", lambda s, u, gun: 0)
        assert d.rule("spot ge_ldr_9m1#1") == "C9.3"
    else:
        d.do("spot ge_ldr_9m1#1", "at-area DD8")


@pytest.mark.rule("asl", "C9.3")
def test_a_mortar_in_a_wadi_is_laid_for_its_spotter_on_the_rim() -> None:
    d = Desk("s08_totensonntag", phasing=AXIS, field=ground({"N5": {"forms": {"wadi"}}})).under(ec="Dry")
    d.put("ge_228#1", "N5")
    d.put("ge_mtr81#1", "N5", E)
    d.s.holder[d.unit("ge_mtr81#1")] = d.unit("ge_228#1")
    for one in ("ge_228#1", "ge_mtr81#1"):
        d.s.place[d.unit(one)] = Place.IN
    d.put("br_457#1", "T6")
    d.settle(FireAt(F_FIRE, AXIS, PREP))
    assert d.rule("lay ge_mtr81#1") == "C3.3"
    d.put("ge_ldr_9m1#1", "N6")
    d.settle()
    d.do("lay ge_mtr81#1")
    assert d.rule("at-area T6") == "C3.3"
    d.do("spot ge_ldr_9m1#1", "at-area T6")


@pytest.mark.rule("asl", "C.8")
def test_the_mp_that_a_vehicle_spends_in_a_wadi_are_not_spent_in_sight() -> None:
    d = table(ground({"R5": {"forms": {"wadi"}}}))
    u = d.put(STUART, "R4", W)
    d.s.rolled |= 1 << u
    d.s.track[u] = ((d.hex("R5"), 6), (d.hex("R4"), 2))
    assert cases(d, shot(d, STUART, shell=AP), STUART)["J2"] == 4
    d.s.edition = 2
    assert cases(d, shot(d, STUART, shell=AP), STUART)["J"] == 2


@pytest.mark.rule("asl", "C1.51", "C3.7", "F7.4c")
@pytest.mark.parametrize(("edition", "columns"), [(3, {2: 36, 3: 20}), (2, {2: 8, 3: 8})])
def test_an_original_two_strikes_a_vehicle_alone_in_its_hex_critically(
    monkeypatch: pytest.MonkeyPatch, edition: int, columns: dict[int, int]
) -> None:
    """105mm in sand: 40 FP for who is struck; of the others armour has the 20 and whoever has none the half."""
    for second, tank in ((1, columns[2]), (2, columns[3])):
        d = shelled(edition, TANK)
        assert columns_by_vehicle(monkeypatch, d, (1, second)) == {TANK: tank}
        d = shelled(edition, TRUCK)
        assert columns_by_vehicle(monkeypatch, d, (1, second)) == {TRUCK: 36 if tank == 36 else 8}


@pytest.mark.rule("asl", "C1.51", "A.9")
@pytest.mark.parametrize("struck", [TANK, TRUCK])
def test_of_several_vehicles_random_selection_names_the_one_struck(
    monkeypatch: pytest.MonkeyPatch, struck: str
) -> None:
    d = shelled(3, TANK, TRUCK)
    order = sorted((TANK, TRUCK), key=d.unit)
    plain = {TANK: 20, TRUCK: 8}
    assert columns_by_vehicle(monkeypatch, d, (1, 1), *((6 if one == struck else 2,) for one in order)) == {
        **plain,
        struck: 36,
    }


@pytest.mark.rule("asl", "C3.7", "C1.51", "A7.308")
def test_cover_is_worse_than_none_for_a_truck_that_is_struck(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []
    monkeypatch.setattr(ffe, "shake", lambda s, u, column, first, second, rule, drm: found.append(drm) or True)
    d = table(ground(filled("broken_hex", "R5")))
    u = d.put(TRUCK, "R5", W)
    d.s.oba[CALIBER], d.s.oba[BLAST], d.s.oba[STAGE], d.s.oba[SHELLED] = 105, 0, FFE_1, d.s.at[u]
    for struck in (0, 1 << u):
        ffe.strike(d.s, AXIS, d.s.at[u], 0, 1, 1, struck)
    assert found == [1, -1]


def shelled(edition: int, *pieces: str) -> Desk:
    """A fire for effect of 105mm on R5, which is sand, before its DR there."""
    d = table(ground(filled("sand", "R5")))
    d.s.edition = edition
    for name in pieces:
        d.put(name, "R5", W)
    h = d.hex("R5")
    d.s.oba[CALIBER], d.s.oba[BLAST], d.s.oba[STAGE], d.s.oba[SHELLED] = 105, 0, FFE_1, h
    return d.settle(ffe.ShellAt(F_FFE_ROLL, AXIS, h, 0))


def columns_by_vehicle(monkeypatch: pytest.MonkeyPatch, d: Desk, *dice: tuple[int, ...]) -> dict[str, int]:
    """The column on which each vehicle is attacked by these dice."""
    found: dict[str, int] = {}

    def note(s: object, u: int, column: int, *_: object) -> bool:
        found[d.roster.names[u]] = ift().columns[column]
        return True

    monkeypatch.setattr(ffe, "shake", note)
    for one in dice:
        d.roll(*one)
    return found


# D1.3, D3.5 The ATR and MG of vehicles

ATR_CAR, FOE, HALFTRACK, CARRIER = "br_mh3#1", "ge_pz3g#1", "ge_spw2511#1", "br_carb#1"


@pytest.mark.rule("asl", "D1.3", "C3.2", "C13.2")
@pytest.mark.parametrize(("edition", "case"), [(5, 4), (4, 0)])
def test_the_atr_of_a_turret_turns_as_its_turret_does(edition: int, case: int) -> None:
    """1MT, two and more hexspines to turn: +2, +1, +1; the turret points at the target afterwards."""
    d = Desk("s08_totensonntag", phasing=AXIS, field=ground())
    d.s.edition = edition
    d.put(ATR_CAR, "N5", E, W)
    d.put(FOE, "R5", W)
    assert cases(d, shot(d, FOE, shell=AP, gun=ATR_CAR), FOE).get("A", 0) == case
    gun = tube_of(d.s, d.unit(ATR_CAR))
    assert gun is not None
    turn_to(d.s, d.unit(ATR_CAR), gun, d.hex("R5"))
    assert d.s.tca[d.unit(ATR_CAR)] == (E if case else W)


@pytest.mark.rule("asl", "A9.6", "D3.5")
def test_the_mg_of_a_vehicle_reaches_armour_within_its_own_normal_range_and_arc() -> None:
    """An AAMG 8 hexes all round, a bow MG 8 within the VCA."""
    d = Desk("s09_snipe", "D2", phasing=AXIS)
    u = d.put(HALFTRACK, "N5", E)
    gun = tube_of(d.s, u)
    assert gun is not None
    reach = area_reach(d.s, u, gun)
    assert reach >> d.hex("V5") & 1
    assert not reach >> d.hex("W5") & 1
    assert bearing(d.s, u, gun) >> d.hex("F5") & 1
    v = d.put(CARRIER, "N6", E)
    bow = tube_of(d.s, v)
    assert bow is not None
    assert bearing(d.s, v, bow) >> d.hex("T6") & 1
    assert not bearing(d.s, v, bow) >> d.hex("F6") & 1
    d.s.edition = 4
    assert area_reach(d.s, u, gun) >> d.hex("W5") & 1
    assert bearing(d.s, v, bow) >> d.hex("F6") & 1


@pytest.mark.rule("asl", "C6.5")
def test_a_third_shot_acquires_no_better_than_the_second() -> None:
    d = table()
    d.put(TANK, "R5", W)
    gun, tank = d.unit(GUN), d.unit(TANK)
    found = []
    for _ in range(3):
        acquire(d.s, gun, MA, tank, d.s.at[tank])
        found.append(cases(d, shot(d, TANK, shell=AP), TANK)["N"])
    assert found == [-1, -2, -2]


@pytest.mark.rule("asl", "C3.32", "C3.3")
def test_only_a_hit_on_the_area_type_attacks_the_vehicles_of_the_hex() -> None:
    d = table()
    d.put(TRUCK, "R5", W)
    d.put("br_457#1", "R5")
    assert vehicles_hit(d.s, shot(d, TRUCK, AREA)) == d.bit(TRUCK)
    assert vehicles_hit(d.s, shot(d, TRUCK, INFANTRY)) == 0


@pytest.mark.rule("asl", "F7.4b", "C8.3")
def test_sand_halves_what_solid_shot_does_to_men_too() -> None:
    """2 FP of HE equivalency are 1."""
    gun = tube_of(table().s, table().unit(GUN))
    assert gun is not None
    assert [fp(Burst(gun, AP, INFANTRY, terrain=word)) for word in ("open", "sand")] == [2, 1]


@pytest.mark.rule("asl", "C.8")
def test_who_was_in_motion_in_this_player_turn_is_a_moving_target_even_when_stopped() -> None:
    d = table()
    tank = d.put(TANK, "R5", W, motion=True)
    d.s.stack.append(EndAt(F_END))
    EndFrame().run(d.s, EndAt(F_END))
    d.s.motion = 0
    assert is_moving(d.s, tank)
    d.s.stack.append(EndAt(F_END))
    EndFrame().run(d.s, EndAt(F_END))
    assert not is_moving(d.s, tank)
