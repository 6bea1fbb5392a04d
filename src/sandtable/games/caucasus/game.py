"""The front door: The Caucasus Campaign as an `engine.Game`."""

from __future__ import annotations

from sandtable.engine.contract import GameInfo
from sandtable.mechanics.door import PackGame

from . import soundness
from .shown import look, overlays, scene, texts
from .shown import view as views
from .supply import supply_lines
from .table import scenarios
from .table.board import Board
from .table.ids import SIDES
from .table.state import State
from .table.verbs import make_codec, make_words, verb
from .turn import victory


class Caucasus(PackGame[State, Board]):
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

    style = look.STYLE
    lines = texts.LINES
    verbs = verb
    make_board = Board
    boarded = ("mechanised_panzer_army_hq", "elite_guards_tanks")  # 22.1, 22.2
    make_codec = staticmethod(make_codec)
    make_words = staticmethod(make_words)
    listing = staticmethod(scenarios.listing)
    choices = scenarios.OPTIONS
    lay_out = staticmethod(scenarios.new_state)
    view = views.look
    imagine = views.imagine
    draw_scene = staticmethod(scene.scene)
    overlays = overlays.overlays
    measured = {"supply of the whole map": supply_lines.supply_of_the_map}  # noqa: RUF012
    reckon = staticmethod(victory.reckon)
    invariants = staticmethod(soundness.faults)
    leaks = staticmethod(soundness.leaks)


GAME = Caucasus()
