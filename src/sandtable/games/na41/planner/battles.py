"""How the computer fights: which attacks it makes, what it pays for them, whom it loses, where it goes after."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.planning import Thinker

from ..combat import declarations, defence, results
from ..combat.combat import targets
from ..combat.nations import comando, largest, together
from ..combat.strengths import reckon
from ..supply import support
from ..supply.support import PAID
from ..table import ids, verbs
from ..table.position import controls, zone
from ..table.stacking import fits
from ..table.state import State
from . import obstacles
from .fights import AIR, Prospect, own_step, supply_price, terms, weigh
from .garrisons import gain_of_coming, loss_of_leaving
from .moves import Plan
from .worth import aims, capital, cover, distance, place_worth, step_worth, worth

SPARE_RP = 2  # one is kept for what is built; air support can be bought in the fight too
PLENTY = 3  # RPs that are more than can be used soon

# What is taken as it comes, and what ends a phase, a move or a choice: the first that is legal
TAKEN = (verbs.V_READY, verbs.V_REMNANT, verbs.V_UPGRADE, verbs.V_CONVERT, verbs.V_GIVE, verbs.V_CARRY)
PASSES = (
    verbs.V_END_DELAY,
    verbs.V_END_SUPPLY,
    verbs.V_END_PORTS,
    verbs.V_EVENT,
    verbs.V_END_INITIAL,
    verbs.V_END_MOVES,
    verbs.V_END_COMBAT,
    verbs.V_DONE,
    verbs.V_HALT,
    verbs.V_SAIL,
    verbs.V_GROUPED,
    verbs.V_COMMIT,
    verbs.V_ACCEPT,
    verbs.V_NO_SUPPLY,
    verbs.V_NO_ARTILLERY,
)


def otherwise(legal: Sequence[Action]) -> Action:
    """Where there is nothing to think about: what is useful as it comes, else the end of the matter."""
    for wanted in (TAKEN, PASSES):
        for verb in wanted:
            for action in legal:
                if action[0] == verb:
                    return action
    return legal[0]


class Battles(Thinker[State, Plan]):
    """The decisions of combat, of retreats and of what follows them."""

    _plan: Plan
    _moment: tuple[int, ...]

    # Combat

    def _combat(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """8.1f the best attack first; Comando Supremo and air support are bought for it when they pay."""
        best = self._plan.params.worth_a_fight
        chosen: Action = (verbs.V_END_COMBAT,)
        if self._plan.pause and not s.attacked_at_all and not s.moved_at_all:
            best += supply_price(s)
        planes = (verbs.V_BUY, ids.B_AIR_SUPPORT) in legal
        wanted = False
        for action in legal:
            if action[0] != verbs.V_ATTACK:
                continue
            target = action[1]
            everybody = targets(s, ids.COMBAT).get(target, 0)
            meant = self._plan.attacks.get(target, 0) & everybody
            lure = self._plan.lures.get(target, 0.0)
            for army in {meant, *self._armies(s, everybody)} - {0}:
                found = terms(s, ids.COMBAT, target, army, lure=lure, planes=planes and self._flown(s, me, army))
                if found.value > best:
                    best, chosen = found.value, action
                    wanted = found.air and not support.air_assets(s, me, target, army)
        if wanted:
            return (verbs.V_BUY, ids.B_AIR_SUPPORT)
        if chosen == (verbs.V_END_COMBAT,):
            chosen = obstacles.slip_away(s, me, legal) or chosen
        return chosen if chosen in legal else otherwise(legal)

    def _flown(self, s: State, me: int, army: int) -> bool:
        """18.7.4c, 18.7.1b whether the air support that can be bought would come to these units."""
        if me == ids.ALLIED:
            return True
        return bool(army & s.board.of_nation[0]) and not s.assets[ids.AIR_GERMAN]

    def _armies(self, s: State, units: int) -> list[int]:
        """8.4 whom one could lead against a hex together."""
        of = s.board.of_nation
        if s.active != ids.AXIS:
            return largest(s, 0, units)[:4]
        return [units & of[0], units & of[1], *([units] if comando(s) else [])]

    def _join(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """Those who were meant for it first, then the strongest, while that makes it better."""
        joins = [a for a in legal if a[0] == verbs.V_JOIN]
        ready = (verbs.V_COMMIT,) in legal
        if not joins:
            return (verbs.V_COMMIT,) if ready else otherwise(legal)
        pool = s.fight.attackers | sum(1 << a[1] for a in joins)
        meant = self._plan.attacks.get(s.fight.target, 0) & pool
        lure = self._plan.lures.get(s.fight.target, 0.0)
        att, step = s.board.att, s.step
        best, army = -1e9, meant or pool
        for units in [meant, *self._armies(s, pool)]:
            if units and not s.fight.attackers & ~units and together(s, units):
                value = weigh(s, s.fight.kind, s.fight.target, units, lure=lure)
                if value > best + 0.1:
                    best, army = value, units
        joins.sort(key=lambda a: (not army >> a[1] & 1, -att[a[1]][step[a[1]]], a))
        if not ready or not s.fight.attackers or army >> joins[0][1] & 1:
            return joins[0]
        return (verbs.V_COMMIT,)

    def _pay(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """8.5 attack supply if the odds are so much better for it; from a depot first, from an ASU last."""
        lure = self._plan.lures.get(s.fight.target, 0.0)
        if s.fight.kind == ids.COMBAT:
            wanted = terms(s, s.fight.kind, s.fight.target, s.fight.attackers, lure=lure).supplied
        else:
            prospect = Prospect(s, s.fight.kind, s.fight.target, s.fight.attackers, lure)
            price = own_step(s, s.fight.attackers)
            with_, without = (
                prospect.value(reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, paid).column, price)
                for paid in (True, False)
            )
            wanted = with_ > without + supply_price(s)
        if not wanted:
            return (verbs.V_NO_SUPPLY,)
        for verb in (verbs.V_SUPPLY_SP, verbs.V_SUPPLY_ASU):
            found = [a for a in legal if a[0] == verb]
            if found:
                return min(
                    found, key=lambda a: (s.board.support_asus >> a[1] & 1 if verb == verbs.V_SUPPLY_ASU else 0, a)
                )
        return otherwise(legal)

    def _support(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """9.4, 18.7.4 a shift that is worth what it costs, for the attack or against it."""
        prospect = Prospect(
            s, s.fight.kind, s.fight.target, s.fight.attackers, self._plan.lures.get(s.fight.target, 0.0)
        )
        price = own_step(s, s.fight.attackers)
        column = reckon(
            s, s.fight.kind, s.fight.target, s.fight.attackers, s.fight.supplied == PAID, declarations.help_of(s)
        ).column
        shift = 1 if me == s.active else -1
        gain = (prospect.value(column + shift, price) - prospect.value(column, price)) * shift
        price_of_guns = supply_price(s)
        for verb, cost in (
            (verbs.V_AIR, AIR),
            (verbs.V_ARTILLERY_SP, price_of_guns),
            (verbs.V_ARTILLERY, price_of_guns),
        ):
            for action in legal:
                if action[0] == verb and action != (verbs.V_AIR, ids.NO_ASSET) and gain > cost:
                    return action
        return self._no_support(legal)

    def _no_support(self, legal: Sequence[Action]) -> Action:
        for action in ((verbs.V_NO_ARTILLERY,), (verbs.V_AIR, ids.NO_ASSET)):
            if action in legal:
                return action
        return otherwise(legal)

    def _reroll(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """18.5 Rommel makes a bad roll good where the dice have much better to offer."""
        if (verbs.V_REROLL,) not in legal:
            return otherwise(legal)
        if s.stack[-1].what:
            own = s.active != me
            row = defence.stands(
                s, s.fight.target, defence.total_drm(s, s.fight.lead, results.colour_of(s), s.fight.dd_support)
            )
            holds = row[max(0, min(s.fight.die, 6) - 1)].holds
            return (verbs.V_REROLL,) if holds != own else (verbs.V_ACCEPT,)
        prospect = Prospect(s, s.fight.kind, s.fight.target, s.fight.attackers)
        price = own_step(s, s.fight.attackers)
        now = prospect.result(s.fight.result, price)
        then = prospect.value(s.fight.column, price)
        better = then - now if s.active == me else now - then
        return (verbs.V_REROLL,) if better > 1.5 else (verbs.V_ACCEPT,)

    def _lose(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """The cheapest of one's own, the dearest of the enemy's."""

        def price(action: Action) -> tuple[float, Action]:
            if len(action) < 2:
                return 0.0, action
            cost = step_worth(s, action[1])
            return (cost if s.board.side[action[1]] == me else -cost), action

        return min(legal, key=price)

    def _defend(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """11 Stand where the place matters, where there is no way out, or where the chance is good."""
        leads = [a for a in legal if a[0] in (verbs.V_LEAD, verbs.V_DESPERATE)]
        if not leads:
            return otherwise(legal)
        units = s.here.get(s.fight.target, 0) & s.board.of_side[me] & s.board.combat
        chance = float(defence.hold_chance(s, s.fight.kind, s.fight.target, units, 0, results.colour_of(s)))
        stake = place_worth(s, s.fight.target) + 3.0
        if self._no_way_out(s, me):
            stake += worth(s, units)
        lead = max(leads, key=lambda a: (defence.quality_drm(s, a[1]), -step_worth(s, a[1]), a))
        if chance * stake > 0.4 * step_worth(s, lead[1]):
            return lead
        return (verbs.V_YIELD,) if (verbs.V_YIELD,) in legal else lead

    def _no_way_out(self, s: State, me: int) -> bool:
        theirs = zone(s, enemy(me))
        near = s.board.around[s.fight.target] & ~s.occ[enemy(me)]
        return not near & (~theirs | s.occ[me])

    def _defend_support(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        helpers = [
            a
            for a in legal
            if a != (verbs.V_AIR, ids.NO_ASSET) and a[0] in (verbs.V_AIR, verbs.V_ARTILLERY, verbs.V_ARTILLERY_SP)
        ]
        units = s.here.get(s.fight.target, 0) & s.board.of_side[me]
        if helpers and place_worth(s, s.fight.target) + worth(s, units) * 0.5 > 6.0:
            order: dict[int, int] = {verbs.V_AIR: 0, verbs.V_ARTILLERY_SP: 1, verbs.V_ARTILLERY: 2}
            return min(helpers, key=lambda a: (order[a[0]], a))
        return self._no_support(legal)

    def _retreat(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """Back to cover, away from the enemy, towards one's own supply."""
        foes = hexes_in(s.men[enemy(me)])
        base = s.board.tripoli if me == ids.AXIS else s.board.delta

        def value(action: Action) -> tuple[float, Action]:
            if action[0] != verbs.V_TO:
                return -50.0, action
            h = action[1]
            near = min((s.board.grid.distance(h, x) for x in foes), default=9) if not s.board.is_box(h) else 9
            score = 0.5 * cover(s, h, me) + 0.6 * min(near, 5) - 0.1 * min(distance(s, base, True, h), 100.0)
            score += 0.1 * place_worth(s, h) if controls(s, me, h) else 0.0
            return score - (4.0 if not fits(s, h, 1 << s.stack[-1].unit) else 0.0), action

        return max(legal, key=value)

    # After a fight: advance, breakthrough

    def _group(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """15.2 a group is formed where another enemy stands near who could be thrown out as well."""
        foes = s.men[enemy(me)] & s.board.grid.within(s.fight.vacated, 2) & ~(1 << s.fight.vacated)
        joins = [a for a in legal if a[0] == verbs.V_GROUP]
        if joins and foes and s.allowance >= 2:
            return max(joins, key=lambda a: (s.board.att[a[1]][s.step[a[1]]], -a[1]))
        return (verbs.V_GROUPED,) if (verbs.V_GROUPED,) in legal else otherwise(legal)

    def _breakthrough(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        group = s.group & s.board.combat
        storms = [(weigh(s, ids.BREAKTHROUGH, a[1], group), a) for a in legal if a[0] == verbs.V_STORM]
        if storms and max(storms)[0] > self._plan.params.storm:
            return max(storms)[1]
        steps = [
            (self._gain(s, me, group, a[1]) + self._storms_from(s, me, group, a[1]), a)
            for a in legal
            if a[0] == verbs.V_TO and fits(s, a[1], s.group)  # 4.4.1c who is too many is lost
        ]
        if steps and max(steps)[0] > 0.1:
            return max(steps)[1]
        return (verbs.V_DONE,) if (verbs.V_DONE,) in legal else otherwise(legal)

    def _storms_from(self, s: State, me: int, group: int, h: Hex) -> float:
        """A little more for a hex from which somebody weak could be attacked."""
        att, dfn, step = s.board.att, s.board.dfn, s.step
        force = sum(att[u][step[u]] for u in units_of(group))
        weak = [x for x in hexes_in(s.board.around[h] & s.men[enemy(me)]) if x != h]
        chances = [force / max(1, sum(dfn[v][step[v]] for v in units_of(s.here[x]))) for x in weak]
        return 1.0 if chances and max(chances) >= 3.0 else 0.0

    def _advance(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        best, chosen = 0.05, next((a for a in legal if a[0] != verbs.V_ADVANCE), legal[0])
        for action in legal:
            if action[0] == verbs.V_ADVANCE:
                value = self._gain(s, me, 1 << action[1], action[2])
                if value > best:
                    best, chosen = value, action
        return chosen

    def _gain(self, s: State, me: int, units: int, h: Hex) -> float:
        """What it brings some units to stand in that hex instead of where they are."""
        u = units_of(units)[0]
        here = s.at[u]
        if not fits(s, h, units):
            return -9.0
        mech = bool(s.board.mech >> u & 1)
        value = 0.0
        for goal, wanted in aims(s, me).items():
            if not controls(s, me, goal):
                near, now = distance(s, goal, mech, h), distance(s, goal, mech, here)
                value = max(value, wanted * (1.0 / (2.0 + near) - 1.0 / (2.0 + now)))
        if s.board.controllable >> h & 1 and not controls(s, me, h):
            value += place_worth(s, h)
        if h == s.fight.vacated:
            value += 0.1
        value += gain_of_coming(s, me, units, h) - loss_of_leaving(s, me, units, here)
        if here == capital(s, me) and not s.here[here] & s.board.of_side[me] & s.board.combat & ~units:
            value -= 2.0 * place_worth(s, here)
        return value + 0.04 * (cover(s, h, me) - cover(s, here, me))
