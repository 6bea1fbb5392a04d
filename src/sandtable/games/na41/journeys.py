"""5 Where one stack can go, place by place, without a search for all of them at once.

Who wants any one destination, or one that he knows, need not know the others. Points alone, with nobody in the way,
lead to a set of places that the surveys know by heart; enemies make it smaller, never larger. For one of them a
cheapest way is walked back to the start, and if it meets nobody it is the way (`Survey.back`). If somebody is in the
way, one around him is searched for (detours.py). Only if place after place proves out of reach is everything searched
(routes.py).
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask

from .board import Board
from .chart import MECH, VEHICLE
from .detours import Detour
from .ids import EXTENDED, NORMAL, ROAD_BONUS, TACTICAL
from .routes import UNMOVED, Reach, Tables, Terms, home_box, hop, spread, starts_from, tables_of
from .surveys import Survey
from .treks import Hop, Tolls, due

Trip = tuple[int, int, list[Hex]]
"""Mode (-1: it cannot be made), what is spent (sixths), and the places entered."""

NOT_AT_ALL: Trip = (-1, -1, [])

FEW = 4  # after so many places out of reach it is better to search for all that are not


class Journey:
    """Where one stack can go from its place, in which mode, for how much, and how. It looks at no state: it stays
    true while the game goes on."""

    __slots__ = (
        "_away",
        "_box",
        "_hop",
        "_least",
        "_most",
        "_on_roads",
        "_reach",
        "_refused",
        "_roads",
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
        self._refused = 0  # places that proved out of reach
        self._roads: list[tuple[Survey, int]] = []  # 5.2.2 highways and all roads, and how far they lead
        self._hop: Hop | None = None
        self._look()

    # What there is to choose from

    def _look(self) -> None:
        """Find the places that could come in question."""
        board, terms = self.board, self.terms
        spot, closed, _, full, _, _, bound = terms
        _, h, _, _, run, mode, _, slow, _, _, _, _ = spot
        if bound:
            return
        if run:  # 5.5b surveys begin without desert behind
            self._know()
            return
        t = tables_of(board)
        self._hop = near_by = hop(board, t, spot, closed, full)
        if near_by is not None:
            self.tactical = near_by.within(2) & ~(1 << h)
        if not slow and mode != TACTICAL:
            self._look_far(t)

    def _look_far(self, t: Tables) -> None:
        """Find the places that points could lead to: with nobody in the way but in the places themselves."""
        board, terms = self.board, self.terms
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
            found = survey.by[self._most] & ~zoned  # 5.3b, A16
        if self._least >= 0:
            found |= survey.by[self._least]
        shut = closed | zoned | full
        for _, mask in tolls:
            shut |= mask
        self._shut = shut & ~here
        roads = 0
        if alone and spent == UNMOVED and not near & here and t.roads.rates.exits[h]:  # 5.2.2
            for by, more in ((t.highways, t.highway), (t.roads, t.track)):
                if by.rates.exits[h] and points + more >= away:
                    network = by.survey(h, starts, points + more)
                    self._roads.append((network, points + more - away))
                    roads |= network.by[points + more - away]
            roads &= ~(full | near)
        self._on_roads = roads
        found |= roads
        self._box, out = home_box(board, terms.spot)
        if out & (found | here):  # 6.3.3a
            found |= 1 << self._box
        self.by_points = found & ~(closed | here)

    # Answers

    def reach(self) -> Reach:
        """All of it."""
        found = self._reach
        if found is None:
            found = self._reach = spread(self.board, self.terms)
        return found

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
        if self._reach is None and h != self._box and self._refused < FEW:
            return self._trip_by_points(h)
        reach = self._know()
        for mode in (NORMAL, EXTENDED, ROAD_BONUS):
            if reach.masks[mode] >> h & 1:
                return mode, *reach.way(h, mode)
        return NOT_AT_ALL

    def _trip_by_points(self, h: Hex) -> Trip:
        """The same for one hex by itself."""
        _, closed, zoned, full, _, tolls, _ = self.terms
        survey, away, least, most = self._survey, self._away, self._least, self._most
        if zoned >> h & 1:
            most = -1  # 5.3b
        if survey.hexes >> h & 1:
            free = None if tolls and due(tolls, h) else survey.back(h, self._shut)
            if free is not None:
                cost, path = free
                if cost <= least:
                    return NORMAL, cost + away, path
                if cost <= most:
                    return EXTENDED, cost + away, path
            else:
                if least >= 0 and survey.by[least] >> h & 1:
                    found = Detour(survey, h, least, closed, full, self._leaving, tolls)
                    if found.cost >= 0:
                        return NORMAL, found.cost + away, found.path
                if most >= 0 and survey.by[most] >> h & 1:
                    found = Detour(survey, h, most, closed | zoned, full, (), tolls)
                    if found.cost >= 0:
                        return EXTENDED, found.cost + away, found.path
        if self._on_roads >> h & 1:
            roads = [Detour(by, h, points, closed | full, 0, self._leaving, tolls) for by, points in self._roads]
            best = min((road for road in roads if road.cost >= 0), key=lambda road: road.cost, default=None)
            if best is not None:
                return ROAD_BONUS, best.cost + away, best.path
        self._refused += 1
        return NOT_AT_ALL

    @property
    def _leaving(self) -> Tolls:
        """7.3c what it costs to leave hexes on the way; a full EZOC nobody leaves (7.2a)."""
        limited = self.terms.zoned & ~self.terms.full
        return ((tables_of(self.board).limited_toll, limited),) if limited else ()

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
            if self.trip((self.by_points & -self.by_points).bit_length() - 1)[0] >= 0:
                return True
            self._know()
        return False
