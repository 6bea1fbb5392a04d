"""The table of a game in memory: it takes up entries one by one and knows who noticed what."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from random import Random
from typing import Any

import msgspec

from sandtable.engine.contract import CHANCE, Action, Event, Game
from sandtable.engine.dice import Dice
from sandtable.engine.log import CHANCE_NAME, CONSENT, Entry, Header, Log
from sandtable.engine.migrations import migrate
from sandtable.engine.table import Table

from .told import Headline, Told


class Imagined:
    """A game that begins where one side's view of another game was: the rest was drawn at random."""

    def __init__(self, game: Game[Any], view: dict[str, Any], seed: str) -> None:
        self._game = game
        self._view = view
        self._seed = seed

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> Any:
        return self._game.imagine(self._view, Random(self._seed))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


class Turns:
    """Lets others have a turn now and then while much is being played again.

    Rules are only ever run in the thread of the event loop: games keep what they have worked out in places that all
    their tables share, and two threads in them at once have made legal moves illegal.
    """

    LONGEST = 0.008
    """Seconds at a stretch."""

    def __init__(self) -> None:
        self._begun = time.perf_counter()

    async def pause(self) -> None:
        if time.perf_counter() - self._begun > self.LONGEST:
            await asyncio.sleep(0)
            self._begun = time.perf_counter()


SHORT = 1000
"""Entries of a log that is soon played again."""


class Stage:
    """Where games are played again in the thread of the event loop: one long one at a time, and a short one beside it.

    However many are asked for, whoever asks for something else waits for two turns at most.
    """

    def __init__(self) -> None:
        self._long = asyncio.Semaphore(1)
        self._short = asyncio.Semaphore(1)

    def free(self, entries: int) -> asyncio.Semaphore:
        """To be held while so many entries are played."""
        return self._short if entries <= SHORT else self._long


class Question(msgspec.Struct):
    """A side asks the others to let it take back everything from an entry on.

    It stands until it is answered or until something happens that everybody notices. What others do in secret
    meanwhile changes nothing that anybody else can see of it, and would be taken back too.
    """

    by: str
    since: int
    """The entry of the decision that is to be taken back, with everything after it."""
    steps: int
    """The count of spectators when it was asked."""


def _copies(states: Sequence[Any]) -> list[Any]:
    """These states, each its own; None stays."""
    return [state if state is None else state.copy() for state in states]


class LiveTable(Table[Any]):
    """A table that can take up entries written elsewhere, go back to where it was, and knows who noticed what."""

    def __init__(self, game: Game[Any], header: Header, dice: Dice | None) -> None:
        super().__init__(game, header, dice)
        decider = game.to_act(self.state)
        self.told = Told(len(header.sides), self._headline(decider))
        self._deciders: list[int | None] = [decider]

    def feed(self, entry: Entry, name: str = "save") -> None:
        self._feed(entry, name)

    def check_dice(self, entry: Entry, name: str = "save") -> None:
        """Refuse dice that the seed of the game does not give."""
        self._check_dice(entry, name)

    def close(self, log: Log) -> None:
        """Take over how a log ends, when all its entries have been taken up."""
        self._close(log)

    def length(self, viewer: int) -> int:
        """How far the game has come, in the viewer's own count."""
        return self.told.count(viewer, len(self.entries))

    def mark(self) -> Any:
        """Where the table is, to go back to. An undo plays on with a state from before: the mark keeps its own."""
        mark = self._mark()
        return mark._replace(before=_copies(mark.before))

    def go_to(self, mark: Any, entries: Sequence[Entry]) -> None:
        """Go to a mark of these entries, before or after where the table is; it can be used again.

        Who noticed what of them stays known: it does not change.
        """
        self.entries[:] = entries[: mark.entries]
        super()._restore(
            mark._replace(
                state=mark.state.copy(),
                live=list(mark.live),
                before=_copies(mark.before),
                events=list(mark.events),
                kept=dict(mark.kept),
            )
        )

    def _restore(self, mark: Any) -> None:
        super()._restore(mark)
        self.told.cut(mark.entries)
        del self._deciders[mark.entries + 1 :]

    def _take(self, who: int, action: Action, faces: tuple[int, ...] = (), entry: Entry | None = None) -> None:
        super()._take(who, action, faces, entry)
        n = len(self.entries)
        brought = []
        for happened in reversed(self.events):
            if happened.n != n:
                break
            brought.append(happened.event)
        seen = (v for v in self.told.viewers if any(self.game.event_json(e, v) is not None for e in brought))
        self._count(n, who, seen, faces_for=self._faces_for(brought) if who == CHANCE else None)

    def _faces_for(self, brought: Sequence[Event]) -> frozenset[int]:
        """Who may see the faces of a roll that brought these events, the last of them first.

        The first thing that a roll brings is what the dice said; the rest follows from it. Where somebody else
        learned more of that (cards dealt to him), the faces are not for a viewer's eyes.
        """
        if not brought:
            return frozenset()
        said = brought[-1]
        if said.owner == -1 or not (said.hidden or said.secret):
            return frozenset(self.told.viewers)
        return frozenset({said.owner})

    def _take_back(self, undo: Entry) -> None:
        super()._take_back(undo)
        n = len(self.entries)
        if undo.by == CONSENT:  # the sides have talked about it
            self._count(n, CHANCE, range(len(self.header.sides)), self.events[-1].event.data["entries"])
        else:
            self._count(n, self._names[undo.by], (), self.events[-1].event.data["entries"])

    def _count(
        self,
        n: int,
        who: int,
        seen: Iterable[int],
        gone: Sequence[int] = (),
        faces_for: frozenset[int] | None = None,
    ) -> None:
        """Count entry number `n`, by side `who`, of which these saw something, and which took back others."""
        if self.told.entries >= n:
            return
        now = self.game.to_act(self.state)
        decider = self._deciders[-1] if now == CHANCE else now
        viewers = self.told.viewers
        if decider != self._deciders[-1] or self.game.info.open:
            self.told.add(viewers, self._headline(now), faces_for)
        else:
            had = (v for v in viewers if any(self.told.noticed(v, entry) for entry in gone))
            self.told.add({*seen, *had, *((who,) if who != CHANCE else ())}, self._headline(now), faces_for)
        self._deciders.append(decider)

    def _headline(self, decider: int | None) -> Headline | None:
        if decider == CHANCE:
            return None
        if decider is None:
            return Headline("", "")
        prompt = self.game.prompt(self.state)
        return Headline(prompt.title, prompt.phase)

    def live(self) -> set[int]:
        """The entries that have not been taken back, counted from 0."""
        return set(self._live)

    def decision_back(self, side: str, own: int) -> int:
        """The entry of the last but so many decisions of a side; 0: it has not taken so many."""
        found = 0
        for index in reversed(self._live):
            found += self.entries[index].by == side
            if found == own:
                return index + 1
        return 0

    def decisions_since(self, entry: int) -> list[int]:
        """The decisions from an entry on that have not been taken back, whoever took them; none if it has been."""
        since = [index + 1 for index in self._live if index + 1 >= entry]
        if not since or since[0] != entry:
            return []
        return [n for n in since if self.entries[n - 1].by != CHANCE_NAME]

    def decisions_seen(self, viewer: int, since: int) -> int:
        """How many of the decisions from an entry on the viewer has noticed."""
        return sum(self.told.noticed(viewer, n) for n in self.decisions_since(since))


async def replayed(
    log: Log, rules: Game[Any], to: int | None = None, check: bool = False, stage: Stage | None = None
) -> LiveTable:
    """The table after the first `to` entries of a log (all of them, if not given); `check`: its dice too."""
    log = migrate(log, rules.version)
    to = len(log.entries) if to is None else to
    table = LiveTable.replay(log, rules, to=0)
    assert isinstance(table, LiveTable)
    async with stage.free(to) if stage is not None else nullcontext():
        turns = Turns()
        for number, entry in enumerate(log.entries[:to]):
            if check and number >= log.header.foreign:
                table.check_dice(entry, log.name)
            table.feed(entry, log.name)
            await turns.pause()
    if to >= len(log.entries):
        table.close(log)
    return table
