"""What battles may be expected to bring: rounds of fire (9), pursuit (10.5), and the best shots and losses.

Whole battles are reckoned with average numbers, because a plan looks at thousands of them; a single shot
is reckoned exactly.
"""

from __future__ import annotations

from math import comb, exp
from typing import NamedTuple

from sandtable.mechanics.memory import remembered

from ..combat.combat import TARGETS
from ..table.board import Board, units_of
from ..table.ids import ARMOUR, ARTILLERY
from ..table.state import State
from .worth import BLOCK_WORTH, CV_WORTH, unit_worth

NOTHING = 0.05  # a class with less CV than this is not there any more
ROUND_WEIGHTS = (1.0, 0.55, 0.4)  # this round, the enemy's next, our next: the later, the less certain
FIRING_ORDER = (3, 2, 0, 1)  # 9.2a artillery first; then those who choose their target, to free the others


class Force(NamedTuple):
    """Blocks in a battle, summed up."""

    cv: tuple[float, float, float, float]  # by class
    elite: tuple[float, float, float, float]  # the share of it that is elite, by class
    total: float
    worth: float  # of their CV
    blocks: float  # of the blocks as such
    slowest: int


NOBODY = Force((0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), 0.0, 0.0, 0.0, 9)


def force_of(s: State, units: int) -> Force:
    """The strength of some blocks in battle."""
    if not units:
        return NOBODY
    board = s.board
    cv = [0.0] * 4
    elite = [0.0] * 4
    blocks = 0.0
    slowest = 9
    for u in units_of(units):
        c = board.cls[u]
        cv[c] += s.cv[u]
        if board.step_cv[u] > 1:
            elite[c] += s.cv[u]
        blocks += board.weight2[u]
        slowest = min(slowest, board.speed[u])
    total = sum(cv)
    worth = sum(x * w for x, w in zip(cv, CV_WORTH, strict=True))
    share = [e / x if x else 0.0 for e, x in zip(elite, cv, strict=True)]
    return Force(
        (cv[0], cv[1], cv[2], cv[3]),
        (share[0], share[1], share[2], share[3]),
        total,
        worth,
        blocks * BLOCK_WORTH,
        slowest,
    )


def volley(
    board: Board,
    own: list[float],
    enemy: list[float],
    elite: tuple[float, ...],
    dice: tuple[float, float],
    half: bool,
) -> float:
    """9.1 One side fires once: takes the average losses from `enemy`, and returns what they were worth.

    `dice`: per CV of armour and of the other classes (9.21); `half`: minefield (9.52).
    """
    present = 0
    for c in range(4):
        if enemy[c] > NOTHING:
            present |= 1 << c
    if not present:
        return 0.0
    fire = board.fire
    targets = TARGETS[present]
    hits = [0.0] * 4
    for c in FIRING_ORDER:
        force = own[c]
        if force <= NOTHING:
            continue
        force *= dice[c != ARMOUR] / 6
        if half and c != ARTILLERY:
            force *= 0.5
        choice = targets[c]
        at = choice[0]
        if len(choice) > 1:
            best = -1.0
            for t in choice:
                gain = min(force * fire[c][t], enemy[t] - hits[t]) * CV_WORTH[t]
                if gain > best:
                    best, at = gain, t
        hits[at] += force * fire[c][at]
    worth = 0.0
    for c in range(4):
        n = hits[c]
        if n:
            if elite[c]:  # 9.5c an odd hit on elite units is lost
                n -= elite[c] * (1 - exp(-2 * n)) / 2
            n = min(n, enemy[c])
            enemy[c] -= n
            worth += n * CV_WORTH[c]
    return worth


class Ground(NamedTuple):
    """What the hex does to a battle, and how it is fought."""

    fortress: bool = False  # 13.2
    mined: bool = False  # 14.2
    passive_defends: bool = True  # 8.3 the Passive side of the first round is the Defender of the hex
    assault: bool = False  # 4.3 in the first round
    compulsory: bool = True  # 8.6 the first round is fought in any case
    idle: bool = False  # the first round is not fought


class Prospect(NamedTuple):
    """What a battle costs each side on average: the Active side of its first round, and the Passive side."""

    active: float
    passive: float
    active_share: float  # of the CV that is lost
    passive_share: float


NO_BATTLE = Prospect(0.0, 0.0, 0.0, 0.0)


def prospect(board: Board, active: Force, passive: Force, ground: Ground, rounds: int = 3) -> Prospect:
    """The rounds to come: the sides take turns as Active player, and fight only when it pays for them."""
    if not active.total or not passive.total:
        return NO_BATTLE
    lines = [list(active.cv), list(passive.cv)]
    elites = (active.elite, passive.elite)
    lost = [0.0, 0.0]
    for k in range(1 if ground.idle else 0, rounds):
        fires_second = k & 1  # the Active side of this round: 0 at first, 1 in its next turn
        fires_first = 1 - fires_second
        walls = ground.passive_defends == (fires_first == 1)  # the Defender of the hex is Passive now
        assault = ground.assault and k == 0
        first, second = lines[fires_first][:], lines[fires_second][:]
        double = 2.0 if assault or (ground.fortress and walls) else 1.0
        dice = (2.0, 2.0) if assault else (1.0, double)
        cost = volley(board, first, second, elites[fires_second], dice, False)
        gain = volley(
            board,
            second,
            first,
            elites[fires_first],
            (2.0, 2.0) if assault else (1.0, 1.0),
            ground.mined and walls,
        )
        if gain <= cost and not (k == 0 and ground.compulsory):
            continue
        lines[fires_first], lines[fires_second] = first, second
        lost[fires_second] += cost * ROUND_WEIGHTS[k]
        lost[fires_first] += gain * ROUND_WEIGHTS[k]
    shares = [min(1.0, lost[i] / force.worth) if force.worth else 0.0 for i, force in enumerate((active, passive))]
    return Prospect(
        lost[0] + active.blocks * shares[0] ** 2,
        lost[1] + passive.blocks * shares[1] ** 2,
        shares[0],
        shares[1],
    )


def pursuit_loss(s: State, pursuers: int, fleeing: Force) -> float:
    """10.5 What pursuit fire costs on average."""
    speed = s.board.speed
    slowest = fleeing.slowest
    dice = sum((speed[u] > slowest) + (speed[u] >= slowest) for u in units_of(pursuers))
    hits = min(fleeing.total, dice / 2)
    share = hits / fleeing.total if fleeing.total else 0.0
    return fleeing.worth * share + fleeing.blocks * share**2


# Single shots, exactly


@remembered(4096)
def chances(dice: int, faces: int) -> tuple[float, ...]:
    """The chance of each number of hits."""
    p = faces / 6
    return tuple(comb(dice, n) * p**n * (1 - p) ** (dice - n) for n in range(dice + 1))


def worth_of_hits(s: State, units: int, halves: int) -> float:
    """What so many half hits on these blocks cost their owner, if he allots them as best he can."""
    left = {u: s.cv[u] for u in units_of(units)}
    board = s.board
    cost = 0.0
    while left:
        able = [u for u in left if halves >= 2 * board.step_cv[u]]
        if not able:
            break
        u = min(able, key=lambda v: step_worth(board, left[v], v) / board.step_cv[v])
        cost += step_worth(board, left[u], u)
        halves -= 2 * board.step_cv[u]
        left[u] -= board.step_cv[u]
        if left[u] <= 0:
            del left[u]
    return cost + halves * 0.05 if left else cost


def step_worth(board: Board, cv: int, u: int) -> float:
    """What the next step of a block is worth: with the last one goes the block."""
    step = board.step_cv[u]
    after = unit_worth(board, cv - step, u) if cv > step else 0.0
    return unit_worth(board, cv, u) - after


def shot_worth(s: State, targets: int, dice: int, faces: int, halves: int, worth: int) -> float:
    """What a shot at these blocks adds on average, with `halves` on them already.

    `worth` is that of a hit, in halves (A51).
    """
    before = worth_of_hits(s, targets, halves)
    return sum(
        p * (worth_of_hits(s, targets, halves + n * worth) - before)
        for n, p in enumerate(chances(dice, faces))
        if n and p > 0.002
    )
