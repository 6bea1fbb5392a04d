"""7.0 Standing orders for the Reaction Phase: pass, avoid combat, or hold, by the odds that have been declared.

The other side plays on without waiting: an order that applies is carried out or passes where its owner would have been
asked. They go by the odds of the units declared (8.51), before support, shifts and leaders, which both sides know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import term
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.orders import EVERYBODY, Order, Orders, Until
from sandtable.mechanics.phases import Each, Once, Pairs, Phase

from ..combat.declared import declared_column
from ..table import steps, verbs
from ..table.ids import PHASES
from ..table.state import State
from ..table.steps import SideAt


def _never(s: State, order: Order) -> bool:
    return False


def _pressed(s: State, order: Order) -> bool:
    """An attack with such odds has been declared."""
    return any(declared_column(s, h) >= order.value for h in s.aims)


def _its_stack_pressed(s: State, order: Order) -> bool:
    """The unit's own hex is attacked at such odds."""
    h = s.at[order.unit]
    return h in s.aims and declared_column(s, h) >= order.value


PHASE, REVOKED, ODDS, AVOIDS, STANDS = range(5)
ORDERS: Orders[State] = Orders(
    lambda s: s.orders,
    (
        Until("phase", _never, lasts=False),
        Until("revoked", _never),
        Until("odds", _pressed),
        Until("avoids", _its_stack_pressed),
        Until("stands", _its_stack_pressed),
    ),
)
CARRIES_OUT: dict[int, int] = {int(verbs.AVOID): AVOIDS, int(verbs.STAND): STANDS}


def phase_over(s: State) -> None:
    """The Reaction Phase is over: passing for it alone ends, and so do the orders of units that have left the map."""
    if s.orders:
        ORDERS.over(s)
        s.orders[:] = [one for one in s.orders if one.unit == EVERYBODY or s.at[one.unit] >= 0]


def passing(s: State, side: int) -> bool:
    """The side has passed for this phase: that goes before all orders."""
    return any(one.until == PHASE for one in ORDERS.standing(s, side))


def _own(s: State, side: int, asked: int) -> list[Order]:
    """The orders of single units for a step of the phase."""
    return [one for one in ORDERS.standing(s, side) if one.until == CARRIES_OUT.get(asked)]


def due(s: State, side: int, asked: int, choices: Sequence[Action]) -> Order | None:
    """The first order that is to be carried out now."""
    if passing(s, side):
        return None
    for one in _own(s, side, asked):
        if (asked, s.at[one.unit]) in choices and _its_stack_pressed(s, one):
            return one
    return None


def silent(s: State, side: int, asked: int, choices: Sequence[Action]) -> bool:
    """Whether orders answer for all that the side could do in this step."""
    if due(s, side, asked, choices) is not None:
        return True
    bound = {s.at[one.unit] for one in _own(s, side, asked)}
    if all(action[1] in bound for action in choices if action[0] == asked):
        return True
    return ORDERS.answer(s, side)


# Giving them

OWN: Bars[State, SideAt] = Bars(
    Need("3.11a", "{unit} is not yours", lambda s, f: s.board.of_side[f.side]),
    Need("6.11", "{unit} is not on the map", lambda s, f: s.on_map[f.side]),
    Need("2.24", "{unit} is not a combat unit", lambda s, f: s.board.combat),
)
RED: Bars[State, SideAt] = Bars(
    *OWN.rows,
    Need("7.21a", "{unit} has no red box", lambda s, f: s.board.red),
)
ANY: Bars[State, SideAt] = Bars()


def _give(s: State, f: SideAt, order: Order) -> None:
    ORDERS.give(s, order)
    s.stack.pop()


def _order(until: int) -> Any:
    def take(s: State, f: SideAt, u: int, ratio: int) -> None:
        _give(s, f, Order(f.side, until, u, ratio))

    return take


def _revoke(s: State, f: SideAt) -> None:
    ORDERS.revoke(s, f.side)
    s.stack.pop()


def _no_orders(s: State, f: SideAt) -> Reason | None:
    return None if ORDERS.standing(s, f.side) else Reason("7.0", "there are no standing orders")


class Giving(Phase[State, SideAt, SideAt]):
    """A side writes an order, or takes all back, and play goes on where it was."""

    at = SideAt
    does = (
        Pairs(verbs.ORDER_AVOID, first=RED, second=ANY, take=_order(AVOIDS)),
        Pairs(verbs.ORDER_STAND, first=OWN, second=ANY, take=_order(STANDS)),
        Each(verbs.ORDER_PASS, bars=ANY, take=lambda s, f, ratio: _give(s, f, Order(f.side, ODDS, value=ratio))),
        Once(verbs.ORDER_PASS_ALL, take=lambda s, f: _give(s, f, Order(f.side, REVOKED))),
        Once(verbs.REVOKE, take=_revoke, shut=_no_orders),
        Once(verbs.END_ORDERS, take=lambda s, f: s.stack.pop()),
    )

    def actor(self, s: State, f: SideAt) -> int | None:
        return f.side

    def prompt(self, s: State, f: SideAt) -> Prompt:
        text = term("What your units do in Reaction Phases without asking you")
        return Prompt("Standing orders", text, ("7.0",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {steps.STANDING_ORDERS: Giving()}
