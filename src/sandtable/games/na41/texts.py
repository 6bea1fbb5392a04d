"""Actions and events in the words of a calm staff officer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sandtable.engine.contract import Action

from .board import Board
from .state import State

if TYPE_CHECKING:
    from .game import NorthAfrica


def label(game: NorthAfrica, s: State, action: Action) -> str:
    return game.codec.text(action)


def describe(board: Board, seen: Mapping[str, Any]) -> str:
    return str(seen["event"])
