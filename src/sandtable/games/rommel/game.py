"""The front door: Rommel in the Desert as an `engine.Game`."""

from __future__ import annotations

from sandtable.engine.contract import GameInfo
from sandtable.mechanics.door import PackGame

from . import soundness
from .shown import look, overlays, scene, texts
from .shown import view as views
from .supply import victory
from .table import scenarios, words
from .table.board import Board
from .table.ids import SIDES
from .table.state import State
from .table.verbs import codec, verb


class Rommel(PackGame[State, Board]):
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

    reveals = views.REVEALS
    style = look.STYLE
    lines = texts.LINES
    verbs = verb
    make_board = Board
    boarded = ("infantry_tanks",)
    make_codec = staticmethod(codec)
    make_words = staticmethod(words.make_words)
    listing = staticmethod(scenarios.listing)
    choices = scenarios.OPTIONS
    lay_out = staticmethod(scenarios.new_state)
    view = views.look
    imagine = views.imagine
    draw_scene = staticmethod(scene.scene)
    overlays = overlays.overlays
    reckon = staticmethod(victory.reckon)
    invariants = staticmethod(soundness.faults)


GAME = Rommel()
