"""5.3 Withdrawal: going back along one's own supply line without spending cards.

Used in a Pass turn (movement.py), to avoid battle and to rout (retreats.py). A withdrawal is an
ordinary move of `reach` over fewer steps: those that go back along a line and do not lead away from
the source.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import hexes_in
from sandtable.mechanics.memory import remembered

from ..supply.supply import Network, is_cut_off, network, source_of
from ..table.board import NO_SIDES, Board, Sides, units_of
from ..table.ids import AXIS
from ..table.state import State, put
from .reach import (
    ANY_SIDE,
    LAND,
    OPPOSITE,
    Reach,
    friendly_side_bits,
    full,
    lanes,
    name,
    reach,
    why_not_through,
)


@remembered(64)
def not_farther(board: Board, side: int, source: Hex) -> Sides:
    """5.3g the steps that do not increase the distance in hexes from a source.

    5.3h: to the Axis, Bardia and Fort Capuzzo are equally distant from the Axis base.
    """
    grid = board.grid
    sides = [0] * 6
    bend = {board.bend, board.bend[::-1]} if side == AXIS and source == board.base[AXIS] else set()
    for h in grid.hexes:
        for d, n in grid.neighbours[h]:
            if grid.distance(n, source) <= grid.distance(h, source) or (h, n) in bend:
                sides[d] |= 1 << h
    return tuple(sides)


@remembered(64)
def not_farther_from(board: Board, side: int, source: Hex) -> tuple[Mask, ...]:
    """5.3g By hex, the hexes beside it to which such a step leads."""
    nearer = not_farther(board, side, source)
    return tuple(sum(1 << n for d, n in steps if nearer[d] >> h & 1) for h, steps in enumerate(board.steps))


def at_start(s: State) -> State:
    """5.3d the table as it was when the withdrawal move of a Pass turn began."""
    moved = s.moved & ~s.leaving & s.board.of_side[s.active]
    gone = [u for u in units_of(moved) if s.start[u] >= 0 <= s.at[u]] if moved else ()
    if not gone:
        return s
    if s.before is not None and is_start(s.before, s, gone):
        return s.before
    before = s.before = s.copy()
    for u in gone:
        before.disrupted &= ~(1 << u)
        put(before, u, s.start[u])
    return before


def is_start(before: State, s: State, gone: Sequence[int]) -> bool:
    """Whether that is still the table from which these units have gone: nothing else has changed since."""
    at, disrupted = s.at[:], s.disrupted
    for u in gone:
        at[u] = s.start[u]
        disrupted &= ~(1 << u)
    return (
        at == before.at
        and disrupted == before.disrupted
        and not s.raiders | before.raiders
        and s.defends == before.defends
        and s.att_side == before.att_side
        and s.fort_supply == before.fort_supply
        and s.assigned == before.assigned
        and s.fort_owner == before.fort_owner
        and s.active == before.active
    )


class Lines:
    """The supply lines that units go back along; those of `origin`, if that is given (5.3d)."""

    def __init__(self, s: State, origin: State | None = None) -> None:
        self.s = s
        self.origin = s if origin is None else origin
        self._nets: dict[tuple[int, Hex], Network] = {}
        self._sources: dict[int, Hex] = {}  # of units that draw on a fortress
        self._first_steps: dict[tuple[Hex, Hex, bool], bool] = {}
        self._ways: dict[tuple[int, Hex, int, bool], Reach] = {}
        self.special = self.origin.fort_supply | self.origin.raiders  # 13.3i, 12.5f: not the line of their friends

    def source(self, u: int) -> Hex:
        """13.3j where a unit's line runs to."""
        if not self.origin.fort_supply >> u & 1:
            board = self.s.board
            return board.base[board.side[u]]
        h = self._sources.get(u)
        if h is None:
            h = self._sources[u] = source_of(self.origin, u)
        return h

    def network(self, side: int, source: Hex) -> Network:
        key = (side, source)
        net = self._nets.get(key)
        if net is None:
            fortress = None if source == self.s.board.base[side] else source
            net = self._nets[key] = network(self.origin, side, fortress)
        return net

    def back(self, u: int, h: Hex) -> list[tuple[int, Hex]]:
        """5.3e, 5.3g the steps (direction, hex) that a withdrawing unit may make from a hex."""
        side, source = self.s.board.side[u], self.source(u)
        nearer = not_farther(self.s.board, side, source)
        return [(d, n) for d, n in self.network(side, source).back(h) if nearer[d] >> h & 1]

    def has_line(self, u: int) -> bool:
        """5.3d, 12.5f, 13.3k whether a unit has a supply line of its own."""
        net = self.network(self.s.board.side[u], self.source(u))
        return bool(net.supplied >> self.origin.at[u] & 1) and not is_cut_off(self.origin, u)

    def steps(self, u: int, allowance: int) -> Sides:
        """By direction, the hexes from which a unit may step so on its withdrawal."""
        board = self.s.board
        side, source = board.side[u], self.source(u)
        net = self.network(side, source)
        if not net.supplied >> self.origin.at[u] & 1 or is_cut_off(self.origin, u):  # it has no line
            return NO_SIDES
        farthest = allowance + max(board.bonus_hexes)
        return net.steps_back(self.s.at[u], farthest, not_farther(board, side, source))

    def way(self, u: int, bonus: int = 0, overruns: bool = False) -> Reach:
        """5.3 where a unit can withdraw to from where it stands.

        5.3i, A50: with `overruns` it may engage enemies that are all disrupted, unless it disengages (10.1b).
        """
        s = self.s
        board = s.board
        h, allowance = s.at[u], board.speed[u] + bonus
        if self.special >> u & 1:
            return self._way(u, h, allowance, overruns)
        key = (board.side[u], h, allowance, overruns)
        known = self._ways.get(key)
        if known is None:
            known = self._ways[key] = self._way(u, h, allowance, overruns)
        return known

    def _way(self, u: int, h: Hex, allowance: int, overruns: bool) -> Reach:
        s = self.s
        board = s.board
        side = board.side[u]
        enemies = s.occ[1 - side]
        easy = enemies & ~s.firm[1 - side] if overruns else 0
        sides = ANY_SIDE
        if enemies >> h & 1:  # 10.1a
            sides, easy = friendly_side_bits(s, h, side), 0
        return way_back(board, h, allowance, self.steps(u, allowance), sides, enemies, easy)

    def can_go(self, u: int, overruns: bool = False) -> bool:
        """Whether a unit can withdraw at all: it can make a first step. The same for all on one line."""
        s = self.s
        key = (s.at[u], self.source(u), overruns)
        known = self._first_steps.get(key)
        if known is None:
            known = self._first_steps[key] = self._can_step(u, overruns)
        return known and self.has_line(u)

    def can_any_go(self, units: int, overruns: bool = False) -> bool:
        """Whether one of these units can withdraw, which are of one side and in one hex."""
        alike = units & ~self.special
        asked = alike & -alike | units & self.special  # one stands for all who are alike
        return any(self.can_go(u, overruns) for u in units_of(asked))

    def left_by(self, side: int, hexes: Mask) -> Mask:
        """The hexes out of which units with a line to their base can withdraw, no enemy being in the hex nor in
        the next."""
        board = self.s.board
        source = board.base[side]
        net, nearer = self.network(side, source), not_farther_from(board, side, source)
        free = ~self.s.occ[1 - side]
        found = 0
        for h in hexes_in(hexes & free & net.supplied):
            if net.can_go_back(h, nearer[h] & free):
                found |= 1 << h
        return found

    def _can_step(self, u: int, overruns: bool) -> bool:
        s = self.s
        side = s.board.side[u]
        h = s.at[u]
        enemies = s.occ[1 - side]
        sides, easy = ANY_SIDE, enemies & ~s.firm[1 - side] if overruns else 0
        if enemies >> h & 1:
            sides, easy = friendly_side_bits(s, h, side), 0
        for d, n in self.back(u, h):
            if sides >> d & 1:
                if not enemies >> n & 1:
                    return True
                if easy >> n & 1 and not full(s, OPPOSITE[d]) >> n & 1:
                    return True
        return False

    def sources(self) -> list[Hex]:
        """The base of the Active side and the fortresses that feed units of it."""
        s, side = self.origin, self.s.active
        own = s.fort_supply & s.board.of_side[side]
        return [s.board.base[side], *(h for i, h in enumerate(s.board.fortresses) if s.assigned[i] & own)]

    def all_hexes(self) -> Mask:
        """12.6a the whole supply network of the Active side."""
        hexes = 0
        for source in self.sources():
            hexes |= self.network(self.s.active, source).lines
        return hexes


@remembered(4096)
def way_back(board: Board, h: Hex, allowance: int, back: Sides, sides: int, enemies: Mask, easy: Mask) -> Reach:
    """A reach over the steps of `back` alone, out of the first hex through these of its sides."""
    steps = lanes(board).only_by(back)
    if sides != ANY_SIDE:
        steps = lanes(board).only_through(steps, h, sides)
    return Reach(board, h, allowance, board.land & ~enemies, easy, steps)


def destinations(s: State, u: int) -> Mask:
    """5.3 the hexes that a unit may withdraw to in the enemy's turn or when it routs.

    Road bonus, but neither Rommel bonus nor forced march (A17); it engages nobody (10.1b, A50). 5.3f
    holds by itself: the unit's own line gets shorter (A16), and the battle hex it leaves to the enemy
    drops out of the network.
    """
    return Lines(s).way(u).free


def route(s: State, u: int, h: Hex) -> tuple[Hex, ...]:
    """The hexes that a unit enters on such a withdrawal, in order."""
    return Lines(s).way(u).path(s.board, h).hexes


def shrinks(s: State) -> bool:
    """5.3f, A16 whether the move so far has taken a hex out of the supply network of the Active side.

    Units that are to leave a battle hex count as gone to where they plan to.
    """
    side = s.active
    after = s
    if s.leaving:
        after = s.copy()
        for u in units_of(s.leaving):
            after.disrupted |= 1 << u  # 7.2c it will be disrupted, and no link (12.4i)
            put(after, u, s.plan[u])
    before = at_start(s)
    # As long as no hex has been vacated every line still stands, and there may be new ones
    if not (before.occ[side] & ~after.occ[side] or before.firm[side] & ~after.firm[side] or s.leaving):
        return False
    old = Lines(s, before)
    new = Lines(after)
    if not s.fort_supply & s.board.of_side[side]:
        base = s.board.base[side]
        was, now = old.network(side, base), new.network(side, base)
        # a hex that was left and that supply does not even reach, or that is in no line now
        left = was.ends & ~after.occ[side]
        if left & ~now.supplied:
            return True
        if any(now.leaves_out(h) for h in hexes_in(left)) or left & ~now.lines:
            return True
        if now.keeps(was):
            return False
    return bool(old.all_hexes() & ~new.all_hexes())


# Why not


def why_no_line(s: State, u: int) -> Reason:
    """Why a unit has nothing to withdraw along."""
    if s.raiders >> u & 1:
        return Reason("12.5f", "raiders are cut off from the supply of the friends in their hex")
    if s.fort_supply & s.board.of_side[s.board.side[u]] and not s.fort_supply >> u & 1:
        return Reason("13.3k", "only units under fortress supply may withdraw toward the fortress")
    return Reason("5.3d", "it has no supply line to go back along")


def why_cannot_go(s: State, lines: Lines, u: int) -> Reason:
    """Why a unit cannot withdraw at all."""
    if not lines.has_line(u):
        return why_no_line(s, u)
    side, h = s.board.side[u], s.at[u]
    source = lines.source(u)
    if not lines.network(side, source).back(h):
        return Reason("5.3e", Text("{unit} stands at the source of its supply line", unit=u))
    steps = lines.back(u, h)
    if not steps:
        return Reason(
            "5.3g", Text("back along its line {unit} would go farther from {source}", unit=u, source=name(s, source))
        )
    if s.occ[1 - side] >> h & 1:
        return Reason(
            "7.2b", Text("no friendly hexside leads {unit} back along its line into a hex without enemies", unit=u)
        )
    return Reason("5.3i", Text("enemies are on the line of {unit}: a withdrawing unit does not engage", unit=u))


def why_not_back(s: State, lines: Lines, u: int, h: Hex, via: int, r: Reach | None = None) -> Reason:
    """Why a unit cannot withdraw to a hex."""
    r = lines.way(u) if r is None else r
    board = s.board
    if (reason := LAND.why(h, s, None, {})) is not None:
        return reason
    side = board.side[u]
    source = lines.source(u)
    if not lines.has_line(u):
        return why_no_line(s, u)
    if s.occ[1 - side] >> h & 1:
        if s.firm[1 - side] >> h & 1 or s.occ[1 - side] >> s.at[u] & 1:
            return Reason("5.3i", Text("enemies are in {hex}: a withdrawing unit does not engage", hex=h))
        if via != 6 and (reason := why_not_through(s, r, h, via)) is not None:
            return reason
    if not reach(s, u, r.allowance - board.speed[u]).free >> h & 1 and board.grid.distance(h, s.at[u]) > 1:
        return Reason(
            "6.0a",
            Text.many(
                r.allowance,
                "{hex} is too far: it may move {n} hex, more along roads (6.2a)",
                "{hex} is too far: it may move {n} hexes, more along roads (6.2a)",
                hex=h,
            ),
        )
    grid = board.grid
    if grid.distance(h, source) > grid.distance(s.at[u], source):
        return Reason(
            "5.3g", Text("{hex} is farther from {source} than the hex it stands in", hex=h, source=name(s, source))
        )
    d = grid.direction(s.at[u], h)
    if d >= 0 and s.occ[1 - side] >> s.at[u] & 1 and not friendly_side_bits(s, s.at[u], side) >> d & 1:
        return Reason("7.2b", Text("the {via} hexside of {start} belongs to the enemy", via=d, start=name(s, s.at[u])))
    rule = "13.3j" if source != board.base[side] else "5.3e"
    return Reason(rule, Text("{hex} is not back along its supply line to {source}", hex=h, source=name(s, source)))
