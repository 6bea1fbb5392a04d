"""C3 to C8 in play: weapons are laid, loaded and fired through the real game."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.asl.boards.climate import DUSTS
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.hardware import MA, SA
from sandtable.games.asl.table.ids import ADVANCING, F_FIRE, FINAL, FULL, MPH, PREP, UNDER_SANGAR
from sandtable.games.asl.turn.fires import FireAt

from .vehiclekit import ALLIED, AXIS, NNE, SSE, Desk, E, W, event, kinds

GUN, CREW = "ge_at50#1", "ge_228#1"
"""A 5cm PaK 38: caliber 50L, ROF 3, NT, gunshield, APCR in 1941."""
SQUAD, FOE_GUN, FOE_CREW = "br_457#1", "br_at57#1", "br_228#1"
TANK = "br_crus2#1"


def desk(gun: str = GUN, crew: str = CREW, at: str = "N5", facing: int = E, scenario: str = "s08_totensonntag") -> Desk:
    """A manned Gun of the Axis at N5, facing east."""
    found = Desk("s08_totensonntag", phasing=AXIS)
    found.put(crew, at)
    found.put(gun, at, facing)
    found.s.holder[found.unit(gun)] = found.unit(crew)
    return found


def ready(d: Desk, fire: int = PREP, side: int = AXIS) -> Desk:
    return d.settle(FireAt(F_FIRE, side, fire))


def aimed(d: Desk, *words: str, gun: str = GUN, fire: int = PREP) -> Desk:
    ready(d, fire)
    d.do(f"lay {gun}", *words)
    return d


def panel(d: Desk) -> dict[str, Any]:
    """The odds of the shot that is laid: cases by letter, chances by word."""
    odds = GAME.odds(d.s, GAME.parse("shoot"))
    assert odds is not None
    cases = {}
    for term in odds.terms:
        text = str(term.text)
        if text.startswith("Case "):
            cases[text[5:].split(":", maxsplit=1)[0]] = int(term.value)
    return {"title": str(odds.title), "cases": cases, "chances": {str(k): v for k, v in odds.results}}


def number(events: list[Any]) -> tuple[int, int]:
    data = event(events, "shot")
    return data["number"], data["drm"]


# C3.3 Who fires at what


@pytest.mark.rule("asl", "C3.3", "C2.1")
def test_a_manned_gun_is_laid_and_an_unmanned_one_is_not() -> None:
    d = desk()
    d.put(SQUAD, "R5")
    ready(d)
    assert f"lay {GUN}" in d.legal()
    other = desk()
    other.s.holder[other.unit(GUN)] = -1
    other.put(SQUAD, "R5")
    other.put("ge_467#1", "N5")
    ready(other)
    assert other.rule(f"lay {GUN}") == "C2.1"
    broken = desk()
    broken.put(SQUAD, "R5")
    broken.put("ge_467#1", "N5")
    broken.s.broken = broken.bit(CREW)
    ready(broken)
    assert broken.rule(f"lay {GUN}") == "A10.41"


@pytest.mark.rule("asl", "C3.3", "C8.3")
def test_target_types_and_the_shells_that_fit_them() -> None:
    d = desk()
    d.put(SQUAD, "R5")
    d.put(TANK, "R6", W)
    aimed(d)
    found = d.legal()
    assert {"at-infantry R5", f"at-vehicle {TANK}", "at-area R5"} <= found
    d.do(f"at-vehicle {TANK}")
    assert {one for one in d.legal() if one.startswith("load")} == {"load HE", "load AP", "load APCR"}
    assert d.rule("shoot") == "C8.3"
    d = desk()
    d.put(SQUAD, "R5")
    aimed(d, "at-area R5")
    assert "shoot" in d.legal(), "HE alone fits an area: it is loaded"
    assert d.rule("load AP") == "C8.3"


@pytest.mark.rule("asl", "A11.15", "A6.1")
def test_nobody_fires_into_a_melee() -> None:
    d = desk()
    d.put(SQUAD, "R5", melee=True)
    d.put("br_457#2", "S5")
    aimed(d)
    assert d.rule("at-infantry R5") == "C3.3"
    assert d.rule("at-area R5") == "A11.15"


# To Hit in play


@pytest.mark.rule("asl", "C5.2", "C4.1", "C3.2")
def test_the_number_and_the_cases_of_a_shot_are_shown_and_rolled() -> None:
    """Range 4 at Infantry: 8; a turn of one vertex costs an NT gun 3."""
    d = desk()
    d.put(SQUAD, "R5")
    aimed(d, "at-infantry R5", "load HE")
    shown = panel(d)
    assert shown["cases"] == {}
    assert shown["title"].startswith("To Hit 8, DRM 0")
    assert sum(shown["chances"].values()) == 1
    assert number(d.do("shoot")) == (8, 0)
    d = desk(facing=SSE)
    d.put(SQUAD, "R5")
    aimed(d, "at-infantry R5", "load HE")
    assert panel(d)["cases"] == {"A": 3}
    assert number(d.do("shoot")) == (8, 3)
    d.roll(2, 4)  # 6 and 3 is a miss
    assert d.s.vca[d.unit(GUN)] == E, "the Gun has turned"


@pytest.mark.rule("asl", "C3.2")
def test_a_gun_without_a_turret_that_has_turned_fires_at_no_other_arc_in_that_phase() -> None:
    d = desk(facing=SSE)
    d.put(SQUAD, "R5")
    d.put("br_457#2", "N9")
    aimed(d, "at-infantry R5", "load HE", "shoot")
    d.roll(1, 6)
    d.do(f"lay {GUN}")
    assert "at-infantry R5" in d.legal()
    assert d.rule("at-infantry N9") == "C3.2"


@pytest.mark.rule("asl", "C5.2", "A7.8", "A4.51", "A7.531")
def test_what_the_crew_brings_to_the_shot() -> None:
    d = desk()
    d.put("ge_ldr_9m1#1", "N5")
    d.put(SQUAD, "R5")
    d.s.pinned = d.s.cx = d.bit(CREW)
    aimed(d, "at-infantry R5", "load HE", "direct ge_ldr_9m1#1")
    assert panel(d)["cases"] == {"D": 2, "CX": 1, "LDR": -1}


@pytest.mark.rule("asl", "C2.1", "C4.1")
def test_a_squad_at_a_gun_fires_with_case_h() -> None:
    d = desk(crew="ge_467#1")
    d.put(SQUAD, "R5")
    aimed(d, "at-infantry R5", "load HE")
    assert panel(d)["cases"] == {"H": 2}


@pytest.mark.rule("asl", "A3.5", "A9.21")
def test_advancing_fire_is_case_b_and_keeps_no_rate_of_fire() -> None:
    d = desk()
    d.put(SQUAD, "R5")
    aimed(d, "at-infantry R5", "load HE", fire=ADVANCING)
    assert panel(d)["cases"] == {"B": 2}
    d.do("shoot")
    d.roll(1, 6)
    assert d.has("fired", GUN)


@pytest.mark.rule("asl", "A12.1", "C3.32")
def test_a_concealed_part_is_hit_only_if_the_dice_hit_with_case_k() -> None:
    d = desk()
    d.put(SQUAD, "R5")
    d.put("br_457#2", "R5", concealed=True)
    aimed(d, "at-infantry R5", "load HE", "shoot")
    d.roll(2, 5)  # 7: a hit on 8, a miss with +2
    assert d.s.shoot is not None
    assert d.s.shoot.hit == d.bit(SQUAD)
    d = desk()
    d.put("br_457#2", "R5", concealed=True)
    aimed(d, "at-infantry R5", "load HE")
    assert panel(d)["cases"] == {"K": 2}


@pytest.mark.rule("asl", "C6.5")
def test_acquisition_grows_with_each_shot_and_is_lost_with_another_target() -> None:
    d = desk()
    d.put(SQUAD, "R5")
    d.put("br_457#2", "S5")
    ready(d)
    found = []
    for _ in range(3):
        d.do(f"lay {GUN}", "at-infantry R5", "load HE")
        found.append(panel(d)["cases"].get("N", 0))
        d.do("shoot")
        d.roll(3, 6)  # a 9: with an acquisition it hits
        d.roll(*((6, 6) if GAME.is_chance(d.s) else ()))
    assert found == [0, -1, -2]
    d.do(f"lay {GUN}", "at-infantry S5", "load HE", "shoot")
    d.roll(3, 6)
    assert d.s.aim[d.unit(GUN)] == (-1, d.hex("S5"), 1)


@pytest.mark.rule("asl", "C6.5")
def test_a_vehicle_is_acquired_wherever_it_goes_in_sight() -> None:
    d = desk()
    d.put(TANK, "R5", W)
    aimed(d, f"at-vehicle {TANK}", "load AP", "shoot")
    d.roll(3, 6)
    d.roll(6, 6)
    assert d.s.aim[d.unit(GUN)][0] == d.unit(TANK)
    d.put(TANK, "S6", W)
    d.do(f"lay {GUN}", f"at-vehicle {TANK}", "load AP")
    assert panel(d)["cases"]["N"] == -1


@pytest.mark.rule("asl", "C6.5")
def test_acquisition_is_lost_when_the_gun_moves_or_its_crew_breaks() -> None:
    from sandtable.games.asl.ordnance.acquisition import acquire, prune

    d = desk()
    d.put(SQUAD, "R5")
    u = d.unit(GUN)
    acquire(d.s, u, MA, -1, d.hex("R5"))
    d.put(GUN, "N6")
    assert u not in d.s.aim
    d = desk()
    acquire(d.s, u, MA, -1, d.hex("R5"))
    d.s.broken = d.bit(CREW)
    prune(d.s)
    assert u not in d.s.aim


@pytest.mark.rule("asl", "C6.4")
def test_bore_sighted_hexes_until_the_gun_turns() -> None:
    d = desk()
    u = d.unit(GUN)
    d.s.bore[u] = (d.hex("R5"),)
    d.put(SQUAD, "R5")
    d.put("br_457#2", "N9")
    aimed(d, "at-infantry R5", "load HE")
    assert panel(d)["cases"] == {"M": -2}
    d.do("shoot")
    d.roll(1, 6)
    d.roll(6, 6)
    d.do(f"lay {GUN}", "at-infantry N9", "load HE", "shoot")
    d.roll(6, 5)
    assert u not in d.s.bore


# ROF, malfunction, Intensive Fire, ammunition


@pytest.mark.rule("asl", "A9.2", "A7.11", "C5.6")
def test_rate_of_fire_then_intensive_fire_once_then_nothing() -> None:
    d = desk()
    d.put(SQUAD, "R5")
    ready(d)
    d.do(f"lay {GUN}", "at-infantry R5", "load HE", "shoot")
    assert "fires_again" in kinds(d.roll(3, 6))
    d.do(f"lay {GUN}", "at-infantry R5", "load HE", "shoot")
    d.roll(4, 6)
    d.do(f"lay {GUN}", "at-infantry R5", "load HE")
    assert panel(d)["cases"] == {"F": 2, "N": -2}
    d.do("shoot")
    d.put("ge_467#1", "N5")
    d.roll(3, 6)
    assert d.s.worked[d.unit(GUN)] == MA
    assert d.rule(f"lay {GUN}") == "A7.11"


@pytest.mark.rule("asl", "C5.6", "A9.7")
def test_intensive_fire_breaks_down_two_sooner() -> None:
    d = desk()
    d.put(SQUAD, "R5")
    d.s.fired = d.bit(GUN)
    aimed(d, "at-infantry R5", "load HE", "shoot")
    assert "breaks_down" in kinds(d.roll(4, 6))
    assert d.has("jammed", GUN)


@pytest.mark.rule("asl", "A9.7")
def test_a_breakdown_misses() -> None:
    d = desk()
    d.put(SQUAD, "O5")
    d.put("ge_467#1", "N5")
    aimed(d, "at-infantry O5", "load HE", "shoot")
    found = kinds(d.roll(6, 6))
    assert "breaks_down" in found
    assert "to_hit" not in found
    assert d.rule(f"lay {GUN}") == "A9.7"


@pytest.mark.rule("asl", "C2.24", "A9.21")
def test_the_area_type_uses_up_all_rate_of_fire_but_for_mortars() -> None:
    d = desk()
    d.put(SQUAD, "R5")
    aimed(d, "at-area R5", "shoot")
    d.roll(1, 6)
    assert d.has("fired", GUN)
    d = desk("ge_mtr81#1", "ge_228#1")
    d.put(SQUAD, "R5")
    aimed(d, "at-area R5", "load HE", "shoot", gun="ge_mtr81#1")
    assert "fires_again" in kinds(d.roll(1, 6))
    assert not d.has("fired", "ge_mtr81#1")


@pytest.mark.rule("asl", "C8.9")
def test_the_last_shell_and_none_left() -> None:
    """APCR 5 in 1941: a 5 is the last one; above it another shell takes the same dice."""
    d = desk()
    d.put("br_crus1#1", "P5", W)
    aimed(d, "at-vehicle br_crus1#1", "load APCR", "shoot")
    assert {"ran_out", "to_hit"} <= set(kinds(d.roll(2, 3)))
    d = desk()
    d.put("br_crus1#1", "P5", W)
    aimed(d, "at-vehicle br_crus1#1", "load APCR", "shoot")
    found = kinds(d.roll(3, 3))
    assert "ran_out" in found
    assert "to_hit" not in found
    assert {"load AP", "load HE", "hold"} == d.legal()
    assert d.rule("load APCR") == "C8.9"
    d.do("load AP")
    assert d.s.shoot is not None
    assert (d.s.shoot.first, d.s.shoot.second) == (3, 3)


# What hits do


@pytest.mark.rule("asl", "C3.32")
def test_a_50mm_hit_attacks_on_the_six_column_and_on_two_as_an_area() -> None:
    d = desk()
    d.put(SQUAD, "R5")
    aimed(d, "at-infantry R5", "load HE", "shoot")
    d.roll(2, 5)
    assert event(d.roll(3, 3), "burst")["result"] == "1MC"
    d = desk()
    d.put(SQUAD, "R5")
    aimed(d, "at-area R5", "shoot")
    d.roll(2, 5)
    assert event(d.roll(3, 3), "burst")["result"] == "PTC", "3 FP: the 2 column"


@pytest.mark.rule("asl", "C3.7")
def test_a_critical_hit_strikes_one_with_double_fp() -> None:
    d = desk()
    d.put(SQUAD, "R5")
    d.put("br_457#2", "R5")
    aimed(d, "at-infantry R5", "load HE", "shoot")
    d.roll(1, 2)  # 3, below half of 8
    d.roll(6, 2)  # the first is struck
    assert d.s.shoot is not None
    assert d.s.shoot.struck == d.bit(SQUAD)
    found = d.roll(2, 3)  # 5: 12 FP 2MC on him, 6 FP 1MC on the other
    assert event(found, "burst")["result"] == "2MC"


@pytest.mark.rule("asl", "A8.24", "C8.3", "C11.6")
def test_solid_shot_at_infantry_has_two_fp_and_leaves_nothing() -> None:
    d = desk()
    d.put(SQUAD, "R5")
    aimed(d, "at-infantry R5", "load AP", "shoot")
    d.roll(2, 5)
    assert event(d.roll(1, 2), "burst")["result"] == "1MC"


@pytest.mark.rule("asl", "C11.4", "C11.5")
@pytest.mark.parametrize(("dice", "fate"), [((1, 1), "gun_destroyed"), ((1, 2), "jammed")])
def test_a_gun_is_destroyed_or_stopped(dice: tuple[int, int], fate: str) -> None:
    """6 FP: a KIA on 2 destroys Gun and crew, a K on 3 stops the Gun and reduces the crew (which is eliminated)."""
    d = desk()
    d.put(FOE_CREW, "R5")
    d.put(FOE_GUN, "R5", W)
    d.s.holder[d.unit(FOE_GUN)] = d.unit(FOE_CREW)
    aimed(d, "at-infantry R5", "load HE", "shoot")
    d.roll(3, 2)
    assert fate in kinds(d.roll(*dice))
    assert d.where(FOE_CREW) == "-2"
    assert (d.where(FOE_GUN) == "-2") == (fate == "gun_destroyed")


@pytest.mark.rule("asl", "C11.5", "C5.2")
def test_a_near_miss_meets_the_gunshield_and_a_small_gun_is_hard_to_hit() -> None:
    d = desk()
    d.put(FOE_CREW, "R5")
    d.put(FOE_GUN, "R5", W)
    d.s.holder[d.unit(FOE_GUN)] = d.unit(FOE_CREW)
    aimed(d, "at-infantry R5", "load HE")
    assert panel(d)["cases"] == {"P": 1}
    d.do("shoot")
    d.roll(3, 2)
    found = d.roll(2, 3)  # 5 is a 1MC; with +2 it is a NMC
    d.roll(6, 2)  # the crew's check: 8 is just its morale
    assert "gun_destroyed" not in kinds(found)
    assert d.has("pinned", FOE_CREW)


@pytest.mark.rule("asl", "C11.2", "F.1Aa", "C11.5")
def test_an_emplaced_gun_has_two_and_no_shield_from_the_flank() -> None:
    d = desk()
    d.put(FOE_CREW, "R5")
    d.put(FOE_GUN, "R5", NNE, emplaced=True)
    d.s.holder[d.unit(FOE_GUN)] = d.unit(FOE_CREW)
    aimed(d, "at-infantry R5", "load HE")
    assert panel(d)["cases"] == {"P": 1, "Q": 2}


@pytest.mark.rule("asl", "F3.4a", "C5.2")
def test_stones_help_he_to_hit() -> None:
    d = desk()
    d.put(SQUAD, "P7")
    aimed(d, "at-infantry P7", "load HE")
    assert panel(d)["cases"]["Q"] == -1
    d = desk()
    d.put(SQUAD, "P7")
    aimed(d, "at-infantry P7", "load AP")
    assert "Q" not in panel(d)["cases"]


@pytest.mark.rule("asl", "F8.41a", "F8.41c")
def test_a_kia_of_70mm_brings_a_sangar_down() -> None:
    d = desk("ge_at75#1", CREW)
    d.put("allied_sangar#1", "R5")
    d.put(SQUAD, "R5")
    d.put("br_457#2", "R5")
    d.s.under[d.unit(SQUAD)] = UNDER_SANGAR
    aimed(d, "at-infantry R5", "load HE", "shoot", gun="ge_at75#1")
    d.roll(1, 3)
    found = d.roll(1, 1)
    assert "work_gone" in kinds(found)
    assert d.where("allied_sangar#1") == "-2"
    assert d.s.under[d.unit(SQUAD)] == 0


@pytest.mark.rule("asl", "A24.2")
def test_smoke_is_placed_by_a_hit_on_the_area_type() -> None:
    found = Desk("s09_snipe", "D2", AXIS)
    found.put(CREW, "F5")
    found.put("ge_at75#1", "F5", E)
    found.s.holder[found.unit("ge_at75#1")] = found.unit(CREW)
    aimed(found, "at-area I5", "load SMOKE", gun="ge_at75#1")
    assert panel(found)["title"].startswith("To Hit 9")
    found.do("shoot")
    found.roll(3, 3)
    assert found.s.smoke[found.hex("I5")] == 1 << 2 * FULL + AXIS


# Vehicles


@pytest.mark.rule("asl", "C3.3", "C3.9", "C7.1", "C7.2", "D3.21")
def test_a_tank_is_hit_and_killed() -> None:
    """50L at 4 hexes: 10 to hit; Crusader II hull front 4, turret front 6: 9 and 7 to kill."""
    d = desk()
    d.put(TANK, "R5", W)
    aimed(d, f"at-vehicle {TANK}", "load AP")
    shown = panel(d)
    assert shown["title"].startswith("To Hit 10, DRM 0")
    assert sum(shown["chances"].values()) == 1
    d.do("shoot")
    d.roll(4, 3)  # hull
    found = event(d.roll(4, 4), "to_kill")
    assert (found["number"], found["part"], found["word"]) == (9, "hull", "destroyed")
    assert d.has("wreck", TANK)
    d = desk()
    d.put(TANK, "R5", W)
    aimed(d, f"at-vehicle {TANK}", "load AP", "shoot")
    d.roll(3, 4)  # turret
    found = event(d.roll(3, 4), "to_kill")
    assert (found["number"], found["part"], found["word"]) == (7, "turret", "shock")
    assert d.has("shocked", TANK)


@pytest.mark.rule("asl", "C7.3", "D3.21")
def test_flank_and_rear() -> None:
    d = desk()
    d.put(TANK, "R5", E)
    aimed(d, f"at-vehicle {TANK}", "load AP", "shoot")
    d.roll(4, 3)
    assert event(d.roll(6, 6), "to_kill")["number"] == 13 + 1 - 2


@pytest.mark.rule("asl", "C5.2", "C.8", "D5.3")
def test_cases_of_vehicles() -> None:
    d = desk()
    d.put("br_mat2#1", "R5", W, motion=True)
    aimed(d, "at-vehicle br_mat2#1", "load AP")
    assert panel(d)["cases"] == {"J": 2}
    d = Desk("s08_totensonntag", phasing=ALLIED)
    d.put("br_crus2#1", "N5", E, turret=NNE)
    d.put("it_m13#1", "R5", W)
    d.settle(FireAt(F_FIRE, ALLIED, PREP))
    d.do("lay br_crus2#1", "at-vehicle it_m13#1")
    assert panel(d)["cases"] == {"A": 1, "I": 1}
    d.do("shoot")
    d.roll(5, 6)
    assert d.s.tca[d.unit("br_crus2#1")] == E
    assert d.s.used[d.unit("br_crus2#1")] == MA
    assert d.has("fired", "br_crus2#1"), "it may not move"


@pytest.mark.rule("asl", "D1.8", "C8.3")
def test_the_second_gun_of_a_grant_is_laid_by_itself() -> None:
    d = Desk("s08_totensonntag", phasing=ALLIED)
    d.put("br_grant#1", "N5", E)
    d.put("it_346#1", "R5")
    d.settle(FireAt(F_FIRE, ALLIED, PREP))
    assert {"lay br_grant#1", "lay-second br_grant#1"} <= d.legal()
    d.do("lay-second br_grant#1", "at-infantry R5", "load HE", "shoot")
    d.roll(6, 4)
    assert d.s.used[d.unit("br_grant#1")] == SA
    assert "lay br_grant#1" in d.legal()


@pytest.mark.rule("asl", "C5.7")
def test_deliberate_immobilization_in_play() -> None:
    d = desk()
    d.put("br_mat2#1", "R5", W)
    aimed(d, "at-vehicle br_mat2#1", "load AP", "deliberate")
    assert panel(d)["cases"] == {"G": 5}
    d.do("shoot")
    d.roll(2, 3)
    d.roll(6, 5)
    assert d.has("immobile", "br_mat2#1")
    d = desk()
    d.put("br_mat2#1", "U5", W)
    aimed(d, "at-vehicle br_mat2#1", "load AP")
    assert d.rule("deliberate") == "C5.7"


@pytest.mark.rule("asl", "D5.34", "A9.7")
def test_a_stunned_crew_fires_nothing() -> None:
    d = Desk("s08_totensonntag", phasing=ALLIED)
    d.put("br_crus2#1", "N5", E, stunned=True)
    d.put("br_crus2#2", "N6", E)
    d.put("it_m13#1", "R5", W)
    d.s.jam[d.unit("br_crus2#2")] = MA
    d.put("br_crus2#3", "N4", E)
    d.settle(FireAt(F_FIRE, ALLIED, PREP))
    assert d.rule("lay br_crus2#1") == "D5.34"
    assert d.rule("lay br_crus2#2") == "A9.7"


# C9, C13 Mortars, ATR, bazookas


@pytest.mark.rule("asl", "C9.1", "C9.3", "C3.3")
def test_a_light_mortar_fires_on_the_area_type_between_its_ranges() -> None:
    d = Desk("s08_totensonntag", phasing=ALLIED)
    d.put(SQUAD, "N5")
    d.give("br_m51#1", SQUAD)
    d.put("it_346#1", "O5")
    d.put("it_346#2", "R5")
    d.settle(FireAt(F_FIRE, ALLIED, PREP))
    d.do("lay br_m51#1")
    assert "at-area R5" in d.legal()
    assert d.rule("at-area O5") == "C3.3"
    assert d.rule("at-infantry R5") == "C3.3"
    d.do("at-area R5", "load HE", "shoot")
    d.roll(3, 4)
    assert event(d.roll(2, 2), "burst")["result"] == "1MC", "2 FP, not halved again"


@pytest.mark.rule("asl", "C9.1")
def test_a_mortar_never_fires_in_a_fire_group() -> None:
    d = Desk("s08_totensonntag", phasing=ALLIED)
    d.put(SQUAD, "N5")
    d.give("br_m51#1", SQUAD)
    d.put("it_346#2", "R5")
    d.settle(FireAt(F_FIRE, ALLIED, PREP))
    d.do("fire R5")
    assert d.rule("use br_m51#1") == "C9.1"


@pytest.mark.rule("asl", "C9.3")
def test_a_spotter_sees_for_a_mortar_at_two_more() -> None:
    d = desk("ge_mtr81#1", CREW)
    d.put("ge_ldr_9m1#1", "N6")
    d.put(SQUAD, "R5")
    aimed(d, gun="ge_mtr81#1")
    assert "spot ge_ldr_9m1#1" in d.legal()
    d.do("spot ge_ldr_9m1#1", "at-area R5", "load HE")
    assert panel(d)["cases"]["SPOT"] == 2


@pytest.mark.rule("asl", "C13.2")
def test_an_anti_tank_rifle_reaches_twelve_hexes_and_vehicles_only() -> None:
    d = Desk("s08_totensonntag", phasing=ALLIED)
    d.put(SQUAD, "N5")
    d.give("br_atr#1", SQUAD)
    d.put("it_m13#1", "R5", W)
    d.put("it_m13#2", "AA5", W)
    d.put("it_346#1", "S5")
    d.settle(FireAt(F_FIRE, ALLIED, PREP))
    d.do("lay br_atr#1")
    assert "at-vehicle it_m13#1" in d.legal()
    assert d.rule("at-vehicle it_m13#2") == "C3.3"
    assert d.rule("at-infantry S5") == "C3.3"


@pytest.mark.rule("asl", "C13.3")
def test_a_bazooka_is_used_up_when_it_breaks_down() -> None:
    d = Desk("s08_totensonntag", phasing=ALLIED)
    d.put(SQUAD, "N5")
    d.give("us_baz43#1", SQUAD)
    d.put("it_m13#1", "P5", W)
    d.put("it_346#1", "Q5")
    d.settle(FireAt(F_FIRE, ALLIED, PREP))
    d.do("lay us_baz43#1")
    assert d.rule("at-infantry Q5") == "C13.3"
    d.do("at-vehicle it_m13#1", "shoot")
    assert "weapon_lost" in kinds(d.roll(6, 5))
    assert d.where("us_baz43#1") == "-2"


@pytest.mark.rule("asl", "C2.29", "A9.7", "C6.5", "F11.732b")
@pytest.mark.parametrize(("dust", "jams"), [("none", False), ("extremely_heavy", True)])
def test_rapid_fire_breaks_down_by_the_b_number_of_the_moment(dust: str, jams: bool) -> None:
    """10 is below the B# of 11, and not below it in Extremely Heavy Dust; the attack counts, the aim is lost."""
    d = desk("ge_aa20#1")
    d.put(SQUAD, "R5")
    d.s.aim[d.unit("ge_aa20#1")] = (-1, d.hex("R5"), 1)
    d.s.density = DUSTS.index(dust)
    aimed(d, "at-rapid R5", gun="ge_aa20#1")
    d.do("shoot")
    if jams:
        d.do(min(d.legal()))  # the die of the dust
    found = kinds(d.roll(4, 6))
    assert "burst" in found
    assert ("breaks_down" in found) == jams == d.has("jammed", "ge_aa20#1")
    assert (d.unit("ge_aa20#1") in d.s.aim) == (not jams)


@pytest.mark.rule("asl", "C2.29")
def test_rapid_fire_on_the_ift() -> None:
    d = desk("ge_aa20#1", CREW)
    d.put(SQUAD, "R5")
    aimed(d, "at-rapid R5", gun="ge_aa20#1")
    d.do("shoot")
    found = d.roll(1, 4)
    assert event(found, "burst")["result"] == "1MC", "6 FP, 5"
    assert "fires_again" in kinds(found)


# A8 First Fire


@pytest.mark.rule("asl", "A8.1", "A8.14", "A4.6a", "A4.6b", "A8.2")
def test_a_gun_fires_at_moving_infantry() -> None:
    d = Desk("s08_totensonntag", phasing=ALLIED)
    d.put("it_126#1", "N5")
    d.put("it_at47#1", "N5", E)
    d.s.holder[d.unit("it_at47#1")] = d.unit("it_126#1")
    d.put(SQUAD, "S5")
    from sandtable.games.asl.movement.infantry import MovesAt
    from sandtable.games.asl.table.ids import F_MOVES

    d.s.phase = MPH
    d.settle(MovesAt(F_MOVES))
    d.do(f"move {SQUAD}", "to R5")
    assert "lay it_at47#1" in d.legal()
    d.do("lay it_at47#1", "at-infantry R5", "load HE")
    assert panel(d)["cases"] == {"J3": -1, "J4": -1}
    d.do("shoot")
    d.roll(3, 4)
    found = d.roll(6, 6)
    assert event(found, "residual")["fp"] == 2, "47mm HE is 4 FP"
    assert d.who == "allied", "one MF spent here is one shot"


@pytest.mark.rule("asl", "A8.41", "C5.6")
def test_a_gun_that_first_fired_fires_in_the_dfph_only_intensively() -> None:
    d = Desk("s08_totensonntag", phasing=ALLIED)
    d.put("it_126#1", "N5")
    d.put("it_at47#1", "N5", E, fired=True)
    d.s.holder[d.unit("it_at47#1")] = d.unit("it_126#1")
    d.put(SQUAD, "R5")
    d.settle(FireAt(F_FIRE, AXIS, FINAL))
    d.do("lay it_at47#1", "at-infantry R5", "load HE")
    assert panel(d)["cases"]["F"] == 2


@pytest.mark.rule("asl", "A3.2", "A7.35")
def test_a_crew_that_has_fired_its_gun_neither_moves_nor_fires_itself() -> None:
    d = desk()
    d.put(SQUAD, "O5")
    aimed(d, "at-infantry O5", "load HE", "shoot")
    d.put("ge_467#1", "N5")
    d.roll(5, 6)
    assert d.has("served", CREW)
    d.do("fire O5")
    assert d.rule(f"join {CREW}") == "A7.35"


@pytest.mark.rule("asl", "A12.14a")
def test_a_hidden_gun_is_seen_firing_within_sixteen_hexes() -> None:
    d = desk()
    d.s.concealed = d.bit(GUN, CREW)
    d.put(SQUAD, "R5")
    aimed(d, "at-infantry R5", "load HE", "shoot")
    assert "revealed" in kinds(d.roll(5, 6))
    assert not d.s.concealed & d.bit(GUN, CREW)
    far = desk(at="D5")
    far.s.concealed = far.bit(GUN, CREW)
    far.put(SQUAD, "X5")
    aimed(far, "at-infantry X5", "load HE", "shoot")
    far.roll(5, 6)
    assert far.s.concealed & far.bit(GUN, CREW) == far.bit(GUN, CREW)
