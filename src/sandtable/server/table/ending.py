"""The end of a game told as a whole: how victory was reckoned, both sides over time, and what had been hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sandtable.engine.contract import Game, Outcome
from sandtable.engine.log import CHANCE_NAME, Log
from sandtable.engine.scene import Scene

from ..library.catalogue import legend_of
from ..wire.ending import Ending, HiddenItem, Stretch, TallyLine, tallied
from . import looks
from .live import LiveTable, Turns
from .told import EVERYTHING

HEADINGS = ("month", "day", "game_turn", "turn", "player_turn")
"""Kinds of events that begin a part of a game, the longest parts first."""
ENOUGH = 3
"""Parts from which on a game is divided by them."""
FEW = 24
"""Parts of a game that has no headings."""


def lines(game: Game[Any], state: Any, outcome: Outcome | None) -> list[TallyLine]:
    """How victory was reckoned; the line that decided it is marked, unless the game was given up before."""
    found = list(game.reckoning(state))
    ended = game.outcome(state)
    decisive = next((line for line in found if line.met and line.ends is not None and line.ends == ended), None)
    if outcome != ended:
        decisive = None
    return tallied(found, game.info.sides, decisive)


def hidden(game: Game[Any], state: Any) -> list[HiddenItem]:
    """What one side knew and the other did not when the game ended: counters, markers and cards."""
    sides = game.info.sides
    scenes = [looks.scene(game, state, number) for number in range(len(sides))]
    legend = legend_of(game)
    names = {sign.id: sign.name for sign in legend.markers} if legend else {}
    found: list[HiddenItem] = []
    for number, side in enumerate(sides):
        own, others = scenes[number], [scene for other, scene in enumerate(scenes) if other != number]
        found += _counters(side, own, others)
        found += _markers(side, own, others, names)
        for hand in own.get("hands", ()):
            if hand.get("side") == side and hand.get("cards"):
                found.append(HiddenItem(side, "card", title=hand["title"], cards=list(hand["cards"])))
    return found


def _counters(side: str, own: Scene, others: Iterable[Scene]) -> list[HiddenItem]:
    known = {item.get("unit") for scene in others for item in scene.get("counters", ()) if not item.get("hidden")}
    return [
        HiddenItem(
            side,
            "counter",
            title=item.get("name") or item.get("label") or item["unit"],
            hex=item.get("hex", ""),
            value=item.get("strength", ""),
            unit="" if item.get("name") else item["unit"],
        )
        for item in own.get("counters", ())
        if item.get("side") == side and item.get("hex") and item.get("unit") and item["unit"] not in known
    ]


def _markers(side: str, own: Scene, others: Sequence[Scene], names: Mapping[str, str]) -> list[HiddenItem]:
    """Markers by their names in the legend; a number on one is its value."""

    def key(mark: Any) -> tuple[Any, ...]:
        return mark.get("hex"), mark.get("kind"), mark.get("side"), str(mark.get("label", ""))

    def number(mark: Any) -> str:
        label = str(mark.get("label", ""))
        return label if label.lstrip("+-").isdigit() else ""

    known = {key(mark) for scene in others for mark in scene.get("markers", ())}
    return [
        HiddenItem(side, "marker", title=names.get(mark["kind"], mark["kind"]), hex=mark["hex"], value=number(mark))
        for mark in own.get("markers", ())
        if key(mark) not in known and mark.get("side", side) == side
    ]


class _Course:
    """The game as it is played again: how both sides stood when each part of it began."""

    def __init__(self, table: LiveTable, length: int) -> None:
        self.table = table
        self.every = max(1, length // FEW)
        self.seen = dict.fromkeys(HEADINGS, 0)
        self.found: list[tuple[str, Stretch]] = []
        self._told = 0
        self.look("")

    def look(self, kind: str) -> None:
        scene = looks.scene(self.table.game, self.table.state, EVERYTHING)
        stretch = Stretch(len(self.table.entries), scene.get("title", ""), list(scene.get("stats", ())), [])
        self.found.append((kind, stretch))

    def note(self) -> None:
        """After an entry: whether a part has begun that is looked at."""
        events = self.table.events
        kinds = [one.event.kind for one in events[self._told :] if one.event.kind in self.seen]
        self._told = len(events)
        for kind in kinds:
            self.seen[kind] += 1
        longer = [kind for kind in HEADINGS if self.seen[kind] >= ENOUGH]
        begun = min(kinds, key=HEADINGS.index, default="")
        if begun and (not longer or HEADINGS.index(begun) <= HEADINGS.index(longer[0])):
            self.look(begun)
        elif not longer and len(self.table.entries) % self.every == 0:
            self.look("")

    def stretches(self, live: set[int]) -> list[Stretch]:
        """The parts that the game is divided into, with the decisions of each side in them."""
        kind = next((kind for kind in HEADINGS if self.seen[kind] >= ENOUGH), "")
        parts = [part for word, part in self.found if word == kind and (not part.n or part.n - 1 in live)]
        if not parts or parts[0].n:
            parts.insert(0, self.found[0][1])
        self.look("")
        parts.append(self.found[-1][1])
        sides = self.table.header.sides
        entries = self.table.entries
        for part, after in zip(parts, [*parts[1:], parts[-1]], strict=True):
            by = [entries[i].by for i in range(part.n, after.n) if i in live and entries[i].by != CHANCE_NAME]
            part.moves = [by.count(side) for side in sides]
        return parts


async def ending(log: Log, rules: Game[Any]) -> Ending:
    """A game that has ended, played again."""
    table = LiveTable.replay(Log(log.header), rules)
    assert isinstance(table, LiveTable)
    course = _Course(table, len(log.entries))
    turns = Turns()
    secrets = hidden(rules, table.state)
    for entry in log.entries:
        if len(table.entries) == len(log.entries) - 1:
            secrets = hidden(rules, table.state)  # with its last step a game may have laid everything open
        table.feed(entry)
        course.note()
        await turns.pause()
    outcome = log.end.outcome if log.end is not None else None
    return Ending(
        lines=lines(rules, table.state, outcome),
        course=course.stretches(table.live()),
        hidden=secrets,
    )
