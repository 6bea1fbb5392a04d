"""20 The campaign game, 21 the tournament scenario, 22 the optional rules.

What the scenario files say, as static tables (`Script`), and the table as it is laid out at the start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sandtable.engine.contract import Option, Prompt, Reason, Scenario
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.packs import Pack
from sandtable.engine.texts.text import Fact, Text
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.phases import Elsewhere, Listed, Once, Phase
from sandtable.mechanics.scripts import lasting, scripts, switches
from sandtable.mechanics.shown.telling import emit

from . import verbs
from .board import Board
from .frames import ArriveAt, StepAt, ZoneAt
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
from .state import State, put

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

_TITLES_JA = {
    "campaign": "キャンペーン・ゲーム",
    "tournament": "トーナメント・シナリオ",
    "first_battle": "はじめての戦闘：サリスクへの道",
}


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
            length=lasting(data["last_turn"] - data["first_turn"] + 1, "turn"),
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
    s.stack = [StepAt(F_TURN, 0), ArriveAt(F_ARRIVE, AXIS, 0)]
    s.stack += [ZoneAt(F_SETUP, i) for i in reversed(range(len(play.zones)))]
    return s


# 20.2a Free set-up of the Soviet armies


def left(s: State, zone: Zone) -> int:
    """The units of the zone that are not placed yet."""
    return sum(1 << u for u in units_of(zone.units) if s.at[u] < 0)


def _full(s: State, zone: Zone) -> Mask:
    """The hexes of the zone that hold as many as they may."""
    return sum(1 << h for h in zone.hexes if (s.here.get(h, 0) & zone.units).bit_count() >= zone.most)


def _needed_elsewhere(s: State, zone: Zone) -> Mask:
    """The hexes that have enough, while all who are left are needed for those that are still empty."""
    counts = [(h, (s.here.get(h, 0) & zone.units).bit_count()) for h in zone.hexes]
    wanting = sum(max(0, zone.least - n) for _, n in counts)
    return 0 if left(s, zone).bit_count() > wanting else sum(1 << h for h, n in counts if n >= zone.least)


BELONGS: Bars[State, Zone] = Bars(
    Bar("20.2b", "{unit} begins in the hex printed on it", lambda s, zone: sum(1 << u for u in script(s).setup)),
    Need("20.2a", "{unit} does not belong to the army being set up", lambda s, zone: zone.units),
    Need("20.2a", "{unit} is placed already", left),
)
PLACES: Bars[State, Zone] = Bars(
    Need("20.2a", "{number} is outside the start zone of the army", lambda s, zone: sum(1 << h for h in zone.hexes)),
    Bar("20.2a", "no hex of the zone may hold more than {most} units at set-up", _full),
    Bar(
        "20.2a",
        "the units that are left are needed for the hexes of the zone that are still empty",
        _needed_elsewhere,
    ),
)
"""20.2a, A48 every hex of the zone must hold at least one unit and none may hold three."""


def places(s: State, zone: Zone) -> Mask:
    """The hexes that may take one of the units that are still to be placed."""
    return PLACES.free(sum(1 << h for h in zone.hexes), s, zone)


def why_not_there(s: State, zone: Zone, pair: Sequence[int]) -> Reason | None:
    """What keeps a unit from being set up in a hex."""
    u, h = pair
    facts: dict[str, Fact] = {"number": s.board.grid.names[h], "most": zone.most}
    return BELONGS.why(u, s, zone, {"unit": u}) or PLACES.why(h, s, zone, facts)


def _set_up(s: State, zone: Zone, u: int, h: Hex) -> None:
    put(s, u, h)
    emit(s, "set_up", "20.2a", {"unit": u, "hex": h, "side": SOVIET})


def _place(s: State, f: ZoneAt, u: int, h: Hex) -> None:
    zone = script(s).zones[f.zone]
    _set_up(s, zone, u, h)
    if not left(s, zone):
        s.stack.pop()


def _accept(s: State, f: ZoneAt) -> None:
    """The rest as the scenario suggests; a unit whose hex is full goes to the first that may take it."""
    zone = script(s).zones[f.zone]
    for u in units_of(left(s, zone)):
        open_ = hexes_in(places(s, zone))
        _set_up(s, zone, u, zone.suggested[u] if zone.suggested[u] in open_ else open_[0])
    s.stack.pop()


class SetUp(Phase[State, ZoneAt, Zone]):
    """20.2a the Soviet player puts the units of one army into its zone, in any order."""

    at = ZoneAt
    does = (
        Listed(
            verbs.PLACE,
            of=lambda s, f, zone: [(u, h) for u in units_of(left(s, zone)) for h in hexes_in(places(s, zone))],
            reason=lambda s, f, zone, pair: why_not_there(s, zone, pair),
            take=_place,
            others=lambda s, f, zone: [(u, h) for u in units_of(zone.units) for h in zone.hexes],
        ),
        Once(verbs.ACCEPT, take=_accept),
        Elsewhere("20.2a", "the armies are set up before the first turn begins"),
    )

    def now(self, s: State, f: ZoneAt) -> Zone:
        return script(s).zones[f.zone]

    def actor(self, s: State, f: ZoneAt) -> int | None:
        return SOVIET

    def prompt(self, s: State, f: ZoneAt) -> Prompt:
        zone = script(s).zones[f.zone]
        army = zone.name.removesuffix("A")
        text = Text(
            "Place the units of Army {army} in its start zone ({left} left): "
            "at least {least} and at most {most} in every hex; or accept the suggested set-up",
            army=army,
            left=left(s, zone).bit_count(),
            least=zone.least,
            most=zone.most,
        )
        return Prompt(Text("Set up Army {army}", army=army), text, ("20.2a",), "setup")


FRAMES: dict[int, Frame[State, ZoneAt]] = {F_SETUP: SetUp()}
