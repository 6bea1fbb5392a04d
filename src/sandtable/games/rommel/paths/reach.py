"""6.0 to 6.2 How far a unit can go: one kernel for every kind of movement.

Four classes of way are looked at side by side: by coast road only, by track or better, by any road,
and anywhere. Each has the speed of the unit plus the bonus of its worst grade as its limit (6.2, A19),
so that a hex is in reach if one of the four gets there. Group and regroup moves, the Rommel move,
forced marches, withdrawals and redeployment all come here; they differ in the hexes that may be passed,
in the steps that may be made and in the hexes that may be engaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.engine.contract import Action, Reason
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.paths.lanes import ANYWHERE, LaneLeg, Lanes
from sandtable.mechanics.paths.legs import NO_WAY, TOO_FAR

from ..table import verbs
from ..table.board import Board, Sides
from ..table.ids import NO_DIR, NO_ROAD
from ..table.state import State

OPPOSITE = (3, 4, 5, 0, 1, 2)
ROADS = (term("coast road"), term("track"), term("trail"))
ANY_SIDE = 63  # all six sides of the first hex may be crossed
IN_BATTLE = 64  # the unit disengages: only through the sides in the other bits
KEPT = 8_000  # reaches kept at most before the memory is cleared


@remembered(8)
def lanes(board: Board) -> Lanes:
    """6.2 the four classes of way on this map, with the road bonus of each; 17.1a where they go on over the edge."""
    classes = (board.roads[0], board.track_or_better, board.any_road, board.open)
    return Lanes(board.grid, classes, board.bonus_hexes, board.exits_by, board.size)


class Path(NamedTuple):
    """The hexes entered on a move, in order, and the class of the way."""

    hexes: tuple[Hex, ...]
    grade: int  # COAST, TRACK, TRAIL or NO_ROAD: the smallest bonus of the roads used (6.2c)


class Reach(LaneLeg):
    """What one unit can do from one hex with so many hexes of movement: it stops where it engages (6.0c, 7.0a)."""

    __slots__ = ("_actions",)

    def __init__(
        self,
        board: Board,
        start: Hex,
        allowance: int,
        passable: Mask,
        engageable: Mask = 0,
        steps: Sides | None = None,
    ) -> None:
        super().__init__(lanes(board), start, allowance, passable, engageable, steps)
        self._actions: list[Action] | None = None

    @property
    def allowance(self) -> int:
        """6.0a hexes of movement, road bonus left out."""
        return self.points

    @property
    def actions(self) -> list[Action]:
        """All of it as `to` actions, sorted, whatever the hexside limits."""
        if self._actions is None:
            hexes = self.free | self.engaged
            if not self.engaged:
                self._actions = [(verbs.TO, h, NO_DIR) for h in hexes_of(hexes)]
            else:
                self._actions = [
                    (verbs.TO, h, d)
                    for h in hexes_of(hexes)
                    for d in ([d for d in range(6) if self.by_side[d] >> h & 1] if self.engaged >> h & 1 else (NO_DIR,))
                ]
        return self._actions

    def path(self, board: Board, h: Hex, via: int = NO_DIR) -> Path:
        """The shortest way to a hex (through its side `via`, if engaged), among equals by the best road."""
        way = self.to(h, ANYWHERE if via == NO_DIR else via)
        if way is None:
            raise ValueError(f"no way leads to {board.grid.names[h]}")
        return Path(way.path, way.lane)

    def exit_path(self, board: Board, h: Hex) -> Path:
        """17.1a the shortest way to an edge hex with one hex of movement left to go over the edge."""
        way = self.off(h)
        if way is None:
            raise ValueError(f"no way leads off the map from {board.grid.names[h]}")
        return Path(way.path, way.lane)


def friendly_side_bits(s: State, h: Hex, side: int) -> int:
    """8.1 the sides of a battle hex that belong to `side`, a bit a direction."""
    bits = 0
    for d, mask in enumerate(s.att_side):
        bits |= (mask >> h & 1) << d
    return bits ^ ANY_SIDE if s.defends[side] >> h & 1 else bits


def reach(s: State, u: int, bonus: int = 0) -> Reach:
    """6.0 to 6.2, 10.1 where a unit can go from where it stands, with `bonus` hexes on top of its speed.

    A unit in a battle hex leaves it through friendly hexsides into a hex without enemies and engages
    nobody afterwards. Hexside limits (7.1) and who may leave the map (17.1a) are left to the caller.
    """
    board = s.board
    side = board.side[u]
    h = s.at[u]
    allowance = board.speed[u] + bonus
    enemies = s.occ[1 - side]
    out = IN_BATTLE | friendly_side_bits(s, h, side) if enemies >> h & 1 else ANY_SIDE
    # enemies farther off make no difference
    return _reach(board, h, allowance, out, enemies & undisturbed(board, h, allowance))


@remembered(KEPT)
def _reach(board: Board, h: Hex, allowance: int, out: int, enemies: Mask) -> Reach:
    free = board.land & ~enemies
    if out & IN_BATTLE:
        return Reach(board, h, allowance, free, 0, lanes(board).only_through(lanes(board).steps, h, out))
    return Reach(board, h, allowance, free, enemies)


@remembered(8192)
def undisturbed(board: Board, h: Hex, allowance: int) -> Mask:
    """Every hex that a unit could reach if there were no enemies."""
    return Reach(board, h, allowance, board.land).free | 1 << h


def redeploy_reach(s: State, u: int, side: int, allowed: Mask) -> Mask:
    """16.51b one redeployment movement: two hexes plus road bonus, whatever the speed, within `allowed`.

    Battle hexes are neither entered nor passed (16.51g); enemy hexes never (6.0c).
    """
    return within(s.board, s.at[u], s.board.redeploy_hexes, allowed & s.board.land & ~s.occ[1 - side])


@remembered(4096)
def within(board: Board, h: Hex, allowance: int, passable: Mask) -> Mask:
    """Every hex that so many hexes of movement lead to through passable ones."""
    return Reach(board, h, allowance, passable).free


# 7.1 the hexside limits


def full(s: State, d: int) -> Mask:
    """7.1b, 7.1c hexes through whose side d no more units may engage in this movement phase."""
    return s.entered[6 + d] | s.entered[d] & s.board.narrow[d]


def destinations(s: State, r: Reach) -> list[Action]:
    """The `to` actions of a reach under the hexside limits (7.1), sorted."""
    if r.engaged:
        for d in range(6):
            if s.entered[d] and r.by_side[d] & full(s, d):
                shut = [full(s, side) for side in range(6)] + [0]
                return [a for a in r.actions if not shut[a[2]] >> a[1] & 1]
    return r.actions


def ways_into(s: State, r: Reach, h: Hex) -> Sequence[int]:
    """The sides by which a hex can be entered: NO_DIR if it holds no enemies, else each side still open."""
    if r.free >> h & 1:
        return (NO_DIR,)
    if r.engaged >> h & 1:
        return [d for d in range(6) if r.by_side[d] >> h & 1 and not full(s, d) >> h & 1]
    return ()


def enterable(s: State, r: Reach) -> Mask:
    """Every hex that this reach can enter under the hexside limits."""
    hexes = r.free
    if r.engaged:
        for d in range(6):
            hexes |= r.by_side[d] & ~full(s, d)
    return hexes


def leavable(s: State, r: Reach, u: int) -> Mask:
    """17.1a the edge hexes by which this unit may leave the map.

    Supplied at its initial check (A44) and not out of a battle; the edge hex itself holds no enemies,
    or it could not be passed.
    """
    if not r.exits or s.unsupplied >> u & 1 or (s.occ[0] & s.occ[1]) >> s.at[u] & 1:
        return 0
    return r.exits & s.board.exits[s.board.side[u]]


def moves_of(s: State, r: Reach, u: int) -> list[Action]:
    """Every `to` and `exit` of a unit, sorted."""
    actions = destinations(s, r)
    if r.exits and (edge := leavable(s, r, u)):
        return actions + [(verbs.EXIT, h) for h in hexes_of(edge)]
    return actions


# Why a hex is out of reach


def name(s: State, h: Hex) -> str:
    """A hex as a player would name it."""
    return s.board.hex_name(h)


LAND: Bars[State, object] = Bars(
    Need(
        "1.4f",
        lambda s, _, h: Text(
            "{hex} is not a land hex: only the land part of the map is used", hex=s.board.grid.names[h]
        ),
        lambda s, _: s.board.land,
    )
)
"""1.4f, 1.4b sea and depression are never entered."""


def why_unreachable(s: State, u: int, r: Reach, h: Hex, via: int) -> Reason:
    """Why a reach does not hold a hex: by its side, by the enemies before it, or by the distance."""
    board = s.board
    if (reason := LAND.why(h, s, None, {})) is not None:
        return reason
    side = board.side[u]
    enemies = s.occ[1 - side]
    if h == s.at[u]:
        return Reason("5.1a", Text("it stands in {hex} already", hex=h))
    if enemies >> h & 1 and enemies >> s.at[u] & 1:
        return Reason(
            "7.2f", Text("enemies are in {hex}: a unit that disengages may not engage again this turn", hex=h)
        )
    if enemies >> h & 1 and via == NO_DIR and r.engaged >> h & 1:
        return Reason("7.1a", Text("enemies are in {hex}: name the hexside by which the unit engages", hex=h))
    if not enemies >> h & 1 and via != NO_DIR:
        return Reason("7.0a", Text("there are no enemies in {hex}: no hexside is named for it", hex=h))
    if via != NO_DIR and (reason := why_not_through(s, r, h, via)) is not None:
        return reason
    if enemies >> s.at[u] & 1 and not r.free:
        return Reason("7.2b", "no friendly hexside of its battle hex leads to a friendly or empty hex")
    d = board.grid.direction(s.at[u], h)
    crosses = d >= 0 and enemies & board.open[d] & 1 << s.at[u]
    if crosses and not friendly_side_bits(s, s.at[u], side) >> d & 1:
        return Reason("7.2b", Text("the {via} hexside of {start} belongs to the enemy", via=d, start=name(s, s.at[u])))
    if enemies >> r.start & 1 and Reach(board, r.start, r.allowance, board.land).free >> h & 1:
        steps = lanes(board).only_through(lanes(board).steps, r.start, friendly_side_bits(s, r.start, side))
        if not Reach(board, r.start, r.allowance, board.land, 0, steps).free >> h & 1:
            return Reason(
                "7.2b", Text("{hex} is too far by the friendly hexsides of {start}", hex=h, start=name(s, r.start))
            )
    return why_too_far(s, r, h, via, enemies)


def why_not_through(s: State, r: Reach, h: Hex, via: int) -> Reason | None:
    """7.1 why a hex cannot be engaged through this side of it, if that is the reason."""
    board = s.board
    if not board.open[via] >> h & 1:
        return Reason("7.1d", Text("the {via} hexside of {hex} cannot be crossed", via=via, hex=h))
    if full(s, via) >> h & 1:
        if board.narrow[via] >> h & 1:
            return Reason(
                "7.1c", Text("one unit has engaged through the {via} hexside of {hex}, a gorge or pass", via=via, hex=h)
            )
        return Reason(
            "7.1b", Text("two units have engaged through the {via} hexside of {hex} in this phase", via=via, hex=h)
        )
    if r.engaged >> h & 1:
        sides = tuple(d for d in range(6) if r.by_side[d] >> h & 1)
        return Reason("6.0a", Text("it can reach {hex} only by the side in the {via}", hex=h, via=sides))
    return None


def why_too_far(s: State, r: Reach, h: Hex, via: int, enemies: Mask) -> Reason:
    """1.4b, 6.0a, 6.0c, 6.2 the distance, or what lies on the way."""
    board = s.board
    found = Reach(board, r.start, r.allowance, board.land & ~enemies).why(h)
    distance = found.needs
    if found.kind == NO_WAY:
        return Reason("1.4b", Text("no passable hexside leads to {hex}", hex=h))
    d = board.grid.direction(r.start, h)
    if d >= 0 and not board.open[d] >> r.start & 1:
        return Reason(
            "1.4b",
            Text(
                "the hexside to {hex} cannot be crossed; by the way round it is {distance} hexes",
                hex=h,
                distance=distance,
            ),
        )
    if found.kind != TOO_FAR:
        return Reason("6.0c", Text("enemies stand before {hex}: a unit stops when it enters their hex", hex=h))
    best = next((c for c, road in enumerate(board.roads) if any(m >> r.start & 1 for m in road)), NO_ROAD)
    if best == NO_ROAD:
        return Reason(
            "6.0a",
            Text("{hex} is {distance} hexes away and it may move {most}", hex=h, distance=distance, most=r.allowance),
        )
    return Reason(
        "6.2a",
        Text(
            "{hex} is {distance} hexes away; it may move {most}, or {more} if the whole way is along {road}",
            hex=h,
            distance=distance,
            most=r.allowance,
            more=r.limit(best),
            road=ROADS[best],
        ),
    )
