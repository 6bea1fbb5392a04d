"""How good a position is for a side: blocks, supply, battles, Tobruk, bases and the way still to go.

An `Outlook` is made once for a decision, from a table imagined out of the player's view; it then judges
hundreds of positions that differ from it by a few moves.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import sqrt, tanh
from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.mechanics.memory import remembered

from ..supply.supply import trace
from ..table.board import Board, units_of
from ..table.ids import ARMOUR
from ..table.state import State
from .clash import Force, Ground, Prospect, force_of, prospect, pursuit_loss
from .home import Home
from .params import NORMAL, Params
from .worth import BLOCK_WORTH, months_left, unit_worth

WIN = 1000.0

# The cost of a hex by the best road across its side, about as units move and redeploy.
ROAD_COST = (0.45, 0.62, 0.8, 1.0)


@remembered(1024)
def distances(board: Board, start: Hex) -> tuple[float, ...]:
    """How far every hex is from a hex, by the roads and over open ground."""
    far = [99.0] * board.size
    far[start] = 0.0
    queue = [(0.0, start)]
    while queue:
        d, h = heappop(queue)
        if d > far[h]:
            continue
        for direction, n in board.steps[h]:
            grade = next((g for g, road in enumerate(board.roads) if road[direction] >> h & 1), 3)
            there = d + ROAD_COST[grade]
            if there < far[n]:
                far[n] = there
                heappush(queue, (there, n))
    return tuple(far)


class Stack(NamedTuple):
    """Blocks of one side in one hex, summed up."""

    worth: float
    force: Force
    march: float  # what a step nearer to the objective is worth to them
    defence: float  # CV, as it counts in a fortress (13.2a)


HexKey = tuple[Hex, int, int, int, bool, Mask]
"""What the worth of the blocks in a hex depends on; see `Outlook._hex`."""


class Outlook:
    """What a side makes of the table at one moment."""

    def __init__(self, s: State, me: int, params: Params = NORMAL) -> None:
        self.params = params
        self.board = s.board
        self.me = me
        self.left = months_left(s)
        self._stacks: dict[int, Stack] = {}
        self._hexes: dict[tuple[int, int, bool, bool], dict[HexKey, tuple[float, float]]] = {}
        self._clashes: dict[tuple[int, ...], Prospect] = {}
        self.late = late = 1 / (1 + self.left)
        self.tobruk_worth = self.params.tobruk_early + (self.params.tobruk_late - self.params.tobruk_early) * late
        self.tobruk_index = s.board.fortresses.index(s.board.tobruk)
        self.fed = (trace(s, 0), trace(s, 1))
        strength = [self._strength(s, 0), self._strength(s, 1)]
        self.ratio = ((strength[0] + 1) / (strength[1] + 1), (strength[1] + 1) / (strength[0] + 1))
        self.fields = (self._field(s, 0), self._field(s, 1))
        self.threats = (self._threat(s, 0), self._threat(s, 1))
        self.needs = [self._needs(s, 0), self._needs(s, 1)]
        self.home = Home(s, me, params)

    # What is worked out once

    def _strength(self, s: State, side: int) -> float:
        """The CV that a side can use, in supply."""
        return sum(
            self.stack(s, s.here[h] & s.board.of_side[side] & ~s.disrupted).force.worth
            for h in hexes_of(s.firm[side] & self.fed[side])
        )

    def objectives(self, s: State, side: int) -> list[tuple[Hex, float]]:
        """Where a side wants its blocks to be, each with the distance at which that counts for as much."""
        board = s.board
        tobruk, home, goal = board.tobruk, board.base[side], board.base[1 - side]
        enemies = s.occ[1 - side]
        ratio = self.ratio[side]
        holds = s.fort_owner[self.tobruk_index] == side
        aims: list[tuple[Hex, float]] = []
        from_home = distances(board, home)
        if not holds and ratio > 0.6:
            aims.append((tobruk, 0.0))
        if holds:
            near = board.grid.within(tobruk, 2) & board.land & ~(1 << tobruk)
            siege = near & enemies
            if siege:
                aims += [(h, 0.0) for h in hexes_of(siege)]
            else:
                from_goal = distances(board, goal)
                shield = sorted(hexes_of(near), key=lambda h: from_goal[h])[:4]
                aims += [(h, 1.5) for h in shield]
            aims.append((tobruk, 2.0))
        for h in hexes_of(enemies):
            weak = not s.firm[1 - side] >> h & 1
            if ratio > 0.75 or weak or from_home[h] < 6:
                aims.append((h, 1.5 if weak else 3.0))
        if ratio > 0.9:
            aims.append((goal, 5.0 if ratio > 1.6 else 9.0))
        if not aims or ratio <= 0.75:
            rally = min(hexes_of(board.coast_hexes), key=lambda h: abs(from_home[h] - 2.5))
            aims.append((rally, 4.0))
        return aims

    def _field(self, s: State, side: int) -> tuple[float, ...]:
        """By hex, how far it is from where the side wants its blocks."""
        aims = self.objectives(s, side)
        maps = [(offset, distances(s.board, h)) for h, offset in aims]
        return tuple([min([offset + far[h] for offset, far in maps]) for h in range(s.board.size)])

    def _threat(self, s: State, side: int) -> list[float]:
        """By hex, the CV that a side could soon bring there."""
        board = s.board
        threat = [0.0] * board.size
        for h in hexes_of(s.firm[side]):
            stack = self.stack(s, s.here[h] & board.of_side[side] & ~s.disrupted)
            far = distances(board, h)
            reach = min(4.5, stack.force.slowest + 1.5)
            for n in range(board.size):
                d = far[n]
                if d <= reach:
                    threat[n] += stack.force.total * (1.0 if d < 2 else 0.7 if d < 3 else 0.45)
        return threat

    def _needs(self, s: State, side: int) -> tuple[float, float]:
        """The CV that should guard the base and Tobruk, by how near the enemy is."""
        board = s.board
        enemies = hexes_of(s.firm[1 - side])
        needs = []
        for place in (board.base[side], board.tobruk):
            far = distances(board, place)
            near = min((far[h] for h in enemies), default=99.0)
            needs.append(14.0 if near < 3 else 9.0 if near < 5 else 5.0 if near < 9 else 1.5)
        return needs[0], needs[1]

    def cuts(self, s: State, side: int, hexes: Mask) -> list[Hex]:
        """Those of some empty hexes where an enemy block would cut off blocks of a side, the worst first."""
        table = s.copy()
        before = s.occ[side] & trace(s, side)
        found = []
        for h in hexes_of(hexes & ~(s.occ[0] | s.occ[1])):
            table.firm[1 - side] = s.firm[1 - side] | 1 << h
            lost = before & ~trace(table, side)
            if lost:
                worth = sum(self.stack(s, s.here[n] & s.board.of_side[side]).worth for n in hexes_of(lost))
                found.append((-worth, h))
        return [h for _, h in sorted(found)]

    # Blocks together

    def stack(self, s: State, units: int) -> Stack:
        """Some blocks of one side, as they are worth in full; they stay as strong as they were at first."""
        known = self._stacks.get(units)
        if known is not None:
            return known
        board = s.board
        force = force_of(s, units)
        worth = march = 0.0
        for u in units_of(units):
            worth += unit_worth(board, s.cv[u], u)
            march += self.params.march_worth + self.params.march_worth_cv * s.cv[u]
        found = Stack(worth, force, march, 2 * force.total - force.cv[ARMOUR])
        self._stacks[units] = found
        return found

    def clash(self, s: State, attacking: int, defending: int, ground: Ground, rounds: int = 3) -> Prospect:
        """A battle between these blocks."""
        key = (attacking, defending, *ground, rounds)
        known = self._clashes.get(key)
        if known is None:
            a, b = self.stack(s, attacking).force, self.stack(s, defending).force
            known = self._clashes[key] = prospect(s.board, a, b, ground, rounds)
        return known

    # The judgement

    def judge(
        self, s: State, active: int, month_ends: bool = False, assault: bool = False, idle: bool = False
    ) -> float:
        """How good the position is for this side, `active` being in his combat phase.

        `month_ends`: the month is over, so that blocks without supply are lost (12.7k). `assault`: his
        battles are assaults. `idle`: he fights none.
        """
        me = self.me
        board = s.board
        bases = board.base_mask
        for side in (0, 1):
            if s.occ[side] & bases[1 - side] and not s.occ[1 - side] & bases[1 - side]:
                return WIN if side == me else -WIN
            if s.exited[side] >= 3:
                return WIN if side == me else -WIN
        mine, count = self._blocks(s, me, active, month_ends)
        theirs, enemies = self._blocks(s, 1 - me, active, month_ends)
        total = mine - theirs + self.late * self._majority(count, enemies)
        for h in hexes_of(s.firm[0] & s.firm[1]):
            total += self.battle(s, h, active, assault, idle)
        return total + self._places(s) - self.home.peril(s, active)

    def _majority(self, mine: float, theirs: float) -> float:
        """17.2, 17.4 What the numbers of units, in halves, would say after the last month."""
        verdict = self.params.majority * tanh((mine - theirs) / 6)
        verdict += self.params.ratio / 2 * (1 + tanh((mine - 2 * theirs) / 5))
        return verdict - self.params.ratio / 2 * (1 + tanh((theirs - 2 * mine) / 5))

    def _blocks(self, s: State, side: int, active: int, month_ends: bool) -> tuple[float, float]:
        """The blocks of a side, by the state they are in and where they stand, and their count (17.2b)."""
        board = s.board
        own = board.of_side[side]
        disrupted, unsupplied = s.disrupted, s.unsupplied
        here = s.here
        fed = trace(s, side)
        enemies = s.occ[1 - side]
        special = board.fortress_mask | board.oasis_mask
        case = (side, min(s.real[side], 2), active == side, month_ends)
        known = self._hexes.setdefault(case, {})
        total = count = 0.0
        for h in hexes_of(s.occ[side]):
            units = here[h] & own
            b = 1 << h
            supplied = bool(fed & b) or (bool(special & b) and self._fed_here(s, side, h, units))
            key = (h, units, units & disrupted, units & unsupplied, supplied, enemies & b)
            found = known.get(key)
            if found is None:
                found = known[key] = self._hex(s, h, case, *key[1:])
            total += found[0]
            count += found[1]
        base_need, tobruk_need = self.needs[side]
        total += self.params.guard_worth * self._guard(s, side, board.base[side], base_need)
        if s.fort_owner[self.tobruk_index] == side:
            total += self.params.garrison_worth * self._guard(s, side, board.tobruk, tobruk_need)
        return total, count / BLOCK_WORTH

    def _hex(
        self,
        s: State,
        h: Hex,
        case: tuple[int, int, bool, bool],
        units: int,
        shaken: int,
        marked: int,
        supplied: bool,
        enemies: Mask,
    ) -> tuple[float, float]:
        """What the blocks of a side in one hex are worth there, and how many they are.

        `case`: the side, its real cards, whether its final check is to come, whether the month ends.
        """
        side, cards, checked, month_ends = case
        field, threat = self.fields[side][h], self.threats[1 - side][h]
        total = count = 0.0
        ready = units & ~shaken
        if ready:
            stack = self.stack(s, ready)
            count += stack.force.blocks
            if supplied:
                total += stack.worth - stack.march * field
                if not enemies:
                    walls = s.board.fortress_mask >> h & 1
                    strength = stack.defence if walls else stack.force.total
                    danger = threat * 0.65 - strength
                    if danger > 0:
                        total -= stack.worth * min(0.12, 0.04 * danger / strength)
            elif not month_ends:
                left = self.params.cut_off[cards]
                if marked & ready:  # 12.7g at its final check it is disrupted
                    left = self.params.helpless if checked else self.params.marked[cards]
                total += stack.worth * left - 0.5 * stack.march * field
        if shaken:
            stack = self.stack(s, shaken)
            count += stack.force.blocks
            if supplied:
                left = 1.0 if month_ends else self.params.in_the_open if threat and not ready else self.params.disrupted
                total += stack.worth * left - stack.march * field
            elif not month_ends:
                total += stack.worth * self.params.helpless
        return total, count

    def _fed_here(self, s: State, side: int, h: Hex, units: int) -> bool:
        """13.3, 15.1 Whether the fortress or oasis can feed all blocks in it."""
        board = s.board
        if board.oasis_mask >> h & 1:
            return units.bit_count() == 1
        i = board.fortresses.index(h)
        return s.fort_owner[i] == side and units.bit_count() <= board.capacity[i][side]

    def _guard(self, s: State, side: int, h: Hex, need: float) -> float:
        """How well a place is guarded, from 0 to 1."""
        units = s.here[h] & s.board.of_side[side] & ~s.disrupted
        if not units:
            return 0.0
        stack = self.stack(s, units)
        strength = stack.defence if s.board.fortress_mask >> h & 1 else stack.force.total
        return min(1.0, sqrt(strength / need))

    def battle(self, s: State, h: Hex, active: int, assault: bool = False, idle: bool = False) -> float:
        """What the battle in a hex promises this side."""
        board = s.board
        b = 1 << h
        units = s.here[h] & ~s.disrupted
        attacking = units & board.of_side[active]
        defending = units & board.of_side[1 - active]
        fortress = bool(board.fortress_mask & b)
        ground = Ground(
            fortress,
            bool((s.mines_open | s.mines[self.me]) & b),
            bool(s.defends[1 - active] & b),
            assault,
            bool(s.attacked & b) or (fortress and bool(s.defends[1 - active] & b)),
            idle or bool(s.no_fight & b),
        )
        fight = self.clash(s, attacking, defending, ground)
        value = fight.passive - fight.active
        value += self.stake(h, 1 - active) * fight.passive_share**2
        value -= self.stake(h, active) * fight.active_share**2
        if s.attacked & b and trace(s, 1 - active) & b:  # 10.2 they may slip away
            stack = self.stack(s, defending)
            escape = pursuit_loss(s, attacking, stack.force) + (1 - self.params.in_the_open) * stack.worth
            escape += self.stake(h, 1 - active) * 0.5
            value = min(value, escape)
        return value if active == self.me else -value

    def stake(self, h: Hex, side: int) -> float:
        """What a side loses with a hex besides its blocks."""
        if h == self.board.base[side]:
            return self.params.base_stake
        if h == self.board.tobruk:
            return self.params.tobruk_stake
        return 0.5

    def _places(self, s: State) -> float:
        """Fortresses, and above all Tobruk, as they would be judged now (17.3)."""
        board = s.board
        total = 0.0
        for i, h in enumerate(board.fortresses):
            owner = s.fort_owner[i]
            if s.firm[1 - owner] >> h & 1 and not s.occ[owner] >> h & 1:
                owner = 1 - owner  # 13.4a by the end of the turn
            worth = self.params.fortress_worth
            if i == self.tobruk_index:
                free = not board.grid.within(h, 1) & s.occ[1 - owner]
                worth = self.tobruk_worth * (1.0 if free else self.params.besieged_tobruk * (1 - self.late))
            total += worth if owner == self.me else -worth
        return total
