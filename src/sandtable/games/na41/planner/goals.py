"""What a side goes for, how long that takes, and what it has to fear for."""

from __future__ import annotations

from heapq import heappop, heappush

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import enemy, hexes_in, units_of

from ..combat.strengths import chart, defence_total, defending
from ..paths.chart import VEHICLE
from ..paths.legs import tables
from ..table.board import SIXTHS
from ..table.ids import AXIS
from ..table.position import zone
from ..table.state import State

STRIDE = 8.0  # movement points of a player turn on the march
SOON = 15.0  # movement points within which an enemy could come in a turn
NEAR = 9.0  # movement points within which an enemy threatens a place
# 8.3a, 11 the chance that an attack clears a hex whose defenders stand as well as they can, by column
CHANCES = (0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.7, 0.8)
MOST_ATTACK, MOST_DEFENCE = 30.0, 15.0  # 8.8
FRONT = 10  # hexes from anybody that belong to one side or the other
HINDERED = 2 * SIXTHS  # 7.2c


def tries(s: State, side: int, h: Hex, force: list[tuple[int, float]]) -> float:
    """How many attacks by these mobile troops it takes, more or less, to throw the enemy out of a hex; 0 if nobody
    is there."""
    foe = enemy(side)
    if not s.men[foe] >> h & 1:
        return 0.0
    board, of = s.board, chart(s.board)
    held = min(float(defence_total(s, h, defending(s, h))), MOST_DEFENCE)
    walls = bool(s.forts[foe] >> h & 1 or of.doubling >> h & 1)
    vehicles = board.vehicles
    attack = sum(att * (0.5 if walls and vehicles >> u & 1 else 1.0) for u, att in force)
    column = min(attack, MOST_ATTACK) / max(held, 1.0) - of.left.get(h, 0)
    if not (walls or of.no_tank_shift >> h & 1):
        best = max((board.tank_value[u] for u, _ in force if board.tanks >> u & 1), default=0)
        theirs = max((board.tank_value[v] for v in units_of(s.here[h] & board.silhouettes)), default=0)
        column += max(0, min(best - theirs, 2))
    column += side == AXIS  # 9.3 most of its mobile troops are elite
    return 1.0 / CHANCES[max(0, min(int(column), len(CHANCES) - 1))]


def roads_of_the_enemy(s: State, side: int, goal: Hex, limit: float, blocked: bool) -> dict[Hex, float]:
    """The movement points within a limit that it takes the enemy from hex to hex to a goal; around everybody who
    stands in his way if that is trusted to stop him (`blocked`)."""
    board = s.board
    rates = tables(s).kinds[VEHICLE].walk.ways
    held, zoned = (s.men[side] & ~(1 << goal), zone(s, side)) if blocked else (0, 0)
    most = int(limit * SIXTHS)
    found: dict[Hex, int] = {goal: 0}
    due = [(0, goal)]
    while due:
        points, h = heappop(due)
        if points > found[h]:
            continue
        slow = points + (HINDERED if zoned >> h & 1 and h != goal else 0)
        for n, _, cost, _ in rates[h]:
            total = slow + cost
            if total <= most and total < found.get(n, most + 1) and not held >> n & 1:
                found[n] = total
                heappush(due, (total, n))
    return {h: points / SIXTHS for h, points in found.items()} if not board.is_box(goal) else {}


def nearer_to_the_enemy(s: State, side: int) -> Mask:
    """The hexes, within a march of anybody, that lie nearer to a fighting unit of the enemy than to one of the side."""
    board, grid = s.board, s.board.grid
    regions = [0, 0]
    for of in (side, enemy(side)):
        for h in hexes_in(s.men[of]):
            if s.here[h] & board.of_side[of] & board.combat & ~board.asus & ~s.routed:
                regions[of] |= 1 << h
    for _ in range(FRONT):
        for of in (side, enemy(side)):
            regions[of] |= grid.dilate(regions[of]) & ~regions[1 - of]
    return regions[enemy(side)] & board.land


class Fears:
    """The enemy strength that could be at the places of a side, now and soon, around those who are in its way."""

    def __init__(self, s: State, side: int, places: list[Hex], blocked: bool) -> None:
        board = s.board
        self.soon: dict[Hex, float] = {}
        self.now: dict[Hex, list[tuple[float, float]]] = {}  # how far, how strong
        foes = hexes_in(s.men[enemy(side)])
        strength = {
            x: sum(board.att[u][s.step[u]] for u in units_of(s.here[x] & board.of_side[enemy(side)])) for x in foes
        }
        for h in places:
            ways = roads_of_the_enemy(s, side, h, SOON, blocked)
            arms = [(ways[x], float(strength[x])) for x in foes if x in ways and strength[x]]
            self.now[h] = arms
            self.soon[h] = sum(att * min(1.0, (SOON - far) / NEAR) for far, att in arms)

    def threat(self, h: Hex, nearby: float) -> float:
        """The attack strength of the enemies within so many movement points of a place."""
        return sum(att for far, att in self.now.get(h, ()) if far <= nearby)
