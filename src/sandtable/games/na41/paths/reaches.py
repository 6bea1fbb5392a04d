"""5 Where a stack can go, in which mode, for how much and how: its legs put together."""

from __future__ import annotations

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.paths.forks import Fork
from sandtable.mechanics.paths.legs import Leg, Way

from ..table.board import Board
from ..table.ids import EXTENDED, NORMAL, ROAD_BONUS, TACTICAL
from ..table.state import State
from .legs import Spot, Tables, Terms, legs, tables_of, tactical_leg, terms
from .modes import BY_POINTS, movers


class Reach:
    """Where a stack can go, in which mode, for how much, and how. It looks at no state."""

    __slots__ = ("_actions", "_fork", "_masks", "_tactical", "board", "terms")

    def __init__(self, board: Board, terms: Terms) -> None:
        self.board = board
        self.terms = terms
        self._fork: Fork | None = None
        self._tactical: Leg | None = None
        self._masks: tuple[Mask, ...] = ()
        self._actions: list[Action] | None = None

    @property
    def ma(self) -> int:
        """Sixths, Rommel included."""
        return self.terms.spot.points

    @property
    def by_points(self) -> Fork:
        """Its legs by points: each place in one mode, in normal movement if that leads there."""
        found = self._fork
        if found is None:
            found = self._fork = Fork(tuple(legs(self.board, self.terms)))
        return found

    @property
    def tactical(self) -> Leg | None:
        """5.4 its leg of tactical movement."""
        if self._tactical is None:
            self._tactical = tactical_leg(self.board, self.terms)
        return self._tactical

    @property
    def masks(self) -> tuple[Mask, ...]:
        """By mode: destinations."""
        found = self._masks
        if not found:
            far, near = self.by_points.everywhere(), self.tactical
            found = self._masks = (
                far.get(NORMAL, 0),
                far.get(EXTENDED, 0),
                near.everywhere() if near is not None else 0,
                far.get(ROAD_BONUS, 0),
            )
        return found

    @property
    def hexes(self) -> Mask:
        """All destinations."""
        a, b, c, d = self.masks
        return a | b | c | d

    def actions(self, t: Tables) -> list[Action]:
        """All `to PLACE MODE`, in order."""
        found = self._actions
        if found is None:
            found = self._actions = t.listed(self.masks)
        return found

    def leg(self, h: Hex, mode: int) -> tuple[Leg, Way] | None:
        """The leg that leads to a place in this mode, and the way; None if there is none."""
        if mode == TACTICAL:
            near = self.tactical
            way = near.to(h) if near is not None else None
            return (near, way) if near is not None and way is not None else None
        found = self.by_points.to(h)
        return found if found is not None and found[0].mode == mode else None

    def way(self, h: Hex, mode: int) -> tuple[int, list[Hex]]:
        """What is spent on the way (sixths; in tactical movement hexes) and the places entered; -1 out of reach."""
        found = self.leg(h, mode)
        return (found[1].cost, found[1].path) if found is not None else (-1, [])

    def costs(self, path: list[Hex], mode: int) -> list[int]:
        """The running total at each place of a path to a destination."""
        found = self.leg(path[-1], mode)
        return found[0].running(path) if found is not None else []

    def anywhere(self) -> bool:
        """Whether there is any destination."""
        spot = self.terms.spot
        hops = spot.modes >> TACTICAL & 1 and spot.hexes > spot.gone
        if hops and tables_of(self.board).kinds[spot.kind].walk.exits[spot.place] & ~self.terms.closed:
            return True  # 5.4a one step is enough
        near = self.tactical
        if near is not None and near.everywhere():
            return True
        far = self.by_points.possible() if spot.modes & BY_POINTS else 0
        if far and self.by_points.to((far & -far).bit_length() - 1) is not None:
            return True
        return bool(far) and any(self.by_points.everywhere().values())


def reach(
    s: State,
    group: int,
    loads: int = 0,
    *,
    spent: int = -1,
    run: int = 0,
    mode: int = -1,
    rommel: bool = False,
    box: bool = True,
) -> Reach:
    """5 every place in which this stack could end its move, or this leg of it.

    group    the units of the stack that move by themselves, all in one place; `loads` are carried by trucks of it
    spent    what it has spent on its way (-1: it has not yet moved), `run` its desert hexes, `mode` how it moves
             (-1: by points, and it may still go over to extended movement)
    box      whether it may enter an off-map box (6.3.3d)
    """
    now = movers(s, group, loads, spent=spent, mode=mode, rommel=rommel)
    return reach_on(s.board, terms(s, now, run, box))


def reach_on(board: Board, terms: Terms) -> Reach:
    """The same on these terms. Where no enemy is near, it is kept: those farther off do not matter."""
    t = tables_of(board)
    spot = terms.spot
    if not spot.modes:
        return Reach(board, terms)
    whole = spot._replace(gone=0, run=0) if spot.gone or spot.run else spot
    around = t.around.get(whole) or t.around.keep(whole, _around(board, t, whole))
    enemies = terms.closed | terms.zoned | terms.full | terms.near
    for _, mask in terms.tolls:
        enemies |= mask
    if enemies & around:
        return Reach(board, terms)
    return t.free.get(spot) or t.free.keep(spot, Reach(board, Terms(spot, 0, 0, 0, 0, ())))


def _around(board: Board, t: Tables, spot: Spot) -> Mask:
    """All that can matter for a move: the hexes that it could lead to if there were no enemies, and the start."""
    found = board.grid.within(spot.place, t.tactical) | 1 << spot.place
    for leg in legs(board, Terms(spot, 0, 0, 0, 0, ())):
        found |= leg.possible()
    return found
