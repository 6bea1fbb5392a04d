"""17 Replacements: receipt, and their use in the First Movement Phase."""

from __future__ import annotations

from sandtable.engine.contract import Action, Reason
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.telling import emit

from ..supply.hqs import arrival_hexes, supplied_hqs
from ..table import verbs
from ..table.ids import CADRE, F_EVENT, REPLACEMENTS, SOVIET
from ..table.state import State, touch

MOST_HELD = 3  # 17.2k


# 17.1 Receipt


def receive(s: State, kind: int, rule: str) -> None:
    """17.1, 17.2k a replacement is recorded on the track; what exceeds three of its type is lost."""
    lost = int(s.replacements[kind] >= MOST_HELD)
    s.replacements[kind] += 1 - lost
    side = int(kind >= REPLACEMENTS.index("soviet_infantry"))
    facts = {"type": kind, "side": side, "held": s.replacements[kind], "lost": lost}
    emit(s, "replacement", "17.2k" if lost else rule, facts)


# 17.2 Use


def actions(s: State) -> list[Action]:
    """17.2a `rebuild U TYPE` for every unit that may take a replacement; F_MOVES asks in the first phase only."""
    held = s.replacements
    if not any(held):
        return []
    candidates = _candidates(s)
    units = 0
    for kind in range(len(held)):
        if held[kind]:
            units |= candidates[kind]
    units &= ~(s.oos | s.disrupted | s.rebuilt | s.moved)  # 17.2c, 11.5f, 17.2e, 17.2i
    away = units & candidates[-1]
    if away and not supplied_hqs(s, s.active) and not arrival_hexes(s, s.active):  # 17.2b
        units &= ~away
    kinds = s.board.rebuilt_by
    return [(verbs.REBUILD, u, kinds[u]) for u in units_of(units)]


def _candidates(s: State) -> tuple[int, ...]:
    """By type of replacement, the active side's units that have a step to regain; then those in the Cadre Box."""
    side = s.active
    cadre = s.boxes.get(CADRE, 0) & s.board.of_side[side]
    key = (bytes(s.step), s.on_map[side], cadre)
    kept = s.ground.kept
    last: tuple[tuple[bytes, int, int], tuple[int, ...]] | None = kept.get(("rebuild", side))
    if last is None or last[0] != key:
        weak = s.on_map[side] & sum(1 << u for u, shows in enumerate(s.step) if shows)
        masks = [0] * len(REPLACEMENTS)
        for u in units_of(weak | cadre):
            if s.board.rebuilt_by[u] >= 0:
                masks[s.board.rebuilt_by[u]] |= 1 << u
        last = kept["rebuild", side] = (key, (*masks, cadre))
    return last[1]


def take(s: State, action: Action) -> None:
    """17.2a one step: a reduced unit is restored, or a unit leaves the Cadre Box at its weakest (17.2j, A43)."""
    _, u, kind = action
    s.replacements[kind] -= 1
    s.rebuilt |= 1 << u
    if s.at[u] == CADRE:
        s.stack.append((F_EVENT, u, CADRE))
        return
    s.step[u] -= 1
    touch(s)
    facts = {"unit": u, "hex": s.at[u], "type": kind, "shows": s.step[u], "side": s.board.side[u]}
    emit(s, "rebuilt", "17.2a", facts)


def why_not(s: State, action: Action) -> Reason:
    """Why this unit may not take this replacement."""
    board = s.board
    _, u, kind = action
    b, name = 1 << u, board.unit_names[u]
    if s.second:
        return Reason("17.2a", "replacements are used in the First Movement Phase only")
    if board.side[u] != s.active:
        return Reason("17.2a", f"{name} is not yours")
    if board.types[u] == "nkvd":
        return Reason("17.2h", "NKVD units may not receive replacements")
    if u == board.security:
        return Reason("15.9c", f"{name} can never receive replacements")
    if board.rebuilt_by[u] < 0:
        if u == board.brandenburg or board.types[u] == "flak":
            return Reason("4.5g", f"{name} leaves the Cadre Box only by a special result of the replacement table")
        return Reason("17.2f" if s.active == SOVIET else "17.2a", f"no replacement is good for {name}")
    if board.rebuilt_by[u] != kind:
        wanted = REPLACEMENTS[board.rebuilt_by[u]].replace("_", " ")
        return Reason("17.2a", f"{name} takes a replacement of the type {wanted}")
    if not s.replacements[kind]:
        return Reason("17.1", "no replacement of this type is left on the track")
    if s.rebuilt & b:
        return Reason("17.2e", f"{name} has received its replacement of this turn")
    if s.at[u] == CADRE:
        return Reason("17.2b", "neither a fully supplied HQ nor a connected major city can take units")
    if s.at[u] < 0:
        return Reason("17.2a", f"{name} is neither on the map nor in the Cadre Box")
    if not s.step[u]:
        return Reason("17.2a", f"{name} is at full strength")
    if s.oos & b:
        return Reason("17.2c", f"{name} is out of supply")
    if s.disrupted & b:
        return Reason("11.5f", f"{name} is disrupted")
    return Reason("17.2i", f"{name} has moved: a unit that receives a replacement moves one hex at most, afterwards")
