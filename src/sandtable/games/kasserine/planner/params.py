"""What the planner's judgement and its work depend on: one object, so that others can be tried without touching it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp
from random import Random

Sides = tuple[float, float]
"""By side: the Axis, the Allies."""


@dataclass(frozen=True, slots=True)
class Params:
    """How much is looked at, and what counts for how much.

    The work is counted, never timed: the same table and the same seed give the same play on any machine. Points are
    victory points, or what is taken to be worth as much.
    """

    # How much is looked at
    targets: int = 30  # enemy hexes looked at for an attack in a phase
    attackers: int = 12  # units tried against one of them
    attacks: int = 10  # attacks planned in a phase
    goals: int = 8  # goals to which ways past the enemy are worked out
    spots: int = 60  # hexes looked at for the end of one march

    # What an attack has to promise
    least: Sides = (1.0, 1.2)
    least_overrun: Sides = (1.5, 1.5)
    clearing: float = 0.4  # what it is worth to clear any hex
    place: float = 0.75  # what is left of a place's points for taking it now
    lure: Sides = (1.0, 1.0)  # for hexes on the way to a goal
    retreat: float = 0.12  # of what units are worth: that they have to go back
    disruption: float = 0.10  # that they are disrupted
    trapped: float = 0.75  # that they have to go back and cannot
    after: Sides = (0.3, 0.2)  # of the danger in which attackers stand afterwards
    strength: float = 0.12  # what a point of strength is worth besides the victory points

    # Where units go
    near: float = 5.0  # movement points that make a goal half as attractive
    crowd: float = 0.15  # what is left of a goal's attraction when enough are on their way
    forward: Sides = (1.0, 0.8)  # a movement point nearer to the goal
    exposed: Sides = (2.0, 1.0)  # standing where the enemy can attack in strength
    moves_again: float = 0.6  # what is left of that for who moves once more before he can (6.12)
    company: float = 0.6  # of the strength of those who can come to the same hex after a unit
    mass: float = 1.6  # how much more a unit is drawn to where its formation goes
    garrison: float = 0.35  # what is left of a post's attraction for the Axis' striking force
    cover: float = 0.6  # a die-roll modifier of the ground where the enemy comes
    unsupplied: float = 5.0  # a day out of the reach of supply
    cut_off: float = 18.0  # a second day: then it breaks (5.12b)
    hold: float = 1.0  # standing where a place is held
    block: float = 1.0  # standing in the enemy's way
    clear_mines: float = 3.0  # standing on an enemy minefield in a road until the engineers have done with it
    exit_worth: float = 20.0  # how an exit attracts that nobody guards
    guarded: float = 16.0  # defense strength around an exit that leaves half of that

    whim: int = 0  # another idea of what each goal is worth; 0 is none

    # The reaction
    flee: float = 0.6  # how much worse a fight must be than giving way
    react: float = 0.4  # what a reaction must mend
    command: float = 0.8  # what an attempt must be worth to spend Command Points on it


NORMAL = Params()

LIGHT = Params(targets=12, attackers=7, attacks=5, goals=4, spots=25)
"""A light setting: for playing games out, where many moves matter more than the best."""

FANCY = 0.6
"""By how much ideas of what counts differ: e to the power of so much is usual."""
GOALS = 0.8
"""The same of what a goal is worth."""


def fancied(p: Params, rng: Random) -> Params:
    """The same side with other ideas of what counts: for plans that it would not think of otherwise."""

    def much(spread: float = FANCY) -> float:
        return exp(rng.gauss(0.0, spread))

    def both(sides: Sides, spread: float = FANCY) -> Sides:
        more = much(spread)
        return sides[0] * more, sides[1] * more

    return replace(
        p,
        whim=1 + rng.getrandbits(32),
        least=both(p.least),
        least_overrun=both(p.least_overrun),
        place=p.place * much(),
        lure=both(p.lure),
        after=both(p.after),
        near=p.near * much(),
        forward=both(p.forward),
        exposed=both(p.exposed),
        mass=1.0 + (p.mass - 1.0) * much(),
        cover=p.cover * much(),
        hold=p.hold * much(),
        block=p.block * much(),
    )


def fancy(whim: int, goal: int) -> float:
    """How much more or less a goal is worth by a whim."""
    return exp(Random(f"{whim} {goal}").gauss(0.0, GOALS))
