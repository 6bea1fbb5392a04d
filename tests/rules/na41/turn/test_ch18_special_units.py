"""18.1 to 18.4, 18.6 to 18.7.4 Special units and air power in combat."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.na41.combat.combat import begin_fight
from sandtable.games.na41.supply.support import AIR, SHIFT, Help, air_assets, air_range, outflown, superiority
from sandtable.games.na41.table.ids import AIR_ALLIED, AIR_GERMAN, AIR_ITALIAN, ALLIED, AUTO_DS, AXIS
from sandtable.games.na41.table.state import State

from ..fights import FIELD, WEST, attack, combat, decline, field, force, give_way, of, shifts
from ..kit import GAME, H, U, at, board, controlled_by, do, mask, of_kind, place, supplies, texts, units, why

# 18.1 Reconnaissance


@pytest.mark.rule("na41", "18.1a")
@pytest.mark.parametrize("result", ["D1", "DS r"])
def test_reconnaissance_units_alone_ignore_the_step_loss_but_not_the_retreat(result: str) -> None:
    s = field(["GE_155", "GE_361"], ["BR_KDG", "BR_11H"])
    attack(s, "GE_155", "GE_361")
    events = force(s, result)
    assert of_kind(events, "loss_ignored")
    assert at(s, "BR_KDG") == at(s, "BR_11H") == FIELD
    give_way(s)
    assert FIELD not in (at(s, "BR_KDG"), at(s, "BR_11H"))
    assert s.at[U("BR_KDG")] >= 0
    s = field(["GE_155", "GE_361"], ["BR_KDG", "BR_THR"])  # A46
    attack(s, "GE_155", "GE_361")
    force(s, result)
    assert texts(s) == ["lose BR_KDG", "lose BR_THR"]


@pytest.mark.rule("na41", "18.1a")
def test_an_auto_ds_costs_lone_reconnaissance_units_no_step() -> None:
    s = field(["GE_I5_5L", "GE_361"], "BR_KDG")
    s.stack = []
    begin_fight(s, AUTO_DS, H(FIELD), units("GE_I5_5L", "GE_361"))
    s.events = []
    GAME.settle(s)
    assert s.fight.result >= 0
    assert s.at[U("BR_KDG")] >= 0
    assert s.losses == [0, 0]


@pytest.mark.rule("na41", "18.1b")
@pytest.mark.parametrize("result", ["EX", "DRX", "A1/D1"])
def test_other_results_cost_reconnaissance_units_their_step(result: str) -> None:
    s = field("GE_155", ["BR_KDG", "BR_11H"])
    attack(s, "GE_155")
    force(s, result)
    assert texts(s) == ["lose BR_KDG", "lose BR_11H"] or texts(s) == ["lose BR_11H", "lose BR_KDG"]


# 18.2 88mm Flak


@pytest.mark.rule("na41", "18.2a")
def test_an_88_negates_the_shift_of_allied_tanks_in_attack_and_defence() -> None:
    s = field(["BR_7R", "BR_1KRRC"], ["GE_155", "GE_FL33"], "allied")
    assert shifts(of(s, "BR_7R")) == {}
    place(s, "GE_FL33", "1960")
    assert shifts(of(s, "BR_7R")) == {"9.2.3b": 2}
    s = field(["GE_155", "GE_FL33"], "BR_7R")
    assert shifts(of(s, "GE_155", "GE_FL33")) == {}


@pytest.mark.rule("na41", "18.2b", "10.1m", "10.1h", "10.1i")
@pytest.mark.parametrize("result", ["EX", "DRX"])
def test_with_an_88_the_attacking_allies_lose_a_tank_step_more(result: str) -> None:
    """A22: picked by the Allied player before the Axis loss is picked."""
    s = field(["BR_5R", "BR_7R", "NZ_6"], ["GE_155", "GE_FL33"], "allied")
    attack(s, "BR_5R", "BR_7R", "NZ_6")
    force(s, result)
    assert (GAME.to_act(s), sorted(texts(s))) == (ALLIED, ["lose BR_5R", "lose BR_7R"])
    assert why(s, "lose NZ_6").rule == "18.2b"  # type: ignore[union-attr]
    do(s, "lose BR_5R")
    assert (GAME.to_act(s), sorted(texts(s))) == (ALLIED, ["lose GE_155", "lose GE_FL33"])  # the opponent picks
    do(s, "lose GE_155")
    assert (GAME.to_act(s), len(texts(s))) == (AXIS, 3)  # the normal loss of the Allies
    do(s, "lose NZ_6")
    assert (s.step[U("BR_5R")], s.step[U("NZ_6")], s.step[U("GE_155")]) == (1, 1, 1)


@pytest.mark.rule("na41", "18.2b", "13.3.2f")
def test_an_88_in_full_retreat_takes_no_part() -> None:
    s = field(["BR_5R", "NZ_6"], ["GE_155", "GE_FL33"], "allied")
    place(s, "GE_FL33", FIELD, routed=True)
    attack(s, "BR_5R", "NZ_6")
    force(s, "EX")  # nobody else is there to lose the Axis step
    assert (s.step[U("GE_155")], s.step[U("BR_5R")]) == (1, 0)
    assert (GAME.to_act(s), sorted(texts(s))) == (AXIS, ["lose BR_5R", "lose NZ_6"])


@pytest.mark.rule("na41", "18.2b", "12.3a")
def test_an_88_that_retreated_into_the_hex_takes_no_part() -> None:
    s = field(["BR_5R", "NZ_6"], ["GE_155", "GE_FL33"], "allied")
    attack(s, "BR_5R", "NZ_6")
    s.disrupted = s.retreated = s.sheltered = units("GE_FL33")
    force(s, "EX")
    assert (s.step[U("GE_155")], s.step[U("BR_5R")]) == (1, 0)
    assert (GAME.to_act(s), sorted(texts(s))) == (AXIS, ["lose BR_5R", "lose NZ_6"])


@pytest.mark.rule("na41", "18.2b")
def test_with_an_attacking_88_the_defending_allies_lose_a_tank_step_more() -> None:
    s = field(["GE_155", "GE_FL33"], ["BR_5R", "BR_7R", "NZ_6"])
    attack(s, "GE_155", "GE_FL33")
    before = s.copy()
    before.edition = 1
    force(before, "EX")
    assert GAME.to_act(before) == AXIS  # games of version 1 go on as they were ruled
    force(s, "EX")
    assert (GAME.to_act(s), sorted(texts(s))) == (ALLIED, ["lose BR_5R", "lose BR_7R"])  # A22 before the Axis picks
    do(s, "lose BR_7R")
    assert (GAME.to_act(s), len(texts(s))) == (AXIS, 3)  # the defender's normal loss
    do(s, "lose NZ_6")
    assert (GAME.to_act(s), sorted(texts(s))) == (ALLIED, ["lose GE_155", "lose GE_FL33"])
    do(s, "lose GE_FL33")
    assert (s.step[U("BR_7R")], s.step[U("NZ_6")]) == (1, 1)
    for other in ("A1/D1", "D1", "DS"):  # no other result
        s = field(["GE_155", "GE_FL33"], ["BR_5R", "BR_7R", "NZ_6"])
        attack(s, "GE_155", "GE_FL33")
        force(s, other)
        do(s, "lose NZ_6")
        assert "lose BR_5R" not in texts(s)


@pytest.mark.rule("na41", "18.2c")
def test_without_allied_tanks_there_is_no_additional_loss() -> None:
    s = field(["GE_155", "GE_FL33"], ["NZ_6", "BR_22G"])
    attack(s, "GE_155", "GE_FL33")
    force(s, "EX")
    do(s, "lose NZ_6")
    assert sorted(texts(s)) == ["lose GE_155", "lose GE_FL33"]
    assert s.step[U("BR_22G")] == 0


# 18.3, 18.4 Artillery groups and the DAK


@pytest.mark.rule("na41", "18.3a")
def test_artillery_groups_give_no_range_to_aircraft() -> None:
    s = combat()
    place(s, "GE_ARKO", "1604")
    controlled_by(s, "allied", "1604")
    assert not air_range(s, AXIS)
    place(s, "GE_DAK", "1604")
    assert air_range(s, AXIS) >> H("1604") & 1


@pytest.mark.rule("na41", "18.3b")
def test_an_artillery_group_gives_a_shift_or_attack_supply_for_a_flip_or_an_sp() -> None:
    s = field(["GE_I5_5L", "GE_155"], "NZ_6")
    place(s, "GE_ARKO", "1943")
    supplies(s, "axis", "1943")
    attack(s, "GE_I5_5L", "GE_155")
    assert texts(s) == ["artillery GE_ARKO", "artillery-sp GE_ARKO", "no-artillery"]
    other = s.copy()
    do(s, "artillery GE_ARKO")
    assert s.depleted == units("GE_ARKO")
    assert texts(s) == ["supply-sp 1943", "no-supply"]
    do(other, "artillery-sp GE_ARKO")
    assert texts(other) == ["supply-asu GE_ARKO", "no-supply"]


@pytest.mark.rule("na41", "17.2.1e", "17.1.3a")
def test_an_sp_has_range_three_alone_and_the_range_of_an_asu_with_one() -> None:
    for asu, offered in ((None, False), ("GE_ARKO", True), ("IT_5A", False)):  # the guns help their own nation
        s = field(["GE_I5_5L", "GE_155"], "NZ_6")
        supplies(s, "axis", "1940")  # four hexes from the attackers
        if asu:
            place(s, asu, "1940", depleted=True)
        attack(s, "GE_I5_5L", "GE_155")
        if "no-artillery" in texts(s):
            do(s, "no-artillery")
        assert ("supply-sp 1940" in texts(s)) is offered, asu


@pytest.mark.rule("na41", "17.1.5")
def test_an_asu_out_of_supply_gives_what_it_has_on_its_ready_side() -> None:
    for depleted, offered in ((False, True), (True, False)):
        s = field("GE_155", "BR_22G")
        place(s, "GE_ARKO", "1943", oos=True, depleted=depleted)
        supplies(s, "axis", "1943")
        attack(s, "GE_155")
        assert ("artillery-sp GE_ARKO" in texts(s)) is offered


@pytest.mark.rule("na41", "17.2.4b", "17.2.4c")
def test_an_msu_supplies_an_attack_within_five_hexes_and_is_a_truck_again() -> None:
    for hex_, offered in (("1939", True), ("1938", False)):
        s = field(["GE_I5_5L", "GE_155"], "NZ_6")
        place(s, "AX_TR1", hex_, msu=True)
        attack(s, "GE_I5_5L", "GE_155")
        assert ("supply-asu AX_TR1" in texts(s)) is offered
        if offered:
            do(s, "supply-asu AX_TR1")
            assert (s.msu, at(s, "AX_TR1")) == (0, hex_)
            assert s.fight.supplied
    s = field(["GE_I5_5L", "GE_155"], "NZ_6")
    place(s, "AX_TR1", "1943", msu=True)
    s.shipped = units("AX_TR1")
    attack(s, "GE_I5_5L", "GE_155")
    assert GAME.to_act(s) == CHANCE


@pytest.mark.rule("na41", "5.9.1i")
def test_an_sp_under_a_transport_marker_cannot_be_spent() -> None:
    s = field(["GE_I5_5L", "GE_155"], "NZ_6")
    supplies(s, "axis", "1943")
    s.sp_held[AXIS] = {H("1943"): 1}
    attack(s, "GE_I5_5L", "GE_155")
    assert GAME.to_act(s) == CHANCE


@pytest.mark.rule("na41", "18.4", "17.1.1b", "17.1.1c")
def test_the_dak_gives_attack_supply_only() -> None:
    s = field(["GE_I5_5L", "GE_155"], "NZ_6")
    place(s, "GE_DAK", "1943")
    supplies(s, "axis", "1943", 2)
    attack(s, "GE_I5_5L", "GE_155")
    assert "supply-asu GE_DAK" in texts(s)
    do(s, "supply-sp 1943")
    assert GAME.to_act(s) == CHANCE  # no artillery
    s = field("GE_155", "NZ_6")
    place(s, ["GE_DAK", "GE_ARKO"], "1943")
    attack(s, "GE_155")
    assert why(s, "artillery GE_DAK").rule == "18.4"  # type: ignore[union-attr]


# 18.6 Air superiority


@pytest.mark.rule("na41", "18.6a")
def test_the_turn_track_says_who_has_air_superiority() -> None:
    for turn, side in ((1, AXIS), (7, -1), (17, ALLIED)):
        s = combat(turn=turn)
        assert superiority(s) == side
        assert outflown(s, ALLIED) is (side == AXIS)
        assert outflown(s, AXIS) is (side == ALLIED)


def skies(active: str, turn: int) -> State:
    """A fight near Tobruk with every air support marker ready; both sides have bases in full supply."""
    s = combat(active, turn)
    ours, theirs = (["GE_155", "IT_61"], ["NZ_6"]) if active == "axis" else (["NZ_6"], ["GE_155", "IT_61"])
    place(s, ours, WEST)
    place(s, theirs, FIELD)
    place(s, "AL_XIII", "1950")
    place(s, ["GE_DAK", "IT_X"], "1940", depleted=True)
    s.assets[AIR_GERMAN] = s.assets[AIR_ITALIAN] = s.assets[AIR_ALLIED] = 1
    s.memo = {}
    return s


def full_everywhere(s: State) -> None:
    """Let both sides be in full supply everywhere, for as long as the position does not change."""
    s.memo["full", AXIS] = s.memo["full", ALLIED] = s.board.land | s.board.box_mask


@pytest.mark.rule("na41", "18.6c", "18.7.4b", "18.6d")
def test_without_superiority_there_is_no_air_support_in_defence() -> None:
    for turn, allied_defence in ((1, False), (7, True), (17, True)):
        s = skies("axis", turn)
        full_everywhere(s)
        assert air_assets(s, AXIS, H(FIELD), units("GE_155")) == [AIR_GERMAN]  # in attack everybody
        assert air_assets(s, ALLIED, H(FIELD), units("NZ_6")) == ([AIR_ALLIED] if allied_defence else [])
    for turn, axis_defence in ((1, True), (7, True), (17, False)):
        s = skies("allied", turn)
        full_everywhere(s)
        assert air_assets(s, ALLIED, H(FIELD), units("NZ_6")) == [AIR_ALLIED]
        assert bool(air_assets(s, AXIS, H(FIELD), units("GE_155", "IT_61"))) is axis_defence


# 18.7 Air units


@pytest.mark.rule("na41", "18.7.1b")
def test_there_are_one_italian_one_german_and_two_allied_markers() -> None:
    count = {row["code"]: row["markers_total"] for row in board.pack.tables["asset"]}
    found = [count[f"air_support_{nation}"] for nation in ("italian", "german", "allied")]
    assert found == [1, 1, 2]


@pytest.mark.rule("na41", "18.7.2")
def test_air_support_can_be_saved() -> None:
    s = field("GE_155", "NZ_6")
    place(s, "AL_XIII", "2378")
    s.assets[AIR_ALLIED] = 1
    attack(s, "GE_155")
    decline(s)
    assert s.assets[AIR_ALLIED] == 1


@pytest.mark.rule("na41", "18.7.3")
def test_air_support_reaches_sixteen_hexes_from_a_supplied_base() -> None:
    """A30."""
    s = combat("allied")
    controlled_by(s, "axis", "2365", "2851", "3041", "3212", "3629")
    assert not air_range(s, ALLIED)
    controlled_by(s, "allied", "2365")  # Fuka, in full supply along the coast
    fuka = board.grid.within(H("2365"), 16)
    assert air_range(s, ALLIED) == fuka
    place(s, "GE_155", "2366")  # the road is cut, east of Fuka
    place(s, "GE_361", "2265")
    place(s, "GE_288", "2364")
    s.control |= mask("2365")
    assert not air_range(s, ALLIED)
    s = combat("allied")
    controlled_by(s, "axis", "2365", "2851", "3041", "3212", "3629")
    place(s, "AL_XIII", "2378")
    assert air_range(s, ALLIED) == board.grid.within(H("2378"), 16)
    s.disrupted = units("AL_XIII")
    s.memo = {}
    assert not air_range(s, ALLIED)  # the HQ must be in Good Order


@pytest.mark.rule("na41", "18.7.3")
def test_a_base_without_full_supply_is_none() -> None:
    s = combat("allied")
    controlled_by(s, "axis", "2365", "2851", "3041", "3212", "3629")
    place(s, "AL_XIII", "1025")  # deep in the desert
    assert not air_range(s, ALLIED)
    place(s, "AL_7M", "2378")
    assert not air_range(s, ALLIED)  # no corps HQ


@pytest.mark.rule("na41", "18.7.4a", "9.7b", "18.7.1a", "23.2.3c")
def test_air_support_is_one_shift_in_one_combat() -> None:
    s = combat()
    place(s, "GE_155", "2463")
    place(s, "NZ_6", "2364")
    place(s, "GE_OASIS", "1503")
    s.assets[AIR_ALLIED] = 2
    attack(s, "GE_155", hex_="2364")
    assert texts(s) == ["air air_support_allied", "air none"]
    t = s.copy()
    events = do(s, "air air_support_allied")
    assert s.assets[AIR_ALLIED] == 1
    assert of_kind(events, "air_support")[0].data["asset"] == AIR_ALLIED
    do(t, "air none")
    assert s.fight.column == t.fight.column - 1
    assert t.assets[AIR_ALLIED] == 2
    assert GAME.to_act(s) == CHANCE


@pytest.mark.rule("na41", "18.7.4a", "9.7b")
def test_air_support_in_attack_shifts_to_the_right() -> None:
    s = combat("allied")
    place(s, "NZ_6", "2364")
    place(s, "GE_155", "2463")
    s.assets[AIR_ALLIED] = 1
    attack(s, "NZ_6", hex_="2463")
    do(s, "air air_support_allied")
    assert s.fight.column == s.fight.base_column + 1


@pytest.mark.rule("na41", "18.7.4c")
def test_axis_air_support_comes_for_its_own_nation() -> None:
    s = skies("axis", 7)
    full_everywhere(s)
    assert air_assets(s, AXIS, H(FIELD), units("GE_155")) == [AIR_GERMAN]
    assert air_assets(s, AXIS, H(FIELD), units("IT_61")) == [AIR_ITALIAN]
    assert air_assets(s, AXIS, H(FIELD), units("GE_155", "IT_61")) == [AIR_GERMAN, AIR_ITALIAN]
    assert air_assets(s, ALLIED, H(FIELD), units("CZ_11")) == [AIR_ALLIED]


@pytest.mark.rule("na41", "18.7.4a")
def test_the_reasons_why_no_aircraft_come() -> None:
    def rule(side: int, asset: int, units_: int) -> str:
        reason = AIR[SHIFT].why(asset, s, Help(side, 1 << target, units_), {"asset": asset, "hex": target})
        return reason.rule if reason is not None else ""

    s = field("GE_155", "BR_22G")
    place(s, "GE_ARKO", "1943")
    target, ours = H(FIELD), units("GE_155")
    assert rule(AXIS, AIR_ALLIED, ours) == "18.7.4a"
    assert rule(AXIS, AIR_GERMAN, ours) == "18.7.1a"
    s.assets[AIR_GERMAN] = s.assets[AIR_ITALIAN] = s.assets[AIR_ALLIED] = 1
    assert rule(AXIS, AIR_ITALIAN, ours) == "18.7.4c"
    assert rule(AXIS, AIR_GERMAN, ours) == "18.7.3"
    s.turn = 1
    assert rule(ALLIED, AIR_ALLIED, units("BR_22G")) == "18.6c"
