"""D3.3, D2.5, D2.17, D8.3 What a vehicle does between hexes: Bounding First Fire, Delay, ESB, Bog Removal; and who
comes along (D9.31, D14.2)."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine.contract import Reason
from sandtable.mechanics.bars import ALL, Bar, Bars, Need

from ..boards.costs import HALF
from ..fire.group import GroupAt, enemies_at, enemy_hexes, in_reach
from ..movement.watch import ResidualAt, WatchAt
from ..ordnance import laying
from ..ordnance.aim import Aiming, aiming_at
from ..ordnance.laying import LAY, LAY_SECOND
from ..table.hardware import MA, SA
from ..table.ids import BOUNDING, F_ESB, F_GROUP, F_LONE, F_REMOVAL, F_RESIDUAL, F_WATCH
from ..table.state import Attack, State
from ..table.telling import tell
from . import company
from .driving import Drive, DriverAt, drive_of, not_going, spend
from .risks import RemovalAt, StrainAt

# D3.3 Bounding First Fire


def in_range(s: State, now: Drive) -> int:
    """The hexes at which it could fire any of its MGs."""
    return s.stage.numbers(in_reach(s, BOUNDING, s.phasing, enemies_at(s, s.phasing), now.unit))


BOUND: Bars[State, Drive] = Bars(
    Need("D3.3", "it fires after it has spent MP", lambda s, now: ALL if now.move.spent else 0),
    Need("A7.4", "no enemy that can be fired at is there", lambda s, now: enemy_hexes(s, s.phasing)),
    Need("D3.3", "none of its MGs can be fired there now", in_range),
)


def bound(s: State, f: DriverAt, g: int) -> None:
    now = drive_of(s)
    s.attack = Attack(fire=BOUNDING, side=s.phasing, target=s.stage.into[g], by=now.unit)
    s.stack.append(GroupAt(F_GROUP))


# D2.17 Delay, D2.5 ESB, D8.3 Removal


def delay(s: State, f: DriverAt) -> None:
    spend(s, HALF)


def no_delay(s: State, now: Drive) -> Reason | None:
    return None if now.left >= HALF else Reason("D2.17", "no MP is left")


def most_strain(s: State, now: Drive) -> int:
    """D2.5 up to a quarter of the allotment."""
    return int(now.kind.mp * float(s.stage.pack.tables["esb"]["max_fraction_of_allotment"]))


STRAIN: Bars[State, Drive] = Bars(
    Bar("D2.5", "only a fully-tracked vehicle can", lambda s, now: 0 if now.kind.tracked else -1),
    Bar("D2.5", "it must Start first", not_going),
    Bar("D2.5", "it has tried in this phase", lambda s, now: -1 if now.move.strained else 0),
    Bar("D2.5", "it has MP left", lambda s, now: -1 if now.left >= HALF else 0),
    Need("D2.5", "it may seek a quarter of its allotment at the most", lambda s, now: (2 << most_strain(s, now)) - 2),
)


def strain(s: State, f: DriverAt, count: int) -> None:
    move = s.move
    assert move is not None
    move.strained = count
    s.stack.append(StrainAt(F_ESB, move.vehicle, count))


def unbog(s: State, f: DriverAt) -> None:
    move = s.move
    assert move is not None
    move.started = 1
    lone = company.alone(s) and s.edition > 6
    s.stack.append(WatchAt(F_WATCH, 1))
    if s.edition > 6:  # A8.22
        s.stack.append(ResidualAt(F_RESIDUAL))
    s.stack.append(RemovalAt(F_REMOVAL, move.vehicle))
    if lone:  # D14.2 before it spends anything
        s.stack.append(company.LoneAt(F_LONE, move.vehicle))


def not_bogged(s: State, now: Drive) -> Reason | None:
    if not s.bogged >> now.unit & 1:
        return Reason("D8.3", "it is not bogged")
    return Reason("D8.3", "it has tried in this phase") if now.move.spent else None


# D3.3 Bounding First Fire of ordnance


def aiming(now: Drive) -> Aiming:
    return aiming_at(BOUNDING, now.side, 0, now.unit)


def unsteady(s: State, now: Drive) -> int:
    """The note of a counter: it has no Bounding First Fire."""
    return (
        ALL if s.edition > 5 and s.kind(now.unit).id in s.stage.pack.tables["counter_notes"]["no_bounding_fire"] else 0
    )


ONLY_IT: Bars[State, Drive] = Bars(
    Need("D3.3", "only the vehicle that moves fires now", lambda s, now: 1 << now.unit),
    Bar("D3.3", "it fires after it has spent MP", lambda s, now: 0 if now.move.spent else ALL),
    Bar("D5.341", "it is Recalled and does not fire", lambda s, now: s.recalled),
    Bar("D3.3", "it does not fire on the move", unsteady),
)


def it_alone(s: State, now: Drive) -> int:
    """The only one to be asked about, once it has spent MP."""
    return 1 << now.unit if now.move.spent else 0


def bounding(table: Bars[State, Aiming]) -> Callable[[State, Drive], int]:
    """Whether it can be laid by one of these tables, each asked with what it goes by."""

    def worked(s: State, now: Drive) -> int:
        alone = it_alone(s, now)
        able = ONLY_IT.free(alone, s, now) if alone else 0
        return table.free(able, s, aiming(now)) if able else 0

    return worked


BOUND_LAY: Bars[State, Drive] = Bars(ONLY_IT, LAY.asked_of(aiming))
BOUND_LAY_SECOND: Bars[State, Drive] = Bars(ONLY_IT, LAY_SECOND.asked_of(aiming))


def bound_lay(s: State, f: DriverAt, u: int) -> None:
    laying.begin(s, aiming(drive_of(s)), u, MA)


def bound_lay_second(s: State, f: DriverAt, u: int) -> None:
    laying.begin(s, aiming(drive_of(s)), u, SA)


# D9.31, D14.2 Who comes along


ALSO: Bars[State, Drive] = Bars(
    Need(
        "D9.31",
        "{unit} cannot go along: Infantry with an AFV, or a radioless AFV with another, before the first MP",
        lambda s, now: company.companions(s, now.move) | company.mates(s, now.move),
    ),
    Bar("D9.31", "{unit} goes along already", lambda s, now: now.move.escort),
)


def also(s: State, f: DriverAt, u: int) -> None:
    move = s.move
    assert move is not None
    if s.stage.roster.vehicles >> u & 1:
        company.enlist(s, u)
        return
    move.escort |= 1 << u
    move.movers |= 1 << u
    tell(s, "armored_assault", "D9.31", 1 << u, s.phasing, {"hex": s.at[u], "unit": move.vehicle})
