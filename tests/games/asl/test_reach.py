"""Who can be fired at: the sets that are worked out for all hexes at once, beside the tables asked about one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.engine.dice import QuickDice
from sandtable.engine.hexes import hexes_of
from sandtable.games.asl.boards.battlefield import scenario_battlefield
from sandtable.games.asl.fire.group import JOIN, USE, enemies_at, held_weapons, in_reach, now_of
from sandtable.games.asl.fire.mounts import TABLES
from sandtable.games.asl.game import GAME
from sandtable.games.asl.los.arcs import arc, in_arc
from sandtable.games.asl.table.ids import ADVANCING, BOUNDING, FINAL, PREP
from sandtable.games.asl.table.stage import stage
from sandtable.games.asl.table.state import Attack, State, all_vehicles

SCENARIOS = ("s02_gabr_saleh", "s03_nibeiwa", "s06_wadi_zigzaou")


def positions(scenario: str, seed: str, every: int, most: int) -> Iterator[State]:
    """Some moments of a game at random."""
    rng = Random(seed)
    s, dice = GAME.new(scenario, {}), QuickDice(rng)
    for number in range(most):
        who = GAME.to_act(s)
        if who is None:
            return
        if who == CHANCE:
            GAME.apply(s, GAME.roll(s, dice).action)
        else:
            GAME.apply(s, rng.choice(GAME.legal(s)))
        if number % every == every - 1 and GAME.to_act(s) is not None:
            yield s.copy()


def one_by_one(s: State, fire: int, side: int, by: int = -1) -> int:
    found = 0
    for h in hexes_of(enemies_at(s, side)):
        s.attack = Attack(fire=fire, side=side, target=h, by=by)
        now = now_of(s)
        able = JOIN.free(now.mine, s, now) or USE.free(held_weapons(s, now), s, now)
        if able or any(table.free(all_vehicles(s, side), s, now) for table in TABLES.values()):
            found |= 1 << h
    s.attack = None
    return found


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_all_hexes_at_once_are_the_hexes_one_by_one(scenario: str) -> None:
    asked = 0
    for s in positions(scenario, f"reach {scenario}", 70, 700):
        for side in range(2):
            hexes = enemies_at(s, side)
            asked += hexes.bit_count()
            for fire in (PREP, FINAL, ADVANCING):
                assert in_reach(s, fire, side, hexes) == one_by_one(s, fire, side)
            for u in range(0, len(s.at), 7):
                if all_vehicles(s, side) >> u & 1:
                    assert in_reach(s, BOUNDING, side, hexes, u) == one_by_one(s, BOUNDING, side, u)
    assert asked


def test_a_fan_is_all_hexes_in_the_arc() -> None:
    rng = Random(6)
    for scenario in ("s01_capuzzo_outpost", "s08_totensonntag", "s04_cauldron_sunset"):
        field = scenario_battlefield(scenario)
        for h in rng.sample(field.grid.hexes, 8):
            for v in range(6):
                assert arc(field, h, v) == sum(1 << x for x in field.grid.hexes if in_arc(field, h, v, x))


def test_hexes_have_the_numbers_of_actions_word_by_word() -> None:
    place, rng = stage("s05_hafid_ridge"), Random(9)
    for _ in range(20):
        hexes = sum(1 << h for h in rng.sample(place.grid.hexes, rng.randrange(1, 300)))
        assert place.numbers(hexes) == sum(1 << place.out[h] for h in hexes_of(hexes) if h in place.out)
