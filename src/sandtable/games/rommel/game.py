"""The front door: Rommel in the Desert as an `engine.Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from sandtable.engine.contract import (
    GameInfo,
    Option,
    Scenario,
    View,
)
from sandtable.engine.frames import FrameGame, collect_frames
from sandtable.engine.packs import Pack, load_pack
from sandtable.engine.scene import Overlay, Scene

from . import sequence, soundness
from .combat import battles, combat, disruption, engagement, retreats
from .movement import forced_marches, movement
from .shown import look, overlays, scene, texts, view
from .supply import fortresses, oases, supply, victory
from .table import scenarios, verbs, words
from .table.board import Board
from .table.ids import SIDES
from .table.state import State
from .turn import buildup, initiative

DATA = Path(__file__).parent / "data"

MODULES = (
    sequence,
    supply,
    fortresses,
    oases,
    movement,
    engagement,
    forced_marches,
    battles,
    combat,
    retreats,
    disruption,
    buildup,
    initiative,
    scenarios,
    victory,
)


class Rommel(FrameGame[State]):
    """Rommel in the Desert."""

    id = "rommel"
    version = 1
    info = GameInfo(
        id="rommel",
        title="Rommel in the Desert",
        title_ja="砂漠のロンメル",
        sides=SIDES,
        side_titles=("Axis", "Commonwealth"),
        summary=(
            "The desert war from El Agheila to Alexandria, 1940 to 1942, with hidden blocks and supply "
            "cards played face down: nobody knows what stands across the wire, or how long it can keep going."
        ),
        players={"planner": "sandtable.games.rommel.planner.planner:Planner"},
    )

    reveals = view.REVEALS
    style = look.STYLE
    lines = texts.LINES
    verbs = verbs.verb

    def __init__(self, pack: Pack | None = None, overrides: Sequence[Path] = ()) -> None:
        self.pack = pack if pack is not None else load_pack(DATA, overrides)
        self.board = Board(self.pack)
        self._tank_board = Board(self.pack, infantry_tanks=True)
        self.codec = verbs.codec(self.board)
        self.words = words.make_words(self.board)
        self.frames = collect_frames(MODULES, self.codec)

    def scenarios(self) -> Sequence[Scenario]:
        return [
            Scenario(
                id=key,
                title=data["title"],
                title_ja=data["title_ja"],
                length=f"{data['months']} months",
                note=data["note"],
            )
            for key, data in self.pack.scenarios.items()
        ]

    def options(self) -> Sequence[Option]:
        return scenarios.OPTIONS

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> State:
        chosen = dict(options or {})
        board = self._tank_board if chosen.get("infantry_tanks") else self.board
        s = scenarios.new_state(board, scenario, chosen)
        self.settle(s)
        return s

    def view(self, s: State, side: int) -> View:
        return view.look(self, s, side)

    def imagine(self, view_: View, rng: Random) -> State:
        board = self._tank_board if view_["options"].get("infantry_tanks") else self.board
        return view.imagine(self, board, view_, rng)

    def scene(self, view_: View) -> Scene:
        board = self._tank_board if view_["options"].get("infantry_tanks") else self.board
        return scene.scene(board, view_)

    def overlays(self, view_: View) -> list[Overlay]:
        return overlays.overlays(self, view_)

    def invariants(self, s: State) -> list[str]:
        """What must hold at every moment, for the fuzzer."""
        return soundness.faults(s)


GAME = Rommel()
