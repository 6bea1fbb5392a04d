"""The Reaction Phase: give way, come to help, or stand, by what it takes from the attacks that have been declared."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex, hexes_of
from sandtable.mechanics.masks import enemy, units_of

from ..combat.coordination import hqs_of
from ..combat.support import ready
from ..table import verbs
from ..table.position import put, units_in
from ..table.ratings import rating
from ..table.stacking import room
from ..table.state import State
from ..table.steps import ReactAt, UnitAt
from ..turn.checks import AVOID_KIND, REACT_KIND, check_rating
from ..turn.reaction import places
from .attacks import stake
from .outlook import Outlook
from .params import Params
from .prospects import Prospect, air_reaches, chance, nearby_support, sketch, weigh
from .worth import worth


class Reactions:
    """The attacks that threaten, from the chair of the side that reacts."""

    def __init__(self, s: State, side: int, p: Params) -> None:
        self.s = s
        self.side = side
        self.foe = enemy(side)
        self.p = p
        self.theirs = Outlook(s, self.foe, p)

    def attack(self, s: State, h: Hex, stand: bool = False) -> Prospect:
        """What a declared attack promises the attacker, with the aircraft and guns that he is likely to bring."""
        attackers = s.aims.get(h, 0)
        if not attackers or not units_in(s, h, self.side):
            return Prospect(0.0, 0.0, 0.0, 0.0)
        fight = sketch(s, self.foe, h, attackers)
        if stand:
            fight.no_retreat = 1
        guns = 0
        board = s.board
        for u in units_of(s.on_map[self.foe] & board.artillery & ~s.fired & ~s.oos & ~s.disrupted):
            if board.grid.distance(s.at[u], h) <= board.range[u]:
                guns |= 1 << u
        if guns:
            fight.guns[self.foe] = guns
            fight.lead_gun[self.foe] = max(units_of(guns), key=lambda u: (rating(s, u), -u))
        flyers = [u for u in units_of(ready(s, self.foe)) if board.cas[u]]
        if flyers and air_reaches(s, self.foe, h):
            lead = max(flyers, key=lambda u: (board.cas[u], -u))
            fight.planes[self.foe], fight.lead_plane[self.foe] = 1 << lead, lead
        return weigh(s, fight, stake(self.theirs, h), self.p, nearby_support(s, self.side, h))

    # 7.2

    def flight(self, h: Hex) -> float:
        """How much better it is to slip away from a hex than to be attacked in it."""
        units = units_in(self.s, h, self.side)
        given_up = stake(self.theirs, h) + self.p.retreat * worth(self.s, units, self.p.strength)
        return self.attack(self.s, h).value - given_up

    def avoid(self, legal: Sequence[Action]) -> Action:
        """7.21 slip away where the fight would be much worse than giving way."""
        options = [(self.flight(a[1]), a) for a in legal if a[0] == verbs.AVOID]
        best = max(options, default=(0.0, (int(verbs.END_AVOIDING),)))
        return best[1] if best[0] > self.p.flee else (int(verbs.END_AVOIDING),)

    # 7.3

    def help(self, u: int) -> tuple[float, Hex]:
        """Where a reacting unit mends most, and how much: beside defenders, or out of a trap."""
        s, board = self.s, self.s.board
        best, at = 0.0, -1
        now = {h: self.attack(s, h).value for h in s.aims if board.grid.distance(s.at[u], h) <= 4}
        trial = s.copy()
        old = s.at[u]
        for h in hexes_of(places(s, u) & (sum(1 << x for x in s.aims) | board.grid.around(s.occ[self.side]))):
            if h in s.aims:
                if h not in now or not room(s, h, self.side, 1 << u):
                    continue
                put(trial, u, h)
                gain = now[h] - self.attack(trial, h).value
                put(trial, u, old)
                if gain > best:
                    best, at = gain, h
        return best, at

    def react(self, legal: Sequence[Action]) -> Action:
        """7.31 the unit that mends most."""
        options = [(self.help(a[1])[0], a) for a in legal if a[0] == verbs.REACT]
        best = max(options, default=(0.0, (int(verbs.END_REACTIONS),)))
        return best[1] if best[0] > self.p.react else (int(verbs.END_REACTIONS),)

    def go(self, f: UnitAt, legal: Sequence[Action]) -> Action:
        """7.34 to where it mends most, or it stays."""
        gain, at = self.help(f.unit)
        action = (int(verbs.TO), at)
        return action if gain > 0.0 and action in legal else (int(verbs.STAY),)

    # 7.4

    def stand(self, legal: Sequence[Action]) -> Action:
        """7.41 No Retreat where holding is worth the step that it may cost."""
        options = [(self.standing(a[1]), a) for a in legal if a[0] == verbs.STAND]
        best = max(options, default=(0.0, (int(verbs.END_STANDS),)))
        return best[1] if best[0] > 0.15 else (int(verbs.END_STANDS),)

    def standing(self, h: Hex) -> float:
        """What it brings to forbid the defenders of a hex to retreat."""
        return self.attack(self.s, h).value - self.attack(self.s, h, stand=True).value

    def lead(self, legal: Sequence[Action]) -> Action:
        """3.42 the best ER makes the check: no step hangs on it; among equals one whose HQ can help."""
        s = self.s
        return max(legal, key=lambda a: (rating(s, a[1]), bool(hqs_of(s, a[1])), -a[1]))

    # The checks

    def command(self, f: ReactAt, legal: Sequence[Action]) -> Action:
        """12.23a Command Points where much hangs on the attempt: spent now, they are not there for the combat."""
        s = self.s
        if f.kind == AVOID_KIND:
            at_stake = self.flight(f.hex)
        elif f.kind == REACT_KIND:
            at_stake = self.help(f.lead)[0]
        else:
            at_stake = self.standing(f.hex)
        er = check_rating(s, f)
        best, found = self.p.command * 0.2, None
        for action in legal:
            if action[0] == verbs.COMMAND:
                gain = (chance(er, -s.board.cp[action[1]]) - chance(er, 0)) * at_stake
                if gain > best:
                    best, found = gain, action
        return found if found is not None else (int(verbs.NO_COMMAND),)


def harass(s: State, f: ReactAt, legal: Sequence[Action]) -> Action:
    """10.36b an air unit that waits hinders the attempt, unless the roll is decided anyway; the weakest one flies."""
    er = check_rating(s, f)
    if chance(er, -f.points) - chance(er, 1 - f.points) <= 0.0:
        return (int(verbs.LET_GO),)
    flyers = [a for a in legal if a[0] == verbs.HARASS]
    return min(flyers, key=lambda a: (s.board.air_er[a[1]], a[1])) if flyers else (int(verbs.LET_GO),)
