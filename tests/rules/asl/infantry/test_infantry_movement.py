"""A4, A8, A11, A12: Infantry moves, is fired at on the way, advances and fights hand to hand."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from sandtable.engine.contract import SPECTATOR
from sandtable.games.asl.combat.close import ODDS, CombatsAt, ratio
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.points import HALF, allotment, left
from sandtable.games.asl.table.ids import APH, CCPH, F_ADVANCE, F_COMBATS, GONE
from sandtable.games.asl.table.state import State
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.games.asl.turn.victory import judge, posts_held

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    FOE2,
    HMG,
    LEADER,
    SQUAD,
    SQUAD2,
    H,
    U,
    bits,
    column,
    do,
    drms,
    empty,
    give,
    kinds,
    legal,
    moving,
    place,
    roll,
    rule,
    settle,
    side_of,
)


def march(*also: str) -> State:
    s = empty()
    place(s, [SQUAD, *also], "M5")
    moving(s)
    do(s, f"move {SQUAD}")
    return s


@pytest.mark.rule("asl", "A4.11", "A4.42", "A17.1")
def test_allotments() -> None:
    s = empty()
    place(s, [SQUAD, LEADER], "M5")
    assert allotment(s, U(SQUAD), False) == 4 * HALF
    assert allotment(s, U(SQUAD), True) == 6 * HALF
    assert allotment(s, U(LEADER), False) == 6 * HALF
    s.wounded = bits(LEADER)
    assert allotment(s, U(LEADER), False) == 3 * HALF
    give(s, HMG, SQUAD)  # 5 PP, 2 too many
    assert allotment(s, U(SQUAD), False) == 2 * HALF


@pytest.mark.rule("asl", "A4.13")
def test_each_hex_is_paid_for() -> None:
    s = march()
    do(s, "to N5", "to O5", "to P5", "to Q5")
    assert left(s) == 0
    assert rule(s, "to R5") == "A4.13"
    assert rule(s, "to T5") == "A4.13"


@pytest.mark.rule("asl", "A4.5", "A4.51")
def test_double_time_makes_cx() -> None:
    s = march()
    do(s, "double-time")
    assert left(s) == 6 * HALF
    assert s.cx == bits(SQUAD)
    assert rule(s, "double-time") == "A4.51"
    s = march()
    do(s, "to N5", "double-time")
    assert left(s) == 4 * HALF


@pytest.mark.rule("asl", "A4.61")
def test_assault_movement_enters_one_hex_and_keeps_something_back() -> None:
    s = march()
    do(s, "assault", "to N5")
    assert rule(s, "to O5") == "A4.61"
    assert rule(s, "double-time") == "A4.61"
    s = march()
    do(s, "to N5")
    assert rule(s, "assault") == "A4.61"


@pytest.mark.rule("asl", "A4.2")
def test_a_stack_moves_together_at_the_rate_of_the_slowest() -> None:
    s = march(LEADER)
    do(s, f"also {LEADER}", "to N5")
    assert s.at[U(LEADER)] == H("N5")
    assert left(s) == 5 * HALF  # six with the leader
    assert rule(s, f"also {SQUAD2}") == "A3.3"


@pytest.mark.rule("asl", "A4.14")
def test_known_enemies_are_not_entered_in_the_movement_phase() -> None:
    s = march()
    place(s, FOE, "N5")
    s.broken = bits(FOE)
    assert rule(s, "to N5") == "A4.14"


@pytest.mark.rule("asl", "A12.15", "A4.14")
def test_a_concealed_enemy_is_found_by_walking_into_it() -> None:
    s = march()
    place(s, FOE, "N5")
    s.concealed = bits(FOE)
    assert "detected" in kinds(do(s, "to N5"))
    assert s.at[U(SQUAD)] == H("M5")


@pytest.mark.rule("asl", "A4.134")
def test_a_minimum_move_costs_everything() -> None:
    s = empty()
    place(s, SQUAD, "M5")
    for weapon in ("it_mmg#1", "br_lmg#1", "br_dc#1"):
        give(s, weapon, SQUAD)  # 6 PP: 1 MF is left
    s.smoke[H("N5")] = 1  # and the hex costs 2
    moving(s)
    do(s, f"move {SQUAD}", "to N5")
    assert s.cx == s.pinned == bits(SQUAD)


@pytest.mark.rule("asl", "F8.1", "F8.3a", "F8.3c")
def test_a_sangar_is_entered_and_left_for_one_mf_and_shelters_one_squad() -> None:
    s = march(SQUAD2)
    place(s, "axis_sangar#1", "M5")
    do(s, "under")
    assert left(s) == 3 * HALF
    assert rule(s, "to N5") == "B27.3"
    do(s, "out", "halt", f"move {SQUAD2}", "under", "halt")
    s = march(SQUAD2)
    place(s, "axis_sangar#1", "M5")
    s.under[U(SQUAD2)] = 1
    assert rule(s, "under") == "F8.3a"


# A8 fire into the move


def ambushed(step: str = "N5", *extra: str) -> State:
    s = empty()
    place(s, SQUAD, "M5")
    place(s, FOE, "R5")
    moving(s)
    do(s, f"move {SQUAD}", *extra, f"to {step}")
    return s


@pytest.mark.rule("asl", "A8.1", "A4.6a", "A4.6b")
def test_the_other_side_fires_into_every_expenditure() -> None:
    s = ambushed()
    assert side_of(s) == "axis"
    assert drms(do(s, f"join {FOE}", "commit")) == -2  # FFNAM and FFMO
    s = ambushed("N5", "assault")
    assert drms(do(s, f"join {FOE}", "commit")) == -1  # FFMO alone


@pytest.mark.rule("asl", "A8.1", "A8.14", "A8.3", "A8.31")
def test_first_subsequent_and_final_protective_fire() -> None:
    s = ambushed()
    do(s, f"join {FOE}", "commit")
    roll(s, 6, 5)
    assert s.fired == bits(FOE)
    assert side_of(s) == "allied"  # A8.14: one MF, one shot
    do(s, "to O5")
    found = do(s, f"join {FOE}", "commit")
    assert column(found) == 1  # 3 FP halved
    roll(s, 6, 5)
    assert s.spent_fire == bits(FOE)
    do(s, "to P5")
    assert side_of(s) == "allied"  # A8.31: not adjacent
    do(s, "to Q5")
    assert side_of(s) == "axis"
    found = do(s, f"join {FOE}", "commit")
    assert column(found) == 2  # A8.31: 3 FP, doubled beside it and halved
    roll(s, 6, 5)
    assert s.broken == bits(FOE)  # its own DR is a NMC for it


@pytest.mark.rule("asl", "A8.2", "A8.22")
def test_residual_fp_waits_for_the_next_who_comes() -> None:
    s = ambushed("N5")
    place(s, SQUAD2, "M5")
    place(s, FOE2, "R5")
    do(s, f"join {FOE}", "commit")
    roll(s, 6, 5)
    assert s.residual == {H("N5"): 1}  # 3 FP: the 2 column leaves 1
    do(s, "hold", "halt", f"move {SQUAD2}", "to N5")
    assert side_of(s) == "chance"
    assert s.attack is not None
    assert s.attack.residual


@pytest.mark.rule("asl", "A4.15")
def test_who_breaks_stops() -> None:
    s = ambushed()
    do(s, f"join {FOE}", "commit")
    roll(s, 3, 3)  # 6 - 2 on the 2 column: 1MC
    roll(s, 5, 5)
    assert s.broken == bits(SQUAD)
    assert s.move is None
    assert s.moved == bits(SQUAD)


@pytest.mark.rule("asl", "A12.14b")
def test_movement_in_sight_takes_the_concealment_off() -> None:
    s = empty()
    place(s, SQUAD, "M5")
    place(s, FOE, "R5")
    s.concealed = bits(SQUAD)
    moving(s)
    do(s, f"move {SQUAD}")
    assert "revealed" in kinds(do(s, "to N5"))
    s = empty()
    place(s, SQUAD, "M5")
    s.concealed = bits(SQUAD)
    moving(s)
    do(s, f"move {SQUAD}", "to N5")
    assert s.concealed == bits(SQUAD)


@pytest.mark.rule("asl", "A12.1")
def test_a_watch_is_kept_alike_whether_anything_hidden_could_fire_or_not() -> None:
    """While the enemy has a "?" anywhere, the mover waits at every hex: a pause betrays nothing."""
    for where in ("W5", "P5"):
        s = empty()
        place(s, SQUAD, "M5")
        place(s, "axis_dummy#1", where)
        s.concealed = bits("axis_dummy#1")
        moving(s)
        do(s, f"move {SQUAD}", "to N5")
        assert side_of(s) == "axis"
        assert {word.split()[0] for word in legal(s)} == {"hold", "hold-until", "hold-odds"}


@pytest.mark.rule("asl", "A12.1")
def test_a_view_does_not_tell_what_lies_under_the_enemys_question_marks() -> None:
    def table(name: str) -> State:
        s = empty()
        place(s, SQUAD, "M5")
        place(s, name, "P5")
        s.concealed = bits(name)
        return moving(s)

    real, dummy, other = (table(name) for name in (FOE, "axis_dummy#1", "it_347#1"))
    for side in (ALLIED, SPECTATOR):
        views = [GAME.view(s, side) for s in (real, dummy, other)]
        assert views[0] == views[1] == views[2]
    assert GAME.view(real, AXIS) != GAME.view(dummy, AXIS)
    s = GAME.new("s01_capuzzo_outpost")
    do(s, "accept", "accept")
    seen = GAME.view(s, ALLIED)
    assert GAME.view(GAME.imagine(seen, Random(3)), ALLIED) == seen


# A3.7 the advance, A11 Close Combat


def advancing() -> State:
    s = empty()
    place(s, SQUAD, "M5")
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    return settle(s)


@pytest.mark.rule("asl", "A3.7", "A7.8")
def test_an_advance_is_one_hex_for_unpinned_units() -> None:
    s = advancing()
    assert rule(s, f"advance {SQUAD} P5") == "A3.7"
    s.pinned = bits(SQUAD)
    assert rule(settle(s), f"advance {SQUAD} N5") == "A7.8"
    s.pinned = 0
    do(settle(s), f"advance {SQUAD} N5")
    assert s.at[U(SQUAD)] == H("N5")
    assert rule(s, f"advance {SQUAD} O5") == "A3.7"


def brawl(*names: str) -> State:
    s = empty()
    place(s, [SQUAD, FOE, *names], "M5")
    s.phase = CCPH
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    return settle(s)


@pytest.mark.rule("asl", "A11.11")
def test_close_combat_odds() -> None:
    pairs = [
        (4, 3, "1-1"),
        (3, 4, "1-2"),
        (6, 3, "2-1"),
        (1, 8, "1-8"),
        (1, 9, "<1-8"),
        (31, 3, ">10-1"),
        (3, 2, "3-2"),
    ]
    for attack, defence, odds in pairs:
        assert ODDS[ratio(Fraction(attack), Fraction(defence))] == odds


@pytest.mark.rule("asl", "A11.1", "A11.12", "A11.13")
def test_both_sides_attack_before_anything_is_lost() -> None:
    s = brawl()
    do(s, f"join {SQUAD}", f"strike {FOE}")
    roll(s, 1, 1)  # 2 below 5
    assert s.at[U(FOE)] == H("M5")  # A11.13: not yet
    do(s, f"join {FOE}", f"strike {SQUAD}")
    roll(s, 6, 6)
    assert s.at[U(FOE)] == GONE
    assert s.at[U(SQUAD)] == H("M5")


@pytest.mark.rule("asl", "A11.12", "A11.15")
def test_an_equal_roll_reduces_and_survivors_stay_in_melee() -> None:
    s = brawl()
    do(s, f"join {SQUAD}", f"strike {FOE}")
    roll(s, 2, 3)
    do(s, f"join {FOE}", f"strike {SQUAD}")
    roll(s, 6, 5)
    assert s.kind(U(FOE)).id == "it_136"
    assert s.melee == bits(SQUAD, FOE)


@pytest.mark.rule("asl", "A11.16")
def test_a_broken_unit_in_close_combat_does_not_attack_and_is_lost() -> None:
    s = empty()
    place(s, [SQUAD, FOE], "M5")
    s.broken = bits(FOE)
    s.phase = CCPH
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    settle(s)
    do(s, "stand")
    do(s, f"join {SQUAD}", f"strike {FOE}")
    roll(s, 6, 5)
    assert s.at[U(FOE)] == GONE


@pytest.mark.rule("asl", "A11.4")
def test_a_concealed_unit_may_ambush() -> None:
    s = empty()
    place(s, [SQUAD, FOE], "M5")
    s.concealed = bits(FOE)
    s.phase = CCPH
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    settle(s)
    roll(s, 5, 2)
    assert s.fight is not None
    assert s.fight.ambush == AXIS
    assert side_of(s) == "axis"


# the end


@pytest.mark.rule("asl", "A3.9")
def test_three_posts_of_four_win_for_the_british() -> None:
    s = empty()
    s.posts = sum(1 << H(name) for name in ("U5", "U6", "U7", "V5"))
    s.control = sum(1 << H(name) for name in ("U5", "U6", "U7"))
    assert posts_held(s, 1) == 3
    judge(s)
    assert s.ended.winner == ALLIED
    s.control = 1 << H("U5")
    judge(s)
    assert s.ended.winner == AXIS


@pytest.mark.rule("asl", "A3.0")
def test_a_whole_game_of_chance_is_played_to_its_end() -> None:
    random = Random(5)
    s = GAME.new("s01_capuzzo_outpost")
    while GAME.to_act(s) is not None:
        if GAME.is_chance(s):
            GAME.apply(s, GAME.roll(s, lambda sides: random.randint(1, sides)).action)
        else:
            GAME.apply(s, random.choice(GAME.legal(s)))
        assert GAME.invariants(s) == []
        assert GAME.disagreements(s) == []
    assert s.turn == 6
