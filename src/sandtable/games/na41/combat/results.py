"""10.1 The combat results table: what its cells say, for every chapter that asks.

`State.result` is a number of one cell: which result (10.1b to 10.1j), and in which colour it stands on the table
(11.2.2). -1 is no result yet.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import term
from sandtable.mechanics.masks import enemy
from sandtable.mechanics.memory import remembered

from ..table.board import Board
from ..table.state import State

RESULTS = ("DS", "DR4", "D1", "A1/D1", "A1/DR2", "DR2", "DRX", "EX", "A1")
DS, DR4, D1, A1_D1, A1_DR2, DR2, DRX, EX, A1 = range(9)
RULES = ("10.1b", "10.1c", "10.1d", "10.1e", "10.1f", "10.1g", "10.1h", "10.1i", "10.1j")
"""The rule of each result, in the same order."""

PLAIN, ORANGE, RED = 0, 1, 2  # 11.2.2 what the colour of a cell means for a determined defence
COLOURS = ("", "o", "r")
COLOURED = {
    "D1 o": term("D1 (orange)"),
    "DR4 o": term("DR4 (orange)"),
    "DR4 r": term("DR4 (red)"),
    "DS r": term("DS (red)"),
}
"""The coloured cells of the table in words."""

UNCHANGED, DISRUPTED, FULL_RETREAT = 0, 1, 2  # 13.1 what becomes of those who retreat
STATES = ("unchanged", "disrupted", "full_retreat")

LOWEST, HIGHEST, AUTO = -1, 7, 10
"""8.3a, 8.8.3: 1:3 and 7:1 are the outermost columns, as rungs (mechanics.fights.odds); from 10:1 on it is a DS."""


class Code(NamedTuple):
    """10.1 one result of the table."""

    attacker_loss: int
    defender_loss: int
    opponent_picks: bool  # 10.2.1 who picks the units that lose the steps
    retreat: tuple[int, int]  # from, to: D1 lets the owner choose
    state: int  # 13.1.2, 13.1.3a
    advance: int  # 14.2.1a hexes; 0 for none
    limited: bool  # 14.2.2 a limited advance if the hex is emptied
    extra_tank: bool  # 18.2b
    recon_spared: bool  # 18.1a
    determined: bool  # 11.1a there is a retreat to cancel


@remembered()
def codes(board: Board) -> tuple[Code, ...]:
    """10.1 the results in the order of RESULTS, as the pack has them."""
    by_code: dict[str, dict[str, Any]] = {row["code"]: row for row in board.pack.tables["crt"]["result"]}
    return tuple(_read(by_code[name]) for name in RESULTS)


def _read(row: dict[str, Any]) -> Code:
    first, last = row["retreat"]
    return Code(
        row["attacker_loss"],
        row["defender_loss"],
        row["chosen_by"] == "opponent",
        (first, last),
        STATES.index(row["state"]),
        row["advance"],
        row["limited_advance_if_emptied"],
        row["allied_extra_tank_step_with_88"],
        row["lone_recon_ignores_loss"],
        row["determined_defence"],
    )


def cell(text: str) -> int:
    """A cell of the table as a number: "D1 o" is D1 in orange."""
    code, _, colour = text.partition(" ")
    return RESULTS.index(code) * 3 + COLOURS.index(colour)


@remembered()
def table(board: Board) -> tuple[tuple[int, ...], ...]:
    """The table by column (1:3 first) and die (1 first)."""
    return tuple(tuple(cell(row[c]) for row in board.crt_rows) for c in range(len(board.crt_columns)))


def column_cells(board: Board, rung: int) -> tuple[int, ...]:
    """8.8.3b, A10 the six cells of a rung: 8:1 and 9:1 are read on 7:1, what is worse than 1:3 on 1:3."""
    return table(board)[max(LOWEST, min(HIGHEST, rung)) - LOWEST]


def shattered(board: Board) -> int:
    """8.8.3c the result of 10:1 and more."""
    return cell(board.pack.tables["crt"]["auto"]["result"])


def result_of(s: State) -> int:
    """DS, DR4, … of the fight under way."""
    return s.fight.result // 3


def code_of(s: State) -> Code:
    """10.1 what the result of the fight under way says."""
    return codes(s.board)[s.fight.result // 3]


def colour_of(s: State) -> int:
    """11.2.2 PLAIN, ORANGE or RED."""
    return s.fight.result % 3


def cell_name(number: int) -> str:
    """A cell as the table prints it, the colour in words."""
    code, colour = divmod(number, 3)
    printed = f"{RESULTS[code]} {COLOURS[colour]}".strip()
    return COLOURED.get(printed, printed)


def defenders_left(s: State) -> int:
    """The defending combat units that are still in the hex that was attacked."""
    return units_left(s, s.fight.target, s.fight.defenders)


def units_left(s: State, h: Hex, units: int) -> int:
    """Of some combat units, the enemy's that are in a hex."""
    return s.here.get(h, 0) & units & s.board.of_side[enemy(s.active)] & s.board.combat
