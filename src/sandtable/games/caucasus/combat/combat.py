"""8 Combat: who attacks whom, at what odds, and what becomes of it.

Three kinds of fight pass through here (s.fight.kind): attacks in a combat phase, mobile assaults (13), and
automatic eliminations in the First Movement Phase (8.5b). One fight at a time (8.1d).
"""

from __future__ import annotations

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.odds import column_name, fight_told, rung
from sandtable.mechanics.telling import emit

from ..table import verbs
from ..table.ids import (
    AUTOMATIC,
    COMBAT,
    F_ATTACK,
    F_COMBAT,
    F_COMBAT_ROLL,
    F_CRUSH,
    F_RESULT,
    F_SUPPORT,
    MOBILE,
    NO_SUPPORT,
    PHASES,
    RESULTS,
)
from ..table.state import State, zone
from . import advance, effects, support
from .effects import ELIMINATION, LOSSES, begin
from .lookout import look
from .losses import LOSS_RULES
from .panel import fight_odds
from .strengths import HIGHEST, LOWEST, attack_total, defence_total, reckon, shifts

NEEDED = {COMBAT: LOWEST, MOBILE: LOWEST, AUTOMATIC: HIGHEST + 1}
"""8.4a, 8.5b the lowest column at which a fight is fought at all."""
ENOUGH = {COMBAT: HIGHEST + 1, MOBILE: HIGHEST, AUTOMATIC: HIGHEST + 1}
"""The column at which more shifts bring nothing (8.5, 13.1j)."""


# 8.1 Who may attack whom


def may_attack(s: State) -> int:
    """8.1b, 8.1e the units of the active side that are free to take part in an attack now.

    Not HQs (15.1a), those marked in the movement phase (8.5c), those with a replacement (17.2i); in the Second
    Combat Phase only those with assault markers (7.3f), the Azov Flotilla and the armoured train (15.3b, 15.6c).
    """
    board = s.board
    units = board.of_side[s.active] & ~(s.attacked | s.marked | s.rebuilt | board.hq)
    return units & (s.assault | board.special_movers) if s.second else units


def attackers_near(s: State, target: Hex, free: int) -> int:
    """8.1a, 8.2a of some units, those beside the hex across a hexside that can be crossed (A11), with any strength."""
    here = s.here
    units = 0
    for h in hexes_in(s.ground.around[target] & s.occ[s.active]):
        units |= here[h]
    return with_strength(s, units & free)


def with_strength(s: State, units: int) -> int:
    """Of some units, those that have anything to attack with: no HQs (15.1a), no attack strength of 0."""
    att, step = s.board.att, s.step
    for u in units_of(units):
        if not att[u][step[u]]:
            units ^= 1 << u
    return units & ~s.board.hq


def hexes_beside(s: State) -> Mask:
    """The hexes that the active side's units touch: its ZOC, and the surroundings of those that have none (6.2)."""
    found = zone(s, s.active)
    for h in hexes_in(s.occ[s.active] & ~s.zocs[s.active]):
        found |= s.ground.around[h]
    return found


def targets(s: State, fight: int) -> dict[Hex, int]:
    """8.1 the hexes that could be attacked now at the odds that are needed (8.4a, 8.5b), with all who could join in.

    Never the enemy's own entry hexes (4.1d), nor a hex whose units have all been attacked in this phase (8.1b).
    """
    key = ("targets", fight, s.phase, s.attacked, s.defended, s.marked, s.rebuilt, s.assault, s.air_used, s.fleet_ready)
    found: dict[Hex, int] | None = s.memo.get(key)
    if found is None:
        found = {}
        free = may_attack(s)
        beside = look(s).weak if fight == AUTOMATIC else hexes_beside(s) & s.occ[enemy(s.active)]
        for h in hexes_in(beside & ~s.board.barred[s.active]):
            if s.here[h] & ~s.defended:
                units = attackers_near(s, h, free)
                if units and can_reach(s, fight, h, 0, 0, units):
                    found[h] = units
        s.memo[key] = found
    return found


LEFT_SHIFTS = 2
"""9.5b, 9.6b no attack is shifted further to the left."""


def can_reach(s: State, fight: int, target: Hex, joined: int, shifters: int, pool: int) -> bool:
    """Whether the fight comes to the column it needs if everybody joins who can and the best marker is used.

    More units never make it worse; the Brandenburg unit, while it is free, comes as what is better (15.2a).
    """
    need = NEEDED[fight]
    everybody = joined | pool
    base = rung(attack_total(s, target, everybody & ~shifters), defence_total(s, target, fight))
    if base - LEFT_SHIFTS >= need:
        return True
    column = base + sum([push[0] for push in shifts(s, fight, target, everybody, shifters, NO_SUPPORT)])
    if column >= need:
        return True
    need -= support.best_shift(s, fight, target, everybody)
    if column >= need:
        return True
    free = pool & ~joined & 1 << s.board.brandenburg
    return bool(free) and reckon(s, fight, target, everybody, shifters | free).column >= need


class Combat(Frame[State]):
    """8.1 A combat phase: attacks in any order, until the player has enough. Frame: second.

    A phase in which nobody can attack and no marked unit can advance (8.5e) is passed over.
    """

    def actor(self, s: State, f: F) -> int | None:
        if targets(s, COMBAT) or (s.claims and advance.claim_actions(s)):
            return s.active
        return None

    def run(self, s: State, f: F) -> None:
        s.stack.pop()

    def legal(self, s: State, f: F) -> list[Action]:
        found: list[Action] = [(verbs.ATTACK, h) for h in targets(s, COMBAT)]
        found.append((verbs.END_ATTACKS,))
        if s.claims:
            found += advance.claim_actions(s)
        return found

    def take(self, s: State, f: F, action: Action) -> None:
        if action[0] == verbs.ATTACK:
            begin(s, COMBAT, action[1], 0)
            s.stack.append((F_ATTACK,))
        elif action[0] == verbs.ADVANCE:
            advance.take_claim(s, action)
        else:
            s.stack.pop()

    def prompt(self, s: State, f: F) -> Prompt:
        text = "Only units with assault markers attack" if f[1] else "Attacks are voluntary, in any order"
        rules = ("8.1a", "7.3f") if f[1] else ("8.1a", "8.1d")
        return Prompt("Attack which hex?", text, (*rules, "8.5e") if s.claims else rules, PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] == verbs.ADVANCE:
            return advance.why_no_claim(s, action)
        return why_no_attack(s, action[1]) if action[0] == verbs.ATTACK else None

    def hint(self, s: State, f: F, action: Action) -> Hint | None:
        return advance.way_shown(s, action) if action[0] == verbs.ADVANCE else None

    def odds(self, s: State, f: F, action: Action) -> Odds | None:
        """What everybody together could do, without support if that will do."""
        if action[0] != verbs.ATTACK:
            return None
        h = action[1]
        units = targets(s, COMBAT)[h]
        title = f"Attack {s.board.hex_name(h)} with everybody in reach"
        return fight_odds(s, COMBAT, h, units, marker=likely_marker(s, COMBAT, h, units), title=title)


def why_no_attack(s: State, target: Hex) -> Reason:
    """8.1, 8.4 why a hex cannot be attacked."""
    board, name = s.board, s.board.hex_name(target)
    if not s.occ[enemy(s.active)] >> target & 1:
        return Reason("8.1a", f"there is no enemy in {name}")
    if board.barred[s.active] >> target & 1:
        return Reason("4.1d", f"{name} is an entry hex of the enemy: nobody attacks into it")
    if not s.here[target] & ~s.defended:
        return Reason("8.1b", f"the units in {name} have been attacked in this phase")
    near = attackers_near(s, target, board.of_side[s.active])
    if not near:
        return Reason("8.1a", f"none of your units that could attack stands beside {name}")
    free = near & may_attack(s)
    if not free:
        return why_not_in(s, units_of(near)[0])
    best = reckon(s, COMBAT, target, free).column + support.best_shift(s, COMBAT, target, free)
    return Reason("8.4a", f"the best odds against {name} are {column_name(best)}, and 1:2 is the least allowed")


def why_not_in(s: State, u: int) -> Reason:
    """Why one of the active side's units beside the target takes no part in any attack now."""
    board, name, b = s.board, s.board.unit_names[u], 1 << u
    if board.hq & b:
        return Reason("15.1a", f"{name} is an HQ and cannot attack")
    if not board.att[u][s.step[u]]:
        return Reason("2.2a", f"{name} has no attack strength")
    if s.attacked & b:
        return Reason("8.1b", f"{name} has attacked in this phase")
    if s.marked & b:
        return Reason("8.5c", f"{name} took part in an automatic elimination")
    if s.rebuilt & b:
        return Reason("17.2i", f"{name} got a replacement and cannot attack in this phase")
    return Reason("7.3f", f"{name} has no assault marker")


# 8.2 Who takes part


class Gather(Frame[State]):
    """8.2 Unit by unit, who takes part in an attack on s.fight.target, or in an automatic elimination (8.5b)."""

    def pool(self, s: State) -> int:
        return attackers_near(s, s.fight.target, may_attack(s)) & ~s.fight.attackers

    def joins(self, s: State) -> list[Action]:
        """Everybody else who may join. The Brandenburg unit fights or shifts (15.2a), if the odds can still be had."""
        pool = self.pool(s)
        if (
            s.fight.kind == AUTOMATIC
            and reckon(s, AUTOMATIC, s.fight.target, s.fight.attackers, s.fight.shifters).column > HIGHEST
        ):
            return []  # 8.5c only those who are needed
        special = s.board.brandenburg
        found: list[Action] = []
        for u in units_of(pool):
            if u == special and not can_reach(
                s, s.fight.kind, s.fight.target, s.fight.attackers | 1 << u, s.fight.shifters, pool
            ):
                continue
            found.append((verbs.JOIN, u))
        if pool >> special & 1:
            b = 1 << special
            if can_reach(s, s.fight.kind, s.fight.target, s.fight.attackers | b, b, pool):
                found.append((verbs.SHIFT, special))
        return found

    def enough(self, s: State) -> bool:
        """8.4a, 8.5b whether those who have joined can attack, with the best marker they could have."""
        if not s.fight.attackers & ~s.fight.shifters:
            return False
        need = NEEDED[s.fight.kind] - support.best_shift(s, s.fight.kind, s.fight.target, s.fight.attackers)
        return reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, s.fight.shifters).column >= need

    def actor(self, s: State, f: F) -> int | None:
        pool = self.pool(s)
        if not pool or pool & (pool - 1) or self.enough(s):
            return s.active
        return s.active if len(self.joins(s)) > 1 else None

    def run(self, s: State, f: F) -> None:
        self.take(s, f, self.joins(s)[0])  # there is nobody else, and without it no attack

    def legal(self, s: State, f: F) -> list[Action]:
        found = self.joins(s)
        if self.enough(s):
            found.append((verbs.COMMIT,))
        return found

    def take(self, s: State, f: F, action: Action) -> None:
        if action[0] == verbs.COMMIT:
            s.stack[-1] = (F_SUPPORT,)
            return
        s.fight.attackers |= 1 << action[1]
        if action[0] == verbs.SHIFT:
            s.fight.shifters |= 1 << action[1]

    def prompt(self, s: State, f: F) -> Prompt:
        name = s.board.hex_name(s.fight.target)
        text = "From any adjacent hexes"
        if s.fight.attackers:
            of = reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, s.fight.shifters)
            text = f"{of.attack} against {of.defence}, {column_name(of.column)} with shifts so far"
        if s.fight.kind == AUTOMATIC:
            rules = ("8.5b", "8.5c")
            return Prompt(f"Who takes part against {name}?", f"{text}; 10:1 is needed", rules, PHASES[s.phase])
        return Prompt(f"Who attacks {name}?", text, ("8.2a", "8.2d", "8.4a"), PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] == verbs.COMMIT:
            column = reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, s.fight.shifters).column
            column += support.best_shift(s, s.fight.kind, s.fight.target, s.fight.attackers)
            if s.fight.kind == AUTOMATIC:
                return Reason("8.5b", f"{column_name(column)} at best so far; 10:1 is needed")
            return Reason("8.4a", f"{column_name(column)} at best so far, and 1:2 is the least allowed")
        if action[0] in (verbs.JOIN, verbs.SHIFT):
            return self._why_not_join(s, action[1], action[0] == verbs.SHIFT)
        return None

    def _why_not_join(self, s: State, u: int, for_shift: bool) -> Reason | None:
        board, name = s.board, s.board.unit_names[u]
        if board.side[u] != s.active:
            return Reason("8.1a", f"{name} is not yours")
        if s.fight.attackers >> u & 1:
            return Reason("8.2b", f"{name} takes part already")
        if for_shift and u != board.brandenburg:
            return Reason("15.2a", "only the Brandenburg unit can be used for a shift")
        if s.at[u] < 0 or not s.ground.around[s.fight.target] >> s.at[u] & 1:
            return Reason("8.1a", f"{name} is not beside {board.hex_name(s.fight.target)}")
        if not self.pool(s) >> u & 1:
            return why_not_in(s, u)
        if s.fight.kind == AUTOMATIC:
            return Reason("8.5c", f"{name} is not needed for 10:1")
        return Reason("8.4a", f"with {name} used like that the attack could not come to 1:2")

    def odds(self, s: State, f: F, action: Action) -> Odds | None:
        attackers, shifters = s.fight.attackers, s.fight.shifters
        if action[0] != verbs.COMMIT:
            attackers |= 1 << action[1]
            shifters |= 1 << action[1] if action[0] == verbs.SHIFT else 0
        marker = likely_marker(s, s.fight.kind, s.fight.target, attackers, shifters)
        return fight_odds(s, s.fight.kind, s.fight.target, attackers, shifters, marker)


def likely_marker(s: State, fight: int, target: Hex, attackers: int, shifters: int = 0) -> int:
    """The marker to show before one is chosen: none, unless the fight cannot be had without."""
    if reckon(s, fight, target, attackers, shifters).column >= NEEDED[fight]:
        return NO_SUPPORT
    shift = s.board.air_shift
    return max(support.for_attack(s, fight, target, attackers), key=lambda m: shift[m], default=NO_SUPPORT)


# 8.3 Procedure


class Support(Frame[State]):
    """8.3b, A23 One support marker for the attack, or none. Passed over if there is nothing to choose.

    In a mobile assault the Brandenburg unit may still be used for its shift (15.2a).
    """

    def choices(self, s: State) -> list[Action]:
        column = reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, s.fight.shifters).column
        if column >= ENOUGH[s.fight.kind]:
            return [(verbs.SUPPORT, NO_SUPPORT)]
        need, shift = NEEDED[s.fight.kind], s.board.air_shift
        found: list[Action] = []
        markers = support.for_attack(s, s.fight.kind, s.fight.target, s.fight.attackers)
        b = 1 << s.board.brandenburg & s.fight.attackers & ~s.fight.shifters
        if s.fight.kind == MOBILE and b and s.fight.attackers != b:
            shifted = reckon(s, MOBILE, s.fight.target, s.fight.attackers, b).column
            if shifted + max([shift[m] for m in markers], default=0) >= need:
                found.append((verbs.SHIFT, s.board.brandenburg))
        found += [(verbs.SUPPORT, m) for m in markers if column + shift[m] >= need]
        if column >= need:
            found.append((verbs.SUPPORT, NO_SUPPORT))
        return found

    def actor(self, s: State, f: F) -> int | None:
        return s.active if len(self.choices(s)) > 1 else None

    def run(self, s: State, f: F) -> None:
        self.take(s, f, self.choices(s)[0])

    def legal(self, s: State, f: F) -> list[Action]:
        return self.choices(s)

    def take(self, s: State, f: F, action: Action) -> None:
        if action[0] == verbs.SHIFT:
            s.fight.shifters |= 1 << action[1]
            return
        s.fight.support = action[1]
        support.use(s, s.fight.support, s.active, "8.3b")
        join_battle(s)

    def prompt(self, s: State, f: F) -> Prompt:
        column = column_name(reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, s.fight.shifters).column)
        text = f"{column} against {s.board.hex_name(s.fight.target)} without"
        return Prompt("Support for the attack?", text, ("8.3b", "16.12a"), PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != verbs.SUPPORT:
            return None
        hexes = support.places_of(s, s.fight.attackers)
        reason = support.why_no_marker(s, s.fight.kind, s.active, action[1], hexes, s.fight.target)
        if reason is None:
            rule, least = ("8.5b", "10:1") if s.fight.kind == AUTOMATIC else ("8.4a", "1:2")
            return Reason(rule, f"the odds would stay below {least}")
        return reason

    def odds(self, s: State, f: F, action: Action) -> Odds | None:
        if action[0] == verbs.SHIFT:
            shifters = s.fight.shifters | 1 << action[1]
            marker = likely_marker(s, s.fight.kind, s.fight.target, s.fight.attackers, shifters)
            return fight_odds(s, s.fight.kind, s.fight.target, s.fight.attackers, shifters, marker)
        return fight_odds(
            s, s.fight.kind, s.fight.target, s.fight.attackers, s.fight.shifters, action[1], choosing=True
        )


def join_battle(s: State) -> None:
    """8.3c the shifts are applied; the die is next, or automatic elimination (8.4b)."""
    of = reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, s.fight.shifters, s.fight.support)
    s.fight.odds_att, s.fight.odds_def, s.fight.base_column = of.attack, of.defence, of.base
    s.fight.column = min(of.column, HIGHEST if s.fight.kind == MOBILE else HIGHEST + 1)  # 13.1j
    if s.fight.kind == COMBAT:  # 8.1b
        s.attacked |= s.fight.attackers
        s.defended |= s.fight.defenders
    read = of.column if s.fight.kind != MOBILE else s.fight.column
    data = {**fight_told(s.fight, s.fight.kind, s.active, of, read), "support": s.fight.support}
    emit(s, "combat", {COMBAT: "8.3c", MOBILE: "13.1e", AUTOMATIC: "8.5b"}[s.fight.kind], data)
    s.stack[-1] = (F_RESULT, ELIMINATION) if s.fight.column > HIGHEST else (F_COMBAT_ROLL,)


class CombatRoll(OneDie[State]):
    """8.3c The die on the combat results table."""

    def take(self, s: State, f: F, action: Action) -> None:
        code = s.board.crt[s.fight.column][action[1] - 1]
        s.fight.result = RESULTS.index(code)
        data = {
            "hex": s.fight.target,
            "side": s.active,
            "die": action[1],
            "column": column_name(s.fight.column),
            "result": code,
        }
        emit(s, "combat_result", LOSS_RULES[s.fight.result], data, final=True)
        s.stack[-1] = (F_RESULT, LOSSES)

    def prompt(self, s: State, f: F) -> Prompt:
        name = s.board.hex_name(s.fight.target)
        kind = "Mobile assault on" if s.fight.kind == MOBILE else "Attack on"
        text = f"{s.fight.odds_att} to {s.fight.odds_def}, {column_name(s.fight.column)} after shifts"
        return Prompt(f"{kind} {name} at {column_name(s.fight.column)}", text, ("8.3c", "8.4c"), PHASES[s.phase])


# 8.5b Automatic elimination in the First Movement Phase


def crush_actions(s: State) -> list[Action]:
    """8.5b the hexes that units beside them could clear at 10:1; First Movement Phase only."""
    if s.second or not look(s).weak:
        return []
    return [(verbs.CRUSH, h) for h in targets(s, AUTOMATIC)]


def begin_crush(s: State, target: Hex) -> None:
    begin(s, AUTOMATIC, target, 0)
    s.stack.append((F_CRUSH,))


def why_no_crush(s: State, target: Hex) -> Reason:
    """8.5b why a hex cannot be cleared by automatic elimination now."""
    board, name = s.board, s.board.hex_name(target)
    if s.second:
        return Reason("8.5b", "automatic elimination in movement is for the First Movement Phase only")
    if not s.occ[enemy(s.active)] >> target & 1:
        return Reason("8.5b", f"there is no enemy in {name}")
    if board.barred[s.active] >> target & 1:
        return Reason("4.1d", f"{name} is an entry hex of the enemy: nobody attacks into it")
    near = attackers_near(s, target, may_attack(s))
    if not near:
        return Reason("8.5b", f"none of your units that could attack stands beside {name}")
    best = reckon(s, AUTOMATIC, target, near).column + support.best_shift(s, AUTOMATIC, target, near)
    return Reason("8.5b", f"the units beside {name} come to {column_name(best)} at best; 10:1 is needed")


def crush_odds(s: State, target: Hex) -> Odds:
    """The calculation with everybody beside the hex and the best marker, if it is needed."""
    units = targets(s, AUTOMATIC)[target]
    marker = likely_marker(s, AUTOMATIC, target, units)
    return fight_odds(s, AUTOMATIC, target, units, 0, marker, f"Clear {s.board.hex_name(target)} at 10:1")


# 13 What mobile assaults need


def can_storm(s: State, target: Hex, units: int) -> bool:
    """8.4a, 13.1h whether a stack beside a hex can come to 1:2 against it."""
    if not s.occ[enemy(s.active)] >> target & 1 or s.board.barred[s.active] >> target & 1:
        return False
    units = with_strength(s, units)
    return bool(units) and can_reach(s, MOBILE, target, 0, 0, units)


def storm_odds(s: State, target: Hex, units: int) -> Odds:
    """The calculation of a mobile assault by a stack, without support if that will do."""
    units = with_strength(s, units)
    marker = likely_marker(s, MOBILE, target, units)
    return fight_odds(s, MOBILE, target, units, 0, marker, f"Mobile assault on {s.board.hex_name(target)}")


def begin_fight(s: State, fight: int, target: Hex, attackers: int) -> None:
    """Start a fight whose attackers are known: a mobile assault. Who has no attack strength takes no part."""
    begin(s, fight, target, with_strength(s, attackers))
    s.stack.append((F_SUPPORT,))


FRAMES: dict[int, Frame[State]] = {
    F_COMBAT: Combat(),
    F_ATTACK: Gather(),
    F_CRUSH: Gather(),
    F_SUPPORT: Support(),
    F_COMBAT_ROLL: CombatRoll(verbs.ROLLED),
    **effects.FRAMES,
}
