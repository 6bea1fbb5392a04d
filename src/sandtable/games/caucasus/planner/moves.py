"""A movement phase as a whole: who goes where to attack, who takes what, who holds what."""

from __future__ import annotations

from dataclasses import dataclass, field

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import enemy, hexes_in, units_of

from ..combat.strengths import attack_strength, chart, reckon
from ..movement.phase import markable, movable
from ..movement.unit import charges, going, special
from ..supply import supply_lines
from ..table import verbs
from ..table.ids import COMBAT
from ..table.stacking import counted, excess, limit
from ..table.state import State, controls, put, zone
from .fights import Prospect, best_marker, own_step
from .params import NORMAL, Params
from .worth import FAR, cover, goals, matters, place_worth, ways, worth

ALONE = 12.0
"""What it costs an HQ to stand where the enemy can come, and nobody with it: its two points are no defence."""


@dataclass
class Plan:
    """Orders of a movement phase: each unit's action, in the order they are to be given."""

    orders: dict[int, Action] = field(default_factory=dict)
    attacks: dict[Hex, int] = field(default_factory=dict)
    params: Params = NORMAL  # how the phase is played


class Planning:
    """Works a plan out on a copy of the table, where the units already stand as they will."""

    def __init__(self, s: State, side: int, second: int, params: Params) -> None:
        self.s = s.copy()
        self.side = side
        self.second = second
        self.params = params
        self.plan = Plan(params=params)
        self.free = movable(s, second) | (markable(s) if second else 0)
        self.reach: dict[int, Mask] = {}
        self.charge: dict[int, Mask] = {}
        for u in units_of(movable(s, second)):
            if special(s, u):
                continue
            where = going(s, u, second)
            self.reach[u] = where.to
            if second and s.board.mobile >> u & 1:
                self.charge[u] = charges(s, where)
        self.markable = markable(s) if second else 0
        self.full = supply_lines.full(s, side)
        self.hostile = zone(s, enemy(side))
        self.aims = goals(s, side)
        self.danger = self._danger()

    def _danger(self) -> dict[Hex, float]:
        """By own place, the enemy strength that could be there soon."""
        s = self.s
        foes = [u for u in units_of(s.board.of_side[enemy(self.side)]) if s.at[u] >= 0 and s.board.att[u][s.step[u]]]
        out: dict[Hex, float] = {}
        for h in self.aims:
            if not controls(s, self.side, h):
                continue
            total = 0.0
            for u in foes:
                far = ways(s, h, bool(s.board.mech >> u & 1))[s.at[u]]
                total += s.board.att[u][s.step[u]] * 12.0 / (6.0 + far) if far < 30 else 0.0
            out[h] = total
        return out

    # Garrisons

    def hold(self) -> None:
        """What must not be lost is held first, by as many as keep the enemy nearby from good odds."""
        s = self.s
        held = [h for h in (*s.board.vp, s.board.rostov) if controls(s, self.side, h)]
        for h in sorted(held, key=lambda h: -place_worth(s, h)):
            odds, nearby = (
                self.params.firmly if h == s.board.rostov else self.params.thinly
            )  # everybody else is needed elsewhere
            threat = self._threat(h, nearby)
            if not threat:
                continue
            own = s.here.get(h, 0) & s.board.of_side[self.side] & s.board.zoc
            strength = 0
            for u in sorted(units_of(own), key=lambda u: (s.board.mobile >> u & 1, -s.board.dfn[u][s.step[u]])):
                if self._firm(h, strength) * odds > threat:
                    break
                strength += s.board.dfn[u][s.step[u]]
                self.free &= ~(1 << u)
            if self._firm(h, strength) * odds <= threat:
                self._reinforce(h, strength, threat / odds)

    def _threat(self, h: Hex, nearby: int) -> int:
        """The attack strength of the enemies within a phase of a hex."""
        s = self.s
        near = s.board.grid.within(h, nearby) & s.occ[enemy(self.side)]
        units = 0
        for x in hexes_in(near):
            units |= s.here[x]
        return sum(s.board.att[u][s.step[u]] for u in units_of(units))

    def _firm(self, h: Hex, strength: int) -> int:
        return strength + min(chart(self.s).bonus[h], strength)

    def _reinforce(self, h: Hex, strength: int, need: float) -> None:
        """Bring in who can come until the hex is firm enough."""
        s = self.s
        for u in sorted(self.reach, key=lambda u: (s.board.mobile >> u & 1, -s.board.dfn[u][s.step[u]])):
            if not self.free >> u & 1 or not self.reach[u] >> h & 1 or s.board.white >> u & 1:
                continue
            if self._firm(h, strength) > need or not self._room(s, u, h):
                return
            strength += s.board.dfn[u][s.step[u]]
            self._send(u, h)

    # What lies open

    def grab(self) -> None:
        """A victory hex that nobody holds is taken by the weakest who can get there."""
        s = self.s
        board = s.board
        for h in sorted(self.aims, key=lambda h: -self.aims[h]):
            if controls(s, self.side, h) or s.occ[enemy(self.side)] >> h & 1:
                continue
            could = [u for u in self.reach if self.free >> u & 1 and self.reach[u] >> h & 1 and board.zoc >> u & 1]
            if could:
                self._send(min(could, key=lambda u: (board.att[u][s.step[u]], u)), h)

    # Attacks

    def spots(self, u: int, near: Mask) -> Mask:
        """Where a unit could stand to attack from these hexes."""
        s = self.s
        here = 1 << s.at[u]
        if self.second:
            found = self.charge.get(u, 0) & near
            return found | (here & near if self.markable >> u & 1 else 0)
        return (self.reach.get(u, 0) | here) & near

    def attacks(self) -> None:
        """Plan the best attack, then the next, until none is left that promises anything."""
        s = self.s
        while True:
            best: tuple[float, Hex, list[tuple[int, Hex]]] | None = None
            for target in hexes_in(s.occ[enemy(self.side)] & ~s.board.barred[self.side]):
                if target in self.plan.attacks:
                    continue
                found = self._attack(target)
                if found is not None and (best is None or found[0] > best[0]):
                    best = (found[0], target, found[1])
            if best is None:
                return
            _, target, moves = best
            self.plan.attacks[target] = sum(1 << u for u, _ in moves)
            for u, h in moves:
                self._send(u, h, attack=True)

    def _attack(self, target: Hex) -> tuple[float, list[tuple[int, Hex]]] | None:
        """Who would attack a hex from where, and what that promises; None if it is not worth it."""
        s = self.s
        board = s.board
        near = s.ground.around[target] & ~s.occ[enemy(self.side)] & ~board.barred[self.side]
        out = s.rebuilt | s.marked | board.hq
        could = [
            u
            for u in units_of(self.free & ~out)
            if board.att[u][s.step[u]] and not s.disrupted >> u & 1 and self.spots(u, near)
        ]
        strength = sum(board.att[u][s.step[u]] for u in could)
        if strength * 4 < sum(board.dfn[v][s.step[v]] for v in units_of(s.here[target])) * 3:
            return None
        could.sort(key=lambda u: -board.att[u][s.step[u]])
        t = s.copy()
        t.active = self.side
        taken: list[tuple[int, Hex]] = []
        attackers = 0
        column = -9
        for u in could[: self.params.company]:
            spot = self._spot(t, u, target, near)
            if spot < 0:
                continue
            put(t, u, spot)
            got = reckon(t, COMBAT, target, attackers | 1 << u).column
            if got <= column and column >= 0:
                put(t, u, s.at[u])
                continue
            column = got
            attackers |= 1 << u
            taken.append((u, spot))
            if column >= self.params.enough:
                break
        if not attackers:
            return None
        prospect = Prospect(t, COMBAT, target, self.params.cleared)
        column += best_marker(t, COMBAT, target, attackers)[1]
        value = prospect.value(column, own_step(t, attackers))
        value += self._lure(target) * self.params.lure[self.side]
        return (value, taken) if value > self.params.least[self.side] else None

    def _lure(self, target: Hex) -> float:
        """A little more for attacks on the way to a goal."""
        best = 0.0
        for goal, value in self.aims.items():
            if controls(self.s, self.side, goal):
                continue
            far = ways(self.s, goal, True)[target]
            best = max(best, value / (3.0 + far))
        return best

    def _spot(self, t: State, u: int, target: Hex, near: Mask) -> Hex:
        """The best hex from which a unit attacks: where it is strongest, in supply, with room to stand."""
        best, at = -1e9, -1
        old = t.at[u]
        for h in hexes_in(self.spots(u, near)):
            if h != old and not self._room(t, u, h):
                continue
            put(t, u, h)
            value = 2.0 * attack_strength(t, u, target) + 0.3 * cover(t, h) + (0.0 if self.full >> h & 1 else -3.0)
            value += 0.5 if h == old else 0.0
            put(t, u, old)
            if value > best:
                best, at = value, h
        return at

    def _room(self, t: State, u: int, h: Hex) -> bool:
        return counted(t, h, t.here.get(h, 0) & t.board.of_side[self.side] | 1 << u) <= limit(t)

    def _send(self, u: int, h: Hex, attack: bool = False) -> None:
        """Give an order, and let the unit stand there on the copy."""
        s = self.s
        self.free &= ~(1 << u)
        if h == s.at[u]:
            if attack and self.second:
                self.plan.orders[u] = (verbs.ASSAULT, u)
            return
        self.plan.orders[u] = (verbs.CHARGE if attack and self.second else verbs.TO, h)
        put(s, u, h)

    # Everybody else

    def others(self) -> None:
        """The units that do not attack: to goals, to posts, to the front."""
        s = self.s
        rest = [u for u in units_of(self.free) if u in self.reach and not s.board.hq >> u & 1]
        rest.sort(key=lambda u: -(s.board.ma[u][s.step[u]] * 10 + s.board.att[u][s.step[u]]))
        sent: dict[Hex, float] = {}
        for u in rest:
            self._march(u, sent)
        for u in units_of(self.free & s.board.hq):
            if u in self.reach:
                self._headquarters(u)

    def _march(self, u: int, sent: dict[Hex, float]) -> None:
        s = self.s
        here = s.at[u]
        own = worth(s, 1 << u)
        mech = bool(s.board.mech >> u & 1)
        goal, pull = -1, 0.0
        for h, value in self.aims.items():
            far = ways(s, h, mech)[here]
            if far >= FAR:
                continue
            mine = controls(s, self.side, h)
            need = value
            if mine:  # a post to be held: as much as it is threatened
                need = value * min(self.danger[h] / self.params.post, 1.5)
            crowd = sent.get(h, 0.0)
            wanted = (self.danger[h] * 1.6 + 3.0) if mine else 26.0
            force = need / (4.0 + far) * max(0.15, 1.0 - crowd / wanted)
            if force > pull:
                goal, pull = h, force
        if goal < 0:
            return
        sent[goal] = sent.get(goal, 0.0) + own
        best, to = self._score(u, here, goal, mech), here
        for h in hexes_in(self.reach[u]):
            if not self._room(s, u, h):
                continue
            value = self._score(u, h, goal, mech)
            if value > best + 0.05:
                best, to = value, h
        self._send(u, to)

    def _score(self, u: int, h: Hex, goal: Hex, mech: bool) -> float:
        """How good it is for a unit on its way to a goal to stand here."""
        s = self.s
        far = ways(s, goal, mech)[h]
        value = -1.0 * min(far, 60)
        if not self.full >> h & 1:
            value -= self.params.unfed[self.side]
        if not controls(s, self.side, h) and s.board.places >> h & 1:
            value += 0.6 * place_worth(s, h)
        exposed = self.hostile >> h & 1
        if exposed:
            value += 0.5 * cover(s, h) - self.params.shy[self.side]
            friends = s.here.get(h, 0) & s.board.of_side[self.side] & ~(1 << u)
            value += 1.0 if friends else 0.0
        else:
            value += 0.15 * cover(s, h)
        if h == goal:
            value += 3.0
        if h == s.at[u] and excess(s, h, self.side):  # 5.2c who stays in a crowd is lost
            value -= self.params.crowded
        if h == s.at[u] and matters(s, h) and controls(s, self.side, h) and self._alone(u, h):
            value += 0.4 * place_worth(s, h) * min(self.danger.get(h, 2.0) / 4.0, 1.5)  # do not bare what is threatened
        return value

    def _alone(self, u: int, h: Hex) -> bool:
        s = self.s
        return not s.here.get(h, 0) & s.board.of_side[self.side] & s.board.zoc & ~(1 << u)

    def _headquarters(self, u: int) -> None:
        """An HQ keeps near the fighting, in supply, and with troops that stay, or out of the enemy's reach (15.1a)."""
        s, board = self.s, self.s.board
        own = board.of_side[self.side]
        fronts = list(self.plan.attacks) or [s.at[v] for v in units_of(own) if s.at[v] >= 0]
        if not fronts:
            return
        grid = board.grid
        leaving = sum(self.plan.attacks.values())  # who attacks may advance and leave it alone
        guards = own & board.zoc & ~leaving
        reached = self._reached()

        def value(h: Hex) -> float:
            near = sum(grid.distance(h, x) for x in fronts) / len(fronts)
            friends = bool(s.here.get(h, 0) & guards)
            safe = 0.0 if not self.hostile >> h & 1 else -12.0
            if reached >> h & 1 and not friends:
                safe -= ALONE
            return -near + safe + (7.0 if friends else 0.0) + (2.0 if self.full >> h & 1 else -4.0)

        best, to = value(s.at[u]), s.at[u]
        for h in hexes_in(self.reach[u]):
            if value(h) > best + 0.5:
                best, to = value(h), h
        self._send(u, to)

    def _reached(self) -> Mask:
        """The hexes beside which the enemy's troops could stand in their next movement phase, about."""
        s, board = self.s, self.s.board
        found = 0
        for v in units_of(board.of_side[enemy(self.side)]):
            if s.at[v] >= 0 and board.att[v][s.step[v]]:
                found |= board.grid.within(s.at[v], 1 + board.ma[v][s.step[v]] * 2 // 3)
        return found


def make_plan(s: State, side: int, second: int, params: Params = NORMAL) -> Plan:
    """The whole phase."""
    work = Planning(s, side, second, params)
    work.hold()
    work.grab()
    work.attacks()
    work.others()
    return work.plan
