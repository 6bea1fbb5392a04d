"""8 Combat: who attacks whom, at what odds.

Three kinds of fight pass through here (`kind`): attacks in the Combat Phase, Auto DS attacks in the Movement Phase
(8.9), and breakthrough combats (15). One fight at a time. What both sides declare before the die is in
declarations.py, what comes of it in effects.py, the Combat Phase as a whole in battles.py.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.odds import column_name, fight_told, rung
from sandtable.mechanics.telling import emit

from ..supply.support import OVERWHELMING, PAID, covered, places_of, supply_actions
from ..table import zones
from ..table.frames import RerollAt, ResultAt, RollAt
from ..table.ids import (
    ALLIED,
    AUTO_DS,
    AXIS,
    BREAKTHROUGH,
    COMANDO,
    COMBAT,
    F_ATTACK,
    F_CRUSH,
    F_REROLL,
    F_RESULT,
    F_ROLL,
    NATIONS,
    PHASES,
)
from ..table.position import combat_units_in, good_order
from ..table.state import State
from ..table.verbs import V_COMMIT, V_CRUSH, V_JOIN, V_ROLLED
from . import results
from .declarations import declare, help_of
from .effects import LOSSES, begin
from .panel import fight_odds
from .results import AUTO, LOWEST
from .strengths import NO_HELP, chart, defence_total, fighting, outcome, reckon

GERMAN, ITALIAN = NATIONS.index("german"), NATIONS.index("italian")

# 8.1 Who may attack whom


def may_attack(s: State) -> int:
    """8.1c the units of the active side that are free to take part in an attack now.

    In Good Order (13.2.1b, 13.3.2a); not those with an Auto DS marker (8.9.1d), under a transport marker (5.9.1h) or a
    replacement marker (19.5c), nor those that used extended movement or the road bonus (A14), nor those that rolled to
    disengage (27.5.3b).
    """
    board = s.board
    barred = s.attacked | s.disengaged | s.auto | s.shipped | s.refreshed | s.extended | board.asus
    return board.of_side[s.active] & board.combat & good_order(s) & ~barred


def frozen(s: State) -> Mask:
    """9.5.6c, 19.5d the hexes out of which nobody attacks: a fortification is being built, or men are absorbed."""
    hexes = s.building[s.active]
    for u in units_of(s.refreshed & s.board.of_side[s.active]):
        if s.at[u] >= 0:
            hexes |= 1 << s.at[u]
    return hexes


def why_frozen(s: State, h: Hex) -> Reason:
    """9.5.6c, 19.5d why nobody attacks out of such a hex."""
    name = s.board.hex_name(h)
    if s.building[s.active] >> h & 1:
        return Reason("9.5.6c", f"a fortification is being built in {name}: nobody attacks out of it")
    return Reason("19.5d", f"a unit in {name} has a replacement marker: nobody attacks out of the hex")


def attackers_near(s: State, target: Hex, free: int) -> int:
    """8.1a, 8.2b of some units, those beside the hex that could attack into it (8.1g, 9.6e, 9.6f) with strength."""
    board, of, here = s.board, chart(s.board), s.here
    found = 0
    foot, mech, vehicle = of.from_foot[target], of.from_mech[target], of.from_vehicle[target]
    for h in hexes_in(foot & s.men[s.active]):
        units = here[h] & free
        if not mech >> h & 1:
            units &= ~board.mech
        elif not vehicle >> h & 1:
            units &= ~board.vehicles
        found |= units
    att, step = board.att, s.step
    for u in units_of(found):
        if not att[u][step[u]]:
            found ^= 1 << u
    return found


def free_units(s: State) -> int:
    """8.1 the units that could attack from where they stand, if there is an enemy."""
    free = may_attack(s)
    cold = frozen(s)
    if cold:
        for h in hexes_in(cold & s.occ[s.active]):
            free &= ~s.here[h]
    return free


def free_near(s: State, target: Hex) -> int:
    """Everybody who could attack a hex now."""
    return attackers_near(s, target, free_units(s))


# 8.4 Who may attack together


def together(s: State, units: int) -> bool:
    """8.4 whether these units may take part in one attack."""
    of, general = s.board.of_nation, s.board.general
    if s.active == AXIS:
        return not (units & of[GERMAN] and units & of[ITALIAN]) or comando(s)
    if (units & s.board.tanks).bit_count() > general["allied_attack_max_tank_units"]:  # 8.4.2c
        return False
    return len(nations(s, units)) <= int(general["allied_attack_max_nationalities"])  # 8.4.2b, A42


def comando(s: State) -> bool:
    """8.4.1 whether Comando Supremo is in effect in this impulse, or could be."""
    return bool(s.comando or s.assets[COMANDO])


def nations(s: State, units: int) -> list[int]:
    """The nationalities of some units."""
    return [n for n, mask in enumerate(s.board.of_nation) if mask & units]


def largest(s: State, joined: int, pool: int) -> list[int]:
    """8.4 the largest attacks that those who have joined could become. More units never make an attack worse."""
    everybody = joined | pool
    if together(s, everybody):
        return [everybody]
    of = s.board.of_nation
    if s.active == AXIS:
        return [m for n in (GERMAN, ITALIAN) if (m := everybody & of[n]) and not joined & ~m]
    general = s.board.general
    fixed = nations(s, joined)
    others = [n for n in nations(s, pool) if n not in fixed]
    spare = min(len(others), general["allied_attack_max_nationalities"] - len(fixed))
    found: list[int] = []
    for chosen in combinations(others, spare):
        units = everybody & sum(of[n] for n in (*fixed, *chosen))
        tanks = units & s.board.tanks
        room = general["allied_attack_max_tank_units"] - (tanks & joined).bit_count()
        free = units_of(tanks & ~joined)
        if len(free) <= room:
            found.append(units)
            continue
        rest = units & ~(tanks & ~joined)
        found += [rest | sum(1 << u for u in some) for some in combinations(free, room)]
    return found


# 8.8.3, 8.9.1 The odds that are needed


def suffices(s: State, fight: int, target: Hex, attackers: int) -> bool:
    """8.8.3a, A10 an attack needs 1:3 before shifts; 8.9.1a, A8 an Auto DS 10:1 after tank and combined arms shifts."""
    if not attackers:
        return False
    of = reckon(s, fight, target, attackers)
    return of.column >= AUTO if fight == AUTO_DS else of.base >= LOWEST


def can_reach(s: State, fight: int, target: Hex, joined: int, pool: int) -> bool:
    """Whether the fight comes to the odds it needs if everybody joins who can."""
    if fight != AUTO_DS:
        if joined and suffices(s, fight, target, joined):
            return True
        att, step = s.board.att, s.step
        need = min(defence_total(s, target, fighting(s, target, fight)), s.board.general["max_defence"])
        for u in units_of(pool):  # one that is strong enough even if it is halved
            if ((att[u][step[u]] + 1) >> 1) * 3 >= need and (not joined or together(s, joined | 1 << u)):
                return True
    return any(suffices(s, fight, target, units) for units in largest(s, joined, pool))


def standing(s: State) -> tuple[object, ...]:
    """What an attack depends on besides the position: whatever changes it tells nobody (`touch`)."""
    marks = (s.attacked, s.auto, s.extended, s.refreshed, s.shipped, s.oos, s.sheltered)
    return (s.active, *marks, s.building[s.active], *s.forts, comando(s))


def targets(s: State, fight: int) -> dict[Hex, int]:
    """8.1 the hexes that could be attacked now at the odds that are needed, with all who could join in.

    Hexes with combat units (8.7a) that have not been attacked in this phase (8.1c).
    """
    key = ("targets", fight, s.defended, *standing(s))
    found: dict[Hex, int] | None = s.memo.get(key)
    if found is None:
        found = {}
        near = in_contact(s)
        free = free_units(s) if near else 0
        known = crushers_known(s) if near and fight == AUTO_DS else {}
        for h in hexes_in(near):
            if fight == AUTO_DS:
                units = crushers(s, h, free, known)
            elif open_to_attack(s, h):
                units = attackers_near(s, h, free)
                units = units if units and can_reach(s, fight, h, 0, units) else 0
            else:
                units = 0
            if units:
                found[h] = units
        s.memo[key] = found
    return found


def in_contact(s: State) -> Mask:
    """8.1a the enemies that units of the active side have come up to, those in Full Retreat left out; some may have
    only such beside them that cannot attack across the hexside."""
    foe = 1 - s.active
    near = s.zocs[s.active] & zones.beside(s, foe)
    return s.board.grid.dilate(near) & s.men[foe] if near else 0


def can_crush(s: State, h: Hex) -> bool:
    """8.9.1a whether one of these could be cleared at 10:1."""
    return crushers(s, h, free_units(s), crushers_known(s)) != 0


def open_to_attack(s: State, h: Hex) -> bool:
    """8.1c, 8.1e whether nobody who would defend this hex has been attacked in this phase; who fled onto friends would
    not (12.3a), but somebody must be there who has not been attacked."""
    units = combat_units_in(s, h, enemy(s.active))
    return bool(units & ~s.defended) and not units & s.defended & ~s.sheltered


def crushers_known(s: State) -> dict[tuple[int, ...], int]:
    """What has been worked out about Auto DS while nobody's strength changed.

    A Movement Phase asks after every move, and hardly ever has anything changed around a hex.
    """
    key = (bytes(s.step), s.disrupted, s.routed, s.shipped, s.oos, *s.forts, s.active, comando(s))
    kept: dict[object, dict[tuple[int, ...], int]] = s.board.kept.setdefault("crushers", {})
    known = kept.get(key)
    if known is None:
        if len(kept) > 50:
            kept.clear()
        known = kept[key] = {}
    return known


def crushers(s: State, h: Hex, free: int, known: dict[tuple[int, ...], int]) -> int:
    """8.9.1a all who could join in an Auto DS against a hex, if 10:1 can be had."""
    here = s.here
    spot = [h, here[h]]
    for n in hexes_in(s.board.around[h] & s.men[s.active]):
        spot += (n, here[n] & free)
    around = tuple(spot)
    found = known.get(around)
    if found is None:
        units = attackers_near(s, h, free)
        found = known[around] = units if might_crush(s, h, units) and can_reach(s, AUTO_DS, h, 0, units) else 0
    return found


def might_crush(s: State, h: Hex, units: int) -> bool:
    """Whether 10:1 is not out of the question: printed strengths, doubled where an attack goes downhill, and at most
    the tank shifts (9.2.3b) and the elite combined arms shift (9.3a)."""
    if not units:
        return False
    step, att, general = s.step, s.board.att, s.board.general
    attack = sum([att[u][step[u]] for u in units_of(units)])
    if chart(s.board).down[h]:
        attack *= 2
    defence = defence_total(s, h, fighting(s, h, AUTO_DS))
    return rung(min(attack, general["max_attack"]), defence) + int(general["max_tank_shift"]) + 1 >= AUTO


def why_no_attack(s: State, fight: int, target: Hex) -> Reason:
    """8.1, 8.7, 8.8 why a hex cannot be attacked."""
    name, foe = s.board.hex_name(target), enemy(s.active)
    rule = "8.9.1a" if fight == AUTO_DS else "8.1a"
    if not s.men[foe] >> target & 1:
        if s.occ[foe] >> target & 1:
            return Reason("8.7a", f"there are only non-combat units in {name}")
        return Reason(rule, f"there is no enemy combat unit in {name}")
    if fight == COMBAT and not open_to_attack(s, target):
        return Reason("8.1c", f"the units in {name} have been attacked in this phase")
    beside = 0
    for h in hexes_in(s.board.around[target] & s.men[s.active]):
        beside |= combat_units_in(s, h, s.active)
    if not beside:
        return Reason(rule, f"none of your combat units stands beside {name}")
    near = free_near(s, target)
    if not near:
        armed = [u for u in units_of(beside & ~s.board.asus) if s.board.att[u][s.step[u]]]
        return why_not_in(s, (armed or units_of(beside))[0], target)
    best = max([reckon(s, fight, target, m) for m in largest(s, 0, near)], key=lambda of: of.column)
    if fight == AUTO_DS:
        return Reason(rule, f"the units beside {name} come to {column_name(best.column)} at best; 10:1 is needed")
    return Reason("8.8.3a", f"the best odds against {name} are {column_name(best.base)}, and 1:3 is the least allowed")


def why_not_in(s: State, u: int, target: Hex) -> Reason:
    """Why one of the active side's units beside the target takes no part in an attack on it."""
    board, name, b = s.board, s.board.unit_names[u], 1 << u
    reasons = (
        (board.asus & b or not board.att[u][s.step[u]], "2.3.2a", "has no attack strength"),
        (s.routed & b, "13.3.2a", "is in Full Retreat"),
        (s.disrupted & b, "13.2.1b", "is Disrupted"),
        (s.attacked & b, "8.1c", "has attacked in this phase"),
        (s.disengaged & b, "27.5.3b", "has rolled to disengage in this phase"),
        (s.auto & b, "8.9.1d", "has an Auto DS marker"),
        (s.railed & b, "5.9.1h", "is under a transport marker"),
        (s.flown & b, "18.7.6b", "is under a transport marker"),
        (s.shipped & b, "21.1.4b", "is under a transport marker"),
        (s.refreshed & b, "19.5c", "has a replacement marker"),
        (s.extended & b, "2.3.2c", "used extended movement or the road bonus"),
        (s.building[s.active] >> s.at[u] & 1, "9.5.6c", "stands where a fortification is being built"),
        (frozen(s) >> s.at[u] & 1, "19.5d", "is stacked with a unit that has a replacement marker"),
    )
    for so, rule, why in reasons:
        if so:
            return Reason(rule, f"{name} {why}")
    if chart(board).escarpment[target] >> s.at[u] & 1:
        return Reason("9.6e", f"{name} may attack across an escarpment only along a road")
    return Reason("8.1g", f"{name} could not enter {board.hex_name(target)}")


# 8.2 Who takes part


class Gather(Frame[State]):
    """8.2 Unit by unit, who takes part in an attack on s.fight.target, or in an Auto DS against it (8.9.1d)."""

    def pool(self, s: State) -> int:
        return free_near(s, s.fight.target) & ~s.fight.attackers

    def choices(self, s: State) -> list[Action]:
        key = ("gather", s.fight.kind, s.fight.target, s.fight.attackers, *standing(s))
        found: list[Action] | None = s.memo.get(key)
        if found is None:
            enough = suffices(s, s.fight.kind, s.fight.target, s.fight.attackers)
            found = [] if enough and s.fight.kind == AUTO_DS else self.joins(s, enough)
            if enough:
                found.append((V_COMMIT,))
            s.memo[key] = found
        return found

    def joins(self, s: State, enough: bool) -> list[Action]:
        """Everybody else who may join: together with the rest (8.4), if the odds can still be had."""
        pool = self.pool(s)
        found: list[Action] = []
        for u in units_of(pool):
            units = s.fight.attackers | 1 << u
            if together(s, units) and (enough or can_reach(s, s.fight.kind, s.fight.target, units, pool & ~units)):
                found.append((V_JOIN, u))
        return found

    def actor(self, s: State, f: F) -> int | None:
        choices = self.choices(s)
        if len(choices) == 1 and (
            s.fight.kind == AUTO_DS or choices[0] != (V_COMMIT,)
        ):  # odds are looked at before the die
            return None
        s.choices = choices
        return s.active

    def run(self, s: State, f: F) -> None:
        self.take(s, f, self.choices(s)[0])

    def legal(self, s: State, f: F) -> list[Action]:
        return list(self.choices(s))

    def take(self, s: State, f: F, action: Action) -> None:
        if action[0] == V_COMMIT:
            s.stack.pop()
            commit(s)
        else:
            s.fight.attackers |= 1 << action[1]

    def prompt(self, s: State, f: F) -> Prompt:
        name = s.board.hex_name(s.fight.target)
        text = "From any adjacent hexes"
        if s.fight.attackers:
            of = reckon(s, s.fight.kind, s.fight.target, s.fight.attackers)
            text = f"{of.attack} against {of.defence}, {column_name(of.column)} with shifts so far"
        if s.fight.kind == AUTO_DS:
            rules = ("8.9.1a", "8.9.1d")
            return Prompt(f"Who takes part against {name}?", f"{text}; 10:1 is needed", rules, PHASES[s.phase])
        return Prompt(f"Who attacks {name}?", text, ("8.2b", "8.1d", "8.8.3a"), PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] == V_COMMIT:
            of = reckon(s, s.fight.kind, s.fight.target, s.fight.attackers)
            if s.fight.kind == AUTO_DS:
                return Reason("8.9.1a", f"{column_name(of.column)} so far; 10:1 is needed")
            return Reason("8.8.3a", f"{column_name(of.base)} so far, and 1:3 is the least allowed")
        if action[0] == V_JOIN:
            return self._why_not_join(s, action[1])
        return None

    def _why_not_join(self, s: State, u: int) -> Reason:
        board, name = s.board, s.board.unit_names[u]
        if board.side[u] != s.active:
            return Reason("8.1a", f"{name} is not yours")
        if s.fight.attackers >> u & 1:
            return Reason("8.2d", f"{name} takes part already")
        if s.at[u] < 0 or not board.around[s.fight.target] >> s.at[u] & 1:
            return Reason("8.1a", f"{name} is not beside {board.hex_name(s.fight.target)}")
        if not self.pool(s) >> u & 1:
            return why_not_in(s, u, s.fight.target)
        units = s.fight.attackers | 1 << u
        if not together(s, units):
            if s.active == ALLIED:
                if (units & board.tanks).bit_count() > board.general["allied_attack_max_tank_units"]:
                    return Reason("8.4.2c", "no more than three tank units take part in one Allied attack")
                return Reason("8.4.2b", "no more than two nationalities take part in one Allied attack")
            return Reason("8.4.1a", "Germans and Italians attack together only with Comando Supremo")
        if s.fight.kind == AUTO_DS:
            return Reason("8.9.1d", f"{name} is not needed for 10:1, or would keep away those who are")
        return Reason("8.8.3a", f"with {name} the attack could not come to 1:3")

    def odds(self, s: State, f: F, action: Action) -> Odds | None:
        attackers = s.fight.attackers | (1 << action[1] if action[0] == V_JOIN else 0)
        return fight_odds(s, s.fight.kind, s.fight.target, attackers)


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
        kind = "Breakthrough combat against" if s.fight.kind == BREAKTHROUGH else "Attack on"
        text = f"{s.fight.odds_att} to {s.fight.odds_def}, {column} after shifts"
        rules = ("8.3d", "8.8.4b")
        return Prompt(f"{kind} {s.board.hex_name(s.fight.target)} at {column}", text, rules, PHASES[s.phase])


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


# 8.9 Auto DS


def crush_actions(s: State) -> list[Action]:
    """8.9.1a the hexes that units beside them could clear at 10:1, in the Movement Phase (8.9.1e)."""
    return [(V_CRUSH, h) for h in targets(s, AUTO_DS)]


def begin_crush(s: State, target: Hex) -> None:
    """8.9.1a an Auto DS is declared."""
    begin(s, AUTO_DS, target, 0)
    s.stack.append((F_CRUSH,))


def why_no_crush(s: State, target: Hex) -> Reason:
    return why_no_attack(s, AUTO_DS, target)


def crush_odds(s: State, target: Hex) -> Odds:
    """The calculation with the strongest force beside the hex."""
    units = strongest(s, AUTO_DS, target, targets(s, AUTO_DS)[target])
    return fight_odds(s, AUTO_DS, target, units, True, NO_HELP, f"Auto DS against {s.board.hex_name(target)}")


def strongest(s: State, fight: int, target: Hex, pool: int) -> int:
    """8.4 the best attack that can be made up out of some units."""
    return max(largest(s, 0, pool), key=lambda units: reckon(s, fight, target, units).column)


# 15 What breakthrough combat needs


def can_storm(s: State, target: Hex, units: int) -> bool:
    """8.8.3a, 15.2.7 whether a stack beside a hex could attack it; 9.5.6c, 19.5d out of some hexes nobody attacks."""
    if not s.men[enemy(s.active)] >> target & 1 or frozen(s) & places_of(s, units):
        return False
    units = attackers_near(s, target, units)
    return bool(units) and together(s, units) and suffices(s, BREAKTHROUGH, target, units)


def storm_odds(s: State, target: Hex, units: int, supplied: int) -> Odds:
    """The calculation of a breakthrough combat by a stack."""
    units = attackers_near(s, target, units)
    title = f"Breakthrough combat against {s.board.hex_name(target)}"
    return fight_odds(s, BREAKTHROUGH, target, units, storm_supply(s, supplied, units), NO_HELP, title)


def storm_supply(s: State, supplied: int, units: int) -> bool:
    """15.2.8b, 15.2.8c whether a breakthrough combat has attack supply, or can have it after 10:1 odds."""
    if supplied != OVERWHELMING:
        return supplied == PAID
    return covered(s, s.fought_from, units) or bool(supply_actions(s, s.fought_from, units))


def begin_fight(s: State, fight: int, target: Hex, attackers: int) -> None:
    """Start a fight whose attackers are known: who could not attack into the hex takes no part.

    A breakthrough combat has the attack supply of the fight that led to it (15.2.8b), which stands in `supplied`, and
    traces any other to s.fought_from (8.5.3b).
    """
    begin(s, fight, target, attackers_near(s, target, attackers))
    commit(s)


def reopen(s: State, target: Hex, units: int) -> None:
    """8.9.2 an Auto DS fought earlier is taken up again, for the advance of these marked units."""
    begin(s, AUTO_DS, target, units)
    s.fight.result = results.shattered(s.board)
    s.fight.supplied = OVERWHELMING
    s.fought_from = places_of(s, units)


FRAMES: dict[int, Frame[State, Any]] = {
    F_ATTACK: Gather(),
    F_CRUSH: Gather(),
    F_ROLL: CombatRoll(V_ROLLED),
}
