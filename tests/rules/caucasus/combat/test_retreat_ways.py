"""The ways of a retreat (retreats.py) against every path tried one by one by the letter of 11.1 and 11.2."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.games.caucasus.combat import retreats
from sandtable.games.caucasus.paths.legs import tables
from sandtable.games.caucasus.supply import supply_lines
from sandtable.games.caucasus.table.frames import BackAt
from sandtable.games.caucasus.table.ids import AXIS, DR, F_MOVES, F_RETREAT, F_RETREAT_UNIT, SOVIET
from sandtable.games.caucasus.table.stacking import full
from sandtable.games.caucasus.table.state import State, units_in

from ..kit import H, U, at, board, do, empty, place, start, texts, units, why
from ..supply.test_supply_lines import scatter

grid = board.grid


def crosses(s: State, u: int, a: int, d: int) -> bool:
    """Terrain, hexside and closed entry hexes (4.1d) let the unit go; the train keeps to its rails (15.6b)."""
    n, b = s.board.grid.neighbour(a, d), s.board
    if n < 0 or b.barred[b.side[u]] >> n & 1 or u == b.flotilla:
        return False
    if u == b.train:
        return bool((b.rails[d] & s.ground.open[d]) >> a & 1)
    t = tables(s)
    return t.kinds[t.kind_of[u]].walk.price[d][a] >= 0


class Paths:
    """All lawful retreats of one unit that retreats alone, with what each costs and where it ends."""

    def __init__(self, s: State, u: int, length: int) -> None:
        self.s, self.u, self.length = s, u, length
        self.origin = s.at[u]
        self.found: list[tuple[int, int, int]] = []  # steps lost, first hex, last hex
        self.walk(self.origin, [])

    def zoc_from(self, a: int, n: int) -> bool:
        """An enemy with a ZOC in hex a exerts it into the hex n beside it."""
        d = grid.direction(a, n)
        held = units_in(self.s, a, AXIS) & ~board.white
        return bool(held) and bool(self.s.ground.open[d] >> a & 1)

    def friend(self, n: int, steady: bool = False) -> bool:
        others = units_in(self.s, n, SOVIET) & ~(1 << self.u)
        return bool(others & ~self.s.disrupted if steady else others)

    def ezoc(self, n: int) -> bool:
        return any(self.zoc_from(a, n) for _, a in grid.neighbours[n])

    def deadly(self, a: int, d: int, n: int, first: bool) -> bool:
        if not crosses(self.s, self.u, a, d) or units_in(self.s, n, AXIS):
            return True
        if self.friend(n):
            return False
        flanks = [m for _, m in grid.neighbours[a] if grid.adjacent(m, n)]
        if len(flanks) == 2 and all(self.zoc_from(m, n) for m in flanks):
            return True
        around = dict(grid.neighbours[n])
        for e in range(3):
            if e in around and e + 3 in around and self.zoc_from(around[e], n) and self.zoc_from(around[e + 3], n):
                return True
        return not first and self.ezoc(n)

    def walk(self, a: int, path: list[int]) -> None:
        if path:
            lost = int(self.ezoc(path[0]) and not self.friend(path[0]))
            if len(path) == self.length:
                self.found.append((lost, path[0], a))
                return
            if len(path) == 1 and self.length == 2 and self.shelter(a):
                self.found.append((lost, a, a))
        for d, n in grid.neighbours[a]:
            if grid.distance(self.origin, n) == len(path) + 1 and not self.deadly(a, d, n, not path):
                self.walk(n, [*path, n])

    def shelter(self, h: int) -> bool:
        ground = self.s.ground
        kinds = board.towns | board.cities | ground.marsh | ground.forest | ground.terrain["mountain"]
        if self.s.disrupted >> self.u & 1 or not kinds >> h & 1:
            return False
        return not self.ezoc(h) or self.friend(h, steady=True)

    def best(self) -> set[int]:
        """The first hexes of the retreats that are best by 11.1e, 11.1f and 11.1g."""
        s, left = self.s, self.found
        if not left:
            return set()
        left = [p for p in left if p[0] == min(q[0] for q in left)]
        own = 0
        for h in grid.hexes:
            own |= 1 << h if self.friend(h) else 0
        fully = supply_lines.full_with(s, SOVIET, own)
        some = supply_lines.limited_with(s, SOVIET, own, supply_lines.port_sources(s, SOVIET))
        for fed in (fully, some):
            if any(fed >> p[2] & 1 for p in left):
                left = [p for p in left if fed >> p[2] & 1]
                break
        roomy = [p for p in left if not full(s, p[2], self.u)]
        return {p[1] for p in roomy or left}


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.rule("caucasus", "11.1d", "11.1e", "11.1f", "11.2b", "11.2c", "11.2d", "11.2e", "11.2f", "11.6a", "11.6c")
def test_ways_agree_with_every_path_tried(seed: int) -> None:
    rng = Random(seed)
    s = scatter(rng)
    s.active = AXIS
    s.fight.result = DR
    s.corps = -1
    able = [
        u
        for u, h in enumerate(s.at)
        if h >= 0 and board.side[u] == SOVIET and board.ma[u][0] and not board.special_movers >> u & 1
    ]
    for u in able:
        s.disrupted = rng.getrandbits(len(board.units))
        s.fight.retreating = s.fight.defenders = 1 << u
        s.fight.origin = s.fight.target = s.at[u]
        s.memo = {}
        length = rng.choice([2, 2, 4])
        expected = Paths(s, u, length).best()
        found = retreats.choice(s, BackAt(F_RETREAT_UNIT, u, length, 0)).to
        assert {grid.names[h] for h in grid.hexes if found >> h & 1} == {grid.names[h] for h in expected}


# A stack on its way together


def begin_retreat(s: State, stack: list[str], hex_: str) -> None:
    """These units must retreat two hexes."""
    s.fight.target = s.fight.origin = H(hex_)
    s.fight.defenders = s.fight.retreating = units(*stack)
    s.fight.result = DR
    start(s, (F_MOVES, 0), (F_RETREAT, 2, 0))


@pytest.mark.rule("caucasus", "11.1c", "11.6a", "11.1g")
def test_one_unit_may_stop_in_a_town_and_the_others_go_on() -> None:
    """Those who only pass through do not crowd out the one who stays; a third one finds no room."""
    stack = ["SU-216RD", "SU-353RD", "SU-383RD"]
    s = empty("axis", 3, "axis_first_combat")
    place(s, "GE-125", "1433")
    place(s, stack, "1533")
    place(s, "SU-68RB", "1634")
    begin_retreat(s, stack, "1533")
    do(s, "to 1634", "to 1634", "to 1634")
    do(s, "halt")
    assert at(s, "SU-216RD") == "1634"
    do(s, "halt")
    assert at(s, "SU-353RD") == "1634"
    assert "halt" not in texts(s)
    refused = why(s, "halt")
    assert refused is not None
    assert refused.rule == "11.1g"
    do(s, texts(s)[0])
    assert board.grid.distance(H("1533"), s.at[U("SU-383RD")]) == 2


@pytest.mark.rule("caucasus", "15.7h", "15.7b", "11.1g")
def test_a_corps_retreats_with_its_marker_and_stays_one_unit() -> None:
    """Two rifle divisions and three cavalry divisions with the marker have room in one hex, in whatever order."""
    stack = ["SU-216RD", "SU-353RD", "SU-12CD", "SU-13CD", "SU-15CD"]
    s = empty("axis", 8, "axis_first_combat")
    place(s, "GE-125", "1433")
    place(s, stack, "1533")
    s.corps = H("1533")
    begin_retreat(s, stack, "1533")
    for _ in stack:
        do(s, "to 1633")
    for _ in stack:
        assert "to 1733" in texts(s)
        do(s, "to 1733")
    assert [at(s, u) for u in stack] == ["1733"] * 5
    assert s.corps == H("1733")
