"""D2 The vehicle in hand: everything that it can do in its move, chapter by chapter."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import ALL
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Each, Elsewhere, Listed, Once, Phase

from ..boards.costs import HALF
from ..boards.locations import Place
from ..ordnance.laying import LAY, LAY_SECOND
from ..table import verbs
from ..table.hardware import AAMG, BMG, CMG
from ..table.ids import F_DRIVER, F_ONWARD, F_PARKED, PHASES
from ..table.state import State, men
from .company import next_turn
from .driving import (
    CAREFULLY,
    QUIET,
    SLOWLY,
    TO,
    TURN,
    TURN_CAREFULLY,
    TURRET,
    Drive,
    DriverAt,
    Onward,
    drive_of,
    drive_off,
    enter,
    enter_carefully,
    enter_slowly,
    finish,
    halt,
    no_drive_off,
    no_halt,
    no_reverse,
    no_start,
    no_stop,
    reachable,
    reverse,
    rocky,
    start,
    stop,
    stuck,
    turn,
    turn_carefully,
    turn_turret,
    way,
)
from .efforts import (
    ALSO,
    BOUND,
    BOUND_LAY,
    BOUND_LAY_SECOND,
    STRAIN,
    also,
    bound,
    bound_lay,
    bound_lay_second,
    bounding,
    delay,
    no_delay,
    not_bogged,
    strain,
    unbog,
)
from .loads import (
    DISEMBARK,
    EMBARK,
    HOOK,
    LOAD_GUN,
    RIDE,
    UNHOOK,
    abandon,
    disembark,
    embark,
    hook,
    leavers,
    load_gun,
    no_abandon,
    no_unload,
    ride,
    unhook,
    unload_gun,
)
from .overrun import OVERRUN, enemy_places, overrun
from .points import raises_dust
from .rims import FASCINE, RIM, climb, down, lay_fascine, no_climb, no_down, no_skirt, skirt, skirts, take_rim
from .risks import among_rocks
from .screening import dispense, lob, no_dispenser, no_lob

MGS = BMG | CMG | AAMG

# What need not be asked about: most of it is rare, and what stands outside these sets the tables hold as well


def companions_yet(s: State, now: Drive) -> int:
    return 0 if now.move.spent else ALL


def rocks_ahead(s: State, now: Drive) -> int:
    if not now.going or now.move.escort:
        return 0
    return sum([1 << g for g in units_of(reachable(s, now)) if rocky(s, now, g)])


def rocks_here(s: State, now: Drive) -> int:
    return ALL if now.going and among_rocks(s, now.unit, now.here, now.here) else 0


def dust_ahead(s: State, now: Drive) -> int:
    fresh = now.move.started or now.move.escort or now.left < QUIET
    return ALL if now.going and not fresh and raises_dust(s) else 0


def wadis_ahead(s: State, now: Drive) -> int:
    wadis = s.stage.field.form["wadi"]
    return ALL if wadis and now.going and wadis & s.stage.grid.within(now.here, 1) else 0


def foes_ahead(s: State, now: Drive) -> int:
    return enemy_places(s, now) if now.going and not now.back else 0


def soft_hexes(s: State, now: Drive) -> int:
    """Any, while it has a MG left to fire."""
    u = now.unit
    return ALL if now.move.spent and now.kind.weapons & MGS & ~(s.jam[u] | s.off[u] | s.used[u]) else 0


def with_it(s: State, now: Drive) -> int:
    return 0 if now.going else men(s, now.here, s.phasing)


def guns_with_it(s: State, now: Drive) -> int:
    return 0 if now.going else s.here.get(now.here, 0) & s.stage.roster.guns


def stopped(s: State, now: Drive) -> int:
    return 0 if now.going else ALL


def its_own_gun(s: State, now: Drive) -> int:
    return ALL if s.unloaded >> now.unit & 1 else 0


def in_wadi(s: State, now: Drive) -> int:
    return ALL if s.place[now.unit] == Place.IN and not now.going else 0


class Driver(Phase[State, DriverAt, Drive]):
    """D2 the next thing that the vehicle does."""

    at = DriverAt
    does = (
        Each(verbs.ALSO, of=companions_yet, bars=ALSO, take=also),
        Once(verbs.START, take=start, shut=no_start),
        Once(verbs.REVERSE, take=reverse, shut=no_reverse),
        Once(verbs.STOP, take=stop, shut=no_stop),
        Once(verbs.EXIT, take=drive_off, shut=no_drive_off),
        Each(verbs.TO, bars=TO, take=enter, hint=lambda s, f, action: way(s, action)),
        Each(verbs.CAREFULLY, of=rocks_ahead, bars=CAREFULLY, take=enter_carefully),
        Each(verbs.SLOWLY, of=dust_ahead, bars=SLOWLY, take=enter_slowly),
        Each(verbs.TURN, bars=TURN, take=turn),
        Each(verbs.TURN_CAREFULLY, of=rocks_here, bars=TURN_CAREFULLY, take=turn_carefully),
        Each(verbs.TURRET, bars=TURRET, take=turn_turret),
        Each(verbs.FIRE, of=soft_hexes, bars=BOUND, take=bound),
        Each(verbs.STRAIN, bars=STRAIN, take=strain),
        Once(verbs.UNBOG, take=unbog, shut=not_bogged),
        Once(verbs.DISPENSE, take=dispense, shut=no_dispenser),
        Once(verbs.SCREEN, take=lob, shut=no_lob),
        Each(verbs.LAY, worked=bounding(LAY), bars=BOUND_LAY, take=bound_lay),
        Each(verbs.LAY_SECOND, worked=bounding(LAY_SECOND), bars=BOUND_LAY_SECOND, take=bound_lay_second),
        Each(verbs.OVERRUN, of=foes_ahead, bars=OVERRUN, take=overrun),
        Listed(verbs.BYPASS, of=skirts, reason=no_skirt, take=skirt),
        Each(verbs.RIM, of=wadis_ahead, bars=RIM, take=take_rim),
        Once(verbs.UP, take=climb, shut=no_climb),
        Once(verbs.DOWN, take=down, shut=no_down),
        Each(verbs.EMBARK, of=with_it, bars=EMBARK, take=embark),
        Each(verbs.RIDE, of=with_it, bars=RIDE, take=ride),
        Each(verbs.DISEMBARK, of=stopped, bars=DISEMBARK, take=disembark),
        Each(verbs.HOOK, of=guns_with_it, bars=HOOK, take=hook),
        Each(verbs.UNHOOK, of=stopped, bars=UNHOOK, take=unhook),
        Once(verbs.ABANDON, take=abandon, shut=no_abandon),
        Once(verbs.UNLOAD_GUN, take=unload_gun, shut=no_unload),
        Each(verbs.LOAD_GUN, of=its_own_gun, bars=LOAD_GUN, take=load_gun),
        Each(verbs.FASCINE, of=in_wadi, bars=FASCINE, take=lay_fascine),
        Once(verbs.DELAY, take=delay, shut=no_delay),
        Once(verbs.HALT, take=halt, shut=no_halt),
        Elsewhere("A3.3", "first finish the move in hand", verbs.MOVE, verbs.DRIVE, verbs.END_MOVES),
    )

    def now(self, s: State, f: DriverAt) -> Drive:
        return drive_of(s)

    def actor(self, s: State, f: DriverAt) -> int | None:
        if next_turn(s):  # D14.2
            s.choices = None
        move = s.move
        assert move is not None
        u = move.vehicle
        over = move.over or move.rim or stuck(s, u) or (s.bogged >> u & 1 and move.spent and s.edition < 7)
        return None if over else s.phasing

    def run(self, s: State, f: DriverAt) -> None:
        move = s.move
        assert move is not None
        if move.rim and not stuck(s, move.vehicle) and not s.bogged >> move.vehicle & 1:
            move.rim = 0  # F5.42a its Crest status comes with the Stop
            move.over = move.minimum
            stop(s, f)
        else:
            finish(s)

    def prompt(self, s: State, f: DriverAt) -> Prompt:
        now = drive_of(s)
        text = Text("{left} MP are left", left=now.left / HALF)
        title = Text("{unit} in {hex}", unit=now.unit, hex=s.stage.field.name(now.here))
        return Prompt(title, text, ("D2.1", "D2.11"), PHASES[s.phase])


class Parked(Phase[State, DriverAt, Drive]):
    """C7.6, D5.4 those aboard an immobilized vehicle, or one whose crew is gone or can do nothing, get out."""

    at = DriverAt
    does = (
        Each(verbs.DISEMBARK, bars=DISEMBARK, take=disembark),
        Each(verbs.UNHOOK, bars=UNHOOK, take=unhook),
        Once(verbs.ABANDON, take=abandon, shut=no_abandon),
        Once(verbs.HALT, take=halt),
        Elsewhere("A3.3", "first finish the move in hand", verbs.MOVE, verbs.DRIVE, verbs.END_MOVES),
    )

    def now(self, s: State, f: DriverAt) -> Drive:
        return drive_of(s)

    def actor(self, s: State, f: DriverAt) -> int | None:
        move = s.move
        assert move is not None
        over = move.over or s.at[move.vehicle] < 0 or s.wreck >> move.vehicle & 1
        return None if over or not leavers(s, move.vehicle) else s.phasing

    def run(self, s: State, f: DriverAt) -> None:
        finish(s)

    def prompt(self, s: State, f: DriverAt) -> Prompt:
        now = drive_of(s)
        title = Text("{unit} in {hex}", unit=now.unit, hex=s.stage.field.name(now.here))
        return Prompt(title, "Who gets out?", ("C7.6", "D5.4"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_DRIVER: Driver(), F_ONWARD: Onward(), F_PARKED: Parked()}
