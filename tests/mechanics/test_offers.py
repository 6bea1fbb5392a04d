"""Actions out of sets: the n-th member, and the actions of all."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.mechanics.offers import Offers, picked_out
from sandtable.mechanics.paths import swift


@pytest.fixture(params=["compiled", "plain"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the compiled kernel, and without."""
    if request.param == "plain":
        monkeypatch.setattr(swift, "listed", None)
    elif swift.listed is None:
        pytest.skip("no kernel was compiled at install")


@pytest.mark.usefixtures("kernel")
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


@pytest.mark.usefixtures("kernel")
def test_what_is_picked_out_of_a_table_is_in_order_of_members_and_then_of_sets() -> None:
    rng = Random(5)
    for many in (1, 2, 4):
        for size in (1, 7, 8, 700, 2610):
            table = [(member, which) for member in range(size) for which in range(many)]
            for density in (0.0, 0.01, 0.5, 1.0):
                masks = tuple(sum(1 << i for i in range(size) if rng.random() < density) for _ in range(many))
                assert picked_out(table, masks) == [(i, which) for i, which in table if masks[which] >> i & 1]


@pytest.mark.skipif(swift.listed is None, reason="no kernel was compiled at install")
def test_a_table_must_have_room_for_the_members() -> None:
    assert swift.listed is not None
    with pytest.raises(OverflowError):
        swift.listed([(0,), (1,)], (1 << 2,))
    with pytest.raises(OverflowError):
        swift.listed([(0,), (1,)], (1 << 200,))
    with pytest.raises(ValueError, match="for each member in each set"):
        swift.listed([(0,), (1,), (2,)], (1, 1))
