"""18 The scenarios: what the scenario files say, as static tables, and the set-up of a game (3.0)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sandtable.engine.contract import Option, Prompt, Scenario
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.packs import Pack
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.phases import Once, Pairs, Phase
from sandtable.mechanics.scripts import lasting, scripts, switches

from . import verbs
from .board import Board
from .ids import F_DEAL, F_MONTH, F_SETUP, POOL, REFIT, SIDES
from .state import State, emit, put
from .steps import DealAt, MonthAt, SetupAt

# Options of a game


OPTIONS: tuple[Option, ...] = (
    Option("infantry_tanks", "Infantry tanks are slow", "19.1b"),
    Option("eliminate_unsupplied_after_last_month", "Unsupplied units are lost after the last month", "A43"),
    Option("free_setup", "Free set-up in the deployment areas", "3.0"),
)

# The same as bits of `State.flags`
INFANTRY_TANKS, LAST_CHECK, FREE_SETUP = (1 << i for i in range(3))

option_bits, option_names = switches(OPTIONS)


# The scenarios


@dataclass(frozen=True)
class Menu:
    """What a Buildup lets a player do (16.0b: the first Buildup of Gazala allows less)."""

    dice_per_player: int  # 16.3a, 16.3c
    redeployment: bool = True  # 16.51
    sea_movement: bool = True  # 16.53
    refit: bool = True  # 16.52
    replacements: bool = True  # 16.54
    minefield: bool = True  # 16.55a
    relocation: bool = True  # 16.55b
    extra_card: bool = True  # 16.5
    cards_at_once: bool = False  # a bought card is drawn when it is paid for, not with the resupply


@dataclass(frozen=True)
class Script:
    """The facts of one scenario that do not change in play."""

    id: str
    first_month: int
    last_month: int
    buildup_in_first_month: bool
    first_player: int
    first_challenge_month: int
    rommel_move: bool
    dice_per_player: int
    months: tuple[str, ...]  # month names of the calendar, the first is month number 1
    due: Mapping[int, int] = field(default_factory=dict)  # unit -> month of arrival (16.4c)
    strength: Mapping[int, int] = field(default_factory=dict)  # unit -> first CV, where not its maximum
    blocks: tuple[int, ...] = ()  # all units of this scenario, on the map or still to come
    setup: Mapping[int, Hex] = field(default_factory=dict)  # unit -> hex where the scenario puts it
    refit: tuple[int, ...] = ()  # units that begin in refit
    areas: tuple[Mask, Mask] = (0, 0)  # 13.1a deployment areas by side
    initial: tuple[int, int] = (0, 0)  # 0.4a first hands
    monthly: tuple[tuple[int, int, int], ...] = ()  # 16.6b from a month on: cards by side
    levels: tuple[str, ...] = ()  # 17.0b victory levels in use
    menu: Menu = field(default_factory=lambda: Menu(2))  # what every later Buildup allows
    first_menu: Menu | None = None  # the modified Buildup before the first month (16.0b)
    due_in: Mapping[int, int] = field(default_factory=dict)  # month -> mask of the units due in it
    data: Mapping[str, Any] = field(default_factory=dict)  # the scenario file itself

    def cards(self, month: int, side: int) -> int:
        """16.6b the supply cards a side receives in the Buildup of a month."""
        return next(row for row in reversed(self.monthly) if row[0] <= month)[1 + side]


def _read(board: Board, scenario: str) -> Script:
    data = board.pack.scenarios[scenario]
    index = board.unit_index
    cards = data["supply_cards"]
    areas = data["deployment_areas"]
    arrivals = {index[u]: int(m) for m, names in data["reinforcements"].items() for u in names}
    arrivals |= {index[u]: int(data["last_month"]) + 1 for u in data["due_after_end"]["units"]}
    due_in: dict[int, int] = {}
    for u, month in arrivals.items():
        due_in[month] = due_in.get(month, 0) | 1 << u
    setup = {index[u]: board.grid.index[h] for u, h in data["setup"].items()}
    refit = tuple(index[u] for box in data["boxes"].values() for u in box)
    later = [(row["month"], row["axis"], row["commonwealth"]) for row in cards.get("monthly_from", ())]
    modified = data.get("modified_buildup")
    return Script(
        id=scenario,
        first_month=data["first_month"],
        last_month=data["last_month"],
        buildup_in_first_month=data["buildup_in_first_month"],
        first_player=SIDES.index(data["first_player"]),
        first_challenge_month=data["first_challenge_month"],
        rommel_move=data["rommel_move"],
        dice_per_player=data["buildup_dice_per_player"],
        months=tuple(board.pack.tables["calendar"][data["calendar"]]["months"]),
        due=arrivals,
        strength={index[u]: cv for u, cv in data["strength"].items()},
        blocks=tuple(sorted({*setup, *refit, *arrivals})),
        setup=setup,
        refit=refit,
        areas=(board.mask(areas["axis"]), board.mask(areas["commonwealth"])),
        initial=(cards["initial"]["axis"], cards["initial"]["commonwealth"]),
        monthly=((0, cards["monthly"]["axis"], cards["monthly"]["commonwealth"]), *sorted(later)),
        levels=tuple(data["victory_levels"]),
        menu=Menu(data["buildup_dice_per_player"]),
        first_menu=None if modified is None else _modified(modified),
        due_in=due_in,
        data=data,
    )


script, script_of = scripts(_read)
"""The script of the scenario being played (of a state), and of a scenario (of a board and its name)."""


def due(board: Board, scenario: str, unit: int) -> int | None:
    """16.4c the month in which a unit is due as a reinforcement, None if it begins on the map."""
    return script_of(board, scenario).due.get(unit)


def _modified(data: Mapping[str, Any]) -> Menu:
    """16.0b, M10 the modified Buildup of Gazala."""
    spending = data["spending"]
    return Menu(
        dice_per_player=data["dice_per_player"],
        redeployment=spending["redeployment"],
        sea_movement=spending["sea_movement"],
        refit=spending["return_for_refit"],
        replacements=spending["replacements"],
        minefield=spending["minefield"],
        relocation=spending["minefield_relocation"],
        extra_card=spending["extra_supply_card"],
        cards_at_once=data["extra_cards_drawn_at_once"],
    )


def listing(pack: Pack) -> list[Scenario]:
    """The scenarios as the lobby lists them."""
    return [
        Scenario(key, data["title"], data["title_ja"], lasting(data["months"], "month"), data["note"])
        for key, data in pack.scenarios.items()
    ]


# 3.0 Setting up


def new_state(board: Board, scenario: str, options: Mapping[str, bool] | None = None) -> State:
    """3.0 The table as the scenario sets it up; the first hands are then dealt by chance."""
    play = script_of(board, scenario)
    data = play.data
    s = State(board, scenario=scenario)
    s.flags = option_bits(options or {})
    s.month = play.first_month - 1  # the sequence of play opens the first month
    s.first = s.active = play.first_player
    for u in play.blocks:
        s.cv[u] = play.strength.get(u, board.max_cv[u])  # 0.3e, 2.3c
        s.at[u] = POOL
    for u in play.refit:
        s.at[u] = REFIT
    s.fort_owner = [SIDES.index(data["fortress_control"][name]) for name in board.fortress_names]  # 13.1a
    s.mines_open = board.mask(data["minefields"]["disclosed"])
    s.mines = [board.mask(data["minefields"]["secret"][name]) for name in SIDES]
    s.bp = [data["buildup_points_saved"][name] for name in SIDES]
    s.stack.append(MonthAt(F_MONTH, 0))
    if s.flags & FREE_SETUP:
        first = SIDES.index(board.pack.tables["options"]["free_setup"]["first_to_place"])
        s.stack += [SetupAt(F_SETUP, 1 - first, 0), SetupAt(F_SETUP, first, 0)]
    else:
        for u, h in play.setup.items():
            put(s, u, h)
    s.stack += [DealAt(F_DEAL, side, play.initial[side]) for side in (1, 0) if play.initial[side]]
    return s


def to_set_up(s: State, side: int) -> list[int]:
    """3.0 The blocks that a side places, in the order of the roster."""
    own = s.board.of_side[side]
    return [u for u in sorted(script(s).setup) if own >> u & 1]


class ToPlace(NamedTuple):
    """Whose turn it is to be placed, and where."""

    unit: int
    area: Mask


def place(s: State, f: SetupAt, u: int, h: Hex) -> None:
    """A block gets its hex, and the next is asked for."""
    s.plan[u] = h
    emit(s, "placed", "3.0", {"side": f.side}, f.side, {"unit": u, "hex": h}, hidden=True)
    if f.placed + 1 < len(to_set_up(s, f.side)):
        s.stack[-1] = SetupAt(F_SETUP, f.side, f.placed + 1)
    else:
        set_up(s, f)


def set_up(s: State, f: SetupAt) -> None:
    """0.3b All blocks are put on the map together; whoever has no hex yet where the scenario prints him."""
    side, printed = f.side, script(s).setup
    for u in to_set_up(s, side):
        put(s, u, s.plan[u] if s.plan[u] >= 0 else printed[u])
        s.plan[u] = -1
    s.stack.pop()
    hexes = hexes_of(s.occ[side])
    blocks = [s.here[h].bit_count() for h in hexes]
    emit(s, "set_up", "3.0", {"side": side, "hexes": hexes, "blocks": blocks}, final=True)


class SetUp(Phase[State, SetupAt, ToPlace]):
    """3.0 with free set-up: a side puts its blocks, one by one, anywhere in its deployment area.

    The blocks are asked for in the order of the roster, which the enemy knows as well. Their hexes
    are therefore kept in `State.plan`, and the blocks off the map, until the last is placed (0.3b).
    """

    at = SetupAt
    does = (
        Pairs(
            verbs.PLACE,
            first=Bars(
                Need(
                    "3.0",
                    lambda s, now, u: Text("blocks are placed in the order of the roster: now {unit}", unit=now.unit),
                    lambda s, now: 1 << now.unit,
                )
            ),
            second=Bars(
                Need(
                    "1.4f",
                    lambda s, now, h: Text("{hex} is not land", hex=s.board.grid.names[h]),
                    lambda s, now: s.board.land,
                ),
                Need("13.1a", "{hex} is outside your deployment area", lambda s, now: now.area),
            ),
            take=place,
        ),
        Once(verbs.ACCEPT, take=set_up),
    )

    def actor(self, s: State, f: SetupAt) -> int | None:
        return f.side

    def now(self, s: State, f: SetupAt) -> ToPlace:
        return ToPlace(to_set_up(s, f.side)[f.placed], script(s).areas[f.side])

    def prompt(self, s: State, f: SetupAt) -> Prompt:
        units = to_set_up(s, f.side)
        text = Text(
            "Place {unit} ({n} of {all}) in your deployment area, or accept what is printed",
            unit=units[f.placed],
            n=f.placed + 1,
            all=len(units),
        )
        return Prompt("Set up", text, ("3.0", "13.1a"), "setup")


FRAMES: dict[int, Frame[State, Any]] = {F_SETUP: SetUp()}
