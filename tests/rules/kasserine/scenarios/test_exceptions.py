"""Exceptions at the end of a sentence of the book: each of them alone, beside the rule that goes on."""

from __future__ import annotations

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.games.kasserine.combat.advance import go_forward
from sandtable.games.kasserine.combat.chain import begin
from sandtable.games.kasserine.combat.leading import shifter
from sandtable.games.kasserine.combat.reckoning import harmon_unites, mobile_allowed
from sandtable.games.kasserine.combat.support import FLY
from sandtable.games.kasserine.paths.moves import move_leg, off_limits
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ids import FRENCH, GERMAN, INTERDICTION, ITALIAN, PHASES, US, WEATHERS
from sandtable.games.kasserine.table.position import put
from sandtable.games.kasserine.table.script import script_of
from sandtable.games.kasserine.table.stacking import points_in, room
from sandtable.games.kasserine.table.steps import At, UnitAt
from sandtable.games.kasserine.table.zones import zone
from sandtable.games.kasserine.turn.victory import exit_points, net

from ..kit import ALLIED, AXIS, GAME, H, State, U, board, do, empty, place, roll, start, texts, units, weather, works

PZ, PZ2, PZG, PAK = "ger_10pz_i_7_pz", "ger_10pz_ii_7_pz", "ger_10pz_i_69", "ger_10pz_90_pzjg"
STUKAS, GERMAN_HQ = "ger_air_ii_stg_3", "ger_10pz_10_pz_hq"
RIFLES, RIFLES2, GUNS, GUNS2 = "us_34id_1_133", "us_34id_2_133", "us_34id_125_fa", "us_34id_175_fa"
TANKS = "us_1ad_2_1_ar"


# Chapter 3


@pytest.mark.rule("kasserine", "3.23b", "6.38")
def test_the_zone_of_a_motorized_unit_ends_at_salt_flats_in_rain() -> None:
    terrain = board.terrain
    marsh, beside = next(
        (h, n)
        for h in hexes_of(terrain.marsh)
        for d, n in board.grid.neighbours[h]
        if terrain.base["clear"] >> n & 1 and not (terrain.wadis[d] | terrain.roads[d] | terrain.trails[d]) >> h & 1
    )
    s = empty("axis_movement")
    place(s, PZ, board.grid.names[beside])
    assert zone(s, AXIS) >> marsh & 1
    weather(s, "rain")
    assert not zone(s, AXIS) >> marsh & 1
    place(s, "ger_47gr_i_47", board.grid.names[beside])  # on foot
    assert zone(s, AXIS) >> marsh & 1


@pytest.mark.rule("kasserine", "3.31", "3.32a")
def test_a_reduced_unit_takes_less_room() -> None:
    s = empty("axis_movement")
    place(s, [PZ, PZ2, "ger_21pz_i_5_pz"], "6733")
    assert points_in(s, H("6733"), AXIS) == 9
    assert not room(s, H("6733"), AXIS, units(GERMAN_HQ))
    place(s, PZ, "6733", reduced=True)
    assert points_in(s, H("6733"), AXIS) == 8
    assert room(s, H("6733"), AXIS, units(GERMAN_HQ))


@pytest.mark.rule("kasserine", "3.32b", "3.32c")
def test_both_sides_are_judged_at_the_end_of_every_phase() -> None:
    s = empty("axis_movement")
    place(s, ["us_1ad_2_1_ar", "us_1ad_3_1_ar", "br_6ad_17_21_l", "fr_const_i_3_rta"], "6733")
    start(s, steps.MOVES)
    while s.actor == AXIS:
        do(s, next(text for text in texts(s) if text.startswith("end_")))
    assert s.actor == ALLIED
    assert "give_up fr_const_i_3_rta" in texts(s)


@pytest.mark.rule("kasserine", "3.71a", "3.74a")
def test_the_die_after_mud_is_read_as_after_clouds() -> None:
    roll_weather = board.charts.roll_weather
    mud, cloudy, rain, dry = (WEATHERS.index(sky) for sky in ("lingering_mud", "cloudy", "rain", "dry"))
    assert [roll_weather(mud, 14, face) for face in range(1, 11)] == [
        roll_weather(cloudy, 14, face) for face in range(1, 11)
    ]
    assert (roll_weather(mud, 14, 4), roll_weather(rain, 14, 4)) == (dry, cloudy)
    s = empty("weather", turn=6, sky="lingering_mud")
    start(s, steps.WEATHER)
    roll(s, 3)  # 4 with the modifier of the turn
    assert WEATHERS[s.weather] == "dry"


# Chapter 6


@pytest.mark.rule("kasserine", "6.22ab", "6.22ba")
def test_orange_circles_leave_one_zone_for_another_only_as_their_whole_move() -> None:
    s = empty("axis_movement")
    place(s, [PAK, PZG], "6732")
    place(s, RIFLES, "6731")
    place(s, RIFLES2, "6633")
    place(s, "us_34id_3_133", "6833")
    assert board.orange >> U(PAK) & 1
    leg, red = move_leg(s, U(PAK)), move_leg(s, U(PZG))
    way = leg.to(H("6733"))
    assert way is not None
    assert way.cost == leg.points
    assert leg.to(H("6734")) is None
    assert red.to(H("6734")) is not None


# Chapters 7 and 10


@pytest.mark.rule("kasserine", "10.36b", "7.41c")
def test_interdiction_hinders_nobody_who_is_told_to_hold() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733")
    place(s, RIFLES, "6732")
    works(s, ALLIED, "strongpoint", "6732")
    put(s, U(STUKAS), INTERDICTION)
    s.aims[H("6732")] = units(PZ)
    s.phase += 1
    start(s, steps.STANDS)
    do(s, "stand 6732")
    assert s.actor < 0, "the die is rolled: nobody is asked for interdiction"
    roll(s, 1)
    assert s.no_retreat == 1 << H("6732")


def in_combat(*extra: tuple[str, str], sky: str = "dry") -> State:
    s = empty("axis_combat", sky=sky)
    place(s, PZ, "6733")
    place(s, RIFLES, "6732")
    for name, hex_ in extra:
        place(s, name, hex_)
    place(s, STUKAS, "ready")
    s.aims = {H("6732"): units(PZ)}
    begin(s, At(steps.COMBATS), H("6732"))
    return s


def why_not_fly(s: State) -> str:
    reason = FLY.why(U(STUKAS), s, AXIS, {"unit": U(STUKAS)})
    return "" if reason is None else reason.rule


@pytest.mark.rule("kasserine", "10.42", "10.15b")
def test_a_disrupted_headquarters_calls_no_aircraft() -> None:
    s = in_combat((GERMAN_HQ, "6735"))
    assert why_not_fly(s) == ""
    s.disrupted = units(GERMAN_HQ)
    assert why_not_fly(s) == "10.42"


@pytest.mark.rule("kasserine", "10.18", "10.43")
def test_in_rain_close_support_counts_among_the_three_of_the_turn() -> None:
    s = in_combat((GERMAN_HQ, "6735"), sky="rain")
    s.flown_now[AXIS] = 2
    assert why_not_fly(s) == ""
    s.flown_now[AXIS] = 3
    assert why_not_fly(s) == "10.18"
    weather(s, "cloudy")
    assert why_not_fly(s) == ""


# Chapters 8 and 9


@pytest.mark.rule("kasserine", "8.32a")
def test_the_assault_table_where_every_attacker_crosses_an_escarpment() -> None:
    terrain, grid = board.terrain, board.grid
    plain = terrain.base["clear"] | terrain.base["rough"]
    here, there, other = next(
        (h, n, m)
        for d in range(6)
        for h in hexes_of(terrain.escarpments[d])
        for e, n in grid.neighbours[h]
        if e == d and plain >> n & 1 and not board.assault_forced >> n & 1
        for back, m in grid.neighbours[n]
        if m != h and not terrain.escarpments[back] >> n & 1
    )
    names = grid.names
    s = empty("axis_combat")
    place(s, "ger_47gr_i_47", names[here])
    place(s, RIFLES, names[there])
    s.aims = {there: units("ger_47gr_i_47")}
    begin(s, At(steps.COMBATS), there)
    assert mobile_allowed(s, s.fight) == "8.32a"
    place(s, PZ, names[other])
    s.fight.attackers |= units(PZ)
    assert mobile_allowed(s, s.fight) == ""


@pytest.mark.rule("kasserine", "9.26a")
def test_guns_that_are_attacked_themselves_are_not_silenced_by_an_advance() -> None:
    s = in_combat((GUNS, "6731"), (GUNS2, "6831"))
    s.aims[H("6731")] = units(PZ2)
    put(s, U(RIFLES), -2)
    go_forward(s, U(PZ), H("6732"), H("6732"), "8.9")
    assert s.fired == units(GUNS2)


# What a way costs, wherever one is asked for


def prices(s: State) -> dict[str, str]:
    found = {text: GAME.hint(s, GAME.parse(text)) for text in texts(s) if text.startswith("to ")}
    assert all(found.values())
    return {text.removeprefix("to "): str(hint["cost"]) for text, hint in found.items() if hint}


@pytest.mark.rule("kasserine", "6.02", "6.61")
def test_a_stack_is_told_the_points_of_each_hex_like_a_single_unit() -> None:
    s = empty("axis_movement")
    place(s, [PZ, PZG], "6733")
    start(s, steps.MOVES)
    single = s.copy()
    do(single, f"move {PZ}")
    do(s, f"stack {PZ}", f"join {PZG}")
    alone, together = prices(single), prices(s)
    assert len(together) > 20
    assert {hex_: alone[hex_] for hex_ in together} == together


@pytest.mark.rule("kasserine", "7.31", "6.61")
def test_who_reacts_is_told_the_points_and_an_overrun_is_called_one() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733")
    place(s, RIFLES, "6732")
    place(s, TANKS, "6730")
    start(s, steps.MOVES)
    do(s, f"stack {PZ}")
    odds = GAME.odds(s, GAME.parse("overrun 6732"))
    assert odds is not None
    assert str(odds.title).startswith("Overrun of ")
    s.stack.pop()
    s.aims[H("6732")] = units(PZ)
    s.phase += 1
    start(s, UnitAt(steps.REACTION_MOVE, U(TANKS)))
    assert set(prices(s).values()) <= {"0.5", "1", "1.5", "2", "2.5", "3", "3.5", "4"}


# Chapter 12


@pytest.mark.rule("kasserine", "12.42a")
def test_rommel_shifts_an_overrun_of_the_movement_phase_alone() -> None:
    s = in_combat(("ger_leader_rommel", "6733"))
    s.fight.overrun = 1
    s.phase = PHASES.index("axis_movement")
    assert shifter(s, AXIS) == U("ger_leader_rommel")
    s.phase = PHASES.index("axis_motorized_movement")
    assert shifter(s, AXIS) == -1


@pytest.mark.rule("kasserine", "12.43aa", "13.32")
def test_harmon_unites_nations_from_beside_an_attacker_too() -> None:
    harmon = "us_leader_harmon"
    s = empty("allied_combat")
    place(s, TANKS, "6733")
    place(s, "br_6ad_17_21_l", "6632")
    place(s, PZ, "6732")
    s.aims = {H("6732"): units(TANKS, "br_6ad_17_21_l")}
    begin(s, At(steps.COMBATS), H("6732"))
    assert not harmon_unites(s, s.fight)
    place(s, harmon, "6735")  # neither beside the hex nor with an attacker
    assert not harmon_unites(s, s.fight)
    place(s, [TANKS, harmon], "6734")
    assert harmon_unites(s, s.fight)


# Chapter 15


@pytest.mark.rule("kasserine", "15.25b", "15.35", "14.36")
@pytest.mark.parametrize(("scenario", "most"), [("s2_campaign", 20), ("s3_kasserine_pass", 8)])
def test_no_more_than_so_many_steps_count_that_left_the_map(scenario: str, most: int) -> None:
    s = empty(scenario=scenario)
    germans = [u for u in range(board.count) if board.nation[u] == GERMAN and board.steps[u] == 2]
    counted = []
    for u in germans[:12]:
        s.left_at[u] = H("2401")
        counted.append(exit_points(s, AXIS))
    assert counted == [3 * min(2 * n, most) for n in range(1, 13)]


@pytest.mark.rule("kasserine", "15.25b", "15.15")
def test_the_best_of_the_steps_that_left_the_map_count() -> None:
    s = empty()
    two = [u for u in range(board.count) if board.steps[u] == 2]
    for u in [u for u in two if board.nation[u] == ITALIAN][:4] + [u for u in two if board.nation[u] == GERMAN][:6]:
        s.left_at[u] = H("2401")
    assert exit_points(s, AXIS) == 3 * 12  # twelve German steps, and none of the eight Italian ones


@pytest.mark.rule("kasserine", "15.35")
def test_two_french_steps_make_a_point_where_one_american_does() -> None:
    s = empty(scenario="s3_kasserine_pass")
    before = net(s)
    found = []
    for french in range(5):
        s.lost[FRENCH] = french
        found.append(net(s) - before)
    assert found == [0, 0, 1, 1, 2]
    s.lost[US] = 1
    assert net(s) - before == 3


@pytest.mark.rule("kasserine", "15.13d")
@pytest.mark.parametrize(
    ("formation", "column", "row"), [("10Pz", 29, 0), ("21Pz", 29, 0), ("DAK", 0, 13), ("Cent", 0, 13)]
)
def test_divided_command_keeps_each_formation_on_its_side(formation: str, column: int, row: int) -> None:
    """Columns below 30 are closed to the panzer divisions, rows below 14 to the Afrika Korps and the Centauro."""
    units_ = [u for u in range(board.count) if board.formation[u] == formation]
    closed = {h for h in board.grid.hexes if board.column_of[h] <= column or board.row_of[h] <= row}
    s = empty("axis_movement", turn=4)
    outside = set(hexes_of(script_of(board, "s1_historical").outside))
    assert units_
    for u in units_:
        assert set(hexes_of(off_limits(s, u))) - outside == closed - outside
    s.turn = 5
    assert all(set(hexes_of(off_limits(s, u))) == outside for u in units_)
