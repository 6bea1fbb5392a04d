"""The front door: North Africa '41 as an `engine.Game`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

from sandtable.engine.contract import Action, Event, GameInfo, Option, Scenario, View
from sandtable.engine.frames import FrameGame, collect_frames
from sandtable.engine.migrations import as_it_was_ruled, chosen, edition, migration
from sandtable.engine.packs import Pack, load_pack
from sandtable.engine.scene import Overlay, Scene
from sandtable.engine.texts.text import Said

from . import sequence, soundness
from .combat import (
    advance,
    battles,
    breakthrough,
    combat,
    declarations,
    defence,
    disengagement,
    effects,
    losses,
    rolls,
)
from .movement import convoys, phase, stack
from .retreat import displacement, retreats, surrender
from .shown import look, overlays, scene, texts, view
from .supply import forts, ports, resources, supply_lines, support
from .table import captures, scenarios, stacking, verbs
from .table.board import Board
from .table.ids import SIDES
from .table.state import EDITION, State
from .turn import attrition, delays, initial, preparation, recovery, replacements, supply_phase, victory

DATA = Path(__file__).parent / "data"

MODULES = (
    advance,
    attrition,
    battles,
    breakthrough,
    captures,
    combat,
    convoys,
    declarations,
    defence,
    delays,
    disengagement,
    displacement,
    effects,
    resources,
    forts,
    initial,
    losses,
    stack,
    phase,
    ports,
    preparation,
    recovery,
    replacements,
    retreats,
    rolls,
    scenarios,
    sequence,
    stacking,
    supply_phase,
    support,
    surrender,
    victory,
)


def supply_of_the_map(s: State) -> None:
    """16.2 full and port supply of both sides, with nothing known from before."""
    s.memo.clear()
    s.zones = [-1, -1]
    supply_lines.ways(s.board).forget()
    for side in range(len(SIDES)):
        supply_lines.full(s, side)
        supply_lines.fed_by_port(s, side)


class NorthAfrica(FrameGame[State]):
    """North Africa '41."""

    id = "na41"
    version = EDITION
    info = GameInfo(
        id="na41",
        title="North Africa '41",
        title_ja="北アフリカ'41",
        sides=SIDES,
        side_titles=("Axis", "Allied"),
        summary=(
            "March to December 1941: Rommel strikes from El Agheila, Tobruk holds out behind him, and whoever brings "
            "supply forward by truck and convoy decides how far the tanks can go."
        ),
        players={"planner": "sandtable.games.na41.planner.planner:Planner"},
        open=True,
    )

    reveals: frozenset[str] = frozenset()
    style = look.STYLE
    lines = texts.LINES
    verbs = verbs.verb

    def __init__(self, pack: Pack | None = None, overrides: Sequence[Path] = ()) -> None:
        self.pack = pack if pack is not None else load_pack(DATA, overrides)
        self.board = Board(self.pack)
        self.codec = verbs.make_codec(self.board)
        self.words = verbs.make_words(self.board)
        self.frames = collect_frames(MODULES, self.codec)

    def scenarios(self) -> Sequence[Scenario]:
        return scenarios.listing(self.pack)

    def options(self) -> Sequence[Option]:
        return scenarios.OPTIONS

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> State:
        given = dict(options or {})
        s = scenarios.new_state(self.board, scenario, chosen(given))
        s.edition = edition(given, self.version)
        self.settle(s)
        return s

    def view(self, s: State, side: int) -> View:
        return view.look(self, s, side)

    def imagine(self, view_: View, rng: Random) -> State:
        return view.imagine(self, view_, rng)

    def scene(self, view_: View) -> Scene:
        return scene.scene(self.board, view_)

    def overlays(self, view_: View) -> list[Overlay]:
        return overlays.overlays(self, view_)

    def action_label(self, s: State, action: Action) -> Said:
        return texts.label(self, s, action)

    def benchmarks(self) -> dict[str, Callable[[State], object]]:
        """What `sandtable bench` measures of this game besides what it measures of all."""
        return {"supply of the whole map": supply_of_the_map}

    def invariants(self, s: State) -> list[str]:
        """What must hold at every moment, for the fuzzer."""
        return soundness.faults(s)

    def leaks(self, before: State, after: State, events: Sequence[Event]) -> list[str]:
        """What has come or gone between two moments without an event that says so, for the fuzzer."""
        return soundness.leaks(before, after, events)


# 2: some rules were read wrongly before; games begun then go on as they were ruled (see `State.edition`)
migration("na41", 1)(as_it_was_ruled)

GAME = NorthAfrica()
