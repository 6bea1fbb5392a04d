"""A movement phase as a whole: who goes where to attack, who takes what, who holds what."""

from __future__ import annotations

from dataclasses import dataclass, field

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import enemy, hexes_in, units_of

from ..combat.combat import attackers_near, may_attack
from ..combat.nations import together
from ..combat.results import AUTO
from ..combat.strengths import defence_total, defending, reckon
from ..movement.companions import led_by_rommel
from ..movement.phase import movable
from ..paths.modes import BESIDE_ENEMY, UNMOVED
from ..paths.reaches import Reach, reach
from ..supply import supply_lines
from ..supply.support import outflown
from ..table.board import SIXTHS
from ..table.ids import AIR_ALLIED, AIR_GERMAN, AXIS, COMANDO, COMBAT, EXTENDED, NORMAL, ROAD_BONUS, TACTICAL
from ..table.position import controls, put, zone
from ..table.scenarios import script
from ..table.stacking import excess, limit, points
from ..table.state import State
from ..table.verbs import V_TO
from ..table.zones import next_to_enemy
from .dangers import Dangers
from .fights import Prospect, supply_price, terms
from .goals import NEAR, SOON, STRIDE, Fears, nearer_to_the_enemy, tries
from .lifelines import base_of, cutters
from .moods import PLAIN, Params, fancy
from .worth import FAR, aims, behind, capital, cover, distance, objectives, place_worth, ways, ways_around, worth

CROWDED = 40.0
SPARE = 0.15  # who makes an attack better by less than this is not needed for it
ORDER = 1.2  # what Comando Supremo costs: an RP
RESTLESS = 20.0  # strength times movement points of marches that are worth as much as an attack of value 1
GRABBED = 2.0  # what it counts to take or to man a place
DETOUR = 0.6  # what a movement point away from the main goal costs
EXPOSED = 0.35  # how much of what a stack could lose counts


CLOSE_BY = 8  # hexes to the enemy's capital from which on it is gone for
MATTERS = 6.0  # what a place is worth that gets more than a token garrison
OUT_OF_SUPPLY = 7.0
ASTRAY = 12.0  # what it costs an HQ to be nearer to the enemy than to its own
MODES = (NORMAL, TACTICAL, ROAD_BONUS, EXTENDED)  # the freest first


@dataclass
class Plan:
    """Orders of a movement phase: where each unit goes, in the order they are to be given."""

    orders: dict[int, Action] = field(default_factory=dict)
    attacks: dict[Hex, int] = field(default_factory=dict)
    lures: dict[Hex, float] = field(default_factory=dict)  # what lies behind the targets
    rommel: int = -1  # 18.5a the unit that Rommel hurries on
    comando: bool = False  # 8.4.1 Germans and Italians are to attack together
    main: Hex = -1  # what the mobile troops go for
    pause: bool = False  # 17.4 nobody marches: a supply point comes for it
    posted: int = 0  # the garrisons: they go nowhere by rail either
    params: Params = PLAIN  # how the phase is played


def reach_of(s: State, u: int) -> Reach:
    """Where a unit could go by itself."""
    beside = s.board.foot >> u & 1 and next_to_enemy(s, s.board.side[u], s.at[u])
    return reach(s, 1 << u, spent=BESIDE_ENEMY if beside else UNMOVED)


def supplied(s: State, side: int) -> Mask:
    """The places where a unit would be in supply, from a box or a port."""
    return supply_lines.full(s, side) | supply_lines.fed_by_port(s, side)


class Planning:
    """Works a plan out on a copy of the table, where the units already stand as they will."""

    def __init__(self, s: State, side: int, before: Hex = -1, params: Params = PLAIN) -> None:
        self.s = s.copy()
        self.before = before
        self.params = params
        self.doctrine = params.doctrines[side]
        self.side = side
        self.plan = Plan(params=params)
        self.mood = params.moods[behind(s, side)]
        board = s.board
        self.tail = board.asus | board.replacements & board.mech  # who follows the fighters
        self.free = movable(s) & (board.combat | self.tail)
        self.reach: dict[int, Reach] = {u: reach_of(s, u) for u in units_of(self.free)}
        self.all: dict[int, Mask] = {
            u: r.masks[0] | r.masks[1] | r.masks[2] | r.masks[3] for u, r in self.reach.items()
        }
        self.fed = supplied(s, side)
        self.hostile = zone(s, enemy(side))
        self.aims = aims(s, side)
        if params.whim:
            self.aims = {h: value * fancy(params.whim, h) for h, value in self.aims.items()}
        theirs = capital(s, enemy(side))
        if not board.grid.within(theirs, CLOSE_BY) & self.fed:  # 26.1 it counts for who is in full supply there
            del self.aims[theirs]
        self.cutters = cutters(s, side)
        for h, value in self.cutters.items():
            self.aims[h] = max(self.aims.get(h, 0.0), value)
        self.foes = [u for u in units_of(board.of_side[enemy(side)] & board.combat & ~board.asus) if s.at[u] >= 0]
        mine = [h for h in self.aims if h not in self.cutters and controls(s, side, h)]
        self.fears = Fears(s, side, mine, blocked=self.mood.bold)
        self.danger = self.fears.soon
        mobile = [u for u in units_of(self.free & board.mech & ~self.tail) if s.at[u] >= 0]
        self.force = [(u, float(board.att[u][s.step[u]])) for u in mobile if board.att[u][s.step[u]] > 1]
        self.tries = {h: tries(s, side, h, self.force) for h in self.aims if h not in self.danger}
        self.chance_of_use = self._usable()
        self.fighters = may_attack(self.s) if s.active == side else 0
        self.dangers = Dangers(s, side)
        self.main = self._main_goal()
        rich = s.rp[side] > 0
        self.left: dict[tuple[Hex, bool], list[int]] = {}
        self.gains = 0.0  # what the planned attacks promise
        self.progress = 0.0  # strength times movement points that the marches bring nearer to their goals
        self.comando = bool(s.comando or s.assets[COMANDO] or rich)
        air = AIR_GERMAN if side == AXIS else AIR_ALLIED
        self.flights = bool(s.assets[air]) or (rich and not outflown(s, side))

    def _usable(self) -> dict[Hex, float]:
        """How far a goal counts: less for each objective of the enemy's that lies nearer to the base, where supply
        matters for victory."""
        s = self.s
        wanted = [h for h in hexes_in(objectives(s)) if not controls(s, self.side, h)]
        wanted.sort(key=lambda h: distance(s, h, True, base_of(s, self.side)))
        order = {h: i for i, h in enumerate(wanted)}
        later = self.doctrine.later if script(s).points is not None else 1.0
        return {h: later ** order.get(h, 0) for h in self.tries}

    def _toil(self, h: Hex) -> float:
        """By how much a place is less worth going for because it is well held, for what one has."""
        s = self.s
        if not s.men[enemy(self.side)] >> h & 1:
            return 1.0 / self.chance_of_use[h]
        held = min(defence_total(s, h, defending(s, h)), 15)
        return (1.0 + held / self.doctrine.toil) / self.chance_of_use[h]

    # Garrisons

    def hold(self) -> None:
        """What must not be lost is held first, by as many as the enemy nearby makes necessary."""
        s = self.s
        for h in sorted(self.danger, key=lambda h: -place_worth(s, h)):
            main = h == capital(s, self.side)
            threat = self.fears.threat(h, 12.0 if main else NEAR)
            if not threat and not main:
                continue
            need = max(threat / 4.0, 1.0) if main or h == s.board.tobruk else threat / self.doctrine.guard
            if need < 1.0:  # a raid: whoever passes by sees to it
                continue
            own = s.here.get(h, 0) & s.board.of_side[self.side] & s.board.combat & ~s.board.asus
            token = self.doctrine.token
            small = not main and place_worth(s, h) < MATTERS and token < need
            if small:
                need = min(need, token)
            strength = 0.0
            for u in sorted(units_of(own), key=self._spared):
                if strength >= need:
                    break
                if small and s.board.mech >> u & 1 and s.board.att[u][s.step[u]] > token:
                    continue
                strength += self._firm(u, h)
                self.free &= ~(1 << u)
                self.plan.posted |= 1 << u
            if strength < need and not small:
                self._reinforce(h, strength, need)

    def _spared(self, u: int) -> tuple[int, int, int]:
        """Who can be spared for a garrison: those on foot, then those who attack least for what they hold."""
        board, shows = self.s.board, self.s.step[u]
        return int(board.mech >> u & 1), 2 * board.att[u][shows] - board.dfn[u][shows], u

    def _firm(self, u: int, h: Hex) -> float:
        return self.s.board.dfn[u][self.s.step[u]] * (1.0 + 0.3 * cover(self.s, h, self.side))

    def _reinforce(self, h: Hex, strength: float, need: float) -> None:
        """Bring in who can come until the hex is firm enough."""
        s = self.s
        able = [u for u in self.all if self.free >> u & 1 and self.all[u] >> h & 1 and not self.tail >> u & 1]
        for u in sorted(able, key=self._spared):
            if strength >= need or not self._room(s, u, h):
                return
            strength += self._firm(u, h)
            self._send(u, h)

    # What lies open

    def grab(self) -> None:
        """A place that nobody holds is taken by the weakest who can get there."""
        s = self.s
        board = s.board
        able = [u for u in units_of(self.free) if not self.tail >> u & 1]
        found: list[tuple[float, Hex]] = []
        for h, value in self.aims.items():
            if not controls(s, self.side, h) and not s.men[enemy(self.side)] >> h & 1:
                near = [distance(s, h, bool(board.mech >> u & 1), s.at[u]) for u in able if self.all[u] >> h & 1]
                if near:
                    found.append((min(near) - value, h))
        for _, h in sorted(found):
            could = [u for u in able if self.free >> u & 1 and self.all[u] >> h & 1]
            if could:
                self._send(min(could, key=lambda u: (board.att[u][s.step[u]], u)), h)

    def hurry(self) -> None:
        """18.5a Rommel takes somebody to an open place that nobody could reach without him."""
        s = self.s
        if self.side != AXIS or not s.rommel:
            return
        germans = units_of(self.free & led_by_rommel(s) & s.board.mech & ~self.tail)
        open_ = [h for h in self.aims if h not in self.danger and not s.men[enemy(self.side)] >> h & 1]
        for h in sorted(open_, key=lambda h: -self.aims[h]):
            if controls(s, self.side, h) or any(s.at[u] == h for u in self.reach):
                continue
            for u in germans:
                wide = reach(s, 1 << u, rommel=True)
                if (wide.masks[NORMAL] | wide.masks[EXTENDED]) >> h & 1:
                    self.reach[u] = wide
                    self.plan.rommel = u
                    self._send(u, h)
                    return

    # Attacks

    def attacks(self) -> None:
        """Plan the best attack, then the next, until none is left that promises anything."""
        s = self.s
        tried: dict[Hex, tuple[float, list[tuple[int, Hex]]] | None] = {}
        while True:
            for target in hexes_in(s.men[enemy(self.side)]):
                if target not in self.plan.attacks and target not in tried:
                    tried[target] = self._attack(target)
            found = [(of[0], h) for h, of in tried.items() if of is not None]
            if not found:
                return
            _, target = max(found)
            best = tried.pop(target)
            if best is None:
                return
            moves = best[1]
            self.gains += best[0]
            self.plan.attacks[target] = sum(1 << u for u, _ in moves)
            self.plan.lures[target] = self._lure(target) * self.mood.lure
            self.plan.comando |= self.side == AXIS and self._mixed(self.plan.attacks[target])
            for u, h in moves:
                self._send(u, h)
            sent = self.plan.attacks[target]
            for h in [h for h, of in tried.items() if of is not None and any(sent >> u & 1 for u, _ in of[1])]:
                del tried[h]

    def spots(self, u: int, near: Mask) -> Mask:
        """Where a unit could stand to attack from these hexes."""
        r = self.reach.get(u)
        return ((r.masks[NORMAL] | r.masks[TACTICAL] if r else 0) | 1 << self.s.at[u]) & near

    def _attack(self, target: Hex) -> tuple[float, list[tuple[int, Hex]]] | None:
        """Who would attack a hex from where, and what that promises; None if it is not worth it."""
        s = self.s
        board = s.board
        near = board.around[target] & ~s.men[enemy(self.side)]
        pool = self.free & self.fighters
        could = [u for u in units_of(pool) if board.att[u][s.step[u]] and s.at[u] >= 0 and self.spots(u, near)]
        strength = sum(board.att[u][s.step[u]] for u in could)
        if strength * 2 < sum(board.dfn[v][s.step[v]] for v in units_of(s.here[target])):
            return None
        could.sort(key=lambda u: (-board.att[u][s.step[u]], u))
        best: tuple[float, list[tuple[int, Hex]]] | None = None
        for army in self._armies(could):
            found = self._gather(target, near, army[: self.params.company])
            if found is not None and (best is None or found[0] > best[0] + 0.01):
                best = found
        return best

    def _armies(self, could: list[int]) -> list[list[int]]:
        """8.4 whom one could lead against a hex together: Germans, Italians, and both under Comando Supremo."""
        board = self.s.board
        if self.side != AXIS:
            leads = list(dict.fromkeys(board.nation[u] for u in could))[:3]
            return [sorted(could, key=lambda u: board.nation[u] != lead) for lead in leads]
        armies = [[u for u in could if board.nation[u] == n] for n in (0, 1)]
        if self.comando and armies[0] and armies[1]:
            armies.append(could)
        return [army for army in armies if army]

    def _gather(self, target: Hex, near: Mask, could: list[int]) -> tuple[float, list[tuple[int, Hex]]] | None:
        """Everybody who can come, and then nobody too many."""
        s = self.s
        t = s.copy()
        t.active = self.side
        if self.comando and self.side == AXIS:
            t.assets[COMANDO] = max(t.assets[COMANDO], 1)
        taken: list[tuple[int, Hex]] = []
        attackers = 0
        for u in could:
            if attackers and not together(t, attackers | 1 << u):
                continue
            spot = self._spot(t, u, target, near)
            if spot < 0:
                continue
            put(t, u, spot)
            attackers |= 1 << u
            taken.append((u, spot))
            if reckon(t, COMBAT, target, attackers).column >= AUTO:
                break
        if not attackers:
            return None
        prospect = Prospect(t, COMBAT, target, attackers, self._lure(target) * self.mood.lure)
        found = terms(t, COMBAT, target, attackers, prospect, planes=self.planes(attackers))
        for u, spot in reversed(taken[1:]):
            rest = attackers & ~(1 << u)
            put(t, u, s.at[u])
            less = terms(t, COMBAT, target, rest, prospect, planes=self.planes(rest))
            if less.value >= found.value - SPARE - self._detour(u, spot):
                attackers, found = rest, less
                taken.remove((u, spot))
            else:
                put(t, u, spot)
        value = found.value - sum(self._detour(u, spot) for u, spot in taken)
        if self.side == AXIS and self._mixed(attackers) and not (s.comando or s.assets[COMANDO]):
            value -= ORDER
        return (value, taken) if value > self.mood.least else None

    def _detour(self, u: int, spot: Hex) -> float:
        """What a mobile unit loses that fights away from the main goal: the way back."""
        if self.main < 0 or not self.s.board.mech >> u & 1:
            return 0.0
        left = ways(self.s, self.main, True)
        far, now = left[spot], left[self.s.at[u]]
        cost = DETOUR * max(0.0, min((far - now) / SIXTHS, 12.0))
        if self.doctrine.haste:  # it could have come so near instead
            near = min((left[h] for h in hexes_in(self.all[u] & self.fed)), default=now)
            cost += self.doctrine.haste * max(0.0, min((far - near) / SIXTHS, 12.0))
        return cost

    def _mixed(self, units: int) -> bool:
        of = self.s.board.of_nation
        return bool(units & of[0] and units & of[1])

    def planes(self, units: int) -> bool:
        """18.7.1a whether air support could be bought for an attack by these units."""
        return self.flights and (self.side != AXIS or bool(units & self.s.board.of_nation[0]))

    def _lure(self, target: Hex) -> float:
        """A little more for attacks on the way to a goal."""
        best = self.cutters.get(target, 0.0)
        for goal, value in self.aims.items():
            if goal in self.cutters or not controls(self.s, self.side, goal):
                best = max(best, value / (3.0 + distance(self.s, goal, True, target)))
        return best

    def _spot(self, t: State, u: int, target: Hex, near: Mask) -> Hex:
        """The best hex from which a unit attacks: in supply, with cover and room to stand."""
        best, at = -1e9, -1
        old = t.at[u]
        for h in hexes_in(self.spots(u, near)):
            if h != old and not self._room(t, u, h):
                continue
            put(t, u, h)
            fights = attackers_near(t, target, 1 << u)
            value = 0.3 * cover(t, h, self.side) + (0.0 if self.fed >> h & 1 else -3.0)
            value += 1.0 if reckon(t, COMBAT, target, 1 << u).base > -2 else 0.0
            value += 0.5 if h == old else 0.0
            value += 0.4 if t.here[h] & t.board.of_side[self.side] & ~(1 << u) else 0.0
            put(t, u, old)
            if fights and value > best:
                best, at = value, h
        return at

    def _room(self, t: State, u: int, h: Hex) -> bool:
        return points(t, t.here.get(h, 0) & t.board.of_side[self.side] | 1 << u) <= limit(t)

    def _send(self, u: int, h: Hex) -> None:
        """Give an order, and let the unit stand there on the copy."""
        s = self.s
        self.free &= ~(1 << u)
        if h == s.at[u]:
            return
        masks = self.reach[u].masks
        mode = next((m for m in MODES if masks[m] >> h & 1), -1)
        if mode >= 0:
            self.plan.orders[u] = (V_TO, h, mode)
            put(s, u, h)

    # Everybody else

    def others(self) -> None:
        """The units that do not attack: to goals, to posts, to the front."""
        s = self.s
        rest = [u for u in units_of(self.free) if not self.tail >> u & 1]
        rest.sort(key=lambda u: -(s.board.ma[u][s.step[u]] * 10 + s.board.att[u][s.step[u]]))
        sent: dict[Hex, float] = {}
        for u in rest:
            self._march(u, sent)
        theirs = nearer_to_the_enemy(s, self.side)
        for u in units_of(self.free & self.tail):
            self._headquarters(u, theirs)

    def _main_goal(self) -> Hex:
        """The goal that the mobile troops go for together: what brings most for the time that it takes."""
        s = self.s
        pulls: list[tuple[float, Hex]] = []
        whole = sum(att for _, att in self.force)
        for h in self.tries:
            far = sum(att * min(distance(s, h, True, s.at[u]), 60.0) for u, att in self.force) / max(whole, 1.0)
            pull = self._pull(h, far)
            pulls.append((pull * self.doctrine.stubborn if h == self.before else pull, h))
        pulls.sort(key=lambda one: -one[0])
        pulls = [one for one in pulls if one[0] > 0.0]
        return pulls[min(self.params.choice, len(pulls) - 1)][1] if pulls else -1

    def _pull(self, h: Hex, far: float) -> float:
        """What a goal brings for each player turn that it takes to go there and to take it."""
        return self.aims[h] * self.chance_of_use[h] / (1.0 + far / STRIDE + self.tries[h])

    def _march(self, u: int, sent: dict[Hex, float]) -> None:
        s = self.s
        here = s.at[u]
        own = worth(s, 1 << u)
        mech = bool(s.board.mech >> u & 1)
        goal, pull = -1, 0.0
        for h, value in self.aims.items():
            far = distance(s, h, mech, here)
            if far * 6 >= FAR:
                continue
            mine = h in self.danger
            if mine:
                need = value * self.mood.keep * min(self.danger[h] / 12.0, 1.5) / (6.0 + far)
            else:
                need = value / self._toil(h) / (6.0 + far)
            wanted = (self.danger[h] * 1.6 + 3.0) if mine else 40.0
            force = need * max(0.15, 1.0 - sent.get(h, 0.0) / wanted)
            if mech and h == self.main:
                force = max(force, need) * self.mood.drive
            if force > pull:
                goal, pull = h, force
        if goal < 0:
            return
        sent[goal] = sent.get(goal, 0.0) + own
        best, to = self._score(u, here, goal, mech), here
        for h in hexes_in(self.all[u]):
            value = self._score(u, h, goal, mech)
            if value > best + 0.05 and self._room(s, u, h):
                best, to = value, h
        gained = distance(s, goal, mech, here) - distance(s, goal, mech, to)
        self.progress += max(0.0, min(gained, 8.0)) * s.board.att[u][s.step[u]] * (1.0 if mech else 0.4)
        self._send(u, to)

    def _score(self, u: int, h: Hex, goal: Hex, mech: bool) -> float:
        """How good it is for a unit on its way to a goal to stand here."""
        s = self.s
        value = -min(self._left(goal, mech)[h] / SIXTHS, 120.0)
        gain = s.board.controllable >> h & 1 and not controls(s, self.side, h)
        if gain:
            value += 0.8 * place_worth(s, h)
        elif not self.fed >> h & 1:
            value -= OUT_OF_SUPPLY
        friends = s.here.get(h, 0) & s.board.of_side[self.side] & s.board.combat & ~(1 << u)
        value -= EXPOSED * self._exposed(h, friends, u)
        if self.hostile >> h & 1:
            value += 0.5 * cover(s, h, self.side) - self.mood.shy + (1.0 if friends else 0.0)
        else:
            value += 0.15 * cover(s, h, self.side) + (0.3 if friends else 0.0)
        if h == goal:
            value += 3.0
        if h == s.at[u]:
            if excess(s, h, self.side):  # 4.4.1c who stays in a crowd is lost
                value -= CROWDED
            if h in self.danger and not friends:  # do not bare what is threatened
                value += 0.4 * place_worth(s, h) * min(self.danger[h] / 4.0, 1.5)
        return value

    def _left(self, goal: Hex, mech: bool) -> list[int]:
        """The way that is left to a goal from every hex."""
        found = self.left.get((goal, mech))
        if found is None:
            around = self.doctrine.around
            found = ways_around(self.s, self.side, goal, mech) if around else ways(self.s, goal, mech)
            self.left[goal, mech] = found
        return found

    def _exposed(self, h: Hex, friends: int, u: int) -> float:
        """What it adds to the losses to fear that a unit stands in a hex, beside whoever is there."""
        s = self.s
        units = friends | 1 << u
        return worth(s, units) * self.dangers.share(s, h, units) - (
            worth(s, friends) * self.dangers.share(s, h, friends) if friends else 0.0
        )

    def _headquarters(self, u: int, theirs: Mask) -> None:
        """An ASU or a replacement keeps near the fighting, in supply, out of reach of the enemy, behind its own."""
        s = self.s
        board = s.board
        attacks = self.plan.attacks
        att = board.att
        mine = board.of_nation[board.nation[u]] if self.side == AXIS else -1
        force = {h: sum(att[v][s.step[v]] for v in units_of(attacks[h] & mine)) for h in attacks}
        fronts = sorted((h for h in force if force[h]), key=lambda h: -force[h])[:1]
        if not fronts:
            front = front_of(s, self.side)
            if front < 0:
                return
            near = self.main >= 0 and distance(s, self.main, True, front) < SOON
            fronts = [self.main] if near else [front]
        range_ = max(board.asu_range[u] - 1, 2) if board.asus >> u & 1 else 4

        def value(h: Hex) -> float:
            near = min(distance(s, x, True, h) for x in fronts)
            away = min(board.grid.distance(x, h) for x in fronts) if not board.is_box(h) else 99
            friends = s.here.get(h, 0) & board.of_side[self.side] & board.combat & ~board.asus & ~(1 << u)
            share = self.dangers.share(s, h, friends | 1 << u & board.combat)
            safe = -12.0 if not friends and (self.hostile >> h & 1 or self.dangers.at(h)[0]) else 0.0
            fed = (0.0 if self.fed >> h & 1 else -8.0) - (ASTRAY if theirs >> h & 1 else 0.0)
            far = -near - max(0, min(away, 30) - range_) if away > range_ else -3.0
            return far + safe - 9.0 * share + (2.0 if friends else 0.0) + fed

        best, to = value(s.at[u]), s.at[u]
        for h in hexes_in(self.all[u]):
            got = value(h)
            if got > best + 0.5:
                best, to = got, h
        self._send(u, to)

    # 17.4 The free supply point

    def may_rest(self) -> bool:
        """Whether it matters little who marches, and a corps HQ in full supply could take a supply point."""
        s = self.s
        board = s.board
        hqs = units_of(board.hqs & board.of_side[self.side])
        full = supply_lines.full(s, self.side)
        if not any(s.at[u] >= 0 and not board.is_box(s.at[u]) and full >> s.at[u] & 1 for u in hqs):
            return False
        return self.gains + self.progress / RESTLESS < self.mood.pause * supply_price(s)

    def rest(self) -> None:
        """Only who can go where he is going by tactical movement goes, and nobody attacks."""
        orders = self.plan.orders
        self.plan.attacks.clear()
        self.plan.comando = False
        for u in list(orders):
            _, h, _ = orders[u]
            if self.reach[u].masks[TACTICAL] >> h & 1:
                orders[u] = (V_TO, h, TACTICAL)
            else:
                del orders[u]
        self.plan.pause = True


def front_of(s: State, side: int) -> Hex:
    """Where the strongest stack of a side stands nearest to what it wants."""
    board = s.board
    wanted = [h for h in aims(s, side) if not controls(s, side, h) and h != capital(s, enemy(side))]
    wanted = wanted or [capital(s, enemy(side))]
    best, at = -1.0, -1
    for h in hexes_in(s.men[side]):
        force = sum(board.att[u][s.step[u]] for u in units_of(s.here[h] & board.of_side[side]))
        near = min(distance(s, x, True, h) for x in wanted)
        value = force * 20.0 / (10.0 + near)
        if value > best:
            best, at = value, h
    return at


def make_plan(s: State, side: int, before: Hex = -1, params: Params = PLAIN) -> Plan:
    """The whole phase; `before` is the main goal until now."""
    work = Planning(s, side, before, params)
    work.plan.main = work.main
    work.hold()
    work.grab()
    work.hurry()
    work.gains += GRABBED * len(work.plan.orders)
    work.attacks()
    work.others()
    if params.rests and not s.moved_at_all and work.may_rest():
        work.rest()
    return work.plan
