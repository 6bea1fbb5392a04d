"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from sandtable.engine.dice import derive_seed
from sandtable.engine.table import Table
from sandtable.terminal.reader import Reader
from sandtable.terminal.session import Seat, Session

from .toygame import GAME


def screen(width: int = 120, terminal: bool = False) -> Console:
    return Console(
        file=io.StringIO(),
        width=width,
        height=50,
        force_terminal=terminal,
        color_system="truecolor" if terminal else None,
    )


def printed(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def human() -> Seat:
    return Seat("human")


def first() -> Seat:
    return Seat("first", lambda table, side: table.legal()[0])


def session(
    lines: Sequence[str],
    seats: Sequence[Seat] = (),
    table: Table[Any] | None = None,
    save: Path | None = None,
    terminal: bool = False,
) -> tuple[Session, Console]:
    console = screen(terminal=terminal)
    table = table if table is not None else Table.new(GAME, "line", seed=derive_seed(3))
    found = Session(table, seats or [human(), human()], console, Reader(console, lines), save)
    return found, console


def play(lines: Sequence[str], seats: Sequence[Seat] = (), **rest: Any) -> tuple[Session, str]:
    """Play a script to its end and give what was printed."""
    found, console = session(lines, seats, **rest)
    found.run()
    return found, printed(console)
