"""Determined defence: a lead unit, a table read with one die, and a stack that stands where it should retreat."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple


class Stand(NamedTuple):
    """What a result of the table means."""

    holds: bool
    lead_loss: int
    attacker_loss: int
    text: str


def chance_to_hold(faces: Iterable[Stand], last_step: bool) -> Fraction:
    """The chance that the hex is kept, by the result of every face of the die.

    A lead unit that is alone and loses its last step in a success leaves the hex empty.
    """
    results = list(faces)
    return Fraction(sum(1 for stand in results if stand.holds and not (last_step and stand.lead_loss)), len(results))


def result_chances(faces: Iterable[Stand]) -> tuple[tuple[str, Fraction], ...]:
    """The results in words with their chances, in the order of the faces."""
    results = list(faces)
    found: dict[str, Fraction] = {}
    for stand in results:
        found[stand.text] = found.get(stand.text, Fraction(0)) + Fraction(1, len(results))
    return tuple(found.items())
