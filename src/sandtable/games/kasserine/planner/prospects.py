"""What a fight promises: every face of the die on the table that would be used, in points for the attacker."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy, units_of

from ..combat.coordination import check_rating, check_terms, hqs_of
from ..combat.declared import lead_of
from ..combat.fight import FULL_SUPPORT, HALF_SUPPORT, NO_CHECK, NO_SUPPORT, Fight, defenders
from ..combat.reckoning import armor_at_risk, mobile_allowed, modifiers, shifts, table
from ..combat.strengths import attack_strength, batteries, hex_defense, support_each
from ..table.charts import FACES, HOPELESS, Result
from ..table.ids import AIR_CHECK, ARTILLERY_CHECK, ASSAULT, GROUND_CHECK, MOBILE
from ..table.position import mine_value, steps_left, units_in
from ..table.ratings import mover
from ..table.state import State
from ..table.zones import zone
from .params import Params
from .worth import step_worth, worth

LIMIT = 3  # 8.62
RISK = 1.25  # losses are dearer than they look: what is left is weaker where it stands
MEAN_MINE = 1  # 11.45 an Untried minefield as it is on average


class Prospect(NamedTuple):
    """What a fight promises."""

    value: float
    clears: float  # the chance that the hex is emptied
    own: float  # what the attacker loses
    theirs: float  # what the defender loses


NONE = Prospect(-99.0, 0.0, 0.0, 0.0)


def sketch(s: State, side: int, target: Hex, attackers: int, overrun: bool = False) -> Fight:
    """A fight as it would begin: leads, minefield and CRT as they would be chosen."""
    other = enemy(side)
    fight = Fight(s.board, target=target, side=side, attackers=attackers, overrun=int(overrun))
    fight.lead[side] = lead_of(s, attackers, target, True)
    fight.lead[other] = lead_of(s, units_in(s, target, other), target, False)
    if not overrun and s.mines[other] >> target & 1:
        fight.mine = MEAN_MINE if s.untried >> target & 1 else mine_value(s, target)
    fight.no_retreat = s.no_retreat >> target & 1
    fight.refugees = s.refugees.get(target, 0) if target in s.aims else 0
    fight.crt = MOBILE if overrun or not mobile_allowed(s, fight) else ASSAULT
    return fight


def chance(er: int, drm: int) -> float:
    """3.43 to roll the ER or less."""
    return max(0.0, min(1.0, (er - drm) / FACES))


def air_chance(s: State, fight: Fight, side: int) -> float:
    """8.43 that the committed air units get through."""
    if fight.air[side] != NO_CHECK:
        return 1.0 if fight.air[side] == FULL_SUPPORT else 0.0
    drm = sum(term.value for term in check_terms(s, fight, side, AIR_CHECK))
    return chance(check_rating(s, fight, side, AIR_CHECK), drm)


def artillery_share(s: State, fight: Fight, side: int) -> float:
    """8.41 how much of its strength the committed artillery brings on average."""
    if fight.artillery[side] != NO_CHECK:
        return {FULL_SUPPORT: 1.0, HALF_SUPPORT: 0.45, NO_SUPPORT: 0.0}[fight.artillery[side]]
    drm = sum(term.value for term in check_terms(s, fight, side, ARTILLERY_CHECK))
    er = check_rating(s, fight, side, ARTILLERY_CHECK)
    full = chance(er, drm)
    nothing = sum(1 for face in range(1, FACES + 1) if face + drm > er and face + drm >= FACES) / FACES
    return full + 0.45 * max(0.0, 1.0 - full - nothing)


def ground_chance(s: State, fight: Fight, points: int = 0) -> float:
    """8.42 that the attackers work together."""
    if fight.overrun:
        return 1.0
    drm = sum(term.value for term in check_terms(s, fight, fight.side, GROUND_CHECK)) - points
    return chance(check_rating(s, fight, fight.side, GROUND_CHECK), drm)


def best_points(s: State, fight: Fight) -> int:
    """12.23 the Command Points that could be spent on the ground check."""
    if fight.overrun or fight.commanded[fight.side] >= 0:
        return 0
    return max((s.board.cp[hq] for hq in units_of(hqs_of(s, fight.lead[fight.side]))), default=0)


def support_of(s: State, fight: Fight, side: int, base: int) -> float:
    """9.3 what a side's committed artillery adds, never more than the troops that it supports."""
    if not fight.guns[side]:
        return 0.0
    full = support_each(s, fight.guns[side], FULL_SUPPORT)
    return min(float(base), full * artillery_share(s, fight, side))


def no_way_out(s: State, fight: Fight) -> bool:
    """8.83 whether the defenders have nowhere to go back to but vacant EZOCs."""
    other = enemy(fight.side)
    units = units_in(s, fight.target, other)
    if not units:
        return False
    exits = s.ground.exits[mover(s, units_of(units)[0])][fight.target]
    shut = s.occ[fight.side] | zone(s, fight.side) & ~s.occ[other]
    return not exits & ~shut


def weigh(s: State, fight: Fight, stake: float, p: Params, rest: float = 0.0, ground: float = -1.0) -> Prospect:
    """The fight as it stands, in points for the attacker; `stake` is what it is worth to empty the hex.

    `rest` is support that the defender is likely to bring besides what is committed.
    """
    side, other = fight.side, enemy(fight.side)
    crt = table(s, fight)
    base = attack_strength(s, fight.attackers, fight.target).value
    if base < 1:
        return NONE
    attack = base + support_of(s, fight, side, base)
    held = hex_defense(s, defenders(s, fight), fight.overrun)
    most = held.troops
    defense = held.strength.value + min(float(most), held.inside + support_of(s, fight, other, most) + rest)
    column = crt.column(int(attack + 0.5), max(int(defense + 0.5), 0))
    own_units = [u for u in units_of(fight.attackers) if s.at[u] >= 0]
    if column == HOPELESS:
        return Prospect(-worth(s, fight.attackers, p.strength), 0.0, worth(s, fight.attackers, p.strength), 0.0)
    column = crt.shifted(column, sum(push.value for push in shifts(s, fight)))
    if fight.ground_failed:
        passes = 1.0  # the shift is among the shifts
    else:
        passes = ground if ground >= 0 else ground_chance(s, fight, best_points(s, fight))
    drm = float(sum(item.value for item in modifiers(s, fight)))
    for who, sign in ((side, -1), (other, 1)):
        if fight.planes[who] and fight.air[who] == NO_CHECK:
            drm += sign * sum(s.board.cas[u] for u in units_of(fight.planes[who])) * air_chance(s, fight, who)
    drm = max(-LIMIT, min(LIMIT, drm))
    low = int(drm // 1)
    part = drm - low
    gain = _Gains(s, fight, stake, p, own_units)
    total = [0.0, 0.0, 0.0, 0.0]
    for share, shift in ((passes, 0), (1.0 - passes, -2)):
        if share <= 0.0:
            continue
        at = crt.shifted(column, shift)
        for weight, add in ((share * (1.0 - part), low), (share * part, low + 1)):
            if weight > 0.0:
                for face in range(1, FACES + 1):
                    got = gain.of(crt.result(at, face + add))
                    for i in range(4):
                        total[i] += weight * got[i] / FACES
    return Prospect(*total)


class _Gains:
    """What each result is worth."""

    def __init__(self, s: State, fight: Fight, stake: float, p: Params, own: list[int]) -> None:
        side, other = fight.side, enemy(fight.side)
        theirs = defenders(s, fight)
        self.p = p
        self.stake = stake
        self.no_retreat = bool(fight.no_retreat)
        self.overrun = bool(fight.overrun)
        self.at_risk = armor_at_risk(s, fight)
        self.steps = steps_left(s, theirs)
        self.own_steps = steps_left(s, fight.attackers)
        self.own = worth(s, fight.attackers, p.strength)
        self.their = worth(s, units_in(s, fight.target, other), p.strength)
        self.lead = step_worth(s, fight.lead[side], p.strength)
        self.armor = min((step_worth(s, u, p.strength) for u in own if s.board.armor >> u & 1), default=self.lead)
        self.cheapest = min((step_worth(s, u, p.strength) for u in own), default=0.0)
        self.mean = self.their / max(1, self.steps)
        self.trapped = not fight.no_retreat and no_way_out(s, fight)
        self.kept: dict[Result, tuple[float, float, float, float]] = {}

    def of(self, r: Result) -> tuple[float, float, float, float]:
        found = self.kept.get(r)
        if found is None:
            found = self.kept[r] = self._of(r)
        return found

    def _of(self, r: Result) -> tuple[float, float, float, float]:
        """Value, cleared, own loss, their loss."""
        p = self.p
        if r.attacker_eliminated:
            return -self.own, 0.0, self.own, 0.0
        loss = r.attacker_loss
        own = 0.0
        if r.shaded and self.at_risk:
            loss = max(loss, 1)
            own = self.armor + (loss - 1) * self.cheapest
        elif loss:
            own = self.lead + (loss - 1) * self.cheapest
        own = min(RISK * own, self.own)
        if r.attacker_retreats:
            own += p.retreat * self.own
        if r.attacker_disrupted:
            own += p.disruption * self.own
        cleared = r.defender_eliminated or r.defender_loss >= self.steps
        theirs = self.their if cleared else r.defender_loss * self.mean
        if r.defender_retreats and not cleared:
            left = max(0.0, self.their - theirs)
            if self.no_retreat:
                theirs += min(left, self.mean)
                cleared = self.steps <= r.defender_loss
            else:
                cleared = True
                theirs += left * (p.trapped if self.trapped else p.retreat)
                if r.defender_disrupted or self.overrun:
                    theirs += left * p.disruption
        elif r.defender_disrupted and not cleared:
            theirs += (self.their - theirs) * p.disruption
        if self.overrun and not cleared:  # 6.67fa
            own += self.cheapest + p.disruption * self.own
        value = theirs - own + (self.stake if cleared else 0.0)
        return value, float(cleared), own, theirs


def nearby_support(s: State, side: int, target: Hex) -> float:
    """9.1b what artillery of the defender in range is likely to bring."""
    return 0.6 * sum(s.board.support[u] for u in units_of(batteries(s, side, target)))


def air_reaches(s: State, side: int, target: Hex) -> bool:
    """10.42 an HQ that can direct aircraft there."""
    reach = s.board.charts.constants["cas_hq_range"]
    hqs = s.on_map[side] & s.board.hqs & ~s.disrupted
    return any(s.board.grid.distance(s.at[hq], target) <= reach for hq in units_of(hqs))
