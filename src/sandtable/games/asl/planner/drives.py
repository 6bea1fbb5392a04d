"""Where vehicles go: every hex that one can reach with its facing there, what it could shoot from it, what could shoot
it, and how much nearer it is to what the scenario asks for."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..boards.costs import HALF, Mover
from ..boards.locations import Place, Spot
from ..fire.crews import vehicle_of
from ..los.arcs import in_arc
from ..los.cover import covers
from ..table import verbs
from ..table.state import State, all_vehicles, passengers, vehicles
from ..table.works import has_wire, mines_in
from ..vehicles.points import allotment, buttoned_up, towed_gun
from .duels import Range, tubes
from .goals import exit_hexes
from .outlook import Foe, Outlook
from .ways import FAR, FOOT, chart, distances, rough
from .worth import value

START = STOP = TURN = HALF
MINED, WIRED, ROUGH = 16, 6, 4
"""Halves of MP by which a vehicle goes around mines, wire, and ground that may hold it."""
CLOSE = 1
"""Infantry so near is dangerous to a vehicle."""
ROF_THREAT = 1.3
LAND = 16
"""Halves of MP from the goal at which a load is set down."""
DUST = 1
"""What distance, dust and haste add to the dice of a shot that is only thought of."""


class Node(NamedTuple):
    """Where a vehicle stands, and how."""

    hex: Hex
    vca: int


class Drive(NamedTuple):
    """A vehicle's move that could be made."""

    gain: float
    deeds: tuple[Action, ...]
    end: Node


class Goal(NamedTuple):
    """Where a vehicle is drawn to."""

    far: tuple[int, ...]
    weight: float


def mover_of(s: State, u: int) -> Mover:
    kind = vehicle_of(s, u)
    return Mover(kind.move, kind.mp, buttoned_up=buttoned_up(s, u), towing=towed_gun(s, u) >= 0)


def goal_of(out: Outlook, u: int) -> Goal | None:
    """What draws a vehicle: an edge to leave by, hexes to take, or the enemy."""
    s, aims = out.s, out.aims
    mover = mover_of(s, u)
    wanted = 0
    if aims.edge >= 0 and vehicle_of(s, u).armoured:
        wanted = exit_hexes(s, aims.edge)
    elif aims.attacks:
        heavy = [h for h, weight in aims.take.items() if weight >= 0.5]
        wanted = sum(1 << h for h in heavy or aims.take)
    if not wanted and out.foes:
        wanted = sum(1 << h for h in {foe.hex for foe in out.foes})
        return Goal(distances(s.stage.field, mover, wanted), 0.3 if aims.attacks else 0.0)
    return Goal(distances(s.stage.field, mover, wanted), 1.0) if wanted else None


class Wheel:
    """The places that one vehicle can reach in its move."""

    def __init__(self, out: Outlook, u: int, left: int) -> None:
        self.out, self.u = out, u
        self.s = out.s
        self.kind = vehicle_of(out.s, u)
        self.worth = value(out.s, u)
        self.goal = goal_of(out, u)
        self.steps = chart(out.s.stage.field, mover_of(out.s, u))
        self.start = Node(out.s.at[u], out.s.vca[u])
        self.going = bool(out.s.motion >> u & 1)
        self.left = left
        self.tubes = tubes(out.s, u)
        self.foes = {foe.hex for foe in out.foes}
        self.prey = [e for e in units_of(all_vehicles(out.s, 1 - out.me) & ~out.s.concealed) if out.s.at[e] >= 0]
        self.range = Range(out.s)
        self._danger: dict[Node, float] = {}
        self._shots: dict[Node, float] = {}
        self.turns = all(tube.mount != "NT" for tube in self.tubes)
        self._sight: dict[Hex, list[Foe]] = {}

    def seen_by(self, h: Hex) -> list[Foe]:
        """The enemies who see a hex."""
        found = self._sight.get(h)
        if found is None:
            inside = self.out.inside(h)
            found = self._sight[h] = [foe for foe in self.out.foes if self.out.sees(foe, h, inside)]
        return found

    def danger(self, at: Node) -> float:
        """The share of it that the guns in plain view would take there with a shot each."""
        found = self._danger.get(at)
        if found is None:
            left = 1.0
            for foe in self.seen_by(at.hex):
                for gun, tube in foe.guns:
                    left *= 1 - self.range.share(gun, tube, foe.hex, self.u, at.hex, at.vca, DUST)
            if not self.kind.armoured:
                left *= 1 - self.out.risk(at.hex, 0, False)
            found = self._danger[at] = 1 - left
        return found

    def reach(self) -> dict[Node, tuple[int, tuple[Action, ...], float]]:
        """Every place with the points spent, what is done to get there, and what the way may cost."""
        s = self.s
        first = 0 if self.going else START
        found: dict[Node, tuple[int, tuple[Action, ...], float]] = {}
        begin: tuple[Action, ...] = () if self.going else ((int(verbs.START),),)
        heap: list[tuple[float, int, Node, tuple[Action, ...], float]] = [(0.0, first, self.start, begin, 0.0)]
        field, mover = s.stage.field, mover_of(s, self.u)
        while heap:
            key, spent, node, deeds, risk = heappop(heap)
            if node in found:
                continue
            found[node] = (spent, deeds, risk)
            if spent + TURN <= self.left:
                for v in ((node.vca + 1) % 6, (node.vca - 1) % 6):
                    after = Node(node.hex, v)
                    if after not in found:
                        heappush(heap, (key + TURN, spent + TURN, after, (*deeds, (int(verbs.TURN), v)), risk))
            ahead = {s.stage.grid.neighbour(node.hex, d % 6) for d in (node.vca, node.vca + 1)}
            for n, halves in self.steps[node.hex]:
                if n not in ahead or n in self.foes or n not in s.stage.out or spent + halves > self.left:
                    continue
                after = Node(n, node.vca)
                if after in found:
                    continue
                shy = MINED if mines_in(s, n) else WIRED if has_wire(s, n) else 0
                shy += ROUGH if rough(field, mover, n) else 0
                more = risk + (1 - risk) * PASSING * self.danger(after)
                price = key + halves + shy + 12 * (more - risk)
                step = (int(verbs.TO), s.stage.out[n])
                heappush(heap, (price, spent + halves, after, (*deeds, step), more))
        return found

    # What a place is worth

    def shots(self, at: Node) -> float:
        """The best shot from there at a vehicle in plain view."""
        key = Node(at.hex, 0) if self.turns else at
        found = self._shots.get(key)
        if found is None:
            found = self._shots[key] = self._best_shot(at)
        return found

    def _best_shot(self, at: Node) -> float:
        s, best = self.s, 0.0
        seen = {foe.hex for foe in self.seen_by(at.hex)}
        for e in self.prey:
            there = s.at[e]
            if there not in seen:
                continue
            near = 0.01 * (30 - min(30, s.stage.grid.distance(at.hex, there)))
            for tube in self.tubes:
                if tube.mount == "NT" and not in_arc(s.stage.field, at.hex, at.vca, there):
                    continue
                share = self.range.share(self.u, tube, at.hex, e, there, s.vca[e], DUST)
                best = max(best, share * value(s, e) * self.out.aims.blood + near)
        return best

    def bursts(self, at: Node) -> float:
        """What its machine guns and shells could do to Infantry in sight of there."""
        near = [self.s.stage.grid.distance(foe.hex, at.hex) for foe in self.seen_by(at.hex) if not foe.guns]
        return 0.25 * sum(1 for span in near if CLOSE < span <= 8) if self.kind.cmg + self.kind.bmg else 0.0

    def pull(self, h: Hex) -> float:
        """How much nearer to its goal it is there."""
        s, params, goal = self.s, self.out.params, self.goal
        found = 0.0
        if goal is not None and goal.far[h] < FAR:
            found -= params.armour_forward * goal.weight * self.haste(goal.far[h]) * goal.far[h] / HALF
        aims = self.out.aims
        if aims.ground >> h & 1 and (aims.below or not self.out.inside(h)):
            found += 0.25 * self.worth * (1.0 if s.turn >= s.stage.turns - 1 else 0.3)
        return found

    def haste(self, far: int) -> float:
        """How urgent it is to get on."""
        turns = self.s.stage.turns - self.s.turn
        need = -(-far // max(1, 2 * HALF * self.kind.mp // 3))
        return 1.5 if need >= turns else 1.0 if need + 1 >= turns else 0.6

    def standing(self, at: Node, close: bool = False) -> float:
        """What it is worth to end the move there; looked at `close`ly, with what hides its hull."""
        params, s = self.out.params, self.s
        near = [foe for foe in self.seen_by(at.hex) if s.stage.grid.distance(foe.hex, at.hex) <= CLOSE and not foe.guns]
        risk = self.danger(at)
        if close and risk and self.kind.armoured:
            risk *= self.hull_down(at.hex)
        found = self.pull(at.hex) - params.armour_fear * self.worth * risk * ROF_THREAT
        found += params.duel * self.shots(at) + self.bursts(at)
        found -= 0.15 * self.worth * len(near)
        others = vehicles(s, at.hex, self.out.me) & ~(1 << self.u)
        return found - (5.0 if others else 0.0)

    def hull_down(self, h: Hex) -> float:
        """What is left of the danger behind cover: D4.2 a hit on the hull is none."""
        s = self.s
        place = Spot(h, Place.IN if self.out.inside(h) else Place.GROUND)
        looking = [foe for foe in self.seen_by(h) if foe.guns]
        lines = s.stage.sights.lines
        low = sum(1 for foe in looking if any(one.hull_down for one in covers(lines, foe.spot, place)))
        return 1 - 0.5 * low / max(1, len(looking))


PASSING = 0.3
"""How much of a gun's fire a vehicle meets that passes through its sight."""


def best_drive(out: Outlook, u: int, left: int | None = None) -> Drive:
    """The move of a vehicle that gains most; nothing to do is to stay."""
    s, params = out.s, out.params
    wheel = Wheel(out, u, allotment(s, u) if left is None else left)
    places = wheel.reach()
    here = wheel.standing(wheel.start, True)
    facing: dict[Hex, Node] = {}  # of each hex the facing that is safest, or the one that costs least
    for node, (spent, _, _) in places.items():
        if spent + STOP > wheel.left and node.hex in facing:
            continue
        old = facing.get(node.hex)
        if old is None or (wheel.danger(node), places[node][0]) < (wheel.danger(old), places[old][0]):
            facing[node.hex] = node
    fear = params.armour_fear * wheel.worth
    ranked = sorted(facing.values(), key=lambda node: (fear * places[node][2] - wheel.standing(node), node))
    best = Drive(0.0, (), wheel.start)
    for node in ranked[: params.ends]:
        spent, deeds, risk = places[node]
        if node.hex == wheel.start.hex and node.vca == wheel.start.vca:
            continue
        gain = wheel.standing(node, True) - here - fear * risk
        if gain > best.gain:
            stops = wheel.seen_by(node.hex) and spent + STOP <= wheel.left
            best = Drive(gain, (*deeds, (int(verbs.STOP),)) if stops else deeds, node)
    return best


def carries(s: State, u: int) -> bool:
    """Whether it has somebody or something aboard that is to be set down."""
    roster = s.stage.roster
    return bool(sum(1 << one for one in passengers(s, u)) & (roster.men | roster.guns))


# Loads


def lands(out: Outlook, u: int) -> bool:
    """Whether it is time to set down what it carries: near the goal, or in the enemy's sight."""
    s, goal = out.s, goal_of(out, u)
    h = s.at[u]
    near = goal is not None and goal.far[h] <= LAND
    return near or any(out.sees(foe, h, out.inside(h)) for foe in out.foes)


def end_of_drive(out: Outlook, u: int, legal: Sequence[Action]) -> Action:
    """What a vehicle does where its way ends: set down its load, leave the map, or halt."""
    s = out.s
    if (verbs.EXIT,) in legal and out.aims.edge >= 0 and exit_hexes(s, out.aims.edge) >> s.at[u] & 1:
        return (int(verbs.EXIT),)
    if carries(s, u) and lands(out, u):
        for verb in (verbs.UNHOOK, verbs.DISEMBARK):
            loads = [a for a in legal if a[0] == verb]
            if loads:
                return loads[0]
        if (verbs.STOP,) in legal:
            return (int(verbs.STOP),)
    for verb in (verbs.UNBOG, verbs.HALT):
        if (verb,) in legal:
            return (int(verb),)
    going = [a for a in legal if a[0] in (verbs.TO, verbs.START, verbs.DELAY)]
    return going[0] if going else legal[0]


# A2.5 Entry


def enter(out: Outlook, legal: Sequence[Action]) -> Action | None:
    """Who is due comes on, where the way to the goal is short and nobody stands yet."""
    s, roster = out.s, out.s.stage.roster
    ways = [a for a in legal if a[0] == verbs.ENTER]
    if not ways:
        return None
    first = min(ways, key=lambda a: (not roster.vehicles >> a[1] & 1, carries(s, a[1]), a[1]))[1]
    if roster.vehicles >> first & 1:
        goal = goal_of(out, first)
        far = goal.far if goal is not None else None
    else:
        take = sum(1 << h for h in out.aims.take)
        far = distances(s.stage.field, FOOT, take) if take else None
    own = [s.at[u] for u in units_of(roster.of_side[out.me] & (roster.vehicles | roster.men)) if s.at[u] >= 0]

    def price(action: Action) -> tuple[float, Action]:
        h = s.stage.into[action[2]]
        crowd = sum(1 for one in own if s.stage.grid.distance(one, h) <= 1)
        seen = sum(1 for foe in out.foes if out.sees(foe, h))
        return (0.5 * far[h] if far is not None else 0.0) + 3 * crowd + 2 * seen, action

    return min((a for a in ways if a[1] == first), key=price)
