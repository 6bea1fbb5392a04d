"""A leg: what one move, or one stretch of it, may do, as data; and what can be asked of any leg of any game.

A `Mode` is a way of moving as the rules have it: its rule, and the bars that keep it out of hexes (`closed`) or from
ending in them (`ends`). A `Leg` is one unit or stack setting out in a mode: the chart of its kind, where it starts,
how many points it has, the hexes shut to it, where it must stop, what leaving and entering cost besides.

A leg answers `everywhere` (where it can end), `to` (cost and way to one hex), `draw` (any one at random) and `why`
(what is in the way). It knows no rules and looks at no state, so it stays true while the game goes on. How it is worked
out stands behind: for whole sets of hexes at once (`waves`), by what is known of the map beforehand (`surveys`,
`spreads`, `detours`), or hex by hex (`plain`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Generic, NamedTuple, Protocol, TypeVar

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Fact

from ..bars import Bar, Bars
from ..masks import hexes_in
from . import plain
from .charts import Chart, Starts, Tolls, due
from .detours import way_to
from .spreads import Flooded, Spread, spread
from .surveys import Survey
from .waves import wave

S = TypeVar("S")
N = TypeVar("N")

UNLIMITED = 1 << 20

NOTHING, CLOSED, ENDS, TOO_FAR, TOO_DRY, STOPPED, SHUT_OFF, NO_WAY = range(8)
"""What is in the way: nothing; the hex may not be entered, or not ended in; it takes more points; more than two dry
hexes in a row; the move ends before it gets there; closed hexes on the way; the ground."""


class Hindrance(NamedTuple):
    """What keeps a leg from a hex: "it needs 7 points and has 5"."""

    kind: int
    needs: int  # points; -1 if no number of them is enough
    has: int


class Way(NamedTuple):
    """How a leg leads to a hex: the points, and the hexes entered in order."""

    cost: int
    path: list[Hex]


class Door(NamedTuple):
    """A place off the map that can be entered from hexes of it."""

    place: int
    beside: Mask
    price: int


class Found(Protocol):
    """What a kernel finds out about a leg."""

    hexes: Mask  # all that can be reached, the start included, whether or not the leg may end there

    def within(self, points: int) -> Mask:
        """Those that so many points lead to."""

    def cost(self, h: Hex) -> int:
        """The fewest points to get there, -1 if it is out of reach."""

    def path(self, h: Hex) -> list[Hex]:
        """The hexes entered on a cheapest way there, in order: always the same way, and a straight one where that costs
        no more. Empty for the start and for what is out of reach."""

    def halts(self, h: Hex) -> bool:
        """Whether the last step of that way ends the move."""


class Mode(Generic[S, N]):
    """A way of moving: its number in the game, its rule, and the bars of hexes in it."""

    __slots__ = ("closed", "ends", "number", "rule")

    def __init__(self, number: int, rule: str, closed: Bars[S, N], ends: Bars[S, N] | None = None) -> None:
        self.number = number
        self.rule = rule
        self.closed = closed  # never entered
        self.ends: Bars[S, N] = Bars() if ends is None else ends  # entered, not ended in

    def why(self, h: Hex, leg: Leg | None, s: S, now: N, facts: Mapping[str, Fact]) -> Reason | Hindrance | None:
        """Why a move in this mode does not end in a hex: the bar that holds it, or what is in the way of its leg."""
        reason = self.closed.why(h, s, now, facts) or self.ends.why(h, s, now, facts)
        if reason is not None or leg is None:
            return reason
        found = leg.why(h)
        return found if found.kind != NOTHING else None

    def shutting(self, h: Hex, leg: Leg, s: S, now: N) -> Bar[S, N] | None:
        """The bar that closes the way to a hex: the last without which it could be made."""
        bars = [(row, row.held(s, now)) for row in self.closed.rows if isinstance(row, Bar)]
        for row, hexes in reversed(bars):
            others = 0
            for other, mask in bars:
                others |= mask if other is not row else 0
            if hexes and 0 <= leg.again(closed=others).cost(h) <= leg.points:
                return row
        return None


class Leg:
    """One stretch of a move."""

    __slots__ = (
        "_found",
        "_shut",
        "_survey",
        "_ways",
        "chain",
        "chart",
        "closed",
        "door",
        "ends",
        "entering",
        "least",
        "leaving",
        "mode",
        "points",
        "run",
        "setting_out",
        "start",
        "starts",
        "stop",
        "wider",
    )

    def __init__(
        self,
        mode: int,
        chart: Chart,
        start: Hex,
        points: int,
        closed: Mask = 0,
        ends: Mask = 0,
        stop: Mask = 0,
        leaving: Tolls = (),
        entering: Tolls = (),
        setting_out: bool = True,
        run: int = 0,
        starts: Starts = (),
        door: Door | None = None,
        chain: Mask = 0,
        least: Mask = 0,
        wider: Leg | None = None,
    ) -> None:
        """
        closed       may not be entered
        ends         may be entered, but the leg does not end there
        stop         the move ends in these hexes; the start may be left
        leaving      points more to leave hexes, the start too
        entering     points more to enter hexes
        setting_out  False when the unit has moved already: steps that must be the first are not for it
        run          dry hexes in a row that lie behind it
        starts       where it comes onto the map, and for how much, if the start is off it
        door         a place off the map that it may end in
        chain        no step leads from one of these hexes into another
        least        hexes beside the start that all points together always reach: the minimum move
        wider        a leg from the same start with no fewer points, on which nothing is different but that the hexes to
                     stop in and those with a toll for leaving are closed: it need not be searched for again
        """
        self.mode = mode
        self.chart = chart
        self.start = start
        self.points = points
        self.closed = closed
        self.ends = ends
        self.stop = stop
        self.leaving = leaving
        self.entering = entering
        self.setting_out = setting_out
        self.run = run
        self.starts = starts
        self.door = door
        self.chain = chain
        self.least = least
        self.wider = wider
        self._found: Found | None = None
        self._survey: Survey | None = None
        self._shut: Mask = -1  # hexes on the way that are not as in the survey, when they are known
        self._ways: dict[tuple[Mask, Mask, Mask, bool], plain.Plain] = {}  # what `again` found out

    # What can be asked

    @property
    def found(self) -> Found:
        """What the kernel found out: worked out when it is first asked for."""
        found = self._found
        if found is None:
            found = self._found = self._search()
        return found

    def everywhere(self) -> Mask:
        """All places in which the leg can end; the start is none."""
        found = (self.found.within(self.points) | self.least) & ~(self.ends | 1 << self.start)
        return found | 1 << self.door.place if self.door is not None and self._comes_to_door() else found

    def to(self, h: Hex) -> Way | None:
        """What it costs to end there and the way; None if it cannot be done."""
        if self.door is not None and h == self.door.place:
            return self._through_door()
        if self.ends >> h & 1 or h == self.start:
            return None
        way = self._way(h)
        return Way(self.points, [h]) if way is None and self.least >> h & 1 else way

    def goes_on(self, h: Hex) -> bool:
        """Whether the move may go on from a hex that the leg reaches."""
        if self.stop >> h & 1:
            return False
        found = self.found
        return 0 <= found.cost(h) <= self.points and not found.halts(h)

    def possible(self) -> Mask:
        """The places in which it can end and perhaps some that prove out of reach: known at once where there are
        surveys. `to` tells which."""
        survey = self.survey()
        if survey is None or self._found is not None:
            return self.everywhere()
        left = self.points - due(self.leaving, self.start)
        found = survey.by(left) if left >= 0 else 0
        here = 1 << self.start
        if self.door is not None and self.door.beside & (found | here):
            found |= 1 << self.door.place
        return found & ~(self.closed | self.ends | here)

    def why(self, h: Hex) -> Hindrance:
        """What keeps the leg from ending there."""
        has = self.points
        if self.closed >> h & 1:
            return Hindrance(CLOSED, -1, has)
        if self.door is not None and h == self.door.place:
            return Hindrance(NOTHING if self._comes_to_door() else TOO_FAR, -1, has)
        needs = has if self.least >> h & 1 else self.again().cost(h)
        if 0 <= needs <= has:
            return Hindrance(ENDS if self.ends >> h & 1 or h == self.start else NOTHING, needs, has)
        if self.chart.dry and 0 <= self.again(dry=0).cost(h) <= has:
            return Hindrance(TOO_DRY, needs, has)
        if needs >= 0:
            return Hindrance(TOO_FAR, needs, has)
        if self.again(stop=0, tolls=False).cost(h) >= 0:
            return Hindrance(STOPPED, -1, has)
        return Hindrance(SHUT_OFF if self.again(closed=0).cost(h) >= 0 else NO_WAY, -1, has)

    # Legs made of legs

    def shorter(self, mode: int, points: int, ends: Mask) -> Leg:
        """The same leg in another mode, with fewer points: nothing is searched for again."""
        leg = Leg(
            mode,
            self.chart,
            self.start,
            points,
            self.closed,
            ends,
            self.stop,
            self.leaving,
            self.entering,
            self.setting_out,
            self.run,
            self.starts,
            self.door,
            self.chain,
            self.least,
        )
        leg._found = self.found
        return leg

    def running(self, path: list[Hex]) -> list[int]:
        """The points spent at each place of a way of this leg."""
        grid, price = self.chart.grid, self.chart.price
        total, last = 0, self.start
        out = []
        for h in path:
            if self.door is not None and h == self.door.place:
                total += self.door.price + due(self.leaving, last)
            elif last == self.start and self.starts:
                total = next(spent for spent, hexes, _ in self.starts if hexes >> h & 1) + due(self.entering, h)
            else:
                total += price[grid.direction(last, h)][last] + due(self.leaving, last) + due(self.entering, h)
            out.append(total)
            last = h
        return out

    def again(
        self, *, closed: Mask | None = None, stop: Mask | None = None, dry: Mask | None = None, tolls: bool = True
    ) -> plain.Plain:
        """The same leg with any number of points, some of what is in its way taken away: hex by hex."""
        key = (
            self.closed if closed is None else closed,
            self.stop if stop is None else stop,
            self.chart.dry if dry is None else dry,
            tolls,
        )
        found = self._ways.get(key)
        if found is None:
            found = self._ways[key] = self._plain(UNLIMITED, *key)
        return found

    # How it is worked out

    def survey(self) -> Survey | None:
        """What is known beforehand about the start, if the chart is surveyed and there is no run behind."""
        found = self._survey
        if found is None and self.chart.surveyor is not None and not (self.run or self.chain):
            starts = self.starts or ((0, 1 << self.start, 0),)
            found = self._survey = self.chart.surveyor.survey(self.start, starts, max(self.points, 0))
        return found

    def _search(self) -> Found:
        survey = self.survey()
        if survey is not None:
            wider = self.wider.found if self.wider is not None else None
            if isinstance(wider, Spread):
                met = self.stop
                for _, mask in self.leaving:
                    met |= mask
                begin = 0
                for _, hexes, _ in survey.starts:
                    begin |= hexes
                if not met & self.chart.grid.dilate(wider.hexes | begin):
                    return wider  # it meets none of what is different
            return spread(
                survey,
                self.points,
                self.closed,
                self.stop,
                self.leaving,
                self.entering,
                wider if isinstance(wider, Spread) else None,
            )
        if self.chart.dry or self.starts:
            return self._plain(self.points, self.closed, self.stop, self.chart.dry, True)
        kernel = self.chart.waves or partial(wave, self.chart)
        return kernel(
            self.start,
            self.points,
            self.closed,
            self.stop,
            self.leaving,
            self.entering,
            self.setting_out,
            self.chain,
        )

    def _plain(self, points: int, closed: Mask, stop: Mask, dry: Mask, tolls: bool) -> plain.Plain:
        return plain.search(
            self.chart,
            self.start,
            points,
            closed,
            stop,
            self.leaving if tolls else (),
            self.entering if tolls else (),
            self.setting_out,
            self.starts or ((0, 1 << self.start, self.run),),
            dry,
            self.chain,
        )

    def _way(self, h: Hex) -> Way | None:
        """The cheapest way to a hex, whether or not the leg may end there."""
        survey = self.survey() if not isinstance(self._found, Flooded) else None
        if survey is not None:
            if self._shut < 0:
                shut = self.closed | self.stop
                for _, mask in self.leaving + self.entering:
                    shut |= mask
                self._shut = shut & survey.hexes & ~(1 << self.start)
            away = due(self.leaving, self.start)
            one = way_to(survey, h, self.points - away, self._shut, self.closed, self.stop, self.leaving, self.entering)
            return Way(one[0] + away, one[1]) if one is not None else None
        found = self.found
        cost = found.cost(h)
        return Way(cost, found.path(h)) if 0 <= cost <= self.points else None

    def _comes_to_door(self) -> bool:
        """Whether any way leads off the map."""
        door = self.door
        if door is None:
            return False
        beside, found, left = door.beside, self.found, self.points - door.price
        if beside >> self.start & 1 and due(self.leaving, self.start) <= left:
            return True
        if not beside & found.hexes or left < 0:
            return False
        beside &= ~(self.stop | 1 << self.start)
        for toll, mask in self.leaving:
            if left >= toll and beside & mask and beside & mask & found.within(left - toll):
                return True
            beside &= ~mask
        return bool(beside & found.within(left))

    def _through_door(self) -> Way | None:
        """The cheapest way off the map."""
        door = self.door
        if door is None:
            return None
        best, path = self.points + 1, None
        if door.beside >> self.start & 1:
            best, path = door.price + due(self.leaving, self.start), [door.place]
        for h in hexes_in(self.found.within(self.points) & door.beside & ~(self.stop | 1 << self.start)):
            way = self._way(h)
            if way is not None and way.cost + door.price + due(self.leaving, h) < best:
                best, path = way.cost + door.price + due(self.leaving, h), [*way.path, door.place]
        return Way(best, path) if path is not None and best <= self.points else None
