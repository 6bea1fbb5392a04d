"""8.4 Coordination checks: whose ER, and every modifier of the roll."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.mechanics.bars import Bar, Bars, Need, all_if
from sandtable.mechanics.masks import enemy, units_of

from ..table.ids import AIR_CHECK, ALLIED, ARTILLERY_CHECK, CHECKS, GROUND_CHECK, SIDES, WEATHERS
from ..table.ratings import Drm, attack_rating, attack_rating_terms, rating, rating_terms
from ..table.script import script
from ..table.state import State
from .fight import Fight

_LINES = {
    "weather_cloudy": "cloudy",
    "weather_rain_allied": "rain",
    "weather_rain_axis": "rain",
}


def weather_terms(s: State, side: int, check: int) -> list[Drm]:
    """3.72b, 3.73e, A6 what the weather adds; and to Allied aircraft in the first days."""
    found = []
    for row in s.board.charts.coordination:
        if row.id in _LINES:
            if WEATHERS[s.weather] in row.when["weather"] and row.when.get("side", SIDES[side]) == SIDES[side]:
                found.append(Drm(row.drm[check], row.rule, _LINES[row.id]))
        elif row.id == "early_allied_air" and side == ALLIED and s.turn in script(s).early_air:
            found.append(Drm(row.drm[check], row.rule, "the first days of Allied air support"))
    return [term for term in found if term.value]


def fire_net(s: State, u: int, target: Hex) -> int:
    """12.31-12.33 the Fire Net HQ that helps this lead artillery, -1 for none."""
    board = s.board
    if u < 0 or (s.emergency | s.oos) >> u & 1:  # 12.32a
        return -1
    reach = board.charts.constants["command_range"]
    for hq in units_of(s.fire_net & ~s.disrupted & board.of_formation[board.formation[u]]):  # 12.32b, 12.33
        if s.at[hq] >= 0 and board.grid.distance(s.at[hq], target) <= reach:
            return hq
    return -1


def check_terms(s: State, fight: Fight, side: int, check: int) -> list[Drm]:
    """8.41c the modifiers of one coordination roll of a combat, Command Points included."""
    board, rows = s.board, s.board.charts.row
    found = weather_terms(s, side, check)
    if check == ARTILLERY_CHECK:
        gun = fight.lead_gun[side]
        if fire_net(s, gun, fight.target) >= 0:
            row = rows["fire_net"]
            found.append(Drm(row.drm[check], row.rule, "Fire Net"))
        if board.nation[gun] != board.nation[fight.lead[side]]:
            row = rows["foreign_artillery"]
            found.append(Drm(row.drm[check], row.rule, "lead artillery of another nation than the lead unit"))
    elif check == GROUND_CHECK:
        if s.untried >> fight.target & 1 and s.mines[enemy(fight.side)] >> fight.target & 1:
            row = rows["untried_minefield"]
            found.append(Drm(row.drm[check], row.rule, "Untried minefield"))
        formations = {board.formation[u] for u in units_of(fight.attackers & ~board.army)}
        if len(formations) > 1:
            row = rows["mixed_formations"]
            found.append(Drm(row.drm[check], row.rule, "attackers of several formations"))
    if fight.on[side] == check and fight.points[side]:
        found.append(Drm(-fight.points[side], command_rule(fight, side), "Command Points"))
    return found


def command_rule(fight: Fight, side: int) -> str:
    """By which rule a side spends Command Points in a combat."""
    return "12.23b" if side == fight.side else "12.23c"


def check_rating(s: State, fight: Fight, side: int, check: int) -> int:
    """8.41a, 8.42a, 8.43b the ER that the roll is compared with."""
    if check == ARTILLERY_CHECK:
        return rating(s, fight.lead_gun[side])
    if check == AIR_CHECK:
        return rating(s, fight.lead_plane[side])
    return attack_rating(s, fight.lead[side], fight.target)


def rating_made(s: State, fight: Fight, side: int, check: int) -> list[Drm]:
    """What that ER is made of."""
    if check in (ARTILLERY_CHECK, AIR_CHECK):
        return rating_terms(s, (fight.lead_gun if check == ARTILLERY_CHECK else fight.lead_plane)[side])
    return attack_rating_terms(s, fight.lead[side], fight.target)


def of_formation(s: State, u: int) -> int:
    """12.13c the units of a unit's formation, itself among them; army units have none (12.13b)."""
    return 0 if s.board.army >> u & 1 else s.board.of_formation[s.board.formation[u]]


def lead_checked(fight: Fight, side: int, check: int) -> int:
    """The unit whose ER the roll is compared with, aircraft apart."""
    return fight.lead_gun[side] if check == ARTILLERY_CHECK else fight.lead[side]


def commanders(s: State, fight: Fight, side: int, check: int) -> int:
    """12.13, 12.14, 12.23b, 12.23c the HQs that may spend their Command Points on a roll: one for each combat."""
    return 0 if fight.commanded[side] >= 0 or fight.overrun else helped(s, fight, side, check).near


def helped(s: State, fight: Fight, side: int, check: int) -> Helped:
    """A roll of a combat."""
    if check == AIR_CHECK:  # 12.13ca, 12.23b3 whatever the formation
        return Helped(side, -1, hqs_near(s, side, fight.target, -1))
    lead = lead_checked(fight, side, check)
    return Helped(side, lead, hqs_of(s, lead))


class Helped(NamedTuple):
    """A roll that a headquarters may help: whose, by which lead unit, and those that could if they may."""

    side: int
    lead: int  # -1 for aircraft: any formation will do (12.13ca)
    near: int


ABLE: Bars[State, Helped] = Bars(
    Need("12.11", "{unit} is not a headquarters of yours", lambda s, now: s.on_map[now.side] & s.board.hqs),
    Bar("12.22b", "{unit} has spent its Command Points", lambda s, now: s.spent),
    Bar("3.93c", "{unit} is disrupted", lambda s, now: s.disrupted),
    Bar("12.35", "{unit} is a Fire Net headquarters", lambda s, now: s.fire_net),
)
HELPS: Bars[State, Helped] = Bars(
    Bar(
        "12.13b",
        "the lead unit is directly under army",
        lambda s, now: all_if(now.lead >= 0 and s.board.army >> now.lead & 1),
    ),
    Need(
        "12.13c",
        "{unit} is not of the lead unit's formation",
        lambda s, now: -1 if now.lead < 0 else of_formation(s, now.lead),
    ),
    Need("12.14a", "{unit} is more than 4 hexes away", lambda s, now: now.near),
)
"""12.13, 12.14 which headquarters that is `ABLE` to spend its Command Points may do so on a roll."""


def hqs_of(s: State, u: int) -> int:
    """12.13c, 12.14a the HQs of a unit's formation that have it in range and Command Points to spend."""
    board = s.board
    if board.army >> u & 1:  # 12.13b
        return 0
    return hqs_near(s, board.side[u], s.at[u], board.of_formation[board.formation[u]])


def hqs_near(s: State, side: int, h: Hex, formation: int) -> int:
    """12.14a, 3.93c, 12.35 HQs within command range, neither spent nor disrupted nor on their Fire Net side."""
    board = s.board
    able = s.on_map[side] & board.hqs & formation & ~s.spent & ~s.disrupted & ~s.fire_net
    reach = board.charts.constants["command_range"]
    return sum(1 << hq for hq in units_of(able) if board.cp[hq] and board.grid.distance(s.at[hq], h) <= reach)


assert len(CHECKS) == 3
