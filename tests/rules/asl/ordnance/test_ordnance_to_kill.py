"""C7: the number To Kill and what its dice do."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.asl.los.arcs import FRONT, REAR, SIDE, aspect, behind, in_arc, toward, turns
from sandtable.games.asl.ordnance import to_kill
from sandtable.games.asl.ordnance.to_kill import (
    BURNING,
    DESTROYED,
    HULL,
    IMMOBILIZED,
    NOTHING,
    SHOCK,
    TURRET,
    Armour,
    Strike,
    final,
    outcome,
)
from sandtable.games.asl.ordnance.weapons import AP, APCR, HE, HEAT, Tube

from ..kit import ground
from ..ordnancekit import armour, gun

SIX_POUNDER, PAK38 = gun("br_at57"), gun("ge_at50")
PANZER = armour("ge_pz3j")
TRUCK = armour("ge_opel")


def strike(which: Tube = SIX_POUNDER, shell: int = AP, span: int = 10, at: Armour = PANZER, **more: Any) -> Strike:
    return Strike(which, shell, span, at, **more)


@pytest.mark.rule("asl", "C7.1", "C7.3")
def test_the_number_is_basic_and_range_less_armour() -> None:
    assert final(strike()) == 15 - PANZER.hull_front
    assert final(strike(span=1)) == 15 + 1 - PANZER.hull_front
    assert final(strike(span=40)) == 15 - 3 - PANZER.hull_front
    assert final(strike(aspect=SIDE)) == 15 - PANZER.hull_side
    assert final(strike(aspect=REAR)) == 15 + 1 - PANZER.hull_side
    assert final(strike(location=TURRET)) == 15 - PANZER.turret_front
    assert final(strike(gun("ge_aa20"), span=30)) == 6 - 2 - PANZER.hull_front
    assert final(strike(gun("ge_aa88"), span=30)) == 20 - 1 - PANZER.hull_front


@pytest.mark.rule("asl", "C7.1", "C3.7")
def test_a_critical_hit_doubles_the_basic_number_only() -> None:
    assert final(strike(critical=True, span=40)) == 30 - 3 - PANZER.hull_front


@pytest.mark.rule("asl", "C7.1")
def test_apcr_and_heat_have_tables_of_their_own() -> None:
    assert final(strike(PAK38, APCR)) == 18 - PANZER.hull_front
    assert final(strike(PAK38, APCR, 13)) == 18 - 1 - PANZER.hull_front
    assert final(strike(gun("ge_art105"), HEAT, 40)) == 16 - PANZER.hull_front, "range does not matter to HEAT"
    assert final(strike(gun("br_grant"), AP)) == 11 - PANZER.hull_front


@pytest.mark.rule("asl", "C7.2")
def test_what_the_dice_do() -> None:
    """TK# 11: below it destroyed, at most half burning, equal immobilized (hull) or shock (turret)."""
    hull = strike(at=Armour(4, 2, 4, 2))
    turret = hull._replace(location=TURRET)
    assert final(hull) == 11
    assert outcome(hull, 2, 3) == BURNING
    assert outcome(hull, 3, 3) == DESTROYED
    assert outcome(hull, 5, 5) == DESTROYED
    assert outcome(hull, 5, 6) == IMMOBILIZED
    assert outcome(turret, 5, 6) == SHOCK
    thick = turret._replace(armour=Armour(11, 11, 11, 11))  # TK# 4
    assert outcome(thick, 2, 3) == SHOCK, "one above, coloured 1-2"
    assert outcome(thick, 3, 2) == NOTHING
    assert outcome(thick._replace(location=HULL), 2, 3) == NOTHING
    assert outcome(strike(critical=True), 6, 6) == NOTHING, "an Original 12 has no effect"


@pytest.mark.rule("asl", "C7.32")
def test_he_against_armour_shakes_it_one_above_its_number() -> None:
    shell = strike(gun("ge_inf150"), HE, at=Armour(11, 8, 11, 8))
    assert final(shell) == 16 - 11
    assert outcome(shell, 3, 3) == IMMOBILIZED
    assert outcome(shell._replace(location=TURRET), 3, 3) == SHOCK
    assert outcome(shell, 3, 4) == NOTHING


@pytest.mark.rule("asl", "C7.31")
def test_unarmored_vehicles_are_destroyed_or_not() -> None:
    assert final(strike(at=TRUCK)) == 8
    assert final(strike(gun("ge_aa20"), at=TRUCK)) == 7
    assert final(strike(gun("ge_aa88"), HE, at=TRUCK)) == 14
    assert outcome(strike(at=TRUCK), 3, 4) == DESTROYED
    assert outcome(strike(at=TRUCK), 4, 4) == NOTHING
    assert final(strike(at=TRUCK, span=60, aspect=REAR)) == 8, "neither range nor side matters"


@pytest.mark.rule("asl", "C5.7")
def test_deliberate_immobilization_ignores_armour_and_does_nothing_else() -> None:
    low = strike(at=armour("br_mat2"), span=5, deliberate=True)
    assert final(low) == 15
    assert outcome(low, 1, 1) == IMMOBILIZED
    assert outcome(low._replace(gun=gun("it_at47")), 5, 6) == NOTHING


@pytest.mark.rule("asl", "D4.3")
def test_an_underbelly_hit_strikes_the_aerial_armour() -> None:
    tank = armour("br_mat2")
    assert tank.aerial == 4
    assert armour("br_bishop").aerial == 0, "open-topped"
    assert final(strike(at=tank, location=TURRET, underbelly=True)) == 15 - 4
    assert final(strike(at=tank, location=HULL, underbelly=True)) == 15 - tank.hull_front


@pytest.mark.rule("asl", "C13.2", "A9.6", "C13.3")
def test_light_weapons() -> None:
    thin = Armour(1, 1, 1, 1)
    assert final(strike(gun("br_atr"), AP, 7, thin)) == 5 - 1
    assert final(strike(gun("it_atr"), AP, 1, thin)) == 6 + 2 - 1
    assert final(strike(gun("ge_hmg"), AP, 7, thin)) == 4 - 1
    assert final(strike(gun("us_50cal"), AP, 7, thin)) == 5 - 1
    assert final(strike(gun("us_baz43"), HEAT, 4, thin)) == 13 - 1
    assert final(strike(gun("br_piat"), HEAT, 1, TRUCK)) == 15


@pytest.mark.rule("asl", "D5.6")
def test_vehicles_that_brew_up_burn_at_half_the_number_rounded_up() -> None:
    plain = strike(at=Armour(4, 2, 4, 2))
    assert outcome(plain, 3, 3) == DESTROYED
    assert outcome(plain._replace(armour=Armour(4, 2, 4, 2, brews_up=True)), 3, 3) == BURNING


@pytest.mark.rule("asl", "C7.42")
def test_a_shocked_crew_recovers_or_does_not() -> None:
    assert [to_kill.shock_recovery(n, False) for n in (2, 3)] == ["recovers", "unconfirmed_kill"]
    assert [to_kill.shock_recovery(n, True) for n in (3, 4)] == ["recovers", "wreck"]


@pytest.mark.rule("asl", "C7.346")
def test_where_a_demolition_charge_lies() -> None:
    tank = armour("br_mat2")
    found = [to_kill.charge_position(n) for n in (5, 6, 8, 9, 11, 12)]
    assert found == ["aerial_af", "normal_af", "normal_af", "prc_only", "prc_only", "none"]
    assert to_kill.charge_number("aerial_af", tank, FRONT) == 16 - 4
    assert to_kill.charge_number("normal_af", tank, SIDE) == 16 - tank.hull_side
    assert to_kill.charge_number("prc_only", tank, SIDE) == 0


@pytest.mark.rule("asl", "A22.4")
def test_fire_does_not_mind_armour() -> None:
    assert to_kill.flame_number(armour("br_mat2")) == 7
    assert to_kill.flame_number(armour("br_cara")) == 10


# C3.2, D3.11, D3.21 Facing

FIELD = ground()


def hexes(*names: str) -> list[int]:
    return [FIELD.hex(f"D1.{name}") for name in names]


@pytest.mark.rule("asl", "C3.2", "D3.11")
def test_the_fan_of_a_vertex_covers_its_two_hexes_and_widens() -> None:
    at, *seen = hexes("N5", "O5", "O6", "P4", "P5", "P6", "R3", "R5", "R7")
    assert all(in_arc(FIELD, at, 1, h) for h in seen)
    assert not any(in_arc(FIELD, at, 1, h) for h in hexes("N4", "N6", "M5", "O4", "P3", "P7", "O7", "L5"))
    assert in_arc(FIELD, at, 4, at)


@pytest.mark.rule("asl", "C3.2")
def test_how_far_a_gun_must_turn() -> None:
    at, ahead, flank, rear = hexes("N5", "R5", "N2", "J5")
    assert turns(FIELD, at, 1, ahead) == 0
    assert turns(FIELD, at, 1, flank) == 1, "the border of the next fan"
    assert turns(FIELD, at, 1, rear) == 3
    assert toward(FIELD, at, 1, flank) == 0
    assert [turns(FIELD, at, k, ahead) for k in range(6)] == [1, 0, 1, 2, 3, 2]
    assert behind(FIELD, at, 4, ahead)


@pytest.mark.rule("asl", "D3.21")
def test_which_side_is_struck() -> None:
    target, ahead, north, far_left, rear = hexes("N5", "R5", "N2", "K3", "J5")
    assert aspect(FIELD, ahead, target, 1) == FRONT
    assert aspect(FIELD, rear, target, 1) == REAR
    assert aspect(FIELD, north, target, 1) == SIDE
    assert aspect(FIELD, target, target, 1) == SIDE
    assert aspect(FIELD, ahead, target, 2) == FRONT, "along the hexspine between front and side: the better"
    assert aspect(FIELD, far_left, target, 2) == REAR


@pytest.mark.rule("asl", "C7.1")
@pytest.mark.parametrize(
    ("id", "numbers"),
    [
        ("ff_at25", (9, 8, 8, 7, 6)),  # 25mm or less
        ("ge_at28", (13, 13, 12, 12, 11)),  # 28 to 57mm
        ("br_at57", (16, 16, 15, 15, 14)),
    ],
)
def test_range_by_caliber(id: str, numbers: tuple[int, ...]) -> None:
    found = [final(strike(gun(id), span=span, at=Armour())) for span in (1, 2, 6, 12, 24)]
    assert tuple(found) == numbers
