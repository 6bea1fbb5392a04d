"""The table as a side sees it before it moves: who can come where, what is to be taken or held, where to stand."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.mechanics.masks import enemy, units_of

from ..movement.orders import in_motorized_phase
from ..paths.moves import off_limits
from ..supply.lines import sources, supplied
from ..table.ids import ALLIED, AXIS, MOTORIZED
from ..table.position import mine_value, units_in
from ..table.ratings import mover
from ..table.script import script
from ..table.stacking import room
from ..table.state import State
from ..table.zones import controls, zone
from .fields import FAR, Field, far, past
from .params import Params, fancy
from .worth import exit_hexes, stakes, step_worth, turns_left, worth

DAY = 22.0  # half points that a motorized unit makes in a day, fights and all
HORIZON = 3.5  # days ahead that are feared
CAP = 30.0  # attack strength that finds room around one hex
WAY = 16  # hexes of an enemy's way that are watched
SOURCE = 3.0  # points that a source of supply is taken to be worth


class Foe(NamedTuple):
    """An enemy stack that can attack."""

    hex: Hex
    attack: float
    reach: int  # hexes within which it can attack in its next phase


class Goal(NamedTuple):
    """A hex to be taken, left by or held."""

    hex: Hex
    value: float
    enough: float  # strength beyond which more is of little use
    held: bool
    leave: bool = False  # 14.3 an exit


class Outlook:
    """What a side makes of the table; units may be moved about on it meanwhile."""

    def __init__(self, s: State, side: int, p: Params) -> None:
        self.s = s
        self.side = side
        self.other = enemy(side)
        self.p = p
        self.about = stakes(s)
        self.moves_again: int = s.board.red if s.active == side and not in_motorized_phase(s) else 0
        self.foes = foes(s, self.other)
        self.lines: Mask = supplied(s, side)
        self.hostile: Mask = zone(s, self.other)
        self.mined: Mask = s.mines[self.other] & s.board.terrain.road_hexes & ~s.occ[self.other]
        self.sent: dict[Hex, float] = {}
        self.company: dict[Hex, float] = {}  # defense strength that can still come to a hex
        self.main: dict[str, Hex] = {}  # formation -> where it goes as a whole
        self._threat: dict[Hex, float] = {}
        self._past: dict[tuple[int, Hex], Field] = {}
        self.goals = self._goals()
        self.strikers: int = s.on_map[side] & (s.board.red & s.board.combat | s.board.artillery) if side == AXIS else 0
        if side == AXIS:
            self._masses()
        self.block = self._blocks() if side == ALLIED else {}

    # Dangers

    def threat(self, h: Hex) -> float:
        """The attack strength that the enemy could bring against a hex in his next phase."""
        found = self._threat.get(h)
        if found is None:
            distance = self.s.board.grid.distance
            found = sum(foe.attack for foe in self.foes if distance(foe.hex, h) <= foe.reach)
            found = self._threat[h] = min(found, CAP)
        return found

    def drm(self, h: Hex) -> int:
        """8.22 what ground and works give a defender in a hex."""
        s = self.s
        found = s.board.terrain_drm[h]
        if s.strongpoints[self.side] >> h & 1:
            found += 1
        if s.mines[self.side] >> h & 1:
            found += mine_value(s, h) or 1
        return found

    def danger(self, u: int, h: Hex) -> float:
        """The share of a unit that would be lost on average if it stood in a hex with those who are there."""
        threat = self.threat(h)
        if not threat:
            return 0.0
        s, board = self.s, self.s.board
        units = units_in(s, h, self.side) | 1 << u
        strength = 0.3
        for v in units_of(units):
            strength += board.defense[v][s.step[v]] + 0.5 * board.support[v]
        strength += self.p.company * self.company.get(h, 0.0)
        strength *= 1.0 + 0.22 * self.drm(h)
        return max(0.0, min(1.0, (threat / strength - 1.0) / 4.0))

    # Goals

    def press(self, h: Hex) -> float:
        """The enemy strength that can be at a hex within some days, the nearer the more."""
        field = far(self.s, MOTORIZED, h)
        total = 0.0
        for foe in self.foes:
            days = field[foe.hex] / DAY * (1.0 if foe.reach > 4 else 2.0)
            if days < HORIZON:
                total += foe.attack * (1.0 - days / HORIZON)
        return total

    def _goals(self) -> list[Goal]:
        s, side, p = self.s, self.side, self.p
        area = script(s).area
        found = []
        left = turns_left(s) + 1
        for h, points in self.about.places.items():
            if not area >> h & 1:
                continue
            press = self.press(h)
            if controls(s, side, h):
                value = points * min(1.5, press / 12.0) * (1.5 if left <= 3 else 1.0)
                if value > 0.2:
                    found.append(Goal(h, value, press * (0.8 if side == ALLIED else 0.5) + 2.0, True))
            else:
                value = points * (1.0 if side == AXIS else 0.6)
                field = far(s, MOTORIZED, h)
                nearest = min((field[s.at[u]] for u in units_of(s.on_map[side] & s.board.red)), default=FAR)
                if nearest / DAY > left:
                    value *= 0.2
                found.append(Goal(h, value, 14.0 + 1.3 * self._guard(h), False))
        for h in hexes_of(sources(s, side) & area):
            exits = h in self.about.exits[self.other] and s.turn + 3 >= self.about.first_exit[self.other]
            press = self.press(h)
            worst = p.exit_worth * (1.0 if self.about.ends_the_game >> h & 1 else 0.4)
            value = (worst if exits else SOURCE) * min(1.5, press / 12.0)
            if value > 0.3:
                found.append(Goal(h, value, press * (0.8 if exits else 0.25) + 2.0, True))
        for h in exit_hexes(s, side):
            if area >> h & 1:
                shut = self._guard(h) / p.guarded
                found.append(Goal(h, p.exit_worth / (1.0 + shut * shut), 60.0, False, True))
        if not p.whim:
            return found
        return [goal._replace(value=goal.value * fancy(p.whim, goal.hex)) for goal in found]

    def _guard(self, h: Hex) -> float:
        """The defense strength around a hex that has to be taken."""
        s, board = self.s, self.s.board
        total = 0.0
        for x in hexes_of(board.grid.within(h, 3) & s.occ[self.other]):
            total += sum(board.defense[u][s.step[u]] for u in units_of(units_in(s, x, self.other)))
        return total

    def goal_for(self, u: int, h: Hex, strength: float) -> Goal | None:
        """Where a unit that stands in a hex (or enters there) is wanted most; it is counted as on its way."""
        s, p = self.s, self.p
        kind = mover(s, u)
        shut = off_limits(s, u)
        best, found = 0.0, None
        striker, main = self.strikers >> u & 1, self.main.get(s.board.formation[u], -1)
        for goal in self.goals:
            if shut >> goal.hex & 1:
                continue
            if goal.leave and s.board.nation[u] not in self.about.exits[self.side].get(goal.hex, {}):
                continue
            away = far(s, kind, goal.hex)[h] / 2.0
            if away > 200:
                continue
            sent = self.sent.get(goal.hex, 0.0)
            pull = goal.value / (p.near + away) * max(p.crowd, 1.0 - sent / goal.enough)
            if goal.held and striker:
                pull *= p.garrison
            elif goal.hex == main:
                pull *= p.mass
            if pull > best:
                best, found = pull, goal
        if found is not None:
            self.sent[found.hex] = self.sent.get(found.hex, 0.0) + strength
        return found

    def _masses(self) -> None:
        """Where each formation of the striking force goes as a whole: the strongest chooses first, and what it brings
        counts for those who come after it."""
        s, board, p = self.s, self.s.board, self.p
        groups: dict[str, list[int]] = {}
        for u in units_of(self.strikers & board.combat & ~board.army):
            groups.setdefault(board.formation[u], []).append(u)
        strength = {name: sum(board.attack[u][s.step[u]] for u in units) for name, units in groups.items()}
        going: dict[Hex, float] = {}
        for name in sorted(groups, key=lambda name: (-strength[name], name)):
            best, found = 0.0, -1
            shut = off_limits(s, groups[name][0])
            for goal in self.goals:
                if goal.held or shut >> goal.hex & 1:
                    continue
                field = far(s, MOTORIZED, goal.hex)
                away = sorted(field[s.at[u]] for u in groups[name])[len(groups[name]) // 2] / 2.0
                if away > 200:
                    continue
                room_left = max(p.crowd, 1.0 - going.get(goal.hex, 0.0) / goal.enough)
                pull = goal.value / (p.near + away) * room_left
                if pull > best:
                    best, found = pull, goal.hex
            if found >= 0:
                self.main[name] = found
                going[found] = going.get(found, 0.0) + strength[name]

    def way(self, u: int, goal: Hex) -> Field:
        """From everywhere to a goal past the enemy, for a unit of this kind."""
        kind = int(bool(self.s.board.plain >> u & 1))
        key = (kind, goal)
        field = self._past.get(key)
        if field is None:
            if len(self._past) < self.p.goals:
                field = past(self.s, self.side, kind, goal)
            else:
                field = far(self.s, kind, goal)
            self._past[key] = field
        return field

    # The enemy's ways

    def _blocks(self) -> dict[Hex, float]:
        """By hex, how much it is in the way of the enemy's best stacks to what they want."""
        s = self.s
        wanted = [(g.hex, g.value) for g in self.goals if g.held]
        found: dict[Hex, float] = {}
        strongest = sorted((f for f in self.foes if f.reach > 4), key=lambda f: (-f.attack, f.hex))[:10]
        for foe in strongest:
            pulls = sorted(
                ((value / (self.p.near + far(s, MOTORIZED, h)[foe.hex] / 2.0), h) for h, value in wanted), reverse=True
            )[:2]
            for pull, goal in pulls:
                weight = min(1.0, foe.attack / 12.0) * min(1.5, 2.0 * pull)
                for step, h in enumerate(trace(s, goal, foe.hex)):
                    if step:
                        found[h] = min(3.0, found.get(h, 0.0) + weight * (1.0 + 0.5 * s.board.terrain_drm[h]))
        return found

    # Where to stand

    def stand(self, u: int, h: Hex, goal: Goal | None, field: Field | None) -> float:
        """How good it is for a unit to end its move in a hex."""
        s, p, side, board = self.s, self.p, self.side, self.s.board
        bit = 1 << u
        value = 0.0
        if goal is not None and field is not None:
            value -= p.forward[side] * min(field[h], 2 * 90) / 2.0
        if not self.lines >> h & 1:
            first = p.unsupplied * (1.0 if not board.of_nation[0] & bit else 0.7)
            value -= p.cut_off if (s.emergency | s.oos) & bit else first
        threat = self.threat(h)
        friends = units_in(s, h, side) & ~bit
        if threat:
            again = p.moves_again if self.moves_again & bit else 1.0
            value -= p.exposed[side] * again * self.danger(u, h) * worth(s, bit, p.strength)
            value += p.cover * min(self.drm(h), 3)
        if not board.combat & bit:  # guns and staffs keep behind others
            if self.hostile >> h & 1 and not friends & board.combat:
                value -= 4.0
            elif self.hostile >> h & 1:
                value -= 0.6
            if threat and not friends & board.combat:
                value -= (1.0 + step_worth(s, u, p.strength)) * min(1.0, threat / 4.0)
            return value
        points = self.about.places.get(h, 0.0)
        if points and not controls(s, side, h):
            value += p.place * points
        if goal is not None and goal.held and h == goal.hex:
            value += p.hold * min(goal.value, 10.0) * (0.8 if not friends & board.combat else 0.25)
        elif points and controls(s, side, h) and threat and not friends & board.combat:
            value += p.hold * min(points, 10.0) * 0.9
        blocked = self.block.get(h, 0.0)
        if blocked:
            value += p.block * blocked * (1.0 if not friends & board.combat else 0.3)
        if self.mined >> h & 1 and not friends & board.combat:  # 11.46b, 5.23e who stands there clears the road
            value += p.clear_mines
        if self.hostile >> h & 1:
            value -= 0.3
        return value

    def spots(self, reach: Mask, field: Field | None, here: Hex) -> list[Hex]:
        """The hexes of a reach that are worth a look: the nearest to the goal, places, hexes in the enemy's way."""
        hexes = hexes_of(reach | 1 << here)
        if len(hexes) > self.p.spots and field is not None:
            hexes.sort(key=lambda h: (field[h], h))
            near = hexes[: self.p.spots]
            near += [h for h in hexes[self.p.spots :] if h in self.block or h in self.about.places]
            if here not in near:
                near.append(here)
            return near
        return hexes

    def _wards(self, u: int) -> float:
        """What guns and staffs are worth that would be left alone in the enemy's reach if this unit went."""
        s, board = self.s, self.s.board
        h = s.at[u]
        if h < 0 or not board.combat >> u & 1 or not self.threat(h):
            return 0.0
        others = units_in(s, h, self.side) & ~(1 << u)
        return 0.0 if others & board.combat else 0.8 * worth(s, others, self.p.strength)

    def best_stand(self, u: int, reach: Mask, goal: Goal | None, here: Hex = -1) -> tuple[Hex, float]:
        """Where a unit stands best; where it is, if nothing is better."""
        s = self.s
        here = s.at[u] if here < 0 else here
        field = self.way(u, goal.hex) if goal is not None else None
        best, at = -1e9, here
        left_behind = 0.2 + self._wards(u)
        for h in self.spots(reach, field, here):
            if h != s.at[u] and not room(s, h, self.side, 1 << u):
                continue
            value = self.stand(u, h, goal, field) + (left_behind if h == s.at[u] else 0.0)
            if value > best:
                best, at = value, h
        return at, best


def foes(s: State, side: int) -> list[Foe]:
    """The stacks of a side that can attack."""
    board = s.board
    found = []
    for h in hexes_of(s.fighting[side]):
        attack, reach = 0.0, 0
        for u in units_of(units_in(s, h, side) & board.combat):
            strength = float(board.attack[u][s.step[u]])
            points = board.ma[u][s.step[u]]
            if (s.oos | s.disrupted) >> u & 1:
                strength, points = strength / 2, points // 2
            attack += strength
            if strength:
                share = 0.8 if board.motorized >> u & 1 else 0.6
                reach = max(reach, 1 + int(points * share))
        if attack:
            found.append(Foe(h, attack, reach))
    return found


def trace(s: State, goal: Hex, start: Hex) -> list[Hex]:
    """The hexes of the quickest way from a hex to a goal with nobody in the way, as far as matters."""
    field = far(s, MOTORIZED, goal)
    found = [start]
    h = start
    while h != goal and len(found) < WAY:
        nexts = [(field[n], n) for _, n in s.board.grid.neighbours[h] if s.ground.exits[MOTORIZED][h] >> n & 1]
        if not nexts or min(nexts)[0] >= field[h]:
            break
        h = min(nexts)[1]
        found.append(h)
    return found


def combat_strength(s: State, u: int, side: int) -> float:
    """What a unit counts for at a goal: attack for the Axis, defense for the Allies."""
    board = s.board
    if side == AXIS:
        return float(board.attack[u][s.step[u]]) + 0.5 * board.support[u]
    return float(board.defense[u][s.step[u]]) + 0.5 * board.support[u]
