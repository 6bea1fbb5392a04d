"""Edges of moves and retreats: what broken code would get wrong unseen."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.games.na41.combat.advance import closed_to_trucks, step
from sandtable.games.na41.paths.legs import desert_run
from sandtable.games.na41.table.ids import AIR_TRANSPORT, ALLIED, AXIS, F_SINKING, F_STACK
from sandtable.games.na41.table.position import desert_behind
from sandtable.games.na41.table.stacking import excess
from sandtable.games.na41.turn.replacements import offered
from sandtable.mechanics.masks import units_of

from ..kit import (
    GAME,
    H,
    U,
    at,
    board,
    controlled_by,
    do,
    empty,
    names,
    new,
    of_kind,
    place,
    roll,
    start,
    supplies,
    texts,
    why,
)
from ..kit import units as units_named
from ..marchkit import phase, refusal
from ..phasekit import END
from ..retreat.ch12retreatskit import FOOT, TANK
from ..retreatkit import ORIGIN, WEST, against, fight, go, mover, over, retreat
from ..turnkit import moving, rule_of
from .test_edges_of_rules import at_sea

rule = pytest.mark.rule


# 5 A stack under way


@rule("na41", "5.4a", "5.2.2a")
def test_a_stack_that_moves_by_points_goes_over_to_no_other_way() -> None:
    s = empty()
    place(s, ["IT_27", "IT_28"], "1604")
    phase(s)
    do(s, "move IT_27", "join IT_28", "to 1605 normal")
    assert s.mode < 0 < s.spent
    for mode in ("tactical", "road"):
        assert why(s, f"to 1606 {mode}") == ("5.4a", "a stack of 2 is moving in another way already")
    assert refusal(s, "to 1606 extended") == "5.3d", "over to extended movement it could go, but not on foot"


@rule("na41", "6.3.1", "6.3.3d", "6.2a")
@pytest.mark.parametrize(
    ("side", "box", "entry", "trucks"),
    [("axis", "tripoli", "1701", "AX_TR"), ("allied", "nile_delta", "1980", "AL_TR")],
)
def test_a_box_is_the_end_of_a_move_and_who_has_left_it_enters_none(
    side: str, box: str, entry: str, trucks: str
) -> None:
    s = empty(side)
    place(s, [f"{trucks}1", f"{trucks}2"], box)
    place(s, [f"{trucks}3", f"{trucks}4"], entry)
    phase(s)
    do(s, f"move {trucks}3", f"join {trucks}4", f"to {box} normal")
    assert s.stack[-1][0] != F_STACK, "that is all for both of them"
    do(s, f"move {trucks}1", f"join {trucks}2", f"to {entry} normal")
    assert s.stack[-1][0] == F_STACK
    assert refusal(s, f"to {box} normal") == "6.3.3d"


@rule("na41", "6.2a", "4.1a")
@pytest.mark.parametrize(
    ("side", "box", "hex_", "infantry"),
    [
        (AXIS, "tripoli", "1701", ("IT_27", "IT_28", "IT_39")),
        (ALLIED, "nile_delta", "1980", ("AU_20", "AU_24", "AU_26")),
    ],
)
def test_no_limit_holds_in_a_box(side: int, box: str, hex_: str, infantry: tuple[str, ...]) -> None:
    s = empty()
    place(s, infantry, hex_)
    over_the_limit = excess(s, H(hex_), side)
    place(s, infantry, box)
    assert over_the_limit > excess(s, H(box), side) == 0


@rule("na41", "5.5b")
def test_only_desert_hexes_count_as_desert() -> None:
    s = empty()
    assert [desert_run(s, 1, H(h)) for h in ("1004", "1005", "1006")] == [2, 0, 2]


@rule("na41", "5.5b")
def test_who_leaves_the_desert_leaves_it_behind() -> None:
    s = empty()
    place(s, ["GE_AA3_5L", "GE_K15"], "1747")
    phase(s)
    do(s, "move GE_AA3_5L", "join GE_K15", "to 1748 normal")
    assert desert_behind(s, s.group) == 1
    do(s, "to 1848 normal")  # no desert
    assert desert_behind(s, units_named("GE_AA3_5L", "GE_K15")) == 0


@rule("na41", "13.3.2e", "5.2.2a")
def test_who_gives_way_beside_the_first_hex_of_a_road_bonus_does_so_too() -> None:
    s = empty("axis")
    place(s, "IT_27", "1604")
    place(s, TANK, "1506", routed=True)  # beside 1605, which is the first
    phase(s)
    do(s, "move IT_27", "to 1911 road")
    assert at(s, "IT_27") == "1911"
    assert s.actor == ALLIED
    assert mover(s) == TANK


@rule("na41", "13.3.2e")
def test_a_truck_alone_is_not_stopped_by_those_in_full_retreat() -> None:
    s = empty("axis")
    place(s, "AX_TR1", "1604")
    place(s, TANK, "1607", routed=True)  # beside the highway
    phase(s)
    do(s, "move AX_TR1", "to 1911 normal")
    assert at(s, "AX_TR1") == "1911"
    assert s.actor == AXIS


@rule("na41", "7.2a", "5.8.1d", "17.2.4b")
def test_a_stack_that_must_stop_can_still_be_picked_from() -> None:
    s = empty("axis")
    place(s, "AX_TR1", "2723", msu=True)
    place(s, TANK, "2727")
    phase(s)
    do(s, "move AX_TR1", f"to {WEST} normal")
    assert texts(s) == ["unload-sp", "halt"]
    numbers, picked = iter((0.0, 0.99)), []
    for _ in range(2):
        s.choices = None
        picked.append(GAME.text(GAME.pick(s, lambda: next(numbers))))
    assert sorted(picked) == ["halt", "unload-sp"]


@rule("na41", "5.1a", "5.8.4a")
def test_every_action_of_a_truck_can_be_picked() -> None:
    s = empty()
    place(s, ["AX_TR1", "IT_27"], "1604")
    place(s, "IT_28", "1707")
    supplies(s, "axis", "1702")
    phase(s)
    do(s, "move AX_TR1")
    listed = set(texts(s))
    assert "transfer AX_TR1 1707" in listed
    s.choices = None
    random = Random(41).random
    assert {GAME.text(GAME.pick(s, random)) for _ in range(20 * len(listed))} == listed


# 12 Retreats


@rule("na41", "12.1.1a", "12.1.1c", "12.2.1b")
def test_how_far_a_unit_goes_speaks_against_another_hex() -> None:
    s = fight([FOOT, TANK], attackers={"GE_I5_5L": WEST, "GE_I8": "2730"})
    near, gone = (H(ORIGIN),), (H(ORIGIN), H("2827"), H("2828"))
    assert not s.board.around[H("2730")] >> H("2828") & 1
    assert against(s, U(TANK), 2, gone, H("2928")) == "12.1.1a"
    assert against(s, U(FOOT), 4, gone, H("2928")) == "12.1.1c"
    assert against(s, U(FOOT), 2, near, H(WEST)) == against(s, U(TANK), 2, near, H(WEST)) == "12.2.1b"
    zoned = (H(ORIGIN), H("2728"), H("2729"))
    assert against(s, U(TANK), 2, zoned, H("2730")) == "12.2.1b", "out of an EZOC it goes one hex farther"
    assert against(s, U(TANK), 4, zoned, H("2730")) == "12.2.1b"


@rule("na41", "12.5.1a", "12.5.1d")
def test_who_has_no_way_of_two_hexes_does_not_surrender_for_being_on_foot() -> None:
    where = (WEST, "2827", "2729", "2427", "2624", "2526")
    tanks = ("GE_I5_5L", "GE_II5_5L", "GE_I8", "GE_II8", "GE_AA33", "GE_AA3_5L")
    s = fight(FOOT, attackers=dict(zip(tanks, where, strict=True)))
    (gone,) = of_kind(retreat(s), "surrendered")
    assert gone.rule == "12.5.1d", "it is out of supply"


@rule("na41", "12.1.1a")
def test_the_first_unit_of_the_list_retreats_like_others() -> None:
    first = "GE_AA3_5L"
    assert U(first) == 0
    s = fight(first, attackers={TANK: WEST}, active="allied")
    retreat(s)
    assert mover(s) == first
    go(s, "2728", "2729")
    assert over(s)
    assert at(s, first) == "2729"


# 18.7, 19, 21, 22 By air and sea


@rule("na41", "18.7.6a", "13.2.1a")
def test_only_units_in_good_order_fly() -> None:
    s = empty("axis", "movement", 4, 1)
    controlled_by(s, "axis", "3212", "3211")
    place(s, "GE_III255", "italy", disrupted=True)
    place(s, "GE_III347", "italy")
    s.assets[AIR_TRANSPORT] = 1
    moving(s)
    assert {text.split()[1] for text in texts(s) if text.startswith("fly")} == {"GE_III347"}
    assert rule_of(s, "fly GE_III255 3212") == "18.7.6a"


@rule("na41", "22.2.4c")
def test_a_combat_unit_loses_a_step_at_sea_and_everything_else_is_lost() -> None:
    for u in units_of(board.of_side[AXIS] & ~board.remnant_counters):
        s = at_sea(u)
        start(s, END, (F_SINKING, 6, u))
        roll(s, 1)
        stays = board.combat >> u & 1 and board.steps_of[u] > 1
        assert (at(s, board.units[u]), s.step[u]) == ("at_sea", 1) if stays else at(s, board.units[u]) != "at_sea"


@rule("na41", "19.2.3b")
def test_light_and_heavy_replacements_of_one_place_are_both_offered() -> None:
    s = empty("allied")
    place(s, ["BR_RT1", "BR_RT3", "BR_RT5"], "2727")
    s.heavy = units_named("BR_RT3")
    assert names(offered(s, ALLIED)) == {"BR_RT1", "BR_RT3"}, "the third is like the first"


@rule("na41", "21.1.1b", "21.1.2d")
def test_no_convoy_sails_from_a_port_without_anything_to_ship() -> None:
    s = empty("axis", "movement", 4, 1)
    controlled_by(s, "axis", "3211")
    place(s, "GE_AA3_5L", "italy")
    moving(s)
    assert {text.split()[1] for text in texts(s) if text.startswith("convoy")} == {"italy"}


@rule("na41", "21.1.2d")
def test_in_games_of_version_1_a_full_convoy_sails_at_once() -> None:
    for edition in (1, 2):
        s = empty("axis", "movement", 4, 1)
        s.edition = edition
        s.rp[AXIS] = 1
        controlled_by(s, "axis", "3211")
        place(s, ["GE_AA33", "GE_K15"], "italy")
        moving(s)
        do(s, "convoy italy benghazi", "ship GE_AA33")
        full = GAME.odds(s, GAME.parse("ship GE_K15"))
        do(s, "ship GE_K15")
        assert GAME.is_chance(s) == (full is not None) == (edition == 1)


def test_a_game_begun_now_is_played_by_the_rulings_of_version_2() -> None:
    """Whoever raises the version brings old saves over, and says in the rulebook what has changed."""
    assert new().edition == GAME.version == 2
    assert new(rulings_of_1=True).edition == 1


@rule("na41", "5.8.3", "2.3.1b")
def test_only_trucks_keep_out_of_hexes_with_any_enemy_unit_as_they_advance() -> None:
    for active, unit, closed in (("axis", "AX_CT2", True), ("axis", "GE_I8", False), ("allied", "AL_68M", False)):
        s = empty(active, "combat")
        place(s, unit, "1944")
        place(s, "AL_TR1" if active == "axis" else "AX_TR1", "1945")
        assert bool(closed_to_trucks(s, step(s, U(unit))) >> H("1945") & 1) == closed
