"""A phase is a list of deeds: the list of actions, reasons, dispatch and odds come from it."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from sandtable.engine.actions import Kind
from sandtable.engine.contract import Odds, Reason
from sandtable.engine.flat import Flat, given, number, row, units
from sandtable.engine.texts.text import Text
from sandtable.engine.texts.verbs import Vocabulary
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need, all_if
from sandtable.mechanics.phases import Each, Elsewhere, Linked, Listed, Offered, Once, Only, Phase

verb = Vocabulary()
MOVE = verb("move", "Move {unit}", unit="unit")
SWAP = verb("swap", {0: "Leave {unit}", 1: "Swap {unit}"}, unit="unit", how="how")
END = verb("end", "End", role="onward")
TO = verb("to", "Go to {hex}", hex="hex")
KINDS = {"unit": Kind("unit", ("A", "B", "C")), "how": Kind("how", ("no", "yes")), "hex": Kind("hex", ("1", "2"))}
CODEC = verb.codec(KINDS)


class State(Flat):
    stack: list[tuple[Any, ...]] = row(lambda b: [], "")
    events: list[Any] = row(lambda b: [], "")
    choices: Any = given("")
    ended: Any = given("")
    actor: int = number("")
    mine: int = units("")
    moved: int = units("")


class At(NamedTuple):
    frame: int
    second: int


BARS: Bars[State, int] = Bars(
    Need("1.1", "{unit} is not yours", lambda s, _: s.mine),
    Bar("1.2", "{unit} has moved", lambda s, _: s.moved),
)


def move(s: State, f: At, u: int) -> None:
    s.moved |= 1 << u


def not_yet(s: State, now: int) -> Reason | None:
    return None if s.moved else Reason("1.3", "somebody must move first")


class Moves(Phase[State, At, int]):
    at = At
    does = (
        Once(END, take=lambda s, f: None, shut=not_yet),
        Each(MOVE, bars=BARS, take=move, odds=lambda s, f, action: Odds("Chances")),
        Listed(
            SWAP,
            of=lambda s, f, now: [(u, 1) for u in range(2)] if now else [],
            reason=lambda s, f, now, args: None if now and args[0] < 2 and args[1] else Reason("1.4", "no swap"),
            take=lambda s, f, u, how: move(s, f, 2),
        ),
        Elsewhere("1.5", "first pick a unit", TO),
    )

    def now(self, s: State, f: At) -> int:
        return f.second


@pytest.fixture
def phase() -> Moves:
    made = Moves()
    made.bind(CODEC)
    return made


def test_the_list_is_in_the_order_of_the_verbs(phase: Moves) -> None:
    s = State(mine=0b011)
    assert phase.legal(s, At(0, 1)) == [(MOVE, 0), (MOVE, 1), (SWAP, 0, 1), (SWAP, 1, 1)]
    phase.take(s, At(0, 1), (MOVE, 0))
    assert phase.legal(s, At(0, 0)) == [(MOVE, 1), (END,)]
    phase.take(s, At(0, 0), (SWAP, 0, 1))
    assert s.moved == 0b101


def test_reasons_come_from_the_same_rows(phase: Moves) -> None:
    s, f = State(mine=0b011, moved=0b001), At(0, 0)
    assert phase.why_not(s, f, (MOVE, 0)) == Reason("1.2", Text("{unit} has moved", unit=0))
    assert phase.why_not(s, f, (MOVE, 1)) is None
    assert phase.why_not(s, f, (MOVE, 2)) == Reason("1.1", Text("{unit} is not yours", unit=2))
    assert phase.why_not(s, f, (TO, 0)) == Reason("1.5", "first pick a unit")
    assert phase.why_not(State(), f, (END,)) == Reason("1.3", "somebody must move first")
    assert phase.odds(s, f, (MOVE, 1)) == Odds("Chances")
    assert phase.odds(s, f, (END,)) is None
    assert phase.disagreements(s, f) == []


def test_a_list_that_disagrees_with_its_reasons_is_seen() -> None:
    class Wrong(Phase[State, At, int]):
        does = (Each(MOVE, of=lambda s, _: 0b001, bars=BARS, take=move),)

        def now(self, s: State, f: At) -> int:
            return 0

    phase = Wrong()
    phase.bind(CODEC)
    assert len(phase.disagreements(State(mine=0b011), At(0, 0))) == 1  # B is not listed, and nothing says why


def test_verbs_are_numbers_with_words_labels_and_roles() -> None:
    assert [int(one) for one in verb] == [0, 1, 2, 3]
    assert CODEC.text((MOVE, 1)) == "move B"
    assert verb.label((SWAP, 1, 0)) == Text("Leave {unit}", unit=1, how=0)
    assert verb.roles() == {"onward": ["end"]}
    with pytest.raises(ValueError, match="plays 'nonsense'"):
        verb("x", role="nonsense")
    with pytest.raises(ValueError, match="one verb in two ways"):
        type("Twice", (Phase,), {"does": (Once(END, take=move), Once(END, take=move))})().bind(CODEC)


GIVES: Bars[State, At] = Bars(Need("2.1", "{unit} is not yours", lambda s, _: s.mine))
TAKES: Bars[State, int] = Bars(
    Bar("2.2", "nobody gives himself anything", lambda s, giver: 0 if giver else 1),
    Doubt("2.3", "not so", lambda s, giver, how: bool(giver == 2 and how)),
)


class Gifts(Phase[State, At, At]):
    """A second thing that depends on the first, one set with one reason, and a table for a verb without arguments."""

    at = At
    does = (
        Linked(SWAP, first=GIVES, second=TAKES, take=lambda s, f, giver, how: move(s, f, giver)),
        Only(MOVE, "2.4", "{unit} has not moved", lambda s, f: s.moved, take=move),
        Once(END, take=lambda s, f: None, bars=Bars(Bar("2.5", "not in the second", lambda s, f: all_if(f.second)))),
    )


def gifts(mine: int, moved: int = 0, second: int = 0) -> tuple[Gifts, State, At]:
    phase = Gifts()
    phase.bind(CODEC)
    s = State()
    s.mine, s.moved = mine, moved
    return phase, s, At(0, second)


def test_of_two_things_the_second_depends_on_the_first() -> None:
    phase, s, f = gifts(0b111)
    assert phase.legal(s, f) == [(SWAP, 0, 1), (SWAP, 1, 0), (SWAP, 1, 1), (SWAP, 2, 0), (END,)]
    assert phase.why_not(s, f, (SWAP, 0, 0)) == Reason("2.2", "nobody gives himself anything")
    assert phase.why_not(s, f, (SWAP, 2, 1)) == Reason("2.3", "not so")
    phase, s, f = gifts(0b010, second=1)
    assert phase.legal(s, f) == [(SWAP, 1, 0), (SWAP, 1, 1)]
    assert phase.why_not(s, f, (SWAP, 0, 1)) == Reason("2.1", Text("{unit} is not yours", unit=0, how=1))
    assert phase.why_not(s, f, (END,)) == Reason("2.5", "not in the second")
    assert phase.why_not(s, f, (MOVE, 2)) == Reason("2.4", Text("{unit} has not moved", unit=2))
    assert phase.disagreements(s, f) == []


def test_whether_there_is_a_choice_is_known_without_a_list(phase: Moves) -> None:
    seen = set()
    for mine in range(8):
        for moved in range(8):
            for second in (0, 1):
                s, f = State(mine=mine, moved=moved), At(0, second)
                given, t, g = gifts(mine, moved, second)
                for one, state, at in ((phase, s, f), (given, t, g)):
                    many = len(one.legal(state, at))
                    assert one.several(state, at) == (many > 1)
                    assert one.disagreements(state, at) == []
                    seen.add(min(many, 2))
    assert seen == {0, 1, 2}


class Swaps(Offered[State, At, At]):
    """Somebody is swapped, or nobody."""

    does = (
        Each(SWAP, bars=Bars(Need("1.1", "{unit} is not yours", lambda s, _: s.mine)), take=move, then=(1,)),
        Once(END, take=lambda s, f: s.stack.pop()),
    )

    def chooser(self, s: State, f: At) -> int:
        return 1

    def of_use(self, s: State, f: At) -> bool:
        return bool(f.second)


def test_a_member_may_have_arguments_behind_it() -> None:
    swaps = Swaps()
    swaps.bind(CODEC)
    s = State(None, mine=0b101)
    assert swaps.legal(s, At(0, 1)) == [(SWAP, 0, 1), (SWAP, 2, 1), (END,)]
    assert swaps.disagreements(s, At(0, 1)) == []
    swaps.take(s, At(0, 1), (SWAP, 2, 1))
    assert s.moved == 0b100


def test_what_is_of_no_use_is_not_offered() -> None:
    swaps = Swaps()
    swaps.bind(CODEC)
    for mine, use, asked in ((0b101, 1, 1), (0b101, 0, None), (0, 1, None)):
        s = State(None, mine=mine, stack=[At(0, use)])
        assert swaps.actor(s, At(0, use)) == asked
        swaps.run(s, At(0, use))  # the last of them: to do without
        assert (s.stack, s.moved, s.choices) == ([], 0, None)
