"""The steps of the sequence of play as they lie on the stack: the number of the frame first, then its facts."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex

from .ids import AXIS

NOT_YET = -1
"""A fact that is not known yet, at the end of a frame; it is not shown."""


class Bare(NamedTuple):
    """A step without facts."""

    frame: int


class SideAt(NamedTuple):
    """A step of one side."""

    frame: int
    side: int


class BlockAt(NamedTuple):
    """16.41, M11, 16.51, 16.53 A step about one block of a side."""

    frame: int
    side: int
    unit: int


class SetupAt(NamedTuple):
    """3.0 Free set-up, so many units placed."""

    frame: int
    side: int
    placed: int


class MonthAt(NamedTuple):
    """3.1 One month."""

    frame: int
    step: int


class AnswerAt(NamedTuple):
    """3.3c The challenge card lies here, unseen."""

    frame: int
    card: int


BLITZ_PARTS = 10
"""3.45a added to the number of a part in the second movement and combat phases of a Blitz turn."""
PART_FINAL = 20
"""3.47 the part that follows both."""


class TurnAt(NamedTuple):
    """3.4 One player turn of `s.active`, and the part that it comes to (`sequence.py`)."""

    frame: int
    step: int

    @property
    def blitz(self) -> bool:
        """3.45a in the second movement and combat phases."""
        return BLITZ_PARTS < self.step < PART_FINAL


class SupplyCheckAt(NamedTuple):
    """12.7 One supply check."""

    frame: int
    side: int
    moment: int
    step: int = 0


class FortressAt(NamedTuple):
    """13.3e Who gets fortress supply."""

    frame: int
    side: int
    moment: int
    fortress: int
    left: int


class OasisAt(NamedTuple):
    """15.1c Who gets oasis supply."""

    frame: int
    side: int
    moment: int
    hex: Hex


class MovesAt(NamedTuple):
    """3.43 Which move next; how many have been made, and whether in the second phase of a Blitz."""

    frame: int
    made: int
    blitz: int


class GroupAt(NamedTuple):
    """5.1 A group move; whether a unit has gone."""

    frame: int
    hex: Hex
    rommel: int
    withdrawal: int
    begun: int


class GatherAt(NamedTuple):
    """5.2c The destination of a regroup move is asked for; the hex is its command point."""

    frame: int
    hex: Hex
    rommel: int
    withdrawal: int


class RegroupAt(NamedTuple):
    """5.2 A regroup move around a command point to one hex; whether a unit has gone."""

    frame: int
    hex: Hex
    rommel: int
    withdrawal: int
    to: Hex
    begun: int


class DestAt(NamedTuple):
    """5.1 Where one unit of a group move goes."""

    frame: int
    unit: int
    rommel: int
    withdrawal: int


class BlitzAt(NamedTuple):
    """A part of the turn, of the first or (1) of the second phase of a Blitz."""

    frame: int
    blitz: int


class LeaveHexAt(NamedTuple):
    """10.3, 10.4 One hex that units leave, and the kind of their retreat."""

    frame: int
    hex: Hex
    step: int
    kind: int


class ProbeAt(NamedTuple):
    """10.41 A probe; 1 after the reversed combat round."""

    frame: int
    hex: Hex
    fought: int = NOT_YET


class MarchAt(NamedTuple):
    """6.4b Forced marches; 1 once all are declared."""

    frame: int
    blitz: int
    declared: int = NOT_YET


class UnitAt(NamedTuple):
    """A step about one unit."""

    frame: int
    unit: int


class EngagedAt(NamedTuple):
    """12.5f, 14.2b After all movement of the phase."""

    frame: int
    step: int


class AvoidAt(NamedTuple):
    """8.4, 10.2 To stand or to avoid; 1 while there is something to decide."""

    frame: int
    asked: int = NOT_YET


class HexStepAt(NamedTuple):
    """10.2 Something that goes on in a hex, step by step."""

    frame: int
    hex: Hex
    step: int


class RoutAt(NamedTuple):
    """11.3 A rout; 1 if it breaks out in the middle of a probe (A35)."""

    frame: int
    hex: Hex
    side: int
    step: int = 0
    probe: int = NOT_YET


class RetireAt(NamedTuple):
    """10.2, 11.3f Where each retreating unit goes; 1 while the owner is asked about the next one."""

    frame: int
    hex: Hex
    side: int
    asked: int = NOT_YET


class PursuitAt(NamedTuple):
    """10.5 Fire at the units of a side in `s.retreating`; 1 if units that have fired do not pursue (10.41c)."""

    frame: int
    hex: Hex
    side: int
    spare: int


class PursuitRollAt(NamedTuple):
    """10.5f The dice of a pursuit."""

    frame: int
    hex: Hex
    side: int
    dice: int


class DeclareAt(NamedTuple):
    """8.6e Which battles are fought; 1 once the compulsory ones are marked."""

    frame: int
    blitz: int
    asked: int = NOT_YET


class RoundAt(NamedTuple):
    """9.1 One combat round."""

    frame: int
    hex: Hex
    step: int
    probe: int


class FireAt(NamedTuple):
    """9.2 One side's fire in a round."""

    frame: int
    hex: Hex
    side: int
    probe: int


class FireRollAt(NamedTuple):
    """9.4 The dice of one shot, and a hit's worth in halves (A51)."""

    frame: int
    hex: Hex
    side: int
    unit: int
    cls: int
    dice: int
    worth: int


class LossesAt(NamedTuple):
    """9.5b, 10.5g Who takes the hits on a class."""

    frame: int
    hex: Hex
    side: int
    cls: int


class BuildupAt(NamedTuple):
    """16.0 The Buildup, and who builds up first."""

    frame: int
    step: int
    first: int = AXIS


class BuildupDiceAt(NamedTuple):
    """16.3 Whose dice, and what the Axis rolled."""

    frame: int
    side: int
    axis_roll: int


class PlayerBuildupAt(NamedTuple):
    """16.4 to 16.6 One player's Buildup."""

    frame: int
    side: int
    step: int


class DealAt(NamedTuple):
    """16.6b So many cards for a side."""

    frame: int
    side: int
    cards: int


class VictoryAt(NamedTuple):
    """17.0 After the last month; 1 once unsupplied units are gone (A43)."""

    frame: int
    checked: int = NOT_YET
