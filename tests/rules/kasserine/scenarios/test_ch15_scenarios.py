"""Chapters 15 and 16: scenarios and options."""

from __future__ import annotations

import pytest

from sandtable.games.kasserine.combat.chain import begin
from sandtable.games.kasserine.combat.results import finish
from sandtable.games.kasserine.paths.moves import bans, held_back, off_limits
from sandtable.games.kasserine.supply.lines import sources
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ids import PHASES, RAIN
from sandtable.games.kasserine.table.position import eliminate
from sandtable.games.kasserine.table.ratings import surprise
from sandtable.games.kasserine.table.script import script
from sandtable.games.kasserine.table.steps import At, CheckAt
from sandtable.games.kasserine.turn.victory import determine, net, score, turn_penalty

from ..combat.ch08combatkit import advance_of
from ..kit import ALLIED, AXIS, GAME, H, U, board, empty, mask, new, place, roll, start, units

PZ, PANZER21, DAK, FONDOUK = "ger_10pz_i_7_pz", "ger_21pz_i_5_pz", "ger_dak_i_8_pz", "ger_47gr_i_47"
HILLMEN, GRENADIERS = "us_34id_2_168", "ger_47gr_ii_47"


def column(number: int) -> int:
    return sum(1 << h for h in board.grid.hexes if board.column_of[h] == number)


@pytest.mark.rule("kasserine", "15.05", "15.05a", "15.1", "15.2", "15.21", "15.3", "15.35")
def test_the_four_scenarios_and_their_turns() -> None:
    spans = {name: (script(new(name)).first, script(new(name)).last) for name in board.pack.scenarios}
    assert spans == {
        "s0_learning": (1, 3),
        "s1_historical": (1, 11),
        "s2_campaign": (1, 13),
        "s3_kasserine_pass": (6, 10),
        "s4_first_battle": (1, 1),  # our own, for beginners
    }
    s = new("s0_learning")
    assert off_limits(s, U(PZ)) >> H("4014") & 1
    assert not off_limits(s, U(PZ)) >> H("4115") & 1
    assert sources(s, AXIS) == mask("7024", "5535")
    assert script(s).exits == (0, 0)
    assert not script(s).bombing
    s.phase = 6
    assert sum(term.value for term in surprise(s, U("us_1ad_3_1_ar"), "avoid_combat")) == -1


@pytest.mark.rule("kasserine", "15.05b", "1.3")
def test_the_results_of_the_learning_scenario_are_tested_in_order() -> None:
    def result(control: tuple[str, ...], allied: int = 0, german: int = 0, edition: int = 3) -> str:
        s = empty("victory_determination", turn=3, scenario="s0_learning")
        s.edition = edition
        s.control = mask(*control)
        s.lost[2], s.lost[0] = allied, german
        outcome = determine(s)
        assert outcome is not None
        return outcome.level

    assert result(("5224", "5422", "5421"), 17) == "Axis decisive victory"
    assert result(("5224", "5422", "5421"), 16) == "Axis marginal victory"
    assert result(("4119",)) == "Axis decisive victory"
    assert result((), 17) == "Allied decisive victory"  # Sidi Bou Zid is held
    assert result(("5224",), 14) == "Axis marginal victory"
    assert result(("5224",), 14, 8) == "Allied decisive victory"
    assert result(("5224",), 13) == "Allied marginal victory"
    for lost, level in ((15, "Axis decisive victory"), (12, "Axis marginal victory"), (11, "Allied marginal victory")):
        assert result(("5224", "5422", "5421"), lost, edition=2) == level
    s = empty("victory_determination", turn=2, scenario="s0_learning")
    assert determine(s) is None


@pytest.mark.rule("kasserine", "15.13a", "15.23a")
def test_surprise_on_turn_one() -> None:
    for name in ("s1_historical", "s2_campaign"):
        s = new(name)
        s.phase = 6
        tanks = U("us_1ad_3_1_ar")
        assert [term.value for term in surprise(s, tanks, "avoid_combat")] == [-1]
        assert [term.value for term in surprise(s, tanks, "reaction_movement")] == [-1]
        assert not surprise(s, tanks, "no_retreat")
        s.turn = 2
        assert not surprise(s, tanks, "avoid_combat")
        s.turn, s.phase = 1, 9
        ban = held_back(s, U("us_1id_1_26"))  # in Feriana, column 24
        assert ban is not None
        assert ban.rule == "15.13a" or name == "s2_campaign"


@pytest.mark.rule("kasserine", "15.13b", "15.23b")
def test_the_hilltops_are_held_until_turn_two() -> None:
    s = new("s1_historical")
    hill = U("us_34id_2_168")
    for turn, phase, held in ((1, 6, True), (1, 9, True), (2, 8, True), (2, 9, False), (3, 9, False)):
        s.turn, s.phase = turn, phase
        assert (held_back(s, hill) is not None) == held
    s = new("s2_campaign")
    s.turn, s.phase = 1, 9
    assert held_back(s, hill) is None


@pytest.mark.rule("kasserine", "15.13a", "15.13b", "8.9")
def test_who_holds_a_hilltop_may_advance_from_it_and_the_rear_may_react() -> None:
    """A101: what the two special rules of the first turn do not forbid."""
    s = empty("allied_combat", turn=1)
    place(s, HILLMEN, "5421")
    place(s, GRENADIERS, "5422")
    s.aims = {H("5422"): units(HILLMEN)}
    begin(s, At(steps.COMBATS), H("5422"))
    s.stack.clear()
    eliminate(s, U(GRENADIERS), "8.71d")
    assert held_back(s, U(HILLMEN)) is not None
    assert advance_of(s, HILLMEN) == mask("5422")
    s = empty("allied_reaction", turn=1)
    place(s, HILLMEN, "2727")
    assert held_back(s, U(HILLMEN)) is None
    s.phase = PHASES.index("allied_movement")
    assert held_back(s, U(HILLMEN)) is not None


@pytest.mark.rule("kasserine", "15.13d", "15.13e", "15.33b", "15.23b")
def test_divided_command_and_group_fondouk() -> None:
    s = new("s1_historical")
    s.turn, s.phase = 4, 5
    assert off_limits(s, U(PZ)) == off_limits(s, U(PANZER21))
    assert off_limits(s, U(PZ)) & column(29) == column(29)
    assert not off_limits(s, U(PZ)) & column(30)
    assert off_limits(s, U(DAK)) >> H("4013") & 1
    assert not off_limits(s, U(DAK)) >> H("4014") & 1
    assert not off_limits(s, U(FONDOUK))
    s.turn = 3
    assert off_limits(s, U(FONDOUK)) & column(54) == column(54)
    s.turn = 5
    assert not off_limits(s, U(PZ)) | off_limits(s, U(DAK))
    s = new("s2_campaign")
    assert not off_limits(s, U(PZ)) | off_limits(s, U(FONDOUK))
    s = new("s3_kasserine_pass")
    assert off_limits(s, U(PANZER21)) & column(32) == column(32)
    s.turn = 8
    assert not off_limits(s, U(PANZER21))


@pytest.mark.rule("kasserine", "15.13f", "15.23e")
def test_nobody_leaves_the_map_before_turn_five() -> None:
    for name, unit in (("s1_historical", PZ), ("s2_campaign", PZ), ("s2_campaign", "us_1ad_3_1_ar")):
        s = new(name)
        s.turn = 4
        assert bans(s, "may_not_exit", U(unit))
        s.turn = 5
        assert not bans(s, "may_not_exit", U(unit))


@pytest.mark.rule("kasserine", "15.15", "15.25", "15.25a", "15.25c")
def test_points_for_places_and_losses() -> None:
    s = empty("victory_determination", turn=11)
    s.control = mask("2708", "3145")
    s.lost = [3, 2, 4, 1, 5]
    s.captured = units("us_leader_harmon")
    values = {str(item.text): item.value for item in score(s)}
    assert values["Places of the Axis"] == 12 + 3
    assert values["Steps lost: American, British"] == 5
    assert values["Steps lost: French"] == 2  # two steps a point, fractions dropped
    assert values["Steps lost: German"] == -6
    assert values["Steps lost: Italian"] == -2
    assert values["Leaders taken"] == 3
    assert net(s) == 15 + 5 + 2 - 6 - 2 + 3
    s = empty("victory_determination", turn=13, scenario="s2_campaign")
    assert {str(item.text): item.value for item in score(s)} == {"Places of the Allies": -18}


@pytest.mark.rule("kasserine", "15.25")
@pytest.mark.parametrize(
    ("points", "now", "before"),
    [
        (95, "Axis decisive victory", "Axis decisive victory"),
        (80, "Axis decisive victory", "Axis marginal victory"),
        (79, "Axis marginal victory", "Axis marginal victory"),
        (50, "Axis marginal victory", "Draw"),
        (49, "Draw", "Allied marginal victory"),
        (25, "Draw", "Allied decisive victory"),
        (24, "Allied marginal victory", "Allied decisive victory"),
        (5, "Allied marginal victory", "Allied decisive victory"),
        (4, "Allied decisive victory", "Allied decisive victory"),
    ],
)
def test_levels_of_victory_of_the_campaign(points: int, now: str, before: str) -> None:
    for edition, level in ((3, now), (2, before)):
        s = empty("victory_determination", turn=13, scenario="s2_campaign")
        s.edition = edition
        s.lost[2] = points + 18  # the places of the Allies
        outcome = determine(s)
        assert outcome is not None
        assert (outcome.level, outcome.points) == (level, points)


@pytest.mark.rule("kasserine", "15.35")
@pytest.mark.parametrize(
    ("edition", "points", "level"),
    [
        (5, 28, "Axis decisive victory"),
        (5, 27, "Axis marginal victory"),
        (5, 18, "Axis marginal victory"),
        (5, 17, "Draw"),
        (5, 8, "Draw"),
        (5, 7, "Allied marginal victory"),
        (5, 3, "Allied marginal victory"),
        (5, 2, "Allied decisive victory"),
        (4, 28, "Axis decisive victory"),
        (4, 16, "Axis marginal victory"),
        (4, 15, "Draw"),
        (4, 3, "Draw"),
        (4, 2, "Allied marginal victory"),
        (4, -2, "Allied marginal victory"),
        (4, -3, "Allied decisive victory"),
    ],
)
def test_levels_of_victory_at_the_pass(edition: int, points: int, level: str) -> None:
    s = empty("victory_determination", turn=10, scenario="s3_kasserine_pass")
    s.edition, s.lost[2], s.penalty = edition, max(points, 0), max(-points, 0)
    outcome = determine(s)
    assert outcome is not None
    assert (outcome.level, outcome.points) == (level, points)


@pytest.mark.rule("kasserine", "15.35")
@pytest.mark.parametrize(
    ("points", "level"),
    [
        (16, "Axis marginal victory"),
        (9, "Draw"),
        (8, "Allied marginal victory"),
        (5, "Allied marginal victory"),
        (4, "Allied decisive victory"),
    ],
)
def test_games_of_the_first_edition_are_judged_as_they_were(points: int, level: str) -> None:
    s = empty("victory_determination", turn=10, scenario="s3_kasserine_pass")
    s.edition, s.lost[2] = 1, points
    outcome = determine(s)
    assert outcome is not None
    assert outcome.level == level


@pytest.mark.rule("kasserine", "15.15", "15.25d")
@pytest.mark.parametrize(
    ("points", "level"),
    [
        (75, "Axis decisive victory"),
        (55, "Axis marginal victory"),
        (40, "Draw"),
        (25, "Allied marginal victory"),
        (24, "Allied decisive victory"),
    ],
)
def test_levels_of_victory(points: int, level: str) -> None:
    s = empty("victory_determination", turn=11)
    s.lost[2] = points
    outcome = determine(s)
    assert outcome is not None
    assert (outcome.level, outcome.points) == (level, points)
    s.turn = 10
    assert determine(s) is None


@pytest.mark.rule("kasserine", "15.15", "15.25d", "15.25e")
def test_immediate_victories() -> None:
    s = empty("victory_determination", turn=4)
    s.control = mask("1012")
    outcome = determine(s)
    assert outcome is not None
    assert outcome.level == "Axis decisive victory"
    s = empty("victory_determination", turn=6, scenario="s2_campaign")
    allied = [u for u in range(board.count) if board.nation[u] in (2, 3) and board.steps[u] == 2][:5]
    s.left_at = {u: H("7004") for u in allied}
    outcome = determine(s)
    assert outcome is not None
    assert outcome.winner == ALLIED
    french = [u for u in range(board.count) if board.nation[u] == 4 and board.steps[u] == 2][:5]
    s.left_at = {u: H("7004") for u in french}
    assert determine(s) is None
    assert {str(item.text): item.value for item in score(s)}["Allied steps off the map"] == -10


@pytest.mark.rule("kasserine", "15.23c", "15.23d")
def test_patton_comes_on_turn_12_and_mareth_costs_points() -> None:
    s = new("s2_campaign")
    assert s.due[U("us_leader_patton")] == 12
    panzer15 = ["ger_15pz_15_pz_hq", "ger_15pz_ii_8_pz", "ger_15pz_i_115"]
    s.turn = 8
    assert turn_penalty(s) == 0
    place(s, panzer15[:2], "3848")
    assert turn_penalty(s) == 0  # two may stay
    place(s, panzer15, "3848")
    assert turn_penalty(s) == 1
    s.turn = 7
    assert turn_penalty(s) == 0
    s.penalty = 3
    assert {str(item.text): item.value for item in score(s)}["Units kept from Mareth"] == -3


@pytest.mark.rule("kasserine", "15.33a")
def test_the_pass_begins_in_the_rain() -> None:
    s = new("s3_kasserine_pass")
    assert s.weather == RAIN
    assert s.tigers_bound
    assert not s.oos | s.emergency | s.disrupted


# 16


@pytest.mark.rule("kasserine", "16.2")
def test_green_troops_are_disrupted_after_a_bad_failure() -> None:
    """The ER of the US tanks is 4, that of the British battalion 5: it is not green."""
    tanks, british = "us_1ad_2_1_ar", "br_6ad_2_5_leic"
    for lead, turn, face, green in ((tanks, 2, 9, 1), (tanks, 2, 8, 0), (tanks, 4, 10, 0), (british, 2, 10, 0)):
        s = empty("allied_combat", turn=turn, green_troops=True)
        place(s, lead, "6733")
        place(s, PZ, "6732")
        s.aims = {H("6732"): units(lead)}
        begin(s, At(steps.COMBATS), H("6732"))
        s.fight.lead = [U(PZ), U(lead)]
        s.stack.append(CheckAt(steps.COORDINATION, ALLIED, 1))
        GAME.frames[steps.COORDINATION].take(s, s.stack[-1], (0, face))
        finish(s)
        assert bool(s.disrupted) == bool(green)


@pytest.mark.rule("kasserine", "16.3")
@pytest.mark.parametrize(("face", "free"), [(3, True), (4, False)])
def test_variable_command(face: int, free: bool) -> None:
    s = empty("weather", turn=4, variable_command=True)
    place(s, PZ, "6733")
    start(s, steps.COMMAND_ROLL)
    assert s.actor == -1
    roll(s, face)
    s.phase = 5
    assert (off_limits(s, U(PZ)) == 0) == free
