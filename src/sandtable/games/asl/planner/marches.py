"""Where Infantry goes: which goal each unit is drawn to, the way there, and what waits at its end.

A march is weighed by what it gains (nearer to the goal, on it, in cover, with the enemy in range) and by what the fire
into it would cost. Nobody walks in the open under fire if he can get on under cover or wait.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..movement.points import HALF, allotment, overfull
from ..table.ids import LEADER
from ..table.state import State, good_order, gun_of, men
from ..table.works import shelter_for
from .goals import defended
from .outlook import Outlook
from .ways import FAR, FOOT, chart, distances
from .worth import value

GRENADE_SMOKE, GRENADE_MF = 2, 2
THROWN_UNDER_FIRE = 0.15
"""Whoever may lose more than this where he stands does not stop to throw SMOKE."""
FEW = 12
"""So many goal hexes are looked at one by one; more of them are one goal."""
LONG = 24
"""Halves of MF at which a goal has lost half of its pull."""
ASSAULT = 2
"""Turns that are kept for the assault itself."""
BENEATH = 1
"""The TEM that an entrenchment gives at least."""
NEAR = 3
"""An attacker guards what he has taken only from an enemy so near: it stays his when he goes on."""
ALONE, RALLIES, ASTRAY, FLOCK = 0.6, 0.8, 0.06, 8
"""What it counts against a leader to be alone, what each broken man with him counts, and being a hex nearer to some."""
COMPANY, MOST_RALLIED = 0.25, 3
"""What each man counts with whom a leader is, and how many broken ones of them he can look after."""
LEADS = 0.5
"""How much of the pull of a goal a leader feels: he goes where his men are."""
BOLDEST = 0.6
"""What is left at least of a leader's fear, however late it is: nobody takes a hex with him alone."""
BESIDE, MANY = 5, 6
"""How near somebody goes forward beside a unit, and how many of those make a difference."""
DUG_IN = 0.6
"""What a defender has to gain by leaving an entrenchment, beside what moving at all has to bring."""


class Draw(NamedTuple):
    """What a unit is drawn to."""

    far: tuple[int, ...]
    """Hex -> how far the goal is."""
    weight: float
    hex: Hex
    """The goal itself, -1 if it is an area."""


class March(NamedTuple):
    """A move that could be made."""

    gain: float
    path: tuple[Hex, ...]
    risk: float
    """The share of the unit that the way there may cost."""


def draws(out: Outlook) -> list[Draw]:
    """The goals of a side, each with the way to it from everywhere."""
    s, aims = out.s, out.aims
    field = s.stage.field
    found: list[Draw] = []
    wanted = dict(aims.take)
    if not aims.attacks:  # a defender goes where what he holds lies open, and takes back what is lost
        enemies = {foe.hex for foe in out.foes}
        near = [h for h in aims.hold if any(s.stage.grid.distance(h, e) <= 8 for e in enemies)]
        wanted |= {h: aims.hold[h] for h in near if not defended(s, out.me, h)}
    most = max(wanted.values(), default=1.0)
    if aims.attacks and most < 1:  # what is wanted most draws in full
        wanted = {h: weight / most for h, weight in wanted.items()}
    if len(wanted) > FEW:
        by_weight: dict[float, int] = {}
        for h, weight in wanted.items():
            by_weight[weight] = by_weight.get(weight, 0) | 1 << h
        return [Draw(distances(field, FOOT, mask), weight, -1) for weight, mask in sorted(by_weight.items())]
    for h, weight in sorted(wanted.items()):
        found.append(Draw(distances(field, FOOT, 1 << h), weight, h))
    return found


def assign(out: Outlook, units: list[int]) -> dict[int, Draw]:
    """Who goes where: the nearest first, and not all to the same goal."""
    s, goals = out.s, draws(out)
    crowd = [0.0] * len(goals)
    found: dict[int, Draw] = {}
    if not goals:
        return found
    near = {u: min(one.far[s.at[u]] for one in goals) for u in units}
    for u in sorted(units, key=lambda one: (near[one], one)):
        best = max(
            range(len(goals)),
            key=lambda i: (goals[i].weight / (1 + crowd[i]) / (LONG + goals[i].far[s.at[u]]), -i),
        )
        if goals[best].far[s.at[u]] < FAR:
            found[u] = goals[best]
        if goals[best].hex >= 0:
            crowd[best] += 0.5 * s.kind(u).equivalents / 2
    return found


def slack(out: Outlook, far: int) -> int:
    """Turns to spare before a goal so far away must be reached: 4 MF and an advance a turn, and two to assault it."""
    s = out.s
    turns = s.stage.turns - s.turn - ASSAULT
    return turns - -(-far // (5 * HALF))


def haste(out: Outlook, far: int) -> float:
    """How urgent it is to get on: 1 for who is late, less for who has time."""
    spare = slack(out, far)
    return 1.0 if spare <= 0 else 0.8 if spare == 1 else 0.6 if spare == 2 else 0.45


def fear(out: Outlook, u: int, draw: Draw | None) -> float:
    """What a point of losses counts for a unit: an attacker who is late has to take them."""
    params = out.params
    if not out.aims.attacks or draw is None:
        return params.fear
    pressed = out.pressed(params.press, slack(out, draw.far[out.s.at[u]])) / (1 + params.mass * mates(out, u))
    return params.fear * (max(BOLDEST, pressed) if out.s.kind(u).kind == LEADER else pressed)


def mates(out: Outlook, u: int) -> int:
    """Those who could go forward beside a unit: the enemy has only so many shots."""
    s = out.s
    near = s.stage.grid.within(s.at[u], BESIDE)
    own = out.marchers & ~(1 << u)
    return min(MANY, sum(1 for one in units_of(own) if near >> s.at[one] & 1))


def tem_at(out: Outlook, u: int, h: Hex) -> int:
    """The TEM that a unit would have in a hex once it is settled there."""
    s = out.s
    found = out.cover(h)
    under = s.under[u] if s.at[u] == h else shelter_for(s, h, 1 << u, out.me)
    return max(found, BENEATH if under else 0)


def lure(out: Outlook, u: int, h: Hex, draw: Draw | None) -> float:
    """What being in a hex is worth to a unit for the scenario: nearer to its goal, on it, or where it has to hold."""
    s, params, aims = out.s, out.params, out.aims
    found = 0.0
    if draw is not None and draw.far[h] < FAR:
        forward = params.forward * (LEADS if s.kind(u).kind == LEADER else 1.0)
        found -= forward * haste(out, draw.far[s.at[u]]) * draw.weight * draw.far[h] / HALF
    others = good_order(s, men(s, h, out.me)) & ~(1 << u)
    if h in aims.take and not men(s, h, 1 - out.me) & ~s.hip:
        found += params.goal * aims.take[h] / (1 + others.bit_count())
    if aims.ground >> h & 1 and aims.lack and s.turn >= s.stage.turns - 1 and (aims.below or not out.inside(h)):
        found += params.ground * aims.lack * value(s, u)
    if h in aims.hold and (not aims.attacks or any(s.stage.grid.distance(foe.hex, h) <= NEAR for foe in out.foes)):
        found += params.hold * aims.hold[h] / (1 + others.bit_count())
    return found


def standing(out: Outlook, u: int, h: Hex, draw: Draw | None) -> float:
    """What it is worth that a unit stands in a hex at the end of its move."""
    s, params = out.s, out.params
    tem = tem_at(out, u, h)
    found = lure(out, u, h, draw)
    if out.fire(h) or out.blasted(h, tem):
        found += params.cover * tem
        beside = (men(s, h, out.me) & ~(1 << u) & s.stage.roster.men).bit_count()
        crowd = 1 + params.crowd * min(3, beside)
        found -= fear(out, u, draw) * value(s, u) * out.risk(h, tem, False, s.kind(u).morale or 7) * crowd
    reach = s.kind(u).range
    if reach and any(s.stage.grid.distance(foe.hex, h) <= reach and out.sees(foe, h) for foe in out.foes):
        found += params.sight
    if s.kind(u).kind == LEADER:
        found += shepherds(out, u, h)
    return found


def shepherds(out: Outlook, u: int, h: Hex) -> float:
    """A10.6 what a leader is worth in a hex: he rallies broken men there, or nears them, where no other leader is with
    them already, and goes nowhere alone."""
    s, roster = out.s, out.s.stage.roster
    flock = men(s, h, out.me) & ~(1 << u)
    followers = sum(1 << one for one in units_of(flock) if s.kind(one).kind != LEADER)
    found = COMPANY * min(3, followers.bit_count()) if followers else -ALONE
    lost = s.broken & roster.of_side[out.me] & roster.men & ~s.captive
    led = {s.at[one] for one in units_of(out.leaders & ~(1 << u))}
    alone = [one for one in units_of(lost) if s.at[one] >= 0 and s.at[one] not in led]
    if alone:
        span = min(s.stage.grid.distance(s.at[one], h) for one in alone)
        here = sum(1 for one in alone if s.at[one] == h)
        found += RALLIES * min(MOST_RALLIED, here) + ASTRAY * max(0, FLOCK - span)
    return found


def reach(out: Outlook, u: int, halves: int, start: Hex) -> dict[Hex, tuple[float, tuple[Hex, ...]]]:
    """The hexes that a unit can walk to, each with the risk of the safest short way and the way."""
    s = out.s
    steps = chart(s.stage.field, FOOT)
    morale = s.kind(u).morale or 7
    closed = {foe.hex for foe in out.foes}
    found: dict[Hex, tuple[float, tuple[Hex, ...]]] = {start: (0.0, ())}
    heap: list[tuple[float, int, float, Hex, tuple[Hex, ...]]] = [(0.0, 0, 0.0, start, ())]
    done: set[Hex] = set()
    while heap:
        _, spent, risk, h, path = heappop(heap)
        if h in done:
            continue
        done.add(h)
        found[h] = (risk, path)
        for n, price in steps[h]:
            if n in done or n in closed or spent + price > halves or n not in s.stage.out:
                continue
            more = risk + (1 - risk) * out.passing(n, out.cover(n), morale)
            heappush(heap, (0.04 * (spent + price) + 3 * more, spent + price, more, n, (*path, n)))
    return found


def best_march(out: Outlook, u: int, draw: Draw | None, led: bool = False, spent: int = 0) -> March:
    """The move of a unit that gains most; an empty path is to stay."""
    s, start = out.s, out.s.at[u]
    stay = standing(out, u, start, draw)
    if s.under[u] and not out.aims.attacks:
        stay += DUG_IN
    best = March(0.0, (), 0.0)
    worth = fear(out, u, draw) * value(s, u)
    for h, (risk, path) in reach(out, u, allotment(s, u, led) - spent, start).items():
        if not path or overfull(s, h, out.me, 1 << u):
            continue
        gain = standing(out, u, h, draw) - stay - worth * risk
        if gain > best.gain:
            best = March(gain, path, risk)
    return best


def saves(out: Outlook, u: int, h: Hex, draw: Draw | None) -> bool:
    """Whether a SMOKE grenade thrown into the next hex is worth its MF: for the thrower, and for those who follow."""
    s, params = out.s, out.params
    here, kind = s.at[u], s.kind(u)
    morale = kind.morale or 7
    if not kind.smoke or out.risk(here, out.cover(here), False, morale) > THROWN_UNDER_FIRE:
        return False
    bare, behind = out.passing(h, out.cover(h), morale), out.passing(h, out.cover(h) + GRENADE_SMOKE, morale)
    near = [one for one in movable(s, out.me) if one != u and s.stage.grid.distance(s.at[one], here) <= 2]
    saved = kind.smoke / 6 * (bare - behind) * fear(out, u, draw) * value(s, u) * (1 + 0.5 * min(3, len(near)))
    late = haste(out, draw.far[here]) * draw.weight if draw is not None else 0.0
    return saved > params.grenade + params.forward * late * GRENADE_MF


def mans(s: State, u: int) -> bool:
    """Whether somebody serves a Gun: he stays with it."""
    return gun_of(s, u) >= 0


def movable(s: State, side: int) -> list[int]:
    """Good Order Infantry of a side on the map that has not moved."""
    roster = s.stage.roster
    able = good_order(s, roster.men & roster.of_side[side]) & ~(s.moved | s.pinned | s.mounted | s.ti)
    return [u for u in units_of(able) if s.at[u] >= 0 and not mans(s, u)]
