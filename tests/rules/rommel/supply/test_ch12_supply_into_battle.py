"""12 Supply: supply into battle."""

from __future__ import annotations

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.games.rommel.sequence import PART_LEAVE
from sandtable.games.rommel.supply.supply import (
    is_cut_off,
    network,
    supply_network,
)
from sandtable.games.rommel.table.ids import (
    DIRS,
    F_BATTLES,
    F_ENGAGED,
    F_MOVES,
    F_OPTION,
    F_TURN,
    FINAL,
    NO_DIR,
)
from sandtable.games.rommel.table.state import State, owns_side, put

from ..kit import GAME, H, U, at, battle, board, do, empty, hexes, kinds, place, start, texts, units
from .ch12supplykit import AX, CW, check, fed, finish

# 12.5 Supply into battle


@pytest.mark.rule("rommel", "12.5a", "12.5b", "8.1c")
def test_supply_comes_in_through_friendly_hexsides_only() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0819")
    place(s, "GE-PZ5", "0819")
    battle(s, "0819", "commonwealth")
    assert fed(s, "CW-7A")  # nobody has crossed the north-east hexside: it is the Defender's
    s.att_side[DIRS.index("NE")] = 1 << H("0819")
    assert not fed(s, "CW-7A")
    s.defends = [1 << H("0819"), 0]
    assert fed(s, "CW-7A")  # now the Attacker is the Commonwealth, and that is its one hexside
    s.att_side[DIRS.index("NE")] = 0
    assert not fed(s, "CW-7A")


@pytest.mark.rule("rommel", "12.5b", "8.1b")
def test_a_hexside_changes_hands_at_once_when_crossed() -> None:
    s = empty("commonwealth")
    place(s, ["CW-7A", "GE-PZ5"], "0720")
    place(s, ["CW-4A", "CW-2A"], "0620")
    battle(s, "0720", "commonwealth", DIRS[:6])
    assert not fed(s, "CW-7A")
    start(s, (F_MOVES, 0, 0))
    do(s, "group 0620 0", "move CW-4A", "to 0720 NE")
    assert fed(s, "CW-7A")


@pytest.mark.rule("rommel", "12.5b", "8.1b")
def test_whose_a_hexside_becomes_depends_on_the_roles_in_its_own_battle() -> None:
    """The Commonwealth defends one battle hex and attacks another: what it crosses is its own in both."""
    s = empty("commonwealth", "offensive")
    place(s, ["CW-7A", "GE-PZ5"], "0720")
    place(s, "CW-4A", "0620")
    battle(s, "0720", "commonwealth", DIRS[:6])
    place(s, "IT-BRE", "0517")
    place(s, "CW-2A", "0518")
    start(s, (F_OPTION,), (F_MOVES, 0, 0))
    do(s, "group 0620 0", "move CW-4A", "to 0720 NE", "group 0518 0", "move CW-2A", "to 0517 E")
    assert owns_side(s, H("0720"), DIRS.index("NE"), CW)
    assert owns_side(s, H("0517"), DIRS.index("E"), CW)
    assert not owns_side(s, H("0517"), DIRS.index("W"), CW)
    assert not owns_side(s, H("0720"), DIRS.index("W"), CW)


def raid(active: str = "axis") -> State:
    """Unsupplied German tanks beside a battle in El Adem, which the Commonwealth defends."""
    s = empty(active)
    place(s, "CW-7A", "0412")
    place(s, "IT-ARI", "0412")
    battle(s, "0412", "commonwealth", ["W"])
    place(s, "IT-TRE", "0311")  # keeps the Attacker's side in supply, by the coast road and 0411
    place(s, "IT-BRE", "0411")
    place(s, "GE-PZ5", "0513", unsupplied=True)
    return s


@pytest.mark.rule("rommel", "12.5e", "12.5f")
def test_raiders_gain_no_supply_and_no_hexside() -> None:
    s = raid()
    assert fed(s, "IT-ARI")
    start(s, (F_OPTION,), (F_ENGAGED, 0), (F_MOVES, 0, 0))
    do(s, "group 0513 0", "move GE-PZ5", "to 0412 SE")
    finish(s, lambda: s.stack[-1] == (F_OPTION,))
    assert not s.att_side[DIRS.index("SE")] >> H("0412") & 1
    assert s.raiders == units("GE-PZ5")  # the second marker
    assert is_cut_off(s, U("GE-PZ5"))
    assert not is_cut_off(s, U("IT-ARI"))
    assert fed(s, "IT-ARI")
    assert not fed(s, "GE-PZ5")  # cut off from the supply of its friend in the hex


@pytest.mark.rule("rommel", "12.5e", "12.5f")
def test_raider_status_lapses_when_a_supplied_unit_takes_the_hexside() -> None:
    """A11."""
    s = raid()
    place(s, "GE-PZ8", "0513")
    start(s, (F_OPTION,), (F_ENGAGED, 0), (F_MOVES, 0, 0))
    do(s, "group 0513 0", "move GE-PZ5", "to 0412 SE", "move GE-PZ8", "to 0412 SE")
    finish(s, lambda: s.stack[-1] == (F_OPTION,))
    assert not s.raiders
    assert not is_cut_off(s, U("GE-PZ5"))
    assert fed(s, "GE-PZ5")


@pytest.mark.rule("rommel", "12.5f")
def test_raider_status_lapses_in_a_later_phase_too() -> None:
    s = after_the_raid()
    assert s.raiders
    place(s, "GE-PZ8", "0513")
    start(s, (F_OPTION,), (F_ENGAGED, 0), (F_MOVES, 0, 0))
    do(s, "group 0513 0", "move GE-PZ8", "to 0412 SE")
    finish(s, lambda: s.stack[-1] == (F_OPTION,))
    assert not s.raiders


@pytest.mark.rule("rommel", "12.5e", "12.5f")
def test_only_the_units_that_enter_become_raiders() -> None:
    """Ariete came in supplied, by a hexside that the enemy has crossed since; now it lacks supply as well."""
    s = raid()
    s.via[U("IT-ARI")] = DIRS.index("W")
    s.att_side[DIRS.index("W")] = 0
    s.unsupplied |= units("IT-ARI")
    start(s, (F_OPTION,), (F_ENGAGED, 0), (F_MOVES, 0, 0))
    do(s, "group 0513 0", "move GE-PZ5", "to 0412 SE")
    finish(s, lambda: s.stack[-1] == (F_OPTION,))
    assert s.raiders == units("GE-PZ5")


@pytest.mark.rule("rommel", "12.5f", "12.4a")
def test_raiders_are_no_links() -> None:
    s = empty("commonwealth")
    place(s, ["CW-7A", "GE-PZ5"], "0919")
    place(s, "CW-2A", "1018")
    battle(s, "0919", "commonwealth", ["W"])
    assert fed(s, "CW-2A")
    s.raiders = units("CW-7A")
    s.via[U("CW-7A")] = DIRS.index("W")
    assert not fed(s, "CW-7A")
    assert not fed(s, "CW-2A")
    place(s, "CW-4A", "0919")  # a friend that came in by a friendly hexside
    assert fed(s, "CW-4A")
    assert fed(s, "CW-2A")
    assert not fed(s, "CW-7A")


def after_the_raid() -> State:
    """The raiders of `raid` are in the hex; the movement phase is over."""
    s = raid()
    s.unsupplied &= ~units("IT-ARI")
    start(s, (F_OPTION,), (F_ENGAGED, 0), (F_MOVES, 0, 0))
    do(s, "group 0513 0", "move GE-PZ5", "to 0412 SE")
    finish(s, lambda: s.stack[-1] == (F_OPTION,))
    return s


@pytest.mark.rule("rommel", "12.5g")
def test_raiders_are_disrupted_at_the_final_check() -> None:
    s = after_the_raid()
    check(s, FINAL)
    assert s.disrupted == units("GE-PZ5")
    assert at(s, "GE-PZ5") == "0412"  # protected by Ariete


@pytest.mark.rule("rommel", "12.5g")
def test_E12_5() -> None:
    """The raiders' battle is won before the final check: their supply is re-established."""
    s = after_the_raid()
    put(s, U("CW-7A"), H("0626"))
    assert not s.raiders
    events = check(s, FINAL)
    assert not s.disrupted
    assert not s.unsupplied
    assert "resupplied" in kinds(events)


@pytest.mark.rule("rommel", "12.5f", "12.7f")
def test_a_raider_in_supply_again_loses_both_markers() -> None:
    s = after_the_raid()
    s.att_side[DIRS.index("SE")] |= 1 << H("0412")  # a supplied friend has crossed it
    check(s, FINAL)
    assert not s.raiders
    assert not s.unsupplied
    assert not s.disrupted


@pytest.mark.rule("rommel", "12.5f", "12.5g")
@pytest.mark.parametrize("disrupted", [True, False])
def test_who_has_won_the_hex_is_no_raider_in_it(disrupted: bool) -> None:
    """Unsupplied tanks overrun El Adem, or its defenders avoid battle: the hex is theirs, with all its sides."""
    s = empty("axis")
    place(s, "CW-24A", "0412", disrupted=disrupted)
    place(s, "CW-7A", "0413")
    place(s, "IT-BRE", "0411")
    place(s, "IT-TRE", "0311")
    place(s, "GE-PZ5", "0513", unsupplied=True)
    turn = (F_TURN, PART_LEAVE)
    start(s, (F_OPTION,), turn, (F_MOVES, 0, 0))
    do(s, "group 0513 0", "move GE-PZ5", "to 0412 SE")
    while s.stack[-1] != (F_OPTION,):
        legal = texts(s)
        do(s, next((t for t in legal if t.startswith(("avoid", "end-move", "marches"))), legal[0]))
    assert at(s, "GE-PZ5") == "0412"
    assert not s.raiders
    assert s.via[U("GE-PZ5")] == NO_DIR
    assert not s.disrupted >> U("GE-PZ5") & 1  # it is in supply from 0411 again


@pytest.mark.rule("rommel", "12.5g")
def test_raiders_fight_normally() -> None:
    s = after_the_raid()
    s.to_fight = 1 << H("0412")
    s.stack.append(GAME.framed((F_BATTLES, 0)))
    start(s)
    while not any(t.startswith("fire GE-PZ5") for t in texts(s)):
        do(s, next(t for t in texts(s) if t.startswith(("fire CW", "hits 0"))))
    assert "fire GE-PZ5 armour" in texts(s)


# 12.6 Networks


@pytest.mark.rule("rommel", "12.6a")
def test_network_is_the_union_of_all_lines() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0919")
    place(s, "CW-1SA", "0725")
    lines = hexes(network(s, CW).lines)
    assert lines == {"0919", "0819", "0720", "0620", "0621", "0622", "0623", "0724", "0725", "0726", "0626"}
    put(s, U("CW-7A"), H("0809"))  # without supply: no line
    assert hexes(network(s, CW).lines) == {"0725", "0726", "0626"}
    put(s, U("CW-1SA"), H("0626"))
    assert hexes(network(s, CW).lines) == {"0626"}
    put(s, U("CW-1SA"), H("0809"))
    assert network(s, CW).lines == 0


@pytest.mark.rule("rommel", "12.6a", "5.3e")
def test_steps_back_shorten_the_line() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0919")
    net = network(s, CW)
    assert net.length[H("0919")] == net.distance(H("0919")) == 10
    assert net.back(H("0919")) == ((DIRS.index("NE"), H("0819")),)
    assert net.toward[DIRS.index("NE")] >> H("0919") & 1
    for d in range(6):
        for h in hexes_of(net.toward[d]):
            n = board.grid.neighbour(h, d)
            assert net.distance(n) < net.distance(h)
    assert net.back(H("0626")) == ()
    assert net.back(H("0809")) == ()


@pytest.mark.rule("rommel", "12.6b")
def test_networks_overlap() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0205")
    place(s, "GE-PZ5", "0309")
    place(s, "IT-BRE", "0307")
    mine, theirs = network(s, CW).lines, network(s, AX).lines
    assert "0209" in hexes(mine | theirs)
    place(s, "CW-2A", "0308", disrupted=True)
    assert {"0110", "0210"} <= hexes(mine)
    both = hexes(supply_network(s, CW) & supply_network(s, AX))
    assert both  # a hex of both networks is a line of both
    assert fed(s, "GE-PZ5")
    assert fed(s, "CW-7A")
