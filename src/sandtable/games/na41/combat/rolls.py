"""8.3 The attackers are settled: declarations follow, then the column, then the die, which Rommel may have rerolled."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.fights.odds import column_name, fight_told
from sandtable.mechanics.phases import Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..supply.support import OVERWHELMING, PAID, places_of
from ..table.frames import DDRollAt, RerollAt, ResultAt, RollAt
from ..table.ids import AUTO_DS, AXIS, BREAKTHROUGH, COMANDO, COMBAT, F_DD_ROLL, F_REROLL, F_RESULT, F_ROLL, PHASES
from ..table.state import State
from ..table.verbs import V_ACCEPT, V_REROLL, V_ROLLED
from . import defence, results
from .declarations import declare, help_of
from .effects import LOSSES
from .nations import GERMAN, ITALIAN
from .panel import fight_odds
from .results import AUTO, LOWEST
from .strengths import outcome


def commit(s: State) -> None:
    """8.2, 8.3b the attackers are settled; then come the declarations, then the die."""
    of = s.board.of_nation
    if s.fight.attackers & of[GERMAN] and s.fight.attackers & of[ITALIAN] and not s.comando:  # 8.4.1a, 8.4.1c
        s.assets[COMANDO] -= 1
        s.comando = 1
        emit(s, "comando_supremo", "8.4.1a", {"side": s.active, "asset": COMANDO, "hex": s.fight.target})
    if s.fight.kind != BREAKTHROUGH:
        s.fought_from = places_of(s, s.fight.attackers)
    s.stack.append(RollAt(F_ROLL))
    declare(s)


# 8.3d The die


class CombatRoll(OneDie[State, RollAt]):
    """8.3d The column is worked out (frame without a number), then the die is rolled (frame: 1)."""

    at = RollAt

    def actor(self, s: State, f: RollAt) -> int | None:
        return super().actor(s, f) if f.ready else None

    def run(self, s: State, f: RollAt) -> None:
        join_battle(s)

    def take(self, s: State, f: RollAt, action: Action) -> None:
        s.fight.die = action[1]
        s.fight.result = results.column_cells(s.board, s.fight.column)[s.fight.die - 1]
        tell_result(s)
        s.stack[-1] = ResultAt(F_RESULT, LOSSES)
        if s.active == AXIS and s.rommel:  # 18.5a
            s.stack[-1] = RerollAt(F_REROLL, 0)

    def prompt(self, s: State, f: RollAt) -> Prompt:
        column = column_name(read_as(s.fight.column))
        words = term("{odds_att} to {odds_def}, {odds} after shifts")
        text = Text(words, odds_att=s.fight.odds_att, odds_def=s.fight.odds_def, odds=column)
        plain, breaking = term("Attack on {hex} at {odds}"), term("Breakthrough combat against {hex} at {odds}")
        title = Text(breaking if s.fight.kind == BREAKTHROUGH else plain, hex=s.fight.target, odds=column)
        return Prompt(title, text, ("8.3d", "8.8.4b"), PHASES[s.phase])


def read_as(column: int) -> int:
    """8.8.3b, A10 the column of the table on which a rung below 10:1 is read."""
    return max(LOWEST, min(results.HIGHEST, column))


def join_battle(s: State) -> None:
    """8.3d the shifts are applied; the die is next, or a DS at 10:1 (8.8.3c, 8.9.1c)."""
    of = outcome(s, s.fight.kind, s.fight.target, s.fight.attackers, s.fight.supplied == PAID, help_of(s))
    if s.fight.supplied != PAID:
        s.fight.supplied = OVERWHELMING if of.column >= AUTO else 0
    s.fight.odds_att, s.fight.odds_def, s.fight.base_column, s.fight.column = of.attack, of.defence, of.base, of.column
    s.attacked_at_all = 1  # 17.4a
    if s.fight.kind == COMBAT:  # 8.1c; 8.1h after a breakthrough combat the defenders may still be attacked
        s.attacked |= s.fight.attackers
        s.defended |= s.fight.defenders
    read = of.column if of.column >= AUTO else read_as(of.column)
    data = {**fight_told(s.fight, s.fight.kind, s.active, of, read), "supplied": s.fight.supplied == PAID}
    emit(s, "combat", {COMBAT: "8.3d", BREAKTHROUGH: "15.2.8a", AUTO_DS: "8.9.1a"}[s.fight.kind], data)
    if of.column >= AUTO:
        s.fight.die = 0
        s.fight.result = results.shattered(s.board)
        tell_result(s)
        s.stack[-1] = ResultAt(F_RESULT, LOSSES)
    else:
        s.stack[-1] = RollAt(F_ROLL, 1)


def tell_result(s: State) -> None:
    """10.1 the result, with the die if one was rolled."""
    data = {"hex": s.fight.target, "side": s.active, "result": results.cell_name(s.fight.result)}
    if s.fight.die:
        data |= {"die": s.fight.die, "column": column_name(read_as(s.fight.column))}
        emit(s, "combat_result", results.RULES[results.result_of(s)], data, final=True)
    else:
        emit(s, "combat_result", "8.9.1c" if s.fight.kind == AUTO_DS else "8.8.3c", data)


# 18.5a Rommel: once in a game turn the die of an Axis attack or of an Axis determined defense is rolled again

ATTACK, STAND = 0, 1  # what F_REROLL is about


def stands(s: State, f: RerollAt) -> None:
    if f.what == ATTACK:
        s.stack[-1] = ResultAt(F_RESULT, LOSSES)
    else:
        s.stack.pop()


def again(s: State, f: RerollAt) -> None:
    """18.5d he is used for this turn."""
    s.rommel = 0
    emit(s, "rommel", "18.5a", {"side": AXIS, "hex": s.fight.target})
    s.stack[-1] = RollAt(F_ROLL, 1) if f.what == ATTACK else DDRollAt(F_DD_ROLL)


def another(s: State, f: RerollAt, action: Action) -> Odds:
    """What another roll would bring."""
    fight = s.fight
    if f.what == STAND:
        return defence.dd_odds(s, fight.lead, fight.dd_support, bool(s.stack[-2].desperate))
    title, paid = Text("Roll again against {hex}", hex=s.board.hex_name(fight.target)), fight.supplied == PAID
    return fight_odds(s, fight.kind, fight.target, fight.attackers, paid, help_of(s), title, rommel=False)


class Reroll(Phase[State, RerollAt, RerollAt]):
    """18.5a The roll stands, or is made again. Frame: ATTACK or STAND."""

    at = RerollAt
    does = (Once(V_REROLL, take=again, odds=another), Once(V_ACCEPT, take=stands))

    def actor(self, s: State, f: RerollAt) -> int | None:
        return AXIS if s.rommel else None

    def run(self, s: State, f: RerollAt) -> None:
        stands(s, f)

    def prompt(self, s: State, f: RerollAt) -> Prompt:
        what = (
            Text("The attack came to {cell_name}", cell_name=results.cell_name(s.fight.result))
            if f.what == ATTACK
            else Text("The defence rolled {die}", die=s.fight.die)
        )
        return Prompt("Use Rommel to roll again?", what, ("18.5a", "18.5d"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_ROLL: CombatRoll(V_ROLLED), F_REROLL: Reroll()}
