"""What a movement phase asks after every move, kept up to date.

Who has an enemy beside him, who could make a mobile assault, who is hemmed in, where units could merge, where 10:1
might be had: a move changes that only for the unit that moved, and in and around the hex that it left and the hex that
it entered. So the last answer stays with the state (`State.watch`), and only at units that have shifted and hexes that
have been stirred (`State.shifted`, `State.stirred`) is looked again.
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.mechanics.odds import rung

from .board import HALF, units_of
from .ids import AUTOMATIC, REDUCED, SOVIET
from .routes import beside, strolls, tables
from .state import State, zone
from .strengths import HIGHEST, defence_total


class Watch:
    """The answers for the active side, and what they hold for."""

    __slots__ = ("crowds", "hemmed", "key", "near", "raiding", "seen", "weak")

    def __init__(self, key: tuple[int, ...]) -> None:
        self.key = key  # everything that matters but the units themselves
        self.seen = 0  # units about which the next three are true
        self.near = 0  # with an enemy beside them (A11)
        self.hemmed = 0  # without a hex beside them that they could step into (7.4a, 11.5b)
        self.raiding = 0  # with an enemy in reach of a mobile assault (13.1e)
        self.crowds: Mask = 0  # hexes with units that could merge (18.1a)
        self.weak: Mask = 0  # enemy hexes where 10:1 is not out of the question (8.5b)


def look(s: State) -> Watch:
    """The answers as they are now."""
    side, second = s.active, s.second
    foe = 1 - side
    free = 0 if second else may_crush(s)
    support = 2 if s.fleet_ready or s.air & ~s.air_used else 0
    key = (s.turn, side, second, s.occ[foe], zone(s, foe), free, support, s.disrupted, s.oos, s.retreated)
    last: Watch | None = s.watch
    stirred = s.stirred
    if last is None or last.key != key:
        last, stirred = Watch(key), -1
    units = s.on_map[side] & ~s.moved
    kept = last.seen & ~s.shifted
    todo = units & ~kept
    if not stirred and not todo:
        return last
    found = Watch(key)
    found.seen = kept | todo
    found.near, found.hemmed, found.raiding = last.near & kept, last.hemmed & kept, last.raiding & kept
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
    """Unit by unit: enemies beside it, a way to step, an enemy to assault."""
    board, side, t = s.board, s.active, tables(s)
    foe = 1 - side
    touching, ezoc = beside(s, foe), zone(s, foe)
    closed = s.occ[foe] | board.barred[side]
    targets, cost = s.occ[foe] & ~board.special_entries[foe], t.assault // HALF
    mobile = board.mobile & ~board.special_movers if s.second else 0
    at, step, within, kinds, kind_of = s.at, s.step, board.grid.within, t.kinds, t.kind_of
    for u in units_of(todo):
        h = at[u]
        beside_it = touching >> h & 1
        found.near |= beside_it << u
        near = kinds[kind_of[u]].walk.exits[h] & ~closed
        if not near or (s.disrupted >> u & 1 and not near & ~ezoc):  # 11.5b
            found.hemmed |= 1 << u
        if mobile >> u & 1:
            ma = board.ma[u][step[u]]
            if ma < cost:
                continue
            if beside_it or (within(h, ma - cost + 1) & targets and strolls(s, u, ma).within(ma - cost) & touching):
                found.raiding |= 1 << u


def _look_for_crowds(s: State, found: Watch, known: Mask, stirred: Mask) -> None:
    """18.1a hexes with a reduced division and another one, or a brigade."""
    own, step = s.occ[SOVIET], s.step
    divisions, brigades = s.board.divisions, s.board.brigades
    found.crowds = known & ~stirred
    for h in hexes_of(stirred & own):
        units = s.here[h]
        both = units & (divisions | brigades)
        if both & both - 1:
            weak = [u for u in units_of(both & divisions) if step[u] == REDUCED]
            if weak and (len(weak) > 1 or both & brigades):
                found.crowds |= 1 << h


def may_crush(s: State) -> int:
    """8.5b the units of the active side that could take part in an automatic elimination."""
    return s.board.of_side[s.active] & ~(s.attacked | s.marked | s.rebuilt | s.board.hq)


def _look_for_weak_spots(s: State, found: Watch, known: Mask, stirred: Mask, free: int, support: int) -> None:
    """8.5b hardly ever is there one: a bound from printed strengths and from the shifts that there could be."""
    around, here, own = s.ground.around, s.here, s.occ[s.active]
    todo = stirred
    if stirred > 0:
        for h in hexes_of(stirred):
            todo |= around[h]
    occ = s.occ[1 - s.active]
    found.weak = known & occ & ~todo
    todo &= occ
    if todo:
        for h in hexes_of(todo):
            near = 0
            for n in hexes_of(around[h] & own):
                near |= here[n]
            if near & free and _is_weak(s, h, near & free, support):
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
