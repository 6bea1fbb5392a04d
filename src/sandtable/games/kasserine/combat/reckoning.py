"""8.5, 8.6 Odds, column shifts and die-roll modifiers of a combat or an overrun, item by item."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.masks import enemy, units_of

from ..table.charts import HOPELESS, CombatTable, Result
from ..table.ids import ALLIED, AXIS
from ..table.ratings import Drm, attack_rating, rating
from ..table.script import NO_RETREAT_ALWAYS
from ..table.state import State
from .fight import FULL_SUPPORT, Fight, defenders
from .strengths import Strength, fight_attack, fight_defense


class Reckoning(NamedTuple):
    """A fight worked out: the strengths, the column before and after shifts, and the modifier of the die."""

    attack: Strength
    defense: Strength
    base: int  # HOPELESS: 8.52a all attackers are eliminated
    shifts: tuple[Drm, ...]
    column: int
    drms: tuple[Drm, ...]
    drm: int  # 8.62 limited


def table(s: State, fight: Fight) -> CombatTable:
    """8.32 the CRT in use."""
    return s.board.charts.crts[fight.crt]


def reckon(s: State, fight: Fight) -> Reckoning:
    """8.51-8.62"""
    crt = table(s, fight)
    attack, defense = fight_attack(s, fight), fight_defense(s, fight)
    base = crt.column(attack.value, defense.value)
    pushes = tuple(shifts(s, fight))
    column = base if base == HOPELESS else crt.shifted(base, sum(push.value for push in pushes))
    drms = tuple(modifiers(s, fight))
    most: int = s.board.charts.constants["drm_limit"]
    drm = max(-most, min(most, sum(item.value for item in drms)))
    return Reckoning(attack, defense, base, pushes, column, drms, drm)


def combined_arms(s: State, fight: Fight) -> bool:
    """8.54 armor with infantry that keeps up, against a hex without armor, AT or heavy AA (9.42)."""
    board = s.board
    there = s.here.get(fight.target, 0)
    return bool(fight.attackers & board.arms_i and fight.attackers & board.arms_ii and not there & board.anti_tank)


def shifts(s: State, fight: Fight) -> list[Drm]:
    """8.53 columns to the right, or to the left if negative."""
    found = []
    if combined_arms(s, fight):
        found.append(Drm(1, "8.54", "combined arms"))
    if fight.rommel:
        found.append(Drm(1, "12.42a" if fight.overrun else "8.55a", "Rommel"))
    if fight.harmon:
        found.append(Drm(-1, "8.55b", "Harmon"))
    if fight.ground_failed:
        found.append(Drm(-2, "8.56", "ground coordination failed"))
    return found


def leader_near(s: State, u: int, fight: Fight, inside: bool) -> bool:
    """8.55, A40 whether a leader is adjacent to the defending hex (or in it)."""
    h = s.at[u]
    if h < 0:
        return False
    away = s.board.grid.distance(h, fight.target)
    return away == 1 or (inside and away == 0)


def hexside_drm(s: State, fight: Fight) -> list[Drm]:
    """8.22c a hexside counts only if every attacker crosses one of its kind."""
    board, target = s.board, fight.target
    terrain = board.terrain
    found = []
    origins = {s.at[u] for u in units_of(fight.attackers)}
    for sides, value, text in (
        (terrain.escarpments, board.escarpment_drm, term("across an escarpment")),
        (terrain.wadis, board.wadi_drm, term("across a wadi")),
    ):
        if origins and all(sides[board.grid.direction(h, target)] >> h & 1 for h in origins):
            found.append(Drm(value, "8.22c", text))
    return found[:1]


def modifiers(s: State, fight: Fight) -> list[Drm]:
    """8.61 the die-roll modifiers; higher is better for the defender. Overruns know three of them (6.67b, A23)."""
    board, side, other = s.board, fight.side, enemy(fight.side)
    found = []
    terrain = board.terrain_drm[fight.target]
    if terrain:
        found.append(Drm(terrain, "8.22a", "terrain"))
    found += hexside_drm(s, fight)
    if not fight.overrun:
        found += _works(s, fight)
        nations = {board.nation[u] for u in units_of(fight.attackers & board.ground)}
        if side == ALLIED and len(nations) > 1 and not harmon_unites(s, fight):
            found.append(Drm(1, "13.32", "mixed nationalities"))
    ours = attack_rating(s, fight.lead[side], fight.target)
    theirs = rating(s, fight.lead[other])
    if ours != theirs:
        found.append(Drm(theirs - ours, "8.61f", Text("ER {theirs} against {ours}", theirs=theirs, ours=ours)))
    for who, sign in ((side, -1), (other, 1)):
        if fight.air[who] == FULL_SUPPORT:
            value = sum(board.cas[u] for u in units_of(fight.planes[who]))
            if value:
                found.append(Drm(sign * value, "10.44c", "close air support"))
    return found


def _works(s: State, fight: Fight) -> list[Drm]:
    """8.22b, 8.61d, 8.61e, 8.61h works and a No Retreat marker count besides the terrain."""
    found = []
    if s.strongpoints[enemy(fight.side)] >> fight.target & 1:
        found.append(Drm(1, "11.13b", "strongpoint"))
    if fight.mine > 0:
        found.append(Drm(fight.mine, "8.61d", "minefield"))
    if fight.no_retreat:
        found.append(Drm(1, "7.43", "No Retreat"))
    return found


def harmon_unites(s: State, fight: Fight) -> bool:
    """12.43aa, A72 Harmon near the hex attacked, or with an attacker, cancels the penalty for mixed nationalities."""
    harmon = s.board.harmon
    if leader_near(s, harmon, fight, inside=True):
        return True
    return s.at[harmon] >= 0 and any(s.at[u] == s.at[harmon] for u in units_of(fight.attackers))


def mobile_allowed(s: State, fight: Fight) -> str:
    """8.32 "" if the Mobile CRT may be chosen, else the rule that forces the Assault CRT."""
    board, target, other = s.board, fight.target, enemy(fight.side)
    if s.ground.column:
        return "8.32a"
    if (board.assault_forced | s.strongpoints[other] | s.mines[other]) >> target & 1:
        return "8.32a"
    origins = {s.at[u] for u in units_of(fight.attackers)}
    escarpments = board.terrain.escarpments
    if all(escarpments[board.grid.direction(h, target)] >> h & 1 for h in origins):  # A32
        return "8.32a"
    return "" if fight.attackers & board.armor else "8.32b"


def armor_at_risk(s: State, fight: Fight) -> bool:
    """8.72a, A4 attacking armor against red defense strengths, Tigers or a live minefield: shaded cells cost a step."""
    board = s.board
    if not fight.attackers & board.armor:
        return False
    if defenders(s, fight) & (board.red_defense | board.tigers):
        return True
    return not fight.overrun and fight.mine > 0


def stands(s: State, fight: Fight, result: Result) -> bool:
    """8.76, 8.87, A45 whether a result costs those who hold by No Retreat a step more: instead of a retreat, or by
    agreement always."""
    asked = result.defender_retreats or s.flags & NO_RETREAT_ALWAYS
    return bool(fight.no_retreat and asked and not result.defender_eliminated)


assert AXIS == 0
