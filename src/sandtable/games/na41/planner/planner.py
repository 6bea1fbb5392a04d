"""How the computer plays North Africa '41.

Everything lies open, so the planner thinks on the table itself, or on one set up from its view. A movement phase is
planned as a whole (moves.py) and carried out order by order, with trucks and convoys beside it (supplies.py); a fight
is entered when the chances of all its results together promise something (fights.py, battles.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from random import Random

from sandtable.engine.contract import Action, Game
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.planning import aims, unlike

from ..combat.nations import comando
from ..combat.strengths import defence_value
from ..movement import rails
from ..table import ids, verbs
from ..table.position import controlled
from ..table.scenarios import script
from ..table.stacking import fits
from ..table.stacking import value as stacking_value
from ..table.state import State
from ..turn.victory import supplied_airfields
from . import obstacles, supplies
from .battles import Battles, otherwise
from .moods import LIGHT, PLAIN, VARIANTS, Params, fancied
from .moves import MATTERS, Plan, front_of, make_plan
from .worth import capital, distance, place_worth, worth

SPARE_RP = 2  # one is kept for what is built; air support can be bought in the fight too
PLENTY = 3  # RPs that are more than can be used soon

WON = 1000.0  # what victory counts beside everything else
POINT = 6.0  # a victory point of the campaign


class Planner(Battles):
    """A computer player for either side of all scenarios."""

    playouts = 36
    scale = 60.0

    def __init__(self, game: Game[State], rng: Random, params: Params = PLAIN) -> None:
        super().__init__(game, rng)
        self.params = params
        self._moment: tuple[int, ...] = ()
        self._plan = Plan(params=params)
        self.handlers = {
            ids.F_REMOVAL: self._remove,
            ids.F_INITIAL: self._initial,
            ids.F_BOMB: self._bomb,
            ids.F_FREE_SP: self._place,
            ids.F_MOVES: self._moves,
            ids.F_STACK: self._stack,
            ids.F_CONVOY: self._load,
            ids.F_PORTS: self._ports,
            ids.F_OVERSTACK: self._drop,
            ids.F_CRUSH: self._join,
            ids.F_COMBAT: self._combat,
            ids.F_ATTACK: self._join,
            ids.F_ATTACK_SUPPLY: self._pay,
            ids.F_SUPPORT: self._support,
            ids.F_REROLL: self._reroll,
            ids.F_LOSS: self._lose,
            ids.F_DEFENCE: self._defend,
            ids.F_DD_SUPPORT: self._defend_support,
            ids.F_RETREAT_UNIT: self._retreat,
            ids.F_GROUP: self._group,
            ids.F_BREAKTHROUGH: self._breakthrough,
            ids.F_CROWD: self._sit_out,
            ids.F_ADVANCE: self._advance,
            ids.F_AUTO_ADVANCE: self._advance,
            ids.F_PORT_SUPPLY: self._feed,
            ids.F_DELAY: obstacles.obstruct,
        }

    # The front: what search and analysis ask (mechanics/planning.py)

    def opens(self, s: State, side: int) -> bool:
        """5.1 the beginning of a movement phase."""
        return s.stack[-1][0] == ids.F_MOVES and s.active == side and moment_of(s) != self._moment

    def plans(self, s: State, side: int, k: int) -> list[Plan]:
        """The phase as it is played by several ways of playing, as far as they come to different orders; then by other
        ideas of what counts, drawn anew each time."""
        fancies = (fancied(self.params, self.rng) for _ in range(2 * k))
        ways = (make_plan(s, side, self._plan.main, params) for params in chain((self.params, *VARIANTS[1:]), fancies))
        return unlike(ways, lambda one, other: (one.orders, one.attacks) == (other.orders, other.attacks), k)

    def begin(self, plan: Plan, s: State, side: int) -> Action:
        self._moment = moment_of(s)
        self._plan = replace(plan, orders=dict(plan.orders))
        return self._moves(s, side, self.game.legal(s))

    def aims(self, plan: Plan, s: State, side: int) -> list[Text]:
        """The attacks that are prepared, the goal of the mobile troops, and what is garrisoned."""
        if plan.pause:
            return [Text("Nobody marches: a free supply point comes for it (17.4)")]
        posts = [s.at[u] for u in units_of(plan.posted) if s.at[u] >= 0 and place_worth(s, s.at[u]) >= MATTERS]
        return aims(plan.attacks, (plan.main,), posts)

    def finished(self, s: State) -> bool:
        return moment_of(s) != self._moment

    def evaluate(self, s: State, side: int) -> float:
        """26, S1.3 to S3.3 what is held of what decides, what is left of both armies, and their supply."""
        if s.ended is not None:
            return 0.0 if s.ended.winner is None else WON if s.ended.winner == side else -WON
        board = s.board
        total = 0.0
        for own, sign in ((side, 1.0), (enemy(side), -1.0)):
            held = sum(place_worth(s, h) for h in hexes_in(controlled(s, own)))
            units = board.of_side[own] & board.combat
            army = worth(s, sum(1 << u for u in units_of(units) if s.at[u] >= 0))
            hungry = worth(s, units & s.oos)
            total += sign * (held + 0.3 * army - 0.15 * hungry)
        points = script(s).points
        if points is not None:
            ahead = s.vp + sum(supplied_airfields(s, points) - index for index in points.index[s.turn - 1 :])
            total += POINT * ahead * (1 if side == ids.AXIS else -1)
        return total

    def horizon(self, s: State, side: int) -> Callable[[State], bool]:
        """The side's next movement phase: the enemy has answered."""
        now = moment_of(s)
        return lambda t: t.stack[-1][0] == ids.F_MOVES and t.active == side and moment_of(t) != now

    def light(self, rng: Random) -> Planner:
        return Planner(self.game, rng, LIGHT)

    def otherwise(self, legal: Sequence[Action]) -> Action:
        return otherwise(legal)

    # Preparation and the Initial Phase

    def _remove(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """20.2 the cheapest leaves."""
        return min(legal, key=lambda a: (worth(s, 1 << a[1]), a) if len(a) > 1 else (0.0, a))

    def _initial(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """19, 23 replacements for the best units, trucks, and air support; an RP is kept for what is built later."""
        board = s.board
        if (verbs.V_EVENT,) in legal and s.rp[me] < board.general["max_rp"]:
            return (verbs.V_EVENT,)
        filled = [a for a in legal if a[0] == verbs.V_REPLACE]
        if filled:
            return max(filled, key=lambda a: (board.att[a[1]][0] + board.dfn[a[1]][0], a))
        back = [a for a in legal if a[0] == verbs.V_RETURN]
        if back:
            return max(back, key=lambda a: (board.asus >> a[1] & 1, -a[1]))
        if (verbs.V_BUY, ids.B_AIR_SUPPORT) in legal and s.rp[me] >= SPARE_RP:
            return (verbs.V_BUY, ids.B_AIR_SUPPORT)
        if s.rp[me] >= PLENTY:
            for resource in (ids.B_LRDG, ids.B_STRAFING, ids.B_BOMBING):
                if (verbs.V_BUY, resource) in legal:
                    return (verbs.V_BUY, resource)
        return (verbs.V_END_INITIAL,) if (verbs.V_END_INITIAL,) in legal else otherwise(legal)

    def _bomb(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """21.4.3 Tobruk, or else the port that matters most."""
        return max(legal, key=lambda a: (place_worth(s, a[1]) if not s.board.is_box(a[1]) else 0.0, a))

    def _place(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """As near to the front as possible."""
        front = front_of(s, me)
        if front < 0:
            return legal[0]
        places = [a for a in legal if len(a) > 1]
        return min(places or legal, key=lambda a: (distance(s, front, True, a[-1]) if len(a) > 1 else 0.0, a))

    # Movement

    def _moves(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        board = s.board
        sailing = supplies.convoy(s, me, legal)
        if sailing is not None:
            return sailing
        for action in legal:
            if action[0] == verbs.V_READY:
                return action
        flight = obstacles.fly(s, front_of(s, me), legal)
        if flight is not None:
            return flight
        if moment_of(s) != self._moment:
            self._moment = moment_of(s)
            self._plan = make_plan(s, me, self._plan.main, self.params)
        crushes = [a for a in legal if a[0] == verbs.V_CRUSH and a[1] in self._plan.attacks]
        if crushes:
            self._moment = ()  # the enemy's lines are broken: think again
            return max(crushes, key=lambda a: (worth(s, s.here[a[1]]) + place_worth(s, a[1]), a))
        if self._plan.comando and not comando(s) and (verbs.V_BUY, ids.B_COMANDO) in legal:
            return (verbs.V_BUY, ids.B_COMANDO)
        orders = self._plan.orders
        for u in list(orders):
            if (verbs.V_MOVE, u) in legal:
                return (verbs.V_MOVE, u)
            del orders[u]
        movers = [a for a in legal if a[0] == verbs.V_MOVE] if not self._plan.pause else []
        if me == ids.ALLIED and not s.rail_used:
            for action in movers:
                if self._plan.posted >> action[1] & 1:
                    continue
                if board.combat >> action[1] & 1 and supplies.rail(s, rails.ride_actions(s, action[1])) is not None:
                    return action
        for action in movers:
            if board.trucks >> action[1] & 1:
                return action
        attackers = 0
        for units in self._plan.attacks.values():
            attackers |= units
        built = supplies.site(s, me, legal, verbs.V_FORTIFY, attackers)
        if built is not None:
            return built
        return (verbs.V_END_MOVES,) if (verbs.V_END_MOVES,) in legal else otherwise(legal)

    def _stack(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """5.1 the unit on the move carries out its order, and stops."""
        board = s.board
        u = units_of(s.group)[0]
        if s.group & board.trucks:
            return supplies.truck(s, me, legal)
        if u == self._plan.rommel and (verbs.V_ROMMEL,) in legal:
            return (verbs.V_ROMMEL,)
        order = self._plan.orders.pop(u, None)
        if s.spent >= 0 or order is None:
            ride = supplies.rail(s, legal) if s.spent < 0 else None
            return ride or ((verbs.V_HALT,) if (verbs.V_HALT,) in legal else otherwise(legal))
        if order in legal:
            return order
        grid = board.grid
        near = [a for a in legal if a[0] == verbs.V_TO and not board.is_box(a[1]) and fits(s, a[1], 1 << u)]
        if not near or board.is_box(order[1]):
            return (verbs.V_HALT,) if (verbs.V_HALT,) in legal else otherwise(legal)
        return min(near, key=lambda a: (grid.distance(a[1], order[1]), a))

    def _load(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """21.2 men and supply; from Italy everything that there is room for."""
        board = s.board
        place = board.port_place[s.convoy_from]
        ships = [a for a in legal if a[0] == verbs.V_SHIP]
        if place != board.italy:
            if (verbs.V_SHIP_SP,) in legal and (me == ids.AXIS or s.sp[me].get(board.port_place[s.convoy_to], 0) < 2):
                return (verbs.V_SHIP_SP,)
            ships = [a for a in ships if (board.foot & board.combat) >> a[1] & 1]
            if place == capital(s, me) and len(ships) == 1:  # 26.1 the last man stays
                ships = []
        if ships:
            return max(
                ships, key=lambda a: (board.att[a[1]][s.step[a[1]]] + 0.5 * board.dfn[a[1]][s.step[a[1]]], -a[1])
            )
        for action in ((verbs.V_SHIP_SP,), (verbs.V_SAIL,)):
            if action in legal:
                return action
        return legal[0]

    def _ports(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """21.4 ports are repaired; one that will be lost is blown up."""
        blown = obstacles.demolish(s, me, legal)
        if blown is not None:
            return blown
        place = s.board.port_place
        repairs = [a for a in legal if a[0] == verbs.V_REPAIR and not obstacles.threatened(s, me, place[a[1]])]
        if repairs:
            return max(repairs, key=lambda a: (place_worth(s, s.board.port_place[a[1]]), a))
        return otherwise(legal)

    def _drop(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        return min(legal, key=lambda a: (worth(s, 1 << a[1]), a) if len(a) > 1 else (0.0, a))

    def _sit_out(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """15.3b the weakest for its stacking points."""
        return min(legal, key=lambda a: (defence_value(s, a[1], s.fight.target) / max(stacking_value(s, a[1]), 1), a))

    # Supply

    def _feed(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """16.2d a port feeds the strongest first."""
        return max(legal, key=lambda a: (worth(s, 1 << a[1]) if len(a) > 1 else -1.0, a))


def moment_of(s: State) -> tuple[int, int, int]:
    """The phase for which a plan is made."""
    return s.turn, s.impulse, s.active
