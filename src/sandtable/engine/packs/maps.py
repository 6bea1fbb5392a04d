"""On which map a game is played: one for all its scenarios, or, where boards are joined, one for each.

A game with one map has a `pack`. A game of joined boards has `map_of`, which gives the map of a scenario in the form of
a pack, and `draw`, which draws its ground; without a scenario they speak of the first one.
"""

from __future__ import annotations

from typing import Any, Protocol, cast, runtime_checkable

from sandtable.engine.packs.pack import Pack


@runtime_checkable
class Joined(Protocol):
    """A game of joined boards."""

    def map_of(self, scenario: str) -> Pack:
        """The map of a scenario."""
        ...

    def draw(self, scenario: str, palette: str) -> str:
        """Its ground as SVG, in the coordinates of `engine.drawing`."""
        ...


def pack_of(game: Any, scenario: str = "") -> Pack | None:
    """The map of a game, for one of its scenarios; None if it has none."""
    if isinstance(game, Joined):
        return game.map_of(scenario or game_first(game))
    return cast(Pack | None, getattr(game, "pack", None))


def game_first(game: Any) -> str:
    """The scenario that stands for a game."""
    return str(game.scenarios()[0].id)
