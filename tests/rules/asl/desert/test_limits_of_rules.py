"""Where a rule begins and where it ends: the case next to the one that its own chapter shows."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.hazards import Vehicle as Wheels
from sandtable.games.asl.combat.close import CombatsAt, drms, strength
from sandtable.games.asl.fire.bursts import lane_ends
from sandtable.games.asl.fire.crews import prc_drm
from sandtable.games.asl.fire.morale import lose
from sandtable.games.asl.fire.protection import gunshield
from sandtable.games.asl.los.cover import covers
from sandtable.games.asl.los.screens import Screens, screened, vehicle
from sandtable.games.asl.los.sight import Sightlines
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.ordnance import to_hit, weapons
from sandtable.games.asl.ordnance.acquisition import is_moving
from sandtable.games.asl.table.ids import (
    APH,
    DISPERSED,
    F_ADVANCE,
    F_AT_MINES,
    F_CLEAR_ROLL,
    F_COMBATS,
    F_FIRE,
    F_MOVES,
    F_ROUTS,
    FINAL,
    FULL,
    LLMC,
    MPH,
    RTPH,
)
from sandtable.games.asl.table.smoke import clouds
from sandtable.games.asl.table.state import Melee, State
from sandtable.games.asl.table.weather import HEAVY, MILD, NO_WIND
from sandtable.games.asl.turn import victory
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.games.asl.turn.ending import far
from sandtable.games.asl.turn.labour import ClearAt, FireAt, dig_drm, dismantle
from sandtable.games.asl.turn.routs import RoutsAt
from sandtable.games.asl.vehicles.fields import AtMinesAt
from sandtable.games.asl.vehicles.points import astray, distance_home

from ..infantrykit import (
    ALLIED,
    AXIS,
    CCPH,
    FOE,
    FOE2,
    HMG,
    LEADER,
    OTHER_LEADER,
    ROSTER,
    SQUAD,
    SQUAD2,
    SQUAD3,
    H,
    U,
    attack,
    bits,
    desert,
    do,
    give,
    legal,
    place,
    rallying,
    roll,
    settle,
    side_of,
)
from ..infantrykit import drms as attack_drms
from ..infantrykit import moving as moving_phase
from ..infantrykit import rule as held_by
from ..kit import blocked_by, ground, hill, hillock, look, spot
from ..ordnancekit import gun
from ..vehiclekit import NNE, Desk, W

rule = partial(pytest.mark.rule, "asl")
SQUAD4 = "br_457#4"


# LOS


@rule("A6.3a")
def test_a_depression_two_hexes_away_takes_two_levels() -> None:
    field = ground({"M5": {"forms": {"wadi"}}, **hill(1, "M3")})
    assert blocked_by(field, "M5 in", "M7") == "A6.3a"  # one level above the bottom, two hexes away
    assert look(field, "M5 in", "M3").clear


@rule("F4.4b")
def test_dug_in_inside_a_deir_it_does_not_see_what_lies_lower_outside_its_lip() -> None:
    inside = {"forms": {"deir"}, "mass": "d", "level": 1}
    rim = {"forms": {"deir", "lip"}, "mass": "d", "level": 1}
    cells = {"M5": inside, "M4": rim}
    level = ground({**cells, **hill(1, "M3")}, [("M4", "M3", "lip", "M4")])
    assert look(level, "M5 dug", "M3").clear  # the hex that the lip hexside forms
    assert blocked_by(ground(cells, [("M4", "M3", "lip", "M4")]), "M5 dug", "M3") == "F4.4b"  # a level below


# Fire


@rule("A5.12")
def test_half_a_squad_too_many_draws_fire_as_a_whole_one() -> None:
    s = desert()
    place(s, [SQUAD, SQUAD2, SQUAD3, SQUAD4], "M5")
    s.type[U(SQUAD4)] = ROSTER.type_of["br_247"]
    place(s, FOE, "P5")
    attack(s, AXIS, "M5")
    assert attack_drms(do(s, f"join {FOE}", "commit")) == -1


@rule("A8.2")
def test_what_hinders_on_the_way_lowers_residual_fp() -> None:
    for terrain, left in (("open", 2), ("brush", 1)):
        s = desert({"P5": {"terrain": terrain}})
        place(s, SQUAD, "M5")
        place(s, [FOE, FOE2], "R5")
        moving_phase(s)
        do(s, f"move {SQUAD}", "to N5", f"join {FOE}", f"join {FOE2}", "commit")
        roll(s, 6, 5)
        assert s.residual == {H("N5"): left}  # 6 FP


@rule("A8.3")
def test_nobody_fires_again_past_a_nearer_enemy() -> None:
    for near, may in (("P6", False), ("M9", True)):
        s = desert()
        place(s, SQUAD, "M5")
        place(s, SQUAD2, near)
        place(s, FOE, "R5")
        s.fired = bits(FOE)
        moving_phase(s)
        do(s, f"move {SQUAD}", "to N5")
        assert (side_of(s) == "axis") == may
        if may:
            assert f"join {FOE}" in legal(s)


@rule("A9.22")
def test_a_machine_gun_that_fires_again_lays_no_fire_lane() -> None:
    s = desert(phasing=ALLIED)
    place(s, FOE, "M9")
    give(s, HMG, FOE)
    place(s, SQUAD, "L6")
    s.fired = bits(HMG)
    moving_phase(s)
    do(s, f"move {SQUAD}", "to M6", f"use {HMG}")
    assert s.attack is not None
    assert lane_ends(s, s.attack) == []
    assert held_by(s, "lane M4") == "A9.22"


@rule("A10.2")
def test_the_loss_of_a_leader_is_felt_by_those_of_the_same_morale() -> None:
    s = desert()
    place(s, [SQUAD, OTHER_LEADER], "M5")
    s.type[U(SQUAD)] = ROSTER.type_of["br_458"]
    assert s.kind(U(SQUAD)).morale == s.kind(U(OTHER_LEADER)).morale
    lose(s, U(OTHER_LEADER), "A7.301")
    assert [(f.unit, f.kind) for f in s.stack[1:]] == [(U(SQUAD), LLMC)]


# Advance, rout, rally


@rule("A11.6")
def test_nobody_fears_a_tank_that_he_does_not_know() -> None:
    t = Desk(field=ground(), phasing=ALLIED)
    t.put("ge_pz3g#1", "Q4", NNE, concealed=True)
    t.put("br_457#1", "Q5")
    t.s.phase = APH
    t.settle(AdvanceAt(F_ADVANCE)).do("advance br_457#1 Q4")
    assert t.where("br_457#1") == "Q4"


def routing(s: State) -> State:
    s.phase = RTPH
    s.broken = s.dm = bits(SQUAD)
    s.stack.append(RoutsAt(F_ROUTS, ALLIED))
    settle(s)
    do(s, f"rout {SQUAD}")
    return s


@rule("A10.51")
def test_a_router_may_keep_its_distance_but_not_come_beside_another_enemy() -> None:
    s = desert()
    place(s, SQUAD, "N5")
    place(s, FOE, "P5")
    ways = {text.split()[1] for text in legal(routing(s)) if text.startswith("to ")}
    assert {"N4", "M5"} <= ways  # N4 is as far from the enemy as N5
    for other, edition, may in (("Z9", 3, True), ("N2", 2, False), ("N2", 3, True)):
        s = desert(hill(1, "N3"))
        s.edition = edition  # by the third version it may, because it can leave N3 at once
        place(s, SQUAD, "N4")
        place(s, FOE, "N7")
        place(s, FOE2, other)  # from N2 it does not see N4 past the hill
        ways = {text.split()[1] for text in legal(routing(s)) if text.startswith("to ")}
        assert ("N3" in ways) == may


@rule("A10.63")
def test_only_the_phasing_side_has_an_mmc_that_rallies_itself() -> None:
    s = desert(phasing=AXIS)
    place(s, SQUAD, "M5")
    s.broken = bits(SQUAD)
    rallying(s, ALLIED)
    assert held_by(s, f"rally {SQUAD}") == "A10.63"


# Close Combat


@rule("A11.2", "A7.8")
def test_whoever_is_pinned_does_not_withdraw() -> None:
    s = desert()
    place(s, [SQUAD, SQUAD2, FOE], "M5")
    s.melee, s.pinned = bits(SQUAD, SQUAD2, FOE), bits(SQUAD)
    s.phase = CCPH
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    settle(s)
    assert f"withdraw {SQUAD2} N5" in legal(s)
    assert held_by(s, f"withdraw {SQUAD} N5") == "A11.2"


@rule("A11.11", "A7.8")
def test_the_pinned_fight_at_half_strength() -> None:
    s = desert()
    place(s, [SQUAD, LEADER], "M5")
    assert (strength(s, U(SQUAD)), strength(s, U(LEADER))) == (4, 1)
    s.pinned = bits(SQUAD)
    assert strength(s, U(SQUAD)) == 2


@rule("A11.1")
def test_a_leader_who_attacks_alone_leads_nobody() -> None:
    s = desert()
    place(s, [SQUAD, LEADER, FOE], "M5")
    alone = Melee(hex=H("M5"), side=ALLIED, attackers=bits(LEADER))
    assert drms(s, alone, bits(FOE)) == []
    led = Melee(hex=H("M5"), side=ALLIED, attackers=bits(LEADER, SQUAD))
    assert [(value, rule) for value, rule, _ in drms(s, led, bits(FOE))] == [(-1, "A11.1")]


# Ordnance, vehicles, rocks


@rule("C.8")
@pytest.mark.parametrize(("mp", "case"), [(1, "J2"), (1.5, "J1"), (2, "J1"), (3, "J1"), (3.5, "J")])
def test_how_long_a_moving_target_has_been_in_sight(mp: float, case: str) -> None:
    found = to_hit.cases(to_hit.Shot(gun("ge_at50"), to_hit.VEHICLE, 10, weapons.AP, moving=True, mp_in_los=mp))
    assert [one.case for one in found] == [case]


@rule("D2.401")
def test_what_was_spent_out_of_sight_does_not_rouse_a_vehicle() -> None:
    field = ground(hill(1, *(f"{c}6" for c in "LMNOPQRSTU")))
    t = Desk(field=field, phasing=ALLIED).under(vehicle_dust=False)
    t.put("ge_pz3g#1", "Q3", NNE)
    t.put("br_457#1", "Q8")
    t.s.phase = MPH
    t.settle(MovesAt(F_MOVES)).do("move br_457#1", "to Q7")
    while t.who == "axis":
        t.do("hold")
    t.do("to Q6")  # uphill: the ground twice
    assert t.who == "axis"
    t.do("rouse ge_pz3g#1 nne")
    assert t.s.move is not None
    assert t.s.move.spent > t.s.move.here
    number, panzer = t.s.move.here // 2, t.unit("ge_pz3g#1")
    other = t.s.copy()
    assert next(one for one in t.roll(6) if one.kind == "roused").data["number"] == number
    t.s = other
    t.roll(1)
    assert t.has("motion", "ge_pz3g#1")
    t.s.motion = 0
    assert is_moving(t.s, panzer), "it was in Motion in this Player Turn (C.8)"


@rule("D5.31", "D6.2")
def test_riders_have_no_armour_before_them() -> None:
    t = Desk(field=ground(), phasing=ALLIED)
    t.put("br_stu1#1", "Q5", NNE, exposed=True)
    rider = t.board("br_457#1", "br_stu1#1", rides=True)
    assert prc_drm(t.s, rider) == 0
    assert prc_drm(t.s, t.unit("br_stu1#1")) == 2


@rule("F3.31c", "F7.31c")
def test_a_truck_of_four_tons_is_heavy() -> None:
    assert Wheels("truck", 4.0).heavy_truck
    assert not Wheels("truck", 3.9).heavy_truck
    assert not Wheels("truck", 4.0, british_made=True).heavy_truck


@rule("C11.5", "A7.5")
def test_a_gunshield_helps_against_all_who_fire_if_one_of_them_fires_through_its_arc() -> None:
    """A7.5 the largest DRM of any member of a Fire Group applies to all; before version 5 all had to be in front."""
    t = Desk("s08_totensonntag", phasing=AXIS, field=ground())
    t.put("br_at57#1", "Q5", W)
    crew = t.put("br_228#1", "Q5")
    t.s.holder[t.unit("br_at57#1")] = crew
    front, flank = t.hex("N5"), t.hex("Q2")
    assert gunshield(t.s, [front], crew) is not None
    assert gunshield(t.s, [front, flank], crew) is not None
    assert gunshield(t.s, [flank], crew) is None
    t.s.edition = 4
    assert gunshield(t.s, [front, flank], crew) is None


# Concealment and victory


@rule("A12.12")
def test_outside_cover_one_hides_beyond_sixteen_hexes() -> None:
    for where, away in (("X5", False), ("Y5", True)):
        s = desert()
        place(s, SQUAD, "H5")
        place(s, FOE, where)
        assert far(s, U(SQUAD)) == away
        s.hip = bits(FOE)
        assert far(s, U(SQUAD))


@rule("A26.2")
def test_an_abandoned_vehicle_is_nobody_s_and_a_captured_gun_is_lost() -> None:
    t = Desk("s08_totensonntag", phasing=AXIS, field=ground())
    t.put("br_crus2#1", "Q5", NNE)
    t.put("br_crus2#2", "R5", NNE, abandoned=True)
    t.put("br_crus2#3", "S5", NNE, wreck=True)
    assert victory.present(t.s, ALLIED, t.stage.grid.all) == t.bit("br_crus2#1")
    t.put("br_at57#1", "T5", W)
    own, foe = t.put("br_228#1", "T5"), t.put("ge_467#1", "T5")
    gun_ = t.unit("br_at57#1")
    t.s.holder[gun_] = own
    assert victory.lost_for_good(t.s, 1 << gun_) == 0
    t.s.holder[gun_] = foe
    assert victory.lost_for_good(t.s, 1 << gun_) == 1 << gun_


@rule("A26.2")
def test_more_points_are_more_and_not_as_many() -> None:
    s = desert()
    goal = {"type": "vp_compare", "more": "allied"}
    s.lost_points = [4, 4]
    assert not victory.vp_compare(s, goal).met
    s.lost_points = [5, 4]
    assert victory.vp_compare(s, goal).met


@rule("D5.341")
def test_a_recalled_vehicle_may_keep_its_distance_from_home() -> None:
    """AMB-101 no hex that is farther."""
    t = Desk(field=ground(), phasing=ALLIED)
    u = t.put("br_stu1#1", "Q5", NNE, recalled=True)
    here, side = t.hex("Q5"), ALLIED
    spans = {n: distance_home(t.s, n, side) - distance_home(t.s, here, side) for _, n in t.stage.grid.neighbours[here]}
    assert {-1, 0, 1} <= set(spans.values())
    assert {n for n in spans if astray(t.s, u, here, n)} == {n for n, more in spans.items() if more > 0}


# Climbing


@rule("B11.4")
@pytest.mark.parametrize(("dice", "there"), [((4, 5), True), ((5, 5), False), ((5, 6), False)])
def test_a_climb_succeeds_up_to_nine(dice: tuple[int, int], there: bool) -> None:
    s = desert(hill(1, "N5"), [("M5", "N5", "cliff")])
    place(s, SQUAD, "M5")
    moving_phase(s)
    do(s, f"move {SQUAD}", "climb N5")
    roll(s, *dice)
    assert s.at[U(SQUAD)] == H("N5" if there else "M5")


# SMOKE


@rule("A24.61")
def test_smoke_drifts_in_a_mild_breeze_alone() -> None:
    for wind, drifts in ((NO_WIND, False), (MILD, True), (HEAVY, False)):
        s = desert()
        s.smoke = {H("M5"): 1 << 2 * FULL}
        s.wind, s.toward = wind, 1
        assert (clouds(s) != s.smoke) == drifts
        if drifts:
            assert clouds(s) == {**s.smoke, H("M4"): 1 << 2 * DISPERSED}


# Hillocks


@rule("F6.5a")
def test_a_hillock_protects_whoever_is_half_a_level_below_it() -> None:
    firer, target = ("M1", "M5")
    for summit, protects in ((False, True), (True, False)):
        field = ground(hillock("a", summit=["M4"]) if summit else hillock("a", "M4"))
        found = covers(Sightlines(field), spot(field, firer), spot(field, target))
        assert [one.rule for one in found] == (["F6.5a"] if protects else [])


# Vehicles in the way, and mines beneath them


@rule("D9.4")
def test_a_vehicle_hinders_a_line_through_its_hex_and_none_along_its_side() -> None:
    field = ground()
    lines, wreck = Sightlines(field), Screens([vehicle(field, field.hex("D1.M5"))])
    assert screened(lines, spot(field, "M8"), spot(field, "M2"), wreck).hindrance == 1
    assert screened(lines, spot(field, "P4"), spot(field, "J4"), wreck).hindrance == 0  # between M4 and M5


@rule("B28.5")
def test_a_t_mines_meet_the_aerial_armour() -> None:
    t = Desk(field=ground(), phasing=ALLIED)
    u = t.put("br_mat2#1", "Q5", NNE)
    made = t.s.kind(u).vehicle
    assert made is not None
    assert made.aerial
    t.settle(AtMinesAt(F_AT_MINES, u))
    assert next(one for one in t.roll(3, 4) if one.kind == "attack_rolled").data["drm"] == made.aerial


@rule("B28.5")
def test_a_t_mines_destroy_a_truck_whatever_the_dice_say() -> None:
    t = Desk(field=ground(), phasing=ALLIED)
    u = t.put("br_3ton#1", "Q5", NNE)
    t.settle(AtMinesAt(F_AT_MINES, u))
    t.roll(6, 5)
    assert t.has("wreck", "br_3ton#1")
    tank = Desk(field=ground(), phasing=ALLIED)
    tank.settle(AtMinesAt(F_AT_MINES, tank.put("br_mat2#1", "Q5", NNE)))
    tank.roll(6, 5)
    assert tank.has("immobile", "br_mat2#1")


@rule("B27.11")
def test_earlier_labour_helps_only_so_much() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    worst = int(s.stage.pack.tables["fortifications"]["foxhole"]["dig_drm_labor_min"])
    for failed, drm in ((1, -1), (-worst, worst), (1 - worst, worst)):
        s.dug = {H("M5"): failed}
        assert [value for value, rule, text in dig_drm(s, U(SQUAD)) if str(text) == "earlier labour"] == [drm]


@rule("F.1B", "F7.421")
def test_digging_in_sand_is_no_harder_for_the_desert() -> None:
    for terrain, rules in (("open", ["F.1B"]), ("sand", [])):
        s = desert({"M5": {"terrain": terrain}})
        place(s, SQUAD, "M5")
        assert [rule for _, rule, _ in dig_drm(s, U(SQUAD))] == rules


@rule("B28.7")
def test_a_leader_helps_to_clear_mines() -> None:
    for leader, steps in ((False, 12), (True, 8)):
        s = desert()
        mines = "axis_known_minefield_ap#1"
        place(s, mines, "M5")
        s.strength[U(mines)] = 12
        place(s, SQUAD, "M5")
        if leader:
            place(s, LEADER, "M5")
        s.stack.append(ClearAt(F_CLEAR_ROLL, U(SQUAD), U(mines)))
        settle(s)
        roll(s, 1, 2)  # 3: with the leader 2
        assert s.strength[U(mines)] == steps


@rule("A9.8")
def test_a_weapon_that_was_taken_apart_has_fired_for_good() -> None:
    s = desert()
    place(s, FOE, "M9")
    give(s, HMG, FOE)
    dismantle(s, FireAt(F_FIRE, AXIS, FINAL), U(HMG))
    assert s.apart & s.fired & s.spent_fire & bits(HMG)
