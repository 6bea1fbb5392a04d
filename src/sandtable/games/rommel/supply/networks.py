"""12.6 Networks: how long supply lines are, which way they run, and the hexes of all lines together.

The network of a side is asked for at the Buildup (12.7j) and by withdrawals (5.3), which go back along a
line and have to make the network smaller. `supply_lines` says which hexes are in supply at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sandtable.engine.hexes import Hex, Mask, mask_of
from sandtable.mechanics.lines import first_with
from sandtable.mechanics.masks import hexes_in
from sandtable.mechanics.memory import remembered

from ..table.board import Board, Sides, units_of
from ..table.ids import COAST
from ..table.state import State
from .supply_lines import (
    Flow,
    Ground,
    Way,
    by_length,
    coast_runs,
    coast_steps,
    cut_off_units,
    flow,
    ground,
    inward,
    onward,
    ways_over,
)

FAR = 999  # longer than any line


Hop = tuple[Hex, Mask]
"""The next anchor, and the hexes between, of all ways that lead there."""


class Network:
    """12.6 The supply lines of a side from one source.

    The length of a line is the number of hexes from the source. `back` and `distance` work out what they
    are asked for, hex by hex; `toward` and `length` give the whole map at once and cost more.
    """

    __slots__ = (
        "_back",
        "_battle",
        "_board",
        "_ends",
        "_flow",
        "_ground",
        "_growing",
        "_held",
        "_inward",
        "_lines",
        "_odd",
        "_runs",
        "_steps",
        "_within",
        "source",
    )

    def __init__(self, board: Board, source: Hex, g: Ground, ends: Mask) -> None:
        self.source = source
        self._board = board
        self._inward = inward(board)
        self._ground = g
        self._battle = g.attacked | g.defended
        self._odd = g.blocked | self._battle  # elsewhere terrain alone decides where supply goes
        self._flow = flow(board, source, g)
        self._ends = ends & self._flow.supplied
        self._runs: list[Mask] = [0]  # [n]: the anchors whose shortest line is shorter than n
        self._within: list[Mask] = [0]  # [n]: the hexes from which a unit's shortest line is shorter than n
        # makes both longer, as far as they are asked for
        self._growing = _measure(board, source, self._flow, g.links, self._runs, self._within)
        self._back: dict[Hex, tuple[tuple[int, Hex], ...]] = {}
        self._steps: dict[tuple[Hex, int], Sides] = {}
        self._lines = -1
        self._held = 0  # those hexes of all lines that are anchors

    @property
    def supplied(self) -> Mask:
        """The hexes in which a unit is in supply from this source."""
        return self._flow.supplied

    @property
    def ends(self) -> Mask:
        """The hexes in supply with units that draw on this source: each is in a line, its own."""
        return self._ends

    @property
    def anchors(self) -> Mask:
        """12.4b The hexes that hold lines up: the source, coast road in supply, links."""
        return self._flow.anchors

    # lengths and directions

    def distance(self, h: Hex) -> int:
        """The length of the shortest line of a unit in this hex; FAR if it has none."""
        if h == self.source:
            return 0
        if not self._flow.supplied >> h & 1:
            return FAR
        while not self._within[-1] >> h & 1 and next(self._growing, False):
            pass
        return first_with(self._within, h) - 1

    def back(self, h: Hex) -> tuple[tuple[int, Hex], ...]:
        """5.3e The steps (direction, hex) by which a unit in this hex goes back along one of its lines and
        shortens it."""
        known = self._back.get(h)
        if known is None:
            known = self._back[h] = tuple(self._steps_from(h))
        return known

    def can_go_back(self, h: Hex, into: Mask) -> bool:
        """Whether one such step leads into some of these hexes."""
        known = self._back.get(h)
        if known is not None:
            return any(into >> n & 1 for _, n in known)
        return next(self._steps_from(h, into), None) is not None

    def _steps_from(self, h: Hex, into: Mask = -1) -> Iterator[tuple[int, Hex]]:
        """Such steps one by one, if they lead into some of these hexes."""
        here = self.distance(h)
        if here in (0, FAR):
            return
        runs, nearer = self._runs[here], self._within[here] & into
        ground, _, by_side, sided, _ = self._inward[h]
        for d, n in self._board.steps[h]:
            if nearer >> n & 1:
                if ground & self._odd:
                    if any(runs >> way.anchor & 1 and self._is_open(way, h) for way in sided[d]):
                        yield d, n
                elif by_side[d] & runs:
                    yield d, n

    def _is_open(self, way: Way, h: Hex) -> bool:
        """Whether enemies and battles leave this way into a hex in supply open."""
        if way.hexes & self._ground.blocked:
            return False
        if not (way.hexes | 1 << h) & self._battle:
            return True
        out = self._flow.open.out
        return all(out[d] >> x & 1 for x, d in way.steps)

    def steps_back(self, start: Hex, farthest: int, nearer: Sides) -> Sides:
        """5.3e, 5.3g By direction, the hexes from which a unit that withdraws from `start` may step so, as far
        as it can get; `nearer` holds the steps that do not lead away from the source."""
        key = (start, farthest)
        known = self._steps.get(key)
        if known is None:
            sides = [0] * 6
            front, seen = [start], 1 << start
            for _ in range(farthest):
                onward = []
                for h in front:
                    for d, n in self.back(h):
                        if nearer[d] >> h & 1:
                            sides[d] |= 1 << h
                            if not seen >> n & 1:
                                seen |= 1 << n
                                onward.append(n)
                front = onward
            known = self._steps[key] = tuple(sides)
        return known

    @property
    def length(self) -> dict[Hex, int]:
        """The length of the shortest line from each hex in supply."""
        return {h: self.distance(h) for h in hexes_in(self.supplied)}

    @property
    def toward(self) -> Sides:
        """5.3e By direction, the hexes from which such a step goes back along a line and shortens it."""
        sides = [0] * 6
        for h in hexes_in(self.supplied):
            for d, _ in self.back(h):
                sides[d] |= 1 << h
        return tuple(sides)

    def _ways(self, h: Hex, anchors: Mask) -> list[Way]:
        """The ways by which supply comes into a hex from some anchors, as things stand."""
        ground, sources, _, _, ways = self._inward[h]
        near = hexes_in(sources & anchors)
        if not ground & self._odd:
            return [way for a in near for way in ways[a]]
        if not ground & self._battle:
            blocked = self._ground.blocked
            return [way for a in near for way in ways[a] if not way.hexes & blocked]
        return [way for a in near for way in ways[a] if self._is_open(way, h)]

    def _hops_into(self, h: Hex, anchors: Mask, end: bool = False) -> Sequence[Hop]:
        """The ways into a hex from these anchors; with `end` into a hex that hands no supply on.

        12.4a: between two stretches of coast road there must be a unit. A way on which supply could halt
        at another anchor, or along the coast road, is more than one hop and not counted here.
        """
        ground, links, halts = self._inward[h].ground, self._ground.links, self.anchors
        if ground & self._battle:
            return _hops(self._board, h, self._ways(h, anchors), links, halts, end)
        blocked = self._ground.blocked
        return _quiet_hops(self._board, h, end, anchors & ground, blocked & ground, links & ground, halts & ground)

    # the network

    @property
    def lines(self) -> Mask:
        """12.6a All hexes of all lines of the units that draw on this source.

        A line visits no hex twice, so a stretch of road that leads nowhere is in no line: the hexes sought
        are those on some simple way from a unit to the source.
        """
        if self._lines < 0:
            self._lines = self._find_lines() if self._ends else 0
        return self._lines

    def _find_lines(self) -> Mask:
        """Join all units in one point beyond the map; wanted is the part of the net that no single anchor
        cuts off from a ring through that point and the source (its biconnected part)."""
        beyond = -1
        anchors = self.anchors | 1 << self.source
        links = self._ground.links & anchors
        spans: list[tuple[Hex, Hex, Mask]] = []  # from one point of the net to another, and the hexes between
        points = links | 1 << self.source
        left = self.anchors
        for a in hexes_in(links):  # between a link and any anchor in range of it, each pair once
            left ^= 1 << a
            for n, between in self._hops_into(a, left):
                points |= 1 << n
                spans.append((a, n, between))
        for h in hexes_in(self._ends):  # from the units to the first anchor of their lines
            if anchors >> h & 1:
                points |= 1 << h
                spans.append((beyond, h, 0))
            if not links >> h & 1:
                for n, between in self._hops_into(h, self.anchors, end=True):
                    points |= 1 << n
                    spans.append((beyond, n, between | 1 << h))
        stretches = self._stretches(points)
        net: dict[Hex, list[Hex]] = {a: [] for a in hexes_in(points)}
        net[beyond] = []
        for a, n, _ in (*spans, *stretches):
            net[a].append(n)
            net[n].append(a)
        ring = _ring(net, beyond, self.source)
        lines = held = 0
        for a, n, between in spans:
            if between and a in ring and n in ring:
                lines |= between
        for a, n, between in stretches:
            if a in ring and n in ring:
                held |= between
        ring.discard(beyond)
        self._held = held | mask_of(ring)
        return lines | self._held

    def leaves_out(self, h: Hex) -> bool:
        """Whether an empty hex is surely in no line: no way of any line leads over it, and it is no anchor."""
        if (self.anchors | 1 << self.source) >> h & 1:
            return False
        near = ways_over(self._board)[h]
        links = self._ground.links & self.anchors
        for x in hexes_in(near & links):
            for _, between in self._hops_into(x, self.anchors):
                if between >> h & 1:
                    return False
        for x in hexes_in(near & self._ends & ~links):
            for _, between in self._hops_into(x, self.anchors, end=True):
                if between >> h & 1:
                    return False
        return True

    def keeps(self, old: Network) -> bool:
        """Whether all lines of another net of the same source are surely in lines of this one too.

        What is beside a link follows from who stands around it. Where nothing has changed there, this net has all
        that the other has. Where something has, it is enough that the other's ways lead from one anchor in lines of
        this net to another, over hexes in its lines: they would join parts of the ring that is sought for
        `lines`, and bring nothing new into it.
        """
        now, before = self._ground, old._ground
        if now[1:] != before[1:] or old.anchors & ~self.anchors or old._flow.road & ~self._flow.road:
            return False
        lines, held = self.lines, self._held
        changed = now.links ^ before.links | self.anchors ^ old.anchors
        near = self._inward
        links = before.links & old.anchors
        for x in hexes_in(links):
            if near[x].ground & changed:
                if not held >> x & 1:
                    return False
                for n, between in old._hops_into(x, old.anchors):
                    if not held >> n & 1 or between & ~lines:
                        return False
        for h in hexes_in(old._ends):
            if near[h].ground & changed or not self._ends >> h & 1:
                if (old.anchors | 1 << old.source) >> h & 1 and not held >> h & 1:
                    return False
                if not links >> h & 1:
                    if not lines >> h & 1:
                        return False
                    for n, between in old._hops_into(h, old.anchors, end=True):
                        if not held >> n & 1 or between & ~lines:
                            return False
        return True

    def _stretches(self, points: Mask) -> list[tuple[Hex, Hex, Mask]]:
        """12.3a The coast road in supply from each of these points to the next, and the hexes between."""
        _, _, road, open_ = self._flow
        found = []
        for run in coast_runs(self._board):
            last, between = -1, 0
            for h, d in run:
                bit = 1 << h
                if not road & bit:
                    last = -1
                    continue
                if not points & bit:
                    between |= bit
                else:
                    if last >= 0:
                        found.append((last, h, between))
                    last, between = h, 0
                if not open_.out[d] & bit:
                    last = -1
        return found


def _hops(board: Board, h: Hex, ways: Iterable[Way], links: Mask, halts: Mask, end: bool) -> Sequence[Hop]:
    coast = board.roads[COAST]
    is_link = links >> h & 1
    hops: dict[Hex, Mask] = {}
    for a, length, _, _, hexes, steps in ways:
        from_link = links >> a & 1
        if not (from_link or is_link or end):
            continue
        if length == 1:
            hops.setdefault(a, 0)
            continue
        between = hexes ^ 1 << a
        if between & links:
            continue
        if from_link and (is_link or end):
            if between & halts:
                continue
        else:
            x, d = steps[-1 if from_link else 0]
            if coast[d] >> x & 1:
                continue
        hops[a] = hops.get(a, 0) | between
    return tuple(hops.items())


@remembered(8192)
def _quiet_hops(
    board: Board, h: Hex, end: bool, anchors: Mask, blocked: Mask, links: Mask, halts: Mask
) -> Sequence[Hop]:
    """The same without battles near the hex: what stands around one link changes seldom, and is kept."""
    near = inward(board)[h]
    ways = [way for a in hexes_in(near.anchors & anchors) for way in near.ways[a] if not way.hexes & blocked]
    return _hops(board, h, ways, links, halts, end)


def along_coast(board: Board, flow: Flow, h: Hex) -> list[tuple[int, Hex]]:
    """12.3a The steps along coast road in supply."""
    _, _, road, open_ = flow
    out = open_.out
    return [(d, n) for d, n in coast_steps(board)[h] if out[d] >> h & 1 and road >> n & 1]


def _measure(
    board: Board, source: Hex, flow: Flow, links: Mask, runs: list[Mask], within: list[Mask]
) -> Iterator[bool]:
    """How long the shortest lines are, from the source outward, all lines of one length at a time.

    A line goes from anchor to anchor by the ways of 12.4, one end of each being a link, or by a step
    along the coast road. Where the steps of a way touch anchors in between, it is as long as the ways
    from one of these to the next, so that it does no harm to take it too.
    """
    _, anchors, road, open_ = flow
    disturbed, terrain = open_.near, onward(board)
    left, done, seen = anchors, 0, 0
    now, ends = 1 << source, 0  # anchors, and hexes in which a line may end, at this length
    # what is one, two and three hexes away from links, from coast road, and along the coast road
    link1 = link2 = link3 = road1 = road2 = road3 = coast1 = 0
    while True:
        now &= left
        left ^= now
        done |= now
        seen |= now | ends
        runs.append(done)
        within.append(seen)
        yield True
        while now:
            bit = now & -now
            now ^= bit
            a = bit.bit_length() - 1
            _, first, second, third, coast, _ = terrain[a]
            if disturbed & bit:
                first, second, third = by_length(board, bit, open_.fan)
                coast = mask_of(n for _, n in along_coast(board, flow, a))
            coast1 |= coast
            if links & bit:
                link1 |= first
                link2 |= second
                link3 |= third
            else:
                road1 |= first
                road2 |= second
                road3 |= third
        ends = link1 | road1
        if not (ends or link2 | road2 or link3 | road3):
            return
        now = coast1 & road | link1 & anchors | road1 & links
        link1, link2, link3 = link2, link3, 0
        road1, road2, road3, coast1 = road2, road3, 0, 0


def _ring(net: dict[Hex, list[Hex]], start: Hex, goal: Hex) -> set[Hex]:
    """The points that lie on a simple way from start to goal: the block of the joined edge start-goal.

    Tarjan's search from the start; a branch that comes back to its root only through that root is no part.
    """
    trail = [start]
    _visit(start, 1, net, {goal: 0, start: 1}, trail)
    return {goal, *trail}


def _visit(here: Hex, number: int, net: dict[Hex, list[Hex]], order: dict[Hex, int], trail: list[Hex]) -> int:
    """The earliest point that the branches from here come back to."""
    low = number
    for n in net[here]:
        seen = order.get(n)
        if seen is None:
            mark = len(trail)
            trail.append(n)
            order[n] = new = len(order)
            seen = _visit(n, new, net, order, trail)
            if seen >= number:
                del trail[mark:]
        if seen < low:
            low = seen
    return low


@remembered(256)
def _network(board: Board, source: Hex, g: Ground, ends: Mask) -> Network:
    return Network(board, source, g, ends)


def network(s: State, side: int, source: Hex | None = None) -> Network:
    """12.6a The lines of a side from its base, or from a fortress for the units assigned to it (13.3)."""
    board = s.board
    own = board.of_side[side]
    ends = s.occ[side]
    bound = s.fort_supply & own
    if source is None:
        source = board.base[side]
        barred = bound | cut_off_units(s, side)  # 13.3i, 12.5f
        for u in units_of(barred):
            h = s.at[u]
            if h >= 0 and not s.here[h] & own & ~barred:
                ends &= ~(1 << h)
    else:  # 13.3k
        drawing = s.assigned[board.fortresses.index(source)] & bound
        ends = mask_of(s.at[u] for u in units_of(drawing) if s.at[u] >= 0)
    return _network(board, source, ground(s, side), ends)
