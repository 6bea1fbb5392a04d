"""12 Supply: lines, chains, battle hexes, networks and the three supply checks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest

from sandtable.engine.contract import Event
from sandtable.engine.hexes import hexes_of, mask_of
from sandtable.games.rommel.paths.withdrawal import Lines, at_start, shrinks
from sandtable.games.rommel.sequence import PART_LEAVE
from sandtable.games.rommel.supply.networks import Network
from sandtable.games.rommel.supply.supply import (
    FAR,
    is_cut_off,
    network,
    supplied_units,
    supply_network,
    trace,
    unsupplied_units,
)
from sandtable.games.rommel.supply.supply_lines import _open_coast, coast_of_base, exits, ground, stretches
from sandtable.games.rommel.table.board import NO_SIDES
from sandtable.games.rommel.table.ids import (
    AXIS,
    BUILDUP,
    COMMONWEALTH,
    DIRS,
    F_BATTLES,
    F_ENGAGED,
    F_GROUP,
    F_MONTH,
    F_MOVES,
    F_OPTION,
    F_REGROUP,
    F_SUPPLY_CHECK,
    F_TURN,
    FINAL,
    INITIAL,
    NO_DIR,
)
from sandtable.games.rommel.table.state import State, disrupt, owns_side, put, recover

from .kit import GAME, H, U, at, battle, board, do, empty, hexes, kinds, new, place, start, texts, units
from .slow_supply import SlowSupply, random_position

CW, AX = COMMONWEALTH, AXIS

# The Siwa road is a track that leads from the coast road at 0620 straight into the desert.
SIWA_ROAD = ("0620", "0720", "0819", "0919", "1018")


def desert(active: str = "commonwealth") -> State:
    """An empty map on which no fortress can help the Active side."""
    s = empty(active)
    s.fort_owner = [1 - s.active] * 3
    return s


def fed(s: State, unit: str) -> bool:
    """Whether a unit is in supply at this moment."""
    return bool(supplied_units(s, board.side[U(unit)]) >> U(unit) & 1)


def check(s: State, moment: int, side: int | None = None) -> list[Event]:
    """One supply check, and back to the option of the Active player."""
    return start(s, (F_OPTION,), (F_SUPPLY_CHECK, s.active if side is None else side, moment, 0))


def finish(s: State, goal: Callable[[], bool]) -> None:
    """End every step as soon as it can be ended, until the goal is reached."""
    for _ in range(12):
        if goal():
            return
        do(s, next(t for t in ("end-move", "end-moves", "marches", "declared") if t in texts(s)))
    raise AssertionError(texts(s))


def seen(events: list[Event], kind: str) -> list[dict[str, object]]:
    return [dict(e.data) for e in events if e.kind == kind]


# 12.0, 12.1 Supplied and unsupplied


@pytest.mark.rule("rommel", "12.0a", "12.2d")
def test_state_is_that_of_the_latest_friendly_check() -> None:
    s = desert("commonwealth")
    place(s, "CW-7A", "0518")
    place(s, "GE-PZ5", "0620")  # on the coast road behind it
    check(s, INITIAL)
    assert s.unsupplied == units("CW-7A")
    put(s, U("GE-PZ5"), H("0902"))  # the road is open again, but no check has been made
    assert s.unsupplied == units("CW-7A")
    assert fed(s, "CW-7A")
    s = desert("axis")
    place(s, "CW-7A", "0518")
    place(s, "GE-PZ5", "0620")
    check(s, INITIAL)  # an Axis check says nothing about Commonwealth units
    assert not s.unsupplied & units("CW-7A")
    assert s.unsupplied == units("GE-PZ5")


@pytest.mark.rule("rommel", "12.0b", "12.1a", "12.2c")
def test_supply_from_base_fortress_or_oasis() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0622")  # the coast road leads to Alexandria
    place(s, "CW-1SA", "0313")  # Tobruk, cut off
    place(s, "CW-SAC", "1016")  # Siwa, cut off
    place(s, "CW-2A", "0809")  # nowhere
    place(s, ["GE-PZ5", "GE-PZ8"], "0620")
    check(s, INITIAL)
    assert s.unsupplied == units("CW-2A")
    assert supplied_units(s, CW) == units("CW-7A", "CW-1SA", "CW-SAC")
    assert unsupplied_units(s, CW) == units("CW-2A")


@pytest.mark.rule("rommel", "12.1b")
def test_unsupplied_units_move_engage_and_cut_lines() -> None:
    s = empty("axis", option=None)
    place(s, "GE-PZ5", "0517", unsupplied=True)
    place(s, "CW-7A", "0313")
    place(s, "CW-4A", "0620")
    assert not trace(s, CW) >> H("0313") & 1
    start(s, (F_OPTION,), (F_TURN, 1))
    do(s, "option basic 0", "group 0517 0", "move GE-PZ5")
    assert {"to 0620 NW", "to 0415 -"} <= set(texts(s))


@pytest.mark.rule("rommel", "12.1b", "13.4a")
def test_unsupplied_units_capture_fortresses() -> None:
    """By the end of the turn a unit is disrupted only if it was unsupplied at the start as well."""
    s = empty("axis", option=None)
    place(s, "GE-PZ5", "0517")
    place(s, "CW-7A", "0313")
    place(s, "CW-4A", "0620")
    start(s, (F_OPTION,), (F_TURN, 1))
    do(s, "option basic 0", "group 0517 0", "move GE-PZ5", "to 0415 -")
    assert not fed(s, "GE-PZ5")
    finish(s, lambda: s.fort_owner[2] == AX)


@pytest.mark.rule("rommel", "12.1b")
def test_unsupplied_units_form_supply_lines() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0819", unsupplied=True)
    place(s, "CW-4A", "1018", unsupplied=True)
    assert fed(s, "CW-4A")


@pytest.mark.rule("rommel", "12.1c", "12.7c", "12.7g")
def test_unsupplied_at_both_checks_is_disrupted() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0809")
    place(s, "CW-1SA", "0313")
    place(s, "GE-PZ5", "0620")
    events = check(s, INITIAL)
    assert seen(events, "unsupplied") == [{"hex": H("0809"), "side": CW, "count": 1}]
    assert s.fort_supply == units("CW-1SA")
    assert [e.rule for e in events if e.kind == "fortress_supply"] == ["13.3h"]
    assert not s.disrupted
    events = check(s, FINAL)
    assert s.disrupted == units("CW-7A")
    told = [(e.rule, e.seen_by(CW)) for e in events if e.kind == "disrupted"]
    assert told == [("12.7g", {"hex": H("0809"), "side": CW, "count": 1, "units": [U("CW-7A")]})]
    assert all("units" not in (e.seen_by(AX) or {}) for e in events)  # the enemy sees only how many


# 12.2 Supply lines


@pytest.mark.rule("rommel", "12.2a", "12.2b", "12.2e", "12.3a")
def test_base_supplies_any_number_at_any_distance_along_the_coast_road() -> None:
    s = empty("commonwealth")
    crowd = [u for u in board.units if u.startswith("CW-")][:40]
    place(s, crowd, "0903")  # at the gates of El Agheila
    assert supplied_units(s, CW).bit_count() == 40
    net = network(s, CW)
    assert net.distance(H("0903")) == 34
    assert net.distance(H("0626")) == 0
    assert net.distance(H("0809")) == FAR
    line, h = ["0903"], H("0903")
    while net.back(h):
        h = net.back(h)[0][1]
        line.append(board.grid.names[h])
    assert line[-1] == "0626"
    assert len(line) == 35
    assert all(board.grid.adjacent(H(a), H(b)) for a, b in pairwise(line))


@pytest.mark.rule("rommel", "12.2f", "12.6a")
def test_a_unit_may_have_several_lines_and_all_belong_to_the_network() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "0309")  # Mechili: by track to Derna, and by the Charruba track and Msus
    place(s, "GE-AA3", "0307")
    net = network(s, AX)
    assert {"0110", "0209", "0309"} <= hexes(net.lines)
    assert {"0304", "0305", "0306", "0307", "0308", "0309"} <= hexes(net.lines)
    assert {board.grid.names[n] for _, n in net.back(H("0309"))} == {"0308"}  # the shorter of the two
    assert {"0310", "0210"} <= hexes(net.lines)  # and by trail to Tmimi
    assert not hexes(net.lines) & {"0311", "0312", "0313"}  # coast road beyond them is in no line
    put(s, U("GE-AA3"), H("0902"))
    assert not hexes(network(s, AX).lines) & {"0305", "0306"}


@pytest.mark.rule("rommel", "12.2g")
def test_lines_pass_friendly_and_empty_hexes() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0919")
    place(s, "CW-4A", "0720", disrupted=True)  # friendly, though no link
    assert fed(s, "CW-7A")
    place(s, "GE-PZ5", "0819")
    assert not fed(s, "CW-7A")


@pytest.mark.rule("rommel", "12.2h", "12.5c")
@pytest.mark.parametrize(
    ("attackers", "supplied"),
    [([], True), (["E", "W", "NW", "SE"], True), (["SW"], False), (["NE", "E", "SE", "W", "NW"], False)],
)
def test_only_the_defender_passes_a_battle_hex_by_hexsides_of_his(attackers: list[str], supplied: bool) -> None:
    """A12: 0720 is entered from the north-east and left to the south-west, and both must be his."""
    s = empty("commonwealth")
    place(s, "CW-7A", "0919")
    place(s, "CW-4A", "0720")
    place(s, "GE-PZ5", "0720")
    battle(s, "0720", "commonwealth", attackers)
    assert fed(s, "CW-7A") == supplied


@pytest.mark.rule("rommel", "12.2i", "12.5d")
def test_the_attacker_traces_into_his_battle_hex_but_not_through_it() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0919")
    place(s, "CW-4A", "0720")
    place(s, "GE-PZ5", "0720")
    battle(s, "0720", "axis", DIRS[:6])
    assert fed(s, "CW-4A")
    assert not fed(s, "CW-7A")
    put(s, U("CW-4A"), H("0626"))  # without it the hex is simply the enemy's
    assert not trace(s, CW) >> H("0720") & 1
    assert not fed(s, "CW-7A")


# 12.3 Coast road


@pytest.mark.rule("rommel", "12.3a", "11.1f", "13.1c")
def test_what_blocks_the_coast_road() -> None:
    """A14."""
    s = empty("commonwealth")
    place(s, "CW-7A", "0518")
    place(s, "GE-PZ5", "0620")
    assert not fed(s, "CW-7A")
    disrupt(s, U("GE-PZ5"))  # disrupted enemies block nothing
    assert fed(s, "CW-7A")
    recover(s, U("GE-PZ5"))
    place(s, "CW-4A", "0620")
    battle(s, "0620", "axis", ["E"])  # a battle hex whose Defender is the enemy blocks
    assert fed(s, "CW-4A")
    assert not fed(s, "CW-7A")
    s.defends = [0, 1 << H("0620")]
    s.att_side = [0] * 6
    assert fed(s, "CW-7A")  # one whose Defender the side is does not
    s.att_side[DIRS.index("NW")] |= 1 << H("0620")  # unless the hexside toward 0520 is the Attacker's
    assert not fed(s, "CW-7A")


@pytest.mark.rule("rommel", "12.3b")
def test_a_chain_leads_round_a_block_to_another_stretch_of_coast_road() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0304")  # Benghazi
    place(s, "GE-PZ5", "0515")  # Fort Capuzzo: blocks the coast road
    assert not fed(s, "CW-7A")
    place(s, "CW-4A", "0615")  # in range of the coast road at 0516, but of no other stretch
    assert not fed(s, "CW-7A")
    place(s, "CW-22G", "0514")  # two hexes of trail from there, two more by 0413 to the coast road at 0314
    assert fed(s, "CW-22G")
    assert fed(s, "CW-7A")
    disrupt(s, U("CW-22G"))
    assert fed(s, "CW-22G")
    assert not fed(s, "CW-7A")


@pytest.mark.rule("rommel", "12.3b", "12.4a", "12.4b")
def test_two_stretches_of_coast_road_are_joined_only_by_a_unit() -> None:
    s = desert("axis")
    place(s, "GE-PZ5", "0110")  # Derna
    place(s, "CW-7A", "0204")  # blocks the coast road; a track of two hexes leads round it by 0305
    assert not fed(s, "GE-PZ5")
    place(s, "IT-PAV", "0205", disrupted=True)
    assert fed(s, "IT-PAV")  # within range of the coast road at Benghazi, but no link
    assert not fed(s, "GE-PZ5")
    place(s, "IT-BRE", "0305")
    assert fed(s, "GE-PZ5")


# 12.4 Chains


@pytest.mark.rule("rommel", "12.4a", "12.4b", "12.4c")
def test_track_range_is_three_hexes() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0919")
    place(s, "CW-2A", "1018")
    assert hexes(trace(s, CW)) >= set(SIWA_ROAD[:4])
    assert fed(s, "CW-7A")
    assert fed(s, "CW-2A")  # 0919 is its link to the coast road
    put(s, U("CW-7A"), H("0626"))
    assert not fed(s, "CW-2A")  # alone it is four hexes from the coast road
    put(s, U("CW-7A"), H("1017"))  # a chain that is anchored nowhere
    assert not fed(s, "CW-2A")


@pytest.mark.rule("rommel", "12.4d")
def test_trail_range_is_two_hexes() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0717")  # 0518 - 0617 - 0717
    place(s, "CW-2A", "0917")  # 0717 - 0816 - 0917
    assert fed(s, "CW-7A")
    assert fed(s, "CW-2A")
    put(s, U("CW-7A"), H("0617"))
    assert not fed(s, "CW-2A")  # three hexes of trail


@pytest.mark.rule("rommel", "12.4e")
def test_without_a_road_links_must_be_adjacent_across_passable_terrain() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0720")
    place(s, "CW-2A", "0718")
    assert not fed(s, "CW-2A")
    place(s, "CW-1SA", "0719")
    assert fed(s, "CW-2A")
    s = empty("axis")
    place(s, "GE-PZ5", "0904")  # beside the coast road at 0803, and at 0903 across a marsh
    assert fed(s, "GE-PZ5")
    place(s, "CW-7A", "0803")
    assert not fed(s, "GE-PZ5")


@pytest.mark.rule("rommel", "12.4f")
def test_mixed_roads_have_the_shortest_range() -> None:
    s = empty("commonwealth")
    place(s, "GE-PZ5", "0515")  # so that only the roads from Tobruk count
    place(s, "CW-7A", "0512")  # 0313 track 0412 trail 0512: two hexes
    place(s, "CW-2A", "0613")  # 0313 track 0412 track 0513 trail 0613: three
    place(s, "CW-1SA", "0513")
    s.fort_owner[1] = CW
    tobruk = H("0313")
    assert trace(s, CW, tobruk) >> H("0512") & 1
    assert trace(s, CW, tobruk) >> H("0613") & 1
    put(s, U("CW-1SA"), H("0626"))
    put(s, U("CW-7A"), H("0626"))
    assert not trace(s, CW, tobruk) >> H("0613") & 1
    assert trace(s, CW, tobruk) >> H("0513") & 1


@pytest.mark.rule("rommel", "12.4g")
def test_one_link_serves_any_number_of_lines() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0720")
    around = ["0719", "0819", "0820", "0919", "0721"]
    for unit, h in zip(["CW-2A", "CW-1SA", "CW-5SA", "CW-4A", "CW-22A"], around, strict=True):
        place(s, unit, h, disrupted=True)
    assert supplied_units(s, CW).bit_count() == 6
    disrupt(s, U("CW-7A"))
    assert not fed(s, "CW-2A")
    assert not fed(s, "CW-5SA")


@pytest.mark.rule("rommel", "12.4h", "12.4i", "11.1e")
def test_engaged_units_are_links_and_disrupted_ones_are_not() -> None:
    """A13: only the Defender's units in a battle hex hand supply on."""
    s = empty("commonwealth")
    place(s, "CW-7A", "0919")
    place(s, "CW-2A", "1018")
    place(s, "GE-PZ5", "0919")
    battle(s, "0919", "commonwealth", ["W"])
    assert fed(s, "CW-2A")
    disrupt(s, U("CW-7A"))
    assert fed(s, "CW-7A")  # supplied itself
    assert not fed(s, "CW-2A")
    recover(s, U("CW-7A"))
    s.defends = [1 << H("0919"), 0]
    s.att_side = [1 << H("0919")] * 6
    assert fed(s, "CW-7A")
    assert not fed(s, "CW-2A")


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


# 12.7 Initial check


@pytest.mark.rule("rommel", "12.7a", "12.7b")
def test_initial_check_concerns_the_active_side_and_sets_markers() -> None:
    s = empty("axis")
    place(s, ["GE-PZ5", "GE-PZ8"], "0809")
    place(s, "GE-AA3", "0903", unsupplied=True)
    place(s, "CW-7A", "0509")
    place(s, "CW-4A", "0622", unsupplied=True)
    events = check(s, INITIAL)
    assert s.unsupplied == units("GE-PZ5", "GE-PZ8", "CW-4A")
    assert seen(events, "unsupplied") == [{"hex": H("0809"), "side": AX, "count": 2}]
    assert seen(events, "resupplied") == [{"hex": H("0903"), "side": AX, "count": 1}]
    assert not seen(check(s, INITIAL), "unsupplied")  # told once


@pytest.mark.rule("rommel", "12.7a")
def test_initial_check_settles_battle_hexsides_first() -> None:
    s = empty("axis")
    place(s, ["GE-PZ5", "CW-7A"], "0403")
    battle(s, "0403", "commonwealth", ["E"])
    check(s, INITIAL)
    assert s.unsupplied == units("GE-PZ5")
    s.att_side[DIRS.index("SE")] |= 1 << H("0403")  # the coast road comes in there
    check(s, INITIAL)
    assert not s.unsupplied


@pytest.mark.rule("rommel", "12.7d", "11.2a", "11.2b", "11.2c", "3.41b")
def test_recovery_at_the_initial_check() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "0903", disrupted=True)
    place(s, "GE-PZ8", "0809", disrupted=True)  # no supply
    place(s, ["GE-AA3", "IT-ARI", "CW-4A"], "0403")
    battle(s, "0403", "axis")
    disrupt(s, U("GE-AA3"))  # in a battle hex
    place(s, "CW-7A", "0622", disrupted=True)  # not the Active player's
    events = check(s, INITIAL)
    assert s.disrupted == units("GE-PZ8", "GE-AA3", "CW-7A")
    assert seen(events, "recovered") == [{"hex": H("0903"), "side": AX, "count": 1}]
    assert s.firm[AX] >> H("0903") & 1


@pytest.mark.rule("rommel", "12.7d", "11.2d")
def test_E11_2() -> None:
    """A unit disrupted in the preceding enemy turn has not yet spent a whole enemy turn disrupted."""
    s = empty("commonwealth")
    place(s, ["GE-PZ5", "GE-PZ8"], "0903")
    disrupt(s, U("GE-PZ5"))  # avoided battle, or routed, in the Commonwealth turn
    s.active = AX
    disrupt(s, U("GE-PZ8"))  # disrupted in its own turn before that
    check(s, INITIAL)
    assert s.disrupted == units("GE-PZ5")
    assert not s.fresh
    s.active = CW
    check(s, INITIAL)
    assert s.disrupted == units("GE-PZ5")
    s.active = AX
    check(s, INITIAL)  # a whole enemy turn later
    assert not s.disrupted


@pytest.mark.rule("rommel", "11.2d")
@pytest.mark.parametrize("first", [AX, CW])
def test_a_rout_in_the_buildup_costs_the_next_enemy_turn(first: int) -> None:
    """Whoever routed in the Buildup recovers in his first check only if the enemy has had a turn by then."""
    s = empty("commonwealth", None, month=2)
    s.first = s.active = first
    place(s, "GE-PZ5", "0903", disrupted=True)
    place(s, "CW-7A", "0622", disrupted=True)
    events = start(s, (F_MONTH, 2))
    who = ("GE-PZ5", "CW-7A")
    assert "recovered" not in kinds(events)
    assert s.disrupted == units(*who)
    do(s, "pass", "end-moves")
    assert s.active == 1 - first
    assert s.disrupted == units(who[first])


@pytest.mark.rule("rommel", "12.7d")
def test_recovery_does_not_lengthen_lines_in_the_same_check() -> None:
    s = empty("commonwealth")
    place(s, "CW-7A", "0919", disrupted=True)
    place(s, "CW-2A", "1018", disrupted=True)
    check(s, INITIAL)
    assert s.disrupted == units("CW-2A")
    assert s.unsupplied == units("CW-2A")
    check(s, INITIAL)
    assert not s.disrupted


# 12.7 Final check


@pytest.mark.rule("rommel", "12.7e", "12.7f")
def test_final_check_takes_markers_off_but_nobody_recovers() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "0903", unsupplied=True, disrupted=True)
    place(s, "CW-7A", "0622", unsupplied=True)
    events = check(s, FINAL)
    assert s.unsupplied == units("CW-7A")
    assert [e.rule for e in events if e.kind == "resupplied"] == ["12.7f"]
    assert s.disrupted == units("GE-PZ5")


@pytest.mark.rule("rommel", "12.7e", "12.7g")
def test_supply_lost_during_the_turn_does_no_harm_yet() -> None:
    """A15."""
    s = empty("axis")
    place(s, "GE-PZ5", "0809")
    check(s, FINAL)
    assert not s.unsupplied
    assert not s.disrupted
    check(s, INITIAL)
    assert s.unsupplied == units("GE-PZ5")


@pytest.mark.rule("rommel", "12.7h", "11.3b")
def test_units_disrupted_in_battle_without_protection_rout() -> None:
    s = empty("axis")
    place(s, ["GE-PZ5", "CW-7A"], "0412")
    battle(s, "0412", "commonwealth")
    place(s, ["GE-PZ8", "IT-ARI", "CW-4A"], "0411")
    battle(s, "0411", "commonwealth", ["NW"])
    s.unsupplied = units("GE-PZ5", "GE-PZ8")
    s.raiders = units("GE-PZ8")
    s.via[U("GE-PZ8")] = DIRS.index("SE")
    place(s, "IT-BRE", "0311")
    events = start(s, (F_OPTION,), (F_SUPPLY_CHECK, AX, FINAL, 0))
    assert [e.data["hex"] for e in events if e.kind == "routed"] == [H("0412")]
    assert s.disrupted >> U("GE-PZ8") & 1
    assert at(s, "GE-PZ8") == "0411"  # Ariete protects it
    while texts(s)[0].startswith("hits"):
        do(s, texts(s)[0])
    assert at(s, "GE-PZ5") != "0412"


@pytest.mark.rule("rommel", "12.7h")
def test_two_routs_at_one_final_check() -> None:
    s = empty("axis")
    for h, german, british in (("0412", "GE-PZ5", "CW-7A"), ("0513", "GE-PZ8", "CW-4A")):
        place(s, [german, british], h)
        battle(s, h, "commonwealth")
    s.unsupplied = units("GE-PZ5", "GE-PZ8")
    events = check(s, FINAL)
    while texts(s)[0].startswith("hits"):
        events += do(s, texts(s)[0])
    assert {e.data["hex"] for e in events if e.kind == "routed"} == {H("0412"), H("0513")}
    assert not s.occ[AX]


@pytest.mark.rule("rommel", "12.7i")
def test_E12_7() -> None:
    """Connected only for a while in mid-turn: what counts is the final check."""
    s = empty("commonwealth")
    place(s, "CW-2A", "1018")
    place(s, "CW-7A", "0626")
    check(s, INITIAL)
    assert s.unsupplied == units("CW-2A")
    put(s, U("CW-7A"), H("0919"))
    assert fed(s, "CW-2A")
    assert s.unsupplied == units("CW-2A")  # the marker stays until a check takes it off
    put(s, U("CW-7A"), H("0626"))
    check(s, FINAL)
    assert s.disrupted == units("CW-2A")
    assert s.unsupplied == units("CW-2A")
    check(s, FINAL)
    assert s.disrupted == units("CW-2A")  # and it stays so


# 12.7 Buildup check


@pytest.mark.rule("rommel", "12.7j", "16.2a")
def test_buildup_check_fixes_both_networks() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "0403")
    place(s, "CW-7A", "0623")
    check(s, BUILDUP, 0)
    assert hexes(s.nets[AX]) == {"0902", "0903", "0803", "0704", "0604", "0504", "0403"}
    assert hexes(s.nets[CW]) == {"0623", "0724", "0725", "0726", "0626"}
    fixed = list(s.nets)
    put(s, U("GE-PZ5"), H("0902"))
    assert s.nets == fixed


@pytest.mark.rule("rommel", "12.7j")
def test_an_isolated_fortress_is_its_own_part_of_the_network() -> None:
    """A27."""
    s = empty("axis")
    place(s, "GE-PZ5", "0313")
    place(s, "GE-PZ8", "0412")
    place(s, "CW-7A", "0311")
    place(s, "CW-4A", "0410")
    s.fort_owner[1] = AX
    check(s, BUILDUP, 0)
    assert s.fort_supply == units("GE-PZ5", "GE-PZ8")
    assert {"0313", "0412"} <= hexes(s.nets[AX])
    assert "0902" in hexes(s.nets[AX])


@pytest.mark.rule("rommel", "12.7k", "16.2b", "11.0c")
def test_buildup_check_eliminates_unsupplied_units_of_both_sides() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "0809")
    place(s, "GE-PZ8", "0903")
    place(s, "CW-7A", "0508", disrupted=True)
    place(s, "CW-4A", "0622")
    events = check(s, BUILDUP, 0)
    assert at(s, "GE-PZ5") == at(s, "CW-7A") == "dead"
    assert at(s, "GE-PZ8") == "0903"
    assert at(s, "CW-4A") == "0622"
    assert [e.rule for e in events if e.kind == "eliminated"] == ["12.7k", "12.7k"]


@pytest.mark.rule("rommel", "12.7k")
def test_all_units_are_judged_before_any_is_eliminated() -> None:
    """Two groups that cut each other off die together."""
    s = desert("axis")
    s.fort_owner = [AX] * 3
    place(s, "GE-PZ5", "0622")  # cut off, and cuts the British off
    place(s, "CW-7A", "0518")
    place(s, "CW-4A", "0724")
    check(s, BUILDUP, 0)
    assert at(s, "GE-PZ5") == at(s, "CW-7A") == "dead"
    assert at(s, "CW-4A") == "0724"


@pytest.mark.rule("rommel", "12.7l", "16.2c", "16.2d")
def test_buildup_check_frees_and_recovers_supplied_units() -> None:
    s = empty("commonwealth")
    place(s, "GE-PZ5", "0903", unsupplied=True)
    disrupt(s, U("GE-PZ5"))
    assert s.fresh  # even so: no full enemy turn is asked for
    place(s, ["CW-7A", "CW-4A", "GE-PZ8"], "0622")
    battle(s, "0622", "commonwealth", ["W"])
    disrupt(s, U("CW-7A"))
    s.unsupplied |= units("CW-4A")
    place(s, "GE-AA3", "0620")
    place(s, "CW-2A", "0724", disrupted=True)
    events = check(s, BUILDUP, 0)
    assert not s.unsupplied
    assert not s.fresh
    assert not s.disrupted & units("GE-PZ5", "CW-2A")
    assert "recovered" in kinds(events)
    assert s.disrupted == units("CW-7A")  # in a battle hex, which Panzer-Rgt 8 still contests


@pytest.mark.rule("rommel", "12.7l")
def test_recovery_in_a_hex_whose_battle_the_check_has_ended() -> None:
    s = empty("commonwealth")
    place(s, ["CW-7A", "CW-4A", "GE-PZ8"], "0622")
    battle(s, "0622", "commonwealth")  # Panzer-Rgt 8 has no hexside of its own: no supply
    disrupt(s, U("CW-7A"))
    check(s, BUILDUP, 0)
    assert at(s, "GE-PZ8") == "dead"
    assert not s.disrupted


# The whole against the words of the rules


@pytest.mark.rule("rommel", "12.2a", "12.2h", "12.3a", "12.4a", "12.4f", "12.5a", "12.5d", "12.6a")
@pytest.mark.parametrize("batch", range(10))
def test_lines_agree_with_a_slow_reading_of_the_rules(batch: int) -> None:
    for seed in range(batch * 25, batch * 25 + 25):
        rng = Random(seed)
        s = random_position(board, rng, rng.choice((0.2, 0.5, 0.9)))
        side = rng.randrange(2)
        source = rng.choice((None, None, *board.fortresses))
        base = board.base[side] if source is None else source
        slow = SlowSupply(s, side, base)
        assert hexes(trace(s, side, source)) == hexes(mask_of(slow.supplied)), seed
        if source is not None:  # all its units draw on the fortress, whatever the assignment
            s.assigned[board.fortresses.index(source)] = s.fort_supply = board.of_side[side]
        net = network(s, side, source)
        assert net.length == slow.lengths(), seed
        assert {h: set(net.back(h)) for h in slow.supplied} == slow.steps_back(), seed
        if seed % 5:
            continue  # the slow way to find all lines is very slow
        ends = {h for h in slow.land if any(source is not None or not slow.cut_off(u) for u in slow.own(h))}
        assert hexes(net.lines) == hexes(mask_of(slow.lines(ends))), seed


@pytest.mark.rule("rommel", "12.1a")
def test_supplied_and_unsupplied_units_are_all_units_on_the_map() -> None:
    for seed in range(40):
        s = random_position(board, Random(seed))
        for side in (AX, CW):
            good, bad = supplied_units(s, side), unsupplied_units(s, side)
            assert not good & bad
            assert good | bad == sum(1 << u for u, h in enumerate(s.at) if h >= 0 and board.side[u] == side)
            hexes_fed = trace(s, side)
            for u in range(len(board.units)):
                if (good | bad) >> u & 1:
                    assert bool(good >> u & 1) == (bool(hexes_fed >> s.at[u] & 1) and not is_cut_off(s, u))


def test_checks_of_a_real_game() -> None:
    """The first turn of a scenario begins with a check that finds everybody in supply."""
    s = new("1941")
    assert not s.unsupplied


def test_the_open_coast_is_cut_where_enemies_stand() -> None:
    """12.3a what is kept by the enemies on the coast road is what its steps give one by one."""
    rng = Random(11)
    road = hexes_of(board.coast_hexes)
    for count in (0, 1, 2, 5, 12, 30, len(road)):
        for _ in range(20):
            blocked = mask_of(rng.sample(road, count))
            assert _open_coast(board, blocked) == stretches(board, exits(board, blocked, 0, 0, NO_SIDES), 0)


def test_the_coast_of_a_base_is_in_supply() -> None:
    """12.3a, 13.3a whatever is asked of the coast road alone is true of all lines."""
    joined = 0
    rng = Random(7)
    for seed in range(6):
        s = new("1941", seed)
        while (who := GAME.to_act(s)) is not None and not (s.month > 4 and joined > 200):
            for side in (AX, CW):
                coast = coast_of_base(s, side)
                assert not coast & ~trace(s, side)
                joined += bool(coast)
            GAME.apply(s, GAME.roll(s, lambda n: rng.randint(1, n)).action if who < 0 else GAME.pick(s, rng.random))
    assert joined > 200


def test_lines_are_as_long_whichever_is_asked_for_first() -> None:
    """12.6 lengths are worked out only as far as they are asked for; the order of the questions is nothing."""
    for seed in range(40):
        rng = Random(seed)
        s = random_position(board, rng, rng.choice((0.2, 0.5, 0.9)))
        side = rng.randrange(2)
        whole = network(s, side)
        lengths, steps = whole.length, {h: whole.back(h) for h in hexes_of(whole.supplied)}
        for h in rng.sample(list(lengths), min(len(lengths), 12)):
            fresh = Network(board, board.base[side], ground(s, side), s.occ[side])
            assert fresh.back(h) == steps[h], seed
            assert fresh.distance(h) == lengths[h], seed


def test_quick_answers_about_two_networks_are_true() -> None:
    """12.6a, 5.3f whoever is told that all lines stand, or that a hex is in none, is told the truth."""
    kept = left_out = 0
    for seed in range(150):
        rng = Random(seed)
        s = random_position(board, rng, rng.choice((0.2, 0.5, 0.9)))
        side = rng.randrange(2)
        before, after = network(s, side), s.copy()
        ours = [u for u, h in enumerate(s.at) if h >= 0 and board.side[u] == side and not s.occ[1 - side] >> h & 1]
        for u in rng.sample(ours, min(len(ours), rng.choice((1, 1, 2, 3)))):
            far = rng.choice((1, 2, 3, 9))
            free = board.land & ~s.occ[1 - side] & board.grid.within(s.at[u], far)
            put(after, u, rng.choice(hexes_of(free)))
        net = network(after, side)
        if net.keeps(before):
            kept += bool(before.lines)
            assert not before.lines & ~net.lines, seed
        for h in hexes_of(board.land & ~after.occ[side]):
            if net.leaves_out(h):
                left_out += 1
                assert not net.lines >> h & 1, seed
    assert kept > 40
    assert left_out > 10_000


def test_a_withdrawal_shrinks_the_network_by_its_hexes() -> None:
    """5.3f in whole games at random the answer is that of all hexes of both networks."""
    rng = Random(5)
    asked: dict[bool, int] = {False: 0, True: 0}
    for seed, scenario in enumerate(("1941", "crusader", "gazala", "battleaxe") * 2):
        s = new(scenario, seed)
        while (who := GAME.to_act(s)) is not None:
            f = s.stack[-1]
            if f[0] in (F_GROUP, F_REGROUP) and f[3] and f[-1] and not s.leaving:
                nets = [Lines(one, one).all_hexes() for one in (at_start(s), s)]
                told = shrinks(s)
                asked[told] += 1
                assert told == bool(nets[0] & ~nets[1])
            GAME.apply(s, GAME.roll(s, lambda n: rng.randint(1, n)).action if who < 0 else GAME.pick(s, rng.random))
    assert min(asked.values()) > 30
