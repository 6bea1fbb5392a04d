"""Where vehicles go: every hex that one can reach with its facing there, what it could shoot from it, what could shoot
it, and how much nearer it is to what the scenario asks for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import hexes_in, units_of

from ..boards.costs import HALF, Mover
from ..boards.locations import Place, Spot
from ..fire.crews import vehicle_of
from ..los.arcs import in_arc
from ..los.cover import covers
from ..movement.exits import edge_of
from ..ordnance.acquisition import acquired
from ..ordnance.aim import spent
from ..ordnance.weapons import HE, Tube
from ..table import verbs
from ..table.hardware import MA, SA
from ..table.state import State, all_vehicles, gun_of, passengers, vehicles
from ..table.works import has_wire, mines_in
from ..vehicles.points import allotment, buttoned_up, quarter, towed_gun
from .goals import exit_hexes
from .gunnery import Range, tubes
from .marches import assign
from .outlook import VOLLEYS, Outlook, he_power
from .overruns import overrunnable, overruns, struck, trodden
from .ways import FAR, FOOT, chart, distances, rough
from .worth import value

START = STOP = TURN = HALF
MINED, WIRED, ROUGH = 16, 6, 8
"""Halves of MP by which a vehicle goes around mines, wire, and ground that may hold it."""
DETOUR = 36
"""Halves of MP that it would go around where it would surely be lost."""
CLOSE = 1
"""Infantry so near is dangerous to a vehicle."""
BESIDE, SUPPORT = 1, 5
"""How near to houses, or what it cannot enter, a vehicle comes that sets men down, and one that supports them."""
LAND = 16
"""Halves of MP from the goal at which a load is set down."""
WANTED = 0.4
"""A hex that is wanted less draws nobody from afar."""
A_TURN_ON_FOOT = 5 * HALF
"""Halves of MF that men come forward in a turn, their advance included."""
LOADED = 1.6
"""How much more a vehicle is drawn on that brings somebody there."""
SOFT = 0.5
"""What is left of an attacker's fear for a lorry, however late it is: men walk on where it would burn with them."""
HOT = 0.12
"""The share of a vehicle or its load that may be lost before the load gets off."""
DEADLY = 0.08
"""Where less than this would be left, nothing more is reckoned."""
DUST = 1
"""What distance, dust and haste add to the dice of a shot that is only thought of."""
MOVED, MOVING = 2, 4
"""The same at a vehicle that has moved, and at one that does (C.8, C6.1): who stands is hit more often."""


class Node(NamedTuple):
    """Where a vehicle stands, and how."""

    hex: Hex
    vca: int


class Drive(NamedTuple):
    """A vehicle's move that could be made."""

    gain: float
    deeds: tuple[Action, ...]
    end: Node


class Way(NamedTuple):
    """How a vehicle is shot at on its way: the hexes in which Guns see it, and what a shot in each would take."""

    seen: int
    danger: float
    shelled: float = 0.0
    """C1.51 what the shells take that fall on whoever drives into an FFE: they fall at every hex."""

    def risk(self, volleys: float) -> float:
        """The share of it that the way may cost: a Gun does not fire at every hex, and has only so many shots."""
        if not self.seen:
            return self.shelled
        left = math.pow(max(DEADLY, 1 - self.danger / self.seen), min(volleys, PASSING * self.seen))
        return 1 - left * (1 - self.shelled)

    def into(self, shot: float, blast: float) -> Way:
        """The same a hex farther."""
        shelled = 1 - (1 - self.shelled) * (1 - blast)
        return Way(self.seen + 1, self.danger + shot, shelled) if shot else self._replace(shelled=shelled)


UNSEEN = Way(0, 0.0)


class Goal(NamedTuple):
    """Where a vehicle is drawn to."""

    far: tuple[int, ...]
    weight: float


def mover_of(s: State, u: int) -> Mover:
    kind = vehicle_of(s, u)
    return Mover(kind.move, kind.mp, buttoned_up=buttoned_up(s, u), towing=towed_gun(s, u) >= 0)


def goal_of(out: Outlook, u: int) -> Goal | None:
    """What draws a vehicle: an edge to leave by, hexes to take, or the enemy. An empty lorry has nothing to seek."""
    s, aims = out.s, out.aims
    if not fights(s, u) and not carries(s, u) and not aims.ground:
        return None
    mover = mover_of(s, u)
    wanted = 0
    if aims.edge >= 0 and vehicle_of(s, u).armoured:
        wanted = exit_hexes(s, aims.edge)
    elif aims.attacks:
        most = max(aims.take.values(), default=0.0)
        wanted = sum(1 << h for h, weight in aims.take.items() if weight >= min(0.5, most))
    if not wanted and out.foes:
        wanted = sum(1 << h for h in {foe.hex for foe in out.foes})
        return Goal(approaches(s, mover, wanted, s.at[u]), 0.3 if aims.attacks else 0.0)
    near = BESIDE if carries(s, u) else SUPPORT
    return Goal(approaches(s, mover, wanted, s.at[u], near), 1.0) if wanted else None


def approaches(s: State, mover: Mover, wanted: Mask, start: Hex, near: int = BESIDE) -> tuple[int, ...]:
    """How far it is from every hex to one of some hexes, or near them where they are built up or cannot be entered:
    no half-track drives into a building, and a tank is lost in one (D8.2)."""
    houses = s.stage.field.ground.get("building_stone", 0)
    if not wanted & houses:
        far = distances(s.stage.field, mover, wanted)
        if start < 0 or far[start] < FAR:
            return far
    about = 0
    for h in hexes_in(wanted):
        about |= s.stage.grid.within(h, near)
    return distances(s.stage.field, mover, about & ~houses)


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
        self.shells = max((he_power(one) for one in self.tubes if HE in self.range.shells(u, one)), default=0.0) / HEAVY
        self._danger: dict[Hex, tuple[list[float], list[float]]] = {}
        self._spent: dict[tuple[int, str], bool] = {}
        self._shots: dict[Node, float] = {}
        self.lurking = out.lurking
        self.loaded = carries(out.s, u)
        self.fear = self._fear()
        self.shared = self._shared()
        self.volleys = out.params.volleys / self.shared
        self.turns = all(tube.mount != "NT" for tube in self.tubes)

    def _fear(self) -> float:
        """What losing it counts: an attacker who is late has to take risks, who has arrived has none to take."""
        found, goal = self.out.params.armour_fear * self.out.aims.care * self.worth, self.goal
        if not self.out.aims.attacks or goal is None or not 0 < goal.far[self.start.hex] < FAR:
            return found
        pressed = self.out.pressed(self.out.params.armour_press, self.spare(goal.far[self.start.hex]))
        return found * (pressed if self.kind.armoured else max(SOFT, pressed))

    def _shared(self) -> float:
        """By how much fewer shots fall to each where many attack together: Guns fire at one of them at a time."""
        s, start = self.s, self.start.hex
        if not self.out.aims.attacks or start < 0:
            return 1.0
        mates = all_vehicles(s, self.out.me) & ~(s.wreck | s.abandoned | s.immobile | s.bogged | s.recalled)
        near = s.stage.grid.within(start, ABOUT)
        count = sum(1 for u in units_of(mates) if s.at[u] >= 0 and near >> s.at[u] & 1 and vehicle_of(s, u).armoured)
        return 1 + self.out.params.together * max(0, count - 1)

    def danger(self, at: Node) -> float:
        """The share of it that the guns in plain view, and those that may lurk, would take there with a shot each."""
        return self._shots_into(at.hex)[0][at.vca]

    def passing(self, at: Node) -> float:
        """The same of those that can still fire in this phase: A7.11 who has lost his rate of fire lets others pass."""
        return self._shots_into(at.hex)[1][at.vca]

    def _shots_into(self, h: Hex) -> tuple[list[float], list[float]]:
        """Both for every facing that it could have in a hex."""
        found = self._danger.get(h)
        if found is None:
            left, fresh = [1.0] * 6, [1.0] * 6
            moved = DUST if h == self.start.hex and not self.going else MOVED
            for foe in self.out.seen_by(h):
                for gun, tube in foe.guns:
                    ready = SPENT if self._is_spent(gun, tube) else 1.0
                    aimed = self._aimed(gun, tube)
                    stands = self.range.shares(gun, tube, foe.hex, self.u, h, moved - aimed)
                    goes = self.range.shares(gun, tube, foe.hex, self.u, h, MOVING - aimed)
                    for vca in range(6):
                        left[vca] *= 1 - stands[vca]
                        fresh[vca] *= 1 - ready * goes[vca]
            if self.lurking and max(left) >= DEADLY:
                hidden = self.range.ambush(self.lurking, self.u, h, self.out.inside(h), MOVING)
                for vca in range(6):
                    if left[vca] >= DEADLY:
                        left[vca] *= 1 - self.out.params.lurking * hidden[vca]
                        fresh[vca] *= 1 - self.out.params.lurking * hidden[vca]
            burst = 0.0 if self.kind.armoured else self.out.risk(h, 0, False)
            burst = 1 - (1 - burst) * (1 - self.out.wrecked(h, self.kind.armoured)) ** VOLLEYS
            found = [1 - one * (1 - burst) for one in left], [1 - one * (1 - burst) for one in fresh]
            self._danger[h] = found
        return found

    def _aimed(self, gun: int, tube: Tube) -> int:
        """C6.5 how well a gun has acquired it."""
        return acquired(self.s, gun, MA if tube.weapon == "ma" else SA, self.u, -1)

    def _is_spent(self, gun: int, tube: Tube) -> bool:
        key = (gun, tube.weapon)
        if key not in self._spent:
            self._spent[key] = spent(self.s, gun, MA if tube.weapon == "ma" else SA)
        return self._spent[key]

    def reach(self) -> dict[Node, Reached]:
        """Every place that it can get to."""
        s = self.s
        first = 0 if self.going else START
        found: dict[Node, Reached] = {}
        begin: tuple[Action, ...] = () if self.going else ((int(verbs.START),),)
        heap: list[tuple[float, int, Node, tuple[Action, ...], Way]] = [(0.0, first, self.start, begin, UNSEEN)]
        field, mover = s.stage.field, mover_of(s, self.u)
        while heap:
            key, used, node, deeds, way = heappop(heap)
            if node in found:
                continue
            risk = way.risk(self.volleys)
            found[node] = (used, deeds, risk)
            if used + TURN <= self.left:
                for v in ((node.vca + 1) % 6, (node.vca - 1) % 6):
                    after = Node(node.hex, v)
                    if after not in found:
                        heappush(heap, (key + TURN, used + TURN, after, (*deeds, (int(verbs.TURN), v)), way))
            ahead = {s.stage.grid.neighbour(node.hex, d % 6) for d in (node.vca, node.vca + 1)}
            for n, halves in self.steps[node.hex]:
                if n not in ahead or n in self.foes or n not in s.stage.out or used + halves > self.left:
                    continue
                after = Node(n, node.vca)
                if after in found:
                    continue
                shy = MINED if mines_in(s, n) else WIRED if has_wire(s, n) else 0
                shy += ROUGH if rough(field, mover, n) else 0
                shot, blast = self.passing(after), self.out.wrecked(n, self.kind.armoured)
                more = way.into(shot, blast) if shot or blast else way
                price = key + halves + shy + DETOUR * (more.risk(self.volleys) - risk)
                step = (int(verbs.TO), s.stage.out[n])
                heappush(heap, (price, used + halves, after, (*deeds, step), more))
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
        seen = {foe.hex for foe in self.out.seen_by(at.hex)}
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
        """What its machine guns and shells could do to Infantry in sight of there, and its HE to Guns from afar."""
        found, guns, distance = 0.0, self.s.stage.roster.guns, self.s.stage.grid.distance
        armed = bool(self.kind.cmg + self.kind.bmg)
        if not armed and not self.shells:
            return 0.0
        for foe in self.out.seen_by(at.hex):
            span = distance(foe.hex, at.hex)
            served = any(guns >> gun & 1 for gun, _ in foe.guns)
            if armed and CLOSE < span <= NORMAL_RANGE:
                found = max(found, BATTERY if served else 0.0 if foe.guns else BURST)
            if served and CLOSE < span <= SHELLING_RANGE:
                found = max(found, BATTERY * self.shells)
        return found

    def pull(self, h: Hex) -> float:
        """How much nearer to its goal it is there."""
        s, params, goal = self.s, self.out.params, self.goal
        found = 0.0
        if goal is not None and goal.far[h] < FAR:
            forward = params.armour_forward * (LOADED if self.loaded else 1.0)
            found -= forward * goal.weight * self.haste(goal.far[h]) * goal.far[h] / HALF
        aims = self.out.aims
        if aims.ground >> h & 1 and (aims.below or not self.out.inside(h)):
            found += self.worth * (params.ground * aims.lack if s.turn >= s.stage.turns - 1 else 0.08)
        return found

    def haste(self, far: int) -> float:
        """How urgent it is to get on."""
        spare = self.spare(far)
        return self.out.params.now if spare <= 0 else 1.2 if spare == 1 else 0.8 if spare == 2 else 0.5

    def spare(self, far: int) -> int:
        """Turns to spare before a goal so far away must be reached, one of them for the fight there,
        and more for men who have to walk the last of it."""
        need = -(-far // max(1, 2 * HALF * self.kind.mp // 3))
        fight = 3 if self.loaded else 2 if self.out.aims.edge >= 0 else 1
        return self.s.stage.turns - self.s.turn - need - fight

    def standing(self, at: Node, way: float = 0.0, close: bool = False, halts: bool = True) -> float:
        """What it is worth to end the move there, if the `way` does not cost it; looked at `close`ly, with what hides
        its hull. Who has no MP left to stop hardly fires from there."""
        params, s = self.out.params, self.s
        near = [
            foe for foe in self.out.seen_by(at.hex) if s.stage.grid.distance(foe.hex, at.hex) <= CLOSE and not foe.guns
        ]
        risk = self.danger(at)
        if close and risk and self.kind.armoured:
            risk *= self.hull_down(at.hex)
        found = self.pull(at.hex) - self.pull(self.start.hex)
        if self.out.aims.edge >= 0 and self.kind.armoured and exit_hexes(s, self.out.aims.edge) >> at.hex & 1:
            found += GONE * self.worth  # nobody fires at who has left
        fight = params.duel * self.shots(at) + self.bursts(at)
        leaves = self.out.aims.edge >= 0 and self.kind.armoured
        found += fight * (RUNNING_FIGHT if leaves or not halts else 1.0)
        found -= 0.15 * self.worth * len(near)
        lost = 1 - (1 - way) * math.pow(max(DEADLY, 1 - risk), params.shots / self.shared)
        others = vehicles(s, at.hex, self.out.me) & ~(1 << self.u)
        return (1 - way) * found - self.fear * lost - (5.0 if others else 0.0)

    def runs(self, at: Node) -> bool:
        """Whether it has an edge to reach and no shot that is worth stopping for: it stays in Motion."""
        if self.out.aims.edge < 0 or not self.kind.armoured:
            return False
        return bool(exit_hexes(self.s, self.out.aims.edge) >> at.hex & 1) or self.shots(at) < WORTH_A_STOP

    def off(self, at: Node, paid: int) -> bool:
        """A2.6 whether it could leave by its edge from there in the same move."""
        aims, grid = self.out.aims, self.s.stage.grid
        if aims.edge < 0 or not self.kind.armoured or edge_of(self.s, at.hex, self.s.phasing) != aims.edge:
            return False
        return paid + HALF <= self.left and any(grid.neighbour(at.hex, d % 6) < 0 for d in (at.vca, at.vca + 1))

    def hull_down(self, h: Hex) -> float:
        """What is left of the danger behind cover: D4.2 a hit on the hull is none."""
        s = self.s
        place = Spot(h, Place.IN if self.out.inside(h) else Place.GROUND)
        looking = [foe for foe in self.out.seen_by(h) if foe.guns]
        lines = s.stage.sights.lines
        low = sum(1 for foe in looking if any(one.hull_down for one in covers(lines, foe.spot, place)))
        return 1 - 0.5 * low / max(1, len(looking))


Reached = tuple[int, tuple[Action, ...], float]
"""The points spent, what is done to get there, and what the way may cost."""
BURST = 0.3
"""What having Infantry in range of its machine guns counts."""
BATTERY = 0.9
"""The same of the crew of a Gun that is seen."""
NORMAL_RANGE, SHELLING_RANGE = 8, 14
HEAVY = 7.0
"""The FP of HE that counts in full: see `he_power`."""
WORTH_A_STOP = 0.8
RUNNING_FIGHT = 0.2
GONE, OFF = 0.35, 1.0
"""The share of its worth that it counts to be at the edge that is to be left by, and to be gone in the same move."""
"""What shots count for a vehicle that has to leave by an edge."""
SPENT = 0.3
"""C5.6 what is left of the danger of a gun that has fired: it may fire intensively."""
ABOUT = 10
"""Vehicles so near attack together."""
NEARER, AWAY = 0.4, 60
"""What being nearer counts on a table that is judged, and the halves of MF beyond which far is far."""
PASSING = 0.3
"""How much of a gun's fire a vehicle meets that passes through its sight."""


def best_drive(out: Outlook, u: int, left: int | None = None) -> Drive:
    """The move of a vehicle that gains most; nothing to do is to stay."""
    s, params = out.s, out.params
    wheel = Wheel(out, u, allotment(s, u) if left is None else left)
    places = wheel.reach()
    here = wheel.standing(wheel.start, close=True, halts=not wheel.going)

    def worth(node: Node, close: bool) -> float:
        paid, _, risk = places[node]
        return wheel.standing(node, risk, close, paid + STOP <= wheel.left)

    facing: dict[Hex, Node] = {}  # of each hex the facing that is safest, or the one that costs least
    for node, (paid, _, _) in places.items():
        if paid + STOP > wheel.left and node.hex in facing:
            continue
        old = facing.get(node.hex)
        if old is None or (wheel.danger(node), places[node][0]) < (wheel.danger(old), places[old][0]):
            facing[node.hex] = node
    ranked = sorted(facing.values(), key=lambda node: (-worth(node, False), node))
    best = Drive(0.0, (), wheel.start)
    for node in ranked[: params.ends]:
        paid, deeds, _ = places[node]
        if node.hex == wheel.start.hex and node.vca == wheel.start.vca:
            continue
        gain = worth(node, True) - here
        if gain > best.gain:
            stops = out.seen_by(node.hex) and paid + STOP <= wheel.left and not wheel.runs(node)
            best = Drive(gain, (*deeds, (int(verbs.STOP),)) if stops else deeds, node)
    for node, (paid, deeds, risk) in places.items():
        if wheel.off(node, paid):
            gain = (1 - risk) * (OFF * wheel.worth - wheel.pull(wheel.start.hex)) - wheel.fear * risk - here
            if gain > best.gain:
                best = Drive(gain, deeds, node)
    if not best.deeds and wheel.going and not wheel.runs(wheel.start):
        fight = params.duel * wheel.shots(wheel.start) + wheel.bursts(wheel.start)
        if fight > params.leave:  # D2.4 who is in Motion does not fire before he moves
            best = Drive(fight, ((int(verbs.STOP),),), wheel.start)
    return best_overrun(wheel, places, here, best) if overruns(s, u) else best


def best_overrun(wheel: Wheel, places: Mapping[Node, Reached], here: float, best: Drive) -> Drive:
    """D7 the Overrun that gains more than any other move, if there is one."""
    out, s, u = wheel.out, wheel.s, wheel.u
    prey = overrunnable(out)
    if not prey:
        return best
    grid, fear = s.stage.grid, wheel.fear
    quarters = quarter(s, u)
    spoils: dict[Hex, float] = {}
    for node, (paid, deeds, risk) in places.items():
        ahead = {grid.neighbour(node.hex, d % 6) for d in (node.vca, node.vca + 1)}
        for h, halves in wheel.steps[node.hex]:
            if h not in ahead or h not in prey or h not in s.stage.out or node.hex in prey:
                continue
            used = paid + halves + quarters
            if used > wheel.left:
                continue
            if h not in spoils:
                spoils[h] = trodden(out, u, h, prey[h])
            stays = used + 2 * HALF > wheel.left  # with something left it drives on, out of their reach
            loss = struck(out, u, h, node.vca) * (2.0 if stays else 1.0)
            gain = (1 - risk) * (spoils[h] + wheel.pull(h) - wheel.pull(wheel.start.hex))
            gain -= fear * min(1.0, risk + loss)
            gain -= fear * max(0.0, wheel.danger(Node(h, node.vca)) - wheel.danger(wheel.start))
            if gain > best.gain and gain > out.params.overrun:
                best = Drive(gain, (*deeds, (int(verbs.OVERRUN), s.stage.out[h])), Node(h, node.vca))
    return best


def approach(out: Outlook) -> float:
    """What it counts against an attacker that his men and fighting vehicles are still so far from their goals."""
    s, roster, params = out.s, out.s.stage.roster, out.params
    own = roster.of_side[out.me] & ~(s.captive | s.broken | s.wreck | s.immobile | s.mounted)
    men = [u for u in units_of(own & roster.men) if s.at[u] >= 0 and gun_of(s, u) < 0]
    found = 0.0
    for u, draw in assign(out, men).items():
        found -= NEARER * params.forward * draw.weight * min(draw.far[s.at[u]], AWAY) / HALF
    for u in units_of(own & roster.vehicles):
        goal = goal_of(out, u) if s.at[u] >= 0 and fights(s, u) else None
        if goal is not None:
            found -= NEARER * params.armour_forward * goal.weight * min(goal.far[s.at[u]], 2 * AWAY) / HALF
    return found


def fights(s: State, u: int) -> bool:
    """Whether a vehicle is armed."""
    kind = vehicle_of(s, u)
    return bool(kind.ma or kind.bmg or kind.cmg or kind.aamg)


def leaving(out: Outlook, u: int) -> tuple[Action, ...] | None:
    """A2.6 what a vehicle at the edge that it has to leave by does before it leaves: Start, and turn to it."""
    s, grid = out.s, out.s.stage.grid
    here = s.at[u]
    wanted = out.aims.edge >= 0 and vehicle_of(s, u).armoured and not s.recalled >> u & 1
    if not wanted or not exit_hexes(s, out.aims.edge) >> here & 1:
        return None
    deeds: list[Action] = [] if s.motion >> u & 1 else [(int(verbs.START),)]
    for turns in (0, 1, -1, 2, -2, 3):
        vca = (s.vca[u] + turns) % 6
        if any(grid.neighbour(here, d % 6) < 0 for d in (vca, vca + 1)):
            way = 1 if turns > 0 else -1
            deeds += [(int(verbs.TURN), (s.vca[u] + way * (i + 1)) % 6) for i in range(abs(turns))]
            return tuple(deeds)
    return None


def carries(s: State, u: int) -> bool:
    """Whether it has somebody or something aboard that is to be set down."""
    roster = s.stage.roster
    return bool(sum(1 << one for one in passengers(s, u)) & (roster.men | roster.guns))


# Loads


def lands(out: Outlook, u: int) -> bool:
    """Whether it is time to set down what it carries: near the goal, or where it would be shot at in earnest and from
    where men could still walk there."""
    s, goal = out.s, goal_of(out, u)
    h = s.at[u]
    if goal is not None and goal.far[h] <= LAND:
        return True
    return walkable(out, u) and (out.risk(h, 0, False) >= HOT or gunned(out, u, h) >= HOT)


def near_goal(out: Outlook, u: int) -> bool:
    """Whether those aboard could as well walk from here: two turns of it, or as long as there is time for."""
    goal = goal_of(out, u)
    return lands(out, u) or (goal is not None and goal.far[out.s.at[u]] <= 2 * LAND)


def walkable(out: Outlook, u: int) -> bool:
    """Whether men who get off here still come to their goal before the end; a defender has no such hurry, and a Gun
    fires from where it is set down."""
    s, take = out.s, sum(1 << h for h, weight in out.aims.take.items() if weight >= WANTED)
    if not out.aims.attacks or not take or towed_gun(s, u) >= 0:
        return True
    far = distances(s.stage.field, FOOT, take)[s.at[u]]
    return far <= A_TURN_ON_FOOT * (s.stage.turns - s.turn - 1)


def drivable(s: State, side: int) -> list[int]:
    """The vehicles of a side that could move."""
    able = all_vehicles(s, side) & ~(s.wreck | s.abandoned | s.immobile | s.bogged | s.stunned | s.shocked | s.moved)
    return [u for u in units_of(able) if s.at[u] >= 0]


def gunned(out: Outlook, u: int, h: Hex) -> float:
    """The share of a vehicle that the guns in plain view would take in a hex."""
    wheel, left = Range(out.s), 1.0
    for foe in out.foes:
        if foe.guns and out.sees(foe, h, out.inside(h)):
            for gun, tube in foe.guns:
                left *= 1 - wheel.share(gun, tube, foe.hex, u, h, out.s.vca[u], DUST)
    return 1 - left


def end_of_drive(out: Outlook, u: int, legal: Sequence[Action], unload: bool = False) -> Action:
    """What a vehicle does where its way ends: set down its load, leave the map, or halt."""
    s = out.s
    if (verbs.EXIT,) in legal and out.aims.edge >= 0 and exit_hexes(s, out.aims.edge) >> s.at[u] & 1:
        return (int(verbs.EXIT),)
    if carries(s, u) and (unload or lands(out, u)):
        for verb in (verbs.UNHOOK, verbs.DISEMBARK):
            loads = [a for a in legal if a[0] == verb]
            if loads:
                return loads[0]
            if verb == verbs.UNHOOK and towed_gun(s, u) >= 0:
                break  # C10.1 that takes half of its MP: the crew stays with its Gun until the next turn
        if (verbs.STOP,) in legal:
            return (int(verbs.STOP),)
    if (verbs.DISPENSE,) in legal and gunned(out, u, s.at[u]) >= HOT and not s.smoke.get(s.at[u], 0):
        return (int(verbs.DISPENSE),)
    for verb in (verbs.UNBOG, verbs.HALT):
        if (verb,) in legal:
            return (int(verb),)
    going = [a for a in legal if a[0] in (verbs.TO, verbs.START, verbs.DELAY)]
    return going[0] if going else legal[0]
