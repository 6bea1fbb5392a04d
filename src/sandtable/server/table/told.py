"""How far each viewer has followed a game.

The length of the log would tell a side how often the other has done something in secret: laid mines,
held a unit back, changed its mind. So everybody counts for himself. A viewer's count goes up by one with
each entry that he notices: one of his own, one that brings an event he may see, one after which somebody
else decides, one that takes back what he had noticed; in a game that hides nothing, every one. What he is
told of a game in progress (its length, the numbers of events, moments and rolls) is in his own count, and
what he sends back is read in it. When the game has ended nothing is secret any more, and the count is the
log's own.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandtable.engine.texts.text import Said

EVERYTHING = -2
"""The viewer of a game that has ended: nothing is secret any more."""


class Headline(NamedTuple):
    """What a decision is called, as those are told who do not decide."""

    title: Said
    phase: str


class Told:
    """The counts of all viewers after each entry of a log: each side's, and last that of SPECTATOR (-1).

    With each entry goes the decision that it led to; None if dice have to fall first.
    """

    def __init__(self, sides: int, first: Headline | None) -> None:
        self._counts: list[list[int]] = [[0] for _ in range(sides + 1)]
        self._decisions = [first]
        self._rolls: dict[int, frozenset[int]] = {}  # by entry: who may see the faces of its dice

    @property
    def entries(self) -> int:
        """How many entries have been counted."""
        return len(self._counts[-1]) - 1

    @property
    def viewers(self) -> Sequence[int]:
        """The sides, and SPECTATOR."""
        return range(-1, len(self._counts) - 1)

    def add(self, noticed: Iterable[int], decision: Headline | None, faces_for: frozenset[int] | None = None) -> None:
        """Count one more entry, which these viewers have noticed, and the decision after it.

        `faces_for`: if it is a roll, those who may see its dice.
        """
        who = set(noticed)
        self._decisions.append(decision)
        if faces_for is not None:
            self._rolls[len(self._decisions) - 1] = faces_for
        for viewer in self.viewers:
            counts = self._counts[viewer]
            counts.append(counts[-1] + (viewer in who))

    def cut(self, entries: int) -> None:
        """Forget what came after so many entries."""
        for counts in self._counts:
            del counts[entries + 1 :]
        del self._decisions[entries + 1 :]
        self._rolls = {n: seen for n, seen in self._rolls.items() if n <= entries}

    def noticed(self, viewer: int, n: int) -> bool:
        """Whether the viewer noticed entry number `n`."""
        return viewer == EVERYTHING or self._counts[viewer][n] != self._counts[viewer][n - 1]

    def rolls(self, viewer: int) -> list[int]:
        """The entries that are rolls whose dice the viewer may see, also of what was taken back later."""
        return [n for n, seen in self._rolls.items() if viewer == EVERYTHING or viewer in seen]

    def dice_are_open(self, viewer: int, n: int) -> bool:
        """Whether the viewer may see the faces of entry number `n`."""
        return viewer == EVERYTHING or viewer in self._rolls.get(n, ())

    def count(self, viewer: int, n: int) -> int:
        """The viewer's count after `n` entries."""
        return n if viewer == EVERYTHING else self._counts[viewer][n]

    def entry(self, viewer: int, count: int) -> int:
        """The entry up to which the viewer's count stands for: the last with it at which a side decides.

        What he has not noticed since comes with it; dice that are about to fall for somebody else do not.
        """
        if viewer == EVERYTHING:
            return min(count, self.entries)
        counts = self._counts[viewer]
        last = bisect_right(counts, count) - 1
        for n in range(last, -1, -1):
            if counts[n] != counts[last]:
                break
            if self._decisions[n] is not None:
                return n
        return last

    def headline(self, viewer: int, n: int) -> Headline | None:
        """What somebody else decides after `n` entries, as the viewer knows it: from when he last noticed anything.

        What it is called changes with what is done in secret ("Where does it go?").
        """
        counts = self._counts[viewer]
        for m in range(bisect_left(counts, counts[n], hi=n), n + 1):
            if self._decisions[m] is not None:
                return self._decisions[m]
        return None
