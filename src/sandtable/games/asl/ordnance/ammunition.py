"""C8 What a gun has to fire, by the `ammo` column of its counter and the month of the scenario.

A code is TYPE:NUMBER[@FROM..TO][#WEAPON]; the number is the depletion number, U unlimited, 0 none.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ..boards.pack import asl_pack

HE, AP, APCR, HEAT, SMOKE, WP, CANISTER, IR = range(8)
SHELLS = ("HE", "AP", "APCR", "HEAT", "SMOKE", "WP", "CANISTER", "IR")

UNLIMITED = 99
NONE = 0

PLACED = (SMOKE, WP)
"""A24.2 Shells that leave a screen and attack nobody on the IFT."""


class Code(NamedTuple):
    """One code of an `ammo` column."""

    shell: int
    number: int
    first: str = ""
    last: str = ""
    weapon: str = "ma"

    def holds(self, month: str) -> bool:
        """Whether it is in use in this month (YYYY-MM)."""
        return (not self.first or self.first <= month) and (not self.last or month <= self.last)


@cache
def codes(text: str) -> tuple[Code, ...]:
    """The codes of a column; a ValueError says which one cannot be read."""
    return tuple(_code(part.strip()) for part in text.split(";") if part.strip())


def _code(text: str) -> Code:
    body, _, weapon = text.partition("#")
    body, _, span = body.partition("@")
    word, colon, number = body.partition(":")
    first, _, last = span.partition("..")
    if word not in SHELLS or not colon or not (number == "U" or number.isdigit()):
        raise ValueError(f"ammunition '{text}': expected TYPE:NUMBER[@FROM..TO][#WEAPON] with one of {SHELLS}")
    if weapon not in ("", "ma", "sa"):
        raise ValueError(f"ammunition '{text}': '{weapon}' is neither ma nor sa")
    return Code(SHELLS.index(word), UNLIMITED if number == "U" else int(number), first, last, weapon or "ma")


def supply(column: str, month: str, mortar: bool = False, weapon: str = "ma", special: str = "") -> dict[int, int]:
    """C8.3 shell -> depletion number of what a weapon has in a month; `special` are codes of a scenario that stand in
    for those of the column for the same shell."""
    chart = asl_pack().tables["ammo_codes"]
    default = chart["default_mortar" if mortar else "default_gun"]
    found = {SHELLS.index(word): _number(str(value)) for word, value in default.items()}
    for text in (column, special):
        for code in codes(text):
            if code.weapon == weapon and code.holds(month):
                found[code.shell] = code.number
    return {shell: number for shell, number in sorted(found.items()) if number}


def _number(word: str) -> int:
    return UNLIMITED if word == "U" else int(word)


# C8.9 Depletion

AVAILABLE, LAST, DEPLETED = range(3)


def depletion(original: int, number: int) -> int:
    """C8.9 what the Original TH DR says of a special shell: there, the last one, or none left."""
    if original < number or number >= UNLIMITED:
        return AVAILABLE
    return LAST if original == number else DEPLETED


def limited(number: int) -> bool:
    """Whether a shell has a depletion number."""
    return number < UNLIMITED
