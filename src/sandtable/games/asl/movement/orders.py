"""A8.1 Standing orders for Defensive First Fire: nothing until somebody is near, or until fire is worth it.

Every condition looks at the mover and at those of the watching side whom the mover's side sees: what lies under a "?"
or hidden never makes the mover wait (A12.1).
"""

from __future__ import annotations

from fractions import Fraction

from sandtable.mechanics.masks import units_of
from sandtable.mechanics.orders import Order, Orders, Until

from ..fire.firepower import cower, drms, total
from ..fire.group import JOIN, USE, held_weapons, now_of
from ..fire.ift import RESULTS, cowering, ift, spread
from ..table.state import Attack, State, all_men, all_vehicles
from ..table.weather import die_drms

SHARES = (Fraction(1, 6), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3))
"""The chances of a Morale Check or worse that an order can wait for."""


def in_plain_view(s: State, order: Order) -> int:
    """The pieces of the watching side that the mover's side sees, of those whom an order is about."""
    found = (all_men(s, order.side) | all_vehicles(s, order.side)) & ~(s.concealed | s.hip | s.broken)
    return found if order.unit < 0 else found & 1 << order.unit


def span(s: State, order: Order) -> int:
    """How far the mover is from the nearest of them."""
    move = s.move
    if move is None or s.attack is None:
        return 999
    h = s.attack.target
    return min((s.stage.grid.distance(s.at[u], h) for u in units_of(in_plain_view(s, order))), default=999)


def adjacent(s: State, order: Order) -> bool:
    return span(s, order) <= 1


def within_range(s: State, order: Order) -> bool:
    """Within the Normal Range of somebody who has FP of his own."""
    if s.attack is None:
        return False
    h, grid = s.attack.target, s.stage.grid
    return any(s.kind(u).fp and grid.distance(s.at[u], h) <= s.kind(u).range for u in units_of(in_plain_view(s, order)))


def another(s: State, order: Order) -> bool:
    """Another unit or stack moves than when the order was given."""
    return order.value != s.marches


def infantry_moves(s: State, order: Order) -> bool:
    """Men move; a mover under a "?" may be anything (A12.1)."""
    return s.move is not None and (s.move.vehicle < 0 or bool(s.move.movers & s.concealed))


def vehicle_moves(s: State, order: Order) -> bool:
    return s.move is not None and (s.move.vehicle >= 0 or bool(s.move.movers & s.concealed))


def worth_it(s: State, order: Order) -> bool:
    """Somebody in plain view has, alone, such a chance of a Morale Check or worse."""
    return best_chance(s, order) >= SHARES[order.value]


def best_chance(s: State, order: Order) -> Fraction:
    """The best chance of one unit or weapon in plain view to do more than pin the mover."""
    attack = s.attack
    if attack is None:
        return Fraction(0)
    now, seen = now_of(s), in_plain_view(s, order)
    best = Fraction(0)
    hands = sum(1 << w for w in units_of(held_weapons(s, now)) if seen >> s.holder[w] & 1)
    for mask, weapon in ((JOIN.free(now.mine & seen, s, now), False), (USE.free(hands, s, now), True)):
        for u in units_of(mask):
            aside = attack.copy()
            aside.firers, aside.weapons = (0, 1 << u) if weapon else (1 << u, 0)
            best = max(best, _chance(s, aside))
    return best


def _chance(s: State, attack: Attack) -> Fraction:
    """As the panel of the attack has it."""
    column = ift().column(total(s, attack))
    if column < 0:
        return Fraction(0)
    kept = s.attack
    s.attack = attack
    drm = sum(one.value for one in drms(s, attack))
    s.attack = kept
    results = spread(column, drm, cowering(cower(s, attack, 1, 1)), die_drms(s) if not attack.dusty else [0])
    harmless = (RESULTS[0], "PTC")
    return sum((chance for word, chance in results if word not in harmless), Fraction(0))


def never(s: State, order: Order) -> bool:
    """Nothing in this Movement Phase."""
    return False


UNTIL_TITLES = (
    "somebody is adjacent",
    "somebody is within Normal Range",
    "another unit moves",
    "the next Movement Phase",
    "Infantry moves",
    "a vehicle moves",
)
ADJACENT, RANGE, ANOTHER, PHASE, INFANTRY, VEHICLE, WORTH = range(7)
ORDERS: Orders[State] = Orders(
    lambda s: s.orders,
    (
        Until("adjacent", adjacent),
        Until("range", within_range),
        Until("another", another, lasts=False),
        Until("phase", never, lasts=False),
        Until("infantry", infantry_moves),
        Until("vehicle", vehicle_moves),
        Until("worth", worth_it),
    ),
)
