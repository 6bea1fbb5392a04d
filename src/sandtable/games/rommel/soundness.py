"""What must hold at every moment of a game, for the fuzzer."""

from __future__ import annotations

from .table.ids import DEAD, SIDES, UNUSED
from .table.state import State


def faults(s: State) -> list[str]:
    """What is wrong with a state: nothing, if everything that must always hold does."""
    board = s.board
    out: list[str] = []
    here = [0] * board.size
    for u, h in enumerate(s.at):
        if h >= 0:
            here[h] |= 1 << u
            if not board.land >> h & 1:
                out.append(f"{board.units[u]} stands in {board.grid.names[h]}, which is not land")
        if h != UNUSED and h != DEAD and not (0 < s.cv[u] <= board.max_cv[u]):
            out.append(f"{board.units[u]} has CV {s.cv[u]}")
        if s.cv[u] % board.step_cv[u]:
            out.append(f"{board.units[u]} has CV {s.cv[u]}, not whole steps")
        marked = s.disrupted | s.unsupplied | s.leaving | s.marching | s.retreating
        if h in (DEAD, UNUSED) and marked >> u & 1:
            out.append(f"{board.units[u]} is out of play but marked")
    if here != s.here or s.placed != sum(1 << u for u, h in enumerate(s.at) if h >= 0):
        out.append("blocks and hexes disagree")
    for side in (0, 1):
        occ = sum(1 << h for h in range(board.size) if here[h] & board.of_side[side])
        firm = sum(1 << h for h in range(board.size) if here[h] & board.of_side[side] & ~s.disrupted)
        if occ != s.occ[side] or firm != s.firm[side]:
            out.append(f"the masks of the {SIDES[side]} side are stale")
        if s.real[side] < 0 or s.dummy[side] < 0 or s.real[side] + s.dummy[side] > board.hand_limit:
            out.append(f"the {SIDES[side]} hand holds {s.real[side]} real and {s.dummy[side]} dummy cards")
        if s.bp[side] < 0:
            out.append(f"the {SIDES[side]} side has {s.bp[side]} points")
    fights = s.occ[0] & s.occ[1]
    if (s.defends[0] | s.defends[1]) != fights or s.defends[0] & s.defends[1]:
        out.append("battle hexes and Defenders disagree")
    for d in range(6):
        if s.att_side[d] & ~fights:
            out.append("a hexside belongs to an Attacker where there is no battle")
    for kind in (0, 1):
        held = (s.real, s.dummy)[kind]
        if held[0] + held[1] + s.played[kind] + s.spent[kind] > board.deck[kind]:
            out.append("there are more cards than the deck has")
    return out
