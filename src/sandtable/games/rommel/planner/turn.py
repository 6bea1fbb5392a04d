"""The plan of a player turn: which option, which moves, judged with the enemy's best answer in mind.

First every move that could make sense is tried out on one imagined table; the best of them are refined,
joined to pairs (Offensive, Blitz) and weighed against the cards they cost; the best plans of all are then
looked at again on other imagined tables, each with the answers that the enemy has to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sandtable.engine.hexes import Mask, hexes_of

from ..supply.supply import network, unsupplied_units
from ..table.board import units_of
from ..table.ids import ASSAULT, BASIC, BLITZ, OFFENSIVE, PASS
from ..table.state import State, disrupt
from .assessment import Outlook
from .orders import Move, Staff, Step, carry_out
from .params import NORMAL, Params
from .worth import card_price


class Work:
    """Positions judged for one decision; when there have been enough, what is known has to do."""

    __slots__ = ("left",)

    def __init__(self, tries: int) -> None:
        self.left = tries


class Plan(NamedTuple):
    """An option and the moves to make with it."""

    option: int
    moves: tuple[Move, ...] = ()


Weighed = tuple[float, int, Plan]
"""The worth of a plan on some tables together, its place in the list (the later, the lower), and the plan."""


class Judged(NamedTuple):
    """A plan with its worth: cards paid, the enemy's answer not yet counted."""

    value: float
    plan: Plan


class TurnSearch:
    """The search for the best plan of one turn, on one imagined table."""

    def __init__(self, s: State, me: int, params: Params = NORMAL, work: Work | None = None) -> None:
        self.s = s
        self.me = me
        self.foe = 1 - me
        self.params = params
        self.outlook = Outlook(s, me, params)
        self.work = Work(params.tries) if work is None else work

    def enough(self) -> bool:
        """Whether as many positions have been judged as one decision is worth."""
        return self.work.left <= 0

    # Moves

    def moves(self, s: State, most: int) -> list[Move]:
        """The moves worth a look, each only once."""
        staff = Staff(s, self.me, self.outlook)
        enemies = s.occ[self.foe]
        lines = network(s, self.foe).lines & ~enemies & ~s.occ[self.me]
        found: dict[frozenset[Step], Move] = {}
        sources: tuple[Iterable[Move], ...] = (
            staff.wins(),
            staff.guards(),
            staff.attacks(enemies),
            staff.advances(3, 2),
            staff.raids(lines, self.params.raids),
            staff.gatherings(6),
            staff.posts(network(s, self.me).lines, self.params.raids // 2),
            staff.retreats(2),
        )
        for source in sources:
            for move in source:
                if move.steps:
                    found.setdefault(frozenset(move.steps), move)
            if len(found) > most:
                break
        return list(found.values())[:most]

    def try_out(self, s: State, move: Move, assault: bool = False) -> tuple[float, State, float]:
        """The worth of a move, the table after it, and the toll of its routs."""
        self.work.left -= 1
        after, toll = carry_out(s, self.me, move, self.outlook)
        return self.outlook.judge(after, self.me, assault=assault) + toll, after, toll

    def best_moves(self, s: State, most: int, refined: int, assault: bool = False) -> list[tuple[float, Move]]:
        """The moves in the order of their worth, the best of them varied."""
        judged: list[tuple[float, Move]] = []
        for move in self.moves(s, most):
            if self.enough():
                break
            judged.append((self.try_out(s, move, assault)[0], move))
        judged.sort(key=lambda item: (-item[0], item[1]))
        for i in range(min(refined, len(judged))):
            judged[i] = self.refine(s, *judged[i], assault)
        judged.sort(key=lambda item: (-item[0], item[1]))
        return judged

    def refine(self, s: State, value: float, move: Move, assault: bool) -> tuple[float, Move]:
        """Leave single blocks behind, or send those left behind somewhere else, as long as that helps."""
        for step in move.steps:
            if len(move.steps) < 2 or self.enough():
                break
            fewer = move._replace(steps=tuple(x for x in move.steps if x != step))
            worth = self.try_out(s, fewer, assault)[0]
            if worth > value + 0.01:
                value, move = worth, fewer
        if move.gather < 0:
            staff = Staff(s, self.me, self.outlook)
            gone = {step.unit for step in move.steps}
            for u in staff.sources.get(move.hex, ()):
                if u in gone or self.enough():
                    continue
                wanted = staff.best_hexes(staff.reach[u].free, [u], 2)
                follow = [step.hex for step in move.steps if staff.reach[u].free >> step.hex & 1]
                for h in dict.fromkeys(wanted + follow[:1]):
                    more = move._replace(steps=(*move.steps, Step(u, h)))
                    worth = self.try_out(s, more, assault)[0]
                    if worth > value + 0.01:
                        value, move = worth, more
                        break
        return value, move

    # Plans

    def plans(self) -> list[Plan]:
        """The plans that promise most, and passing, which is always among them."""
        s, me, params = self.s, self.me, self.params
        real = s.real[me]
        found = [Judged(self.pass_value(s), Plan(PASS))]
        if not real:
            return [Plan(PASS)]
        price = [card_price(s, me, n) for n in range(4)]
        fights = s.firm[0] & s.firm[1]
        if fights:
            found.append(Judged(self.outlook.judge(s, me) - price[1], Plan(BASIC)))
            if real > 1:
                found.append(Judged(self.outlook.judge(s, me, assault=True) - price[2], Plan(ASSAULT)))
        firsts = self.best_moves(s, params.moves, params.refined)
        for value, move in firsts[: params.plans]:
            found.append(Judged(value - price[1], Plan(BASIC, (move,))))
        if real > 1:
            for _, move in firsts[: params.pairs]:
                worth, after, _ = self.try_out(s, move, assault=True)
                if after.firm[0] & after.firm[1]:
                    found.append(Judged(worth - price[2], Plan(ASSAULT, (move,))))
            found += self.double_moves(firsts[: params.pairs], price)
        found.sort(key=lambda item: (-item.value, item.plan))
        best = [item.plan for item in found[: params.plans]]
        return best if Plan(PASS) in best else [*best, Plan(PASS)]

    def double_moves(self, firsts: Sequence[tuple[float, Move]], price: Sequence[float]) -> list[Judged]:
        """Plans with a second move after each of these."""
        s, me = self.s, self.me
        found = []
        for _, move in firsts:
            if self.enough():
                break
            _, after, toll = self.try_out(s, move)
            for value, second in self.best_moves(after, self.params.seconds, 1)[:2]:
                found.append(Judged(value + toll - price[2], Plan(OFFENSIVE, (move, second))))
                if s.real[me] > 2:
                    extra = self.blitz_bonus(after, second)
                    found.append(Judged(value + toll + extra - price[3], Plan(BLITZ, (move, second))))
        return found

    def blitz_bonus(self, s: State, second: Move) -> float:
        """4.4 What a second combat phase adds, after the first has made way for the second move."""
        after, _ = carry_out(s, self.me, second, self.outlook)
        gains = [self.outlook.battle(after, h, self.me) for h in hexes_of(after.firm[0] & after.firm[1])]
        return self.params.blitz_fervour * sum(gain for gain in gains if gain > 0)

    def pass_value(self, s: State) -> float:
        """What it is worth to do nothing. If the enemy has passed as well, the month is over (4.5d)."""
        if s.passed:
            return self.outlook.judge(s, self.me, month_ends=True, idle=True)
        after = s.copy()
        final_check(after, self.me)
        return self.outlook.judge(after, self.me, idle=True)

    # The enemy's answer

    def weigh_all(self, found: Sequence[Weighed]) -> list[Weighed] | None:
        """Plans weighed on this table, their worth added to what they had; None if there were no tries left.

        If they run out on the way, the plans not yet weighed are left out.
        """
        weighed = []
        for before, place, plan in found:
            worth = self.weigh(plan)
            if self.enough():
                break
            weighed.append((before + worth, place, plan))
        complete = len(weighed) == len(found) or not any(before for before, _, _ in found)
        return weighed if weighed and complete else None

    def weigh(self, plan: Plan) -> float:
        """The worth of a plan on this table, with the enemy's best answer counted in."""
        s, me = self.s, self.me
        if plan.option == PASS:
            value = self.pass_value(s)
            if s.passed:
                return value
            after = s.copy()
        else:
            cost = s.board.option_cost[plan.option]
            after, toll = s.copy(), 0.0
            after.real[me] -= cost
            for move in plan.moves:
                after, more = carry_out(after, me, move, self.outlook)
                toll += more
            value = self.outlook.judge(after, me, assault=plan.option == ASSAULT) + toll
            if plan.option == BLITZ:
                value += self.blitz_bonus(self.between(plan), plan.moves[-1])
            value -= card_price(s, me, cost)
            after = after.copy()
        if abs(value) > 500:
            return value
        final_check(after, me)
        return value - self.fear(after)

    def between(self, plan: Plan) -> State:
        """The table after all but the last move of a plan."""
        after = self.s
        for move in plan.moves[:-1]:
            after, _ = carry_out(after, self.me, move, self.outlook)
        return after

    def fear(self, after: State) -> float:
        """What the enemy can spoil with his next turn."""
        foe = self.foe
        cards = after.real[foe] + after.dummy[foe]
        if not cards:
            return 0.0
        able = 1 - (1 / 3) ** cards
        begin_enemy_turn(after, foe)
        staff = Staff(after, foe, self.outlook)
        quiet = self.outlook.judge(after, foe)
        targets = after.occ[self.me]
        lines = network(after, self.me).lines & ~targets & ~after.occ[foe]
        worst = 0.0
        for i, move in enumerate(self.answers(staff, targets, lines)):
            if i >= self.params.answers or self.enough():
                break
            self.work.left -= 1
            reply, toll = carry_out(after, foe, move, self.outlook)
            worst = max(worst, quiet - (self.outlook.judge(reply, foe) - toll))
        return worst * able * self.params.fear

    def answers(self, staff: Staff, targets: Mask, lines: Mask) -> Iterator[Move]:
        """What the enemy might do: win at once, overrun, cut supply lines, attack, each with all he has."""
        yield from staff.wins()
        weak = targets & ~staff.s.firm[self.me]
        for h in hexes_of(weak & staff.engaged):
            yield from staff.strongest(h, 1)
        for h in self.outlook.cuts(staff.s, self.me, lines & staff.free)[: self.params.raids // 2]:
            yield from staff.strongest(h, 2)
        for h in hexes_of(targets & ~weak & staff.engaged):
            yield from staff.strongest(h, 2)


def final_check(s: State, side: int) -> None:
    """12.7g Blocks that were and still are without supply are disrupted."""
    marked = s.unsupplied & s.board.of_side[side] & ~s.disrupted
    if marked:
        for u in units_of(marked & unsupplied_units(s, side)):
            disrupt(s, u)


def begin_enemy_turn(s: State, side: int) -> None:
    """The table as the other side finds it at the start of its turn."""
    s.active = side
    s.moved = 0
    s.rommel_used = 0
    s.attacked = s.no_fight = 0
    s.entered = [0] * 12
