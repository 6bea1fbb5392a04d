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
    REFIT,
)
from sandtable.games.rommel.table.scenarios import script
from sandtable.games.rommel.table.state import eliminate
from sandtable.games.rommel.turn.redeployment import reach

from ..kit import (
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
from ..months import COAST, STOP, month, nets, offers, player, redeployable, reinforcements, spend

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
