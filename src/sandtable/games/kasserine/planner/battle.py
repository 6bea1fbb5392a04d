"""The decisions of a combat in their order: leads, CRT, aircraft, guns, Command Points, shifts, losses, retreats."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy, units_of

from ..combat.coordination import commanders, fire_net
from ..combat.fight import Fight
from ..table import verbs
from ..table.ids import AIR_CHECK, ARTILLERY_CHECK, ASSAULT, GROUND_CHECK, MOBILE
from ..table.position import units_in
from ..table.ratings import rating
from ..table.state import State
from ..table.steps import CheckAt, RetreatAt
from .attacks import stake
from .outlook import Goal, Outlook, combat_strength
from .params import Params
from .prospects import ground_chance, nearby_support, sketch, weigh
from .worth import step_worth, worth

PLANE = 0.12  # what an air unit must bring, more while other fights wait
GUN = 0.02
POINTS = 0.05
WAITING = 0.15  # for each fight that is still to come


class Battle:
    """One fight on the table, from one side's chair."""

    def __init__(self, s: State, side: int, p: Params) -> None:
        self.s = s
        self.side = side
        self.p = p
        self.fight: Fight = s.fight
        self.out = Outlook(s, self.fight.side, p)
        self.stake = stake(self.out, self.fight.target)
        self.sign = 1.0 if side == self.fight.side else -1.0
        self.waiting = WAITING if s.aims else 0.0

    def value(self, fight: Fight, ground: float = -1.0) -> float:
        """What the fight is worth to this side as it stands, the guns that may still come included."""
        other = enemy(fight.side)
        rest = 0.0
        if not fight.overrun and not fight.guns[other] and fight.artillery[other] == 0:
            rest = nearby_support(self.s, other, fight.target)
        return self.sign * weigh(self.s, fight, self.stake, self.p, rest, ground).value

    def lead(self, legal: Sequence[Action]) -> Action:
        """8.31 the lead with whom the fight promises most: his ER against his step."""
        fight = self.fight
        other = enemy(fight.side)

        def with_lead(u: int) -> float:
            trial = fight.copy()
            trial.lead[self.side] = u
            if trial.lead[other] < 0:
                trial.lead[other] = sketch(self.s, fight.side, fight.target, fight.attackers).lead[other]
            return self.value(trial)

        return max(legal, key=lambda a: (round(with_lead(a[1]), 4), rating(self.s, a[1]), -a[1]))

    def crt(self, legal: Sequence[Action]) -> Action:
        """8.32 the table that promises more."""

        def on(action: Action) -> float:
            trial = self.fight.copy()
            trial.crt = MOBILE if action[0] == verbs.USE_MOBILE else ASSAULT
            return self.value(trial)

        return max(legal, key=lambda a: (on(a), a))

    def planes(self, legal: Sequence[Action]) -> Action:
        """8.43a another air unit, if it brings enough; the first one leads, so the best goes first."""
        s, fight, side = self.s, self.fight, self.side
        now = self.value(fight)
        best, found = now + PLANE + self.waiting, None
        for action in legal:
            if action[0] != verbs.FLY:
                continue
            trial = fight.copy()
            if not trial.planes[side]:
                trial.lead_plane[side] = action[1]
            trial.planes[side] |= 1 << action[1]
            value = self.value(trial)
            if not fight.planes[side]:  # more may follow him
                others = [a[1] for a in legal if a[0] == verbs.FLY and a != action]
                for u in sorted(others, key=lambda u: (-s.board.cas[u], u))[:1]:
                    more = trial.copy()
                    more.planes[side] |= 1 << u
                    value = max(value, self.value(more) - PLANE)
            if value > best + 1e-6:
                best, found = value, action
        return found if found is not None else (int(verbs.NO_MORE_PLANES),)

    def guns(self, legal: Sequence[Action]) -> Action:
        """9.11 batteries as long as they count for something (9.3); the best ER leads."""
        s, fight, side = self.s, self.fight, self.side
        now = self.value(fight)
        best, found = now + GUN + self.waiting * 0.5, None
        nation = s.board.nation[fight.lead[side]]
        for action in legal:
            if action[0] != verbs.FIRE:
                continue
            u = action[1]
            trial = fight.copy()
            if not trial.guns[side]:
                trial.lead_gun[side] = u
            trial.guns[side] |= 1 << u
            value = self.value(trial)
            if not fight.guns[side]:  # the lead matters for all who follow
                value += 0.03 * (rating(s, u) - (s.board.nation[u] != nation))
                value += 0.06 if fire_net(s, u, fight.target) >= 0 else 0.0
                everybody = trial.copy()
                for a in legal:
                    if a[0] == verbs.FIRE:
                        everybody.guns[side] |= 1 << a[1]
                value = max(value, self.value(everybody) - GUN)
            if value > best + 1e-6:
                best, found = value, action
        return found if found is not None else (int(verbs.NO_MORE_GUNS),)

    def command(self, f: CheckAt, legal: Sequence[Action]) -> Action:
        """12.23 one HQ for each fight: on the check where its points bring most."""
        fight, side = self.fight, self.side
        here = self._gains(fight, f.check, [a[1] for a in legal if a[0] == verbs.COMMAND])
        later = 0.0
        order = (ARTILLERY_CHECK, GROUND_CHECK, AIR_CHECK)
        for check in order[order.index(f.check) + 1 :]:
            if check == GROUND_CHECK and side != fight.side:
                continue
            if check == AIR_CHECK and not fight.planes[side]:
                continue
            gains = self._gains(fight, check, list(units_of(commanders(self.s, fight, side, check))))
            later = max(later, max((gain for gain, _ in gains), default=0.0))
        best = max(here, default=(0.0, -1))
        if best[0] > max(later, POINTS + self.waiting * 0.5):
            return (int(verbs.COMMAND), -best[1])
        return (int(verbs.NO_COMMAND),)

    def _gains(self, fight: Fight, check: int, hqs: list[int]) -> list[tuple[float, int]]:
        """What each HQ's points bring on a check."""
        if not hqs:
            return []
        attacking = self.side == fight.side
        plain = ground_chance(self.s, fight) if not fight.ground_failed else -1.0
        base = self.value(fight, plain)
        found = []
        for hq in hqs:
            points = self.s.board.cp[hq]
            if check == GROUND_CHECK and attacking:
                value = self.value(fight, ground_chance(self.s, fight, points))
            else:
                trial = fight.copy()
                trial.points[self.side], trial.on[self.side] = points, check
                value = self.value(trial, plain)
            found.append((value - base, -hq))
        return found

    def shift(self, legal: Sequence[Action]) -> Action:
        """8.55 one combat a phase: here, unless it changes nothing."""
        fight = self.fight
        trial = fight.copy()
        if self.side == fight.side:
            trial.rommel = 1
        else:
            trial.harmon = 1
        gain = self.value(trial) - self.value(fight)
        wanted = gain > 0.1 + self.waiting
        verb = verbs.SHIFT if wanted else verbs.NO_SHIFT
        return next(a for a in legal if a[0] == verb)


def first_fight(s: State, side: int, legal: Sequence[Action], p: Params) -> Action:
    """8.0b the fight that promises most first: what it empties no longer helps the others."""
    out = Outlook(s, side, p)

    def promise(h: Hex) -> float:
        if not units_in(s, h, enemy(side)) or not s.aims.get(h):
            return 0.0
        return weigh(s, sketch(s, side, h, s.aims[h]), stake(out, h), p).value

    return max(legal, key=lambda a: (promise(a[1]), -a[1]))


def lose(s: State, legal: Sequence[Action], p: Params) -> Action:
    """8.74 the step that is missed least."""
    return min(legal, key=lambda a: (step_worth(s, a[1], p.strength), a[1]))


def give_up(s: State, legal: Sequence[Action], p: Params) -> Action:
    """3.32c the unit that is missed least."""
    return min(legal, key=lambda a: (worth(s, 1 << a[1], p.strength), a[1]))


# 8.8, 8.9


def _goal(out: Outlook, u: int) -> Goal | None:
    return out.goal_for(u, out.s.at[u], combat_strength(out.s, u, out.side))


def retreat(s: State, side: int, f: RetreatAt, legal: Sequence[Action], p: Params) -> Action:
    """8.8 to where the unit stands best; in an overrun the enemy's units to where they stand worst (6.67c)."""
    legal = [a for a in legal if a[0] != verbs.STAY]  # 12.41c leaders go with their troops
    owner = s.board.side[legal[0][1]]
    out = Outlook(s, owner, p)
    goals: dict[int, Goal | None] = {}
    sign = 1.0 if owner == side else -1.0

    def value(action: Action) -> float:
        verb, u, h = action
        if u not in goals:
            goals[u] = _goal(out, u)
        goal = goals[u]
        found = out.stand(u, h, goal, out.way(u, goal.hex) if goal is not None else None)
        if h in s.aims:  # 8.84 it would only share the fate of that hex
            found -= 3.0
        if verb == verbs.BREAK_OUT:
            found -= 0.5 * step_worth(s, u, p.strength)
        return sign * found

    # the most valuable unit goes first: there may not be room for all
    return max(legal, key=lambda a: (round(0.05 * worth(s, 1 << a[1], p.strength) + value(a), 4), -a[1], -a[2]))


def break_out_lead(s: State, legal: Sequence[Action], p: Params) -> Action:
    """8.89ca the best ER, and among equals the cheapest step."""
    return max(legal, key=lambda a: (rating(s, a[1]), -step_worth(s, a[1], p.strength), -a[1]))


def advance(s: State, side: int, legal: Sequence[Action], p: Params) -> Action:
    """8.9, 7.22c forward with those who stand better there."""
    out = Outlook(s, side, p)
    target = s.fight.target if s.fight is not None else next(a[2] for a in legal if a[0] == verbs.ADVANCE)
    points = out.about.places.get(target, 0.0)
    empty = not s.occ[side] >> target & 1
    best, found = 0.3, None
    goals: dict[int, Goal | None] = {}
    for action in legal:
        if action[0] != verbs.ADVANCE:
            continue
        _, u, h = action
        if u not in goals:
            goals[u] = _goal(out, u)
        goal = goals[u]
        field = out.way(u, goal.hex) if goal is not None else None
        gain = out.stand(u, h, goal, field) - out.stand(u, s.at[u], goal, field)
        if empty and s.board.combat >> u & 1:  # the hex that was fought for is not left empty
            gain += 0.6 + p.place * points * (0.0 if s.control >> target & 1 == (side == 0) else 1.0)
        if gain > best + 1e-6:
            best, found = gain, action
    return found if found is not None else (int(verbs.END_ADVANCE),)
