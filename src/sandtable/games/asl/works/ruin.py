"""F8.41, F7.42 What high explosive does to entrenchments."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..table.ids import ABOVE, FOXHOLE, GONE, SANGAR, UNDER_FOXHOLE, UNDER_SANGAR
from ..table.state import State, put
from ..table.telling import emit
from ..table.works import SANDS, capacity, works_in


def ruin(s: State, h: Hex, killed: bool) -> None:
    """F8.41a a Final KIA by HE of 70mm or more, a CH, a DC or an OVR removes the sangar; F8.41c survivors are above."""
    if not killed:
        return
    for w in units_of(works_in(s, h, SANGAR)):
        put(s, w, GONE)
        emit(s, "work_gone", "F8.41a", {"unit": w, "hex": h, "side": s.stage.roster.side[w]})
        bare(s, h, UNDER_SANGAR)


def bare(s: State, h: Hex, under: int) -> None:
    """F8.41c, F7.42e those beneath lose its protection."""
    for u in units_of(s.here.get(h, 0)):
        if s.under[u] == under:
            s.under[u] = ABOVE


def collapse(s: State, h: Hex, lost: int, picked: int, killed: bool) -> None:
    """F7.42c, AMB-36 a foxhole in sand shrinks by the whole squad equivalents (`lost`, in halves) that HE of 70mm or
    more, a DC or a bomb eliminated in it: by a KIA, or by a K that picked more than one."""
    if s.stage.field.terrain[h] not in SANDS or not (killed or picked > 1):
        return
    squads = lost // 2
    for w in units_of(works_in(s, h, FOXHOLE)):
        if squads <= 0:
            return
        gone = min(squads, s.strength[w])
        squads -= gone
        s.strength[w] -= gone
        if not s.strength[w]:
            put(s, w, GONE)
            emit(s, "work_gone", "F7.42e", {"unit": w, "hex": h, "side": s.stage.roster.side[w]})
    if not works_in(s, h, FOXHOLE) or not capacity(s, h, UNDER_FOXHOLE):
        bare(s, h, UNDER_FOXHOLE)
