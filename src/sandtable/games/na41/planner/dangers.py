"""Who could be attacked where: the enemy's reach, and what a stack would lose to it."""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import enemy, units_of

from ..combat.strengths import chart
from ..paths.reaches import reach
from ..table.ids import NORMAL, TACTICAL
from ..table.state import State

COMES = 0.65  # how much of the strength that could come does come
STEEP = 0.13  # what each column takes of the worth of a stack
MOST_ATTACK, MOST_DEFENCE = 30.0, 15.0  # 8.8
SHOCK = 2  # 9.2.3b columns that better tanks bring at the most


class Dangers:
    """The attacks that one side has to fear in the next player turn of the other."""

    def __init__(self, s: State, side: int) -> None:
        board = s.board
        self.side = side
        self.board = board
        grid = board.grid
        self.arms: list[tuple[Mask, float, int, bool]] = []  # where to, strength, tank value, elite
        for u in units_of(board.of_side[enemy(side)] & board.combat & ~board.asus & ~s.routed):
            at, att = s.at[u], board.att[u][s.step[u]]
            if at < 0 or not att or board.is_box(at):
                continue
            masks = reach(s, 1 << u).masks
            near = grid.dilate((masks[NORMAL] | masks[TACTICAL]) & board.land | 1 << at)
            tanks = board.tank_value[u] if board.tanks >> u & 1 else -1
            weak = (s.oos | s.disrupted | s.shipped) >> u & 1
            self.arms.append((near, att * (0.5 if weak else 1.0), tanks, bool(board.elite >> u & 1)))
        self._known: dict[Hex, tuple[float, int, int]] = {}

    def at(self, h: Hex) -> tuple[float, int, int]:
        """The strength that could be brought against a hex, its best tank value, and whether it has combined arms."""
        found = self._known.get(h)
        if found is None:
            total, best = 0.0, -1
            tanks = troops = False
            for near, att, value, elite in self.arms:
                if near >> h & 1:
                    total += att
                    best = max(best, value)
                    if elite:
                        tanks |= value >= 0
                        troops |= value < 0
            found = self._known[h] = total, best, int(tanks and troops)
        return found

    def column(self, s: State, h: Hex, units: int) -> float:
        """The column, more or less, on which these units would be attacked in a hex; 0 if nobody comes."""
        total, tanks, arms = self.at(h)
        if not total:
            return 0.0
        board, of = self.board, chart(self.board)
        fort = s.forts[self.side] >> h & 1
        walls = of.doubling >> h & 1 or fort
        held, own = 0.0, 0
        weak = s.disrupted | s.shipped
        for u in units_of(units & ~s.routed):
            value = float(board.dfn[u][s.step[u]])
            if walls and not board.vehicles >> u & 1:
                value *= 2.0
            held += value * (0.5 if weak >> u & 1 else 1.0)
            if board.silhouettes >> u & 1:
                own = max(own, board.tank_value[u])
        ratio = min(total * COMES, MOST_ATTACK) / max(1.0, min(held, MOST_DEFENCE))
        shock = max(0, min(tanks - own, SHOCK)) if not (walls or of.no_tank_shift >> h & 1) else 0
        return ratio + shock + arms - of.left.get(h, 0)

    def share(self, s: State, h: Hex, units: int) -> float:
        """The part of their worth that these units would lose there, more or less."""
        column = self.column(s, h, units)
        return max(0.0, min((column - 1.0) * STEEP, 0.9))
