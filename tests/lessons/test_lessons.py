"""Every lesson is played: by what it asks for, and by what it does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable import registry, texts
from sandtable.engine.contract import Game
from sandtable.engine.packs.faults import PackError
from sandtable.engine.seats import seat_at
from sandtable.engine.table import Table
from sandtable.lessons import coach, form

ALL = [(name, lesson) for name in registry.names() for lesson in form.lessons(registry.get(name))]
LIMIT = 250


class Pupil:
    """Somebody who takes a lesson at a table of his own, without a server."""

    def __init__(self, name: str, lesson: str) -> None:
        self.game: Game[Any] = registry.get(name)
        self.lesson = coach.find(self.game, lesson)
        self.side = self.game.info.sides.index(self.lesson.side)
        self.table = Table.new(self.game, self.lesson.scenario, self.lesson.options, seed=self.lesson.seed)
        coach.lay_out(self.table, self.lesson)
        self.read: list[coach.Ack] = []
        self.other = coach.opponent(self.game, self.lesson)

    def place(self) -> coach.Place:
        return coach.follow(self.game, self.lesson, self.table.entries, self.read)

    @property
    def step(self) -> form.Step:
        return self.lesson.steps[self.place().step]

    def wait(self) -> None:
        """Let the other side do what it does."""
        while self.table.to_act not in (self.side, None):
            legal = self.table.legal()
            wish = coach.wish(self.game, self.lesson.theirs, legal)
            self.table.act(wish or self.other.choose(seat_at(self.game, self.table.state, self.table.to_act or 0)))

    def offered(self) -> list[str]:
        return [self.game.text(action) for action in self.table.legal()]

    def act(self, text: str) -> None:
        self.table.act(self.game.parse(text), self.side)

    def go_on(self) -> bool:
        """Do what the coach asks for; False when the lesson is done."""
        self.wait()
        place = self.place()
        if place.step == len(self.lesson.steps):
            return False
        step = self.lesson.steps[place.step]
        if step.kind != form.DO:
            live = coach.live(self.table.entries)
            self.read.append(coach.Ack(place.step, live[-1] + 1 if live else 0))
            return True
        offered = self.offered()
        also = [text for text in offered if any(pattern.fits(text) for pattern in step.also)]
        assert place.wanted or also, f"step {place.step + 1} is stuck: {offered[:20]}"
        self.act((place.wanted or also)[0])
        return True


@pytest.mark.parametrize(("name", "lesson"), ALL)
def test_who_does_what_is_asked_for_comes_through_all_steps(name: str, lesson: str) -> None:
    pupil = Pupil(name, lesson)
    seen: list[int] = []
    for _ in range(LIMIT):
        place = pupil.place()
        assert place.answer == "", "the expected way needs no correction"
        if place.step not in seen:
            seen.append(place.step)
        if not pupil.go_on():
            break
    assert seen == list(range(len(pupil.lesson.steps) + 1))
    assert pupil.table.end is None, "a lesson is not the end of a game"


@pytest.mark.parametrize(("name", "lesson"), ALL)
def test_the_first_and_the_last_of_what_fits_lead_on_alike(name: str, lesson: str) -> None:
    pupil = Pupil(name, lesson)
    chance = Random(3)
    for _ in range(LIMIT):
        pupil.wait()
        place = pupil.place()
        if place.wanted:
            pupil.act(chance.choice(place.wanted))
        elif not pupil.go_on():
            break
    assert pupil.place().step == len(pupil.lesson.steps)


@pytest.mark.parametrize(("name", "lesson"), ALL)
def test_something_else_is_answered_and_can_be_taken_back(name: str, lesson: str) -> None:
    """At every decision: each other verb once, answered by its own words, and the lesson not lost."""
    pupil = Pupil(name, lesson)
    answered: set[str] = set()
    for _ in range(LIMIT):
        pupil.wait()
        place = pupil.place()
        if place.step < len(pupil.lesson.steps) and pupil.step.kind == form.DO:
            step = pupil.step
            right = {text for text in pupil.offered() if any(one.fits(text) for one in (*step.do, *step.also))}
            others: dict[str, str] = {}
            for text in pupil.offered():
                if text not in right:
                    answer = next((one.say for one in step.instead if one.do.fits(text)), step.otherwise)
                    others.setdefault(answer, text)
            for answer, text in others.items():
                tried = Pupil.__new__(Pupil)
                tried.__dict__ = dict(pupil.__dict__)
                tried.table = Table.replay(pupil.table.log, pupil.game)
                tried.act(text)
                after = tried.place()
                if len(pupil.offered()) > 1:
                    assert after.answer == answer
                    answered.add(answer)
                if tried.table.can_undo(pupil.side):
                    tried.table.undo(pupil.side)
                    assert tried.place().step == place.step
                    assert tried.place().answer == place.answer
                else:
                    assert place.step in after.starts, "it can be begun again"
        if not pupil.go_on():
            break
    assert answered


@pytest.mark.parametrize(("name", "lesson"), ALL)
def test_what_a_lesson_shows_is_on_the_map(name: str, lesson: str) -> None:
    pupil = Pupil(name, lesson)
    pack: Any = pupil.table.state.board.pack if hasattr(pupil.table.state, "board") else None
    names = set(pack.grid.names) if pack is not None else None
    for step in pupil.lesson.steps:
        if names is not None:
            assert set(step.hexes) <= names, step.title
            assert {step.look} - {""} <= names, step.title
        assert 40 <= len(step.text) <= 700, step.title


def test_every_game_has_a_lesson() -> None:
    assert {name for name, _ in ALL} == set(registry.names())


# ------------------------------------------------------------------------------------------ reading

GOOD = """
[lesson]
title = "A lesson"
summary = "Short."
ending = "Done."
scenario = "battleaxe"
side = "axis"
seed = "x"

[[step]]
title = "Read"
text = "This is
over two lines."
rules = ["0.3d"]
[[step]]
title = "Read"
text = "Again."
rules = ["0.3d"]
[[step]]
title = "Read"
text = "Again."
rules = ["0.3d"]
[[step]]
title = "Look"
text = "There."
rules = ["0.3d"]
look = "0414"
[[step]]
title = "Do"
text = "It."
rules = ["4.1"]
do = ["option basic 0"]
otherwise = "No."
[[step.instead]]
do = "pass"
say = "Why?"
[battle]
scenario = "first_battle"
side = "axis"
summary = "Go on."
""".replace('"This is\nover two lines."', '"""This is\nover two lines."""')


def read(tmp_path: Path, change: Callable[[str], str]) -> form.Lesson:
    path = tmp_path / "one.toml"
    path.write_text(change(GOOD), encoding="utf-8")
    return form.read_lesson(registry.get("rommel"), path)


def test_a_lesson_is_read(tmp_path: Path) -> None:
    lesson = read(tmp_path, str)
    assert lesson.steps[0].text == "This is over two lines."
    assert [step.kind for step in lesson.steps] == ["read", "read", "read", "look", "do"]
    assert lesson.steps[4].instead[0].then == -1
    assert lesson.battle == form.Battle("first_battle", "axis", "Go on.", 10)
    assert texts.taught(GOOD) >= {"This is over two lines.", "Why?", "Done.", "No.", "Go on."}


@pytest.mark.parametrize(
    ("old", "new", "line", "fault"),
    [
        ('scenario = "battleaxe"', 'scenario = "verdun"', 6, "no scenario 'verdun'"),
        ('side = "axis"', 'side = "soviet"', 7, "no side 'soviet'"),
        ('title = "A lesson"', "", 2, "'title' is missing"),
        ('seed = "x"', 'seed = "x"\nbefore = ["fly home"]', 9, "'fly home' is not an action"),
        ('seed = "x"', 'seed = "x"\nminutes = 90', 9, "1 to 10 minutes"),
        ('rules = ["4.1"]', 'rules = ["99.9"]', 31, "no rule 99.9"),
        ('do = ["option basic 0"]', 'do = ["dance *"]', 32, "no verb 'dance'"),
        ('do = ["option basic 0"]', 'do = ["?pass"]', 32, "may not be left out"),
        ('otherwise = "No."', "", 28, "'otherwise'"),
        ('otherwise = "No."', 'otherwise = "No."\nthen = 3', 34, "'then' is not known here"),
        ('say = "Why?"', 'say = "Why?"\nthen = 2', 37, "a later step"),
        ('look = "0414"', 'look = "0414"\nshow = { panel = "moon" }', 28, "no panel is called 'moon'"),
        ('scenario = "first_battle"', 'scenario = "verdun"', 38, "no scenario 'verdun'"),
        ('[[step]]\ntitle = "Do"', '[[step]]\ntitle = "Do"\nlook = "0414"', 28, "not both"),
    ],
)
def test_a_fault_says_where_and_why(tmp_path: Path, old: str, new: str, line: int, fault: str) -> None:
    with pytest.raises(PackError) as error:
        read(tmp_path, lambda good: good.replace(old, new, 1))
    assert error.value.file == "lessons/one.toml"
    assert fault in str(error.value)
    assert error.value.line == line


def test_a_lesson_has_five_steps_at_least(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="has 4"):
        read(tmp_path, lambda good: good.replace('[[step]]\ntitle = "Look"', '[[step.x]]\ntitle = "Look"'))
