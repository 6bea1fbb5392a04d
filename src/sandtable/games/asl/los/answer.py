"""What a line of sight is: a value that the LOS thread, reasons, fire odds and the computer read alike."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex

NO_SIDE = -1


class Hindrance(NamedTuple):
    """One Hindrance along a line of sight, in one hex."""

    rule: str
    kind: str
    """What hinders: a terrain word, "vehicle", "smoke", "dust", "fire_for_effect" …"""
    hex: Hex
    drm: int
    range: int
    """From the first end: at equal range only the larger of two counts (A6.7)."""


class Block(NamedTuple):
    """What blocks a line of sight, where, and under which rule."""

    rule: str
    why: str
    """A template with {hex} and, where `side` is a direction, {side}."""
    hex: Hex
    side: int = NO_SIDE


class Los(NamedTuple):
    """The answer to "does this see that?"; the first end is the viewer or firer, the second the target."""

    range: int
    block: Block | None
    hindrances: tuple[Hindrance, ...]
    """Those that count, in order of range; none if it is blocked by something else."""

    @property
    def clear(self) -> bool:
        return self.block is None

    @property
    def hindrance(self) -> int:
        """The sum of the Hindrances."""
        return sum(one.drm for one in self.hindrances)


def counted(found: list[Hindrance]) -> list[Hindrance]:
    """A6.7 Of two hexes at equal range only the larger Hindrance counts; AMB-63 several in one hex add up."""
    best: dict[int, list[Hindrance]] = {}
    by_range: dict[int, dict[Hex, list[Hindrance]]] = {}
    for one in found:
        by_range.setdefault(one.range, {}).setdefault(one.hex, []).append(one)
    for at, hexes in by_range.items():
        best[at] = max(hexes.values(), key=lambda group: sum(one.drm for one in group))
    return [one for at in sorted(best) for one in best[at]]
