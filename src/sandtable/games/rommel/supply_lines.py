"""12.2 to 12.6 Supply lines: which hexes are in supply, by which lines, and the network of all lines.

A line runs from the source along the coast road, as far as that is open, and from there from link to link:
each link is a hex with undisrupted units of the side, no farther than the supply range from the link, the
source or the stretch of coast road before it. Here supply flows outward from the source; a unit's own line
is the same way back.

Everything depends only on who stands where and who owns which battle hexside, so the results are kept for
positions seen lately: the same question is asked several times in a turn.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask, hexes_of, mask_of, opposite

from .board import NO_SIDES, Board, Sides, units_of
from .ids import COAST, NO_ROAD
from .state import State, owns_side

FAR = 999  # longer than any line


class Ground(NamedTuple):
    """What a side's supply lines meet on the map: all that their course depends on."""

    links: Mask  # 12.4a hexes whose units hand supply on
    blocked: Mask  # 12.2i enemy hexes
    attacked: Mask  # 12.5d battle hexes of which the side is the Attacker
    defended: Mask  # 12.2h battle hexes of which it is the Defender
    att_side: Sides  # 8.1 the battle hexsides that are the Attacker's


def is_cut_off(s: State, u: int) -> bool:
    """12.5f A raider whose way in is still an enemy hexside shares nothing with the friends in its hex."""
    return bool(s.raiders >> u & 1) and not owns_side(s, s.at[u], s.via[u], s.board.side[u])


def cut_off_units(s: State, side: int) -> int:
    """12.5f The raiders of a side that are cut off, as a unit mask."""
    raiders = s.raiders & s.board.of_side[side]
    return sum(1 << u for u in units_of(raiders) if is_cut_off(s, u)) if raiders else 0


def ground(s: State, side: int) -> Ground:
    """12.2g to 12.2i, 12.4h, 12.4i How the map lies for the lines of a side."""
    own = s.occ[side]
    battle = own & s.occ[1 - side]
    links = s.firm[side]  # 12.4i disrupted units are no links
    # 11.1f, A14, 13.1c: only an undisrupted enemy blocks
    blocked = s.firm[1 - side] & ~own
    if not battle:
        return Ground(links, blocked, 0, 0, NO_SIDES)
    defended = battle & s.defends[side]
    attacked = battle ^ defended
    links &= ~attacked  # A13: an Attacker's unit is only the end of a line
    raiders = s.raiders & s.board.of_side[side]
    if raiders:
        lost = cut_off_units(s, side)
        for u in units_of(lost):
            if not s.here[s.at[u]] & s.board.of_side[side] & ~(lost | s.disrupted):
                links &= ~(1 << s.at[u])
    return Ground(links, blocked, attacked, defended, tuple(s.att_side))


def exits(board: Board, g: Ground) -> Sides:
    """The steps that supply may take: [d] holds the hexes which it may leave in direction d.

    12.2h, A12: a battle hex is passed by its Defender only, and both hexsides used must be his.
    12.5a: any battle hex is entered through a friendly hexside only.
    """
    shift = board.grid.shift
    through = ~(g.blocked | g.attacked)
    steps = []
    for d in range(6):
        lost = g.att_side[d] & g.defended
        across = opposite(d)
        shut = g.blocked | g.att_side[across] & g.defended | g.attacked & ~g.att_side[across]
        n = shift[d]
        steps.append(board.open[d] & through & ~(lost | (shut >> n if n > 0 else shut << -n)))
    return tuple(steps)


def step(front: Mask, out: Sides, near: int) -> Mask:
    """The hexes one open step away from these; `near` is the grid's stride less one."""
    e, ne, nw, w, sw, se = out
    return (
        (front & e) << 1
        | (front & w) >> 1
        | (front & sw | (front & se) << 1) << near
        | (front & ne | (front & nw) >> 1) >> near
    )


@lru_cache(maxsize=1024)
def stretches(board: Board, road: Sides) -> tuple[Mask, ...]:
    """12.3a The unbroken stretches of coast road of two hexes or more, the open steps along it given."""
    near = board.grid.stride - 1
    passable = 0  # without the battle hexes of an Attacker: the road leads into them, but nowhere out
    for mask in road:
        passable |= mask
    left = passable
    found = []
    while left:
        stretch = front = left & -left
        while front:
            front = step(front, road, near) & passable & ~stretch
            stretch |= front
        left &= ~stretch
        found.append(stretch)
    return tuple(found)


class Flow(NamedTuple):
    """How far supply reaches from a source."""

    supplied: Mask  # hexes in which a unit is in supply
    anchors: Mask  # hexes from which a line may go on: the source, links, coast road in supply
    road: Mask  # those of them that are coast road in supply (or the source)
    out: Sides  # the steps that supply may take at all


@lru_cache(maxsize=4096)
def flow(board: Board, source: Hex, g: Ground) -> Flow:
    """12.2e, 12.3, 12.4 Let supply flow from a source along the coast road and from link to link."""
    out = exits(board, g)
    start = 1 << source
    if start & g.blocked:
        return Flow(0, 0, 0, out)
    if start & g.attacked:
        return Flow(start, 0, 0, out)
    links = g.links
    coast_hexes = board.coast_hexes & ~(g.blocked | g.attacked)
    any_road, good_road, coast_road = board.any_road, board.track_or_better, board.roads[COAST]
    trail = tuple([any_road[d] & m for d, m in enumerate(out)])
    track = tuple([good_road[d] & m for d, m in enumerate(out)])
    coast = stretches(board, tuple([coast_road[d] & m for d, m in enumerate(out)]))
    near = board.grid.stride - 1

    supplied = new_road = start
    road = chain = 0
    while True:
        if new_road:  # 12.3a any stretch of coast road, however long
            for stretch in coast:
                if stretch & new_road:
                    new_road |= stretch
            new_road &= ~road
            road |= new_road
            supplied |= new_road | _within_range(new_road, out, trail, track, near)
        new_links = supplied & links & ~chain
        if not new_links:
            return Flow(supplied, road | chain, road, out)
        chain |= new_links
        reached = _within_range(new_links, out, trail, track, near)
        supplied |= reached
        # 12.3b: only a unit joins another stretch of coast road to the line
        new_road = (reached | new_links) & coast_hexes & ~road


def _within_range(front: Mask, out: Sides, trail: Sides, track: Sides, near: int) -> Mask:
    """12.4c to 12.4f The hexes within supply range: one hex anywhere, two by any road, three by track or
    better. A stretch of mixed roads has the shortest of their ranges."""
    reached = step(front, out, near)
    by_trail = step(front, trail, near)
    if by_trail:
        reached |= step(by_trail, trail, near)
        by_track = step(front, track, near)
        if by_track:
            reached |= step(step(by_track, track, near), track, near)
    return reached


def trace(s: State, side: int, source: Hex | None = None) -> Mask:
    """12.0b, 12.1a The hexes in which a unit of this side is in supply from its base, or from that fortress.

    Raiders cut off in their battle hex (12.5f) are not, whatever this says of the hex: see `is_cut_off`.
    """
    board = s.board
    return flow(board, board.base[side] if source is None else source, ground(s, side)).supplied


# 12.6 Networks ------------------------------------------------------------------------------------


class Way(NamedTuple):
    """One way by which supply may come into a hex from an anchor within range."""

    anchor: Hex
    length: int
    d: int  # from the hex supplied, the side by which the way comes in
    last: Hex  # the hex on the other side of it
    hexes: Mask  # all hexes of the way but the one supplied
    steps: tuple[tuple[Hex, int], ...]  # the steps of supply along it: (hex, direction)


@lru_cache(maxsize=8)
def ways_into(board: Board) -> tuple[tuple[Way, ...], ...]:
    """12.4c to 12.4f By hex, every way into it that terrain and roads allow."""
    return tuple(tuple(_ways(board, h)) for h in range(board.size))


def _ways(board: Board, h: Hex) -> list[Way]:
    """The ways into one hex, found by walking from it against the flow of supply."""
    # along the coast road alone 12.3a has no limit; in a mixture with others theirs is the shorter
    reach = (max(board.supply_range), *board.supply_range[1:])
    found: list[Way] = []

    def walk(path: tuple[Hex, ...], steps: tuple[tuple[Hex, int], ...], grade: int) -> None:
        here, length = path[-1], len(path)
        for d, n in board.steps[here]:
            worst = max(grade, _grade(board, here, d))
            if n in path or length > reach[worst]:
                continue
            further = ((n, opposite(d)), *steps)
            if length == 1 or worst != COAST:  # 12.3a sees to the coast road itself
                inside = mask_of(path[1:]) | 1 << n
                last, back = further[-1]
                found.append(Way(n, length, opposite(back), last, inside, further))
            walk((*path, n), further, worst)

    walk((h,), (), COAST)
    return found


def _grade(board: Board, h: Hex, d: int) -> int:
    """The best road that leaves a hex in this direction."""
    return next((grade for grade, road in enumerate(board.roads) if road[d] >> h & 1), NO_ROAD)


@lru_cache(maxsize=8)
def coast_steps(board: Board) -> tuple[tuple[tuple[int, Hex], ...], ...]:
    """12.3a By hex, the steps (direction, hex) along the coast road."""
    coast = board.roads[COAST]
    return tuple(tuple((d, n) for d, n in board.steps[h] if coast[d] >> h & 1) for h in range(board.size))


Hop = tuple[Hex, Mask]
"""The next anchor, and the hexes between."""


class Network:
    """12.6 The supply lines of a side from one source.

    The length of a line is the number of hexes from the source. `back` and `distance` work out what they
    are asked for, hex by hex; `toward` and `length` give the whole map at once and cost more.
    """

    __slots__ = (
        "_back",
        "_board",
        "_distance",
        "_ends",
        "_flow",
        "_ground",
        "_hops",
        "_lines",
        "_run",
        "_steps",
        "source",
    )

    def __init__(self, board: Board, source: Hex, g: Ground, ends: Mask) -> None:
        self.source = source
        self._board = board
        self._ground = g
        self._flow = flow(board, source, g)
        self._ends = ends & self._flow.supplied
        self._distance: dict[Hex, int] = {}
        self._back: dict[Hex, tuple[tuple[int, Hex], ...]] = {}
        self._hops: dict[Hex, list[Hop]] = {}
        self._run: dict[Hex, int] = {}
        self._steps: dict[tuple[Hex, int], Sides] = {}
        self._lines = -1

    @property
    def supplied(self) -> Mask:
        """The hexes in which a unit is in supply from this source."""
        return self._flow.supplied

    @property
    def anchors(self) -> Mask:
        """12.4b The hexes that hold lines up: the source, coast road in supply, links."""
        return self._flow.anchors

    # lengths and directions

    def distance(self, h: Hex) -> int:
        """The length of the shortest line of a unit in this hex; FAR if it has none."""
        known = self._distance.get(h)
        if known is None:
            run = self._anchor_runs()
            known = 0 if h == self.source else run.get(h, FAR)
            if not self._ground.links >> h & 1 and known:
                known = min([known, *(run[way.anchor] + way.length for way in self._ways(h))])
            self._distance[h] = known
        return known

    def back(self, h: Hex) -> tuple[tuple[int, Hex], ...]:
        """5.3e The steps (direction, hex) by which a unit in this hex goes back along one of its lines and
        shortens it."""
        known = self._back.get(h)
        if known is None:
            run, here = self._anchor_runs(), self.distance(h)
            steps = {
                (way.d, way.last) for way in self._ways(h) if run[way.anchor] < here and self.distance(way.last) < here
            }
            if self._flow.road >> h & 1:
                steps |= {(d, n) for d, n in self._along_coast(h) if run[n] < run[h] and self.distance(n) < here}
            known = self._back[h] = tuple(sorted(steps))
        return known

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
        return {h: self.distance(h) for h in hexes_of(self.supplied)}

    @property
    def toward(self) -> Sides:
        """5.3e By direction, the hexes from which such a step goes back along a line and shortens it."""
        sides = [0] * 6
        for h in hexes_of(self.supplied):
            for d, _ in self.back(h):
                sides[d] |= 1 << h
        return tuple(sides)

    def _ways(self, h: Hex) -> list[Way]:
        """The ways by which supply comes into a hex from an anchor, as things stand."""
        _, anchors, _, out = self._flow
        g = self._ground
        odd = g.blocked | g.attacked | g.defended  # elsewhere terrain alone decides
        clear = not odd >> h & 1
        return [
            way
            for way in ways_into(self._board)[h]
            if anchors >> way.anchor & 1
            and ((clear and not way.hexes & odd) or all(out[d] >> x & 1 for x, d in way.steps))
        ]

    def _hops_into(self, h: Hex, end: bool = False) -> list[Hop]:
        """The ways into a hex from other anchors; with `end` into a hex that hands no supply on.

        12.4a: between two stretches of coast road there must be a unit. A way on which supply could halt
        at another anchor, or along the coast road, is more than one hop and not counted here.
        """
        links, anchors = self._ground.links, self.anchors
        coast = self._board.roads[COAST]
        is_link = links >> h & 1
        hops: list[Hop] = []
        for way in self._ways(h):
            a = way.anchor
            from_link = links >> a & 1
            between = way.hexes & ~(1 << a)
            if not (from_link or is_link or end) or between & links:
                continue
            if between:
                if from_link and (is_link or end):
                    if between & anchors:
                        continue
                else:
                    x, d = way.steps[-1 if from_link else 0]
                    if coast[d] >> x & 1:
                        continue
            hops.append((a, between))
        return hops

    def _along_coast(self, h: Hex) -> list[tuple[int, Hex]]:
        """12.3a The steps along coast road in supply."""
        _, _, road, out = self._flow
        return [(d, n) for d, n in coast_steps(self._board)[h] if out[d] >> h & 1 and road >> n & 1]

    def _lay_hops(self) -> None:
        """All hops between anchors, noted at both ends: from hex to hex along the coast road, and between a
        link and any anchor in range of it."""
        links = self._ground.links & self.anchors
        hops = self._hops
        for a in hexes_of(self.anchors):
            hops[a] = [(n, 0) for _, n in self._along_coast(a)] if self._flow.road >> a & 1 else []
        for a in hexes_of(links):
            found = self._hops_into(a)
            hops[a] += found
            for n, between in found:
                if not links >> n & 1:
                    hops[n].append((a, between))

    def _anchor_runs(self) -> dict[Hex, int]:
        """The shortest line to every anchor."""
        run = self._run
        if run or not self.anchors:
            return run
        self._lay_hops()
        waiting: list[list[Hex]] = [[self.source]]
        for length, batch in enumerate(waiting):
            for a in batch:
                if a in run:
                    continue
                run[a] = length
                for n, between in self._hops[a]:
                    if n not in run:
                        after = length + 1 + between.bit_count()
                        while len(waiting) <= after:
                            waiting.append([])
                        waiting[after].append(n)
        return run

    # the network

    @property
    def lines(self) -> Mask:
        """12.6a All hexes of all lines of the units that draw on this source.

        A line visits no hex twice, so a stretch of road that leads nowhere is in no line: the hexes sought
        are those on some simple way from a unit to the source.
        """
        if self._lines < 0:
            self._anchor_runs()
            self._lines = self._find_lines() if self._ends else 0
        return self._lines

    def _find_lines(self) -> Mask:
        """Join all units in one point beyond the map; wanted is the part of the net that no single anchor
        cuts off from a ring through that point and the source (its biconnected part)."""
        beyond = -1
        links, anchors = self._ground.links, self.anchors
        first: list[Hop] = []  # from the units to the first anchor of their lines
        for h in hexes_of(self._ends):
            if (anchors | 1 << self.source) >> h & 1:
                first.append((h, 0))
            if not links >> h & 1:
                first += [(a, between | 1 << h) for a, between in self._hops_into(h, end=True)]
        net = {self.source: [], **self._hops, beyond: first}
        for h, between in first:
            net[h] = [*net[h], (beyond, between)]
        ring = _ring(net, beyond, self.source)
        lines = mask_of(h for h in ring if h != beyond)
        for a in ring:
            for n, between in net[a]:
                if n in ring:
                    lines |= between
        return lines


def _ring(hops: dict[Hex, list[Hop]], start: Hex, goal: Hex) -> set[Hex]:
    """The points that lie on a simple way from start to goal: the block of the joined edge start-goal.

    Tarjan's search from the start; a branch that comes back to its root only through that root is no part.
    """
    order = {goal: 0, start: 1}
    low = {start: 0}
    trail = [start]
    path = [(start, iter(hops[start]))]
    while path:
        here, onward = path[-1]
        for n, _ in onward:
            if n in order:
                low[here] = min(low[here], order[n])
            else:
                order[n] = low[n] = len(order)
                trail.append(n)
                path.append((n, iter(hops[n])))
                break
        else:
            path.pop()
            if path:
                parent = path[-1][0]
                low[parent] = min(low[parent], low[here])
                if low[here] >= order[parent]:
                    del trail[trail.index(here) :]
    return {goal, *trail}


@lru_cache(maxsize=256)
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
