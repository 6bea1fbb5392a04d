"""Where one rule ends and the next begins: the corner of the map, the piece that is spared, the mark that stays off."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from pathlib import Path

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.engine.packs import PackError
from sandtable.games.asl.boards.art import BoardArt
from sandtable.games.asl.boards.layout import lay_out
from sandtable.games.asl.boards.locations import Place, Spot
from sandtable.games.asl.boards.pack import asl_pack
from sandtable.games.asl.combat.charges import Hull
from sandtable.games.asl.fire.group import now_of
from sandtable.games.asl.fire.morale import CheckAt, WoundAt
from sandtable.games.asl.fire.mounts import marked as mark_mounts
from sandtable.games.asl.fire.mounts import shut_in
from sandtable.games.asl.fire.protection import beside_armour, ground_tem, gunshield
from sandtable.games.asl.fire.snipers import SniperWoundAt
from sandtable.games.asl.game import GAME
from sandtable.games.asl.los.art import _sheet
from sandtable.games.asl.los.screens import Screens, smoke, vehicle
from sandtable.games.asl.los.tables import SightTable
from sandtable.games.asl.los.veils import Veils
from sandtable.games.asl.movement.watch import Watch, WatchAt
from sandtable.games.asl.ordnance.aim import IFE, facing, shot_of, tube_of
from sandtable.games.asl.ordnance.batteries import accuracy_terms
from sandtable.games.asl.ordnance.effects import rapid_fp
from sandtable.games.asl.ordnance.to_hit import INFANTRY
from sandtable.games.asl.ordnance.weapons import HE
from sandtable.games.asl.table.counters import WEAPON
from sandtable.games.asl.table.hardware import BMG, CMG, MA
from sandtable.games.asl.table.ids import (
    ADVANCING,
    APH,
    F_ADVANCE,
    F_CHARGES,
    F_DRIVER,
    F_FIRE,
    F_HULL,
    F_MUD,
    F_SNIPER_WOUND,
    F_WATCH,
    GONE,
    PREP,
    UNDER_FOXHOLE,
    UNDER_SANGAR,
)
from sandtable.games.asl.table.state import Attack, Move, Shoot, put
from sandtable.games.asl.table.works import room
from sandtable.games.asl.turn import bores
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.games.asl.turn.fires import FireAt
from sandtable.games.asl.vehicles.driver import Driver
from sandtable.games.asl.vehicles.driving import DriverAt
from sandtable.games.asl.vehicles.risks import Mud, MudAt
from sandtable.games.asl.works.blast import SET, BlastAt, ChargesAt, HullAt
from sandtable.mechanics.masks import units_of

from ..infantry.test_infantry_special import lane
from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    HMG,
    LEADER,
    LMG,
    ROSTER,
    SQUAD,
    H,
    U,
    attack,
    bits,
    column,
    desert,
    do,
    give,
    moving,
    place,
    roll,
    settle,
)
from ..infantrykit import kinds as kinds_of
from ..infantrykit import rule as rule_of
from ..kit import blocked_by, filled, ground
from ..ordnance.ordnanceshotskit import FOE_GUN, aimed
from ..ordnance.ordnanceshotskit import desk as gun_desk
from ..vehiclekit import NNE, SSW, Desk, E, W, kinds, on_ground
from ..vehicles.test_vehicle_combat import TANK as CC_TANK
from ..vehicles.test_vehicle_combat import desk as cc_desk
from ..vehicles.test_vehicle_combat import fighting
from ..vehicles.test_vehicle_rims import TANK as RIM_TANK
from ..vehicles.test_vehicle_rims import at as at_rim
from ..vehicles.test_vehicle_rims import desk as rim_desk

FOE_SQUAD = "br_457#1"

marked = partial(pytest.mark.rule, "asl")


# The first hex of the map is a hex like any other


@marked("F5.3a")
def test_a_fascine_bridges_a_cliff_to_the_first_hex_of_the_map() -> None:
    field = ground({"A2": {"forms": {"wadi"}}}, [("A2", "A1", "wadi_cliff", "A1")])
    a1, a2 = field.hex("D1.A1"), field.hex("D1.A2")
    assert a1 == 0
    d = field.grid.direction(a2, a1)
    assert field.side("wadi_cliff", a2, d)
    bridged = field.bridged({a2: 1 << d})
    assert not bridged.side("wadi_cliff", a2, d)
    assert not bridged.side("wadi_cliff", a1, (d + 3) % 6)
    assert bridged.accessible(a2) & 1


@marked("A14.3")
@pytest.mark.parametrize(("die", "wounded"), [(1, True), (2, False), (6, False)])
def test_a_sniper_wounds_a_pinned_leader_only_on_a_1(die: int, wounded: bool) -> None:
    s = desert()
    put(s, U(LEADER), 0)
    s.stack.append(SniperWoundAt(F_SNIPER_WOUND, U(LEADER)))
    settle(s)
    roll(s, die)
    assert isinstance(s.stack[-1], WoundAt) is wounded


@marked("D8.23")
def test_mud_is_rolled_for_what_still_moves_even_in_the_first_hex() -> None:
    d = Desk(field=ground())
    u = d.put("br_crus1#1", "A1", NNE)
    assert d.s.at[u] == 0
    f = MudAt(F_MUD, u, 1, 6)
    assert Mud().actor(d.s, f) == CHANCE
    assert Mud().actor(d.s, f._replace(ways=0)) is None, "it cannot bog"
    for mark in ("immobile", "bogged", "wreck"):
        before = getattr(d.s, mark)
        setattr(d.s, mark, before | 1 << u)
        assert Mud().actor(d.s, f) is None, mark
        setattr(d.s, mark, before)


@marked("A3.7")
def test_men_advance_into_the_first_hex_of_the_map() -> None:
    s = desert(phasing=ALLIED)
    name = s.stage.field.name(0)
    beside = next(n for _, n in s.stage.grid.neighbours[0])
    put(s, U(SQUAD), beside)
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    settle(s)
    assert GAME.why_not(s, GAME.parse(f"advance {SQUAD} {name}")) is None
    do(s, f"advance {SQUAD} {name.removeprefix('D1.')}")
    assert s.at[U(SQUAD)] == 0


@marked("C7.346")
def test_a_charge_lies_on_a_tank_in_the_first_hex_of_the_map() -> None:
    d = Desk(field=ground())
    u = d.put("br_crus1#1", "A1", NNE)
    f = HullAt(F_HULL, u, 0, SET, 5, 7)
    assert Hull(0).actor(d.s, f) == CHANCE
    d.s.wreck |= 1 << u
    assert Hull(0).actor(d.s, f) is None


# Who is spared


@marked("C11.4")
def test_a_gun_that_nobody_mans_is_only_stopped_by_a_k() -> None:
    d = gun_desk()
    d.put(FOE_GUN, "R5", W)
    aimed(d, "at-infantry R5", "load HE", "shoot")
    d.roll(3, 2)
    assert "jammed" in kinds(d.roll(1, 2))
    assert d.where(FOE_GUN) == "R5"
    assert d.has("jammed", FOE_GUN)


@marked("C11.5")
def test_the_shield_helps_the_crew_and_not_the_gun_itself() -> None:
    d = gun_desk()
    g = d.put(FOE_GUN, "R5", W)
    assert gunshield(d.s, [d.hex("N5")], g) is None


@marked("A7.308", "D5.6")
def test_those_beside_a_truck_that_is_destroyed_take_the_result() -> None:
    """The crew stands beside the truck; nobody is aboard."""
    d = Desk(field=ground(), phasing=AXIS)
    truck, crew = "br_15cwt#2", "br_228#1"
    assert d.unit(crew) == d.unit(truck) + 1
    d.put("ge_467#1", "Q5")
    d.put(truck, "Q2")
    d.put(crew, "Q2")
    d.settle(FireAt(F_FIRE, AXIS, PREP)).do("fire Q2", "join ge_467#1", "commit")
    events = d.roll(1, 3)
    assert "destroyed" in kinds(events)
    assert [one.unit for one in d.s.stack if isinstance(one, CheckAt)] == [d.unit(crew)], "its own Morale Check"


@marked("A23.3")
@pytest.mark.parametrize("mark", ["broken", "pinned"])
def test_a_charge_is_not_set_off_by_who_is_broken_or_pinned(mark: str) -> None:
    s = desert()
    place(s, SQUAD, "M5")
    give(s, "br_dc#1", SQUAD)
    place(s, FOE, "N5")
    setattr(s, mark, bits(SQUAD))
    s.charges = {U("br_dc#1"): H("N5")}
    s.stack.append(ChargesAt(F_CHARGES))
    settle(s)
    assert not any(isinstance(one, BlastAt) for one in s.stack), "nothing goes off"
    assert not s.charges
    assert s.holder[U("br_dc#1")] == U(SQUAD), "it is his again"
    assert not isinstance(s.stack[-1], ChargesAt)
    assert s.at[U("br_dc#1")] == H("M5")


# Marks and words


@marked("A9.22")
def test_only_who_lays_a_fire_lane_has_one() -> None:
    s = lane()
    do(s, "to M6", f"use {HMG}", "commit")
    assert "fire_lane" not in kinds_of(roll(s, 6, 4))
    assert s.lanes == {}
    jams = lane()
    do(jams, "to M6", f"use {HMG}", "lane M4", "commit")
    found = kinds_of(roll(jams, 6, 6))
    assert "jammed" in found
    assert "fire_lane" not in found
    assert jams.lanes == {}


@marked("C8.9")
def test_the_other_shell_flies_with_the_same_dice() -> None:
    d = gun_desk()
    d.put("br_crus1#1", "P5", W)
    aimed(d, "at-vehicle br_crus1#1", "load APCR", "shoot")
    d.roll(3, 3)
    assert "to_hit" in kinds(d.do("load AP"))


@marked("B.5")
def test_the_tem_of_a_building_names_its_rule() -> None:
    s = desert(filled("building_stone", "M5"))
    place(s, SQUAD, "M5")
    found = ground_tem(s, U(SQUAD))
    assert found is not None
    assert (found.value, found.rule) == (3, "B23")


@marked("A11.5", "A11.51")
def test_the_odds_against_a_vehicle_are_one_in_all() -> None:
    t = fighting(cc_desk(FOE_SQUAD))
    odds = GAME.odds(t.s, GAME.parse(f"grapple {FOE_SQUAD} {CC_TANK}"))
    assert odds is not None
    assert sum(chance for _, chance in odds.results) == 1
    assert {str(word): chance * 36 for word, chance in odds.results}["burning"] == 1, "CCV 5: a 2 burns"


@marked("F5.42a", "D8.2")
def test_a_vehicle_that_bogs_on_its_way_to_the_rim_does_not_get_there() -> None:
    t = rim_desk("R4", SSW, motion=True)
    assert t.s.move is not None
    t.s.move.rim = 1
    t.s.bogged |= t.bit(RIM_TANK)
    Driver().run(t.s, DriverAt(F_DRIVER))
    assert t.s.move is None, "its move is over, without the Stop at the rim"
    assert at_rim(t)[0] == Place.GROUND


@marked("F12.2a")
def test_a_map_with_an_unknown_overlay_says_so() -> None:
    with pytest.raises(PackError) as error:
        lay_out(asl_pack(), {"boards": [{"id": "D1"}], "overlays": [{"id": "QQ9", "board": "D1", "hex1": "M5"}]})
    assert (error.value.file, error.value.line) == ("map", 0)
    assert error.value.fault == "there is no overlay QQ9"


@marked("A12.11")
def test_dummies_are_the_pieces_that_are_printed_so() -> None:
    names = {ROSTER.names[u] for u in units_of(ROSTER.dummies)}
    assert names
    assert names == {one for one in ROSTER.names if "_dummy#" in one}


@marked("F13.4a", "A6.21")
def test_inherent_terrain_is_met_along_its_hexside() -> None:
    """M5 to O5 runs along the side that N4 and N5 share."""
    assert blocked_by(ground(filled("cactus_patch", "N5")), "M5", "O5") == ""
    assert blocked_by(ground(filled("cactus_patch", "N5", inherent=True)), "M5", "O5") == "A6.21"
    assert blocked_by(ground(filled("cactus_patch", "N4", inherent=True)), "M5", "O5") == "A6.21"


@marked("D3.5")
def test_the_turret_turns_with_the_coaxial_mg_alone() -> None:
    for mg, turns in ((BMG, False), (CMG, True)):
        d = Desk(field=ground(), phasing=ALLIED)
        u = d.put("br_crus1#1", "Q5", NNE)
        mark_mounts(d.s, Attack(fire=PREP, side=ALLIED, target=d.hex("N5"), vehicle=u, mgs=mg), 6, 7)
        assert (d.s.tca[u] != NNE) is turns


@marked("D3.5")
def test_nobody_mans_the_aamg_of_a_tank_that_is_shut() -> None:
    d = Desk(field=ground())
    u = d.put("br_grant#1", "Q5", NNE)
    assert shut_in(d.s, u)
    d.s.exposed |= 1 << u
    assert not shut_in(d.s, u)


@marked("C3.2", "D1.3")
def test_a_weapon_that_is_carried_faces_nowhere() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    give(s, "br_m51#1", SQUAD)
    tube = tube_of(s, U("br_m51#1"))
    assert tube is not None
    assert facing(s, U("br_m51#1"), tube) == -1


@marked("A7.1")
def test_the_lowest_column_is_told_as_it_is() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "M1")
    s.type[U(SQUAD)] = ROSTER.type_of["br_247"]
    s.pinned = bits(SQUAD)
    attack(s, ALLIED, "M1")
    do(s, f"join {SQUAD}")
    assert column(do(s, "commit")) == 1


# Who counts, and what with


@marked("A7.5")
def test_a_machine_gun_draws_in_those_beside_its_own_hex() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    give(s, LMG, SQUAD)
    place(s, FOE, "M1")
    attack(s, ALLIED, "M1")
    do(s, f"use {LMG}")
    assert now_of(s).joined == s.stage.grid.within(H("M5"), 1)


@marked("D2.4")
def test_the_last_tank_of_its_kind_fires_in_motion_as_others_do() -> None:
    """What follows it in the list of pieces is a radio."""
    d = Desk(field=ground(), phasing=AXIS)
    tank = d.put("ge_pz6e#1", "N5", E, motion=True)
    d.put("br_457#1", "R5")
    shoot = Shoot(fire=PREP, side=AXIS, gun=1 << tank, weapon=MA, hex=d.hex("R5"), type=INFANTRY, shell=HE)
    assert shot_of(d.s, shoot).motion


@marked("A9.72")
def test_a_weapon_is_lost_on_a_six_unless_its_counter_says_otherwise() -> None:
    assert {one.lost for one in ROSTER.types if one.kind == WEAPON} == {6}


@marked("A4.31")
def test_a_corner_of_the_first_hex_is_on_the_map() -> None:
    s = desert(phasing=ALLIED)
    beside = next(n for _, n in s.stage.grid.neighbours[0])
    put(s, U(SQUAD), beside)
    moving(s)
    do(s, f"move {SQUAD}")
    found = GAME.why_not(s, GAME.parse(f"bypass {s.stage.field.name(0)} nne"))
    assert found is not None
    assert str(found.why) != "it is not on the map"


@marked("C1.3")
def test_an_observer_on_the_map_has_the_accuracy_of_his_battery() -> None:
    d = Desk("s08_totensonntag", phasing=AXIS)
    d.put("ge_ldr_9m1#1", "N5")
    d.give("ge_radio#1", "ge_ldr_9m1#1")
    sides = deepcopy(d.stage.sides)
    for group in sides[AXIS]["group"]:
        group.pop("observer", None)
    d.s.stage = d.stage = on_ground(d.stage.scenario, d.stage.field)
    d.stage.sides = sides
    german = next(one for one in d.stage.pack.tables["oba"]["module"] if one["nation"] == "german")
    first, *_ = accuracy_terms(d.s, AXIS, d.hex("R5"))
    assert (first.value, first.rule) == (str(german["accuracy_dr"]), "C1.3")


@marked("A7.25", "A3.5")
@pytest.mark.parametrize(("edition", "fp"), [(1, 3.0), (2, 6.0)])
def test_opportunity_fire_with_rapid_fire_is_whole_since_the_second_edition(edition: int, fp: float) -> None:
    d = gun_desk("ge_aa20#1")
    d.s.edition = edition
    d.s.waits |= d.bit("ge_228#1")
    d.put("br_457#1", "R5")
    shoot = Shoot(fire=ADVANCING, side=AXIS, gun=d.bit("ge_aa20#1"), weapon=MA, hex=d.hex("R5"), type=IFE)
    assert rapid_fp(d.s, shoot, d.unit("br_457#1")) == fp


@marked("F7.42c")
@pytest.mark.parametrize(("shell", "falls"), [("AP", False), ("HE", True)])
def test_solid_shot_undermines_no_foxhole(shell: str, falls: bool) -> None:
    """A Critical Hit of 88mm, and a KIA: the foxhole of sand falls to HE alone."""
    d = Desk("s08_totensonntag", phasing=AXIS, field=ground(filled("sand", "R5")))
    d.put("ge_228#1", "N5")
    d.put("ge_aa88#1", "N5", E)
    d.s.holder[d.unit("ge_aa88#1")] = d.unit("ge_228#1")
    squad = d.put("br_457#1", "R5")
    d.s.under[squad] = UNDER_FOXHOLE
    hole = d.put("allied_foxhole#1", "R5")
    d.s.strength[hole] = 1
    aimed(d, "at-infantry R5", f"load {shell}", "shoot", gun="ge_aa88#1")
    d.roll(1, 1)
    while d.who == "chance":
        d.roll(1) if len(GAME.legal(d.s)) <= 6 else d.roll(1, 1)
    assert d.s.at[squad] == GONE
    assert (d.s.at[hole] == GONE) is falls


@marked("F8.3d")
def test_a_squad_goes_beneath_for_a_gun_and_for_nobody_else() -> None:
    s = desert(phasing=AXIS)
    place(s, "axis_sangar#1", "M5")
    place(s, "it_346#2", "M5", UNDER_SANGAR)
    s.type[U("it_346#2")] = ROSTER.type_of["it_136"]
    place(s, FOE, "M5")
    moving(s)
    do(s, f"move {FOE}")
    assert room(s, H("M5"), UNDER_SANGAR, AXIS) == 1
    assert rule_of(s, "under") == "F8.3a"


@marked("C7.2")
@pytest.mark.parametrize(("dice", "burns"), [((1, 2), True), ((4, 4), False)])
def test_a_tank_burns_only_if_the_dice_say_so(dice: tuple[int, int], burns: bool) -> None:
    """TK# 9 against the hull: half of it or less burns."""
    d = gun_desk()
    d.put("br_crus2#1", "R5", W)
    aimed(d, "at-vehicle br_crus2#1", "load AP", "shoot")
    d.roll(4, 3)
    d.roll(*dice)
    assert d.has("wreck", "br_crus2#1")
    assert d.has("burning", "br_crus2#1") is burns


@marked("C6.4")
def test_a_gun_is_bore_sighted_to_the_end_of_its_range_and_no_farther() -> None:
    d = gun_desk()
    g = d.unit("ge_at50#1")
    tube = tube_of(d.s, g)
    assert tube is not None
    reach = 4
    inside = d.stage.grid.within(d.s.at[g], reach)
    edge = [h for h in d.stage.grid.hexes if inside >> h & 1 and not inside >> h + 1 & 1]
    beyond = [h for h in d.stage.grid.hexes if not inside >> h & 1 and inside >> h + 1 & 1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bores, "in_range", lambda s, u: inside)
        for hexes, out in ((edge, False), (beyond, True)):
            assert hexes
            for h in hexes:
                found = bores.fault(d.s, g, h)
                assert (found is not None and str(found.why) == "the hex is out of range") is out


@marked("A6.1")
def test_lines_that_were_kept_are_read_again(tmp_path: Path) -> None:
    field = ground(filled("building_stone", "M5"))
    table = SightTable(field, folder=tmp_path)
    rows = {(0, 0, h): bytes([h % 251]) * field.grid.size for h in (0, 7, 300)}
    table.kept().update(rows)
    table.keep()
    assert SightTable(field, folder=tmp_path).kept() == rows


@marked("A6.1")
def test_the_first_hex_of_the_map_is_not_seen_through_a_building() -> None:
    field = ground(filled("building_stone", "A2"))
    veils = Veils(SightTable(field), Screens([]))
    a1, a3, a4 = (field.hex(f"D1.{name}") for name in ("A1", "A3", "A4"))
    assert a1 == 0
    assert veils.among(Spot(a4), 0, 1 << a1 | 1 << a3) == 1 << a3


@marked("A2.1")
def test_the_corner_of_a_turned_board_is_the_last_pixel_of_its_art() -> None:
    art = BoardArt(4, 6, ((0, "open"),), bytes(24))
    for turned, corner in ((False, (0, 0)), (True, (3, 5))):
        (one,) = lay_out(asl_pack(), {"boards": [{"id": "D1", "rotated": turned}]}).placed
        sheet = _sheet(one, art)
        x, y = sheet.pixel(sheet.left, sheet.top)
        assert (int(x), int(y)) == corner


@marked("D9.3")
def test_who_rides_in_a_vehicle_is_not_beside_it() -> None:
    """Of two squads that follow each other in the list of pieces one is aboard."""
    d = Desk(field=ground())
    first, second = "br_457#1", "br_457#2"
    assert d.unit(second) == d.unit(first) + 1
    for aboard, afoot in ((first, second), (second, first)):
        t = Desk(field=ground())
        t.put("br_cara#1", "Q5", NNE)
        t.put(afoot, "Q5")
        t.board(aboard, "br_cara#1")
        assert beside_armour(t.s, t.unit(aboard)) is None
        assert beside_armour(t.s, t.unit(afoot)) is not None


@marked("A8.1")
def test_nobody_is_fired_at_when_nobody_moves() -> None:
    s = desert(phasing=ALLIED)
    put(s, 0, H("M5"))
    s.stack.append(WatchAt(F_WATCH, 1))
    Watch().run(s, WatchAt(F_WATCH, 1))
    assert s.attack is None
    assert not isinstance(s.stack[-1], WatchAt)


@marked("A8.1")
def test_a_mover_in_the_first_hex_of_the_map_is_fired_at() -> None:
    s = desert(phasing=ALLIED)
    put(s, U(SQUAD), 0)
    s.move = Move(movers=bits(SQUAD))
    s.stack.append(WatchAt(F_WATCH, 1))
    Watch().run(s, WatchAt(F_WATCH, 1))
    assert s.attack is not None
    assert (s.attack.target, s.attack.movers) == (0, bits(SQUAD))


@marked("A6.7", "A24.2")
def test_vehicles_lie_low_and_smoke_does_not() -> None:
    field = ground()
    ways = Veils(SightTable(field), Screens([]))._ways
    h = field.hex("D1.M5")
    assert ways.pile((vehicle(field, h),))[3]
    assert not ways.pile((smoke(field, h, 2, 2),))[3]
    assert not ways.pile((vehicle(field, h), smoke(field, h, 2, 2)))[3]


@marked("A7.308", "D5.6")
def test_those_aboard_a_truck_that_is_destroyed_take_crew_survival_alone() -> None:
    d = Desk(field=ground(), phasing=AXIS)
    d.put("ge_467#1", "Q5")
    d.put("br_15cwt#1", "Q2")
    d.board("br_228#1", "br_15cwt#1")
    d.settle(FireAt(F_FIRE, AXIS, PREP)).do("fire Q2", "join ge_467#1", "commit")
    assert "destroyed" in kinds(d.roll(1, 3))
    assert "survival" in kinds(d.roll(1, 1))
    assert d.where("br_228#1") == "Q2"
    assert not any(isinstance(one, CheckAt) for one in d.s.stack), "the 1MC of the attack is not for them"
