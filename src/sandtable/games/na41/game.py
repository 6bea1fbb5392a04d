"""The front door: North Africa '41 as an `engine.Game`."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine.contract import GameInfo
from sandtable.engine.migrations import as_it_was_ruled, chosen, edition, migration
from sandtable.mechanics.door import PackGame

from . import soundness
from .shown import look, overlays, scene, texts
from .shown import view as views
from .supply import supply_lines
from .table import scenarios
from .table.board import Board
from .table.ids import SIDES
from .table.state import EDITION, State
from .table.verbs import make_codec, make_words, verb
from .turn import victory


def supply_of_the_map(s: State) -> None:
    """16.2 full and port supply of both sides, with nothing known from before."""
    s.memo.clear()
    s.zones = [-1, -1]
    supply_lines.ways(s.board).forget()
    for side in range(len(SIDES)):
        supply_lines.full(s, side)
        supply_lines.fed_by_port(s, side)


class NorthAfrica(PackGame[State, Board]):
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

    style = look.STYLE
    lines = texts.LINES
    verbs = verb
    make_board = Board
    make_codec = staticmethod(make_codec)
    make_words = staticmethod(make_words)
    listing = staticmethod(scenarios.listing)
    choices = scenarios.OPTIONS
    view = views.look
    imagine = views.imagine
    draw_scene = staticmethod(scene.scene)
    overlays = overlays.overlays
    action_label = texts.label
    measured = {"supply of the whole map": supply_of_the_map}  # noqa: RUF012
    reckon = staticmethod(victory.reckon)
    invariants = staticmethod(soundness.faults)
    leaks = staticmethod(soundness.leaks)

    @staticmethod
    def lay_out(board: Board, scenario: str, options: Mapping[str, bool]) -> State:
        s = scenarios.new_state(board, scenario, chosen(options))
        s.edition = edition(options, EDITION)
        return s


# 2: some rules were read wrongly before; games begun then go on as they were ruled (see `State.edition`)
migration("na41", 1)(as_it_was_ruled)

GAME = NorthAfrica()
