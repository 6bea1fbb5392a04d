"""10 Combat results."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.caucasus.combat.combat import begin_fight
from sandtable.games.caucasus.combat.effects import OPPONENT_CHOOSES_A1D2, OWNER_CHOOSES_A1D1
from sandtable.games.caucasus.combat.losses import RETREAT_LOSS
from sandtable.games.caucasus.table.ids import F_COMBAT, F_LOSS, F_MOVES, MOBILE, RESULTS
from sandtable.games.caucasus.table.scenarios import A1D1_OWNER, A1D2_OPPONENT

from ..fights import (
    AXIS,
    FIVE_TO_ONE,
    FOUR_TO_ONE,
    ONE_TO_ONE,
    SIX_TO_ONE,
    SOVIET,
    attack,
    away,
    combat,
    field,
    may_advance,
    odds_of,
    resolve,
    retreat,
    shows,
    term,
)
from ..kit import GAME, H, U, at, board, do, of_kind, place, roll, start, texts, units, why

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
    assert RESULTS[s.fight.result] == "D1-B"
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
    assert RESULTS[s.fight.result] == "A1/D2"
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
    assert RESULTS[s.fight.result] == "D1"
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
    assert RESULTS[s.fight.result] == "DR"
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
        assert RESULTS[s.fight.result] == "A1/D1"
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
    assert RESULTS[s.fight.result] == "EX"
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
    assert RESULTS[s.fight.result] == "EX"
    assert at(s, "SU-68RB") == "cadre"
    moves = [text for text in texts(s) if text.startswith("advance")]
    assert moves == ["advance GE-97Jg 1333"]


@pytest.mark.rule("caucasus", "10.1h")
def test_a1_dr_a_step_of_the_attacker_and_a_retreat_or_a_stand() -> None:
    s = field(ONE_TO_ONE, "SU-353RD")
    resolve(s, 5, "1333")
    assert RESULTS[s.fight.result] == "A1/DR"
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
    s.fight.retreating = units("SU-353RD", "SU-77RD", "SU-68RB", "SU-BlackSea-HQ")
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
    assert RESULTS[s.fight.result] == "D1"
    assert shows(s, "GE-73") == 2
    assert texts(s) == ["lead GE-73", "yield"]  # A29
    do(s, "yield")
    while GAME.to_act(s) == AXIS:
        do(s, texts(s)[0])
    assert board.grid.distance(s.at[U("GE-73")], H("1234")) == 2


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
    s = combat("soviet")  # of two HQs without other units one defends
    place(s, "SU-353RD", "1333")
    place(s, ["GE-17A-HQ", "GE-1PzA-HQ"], "1234")
    attack(s, "1234")
    assert term(odds_of(s, "commit"), "defence strength").value == "2"


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
    assert RESULTS[s.fight.result] == "A1/D2"
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
    assert s.fight.shifters == units("GE-Brand")


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
    assert (s.fight.odds_att, s.fight.column) == (10, 5)


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
    assert s.fight.attackers == units("SU-Train")
