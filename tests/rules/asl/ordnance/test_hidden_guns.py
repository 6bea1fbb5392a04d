"""What the enemy may not learn of a Gun that nobody has seen: where it is, and that it is being laid."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.games.asl.game import GAME
from sandtable.games.asl.ordnance.aim import shot_of, tube_of
from sandtable.games.asl.ordnance.laying import ShotAt, worst
from sandtable.games.asl.ordnance.targets import foe_hexes, laid
from sandtable.games.asl.ordnance.to_hit import INFANTRY
from sandtable.games.asl.ordnance.weapons import AP
from sandtable.games.asl.table.forces import crews
from sandtable.games.asl.table.ids import F_SHOT, UNUSED
from sandtable.games.asl.table.scenarios import hide
from sandtable.games.asl.table.state import Shoot, State, put
from sandtable.mechanics.masks import units_of

from ..scenariokit import U, opened


def hidden(scenario: str, gun: str) -> tuple[State, int]:
    s = opened(scenario)
    u = U(s, gun)
    hide(s, u)
    return s, u


@pytest.mark.rule("asl", "A12.3")
@pytest.mark.parametrize(("scenario", "gun"), [("s04", "br_at40#2"), ("s07", "ge_at50#1"), ("s03", "it_at47#2")])
def test_a_gun_hidden_by_its_owners_choice_is_nowhere_for_the_enemy(scenario: str, gun: str) -> None:
    s, u = hidden(scenario, gun)
    enemy = 1 - s.stage.roster.side[u]
    view = GAME.view(s, enemy)
    assert gun not in {one["id"] for one in view["units"]}
    for seed in range(20):
        other = GAME.redeal(s, enemy, Random(seed))
        assert GAME.view(other, enemy) == view
        assert GAME.invariants(other) == []


@pytest.mark.rule("asl", "A12.3")
def test_a_table_imagined_puts_crews_beside_their_guns() -> None:
    s, _ = hidden("s04", "br_at40#2")
    other = GAME.redeal(s, 0, Random(1))
    manned = [g for g, crew in crews(s.stage.scenario).items() if other.hip >> g & 1 and other.hip >> crew & 1]
    assert manned
    for gun in manned:
        assert other.at[gun] == other.at[other.holder[gun]]


@pytest.mark.rule("asl", "A12.3", "C3.3")
def test_the_laying_of_a_hidden_gun_is_not_named_to_the_enemy() -> None:
    s, u = hidden("s04", "br_at40#2")
    s.shoot = Shoot(side=1, gun=1 << u)
    s.stack.append(ShotAt(F_SHOT))
    for seed in range(20):
        other = GAME.redeal(s, 0, Random(seed))
        assert other.shoot is not None
        assert other.shoot.gun  # some weapon under a "?" is laid
        assert GAME.prompt(other).title == GAME.prompt(s).title
        assert GAME.view(other, 0) == GAME.view(s, 0)
    assert "OQF 2-Pounder" in repr(GAME.prompt(s).text)


@pytest.mark.rule("asl", "A12.3", "C3.3")
def test_nobody_aims_at_a_hidden_gun() -> None:
    s, u = hidden("s04", "br_at40#2")
    assert s.here[s.at[u]] & s.stage.roster.of_side[1] & ~s.hip & (s.stage.roster.men | s.stage.roster.guns) == 0
    tank = next(t for t in units_of(s.stage.roster.vehicles & s.stage.roster.of_side[0]) if tube_of(s, t))
    s.shoot = Shoot(side=0, gun=1 << tank)
    aiming = laid(s, s.shoot)
    at = 1 << s.stage.out[s.at[u]]
    assert not foe_hexes(s, aiming) & at
    s.hip &= ~(1 << u)
    assert foe_hexes(s, aiming) & at


@pytest.mark.rule("asl", "A12.1")
def test_the_odds_against_a_concealed_gun_do_not_tell_its_size() -> None:
    s = opened("s03")
    u = U(s, "it_at47#1")
    both = 1 << u | 1 << s.holder[u]
    s.hip &= ~both
    s.concealed |= both
    put(s, s.holder[u], UNUSED)
    s.holder[u] = -1  # judged by itself, not through its crew
    tank = U(s, "br_mat2#1")
    put(s, tank, s.at[u] + 1)
    shoot = Shoot(side=1, gun=1 << tank, type=INFANTRY, hex=s.at[u], shell=AP)
    assert shot_of(s, shoot, u).size == 2
    assert worst(s, shoot).size == 0


@pytest.mark.rule("asl", "D6.1")
def test_a_table_imagined_knows_what_has_been_walked() -> None:
    s = opened("s04")
    u = U(s, "ge_467#1")
    s.concealed &= ~(1 << u)
    s.paces[u] = 8
    for side in range(2):
        assert GAME.redeal(s, side, Random(1)).paces == {u: 8}
