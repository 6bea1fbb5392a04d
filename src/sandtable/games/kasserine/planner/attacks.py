"""Attacks and overruns: who goes where against whom, with which guns, and what it promises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.mechanics.masks import units_of

from ..combat.strengths import attack_strength
from ..combat.support import ready
from ..movement.stacks import kind_of
from ..paths.moves import enterable, stack_leg
from ..table.ground import HALF, PROHIBITED
from ..table.ids import MOTORIZED
from ..table.position import put, units_in
from ..table.ratings import rating, stack_allowance
from ..table.stacking import limit, points, room
from ..table.state import State
from ..table.zones import controls
from .fields import far
from .outlook import Outlook
from .prospects import NONE, Prospect, air_reaches, nearby_support, sketch, weigh
from .worth import turns_left, worth


class Attack(NamedTuple):
    """An attack that could be made."""

    target: Hex
    value: float
    moves: tuple[tuple[int, Hex], ...]  # who attacks from where
    guns: tuple[tuple[int, Hex], ...]  # who supports from where
    prospect: Prospect


class Overrun(NamedTuple):
    """An overrun that could be made."""

    value: float
    units: tuple[int, ...]
    via: Hex
    target: Hex


def stake(out: Outlook, target: Hex) -> float:
    """What it is worth to empty an enemy hex: its points, and what lies behind it."""
    s, p, side = out.s, out.p, out.side
    value = p.clearing
    points = out.about.places.get(target, 0.0)
    if points and not controls(s, side, target):
        value += p.place * points
    best = 0.0
    for goal in out.goals:
        away = far(s, MOTORIZED, goal.hex)[target] / 2.0
        if away < 30:
            best = max(best, goal.value / (4.0 + away))
    value += p.lure[side] * min(best, 2.0) * min(1.0, (turns_left(s) + 1.0) / 3.0)
    return value + p.block * 0.5 * out.block.get(target, 0.0)


class Attacking:
    """Looks for attacks by units that are free, from where they can get to."""

    def __init__(self, out: Outlook, reach: Mapping[int, Mask], free: int) -> None:
        self.out = out
        self.s = out.s
        self.reach = reach  # by unit that may move; others attack from where they stand
        self.free = free
        self.guns_free = out.s.on_map[out.side] & out.s.board.artillery & ~out.s.oos & ~out.s.disrupted & ~out.s.fired
        self.made: list[Attack] = []
        self.planes = ready(out.s, out.side).bit_count()

    def plan(self) -> list[Attack]:
        """The best attack, then the next, until none is left that promises enough."""
        p = self.out.p
        waiting = [(found.value, found.target) for found in map(self.best, self.targets()) if found is not None]
        waiting.sort(reverse=True)
        while waiting and len(self.made) < p.attacks:
            hoped, target = waiting.pop(0)
            found = self.best(target)  # others may have taken its attackers meanwhile
            if found is None:
                continue
            if waiting and found.value < waiting[0][0] - 0.01 and found.value < hoped - 0.01:
                waiting.append((found.value, target))
                waiting.sort(reverse=True)
                continue
            self.commit(found)
        return self.made

    def commit(self, attack: Attack) -> None:
        """Units and guns of an attack are taken, and stand where they will stand."""
        s = self.s
        for u, h in attack.moves:
            self.free &= ~(1 << u)
            if s.at[u] != h:
                put(s, u, h)
        guns = []
        for u, h in attack.guns:  # each was looked at by itself: there may not be room for all
            if s.at[u] == h or room(s, h, self.out.side, 1 << u):
                self.guns_free &= ~(1 << u)
                guns.append((u, h))
                if s.at[u] != h:
                    put(s, u, h)
        self.made.append(attack._replace(guns=tuple(guns)))
        if attack.guns or attack.moves:
            self.planes -= 2

    def targets(self) -> list[Hex]:
        """The enemy hexes that free units can get next to, the weakest first."""
        s, out = self.s, self.out
        grid = s.board.grid
        ground = 0
        for u in units_of(self.free & s.board.combat):
            ground |= self.reach.get(u, 0) | 1 << s.at[u]
        near = [h for h in hexes_of(s.occ[out.other] & grid.around(ground)) if h not in s.aims]

        def lightly(h: Hex) -> tuple[float, Hex]:
            held = sum(s.board.defense[u][s.step[u]] for u in units_of(units_in(s, h, out.other)))
            return (held * (1.0 + 0.25 * s.board.terrain_drm[h]) - 3.0 * stake(out, h), h)

        near.sort(key=lightly)
        return near[: out.p.targets]

    def from_where(self, u: int, target: Hex, near: Mask) -> list[Hex]:
        """The hexes from which a unit could attack a target, the best first."""
        s, out, board = self.s, self.out, self.s.board
        here = s.at[u]
        found = []
        for h in hexes_of((self.reach.get(u, 0) | 1 << here) & near):
            if not enterable(s, u, h, target) or (h != here and not room(s, h, out.side, 1 << u)):
                continue
            value = 0.4 * board.terrain_drm[h]
            value += 0.0 if out.lines >> h & 1 else -2.0
            value += 0.5 if not units_in(s, h, out.side) & board.combat & ~(1 << u) else 0.0
            value += 0.3 if h == here else 0.0
            d = board.grid.direction(h, target)
            value -= 0.5 if board.terrain.wadis[d] >> h & 1 else 0.0
            found.append((value, h))
        found.sort(reverse=True)
        return [h for _, h in found]

    def best(self, target: Hex) -> Attack | None:
        """The attack on a hex that promises most, if it promises enough."""
        s, out, p, side = self.s, self.out, self.out.p, self.out.side
        board = s.board
        near = board.grid.around(1 << target) & ~s.occ[out.other]
        could = [
            u
            for u in units_of(self.free & board.combat & ~_building(s))
            if board.attack[u][s.step[u]] and (self.reach.get(u, 0) | 1 << s.at[u]) & near
        ]
        if not could:
            return None
        could.sort(key=lambda u: (-board.attack[u][s.step[u]] * (0.5 if s.oos >> u & 1 else 1.0), -rating(s, u), u))
        held = sum(board.defense[u][s.step[u]] for u in units_of(units_in(s, target, out.other)))
        total = sum(board.attack[u][s.step[u]] for u in could[: p.attackers])
        if 2 * total < held:
            return None
        gunners = self.gunners(target)
        worthwhile = stake(out, target)
        rest = nearby_support(s, out.other, target)
        was = {u: s.at[u] for u in could}
        taken: list[tuple[int, Hex]] = []
        attackers = 0
        guns: list[tuple[int, Hex]] = []
        found = NONE
        for u in could[: p.attackers]:
            places = self.from_where(u, target, near)
            if not places:
                continue
            if places[0] != was[u]:
                put(s, u, places[0])
            trial, used = self._weigh(target, attackers | 1 << u, worthwhile, rest, gunners)
            if trial.value > found.value + 0.03:
                found, guns = trial, used
                attackers |= 1 << u
                taken.append((u, places[0]))
            elif places[0] != was[u]:
                put(s, u, was[u])
        value = found.value
        value -= sum(self._given_up(u, was[u], h) for u, h in taken)
        for u, _ in taken:
            if s.at[u] != was[u]:
                put(s, u, was[u])
        if not taken or value < p.least[side]:
            return None
        return Attack(target, value, tuple(taken), tuple(guns), found)

    def _given_up(self, u: int, old: Hex, new: Hex) -> float:
        """What it costs to go elsewhere to attack: the post that is left, the danger of the new one."""
        if old == new:
            return 0.0
        out, p = self.out, self.out.p
        points = out.about.places.get(old, 0.0) if out.threat(old) else 0.0
        alone = not units_in(self.s, old, out.side) & self.s.board.combat
        return (
            (0.3 * min(points, 10.0) if alone else 0.0)
            + 0.4 * out.block.get(old, 0.0)
            + (p.after[out.side] * out.danger(u, new) * worth(self.s, 1 << u, p.strength))
        )

    def gunners(self, target: Hex) -> list[tuple[int, Hex]]:
        """Free artillery that reaches a target from where it is, or from where it can go, the best first."""
        s, out = self.s, self.out
        grid, board = s.board.grid, s.board
        found = []
        for u in units_of(self.guns_free):
            here, range_ = s.at[u], board.range[u]
            if grid.distance(here, target) <= range_:
                found.append((board.support[u] + 0.1 * rating(s, u) + 1.0, u, here))
                continue
            reach = self.reach.get(u, 0) & grid.within(target, range_) & ~grid.within(target, 1)
            if not reach:
                continue
            best, at = -99.0, -1
            for h in hexes_of(reach):
                if room(s, h, out.side, 1 << u):
                    value = out.stand(u, h, None, None)
                    if value > best:
                        best, at = value, h
            if at >= 0 and best > -3.0:
                found.append((board.support[u] + 0.1 * rating(s, u), u, at))
        found.sort(reverse=True)
        return [(u, h) for _, u, h in found]

    def _weigh(
        self, target: Hex, attackers: int, worthwhile: float, rest: float, gunners: list[tuple[int, Hex]]
    ) -> tuple[Prospect, list[tuple[int, Hex]]]:
        """An attack with as many guns as count (9.3a), and aircraft if some are left."""
        s, out, side = self.s, self.out, self.out.side
        fight = sketch(s, side, target, attackers)
        base = attack_strength(s, attackers, target).value
        used: list[tuple[int, Hex]] = []
        strength = 0
        for u, h in gunners:
            if strength >= base:
                break
            strength += s.board.support[u]
            used.append((u, h))
            fight.guns[side] |= 1 << u
        if used:
            nation = s.board.nation[fight.lead[side]]
            fight.lead_gun[side] = max(
                (u for u, _ in used), key=lambda u: (rating(s, u) - (s.board.nation[u] != nation), -u)
            )
        if self.planes > 0 and air_reaches(s, side, target):
            flyers = sorted(units_of(ready(s, side)), key=lambda u: (-s.board.cas[u], u))[:2]
            for u in flyers:
                if s.board.cas[u]:
                    fight.planes[side] |= 1 << u
                    fight.lead_plane[side] = u
        return weigh(s, fight, worthwhile, out.p, rest), used


def _building(s: State) -> int:
    """11.23b units that build stay."""
    return sum(1 << u for u in s.builder.values())


# 6.6


def overruns(out: Outlook, movers: int) -> Overrun | None:
    """The overrun that promises most, of stacks of units that may still move."""
    s, board, side = out.s, out.s.board, out.side
    able = movers & board.red & board.combat & ~s.oos & ~s.disrupted
    best: Overrun | None = None
    works = s.strongpoints[0] | s.strongpoints[1] | s.mines[0] | s.mines[1]
    hexes = s.occ[out.other] & board.overrunnable & ~works
    if not hexes:
        return None
    stakes_of: dict[Hex, float] = {}
    for start in hexes_of(s.fighting[side]):
        units = _column(s, s.here[start] & able)
        if not units:
            continue
        left = stack_allowance(s, units)
        within = board.grid.within(start, min(left, 14)) & hexes
        if not within:
            continue
        leg = stack_leg(s, units, kind_of(s, units), left)
        ground = leg.everywhere() | 1 << start
        for target in hexes_of(within & board.grid.around(ground)):
            if target not in stakes_of:
                stakes_of[target] = stake(out, target)
            found = _overrun(out, units, start, target, leg.found.cost, ground, left, stakes_of[target])
            if found is not None and (best is None or found.value > best.value):
                best = found
    return best


def _column(s: State, units: int) -> int:
    """6.68 the strongest units of a hex that may overrun together."""
    board = s.board
    found = 0
    fit = [u for u in units_of(units) if board.attack[u][s.step[u]]]
    for u in sorted(fit, key=lambda u: (-board.attack[u][s.step[u]], u)):
        if points(s, found | 1 << u) <= limit(s):
            found |= 1 << u
    return found


def _overrun(
    out: Outlook, units: int, start: Hex, target: Hex, cost: object, ground: Mask, left: int, worthwhile: float
) -> Overrun | None:
    """An overrun of a hex by a stack, from the cheapest hex beside it."""
    s, board = out.s, out.s.board
    kind = kind_of(s, units)
    assert callable(cost)
    price = board.charts.constants["overrun_mp"] * HALF
    ways = []
    for _, h in board.grid.neighbours[target]:
        if not ground >> h & 1:
            continue
        step = s.ground.step(kind, h, board.grid.direction(h, target), target)[0]
        so_far = 0 if h == start else int(cost(h))
        if h != start and not room(s, h, out.side, units):  # 6.67f they may have to stay there
            continue
        if step != PROHIBITED and so_far >= 0 and so_far + step + price <= left:
            ways.append((so_far + step, h))
    if not ways:
        return None
    via = min(ways)[1]
    moved = [u for u in units_of(units) if s.at[u] != via]
    for u in moved:
        put(s, u, via)
    if attack_strength(s, units, target).value < 1:
        found = NONE
    else:
        found = weigh(s, sketch(s, out.side, target, units, overrun=True), worthwhile, out.p)
    for u in moved:
        put(s, u, start)
    if found.value < out.p.least_overrun[out.side]:
        return None
    return Overrun(found.value, units_of(units), via, target)
