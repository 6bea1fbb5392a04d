"""C3 to C6: the number To Hit and its cases, as plain functions over the charts."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.asl.ordnance import to_hit, weapons
from sandtable.games.asl.ordnance.to_hit import (
    AREA,
    CRITICAL,
    HIT,
    IMPROBABLE,
    INFANTRY,
    MISS,
    VEHICLE,
    Shot,
    Term,
    cases,
    needed,
)
from sandtable.games.asl.ordnance.weapons import AP, APCR, HE, HEAT, SMOKE, WP, colour_of
from sandtable.games.asl.table.hardware import SA, UNLIMITED, shells

from ..ordnancekit import gun, maybe

PAK38 = gun("ge_at50")
SIX_POUNDER = gun("br_at57")
FLAK = gun("ge_aa88")


def shot(which: Any = PAK38, target: int = VEHICLE, span: int = 10, shell: int = AP, **more: Any) -> Shot:
    return Shot(which, target, span, shell, **more)


def drm(case: str, **facts: Any) -> int:
    """The value of one case for a shot with these facts; 0 if it does not apply."""
    return sum(one.value for one in cases(shot(**facts)) if one.case == case)


@pytest.mark.rule("asl", "C4.1", "C3.3")
def test_the_basic_number_by_range_and_colour_with_barrel_and_caliber() -> None:
    assert needed(shot(FLAK, VEHICLE, 6)) == 10
    assert needed(shot(FLAK, VEHICLE, 18)) == 8 + 1
    assert needed(shot(FLAK, INFANTRY, 30, HE)) == 4 + 1
    assert needed(shot(PAK38, VEHICLE, 25)) == 6 + 1 - 2  # black 6, L +1, 57mm or less -2
    assert needed(shot(gun("br_at40"), VEHICLE, 13)) == 8 + 1 - 1 - 1
    assert needed(shot(gun("it_at47"), VEHICLE, 13)) == 7 - 1  # red, no barrel of its own
    assert needed(shot(gun("ge_inf75"), INFANTRY, 19, HE)) == 5 - 1
    assert needed(shot(gun("br_at76"), VEHICLE, 31)) == 6 + 2
    assert needed(shot(FLAK, AREA, 60, HE)) == 5 + 1


@pytest.mark.rule("asl", "C4.1")
def test_special_shells_have_their_own_line() -> None:
    assert needed(shot(PAK38, VEHICLE, 13, APCR)) == needed(shot(PAK38, VEHICLE, 13, AP)) - 1
    assert needed(shot(gun("ge_at75"), AREA, 6, SMOKE)) == 7 + 2
    assert needed(shot(gun("ge_at75"), AREA, 13, SMOKE)) == 8 + 1


@pytest.mark.rule("asl", "C4.1", "A21.1")
def test_a_captured_gun_takes_the_red_column() -> None:
    assert (colour_of("german"), colour_of("italian"), colour_of("free_french")) == ("black", "red", "black")
    assert needed(shot(PAK38, VEHICLE, 10, captured=True)) == 8
    assert drm("H", captured=True) == 2


@pytest.mark.rule("asl", "C5.2", "C3.2")
@pytest.mark.parametrize(
    ("mount", "expected"), [("T", [1, 2, 3]), ("ST", [2, 3, 4]), ("NT", [3, 4, 5]), ("1MT", [2, 3, 4])]
)
def test_case_a_by_mount_and_vertices(mount: str, expected: list[int]) -> None:
    one = PAK38._replace(mount=mount)
    assert [drm("A", which=one, turn=n) for n in (1, 2, 3)] == expected
    assert drm("A", which=one, turn=1, cramped=True) == 2 * expected[0]
    assert drm("A", which=one) == 0


@pytest.mark.rule("asl", "C5.2", "A3.5", "D3.3", "D2.4")
def test_cases_b_and_c_for_fire_after_and_while_moving() -> None:
    sherman, stuart = gun("br_sherm2"), gun("us_m3a1")
    assert drm("B", advancing=True) == 2
    assert drm("B", bounding=True) + drm("C", which=sherman, bounding=True) == 4
    assert drm("C", which=PAK38, bounding=True) == 3
    assert drm("C", which=stuart, bounding=True) == 1, "a gyrostabilizer"
    assert drm("C1", bounding=True, seen_mp=3) == 1
    assert drm("C2", bounding=True, seen_mp=2) == 2
    assert drm("C1", bounding=True, seen_mp=2) == drm("C2", bounding=True, seen_mp=4) == 0
    assert drm("C", which=sherman, motion=True) == 2


@pytest.mark.rule("asl", "C13.3", "A3.5")
def test_case_c3_for_light_weapons_in_the_afph() -> None:
    bazooka = gun("us_baz43")
    found = {one.case: one.value for one in cases(shot(bazooka, VEHICLE, 2, HEAT, advancing=True))}
    assert found["C3"] == 2
    assert "B" not in found


@pytest.mark.rule("asl", "D2.4")
def test_in_motion_the_lower_die_counts_twice() -> None:
    still, rolling = shot(), shot(motion=True)
    assert to_hit.final(still, 2, 5) == 7
    assert to_hit.final(rolling, 2, 5) == 7 + 2 + to_hit.drm(rolling)


@pytest.mark.rule("asl", "C5.2", "A7.8", "C5.6", "C5.7", "C2.1", "D5.3", "A4.51")
@pytest.mark.parametrize(
    ("case", "fact", "value"),
    [
        ("D", {"pinned": True}, 2),
        ("E", {"span": 0}, 2),
        ("F", {"intensive": True}, 2),
        ("G", {"deliberate": True}, 5),
        ("H", {"captured": True}, 2),
        ("I", {"buttoned": True}, 1),
        ("CX", {"cx": True}, 1),
        ("LDR", {"leadership": -1}, -1),
        ("SPOT", {"spotted": True}, 2),
        ("K", {"concealed": True}, 2),
        ("M", {"bore_sighted": True}, -2),
        ("P", {"size": -1}, -1),
    ],
)
def test_the_cases_with_one_value(case: str, fact: dict[str, Any], value: int) -> None:
    assert drm(case, **fact) == value
    assert drm(case) == 0


@pytest.mark.rule("asl", "C.8")
def test_case_j_and_what_stands_in_for_it() -> None:
    def found(mp: float) -> dict[str, int]:
        return {one.case: one.value for one in cases(shot(moving=True, mp_in_los=mp))}

    assert found(12) == {"J": 2}
    assert found(3) == {"J1": 3}
    assert found(1) == {"J2": 4}
    assert not cases(shot(moving=True, target=INFANTRY))


@pytest.mark.rule("asl", "A4.6a", "A4.6b", "A4.62")
def test_moving_infantry_on_the_infantry_type_alone() -> None:
    facts: dict[str, Any] = {"ffnam": True, "ffmo": True}
    assert to_hit.drm(shot(PAK38, INFANTRY, 10, HE, **facts)) == -2
    assert to_hit.drm(shot(PAK38, AREA, 10, HE, **facts)) == 0
    assert to_hit.drm(shot(PAK38, INFANTRY, 10, HE, hazardous=True, **facts)) == -2


@pytest.mark.rule("asl", "C5.2")
def test_point_blank_but_not_at_a_vehicle_on_the_move() -> None:
    assert [drm("L", span=n) for n in (0, 1, 2, 3)] == [0, -2, -1, 0]
    assert drm("L", span=1, moving=True) == 0


@pytest.mark.rule("asl", "C6.5")
def test_case_n_is_one_and_then_two() -> None:
    assert [drm("N", acquired=n) for n in (0, 1, 2)] == [0, -1, -2]


@pytest.mark.rule("asl", "C5.2", "F3.4a")
def test_case_q_is_tem_and_not_on_the_area_type() -> None:
    stones = (Term(-1, "F3.4a", "HE among stones"),)
    assert drm("Q", target=INFANTRY, shell=HE, tem=stones) == -1
    assert drm("Q", target=AREA, shell=HE, tem=stones) == 0
    assert drm("R", target=AREA, shell=HE, hindrances=(Term(2, "F11.74d", "dust"),)) == 2


@pytest.mark.rule("asl", "C3.7")
def test_critical_hits() -> None:
    """On the Vehicle and Area types an Original 2; on the Infantry type a Final DR below half the Modified TH#."""
    assert to_hit.judge(shot(span=6), 1, 1) == CRITICAL
    assert to_hit.judge(shot(span=6), 1, 2) == HIT
    near = shot(FLAK, INFANTRY, 6, HE)  # 8
    assert to_hit.judge(near, 1, 2) == CRITICAL
    assert to_hit.judge(near, 2, 2) == HIT
    far = shot(FLAK, INFANTRY, 18, HE)  # 7: half of it, up, is 4
    assert [to_hit.judge(far, 1, n) for n in (1, 2, 3)] == [CRITICAL, CRITICAL, HIT]
    assert to_hit.judge(shot(FLAK, AREA, 6, HE), 1, 1) == CRITICAL


@pytest.mark.rule("asl", "C5.2")
def test_an_original_two_that_misses_may_still_hit_and_is_never_critical() -> None:
    far = shot(gun("it_at47"), INFANTRY, 60, HE, concealed=True)
    assert needed(far) < 2
    assert to_hit.judge(far, 1, 1) == IMPROBABLE
    assert to_hit.judge(far, 1, 2) == MISS
    assert [to_hit.improbable(one) for one in (VEHICLE, INFANTRY, AREA)] == [1, 2, 2]


@pytest.mark.rule("asl", "C5.6")
def test_intensive_fire_lowers_the_breakdown_number_by_two() -> None:
    assert to_hit.breakdown(shot()) == 12
    assert to_hit.breakdown(shot(intensive=True)) == 10
    assert to_hit.breakdown(shot(intensive=True, captured=True), worn=1) == 7


@pytest.mark.rule("asl", "C3.9")
def test_a_coloured_die_below_the_white_one_strikes_the_turret() -> None:
    assert to_hit.turret(2, 3)
    assert not to_hit.turret(3, 3)
    assert not to_hit.turret(4, 3)


@pytest.mark.rule("asl", "C3.3", "C13.2", "A9.6", "C9.3")
def test_which_weapon_fires_on_which_type() -> None:
    def types(which: Any) -> tuple[int, ...]:
        return to_hit.types_of(which)

    assert types(FLAK) == (VEHICLE, INFANTRY, AREA)
    assert types(gun("ge_mtr81")) == types(gun("us_m60")) == (AREA,)
    assert types(gun("br_atr")) == types(gun("ge_hmg")) == (VEHICLE,)
    assert types(gun("us_baz43")) == (VEHICLE, INFANTRY)
    assert types(gun("br_humb2")) == (VEHICLE,), "15mm fires on the IFT at Infantry (D1.8)"


@pytest.mark.rule("asl", "C13.3")
def test_bazooka_and_piat_have_a_row_of_their_own() -> None:
    bazooka, piat = gun("us_baz43"), gun("br_piat")
    assert [needed(shot(bazooka, VEHICLE, n, HEAT)) for n in range(5)] == [10, 8, 7, 6, 4]
    assert [needed(shot(piat, VEHICLE, n, HEAT)) for n in range(4)] == [10, 8, 7, 6]


# C8 Ammunition


@pytest.mark.rule("asl", "C8.3")
def test_what_a_gun_has_depends_on_the_month() -> None:
    assert PAK38.shells("1941-05") == {HE: 99, AP: 99, APCR: 5}
    assert PAK38.shells("1942-05") == {HE: 99, AP: 99, APCR: 6}
    assert SIX_POUNDER.shells("1942-10") == {AP: 99}
    assert SIX_POUNDER.shells("1943-03") == {HE: 7, AP: 99}
    assert gun("br_mtr76").shells("1942-01") == {HE: 99, SMOKE: 8, WP: 7, weapons.IR: 99}
    assert gun("ff_at47").shells("1942-05") == {HE: 99, APCR: 99}


@pytest.mark.rule("asl", "C8.3")
def test_a_scenario_may_give_other_shells() -> None:
    assert gun("it_art75").shells("1940-12", shells("AP:6")) == {HE: 99, AP: 6}
    assert gun("it_inf65").shells("1940-12", shells("AP:0")) == {HE: 99}


@pytest.mark.rule("asl", "C8.3")
def test_a_vehicle_with_two_guns_has_two_supplies() -> None:
    turret, hull = gun("br_grant"), gun("br_grant", SA)
    assert turret.shells("1942-05") == {AP: 99}
    assert hull.shells("1942-05") == {HE: 99, AP: 99, SMOKE: 8}
    assert (hull.mount, hull.caliber, hull.tk_key) == ("NT", 75, "75_grant_lee")


@pytest.mark.rule("asl", "C8.3")
def test_bad_codes_say_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="expected TYPE:NUMBER"):
        shells("HESH:4")
    with pytest.raises(ValueError, match="neither ma nor sa"):
        shells("HE:4#xx")


@pytest.mark.rule("asl", "C8.9")
def test_depletion_by_the_original_dr() -> None:
    assert [weapons.depletion(n, 6) for n in (5, 6, 7)] == [
        weapons.AVAILABLE,
        weapons.LAST,
        weapons.DEPLETED,
    ]
    assert weapons.depletion(12, UNLIMITED) == weapons.AVAILABLE


@pytest.mark.rule("asl", "C2.6", "C10.1")
def test_a_limbered_gun_fires_by_its_own_values_or_not_at_all() -> None:
    two_pounder = gun("br_at40", limbered=True)
    assert (two_pounder.rof, two_pounder.breakdown, two_pounder.mount) == (2, 11, "NT")
    assert maybe("ge_at50", limbered=True) is None


@pytest.mark.rule("asl", "D1.8")
def test_the_main_armament_of_vehicles() -> None:
    halftrack, truck = gun("us_m4mc"), maybe("br_3ton")
    assert halftrack.mortar
    assert (halftrack.least, halftrack.most) == (3, 82)
    assert truck is None
    car = gun("br_mh2v")
    assert car.colour == "red"
