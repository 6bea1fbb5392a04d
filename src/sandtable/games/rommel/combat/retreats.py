"""10 Retreats: avoiding battle (10.2), the probe of a partial retreat (10.41) and pursuit fire (10.5).

Leaving a battle in one's own turn (10.3, 10.4) is a move and stands with the moves, in engagement.py.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Term
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.phases import Each, Pairs, Phase
from sandtable.mechanics.walk import WalkAt, walking

from ..paths.withdrawal import Lines, destinations, route, why_not_back
from ..table import verbs
from ..table.board import units_of
from ..table.ids import (
    F_AVOIDING,
    F_PROBE,
    F_PURSUIT,
    F_PURSUIT_ROLL,
    F_RETIRE,
    F_RETIRING,
    F_ROUND,
    F_ROUT,
    NO_DIR,
)
from ..table.minefields import FULL_HIT
from ..table.state import State, disrupt, eliminate, emit, firm_in, in_sight, put
from ..table.steps import NOT_YET, HexStepAt, ProbeAt, PursuitAt, PursuitRollAt, RetireAt, RoundAt, RoutAt
from ..table.throws import Throw, so_many_dice
from .combat import forecast_odds
from .disruption import battle_line, settle_base
from .engagement import OnTheWay
from .losses import PURSUED, allot

PURSUIT_FACES = 3
"""10.5f each 4, 5 or 6 is a hit."""


# 10.2 Avoiding battle


def stuck(s: State, h: Hex) -> int:
    """10.2a, 10.2b a unit of the attacked group that cannot withdraw, so that nobody may; -1 if all can."""
    lines = Lines(s)
    for u in units_of(firm_in(s, h, 1 - s.active)):
        if not lines.can_go(u):
            return u
    return -1


class Avoiding(Frame[State, HexStepAt]):
    """10.2 One group avoids battle. Frame: hex, step.

    Its undisrupted units suffer pursuit and withdraw; the disrupted ones left behind rout (A24).
    """

    at = HexStepAt

    def run(self, s: State, f: HexStepAt) -> None:
        _, h, step = f
        side = 1 - s.active
        s.stack[-1] = HexStepAt(F_AVOIDING, h, step + 1)
        if step == 0:
            s.retreating = firm_in(s, h, side)
            emit(s, "avoided", "10.2a", {"hex": h, "side": side, "count": s.retreating.bit_count()})
            s.stack.append(PursuitAt(F_PURSUIT, h, side, 0))  # 10.2d
        elif step == 1:
            s.stack.append(RetireAt(F_RETIRE, h, side))
        elif step == 2:
            s.stack.append(RoutAt(F_ROUT, h, side, 0))
        else:
            s.stack.pop()
            settle_base(s, h)


NOWHERE = -2
"""The plan of a unit that has nowhere to go."""


def next_to_retire(s: State, f: RetireAt) -> int:
    """The first unit that has not been asked about."""
    return next(u for u in units_of(s.retreating & s.board.of_side[f.side]) if s.plan[u] == -1)


def pass_over(s: State, f: RetireAt) -> Mask:
    """Where the next unit that has anywhere to go may go; those before it that have not are passed over. 0 if all have
    been asked about."""
    for u in units_of(s.retreating & s.board.of_side[f.side]):
        if s.plan[u] == -1:
            ways = destinations(s, u)
            if ways:
                return ways
            s.plan[u] = NOWHERE
    return 0


def retire_to(s: State, f: RetireAt, h: Hex, via: int) -> None:
    s.plan[next_to_retire(s, f)] = h
    s.stack[-1] = f._replace(asked=0)


class Retire(Phase[State, RetireAt, int]):
    """5.3, 10.2, 11.3f Each unit in s.retreating withdraws and is disrupted.

    Frame: hex, side, then 0, or 1 while the owner is asked about the next unit. The owner is asked
    about one unit after the other, even for a single destination: not to be asked would tell the enemy
    how far the unit can move. Then all go, in the order of their destinations, which tells nothing either.
    """

    at = RetireAt
    does = (
        Pairs(
            verbs.TO,
            first=Bars(Need("5.3e", lambda s, u, h: why_not_back(s, Lines(s), u, h, NO_DIR), destinations)),
            second=Bars(
                Need(
                    "10.1b",
                    "a retreating unit may not engage, so it enters through no hexside: '-'",
                    lambda s, u: 1 << NO_DIR,
                )
            ),
            second_first=True,
            take=retire_to,
        ),
    )

    def actor(self, s: State, f: RetireAt) -> int | None:
        return f.side if f.asked == 1 else None

    def run(self, s: State, f: RetireAt) -> None:
        h, side = f.hex, f.side
        units = units_of(s.retreating & s.board.of_side[side])
        if f.asked == NOT_YET:  # whatever they had planned before is over
            for u in units:
                s.plan[u] = -1
        if ways := pass_over(s, f):
            s.stack[-1] = RetireAt(F_RETIRE, h, side, 1)
            s.choices = [(verbs.TO, to, NO_DIR) for to in hexes_of(ways)]
            return
        s.stack.pop()
        paths = {u: route(s, u, s.plan[u]) for u in units if s.plan[u] != NOWHERE}
        going = sorted(paths, key=lambda u: (s.plan[u], paths[u], in_sight(s, u)))
        s.stack.extend(walking(F_RETIRING, u, paths[u]) for u in reversed(going))
        for u in sorted((u for u in units if u not in paths), key=lambda u: in_sight(s, u)):
            eliminate(s, u, "11.3f" if s.disrupted >> u & 1 else "10.1c")

    def now(self, s: State, f: RetireAt) -> int:
        return next_to_retire(s, f)

    def prompt(self, s: State, f: RetireAt) -> Prompt:
        u = self.now(s, f)
        text = Text("{unit} withdraws from {hex} along its supply line", unit=u, hex=f.hex)
        if s.disrupted >> u & 1:
            return Prompt("Where does it rout to?", text, ("11.3f", "5.3e"), "retreat")
        return Prompt("Where does it withdraw to?", text, ("10.2a", "5.3e"), "retreat")


class Retiring(OnTheWay):
    """10.2, 11.3f A unit on its way back: it is disrupted (7.2c, 10.0b, 11.3g)."""

    def arrive(self, s: State, f: WalkAt) -> None:
        u, path = f.who, f.path
        side = s.board.side[u]
        s.retreating &= ~(1 << u)
        s.plan[u] = -1
        data = {"from": s.at[u], "to": path[-1], "path": path, "side": side}
        emit(s, "retired", "11.3f" if s.disrupted >> u & 1 else "10.2a", data, side, {"unit": u})
        put(s, u, path[-1])
        disrupt(s, u)


# 10.41 The probe


THIS_RETREAT: Bars[State, Hex] = Bars(
    Need(
        "10.41a",
        lambda s, here, h: Text("the partial retreat to be probed now is in {hex}", hex=here),
        lambda s, here: 1 << here,
    )
)


def probe(s: State, f: ProbeAt, h: Hex) -> None:
    emit(s, "probed", "10.41a", {"hex": h, "side": 1 - s.active})
    s.stack[-1] = ProbeAt(F_PROBE, h, 1)
    s.stack.append(RoundAt(F_ROUND, h, 0, 1))


def let_them_go(s: State, f: ProbeAt, h: Hex) -> None:
    """10.41e nobody has to probe."""
    emit(s, "no_probe", "10.41e", {"hex": h, "side": 1 - s.active})
    s.stack.pop()


def probe_odds(s: State, f: ProbeAt, action: Action) -> Odds:
    return forecast_odds(s, f.hex, 1 - s.active, Text("Probe in {hex}", hex=s.board.hex_name(f.hex)), probe=1)


class Probe(Phase[State, ProbeAt, Hex]):
    """10.41 The Passive player may probe before units leave in a partial retreat: once per hex (A22)."""

    at = ProbeAt
    does = (
        Each(verbs.PROBE, bars=THIS_RETREAT, take=probe, odds=probe_odds),
        Each(verbs.NO_PROBE, bars=THIS_RETREAT, take=let_them_go),
    )

    def actor(self, s: State, f: ProbeAt) -> int | None:
        return 1 - s.active if f.fought == NOT_YET else None

    def now(self, s: State, f: ProbeAt) -> Hex:
        return f.hex

    def run(self, s: State, f: ProbeAt) -> None:
        """10.41c the rearguard is gone: those who have not fired pursue the leaving units."""
        s.stack.pop()
        if s.retreating and not battle_line(s, f.hex, s.active):
            s.stack.append(PursuitAt(F_PURSUIT, f.hex, s.active, 1))

    def prompt(self, s: State, f: ProbeAt) -> Prompt:
        text = Text.many(
            s.retreating.bit_count(),
            "{n} unit is leaving {hex} behind a rearguard",
            "{n} units are leaving {hex} behind a rearguard",
            hex=f.hex,
        )
        return Prompt("Probe the rearguard?", text, ("10.41a", "10.41b"), "probe")


# 10.5 Pursuit fire


def pursuit_dice(s: State, pursuers: int, slowest: int) -> int:
    """10.5c to 10.5e one die for each pursuer of the announced speed, two for each faster one."""
    speed = s.board.speed
    return sum((speed[u] > slowest) + (speed[u] >= slowest) for u in units_of(pursuers))


def pursuit_outlook(s: State, h: Hex, side: int) -> Odds:
    """10.5 what a group that would avoid battle knows of the pursuit to come."""
    slowest = min(s.board.speed[u] for u in units_of(firm_in(s, h, side)))
    pursuers = firm_in(s, h, 1 - side).bit_count()
    terms = (
        Term(str(slowest), "10.5b", "speed of your slowest unit, to be announced"),
        Term(Text("0 to {n}", n=2 * pursuers), "10.5d", "dice: none for slower, 1 for equal, 2 for faster pursuers"),
        Term("4-6", "10.5f", "each hits, whatever the class"),
    )
    return Odds(Text("Avoid battle in {hex}", hex=s.board.hex_name(h)), terms)


class Pursuit(Frame[State, PursuitAt]):
    """10.5 The retreating units suffer pursuit fire from all undisrupted enemies in the hex.

    Frame: hex, retreating side, and 1 if units that have fired do not pursue (10.41c).
    """

    at = PursuitAt

    def run(self, s: State, f: PursuitAt) -> None:
        h, side = f.hex, f.side
        s.stack.pop()
        fleeing = s.retreating & s.board.of_side[side]
        if not fleeing:
            return
        slowest = min(s.board.speed[u] for u in units_of(fleeing))  # 10.5b
        pursuers = firm_in(s, h, 1 - side)
        if f.spare:
            pursuers &= ~s.fired
        dice = pursuit_dice(s, pursuers, slowest)
        emit(s, "pursuit", "10.5b", {"hex": h, "side": side, "speed": slowest, "dice": dice}, final=True)
        if dice:
            s.stack.append(PursuitRollAt(F_PURSUIT_ROLL, h, side, dice))


class PursuitRoll(Throw[PursuitRollAt]):
    """10.5f The dice of a pursuit, all at once. Frame: hex, retreating side, dice."""

    at = PursuitRollAt

    def throw(self, s: State, f: PursuitRollAt) -> tuple[int, int]:
        return f.dice, PURSUIT_FACES

    def take(self, s: State, f: PursuitRollAt, action: Action) -> None:
        _, h, side, dice = f
        hits = action[1]
        assert action[0] == verbs.HITS
        s.stack.pop()
        emit(s, "pursuit_fire", "10.5f", {"hex": h, "side": side, "dice": dice, "hits": hits}, final=True)
        s.hits[0] = hits * FULL_HIT
        if hits:
            allot(s, h, side, PURSUED)  # 10.5g at once

    def prompt(self, s: State, f: PursuitRollAt) -> Prompt:
        text = Text("{dice} at the units leaving {hex}; 4, 5 and 6 hit", dice=so_many_dice(f.dice), hex=f.hex)
        return Prompt("Pursuit fire", text, ("10.5f",), "pursuit")


FRAMES: dict[int, Frame[State, Any]] = {
    F_PROBE: Probe(),
    F_AVOIDING: Avoiding(),
    F_RETIRE: Retire(),
    F_RETIRING: Retiring(),
    F_PURSUIT: Pursuit(),
    F_PURSUIT_ROLL: PursuitRoll(),
}
