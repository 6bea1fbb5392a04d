"""How the sides campaign, how they play when they are ahead or behind, and other ways to be tried beside these."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp
from random import Random
from typing import NamedTuple


class Mood(NamedTuple):
    """How a side plays that is ahead, or behind."""

    least: float  # an attack has to promise that much
    lure: float  # how much the goals behind a target count
    keep: float  # how much its own places count on the march, beyond their garrisons
    shy: float  # what it costs to stand beside the enemy
    drive: float  # how much more the main goal counts for mobile troops
    pause: float  # 17.4 how much a free supply point counts, in prices of one
    bold: bool  # whether it trusts its front to keep the enemy from what lies behind


class Doctrine(NamedTuple):
    """How a side campaigns."""

    toil: float  # the defence strength in a place that makes it half as inviting
    later: float  # how much an objective counts for each other one that lies nearer to the base and is the enemy's too
    stubborn: float  # how much more a goal counts that was the main goal before
    token: float  # the garrison that is left in places that matter little; what could attack goes on
    around: bool  # whether it marches around the enemy to its goals
    guard: float  # the attack points of the enemy nearby for which a place gets one point of defence
    haste: float  # what a movement point costs that a mobile unit could have come nearer to the main goal


DOCTRINES = (
    Doctrine(6.0, 0.9, 1.25, 2.0, True, 4.0, 0.8),  # the Axis: one airfield after the other, past what is well held
    Doctrine(12.0, 1.0, 1.0, 99.0, False, 5.0, 0.0),  # the Allies: everything is held as the danger asks for
)
AHEAD, BEHIND = Mood(2.5, 0.3, 1.0, 3.0, 1.2, 1.5, False), Mood(0.3, 1.2, 0.25, 1.2, 2.5, 0.8, True)


@dataclass(frozen=True, slots=True)
class Params:
    """What the planner's judgement depends on. The work is counted, never timed."""

    company: int = 12  # units that are thought of for one attack
    worth_a_fight: float = 0.8
    storm: float = 1.5  # what an attack in a breakthrough has to promise
    moods: tuple[Mood, Mood] = (AHEAD, BEHIND)
    doctrines: tuple[Doctrine, Doctrine] = DOCTRINES
    choice: int = 0  # the mobile troops go for the goal that promises most, or the next, or the one after that
    rests: bool = True  # 17.4 whether a phase may be given up for a supply point
    whim: int = 0  # another idea of what each place is worth; 0 is none


PLAIN = Params()
LIGHT = Params(company=8)


def _guarded(more: float) -> tuple[Doctrine, Doctrine]:
    axis, allied = DOCTRINES
    return axis._replace(guard=axis.guard * more, token=axis.token / more), allied._replace(guard=allied.guard * more)


VARIANTS = (
    PLAIN,
    replace(PLAIN, choice=1, rests=False),
    replace(PLAIN, moods=(BEHIND, BEHIND), worth_a_fight=0.3, rests=False),
    replace(PLAIN, moods=(AHEAD, AHEAD), worth_a_fight=2.0),
)
"""Ways of playing a phase that differ: for another goal, bolder, more careful."""

FANCY = 0.6
"""By how much ideas of what counts differ: e to the power of so much is usual."""
PLACES = 0.8
"""The same of what a place is worth."""


def fancied(p: Params, rng: Random) -> Params:
    """The same side with other ideas of what counts: for plans that it would not think of otherwise."""

    def much(value: float) -> float:
        return value * exp(rng.gauss(0.0, FANCY))

    def mood(of: Mood) -> Mood:
        least, lure, keep, shy, drive, pause, _ = of
        return Mood(much(least), much(lure), much(keep), much(shy), much(drive), much(pause), rng.random() < 0.5)

    def doctrine(of: Doctrine) -> Doctrine:
        toil, later, stubborn, token, around, guard, haste = of
        return Doctrine(much(toil), later, stubborn, much(token), around, much(guard), much(haste))

    ahead, behind = p.moods
    axis, allied = p.doctrines
    return replace(
        p,
        whim=1 + rng.getrandbits(32),
        worth_a_fight=rng.uniform(-0.5, 2.0),
        storm=much(p.storm),
        moods=(mood(ahead), mood(behind)),
        doctrines=(doctrine(axis), doctrine(allied)),
        choice=rng.choice((0, 0, 1)),
        rests=rng.random() < 0.5,
    )


def fancy(whim: int, place: int) -> float:
    """How much more or less a place is worth by a whim."""
    return exp(Random(f"{whim} {place}").gauss(0.0, PLACES))
