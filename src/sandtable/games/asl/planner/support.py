"""What is said before the game and between the phases: set-up, bore sights, entry, and the battery behind the lines."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import hexes_in, units_of

from ..table import verbs
from ..table.forces import area_of_side, force_of, forces
from ..table.scenarios import hides
from ..table.state import BATTERY, SHELLED, State
from .drives import HOT, Node, Wheel, carries
from .fires import menace
from .outlook import WAITS, Outlook
from .ways import FAR as NOWHERE
from .ways import FOOT, distances
from .worth import seen_value, value

NEAR, FAR = 5, 10
"""How far from a Gun its bore-sighted hexes lie."""
ASIDE, LOOKED_AT, CHOICE = 3, 6, 3
"""How far from its proposed hex a Gun is hidden, how many hexes are looked at for it, and how many are good enough."""
BLAST = 1
"""The radius of a Concentration that is reckoned with; own men nearer than twice that are not shelled."""
WORTH_SHELLING = 1.5
ABREAST = 1.5
"""What a hex aside of where the scenario lets a piece enter counts against it: not all in one file."""
FULL = 4
"""By how much more one counts who stands there already than one beside it."""
MANY_COME = 0.25
"""The share of a side that is still to come for which one waits off the map."""
SHOT_AT = 20.0
"""What it counts against a place to enter that Guns see it, or may."""


# A2.9 Set-up


def set_up(s: State, me: int, legal: Sequence[Action], rng: Random) -> Action:
    """As the scenario proposes, with the Guns that may hide hidden nearby, and the dummies strewn among the others."""
    hidden = [a for a in legal if a[0] == verbs.HIDE]
    if hidden:
        return hidden[0]
    gun = hide_gun(s, me, legal, rng)
    if gun is not None:
        return gun
    roster = s.stage.roster
    taken = proposed(s, me)
    dummies = [a for a in legal if a[0] == verbs.PLACE and roster.dummies >> a[1] & 1]
    dummies = [a for a in dummies if s.stage.into[a[2]] not in taken]
    if dummies and taken:
        first = min(a[1] for a in dummies)
        ways = [a for a in dummies if a[1] == first]

        def apart(action: Action) -> int:
            h = s.stage.into[action[2]]
            return min(s.stage.grid.distance(h, one) for one in taken)

        near = min(apart(a) for a in ways)
        return rng.choice([a for a in ways if apart(a) <= near + 1])
    return (int(verbs.ACCEPT),) if (verbs.ACCEPT,) in legal else legal[0]


def hide_gun(s: State, me: int, legal: Sequence[Action], rng: Random) -> Action | None:
    """A12.3 the next Gun that may hide but does not in the scenario's proposal: into Concealment Terrain near where it
    proposes it, among the hexes that see most. Never the same twice: who has read the scenario shall not know."""
    index, stage = s.stage.roster.index, s.stage
    spots = [one for group in stage.sides[me]["group"] for one in group.get("default_setup", ())]
    taken = proposed(s, me)
    for one in spots:
        gun = index.get(one["unit"], -1)
        force = force_of(stage.scenario, gun) if gun >= 0 and stage.roster.guns >> gun & 1 else None
        if force is None or not force.hides or one.get("hidden") or one.get("declined_emplacement"):
            continue
        home = stage.field.hex(one["hex"])
        ways = []
        for action in legal:
            if action[0] == verbs.PLACE and action[1] == gun:
                h = stage.into[action[2]]
                apart = stage.grid.distance(h, home)
                if apart <= ASIDE and hides(s, h) and (h == home or h not in taken) and not s.here.get(h, 0):
                    ways.append((apart, action))
        near = [action for _, action in sorted(ways)[:LOOKED_AT]]
        if near:
            views = sorted((-stage.sights.row(stage.into[a[2]]).seen.bit_count(), a) for a in near)
            return rng.choice([a for _, a in views[:CHOICE]])
    return None


def proposed(s: State, me: int) -> set[Hex]:
    """The hexes in which the scenario proposes to set up."""
    spots = [one for group in s.stage.sides[me]["group"] for one in group.get("default_setup", ())]
    return {s.stage.field.hex(one["hex"]) for one in spots}


# C6.4 Bore sights


def bore(s: State, me: int, legal: Sequence[Action]) -> Action:
    """Hexes at a middle range on the side from which the enemy comes, each once."""
    coming = area_of_side(s.stage.scenario, 1 - me)
    for force in forces(s.stage.scenario):
        if force.side != me:
            coming |= force.doors
    starts = hexes_in(coming)
    known = {h for hexes in s.bore.values() for h in hexes}
    best: tuple[float, Action] | None = None
    for action in legal:
        if action[0] != verbs.BORE:
            continue
        h = s.stage.into[action[2]]
        span = s.stage.grid.distance(s.at[action[1]], h)
        if h in known or not NEAR <= span <= FAR or not starts:
            continue
        far = min(s.stage.grid.distance(h, one) for one in starts)
        if best is None or (far, action) < best:
            best = (far, action)
    return best[1] if best is not None else (int(verbs.END_BORES),)


# A2.5 Entry


def proposed_door(s: State, u: int) -> Hex:
    """The hex by which the scenario proposes that a piece enters, -1 if it proposes none: they come on abreast."""
    force = force_of(s.stage.scenario, u)
    name = s.stage.roster.names[u]
    doors = force.script.get("default_entry", ()) if force is not None else ()
    return next((s.stage.field.hex(one["hex"]) for one in doors if one["unit"] == name), -1)


def enter(out: Outlook, legal: Sequence[Action]) -> Action | None:
    """Who is due comes on, where the way to the goal is short and nobody stands yet, if it does not bide its time."""
    s, roster = out.s, out.s.stage.roster
    ways = [a for a in legal if a[0] == verbs.ENTER]
    due = {a[1] for a in ways}
    for u in sorted(due, key=lambda one: (not roster.vehicles >> one & 1, carries(s, one), one)):
        action = _door(out, u, [a for a in ways if a[1] == u])
        if action is not None:
            return action
    return None


def _door(out: Outlook, u: int, ways: Sequence[Action]) -> Action | None:
    """The best hex for a piece to enter by, None if it had better wait for those who come later."""
    s, roster = out.s, out.s.stage.roster
    wheel = Wheel(out, u, 0) if roster.vehicles >> u & 1 else None
    if wheel is not None:
        far = wheel.goal.far if wheel.goal is not None else None
    else:
        take = sum(1 << h for h in out.aims.take)
        far = distances(s.stage.field, FOOT, take) if take else None
    own = [s.at[one] for one in units_of(roster.of_side[out.me] & (roster.vehicles | roster.men)) if s.at[one] >= 0]
    door = proposed_door(s, u)

    def price(action: Action) -> tuple[float, Action]:
        h = s.stage.into[action[2]]
        crowd = sum(FULL if one == h else 1 for one in own if s.stage.grid.distance(one, h) <= 1)
        seen = sum(1 for foe in out.foes if out.sees(foe, h))
        aside = s.stage.grid.distance(door, h) if door >= 0 else 0
        shot = wheel.danger(Node(h, s.vca[u])) if wheel is not None else 0.0
        way = 0.5 * far[h] if far is not None else 0.0
        return way + 3 * crowd + 2 * seen + SHOT_AT * shot + ABREAST * aside, action

    best = min(ways, key=price)
    return None if wheel is not None and bides(wheel, s.stage.into[best[2]]) else best


def bides(wheel: Wheel, h: Hex) -> bool:
    """A2.5 whether a vehicle stays off the map for the time being: it has time, much of its side comes later, and Guns
    would fire at it from the moment when it enters."""
    out, goal = wheel.out, wheel.goal
    if not out.aims.attacks or goal is None or goal.far[h] >= NOWHERE or out.awaited < MANY_COME:
        return False
    return wheel.spare(goal.far[h]) >= WAITS and wheel.danger(Node(h, out.s.vca[wheel.u])) >= HOT


# C1 Offboard Artillery


def shelled(out: Outlook, h: Hex) -> float:
    """What a Concentration on a hex would find there, one's own men counted against it."""
    s, roster, grid = out.s, out.s.stage.roster, out.s.stage.grid
    found = 0.0
    for at in hexes_in(grid.within(h, 2 * BLAST)):
        here = s.here.get(at, 0) & ~(s.hip | s.wreck)
        for u in units_of(here & (roster.men | roster.vehicles | roster.dummies)):
            if roster.side[u] == out.me:
                found -= 2 * value(s, u)
            elif grid.distance(at, h) <= BLAST:
                found += seen_value(s, u) * (0.3 if roster.vehicles >> u & 1 else menace(out, u))
    return found


def call(out: Outlook, legal: Sequence[Action]) -> Action:
    """The battery is called, ranged in on the thickest of the enemy, and fires while he is there."""
    s, into = out.s, out.s.stage.into
    for verb in (verbs.EFFECT, verbs.SPOT_ROUND):
        ways = [(shelled(out, into[a[1]]), a) for a in legal if a[0] == verb]
        if ways:
            worth, action = max(ways)
            if worth >= WORTH_SHELLING:
                return action
    if (verbs.GO_ON,) in legal:  # nobody goes on shelling the ground over which his own men come
        falls = s.oba[out.me * BATTERY + SHELLED]
        return (int(verbs.GO_ON if shelled(out, falls) > 0 else verbs.CEASE),)
    for verb in (verbs.CONTACT, verbs.NO_CALL):
        if (verb,) in legal:
            return (int(verb),)
    return legal[0]
