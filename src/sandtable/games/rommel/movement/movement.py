"""5.1 and 5.2 Group moves and regroup moves.

A move is chosen step by step: the kind of move and its hex (F_MOVES, in moves.py), for a regroup move
the destination (F_GATHER), then unit by unit who goes (F_GROUP, F_REGROUP) and in a group move where
to (F_DEST).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.phases import Each, Elsewhere, Once, Phase, Routes

from ..combat.engagement import GATHERED, exit_map
from ..paths.reach import (
    LAND,
    Reach,
    destinations,
    enterable,
    leavable,
    reach,
    redeploy_reach,
    undisturbed,
    ways_into,
    why_unreachable,
)
from ..paths.withdrawal import Lines, why_not_back
from ..table import verbs
from ..table.board import units_of
from ..table.ids import (
    F_DEST,
    F_GATHER,
    F_GROUP,
    F_MOVES,
    F_REGROUP,
    NO_DIR,
)
from ..table.state import State, emit
from ..table.steps import DestAt, GatherAt, GroupAt, RegroupAt
from .moves import (
    MEANWHILE,
    STAYING,
    InHand,
    Move,
    Moves,
    area,
    carry_out,
    end_in_hand,
    lines_for,
    not_begun,
    ready,
    way,
)

__all__ = ["FRAMES", "redeploy_reach"]


# 5.1 Group move


def why_not_here(s: State, now: InHand[GroupAt], u: int) -> Reason:
    """Why a unit is not in the group."""
    if s.start[u] == now.f.hex and s.moved >> u & 1:
        return Reason("6.0d", Text("{unit} has moved this turn", unit=u))
    text = Text("{unit} is not in {hex}: a group move moves units of one hex", unit=u, hex=now.f.hex)
    return Reason("5.1a", text)


GOING: Bars[State, InHand[GroupAt]] = Bars(
    Need("3.4b", "{unit} is not yours", lambda s, now: s.board.of_side[s.active]),
    Bar("6.0d", "{unit} has moved this turn", lambda s, now: s.leaving & s.here[now.f.hex]),
    Need("5.1a", why_not_here, lambda s, now: s.here[now.f.hex]),
    STAYING.asked_of(lambda now: now.lines),
)


def pick(s: State, f: GroupAt, u: int) -> None:
    """5.1c The unit that moves is picked."""
    s.stack[-1] = f._replace(begun=1)
    s.stack.append(DestAt(F_DEST, u, f.rommel, f.withdrawal))


class Group(Move[GroupAt]):
    """5.1 Units of one hex move, each on its own."""

    at = GroupAt
    does = (
        Each(verbs.MOVE, of=lambda s, now: ready(s, s.here[now.f.hex]), bars=GOING, take=pick),
        Once(verbs.END_MOVE, shut=not_begun, take=end_in_hand),
        *MEANWHILE,
    )

    def pool(self, s: State, f: GroupAt) -> int:
        return ready(s, s.here[f.hex])

    def prompt(self, s: State, f: GroupAt) -> Prompt:
        text = term("the Rommel move: each unit may go one hex farther") if f.rommel else ""
        rules = ("5.3a", "5.3f") if f.withdrawal else ("5.1a", "6.3b") if f.rommel else ("5.1a",)
        title = (
            Text("Withdraw units from {hex}", hex=f.hex) if f.withdrawal else Text("Move units from {hex}", hex=f.hex)
        )
        return Prompt(title, text, rules, "movement")


class Going(NamedTuple):
    """A unit that is to go somewhere."""

    unit: int
    reach: Reach
    withdrawal: int
    lines: Lines | None


EXITS: Bars[State, Going] = Bars(
    Bar("17.1a", "no unit leaves the map by withdrawal", lambda s, now: ALL if now.withdrawal else 0),
    Need("17.1a", "{hex} is not on the enemy's map edge", lambda s, now: s.board.exits[s.board.side[now.unit]]),
    Bar(
        "17.1a",
        "only a unit supplied at its initial supply check may leave the map",
        lambda s, now: ALL if s.unsupplied >> now.unit & 1 else 0,
    ),
    Bar(
        "17.1a",
        "a unit that disengages may not leave the map",
        lambda s, now: ALL if s.occ[1 - s.active] >> s.at[now.unit] & 1 else 0,
    ),
    Need(
        "17.1a",
        "it cannot reach {hex} with a hex of movement left to cross the edge",
        lambda s, now: leavable(s, now.reach, now.unit),
    ),
)


def go_to(s: State, f: DestAt, h: Hex, via: int) -> None:
    s.stack.pop()
    r = way(s, f.unit, f.rommel, lines_for(s, f.withdrawal))
    carry_out(s, f.unit, r, h, via, f.rommel, "5.3a" if f.withdrawal else "5.1a")


def go_off(s: State, f: DestAt, h: Hex) -> None:
    s.stack.pop()
    r = way(s, f.unit, f.rommel, lines_for(s, f.withdrawal))
    exit_map(s, f.unit, r.exit_path(s.board, h), f.rommel)


def destination_hint(s: State, f: DestAt, action: Action) -> Hint:
    return way_shown(s, way(s, f.unit, f.rommel, lines_for(s, f.withdrawal)), action[1], action[2])


class Destination(Phase[State, DestAt, Going]):
    """5.1b Where one unit of a group move goes."""

    at = DestAt
    does = (
        Routes(
            verbs.TO,
            of=lambda s, f, now: destinations(s, now.reach),
            reason=lambda s, f, now, to: why_not_to(s, now.unit, now.reach, to[0], to[1], now.lines),
            take=go_to,
            hint=destination_hint,
        ),
        Each(verbs.EXIT, of=lambda s, now: now.reach.exits, bars=EXITS, take=go_off),
    )

    def actor(self, s: State, f: DestAt) -> int | None:
        return s.active

    def now(self, s: State, f: DestAt) -> Going:
        lines = lines_for(s, f.withdrawal)
        return Going(f.unit, way(s, f.unit, f.rommel, lines), f.withdrawal, lines)

    def prompt(self, s: State, f: DestAt) -> Prompt:
        u = f.unit
        text = Text("{unit}, speed {speed}, from {hex}", unit=u, speed=s.board.speed[u] + f.rommel, hex=s.at[u])
        rules = ("5.3e", "5.3g") if f.withdrawal else ("6.0a", "6.2a")
        return Prompt("Where does it go?", text, rules, "movement")

    def why_not(self, s: State, f: DestAt, action: Action) -> Reason | None:
        if action[0] not in (verbs.TO, verbs.EXIT):
            return Reason("5.1c", Text("first say where {unit} goes", unit=f.unit))
        return super().why_not(s, f, action)


ROAD_WORDS = ("by coast road (6.2a)", "by track (6.2a)", "by trail (6.2a)", "")
"""By the grade of the whole way."""


def way_shown(s: State, r: Reach, h: Hex, via: int) -> Hint:
    """6.0a the hexes that a move takes, and how many; 6.0c it stops where enemies are."""
    path = r.path(s.board, h, via)
    names = s.board.grid.names
    return {
        "cost": str(len(path.hexes)),
        "path": [names[x] for x in path.hexes],
        "stop": via != NO_DIR,
        "note": ROAD_WORDS[path.grade],
    }


def why_not_to(s: State, u: int, r: Reach, h: Hex, via: int, lines: Lines | None) -> Reason:
    """Why a unit cannot go to a hex, through this side of it."""
    return why_unreachable(s, u, r, h, via) if lines is None else why_not_back(s, lines, u, h, via, r)


# 5.2 Regroup move


def entries(s: State, u: int, bonus: int, lines: Lines | None, h: Hex) -> Sequence[int]:
    """By which sides a unit can enter a hex in this move. Who could not get there even without enemies, and off the
    line, is not asked for his line."""
    if not undisturbed(s.board, s.at[u], s.board.speed[u] + bonus) >> h & 1:
        return ()
    return ways_into(s, way(s, u, bonus, lines), h)


def foremost(s: State, h: Hex, special: int = 0) -> list[int]:
    """Units who get wherever any around the command point get: the fastest of each hex, and who is special."""
    speed, at = s.board.speed, s.at
    units = ready(s, area(s, h))
    fastest: dict[Hex, int] = {}
    for u in units_of(units & ~special):
        known = fastest.get(at[u], -1)
        if known < 0 or speed[u] > speed[known]:
            fastest[at[u]] = u
    return [*fastest.values(), *units_of(units & special)]


def gathering_places(s: State, f: GatherAt) -> Mask:
    """5.2c, 6.4f Every hex that a unit around the command point can get to, by forced march at least."""
    lines = lines_for(s, f.withdrawal)
    hexes: Mask = 0
    for u in foremost(s, f.hex, 0 if lines is None else lines.special):
        hexes |= enterable(s, way(s, u, f.rommel + (lines is None), lines))
    return hexes


def why_no_gathering(s: State, f: GatherAt, h: Hex) -> Reason:
    lines = lines_for(s, f.withdrawal)
    units = units_of(ready(s, area(s, f.hex)))
    reason = LAND.why(h, s, None, {}) or why_not_to(s, units[0], way(s, units[0], f.rommel, lines), h, NO_DIR, lines)
    text = Text("no unit in or beside {hex} can get there; of the first, {reason}", hex=f.hex, reason=reason.why)
    return Reason(reason.rule, text)


def gather(s: State, f: GatherAt, h: Hex) -> None:
    s.stack[-1] = RegroupAt(F_REGROUP, f.hex, f.rommel, f.withdrawal, h, 0)
    emit(s, "gathering", "5.2e", {"hex": f.hex, "to": h, "side": s.active})


class Gather(Phase[State, GatherAt, GatherAt]):
    """5.2c, 5.2e The destination of a regroup move."""

    at = GatherAt
    does = (
        Each(verbs.GATHER, bars=Bars(Need("5.2c", why_no_gathering, gathering_places)), take=gather),
        Elsewhere("5.2e", "first name the hex in which the units gather", *verbs.all_but(verbs.GATHER)),
    )

    def actor(self, s: State, f: GatherAt) -> int | None:
        return s.active

    def prompt(self, s: State, f: GatherAt) -> Prompt:
        text = Text("units in and beside {hex} go to one hex", hex=f.hex)
        return Prompt("Where do they gather?", text, ("5.2c", "5.2a"), "movement")


JOINING: Bars[State, InHand[RegroupAt]] = Bars(
    Need("3.4b", "{unit} is not yours", lambda s, now: s.board.of_side[s.active]),
    Bar(
        "5.2a",
        lambda s, now, u: Text("{unit} is in {hex}", unit=u, hex=now.f.to),
        lambda s, now: s.here[now.f.to],
    ),
    Need(
        "5.2a",
        lambda s, now, u: Text("{unit} is neither in {hex} nor beside it", unit=u, hex=now.f.hex),
        lambda s, now: area(s, now.f.hex),
    ),
    STAYING.asked_of(lambda now: now.lines),
)


def why_not_joining(s: State, f: RegroupAt, now: InHand[RegroupAt], args: Sequence[int]) -> Reason:
    """Why a unit cannot go to the destination of the regroup move so."""
    u, via = args
    reason = JOINING.why(u, s, now, {"unit": u})
    if reason is None:
        reason = why_not_to(s, u, now.way(u), f.to, via, now.lines)
        if reason.rule in ("6.0a", "6.2a") and now.lines is None:
            return Reason("5.2f", reason.why)
    return reason


def regroup_pool(s: State, f: RegroupAt) -> int:
    return ready(s, area(s, f.hex) & ~s.here[f.to])


def joining(s: State, f: RegroupAt, now: InHand[RegroupAt]) -> list[Action]:
    """5.2a, 5.2e Who can go to the destination, and through which side of it."""
    units = units_of(regroup_pool(s, f))
    if f.withdrawal:
        return [(verbs.JOIN, u, via) for u in units for via in entries(s, u, f.rommel, now.lines, f.to)]
    into = ways_by_start(s, f, units)
    return [(verbs.JOIN, u, via) for u in units for via in into[s.at[u], s.board.speed[u]]]


def ways_by_start(s: State, f: RegroupAt, units: Sequence[int], more: int = 0) -> dict[tuple[Hex, int], Sequence[int]]:
    """How the destination can be entered, by the hex and the speed of a unit: the same for all who share them."""
    speed = s.board.speed
    into: dict[tuple[Hex, int], Sequence[int]] = {}
    for u in units:
        key = (s.at[u], speed[u])
        if key not in into:
            into[key] = ways_into(s, reach(s, u, f.rommel + more), f.to)
    return into


def can_march(s: State, f: RegroupAt) -> bool:
    """6.4f whether a unit could join by forced march alone: the move may consist of such marches."""
    units = units_of(regroup_pool(s, f))
    marched = ways_by_start(s, f, units, 1)
    return any(marched[start] and not ways for start, ways in ways_by_start(s, f, units).items())


def nobody_joins(s: State, now: InHand[RegroupAt]) -> Reason | None:
    """Why a regroup move cannot end now."""
    f = now.f
    return None if not f.begun and not f.withdrawal and can_march(s, f) else not_begun(s, now)


def join(s: State, f: RegroupAt, u: int, via: int) -> None:
    s.stack[-1] = f._replace(begun=1)
    r = way(s, u, f.rommel, lines_for(s, f.withdrawal))
    carry_out(s, u, r, f.to, via, f.rommel, "5.3a" if f.withdrawal else "5.2a")
    s.moved_far[u] |= GATHERED


def end_regroup(s: State, f: RegroupAt) -> None:
    note_marchers(s, f)
    end_in_hand(s, f)


def note_marchers(s: State, f: RegroupAt) -> None:
    """6.4f units that could reach the destination only by a forced march may attempt one later."""
    lines = lines_for(s, f.withdrawal)
    for u in units_of(regroup_pool(s, f)):
        if lines is not None and s.occ[1 - s.active] >> s.at[u] & 1:
            continue
        if entries(s, u, f.rommel, lines, f.to):
            continue
        # whoever waits to join another regroup move of this phase goes on waiting, unless he could march here
        if s.plan[u] < 0 or entries(s, u, f.rommel + 1, lines, f.to):
            s.plan[u] = f.to
            s.moved_far[u] = f.rommel


def join_hint(s: State, f: RegroupAt, action: Action) -> Hint:
    return way_shown(s, way(s, action[1], f.rommel, lines_for(s, f.withdrawal)), f.to, action[2])


class Regroup(Move[RegroupAt]):
    """5.2 Units around a command point go to one hex."""

    at = RegroupAt
    does = (
        Routes(verbs.JOIN, of=joining, reason=why_not_joining, take=join, hint=join_hint),
        Once(verbs.END_MOVE, shut=nobody_joins, take=end_regroup),
        *MEANWHILE,
    )

    def pool(self, s: State, f: RegroupAt) -> int:
        return regroup_pool(s, f)

    def run(self, s: State, f: RegroupAt) -> None:
        end_regroup(s, f)

    def prompt(self, s: State, f: RegroupAt) -> Prompt:
        if f.rommel:
            text = Text("units in and beside {hex}, one hex farther as the Rommel move", hex=f.hex)
        else:
            text = Text("units in and beside {hex}", hex=f.hex)
        return Prompt(Text("Gather units in {hex}", hex=f.to), text, ("5.2a", "5.2f"), "movement")


FRAMES: dict[int, Frame[State, Any]] = {
    F_MOVES: Moves(),
    F_GROUP: Group(),
    F_GATHER: Gather(),
    F_REGROUP: Regroup(),
    F_DEST: Destination(),
}
