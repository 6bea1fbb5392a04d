"""How the computer plays The Caucasus Campaign.

Everything lies open, so the planner thinks on the table itself, or on one set up from its view.
A movement phase is planned as a whole (moves.py) and carried out order by order; a fight is entered
when the chances of all its results together promise something (fights.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from sandtable.engine.contract import Action, Game
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import enemy, hexes_in
from sandtable.mechanics.planning import Thinker, aims, unlike

from ..combat.combat import targets
from ..combat.defence import hold_chance
from ..combat.strengths import reckon
from ..table import ids, verbs
from ..table.frames import UnitAt
from ..table.stacking import full as no_room
from ..table.state import State, controls, zone
from .fights import Prospect, own_step, weigh
from .moves import Plan, make_plan
from .params import LIGHT, NORMAL, VARIANTS, Params
from .worth import FAR, POINT, cover, goals, matters, place_worth, step_worth, ways, worth

WON = 500.0  # what victory counts beside everything else


class Planner(Thinker[State, Plan]):
    """A computer player for either side of both scenarios."""

    playouts = 20
    scale = 40.0

    def __init__(self, game: Game[State], rng: Random, params: Params = NORMAL) -> None:
        super().__init__(game, rng)
        self.params = params
        self._moment: tuple[int, ...] = ()
        self._plan = Plan(params=params)
        self.handlers = {
            ids.F_SETUP: lambda s, me, legal: (verbs.ACCEPT,) if (verbs.ACCEPT,) in legal else legal[0],
            ids.F_ARRIVE: self._place,
            ids.F_RANDOM: self._place,
            ids.F_EVENT: self._place,
            ids.F_TYPE: self._type,
            ids.F_MOVES: self._moves,
            ids.F_UNIT: self._unit,
            ids.F_RAID: self._raid,
            ids.F_CRUSH: self._join,
            ids.F_COMBAT: self._combat,
            ids.F_ATTACK: self._join,
            ids.F_SUPPORT: self._support,
            ids.F_LOSS: self._lose,
            ids.F_DEFENCE: self._defend,
            ids.F_DD_SUPPORT: self._defend_support,
            ids.F_RETREAT_UNIT: self._retreat,
            ids.F_ADVANCE: self._advance,
            ids.F_CLAIM: self._advance,
            ids.F_OVERSTACK: self._drop,
            ids.F_PORT: self._feed,
        }

    # The front: what search and analysis ask (mechanics/planning.py)

    def opens(self, s: State, side: int) -> bool:
        """7.1 the beginning of a movement phase."""
        return s.stack[-1][0] == ids.F_MOVES and s.active == side and moment_of(s) != self._moment

    def plans(self, s: State, side: int, k: int) -> list[Plan]:
        """The phase as it is played by several ways of playing, as far as they come to different orders."""
        ways = (make_plan(s, side, s.second, params) for params in (self.params, *VARIANTS[1:]))
        return unlike(ways, lambda one, other: (one.orders, one.attacks) == (other.orders, other.attacks), k)

    def begin(self, plan: Plan, s: State, side: int) -> Action:
        self._moment = moment_of(s)
        self._plan = replace(plan, orders=dict(plan.orders))
        return self._moves(s, side, self.game.legal(s))

    def aims(self, plan: Plan, s: State, side: int) -> list[Text]:
        """The attacks that are prepared, and the places of the victory conditions that are gone to."""
        ends = [order[1] for order in plan.orders.values() if len(order) > 1 and order[0] != verbs.MOVE]
        wanted = goals(s, side)
        places = [h for h in ends if h in wanted or h in s.board.vp]
        return aims(plan.attacks, (h for h in places if not controls(s, side, h)), places)

    def finished(self, s: State) -> bool:
        return moment_of(s) != self._moment

    def evaluate(self, s: State, side: int) -> float:
        """19 the victory hexes as they are held, and what is left of both armies."""
        if s.ended is not None:
            points = POINT * s.ended.points * (1 if side == ids.AXIS else -1)
            return points + (WON if s.ended.winner == side else -WON)
        held = sum(place_worth(s, h) for h in s.board.vp if controls(s, ids.AXIS, h))
        army = 0.25 * (worth(s, s.on_map[ids.AXIS]) - worth(s, s.on_map[1 - ids.AXIS]))
        return (held + army) * (1 if side == ids.AXIS else -1)

    def horizon(self, s: State, side: int) -> Callable[[State], bool]:
        """What a phase is worth shows late: the beginning of a turn some turns from now, or the end of the game."""
        last = s.turn + self.params.ahead
        return lambda t: t.turn > last

    def light(self, rng: Random) -> Planner:
        return Planner(self.game, rng, LIGHT)

    # Arrivals and replacements

    def _place(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """Bring everybody in, as near as possible to where he is wanted."""
        best, chosen = -1e9, legal[0]
        aims = goals(s, me)
        for action in legal:
            if action[0] != verbs.PLACE:
                continue
            h = action[2]
            value = 0.0
            for goal, wanted in aims.items():
                far = ways(s, goal, bool(s.board.mech >> action[1] & 1))[h]
                if far < FAR:
                    value = max(value, wanted * (1.6 if not controls(s, me, goal) else 1.0) / (5.0 + far))
            value -= 0.1 * (s.here.get(h, 0) & s.board.of_side[me]).bit_count()
            value -= 2.0 if no_room(s, h, action[1]) else 0.0
            value -= 0.4 if zone(s, enemy(me)) >> h & 1 else 0.0
            if value > best:
                best, chosen = value, action
        return chosen

    def _type(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """The replacement for which there is most to rebuild."""

        def need(action: Action) -> float:
            if action[0] != verbs.TYPE:
                return 1.0
            kind = action[1]
            units = [u for u, by in enumerate(s.board.rebuilt_by) if by == kind and s.at[u] >= -1]
            return max((float(s.board.att[u][0]) for u in units if s.step[u] or s.at[u] < 0), default=0.0)

        return max(legal, key=need)

    # Movement

    def _moves(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        crushes = [a for a in legal if a[0] == verbs.CRUSH]
        if crushes:
            return max(crushes, key=lambda a: worth(s, s.here[a[1]]) + place_worth(s, a[1]))
        rebuilds = [a for a in legal if a[0] == verbs.REBUILD]
        if rebuilds:
            return max(rebuilds, key=lambda a: s.board.att[a[1]][0] + s.board.dfn[a[1]][0])
        if moment_of(s) != self._moment:
            self._moment = moment_of(s)
            self._plan = make_plan(s, me, s.second, self.params)
        raid = self._best_raid(s, me, legal) if s.second else None
        if raid is not None:
            return raid
        orders = self._plan.orders
        for u, order in list(orders.items()):
            for action in (order, (verbs.MOVE, u)):
                if action in legal:
                    return action
            del orders[u]
        merges = [a for a in legal if a[0] == verbs.MERGE]
        if merges:
            return merges[0]
        due = (verbs.MOVE, s.board.security)  # 15.9a the phase does not end before it has gone to Rostov
        if (verbs.END_MOVES,) in legal or due not in legal:
            return (verbs.END_MOVES,) if (verbs.END_MOVES,) in legal else legal[0]
        return due

    def _unit(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        u = UnitAt(*s.stack[-1]).unit
        order = self._plan.orders.pop(u, None)
        if order is not None and order in legal:
            return order
        wanted = order[1] if order is not None and len(order) > 1 else self._nearest_goal(s, me, u)
        grid = s.board.grid
        plain = [a for a in legal if a[0] == verbs.TO] or list(legal)
        return min(plain, key=lambda a: (grid.distance(a[1], wanted), a))

    def _nearest_goal(self, s: State, me: int, u: int) -> Hex:
        mech = bool(s.board.mech >> u & 1)
        return min(goals(s, me), key=lambda h: ways(s, h, mech)[s.at[u]], default=s.at[u])

    def _best_raid(self, s: State, me: int, legal: Sequence[Action]) -> Action | None:
        """13 a mobile assault where a stack stands beside an enemy that it can throw out."""
        best, chosen = self._plan.params.raid, None
        for action in legal:
            if action[0] != verbs.RAID:
                continue
            h = s.at[action[1]]
            stack = s.here[h] & s.board.of_side[me] & s.board.mobile & ~(s.moved | s.assault | s.oos | s.board.hq)
            stack &= ~s.board.special_movers
            for target in self._enemies_beside(s, me, h):
                value = weigh(s, ids.MOBILE, target, stack)
                if value > best:
                    best, chosen = value, action
        return chosen

    def _enemies_beside(self, s: State, me: int, h: Hex) -> list[Hex]:
        near = s.ground.around[h] & s.occ[enemy(me)] & ~s.board.barred[me]
        return list(hexes_in(near))

    def _raid(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """13.1c everybody who can comes along, then the best assault, then an assault marker."""
        for action in legal:
            if action[0] == verbs.PICK:
                return action
        storms = [(weigh(s, ids.MOBILE, a[1], s.raid), a) for a in legal if a[0] == verbs.STORM]
        if storms:
            value, action = max(storms)
            if value > self._plan.params.worth_a_fight:
                return action
        if (verbs.READY,) in legal:
            return (verbs.READY,)
        return (verbs.HALT,) if (verbs.HALT,) in legal else legal[0]

    # Combat

    def _combat(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        claims = [a for a in legal if a[0] == verbs.ADVANCE]
        for action in claims:
            if self._better(s, me, action[1], action[2]):
                return action
        best = self._plan.params.worth_a_fight
        chosen: Action = (verbs.END_ATTACKS,)
        for action in legal:
            if action[0] != verbs.ATTACK:
                continue
            target = action[1]
            units = self._plan.attacks.get(target, 0) & targets(s, ids.COMBAT)[target] or targets(s, ids.COMBAT)[target]
            value = max(
                weigh(s, ids.COMBAT, target, units), weigh(s, ids.COMBAT, target, targets(s, ids.COMBAT)[target])
            )
            if value > best:
                best, chosen = value, action
        return chosen

    def _join(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """Those who were meant for it first, then the strongest, until the odds are as good as they need to be."""
        joins = [a for a in legal if a[0] == verbs.JOIN]
        if not joins:
            return (verbs.COMMIT,) if (verbs.COMMIT,) in legal else legal[0]
        column = (
            reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, s.fight.shifters).column
            if s.fight.attackers
            else -9
        )
        if (verbs.COMMIT,) in legal and column >= self._plan.params.enough:
            return (verbs.COMMIT,)
        meant = self._plan.attacks.get(s.fight.target, 0)
        joins.sort(key=lambda a: (not meant >> a[1] & 1, -s.board.att[a[1]][s.step[a[1]]], a))
        prospect = Prospect(s, s.fight.kind, s.fight.target)
        now = prospect.value(column, own_step(s, s.fight.attackers)) if (verbs.COMMIT,) in legal else -99.0
        for action in joins:
            more = s.fight.attackers | 1 << action[1]
            got = reckon(s, s.fight.kind, s.fight.target, more, s.fight.shifters).column
            if got > column or (verbs.COMMIT,) not in legal:
                then = prospect.value(got, own_step(s, more))
                if then > now + 0.05 or (verbs.COMMIT,) not in legal:
                    return action
        return (verbs.COMMIT,) if (verbs.COMMIT,) in legal else joins[0]

    def _support(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        prospect = Prospect(s, s.fight.kind, s.fight.target)
        column = reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, s.fight.shifters).column
        price = own_step(s, s.fight.attackers)
        best, chosen = -1e9, legal[0]
        for action in legal:
            if action[0] != verbs.SUPPORT:
                continue
            shift = s.board.air_shift[action[1]] if action[1] != ids.NO_SUPPORT else 0
            value = prospect.value(column + shift, price) - (0.4 if action[1] != ids.NO_SUPPORT else 0.0)
            if value > best:
                best, chosen = value, action
        return chosen

    def _lose(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """The cheapest of one's own, the dearest of the enemy's."""
        losses = [a for a in legal if a[0] == verbs.LOSE]
        own = s.board.side[losses[0][1]] == me
        return min(losses, key=lambda a: (step_worth(s, a[1]) if own else -step_worth(s, a[1]), a))

    def _defend(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """10.4 Stand where the place matters, where there is no way out, or where the chance is good."""
        leads = [a for a in legal if a[0] == verbs.LEAD]
        if not leads:
            return legal[0]
        units = s.here.get(s.fight.target, 0) & s.board.of_side[me]
        chance = float(hold_chance(s, s.fight.kind, s.fight.target, units, s.step, ids.NO_SUPPORT))
        stake = place_worth(s, s.fight.target) + 2.0
        if self._no_way_out(s, me):
            stake += worth(s, units)
        lead = max(leads, key=lambda a: (s.board.tq_def[a[1]][s.step[a[1]]], -step_worth(s, a[1])))
        if chance * stake > 0.7 * step_worth(s, lead[1]) * 0.5:
            return lead
        return (verbs.YIELD,) if (verbs.YIELD,) in legal else lead

    def _no_way_out(self, s: State, me: int) -> bool:
        theirs = zone(s, enemy(me))
        near = s.ground.around[s.fight.target] & ~s.occ[enemy(me)]
        return not near & (~theirs | s.occ[me])

    def _defend_support(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        markers = [a for a in legal if a[0] == verbs.SUPPORT and a[1] != ids.NO_SUPPORT]
        if markers and place_worth(s, s.fight.target) + worth(s, s.here.get(s.fight.target, 0)) > 6.0:
            return max(markers, key=lambda a: s.board.air_drm[a[1]])
        return (verbs.SUPPORT, ids.NO_SUPPORT) if (verbs.SUPPORT, ids.NO_SUPPORT) in legal else legal[0]

    def _retreat(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """Back to cover, away from the enemy, and where one is needed."""

        def value(action: Action) -> float:
            if action[0] != verbs.TO:
                return 0.5  # a one-hex retreat keeps the unit near
            h = action[1]
            near = min((s.board.grid.distance(h, x) for x in self._enemy_hexes(s, me)), default=9)
            return 0.5 * cover(s, h) + 0.6 * near + 0.3 * place_worth(s, h)

        return max(legal, key=lambda a: (value(a), a))

    def _enemy_hexes(self, s: State, me: int) -> list[Hex]:
        occupied = s.occ[enemy(me)]
        return [h for h in s.here if occupied >> h & 1]

    def _advance(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        best, chosen = 0.3, next((a for a in legal if a[0] != verbs.ADVANCE), legal[0])
        for action in legal:
            if action[0] == verbs.ADVANCE:
                value = self._gain(s, me, action[1], action[2])
                if value > best:
                    best, chosen = value, action
        return chosen

    def _better(self, s: State, me: int, u: int, h: Hex) -> bool:
        return self._gain(s, me, u, h) > 0.3

    def _gain(self, s: State, me: int, u: int, h: Hex) -> float:
        """What it brings a unit to stand in that hex instead of where it is."""
        here = s.at[u]
        if no_room(s, h, u):
            return -9.0
        mech = bool(s.board.mech >> u & 1)
        value = 0.0
        for goal, wanted in goals(s, me).items():
            if controls(s, me, goal):
                continue
            way = ways(s, goal, mech)
            if way[h] < FAR:
                value = max(value, wanted * (1.0 / (2.0 + way[h]) - 1.0 / (2.0 + way[here])))
        if not controls(s, me, h) and s.board.places >> h & 1:
            value += place_worth(s, h)
        if controls(s, me, here) and matters(s, here) and (s.here[here] & ~(1 << u)) == 0:
            value -= 0.5 * place_worth(s, here)
        value += 0.04 * (cover(s, h) - cover(s, here))
        if me != ids.AXIS and zone(s, enemy(me)) >> h & 1:
            value -= 1.0
        return value

    def _drop(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        return min(legal, key=lambda a: (step_worth(s, a[1]) if a[0] == verbs.DROP else 0.0, a))

    def _feed(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        return max(legal, key=lambda a: (worth(s, 1 << a[1]) if a[0] == verbs.SUPPLY else -1.0, a))


def moment_of(s: State) -> tuple[int, int]:
    """The phase for which a plan is made."""
    return s.turn, s.phase
