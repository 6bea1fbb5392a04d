"""The odds panel: a fight before it is fought, item by item, with the chance of every result.

Everything here is read from the same functions that fight the fight (strengths.py, defence.py).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from sandtable.engine.contract import Odds, Term
from sandtable.engine.hexes import Hex
from sandtable.engine.odds import Cell, Column, Force, Ladder, Shift, together
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.fights.odds import average, cells, column_name, rung_name, signed
from sandtable.mechanics.masks import enemy, units_of

from ..table.ids import AUTOMATIC, FLEET, MOBILE, NO_SUPPORT, SIDES, SUPPORTS
from ..table.state import State, steps_left
from . import support
from .defence import hold_chance
from .losses import losable, may_lose
from .strengths import HIGHEST, LOWEST, Reckoning, attack_terms, defence_terms, reckon, support_shift

MEANING_WORDS = {
    "D1-B": "Defender loses a step, retreats 4, disrupted",
    "A1/D2": "Attacker loses a step, defender two, retreats 4, disrupted",
    "D1": "Defender loses a step, retreats 2 or stands",
    "DR": "Defender retreats 2 or stands",
    "A1/D1": "Both lose a step, defender retreats 2 or stands",
    "EX": "Both lose a step, no retreat",
    "A1/DR": "Attacker loses a step, defender retreats 2 or stands",
    "A1": "Attacker loses a step",
}
"""10.1 in short."""

ELIMINATED = term("Eliminated")
NO_ATTACK = term("No attack")
SHOWN = (-7, 12)  # no shifts bring an attack that is worse to 1:2, or one that is better below 10:1


class Forecast:
    """What each result would mean for the defenders of one hex."""

    def __init__(self, s: State, fight: int, target: Hex) -> None:
        self.s, self.fight, self.target = s, fight, target
        self.codes: dict[str, dict[str, Any]] = s.board.pack.tables["crt"]["codes"]
        self.units = s.here.get(target, 0) & s.board.of_side[enemy(s.active)]
        self.steps = steps_left(s, losable(s, self.units))
        drm = s.board.air_drm
        answers = support.for_defence(s, fight, target)
        self.answer = max(answers, key=lambda m: drm[m], default=NO_SUPPORT)  # the defender's best marker
        self.known: dict[str, Fraction] = {}

    def cleared(self, code: str) -> Fraction:
        """The chance that a result clears the hex, if the defender stands whenever he may, as well as he can."""
        if code not in self.known:
            self.known[code] = self._cleared(self.codes[code])
        return self.known[code]

    def _cleared(self, of: dict[str, Any]) -> Fraction:
        s = self.s
        if of["defender_loss"] and steps_left(s, self.units) <= of["defender_loss"]:
            return Fraction(1)
        if not of["dd"]:
            return Fraction(int(of["retreat"] > 0))
        if not of["defender_loss"]:
            return 1 - self._holds(self.units, s.step)
        best = Fraction(0)
        for u in units_of(may_lose(s, self.units)):  # 10.2a the owner's choice: the one that leaves him the best stand
            shows, units = s.step[:], self.units
            if shows[u] + 1 >= s.board.steps[u]:
                units &= ~(1 << u)
            else:
                shows[u] += 1
            best = max(best, self._holds(units, shows))
        return 1 - best

    def _holds(self, units: int, shows: bytearray) -> Fraction:
        return hold_chance(self.s, self.fight, self.target, units, shows, self.answer)

    def attacker_loses(self, code: str) -> int:
        of = self.codes[code]
        if of.get("attacker_spared_if_defender_loses") == self.steps:  # 10.1c
            return 0
        return int(of["attacker_loss"])

    def defender_loses(self, code: str) -> int:
        return min(int(self.codes[code]["defender_loss"]), self.steps)

    def column(self, step: int) -> Column:
        """A column of the table, or what lies beyond it (8.4)."""
        if step > HIGHEST and self.fight != MOBILE:
            everything = Cell(ELIMINATED, Fraction(1), "Automatic elimination, no die (8.5)", (), Fraction(1))
            return Column(rung_name(step), (everything,), (Fraction(0), Fraction(steps_left(self.s, self.units))))
        if step < LOWEST or self.fight == AUTOMATIC:
            words = term("Not allowed below 1:2 (8.4a)")
            if self.fight == AUTOMATIC:
                words = term("Below 10:1 nothing happens (8.5b)")
            return Column(rung_name(step), (Cell(NO_ATTACK, Fraction(1), words, (), Fraction(0)),))
        results = self.s.board.crt[min(step, HIGHEST)]  # 13.1j
        lost = (average(results, self.attacker_loses), average(results, self.defender_loses))
        return Column(rung_name(step), cells(results, MEANING_WORDS.__getitem__, self.cleared), lost)


def fight_odds(
    s: State,
    fight: int,
    target: Hex,
    attackers: int,
    shifters: int = 0,
    marker: int = NO_SUPPORT,
    title: Text | None = None,
    choosing: bool = False,
) -> Odds:
    """Terms, results and ladder of a fight by these units with this marker. `choosing`: the marker is being chosen."""
    reckoning = reckon(s, fight, target, attackers, shifters, marker)
    ladder = _ladder(s, fight, target, attackers, shifters, marker, reckoning, choosing)
    terms = (*_strengths(s, fight, target, attackers, shifters, reckoning), *_columns(fight, reckoning))
    name = title or Text("Attack {hex}", hex=s.board.hex_name(target))
    return Odds(name, terms, together(ladder.columns[ladder.now].cells), ladder)


def _strengths(s: State, fight: int, target: Hex, attackers: int, shifters: int, of: Reckoning) -> list[Term]:
    """Attack and defence, unit by unit, and their sums."""
    terms = [attack_terms(s, u, target) for u in units_of(attackers & ~shifters)]
    terms += [
        Term("0", "15.2a", Text("{unit}: its shift instead", unit=s.board.unit_names[u])) for u in units_of(shifters)
    ]
    terms.append(Term(str(of.attack), "8.3a", "attack strength"))
    terms += defence_terms(s, target, fight)
    terms.append(Term(str(of.defence), "8.1c", "defence strength"))
    return terms


def _columns(fight: int, of: Reckoning) -> list[Term]:
    """From the odds before shifts to the final column."""
    words = Text("{attack} to {defence}, rounded in the defender's favour", attack=of.attack, defence=of.defence)
    terms = [Term(column_name(of.base), "8.3a", words)]
    terms += [Term(signed(push.value), push.rule, push.text) for push in of.pushes]
    if of.column > HIGHEST and fight == MOBILE:
        terms.append(Term(rung_name(HIGHEST), "13.1j", "final column, the highest in a mobile assault"))
    elif of.column > HIGHEST:
        rule = "8.5b" if fight == AUTOMATIC else "8.5a"
        terms.append(Term(column_name(of.column), rule, "automatic elimination"))
    elif of.column < LOWEST:
        terms.append(Term(column_name(of.column), "8.4a", "below 1:2, not allowed"))
    else:
        terms.append(Term(column_name(of.column), "8.4c", "final column"))
    return terms


def _ladder(
    s: State,
    fight: int,
    target: Hex,
    attackers: int,
    shifters: int,
    marker: int,
    of: Reckoning,
    choosing: bool,
) -> Ladder:
    """The whole table with this fight on it, and every shift that is or could be had."""
    forecast = Forecast(s, fight, target)
    base = max(SHOWN[0], min(SHOWN[1], of.base))
    first, last = min(base, LOWEST - 1), max(base, HIGHEST + 1)
    of_marker = support_shift(s, marker) if marker != NO_SUPPORT else None
    found = [Shift(push.value, push.rule, push.text) for push in of.pushes if push != of_marker]
    for m in support.for_attack(s, fight, target, attackers):
        push = support_shift(s, m)
        yes, no = (f"support {SUPPORTS[chosen]}" for chosen in (m, NO_SUPPORT))
        other = (no if m == marker else yes) if choosing else ""
        found.append(Shift(push.value, push.rule, push.text, _cost(m), "decider", m == marker, other, yes, no))
    name = s.board.hex_name(target)
    columns = [forecast.column(step) for step in range(first, last + 1)]
    columns[-1] = replace(columns[-1], label=f"{columns[-1].label}+")
    return Ladder(
        tuple(columns),
        base - first,
        tuple(found),
        (
            _force(s, s.active, attackers, of.attack, "attack"),
            _force(s, enemy(s.active), forecast.units, of.defence, "defence"),
        ),
        (Text("{hex} is cleared", hex=name), term("They hold")),
        (term("retreats or eliminated"), term("holds, with Determined Defence where it is allowed")),
        "10.4a",
        term("Steps"),
        s.board.grid.names[target],
    )


def _cost(marker: int) -> str:
    return term("Goes back to the unavailable box") if marker == FLEET else term("Used until the next impulse")


def _force(s: State, side: int, units: int, value: int, kind: str) -> Force:
    board = s.board
    rule, words = "8.1c", Text("{value} defence", value=value)
    if kind == "attack":
        rule, words = "8.3a", Text("{value} attack", value=value)
    hexes = tuple(sorted({board.grid.names[s.at[u]] for u in units_of(units)}))
    return Force(SIDES[side], tuple(board.units[u] for u in units_of(units)), str(value), words, rule, hexes)
