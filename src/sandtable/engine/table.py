"""A game in progress: the rules, the state, the log, the dice and what may be taken back."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NamedTuple, TypeVar

from sandtable.engine.texts.text import Said, Text

from .contract import CHANCE, Action, Event, Game, Illegal, Outcome, Roll, State
from .dice import Dice, FairDice, commitment, secret_seed
from .log import (
    CHANCE_NAME,
    CONSENT,
    End,
    Entry,
    Header,
    Journal,
    Log,
    SaveError,
    cut_log,
    read_log,
    write_log,
)
from .migrations import chosen, migrate

S = TypeVar("S", bound=State)

FindGame = Callable[[str], Game[Any]]
"""How to find a game by its name: `sandtable.registry.get`."""

UNDO = "undo"
"""The kind of the event that tells that actions were taken back; its data: `by` and `entries`."""


KEPT_EVERY = 64
"""How many actions apart the states are that undo by consent goes back to and plays on from."""


class Happened(NamedTuple):
    """An event and the number of the log entry that brought it."""

    n: int
    event: Event


def irreversible(actor: int, after: int | None, events: list[Event]) -> bool:
    """Whether an action cannot be taken back freely: dice, a reveal, or another side's turn now."""
    return actor == CHANCE or after != actor or any(event.final for event in events)


class Table(Generic[S]):
    """One game being played, or replayed."""

    def __init__(self, game: Game[S], header: Header, dice: Dice | None) -> None:
        """Set the game up; the constructors to use are `new`, `load` and `replay`."""
        self.game = game
        self.header = header
        self.dice = dice
        self.entries: list[Entry] = []
        self.events: list[Happened] = []
        self.end: End | None = None
        self.note = ""
        self.journal: Journal | None = None
        self._live: list[int] = []  # the entries that have not been taken back, by index
        self._before: list[S | None] = []  # the states before each of the last of them that may be; None: not kept
        self._kept: dict[int, S] = {}  # the states after every so many of them, to go back to by consent
        self._names = {side: number for number, side in enumerate(header.sides)} | {CHANCE_NAME: CHANCE}
        self.state: S = game.new(header.scenario, header.options)

    @classmethod
    def new(
        cls,
        game: Game[S],
        scenario: str,
        options: Mapping[str, bool] | None = None,
        seed: bytes | None = None,
        dice: Dice | None = None,
        players: Mapping[str, str] | None = None,
        created: str = "",
        journal: str | os.PathLike[str] | None = None,
    ) -> Table[S]:
        """Begin a game, with fair dice from a seed (a secret one if none is given).

        With `dice` of another kind there is no commitment and nothing to check later.
        With `journal`, every action is on disk in that (new) file before `act` returns.
        """
        if dice is not None and seed is not None:
            raise ValueError("give a seed or dice, not both")
        if dice is None:
            seed = secret_seed() if seed is None else seed
            dice = FairDice(seed)
        header = Header(
            game=game.id,
            version=game.version,
            scenario=scenario,
            sides=game.info.sides,
            options=dict(options or {}),
            commitment=commitment(seed) if seed is not None else "",
            seed=seed.hex() if seed is not None else "",
            players=dict(players or {}),
            created=created,
        )
        table = cls(game, header, dice)
        table._roll_on()
        if journal is not None:
            table.journal = Journal(journal, table.log)
        return table

    # What is known

    @property
    def log(self) -> Log:
        return Log(self.header, tuple(self.entries), self.end, self.note)

    @property
    def to_act(self) -> int | None:
        """The side to decide, or None when the game is over (or was ended)."""
        return None if self.end is not None else self.game.to_act(self.state)

    def legal(self) -> list[Action]:
        return [] if self.end is not None else list(self.game.legal(self.state))

    def side_name(self, side: int) -> str:
        return CHANCE_NAME if side == CHANCE else self.header.sides[side]

    def events_for(self, side: int, since: int = 0) -> list[dict[str, Any]]:
        """What a side learned from the entries after number `since`, each with its number as `n`."""
        seen = []
        for n, event in self.events:
            if n <= since:
                continue
            if event.kind == UNDO:
                seen.append({"event": UNDO, "kind": UNDO, "rule": "", **event.data, "n": n})
                continue
            data = self.game.event_json(event, side)
            if data is not None:
                seen.append({**data, "n": n})
        return seen

    def describe(self, seen: Mapping[str, Any]) -> Said:
        """One log line for an event in the form of `events_for`."""
        if seen.get("event") == UNDO:
            n, by = len(seen["entries"]), seen["by"]
            return Text.many(n, "an action was taken back by {by}", "{n} actions were taken back by {by}", by=by)
        return self.game.describe(seen)

    # Playing

    def act(self, action: Action, side: int | None = None) -> list[Event]:
        """Take an action, then let the dice fall until a side must decide; returns all that happened.

        Raises Illegal if it is not legal or not that side's turn. If anything at all goes wrong,
        the table is as it was.
        """
        if self.end is not None or (who := self.game.to_act(self.state)) is None:
            raise Illegal("", "the game is over")
        if who == CHANCE:
            raise Illegal("", "the dice have to fall first")
        if side is not None and side != who:
            raise Illegal("", f"it is not the turn of {self.side_name(side)}: {self.side_name(who)} decides")
        mark = self._mark()
        try:
            self._take(who, action)
            self._roll_on()
            self._write(mark.entries)
        except BaseException:
            self._restore(mark)
            raise
        return [event for n, event in self.events if n > mark.entries]

    def roll_on(self) -> list[Event]:
        """Let dice fall that a loaded game is still waiting for."""
        mark = self._mark()
        try:
            self._roll_on()
            self._write(mark.entries)
        except BaseException:
            self._restore(mark)
            raise
        return [event for n, event in self.events if n > mark.entries]

    def finish(self, outcome: Outcome | None = None) -> End:
        """End the game and reveal the seed.

        A game that is over by its rules ends by itself in `act`; this ends one that is abandoned
        (no outcome), given up or settled by agreement (the outcome agreed upon).
        """
        if self.end is None:
            end = End(self.game.outcome(self.state) or outcome, self.header.seed)
            if self.journal is not None:
                self.journal.append((), end)
            self.end = end
        return self.end

    # Taking back

    def can_undo(self, side: int) -> bool:
        """Whether this side may take back its last action alone."""
        return self.end is None and bool(self._before) and self.game.to_act(self.state) == side

    @property
    def standing(self) -> tuple[list[int], list[S]]:
        """The entries that were not taken back, by index, and the states before the last of them that may be."""
        return self._live, self._recalled()

    def unbroken(self) -> list[tuple[S, int]]:
        """The last entries, by index, since dice fell or another side acted, each with the state before it."""
        count = len(self._live)
        by = self.entries[self._live[-1]].by if count else CHANCE_NAME
        while by != CHANCE_NAME and count and self.entries[self._live[count - 1]].by == by:
            count -= 1
        state = self._replayed(self._live[:count])
        found = []
        for index in self._live[count:] if by != CHANCE_NAME else ():
            found.append((state.copy(), index))
            self.game.apply(state, self.game.parse(self.entries[index].do))
        return found

    def undo(self, side: int) -> None:
        """Take back the side's last action, if nothing irreversible has happened since."""
        if not self.can_undo(side):
            raise Illegal("", "nothing to take back: dice, a reveal or the other side came in between")
        self._logged(Entry(self.side_name(side), undo=1))

    def undo_by_consent(self, decisions: int = 1) -> None:
        """Take back the last decisions, whoever took them and whatever dice they led to.

        Dice that have fallen are not used again.
        """
        if self.end is not None:
            raise Illegal("", "the game has ended and its dice are revealed")
        found = 0
        for count, index in enumerate(reversed(self._live), 1):
            found += self.entries[index].by != CHANCE_NAME
            if found == decisions:
                self._logged(Entry(CONSENT, undo=count))
                return
        raise Illegal("", f"there are not {decisions} decisions to take back")

    def _logged(self, undo: Entry) -> None:
        mark = self._mark()
        try:
            self._take_back(undo)
            self._write(mark.entries)
        except BaseException:
            self._restore(mark)
            raise

    def _take_back(self, undo: Entry) -> None:
        """Carry out an undo entry; raises Illegal if it takes back too much."""
        count = undo.undo
        if count > len(self._live):
            raise Illegal("", f"there are not {count} actions to take back")
        gone = self._live[len(self._live) - count :]
        if undo.by == CONSENT:
            self.state = self._replayed(self._live[: len(self._live) - count])
            self._before.clear()
            self._kept = {live: state for live, state in self._kept.items() if live <= len(self._live) - count}
        else:
            if count > len(self._before) or self.game.to_act(self.state) != self._names[undo.by]:
                raise Illegal("", f"{undo.by} may not take back {count} actions here")
            self.state = self._recalled()[-count]
            del self._before[len(self._before) - count :]
        del self._live[len(self._live) - count :]
        numbers = [index + 1 for index in gone]
        taken_back = set(numbers)
        self.events = [happened for happened in self.events if happened.n not in taken_back]
        self.entries.append(undo)
        self.events.append(Happened(len(self.entries), Event(UNDO, "", {"by": undo.by, "entries": numbers})))

    def _replayed(self, live: list[int]) -> S:
        """The state after these of the entries: from the last state that was kept on the way there."""
        kept = max((count for count in self._kept if count <= len(live)), default=0)
        state = self._kept[kept].copy() if kept else self.game.new(self.header.scenario, self.header.options)
        for index in live[kept:]:
            self.game.apply(state, self.game.parse(self.entries[index].do))
        return state

    def _recalled(self) -> list[S]:
        """The states before each of the last entries that may be taken back; those of a log are played again."""
        if any(state is None for state in self._before):
            last = self._live[len(self._live) - len(self._before) :]
            state = self._replayed(self._live[: len(self._live) - len(last)])
            self._before = []
            for index in last:
                self._before.append(state.copy())
                self.game.apply(state, self.game.parse(self.entries[index].do))
        return [state for state in self._before if state is not None]

    # One step, live or replayed

    def _take(self, who: int, action: Action, faces: tuple[int, ...] = (), entry: Entry | None = None) -> None:
        """`entry`: how a log tells it that is played again. Then hardly anything is ever taken back: should it be, the
        state before is played again too."""
        before = self.state.copy() if entry is None else None
        try:
            events = self.game.apply(self.state, action)
            if entry is None:
                dice = self.dice.index if who == CHANCE and self.dice is not None else 0
                entry = Entry(self.side_name(who), self.game.text(action), faces, dice)
        except BaseException:
            self.state = before if before is not None else self._replayed(self._live)
            raise
        self._live.append(len(self.entries))
        self.entries.append(entry)
        n = len(self.entries)
        self.events += [Happened(n, event) for event in events]
        if irreversible(who, self.game.to_act(self.state), events):
            self._before.clear()
        else:
            self._before.append(before)
        if len(self._live) % KEPT_EVERY == 0:
            self._kept[len(self._live)] = self.state.copy()

    def _roll_on(self) -> None:
        """Roll until a side must decide; a game that is over reveals its seed."""
        while (who := self.game.to_act(self.state)) == CHANCE:
            if self.dice is None:
                raise Illegal("", "this table has no dice: the seed of the game is not known here")
            roll = self._roll(self.dice)
            self._take(CHANCE, roll.action, tuple(roll.faces))
        if who is None and self.end is None:
            self.end = End(self.game.outcome(self.state), self.header.seed)

    def _roll(self, dice: Dice) -> Roll:
        return self.game.roll(self.state, dice)

    class _Mark(NamedTuple):
        """Where the table stood before something that may fail."""

        state: Any
        entries: int
        live: list[int]
        before: list[Any]
        events: list[Happened]
        dice: int
        end: End | None
        kept: dict[int, Any]

    def _mark(self) -> _Mark:
        dice = 0 if self.dice is None else self.dice.index
        live, before, events = list(self._live), list(self._before), list(self.events)
        kept = dict(self._kept)
        return self._Mark(self.state.copy(), len(self.entries), live, before, events, dice, self.end, kept)

    def _restore(self, mark: _Mark) -> None:
        self.state = mark.state
        del self.entries[mark.entries :]
        self._live, self._before, self.events, self._kept = mark.live, mark.before, mark.events, mark.kept
        self.end = mark.end
        if self.dice is not None:
            self.dice.index = mark.dice

    def _write(self, since: int) -> None:
        if self.journal is not None and len(self.entries) > since:
            self.journal.append(self.entries[since:], self.end)

    # Saves

    def save(self, path: str | os.PathLike[str], sealed: bool = False) -> None:
        """Write the game to a file, whole or not at all; a sealed save does not hold the seed."""
        write_log(self.log, path, sealed)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        find: FindGame,
        recover: bool = False,
        seed: bytes | None = None,
    ) -> Table[Any]:
        """Take up a saved game; `find` gives the game by its name. `seed` is for sealed saves."""
        log = read_log(path, recover)
        table = cls.replay(log, find(log.header.game), recover=recover, seed=seed)
        if table.dice is not None:
            table.roll_on()
        return table

    @classmethod
    def resume(cls, path: str | os.PathLike[str], find: FindGame) -> Table[Any]:
        """Go on with a journal, in the same file, after whatever stopped it."""
        journal, log = Journal.resume(path)
        try:
            game = find(log.header.game)
            if log.header.version != game.version:
                why = f"begun by version {log.header.version} of {game.id}: load it and save it anew"
                raise SaveError(1, why, log.name)
            table = cls.replay(log, game)
            table.journal = journal
            table.roll_on()
        except BaseException:
            journal.close()
            raise
        return table

    @classmethod
    def replay(
        cls,
        log: Log,
        game: Game[Any],
        to: int | None = None,
        recover: bool = False,
        seed: bytes | None = None,
    ) -> Table[Any]:
        """The table after the first `to` entries of a log (all of them, if not given).

        Where the seed is known, dice that it did not give are refused like an action that is not legal.
        """
        log = migrate(log, game.version)
        table = _set_up(cls, log, game, seed)
        for number, entry in enumerate(log.entries if to is None else log.entries[:to]):
            try:
                if number >= log.header.foreign:
                    table._check_dice(entry, log.name)
                table._feed(entry, log.name)
            except SaveError as error:
                if not recover:
                    raise
                why = f"recovered {number} actions; line {error.line} was bad: {error.why}"
                log = cut_log(log, number, why)
                break
        if to is None or to >= len(log.entries):
            table._close(log)
        return table

    def _check_dice(self, entry: Entry, name: str) -> None:
        """Refuse a roll that the next dice of the seed do not give; SaveError says what they give."""
        if self.dice is None or entry.by != CHANCE_NAME or self.game.to_act(self.state) != CHANCE:
            return
        if fault := roll_fault(self.game, self.state, entry, self.dice):
            raise SaveError(entry.line or len(self.entries) + 2, fault, name)

    def _feed(self, entry: Entry, name: str = "save") -> None:
        """Do what an entry of a log says; raises SaveError naming line, action and reason."""
        line = entry.line or len(self.entries) + 2
        try:
            if entry.undo:
                self._take_back(entry)
                return
            who = self.game.to_act(self.state)
            if who != self._names.get(entry.by):
                turn = "the game is over" if who is None else f"{self.side_name(who)} decides"
                raise Illegal("", f"it is not the turn of {entry.by}: {turn}")
            if entry.by == CHANCE_NAME and self.dice is not None:
                self.dice.index = entry.dice
            self._take(self._names[entry.by], self.game.parse(entry.do), entry=entry)
        except Exception as error:
            what = f"undo {entry.undo}" if entry.undo else entry.do
            broke = f"made the rules' code fail: {type(error).__name__}"
            fault = "is not legal" if isinstance(error, Illegal) else broke
            raise SaveError(line, f"'{what}' by {entry.by} {fault}: {error}", name) from error

    def _close(self, log: Log) -> None:
        """Take over how the log ends."""
        self.note = log.note
        over = self.game.outcome(self.state)
        if log.end is None:
            return
        if over is not None and log.end.outcome != over:
            line = len(log.entries) + 2
            raise SaveError(line, f"the outcome recorded is not that of the game: {over.level}", log.name)
        self.end = log.end


def _set_up(cls: type[Table[Any]], log: Log, game: Game[Any], seed: bytes | None) -> Table[Any]:
    """A table for a log, at its start, with dice if the seed is known."""
    header = log.header
    if header.game != game.id:
        raise SaveError(1, f"this is a game of {header.game}, not of {game.id}", log.name)
    if header.sides != tuple(game.info.sides):
        raise SaveError(1, f"the sides of {game.id} are {', '.join(game.info.sides)}", log.name)
    if header.scenario not in [scenario.id for scenario in game.scenarios()]:
        raise SaveError(1, f"{game.id} has no scenario {header.scenario!r}", log.name)
    if unknown := sorted(set(chosen(header.options)) - {option.id for option in game.options()}):
        raise SaveError(1, f"{game.id} has no option {unknown[0]!r}", log.name)
    given = _seeds(log) if seed is None else [*_seeds(log), seed.hex()]
    if given and not _committed(log, given):
        raise SaveError(1, "the seed is not the one that the commitment was made for", log.name)
    try:
        if not given:
            return cls(game, header, None)
        return cls(game, replace(header, seed=given[0]), FairDice(bytes.fromhex(given[0])))
    except ValueError as error:
        raise SaveError(1, f"the scenario cannot be set up with these options: {error}", log.name) from error


def _seeds(log: Log) -> list[str]:
    """The seeds that a log tells: one kept in its header, one revealed at its end."""
    return [seed for seed in (log.header.seed, log.end.seed if log.end else "") if seed]


def _committed(log: Log, seeds: list[str]) -> bool:
    return all(commitment(bytes.fromhex(seed)) == log.header.commitment for seed in seeds)


# Checking


@dataclass
class Report:
    """What `verify` found. `problems` are faults; `notes` say what could not be checked."""

    name: str
    actions: int = 0
    rolls: int = 0
    dice: int = 0
    outcome: Outcome | None = None
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.problems


def verify(log: Log, game: Game[Any]) -> Report:
    """Check a log against the rules and its dice against the seed.

    Every action must be legal where it was taken and by whom; every roll must be what the seed
    gives at that place; the seed must be the one committed to; the outcome must be the game's.
    (The chain of checksums has been checked when the log was read.)
    """
    report = Report(log.name, actions=len(log.entries))
    if log.note:
        report.notes.append(log.note)
    try:
        log = migrate(log, game.version)
        seeds = _seeds(log)
        if not _committed(log, seeds):
            report.problems.append(f"{log.name}: the seed is not the one that the commitment was made for")
            log = replace(log, header=replace(log.header, seed=""), end=log.end and End(log.end.outcome))
            seeds = []
        elif not seeds and log.header.commitment:
            report.notes.append("dice cannot be checked before the seed is revealed")
        elif not seeds:
            report.notes.append("this game was played without a commitment: its dice cannot be checked")
        if log.migrated_from is not None:
            report.notes.append(f"played under version {log.migrated_from}, replayed under {game.version}")
        table = _set_up(Table, log, game, None)
        dice = FairDice(bytes.fromhex(seeds[0])) if seeds else None
        if log.header.foreign:
            report.notes.append(f"the dice of the first {log.header.foreign} entries are those of another game")
        for number, entry in enumerate(log.entries):
            if entry.by == CHANCE_NAME:
                report.rolls += 1
                report.dice = entry.dice
                if dice is not None:
                    rolls = number >= log.header.foreign and game.to_act(table.state) == CHANCE
                    if rolls and (fault := roll_fault(game, table.state, entry, dice)):
                        report.problems.append(f"{report.name}:{entry.line}: {fault}")
                    dice.index = entry.dice
            table._feed(entry, log.name)
        table._close(log)
    except SaveError as error:
        report.problems.append(str(error))
        return report
    report.outcome = game.outcome(table.state)
    if log.end is None and report.outcome is not None:
        report.notes.append("the game is over, but the log has no closing line that says so")
    elif log.end is not None and report.outcome is None:
        report.notes.append("the game was ended before it was over")
    elif log.end is None:
        report.notes.append("the game is not finished")
    return report


def roll_fault(game: Game[Any], state: Any, entry: Entry, dice: Dice) -> str:
    """What is wrong with a roll of the log, rolled again from these dice; nothing if it is the same."""
    roll = game.roll(state, dice)
    text = game.text(roll.action)
    if (text, tuple(roll.faces), dice.index) == (entry.do, entry.faces, entry.dice):
        return ""
    should, was = f"'{text}' {list(roll.faces)}", f"'{entry.do}' {list(entry.faces)}"
    if should == was:
        return f"the seed gives {should} with {dice.index} dice used, the log says {entry.dice}"
    return f"the seed gives {should}, the log says {was}"


def verify_file(path: str | os.PathLike[str], find: FindGame) -> Report:
    """Read a save and verify it; damage is a problem of the report, not an exception."""
    try:
        log = read_log(path)
        return verify(log, find(log.header.game))
    except SaveError as error:
        return Report(error.name, problems=[str(error)])
