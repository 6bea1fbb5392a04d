"""What an attack promises: the chance of every result, and what it costs both sides."""

from __future__ import annotations

from sandtable.engine.hexes import Hex

from .. import results, support
from ..board import enemy, units_of
from ..ids import COMBAT
from ..odds import Forecast, supply_in_reach
from ..position import zone
from ..results import AUTO, HIGHEST, LOWEST, RED
from ..state import State
from ..strengths import reckon
from .worth import place_worth, step_worth, worth

CLEARED = 2.5  # what it is worth to push somebody back
ROUTED = 2.0  # and to see him in Full Retreat
SUPPLY = 1.2  # what an SP or a ready ASU is worth


class Prospect:
    """An attack on one hex, weighed for any column; made once a hex, asked for many columns."""

    def __init__(self, s: State, fight: int, target: Hex, attackers: int) -> None:
        self.s, self.fight, self.target = s, fight, target
        self.forecast = Forecast(s, fight, target, attackers)
        units = self.forecast.units
        steps = [step_worth(s, u) for u in units_of(units)] or [0.0]
        self.theirs = sum(steps) / len(steps)
        self.whole = worth(s, units)
        self.hex_worth = 0.6 * place_worth(s, target) + CLEARED
        self.trapped = trapped(s, target)
        self._cells: dict[int, tuple[float, int]] = {}

    def cell(self, number: int, own_step: float) -> float:
        """What one result is worth to the attacker."""
        found = self._cells.get(number)
        if found is None:
            forecast = self.forecast
            name = results.cell_name(number)
            if name in forecast.numbers:
                cleared = float(forecast.cleared(name))
            else:
                cleared = 1.0
            lost = forecast.loses(number)
            gain = lost * self.theirs + cleared * self.hex_worth
            if number % 3 == RED:
                gain += ROUTED
            if self.trapped:
                gain += cleared * max(self.whole - lost * self.theirs, 0.0)
            found = self._cells[number] = gain, forecast.costs(number)
        return found[0] - found[1] * own_step

    def value(self, column: int, own_step: float) -> float:
        """What the attack is worth at a column, if a step of the attackers is worth so much."""
        board = self.s.board
        if column >= AUTO:
            return self.cell(results.shattered(board), own_step)
        cells = results.column_cells(board, max(LOWEST, min(HIGHEST, column)))
        return sum([self.cell(n, own_step) for n in cells]) / len(cells)


def trapped(s: State, target: Hex) -> bool:
    """Whether whoever must leave a hex has nowhere to go without loss."""
    side = s.active
    foe = enemy(side)
    ours = zone(s, side)
    return not s.board.around[target] & ~s.occ[side] & (~ours | s.occ[foe])


def own_step(s: State, attackers: int) -> float:
    """What a step lost by these attackers costs, if the cheapest takes it."""
    return min((step_worth(s, u) for u in units_of(attackers)), default=0.0)


def weigh(s: State, fight: int, target: Hex, attackers: int, prospect: Prospect | None = None) -> float:
    """What an attack by these units is worth, with attack supply if that pays, and air support if there is some."""
    if not attackers:
        return -99.0
    bare = reckon(s, fight, target, attackers, supplied=False)
    if bare.base < LOWEST:
        return -99.0
    prospect = prospect or Prospect(s, fight, target, attackers)
    price = own_step(s, attackers)
    best = prospect.value(bare.column, price)
    if fight == COMBAT:
        air = 1 if support.air_assets(s, s.active, target, attackers) else 0
        paid = reckon(s, fight, target, attackers)
        if air and bare.column < HIGHEST:
            best = max(best, prospect.value(bare.column + air, price) - SUPPLY)
        if paid.column >= AUTO:
            return prospect.value(paid.column, price)
        if paid.column > bare.column and supply_in_reach(s, attackers):
            best = max(best, prospect.value(paid.column + air, price) - SUPPLY)
    return best
