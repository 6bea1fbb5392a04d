"""Group and regroup moves as the planner thinks of them: a list of who goes where, carried out in one go.

The moves are made of what `reach` allows and are later played step by step through the game; here they are
laid out on an imagined table directly, because a turn's plan tries out hundreds of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex, Mask, hexes_of

from ..combat.engagement import enter
from ..paths.reach import Reach, full, leavable, reach
from ..table import verbs
from ..table.board import units_of
from ..table.ids import (
    AXIS,
    DEAD,
    EXITED,
    NO_DIR,
)
from ..table.scenarios import script
from ..table.state import State, disrupt, put
from .assessment import Outlook
from .clash import Ground, pursuit_loss, step_worth


class Step(NamedTuple):
    """One block of a move."""

    unit: int
    hex: Hex
    via: int = NO_DIR
    off_map: bool = False  # 17.1a it leaves by this edge hex


class Move(NamedTuple):
    """A group move (5.1), or a regroup move (5.2) to `gather`."""

    hex: Hex
    rommel: int
    steps: tuple[Step, ...]
    gather: Hex = -1

    def actions(self) -> list[Action]:
        """The move as it is told to the game."""
        if self.gather >= 0:
            out: list[Action] = [(verbs.REGROUP, self.hex, self.rommel), (verbs.GATHER, self.gather)]
            out += [(verbs.JOIN, step.unit, step.via) for step in self.steps]
        else:
            out = [(verbs.GROUP, self.hex, self.rommel)]
            for step in self.steps:
                out.append((verbs.MOVE, step.unit))
                out.append((verbs.EXIT, step.hex) if step.off_map else (verbs.TO, step.hex, step.via))
        out.append((verbs.END_MOVE,))
        return out


# Carrying a move out on an imagined table


def carry_out(s: State, side: int, move: Move, outlook: Outlook) -> tuple[State, float]:
    """The table after a move, and what routs and pursuits on the way cost the enemy of `side`."""
    after = s.copy()
    foe = 1 - side
    left: set[Hex] = set()
    for step in move.steps:
        u = step.unit
        start = after.at[u]
        if step.off_map:
            put(after, u, EXITED)
            after.exited[side] += 1
        elif after.occ[foe] >> start & 1:
            left.add(start)
            put(after, u, step.hex)
            disrupt(after, u)
        elif after.occ[foe] >> step.hex & 1 and step.via == NO_DIR:
            continue  # enemies routed into the way meanwhile
        else:
            enter(after, u, step.hex, step.via)
        after.moved |= 1 << u
    if move.rommel:
        after.rommel_used = 1
    toll = 0.0
    for h in hexes_of(after.overrun):
        toll += rout(after, h, foe, outlook)
    after.overrun = 0
    for h in left:
        gone = sum(1 << step.unit for step in move.steps if s.at[step.unit] == h)
        toll -= price_of_leaving(after, h, side, gone, outlook)
    return after, toll


def price_of_leaving(s: State, h: Hex, side: int, gone: int, outlook: Outlook) -> float:
    """What it costs to take blocks out of a battle: pursuit (10.3b), or the probe of a rearguard (10.41)."""
    foe = 1 - side
    pursuers = s.here[h] & s.board.of_side[foe] & ~s.disrupted
    rearguard = s.here[h] & s.board.of_side[side] & ~s.disrupted
    if rearguard:
        s.no_fight |= 1 << h
        probe = outlook.clash(s, pursuers, rearguard, Ground(passive_defends=bool(s.defends[side] >> h & 1)), 1)
        caught = pursuit_loss(s, pursuers, outlook.stack(s, gone).force) * probe.passive_share**2
        return max(0.0, probe.passive - probe.active + caught)
    cost = pursuit_loss(s, pursuers, outlook.stack(s, gone).force)
    if s.occ[side] >> h & 1:
        cost += rout(s, h, side, outlook)
    return cost


def rout(s: State, h: Hex, side: int, outlook: Outlook) -> float:
    """11.3 Disrupted blocks are driven out of a hex: what that costs their side, besides those that die."""
    board = s.board
    units = s.here[h] & board.of_side[side]
    pursuers = s.here[h] & board.of_side[1 - side] & ~s.disrupted
    home = board.base[side]
    saved = outlook.fed[side] >> h & 1 and not s.occ[1 - side] >> home & 1
    toll = 0.0
    gone = 0
    for u in units_of(units):
        if not saved or s.cv[u] <= board.step_cv[u]:
            gone |= 1 << u
            put(s, u, DEAD)
        else:
            toll += step_worth(board, s.cv[u], u)
            put(s, u, home)
            s.fresh |= 1 << u
    survivors = units & ~gone
    if survivors:
        toll += pursuit_loss(s, pursuers, outlook.stack(s, survivors).force)
    return toll


# Who can go where


class Staff:
    """Which blocks of a side can still move, and how far."""

    def __init__(self, s: State, side: int, outlook: Outlook) -> None:
        self.s = s
        self.side = side
        self.outlook = outlook
        board = s.board
        rommel = side == AXIS and not s.rommel_used and script(s).rommel_move
        self.rommel = int(rommel)
        self.reach: dict[int, Reach] = {}
        self.sources: dict[Hex, list[int]] = {}
        free = engaged = 0
        for h in hexes_of(s.firm[side]):
            ready = s.here[h] & board.of_side[side] & ~(s.disrupted | s.moved)
            for u in units_of(ready):
                r = reach(s, u, self.rommel)
                if r.free or r.engaged:
                    self.reach[u] = r
                    self.sources.setdefault(h, []).append(u)
                    free |= r.free
                    engaged |= r.engaged
        self.free: Mask = free
        self.engaged: Mask = engaged

    # Attacks

    def vias(self, u: int, h: Hex) -> list[int]:
        """The sides by which a block can engage in a hex."""
        by_side = self.reach[u].by_side
        return [d for d in range(6) if by_side[d] >> h & 1]

    def into(self, h: Hex, units: Iterable[int]) -> tuple[Step, ...]:
        """As many of these blocks as can get into a hex, under the hexside limits of 7.1."""
        s, board = self.s, self.s.board
        if not s.occ[1 - self.side] >> h & 1:
            return tuple(Step(u, h) for u in units if self.reach[u].free >> h & 1)
        room = []
        for d in range(6):
            b = 1 << h
            if full(s, d) & b:
                room.append(0)
            else:
                room.append(1 if board.narrow[d] & b or s.entered[d] & b else 2)
        fed = self.outlook.fed[self.side]
        able = [(len(vias), -s.cv[u], u, vias) for u in units if (vias := self.vias(u, h))]
        steps = []
        for _, _, u, vias in sorted(able):
            open_ = [d for d in vias if room[d]]
            if not open_:
                continue
            # from a side in supply, and through as many sides as possible: that shuts the enemy in
            d = max(open_, key=lambda d: (fed >> board.grid.neighbour(h, d) & 1, room[d], -d))
            room[d] -= 1
            steps.append(Step(u, h, d))
        return tuple(steps)

    def commands(self, units: Sequence[int], most: int) -> list[tuple[Hex, list[int]]]:
        """5.2a The command points that bring most of these blocks together, with the blocks."""
        s, board = self.s, self.s.board
        weight = {u: s.cv[u] + 1 for u in units}
        points: Mask = 0
        for u in units:
            points |= board.grid.within(s.at[u], 1)
        points &= board.land & (s.occ[self.side] | ~s.occ[1 - self.side])
        found: dict[tuple[int, ...], Hex] = {}
        for c in hexes_of(points):
            near = board.grid.within(c, 1)
            inside = tuple(u for u in units if near >> s.at[u] & 1)
            if len({s.at[u] for u in inside}) > 1:
                found.setdefault(inside, c)
        best = sorted(found.items(), key=lambda item: (-sum(weight[u] for u in item[0]), item[1]))
        return [(c, list(inside)) for inside, c in best[:most]]

    def to_one_hex(self, h: Hex, regroups: int = 2) -> Iterator[Move]:
        """Moves that bring blocks to a hex: from each hex around, or together by a regroup move."""
        s = self.s
        hostile = s.occ[1 - self.side] >> h & 1
        able = [u for u, r in self.reach.items() if (r.engaged if hostile else r.free) >> h & 1 and s.at[u] != h]
        if not able:
            return
        by_hex: dict[Hex, list[int]] = {}
        for u in able:
            by_hex.setdefault(s.at[u], []).append(u)
        for start, units in by_hex.items():
            steps = self.into(h, units)
            if steps:
                yield Move(start, self.rommel, steps)
        if len(by_hex) > 1:
            for point, units in self.commands(able, regroups):
                steps = self.into(h, units)
                if len(steps) > 1:
                    yield Move(point, self.rommel, steps, h)

    def strongest(self, h: Hex, most: int) -> list[Move]:
        """The moves that bring most to a hex."""
        cv = self.s.cv
        moves = self.to_one_hex(h, most)
        return sorted(moves, key=lambda move: -sum(cv[step.unit] for step in move.steps))[:most]

    def attacks(self, targets: Mask, regroups: int = 2) -> Iterator[Move]:
        """Every attack on these hexes, and help for the battles in them."""
        for h in hexes_of(targets & self.engaged):
            yield from self.to_one_hex(h, regroups)

    # Other moves

    def best_hexes(self, hexes: Mask, units: Sequence[int], most: int) -> list[Hex]:
        """The hexes where these blocks are wanted most, in supply and not in the enemy's teeth."""
        outlook = self.outlook
        field, threat = outlook.fields[self.side], outlook.threats[1 - self.side]
        fed = outlook.fed[self.side]
        occupied = self.s.firm[self.side]
        strength = sum(self.s.cv[u] for u in units) + 1

        def rank(h: Hex) -> float:
            risk = max(0.0, threat[h] * 0.65 - strength) / strength
            company = 0.3 if occupied >> h & 1 else 0.0
            return field[h] + (0.0 if fed >> h & 1 else 2.5) + min(risk, 2.0) - company

        return sorted(hexes_of(hexes), key=lambda h: (rank(h), h))[:most]

    def advances(self, common: int, fast: int) -> Iterator[Move]:
        """Moves toward the objectives: each group as a whole, its fast blocks, each block on its own."""
        s = self.s
        board = s.board
        for start, units in self.sources.items():
            if s.occ[1 - self.side] >> start & 1:
                continue
            together = ~0
            anywhere = 0
            for u in units:
                together &= self.reach[u].free
                anywhere |= self.reach[u].free
            for h in self.best_hexes(together & anywhere, units, common):
                yield Move(start, self.rommel, tuple(Step(u, h) for u in units))
            quick = [u for u in units if board.speed[u] >= 3]
            if quick and len(quick) < len(units):
                far = ~0
                for u in quick:
                    far &= self.reach[u].free
                for h in self.best_hexes(far & anywhere, quick, fast):
                    yield Move(start, self.rommel, tuple(Step(u, h) for u in quick))
            if len(units) > 1:
                steps = []
                for u in units:
                    best = self.best_hexes(self.reach[u].free, units, 1)
                    if best:
                        steps.append(Step(u, best[0]))
                yield Move(start, self.rommel, tuple(steps))

    def gatherings(self, most: int) -> Iterator[Move]:
        """Regroup moves that bring scattered blocks together where they are wanted."""
        s = self.s
        loose = [u for u in self.reach if not s.occ[1 - self.side] >> s.at[u] & 1]
        if not loose:
            return
        for point, units in self.commands(loose, most):
            shared = 0
            for u in units:
                shared |= self.reach[u].free
            for h in self.best_hexes(shared, units, 2):
                steps = self.into(h, [u for u in units if s.at[u] != h])
                if len(steps) > 1:
                    yield Move(point, self.rommel, steps, h)

    def raids(self, hexes: Mask, most: int) -> Iterator[Move]:
        """Moves into hexes that cut enemy blocks off from supply, those first that cut off most."""
        for h in self.outlook.cuts(self.s, 1 - self.side, hexes & self.free)[:most]:
            yield from self.to_one_hex(h, 1)

    def posts(self, hexes: Mask, most: int) -> Iterator[Move]:
        """Single blocks, weak ones first, to hold hexes in which the enemy would cut our own lines."""
        s = self.s
        threat = self.outlook.threats[1 - self.side]
        exposed = sum(1 << h for h in hexes_of(hexes & self.free) if threat[h])
        for h in self.outlook.cuts(s, self.side, exposed)[:most]:
            able = [u for u, r in self.reach.items() if r.free >> h & 1 and not s.occ[1 - self.side] >> s.at[u] & 1]
            if able:
                u = min(able, key=lambda u: (s.cv[u], u))
                yield Move(s.at[u], self.rommel, (Step(u, h),))

    def guards(self) -> Iterator[Move]:
        """17.1b Blocks to the own base, or into the way to it, if the enemy could be there with his next move."""
        s, home = self.s, self.outlook.home
        if not home.peril(s, self.side):
            return
        for h in home.ways(s):
            if not self.free >> h & 1:
                continue
            able = [u for u, r in self.reach.items() if r.free >> h & 1]
            for u in dict.fromkeys((min(able, key=lambda u: (s.cv[u], u)), max(able, key=lambda u: (s.cv[u], u)))):
                yield Move(s.at[u], self.rommel, (Step(u, h),))
            yield from self.to_one_hex(h, 1)

    def retreats(self, most: int) -> Iterator[Move]:
        """Moves that take a group out of danger, out of a battle too."""
        s = self.s
        threat = self.outlook.threats[1 - self.side]
        field = self.outlook.fields[self.side]
        fed = self.outlook.fed[self.side]
        for start, units in self.sources.items():
            strength = sum(s.cv[u] for u in units)
            if not s.occ[1 - self.side] >> start & 1 and threat[start] * 0.65 <= strength:
                continue
            together = ~0
            for u in units:
                together &= self.reach[u].free
            if together == ~0:
                continue
            safe = sorted(hexes_of(together & fed), key=lambda h: (threat[h] + 2 * field[h], h))
            for h in safe[:most]:
                yield Move(start, self.rommel, tuple(Step(u, h) for u in units))

    def wins(self) -> Iterator[Move]:
        """17.1 Moves that win at once: into the empty enemy base, or off the enemy's map edge."""
        s = self.s
        goal = s.board.base[1 - self.side]
        if self.free >> goal & 1:
            yield from self.to_one_hex(goal, 0)
        for start, units in self.sources.items():
            steps = []
            for u in units:
                edge = leavable(s, self.reach[u], u)
                if edge:
                    steps.append(Step(u, hexes_of(edge)[0], NO_DIR, True))
            if steps and len(steps) + s.exited[self.side] >= 3:
                yield Move(start, self.rommel, tuple(steps))
