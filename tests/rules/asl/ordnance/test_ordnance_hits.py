"""C3 to C8 in play: hits."""

from __future__ import annotations

import pytest

from sandtable.games.asl.boards.climate import DUSTS
from sandtable.games.asl.fire.ift import RESULTS
from sandtable.games.asl.ordnance.bursts import burst
from sandtable.games.asl.ordnance.shells import DIRECT_HIT, MALFUNCTION, NEAR_MISS, gun_struck
from sandtable.games.asl.ordnance.to_hit import AREA
from sandtable.games.asl.ordnance.weapons import HE
from sandtable.games.asl.table.hardware import MA, SA
from sandtable.games.asl.table.ids import F_FIRE, FINAL, FULL, MPH, PREP, UNDER_SANGAR
from sandtable.games.asl.table.state import Shoot, State
from sandtable.games.asl.turn.fires import FireAt
from sandtable.games.asl.vehicles.risks import bog_crew, strain_drm

from ..vehiclekit import ALLIED, AXIS, NNE, SSE, Desk, E, W, event, kinds
from .ordnanceshotskit import CREW, FOE_CREW, FOE_GUN, GUN, SQUAD, TANK, aimed, desk, panel, ready

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
    d.s.concealed = d.bit(FOE_GUN)
    aimed(d, "at-infantry R5", "load HE", "shoot")
    d.roll(3, 2)
    assert fate in kinds(d.roll(*dice))
    assert not d.has("concealed", FOE_GUN), "it is seen now"
    assert d.where(FOE_CREW) == "-2"
    assert (d.where(FOE_GUN) == "-2") == (fate == "gun_destroyed")


@pytest.mark.rule("asl", "C11.4")
def test_every_k_stops_a_gun_and_every_kia_destroys_it() -> None:
    fates = {"1MC": NEAR_MISS, "4MC": NEAR_MISS, "K/1": MALFUNCTION, "K/4": MALFUNCTION, "1KIA": DIRECT_HIT}
    assert {word: gun_struck(RESULTS.index(word)) for word in fates} == fates


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
    assert [one.rule for one in d.roll(6, 5) if one.kind == "weapon_lost"] == ["C13.3"]
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


def rapid(vehicle: str = "ge_pz2f#1", turret: int = E, edition: int = 2, **marks: bool) -> Desk:
    """A vehicle at N5 about to fire its rapid MA at a squad at R5."""
    d = Desk("s08_totensonntag", phasing=AXIS)
    d.s.edition = edition
    d.put(vehicle, "N5", E, turret=turret, **marks)
    d.put(SQUAD, "R5")
    ready(d)
    d.do(f"lay {vehicle}")
    return d


@pytest.mark.rule("asl", "D1.8", "C2.29", "D3.5", "D5.34", "D2.4")
def test_the_rapid_fire_of_vehicles_on_the_ift() -> None:
    d = rapid()
    d.do("at-rapid R5")
    assert panel(d)["title"] == "4 FP on the 4 column, DRM 0"
    d.do("shoot")
    assert event(d.roll(1, 5), "burst")["result"] == "NMC"
    assert d.s.used[d.unit("ge_pz2f#1")] in (0, MA)
    turned = rapid(turret=SSE, shaken=True)
    turned.do("at-rapid R5")
    assert panel(turned)["title"] == "4 FP on the 4 column, DRM +2"  # a vertex of turn, a crew that was stunned
    rolling = rapid(motion=True)
    rolling.do("at-rapid R5")
    assert panel(rolling)["title"] == "2 FP on the 2 column, DRM 0"
    assert "at-rapid R5" not in rapid(edition=1).legal()
    small = Desk("s08_totensonntag", phasing=ALLIED)  # a 15mm gun has nothing else against Infantry
    car = small.put("br_crus2#1", "N5", E)
    small.s.type[car] = small.roster.type_of["br_humb2"]
    small.put("ge_467#1", "R5")
    small.settle(FireAt(F_FIRE, ALLIED, PREP))
    small.do("lay br_crus2#1")
    assert "at-rapid R5" in small.legal()
    assert small.rule("at-infantry R5") == "C3.3"


@pytest.mark.rule("asl", "C2.29", "A7.531", "A4.51")
def test_a_leader_directs_rapid_fire() -> None:
    d = desk("ge_aa20#1", CREW)
    d.put("ge_ldr_9m1#1", "N5")
    d.put(SQUAD, "R5")
    aimed(d, "at-rapid R5", "direct ge_ldr_9m1#1", gun="ge_aa20#1")
    assert panel(d)["title"] == "6 FP on the 6 column, DRM -1"
    d.s.cx |= d.bit(CREW)
    assert panel(d)["title"] == "6 FP on the 6 column, DRM 0"


@pytest.mark.rule("asl", "D5.34")
def test_a_crew_that_was_stunned_rolls_worse_ever_after() -> None:
    for edition, cases in ((2, {"I": 1, "STUN": 1}), (1, {"I": 1})):
        d = Desk("s08_totensonntag", phasing=ALLIED)
        d.s.edition = edition
        d.put("br_crus2#1", "N5", E, shaken=True)
        d.put("it_m13#1", "R5", W)
        d.settle(FireAt(F_FIRE, ALLIED, PREP))
        d.do("lay br_crus2#1", "at-vehicle it_m13#1")
        assert panel(d)["cases"] == cases
        assert strain_drm(d.s, d.unit("br_crus2#1"), 1) - strain_drm(calm(d), d.unit("br_crus2#1"), 1) == edition - 1
        assert bog_crew(d.s, d.unit("br_crus2#1")) == edition - 1


def calm(d: Desk) -> State:
    """The same table with crews that were never stunned."""
    s = d.s.copy()
    s.shaken = 0
    return s


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


@pytest.mark.rule("asl", "A12.14a")
@pytest.mark.parametrize(("mark", "seen"), [("", True), ("stunned", False), ("shocked", False), ("abandoned", False)])
def test_a_gun_is_seen_firing_by_a_tank_whose_crew_is_in_order(mark: str, seen: bool) -> None:
    d = desk()
    d.s.concealed = d.bit(GUN, CREW)
    d.put(SQUAD, "R5")
    d.put(TANK, "R6", W)
    d.s.broken = d.bit(SQUAD)
    if mark:
        setattr(d.s, mark, d.bit(TANK))
    aimed(d, "at-infantry R5", "load HE", "shoot")
    assert ("revealed" in kinds(d.roll(5, 6))) == seen
    assert d.s.concealed == (0 if seen else d.bit(GUN, CREW))


@pytest.mark.rule("asl", "A12.14a")
def test_an_allied_gun_is_seen_firing_by_a_tank_in_games_of_the_second_version_too() -> None:
    d = desk(FOE_GUN, FOE_CREW)
    d.s.edition, d.s.phasing, d.s.concealed = 2, ALLIED, d.bit(FOE_GUN, FOE_CREW)
    d.put("ge_467#1", "R5")
    d.put("ge_pz3h#1", "R6", W)
    d.s.broken = d.bit("ge_467#1")
    ready(d, side=ALLIED)
    d.do(f"lay {FOE_GUN}", "at-vehicle ge_pz3h#1")
    d.do(*(one for one in d.legal() if one == "load AP"), "shoot")
    d.roll(5, 6)
    assert not d.s.concealed


@pytest.mark.rule("asl", "A10.62")
@pytest.mark.parametrize(("dug_in", "dm"), [(False, True), (True, False)])
def test_a_hit_that_could_have_pinned_at_most_makes_nobody_dm(dug_in: bool, dm: bool) -> None:
    """37mm on the Area type: 2 FP; with the gunshield a 2 is a 1MC, and with the +2 of an emplacement besides a PTC."""
    d = desk("ge_at37#1")
    d.put(FOE_CREW, "R5")
    d.put(FOE_GUN, "R5", W)
    d.s.holder[d.unit(FOE_GUN)] = d.unit(FOE_CREW)
    d.s.emplaced, d.s.broken = dug_in << d.unit(FOE_GUN), d.bit(FOE_CREW)
    mark, firer = d.bit(FOE_CREW), d.bit("ge_at37#1")
    shoot = Shoot(fire=PREP, side=AXIS, gun=firer, weapon=MA, type=AREA, hex=d.hex("R5"), shell=HE, hit=mark)
    d.s.shoot = shoot
    burst(d.s, shoot, 6, 6)
    assert bool(d.s.dm & mark) == dm


@pytest.mark.rule("asl", "A12.14a")
@pytest.mark.parametrize(("edition", "seen"), [(3, False), (2, True)])
def test_who_is_hidden_sees_no_gun_fire_but_in_games_begun_before(edition: int, seen: bool) -> None:
    d = desk()
    d.s.edition = edition
    d.s.concealed = d.bit(GUN, CREW, "br_457#2")
    d.s.hip = d.bit("br_457#2")
    d.put(SQUAD, "R5")
    d.put("br_457#2", "R6")
    d.s.broken = d.bit(SQUAD)
    aimed(d, "at-infantry R5", "load HE", "shoot")
    assert ("revealed" in kinds(d.roll(5, 6))) == seen
