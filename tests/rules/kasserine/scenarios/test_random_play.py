"""Kasserine played to the end by chance, every rule of soundness held at every moment."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.games.kasserine.movement.arrivals import entry_ends, expected, perhaps_shut_out
from sandtable.games.kasserine.movement.orders import destinations, exits, perhaps_stuck
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ratings import allowance
from sandtable.mechanics.masks import units_of

from ..kit import GAME

FIERCE = {
    *("declare", "attack_with", "fight", "avoid", "react", "stand", "overrun", "join", "advance"),
    *("fly", "fire", "command", "harass", "shift", "use_mobile"),
}


@pytest.mark.parametrize(("scenario", "seed"), [("s0_learning", 1), ("s0_learning", 2)])
def test_a_game_by_chance_ends_and_is_sound_throughout(scenario: str, seed: int) -> None:
    rng = Random(seed)
    s = GAME.new(scenario)
    moments = 0
    while s.ended is None:
        moments += 1
        before = s.copy()
        if s.actor < 0:
            action = GAME.roll(s, lambda n: rng.randint(1, n)).action
            assert sum(chance for _, chance in GAME.chances(s)) == 1
        else:
            legal = GAME.legal(s)
            assert legal == sorted(set(legal))
            fierce = [a for a in legal if GAME.codec.verbs[a[0]].word in FIERCE]
            action = rng.choice(fierce if fierce and rng.random() < 0.7 else legal)
            if moments % 40 == 0:
                assert not GAME.disagreements(s)
                side = rng.choice((0, 1, -1))
                known = s.copy()  # all but the orders of the other side
                known.orders = [one for one in s.orders if one.side == side]
                assert GAME.imagine(GAME.view(s, side), rng) == known
        events = GAME.apply(s, action)
        assert not GAME.invariants(s)
        assert not GAME.leaks(before, s, events)
        for event in events:
            seen = GAME.event_json(event, 0)
            assert seen is not None
            assert str(GAME.describe(seen))
    assert moments > 200


@pytest.mark.parametrize(("scenario", "seed"), [("s1_historical", 1), ("s2_campaign", 2), ("s3_kasserine_pass", 3)])
def test_whoever_is_beyond_doubt_can_move_or_come_on(scenario: str, seed: int) -> None:
    """6.13, 14.23 only some are asked whether they are stuck or shut out; the others are not, as a search shows."""
    rng = Random(seed)
    s = GAME.new(scenario)
    asked, sure = 0, 0
    for moment in range(1600):
        if s.ended is not None:
            break
        legal = GAME.legal(s)
        if s.stack[-1][0] == steps.MOVES and moment % 4 == 0:
            side = s.active
            doubtful = perhaps_stuck(s, side)
            for u in units_of(s.on_map[side] & ~doubtful & ~s.fire_net & ~s.moved):
                if allowance(s, u) > 0:
                    assert destinations(s, u) or exits(s, u)
                    sure += 1
            coming = expected(s, side)
            for u in units_of(coming & ~perhaps_shut_out(s, coming)):
                assert entry_ends(s, u)
            asked += doubtful.bit_count()
        GAME.apply(s, rng.choice(legal))
    assert sure > 2 * asked > 0
