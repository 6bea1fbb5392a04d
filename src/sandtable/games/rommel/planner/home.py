"""17.1b The own base: could the enemy be in it with his next move?

Losing it loses the game, and what his hidden blocks are is unknown: so here, and here alone, each of them is
taken for the fastest that it could be. Blocks in his way keep him out as well as blocks in the base do.
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask, hexes_of

from ..paths.reach import Reach
from ..table.board import units_of
from ..table.ids import AXIS
from ..table.scenarios import script
from ..table.state import State, firm_in
from .params import NORMAL, Params


class Home:
    """The base of one side, from what that side knows."""

    def __init__(self, s: State, side: int, params: Params = NORMAL) -> None:
        self.params = params
        board = s.board
        self.side = side
        self.base: Hex = board.base[side]
        foe = 1 - side
        hidden = [board.speed[u] for u in units_of(board.of_side[foe] & ~s.revealed) if s.at[u] >= 0]
        rommel = int(foe == AXIS and script(s).rommel_move)
        self.allowance = max(hidden, default=0) + rommel
        self.zone: Mask = board.grid.within(self.base, self.allowance + max(board.bonus_hexes) + 1)
        self._reaches: dict[tuple[Hex, int, Mask], Reach] = {}

    def peril(self, s: State, active: int) -> float:
        """What the danger to the base costs, 0 if there is none; `active` is in his combat phase."""
        foes = s.firm[1 - self.side] & self.zone
        if not foes or foes >> self.base & 1:  # enemies in it: that is a battle, judged as such
            return 0.0
        guard = firm_in(s, self.base, self.side)
        coming = self._coming(s, foes, 0)
        share = 0.0
        if guard and coming:
            strength = sum(s.cv[u] for u in units_of(guard))
            share = self.params.held_base * max(
                0.0, 1 - strength / (self.params.safe_odds * self.params.attacker * min(coming, self.params.attackers))
            )
        elif coming:
            share = 1.0
        elif not guard and self._coming(s, foes, 1):
            share = self.params.by_march
        soon = active == self.side and s.real[1 - self.side] + s.dummy[1 - self.side]
        return self.params.open_base * share * (1.0 if soon else self.params.later)

    def ways(self, s: State) -> list[Hex]:
        """The base and the hexes on the enemy's ways to it: a block in one of them may stop him."""
        board = s.board
        found = {self.base: None}
        for h in hexes_of(s.firm[1 - self.side] & self.zone):
            r = self._reach(s, h, 1)
            if r.free >> self.base & 1:
                found |= dict.fromkeys(reversed(r.path(board, self.base).hexes))
            elif r.engaged >> self.base & 1:
                via = next(d for d in range(6) if r.by_side[d] >> self.base & 1)
                found |= dict.fromkeys(reversed(r.path(board, self.base, via).hexes))
        return list(found)

    def _coming(self, s: State, foes: Mask, march: int) -> int:
        """How many enemy blocks could get into the base."""
        count = 0
        for h in hexes_of(foes):
            r = self._reach(s, h, march)
            # 7.2f who disengages attacks nobody, but may walk into an empty base
            if (r.free if s.occ[self.side] >> h & 1 else r.free | r.engaged) >> self.base & 1:
                count += firm_in(s, h, 1 - self.side).bit_count()
        return count

    def _reach(self, s: State, h: Hex, march: int) -> Reach:
        walls = s.occ[self.side] & self.zone
        key = (h, march, walls)
        found = self._reaches.get(key)
        if found is None:
            land = s.board.land & ~walls
            found = self._reaches[key] = Reach(s.board, h, self.allowance + march, land, 1 << self.base & walls)
        return found
