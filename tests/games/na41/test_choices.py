"""North Africa '41: what is known of one destination by itself is what the list knows of it, with the same way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.engine.dice import QuickDice
from sandtable.engine.hexes import hexes_of
from sandtable.games.na41.game import GAME
from sandtable.games.na41.movement.companions import movers_of, place_of
from sandtable.games.na41.movement.stack import lone
from sandtable.games.na41.movement.ways import reach_of, stopped
from sandtable.games.na41.paths.chart import FOOT, FOOT_MECH, MECH, VEHICLE
from sandtable.games.na41.paths.legs import Spot, Terms, markers, tables, tables_of
from sandtable.games.na41.paths.reaches import Reach, reach_on
from sandtable.games.na41.table.ids import EXTENDED, F_STACK, MODES, NORMAL, ROAD_BONUS, TACTICAL
from sandtable.games.na41.table.state import State
from sandtable.games.na41.table.verbs import (
    V_FLEE,
    V_HALT,
    V_JOIN,
    V_LEAVE,
    V_LOAD,
    V_LOAD_SP,
    V_ROMMEL,
    V_TO,
    V_TRANSFER,
)
from sandtable.games.na41.table.zones import ezoc, full_zoc
from sandtable.mechanics.masks import enemy

board = GAME.board
RARE = {V_JOIN, V_LOAD, V_LOAD_SP, V_ROMMEL, V_LEAVE, V_FLEE}
SCENARIOS = [scenario.id for scenario in GAME.scenarios()]


def stacks(scenario: str, seed: int) -> Iterator[State]:
    """The positions of a game in which a stack is on the move; what is rare in random play is done more often."""
    rng = Random(f"{scenario} {seed}")
    dice = QuickDice(Random(seed))
    s = GAME.new(scenario)
    while (who := GAME.to_act(s)) is not None:
        if who == CHANCE:
            action = GAME.roll(s, dice).action
        else:
            if s.stack[-1][0] == F_STACK:
                yield s
            action = GAME.pick(s, rng.random)
            if rng.random() < 0.2:
                rare = [one for one in GAME.legal(s) if one[0] in RARE]
                action = rng.choice(rare) if rare else action
        GAME.apply(s, action)


def circumstances(s: State) -> Iterator[str]:
    """What is out of the ordinary about a stack."""
    h, side, everybody = place_of(s), s.active, s.group | s.loads
    reach = reach_of(s)
    spot, transfers = reach.terms.spot, any(action[0] == V_TRANSFER for action in GAME.legal(s))
    for name, is_so in (
        ("stack", s.group & s.group - 1),
        ("loads", s.loads),
        ("mixed", spot.kind >= FOOT_MECH),
        ("rommel", s.stack_rommel),
        ("out of a box", board.box_mask >> h & 1 and reach.hexes),
        ("into a box", reach.hexes & board.box_mask),
        ("bound to its box", board.box_mask >> h & 1 and not spot.modes),
        ("in an EZOC", full_zoc(s, enemy(side)) >> h & 1),
        ("in a limited EZOC", ezoc(s, side) & ~full_zoc(s, enemy(side)) & 1 << h),
        ("markers", any(mask & reach.hexes for _, mask in markers(s, side))),
        ("full retreat", everybody & s.routed),
        ("out of supply", everybody & s.oos),
        ("slow", spot.modes == 1 << TACTICAL),
        ("goes on", s.spent >= 0),
        ("goes on, desert behind", s.run),
        ("goes on in a mode", s.mode >= 0),
        ("road bonus", reach.masks[ROAD_BONUS]),
        ("desert", board.desert >> h & 1),
        ("transfer", transfers),
        ("no transfer", not transfers and lone(s, movers_of(s)) & board.trucks),
    ):
        if is_so:
            yield name


def hopped(terms: Terms) -> int:
    """5.4a the hexes of tactical movement, hex by hex."""
    spot = terms.spot
    if not spot.modes >> TACTICAL & 1:
        return 0
    kind = tables_of(board).kinds[spot.kind]
    found: set[int] = set()
    edge = {spot.place}
    for step in range(max(spot.hexes - spot.gone, 0)):
        ahead = {n for x in edge if not step or not terms.full >> x & 1 for n in hexes_of(kind.walk.exits[x])}
        if not step and board.box_mask >> spot.place & 1:
            ahead = {n for _, n in kind.leave[spot.place]}
        edge = {n for n in ahead if not terms.closed >> n & 1}
        found |= edge
    return sum(1 << n for n in found - {spot.place})


def check_terms(terms: Terms) -> Counter[str]:
    """Every place is looked at by itself, by a reach that knows nothing of the others, and against a search hex by hex
    of each leg."""
    whole, reach = Reach(board, terms), Reach(board, terms)
    found: Counter[str] = Counter()
    possible = reach.by_points.possible()
    assert not possible >> board.size
    assert not (whole.masks[NORMAL] | whole.masks[EXTENDED] | whole.masks[ROAD_BONUS]) & ~possible
    plain = [leg.again() for leg in whole.by_points.legs]
    for h in hexes_of(possible):
        single = Reach(board, terms)
        to = single.by_points.to(h)
        mode = to[0].mode if to is not None else -1
        modes = [m for m in (NORMAL, EXTENDED, ROAD_BONUS) if whole.masks[m] >> h & 1]
        assert modes == ([mode] if mode >= 0 else [])
        if mode >= 0:
            cost, path = single.way(h, mode)
            assert (cost, path) == whole.way(h, mode)
            assert single.costs(path, mode)[-1] == cost
            if not board.box_mask >> h & 1:
                ways = [
                    (search.cost(h), search)
                    for leg, search in zip(whole.by_points.legs, plain, strict=True)
                    if leg.mode == mode
                ]
                best = min((one for one in ways if one[0] >= 0), key=lambda one: one[0])
                assert (cost, path) == (best[0], best[1].path(h))
        found["refused" if mode < 0 else "reached"] += 1
        for m in range(len(MODES)):
            assert (Reach(board, terms).leg(h, m) is not None) == bool(whole.masks[m] >> h & 1)
    tactical = reach.tactical.everywhere() if reach.tactical is not None else 0
    assert tactical == whole.masks[TACTICAL]
    assert tactical & board.grid.all == hopped(terms)
    for h in hexes_of(tactical):
        assert reach.way(h, TACTICAL) == whole.way(h, TACTICAL)
    assert Reach(board, terms).anywhere() == bool(whole.hexes)
    kept = reach_on(board, terms)  # where nobody is near, one that was kept
    assert kept.masks == whole.masks
    return found


def check(s: State) -> Counter[str]:
    """What is taken by somebody who has not asked for the list is what is listed."""
    frame, f = GAME.frames[F_STACK], s.stack[-1]
    legal, reach = frame.legal(s, f), reach_of(s)
    known = set(legal)
    assert [action for action in legal if action[0] == V_TO] == reach.actions(tables(s))
    outside = ~reach.by_points.possible() & board.grid.all
    units = [action[1] for action in legal if action[0] == V_TRANSFER][:1] or [0]
    asked = [(V_TO, h, m) for h in (place_of(s), *hexes_of(outside)[::40]) for m in (NORMAL, EXTENDED, ROAD_BONUS)]
    asked += [(V_TRANSFER, u, h) for u in units for h in range(0, board.size, 7)]
    for action in (*legal, *asked, (V_HALT, 1), (V_TO, -1, 0), (V_TO, board.size, 0), (V_TRANSFER, units[0], -1), ()):
        assert frame.allows(s, f, action) == (action in known), action
    return check_terms(reach.terms)


EVERYTHING = {
    "stack",
    "loads",
    "mixed",
    "rommel",
    "out of a box",
    "into a box",
    "bound to its box",
    "in an EZOC",
    "in a limited EZOC",
    "markers",
    "full retreat",
    "out of supply",
    "slow",
    "goes on",
    "goes on, desert behind",
    "goes on in a mode",
    "road bonus",
    "desert",
    "transfer",
    "no transfer",
}


def test_what_is_known_without_the_list_is_what_is_listed() -> None:
    """Of every kind of position some, from all scenarios."""
    seen: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    for seed in range(6):
        for number, s in enumerate(stacks(SCENARIOS[seed % 3], seed)):
            if stopped(s):
                continue
            rare = sorted(set(circumstances(s)))
            if number % 50 and all(seen[name] >= 3 + 2 * (seed // 2) for name in rare):
                continue
            seen.update(rare)
            ways += check(s)
    assert set(seen) == EVERYTHING
    assert min(seen.values()) >= 3
    assert min(ways[name] for name in ("reached", "refused")) >= 1000


@pytest.mark.parametrize("seed", range(90))
def test_no_enemies_zones_or_markers_make_a_difference(seed: int) -> None:
    """Strewn about as no game would have them, for stacks of all kinds on all kinds of errands."""
    rng = Random(seed)
    by_road = seed % 3 == 0  # 5.2.2
    kind = FOOT if by_road else rng.choice((FOOT, MECH, MECH, VEHICLE, FOOT_MECH))
    on_roads = [h for h in board.grid.hexes if tables_of(board).roads.exits[h]]
    land = [h for h in board.grid.hexes if board.land >> h & 1]
    inside = kind == MECH and rng.random() < 0.15
    side = rng.randrange(2)
    entry = hexes_of(board.entry_hexes[board.delta if side else board.tripoli])
    h = rng.choice(on_roads if by_road else rng.choice((land, on_roads, entry)))
    start = (board.delta if side else board.tripoli) if inside else h
    close = [n for n in land if board.grid.distance(n, h) < rng.choice((4, 7, 12))]

    def some(*counts: int) -> int:
        return sum({1 << rng.choice(close) for _ in range(rng.choice(counts))})

    modes = rng.choice((0b0011, 0b0111, 0b0001, 0b0010, 0b0100)) if kind in (MECH, VEHICLE) else 0b0101
    if by_road:
        modes |= 1 << ROAD_BONUS
    gone = 0 if by_road else rng.choice((0, 0, 1, 2, 6, 8))
    points = rng.choice((18, 24, 30, 36, 48))
    run = rng.choice((0, 0, 0, 0, 1, 2)) if gone and board.desert >> h & 1 else 0
    box = not inside and rng.random() < 0.7
    spot = Spot(kind, start, points, gone, run, modes, rng.choice((1, 2)), box, side)
    zoned = some(0, 6, 15, 30) | (1 << start if rng.random() < 0.3 and not inside else 0)
    full = zoned & rng.choice((0, zoned, some(40)))
    near = some(0, 8, 20) | full if by_road else 0
    slow, slower = some(0, 0, 4), some(0, 0, 4)
    tolls = tuple((toll, mask) for toll, mask in ((6, slow & ~slower), (18, slower)) if mask)
    check_terms(Terms(spot, some(0, 3, 10, 25) & ~(1 << start), zoned, full, near, tolls))


def test_a_stack_that_can_do_nothing_but_halt_is_not_asked() -> None:
    frame = GAME.frames[F_STACK]
    for scenario in SCENARIOS:
        for s in stacks(scenario, 7):
            assert len(frame.legal(s, s.stack[-1])) > 1
