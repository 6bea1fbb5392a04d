"""9 Combat modifiers: what units are worth in a fight, and what shifts its column.

A fight is read on rungs (fights/odds.py): 1:3 is rung -1, 1:1 rung 1, 7:1 rung 7, and 10:1 rung 10. Fortifications
as such (9.5.3 to 9.5.7) stand in forts.py; here is what they do in a fight.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from sandtable.engine.contract import Term
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.fights.odds import Push, halved, rung
from sandtable.mechanics.masks import enemy, units_of

from ..table.board import Board
from ..table.ids import BREAKTHROUGH, COMBAT, ELITE, LOW, REMNANT
from ..table.stacking import limit, points
from ..table.state import State
from .results import AUTO


class Chart:
    """The terrain effects chart as combat reads it; it never changes."""

    def __init__(self, board: Board) -> None:
        size = board.size
        self.no_tank_shift: Mask = board.having(lambda row: not row["tank_shift_allowed"])  # 9.2.2a, 9.6a, 9.6b
        self.doubling: Mask = board.having(lambda row: row["double_non_vehicle_defence"])  # 9.6a
        self.left: dict[Hex, int] = {  # 9.6b columns to the left
            h: row["defender_shift_left"]
            for row in board.pack.tables["tec"]["hex"]
            if row["defender_shift_left"]
            for h in hexes_of(board.pack.terrain[row["terrain"]])
        }
        mech_by_road = board.having(lambda row: row["mech_by_road_only"])
        # By target, the hexes out of which an attack goes up or down a slope (9.6c, 9.6d), over an escarpment, or
        # into the perimeter of Tobruk (9.6g: the ditch works inward only)
        self.up: list[Mask] = [0] * size
        self.down: list[Mask] = [0] * size
        self.escarpment: list[Mask] = [0] * size
        self.perimeter: list[Mask] = [0] * size
        # 8.1g, 9.6e, 9.6f by target, the hexes out of which a kind of unit may attack at all
        self.from_foot: list[Mask] = list(board.around)
        self.from_mech: list[Mask] = list(board.around)
        self.from_vehicle: list[Mask] = list(board.around)
        for h in board.grid.hexes:
            for d, n in board.steps[h]:
                b = 1 << h
                rises = (board.up_escarpment[d] | board.up_ridge[d]) & b
                if rises:
                    self.up[n] |= b
                elif (board.escarpments[d] | board.ridges[d]) & b:
                    self.down[n] |= b
                if board.escarpments[d] & b:
                    self.escarpment[n] |= b
                if board.into_perimeter[d] & b:
                    self.perimeter[n] |= b
                if board.roads[d] & b:
                    continue
                if mech_by_road >> n & 1:
                    self.from_mech[n] &= ~b
                    self.from_vehicle[n] &= ~b
                if board.escarpments[d] & b:
                    self.from_vehicle[n] &= ~b
        remnants = {  # a remnant has a quality of its own, unless it takes its parent's
            mark.partition(":")[2]: row["tq"]
            for row in board.pack.units.values()
            for mark in row.parts("marks")
            if mark.startswith("remnant:")
        }
        names = ("low", "normal", "elite")
        self.quality: list[tuple[int, ...]] = [
            (tq, tq, tq if (own := remnants.get(board.remnant[u], "parent")) == "parent" else names.index(own))
            for u, tq in enumerate(board.tq)
        ]


def chart(board: Board) -> Chart:
    """The chart, made once."""
    found: Chart | None = board.kept.get("combat chart")
    if found is None:
        found = board.kept["combat chart"] = Chart(board)
    return found


def quality(s: State, u: int) -> int:
    """2.3.2d troop quality as the counter on the map shows it: LOW, NORMAL_TQ or ELITE."""
    return chart(s.board).quality[u][s.step[u]]


def is_elite(s: State, u: int) -> bool:
    return quality(s, u) == ELITE


def is_low(s: State, u: int) -> bool:
    return quality(s, u) == LOW


# 9.1 Halving and doubling


def modified(value: int, half: bool, double: bool) -> int:
    """9.1 each unit by itself, halved once at most and doubled once at most; both together are its printed strength."""
    if half == double:
        return value
    return halved(value) if half else value * 2


class Armour(NamedTuple):
    """9.2 what the tanks of both sides do to a fight."""

    push: Push | None
    halved: int  # 9.2.3d attacking tank units that are out-tanked


def attack_total(s: State, target: Hex, attackers: int, out_tanked: int) -> int:
    """8.3a the strength of everybody who attacks, before the limits of 8.5.1e and 8.8.1."""
    board, step, at = s.board, s.step, s.at
    of = chart(board)
    up, down = of.up[target], of.down[target]
    ditch = board.grid.all if fortified(s, target) else of.perimeter[target]  # 9.1d
    vehicles, att = board.vehicles, board.att
    weak = s.oos | out_tanked  # 9.1f, 9.1g
    total = 0
    for u in units_of(attackers):
        value, h = att[u][step[u]], at[u]
        half = weak >> u & 1 or up >> h & 1 or (ditch >> h & 1 and vehicles >> u & 1)
        if down >> h & 1:  # 9.6c, 9.6d, A13
            total += value if half else value * 2
        else:
            total += (value + 1) >> 1 if half else value
    return total


def fortified(s: State, target: Hex) -> bool:
    """9.5.1 whether the defender of a hex has a fortification there; an unfinished one is none (9.5.4b)."""
    return bool(s.forts[enemy(s.active)] >> target & 1)


UP_ESCARPMENT, UP_RIDGE = term("up an escarpment"), term("up a ridge")


def attack_term(s: State, u: int, target: Hex, out_tanked: int) -> Term:
    """One attacker as a line of a calculation, with every rule that changed its strength."""
    board, of, h, b = s.board, chart(s.board), s.at[u], 1 << u
    value = board.att[u][s.step[u]]
    vehicle = bool(board.vehicles & b)
    steep = bool(of.escarpment[target] >> h & 1)
    slope_rule = "9.6d" if steep else "9.6c"
    halves = [
        (vehicle and bool(of.perimeter[target] >> h & 1), "9.6g", term("vehicles across the Tobruk perimeter")),
        (vehicle and fortified(s, target), "9.5.1d", term("vehicles into a fortification")),
        (bool(of.up[target] >> h & 1), slope_rule, UP_ESCARPMENT if steep else UP_RIDGE),
        (bool(out_tanked & b), "9.2.3d", term("the defender has better tanks")),
        (bool(s.oos & b), "9.1g", term("out of supply")),
    ]
    half = [(rule, why) for so, rule, why in halves if so]
    double = bool(of.down[target] >> h & 1)
    words: list[Fact] = [Text("{unit}: {value}", unit=board.unit_names[u], value=value)]
    rule = "2.3.2a"
    if half:
        rule = half[0][0]
        words += [Text("halved: {why} ({rule})", why=why, rule=number) for number, why in half]
        if len(half) > 1:
            words.append(term("once only (9.1a)"))
    if double:
        rule = slope_rule if not half else "9.1c"
        words.append(
            Text("doubled: down an escarpment ({rule})", rule=slope_rule)
            if steep
            else Text("doubled: down a ridge ({rule})", rule=slope_rule)
        )
        if half:
            words.append(term("both: as printed (9.1c)"))
    return Term(str(modified(value, bool(half), double)), rule, Text("{parts}", parts=words))


# 8.1e, 8.6 Who defends, and with what


def defending(s: State, target: Hex) -> int:
    """8.1e all enemy combat units in the hex."""
    return s.here.get(target, 0) & s.board.of_side[enemy(s.active)] & s.board.combat


def fighting(s: State, target: Hex, fight: int) -> int:
    """The defenders whose strength (and tank value) counts.

    None in Full Retreat (13.3.2f); none that retreated onto friends in this Combat Phase (12.3a), but against
    breakthrough combat (15.3a), where those beyond the stacking limit add nothing (15.3b). A parenthesised strength
    counts only if there is no other (8.6a), and only one of several (8.6b).
    """
    board = s.board
    units = defending(s, target) & ~s.routed
    if fight == COMBAT:
        units &= ~s.sheltered
    elif fight == BREAKTHROUGH:
        units = within_limit(s, target, units & ~s.crowd)
    others = units & ~board.parenthesised
    if others or not units:
        return others
    return 1 << max(units_of(units), key=lambda u: (defence_value(s, u, target), -u))


def within_limit(s: State, target: Hex, units: int) -> int:
    """15.3b of too many defenders the strongest that may stack: as long as their owner has not chosen (s.crowd)."""
    most = limit(s)
    if points(s, units) <= most:
        return units
    everybody = units_of(units)
    best, found = -1, 0
    for count in range(len(everybody), 0, -1):
        for some in combinations(everybody, count):
            chosen = sum(1 << u for u in some)
            worth = sum(defence_value(s, u, target) for u in some)
            if worth > best and points(s, chosen) <= most:
                best, found = worth, chosen
    return found


def defence_value(s: State, u: int, target: Hex) -> int:
    """9.1h, 9.5.1a, 9.6a one defender: halved if Disrupted or under a transport marker, doubled behind walls."""
    board = s.board
    half = bool((s.disrupted | s.shipped) >> u & 1)
    double = not board.vehicles >> u & 1 and (bool(chart(board).doubling >> target & 1) or fortified(s, target))
    return modified(board.dfn[u][s.step[u]], half, double)


def defence_total(s: State, target: Hex, units: int) -> int:
    """8.1e the strength of those who count, before the limit of 8.8.2."""
    board, step = s.board, s.step
    dfn, weak, vehicles = board.dfn, s.disrupted | s.shipped, board.vehicles
    walls = bool(chart(board).doubling >> target & 1) or fortified(s, target)
    total = 0
    for u in units_of(units):
        value = dfn[u][step[u]]
        half, double = weak >> u & 1, walls and not vehicles >> u & 1
        if half != double:  # 9.1c
            value = (value + 1) >> 1 if half else value * 2
        total += value
    return total


def defence_term(s: State, u: int, target: Hex, counting: int, fight: int) -> Term:
    """One defender as a line of a calculation."""
    board, b = s.board, 1 << u
    value, name = board.dfn[u][s.step[u]], board.unit_names[u]
    if s.routed & b:
        return Term("0", "13.3.2f", Text("{unit}: in Full Retreat", unit=name))
    if not counting & b:
        if fight == COMBAT and s.sheltered & b:
            return Term("0", "12.3a", Text("{unit}: retreated into this hex in this phase", unit=name))
        if board.parenthesised & b:
            return Term("0", "8.6a", Text("{unit}: ({value}) counts only when alone", unit=name, value=value))
        return Term("0", "15.3b", Text("{unit}: beyond the stacking limit", unit=name))
    rule = "2.3.2b"
    words: list[Fact] = [Text("{unit}: {value}", unit=name, value=value)]
    if s.disrupted & b:
        words.append(term("halved: Disrupted (13.2.1b)"))
        rule = "13.2.1b"
    if s.shipped & b:
        words.append(term("halved: under a transport marker (9.1h)"))
        rule = "9.1h"
    if not board.vehicles & b and chart(board).doubling >> target & 1:
        words.append(term("doubled: in a city (9.6a)"))
        rule = "9.6a"
    if not board.vehicles & b and fortified(s, target):
        words.append(term("doubled: in a fortification (9.5.1a)"))
        rule = "9.5.1a"
    return Term(str(defence_value(s, u, target)), rule, Text("{parts}", parts=words))


# 9.2 Tank shifts


def armour(s: State, target: Hex, attackers: int, defenders: int) -> Armour:
    """9.2 the highest tank values compared: a shift, or the attacking tanks halved."""
    board, of = s.board, chart(s.board)
    value = board.tank_value
    ours = attackers & board.tanks
    met = defenders & (board.tanks | board.flak)
    barred = of.no_tank_shift >> target & 1 or fortified(s, target)  # 9.2.2a, 9.5.1c
    if not ours:
        # 9.2.3e, A11, A12: tanks against none; an attacking 88mm denies it as well (18.2a)
        if met & board.tanks and not barred and not attackers & board.flak:
            return Armour(Push(-1, "9.2.3e", "tanks against none"), 0)
        return Armour(None, 0)
    theirs = max([value[u] for u in units_of(met)], default=0)
    best = max([value[u] for u in units_of(ours)])
    if best < theirs:
        return Armour(None, out_tanked(s, ours, attackers))
    if barred or best == theirs:
        return Armour(None, 0)
    across = of.escarpment[target] | of.perimeter[target]
    if across:  # 9.2.2b
        best = max([value[u] for u in units_of(ours) if not across >> s.at[u] & 1], default=-1)
    gain = min(best - theirs, int(board.general["max_tank_shift"]))
    if gain <= 0:
        return Armour(None, 0)
    return Armour(Push(gain, "9.2.3b", Text("tank value {best} against {theirs}", best=best, theirs=theirs)), 0)


def out_tanked(s: State, tanks: int, attackers: int) -> int:
    """9.1f, 9.2.3d the tanks that are halved: all but those in a hex with an attacking 88mm (9.2.4b)."""
    guns = attackers & s.board.flak
    if not guns:
        return tanks
    covered = {s.at[u] for u in units_of(guns)}
    return sum(1 << u for u in units_of(tanks) if s.at[u] not in covered)


# 9.3 Elite combined arms, 9.6b terrain


def combined_arms(s: State, attackers: int) -> Push | None:
    """9.3a an elite tank unit and an elite infantry-type unit attack together; 9.3c with or without attack supply."""
    board = s.board
    elite = attackers & board.elite
    if not elite & board.tanks:
        return None
    troops = elite & board.infantry_types
    if troops and any(s.step[u] != REMNANT or is_elite(s, u) for u in units_of(troops)):
        return Push(1, "9.3a", "elite combined arms")
    return None


def terrain_shift(s: State, target: Hex) -> Push | None:
    """9.6b a jebel hex."""
    left = chart(s.board).left.get(target, 0)
    return Push(-left, "9.6b", "jebel") if left else None


# 8.3, 8.8 The odds of a fight


class Help(NamedTuple):
    """9.4.1d, 18.7.4a the shifts that both sides have bought for a fight: 0 or 1 each."""

    guns_att: int = 0
    air_att: int = 0
    guns_def: int = 0
    air_def: int = 0


NO_HELP = Help()


class Reckoning(NamedTuple):
    """Strengths and columns of one fight. `column` may lie beyond the table (8.8.4a)."""

    brought: int  # attack strength before the limit
    attack: int  # what of it counts
    held: int  # defence strength before the limit
    defence: int
    base: int
    column: int
    pushes: tuple[Push, ...]
    out_tanked: int

    @property
    def tank_shift(self) -> int:
        """8.5.1a the shift that only attack supply gives."""
        return max([push.value for push in self.pushes if push.rule == "9.2.3b"], default=0)


def reckon(
    s: State, fight: int, target: Hex, attackers: int, supplied: bool = True, help_: Help = NO_HELP
) -> Reckoning:
    """8.3 the odds of an attack; the net effect of all shifts comes before any limit (8.8.4b).

    Without attack supply at most 9 attack strength counts (8.5.1e) and the attacker's tank shifts are ignored, while
    his tanks still deny the defender his (8.5.1f).
    """
    general = s.board.general
    defenders = fighting(s, target, fight)
    tanks = armour(s, target, attackers, defenders)
    brought = attack_total(s, target, attackers, tanks.halved)
    attack = min(brought, general["max_attack"] if supplied else general["max_attack_without_supply"])
    held = defence_total(s, target, defenders)
    defence = min(held, general["max_defence"])
    base = rung(attack, defence)
    pushes: list[Push] = []
    if tanks.push and (supplied or tanks.push.value < 0):
        pushes.append(tanks.push)
    for push in (combined_arms(s, attackers), terrain_shift(s, target)):
        if push:
            pushes.append(push)
    if help_ is not NO_HELP:
        pushes += help_pushes(help_)
    return Reckoning(
        brought, attack, held, defence, base, base + sum([push[0] for push in pushes]), tuple(pushes), tanks.halved
    )


def outcome(s: State, fight: int, target: Hex, attackers: int, supplied: bool, help_: Help = NO_HELP) -> Reckoning:
    """8.5.3a, A8, A9 the odds at which an attack is fought: at 10:1 after all shifts nobody asks for attack supply."""
    best = reckon(s, fight, target, attackers, True, help_)
    if supplied or best.column >= AUTO:
        return best
    return reckon(s, fight, target, attackers, False, help_)


def help_pushes(help_: Help) -> list[Push]:
    """9.4.1d, 18.7.4a one column each; both sides' artillery cancels out in the sum."""
    shifts = (
        (help_.guns_att, Push(1, "9.4.1d", "artillery support")),
        (help_.air_att, Push(1, "18.7.4a", "air support")),
        (help_.guns_def, Push(-1, "9.4.1d", "the defender's artillery support")),
        (help_.air_def, Push(-1, "18.7.4a", "the defender's air support")),
    )
    return [push for used, push in shifts if used]
