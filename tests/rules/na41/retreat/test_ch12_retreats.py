"""Chapter 12: retreats and surrender."""

from __future__ import annotations

import pytest

from sandtable.games.na41.retreat import search
from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.table.ids import (
    ALLIED,
    AXIS,
    F_CARRY,
    F_OVERSTACK,
)
from sandtable.games.na41.table.stacking import overstacked

from ..kit import (
    GAME,
    H,
    U,
    at,
    board,
    do,
    hexes,
    place,
    start,
    supplies,
    texts,
    units,
)
from ..retreatkit import ORIGIN, WEST, against, fight, forbidden, go, mover, order, over, retreat, routed, ways
from .ch12retreatskit import FOOT, RIFLES, TANK, distance

"""One step, on foot."""
"""One step, motorised."""


# 12.1.1


@pytest.mark.rule("na41", "12.1.1a")
@pytest.mark.parametrize("length", [2, 4])
def test_the_owner_retreats_his_units_as_far_as_the_result_says(length: int) -> None:
    s = routed(TANK, hexes=length)
    for gone in range(1, length + 1):
        assert s.actor == ALLIED
        assert not over(s)
        assert "halt" not in texts(s)
        go(s, sorted(ways(s))[0])
        assert distance(ORIGIN, at(s, TANK)) == gone
    assert over(s)


@pytest.mark.rule("na41", "12.1.1a", "10.1d")
def test_a_d1_lets_the_owner_choose_two_or_three() -> None:
    s = routed(TANK, hexes=3)
    go(s, "2728")
    assert "halt" not in texts(s)
    go(s, "2729")
    assert "halt" in texts(s)
    other = s.copy()
    do(s, "halt")
    assert over(s)
    go(other, "2730")
    assert over(other)
    assert at(other, TANK) == "2730"


@pytest.mark.rule("na41", "12.1.1b", "17.2.1g")
def test_supply_points_without_a_truck_stay() -> None:
    s = fight(TANK)
    supplies(s, "allied", ORIGIN)
    retreat(s)
    go(s, "2728", "2729")
    assert over(s)
    assert s.sp[ALLIED] == {H(ORIGIN): 1}


@pytest.mark.rule("na41", "12.1.1c")
def test_on_foot_nobody_goes_beyond_two_hexes() -> None:
    s = routed([FOOT], hexes=3)
    go(s, "2728", "2729")
    assert over(s)
    assert at(s, FOOT) == "2729"
    s = routed([FOOT], hexes=4)
    assert at(s, FOOT) == "surrender_left"


@pytest.mark.rule("na41", "12.1.2a")
def test_a_stack_may_split() -> None:
    s = routed([TANK, RIFLES])
    assert mover(s) == TANK
    go(s, "2728", "2729")
    assert mover(s) == RIFLES
    assert "2627" in ways(s)
    go(s, "2627", "2528")
    assert (at(s, TANK), at(s, RIFLES)) == ("2729", "2528")


@pytest.mark.rule("na41", "12.1.2b")
def test_units_retreat_through_friends_without_harm() -> None:
    s = fight(TANK)
    place(s, "BR_7H", "2728")
    retreat(s)
    assert "2728" in ways(s)
    go(s, "2728", "2729")
    assert (at(s, "BR_7H"), order(s, "BR_7H"), s.step[U("BR_7H")]) == ("2728", "good", 0)


# 12.1.3


@pytest.mark.rule("na41", "12.1.3b")
def test_each_hex_is_entered_only_once() -> None:
    # north and east are barred by enemies; a way of 4 that needs a turn never comes back
    s = routed(TANK, hexes=4)
    seen = {ORIGIN}
    while not over(s):
        here = at(s, TANK)
        seen.add(here)
        for visited in seen - {here}:
            if board.grid.adjacent(H(here), H(visited)):
                assert forbidden(s, f"to {visited} normal") == "12.1.3b"
        go(s, sorted(ways(s))[0])
    found = search.Search(s, U(TANK), 4, (H(ORIGIN), H("2728")), 0, 0)
    assert not found.steps(found.spot(1), found.entered) >> H(ORIGIN) & 1


@pytest.mark.rule("na41", "12.1.3a", "12.1.3c")
def test_a_hex_from_which_all_ways_kill_is_no_way() -> None:
    s = routed(TANK, WEST, "2829", "2629")  # every hex east of 2728 is in an EZOC
    assert ways(s) == {"2827", "2627"}
    s = routed(TANK, "2826", "2626", "2729")
    assert ways(s) == {"2827", "2627"}
    assert forbidden(s, "to 2728 normal") == "12.1.3c"


@pytest.mark.rule("na41", "12.1.3d")
def test_zones_are_avoided_if_possible() -> None:
    s = fight(TANK, attackers={"GE_I5_5L": WEST, "GE_II5_5L": "2628"})  # 2627 and 2728 are in the ZOC of 2628
    found = search.Search(s, U(TANK), 2, (H(ORIGIN),), 0, s.fight.defenders)
    assert found.best() == (0, 0)
    retreat(s)
    assert hexes(sum(1 << h for h in s.stack[-1].path)) == {ORIGIN, "2827"}  # the only first hex was taken at once
    before = fight(TANK, attackers={"GE_I5_5L": WEST, "GE_II5_5L": "2628"})
    for hex_ in ("2627", "2728"):
        assert against(before, U(TANK), 2, (H(ORIGIN),), H(hex_)) == "12.1.3d"


@pytest.mark.rule("na41", "12.1.3d")
def test_one_zone_is_crossed_where_there_is_no_other_way_but_not_an_overlapping_one() -> None:
    s = routed(TANK, "2826", "2626", "2729")  # 2827, 2627 and 2728 see one of them each, 2726 two
    assert ways(s) == {"2827", "2627"}
    assert forbidden(s, "to 2726 normal") == "12.2.1d"
    hint = GAME.hint(s, GAME.parse("to 2827 normal"))
    assert hint is not None
    assert "12.1.3d" in hint["note"]
    go(s, "2827")  # 2828 and 2927 would be a second EZOC
    assert over(s)
    assert at(s, TANK) == "2928"


@pytest.mark.rule("na41", "12.1.3e", "12.2.1a")
def test_friends_who_have_not_retreated_negate_zones() -> None:
    attackers = {"GE_I5_5L": "2728", "GE_II5_5L": "2826", "GE_I8": "2626"}  # all hexes overlapping
    s = fight(TANK, attackers=attackers)
    place(s, RIFLES, "2627")
    retreat(s)
    left = s.stack[-1]
    assert getattr(left, "path", ()) == (H(ORIGIN), H("2627")) or at(s, TANK) != "eliminated"
    assert order(s, TANK) == "disrupted" or not over(s)
    for fake in ("retreated", "truck"):
        s = fight(TANK, attackers=attackers)
        if fake == "truck":
            place(s, "AL_TR1", "2627")  # no combat unit
        else:
            place(s, RIFLES, "2627")
            s.retreated = units(RIFLES)
        retreat(s)
        assert at(s, TANK) in ("eliminated", "surrender_left")


@pytest.mark.rule("na41", "12.1.3f")
def test_every_hex_leads_farther_if_it_can() -> None:
    s = routed(TANK)
    go(s, "2728")
    assert ways(s) == {"2828", "2729", "2628"}  # 2827 and 2627 are beside the origin
    assert forbidden(s, "to 2827 normal") == "12.1.3f"


@pytest.mark.rule("na41", "12.1.3f", "12.1.3a")
def test_a_way_that_does_not_lead_away_is_better_than_a_zone() -> None:
    attackers = {"GE_I5_5L": "2726", "GE_II5_5L": "2829", "GE_I8": "2629", "GE_II8": "2929", "GE_AA33": "3027"}
    s = fight(TANK, attackers=attackers)
    place(s, "GE_AA3_5L", "2527")  # 2627 and what lies south of it is in its ZOC
    found = search.Search(s, U(TANK), 2, (H(ORIGIN),), 0, s.fight.defenders)
    assert found.best() == (0, 1)  # 2728, then 2827 beside the origin; or the other way round
    retreat(s)
    while not over(s):
        go(s, sorted(ways(s))[0])
    assert at(s, TANK) in ("2728", "2827")


@pytest.mark.rule("na41", "12.1.3g")
def test_the_retreat_ends_in_supply_if_it_can() -> None:
    s = fight(TANK)
    retreat(s)
    go(s, "2728")
    free = ways(s)
    assert len(free) > 1
    fed = supply_lines.full(s, ALLIED) | supply_lines.fed_by_port(s, ALLIED)
    assert all(fed >> H(n) & 1 for n in free)
    cut = fight(TANK)
    keep = min(free)
    options = {H(n): 1 << H(n) for n in free}
    for full, expected in ((1 << H(keep), {keep}), (0, free)):
        cut.memo["full", ALLIED] = full
        cut.memo["fed_by_port", ALLIED] = 0
        assert hexes(search.by_supply(cut, ALLIED, options)) == expected


@pytest.mark.rule("na41", "12.1.3h")
def test_enemy_trucks_are_run_over_only_if_there_is_no_other_way() -> None:
    s = fight(TANK)
    place(s, "AX_TR1", "2728")
    retreat(s)
    assert "2728" not in ways(s)
    assert forbidden(s, "to 2728 normal") == "12.1.3h"
    wall = {"GE_I5_5L": "2826", "GE_II5_5L": "2726", "GE_I8": "2626", "GE_II8": "2929", "GE_AA33": "2529"}
    s = fight(TANK, attackers=wall)
    place(s, "AX_TR1", "2728")
    supplies(s, "axis", "2728")
    retreat(s)
    assert over(s)
    assert at(s, TANK) == "2729"
    assert at(s, "AX_TR1") == "eliminated"
    assert s.sp[AXIS] == {}


# 12.1.4, 12.1.5


@pytest.mark.rule("na41", "12.1.4")
def test_a_retreat_may_overstack_until_the_owners_next_movement_phase() -> None:
    s = fight(RIFLES)
    place(s, ["IN_3M", "SA_1", "BR_2RB"], "2729")  # five points
    retreat(s)
    go(s, "2728")
    assert "2729" in ways(s)
    go(s, "2729")
    assert over(s)
    assert at(s, RIFLES) == "2729"
    assert overstacked(s, ALLIED) < 0
    s.active = ALLIED
    s.retreated = 0  # 12.3 the Combat Phase is over
    start(s, (F_OVERSTACK, ALLIED))
    assert [t for t in texts(s) if t.startswith("drop")]


@pytest.mark.rule("na41", "12.1.5a")
def test_trucks_msus_and_replacements_retreat_too() -> None:
    s = fight(TANK)
    place(s, ["AL_TR1", "BR_RT1"], ORIGIN)
    place(s, "AL_TR2", ORIGIN, msu=True)
    retreat(s)
    gone = []
    while not over(s):
        gone.append(mover(s))
        go(s, "2728", "2729")
    assert set(gone) == {TANK, "AL_TR1", "AL_TR2", "BR_RT1"}
    assert s.here[H("2729")] == units(TANK, "AL_TR1", "AL_TR2", "BR_RT1")
    assert s.msu == units("AL_TR2")
    assert (order(s, "AL_TR1"), order(s, TANK)) == ("good", "disrupted")


@pytest.mark.rule("na41", "12.1.5b")
def test_a_truck_carries_one_unit_or_an_sp() -> None:
    s = fight([TANK, FOOT, "CZ_11"])
    place(s, "AL_TR1", ORIGIN)
    supplies(s, "allied", ORIGIN)
    retreat(s, 4)
    assert s.stack[-1][0] == F_CARRY
    assert texts(s) == ["load-sp", "carry AL_TR1 CZ_11", "carry AL_TR1 BR_1DLI", "no-carry"]
    assert forbidden(s, f"carry AL_TR1 {TANK}") == "12.5.1c"
    assert forbidden(s, f"carry AL_TR2 {FOOT}") == "12.1.5b"
    laden = s.copy()
    do(s, f"carry AL_TR1 {FOOT}")
    assert at(s, "CZ_11") == "surrender_left"  # one only
    assert mover(s) == TANK
    go(s, "2728", "2729", "2730", "2731")
    go(s, "2728", "2729", "2730", "2731")
    assert over(s)
    assert at(s, FOOT) == at(s, "AL_TR1") == "2731"
    assert s.carried[U(FOOT)] == -1
    do(laden, "load-sp")
    assert laden.msu == units("AL_TR1")
    assert laden.sp[ALLIED] == {}
    assert at(laden, FOOT) == at(laden, "CZ_11") == "surrender_left"
