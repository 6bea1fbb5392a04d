"""A game replayed: any moment of it, quickly, and its dice."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from sandtable.engine.contract import Game
from sandtable.engine.dice import FairDice
from sandtable.engine.log import CHANCE_NAME, Entry, Header, Log

from ..wire.table import DieRecord, Moment, RollRecord
from . import looks
from .live import LiveTable, Stage, Turns

EVERY = 32
"""Entries between two marks to go back to, at least."""
MOST_MARKS = 96
"""Marks of one film: in a long game they lie further apart."""


class Film:
    """The moments of one game, for one viewer at a time."""

    def __init__(self, header: Header, rules: Game[Any], entries: Sequence[Entry], stage: Stage) -> None:
        self._lock = asyncio.Lock()
        self._stage = stage
        self._entries = list(entries)
        table = LiveTable.replay(Log(header), rules)
        assert isinstance(table, LiveTable)
        self._table = table
        self._every = EVERY
        self._marks: dict[int, Any] = {0: self._table.mark()}

    def extend(self, entries: Sequence[Entry]) -> None:
        """Add what has been played since."""
        self._entries.extend(entries[len(self._entries) :])

    async def at(self, n: int, viewer: int, length: int) -> Moment:
        """The table after `n` entries; `length` is the viewer's count at the end."""
        async with self._lock:
            await self._wind(n)
            return looks.moment(self._table, viewer, length)

    async def view_at(self, n: int, side: int) -> dict[str, Any]:
        async with self._lock:
            await self._wind(n)
            return dict(self._table.game.view(self._table.state, side))

    async def _wind(self, n: int) -> None:
        table = self._table
        now = len(table.entries)
        nearest = max(mark for mark in self._marks if mark <= n)
        if n < now or nearest > now:
            table.go_to(self._marks[nearest], self._entries)
        async with self._stage.free(n - len(table.entries)):
            turns = Turns()
            for entry in self._entries[len(table.entries) : n]:
                table.feed(entry)
                await turns.pause()
                at = len(table.entries)
                if at % self._every == 0 and at not in self._marks:
                    self._marks[at] = table.mark()
                    self._thin()

    def _thin(self) -> None:
        """Forget every other mark when there are too many."""
        if len(self._marks) > MOST_MARKS:
            self._every *= 2
            self._marks = {at: mark for at, mark in self._marks.items() if at % self._every == 0}


class _Noted:
    """Dice that remember how many sides each die had."""

    def __init__(self, dice: FairDice) -> None:
        self.dice = dice
        self.rolled: list[DieRecord] = []

    def __call__(self, sides: int) -> int:
        index = self.dice.index
        value = self.dice(sides)
        self.rolled.append(DieRecord(index, sides, value))
        return value


async def every_roll(header: Header, rules: Game[Any], entries: Sequence[Entry], foreign: int = 0) -> list[RollRecord]:
    """Every roll of a game that has ended, die by die. Up to entry `foreign` the seed was another."""
    table = LiveTable.replay(Log(header), rules)
    assert isinstance(table, LiveTable)
    dice = FairDice(bytes.fromhex(header.seed))
    found: list[RollRecord] = []
    turns = Turns()
    for n, entry in enumerate(entries, 1):
        await turns.pause()
        if entry.by == CHANCE_NAME and not entry.undo:
            noted = _Noted(dice)
            first = dice.index
            if n > foreign:
                rules.roll(table.state.copy(), noted)
            dice.index = entry.dice
            found.append(RollRecord(n, first, list(entry.faces), noted.rolled))
        table.feed(entry)
    return found
