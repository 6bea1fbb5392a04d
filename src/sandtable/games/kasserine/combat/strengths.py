"""8.5, 3.5, 9.2, 9.3 Strengths: what attacks, what defends, what is halved, what the artillery adds."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.masks import enemy, units_of

from ..table.ratings import Drm
from ..table.state import State
from .fight import FULL_SUPPORT, HALF_SUPPORT, Fight, defenders


class Strength(NamedTuple):
    """A strength as terms whose sum it is."""

    value: int
    terms: tuple[Drm, ...]


def halvings(s: State, u: int, target: Hex, dud: bool = False) -> list[Drm]:
    """3.55 why the attack strength of a unit is halved; causes add up (3.52).

    A minefield that proves a dud in this very combat has done its work by then (A67).
    """
    board, b = s.board, 1 << u
    found = []
    if s.oos & b:
        found.append(Drm(1, "5.14b", "out of supply"))
    if board.terrain.mountain >> target & 1 and (board.armor | board.guns) & b:
        found.append(Drm(1, "6.36", "along a road into a mountain hex"))
    if board.armor & b and (dud or s.mines[enemy(board.side[u])] >> target & 1):
        found.append(Drm(1, "3.55c", "armor against a minefield"))
    return found


def attack_strength(s: State, units: int, target: Hex, dud: bool = False) -> Strength:
    """8.51a, 3.53b, A5 ground units by how often they are halved: each group is added up, halved and rounded down."""
    board = s.board
    groups: dict[tuple[str, ...], int] = {}
    for u in units_of(units):
        strength = board.attack[u][s.step[u]]
        if strength:
            why = tuple(f"{cause.rule}|{cause.text}" for cause in halvings(s, u, target, dud))
            groups[why] = groups.get(why, 0) + strength
    by_count: dict[int, int] = {}
    for causes, total in groups.items():
        by_count[len(causes)] = by_count.get(len(causes), 0) + total
    terms = [Drm(total, "8.51a", "attack strength") for count, total in by_count.items() if not count]
    for count, total in sorted(by_count.items()):
        if count:
            rule, _, text = next(causes for causes in groups if len(causes) == count)[0].partition("|")
            sentence = term("{total} at half: {why}") if count == 1 else term("{total} at a quarter: {why}")
            terms.append(Drm(total >> count, rule, Text(sentence, total=total, why=text)))
    return Strength(sum(total >> count for count, total in by_count.items()), tuple(terms))


def may_attack(s: State, units: int, target: Hex) -> bool:
    """7.14b, 8.24b a unit or stack below 1 cannot attack."""
    return attack_strength(s, units, target).value >= 1


# Artillery


def can_fire(s: State, u: int) -> bool:
    """9.1, 9.13c, 9.13d artillery that is in supply, undisrupted and has not fired."""
    return not (s.oos | s.disrupted | s.fired) >> u & 1


def in_range(s: State, u: int, target: Hex) -> bool:
    """9.13a the defending hex counts, the artillery's own does not; nothing in between matters (9.16)."""
    return s.board.grid.distance(s.at[u], target) <= s.board.range[u]


def batteries(s: State, side: int, target: Hex) -> int:
    """9.0, 9.1 the artillery of a side outside the defending hex that could support a combat there."""
    board = s.board
    committed = 0
    for h in s.aims:  # 9.24b artillery with other troops in a defending hex stays with them
        if h != target and uses_support(s, s.here.get(h, 0)):
            committed |= s.here.get(h, 0)
    able = s.on_map[side] & board.artillery & ~s.fired & ~s.oos & ~s.disrupted & ~committed
    return sum(1 << u for u in units_of(able) if s.at[u] != target and in_range(s, u, target))


def uses_support(s: State, units: int) -> bool:
    """9.21-9.24, A53 whether artillery in a defending hex adds its support: others than guns and HQs are with it."""
    return bool(units & s.board.combat & ~s.board.guns)


def support_each(s: State, guns: int, outcome: int) -> int:
    """3.53a, 8.41d-8.41f supporting artillery, each unit halved by itself when its check failed."""
    if outcome == FULL_SUPPORT:
        return sum(s.board.support[u] for u in units_of(guns))
    if outcome == HALF_SUPPORT:
        return sum(s.board.support[u] >> 1 for u in units_of(guns))
    return 0


def fight_attack(s: State, fight: Fight) -> Strength:
    """8.51 the attacker's strength with his artillery, which never counts more than the ground units (9.3a)."""
    base = attack_strength(s, fight.attackers, fight.target, bool(fight.dud))
    return _with_support(base, base.value, support_each(s, fight.guns[fight.side], fight.artillery[fight.side]), "9.3a")


def _with_support(base: Strength, troops: int, support: int, rule: str) -> Strength:
    if not support:
        return base
    counted = min(support, troops)
    if counted < support:
        capped = Text("artillery support (of {support}: no more than the troops it supports)", support=support)
        added = Drm(counted, rule, capped)
    else:
        added = Drm(counted, "8.51b", "artillery support")
    return Strength(base.value + counted, (*base.terms, added))


class Holding(NamedTuple):
    """9.2 what units in a hex have to hold it with."""

    strength: Strength
    inside: int  # support of the artillery among them
    troops: int  # 9.3b the defense strength of all but artillery: no more support than that counts


def hex_defense(s: State, units: int, overrun: int = 0) -> Holding:
    """9.2 the defense strength of units in a hex, and the support of the artillery among them; in an overrun there is
    none (6.66c), and all defend themselves."""
    board = s.board
    guns = units & board.artillery
    inside = 0
    if uses_support(s, units) and not (overrun and s.edition > 3):
        firing = sum(1 << u for u in units_of(guns) if can_fire(s, u))  # A79 the others defend themselves
        inside = sum(board.support[u] for u in units_of(firing))
        units &= ~firing
    total = sum(board.defense[u][s.step[u]] for u in units_of(units))
    troops = sum(board.defense[u][s.step[u]] for u in units_of(units & ~guns)) if s.edition > 3 else total
    return Holding(Strength(total, (Drm(total, "8.17", "defense strength"),)), inside, troops)


def fight_defense(s: State, fight: Fight) -> Strength:
    """8.51, 9.3b the defender's strength; artillery in the hex needs no check (9.27), none supports a 0 (9.28)."""
    side = enemy(fight.side)
    held = hex_defense(s, defenders(s, fight), fight.overrun)
    outside = support_each(s, fight.guns[side], fight.artillery[side])
    return _with_support(held.strength, held.troops, held.inside + outside, "9.3b")


def defense_in(s: State, fight: Fight) -> int:
    """9.28 the own defense strength of those who defend, without the artillery among them (9.1b)."""
    return hex_defense(s, defenders(s, fight)).troops
