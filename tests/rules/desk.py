"""What the rule tests of every game do with a position: name its parts, play it, read what comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from sandtable.engine.contract import Event, Reason
from sandtable.engine.frames import FrameGame

S = TypeVar("S", bound=Any)


class Desk(Generic[S]):
    """One game's board and rules; the names of sides and boxes come from its ids."""

    def __init__(self, game: FrameGame[S], board: Any, sides: Sequence[str], boxes: Mapping[int, str]) -> None:
        self.game = game
        self.board = board
        self.sides = sides
        self.boxes = boxes

    def hex(self, number: str) -> int:
        """A place by its number, its name or its box ("3138", "Tobruk", "tripoli")."""
        grid = self.board.grid
        found = grid.index.get(number, grid.boxes.get(number))
        return int(self.board.names.index(number) if found is None else found)

    def unit(self, ident: str) -> int:
        return int(self.board.unit_index[ident])

    def mask(self, *numbers: str) -> int:
        """The mask of some places."""
        return sum(1 << self.hex(n) for n in numbers)

    def units(self, *idents: str) -> int:
        """The unit mask of some units."""
        return sum(1 << self.unit(n) for n in idents)

    def hexes(self, m: int) -> set[str]:
        """The numbers of the places of a mask."""
        return {name for h, name in enumerate(self.board.grid.names) if name and m >> h & 1}

    def names(self, m: int) -> set[str]:
        """The ids of the units of a unit mask."""
        return {ident for u, ident in enumerate(self.board.units) if m >> u & 1}

    def side_of(self, name: str) -> int:
        return self.sides.index(name)

    def start(self, s: S, *frames: tuple[int, ...]) -> list[Event]:
        """Put frames on the stack (the last one is in charge) and let play run to the first decision."""
        s.stack.extend(self.game.framed(frame) for frame in frames)
        events: list[Event] = []
        s.events = events
        s.choices = None
        self.game.settle(s)
        return events

    def do(self, s: S, *actions: str) -> list[Event]:
        """Take actions in their text notation; returns the events of all of them."""
        events: list[Event] = []
        for text in actions:
            events += self.game.apply(s, self.game.parse(text))
        return events

    def roll(self, s: S, *faces: int) -> list[Event]:
        """Let chance decisions fall with these faces, until they are used up."""
        left = list(faces)
        events: list[Event] = []
        while left:
            events += self.game.apply(s, self.game.roll(s, lambda n: left.pop(0)).action)
        return events

    def texts(self, s: S) -> list[str]:
        """The legal actions in text notation."""
        return [self.game.text(a) for a in self.game.legal(s)]

    def why(self, s: S, text: str) -> Reason | None:
        return self.game.why_not(s, self.game.parse(text))

    def at(self, s: S, ident: str) -> str:
        """Where a unit is: a hex number, or the name of its box."""
        h = s.at[self.unit(ident)]
        return str(self.board.grid.names[h] if h >= 0 else self.boxes[h])


def kinds(events: Sequence[Event]) -> list[str]:
    return [e.kind for e in events]


def of_kind(events: Sequence[Event], kind: str) -> list[Event]:
    return [e for e in events if e.kind == kind]
