"""The front door: Kasserine as an `engine.Game`."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine.contract import GameInfo
from sandtable.engine.migrations import as_it_was_ruled, chosen, edition, migration
from sandtable.mechanics.door import PackGame

from . import sequence, soundness
from .shown import look, overlays, scene, texts
from .shown import view as views
from .supply.lines import supply_of_the_map
from .table import script
from .table.board import Board
from .table.ids import SIDES
from .table.state import EDITION, State
from .table.verbs import verb
from .table.words import make_codec, make_words
from .turn import victory


class Kasserine(PackGame[State, Board]):
    """Kasserine."""

    id = "kasserine"
    version = EDITION
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
    make_board = Board
    make_codec = staticmethod(make_codec)
    make_words = staticmethod(make_words)
    listing = staticmethod(script.listing)
    choices = script.OPTIONS
    lay_out = staticmethod(script.new_state)
    view = views.look
    imagine = views.imagine
    draw_scene = staticmethod(scene.scene)
    overlays = overlays.overlays
    measured = {"supply of the whole map": supply_of_the_map}  # noqa: RUF012
    reckon = staticmethod(victory.reckon)
    invariants = staticmethod(soundness.faults)
    leaks = staticmethod(soundness.leaks)

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> State:
        s = script.new_state(self.board, scenario, chosen(options or {}))
        s.edition = edition(options or {}, EDITION)
        sequence.begin(s)
        self.settle(s)
        s.events = []
        return s


# 2: some rules were read wrongly before; games begun then go on as they were ruled (see `State.edition`)
migration("kasserine", 1)(as_it_was_ruled)
# 3: a stack passes through hexes out of supply (6.16), and does not count on itself for the line behind it; the weather
# of the campaign is always rolled for (3.71d)
migration("kasserine", 2)(as_it_was_ruled)
# 4: artillery that is overrun defends itself (6.66c), support counts no more than other troops (9.3b), the Axis keeps
# its sources (5.35), who leaves the map meets what lies on his way (11.32c), stacks drop units (6.02) and may stay out
# of a hex they have overrun (6.67d), arrivals overrun (14.26), leaders go back with attackers or stay (12.41c), who was
# spared is not chosen again (10.38a), and a stack avoids combat only with room for all of it (7.22b)
migration("kasserine", 3)(as_it_was_ruled)
# 5: artillery without a red box does not advance (8.93b, 8.97b), the second hex of an advance may be the one that it
# came from (8.91b), and a group that has waited has paid for another place with the turns that it waited (14.13a)
migration("kasserine", 4)(as_it_was_ruled)
# 6: a shaded cell costs its armor step even if the mitigation takes away the loss of the cell (8.72b, A86), who
# retreats does not count on himself for the line that he will have (8.85, A102), and the only hex in supply, once it
# is full, does not keep the rest of a stack from avoiding combat (7.22b); a retreat passes by what it can pass (A103)
migration("kasserine", 5)(as_it_was_ruled)

GAME = Kasserine()
