"""5.2 The orders of a regroup move, found for all units at once, are those of every unit asked by itself."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from sandtable.engine.contract import Action
from sandtable.engine.dice import QuickDice
from sandtable.engine.hexes import hexes_of
from sandtable.games.rommel.movement.moves import area, lines_for, ready, way
from sandtable.games.rommel.paths.reach import enterable, ways_into
from sandtable.games.rommel.table import verbs
from sandtable.games.rommel.table.board import units_of
from sandtable.games.rommel.table.ids import F_GATHER, F_REGROUP, PASS
from sandtable.games.rommel.table.state import State

from ..kit import GAME, board


def asked_one_by_one(s: State) -> set[Action] | None:
    """5.2 the choices of a regroup move if every unit is asked where it can go."""
    f = s.stack[-1]
    if f.frame not in (F_GATHER, F_REGROUP):
        return None
    lines = lines_for(s, f.withdrawal)
    units = units_of(ready(s, area(s, f.hex)))
    if f.frame == F_GATHER:
        ways = [enterable(s, way(s, u, f.rommel + (not f.withdrawal), lines)) for u in units]
        return {(verbs.GATHER, h) for hexes in ways for h in hexes_of(hexes)}
    there = s.here[f.to]
    joined = [(u, ways_into(s, way(s, u, f.rommel, lines), f.to)) for u in units if not there >> u & 1]
    return {(verbs.JOIN, u, via) for u, vias in joined for via in vias}


@pytest.mark.rule("rommel", "5.2a", "5.2e", "5.2f", "6.4f")
@pytest.mark.parametrize("scenario", sorted(board.pack.scenarios))
def test_regroup_moves_list_what_each_unit_can_do(scenario: str) -> None:
    rng = Random(scenario)
    dice = QuickDice(rng)
    kinds: Counter[tuple[int, bool]] = Counter()
    while len(kinds) < 2 or sum(kinds.values()) < 60:
        s = GAME.new(scenario)
        while GAME.to_act(s) is not None:
            if GAME.is_chance(s):
                GAME.apply(s, GAME.roll(s, dice).action)
                continue
            legal = GAME.legal(s)
            orders = asked_one_by_one(s)
            if orders is not None:
                kinds[s.stack[-1].frame, s.option == PASS] += 1
                assert orders == {action for action in legal if action[0] in (verbs.GATHER, verbs.JOIN)}
            GAME.apply(s, rng.choice(legal))
