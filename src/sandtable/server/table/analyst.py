"""A process in which games are looked back at: see `sandtable.players.analysis`."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from sandtable.engine.log import Log
from sandtable.engine.table import Table
from sandtable.players.analysis import Work, analyse, analysis_json

from ..processes.helper import answer_all, tell
from .replayer import Played


class AskAnalysis(msgspec.Struct):
    """A game to be looked back at, and how many games are played on from each moment."""

    played: Played
    playouts: int


def looked_back(asked: AskAnalysis) -> dict[str, Any]:
    """The analysis of a game, in the form of `wire.analysis.AnalysisRecord`; the same log gives the same one."""
    played = asked.played
    rules: Any = played.rules()
    table: Table[Any] = Table.replay(Log(played.header, tuple(played.entries), played.end), rules)
    last = -1

    def progress(done: int, todo: int) -> None:
        nonlocal last
        share = 100 * done // max(1, todo)
        if share != last:
            last = share
            tell(msgspec.json.encode([done, todo]))

    return analysis_json(rules, analyse(table, Work(playouts=asked.playouts), progress=progress), lambda said: said)


def answered(message: bytes) -> bytes:
    return msgspec.json.encode(looked_back(msgspec.json.decode(message, type=AskAnalysis)))


def answerer() -> Callable[[bytes], bytes]:
    return answered


if __name__ == "__main__":
    with suppress(OSError):
        os.nice(5)  # who plays now goes before who looks back
    answer_all(answered)
