"""A computer plays every game that there is, by its name and through its own process."""

from __future__ import annotations

import msgspec
import pytest

from sandtable import registry
from sandtable.engine.contract import Action
from sandtable.engine.table import Table
from sandtable.server.computers.brain import Brain, Thought, answered
from sandtable.server.computers.brains import _number

from ..kit import Served, in_server, wait_for


@pytest.mark.parametrize("name", registry.names())
def test_a_computer_plays_every_game(lone_server: Served, name: str) -> None:
    ann = lone_server.guest()
    game = registry.get(name)
    seats = dict.fromkeys(game.info.sides, "random")
    made = ann.create(name, game.scenarios()[0].id, seats=seats)["id"]
    room = in_server(lone_server, lone_server.house.rooms.get(made))
    wait_for(lambda: room.row["length"] > 12 or room.ended, 60)


@pytest.mark.parametrize("name", registry.names())
def test_what_a_computer_chooses_can_be_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player may put an action together itself, of verbs that know their words: numbers travel."""
    game = registry.get(name)
    table = Table.new(game, game.scenarios()[0].id, seed=bytes(32))
    side = table.to_act
    assert side is not None
    legal = list(table.legal())
    words = {int(verb): verb for verb in game.verbs}  # type: ignore[attr-defined]

    class Wordy:
        def __init__(self, *_: object) -> None: ...

        def choose(self, _: object) -> Action:
            return (words[legal[0][0]], *legal[0][1:])

    monkeypatch.setattr(registry, "player", lambda *_: Wordy)
    view = game.view(table.state, side)
    thought = Thought("chair", name, registry.GAMES[name], "wordy", side, legal, ("", "", [], ""), view)
    message = msgspec.json.encode(thought, enc_hook=_number)
    assert msgspec.json.decode(answered(Brain(), message)) == {"action": [int(number) for number in legal[0]]}
