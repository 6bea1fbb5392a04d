"""What is left of Chapter C in play: bore sights, pushing, repair, MG against armour, WP, collateral damage, the rim of
a wadi, and Guns in sand and sangars."""

from __future__ import annotations

import pytest

from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.ordnance.acquisition import sighted
from sandtable.games.asl.ordnance.aim import shot_of
from sandtable.games.asl.ordnance.effects import afv_drm
from sandtable.games.asl.table.hardware import MA
from sandtable.games.asl.table.ids import (
    BOUNDING,
    F_BORE,
    F_FIRE,
    F_MOVES,
    F_RALLY,
    MPH,
    PREP,
    WP,
)
from sandtable.games.asl.table.scenarios import BoresAt
from sandtable.games.asl.table.state import Shoot
from sandtable.games.asl.turn.fires import FireAt
from sandtable.games.asl.turn.rally import RallyAt

from ..vehiclekit import ALLIED, AXIS, Desk, E, W, event, kinds
from .ordnanceshotskit import CREW, GUN, aimed, desk, ready

# C6.4 Bore sights


@pytest.mark.rule("asl", "C6.4")
def test_guns_name_hexes_in_their_arc_and_sight_before_the_first_turn() -> None:
    d = Desk("s09_snipe", "D2", AXIS)
    gun, crew = "br_at57#1", "br_228#1"
    d.put(crew, "P5")
    d.put(gun, "P5", E)
    d.s.holder[d.unit(gun)] = d.unit(crew)
    d.settle(BoresAt(F_BORE, ALLIED))
    assert f"bore {gun} S5" in d.legal()
    assert d.rule(f"bore {gun} L5") == "C6.4"
    assert "outside its CA" in str(d.why(f"bore {gun} L5").why)
    found = d.do(f"bore {gun} S5")
    assert d.s.bore[d.unit(gun)] == (d.hex("S5"),)
    assert all(one.hidden for one in found if one.kind == "bore_sighted")
    assert not GAME.view(d.s, AXIS)["bore"]
    assert GAME.view(d.s, ALLIED)["bore"]
    d.do(f"bore {gun} T5")
    assert not any(isinstance(f, BoresAt) for f in d.s.stack), "two hexes, and no other Gun"


@pytest.mark.rule("asl", "C6.4", "A2.9")
def test_a_side_with_bore_sights_is_asked_after_both_have_set_up() -> None:
    s = GAME.new("s01_capuzzo_outpost")
    assert not any(isinstance(f, BoresAt) for f in s.stack)
    from sandtable.games.asl.table.scenarios import new_state
    from sandtable.games.asl.table.stage import stage

    found = new_state(stage("s09_snipe"), {}).stack
    assert [f.side for f in found if isinstance(f, BoresAt)] == [ALLIED]
    assert isinstance(found[1], BoresAt)


# C10.3 Pushing


def pushing(gun: str = "ge_at37#1") -> Desk:
    d = desk(gun, CREW)
    d.s.phase = MPH
    return d.settle(MovesAt(F_MOVES))


@pytest.mark.rule("asl", "C10.3", "A4.62", "C11.2")
def test_a_gun_is_pushed_at_double_cost_by_a_manhandling_dr() -> None:
    """M# 11, 2 MF spent: a DR of 9 moves it."""
    gun = "ge_at37#1"
    d = pushing(gun)
    d.s.emplaced |= d.bit(gun)
    d.do(f"move {CREW}")
    odds = GAME.odds(d.s, GAME.parse(f"push {gun} D1.N6"))
    assert odds is not None
    assert [str(one.value) for one in odds.terms] == ["11", "+2"]
    d.do(f"push {gun} N6")
    d.roll(4, 5)
    assert (d.where(gun), d.where(CREW)) == ("N6", "N6")
    assert d.s.holder[d.unit(gun)] == d.unit(CREW)
    assert not d.has("emplaced", gun)
    assert d.s.move is not None
    assert d.s.move.hazardous
    assert d.s.move.spent == 4


@pytest.mark.rule("asl", "B28.41", "A12.11", "C10.3")
def test_who_pushes_a_gun_meets_mines_and_dummies_like_anybody_who_enters() -> None:
    d = pushing("ge_at37#1")
    mines = next(n for n in d.roster.names if "minefield_ap" in n and n.startswith("allied"))
    w = d.put(mines, "N6")
    d.s.strength[w] = 6
    d.put("allied_dummy#1", "N6", concealed=True)
    d.do(f"move {CREW}", "push ge_at37#1 N6")
    found = kinds(d.roll(4, 5))
    assert "dummy" in found
    assert "mines" in found


@pytest.mark.rule("asl", "C10.3")
def test_or_it_stays_and_the_mf_are_gone() -> None:
    gun = "ge_at37#1"
    d = pushing(gun)
    d.do(f"move {CREW}", f"push {gun} N6")
    d.roll(5, 5)
    assert d.where(gun) == "N5"
    assert d.s.move is not None
    assert d.s.move.spent == 4
    assert d.s.move.movers == d.bit(CREW)


@pytest.mark.rule("asl", "C10.3")
def test_helpers_and_what_cannot_be_pushed() -> None:
    gun = "ge_at37#1"
    d = desk(gun, CREW)
    d.put("ge_467#1", "N5")
    d.s.phase = MPH
    d.settle(MovesAt(F_MOVES))
    d.do(f"move {CREW}", "also ge_467#1")
    odds = GAME.odds(d.s, GAME.parse(f"push {gun} D1.N6"))
    assert odds is not None
    assert [str(one.value) for one in odds.terms] == ["11", "+2", "-1"]
    assert d.rule(f"push {gun} N8") == "C10.3"
    assert d.rule("push ge_at50#1 N6") == "C10.3"


# A9.72 Repair


@pytest.mark.rule("asl", "A9.72")
def test_a_crew_repairs_its_gun() -> None:
    d = desk()
    d.s.jammed = d.bit(GUN)
    d.settle(RallyAt(F_RALLY, AXIS))
    d.do(f"repair {GUN}")
    d.roll(1)
    assert not d.has("jammed", GUN)


# A9.6 and other small fire at vehicles


@pytest.mark.rule("asl", "A9.6")
def test_a_machine_gun_may_try_its_luck_against_armour() -> None:
    d = Desk("s08_totensonntag", phasing=AXIS)
    d.put("ge_467#1", "N5")
    d.give("ge_hmg#1", "ge_467#1")
    d.put("br_cara#1", "P5", W)
    ready(d)
    d.do("lay ge_hmg#1", "at-vehicle br_cara#1", "shoot")
    d.roll(3, 2)
    found = event(d.roll(6, 6), "to_kill")
    assert found["number"] == 4 + 1 - 1, "TK# 4, Case D at 2 hexes, hull front 1"


@pytest.mark.rule("asl", "A24.31", "A24.2")
def test_white_phosphorus_shakes_those_in_the_hex() -> None:
    d = Desk("s07_sidi_bou_zid", "D1", ALLIED)
    d.s.density = 0  # no die of dust
    d.put("us_t30#1", "N5", E)
    d.put("ge_467#1", "R5")
    d.settle(FireAt(F_FIRE, ALLIED, PREP))
    d.do("lay us_t30#1", "at-area R5", "load WP", "shoot")
    d.roll(3, 2)
    assert d.s.smoke[d.hex("R5")] >> 2 * WP + ALLIED & 1
    assert "check" in kinds(d.roll(3, 3)), "a NMC"


@pytest.mark.rule("asl", "D.8")
def test_the_exposed_crew_of_a_tank_that_is_hit_is_attacked() -> None:
    """50L AP is 2 FP; +2 behind armour."""
    d = desk()
    d.put("br_mat2#1", "R5", W, exposed=True)
    aimed(d, "at-vehicle br_mat2#1", "load AP", "shoot")
    d.roll(4, 3)
    d.roll(6, 6)  # no kill
    assert "collateral" in kinds(d.roll(1, 1))
    d = desk()
    d.put("br_mat2#1", "R5", W)
    aimed(d, "at-vehicle br_mat2#1", "load AP", "shoot")
    d.roll(4, 3)
    d.roll(6, 6)
    assert d.s.shoot is None, "buttoned up"


@pytest.mark.rule("asl", "A7.308", "C3.32")
@pytest.mark.parametrize(("dice", "mark"), [((2, 1), "wreck"), ((2, 2), "immobile")])
def test_a_burst_over_a_truck(dice: tuple[int, int], mark: str) -> None:
    """50mm on the Area type is 3 FP: Kill Number 4."""
    d = desk()
    d.put("br_3ton#1", "R5", W)
    aimed(d, "at-area R5", "shoot")
    d.roll(3, 3)
    d.roll(*dice)
    assert d.has(mark, "br_3ton#1")


@pytest.mark.rule("asl", "C3.32")
def test_armour_helps_against_bursts() -> None:
    d = desk()
    d.put("br_mat2#1", "R5", W)
    d.put("br_cara#1", "R6", W)
    assert afv_drm(d.s, d.unit("br_mat2#1")) == 1
    assert afv_drm(d.s, d.unit("br_cara#1")) == -1, "AF 1 and an open top"


# D3.3 Bounding


@pytest.mark.rule("asl", "C5.2", "D3.3")
def test_how_long_a_bounding_firer_has_had_its_target_in_sight() -> None:
    d = Desk("s08_totensonntag", phasing=ALLIED)
    u = d.put("br_crus2#1", "N5", E)
    d.put("it_m13#1", "R5", W)
    d.s.track[u] = ((d.hex("M5"), 2), (d.hex("N5"), 2))
    shoot = Shoot(fire=BOUNDING, side=ALLIED, gun=1 << u, weapon=MA, type=0, hex=d.hex("R5"), shell=1)
    shoot.target = d.bit("it_m13#1")
    assert sighted(d.s, u, shoot, d.unit("it_m13#1")) == 2
    from sandtable.games.asl.ordnance.to_hit import cases

    found = {one.case: one.value for one in cases(shot_of(d.s, shoot, d.unit("it_m13#1")))}
    assert found == {"B": 2, "C": 2, "C2": 2, "I": 1}
