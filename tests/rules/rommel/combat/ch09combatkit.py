"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from sandtable.games.rommel.table.ids import (
    F_FIRE,
    F_FIRE_ROLL,
    F_OPTION,
    F_ROUND,
)
from sandtable.games.rommel.table.state import State

from ..kit import H, U, battle, do, empty, kinds, place, start, texts

DESERT = "0506"  # Msus: no fortress, no base


def fight(
    axis: dict[str, int | None],
    cw: dict[str, int | None],
    hex_: str = DESERT,
    active: str = "axis",
    defender: str = "commonwealth",
    option: str = "basic",
    assault: bool = False,
    mined: bool = False,
    disrupted: tuple[str, ...] = (),
) -> State:
    """A battle about to be fought: units with their CV (None: full), the first shot to be announced."""
    s = empty(active, option)
    for name, cv in {**axis, **cw}.items():
        place(s, name, hex_, cv, disrupted=name in disrupted)
    battle(s, hex_, defender)
    if assault:
        s.assaults |= 1 << H(hex_)
    if mined:
        s.mines_open |= 1 << H(hex_)
    start(s, (F_OPTION,), (F_ROUND, H(hex_), 0, 0))
    return s


def cv(s: State, unit: str) -> int:
    return s.cv[U(unit)]


def dice(s: State) -> int:
    """The dice of the shot that is to be rolled now."""
    assert s.stack[-1][0] == F_FIRE_ROLL
    return s.stack[-1][5]


def hits(s: State, number: int) -> list[str]:
    """Let the next throw score so many hits."""
    return kinds(do(s, f"hits {number}"))


def over(s: State) -> bool:
    return s.stack[-1] == (F_OPTION,)


def side_firing(s: State) -> int:
    frame = next(f for f in reversed(s.stack) if f[0] in (F_FIRE, F_FIRE_ROLL))
    return frame[2]


# 9.3 Targeting


def targets_of(s: State, unit: str) -> list[str]:
    return [t.split()[2] for t in texts(s) if t.split()[1] == unit]
