"""What the planner's judgement depends on: one object, so that other ways of playing can be tried beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace

Sides = tuple[float, float]
"""A figure for the Axis and one for the Soviets."""


@dataclass(frozen=True, slots=True)
class Params:
    """What counts for how much. The work is counted, never timed."""

    # How much is looked at
    company: int = 9  # units thought of for one attack
    ahead: int = 3  # turns that are played out to weigh a plan
    # Fights
    worth_a_fight: float = 0.6
    raid: float = 3.0  # a mobile assault has to promise more: the units could do something else
    enough: int = 6  # the column from which on nobody more is asked to join
    least: Sides = (0.3, 0.8)  # a planned attack has to promise that much
    lure: Sides = (1.5, 0.4)  # how much the goals behind a target count
    cleared: float = 2.5  # what it is worth to push somebody back
    # Marches
    shy: Sides = (1.0, 4.0)  # what it costs to stand in an enemy ZOC
    unfed: Sides = (6.0, 3.0)  # what it costs to stand without supply
    crowded: float = 40.0
    post: float = 12.0  # the danger to a place at which it draws as strongly as one to be taken
    # Garrisons: odds to be kept below, to one, and the hexes around in which enemies count
    firmly: tuple[float, int] = (3, 5)  # Rostov
    thinly: tuple[float, int] = (6, 3)  # what gives points: everybody else is needed elsewhere


NORMAL = Params()
LIGHT = Params(company=7)

VARIANTS = (
    NORMAL,
    replace(NORMAL, worth_a_fight=-0.6, raid=1.5, least=(-1.0, -0.6)),
    replace(NORMAL, worth_a_fight=2.0, raid=5.0, least=(2.5, 3.0)),
    replace(NORMAL, lure=(4.0, 1.5), shy=(0.3, 2.0)),
    replace(NORMAL, shy=(2.5, 8.0), thinly=(4, 4)),
    replace(NORMAL, thinly=(12, 2), firmly=(5, 4), unfed=(3.0, 2.0)),
    replace(NORMAL, thinly=(2, 5), post=7.0),
    replace(NORMAL, cleared=5.0, least=(0.0, 0.3), lure=(2.5, 1.0)),
    replace(NORMAL, post=30.0, lure=(2.5, 0.8), unfed=(4.0, 2.0)),
    replace(NORMAL, worth_a_fight=1.2, shy=(0.0, 0.5), least=(1.0, 1.5)),
)
"""Ways of playing a phase that differ: bolder, more careful, thinner and firmer in the rear."""
