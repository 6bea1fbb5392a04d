"""Chapter 12: retreats and surrender."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import effects, strengths
from sandtable.games.na41.combat.losses import sweep, taking_part
from sandtable.games.na41.retreat import retreats, search, surrender
from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.table import zones
from sandtable.games.na41.table.ids import (
    ALLIED,
    ASIDE,
    AUTO_DS,
    AXIS,
    BREAKTHROUGH,
    COMBAT,
    F_CARRY,
    F_MOVES,
    F_OVERSTACK,
    F_RETREAT_UNIT,
)
from sandtable.games.na41.table.position import eliminate, put
from sandtable.games.na41.table.scenarios import option_bits
from sandtable.games.na41.table.stacking import overstacked
from sandtable.games.na41.table.state import State
from sandtable.games.na41.turn import preparation, replacements

from .kit import (
    GAME,
    H,
    U,
    at,
    board,
    controlled_by,
    do,
    empty,
    hexes,
    kinds,
    mask,
    of_kind,
    place,
    roll,
    start,
    supplies,
    texts,
    units,
)
from .retreatkit import ORIGIN, REST, WEST, against, fight, forbidden, go, mover, order, over, retreat, routed, ways

FOOT = "BR_1DLI"
"""One step, on foot."""
TANK = "BR_3H"
RIFLES = "BR_THR"
"""One step, motorised."""


def distance(a: str, b: str) -> int:
    return board.grid.distance(H(a), H(b))


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


# 12.2.1


@pytest.mark.rule("na41", "12.2.1b")
def test_a_hex_of_the_enemy_is_death() -> None:
    s = routed(TANK)
    assert WEST not in ways(s)
    assert forbidden(s, f"to {WEST} normal") == "12.2.1b"
    names = ("GE_I5_5L", "GE_II5_5L", "GE_I8", "GE_II8", "GE_AA33", "GE_AA3_5L")
    around = ("2728", "2827", "2826", "2726", "2626", "2627")
    s = fight(TANK, attackers=dict(zip(names, around, strict=True)))
    (gone,) = of_kind(retreat(s), "surrendered")
    assert gone.rule == "12.5.1d"
    s = fight(TANK, attackers=dict(zip(names, around, strict=True)))
    assert search.death(s, U(TANK), 2, (H(ORIGIN),), 0, s.fight.defenders) == "12.2.1b"


@pytest.mark.rule("na41", "12.1.3d", "7.3d")
def test_a_limited_zone_is_a_zone_for_a_retreat() -> None:
    s = empty("axis", "combat")
    place(s, TANK, "1342")
    place(s, "GE_I5_5L", "1240")  # below the escarpment
    assert hexes(zones.limited_zoc(s, AXIS)) == {"1340", "1341"}
    assert {"1340", "1341"} <= hexes(search.ground(s, U(TANK), 2, units(TANK)).zone)


@pytest.mark.rule("na41", "12.1.3h", "5.8.3")
@pytest.mark.parametrize(("unit", "barred"), [(FOOT, False), ("BR_RI1", False), ("BR_RT1", False), ("AL_TR1", True)])
def test_only_a_truck_without_a_combat_unit_never_runs_over_non_combat_units(unit: str, barred: bool) -> None:
    s = fight(RIFLES)
    place(s, unit, ORIGIN)
    place(s, "AX_TR1", "2728")
    supplies(s, "axis", "2827")
    found = search.ground(s, U(unit), 2, s.fight.defenders | units(unit))
    assert hexes(found.soft) == {"2728", "2827"}
    assert (hexes(found.enemies) >= {"2728", "2827"}) == barred
    assert bool(hexes(found.enemies) & {"2728", "2827"}) == barred


@pytest.mark.rule("na41", "12.2.1e", "12.1.3h")
@pytest.mark.parametrize(("unit", "first"), [(FOOT, {"2827", "2627"}), (RIFLES, {"2728"})])
def test_only_a_mechanised_unit_goes_a_hex_farther_before_it_runs_over_trucks(unit: str, first: set[str]) -> None:
    foes = {"GE_I5_5L": WEST, "GE_II5_5L": "2629", "GE_I8": "2630", "GE_II8": "2929"}
    s = fight(unit, attackers=foes)
    for truck, h in (("AX_TR1", "2827"), ("AX_TR2", "2627"), ("AX_TR3", "2826"), ("AX_TR4", "2626")):
        place(s, truck, h)
    s.retreating = s.fight.defenders
    assert hexes(search.choice(s, U(unit), 2, (H(ORIGIN),), 0).to) == first


@pytest.mark.rule("na41", "12.2.1c", "12.2.1d")
def test_a_second_zone_or_an_overlapping_one_is_death() -> None:
    s = fight(TANK, attackers={"GE_I5_5L": "2728", "GE_II5_5L": "2826", "GE_I8": "2626"})
    assert search.death(s, U(TANK), 2, (H(ORIGIN),), 0, s.fight.defenders) == "12.2.1d"
    events = retreat(s)
    assert at(s, TANK) in ("eliminated", "surrender_left")
    assert over(s)
    assert "retreated" not in kinds(events)


@pytest.mark.rule("na41", "12.2.1c")
def test_no_way_leads_through_two_zones() -> None:
    """Around the origin one free corridor whose both hexes are in one ordinary EZOC each."""
    s = fight(TANK, attackers={"GE_I5_5L": WEST})
    found = search.Search(s, U(TANK), 2, (H(ORIGIN), H("2728")), 0, s.fight.defenders)
    assert found.left == 1
    spent = search.Search(s, U(TANK), 2, (H(ORIGIN), H("2728")), 1, s.fight.defenders)
    place(s, "GE_II5_5L", "2730")
    free = search.Search(s, U(TANK), 2, (H(ORIGIN), H("2728")), 0, s.fight.defenders)
    spent = search.Search(s, U(TANK), 2, (H(ORIGIN), H("2728")), 1, s.fight.defenders)
    assert free.steps(free.spot(free.left), free.entered) >> H("2729") & 1
    assert not spent.steps(spent.spot(spent.left), spent.entered) >> H("2729") & 1


@pytest.mark.rule("na41", "12.2.1e")
def test_a_retreat_does_not_end_in_a_zone_but_a_mechanised_unit_may_go_one_farther() -> None:
    s = corridor(TANK)
    while not over(s):
        go(s, sorted(ways(s))[0])
    assert distance(ORIGIN, at(s, TANK)) == 3
    assert not zones.ezoc(s, ALLIED) >> s.at[U(TANK)] & 1
    s = corridor(FOOT)
    assert at(s, FOOT) in ("eliminated", "surrender_left")


def corridor(unit: str) -> State:
    """Every way of two hexes ends in an EZOC; a third hex leads out of it."""
    where = ("2726", "2827", "2729", "2427", "2624", "2526")
    names = ("GE_I5_5L", "GE_II5_5L", "GE_I8", "GE_II8", "GE_AA33", "GE_AA3_5L")
    s = fight(unit, attackers=dict(zip(names, where, strict=True)))
    retreat(s)
    return s


@pytest.mark.rule("na41", "12.2.1f", "6.3.3a")
@pytest.mark.parametrize("unit", [TANK, FOOT])
def test_a_friendly_box_ends_the_retreat(unit: str) -> None:
    s = fight(unit, hex_="2480", attackers={"GE_I5_5L": "2479"})
    controlled_by(s, "allied", "2478")
    retreat(s, 4)
    assert over(s)
    assert (at(s, unit), order(s, unit)) == ("nile_delta", "full retreat")


@pytest.mark.rule("na41", "12.2.1e", "12.2.1f")
def test_who_has_gone_far_enough_enters_a_box_only_to_leave_a_zone() -> None:
    def box(foe: str, extra: bool, unit: str = TANK, path: tuple[str, ...] = ("2478", "2479", "2480")) -> bool:
        s = fight(unit, hex_="2478", attackers={"GE_I5_5L": foe})
        found = search.Search(s, U(unit), 2, tuple(H(h) for h in path), 0, s.fight.defenders)
        found.settle(False, extra)
        return found.way_out(found.spot(0)) != 0

    assert box("2477", True, path=("2479", "2480"))  # a hex is due
    assert not box("2477", True)
    assert not box("2380", False)
    assert box("2380", True)
    s = fight(TANK, hex_="2478", attackers={"GE_I5_5L": "2477", "GE_II5_5L": "2380"})
    s.retreating = s.fight.defenders
    path = (H("2478"), H("2479"), H("2480"))
    found = search.choice(s, U(TANK), 2, path, 1)
    assert found == (1 << H("nile_delta"), False)


@pytest.mark.rule("na41", "12.1.3g", "16.2b")
def test_port_supply_is_supply_for_the_end_of_a_retreat() -> None:
    s = fight(TANK)
    options = {H(h): 1 << H(h) for h in ("2728", "2627", "2827")}
    s.memo["full", ALLIED], s.memo["fed_by_port", ALLIED] = mask("2728"), mask("2627")
    assert search.by_supply(s, ALLIED, options) == mask("2728", "2627")
    s.memo["full", ALLIED] = 0
    assert search.by_supply(s, ALLIED, options) == mask("2627")
    s.memo["fed_by_port", ALLIED] = 0
    assert search.by_supply(s, ALLIED, options) == mask("2728", "2627", "2827")


@pytest.mark.rule("na41", "12.2.1f")
def test_nobody_retreats_off_the_map_or_into_a_box_of_the_enemy() -> None:
    s = fight("GE_AA3_5L", hex_="2480", attackers={TANK: "2479"}, active="allied")
    assert against(s, U("GE_AA3_5L"), 4, (H("2480"),), H("nile_delta")) == "12.2.1f"
    retreat(s, 4)
    while not over(s):
        go(s, sorted(ways(s))[0])
    assert at(s, "GE_AA3_5L") != "nile_delta"


@pytest.mark.rule("na41", "12.2.1g")
def test_prohibited_terrain_and_hexsides() -> None:
    s = fight(TANK, hex_="2713", attackers={"GE_I5_5L": "2712"})
    retreat(s)
    assert "2714" not in ways(s)
    assert forbidden(s, "to 2714 normal") == "12.2.1g"
    s = fight(FOOT, hex_="2713", attackers={"GE_I5_5L": "2712"})
    retreat(s)
    assert "2714" in ways(s)  # on foot an escarpment is no bar


@pytest.mark.rule("na41", "12.2.1g", "5.5b")
def test_three_desert_hexes_in_a_row_are_death() -> None:
    deep = next(
        board.grid.names[h]
        for h in board.grid.hexes
        if board.grid.within(h, 4) & board.desert == board.grid.within(h, 4)
        and board.grid.within(h, 4).bit_count() == 61
    )
    west = board.grid.names[board.grid.neighbour(H(deep), 3)]
    s = fight(TANK, hex_=deep, attackers={"GE_I5_5L": west})
    retreat(s)
    assert not over(s)
    s = fight(TANK, hex_=deep, attackers={"GE_I5_5L": west})
    assert search.death(s, U(TANK), 4, (H(deep),), 0, s.fight.defenders) == "12.2.1g"
    retreat(s, 4)
    assert at(s, TANK) in ("eliminated", "surrender_left")


@pytest.mark.rule("na41", "12.2.1a", "12.2.1c", "12.2.1d")
def test_ex_12_2_1() -> None:
    """EX-12.2.1: A and B retreat through one ordinary EZOC hex; D could only reach overlapping or second EZOCs."""
    for pile in ([TANK], [TANK, RIFLES]):
        a = routed(pile, "2626", "2825", "2828")
        for _ in pile:
            unit, first = mover(a), sorted(ways(a))[0]
            ground = search.ground(a, U(unit), 2, a.retreating)
            assert ground.zone & ~ground.overlaps & 1 << H(first)
            go(a, first)
            while not over(a) and mover(a) == unit:
                assert not ground.zone & mask(*ways(a))  # no second one
                go(a, sorted(ways(a))[0])
            assert order(a, unit) == "disrupted"
        assert over(a)
    d = routed(TANK, "2728", "2826", "2626")
    assert over(d)
    assert at(d, TANK) in ("eliminated", "surrender_left")


# 12.3


def twice(kind: int = COMBAT) -> State:
    """A tank unit that retreated onto rifles, whose hex is attacked in the same phase."""
    s = fight([RIFLES, TANK], kind=kind)
    s.disrupted = units(TANK)
    s.retreated = s.sheltered = units(TANK)
    return s


@pytest.mark.rule("na41", "12.3a")
def test_who_retreated_onto_friends_adds_no_strength_and_loses_no_step() -> None:
    s = twice()
    assert not strengths.fighting(s, H(ORIGIN), COMBAT) >> U(TANK) & 1
    assert strengths.fighting(s, H(ORIGIN), BREAKTHROUGH) >> U(TANK) & 1
    assert taking_part(s, ALLIED, 0) == units(RIFLES)


@pytest.mark.rule("na41", "12.3b")
def test_a_second_retreat_eliminates_but_not_after_a_breakthrough() -> None:
    s = twice()
    retreat(s)
    assert at(s, TANK) == "eliminated"
    assert mover(s) == RIFLES
    s = twice(BREAKTHROUGH)
    retreat(s)
    go(s, "2728", "2729")
    assert (at(s, TANK), order(s, TANK)) == ("2729", "full retreat")
    assert s.retreated >> U(TANK) & 1
    assert not s.sheltered >> U(TANK) & 1  # there it defends itself again


@pytest.mark.rule("na41", "12.3a", "13.3.2e")
def test_units_that_give_way_together_are_no_refuge_for_each_other() -> None:
    s = fight(RIFLES)
    place(s, [TANK, "BR_7H"], "2729", routed=True)
    assert retreats.onto_friends(s, U(TANK), 0)  # who has not moved is one
    s.retreated = units("BR_7H")
    assert not retreats.onto_friends(s, U(TANK), 0)
    s.routed = units(TANK)
    assert retreats.onto_friends(s, U(TANK), 0)
    assert not retreats.onto_friends(s, U(TANK), units("BR_7H"))  # nor who retreats with it
    s.routed = units("BR_7H")
    assert retreats.onto_friends(s, U(TANK), 0)


@pytest.mark.rule("na41", "12.3b", "12.5.1b")
def test_who_retreated_onto_friends_on_foot_surrenders_only_without_a_truck() -> None:
    def ends(*trucks: str, on_foot: tuple[str, ...] = (FOOT,), msu: bool = False) -> list[str]:
        s = fight([RIFLES, *on_foot])
        place(s, trucks, ORIGIN, msu=msu)
        s.retreated = s.sheltered = units(*on_foot, *trucks)
        s.disrupted = units(*on_foot)
        retreat(s)
        assert (s.stack[-1][0] == F_CARRY) == (0 < len(trucks) < len(on_foot))
        while s.stack[-1][0] == F_CARRY:
            do(s, texts(s)[0])
        assert mover(s) == RIFLES
        assert all(at(s, truck) == "eliminated" for truck in trucks)  # they came along
        return [at(s, name) for name in on_foot]

    assert ends() == ["surrender_left"]
    assert ends("AL_TR1") == ["eliminated"]
    assert ends("AL_TR1", msu=True) == ["surrender_left"]  # an MSU carries nobody
    two = ends("AL_TR1", on_foot=(FOOT, "AU_20"))
    assert sorted(two) == ["eliminated", "surrender_left"]  # a truck for one of them
    assert ends("AL_TR1", "AL_TR2", on_foot=(FOOT, "AU_20")) == ["eliminated", "eliminated"]


@pytest.mark.rule("na41", "12.3b", "12.5.1b")
@pytest.mark.parametrize("spared", [FOOT, "AU_20"])
def test_the_owner_says_who_rides_if_the_trucks_cannot_carry_all_who_are_lost(spared: str) -> None:
    """A56"""
    s = fight([RIFLES, FOOT, "AU_20"])
    place(s, "AL_TR1", ORIGIN)
    s.retreated = s.sheltered = units(FOOT, "AU_20")
    s.disrupted = units(FOOT, "AU_20")
    retreat(s)
    assert s.actor == ALLIED
    assert set(texts(s)) == {f"carry AL_TR1 {FOOT}", "carry AL_TR1 AU_20"}
    assert forbidden(s, "no-carry") == "12.5.1b"
    do(s, f"carry AL_TR1 {spared}")
    other = "AU_20" if spared == FOOT else FOOT
    assert (at(s, spared), at(s, other)) == ("eliminated", "surrender_left")
    assert at(s, "AL_TR1") == ORIGIN  # it is not doomed itself, and goes with the others


@pytest.mark.rule("na41", "12.3b", "12.5.1d")
def test_nobody_is_asked_who_rides_if_all_surrender_out_of_supply() -> None:
    s = fight([RIFLES, FOOT, "AU_20"], attackers={"GE_I5_5L": "2728", "GE_II5_5L": "2826", "GE_I8": "2626"})
    place(s, "AL_TR1", ORIGIN)
    s.retreated = s.sheltered = units(FOOT, "AU_20")
    assert not surrender.supplied(s, U(FOOT))
    retreat(s)
    assert over(s)
    assert [at(s, name) for name in (FOOT, "AU_20")] == ["surrender_left", "surrender_left"]


# 12.4


@pytest.mark.rule("na41", "12.4")
def test_a_port_or_fortification_ends_a_retreat_early() -> None:
    s = fight(TANK)
    s.building[ALLIED] = 1 << H("2728")  # 9.5.4b
    retreat(s, 4)
    go(s, "2728")
    assert "halt" not in texts(s)
    s = fight(TANK)
    s.forts[ALLIED] = 1 << H("2728")
    retreat(s, 4)
    assert forbidden(s, "halt") == "12.1.1a"
    go(s, "2728")
    assert "halt" in texts(s)
    do(s, "halt")
    assert over(s)
    assert (at(s, TANK), order(s, TANK)) == ("2728", "full retreat")
    s = routed(TANK, hexes=4)
    go(s, "2728")
    assert forbidden(s, "halt") == "12.4"
    s = fight(FOOT)
    s.forts[ALLIED] = 1 << H("2729")
    retreat(s, 4)
    while not over(s):
        go(s, *sorted(ways(s))[:1]) if ways(s) else do(s, "halt")
    assert at(s, FOOT) == "2729"  # A unit on foot that reaches it within two hexes does not surrender


@pytest.mark.rule("na41", "12.4")
def test_only_an_own_port_or_fortification_is_a_refuge_and_none_in_a_zone() -> None:
    s = fight(TANK)
    stops = search.ground(s, U(TANK), 2, s.fight.defenders).stops
    assert stops >> H("3138") & 1
    controlled_by(s, "axis", "3138")
    s.forts[AXIS] = 1 << H("2728")
    stops = search.ground(s, U(TANK), 2, s.fight.defenders).stops
    assert not stops >> H("3138") & 1
    assert not stops >> H("2728") & 1
    s = fight(TANK, attackers={"GE_I5_5L": WEST, "GE_II5_5L": "2829"})  # A27
    s.forts[ALLIED] = 1 << H("2728")
    found = search.Search(s, U(TANK), 4, (H(ORIGIN), H("2828")), 0, s.fight.defenders)
    s.forts[ALLIED] |= 1 << H("2828")
    assert not found.ends_here(found.spot(1))


# 12.5


@pytest.mark.rule("na41", "12.5.1a")
def test_on_foot_a_long_retreat_is_surrender() -> None:
    s = fight([FOOT, TANK])
    events = retreat(s, 4)
    (gone,) = of_kind(events, "surrendered")
    assert (gone.data["unit"], gone.rule) == (U(FOOT), "12.5.1a")
    assert mover(s) == TANK


@pytest.mark.rule("na41", "12.5.1b")
def test_on_foot_a_second_retreat_is_surrender_unless_a_truck_helps() -> None:
    s = fight([FOOT, TANK], kind=BREAKTHROUGH)
    s.retreated = units(FOOT)
    (gone,) = of_kind(retreat(s), "surrendered")
    assert (gone.data["unit"], gone.rule) == (U(FOOT), "12.5.1b")
    s = fight([FOOT, TANK], kind=BREAKTHROUGH)
    s.retreated = units(FOOT)
    place(s, "AL_TR1", ORIGIN)
    retreat(s)
    do(s, f"carry AL_TR1 {FOOT}")
    assert at(s, FOOT) == ORIGIN
    assert mover(s) == TANK


@pytest.mark.rule("na41", "12.5.1c")
def test_the_truck_must_be_there_from_the_start() -> None:
    s = fight(FOOT)
    place(s, "AL_TR1", "2728")
    retreat(s, 4)
    assert at(s, FOOT) == "surrender_left"


@pytest.mark.rule("na41", "12.5.1d")
def test_who_dies_out_of_supply_surrenders() -> None:
    ring = {"GE_I5_5L": "2728", "GE_II5_5L": "2826", "GE_I8": "2626"}
    s = fight(TANK, attackers=ring)
    assert not surrender.supplied(s, U(TANK))
    (gone,) = of_kind(retreat(s), "surrendered")
    assert (at(s, TANK), gone.rule) == ("surrender_left", "12.5.1d")
    s = fight(TANK)
    assert surrender.supplied(s, U(TANK))
    surrender.perish(s, U(TANK), "12.2.1e")
    assert at(s, TANK) == "eliminated"
    s = fight([TANK], attackers=ring)
    place(s, "AL_TR1", ORIGIN)
    surrender.perish(s, U("AL_TR1"), "12.2.1e")
    assert at(s, "AL_TR1") == "eliminated"  # combat units only


@pytest.mark.rule("na41", "12.5.1d", "16.2c", "16.2d")
def test_who_found_no_room_at_the_port_is_out_of_supply() -> None:
    """Tobruk at capacity 1 supplies two units, those that its owner chose."""
    s = empty("axis", "combat")
    place(s, [TANK, RIFLES, FOOT], "3138")
    for name, where in (("GE_I5_5L", "3136"), ("GE_II5_5L", "2936"), ("GE_MG8_5L", "2938"), ("GE_MG2_5L", "3040")):
        place(s, name, where)
    port = board.port_at[H("3138")]
    s.port_level[port] = board.port_track[port].index(1)
    assert not supply_lines.full(s, ALLIED) >> H("3138") & 1
    s.fed = units(TANK, RIFLES)
    assert [surrender.supplied(s, U(name)) for name in (TANK, RIFLES, FOOT)] == [True, True, False]
    surrender.perish(s, U(FOOT), "12.2.1e")
    surrender.perish(s, U(RIFLES), "12.2.1e")
    assert (at(s, FOOT), at(s, RIFLES)) == ("surrender_left", "eliminated")
    place(s, FOOT, "3138")  # now there is room
    assert surrender.supplied(s, U(FOOT))


def garrison(hex_: str = "2946", full: bool = False, kind: int = COMBAT) -> State:
    """Rifles, a battalion on foot and a truck in a port are about to be attacked; the port alone feeds them."""
    s = empty("axis", "combat")
    place(s, "GE_I5_5L", "2945")
    place(s, [RIFLES, FOOT, "AL_TR1"], "2946")
    controlled_by(s, "allied", "2946")
    s.memo["full", ALLIED] = -1 if full else 0
    effects.begin(s, kind, H(hex_), units("GE_I5_5L"))
    return s


def port_lost(full: bool = False) -> State:
    """The rifles and the truck have been driven out of Bardia, the battalion is lost; the Axis is about to enter."""
    s = garrison(full=full)
    put(s, U(RIFLES), H("3045"))
    put(s, U("AL_TR1"), H("3045"))
    eliminate(s, U(FOOT), "10.1d")
    return s


@pytest.mark.rule("na41", "12.5.1e")
def test_who_lived_by_a_port_surrenders_when_it_falls() -> None:
    s = port_lost()
    surrender.port_falls(s, H("2946"))
    assert (at(s, RIFLES), at(s, FOOT), at(s, "AL_TR1")) == ("surrender_left", "surrender_left", "eliminated")
    s = port_lost(full=True)
    surrender.port_falls(s, H("2946"))
    assert (at(s, RIFLES), at(s, FOOT)) == ("3045", "eliminated")
    s = port_lost()
    controlled_by(s, "axis", "2946")
    surrender.port_falls(s, H("2946"))
    assert at(s, RIFLES) == "3045"
    s = port_lost()
    surrender.port_falls(s, H("3138"))
    assert at(s, RIFLES) == "3045"


@pytest.mark.rule("na41", "12.5.1e", "16.2c")
def test_who_drew_nothing_from_the_port_does_not_surrender_with_it() -> None:
    s = empty("axis", "combat")
    place(s, "GE_I5_5L", "2945")
    place(s, [RIFLES, FOOT, TANK], "2946")
    port = board.port_at[H("2946")]
    s.port_level[port] = board.port_track[port].index(1)
    s.fed = units(RIFLES, FOOT)
    s.control = board.controllable & ~mask("2946")  # no other port
    s.memo["full", ALLIED] = 0
    effects.begin(s, COMBAT, H("2946"), units("GE_I5_5L"))
    assert {u for _, u in s.garrisons} == {U(RIFLES), U(FOOT)}


@pytest.mark.rule("na41", "12.5.1e", "27.1a", "10.2.2c")
def test_the_truck_of_a_garrison_that_was_wiped_out_is_captured_with_the_port() -> None:
    """A26: those who are eliminated surrender when the port is entered, and 27.1 is for the truck of who surrenders."""
    for taken in (True, False):
        s = garrison()
        s.flags = option_bits({"truck_capture": taken})
        put(s, U("AX_CT1"), ASIDE)
        for name in (RIFLES, FOOT):
            eliminate(s, U(name), "10.1d")
        sweep(s)
        assert (at(s, "AL_TR1"), s.stack) == ("eliminated", [])
        s.stack = [REST]
        surrender.port_falls(s, H("2946"))
        start(s)
        assert (at(s, RIFLES), at(s, FOOT)) == ("surrender_left", "surrender_left")
        assert over(s) != taken
        if taken:
            do(s, "capture AX_CT1")
            assert board.combat & s.here[s.at[U("AX_CT1")]]  # A52 it joins its captors
            assert over(s)


@pytest.mark.rule("na41", "12.5.1e", "27.1a")
def test_an_axis_truck_is_not_captured_with_a_port() -> None:
    s = empty("allied", "combat", truck_capture=True)
    controlled_by(s, "axis", "2946")
    place(s, ["IT_65", "AX_TR1"], "2946")
    s.memo["full", AXIS] = 0
    effects.begin(s, COMBAT, H("2946"), 0)
    place(s, ["IT_65", "AX_TR1"], "3045")  # driven out of it
    surrender.port_falls(s, H("2946"))
    assert (at(s, "IT_65"), at(s, "AX_TR1")) == ("surrender_left", "3045")
    assert s.stack == []


@pytest.mark.rule("na41", "12.5.1e", "8.9.2a")
def test_a_garrison_driven_out_by_an_auto_ds_is_remembered() -> None:
    s = garrison(kind=AUTO_DS)
    s.claims = {H("2946"): units("GE_I5_5L")}
    effects.begin(s, COMBAT, H(ORIGIN), 0)  # other fights come before the advance
    assert {u for _, u in s.garrisons} == {U(RIFLES), U(FOOT), U("AL_TR1")}
    surrender.port_falls(s, H("2946"))
    assert at(s, RIFLES) == "surrender_left"
    assert s.garrisons == []


@pytest.mark.rule("na41", "12.5.1e")
def test_a_garrison_is_forgotten_when_the_next_fight_begins() -> None:
    """A26: they surrender if the port is entered in the advance after their own fight."""
    s = garrison()
    assert s.garrisons
    effects.begin(s, BREAKTHROUGH, H(ORIGIN), 0)
    assert s.garrisons  # that is still the same advance
    effects.begin(s, COMBAT, H(ORIGIN), 0)
    assert s.garrisons == []


@pytest.mark.rule("na41", "12.5.2a", "12.5.2b")
def test_the_surrender_box_takes_two_turns() -> None:
    s = fight(FOOT)
    retreat(s, 4)
    assert at(s, FOOT) == "surrender_left"
    assert s.step[U(FOOT)] == board.steps_of[U(FOOT)] - 1
    place(s, "BR_RI1", "nile_delta")
    for box in ("surrender_right", "eliminated"):
        assert not replacements.TAKERS.free(replacements.eliminated(s), s, U("BR_RI1")) >> U(FOOT) & 1
        preparation.advance_surrendered(s)
        assert at(s, FOOT) == box
    assert replacements.TAKERS.free(replacements.eliminated(s), s, U("BR_RI1")) >> U(FOOT) & 1


@pytest.mark.rule("na41", "12.5.3")
def test_the_owner_may_surrender_his_units_in_his_movement_phase() -> None:
    s = empty("allied", "movement")
    place(s, FOOT, ORIGIN)
    start(s, (F_MOVES,))
    if f"surrender {FOOT}" not in texts(s):
        do(s, f"move {FOOT}")
    do(s, f"surrender {FOOT}")
    assert at(s, FOOT) == "surrender_left"


@pytest.mark.rule("na41", "12.6")
def test_the_advance_is_not_shortened_when_nobody_is_left_to_retreat() -> None:
    s = fight(FOOT, "DR4")
    retreat(s, 4)
    assert at(s, FOOT) == "surrender_left"
    effects.follow_up(s)
    assert s.allowance == 4


# 10.2.2c, 17.1.2c, 27.1


@pytest.mark.rule("na41", "10.2.2c")
def test_trucks_whose_last_combat_unit_is_gone_are_lost() -> None:
    s = fight(FOOT)
    place(s, "AL_TR1", ORIGIN)
    retreat(s, 4)
    do(s, "no-carry")
    assert at(s, FOOT) == "surrender_left"
    assert at(s, "AL_TR1") == "eliminated"
    assert over(s)


@pytest.mark.rule("na41", "17.1.2c")
def test_the_tobruk_asu_never_retreats() -> None:
    s = fight([TANK, "AL_TOB"])
    retreat(s)
    assert at(s, "AL_TOB") == "eliminated"
    assert mover(s) == TANK


def lost_truck(msu: bool = False, **options: bool) -> State:
    s = fight(FOOT, **options)
    place(s, "AL_TR1", ORIGIN, msu=msu)
    for name in ("AX_CT1", "AX_CT2"):
        s.at[U(name)] = ASIDE
    retreat(s, 4)
    if not msu:
        do(s, "no-carry")
    return s


@pytest.mark.rule("na41", "27.1a", "27.1c")
def test_the_axis_may_take_a_truck_of_a_stack_that_surrenders() -> None:
    assert over(lost_truck())
    s = lost_truck(truck_capture=True)
    assert (s.actor, texts(s)) == (AXIS, ["capture AX_CT1", "no-capture"])
    other = s.copy()
    do(s, "capture AX_CT1")
    assert over(s)
    assert (at(s, "AX_CT1"), at(s, "AL_TR1")) == (WEST, "eliminated")  # A52 with the attacker
    do(other, "no-capture")
    assert at(other, "AX_CT1") == "aside"
    s = fight(FOOT, truck_capture=True)
    place(s, ["AX_CT1", "AX_CT2"], "tripoli")  # both in play
    place(s, "AL_TR1", ORIGIN)
    retreat(s, 4)
    do(s, "no-carry")
    assert over(s)


@pytest.mark.rule("na41", "27.1a")
def test_german_trucks_are_not_captured() -> None:
    s = fight("IT_19", attackers={TANK: WEST}, active="allied", truck_capture=True)
    s.at[U("AX_CT1")] = ASIDE
    place(s, "AX_TR1", ORIGIN)
    retreat(s, 4)
    do(s, "no-carry")
    assert over(s)
    assert at(s, "AX_TR1") == "eliminated"


@pytest.mark.rule("na41", "27.1b")
def test_the_supply_point_of_a_captured_msu_is_rolled_for() -> None:
    s = lost_truck(msu=True, truck_capture=True)
    do(s, "capture AX_CT1")
    roll(s, 3)
    assert s.sp[AXIS] == {H(WEST): 1}
    s = lost_truck(msu=True, truck_capture=True)
    do(s, "capture AX_CT1")
    roll(s, 2)
    assert s.sp == [{}, {}]


# 27.3.2


def tagging(friend: str = "BR_7H", **kw: bool) -> State:
    s = fight(TANK, tag_along=True)
    place(s, friend, "2728", **kw)
    retreat(s, 4)
    go(s, "2728")
    return s


@pytest.mark.rule("na41", "27.3.2a", "27.3.2b")
def test_units_on_the_path_may_tag_along_in_worse_order() -> None:
    s = tagging()
    assert "join BR_7H" in texts(s)
    do(s, "join BR_7H")
    assert order(s, "BR_7H") == "disrupted"
    go(s, "2729", "2730", "2731")
    while not over(s):
        do(s, "halt")
    assert at(s, "BR_7H") == at(s, TANK) == "2731"
    assert (order(s, "BR_7H"), order(s, TANK)) == ("disrupted", "full retreat")
    s = tagging(disrupted=True)
    do(s, "join BR_7H")
    assert order(s, "BR_7H") == "full retreat"
    s = tagging(routed=True)
    do(s, "join BR_7H")
    assert order(s, "BR_7H") == "full retreat"
    s = tagging("AL_TR1")
    do(s, "join AL_TR1")
    assert order(s, "AL_TR1") == "good"
    without = fight(TANK)
    place(without, "BR_7H", "2728")
    retreat(without, 4)
    go(without, "2728")
    assert "join BR_7H" not in texts(without)
    assert forbidden(without, "join BR_7H") == "27.3.2a"


@pytest.mark.rule("na41", "27.3.2a")
def test_units_beside_an_enemy_do_not_tag_along() -> None:
    s = fight(TANK, tag_along=True)
    place(s, "BR_7H", "2728")
    place(s, "GE_II5_5L", "2628")
    retreat(s, 4)
    go(s, "2728")
    assert not [t for t in texts(s) if t.startswith("join")]
    assert forbidden(s, "join BR_7H") == "27.3.2a"
    s = tagging()
    place(s, "AX_TR1", "2828")  # a truck is an enemy unit too
    s.choices = None
    assert not [t for t in texts(s) if t.startswith("join")]
    assert forbidden(s, "join BR_7H") == "27.3.2a"


@pytest.mark.rule("na41", "27.3.2c")
def test_tag_along_may_overstack() -> None:
    s = fight(TANK, tag_along=True)
    place(s, ["IN_3M", "SA_1"], "2728")
    place(s, ["BR_2RB", "BR_2SG"], "2729")
    retreat(s, 2)
    go(s, "2728")
    do(s, "join IN_3M", "join SA_1")
    assert "2729" in ways(s)
    go(s, "2729")
    while not over(s):
        do(s, "halt")
    assert at(s, "IN_3M") == at(s, "SA_1") == "2729"


@pytest.mark.rule("na41", "27.3.2d")
def test_no_supply_points_on_the_way() -> None:
    s = tagging("AL_TR1")
    supplies(s, "allied", "2728")
    s.choices = None
    assert "load-sp" not in texts(s)
    do(s, "join AL_TR1")
    assert "load-sp" not in texts(s)


@pytest.mark.rule("na41", "27.3.2e")
def test_on_foot_two_hexes_along() -> None:
    s = tagging(FOOT)
    do(s, f"join {FOOT}")
    go(s, "2729")
    assert f"leave {FOOT}" in texts(s)
    assert f"join {FOOT}" not in texts(s)
    other = s.copy()
    go(s, "2730", "2731")
    while not over(s):
        do(s, "halt")
    assert (at(s, FOOT), at(s, TANK)) == ("2730", "2731")
    do(other, f"leave {FOOT}")
    assert f"join {FOOT}" not in texts(other)
    go(other, "2730", "2731")
    assert (at(other, FOOT), at(other, TANK)) == ("2729", "2731")


@pytest.mark.rule("na41", "27.5.4c")
def test_who_disengages_stays_out_of_zones() -> None:
    s = fight([TANK, "AL_TR1"], attackers={"GE_I5_5L": WEST, "GE_II5_5L": "2628"})
    s.active = ALLIED
    assert against(s, U(TANK), search.DISENGAGING, (H(ORIGIN),), H("2728")) == "27.5.4c"
    s.stack.append(REST)
    retreats.begin(s, units(TANK), H(ORIGIN), search.DISENGAGING)
    start(s)
    assert s.stack[-1][0] == F_RETREAT_UNIT
    assert at(s, TANK) == "2827"
    assert at(s, "AL_TR1") == ORIGIN
    assert "halt" in texts(s)
    do(s, "halt")
    assert over(s)
    assert order(s, TANK) == "good"  # 27.5.4b its owner chooses
    assert GAME.invariants(s) == []


@pytest.mark.rule("na41", "27.5.4c")
def test_no_disengagement_through_a_zone() -> None:
    s = fight(TANK, attackers={"GE_I5_5L": "2826", "GE_II5_5L": "2626", "GE_I8": "2729"})
    assert search.way_exists(s, U(TANK), 2, H(ORIGIN), s.fight.defenders)
    assert not search.way_exists(s, U(TANK), search.DISENGAGING, H(ORIGIN), s.fight.defenders)
    rule = search.death(s, U(TANK), search.DISENGAGING, (H(ORIGIN),), 0, s.fight.defenders)
    assert rule == "27.5.4c"


@pytest.mark.rule("na41", "5.8.3")
def test_an_empty_truck_runs_over_nobody() -> None:
    wall = {"GE_I5_5L": "2826", "GE_II5_5L": "2726", "GE_I8": "2626", "GE_II8": "2929", "GE_AA33": "2529"}
    s = fight([TANK, "AL_TR1"], attackers=wall)
    place(s, "AX_TR1", "2728")
    assert search.way_exists(s, U(TANK), 2, H(ORIGIN), s.fight.defenders)
    assert not search.way_exists(s, U("AL_TR1"), 2, H(ORIGIN), s.fight.defenders)


@pytest.mark.rule("na41", "27.3.2e", "13.3.2c")
def test_a_companion_in_full_retreat_keeps_out_of_zones() -> None:
    s = fight(TANK, tag_along=True)
    place(s, "BR_7H", "2728")
    way = (H(ORIGIN), H("2728"))
    assert retreats.keeps_up(s, U("BR_7H"), 1, way, H("2729"), 1)
    s.routed = units("BR_7H")
    assert not retreats.keeps_up(s, U("BR_7H"), 1, way, H("2729"), 1)
    assert retreats.keeps_up(s, U("BR_7H"), 1, way, H("2729"), 0)


@pytest.mark.rule("na41", "27.3.2a", "17.1.2c")
def test_the_guns_of_tobruk_go_along_with_nobody() -> None:
    s = fight(TANK, hex_="3138", attackers={"GE_I5_5L": "2934"}, tag_along=True)
    place(s, ["AL_TOB", "BR_7H"], "3138")
    frame = retreats.frame(U(TANK), 4, 0, (H("3037"), H("3138")), ())
    assert retreats.joinable(s, frame) == units("BR_7H")


@pytest.mark.rule("na41", "27.3.2a", "S1.2d")
def test_nor_do_the_poles_before_turn_11() -> None:
    for turn, found in ((10, units("BR_7H")), (11, units("BR_7H", "PO_CAR"))):
        s = fight(TANK, hex_="2478", attackers={"GE_I5_5L": "2474"}, tag_along=True)
        s.turn = turn
        place(s, ["PO_CAR", "BR_7H"], "2478")
        frame = retreats.frame(U(TANK), 4, 0, (H("2477"), H("2478")), ())
        assert retreats.joinable(s, frame) == found
