"""The chances of a combat or a check before it is rolled, with every modifier and its rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from sandtable.engine.contract import Odds, Term
from sandtable.engine.odds import Cell, Column, Force, Ladder, Shift
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.masks import enemy, units_of

from ..table.charts import FACES, HOPELESS, Result
from ..table.ids import AIR_CHECK, ARTILLERY_CHECK, GROUND_CHECK, SIDES
from ..table.position import steps_left
from ..table.ratings import Drm
from ..table.state import State
from .coordination import check_rating, check_terms, rating_made
from .fight import FULL_SUPPORT, Fight, defenders
from .reckoning import Reckoning, armor_at_risk, reckon, stands, table

TENTH = Fraction(1, FACES)
SIDE_TITLES = (term("Axis"), term("Allied"))
CHECK_TITLES = ("Artillery coordination", "Ground coordination", "Air coordination")


def said_terms(items: list[Drm] | tuple[Drm, ...]) -> tuple[Term, ...]:
    """Modifiers as the panel lists them."""
    return tuple(Term(signed(item.value), item.rule, item.text) for item in items)


def _limit(found: Reckoning) -> tuple[Term, ...]:
    """8.62 what the limit takes from the modifiers, so that the list comes to what the die is changed by."""
    over = found.drm - sum(item.value for item in found.drms)
    return (Term(signed(over), "8.62", term("the limit of all modifiers together")),) if over else ()


def _untried(s: State, fight: Fight) -> tuple[Term, ...]:
    """11.45d what an Untried minefield may add to the die when it is turned over: neither player knows."""
    if fight.mine > 0 or not s.untried >> fight.target & 1:
        return ()
    none, one, two = (round(100 * n / sum(s.hidden)) for n in s.hidden)
    text = term("Untried minefield: 0 ({none} %), +1 ({one} %) or +2 ({two} %)")
    return (Term("?", "11.45d", Text(text, none=none, one=one, two=two)),)


def result_text(result: Result, armor: bool = False, stay: bool = False, fail: bool = False) -> Said:
    """8.71 a cell in words; `armor`: it costs the attackers an armor step (3.42ba); `stay`: the defenders may not
    retreat (8.87a); `fail`: an overrun does not get in (6.67fa)."""
    parts: list[Said] = []
    for loss, text in (
        (result.attacker_eliminated, term("all attackers are eliminated")),
        (result.attacker_loss, Text("the attacker loses {n}", n=result.attacker_loss)),
        (armor and result.attacker_loss, term("armor first")),
        (armor and not result.attacker_loss, term("the attackers lose an armor step")),
        (result.attacker_retreats, term("the attackers retreat")),
        (result.attacker_disrupted, term("the attackers are disrupted")),
        (result.defender_eliminated, term("all defenders are eliminated")),
        (result.defender_loss, Text("the defender loses {n}", n=result.defender_loss)),
        (result.defender_retreats and not stay, term("the defenders retreat")),
        (stay, term("the defenders stay and lose one more")),
        (result.defender_disrupted, term("the defenders are disrupted")),
        (fail, term("the overrun fails and costs one more")),
    ):
        if loss:
            parts.append(text)
    return Text("{parts}", parts=tuple(parts))


def fails(s: State, fight: Fight, result: Result) -> bool:
    """6.67f whether an overrun stops before its target, which costs a step more."""
    return bool(fight.overrun and not result.attacker_eliminated and not clears(s, fight, result))


def clears(s: State, fight: Fight, result: Result) -> bool:
    """Whether a result empties the hex."""
    if result.defender_eliminated:
        return True
    if result.defender_retreats and not fight.no_retreat:
        return True
    return result.defender_loss >= steps_left(s, defenders(s, fight))


def _column(s: State, fight: Fight, number: int, drm: int) -> Column:
    crt, risk = table(s, fight), armor_at_risk(s, fight)
    faces: dict[str, tuple[int, ...]] = {}
    found: dict[str, Result] = {}
    lost = [Fraction(0), Fraction(0)]
    mine, theirs = steps_left(s, fight.attackers), steps_left(s, defenders(s, fight))
    for face in range(1, FACES + 1):
        result = crt.result(number, face + drm)
        code = result.code + ("*" if result.shaded and risk else "")  # 3.42ba: else the shade means nothing
        faces[code] = (*faces.get(code, ()), face)
        found[code] = result
        loss = max(result.attacker_loss, int(result.shaded and risk)) + fails(s, fight, result)  # 3.42bb, 6.67fa
        theirs_lost = result.defender_loss + stands(s, fight, result)  # 8.87a
        lost[0] += TENTH * (mine if result.attacker_eliminated else min(loss, mine))
        lost[1] += TENTH * (theirs if result.defender_eliminated else min(theirs_lost, theirs))
    cells = tuple(
        Cell(
            code,
            TENTH * len(rolls),
            result_text(result, "*" in code, stands(s, fight, result), fails(s, fight, result)),
            rolls,
            Fraction(clears(s, fight, result)),
        )
        for code, rolls in faces.items()
        for result in [found[code]]
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
        *_limit(found),
        *_untried(s, fight),
    )
    title = Text("Overrun of {hex}" if fight.overrun else "Combat in {hex}", hex=board.hex_name(target))
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
    made = rating_made(s, fight, side, check)
    return chances_of(CHECK_TITLES[check], er, terms, ten=check == ARTILLERY_CHECK, drm=drm, made=made)


# 8.4 the chain of checks

ORDER = ((ARTILLERY_CHECK, True), (ARTILLERY_CHECK, False), (GROUND_CHECK, True), (AIR_CHECK, True), (AIR_CHECK, False))
"""A36 in which order checks are rolled: of what, and whether by the attacker."""


def to_come(fight: Fight) -> list[tuple[int, int]]:
    """8.41-8.43 the checks that this combat has for those committed so far: kind and side, in their order."""
    found = []
    for check, attacker in ORDER:
        side = fight.side if attacker else enemy(fight.side)
        if (fight.guns[side], int(not fight.overrun), fight.planes[side])[check]:
            found.append((check, side))
    return found


def chain_odds(s: State, fight: Fight, after: tuple[int, int] | None = None) -> Odds:
    """The combat if every check to come succeeds, and each of them in its order with its chances and what it brings."""
    checks = to_come(fight)
    first = checks.index(after) + 1 if after in checks else 0
    trial, parts = fight.copy(), []
    for number, (check, side) in enumerate(checks[first:], first + 1):
        title = Text("{n}. {what}", n=number, what=_brings(s, fight, side, check))
        parts.append(replace(check_odds(s, fight, side, check), title=title))
    for check, side in checks[max(0, first - 1) :]:
        if check == ARTILLERY_CHECK:
            trial.artillery[side] = FULL_SUPPORT
        elif check == AIR_CHECK:
            trial.air[side] = FULL_SUPPORT
    found = outlook(s, trial)
    if len(checks) > max(0, first - 1):
        found = replace(found, title=Text("{combat}, if all checks succeed", combat=found.title))
    return replace(found, parts=tuple(parts))


def _brings(s: State, fight: Fight, side: int, check: int) -> Said:
    board, who = s.board, SIDE_TITLES[side]
    if check == ARTILLERY_CHECK:
        points = sum(board.support[u] for u in units_of(fight.guns[side]))
        return Text("{side} artillery: {n} points, half if it fails, none on a 10", side=who, n=points)
    if check == AIR_CHECK:
        points = sum(board.cas[u] for u in units_of(fight.planes[side]))
        return Text("{side} aircraft: {n} to the die, nothing if it fails", side=who, n=points)
    return Text("{side} ground units: two columns to the left if it fails", side=who)


def chances_of(title: Said, er: int, terms: list[Drm], drm: int, ten: bool = False, made: Sequence[Drm] = ()) -> Odds:
    """3.43 the chance to roll the ER or less with these modifiers; `made`: what the ER is made of."""
    passes = sum(1 for face in range(1, FACES + 1) if face + drm <= er)
    tens = sum(1 for face in range(1, FACES + 1) if face + drm > er and face + drm >= FACES) if ten else 0
    results: list[tuple[Said, Fraction]] = [(term("success"), TENTH * passes)]
    if FACES - passes - tens:
        results.append((term("half") if ten else term("failure"), TENTH * (FACES - passes - tens)))
    if tens:
        results.append((term("nothing"), TENTH * tens))
    parts = tuple(Text("{n} {what}", n=item.value, what=item.text) for item in made)
    name: Said = Text("ER: {parts}", parts=parts) if len(parts) > 1 else "ER"
    return Odds(title, (Term(str(er), "3.43", name), *said_terms(terms)), tuple(results))
