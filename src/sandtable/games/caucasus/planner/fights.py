"""What an attack promises: the chance of every result, and what it costs both sides."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy, hexes_in, units_of

from ..combat import support
from ..combat.panel import Forecast
from ..combat.strengths import HIGHEST, LOWEST, reckon
from ..table.ids import MOBILE, NO_SUPPORT
from ..table.state import State, zone
from .params import NORMAL
from .worth import place_worth, step_worth, worth


class Prospect:
    """An attack on one hex, weighed for any column; made once a hex, asked for many columns."""

    def __init__(self, s: State, fight: int, target: Hex, cleared: float = NORMAL.cleared) -> None:
        self.s, self.fight, self.target = s, fight, target
        self.forecast = Forecast(s, fight, target)
        units = self.forecast.units
        steps = [step_worth(s, u) for u in units_of(units)] or [0.0]
        self.theirs = sum(steps) / len(steps)
        self.whole = worth(s, units)
        self.hex_worth = place_worth(s, target) + cleared
        self.trapped = trapped(s, target)

    def value(self, column: int, own_step: float) -> float:
        """What the attack is worth at a column, if a step of the attackers is worth so much."""
        if column < LOWEST:
            return -99.0
        if column > HIGHEST:
            if self.fight != MOBILE:
                return self.whole + self.hex_worth
            column = HIGHEST
        forecast = self.forecast
        total = 0.0
        results = self.s.board.crt[column]
        for code in results:
            cleared = float(forecast.cleared(code))
            lost = forecast.defender_loses(code)
            gain = lost * self.theirs + cleared * self.hex_worth
            if self.trapped:
                gain += cleared * max(self.whole - lost * self.theirs, 0.0)
            total += gain - forecast.attacker_loses(code) * own_step
        return total / len(results)


def trapped(s: State, target: Hex) -> bool:
    """Whether whoever must leave a hex has nowhere to go without loss."""
    side = s.active
    foe = enemy(side)
    ours = zone(s, side)
    for h in hexes_in(s.ground.around[target] & ~s.occ[side] & ~s.board.barred[foe]):
        if not ours >> h & 1 or s.occ[foe] >> h & 1:
            return False
    return True


def own_step(s: State, attackers: int) -> float:
    """What a step lost by these attackers costs, if the cheapest takes it."""
    return min((step_worth(s, u) for u in units_of(attackers)), default=0.0)


def best_marker(s: State, fight: int, target: Hex, attackers: int) -> tuple[int, int]:
    """The support marker that shifts most, and by how many columns."""
    shift = s.board.air_shift
    marker = max(support.for_attack(s, fight, target, attackers), key=lambda m: shift[m], default=NO_SUPPORT)
    return marker, shift[marker] if marker != NO_SUPPORT else 0


def weigh(s: State, fight: int, target: Hex, attackers: int, prospect: Prospect | None = None) -> float:
    """What an attack by these units is worth with the best marker there is."""
    if not attackers:
        return -99.0
    prospect = prospect or Prospect(s, fight, target)
    column = reckon(s, fight, target, attackers).column + best_marker(s, fight, target, attackers)[1]
    return prospect.value(column, own_step(s, attackers))
