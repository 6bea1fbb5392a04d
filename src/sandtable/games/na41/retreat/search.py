"""12.1.3, 12.2, 12.4 The ways on which a unit can retreat.

A way is judged as a whole, by the guidelines of 12.1.3 in their order: no hex twice, alive, past as few EZOCs as
can be, each hex farther from where the unit stood, into supply. A unit may take every next hex that lies on a way
which is among the best.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.masks import enemy, hexes_in, units_of

from ..paths import legs
from ..supply import supply_lines
from ..table.position import controlled, desert_behind, dumps, zone
from ..table.state import State
from ..table.zones import overlapping
from .displacement import DISPLACED

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
    routed: bool  # 13.3.2 in Full Retreat


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
    routed, armed = bool(who & s.routed), bool(who & board.combat or not who & board.trucks)
    key = ("retreat ground", side, routed, armed, errand == DISENGAGING, party, s.retreated)
    found: Ground | None = s.memo.get(key)
    if found is None:
        friends = negating(s, side, party, routed)
        if errand == DISENGAGING and s.edition > 1:  # 27.5.4c any unit, not combat units alone
            friends |= sum([1 << h for h in hexes_in(s.occ[side]) if s.here[h] & board.of_side[side] & ~party])
        enemies = s.men[foe]
        soft = (s.occ[foe] | dumps(s, foe)) & ~enemies
        if routed or not armed:  # 13.3.2d, 5.8.3
            enemies |= soft
        if routed:  # 13.3.2d
            enemies |= s.forts[foe] | supply_lines.hostile(s, side)
        found = s.memo[key] = Ground(
            enemies,
            soft,
            zone(s, foe) & ~friends,
            overlapping(s, foe) & ~friends,
            board.ports & controlled(s, side) | s.forts[side],
            s.zocs[side],
            0 if routed or errand == DISENGAGING else 1,  # A28, 27.5.4c
            routed,
        )
    return found


Spot = tuple[Hex, int, int, int, bool]
"""Where a way has come to: hex, hexes gone, desert hexes in a row, EZOCs it may enter yet, whether the last was one."""


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
        self.zone = self.ground.zone
        self.run = desert_behind(s, riders(s, u))  # 5.5b in the whole phase, not in this retreat alone
        self.left = self.ground.allowance - entered
        self.entered: Mask = sum(1 << h for h in path)  # 12.1.3b no hex twice, the one it began in included
        self.outs: dict[Hex, Mask] = {}
        self.settle(False, False)

    def settle(self, through: bool, extra: bool) -> None:
        """Whether to run over enemy non-combat units (12.1.3h), and to go one hex farther out of an EZOC (12.2.1e)."""
        self.through, self.extra = through, extra
        self.closed: Mask = self.ground.enemies if self.bars >= ENEMIES else 0
        if self.bars >= ENEMIES and not through:
            self.closed |= self.ground.soft
        if self.bars >= OVERLAPS:
            self.closed |= self.ground.overlaps
        self.known: dict[Spot, Mask] = {}
        self.hopes: dict[Spot, bool] = {}

    def spot(self, left: int) -> Spot:
        """Where the unit stands now."""
        from_zone = len(self.path) > 1 and bool(self.zone >> self.path[-2] & 1)
        return self.path[-1], len(self.path) - 1, self.run, left, from_zone

    def after(self, at: Spot, n: Hex) -> Spot:
        """The same way, one hex on."""
        h, gone, run, left, _ = at
        run = run + 1 if self.desert >> n & 1 else 0
        return n, gone + 1, run, left - (self.zone >> n & 1), bool(self.zone >> h & 1)

    def ends_here(self, at: Spot) -> bool:
        """12.2.1e, 12.4, 13.3.2e whether a retreat can end here."""
        h, gone, _, _, from_zone = at
        if gone == 0 or (self.bars >= ENDING and self.zone >> h & 1):
            return False
        if self.least <= gone <= self.most or (gone > self.most and from_zone):
            return True
        if self.errand == DISPLACED and self.ground.havens >> h & 1:
            return True
        return bool(self.ground.stops >> h & 1)

    def goes_on(self, at: Spot) -> bool:
        """12.1.1a whether another hex can be entered: as many as are due, and one more out of an EZOC (12.2.1e)."""
        h, gone = at[:2]
        return gone < self.reach or (self.extra and gone == self.most and bool(self.zone >> h & 1))

    def way_out(self, at: Spot) -> Mask:
        """12.2.1f the friendly off-map box beside this hex, which satisfies the whole retreat."""
        box = legs.box_beside(self.s, self.s.board.side[self.u], at[0]) if self.goes_on(at) else -1
        return 1 << box if box >= 0 else 0

    def steps(self, at: Spot, entered: Mask) -> Mask:
        """12.2.1 the hexes beside this one into which the unit can go and live."""
        h, _, run, left, _ = at
        if not self.goes_on(at):
            return 0
        to = self.outs.get(h)
        if to is None:
            to = self.outs[h] = legs.exits(self.s, self.u, h, self.carried)
        to &= ~(entered | self.closed)
        if run >= 2:
            to &= ~self.desert  # 5.5b
        if left <= 0 and self.bars >= SECOND:
            to &= ~self.zone
        return to

    def ends(self, at: Spot, slack: int, entered: Mask) -> Mask:
        """Where ways from here can end of whose hexes `slack` at most do not lead away (12.1.3f)."""
        if not slack and at in self.known:
            return self.known[at]
        h, grid, origin = at[0], self.grid, self.origin
        found = self.way_out(at) | (1 << h if self.ends_here(at) else 0)
        near = grid.within(origin, grid.distance(origin, h))
        to = self.steps(at, entered)
        for n in hexes_in(to if slack else to & ~near):
            there = self.after(at, n)
            if self.hopeful(there):
                found |= self.ends(there, slack - (near >> n & 1), entered | 1 << n)
        if not slack:
            self.known[at] = found
        return found

    def hopeful(self, at: Spot) -> bool:
        """Whether a way from here could live if it were allowed to enter a hex twice: if not, none does."""
        found = self.hopes.get(at)
        if found is None:
            found = self.ends_here(at) or bool(self.way_out(at))
            if not found:
                found = any(self.hopeful(self.after(at, n)) for n in hexes_in(self.steps(at, self.entered)))
            self.hopes[at] = found
        return found

    def alive(self, at: Spot, entered: Mask) -> bool:
        """Whether any way from here keeps the unit alive."""
        if not self.hopeful(at):
            return False
        if self.ends_here(at) or self.way_out(at):
            return True
        return any(self.alive(self.after(at, n), entered | 1 << n) for n in hexes_in(self.steps(at, entered)))

    def lives(self) -> bool:
        """12.2 whether there is any way at all."""
        self.settle(True, not self.on_foot)
        return self.alive(self.spot(max(0, self.left)), self.entered)

    def best(self) -> tuple[int, int] | None:
        """12.1.3 the fewest EZOCs, then the fewest hexes that do not lead away, of any way that keeps the unit alive.

        A mechanised unit goes one hex farther if nothing else saves it (12.2.1e); enemy non-combat units are run over
        only if there is no other way (12.1.3h).
        """
        for through in (False, True) if self.ground.soft else (False,):
            for extra in (False,) if self.on_foot else (False, True):
                self.settle(through, extra)
                for left in range(max(0, self.left) + 1):
                    here = self.spot(left)
                    if self.ends(here, 0, self.entered):
                        return left, 0
                    if self.alive(here, self.entered):
                        slacks = range(1, self.most + 2)
                        return left, next(slack for slack in slacks if self.ends(here, slack, self.entered))
        return None

    def options(self, left: int, slack: int) -> dict[Hex, Mask]:
        """By next hex where such ways can end; the present hex stands for ending here."""
        here = self.spot(left)
        h = here[0]
        found: dict[Hex, Mask] = {h: 1 << h} if self.ends_here(here) else {}
        near = self.grid.within(self.origin, self.grid.distance(self.origin, h))
        to = self.steps(here, self.entered)
        for n in hexes_in(to if slack else to & ~near):
            reached = self.ends(self.after(here, n), slack - (near >> n & 1), self.entered | 1 << n)
            if reached:
                found[n] = reached
        for box in hexes_in(self.way_out(here)):
            found[box] = 1 << box
        return found


def way_exists(s: State, u: int, errand: int, h: Hex, party: int, walk: int = WALK) -> bool:
    """12.2.1 whether a unit that sets out from this hex lives.

    `walk` is how far it goes on foot: 12.2.1 alone knows no limit, 12.1.1c does.
    """
    search = Search(s, u, errand, (h,), 0, party)
    search.reach = min(search.most, walk) if search.on_foot else search.most
    return search.lives()


def death(s: State, u: int, errand: int, path: tuple[Hex, ...], entered: int, party: int) -> str:
    """12.2.1 the rule by which a unit without a way is eliminated: the first that closes its last one."""
    rules = {TERRAIN: "12.2.1g", ENEMIES: "12.2.1b", OVERLAPS: "12.2.1d", SECOND: "12.2.1c", ENDING: "12.2.1e"}
    if riders(s, u) & s.routed:
        rules.update({OVERLAPS: "13.3.2c", SECOND: "13.3.2c"})
    elif errand == DISENGAGING:
        rules[SECOND] = "27.5.4c"
    return next(r for bars, r in rules.items() if not Search(s, u, errand, path, entered, party, bars).lives())


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
    full = ends & supply_lines.full(s, side)
    if full == ends:
        return ends
    return full | ends & supply_lines.fed_by_port(s, side) or ends


# 12.1.3, 12.2.1 What speaks against the next hex


class Way(NamedTuple):
    """A unit on its retreat: where it has been, the EZOCs among it, and what it may do next."""

    unit: int
    errand: int
    path: tuple[Hex, ...]
    entered: int
    to: Mask = 0
    halt: bool = False

    @property
    def gone(self) -> int:
        return len(self.path) - 1

    def step(self, h: Hex) -> dict[str, Fact]:
        return {"from": self.path[-1], "to": h, "unit": self.unit}

    def ground(self, s: State) -> Ground:
        return ground(s, self.unit, self.errand, s.retreating)

    def search(self, s: State) -> Search:
        return Search(s, self.unit, self.errand, self.path, self.entered, s.retreating)


def zones(closed: Callable[[State, Way, Ground], bool]) -> Callable[[State, Way], Mask]:
    """EZOCs, where something is so."""
    return lambda s, now: of.zone if closed(s, now, of := now.ground(s)) else 0


def far_enough(s: State, now: Way) -> Mask:
    """12.1.1a as many hexes as are due; one more leads out of an EZOC (12.2.1e)."""
    return ALL if now.gone >= LENGTHS[now.errand][1] and not now.ground(s).zone >> now.path[-1] & 1 else 0


def passable(s: State, now: Way) -> Mask:
    return legs.exits(s, now.unit, now.path[-1], bool(s.board.trucks >> now.unit & 1)) | s.board.box_mask


ENEMYS = term("{unit} may not enter {hex}, which is the enemy's")

NEXT: Bars[State, Way] = Bars(
    Bar(
        "12.2.1f",
        lambda s, now, h: Text("{from} does not lead into {to} for {unit}", **now.step(h)),
        lambda s, now: s.board.box_mask & ~now.to,
    ),
    Need(
        "12.1.1a",
        lambda s, now, h: Text("a retreat goes hex by hex, and {to} is not beside {from}", **now.step(h)),
        lambda s, now: s.board.around[now.path[-1]] | s.board.box_mask,
    ),
    Bar(
        "12.1.3b",
        "{unit} has been in {hex}: each hex is entered only once",
        lambda s, now: sum(1 << h for h in now.path),
    ),
    Bar(
        "12.1.1c",
        lambda s, now, _: Text("{unit} is on foot and retreats {n} hexes at most", unit=now.unit, n=WALK),
        lambda s, now: ALL if s.board.foot >> now.unit & 1 and now.gone >= WALK else 0,
    ),
    Bar("12.1.1a", "{unit} has retreated as far as it has to", far_enough),
    Need("12.2.1g", "{unit} could not move into {hex} in a Movement Phase: it would be eliminated", passable),
    Bar(
        "12.2.1g",
        "{hex} would be the third desert hex in a row: {unit} would be eliminated",
        lambda s, now: s.board.desert if desert_behind(s, riders(s, now.unit)) >= 2 else 0,
    ),
    Bar(
        "12.2.1b",
        "an enemy combat unit is in {hex}: {unit} would be eliminated",
        lambda s, now: s.men[enemy(s.board.side[now.unit])],
    ),
    Bar("13.3.2d", ENEMYS, lambda s, now: of.enemies if (of := now.ground(s)).routed else 0),
    Bar("5.8.3", ENEMYS, lambda s, now: now.ground(s).enemies),
    Bar(
        "12.2.1d",
        "{hex} is in an overlapping enemy ZOC: {unit} would be eliminated",
        lambda s, now: now.ground(s).overlaps,
    ),
    Bar(
        "13.3.2c",
        "{hex} is in an enemy ZOC: {unit}, in Full Retreat, would be eliminated",
        zones(lambda s, now, of: of.routed),
    ),
    Bar(
        "27.5.4c",
        "{hex} is in an enemy ZOC, and no friendly unit is there",
        zones(lambda s, now, of: now.errand == DISENGAGING),
    ),
    Bar(
        "12.2.1c",
        "{hex} would be the second enemy ZOC of this retreat: {unit} would be eliminated",
        zones(lambda s, now, of: now.entered >= of.allowance),
    ),
    Need("12.1.3c", lambda s, now, h: outdone(s, now, h), lambda s, now: now.to),
)
"""12.1.3, 12.2.1 the hexes into which a unit may retreat next."""


def outdone(s: State, now: Way, h: Hex) -> Reason:
    """12.1.3 the hex would not kill the unit, but others are better: the first guideline that says so."""
    search, facts = now.search(s), {"hex": h, "unit": now.unit}
    best = search.best()
    if best is None:
        return Reason("12.1.3c", Text("{unit} has no way on which it survives", unit=now.unit))
    left, slack = best
    if search.ground.soft >> h & 1 and not search.through:
        return Reason("12.1.3h", Text("enemy non-combat units are in {hex}, and there is another way", hex=h))
    if h in search.options(left, slack):
        return Reason("12.1.3g", Text("{hex} leads to no hex in supply, and another way does", hex=h))
    if h in search.options(left, search.most):
        return Reason("12.1.3f", Text("{hex} leads less far from the hex that {unit} held than another way", **facts))
    if h in search.options(max(0, search.left), search.most):
        return Reason("12.1.3d", Text("enemy ZOCs can be avoided, and {hex} leads into one", hex=h))
    return Reason("12.1.3c", Text("from {hex} {unit} could not get far enough alive", **facts))


def not_here(s: State, now: Way) -> Reason | None:
    """12.1.1a, 12.4 what keeps a retreat from ending here."""
    here, search = now.path[-1], now.search(s)
    if now.halt:
        return None
    if not now.gone:
        return Reason("12.1.1a", Text("{unit} has not left its hex yet", unit=now.unit))
    if search.ground.zone >> here & 1:
        return Reason("12.2.1e", Text("{unit} would end its retreat in an enemy ZOC and be eliminated", unit=now.unit))
    if search.ends_here(search.spot(0)):
        return Reason("12.1.3g", Text("{unit} can go on to a hex in supply", unit=now.unit))
    if now.errand == DISPLACED:
        text = term("{hex} is no port or fortification of yours, nor held by a friend in better order")
        return Reason("13.3.2e", Text(text, hex=here))
    one = term("{hex} is neither a port nor a fortification of yours: 1 hex to go")
    many = term("{hex} is neither a port nor a fortification of yours: {n} hexes to go")
    return Reason("12.4", Text.many(LENGTHS[now.errand][0], one, many, hex=here))
