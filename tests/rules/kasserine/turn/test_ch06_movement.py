"""Chapter 6: movement, terrain, EZOCs, overruns."""

from __future__ import annotations

import pytest

from sandtable.games.kasserine.movement.stacks import cost_from_here, group
from sandtable.games.kasserine.paths.moves import move_leg
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.state import State

from ..kit import (
    ALLIED,
    AXIS,
    H,
    U,
    at,
    board,
    do,
    empty,
    of_kind,
    place,
    roll,
    start,
    texts,
    units,
    why,
    works,
)

PZ, PZ2, PZG, RECON, AT_GUN = (
    "ger_10pz_i_7_pz",
    "ger_10pz_ii_7_pz",
    "ger_10pz_i_69",
    "ger_21pz_580_aa",
    "ger_10pz_90_pzjg",
)
GRENADIERS, ITALIANS = "ger_47gr_i_47", "ita_cent_xiv_31"
RIFLES, TANKS, GUNS, HQ = "us_34id_1_133", "us_1ad_2_1_ar", "us_34id_125_fa", "us_1ad_cca_hq"


def rule_against(s: State, text: str) -> str:
    """The rule that forbids an action, "" if nothing does."""
    reason = why(s, text)
    return "" if reason is None else reason.rule


def cost(s: State, name: str, number: str) -> float:
    """What it costs a unit to get to a hex, in MP; -1 if it cannot."""
    way = move_leg(s, U(name)).to(H(number))
    return -1 if way is None else way.cost / 2


def step(sky: str, kind: int, one: str, two: str) -> tuple[int, bool]:
    s = empty(sky=sky)
    return s.ground.step(kind, H(one), board.grid.direction(H(one), H(two)), H(two))


# 6.0, 6.1


@pytest.mark.rule("kasserine", "6.01", "6.03", "6.11", "6.31")
def test_a_unit_pays_for_every_hex_up_to_its_ma_and_then_is_done() -> None:
    s = empty("axis_movement")
    place(s, GRENADIERS, "6733")  # MA 5
    start(s, steps.MOVES)
    do(s, f"move {GRENADIERS}")
    assert rule_against(s, "to 6727") == "6.01"
    do(s, "to 6730")
    assert at(s, GRENADIERS) == "6730"
    assert rule_against(s, f"move {GRENADIERS}") == "6.11"


@pytest.mark.rule("kasserine", "6.12", "6.12a", "6.5c", "14.25")
def test_only_red_boxes_move_in_the_motorized_phase_whatever_they_did() -> None:
    s = empty("axis_motorized_movement")
    place(s, [PZ, AT_GUN, GRENADIERS, "ger_leader_rommel", "ger_10pz_10_pz_hq"], "6733")
    s.attacked = units(PZ)
    start(s, steps.MOVES)
    assert {f"move {PZ}", "move ger_leader_rommel", "move ger_10pz_10_pz_hq"} <= set(texts(s))
    assert rule_against(s, f"move {AT_GUN}") == rule_against(s, f"move {GRENADIERS}") == "6.12"
    do(s, f"move {PZ}")
    assert rule_against(s, "to 6729") == ""  # four clear hexes: half of MA 8
    assert rule_against(s, "to 6728") == "6.01"
    s = empty("allied_motorized_movement")  # and so on the other side
    place(s, ["us_1ad_2_1_ar", "us_34id_1_133", "us_34id_125_fa"], "6733")
    start(s, steps.MOVES)
    assert "move us_1ad_2_1_ar" in texts(s)
    assert rule_against(s, "move us_34id_1_133") == rule_against(s, "move us_34id_125_fa") == "6.12"


@pytest.mark.rule("kasserine", "16.1")
def test_full_exploitation_gives_the_whole_ma() -> None:
    s = empty("axis_motorized_movement", full_exploitation=True)
    place(s, PZ, "6733")
    assert move_leg(s, U(PZ)).points == 16


@pytest.mark.rule("kasserine", "6.13", "6.22ab")
def test_the_minimum_move_costs_everything_and_is_always_open() -> None:
    s = empty("axis_movement", sky="rain")
    place(s, "ger_army_1_501_tiger", "6733", disrupted=True)
    s.phase += 3  # a quarter of MA 6: 1.5 MP, a clear hex in Rain costs 2
    way = move_leg(s, U("ger_army_1_501_tiger")).to(H("6732"))
    assert way is not None
    assert way.path == [H("6732")]


@pytest.mark.rule("kasserine", "6.14a", "6.14b", "6.6b")
def test_enemies_are_not_entered_and_friends_do_not_hinder() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733")
    place(s, PZG, "6732")
    place(s, GUNS, "6731")
    start(s, steps.MOVES)
    do(s, f"move {PZ}")
    assert rule_against(s, "to 6731") == "6.14a"
    assert rule_against(s, "to 6732") == ""


@pytest.mark.rule("kasserine", "6.15a", "6.15b", "6.16")
def test_only_some_units_may_leave_supply_of_their_own_will() -> None:
    for name, free in ((PZ, True), (GRENADIERS, True), (ITALIANS, False), ("ita_cent_iv_nov", True)):
        s = empty("axis_movement")
        place(s, name, "6733")
        for number in ("6630", "6930", "6438", "7038", "6445", "6224"):
            works(s, ALLIED, "strongpoint", number)
        works(s, ALLIED, "strongpoint", "7004", "7005", "7024", "7040", "3848")  # no source is left
        start(s, steps.MOVES)
        if free:
            do(s, f"move {name}")
            assert rule_against(s, "to 6732") == ""
        else:
            assert rule_against(s, f"move {name}") == "6.13"
            s.oos = units(name)
            s.choices, s.memo = None, {}
            do(s, f"move {name}", "to 6732")


# 6.2 EZOC


@pytest.mark.rule("kasserine", "6.21a", "6.21b", "6.21c")
def test_entering_an_ezoc_costs_one_more_however_many_and_leaving_nothing() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733")
    place(s, RIFLES, "6731")
    assert cost(s, PZ, "6732") == 2
    place(s, "us_34id_2_133", "6831")
    assert cost(s, PZ, "6732") == 2
    s = empty("axis_movement")
    place(s, PZ, "6732")
    place(s, RIFLES, "6731")
    assert cost(s, PZ, "6733") == 1


@pytest.mark.rule("kasserine", "6.22a", "6.22b", "6.22ba")
def test_x13_a_red_box_goes_from_ezoc_to_ezoc_for_one_more_each() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6732")
    place(s, RIFLES, "6731")
    place(s, "us_34id_2_133", "6633")
    place(s, "us_34id_3_133", "6635")
    place(s, "us_34id_1_135", "6833")
    place(s, "us_34id_2_135", "6835")
    assert cost(s, PZ, "6733") == 2
    assert cost(s, PZ, "6734") == 4
    assert cost(s, PZ, "6735") == 6


@pytest.mark.rule("kasserine", "6.22ab", "6.22bb", "6.22ba")
def test_others_go_from_ezoc_to_ezoc_only_as_their_whole_move() -> None:
    s = empty("axis_movement")
    place(s, GRENADIERS, "6732")
    place(s, RIFLES, "6731")
    place(s, "us_34id_2_133", "6633")
    place(s, "us_34id_3_133", "6833")
    leg = move_leg(s, U(GRENADIERS))
    way = leg.to(H("6733"))
    assert way is not None
    assert way.cost == leg.points  # the whole MA
    assert leg.to(H("6734")) is None
    s = empty("axis_movement")
    place(s, GRENADIERS, "6834")
    place(s, RIFLES, "6731")
    leg = move_leg(s, U(GRENADIERS))
    way = leg.to(H("6632"))  # in by 6732, and then not into 6632 directly
    assert way is None or not {H("6732"), H("6832")} & set(way.path)


@pytest.mark.rule("kasserine", "6.23", "12.44", "12.41b")
def test_leaders_ignore_ezocs_but_enter_them_only_beside_friends() -> None:
    s = empty("axis_movement")
    place(s, "ger_leader_rommel", "6733")
    place(s, RIFLES, "6731")
    assert cost(s, "ger_leader_rommel", "6732") == -1
    place(s, PZ, "6732")
    assert cost(s, "ger_leader_rommel", "6732") == 1
    assert move_leg(s, U("ger_leader_rommel")).points == 24


# 6.3 terrain


@pytest.mark.rule("kasserine", "6.32", "6.32a", "6.34b", "6.37", "6.31")
def test_roads_stand_for_hex_and_hexside_and_trails_pay_the_wadi() -> None:
    assert step("dry", 0, "4119", "4118") == step("rain", 0, "4119", "4118")  # a bridge
    assert step("dry", 0, "0111", "0211") == (1, False)
    assert step("dry", 0, "6218", "6217") == (2, False)
    assert step("dry", 0, "5219", "5218") == (2 + 4, False)  # a trail and a wadi


@pytest.mark.rule("kasserine", "6.34a", "6.34c")
def test_woods_and_orchards_are_added() -> None:
    woods = board.pack.tagged("woods") & board.terrain.base["clear"]
    orchard = board.pack.tagged("orchard") & board.terrain.base["clear"]
    assert woods
    assert orchard
    assert (woods | orchard) & ~board.terrain.woods == 0
    s = empty()
    for h in board.grid.hexes:
        if not board.terrain.woods >> h & 1:
            continue
        for d, n in board.grid.neighbours[h]:
            back = (d + 3) % 6
            plain = not any(
                sides[back] >> n & 1
                for sides in (
                    board.terrain.roads,
                    board.terrain.trails,
                    board.terrain.wadis,
                    board.terrain.escarpments,
                )
            )
            if plain and board.terrain.base["clear"] >> h & 1 and not board.terrain.mountain >> n & 1:
                assert s.ground.step(0, n, back, h) == (4, False)
                assert s.ground.step(1, n, back, h) == (2, False)
                return
    raise AssertionError("no woods were found")


@pytest.mark.rule("kasserine", "6.35", "6.35b", "6.35c")
def test_hexsides_are_paid_besides_the_hex() -> None:
    assert step("dry", 0, "2339", "2338") == (2 + 4, False)
    assert step("dry", 1, "2339", "2338") == (2 + 2, False)
    assert step("dry", 0, "0818", "0817")[0] == -1
    assert step("dry", 1, "0818", "0817") == (4 + 4, False)  # a hill, up the escarpment
    assert step("rain", 1, "0818", "0817") == (4 + 6, False)
    terrain = board.terrain
    assert not any(terrain.escarpments[d] & (terrain.roads[d] | terrain.trails[d]) for d in range(6))


@pytest.mark.rule("kasserine", "6.33a", "6.33b", "13.12", "13.1")
def test_mountains_are_for_roads_or_for_feet_and_stop_most() -> None:
    assert step("dry", 0, "5908", "6008")[0] == -1
    assert step("dry", 0, "5909", "6008") == (2, False)  # along the road: no stop
    assert step("dry", 0, "3134", "3233") == (2, True)  # along a trail: a stop
    assert step("dry", 1, "5908", "6008") == (6, True)
    assert step("dry", 2, "5908", "6008") == (6, False)  # mountain units
    assert step("dry", 0, "6008", "5908")[0] == -1  # leaving too
    assert board.mountain.bit_count() == 6


@pytest.mark.rule("kasserine", "6.33c")
def test_on_foot_from_mountain_to_mountain_by_the_whole_ma() -> None:
    s = empty("axis_movement")
    place(s, GRENADIERS, "6008")
    way = move_leg(s, U(GRENADIERS)).to(H("6009"))
    assert way is not None
    assert not move_leg(s, U(GRENADIERS)).goes_on(H("6009"))


@pytest.mark.rule("kasserine", "6.38", "6.44")
def test_salt_flats_are_costly_when_dry_and_closed_to_motors_when_wet() -> None:
    marsh = next(h for h in board.grid.hexes if board.terrain.marsh >> h & 1)
    d, n = next(
        (d, n)
        for d, n in board.grid.neighbours[marsh]
        if board.terrain.base["clear"] >> n & 1 and not board.terrain.wadis[d] >> marsh & 1
    )
    back = (d + 3) % 6
    dry, rain = (empty(sky=sky).ground for sky in ("dry", "rain"))
    if not (board.terrain.roads[d] | board.terrain.trails[d]) >> marsh & 1:
        assert dry.step(0, n, back, marsh)[0] == 6
        assert rain.step(0, n, back, marsh)[0] == -1
        assert rain.step(1, n, back, marsh)[0] > 0
    s = empty("axis_movement", sky="rain")
    place(s, PZ, "3233")  # its trails are gone
    assert s.ground.exits[0][H("3233")] == 0
    way = move_leg(s, U(PZ)).to(H("3334"))
    assert way is not None
    assert way.cost == move_leg(s, U(PZ)).points


@pytest.mark.rule("kasserine", "6.5a", "6.5b", "6.5d", "6.5e")
def test_orange_circles_pay_as_motors_and_do_little_else() -> None:
    s = empty("axis_movement")
    place(s, AT_GUN, "6733")
    assert cost(s, AT_GUN, "6732") == 1
    assert board.orange >> U(AT_GUN) & 1
    start(s, steps.MOVES)
    assert rule_against(s, f"stack {AT_GUN}") == "6.61"


@pytest.mark.rule("kasserine", "6.02", "6.61a", "6.61b", "6.61c", "6.68")
def test_a_stack_sets_out_together_with_its_slowest_unit() -> None:
    s = empty("axis_movement")
    place(s, [PZ, "ger_army_1_501_tiger", AT_GUN, GRENADIERS, PZG, PZ2], "6733")
    place(s, RECON, "6732")
    start(s, steps.MOVES)
    do(s, f"stack {PZ}")
    assert rule_against(s, f"join {AT_GUN}") == rule_against(s, f"join {GRENADIERS}") == "6.61b"
    assert rule_against(s, f"join {RECON}") == "6.61a"
    assert group(s).left == 16
    do(s, "join ger_army_1_501_tiger")
    assert group(s).left == 12
    do(s, f"join {PZ2}")
    assert rule_against(s, f"join {PZG}") == "6.68"  # 3 + 2 + 3 and 2 more
    do(s, "to 6732")
    assert rule_against(s, f"join {RECON}") == "6.61c"
    do(s, "halt")
    assert at(s, "ger_army_1_501_tiger") == at(s, PZ2) == "6732"


# 6.6 overruns


def before_overrun(sky: str = "dry", target: str = "6731") -> State:
    s = empty("axis_movement", sky=sky)
    place(s, [PZ, PZ2], "6733")
    place(s, RIFLES, target)
    start(s, steps.MOVES)
    return s


@pytest.mark.rule("kasserine", "6.6a", "6.61", "6.62a", "3.93e")
def test_who_may_overrun_and_when() -> None:
    s = before_overrun("rain")
    assert rule_against(s, f"stack {PZ}") == "6.62a"
    s = empty("axis_movement")
    place(s, PZ, "6733", disrupted=True)
    place(s, PZG, "6733", oos=True)
    start(s, steps.MOVES)
    assert rule_against(s, f"stack {PZ}") == rule_against(s, f"stack {PZG}") == "6.61"
    s = empty("axis_motorized_movement")
    place(s, PZ, "6733")
    start(s, steps.MOVES)
    assert f"stack {PZ}" in texts(s)


@pytest.mark.rule("kasserine", "6.62b", "6.62c")
def test_where_overruns_may_be_made() -> None:
    for terrain, allowed in (("clear", True), ("rough", True), ("hill", False), ("mountain", False), ("marsh", False)):
        h = next(
            x for x in board.grid.hexes if board.terrain.base[terrain] >> x & 1 and not board.terrain.towns >> x & 1
        )
        assert bool(board.overrunnable >> h & 1) == allowed
    assert not board.overrunnable & board.terrain.towns
    assert board.overrunnable & board.terrain.villages & board.terrain.base["clear"]
    for kind in ("strongpoint", "minefield"):
        s = before_overrun(target="6732")
        works(s, ALLIED, kind, "6732")
        do(s, f"stack {PZ}")
        assert rule_against(s, "overrun 6732") == "6.62c"


@pytest.mark.rule("kasserine", "6.63a", "6.63b", "6.63c", "6.69")
def test_an_overrun_costs_terrain_and_two_and_needs_them() -> None:
    s = before_overrun(target="6732")
    place(s, "us_34id_2_133", "6632")
    do(s, f"stack {PZ}")
    assert cost_from_here(s, group(s), H("6732")) == 6  # clear and 2 MP, nothing for the EZOC
    s.stack_spent = 12
    s.choices = None
    assert rule_against(s, "overrun 6732") == "6.63c"
    s = empty("axis_movement")
    place(s, PZ, "6218")
    place(s, RIFLES, "6217")
    start(s, steps.MOVES)
    do(s, f"stack {PZ}")
    assert cost_from_here(s, group(s), H("6217")) == 6  # the road


@pytest.mark.rule("kasserine", "6.64a", "6.64b", "6.65a", "6.66c", "6.66d", "6.67a", "8.32c", "7.0")
def test_an_overrun_goes_from_leads_to_the_die_on_the_mobile_crt() -> None:
    s = before_overrun(target="6732")
    place(s, "us_34id_125_fa", "6730")
    do(s, f"stack {PZ}", f"join {PZ2}")
    events = do(s, "overrun 6732")
    assert s.actor == AXIS  # leads: the defender has only one unit
    assert set(texts(s)) == {f"lead {PZ}", f"lead {PZ2}"}
    events += do(s, f"lead {PZ}")
    assert s.actor == -1  # no artillery, no reaction, no ground check
    odds = of_kind(events, "odds")[0].data
    assert odds["crt"] == 1
    assert odds["odds"] == "3:1"  # 14 against 4
    assert odds["drm"] == -3  # ER 4 against 7


@pytest.mark.rule("kasserine", "6.67b", "6.67c", "6.67d", "6.67e", "8.82a")
def test_a_successful_overrun_enters_and_goes_on_and_the_beaten_are_moved_two_hexes_disrupted() -> None:
    s = before_overrun(target="6732")
    do(s, f"stack {PZ}", f"join {PZ2}", "overrun 6732", f"lead {PZ}")
    roll(s, 5)  # 2 on 3:1: DRd
    assert s.actor == AXIS  # the overrunning player moves them
    ends = {text.split()[2] for text in texts(s) if text.startswith("retreat")}
    assert all(board.grid.distance(H("6732"), H(number)) == 2 for number in ends)
    do(s, f"retreat {RIFLES} 6730")
    assert at(s, RIFLES) == "6730"
    assert s.disrupted == units(RIFLES)
    assert set(texts(s)) == {"to 6732", "stay"}  # it may enter
    assert rule_against(s, "to 6731") == "6.67d"
    outside = s.copy()
    do(outside, "stay")
    assert at(outside, PZ) == "6733"
    assert outside.stack_spent == 6
    assert any(text.startswith("to ") for text in texts(outside))
    do(s, "to 6732")
    assert at(s, PZ) == at(s, PZ2) == "6732"
    assert s.stack_spent == 6
    assert any(text.startswith("to ") for text in texts(s))


@pytest.mark.rule("kasserine", "6.67f", "6.67fa")
def test_a_failed_overrun_stops_and_costs_a_step_more() -> None:
    s = before_overrun(target="6732")
    place(s, ["us_34id_2_133", "us_34id_3_133"], "6732")
    do(s, f"stack {PZ}", f"join {PZ2}", "overrun 6732", f"lead {PZ}", "lead us_34id_1_133")
    roll(s, 8)  # 1:1 with -3: 5, d
    assert s.actor == AXIS
    assert set(texts(s)) == {f"lose {PZ}", f"lose {PZ2}"}
    do(s, f"lose {PZ2}")
    assert s.step[U(PZ2)] == 1
    assert at(s, PZ) == "6733"
    assert s.moved & units(PZ, PZ2) == units(PZ, PZ2)
    assert s.disrupted == units(RIFLES, "us_34id_2_133", "us_34id_3_133")


@pytest.mark.rule("kasserine", "6.66a", "6.66b", "10.41")
def test_one_axis_air_unit_may_help_an_overrun_and_no_allied_one() -> None:
    s = before_overrun(target="6732")
    place(s, "ger_10pz_10_pz_hq", "6734")
    place(s, ["ger_air_ii_stg_3", "ger_air_iii_stg_3", "us_air_33_fg"], "ready")
    do(s, f"stack {PZ}", f"join {PZ2}", "overrun 6732", f"lead {PZ}")
    assert s.actor == AXIS
    do(s, "fly ger_air_ii_stg_3")
    assert s.actor == -1  # one is all, and its check follows
    assert s.fight.planes == [units("ger_air_ii_stg_3"), 0]
    events = roll(s, 7, 5)
    assert of_kind(events, "odds")[0].data["drm"] == -3
    s = empty("allied_movement")
    place(s, TANKS, "6733")
    place(s, PZG, "6732")
    place(s, HQ, "6734")
    place(s, "us_air_33_fg", "ready")
    start(s, steps.MOVES)
    do(s, f"stack {TANKS}", "overrun 6732")
    assert s.actor == -1
    assert s.fight.planes == [0, 0]


@pytest.mark.rule("kasserine", "6.65b", "12.42a", "8.54")
def test_rommel_and_combined_arms_shift_an_overrun() -> None:
    s = empty("axis_movement")
    place(s, [PZ, PZG], "6733")
    place(s, RIFLES, "6732")
    place(s, "ger_leader_rommel", "6733")
    start(s, steps.MOVES)
    do(s, f"stack {PZ}", f"join {PZG}", "overrun 6732", f"lead {PZ}")
    assert set(texts(s)) == {"shift ger_leader_rommel", "no_shift"}
    events = do(s, "shift ger_leader_rommel")
    odds = of_kind(events, "odds")[0].data
    assert (odds["odds"], odds["column"]) == ("2:1", "4:1")  # 11 against 4
    assert s.rommel_overran == 1


@pytest.mark.rule("kasserine", "6.17", "14.34")
def test_who_has_left_the_map_never_comes_back() -> None:
    s = empty("axis_movement", turn=6)
    place(s, PZ, "0111")
    start(s, steps.MOVES)
    do(s, f"move {PZ}", "exit 0111")
    assert at(s, PZ) == "exited"
    assert rule_against(s, f"move {PZ}") == "6.11"
    assert rule_against(s, f"enter {PZ}") == "14.11a"


@pytest.mark.rule("kasserine", "6.21aa")
def test_reactions_pay_nothing_for_ezocs() -> None:
    from sandtable.games.kasserine.paths.moves import reaction_leg

    s = empty("axis_reaction")
    place(s, PZ, "6733")
    place(s, PZG, "6732")
    place(s, RIFLES, "6731")
    way = reaction_leg(s, U(PZ)).to(H("6732"))
    assert way is not None
    assert way.cost == 2
