"""27.2 Oasis supply and 27.4 port garrisons, two optional rules about supply."""

from __future__ import annotations

import pytest

from sandtable.games.na41.movement.rails import stations_from
from sandtable.games.na41.paths.modes import CLOSED, movers
from sandtable.games.na41.retreat.search import ground
from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.table.ids import ALLIED, AXIS, F_VICTORY
from sandtable.games.na41.table.position import put, touch
from sandtable.games.na41.table.state import State
from sandtable.games.na41.turn.delays import DELAYS, PLACE, Placing

from ..kit import H, U, board, controlled_by, do, empty, mask, names, place, start, texts, units
from ..phasekit import END, over, supply_phase
from ..turnkit import moving, rule_of

GIARABUB = "1240"


def at_giarabub(*units: str, option: bool = True) -> State:
    """Axis units in the oasis, cut off by the Allies on the track."""
    s = empty("axis", "supply", oasis_supply=option)
    place(s, units, GIARABUB)
    for unit, h in (("BR_2R", "1441"), ("BR_6R", "1042")):
        place(s, unit, h)
    return s


# 27.2 Oasis supply


@pytest.mark.rule("na41", "27.2", "27.0")
def test_an_oasis_supplies_one_unit() -> None:
    s = at_giarabub("GE_AA3_5L", "GE_I5_5L")
    assert not supply_lines.full(s, AXIS) >> H(GIARABUB) & 1
    supply_phase(s)
    assert texts(s) == ["feed GE_AA3_5L", "feed GE_I5_5L"]
    do(s, "feed GE_I5_5L")
    assert over(s)
    assert names(s.oos) == {"GE_AA3_5L"}


@pytest.mark.rule("na41", "27.2", "27.0")
def test_without_the_option_an_oasis_supplies_nobody() -> None:
    s = at_giarabub("GE_AA3_5L", option=False)
    supply_phase(s)
    assert names(s.oos) == {"GE_AA3_5L"}


@pytest.mark.rule("na41", "27.2")
def test_a_line_leads_to_the_oasis_and_the_enemy_in_it_closes_it() -> None:
    s = at_giarabub()
    assert supply_lines.fed_by_port(s, AXIS) >> H("1239") & 1
    assert supply_lines.source_limits(s, AXIS)[H(GIARABUB)] == 1
    place(s, "BR_1R", GIARABUB)
    assert H(GIARABUB) not in supply_lines.source_limits(s, AXIS)
    assert not supply_lines.fed_by_port(s, AXIS) >> H("1239") & 1
    assert supply_lines.source_limits(s, ALLIED)[H(GIARABUB)] == 1


@pytest.mark.rule("na41", "27.2")
def test_an_oasis_has_no_capacity_to_damage() -> None:
    assert not board.oases & board.ports
    assert board.oases == mask("1240", "1054", "1571")


# 27.4 Port garrisons


def tobruk(garrison: str, option: bool = True) -> State:
    """Tobruk is Allied, and an Allied unit stands in this hex."""
    s = empty("allied", "supply", port_garrisons=option)
    place(s, "AU_18", garrison)
    return s


@pytest.mark.rule("na41", "27.4a", "27.0")
@pytest.mark.parametrize(
    ("garrison", "option", "held"),
    [("3138", True, True), ("3037", True, True), ("3036", True, False), ("3036", False, True)],
)
def test_a_port_needs_a_combat_unit_in_it_or_beside_it(garrison: str, option: bool, held: bool) -> None:
    s = tobruk(garrison, option)
    assert bool(supply_lines.held_ports(s, ALLIED) >> H("3138") & 1) == held
    assert not supply_lines.held_ports(s, AXIS) >> H("3138") & 1


@pytest.mark.rule("na41", "27.4a")
def test_trucks_are_no_garrison() -> None:
    s = tobruk("3036")
    place(s, "AL_TR1", "3138")
    assert not supply_lines.held_ports(s, ALLIED) >> H("3138") & 1


@pytest.mark.rule("na41", "27.4b")
def test_an_uncontrolled_port_gives_no_supply_but_lets_lines_pass() -> None:
    s = tobruk("3138")
    assert H("3138") in supply_lines.source_limits(s, ALLIED)
    assert not supply_lines.open_to(s, AXIS)[0] >> H("3138") & 1
    put(s, U("AU_18"), H("2660"))
    touch(s)
    assert H("3138") not in supply_lines.source_limits(s, ALLIED)
    assert supply_lines.open_to(s, AXIS)[0] >> H("3138") & 1
    assert supply_lines.open_to(s, ALLIED)[0] >> H("3138") & 1
    assert not supply_lines.open_to(s, AXIS)[0] >> H("2851") & 1  # an airfield needs no garrison
    assert not supply_lines.open_to(s, AXIS)[0] >> H("2478") & 1  # nor does a city
    controlled_by(s, "axis", "3138")
    assert supply_lines.open_to(s, ALLIED)[0] >> H("3138") & 1


@pytest.mark.rule("na41", "27.4a", "27.4b", "5.9.1d", "13.3.2d", "24.3.1d")
@pytest.mark.parametrize("option", [True, False])
def test_nor_does_a_port_without_a_garrison_keep_trains_fugitives_and_delay_markers_away(option: bool) -> None:
    s = empty("allied", port_garrisons=option)
    controlled_by(s, "axis", "2660", "2851")
    assert (stations_from(s, H("2478")) >> H("2660") & 1) == option
    place(s, "BR_1R", "2659", routed=True)
    found = ground(s, U("BR_1R"), 2, 0)
    for closed in (CLOSED.held(s, movers(s, units("BR_1R"))), found.enemies):
        assert (not closed >> H("2660") & 1) == option
        assert closed >> H("2851") & 1  # an airfield needs no garrison

    def delay_hexes(side: int) -> int:
        return DELAYS.free(board.grid.all, s, Placing(side, PLACE, 0))

    assert (delay_hexes(ALLIED) >> H("2660") & 1) == option
    assert not delay_hexes(ALLIED) >> H("2851") & 1
    assert (delay_hexes(AXIS) >> H("2478") & 1) == option  # a city bars lines, not markers
    place(s, "GE_OASIS", "2660")
    assert not stations_from(s, H("2478")) >> H("2660") & 1
    controlled_by(s, "axis", "2478")
    assert CLOSED.held(s, movers(s, units("BR_1R"))) >> H("2478") & 1  # nor does a city


@pytest.mark.rule("na41", "27.4a", "21.1.4a")
@pytest.mark.parametrize(("option", "sails"), [(True, False), (False, True)])
def test_a_garrison_that_comes_in_this_phase_opens_the_port_in_the_next(option: bool, sails: bool) -> None:
    s = empty("allied", "movement", port_garrisons=option)
    place(s, "BR_1R", "3036")
    place(s, "BR_1DLI", "2478")
    moving(s)
    assert ("convoy alexandria tobruk" in texts(s)) == sails
    do(s, "move BR_1R", "to 3037 normal")
    if not sails and texts(s)[-1] == "halt":
        do(s, "halt")
    assert supply_lines.held_ports(s, ALLIED) >> H("3138") & 1
    assert ("convoy alexandria tobruk" in texts(s)) == sails
    if not sails:
        assert rule_of(s, "convoy alexandria tobruk") == "21.1.4a"


@pytest.mark.rule("na41", "27.4a", "S1.3")
@pytest.mark.parametrize(("option", "winner"), [(True, ALLIED), (False, AXIS)])
def test_a_port_without_a_garrison_is_no_objective_taken(option: bool, winner: int) -> None:
    s = empty(turn=7, scenario="s1_enter_rommel", port_garrisons=option)
    controlled_by(s, "axis", "3212", "3629", "3041", "2851", "2365", "3211", "3828")
    place(s, "IT_27", "3828")  # Derna is held, Benghazi is not
    start(s, END, (F_VICTORY, 1))
    assert s.ended is not None
    assert (s.ended.winner, s.ended.points) == (winner, 6 if option else 7)


@pytest.mark.rule("na41", "27.4a", "S3.3")
def test_with_tobruk_in_nobodys_hands_neither_side_may_have_three() -> None:
    for garrison, winner in (("3138", ALLIED), ("2478", None)):
        s = empty(turn=19, scenario="s3_crusader", port_garrisons=True)
        controlled_by(s, "axis", "2937", "3041")
        place(s, "AU_18", garrison)
        start(s, END, (F_VICTORY, 1))
        assert s.ended is not None
        assert s.ended.winner == winner
