"""Chapter 12: retreating stacks."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import strengths
from sandtable.games.na41.combat.losses import taking_part
from sandtable.games.na41.retreat import retreats, search, surrender
from sandtable.games.na41.table import zones
from sandtable.games.na41.table.ids import (
    ALLIED,
    AXIS,
    BREAKTHROUGH,
    COMBAT,
    F_CARRY,
)
from sandtable.games.na41.table.state import State

from ..kit import (
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
    supplies,
    texts,
    units,
)
from ..retreatkit import ORIGIN, WEST, against, fight, forbidden, go, mover, order, over, retreat, routed, ways
from .ch12retreatskit import FOOT, RIFLES, TANK, distance

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
