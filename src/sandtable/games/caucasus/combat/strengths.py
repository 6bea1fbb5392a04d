"""9 Combat modifiers: what units are worth in a fight, and what shifts its column.

A fight is read on rungs (mechanics.fights.odds): 1:2 is rung 0 and 9:1 rung 9, so the number of a column of the
combat results table is its rung. Below 0 there is no attack (8.4a), above 9 automatic elimination (8.4b).
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.contract import Term
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.fights.odds import Push, halved, rung
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.memory import remembered

from ..table.board import ARMOUR, CANCELS, Ground
from ..table.ids import CITIES, ELITE, FLEET, MOBILE, NO_SUPPORT, POOR
from ..table.state import State
from ..table.verbs import MARKERS

LOWEST, HIGHEST = 0, 9  # 8.4a, 8.4b: 1:2 and 9:1

BETTER = (
    ("", "", ""),
    (term("regular troops against poor"), "", ""),
    (term("elite troops against poor"), term("elite troops against regular"), ""),
)
"""9.6a by the quality of the best attacker and of the best defender."""


def place_word(name: str) -> str:
    """A kind of place or terrain in words: those of the legend, which the catalogues know."""
    return name.replace("_", " ")


class Chart:
    """The terrain effects chart as combat reads it, for the map of one season."""

    def __init__(self, ground: Ground) -> None:
        board, tables = ground.board, ground.board.pack.tables
        natural, artificial = tables["terrain"], tables["artificial"]
        self.bonus: list[int] = [0] * board.size  # 9.2a the DTB of each hex
        self.bonus_of: list[str] = [""] * board.size  # 9.2b the terrain that gives it
        self.raised: Mask = 0  # 15.5b superscripts count here
        self.difficult: Mask = 0  # 9.4a mechanised attackers are limited
        self.no_armour: Mask = 0  # 9.5d
        for h in board.grid.hexes:
            terrain, city = natural[ground.terrain_at(h)] if ground.land >> h & 1 else None, board.city[h]
            if terrain is None:
                continue
            name, best = ground.terrain_at(h), int(terrain["dtb"])
            place = artificial[CITIES[city]] if city else None
            if place is not None and place["dtb"] > best:  # 9.2b, 9.2e the most favourable one counts
                name, best = CITIES[city], int(place["dtb"])
            self.bonus[h], self.bonus_of[h] = best, place_word(name)
            b = 1 << h
            if natural.get(name, {}).get("superscript_attack"):  # 9.2e not where the city counts
                self.raised |= b
            if "mech_attack_in_limit" in terrain:
                self.difficult |= b
            if not terrain["armour_shift"] or (place is not None and not place["armour_shift"]):
                self.no_armour |= b
        self.limit: int = natural["mountain"]["mech_attack_in_limit"]
        self.out_of: Mask = ground.having("attack_out_halved")  # 9.3b
        self.halving: list[Mask] = [self.out_of] * board.size
        """9.3 by target, the hexes out of which an attack into it is halved: marsh, across a river, across a pass."""
        for h in board.grid.hexes:
            for d, n in ground.steps[h]:
                if (ground.rivers[d] | ground.passes[d]) >> h & 1:
                    self.halving[n] |= 1 << h
        value: dict[str, int] = tables["shifts"]
        self.armour = Push(value["attacker_armour"], "9.5a", term("armour against none"))
        self.met_armour = Push(value["defender_armour"], "9.5b", term("armour against none"))
        self.worse = Push(value["all_attackers_poor_vs_elite"], "9.6b", term("poor troops against elite"))
        self.better = [
            [Push(value["attacker_higher_tq"], "9.6a", BETTER[ours][theirs]) for theirs in range(3)]
            for ours in range(3)
        ]
        self.unsupplied = Push(value["all_defenders_oos"], "14.4b", term("all defenders are out of supply"))
        self.disrupted = Push(value["defender_disrupted"], "11.5d", term("disrupted units in the hex"))
        name = board.unit_names[board.brandenburg]
        self.brandenburg = Push(value["brandenburg"], "15.2a", Text("{unit}, used for the shift", unit=name))


def chart(s: State) -> Chart:
    """The chart of this season, made once."""
    return chart_of(s.ground)


chart_of = remembered()(Chart)


# 9.1, 9.3, 9.4 Attack strength


def attack_strength(s: State, u: int, target: Hex) -> int:
    """What one unit brings into an attack."""
    return attack_total(s, target, 1 << u)


def attack_total(s: State, target: Hex, fighters: int) -> int:
    """8.3a the strength of everybody who fights in an attack, unit by unit.

    The printed value (15.5b), limited (9.4a), then halved (9.4b), once at most (9.1b) and rounded up (9.1a), for the
    ground (9.3) or for want of supply (14.4a, 14.5).
    """
    board, step, at = s.board, s.step, s.at
    of = chart(s)
    values = board.att_sup if of.raised >> target & 1 else board.att
    limit = of.limit if of.difficult >> target & 1 else 0
    halving, unsupplied, mech = of.halving[target], s.oos | s.limited, board.mech
    total = 0
    for u in units_of(fighters):
        value = values[u][step[u]]
        if limit and value > limit and mech >> u & 1:
            value = limit
        if halving >> at[u] & 1 or unsupplied >> u & 1:
            value = (value + 1) >> 1
        total += value
    return total


def attack_terms(s: State, u: int, target: Hex) -> Term:
    """The same as one line of a calculation, with every rule that changed it."""
    board, of, ground = s.board, chart(s), s.ground
    side, h = s.step[u], s.at[u]
    d = board.grid.direction(h, target)
    value, rule = board.att[u][side], "2.2a"
    words: Text = Text("{unit}: {value}", unit=board.unit_names[u], value=value)
    if of.raised >> target & 1 and board.att_sup[u][side] != value:
        value, rule = board.att_sup[u][side], "15.5b"
        words = Text("{before}, {value} into {place} (15.5b)", before=words, value=value, place=of.bonus_of[target])
    if value > of.limit and of.difficult >> target & 1 and board.mech >> u & 1:
        value, rule = of.limit, "9.4a"
        place = place_word(ground.terrain_at(target))
        words = Text(
            "{before}, mechanised, at most {value} into {place} (9.4a)", before=words, value=value, place=place
        )
    halvings = [
        (bool(ground.rivers[d] >> h & 1), "9.3a", term("halved: across a river (9.3a)")),
        (bool(of.out_of >> h & 1), "9.3b", term("halved: out of marsh (9.3b)")),
        (bool(ground.passes[d] >> h & 1), "9.3c", term("halved: across a pass (9.3c)")),
        (bool(s.oos >> u & 1), "14.4a", term("halved: out of supply (14.4a)")),
        (bool(s.limited >> u & 1), "14.5", term("halved: in limited supply (14.5)")),
    ]
    reasons = [(number, why) for so, number, why in halvings if so]
    if reasons:
        value, rule = halved(value), reasons[0][0]
        parts = [why for _, why in reasons] + ([term("once only (9.1b)")] if len(reasons) > 1 else [])
        words = Text("{facts}", facts=(words, *parts))
    return Term(str(value), rule, words)


# 9.2 Defence strength and the defensive terrain bonus


def fighting(s: State, target: Hex, fight: int) -> int:
    """The defenders whose strength counts.

    Units that retreated earlier in the combat phase add none (11.4a; in a mobile assault they do, 11.4b); an HQ
    counts only if nobody else does (15.1a), and of several HQs one.
    """
    units = s.here.get(target, 0) & s.board.of_side[enemy(s.active)]
    if fight != MOBILE:
        units &= ~s.retreated
    others = units & ~s.board.hq
    return others or units & -units


def bonus(s: State, target: Hex, units: int, strength: int) -> int:
    """9.2 the DTB of the hex: not more than the units have themselves (9.2c), none for white boxes alone (9.2d)."""
    if not units & ~s.board.white:
        return 0
    return min(chart(s).bonus[target], strength)


def defence_total(s: State, target: Hex, fight: int) -> int:
    """8.1c, 9.2a the strength of the whole hex with its DTB."""
    units = fighting(s, target, fight)
    dfn, step = s.board.dfn, s.step
    strength = 0
    for u in units_of(units):
        strength += dfn[u][step[u]]
    return strength + bonus(s, target, units, strength)


def defence_terms(s: State, target: Hex, fight: int) -> list[Term]:
    """The same, unit by unit, with those that add nothing and why."""
    board = s.board
    counting = fighting(s, target, fight)
    terms = []
    strength = 0
    for u in units_of(s.here.get(target, 0) & board.of_side[enemy(s.active)]):
        value, name = board.dfn[u][s.step[u]], board.unit_names[u]
        if counting >> u & 1:
            strength += value
            terms.append(Term(str(value), "2.2c", Text("{unit}: {value}", unit=name, value=value)))
        elif fight != MOBILE and s.retreated >> u & 1:
            terms.append(Term("0", "11.4a", Text("{unit}: retreated in this phase", unit=name)))
        else:
            terms.append(Term("0", "15.1a", Text("{unit}: an HQ counts only when alone", unit=name)))
    of = chart(s)
    full, got = of.bonus[target], bonus(s, target, counting, strength)
    if full and not got:
        terms.append(Term("+0", "9.2d", Text("no bonus of {place} for such units alone", place=of.bonus_of[target])))
    elif got < full:
        terms.append(
            Term(
                f"+{got}",
                "9.2c",
                Text("{place} +{full}, not more than the units have", place=of.bonus_of[target], full=full),
            )
        )
    elif got:
        terms.append(Term(f"+{got}", "9.2a", of.bonus_of[target]))
    return terms


# 9.5, 9.6, 9.7 Column shifts


def shifts(s: State, fight: int, target: Hex, attackers: int, shifters: int, support: int) -> list[Push]:
    """9.7b every shift of a fight; they add up."""
    of = chart(s)
    fighters = attackers & ~shifters
    defenders = fighting(s, target, fight)
    found: list[Push] = []
    push = armour_shift(s, target, fighters, defenders)
    if push:
        found.append(push)
    push = quality_shift(s, fighters, defenders)
    if push:
        found.append(push)
    if s.oos and defenders and not defenders & ~s.oos:
        found.append(of.unsupplied)
    if s.disrupted and s.disrupted & s.here.get(target, 0):
        found.append(of.disrupted)
    if shifters:
        found.append(of.brandenburg)
    if support != NO_SUPPORT:
        found.append(support_shift(s, support))
    return found


def armour_shift(s: State, target: Hex, fighters: int, defenders: int) -> Push | None:
    """9.5 armour against those who have none, and no anti-tank guns either."""
    of, board, step = chart(s), s.board, s.step
    if of.no_armour >> target & 1:  # 9.5d
        return None
    shows = board.armour
    met = [shows[u][step[u]] for u in units_of(defenders & board.armoured)]
    ours = [u for u in units_of(fighters & board.armoured) if shows[u][step[u]] == ARMOUR]
    if not ours:
        return of.met_armour if ARMOUR in met else None  # 9.5b
    if ARMOUR in met or CANCELS in met:  # 9.5a, 9.5c
        return None
    major, direction = s.ground.major_rivers, board.grid.direction
    for u in ours:  # 9.5e, A22 one armour unit that is not across a major river will do
        h = s.at[u]
        if not major[direction(h, target)] >> h & 1:
            return of.armour
    return None


def quality_shift(s: State, fighters: int, defenders: int) -> Push | None:
    """9.6 a unit better than all defenders, or nothing but Poor units against an Elite one."""
    if not fighters or not defenders:
        return None
    board, step = s.board, s.step
    attacking, defending = board.tq_att, board.tq_def
    ours = max([attacking[u][step[u]] for u in units_of(fighters)])
    theirs = max([defending[u][step[u]] for u in units_of(defenders)])
    if ours > theirs:
        return chart(s).better[ours][theirs]
    return chart(s).worse if ours == POOR and theirs == ELITE else None


def support_shift(s: State, support: int) -> Push:
    """16.12a, 16.22 the columns of a support marker."""
    rule = "16.22" if support == FLEET else "16.12a"
    return Push(s.board.air_shift[support], rule, support_name(s, support))


def support_name(s: State, support: int) -> str:
    return MARKERS[support]


# 8.3, 8.4 The odds of a fight


class Reckoning(NamedTuple):
    """Strengths and columns of one fight. `column` may lie beyond the table (8.4)."""

    attack: int
    defence: int
    base: int
    column: int
    pushes: tuple[Push, ...]


def reckon(
    s: State, fight: int, target: Hex, attackers: int, shifters: int = 0, support: int = NO_SUPPORT
) -> Reckoning:
    """8.3a, 8.4c the odds of an attack, all shifts applied before any limit."""
    attack = attack_total(s, target, attackers & ~shifters)
    defence = defence_total(s, target, fight)
    base = rung(attack, defence)
    pushes = shifts(s, fight, target, attackers, shifters, support)
    return Reckoning(attack, defence, base, base + sum([push[0] for push in pushes]), tuple(pushes))
