"""Chapter 16: spending buildup points (16.5 to 16.55)."""

from __future__ import annotations

import pytest

from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    DEAD,
    F_BUILDUP,
    F_BUILDUP_DICE,
    F_GIVE_UP,
    F_MONTH,
    F_RELAY,
    F_SPEND,
    POOL,
    REFIT,
)
from sandtable.games.rommel.table.scenarios import script
from sandtable.games.rommel.table.state import State, eliminate
from sandtable.games.rommel.turn.redeployment import reach

from .kit import (
    GAME,
    H,
    U,
    at,
    battle,
    board,
    do,
    empty,
    hexes,
    kinds,
    mask,
    place,
    roll,
    start,
    texts,
    why,
)
from .months import COAST, STOP, month, nets, offers, player, redeployable, reinforcements, spend

# 16.5 Spending


@pytest.mark.rule("rommel", "16.5a")
def test_activities_in_any_order_and_as_often_as_points_last() -> None:
    s = empty("axis", None)
    place(s, ["IT-BRE", "IT-TRE"], "0902", cv=1)
    nets(s, " ".join(COAST))
    cost = board.rebuild_cost[U("IT-BRE")] + board.rebuild_cost[U("IT-TRE")]
    spend(s, points=cost + 12)
    do(
        s,
        "rebuild IT-BRE",
        "redeploy IT-BRE",
        "to 0903 -",
        "buy",
        "rebuild IT-TRE",
        "redeploy IT-BRE",
        "to 0902 -",
    )
    assert s.bp[AXIS] == 0
    assert s.cv[U("IT-BRE")] == s.cv[U("IT-TRE")] == 2
    assert texts(s) == ["spent"]


@pytest.mark.rule("rommel", "16.5b")
@pytest.mark.parametrize(("points", "saved"), [(20, 20), (21, 20), (34, 20), (7, 7)])
def test_at_most_twenty_points_are_saved(points: int, saved: int) -> None:
    s = empty("axis", None, month=2)
    place(s, "GE-PZ5", "0902")
    player(s, AXIS, points)
    assert s.bp[AXIS] == points  # all of it may be spent first
    do(s, "spent")
    assert s.bp[AXIS] == saved


@pytest.mark.rule("rommel", "16.5c")
def test_spending_is_the_players_own_record() -> None:
    s = empty("axis", None)
    place(s, "IT-BRE", "0902", cv=1)
    nets(s, " ".join(COAST))
    spend(s, points=26)
    before = GAME.view(s, COMMONWEALTH)
    events = do(s, "rebuild IT-BRE", "mine 0704", "buy")
    assert GAME.view(s, COMMONWEALTH) == before
    assert all(e.seen_by(COMMONWEALTH) is None for e in events)
    assert GAME.view(s, AXIS)["buildup"]["points"] == 0
    assert GAME.view(s, COMMONWEALTH)["buildup"]["points"] != 26
    events = do(s, "spent")
    assert "points" not in next(e for e in events if e.kind == "spent").seen_by(COMMONWEALTH)


# 16.51 Redeployment


@pytest.mark.rule("rommel", "16.51a")
def test_units_redeploy_individually() -> None:
    s = empty("axis", None)
    place(s, ["GE-PZ5", "IT-BRE"], "0903")
    place(s, "IT-TRE", "0704")
    nets(s, " ".join(COAST))
    spend(s)
    do(s, "redeploy IT-BRE", "to 0604 -", "redeploy IT-TRE", "to 0902 -", "redeploy GE-PZ5", "to 0803 -")
    assert [at(s, u) for u in ("IT-BRE", "IT-TRE", "GE-PZ5")] == ["0604", "0902", "0803"]


@pytest.mark.rule("rommel", "16.51b")
def test_e16_51_six_hexes_along_the_coast_road() -> None:
    """E16.51: one BP takes a unit six hexes along the coast road, whatever its speed."""
    for unit in ("GE-AA3", "IT-BRE"):  # reconnaissance and leg infantry
        s = empty("axis", None)
        place(s, unit, "0902")
        nets(s, " ".join(COAST))
        spend(s, points=1)
        do(s, f"redeploy {unit}")
        assert set(texts(s)) == {f"to {h} -" for h in COAST[1:7]}
        assert why(s, "to 0304 -").rule == "16.51b"
        do(s, "to 0403 -")
        assert at(s, unit) == "0403"
        assert s.bp[AXIS] == 0
        assert texts(s) == ["spent"]


@pytest.mark.rule("rommel", "16.51b")
def test_redeployment_by_track_trail_and_desert() -> None:
    s = empty("axis", None)
    place(s, "GE-AA3", "0412")  # El Adem: tracks, trails and clear desert around
    s.nets[AXIS] = board.land
    spend(s)
    found = reach(s, U("GE-AA3"), AXIS)
    # the same walk, hex by hex: 2 anywhere, 3 by any road, 4 by track or better, 6 by coast road
    ways = [(2, board.open), (3, board.any_road), (4, board.track_or_better), (6, board.roads[0])]
    expected: set[int] = set()
    for limit, sides in ways:
        front = {H("0412")}
        for _ in range(limit):
            front = front | {n for h in front for d, n in board.steps[h] if sides[d] >> h & 1}
        expected |= front
    assert hexes(found) == {board.grid.names[h] for h in expected - {H("0412")}}
    assert max(board.grid.distance(h, H("0412")) for h in expected) == 4


@pytest.mark.rule("rommel", "16.51c")
def test_no_rommel_bonus_in_redeployment() -> None:
    s = empty("axis", None)
    place(s, "GE-AA3", "0902")
    nets(s, " ".join(COAST))
    assert script(s).rommel_move
    assert reach(s, U("GE-AA3"), AXIS) == mask(*COAST[1:7])
    spend(s)
    do(s, "redeploy GE-AA3")
    assert len(texts(s)) == 6


@pytest.mark.rule("rommel", "16.51d")
def test_a_unit_may_redeploy_again_and_again() -> None:
    s = empty("axis", None)
    place(s, "IT-BRE", "0902")
    nets(s, " ".join(COAST))
    spend(s, points=3)
    do(s, "redeploy IT-BRE", "to 0403 -", "redeploy IT-BRE", "to 0304 -", "redeploy IT-BRE", "to 0403 -")
    assert s.bp[AXIS] == 0


@pytest.mark.rule("rommel", "16.51e")
def test_redeployment_stays_in_the_network_at_all_times() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0902")
    place(s, "IT-BRE", "0205")
    nets(s, "0902 0903 0704 0604")  # 0803 between them is not in it
    spend(s)
    assert redeployable(s) == {"GE-PZ5"}
    assert why(s, "redeploy IT-BRE").rule == "16.51e"
    do(s, "redeploy GE-PZ5")
    assert texts(s) == ["to 0903 -"]
    assert why(s, "to 0803 -").rule == "16.51e"


@pytest.mark.rule("rommel", "16.51f")
def test_no_entering_of_overlapped_parts() -> None:
    """A41: a unit may start in and leave an overlapped hex, may not enter one; its base is always allowed."""
    s = empty("axis", None)
    place(s, "GE-PZ5", "0704")
    nets(s, " ".join(COAST), "0902 0704 0604")
    spend(s)
    do(s, "redeploy GE-PZ5")
    assert set(texts(s)) == {"to 0803 -", "to 0903 -", "to 0902 -"}  # out, to its base, but not on to 0604
    assert why(s, "to 0604 -").rule == "16.51f"
    do(s, "to 0803 -", "redeploy GE-PZ5")
    assert why(s, "to 0704 -").rule == "16.51f"  # and not back in
    s = empty("axis", None)
    place(s, "GE-PZ5", "0704")
    nets(s, "0704 0604 0803", "0604 0803")
    spend(s)
    assert redeployable(s) == set()
    assert why(s, "redeploy GE-PZ5").rule == "16.51f"


@pytest.mark.rule("rommel", "16.51g")
def test_battle_hexes_are_neither_entered_nor_passed() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0902")
    place(s, "IT-BRE", "0803")
    place(s, "CW-KDG", "0803")
    battle(s, "0803", defender="axis")
    nets(s, " ".join(COAST))
    spend(s)
    do(s, "redeploy GE-PZ5")
    assert texts(s) == ["to 0903 -"]
    assert why(s, "to 0803 -").rule == "16.51g"


@pytest.mark.rule("rommel", "16.51g")
def test_a_unit_shut_in_by_battle_hexes_cannot_redeploy() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0902")
    place(s, ["IT-BRE", "CW-KDG"], "0903")
    battle(s, "0903", defender="axis")
    nets(s, " ".join(COAST))
    spend(s)
    assert redeployable(s) == set()
    assert why(s, "redeploy GE-PZ5").rule == "16.51f"


@pytest.mark.rule("rommel", "16.51e")
def test_a_unit_beside_the_network_does_not_redeploy_into_it() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0804")  # in oasis or fortress supply, say
    nets(s, " ".join(COAST))
    spend(s)
    assert redeployable(s) == set()
    assert why(s, "redeploy GE-PZ5").rule == "16.51e"


@pytest.mark.rule("rommel", "16.51h")
def test_leaving_a_battle_by_redeployment() -> None:
    s = empty("axis", None)
    place(s, ["GE-PZ5", "IT-BRE"], "0803")
    place(s, "CW-KDG", "0803")
    battle(s, "0803", defender="commonwealth")  # no hexside is the Axis player's
    nets(s, " ".join(COAST))
    spend(s)
    assert redeployable(s) == {"GE-PZ5", "IT-BRE"}
    events = do(s, "redeploy GE-PZ5", "to 0704 -")
    assert at(s, "GE-PZ5") == "0704"
    assert not s.disrupted  # no disengagement, no retreat
    assert "pursuit" not in kinds(events)
    assert not s.revealed >> U("GE-PZ5") & 1
    assert redeployable(s) == {"GE-PZ5"}
    assert why(s, "redeploy IT-BRE").rule == "16.51h"  # the last one must stay


@pytest.mark.rule("rommel", "16.51h")
def test_a_disrupted_unit_is_not_left_alone_in_battle() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0803")
    place(s, "IT-BRE", "0803", disrupted=True)
    place(s, "CW-KDG", "0803")
    battle(s, "0803", defender="axis")
    nets(s, " ".join(COAST))
    spend(s)
    assert redeployable(s) == set()
    assert why(s, "redeploy GE-PZ5").rule == "16.51h"


@pytest.mark.rule("rommel", "16.51i", "11.1g")
def test_disrupted_units_do_not_redeploy() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0803", disrupted=True)
    place(s, "IT-BRE", "0304", disrupted=True)
    place(s, "IT-TRE", "0803")
    nets(s, " ".join(COAST))
    spend(s)
    assert redeployable(s) == {"IT-TRE"}
    assert why(s, "redeploy GE-PZ5").rule == "11.1g"
    assert offers(s, "refit") == ["refit IT-TRE"]
    assert why(s, "refit GE-PZ5").rule == "11.1g"
    assert offers(s, "ship") == []
    assert why(s, "ship IT-BRE").rule == "11.1g"


@pytest.mark.rule("rommel", "16.51b")
def test_redeployment_costs_points_and_says_why_not() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0902")
    place(s, "CW-KDG", "0704")
    nets(s, " ".join(COAST))
    spend(s, points=0)
    assert redeployable(s) == set()
    assert why(s, "redeploy GE-PZ5").rule == "16.51b"
    s.bp[AXIS] = 1
    s.choices = None
    assert why(s, "redeploy CW-KDG").why == "King's Dragoon Guards is not yours"
    assert why(s, "redeploy GE-PZ8").why == "Panzer-Rgt 8 is not on the map"
    do(s, "redeploy GE-PZ5")
    assert why(s, "to 0902 -").rule == "16.51b"
    assert why(s, "to 0704 -").rule == "16.51g"  # it would start a battle


@pytest.mark.rule("rommel", "0.3b", "16.51a")
def test_redeploying_blocks_stay_hidden() -> None:
    s = empty("axis", None)
    place(s, ["GE-PZ5", "IT-BRE"], "0902")
    nets(s, " ".join(COAST))
    spend(s)
    other = s.copy()
    events = do(s, "redeploy GE-PZ5", "to 0903 -")
    twin = do(other, "redeploy IT-BRE", "to 0903 -")
    assert [e.seen_by(COMMONWEALTH) for e in events] == [e.seen_by(COMMONWEALTH) for e in twin]
    assert GAME.view(s, COMMONWEALTH) == GAME.view(other, COMMONWEALTH)
    assert GAME.view(s, AXIS) != GAME.view(other, AXIS)


# 16.52 Return to base for refit


@pytest.mark.rule("rommel", "16.52a", "16.52d")
def test_return_for_refit_is_free() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0304", cv=2)
    place(s, "GE-AA3", "0902")
    nets(s, " ".join(COAST))
    spend(s, points=0)
    assert offers(s, "refit") == ["refit GE-PZ5"]
    assert why(s, "refit GE-AA3").rule == "16.52a"  # at the base already
    events = do(s, "refit GE-PZ5")
    assert s.at[U("GE-PZ5")] == REFIT
    assert s.bp[AXIS] == 0
    block = next(b for b in GAME.view(s, COMMONWEALTH)["units"] if b.get("box") == "refit")
    assert "id" not in block  # face down
    assert "unit" not in events[0].seen_by(COMMONWEALTH)


@pytest.mark.rule("rommel", "16.52a")
def test_refit_is_instead_of_redeploying() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0304")
    nets(s, " ".join(COAST))
    spend(s)
    do(s, "redeploy GE-PZ5", "to 0403 -")
    assert offers(s, "refit") == []
    assert why(s, "refit GE-PZ5").rule == "16.52a"


@pytest.mark.rule("rommel", "16.52b", "16.52e")
def test_out_for_a_whole_month() -> None:
    s = empty("axis", None, month=1)
    place(s, "IT-BRE", "0704", cv=1)
    place(s, ["GE-AA3"], "0803")
    place(s, "CW-4A", "0626")
    s.stack = []
    start(s, (F_MONTH, 0))
    roll(s, 1, 1, 2, 2)
    do(s, "keep", "keep", "refit IT-BRE")
    for verb in ("redeploy", "rebuild", "ship", "refit"):
        assert why(s, f"{verb} IT-BRE").rule == "16.52b"
    do(s, "spent")
    while any(f[0] == F_BUILDUP for f in s.stack):
        roll(s, *[1] * s.stack[-1][2]) if GAME.to_act(s) == -1 else do(s, "spent")
    assert at(s, "IT-BRE") == "refit"
    assert not s.occ[AXIS] >> H("0704") & 1  # it can be used for nothing
    s.bp = [0, 0]
    events = month(s)
    assert "returned" in kinds(events)  # at the start of the next Buildup
    assert s.stack[-1][0] == F_BUILDUP_DICE
    assert at(s, "IT-BRE") == "0902"
    roll(s, 1, 1, 2, 2)
    while s.stack[-1][0] == F_GIVE_UP:
        do(s, "keep")
    do(s, "rebuild IT-BRE", "redeploy IT-BRE", "to 0903 -")  # and then it does as it likes


@pytest.mark.rule("rommel", "16.52c")
def test_refit_needs_an_overland_route_in_the_network() -> None:
    s = empty("axis", None)
    s.fort_owner = [AXIS, AXIS, AXIS]
    place(s, "GE-PZ5", "0313")  # Tobruk: by sea only
    place(s, "IT-BRE", "0704")
    place(s, "GE-AA3", "0604")
    place(s, "CW-KDG", "0604")
    place(s, "IT-TRE", "0403")  # beyond a battle
    place(s, "GE-104", "0604")
    battle(s, "0604", defender="axis")
    nets(s, "0313 " + " ".join(COAST))
    spend(s)
    assert offers(s, "refit") == ["refit GE-AA3", "refit GE-104", "refit IT-BRE"]
    for unit in ("GE-PZ5", "IT-TRE"):
        assert why(s, f"refit {unit}").rule == "16.52c"
    do(s, "refit GE-AA3")  # A42: from a battle hex, if a friend remains
    assert why(s, "refit GE-104").rule == "16.51h"


@pytest.mark.rule("rommel", "16.51b", "16.52c", "1.4b")
def test_no_way_leads_across_an_impassable_hexside() -> None:
    """The marsh between El Agheila and 1002: a neighbour in the network is not a way there."""
    s = empty("axis", None)
    place(s, "GE-PZ5", "1002")
    nets(s, "0902 1002")
    spend(s)
    assert offers(s, "redeploy") == offers(s, "refit") == []
    assert why(s, "redeploy GE-PZ5").rule == "16.51f"
    assert why(s, "refit GE-PZ5").rule == "16.52c"
    nets(s, "0902 1002 1001")  # round it
    s.choices = None
    assert offers(s, "redeploy") == ["redeploy GE-PZ5"]
    assert offers(s, "refit") == ["refit GE-PZ5"]
    place(s, "IT-BRE", "1003")  # beside the network, but not in it
    s.choices = None
    assert offers(s, "refit") == ["refit GE-PZ5"]
    assert why(s, "refit IT-BRE").rule == "16.52c"


@pytest.mark.rule("rommel", "16.52f")
def test_e16_52_base_in_battle() -> None:
    """E16.52: a refitted unit is due back but its base is a battle hex: it is treated as a reinforcement."""
    s = reinforcements(2)
    place(s, "CW-KDG", "0902")
    battle(s, "0902", defender="axis", attacker_sides=["E"])
    s.cv[U("GE-AA3")] = s.cv[U("GE-F118")] = 2
    s.at[U("GE-AA3")] = s.at[U("GE-F118")] = REFIT
    for u, month_ in script(s).due.items():
        if month_ == 3 or u in (U("GE-AA33"), U("GE-104"), U("IT-BOL")):
            s.at[u] = DEAD
    start(s, STOP, (F_BUILDUP, 2, AXIS))
    assert at(s, "GE-AA3") == "refit"  # not back at the start of the Buildup
    roll(s, 1, 1, 2, 2)
    do(s, "keep", "keep")
    asked = []
    for verb in ("arrive", "hold", "hold", "arrive"):  # GE-AA3, GE-F118 back from refit; GE-PZ8, GE-K15 new
        unit = texts(s)[0].split()[1]
        asked.append(unit)
        assert texts(s) == [f"arrive {unit}", f"hold {unit}"]
        do(s, f"{verb} {unit}")
    assert asked == ["GE-AA3", "GE-F118", "GE-PZ8", "GE-K15"]
    assert at(s, "GE-AA3") == at(s, "GE-K15") == "0902"
    assert at(s, "GE-F118") == "refit"
    assert at(s, "GE-PZ8") == "held"
    assert s.defends[AXIS] >> H("0902") & 1  # the battle goes on
    assert offers(s, "rebuild") == []
    assert why(s, "rebuild GE-AA3").rule == "16.52f"
    # held units are offered again in every later Buildup
    s.stack = []
    s.month = 3
    player(s, AXIS)
    while GAME.to_act(s) == -1:
        roll(s, 6)
    assert texts(s) == ["arrive GE-F118", "hold GE-F118"]
    do(s, "hold GE-F118")
    assert texts(s) == ["arrive GE-PZ8", "hold GE-PZ8"]
    do(s, "hold GE-PZ8")
    # and come in by themselves when the battle is over
    s.stack = []
    s.month = 4
    eliminate(s, U("CW-KDG"), "9.5a")
    start(s, STOP, (F_BUILDUP, 2, AXIS))
    assert at(s, "GE-F118") == "0902"
    player(s, AXIS)
    while GAME.to_act(s) == -1:
        roll(s, 6)
    assert at(s, "GE-PZ8") == "0902"


# 16.53 Sea movement


def ports(s: State) -> State:
    """Axis Benghazi, Commonwealth Tobruk and Bardia, each with units in it, and none besieged."""
    s.fort_owner = [AXIS, COMMONWEALTH, COMMONWEALTH]
    place(s, ["CW-24A", "CW-26A", "CW-20A", "CW-18A", "CW-4A", "CW-7A"], "0313")
    place(s, "CW-1RHA", "0626")
    place(s, ["GE-PZ5", "GE-AA3"], "0304")
    place(s, "GE-104", "0902")
    nets(s, " ".join(COAST), "0626 0313")
    return s


@pytest.mark.rule("rommel", "16.53a", "16.53b")
def test_sea_movement_between_friendly_ports() -> None:
    s = spend(ports(empty("axis", None)), COMMONWEALTH, 6)
    assert offers(s, "ship") == [
        f"ship {u}" for u in sorted(("CW-24A", "CW-26A", "CW-20A", "CW-18A", "CW-4A", "CW-7A", "CW-1RHA"), key=U)
    ]
    do(s, "ship CW-24A")
    assert set(texts(s)) == {"port 0626", "port 0415"}  # its base and Bardia, not the enemy's Benghazi
    assert why(s, "port 0304").rule == "16.53a"
    assert why(s, "port 0412").rule == "16.53a"
    assert why(s, "port 0313").rule == "16.53a"
    events = do(s, "port 0626")
    assert at(s, "CW-24A") == "0626"
    assert s.bp[COMMONWEALTH] == 5  # 1 for any distance
    assert "unit" not in events[0].seen_by(AXIS)
    place(s, "CW-11H", "0620")
    s.choices = None
    assert why(s, "ship CW-11H").rule == "16.53a"
    s.fort_owner[1] = AXIS
    s.choices = None
    assert why(s, "ship CW-4A").rule == "16.53a"


@pytest.mark.rule("rommel", "16.53c")
def test_one_besieged_port_costs_the_commonwealth_four() -> None:
    s = ports(empty("axis", None))
    place(s, "IT-BRE", "0312", disrupted=True)  # A18: even a disrupted neighbour besieges
    spend(s, COMMONWEALTH, 9)
    do(s, "ship CW-24A", "port 0626")
    assert s.bp[COMMONWEALTH] == 5
    do(s, "ship CW-1RHA", "port 0313")  # besieged at the other end
    assert s.bp[COMMONWEALTH] == 1
    assert why(s, "ship CW-4A").rule == "16.53c"
    do(s, "ship CW-24A", "port 0415")  # Bardia is not besieged
    assert s.bp[COMMONWEALTH] == 0


@pytest.mark.rule("rommel", "16.53d")
def test_the_axis_does_not_sail_to_or_from_a_besieged_port() -> None:
    s = ports(empty("axis", None))
    place(s, "CW-11H", "0204")  # beside Benghazi
    spend(s)
    assert offers(s, "ship") == []
    assert why(s, "ship GE-PZ5").rule == "16.53d"
    assert why(s, "ship GE-104").rule == "16.53d"


@pytest.mark.rule("rommel", "16.53e")
def test_no_sea_movement_between_two_besieged_ports() -> None:
    s = ports(empty("axis", None))
    place(s, "IT-BRE", "0312")
    place(s, "IT-TRE", "0414")  # beside Bardia
    spend(s, COMMONWEALTH)
    do(s, "ship CW-24A")
    assert texts(s) == ["port 0626"]
    assert why(s, "port 0415").rule == "16.53e"


@pytest.mark.rule("rommel", "16.53f", "16.53g")
def test_port_capacity() -> None:
    """A25: each unit that leaves or arrives uses one point; a base has no limit."""
    s = spend(ports(empty("axis", None)), COMMONWEALTH)
    for unit in ("CW-24A", "CW-26A", "CW-20A", "CW-18A"):
        do(s, f"ship {unit}", "port 0626")
    do(s, "ship CW-1RHA", "port 0313")  # the fifth use of Tobruk, and the fifth of Alexandria
    assert s.port_used == [0, 5, 0]
    assert why(s, "ship CW-4A").rule == "16.53f"
    assert why(s, "ship CW-1RHA").rule == "16.53f"
    do(s, "ship CW-24A")
    assert texts(s) == ["port 0415"]
    assert why(s, "port 0313").rule == "16.53f"
    do(s, "port 0415", "ship CW-26A", "port 0415")
    assert why(s, "ship CW-20A").rule in ("16.53f", "16.53a")  # Bardia's two are used up as well
    assert offers(s, "ship") == []


@pytest.mark.rule("rommel", "16.53f")
def test_axis_port_capacity_is_half() -> None:
    s = spend(ports(empty("axis", None)))
    do(s, "ship GE-PZ5", "port 0902")
    assert offers(s, "ship") == []  # Benghazi 2, half of it for the Axis
    assert why(s, "ship GE-AA3").rule == "16.53f"


@pytest.mark.rule("rommel", "16.53h")
def test_sea_and_land_in_any_sequence() -> None:
    s = ports(empty("axis", None))
    place(s, "GE-115", "0403")
    s.fort_owner[1] = AXIS
    for u in board.units:
        if at(s, u) == "0313":
            s.at[U(u)] = POOL
    s.here[H("0313")] = 0
    s.occ[COMMONWEALTH] = s.firm[COMMONWEALTH] = 0
    nets(s, "0313 0312 0311 " + " ".join(COAST))
    spend(s)
    do(s, "redeploy GE-115", "to 0304 -", "ship GE-115", "port 0313", "redeploy GE-115", "to 0311 -")
    assert at(s, "GE-115") == "0311"
    assert s.bp[AXIS] == 17


@pytest.mark.rule("rommel", "16.53a", "16.51h")
def test_ports_in_battle_and_in_the_enemy_network() -> None:
    """A27: a port in battle may be left but not entered; A41: the enemy's network keeps units out."""
    s = ports(empty("axis", None))
    place(s, "IT-BRE", "0313")
    battle(s, "0313", defender="commonwealth")
    spend(s, COMMONWEALTH, 20)
    do(s, "ship CW-24A", "port 0626")
    do(s, "ship CW-1RHA")
    assert texts(s) == ["port 0415"]
    assert why(s, "port 0313").rule == "16.51g"
    do(s, "port 0415")
    s = ports(empty("axis", None))
    s.nets[AXIS] |= mask("0415", "0626")
    spend(s, COMMONWEALTH, 20)
    do(s, "ship CW-24A")
    assert texts(s) == ["port 0626"]  # not Bardia, but its base always
    assert why(s, "port 0415").rule == "16.51f"


# 16.54 Replacements


@pytest.mark.rule("rommel", "16.54a")
def test_eliminated_units_are_never_rebuilt() -> None:
    s = empty("axis", None)
    place(s, "IT-BRE", "0902")
    eliminate(s, U("IT-BRE"), "9.5a")
    nets(s, "0902")
    spend(s)
    assert texts(s) == ["mine 0902", "buy", "spent"]
    assert why(s, "rebuild IT-BRE").rule == "16.54a"


@pytest.mark.rule("rommel", "16.54b", "16.54c", "16.54e")
def test_replacements_at_the_base() -> None:
    s = empty("axis", None)
    place(s, "IT-ARI", "0902", cv=1)
    place(s, "IT-TRE", "0903", cv=1)
    place(s, "IT-BRE", "0902")
    place(s, "CW-KDG", "0704", cv=1)
    nets(s, "0902 0903")
    spend(s, points=20)
    assert offers(s, "rebuild") == ["rebuild IT-ARI"]
    assert why(s, "rebuild IT-TRE").rule == "16.54b"
    assert why(s, "rebuild CW-KDG").rule == "16.54b"
    assert why(s, "rebuild IT-BRE").rule == "16.54e"  # at full strength
    cost = board.pack.tables["costs"]["replacement_per_cv"][board.unit_types[U("IT-ARI")]]
    steps = board.max_cv[U("IT-ARI")] - 1
    assert steps > 1
    do(s, *["rebuild IT-ARI"] * steps)  # as many steps as one likes
    assert s.cv[U("IT-ARI")] == board.max_cv[U("IT-ARI")]
    assert s.bp[AXIS] == 20 - steps * cost
    assert offers(s, "rebuild") == []


@pytest.mark.rule("rommel", "16.54c", "16.54d")
def test_an_elite_step_costs_twice() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0902", cv=2)
    nets(s, "0902")
    cost = 2 * board.pack.tables["costs"]["replacement_per_cv"]["armour"]
    spend(s, points=cost + cost - 1)
    do(s, "rebuild GE-PZ5")
    assert s.cv[U("GE-PZ5")] == 4
    assert s.bp[AXIS] == cost - 1
    assert offers(s, "rebuild") == []
    assert why(s, "rebuild GE-PZ5").rule == "16.54d"
    for u, kind in enumerate(board.unit_types):
        assert board.rebuild_cost[u] == board.step_cv[u] * board.pack.tables["costs"]["replacement_per_cv"][kind]


# 16.55 Minefields


@pytest.mark.rule("rommel", "16.55a")
def test_laying_a_minefield() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0902")
    place(s, "IT-BRE", "0803")
    place(s, "CW-KDG", "0803")
    battle(s, "0803", defender="axis")
    nets(s, "0902 0903 0803 0704")
    s.mines_open = mask("0704")
    s.mines = [0, mask("0903")]  # the enemy's secret minefield: offered like any other hex
    spend(s, points=29)
    assert offers(s, "mine") == ["mine 0902", "mine 0903"]
    assert why(s, "mine 0803").rule == "16.55a"
    assert why(s, "mine 0704").rule == "16.55a"
    assert why(s, "mine 0604").rule == "16.55a"
    events = do(s, "mine 0902")
    assert s.bp[AXIS] == 14
    assert s.mines[AXIS] == mask("0902")
    assert events[0].seen_by(COMMONWEALTH) is None
    assert "0902" not in str(GAME.view(s, COMMONWEALTH)["minefields"])
    assert GAME.view(s, AXIS)["minefields"]["secret"] == ["0902"]
    assert offers(s, "mine") == []
    assert why(s, "mine 0903").rule == "14.1b"


@pytest.mark.rule("rommel", "16.55a")
def test_e16_55_alamein_sw2() -> None:
    """E16.55: a minefield two hexes south-west of Alamein is written down as "El Alamein SW2"."""
    s = empty("commonwealth", None)
    place(s, "CW-4A", "0626")
    nets(s, commonwealth="0626 0725 0824 0924")
    spend(s, COMMONWEALTH)
    h = board.names.index("El Alamein SW2")
    assert board.grid.ray(H("El Alamein"), board.grid.directions.index("SW"), 2) == h
    events = do(s, f"mine {board.grid.names[h]}")
    told = GAME.event_json(events[0], COMMONWEALTH)
    assert board.hex_name(board.grid.index[told["hex"]]) == "El Alamein SW2"


@pytest.mark.rule("rommel", "16.55b")
def test_relocating_minefields() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0902")
    place(s, "IT-BRE", "0403")
    place(s, "CW-KDG", "0403")
    battle(s, "0403", defender="commonwealth")
    nets(s, "0902 0903 0803 0704 0403")
    s.mines = [mask("0902", "0304"), mask("0903")]
    s.mines_open = mask("0803", "0403")
    spend(s, points=0)
    assert offers(s, "lift") == ["lift 0803 0902"]
    assert why(s, "lift 0902 0304").rule == "16.55b"  # not in the network
    assert why(s, "lift 0403 0902").rule == "16.55b"  # in battle
    assert why(s, "lift 0902 0903").rule == "16.55b"  # not known to him
    assert why(s, "lift 0902 0902").rule == "16.55b"
    events = do(s, "lift 0803 0902")
    assert s.stack[-1] == (F_RELAY, AXIS)
    assert texts(s) == ["mine 0704", "mine 0903"]  # elsewhere, at once
    assert why(s, "mine 0902").rule == "16.55b"
    gone = [e.seen_by(COMMONWEALTH) for e in events if e.seen_by(COMMONWEALTH) is not None]
    assert gone == [{"side": AXIS, "hexes": [H("0803")]}]  # the disclosed one is seen to go
    events = do(s, "mine 0704")
    assert events[0].seen_by(COMMONWEALTH) is None
    assert s.mines == [mask("0704", "0304"), mask("0903")]
    assert s.mines_open == mask("0403")
    assert s.bp[AXIS] == 0
    assert s.stack[-1] == (F_SPEND, AXIS)


@pytest.mark.rule("rommel", "16.55b", "16.5c")
def test_relocation_is_secret() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0902")
    nets(s, "0902 0903 0803 0704")
    s.mines = [mask("0902", "0903"), 0]
    spend(s, points=0)
    before = GAME.view(s, COMMONWEALTH)
    events = do(s, "lift 0902 0903")
    assert GAME.view(s, COMMONWEALTH) == before
    events += do(s, "mine 0704")
    assert GAME.view(s, COMMONWEALTH) == before
    assert all(e.seen_by(COMMONWEALTH) is None for e in events)


# 16.0b The modified Buildup of Gazala


@pytest.mark.rule("rommel", "16.0b")
def test_only_the_first_buildup_of_gazala_is_modified() -> None:
    def june(month: int) -> State:
        s = empty("axis", None, scenario="gazala", month=month)
        place(s, "IT-BRE", "0902", cv=1)
        place(s, "CW-4A", "0626")
        nets(s, "0902", "0626")
        return spend(s, AXIS, 20)

    assert why(june(14), "rebuild IT-BRE").rule == "16.0b"
    assert "rebuild IT-BRE" in texts(june(15))


@pytest.mark.rule("rommel", "16.0b", "16.6c")
@pytest.mark.parametrize(("held", "offered"), [(15, True), (16, False)])
def test_cards_bought_at_once_respect_the_hand_limit(held: int, offered: bool) -> None:
    s = empty("axis", None, scenario="gazala", cards=((held - 4, 4), (4, 2)), month=14)
    place(s, "CW-4A", "0626")
    nets(s, "0902", "0626")
    spend(s, AXIS, 20)
    assert ("buy" in texts(s)) is offered
    if not offered:
        assert why(s, "buy").rule == "16.6c"


@pytest.mark.rule("rommel", "16.55a")
def test_no_second_minefield_where_one_is_known() -> None:
    s = empty("axis", None)
    place(s, "CW-4A", "0626")
    nets(s, "0902 0903 0803 0704", "0626")
    s.mines = [mask("0903"), mask("0803")]
    s.mines_open = mask("0704")
    spend(s, AXIS, 20)
    # not on the own one nor on the disclosed one; of the enemy's secret one the owner of the points knows nothing
    assert offers(s, "mine") == ["mine 0803", "mine 0902"]
    for h in ("0903", "0704"):
        assert str(why(s, f"mine {h}").why).endswith("is mined already")
