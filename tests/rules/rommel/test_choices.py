"""What is offered without a list is the list: the same actions, each picked with the same chance."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from sandtable.engine.contract import CHANCE, Action, Choices
from sandtable.engine.hexes import hexes_of
from sandtable.games.rommel.game import GAME
from sandtable.games.rommel.movement.moves import area, lines_for, ready, way
from sandtable.games.rommel.paths.reach import enterable, ways_into
from sandtable.games.rommel.table import verbs
from sandtable.games.rommel.table.board import units_of
from sandtable.games.rommel.table.ids import (
    F_GATHER,
    F_GROUP,
    F_MOVES,
    F_REDEPLOY,
    F_REGROUP,
    F_RELAY,
    F_SPEND,
    PASS,
)
from sandtable.games.rommel.table.state import State
from sandtable.mechanics.offers import nth

UNLISTED = {F_GATHER, F_GROUP, F_MOVES, F_REDEPLOY, F_REGROUP, F_RELAY, F_SPEND}
DRAWS = 8
"""How often each action should be picked where that is counted."""


def test_nth_counts_the_bits_of_a_mask() -> None:
    rng = Random(3)
    for width in (1, 7, 30, 120, 274, 700):
        for _ in range(50):
            mask = rng.getrandbits(width) | 1 << rng.randrange(width)
            assert [nth(mask, n) for n in range(mask.bit_count())] == hexes_of(mask)


def asked_one_by_one(s: State) -> set[Action] | None:
    """5.2 the choices of a regroup move if every unit is asked where it can go."""
    f = s.stack[-1]
    if f[0] not in (F_GATHER, F_REGROUP):
        return None
    lines = lines_for(s, f[3])
    units = units_of(ready(s, area(s, f[1])))
    if f[0] == F_GATHER:
        ways = [enterable(s, way(s, u, f[2] + (not f[3]), lines)) for u in units]
        return {(verbs.GATHER, h) for hexes in ways for h in hexes_of(hexes)}
    there = s.here[f[4]]
    return {
        (verbs.JOIN, u, via) for u in units if not there >> u & 1 for via in ways_into(s, way(s, u, f[2], lines), f[4])
    }


@pytest.mark.parametrize("scenario", [one.id for one in GAME.scenarios()])
def test_what_is_offered_in_a_game_is_the_list(scenario: str) -> None:
    """Whole games at random: every legal action is offered and nothing beside; any is picked as often as another."""
    rng = Random(scenario)
    kinds: Counter[tuple[int, bool]] = Counter()
    spread: dict[tuple[int, bool], tuple[float, int]] = {}
    for _ in range(3):
        s = GAME.new(scenario, {})
        while (who := GAME.to_act(s)) is not None:
            if who == CHANCE:
                GAME.apply(s, GAME.roll(s, lambda n: rng.randint(1, n)).action)
                continue
            legal = list(GAME.legal(s))
            bare = s.copy()
            bare.choices = None
            picked = GAME.pick(bare, rng.random)
            offered = bare.choices
            assert picked in legal
            orders = asked_one_by_one(s)
            assert orders is None or orders == {action for action in legal if action[0] in (verbs.GATHER, verbs.JOIN)}
            if isinstance(offered, Choices):
                kind = (s.stack[-1][0], s.option == PASS)
                kinds[kind] += 1
                assert offered.listed() == legal
                for action in rng.sample(legal, min(len(legal), 4)):
                    assert action in offered
                    place = rng.randrange(len(action))
                    other = (*action[:place], action[place] + rng.choice((-1, 1, 5)), *action[place + 1 :])
                    assert (other in offered) == (other in legal)
                assert () not in offered
                if len(legal) > 1 and kinds[kind] % 12 == 1:
                    seen = Counter(offered.pick(rng.random) for _ in range(DRAWS * len(legal)))
                    assert set(seen) <= set(legal)
                    off, free = spread.get(kind, (0.0, 0))
                    off += sum((seen[action] - DRAWS) ** 2 / DRAWS for action in legal)
                    spread[kind] = (off, free + len(legal) - 1)
            # not the action picked: what is offered must hold for those that nobody has asked about
            GAME.apply(s, legal[int(rng.random() * len(legal))])
    assert {kind for kind, _ in kinds} >= UNLISTED - {F_RELAY}
    assert {(F_REGROUP, True), (F_MOVES, True)} <= set(kinds)
    for kind, (off, free) in spread.items():  # chi-square: mean `free`, variance twice that
        assert off - free < 5 * (2 * free) ** 0.5 + 8, kind
