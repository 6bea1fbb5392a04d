"""Players that think further than the planner: its plans, played out on imagined tables, and the best of them kept.

One implementation for every game whose planner has the front of `mechanics/planning.py`. It reads the view alone: what
is hidden is imagined anew for each playout. The work is counted and not timed: the same seed gives the same game
on any machine and under any load.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from sandtable import registry
from sandtable.engine.contract import Action, Game
from sandtable.engine.seats import Seat
from sandtable.mechanics.planning import Front, playout


class Work(NamedTuple):
    """What a search may spend on one plan."""

    plans: int
    """Plans that are weighed; more or fewer where the game's planner says so (`breadth`)."""
    times: float
    """The playouts for all of them together, in those that the game's planner calls strong play (`playouts`)."""
    longest: int = 20_000
    """Actions after which a playout is judged as it stands."""


def planner_of(game: Game[Any]) -> Callable[..., Any]:
    """The planner of a game; it has the front of `mechanics/planning.py`."""
    return registry.player(game, registry.PLANNER)


DOUBT = 0.7
"""How many standard errors another plan has to come out better by than the planner's own: a few playouts prove little,
and the best of many plans is the luckiest of them too."""


@dataclass(slots=True)
class Weighed:
    """A plan, and what it came to so far."""

    plan: Any
    place: int
    """Its place in the planner's own order: the better first."""
    found: list[float] = field(default_factory=list)
    """What it came to, table by table; the same tables for every plan that is still looked at."""

    @property
    def times(self) -> int:
        return len(self.found)

    @property
    def mean(self) -> float:
        return sum(self.found) / len(self.found) if self.found else 0.0

    def gain(self, usual: Weighed) -> float:
        """By how much it is surely better than the planner's own plan, on the tables that both were tried on."""
        ahead = [one - other for one, other in zip(self.found, usual.found, strict=False)]
        if len(ahead) < 2:
            return 0.0
        return fmean(ahead) - DOUBT * stdev(ahead) / sqrt(len(ahead))


class Searcher:
    """Weighs the planner's plans by playing them out; everything else is the planner's decision."""

    def __init__(self, game: Game[Any], rng: Random, work: Work) -> None:
        self.game, self.rng, self.work = game, rng, work
        self.front: Any = planner_of(game)(game, rng)

    def choose(self, seat: Seat) -> Action:
        """One of the legal actions of the seat, from its view alone."""
        if len(seat.legal) == 1:
            return self._planner(seat)
        view = seat.view()
        front: Front[Any, Any] = self.front
        table = front.imagine(view, seat.side, self.rng)
        if not front.opens(table, seat.side):
            return self._planner(seat)
        plans = self.offered(table, seat.side)
        if len(plans) > 1:
            best = self.best(plans, view, seat.side)
        elif plans:
            best = plans[0]
        else:
            return self._planner(seat)
        action = front.begin(best, table, seat.side)
        return action if action in seat.legal else self._planner(seat)

    def offered(self, table: Any, side: int) -> Any:
        """The plans that are weighed at this decision."""
        return self.front.plans(table, side, ceil(self.work.plans * self.front.breadth))

    def _planner(self, seat: Seat) -> Action:
        action: Action = self.front.choose(seat)
        return action

    def best(self, plans: Any, view: Any, side: int) -> Any:
        """The plan that does best: all are tried on a few tables, the better half on more, and so on."""
        return self.weigh(plans, view, side)[0].plan

    def weigh(self, plans: Any, view: Any, side: int) -> list[Weighed]:
        """The plans in the order of what they came to. All of a round are tried on the same tables, and each round has
        the same share of the work: half of the plans, twice the tables. The planner's own plan, which is the first,
        stays to the last, and another one has to be better beyond doubt, and by the planner's margin."""
        found = [Weighed(plan, place) for place, plan in enumerate(plans)]
        usual, *others = found
        rounds = (len(found) - 1).bit_length()
        share = int(self.work.times * self.front.playouts) // max(1, rounds)
        for _ in range(rounds):
            seeds = [self.rng.getrandbits(64) for _ in range(max(1, share // (1 + len(others))))]
            for one in (usual, *others):
                one.found += [self.outcome(one.plan, view, side, seed) for seed in seeds]
            others = sorted(others, key=lambda one: (-one.mean, one.place))[: max(1, len(others) // 2)]
        margin = float(getattr(self.front, "margin", 0.0))
        first = others[0] if others and others[0].gain(usual) > margin else usual
        return sorted(found, key=lambda one: (one is not first, -one.times, -one.mean, one.place))

    def outcome(self, plan: Any, view: Any, side: int, seed: int) -> float:
        """What a plan comes to on one imagined table."""
        return float(self.front.evaluate(self.after(plan, view, side, seed), side))

    def after(self, plan: Any, view: Any, side: int, seed: int) -> Any:
        """One imagined table after a plan, both sides played by light planners."""
        rng = Random(seed)
        game, table = self.game, self.front.imagine(view, side, rng)
        players = [self.front.light(rng) for _ in game.info.sides]
        mark = self.front.horizon(table, side)
        first = players[side].begin(plan, table, side)
        game.apply(table, first if first in game.legal(table) else players[side].decide(table, side))
        playout(game, table, players, rng, mark, self.work.longest)
        return table
