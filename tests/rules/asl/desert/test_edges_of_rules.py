"""The last hex, point and piece that a rule reaches: where one step more would break it unnoticed."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest

from sandtable.games.asl.boards.climate import arid_weather
from sandtable.games.asl.boards.layout import lay_out
from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.boards.pack import asl_pack
from sandtable.games.asl.boards.random_overlays import Half
from sandtable.games.asl.combat.armour import outcome as cc_outcome
from sandtable.games.asl.combat.close import CombatsAt
from sandtable.games.asl.fire.attack import encircle, shake_crews
from sandtable.games.asl.fire.bursts import lane_column, lane_drm, sprayed
from sandtable.games.asl.fire.crews import exposed_riders
from sandtable.games.asl.fire.group import nearer_enemy
from sandtable.games.asl.fire.ift import RESULTS
from sandtable.games.asl.fire.morale import weaken
from sandtable.games.asl.fire.mounts import mg_share
from sandtable.games.asl.fire.sights import smoke_in
from sandtable.games.asl.game import GAME
from sandtable.games.asl.los.answer import Los
from sandtable.games.asl.los.visibility import Air, in_dust
from sandtable.games.asl.movement.arrival import spy
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.movement.points import overfull
from sandtable.games.asl.ordnance.bursts import fired
from sandtable.games.asl.ordnance.effects import moving_drms
from sandtable.games.asl.ordnance.to_hit import VEHICLE
from sandtable.games.asl.ordnance.to_kill import BURNING, DESTROYED, SHOCK, TURRET, Armour, Strike, final, outcome
from sandtable.games.asl.ordnance.weapons import AP
from sandtable.games.asl.table import verbs
from sandtable.games.asl.table.captives import capture, room_for
from sandtable.games.asl.table.hardware import CMG
from sandtable.games.asl.table.ids import (
    APH,
    CCPH,
    F_ADVANCE,
    F_AT_MINES,
    F_CHARGES,
    F_COMBATS,
    F_MOVES,
    FINAL,
    FIRST,
    FULL,
    GONE,
    GRENADE,
    MPH,
    PREP,
    SUBSEQUENT,
    UNDER_FOXHOLE,
)
from sandtable.games.asl.table.state import Attack, Move, Shoot, put
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.games.asl.turn.labour import dig_drm
from sandtable.games.asl.turn.routs import RoutsAt, begin
from sandtable.games.asl.turn.victory import present
from sandtable.games.asl.vehicles.fields import AtMinesAt
from sandtable.games.asl.vehicles.points import buttoned_up
from sandtable.games.asl.works.blast import ChargesAt

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    LEADER,
    LMG,
    ROSTER,
    SQUAD,
    H,
    U,
    bits,
    desert,
    do,
    give,
    legal,
    place,
    roll,
    settle,
)
from ..infantrykit import rule as rule_of
from ..kit import filled, ground, look
from ..los.test_examples_los import deir_country
from ..ordnancekit import gun
from ..scenariokit import SCENARIOS
from ..vehiclekit import NNE, Desk

marked = partial(pytest.mark.rule, "asl")


@marked("A7.7")
@pytest.mark.parametrize(
    ("sides", "there"),
    [
        ((0,), False),
        ((0, 1), False),
        ((0, 2), False),
        ((0, 3), True),
        ((1, 4), True),
        ((5, 2), True),
        ((0, 1, 2), False),
    ],
)
def test_no_three_hexsides_in_a_row_are_free_of_attack(sides: tuple[int, ...], there: bool) -> None:
    s = desert()
    place(s, FOE, "M5")
    s.crossed[U(FOE)] = sum(1 << d for d in sides[:-1])
    grid, h = s.stage.grid, H("M5")
    far = grid.neighbour(grid.neighbour(h, sides[-1]), sides[-1])
    place(s, SQUAD, s.stage.field.name(far).removeprefix("D1."))
    encircle(s, bits(SQUAD), bits(FOE))
    assert bool(s.encircled) is there


@marked("A20.5")
def test_a_half_squad_holds_half_as_many_prisoners() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    s.type[U(SQUAD)] = ROSTER.type_of["br_247"]
    for i in (1, 2):
        place(s, f"it_346#{i}", "M5")
        assert room_for(s, U(SQUAD), U(f"it_346#{i}"))
        capture(s, U(f"it_346#{i}"), U(SQUAD), "A20.21")
    place(s, "it_346#3", "M5")
    assert not room_for(s, U(SQUAD), U("it_346#3"))
    s.type[U("it_346#3")] = ROSTER.type_of["it_136"]
    assert room_for(s, U(SQUAD), U("it_346#3"))


@marked("A6.3b", "A6.7")
def test_brush_on_the_bed_of_a_wadi_hinders_those_in_it() -> None:
    bed = {name: {"forms": {"wadi"}} for name in ("M4", "M5", "M6")}
    bed["M5"] = {"forms": {"wadi"}, "terrain": "brush"}  # type: ignore[dict-item]
    field = ground(bed, [("M4", "M5", "wadi"), ("M5", "M6", "wadi")])
    assert look(field, "M4 in", "M6 in").hindrance == 1


@marked("B.10", "F11.73b")
def test_six_hindrances_with_those_of_heavy_dust() -> None:
    air = Air(dust="heavy")
    assert in_dust(Los(10, None, ()), air, 5).clear, "5 of range"
    blocked = in_dust(Los(11, None, ()), air, 5)
    assert blocked.block is not None
    assert blocked.block.rule == "B.10"
    field = ground(filled("brush", "M5"))
    hindered = look(field, "M9", "M2")
    assert hindered.hindrance == 1
    assert in_dust(hindered._replace(range=8), air, 5).clear, "4 and 1"
    assert not in_dust(hindered._replace(range=9), air, 5).clear, "5 and 1"


@marked("F.1B", "B27.11")
def test_digging_is_as_elsewhere_where_there_is_no_desert() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    assert [one[:2] for one in dig_drm(s, U(SQUAD))] == [(2, "F.1B")]
    s.stage.field.desert &= ~(1 << H("M5"))
    assert not dig_drm(s, U(SQUAD))


@marked("A11.11", "A11.12")
def test_the_odds_of_close_combat() -> None:
    """4 against 3 is 1-1: below 5 in 6 of 36 ways, 5 in 4."""
    s = desert()
    place(s, [SQUAD, FOE], "M5")
    s.phase = CCPH
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    settle(s)
    do(s, f"join {SQUAD}")
    odds = GAME.odds(s, GAME.parse(f"strike {FOE}"))
    assert odds is not None
    assert [share for _, share in odds.results] == [Fraction(6, 36), Fraction(4, 36), Fraction(26, 36)]


@marked("A10.501", "A4.42")
def test_a_router_keeps_what_it_can_just_carry() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    held = ["br_lmg#1", "br_lmg#2", "br_lmg#3"]
    for weapon in held:
        give(s, weapon, SQUAD)
    assert sum(s.kind(U(weapon)).pp for weapon in held) == 3
    s.broken = bits(SQUAD)
    begin(s, RoutsAt(0, ALLIED), U(SQUAD))
    assert all(s.holder[U(weapon)] == U(SQUAD) for weapon in held)


@marked("A26.2")
def test_who_is_in_the_wadi_does_not_count_where_only_its_banks_do() -> None:
    s = desert({"M5": {"forms": {"wadi"}}})
    place(s, SQUAD, "M5", at=Place.IN)
    place(s, "br_457#2", "M6")
    where = 1 << H("M5") | 1 << H("M6")
    assert present(s, ALLIED, where) == bits(SQUAD, "br_457#2")
    assert present(s, ALLIED, where, in_wadi=False) == bits("br_457#2")


@marked("A12.33")
@pytest.mark.parametrize(
    ("terrain", "at", "found"), [("open", "H5", True), ("scrub", "H5", False), ("scrub", "J5", True)]
)
def test_hidden_entrenchments_are_seen_in_the_open_at_any_range(terrain: str, at: str, found: bool) -> None:
    s = desert(filled(terrain, "Z5"))
    place(s, "axis_sangar#1", "Z5")
    s.hip = bits("axis_sangar#1")
    place(s, SQUAD, at)
    assert (s.stage.grid.distance(H(at), H("Z5")) > 16) is (at == "H5")
    spy(s, bits(SQUAD))
    assert bool(s.hip) is not found


@marked("A9.5")
def test_spraying_fire_reaches_the_last_hex_of_normal_range() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    give(s, LMG, SQUAD)
    reach = s.kind(U(LMG)).range
    grid, h = s.stage.grid, H("M5")
    near = h
    for _ in range(reach - 1):
        near = grid.neighbour(near, 1)
    last, beyond = grid.neighbour(near, 1), grid.neighbour(near, 0)
    place(s, FOE, s.stage.field.name(near).removeprefix("D1."))
    place(s, "it_346#2", s.stage.field.name(last).removeprefix("D1."))
    attack = Attack(fire=PREP, side=ALLIED, target=near, weapons=bits(LMG))
    assert grid.distance(h, last) == reach
    assert last in sprayed(s, attack)
    assert beyond >= 0


@marked("F12.42b")
def test_half_boards_are_near_even_at_a_corner() -> None:
    boards = [{"id": "D1", "x": 0, "y": 0}, {"id": "D2", "x": 0, "y": 1}, {"id": "D3", "x": 0, "y": 2}]
    first, second, third = lay_out(asl_pack(), {"boards": boards}).placed
    assert Half(first, False).near(Half(second, True))
    assert Half(second, True).near(Half(first, False))
    assert not Half(first, False).near(Half(third, False))
    assert Half(first, True).near(Half(first, False))


@marked("A2.9")
def test_set_up_by_hand_waits_while_something_can_still_be_pointed() -> None:
    s = GAME.new(SCENARIOS["s02"], {})
    while True:
        placing = [one for one in GAME.legal(s) if one[0] == verbs.PLACE]
        if not placing:
            break
        GAME.apply(s, placing[0])
    assert GAME.to_act(s) == ALLIED
    assert any(one[0] == verbs.POINT for one in GAME.legal(s))
    foot = GAME.new(SCENARIOS["s01"], {})
    side = GAME.to_act(foot)
    assert side == AXIS
    while GAME.to_act(foot) == side and (placing := [one for one in GAME.legal(foot) if one[0] == verbs.PLACE]):
        GAME.apply(foot, placing[0])
    assert GAME.to_act(foot) != side, "nothing of it can be pointed"


@marked("F7.42c", "A23.3")
def test_a_charge_in_sand_undermines_the_foxhole() -> None:
    s = desert(filled("sand", "N5"))
    place(s, SQUAD, "M5")
    give(s, "br_dc#1", SQUAD)
    place(s, FOE, "N5", UNDER_FOXHOLE)
    place(s, "axis_foxhole#1", "N5")
    s.strength[U("axis_foxhole#1")] = 1
    s.charges = {U("br_dc#1"): H("N5")}
    s.stack.append(ChargesAt(F_CHARGES))
    settle(s)
    roll(s, 1, 1)
    assert s.at[U(FOE)] == GONE
    assert s.at[U("axis_foxhole#1")] == GONE, "the squad that it sheltered is lost to a KIA"


@marked("F4.52a", "F4.52b", "A9.221")
def test_a_fire_lane_into_a_deir_strikes_vehicles_and_passes_over_infantry() -> None:
    """From H south of the lip to a counter in the deir: between them a wreck would Hinder it, so it strikes a truck."""
    s = desert()
    s.stage.lay(deir_country())
    place(s, SQUAD, "M9")
    give(s, "br_mmg#1", SQUAD)
    mg = U("br_mmg#1")
    s.lanes = {mg: s.stage.field.hex("D1.M4")}
    truck = U("ge_opel#1")
    put(s, truck, s.stage.field.hex("D1.M6"))
    assert lane_column(s, mg, truck) >= 0
    place(s, FOE, "M6")
    assert lane_column(s, mg, U(FOE)) == -1
    assert not lane_drm(s, mg, s.stage.field.hex("D1.M5")), "a truck Hinders nothing"
    s.wreck |= 1 << truck
    assert [one.value for one in lane_drm(s, mg, s.stage.field.hex("D1.M5"))] == [1]
    over = desert()
    over.stage.lay(deir_country())
    place(over, SQUAD, "M9")
    give(over, "br_mmg#1", SQUAD)
    over.lanes = {mg: over.stage.field.hex("D1.M1")}
    put(over, truck, over.stage.field.hex("D1.M5"))
    assert lane_column(over, mg, truck) == -1, "from outside to outside it passes over the deir"


@marked("A4.72", "F13.3a", "A3.7")
def test_an_advance_that_takes_all_strength_is_for_who_is_fresh() -> None:
    s = desert(sides=[("M5", "M6", "hedge"), ("M5", "M6", "cactus")], phasing=ALLIED)
    place(s, [SQUAD, "br_457#2"], "M5")
    s.cx = bits("br_457#2")
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    settle(s)
    assert f"advance {SQUAD} M6" in legal(s)
    assert GAME.why_not(s, GAME.parse(f"advance {SQUAD} D1.M6")) is None
    assert rule_of(s, "advance br_457#2 M6") == "A4.72"
    assert "advance br_457#2 M4" in legal(s)
    do(s, f"advance {SQUAD} M6")
    assert s.cx >> U(SQUAD) & 1


@marked("A5.1")
def test_three_squads_and_four_single_men_are_no_crowd() -> None:
    s = desert()
    place(s, ["br_457#1", "br_457#2", "br_457#3"], "M5")
    assert not overfull(s, H("M5"), ALLIED)
    place(s, "br_457#4", "M5")
    assert overfull(s, H("M5"), ALLIED)
    men = desert()
    singles = [name for name in ROSTER.names if name.startswith(("br_ldr", "br_hero"))][:5]
    place(men, singles[:4], "M5")
    assert not overfull(men, H("M5"), ALLIED)
    place(men, singles[4], "M5")
    assert overfull(men, H("M5"), ALLIED)


@marked("A24.22")
def test_no_more_than_three_of_smoke_in_a_hex() -> None:
    s = desert()
    s.smoke[H("M5")] = 1 << 2 * GRENADE
    assert smoke_in(s, H("M5")) == 2
    s.smoke[H("M5")] |= 1 << 2 * FULL
    assert smoke_in(s, H("M5")) == 3
    assert smoke_in(s, H("M6")) == 0


@marked("C10.3")
def test_a_push_may_take_the_last_mf() -> None:
    d = Desk(field=ground(filled("sand", "M5")), phasing=ALLIED)
    gun, crew = "br_at40#1", "br_228#1"
    d.put(crew, "M6")
    d.put(gun, "M6", NNE)
    d.s.holder[d.unit(gun)] = d.unit(crew)
    d.s.phase = MPH
    d.settle(MovesAt(F_MOVES))
    d.do(f"move {crew}")
    assert f"push {gun} M5" in d.legal(), "4 MF: sand doubled"
    d.s.paces[d.unit(crew)] = 0
    assert d.s.move is not None
    d.s.move.spent = 1
    d.s.choices = None
    assert d.rule(f"push {gun} M5") == "C10.3"


@marked("D5.3", "F11.731b")
def test_who_is_buttoned_up() -> None:
    d = Desk(field=ground(), phasing=ALLIED)
    tank, carrier = d.put("br_crus1#1", "M5", NNE), d.put("br_cara#1", "M7", NNE)
    assert buttoned_up(d.s, tank)
    assert not buttoned_up(d.s, carrier), "an open-topped vehicle has no hatch to shut"
    d.s.exposed |= 1 << tank
    assert not buttoned_up(d.s, tank)


@marked("C10.1", "C10.2")
def test_a_gun_is_unhooked_facing_the_rear() -> None:
    d = Desk(field=ground(), phasing=ALLIED)
    d.put("br_3ton#1", "M5", 1)
    g = d.board("br_at40#1", "br_3ton#1")
    d.driving("br_3ton#1")
    d.do("unhook br_at40#1")
    assert d.s.vca[g] == 4


@marked("A3.2", "D3.5")
def test_a_vehicle_that_has_prep_fired_does_not_move_even_if_it_keeps_its_rof() -> None:
    for fire, held in ((PREP, True), (FINAL, False)):
        d = Desk(field=ground(), phasing=ALLIED)
        u = d.put("br_crus1#1", "M5", NNE)
        d.s.shoot = Shoot(fire=fire, side=ALLIED, gun=1 << u, hex=d.hex("M3"), type=VEHICLE)
        fired(d.s, d.s.shoot, True)
        d.s.shoot = None
        assert bool(d.s.fired >> u & 1) is held


@marked("B28.5")
@pytest.mark.parametrize(("dice", "mark"), [((1, 2), "wreck"), ((6, 6), "immobile")])
def test_anti_tank_mines_kill_or_stop(dice: tuple[int, int], mark: str) -> None:
    """36 FP with the Aerial AF: the last 1KIA destroys, one more immobilizes."""
    d = Desk(field=ground(), phasing=ALLIED)
    u = d.put("br_crus1#1", "M5", NNE)
    d.settle(AtMinesAt(F_AT_MINES, u))
    d.roll(*dice)
    assert d.has(mark, "br_crus1#1")
    last = Desk(field=ground(), phasing=ALLIED)
    v = last.put("br_crus1#1", "M5", NNE)
    made = last.s.kind(v).vehicle
    assert made is not None
    total = 6 - made.aerial  # 1KIA is the row of 6 on that column
    last.settle(AtMinesAt(F_AT_MINES, v))
    last.roll(total // 2, total - total // 2)
    assert last.has("wreck", "br_crus1#1")


@marked("C7.2")
@pytest.mark.parametrize(
    ("dice", "word"), [((1, 2), BURNING), ((2, 3), BURNING), ((3, 3), DESTROYED), ((4, 5), DESTROYED), ((5, 5), SHOCK)]
)
def test_half_of_the_tk_number_burns(dice: tuple[int, int], word: int) -> None:
    """TK# 10: up to 5 it burns, up to 9 it is destroyed, 10 shocks a turret."""
    strike = Strike(gun("ge_at37"), AP, 10, Armour(turret_front=0), location=TURRET)
    number = final(strike)
    strike = strike._replace(armour=Armour(turret_front=number - 10))
    assert final(strike) == 10
    assert outcome(strike, *dice) == word


@marked("A11.51")
def test_half_of_the_ccv_burns() -> None:
    assert [cc_outcome(5, n) for n in (1, 2, 3, 4, 5, 6)] == [
        "burning",
        "burning",
        "destroyed",
        "destroyed",
        "immobilized",
        "no effect",
    ]
    assert cc_outcome(4, 2) == "burning"


@marked("F11.2b")
def test_september_is_summer_and_october_is_not() -> None:
    pack = asl_pack()
    found = {month: arid_weather(pack, month, 9) for month in (4, 5, 9, 10, 11, 12)}
    assert found[4] == "Clear"
    assert found[5] == found[9] == "Clear with Gusts"
    assert found[10] == found[11] == "Overcast"
    assert found[12] == "Mud"


@marked("A7.21", "A7.2")
def test_the_machine_guns_of_a_vehicle_in_its_own_hex_are_tripled() -> None:
    d = Desk(field=ground(), phasing=ALLIED)
    u = d.put("br_crus1#1", "M5", NNE)
    made = d.s.kind(u).vehicle
    assert made is not None
    for where, factor in (("M5", 3.0), ("M4", 2.0), ("M1", 1.0)):
        attack = Attack(fire=PREP, side=ALLIED, target=d.hex(where), vehicle=u, mgs=CMG)
        assert mg_share(d.s, attack, u, CMG)[0] == made.cmg * factor


@marked("A8.3")
@pytest.mark.parametrize(("other", "barred"), [("M7", True), ("M8", False), ("M9", False)])
def test_subsequent_first_fire_goes_for_the_nearest_enemy(other: str, barred: bool) -> None:
    s = desert()
    place(s, SQUAD, "M5")
    place(s, FOE, "M8")
    place(s, "it_346#2", other)
    attack = Attack(fire=SUBSEQUENT, side=ALLIED, target=H("M8"), movers=bits(FOE))
    assert nearer_enemy(s, U(SQUAD), attack) is barred


@marked("A4.6a", "A4.6b", "A4.62")
def test_what_a_mover_gives_an_area_hit() -> None:
    """AMB-42 on the IFT, and only the mover."""
    d = Desk(field=ground(), phasing=ALLIED)
    mover, other = d.put(SQUAD, "M5"), d.put("br_457#2", "M5")
    d.s.move = Move(movers=1 << mover, hex=d.hex("M5"))
    shoot = Shoot(fire=FIRST, side=AXIS, hex=d.hex("M5"), movers=1 << mover)
    clear = Los(3, None, ())
    assert [(one.value, one.rule) for one in moving_drms(d.s, shoot, mover, (), clear)] == [
        (-1, "A4.6a"),
        (-1, "A4.6b"),
    ]
    assert moving_drms(d.s, shoot, other, (), clear) == []
    d.s.move.assault = 1
    assert [one.rule for one in moving_drms(d.s, shoot, mover, (), clear)] == ["A4.6b"]
    d.s.move.hazardous = 1
    assert [(one.value, one.rule) for one in moving_drms(d.s, shoot, mover, (), clear)] == [(-2, "A4.62")]


@marked("D5.34")
@pytest.mark.parametrize(("word", "stunned"), [("K/1", True), ("1KIA", True), ("2MC", False), ("PTC", False)])
def test_from_which_result_a_crew_is_stunned_and_recalled(word: str, stunned: bool) -> None:
    d = Desk(field=ground(), phasing=ALLIED)
    u = d.put("br_crus1#1", "M5", NNE, exposed=True)
    shake_crews(d.s, 1 << u, RESULTS.index(word))
    assert bool((d.s.stunned & d.s.recalled) >> u & 1) is stunned


@marked("A19.1")
def test_only_mmc_are_replaced_and_only_beyond_the_elr() -> None:
    s = desert()
    place(s, [SQUAD, LEADER], "M5")
    elr = s.stage.elr[ALLIED]
    weaken(s, U(SQUAD), elr)
    assert s.kind(U(SQUAD)).id == "br_457"
    weaken(s, U(LEADER), elr + 3)
    assert not s.disrupted
    weaken(s, U(SQUAD), elr + 1)
    assert s.kind(U(SQUAD)).id != "br_457"


@marked("D5.31")
def test_who_aboard_can_be_hurt() -> None:
    d = Desk(field=ground(), phasing=ALLIED)
    truck, tank = d.put("br_3ton#1", "M5", NNE), d.put("br_crus1#1", "M7", NNE)
    inside, on_top, gun_ = (
        d.board(SQUAD, "br_3ton#1"),
        d.board("br_457#2", "br_crus1#1", True),
        d.board("br_at40#1", "br_3ton#1"),
    )
    assert exposed_riders(d.s, truck) == 1 << inside
    assert exposed_riders(d.s, tank) == 1 << on_top
    assert not exposed_riders(d.s, truck) >> gun_ & 1
