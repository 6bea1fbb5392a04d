"""Chapter 6: exits."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.games.rommel.paths.reach import OPPOSITE, Reach, reach, redeploy_reach
from sandtable.games.rommel.table.ids import AXIS, COMMONWEALTH, DIRS, NO_DIR, NO_ROAD

from ..kit import H, U, at, battle, board, do, empty, mask, place
from ..movekit import go, goes, moving
from .ch06movementkit import grid, reason

rule = pytest.mark.rule


# Exits (17.1a, M12)


@rule("rommel", "17.1a", "17.1c")
def test_three_supplied_units_off_the_map_win() -> None:
    s = empty(active="commonwealth")
    place(s, ["CW-4A", "CW-7A", "CW-22A"], "0901")
    place(s, "CW-11H", "0901", unsupplied=True)
    moving(s)
    do(s, "group 0901 0", "move CW-11H")
    assert reason(s, "exit 0901") == "17.1a"
    do(s, "to 1001 -", "move CW-4A", "exit 0901", "move CW-7A", "exit 0901")
    assert s.ended is None
    do(s, "move CW-22A", "exit 0901")
    assert s.ended is not None
    assert s.ended.winner == COMMONWEALTH


@rule("rommel", "17.1a")
def test_each_side_leaves_by_the_enemy_edge_only() -> None:
    s = empty()
    place(s, "GE-PZ5", "0901")
    place(s, "GE-PZ8", "0927")
    moving(s)
    assert not any(w.startswith("exit") for w in goes(s, "GE-PZ5"))
    assert {"exit 0927", "exit 0826", "exit 1026"} <= goes(s, "GE-PZ8")
    do(s, "group 0901 0", "move GE-PZ5")
    assert reason(s, "exit 0901") == "17.1a"


@rule("rommel", "17.1b", "1.6c")
def test_to_pass_through_the_empty_enemy_base_is_to_take_it() -> None:
    """A45"""
    s = empty()
    place(s, "GE-AA3", "0726")
    moving(s)
    r = reach(s, U("GE-AA3"))
    assert r.free >> H("0626") & 1
    do(s, "group 0726 0", "move GE-AA3", "to 0626 -")
    assert s.ended is not None
    assert s.ended.winner == AXIS
    s = empty(active="commonwealth")
    place(s, "CW-4A", "0903")
    moving(s)
    go(s, "CW-4A", "0901")  # there is no way there but through El Agheila
    assert at(s, "CW-4A") == "0902"
    assert s.ended is not None
    assert s.ended.winner == COMMONWEALTH


# The kernel against a plain search


def plain_search(
    start: int, allowance: int, enemies: int, out: set[int] | None = None
) -> tuple[set[int], set[tuple[int, int]], set[int]]:
    """Hex by hex over (hex, steps, worst grade): the hexes, engagements and exits in reach."""
    bonus = board.bonus_hexes
    free: set[int] = set()
    engaged: set[tuple[int, int]] = set()
    exits: set[int] = set()
    edges = board.exits[0] | board.exits[1]
    seen = {(start, 0, 0)}
    queue = [(start, 0, 0)]
    while queue:
        h, steps, worst = queue.pop()
        if edges >> h & 1:
            grade = max(worst, board.exit_road.get(h, NO_ROAD))
            if steps + 1 <= allowance + bonus[grade]:
                exits.add(h)
        for d, n in board.steps[h]:
            if h == start and out is not None and d not in out:
                continue
            grade = next((g for g, road in enumerate(board.roads) if road[d] >> h & 1), NO_ROAD)
            state = (n, steps + 1, max(worst, grade))
            if state[1] > allowance + bonus[state[2]]:
                continue
            if enemies >> n & 1:
                if out is None:
                    engaged.add((n, OPPOSITE[d]))
                continue
            if state not in seen:
                seen.add(state)
                queue.append(state)
                if n != start:
                    free.add(n)
    return free, engaged, exits


@rule("rommel", "6.0a", "6.0b", "6.0c", "6.2a", "6.2b", "6.2c")
@pytest.mark.parametrize("seed", range(60))
def test_reach_equals_a_plain_search(seed: int) -> None:
    rng = Random(seed)
    land = hexes_of(board.land)
    for _ in range(12):
        start = rng.choice(land)
        allowance = rng.randint(1, 6)
        crowd = rng.choice([0, 3, 10, 40])
        enemies = sum(1 << h for h in set(rng.sample(land, crowd)) - {start})
        r = Reach(board, start, allowance, board.land & ~enemies, enemies)
        free, engaged, exits = plain_search(start, allowance, enemies)
        assert set(hexes_of(r.free)) == free
        assert {(h, d) for d in range(6) for h in hexes_of(r.by_side[d])} == engaged
        assert set(hexes_of(r.exits)) == exits
        for _, h, via in rng.sample(r.actions, min(6, len(r.actions))):
            check_path(r, h, via, enemies)


def check_path(r: Reach, h: int, via: int, enemies: int) -> None:
    """A path is a chain of passable steps to the hex, within the limit of its grade."""
    path = r.path(board, h, via)
    here, worst = r.start, 0
    for i, n in enumerate(path.hexes):
        d = grid.direction(here, n)
        assert board.open[d] >> here & 1
        worst = max(worst, next((g for g, road in enumerate(board.roads) if road[d] >> here & 1), NO_ROAD))
        assert bool(enemies >> n & 1) == (i == len(path.hexes) - 1 and via != NO_DIR)
        if via != NO_DIR and i == len(path.hexes) - 1:
            assert OPPOSITE[d] == via
        here = n
    assert here == h
    assert len(path.hexes) <= r.allowance + board.bonus_hexes[path.grade]
    assert worst <= path.grade or path.grade == NO_ROAD


@rule("rommel", "7.2b", "10.1a")
@pytest.mark.parametrize("seed", range(20))
def test_reach_out_of_a_battle_equals_a_plain_search(seed: int) -> None:
    rng = Random(seed)
    land = hexes_of(board.land)
    start = rng.choice(land)
    s = empty()
    place(s, ["GE-AA3", "CW-24A"], grid.names[start])
    place(s, "CW-26A", grid.names[rng.choice([h for h in land if h != start])])
    mine = {d for d in range(6) if rng.random() < 0.5}
    battle(s, grid.names[start], "commonwealth", [DIRS[d] for d in mine])
    r = reach(s, U("GE-AA3"))
    free, _, _ = plain_search(start, 4, s.occ[COMMONWEALTH], mine)
    assert set(hexes_of(r.free)) == free
    assert not r.engaged


@rule("rommel", "16.51b", "16.51e", "16.51g")
@pytest.mark.parametrize("seed", range(20))
def test_redeployment_is_two_hexes_and_the_road_bonus_within_what_is_allowed(seed: int) -> None:
    rng = Random(seed)
    land = hexes_of(board.land)
    start = rng.choice(land)
    allowed = sum(1 << h for h in rng.sample(land, 120)) | 1 << start
    s = empty()
    place(s, "GE-AA3", grid.names[start])
    free, _, _ = plain_search(start, 2, board.land & ~allowed)
    assert set(hexes_of(redeploy_reach(s, U("GE-AA3"), AXIS, allowed))) == free


@rule("rommel", "14.2b")
def test_minefields_entered_on_the_way_are_remembered() -> None:
    s = empty()
    place(s, "GE-PZ5", "0902")
    s.mines[COMMONWEALTH] = mask("0903", "0704", "0711")
    s.mines[AXIS] = mask("0803")
    moving(s)
    go(s, "GE-PZ5", "0504")  # along the coast road
    assert s.mines_touched == mask("0903", "0704")
