"""5 Where one stack can go, place by place, without a search for all of them at once.

Who wants any one destination, or one that he knows, need not know the others. Points alone, with nobody in the way,
lead to a set of places that the surveys know by heart; enemies make it smaller, never larger. For one of them a
cheapest way is walked back to the start, and if it meets nobody it is the way (`Survey.back`). Only if somebody is in
the way is everything searched (routes.py).
"""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine.contract import Action, Choices
from sandtable.engine.hexes import Hex, Mask

from .board import Board
from .ids import EXTENDED, NORMAL, ROAD_BONUS, TACTICAL, V_TO
from .routes import MECH, UNMOVED, VEHICLE, Reach, Terms, home_box, hop, spread, starts_from, tables_of
from .surveys import Survey
from .treks import Hop

Trip = tuple[int, int, list[Hex]]
"""Mode (-1: it cannot be made), what is spent (sixths), and the places entered."""

NOT_AT_ALL: Trip = (-1, -1, [])

_HALVES = tuple((1 << i, (1 << (1 << i)) - 1) for i in range(12, 2, -1))
_NUMBERED = tuple(tuple(i for i in range(8) if byte >> i & 1) for byte in range(256))


def member(m: Mask, number: int) -> Hex:
    """The hex of a set that so many others come before."""
    found = 0
    for width, low in _HALVES:
        part = m & low
        count = part.bit_count()
        if number < count:
            m = part
        else:
            number -= count
            m >>= width
            found += width
    return found + _NUMBERED[m][number]


class Journey:
    """Where one stack can go from its place, in which mode, for how much, and how. It looks at no state: it stays
    true while the game goes on."""

    __slots__ = (
        "_away",
        "_box",
        "_hop",
        "_least",
        "_most",
        "_reach",
        "_shut",
        "_survey",
        "_trips",
        "board",
        "by_points",
        "tactical",
        "terms",
    )

    _survey: Survey

    def __init__(self, board: Board, terms: Terms) -> None:
        self.board = board
        self.terms = terms
        self.tactical: Mask = 0  # the destinations of tactical movement
        self.by_points: Mask = 0  # all others, each in one mode; some of these may prove out of reach (`trip`)
        self._trips: dict[Hex, Trip] = {}
        self._reach: Reach | None = None
        self._hop: Hop | None = None
        self._look()

    # What there is to choose from

    def _look(self) -> None:
        """Find the places that could come in question."""
        board, terms = self.board, self.terms
        spot = terms.spot
        _, h, _, _, run, mode, _, slow, _, _, _, _ = spot
        if terms.bound:
            return
        if run:  # 5.5b surveys begin without desert behind
            self._know()
            return
        self._hop = hop(board, tables_of(board), spot, terms.closed, terms.full)
        if self._hop is not None:
            self.tactical = self._hop.within(2) & ~(1 << h)
        if not slow and mode != TACTICAL:
            self._look_far()

    def _look_far(self) -> None:
        """Find the places that points could lead to: with nobody in the way but in the places themselves."""
        board, terms = self.board, self.terms
        t = tables_of(board)
        kind, h, points, spent, _, mode, _, _, _, _, alone, _ = terms.spot
        _, closed, zoned, full, near, tolls, _ = terms
        here = 1 << h
        starts = starts_from(board, t, kind, h)
        gone = max(spent, 0)
        away = 0  # 7.2c, 7.3c
        if zoned & here:
            away = t.toll if full & here else t.limited_toll
        extended = kind in (MECH, VEHICLE) and mode in (-1, EXTENDED)  # 5.3a, 5.3d
        # what is left to spend once the start has been left, in normal and in extended movement
        self._least = points - gone - away if mode in (-1, NORMAL) else -1
        self._most = points + t.extended - gone - away if extended else -1
        self._away = away
        self._survey = survey = t.kinds[kind].ground.survey(h, starts, points + t.extended if extended else points)
        found = 0
        if self._most >= 0:
            a, b = survey.within(self._most)
            found = (a | b) & ~zoned  # 5.3b, A16
        if self._least >= 0:
            a, b = survey.within(self._least)
            found |= a | b
        shut = closed | zoned | full
        for _, mask in tolls:
            shut |= mask
        self._shut = shut & ~here
        roads = 0
        if alone and spent == UNMOVED and not near & here and t.roads.rates.exits[h]:  # 5.2.2
            a, b = t.roads.survey(h, starts, points + t.track).within(max(points + t.track - away, 0))
            roads = a | b
            if t.highways.rates.exits[h]:
                a, b = t.highways.survey(h, starts, points + t.highway).within(max(points + t.highway - away, 0))
                roads |= a | b
            roads &= ~(full | near)
        home, out = home_box(board, terms.spot)
        self._box = home
        if out & (found | roads | here):  # 6.3.3a
            found |= 1 << home
        self.by_points = (found | roads) & ~(closed | here)

    # Answers

    def reach(self) -> Reach:
        """All of it."""
        found = self._reach
        if found is None:
            found = self._reach = spread(self.board, self.terms)
        return found

    @property
    def searched(self) -> bool:
        """Whether everything has been."""
        return self._reach is not None

    def _know(self) -> Reach:
        """From now on only places that can be reached come in question."""
        found = self.reach()
        self.tactical = found.masks[TACTICAL]
        self.by_points = found.masks[NORMAL] | found.masks[EXTENDED] | found.masks[ROAD_BONUS]
        return found

    def trip(self, h: Hex) -> Trip:
        """How the stack gets to a place by points: in normal movement if it can, otherwise extended or with the road
        bonus."""
        found = self._trips.get(h)
        if found is None:
            found = self._trips[h] = self._trip(h)
        return found

    def _trip(self, h: Hex) -> Trip:
        if not self.by_points >> h & 1:
            return NOT_AT_ALL
        if self._reach is None and h != self._box and not any(mask >> h & 1 for _, mask in self.terms.tolls):
            found = self._survey.back(h, self._shut)
            if found is not None:
                cost, path = found
                if cost <= self._least:
                    return NORMAL, cost + self._away, path
                if cost <= self._most:
                    return EXTENDED, cost + self._away, path
        reach = self._know()
        for mode in (NORMAL, EXTENDED, ROAD_BONUS):
            if reach.masks[mode] >> h & 1:
                return mode, *reach.way(h, mode)
        return NOT_AT_ALL

    def way(self, h: Hex, mode: int) -> tuple[int, list[Hex]]:
        """What is spent on the way (sixths; in tactical movement hexes) and the places entered; -1 out of reach."""
        if mode == TACTICAL:
            if self._hop is None:
                return self.reach().way(h, mode)
            return (self._hop.cost(h), self._hop.path(h)) if self.tactical >> h & 1 else (-1, [])
        by, cost, path = self.trip(h)
        return (cost, path) if by == mode else (-1, [])

    def leads_to(self, h: Hex, mode: int) -> bool:
        """Whether the stack can end its move there in this mode."""
        if mode == TACTICAL:
            return bool(self.tactical >> h & 1)
        return bool(self.by_points >> h & 1) and self.trip(h)[0] == mode

    def anywhere(self) -> bool:
        """Whether there is any destination."""
        if self.tactical:
            return True
        while self.by_points:
            if self.trip(member(self.by_points, 0))[0] >= 0:
                return True
            self._know()
        return False


class Marching(Choices):
    """5.1 What a stack may do next: a few things that are listed, and all its destinations, which are not."""

    __slots__ = ("after", "before", "fixed", "journey")

    def __init__(self, before: list[Action], journey: Journey, after: list[Action]) -> None:
        """What stands in the list before the destinations, and after them."""
        self.before = before
        self.after = after
        self.fixed = before + after
        self.journey = journey

    def listed(self) -> list[Action]:
        journey = self.journey
        return self.before + journey.reach().actions(tables_of(journey.board)) + self.after

    def __contains__(self, action: object) -> bool:
        match action:
            case (verb, int(to), int(mode)) if verb == V_TO:
                return 0 <= to < self.journey.board.size and self.journey.leads_to(to, mode)
            case _:
                return action in self.fixed

    def pick(self, random: Callable[[], float]) -> Action:
        """Any of them: any of those that come in question, again and again until it is one that can be done. Each
        legal action comes in question once, so that all have the same chance."""
        journey, fixed = self.journey, self.fixed
        while True:
            near, far = journey.tactical, journey.by_points
            number = len(fixed)
            hops = near.bit_count()
            at = int(random() * (number + hops + far.bit_count()))
            if at < number:
                return fixed[at]
            at -= number
            if at < hops:
                return (V_TO, member(near, at), TACTICAL)
            to = member(far, at - hops)
            mode = journey.trip(to)[0]
            if mode >= 0:
                return (V_TO, to, mode)
