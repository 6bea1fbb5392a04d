"""What every board has from its pack: the map with its names, and the units by number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import sandtable
from sandtable.engine.hexes import Grid, Mask
from sandtable.engine.packs import Pack, Row, load_pack
from sandtable.engine.texts.words import Words

_BOARDS: dict[tuple[Any, ...], PackBoard] = {}
"""The first board made of each pack and its extras: a state that comes out of a pickle finds its board here."""


_HOME = Path(sandtable.__file__).parent


def _named(folder: Path) -> str:
    """A folder of the project as it is called on every machine; any other by its path."""
    return str(folder.relative_to(_HOME)) if folder.is_relative_to(_HOME) else str(folder.resolve())


def board_again(
    kind: type[PackBoard], folder: str, overrides: tuple[str, ...], extras: tuple[Any, ...] = ()
) -> PackBoard:
    """The board of a pack, for a state that was pickled without it."""
    found = _BOARDS.get((kind, folder, overrides, extras))
    if found is None:
        make: Any = kind
        found = make(load_pack(_HOME / folder, tuple(_HOME / one for one in overrides)), *extras)
    return found


class PackBoard:
    """A board as far as all games read it from their packs in the same way.

    Pickled it is only the name of its pack, and the `extras` that its class takes besides: a board never changes, and
    is large.
    """

    def __init__(self, pack: Pack, sides: Sequence[str], extras: tuple[Any, ...] = ()) -> None:
        self.pack = pack
        self.extras = extras
        _BOARDS.setdefault(self._made_of(), self)
        self.grid: Grid = pack.grid
        self.size = pack.grid.size
        self.scripts: dict[str, Any] = {}  # what has been read of each scenario (scripts.py)
        self.names: list[str] = [""] * self.size
        for h, place in pack.hexes.items():
            self.names[h] = place.name
        rows: list[Row] = list(pack.units.values())
        self.units: tuple[str, ...] = tuple(r["id"] for r in rows)
        self.unit_index: dict[str, int] = {name: i for i, name in enumerate(self.units)}
        self.unit_names: tuple[str, ...] = tuple(r["name"] for r in rows)
        self.side: tuple[int, ...] = tuple(sides.index(r["side"]) for r in rows)

    def __reduce__(self) -> tuple[Any, ...]:
        return board_again, self._made_of()

    def _made_of(self) -> tuple[Any, ...]:
        return type(self), _named(self.pack.folder), tuple(map(_named, self.pack.overrides)), self.extras

    def hex_name(self, h: int) -> str:
        """The name a player would use."""
        return self.names[h] or self.grid.names[h]

    def hex_label(self, h: int) -> str:
        """The name in a list of actions: Maikop (2333), or 1432."""
        number = self.grid.names[h]
        return f"{self.names[h]} ({number})" if self.names[h] else number

    def words(self, sides: Sequence[str], hex_label: Callable[[int], str] | None = None, **more: Any) -> Words:
        """The names of what stands on the board; `more` are the game's own tables."""
        return Words(
            self.grid,
            self.units,
            sides=sides,
            unit_names=self.unit_names,
            hex_name=self.hex_name,
            hex_label=hex_label or self.hex_label,
            **more,
        )

    def mask(self, names: Iterable[str]) -> Mask:
        """The set of hexes with these numbers."""
        return sum(1 << self.grid.index[n] for n in set(names))
