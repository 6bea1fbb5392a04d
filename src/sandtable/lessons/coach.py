"""The coach: how far a lesson has come, by its log alone, and what is to be said now.

Nothing is kept but the log and what was read: a lesson that is left is taken up where it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, NamedTuple

from sandtable import registry
from sandtable.engine.contract import Action, Game
from sandtable.engine.log import Entry
from sandtable.engine.seats import Player
from sandtable.engine.table import Table

from .form import DO, Lesson, Pattern, Step, lessons


class Ack(NamedTuple):
    """A step that was read, looked at, or left out when the log had so many entries."""

    step: int
    length: int


@dataclass
class Place:
    """How far a lesson has come."""

    step: int
    """The number of the step, from 0; as many as there are when the lesson is done."""
    at: int = 0
    """How many of the things to do in it are done."""
    answer: str = ""
    """What is said to what was done last, if it was something else."""
    wanted: list[str] = field(default_factory=list)
    """The actions on offer that the step asks for."""
    stuck: bool = False
    """Whether the learner decides, and nothing that fits the step is on offer."""
    starts: dict[int, int] = field(default_factory=dict)
    """Steps in which something was done, and how long the log was before that."""


def find(game: Game[Any], name: str) -> Lesson:
    known = lessons(game)
    if name not in known:
        raise registry.UnknownName(f"lesson of {game.id}", name, known)
    return known[name]


def lay_out(table: Table[Any], lesson: Lesson) -> None:
    """Play what comes before a lesson's first step."""
    for text in lesson.before:
        table.act(table.game.parse(text))


@cache
def _prepared(game: Any, name: str) -> tuple[int, Any]:
    """The position of a lesson: the length of its log, and its state."""
    lesson = find(game, name)
    table = Table.new(game, lesson.scenario, lesson.options, seed=lesson.seed)
    lay_out(table, lesson)
    return len(table.entries), table.state


def live(entries: Sequence[Entry]) -> list[int]:
    """The entries that have not been taken back, by index."""
    found: list[int] = []
    for index, entry in enumerate(entries):
        if entry.undo:
            del found[len(found) - entry.undo :]
        else:
            found.append(index)
    return found


def follow(game: Any, lesson: Lesson, entries: Sequence[Entry], read: Iterable[Ack] = ()) -> Place:
    """Where the lesson is after these entries of its log."""
    begin, start = _prepared(game, lesson.id)
    state = start.copy()
    place = Place(0)
    there = [index for index in live(entries) if index >= begin]
    known = {index + 1 for index in there} | {begin}
    passed = {ack.step: ack.length for ack in read if ack.length in known}
    for index in there:
        entry = entries[index]
        if entry.by == lesson.side:
            _go_by(lesson.steps, place, passed, index)
            _pass_over(lesson.steps, place)
        if entry.by == lesson.side and place.step < len(lesson.steps):
            forced = len(game.legal(state)) == 1
            place.starts.setdefault(place.step, index)
            _judge(lesson.steps, place, entry.do, forced)
        if place.step == len(lesson.steps):
            return place  # whatever is played after that
        game.apply(state, game.parse(entry.do))
    _go_by(lesson.steps, place, passed, len(entries))
    if place.step < len(lesson.steps) and game.to_act(state) == game.info.sides.index(lesson.side):
        _offer(game, state, lesson.steps, place)
    return place


def _go_by(steps: Sequence[Step], place: Place, passed: dict[int, int], length: int) -> None:
    """Go by what was read, looked at or left out before the log was longer than this."""
    while place.step < len(steps) and passed.get(place.step, length + 1) <= length:
        place.step, place.at, place.answer = place.step + 1, 0, ""


def _pass_over(steps: Sequence[Step], place: Place) -> None:
    """Who acts has read and looked enough."""
    while place.step < len(steps) and steps[place.step].kind != DO:
        place.step, place.at = place.step + 1, 0


def _judge(steps: Sequence[Step], place: Place, action: str, forced: bool) -> None:
    """What an action of the learner means for the lesson."""
    step = steps[place.step]
    for number, pattern in enumerate(step.do[place.at :], place.at):
        if pattern.fits(action):
            place.at, place.answer = number + 1, ""
            if place.at == len(step.do):
                place.step, place.at = place.step + 1, 0
            return
        if not pattern.may:
            break
    if forced or any(pattern.fits(action) for pattern in step.also):
        return
    for other in step.instead:
        if other.do.fits(action):
            place.answer = other.say
            if other.then >= 0:
                place.step, place.at = other.then, 0
            return
    place.answer = step.otherwise


def _offer(game: Game[Any], state: Any, steps: Sequence[Step], place: Place) -> None:
    """What of the actions on offer the step asks for; while something is read, nothing."""
    step = steps[place.step]
    if step.kind != DO:
        return
    offered = [game.text(action) for action in game.legal(state)]
    for pattern in step.do[place.at :]:
        place.wanted = [text for text in offered if pattern.fits(text)]
        if place.wanted or not pattern.may:
            break
    if not place.wanted and len(offered) == 1:
        place.wanted = offered  # nothing else can be done
    if not place.wanted:
        place.stuck = not any(pattern.fits(text) for text in offered for pattern in step.also)


# ------------------------------------------------------------------------------------------ the other side


def wish(game: Game[Any], theirs: Sequence[Pattern], legal: Sequence[Action]) -> Action | None:
    """What the lesson wants the other side to do, if it is on offer."""
    offered = {game.text(action): action for action in legal}
    for pattern in theirs:
        for text, action in offered.items():
            if pattern.fits(text):
                return action
    return None


def seeded(lesson: Lesson) -> int:
    """What the thoughts of the other side's player begin with."""
    return int.from_bytes(lesson.seed[:8])


def opponent(game: Game[Any], lesson: Lesson) -> Player:
    """The player who decides where the lesson has no wish."""
    name = registry.PLANNER if registry.PLANNER in game.info.players else "random"
    return registry.player(game, name)(game, Random(seeded(lesson)))
