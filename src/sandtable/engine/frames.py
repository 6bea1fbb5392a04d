"""The sequence of play as an explicit stack of frames, and the game that runs on it.

A frame is a tuple of small ints on the state's stack: which step of the sequence it is, and the
facts of that step. Its behaviour lives in a `Frame` object. A frame that needs nobody runs by
itself; a frame with an actor offers actions, takes one, and pops, replaces or pushes frames.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, Generic, Protocol

from sandtable.engine.texts.text import Said, Text
from sandtable.engine.texts.verbs import Vocabulary
from sandtable.engine.texts.words import Words

from .actions import Codec
from .contract import (
    CHANCE,
    Action,
    Die,
    Event,
    GameInfo,
    Illegal,
    Odds,
    Option,
    Outcome,
    Prompt,
    Reason,
    Roll,
    Scenario,
    State,
    Tally,
    View,
)
from .scene import Hint, Overlay, Scene, Sight

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # the default of a type variable is for type checkers alone

    A = TypeVar("A", bound=tuple[Any, ...], default=tuple[int, ...])
else:
    from typing import TypeVar

    A = TypeVar("A", bound=tuple)

S = TypeVar("S", bound=State)

F = tuple[int, ...]

FEW = 16  # actions among which one is looked for one by one


class Frame(Generic[S, A]):
    """One step of the sequence of play. Frame objects hold no game: only behaviour.

    Its facts on the stack have names: `at` is a NamedTuple with the number of the frame first.
    """

    number: int = -1
    at: Callable[..., Any] | None = None

    if not TYPE_CHECKING:

        def __class_getitem__(cls, _):  # `Frame[State]` and `Frame[State, UnitAt]` are the same to Python
            return cls

    def actor(self, s: S, f: A) -> int | None:
        """Who decides: a side, CHANCE, or None if the step runs by itself."""
        return None

    def run(self, s: S, f: A) -> None:
        """Carry out a step that needs nobody; must change the stack."""
        raise NotImplementedError(type(self).__name__)

    def legal(self, s: S, f: A) -> list[Action]:
        raise NotImplementedError(type(self).__name__)

    def allows(self, s: S, f: A, action: Action) -> bool:
        """Whether an action is legal, for somebody who has not asked for the list."""
        choices = s.choices = self.legal(s, f)
        return listed(choices, action)

    def take(self, s: S, f: A, action: Action) -> None:
        """Carry out a legal action."""
        raise NotImplementedError(type(self).__name__)

    def prompt(self, s: S, f: A) -> Prompt:
        raise NotImplementedError(type(self).__name__)

    def why_not(self, s: S, f: A, action: Action) -> Reason | None:
        """Why an action that is not in `legal` is not there; None leaves it to the general answer."""
        return None

    def chances(self, s: S, f: A) -> list[tuple[Action, Fraction]]:
        raise NotImplementedError(type(self).__name__)

    def roll(self, s: S, f: A, die: Die) -> Roll:
        raise NotImplementedError(type(self).__name__)

    def odds(self, s: S, f: A, action: Action) -> Odds | None:
        return None

    def hint(self, s: S, f: A, action: Action) -> Hint | None:
        return None

    def bind(self, codec: Codec) -> None:
        """Learn what the arguments of actions range over; asked once, when the game is made."""

    def disagreements(self, s: S, f: A) -> list[str]:
        """Where the list of actions and the reasons against them contradict each other: for the fuzzer."""
        return []


class Chapter(Protocol[S]):
    """A module of a game that has some of its frames."""

    FRAMES: dict[int, Frame[S, Any]]


def collect_frames(chapters: Iterable[Chapter[S]], codec: Codec | None = None) -> list[Frame[S, Any]]:
    """All steps of a game's sequence of play, by their numbers: every number once, none left out."""
    joined: dict[int, Frame[S, Any]] = {}
    for chapter in chapters:
        for number, frame in chapter.FRAMES.items():
            if number in joined:
                raise ValueError(f"frame {number} stands in two modules")
            frame.number = number
            if codec is not None:
                frame.bind(codec)
            joined[number] = frame
    missing = set(range(max(joined) + 1)) - set(joined)
    if missing:
        raise ValueError(f"no module has the frames {sorted(missing)}")
    return [joined[i] for i in range(len(joined))]


def listed(choices: list[Action], action: Action) -> bool:
    """Whether an action is one of these. Lists are sorted, and long: it is soon found where it belongs."""
    if len(choices) > FEW:
        try:
            place = bisect_left(choices, action)
        except TypeError:  # no action at all
            return False
        if place < len(choices) and choices[place] == action:
            return True
    return action in choices


class FrameGame(Generic[S]):
    """The part of the `Game` contract that is the same for every game built on frames."""

    id: str
    version: int
    info: GameInfo
    codec: Codec
    words: Words
    verbs: Vocabulary | None = None
    """The game's verbs; a game that has none here labels its actions itself."""
    lines: Mapping[str, str | Callable[[dict[str, Any]], Said]]
    """The log line of each kind of event: a template for the event's facts in words, or made of them."""
    frames: Sequence[Frame[S, Any]]
    reckon: Callable[[S], Iterable[Tally]] = staticmethod(lambda s: ())
    """How victory stands, line by line, with numbers for names."""

    def to_act(self, s: S) -> int | None:
        return None if s.ended is not None else s.actor

    def legal(self, s: S) -> list[Action]:
        choices = s.choices
        if choices is None:
            if s.ended is not None:
                return []
            f: F = s.stack[-1]
            choices = s.choices = self.frames[f[0]].legal(s, f)
        return choices

    def pick(self, s: S, random: Callable[[], float]) -> Action:
        choices = self.legal(s)
        return choices[int(random() * len(choices))]

    def apply(self, s: S, action: Action) -> list[Event]:
        choices = s.choices
        if choices is None:
            if s.ended is not None:
                raise Illegal("", "the game is over")
            f: F = s.stack[-1]
            legal = self.allows(s, self.frames[f[0]], f, action)
        else:
            legal = listed(choices, action)
        if not legal:
            reason = self.why_not(s, action)
            if reason is None:
                raise Illegal("", f"{action!r} is not legal here")
            raise Illegal(reason.rule, reason.why)
        events: list[Event] = []
        s.events = events
        s.choices = None
        f = s.stack[-1]
        self.frames[f[0]].take(s, f, action)
        self.settle(s)
        return events

    def settle(self, s: S) -> None:
        """Run steps that need nobody until somebody has to decide or the game is over."""
        frames = self.frames
        while s.ended is None:
            f: F = s.stack[-1]
            frame = frames[f[0]]
            who = self.asks(s, frame, f)
            if who is not None:
                s.actor = who
                return
            frame.run(s, f)

    def asks(self, s: S, frame: Frame[S, Any], f: F) -> int | None:
        """Who decides in a frame. A game may note down what it works out meanwhile: nothing changes."""
        return frame.actor(s, f)

    def allows(self, s: S, frame: Frame[S, Any], f: F, action: Action) -> bool:
        """Whether an action is legal in a frame, the list of which has not been asked for. As with `asks`."""
        return frame.allows(s, f, action)

    def why_not(self, s: S, action: Action) -> Reason | None:
        if s.ended is not None:
            return Reason("", "the game is over")
        if action in self.legal(s):
            return None
        f: F = s.stack[-1]
        frame = self.frames[f[0]]
        try:
            self.codec.text(action)
        except Illegal as error:
            return Reason(error.rule, error.why)
        reason = frame.why_not(s, f, action)
        if reason is not None:
            return Reason(reason.rule, self.named(reason.why, s))
        prompt = self.prompt(s)
        return Reason(prompt.rules[0] if prompt.rules else "", Text("not now: {title}", title=prompt.title))

    def disagreements(self, s: S) -> list[str]:
        """Where the list of actions and the reasons against them contradict each other: for the fuzzer."""
        if s.ended is not None or s.actor == CHANCE:
            return []
        f: F = s.stack[-1]
        return self.frames[f[0]].disagreements(s, f)

    def named(self, said: Said, s: S, label: bool = False) -> Said:
        """A text with names for the numbers among its facts, as they are called in a position; plain words stay as they
        are. `label`: as they are called in a list of actions."""
        return said if isinstance(said, str) else self.words.text(said, label)

    def renamed(self, s: S, action: Action) -> bool:
        """Whether an action names a unit that is called otherwise now than when the game began."""
        return False

    def framed(self, numbers: Sequence[Any]) -> F:
        """A frame by its bare numbers, as views and saves hold it: the only way back to named facts."""
        facts: list[Any] = [tuple(one) if isinstance(one, list) else one for one in numbers]
        at = self.frames[int(facts[0])].at
        made: F = at(*facts) if at is not None else tuple(facts)
        return made

    def prompt(self, s: S) -> Prompt:
        if s.ended is not None:
            return Prompt("The game is over", s.ended.level, (s.ended.rule,) if s.ended.rule else ())
        f: F = s.stack[-1]
        prompt = self.frames[f[0]].prompt(s, f)
        if isinstance(prompt.title, str) and isinstance(prompt.text, str):
            return prompt
        return Prompt(self.named(prompt.title, s), self.named(prompt.text, s), prompt.rules, prompt.phase)

    def chances(self, s: S) -> list[tuple[Action, Fraction]]:
        if s.ended is not None or s.actor != CHANCE:
            return []
        f: F = s.stack[-1]
        return self.frames[f[0]].chances(s, f)

    def roll(self, s: S, die: Die) -> Roll:
        f: F = s.stack[-1]
        return self.frames[f[0]].roll(s, f, die)

    def odds(self, s: S, action: Action) -> Odds | None:
        if s.ended is not None or s.actor == CHANCE or action not in self.legal(s):
            return None
        f: F = s.stack[-1]
        return self.frames[f[0]].odds(s, f, action)

    def hint(self, s: S, action: Action) -> Hint | None:
        if s.ended is not None or s.actor == CHANCE or action not in self.legal(s):
            return None
        f: F = s.stack[-1]
        return self.frames[f[0]].hint(s, f, action)

    def outcome(self, s: S) -> Outcome | None:
        return s.ended

    def reckoning(self, s: S) -> list[Tally]:
        return [self._tallied(s, line) for line in self.reckon(s)]

    def _tallied(self, s: S, line: Tally) -> Tally:
        """The line with names for the numbers among its facts."""
        text, value = self.named(line.text, s), self.named(line.value, s)
        return replace(line, text=text, value=value, parts=tuple(self._tallied(s, part) for part in line.parts))

    def redeal(self, s: S, side: int, rng: Random) -> S:
        return self.imagine(self.view(s, side), rng)

    def text(self, action: Action) -> str:
        return self.codec.text(action)

    def parse(self, text: str) -> Action:
        return self.codec.parse(text)

    def action_json(self, action: Action) -> dict[str, Any]:
        return self.codec.json(action)

    def action_from_json(self, data: Mapping[str, Any]) -> Action:
        return self.codec.from_json(data)

    def scenarios(self) -> Sequence[Scenario]:
        raise NotImplementedError

    def options(self) -> Sequence[Option]:
        return ()

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> S:
        raise NotImplementedError

    def view(self, s: S, side: int) -> View:
        raise NotImplementedError

    def imagine(self, view: View, rng: Random) -> S:
        raise NotImplementedError

    def scene(self, view: View) -> Scene:
        raise NotImplementedError

    def sight(self, view: View, a: str, b: str) -> Sight | None:
        """The line of sight from one hex to another, in games that have one."""
        return None

    def overlays(self, view: View) -> list[Overlay]:
        return []

    def action_label(self, s: S, action: Action) -> Said:
        if self.verbs is None:
            return self.codec.text(action)
        return self.named(self.verbs.label(action), s, label=True)

    def event_json(self, event: Event, side: int) -> dict[str, Any] | None:
        return self.words.event(event, side)

    def describe(self, seen: Mapping[str, Any]) -> Said:
        line, spoken = self.lines[seen["event"]], self.words.spoken(seen)
        return Text.of(line, spoken) if isinstance(line, str) else line(spoken)

    def is_chance(self, s: S) -> bool:
        return s.ended is None and s.actor == CHANCE
