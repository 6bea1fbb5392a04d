"""8 One combat after the other, each in its order: leads, CRT, support committed, checks, odds, die, results."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.dice import Dice
from sandtable.mechanics.masks import enemy, mask_of, units_of
from sandtable.mechanics.phases import Each, Phase
from sandtable.mechanics.shown.telling import emit

from ..table import steps, verbs
from ..table.charts import HOPELESS, Result
from ..table.ids import AIR_CHECK, ARTILLERY_CHECK, GROUND_CHECK, MOBILE, PHASES
from ..table.position import mine_value, units_in
from ..table.state import State
from ..table.steps import At, CheckAt, HexAt, SideAt, StageAt
from .declared import lead_of
from .fight import Fight, defenders
from .reckoning import reckon, table
from .results import apply, finish, settle_losses, settle_retreats
from .showing import outlook
from .support import planes_home

WIPED_OUT = Result("AE", False, 0, False, True, False, 0, False, False, False)  # 8.52a


# 8.0 which combat next


def unresolved(s: State, now: None = None) -> int:
    """The defending hexes whose combats are still to be fought."""
    return sum(1 << h for h in s.aims)


FIGHT: Bars[State, None] = Bars(Need("7.12c", "no attack on {hex} has been declared", unresolved))


def begin(s: State, f: At, h: int) -> None:
    """8.18 the markers of the combat are removed."""
    attackers = s.aims.pop(h)
    s.fight = Fight(
        s.board,
        target=h,
        side=s.active,
        attackers=attackers,
        origins=mask_of(s.at[u] for u in units_of(attackers)),
        refugees=s.refugees.pop(h, 0),
        no_retreat=s.no_retreat >> h & 1,
        mine=-1 if s.untried >> h & 1 else mine_value(s, h) if s.mines[enemy(s.active)] >> h & 1 else 0,
    )
    s.attacked |= attackers
    s.fight.fled_guns = units_in(s, h, enemy(s.active)) & s.board.artillery
    emit(s, "combat", "8.0a", {"hex": h, "side": s.active, "attackers": list(units_of(attackers))})
    s.stack.append(StageAt(steps.COMBAT_CHAIN))


def _combat_odds(s: State, f: At, action: Action) -> Odds | None:
    trial = s.copy()
    begin(trial, f, action[1])
    fight: Fight = trial.fight
    fight.lead[fight.side] = lead_of(trial, fight.attackers, fight.target, True)
    fight.lead[enemy(fight.side)] = lead_of(trial, defenders(trial, fight), fight.target, False)
    return outlook(trial, fight)


class Combats(Phase[State, At, None]):
    """8.0b the attacker resolves his declared combats one at a time, in any order, all of them (8.15b)."""

    at = At
    does = (Each(verbs.FIGHT, of=unresolved, bars=FIGHT, take=begin, odds=_combat_odds),)

    def now(self, s: State, f: At) -> None:
        return None

    def actor(self, s: State, f: At) -> int | None:
        for h in list(s.aims):
            if not units_in(s, h, enemy(s.active)):
                del s.aims[h]  # nobody is left to be attacked
        return s.active if len(s.aims) > 1 else None

    def run(self, s: State, f: At) -> None:
        if s.aims:
            begin(s, f, next(iter(s.aims)))
        else:
            s.stack.pop()

    def prompt(self, s: State, f: At) -> Prompt:
        return Prompt("Combat", "Choose the next combat to resolve", ("8.0a",), PHASES[s.phase])


# The order of one combat


def _lead(attacker: bool) -> Any:
    return lambda s: s.stack.append(SideAt(steps.LEADS, s.fight.side if attacker else enemy(s.fight.side)))


def _commit(step: int, attacker: bool) -> Any:
    return lambda s: s.stack.append(SideAt(step, s.fight.side if attacker else enemy(s.fight.side)))


def _check(check: int, attacker: bool) -> Any:
    def push(s: State) -> None:
        fight: Fight = s.fight
        side = fight.side if attacker else enemy(fight.side)
        if check == ARTILLERY_CHECK and not fight.guns[side]:
            return
        if check == AIR_CHECK and not fight.planes[side]:
            return
        s.stack.append(CheckAt(steps.COORDINATION, side, check))
        s.stack.append(CheckAt(steps.COMBAT_COMMAND, side, check))

    return push


def _crt(s: State) -> None:
    s.stack.append(At(steps.CRT_CHOICE))


def _mobile(s: State) -> None:
    s.fight.crt = MOBILE  # 6.64a


def _reveal(s: State) -> None:
    """11.45d an Untried minefield is revealed when the modifiers are determined."""
    fight: Fight = s.fight
    if fight.mine < 0 and reckon(s, fight).base != HOPELESS:
        s.stack.append(HexAt(steps.REVEAL_MINE, fight.target))


def _roll(s: State) -> None:
    """8.52a, 8.63 hopeless odds need no die."""
    fight: Fight = s.fight
    found = reckon(s, fight)
    crt = table(s, fight)
    told = {
        "hex": fight.target,
        "side": fight.side,
        "attackers": list(units_of(fight.attackers)),
        "attack": found.attack.value,
        "defense": found.defense.value,
        "crt": fight.crt,
        "odds": crt.columns[found.base] if found.base != HOPELESS else "1:4",
        "column": crt.columns[found.column] if found.base != HOPELESS else "1:4",
        "drm": found.drm,
    }
    emit(s, "odds", "8.52", told)
    fight.column = found.column
    if found.base == HOPELESS:
        apply(s, fight, WIPED_OUT)
    else:
        s.stack.append(At(steps.COMBAT_ROLL))


def _home(s: State) -> None:
    planes_home(s, s.fight)


def _advance(s: State) -> None:
    s.stack.append(At(steps.ADVANCES))


def _end(s: State) -> None:
    finish(s)
    s.fight = None


COMBAT = (
    _lead(True),  # 8.31
    _lead(False),
    _crt,  # 8.32
    _commit(steps.PLANES, True),  # 8.43a, 17.2
    _commit(steps.PLANES, False),
    _commit(steps.GUNS, True),  # 9.11
    _commit(steps.GUNS, False),
    _check(ARTILLERY_CHECK, True),  # 8.41, A36
    _check(ARTILLERY_CHECK, False),
    _check(GROUND_CHECK, True),  # 8.42
    _check(AIR_CHECK, True),  # 8.43b
    _check(AIR_CHECK, False),
    _commit(steps.SHIFTS, True),  # 8.55
    _commit(steps.SHIFTS, False),
    _reveal,  # 8.61
    _roll,  # 8.63
    settle_losses,  # 8.7
    settle_retreats,  # 8.8
    _home,  # 10.45
    _advance,  # 8.9
    _end,  # 9.25
)
"""8.3-8.9 the steps of a declared combat."""

OVERRUN = (
    _lead(True),  # 6.67a
    _lead(False),
    _mobile,
    _commit(steps.PLANES, True),  # 6.66a
    _check(AIR_CHECK, True),
    _commit(steps.SHIFTS, True),  # 6.65b
    _roll,  # 6.67b
    settle_losses,
    settle_retreats,  # 6.67c
    _home,
)
"""6.67 the steps of an overrun; what the stack does then is movement (movement/stacks.py)."""


class Chain(Frame[State, StageAt]):
    """Goes through the steps of a combat or an overrun; each may push decisions and dice."""

    at = StageAt

    def run(self, s: State, f: StageAt) -> None:
        chain = OVERRUN if s.fight is not None and s.fight.overrun else COMBAT
        if s.fight is None or f.stage == len(chain):
            s.stack.pop()
            return
        s.stack[-1] = StageAt(f.frame, f.stage + 1)
        chain[f.stage](s)


class CombatRoll(Dice[State, At]):
    """8.63 the die."""

    at = At

    def take(self, s: State, f: At, action: Action) -> None:
        fight: Fight = s.fight
        s.stack.pop()
        found = reckon(s, fight)
        fight.roll = action[1] + found.drm
        result = table(s, fight).result(found.column, fight.roll)
        told = {"hex": fight.target, "face": action[1], "roll": fight.roll, "result": result.code}
        emit(s, "result", "8.63", {**told, "shaded": int(result.shaded)}, final=True)
        apply(s, fight, result)

    def prompt(self, s: State, f: At) -> Prompt:
        return Prompt(Text("Combat in {hex}", hex=s.fight.target), "", ("8.63",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    steps.COMBATS: Combats(),
    steps.COMBAT_CHAIN: Chain(),
    steps.COMBAT_ROLL: CombatRoll(verbs.ROLL, 1, 10),
}
