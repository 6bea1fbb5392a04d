"""D3.3 Bounding First Fire of ordnance: the vehicle that moves lays its MA or SA after any expenditure of MP."""

from __future__ import annotations

from sandtable.mechanics.bars import ALL, Bar, Bars, Need

from ..ordnance import laying
from ..ordnance.aim import Aiming
from ..ordnance.laying import LAY, LAY_SECOND
from ..table.hardware import MA, SA
from ..table.ids import BOUNDING
from ..table.state import State
from .driving import Drive, DriverAt, drive_of


def aiming(now: Drive) -> Aiming:
    return Aiming(BOUNDING, now.side)


ONLY_IT: Bars[State, Drive] = Bars(
    Need("D3.3", "only the vehicle that moves fires now", lambda s, now: 1 << now.unit),
    Bar("D3.3", "it fires after it has spent MP", lambda s, now: 0 if now.move.spent else ALL),
    Bar("D5.341", "it is Recalled and does not fire", lambda s, now: s.recalled),
)
BOUND_LAY: Bars[State, Drive] = Bars(ONLY_IT, LAY.asked_of(aiming))
BOUND_LAY_SECOND: Bars[State, Drive] = Bars(ONLY_IT, LAY_SECOND.asked_of(aiming))


def bound_lay(s: State, f: DriverAt, u: int) -> None:
    laying.begin(s, aiming(drive_of(s)), u, MA)


def bound_lay_second(s: State, f: DriverAt, u: int) -> None:
    laying.begin(s, aiming(drive_of(s)), u, SA)
