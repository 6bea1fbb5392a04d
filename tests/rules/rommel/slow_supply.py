"""Supply lines once more, slowly and straight from the words of 12.2 to 12.6, to compare the fast ones with.

Nothing here uses masks of hexes or anything of supply_lines.py: hexes are numbers, links are looked at
one by one, ways are walked step by step.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from sandtable.games.rommel.table.board import Board
from sandtable.games.rommel.table.ids import NO_DIR
from sandtable.games.rommel.table.state import State, disrupt, put

UNLIMITED = 99

Hop = tuple[int, tuple[int, ...]]


class SlowSupply:
    """The lines of one side from one source."""

    def __init__(self, s: State, side: int, source: int) -> None:
        self.s = s
        self.side = side
        self.board = s.board
        self.source = source
        self.land = [h for h in s.board.grid.hexes if s.board.land >> h & 1]
        self._joined: dict[int, list[tuple[int, int]]] = {}
        self._ways: dict[int, list[list[int]]] = {}
        self.link_hexes = [h for h in self.land if self.is_link(h)]
        self.spread()

    # who stands where

    def own(self, h: int) -> list[int]:
        return [u for u, at in enumerate(self.s.at) if at == h and self.board.side[u] == self.side]

    def foes(self, h: int) -> list[int]:
        return [u for u, at in enumerate(self.s.at) if at == h and self.board.side[u] != self.side]

    def firm(self, u: int) -> bool:
        return not self.s.disrupted >> u & 1

    def cut_off(self, u: int) -> bool:
        """12.5f"""
        return bool(self.s.raiders >> u & 1) and not self.friendly_side(self.s.at[u], self.s.via[u])

    def is_battle(self, h: int) -> bool:
        return bool(self.own(h)) and bool(self.foes(h))

    def is_defender(self, h: int) -> bool:
        return bool(self.s.defends[self.side] >> h & 1)

    def friendly_side(self, h: int, d: int) -> bool:
        """8.1, 12.5b"""
        attackers = bool(self.s.att_side[d] >> h & 1)
        return not attackers if self.is_defender(h) else attackers

    def may_enter(self, h: int, d: int) -> bool:
        """12.2g, 12.2i, 12.5a: may a line come into h through its side d?"""
        if self.is_battle(h):
            return self.friendly_side(h, d)
        return self.own(h) != [] or not any(self.firm(u) for u in self.foes(h))

    def may_leave(self, h: int, d: int) -> bool:
        """12.2h, 12.5d: may a line go on from h through its side d?"""
        if self.is_battle(h):
            return self.is_defender(h) and self.friendly_side(h, d)
        return self.own(h) != [] or not any(self.firm(u) for u in self.foes(h))

    def is_link(self, h: int) -> bool:
        """12.4a, 12.4h, 12.4i, A13"""
        if self.is_battle(h) and not self.is_defender(h):
            return False
        return any(self.firm(u) and not self.cut_off(u) for u in self.own(h))

    # ways

    def steps(self, h: int) -> list[tuple[int, int]]:
        """(direction, hex) of the steps by which supply may leave a hex."""
        return [
            (d, n)
            for d, n in self.board.grid.neighbours[h]
            if self.board.open[d] >> h & 1 and self.may_leave(h, d) and self.may_enter(n, (d + 3) % 6)
        ]

    def range_of(self, h: int, d: int) -> int:
        """12.3a, 12.4c to 12.4e the supply range along the road over one hexside."""
        coast, track, trail = self.board.roads
        if coast[d] >> h & 1:
            return UNLIMITED
        return 3 if track[d] >> h & 1 else 2 if trail[d] >> h & 1 else 1

    def ways(self, a: int) -> list[list[int]]:
        """12.4c to 12.4f every way from a hex that is not longer than the shortest range used on it."""
        if a not in self._ways:
            self._ways[a] = self.walk_ways(a)
        return self._ways[a]

    def walk_ways(self, a: int) -> list[list[int]]:
        found: list[list[int]] = []

        def walk(path: list[int], range_: int) -> None:
            for d, n in self.steps(path[-1]):
                shortest = min(range_, self.range_of(path[-1], d))
                if n not in path and len(path) <= shortest and len(path) <= 3:
                    found.append([*path, n])
                    walk([*path, n], shortest)

        walk([a], UNLIMITED)
        return found

    def stretch(self, a: int) -> list[int]:
        """12.3a the coast road that is open from a hex on it."""
        seen = [a]
        for h in seen:
            for d, n in self.steps(h):
                if self.range_of(h, d) == UNLIMITED and n not in seen and self.steps_through(n):
                    seen.append(n)
        return seen

    def steps_through(self, h: int) -> bool:
        """Whether a line may pass a hex at all."""
        return any(self.may_leave(h, d) for d in range(6)) if self.is_battle(h) else True

    def on_coast(self, h: int) -> bool:
        if self.is_battle(h) and not self.is_defender(h):
            return False
        return any(self.board.roads[0][d] >> h & 1 for d in range(6))

    # the closure

    def spread(self) -> None:
        """Join links and stretches of coast road to the source, one after the other, until nothing is new."""
        self.supplied = {self.source}
        self.road: set[int] = set()
        self.chain: set[int] = set()
        if not self.own(self.source) and any(self.firm(u) for u in self.foes(self.source)):
            self.supplied = set()
            return
        if self.is_battle(self.source) and not self.is_defender(self.source):
            return
        self.road = set(self.stretch(self.source))
        self.supplied |= self.road
        while True:
            before = len(self.supplied), len(self.road), len(self.chain)
            for a in self.road | self.chain:
                self.supplied |= {way[-1] for way in self.ways(a)}
            self.chain |= {h for h in self.link_hexes if h in self.supplied}
            for a in self.chain:  # 12.3b
                near = [a, *(way[-1] for way in self.ways(a))]
                for h in near:
                    if self.on_coast(h) and h not in self.road:
                        self.road |= set(self.stretch(h))
            self.supplied |= self.road
            if before == (len(self.supplied), len(self.road), len(self.chain)):
                return

    # lengths

    def joined(self, a: int) -> list[tuple[int, int]]:
        """The anchors that supply goes to from this one in one hop, with the hexes it takes."""
        if a not in self._joined:
            out = [
                (way[-1], len(way) - 1)
                for way in self.ways(a)
                if way[-1] in self.chain or (a in self.chain and way[-1] in self.road)
            ]
            if a in self.road:
                out += [(n, 1) for d, n in self.steps(a) if n in self.road and self.range_of(a, d) == UNLIMITED]
            self._joined[a] = out
        return self._joined[a]

    def runs(self) -> dict[int, int]:
        """The shortest line to each anchor."""
        best = {self.source: 0} if self.road else {}
        changed = True
        while changed:
            changed = False
            for a in list(best):
                for n, length in self.joined(a):
                    if best[a] + length < best.get(n, UNLIMITED * 10):
                        best[n] = best[a] + length
                        changed = True
        return best

    def lengths(self) -> dict[int, int]:
        """The shortest line of a unit in each hex in supply."""
        best = self.runs()
        out = dict(best)
        for a, length in best.items():
            for way in self.ways(a):
                total = length + len(way) - 1
                out[way[-1]] = min(out.get(way[-1], total), total)
        return out | {self.source: 0} if self.supplied else {}

    def steps_back(self) -> dict[int, set[tuple[int, int]]]:
        """5.3e by hex, the steps (direction, hex) that begin one of its lines and shorten it."""
        lengths = self.lengths()
        steps: dict[int, set[tuple[int, int]]] = {h: set() for h in self.supplied}
        for a, run in self.runs().items():
            for way in self.ways(a):
                before, h = way[-2:]
                if run < lengths[h] and lengths[before] < lengths[h]:
                    steps[h].add((self.board.grid.direction(h, before), before))
        return steps

    # lines

    def one_hop(self, way: list[int], end: bool = False) -> bool:
        """Whether a way is not two hops, one to an anchor on it and one from there. `end`: it leads to a unit
        that hands nothing on, but may be supplied from any anchor."""

        def joins(part: list[int]) -> bool:
            if part[0] in self.chain or part[-1] in self.chain or (end and part[-1] == way[-1]):
                return True
            return all(self.range_of(a, self.board.grid.direction(a, b)) == UNLIMITED for a, b in pairwise(part))

        anchors = self.road | self.chain
        return not any(way[i] in anchors and joins(way[: i + 1]) and joins(way[i:]) for i in range(1, len(way) - 1))

    def lines(self, ends: set[int]) -> set[int]:
        """12.6a the hexes on some line from a hex of `ends` to the source that passes no anchor twice."""
        anchors = self.road | self.chain
        hops: dict[int, list[Hop]] = {a: [] for a in anchors}
        for a in anchors:
            for way in self.ways(a):
                n = way[-1]
                if n in anchors and (n in self.chain or a in self.chain) and self.one_hop(way):
                    hops[a].append((n, tuple(way[1:-1])))
            if a in self.road:
                for d, n in self.steps(a):
                    if n in self.road and self.range_of(a, d) == UNLIMITED:
                        hops[a].append((n, ()))
        first: list[Hop] = []
        for e in ends & self.supplied:
            if e in anchors or e == self.source:
                first.append((e, ()))
            if e not in self.chain:
                first += [
                    (a, tuple(way[1:]))
                    for a in anchors
                    for way in self.ways(a)
                    if way[-1] == e and self.one_hop(way, end=True)
                ]
        found: set[int] = set()
        for a, between in first:
            found |= {a, *between}  # every anchor has its own line to the source
        starts = {a for a, _ in first}
        for a in anchors:
            for n, between in hops[a]:
                if self.passes(hops, starts, a, n):
                    found |= {a, n, *between}
        return found

    def passes(self, hops: dict[int, list[Hop]], starts: set[int], v: int, n: int) -> bool:
        """Whether some line from a start to the source goes over the hop between two anchors: there are ways
        from the one to a start and from the other to the source that have no anchor in common."""
        room: dict[tuple[object, object], int] = {}
        beside: dict[object, set[object]] = {}

        def join(x: object, y: object) -> None:
            room[x, y] = 1
            room.setdefault((y, x), 0)
            beside.setdefault(x, set()).add(y)
            beside.setdefault(y, set()).add(x)

        for h, onward in hops.items():
            join(("in", h), ("out", h))  # each anchor once
            for m, _ in onward:
                join(("out", h), ("in", m))
            if h in starts:
                join(("out", h), "units")
        join("units", "end")
        join(("out", self.source), "end")
        join("begin", ("in", v))
        join("begin", ("in", n))
        for _ in range(2):
            before: dict[object, object] = {"begin": "begin"}
            queue: list[object] = ["begin"]
            for x in queue:
                for y in beside.get(x, ()):
                    if y not in before and room[x, y] > 0:
                        before[y] = x
                        queue.append(y)
            if "end" not in before:
                return False
            y = "end"
            while y != "begin":
                x = before[y]
                room[x, y] -= 1
                room[y, x] += 1
                y = x
        return True


def random_position(board: Board, rng: Random, fill: float = 0.5) -> State:
    """Blocks strewn over the map, most of them near roads, with battles, disrupted blocks and raiders."""
    s = State(board, scenario="1941")
    s.active = rng.randrange(2)
    land = [h for h in board.grid.hexes if board.land >> h & 1]
    roads = [h for h in land if any(board.any_road[d] >> h & 1 for d in range(6))]
    spots = [rng.choice(roads if rng.random() < 0.8 else land) for _ in range(rng.randint(8, 40))]
    for u in range(len(board.units)):
        if rng.random() < fill:
            spot = rng.choice(spots)
            if rng.random() < 0.3:
                near = [n for _, n in board.grid.neighbours[spot] if board.land >> n & 1]
                spot = rng.choice(near or [spot])
            s.cv[u] = board.max_cv[u]
            put(s, u, spot)
            if rng.random() < 0.2:
                disrupt(s, u)
    for h in land:
        if s.occ[0] & s.occ[1] & 1 << h:
            s.defends[rng.randrange(2)] |= 1 << h
            for d in range(6):
                if rng.random() < 0.4:
                    s.att_side[d] |= 1 << h
            for u in range(len(board.units)):
                if s.at[u] == h and rng.random() < 0.3:
                    s.raiders |= 1 << u
                    s.via[u] = rng.randrange(NO_DIR)
    return s
