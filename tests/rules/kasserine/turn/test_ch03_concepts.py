"""Chapters 1 to 3: components, control, ZOC, stacking, ER, halving, weather, disruption."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.kasserine.combat.strengths import attack_strength, halvings, support_each
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ids import MUD, RAIN, WEATHERS
from sandtable.games.kasserine.table.position import control, disrupt, enter, lose_step
from sandtable.games.kasserine.table.ratings import allowance, leads, rating
from sandtable.games.kasserine.table.stacking import limit, points
from sandtable.games.kasserine.table.steps import StageAt, UnitAt
from sandtable.games.kasserine.table.zones import controls, zone
from sandtable.games.kasserine.turn.reorganization import overstacked
from sandtable.games.kasserine.turn.weather import set_weather
from sandtable.mechanics.masks import units_of

from ..kit import (
    ALLIED,
    AXIS,
    GAME,
    H,
    U,
    board,
    do,
    empty,
    hexes,
    mask,
    new,
    place,
    roll,
    start,
    texts,
    units,
    weather,
    why,
)

PZ, PZG, ITALIAN = "ger_10pz_i_7_pz", "ger_10pz_i_69", "ita_cent_xiv_31"
RIFLES, TANKS, GUNS, US_HQ = "us_34id_1_133", "us_1ad_2_1_ar", "us_34id_125_fa", "us_1ad_cca_hq"
TIGER, FLAK = "ger_army_1_501_tiger", "ger_10pz_302_flak"
RING = {"6732", "6832", "6833", "6734", "6633", "6632"}  # around 6733, all clear


# 1, 2


@pytest.mark.rule("kasserine", "1.1", "1.2", "1.3", "2.35")
def test_two_sides_fight_from_14_to_at_most_26_february_day_by_day() -> None:
    assert GAME.info.sides == ("axis", "allied")
    dates = board.charts.dates
    assert (dates[1], dates[11], dates[13]) == ("1943-02-14", "1943-02-24", "1943-02-26")
    assert {board.side[u] for u in range(board.count) if board.nation[u] < 2} == {AXIS}
    assert all("victory" in data for data in board.pack.scenarios.values())


@pytest.mark.rule("kasserine", "2.11", "2.12", "2.13")
def test_the_map_has_70_columns_of_48_hexes_with_one_base_terrain_each() -> None:
    grid = board.grid
    assert len(grid.hexes) == 70 * 48
    assert grid.names[grid.neighbour(H("6833"), 3)] == "6834"
    assert grid.adjacent(H("6733"), H("6832"))  # even columns lie half a hex lower
    assert not grid.adjacent(H("6733"), H("6834"))
    assert sum(m.bit_count() for m in board.terrain.base.values()) == 3360
    assert grid.index.get("7101") is None


@pytest.mark.rule("kasserine", "2.21", "2.22", "2.23", "2.24", "2.25", "2.26", "2.27", "3.14")
def test_what_a_counter_shows_makes_its_class() -> None:
    assert board.armor >> U(PZ) & 1
    assert not board.armor >> U(PZG) & 1
    assert board.red_defense >> U(FLAK) & 1
    assert board.red >> U(PZ) & 1
    assert board.orange >> U(GUNS) & 1
    assert board.plain >> U(RIFLES) & 1
    assert board.motorized & board.plain == 0
    for name in (GUNS, US_HQ, "ger_leader_rommel", "us_air_33_fg"):
        assert not board.combat >> U(name) & 1
    for name in (PZ, RIFLES, FLAK, "us_1ad_701_td", "ger_10pz_90_pzjg"):
        assert board.combat >> U(name) & 1
    assert board.artillery >> U("ger_dak_71_wfr") & 1
    assert board.artillery >> U("us_1ad_27_afa") & 1
    assert board.anti_tank >> U("us_1ad_701_td") & 1
    assert (board.support[U(GUNS)], board.range[U(GUNS)], board.cp[U(US_HQ)]) == (4, 3, 1)


@pytest.mark.rule("kasserine", "2.41")
def test_the_die_reads_from_1_to_10() -> None:
    s = new()
    place(s, RIFLES, "6733", disrupted=True)
    place(s, PZ, "6732")
    start(s, UnitAt(steps.RECOVERY, 0))
    assert [action[1] for action, _ in GAME.chances(s)] == list(range(1, 11))
    assert len({chance for _, chance in GAME.chances(s)}) == 1


@pytest.mark.rule("kasserine", "2.42", "5.14a", "3.93a", "6.12b")
def test_movement_fractions_are_kept_and_halvings_do_not_add_up() -> None:
    s = empty("axis_movement")
    place(s, "us_1ad_1_1_ar", "6733")
    u = U("us_1ad_1_1_ar")  # MA 9
    assert allowance(s, u) == 18
    s.disrupted = 1 << u
    assert allowance(s, u) == 9  # 4.5 MP
    s.oos = 1 << u
    assert allowance(s, u) == 9
    s.phase += 3
    assert allowance(s, u) == 4  # 2.25 MP: nothing costs a quarter


# 3.1 control


@pytest.mark.rule("kasserine", "3.11a", "3.11b", "3.11c")
def test_friend_and_enemy_go_by_side() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733")
    place(s, RIFLES, "6432")
    start(s, steps.MOVES)
    assert s.actor == AXIS
    reason = why(s, f"move {RIFLES}")
    assert reason is not None
    assert reason.rule == "3.11a"


@pytest.mark.rule("kasserine", "3.12a", "3.13")
def test_whoever_passes_last_controls_a_hex() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733")
    place(s, "us_34id_125_fa", "6845")
    start(s, steps.MOVES)
    do(s, f"move {PZ}", "to 6730")
    for number in ("6732", "6731", "6730", "6733"):
        assert controls(s, AXIS, H(number))


@pytest.mark.rule("kasserine", "3.12b", "3.25")
def test_an_uncontested_zoc_takes_control_and_a_contested_hex_stays() -> None:
    s = empty()
    place(s, PZ, "6733")
    assert controls(s, AXIS, H("6732"))
    place(s, RIFLES, "6731")
    assert controls(s, AXIS, H("6732"))  # both reach it: the last controller keeps it
    assert controls(s, ALLIED, H("6730"))
    s.control &= ~(1 << H("6732"))
    control(s)
    assert controls(s, ALLIED, H("6732"))


# 3.2 ZOC


@pytest.mark.rule("kasserine", "3.23a", "3.21", "3.22a")
def test_the_zoc_of_a_combat_unit_is_the_six_hexes_around_it() -> None:
    s = empty()
    place(s, RIFLES, "6733", disrupted=True, oos=True)
    assert hexes(zone(s, ALLIED)) == RING
    place(s, "us_34id_2_133", "6733")
    assert hexes(zone(s, ALLIED)) == RING
    s = empty()
    place(s, [GUNS, US_HQ, "us_leader_harmon"], "6733")
    assert zone(s, ALLIED) == 0


@pytest.mark.rule("kasserine", "3.23b", "3.23c", "3.23d", "6.35b")
def test_motorized_zocs_stop_at_escarpments_wadis_in_rain_and_mountains_without_a_road() -> None:
    s = empty()
    place(s, PZ, "0818")
    assert not zone(s, AXIS) >> H("0817") & 1
    place(s, "ger_47gr_i_47", "0818")
    assert zone(s, AXIS) >> H("0817") & 1
    s = empty()
    place(s, PZ, "2339")
    assert zone(s, AXIS) >> H("2338") & 1
    weather(s, "rain")
    assert not zone(s, AXIS) >> H("2338") & 1
    s = empty()
    place(s, PZ, "6108")
    assert zone(s, AXIS) >> H("6008") & 1  # along the road
    s = empty()
    place(s, PZ, "5908")
    assert not zone(s, AXIS) >> H("6008") & 1
    s = empty()
    place(s, PZ, "3134")
    assert zone(s, AXIS) >> H("3233") & 1  # along the trail
    weather(s, "rain")
    assert not zone(s, AXIS) >> H("3233") & 1


# 3.3 stacking


@pytest.mark.rule("kasserine", "3.31", "3.31a", "3.32a", "3.32b", "3.32c", "13.31")
def test_more_than_nine_points_are_given_up_at_the_end_of_the_phase() -> None:
    s = empty("allied_movement", turn=6)
    place(s, ["us_1ad_2_1_ar", "us_1ad_3_1_ar", "br_6ad_17_21_l"], "6733")
    assert points(s, s.here[H("6733")]) == 9
    place(s, "fr_const_i_3_rta", "6732")
    start(s, steps.MOVES)
    do(s, "move fr_const_i_3_rta", "to 6733")  # no ban while the phase lasts
    assert s.here[H("6733")].bit_count() == 4
    do(s, "end_moves")
    assert s.actor == ALLIED
    assert set(texts(s)) == {
        f"give_up {n}" for n in ("us_1ad_2_1_ar", "us_1ad_3_1_ar", "br_6ad_17_21_l", "fr_const_i_3_rta")
    }
    do(s, "give_up fr_const_i_3_rta")
    assert points(s, s.here[H("6733")]) == 9
    assert s.phase > 9


@pytest.mark.rule("kasserine", "3.33")
def test_everybody_may_look_through_every_stack() -> None:
    s = new()
    for side in (AXIS, ALLIED, -1):
        view = GAME.view(s, side)
        assert {unit["id"] for unit in view["units"] if unit.get("hex") == "5224"} == {
            "us_1ad_cca_hq",
            "us_1ad_3_1_ar",
            "us_1ad_91_afa",
            "us_iic_443_aa",
        }


# 3.4 ER


@pytest.mark.rule("kasserine", "3.41a", "3.41b", "3.41c", "3.41d", "3.44", "3.63", "3.93b", "5.14c")
def test_er_goes_by_the_side_that_shows_and_falls_with_markers_down_to_one() -> None:
    s = empty()
    place(s, PZ, "6733")
    u = U(PZ)
    assert rating(s, u) == 7
    s.step[u] = 1
    assert rating(s, u) == 6
    s.oos = 1 << u
    assert rating(s, u) == 4
    s.disrupted = 1 << u
    assert rating(s, u) == 3
    place(s, "us_iic_19_eng", "6633", reduced=True, oos=True, disrupted=True)
    assert rating(s, U("us_iic_19_eng")) == 1


@pytest.mark.rule("kasserine", "3.42", "3.42a", "12.12a", "12.12c")
def test_any_unit_with_an_er_may_lead_and_an_hq_only_when_alone() -> None:
    s = empty()
    place(s, [RIFLES, US_HQ, GUNS], "6733")
    assert leads(s, s.here[H("6733")]) == units(RIFLES, GUNS)
    assert leads(s, units(US_HQ)) == units(US_HQ)
    assert rating(s, U(US_HQ)) == 5


@pytest.mark.rule("kasserine", "3.43")
@pytest.mark.parametrize(("face", "stays"), [(4, False), (5, True)])
def test_a_check_succeeds_on_the_er_or_less(face: int, stays: bool) -> None:
    s = empty("reorganization")
    place(s, "us_1id_1_26", "6733", disrupted=True)  # ER 5, disrupted 4
    place(s, PZ, "6732")
    start(s, UnitAt(steps.RECOVERY, 0))
    roll(s, face)
    assert bool(s.disrupted >> U("us_1id_1_26") & 1) == stays


# 3.5 halving


@pytest.mark.rule("kasserine", "3.51", "3.52", "3.53b", "3.54", "3.55b", "3.55c", "3.55d", "5.14b", "6.36", "8.24a")
def test_attackers_are_halved_in_groups_by_how_often_they_are_halved() -> None:
    s = empty()
    place(s, ["ger_47gr_i_47", "ger_47gr_a24"], "6733")  # 4 and 3
    both = units("ger_47gr_i_47", "ger_47gr_a24")
    assert attack_strength(s, both, H("6732")).value == 7
    s.oos = both
    assert attack_strength(s, both, H("6732")).value == 3  # 7 halved as a whole
    s.oos = units("ger_47gr_a24")
    assert attack_strength(s, both, H("6732")).value == 5  # 4 and half of 3
    s = empty()
    place(s, [PZ, PZG], "6108")
    assert [cause.rule for cause in halvings(s, U(PZ), H("6008"))] == ["6.36"]
    assert not halvings(s, U(PZG), H("6008"))
    assert attack_strength(s, units(PZ, PZG), H("6008")).value == 3 + 4
    s.mines[ALLIED] = mask("6008")
    assert attack_strength(s, units(PZ), H("6008")).value == 1  # 7 quartered
    s.oos = units(PZ)
    assert attack_strength(s, units(PZ), H("6008")).value == 0


@pytest.mark.rule("kasserine", "3.53a", "3.55a", "8.41d", "8.41e", "8.41f", "17.3")
def test_artillery_is_halved_unit_by_unit() -> None:
    s = empty()
    place(s, ["us_1id_5_fa", "us_34id_185_fa"], "6733")  # 5 and 5
    both = units("us_1id_5_fa", "us_34id_185_fa")
    assert [support_each(s, both, outcome) for outcome in (1, 2, 3)] == [10, 4, 0]


@pytest.mark.rule("kasserine", "3.61a", "3.61b", "3.62", "8.74b", "12.15")
def test_headquarters_artillery_and_units_without_a_reverse_have_one_step() -> None:
    for name in (US_HQ, GUNS, FLAK, "br_army_a_142_rac"):
        assert board.steps[U(name)] == 1
    assert board.steps[U(PZ)] == 2
    assert board.steps[U("ger_leader_rommel")] == 0
    s = empty()
    place(s, US_HQ, "6733")
    s.spent = units(US_HQ)
    assert s.step[U(US_HQ)] == 0


# 3.7 weather


@pytest.mark.rule("kasserine", "3.7", "3.71a", "3.71b", "3.71c", "4.14")
def test_the_weather_is_rolled_each_turn_but_the_first() -> None:
    s = new()
    assert WEATHERS[s.weather] == "dry"
    s.weather, s.turn, s.phase = 0, 3, 0
    for face, sky in ((1, 0), (6, 1), (8, 1), (9, 2)):  # turn 4: one more than the die shows
        assert board.charts.roll_weather(0, 4, face) == sky
    for face, sky in ((8, 0), (9, 1), (10, 1)):  # turn 2: two less
        assert board.charts.roll_weather(0, 2, face) == sky


@pytest.mark.rule("kasserine", "3.71d", "15.14a")
def test_historical_weather_by_agreement() -> None:
    s = new("s1_historical", historical_weather=True)
    seen = {}
    for turn in (4, 5, 7):
        s.turn, s.phase = turn - 1, 16
        s.choices = None
        s.stack[:] = [StageAt(0, 0)]
        GAME.settle(s)
        seen[turn] = WEATHERS[s.weather]
    assert seen == {4: "cloudy", 5: "rain", 7: "lingering_mud" if s.weather == MUD else "cloudy"}


@pytest.mark.rule("kasserine", "3.71d")
def test_the_weather_of_the_campaign_is_always_rolled_for() -> None:
    for edition, rolled in ((3, True), (2, False)):
        s = new("s2_campaign", historical_weather=True)
        s.edition, s.turn, s.phase, s.choices = edition, 1, 16, None
        s.stack[:] = [StageAt(0, 0)]
        GAME.settle(s)
        assert s.turn == 2
        assert (s.actor == CHANCE) == rolled


@pytest.mark.rule("kasserine", "3.74a", "3.74d")
def test_x14_cloudy_after_rain_is_mud_and_dry_after_rain_is_dry() -> None:
    s = empty()
    s.weather = RAIN
    set_weather(s, 1)
    assert s.weather == MUD
    set_weather(s, 1)
    assert WEATHERS[s.weather] == "cloudy"  # only the turn after Rain
    s.weather = RAIN
    set_weather(s, 0)
    assert WEATHERS[s.weather] == "dry"


@pytest.mark.rule("kasserine", "3.72a", "3.73a", "3.74b", "3.74c", "6.41", "6.42", "6.43", "3.73d")
def test_rain_and_mud_change_the_terrain_chart() -> None:
    def cost(sky: str, start: str, end: str, kind: int = 0) -> int:
        s = empty(sky=sky)
        return s.ground.step(kind, H(start), board.grid.direction(H(start), H(end)), H(end))[0]

    assert [cost(sky, "6733", "6732") for sky in WEATHERS] == [2, 2, 4, 4]  # clear
    assert [cost(sky, "6733", "6732", 1) for sky in WEATHERS] == [2, 2, 2, 2]
    assert [cost(sky, "6218", "6217") for sky in WEATHERS] == [2, 2, 2, 2]  # secondary road
    assert [cost(sky, "3334", "3233") for sky in WEATHERS] == [2, 2, -1, 2]  # a trail into a mountain hex
    assert [cost(sky, "0111", "0211") for sky in WEATHERS] == [1, 1, 1, 1]  # primary road


@pytest.mark.rule("kasserine", "3.73b", "6.35aa")
def test_in_rain_motorized_units_cross_wadis_at_bridges_only() -> None:
    s = empty(sky="rain")
    wadi = board.grid.direction(H("2339"), H("2338"))
    assert s.ground.step(0, H("2339"), wadi, H("2338"))[0] == -1
    assert s.ground.step(1, H("2339"), wadi, H("2338"))[0] > 0
    bridge = board.grid.direction(H("4119"), H("4118"))
    assert s.ground.step(0, H("4119"), bridge, H("4118"))[0] > 0


# 3.8, 3.9


@pytest.mark.rule("kasserine", "3.81", "3.82", "3.81a", "12.13a", "12.13b")
def test_formations_go_by_colour_and_white_is_the_army() -> None:
    assert board.formation[U(PZ)] == "10Pz"
    assert board.army >> U("us_army_1rngr") & 1
    assert (board.of_formation["1AD"] & board.hqs).bit_count() == 4
    assert (board.of_formation["6AD"] & board.hqs).bit_count() == 2


@pytest.mark.rule("kasserine", "3.91", "3.92", "3.94a", "3.94b", "12.41ca")
def test_disruption_is_a_state_of_one_unit_and_never_of_a_leader() -> None:
    s = empty()
    place(s, [RIFLES, "us_leader_harmon"], "6733")
    place(s, "us_34id_2_133", "6733")
    disrupt(s, units(RIFLES, "us_leader_harmon"), "8.71g")
    assert s.disrupted == units(RIFLES)
    disrupt(s, units(RIFLES), "8.71g")
    assert s.disrupted == units(RIFLES)


@pytest.mark.rule("kasserine", "3.95", "3.95a", "3.95b")
def test_recovery_comes_by_itself_outside_an_ezoc_and_by_a_check_inside() -> None:
    s = empty("reorganization")
    place(s, RIFLES, "6733", disrupted=True)
    place(s, "us_34id_2_133", "6730", disrupted=True)
    place(s, "us_34id_3_133", "6734", disrupted=True)
    place(s, PZ, "6732")
    start(s, UnitAt(steps.RECOVERY, 0))
    assert s.actor == -1
    assert s.disrupted == units(RIFLES, "us_34id_2_133", "us_34id_3_133")
    roll(s, 9)
    assert s.disrupted == units(RIFLES)  # the two that no enemy touches have recovered


@pytest.mark.rule("kasserine", "3.24", "3.22", "8.15a")
def test_a_friend_in_an_ezoc_hex_does_not_lower_its_cost() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6833")
    place(s, PZG, "6732")
    place(s, RIFLES, "6731")
    start(s, steps.MOVES)
    do(s, f"move {PZ}")
    hint = GAME.hint(s, GAME.parse("to 6732"))
    assert hint is not None
    assert hint["cost"] == "3"  # two clear hexes and 1 for the EZOC
    assert "declare 6731" not in texts(s)


@pytest.mark.rule("kasserine", "3.64", "8.74c")
def test_lost_steps_do_not_come_back() -> None:
    s = empty()
    place(s, PZ, "6733")
    lose_step(s, U(PZ), "8.74")
    assert s.step[U(PZ)] == 1
    lose_step(s, U(PZ), "8.74")
    assert s.at[U(PZ)] < 0
    assert s.lost[0] == 2
    enter(s, U(PZG), H("6733"))
    assert s.lost[0] == 2


@pytest.mark.rule("kasserine", "6.12b", "12.35", "3.32a")
def test_both_sides_move_half_again_fire_nets_not_at_all_and_one_point_too_many_is_given_up() -> None:
    for phase, unit in (("axis_motorized_movement", PZ), ("allied_motorized_movement", TANKS)):
        full, half = empty(phase.replace("motorized_", "")), empty(phase)
        assert 2 * allowance(half, U(unit)) == allowance(full, U(unit)) > 0
    s = empty("allied_movement")
    s.fire_net = units(US_HQ)
    assert allowance(s, U(US_HQ)) == 0
    s = empty("reorganization")
    stack = [PZ, "ger_10pz_ii_7_pz", PZG]
    place(s, stack, "6733")
    assert overstacked(s, AXIS) == []
    small = next(u for u in units_of(board.combat & board.of_side[AXIS] & ~s.here[H("6733")]) if points(s, 1 << u) == 2)
    place(s, board.units[small], "6733")
    assert points(s, s.here[H("6733")]) == limit(s) + 1
    assert overstacked(s, AXIS) == [H("6733")]
