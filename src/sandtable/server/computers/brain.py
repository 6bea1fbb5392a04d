"""A process in which computer players think, and give hints. It is told views and legal actions, never states."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from random import Random, SystemRandom
from typing import Any

import msgspec

from sandtable import registry
from sandtable.engine.contract import Action, Odds, Prompt
from sandtable.engine.seats import Player, Seat
from sandtable.players.hints import Moment, advise

from ..processes.helper import answer_all
from ..wire.table import HintRecord

MOST = 256
"""Players that are kept, with the plans they have made."""


class Thought(msgspec.Struct, tag="thought"):
    """One decision to be made."""

    chair: str
    """Which player at which table: the same chair keeps its plans."""
    game: str
    target: str
    player: str
    side: int
    legal: list[tuple[int, ...]]
    prompt: tuple[str, str, list[str], str]
    view: dict[str, Any]
    seed: int | None = None
    """What the player's own chances begin with, where they are to be always the same: in a lesson."""


class Wish(msgspec.Struct, tag="wish"):
    """A hint that a player wants for a decision of his own."""

    game: str
    target: str
    seed: str
    side: int
    view: dict[str, Any]
    legal: list[tuple[int, ...]]
    opened: dict[str, Any] | None
    since: list[tuple[int, ...]]


def hint(wish: Wish) -> HintRecord:
    registry.GAMES.setdefault(wish.game, wish.target)
    game = registry.get(wish.game)
    found = advise(game, Moment(wish.side, wish.view, wish.legal, wish.opened, wish.since), wish.seed)
    json = game.action_json(found.action)
    return HintRecord(json, game.text(found.action), found.label, list(found.why), list(found.steps), found.more)


class Brain:
    """The players of this process."""

    def __init__(self) -> None:
        self._players: OrderedDict[str, Player] = OrderedDict()

    def choose(self, thought: Thought) -> Action:
        registry.GAMES.setdefault(thought.game, thought.target)
        game = registry.get(thought.game)
        player = self._players.get(thought.chair)
        if player is None:
            rng = Random(SystemRandom().getrandbits(128) if thought.seed is None else thought.seed)
            player = self._players[thought.chair] = registry.player(game, thought.player)(game, rng)
            if len(self._players) > MOST:
                self._players.popitem(last=False)
        self._players.move_to_end(thought.chair)
        title, text, rules, phase = thought.prompt

        def odds(action: Action) -> Odds | None:
            # What a side may know of the odds follows from its view: any table that fits it will do.
            return game.odds(game.imagine(thought.view, Random(0)), action)

        legal = [tuple(action) for action in thought.legal]
        seat = Seat(
            thought.side,
            lambda: legal,
            lambda random: legal[int(random() * len(legal))],
            lambda: Prompt(title, text, tuple(rules), phase),
            lambda: thought.view,
            odds,
        )
        return tuple(map(int, player.choose(seat)))  # verbs are numbers with words, which do not travel


def answered(brain: Brain, message: bytes) -> bytes:
    answer: dict[str, Any]
    try:
        asked: Thought | Wish = msgspec.json.decode(message, type=Thought | Wish)
        answer = {"hint": hint(asked)} if isinstance(asked, Wish) else {"action": brain.choose(asked)}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    return msgspec.json.encode(answer)


def answerer() -> Callable[[bytes], bytes]:
    """What answers the questions of one process, with players of its own."""
    return partial(answered, Brain())


if __name__ == "__main__":
    os.nice(5)  # who waits for an answer of the server comes first
    answer_all(answerer())
