"""One fuzzer for all games: plays at random and checks what the contract promises at every step.

    python -m sandtable.fuzz rommel --games 200 --seed 1
    python -m sandtable.fuzz asl --games 10 --player planner --often 0

Random games wander; `--player` lets a computer player lead both sides, and reaches what play with a purpose reaches.
Checked are: the game is never stuck and ends; legal actions are sorted, unique and read back from
text, JSON and flat numbers; an illegal action raises and changes nothing; looking changes nothing;
a copy is a copy; a replayed, saved and read log gives the same state and verifies; dice add up to
1 and fall as they should; undo gives back the state before and never crosses dice, a reveal or a
change of side; and whatever a side may see (view, prompt, legal actions, labels, odds, events)
does not change when the facts hidden from it are dealt anew. A game that has `invariants(state)`
is asked for its own faults as well, and one that has `leaks(before, after, events)` for what came or
went between two states without an event; events whose kind it names in `reveals` may tell hidden facts.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from . import registry
from .engine.contract import CHANCE, SPECTATOR, Action, Event, Game, Illegal, Roll
from .engine.dice import Dice, QuickDice, derive_seed
from .engine.flat import differences
from .engine.log import Entry, dump_log, read_log
from .engine.seats import PlayerFactory, seat_at
from .engine.table import Table, verify

LIMIT = 100_000
"""More decisions than any random game may take, unless the caller says otherwise."""


class Flaw(AssertionError):
    """A promise that was broken, and the save that shows it."""

    def __init__(self, check: str, text: str) -> None:
        super().__init__(f"{check}: {text}")
        self.check = check
        self.text = text
        self.save = ""


def _flaw(error: Exception) -> Flaw:
    """An exception that the game should not have raised."""
    return Flaw("no exception", f"{type(error).__name__}: {error}")


@dataclass
class Findings:
    """What a run has looked at."""

    games: int = 0
    decisions: int = 0
    checks: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        counts = ", ".join(f"{name} {count:,}" for name, count in sorted(self.checks.items()))
        return f"{self.games} games, {self.decisions:,} decisions; checks: {counts}"


def fingerprint(state: Any) -> dict[str, str]:
    """Everything that is in a state, caches left out, fixed in words."""
    return {name: repr(getattr(state, name, None)) for name in _parts(state)}


def _parts(state: Any) -> list[str]:
    skip = {"events", "choices", *getattr(type(state), "caches", ())}
    names = [name for kind in type(state).__mro__ for name in getattr(kind, "__slots__", ())]
    return sorted({*names, *getattr(state, "__dict__", {})} - skip)


def _changed(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    unlike = [name for name in before if before[name] != after[name]]
    return "; ".join(f"{name}: {before[name][:200]} became {after[name][:200]}" for name in unlike)


def _plain(data: Any) -> Any:
    """What remains of data that goes through JSON."""
    return json.loads(json.dumps(data, allow_nan=False))


class _CheckedTable(Table[Any]):
    """A table that shows every chance decision to the fuzzer before the dice fall."""

    fuzzer: Fuzzer | None = None

    def _roll(self, dice: Dice) -> Roll:
        if self.fuzzer is None:
            return super()._roll(dice)
        before = fingerprint(self.state)
        self.fuzzer.check_chances(self.state)
        roll = super()._roll(dice)
        wrong = _changed(before, fingerprint(self.state))
        self.fuzzer.expect("roll", not wrong, "rolling changes the state:", wrong)
        self.fuzzer.check_roll(self.state, roll)
        return roll


class Fuzzer:
    """Plays one game, at random or led by computer players, and checks it."""

    def __init__(
        self,
        game: Game[Any],
        scenario: str,
        seed: str,
        often: float = 0.05,
        limit: int = LIMIT,
        options: Mapping[str, bool] | None = None,
        findings: Findings | None = None,
        player: PlayerFactory | None = None,
    ) -> None:
        """`often` is the share of decisions at which each of the costly checks is made."""
        self.game = game
        self.rng = Random(seed)
        self.often = often
        self.limit = limit
        self.findings = findings if findings is not None else Findings()
        if options is None:
            options = {option.id: self.rng.random() < 0.5 for option in game.options()}
        self.table = _CheckedTable.new(game, scenario, options, derive_seed(seed))
        assert isinstance(self.table, _CheckedTable)
        self.table.fuzzer = self
        sides = range(len(game.info.sides) if player is not None else 0)
        self.players = [player(game, Random(f"{seed} {side}")) for side in sides if player is not None]
        """Who leads the sides; nobody, if chance does."""
        self.taking: tuple[int, Action] | None = None
        self.trail: list[Any] = []
        """The states before the last actions, back to the last that cannot be taken back."""

    # The means

    def expect(self, check: str, true: bool, *words: object) -> None:
        """Raise Flaw if something is not true; the words are put together only then."""
        if not true:
            raise Flaw(check, " ".join(map(str, words)))

    def invariants(self, state: Any) -> None:
        """The game's own faults."""
        faults: list[str] = getattr(self.game, "invariants", lambda state: [])(state)
        self.expect("invariants", not faults, "; ".join(faults))

    def leaks(self, before: Any, after: Any, events: Sequence[Event]) -> None:
        """What the game itself says has changed without an event."""
        found: list[str] = getattr(self.game, "leaks", lambda *_: [])(before, after, events)
        self.expect("leaks", not found, "; ".join(found))

    def now(self, check: str) -> bool:
        """Whether to make a costly check at this decision."""
        if self.rng.random() >= self.often:
            return False
        self.findings.checks[check] += 1
        return True

    def run(self) -> Findings:
        """Play to the end; raises Flaw."""
        try:
            self._play()
        except Flaw as flaw:
            flaw.save = self.saved()
            raise
        except Exception as error:
            found = _flaw(error)
            found.save = self.saved()
            raise found from error
        self.findings.games += 1
        return self.findings

    def saved(self) -> str:
        """The save of the game so far, and of the action that was being taken."""
        log = self.table.log
        if self.taking is not None:
            side, action = self.taking
            entry = Entry(self.table.side_name(side), self.game.text(action))
            log = replace(log, entries=(*log.entries, entry))
        return dump_log(log)

    def _play(self) -> None:
        game, table, rng = self.game, self.table, self.rng
        decisions = 0
        halfway = rng.randrange(20, 400)
        while (side := table.to_act) is not None:
            self.expect("chance", side != CHANCE, "the table waits for dice")
            decisions += 1
            self.expect("ends", decisions <= self.limit, "not over after", self.limit, "decisions")
            state = table.state
            legal = list(game.legal(state))
            self.check_legal(state, legal)
            self.check_reasons(state)
            self.check_decision(state, side, legal)
            self.step(side, self.chosen(side, legal))
            if decisions == halfway:
                self.check_log()
        self.findings.decisions += decisions
        self.expect("ends", game.outcome(table.state) is not None, "the game is over without an outcome")
        self.expect("ends", not game.legal(table.state), "there are legal actions after the end")
        self.check_views(table.state)
        self.check_log()

    def chosen(self, side: int, legal: Sequence[Action]) -> Action:
        """What is done next."""
        if not self.players:
            return self.rng.choice(legal)
        return self.players[side].choose(seat_at(self.game, self.table.state, side))

    def step(self, side: int, action: Action) -> None:
        """Take an action at the table, sometimes some back, and check what may be taken back."""
        game, table = self.game, self.table
        before = table.state.copy()
        first = len(table.entries)
        self.taking = side, action
        events = table.act(action, side)
        self.taking = None
        self.check_events(events)
        self.invariants(table.state)
        self.leaks(before, table.state, events)
        rolled = len(table.entries) > first + 1
        if rolled or table.to_act != side or any(event.final for event in events):
            self.trail.clear()
        else:
            self.trail.append(before)
        for other in range(len(game.info.sides)):
            free = bool(self.trail) and other == side
            self.expect("undo", table.can_undo(other) == free, "can_undo is wrong after", action)
        if self.trail and self.now("undo"):
            for _ in range(self.rng.randint(1, min(4, len(self.trail)))):
                table.undo(side)
                wrong = differences(self.trail.pop(), table.state)
                self.expect("undo", not wrong, "undo does not give the state before:", wrong)

    # The checks

    def check_legal(self, state: Any, legal: Sequence[Action]) -> None:
        self.expect("never stuck", bool(legal), "there is no legal action")
        self.expect("sorted", all(a < b for a, b in pairwise(legal)), "not sorted and unique:", legal)

    def check_reasons(self, state: Any) -> None:
        """An action has a reason against it if and only if it is not listed."""
        ask = getattr(self.game, "disagreements", None)
        wrong = ask(state) if ask is not None else []
        self.expect("reasons", not wrong, *wrong[:3])

    def check_decision(self, state: Any, side: int, legal: list[Action]) -> None:
        """The costly checks, each made at some decisions."""
        some = self.rng.sample(legal, min(len(legal), 6))
        if self.now("notation"):
            self.check_notation(some)
        if self.now("choices"):
            self.check_choices(state, legal, some)
        if self.now("illegal"):
            self.check_illegal(state, legal)
        if self.now("looking"):
            self.check_looking(state, some)
        if self.now("copy"):
            self.check_copy(state)
        if self.now("redeal"):
            for other in range(len(self.game.info.sides)):
                self.check_redeal(state, other, side, legal)

    def check_notation(self, actions: Iterable[Action]) -> None:
        game = self.game
        codec = getattr(game, "codec", None)
        for action in actions:
            text = game.text(action)
            self.expect("notation", game.parse(text) == action, f"{text!r} is read as {game.parse(text)}")
            data = _plain(game.action_json(action))
            self.expect("notation", game.action_from_json(data) == action, f"{data} is not {action}")
            if codec is not None:
                flat = codec.flat(action)
                self.expect("notation", 0 <= flat < codec.size, f"{text!r} has number {flat}")
                self.expect("notation", codec.unflat(flat) == action, f"number {flat} is not {text!r}")

    def candidates(self, legal: Sequence[Action]) -> list[Action]:
        """Actions that are not legal: near ones, ones of other moments, and nonsense."""
        rng = self.rng
        found: list[Action] = [(), (-1,), (9999,), (*legal[0], 0), legal[-1][:-1]]
        for action in rng.sample(list(legal), min(3, len(legal))):
            place = rng.randrange(len(action))
            found.append((*action[:place], action[place] + rng.choice((-1, 1, 7)), *action[place + 1 :]))
        codec = getattr(self.game, "codec", None)
        if codec is not None:
            found += [codec.unflat(rng.randrange(codec.size)) for _ in range(3)]
        known = set(legal)
        return [action for action in found if action not in known]

    def check_choices(self, state: Any, legal: Sequence[Action], some: Iterable[Action]) -> None:
        """Where nobody has asked for the list, the same is picked and taken as by the list."""
        game, bare = self.game, state.copy()
        known = set(legal)
        for _ in range(5):
            bare.choices = None
            picked = game.pick(bare, self.rng.random)
            self.expect("choices", picked in known, f"{picked} was picked, and is not legal")
        for action in some:
            copy = state.copy()
            copy.choices = None
            try:
                game.apply(copy, action)
            except Illegal as error:
                raise Flaw("choices", f"{action} is legal, and refused without the list: {error}") from None
        bare.choices = None
        self.expect("choices", list(game.legal(bare)) == list(legal), "the list made anew is another one")

    def check_illegal(self, state: Any, legal: Sequence[Action]) -> None:
        game = self.game
        before = fingerprint(state)
        for action in self.candidates(legal):
            reason = game.why_not(state, action)
            said = reason is not None and bool(reason.why)
            self.expect("illegal", said, "why_not gives no reason for", action)
            for asked in (True, False):
                if not asked:
                    state.choices = None  # nobody has asked for the list
                try:
                    game.apply(state, action)
                except Illegal as error:
                    self.expect("illegal", bool(error.why), f"Illegal for {action} says nothing")
                else:
                    raise Flaw("illegal", f"{action} was accepted, and is not in {list(legal)[:20]}")
            wrong = _changed(before, fingerprint(state))
            self.expect("illegal", not wrong, f"refusing {action} changed the state: {wrong}")
        same = list(game.legal(state)) == list(legal)
        self.expect("illegal", same, "refusing an action changed the legal ones")

    def check_looking(self, state: Any, actions: Iterable[Action]) -> None:
        """Views, prompts, labels, odds and why_not change nothing and are made of plain JSON."""
        game = self.game
        before = fingerprint(state)
        for action in actions:
            self.expect("looking", game.why_not(state, action) is None, f"why_not forbids legal {action}")
            self.expect("looking", bool(game.action_label(state, action)), f"{action} has no label")
            odds = game.odds(state, action)
            if odds is not None and odds.results:
                total = sum((chance for _, chance in odds.results), Fraction(0))
                self.expect("odds", total == 1, f"the odds of {game.text(action)} add up to {total}")
        self.expect("looking", bool(game.prompt(state).title), "the prompt has no title")
        self.expect("looking", game.outcome(state) is None, "there is an outcome before the end")
        self.check_views(state)
        wrong = _changed(before, fingerprint(state))
        self.expect("looking", not wrong, f"looking changed the state: {wrong}")

    def check_views(self, state: Any) -> None:
        for side in (*range(len(self.game.info.sides)), SPECTATOR):
            view = self.game.view(state, side)
            self.expect("view", _plain(view) == view, "the view changes on its way through JSON")

    def check_copy(self, state: Any) -> None:
        game, rng = self.game, self.rng
        copy = state.copy()
        wrong = differences(state, copy)
        self.expect("copy", not wrong, f"the copy differs: {wrong}")
        before = fingerprint(state)
        self.play_on(copy, 6)
        wrong_now = _changed(before, fingerprint(state))
        self.expect("copy", not wrong_now, f"playing a copy changed the state: {wrong_now}")
        legal = game.legal(state)
        copy = state.copy()
        first = rng.choice(list(legal))
        one = game.apply(copy, first)
        again = state.copy()
        self.expect("copy", one == game.apply(again, first), "one action, two kinds of events")
        self.expect("copy", not differences(copy, again), "one action, two states")

    def play_on(self, state: Any, steps: int) -> None:
        """Play a state that is not at the table for a while."""
        game, rng = self.game, self.rng
        dice = QuickDice(rng)
        taken: list[Action] = []
        try:
            for _ in range(steps):
                who = game.to_act(state)
                if who is None:
                    return
                legal = list(game.legal(state))
                self.check_legal(state, legal)
                taken.append(game.roll(state, dice).action if who == CHANCE else rng.choice(legal))
                before = state.copy()
                events = game.apply(state, taken[-1])
                self.invariants(state)
                self.leaks(before, state, events)
        except Exception as error:
            found = error if isinstance(error, Flaw) else _flaw(error)
            then = ", ".join(game.text(action) for action in taken) or "nothing"
            text = f"{found.text} (on a copy or a new deal of the state saved, after {then})"
            raise Flaw(found.check, text) from error

    def check_redeal(self, state: Any, side: int, actor: int, legal: list[Action]) -> None:
        """Whatever a side sees stays the same when what it does not see is dealt anew."""
        game, rng = self.game, self.rng
        name = game.info.sides[side]
        before = fingerprint(state)
        view = game.view(state, side)
        other = game.redeal(state, side, Random(rng.random()))
        wrong = _changed(before, fingerprint(state))
        self.expect("redeal", not wrong, f"dealing anew changed the state: {wrong}")
        again = game.view(other, side)
        self.expect("redeal", again == view, f"the view of {name} changes: {_unlike(view, again)}")
        self.expect("redeal", game.to_act(other) == actor, "another side is to act")
        one, two = game.prompt(state), game.prompt(other)
        if side != actor:
            # Text and rules of a prompt are for the side that decides; its title may stand on every screen.
            one, two = replace(one, text="", rules=()), replace(two, text="", rules=())
        self.expect("redeal", one == two, f"the prompt shown to {name} changes: {one} is not {two}")
        self.findings.checks["redeal changed something"] += bool(differences(state, other))
        if side == actor:
            self.check_redeal_actions(state, other, side, legal)
        self.play_on(other, 4)

    def check_redeal_actions(self, state: Any, other: Any, side: int, legal: list[Action]) -> None:
        game, rng = self.game, self.rng
        name = game.info.sides[side]
        now = list(game.legal(other))
        text = [game.text(action) for action in sorted(set(legal) ^ set(now))]
        self.expect("redeal", now == legal, f"the legal actions of {name} change: {text}")
        for action in rng.sample(legal, min(len(legal), 4)):
            what = game.text(action)
            same_label = game.action_label(state, action) == game.action_label(other, action)
            self.expect("redeal", same_label, f"the label of {what} changes")
            same_odds = game.odds(state, action) == game.odds(other, action)
            self.expect("redeal", same_odds, f"the odds of {what} change")
            same_hint = game.hint(state, action) == game.hint(other, action)
            self.expect("redeal", same_hint, f"what {what} costs changes")
        for action in self.candidates(legal):
            one, two = game.why_not(state, action), game.why_not(other, action)
            self.expect("redeal", one == two, f"why {name} may not {action} changes: {one} is not {two}")
        action = rng.choice(legal)
        mine = game.apply(state.copy(), action)
        theirs = game.apply(other.copy(), action)
        self.compare_events(mine, theirs, side, game.text(action))

    def compare_events(self, mine: list[Event], theirs: list[Event], side: int, what: str) -> None:
        """The events that a side sees of its own action, up to the first that may tell hidden facts."""
        game = self.game
        reveals = frozenset(getattr(game, "reveals", ()))
        seen = [[(e.kind, game.event_json(e, side)) for e in events] for events in (mine, theirs)]
        left, right = [[(kind, data) for kind, data in one if data is not None] for one in seen]
        for a, b in zip(left, right, strict=False):
            if a[0] in reveals or b[0] in reveals:
                return
            self.expect("redeal", a == b, f"after {what}, {game.info.sides[side]} sees {a[1]} or {b[1]}")
        rest = (left if len(left) > len(right) else right)[min(len(left), len(right)) :]
        unlike = bool(rest) and rest[0][0] not in reveals
        self.expect("redeal", not unlike, f"after {what}, {game.info.sides[side]} sees more: {rest[:1]}")

    def check_chances(self, state: Any) -> None:
        game = self.game
        chances = list(game.chances(state))
        actions = [action for action, _ in chances]
        total = sum((chance for _, chance in chances), Fraction(0))
        self.findings.checks["chances"] += 1
        self.expect("chances", total == 1, f"the chances add up to {total}")
        self.expect("chances", all(chance >= 0 for _, chance in chances), "a chance is negative")
        self.expect("chances", len(set(actions)) == len(actions), "an outcome stands twice")
        legal = list(game.legal(state))
        self.check_legal(state, legal)
        possible = {action for action, chance in chances if chance}
        self.expect("chances", possible <= set(legal), "an outcome is not legal")
        if self.now("dice"):
            self.check_notation(self.rng.sample(actions, min(len(actions), 6)))
            self.check_dice(state, dict(chances))
            self.check_views(state)

    def check_roll(self, state: Any, roll: Roll) -> None:
        chance = dict(self.game.chances(state)).get(roll.action, Fraction(0))
        self.expect("chances", chance > 0, f"{roll.action} fell, which has no chance")
        whole = all(type(face) is int for face in roll.faces)
        self.expect("chances", whole, f"the faces are not whole numbers: {roll.faces!r}")

    def check_dice(self, state: Any, chances: Mapping[Action, Fraction], rolls: int = 400) -> None:
        """Let the same dice fall many times: the outcomes must come as often as their chances say."""
        dice = QuickDice(self.rng)
        count = Counter(self.game.roll(state, dice).action for _ in range(rolls))
        self.expect("dice", set(count) <= set(chances), "an outcome fell that has no chance")
        for action, chance in chances.items():
            expected = float(chance) * rolls
            room = 6 * (expected * (1 - float(chance))) ** 0.5 + 3
            if abs(count[action] - expected) > room:
                what = self.game.text(action)
                raise Flaw("dice", f"{what} fell {count[action]} times of {rolls}, not {expected:.0f}")

    def check_events(self, events: Sequence[Event]) -> None:
        """Every event reaches every side as plain JSON, with words for the log."""
        game = self.game
        for side in (*range(len(game.info.sides)), SPECTATOR):
            for event in events:
                seen = game.event_json(event, side)
                if seen is None:
                    hidden = event.hidden and side != event.owner
                    self.expect("events", hidden, event.kind, "is hidden from those who may see it")
                    continue
                self.expect("events", _plain(seen) == seen, f"{event.kind} changes on its way through JSON")
                self.expect("events", bool(game.describe(seen)), f"{event.kind} has no words")

    def check_log(self) -> None:
        """The log gives the same state again, also from a file, and verifies."""
        self.findings.checks["log"] += 1
        log = self.table.log
        again = Table.replay(log, self.game)
        wrong = differences(self.table.state, again.state)
        self.expect("replay", not wrong, f"replaying the log gives another state: {wrong}")
        read = read_log(dump_log(log))
        same = [entry._replace(line=0) for entry in read.entries] == list(log.entries)
        self.expect("save", same, "the log that is read is not the log that was written")
        report = verify(read, self.game)
        self.expect("verify", report.ok, "; ".join(report.problems))


def _unlike(one: Any, two: Any, path: str = "") -> str:
    """Where two views differ."""
    if isinstance(one, dict) and isinstance(two, dict):
        for key in [*one, *(key for key in two if key not in one)]:
            if one.get(key) != two.get(key):
                return _unlike(one.get(key), two.get(key), f"{path}/{key}")
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for index, (a, b) in enumerate(zip(one, two, strict=True)):
            if a != b:
                return _unlike(a, b, f"{path}/{index}")
    return f"{path}: {str(one)[:200]} became {str(two)[:200]}"


def fuzz(
    game: Game[Any],
    games: int = 10,
    seed: int | str = 1,
    scenario: str | None = None,
    often: float = 0.05,
    limit: int = LIMIT,
    seconds: float | None = None,
    player: PlayerFactory | None = None,
) -> Findings:
    """Fuzz a game, its scenarios in turn; raises Flaw at the first fault. `seconds` may end it early."""
    names = [scenario] if scenario is not None else [one.id for one in game.scenarios()]
    findings = Findings()
    begin = time.monotonic()
    for number in range(games):
        if seconds is not None and time.monotonic() - begin > seconds:
            break
        name = names[number % len(names)]
        try:
            Fuzzer(game, name, f"{seed}/{number}", often, limit, findings=findings, player=player).run()
        except Flaw as flaw:
            flaw.add_note(f"in game {number} of seed {seed}, scenario {name}")
            raise
    return findings


def main(arguments: Sequence[str] | None = None) -> int:
    what = "Play a game and check that it keeps its promises."
    parser = argparse.ArgumentParser("python -m sandtable.fuzz", description=what)
    parser.add_argument("game", help="the game's name")
    parser.add_argument("--scenario", help="one scenario; all in turn if not given")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--often", type=float, default=0.05, help="share of decisions with costly checks")
    parser.add_argument("--limit", type=int, default=LIMIT, help="decisions that no game may exceed")
    parser.add_argument("--minutes", type=float, help="stop after this time")
    parser.add_argument("--player", help="the computer player that leads all sides; chance does if not given")
    parser.add_argument("--save-dir", type=Path, default=Path("saves"), help="where a failing game is kept")
    given = parser.parse_args(arguments)
    seconds = None if given.minutes is None else given.minutes * 60
    try:
        game = registry.get(given.game)
        if given.scenario is not None:
            registry.scenario(game, given.scenario)
        player = None if given.player is None else registry.player(game, given.player)
        found = fuzz(game, given.games, given.seed, given.scenario, given.often, given.limit, seconds, player)
    except registry.UnknownName as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except Flaw as flaw:
        notes = " ".join(getattr(flaw, "__notes__", []))
        given.save_dir.mkdir(parents=True, exist_ok=True)
        path = given.save_dir / f"fuzz-{given.game}-{given.seed.replace('/', '-')}.jsonl"
        path.write_text(flaw.save, encoding="utf-8")
        sys.stderr.write(f"{flaw} ({notes}; the save that shows it: {path})\n")
        return 1
    sys.stdout.write(f"{given.game}: {found}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
