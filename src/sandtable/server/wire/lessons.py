"""Lessons: which there are, and what the coach says."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from .common import Count


class BattleInfo(Struct):
    """The battle that a learner fights after a lesson, by the whole rules; `opponent`: against which player."""

    scenario: str
    side: str
    opponent: str
    summary: str
    minutes: int


class LessonInfo(Struct):
    """A lesson of a game, as the lobby shows it; `yours` is the table where you left it."""

    game: str
    id: str
    title: str
    summary: str
    minutes: int
    steps: int
    battle: BattleInfo
    yours: str | None = None
    step: int = 0


class StepText(Struct):
    """What a step says. `read`: there is nothing to do but to go on; `look`: a hex is to be looked at."""

    title: str
    text: str
    rules: list[str]
    kind: Literal["read", "look", "do"]


class LessonState(Struct):
    """What the coach says now. When all steps are done, `now` is null and `ending` is said."""

    id: str
    title: str
    length: int
    """Of which table it is said, in the count of the learner's seat."""
    step: int
    steps: int
    now: StepText | None
    ending: str
    answer: str
    """What is said to what was done instead."""
    wanted: list[str]
    """The actions on offer that the step asks for, in their notation."""
    hexes: list[str]
    units: list[str]
    panel: str
    look: str
    stuck: bool
    """Whether nothing that the step asks for is on offer any more."""
    begun: bool
    """Whether something was done in this step that can be begun again."""
    battle: BattleInfo
    """What comes after the lesson."""


class LessonRead(Struct, forbid_unknown_fields=True):
    """A step that was read or looked at, by its number from 0."""

    step: Count


class LessonAgain(Struct, forbid_unknown_fields=True):
    """The step, from 0, at whose beginning the lesson goes on."""

    step: Count
