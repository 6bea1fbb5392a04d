"""The steps of the sequence of play by number, and the facts that each has on the stack."""

from __future__ import annotations

from typing import NamedTuple

(
    TURN,
    WEATHER,
    COMMAND_ROLL,
    OVERSTACK,
    REVEAL_MINE,
    ROMMEL_FLEES,
    INTERDICTION_PLACING,
    INTERDICTION_CHECK,
    RAIDS,
    RAID_ROLL,
    RAID_VICTIMS,
    PRIORITY,
    BOMBING,
    BOMBERS,
    BOMB_CHECK,
    BOMB_ROLL,
    BOMB_HITS,
    BOMB_LOSS,
    MOVES,
    MOVE_TO,
    STACK_MOVES,
    ENTERING,
    WALK,
    DECLARATIONS,
    DECLARING,
    AVOIDING,
    AVOID_LEAD,
    REACTIONS,
    REACTION_MOVE,
    STANDS,
    STAND_LEAD,
    COMMANDING,
    HARASSING,
    REACTION_CHECK,
    AVOID_ADVANCE,
    COMBATS,
    COMBAT_CHAIN,
    LEADS,
    CRT_CHOICE,
    PLANES,
    GUNS,
    COMBAT_COMMAND,
    COORDINATION,
    SHIFTS,
    COMBAT_ROLL,
    LOSSES,
    RETREATS,
    BREAK_OUT_LEAD,
    BREAK_OUT_CHECK,
    ADVANCES,
    OVERRUN_END,
    ENGINEERS,
    RECOVERY,
    STANDING_ORDERS,
    OVERRUN_ENTRY,
) = range(55)


class At(NamedTuple):
    """A step that needs no facts."""

    frame: int


class SideAt(NamedTuple):
    """A step of one side."""

    frame: int
    side: int


class HexAt(NamedTuple):
    """A step about a hex."""

    frame: int
    hex: int


class UnitAt(NamedTuple):
    """A step about a unit."""

    frame: int
    unit: int


class StageAt(NamedTuple):
    """A step with stages of its own."""

    frame: int
    stage: int = 0


class CheckAt(NamedTuple):
    """A coordination check of a combat."""

    frame: int
    side: int
    check: int


class RetreatAt(NamedTuple):
    """8.8 units that have to retreat, and who moves them."""

    frame: int
    decider: int
    units: int
    centre: int
    least: int
    most: int
    shun: int = 0
    overrun: int = 0


class BreakOutAt(NamedTuple):
    """8.89c a stack that has broken through an EZOC, and who leads it."""

    frame: int
    units: int
    lead: int = -1


class ReactAt(NamedTuple):
    """7.2-7.4 an attempt of the reacting side: which kind, where, with which lead, and what helps or hinders it."""

    frame: int
    kind: int
    hex: int
    lead: int
    points: int = 0
    harassed: int = 0


class LossAt(NamedTuple):
    """8.74 a side has to lose steps, by which rule, and whether the first of them is still to be lost."""

    frame: int
    side: int
    owed: int
    rule: int = 0
    first: int = 1
