"""What the tests of chapter 16 share: networks fixed by hand, a side that spends, a player's Buildup."""

from __future__ import annotations

from sandtable.engine.contract import Event
from sandtable.games.rommel.table.ids import AXIS, F_CHALLENGE, F_MONTH, F_PLAYER_BUILDUP, F_SPEND, POOL
from sandtable.games.rommel.table.scenarios import script
from sandtable.games.rommel.table.state import State

from .kit import board, empty, mask, place, start, texts

STOP = (F_CHALLENGE,)
"""A frame below the one under test: play stops there, because the Commonwealth has to decide."""

COAST = ("0902", "0903", "0803", "0704", "0604", "0504", "0403", "0304")
"""The coast road from the Axis base to Benghazi."""


def nets(s: State, axis: str = "", commonwealth: str = "") -> None:
    """Fix the supply networks by hand (16.2a)."""
    s.nets = [mask(*axis.split()), mask(*commonwealth.split())]


def spend(s: State, side: int = AXIS, points: int = 20) -> State:
    """Let a side spend points."""
    s.bp[side] = points
    start(s, STOP, (F_SPEND, side))
    return s


def player(s: State, side: int, points: int = 0) -> list[Event]:
    """One player's whole Buildup."""
    s.bp[side] = points
    return start(s, STOP, (F_PLAYER_BUILDUP, side, 0))


def month(s: State) -> list[Event]:
    """The month is over: on to the Buildup of the next one, up to its dice."""
    s.stack = []
    return start(s, (F_MONTH, 0))


def data(events: list[Event], kind: str) -> list[dict[str, object]]:
    return [dict(e.data) for e in events if e.kind == kind]


def redeployable(s: State) -> set[str]:
    return {t.split()[1] for t in texts(s) if t.startswith("redeploy ")}


def offers(s: State, verb: str) -> list[str]:
    return [t for t in texts(s) if t.split()[0] == verb]


def reinforcements(month: int = 2) -> State:
    """A month of 1941 with nobody on the map but the garrisons of the bases."""
    s = empty("axis", None, month=month)
    place(s, "GE-PZ5", "0902")
    place(s, "CW-4A", "0626")
    for u, due in script(s).due.items():
        if s.at[u] < 0:
            s.at[u] = POOL
            s.cv[u] = board.max_cv[u]
            assert due > 1
    nets(s, " ".join(COAST), "0626 0726 0725")
    return s
