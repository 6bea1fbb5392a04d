"""Positions of Infantry on the flat ground of s01, built by hand and played through the real game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sandtable.engine.contract import Reason
from sandtable.games.asl.boards.pack import asl_pack
from sandtable.games.asl.fire.group import GroupAt
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.table.ids import (
    ADVANCING,
    ALLIED,
    AXIS,
    CCPH,
    F_FIRE,
    F_GROUP,
    F_MOVES,
    F_RALLY,
    F_TURN,
    FINAL,
    MPH,
    PREP,
    SIDES,
    SPARE,
    UNDER_SANGAR,
    UNUSED,
)
from sandtable.games.asl.table.scenarios import TurnAt
from sandtable.games.asl.table.stage import Stage, stage
from sandtable.games.asl.table.state import Attack, State, put
from sandtable.games.asl.turn.fires import FireAt
from sandtable.games.asl.turn.rally import RallyAt

from .kit import Side, ground

STAGE = stage("s01_capuzzo_outpost")
ROSTER = STAGE.roster

SQUAD, SQUAD2, SQUAD3 = "br_457#1", "br_457#2", "br_457#3"
LEADER, OTHER_LEADER, LMG = "br_ldr_9m1#1", "br_ldr_8m0#1", "br_lmg#1"
FOE, FOE2, FOE_LEADER, HMG = "it_346#1", "it_346#2", "it_ldr_8m0#1", "it_hmg#1"

__all__ = ["ADVANCING", "ALLIED", "AXIS", "CCPH", "FINAL", "MPH", "PREP", "UNDER_SANGAR"]


def desert(
    hexes: Mapping[str, Mapping[str, Any]] | None = None, sides: Iterable[Side] = (), phasing: int = ALLIED, **map_: Any
) -> State:
    """An empty table on flat ground with these hexes and hexsides changed (see kit.ground)."""
    made = Stage(asl_pack(), "s01_capuzzo_outpost", ROSTER)
    made.lay(ground(hexes, sides, playable_columns={"D1": ["H", "Z"]}, **map_))
    return empty(phasing, on=made)


def H(name: str) -> int:
    return STAGE.field.hex(f"D1.{name}")


def U(name: str) -> int:
    return ROSTER.index[name]


def bits(*names: str) -> int:
    return sum(1 << U(name) for name in names)


def empty(phasing: int = ALLIED, turn: int = 1, on: Stage = STAGE) -> State:
    """An empty table in the middle of a game."""
    s = State(on)
    s.turn, s.phasing = turn, phasing
    for u in range(len(s.at)):
        s.at[u] = SPARE if ROSTER.spare >> u & 1 else UNUSED
    s.stack = [TurnAt(F_TURN, 0)]
    return s


def place(s: State, names: str | Iterable[str], where: str, under: int = 0, at: int = 0) -> None:
    for name in [names] if isinstance(names, str) else names:
        put(s, U(name), s.stage.field.hex(f"D1.{where}"))
        s.under[U(name)] = under
        s.place[U(name)] = at


def give(s: State, weapon: str, unit: str) -> None:
    s.holder[U(weapon)] = U(unit)
    put(s, U(weapon), s.at[U(unit)])


def settle(s: State) -> State:
    s.choices = None
    GAME.settle(s)
    return s


def firing(s: State, side: int, fire: int) -> State:
    s.stack.append(FireAt(F_FIRE, side, fire))
    return settle(s)


def moving(s: State) -> State:
    s.phase = MPH
    s.stack.append(MovesAt(F_MOVES))
    return settle(s)


def rallying(s: State, side: int) -> State:
    s.stack.append(RallyAt(F_RALLY, side))
    return settle(s)


def attack(s: State, side: int, target: str, fire: int = PREP) -> State:
    """A Fire Group is being put together."""
    s.attack = Attack(fire=fire, side=side, target=H(target))
    s.stack.append(GroupAt(F_GROUP))
    return settle(s)


def do(s: State, *texts: str) -> list[Any]:
    events: list[Any] = []
    for text in texts:
        events += GAME.apply(s, GAME.parse(_named(text)))
    return events


def _named(text: str) -> str:
    words = text.split()
    return " ".join(f"D1.{w}" if w[:1].isupper() and w[-1:].isdigit() and "#" not in w else w for w in words)


def roll(s: State, *faces: int) -> list[Any]:
    """Let chance decisions fall as the faces say, one after the other."""
    left = list(faces)
    events: list[Any] = []
    while left:
        assert GAME.is_chance(s), f"nobody rolls here: {GAME.prompt(s).title}"
        events += GAME.apply(s, GAME.roll(s, lambda _: left.pop(0)).action)
    return events


def legal(s: State) -> set[str]:
    return {GAME.text(a).replace("D1.", "") for a in GAME.legal(s)}


def why(s: State, text: str) -> Reason:
    found = GAME.why_not(s, GAME.parse(_named(text)))
    assert found is not None, text
    return found


def rule(s: State, text: str) -> str:
    return why(s, text).rule


def kinds(events: Iterable[Any]) -> list[str]:
    return [one.kind for one in events]


def drms(events: Iterable[Any]) -> int:
    return next(int(one.data["drm"]) for one in events if one.kind == "attack")


def column(events: Iterable[Any]) -> int:
    return next(int(one.data["column"]) for one in events if one.kind == "attack")


def side_of(s: State) -> str:
    who = GAME.to_act(s)
    assert who is not None
    return "chance" if who < 0 else SIDES[who]
