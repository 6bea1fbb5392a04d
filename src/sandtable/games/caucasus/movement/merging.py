"""18.1 Merging Soviet units."""

from __future__ import annotations

from sandtable.engine.contract import Action, Reason
from sandtable.engine.hexes import Mask, hexes_of
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.telling import emit

from ..table import verbs
from ..table.ids import CADRE, FULL, REDUCED, SOVIET
from ..table.state import State, clear_marks, put, touch


def actions(s: State, crowds: Mask) -> list[Action]:
    """18.1a, 18.1b `merge U V` for every pair in one hex: U becomes a full division, V goes to the Cadre Box.

    `crowds` are the hexes where there is such a pair (lookout.py).
    """
    found: list[Action] = []
    if s.active != SOVIET:
        return found
    board = s.board
    for h in hexes_of(crowds):
        units = s.here[h]
        divisions = [u for u in units_of(units & board.divisions) if s.step[u] == REDUCED]
        for u in divisions:
            quality = board.tq_def[u][REDUCED]
            # 18.1c the division of the lower quality is the one kept
            found += [(verbs.MERGE, u, v) for v in divisions if v != u and quality <= board.tq_def[v][REDUCED]]
            found += [(verbs.MERGE, u, v) for v in units_of(units & board.brigades)]
    found.sort()
    return found


def take(s: State, action: Action) -> None:
    """18.1c, 18.1d the kept division becomes full strength and has ended its movement (18.1b).

    It may fight in the following combat phase, so if neither has moved in a Second Movement Phase it may still take
    an assault marker (7.3e).
    """
    _, u, v = action
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


def why_not(s: State, action: Action) -> Reason:
    """Why these two may not merge."""
    board = s.board
    _, u, v = action
    if s.active != SOVIET:
        return Reason("18.1b", "Soviet units merge in a Soviet movement phase")
    for w in (u, v):
        name = board.unit_names[w]
        if board.side[w] != SOVIET:
            return Reason("18.1a", f"only Soviet units merge; {name} is none")
        if not (board.divisions | board.brigades) >> w & 1:
            return Reason("18.1e", f"only army rifle divisions and rifle brigades merge; {name} is neither")
        if s.at[w] < 0:
            return Reason("18.1b", f"{name} is not on the map")
        if board.divisions >> w & 1 and s.step[w] != REDUCED:
            return Reason("18.1a", f"{name} is at full strength")
    if u == v:
        return Reason("18.1a", "two units merge, not one")
    if s.at[u] != s.at[v]:
        return Reason("18.1b", "both must end their movement in the same hex")
    if not board.divisions >> u & 1:
        return Reason("18.1d", "the brigade is the one that is removed, and two brigades do not merge")
    return Reason("18.1c", f"of two divisions the one of lower quality is kept: {board.unit_names[v]}")
