"""Edges of the map and of terrain: what broken code would get wrong unseen."""

from __future__ import annotations

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.games.kasserine.combat.reckoning import mobile_allowed
from sandtable.games.kasserine.combat.showing import check_odds, outlook
from sandtable.games.kasserine.movement.orders import FARTHER, leg_of, why_far
from sandtable.games.kasserine.paths.moves import move_leg
from sandtable.games.kasserine.retreat.ways import Retreat, ways
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ground import HALF
from sandtable.games.kasserine.table.ids import ALPINE, ARTILLERY_CHECK, FOOT, GROUND_CHECK, MOTORIZED
from sandtable.games.kasserine.table.steps import RetreatAt
from sandtable.mechanics.dice import Dice

from ..combat.ch08combatkit import PZ, PZG, RIFLES, TD, fight
from ..kit import ALLIED, AXIS, GAME, H, U, board, empty, mask, place, start, texts, units, weather

rule = pytest.mark.rule


@rule("kasserine", "8.8b", "8.81a")
def test_a_retreat_may_end_in_the_corner_hex() -> None:
    s = empty("axis_combat")
    place(s, RIFLES, "0102")
    assert ways(s, U(RIFLES), Retreat(H("0102"), 1, 1)).ends & mask("0101")
    start(s, RetreatAt(steps.RETREATS, ALLIED, units(RIFLES), H("0102"), 1, 1))
    assert f"retreat {RIFLES} 0101" in texts(s)


@rule("kasserine", "8.32a")
def test_the_corner_hex_forces_no_assault() -> None:
    s = fight([PZ], [RIFLES], "0101", "0102")
    there = mobile_allowed(s, s.fight)
    s = fight([PZ], [RIFLES], "6732", "6733")
    assert mobile_allowed(s, s.fight) == there


@rule("kasserine", "6.13")
def test_easy_hexes_are_those_that_everybody_enters_from_every_side() -> None:
    for sky in ("dry", "rain"):
        s = empty("axis_movement")
        weather(s, sky)
        barred = 0
        for kind in (MOTORIZED, FOOT, ALPINE):
            for h in board.grid.hexes:
                barred |= board.grid.around(1 << h) & ~s.ground.exits[kind][h]
        assert s.ground.easy == board.grid.all & ~barred


@rule("kasserine", "6.44")
def test_who_is_caught_by_rain_in_the_mountains_gets_out_over_open_hexsides() -> None:
    s = empty("axis_movement")
    weather(s, "rain")
    terrain = board.terrain
    shut = free = 0
    for h in hexes_of(s.ground.stranded):
        for d, n in board.grid.neighbours[h]:
            closed = bool((terrain.escarpments[d] | terrain.unbridged[d]) >> h & 1)
            out = bool(s.ground.escapes(h) >> n & 1)
            assert not (closed and out)
            shut += closed
            free += out
    assert shut
    assert free


@rule("kasserine", "6.01")
def test_how_far_off_a_hex_is_is_told_up_to_a_few_times_the_points_at_hand() -> None:
    s = empty("axis_movement")
    place(s, PZ, "6733")
    leg = leg_of(s, U(PZ))
    most = 3 * (leg.points + HALF)
    assert FARTHER == 3
    far = move_leg(s, U(PZ), 2 * most).found
    told = {True: 0, False: 0}
    for h in board.grid.hexes:
        cost = far.cost(h)
        if leg.points < cost <= most + 2 * HALF:
            named = str(why_far(s, U(PZ), h, leg).why).startswith("{unit} needs") or " needs " in str(
                why_far(s, U(PZ), h, leg).why
            )
            assert named == (cost <= most)
            told[named] += 1
    assert all(told.values())


@rule("kasserine", "3.43")
def test_every_roll_is_one_of_a_ten_sided_die() -> None:
    dice = [frame for frame in GAME.frames if isinstance(frame, Dice)]
    assert len(dice) > 8
    assert {(frame.count, frame.sides) for frame in dice} == {(1, 10)}


@rule("kasserine", "3.42ba", "8.72b")
def test_the_panel_says_where_armor_pays_and_where_a_check_may_half_succeed() -> None:
    s = fight([PZG, PZ], [RIFLES, TD])
    ladder = outlook(s, s.fight).ladder
    assert ladder is not None
    cells = [cell for column in ladder.columns for cell in column.cells]
    assert {"*" in cell.result for cell in cells} == {True, False}
    for cell in cells:
        assert ("armor" in str(cell.text)) == ("*" in cell.result)
    place(s, "ger_10pz_i_90", "6734")
    s.fight.lead_gun[AXIS] = U("ger_10pz_i_90")
    words = [[str(word) for word, _ in check_odds(s, s.fight, AXIS, check).results] for check in (0, 1)]
    assert "half" in words[ARTILLERY_CHECK]
    assert words[GROUND_CHECK] == ["success", "failure"]
