"""Games on frames: who decides, what is legal, why not, chances and the end."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from sandtable.engine.contract import CHANCE, Event, Illegal, Reason
from sandtable.engine.dice import QuickDice
from sandtable.engine.flat import same
from sandtable.engine.frames import Frame
from tests.toygame import BATTLE, BLOCK, GAME, RESULT, TURN, State


def do(s: State, *texts: str) -> list[Event]:
    return [event for text in texts for event in GAME.apply(s, GAME.parse(text))]


@pytest.fixture
def s() -> State:
    return GAME.new("close")


@pytest.fixture
def moves(s: State) -> State:
    """Red's first move."""
    do(s, "assign A 1", "assign B 2", "assign C 3", "assign X 1", "assign Y 2", "assign Z 3", "first red")
    return s


def test_a_new_game_waits_for_its_first_decision(s: State) -> None:
    assert GAME.to_act(s) == 0
    assert [GAME.text(a) for a in GAME.legal(s)] == ["assign A 1", "assign A 2", "assign A 3"]
    assert GAME.prompt(s).rules == ("1.2",)


def test_frames_that_need_nobody_run_by_themselves(moves: State) -> None:
    do(moves, "block A", "to H3", "block A", "to H2")
    assert GAME.to_act(moves) == 1, "red has no moves left, and blue's step comes without a word"
    do(moves, "pass")
    assert GAME.to_act(moves) == CHANCE
    assert moves.stack == [(TURN,)]


def test_legal_is_worked_out_once(moves: State) -> None:
    assert GAME.legal(moves) is GAME.legal(moves)
    first = GAME.legal(moves)
    do(moves, "block A")
    assert GAME.legal(moves) != first


def test_apply_returns_its_own_events_only(moves: State) -> None:
    one = do(moves, "block A")
    two = do(moves, "to H3")
    assert [event.kind for event in one] == ["picked"]
    assert [event.kind for event in two] == ["moved"]


def test_an_illegal_action_raises_its_rule_and_changes_nothing(moves: State) -> None:
    before = moves.copy()
    for text, rule, why in [
        ("block X", "2.2", "that block is not yours"),
        ("to H3", "2.2", "not now: Move a block or pass"),
        ("result won", "2.2", "not now"),
    ]:
        with pytest.raises(Illegal) as caught:
            do(moves, text)
        assert caught.value.rule == rule
        assert why in caught.value.why
        assert str(caught.value) == f"{rule}: {caught.value.why}"
        assert same(moves, before)
    with pytest.raises(Illegal, match="is not an action of this game"):
        GAME.apply(moves, (99,))
    with pytest.raises(Illegal):
        GAME.apply(moves, (BLOCK, 77))
    assert same(moves, before)


def test_why_not(moves: State) -> None:
    assert GAME.why_not(moves, GAME.parse("pass")) is None
    assert GAME.why_not(moves, GAME.parse("block X")) == Reason("2.2", "that block is not yours")
    do(moves, "block A")
    assert GAME.why_not(moves, GAME.parse("attack H3")) == Reason("2.4", "there is no enemy to attack")
    assert str(Reason("", "no")) == "no"


def test_chances_and_rolls(moves: State) -> None:
    assert GAME.chances(moves) == []
    do(moves, "block A", "to H3", "block A", "attack H4")
    assert GAME.to_act(moves) == CHANCE
    assert moves.stack[-1][0] == BATTLE
    chances = dict(GAME.chances(moves))
    # one die against one: 5 or 6 hits
    assert chances[(RESULT, 0)] == chances[(RESULT, 1)] == Fraction(1, 3) * Fraction(2, 3)
    assert chances[(RESULT, 2)] == 1 - 2 * Fraction(2, 9)
    before = moves.copy()
    roll = GAME.roll(moves, QuickDice(Random(1)))
    assert len(roll.faces) == 2
    assert same(moves, before), "letting the dice fall changes nothing until the action is taken"


def test_odds_are_for_the_one_to_act(moves: State) -> None:
    assert GAME.odds(moves, GAME.parse("pass")) is None
    assert GAME.odds(moves, GAME.parse("attack H4")) is None, "not legal here"
    do(moves, "block B", "to H3", "block B")
    odds = GAME.odds(moves, GAME.parse("attack H4"))
    assert odds is not None
    assert odds.terms[0].value == "2"
    do(moves, "attack H4")
    assert GAME.odds(moves, (RESULT, 0)) is None, "the dice ask for no odds"


def test_the_end() -> None:
    s = GAME.new("line")
    do(s, "assign A 1", "assign B 2", "assign C 3", "assign X 1", "assign Y 2", "assign Z 3")
    assert GAME.outcome(s) is None
    for _ in range(6):
        do(s, "first red", "pass", "pass")
    assert GAME.to_act(s) is None
    assert list(GAME.legal(s)) == []
    assert list(GAME.chances(s)) == []
    outcome = GAME.outcome(s)
    assert outcome is not None
    assert outcome.winner is None
    assert GAME.prompt(s).title == "The game is over"
    assert GAME.why_not(s, GAME.parse("pass")) == Reason("", "the game is over")
    with pytest.raises(Illegal, match="the game is over"):
        do(s, "pass")


def test_redeal_comes_from_the_view_alone(moves: State) -> None:
    dealt = {tuple(GAME.redeal(moves, 0, Random(n)).strength) for n in range(60)}
    assert len(dealt) == 6, "blue's strengths in every order, red's as they are"
    assert {strengths[:3] for strengths in dealt} == {(1, 2, 3)}


def test_a_bare_frame_has_no_behaviour(s: State) -> None:
    bare: Frame[State] = Frame()
    f = (0,)
    assert bare.actor(s, f) is None
    assert bare.why_not(s, f, (0,)) is None
    assert bare.odds(s, f, (0,)) is None
    for call in (bare.run, bare.legal, bare.prompt, bare.chances):
        with pytest.raises(NotImplementedError, match="Frame"):
            call(s, f)
    with pytest.raises(NotImplementedError):
        bare.take(s, f, (0,))
    with pytest.raises(NotImplementedError):
        bare.roll(s, f, lambda sides: 1)
