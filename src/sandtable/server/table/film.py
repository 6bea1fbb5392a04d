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
from .live import LiveTable, Turns
from .told import EVERYTHING

EVERY = 32
"""Entries between two marks to go back to."""


class Film:
    """The moments of one game, for one viewer at a time."""

    def __init__(self, header: Header, rules: Game[Any], entries: Sequence[Entry]) -> None:
        self._lock = asyncio.Lock()
        self._entries = list(entries)
        table = LiveTable.replay(Log(header), rules)
        assert isinstance(table, LiveTable)
        self._table = table
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
        turns = Turns()
        for entry in self._entries[len(table.entries) : n]:
            table.feed(entry)
            await turns.pause()
            at = len(table.entries)
            if at % EVERY == 0 and at not in self._marks:
                self._marks[at] = table.mark()


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


async def rolls(
    header: Header, rules: Game[Any], entries: Sequence[Entry], viewer: int, foreign: int = 0
) -> list[RollRecord]:
    """Every roll that the viewer may know of; after the end die by die. Up to entry `foreign` the seed was another.

    The numbers of the dice wait for the end like the seed: gaps between them tell of rolls that are secret.
    """
    over = viewer == EVERYTHING
    table = LiveTable.replay(Log(header), rules)
    assert isinstance(table, LiveTable)
    dice = FairDice(bytes.fromhex(header.seed))
    found: list[tuple[int, RollRecord]] = []
    turns = Turns()
    for n, entry in enumerate(entries, 1):
        await turns.pause()
        if entry.by == CHANCE_NAME and not entry.undo:
            noted = _Noted(dice)
            first = dice.index
            if n > foreign and over:
                rules.roll(table.state.copy(), noted)
            dice.index = entry.dice
            found.append((n, RollRecord(n, first if over else None, list(entry.faces), noted.rolled)))
        table.feed(entry)
        if found and found[-1][0] == n:
            found[-1][1].n = table.told.count(viewer, n)
            if not looks.dice_are_open(table, viewer, n):
                found.pop()
    return [roll for _, roll in found]
