"""What a fire phase is used for instead of firing: A7.25 waiting, B27.11 digging, B26.4 and B28.7 clearing, A9.8 taking
weapons apart. Who digs or clears is TI (A4.9).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.dice import ColoredDice
from sandtable.mechanics.masks import units_of

from ..fire.morale import bonus_of
from ..table import verbs
from ..table.ids import (
    ABOVE,
    ADVANCING,
    F_CLEAR_ROLL,
    F_CLEARING,
    F_DIG_ROLL,
    FOXHOLE,
    GONE,
    LEADER,
    MINES_AP,
    MINES_AT,
    MMC,
    ON_WIRE,
    PHASES,
    PREP,
    SPARE,
    SQUAD,
    UNDER_FOXHOLE,
    WIRE,
)
from ..table.state import State, all_men, good_order, men, on_map, put
from ..table.telling import emit
from ..table.works import SANDS, forbidden, works_in
from ..works.mines import weaken


class FireAt(NamedTuple):
    """A fire phase: who fires, and how."""

    frame: int
    side: int
    fire: int
    begun: int = 0
    """D5.3 whether the side has fired: the start of the phase is over."""


class DigAt(NamedTuple):
    """The DR of an Entrenching Attempt."""

    frame: int
    unit: int


class ClearingAt(NamedTuple):
    """The end of the CCPh: those who clear, one after the other."""

    frame: int


class ClearAt(NamedTuple):
    """The roll of one who clears wire (a dr) or mines (a DR)."""

    frame: int
    unit: int
    work: int


def not_prep(s: State, f: FireAt) -> int:
    return 0 if f.fire == PREP else -1


def leaders_with(s: State, u: int) -> int:
    """The best Good Order leader with a unit, -1 if there is none."""
    near = good_order(s, men(s, s.at[u], s.stage.roster.side[u])) & ~(s.pinned | s.ti)
    found = [one for one in units_of(near) if s.kind(one).kind == LEADER]
    return min(found, key=lambda one: (bonus_of(s, one), one), default=-1)


IDLE: Bars[State, FireAt] = Bars(
    Need("A3.2", "{unit} is not one of the Infantry that is to act now", lambda s, f: all_men(s, f.side)),
    Bar("A3.2", "only in the Prep Fire Phase", not_prep),
    Bar("A.7", "{unit} is not in Good Order", lambda s, f: s.broken | s.melee | s.captive),
    Bar("A4.9", "{unit} is busy in this Player Turn", lambda s, f: s.ti),
    Bar("A7.11", "{unit} has fired in this Player Turn", lambda s, f: s.fired | (s.served if s.edition > 2 else 0)),
)


def in_prep(s: State, f: FireAt) -> int:
    """Whom to ask about: nobody outside the Prep Fire Phase."""
    return all_men(s, f.side) & ~(s.fired | s.broken) if f.fire == PREP else 0


# A7.25 Opportunity Fire

WAIT: Bars[State, FireAt] = Bars(
    IDLE,
    Bar("A7.25", "{unit} waits already", lambda s, f: s.waits),
    Bar("A7.8", "{unit} is pinned", lambda s, f: s.pinned),
)


def wait(s: State, f: FireAt, u: int) -> None:
    s.waits |= 1 << u
    emit(s, "waits", "A7.25", {"unit": u, "hex": s.at[u], "side": f.side})


# B27.11 digging


def mmc(s: State, f: FireAt) -> int:
    types, kinds = s.stage.roster.types, s.type
    return sum([1 << u for u in units_of(all_men(s, f.side)) if types[kinds[u]].kind in MMC])


def spare_hole(s: State, side: int) -> int:
    found = s.stage.roster.of_kind[FOXHOLE] & s.stage.roster.of_side[side]
    return next((w for w in units_of(found) if s.at[w] == SPARE), -1)


def hard_ground(s: State, f: FireAt, u: int) -> bool:
    h = s.at[u]
    return bool(forbidden(s, FOXHOLE, h)) or s.stage.field.has("wadi", h) or bool(s.under[u])


DIG: Bars[State, FireAt] = Bars(
    IDLE,
    Need("B27.11", "only an MMC digs", mmc),
    Bar("A7.8", "{unit} is pinned", lambda s, f: s.pinned),
    Bar("A7.25", "{unit} waits to fire", lambda s, f: s.waits),
    Bar("B27.11", "nobody may entrench in this scenario", lambda s, f: -1 if s.stage.no_digging else 0),
    Bar("B27.11", "no foxhole counter is left", lambda s, f: -1 if spare_hole(s, f.side) < 0 else 0),
    Doubt("B27.11", "one cannot dig in where {unit} is", hard_ground),
)


def begin_dig(s: State, f: FireAt, u: int) -> None:
    s.ti |= 1 << u
    s.stack.append(DigAt(F_DIG_ROLL, u))


def dig_drm(s: State, u: int) -> list[tuple[int, str, str]]:
    """B27.11, F.1B, F7.421"""
    chart = s.stage.pack.tables["fortifications"]["foxhole"]
    h, field, found = s.at[u], s.stage.field, []
    if s.kind(u).kind != SQUAD:
        found.append((int(chart["dig_drm_hs_crew"]), "B27.11", term("not a squad")))
    if field.desert >> h & 1 and field.terrain[h] not in SANDS and "steppe" not in field.alternates:
        found.append((int(chart["dig_drm_desert"]), "F.1B", term("desert")))
    leader = leaders_with(s, u)
    if leader >= 0 and bonus_of(s, leader):
        found.append((bonus_of(s, leader), "B27.11", term("leadership")))
    if s.dug.get(h):
        worst = int(chart["dig_drm_labor_min"])
        found.append((max(worst, -s.dug[h]), "B27.11", term("earlier labour")))
    return found


class DigRoll(ColoredDice[State, DigAt]):
    """B27.11 a Final DR of 5 or less makes a 1S foxhole."""

    at = DigAt

    def take(self, s: State, f: DigAt, action: Action) -> None:
        s.stack.pop()
        u, h = f.unit, s.at[f.unit]
        final = action[1] + action[2] + sum(value for value, _, _ in dig_drm(s, u))
        done = final <= int(s.stage.pack.tables["fortifications"]["foxhole"]["dig_dr"])
        facts = {"unit": u, "hex": h, "dice": list(action[1:]), "final": final, "passed": done}
        emit(s, "dug", "B27.11", {**facts, "side": s.stage.roster.side[u]}, final=True)
        if not done:
            s.dug[h] = s.dug.get(h, 0) + 1
            return
        w = spare_hole(s, s.stage.roster.side[u])
        s.strength[w] = 1
        put(s, w, h)
        s.under[u] = UNDER_FOXHOLE

    def prompt(self, s: State, f: DigAt) -> Prompt:
        return Prompt(Text("{unit} digs in", unit=f.unit), "", ("B27.11",), PHASES[s.phase])


# B26.4, B28.7 clearing


def to_clear(s: State, u: int) -> int:
    """The wire, or else the known minefield, of its hex; -1 if there is none."""
    here = works_in(s, s.at[u], WIRE) or works_in(s, s.at[u], MINES_AP, MINES_AT) & ~s.hip
    return here.bit_length() - 1


def clearers(s: State, f: FireAt) -> int:
    """Whom to ask about, where anything that could be cleared lies on the map."""
    kinds = s.stage.roster.of_kind
    return in_prep(s, f) if on_map(s) & (kinds[WIRE] | kinds[MINES_AP] | kinds[MINES_AT]) else 0


CLEAR: Bars[State, FireAt] = Bars(
    IDLE,
    Need(
        "B26.4", "only a squad clears", lambda s, f: sum(1 << u for u in units_of(mmc(s, f)) if s.kind(u).kind == SQUAD)
    ),
    Bar("A7.8", "{unit} is pinned", lambda s, f: s.pinned),
    Doubt("B26.4", "there is neither wire nor a minefield where {unit} is", lambda s, f, u: to_clear(s, u) < 0),
)


def begin_clear(s: State, f: FireAt, u: int) -> None:
    s.ti |= 1 << u
    s.clears |= 1 << u


class Clearing(Frame[State, ClearingAt]):
    """B28.7 at the end of the CCPh."""

    at = ClearingAt

    def run(self, s: State, f: ClearingAt) -> None:
        able = good_order(s, s.clears) & ~s.pinned
        left = [u for u in units_of(able) if s.at[u] >= 0 and to_clear(s, u) >= 0]
        if not left:
            s.clears = 0
            s.stack.pop()
            return
        s.clears &= ~(1 << left[0])
        s.stack.append(ClearAt(F_CLEAR_ROLL, left[0], to_clear(s, left[0])))


class ClearRoll(ColoredDice[State, ClearAt]):
    """B26.4 wire goes on a dr (the first die) of 3 or less; B28.7 mines lose a step on a Final DR of 2 or less."""

    at = ClearAt

    def take(self, s: State, f: ClearAt, action: Action) -> None:
        s.stack.pop()
        u, w = f.unit, f.work
        wire = s.kind(w).kind == WIRE
        leader = leaders_with(s, u)
        bonus = bonus_of(s, leader) if leader >= 0 else 0
        final = action[1] if wire else action[1] + action[2] + bonus
        limit = int(s.stage.pack.tables["fortifications"]["wire"]["clear_dr"]) if wire else 2
        facts = {"unit": u, "other": w, "hex": s.at[u], "final": final, "passed": final <= limit}
        emit(s, "cleared", "B26.4" if wire else "B28.7", {**facts, "side": s.stage.roster.side[u]}, final=True)
        if final > limit:
            return
        if wire:
            unwire(s, w)
        else:
            weaken(s, w)

    def prompt(self, s: State, f: ClearAt) -> Prompt:
        return Prompt(Text("{unit} clears", unit=f.unit), "", ("B26.4", "B28.7"), PHASES[s.phase])


def unwire(s: State, w: int) -> None:
    """The wire is gone; who was on top stands on the ground."""
    h = s.at[w]
    put(s, w, GONE)
    for u in units_of(s.here.get(h, 0)):
        if s.under[u] == ON_WIRE:
            s.under[u] = ABOVE


# A9.8 taking weapons apart


def servable(s: State, f: FireAt) -> int:
    able = good_order(s, all_men(s, f.side)) & ~s.ti
    held = units_of(s.stage.roster.weapons & on_map(s))
    return sum([1 << w for w in held if s.holder[w] >= 0 and able >> s.holder[w] & 1])


def unfired_weapons(s: State, f: FireAt) -> int:
    """Whom to ask about: weapons on the map, if there is time for it."""
    return s.stage.roster.weapons & on_map(s) & ~(s.fired | s.spent_fire) if f.fire != ADVANCING else 0


DISMANTLE: Bars[State, FireAt] = Bars(
    Need("A9.8", "nobody in Good Order of this side has {weapon}", servable),
    Bar("A9.8", "only in the Prep Fire and Defensive Fire Phases", lambda s, f: -1 if f.fire == ADVANCING else 0),
    Bar("A9.8", "{weapon} has fired", lambda s, f: s.fired | s.spent_fire),
    Doubt("A9.8", "{weapon} cannot be taken apart", lambda s, f, w: not s.kind(w).dismantled),
)


def dismantle(s: State, f: FireAt, w: int) -> None:
    """A9.8 instead of firing."""
    s.apart ^= 1 << w
    s.fired |= 1 << w
    s.spent_fire |= 1 << w
    facts = {"unit": w, "hex": s.at[w], "side": f.side, "passed": bool(s.apart >> w & 1)}
    emit(s, "dismantled", "A9.8", facts)


FRAMES: dict[int, Frame[State, Any]] = {
    F_DIG_ROLL: DigRoll(verbs.ROLLED),
    F_CLEARING: Clearing(),
    F_CLEAR_ROLL: ClearRoll(verbs.ROLLED),
}
