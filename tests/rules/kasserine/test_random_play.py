"""Kasserine played to the end by chance, every rule of soundness held at every moment."""

from __future__ import annotations

from random import Random

import pytest

from .kit import GAME

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
