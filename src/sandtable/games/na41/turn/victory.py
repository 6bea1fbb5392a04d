"""26 Automatic victory, and the ends of the scenarios: S1.3, S2.3, S3.3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandtable.engine.contract import Outcome, Tally, verdict
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Mask
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import hexes_in
from sandtable.mechanics.shown.telling import emit

from ..supply.supply_lines import full, ungarrisoned
from ..table.frames import VictoryAt
from ..table.ids import ALLIED, AXIS, F_VICTORY
from ..table.position import combat_units_in, controlled, controls
from ..table.scenarios import Automatic, Objectives, Points, script
from ..table.state import State

AFTER_SUPPLY = 0
"""F_VICTORY's moment: after the Supply Phase of a player turn. The other is the end of a game turn."""


# 26.1 Automatic victory


def automatic(s: State, goal: Automatic) -> bool:
    """26.1 the hex is controlled, and a combat unit in full supply is there, when the enemy's Supply Phase is over."""
    return (
        s.active == goal.player_turn
        and controls(s, goal.winner, goal.hex)
        and bool(combat_units_in(s, goal.hex, goal.winner))
        and bool(full(s, goal.winner) >> goal.hex & 1)
    )


# S1.3, S3.3 Objectives


def taken(s: State, goals: Objectives, side: int) -> Mask:
    """S1.3, S3.3 the objectives that a side controls; neither port capacity nor supply matters, but a port without a
    garrison is nobody's (27.4a)."""
    return goals.hexes & controlled(s, side) & ~ungarrisoned(s, side)


def held(s: State, goals: Objectives, side: int = AXIS) -> int:
    """S1.3, S3.3 how many of the objectives a side controls."""
    return taken(s, goals, side).bit_count()


# S2.3 Victory points


def supplied_airfields(s: State, goals: Points) -> int:
    """S2.3.1c the airfields that count: those the Axis controls and that are in full supply."""
    return (goals.airfields & s.control & full(s, AXIS)).bit_count()


def award(s: State, goals: Points) -> None:
    """S2.3.1a, S2.3.1b one point for each airfield above the index of the turn, one less for each below it."""
    index = goals.index[s.turn - 1]
    count = supplied_airfields(s, goals)
    s.vp = max(-goals.sudden, min(goals.sudden, s.vp + count - index))
    data = {"side": AXIS, "airfields": count, "index": index, "gained": count - index, "vp": s.vp}
    emit(s, "victory_points", "S2.3.1b", data)


# The lines that decide


def reckon(s: State) -> Iterator[Tally]:
    """How victory stands: what wins at once, and what is counted at the end of a turn."""
    yield from at_once(s)
    yield from at_end(s)


def at_once(s: State) -> Iterator[Tally]:
    """26.1 what is asked after a Supply Phase."""
    for goal in script(s).automatic:
        text = Text("{side} holds {hex} with a combat unit in full supply", side=goal.winner, hex=goal.hex)
        ends = Outcome(goal.winner, "automatic victory", 0, goal.rule)
        yield Tally(goal.rule, text, met=automatic(s, goal), ends=ends)


def at_end(s: State) -> Iterator[Tally]:
    """S1.3, S2.3, S3.3 what is asked at the end of a turn, most of it on the last."""
    plan = script(s)
    last = s.turn == plan.last_turn
    if plan.points is not None:
        yield from by_points(s, plan.points, last)
    elif plan.objectives is not None:
        yield from by_objectives(s, plan.objectives, last)


def by_objectives(s: State, goals: Objectives, last: bool) -> Iterator[Tally]:
    """S1.3 the Axis has enough, or the Allies win; S3.3 either side needs its number, and with a port that nobody
    holds (27.4a) neither may have it."""
    count, mine = held(s, goals), taken(s, goals, AXIS)
    places = tuple(Tally(goals.rule, Text("{hex}", hex=h), points=mine >> h & 1) for h in hexes_in(goals.hexes))
    yield Tally(goals.rule, "Objectives of the Axis", points=count, parts=places)
    for side in (AXIS, ALLIED) if goals.either_side else (AXIS,):
        own = held(s, goals, side)
        text = Text("{side} controls {wanted} objectives on the last turn", side=side, wanted=goals.needed)
        ends = Outcome(side, "victory", count, goals.rule)
        yield Tally(goals.rule, text, str(own), met=last and own >= goals.needed, ends=ends)
    ends = Outcome(ALLIED, "victory", count, goals.rule)
    if goals.either_side:
        ends = Outcome(None, "draw", count, goals.rule)
    yield Tally(goals.rule, "None of these after the last turn", met=last, ends=ends)


def by_points(s: State, goals: Points, last: bool) -> Iterator[Tally]:
    """S2.3.2b at once at the ends of the track; S2.3.3 otherwise by the sign at the end of the last turn."""
    airfields = Text("{n} (index {index})", n=supplied_airfields(s, goals), index=goals.index[s.turn - 1])
    yield Tally("S2.3.1c", "Axis airfields in full supply", airfields)
    yield Tally("S2.3.2a", "Victory points of the Axis", points=s.vp)
    for side, own in ((AXIS, s.vp), (ALLIED, -s.vp)):
        text = Text("{side} is at its end of the track, {n} points", side=side, n=goals.sudden)
        ends = Outcome(side, "sudden victory", s.vp, "S2.3.2b")
        yield Tally("S2.3.2b", text, met=own >= goals.sudden, ends=ends)
    for side, own in ((AXIS, s.vp), (ALLIED, -s.vp)):
        text = Text("The points are on the side of {side} after the last turn", side=side)
        yield Tally("S2.3.3", text, met=last and own > 0, ends=Outcome(side, "victory", s.vp, "S2.3.3"))
    yield Tally(
        "S2.3.3", "Neither side has points after the last turn", met=last, ends=Outcome(None, "draw", 0, "S2.3.3")
    )


class Victory(Frame[State, VictoryAt]):
    """3.1k, 26.1 whether the game is over. Frame: the moment."""

    at = VictoryAt

    def run(self, s: State, f: VictoryAt) -> None:
        s.stack.pop()
        points, goals = script(s).points, script(s).objectives
        if f.when != AFTER_SUPPLY and points is not None:
            award(s, points)
        elif f.when != AFTER_SUPPLY and goals is not None and s.turn == script(s).last_turn:
            names = [s.board.hex_name(h) for h in hexes_in(taken(s, goals, AXIS))]
            data = {"side": AXIS, "count": held(s, goals), "needed": goals.needed, "held": names}
            emit(s, "objectives", goals.rule, data)
        s.ended = verdict(at_once(s) if f.when == AFTER_SUPPLY else at_end(s))
        if s.ended is not None:
            data = {"winner": s.ended.winner, "level": s.ended.level, "points": s.ended.points, "turn": s.turn}
            emit(s, "game_over", s.ended.rule, data, final=True)


FRAMES: dict[int, Frame[State, Any]] = {F_VICTORY: Victory()}
