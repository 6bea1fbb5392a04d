"""What the planner's judgement and its work depend on: one object, so that others can be tried without touching it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Params:
    """How much is looked at, and what counts for how much.

    The work is counted, never timed: the same table and the same seed give the same play on any machine.
    """

    # How much is looked at (turn.py)
    moves: int = 200  # first moves
    refined: int = 5  # of them, those that are varied
    pairs: int = 4  # first moves to which a second is sought
    seconds: int = 60  # second moves for each
    plans: int = 8  # plans that are weighed with the enemy's answer
    answers: int = 36  # answers looked at
    finalists: int = 4  # of them, those that are looked at on further tables
    worlds: int = 3  # imagined tables
    tries: int = 2400  # positions judged for one decision, at most
    raids: int = 10  # hexes looked at in which a supply line could be cut
    withdrawals: int = 8  # withdrawals looked at with the enemy's answer

    # Plans
    fear: float = 0.75  # how far the enemy is trusted to find his best answer
    blitz_fervour: float = 0.45  # what the second combat phase adds to what the battles promise
    withdrawal_worth: float = 0.4  # what a withdrawal must save

    # What is left of the worth of a block by its state (assessment.py)
    disrupted: float = 0.84
    in_the_open: float = 0.72  # disrupted, and enemies are near: one overrun and it is gone (11.4)
    cut_off: tuple[float, ...] = (0.5, 0.66, 0.74)  # by the real cards in hand
    marked: tuple[float, ...] = (0.42, 0.56, 0.66)
    helpless: float = 0.32  # without supply and disrupted

    # Where blocks are wanted
    march_worth: float = 0.07  # to be one hex nearer to where it is needed: for any block, and for each CV of it
    march_worth_cv: float = 0.017
    tobruk_early: float = 9.0
    tobruk_late: float = 26.0
    besieged_tobruk: float = 0.35  # early in the game; after the last month it is worth nothing (17.3)
    majority: float = 9.0  # more units than the enemy (17.4)
    ratio: float = 22.0  # twice as many (17.2)
    fortress_worth: float = 1.5
    garrison_worth: float = 4.0
    guard_worth: float = 6.0
    base_stake: float = 45.0
    tobruk_stake: float = 8.0

    # The own base (home.py)
    open_base: float = 260.0  # an empty base within his reach
    by_march: float = 0.4  # of that, if he needs a forced march for it, which may fail (6.4)
    held_base: float = 0.6  # of that, if somebody has to be beaten for it first
    later: float = 0.35  # of that, while the own turn comes before his, or he has no cards
    attacker: float = 3.2  # CV of a hidden block
    attackers: int = 6  # blocks that get into the base at once, by hexsides (7.1) and roads
    safe_odds: float = 1.2  # with so much of his CV in the base it will hold for a turn

    # The Buildup (month.py)
    point_worth: float = 0.14  # what a buildup point must bring if it could be saved instead
    lost_point_worth: float = 0.03  # and if it could not (16.5b)
    mine_worth: float = 3.6
    tempo: float = 0.3  # what a month's absence takes from the worth of a block near enemies
    quiet_tempo: float = 0.07  # and elsewhere


NORMAL = Params()

LIGHT = Params(moves=60, refined=1, pairs=1, seconds=12, plans=3, answers=8, finalists=1, worlds=1, tries=240, raids=4)
"""A light setting: for playing games out, where many moves matter more than the best."""
