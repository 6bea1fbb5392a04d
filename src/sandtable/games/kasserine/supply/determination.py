"""A3 Supply Determination: who traces a line now, and what becomes of those who do not (5.1)."""

from __future__ import annotations

from sandtable.mechanics.masks import units_of
from sandtable.mechanics.shown.telling import emit

from ..table.ids import ALLIED, AXIS
from ..table.position import forget
from ..table.state import State
from .lines import supplied


def determine(s: State) -> None:
    """5.12 in supply for the whole turn; else Emergency Supply, then Out of Supply."""
    for side in (AXIS, ALLIED):
        lines = supplied(s, side)
        units = s.on_map[side] & s.board.ground
        cut = sum(1 << u for u in units_of(units) if not lines >> s.at[u] & 1)
        fed = units & ~cut
        worse = cut & s.emergency  # 5.12b
        fresh = cut & ~s.emergency & ~s.oos  # 5.12a
        better = fed & (s.emergency | s.oos)  # 5.12d
        s.oos = (s.oos | worse) & ~fed
        s.emergency = (s.emergency | fresh) & ~worse & ~fed
        for units, state in ((better, 0), (fresh, 1), (worse, 2)):
            if units:
                emit(s, "supply", "5.12", {"side": side, "units": list(units_of(units)), "supply": state})
    forget(s)
