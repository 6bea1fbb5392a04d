"""20 The campaign game, 21 the tournament scenario, 22 the optional rules.

What the scenario files say, as static tables (`Script`), and the table as it is laid out at the start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sandtable.engine.contract import Action, Option, Prompt, Reason, Scenario
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.packs import Pack
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.scripts import scripts, switches
from sandtable.mechanics.telling import emit

from . import verbs
from .board import Board
from .ids import (
    ALPINI,
    AXIS,
    BLUECHER,
    BRANDENBURG,
    CADRE,
    CORPS_BOX,
    CUP,
    EASTERN,
    F_ARRIVE,
    F_SETUP,
    F_TURN,
    LEND_LEASE,
    NAVAL_BOX,
    PHASES,
    REDUCED,
    SIDES,
    SOVIET,
    SUPPORTS,
    TRACK,
    TURKISH_FRONT,
    WAITING,
)
from .state import State, put, units_in

# 22 Optional rules

OPTIONS: tuple[Option, ...] = (
    Option("mechanised_panzer_army_hq", "The 1st Panzer Army HQ is mechanised", "22.1"),
    Option("elite_guards_tanks", "Soviet Guards tank brigades are Elite", "22.2"),
    Option("a1d1_owner_chooses", "A1/D1: each side chooses its own loss", "22.3", default=True),
    Option("a1d2_opponent_chooses", "A1/D2: the opponent chooses the first loss of each side", "22.4", default=True),
)

# The same as bits of `State.flags`
MECHANISED_HQ, ELITE_TANKS, A1D1_OWNER, A1D2_OPPONENT = (1 << i for i in range(4))

option_bits, option_names = switches(OPTIONS)


# 20, 21 The scenarios

# The boxes of a scenario file, and the numbers they have on the table.
_BOXES = {
    "bluecher_ii": BLUECHER,
    "axis_cadre": CADRE,
    "soviet_cadre": CADRE,
    "alpini": ALPINI,
    "eastern": EASTERN,
    "brandenburg": BRANDENBURG,
    "turkish_front": TURKISH_FRONT,
    "naval_brigades": NAVAL_BOX,
    "lend_lease": LEND_LEASE,
    "cup": CUP,
}

_TITLES_JA = {"campaign": "キャンペーン・ゲーム", "tournament": "トーナメント・シナリオ"}


@dataclass(frozen=True)
class Zone:
    """20.2a the start zone of one Soviet army."""

    name: str
    hexes: tuple[Hex, ...]
    units: int  # unit mask
    least: int  # units a hex must hold
    most: int  # units a hex may hold
    suggested: Mapping[int, Hex]


@dataclass(frozen=True)
class Condition:
    """19.2, 19.3, 21.2 one way in which the game ends, tested in the order of the scenario."""

    winner: int
    kind: str
    from_turn: int
    value: int = 0
    with_alpini: int = 0
    hex: Hex = -1
    side: int = AXIS


@dataclass(frozen=True)
class Script:
    """The facts of one scenario that do not change in play."""

    id: str
    first_turn: int
    last_turn: int
    control: int  # 2.37b hexes that the Axis controls at start
    setup: Mapping[int, Hex]  # 20.1a, 20.2b unit -> hex
    reduced: int  # unit mask: these start reduced
    zones: tuple[Zone, ...]  # 20.2a
    boxes: Mapping[int, int]  # unit -> box
    due: Mapping[int, int]  # unit -> turn of arrival
    none_chits: int  # 4.4i
    withdrawals: Mapping[int, int]  # 18.3a turn -> unit
    alpini_roll: bool  # 4.2d, 21.1
    conditions: tuple[Condition, ...]


def _read(board: Board, scenario: str) -> Script:
    data = board.pack.scenarios[scenario]
    index, hexes = board.unit_index, board.grid.index
    setup = data["setup"]
    boxes = data["boxes"]
    # 4.1d nobody can ever take A to E from their owner; Taman (J) is Soviet at start (2.37b)
    control = board.mask(data["control"]["axis"]) | board.special_entries[AXIS]
    return Script(
        id=scenario,
        first_turn=data["first_turn"],
        last_turn=data["last_turn"],
        control=control,
        setup={index[u]: hexes[h] for side in SIDES for u, h in setup[side].items()},
        reduced=sum(1 << index[u] for u in setup["reduced_at_start"]),
        zones=tuple(_zone(board, name, zone) for name, zone in setup["zone"].items()),
        boxes={index[u]: number for name, number in _BOXES.items() for u in boxes.get(name, ())},
        due={index[r["unit"]]: r["turn"] for r in data["reinforcement"] if "unit" in r},
        none_chits=boxes["cup_none_chits"],
        withdrawals={w["turn"]: index[w["unit"]] for w in data["withdrawal"]},
        alpini_roll=data["special"]["alpini_roll"],
        conditions=tuple(_condition(board, c) for c in data["victory"]["condition"]),
    )


script, script_of = scripts(_read)
"""The script of the scenario being played (of a state), and of a scenario (of a board and its name)."""


def _zone(board: Board, name: str, data: Mapping[str, Any]) -> Zone:
    index, hexes = board.unit_index, board.grid.index
    return Zone(
        name=name,
        hexes=tuple(sorted(hexes[h] for h in data["hexes"])),
        units=sum(1 << index[u] for u in data["units"]),
        least=data["min_per_hex"],
        most=data["max_per_hex"],
        suggested={index[u]: hexes[h] for u, h in data["default"].items()},
    )


def _condition(board: Board, data: Mapping[str, Any]) -> Condition:
    vp = data.get("vp", data.get("value", 0))
    return Condition(
        winner=SIDES.index(data["winner"]),
        kind=data["kind"],
        from_turn=data["from_turn"],
        value=vp,
        with_alpini=data.get("vp_with_alpini", vp),
        hex=board.grid.index[data["hex"]] if "hex" in data else -1,
        side=SIDES.index(data.get("side", "axis")),
    )


def listing(pack: Pack) -> Sequence[Scenario]:
    """The scenarios as the lobby lists them."""
    return [
        Scenario(
            id=key,
            title=data["title"],
            title_ja=_TITLES_JA.get(key, ""),
            length=f"{data['last_turn'] - data['first_turn'] + 1} turns",
            note=f"{data['dates']}. Axis: {data['victory']['axis']}.",
        )
        for key, data in pack.scenarios.items()
    ]


def new_state(board: Board, scenario: str, options: Mapping[str, bool]) -> State:
    """20.1 to 20.3, 21.0 the table as the scenario lays it out.

    What is left to the players follows as their first decisions: the Soviet armies in their zones
    (20.2a), then the Axis reinforcements of turn 1 on their entry hexes (20.1b).
    """
    play = script_of(board, scenario)
    s = State(board, scenario=scenario)
    s.flags = option_bits(options)
    s.turn = play.first_turn - 1  # the sequence of play opens the first turn
    s.phase = PHASES.index("setup")
    s.control = play.control
    for u, h in play.setup.items():
        put(s, u, h)
    for u, box in play.boxes.items():
        put(s, u, box)
        if box == CADRE:
            s.step[u] = board.steps[u] - 1  # 17.2a it comes back at its weakest
        elif board.starts_reduced[u]:
            s.step[u] = REDUCED  # 4.4h
    for u, turn in play.due.items():
        put(s, u, TRACK)
        s.due[u] = turn
    for zone in play.zones:
        for u in units_of(zone.units):
            put(s, u, WAITING)
    for u in units_of(play.reduced):
        s.step[u] = REDUCED
    s.corps = CORPS_BOX  # 20.2g
    s.none_chits = play.none_chits
    markers = board.pack.scenarios[scenario]["boxes"]
    s.air = sum(1 << SUPPORTS.index(m) for m in markers["air_box_axis"])  # 20.1e
    s.fleet_away = len(markers["fleet_unavailable"])  # 20.2h
    s.stack = [(F_TURN, 0), (F_ARRIVE, AXIS, 0)]
    s.stack += [(F_SETUP, i) for i in reversed(range(len(play.zones)))]
    return s


# 20.2a Free set-up of the Soviet armies


class SetUp(Frame[State]):
    """20.2a the Soviet player puts the units of one army into its zone, in any order.

    Every hex of the zone must hold at least one unit and none may hold three (A48), so a place is
    open only as long as enough units are left for the hexes that are still empty.
    """

    def actor(self, s: State, f: F) -> int | None:
        return SOVIET

    def legal(self, s: State, f: F) -> list[Action]:
        zone = script(s).zones[f[1]]
        left = self.left(s, zone)
        places = self.places(s, zone, left.bit_count())
        out: list[Action] = [(verbs.PLACE, u, h) for u in units_of(left) for h in places]
        out.append((verbs.ACCEPT,))
        return out

    def left(self, s: State, zone: Zone) -> int:
        """The units of the zone that are not placed yet."""
        return sum(1 << u for u in units_of(zone.units) if s.at[u] < 0)

    def places(self, s: State, zone: Zone, left: int) -> list[Hex]:
        """The hexes that may take one of the `left` units that are still to be placed."""
        counts = [(h, (s.here.get(h, 0) & zone.units).bit_count()) for h in zone.hexes]
        wanting = sum(max(0, zone.least - n) for _, n in counts)
        return [h for h, n in counts if n < zone.most and (n < zone.least or left > wanting)]

    def take(self, s: State, f: F, action: Action) -> None:
        zone = script(s).zones[f[1]]
        if action[0] == verbs.PLACE:
            _, u, h = action
            put(s, u, h)
            emit(s, "set_up", "20.2a", {"unit": u, "hex": h, "side": SOVIET})
        else:
            self.accept(s, zone)
        if not self.left(s, zone):
            s.stack.pop()

    def accept(self, s: State, zone: Zone) -> None:
        """The rest as the scenario suggests; a unit whose hex is full goes to the first that may take it."""
        left = self.left(s, zone)
        for u in units_of(left):
            places = self.places(s, zone, self.left(s, zone).bit_count())
            h = zone.suggested[u] if zone.suggested[u] in places else places[0]
            put(s, u, h)
            emit(s, "set_up", "20.2a", {"unit": u, "hex": h, "side": SOVIET})

    def prompt(self, s: State, f: F) -> Prompt:
        zone = script(s).zones[f[1]]
        left = self.left(s, zone).bit_count()
        army = zone.name.removesuffix("A")
        text = (
            f"Place the units of Army {army} in its start zone ({left} left): "
            f"at least {zone.least} and at most {zone.most} in every hex; or accept the suggested set-up"
        )
        return Prompt(f"Set up Army {army}", text, ("20.2a",), "setup")

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != verbs.PLACE:
            return Reason("20.2a", "the armies are set up before the first turn begins")
        zone = script(s).zones[f[1]]
        _, u, h = action
        name, where = s.board.unit_names[u], s.board.grid.names[h]
        if u in script(s).setup:
            return Reason("20.2b", f"{name} begins in the hex printed on it")
        if not zone.units >> u & 1:
            return Reason("20.2a", f"{name} does not belong to the army being set up")
        if s.at[u] >= 0:
            return Reason("20.2a", f"{name} is placed already")
        if h not in zone.hexes:
            return Reason("20.2a", f"{where} is outside the start zone of the army")
        if (units_in(s, h, SOVIET) & zone.units).bit_count() >= zone.most:
            return Reason("20.2a", f"no hex of the zone may hold more than {zone.most} units at set-up")
        return Reason("20.2a", "the units that are left are needed for the hexes of the zone that are still empty")


FRAMES: dict[int, Frame[State]] = {F_SETUP: SetUp()}
