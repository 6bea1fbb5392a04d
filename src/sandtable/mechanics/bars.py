"""Prohibitions, each said once: the list is what no bar holds, the reason is the first bar that holds it.

A row of a table has a rule, a text and a set (of units or hexes, an int of bits). A `Bar` holds those in its set, a
`Need` those outside it. A `Doubt` is a question that is asked only about those whom no set holds. What a list needs
to know once (`now`) is worked out once and handed to every row. A table can be read without a state: by the ledger, by
translators, by tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from sandtable.engine.contract import Reason
from sandtable.engine.texts.text import Fact, Said, Text

from .masks import units_of

S = TypeVar("S", contravariant=True)  # noqa: PLC0105
N = TypeVar("N", contravariant=True)  # noqa: PLC0105


M = TypeVar("M")

Words = str | Callable[[S, N, int], Said | Reason]
"""What a row says: a template, or a function that diagnoses and gives a text, or a reason with a rule of its own."""

ALL = -1
"""The set of all: nobody is free while something is so."""


def all_if(is_so: object) -> int:
    """Everybody, if something is so; else nobody."""
    return ALL if is_so else 0


class Bar(Generic[S, N]):
    """Those in the set are held: by this rule, in these words."""

    __slots__ = ("held", "rule", "text")

    def __init__(self, rule: str, text: Words[S, N], held: Callable[[S, N], int]) -> None:
        self.rule = rule
        self.text = text
        self.held = held


class Need(Generic[S, N]):
    """Those outside the set are held: only its members may."""

    __slots__ = ("free", "rule", "text")

    def __init__(self, rule: str, text: Words[S, N], free: Callable[[S, N], int]) -> None:
        self.rule = rule
        self.text = text
        self.free = free


class Doubt(Generic[S, N]):
    """Those are held of whom the question is true. It is asked about those alone whom no set holds; and, where `about`
    gives a set, about its members only: the others are beyond doubt.
    """

    __slots__ = ("about", "ask", "rule", "text")

    def __init__(
        self,
        rule: str,
        text: Words[S, N],
        ask: Callable[[S, N, int], bool],
        about: Callable[[S, N], int] | None = None,
    ) -> None:
        self.rule = rule
        self.text = text
        self.ask = ask
        self.about = about


class Bars(Generic[S, N]):
    """A table of prohibitions, in the order in which they are named. Tables can be built of tables."""

    __slots__ = ("_doubts", "free", "held", "rows", "unheld")

    free: Callable[[int, S, N], int]
    """Those of the candidates whom nothing holds: ``free(candidates, s, now)``."""
    unheld: Callable[[int, S, N], int]
    """Those of the candidates whom no set holds, doubtful or not."""
    held: Callable[[S, N], int]
    """All whom a set holds: what a table of `Bar`s shuts off."""

    def __init__(
        self,
        *rows: Bar[S, N] | Need[S, N] | Doubt[S, N] | Bars[S, N],
    ) -> None:
        self.rows: tuple[Bar[S, N] | Need[S, N] | Doubt[S, N], ...] = tuple(_flat(rows))
        self._doubts = tuple(row for row in self.rows if isinstance(row, Doubt))
        needs = [row.free for row in self.rows if isinstance(row, Need)]
        bars = [row.held for row in self.rows if isinstance(row, Bar)]
        self.held = _held(bars)
        self.unheld = _free(needs, bars, ())
        self.free = _free(needs, bars, self._doubts) if self._doubts else self.unheld

    def holds(self, one: int, s: S, now: N) -> bool:
        """Whether anything holds this one: as `free`, for a single one."""
        return not self.free(1 << one, s, now)

    def some(self, candidates: int, s: S, now: N) -> bool:
        """Whether anybody is free; the doubtful are asked about until one is."""
        for one in units_of(self.unheld(candidates, s, now)):
            for doubt in self._doubts:
                if (doubt.about is None or doubt.about(s, now) >> one & 1) and doubt.ask(s, now, one):
                    break
            else:
                return True
        return False

    def why(self, one: int, s: S, now: N, facts: Mapping[str, Fact]) -> Reason | None:
        """The first row that holds this one, in words with these facts; None if it is free."""
        bit = 1 << one
        for row in self.rows:
            if isinstance(row, Bar):
                held = bool(row.held(s, now) & bit)
            elif isinstance(row, Need):
                held = not row.free(s, now) & bit
            else:
                continue
            if held:
                return _said(row, one, s, now, facts)
        for doubt in self._doubts:
            if (doubt.about is None or doubt.about(s, now) & bit) and doubt.ask(s, now, one):
                return _said(doubt, one, s, now, facts)
        return None

    def asked_of(self, part: Callable[[M], N]) -> Bars[S, M]:
        """The same table for lists that know more: `part` is what it needs of that."""
        made: Bars[S, M] = Bars(*(_asked_of(row, part) for row in self.rows))
        free, unheld, held = self.free, self.unheld, self.held  # for all rows the part is taken once
        made.free = lambda candidates, s, now: free(candidates, s, part(now)) if candidates else 0
        made.unheld = lambda candidates, s, now: unheld(candidates, s, part(now)) if candidates else 0
        made.held = lambda s, now: held(s, part(now))
        return made

    def texts(self) -> Iterator[tuple[str, str]]:
        """Rule and text of every row that has its words in the table."""
        for row in self.rows:
            if isinstance(row.text, str):
                yield row.rule, row.text


def _asked_of(
    row: Bar[S, N] | Need[S, N] | Doubt[S, N], part: Callable[[M], N]
) -> Bar[S, M] | Need[S, M] | Doubt[S, M]:
    words = row.text
    text: Words[S, M] = words if isinstance(words, str) else lambda s, now, one: words(s, part(now), one)
    if isinstance(row, Bar):
        held = row.held
        return Bar(row.rule, text, lambda s, now: held(s, part(now)))
    if isinstance(row, Need):
        free = row.free
        return Need(row.rule, text, lambda s, now: free(s, part(now)))
    ask, about = row.ask, row.about
    asked = None if about is None else lambda s, now: about(s, part(now))
    return Doubt(row.rule, text, lambda s, now, one: ask(s, part(now), one), asked)


def _said(row: Bar[S, N] | Need[S, N] | Doubt[S, N], one: int, s: S, now: N, facts: Mapping[str, Fact]) -> Reason:
    """What a row says to the one whom it holds."""
    if isinstance(row.text, str):
        return Reason(row.rule, Text.of(row.text, facts) if "{" in row.text else row.text)
    said = row.text(s, now, one)
    return said if isinstance(said, Reason) else Reason(row.rule, said)


def _held(bars: Sequence[Callable[[S, N], int]]) -> Callable[[S, N], int]:
    """All whom one of these sets holds, as one function."""
    if len(bars) == 1:
        return bars[0]
    scope: dict[str, Any] = {f"bar{i}": bar for i, bar in enumerate(bars)}
    made: Callable[[S, N], int] = eval(f"lambda s, now: {_either(len(bars))}", scope)
    return made


def _either(many: int) -> str:
    return " | ".join(f"bar{i}(s, now)" for i in range(many)) or "0"


def _free(
    needs: Sequence[Callable[[S, N], int]], bars: Sequence[Callable[[S, N], int]], doubts: Sequence[Doubt[S, N]]
) -> Callable[[int, S, N], int]:
    """The candidates whom nothing holds, as one function made for a table: as fast as by hand."""
    scope: dict[str, Any] = {"units_of": units_of}
    lines = ["def free(candidates, s, now):", "if not candidates: return 0"]
    for i, need in enumerate(needs):
        scope[f"need{i}"] = need
        if i:
            lines.append("if not candidates: return 0")
        lines.append(f"candidates &= need{i}(s, now)")
    for i, bar in enumerate(bars):  # where nobody is left, nothing more is asked
        scope[f"bar{i}"] = bar
        if i or needs:
            lines.append("if not candidates: return 0")
        lines.append(f"candidates ^= candidates & bar{i}(s, now)")
    for i, doubt in enumerate(doubts):
        scope |= {f"ask{i}": doubt.ask, f"about{i}": doubt.about}
        lines += [
            "asked = candidates" if doubt.about is None else f"asked = candidates and candidates & about{i}(s, now)",
            "for one in units_of(asked) if asked else ():",
            f"    if ask{i}(s, now, one): candidates ^= 1 << one",
        ]
    exec("\n    ".join([*lines, "return candidates"]), scope)
    made: Callable[[int, S, N], int] = scope["free"]
    return made


def _flat(
    rows: tuple[Bar[S, N] | Need[S, N] | Doubt[S, N] | Bars[S, N], ...],
) -> Iterator[Bar[S, N] | Need[S, N] | Doubt[S, N]]:
    for row in rows:
        if isinstance(row, Bars):
            yield from row.rows
        else:
            yield row
