"""What the planner's judgement and its work depend on: one object, so that others can be tried without touching it."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Params:
    """How much is looked at, and what counts for how much.

    The work is counted, never timed: the same table and the same seed give the same play on any machine. Everything is
    reckoned in victory points: a squad counts 2, a tank its DVP.
    """

    # How much is looked at
    targets: int = 12  # hexes for which a fire attack is put together in earnest
    ends: int = 14  # ends of a vehicle's move that are looked at closely
    marks: int = 6  # targets for which a shot of ordnance is reckoned with all its cases

    # Fire
    least: float = 0.12  # what an attack has to promise when it costs nothing else
    first: float = 0.30  # what Defensive First Fire has to promise
    again: float = 1.4  # by how much more Subsequent First Fire
    protective: float = 3.0  # by how much more Final Protective Fire, which is a Morale Check for whoever fires
    reveal: float = 0.30  # what a "?" is worth
    ambush: float = 1.1  # what a hidden Gun is worth before its first shot
    unmask: float = 0.35  # what a Gun under a "?" is worth before it
    grenade: float = 0.05  # what a SMOKE grenade has to save beyond the MF that it costs
    prep: float = 0.2  # what moving on is worth to a squad that is late, beside Prep Fire

    # Movement
    forward: float = 0.22  # a MF nearer to the goal
    goal: float = 1.6  # standing in a hex that is to be taken
    hold: float = 1.1  # standing in a hex that is to be held
    fear: float = 1.0  # what a point of expected losses counts
    press: tuple[float, ...] = (0.15, 0.3, 0.5, 0.7)  # what is left of that for an attacker, by the turns to spare
    mass: float = 0.2  # by how much less is feared for each other that goes forward beside it
    ground: float = 1.0  # at the end, being on ground on which so much must be: by the share that is missing
    now: float = 2.5  # how much more it counts for a vehicle to get on when it is late
    cover: float = 0.10  # a point of TEM where the enemy sees it
    sight: float = 0.5  # having enemies in range
    leave: float = 0.25  # what has to be gained by moving at all

    onward: float = 0.03  # the same in the Advance Phase, for an attacker: nobody fires at who advances
    crowd: float = 0.25  # by how much more is feared for each other unit in the hex: one attack hits them all

    # Close Combat
    clash: float = 0.15  # what an advance into Close Combat has to promise

    # Vehicles
    duel: float = 0.8  # the shot that it will have from there
    armour_fear: float = 0.7  # the shots that it will take there
    shots: float = 2.4  # so often a gun fires at what stands before it until its next move
    volleys: float = 1.8  # so often at most a gun fires at one that passes before it
    together: float = 0.5  # by how much fewer shots fall to each for every other that attacks with it
    armour_press: tuple[float, ...] = (0.08, 0.14, 0.3, 0.55, 0.8)  # what is left of that, by the turns to spare
    armour_forward: float = 0.18
    armour_prep: float = 1.0  # how much of what its move promises a vehicle forgoes by Prep Fire
    lurking: float = 0.7  # how much of what Guns that are still to be found could do is feared
    overrun: float = 0.5  # what an Overrun has to promise

    def with_work_of(self, other: Params) -> Params:
        """The same way of playing, with as much looked at as by another."""
        return replace(self, targets=other.targets, ends=other.ends, marks=other.marks)


NORMAL = Params()

LIGHT = Params(targets=4, ends=5, marks=3)
"""A light setting: for playing games out, and for easy play."""

CAREFUL = replace(NORMAL, fear=1.7, armour_fear=1.2, leave=0.4)
GOALS = replace(NORMAL, goal=3.0, hold=2.2, clash=0.0)

ATTACKS: tuple[Params, ...] = (
    NORMAL,
    replace(NORMAL, fear=0.35, armour_fear=0.25, forward=0.36, armour_forward=0.33, lurking=0.25),
    CAREFUL,
    replace(NORMAL, prep=0.0, leave=2.0, sight=0.9, duel=1.4),
    replace(NORMAL, prep=1.5, least=0.3, forward=0.3, armour_forward=0.25),
    GOALS,
)
"""Ways of playing a Player Turn for who has something to take: as usual; bolder, more careful; to stay and fire, to go
on without firing before; the goals before everything else."""

DEFENDS: tuple[Params, ...] = (
    NORMAL,
    CAREFUL,
    replace(NORMAL, first=0.15, ambush=0.5, unmask=0.1, reveal=0.1),
    replace(NORMAL, first=0.55, ambush=2.0, unmask=0.9, reveal=0.6),
    GOALS,
)
"""The same for who has to hold: as usual; more careful; to fire at once, to hold fire; the goals first."""
