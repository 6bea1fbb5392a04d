"""12.1.3, 12.2, 12.4 The ways on which a unit can retreat.

A way is judged as a whole, by the guidelines of 12.1.3 in their order: no hex twice, alive, past as few EZOCs as
can be, each hex farther from where the unit stood, into supply. A unit may take every next hex that lies on a way
which is among the best.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask

from . import lines, routes
from .board import enemy, hexes_in, units_of
from .displacement import DISPLACED
from .position import controlled, zone
from .state import State
from .zones import overlapping

DISENGAGING = 6
LENGTHS = {2: (2, 2), 3: (2, 3), 4: (4, 4), DISPLACED: (2, 2), DISENGAGING: (1, 2)}
"""12.1.1a fewest and most hexes by the errand of a retreat: the hexes of the result (D1 leaves 2 or 3 to the owner,
10.1d), a displacement (13.3.2e) or a disengagement (27.5.4b)."""

WALK = 2
"""12.1.1c as far as a unit on foot ever retreats."""

# What may bar a way, in the order in which the reason for a unit's end is looked for
TERRAIN, ENEMIES, OVERLAPS, SECOND, ENDING = range(5)


class Ground(NamedTuple):
    """What the enemy and the rules make of the hexes for one kind of unit."""

    enemies: Mask  # 12.2.1b, and what a unit in Full Retreat may not enter (13.3.2d)
    soft: Mask  # 12.1.3h enemy non-combat units alone
    zone: Mask  # EZOCs that no friend negates
    overlaps: Mask  # 12.2.1d of them: overlapping ones
    stops: Mask  # 12.4 ports and fortifications
    havens: Mask  # 13.3.2e friends who are not in Full Retreat
    allowance: int  # 12.1.3d how many hexes in EZOC a retreat may lead through


class Choice(NamedTuple):
    """What a unit may do next."""

    to: Mask  # next hexes
    halt: bool  # it may end here


def riders(s: State, u: int) -> int:
    """The unit that goes and whoever it carries (12.1.5b)."""
    found = 1 << u
    if s.board.trucks & found:
        for load in units_of(s.here[s.at[u]] & s.board.of_side[s.board.side[u]]):
            if s.carried[load] == u:
                found |= 1 << load
    return found


def negating(s: State, side: int, party: int, routed: bool) -> Mask:
    """12.1.3e, 12.2.1a, A25 the hexes whose EZOCs friendly combat units negate.

    Not units that have retreated in this Combat Phase, nor those of the retreating stack. For a unit in Full Retreat
    only friends who are not (13.3.2c).
    """
    apart = s.retreated | party
    outside = s.board.of_side[side] & s.board.combat & ~apart
    if routed:
        outside &= ~s.routed
    found = s.zocs[side] if routed else s.men[side]
    for u in units_of(apart):
        h = s.at[u]
        if h >= 0 and not s.here[h] & outside:
            found &= ~(1 << h)
    return found


def ground(s: State, u: int, errand: int, party: int) -> Ground:
    """12.2.1, 13.3.2 what this unit has to fear; the same for all of a stack that are in the same order."""
    board, side = s.board, s.board.side[u]
    foe = enemy(side)
    who = riders(s, u)
    routed, armed = bool(who & s.routed), bool(who & board.combat)
    key = ("retreat ground", side, routed, armed, errand == DISENGAGING, party, s.retreated)
    found: Ground | None = s.memo.get(key)
    if found is None:
        friends = negating(s, side, party, routed)
        enemies, soft = s.men[foe], s.occ[foe]
        for h in s.sp[foe]:
            soft |= 1 << h
        soft &= ~(enemies | board.box_mask)
        if routed or not armed:  # 13.3.2d, 5.8.3
            enemies |= soft
        if routed:  # 13.3.2d
            enemies |= s.forts[foe] | board.blocks_supply & controlled(s, foe)
        found = s.memo[key] = Ground(
            enemies,
            soft,
            zone(s, foe) & ~friends,
            overlapping(s, foe) & ~friends,
            board.ports & controlled(s, side) | s.forts[side],
            negating(s, side, party, True),
            0 if routed or errand == DISENGAGING else 1,  # A28, 27.5.4c
        )
    return found


class Search:
    """All ways of one unit on one errand from where it stands."""

    def __init__(
        self, s: State, u: int, errand: int, path: tuple[Hex, ...], entered: int, party: int, bars: int = ENDING
    ) -> None:
        self.s, self.u, self.errand = s, u, errand
        self.origin, self.path = path[0], path
        self.grid, self.desert = s.board.grid, s.board.desert
        self.carried = bool(s.board.trucks >> u & 1)
        self.on_foot = bool(s.board.foot >> u & 1)
        self.least, self.most = LENGTHS[errand]
        self.reach = min(self.most, WALK) if self.on_foot else self.most
        self.bars = bars
        self.ground = ground(s, u, errand, party)
        self.run = 0
        for h in path[1:]:
            self.run = routes.desert_run(s, self.run, h)
        self.left = self.ground.allowance - entered
        self.known: dict[tuple[int, ...], Mask] = {}
        self.extra = self.through = False

    def ends_here(self, h: Hex, gone: int, came_from_zone: bool) -> bool:
        """12.2.1e, 12.4, 13.3.2e whether a retreat can end in this hex after so many."""
        ground = self.ground
        if gone == 0 or (self.bars >= ENDING and ground.zone >> h & 1):
            return False
        if self.least <= gone <= self.most or (gone > self.most and came_from_zone):
            return True
        if self.errand == DISPLACED:
            return bool(ground.havens >> h & 1)
        return bool(ground.stops >> h & 1)

    def steps(self, h: Hex, run: int, left: int, entered: Mask) -> Mask:
        """12.2.1 the hexes beside this one into which the unit can go and live."""
        ground, bars = self.ground, self.bars
        to = routes.exits(self.s, self.u, h, self.carried) & ~entered
        if run >= 2:
            to &= ~self.desert  # 5.5b
        if bars >= ENEMIES:
            to &= ~ground.enemies
            if not self.through:
                to &= ~ground.soft
        if bars >= OVERLAPS:
            to &= ~ground.overlaps
        if bars >= SECOND and left <= 0:
            to &= ~ground.zone
        return to

    def ends(self, h: Hex, gone: int, run: int, left: int, slack: int, entered: Mask, from_zone: bool = False) -> Mask:
        """Where ways from this hex can end that lead through `left` more EZOCs at most, and `slack` times not away."""
        key = (h, gone, run, left, from_zone)
        if not slack and key in self.known:
            return self.known[key]
        found = 1 << h if self.ends_here(h, gone, from_zone) else 0
        for n, cost in self.onward(h, gone, run, left, slack, entered):
            in_zone = self.ground.zone >> n & 1
            found |= self.ends(
                n,
                gone + 1,
                run + 1 if self.desert >> n & 1 else 0,
                left - in_zone,
                slack - cost,
                entered | 1 << n,
                bool(self.ground.zone >> h & 1),
            )
        found |= self.way_out(h, gone)
        if not slack:
            self.known[key] = found
        return found

    def onward(self, h: Hex, gone: int, run: int, left: int, slack: int, entered: Mask) -> list[tuple[Hex, int]]:
        """The next hexes of a way, and whether each of them fails to lead farther away (12.1.3f)."""
        if gone >= self.reach and not (self.extra and gone == self.most and self.ground.zone >> h & 1):
            return []
        grid, origin = self.grid, self.origin
        to = self.steps(h, run, left, entered)
        away = grid.distance(origin, h)
        if not slack:
            return [(n, 0) for n in hexes_in(to & ~grid.within(origin, away))]
        return [(n, 0 if grid.distance(origin, n) > away else 1) for n in hexes_in(to)]

    def way_out(self, h: Hex, gone: int) -> Mask:
        """12.2.1f the friendly off-map box beside this hex, which satisfies the whole retreat."""
        box = routes.box_beside(self.s, self.s.board.side[self.u], h) if gone < self.reach else -1
        return 1 << box if box >= 0 else 0

    def alive(self, h: Hex, gone: int, run: int, left: int, entered: Mask, from_zone: bool) -> bool:
        """Whether any way from this hex keeps the unit alive."""
        if self.ends_here(h, gone, from_zone) or self.way_out(h, gone):
            return True
        zone = self.ground.zone
        in_zone = bool(zone >> h & 1)
        for n, _ in self.onward(h, gone, run, left, 1, entered):
            onward = run + 1 if self.desert >> n & 1 else 0
            if self.alive(n, gone + 1, onward, left - (zone >> n & 1), entered | 1 << n, in_zone):
                return True
        return False

    def best(self) -> tuple[int, int] | None:
        """12.1.3 the fewest EZOCs, then the fewest hexes that do not lead away, of any way that keeps the unit alive.

        A mechanised unit goes one hex farther if nothing else saves it (12.2.1e); enemy non-combat units are run over
        only if there is no other way (12.1.3h).
        """
        here, gone, entered, from_zone = self.path[-1], len(self.path) - 1, self.entered(), self.came_from_zone()
        for through in (False, True) if self.ground.soft else (False,):
            for extra in (False,) if self.on_foot else (False, True):
                self.through, self.extra = through, extra
                for left in range(max(0, self.left) + 1):
                    if self.ends_at(left, 0):
                        return left, 0
                    if not self.alive(here, gone, self.run, left, entered, from_zone):
                        continue
                    return left, next(slack for slack in range(1, self.most + 2) if self.ends_at(left, slack))
        return None

    def ends_at(self, left: int, slack: int) -> Mask:
        """Where ways from the present hex can end (see `ends`)."""
        self.known = {}
        here, gone = self.path[-1], len(self.path) - 1
        return self.ends(here, gone, self.run, left, slack, self.entered(), self.came_from_zone())

    def entered(self) -> Mask:
        """12.1.3b the hexes that the retreat has led through, the one it began in included."""
        return sum(1 << h for h in self.path)

    def came_from_zone(self) -> bool:
        return len(self.path) > 1 and bool(self.ground.zone >> self.path[-2] & 1)

    def options(self, left: int, slack: int) -> dict[Hex, Mask]:
        """By next hex where such ways can end; the present hex stands for ending here."""
        h, gone = self.path[-1], len(self.path) - 1
        self.known = {}
        found: dict[Hex, Mask] = {}
        if self.ends_here(h, gone, self.came_from_zone()):
            found[h] = 1 << h
        for n, cost in self.onward(h, gone, self.run, left, slack, self.entered()):
            in_zone = self.ground.zone >> n & 1
            run = self.run + 1 if self.desert >> n & 1 else 0
            reached = self.ends(
                n, gone + 1, run, left - in_zone, slack - cost, self.entered() | 1 << n, bool(self.ground.zone >> h & 1)
            )
            if reached:
                found[n] = reached
        for box in hexes_in(self.way_out(h, gone)):
            found[box] = 1 << box
        return found


def way_exists(s: State, u: int, errand: int, h: Hex, party: int, bars: int = ENDING, walk: int = WALK) -> bool:
    """12.2.1 whether a unit that sets out from this hex lives; `bars` leaves later dangers out.

    `walk` is how far it goes on foot: 12.2.1 alone knows no limit, 12.1.1c does.
    """
    search = Search(s, u, errand, (h,), 0, party, bars)
    search.reach = min(search.most, walk) if search.on_foot else search.most
    return search.best() is not None


def death(s: State, u: int, errand: int, h: Hex, party: int) -> str:
    """12.2.1 the rule by which a unit without a way is eliminated: the first that closes its last one."""
    rules = {TERRAIN: "12.2.1g", ENEMIES: "12.2.1b", OVERLAPS: "12.2.1d", SECOND: "12.2.1c", ENDING: "12.2.1e"}
    if riders(s, u) & s.routed:
        rules.update({OVERLAPS: "13.3.2c", SECOND: "13.3.2c"})
    elif errand == DISENGAGING:
        rules[SECOND] = "27.5.4c"
    return next(rule for bars, rule in rules.items() if not way_exists(s, u, errand, h, party, bars))


def choice(s: State, u: int, errand: int, path: tuple[Hex, ...], entered: int) -> Choice:
    """12.1.3 what a unit on this way, which has led through `entered` EZOCs, may do next."""
    key = ("retreat", u, errand, path, entered, s.retreating, s.retreated)
    found: Choice | None = s.memo.get(key)
    if found is None:
        search = Search(s, u, errand, path, entered, s.retreating)
        best = search.best()
        options = search.options(*best) if best else {}
        fed = by_supply(s, s.board.side[u], options)
        here = path[-1]
        to = sum(1 << h for h, ends in options.items() if h != here and ends & fed)
        found = s.memo[key] = Choice(to, bool(options.get(here, 0) & fed))
    return found


def by_supply(s: State, side: int, options: dict[Hex, Mask]) -> Mask:
    """12.1.3g the ends in supply, or all if there is none."""
    ends = 0
    for reached in options.values():
        ends |= reached
    if len(options) < 2:
        return ends
    return ends & (lines.full(s, side) | lines.fed_by_port(s, side)) or ends
