"""5 Where one stack can go, place by place, without a search for all of them at once.

Who wants any one destination, or one that he knows, need not know the others. Points alone, with nobody in the way,
lead to a set of places that the surveys know by heart; enemies make it smaller, never larger. For one of them a
cheapest way is walked back to the start, and if it meets nobody it is the way (`Survey.back`). If somebody is in the
way, one around him is searched for (detours.py). Only if place after place proves out of reach is everything searched
(routes.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.hexes import Hex, Mask, hexes_of

from ..table.board import Board
from ..table.ids import EXTENDED, NORMAL, ROAD_BONUS, TACTICAL
from .chart import MECH, VEHICLE
from .detours import Detour
from .legs import UNMOVED, Reach, Terms, home_box, hop, spread, starts_from, tables_of
from .surveys import Survey
from .treks import Hop, Tolls, due

Candidates = tuple[Sequence[Hex], Sequence[Hex], int, Mask]
"""Places to hop to; hexes that points may lead to and how many of them count, and others of these."""

Trip = tuple[int, int, list[Hex]]
"""Mode (-1: it cannot be made), what is spent (sixths), and the places entered."""

NOT_AT_ALL: Trip = (-1, -1, [])

FEW = 4  # after so many places out of reach it is better to search for all that are not


class Journey:
    """Where one stack can go from its place, in which mode, for how much, and how. It looks at no state: it stays
    true while the game goes on."""

    __slots__ = (
        "_aimed",
        "_away",
        "_by_points",
        "_hop",
        "_hopped",
        "_least",
        "_most",
        "_on_roads",
        "_reach",
        "_refused",
        "_roads",
        "_shut",
        "_survey",
        "_tables",
        "_tactical",
        "_trips",
        "board",
        "terms",
    )

    _away: int
    _least: int
    _most: int
    _roads: list[tuple[Survey, int]]
    _shut: Mask
    _survey: Survey

    def __init__(self, board: Board, terms: Terms) -> None:
        self.board = board
        self.terms = terms
        self._tables = tables_of(board)
        self._trips: dict[Hex, Trip] = {}
        self._reach: Reach | None = None
        self._refused = 0  # places that proved out of reach
        self._aimed = False  # whether what every trip needs is there (`_aim`)
        self._hop: Hop | None = None
        self._hopped: list[Hex] = []  # the last way that tactical movement was asked for
        self._tactical: Mask = -1  # not yet looked for, as those below
        self._by_points: Mask = -1
        self._on_roads: Mask = -1

    # What there is to choose from

    @property
    def tactical(self) -> Mask:
        """The destinations of tactical movement."""
        found = self._tactical
        if found < 0:
            found = self._tactical = self._look_near()
        return found

    @property
    def by_points(self) -> Mask:
        """All others, each in one mode; some of these may prove out of reach (`trip`)."""
        found = self._by_points
        if found < 0:
            found = self._by_points = self._look_far()
        return found

    def candidates(self) -> Candidates:
        """What to draw a destination from: all that can be reached, and some that cannot. Away from enemies it is
        easily said; beside them that would be too much."""
        spot, _, zoned, _, _, _, bound = self.terms
        _, h, _, spent, _, _, _, slow, rommel, box, alone, side = spot
        if spent >= 0 or self._refused >= FEW or zoned >> h & 1 or bound:
            return hexes_of(self.tactical), (), 0, self.by_points
        t = self._tables
        near: Sequence[Hex] = () if rommel else t.near_by[side][h]
        if slow:
            return near, (), 0, 0
        if not self._aimed:
            self._aim()
        survey = self._survey
        costs = survey.costs[2]
        most = max(self._least, self._most)
        others = 0
        if alone:
            others = self._look_along_roads()
            if others:
                others &= ~survey.by(most)
        if box:
            home, out = home_box(self.board, spot)
            near_box = out & others != 0
            for entrance in t.entrances[side]:
                near_box = near_box or costs[entrance] <= most
            if near_box:
                others |= 1 << home
        return near, survey.order, survey.counts[most], others

    def _look_near(self) -> Mask:
        """5.4 where tactical movement leads."""
        spot, closed, _, full, _, _, bound = self.terms
        if bound:
            return 0
        if spot[4]:  # 5.5b surveys begin without desert behind
            return self.reach().masks[TACTICAL]
        self._hop = near_by = hop(self.board, self._tables, spot, closed, full)
        return near_by.within(2) & ~(1 << spot[1]) if near_by is not None else 0

    def _look_far(self) -> Mask:
        """Find the places that points could lead to: with nobody in the way but in the places themselves."""
        spot, closed, zoned, _, _, _, bound = self.terms
        if bound or spot[7] or spot[5] == TACTICAL:
            return 0
        if spot[4]:
            return self._known()
        if not self._aimed:
            self._aim()
        survey, here = self._survey, 1 << spot[1]
        found = 0
        if self._most >= 0:
            found = survey.by(self._most) & ~zoned  # 5.3b, A16
        if self._least >= 0:
            found |= survey.by(self._least)
        found |= self._look_along_roads()
        box, out = home_box(self.board, spot)
        if out & (found | here):  # 6.3.3a
            found |= 1 << box
        return found & ~(closed | here)

    def _aim(self) -> None:
        """What is left to spend once the start has been left, in normal and in extended movement, and what is in the
        way of single trips."""
        t = self._tables
        spot, closed, zoned, full, _, tolls, _ = self.terms
        kind, h, points, spent, _, mode, _, _, _, _, _, _ = spot
        here = 1 << h
        left = points - spent if spent > 0 else points
        self._away = 0
        if zoned & here:
            self._away = t.toll if full & here else t.limited_toll  # 7.2c, 7.3c
            left -= self._away
        self._least = left if mode in (-1, NORMAL) else -1
        self._most = -1
        if kind in (MECH, VEHICLE) and mode in (-1, EXTENDED):  # 5.3a, 5.3d
            self._most = left + t.extended
            points += t.extended
        ground = t.kinds[kind].ground
        survey = ground.surveys.get(h)
        if survey is None or survey.points < points:
            survey = ground.survey(h, starts_from(self.board, t, kind, h), points)
        self._survey = survey
        shut = closed | zoned | full
        for _, mask in tolls:
            shut |= mask
        self._shut = shut & survey.hexes & ~here
        self._aimed = True

    def _look_along_roads(self) -> Mask:
        """5.2.2 where the road bonus leads, and how far on highways and on all roads."""
        found = self._on_roads
        if found >= 0:
            return found
        t = self._tables
        spot, _, _, full, near, _, _ = self.terms
        h, points, away = spot[1], spot[2], self._away
        found = 0
        self._roads = []
        if spot[10] and spot[3] == UNMOVED and not near >> h & 1 and t.roads.rates.exits[h]:
            starts = starts_from(self.board, t, spot[0], h)
            for by, more in ((t.highways, t.highway), (t.roads, t.track)):
                if by.rates.exits[h] and points + more >= away:
                    network = by.survey(h, starts, points + more)
                    self._roads.append((network, points + more - away))
                    found |= network.by(points + more - away)
            found &= ~(full | near)
        self._on_roads = found
        return found

    # Answers

    def reach(self) -> Reach:
        """All of it."""
        found = self._reach
        if found is None:
            found = self._reach = spread(self.board, self.terms)
        return found

    def _known(self) -> Mask:
        """The places that points do lead to."""
        masks = self.reach().masks
        return masks[NORMAL] | masks[EXTENDED] | masks[ROAD_BONUS]

    def trip(self, h: Hex) -> Trip:
        """How the stack gets to a place by points: in normal movement if it can, otherwise extended or with the road
        bonus."""
        found = self._trips.get(h)
        if found is None:
            found = self._trips[h] = self._trip(h)
        return found

    def _trip(self, h: Hex) -> Trip:
        spot = self.terms.spot
        if self._reach is None and not spot[4] and self._refused < FEW and not self.board.box_mask >> h & 1:
            if (self.terms.closed | 1 << spot[1]) >> h & 1 or spot[7] or spot[5] == TACTICAL or self.terms.bound:
                return NOT_AT_ALL
            return self._trip_by_points(h)
        reach = self.reach()
        self._by_points = self._known()  # from now on only places that can be reached come in question
        for mode in (NORMAL, EXTENDED, ROAD_BONUS):
            if reach.masks[mode] >> h & 1:
                return mode, *reach.way(h, mode)
        return NOT_AT_ALL

    def _trip_by_points(self, h: Hex) -> Trip:
        """The same for one hex by itself."""
        _, closed, zoned, full, _, tolls, _ = self.terms
        if not self._aimed:
            self._aim()
        survey, away, least, most = self._survey, self._away, self._least, self._most
        if zoned >> h & 1:
            most = -1  # 5.3b
        cost = survey.costs[2][h]
        near_enough = cost <= max(least, most)
        if near_enough:
            free = None if tolls and due(tolls, h) else survey.back(h, self._shut)
            if free is not None:
                path = free[1]
                if cost <= least:
                    return NORMAL, cost + away, path
                if cost <= most:
                    return EXTENDED, cost + away, path
            else:
                if cost <= least:
                    found = Detour(survey, h, least, closed, full, self._leaving, tolls)
                    if found.cost >= 0:
                        return NORMAL, found.cost + away, found.path
                if cost <= most:
                    found = Detour(survey, h, most, closed | zoned, full, (), tolls)
                    if found.cost >= 0:
                        return EXTENDED, found.cost + away, found.path
        if self._look_along_roads() >> h & 1:
            roads = [Detour(by, h, points, closed | full, 0, self._leaving, tolls) for by, points in self._roads]
            best = min((road for road in roads if road.cost >= 0), key=lambda road: road.cost, default=None)
            if best is not None:
                return ROAD_BONUS, best.cost + away, best.path
            near_enough = True
        if near_enough:  # it was searched for
            self._refused += 1
        return NOT_AT_ALL

    @property
    def _leaving(self) -> Tolls:
        """7.3c what it costs to leave hexes on the way; a full EZOC nobody leaves (7.2a)."""
        limited = self.terms.zoned & ~self.terms.full
        return ((self._tables.limited_toll, limited),) if limited else ()

    def hops_to(self, h: Hex) -> bool:
        """5.4a whether tactical movement leads there: asked for one place by itself."""
        if self._tactical >= 0:
            return bool(self._tactical >> h & 1)
        self._hopped = self._hop_to(h)
        return bool(self._hopped)

    def _hop_to(self, h: Hex) -> list[Hex]:
        """The hexes entered on the way to one, none if tactical movement does not lead there."""
        spot, closed, _, full, _, _, bound = self.terms
        kind, start, _, spent, _, _, steps, _, rommel, _, _, _ = spot
        if spent >= 0 or rommel or bound or self.board.box_mask & (1 << start | 1 << h):
            return self.way(h, TACTICAL)[1]
        walk = self._tables.kinds[kind].walk
        if closed >> h & 1 or h == start:
            return []
        first = walk.exits[start]
        if first >> h & 1:
            return [h]
        between = walk.entrances[h] & first & ~(closed | full) if steps > 1 else 0
        return [(between & -between).bit_length() - 1, h] if between else []

    def way(self, h: Hex, mode: int) -> tuple[int, list[Hex]]:
        """What is spent on the way (sixths; in tactical movement hexes) and the places entered; -1 out of reach."""
        if mode == TACTICAL:
            if self._tactical < 0 and self._hopped and self._hopped[-1] == h:
                return len(self._hopped), self._hopped
            if not self.tactical >> h & 1:
                return -1, []
            return (self._hop.cost(h), self._hop.path(h)) if self._hop is not None else self.reach().way(h, mode)
        by, cost, path = self.trip(h)
        return (cost, path) if by == mode else (-1, [])

    def leads_to(self, h: Hex, mode: int) -> bool:
        """Whether the stack can end its move there in this mode."""
        if mode == TACTICAL:
            return bool(self.tactical >> h & 1)
        return self.trip(h)[0] == mode

    def anywhere(self) -> bool:
        """Whether there is any destination."""
        kind, h, _, spent, _, _, _, _, rommel, _, _, _ = self.terms.spot
        hops = spent < 0 and not rommel and not self.terms.bound  # 5.4
        if hops and self._tables.kinds[kind].walk.exits[h] & ~self.terms.closed:
            return True
        if self.tactical:
            return True
        far = self.by_points
        if far and self.trip((far & -far).bit_length() - 1)[0] >= 0:
            return True
        return bool(far) and self.reach().hexes != 0
