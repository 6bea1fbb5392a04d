"""F.7 Known Minefields at set-up: counters, lines of them, and how many dummies a side gets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Event, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import units_of

from . import verbs
from .ids import F_DUMMY_MINES, MINES_AP, MINES_AT, MINES_DUMMY, PHASES, UNUSED
from .stage import Stage
from .state import State

WAITING = -5
"""In hand, to be set up."""
KNOWN = ("known_minefield_ap", "known_minefield_at")
FACTORS_A_DUMMY = 24  # F.7Be


class DummyMinesAt(NamedTuple):
    """F.7Bf a side with dummies makes a secret dr for more."""

    frame: int
    side: int
    due: int


def splits(total: int, strengths: tuple[int, ...] = (6, 8, 12)) -> list[tuple[int, ...]]:
    """F.7c every way of laying out so many A-P factors in counters, the strongest first."""
    found: list[tuple[int, ...]] = []

    def more(left: int, most: int, taken: tuple[int, ...]) -> None:
        if left == 0:
            found.append(taken)
        for one in sorted(strengths, reverse=True):
            if one <= min(left, most):
                more(left - one, one, (*taken, one))

    more(total, max(strengths), ())
    return found


def line_hexes(stage: Stage, a: Hex, b: Hex) -> list[Hex]:
    """F.7Aa, F.7Ab the hexes of a minefield line from one counter to the other, along a Hex Grain or an Alternate Hex
    Grain; none if they lie on neither."""
    grid = stage.grid
    for first in range(6):
        for steps in ((first,), (first, (first + 1) % 6)):
            way, h = [a], a
            while h >= 0 and h != b and len(way) <= grid.size:
                for d in steps:
                    h = grid.neighbour(h, d) if h >= 0 else -1
                way.append(h)
            if h == b and a != b:
                return way
    return []


def factors_of(script: Mapping[str, Any]) -> int:
    """All Known Minefield factors of a side."""
    groups = script["group"]
    return sum(int(group.get("fortifications", {}).get(id, 0)) for group in groups for id in KNOWN)


def dummies_due(factors: int, printed: int = 0) -> int:
    """F.7Bd, F.7Be, AMB-58 as many as the scenario says, otherwise one for each whole 24 factors."""
    return printed or factors // FACTORS_A_DUMMY


def extra(count: int, die: int) -> int:
    """F.7Bf half of a secret dr more, for who has any."""
    return die // 2 if count else 0


def lay_out(s: State, members: int, script: Mapping[str, Any]) -> None:
    """F.7c the counters of a group have the strengths that the scenario proposes."""
    for kind, id in ((MINES_AP, KNOWN[0]), (MINES_AT, KNOWN[1])):
        laid = [int(one["factors"]) for one in script.get("default_setup", ()) if one["unit"] == id]
        mines = units_of(members & s.stage.roster.of_kind[kind])
        for u, factors in zip(mines, laid, strict=False):
            s.strength[u] = factors


def dummies_of(s: State, side: int) -> list[DummyMinesAt]:
    """The frame that gives a side its dummies, if it has any coming."""
    script = s.stage.sides[side]
    printed = sum(int(group.get("fortifications", {}).get("dummy_minefield", 0)) for group in script["group"])
    count = dummies_due(factors_of(script), printed)
    return [DummyMinesAt(F_DUMMY_MINES, side, count)] if count else []


class DummyMines(OneDie[State, DummyMinesAt]):
    """F.7Bf"""

    at = DummyMinesAt

    def take(self, s: State, f: DummyMinesAt, action: Action) -> None:
        s.stack.pop()
        roster = s.stage.roster
        count = f.due + extra(f.due, action[1])
        box = [u for u in units_of(roster.of_kind[MINES_DUMMY] & roster.of_side[f.side]) if s.at[u] == UNUSED]
        for u in box[:count]:
            s.at[u] = WAITING
        facts = {"side": f.side}
        s.events.append(Event("dummy_mines", "F.7Bf", facts, f.side, {"count": count}, True, True))

    def prompt(self, s: State, f: DummyMinesAt) -> Prompt:
        return Prompt("How many dummy minefields?", "", ("F.7Be", "F.7Bf"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_DUMMY_MINES: DummyMines(verbs.FELL)}
