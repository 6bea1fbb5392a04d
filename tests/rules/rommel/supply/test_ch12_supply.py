"""12 Supply: lines, chains, battle hexes, networks and the three supply checks."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sandtable.games.rommel.supply.supply import (
    FAR,
    network,
    supplied_units,
    trace,
    unsupplied_units,
)
from sandtable.games.rommel.table.ids import (
    DIRS,
    F_OPTION,
    F_TURN,
    FINAL,
    INITIAL,
)
from sandtable.games.rommel.table.state import disrupt, put, recover

from ..kit import H, U, battle, board, do, empty, hexes, place, start, texts, units
from .ch12supplykit import AX, CW, check, desert, fed, finish, seen

# The Siwa road is a track that leads from the coast road at 0620 straight into the desert.
SIWA_ROAD = ("0620", "0720", "0819", "0919", "1018")


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
