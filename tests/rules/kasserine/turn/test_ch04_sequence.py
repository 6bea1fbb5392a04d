"""Chapter 4: starting the game and the sequence of play."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.games.kasserine.sequence import SEQUENCE
from sandtable.games.kasserine.table.ids import FLOWN, PHASE_CODES, PHASES, READY, TO_COME
from sandtable.games.kasserine.table.position import put
from sandtable.games.kasserine.table.zones import controls

from ..kit import ALLIED, AXIS, GAME, H, U, board, least, mask, new, of_kind, play_to


@pytest.mark.rule("kasserine", "4.11", "4.12", "4.13", "2.14", "15.11")
def test_a_scenario_sets_everything_up() -> None:
    s = new("s1_historical")
    assert board.grid.names[s.at[U("fr_const_i_67_minus")]] == "2123"
    assert board.grid.names[s.at[U("ger_10pz_i_7_pz")]] == "5925"
    assert s.at[U("ger_air_ii_stg_3")] == READY
    assert s.at[U("br_6ad_17_21_l")] == TO_COME
    assert not s.disrupted | s.oos | s.emergency | s.spent | s.fire_net
    assert s.mines[ALLIED] == s.untried == mask("5723", "5523")
    assert {scenario.id for scenario in GAME.scenarios()} - {"s4_first_battle"} == {
        "s0_learning",
        "s1_historical",
        "s2_campaign",
        "s3_kasserine_pass",
    }


@pytest.mark.rule("kasserine", "4.15")
def test_control_before_the_first_turn() -> None:
    s = new("s1_historical")
    assert controls(s, AXIS, H("5824"))
    assert controls(s, AXIS, H("7004"))
    assert controls(s, AXIS, H("6125"))  # in an Axis ZOC alone
    assert controls(s, ALLIED, H("1012"))
    assert controls(s, ALLIED, H("4119"))


@pytest.mark.rule("kasserine", "4.2a", "4.2b", "4.2c", "4.2d", "4.2e", "15.12")
def test_the_phases_come_in_their_order() -> None:
    assert [phase for phase, _ in SEQUENCE] == list(range(17))
    assert " ".join(PHASE_CODES) == "A1 A2 A3 A4 A5 B1 B2 B3 B4 C1 C2 C3 C4 D1 D2 D3 D4"
    s = new("s0_learning")
    seen: list[str] = []
    rng = Random(1)
    while s.turn == 1:
        if s.actor < 0:
            events = GAME.apply(s, GAME.roll(s, lambda n: rng.randint(1, n)).action)
        else:
            events = GAME.apply(s, least(s))
        seen += [PHASES[event.data["phase"]] for event in of_kind(events, "phase")]
    first = (
        "weather",
        "reinforcements",
        "supply_determination",
        "air_readiness",
        "joint_air",
    )  # before the first choice
    assert seen == [*PHASES[5:], *first]


@pytest.mark.rule("kasserine", "4.2f", "12.23ba", "12.23ca", "12.21")
def test_fired_units_and_spent_hqs_are_turned_back_after_each_combat_phase() -> None:
    s = new("s1_historical")
    play_to(s, "axis_movement")
    for phase in ("axis_motorized_movement", "allied_motorized_movement"):
        s.fired = 1 << U("us_1ad_91_afa") | 1 << U("ger_10pz_i_90")
        s.spent = 1 << U("us_1ad_cca_hq") | 1 << U("ger_10pz_10_pz_hq")
        play_to(s, phase)
        assert s.fired == s.spent == 0


@pytest.mark.rule("kasserine", "2.31", "2.32")
def test_the_charts_are_all_there() -> None:
    charts = board.charts
    assert [crt.name for crt in charts.crts] == ["assault", "mobile"]
    assert len(charts.interdiction) == 3
    assert len(charts.bombing) == 5
    assert all(len(row) == 10 for row in charts.weather)


@pytest.mark.rule("kasserine", "10.12", "10.13")
def test_air_units_are_ready_again_each_turn() -> None:
    s = new("s1_historical")
    play_to(s, "axis_movement")
    put(s, U("ger_air_ii_stg_3"), FLOWN)
    play_to(s, "joint_air", turn=2)
    assert s.at[U("ger_air_ii_stg_3")] == READY
