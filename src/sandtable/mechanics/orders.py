"""Standing orders: what a side has said beforehand, for questions that it is asked again and again.

A frame that asks the same side at every step of the other's move ("do you fire?", "do you react?") may leave the answer
to orders: "nothing until somebody comes adjacent". An order is part of the state: an action gives it, so it stands in
the log and in every save; its owner alone sees it; and it ends when it is taken back or its time is over, in some
games also as soon as its condition is met.

A pause must not betray what is hidden. An order that is not met answers at once, and one that is met hands back to the
player: so whether it is met has to follow from what both sides know. The conditions of a game therefore look at pieces
that the other side sees, at the mover, and at nothing else; what lies hidden never makes the mover wait.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

S = TypeVar("S")

EVERYBODY = -1
"""The unit of an order that is for all of a side."""


class Order(NamedTuple):
    """One order, in small numbers: whose, until what, for whom, and how much."""

    side: int
    until: int
    unit: int = EVERYBODY
    value: int = 0


class Until(NamedTuple):
    """A condition that ends an order: what it is called, and whether it is met.

    `met` is asked with the table and the order; it must go by what both sides know.
    """

    word: str
    met: Callable[..., bool]
    lasts: bool = True
    """Whether it outlives the phase in which it was given."""


class Orders(Generic[S]):
    """The conditions of a game, and the orders that lie on its table."""

    def __init__(self, of: Callable[[S], list[Order]], untils: Sequence[Until]) -> None:
        self.of = of
        self.untils = tuple(untils)
        self.words = tuple(one.word for one in untils)

    def number(self, word: str) -> int:
        """The number of a condition."""
        return self.words.index(word)

    def standing(self, s: S, side: int) -> list[Order]:
        """The orders of a side."""
        return [order for order in self.of(s) if order.side == side]

    def give(self, s: S, order: Order) -> None:
        """A new order; one for the same unit gives way to it."""
        kept = [one for one in self.of(s) if (one.side, one.unit) != (order.side, order.unit)]
        self.of(s)[:] = sorted([*kept, order])

    def revoke(self, s: S, side: int) -> None:
        """All orders of a side are taken back."""
        self.of(s)[:] = [one for one in self.of(s) if one.side != side]

    def over(self, s: S) -> None:
        """A phase is over: orders for it alone come off."""
        self.of(s)[:] = [one for one in self.of(s) if self.untils[one.until].lasts]

    def answer(self, s: S, side: int, keeping: bool = False) -> bool:
        """Whether orders for everybody answer for a side now. Where one is met the player is asked, and it comes off;
        `keeping` leaves those that last: they answer again for the next who does not meet them."""
        mine = [one for one in self.standing(s, side) if one.unit == EVERYBODY]
        met = [one for one in mine if self.untils[one.until].met(s, one)]
        gone = [one for one in met if not (keeping and self.untils[one.until].lasts)]
        if gone:
            self.of(s)[:] = [one for one in self.of(s) if one not in gone]
        return bool(mine) and not met

    def bound(self, s: S, side: int) -> int:
        """The units of a side that an order of their own holds back now; those whose condition is met are free."""
        found = 0
        for one in self.standing(s, side):
            if one.unit != EVERYBODY and not self.untils[one.until].met(s, one):
                found |= 1 << one.unit
        return found
