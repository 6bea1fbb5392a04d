"""What is decided in the Rout, Advance and Close Combat Phases."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import NamedTuple

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..boards.costs import HALF
from ..combat.close import powers, ratio, strength
from ..table import verbs
from ..table.ids import LEADER
from ..table.state import State, good_order, men, vehicles
from ..turn.flight import RouterAt, must
from .marches import DUG_IN, assign, mans, standing
from .outlook import Outlook
from .ways import FOOT, chart
from .worth import DICE, VEILED, seen_value, value

VEILED_STRENGTH = Fraction(2)
WAY_OUT = -0.8
"""A Close Combat that promises less than this is left if one may."""
BROKEN_MORALE = 6
UNDER_FIRE = 0.3
"""The share that fire may take of broken men before they run of themselves."""
INTERDICTS = 16  # A10.53
ROUT_MF = 6 * HALF
SHOT_DOWN = 0.6
"""What a hex in which a router is interdicted counts against its way."""
AGAIN = 0.35
"""What it counts against a refuge that one would have to run again from there, interdicted."""
STILL_DM = 0.1
"""What a Low Crawl costs beside a run to the same hex: A10.62 who crawls stays DM."""


# What Close Combat promises


def felled(s: State, attack: Fraction, defence: Fraction, drm: int = 0) -> float:
    """The share of the defenders that one attack in Close Combat takes."""
    kill = int(s.stage.pack.tables["close_combat"]["kill_number"][ratio(attack, defence)])
    found = 0.0
    for roll, chance in DICE:
        if roll + drm < kill:
            found += chance
        elif roll + drm == kill:
            found += 0.5 * chance
    return found


def power(s: State, units: int, me: int) -> Fraction:
    """The strength of some units in Close Combat, those under the enemy's "?" as squads or nothing."""
    total = Fraction(0)
    for u in units_of(units):
        veiled = s.concealed >> u & 1 and s.stage.roster.side[u] != me
        total += VEILED_STRENGTH if veiled else strength(s, u)
    return total


def promise(out: Outlook, h: Hex, own: int) -> float:
    """What a round of Close Combat in a hex promises if these units of ours fight there."""
    s = out.s
    theirs = men(s, h, 1 - out.me) & ~s.hip
    theirs |= s.here.get(h, 0) & s.stage.roster.dummies & s.stage.roster.of_side[1 - out.me]
    mine = own | (good_order(s, men(s, h, out.me)))
    attack, defence = power(s, mine, out.me), power(s, theirs, out.me)
    able = good_order(s, theirs)
    helpless = theirs & ~able
    worth = sum(VEILED if s.concealed >> u & 1 else seen_value(s, u) for u in units_of(theirs))
    kill = felled(s, attack, max(defence, Fraction(1, 2)), -2 if helpless == theirs else 0)
    lost = felled(s, power(s, able, out.me), max(attack, Fraction(1, 2))) if able else 0.0
    own_worth = sum(value(s, u) for u in units_of(mine))
    prize = out.params.goal * max(out.aims.take.get(h, 0.0), out.aims.hold.get(h, 0.0))
    late = 1.6 if s.turn >= s.stage.turns - 1 else 1.0
    return kill * (worth + prize * late) - lost * own_worth


def comrades(s: State, h: Hex, side: int, units: list[int]) -> int:
    """Those of some units who stand beside a hex: as many as find room there."""
    found, room = 0, 6 - sum(s.kind(u).equivalents for u in units_of(men(s, h, side)))
    for u in sorted(units, key=lambda one: (-strength(s, one), one)):
        size = s.kind(u).equivalents
        if s.stage.grid.distance(s.at[u], h) == 1 and size <= room and (size or found):
            found |= 1 << u
            room -= size
    return found


# A10.5 Routs


def rout(out: Outlook, legal: Sequence[Action]) -> Action:
    """Who must run runs; who may does so if he lies under fire and the first step is not worse than that."""
    s = out.s
    for action in legal:
        if action[0] == verbs.ROUT and (must(s, action[1]) or _flees(out, action[1])):
            return action
    stays = [a for a in legal if a[0] == verbs.STAY]
    if stays:
        return stays[0]
    return (int(verbs.END_ROUTS),) if (verbs.END_ROUTS,) in legal else legal[0]


def _flees(out: Outlook, u: int) -> bool:
    """Whether a broken unit that may stay runs: out of fire, if it gets away without being shot down."""
    s = out.s
    here = s.at[u]
    under = out.risk(here, max(out.cover(here), 1 if s.under[u] else 0), False, BROKEN_MORALE)
    if under < UNDER_FIRE:
        return False
    end = flight(out, u, 0).end
    return end != here and out.risk(end, out.cover(end), False, BROKEN_MORALE) < under / 2


def interdicted(out: Outlook, h: Hex) -> bool:
    """A10.53 in Open Ground, in the plain sight and range of a known enemy."""
    s = out.s
    if not s.stage.field.kind(h).ffmo:
        return False
    inside, distance = out.inside(h), s.stage.grid.distance
    return any(
        foe.known and distance(foe.hex, h) <= min(INTERDICTS, foe.reach) and out.sees(foe, h, inside) == 1
        for foe in out.foes
    )


def refuge(out: Outlook, h: Hex) -> float:
    """How good a hex is for broken men: out of fire, under cover, with a leader."""
    s = out.s
    led = any(s.kind(one).kind == LEADER for one in units_of(men(s, h, out.me) & ~s.broken))
    near = min((s.stage.grid.distance(foe.hex, h) for foe in out.foes), default=9)
    risk = out.risk(h, out.cover(h), False, BROKEN_MORALE)
    again = AGAIN if interdicted(out, h) else 0.0
    return 0.15 * out.cover(h) + (0.8 if led else 0.0) - 2.0 * risk + 0.02 * min(6, near) - again


class Flight(NamedTuple):
    """Where a router runs to."""

    worth: float
    end: Hex
    path: tuple[Hex, ...]


def flight(out: Outlook, u: int, spent: int, stays: bool = True) -> Flight:
    """The best refuge within the MF of a router, every hex under fire on the way counted; who must go does not stay."""
    s, grid = out.s, out.s.stage.grid
    start = s.at[u]
    steps = chart(s.stage.field, FOOT)
    foes = [foe for foe in out.foes if foe.known]
    beside = {foe.hex: grid.within(foe.hex, 1) for foe in foes}
    close = 0
    for mask in beside.values():
        close |= mask
    heap: list[tuple[float, int, Hex, tuple[Hex, ...]]] = [(0.0, spent, start, ())]
    done: set[Hex] = set()
    best = Flight(-99.0, start, ())
    while heap:
        price, used, h, path = heappop(heap)
        if h in done:
            continue
        done.add(h)
        worth = refuge(out, h) - price
        if worth > best.worth + 0.02 and (stays or path):
            best = Flight(worth, h, path)
        seen = [foe.hex for foe in foes if out.sees(foe, h, out.inside(h))]
        for n, halves in steps[h]:
            if n in done or used + halves > ROUT_MF or n in beside or n not in s.stage.out:
                continue
            if close >> n & 1 and not close >> h & 1:
                continue
            if any(grid.distance(e, n) < grid.distance(e, h) for e in seen):
                continue
            more = price + 0.01 * halves + (SHOT_DOWN if interdicted(out, n) else 0.0)
            heappush(heap, (more, used + halves, n, (*path, n)))
    return best


def run(out: Outlook, f: RouterAt, legal: Sequence[Action]) -> Action:
    """Where a router goes next; it crawls where that brings it farther than a run of which little would be left."""
    s, into = out.s, out.s.stage.into
    ways = [(refuge(out, into[a[1]]), a) for a in legal if a[0] == verbs.TO]
    crawls = [(refuge(out, into[a[1]]) - STILL_DM, a) for a in legal if a[0] == verbs.CRAWL]
    goes = flight(out, f.unit, f.spent, stays=bool(f.spent))
    if crawls and max(crawls)[0] > goes.worth:
        return max(crawls)[1]
    if not goes.path and (verbs.HALT,) in legal:
        return (int(verbs.UNDER),) if (verbs.UNDER,) in legal else (int(verbs.HALT),)
    planned = (int(verbs.TO), s.stage.out[goes.path[0]]) if goes.path else ()
    return planned if planned in legal else max(ways)[1] if ways else legal[0]


# A3.7 The Advance Phase


def advance(out: Outlook, legal: Sequence[Action]) -> Action:
    """Into Close Combat at good odds, onto a goal, or into better cover."""
    s, params, into = out.s, out.params, out.s.stage.into
    moves = [a for a in legal if a[0] == verbs.ADVANCE and not mans(s, a[1])]
    units = sorted({a[1] for a in moves})
    goals = assign(out, units)
    dug_in = 0.0 if out.aims.attacks else DUG_IN
    stay = {u: standing(out, u, s.at[u], goals.get(u)) + (dug_in if s.under[u] else 0.0) for u in units}
    roster = s.stage.roster
    fights: dict[Hex, tuple[float, int]] = {}
    best, chosen = params.onward if out.aims.attacks else params.leave, None
    for action in moves:
        u, h = action[1], into[action[2]]
        theirs = men(s, h, 1 - out.me) & ~s.hip
        theirs |= s.here.get(h, 0) & roster.of_side[1 - out.me] & roster.dummies
        if vehicles(s, h, 1 - out.me) & ~s.abandoned:
            continue
        if not theirs:
            gain = standing(out, u, h, goals.get(u)) - stay[u]
        else:
            if h not in fights:
                group = comrades(s, h, out.me, [one for one in units if (verbs.ADVANCE, one, action[2]) in legal])
                fights[h] = (promise(out, h, group), group)
            worth, group = fights[h]
            if not group >> u & 1 or worth < params.clash:
                continue
            gain = params.leave + worth + 0.1 * float(s.kind(u).fp)
        if gain > best:
            best, chosen = gain, action
    return chosen if chosen is not None else (int(verbs.END_ADVANCE),)


# A11 Close Combat


def melee(out: Outlook, legal: Sequence[Action]) -> Action:
    """Everybody attacks together whom it promises most to attack."""
    s, fight = out.s, out.s.fight
    assert fight is not None
    ways = [a for a in legal if a[0] == verbs.WITHDRAW]
    if (verbs.STAND,) in legal:
        return _withdraw(out, ways) or (int(verbs.STAND),)
    joins = [a for a in legal if a[0] == verbs.JOIN]
    if joins:
        return joins[0]
    strikes = [a[1] for a in legal if a[0] == verbs.STRIKE]
    if not strikes:
        return (int(verbs.END_COMBAT),) if (verbs.END_COMBAT,) in legal else legal[0]

    def worth(foes: int) -> float:
        attack, defence = powers(s, fight, foes)
        return felled(s, attack, defence) * sum(seen_value(s, u) for u in units_of(foes))

    every = fight.foes | sum(1 << u for u in strikes)
    alone = max(strikes, key=lambda u: (worth(fight.foes | 1 << u), -u))
    if len(strikes) > 1 and worth(every) > worth(fight.foes | 1 << alone):
        action = (int(verbs.AGAINST), strikes[0])
        if action in legal:
            return action
    return (int(verbs.STRIKE), alone)


def _withdraw(out: Outlook, ways: list[Action]) -> Action | None:
    """Broken men leave; others if the fight is lost."""
    s, fight = out.s, out.s.fight
    assert fight is not None
    if not ways:
        return None
    hopeless = promise(out, fight.hex, 0) < WAY_OUT and fight.hex not in out.aims.hold
    for action in sorted(ways, key=lambda a: (-refuge(out, s.stage.into[a[2]]), a)):
        if hopeless or s.broken >> action[1] & 1:
            return action
    return None


# A11.5 Infantry and vehicles in one Location, D7.2 those who are Overrun


def grapple(out: Outlook, legal: Sequence[Action]) -> Action:
    """The vehicle that is worth most is attacked by everybody."""
    attacks = [a for a in legal if a[0] == verbs.GRAPPLE]
    if not attacks:
        return (int(verbs.END_COMBAT),) if (verbs.END_COMBAT,) in legal else legal[0]
    joins = [a for a in legal if a[0] == verbs.JOIN]
    return joins[0] if joins else max(attacks, key=lambda a: (seen_value(out.s, a[2]), a))


def engage(out: Outlook, legal: Sequence[Action]) -> Action:
    """A vehicle attacks the one enemy that is worth most."""
    attacks = [a for a in legal if a[0] == verbs.ENGAGE]
    if attacks:
        return attacks[0]
    names = [a for a in legal if a[0] == verbs.NAME]
    if names:
        return max(names, key=lambda a: (seen_value(out.s, a[1]), a))
    return (int(verbs.END_COMBAT),) if (verbs.END_COMBAT,) in legal else legal[0]


def react(out: Outlook, legal: Sequence[Action]) -> Action:
    """Whoever can strikes back."""
    return next((a for a in legal if a[0] == verbs.REACT), legal[-1])
