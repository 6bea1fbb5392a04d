"""A7, A8 An attack by fire: the dice fall, and the result is taken.

ATTACK_ROLL are the two dice; RESULT and SELECT carry out what the IFT says.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.mechanics.dice import ColoredDice, OneDie
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import Asking

from ..los.cover import entry_sides
from ..table import verbs
from ..table.hardware import WEAPONRY
from ..table.ids import (
    F_ATTACK_ROLL,
    F_CHECK,
    F_MISHAP,
    F_RESULT,
    F_SELECT,
    FINAL,
    FIRST,
    GONE,
    LEADER,
    MC,
    PHASES,
    PROTECTIVE,
    PROTECTIVE_MC,
    PTC,
    SUBSEQUENT,
    UNDER_SANGAR,
)
from ..table.state import Attack, State, all_men, good_order, gun_of, passengers, put, weapons_of
from ..table.telling import emit
from ..table.weather import grit
from ..table.works import spot
from .crews import crew_exposed, onlookers, recall, stun
from .fate import KILLED, MishapAt, soft_outcome, strike_soft
from .firepower import (
    MINES_ATTACK,
    OVERRUN_ATTACK,
    cohorts,
    common_drms,
    cower,
    directed,
    drms,
    keeps_rof,
    lasting_fp,
    lowered,
    outside,
    total,
    users_of,
    worth,
)
from .group import RollAt
from .ift import FIRST_K, FIRST_KIA, NO_EFFECT, PIN_CHECK, RESULTS, ift, killed, morale_modifier
from .morale import CheckAt, break_, lose, push_checks, reduce
from .mounts import marked
from .protection import Drm
from .san import shot_at
from .sights import sees

# The dice


class ResultAt(NamedTuple):
    """A result that these units take."""

    frame: int
    result: int
    units: int


class SelectAt(NamedTuple):
    """A.9 Random Selection: one dr for each candidate, those with the highest are selected."""

    frame: int
    candidates: int
    left: int
    highest: int
    chosen: int
    wanted: int
    kill: int
    modifier: int


class AttackRoll(ColoredDice[State, RollAt]):
    """A7.1 the DR of an attack: the coloured die first."""

    at = RollAt

    def take(self, s: State, f: RollAt, action: Action) -> None:
        attack = s.attack
        assert attack is not None
        _, first, second = action
        shift = 0 if attack.residual else cower(s, attack, first, second)
        attack.original = first + second
        column = attack.column - shift
        s.stack.pop()
        struck: dict[int, int] = {}
        with Asking(s):
            taken, shot = hits(s, attack, column, first, second, shift, struck)
            found = drms(s, attack) if lingers(attack) else []
            lasts = column if s.edition < 6 else ift().column(lasting_fp(s, attack)) - shift
        if attack.second >= 0:  # A9.5 the same DR against the other hex, which may lie nearer or farther (A7.2)
            aside = attack.copy()
            aside.target, aside.movers = attack.second, 0
            reach = column if s.edition < 7 else ift().column(total(s, aside)) - shift
            more, also = hits(s, aside, reach, first, second, shift, struck)
            taken += more
            shot |= also
        led = attack.leaders if s.edition > 5 and directed(s, attack) else 0  # AMB-160
        if not attack.residual:
            encircle(s, users_of(s, attack), shot)
            mark(s, attack, first, second, shift)
            if lingers(attack):
                leave_residual(s, attack, lasts, found)
        s.shot |= shot
        protective = attack.fire == PROTECTIVE and not attack.residual
        firers = led | attack.firers | sum({1 << s.holder[w] for w in units_of(attack.weapons) if s.holder[w] >= 0})
        s.attack = None
        if protective:  # A8.31 the DR of the attack is a NMC for every firing unit
            order = sorted(units_of(firers), key=lambda u: s.edition > 5 and s.kind(u).kind == LEADER)  # A10.7
            s.stack += [CheckAt(F_CHECK, u, PROTECTIVE_MC, 0, first * 10 + second) for u in order]
        lost = 0  # AMB-84 whoever was aboard what is destroyed takes Crew Survival instead
        for u in (u for u, outcome in struck.items() if outcome >= KILLED):
            lost |= sum(1 << one for one in passengers(s, u)) | 1 << u
        s.stack += [ResultAt(F_RESULT, result, units & ~lost) for result, units in reversed(taken)]
        for u, outcome in struck.items():
            strike_soft(s, u, outcome)
        if attack.residual == OVERRUN_ATTACK and s.edition > 3:
            raze(s, taken)
        if attack.residual == OVERRUN_ATTACK and first + second == 12:
            s.stack.append(MishapAt(F_MISHAP, attack.by))
        if not attack.residual or (attack.residual != MINES_ATTACK and s.edition > 3):
            shot_at(s, attack.side, first + second, attack.target)

    def prompt(self, s: State, f: RollAt) -> Prompt:
        return Prompt("The dice of the attack", "", ("A7.1",), PHASES[s.phase])


def raze(s: State, taken: list[tuple[int, int]]) -> None:
    """F8.41a a Final KIA of an Overrun on whoever lies in a sangar: it falls when the Overrun is over."""
    killed = sum(units for result, units in taken if result >= FIRST_KIA)
    if s.move is not None and any(s.under[u] == UNDER_SANGAR for u in units_of(killed)):
        s.move.razed = 1


def hits(
    s: State, attack: Attack, column: int, first: int, second: int, shift: int, struck: dict[int, int]
) -> tuple[list[tuple[int, int]], int]:
    """A7.4 what one DR does to everybody in a Location: results with those who take them, and all who were attacked.

    A12.3 of those who are hidden nothing is told unless the result finds them. `struck` takes what becomes of vehicles.
    """
    common = common_drms(s, attack)
    taken, shot = [], 0
    for i, group in enumerate(cohorts(s, attack)):
        drm = sum(one.value for one in (*group.drms, *common))
        own = half_column(s, attack) - shift if group.concealed and not attack.residual else column
        if group.concealed and attack.residual == OVERRUN_ATTACK:  # D7.1
            own = ift().column(attack.fp / 4)
        result = ift().result(own, first + second + drm)
        facts = {"hex": attack.target, "dice": [first, second], "drm": drm, "cowers": shift, "side": attack.side}
        if not group.hidden or result:
            kind = "also_rolled" if i else "attack_rolled"
            emit(s, kind, "A7.4", {**facts, "result": RESULTS[result]}, final=True)
        taken.append((result, group.units))
        shot |= group.units if own + shift >= 0 or s.edition < 6 else 0  # below 1 FP it is no attack (A7.1)
        for u in units_of(group.units & s.stage.roster.vehicles):
            struck[u] = soft_outcome(s, u, own, first + second + drm)
        if own >= 0 and ift().result(own, 2 + drm) > PIN_CHECK:
            s.dm |= s.broken & group.units  # A10.62 fire that could have broken it
    return taken, shot


def encircle(s: State, by: int, shot: int) -> None:
    """A7.7 attacks of one phase across hexsides of which no three in a row are free make a unit Encircled."""
    for u in units_of(shot & s.stage.roster.men):
        sides = s.crossed.get(u, 0)
        for one in units_of(by):
            for d in entry_sides(s.stage.sights.lines, spot(s, one), spot(s, u)):
                sides |= 1 << d
        s.crossed[u] = sides
        free = any(
            not sides >> d & 1 and not sides >> (d + 1) % 6 & 1 and not sides >> (d + 2) % 6 & 1 for d in range(6)
        )
        if not free and not s.encircled >> u & 1:
            s.encircled |= 1 << u
            emit(s, "encircled", "A7.7", {"unit": u, "hex": s.at[u], "side": s.stage.roster.side[u]})


def half_column(s: State, attack: Attack) -> int:
    """A12.1, A7.23 the column against those who are concealed."""
    return ift().column(worth(s, attack, True))


def mark(s: State, attack: Attack, first: int, second: int, cowers: int) -> None:
    """A7.11, A9.2, A9.7 what has fired is marked; a weapon may keep its ROF or break down."""
    original, again = first + second, 0
    users = sum({1 << s.holder[w] for w in units_of(attack.weapons)})  # before a weapon that is gone leaves its user
    seen = attack.firers | users
    if s.edition > 5 and directed(s, attack):  # AMB-160
        seen |= attack.leaders
    gone = seen_firing(s, attack.side, seen)
    s.hip &= ~seen  # A12.3
    if attack.vehicle >= 0:
        where = {"unit": attack.vehicle, "hex": s.at[attack.vehicle], "side": attack.side}
        for kind, rule, mg in marked(s, attack, first, original):
            emit(s, kind, rule, {**where, "mount": WEAPONRY[mg]})
    for w in units_of(attack.weapons):
        less = lowered(s, attack, w)
        if original >= s.kind(w).breakdown - less - grit(s):
            s.jammed |= 1 << w
            emit(s, "jammed", "A9.7", {"unit": w, "hex": s.at[w], "side": attack.side})
            if less and original == 12:  # table malfunction: for good
                s.holder[w] = -1
                s.jammed &= ~(1 << w)
                put(s, w, GONE)
                continue
        if attack.lane >= 0 and not s.jammed >> w & 1:
            s.lanes[w] = attack.lane
            emit(s, "fire_lane", "A9.22", {"unit": w, "hex": attack.lane, "side": attack.side})
        if not s.jammed >> w & 1 and keeps_rof(s, attack, w, first, cowers):
            emit(s, "rate_of_fire", "A9.2", {"unit": w, "hex": s.at[w], "side": attack.side})
            again |= 1 << w
            continue
        _fired(s, attack, 1 << w)
    _fired(s, attack, attack.firers)
    if s.edition > 5 and (attack.fire in (SUBSEQUENT, PROTECTIVE) or (cowers and attack.fire == FIRST)):
        spend(s, attack.firers | users)
    for u in units_of(attack.firers | attack.weapons):
        s.shots[u] = s.shots.get(u, 0) + 1
    s.served |= users
    s.handled |= attack.weapons
    guide(s, attack, again)
    if cowers:
        s.fired |= attack.firers | attack.weapons
        s.spent_fire |= attack.firers | attack.weapons
    uncover(s, attack.side, gone)


def uncover(s: State, side: int, units: int) -> None:
    """A12.14a whoever is seen firing is no longer under a "?"."""
    for u in units_of(units & s.concealed):
        s.concealed &= ~(1 << u)
        emit(s, "revealed", "A12.14a", {"unit": u, "hex": s.at[u], "side": side}, final=True)


def guide(s: State, attack: Attack, again: int) -> None:
    """A7.531 a leader directs once a phase; a weapon that kept its ROF under him he may direct again."""
    if s.edition > 1:
        led = directed(s, attack)
        for w in units_of(attack.firers | attack.weapons):
            s.guided.pop(w, None)
        if not led:
            return
        where = {s.at[u]: u for u in units_of(attack.leaders)}
        s.guided |= {w: where[s.at[w]] for w in units_of(again)}
    s.directed |= attack.leaders
    s.fired |= attack.leaders if s.edition > 5 else 0  # AMB-160


def spend(s: State, units: int) -> None:
    """A8.3, AMB-161 who is Final-Fire-marked is so with all that he has."""
    for u in units_of(units):
        marked = 1 << u | weapons_of(s, u)
        s.fired |= marked
        s.spent_fire |= marked


def _fired(s: State, attack: Attack, units: int) -> None:
    s.fired |= units
    if attack.fire in (SUBSEQUENT, PROTECTIVE, FINAL):
        s.spent_fire |= units


def seen_firing(s: State, side: int, units: int) -> int:
    """A12.14 those who lose their "?" by firing, or entering Open Ground, within 16 hexes and LOS of a Good Order
    enemy."""
    foes = onlookers(s, 1 - side) if s.edition > 2 else good_order(s, all_men(s, 1 - side)) & ~s.hip
    return sum(1 << u for u in units_of(units & s.concealed) if _watched(s, u, foes))


def _watched(s: State, u: int, foes: int) -> bool:
    return any(s.stage.grid.distance(s.at[u], s.at[e]) <= 16 and sees(s, e, s.at[u], 1 << u) for e in units_of(foes))


def lingers(attack: Attack) -> bool:
    """A8.2, A8.15 whether an attack can leave Residual FP."""
    return attack.fire in (FIRST, SUBSEQUENT, PROTECTIVE) and not (attack.snap or attack.residual)


def leave_residual(s: State, attack: Attack, column: int, found: list[Drm]) -> None:
    """A8.2, A8.23 First Fire leaves Residual FP; a higher one replaces a lower."""
    left = ift().residual_of(column, max(0, outside(found)))
    if left > s.residual.get(attack.target, 0):
        s.residual[attack.target] = left
        emit(s, "residual", "A8.2", {"hex": attack.target, "fp": left})


class Result(Frame[State, ResultAt]):
    """What the IFT says happens to these units."""

    at = ResultAt

    def run(self, s: State, f: ResultAt) -> None:
        s.stack.pop()
        hit = sum(1 << u for u in units_of(f.units) if s.at[u] >= 0)
        if f.result == NO_EFFECT or not hit:
            return
        reveal(s, hit)
        shake_crews(s, hit & s.stage.roster.vehicles, f.result)
        hit &= s.stage.roster.men
        if not hit:
            return
        if f.result == PIN_CHECK:
            push_checks(s, hit & ~s.broken, PTC, 0)
        elif f.result >= FIRST_KIA:
            s.stack.append(SelectAt(F_SELECT, hit, hit, 0, 0, killed(f.result), 1, 0))
        elif f.result >= FIRST_K:
            s.stack.append(SelectAt(F_SELECT, hit, hit, 0, 0, 1, 0, morale_modifier(f.result)))
        else:
            push_checks(s, hit, MC, morale_modifier(f.result))


def shake_crews(s: State, hit: int, result: int) -> None:
    """D5.34, AMB-80 exposed crews take a MC; a K or KIA stuns and Recalls them."""
    for u in units_of(hit & ~s.wreck):
        if not crew_exposed(s, u):
            continue
        if result >= FIRST_K:
            stun(s, u, "D5.34")
            recall(s, u, "D5.34")
        elif result > PIN_CHECK:
            s.stack.append(CheckAt(F_CHECK, u, MC, morale_modifier(result)))


def reveal(s: State, hit: int, rule: str = "A12.14c") -> None:
    """A12.14c, A12.11 a result of PTC or better (or what the rule says) takes the "?" off; a dummy is removed."""
    for u in units_of(hit & s.stage.roster.dummies):
        s.concealed &= ~(1 << u)
        emit(s, "dummy", "A12.11", {"unit": u, "hex": s.at[u], "side": s.stage.roster.side[u]}, final=True)
        put(s, u, GONE)
    if s.edition > 6:  # AMB-183 the Gun with whoever mans it
        hit |= sum(1 << g for g in {gun_of(s, u) for u in units_of(hit & s.concealed & s.stage.roster.men)} if g >= 0)
    for u in units_of(hit & s.concealed):
        s.concealed &= ~(1 << u)
        s.hip &= ~(1 << u)
        emit(s, "revealed", rule, {"unit": u, "hex": s.at[u], "side": s.stage.roster.side[u]}, final=True)


class Select(OneDie[State, SelectAt]):
    """A.9, A7.301, A7.302 one die for each candidate; then those selected suffer, and the others."""

    at = SelectAt

    def actor(self, s: State, f: SelectAt) -> int | None:
        single = not f.candidates & (f.candidates - 1)
        everybody = f.wanted >= f.candidates.bit_count()
        return super().actor(s, f) if f.left and not single and not everybody else None

    def run(self, s: State, f: SelectAt) -> None:
        s.stack.pop()
        single = not f.candidates & (f.candidates - 1)
        everybody = f.wanted >= f.candidates.bit_count()
        chosen = f.candidates if single or everybody else f.chosen
        rest = f.candidates & ~chosen
        if f.kill:
            more = f.wanted - chosen.bit_count()
            again = [SelectAt(F_SELECT, rest, rest, 0, 0, more, 1, 0)] if rest and more > 0 else []
            if again and s.edition < 6:
                s.stack += again
            elif not again:
                for u in units_of(rest):
                    if s.broken >> u & 1:
                        reduce(s, u, "A7.301")
                    else:
                        break_(s, u, "A7.301")
            for u in units_of(chosen):
                lose(s, u, "A7.301")
            s.stack += again if s.edition > 5 else []  # A10.2 the others are drawn before they feel a leader's loss
            return
        push_checks(s, f.candidates, MC, f.modifier)
        for u in units_of(chosen):
            reduce(s, u, "A7.302")

    def take(self, s: State, f: SelectAt, action: Action) -> None:
        die, u = action[1], units_of(f.left)[0]
        bit = 1 << u
        chosen = bit if die > f.highest else f.chosen | bit if die == f.highest else f.chosen
        emit(s, "selection", "A.9", {"unit": u, "hex": s.at[u], "die": die}, final=True)
        s.stack[-1] = f._replace(left=f.left ^ bit, highest=max(die, f.highest), chosen=chosen)

    def prompt(self, s: State, f: SelectAt) -> Prompt:
        return Prompt("Random Selection", "", ("A.9",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_ATTACK_ROLL: AttackRoll(verbs.ROLLED),
    F_RESULT: Result(),
    F_SELECT: Select(verbs.FELL),
}
