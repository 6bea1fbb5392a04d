"""The front door of a game that is played on a pack: what its modules say, as the engine's contract asks for it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from sandtable.engine.contract import Option, Scenario, State, View
from sandtable.engine.drawing import MapStyle
from sandtable.engine.frames import Chapter, FrameGame, collect_frames
from sandtable.engine.packs import Pack, load_pack
from sandtable.engine.scene import Scene

from .boards import PackBoard

S = TypeVar("S", bound=State)
B = TypeVar("B", bound=PackBoard)

APART = ("planner", "shown")
"""What has no steps of the sequence of play."""


def chapters(package: str) -> Iterator[Chapter[Any]]:
    """The modules of a game that have steps of its sequence of play."""
    for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if found.name.split(".")[3] not in (*APART, "game"):
            module: Any = importlib.import_module(found.name)
            if hasattr(module, "FRAMES"):
                yield module


class PackGame(FrameGame[S], Generic[S, B]):
    """A game whose map, counters, charts and scenarios are the pack in its folder `data`."""

    reveals: frozenset[str] = frozenset()
    style: MapStyle
    make_board: Callable[..., B]
    """The board of a pack, and of the options that put other counters on it."""
    boarded: Sequence[str] = ()
    """Those options."""
    make_codec: Callable[[B], Any]
    make_words: Callable[[B], Any]
    listing: Callable[[Pack], Sequence[Scenario]]
    choices: Sequence[Option] = ()
    lay_out: Callable[[B, str, Mapping[str, bool]], S]
    """A scenario's table before its first decision."""
    draw_scene: Callable[[B, View], Scene]
    measured: Mapping[str, Callable[[S], object]] = {}
    """What `sandtable bench` measures of this game besides what it measures of all."""

    def __init__(self, pack: Pack | None = None, overrides: Sequence[Path] = ()) -> None:
        package = type(self).__module__.rpartition(".")[0]
        home = Path(importlib.import_module(package).__path__[0])
        self.pack = pack if pack is not None else load_pack(home / "data", overrides)
        self._boards: dict[tuple[bool, ...], B] = {}
        self.board = self.board_for({})
        self.codec = self.make_codec(self.board)
        self.words = self.make_words(self.board)
        self.frames = collect_frames(chapters(package), self.codec)

    def board_for(self, options: Mapping[str, bool]) -> B:
        """The board with the counters of these optional rules."""
        key = tuple(bool(options.get(name)) for name in self.boarded)
        if key not in self._boards:
            self._boards[key] = self.make_board(self.pack, *key)
        return self._boards[key]

    def scenarios(self) -> Sequence[Scenario]:
        return self.listing(self.pack)

    def options(self) -> Sequence[Option]:
        return self.choices

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> S:
        chosen = dict(options or {})
        s = self.lay_out(self.board_for(chosen), scenario, chosen)
        self.settle(s)
        return s

    def scene(self, view: View) -> Scene:
        return self.draw_scene(self.board_for(view["options"]), view)

    def benchmarks(self) -> Mapping[str, Callable[[S], object]]:
        return self.measured
