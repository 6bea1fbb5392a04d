"""Dice: derived from the seed, without bias, and the same again from the same place."""

from __future__ import annotations

import hmac
from collections import Counter
from hashlib import sha256
from random import Random

import pytest

from sandtable.engine.dice import SPAN, FairDice, QuickDice, commitment, derive_seed, secret_seed


def plain_die(seed: bytes, index: int, sides: int) -> tuple[int, int]:
    """The definition of a die in the plainest words, and how many HMACs it took."""
    message, again = index.to_bytes(8, "big"), 0
    while True:
        number = int.from_bytes(hmac.new(seed, message, "sha256").digest()[:8], "big")
        if number < SPAN // sides * sides:
            return number % sides + 1, again + 1
        again += 1
        message = index.to_bytes(8, "big") + again.to_bytes(4, "big")


@pytest.mark.parametrize("seed", [b"", b"seed", bytes(range(32)), b"k" * 64, b"long" * 40])
@pytest.mark.parametrize("sides", [2, 6, 10, 36, 1000])
def test_a_die_is_the_hmac_of_its_number(seed: bytes, sides: int) -> None:
    dice = FairDice(seed)
    assert [dice(sides) for _ in range(50)] == [plain_die(seed, i, sides)[0] for i in range(50)]
    assert dice.index == 50


def test_numbers_of_the_incomplete_round_are_rolled_again() -> None:
    """A die of so many sides that a quarter of all numbers would be too many for some faces."""
    sides = 3 * (SPAN // 4)
    plain = [plain_die(b"x", i, sides) for i in range(400)]
    assert 60 < sum(tries > 1 for _, tries in plain) < 140
    dice = FairDice(b"x")
    faces = [dice(sides) for _ in range(400)]
    assert faces == [face for face, _ in plain]
    assert dice.index == 400, "a die counts once however often it is rolled again"
    low = sum(face <= SPAN // 4 for face in faces)
    assert 90 < low < 180, "a third of the faces, not the half that a plain remainder would give"


@pytest.mark.parametrize("sides", [6, 10])
def test_every_face_comes_equally_often(sides: int) -> None:
    dice = FairDice(derive_seed(7))
    rolls = 3000 * sides
    count = Counter(dice(sides) for _ in range(rolls))
    assert sorted(count) == list(range(1, sides + 1))
    square = sum((n - 3000) ** 2 / 3000 for n in count.values())
    assert square < 35, "chi-square over 5 or 9 degrees of freedom"


def test_the_index_can_be_set_back() -> None:
    dice = FairDice(b"seed")
    first = [dice(6) for _ in range(20)]
    dice.index = 5
    assert [dice(6) for _ in range(15)] == first[5:]
    assert FairDice(b"seed", 19)(6) == first[19]


def test_seeds() -> None:
    assert commitment(b"seed") == sha256(b"seed").hexdigest()
    assert derive_seed(7) == sha256(b"sandtable7").digest()
    assert derive_seed(7) == derive_seed("7") != derive_seed(8)
    assert len(secret_seed()) == 32
    assert secret_seed() != secret_seed()


@pytest.mark.parametrize("sides", [0, -1, SPAN + 1])
def test_impossible_dice(sides: int) -> None:
    with pytest.raises(ValueError, match="sides"):
        FairDice(b"")(sides)


def test_quick_dice_repeat_with_their_generator() -> None:
    one, two = QuickDice(Random(3)), QuickDice(Random(3))
    rolls = [one(6) for _ in range(600)]
    assert rolls == [two(6) for _ in range(600)]
    assert set(rolls) == {1, 2, 3, 4, 5, 6}
    assert one.index == 600
    with pytest.raises(ValueError, match="sides"):
        one(0)
