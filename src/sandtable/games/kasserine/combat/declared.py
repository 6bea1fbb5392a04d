"""7.1, 7.2-7.4 An attack as it has been declared, before anybody reacts: its odds, and the chance of each result."""

from __future__ import annotations

from fractions import Fraction

from sandtable.engine.contract import Odds, Term
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.masks import enemy, units_of

from ..table.charts import HOPELESS
from ..table.ids import ASSAULT, MOBILE
from ..table.position import mine_value, units_in
from ..table.ratings import attack_rating, leads, rating
from ..table.state import State
from .fight import Fight
from .reckoning import mobile_allowed, reckon, table
from .showing import outlook
from .strengths import fight_attack, fight_defense


def declared_column(s: State, h: Hex) -> int:
    """8.52 the column of the attack declared against a hex, by the units alone."""
    fight = Fight(s.board, target=h, side=s.active, attackers=s.aims[h])
    return s.board.charts.crts[ASSAULT].column(fight_attack(s, fight).value, fight_defense(s, fight).value)


def lead_of(s: State, units: int, target: Hex, attacking: bool) -> int:
    """Who would lead: the best ER, and among equals the one whose step costs least."""
    able = leads(s, units)
    if attacking:
        return max(units_of(able), key=lambda u: (attack_rating(s, u, target), -s.board.attack[u][s.step[u]], -u))
    return max(units_of(able), key=lambda u: (rating(s, u), s.board.steps[u] - s.step[u], -u))


def as_declared(s: State, h: Hex, stand: bool = False, attackers: int = 0) -> Fight:
    """The combat that has been declared against a hex, or would be with these attackers, with the best ER of both
    sides in the lead."""
    side, other = s.active, enemy(s.active)
    fight = Fight(s.board, target=h, side=side, attackers=attackers or s.aims[h])
    fight.refugees = s.refugees.get(h, 0)
    fight.lead[side] = lead_of(s, fight.attackers, h, True)
    fight.lead[other] = lead_of(s, units_in(s, h, other) & ~fight.refugees, h, False)
    if s.mines[other] >> h & 1 and not s.untried >> h & 1:
        fight.mine = mine_value(s, h)
    fight.no_retreat = int(stand or bool(s.no_retreat >> h & 1))
    return fight


TO_COME = Term("?", "8.4c", term("artillery, aircraft and leaders may still change it"))


def attack_odds(s: State, h: Hex, stand: bool = False, attackers: int = 0) -> Odds:
    """The chances of an attack, declared or with these attackers, on the Assault CRT; beside it, those on the Mobile
    one where the attacker may choose it (8.32)."""
    fight = as_declared(s, h, stand, attackers)
    found = outlook(s, fight)
    parts: tuple[Odds, ...] = ()
    if not mobile_allowed(s, fight):
        fight.crt = MOBILE
        mobile = outlook(s, fight)
        parts = (Odds(Text("{hex} on the Mobile CRT", hex=s.board.hex_name(h)), expected(mobile), mobile.results),)
    name = s.board.hex_name(h)
    title = Text("Attack on {hex}", hex=name) if attackers else Text("Attack on {hex}, as declared", hex=name)
    return Odds(title, (*found.terms, TO_COME), found.results, found.ladder, parts)


def at_stake(check: Odds, attack: Odds) -> Odds:
    """A check that is made because of an attack, and the attack beside it."""
    return Odds(check.title, check.terms, check.results, parts=(attack,))


def expected(found: Odds) -> tuple[Term, ...]:
    """How likely a combat empties the hex, and what it costs both sides on average."""
    if found.ladder is None:
        return ()
    column = found.ladder.columns[found.ladder.now]
    cleared = sum((cell.chance * (cell.good or 0) for cell in column.cells), Fraction(0))
    return (
        Term(f"{float(100 * cleared):.0f} %", "8.9", term("the hex is cleared")),
        Term(f"{float(column.lost[0]):.1f}", "8.74a", term("steps that the attacker loses on average")),
        Term(f"{float(column.lost[1]):.1f}", "8.74a", term("steps that the defender loses on average")),
    )


def in_short(s: State, h: Hex) -> Odds:
    """A declared attack without the whole table: its odds, what is to be expected of it, and its results."""
    found = attack_odds(s, h)
    return Odds(odds_said(s, h), (*expected(found), *found.terms), found.results, parts=found.parts)


def all_attacks(s: State) -> Odds | None:
    """Every attack that has been declared, one after the other."""
    found = tuple(in_short(s, h) for h in sorted(s.aims) if s.aims[h])
    return Odds(term("The attacks that have been declared"), parts=found) if found else None


def odds_said(s: State, h: Hex) -> Text:
    """A declared attack in words: the odds, and the column where combined arms shift it (8.54)."""
    fight = as_declared(s, h)
    found, columns, name = reckon(s, fight), table(s, fight).columns, s.board.hex_name(h)
    if found.base == HOPELESS:
        return Text("{hex} (no chance)", hex=name)
    odds, column = columns[found.base], columns[found.column]
    if odds == column:
        return Text("{hex} at {odds}", hex=name, odds=odds)
    return Text("{hex} at {odds}, shifted to {column}", hex=name, odds=odds, column=column)


def why_asked(s: State, then: str) -> Text:
    """7.12 what the other side is asked for: the attacks, and what can be done about them."""
    attacks = tuple(odds_said(s, h) for h in sorted(s.aims) if s.aims[h])
    return Text("Attacked: {attacks}. {then}.", attacks=attacks, then=then)
