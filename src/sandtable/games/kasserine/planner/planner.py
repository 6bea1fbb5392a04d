"""How the computer plays Kasserine.

Everything lies open in this game but the value of an Untried minefield, so the table that a view shows is the table.
A movement phase is planned as a whole (marches.py) and carried out unit by unit as long as the game allows it; what a
fight promises is reckoned over every face of the die (prospects.py), and so are all decisions of a combat and of a
reaction.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from sandtable.engine.contract import Action, Game
from sandtable.engine.seats import Seat
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.planning import Thinker, aims

from ..movement.orders import destinations, exits
from ..movement.stacks import group as stack_at_hand
from ..table import steps, verbs
from ..table.ids import AXIS, C1_MOVEMENT
from ..table.position import units_in
from ..table.stacking import room
from ..table.state import State
from . import battle, marches, skies, works
from .attacks import Attack, Attacking, stake
from .marches import Group, Marching, Plan
from .outlook import Outlook, combat_strength
from .params import LIGHT, NORMAL, Params, fancied
from .prospects import sketch, weigh
from .reactions import Reactions, harass
from .worth import stakes, standing, worth

WON = 40.0  # points that the end of a game is worth to who has won it
ALIKE = 0.9  # of the orders of a plan: another one with as many in common is no other plan


def _alike(plan: Plan, other: Plan) -> bool:
    """Whether two plans give nearly the same orders."""
    one, two = set(plan.groups), set(other.groups)
    return len(one & two) >= ALIKE * max(len(one), len(two))


def _top(s: State) -> Any:
    """The step in charge, with its facts."""
    return s.stack[-1]


class Planner(Thinker[State, Plan]):
    """A computer player for either side of any scenario."""

    playouts = 36
    margin = 0.5
    scale = 15.0

    def __init__(self, game: Game[State], rng: Random, params: Params = NORMAL) -> None:
        super().__init__(game, rng)
        self.params = params
        self._orders: deque[Group] = deque()
        self._rest: deque[Action] = deque()  # of the group that is being carried out
        self._of: tuple[int, int, int] = (-1, -1, -1)  # turn, phase and side that the orders are for
        self._attack: Attack | None = None
        p = params
        self.handlers = {
            steps.MOVES: self._moves,
            steps.MOVE_TO: self._to,
            steps.STACK_MOVES: self._stack,
            steps.OVERRUN_ENTRY: lambda s, me, legal: next(a for a in legal if a[0] == verbs.TO),
            steps.ENTERING: lambda s, me, legal: marches.arrival(s, me, _top(s).unit, legal, p),
            steps.DECLARATIONS: self._declare,
            steps.DECLARING: self._attack_with,
            steps.AVOIDING: lambda s, me, legal: Reactions(s, me, p).avoid(legal),
            steps.AVOID_LEAD: lambda s, me, legal: Reactions(s, me, p).lead(legal),
            steps.REACTIONS: lambda s, me, legal: Reactions(s, me, p).react(legal),
            steps.REACTION_MOVE: lambda s, me, legal: Reactions(s, me, p).go(_top(s), legal),
            steps.STANDS: lambda s, me, legal: Reactions(s, me, p).stand(legal),
            steps.STAND_LEAD: lambda s, me, legal: Reactions(s, me, p).lead(legal),
            steps.COMMANDING: lambda s, me, legal: Reactions(s, me, p).command(_top(s), legal),
            steps.HARASSING: lambda s, me, legal: harass(s, _top(s), legal),
            steps.AVOID_ADVANCE: lambda s, me, legal: battle.advance(s, me, legal, p),
            steps.COMBATS: lambda s, me, legal: battle.first_fight(s, me, legal, p),
            steps.LEADS: lambda s, me, legal: battle.Battle(s, me, p).lead(legal),
            steps.CRT_CHOICE: lambda s, me, legal: battle.Battle(s, me, p).crt(legal),
            steps.PLANES: lambda s, me, legal: battle.Battle(s, me, p).planes(legal),
            steps.GUNS: lambda s, me, legal: battle.Battle(s, me, p).guns(legal),
            steps.COMBAT_COMMAND: lambda s, me, legal: battle.Battle(s, me, p).command(_top(s), legal),
            steps.SHIFTS: lambda s, me, legal: battle.Battle(s, me, p).shift(legal),
            steps.LOSSES: lambda s, me, legal: battle.lose(s, legal, p),
            steps.RETREATS: lambda s, me, legal: battle.retreat(s, me, _top(s), legal, p),
            steps.BREAK_OUT_LEAD: lambda s, me, legal: battle.break_out_lead(s, legal, p),
            steps.ADVANCES: lambda s, me, legal: battle.advance(s, me, legal, p),
            steps.OVERSTACK: lambda s, me, legal: battle.give_up(s, legal, p),
            steps.ROMMEL_FLEES: self._flee,
            steps.INTERDICTION_PLACING: lambda s, me, legal: skies.interdict(s, me, legal),
            steps.RAIDS: lambda s, me, legal: skies.raid(s, me, _top(s), legal),
            steps.RAID_VICTIMS: lambda s, me, legal: skies.starve(s, legal, p),
            steps.PRIORITY: lambda s, me, legal: skies.priority(s, _top(s), legal, p),
            steps.BOMBING: lambda s, me, legal: skies.bomb(s, me, legal, p),
            steps.BOMBERS: lambda s, me, legal: skies.bomb_with(s, me, _top(s), legal),
            steps.BOMB_HITS: lambda s, me, legal: skies.hit(s, legal, p),
            steps.BOMB_LOSS: lambda s, me, legal: battle.lose(s, legal, p),
            steps.STANDING_ORDERS: lambda s, me, legal: (int(verbs.END_ORDERS),),  # it thinks when it is asked
            steps.ENGINEERS: lambda s, me, legal: works.engineers(s, me, legal, p),
        }

    def choose(self, seat: Seat) -> Action:
        """One of the legal actions of the seat, from nothing but its view."""
        if self._rest and self._rest[0] in seat.legal:  # in the middle of a move: nothing new to see
            return self._rest.popleft()
        return super().choose(seat)

    # The front (mechanics/planning.py)

    def opens(self, s: State, side: int) -> bool:
        """6.11, 6.12 the beginning of a movement phase, or the moment after an overrun: the rest is planned then."""
        if s.stack[-1][0] != steps.MOVES or s.active != side:
            return False
        return self._of != (s.turn, s.phase, side) or not (self._orders or self._rest)

    def plans(self, s: State, side: int, k: int) -> list[Plan]:
        """The phase as it is played by several ways of playing, as far as they come to different orders."""
        legal = self.game.legal(s)
        found: list[Plan] = []
        for name, params in self._variants(k):
            plan = Marching(s, side, legal, params).plan(name)
            if not any(_alike(plan, other) for other in found):
                found.append(plan)
            if len(found) == k:
                break
        usual, *others = found
        return [usual, *sorted(others, key=lambda plan: -plan.value)]

    def begin(self, plan: Plan, s: State, side: int) -> Action:
        """Take a plan up; what the game no longer allows of it is passed over."""
        self._orders = deque(plan.groups)
        self._rest.clear()
        self._of = (s.turn, s.phase, side)
        action = self._planned(s, side, self.game.legal(s))
        return action if action is not None else (int(verbs.END_MOVES),)

    def aims(self, plan: Plan, s: State, side: int) -> list[Text]:
        """The attacks and overruns, and the goals of the scenario that are gone to."""
        overrun = [action[1] for group in plan.groups for action in group if action[0] == verbs.OVERRUN]
        ends = {action[1] for group in plan.groups for action in group if action[0] in (verbs.TO, verbs.EXIT)}
        goals = [goal for goal in Outlook(s.copy(), side, self.params).goals if goal.hex in ends]
        goals.sort(key=lambda goal: -goal.value)
        taken = [goal.hex for goal in goals if not goal.held]
        return aims((*overrun, *plan.attacks), taken, [goal.hex for goal in goals])

    def finished(self, s: State) -> bool:
        return self._of[:2] != (s.turn, s.phase)

    def horizon(self, s: State, side: int) -> Callable[[State], bool]:
        """What a phase was worth shows when the other side has moved after it: at the end of the day for the Axis,
        after the enemy's moves of the next day for the Allies."""
        last = s.turn
        if side == AXIS:
            return lambda t: t.turn > last
        return lambda t: t.turn > last and t.phase >= C1_MOVEMENT

    def light(self, rng: Random) -> Planner:
        return Planner(self.game, rng, LIGHT)

    def _variants(self, k: int) -> Iterator[tuple[str, Params]]:
        """Other ways to see the same table: without overruns, in the enemy's way, without attacks, more careful; then
        by other ideas of what counts, drawn anew each time."""
        p = self.params
        yield "usual", p
        yield "steady", replace(p, least_overrun=(9.0, 9.0))
        yield "block", replace(p, block=2.0, cover=1.0)
        yield "hold", replace(p, least=(9.0, 9.0), least_overrun=(9.0, 9.0), exposed=(3.0, 1.8), hold=1.6)
        yield "careful", replace(p, least=(2.0, 2.2), least_overrun=(2.5, 3.0), exposed=(3.5, 1.8))
        for _ in range(2 * k):
            yield "fancy", fancied(p, self.rng)

    def evaluate(self, s: State, side: int) -> float:
        """How good a table is for a side: points as they stand, what both still have, and what is within reach."""
        value = standing(s, side)
        if s.ended is not None:  # the points still tell a close end from a clear one
            return value if s.ended.winner is None else value + (WON if s.ended.winner == side else -WON)
        strength, step = self.params.strength, stakes(s).step  # the same on every table: they are compared
        for one, sign in ((side, 1.0), (1 - side, -1.0)):
            value += sign * 0.5 * worth(s, s.on_map[one], strength, step)
            out = Outlook(s, one, self.params)
            for goal in out.goals:
                if not goal.held:
                    near = [out.way(u, goal.hex)[s.at[u]] for u in units_of(s.on_map[one] & s.board.combat)]
                    value += sign * 0.3 * goal.value / (1.0 + min(near, default=99) / 8.0)
        return value

    # Carrying out

    def _planned(self, s: State, me: int, legal: Sequence[Action]) -> Action | None:
        """The next action of the plan; a group that the game does not allow is passed over."""
        if self._of != (s.turn, s.phase, me):
            self._orders.clear()
            self._rest.clear()
            return None
        if self._rest:
            action = self._rest.popleft()
            if action in legal:
                return action
            self._rest.clear()
        if s.stack[-1][0] != steps.MOVES:
            return None
        while self._orders:
            first, *others = self._orders.popleft()
            if first in legal and _still(s, first, others):
                self._rest.extend(others)
                return first
        return None

    def _moves(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """6.11 the plan is carried out; the phase is planned anew after an overrun."""
        planned = self._planned(s, me, legal)
        if planned is not None:
            return planned
        return self.begin(Marching(s, me, legal, self.params).plan(), s, me)

    def _to(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """6.01 to the plan's hex; if that is closed to the unit now, to the best that is left."""
        planned = self._planned(s, me, legal)
        if planned is not None:
            return planned
        u = _top(s).unit
        out = Outlook(s.copy(), me, self.params)
        goal = out.goal_for(u, s.at[u], combat_strength(s, u, me))
        field = out.way(u, goal.hex) if goal is not None else None

        def value(a: Action) -> tuple[bool, bool, float, int]:
            return (a[0] == verbs.TO, room(s, a[1], me, 1 << u), out.stand(u, a[1], goal, field), -a[1])

        return max(legal, key=value)

    def _stack(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """6.67e as planned; after an overrun on to the next, to a good hex, or the stack stops."""
        planned = self._planned(s, me, legal)
        if planned is not None:
            return planned
        p = self.params
        out = Outlook(s.copy(), me, p)
        best, found = p.least_overrun[me], None
        for action in legal:
            if action[0] == verbs.OVERRUN:
                value = weigh(s, sketch(s, me, action[1], s.stack_units, True), stake(out, action[1]), p).value
                if value > best:
                    best, found = value, action
        if found is not None:
            return found
        now = stack_at_hand(s)
        lead = max(units_of(now.units), key=lambda u: (s.board.attack[u][s.step[u]], -u))
        goal = out.goal_for(lead, s.at[lead], combat_strength(s, lead, me))
        field = out.way(lead, goal.hex) if goal is not None else None
        here = out.stand(lead, s.at[lead], goal, field) + 0.5
        free = [a for a in legal if a[0] == verbs.TO and room(s, a[1], me, now.units) and now.ends >> a[1] & 1]
        options = [(out.stand(lead, a[1], goal, field), -a[1], a) for a in free]
        if options and ((max(options)[0] > here and s.stack_spent >= 0) or s.stack_passing):
            return max(options)[2]
        halt = (int(verbs.HALT),)
        return halt if halt in legal else next(a for a in legal if a[0] != verbs.JOIN)  # 6.16 on to wherever it can

    # 7.1

    def _declare(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """7.11 attacks from where the units stand, the best first."""
        out = Outlook(s.copy(), me, self.params)
        declared = 0
        for units in s.aims.values():
            declared |= units
        work = Attacking(out, {}, s.on_map[me] & s.board.combat & ~declared)
        hexes = {a[1] for a in legal if a[0] == verbs.DECLARE}
        found = [attack for attack in map(work.best, sorted(hexes)) if attack is not None]
        if not found:
            return (int(verbs.END_DECLARATIONS),)
        self._attack = max(found, key=lambda attack: (attack.value, -attack.target))
        return (int(verbs.DECLARE), self._attack.target)

    def _attack_with(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """7.11b the units of the attack that has been chosen."""
        target = _top(s).hex
        chosen = s.aims.get(target, 0)
        if self._attack is None or self._attack.target != target:
            t = s.copy()
            t.aims.pop(target, None)
            declared = sum(t.aims.values()) if t.aims else 0
            out = Outlook(t, me, replace(self.params, least=(-99.0, -99.0)))
            self._attack = Attacking(out, {}, t.on_map[me] & t.board.combat & ~declared).best(target)
        if self._attack is not None:
            for u, _ in self._attack.moves:
                action = (int(verbs.ATTACK_WITH), u)
                if not chosen >> u & 1 and action in legal:
                    return action
        done = (int(verbs.DECLARED),)
        if done in legal:
            return done
        strongest = [a for a in legal if a[0] == verbs.ATTACK_WITH]
        return max(strongest, key=lambda a: (s.board.attack[a[1]][s.step[a[1]]], -a[1]))

    # 12.42c

    def _flee(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """12.42c Rommel goes to the strongest of the nearest."""
        return max(legal, key=lambda a: (worth(s, units_in(s, a[1], AXIS), self.params.strength), -a[1]))


def _still(s: State, first: Action, others: Sequence[Action]) -> bool:
    """Whether a unit can still get to its hex: the moves of others may have cut its line of supply (6.15a), or filled
    the hexes by which it was to come.
    """
    if first[0] == verbs.ENTER:
        return marches.has_room(s, first[1])
    if first[0] != verbs.MOVE or not others:
        return True
    verb, h = others[0]
    return bool((exits if verb == verbs.EXIT else destinations)(s, first[1]) >> h & 1)


# Marks for playing a game out (see mechanics/planning.playout)


def next_moves_of(side: int) -> Callable[[State], bool]:
    """4.2 the Movement Phase or Motorized Movement Phase of a side begins or goes on."""
    return lambda s: bool(s.stack[-1][0] == steps.MOVES and s.active == side)


def end_of_turn(s: State) -> bool:
    """4.2e the day is over: engineers."""
    return bool(s.stack[-1][0] == steps.ENGINEERS)
