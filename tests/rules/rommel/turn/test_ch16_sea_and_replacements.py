"""Chapter 16: sea and replacements."""

from __future__ import annotations

import pytest

from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    F_RELAY,
    F_SPEND,
    POOL,
)
from sandtable.games.rommel.table.state import State, eliminate

from ..kit import (
    GAME,
    H,
    U,
    at,
    battle,
    board,
    do,
    empty,
    mask,
    place,
    texts,
    why,
)
from ..months import COAST, nets, offers, spend

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
