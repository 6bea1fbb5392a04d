"""Actions out of sets: the n-th member, and rows of offers without a list."""

from __future__ import annotations

from collections import Counter
from random import Random

from sandtable.mechanics.offers import Offers, Rows, nth


def test_nth_is_the_member_of_that_number() -> None:
    rng = Random(7)
    for size in (1, 8, 63, 64, 127, 128, 129, 256, 700, 2600):
        for density in (0.02, 0.5, 1.0):
            members = [i for i in range(size) if rng.random() < density] or [size - 1]
            mask = sum(1 << i for i in members)
            assert [nth(mask, n) for n in range(len(members))] == members


def rows() -> Rows:
    return Rows([(1, 4)], [(Offers(2, 300), 1 << 7 | 1 << 260), (Offers(3, 300, 5), 1 << 200)], [(9,)])


def test_rows_are_the_list_of_them() -> None:
    listed = [(1, 4), (2, 7), (2, 260), (3, 5, 200), (9,)]
    assert rows().listed() == listed
    assert all(action in rows() for action in listed)
    for other in ((2, 8), (2, 5, 7), (3, 4, 200), (3, 200), (2, -1), (2, 999), (), (9, 9), None, (2, "7")):
        assert other not in rows()


def test_rows_give_each_the_same_chance() -> None:
    fine = [(n + 0.5) / 1000 for n in range(1000)]
    draws = iter(fine)
    some = rows()
    found = Counter(some.pick(lambda: next(draws)) for _ in fine)
    assert found == dict.fromkeys(some.listed(), 200)
