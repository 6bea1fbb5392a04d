"""What a movement phase asks after every move, kept up to date.

Who has an enemy beside him, who could make a mobile assault, who is hemmed in, where units could merge, where 10:1
might be had: a move changes that only for the unit that moved, and in and around the hex that it left and the hex that
it entered. So the last answer stays with the state (`State.watch`), and only at units that have shifted and hexes that
have been stirred (`State.shifted`, `State.stirred`) is looked again.
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.fights.odds import rung
from sandtable.mechanics.masks import hexes_in, units_of

from ..paths.legs import beside, strolls, tables
from ..table.board import HALF
from ..table.ids import AUTOMATIC, REDUCED, SOVIET
from ..table.state import State, zone
from .attackers import may_attack
from .strengths import HIGHEST, defence_total


class Watch:
    """The answers for the active side, and what they hold for."""

    __slots__ = ("crowds", "hemmed", "key", "near", "raiding", "seen", "weak")

    def __init__(self, key: tuple[int, ...], seen: int = 0, near: int = 0, hemmed: int = 0, raiding: int = 0) -> None:
        self.key = key  # everything that matters but the units themselves
        self.seen = seen  # units about which the next three are true
        self.near = near  # with an enemy beside them (A11)
        self.hemmed = hemmed  # without a hex beside them that they could step into (7.4a, 11.5b)
        self.raiding = raiding  # with an enemy in reach of a mobile assault (13.1e)
        self.crowds: Mask = 0  # hexes with units that could merge (18.1a)
        self.weak: Mask = 0  # enemy hexes where 10:1 is not out of the question (8.5b)


def look(s: State) -> Watch:
    """The answers as they are now."""
    side, second = s.active, s.second
    foe = 1 - side
    free = 0 if second else may_attack(s)
    support = 2 if s.fleet_ready or s.air & ~s.air_used else 0
    key = (s.turn, side, second, s.occ[foe], zone(s, foe), free, support, s.disrupted, s.oos, s.retreated)
    last: Watch | None = s.watch
    stirred = s.stirred
    if last is None or last.key != key:
        last, stirred = Watch(key), -1
    units = s.on_map[side] & ~s.moved
    kept = last.seen & ~s.shifted
    todo = units & ~kept
    if not todo and (not stirred or (second and side != SOVIET)):  # crowds and weak spots are all that may be stirred
        return last
    found = Watch(key, kept | todo, last.near & kept, last.hemmed & kept, last.raiding & kept)
    if todo:
        _look_at(s, found, todo)
    if side == SOVIET:
        _look_for_crowds(s, found, last.crowds, stirred)
    if not second:
        _look_for_weak_spots(s, found, last.weak, stirred, free, support)
    s.watch = found
    s.stirred = s.shifted = 0
    return found


def _look_at(s: State, found: Watch, todo: int) -> None:
    """Which of these units have enemies beside them, a way to step, an enemy to assault."""
    board, side, t, here = s.board, s.active, tables(s), s.here
    foe = 1 - side
    touching, own = beside(s, foe), s.occ[side]
    near = cornered = 0
    for h in hexes_in(own & touching):
        near |= here[h]
    for h in hexes_in(own & t.corners[side]):
        cornered |= here[h]
    near &= todo
    found.near |= near
    doubtful = near | (cornered | s.disrupted) & todo
    if doubtful:
        closed, ezoc = s.occ[foe] | board.barred[side], zone(s, foe)
        for u in units_of(doubtful):
            step = t.kinds[t.kind_of[u]].walk.exits[s.at[u]] & ~closed
            if not step or (s.disrupted >> u & 1 and not step & ~ezoc):  # 11.5b
                found.hemmed |= 1 << u
    if s.second:
        targets, cost = s.occ[foe] & ~board.special_entries[foe], t.assault // HALF
        for u in units_of(todo & board.mobile & ~board.special_movers):
            ma = board.ma[u][s.step[u]]
            if ma >= cost and (
                near >> u & 1
                or (board.grid.within(s.at[u], ma - cost + 1) & targets and strolls(s, u, ma - cost) & touching)
            ):
                found.raiding |= 1 << u


def _look_for_crowds(s: State, found: Watch, known: Mask, stirred: Mask) -> None:
    """18.1a hexes with a reduced division and another one, or a brigade."""
    own, step = s.occ[SOVIET], s.step
    divisions, brigades = s.board.divisions, s.board.brigades
    found.crowds = known & ~stirred
    todo = stirred & own
    while todo:
        h = todo.bit_length() - 1
        todo ^= 1 << h
        units = s.here[h]
        both = units & (divisions | brigades)
        if both & both - 1:
            weak = [u for u in units_of(both & divisions) if step[u] == REDUCED]
            if weak and (len(weak) > 1 or both & brigades):
                found.crowds |= 1 << h


def _look_for_weak_spots(s: State, found: Watch, known: Mask, stirred: Mask, free: int, support: int) -> None:
    """8.5b hardly ever is there one: a bound from printed strengths and from the shifts that there could be."""
    around, here, own = s.ground.around, s.here, s.occ[s.active]
    todo = stirred
    if stirred > 0:
        while stirred:
            h = stirred.bit_length() - 1
            stirred ^= 1 << h
            todo |= around[h]
    occ = s.occ[1 - s.active]
    todo &= occ
    known &= occ
    found.weak = known ^ known & todo
    while todo:
        h = todo.bit_length() - 1
        todo ^= 1 << h
        beside_it = around[h] & own
        near = 0
        while beside_it:
            n = beside_it.bit_length() - 1
            beside_it ^= 1 << n
            near |= here[n]
        near &= free
        if near and _is_weak(s, h, near, support):
            found.weak |= 1 << h


def _is_weak(s: State, h: Hex, near: int, support: int) -> bool:
    """At most: armour and quality, disruption, want of supply, the Brandenburg unit, a marker (9.7b)."""
    units = s.here[h]
    shift = 2 + bool(s.disrupted & units) + bool(s.oos & units) + (near >> s.board.brandenburg & 1) + support
    step, att = s.step, s.board.att_sup
    attack = 0
    for u in units_of(near):
        attack += att[u][step[u]]
    return rung(attack, defence_total(s, h, AUTOMATIC)) + shift > HIGHEST
