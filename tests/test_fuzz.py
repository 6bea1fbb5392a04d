"""The fuzzer finds nothing in a sound game, and the right thing in one with a fault of each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable import registry
from sandtable.engine.contract import Action, Die, Event, Odds, Prompt, Reason, Roll, View
from sandtable.engine.log import read_log
from sandtable.engine.scene import Hint
from sandtable.engine.seats import Seat
from sandtable.engine.table import Table, verify
from sandtable.fuzz import Flaw, fuzz, main
from tests.toygame import ATTACK, BLOCK, FIRST, GAME, PASS, TO, State, ToyGame


def test_a_sound_game_has_no_flaw() -> None:
    found = fuzz(GAME, games=15, seed=7, often=0.2)
    assert found.games == 15
    for check in ("chances", "choices", "copy", "dice", "illegal", "log", "looking", "notation", "redeal", "undo"):
        assert found.checks[check] > 14, check
    assert found.checks["redeal changed something"] > 50
    assert "15 games" in str(found)


def test_every_registered_game_holds() -> None:
    """A short run; the long one is `make soak`."""
    for name in registry.names():
        game = registry.get(name)
        fuzz(game, games=len(game.scenarios()), seed=1, often=0.01, seconds=20)


def test_players_may_lead_the_sides() -> None:
    """What a player chooses is what is done, at every decision of every side."""
    asked: list[tuple[int, Action]] = []

    class Last:
        def __init__(self, game: ToyGame, rng: Random) -> None:
            pass

        def choose(self, seat: Seat) -> Action:
            asked.append((seat.side, seat.legal[-1]))
            return seat.legal[-1]

    found = fuzz(GAME, games=2, seed=7, often=0, player=Last)
    assert len(asked) == found.decisions
    assert {side for side, _ in asked} == {0, 1}
    with pytest.raises(Flaw) as caught:
        fuzz(Unsound(), games=1, seed=7, often=0, player=Last)
    done = [entry.do for entry in read_log(caught.value.save).entries if entry.by != "chance"]
    assert done == [GAME.text(action) for _, action in asked[found.decisions :]]


# One fault each


class NotSorted(ToyGame):
    def legal(self, s: State) -> list[Action]:
        return list(reversed(super().legal(s)))


class Twice(ToyGame):
    def legal(self, s: State) -> list[Action]:
        legal = super().legal(s)
        return [legal[0], *legal] if legal else legal


class Stuck(ToyGame):
    def legal(self, s: State) -> list[Action]:
        return [] if s.turn == 3 else super().legal(s)


class Endless(ToyGame):
    def apply(self, s: State, action: Action) -> list[Event]:
        events = super().apply(s, action)
        s.turn = min(s.turn, 3)
        return events


class Careless(ToyGame):
    """Accepts what is not legal."""

    def apply(self, s: State, action: Action) -> list[Event]:
        return super().apply(s, action) if action in self.legal(s) else []


class Hasty(ToyGame):
    """Changes the state before it looks."""

    def apply(self, s: State, action: Action) -> list[Event]:
        if action not in self.legal(s):
            s.turn += 1
        return super().apply(s, action)


class Silent(ToyGame):
    def why_not(self, s: State, action: Action) -> Reason | None:
        return None


class Stern(ToyGame):
    """Forbids in words what it allows."""

    def why_not(self, s: State, action: Action) -> Reason | None:
        return super().why_not(s, action) or Reason("", "no")


class Mumbling(ToyGame):
    def text(self, action: Action) -> str:
        return super().text(action).replace("H3", "H4")


class BadJson(ToyGame):
    def action_json(self, action: Action) -> dict[str, Any]:
        return {**super().action_json(action), "more": 1}


class Touching(ToyGame):
    """Its view changes the state."""

    def view(self, s: State, side: int) -> View:
        s.turn += 1
        return super().view(s, side)


class NotPlain(ToyGame):
    def view(self, s: State, side: int) -> View:
        return {**super().view(s, side), "pair": (1, 2)}


class LeakyView(ToyGame):
    def view(self, s: State, side: int) -> View:
        return {**super().view(s, side), "total": sum(n * b for b, n in enumerate(s.strength))}


class LeakyPrompt(ToyGame):
    """Its text is only seen by the one to act, and tells of the other side all the same."""

    def prompt(self, s: State) -> Prompt:
        return replace(super().prompt(s), text=f"The strongest is {s.strength.index(max(s.strength[3:]), 3)}.")


class LeakyTitle(ToyGame):
    """Its title stands on every screen, and tells of the one to act."""

    def prompt(self, s: State) -> Prompt:
        mine = s.strength[:3] if s.actor == 0 else s.strength[3:]
        return replace(super().prompt(s), title=f"Your blocks are {mine}")


class LeakyLegal(ToyGame):
    """A side may not attack what it would see to be strong."""

    def legal(self, s: State) -> list[Action]:
        legal = super().legal(s)
        if s.actor == 0 and any(action[0] == TO for action in legal) and s.strength[3] == 3:
            return legal[:1]
        return legal

    def pick(self, s: State, random: Callable[[], float]) -> Action:
        return self.legal(s)[0]


class PicksAny(ToyGame):
    """Picks what is not legal."""

    def pick(self, s: State, random: Callable[[], float]) -> Action:
        super().pick(s, random)
        return (PASS,)


class Unheard(ToyGame):
    """Whoever has not asked for the list is answered otherwise than by it."""

    def apply(self, s: State, action: Action) -> list[Event]:
        if s.choices is None:
            s.choices = self.otherwise(super().legal(s), action)
        return super().apply(s, action)

    def otherwise(self, legal: list[Action], action: Action) -> list[Action]:
        raise NotImplementedError


class TakesMore(Unheard):
    def otherwise(self, legal: list[Action], action: Action) -> list[Action]:
        moving = (PASS,) in legal and action in [(BLOCK, block) for block in range(6)]
        return [*legal, action] if moving else legal


class TakesLess(Unheard):
    def otherwise(self, legal: list[Action], action: Action) -> list[Action]:
        return [(PASS,)] if (PASS,) in legal else legal


class ListsLess(ToyGame):
    """Its list is another one every time that it is made."""

    def legal(self, s: State) -> list[Action]:
        if s.choices is None and len(super().legal(s)) > 1:
            ListsLess.made += 1
            s.choices = super().legal(s)[ListsLess.made % 2 :]
        return super().legal(s)

    made = 0


class LeakyLabel(ToyGame):
    def action_label(self, s: State, action: Action) -> str:
        return f"{super().action_label(s, action)} against {s.strength}"


class LeakyOdds(ToyGame):
    def odds(self, s: State, action: Action) -> Odds | None:
        return Odds("", results=((str(s.strength), Fraction(1)),))


class LeakyHint(ToyGame):
    def hint(self, s: State, action: Action) -> Hint | None:
        return {"cost": str(s.strength)}


class LeakyReason(ToyGame):
    """It says why not, and what stands there."""

    def why_not(self, s: State, action: Action) -> Reason | None:
        reason = super().why_not(s, action)
        return None if reason is None else Reason(reason.rule, f"{reason.why}: there stand {s.strength}")


class LeakyEvent(ToyGame):
    def apply(self, s: State, action: Action) -> list[Event]:
        events = super().apply(s, action)
        return [*events, Event("smell", "", {"of": list(s.strength)})] if action[0] == TO else events


class ExtraEvent(ToyGame):
    """An event that comes only if the enemy is strong."""

    def apply(self, s: State, action: Action) -> list[Event]:
        strong = s.strength[3] == 3 and action == (PASS,)
        return super().apply(s, action) + ([Event("noise", "", {})] if strong else [])


class Peeking(ToyGame):
    """Deals anew what the side can see."""

    def imagine(self, view: View, rng: Random) -> State:
        s = super().imagine(view, rng)
        if all(s.strength):
            s.strength = s.strength[1:3] + s.strength[:1] + s.strength[3:]
        return s


class BadOdds(ToyGame):
    def odds(self, s: State, action: Action) -> Odds | None:
        return Odds("", results=(("won", Fraction(1, 2)), ("lost", Fraction(1, 3))))


class BadSum(ToyGame):
    def chances(self, s: State) -> list[tuple[Action, Fraction]]:
        return [(action, chance * Fraction(99, 100)) for action, chance in super().chances(s)]


class Impossible(ToyGame):
    """Rolls what has no chance."""

    def chances(self, s: State) -> list[tuple[Action, Fraction]]:
        chances = super().chances(s)
        return [(FIRST_RED, Fraction(1))] if chances and chances[0][0] == FIRST_RED else chances


FIRST_RED = (FIRST, 0)


class Loaded(ToyGame):
    """Rolls otherwise than its chances say."""

    def roll(self, s: State, die: Die) -> Roll:
        roll = super().roll(s, die)
        return roll if roll.action != (FIRST, 1) else super().roll(s, die)


class RollsHard(ToyGame):
    """Rolling alone changes the state."""

    def roll(self, s: State, die: Die) -> Roll:
        s.turn += 0 if s.turn > 2 else 1
        return super().roll(s, die)


class Forgetful(ToyGame):
    """Takes the actions otherwise the second time."""

    def __init__(self) -> None:
        self.calls = count()

    def apply(self, s: State, action: Action) -> list[Event]:
        events = super().apply(s, action)
        if action[0] == PASS and next(self.calls) % 2:
            s.seen[0] = not s.seen[0]
        return events


class Sharing(State):
    __slots__ = ()

    def copy(self) -> Sharing:
        new = Sharing()
        for name in State.__slots__:
            setattr(new, name, getattr(self, name))
        new.stack, new.choices, new.events = self.stack.copy(), None, []
        return new


class SharedCopy(ToyGame):
    """Its copies share a list with the state."""

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> State:
        return Sharing.copy(super().new(scenario, options))  # type: ignore[arg-type]


class LossyCopy(ToyGame):
    """Its copies lack something."""

    class Lossy(State):
        __slots__ = ()

        def copy(self) -> State:
            new = Sharing.copy(self)  # type: ignore[arg-type]
            new.at, new.strength, new.seen = self.at.copy(), self.strength.copy(), [False] * 6
            return new

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> State:
        s = self.Lossy()
        for name in State.__slots__:
            setattr(s, name, getattr(super().new(scenario, options), name))
        return s


class Wordless(ToyGame):
    def describe(self, seen: Mapping[str, Any]) -> str:
        return "" if seen["event"] == "moved" else super().describe(seen)


class Secretive(ToyGame):
    """Hides an event from those who may see it."""

    def event_json(self, event: Event, side: int) -> dict[str, Any] | None:
        return None if event.kind == "moved" else super().event_json(event, side)


class Unsound(ToyGame):
    def invariants(self, s: State) -> list[str]:
        return ["too many turns"] if s.turn > 2 else []


class Leaking(ToyGame):
    def leaks(self, before: State, after: State, events: list[Event]) -> list[str]:
        return ["a turn came without a word"] if after.turn > before.turn else []


class Crashing(ToyGame):
    def apply(self, s: State, action: Action) -> list[Event]:
        if action in self.legal(s) and action[0] == ATTACK:
            raise KeyError("attack")
        return super().apply(s, action)


FAULTS: list[tuple[type[ToyGame], str, str]] = [
    (NotSorted, "sorted", ""),
    (Twice, "sorted", ""),
    (Stuck, "never stuck", "no legal action"),
    (Endless, "ends", "not over after 250 decisions"),
    (Careless, "illegal", "was accepted"),
    (Hasty, "illegal", "changed the state: turn"),
    (Silent, "illegal", "gives no reason"),
    (Stern, "looking", "why_not forbids"),
    (Mumbling, "", ""),
    (BadJson, "no exception", "Illegal"),
    (Touching, "", "turn: "),
    (NotPlain, "view", "JSON"),
    (LeakyView, "redeal", "the view of"),
    (LeakyPrompt, "redeal", "the prompt"),
    (LeakyTitle, "redeal", "the prompt"),
    (LeakyLegal, "redeal", "the legal actions of red change"),
    (PicksAny, "choices", "was picked, and is not legal"),
    (TakesMore, "illegal", "was accepted, and is not in"),
    (TakesLess, "choices", "is legal, and refused without the list"),
    (ListsLess, "illegal", "changed the legal ones"),
    (LeakyLabel, "redeal", "the label of"),
    (LeakyOdds, "redeal", "the odds of"),
    (LeakyHint, "redeal", "costs changes"),
    (LeakyReason, "redeal", "may not"),
    (LeakyEvent, "redeal", "sees"),
    (ExtraEvent, "redeal", "sees more"),
    (Peeking, "redeal", "/strength"),
    (BadOdds, "odds", "add up to 5/6"),
    (BadSum, "chances", "add up to 99/100"),
    (Impossible, "", "fell"),
    (Loaded, "dice", "fell"),
    (RollsHard, "roll", "rolling changes the state"),
    (Forgetful, "", ""),
    (SharedCopy, "", ""),
    (LossyCopy, "", ""),
    (Wordless, "events", "moved has no words"),
    (Secretive, "events", "moved is hidden"),
    (Unsound, "invariants", "too many turns"),
    (Leaking, "leaks", "a turn came without a word"),
    (Crashing, "no exception", "KeyError: 'attack'"),
]


@pytest.mark.parametrize(("make", "check", "words"), FAULTS, ids=lambda value: getattr(value, "__name__", ""))
def test_every_kind_of_fault_is_found(make: type[ToyGame], check: str, words: str) -> None:
    with pytest.raises(Flaw) as caught:
        fuzz(make(), games=40, seed=1, often=0.3, limit=250)
    assert check in ("", caught.value.check), caught.value
    assert words in str(caught.value)
    assert read_log(caught.value.save).header.game == "toy"
    assert "of seed 1, scenario" in caught.value.__notes__[0]


def test_undo_over_dice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that lets a side take back what it may not."""
    for wrong in (
        lambda actor, after, events: False,
        lambda actor, after, events: True,
        lambda actor, after, events: after != actor,
        lambda actor, after, events: any(event.final for event in events),
    ):
        with monkeypatch.context() as patch:
            patch.setattr("sandtable.engine.table.irreversible", wrong)
            with pytest.raises(Flaw, match=r"undo|verify|exception"):
                fuzz(Frank(), games=40, seed=1, often=0.3)


class Frank(ToyGame):
    """Picking a block is final, though nothing else stops undo there; dice tell nothing final."""

    def apply(self, s: State, action: Action) -> list[Event]:
        return [event._replace(final=event.kind == "picked") for event in super().apply(s, action)]


def test_a_crash_is_saved_with_the_action_that_did_it() -> None:
    with pytest.raises(Flaw) as caught:
        fuzz(Crashing(), games=40, seed=1, often=0)
    log = read_log(caught.value.save)
    assert log.entries[-1].do.startswith("attack ")
    assert "KeyError" in verify(log, Crashing()).problems[0]
    assert Table.replay(log, GAME).state


def test_events_named_in_reveals_may_tell() -> None:
    class Told(LeakyEvent):
        reveals = ("revealed", "battle", "smell")

    fuzz(Told(), games=10, seed=1, often=0.3)


def test_time_ends_a_run() -> None:
    assert fuzz(GAME, games=100_000, seconds=0.3).games < 5000


# The command


def test_the_command(toy: ToyGame, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["toy", "--games", "3", "--scenario", "close"]) == 0
    assert capsys.readouterr().out.startswith("toy: 3 games, ")
    assert main(["toy", "--games", "1", "--player", "first"]) == 0
    assert capsys.readouterr().out.startswith("toy: 1 games, ")
    assert main(["toy", "--player", "frist"]) == 2
    assert "did you mean first" in capsys.readouterr().err
    assert main(["tooy"]) == 2
    assert "did you mean toy" in capsys.readouterr().err
    assert main(["toy", "--scenario", "clos"]) == 2


def test_the_command_keeps_the_save(toy: ToyGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["broken", "--games", "60", "--save-dir", str(tmp_path), "--seed", "a/b"]) == 1
    error = capsys.readouterr().err
    assert "no exception: ZeroDivisionError: the third turn (in game " in error
    (save,) = tmp_path.iterdir()
    assert save.name in error
    with pytest.raises(ZeroDivisionError):
        registry.load_table(save)
