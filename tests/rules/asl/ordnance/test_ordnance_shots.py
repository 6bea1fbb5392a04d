"""C3 to C8 in play: weapons are laid, loaded and fired through the real game."""

from __future__ import annotations

import pytest

from sandtable.games.asl.game import GAME
from sandtable.games.asl.ordnance.aim import foes_about
from sandtable.games.asl.table.hardware import MA
from sandtable.games.asl.table.ids import ADVANCING, F_RALLY
from sandtable.games.asl.table.state import taken_guns
from sandtable.games.asl.turn.rally import RallyAt, finds
from sandtable.games.asl.turn.victory import lost_for_good, present, scored

from ..vehiclekit import ALLIED, AXIS, SSE, E, W, kinds
from .ordnanceshotskit import CREW, GUN, SQUAD, TANK, aimed, desk, number, panel, ready

"""A 5cm PaK 38: caliber 50L, ROF 3, NT, gunshield, APCR in 1941."""


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


@pytest.mark.rule("asl", "A7.531", "A9.21")
def test_a_leader_directs_a_gun_again_that_kept_its_rate_of_fire() -> None:
    d = desk()
    d.put("ge_ldr_9m1#1", "N5")
    d.put(SQUAD, "R5")
    aimed(d, "at-infantry R5", "load HE", "direct ge_ldr_9m1#1", "shoot")
    d.roll(1, 6, 6, 6)
    d.do(f"lay {GUN}", "at-infantry R5", "load HE")
    assert "direct ge_ldr_9m1#1" in d.legal()
    d.do("direct ge_ldr_9m1#1", "shoot")
    d.roll(6, 5)  # a miss, and no rate of fire
    d.s.fired = 0
    d.s.choices = None
    d.do(f"lay {GUN}", "at-infantry R5", "load HE")
    assert d.rule("direct ge_ldr_9m1#1") == "A7.531"


@pytest.mark.rule("asl", "A7.531", "A12.14a")
@pytest.mark.parametrize(("edition", "seen"), [(6, True), (5, False)])
def test_a_leader_who_directs_a_gun_is_seen_doing_it(edition: int, seen: bool) -> None:
    d = desk()
    d.s.edition = edition
    d.put("ge_ldr_9m1#1", "N5", concealed=True)
    d.put(SQUAD, "R5")
    aimed(d, "at-infantry R5", "load HE", "direct ge_ldr_9m1#1", "shoot")
    d.roll(6, 5)
    assert d.has("concealed", "ge_ldr_9m1#1") != seen


@pytest.mark.rule("asl", "C2.1", "C4.1")
def test_a_squad_at_a_gun_fires_with_case_h() -> None:
    d = desk(crew="ge_467#1")
    d.put(SQUAD, "R5")
    aimed(d, "at-infantry R5", "load HE")
    assert panel(d)["cases"] == {"H": 2}


@pytest.mark.rule("asl", "C2.1", "A4.44")
def test_an_unmanned_gun_is_recovered_by_either_side() -> None:
    for who, own in (("ge_467#1", True), (SQUAD, False)):
        d = desk()
        d.put(CREW, "N6")  # he leaves it, and has it no more
        d.put(who, "N5")
        d.settle(RallyAt(F_RALLY, AXIS if own else ALLIED))
        d.do(f"recover {who} {GUN}")
        d.roll(5)
        assert d.s.holder[d.unit(GUN)] == d.unit(who)
        assert taken_guns(d.s) == (0 if own else d.bit(GUN))
        assert present(d.s, AXIS, -1) & d.bit(GUN) == (d.bit(GUN) if own else 0)
        assert scored(d.s, ALLIED) == (0 if own else 2 * d.s.kind(d.unit(GUN)).value)  # AMB-57
        assert lost_for_good(d.s, d.bit(GUN)) == (0 if own else d.bit(GUN))
        assert not foes_about(d.s, ALLIED) & d.bit(GUN) or own  # nobody fires at what he has taken himself


@pytest.mark.rule("asl", "C2.1", "A4.44")
@pytest.mark.parametrize(("edition", "found"), [(2, True), (1, False)])
def test_in_games_of_the_first_version_no_gun_is_recovered(edition: int, found: bool) -> None:
    d = desk()
    d.s.edition = edition
    d.put(CREW, "N6")
    d.put(SQUAD, "N5")
    f = RallyAt(F_RALLY, ALLIED)
    assert ((d.unit(SQUAD), d.unit(GUN)) in finds(d.s, f, f)) == found


@pytest.mark.rule("asl", "C2.1", "A4.44")
def test_a_gun_that_is_hidden_in_tow_or_one_too_many_is_not_recovered() -> None:
    d = desk()
    d.put(CREW, "N6")
    d.put(SQUAD, "N5")
    f = RallyAt(F_RALLY, ALLIED)
    assert (d.unit(SQUAD), d.unit(GUN)) in finds(d.s, f, f)
    for name in ("concealed", "mounted"):
        setattr(d.s, name, d.bit(GUN))
        assert (d.unit(SQUAD), d.unit(GUN)) not in finds(d.s, f, f)
        setattr(d.s, name, 0)
    other = "ge_aa88#1"
    d.put(other, "N5")
    d.s.holder[d.unit(other)] = d.unit(SQUAD)
    assert finds(d.s, f, f) == []


@pytest.mark.rule("asl", "A3.5", "A9.21")
def test_advancing_fire_is_case_b_and_keeps_no_rate_of_fire() -> None:
    d = desk()
    d.put(SQUAD, "R5")
    aimed(d, "at-infantry R5", "load HE", fire=ADVANCING)
    assert panel(d)["cases"] == {"B": 2}
    d.do("shoot")
    d.roll(1, 6)
    assert d.has("fired", GUN)


@pytest.mark.rule("asl", "A9.21", "A7.8")
@pytest.mark.parametrize("pinned", [False, True])
def test_a_pinned_crew_keeps_no_rate_of_fire(pinned: bool) -> None:
    d = desk()
    d.put(SQUAD, "R5")
    d.s.pinned = d.bit(CREW) if pinned else 0
    aimed(d, "at-infantry R5", "load HE", "shoot")
    assert ("fires_again" in kinds(d.roll(1, 6))) != pinned
    assert d.has("fired", GUN) == pinned


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
