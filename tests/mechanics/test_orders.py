"""Standing orders, on a table of their own: a mover at some distance, and a watcher who may be hidden."""

from __future__ import annotations

from dataclasses import dataclass, field

from sandtable.mechanics.orders import EVERYBODY, Order, Orders, Until


@dataclass
class Table:
    distance: int = 9
    orders: list[Order] = field(default_factory=list)


ORDERS: Orders[Table] = Orders(
    lambda s: s.orders,
    (Until("near", lambda s, order: s.distance <= order.value), Until("phase", lambda s, order: False, lasts=False)),
)
NEAR, PHASE = ORDERS.number("near"), ORDERS.number("phase")


def test_an_order_answers_until_it_is_met_and_then_comes_off() -> None:
    s = Table()
    assert not ORDERS.answer(s, 0), "without orders the player is asked"
    ORDERS.give(s, Order(0, NEAR, value=3))
    assert ORDERS.answer(s, 0)
    assert not ORDERS.answer(s, 1), "the other side's questions are its own"
    s.distance = 3
    assert not ORDERS.answer(s, 0)
    assert s.orders == []


def test_a_new_order_takes_the_place_of_the_old_and_all_can_be_taken_back() -> None:
    s = Table()
    ORDERS.give(s, Order(0, NEAR, value=3))
    ORDERS.give(s, Order(0, PHASE))
    ORDERS.give(s, Order(1, NEAR, value=1))
    assert ORDERS.standing(s, 0) == [Order(0, PHASE)]
    ORDERS.revoke(s, 0)
    assert s.orders == [Order(1, NEAR, EVERYBODY, 1)]


def test_orders_for_a_phase_end_with_it() -> None:
    s = Table()
    ORDERS.give(s, Order(0, PHASE))
    ORDERS.give(s, Order(1, NEAR, value=1))
    ORDERS.over(s)
    assert s.orders == [Order(1, NEAR, EVERYBODY, 1)]


def test_an_order_of_one_unit_holds_that_unit_back_alone() -> None:
    s = Table()
    ORDERS.give(s, Order(0, NEAR, 4, 2))
    assert ORDERS.bound(s, 0) == 1 << 4
    assert not ORDERS.answer(s, 0)
    s.distance = 2
    assert ORDERS.bound(s, 0) == 0
    assert s.orders == [Order(0, NEAR, 4, 2)], "it holds again when the mover goes away"
