"""18.1 Merging Soviet units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Mask, hexes_of
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.shown.telling import emit

from ..table.board import Board
from ..table.ids import CADRE, FULL, REDUCED, SOVIET
from ..table.state import State, clear_marks, put, touch


@remembered()
def _full(board: Board, step: bytes) -> int:
    """The divisions that have lost nothing."""
    return sum(1 << u for u in units_of(board.divisions) if step[u] != REDUCED)


@remembered()
def _worse(board: Board, u: int) -> int:
    """18.1c the divisions that are worse than this one, which is then not the one to be kept."""
    if not board.divisions >> u & 1:
        return 0
    quality = board.tq_def[u][REDUCED]
    return sum(1 << v for v in units_of(board.divisions) if board.tq_def[v][REDUCED] < quality)


MERGES: Bars[State, object] = Bars(
    Bar("18.1b", "Soviet units merge in a Soviet movement phase", lambda s, _: ALL if s.active != SOVIET else 0),
    Need("18.1a", "only Soviet units merge; {unit} is none", lambda s, _: s.board.of_side[SOVIET]),
    Need(
        "18.1e",
        "only army rifle divisions and rifle brigades merge; {unit} is neither",
        lambda s, _: s.board.divisions | s.board.brigades,
    ),
    Need("18.1b", "{unit} is not on the map", lambda s, _: s.on_map[SOVIET]),
    Bar("18.1a", "{unit} is at full strength", lambda s, _: _full(s.board, bytes(s.step))),
)
"""Who may merge with anybody."""

WITH: Bars[State, int] = Bars(
    Bar("18.1a", "two units merge, not one", lambda s, u: 1 << u),
    Need("18.1b", "both must end their movement in the same hex", lambda s, u: s.here[s.at[u]]),
    Bar(
        "18.1d",
        "the brigade is the one that is removed, and two brigades do not merge",
        lambda s, u: 0 if s.board.divisions >> u & 1 else ALL,
    ),
    Bar("18.1c", "of two divisions the one of lower quality is kept: {other}", lambda s, u: _worse(s.board, u)),
)
"""18.1a Whom a unit may take in: it becomes a full division, the other goes to the Cadre Box."""


def pairs(s: State, crowds: Mask) -> Iterator[tuple[int, int]]:
    """18.1a, 18.1b `merge U V` for every pair in one hex; `crowds` are the hexes where there is one (lookout.py)."""
    merge = MERGES.free(sum(s.here[h] for h in hexes_of(crowds)), s, None)
    for u in units_of(merge & s.board.divisions):
        for v in units_of(WITH.free(merge, s, u)):
            yield u, v


def why_not(s: State, pair: Sequence[int]) -> Reason | None:
    """What keeps one of the two from merging, or both from each other."""
    u, v = pair
    return (
        MERGES.why(u, s, None, {"unit": u})
        or MERGES.why(v, s, None, {"unit": v})
        or WITH.why(v, s, u, {"unit": u, "other": v})
    )


def merge(s: State, u: int, v: int) -> None:
    """18.1c, 18.1d the kept division becomes full strength and has ended its movement (18.1b).

    It may fight in the following combat phase, so if neither has moved in a Second Movement Phase it may still take
    an assault marker (7.3e).
    """
    h = s.at[u]
    stood = s.second and not s.moved & ~s.assault & (1 << u | 1 << v)
    rebuilt = s.rebuilt >> v & 1
    clear_marks(s, v)
    s.step[v] = s.board.steps[v] - 1  # 17.2a it comes back at its weakest
    put(s, v, CADRE)
    s.step[u] = FULL
    if stood:
        s.pinned |= 1 << u
    else:
        s.moved |= 1 << u
    s.rebuilt |= rebuilt << u  # 17.2i a replacement received by one of them has been received by both
    touch(s)
    emit(s, "merged", "18.1a", {"unit": u, "other": v, "hex": h, "side": SOVIET, "box": CADRE})
