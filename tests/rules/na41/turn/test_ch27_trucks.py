"""27.0 Optional rules are optional; 27.1 truck capture."""

from __future__ import annotations

import pytest

from sandtable.games.na41.retreat.surrender import abandon, captor_hexes
from sandtable.games.na41.table.ids import ALLIED, ASIDE, AXIS, F_ATTRITION, F_CAPTURE
from sandtable.games.na41.table.position import put
from sandtable.games.na41.table.scenarios import OPTIONS, option_bits, option_names
from sandtable.games.na41.table.state import State

from ..kit import GAME, H, U, at, board, do, empty, new, of_kind, place, roll, start, supplies, texts, units
from ..phasekit import END, over
from ..turnkit import moving


@pytest.mark.rule("na41", "27.0")
def test_no_optional_rule_is_in_force_unless_it_is_chosen() -> None:
    assert [option.id for option in OPTIONS] == [
        "truck_capture",
        "oasis_supply",
        "tag_along",
        "port_garrisons",
        "disengagement",
    ]
    assert new("s1_enter_rommel").flags == 0
    s = new("s1_enter_rommel", oasis_supply=True, disengagement=True)
    assert option_names(s.flags) == {
        "truck_capture": False,
        "oasis_supply": True,
        "tag_along": False,
        "port_garrisons": False,
        "disengagement": True,
    }
    with pytest.raises(ValueError, match="no option is called sandstorm"):
        option_bits({"sandstorm": True})


def fighting(**options: bool) -> State:
    """An Axis Combat Phase, the captured trucks lying aside."""
    s = empty("axis", "combat")
    s.flags = option_bits(options)
    for name in ("AX_CT1", "AX_CT2"):
        put(s, U(name), ASIDE)
    return s


@pytest.mark.rule("na41", "27.1a")
def test_a_truck_of_a_stack_that_surrendered_may_be_taken() -> None:
    s = fighting(truck_capture=True)
    place(s, ["AL_TR1"], "2240")
    s.stack = [END]
    abandon(s, ALLIED, H("2240"), surrendered=True)
    start(s)
    assert s.actor == AXIS
    assert texts(s) == ["capture AX_CT1", "no-capture"]
    do(s, texts(s)[0])
    assert (at(s, "AL_TR1"), at(s, "AX_CT1")) == ("eliminated", "2240")  # A52 nobody is near
    assert over(s)
    s = fighting(truck_capture=True)
    place(s, "AL_TR1", "2240")
    s.stack = [END]
    abandon(s, ALLIED, H("2240"), surrendered=False)  # 8.7d eliminated, not captured
    start(s)
    assert over(s)
    s = fighting()  # without the option
    place(s, "AL_TR1", "2240")
    s.stack = [END]
    abandon(s, ALLIED, H("2240"), surrendered=True)
    start(s)
    assert over(s)
    assert at(s, "AL_TR1") == "eliminated"


@pytest.mark.rule("na41", "27.1b")
def test_the_sp_of_a_captured_msu_is_rolled_for() -> None:
    for face, left in ((3, {H("2240"): 1}), (2, {})):
        s = fighting(truck_capture=True)
        start(s, END, (F_CAPTURE, H("2240"), 1))
        do(s, texts(s)[0])
        roll(s, face)
        assert s.sp[AXIS] == left
        assert s.sp[ALLIED] == {}
    s = fighting(truck_capture=True)
    start(s, END, (F_CAPTURE, H("2240"), 0))
    do(s, texts(s)[0])
    assert over(s)


@pytest.mark.rule("na41", "27.1a", "16.3.5a", "17.2.3a")
def test_a_captured_truck_joins_its_captors_and_alone_it_takes_the_hex() -> None:
    """A52: an Axis truck among Allied supply points, in a port that is not its own, would be neither here nor there."""
    s = fighting(truck_capture=True)
    place(s, "AL_TR1", "3138")
    supplies(s, "allied", "3138", 2)
    place(s, "GE_I5_5L", "3037")
    place(s, "GE_II5_5L", "3038")
    s.fight.attackers = units("GE_II5_5L")
    s.stack = [END]
    abandon(s, ALLIED, H("3138"), surrendered=True)
    start(s)
    do(s, "capture AX_CT1")
    assert at(s, "AX_CT1") == "3038"
    assert s.sp[ALLIED] == {H("3138"): 2}
    assert not s.control >> H("3138") & 1
    assert GAME.invariants(s) == []
    s = fighting(truck_capture=True)
    place(s, "AL_TR1", "3138", msu=True)
    s.stack = [END]
    abandon(s, ALLIED, H("3138"), surrendered=True)
    start(s)
    do(s, "capture AX_CT1")
    roll(s, 3)
    assert at(s, "AX_CT1") == "3138"
    assert s.control >> H("3138") & 1
    assert s.sp == [{H("3138"): 1}, {}]
    assert over(s)


@pytest.mark.rule("na41", "27.1a")
def test_which_axis_units_a_captured_truck_joins() -> None:
    """A52: combat units in the hex or beside it, attackers before others, on ground that a truck can enter."""

    def joins(*attackers: str, **where: str) -> str:
        s = fighting(truck_capture=True)
        for name, hex_ in where.items():
            place(s, name, hex_)
        s.fight.attackers = units(*attackers)
        start(s, END, (F_CAPTURE, H("2240"), 0))
        do(s, "capture AX_CT1")
        return at(s, "AX_CT1")

    assert joins(GE_I5_5L="2241") == "2241"
    assert joins(GE_I5_5L="2240") == "2240"
    assert joins("GE_II5_5L", GE_I5_5L="2140", GE_II5_5L="2340") == "2340"
    assert joins("GE_II5_5L", GE_I5_5L="2241", GE_II5_5L="2240") == "2240"
    assert joins("GE_II5_5L", GE_I5_5L="2241", GE_II5_5L="2243") == "2241"  # the attackers are far
    assert joins("GE_II5_5L", GE_I5_5L="2241") == "2241"  # or gone
    assert joins(GE_I5_5L="2242") == "2240"  # two hexes away is not beside
    assert joins(AX_TR1="2241") == "2240"  # a truck is no captor
    assert joins(GE_I5_5L="2241", BR_3H="2239") == "2241"  # nor is an Allied unit
    assert joins("BR_3H", GE_I5_5L="2241", BR_3H="2239") == "2241"


@pytest.mark.rule("na41", "27.1a", "5.1a")
def test_a_captured_truck_is_taken_into_no_marsh() -> None:
    marsh = next(h for h in board.grid.hexes if board.bog >> h & 1 and board.land >> h & 1)
    beside = next(h for h in board.grid.hexes if board.around[marsh] >> h & 1 and not board.bog >> h & 1)
    s = fighting(truck_capture=True)
    place(s, "GE_I5_5L", board.grid.names[marsh])
    assert captor_hexes(s, beside) == 0
    place(s, "GE_II5_5L", board.grid.names[beside])
    assert captor_hexes(s, beside) == 1 << beside


@pytest.mark.rule("na41", "27.1c")
def test_at_most_two_captured_trucks() -> None:
    s = fighting(truck_capture=True)
    place(s, ["AX_CT1"], "2240")
    start(s, END, (F_CAPTURE, H("2241"), 0))
    do(s, "capture AX_CT2")
    s.stack = []
    start(s, END, (F_CAPTURE, H("2241"), 0))
    assert over(s)


@pytest.mark.rule("na41", "27.1d")
def test_a_captured_truck_is_a_truck() -> None:
    u = U("AX_CT1")
    assert board.trucks >> u & 1
    assert board.ma[u] == board.ma[U("AX_TR1")]
    s = empty("axis", "movement")
    place(s, ["AX_CT1", "IT_27"], "2240")
    moving(s)
    do(s, "move AX_CT1")
    assert "load IT_27" in texts(s)


@pytest.mark.rule("na41", "27.1e")
def test_captured_trucks_break_down() -> None:
    for side, faces, here in (
        (AXIS, (5, 6), False),
        (AXIS, (6, 6), False),
        (AXIS, (5, 5), True),
        (ALLIED, (6, 6), True),
    ):
        s = empty("axis", "supply_attrition", truck_capture=True)
        place(s, "AX_CT1", "2240")
        start(s, END, (F_ATTRITION, side, 0))
        roll(s, *faces)
        assert (at(s, "AX_CT1") == "2240") == here


@pytest.mark.rule("na41", "27.1a", "17.2.4a")
def test_the_sp_of_an_msu_that_nobody_takes_is_gone() -> None:
    for option, answer in ((True, "no-capture"), (False, "")):
        s = fighting(truck_capture=option)
        place(s, "AL_TR1", "2240", msu=True)
        s.stack = [END]
        abandon(s, ALLIED, H("2240"), surrendered=True)
        assert not of_kind(s.events, "sp_destroyed")
        events = start(s)
        if answer:
            events = do(s, answer)
        assert [event.data["side"] for event in of_kind(events, "sp_destroyed")] == [ALLIED]
        assert over(s)
