"""5.1, 5.8 A unit or stack on the move: trucks and their loads, and Rommel (18.5).

A move begins with one unit (`begin`). Others of its hex may join it before its first step, trucks may load, and then it
goes to a place in one of the modes of paths/modes.py. That is all for a single unit; a stack may leave units behind and
go on, an empty truck may go on with what it finds, and whoever takes a place or drives an enemy off may go on with the
points that are left.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.bars import Bar, Bars, Need, all_if
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Each, Elsewhere, Linked, Once, Phase, Routes
from sandtable.mechanics.shown.telling import emit
from sandtable.mechanics.walk import Walk, WalkAt, walking

from ..paths.legs import desert_run, fresh_points, tables
from ..paths.modes import BESIDE_ENEMY, UNMOVED, WAYS, Movers, has_met_zocs
from ..retreat import displacement
from ..retreat.surrender import abandon
from ..table import captures, verbs
from ..table.board import SIXTHS
from ..table.ids import AXIS, EXTENDED, F_STACK, F_WALK, NORMAL, ROAD_BONUS, TACTICAL
from ..table.position import controls, eliminate, put, set_order, touch, tread
from ..table.state import State
from ..table.zones import full_zoc, next_to_enemy
from . import companions, rails
from .companions import droppable, empty_trucks, finish, movers_of, others_here, place_of, several, stopped
from .ways import called, leads_to, mps, reach_of, shown, why_not_to

# 5.1 The move


def begin(s: State, u: int) -> None:
    """5.1d one unit or stack begins its move."""
    s.group, s.loads = 1 << u, 0
    s.run, s.mode, s.stack_rommel = 0, -1, 0
    s.start = s.at[u]
    walks_from_the_enemy = s.board.foot >> u & 1 and next_to_enemy(s, s.active, s.start)
    s.spent = BESIDE_ENEMY if walks_from_the_enemy else UNMOVED
    s.stack.append((F_STACK,))
    displacement.check(s, 1 << u)  # 13.3.2e


def go(s: State, to: int, mode: int) -> None:
    """5.1a the stack goes to a place; 13.3.2e where it comes upon enemies in Full Retreat it stops to see them off."""
    board, side = s.board, s.active
    foe = 1 - side
    found = reach_of(s)
    cost, path = found.way(to, mode)
    everybody = s.group | s.loads
    met = -1
    if s.men[foe] != s.zocs[foe] and everybody & board.combat & ~s.routed:
        alone = displacement.lonely(s, foe)
        met = next((i for i, h in enumerate(path) if board.around[h] & alone), -1)
    passed = path if mode == ROAD_BONUS else ()  # 5.2.2a that move is made in one go
    if 0 <= met < len(path) - 1 and not passed:
        cost = found.costs(path, mode)[met]
        path = path[: met + 1]
    start, last = place_of(s), path[-1]
    s.spent = max(s.spent, 0) + cost
    _tread(s, everybody, path)
    if mode != TACTICAL:
        s.moved_at_all = 1  # 17.4a
    if mode in (EXTENDED, ROAD_BONUS):
        s.extended |= everybody  # A14
    units = units_of(everybody)
    if len(units) == 1:
        facts: dict[str, Any] = {"unit": units[0], "side": side, "from": start, "to": last, "path": path, "mode": mode}
    else:
        facts = {"units": list(units), "side": side, "from": start, "to": last, "path": path, "mode": mode}
    if mode != TACTICAL:
        facts["mp"] = cost / SIXTHS
    emit(s, "moved" if len(units) == 1 else "stack_moved", WAYS[mode].rule, facts)
    if board.box_mask >> last & 1 or mode == ROAD_BONUS:
        goes_on = False  # 6.3.1
    elif full_zoc(s, foe) >> last & 1:
        goes_on = _handles_points(s, last)  # 7.2a
    else:
        goes_on = met >= 0 or _has_reason(s, last)
    if goes_on:
        _settle_mode(s, mode, path)
    way = path if passed and met >= 0 else captures.matters(s, side, path[:-1])
    errand = (GOES_ON if goes_on else 0) | (MEETS if met >= 0 else 0) | (PASSES if passed else 0)
    s.stack.append(walking(F_WALK, 0, (*way, last) if way is not path else way, errand))


GOES_ON, MEETS, PASSES = 1, 2, 4
"""Errands: the stack goes on from where it arrives; enemies in Full Retreat give way to it there, or all along it."""


class OnTheWay(Walk[State]):
    """5.1a The stack in `s.group` on its way: it captures and takes control of what it enters, hex by hex (8.7, 17.2.3,
    16.3.5). Hexes in which nothing happens are passed at once."""

    def enter(self, s: State, f: WalkAt, h: int) -> bool:
        for u in units_of(s.group | s.loads):
            put(s, u, h)
        captures.enter(s, s.active, h)
        if s.stack[-1] is not f and s.edition < 2:  # there all dice came at the end of the way, the last hex first
            s.stack[-2:] = [s.stack[-1], f]
        return True

    def arrive(self, s: State, f: WalkAt) -> None:
        everybody = s.group | s.loads
        if not f.errand & GOES_ON:
            finish(s)
        if f.errand & MEETS:
            displacement.check(s, everybody, f.path if f.errand & PASSES else ())  # 13.3.2e


def _tread(s: State, units: int, path: list[Hex]) -> None:
    """5.5b the desert hexes in a row that a way ends with; what lies before the last other hex no longer counts."""
    desert = s.board.desert
    first = len(path) - 1
    if not desert >> path[first] & 1:
        s.run = 0
        if units & (s.sandy | s.parched):
            tread(s, units, path[first])
        return
    while first and desert >> path[first] & 1:
        first -= 1
    for h in path[first:]:
        s.run = desert_run(s, s.run, h)
        tread(s, units, h)


def _handles_points(s: State, h: Hex) -> bool:
    """5.8.1d, 17.2.4 whether a truck of the stack could put an SP down where it must stop, or pick one up."""
    return bool(droppable(s)) or (bool(empty_trucks(s)) and fresh_points(s, s.active, h) > 0)


def _settle_mode(s: State, mode: int, path: list[Hex]) -> None:
    """Whoever has been where extended movement may not go can no longer go over to it."""
    if mode != NORMAL:
        s.mode = mode
    elif s.mode != NORMAL and has_met_zocs(s, movers_of(s), path):
        s.mode = NORMAL


def _has_reason(s: State, h: Hex) -> bool:
    """Whether a stack that could go on might want to: it can leave units behind, or load, or has taken something."""
    board, side = s.board, s.active
    if s.group & s.group - 1:
        return True
    if s.group & board.trucks:
        if droppable(s):
            return True
        if empty_trucks(s) and (s.here.get(h, 0) & board.of_side[side] or fresh_points(s, side, h) > 0):
            return True
    foe = 1 - side
    if s.occ[foe] >> h & 1 or h in s.sp[foe] or (s.forts[foe] | s.building[foe]) >> h & 1:
        return True
    return h in board.controllable_hexes and not controls(s, side, h)


# 5.8.4, 5.9, 12.5.3, 13.3.4 Instead of moving


def lone(s: State, now: Movers) -> int:
    """5.1d one unit that has done nothing yet."""
    return 0 if now.spent >= 0 or now.loads or several(now) or now.rommel else now.group


def _boxes(s: State, now: Movers) -> int:
    """In a box no enemy ever comes to take a unit (6.1.2b)."""
    return all_if(s.board.box_mask >> now.place & 1)


ALONE = term("the stack is on the move: this is for one unit that has done nothing yet")

NO_FIGHTER = term("{unit} is no combat unit")

BOXED = term("{unit} is in an off-map box, where no enemy comes")

SURRENDER: Bars[State, Movers] = Bars(
    Need("5.1d", ALONE, lone), Need("12.5.3", NO_FIGHTER, lambda s, _: s.board.combat), Bar("12.5.3", BOXED, _boxes)
)
"""12.5.3 a player may surrender his own units."""

FLEE: Bars[State, Movers] = Bars(
    Need(
        "5.1d", ALONE, lambda s, now: lone(s, now) | (now.loads if now.spent < 0 else 0)
    ),  # 13.3.4b who flees may ride
    Need("13.2.3a", NO_FIGHTER, lambda s, _: s.board.combat),
    Bar("13.3.4a", "{unit} is in Full Retreat", lambda s, _: s.routed),
    Bar("13.3.4a", BOXED, _boxes),
)
"""13.3.4a a Good Order or Disrupted combat unit on the map."""


def surrender(s: State, u: int) -> None:
    """12.5.3 voluntary surrender; 10.2.2c, 27.1a with the last combat unit of a hex go its trucks and replacements."""
    h = s.at[u]
    eliminate(s, u, "12.5.3", surrenders=True)
    if s.stack[-1][0] == F_STACK:
        finish(s)
    abandon(s, s.active, h, surrendered=True)


def flee(s: State, f: F, u: int) -> None:
    """13.3.4 voluntary Full Retreat; 13.3.4b the unit may move with its full MA."""
    set_order(s, u, 2)
    emit(s, "fled", "13.3.4a", {"unit": u, "hex": s.at[u], "side": s.active})
    touch(s)


def by_rail(s: State, f: F, u: int, to: int) -> None:
    finish(s)
    rails.ride(s, u, to)


def transfer(s: State, f: F, u: int, to: int) -> None:
    finish(s)
    rails.transfer(s, u, to)


# The frame


def _from(s: State, now: Movers) -> Mapping[str, Fact]:
    """Where the stack is."""
    return {"from": now.place}


def _by_rail_to(s: State, f: F, action: Action) -> Hint:
    return {"path": [s.board.grid.names[action[2]]], "note": "by rail (5.9): half defense, no attack"}


def _transferred_to(s: State, f: F, action: Action) -> Hint:
    return {"path": [s.board.grid.names[action[2]]], "note": "special transfer (5.8.4)"}


class Stack(Phase[State, F, Movers]):
    """5.1 The stack in `s.group` goes on: what it does next."""

    does = (
        Each(
            verbs.V_JOIN,
            of=lambda s, now: others_here(s, now) if now.spent < 0 else 0,
            bars=companions.JOINING,
            facts=_from,
            take=companions.join,
        ),
        Each(
            verbs.V_LOAD,
            of=lambda s, now: others_here(s, now) if now.group & s.board.trucks else 0,
            bars=companions.LOADING,
            facts=_from,
            take=companions.load,
        ),
        Once(
            verbs.V_LOAD_SP,
            of=lambda s, now: now.group & s.board.trucks,
            bars=companions.LOADING_SP,
            facts=_from,
            take=companions.load_sp,
        ),
        Once(
            verbs.V_UNLOAD_SP,
            of=lambda s, now: now.group & s.msu,
            bars=companions.UNLOADING_SP,
            take=companions.unload_sp,
        ),
        Once(
            verbs.V_ROMMEL,
            of=lambda s, now: s.rommel and now.side == AXIS,
            bars=companions.ROMMEL,
            take=companions.follow_rommel,
        ),
        Routes(
            verbs.V_TO,
            of=lambda s, f, now: [] if stopped(s) else reach_of(s).actions(tables(s)),
            has=lambda s, f, action: leads_to(s, action),
            reason=lambda s, f, now, way: why_not_to(s, now, *way),
            take=lambda s, f, to, mode: go(s, to, mode),
            hint=lambda s, f, action: shown(s, action[1], action[2]),
        ),
        Each(
            verbs.V_LEAVE,
            of=lambda s, now: several(now) if now.spent >= 0 else 0,
            bars=companions.LEAVING,
            facts=_from,
            take=companions.leave,
        ),
        Once(verbs.V_HALT, take=finish),
        Linked(
            verbs.V_RAIL,
            first=Bars(Need("5.1d", ALONE, lone), rails.RIDERS),
            of=lambda s, now: 0 if now.side == AXIS or s.rail_used else lone(s, now),
            second=rails.GOALS,
            to=lambda s, u: rails.stations_from(s, s.at[u]),
            knows=lambda s, u: s.at[u],
            take=by_rail,
            hint=_by_rail_to,
        ),
        Linked(
            verbs.V_TRANSFER,
            first=Bars(Need("5.1d", ALONE, lone), rails.TRUCKS),
            of=lambda s, now: lone(s, now) & s.board.trucks,
            second=rails.DEPOTS,
            take=transfer,
            hint=_transferred_to,
        ),
        Each(verbs.V_SURRENDER, of=lone, bars=SURRENDER, take=lambda s, f, u: surrender(s, u)),
        Each(verbs.V_FLEE, of=lambda s, now: now.units if now.spent < 0 else 0, bars=FLEE, take=flee),
        Elsewhere("5.1d", "first finish the move of {stack}"),
    )

    def now(self, s: State, f: F) -> Movers:
        return movers_of(s)

    def facts(self, s: State, f: F) -> Mapping[str, Fact]:
        return {"stack": called(s, s.group)}

    def actor(self, s: State, f: F) -> int | None:
        goes = not stopped(s) and reach_of(s).anywhere()
        return s.active if goes or self.several(s, f) else None

    def run(self, s: State, f: F) -> None:
        finish(s)

    def prompt(self, s: State, f: F) -> Prompt:
        group = units_of(s.group)
        if len(group) == 1:
            title = Text("Where does {unit} go?", unit=group[0])
        else:
            title = Text("Where do these {n} go?", n=len(group))
        who = Text("{units} in {hex}", units=group, hex=place_of(s))
        if s.loads:
            who = Text("{units} with {loads} in {hex}", units=group, loads=_named(s, s.loads), hex=place_of(s))
        if s.spent >= 0:
            done = (
                Text.many(s.spent, "{n} hex", "{n} hexes") if s.mode == TACTICAL else Text("{mp} MP", mp=mps(s.spent))
            )
            text = Text("{who}, {done} spent. Go on, leave units behind, or end the move", who=who, done=done)
        elif companions.JOINING.free(others_here(s, movers_of(s)), s, movers_of(s)):
            text = Text("{who}. Pick units of its hex that go too, then a hex", who=who)
        else:
            text = Text("{who}. Pick a hex", who=who)
        return Prompt(title, text, ("5.1a", "5.3a", "5.4a", "5.8.1d"), "movement")


def _named(s: State, units: int) -> tuple[str, ...]:
    return tuple(s.board.unit_names[u] for u in units_of(units))


FRAMES: dict[int, Frame[State, Any]] = {F_STACK: Stack(), F_WALK: OnTheWay()}
