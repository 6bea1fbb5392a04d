"""21 Naval transport and ports, and 18.7.6 Axis air transport: ports."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.na41.combat.advance import depots
from sandtable.games.na41.movement.convoys import coastal_points, passengers
from sandtable.games.na41.supply.depots import refittable
from sandtable.games.na41.supply.ports import damage
from sandtable.games.na41.supply.supply_lines import source_limits
from sandtable.games.na41.supply.support import BY_UNIT, FLIPS, SHIFT, Help, air_range, gun_actions, supply_actions
from sandtable.games.na41.table.ids import AIR_TRANSPORT, ALLIED, AXIS, COASTAL, F_BOMB, F_BOMB_ROLL, F_PORTS
from sandtable.games.na41.table.position import capacity, touch
from sandtable.games.na41.table.state import State
from sandtable.games.na41.turn.supply_phase import isolation_terms
from sandtable.mechanics.masks import hexes_in, units_of

from ..kit import (
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
from ..phasekit import END, over
from ..turnkit import do_and_sail as do
from ..turnkit import initial, moving, rule_of
from .ch21navalkit import PORT, allied, axis, lanes

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
