"""A3.3 The Movement Phase of both: Infantry by movement.infantry, vehicles by driving."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from sandtable.engine.contract import Prompt
from sandtable.engine.frames import Frame
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.phases import Deed, Each, Elsewhere, Listed

from ..movement import infantry
from ..movement.infantry import MovesAt
from ..movement.rousing import riderless
from ..table import verbs
from ..table.ids import F_MOVES, F_PARKED, PHASES
from ..table.state import State, all_vehicles
from ..table.telling import emit
from . import driving, entry
from .loads import ALIGHT

DRIVE: Bars[State, object] = Bars(
    Need("A3.3", "{unit} is not one of the vehicles that move now", lambda s, _: all_vehicles(s, s.phasing)),
    Bar("D15.1", "nobody rides {unit}", lambda s, _: riderless(s, s.phasing)),
    Bar("C7.6", "{unit} is immobilized", lambda s, _: s.immobile),
    Bar("D5.4", "{unit} is abandoned", lambda s, _: s.abandoned),
    Bar("C7.42", "{unit} is shocked", lambda s, _: s.shocked),
    Bar("D5.34", "the crew of {unit} is stunned", lambda s, _: s.stunned),
    Bar("A3.2", "{unit} has fired in the Prep Fire Phase", lambda s, _: s.fired),
    Bar("A3.3", "{unit} has moved", lambda s, _: s.moved),
)


def begin_drive(s: State, f: MovesAt, u: int) -> None:
    driving.begin(s, u)


def begin_alight(s: State, f: MovesAt, u: int) -> None:
    driving.begin(s, u, driving.DriverAt(F_PARKED))


# D5.3 CE and BU


def hatches(s: State, side: int) -> int:
    """Closed-topped AFV of a side with a crew."""
    return all_vehicles(s, side) & ~s.abandoned & s.stage.roster.hatched


HATCH: Bars[State, object] = Bars(
    Bar("C7.42", "{unit} is shocked", lambda s, _: s.shocked),
    Bar("D5.34", "the crew of {unit} is stunned", lambda s, _: s.stunned),
    Bar("D5.3", "the hatch of {unit} was opened or shut in this phase", lambda s, _: s.hatched),
    Bar("D5.3", "{unit} has moved", lambda s, _: s.moved),
)
OWN: Need[State, object] = Need(
    "D5.3", "{unit} is no closed-topped AFV of this side", lambda s, _: hatches(s, s.phasing)
)
OPENS: Bars[State, object] = Bars(HATCH, Bar("D5.3", "the crew of {unit} is exposed", lambda s, _: s.exposed))
SHUTS: Bars[State, object] = Bars(HATCH, Need("D5.3", "{unit} is buttoned up", lambda s, _: s.exposed))
OPEN_UP: Bars[State, object] = Bars(OWN, OPENS)
BUTTON_UP: Bars[State, object] = Bars(OWN, SHUTS)


def open_up(s: State, f: Any, u: int) -> None:
    s.exposed |= 1 << u
    s.hatched |= 1 << u
    emit(s, "opened_up", "D5.3", {"unit": u, "hex": s.at[u], "side": s.stage.roster.side[u]})


def button_up(s: State, f: Any, u: int) -> None:
    s.exposed &= ~(1 << u)
    s.hatched |= 1 << u
    emit(s, "buttoned_up", "D5.3", {"unit": u, "hex": s.at[u], "side": s.stage.roster.side[u]})


class Moves(infantry.Moves):
    """A3.3 one stack or vehicle at a time; each is finished before the next starts."""

    does: ClassVar[Sequence[Deed[Any, Any, Any]]] = (
        *infantry.Moves.does,
        Each(verbs.DRIVE, bars=DRIVE, take=begin_drive),
        Each(verbs.ALIGHT, bars=ALIGHT, take=begin_alight),
        Listed(verbs.ENTER, of=entry.doors, reason=entry.no_entry, take=entry.enter),
        Each(verbs.OPEN_UP, bars=OPEN_UP, take=open_up),
        Each(verbs.BUTTON_UP, bars=BUTTON_UP, take=button_up),
        Elsewhere("A3.3", "first say which vehicle moves", verbs.START, verbs.STOP, verbs.TURN),
    )

    def prompt(self, s: State, f: MovesAt) -> Prompt:
        return Prompt("Movement Phase", "Move one unit, stack or vehicle at a time", ("A3.3", "A4.2"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_MOVES: Moves()}
