"""10 Combat results."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.engine.contract import CHANCE, Odds
from sandtable.games.caucasus.combat import begin_fight
from sandtable.games.caucasus.effects import OPPONENT_CHOOSES_A1D2, OWNER_CHOOSES_A1D1
from sandtable.games.caucasus.ids import F_COMBAT, F_LOSS, F_MOVES, MOBILE, RESULTS
from sandtable.games.caucasus.losses import RETREAT_LOSS
from sandtable.games.caucasus.scenarios import A1D1_OWNER, A1D2_OPPONENT
from sandtable.games.caucasus.state import State

from .fights import attack, combat, field, resolve, term
from .kit import GAME, H, U, at, board, do, kinds, of_kind, place, roll, start, texts, units, why

AXIS, SOVIET = 0, 1

# Positions with a known column (all in the open): who attacks from 1234, who stands in 1333.
ONE_TO_ONE = ["GE-73"]  # 5:5: A1 A1 A1 EX A1/DR DR
FOUR_TO_ONE = ["GE-13Pz"]  # 10:5, armour, TQ: EX DR DR A1/D1 D1 D1
FIVE_TO_ONE = ["GE-13Pz", "GE-73"]  # 15:5, armour, TQ: DR DR A1/D1 D1 D1 A1/D2
SIX_TO_ONE = ["GE-13Pz", "GE-23Pz"]  # 20:5, armour, TQ: A1/D1 DR D1 D1 D1 D1-B


def shows(s: State, unit: str) -> int:
    return s.step[U(unit)]


def retreat(s: State) -> None:
    """The Soviet player gives way, by the first hexes that he may choose."""
    if "yield" in texts(s):
        do(s, "yield")
    while GAME.to_act(s) == SOVIET:
        do(s, texts(s)[0])


def away(s: State, unit: str) -> int:
    """How far from 1333 a unit is."""
    return board.grid.distance(s.at[U(unit)], H("1333"))


def may_advance(s: State) -> bool:
    return any(text.startswith("advance") for text in texts(s))


# 10.1 The results


@pytest.mark.rule("caucasus", "10.1a")
def test_only_units_in_the_combat_at_hand_lose_steps() -> None:
    s = field(["GE-73", "GE-125"], "SU-353RD")
    resolve(s, 1, "1333", "GE-73")  # A1
    assert (shows(s, "GE-73"), shows(s, "GE-125")) == (1, 0)


@pytest.mark.rule("caucasus", "10.1b", "10.4a")
def test_d1_b_a_step_four_hexes_disrupted_and_no_stand() -> None:
    s = field(SIX_TO_ONE, "SU-353RD")
    resolve(s, 6, "1333")
    assert RESULTS[s.result] == "D1-B"
    assert shows(s, "SU-353RD") == 1
    assert "yield" not in texts(s)
    retreat(s)
    assert away(s, "SU-353RD") == 4
    assert s.disrupted == units("SU-353RD")
    assert may_advance(s)


@pytest.mark.rule("caucasus", "10.1c", "10.4a", "22.4")
def test_a1_d2_the_opponent_chooses_and_the_survivors_run() -> None:
    s = field(["GE-13Pz", "GE-23Pz", "GE-73", "GE-125"], ["SU-353RD", "SU-77RD"])  # 30:10, armour, TQ: 5:1
    resolve(s, 6, "1333")
    assert RESULTS[s.result] == "A1/D2"
    assert GAME.to_act(s) == SOVIET
    assert texts(s) == ["lose GE-13Pz", "lose GE-73", "lose GE-125", "lose GE-23Pz"]
    do(s, "lose GE-13Pz")
    assert GAME.to_act(s) == AXIS
    assert texts(s) == ["lose SU-353RD", "lose SU-77RD"]
    do(s, "lose SU-77RD")
    # the second is the owner's, and 10.2b leaves him the full-strength one
    assert (shows(s, "SU-353RD"), shows(s, "SU-77RD"), shows(s, "GE-13Pz")) == (1, 1, 1)
    assert "yield" not in texts(s)
    retreat(s)
    assert away(s, "SU-353RD") == away(s, "SU-77RD") == 4
    assert s.disrupted == units("SU-353RD", "SU-77RD")
    assert may_advance(s)


@pytest.mark.rule("caucasus", "10.1c")
def test_a1_d2_against_a_single_step_costs_the_attacker_nothing() -> None:
    s = field(["GE-73", "GE-97Jg"], "SU-68RB")  # 9:2 = 4:1, TQ: 5:1
    resolve(s, 6, "1333")
    assert at(s, "SU-68RB") == "cadre"
    assert (shows(s, "GE-73"), shows(s, "GE-97Jg")) == (0, 0)
    assert may_advance(s)
    s = field(FIVE_TO_ONE, "SU-353RD")  # two steps: both lost, and the attacker pays
    resolve(s, 6, "1333")
    assert GAME.to_act(s) == SOVIET
    do(s, "lose GE-73")
    assert at(s, "SU-353RD") == "cadre"
    assert shows(s, "GE-73") == 1


@pytest.mark.rule("caucasus", "10.1d")
def test_d1_a_step_and_a_retreat_or_a_stand() -> None:
    s = field(FOUR_TO_ONE, "SU-353RD")
    resolve(s, 5, "1333")
    assert RESULTS[s.result] == "D1"
    assert shows(s, "SU-353RD") == 1
    assert texts(s) == ["lead SU-353RD", "yield"]
    retreat(s)
    assert away(s, "SU-353RD") == 2
    assert not s.disrupted
    assert may_advance(s)
    s = field(["GE-13Pz"], "SU-68RB")  # eliminated: a full advance too (A26); 5:1, TQ and armour: 7:1
    resolve(s, 2, "1333")
    assert at(s, "SU-68RB") == "cadre"
    assert may_advance(s)


@pytest.mark.rule("caucasus", "10.1e")
def test_dr_a_retreat_or_a_stand() -> None:
    s = field(FOUR_TO_ONE, "SU-353RD")
    resolve(s, 2, "1333")
    assert RESULTS[s.result] == "DR"
    assert shows(s, "SU-353RD") == 0
    retreat(s)
    assert away(s, "SU-353RD") == 2
    assert may_advance(s)


@pytest.mark.rule("caucasus", "10.1f", "10.2a", "22.3")
def test_a1_d1_each_owner_chooses_his_own_loss() -> None:
    """A28, as printed; the example of play has it the other way, which the switch of 22.3 allows."""
    for owner in (True, False):
        s = field(["GE-13Pz", "GE-23Pz"], ["SU-353RD", "SU-77RD"])  # 20:10, armour, TQ: 4:1
        s.flags = s.flags | A1D1_OWNER if owner else s.flags & ~A1D1_OWNER
        resolve(s, 4, "1333")
        assert RESULTS[s.result] == "A1/D1"
        assert GAME.to_act(s) == (AXIS if owner else SOVIET)
        assert texts(s) == ["lose GE-13Pz", "lose GE-23Pz"]
        do(s, "lose GE-23Pz")
        assert GAME.to_act(s) == (SOVIET if owner else AXIS)
        assert texts(s) == ["lose SU-353RD", "lose SU-77RD"]
        do(s, "lose SU-353RD")
        assert (shows(s, "GE-23Pz"), shows(s, "SU-353RD")) == (1, 1)
        retreat(s)
        assert away(s, "SU-353RD") == 2
        assert may_advance(s)


@pytest.mark.rule("caucasus", "22.3", "22.4")
def test_the_switches_are_the_scenarios_switches() -> None:
    assert (OWNER_CHOOSES_A1D1, OPPONENT_CHOOSES_A1D2) == (A1D1_OWNER, A1D2_OPPONENT)
    s = field(FIVE_TO_ONE, "SU-353RD")
    s.flags &= ~A1D2_OPPONENT
    resolve(s, 6, "1333")
    assert GAME.to_act(s) == AXIS
    assert texts(s) == ["lose GE-13Pz", "lose GE-73"]


@pytest.mark.rule("caucasus", "10.1g")
def test_ex_a_step_each_by_the_opponents_choice_and_nobody_leaves() -> None:
    s = field(["GE-13Pz", "GE-23Pz"], ["SU-353RD", "SU-77RD"])
    resolve(s, 1, "1333")
    assert RESULTS[s.result] == "EX"
    assert GAME.to_act(s) == SOVIET
    assert texts(s) == ["lose GE-13Pz", "lose GE-23Pz"]
    do(s, "lose GE-13Pz")
    assert GAME.to_act(s) == AXIS
    assert texts(s) == ["lose SU-353RD", "lose SU-77RD"]
    do(s, "lose SU-77RD")
    assert (shows(s, "GE-13Pz"), shows(s, "SU-77RD")) == (1, 1)
    assert at(s, "SU-77RD") == at(s, "SU-353RD") == "1333"
    assert not may_advance(s)


@pytest.mark.rule("caucasus", "10.1g")
def test_ex_against_a_single_step_lets_the_attacker_in_and_no_further() -> None:
    s = field("GE-97Jg", "SU-68RB")  # 4:2, TQ: 3:1, EX on a 2
    place(s, "GE-13Pz", "1434")
    resolve(s, 2, "1333", "GE-97Jg")
    assert RESULTS[s.result] == "EX"
    assert at(s, "SU-68RB") == "cadre"
    moves = [text for text in texts(s) if text.startswith("advance")]
    assert moves == ["advance GE-97Jg 1333"]


@pytest.mark.rule("caucasus", "10.1h")
def test_a1_dr_a_step_of_the_attacker_and_a_retreat_or_a_stand() -> None:
    s = field(ONE_TO_ONE, "SU-353RD")
    resolve(s, 5, "1333")
    assert RESULTS[s.result] == "A1/DR"
    assert (shows(s, "GE-73"), shows(s, "SU-353RD")) == (1, 0)
    assert texts(s) == ["lead SU-353RD", "yield"]
    retreat(s)
    assert away(s, "SU-353RD") == 2
    assert may_advance(s)


@pytest.mark.rule("caucasus", "10.1i")
def test_a1_a_step_of_the_attacker_and_nothing_else() -> None:
    s = field(ONE_TO_ONE, "SU-353RD")
    events = resolve(s, 1, "1333")
    assert [e.rule for e in of_kind(events, "step_lost")] == ["10.1i"]
    assert at(s, "SU-353RD") == "1333"
    assert shows(s, "SU-353RD") == 0
    assert not may_advance(s)


# 10.2 Step losses


@pytest.mark.rule("caucasus", "10.2a")
def test_the_owner_chooses() -> None:
    s = field(["GE-73", "GE-125"], ["SU-353RD", "SU-77RD"])  # 1:1
    resolve(s, 1, "1333")
    assert GAME.to_act(s) == AXIS
    assert texts(s) == ["lose GE-73", "lose GE-125"]
    do(s, "lose GE-125")
    assert (shows(s, "GE-73"), shows(s, "GE-125")) == (0, 1)


@pytest.mark.rule("caucasus", "10.2b")
def test_full_strength_first_then_reduced_then_remnants() -> None:
    s = combat()
    place(s, "GE-73", "1234", shows="remnant")
    place(s, "GE-125", "1234", shows="reduced")
    place(s, "GE-198", "1234")
    place(s, "GE-4Bic", "1234")  # one step: counts as full strength (A27)
    place(s, ["SU-353RD", "SU-77RD"], "1333")  # 11:10
    resolve(s, 1, "1333")
    assert texts(s) == ["lose GE-198", "lose GE-4Bic"]
    assert why(s, "lose GE-125") == (
        "10.2b",
        "125th Infantry Division is reduced: the loss falls on a full-strength or one-step unit first",
    )
    s = combat()
    place(s, "GE-73", "1234", shows="remnant")
    place(s, "GE-125", "1234", shows="reduced")
    place(s, "SU-68RB", "1333")  # 4:2
    resolve(s, 1, "1333")
    assert (at(s, "GE-73"), shows(s, "GE-125")) == ("1234", 2)
    s = combat()
    place(s, "GE-73", "1234", shows="remnant")
    place(s, "SU-68RB", "1333")  # 1:2
    resolve(s, 1, "1333")
    assert at(s, "GE-73") == "cadre"


@pytest.mark.rule("caucasus", "10.2b", "15.1b")
def test_a_loss_in_retreat_falls_on_the_retreating_units() -> None:
    """11.2g: chosen by their owner in the order of 10.2b, never an HQ beside others."""
    s = combat()
    place(s, "SU-353RD", "1333", shows="reduced")
    place(s, ["SU-77RD", "SU-68RB", "SU-BlackSea-HQ"], "1333")
    s.retreating = units("SU-353RD", "SU-77RD", "SU-68RB", "SU-BlackSea-HQ")
    start(s, (F_MOVES, 0), (F_LOSS, SOVIET, SOVIET, RETREAT_LOSS))
    assert GAME.to_act(s) == SOVIET
    assert texts(s) == ["lose SU-68RB", "lose SU-77RD"]
    assert why(s, "lose SU-BlackSea-HQ") == (
        "15.1a",
        "Black Sea Group HQ is an HQ: it loses a step only if it is alone",
    )
    events = do(s, "lose SU-77RD")
    assert shows(s, "SU-77RD") == 1
    assert of_kind(events, "step_lost")[0].rule == "11.2g"


# 10.3 Steps


@pytest.mark.rule("caucasus", "10.3a")
def test_a_loss_flips_a_unit_or_takes_it_off_the_map() -> None:
    s = field(ONE_TO_ONE, "SU-353RD")
    resolve(s, 1, "1333")
    assert shows(s, "GE-73") == 1
    assert at(s, "GE-73") == "1234"
    for unit, box in (("SU-68RB", "cadre"), ("SU-136TB", "removed")):  # A52
        s = field("GE-13Pz", unit)
        resolve(s, 3, "1333")
        assert at(s, unit) == box, unit


@pytest.mark.rule("caucasus", "10.3b", "10.3d")
def test_who_has_three_steps_and_who_has_two() -> None:
    """All German infantry, panzergrenadier, panzer divisions and the five Soviet rifle corps; not Jäger, mountain."""
    large = set()
    for name, kind, steps in zip(board.units, board.types, board.steps, strict=True):
        row = board.pack.units[name]
        german = row["nation"] == "German" and row["size"] == "XX"
        if (german and kind in ("infantry", "panzergrenadier", "panzer")) or row["size"] == "XXX":
            assert steps == 3, name
            large.add(name)
        elif kind in ("jaeger", "mountain"):
            assert steps == 2, name
    assert {"GE-5SS", "GE-13Pz", "GE-73"} <= large
    assert len([n for n in large if n.startswith("SU-")]) == 5
    assert all(board.steps[U(n)] < 3 for n in board.units if n not in large)


@pytest.mark.rule("caucasus", "10.3b")
def test_x_10_3_the_wiking_division_has_three_steps() -> None:
    """X-10.3: full side, reduced side, remnant; the third loss eliminates it."""
    s = combat("soviet")
    place(s, ["SU-10GRC", "SU-11GRC", "SU-9RC"], "1234")
    seen = []
    for side in ("full", "reduced", "remnant"):
        s = combat()
        place(s, "GE-5SS", "1234", shows=side)
        place(s, "SU-68RB" if side == "remnant" else "SU-353RD", "1333")
        place(s, "SU-136TB", "1333")
        resolve(s, 1, "1333")
        seen.append((at(s, "GE-5SS"), shows(s, "GE-5SS")))
    assert seen == [("1234", 1), ("1234", 2), ("cadre", 2)]


@pytest.mark.rule("caucasus", "10.3c")
def test_a_remnant_made_by_the_combat_retreats() -> None:
    s = combat("soviet")
    place(s, ["SU-10GRC", "SU-11GRC", "SU-9RC"], "1333")  # 17:4 = 4:1, TQ: 5:1
    place(s, "GE-73", "1234", shows="reduced")
    resolve(s, 4, "1234")
    assert RESULTS[s.result] == "D1"
    assert shows(s, "GE-73") == 2
    assert texts(s) == ["lead GE-73", "yield"]  # A29
    do(s, "yield")
    while GAME.to_act(s) == AXIS:
        do(s, texts(s)[0])
    assert board.grid.distance(s.at[U("GE-73")], H("1234")) == 2


# 10.4 Determined Defence


def stand(defenders: list[str], hex_: str = "1332", origin: str = "1433", attackers: str = "GE-13Pz") -> State:
    """An attack on some hex (a town in the open), up to the defender's choice after a DR."""
    s = combat()
    place(s, attackers, origin)
    place(s, ["GE-23Pz", "GE-14Pz", "GE-3Pz"], origin)
    place(s, defenders, hex_)
    attack(s, hex_)
    while RESULTS[s.result] != "DR" if s.result >= 0 else True:
        do(s, "commit")
        dice = [i + 1 for i, code in enumerate(board.crt[s.column]) if code == "DR"]
        assert dice, board.crt_columns[s.column]
        roll(s, dice[0])
    return s


def odds_of(s: State, action: str) -> Odds:
    odds = GAME.odds(s, GAME.parse(action))
    assert odds is not None
    return odds


@pytest.mark.rule("caucasus", "10.4a", "10.4c")
def test_a_stand_cancels_the_retreat_and_the_advance() -> None:
    for result, die in (("D1", 5), ("DR", 2), ("A1/D1", 4)):
        s = field(FOUR_TO_ONE, ["SU-353RD"])
        resolve(s, die, "1333")
        assert RESULTS[s.result] == result
        do(s, "lead SU-353RD")
        events = roll(s, 6)  # clear: a 6 holds and costs a step
        assert of_kind(events, "determined_defence")[0].data["holds"] == 1
        if result == "DR":
            assert at(s, "SU-353RD") == "1333"
            assert not may_advance(s)


@pytest.mark.rule("caucasus", "10.4c")
def test_the_whole_stack_stands() -> None:
    s = stand(["SU-10GRC", "SU-9RC", "SU-PG-Tuapse"])
    do(s, "lead SU-10GRC")
    roll(s, 4)  # Elite +1: 5 in a town holds and costs a step
    assert at(s, "SU-10GRC") == at(s, "SU-9RC") == at(s, "SU-PG-Tuapse") == "1332"
    assert (shows(s, "SU-10GRC"), shows(s, "SU-9RC")) == (1, 0)
    assert not may_advance(s)


@pytest.mark.rule("caucasus", "10.4b")
def test_no_stand_without_a_survivor() -> None:
    s = field(FOUR_TO_ONE, [])
    place(s, "SU-353RD", "1333", shows="reduced")  # 10:3 = 3:1, armour, TQ: 5:1
    events = resolve(s, 4, "1333")
    assert RESULTS[s.result] == "D1"
    assert at(s, "SU-353RD") == "cadre"
    assert "determined_defence" not in kinds(events)
    assert may_advance(s)


@pytest.mark.rule("caucasus", "10.4d", "10.4h")
def test_the_lead_unit_gives_its_quality_and_takes_the_loss() -> None:
    for lead, drm in (("SU-10GRC", 1), ("SU-9RC", 0), ("SU-223RD", -1)):
        s = stand(["SU-10GRC", "SU-9RC", "SU-223RD"])
        assert texts(s) == ["lead SU-10GRC", "lead SU-9RC", "lead SU-223RD", "yield"]
        do(s, f"lead {lead}")
        events = roll(s, 4)
        told = of_kind(events, "determined_defence")[0].data
        assert (told["drm"], told["column"]) == (drm, "town")
        assert shows(s, lead) == 1
        assert of_kind(events, "step_lost")[0].data["unit"] == U(lead)


@pytest.mark.rule("caucasus", "10.4e", "11.4a")
def test_who_may_not_lead() -> None:
    """Disrupted units, white boxes, and units that retreated earlier in the phase."""
    s = combat()
    place(s, ["GE-13Pz", "GE-23Pz", "GE-14Pz", "GE-3Pz"], "1433")
    place(s, "SU-10GRC", "1332", disrupted=True)
    place(s, ["SU-9RC", "SU-3RC", "SU-PG-Tuapse"], "1332")
    s.retreated = s.defended = units("SU-3RC")
    attack(s, "1332")
    assert term(odds_of(s, "commit"), "3rd Rifle Corps").rule == "11.4a"
    do(s, "commit")
    assert s.odds_def == 8 + 7 + 2 + 2  # the corps that has retreated adds nothing
    dice = [i + 1 for i, code in enumerate(board.crt[s.column]) if code == "DR"]
    roll(s, dice[0])
    assert texts(s) == ["lead SU-9RC", "yield"]
    assert why(s, "lead SU-10GRC") == ("11.5c", "10th Guards Rifle Corps is disrupted and cannot lead")
    assert why(s, "lead SU-PG-Tuapse") == ("10.4e", "Tuapse Port Garrison has a white box and cannot lead")
    assert why(s, "lead SU-3RC") == ("11.4a", "3rd Rifle Corps has retreated in this phase and cannot lead")


@pytest.mark.rule("caucasus", "10.4e", "2.2e", "11.5c")
def test_where_nobody_may_lead_they_retreat_at_once() -> None:
    s = field(FOUR_TO_ONE, [])
    place(s, "SU-353RD", "1333", disrupted=True)  # 5:1
    resolve(s, 1, "1333")
    assert RESULTS[s.result] == "DR"
    assert "yield" not in texts(s)


@pytest.mark.rule("caucasus", "10.4e", "11.4b", "13.2c")
def test_in_a_mobile_assault_earlier_retreats_do_not_count() -> None:
    s = combat(second=True)
    place(s, "GE-13Pz", "1234")
    place(s, "SU-353RD", "1333")
    s.retreated = units("SU-353RD")
    start(s, (F_MOVES, 1))
    begin_fight(s, MOBILE, H("1333"), units("GE-13Pz"))
    s.choices = None
    GAME.settle(s)
    assert s.odds_def == 5
    roll(s, 2)
    assert "lead SU-353RD" in texts(s)


@pytest.mark.rule("caucasus", "10.4f")
@pytest.mark.parametrize(
    ("hex_", "origin", "column"),
    [
        ("1333", "1234", "Clear"),
        ("1332", "1433", "Town"),
        ("2235", "2135", "Forest, marsh"),
        ("2333", "2332", "Minor city, mountain"),
        ("2536", "2535", "Minor city, mountain"),  # better than the town in it
        ("1134", "1234", "Major city"),
        ("2128", "2127", "Minor city, mountain"),  # better than the rough ground under it
    ],
)
def test_the_column_is_the_best_of_the_hex(hex_: str, origin: str, column: str) -> None:
    s = combat()
    place(s, ["GE-1Mtn", "GE-4Mtn", "GE-97Jg", "GE-101Jg"], origin)
    place(s, "SU-353RD", hex_)
    attack(s, hex_)
    do(s, "commit")
    dice = [i + 1 for i, code in enumerate(board.crt[s.column]) if code == "DR"]
    roll(s, dice[0])
    assert term(odds_of(s, "lead SU-353RD"), "column for").value == column


@pytest.mark.rule("caucasus", "10.4g", "16.13b")
def test_one_marker_for_a_stand_declared_before_the_die() -> None:
    s = combat("axis", turn=6)
    s.air = 0b1100
    s.fleet_ready = 1
    place(s, ["GE-1Mtn", "GE-4Mtn", "GE-97Jg", "GE-101Jg"], "2535")
    place(s, ["SU-353RD", "SU-BlackSea-HQ"], "2536")
    attack(s, "2536")
    do(s, "commit")
    dice = [i + 1 for i, code in enumerate(board.crt[s.column]) if code == "DR"]
    roll(s, dice[0])
    do(s, "lead SU-353RD")
    assert texts(s) == ["support SU-4VA", "support SU-5VA", "support SU-BSF", "support none"]
    do(s, "support SU-5VA")
    assert GAME.to_act(s) == CHANCE  # no second one
    assert (s.air_used, s.fleet_ready) == (0b1000, 1)


@pytest.mark.rule("caucasus", "10.4h")
@pytest.mark.parametrize(
    ("lead", "marker", "drm"),
    [
        ("SU-32Gds", "none", 1),
        ("SU-353RD", "none", 0),
        ("SU-223RD", "none", -1),
        ("SU-353RD", "SU-BSF", 2),
        ("SU-353RD", "SU-4VA", 1),
        ("SU-32Gds", "SU-BSF", 3),
        ("SU-223RD", "SU-4VA", 0),
    ],
)
def test_soviet_modifiers(lead: str, marker: str, drm: int) -> None:
    s = combat("axis", turn=6)
    s.air = 0b1100
    s.fleet_ready = 1
    place(s, ["GE-1Mtn", "GE-4Mtn", "GE-97Jg", "GE-101Jg", "GE-9"], "2535")
    place(s, [lead, "SU-BlackSea-HQ"], "2536")
    attack(s, "2536")
    do(s, "commit")
    roll(s, next(i + 1 for i, code in enumerate(board.crt[s.column]) if code == "DR"))
    do(s, f"lead {lead}")
    assert term(odds_of(s, f"support {marker}"), "added to the die").value == (f"{drm:+d}" if drm else "0")
    do(s, f"support {marker}")
    assert of_kind(roll(s, 3), "determined_defence")[0].data["drm"] == drm


@pytest.mark.rule("caucasus", "10.4h", "16.15")
def test_viii_air_corps_adds_two() -> None:
    s = combat("soviet", turn=3)
    s.air = 0b0011
    place(s, ["SU-10GRC", "SU-11GRC", "SU-9RC"], "1433")
    place(s, ["GE-4Bic", "GE-17A-HQ"], "1332")
    attack(s, "1332")
    do(s, "commit")
    roll(s, next(i + 1 for i, code in enumerate(board.crt[s.column]) if code == "DR"))
    do(s, "lead GE-4Bic")
    assert term(odds_of(s, "support AX-VIII"), "added to the die").value == "+2"
    assert term(odds_of(s, "support AX-IV"), "added to the die").value == "+1"


@pytest.mark.rule("caucasus", "10.4i", "10.4j", "10.4k")
def test_what_each_result_of_the_table_does() -> None:
    """A full-strength Regular division in a town: −1, −1, 1/1, bullet −1, bullet −1, bullet 1/1."""
    seen = []
    for die in range(1, 7):
        s = stand(["SU-9RC", "SU-3RC", "SU-10RC"])
        do(s, "lead SU-9RC")
        roll(s, die)
        attacker = "lose" if texts(s)[0].startswith("lose GE") and GAME.to_act(s) == AXIS else ""
        if attacker:
            do(s, texts(s)[0])
        seen.append(
            (bool(s.here.get(H("1332"), 0) & units("SU-3RC")) and not s.retreating, shows(s, "SU-9RC"), attacker)
        )
    assert seen == [
        (False, 1, ""),
        (False, 1, ""),
        (False, 1, "lose"),
        (True, 1, ""),
        (True, 1, ""),
        (True, 1, "lose"),
    ]


@pytest.mark.rule("caucasus", "10.4i")
def test_a_failed_stand_ends_in_a_retreat_of_two() -> None:
    s = field(FOUR_TO_ONE, "SU-353RD")
    resolve(s, 2, "1333")
    do(s, "lead SU-353RD")
    roll(s, 3)  # clear: fails, no loss
    retreat(s)
    assert away(s, "SU-353RD") == 2
    assert shows(s, "SU-353RD") == 0
    assert may_advance(s)


@pytest.mark.rule("caucasus", "10.4i", "10.4j", "10.4k")
def test_the_panel_gives_the_chance_of_every_result() -> None:
    s = stand(["SU-9RC", "SU-10GRC", "SU-10RC"])
    assert odds_of(s, "lead SU-9RC").results == (
        ("fails, retreat 2; lead unit loses a step", Fraction(1, 3)),
        ("fails, retreat 2; lead unit and attacker lose a step each", Fraction(1, 6)),
        ("holds; lead unit loses a step", Fraction(1, 3)),
        ("holds; lead unit and attacker lose a step each", Fraction(1, 6)),
    )
    elite = dict(odds_of(s, "lead SU-10GRC").results)
    assert elite["holds; lead unit and attacker lose a step each"] == Fraction(1, 3)
    assert sum(elite.values()) == 1


@pytest.mark.rule("caucasus", "10.4l")
def test_the_last_step_lost_in_a_success_lets_the_attacker_in_and_no_further() -> None:
    s = field(FOUR_TO_ONE, [])
    place(s, "SU-353RD", "1333", shows="reduced")  # 10:3 = 3:1, armour, TQ: 5:1
    resolve(s, 1, "1333")
    do(s, "lead SU-353RD")
    roll(s, 6)
    assert at(s, "SU-353RD") == "cadre"
    assert [text for text in texts(s) if text.startswith("advance")] == ["advance GE-13Pz 1333"]
    do(s, "advance GE-13Pz 1333")
    assert not may_advance(s)


# 15.1 HQs in combat


@pytest.mark.rule("caucasus", "15.1a", "2.1e")
def test_an_hq_neither_attacks_nor_counts_beside_others() -> None:
    s = combat("soviet")
    place(s, ["SU-353RD", "SU-BlackSea-HQ"], "1333")
    place(s, ["GE-4Bic", "GE-17A-HQ"], "1234")
    attack(s, "1234")
    assert why(s, "join SU-BlackSea-HQ") == ("15.1a", "Black Sea Group HQ is an HQ and cannot attack")
    odds = odds_of(s, "commit")
    assert term(odds, "17th Army HQ").value == "0"
    assert term(odds, "defence strength").value == "2"
    do(s, "commit")
    roll(s, 4)  # 1:1, EX: the attacker chooses, but not the HQ
    assert at(s, "GE-4Bic") == "cadre"
    assert at(s, "GE-17A-HQ") == "1234"
    s = combat("soviet")
    place(s, "SU-353RD", "1333")
    place(s, "GE-17A-HQ", "1234")
    attack(s, "1234")
    assert term(odds_of(s, "commit"), "defence strength").value == "2"  # alone
    do(s, "commit")
    roll(s, 4)
    assert at(s, "GE-17A-HQ") == "returning"


@pytest.mark.rule("caucasus", "15.1b")
def test_an_hq_retreats_with_its_stack() -> None:
    s = field(FOUR_TO_ONE, ["SU-353RD", "SU-BlackSea-HQ"])
    resolve(s, 5, "1333")
    assert shows(s, "SU-353RD") == 1
    assert at(s, "SU-BlackSea-HQ") == "1333"
    retreat(s)
    assert away(s, "SU-BlackSea-HQ") == 2


@pytest.mark.rule("caucasus", "15.1b", "10.1c")
def test_an_hq_does_not_take_the_second_loss_of_its_stack() -> None:
    """A1/D2 against a brigade and an HQ: one step to lose, so the attacker loses none, and the HQ is not hit."""
    s = field(["GE-73", "GE-97Jg"], ["SU-68RB", "SU-BlackSea-HQ"])
    events = resolve(s, 6, "1333")
    assert RESULTS[s.result] == "A1/D2"
    assert at(s, "SU-68RB") == "cadre"
    assert [e.data["unit"] for e in of_kind(events, "eliminated")] == [U("SU-68RB")]
    assert (shows(s, "GE-73"), shows(s, "GE-97Jg")) == (0, 0)


# 15.2, 15.3, 15.6 Special units in combat


@pytest.mark.rule("caucasus", "15.2a", "15.2b")
def test_the_brandenburg_unit_fights_or_shifts() -> None:
    s = field(["GE-73", "GE-Brand"], "SU-353RD")
    attack(s, "1333", "GE-73", "GE-Brand")
    odds = odds_of(s, "commit")
    assert (term(odds, "attack strength").value, odds.terms[-1].value) == ("6", "2:1")  # elite among them
    s = field(["GE-73", "GE-Brand"], "SU-353RD")
    attack(s, "1333", "GE-73")
    do(s, "shift GE-Brand")
    odds = odds_of(s, "commit")
    assert (term(odds, "attack strength").value, odds.terms[-1].value) == ("5", "2:1")  # A41 one or the other
    assert term(odds, "used for the shift").rule == "15.2a"
    do(s, "commit")
    roll(s, 5)  # DR
    retreat(s)
    while "done" in texts(s):
        do(s, "done")
    assert GAME.to_act(s) == CHANCE
    assert at(s, "GE-Brand") == "brandenburg"
    roll(s, 2)
    assert at(s, "GE-Brand") == "turn_track"
    assert s.due[U("GE-Brand")] == s.turn + 2
    assert why(s, "shift GE-73") is not None


@pytest.mark.rule("caucasus", "15.2a")
def test_the_brandenburg_unit_is_not_wasted_on_an_attack_that_needs_its_shift() -> None:
    """Against 13 with an Elite unit among them: 6 with its strength is 1:3, 5 with its shift 1:2."""
    s = field(["GE-73", "GE-Brand"], ["SU-353RD", "SU-77RD", "SU-9NKVD"])
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    do(s, "attack 1333")
    assert texts(s) == ["join GE-73", "shift GE-Brand"]
    assert why(s, "join GE-Brand") is not None
    do(s, "join GE-73")  # the rest follows
    assert texts(s) == ["commit"]
    assert s.shifters == units("GE-Brand")


@pytest.mark.rule("caucasus", "15.2a", "13.1h")
def test_the_brandenburg_unit_may_shift_a_mobile_assault() -> None:
    s = combat(second=True)
    place(s, ["GE-13Pz", "GE-Brand"], "1234")
    place(s, "SU-353RD", "1333")
    start(s, (F_MOVES, 1))
    begin_fight(s, MOBILE, H("1333"), units("GE-13Pz", "GE-Brand"))
    s.choices = None
    GAME.settle(s)
    assert texts(s) == ["shift GE-Brand", "support none"]
    do(s, "shift GE-Brand")
    assert (s.odds_att, s.column) == (10, 5)


@pytest.mark.rule("caucasus", "15.3b", "15.6c")
def test_flotilla_and_armoured_train_attack_in_both_phases_without_markers() -> None:
    s = combat("soviet", second=True)
    place(s, "SU-Azov", "2041")
    place(s, "SU-Train", "1932")
    place(s, "EA-1", "2042")
    place(s, "EA-2", "1933")
    place(s, "SU-353RD", "1831")
    s.moved = units("SU-Azov", "SU-Train")
    start(s, (F_MOVES, 0), (F_COMBAT, 1))
    assert {"attack 2042", "attack 1933"} <= set(texts(s))
    do(s, "attack 1933")
    assert s.attackers == units("SU-Train")
