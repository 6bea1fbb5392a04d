"""The facts of the steps of the sequence of play, by name: what stands on the stack. The numbers are in ids.py."""

from __future__ import annotations

from typing import NamedTuple


class SideAt(NamedTuple):
    """A step of one side."""

    frame: int
    side: int
    step: int


class StepAt(NamedTuple):
    """A step that goes through parts of its own: F_TURN, F_RESULT, F_DRAW (how many have been drawn), F_DEFENCE."""

    frame: int
    step: int


class ZoneAt(NamedTuple):
    """20.2a the set-up of the army of one zone."""

    frame: int
    zone: int


class ArriveAt(NamedTuple):
    """4.1 reinforcements, or 15.1f headquarters that return."""

    frame: int
    side: int
    kind: int


class RandomAt(tuple[int, ...]):
    """4.4c whether Tbilisi has had its unit, and the hexes used so far."""

    __slots__ = ()

    def __new__(cls, frame: int, served: int, *taken: int) -> RandomAt:
        return super().__new__(cls, (frame, served, *taken))

    @property
    def served(self) -> int:
        return self[1]

    @property
    def taken(self) -> tuple[int, ...]:
        return self[2:]


class TableAt(NamedTuple):
    """4.5 to 4.8, 15.2b one die on a table, for a unit."""

    frame: int
    table: int
    unit: int


class TypeAt(NamedTuple):
    """4.5e, 4.5g the types of replacements to choose from and the special units, as bits."""

    frame: int
    types: int
    specials: int


class BoxAt(NamedTuple):
    """4.7, 17.2b a unit that arrives (-1: of the owner's choice) out of a box whose rule says where."""

    frame: int
    unit: int
    box: int


class PhaseAt(NamedTuple):
    """7.1, 8.1 a movement or combat phase, of the first or the second impulse."""

    frame: int
    second: int


class UnitAt(NamedTuple):
    """7.1 the unit that moves."""

    frame: int
    unit: int
    second: int


class RaidAt(NamedTuple):
    """13.1 the stack on its way: flags of mobile.py, and the hex in which all its units began, -1 if they did not."""

    frame: int
    flags: int
    began: int


class EnterAt(NamedTuple):
    """13.1l the hex that is stormed, and 1 once it has been fought for."""

    frame: int
    target: int
    fought: int


class StackAt(NamedTuple):
    """5.2c whose stacks are checked, and at which moment."""

    frame: int
    side: int
    moment: int


class LossAt(NamedTuple):
    """10.2a who chooses, whose loss it is, and what costs it (an index of losses.LOSS_RULES)."""

    frame: int
    chooser: int
    loser: int
    rule: int


class SupportedAt(NamedTuple):
    """10.4g the marker that supports a Determined Defence."""

    frame: int
    marker: int


class RetreatAt(NamedTuple):
    """11.1 so many hexes, and the step of the retreat."""

    frame: int
    hexes: int
    step: int


class PayAt(NamedTuple):
    """11.2g the same while steps are lost, with the last hex seen to."""

    frame: int
    hexes: int
    step: int
    paid: int


def retreat_at(*facts: int) -> RetreatAt | PayAt:
    return PayAt(*facts) if len(facts) > 3 else RetreatAt(*facts)


class BackAt(NamedTuple):
    """11.1b a unit that retreats so many hexes and has gone some."""

    frame: int
    unit: int
    hexes: int
    gone: int


class ClaimAt(NamedTuple):
    """8.5e a marked unit, and the hex that it cleared."""

    frame: int
    unit: int
    vacated: int


class AttritionAt(NamedTuple):
    """14.6d an isolated unit."""

    frame: int
    unit: int
