"""Glicko-2 (Glickman, 2013): how strong somebody is, how sure that is, and how steadily he plays.

Plain functions of numbers. A rating is told on the scale of Elo; the sums are done on Glickman's own, which is smaller
by `SCALE` and has its middle at 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

SCALE = 173.7178
MIDDLE = 1500.0
UNSURE = 350.0
"""The deviation of somebody of whom nothing is known; nobody's is larger."""
TAU = 0.5
"""How much the volatility may change in a period."""
CLOSE = 1e-6


class Rating(NamedTuple):
    """What is known of a player: with 95 in 100 he is within two deviations of his rating."""

    rating: float = MIDDLE
    deviation: float = UNSURE
    volatility: float = 0.06


class Met(NamedTuple):
    """A game against somebody: how he was rated then, and what came of it: 1 won, ½ drawn, 0 lost."""

    opponent: Rating
    score: float


def waited(own: Rating, periods: float) -> Rating:
    """A rating after some time without a game: as high, and less sure (step 6)."""
    phi = _wider(own.deviation / SCALE, own.volatility, periods)
    return own._replace(deviation=phi * SCALE)


def rated(own: Rating, met: Sequence[Met], periods: float = 1.0) -> Rating:
    """A rating after the games of a period, or of so much of one; without games it only gets less sure.

    All opponents are taken as they were before the period, so that the order of its games does not matter.
    """
    if not met:
        return waited(own, periods)
    mu, phi = (own.rating - MIDDLE) / SCALE, own.deviation / SCALE
    weights = [_weight(one.opponent.deviation / SCALE) for one in met]
    expected = [
        1 / (1 + exp(-weight * (mu - (one.opponent.rating - MIDDLE) / SCALE)))
        for weight, one in zip(weights, met, strict=True)
    ]
    v = 1 / sum(weight**2 * share * (1 - share) for weight, share in zip(weights, expected, strict=True))
    gain = sum(weight * (one.score - share) for weight, share, one in zip(weights, expected, met, strict=True))
    sigma = _volatility(own.volatility, v * gain, phi, v)
    before = _wider(phi, sigma, periods)
    after = 1 / sqrt(1 / before**2 + 1 / v)
    return Rating((mu + after**2 * gain) * SCALE + MIDDLE, after * SCALE, sigma)


def _weight(phi: float) -> float:
    """How much a game against somebody tells, by how well he is known: g of step 3."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _wider(phi: float, sigma: float, periods: float) -> float:
    return min(UNSURE / SCALE, sqrt(phi**2 + max(0.0, periods) * sigma**2))


def _volatility(sigma: float, delta: float, phi: float, v: float) -> float:
    """Step 5: the root of f by the Illinois rule, which keeps it between two bounds."""
    a = log(sigma**2)

    def f(x: float) -> float:
        e = exp(x)
        return e * (delta**2 - phi**2 - v - e) / (2 * (phi**2 + v + e) ** 2) - (x - a) / TAU**2

    low, high = a, log(delta**2 - phi**2 - v) if delta**2 > phi**2 + v else a - TAU
    if delta**2 <= phi**2 + v:
        while f(high) < 0:
            high -= TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > CLOSE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)
