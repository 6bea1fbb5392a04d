"""What must hold at every moment."""

from __future__ import annotations

from sandtable.mechanics.masks import units_of

from .table.state import State, all_men


def faults(s: State) -> list[str]:
    """Pieces are where they are noted, weapons where their users are, markers on those who can have them."""
    found = []
    names = s.stage.roster.names
    for h, pieces in s.here.items():
        found += [f"{names[u]} is noted in {s.stage.grid.names[h]}" for u in units_of(pieces) if s.at[u] != h]
    for u, h in enumerate(s.at):
        if h >= 0 and not s.here.get(h, 0) >> u & 1:
            found.append(f"{names[u]} is noted nowhere")
    for w, u in enumerate(s.holder):
        if u >= 0 and s.at[w] != s.at[u]:
            found.append(f"{names[w]} is not with {names[u]}")
        if u >= 0 and s.at[u] < -1 and s.at[u] != -5:
            found.append(f"{names[w]} is held by {names[u]}, who is gone")
    living = all_men(s, 0) | all_men(s, 1) | s.captive
    for name in ("broken", "dm", "pinned", "cx", "wounded", "disrupted", "melee"):
        wrong = getattr(s, name) & ~living
        found += [f"{names[u]} is {name} and not on the map" for u in units_of(wrong)]
    found += [f"{names[u]} is DM and not broken" for u in units_of(s.dm & ~s.broken)]
    return found
