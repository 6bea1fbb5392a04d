"""17 Replacements: receipt, and their use in the First Movement Phase."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Mask
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.shown.telling import emit

from ..supply.hqs import arrival_hexes
from ..table.board import Board
from ..table.frames import BoxAt
from ..table.ids import AXIS, CADRE, F_EVENT, REPLACEMENTS, SOVIET
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


def _cadre(s: State) -> int:
    return s.boxes.get(CADRE, 0)


@remembered()
def _takers(board: Board) -> tuple[int, ...]:
    """By type of replacement, the units that it rebuilds; then those that none does."""
    kinds = [*range(len(REPLACEMENTS)), -1]
    return tuple(sum(1 << u for u, by in enumerate(board.rebuilt_by) if by == kind) for kind in kinds)


@remembered()
def _whole(board: Board, step: bytes) -> int:
    """The units that show their full side."""
    return sum(1 << u for u, shows in enumerate(step) if not shows)


def _nowhere(s: State, kind: int, u: int) -> bool:
    """17.2b whether no HQ and no city can take anybody out of the Cadre Box."""
    key = ("arrival hexes", s.moved & s.board.hq)
    found: Mask | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = arrival_hexes(s, s.active)
    return not found


REBUILD: Bars[State, int] = Bars(
    Bar("17.2a", "replacements are used in the First Movement Phase only", lambda s, kind: ALL if s.second else 0),
    Need("17.2a", "{unit} is not yours", lambda s, kind: s.board.of_side[s.active]),
    Bar("17.2h", "NKVD units may not receive replacements", lambda s, kind: s.board.of_type["nkvd"]),
    Bar("15.9c", "{unit} can never receive replacements", lambda s, kind: 1 << s.board.security),
    Bar(
        "4.5g",
        "{unit} leaves the Cadre Box only by a special result of the replacement table",
        lambda s, kind: (1 << s.board.brandenburg | s.board.of_type["flak"]) & _takers(s.board)[-1],
    ),
    Bar(
        "17.2f",
        "no replacement is good for {unit}",
        lambda s, kind: _takers(s.board)[-1] & s.board.of_side[SOVIET],
    ),
    Bar(
        "17.2a",
        "no replacement is good for {unit}",
        lambda s, kind: _takers(s.board)[-1] & s.board.of_side[AXIS],
    ),
    Need("17.2a", "{unit} takes a replacement of the type {wanted}", lambda s, kind: _takers(s.board)[kind]),
    Bar(
        "17.1",
        "no replacement of this type is left on the track",
        lambda s, kind: 0 if s.replacements[kind] else ALL,
    ),
    Bar("17.2e", "{unit} has received its replacement of this turn", lambda s, kind: s.rebuilt),
    Need(
        "17.2a",
        "{unit} is neither on the map nor in the Cadre Box",
        lambda s, kind: s.on_map[s.active] | _cadre(s),
    ),
    Bar(
        "17.2a",
        "{unit} is at full strength",
        lambda s, kind: _whole(s.board, bytes(s.step)) & s.on_map[s.active],
    ),
    Bar("17.2c", "{unit} is out of supply", lambda s, kind: s.oos),
    Bar("11.5f", "{unit} is disrupted", lambda s, kind: s.disrupted),
    Bar(
        "17.2i",
        "{unit} has moved: a unit that receives a replacement moves one hex at most, afterwards",
        lambda s, kind: s.moved,
    ),
    Doubt(
        "17.2b",
        "neither a fully supplied HQ nor a connected major city can take units",
        _nowhere,
        about=lambda s, kind: _cadre(s),
    ),
)
"""Who may take a replacement of a type."""


def rebuildable(s: State) -> list[tuple[int, int]]:
    """17.2a `rebuild U TYPE` for every unit that may take a replacement."""
    found: list[tuple[int, int]] = []
    if not s.second and any(s.replacements):
        needy = (s.on_map[s.active] & ~_whole(s.board, bytes(s.step)) | _cadre(s)) & s.board.of_side[s.active]
        for kind, held in enumerate(s.replacements):
            if held:
                found += [(u, kind) for u in units_of(REBUILD.free(_takers(s.board)[kind] & needy, s, kind))]
        found.sort()
    return found


def why_not(s: State, pair: Sequence[int]) -> Reason | None:
    """What keeps a unit from a replacement of a type."""
    u, kind = pair
    wanted = REPLACEMENTS[s.board.rebuilt_by[u]].replace("_", " ")
    return REBUILD.why(u, s, kind, {"unit": u, "wanted": wanted})


def rebuild(s: State, u: int, kind: int) -> None:
    """17.2a one step: a reduced unit is restored, or a unit leaves the Cadre Box at its weakest (17.2j, A43)."""
    s.replacements[kind] -= 1
    s.rebuilt |= 1 << u
    if s.at[u] == CADRE:
        s.stack.append(BoxAt(F_EVENT, u, CADRE))
        return
    s.step[u] -= 1
    touch(s)
    facts = {"unit": u, "hex": s.at[u], "type": kind, "shows": s.step[u], "side": s.board.side[u]}
    emit(s, "rebuilt", "17.2a", facts)
