"""7.22, 7.31c, 7.41c The ER check of a reaction, and what the reacting side is shown before it decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sandtable.engine.contract import Action, Odds, Term
from sandtable.engine.texts.text import Text, term
from sandtable.engine.texts.verbs import Verb
from sandtable.mechanics.masks import enemy, units_of

from ..combat.coordination import hqs_of
from ..combat.declared import all_attacks, at_stake, attack_odds, declared_column, lead_of
from ..combat.showing import chances_of
from ..table import steps, verbs
from ..table.ids import INTERDICTION
from ..table.position import put, units_in
from ..table.ratings import Drm, rating, rating_terms, surprise
from ..table.script import AVOIDING, REACTION
from ..table.state import State
from ..table.steps import HexAt, ReactAt, UnitAt

AVOID_KIND, REACT_KIND, STAND_KIND = range(3)
RULES = ("7.22", "7.31c", "7.41c")
CHECK_TITLES = (term("Avoid combat"), term("Reaction movement"), term("No Retreat"))


def check_terms(s: State, f: ReactAt) -> list[Drm]:
    """The modifiers of the roll: Command Points, interdiction."""
    found = []
    if f.points:
        found.append(Drm(-f.points, "12.23a", "Command Points"))
    if f.harassed:
        found.append(Drm(1, "10.36b", "interdiction"))
    return found


def check_rating(s: State, f: ReactAt) -> int:
    """The ER of the lead unit, worse when surprised (15.13a)."""
    return rating(s, f.lead, sum(item.value for item in _surprised(s, f)))


def _surprised(s: State, f: ReactAt) -> list[Drm]:
    return surprise(s, f.lead, (AVOIDING, REACTION, "no_retreat")[f.kind])


def chances(s: State, f: ReactAt) -> Odds:
    """3.43 the chances of a check as things stand."""
    terms, made = check_terms(s, f), [*rating_terms(s, f.lead), *_surprised(s, f)]
    drm = sum(item.value for item in terms)
    return chances_of(CHECK_TITLES[f.kind], check_rating(s, f), terms, drm, made=made)


def check_odds(s: State, f: ReactAt, action: Action) -> Odds:
    """With these Command Points, or this interdiction."""
    if action[0] == verbs.COMMAND:
        return chances(s, f._replace(points=s.board.cp[action[1]]))
    return chances(s, f._replace(harassed=1) if action[0] == verbs.HARASS else f)


# What is at stake


def attempt_of(s: State, kind: int, which: int) -> ReactAt:
    """The attempt of a unit that reacts, or of the best ER in a hex that is attacked (3.42), with nobody's help."""
    if kind == REACT_KIND:
        return ReactAt(steps.COMMANDING, kind, s.at[which], which)
    return ReactAt(steps.COMMANDING, kind, which, lead_of(s, units_in(s, which, enemy(s.active)), which, False))


def check_of(s: State, kind: int, which: int) -> Odds:
    """The check of such an attempt."""
    return chances(s, attempt_of(s, kind, which))


def avoid_odds(s: State, f: Any, action: Action) -> Odds:
    """7.22 the chance to slip away, and what is to be expected of the attack otherwise."""
    return at_stake(check_of(s, AVOID_KIND, action[1]), attack_odds(s, action[1]))


def stand_odds(s: State, f: Any, action: Action) -> Odds:
    """7.42 the chance to hold them there, and the attack on those who hold (7.43)."""
    return at_stake(check_of(s, STAND_KIND, action[1]), attack_odds(s, action[1], stand=True))


def react_odds(s: State, f: Any, action: Action) -> Odds:
    """7.31c the chance to react, and the attack that is nearest, of equally near ones the worst."""
    u = action[1]
    near = min(s.aims, key=lambda h: (s.board.grid.distance(s.at[u], h), -declared_column(s, h), h))
    return at_stake(check_of(s, REACT_KIND, u), attack_odds(s, near))


def lead_odds(s: State, f: HexAt, action: Action) -> Odds:
    """3.42 the check with this unit in the lead."""
    kind = AVOID_KIND if f.frame == steps.AVOID_LEAD else STAND_KIND
    return chances(s, ReactAt(steps.COMMANDING, kind, f.hex, action[1]))


def joined_odds(s: State, f: UnitAt, action: Action) -> Odds | None:
    """7.34 the attack with the reacting unit among the defenders; elsewhere it changes none."""
    if action[1] not in s.aims:
        return None
    trial = s.copy()
    put(trial, f.unit, action[1])
    return attack_odds(trial, action[1])


def offered_odds(s: State, asked: Verb, kind: int, choices: Sequence[Action]) -> Odds | None:
    """If nothing more is done: the attacks as they are, and before them each thing that could be done, with its
    chance."""
    attacks, offers = all_attacks(s), []
    for _, which in (choice for choice in choices if choice[0] == asked):
        attempt = attempt_of(s, kind, which)
        name = {"unit": s.board.unit_names[which]} if kind == REACT_KIND else {"hex": s.board.hex_name(which)}
        offers.append(Term(_passing(s, attempt), RULES[kind], Text.of(str(asked.label), name)))
        for hq in units_of(hqs_of(s, attempt.lead)):
            helped = attempt._replace(points=s.board.cp[hq])
            offers.append(
                Term(_passing(s, helped), "12.23a", Text("with Command Points of {unit}", unit=s.board.unit_names[hq]))
            )
    hindering = interdictors(s).bit_count() if kind != STAND_KIND else 0
    if hindering:
        text = Text.many(
            hindering,
            "one enemy air unit may interdict an attempt",
            "{n} enemy air units may interdict attempts",
        )
        offers.append(Term("+1", "10.36b", text))
    return attacks and replace(attacks, terms=tuple(offers))


def _passing(s: State, attempt: ReactAt) -> str:
    return f"{float(100 * chances(s, attempt).results[0][1]):.0f} %"


def interdictors(s: State) -> int:
    """10.35a the air units of the phasing side that wait in the Interdiction box."""
    units = s.board.air & s.board.of_side[s.active]
    return sum(1 << u for u in units_of(units) if s.at[u] == INTERDICTION)
