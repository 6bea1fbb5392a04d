"""8.8 The ways of one retreating unit: two rings around the defending hex, past enemies and their ZOCs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.mechanics.bars import Bar, Bars
from sandtable.mechanics.masks import enemy, mask_of

from ..supply.lines import supplied
from ..table.ids import B2_REACTION, C2_REACTION
from ..table.position import enemy_works, units_in
from ..table.ratings import mover
from ..table.script import script
from ..table.stacking import limit, points, room
from ..table.state import State
from ..table.surprises import notable
from ..table.zones import zone

NOBODY: Mapping[Hex, int] = {}


class Retreat(NamedTuple):
    """How units have to retreat."""

    centre: Hex  # A47 every step leads farther from here: the defending hex
    least: int  # 8.8b, 8.8c hexes
    most: int
    shun: Mask = 0  # 7.24 hexes in which it may not end


class Going(NamedTuple):
    """A unit that has to retreat."""

    unit: int
    how: Retreat

    def side(self, s: State) -> int:
        return s.board.side[self.unit]


class Ways(NamedTuple):
    """Where one unit can end its retreat: by a lawful path, or only by a special retreat (8.89)."""

    ends: Mask
    special: Mask


def ways(s: State, u: int, how: Retreat) -> Ways:
    """8.81-8.89 where a unit can retreat to from where it stands. Neither: it is eliminated."""
    key = ("retreat", u, how)
    found: Ways | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = _ways(s, u, how)
    return found


def _ways(s: State, u: int, how: Retreat) -> Ways:
    board = s.board
    side = board.side[u]
    if board.leaders >> u & 1:
        return _leader_ways(s, u, how)
    ends = _lawful(s, u, how)
    if ends:
        return Ways(_kept(s, u, how, ends), 0)
    avoiding = s.edition > 3 and s.phase in (B2_REACTION, C2_REACTION)  # 7.25
    special = 0
    if not board.orange >> u & 1 and not avoiding:  # 8.86, 8.89b
        free, vacant = _hexes(s, side)
        fits = _fitting(s, u, side, free, how) & ~how.shun
        for n in hexes_of(_steps(s, u, s.at[u], how) & vacant):
            special |= _steps(s, u, n, how) & fits  # 8.89d the second hex must be free
    return Ways(0, _kept(s, u, how, special))


def _lawful(s: State, u: int, how: Retreat) -> Mask:
    """8.81-8.84, 8.88 where a unit can end by a path that breaks through no EZOC, in supply or not."""
    side = s.board.side[u]
    free, _ = _hexes(s, side)
    fits = _fitting(s, u, side, free, how) & ~how.shun
    ends = 0
    for n in hexes_of(_steps(s, u, s.at[u], how) & free):
        if how.least == 1:
            ends |= 1 << n & fits
        if how.most == 2:
            ends |= _steps(s, u, n, how) & fits
    return ends


def room_for_all(s: State, units: int, how: Retreat, taken: Mapping[Hex, int] = NOBODY) -> bool:
    """8.82b whether these units can all go where each has a way; `taken`: those who have gone, by hex."""
    if not units:
        return True
    u = units.bit_length() - 1
    for h in hexes_of(_with_room(s, u, how, taken)):
        there = taken.get(h, 0) | 1 << u
        if room_for_all(s, units & ~(1 << u), how, {**taken, h: there}):
            return True
    return False


def _with_room(s: State, u: int, how: Retreat, taken: Mapping[Hex, int]) -> Mask:
    """The ends with room for a unit beside those who have gone; one in supply that they have filled is no other path
    (8.85)."""
    side, ends = s.board.side[u], _lawful(s, u, how) if s.edition > 5 else ways(s, u, how).ends
    ends &= ~mask_of(h for h in taken if not room(s, h, side, taken[h] | 1 << u))
    return _kept(s, u, how, ends)


def _leader_ways(s: State, u: int, how: Retreat) -> Ways:
    """12.41c a leader goes where a stack goes: to any hex of friends that is near enough, or any free one."""
    free, _ = _hexes(s, s.board.side[u])
    start = s.at[u]
    ends = 0
    for n in hexes_of(_steps(s, u, start, how) & free):
        ends |= 1 << n | _steps(s, u, n, how) & free
    return Ways(ends & ~how.shun, 0)


def _hexes(s: State, side: int) -> tuple[Mask, Mask]:
    """Hexes free for a retreat (outside EZOCs, or held by friends, 8.83b), and vacant ones in an EZOC."""
    other = enemy(side)
    open_ = script(s).area & ~s.occ[other]
    vacant = zone(s, other) & ~s.occ[side]
    return open_ & ~vacant, open_ & vacant


def _steps(s: State, u: int, h: Hex, how: Retreat) -> Mask:
    """8.81, A47 the next hexes: those that it could enter by moving, farther from the defending hex."""
    grid = s.board.grid
    gone = grid.distance(how.centre, h)
    return s.ground.exits[mover(s, u)][h] & ~grid.within(how.centre, gone)


def _fitting(s: State, u: int, side: int, hexes: Mask, how: Retreat) -> Mask:
    """8.82b the hexes in which there is room for it."""
    near = hexes & s.board.grid.within(s.at[u], how.most)
    most = limit(s) - points(s, 1 << u)
    for h in hexes_of(near & s.occ[side]):
        if points(s, units_in(s, h, side)) > most:
            near &= ~(1 << h)
    return near


def _kept(s: State, u: int, how: Retreat, ends: Mask) -> Mask:
    """8.85 not out of supply unless there is no other path."""
    if not ends:
        return 0
    return ends & _supplied(s, u, how) or ends


def _supplied(s: State, u: int, how: Retreat) -> Mask:
    """8.85, A102 the hexes in supply when all who retreat with a unit have gone: they keep no EZOC open any more."""
    side, h = s.board.side[u], s.at[u]
    if s.edition < 6 or _stayers(s, u, how):
        return supplied(s, side)
    return supplied(s, side, s.fighting[side] & ~(1 << h))


def _stayers(s: State, u: int, how: Retreat) -> int:
    """The combat units in a unit's hex that do not retreat: none where the hex itself is given up."""
    side, h = s.board.side[u], s.at[u]
    if h == how.centre:
        return 0
    going = s.fight.retreating[side] if s.fight is not None else 0
    return units_in(s, h, side) & s.board.combat & ~going & ~(1 << u)


def _out_of_reach(s: State, go: Going) -> Mask:
    return ~s.board.grid.within(s.at[go.unit], go.how.most)


def _not_farther(s: State, go: Going) -> Mask:
    grid, how = s.board.grid, go.how
    return grid.within(how.centre, grid.distance(how.centre, s.at[go.unit]))


def _too_near(s: State, go: Going) -> Mask:
    return s.board.grid.within(s.at[go.unit], go.how.least - 1)


def _crowded(s: State, go: Going) -> Mask:
    free, _ = _hexes(s, go.side(s))
    return free & ~_fitting(s, go.unit, go.side(s), free, go.how)


NOT_THERE: Bars[State, Going] = Bars(
    Bar("8.8a", "{hex} is too far for a retreat", _out_of_reach),
    Bar("8.81a", "an enemy stands in {hex}", lambda s, go: s.occ[enemy(go.side(s))]),
    Bar("8.8", "{hex} is no farther from the hex of the combat", _not_farther),
    Bar("8.8b", "{hex} is only 1 hex away: the retreat is 2", _too_near),
    Bar("7.24", "{hex} is attacked too", lambda s, go: go.how.shun),
    Bar("8.83a", "{hex} is in an EZOC, and no friend stands there", lambda s, go: _hexes(s, go.side(s))[1]),
    Bar("8.82b", "{hex} has no room for {unit}", _crowded),
    Bar("8.85", "in {hex} {unit} would be out of supply", lambda s, go: ~_supplied(s, go.unit, go.how)),
)
"""Why a unit that has a way cannot go to another hex, the plainest reason first."""


def path(s: State, u: int, how: Retreat, end: Hex) -> list[Hex]:
    """The hexes that a unit passes to get there, the end included: past what lies in its way, if it can (A103)."""
    start = s.at[u]
    first = _steps(s, u, start, how)
    if first >> end & 1:
        return [end]
    side = s.board.side[u]
    free, vacant = _hexes(s, side)
    shunned = notable(s, side) | enemy_works(s, side) if s.edition > 5 else 0
    for via in (first & free & ~shunned, first & free, first & vacant & ~shunned, first & vacant):
        for n in hexes_of(via):
            if _steps(s, u, n, how) >> end & 1:
                return [n, end]
    raise AssertionError("no way leads there")
