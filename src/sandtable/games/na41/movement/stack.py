"""5.1, 5.8 A unit or stack on the move: trucks and their loads, and Rommel (18.5).

A march begins with one unit (`begin`). Others of its hex may join it before its first step, trucks may load, and
then it goes to a place in one of the modes of routes.py. That is all for a single unit; a stack may leave units
behind and go on, an empty truck may go on with what it finds, and whoever takes a place or drives an enemy off
may go on with the points that are left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.contract import Action, Choices, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.offers import nth
from sandtable.mechanics.shown.telling import emit

from ..paths.legs import desert_run, fresh_points, pinned, tables, terms
from ..paths.modes import BESIDE_ENEMY, UNMOVED, WAYS, Movers, has_met_zocs, movers
from ..paths.reaches import Reach, reach_on
from ..retreat import displacement
from ..retreat.surrender import abandon
from ..table import captures
from ..table.board import SIXTHS
from ..table.ids import AXIS, EXTENDED, F_STACK, NATIONS, NORMAL, ROAD_BONUS, TACTICAL
from ..table.position import add_sp, controls, eliminate, put, set_order, touch, tread
from ..table.state import State
from ..table.verbs import (
    V_FLEE,
    V_HALT,
    V_JOIN,
    V_LEAVE,
    V_LOAD,
    V_LOAD_SP,
    V_RAIL,
    V_ROMMEL,
    V_SURRENDER,
    V_TO,
    V_TRANSFER,
    V_UNLOAD_SP,
)
from ..table.zones import full_zoc, next_to_enemy
from . import rails, refusals
from .hints import consequences, mps

HALT: Action = (V_HALT,)
GERMAN = NATIONS.index("german")

# Who may move


def able(s: State) -> int:
    """5.1 the units that may still move in this phase, whichever side they are of.

    Not those that have moved, made an Auto DS (8.9.1d), came by rail, sea or air (5.9.1g, 21.1.4b), or are bound to
    their hex (17.1.2c, S1.2d).
    """
    return ~(s.moved | s.auto | s.shipped | pinned(s))


def bound(s: State, place: int) -> int:
    """6.3.4, 19.5b the units that may not leave an off-map box by themselves."""
    if not s.board.box_mask >> place & 1:
        return 0
    return s.board.foot | s.disrupted | s.routed | s.refreshed


def joinable(s: State) -> int:
    """5.1b the units of the hex that may join the stack before its first step."""
    h = place_of(s)
    units = s.here[h] & s.board.of_side[s.active] & ~(s.group | s.loads)
    if not units:
        return 0
    units &= able(s) & ~bound(s, h)
    return units & led_by_rommel(s) if s.stack_rommel else units


# 5.8 Trucks and their loads


def empty_trucks(s: State) -> int:
    """5.8.1b, 5.8.2a the trucks of the stack that carry nothing: no unit, and no SP (17.2.4a)."""
    trucks = s.group & s.board.trucks & ~s.msu
    for u in units_of(s.loads):
        trucks &= ~(1 << s.carried[u])
    return trucks


def loadable(s: State) -> int:
    """5.8.1b, 5.8.1e what an empty truck of the stack may pick up: a combat unit of any size, or a replacement that
    goes on foot (19.2.1c), if it has not moved."""
    if not empty_trucks(s):
        return 0
    board, h = s.board, place_of(s)
    kinds = board.combat | board.replacements & board.foot
    units = s.here[h] & board.of_side[s.active] & kinds & able(s) & ~(s.group | s.loads)
    if board.box_mask >> h & 1:  # 6.3.4a, 19.5b
        units &= ~(s.disrupted | s.routed | s.refreshed)
    return units & led_by_rommel(s) if s.stack_rommel else units


def droppable(s: State) -> int:
    """17.2.4b the MSUs of the stack that may put their SP down: before the first step, or as the end of their move;
    not what they picked up in this move (5.8.2a)."""
    found = s.group & s.msu
    for u in units_of(found):
        if s.carried[u] == u:
            found &= ~(1 << u)
    return found


def load(s: State, u: int) -> None:
    """5.8.1d a truck picks a unit up, for no MPs."""
    truck = units_of(empty_trucks(s))[0]
    s.carried[u] = truck
    s.loads |= 1 << u
    emit(s, "loaded", "5.8.1d", {"unit": u, "truck": truck, "hex": s.at[u], "side": s.active})
    displacement.check(s, 1 << u)  # 13.3.2e its own move begins here


def load_sp(s: State) -> None:
    """17.2.4a a truck picks an SP up and is an MSU. `carried` of the truck itself: it did so in this move."""
    truck = units_of(empty_trucks(s))[0]
    h = place_of(s)
    add_sp(s, s.active, h, -1)
    s.msu |= 1 << truck
    s.carried[truck] = truck
    emit(s, "sp_loaded", "17.2.4a", {"truck": truck, "hex": h, "side": s.active})


def unload_sp(s: State) -> None:
    """17.2.4b the SP is dropped and the MSU a truck again; after a step that ends the truck's move."""
    truck = units_of(droppable(s))[0]
    h = place_of(s)
    s.msu &= ~(1 << truck)
    add_sp(s, s.active, h, 1)
    emit(s, "sp_unloaded", "17.2.4b", {"truck": truck, "hex": h, "side": s.active})
    if s.spent >= 0:
        s.sp_moved.append(h)
        leave(s, truck)


# 18.5 Rommel


def led_by_rommel(s: State) -> int:
    """18.5a, 18.5c whom Rommel can hurry on: Germans, and trucks, MSUs and replacements of theirs; nobody under a
    replacement, Disrupted or OOS marker."""
    board = s.board
    return (board.of_nation[GERMAN] | board.of_side[AXIS] & board.trucks) & ~(s.refreshed | s.disrupted | s.oos)


def may_follow_rommel(s: State) -> bool:
    """18.5a one mechanised stack of German units, once a game turn, before its first step."""
    if s.active != AXIS or not s.rommel or s.stack_rommel or s.spent >= 0:
        return False
    return not s.group & s.board.foot and not (s.group | s.loads) & ~led_by_rommel(s)


# 5.1 The march


def place_of(s: State) -> int:
    """Where the stack is."""
    return s.at[s.group.bit_length() - 1]


def begin(s: State, u: int) -> None:
    """5.1d one unit or stack begins its move."""
    s.group, s.loads = 1 << u, 0
    s.run, s.mode, s.stack_rommel = 0, -1, 0
    s.start = s.at[u]
    walks_from_the_enemy = s.board.foot >> u & 1 and next_to_enemy(s, s.active, s.start)
    s.spent = BESIDE_ENEMY if walks_from_the_enemy else UNMOVED
    s.stack.append((F_STACK,))
    displacement.check(s, 1 << u)  # 13.3.2e


def movers_of(s: State) -> Movers:
    """The stack, for the bars."""
    return movers(s, s.group, s.loads, spent=s.spent, mode=s.mode, rommel=bool(s.stack_rommel))


def reach_of(s: State) -> Reach:
    """Where the stack can go from here."""
    key = ("reach", s.group, s.loads, s.spent, s.run, s.mode, s.stack_rommel)
    found: Reach | None = s.memo.get(key)
    if found is None:
        left_a_box = bool(s.board.box_mask >> s.start & 1)  # 6.3.3d
        found = s.memo[key] = reach_on(s.board, terms(s, movers_of(s), s.run, box=not left_a_box))
    return found


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
    for u in units:
        put(s, u, last)
    if goes_on:
        _settle_mode(s, mode, path)
    else:
        finish(s)
    for h in captures.matters(s, side, path):
        captures.enter(s, side, h)
    if met >= 0:
        displacement.check(s, everybody, passed)


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


def stopped(s: State) -> bool:
    """7.2a whether the stack has come into an EZOC and goes no farther."""
    return s.spent >= 0 and bool(full_zoc(s, enemy(s.active)) >> place_of(s) & 1)


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


def leave(s: State, u: int) -> None:
    """5.1c a unit is left behind, a truck with its load, and may not move further."""
    gone = 1 << u
    for v in units_of(s.loads):
        if s.carried[v] == u:
            gone |= 1 << v
    for v in units_of(gone):
        s.carried[v] = -1
    s.moved |= gone
    s.group &= ~gone
    s.loads &= ~gone
    if not s.group:
        finish(s)


def finish(s: State) -> None:
    """5.1d the move is over."""
    for u in units_of(s.group | s.loads):
        s.carried[u] = -1
    s.moved |= s.group | s.loads
    s.group = s.loads = s.run = s.stack_rommel = 0
    s.spent = s.mode = s.start = -1
    s.stack.pop()


# 12.5.3, 13.3.4 Giving up and running away


def may_surrender(s: State, u: int) -> bool:
    """12.5.3 a player may surrender his own units; in a box no enemy ever comes to take them (6.1.2b)."""
    return bool(s.board.combat >> u & 1) and not s.board.box_mask >> s.at[u] & 1


def surrender(s: State, u: int) -> None:
    """12.5.3 voluntary surrender; 10.2.2c, 27.1a with the last combat unit of a hex go its trucks and replacements."""
    h = s.at[u]
    eliminate(s, u, "12.5.3", surrenders=True)
    if s.stack[-1][0] == F_STACK:
        finish(s)
    abandon(s, s.active, h, surrendered=True)


def may_flee(s: State, u: int) -> bool:
    """13.3.4a a Good Order or Disrupted combat unit on the map."""
    return may_surrender(s, u) and not s.routed >> u & 1


def flee(s: State, u: int) -> None:
    """13.3.4 voluntary Full Retreat; 13.3.4b the unit may move with its full MA."""
    set_order(s, u, 2)
    emit(s, "fled", "13.3.4a", {"unit": u, "hex": s.at[u], "side": s.active})


class Marching(Choices):
    """5.1 What a stack may do next: a few things that are listed, and all its destinations, which are not.

    Where a truck could be transferred to (5.8.4) hangs on supply, which is asked for only if it is drawn.
    """

    __slots__ = ("_picked", "_s", "after", "before", "fixed", "reach", "transfers", "unit")

    def __init__(
        self, s: State, before: list[Action], reach: Reach, after: list[Action], unit: int, transfers: Mask
    ) -> None:
        """What stands in the list before the destinations, and after them; and where the unit might be transferred."""
        self._s = s
        self.before = before
        self.after = after
        self.fixed = before + after if before else after
        self.reach = reach
        self.unit = unit
        self.transfers = transfers
        self._picked: Action | None = None

    def listed(self) -> list[Action]:
        found = self.before + self.reach.actions(tables(self._s)) + self.after
        if self.transfers:  # nothing comes after them: a truck cannot surrender
            found += rails.transfer_actions(self._s, self.unit)
        return found

    def __contains__(self, action: object) -> bool:
        if action is self._picked and action is not None:
            return True
        match action:
            case (verb, int(to), int(mode)) if verb == V_TO:
                return 0 <= to < self._s.board.size and self.reach.leg(to, mode) is not None
            case (verb, unit, int(to)) if verb == V_TRANSFER and unit == self.unit:
                return to >= 0 and bool(self.transfers >> to & 1) and rails.can_transfer(self._s, self.unit, to)
            case _:
                return action in self.fixed

    def single(self) -> bool:
        """Whether there is but one of them: to halt."""
        if len(self.fixed) > 1 or self.reach.anywhere():
            return False
        return not self.transfers or not rails.transfer_actions(self._s, self.unit)

    def pick(self, random: Callable[[], float]) -> Action:
        """Any of them: any of those that come in question, again and again until it is one that can be done. Each
        legal action comes in question once, so that all have the same chance."""
        found = None
        while found is None:
            found = self._draw(random())
        self._picked = found
        return found

    def _draw(self, number: float) -> Action | None:
        """One of those that come in question, None if it cannot be done."""
        reach, sure = self.reach, len(self.fixed)
        hops = reach.tactical.everywhere() if reach.tactical is not None else 0
        far = reach.by_points.possible()
        near, trips = hops.bit_count(), far.bit_count()
        at = int(number * (sure + near + trips + self.transfers.bit_count())) - sure
        if at < 0:
            return self.fixed[at]
        if at < near:
            return (V_TO, nth(hops, at), TACTICAL)
        at -= near
        if at < trips:
            to = nth(far, at)
            mode = reach.mode_to(to)
            return (V_TO, to, mode) if mode >= 0 else None
        to = nth(self.transfers, at - trips)
        return (V_TRANSFER, self.unit, to) if rails.can_transfer(self._s, self.unit, to) else None


class Stack(Frame[State]):
    """5.1 The stack in `s.group` goes on: what it does next."""

    def actor(self, s: State, f: F) -> int | None:
        choices = self.offer(s, f)
        if choices.single() if isinstance(choices, Marching) else len(choices) == 1:
            return None
        s.choices = choices
        return s.active

    def run(self, s: State, f: F) -> None:
        finish(s)

    def legal(self, s: State, f: F) -> list[Action]:
        choices = self.offer(s, f)
        return choices.listed() if isinstance(choices, Marching) else choices

    def offer(self, s: State, f: F) -> list[Action] | Marching:
        board, group, side, fresh = s.board, s.group, s.active, s.spent < 0
        held = not fresh and stopped(s)
        joining = joinable(s) if fresh else 0
        before: list[Action] = tables(s).join(joining) if joining else []
        if group & board.trucks:
            if empty_trucks(s):
                carried = loadable(s)
                if carried and not held:
                    before += tables(s).load(carried)
                if fresh_points(s, side, place_of(s)) > 0:
                    before.append((V_LOAD_SP,))
            if droppable(s):
                before.append((V_UNLOAD_SP,))
        if s.rommel and may_follow_rommel(s):
            before.append((V_ROMMEL,))
        if held:
            return [*before, HALT]
        after = [HALT]
        u, transfers = -1, 0
        if fresh and s.loads and not board.box_mask >> place_of(s) & 1:  # 13.3.4b who flees may ride
            after += tables(s).flee(s.loads & board.combat & ~s.routed)
        if group & group - 1:
            if not fresh:
                after = [*tables(s).leave(group), HALT]
        elif fresh and not s.loads and not s.stack_rommel:
            u = group.bit_length() - 1
            if side != AXIS and not s.rail_used:
                after += rails.ride_actions(s, u)
            if group & board.trucks:
                transfers = rails.imaginable_transfers(s, u)
            elif may_surrender(s, u):
                after.append((V_SURRENDER, u))
                if not s.routed & group:  # `may_flee`
                    after.append((V_FLEE, u))
        return Marching(s, before, reach_of(s), after, u, transfers)

    def take(self, s: State, f: F, action: Action) -> None:
        verb = action[0]
        if verb == V_TO:
            go(s, action[1], action[2])
        elif verb == V_JOIN:
            s.group |= 1 << action[1]
            displacement.check(s, 1 << action[1])  # 13.3.2e
        elif verb == V_LOAD:
            load(s, action[1])
        elif verb == V_LOAD_SP:
            load_sp(s)
        elif verb == V_UNLOAD_SP:
            unload_sp(s)
        elif verb == V_ROMMEL:
            s.rommel, s.stack_rommel = 0, 1
            emit(s, "rommel", "18.5a", {"units": list(units_of(s.group | s.loads)), "hex": place_of(s), "side": AXIS})
        elif verb == V_LEAVE:
            leave(s, action[1])
        elif verb == V_HALT:
            finish(s)
        elif verb == V_RAIL:
            finish(s)
            rails.ride(s, action[1], action[2])
        elif verb == V_TRANSFER:
            finish(s)
            rails.transfer(s, action[1], action[2])
        elif verb == V_SURRENDER:
            surrender(s, action[1])
        else:
            flee(s, action[1])
            touch(s)

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
        elif joinable(s):
            text = Text("{who}. Pick units of its hex that go too, then a hex", who=who)
        else:
            text = Text("{who}. Pick a hex", who=who)
        return Prompt(title, text, ("5.1a", "5.3a", "5.4a", "5.8.1d"), "movement")

    def hint(self, s: State, f: F, action: Action) -> Hint | None:
        verb = action[0]
        if verb == V_TO:
            return shown(s, action[1], action[2])
        if verb == V_RAIL:
            return {"path": [s.board.grid.names[action[2]]], "note": "by rail (5.9): half defense, no attack"}
        if verb == V_TRANSFER:
            return {"path": [s.board.grid.names[action[2]]], "note": "special transfer (5.8.4)"}
        return None

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        return refusals.why_not_on(s, action)


def _named(s: State, units: int) -> tuple[str, ...]:
    return tuple(s.board.unit_names[u] for u in units_of(units))


WAY_TITLES = ("", "extended movement (5.3a): no attack this impulse", "tactical movement (5.4a)", "road bonus (5.2.2)")


def shown(s: State, to: int, mode: int) -> Hint:
    """The hexes of a move, what is spent on the way and why."""
    board, side = s.board, s.active
    r = reach_of(s)
    names = board.grid.names
    cost, path = r.way(to, mode)
    before = max(s.spent, 0)
    count = str if mode == TACTICAL else mps
    more = tables(s).extended if mode == EXTENDED else 0
    allowance = Text("{n} hexes", n=tables(s).tactical) if mode == TACTICAL else Text("{mp} MP", mp=mps(r.ma + more))
    hint: Hint = {
        "cost": count(before + cost),
        "of": allowance,
        "path": [names[h] for h in path],
        "costs": [count(before + x) for x in r.costs(path, mode)],
        "extended": mode in (EXTENDED, ROAD_BONUS),
        "note": WAY_TITLES[mode],
    }
    if full_zoc(s, enemy(side)) >> to & 1 or board.box_mask >> to & 1:
        hint["stop"] = True
    hint["lines"] = consequences(s, place_of(s), to, mode)
    return hint


FRAMES: dict[int, Frame[State, Any]] = {F_STACK: Stack()}
