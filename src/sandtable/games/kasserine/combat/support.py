"""8.4, 9.1, 10.4 Support: aircraft and artillery are committed, then checks are made, each with its modifiers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need, all_if
from sandtable.mechanics.dice import Dice
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Each, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..table import steps, verbs
from ..table.ids import (
    AIR_CHECK,
    ALLIED,
    ARTILLERY_CHECK,
    AXIS,
    FLOWN,
    FRENCH,
    PHASES,
    RAIN,
    READY,
    US,
)
from ..table.position import put, units_in
from ..table.script import GREEN_TROOPS
from ..table.state import State
from ..table.steps import CheckAt, SideAt
from .coordination import ABLE, HELPS, Helped, check_rating, check_terms, command_rule, commanders, helped
from .fight import FULL_SUPPORT, HALF_SUPPORT, NO_SUPPORT, Fight, defenders
from .showing import chain_odds, check_odds
from .strengths import batteries, defense_in

TEN = 10

# 10.4 close air support


def ready(s: State, side: int) -> int:
    """10.13 air units in the Ready box."""
    return sum(1 << u for u in units_of(s.board.air & s.board.of_side[side]) if s.at[u] == READY)


def hq_for_air(s: State, side: int, target: Hex) -> bool:
    """10.15b, 10.42 an undisrupted HQ within 4 hexes of the defending hex."""
    reach = s.board.charts.constants["cas_hq_range"]
    hqs = s.on_map[side] & s.board.hqs & ~s.disrupted
    return any(s.board.grid.distance(s.at[hq], target) <= reach for hq in units_of(hqs))


def french_alone(s: State, side: int) -> bool:
    """10.47 all units of the Allied side in this combat are French."""
    fight: Fight = s.fight
    units = fight.attackers if side == fight.side else units_in(s, fight.target, side)
    return side == ALLIED and not units & ~s.board.of_nation[FRENCH]


def planes_most(s: State, side: int) -> int:
    """10.43, 6.66, 10.18 how many more air units a side may commit to this fight."""
    fight: Fight = s.fight
    constants = s.board.charts.constants
    most: int = constants["max_cas_units_per_side_per_combat"]
    if fight.overrun:
        most = constants["overrun_cas_axis"] if side == AXIS == fight.side else 0
    left = most - fight.planes[side].bit_count()
    if s.weather == RAIN:
        left = min(left, s.board.charts.rain_air_units - s.flown_now[side])
    return left


FLY: Bars[State, int] = Bars(
    Need("10.11", "{unit} is not an air unit of yours", lambda s, side: s.board.air & s.board.of_side[side]),
    Bar("8.43c", "{unit} is committed already", lambda s, side: s.fight.planes[side]),
    Need("10.13", "{unit} is not in the Ready box", ready),
    Doubt("10.46", "{unit} has no close support strength", lambda s, side, u: s.board.cas[u] == 0),
    Bar("10.47", "the Allies fly no close support for Frenchmen alone", lambda s, side: -french_alone(s, side)),
    Bar(
        "10.42",
        "no undisrupted headquarters is within 4 hexes of the defending hex",
        lambda s, side: 0 if hq_for_air(s, side, s.fight.target) else -1,
    ),
    Bar(
        "6.66b",
        "the Allies fly no close support in overruns",
        lambda s, side: all_if(s.fight.overrun and side == ALLIED),
    ),
    Bar(
        "6.66a",
        "one air unit at most flies in an overrun",
        lambda s, side: all_if(s.fight.overrun and _flown_out(s, side)),
    ),
    Bar("10.18", "in Rain no more than 3 air units fly in a turn", lambda s, side: all_if(_rained_out(s, side))),
    Bar("10.43", "no more air units may fly here", lambda s, side: all_if(planes_most(s, side) <= 0)),
)


def _flown_out(s: State, side: int) -> bool:
    most: int = s.board.charts.constants["overrun_cas_axis"]
    return bool(s.fight.planes[side].bit_count() >= most)


def _rained_out(s: State, side: int) -> bool:
    return s.weather == RAIN and s.flown_now[side] >= s.board.charts.rain_air_units


def fly(s: State, f: SideAt, u: int) -> None:
    """8.43a, 8.43b an air unit is committed; the first one leads."""
    fight: Fight = s.fight
    if not fight.planes[f.side]:
        fight.lead_plane[f.side] = u
    fight.planes[f.side] |= 1 << u
    s.flown_now[f.side] += 1
    emit(s, "flies", "8.43a", {"unit": u, "hex": fight.target})


def done(s: State, f: SideAt) -> None:
    s.stack.pop()


def support_odds(s: State, f: SideAt, action: Action) -> Odds | None:
    """8.4 the combat with what is committed, and the checks that it hangs on."""
    return chain_odds(s, s.fight)


class Planes(Phase[State, SideAt, int]):
    """8.43a both players commit air units before any artillery check, the attacker first."""

    at = SideAt
    does = (
        Each(verbs.FLY, of=ready, bars=FLY, take=fly),
        Once(verbs.NO_MORE_PLANES, take=done, odds=support_odds),
    )

    def now(self, s: State, f: SideAt) -> int:
        return f.side

    def actor(self, s: State, f: SideAt) -> int | None:
        candidates = ready(s, f.side)
        return f.side if candidates and FLY.free(candidates, s, f.side) else None

    def prompt(self, s: State, f: SideAt) -> Prompt:
        title = Text("Close air support in {hex}?", hex=s.fight.target)
        return Prompt(title, "The first air unit that you name leads", ("8.43a", "10.42"), PHASES[s.phase])


# 9.1 artillery


FIRE: Bars[State, int] = Bars(
    Need("9.1a", "{unit} is not artillery of yours", lambda s, side: s.on_map[side] & s.board.artillery),
    Bar("8.41c", "{unit} is committed already", lambda s, side: s.fight.guns[side]),
    Bar("9.13c", "{unit} has fired", lambda s, side: s.fired),
    Bar("9.13d", "{unit} is out of supply or disrupted", lambda s, side: s.oos | s.disrupted),
    Need(
        "9.13a",
        "{unit} does not reach the defending hex, or is tied to another",
        lambda s, side: batteries(s, side, s.fight.target),
    ),
    Bar(
        "9.1b",
        "nobody but artillery defends there: it supports other troops alone",
        lambda s, side: all_if(side != s.fight.side and s.edition > 3 and _guns_alone(s)),
    ),
    Bar(
        "9.28",
        "artillery cannot support a defense strength of 0",
        lambda s, side: all_if(side != s.fight.side and not defense_in(s, s.fight)),
    ),
)


def _guns_alone(s: State) -> bool:
    return not defenders(s, s.fight) & ~s.board.artillery


def fire(s: State, f: SideAt, u: int) -> None:
    """8.41a artillery is committed; the first one leads."""
    fight: Fight = s.fight
    if not fight.guns[f.side]:
        fight.lead_gun[f.side] = u
    fight.guns[f.side] |= 1 << u
    emit(s, "supports", "9.11", {"unit": u, "hex": fight.target})


class Guns(Phase[State, SideAt, int]):
    """9.11 the attacker declares artillery support first, then the defender."""

    at = SideAt
    does = (
        Each(verbs.FIRE, of=lambda s, side: batteries(s, side, s.fight.target), bars=FIRE, take=fire),
        Once(verbs.NO_MORE_GUNS, take=done, odds=support_odds),
    )

    def now(self, s: State, f: SideAt) -> int:
        return f.side

    def actor(self, s: State, f: SideAt) -> int | None:
        candidates = batteries(s, f.side, s.fight.target)
        return f.side if candidates and FIRE.free(candidates, s, f.side) else None

    def prompt(self, s: State, f: SideAt) -> Prompt:
        title = Text("Artillery support in {hex}?", hex=s.fight.target)
        return Prompt(title, "The first battery that you name leads", ("9.1a", "8.41a"), PHASES[s.phase])


# 8.4 the checks

COMMAND: Bars[State, Helped] = Bars(
    ABLE,
    Bar(
        "12.23b",
        lambda s, now, u: Reason(
            command_rule(s.fight, now.side), "a headquarters has spent its Command Points in this combat already"
        ),
        lambda s, now: all_if(s.fight.commanded[now.side] >= 0),
    ),
    HELPS,
)


def command(s: State, f: CheckAt, u: int) -> None:
    """12.22, 12.23b an HQ spends all its Command Points on this roll."""
    fight: Fight = s.fight
    s.stack.pop()
    fight.commanded[f.side] = u
    fight.points[f.side] = s.board.cp[u]
    fight.on[f.side] = f.check
    s.spent |= 1 << u
    emit(s, "commands", "12.22a", {"unit": u, "points": s.board.cp[u], "check": f.check})


def no_command(s: State, f: CheckAt) -> None:
    s.stack.pop()


def _command_odds(s: State, f: CheckAt, action: Action) -> Odds | None:
    trial = s.fight.copy()
    if action[0] == verbs.COMMAND:
        trial.points[f.side], trial.on[f.side] = s.board.cp[action[1]], f.check
    then = chain_odds(s, trial, (f.check, f.side))
    return replace(check_odds(s, trial, f.side, f.check), parts=(*then.parts, replace(then, parts=())))


class Command(Phase[State, CheckAt, Helped]):
    """12.23 one HQ for each combat may spend its Command Points on one of the side's rolls."""

    at = CheckAt
    does = (
        Each(
            verbs.COMMAND,
            of=lambda s, now: now.near,
            bars=COMMAND,
            take=command,
            odds=_command_odds,
        ),
        Once(verbs.NO_COMMAND, take=no_command, odds=_command_odds),
    )

    def now(self, s: State, f: CheckAt) -> Helped:
        return helped(s, s.fight, f.side, f.check)

    def actor(self, s: State, f: CheckAt) -> int | None:
        return f.side if commanders(s, s.fight, f.side, f.check) else None

    def prompt(self, s: State, f: CheckAt) -> Prompt:
        titles = (
            term("Command Points for the artillery?"),
            term("Command Points for the ground units?"),
            term("Command Points for the air units?"),
        )
        rule = command_rule(s.fight, f.side)
        return Prompt(titles[f.check], "They are subtracted from the roll", (rule,), PHASES[s.phase])


class Coordination(Dice[State, CheckAt]):
    """8.41-8.43 one roll for all artillery, for the ground units, for all aircraft of a side."""

    at = CheckAt

    def take(self, s: State, f: CheckAt, action: Action) -> None:
        fight: Fight = s.fight
        side = f.side
        s.stack.pop()
        terms = check_terms(s, fight, side, f.check)
        roll = action[1] + sum(term.value for term in terms)
        er = check_rating(s, fight, side, f.check)
        passed = roll <= er
        lead = (fight.lead_gun[side], fight.lead[side], fight.lead_plane[side])[f.check]
        told = {"check": f.check, "side": side, "unit": lead, "face": action[1], "roll": roll, "er": er}
        emit(s, "coordinated", "8.4a", {**told, "passed": int(passed), "hex": fight.target}, final=True)
        if f.check == ARTILLERY_CHECK:
            fight.artillery[side] = FULL_SUPPORT if passed else HALF_SUPPORT if roll < TEN else NO_SUPPORT
            s.fired |= fight.guns[side]  # 8.41g
        elif f.check == AIR_CHECK:
            fight.air[side] = FULL_SUPPORT if passed else NO_SUPPORT
        else:
            fight.ground_failed = int(not passed)
            if s.flags & GREEN_TROOPS and roll - er >= 5 and s.turn <= 3 and s.board.nation[lead] == US:
                s.fight.green = 1  # 16.2

    def prompt(self, s: State, f: CheckAt) -> Prompt:
        titles = ("Artillery coordination", "Ground coordination", "Air coordination")
        return Prompt(titles[f.check], "", ("8.41a", "8.42a", "8.43a")[f.check : f.check + 1], PHASES[s.phase])


def planes_home(s: State, fight: Fight) -> None:
    """10.44b, 10.45 after the combat all CAS units go to the Flown box."""
    for side in (AXIS, ALLIED):
        for u in units_of(fight.planes[side]):
            put(s, u, FLOWN)


FRAMES: dict[int, Frame[State, Any]] = {
    steps.PLANES: Planes(),
    steps.GUNS: Guns(),
    steps.COMBAT_COMMAND: Command(),
    steps.COORDINATION: Coordination(verbs.ROLL, 1, 10),
}
