"""The front door: ASL in the desert as an `engine.Game`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from sandtable.engine.actions import Kind
from sandtable.engine.contract import Action, GameInfo, Option, Scenario, View
from sandtable.engine.frames import Frame, FrameGame, collect_frames
from sandtable.engine.migrations import as_it_was_ruled, chosen, edition, migration
from sandtable.engine.packs import Fault, Pack, PackError, config_folder
from sandtable.engine.scene import Scene, Sight
from sandtable.engine.texts.text import Said
from sandtable.mechanics.door import chapters

from . import soundness
from .boards.checks import all_faults
from .boards.locations import VERTICES, Spot
from .boards.pack import asl_pack
from .movement import orders
from .shown import look, models, scene, sheet, texts, thread, view
from .shown.calling import FACING_WORDS, VERTEX_WORDS, Called
from .shown.ground import draw_ground
from .table import scenarios, verbs
from .table.hardware import SHELLS, WEAPONRY
from .table.ids import SIDES
from .table.stage import AllHexes, hex_names, roster, stage
from .table.state import EDITION, State
from .table.telling import UNIT_KEYS, UNITS_KEYS, uncover
from .turn import victory


class Asl(FrameGame[State]):
    """ASL, Chapter F: the desert war."""

    id = "asl"
    version = EDITION
    info = GameInfo(
        id="asl",
        title="ASL: the desert war",
        title_ja="ASL：砂漠の戦い",
        sides=SIDES,
        side_titles=look.SIDE_TITLES,
        summary="Squads, leaders and machine guns at forty metres a hex: each step you take is fired into.",
        players={"planner": "sandtable.games.asl.planner.planner:Planner"},
    )
    verbs = verbs.verb
    style = look.STYLE
    lines = texts.LINES
    reckon = staticmethod(victory.reckon)
    # a move that is over tells whether the other side was asked about it, or has standing orders
    reveals: frozenset[str] = frozenset(("revealed", "dummy", "halted"))

    def __init__(self, overrides: Sequence[Path] = ()) -> None:
        for folder in overrides:  # boards, pieces and charts are read once for all games in hand
            if folder not in asl_pack().folders:
                where = config_folder(self.id)
                raise PackError(str(folder), 0, f"ASL takes data of your own from {where} alone")
        pieces, hexes = roster(), hex_names()
        unit, place = Kind("unit", pieces.names), Kind("hex", hexes)
        face = Kind("face", ("", "1", "2", "3", "4", "5", "6"))
        kinds = {
            "unit": unit,
            "other": unit,
            "weapon": unit,
            "hex": place,
            "face": face,
            "facing": Kind("facing", ("N", "NE", "SE", "S", "SW", "NW")),
            "vertex": Kind("vertex", tuple(name.lower() for name in VERTICES)),
            "shell": Kind("shell", SHELLS),
            "armament": Kind("armament", tuple(WEAPONRY.values())),
            "until": Kind("until", orders.ORDERS.words[: len(orders.UNTIL_TITLES)]),
            "share": Kind("share", ("1/6", "1/3", "1/2", "2/3")),
            "chit": Kind("chit", ("black", "red")),
        }
        self.codec = verbs.verb.codec(kinds)
        self.frames = collect_frames(chapters("sandtable.games.asl"), self.codec)
        self.words: Called = Called(
            pieces,
            AllHexes(),
            pieces.names,
            sides=SIDES,
            unit_names=pieces.called,
            hex_name=lambda h: hexes[h],
            tables={
                "vertex": VERTICES,
                "facing": ("N", "NE", "SE", "S", "SW", "NW"),
                "until": orders.UNTIL_TITLES,
                "shell": SHELLS,
                "armament": tuple(WEAPONRY.values()),
                "share": ("1/6", "1/3", "1/2", "2/3"),
            },
            phrases={"vertex": VERTEX_WORDS, "facing": FACING_WORDS},
            unit_keys=tuple(UNIT_KEYS),
            units_keys=tuple(UNITS_KEYS),
        )

    def scenarios(self) -> Sequence[Scenario]:
        return scenarios.listing()

    def options(self) -> Sequence[Option]:
        return scenarios.OPTIONS

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> State:
        agreed = chosen(options or {})
        ruled = edition(options or {}, EDITION)
        s = scenarios.new_state(stage(scenarios.balanced(scenario, agreed, ruled)).ruled(ruled), agreed)
        s.edition = ruled
        self.settle(s)
        return s

    def settle(self, s: State) -> None:
        """A3.9 what wins at once ends the game before anybody decides again; A12.3 who lost his "?" is in sight."""
        uncover(s)
        super().settle(s)
        if uncover(s) or (s.ended is None and victory.at_once(s)):
            s.choices = None

    def legal(self, s: State) -> list[Action]:
        if s.choices is None:
            s.memo = {}  # nothing changes while the list is made
        try:
            return super().legal(s)
        finally:
            s.memo = None

    def allows(self, s: State, frame: Frame[State, Any], f: tuple[int, ...], action: Action) -> bool:
        s.memo = {}  # nor while one action is looked for
        try:
            return frame.allows(s, f, action)
        finally:
            s.memo = None

    def asks(self, s: State, frame: Frame[State, Any], f: tuple[int, ...]) -> int | None:
        s.memo = {}  # nor while a frame says who decides
        try:
            return frame.actor(s, f)
        finally:
            s.memo = None

    def named(self, said: Said, s: State, label: bool = False) -> Said:
        """A squad that was reduced is called by what it is now."""
        return self.words.now(said, s, label)

    def renamed(self, s: State, action: Action) -> bool:
        return bool(self.words.now_called(self.verbs.label(action), s))

    def view(self, s: State, side: int) -> View:
        return view.look(self, s, side)

    def imagine(self, view_: View, rng: Random) -> State:
        return view.imagine(self, view_, rng)

    def scene(self, view_: View) -> Scene:
        return scene.scene(view_)

    def sight(self, view_: View, a: str, b: str) -> Sight | None:
        """A6.1 The LOS thread between two hexes."""
        return thread.sight(view_, a, b)

    def map_of(self, scenario: str) -> Pack:
        """The boards of a scenario, joined."""
        return sheet.sheet(scenario)

    def draw(self, scenario: str, palette: str) -> str:
        """Their ground as SVG."""
        place = stage(scenario)
        return draw_ground(place.field, palette, title=str(place.script["title"]))

    def model(self, ground: Mapping[str, Any], palette: str) -> tuple[Pack, str]:
        """The ground of a worked example as a map, and drawn."""
        return models.model(ground, palette)

    def model_piece(self, kind: str) -> dict[str, Any]:
        """A counter of a kind, for a worked example."""
        return models.piece(kind)

    def pack_faults(self, overrides: Sequence[Path]) -> list[Fault]:
        """What is wrong with the data under these folders."""
        return all_faults(overrides)

    def prepare(self, scenario: str) -> None:
        """Make the lines of sight between all hexes of a scenario, or take them up from the user's cache."""
        stage(scenario).sights.prepare()

    def benchmarks(self) -> dict[str, Callable[[State], object]]:
        """What `sandtable bench` measures besides: a line of sight, from one edge of the map to the other."""

        def ends(s: State) -> tuple[Spot, Spot]:
            hexes = s.stage.grid.hexes
            return Spot(hexes[s.turn % len(hexes)]), Spot(hexes[-1 - s.turn % len(hexes)])

        return {
            "line of sight from the tables": lambda s: s.stage.sights.sees(*ends(s)),
            "line of sight afresh": lambda s: s.stage.sights.lines.look(*ends(s)),
        }

    def invariants(self, s: State) -> list[str]:
        """What must hold at every moment, for the fuzzer."""
        return soundness.faults(s)


# 2: some rules were read wrongly before; games begun then go on as they were ruled (see `State.edition`)
migration("asl", 1)(as_it_was_ruled)
# 3: standing orders reckon with Guns, and stay when they have been met
migration("asl", 2)(as_it_was_ruled)
# 4: a third reading of the rules
migration("asl", 3)(as_it_was_ruled)
# 5: a fourth reading of the rules
migration("asl", 4)(as_it_was_ruled)
# 6: a fifth reading of the rules
migration("asl", 5)(as_it_was_ruled)
# 7: a sixth reading of the rules
migration("asl", 6)(as_it_was_ruled)


GAME = Asl()
