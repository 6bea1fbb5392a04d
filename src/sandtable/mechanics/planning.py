"""The front of a game's planner: what search players and analysis ask of it, and games played out for them.

A planner counts its work and never times it: the same seed gives the same play on any machine and under any load.
It reads the table that it is given. A player who may not see all of it imagines tables from his view, and asks about
those.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from sandtable.engine.contract import CHANCE, Action, Game, State, View
from sandtable.engine.dice import QuickDice
from sandtable.engine.hexes import Hex
from sandtable.engine.seats import Seat
from sandtable.engine.texts.text import Said, Text

S = TypeVar("S", bound=State)
P = TypeVar("P")
C = TypeVar("C", bound=State, contravariant=True)  # noqa: PLC0105

Mark = Callable[[C], bool]
"""A moment up to which a game is played out: asked after every action."""

Handler = Callable[[S, int, Sequence[Action]], Action]
"""How one kind of decision is made: by the table, for a side, out of these actions."""


class Front(Protocol[C, P]):
    """A planner with its parameters, for one game; P is what it calls a plan."""

    playouts: int
    """The playouts that a strong player affords for one plan: as many as take two or three seconds."""

    breadth: float
    """Plans that are weighed for each of those that a search has in mind: more where a playout is cheap."""

    scale: float
    """How much of `evaluate` turns an even game into one of e to one."""

    def imagine(self, view: View, side: int, rng: Random) -> Any:
        """A table that fits a side's view, with what is hidden as this planner takes it to be."""
        ...

    def opens(self, s: C, side: int) -> bool:
        """Whether a plan is made at this decision, and none is being carried out."""
        ...

    def plans(self, s: C, side: int, k: int) -> Sequence[P]:
        """At most k plans that promise most to a side, the best first."""
        ...

    def play(self, plan: P, s: C, side: int) -> Sequence[Action]:
        """A plan as actions, in order, as far as no die and nobody else comes in between."""
        ...

    def begin(self, plan: P, s: C, side: int) -> Action:
        """Take a plan up: its first action. `decide` and `choose` then carry it out."""
        ...

    def decide(self, s: C, side: int) -> Action:
        """One of the legal actions of the side that is to act."""
        ...

    def evaluate(self, s: C, side: int) -> float:
        """How good a table is for a side; more is better."""
        ...

    def aims(self, plan: P, s: C, side: int) -> Sequence[Said]:
        """What a plan is for, in the game's words; hexes and units by their numbers."""
        ...

    def horizon(self, s: C, side: int) -> Mark[C]:
        """Up to where a plan of this moment shows what it was worth."""
        ...

    def light(self, rng: Random) -> Front[C, P]:
        """Another planner of the same game that looks at less: for playing games out."""
        ...


def playout(
    game: Game[S],
    s: S,
    players: Sequence[Front[S, Any]],
    rng: Random,
    until: Mark[S] | None = None,
    most: int = 20_000,
) -> int:
    """Play a table on in place, up to a mark or to its end; says how many actions that took.

    `players` decide by side, on the table itself; the dice are drawn from `rng`. At least one action is taken before
    the mark is asked for, so that a game can be played from one such moment to the next.
    """
    dice = QuickDice(rng)
    for taken in range(most):
        who = game.to_act(s)
        if who is None or (taken and until is not None and until(s)):
            return taken
        game.apply(s, game.roll(s, dice).action if who == CHANCE else players[who].decide(s, who))
    return most


def unlike(plans: Iterable[P], alike: Callable[[P, P], bool], k: int) -> list[P]:
    """The first k plans of which no two are alike; no more are made than that takes."""
    found: list[P] = []
    for plan in plans:
        if not any(alike(plan, one) for one in found):
            found.append(plan)
        if len(found) == k:
            break
    return found


NAMED = 5
"""Places that are named for a plan; more would be a list and no reason."""


def aims(attacks: Iterable[Hex] = (), goes: Iterable[Hex] = (), holds: Iterable[Hex] = ()) -> list[Text]:
    """What a plan is for, in words that suit every game: whom it attacks, where it goes, what it holds. Hexes are given
    by their numbers; each is named once, where it matters most."""
    found: list[Text] = []
    told: set[Hex] = set()
    for sentence, hexes in (
        (Text("It attacks {hexes}"), attacks),
        (Text("It goes for {hexes}"), goes),
        (Text("It holds {hexes}"), holds),
    ):
        some = [h for h in dict.fromkeys(hexes) if h not in told and h >= 0][:NAMED]
        told.update(some)
        if some:
            found.append(Text(sentence.template, hexes=tuple(some)))
    return found


class Thinker(ABC, Generic[S, P]):
    """What planners have in common that decide by the kind of decision and carry a plan out phase by phase."""

    playouts = 24
    breadth = 1.0
    margin = 0.0
    """How much better another plan has to come out than the planner's own before a search prefers it."""
    scale: float
    handlers: dict[int, Handler[S]]
    """Frame -> how its decisions are made; the others are left to `otherwise`."""

    def __init__(self, game: Game[S], rng: Random) -> None:
        self.game = game
        self.rng = rng

    @abstractmethod
    def begin(self, plan: P, s: S, side: int) -> Action:
        """Take a plan up: its first action."""

    @abstractmethod
    def light(self, rng: Random) -> Thinker[S, P]:
        """Another planner of the same game that looks at less."""

    def imagine(self, view: View, side: int, rng: Random) -> S:
        """A table that fits a side's view."""
        return self.game.imagine(view, rng)

    @abstractmethod
    def aims(self, plan: P, s: S, side: int) -> Sequence[Said]:
        """What a plan is for, in the game's words."""

    def otherwise(self, legal: Sequence[Action]) -> Action:
        """Where there is nothing to think about."""
        return legal[0]

    def choose(self, seat: Seat) -> Action:
        """One of the legal actions of the seat, from its view alone."""
        legal = seat.legal
        if len(legal) == 1:
            return legal[0]
        return self._answer(self.imagine(seat.view(), seat.side, self.rng), seat.side, legal)

    def decide(self, s: S, side: int) -> Action:
        """One of the legal actions of a side on this very table."""
        legal = self.game.legal(s)
        return legal[0] if len(legal) == 1 else self._answer(s, side, legal)

    def _answer(self, s: S, side: int, legal: Sequence[Action]) -> Action:
        handler = self.handlers.get(s.stack[-1][0])
        return self.otherwise(legal) if handler is None else handler(s, side, legal)

    def play(self, plan: P, s: S, side: int) -> list[Action]:
        """A plan as actions, in order, as far as no die and nobody else comes in between."""
        table: S = s.copy()
        carrier = self.light(self.rng)
        done = [carrier.begin(plan, table, side)]
        self.game.apply(table, done[0])
        while self.game.to_act(table) == side and not carrier.finished(table):
            done.append(carrier.decide(table, side))
            self.game.apply(table, done[-1])
        return done

    @abstractmethod
    def finished(self, s: S) -> bool:
        """Whether the phase for which the plan was made is over."""
