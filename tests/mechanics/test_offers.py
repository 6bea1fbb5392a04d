"""Actions out of sets: the n-th member, and the actions of all."""

from __future__ import annotations

from random import Random

from sandtable.mechanics.offers import Offers, nth


def test_nth_is_the_member_of_that_number() -> None:
    rng = Random(7)
    for size in (1, 8, 63, 64, 127, 128, 129, 256, 700, 2600):
        for density in (0.02, 0.5, 1.0):
            members = [i for i in range(size) if rng.random() < density] or [size - 1]
            mask = sum(1 << i for i in members)
            assert [nth(mask, n) for n in range(len(members))] == members


def test_offers_are_the_actions_of_the_members_in_order_whatever_was_asked_before() -> None:
    rng = Random(3)
    offers, with_more = Offers(2, 700), Offers(3, 700, 5, after=(1,))
    members = 0
    for number in range(400):
        if number % 3 == 0:  # another set, of a few or of many
            density = rng.choice((0.0, 0.01, 0.1, 0.5, 1.0))
            members = sum(1 << i for i in range(700) if rng.random() < density)
        else:  # a few more or less
            for _ in range(rng.randint(0, 8)):
                members ^= 1 << rng.randrange(700)
        there = [i for i in range(700) if members >> i & 1]
        found = offers(members)
        assert found == [(2, i) for i in there]
        assert with_more(members) == [(3, 5, i, 1) for i in there]
        found.clear()  # what is given away is nobody else's
