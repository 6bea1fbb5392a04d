"""The chances of a combat or a check before it is rolled, with every modifier and its rule."""

from __future__ import annotations

from fractions import Fraction

from sandtable.engine.contract import Odds, Term
from sandtable.engine.odds import Cell, Column, Force, Ladder, Shift
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.masks import enemy, units_of

from ..table.charts import FACES, HOPELESS, Result
from ..table.ids import ARTILLERY_CHECK, SIDES
from ..table.position import steps_left
from ..table.ratings import Drm
from ..table.state import State
from .coordination import check_rating, check_terms
from .fight import Fight, defenders
from .reckoning import Reckoning, reckon, table

TENTH = Fraction(1, FACES)
CHECK_TITLES = ("Artillery coordination", "Ground coordination", "Air coordination")


def said_terms(items: list[Drm] | tuple[Drm, ...]) -> tuple[Term, ...]:
    """Modifiers as the panel lists them."""
    return tuple(Term(signed(item.value), item.rule, item.text) for item in items)


def result_text(result: Result) -> Said:
    """8.71 a cell in words."""
    parts: list[Said] = []
    for loss, text in (
        (result.attacker_eliminated, term("all attackers are eliminated")),
        (result.attacker_loss, Text("the attacker loses {n}", n=result.attacker_loss)),
        (result.attacker_retreats, term("the attackers retreat")),
        (result.attacker_disrupted, term("the attackers are disrupted")),
        (result.defender_eliminated, term("all defenders are eliminated")),
        (result.defender_loss, Text("the defender loses {n}", n=result.defender_loss)),
        (result.defender_retreats, term("the defenders retreat")),
        (result.defender_disrupted, term("the defenders are disrupted")),
    ):
        if loss:
            parts.append(text)
    return Text("{parts}", parts=tuple(parts))


def clears(s: State, fight: Fight, result: Result) -> bool:
    """Whether a result empties the hex."""
    if result.defender_eliminated:
        return True
    if result.defender_retreats and not fight.no_retreat:
        return True
    return result.defender_loss >= steps_left(s, defenders(s, fight))


def _column(s: State, fight: Fight, number: int, drm: int) -> Column:
    crt = table(s, fight)
    faces: dict[str, tuple[int, ...]] = {}
    found: dict[str, Result] = {}
    lost = [Fraction(0), Fraction(0)]
    mine, theirs = steps_left(s, fight.attackers), steps_left(s, defenders(s, fight))
    for face in range(1, FACES + 1):
        result = crt.result(number, face + drm)
        code = result.code + ("*" if result.shaded else "")
        faces[code] = (*faces.get(code, ()), face)
        found[code] = result
        lost[0] += TENTH * (mine if result.attacker_eliminated else min(result.attacker_loss, mine))
        lost[1] += TENTH * (theirs if result.defender_eliminated else min(result.defender_loss, theirs))
    cells = tuple(
        Cell(code, TENTH * len(rolls), result_text(found[code]), rolls, Fraction(clears(s, fight, found[code])))
        for code, rolls in faces.items()
    )
    return Column(crt.columns[number], cells, tuple(lost))


def outlook(s: State, fight: Fight) -> Odds:
    """8.5, 8.6 the chances of a fight as things stand."""
    found = reckon(s, fight)
    board, target, side = s.board, fight.target, fight.side
    terms = (
        Term(str(found.attack.value), "8.51a", "attack strength"),
        Term(str(found.defense.value), "8.51a", "defense strength"),
        *said_terms(found.shifts),
        *said_terms(found.drms),
    )
    title = Text("Combat in {hex}", hex=board.hex_name(target))
    if found.base == HOPELESS:
        return Odds(title, terms, (("AE", Fraction(1)),))
    crt = table(s, fight)
    ladder = Ladder(
        tuple(_column(s, fight, number, found.drm) for number in range(len(crt.columns))),
        found.base,
        tuple(Shift(item.value, item.rule, item.text) for item in found.shifts),
        (
            _force(s, side, fight.attackers, found),
            _force(s, enemy(side), defenders(s, fight), found),
        ),
        (term("The hex is cleared"), term("They hold")),
        (term("the hex is cleared"), term("it is not")),
        "8.9",
        term("Steps"),
        board.grid.names[target],
    )
    return Odds(title, terms, ladder.results(), ladder)


def _force(s: State, side: int, units: int, found: Reckoning) -> Force:
    board = s.board
    strength = found.attack if side == s.active else found.defense
    hexes = sorted({board.grid.names[s.at[u]] for u in units_of(units)})
    parts = tuple(Text("{n} {what}", n=item.value, what=item.text) for item in strength.terms)
    names = tuple(board.units[u] for u in units_of(units))
    return Force(SIDES[side], names, str(strength.value), Text("{parts}", parts=parts), "8.51a", tuple(hexes))


def check_odds(s: State, fight: Fight, side: int, check: int) -> Odds:
    """8.4 the chances of a coordination check."""
    terms = check_terms(s, fight, side, check)
    er, drm = check_rating(s, fight, side, check), sum(item.value for item in terms)
    return chances_of(CHECK_TITLES[check], er, terms, ten=check == ARTILLERY_CHECK, drm=drm)


def chances_of(title: Said, er: int, terms: list[Drm], drm: int, ten: bool = False) -> Odds:
    """3.43 the chance to roll the ER or less with these modifiers."""
    passes = sum(1 for face in range(1, FACES + 1) if face + drm <= er)
    tens = sum(1 for face in range(1, FACES + 1) if face + drm > er and face + drm >= FACES) if ten else 0
    results: list[tuple[Said, Fraction]] = [(term("success"), TENTH * passes)]
    if FACES - passes - tens:
        results.append((term("half") if ten else term("failure"), TENTH * (FACES - passes - tens)))
    if tens:
        results.append((term("nothing"), TENTH * tens))
    return Odds(title, (Term(str(er), "3.43", "ER"), *said_terms(terms)), tuple(results))
