"""The front door: The Caucasus Campaign as an `engine.Game`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

from sandtable.engine.contract import Event, GameInfo, Option, Scenario, View
from sandtable.engine.frames import FrameGame, collect_frames
from sandtable.engine.packs import Pack, load_pack
from sandtable.engine.scene import Overlay, Scene

from . import sequence, soundness
from .combat import advance, combat, defence, losses, retreats
from .movement import mobile, phase, unit
from .shown import look, overlays, scene, texts, view
from .supply import supply_lines
from .table import scenarios, stacking, verbs
from .table.board import Board
from .table.ids import SIDES
from .table.state import State
from .turn import arrivals, initial, supply_phase, victory

DATA = Path(__file__).parent / "data"

MODULES = (
    sequence,
    initial,
    arrivals,
    phase,
    unit,
    mobile,
    stacking,
    combat,
    losses,
    defence,
    retreats,
    advance,
    supply_phase,
    scenarios,
    victory,
)


class Caucasus(FrameGame[State]):
    """The Caucasus Campaign."""

    id = "caucasus"
    version = 1
    info = GameInfo(
        id="caucasus",
        title="The Caucasus Campaign",
        title_ja="コーカサス・キャンペーン",
        sides=SIDES,
        side_titles=("Axis", "Soviet"),
        summary=(
            "July to November 1942: from Rostov the Axis drives for Maikop, Grozny and the Black Sea ports. "
            "Panzers run out of road and supply, the Soviets trade space for time, and the mountains wait."
        ),
        players={"planner": "sandtable.games.caucasus.planner.planner:Planner"},
        open=True,
    )

    reveals: frozenset[str] = frozenset()
    style = look.STYLE
    lines = texts.LINES
    verbs = verbs.verb

    def __init__(self, pack: Pack | None = None, overrides: Sequence[Path] = ()) -> None:
        self.pack = pack if pack is not None else load_pack(DATA, overrides)
        self.board = Board(self.pack)
        self._boards: dict[tuple[bool, bool], Board] = {(False, False): self.board}
        self.codec = verbs.make_codec(self.board)
        self.words = verbs.make_words(self.board)
        self.frames = collect_frames(MODULES, self.codec)

    def board_for(self, options: Mapping[str, bool]) -> Board:
        """The board with the counters of optional rules 22.1 and 22.2."""
        key = (bool(options.get("mechanised_panzer_army_hq")), bool(options.get("elite_guards_tanks")))
        if key not in self._boards:
            self._boards[key] = Board(self.pack, *key)
        return self._boards[key]

    def scenarios(self) -> Sequence[Scenario]:
        return scenarios.listing(self.pack)

    def options(self) -> Sequence[Option]:
        return scenarios.OPTIONS

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> State:
        chosen = dict(options or {})
        s = scenarios.new_state(self.board_for(chosen), scenario, chosen)
        self.settle(s)
        return s

    def view(self, s: State, side: int) -> View:
        return view.look(self, s, side)

    def imagine(self, view_: View, rng: Random) -> State:
        return view.imagine(self, view_, rng)

    def scene(self, view_: View) -> Scene:
        return scene.scene(self.board_for(view_["options"]), view_)

    def overlays(self, view_: View) -> list[Overlay]:
        return overlays.overlays(self, view_)

    def benchmarks(self) -> dict[str, Callable[[State], object]]:
        """What `sandtable bench` measures of this game besides what it measures of all."""
        return {"supply of the whole map": supply_lines.supply_of_the_map}

    def invariants(self, s: State) -> list[str]:
        """What must hold at every moment, for the fuzzer."""
        return soundness.faults(s)

    def leaks(self, before: State, after: State, events: Sequence[Event]) -> list[str]:
        """What has come or gone between two moments without an event that says so, for the fuzzer."""
        return soundness.leaks(before, after, events)


GAME = Caucasus()
