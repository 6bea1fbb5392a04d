"""Chapter 12: surrender."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import effects
from sandtable.games.na41.combat.losses import sweep
from sandtable.games.na41.retreat import retreats, search, surrender
from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.table.ids import (
    ALLIED,
    ASIDE,
    AUTO_DS,
    AXIS,
    BREAKTHROUGH,
    COMBAT,
    F_MOVES,
    F_RETREAT_UNIT,
)
from sandtable.games.na41.table.position import eliminate, put
from sandtable.games.na41.table.scenarios import option_bits
from sandtable.games.na41.table.state import State
from sandtable.games.na41.turn import preparation, replacements

from ..kit import (
    GAME,
    H,
    U,
    at,
    board,
    controlled_by,
    do,
    empty,
    mask,
    of_kind,
    place,
    roll,
    start,
    supplies,
    texts,
    units,
)
from ..retreatkit import ORIGIN, REST, WEST, against, fight, forbidden, go, mover, order, over, retreat, ways
from .ch12retreatskit import FOOT, RIFLES, TANK

# 12.5


@pytest.mark.rule("na41", "12.5.1a")
def test_on_foot_a_long_retreat_is_surrender() -> None:
    s = fight([FOOT, TANK])
    events = retreat(s, 4)
    (gone,) = of_kind(events, "surrendered")
    assert (gone.data["unit"], gone.rule) == (U(FOOT), "12.5.1a")
    assert mover(s) == TANK


@pytest.mark.rule("na41", "12.5.1b")
def test_on_foot_a_second_retreat_is_surrender_unless_a_truck_helps() -> None:
    s = fight([FOOT, TANK], kind=BREAKTHROUGH)
    s.retreated = units(FOOT)
    (gone,) = of_kind(retreat(s), "surrendered")
    assert (gone.data["unit"], gone.rule) == (U(FOOT), "12.5.1b")
    s = fight([FOOT, TANK], kind=BREAKTHROUGH)
    s.retreated = units(FOOT)
    place(s, "AL_TR1", ORIGIN)
    retreat(s)
    do(s, f"carry AL_TR1 {FOOT}")
    assert at(s, FOOT) == ORIGIN
    assert mover(s) == TANK


@pytest.mark.rule("na41", "12.5.1c")
def test_the_truck_must_be_there_from_the_start() -> None:
    s = fight(FOOT)
    place(s, "AL_TR1", "2728")
    retreat(s, 4)
    assert at(s, FOOT) == "surrender_left"


@pytest.mark.rule("na41", "12.5.1d")
def test_who_dies_out_of_supply_surrenders() -> None:
    ring = {"GE_I5_5L": "2728", "GE_II5_5L": "2826", "GE_I8": "2626"}
    s = fight(TANK, attackers=ring)
    assert not surrender.supplied(s, U(TANK))
    (gone,) = of_kind(retreat(s), "surrendered")
    assert (at(s, TANK), gone.rule) == ("surrender_left", "12.5.1d")
    s = fight(TANK)
    assert surrender.supplied(s, U(TANK))
    surrender.perish(s, U(TANK), "12.2.1e")
    assert at(s, TANK) == "eliminated"
    s = fight([TANK], attackers=ring)
    place(s, "AL_TR1", ORIGIN)
    surrender.perish(s, U("AL_TR1"), "12.2.1e")
    assert at(s, "AL_TR1") == "eliminated"  # combat units only


@pytest.mark.rule("na41", "12.5.1d", "16.2c", "16.2d")
def test_who_found_no_room_at_the_port_is_out_of_supply() -> None:
    """Tobruk at capacity 1 supplies two units, those that its owner chose."""
    s = empty("axis", "combat")
    place(s, [TANK, RIFLES, FOOT], "3138")
    for name, where in (("GE_I5_5L", "3136"), ("GE_II5_5L", "2936"), ("GE_MG8_5L", "2938"), ("GE_MG2_5L", "3040")):
        place(s, name, where)
    port = board.port_at[H("3138")]
    s.port_level[port] = board.port_track[port].index(1)
    assert not supply_lines.full(s, ALLIED) >> H("3138") & 1
    s.fed = units(TANK, RIFLES)
    assert [surrender.supplied(s, U(name)) for name in (TANK, RIFLES, FOOT)] == [True, True, False]
    surrender.perish(s, U(FOOT), "12.2.1e")
    surrender.perish(s, U(RIFLES), "12.2.1e")
    assert (at(s, FOOT), at(s, RIFLES)) == ("surrender_left", "eliminated")
    place(s, FOOT, "3138")  # now there is room
    assert surrender.supplied(s, U(FOOT))


def garrison(hex_: str = "2946", full: bool = False, kind: int = COMBAT) -> State:
    """Rifles, a battalion on foot and a truck in a port are about to be attacked; the port alone feeds them."""
    s = empty("axis", "combat")
    place(s, "GE_I5_5L", "2945")
    place(s, [RIFLES, FOOT, "AL_TR1"], "2946")
    controlled_by(s, "allied", "2946")
    s.memo["full", ALLIED] = -1 if full else 0
    effects.begin(s, kind, H(hex_), units("GE_I5_5L"))
    return s


def port_lost(full: bool = False) -> State:
    """The rifles and the truck have been driven out of Bardia, the battalion is lost; the Axis is about to enter."""
    s = garrison(full=full)
    put(s, U(RIFLES), H("3045"))
    put(s, U("AL_TR1"), H("3045"))
    eliminate(s, U(FOOT), "10.1d")
    return s


@pytest.mark.rule("na41", "12.5.1e")
def test_who_lived_by_a_port_surrenders_when_it_falls() -> None:
    s = port_lost()
    surrender.port_falls(s, H("2946"))
    assert (at(s, RIFLES), at(s, FOOT), at(s, "AL_TR1")) == ("surrender_left", "surrender_left", "eliminated")
    s = port_lost(full=True)
    surrender.port_falls(s, H("2946"))
    assert (at(s, RIFLES), at(s, FOOT), at(s, "AL_TR1")) == ("3045", "eliminated", "3045")
    s = port_lost()
    controlled_by(s, "axis", "2946")
    surrender.port_falls(s, H("2946"))
    assert at(s, RIFLES) == "3045"
    s = port_lost()
    surrender.port_falls(s, H("3138"))
    assert at(s, RIFLES) == "3045"


@pytest.mark.rule("na41", "12.5.1e", "16.2c")
def test_who_drew_nothing_from_the_port_does_not_surrender_with_it() -> None:
    s = empty("axis", "combat")
    place(s, "GE_I5_5L", "2945")
    place(s, [RIFLES, FOOT, TANK], "2946")
    port = board.port_at[H("2946")]
    s.port_level[port] = board.port_track[port].index(1)
    s.fed = units(RIFLES, FOOT)
    s.control = board.controllable & ~mask("2946")  # no other port
    s.memo["full", ALLIED] = 0
    effects.begin(s, COMBAT, H("2946"), units("GE_I5_5L"))
    assert {u for _, u in s.garrisons} == {U(RIFLES), U(FOOT)}


@pytest.mark.rule("na41", "12.5.1e", "27.1a", "10.2.2c")
def test_the_truck_of_a_garrison_that_was_wiped_out_is_captured_with_the_port() -> None:
    """A26: those who are eliminated surrender when the port is entered, and 27.1 is for the truck of who surrenders."""
    for taken in (True, False):
        s = garrison()
        s.flags = option_bits({"truck_capture": taken})
        put(s, U("AX_CT1"), ASIDE)
        for name in (RIFLES, FOOT):
            eliminate(s, U(name), "10.1d")
        sweep(s)
        assert (at(s, "AL_TR1"), s.stack) == ("eliminated", [])
        s.stack = [REST]
        surrender.port_falls(s, H("2946"))
        start(s)
        assert (at(s, RIFLES), at(s, FOOT)) == ("surrender_left", "surrender_left")
        assert over(s) != taken
        if taken:
            do(s, "capture AX_CT1")
            assert board.combat & s.here[s.at[U("AX_CT1")]]  # A52 it joins its captors
            assert over(s)


@pytest.mark.rule("na41", "12.5.1e", "27.1a")
def test_an_axis_truck_is_not_captured_with_a_port() -> None:
    s = empty("allied", "combat", truck_capture=True)
    controlled_by(s, "axis", "2946")
    place(s, ["IT_65", "AX_TR1"], "2946")
    s.memo["full", AXIS] = 0
    effects.begin(s, COMBAT, H("2946"), 0)
    place(s, ["IT_65", "AX_TR1"], "3045")  # driven out of it
    surrender.port_falls(s, H("2946"))
    assert (at(s, "IT_65"), at(s, "AX_TR1")) == ("surrender_left", "3045")
    assert s.stack == []


@pytest.mark.rule("na41", "12.5.1e", "8.9.2a")
def test_a_garrison_driven_out_by_an_auto_ds_is_remembered() -> None:
    s = garrison(kind=AUTO_DS)
    s.claims = {H("2946"): units("GE_I5_5L")}
    effects.begin(s, COMBAT, H(ORIGIN), 0)  # other fights come before the advance
    assert {u for _, u in s.garrisons} == {U(RIFLES), U(FOOT), U("AL_TR1")}
    surrender.port_falls(s, H("2946"))
    assert at(s, RIFLES) == "surrender_left"
    assert s.garrisons == []


@pytest.mark.rule("na41", "12.5.1e")
def test_a_garrison_is_forgotten_when_the_next_fight_begins() -> None:
    """A26: they surrender if the port is entered in the advance after their own fight."""
    s = garrison()
    assert s.garrisons
    effects.begin(s, BREAKTHROUGH, H(ORIGIN), 0)
    assert s.garrisons  # that is still the same advance
    effects.begin(s, COMBAT, H(ORIGIN), 0)
    assert s.garrisons == []


@pytest.mark.rule("na41", "12.5.2a", "12.5.2b")
def test_the_surrender_box_takes_two_turns() -> None:
    s = fight(FOOT)
    retreat(s, 4)
    assert at(s, FOOT) == "surrender_left"
    assert s.step[U(FOOT)] == board.steps_of[U(FOOT)] - 1
    place(s, "BR_RI1", "nile_delta")
    for box in ("surrender_right", "eliminated"):
        assert not replacements.TAKERS.free(replacements.eliminated(s), s, U("BR_RI1")) >> U(FOOT) & 1
        preparation.advance_surrendered(s)
        assert at(s, FOOT) == box
    assert replacements.TAKERS.free(replacements.eliminated(s), s, U("BR_RI1")) >> U(FOOT) & 1


@pytest.mark.rule("na41", "12.5.3")
def test_the_owner_may_surrender_his_units_in_his_movement_phase() -> None:
    s = empty("allied", "movement")
    place(s, FOOT, ORIGIN)
    start(s, (F_MOVES,))
    if f"surrender {FOOT}" not in texts(s):
        do(s, f"move {FOOT}")
    do(s, f"surrender {FOOT}")
    assert at(s, FOOT) == "surrender_left"


@pytest.mark.rule("na41", "12.6")
def test_the_advance_is_not_shortened_when_nobody_is_left_to_retreat() -> None:
    s = fight(FOOT, "DR4")
    retreat(s, 4)
    assert at(s, FOOT) == "surrender_left"
    effects.follow_up(s)
    assert s.allowance == 4


# 10.2.2c, 17.1.2c, 27.1


@pytest.mark.rule("na41", "10.2.2c")
def test_trucks_whose_last_combat_unit_is_gone_are_lost() -> None:
    s = fight(FOOT)
    place(s, "AL_TR1", ORIGIN)
    retreat(s, 4)
    do(s, "no-carry")
    assert at(s, FOOT) == "surrender_left"
    assert at(s, "AL_TR1") == "eliminated"
    assert over(s)


@pytest.mark.rule("na41", "17.1.2c")
def test_the_tobruk_asu_never_retreats() -> None:
    s = fight([TANK, "AL_TOB"])
    retreat(s)
    assert at(s, "AL_TOB") == "eliminated"
    assert mover(s) == TANK


def lost_truck(msu: bool = False, **options: bool) -> State:
    s = fight(FOOT, **options)
    place(s, "AL_TR1", ORIGIN, msu=msu)
    for name in ("AX_CT1", "AX_CT2"):
        s.at[U(name)] = ASIDE
    retreat(s, 4)
    if not msu:
        do(s, "no-carry")
    return s


@pytest.mark.rule("na41", "27.1a", "27.1c")
def test_the_axis_may_take_a_truck_of_a_stack_that_surrenders() -> None:
    assert over(lost_truck())
    s = lost_truck(truck_capture=True)
    assert (s.actor, texts(s)) == (AXIS, ["capture AX_CT1", "no-capture"])
    other = s.copy()
    do(s, "capture AX_CT1")
    assert over(s)
    assert (at(s, "AX_CT1"), at(s, "AL_TR1")) == (WEST, "eliminated")  # A52 with the attacker
    do(other, "no-capture")
    assert at(other, "AX_CT1") == "aside"
    s = fight(FOOT, truck_capture=True)
    place(s, ["AX_CT1", "AX_CT2"], "tripoli")  # both in play
    place(s, "AL_TR1", ORIGIN)
    retreat(s, 4)
    do(s, "no-carry")
    assert over(s)


@pytest.mark.rule("na41", "27.1a")
def test_german_trucks_are_not_captured() -> None:
    s = fight("IT_19", attackers={TANK: WEST}, active="allied", truck_capture=True)
    s.at[U("AX_CT1")] = ASIDE
    place(s, "AX_TR1", ORIGIN)
    retreat(s, 4)
    do(s, "no-carry")
    assert over(s)
    assert at(s, "AX_TR1") == "eliminated"


@pytest.mark.rule("na41", "27.1b")
def test_the_supply_point_of_a_captured_msu_is_rolled_for() -> None:
    s = lost_truck(msu=True, truck_capture=True)
    do(s, "capture AX_CT1")
    roll(s, 3)
    assert s.sp[AXIS] == {H(WEST): 1}
    s = lost_truck(msu=True, truck_capture=True)
    do(s, "capture AX_CT1")
    roll(s, 2)
    assert s.sp == [{}, {}]


# 27.3.2


def tagging(friend: str = "BR_7H", **kw: bool) -> State:
    s = fight(TANK, tag_along=True)
    place(s, friend, "2728", **kw)
    retreat(s, 4)
    go(s, "2728")
    return s


@pytest.mark.rule("na41", "27.3.2a", "27.3.2b")
def test_units_on_the_path_may_tag_along_in_worse_order() -> None:
    s = tagging()
    assert "join BR_7H" in texts(s)
    do(s, "join BR_7H")
    assert order(s, "BR_7H") == "disrupted"
    go(s, "2729", "2730", "2731")
    while not over(s):
        do(s, "halt")
    assert at(s, "BR_7H") == at(s, TANK) == "2731"
    assert (order(s, "BR_7H"), order(s, TANK)) == ("disrupted", "full retreat")
    s = tagging(disrupted=True)
    do(s, "join BR_7H")
    assert order(s, "BR_7H") == "full retreat"
    s = tagging(routed=True)
    do(s, "join BR_7H")
    assert order(s, "BR_7H") == "full retreat"
    s = tagging("AL_TR1")
    do(s, "join AL_TR1")
    assert order(s, "AL_TR1") == "good"
    without = fight(TANK)
    place(without, "BR_7H", "2728")
    retreat(without, 4)
    go(without, "2728")
    assert "join BR_7H" not in texts(without)
    assert forbidden(without, "join BR_7H") == "27.3.2a"


@pytest.mark.rule("na41", "27.3.2a")
def test_units_beside_an_enemy_do_not_tag_along() -> None:
    s = fight(TANK, tag_along=True)
    place(s, "BR_7H", "2728")
    place(s, "GE_II5_5L", "2628")
    retreat(s, 4)
    go(s, "2728")
    assert not [t for t in texts(s) if t.startswith("join")]
    assert forbidden(s, "join BR_7H") == "27.3.2a"
    s = tagging()
    place(s, "AX_TR1", "2828")  # a truck is an enemy unit too
    s.choices = None
    assert not [t for t in texts(s) if t.startswith("join")]
    assert forbidden(s, "join BR_7H") == "27.3.2a"


@pytest.mark.rule("na41", "27.3.2c")
def test_tag_along_may_overstack() -> None:
    s = fight(TANK, tag_along=True)
    place(s, ["IN_3M", "SA_1"], "2728")
    place(s, ["BR_2RB", "BR_2SG"], "2729")
    retreat(s, 2)
    go(s, "2728")
    do(s, "join IN_3M", "join SA_1")
    assert "2729" in ways(s)
    go(s, "2729")
    while not over(s):
        do(s, "halt")
    assert at(s, "IN_3M") == at(s, "SA_1") == "2729"


@pytest.mark.rule("na41", "27.3.2d")
def test_no_supply_points_on_the_way() -> None:
    s = tagging("AL_TR1")
    supplies(s, "allied", "2728")
    s.choices = None
    assert "load-sp" not in texts(s)
    do(s, "join AL_TR1")
    assert "load-sp" not in texts(s)


@pytest.mark.rule("na41", "27.3.2e")
def test_on_foot_two_hexes_along() -> None:
    s = tagging(FOOT)
    do(s, f"join {FOOT}")
    go(s, "2729")
    assert f"leave {FOOT}" in texts(s)
    assert f"join {FOOT}" not in texts(s)
    other = s.copy()
    go(s, "2730", "2731")
    while not over(s):
        do(s, "halt")
    assert (at(s, FOOT), at(s, TANK)) == ("2730", "2731")
    do(other, f"leave {FOOT}")
    assert f"join {FOOT}" not in texts(other)
    go(other, "2730", "2731")
    assert (at(other, FOOT), at(other, TANK)) == ("2729", "2731")


@pytest.mark.rule("na41", "27.5.4c")
def test_who_disengages_stays_out_of_zones() -> None:
    s = fight([TANK, "AL_TR1"], attackers={"GE_I5_5L": WEST, "GE_II5_5L": "2628"})
    s.active = ALLIED
    assert against(s, U(TANK), search.DISENGAGING, (H(ORIGIN),), H("2728")) == "27.5.4c"
    s.stack.append(REST)
    retreats.begin(s, units(TANK), H(ORIGIN), search.DISENGAGING)
    start(s)
    assert s.stack[-1][0] == F_RETREAT_UNIT
    assert at(s, TANK) == "2827"
    assert at(s, "AL_TR1") == ORIGIN
    assert "halt" in texts(s)
    do(s, "halt")
    assert over(s)
    assert order(s, TANK) == "good"  # 27.5.4b its owner chooses
    assert GAME.invariants(s) == []


@pytest.mark.rule("na41", "27.5.4c")
def test_no_disengagement_through_a_zone() -> None:
    s = fight(TANK, attackers={"GE_I5_5L": "2826", "GE_II5_5L": "2626", "GE_I8": "2729"})
    assert search.way_exists(s, U(TANK), 2, H(ORIGIN), s.fight.defenders)
    assert not search.way_exists(s, U(TANK), search.DISENGAGING, H(ORIGIN), s.fight.defenders)
    rule = search.death(s, U(TANK), search.DISENGAGING, (H(ORIGIN),), 0, s.fight.defenders)
    assert rule == "27.5.4c"


@pytest.mark.rule("na41", "5.8.3")
def test_an_empty_truck_runs_over_nobody() -> None:
    wall = {"GE_I5_5L": "2826", "GE_II5_5L": "2726", "GE_I8": "2626", "GE_II8": "2929", "GE_AA33": "2529"}
    s = fight([TANK, "AL_TR1"], attackers=wall)
    place(s, "AX_TR1", "2728")
    assert search.way_exists(s, U(TANK), 2, H(ORIGIN), s.fight.defenders)
    assert not search.way_exists(s, U("AL_TR1"), 2, H(ORIGIN), s.fight.defenders)


@pytest.mark.rule("na41", "27.3.2e", "13.3.2c")
def test_a_companion_in_full_retreat_keeps_out_of_zones() -> None:
    s = fight(TANK, tag_along=True)
    place(s, "BR_7H", "2728")
    way = (H(ORIGIN), H("2728"))
    assert retreats.keeps_up(s, U("BR_7H"), 1, way, H("2729"), 1)
    s.routed = units("BR_7H")
    assert not retreats.keeps_up(s, U("BR_7H"), 1, way, H("2729"), 1)
    assert retreats.keeps_up(s, U("BR_7H"), 1, way, H("2729"), 0)


@pytest.mark.rule("na41", "27.3.2a", "17.1.2c")
def test_the_guns_of_tobruk_go_along_with_nobody() -> None:
    s = fight(TANK, hex_="3138", attackers={"GE_I5_5L": "2934"}, tag_along=True)
    place(s, ["AL_TOB", "BR_7H"], "3138")
    frame = retreats.frame(U(TANK), 4, 0, (H("3037"), H("3138")), ())
    assert retreats.joinable(s, frame) == units("BR_7H")


@pytest.mark.rule("na41", "27.3.2a", "S1.2d")
def test_nor_do_the_poles_before_turn_11() -> None:
    for turn, found in ((10, units("BR_7H")), (11, units("BR_7H", "PO_CAR"))):
        s = fight(TANK, hex_="2478", attackers={"GE_I5_5L": "2474"}, tag_along=True)
        s.turn = turn
        place(s, ["PO_CAR", "BR_7H"], "2478")
        frame = retreats.frame(U(TANK), 4, 0, (H("2477"), H("2478")), ())
        assert retreats.joinable(s, frame) == found
