"""The odds panel: a fight before it is fought, item by item, with the chance of every result.

Everything here is read from the same functions that fight the fight (strengths.py, losses.py, defence.py).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sandtable.engine.contract import Odds, Term
from sandtable.engine.hexes import Hex
from sandtable.engine.odds import Cell, Column, Force, Ladder, Shift, together
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.fights.odds import average, cells, column_name, rung_name, signed
from sandtable.mechanics.masks import enemy, units_of

from ..supply import support
from ..table.ids import ALLIED, AUTO_DS, AXIS, COMBAT, SIDES
from ..table.position import steps_left
from ..table.state import State
from . import defence, results
from .results import AUTO, HIGHEST, LOWEST
from .strengths import NO_HELP, Help, Reckoning, attack_term, defence_term, defending, fighting, help_pushes, outcome

MEANING_WORDS = {
    "DS": "Defender loses a step, retreats 4, Full Retreat",
    "DR4": "Defender retreats 4, Full Retreat",
    "D1": "Defender loses a step, retreats 2 or 3, Disrupted",
    "A1/D1": "Both lose a step, defender retreats 2, Disrupted",
    "A1/DR2": "Attacker loses a step, defender retreats 2, Disrupted",
    "DR2": "Defender retreats 2, Disrupted",
    "DRX": "Both lose a step, defender retreats 2, Disrupted",
    "EX": "Both lose a step, no retreat",
    "A1": "Attacker loses a step",
}
"""10.1 in short."""

SPARED_WORDS = {
    "DS": "Reconnaissance loses no step, retreats 4, Full Retreat",
    "D1": "Reconnaissance loses no step, retreats 2 or 3, Disrupted",
}
"""18.1a the same for reconnaissance units alone."""

NO_ATTACK = term("No attack")
MOST_LEFT = 4  # 9.2.3e, 9.6b, 9.4.1d, 18.7.4a: no attack is shifted further to the left


class Forecast:
    """What each cell of the table would mean for the defenders of one hex."""

    def __init__(self, s: State, fight: int, target: Hex, attackers: int) -> None:
        self.s, self.fight, self.target = s, fight, target
        self.units = defending(s, target)
        self.counting = fighting(s, target, fight)
        self.steps = steps_left(s, self.units)
        self.recon = not self.units & ~s.board.recon
        flak = (attackers | self.counting) & s.board.flak
        tanks = (attackers if s.active == ALLIED else self.units) & s.board.tanks
        self.extra = int(bool(flak and tanks))  # 18.2b
        self.numbers = {results.cell_name(n): n for column in results.table(s.board) for n in column}
        self.known: dict[str, Fraction] = {}

    def cleared(self, name: str) -> Fraction:
        """The chance that a result clears the hex, if the defender stands whenever he may, as well as he can."""
        if name not in self.known:
            self.known[name] = self._cleared(self.numbers[name])
        return self.known[name]

    def _cleared(self, number: int) -> Fraction:
        code, colour = results.codes(self.s.board)[number // 3], number % 3
        if self.loses(number) and self.steps <= self.loses(number):
            return Fraction(1)
        if not code.determined:
            return Fraction(0)
        if colour == results.RED or self.fight == AUTO_DS:
            return Fraction(1)
        lost, hexes = self.loses(number), code.retreat[1]
        return 1 - defence.hold_chance(self.s, self.fight, self.target, self.units, lost, colour, hexes)

    def loses(self, number: int) -> int:
        """10.1, 18.1a, 18.2b the steps that a cell costs the defender."""
        code = results.codes(self.s.board)[number // 3]
        if code.recon_spared and self.recon:
            return 0
        extra = self.extra if code.extra_tank and self.s.active != ALLIED else 0
        return min(code.defender_loss + extra, self.steps)

    def costs(self, number: int) -> int:
        """The same for the attacker."""
        code = results.codes(self.s.board)[number // 3]
        return code.attacker_loss + (self.extra if code.extra_tank and self.s.active == ALLIED else 0)

    def column(self, step: int) -> Column:
        """A column of the table, or what lies beyond it (8.8.3)."""
        board = self.s.board
        if step >= AUTO:
            number = results.shattered(board)
            name, lost = results.cell_name(number), (Fraction(0), Fraction(self.loses(number)))
            sure = Cell(name, Fraction(1), Text("{words}, no die (8.8.3c)", words=self.words(number)), (), Fraction(1))
            return Column(rung_name(step), (sure,), lost)
        if self.fight == AUTO_DS:
            nothing = Cell(NO_ATTACK, Fraction(1), "Below 10:1 there is no Auto DS (8.9.1a)", (), Fraction(0))
            return Column(rung_name(step), (nothing,))
        names = [results.cell_name(n) for n in results.column_cells(board, step)]
        lost = (
            average(names, lambda name: self.costs(self.numbers[name])),
            average(names, lambda name: self.loses(self.numbers[name])),
        )
        read = rung_name(HIGHEST) if step > HIGHEST else ""  # 8.8.3b
        return Column(rung_name(step), cells(names, self.meaning, self.cleared), lost, read)

    def words(self, number: int) -> str:
        """10.1 what a cell means for these defenders: reconnaissance units alone slip away (18.1a)."""
        spared = self.recon and results.codes(self.s.board)[number // 3].recon_spared
        return (SPARED_WORDS if spared else MEANING_WORDS)[results.RESULTS[number // 3]]

    def meaning(self, name: str) -> Said:
        number = self.numbers[name]
        words = self.words(number)
        colour = number % 3
        if colour == results.ORANGE:
            return Text("{words}; determined defense at -1", words=words)
        return Text("{words}; no determined defense", words=words) if colour == results.RED else words


def fight_odds(
    s: State,
    fight: int,
    target: Hex,
    attackers: int,
    supplied: bool | None = None,
    help_: Help = NO_HELP,
    title: Said = "",
    toggle: tuple[str, str] = ("", ""),
    rommel: bool = True,
) -> Odds:
    """Terms, results and ladder of a fight by these units.

    `supplied` None: with attack supply if there is any to be had. `toggle`: the field of Help that is being chosen
    now, and the action that has it the other way round. `rommel`: he has not been used for this roll.
    """
    undecided = supplied is None and fight == COMBAT and not _covered(s, attackers)
    if supplied is None:
        supplied = fight == AUTO_DS or supply_in_reach(s, attackers)
    of = outcome(s, fight, target, attackers, supplied, help_)
    without = outcome(s, fight, target, attackers, False, help_) if undecided and supplied else of
    ladder = _ladder(s, fight, target, attackers, of, help_, toggle, without)
    now = ladder.columns[ladder.now]
    terms = (*_strengths(s, fight, target, attackers, of, supplied), *_columns(of))
    if s.rommel and rommel and len(now.cells) > 1:
        terms += (_rommel(s, target, now),)
    hex_ = s.board.hex_name(target)
    usual = Text("Defence of {hex}", hex=hex_) if seen_by_defender(toggle) else Text("Attack {hex}", hex=hex_)
    return Odds(title or usual, terms, together(now.cells), ladder)


def _rommel(s: State, target: Hex, column: Column) -> Term:
    """18.5a what a second roll is good for: an attack's if the first is worse than the average, or a defence's."""
    if s.active != AXIS:
        return Term("once", "18.5a", "Rommel can have a determined defense rolled again")
    hopes = [(cell.chance, cell.good or Fraction(0)) for cell in column.cells]
    usual = sum((chance * good for chance, good in hopes), Fraction(0))
    best = sum((chance * max(good, usual) for chance, good in hopes), Fraction(0))
    name = s.board.hex_name(target)
    return Term(
        f"{round(100 * best)}%", "18.5a", Text("{hex} is cleared if Rommel has a worse roll made again", hex=name)
    )


def supply_in_reach(s: State, attackers: int) -> bool:
    """8.5.1 whether these attackers have attack supply already or could have it."""
    return _covered(s, attackers) or bool(support.supply_actions(s, support.places_of(s, attackers), attackers))


def _covered(s: State, attackers: int) -> bool:
    return support.covered(s, support.places_of(s, attackers), attackers)


def _strengths(s: State, fight: int, target: Hex, attackers: int, of: Reckoning, supplied: bool) -> list[Term]:
    """Attack and defence, unit by unit, their sums and what of them counts."""
    general = s.board.general
    terms = [attack_term(s, u, target, of.out_tanked) for u in units_of(attackers)]
    terms.append(Term(str(of.brought), "8.3a", "attack strength"))
    if of.attack < of.brought:
        if of.attack == general["max_attack"]:
            terms.append(Term(str(of.attack), "8.8.1", "the most that counts"))
        else:
            terms.append(Term(str(of.attack), "8.5.1e", "the most that counts without attack supply"))
    if not supplied and of.column < AUTO:
        terms.append(Term("none", "8.5.1f", "attack supply: no tank shift to the right"))
    counting = fighting(s, target, fight)
    terms += [defence_term(s, u, target, counting, fight) for u in units_of(defending(s, target))]
    terms.append(Term(str(of.held), "8.1e", "defence strength"))
    if of.defence < of.held:
        terms.append(Term(str(of.defence), "8.8.2", "the most that counts"))
    return terms


def _columns(of: Reckoning) -> list[Term]:
    """From the odds before shifts to the final column."""
    words = Text("{attack} to {defence}, rounded in the defender's favour", attack=of.attack, defence=of.defence)
    terms = [Term(column_name(of.base), "8.3a", words)]
    terms += [Term(signed(push.value), push.rule, push.text) for push in of.pushes]
    if of.base < LOWEST:
        terms.append(Term(column_name(of.base), "8.8.3a", "below 1:3, not allowed"))
    elif of.column >= AUTO:
        terms.append(Term(column_name(of.column), "8.8.3c", "10:1 or more: DS"))
    elif of.column > HIGHEST:
        terms.append(
            Term(rung_name(HIGHEST), "8.8.3b", Text("final column; {odds} is read on it", odds=rung_name(of.column)))
        )
    else:
        terms.append(Term(rung_name(max(LOWEST, of.column)), "8.8.4b", "final column"))
    return terms


GONE, STAYS = term("retreats or eliminated"), term("holds, with determined defense where it is allowed")


def seen_by_defender(toggle: tuple[str, str]) -> bool:
    """Whether it is the defender who looks at the fight: his support is what is being chosen."""
    return toggle[0].endswith("_def")


def held_instead(cell: Cell) -> Cell:
    """A result as the defender sees it: what does not clear the hex is good."""
    return cell if cell.good is None else replace(cell, good=1 - cell.good)


def _ladder(
    s: State,
    fight: int,
    target: Hex,
    attackers: int,
    of: Reckoning,
    help_: Help,
    toggle: tuple[str, str],
    without: Reckoning,
) -> Ladder:
    """The whole table with this fight on it, and every shift that is or could be had."""
    forecast = Forecast(s, fight, target, attackers)
    # 8.5.3a attack supply is still to be asked about: a switch, and the odds before shifts are those without it.
    # Where the attack needs it (8.8.3a), where it changes nothing or nobody asks for it (10:1 and more), none is tried.
    tried = without.base >= LOWEST and without.column < of.column < AUTO
    before = without if tried else of
    base = min(before.base, AUTO + MOST_LEFT)
    columns: tuple[Column, ...]
    if base < LOWEST:  # A10 whatever the shifts
        columns = (Column("<1:3", (Cell(NO_ATTACK, Fraction(1), "Not allowed below 1:3 (8.8.3a)", (), Fraction(0)),)),)
        base = LOWEST
    else:
        found = [forecast.column(step) for step in range(LOWEST, max(base, AUTO) + 1)]
        columns = (*found[:-1], replace(found[-1], label=f"{found[-1].label}+"))
    name = s.board.hex_name(target)
    question: tuple[Said, Said] = (Text("{hex} is cleared", hex=name), term("They hold"))
    legend = (GONE, STAYS)
    if seen_by_defender(toggle):
        columns = tuple(replace(column, cells=tuple(map(held_instead, column.cells))) for column in columns)
        question, legend = (Text("You hold {hex}", hex=name), term("It is cleared")), (STAYS, GONE)
    return Ladder(
        columns,
        base - LOWEST,
        (*_supply(of, without, tried), *_shifts(s, fight, target, attackers, before, help_, toggle)),
        (
            _force(s, s.active, attackers, of.brought, of.attack, "attack"),
            _force(s, enemy(s.active), forecast.units, of.held, of.defence, "defence"),
        ),
        question,
        legend,
        "11.1a",
        "Steps",
        s.board.grid.names[target],
    )


SUPPLY = (term("Attack supply"), term("Spends a supply point or depletes an ASU"))


def _supply(of: Reckoning, without: Reckoning, tried: bool) -> tuple[Shift, ...]:
    """8.5.1 what attack supply is worth here: strength that counts, and the tank shift that needs it."""
    text, note = SUPPLY
    worth = of.column - without.column
    return (Shift(worth, "8.5.1a", text, note, "decider", True, "", "supply-", "no-supply"),) if tried else ()


GUNS = (term("Depletes an ASU or costs an SP"), "artillery", "no-artillery")
AIR = (term("Uses an air support marker"), "air air_support", "air none")
HELP = (("guns_att", GUNS), ("air_att", AIR), ("guns_def", GUNS), ("air_def", AIR))
"""9.4, 18.7.4 what each shift costs, and how the actions begin that declare it or do without (declarations.py)."""


DECLARED = {
    "air_att": ("guns_att",),
    "supply": ("guns_att", "air_att"),
    "guns_def": ("guns_att", "air_att"),
    "air_def": ("guns_att", "air_att", "guns_def"),
}
"""8.3b, 8.3c what has been decided when a shift, or attack supply, is asked about."""


def sentence(said: Said) -> Said:
    """A shift as a line of its own."""
    if isinstance(said, Text):
        return Text.of(said.template[:1].upper() + said.template[1:], said.facts)
    return said[:1].upper() + said[1:]


SENTENCE_WORDS = (
    "Tanks against none",
    "Tank value {best} against {theirs}",
    "Elite combined arms",
    "Jebel",
    "Artillery support",
    "Air support",
    "The defender's artillery support",
    "The defender's air support",
)
"""The shifts of strengths.py as lines of their own."""


def _shifts(
    s: State, fight: int, target: Hex, attackers: int, of: Reckoning, help_: Help, toggle: tuple[str, str]
) -> tuple[Shift, ...]:
    """9 what is so, then what either side may add: `decider` for the player to act, `answer` for the other."""
    bought = help_pushes(help_)
    found = [Shift(push.value, push.rule, sentence(push.text)) for push in of.pushes if push not in bought]
    if fight != COMBAT:  # 15.2.8a, 8.9.1b
        return tuple(found)
    chosen, other = toggle
    for_defence = seen_by_defender(toggle)
    possible = _possible(s, target, attackers)
    for (field, (note, yes, no)), push in zip(HELP, help_pushes(Help(1, 1, 1, 1)), strict=True):
        on = bool(getattr(help_, field))
        if field in DECLARED.get(chosen, ()):
            if on:
                found.append(Shift(push.value, push.rule, sentence(push.text), note))
            continue
        if not on and field not in possible:
            continue
        by = "decider" if field.endswith("_def") == for_defence else "answer"
        turned = other if field == chosen else ""
        found.append(Shift(push.value, push.rule, sentence(push.text), note, by, on, turned, yes, no))
    return tuple(found)


def _possible(s: State, target: Hex, attackers: int) -> set[str]:
    """9.4, 18.7.4 the shifts that the two sides could still buy."""
    found = set()
    for side, units, hexes, end in (
        (s.active, attackers, support.places_of(s, attackers), "att"),
        (enemy(s.active), defending(s, target), 1 << target, "def"),
    ):
        if support.gun_actions(s, side, hexes, units):
            found.add(f"guns_{end}")
        if support.air_assets(s, side, target, units):
            found.add(f"air_{end}")
    return found


def _force(s: State, side: int, units: int, brought: int, counts: int, kind: str) -> Force:
    board = s.board
    rule = {"attack": ("8.3a", "8.8.1"), "defence": ("8.1e", "8.8.2")}[kind][counts != brought]
    if rule == "8.8.1" and counts < board.general["max_attack"]:
        rule = "8.5.1e"
    whole, part = (
        (term("{n} attack"), term("{n} attack, counts as {counts}"))
        if kind == "attack"
        else (term("{n} defence"), term("{n} defence, counts as {counts}"))
    )
    text = Text(whole if counts == brought else part, n=brought, counts=counts)
    hexes = tuple(sorted({board.grid.names[s.at[u]] for u in units_of(units)}))
    return Force(SIDES[side], tuple(board.units[u] for u in units_of(units)), str(counts), text, rule, hexes)
