"""A lesson at the terminal: the session of a prepared game, with the coach before every decision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.text import Text

from sandtable.engine.contract import Action, Game
from sandtable.engine.seats import seat_at
from sandtable.engine.table import Table
from sandtable.lessons import coach, form

from . import show
from .desk import Desk
from .reader import Reader
from .session import Seat, Session


class Lecture(Session):
    """A session that is coached. What is read or looked at elsewhere is read here: it is said and done with."""

    def __init__(self, lesson: form.Lesson, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.lesson = lesson
        self.read: list[coach.Ack] = []
        self.told = -1

    def show_prompt(self) -> None:
        self.teach()
        super().show_prompt()

    def _forced(self, side: int, desk: Desk) -> None:
        self.teach()
        super()._forced(side, desk)

    def teach(self) -> None:
        """Say what the step says, once; and what there is to say to what was done instead."""
        steps = self.lesson.steps
        while True:
            place = coach.follow(self.game, self.lesson, self.table.entries, self.read)
            if place.answer:
                self.say(Text(place.answer, "italic"))
            if place.step == self.told:
                return
            self.told = place.step
            if place.step == len(steps):
                self.say(Text("The lesson is done", "bold"), self.lesson.ending, "")
                return
            step = steps[place.step]
            self.say("", Text(f"{place.step + 1} of {len(steps)}: {step.title}", "bold"))
            self.say(Text(step.text).append_text(show.rule_chip(step.rules)))
            if step.kind == form.DO:
                return
            live = coach.live(self.table.entries)
            self.read.append(coach.Ack(place.step, live[-1] + 1 if live else 0))


def learn(game: Game[Any], name: str | None, console: Console, lines: Iterable[str] | None = None) -> int:
    """Take a lesson of a game: the one named, or the first."""
    known = form.lessons(game)
    lesson = coach.find(game, name if name is not None else next(iter(known), ""))
    table = Table.new(game, lesson.scenario, lesson.options, seed=lesson.seed)
    coach.lay_out(table, lesson)
    other = coach.opponent(game, lesson)

    def choose(table: Table[Any], side: int) -> Action:
        return coach.wish(game, lesson.theirs, table.legal()) or other.choose(seat_at(game, table.state, side))

    seats = [Seat("human") if side == lesson.side else Seat("planner", choose) for side in game.info.sides]
    console.print(Text(f"{lesson.title}: {lesson.summary}", "bold"))
    Lecture(lesson, table, seats, console, Reader(console, lines)).run()
    return 0
