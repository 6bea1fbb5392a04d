"""5.1 to 5.4, 13, 16 The ways of moving, and what keeps a stack out of hexes: said once, for list and reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import term
from sandtable.mechanics.bars import Bar, Bars
from sandtable.mechanics.paths.legs import Mode

from ..supply.supply_lines import hostile
from ..table.ids import EXTENDED, NORMAL, ROAD_BONUS, TACTICAL
from ..table.position import dumps
from ..table.state import State
from ..table.zones import beside, ezoc, overlapping_ezoc
from .chart import FOOT, FOOT_MECH, FOOT_VEHICLE, MECH, VEHICLE, kind_of

# What `State.spent` says before the first step; the second of a unit that began its move beside an enemy and so has no
# road bonus (5.2.2a), though a unit in Full Retreat may have left at once (13.3.2e)
UNMOVED, BESIDE_ENEMY = -1, -2


def stack_kind(s: State, units: int) -> int:
    """5.1b how a stack moves; those that trucks carry (5.8.1c) are left out by the caller."""
    board = s.board
    foot, vehicles, mech = units & board.foot, units & board.vehicles, units & board.mech
    if foot:
        return FOOT_VEHICLE if vehicles else FOOT_MECH if mech else FOOT
    return VEHICLE if vehicles else MECH


class Movers(NamedTuple):
    """The stack that moves, for the bars."""

    group: int  # the units that move by themselves, all in one place
    loads: int  # those that trucks of it carry
    units: int  # all of them
    side: int
    foe: int
    place: int
    kind: int
    spent: int  # what it has spent on its way; UNMOVED, BESIDE_ENEMY
    mode: int  # how it moves, -1 if it may still go over to another mode
    rommel: bool


def movers(s: State, group: int, loads: int = 0, *, spent: int = -1, mode: int = -1, rommel: bool = False) -> Movers:
    """A stack on the move: see `reach`."""
    board = s.board
    first = (group & -group).bit_length() - 1
    kind = stack_kind(s, group) if group & group - 1 else kind_of(board, first)
    side = board.side[first]
    return tuple.__new__(Movers, (group, loads, group | loads, side, 1 - side, s.at[first], kind, spent, mode, rommel))


CLOSED: Bars[State, Movers] = Bars(
    Bar("5.1e", "{hex} is held by {holder}", lambda s, now: s.men[now.foe]),
    Bar(
        "16.4a",
        "{hex} is in overlapping enemy ZOCs, which a unit out of supply may not enter",
        lambda s, now: overlapping_ezoc(s, now.side) if now.units & s.oos else 0,
    ),
    Bar(
        "13.3.2c",
        "{stack}: in Full Retreat it may go beside enemy units only where a friend stands",
        lambda s, now: (
            beside(s, now.foe) & ~s.zocs[now.side]
            if now.units & s.routed and not now.units & s.board.combat & ~s.routed
            else 0
        ),
    ),
    Bar(
        "13.3.2d",
        "{stack}: in Full Retreat it may not enter {hex}, which the enemy holds",
        lambda s, now: (
            s.occ[now.foe] | dumps(s, now.foe) | s.forts[now.foe] | hostile(s, now.side) if now.units & s.routed else 0
        ),
    ),
    Bar(
        "5.8.3",
        "{stack}: a truck without a combat unit may not enter {hex}, where enemy units are",
        lambda s, now: (
            s.occ[now.foe] | dumps(s, now.foe)
            if now.units & s.board.trucks and not now.units & s.board.combat & ~s.routed
            else 0
        ),
    ),
)
# 5.3b extended movement keeps out of enemy ZOCs, limited ones too (A16): hexes, and whoever has been in one
NO_ZOCS = "5.3b"
OUT_OF_ZOCS: Bars[State, Movers] = Bars(
    Bar(
        NO_ZOCS,
        "{hex} is in an enemy ZOC, which extended movement may not enter",
        lambda s, now: ezoc(s, now.side),
    ),
)
HAS_MET_ZOCS: Bars[State, Movers] = Bars(
    Bar(
        NO_ZOCS,
        "{stack} has been in an enemy ZOC: no extended movement",
        lambda s, now: 1 << EXTENDED if now.mode == NORMAL else 0,
    ),
)
THROUGH_ZOCS = term("the way to {hex} leads through an enemy ZOC: no extended movement")


def has_met_zocs(s: State, now: Movers, path: Sequence[Hex]) -> bool:
    """Whether a way has led where extended movement may not go: then the stack cannot go over to it any more."""
    zoned = OUT_OF_ZOCS.held(s, now)
    return any(zoned >> h & 1 for h in path)


NOT_BESIDE: Bars[State, Movers] = Bars(
    Bar(
        "5.2.2a",
        "{hex} is beside an enemy unit: the road bonus may not end there",
        lambda s, now: beside(s, now.foe),
    ),
)
NORMALLY: Mode[State, Movers] = Mode(NORMAL, "5.1a", CLOSED)
FARTHER: Mode[State, Movers] = Mode(EXTENDED, "5.3a", Bars(CLOSED, OUT_OF_ZOCS))
TACTICALLY: Mode[State, Movers] = Mode(TACTICAL, "5.4a", CLOSED)
BY_ROAD: Mode[State, Movers] = Mode(ROAD_BONUS, "5.2.2a", CLOSED, NOT_BESIDE)
WAYS = (NORMALLY, FARTHER, TACTICALLY, BY_ROAD)  # by mode

BY_POINTS = 1 << NORMAL | 1 << EXTENDED | 1 << ROAD_BONUS
ALL_MODES = BY_POINTS | 1 << TACTICAL


def _under_way(s: State, now: Movers) -> int:
    """5.4a a move that has begun stays in its mode; by points it may still go over to extended movement."""
    if now.mode >= 0:
        return ALL_MODES & ~(1 << now.mode)
    return 1 << TACTICAL | 1 << ROAD_BONUS if now.spent >= 0 else 0


def _boxed(s: State, now: Movers, units: int) -> int:
    """The modes by which a stack with one of these units does not leave an off-map box."""
    return ALL_MODES if units and s.board.box_mask >> now.place & 1 else 0


MODE: Bars[State, Movers] = Bars(  # which modes are open to a stack at all
    HAS_MET_ZOCS,
    Bar("5.4a", "{stack} is moving in another way already", _under_way),
    Bar("18.5c", "Rommel does not help tactical movement", lambda s, now: 1 << TACTICAL if now.rommel else 0),
    Bar(
        "19.5b",
        "{stack}: under a replacement marker a unit moves at most 1 hex, by tactical movement",
        lambda s, now: BY_POINTS if now.units & s.refreshed else 0,
    ),
    Bar(
        "13.2.1a",
        "{stack}: Disrupted units use tactical movement only",
        lambda s, now: BY_POINTS if now.group & s.disrupted else 0,
    ),
    Bar(
        "13.2.3b",
        "{stack}: Disrupted units use tactical movement only",
        lambda s, now: BY_POINTS if now.loads & s.disrupted else 0,
    ),
    Bar(
        "16.4a",
        "{stack}: units out of supply use tactical movement only",
        lambda s, now: BY_POINTS if now.units & s.oos else 0,
    ),
    Bar(
        "5.3d",
        "{stack}: units on foot have no extended movement",
        lambda s, now: 0 if now.kind in (MECH, VEHICLE) else 1 << EXTENDED,
    ),
    Bar(
        "5.2.2a",
        "{stack}: the road bonus is for units on foot",
        lambda s, now: 1 << ROAD_BONUS if now.group & ~s.board.foot or now.loads else 0,
    ),
    Bar(
        "5.2.2a",
        "{stack} starts beside an enemy unit: no road bonus",
        lambda s, now: (
            1 << ROAD_BONUS
            if now.spent == BESIDE_ENEMY or (now.kind == FOOT and beside(s, now.foe) >> now.place & 1)
            else 0
        ),
    ),
    Bar(
        "6.3.4a",
        "{unit} must be in Good Order to leave an off-map box",
        lambda s, now: _boxed(s, now, now.units & (s.disrupted | s.routed)),
    ),
    Bar(
        "19.5b",
        "{unit} took a replacement and may not leave an off-map box",
        lambda s, now: _boxed(s, now, now.units & s.refreshed),
    ),
    Bar(
        "6.3.4b",
        "{unit} leaves an off-map box only on a truck or by rail, air or naval transport",
        lambda s, now: _boxed(s, now, now.group & s.board.foot),
    ),
)
