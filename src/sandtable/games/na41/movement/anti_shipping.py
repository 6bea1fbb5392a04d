"""22 Convoy attacks: the anti-shipping table, and what is sunk."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Term
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Mask
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.dice import OneDie, TwoDice
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.shown.telling import emit

from ..combat.losses import step_loss
from ..table.board import Board
from ..table.frames import ASTAt, SinkingAt, SplitAt
from ..table.ids import AT_SEA, AXIS, F_AST, F_SINKING, F_SPLIT, PHASES
from ..table.position import controlled, steps_left
from ..table.state import State
from ..table.verbs import V_ROLLED

THIRTY_SIXTH = Fraction(1, 36)

SP = -1
"""A loose SP among the items of a convoy that are rolled for; other items are unit numbers, or `-2 - u` for the SP
that an MSU carries."""


LAND = -1
"""F_SPLIT's argument when everybody lands at the goal; otherwise the SPs that go on to Benghazi."""


class Sea:
    """What never changes about ports and the anti-shipping table."""

    def __init__(self, board: Board) -> None:
        table = board.pack.tables["ast"]
        columns = table["columns_safe_to_dangerous"]
        self.columns: tuple[str, ...] = tuple(columns)
        self.column: tuple[int, ...] = tuple(
            columns.index(row["ast_column"]) if row["ast_column"] in columns else -1
            for row in board.pack.tables["port"]
        )  # 22.2.1c, 22.2.1d Italy has none
        self.low, self.high = int(table["first_row"]), int(table["last_row"])
        self.rows: dict[int, tuple[int, ...]] = {int(n): tuple(row) for n, row in table["rows"].items()}
        self.italy_impulses: tuple[int, ...] = tuple(board.general["italy_convoy_impulses"])
        self.italy = board.port_at[board.italy]
        self.tripoli = board.port_at[board.tripoli]
        self.benghazi = board.port_ids.index("benghazi")
        self.fields: Mask = board.mask(
            row["hex"] for row in board.pack.tables["airfield"] if row["id"] in table["coastal_drm"]["map_airfields"]
        )


@remembered()
def sea(board: Board) -> Sea:
    return Sea(board)


# 22.2 Is it found?

COAST, MALTA, BENGHAZI = 0, 1, 2  # F_AST's legs: a coastal convoy, past Malta, and on to Benghazi (22.3.5b)


def leg_of(s: State) -> int:
    return MALTA if s.convoy_from == sea(s.board).italy else COAST


def column(s: State, leg: int) -> int:
    """22.2.1c the worse column of the two ports; 22.2.1d, 22.3.5b past Malta that of Tripoli, then that of Benghazi."""
    chart = sea(s.board)
    if leg == MALTA:
        return chart.column[chart.tripoli]
    if leg == BENGHAZI:
        return chart.column[chart.benghazi]
    return max(chart.column[s.convoy_from], chart.column[s.convoy_to])


def modifiers(s: State, leg: int) -> list[tuple[int, str, Said]]:
    """22.2.1b, 22.2.2, 22.3.1a the anti-shipping modifiers of a leg: value, rule, words."""
    board, side = s.board, s.active
    if leg == MALTA:
        return [(s.malta, "22.3.2a", term("Malta"))]
    drm = board.pack.tables["ast"]["coastal_drm"]
    found: list[tuple[int, str, Said]] = []
    fields = (sea(board).fields & controlled(s, side)).bit_count()
    if fields:
        helped = Text("friendly airfields: {n}", n=fields)
        found.append((fields * drm["per_controlled_map_airfield"], "22.2.2a", helped))
    if crete(s) == side:
        found.append((drm["crete_friendly"], "22.2.2b", term("Crete")))
    if s.impulse == drm["third_impulse_number"]:
        found.append((drm["third_impulse"], "22.2.2c", term("third impulse")))
    return found


def crete(s: State) -> int:
    """22.2.2b whose Crete is: Allied at the start, Axis from turn 6 on."""
    return AXIS if s.turn >= s.board.pack.tables["crete"]["axis_from_turn"] else enemy(AXIS)


def ast_result(s: State, leg: int, total: int) -> int:
    """22.2.1a the result of two dice: 0 if the convoy is not found, else the number that sinks."""
    chart = sea(s.board)
    row = total + sum(term[0] for term in modifiers(s, leg))
    return chart.rows[max(chart.low, min(chart.high, row))][column(s, leg)]


def found_words(s: State, result: int, units: int) -> Said:
    """22.2.4b, 22.2.5 what a result means: for a step of a combat unit the die is higher."""
    if not result:
        return term("not found")
    steps = result - int(s.board.pack.tables["ast"]["loss_roll"]["combat_unit_step_modifier"])
    if units & s.board.combat:
        if steps <= 0:
            return Text("found, sunk on {n} or less, combat units never", n=result)
        return Text("found, sunk on {n} or less, combat units on {steps} or less", n=result, steps=steps)
    return Text("found, sunk on {n} or less", n=result)


def ast_odds(s: State, leg: int, more: int = 0) -> Odds:
    """What the two dice would give, if these units sail too."""
    chances: dict[int, int] = {}
    for total in range(2, 13):
        result = ast_result(s, leg, total)
        chances[result] = chances.get(result, 0) + 6 - abs(7 - total)
    terms = tuple(Term(f"{v:+d}", rule, text) for v, rule, text in modifiers(s, leg))
    results = tuple((found_words(s, r, s.convoy | more), THIRTY_SIXTH * n) for r, n in sorted(chances.items()))
    port = sea(s.board).columns[column(s, leg)].replace("_", " ").title()
    return Odds(Text("Anti-shipping table, {port} column", port=port), terms, results)


def in_a_row(terms: Iterable[Term]) -> Said:
    """What modifies a roll, in one line."""
    said: Said = ""
    for term_ in terms:
        one = Text("{value} {text}", value=term_.value, text=term_.text)
        said = Text("{first}; {more}", first=said, more=one) if said else one
    return said


class AntiShipping(TwoDice[State, ASTAt]):
    """22.2.1a Two dice on the anti-shipping table. Frame: leg."""

    at = ASTAt

    def take(self, s: State, f: ASTAt, action: Action) -> None:
        s.stack.pop()
        leg, total = f.leg, action[1]
        result = ast_result(s, leg, total)
        name = sea(s.board).columns[column(s, leg)]
        drm = sum(term[0] for term in modifiers(s, leg))
        data = {"side": s.active, "dice": total, "drm": drm, "column": name, "result": result}
        emit(s, "anti_shipping", "22.2.1a", data, final=True)
        s.stack.append(
            SplitAt(F_SPLIT, 0) if leg == MALTA and s.convoy_to == sea(s.board).benghazi else SplitAt(F_SPLIT, LAND)
        )
        if result:
            s.stack.append(SinkingAt(F_SINKING, result, tuple(items(s))))

    def prompt(self, s: State, f: ASTAt) -> Prompt:
        odds = ast_odds(s, f.leg)
        rules = ("22.2.1a", *dict.fromkeys(t.rule for t in odds.terms))
        return Prompt("Is the convoy found?", in_a_row(odds.terms), rules, PHASES[s.phase])


# 22.2.4 What is sunk


def items(s: State) -> list[int]:
    """22.2.4b, A34 what is rolled for: each step of a combat unit, each truck and replacement, and the SP of an MSU
    before its truck; then the loose SPs."""
    found: list[int] = []
    for u in units_of(s.convoy):
        if s.msu >> u & 1:
            found.append(-2 - u)
        found += [u] * (steps_left(s, 1 << u) if s.board.combat >> u & 1 else 1)
    return found + [SP] * s.convoy_sp


class Sinking(OneDie[State, SinkingAt]):
    """22.2.4b One die for each step, SP and truck of a convoy that was found. Frame: result, then the items left."""

    at = staticmethod(SinkingAt.of)

    def take(self, s: State, f: SinkingAt, action: Action) -> None:
        result, (item, *rest) = f.result, f.items
        s.stack.pop()
        combat = item >= 0 and s.board.combat >> item & 1
        bonus = s.board.pack.tables["ast"]["loss_roll"]["combat_unit_step_modifier"] if combat else 0  # 22.2.5
        sunk = action[1] + bonus <= result
        unit = item if item >= 0 else -2 - item if item < SP else -1
        data = {"side": s.active, "die": action[1], "drm": bonus, "sunk": sunk, "unit": unit, "sp": item < 0}
        emit(s, "sinking", "22.2.4b", data, final=True)
        if rest:
            s.stack.append(SinkingAt(F_SINKING, result, tuple(rest)))
        if sunk:
            sink(s, item)

    def actor(self, s: State, f: SinkingAt) -> int | None:
        item = f.items[0]
        gone = item >= 0 and s.at[item] != AT_SEA
        return None if gone else super().actor(s, f)

    def run(self, s: State, f: SinkingAt) -> None:
        """A unit that is gone altogether has nothing left to lose."""
        s.stack.pop()
        if f.items[1:]:
            s.stack.append(SinkingAt(F_SINKING, f.result, f.items[1:]))

    def prompt(self, s: State, f: SinkingAt) -> Prompt:
        item = f.items[0]
        name = s.board.unit_names[item] if item >= 0 else term("a supply point")
        combat = item >= 0 and s.board.combat >> item & 1
        text = Text("{unit} is sunk on {n} or less", unit=name, n=f.result - bool(combat))
        return Prompt("The convoy is attacked", text, ("22.2.4b", "22.2.5"), PHASES[s.phase])


def sink(s: State, item: int) -> None:
    """22.2.4b, 22.2.4c a step, a truck or replacement, or an SP is lost."""
    if item == SP:
        s.convoy_sp -= 1
    elif item < SP:
        s.msu &= ~(1 << (-2 - item))  # 17.2.4b
    else:
        if s.msu >> item & 1:  # A34 the SP was rolled for and is saved
            s.msu &= ~(1 << item)
            s.convoy_sp += 1
        step_loss(s, item, "22.2.4c")  # the only one of a truck or replacement
    s.convoy = sum(1 << u for u in units_of(s.convoy) if s.at[u] == AT_SEA)


FRAMES: dict[int, Frame[State, Any]] = {F_AST: AntiShipping(V_ROLLED), F_SINKING: Sinking(V_ROLLED)}
