"""A3 The sequence of play: two Player Turns a Game Turn, each of eight phases."""

from __future__ import annotations

from typing import Any

from sandtable.engine.frames import Frame
from sandtable.mechanics.masks import units_of

from .combat.armour import ArmourAt
from .combat.close import CombatsAt
from .fire.crews import dismay
from .fire.protection import claim_walls
from .movement.infantry import MovesAt
from .movement.orders import ORDERS
from .ordnance.batteries import push_shelling
from .table.ids import (
    ADVANCING,
    AFPH,
    APH,
    CCPH,
    DFPH,
    F_ADVANCE,
    F_ARMOUR,
    F_CHARGES,
    F_CLEARING,
    F_COMBATS,
    F_CONCEAL,
    F_END,
    F_FIRE,
    F_MOVES,
    F_RALLY,
    F_ROUTS,
    F_TURN,
    F_WIND,
    FINAL,
    MPH,
    PFPH,
    PHASES,
    PREP,
    RPH,
    RTPH,
)
from .table.scenarios import TurnAt
from .table.smoke import age
from .table.state import State, men, weapons_of
from .table.telling import emit
from .turn import mending
from .turn.advance import AdvanceAt
from .turn.ending import ConcealAt, EndAt, hopefuls
from .turn.labour import ClearingAt, FireAt
from .turn.rally import RallyAt
from .turn.routs import RoutsAt
from .turn.winds import WindAt, blows
from .vehicles.dust import settle_stopped
from .works.blast import ChargesAt


class Turn(Frame[State, TurnAt]):
    """A3.0 the eight phases in order."""

    at = TurnAt

    def run(self, s: State, f: TurnAt) -> None:
        step, own, other = f.step, s.phasing, 1 - s.phasing
        s.stack[-1] = TurnAt(F_TURN, (step + 1) % 9)
        if step == 8:  # A3.8 the end of the Player Turn
            s.stack += [EndAt(F_END), ConcealAt(F_CONCEAL, hopefuls(s)), ClearingAt(F_CLEARING)]
            return
        if step == RPH:
            emit(s, "player_turn", "A3.0", {"turn": s.turn, "side": own})
        s.phase = step
        s.directed = s.hatched = s.turned = 0
        s.crossed, s.guided = {}, {}  # A7.7, A7.531 count within a phase
        claim_walls(s)  # B9.32
        part(s)
        if s.broken & ~s.dm and s.edition > 2:
            dismay(s)  # A10.62
        emit(s, "phase", f"A3.{step + 1}", {"phase": PHASES[step], "side": own})
        if step == RPH:
            s.stack.append(RallyAt(F_RALLY, own))
            mending.begin(s)
            if blows(s):
                s.stack.append(WindAt(F_WIND))
        elif step == PFPH:
            age(s, own)  # A24.4
            settle_stopped(s)
            s.stack.append(FireAt(F_FIRE, own, PREP))
            push_shelling(s, own)
        elif step == MPH:
            s.cx &= ~s.stage.roster.of_side[own]  # A4.51
            close_prep_fire(s)
            s.marches = 0
            s.stack.append(MovesAt(F_MOVES))
        elif step == DFPH:
            ORDERS.over(s)
            s.stack.append(FireAt(F_FIRE, other, FINAL))
            push_shelling(s, other)
        elif step == AFPH:
            clear_defence(s)
            s.stack += [FireAt(F_FIRE, own, ADVANCING), ChargesAt(F_CHARGES)]
        elif step == RTPH:
            s.routed = 0
            s.stack += [RoutsAt(F_ROUTS, other), RoutsAt(F_ROUTS, own)]
        elif step == APH:
            s.routed = 0
            s.stack.append(AdvanceAt(F_ADVANCE))
        elif step == CCPH:
            both = sum(1 << h for h in s.here)
            s.clinched = 0
            s.stack += [CombatsAt(F_COMBATS, both), ArmourAt(F_ARMOUR, both)]


def part(s: State) -> None:
    """A11.15 nobody is held in a Melee whose enemies a Sniper, shells or a check have taken away."""
    if not s.melee or s.edition < 7:
        return
    for h in {s.at[u] for u in units_of(s.melee)}:
        own, other = men(s, h, 0), men(s, h, 1)
        if not (own and other):
            s.melee &= ~(own | other)


def close_prep_fire(s: State) -> None:
    """A3.2 who has Prep Fired, whether his weapon kept its ROF or not, fires nothing more in this Player Turn; of
    vehicles the bars say so (`prepared`)."""
    if s.edition < 6:
        return
    s.fired |= s.served | s.handled
    for u in units_of(s.fired & s.stage.roster.men):
        s.fired |= weapons_of(s, u)


def clear_defence(s: State) -> None:
    """A3.4 First and Final Fire and Residual FP come off at the end of the DFPh."""
    theirs = ~s.stage.roster.of_side[1 - s.phasing]
    kept = theirs
    if s.edition > 6:  # A21.1 what has been captured is its captor's
        for w in s.stage.roster.armoury:
            if s.holder[w] >= 0:
                own = s.stage.roster.side[s.holder[w]] == s.phasing
                kept = kept | 1 << w if own else kept & ~(1 << w)
    s.fired &= kept
    s.spent_fire &= kept
    s.served &= kept
    s.handled &= kept
    for u in units_of(s.stage.roster.vehicles & ~theirs):
        s.used[u] = 0
    s.residual, s.lanes = {}, {}


FRAMES: dict[int, Frame[State, Any]] = {F_TURN: Turn()}
