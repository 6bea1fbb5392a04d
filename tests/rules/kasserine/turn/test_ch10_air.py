"""Chapter 10: air support."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.kasserine.combat.chain import begin
from sandtable.games.kasserine.combat.coordination import commanders
from sandtable.games.kasserine.combat.support import FLY
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ids import INTERDICTION
from sandtable.games.kasserine.table.position import put
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import At, SideAt
from sandtable.games.kasserine.turn.air import AirAt, VictimAt, cut_off, stand_ins, victims
from sandtable.games.kasserine.turn.reorganization import interdiction_home

from ..kit import (
    ALLIED,
    AXIS,
    GAME,
    H,
    U,
    at,
    board,
    do,
    empty,
    new,
    of_kind,
    place,
    play_to,
    roll,
    start,
    texts,
    units,
    weather,
    why,
)

STUKAS = ["ger_air_ii_stg_3", "ger_air_iii_stg_3"]
BOMBERS = "ger_air_iii_kg_76"  # bombing 5, ER 6
ALL_AXIS = [*STUKAS, "ger_air_iii_skg_10", "ger_air_8_schg_2", "ger_air_ii_jg_51", BOMBERS]
PZ, RIFLES, TANKS, GUNS = "ger_10pz_i_7_pz", "us_34id_1_133", "us_1ad_2_1_ar", "us_34id_125_fa"


def rule_against(s: State, text: str) -> str:
    reason = why(s, text)
    return "" if reason is None else reason.rule


@pytest.mark.rule("kasserine", "10.11", "10.15a", "10.16", "10.17")
def test_air_units_have_no_place_on_the_map_and_no_steps() -> None:
    for name in (*ALL_AXIS, "us_air_33_fg", "fr_air_ii_5"):
        assert board.steps[U(name)] == 0
        assert board.air_er[U(name)] > 0
    s = GAME.new("s1_historical")
    assert all(s.at[u] < 0 for u in range(board.count) if board.air >> u & 1)


@pytest.mark.rule("kasserine", "10.2", "10.31", "10.32", "10.33a", "10.33b", "10.33c", "10.34", "4.2b")
def test_up_to_four_air_units_fly_interdiction_each_with_its_check() -> None:
    s = empty("joint_air")
    place(s, ALL_AXIS, "ready")
    start(s, SideAt(steps.INTERDICTION_PLACING, AXIS))
    assert rule_against(s, "interdict us_air_33_fg") == "10.11"
    do(s, f"interdict {STUKAS[0]}")
    roll(s, 7)
    assert at(s, STUKAS[0]) == "interdiction"
    do(s, f"interdict {STUKAS[1]}")
    roll(s, 8)
    assert at(s, STUKAS[1]) == "flown"
    assert rule_against(s, f"interdict {STUKAS[1]}") == "10.13"
    do(s, "interdict ger_air_iii_skg_10")
    roll(s, 1)
    do(s, "interdict ger_air_8_schg_2")
    roll(s, 1)
    assert rule_against(s, f"interdict {BOMBERS}") == "10.33a" or s.actor != AXIS or "interdict" not in str(texts(s))


@pytest.mark.rule("kasserine", "10.18", "3.7")
def test_in_rain_three_air_units_fly_in_a_turn() -> None:
    s = empty("joint_air", sky="rain")
    place(s, ALL_AXIS, "ready")
    start(s, SideAt(steps.INTERDICTION_PLACING, AXIS))
    for name in ALL_AXIS[:3]:
        do(s, f"interdict {name}")
        roll(s, 1)
    assert s.flown_now[AXIS] == 3
    assert not any(text.startswith(f"interdict {ALL_AXIS[4]}") for text in (texts(s) if s.actor >= 0 else []))


@pytest.mark.rule("kasserine", "10.35a", "10.35b", "10.36", "10.36a", "10.37a")
def test_supply_interdiction_takes_up_to_three_that_wait() -> None:
    s = empty("joint_air")
    place(s, [RIFLES, TANKS, GUNS], "0311")
    for name in ALL_AXIS[:4]:
        put(s, U(name), INTERDICTION)
    start(s, AirAt(steps.RAIDS, AXIS))
    do(s, *(f"raid {name}" for name in ALL_AXIS[:3]))
    assert rule_against(s, f"raid {ALL_AXIS[3]}") == "10.36a"
    do(s, "end_raid")
    assert at(s, ALL_AXIS[0]) == "flown"
    events = roll(s, 5)
    assert of_kind(events, "raided")[0].data["count"] == 1
    interdiction_home(s)
    assert at(s, ALL_AXIS[3]) == "flown"


@pytest.mark.rule("kasserine", "10.37b", "10.37c", "10.38a")
def test_victims_are_chosen_by_the_raider_and_spared_for_two_others() -> None:
    s = empty("joint_air")
    place(s, [RIFLES, TANKS, GUNS, "us_1ad_3_1_ar"], "0311")
    assert victims(s, AXIS) == units(TANKS, GUNS, "us_1ad_3_1_ar")
    put(s, U(STUKAS[0]), INTERDICTION)
    start(s, AirAt(steps.RAIDS, AXIS))
    do(s, f"raid {STUKAS[0]}", "end_raid")
    roll(s, 1)
    assert s.actor == AXIS
    assert rule_against(s, f"starve {RIFLES}") == "10.37b"
    do(s, f"starve {TANKS}")
    assert s.actor == ALLIED
    assert set(texts(s)) == {f"spare {GUNS}", "spare us_1ad_3_1_ar", "bear"}
    do(s, f"spare {GUNS}")
    assert rule_against(s, "bear") == "10.38a"
    do(s, "spare us_1ad_3_1_ar")
    assert s.oos == units(GUNS, "us_1ad_3_1_ar")
    s = empty("joint_air")
    place(s, [TANKS, GUNS], "0311")
    s.emergency = units(GUNS)
    assert stand_ins(s, VictimAt(steps.PRIORITY, ALLIED, 0, U(TANKS))) == 0


@pytest.mark.rule("kasserine", "10.38b")
def test_who_is_cut_off_has_no_emergency_supply_any_more_and_others_keep_theirs() -> None:
    s = empty("joint_air")
    place(s, [RIFLES, TANKS, GUNS], "0311")
    s.emergency = units(TANKS, RIFLES)
    cut_off(s, U(TANKS), "10.37b")
    assert s.oos == units(TANKS)
    assert s.emergency == units(RIFLES)


@pytest.mark.rule(
    "kasserine", "10.51", "10.51a", "10.51b", "10.51c", "10.52a", "10.52b", "10.53", "10.54", "10.54a", "10.55"
)
def test_a_bombing_mission() -> None:
    s = empty("joint_air")
    place(s, [RIFLES, TANKS], "6733")
    place(s, ALL_AXIS, "ready")
    start(s, SideAt(steps.BOMBING, AXIS))
    assert rule_against(s, "bomb 6732") == "10.53"
    do(s, "bomb 6733")
    assert rule_against(s, "bomb_with ger_air_ii_jg_51") == "10.52a"
    assert rule_against(s, "bombs_away") == "10.52b" or rule_against(s, "bombs_away").startswith("10.52")
    do(s, f"bomb_with {BOMBERS}", f"bomb_with {STUKAS[0]}", f"bomb_with {STUKAS[1]}")
    events = roll(s, 6)  # ER 6 of the lead: 5 + 3 + 3
    assert of_kind(events, "bombers")[0].data["value"] == 11
    assert at(s, BOMBERS) == "flown"
    roll(s, 10)
    assert rule_against(s, "bomb 6733") == "10.51b"


@pytest.mark.rule("kasserine", "10.54b", "10.54c", "10.56a", "10.56b", "10.58", "3.92")
def test_half_nothing_and_what_bombs_do() -> None:
    for face, value in ((7, 2), (10, 0)):
        s = empty("joint_air")
        place(s, RIFLES, "6733")
        start(s, AirAt(steps.BOMB_CHECK, AXIS, units(BOMBERS), U(BOMBERS), H("6733")))
        events = roll(s, face)
        assert of_kind(events, "bombers")[0].data["value"] == value
    s = empty("joint_air")
    place(s, [RIFLES, TANKS, "us_leader_harmon"], "6733")
    start(s, AirAt(steps.BOMB_ROLL, AXIS, units(BOMBERS), U(BOMBERS), H("6733"), 3))
    roll(s, 1)  # 1L
    assert s.actor == AXIS
    assert set(texts(s)) == {f"hit {RIFLES}", f"hit {TANKS}"}
    do(s, f"hit {TANKS}")
    assert s.disrupted == units(TANKS)
    assert s.actor == ALLIED
    do(s, f"lose {RIFLES}")
    assert s.step[U(RIFLES)] == 1


@pytest.mark.rule("kasserine", "10.54", "10.55")
def test_the_odds_of_a_mission_count_both_dice() -> None:
    s = empty("joint_air")
    place(s, [RIFLES, TANKS], "6733")
    place(s, ALL_AXIS, "ready")
    start(s, AirAt(steps.BOMBERS, AXIS, hex=H("6733")))
    odds = GAME.odds(s, GAME.parse(f"bomb_with {BOMBERS}"))
    assert odds is not None
    assert odds.terms[-1].value == "5"
    faces = board.charts.bombing
    full, half = faces[board.charts.bombing_column(5)], faces[board.charts.bombing_column(2)]
    hits = 6 * sum(1 for count, _ in full if count) + 3 * sum(1 for count, _ in half if count)  # ER 6, none on 10
    chances = dict(odds.parts[0].results)
    assert chances["nothing"] == 1 - Fraction(hits, 100)
    assert sum(chances.values()) == 1
    do(s, f"bomb_with {BOMBERS}")
    more = GAME.odds(s, GAME.parse(f"bomb_with {STUKAS[0]}"))
    assert more is not None
    assert more.terms[-1].value == "8"
    assert dict(more.parts[0].results)["nothing"] < chances["nothing"]


@pytest.mark.rule("kasserine", "10.57")
def test_no_bombs_fall_in_rain() -> None:
    s = empty("joint_air")
    place(s, RIFLES, "6733")
    place(s, ALL_AXIS, "ready")
    weather(s, "rain")
    start(s, SideAt(steps.BOMBING, AXIS))
    assert "bomb" not in str(texts(s))


@pytest.mark.rule("kasserine", "12.13ca", "12.23b3", "12.23b", "12.23c", "10.47")
def test_any_hq_near_may_help_the_air_and_frenchmen_alone_get_none() -> None:
    s = empty("axis_combat")
    place(s, PZ, "6733")
    place(s, "fr_const_i_3_rta", "6732")
    place(s, "fr_const_const_hq", "6730")
    place(s, "ita_cent_centauro_hq", "6735")
    place(s, "us_air_33_fg", "ready")
    s.aims = {H("6732"): units(PZ)}
    begin(s, At(steps.COMBATS), H("6732"))
    s.fight.lead = [U(PZ), U("fr_const_i_3_rta")]
    assert commanders(s, s.fight, AXIS, 2) == units("ita_cent_centauro_hq")
    assert commanders(s, s.fight, AXIS, 1) == 0  # another formation
    s.fight.commanded[AXIS] = U("ita_cent_centauro_hq")
    assert commanders(s, s.fight, AXIS, 2) == 0  # one HQ for each combat
    reason = FLY.why(U("us_air_33_fg"), s, ALLIED, {"unit": 0})
    assert reason is not None
    assert reason.rule == "10.47"
    place(s, RIFLES, "6732")
    assert FLY.why(U("us_air_33_fg"), s, ALLIED, {"unit": 0}) is None


@pytest.mark.rule("kasserine", "10.37a")
def test_the_table_of_supply_interdiction_is_weighed_with_those_assigned() -> None:
    s = empty("joint_air")
    place(s, TANKS, "5224")
    put(s, U(STUKAS[0]), INTERDICTION)
    put(s, U(STUKAS[1]), INTERDICTION)
    start(s, AirAt(steps.RAIDS, AXIS))
    assert GAME.odds(s, GAME.parse("end_raid")) is None  # nobody flies
    for plane, shares in zip(STUKAS, ({0: 7, 1: 3}, {0: 4, 1: 5, 2: 1}), strict=True):
        do(s, f"raid {plane}")
        weighed = GAME.odds(s, GAME.parse("end_raid"))
        assert weighed is not None
        assert [10 * share for _, share in weighed.results] == [shares[n] for n in sorted(shares, reverse=True)]
        assert str(weighed.results[-1][0]) == "nothing"


@pytest.mark.rule("kasserine", "10.32", "10.37a", "10.51")
def test_in_every_step_of_the_joint_air_phase_the_axis_comes_first() -> None:
    s = new("s1_historical")
    play_to(s, "joint_air")
    asked = []
    for end in ("end_interdiction", "end_raid", "end_bombing"):
        for _ in range(2):
            asked.append(s.actor)
            put(s, U(STUKAS[0] if s.actor == AXIS else "us_air_52_fg"), INTERDICTION)
            assert end in texts(s)
            do(s, end)
    assert asked == [AXIS, ALLIED] * 3
