"""C3.32, C8.3, C11, F3.4, F7.4, F8.41: what shells do on the IFT, and the worked examples of those rules."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.asl.fire.ift import RESULTS, ift
from sandtable.games.asl.ordnance import shells
from sandtable.games.asl.ordnance.shells import Burst
from sandtable.games.asl.ordnance.to_hit import AREA, INFANTRY
from sandtable.games.asl.ordnance.weapons import AP, APCR, CANISTER, HE, HEAT, Tube

from ..ordnancekit import gun

SEVENTY_FIVE, HOWITZER = gun("ff_art75"), gun("ge_art105")
KIA, K, MC = RESULTS.index("1KIA"), RESULTS.index("K/2"), RESULTS.index("1MC")


def burst(which: Tube = SEVENTY_FIVE, shell: int = HE, target: int = INFANTRY, **more: Any) -> Burst:
    return Burst(which, shell, target, **more)


def column(one: Burst) -> int:
    return ift().columns[shells.column(one)]


@pytest.mark.rule("asl", "C3.32")
def test_he_by_caliber_full_on_the_infantry_type_and_half_on_the_area_type() -> None:
    assert [shells.caliber_fp(mm) for mm in (15, 20, 37, 40, 50, 57, 75, 88, 105, 150)] == [
        *(0, 1, 4, 4, 6, 6, 12, 16, 20, 30),
    ]
    assert column(burst()) == 12
    assert column(burst(target=AREA)) == 6
    assert shells.fp(burst(HOWITZER, target=AREA)) == 10


@pytest.mark.rule("asl", "C3.7")
def test_a_critical_hit_doubles_the_fp_and_turns_tem_round() -> None:
    assert column(burst(critical=True)) == 24
    assert column(burst(target=AREA, critical=True)) == 12
    assert [shells.critical_tem(n) for n in (3, 0, -1)] == [-3, 0, -1]


@pytest.mark.rule("asl", "C8.3", "C11.6")
def test_solid_shot_has_its_equivalency_only() -> None:
    assert shells.fp(burst(gun("ge_at28"), AP)) == 1
    assert shells.fp(burst(gun("br_at40"), AP)) == 2
    assert shells.fp(burst(gun("ge_at50"), APCR)) == 0
    assert shells.fp(burst(gun("us_at37"), CANISTER)) == 12
    assert shells.canister()["normal_range"] == 3


@pytest.mark.rule("asl", "C9.1")
def test_a_light_mortar_is_not_halved_again() -> None:
    assert shells.fp(burst(gun("ge_m50"), target=AREA)) == 2
    assert shells.fp(burst(gun("us_m60"), target=AREA, critical=True)) == 8


@pytest.mark.rule("asl", "C13.3")
def test_a_bazooka_uses_its_own_fp() -> None:
    assert shells.fp(burst(gun("us_baz43"), HEAT)) == 8


@pytest.mark.rule("asl", "F3.4a", "F3.4b", "F3.4c")
def test_a_75_in_hammada() -> None:
    """EX-F3.4-1 and -2: 6 FP with -1 on the Area type and Residual 4; -1 to hit on the Infantry type, Residual 8."""
    area = burst(target=AREA, terrain="hammada")
    direct = burst(terrain="hammada")
    assert column(area) == 6
    stones = shells.splinters("hammada", area)
    assert stones is not None
    assert stones.value == -1
    assert (shells.residual(area), shells.residual(area._replace(terrain="open"))) == (4, 2)
    assert (shells.residual(direct), shells.residual(direct._replace(terrain="open"))) == (8, 6)
    assert shells.splinters("hammada", burst(gun("br_at40"), AP)) is None
    assert shells.splinters("scrub", direct) is None


@pytest.mark.rule("asl", "A8.24")
def test_solid_shot_leaves_no_residual_fp() -> None:
    assert shells.residual(burst(gun("br_at57"), AP)) == 0
    assert shells.residual(burst(), outside=2) == 2


@pytest.mark.rule("asl", "F7.4a", "F7.4b", "F7.4c", "F7.4e")
def test_a_105_at_a_gun_emplaced_in_sand() -> None:
    """EX-F7.4-1: Direct Hit on 20, Near Miss on 8; on the Area type 8 and 4."""
    sand: dict[str, Any] = {"terrain": "sand", "ec": "Dry"}
    assert column(burst(HOWITZER, direct_hit=True, **sand)) == 20
    assert column(burst(HOWITZER, **sand)) == 8
    assert column(burst(HOWITZER, target=AREA, direct_hit=True, **sand)) == 8
    assert column(burst(HOWITZER, target=AREA, **sand)) == 4
    assert column(burst(HOWITZER, terrain="sand", ec="Wet")) == 20
    assert column(burst(HOWITZER, critical=True, **sand)) == 36


@pytest.mark.rule("asl", "F7.4b", "C1.51")
def test_offboard_artillery_into_sand() -> None:
    """EX-F7.4-2: 80+mm Concentration 8, Barrage 6; 100+mm Concentration 8, Barrage 8."""
    found = [shells.battery_fp(mm, blast, "sand", "Dry") for mm in (80, 105) for blast in ("concentration", "barrage")]
    assert found == [8, 6, 8, 8]
    assert shells.battery_fp(105, "concentration", "sand", "Wet") == 20
    assert shells.battery_fp(105, "concentration", "sand", "Dry", critical=True) == 36
    assert shells.battery_fp(105, "harassing", "open", "Dry") == 6


@pytest.mark.rule("asl", "C11.4")
def test_a_gun_is_struck_or_missed() -> None:
    found = [shells.gun_struck(one) for one in (KIA, K, MC)]
    assert found == [shells.DIRECT_HIT, shells.MALFUNCTION, shells.NEAR_MISS]


@pytest.mark.rule("asl", "F8.41a")
def test_what_brings_a_sangar_down() -> None:
    assert shells.sangar_falls(75, KIA, False, True)
    assert [shells.sangar_falls(mm, KIA, False, True) for mm in (65, 70)] == [False, True]
    assert not shells.sangar_falls(57, KIA, False, True)
    assert shells.sangar_falls(57, KIA, True, True), "any HE Critical Hit"
    assert not shells.sangar_falls(75, K, True, True)
    assert not shells.sangar_falls(88, KIA, True, False), "not HE equivalency"
