"""21 Naval transport and ports, and 18.7.6 Axis air transport."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.na41.combat.advance import depots
from sandtable.games.na41.movement.convoys import coastal_points, cost, friendly_ports, passengers
from sandtable.games.na41.supply.depots import refittable
from sandtable.games.na41.supply.ports import damage
from sandtable.games.na41.supply.supply_lines import source_limits
from sandtable.games.na41.supply.support import BY_UNIT, FLIPS, SHIFT, Help, air_range, gun_actions, supply_actions
from sandtable.games.na41.table.ids import AIR_TRANSPORT, ALLIED, AXIS, COASTAL, F_BOMB, F_BOMB_ROLL, F_PORTS
from sandtable.games.na41.table.position import capacity, touch
from sandtable.games.na41.table.state import State
from sandtable.games.na41.turn.supply_phase import isolation_terms
from sandtable.mechanics.masks import hexes_in, units_of

from .kit import (
    GAME,
    H,
    U,
    at,
    board,
    controlled_by,
    empty,
    hexes,
    mask,
    names,
    of_kind,
    place,
    roll,
    start,
    supplies,
    texts,
    units,
)
from .phasekit import END, over
from .turnkit import do_and_sail as do
from .turnkit import initial, moving, rule_of

PORT = {name: i for i, name in enumerate(board.port_ids)}


def allied(impulse: int = 2, **options: bool) -> State:
    s = empty("allied", "movement", 8, impulse)
    s.flags = sum(1 << i for i, name in enumerate(("a", "b", "c", "port_garrisons")) if options.get(name))
    return s


def axis(impulse: int = 2) -> State:
    s = empty("axis", "movement", 8, impulse)
    controlled_by(s, "axis", "3211", "3828", "2946")
    return s


def lanes(s: State) -> set[str]:
    s.stack, s.choices = [], None
    moving(s)
    return {t.removeprefix("convoy ") for t in texts(s) if t.startswith("convoy ")}


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


# 21.4.2 Demolition


def ports(s: State) -> State:
    s.stack, s.choices = [], None
    s.control_before = s.control
    start(s, END, (F_PORTS,))
    return s


@pytest.mark.rule("na41", "21.4.1a", "21.4.2b", "3.2d")
def test_ex_21_4_2() -> None:
    s = axis()
    place(s, "IT_27", "3211")
    place(s, "IT_28", "3828")
    moving(s)
    do(s, "end-moves")  # 3.2d last in the Movement Phase
    assert [t for t in texts(s) if t.startswith("demolish benghazi")] == [
        f"demolish benghazi {n}" for n in (1, 2, 3, 4)
    ]
    do(s, "demolish benghazi 4")
    assert sum(chance for _, chance in GAME.chances(s)) == 1
    assert dict(GAME.chances(s))[GAME.parse("hits 4")] == Fraction(1, 16)
    roll(s, 5, 4, 2, 1)
    assert capacity(s, PORT["benghazi"]) == 3
    assert rule_of(s, "demolish benghazi 1") == "21.4.2b"  # once a phase


@pytest.mark.rule("na41", "21.4.2b", "21.4.1b")
def test_fewer_dice_may_be_rolled_and_zero_is_the_floor() -> None:
    s = allied()
    place(s, "AU_20", "3138")
    s.port_level[PORT["tobruk"]] = 3
    ports(s)
    assert [t for t in texts(s) if t.startswith("demolish")] == ["demolish tobruk 1"]
    assert rule_of(s, "demolish tobruk 2") == "21.4.2b"
    s.port_level[PORT["tobruk"]] = 4
    s.choices = None
    assert rule_of(s, "demolish tobruk 1") == "21.4.1b"
    s.port_level[PORT["tobruk"]] = 3
    s.choices = None
    do(s, "demolish tobruk 1")
    roll(s, 6)
    assert capacity(s, PORT["tobruk"]) == 0
    assert over(s)


@pytest.mark.rule("na41", "21.4.2a")
def test_who_may_demolish() -> None:
    s = allied()
    assert over(ports(s))  # nobody is near a port
    place(s, "AU_20", "3137")  # beside Tobruk
    assert "demolish tobruk 1" in texts(ports(s))
    assert rule_of(s, "demolish bardia 1") == "21.4.2a"
    s = allied()
    place(s, "AL_TR1", "3138")  # no combat unit
    assert over(ports(s))
    s = allied()
    place(s, "AU_20", "3138")
    s.control_before = mask("3138")  # it was the enemy's when the phase began
    start(s, END, (F_PORTS,))
    assert over(s)
    s = allied()
    place(s, "AU_20", "3137")
    s.control |= mask("3138")  # it has become the enemy's, who retreated into it
    start(s, END, (F_PORTS,))
    assert over(s)


@pytest.mark.rule("na41", "21.4.2c", "21.1.4c")
def test_a_port_may_be_used_and_demolished_in_one_phase() -> None:
    s = allied()
    place(s, "AU_20", "2478")
    place(s, "AU_24", "3137")
    lanes(s)
    do(s, "convoy alexandria tobruk")
    roll(s, 1, 1)
    do(s, "end-moves", "demolish tobruk 4")
    roll(s, 6, 6, 6, 6)
    assert capacity(s, PORT["tobruk"]) == 0
    assert at(s, "AU_20") == "3138"


@pytest.mark.rule("na41", "21.4.2d")
def test_some_ports_can_never_be_damaged() -> None:
    immune = {name for name, i in PORT.items() if not board.port_damageable[i]}
    assert immune == {"italy", "tripoli", "alexandria", "nile_delta"}
    s = allied()
    place(s, "AU_20", "2478")
    place(s, "AU_24", "3138")
    ports(s)
    assert rule_of(s, "demolish alexandria 1") == "21.4.2d"


# 21.4.3 Bombing


@pytest.mark.rule("na41", "21.4.3a", "21.4.3b", "23.2.2")
def test_a_raid_is_flown_at_once_on_any_enemy_port() -> None:
    s = axis()
    s.rp = [1, 0]
    initial(s)
    do(s, "buy bombing_raid")
    assert set(texts(s)) == {"bomb 3138", "bomb 2660", "bomb nile_delta"}
    assert rule_of(s, "end-initial") == "21.4.3a"
    assert rule_of(s, "bomb 3211") == "21.4.3b"
    assert rule_of(s, "bomb 2478") == "21.4.2d"
    do(s, "bomb 3138")
    roll(s, 4)
    assert capacity(s, PORT["tobruk"]) == 3


@pytest.mark.rule("na41", "21.4.3b", "21.4.1b")
def test_a_miss_does_nothing_and_a_port_at_zero_is_no_target() -> None:
    for face, left in ((1, 4), (2, 4), (3, 4), (4, 3), (5, 3), (6, 3)):
        s = axis()
        start(s, END, (F_BOMB,))
        do(s, "bomb 3138")
        roll(s, face)
        assert capacity(s, PORT["tobruk"]) == left
    s = axis()
    s.port_level[PORT["tobruk"]] = 4
    start(s, END, (F_BOMB,))
    assert rule_of(s, "bomb 3138") == "21.4.1b"


@pytest.mark.rule("na41", "21.4.3c", "23.1b")
def test_a_raid_on_the_base_costs_an_rp() -> None:
    s = axis()
    s.rp = [0, 2]
    start(s, END, (F_BOMB,))
    do(s, "bomb nile_delta")
    roll(s, 6)
    assert (s.rp, s.rp_debt) == ([0, 1], [0, 0])
    s = allied()
    start(s, END, (F_BOMB,))
    do(s, "bomb tripoli") if len(texts(s)) < 6 else None
    roll(s, 6)
    assert (s.rp, s.rp_debt) == ([0, 0], [1, 0])
    start(s, (F_BOMB_ROLL, H("tripoli")))
    roll(s, 6)
    assert s.rp_debt == [1, 0]  # the marker is turned over once
    s.active, s.stack = AXIS, []
    initial(s, 0)
    events = roll(s, 4, 4)  # two RPs
    assert (s.rp[AXIS], s.rp_debt) == (1, [0, 0])
    assert of_kind(events, "resource_points")[0].data["lost"] == 1


# 21.4.4 Repair


@pytest.mark.rule("na41", "21.4.4a", "21.4.4b", "21.4.4c")
def test_an_rp_repairs_a_port_by_a_box() -> None:
    s = axis()
    s.rp = [3, 0]
    place(s, "IT_27", "3211", oos=True)
    place(s, "BR_5R", "3111")  # EZOCs do not matter, nor does supply
    s.port_level[PORT["benghazi"]] = 2
    s.port_level[PORT["derna"]] = 1
    ports(s)
    assert [t for t in texts(s) if t.startswith("repair")] == ["repair benghazi"]
    assert rule_of(s, "repair derna") == "21.4.4b"
    assert rule_of(s, "repair tobruk") == "21.4.4a"
    do(s, "repair benghazi")
    assert (s.rp, s.port_level[PORT["benghazi"]]) == ([2, 0], 1)
    assert rule_of(s, "repair benghazi") == "21.4.4c"
    s.rp = [0, 0]
    s.port_level[PORT["benghazi"]] = 2
    s.repaired = 0
    ports(s)
    assert rule_of(s, "repair benghazi") == "21.4.4a"


@pytest.mark.rule("na41", "21.4.4a", "21.4.4c", "23.2.1b")
def test_each_rp_repairs_a_port_of_its_own() -> None:
    """A55"""
    s = axis()
    s.rp = [3, 0]
    controlled_by(s, "axis", "3211", "3828")
    place(s, "IT_27", "3211")
    place(s, "IT_28", "3828")
    for port in ("benghazi", "derna"):
        s.port_level[PORT[port]] = 2
    ports(s)
    do(s, "repair benghazi", "repair derna")
    assert (s.rp[AXIS], s.port_level[PORT["benghazi"]], s.port_level[PORT["derna"]]) == (1, 1, 1)
    assert not [t for t in texts(s) if t.startswith("repair")]  # a third RP repairs neither of them again


@pytest.mark.rule("na41", "21.4.3a", "21.4.3b", "23.2.1b")
def test_each_rp_buys_a_raid_even_on_the_same_port() -> None:
    """A55"""
    s = axis()
    s.rp = [2, 0]
    initial(s)
    for left in (3, 2):
        do(s, "buy bombing_raid", "bomb 3138")
        roll(s, 5)
        assert capacity(s, PORT["tobruk"]) == left
    assert s.rp == [0, 0]


@pytest.mark.rule("na41", "21.4.4c")
def test_never_beyond_the_first_box() -> None:
    s = axis()
    s.rp = [3, 0]
    place(s, "IT_27", "3211")
    ports(s)
    assert rule_of(s, "repair benghazi") == "21.4.4c"


@pytest.mark.rule("na41", "21.4.4d")
def test_the_repaired_capacity_serves_from_the_next_impulse_on() -> None:
    s = axis()
    s.rp = [1, 0]
    place(s, "IT_27", "3211")
    s.port_level[PORT["benghazi"]] = 2
    ports(s)
    do(s, "repair benghazi")
    assert capacity(s, PORT["benghazi"]) == 3
    assert source_limits(s, AXIS)[H("3211")] == 6
    s.stack, s.active = [], ALLIED
    initial(s, 0)
    assert capacity(s, PORT["benghazi"]) == 5
    assert source_limits(s, AXIS)[H("3211")] == 10


@pytest.mark.rule("na41", "21.4.4d", "3.2a", "21.4.3b")
def test_what_the_allies_repair_is_of_no_use_in_the_axis_player_turn_of_the_impulse() -> None:
    s = allied()
    s.rp = [1, 1]
    place(s, "AU_20", "3138")
    s.port_level[PORT["tobruk"]] = 2
    ports(s)
    do(s, "repair tobruk")
    s.stack, s.active = [], AXIS
    initial(s, 0)
    assert capacity(s, PORT["tobruk"]) == 2
    s.stack = []
    moving(s)
    assert capacity(s, PORT["tobruk"]) == 2
    t = s.copy()
    t.stack, t.active = [], ALLIED
    initial(t, 0)
    assert capacity(t, PORT["tobruk"]) == 3
    do(s, "buy bombing_raid", "bomb 3138")
    roll(s, 6)
    assert capacity(s, PORT["tobruk"]) == 2  # the box that could not be used yet is gone, no more


# 18.7.6 Air transport


def airlift() -> State:
    s = axis(2)
    controlled_by(s, "axis", "3212", "3211", "3629")
    place(s, ["GE_RI1", "GE_RT1", "GE_III255", "IT_27", "GE_AA33"], "italy")
    s.assets[AIR_TRANSPORT] = 1
    moving(s)
    return s


@pytest.mark.rule("na41", "18.7.6a")
def test_air_transport_carries_a_replacement_or_a_one_step_unit_on_foot() -> None:
    s = airlift()
    assert {t for t in texts(s) if t.startswith("fly")} == {
        f"fly {u} {h}" for u in ("GE_RI1", "GE_III255") for h in ("3212", "3629")
    }
    assert rule_of(s, "fly IT_27 3212") == "18.7.6a"
    s.assets[AIR_TRANSPORT] = 0
    s.choices = None
    assert not [t for t in texts(s) if t.startswith("fly")]


@pytest.mark.rule("na41", "18.7.6a")
def test_a_unit_reduced_to_its_last_step_is_no_one_step_unit() -> None:
    """A54"""
    s = airlift()
    place(s, "IT_27", "italy", "reduced")
    place(s, "GE_361", "italy", "remnant")
    s.choices = None
    assert {t.split()[1] for t in texts(s) if t.startswith("fly")} == {"GE_RI1", "GE_III255"}
    assert rule_of(s, "fly IT_27 3212") == rule_of(s, "fly GE_361 3212") == "18.7.6a"


@pytest.mark.rule("na41", "18.7.6a")
def test_it_lands_on_a_supplied_airfield_away_from_enemies() -> None:
    s = airlift()
    place(s, "AL_TR1", "3213")  # a truck beside Benina is a unit too
    s.choices = None
    assert {t.split()[2] for t in texts(s) if t.startswith("fly")} == {"3629"}
    around = board.grid.within(H("3629"), 2) & ~board.grid.within(H("3629"), 1) & board.land  # two hexes away
    for h, u in zip(hexes_in(around), units_of(board.tanks & board.of_side[ALLIED]), strict=False):
        place(s, board.units[u], board.grid.names[h])
    s.choices = None
    assert not [t for t in texts(s) if t.startswith("fly")]


@pytest.mark.rule("na41", "18.7.6b", "3.2b")
def test_the_flown_unit_is_marked_until_the_next_own_initial_phase() -> None:
    s = airlift()
    do(s, "fly GE_III255 3212")
    assert at(s, "GE_III255") == "3212"
    assert names(s.shipped) == {"GE_III255"}
    assert s.assets[AIR_TRANSPORT] == 0
    assert "move GE_III255" not in texts(s)
    s.rp = [1, 0]
    s.choices = None
    assert rule_of(s, "buy air_transport") == "23.2.3b"  # the marker lies on the unit
    s.stack = []
    initial(s, 0)
    assert not s.shipped
    assert not s.flown


@pytest.mark.rule("na41", "21.1.5b", "18.7.3", "17.4b", "16.5.4a")
def test_a_corps_hq_off_a_ship_is_no_airfield_and_no_depot() -> None:
    s = empty("allied", "combat")
    controlled_by(s, "axis", *hexes(board.airfields))
    place(s, "AL_XIII", "2240")
    place(s, "IN_7", "2241")
    assert air_range(s, ALLIED) >> H("2244") & 1
    assert H("2240") in hexes_in(depots(s))
    assert "16.5.4a" in [rule for _, rule, _ in isolation_terms(s, U("IN_7"))]
    s.shipped = units("AL_XIII")
    touch(s)
    assert air_range(s, ALLIED) == 0
    assert H("2240") not in hexes_in(depots(s))
    assert "16.5.4a" not in [rule for _, rule, _ in isolation_terms(s, U("IN_7"))]
    s.railed = units("AL_XIII")  # 5.9.1h a rail marker bars less
    touch(s)
    assert air_range(s, ALLIED) >> H("2244") & 1
    assert H("2240") in hexes_in(depots(s))


@pytest.mark.rule("na41", "21.1.5b", "5.9.1h")
def test_an_asu_off_a_ship_is_of_no_use_but_one_off_a_train_is() -> None:
    s = empty("allied", "combat")
    place(s, ["AL_XIII", "BR_1R"], "2240")
    where, fighting = mask("2240"), units("BR_1R")
    assert supply_actions(s, where, fighting)
    assert gun_actions(s, ALLIED, where, fighting)
    s.shipped |= units("AL_XIII")
    assert supply_actions(s, where, fighting) == gun_actions(s, ALLIED, where, fighting) == []
    asu = GAME.parse("supply-asu AL_XIII")
    for bars in (BY_UNIT, FLIPS[SHIFT]):
        reason = bars.why(asu[1], s, Help(ALLIED, where, fighting), {"unit": asu[1]})
        assert reason is not None
        assert reason.rule == "21.1.5b"
    supplies(s, "allied", "2240")
    s.depleted |= units("AL_XIII")
    assert refittable(s, ALLIED) == 0
    s.railed |= units("AL_XIII")
    assert refittable(s, ALLIED) == units("AL_XIII")
    s.depleted = 0
    assert asu in supply_actions(s, where, fighting)


@pytest.mark.rule("na41", "21.1.5b", "5.9.1g")
def test_which_marker_a_unit_is_under_is_remembered_until_the_initial_phase() -> None:
    s = allied()
    place(s, ["AL_XIII", "AL_7M"], "2478")
    moving(s)
    do(s, "move AL_XIII", "rail AL_XIII 2660")
    do(s, "convoy alexandria mersa_matruh")
    if "sail" in texts(s):
        do(s, "sail")
    roll(s, 1, 1)
    assert (at(s, "AL_XIII"), at(s, "AL_7M")) == ("2660", "2660")
    assert s.shipped == units("AL_XIII", "AL_7M")
    assert s.railed == units("AL_XIII")
    s.stack, s.choices = [], None
    initial(s, 0)
    assert s.shipped == s.railed == 0


@pytest.mark.rule("na41", "13.3.2e", "21.1.1b")
def test_who_lands_beside_enemies_in_full_retreat_drives_them_off() -> None:
    s = allied()
    place(s, "BR_1DLI", "2478")
    place(s, "GE_I5_5L", "3037", routed=True)
    moving(s)
    do(s, "convoy alexandria tobruk")
    if "sail" in texts(s):
        do(s, "sail")
    events = roll(s, 1, 1)
    assert [event.data["unit"] for event in of_kind(events, "displaced")] == [U("GE_I5_5L")]


@pytest.mark.rule("na41", "13.3.2e", "5.9.1d")
def test_who_comes_by_train_beside_enemies_in_full_retreat_drives_them_off() -> None:
    s = allied()
    place(s, "BR_1DLI", "2478")
    place(s, "GE_I5_5L", "2560", routed=True)
    assert board.around[H("2660")] >> H("2560") & 1
    moving(s)
    events = do(s, "move BR_1DLI", "rail BR_1DLI 2660")
    assert [event.data["unit"] for event in of_kind(events, "displaced")] == [U("GE_I5_5L")]


@pytest.mark.rule("na41", "18.7.6a", "19.5b")
def test_nobody_flies_in_the_enemys_turn_nor_just_rebuilt_nor_twice() -> None:
    s = airlift()
    s.refreshed |= units("GE_III255")
    s.moved |= units("GE_RI1")
    s.choices = None
    assert not [t for t in texts(s) if t.startswith("fly")]
    assert rule_of(s, "fly GE_III255 3212") == "19.5b"
    s = airlift()
    s.active = s.actor = ALLIED
    s.stack, s.choices = [], None
    moving(s)
    assert not [t for t in texts(s) if t.startswith("fly")]
    assert rule_of(s, "fly GE_RI1 3212") == "18.7.6a"


@pytest.mark.rule("na41", "21.1.2c", "23.2.2")
def test_the_second_coastal_convoy_is_for_the_allies() -> None:
    for s, points in ((axis(), 2), (allied(), 4)):
        s.assets[COASTAL] = 1
        assert coastal_points(s) == points


@pytest.mark.rule("na41", "22.3.5a", "21.1.4a")
def test_no_convoy_sails_from_italy_to_an_enemy_benghazi() -> None:
    for holder, lane in (("axis", True), ("allied", False)):
        s = axis(1)
        controlled_by(s, holder, "3211")
        s.rp = [1, 0]
        place(s, "GE_I8", "italy")
        assert ("italy benghazi" in lanes(s)) == lane
        assert "italy tripoli" in lanes(s)
    assert rule_of(s, "convoy italy benghazi") == "21.1.4a"


@pytest.mark.rule("na41", "21.1.2c", "21.1.5d")
def test_a_large_convoy_is_both_of_them_and_there_is_no_third() -> None:
    s = allied()
    place(s, ["AU_18", "AU_20"], "2478")
    s.assets[COASTAL] = 1
    moving(s)
    do(s, "convoy alexandria tobruk", "ship AU_18", "ship AU_20")
    if "sail" in texts(s):
        do(s, "sail")
    roll(s, 1, 1)
    assert s.assets[COASTAL] == 0
    s.assets[COASTAL] = 1  # bought again
    assert coastal_points(s) == 0


@pytest.mark.rule("na41", "8.9.1d", "21.1.4b")
def test_who_made_an_auto_ds_does_not_embark() -> None:
    s = allied()
    place(s, "BR_1DLI", "2478")
    s.control_before = s.control
    assert names(passengers(s, H("2478"))) == {"BR_1DLI"}
    s.auto = units("BR_1DLI")
    assert passengers(s, H("2478")) == 0


@pytest.mark.rule("na41", "21.4.1b")
def test_no_port_is_damaged_beyond_its_last_box() -> None:
    s = allied()
    port = PORT["tobruk"]
    damage(s, port, 99, "21.4.1a")
    assert s.port_level[port] == len(board.port_track[port]) - 1
    assert capacity(s, port) == 0
    s.events = []
    damage(s, port, 1, "21.4.1a")
    assert not s.events
