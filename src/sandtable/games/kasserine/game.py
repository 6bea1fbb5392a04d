"""The front door: Kasserine as an `engine.Game`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

from sandtable.engine.contract import Event, GameInfo, Option, Scenario, View
from sandtable.engine.frames import FrameGame, collect_frames
from sandtable.engine.packs import Pack, load_pack
from sandtable.engine.scene import Overlay, Scene

from . import sequence, soundness
from .combat import advance, chain, leading, results, support
from .movement import arrivals, moving, stacks, walking
from .retreat import retreats
from .shown import look, overlays, scene, texts, view
from .supply import lines
from .table import scenarios, surprises
from .table.board import Board
from .table.ids import SIDES
from .table.state import State
from .table.verbs import verb
from .table.words import make_codec, make_words
from .turn import air, bombing, declaration, reaction, reorganization, standing, weather

DATA = Path(__file__).parent / "data"

CHAPTERS = (
    sequence,
    weather,
    air,
    bombing,
    moving,
    stacks,
    arrivals,
    walking,
    surprises,
    declaration,
    reaction,
    standing,
    chain,
    leading,
    support,
    results,
    retreats,
    advance,
    reorganization,
)


class Kasserine(FrameGame[State]):
    """Kasserine."""

    id = "kasserine"
    version = 1
    info = GameInfo(
        id="kasserine",
        title="Kasserine",
        title_ja="カセリーヌ",
        sides=SIDES,
        side_titles=("Axis", "Allied"),
        summary=(
            "February 1943: two panzer divisions break out of the Eastern Dorsale, and Rommel comes up from the south. "
            "The Allies trade ground for the days that their reserves need to close the passes of the Western Dorsale."
        ),
        open=True,  # that an order was given is seen by all, what it says by its owner alone
        players={"planner": "sandtable.games.kasserine.planner.planner:Planner"},
    )

    reveals: frozenset[str] = frozenset(("ordered", "passed_over"))
    style = look.STYLE
    lines = texts.LINES
    verbs = verb

    def __init__(self, pack: Pack | None = None, overrides: Sequence[Path] = ()) -> None:
        self.pack = pack if pack is not None else load_pack(DATA, overrides)
        self.board = Board(self.pack)
        self.codec = make_codec(self.board)
        self.words = make_words(self.board)
        self.frames = collect_frames(CHAPTERS, self.codec)

    def scenarios(self) -> Sequence[Scenario]:
        return scenarios.listing(self.pack)

    def options(self) -> Sequence[Option]:
        return scenarios.OPTIONS

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> State:
        s = scenarios.new_state(self.board, scenario, dict(options or {}))
        sequence.begin(s)
        self.settle(s)
        s.events = []
        return s

    def view(self, s: State, side: int) -> View:
        return view.look(self, s, side)

    def imagine(self, view_: View, rng: Random) -> State:
        return view.imagine(self, view_, rng)

    def scene(self, view_: View) -> Scene:
        return scene.scene(self.board, view_)

    def overlays(self, view_: View) -> list[Overlay]:
        return overlays.overlays(self, view_)

    def benchmarks(self) -> dict[str, Callable[[State], object]]:
        """What `sandtable bench` measures of this game besides what it measures of all."""
        return {"supply of the whole map": lines.supply_of_the_map}

    def invariants(self, s: State) -> list[str]:
        """What must hold at every moment, for the fuzzer."""
        return soundness.faults(s)

    def leaks(self, before: State, after: State, events: Sequence[Event]) -> list[str]:
        """What has come or gone between two moments without an event that says so, for the fuzzer."""
        return soundness.leaks(before, after, events)


GAME = Kasserine()
