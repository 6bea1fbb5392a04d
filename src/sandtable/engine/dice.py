"""Dice that can be proved fair.

A game's dice come from a secret seed. The SHA-256 of the seed (the commitment) is published before
the first roll and the seed itself after the last, so that anybody can derive every die again: die
number i is the HMAC-SHA-256 of i under the seed, mapped to 1..sides without bias.
"""

from __future__ import annotations

import os
from hashlib import sha256
from random import Random
from typing import Protocol

SPAN = 1 << 64
"""A die is read from the first eight bytes of its HMAC: one of this many numbers."""


class Dice(Protocol):
    """Something that rolls dice and counts them."""

    index: int

    def __call__(self, sides: int) -> int: ...


def commitment(seed: bytes) -> str:
    """What is published of a seed before it is revealed."""
    return sha256(seed).hexdigest()


def derive_seed(name: int | str) -> bytes:
    """The seed that a number (``--seed 7``) or a name stands for."""
    return sha256(b"sandtable" + str(name).encode()).digest()


def secret_seed() -> bytes:
    """A seed that nobody knows."""
    return os.urandom(32)


class FairDice:
    """Dice derived from a seed; `index` is the number of the next die, and may be set."""

    __slots__ = ("_inner", "_outer", "index", "seed")

    def __init__(self, seed: bytes, index: int = 0) -> None:
        self.seed = seed
        self.index = index
        # HMAC is two hashes that each begin with the key: begun once here, which halves the cost of a die.
        key = (seed if len(seed) <= 64 else sha256(seed).digest()).ljust(64, b"\0")
        self._inner = sha256(bytes(byte ^ 0x36 for byte in key))
        self._outer = sha256(bytes(byte ^ 0x5C for byte in key))

    def number(self, message: bytes) -> int:
        """The first eight bytes of the HMAC-SHA-256 of a message under the seed, as a number."""
        inner = self._inner.copy()
        inner.update(message)
        outer = self._outer.copy()
        outer.update(inner.digest())
        return int.from_bytes(outer.digest()[:8], "big")

    def __call__(self, sides: int) -> int:
        if not 1 <= sides <= SPAN:
            raise ValueError(f"a die cannot have {sides} sides")
        index = self.index
        self.index = index + 1
        number = self.number(index.to_bytes(8, "big"))
        limit = SPAN - SPAN % sides
        again = 0
        while number >= limit:
            # A number of the incomplete last round would favour low faces: take this die's next HMAC.
            again += 1
            number = self.number(index.to_bytes(8, "big") + again.to_bytes(4, "big"))
        return number % sides + 1


class QuickDice:
    """Dice from an ordinary random generator, for play that nobody needs to check."""

    __slots__ = ("index", "rng")

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.index = 0

    def __call__(self, sides: int) -> int:
        if sides < 1:
            raise ValueError(f"a die cannot have {sides} sides")
        self.index += 1
        return self.rng.randrange(sides) + 1
