"""Positions with vehicles, built by hand and played through the real game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.engine.contract import Reason
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.game import GAME
from sandtable.games.asl.los.tables import SightTable
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.soundness import faults
from sandtable.games.asl.table import weather
from sandtable.games.asl.table.ids import ALLIED, AXIS, F_MOVES, F_TURN, MPH, SIDES, SPARE
from sandtable.games.asl.table.scenarios import TurnAt
from sandtable.games.asl.table.stage import Stage, hex_names, stage
from sandtable.games.asl.table.state import State, board, put
from sandtable.games.asl.vehicles import points
from sandtable.mechanics.memory import Memory

N, NE, SE, S, SW, NW = range(6)
NNE, E, SSE, SSW, W, NNW = range(6)
"""Facings: vertex v lies between the directions v and v + 1."""

__all__ = ["ALLIED", "AXIS"]


def on_ground(scenario: str, field: Battlefield, **conditions: Any) -> Stage:
    """The stage of a scenario on another ground, or with other conditions."""
    old = stage(scenario)
    made = object.__new__(Stage)
    made.__dict__.update(old.__dict__)
    made.field, made.grid = field, field.grid
    made.sights = SightTable(field)
    made.laid, made.bridges = (), {(): made}
    made._sets, made._words = Memory(), Memory()  # the numbers of its hexes are its own
    made.out, made.into = {}, [-1] * len(hex_names())
    for number, name in enumerate(hex_names()):
        h = field.grid.index.get(name, -1)
        if h >= 0 and h not in made.out:
            made.out[h] = number
            made.into[number] = h
    made.script = {**old.script, "conditions": {**old.script["conditions"], **conditions}}
    return made


class Desk:
    """A table of one scenario with nothing on it, in the middle of a game."""

    def __init__(
        self,
        scenario: str = "s05_hafid_ridge",
        prefix: str = "D1",
        phasing: int = ALLIED,
        field: Battlefield | None = None,
    ) -> None:
        self.stage = stage(scenario) if field is None else on_ground(scenario, field)
        self.prefix = prefix
        self.roster = self.stage.roster
        self.s = s = State(self.stage)
        s.turn, s.phasing = 1, phasing
        for u in range(len(s.at)):
            s.at[u] = SPARE
        s.stack = [TurnAt(F_TURN, 0)]
        weather.begin(s)

    def hex(self, name: str) -> int:
        return self.stage.field.hex(name if "." in name else f"{self.prefix}.{name}")

    def unit(self, name: str) -> int:
        return self.roster.index[name]

    def bit(self, *names: str) -> int:
        return sum(1 << self.unit(name) for name in names)

    def put(self, name: str, where: str, facing: int = 0, turret: int = -1, **marks: bool) -> int:
        """A piece in a hex, facing a vertex; marks by the names of the state's sets."""
        u = self.unit(name)
        put(self.s, u, self.hex(where))
        if (self.roster.vehicles | self.roster.guns) >> u & 1:
            self.s.vca[u] = facing
            self.s.tca[u] = facing if turret < 0 else turret
        for mark in marks:
            setattr(self.s, mark, getattr(self.s, mark) | 1 << u)
        return u

    def board(self, name: str, vehicle: str, rides: bool = False) -> int:
        u, v = self.unit(name), self.unit(vehicle)
        put(self.s, u, self.s.at[v])
        board(self.s, u, v, rides)
        return u

    def give(self, weapon: str, unit: str) -> int:
        w = self.unit(weapon)
        self.s.holder[w] = self.unit(unit)
        put(self.s, w, self.s.at[self.unit(unit)])
        return w

    def settle(self, *frames: Any) -> Desk:
        self.s.stack += frames
        self.s.choices = None
        GAME.settle(self.s)
        return self

    def under(self, date: str = "", **conditions: Any) -> Desk:
        """The same table in other weather, or at another date."""
        self.s.stage = self.stage = on_ground(self.stage.scenario, self.stage.field, **conditions)
        if date:
            self.stage.script = {**self.stage.script, "date": date}
        weather.begin(self.s)
        return self

    def driving(self, name: str) -> Desk:
        """The Movement Phase, with this vehicle in hand."""
        self.s.phase = MPH
        self.settle(MovesAt(F_MOVES))
        self.do(f"drive {name}")
        return self

    @property
    def left(self) -> float:
        """MP that are left to the vehicle in hand."""
        return points.left(self.s) / 2

    def do(self, *texts: str) -> list[Any]:
        events: list[Any] = []
        for text in texts:
            events += GAME.apply(self.s, GAME.parse(self._named(text)))
            assert not faults(self.s)
        return events

    def _named(self, text: str) -> str:
        words = text.split()
        return " ".join(
            f"{self.prefix}.{w}" if w[:1].isupper() and w[-1:].isdigit() and "#" not in w and "." not in w else w
            for w in words
        )

    def roll(self, *faces: int) -> list[Any]:
        """Let chance decisions fall as the faces say, one after the other."""
        left = list(faces)
        events: list[Any] = []
        while left:
            assert GAME.is_chance(self.s), f"nobody rolls here: {GAME.prompt(self.s).title}"
            events += GAME.apply(self.s, GAME.roll(self.s, lambda _: left.pop(0)).action)
            assert not faults(self.s)
        return events

    def legal(self) -> set[str]:
        return {GAME.text(a).replace(f"{self.prefix}.", "") for a in GAME.legal(self.s)}

    def why(self, text: str) -> Reason:
        found = GAME.why_not(self.s, GAME.parse(self._named(text)))
        assert found is not None, text
        return found

    def rule(self, text: str) -> str:
        return self.why(text).rule

    @property
    def who(self) -> str:
        who = GAME.to_act(self.s)
        assert who is not None
        return "chance" if who < 0 else SIDES[who]

    def has(self, mark: str, name: str) -> bool:
        return bool(getattr(self.s, mark) >> self.unit(name) & 1)

    def where(self, name: str) -> str:
        h = self.s.at[self.unit(name)]
        return self.stage.grid.names[h].replace(f"{self.prefix}.", "") if h >= 0 else str(h)


def kinds(events: Iterable[Any]) -> list[str]:
    return [one.kind for one in events]


def event(events: Iterable[Any], kind: str) -> dict[str, Any]:
    return next(one.data for one in events if one.kind == kind)
