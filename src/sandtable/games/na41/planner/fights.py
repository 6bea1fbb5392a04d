"""What an attack promises: the chance of every result, and what it costs both sides."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy, units_of

from ..combat import defence, results
from ..combat.panel import Forecast, supply_in_reach
from ..combat.results import AUTO, HIGHEST, LOWEST, RED
from ..combat.strengths import reckon
from ..supply import supply_lines, support
from ..table.ids import BREAKTHROUGH, COMBAT
from ..table.position import zone
from ..table.state import State
from .clock import later, turns_left
from .worth import place_worth, step_worth, worth

CLEARED = 2.0  # what it is worth to push somebody back
ROUTED = 2.5  # and to see him in Full Retreat
SUPPLY = (4.0, 4.0, 2.2, 1.6, 1.2, 0.8, 0.5)  # what an SP or a ready ASU is worth, by how many there are
LAST_ONE, LAST_IMPULSE = 12.0, 3
ENOUGH, MOST_SHORT = 3.0, 4.0  # an SP when there is one for each player turn left, and at the most
LONG = 12  # player turns left from which on it does not have to last
AIR = 0.8  # and an air support marker
TAKEN = 0.7  # how much of the worth of a place its capture brings
BEST_LEAD = 5.0  # the step that a determined defence costs


class Cell(NamedTuple):
    """What one result of the table brings: to the attacker, and of his own steps, picked by him or by the enemy."""

    gain: float
    cheap: float
    dear: float


class Prospect:
    """An attack on one hex, weighed for any column; made once a hex, asked for many columns."""

    def __init__(self, s: State, fight: int, target: Hex, attackers: int, lure: float = 0.0) -> None:
        self.s, self.fight, self.target = s, fight, target
        self.forecast = Forecast(s, fight, target, attackers)
        units = self.units = self.forecast.units
        steps = [step_worth(s, u) for u in units_of(units)] or [0.0]
        self.mean = sum(steps) / len(steps)
        self.most = max(steps)
        self.whole = worth(s, units)
        self.walkers = worth(s, units & s.board.foot) if not self._trucks() else 0.0
        self.hex_worth = TAKEN * place_worth(s, target) + CLEARED + lure
        self.trapped = trapped(s, target)
        self.desperate = self.trapped or self._by_port()
        self._stands: dict[int, tuple[float, float, float]] = {}
        self._cells: dict[int, Cell] = {}

    def _trucks(self) -> bool:
        """12.5.1a whether somebody on foot could be carried away."""
        s = self.s
        return bool(s.here.get(self.target, 0) & s.board.trucks & s.board.of_side[enemy(s.active)])

    def _by_port(self) -> bool:
        """11.5.2c whether they hold the port that feeds them: they will not leave it."""
        s, side = self.s, enemy(self.s.active)
        return bool(s.board.ports >> self.target & 1) and not supply_lines.full(s, side) >> self.target & 1

    def _stand(self, colour: int) -> tuple[float, float, float]:
        """11.4 a determined defence: the chance to hold, and the steps it costs the defender and the attacker."""
        found = self._stands.get(colour)
        if found is None:
            s = self.s
            leads = defence.may_lead(s, self.units)
            if not leads:
                found = 0.0, 0.0, 0.0
            else:
                lead = max(units_of(leads), key=lambda u: defence.quality_drm(s, u))
                rows = defence.stands(s, self.target, defence.total_drm(s, lead, colour, 0))
                holds = sum(1 for row in rows if row.holds) / 6.0
                found = holds, sum(row.lead_loss for row in rows) / 6.0, sum(row.attacker_loss for row in rows) / 6.0
            self._stands[colour] = found
        return found

    def cell(self, number: int) -> Cell:
        """What one result is worth to the attacker."""
        found = self._cells.get(number)
        if found is None:
            found = self._cells[number] = self._weigh(number)
        return found

    def _weigh(self, number: int) -> Cell:
        forecast = self.forecast
        code = results.codes(self.s.board)[number // 3]
        colour = number % 3
        lost = forecast.loses(number)
        left = forecast.steps - lost
        own = float(forecast.costs(number))
        each = self.most if code.opponent_picks else self.mean
        gain = lost * each
        cleared, more, theirs = 0.0, 0.0, 0.0
        if left <= 0 or (code.determined and (colour == RED or self.fight not in (COMBAT, BREAKTHROUGH))):
            cleared = 1.0
        elif code.determined:
            holds, more, theirs = self._stand(colour)
            if self.desperate and holds:  # 11.5 they try again and again, a step each time
                tries = (1.0 - holds) / holds
                more = tries + more
                cleared = (1.0 - holds) ** max(left, 1)
            else:
                cleared = 1.0 - holds
            if more >= left:
                cleared, more = max(cleared, 0.8), float(left)
        gain += more * self.mean + cleared * self.hex_worth
        if number % 3 == RED:
            gain += ROUTED
        rest = max(self.whole - (lost + more) * self.mean, 0.0)
        if self.trapped:
            gain += cleared * rest
        elif code.retreat[1] > 2 and code.state == results.FULL_RETREAT:  # 12.5.1a who walks surrenders
            gain += cleared * min(self.walkers, rest)
        dear = own if code.opponent_picks else 0.0
        return Cell(gain, own - dear + theirs, dear)

    def value(self, column: int, price: tuple[float, float]) -> float:
        """What the attack is worth at a column; `price` of the attackers' cheapest and of their dearest step."""
        board = self.s.board
        cheap, dear = price
        if column >= AUTO:
            return self.cell(results.shattered(board)).gain
        total = 0.0
        for number in results.column_cells(board, max(LOWEST, min(HIGHEST, column))):
            found = self.cell(number)
            total += found.gain - found.cheap * cheap - found.dear * dear
        return total / 6.0

    def result(self, number: int, price: tuple[float, float]) -> float:
        """What one result is worth, all told."""
        found = self.cell(number)
        return found.gain - found.cheap * price[0] - found.dear * price[1]


def trapped(s: State, target: Hex) -> bool:
    """Whether whoever must leave a hex has nowhere to go without loss."""
    side = s.active
    foe = enemy(side)
    ours = zone(s, side)
    return not s.board.around[target] & ~s.occ[side] & (~ours | s.occ[foe])


def own_step(s: State, attackers: int) -> tuple[float, float]:
    """What a step lost by these attackers costs, if the owner picks it, and if the enemy does."""
    steps = [step_worth(s, u) for u in units_of(attackers)]
    return (min(steps), max(steps)) if steps else (0.0, 0.0)


def supply_price(s: State) -> float:
    """What it costs to spend an SP or a ready ASU: much if it is the last."""
    side = s.active
    stock = support.suppliers(s, side).bit_count()
    stock += sum(count for place, count in s.sp[side].items() if not s.board.is_box(place))
    if (
        stock <= 1 and s.impulse == LAST_IMPULSE
    ):  # 25.1.1e without one at the end of the turn everybody is out of supply
        return LAST_ONE * later(s, side)
    return max(SUPPLY[min(stock, len(SUPPLY) - 1)], shortage(s, side, stock)) * later(s, side)


def shortage(s: State, side: int, stock: int) -> float:
    """What an SP is worth because it has to last: more, the fewer there are for the time that is left."""
    left = turns_left(s, side)
    return min(ENOUGH * left / max(stock + 2.0 * (left // 3), 1.0), MOST_SHORT) if left < LONG else 0.0


class Terms(NamedTuple):
    """What an attack promises, and on what terms it is best made."""

    value: float
    supplied: bool = False
    guns: bool = False
    air: bool = False
    column: int = -9


NO_ATTACK = Terms(-99.0)


def terms(
    s: State,
    fight: int,
    target: Hex,
    attackers: int,
    prospect: Prospect | None = None,
    lure: float = 0.0,
    planes: bool = False,
) -> Terms:
    """The best that an attack by these units could be: with or without attack supply, artillery and air support."""
    if not attackers:
        return NO_ATTACK
    bare = reckon(s, fight, target, attackers, supplied=False)
    if bare.base < LOWEST and reckon(s, fight, target, attackers).base < LOWEST:
        return NO_ATTACK
    prospect = prospect or Prospect(s, fight, target, attackers, lure)
    price = own_step(s, attackers)
    full = reckon(s, fight, target, attackers)
    if full.column >= AUTO:
        return Terms(prospect.value(full.column, price), column=full.column)
    if fight != COMBAT:
        return Terms(prospect.value(bare.column if not s.fight.supplied else full.column, price), column=bare.column)
    hexes = support.places_of(s, attackers)
    air = planes or bool(support.air_assets(s, s.active, target, attackers))
    guns = bool(support.gun_actions(s, s.active, hexes, attackers))
    best = NO_ATTACK
    sp = supply_price(s)
    foe = enemy(s.active)
    answer = int(bool(support.gun_actions(s, foe, 1 << target, prospect.units)))
    answer += int(bool(support.air_assets(s, foe, target, prospect.units)))
    columns = [(bare.column, False, 0.0)] if bare.base >= LOWEST else []
    if full.column > bare.column and supply_in_reach(s, attackers):
        columns.append((full.column, True, 0.0 if support.covered(s, hexes, attackers) else sp))
    for column, supplied, cost in columns:
        for use_air in (False, True) if air else (False,):
            for use_guns in (False, True) if guns else (False,):
                rung = column + use_air + use_guns
                if rung > HIGHEST and (use_air or use_guns):
                    continue
                value = prospect.value(rung - answer, price) - cost - AIR * use_air - sp * use_guns
                if value > best.value:
                    best = Terms(value, supplied, use_guns, use_air, rung)
    return best


def weigh(
    s: State, fight: int, target: Hex, attackers: int, prospect: Prospect | None = None, lure: float = 0.0
) -> float:
    """What an attack by these units is worth at its best."""
    return terms(s, fight, target, attackers, prospect, lure).value
