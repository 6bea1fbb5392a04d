"""A lesson at the terminal, from the first word to the last."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from sandtable import registry
from sandtable.lessons import form
from sandtable.terminal.lecture import learn

from .test_lessons import Pupil


def spoken(name: str, lesson: str) -> list[str]:
    """What a learner types who does what is asked for; what is the only choice is done for him."""
    pupil = Pupil(name, lesson)
    typed: list[str] = []
    for _ in range(250):
        pupil.wait()
        before, choices = len(pupil.table.entries), len(pupil.offered())
        if not pupil.go_on():
            break
        if len(pupil.table.entries) > before and choices > 1:
            typed.append(pupil.table.entries[before].do)
    return typed


@pytest.mark.parametrize("name", ["rommel", "caucasus"])
def test_a_lesson_is_taken_at_the_terminal(name: str) -> None:
    game = registry.get(name)
    lesson = next(iter(form.lessons(game).values()))
    out = StringIO()
    console = Console(file=out, width=120, highlight=False)
    assert learn(game, None, console, [*spoken(name, lesson.id), "quit"]) == 0
    said = " ".join(out.getvalue().split())
    for number, step in enumerate(lesson.steps, 1):
        assert f"{number} of {len(lesson.steps)}: {step.title}" in said
    assert "The lesson is done" in said


def test_something_else_is_answered_at_the_terminal() -> None:
    out = StringIO()
    learn(registry.get("rommel"), "first_turn", Console(file=out, width=120, highlight=False), ["pass", "quit"])
    assert "Who passes saves his cards" in " ".join(out.getvalue().split())


def test_a_lesson_that_is_not_there_is_not_found() -> None:
    with pytest.raises(registry.UnknownName, match="no lesson of rommel is called 'chess'"):
        learn(registry.get("rommel"), "chess", Console(file=StringIO()), [])
