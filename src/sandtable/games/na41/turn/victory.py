"""26 Automatic victory, and the ends of the scenarios: S1.3, S2.3, S3.3."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Outcome
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Mask
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


class Victory(Frame[State, VictoryAt]):
    """3.1k, 26.1 whether the game is over. Frame: the moment."""

    at = VictoryAt

    def run(self, s: State, f: VictoryAt) -> None:
        s.stack.pop()
        if f.when == AFTER_SUPPLY:
            for goal in script(s).automatic:
                if automatic(s, goal):
                    end(s, goal.winner, "automatic victory", goal.rule)
                    return
            return
        points, goals = script(s).points, script(s).objectives
        last = s.turn == script(s).last_turn
        if points is not None:
            award(s, points)
            self.judge(s, points, last)
        elif goals is not None and last:
            count = held(s, goals)
            names = [s.board.hex_name(h) for h in hexes_in(taken(s, goals, AXIS))]
            emit(s, "objectives", goals.rule, {"side": AXIS, "count": count, "needed": goals.needed, "held": names})
            self.count(s, goals, count)

    def count(self, s: State, goals: Objectives, count: int) -> None:
        """S1.3 the Axis has enough, or the Allies win; S3.3 either side needs its number, and with a port that nobody
        holds (27.4a) neither may have it."""
        if count >= goals.needed:
            end(s, AXIS, "victory", goals.rule, count)
        elif goals.either_side and held(s, goals, ALLIED) < goals.needed:
            end(s, None, "draw", goals.rule, count)
        else:
            end(s, ALLIED, "victory", goals.rule, count)

    def judge(self, s: State, goals: Points, last: bool) -> None:
        """S2.3.2b at once at the ends of the track; S2.3.3 otherwise by the sign at the end of the last turn."""
        if abs(s.vp) >= goals.sudden:
            end(s, AXIS if s.vp > 0 else ALLIED, "sudden victory", "S2.3.2b", s.vp)
        elif last and s.vp:
            end(s, AXIS if s.vp > 0 else ALLIED, "victory", "S2.3.3", s.vp)
        elif last:
            end(s, None, "draw", "S2.3.3")


def end(s: State, winner: int | None, level: str, rule: str, points: int = 0) -> None:
    s.ended = Outcome(winner, level, points, rule)
    data = {"winner": winner, "level": level, "points": points, "turn": s.turn}
    emit(s, "game_over", rule, data, final=True)


FRAMES: dict[int, Frame[State, Any]] = {F_VICTORY: Victory()}
