"""C2.1, A7.35, C3.7, C3.32 in play: whose hands a weapon needs, whom an Area hit strikes, what a misfire shows."""

from __future__ import annotations

import pytest

from sandtable.games.asl.boards.locations import Spot
from sandtable.games.asl.combat.charges import kill
from sandtable.games.asl.game import GAME
from sandtable.games.asl.ordnance import to_hit
from sandtable.games.asl.ordnance.acquisition import prune
from sandtable.games.asl.ordnance.aim import shot_of, tube_of
from sandtable.games.asl.ordnance.bursts import burst
from sandtable.games.asl.ordnance.effects import effect, motors_struck
from sandtable.games.asl.ordnance.ffe import ShellAt, crowding, strike
from sandtable.games.asl.ordnance.shooting import aimed_at
from sandtable.games.asl.ordnance.to_hit import AREA, INFANTRY
from sandtable.games.asl.ordnance.weapons import HE, SMOKE
from sandtable.games.asl.table.hardware import CMG, MA
from sandtable.games.asl.table.ids import F_FFE_ROLL, F_FIRE, PREP
from sandtable.games.asl.table.state import BATTERY, BLAST, CALIBER, FFE_1, SHELLED, STAGE, Shoot
from sandtable.games.asl.turn.fires import FireAt

from ..vehiclekit import ALLIED, AXIS, Desk, E, W, event, kinds
from .ordnanceshotskit import CREW, GUN, SQUAD, TANK, aimed, desk, panel, ready

rule = pytest.mark.rule
LMG, TRUCK = "ge_lmg#1", "br_3ton#1"


def shot(d: Desk, hex: str, type_: int = INFANTRY, shell: int = HE, gun: str = GUN) -> Shoot:
    return Shoot(fire=PREP, side=AXIS, gun=d.bit(gun), weapon=MA, type=type_, hex=d.hex(hex), shell=shell)


# C2.1, C4.1, A21.1


@rule("asl", "C2.1", "C4.1")
def test_a_squad_at_its_own_gun_has_case_h_and_neither_the_red_column_nor_a_lower_breakdown() -> None:
    """At 10 hexes the Infantry type is 7 in black, 6 in red."""
    d = desk(crew="ge_467#1")
    d.put(SQUAD, "X5")
    one = shot_of(d.s, shot(d, "X5"), d.unit(SQUAD))
    assert {case.case: case.value for case in to_hit.cases(one)} == {"H": 2}
    assert (to_hit.needed(one), to_hit.breakdown(one)) == (7, 12)
    d.s.holder[d.unit(GUN)] = d.put(SQUAD, "N5")  # captured
    one = shot_of(d.s, shot(d, "X5"))
    assert [case.case for case in to_hit.cases(one)] == ["H"]
    assert (to_hit.needed(one), to_hit.breakdown(one)) == (6, 10)


@rule("asl", "A19.3", "A9.7")
def test_inexperienced_users_break_what_they_lay_a_pip_sooner_and_a_twelve_takes_a_support_weapon_away() -> None:
    for leader, number in (("", 10), ("it_ldr_8m0#1", 11)):
        d = Desk("s08_totensonntag", phasing=AXIS)
        green = next(name for name in d.roster.names if name.startswith("it_") and _conscript(d, name))
        d.put(green, "N5")
        w = d.give("it_m45#1", green)
        if leader:
            d.put(leader, "N5")
        d.put(SQUAD, "R5")
        assert to_hit.breakdown(shot_of(d.s, shot(d, "R5", AREA, gun="it_m45#1"))) == number
        d.settle(FireAt(F_FIRE, AXIS, PREP))
        d.do("lay it_m45#1", "at-area R5", "shoot")
        lost = [one.rule for one in d.roll(6, 6) if one.kind == "weapon_lost"]
        assert lost == ([] if leader else ["A9.7"])
        assert (d.s.at[w] < 0) == (not leader)


def _conscript(d: Desk, name: str) -> bool:
    kind = d.s.kind(d.unit(name))
    return kind.grade in ("conscript", "green") and kind.kind == 0


# A7.35, A4.9, A9.8 who can serve it


@rule("asl", "A7.35")
def test_a_crew_that_has_fired_itself_or_a_machine_gun_does_not_fire_its_gun_too() -> None:
    d = desk()
    d.give(LMG, CREW)
    d.put(SQUAD, "R5")
    ready(d)
    assert f"lay {GUN}" in d.legal()
    d.s.handled = d.bit(LMG)
    d.s.choices = None
    assert d.rule(f"lay {GUN}") == "A7.35"
    d.s.handled, d.s.fired, d.s.choices = 0, d.bit(CREW), None
    assert d.rule(f"lay {GUN}") == "A7.35"
    d.s.handled, d.s.choices = d.bit(GUN), None  # it has kept its ROF
    assert f"lay {GUN}" in d.legal()
    d.s.handled, d.s.edition, d.s.choices = 0, 3, None
    assert f"lay {GUN}" in d.legal()


@rule("asl", "A4.9", "A9.8")
def test_who_digs_lays_no_gun_and_a_dismantled_machine_gun_is_not_laid_at_a_tank() -> None:
    d = desk()
    d.put("ge_467#1", "N6")
    w = d.give("ge_mmg#1", "ge_467#1")
    d.put(TANK, "P6", W)
    ready(d)
    assert {f"lay {GUN}", "lay ge_mmg#1"} <= d.legal()
    d.s.ti, d.s.apart, d.s.choices = d.bit(CREW), 1 << w, None
    assert (d.rule(f"lay {GUN}"), d.rule("lay ge_mmg#1")) == ("A4.9", "A9.8")


# C3.32, C3.7 the Area type


@rule("asl", "C3.32", "A12.1")
def test_an_area_shot_that_misses_those_under_a_mark_may_hit_the_truck_beside_them() -> None:
    """7 at four hexes; Case K is for the concealed alone."""
    d = desk()
    d.put(SQUAD, "R5", concealed=True)
    truck = d.put(TRUCK, "R5", W)
    aimed(d, "at-area R5")
    assert panel(d)["title"].startswith("To Hit 7, DRM 0")
    d.do("shoot")
    found = d.roll(2, 4)
    assert event(found, "to_hit")["word"] == "hit"
    assert d.s.shoot is not None
    assert d.s.shoot.hit == 1 << truck
    d.roll(1, 2)
    assert d.s.wreck >> truck & 1
    assert d.has("concealed", SQUAD)


@rule("asl", "C3.32")
@pytest.mark.parametrize(("edition", "struck"), [(4, ""), (3, TRUCK)])
def test_before_the_fourth_version_a_hit_on_an_area_was_one_on_every_vehicle(edition: int, struck: str) -> None:
    d = desk()
    d.s.edition = edition
    d.put(SQUAD, "R5")
    d.put(TRUCK, "R5", W)
    shoot = shot(d, "R5", AREA)
    shoot.hit = d.bit(SQUAD)
    assert motors_struck(d.s, shoot) == (d.bit(struck) if struck else 0)


@rule("asl", "A5.12", "C3.32", "C1.51")
@pytest.mark.parametrize(("names", "drm"), [(3, 0), (3.5, -1), (4, -1), (4.5, -2), (5, -2)])
def test_whoever_is_overstacked_is_hurt_more_by_each_squad_begun(names: float, drm: int) -> None:
    d = desk()
    for n in range(1, int(names) + 1):
        d.put(f"br_457#{n}", "R5")
    if names % 1:
        d.put("br_247#1", "R5")
    found = effect(d.s, shot(d, "R5", AREA), d.unit(SQUAD)).drms
    assert sum(one.value for one in found if one.rule == "A5.12") == drm == crowding(d.s, d.unit(SQUAD))


@rule("asl", "C3.7")
def test_a_critical_hit_on_an_area_strikes_one_and_not_every_vehicle() -> None:
    """3 FP, the Kill Number 4; twice that is the column of 6 with 6."""
    for chosen in (0, 1):
        d = desk()
        truck = d.put(TRUCK, "R5", W)
        d.put(SQUAD, "R5")
        shoot = shot(d, "R5", AREA)
        shoot.hit, shoot.critical = d.bit(SQUAD, TRUCK), 1
        shoot.struck = d.bit(TRUCK) if chosen else d.bit(SQUAD)
        d.s.shoot = shoot
        burst(d.s, shoot, 2, 3)
        assert bool(d.s.wreck >> truck & 1) == bool(chosen)
    d = desk()
    d.put(SQUAD, "R5")
    d.put(TRUCK, "R5", W)
    aimed(d, "at-area R5", "shoot")
    d.roll(1, 1)
    d.roll(2, 5)
    assert d.s.shoot is not None
    assert d.s.shoot.struck.bit_count() == 1


@rule("asl", "A24.2")
def test_smoke_is_laid_on_the_hex_whoever_lies_hidden_in_it() -> None:
    for hidden in (False, True):
        d = Desk("s08_totensonntag", phasing=AXIS)
        mortar = next(
            n for n in d.roster.names if (k := d.s.kind(d.unit(n))).gun and any(x.type == "SMOKE" for x in k.gun.ammo)
        )
        d.s.phasing = side = d.roster.side[d.unit(mortar)]
        crew, foe = ("ge_228#1", SQUAD) if side == AXIS else ("br_228#1", "ge_467#1")
        d.put(crew, "H5")
        d.put(mortar, "H5", E)
        d.s.holder[d.unit(mortar)] = d.unit(crew)
        if hidden:
            d.put(foe, "R5", concealed=True)
        aim = Shoot(fire=PREP, side=side, gun=d.bit(mortar), weapon=MA, type=AREA, hex=d.hex("R5"), shell=SMOKE)
        assert aimed_at(d.s, aim) == 0
        assert tube_of(d.s, d.unit(mortar)) is not None
        d.s.edition = 3
        assert bool(aimed_at(d.s, aim)) == hidden


# A9.7, A12.14a, D6.2, C6.5


@rule("asl", "A12.14a", "A9.7")
def test_a_gun_that_breaks_down_has_been_seen_firing_all_the_same() -> None:
    d = desk()
    d.s.concealed = d.bit(GUN, CREW)
    d.put(SQUAD, "R5")
    aimed(d, "at-infantry R5", "load HE", "shoot")
    assert "revealed" in kinds(d.roll(6, 6))
    assert not d.has("concealed", GUN)
    assert d.has("jammed", GUN)


@rule("asl", "C6.5", "C9.3")
def test_what_a_spotter_sees_stays_acquired() -> None:
    d = Desk("s07_sidi_bou_zid", prefix="D6", phasing=ALLIED)
    mortars = [n for n in d.roster.names if (k := d.s.kind(d.unit(n))).gun and k.gun.kind == "MTR"]
    blind = next(
        (a, b, h)
        for a in d.stage.grid.hexes
        for b in [n for _, n in d.stage.grid.neighbours[a]]
        if d.stage.field.accessible(a) >> b & 1
        for h in d.stage.grid.hexes
        if d.stage.grid.distance(a, h) == 6 and not _sees(d, a, h) and _sees(d, b, h)
    )
    a, b, h = (d.stage.grid.names[x] for x in blind)
    gun = mortars[0]
    allied = bool(d.roster.of_side[ALLIED] >> d.unit(gun) & 1)
    crew, leader = ("br_228#1", "us_ldr_8m0#1") if allied else ("ge_228#1", "ge_ldr_8m0#1")
    d.put(crew, a)
    d.put(gun, a)
    d.s.holder[d.unit(gun)] = d.unit(crew)
    d.s.aim[d.unit(gun)] = (-1, d.hex(h), 1)
    spotter = d.put(leader, b)
    prune(d.s)
    assert d.unit(gun) in d.s.aim
    d.s.broken |= 1 << spotter
    prune(d.s)
    assert d.unit(gun) not in d.s.aim
    d.s.broken = 0
    side = d.roster.side[d.unit(gun)]
    other = next(
        n
        for n in d.roster.names
        if d.roster.guns & d.roster.of_side[side] & d.bit(n) and (k := d.s.kind(d.unit(n))).gun and k.gun.kind != "MTR"
    )
    d.put(other, a)
    d.s.holder[d.unit(other)], d.s.holder[d.unit(gun)] = d.unit(crew), -1
    d.s.aim = {d.unit(other): (-1, d.hex(h), 1)}
    prune(d.s)
    assert not d.s.aim, "nobody spots for a gun that is no mortar"


def _sees(d: Desk, a: int, b: int) -> bool:
    return d.stage.sights.sees(Spot(a), Spot(b))


@rule("asl", "D6.2")
def test_riders_get_off_when_the_turret_turns_with_its_machine_gun() -> None:
    for turn, off in ((W, True), (E, False)):
        d = Desk("s08_totensonntag", phasing=AXIS)
        tank = next(n for n in d.roster.names if n.startswith("ge_pz3") and _cmg(d, n))
        d.put(tank, "N5", E, turn)
        d.put("ge_467#1", "N5")
        d.board("ge_467#1", tank, rides=True)
        d.put(SQUAD, "R5")
        d.settle(FireAt(F_FIRE, AXIS, PREP))
        d.do("fire R5", f"coax {tank}", "commit")
        assert ("bailed_out" in kinds(d.roll(3, 4))) == off


@rule("asl", "D6.2", "A9.7")
def test_riders_get_off_whose_gun_breaks_down_and_the_shot_is_over() -> None:
    """The gun has fired: their checks come next, and then the fire goes on."""
    d = Desk("s08_totensonntag", phasing=AXIS)
    tank = next(n for n in d.roster.names if n.startswith("ge_pz3"))
    d.put(tank, "N5", E, E)
    d.put("ge_467#1", "N5")
    d.board("ge_467#1", tank, rides=True)
    d.put(SQUAD, "R5")
    d.settle(FireAt(F_FIRE, AXIS, PREP))
    d.do(f"lay {tank}", "at-infantry R5", "load HE", "shoot")
    found = kinds(d.roll(6, 6))
    assert "breaks_down" in found
    assert "bailed_out" in found
    assert d.s.shoot is None
    assert "check" in kinds(d.roll(1, 1))


def _cmg(d: Desk, name: str) -> bool:
    made = d.s.kind(d.unit(name)).vehicle
    return made is not None and bool(made.weapons & CMG) and made.turret == "T"


# A22.4, A5.12


@rule("asl", "A22.4", "C7.2")
def test_a_flame_that_misses_its_number_by_one_does_nothing() -> None:
    for word, original, stuck in (("A22.4", 7, True), ("A22.4", 8, False), ("C7.346", 8, True)):
        d = Desk("s08_totensonntag", phasing=AXIS)
        tank = d.put(TANK, "R5", W)
        kill(d.s, tank, 7, original, word)
        assert bool(d.s.immobile >> tank & 1) == stuck


@rule("asl", "A5.12", "C1.51")
def test_an_overstacked_hex_suffers_one_more_from_shells_too() -> None:
    """Column 16 with a DR of 12: nothing, but with -1 a PTC."""
    for squads, result in ((3, "-"), (4, "PTC")):
        d = Desk("s08_totensonntag", phasing=AXIS)
        names = [f"br_457#{n}" for n in range(1, squads + 1)]
        for name in names:
            d.put(name, "R5")
        at = AXIS * BATTERY
        for what, value in ((CALIBER, 80), (STAGE, FFE_1), (SHELLED, d.hex("R5")), (BLAST, 0)):
            d.s.oba[at + what] = value
        strike(d.s, AXIS, d.hex("R5"), 0, 6, 6, 0)
        assert event(d.s.events, "shelling")["result"] == result


# A14.1 what wakes a Sniper


def sniper_waits(d: Desk) -> Desk:
    d.under().stage.san = (4, 4)
    return d


@rule("asl", "A14.1")
def test_to_hit_and_what_a_hit_does_wake_a_sniper_as_other_fire_does() -> None:
    d = sniper_waits(desk())
    d.put(TANK, "R5", W)
    aimed(d, f"at-vehicle {TANK}", "load AP", "shoot")
    d.roll(2, 2)
    assert GAME.prompt(d.s).title == "The dice To Kill", "the shot is played out first"
    d.roll(6, 6)
    assert GAME.prompt(d.s).title == "A Sniper"
    for edition in (3, 4):
        d = sniper_waits(desk())
        d.s.edition = edition
        d.put(SQUAD, "R5")
        aimed(d, "at-infantry R5", "load HE", "shoot")
        d.roll(2, 4)
        d.roll(2, 2)  # 2MC
        d.roll(2, 4)
        assert (GAME.is_chance(d.s) and GAME.prompt(d.s).title == "A Sniper") == (edition > 3)


@rule("asl", "A14.1")
def test_shells_from_far_wake_a_sniper_too() -> None:
    d = sniper_waits(Desk("s08_totensonntag", phasing=AXIS))
    d.put(SQUAD, "R5")
    for what, value in ((CALIBER, 80), (STAGE, FFE_1), (SHELLED, d.hex("R5")), (BLAST, 0)):
        d.s.oba[AXIS * BATTERY + what] = value
    d.settle(ShellAt(F_FFE_ROLL, AXIS, d.hex("R5"), 0))
    d.roll(1, 3)
    titles = []
    while GAME.is_chance(d.s):
        titles.append(GAME.prompt(d.s).title)
        d.roll(*[6] * (1 if titles[-1] in ("A Sniper", "Random Selection") else 2))
    assert "A Sniper" in titles
