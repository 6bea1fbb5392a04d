"""The contract between a game and everything that plays it.

A game offers decisions, one at a time; a player (or the dice) takes one of the legal actions;
the game applies it and tells what happened as events. Nothing else passes between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar

from sandtable.engine.texts.text import Said

from .odds import Ladder
from .scene import Hint, Overlay, Scene

Action = tuple[int, ...]
"""A verb and its arguments, all small ints: ``(MOVE, unit, hex)``. See `actions.Codec` for words."""

CHANCE = -1
"""The actor of a chance decision: dice or a draw."""

SPECTATOR = -1
"""The side index of somebody who holds no seat: sees what everybody may see."""

View = dict[str, Any]
"""What a side may know, as plain JSON values."""

Die = Callable[[int], int]
"""``die(6)`` gives the next number from 1 to 6."""


class Roll(NamedTuple):
    """A chance action as it fell, with the faces that made it."""

    action: Action
    faces: tuple[int, ...]


class Reason(NamedTuple):
    """Why something is not allowed: the rule that forbids it, in words for the player."""

    rule: str
    why: Said

    def __str__(self) -> str:
        return f"{self.rule}: {self.why}" if self.rule else str(self.why)


class Illegal(ValueError):
    """Raised by `Game.apply` for an action that is not legal; the state is unchanged."""

    def __init__(self, rule: str, why: Said) -> None:
        super().__init__(f"{rule}: {why}" if rule else why)
        self.rule = rule
        self.why = why


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is being decided, under which rules.

    Title and phase may stand on every screen; text and rules are for the side that decides.
    """

    title: Said
    text: Said = ""
    rules: tuple[str, ...] = ()
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """A switch that a game may be started with."""

    id: str
    title: str
    rule: str = ""
    default: bool = False


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario as the lobby lists it."""

    id: str
    title: str
    title_ja: str = ""
    length: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. `winner` is None for a draw."""

    winner: int | None
    level: str
    points: int = 0
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """One line of how victory is reckoned: what is counted or asked, by which rule, and how it stands.

    A line that is counted has `points`, the sum of those of its parts if it has any. A line that is asked has `met`,
    which all its parts must be; the first one that is met and says how the game `ends` decides it.
    """

    rule: str
    text: Said
    value: Said = ""
    points: int | None = None
    met: bool | None = None
    ends: Outcome | None = None
    parts: tuple[Tally, ...] = ()


def verdict(lines: Iterable[Tally]) -> Outcome | None:
    """How a game ends by these lines; None if it goes on."""
    return next((line.ends for line in lines if line.met and line.ends is not None), None)


@dataclass(frozen=True, slots=True)
class Term:
    """One item of a calculation: a strength, a shift, a modifier, with the rule that gives it."""

    value: Said
    rule: str
    text: Said


@dataclass(frozen=True, slots=True)
class Odds:
    """The chance of every result of an action that leads to dice, before it is taken.

    `parts` are shown beside it, one after the other: a check that is made first, or each of several fights.
    """

    title: Said
    terms: tuple[Term, ...] = ()
    results: tuple[tuple[Said, Fraction], ...] = ()
    ladder: Ladder | None = None
    parts: tuple[Odds, ...] = ()


class Event(NamedTuple):
    """Something that happened.

    `data` is what everybody learns. `secret` is what only side `owner` learns besides.
    A `hidden` event does not exist for anybody but its owner. An event that is `final`
    (dice, a reveal) cannot be undone without consent.
    """

    kind: str
    rule: str
    data: Mapping[str, Any]
    owner: int = -1
    secret: Mapping[str, Any] | None = None
    hidden: bool = False
    final: bool = False

    def seen_by(self, side: int) -> Mapping[str, Any] | None:
        """The facts that `side` learns, or None if it learns nothing of this event."""
        if side == self.owner:
            return {**self.data, **self.secret} if self.secret else self.data
        return None if self.hidden else self.data


class State(Protocol):
    """What lies on the table. Flat, and cheap to copy."""

    stack: list[tuple[Any, ...]]
    actor: int
    events: list[Event]
    choices: list[Action] | None
    ended: Outcome | None

    def copy(self: S) -> S: ...


S = TypeVar("S", bound=State)


@dataclass(frozen=True)
class GameInfo:
    """How a game introduces itself in lists and lobbies."""

    id: str
    title: str
    title_ja: str
    sides: tuple[str, ...]
    side_titles: tuple[str, ...]
    summary: str
    players: Mapping[str, str] = field(default_factory=dict)
    open: bool = False  # nothing is hidden: everybody sees everything that is done


class Game(Protocol[S]):
    """The rules of one game. Holds no game in progress: that is the state."""

    id: str
    version: int
    info: GameInfo

    def scenarios(self) -> Sequence[Scenario]: ...

    def options(self) -> Sequence[Option]: ...

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> S: ...

    def to_act(self, s: S) -> int | None:
        """The side to decide, CHANCE, or None when the game is over."""
        ...

    def prompt(self, s: S) -> Prompt: ...

    def legal(self, s: S) -> Sequence[Action]:
        """Every legal action, sorted, without repeats, never empty while the game goes on."""
        ...

    def pick(self, s: S, random: Callable[[], float]) -> Action:
        """Any legal action, each with the same chance. `random` gives numbers from 0 up to 1, without 1."""
        ...

    def apply(self, s: S, action: Action) -> list[Event]:
        """Take an action; raises Illegal and changes nothing if it is not legal."""
        ...

    def why_not(self, s: S, action: Action) -> Reason | None:
        """The rule that forbids an action, or None if it is legal."""
        ...

    def chances(self, s: S) -> Sequence[tuple[Action, Fraction]]:
        """The outcomes of a chance decision with their exact probabilities, summing to 1."""
        ...

    def roll(self, s: S, die: Die) -> Roll:
        """Let a chance decision fall: the outcome and the faces of the dice (or cards drawn)."""
        ...

    def odds(self, s: S, action: Action) -> Odds | None:
        """What an action of a player would lead to, as far as the player to act may know."""
        ...

    def hint(self, s: S, action: Action) -> Hint | None:
        """What a client may show of an action of the side to act: cost and path of a move."""
        ...

    def view(self, s: S, side: int) -> View: ...

    def imagine(self, view: View, rng: Random) -> S:
        """A state that a side cannot tell from the real one, made from its view alone."""
        ...

    def redeal(self, s: S, side: int, rng: Random) -> S: ...

    def outcome(self, s: S) -> Outcome | None: ...

    def reckoning(self, s: S) -> Sequence[Tally]:
        """How victory stands at this moment, line by line: what the game's own end is read from."""
        ...

    def scene(self, view: View) -> Scene:
        """The view made drawable."""
        ...

    def overlays(self, view: View) -> list[Overlay]:
        """What can be laid over the map on demand: supply, zones, reach, from this view alone."""
        ...

    def text(self, action: Action) -> str:
        """The stable notation of an action: ``to 0903 via W``."""
        ...

    def parse(self, text: str) -> Action: ...

    def action_json(self, action: Action) -> dict[str, Any]: ...

    def action_from_json(self, data: Mapping[str, Any]) -> Action: ...

    def action_label(self, s: S, action: Action) -> Said:
        """The action as a player would say it."""
        ...

    def event_json(self, event: Event, side: int) -> dict[str, Any] | None:
        """The event as that side sees it, with names for numbers; None if it does not."""
        ...

    def describe(self, seen: Mapping[str, Any]) -> Said:
        """One log line for an event in the form of `event_json`."""
        ...
