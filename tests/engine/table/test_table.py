"""The table: turns, dice, undo, events, saves, replay and proof."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.contract import SPECTATOR, Action, Event, Illegal
from sandtable.engine.dice import QuickDice, derive_seed
from sandtable.engine.flat import differences, same
from sandtable.engine.log import (
    CHANCE_NAME,
    CONSENT,
    Entry,
    dump_log,
    read_log,
)
from sandtable.engine.table import Table, verify
from tests.toygame import BROKEN, GAME, State, ToyGame

from .tablekit import BLUE, RED, SEED, do, play, set_up, table, turn_of

# Playing


def test_the_dice_fall_by_themselves() -> None:
    t = table()
    set_up(t)
    assert t.state.turn == 1
    assert [entry.by for entry in t.entries] == ["red"] * 3 + ["blue"] * 3 + [CHANCE_NAME]
    roll = t.entries[-1]
    assert roll.do in ("first red", "first blue")
    assert len(roll.faces) == 1
    assert roll.dice == 1
    assert t.to_act in (RED, BLUE)


def test_act_returns_all_that_happened() -> None:
    t = table()
    events = [event for text in ("A 1", "B 2", "C 3", "X 1", "Y 2") for event in do(t, f"assign {text}")]
    assert [event.kind for event in events] == ["assigned"] * 5
    assert [event.kind for event in do(t, "assign Z 3")] == ["assigned", "first"]


def test_only_the_side_to_act_may_act() -> None:
    t = table()
    with pytest.raises(Illegal, match="not the turn of blue: red decides"):
        t.act(GAME.parse("assign A 1"), BLUE)
    assert not t.entries
    t.act(GAME.parse("assign A 1"), RED)
    with pytest.raises(Illegal, match=r"1.3: each strength is used once"):
        t.act(GAME.parse("assign B 1"), RED)
    assert len(t.entries) == 1


def test_nobody_acts_after_the_end() -> None:
    t = table()
    play(t, Random(1))
    assert t.end is not None
    assert t.legal() == []
    with pytest.raises(Illegal, match="the game is over"):
        t.act(GAME.parse("pass"))
    with pytest.raises(Illegal, match="has ended"):
        t.undo_by_consent()


def test_a_fault_in_the_rules_leaves_the_table_as_it_was() -> None:
    """The action that leads to the fault is taken back with its dice, whole."""
    for number in range(100):
        t = Table.new(BROKEN, "line", seed=derive_seed(number))
        rng = Random(number)
        try:
            while t.to_act is not None:
                before = t.state.copy(), list(t.entries), list(t.events), t.dice.index if t.dice else 0
                undoable = t.can_undo(RED), t.can_undo(BLUE)
                t.act(rng.choice(t.legal()))
        except ZeroDivisionError:
            assert not differences(before[0], t.state)
            assert t.dice is not None
            assert (t.entries, t.events, t.dice.index) == before[1:]
            assert (t.can_undo(RED), t.can_undo(BLUE)) == undoable
            return
    raise AssertionError("the fault never showed")


def test_seed_or_dice() -> None:
    with pytest.raises(ValueError, match="not both"):
        table(dice=QuickDice(Random(1)))
    t = Table.new(GAME, "line", dice=QuickDice(Random(1)))
    play(t, Random(2))
    assert t.header.commitment == ""
    report = verify(read_log(dump_log(t.log)), GAME)
    assert report.ok
    assert any("without a commitment" in note for note in report.notes)
    assert Table.new(GAME, "line").header.seed != Table.new(GAME, "line").header.seed


# Events


def test_each_side_is_told_what_it_may_know() -> None:
    t = table()
    do(t, "assign A 1")
    assert t.events_for(RED) == [{"event": "assigned", "rule": "1.2", "block": "A", "strength": 1, "n": 1}]
    assert t.events_for(BLUE) == [{"event": "assigned", "rule": "1.2", "block": "A", "n": 1}]
    t = turn_of(RED)
    since = len(t.entries)
    do(t, "block A", "to H1")
    assert [seen["event"] for seen in t.events_for(RED, since)] == ["picked", "moved"]
    assert t.events_for(BLUE, since) == t.events_for(SPECTATOR, since)
    assert t.events_for(BLUE, since) == [{"event": "moved", "rule": "2.3", "block": "A", "hex": 1, "n": since + 2}]
    assert t.describe(t.events_for(BLUE, since)[0]) == "moved A 1"


# Undo


def test_undo_gives_back_the_state_before_step_by_step() -> None:
    t = turn_of(RED)
    states, floor = [], len(t.entries)
    for text in (
        "block A",
        "to H1",
        "block B",
    ):
        states.append(t.state.copy())
        do(t, text)
        assert t.can_undo(RED)
        assert not t.can_undo(BLUE)
    for state in reversed(states):
        t.undo(RED)
        assert same(t.state, state)
    assert not t.can_undo(RED)
    with pytest.raises(Illegal, match="nothing to take back"):
        t.undo(RED)
    assert [entry.undo for entry in t.entries[floor:]] == [0, 0, 0, 1, 1, 1]
    do(t, "block C")
    assert t.can_undo(RED)


def test_undo_stops_at_the_other_sides_turn() -> None:
    t = turn_of(RED)
    do(t, "block A", "to H1", "pass")
    assert t.to_act == BLUE
    assert not t.can_undo(RED)
    assert not t.can_undo(BLUE)
    for side in (RED, BLUE):
        with pytest.raises(Illegal):
            t.undo(side)


def test_undo_stops_at_dice_and_reveals() -> None:
    t = turn_of(RED, "close")
    do(t, "block A", "to H3")
    assert t.can_undo(RED)
    do(t, "block A")
    assert t.can_undo(RED)
    events = do(t, "attack H4")
    assert [event.kind for event in events][:3] == ["revealed", "revealed", "battle"]
    assert not t.can_undo(RED)
    assert not t.can_undo(BLUE)


def test_a_reveal_alone_cannot_be_undone() -> None:
    """A final event stops undo even where no die falls and the same side goes on."""

    class Telling(ToyGame):
        def apply(self, s: State, action: Action) -> list[Event]:
            events = super().apply(s, action)
            return [event._replace(final=True) if event.kind == "picked" else event for event in events]

    t = Table.new(Telling(), "line", seed=SEED)
    for text in ("A 1", "B 2", "C 3", "X 1", "Y 2", "Z 3"):
        t.act(GAME.parse(f"assign {text}"))
    side = t.to_act
    assert side is not None
    t.act(t.legal()[0])
    assert t.to_act == side
    assert not t.can_undo(side)


def test_undone_events_are_gone_and_the_undo_is_told() -> None:
    t = turn_of(RED)
    since = len(t.entries)
    do(t, "block A", "to H1")
    t.undo(RED)
    told = t.events_for(BLUE, since)
    undone = {"event": "undo", "kind": "undo", "rule": "", "by": "red", "entries": [since + 2]}
    assert told == [{**undone, "n": since + 3}]
    assert t.describe(told[0]) == "an action was taken back by red"
    assert [seen["event"] for seen in t.events_for(RED, since)] == ["picked", "undo"]


def test_undo_by_consent_goes_back_over_dice_and_does_not_roll_them_again() -> None:
    t = turn_of(RED, "close")
    before = t.state.copy()
    do(t, "block A", "to H3", "block A")
    middle = t.state.copy()
    do(t, "attack H4")
    dice = t.entries[-1].dice
    assert t.entries[-1].by == CHANCE_NAME
    t.undo_by_consent()
    assert same(t.state, middle)
    assert t.entries[-1] == Entry(CONSENT, undo=2)
    assert not t.can_undo(RED)
    do(t, "attack H4")
    assert t.entries[-1].dice > dice, "the dice went on"
    t.undo_by_consent(4)
    assert same(t.state, before)
    with pytest.raises(Illegal, match="not 99 decisions"):
        t.undo_by_consent(99)
    play(t, Random(3))
    report = verify(read_log(dump_log(t.log)), GAME)
    assert report.ok, report.problems


def test_after_consent_a_side_takes_back_only_what_came_later() -> None:
    t = turn_of(RED)
    do(t, "block A", "to H1")
    t.undo_by_consent()
    assert not t.can_undo(RED)
    before = t.state.copy()
    do(t, "to H1")
    t.undo(RED)
    assert same(t.state, before)
    assert not t.can_undo(RED)
    assert same(Table.replay(t.log, GAME).state, before)


def test_consent_reaches_back_to_the_first_action() -> None:
    t = table()
    do(t, "assign A 1", "assign B 2", "assign C 3", "assign X 1")
    t.undo_by_consent(4)
    assert same(t.state, GAME.new("line"))
    assert t.to_act == RED
