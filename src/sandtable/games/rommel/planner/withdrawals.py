"""4.5b The withdrawal of a Pass turn: a free move back along the supply line, when staying is worse."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.engine.contract import Action, Game
from sandtable.engine.hexes import hexes_of

from ..paths.withdrawal import Lines
from ..table import verbs
from ..table.board import units_of
from ..table.ids import NO_DIR
from ..table.state import State
from .orders import Move, Step, carry_out
from .params import NORMAL, Params
from .turn import TurnSearch


def withdrawal(game: Game[State], s: State, me: int, params: Params = NORMAL) -> list[Action]:
    """The actions of the best withdrawal, or of none."""
    search = TurnSearch(s, me, params)
    month_ends = bool(s.passed)
    if month_ends:
        return [(verbs.END_MOVES,)]
    stay = search.outlook.judge(s, me, idle=True) - search.fear(s.copy())
    best = stay + params.withdrawal_worth
    actions: list[Action] = [(verbs.END_MOVES,)]
    for move in list(candidates(s, me, search))[: params.withdrawals]:
        after, toll = carry_out(s, me, move, search.outlook)
        value = search.outlook.judge(after, me, idle=True) + toll
        value -= search.fear(after.copy())
        if value > best:
            steps = allowed(game, s, move)
            if steps is not None:
                best, actions = value, steps
    return actions


def candidates(s: State, me: int, search: TurnSearch) -> Iterator[Move]:
    """Whole groups in danger or in battle, to the hexes behind them that are safest."""
    outlook = search.outlook
    threat, field = outlook.threats[1 - me], outlook.fields[me]
    lines = Lines(s)
    for h in hexes_of(s.firm[me]):
        units = units_of(s.here[h] & s.board.of_side[me] & ~s.disrupted)
        strength = sum(s.cv[u] for u in units)
        if threat[h] * 0.65 <= strength and not s.occ[1 - me] >> h & 1:
            continue
        together = ~0
        for u in units:
            together &= lines.way(u).free
        safe = sorted(hexes_of(together & s.board.land), key=lambda n: (threat[n] + 2 * field[n], n))
        for n in safe[:2]:
            yield Move(h, 0, tuple(Step(u, n) for u in units))


def allowed(game: Game[State], s: State, move: Move) -> list[Action] | None:
    """The move as actions, if the game lets it stand: the network must become shorter (5.3f)."""
    table = s.copy()
    table.choices = None
    actions: list[Action] = [(verbs.GROUP, move.hex, 0)]
    for step in move.steps:
        actions += [(verbs.MOVE, step.unit), (verbs.TO, step.hex, NO_DIR)]
    actions.append((verbs.END_MOVE,))
    for action in actions:
        if action not in game.legal(table):
            return None
        game.apply(table, action)
    return actions
