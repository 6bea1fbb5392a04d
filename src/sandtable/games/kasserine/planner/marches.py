"""A movement phase as a whole: who leaves the map, who attacks, where the guns, the staffs and all others go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.mechanics.masks import units_of

from ..movement.arrivals import entry_ends
from ..movement.orders import destinations, exits, in_motorized_phase
from ..table import verbs
from ..table.ids import AXIS, RAIN
from ..table.position import put, units_in
from ..table.ratings import mover
from ..table.stacking import limit, points_in, room
from ..table.state import State
from .attacks import Attack, Attacking, overruns
from .fields import far
from .outlook import Outlook, combat_strength
from .params import Params
from .works import conversions, reroutes
from .worth import exit_value, turns_left

Group = tuple[Action, ...]
"""Actions that belong together: a unit is taken up and put down."""


class Plan(NamedTuple):
    """Orders for a movement phase."""

    name: str
    value: float
    groups: tuple[Group, ...]
    attacks: tuple[Hex, ...] = ()  # what is to be attacked when the phase is over


def move(u: int, h: Hex) -> Group:
    """A unit goes to a hex."""
    return ((int(verbs.MOVE), u), (int(verbs.TO), h))


class Marching:
    """Works a plan out on a copy of the table, where the units already stand as they will."""

    def __init__(self, s: State, side: int, legal: Sequence[Action], p: Params) -> None:
        self.s = s.copy()
        self.side = side
        self.p = p
        self.out = Outlook(self.s, side, p)
        self.movers = sum(1 << a[1] for a in legal if a[0] == verbs.MOVE)
        self.arrivals = [a[1] for a in legal if a[0] == verbs.ENTER]
        self.may_overrun = any(a[0] == verbs.STACK for a in legal) and s.weather != RAIN
        self.first = [*conversions(s, side, legal), *reroutes(s, legal)]
        self.groups: list[Group] = []
        self.value = 0.0
        self.attacks: list[Attack] = []
        self.reach: dict[int, Mask] = {}

    def plan(self, name: str = "plan") -> Plan:
        """The phase, or its next overrun if one is worth while: what comes after it has to be seen first."""
        s = self.s
        for action in self.first:
            self.groups.append((action,))
            if action[0] == verbs.CONVERT:
                self.movers &= ~(1 << action[1])
        self._leave()
        if self.may_overrun:
            found = overruns(self.out, self.movers)
            if found is not None:
                first, *others = found.units
                group: list[Action] = [(int(verbs.STACK), first), *((int(verbs.JOIN), u) for u in others)]
                if s.at[first] != found.via:
                    group.append((int(verbs.TO), found.via))
                group.append((int(verbs.OVERRUN), found.target))
                self.groups.append(tuple(group))
                return Plan(name, self.value + found.value, tuple(self.groups))
        for u in units_of(self.movers):
            self.reach[u] = destinations(s, u)
        self._attack()
        self._march()
        for u in self.arrivals:  # where to, is seen when they come (`arrival`)
            self.groups.append(((int(verbs.ENTER), u),))
        return Plan(name, self.value, (*self.groups, ((int(verbs.END_MOVES),),)), tuple(a.target for a in self.attacks))

    def _send(self, u: int, h: Hex) -> None:
        self.movers &= ~(1 << u)
        if self.s.at[u] != h:
            self.groups.append(move(u, h))
            put(self.s, u, h)

    # 14.3

    def _leave(self) -> None:
        """Units leave the map where that scores: at once if it brings more than they could do here."""
        s = self.s
        if not self.out.about.exits[self.side]:
            return
        for u in units_of(self.movers & s.board.ground):
            gates = exits(s, u)
            best = max(((exit_value(s, u, h), h) for h in hexes_of(gates)), default=(0.0, -1))
            if best[0] >= 3.0 or (best[0] > 0.0 and turns_left(s) == 0):
                self.movers &= ~(1 << u)
                self.groups.append(((int(verbs.MOVE), u), (int(verbs.EXIT), best[1])))
                self.value += best[0]

    # 7.1

    def _attack(self) -> None:
        """Attacks are planned before all else; in the Motorized Movement Phase there are none."""
        s = self.s
        if in_motorized_phase(s):
            return
        free = s.on_map[self.side] & s.board.combat
        work = Attacking(self.out, self.reach, free)
        was = list(s.at)
        self.attacks = work.plan()
        for attack in self.attacks:
            self.value += attack.value
            for u, h in (*attack.moves, *attack.guns):
                if was[u] != h:
                    self.groups.append(move(u, h))
                self.movers &= ~(1 << u)

    # 6.11

    def _march(self) -> None:
        """Everybody else: those who are nearest to what has to be held or taken choose first."""
        s, out, board = self.s, self.out, self.s.board
        for attack in self.attacks:
            for u, _ in attack.moves:
                out.goal_for(u, s.at[u], combat_strength(s, u, self.side))
        still = s.on_map[self.side] & board.ground & ~self.movers
        for u in units_of(still & board.combat):  # who does not move counts where he stands
            for post in out.goals:
                if board.grid.distance(s.at[u], post.hex) <= 1:
                    out.sent[post.hex] = out.sent.get(post.hex, 0.0) + combat_strength(s, u, self.side)
                    break
        fighters = self.movers & board.combat
        order = sorted(units_of(fighters), key=self._nearness)
        chosen = [(u, out.goal_for(u, s.at[u], combat_strength(s, u, self.side))) for u in order]
        for place, (u, goal) in enumerate(chosen):
            self._company(u, [v for v, other in chosen[place + 1 :] if goal is not None and other == goal])
            at, value = out.best_stand(u, self.reach[u], goal)
            self.value += 0.05 * value
            self._send(u, at)
        out.company.clear()
        for u in units_of(self.movers & board.artillery):
            self._gun(u)
        for u in units_of(self.movers & board.hqs):
            self._staff(u)
        for u in units_of(self.movers & board.leaders):
            self._leader(u)
        self._spread()

    def _company(self, u: int, others: list[int]) -> None:
        """Who goes to the same goal after a unit can come to where it goes."""
        s, company = self.s, self.out.company
        company.clear()
        for v in others:
            defense = s.board.defense[v][s.step[v]]
            for h in hexes_of(self.reach[u] & self.reach[v]):
                company[h] = min(8.0, company.get(h, 0.0) + defense)

    def _nearness(self, u: int) -> tuple[float, int]:
        s = self.s
        kind = mover(s, u)
        return (min((far(s, kind, goal.hex)[s.at[u]] for goal in self.out.goals), default=0), u)

    def _gun(self, u: int) -> None:
        """Artillery goes where most friends are in range, behind them."""
        s, out, board = self.s, self.out, self.s.board
        grid = board.grid
        goal = out.goal_for(u, s.at[u], combat_strength(s, u, self.side))
        field = out.way(u, goal.hex) if goal is not None else None
        front = s.fighting[self.side] & grid.dilate(grid.dilate(out.hostile)) if out.foes else 0
        best, at = -1e9, s.at[u]
        for h in out.spots(self.reach[u], field, s.at[u]):
            if h != s.at[u] and not room(s, h, self.side, 1 << u):
                continue
            cover = (grid.within(h, board.range[u]) & front).bit_count()
            value = out.stand(u, h, None, None) + min(cover, 6) * 0.7
            if field is not None:
                value -= 0.5 * self.p.forward[self.side] * min(field[h], 180) / 2.0
            friends = units_in(s, h, self.side) & board.combat
            value += 0.6 if friends else 0.0
            if value > best:
                best, at = value, h
        self._send(u, at)

    def _staff(self, u: int) -> None:
        """A headquarters keeps within range of the fights of its formation, with others, out of the enemy's way."""
        s, out, board = self.s, self.out, self.s.board
        grid = board.grid
        formation = board.of_formation[board.formation[u]] & s.on_map[self.side] & board.combat
        fights = [a.target for a in self.attacks]
        own = [a.target for a in self.attacks if any(formation >> v & 1 for v, _ in a.moves)]
        troops = [s.at[v] for v in units_of(formation)]
        reach = board.charts.constants["command_range"]
        best, at = -1e9, s.at[u]
        near = grid.dilate(grid.dilate(s.occ[self.side]))
        for h in hexes_of(self.reach[u] & near | 1 << s.at[u]):
            value = out.stand(u, h, None, None)
            value += 1.2 * sum(1 for x in own if grid.distance(h, x) <= reach)
            value += 0.4 * sum(1 for x in fights if grid.distance(h, x) <= reach)
            if troops:
                value += 2.0 * sum(1 for x in troops if grid.distance(h, x) <= reach) / len(troops)
                value -= 0.25 * sum(min(grid.distance(h, x), 20) for x in troops) / len(troops)
            if value > best and (h == s.at[u] or room(s, h, self.side, 1 << u)):
                best, at = value, h
        self._send(u, at)

    def _leader(self, u: int) -> None:
        """Rommel goes beside the attack that promises most, Harmon to the hardest pressed, Patton out of harm's way."""
        s, out, board = self.s, self.out, self.s.board
        grid = board.grid
        reach = self.reach[u] | 1 << s.at[u]
        if u == board.patton:
            at = max(hexes_of(reach), key=lambda h: (s.occ[self.side] >> h & 1, -out.threat(h), h == s.at[u], -h))
            self._send(u, at)
            return
        if u == board.rommel and self.side == AXIS:
            for attack in sorted(self.attacks, key=lambda a: -a.value):
                beside = [h for _, h in attack.moves if reach >> h & 1]
                if beside:
                    self._send(u, max(beside, key=lambda h: (points_in(s, h, self.side), -h)))
                    return
        near = hexes_of(reach & s.fighting[self.side])
        if not near:
            return
        targets = [a.target for a in self.attacks] or [g.hex for g in out.goals]

        def value(h: Hex) -> float:
            away = min((grid.distance(h, x) for x in targets), default=0)
            return -away + 0.1 * points_in(s, h, self.side) - 2.0 * out.danger(u, h)

        self._send(u, max(near, key=lambda h: (value(h), -h)))

    def _spread(self) -> None:
        """3.32c nobody is left standing where too many are."""
        s, board = self.s, self.s.board
        most = limit(s)
        for h in hexes_of(s.occ[self.side]):
            while points_in(s, h, self.side) > most:
                able = [u for u in units_of(units_in(s, h, self.side)) if self.reach.get(u, 0)]
                moved = {g[0][1] for g in self.groups if g[0][0] == verbs.MOVE}
                able = [u for u in able if u not in moved]
                options = [
                    (self.out.stand(u, x, None, None), u, x)
                    for u in able
                    for x in hexes_of(self.reach[u] & board.grid.within(h, 3))
                    if room(s, x, self.side, 1 << u)
                ]
                if not options:
                    break
                _, u, x = max(options)
                self._send(u, x)


def arrival(s: State, side: int, u: int, legal: Sequence[Action], p: Params) -> Action:
    """14.2 where a reinforcement goes: to a threatened entry first, else on towards where it is wanted."""
    hexes = [a[1] for a in legal]
    free = [h for h in hexes if room(s, h, side, 1 << u)]
    return (int(verbs.TO), place_arrival(Outlook(s.copy(), side, p), u, free or hexes))


def has_room(s: State, u: int) -> bool:
    """14.12a, 14.23 whether a reinforcement finds a hex with room for it; otherwise it waits."""
    if s.board.leaders >> u & 1:
        return True
    side = s.board.side[u]
    return any(room(s, h, side, 1 << u) for h in hexes_of(entry_ends(s, u)))


def place_arrival(out: Outlook, u: int, hexes: Sequence[Hex]) -> Hex:
    """The best of some hexes for a unit that comes on: on towards where it is wanted."""
    s = out.s
    kind = mover(s, u)
    start = min(hexes, key=lambda h: (sum(far(s, kind, g.hex)[h] for g in out.goals), h))
    goal = out.goal_for(u, start, combat_strength(s, u, out.side))
    field = out.way(u, goal.hex) if goal is not None else None
    return max(hexes, key=lambda h: (out.stand(u, h, goal, field), -h))
