"""What is kept from move to move says the same as what is worked out from the position alone."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.games.caucasus.combat.combat import targets
from sandtable.games.caucasus.combat.lookout import look
from sandtable.games.caucasus.game import GAME
from sandtable.games.caucasus.paths.legs import beside, exits, reachable
from sandtable.games.caucasus.table import verbs
from sandtable.games.caucasus.table.board import HALF
from sandtable.games.caucasus.table.ids import AXIS, COMBAT, F_COMBAT, F_MOVES, IV_AIR, PHASES, SOVIET
from sandtable.games.caucasus.table.state import lose_step, put, touch, zone
from sandtable.mechanics.masks import hexes_in

from ..kit import H, U, board, do, empty, hexes, mask, names, place, start, texts


@pytest.mark.parametrize(("scenario", "seed"), [("campaign", 4), ("tournament", 7)])
def test_a_movement_phase_offers_what_the_position_alone_gives(scenario: str, seed: int) -> None:
    s, rng = GAME.new(scenario), Random(seed)
    done: set[int] = set()
    for _ in range(900):
        if GAME.to_act(s) is None:
            break
        if GAME.is_chance(s):
            action = GAME.roll(s, lambda faces: rng.randint(1, faces)).action
        else:
            offered = GAME.legal(s)
            if s.stack[-1][0] == F_MOVES:
                fresh = s.copy()
                fresh.choices, fresh.watch = None, None
                touch(fresh)
                assert offered == GAME.legal(fresh)
                done.update(a[0] for a in offered)
            # rare choices are taken when they come up: they change what the others see
            rare = [a for a in offered if a[0] in (verbs.MERGE, verbs.CRUSH)]
            action = rng.choice(rare or offered)
        GAME.apply(s, action)
        assert GAME.invariants(s) == []
    assert verbs.MERGE in done


@pytest.mark.parametrize("second", [0, 1])
def test_each_unit_is_seen_as_it_would_be_alone(second: int) -> None:
    """On roads, in dead ends, beside closed entry hexes and among enemies: unit by unit, with nothing left out."""
    rng = Random(second)
    s = empty(phase="axis_second_movement" if second else "axis_first_movement")
    s.second = second
    land = hexes_in(s.ground.land & ~board.barred[AXIS])
    corners = [h for h in land if s.ground.around[h] & board.barred[AXIS] or not s.ground.around[h]]
    movers = ("GE-13Pz", "GE-23Pz", "GE-73", "GE-1Mtn", "SL-Fast", "RO-5Cav")
    foes = ("SU-216RD", "SU-157RD", "SU-4RD", "SU-77RD", "SU-North-HQ", "SU-353RD")
    seen = [0, 0, 0]
    for _ in range(300):
        middle = rng.choice(land)
        near = [h for h in hexes_in(board.grid.within(middle, 2)) if h in land] or land
        for name in movers:
            put(s, U(name), rng.choice(rng.choice((near, near, land, corners))))
        own = s.occ[AXIS]
        free = [h for h in near if not own >> h & 1] or [h for h in land if not own >> h & 1]
        for name in foes:
            put(s, U(name), rng.choice(free))
        s.disrupted = sum(1 << U(name) for name in movers if rng.random() < 0.5)
        found = look(s)
        ezoc, closed, touching = zone(s, SOVIET), s.occ[SOVIET] | board.barred[AXIS], beside(s, SOVIET)
        for u in map(U, movers):
            steps = exits(s, u, s.at[u]) & ~closed
            hemmed = not steps or (s.disrupted >> u & 1 and not steps & ~ezoc)
            spare = board.ma[u][0] - 3  # 13.1e
            raids = second and board.mobile >> u & 1 and reachable(s, u, 1).within(spare * HALF) & touching
            assert found.near >> u & 1 == touching >> s.at[u] & 1
            assert found.hemmed >> u & 1 == hemmed
            assert bool(found.raiding >> u & 1) == bool(raids)
            for i, flag in enumerate((not touching >> s.at[u] & 1 and not steps, hemmed and steps, raids)):
                seen[i] += bool(flag)
    assert all(seen[: 2 + second])


def test_a_weak_spot_is_seen_when_the_last_unit_comes_up_and_gone_when_the_defender_is_joined() -> None:
    s = empty(turn=5)
    s.air = 1 << IV_AIR
    place(s, "GE-13Pz", "1234")
    place(s, ["GE-73", "GE-16Mot"], "1236")
    place(s, "GE-17A-HQ", "1134")
    place(s, "SU-216RD", "1333", shows="reduced")
    start(s, (F_MOVES, 0))
    assert "crush 1333" not in texts(s)
    do(s, "move GE-73", "to 1234")
    assert "crush 1333" not in texts(s)
    do(s, "move GE-16Mot", "to 1334")
    assert "crush 1333" in texts(s)
    s.step[U("SU-157RD")] = 0
    put(s, U("SU-157RD"), H("1333"))
    s.choices = None
    assert "crush 1333" not in texts(s)


def test_a_unit_that_shifts_without_a_move_of_its_own_is_looked_at_again() -> None:
    s = empty(phase="axis_second_movement")
    place(s, ["GE-13Pz", "GE-73"], "1234")
    place(s, "SU-216RD", "1333")
    start(s, (F_MOVES, 1))
    assert names(look(s).near) == {"GE-13Pz", "GE-73"}
    put(s, U("GE-73"), H("1236"))
    assert names(look(s).near) == {"GE-13Pz"}


def test_a_loss_makes_a_division_ready_to_merge() -> None:
    s = empty("soviet")
    place(s, "SU-216RD", "1333", shows="reduced")
    place(s, "SU-157RD", "1333")
    start(s, (F_MOVES, 0))
    assert hexes(look(s).crowds) == set()
    lose_step(s, U("SU-157RD"), "10.3a")
    assert look(s).crowds == mask("1333")
    assert "merge SU-157RD SU-216RD" in texts(s) or "merge SU-216RD SU-157RD" in texts(s)


def test_a_phase_does_not_inherit_the_targets_of_the_one_before() -> None:
    """Nobody has moved in between, so the position is the same; but it is the other side's attack."""
    s = empty(phase="axis_first_combat")
    place(s, "GE-13Pz", "1234")
    place(s, "SU-216RD", "1333")
    start(s, (F_COMBAT, 0))
    assert "attack 1333" in texts(s)
    s.active, s.second, s.phase = SOVIET, 1, PHASES.index("soviet_second_combat")
    assert targets(s, COMBAT) == {}


@pytest.mark.parametrize("plight", ["", "disrupted", "oos"])
def test_a_spot_is_weak_for_disruption_and_want_of_supply_too(plight: str) -> None:
    """21:3 with armour and quality is one column short; each of the two gives it."""
    s = empty(turn=5)
    s.air = 0
    place(s, ["GE-13Pz", "GE-73"], "1234")
    place(s, "GE-16Mot", "1334")
    place(s, "SU-216RD", "1333", shows="reduced", **({plight: True} if plight else {}))
    start(s, (F_MOVES, 0))
    assert ("crush 1333" in texts(s)) == bool(plight)
