"""21 Naval transport and ports, and 18.7.6 Axis air transport."""

from __future__ import annotations

import pytest

from sandtable.games.na41.movement.convoys import coastal_points, cost, friendly_ports
from sandtable.games.na41.table.ids import ALLIED, AXIS, COASTAL
from sandtable.games.na41.table.position import capacity
from sandtable.games.na41.table.state import State

from ..kit import (
    H,
    U,
    at,
    board,
    controlled_by,
    mask,
    names,
    place,
    roll,
    supplies,
    texts,
    units,
)
from ..turnkit import do_and_sail as do
from ..turnkit import initial, moving, rule_of
from .ch21navalkit import PORT, allied, axis, lanes


def arrived(s: State, faces: tuple[int, int] = (1, 1)) -> None:
    """The convoy sails and is not found."""
    if "sail" in texts(s):
        do(s, "sail")
    roll(s, *faces)


# 21.1 Which convoys can sail


@pytest.mark.rule("na41", "21.0", "21.1.1a", "21.1.1b", "21.1.2a", "3.2c")
def test_a_unit_goes_from_one_friendly_port_to_another() -> None:
    s = allied()
    place(s, ["AU_20", "AU_24"], "2478")
    assert lanes(s) == {
        f"alexandria {to}" for to in ("benghazi", "derna", "tobruk", "bardia", "mersa_matruh", "nile_delta")
    }
    assert rule_of(s, "convoy alexandria alexandria") == "21.1.1a"
    do(s, "convoy alexandria tobruk")
    assert texts(s) == ["ship AU_20", "ship AU_24"]
    do(s, "ship AU_20")
    assert at(s, "AU_20") == "at_sea"  # nobody else fits, so it has sailed
    roll(s, 1, 1)
    assert (at(s, "AU_20"), at(s, "AU_24")) == ("3138", "2478")


@pytest.mark.rule("na41", "21.1.4a")
def test_only_ports_that_were_friendly_when_the_phase_began() -> None:
    s = allied()
    place(s, "AU_20", "2478")
    controlled_by(s, "axis", "3211", "3828")
    assert "alexandria benghazi" not in lanes(s)
    assert rule_of(s, "convoy alexandria benghazi") == "21.1.4a"
    s.control &= ~mask("3211")  # taken in this phase
    s.memo = {}
    assert not friendly_ports(s, ALLIED) >> PORT["benghazi"] & 1
    assert friendly_ports(s, AXIS) >> PORT["derna"] & 1 or s.control >> H("3828") & 1


@pytest.mark.rule("na41", "21.1.4a", "27.4b")
def test_a_port_without_garrison_is_no_destination() -> None:
    s = allied(port_garrisons=True)
    place(s, "AU_20", "2478")
    place(s, "AU_24", "3138")
    place(s, "IN_5", "2945")  # beside Bardia
    assert H("2945") in [n for _, n in board.steps[H("2946")]]
    assert lanes(s) >= {"alexandria tobruk", "alexandria bardia", "alexandria nile_delta"}
    assert "alexandria mersa_matruh" not in lanes(s)
    assert rule_of(s, "convoy alexandria mersa_matruh") == "27.4b"
    assert rule_of(s, "convoy mersa_matruh alexandria") == "27.4a"
    place(s, "IN_5", "2843")  # Bardia had a garrison when the phase began
    s.choices = None
    assert rule_of(s, "convoy alexandria bardia") == "27.4b"
    controlled_by(s, "axis", "2946")
    assert rule_of(s, "convoy alexandria bardia") == "21.1.4a"


@pytest.mark.rule("na41", "21.1.4d")
def test_an_ezoc_does_not_matter() -> None:
    s = allied()
    place(s, "AU_20", "2478")
    place(s, "AU_24", "3138")
    place(s, "GE_I5_5L", "3137")
    assert "alexandria tobruk" in lanes(s)
    assert "tobruk alexandria" in lanes(s)


@pytest.mark.rule("na41", "21.1.1c", "21.1.2a", "21.1.3a", "21.1.3b", "3.1h", "6.3.2c")
def test_from_italy_only_in_the_first_impulse_and_only_to_tripoli() -> None:
    for impulse in (1, 2, 3):
        s = axis(impulse)
        place(s, "GE_I8", "italy")
        assert lanes(s) == ({"italy tripoli"} if impulse == 1 else set())
        if impulse > 1:
            assert rule_of(s, "convoy italy tripoli") == "21.1.3a"
        else:
            assert rule_of(s, "convoy italy derna") == "21.1.3b"
    s = axis(1)
    place(s, "GE_I8", "tripoli")
    assert lanes(s) == {"tripoli benghazi", "tripoli derna", "tripoli bardia"}
    assert rule_of(s, "convoy tripoli italy") == "21.1.2a"


@pytest.mark.rule("na41", "21.1.2b", "21.1.2d")
def test_one_free_coastal_convoy_of_two_points() -> None:
    s = axis()
    place(s, ["GE_I8", "GE_AA33", "GE_K15"], "tripoli")
    lanes(s)
    do(s, "convoy tripoli derna")
    assert rule_of(s, "ship GE_AA3_5L") == "21.1.1a"
    do(s, "ship GE_K15")
    assert texts(s) == ["ship GE_AA33", "sail"]
    assert rule_of(s, "ship GE_I8") == "21.1.2d"  # two tank steps
    do(s, "ship GE_AA33")
    roll(s, 1, 1)
    assert at(s, "GE_AA33") == "3828"
    assert not [t for t in texts(s) if t.startswith("convoy")]
    assert rule_of(s, "convoy tripoli derna") == "21.1.2b"


@pytest.mark.rule("na41", "21.1.2c", "21.1.5d")
def test_the_allies_may_buy_a_second_convoy() -> None:
    s = allied()
    s.rp = [0, 2]
    place(s, ["AU_20", "AU_24", "AU_26"], "2478")
    moving(s)
    assert coastal_points(s) == 2
    do(s, "buy coastal_convoy")
    assert coastal_points(s) == 4  # A32
    do(s, "convoy alexandria tobruk", "ship AU_20", "ship AU_24")
    roll(s, 1, 1)
    assert s.assets[COASTAL] == 0
    assert rule_of(s, "convoy alexandria mersa_matruh") == "21.1.2b"
    s = allied()
    s.assets[COASTAL] = 1
    place(s, ["AU_20", "AU_24", "AU_26"], "2478")
    moving(s)
    do(s, "convoy alexandria mersa_matruh", "ship AU_20")
    if "sail" in texts(s):
        do(s, "sail")
    roll(s, 1, 1)
    assert s.assets[COASTAL] == 1  # the free one first
    do(s, "convoy alexandria tobruk", "ship AU_24")
    roll(s, 1, 1)
    assert s.assets[COASTAL] == 0
    s.assets[COASTAL] = 1  # never a third
    assert coastal_points(s) == 0


@pytest.mark.rule("na41", "21.1.4b", "21.1.5a", "21.1.5b")
def test_who_has_been_shipped_is_marked_and_does_nothing_else() -> None:
    s = allied()
    place(s, "AU_20", "2478")
    supplies(s, "allied", "2478", 1)
    lanes(s)
    do(s, "convoy alexandria tobruk", "ship AU_20")
    roll(s, 1, 1)
    assert names(s.shipped) == {"AU_20"}
    assert "move AU_20" not in texts(s)
    s.stack = []
    s.active = AXIS
    initial(s, 0)
    assert names(s.shipped) == {"AU_20"}
    s.active, s.stack = ALLIED, []
    initial(s, 0)
    assert not s.shipped


@pytest.mark.rule("na41", "21.1.5a", "21.1.5b", "3.2b")
def test_sps_are_held_by_the_marker_until_the_next_initial_phase() -> None:
    s = allied()
    supplies(s, "allied", "2478", 1)
    place(s, "AL_7M", "3138", depleted=True)
    lanes(s)
    do(s, "convoy alexandria tobruk")
    roll(s, 1, 1)
    assert s.sp[ALLIED] == {H("3138"): 1}
    assert s.sp_held[ALLIED] == {H("3138"): 1}
    assert "ready AL_7M" not in texts(s)
    s.stack = []
    initial(s, 0)
    assert s.sp_held[ALLIED] == {}


@pytest.mark.rule("na41", "21.1.5c", "21.1.4b")
def test_the_arrival_area_of_tripoli_stands_for_the_marker() -> None:
    s = axis(1)
    place(s, ["GE_I8", "AX_TR1"], "italy")
    supplies(s, "axis", "italy", 1)
    lanes(s)
    do(s, "convoy italy tripoli", "ship GE_I8", "ship AX_TR1", "ship-sp")
    arrived(s)
    assert at(s, "GE_I8") == "tripoli"
    assert names(s.shipped) == {"GE_I8", "AX_TR1"}
    assert s.sp_held[AXIS] == {H("tripoli"): 1}
    assert not [t for t in texts(s) if t.startswith(("move", "convoy"))]


@pytest.mark.rule("na41", "21.1.5a", "21.1.5c")
def test_at_the_nile_delta_there_is_one() -> None:
    s = allied()
    place(s, "AU_20", "3138")
    supplies(s, "allied", "3138")
    lanes(s)
    do(s, "convoy tobruk nile_delta", "ship AU_20")
    arrived(s)
    assert (at(s, "AU_20"), names(s.shipped)) == ("nile_delta", {"AU_20"})


@pytest.mark.rule("na41", "13.2.1a", "19.5b", "16.4a", "21.1.4b")
def test_who_may_not_embark() -> None:
    for state, rule in (("disrupted", "13.2.1a"), ("routed", "13.2.1a"), ("refreshed", "19.5b"), ("oos", "16.4a")):
        s = allied()
        place(s, ["AU_20", "AU_24", "AU_26"], "2478")
        setattr(s, state, units("AU_20"))
        lanes(s)
        do(s, "convoy alexandria tobruk")
        assert rule_of(s, "ship AU_20") == rule
    s = allied()
    place(s, ["AU_20", "AU_24", "AU_26"], "2478")
    lanes(s)
    s.moved = units("AU_20")
    do(s, "convoy alexandria tobruk")
    assert rule_of(s, "ship AU_20") == "21.1.4b"
    s = allied()
    place(s, "AL_TOB", "3138")  # 17.1.2c
    assert lanes(s) == set()
    place(s, ["BR_1DLI", "BR_KDG"], "3138")
    place(s, ["PO_CAR", "AU_24", "AU_26"], "2478")
    lanes(s)
    do(s, "convoy tobruk alexandria")
    assert rule_of(s, "ship AL_TOB") == "17.1.2c"
    s.stack = []
    lanes(s)
    do(s, "convoy alexandria tobruk")
    assert rule_of(s, "ship PO_CAR") == "S1.2d"


@pytest.mark.rule("na41", "21.1.2d", "21.3.2a")
def test_whether_the_convoy_or_the_port_has_no_room_left() -> None:
    for used, rule in ((0, "21.1.2d"), (3, "21.3.2a")):
        s = allied()
        place(s, ["AU_20", "BR_1DLI", "BR_KDG"], "2478")
        s.landed[PORT["tobruk"]] = used
        lanes(s)
        do(s, "convoy alexandria tobruk")
        if not used:
            do(s, "ship BR_1DLI")
        assert rule_of(s, "ship AU_20") == rule


# 21.2, 21.3 Shipping points and capacity


@pytest.mark.rule("na41", "21.2a", "21.2b", "21.2c")
def test_shipping_points() -> None:
    s = axis()
    place(s, ["GE_115", "GE_AA33", "GE_I8", "GE_DAK", "GE_FL33", "GE_RI1", "AX_TR1"], "tripoli")
    place(s, "AX_TR2", "tripoli", msu=True)
    place(s, "GE_II8", "tripoli", "reduced")
    points = {"GE_115": 2, "GE_AA33": 1, "GE_I8": 2, "GE_II8": 1, "GE_DAK": 1, "GE_RI1": 1, "AX_TR1": 1, "AX_TR2": 2}
    assert {name: cost(s, U(name)) for name in points} == points
    assert cost(s, U("GE_FL33")) == board.steps_of[U("GE_FL33")]


@pytest.mark.rule("na41", "21.3.1", "21.3.2a")
def test_ex_21_3_2() -> None:
    s = axis(1)
    assert capacity(s, PORT["tobruk"]) == 4
    controlled_by(s, "axis", "3138")
    s.embarked[PORT["tobruk"]] = 3
    place(s, ["GE_AA33", "GE_K15"], "3138")
    lanes(s)
    do(s, "convoy tobruk derna")
    assert set(texts(s)) == {"ship GE_K15", "ship GE_AA33"}
    do(s, "ship GE_K15")  # the fourth point: nothing more fits
    roll(s, 1, 1)
    assert s.embarked[PORT["tobruk"]] == 4
    assert s.landed[PORT["derna"]] == 1
    assert s.landed[PORT["tobruk"]] == 0  # embarking and landing are counted apart
    s = axis(1)
    controlled_by(s, "axis", "3138")
    s.embarked[PORT["tobruk"]], s.landed[PORT["tobruk"]] = 4, 3
    place(s, ["GE_AA33", "GE_K15"], "tripoli")
    lanes(s)
    do(s, "convoy tripoli tobruk", "ship GE_K15")  # again the fourth
    roll(s, 1, 1)
    assert s.landed[PORT["tobruk"]] == 4
    assert "convoy tripoli tobruk" not in texts(s)


@pytest.mark.rule("na41", "21.3.2a")
def test_what_has_landed_takes_nothing_from_those_who_embark() -> None:
    s = allied()
    s.assets[COASTAL] = 1
    s.port_level[PORT["tobruk"]] = 2  # capacity 2
    place(s, "AU_20", "2478")
    place(s, "AU_24", "3138")
    lanes(s)
    do(s, "convoy alexandria tobruk")
    arrived(s)
    assert (at(s, "AU_20"), s.landed[PORT["tobruk"]]) == ("3138", 2)
    do(s, "convoy tobruk alexandria")
    arrived(s)
    assert (at(s, "AU_24"), s.embarked[PORT["tobruk"]]) == ("2478", 2)


@pytest.mark.rule("na41", "21.1.3c", "21.3.2a", "22.3.5c")
def test_an_italy_convoy_is_limited_by_the_destination() -> None:
    s = axis(1)
    s.rp = [1, 0]
    supplies(s, "axis", "italy", 20)
    s.port_level[PORT["benghazi"]] = 2  # capacity 3
    assert lanes(s) == {"italy tripoli", "italy benghazi"}
    do(s, "convoy italy tripoli")  # the first is forced, and so is sailing with the last
    while "ship-sp" in texts(s):
        do(s, "ship-sp")
    arrived(s)
    assert s.sp[AXIS][board.tripoli] == 14
    assert rule_of(s, "convoy italy tripoli") == "21.3.2a"
    do(s, "convoy italy benghazi", "ship-sp", "ship-sp")
    assert s.convoy_sp == 3
    assert s.sp[AXIS][board.italy] == 3


@pytest.mark.rule("na41", "21.3.1", "21.3.2b")
def test_a_damaged_port_takes_less() -> None:
    assert [track[0] for track in board.port_track[:6]] == [7, 2, 4, 2, 3, 20]
    s = allied()
    s.port_level[PORT["tobruk"]] = 3
    assert capacity(s, PORT["tobruk"]) == 1
    place(s, "AU_20", "2478")
    assert "alexandria tobruk" not in lanes(s)
    assert rule_of(s, "convoy alexandria tobruk") == "21.1.1a"
    s.port_level[PORT["tobruk"]] = 4
    assert rule_of(s, "convoy alexandria tobruk") == "21.3.2a"
