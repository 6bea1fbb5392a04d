"""C8 What a gun has to fire, by the `ammo` column of its counter and the month of the scenario."""

from __future__ import annotations

from ..boards.pack import asl_pack
from ..table.hardware import SHELLS, UNLIMITED, Shell

HE, AP, APCR, HEAT, SMOKE, WP, CANISTER, IR = range(8)

PLACED = (SMOKE, WP)
"""A24.2 Shells that leave a screen and attack nobody on the IFT."""


def supply(
    codes: tuple[Shell, ...], month: str, mortar: bool = False, weapon: str = "ma", special: tuple[Shell, ...] = ()
) -> dict[int, int]:
    """C8.3 shell -> depletion number of what a weapon has in a month (YYYY-MM); `special` are codes of a scenario that
    stand in for those of the counter for the same shell."""
    chart = asl_pack().tables["ammo_codes"]
    default = chart["default_mortar" if mortar else "default_gun"]
    found = {SHELLS.index(word): UNLIMITED if value == "U" else int(value) for word, value in default.items()}
    for code in (*codes, *special):
        if code.weapon == weapon and code.holds(month):
            found[SHELLS.index(code.type)] = code.number
    return {shell: number for shell, number in sorted(found.items()) if number}


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
