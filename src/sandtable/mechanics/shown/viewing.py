"""What the views of all games say alike: who decides, how it ended, and where an open counter is; and back again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from sandtable.engine.contract import CHANCE, Outcome, State
from sandtable.engine.frames import FrameGame
from sandtable.mechanics.boards import PackBoard
from sandtable.mechanics.masks import units_of


def actor_shown(s: State, sides: Sequence[str]) -> str | None:
    """Who has to decide: a side, chance, or nobody any more."""
    return None if s.ended else "chance" if s.actor == CHANCE else sides[s.actor]


def actor_of(shown: str | None, sides: Sequence[str]) -> int:
    """The same as the state has it."""
    return CHANCE if shown in ("chance", None) else sides.index(shown)


def outcome_shown(s: State, sides: Sequence[str]) -> dict[str, Any] | None:
    """How the game has ended, if it has."""
    if s.ended is None:
        return None
    winner = None if s.ended.winner is None else sides[s.ended.winner]
    return {"winner": winner, "level": s.ended.level, "points": s.ended.points, "rule": s.ended.rule}


def outcome_of(shown: Mapping[str, Any] | None, sides: Sequence[str]) -> Outcome | None:
    """The same as the state has it."""
    if not shown:
        return None
    winner = None if shown["winner"] is None else sides.index(shown["winner"])
    return Outcome(winner, shown["level"], shown["points"], shown["rule"])


class Turned(State, Protocol):
    """A state of a game that is played in turns and phases by two sides."""

    scenario: str
    flags: int
    turn: int
    phase: int
    active: int


def heading(
    game: FrameGame[Any], s: Turned, side: int, phases: Sequence[str], options: Callable[[int], dict[str, bool]]
) -> dict[str, Any]:
    """What every view begins with: the game, whose view it is, when and who; and how it has ended."""
    sides = game.info.sides
    return {
        "game": game.id,
        "version": game.version,
        "scenario": s.scenario,
        "options": options(s.flags),
        "side": sides[side] if side >= 0 else None,
        "turn": s.turn,
        "phase": phases[s.phase],
        "active": sides[s.active],
        "to_act": actor_shown(s, sides),
        "outcome": outcome_shown(s, sides),
    }


# Open counters


class Counters(Protocol):
    """A state with counters that lie open."""

    at: list[int]
    step: bytearray
    due: list[int]

    @property
    def board(self) -> PackBoard: ...


def ids_of(board: PackBoard, units: int) -> list[str]:
    """The units of a mask by their ids."""
    return [board.units[u] for u in units_of(units)]


def counter_shown(
    s: Counters,
    u: int,
    marks: Iterable[tuple[str, int]],
    sides: Sequence[str],
    shows: Sequence[str],
    boxes: Mapping[int, str],
) -> dict[str, Any]:
    """A counter: which side of it shows, its hex or box, when it is due, and those of the marks (with the units that
    have them) that lie on it."""
    board, h = s.board, s.at[u]
    out: dict[str, Any] = {"id": board.units[u], "side": sides[board.side[u]], "shows": shows[s.step[u]]}
    if h >= 0:
        out["hex"] = board.grid.names[h]
    else:
        out["box"] = boxes[h]
    if s.due[u]:
        out["due"] = s.due[u]
    found = [mark for mark, units in marks if units >> u & 1]
    if found:
        out["marks"] = found
    return out


def counter_of(
    s: Counters, shown: Mapping[str, Any], shows: Sequence[str], places: Mapping[str, int], boxes: Mapping[str, int]
) -> tuple[int, int]:
    """The same as the state has it: what lies on the counter is set, and it is told where the game has to put whom."""
    u = s.board.unit_index[shown["id"]]
    s.step[u] = shows.index(shown["shows"])
    s.due[u] = shown.get("due", 0)
    for mark in shown.get("marks", ()):
        setattr(s, mark, getattr(s, mark) | 1 << u)
    return u, places[shown["hex"]] if "hex" in shown else boxes[shown["box"]]


def resume(game: FrameGame[Any], s: State, view: Mapping[str, Any], frames: Iterable[Any]) -> None:
    """Who decides what at a table that a view shows, and how it has ended; nothing has happened there yet."""
    sides = game.info.sides
    s.stack = [game.framed(f) for f in frames]
    s.actor = actor_of(view["to_act"], sides)
    s.ended = outcome_of(view["outcome"], sides)
    s.events = []
