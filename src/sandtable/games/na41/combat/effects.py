"""8.3d, 8.3e What a fight brings, in order: step losses, determined defense, retreat, advance."""

from __future__ import annotations

from typing import Any

from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.shown.telling import emit

from ..retreat.surrender import remember_garrison
from ..supply.support import places_of
from ..table.frames import DefenceAt, GroupAt, OverstackAt, ResultAt, RetreatAt
from ..table.ids import AUTO_DS, BREAKTHROUGH, COMBAT, F_DEFENCE, F_GROUP, F_OVERSTACK, F_RESULT, F_RETREAT
from ..table.position import units_in
from ..table.state import Fight, State
from . import results
from .losses import lose_steps, sweep
from .results import code_of, defenders_left


def begin(s: State, fight: int, target: Hex, attackers: int) -> None:
    """Clear the table for a new fight. A breakthrough combat inherits attack supply and how far the advance goes."""
    defenders = units_in(s, target, enemy(s.active)) if target >= 0 else 0
    supplied = s.fight.supplied if fight == BREAKTHROUGH else 0
    s.fight = Fight(kind=fight, target=target, attackers=attackers, defenders=defenders, supplied=supplied)
    s.losses = [0, 0]
    s.retreating = s.crowd = 0
    if fight != BREAKTHROUGH:
        s.fought_from = 0
        s.allowance = 0
        s.advancing = 0
        s.garrisons = [pair for pair in s.garrisons if pair[0] in s.claims]  # A26 in that advance alone
    if target >= 0:
        remember_garrison(s, target, defenders)


LOSSES, DEFENCE, RETREAT, ADVANCE, OVER = range(5)


class Result(Frame[State, ResultAt]):
    """8.3d Step losses, determined defense, retreat, advance. Frame: which of them is next."""

    at = ResultAt

    def run(self, s: State, f: ResultAt) -> None:
        step = f.step
        s.stack[-1] = ResultAt(F_RESULT, step + 1)
        if step == LOSSES:
            lose_steps(s)
        elif step == DEFENCE:
            sweep(s)
            if defence_allowed(s):
                s.stack.append(DefenceAt(F_DEFENCE, 0))
        elif step == RETREAT:
            sweep(s)
            retreat(s)
        elif step == ADVANCE:
            follow_up(s)
        else:
            s.stack.pop()
            finish(s)


def defence_allowed(s: State) -> bool:
    """11.1a, 11.2.2b, A24 a retreat to cancel, somebody left to stand, no red result, no Auto DS."""
    if s.fight.kind == AUTO_DS or results.colour_of(s) == results.RED:
        return False
    return code_of(s).determined and bool(defenders_left(s))


def retreat(s: State) -> None:
    """8.3d, 12.1.1a, 12.1.5a what is left in the hex retreats, with its trucks and replacements."""
    hexes = code_of(s).retreat[1]
    if hexes and not s.fight.held and defenders_left(s):
        s.retreating = units_in(s, s.fight.target, enemy(s.active))
        s.fight.origin = s.fight.target
        s.stack.append(RetreatAt(F_RETREAT, hexes, 0))


def follow_up(s: State) -> None:
    """8.3e, 14.1a, 14.2 the hex is empty: how far the attackers may advance.

    After an Auto DS they wait for the end of the Combat Phase (8.9.2a); a breakthrough combat only tells so (15.2.10a).
    """
    if s.fight.kind == AUTO_DS:
        mark(s)
    if s.men[enemy(s.active)] >> s.fight.target & 1:
        return
    code = code_of(s)
    s.fight.vacated = s.fight.target
    s.fight.limited_advance = int(code.limited or bool(s.fight.held))  # 14.2.2, 11.4.2
    if s.fight.kind != COMBAT:
        return
    s.allowance = 1 if s.fight.limited_advance else code.advance  # 12.6 in full, even if nobody was left to retreat
    s.advancing = sum([1 << u for u in units_of(s.fight.attackers) if s.at[u] >= 0])
    if s.allowance and s.advancing:
        s.stack.append(GroupAt(F_GROUP))


def mark(s: State) -> None:
    """8.9.1d the units that made the 10:1 possible get Auto DS markers, and keep their claim to the hex."""
    s.auto |= s.fight.attackers
    s.claims[s.fight.target] = s.claims.get(s.fight.target, 0) | s.fight.attackers
    emit(s, "auto_ds", "8.9.1d", {"hex": s.fight.target, "side": s.active, "units": list(units_of(s.fight.attackers))})


def finish(s: State) -> None:
    """4.4.1b an Auto DS and a breakthrough combat enforce the stacking limit where they came from."""
    if s.fight.kind != COMBAT:
        there = places_of(s, sum([1 << u for u in units_of(s.fight.attackers) if s.at[u] >= 0]))
        s.stack += [OverstackAt(F_OVERSTACK, s.active, h) for h in hexes_in(there)]
    s.crowd = 0
    if s.fight.kind != BREAKTHROUGH:  # the group still asks what came of it
        begin(s, COMBAT, -1, 0)


FRAMES: dict[int, Frame[State, Any]] = {F_RESULT: Result()}
