"""A computer plays every game that there is, by its name and through its own process."""

from __future__ import annotations

import pytest

from sandtable import registry

from ..kit import Served, in_server, wait_for


@pytest.mark.parametrize("name", registry.names())
def test_a_computer_plays_every_game(lone_server: Served, name: str) -> None:
    ann = lone_server.guest()
    game = registry.get(name)
    seats = dict.fromkeys(game.info.sides, "random")
    made = ann.create(name, game.scenarios()[0].id, seats=seats)["id"]
    room = in_server(lone_server, lone_server.house.rooms.get(made))
    wait_for(lambda: room.row["length"] > 12 or room.ended, 60)
