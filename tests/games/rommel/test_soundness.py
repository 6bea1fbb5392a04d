"""What must hold at every moment is noticed when it does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandtable.games.rommel.soundness import faults
from sandtable.games.rommel.table.ids import AXIS, DEAD
from sandtable.games.rommel.table.state import State

from ...rules.rommel.kit import U, new


def _two_places(s: State) -> None:
    s.at[U("GE-PZ5")] = s.board.tobruk


def _undead(s: State) -> None:
    u = U("GE-PZ5")
    s.at[u] = DEAD
    s.unsupplied |= 1 << u


def _too_strong(s: State) -> None:
    s.cv[U("GE-PZ5")] += 20


def _stale(s: State) -> None:
    s.occ[AXIS] ^= 1 << s.board.tobruk


def _debts(s: State) -> None:
    s.bp[AXIS] = -1


def _marked_cards(s: State) -> None:
    s.real[AXIS] += 40


@pytest.mark.parametrize("spoil", [_two_places, _undead, _too_strong, _stale, _debts, _marked_cards])
def test_a_spoiled_table_is_noticed(spoil: Callable[[State], None]) -> None:
    s = new("1941")
    assert faults(s) == []
    spoil(s)
    assert faults(s)
