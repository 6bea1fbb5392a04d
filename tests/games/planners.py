"""What the tests of every planner do: ask it for one decision, and let it play a game against chance."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.engine.contract import CHANCE, Action
from sandtable.engine.frames import FrameGame
from sandtable.engine.seats import Player, PlayerFactory, seat_at
from sandtable.players.random_player import RandomPlayer


def decision(game: FrameGame[Any], planner: PlayerFactory, s: Any, side: int, seed: int = 1) -> Action:
    """What the planner does at this very decision."""
    seat = seat_at(game, s, side)
    return planner(game, Random(seed)).choose(seat)


def winner_against_chance(game: FrameGame[Any], planner: PlayerFactory, scenario: str, side: int) -> int | None:
    """Who wins if the planner has this side; every action it takes has to be legal."""
    players: list[Player] = [RandomPlayer(game, Random(3)), RandomPlayer(game, Random(4))]
    players[side] = planner(game, Random(5))
    s = game.new(scenario)
    seats = [seat_at(game, s, i) for i in (0, 1)]
    rng = Random(8)
    while (who := game.to_act(s)) is not None:
        if who == CHANCE:
            action = game.roll(s, lambda n: rng.randint(1, n)).action
        else:
            action = players[who].choose(seats[who])
            assert action in seats[who].legal
        game.apply(s, action)
    assert s.ended is not None
    return int(s.ended.winner)
