"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from sandtable.games.na41.table.state import State

from ..kit import (
    board,
    controlled_by,
    empty,
    texts,
)
from ..turnkit import moving

PORT = {name: i for i, name in enumerate(board.port_ids)}


def allied(impulse: int = 2, **options: bool) -> State:
    s = empty("allied", "movement", 8, impulse)
    s.flags = sum(1 << i for i, name in enumerate(("a", "b", "c", "port_garrisons")) if options.get(name))
    return s


def axis(impulse: int = 2) -> State:
    s = empty("axis", "movement", 8, impulse)
    controlled_by(s, "axis", "3211", "3828", "2946")
    return s


def lanes(s: State) -> set[str]:
    s.stack, s.choices = [], None
    moving(s)
    return {t.removeprefix("convoy ") for t in texts(s) if t.startswith("convoy ")}
