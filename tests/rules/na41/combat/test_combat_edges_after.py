"""Where the chapters on combat meet, after the fight: losses, who tags along, fallen ports, groups, whose supply."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import combat as rules
from sandtable.games.na41.combat import disengagement, effects, results, strengths
from sandtable.games.na41.combat.losses import taking_part
from sandtable.games.na41.retreat import displacement, retreats, search, surrender
from sandtable.games.na41.supply import support
from sandtable.games.na41.table.ids import (
    ALLIED,
    AUTO_DS,
    AXIS,
    BREAKTHROUGH,
    COMBAT,
    F_CARRY,
    F_RETREAT_UNIT,
)
from sandtable.games.na41.table.position import eliminate, set_order, touch
from sandtable.games.na41.table.state import State

from .. import advancekit
from ..fights import FIELD, attack, field, force
from ..kit import H, U, at, board, controlled_by, do, empty, hexes, place, start, supplies, texts, units
from ..retreatkit import ORIGIN, REST, fight, forbidden, over, retreat
from .combatedgeskit import RIFLES, TANK, beside_foe, no_attack

rule = pytest.mark.rule


# 15.3a, 18.2 Losses


@rule("na41", "15.3a", "12.3a")
def test_who_retreated_onto_friends_may_be_picked_in_a_breakthrough() -> None:
    for kind, picked in ((COMBAT, units(RIFLES)), (BREAKTHROUGH, units(RIFLES, TANK))):
        s = fight([RIFLES, TANK], kind=kind)
        s.retreated = s.sheltered = units(TANK)
        assert taking_part(s, ALLIED, 0) == picked


@rule("na41", "18.2b")
def test_without_an_88_there_is_no_additional_loss() -> None:
    for name in ("EX", "DRX"):
        s = field("GE_155", ["BR_5R", "NZ_6"])
        attack(s, "GE_155")
        force(s, name)
        do(s, "lose NZ_6")
        assert s.step[U("BR_5R")] == 0
    s = field("NZ_6", ["GE_155", "GE_FL33"], active="allied")
    place(s, "BR_5R", "1944")
    set_order(s, U("GE_FL33"), 2)  # 13.3.2f in Full Retreat it takes no part
    attack(s, "NZ_6", "BR_5R")
    force(s, "EX")
    assert "lose BR_5R" in texts(s)
    do(s, "lose NZ_6")
    assert s.step[U("BR_5R")] == 0


# 27.3.1 Who does not tag along


@rule("na41", "27.3.1a", "8.9.1d", "21.1.5b")
@pytest.mark.parametrize("mark", ["auto", "shipped", ""])
def test_units_under_auto_ds_and_transport_markers_do_not_tag_along(mark: str) -> None:
    s = advancekit.prepared(
        {advancekit.WEST: advancekit.TANK}, others={advancekit.WEST: advancekit.GUNNERS}, tag_along=True
    )
    if mark:
        setattr(s, mark, units(advancekit.GUNNERS))
    advancekit.advance(s, {advancekit.WEST: advancekit.TANK})
    advancekit.plod(s)
    assert bool(advancekit.steps(s, advancekit.GUNNERS)) is not bool(mark)
    assert advancekit.steps(s, advancekit.TANK)


@rule("na41", "17.1.2c", "27.3.1a")
def test_the_tobruk_asu_does_not_tag_along() -> None:
    asu = board.units[board.tobruk_asu]
    s = advancekit.prepared(
        {advancekit.WEST: TANK}, others={advancekit.WEST: [asu, RIFLES]}, active="allied", tag_along=True
    )
    advancekit.advance(s, {advancekit.WEST: TANK})
    advancekit.plod(s)
    assert advancekit.steps(s, RIFLES)
    assert not advancekit.steps(s, asu)
    assert forbidden(s, f"advance {asu} {advancekit.FIELD}") == "17.1.2c"


# 12.5.1e, 8.9.2a Ports that fall long after the fight


@rule("na41", "12.5.1e", "8.9.2a")
def test_who_had_full_supply_when_driven_out_does_not_surrender_when_it_is_cut_later() -> None:
    s = fight(RIFLES, hex_="2946", attackers={"GE_I5_5L": "2945"}, kind=AUTO_DS)
    controlled_by(s, "allied", "2946")
    s.memo["full", ALLIED] = 1 << H("2946")
    retreat(s, 4)
    while not over(s):
        do(s, texts(s)[0])
    effects.begin(s, COMBAT, H(ORIGIN), 0)
    s.memo["full", ALLIED] = 0
    surrender.port_falls(s, H("2946"))
    assert s.at[U(RIFLES)] >= 0


@rule("na41", "15.1b", "5.8.2c")
def test_a_truck_is_taken_for_a_breakthrough_after_an_advance_of_two_hexes() -> None:
    s = advancekit.prepared(
        {advancekit.WEST: [advancekit.ON_FOOT, advancekit.TRUCK]}, {advancekit.EAST: advancekit.FOE}
    )
    advancekit.advance(s, {advancekit.WEST: advancekit.ON_FOOT}, "DR2")
    do(s, f"carry {advancekit.TRUCK} {advancekit.ON_FOOT}")
    assert advancekit.groupable(s) == {advancekit.ON_FOOT}


# 14.5 A carried unit goes where a mechanised one goes


@rule("na41", "14.5b", "14.5d", "5.8.1f")
def test_who_is_carried_forward_goes_like_a_mechanised_unit() -> None:
    def carried(start_: str, vacated: str) -> State:
        s = advancekit.prepared({start_: [advancekit.ON_FOOT, advancekit.TRUCK]})
        advancekit.advance(s, {start_: advancekit.ON_FOOT}, hex_=vacated)
        do(s, f"carry {advancekit.TRUCK} {advancekit.ON_FOOT}")
        return s

    s = carried("3516", "3517")  # into the jebel
    advancekit.march(s, advancekit.ON_FOOT, "3517")
    assert not advancekit.steps(s, advancekit.ON_FOOT)
    s = carried("3820", "3821")  # across an escarpment
    assert "3821" not in advancekit.steps(s, advancekit.ON_FOOT)
    s = advancekit.won({"3820": advancekit.ON_FOOT}, hex_="3821")
    assert "3821" in advancekit.steps(s, advancekit.ON_FOOT)


# 15.2.3, 14.4a, 15.2.4 Groups


@rule("na41", "15.2.3a")
def test_a_group_may_fill_a_hex_to_the_limit() -> None:
    full = ["GE_104_15", "GE_115", "GE_K15", "GE_I8"]  # five points and a silhouette
    s = advancekit.won({advancekit.WEST: [*full, "GE_AA33"]}, foes={advancekit.EAST: advancekit.FOE}, grouping=True)
    do(s, *(f"group {name}" for name in full))
    assert s.group == units(*full)  # nobody else could join, so it is settled


@rule("na41", "15.2.3c")
def test_italians_alone_break_through_without_comando_supremo() -> None:
    stack = {advancekit.WEST: ["IT_VII", "IT_8B"]}
    s = advancekit.won(stack, foes={advancekit.EAST: advancekit.FOE}, grouping=True)
    assert s.comando == 0
    do(s, "group IT_VII")
    assert advancekit.groupable(s) == {"IT_8B"}


@rule("na41", "15.2.4a", "14.5d", "14.3")
def test_a_stack_that_cannot_enter_the_vacated_hex_may_be_a_group() -> None:
    stack = {"3820": [advancekit.GUNNERS, "GE_MG2_5L"]}  # an escarpment lies between 3820 and 3821
    s = advancekit.prepared(stack, {"3822": advancekit.FOE})
    advancekit.advance(s, stack, hex_="3821")
    do(s, f"group {advancekit.GUNNERS}")
    assert advancekit.groupable(s) == {"GE_MG2_5L"}


@rule("na41", "14.4a", "15.2.1b")
def test_a_group_does_not_slip_past_an_enemy_unit_nor_into_it() -> None:
    """An enemy north of the group: the hexes beside both of them are closed, the vacated one is not."""
    stack = {advancekit.WEST: [advancekit.TANK, advancekit.GUNNERS]}
    s = advancekit.won(stack, foes={"2043": advancekit.FOE, advancekit.EAST: advancekit.OTHER_FOE}, grouping=True)
    advancekit.group(s, advancekit.TANK, advancekit.GUNNERS)
    shut = board.around[H("2043")] & board.around[H(advancekit.WEST)]
    assert hexes(shut) == {advancekit.NORTH_WEST, "1943"}
    assert advancekit.ways(s) == {advancekit.FIELD, "1843", advancekit.SOUTH_WEST}
    assert forbidden(s, "to 1943 normal") == "14.4a"
    assert forbidden(s, "to 2043 normal") == "14.5a"


# 8.5.3a Overwhelming odds that the defender could still bring down


@rule("na41", "8.5.3a", "8.3c")
@pytest.mark.parametrize("guns", [True, False])
def test_at_ten_to_one_supply_is_offered_only_if_the_defender_can_answer(guns: bool) -> None:
    force_ = ["GE_I5_5L", "GE_II5_5L", "GE_MG8_5L", "GE_MG2_5L"]
    s = field(force_, RIFLES)  # 22 to 3 and three shifts
    if guns:
        place(s, "AL_7M", "1947")
    supplies(s, "axis", "1943")
    found = strengths.reckon(s, COMBAT, H("1945"), units(*force_))
    assert found.column == 10
    attack(s, *force_)
    assert ("no-supply" in texts(s)) is guns


# 15.2.13a Dropping


@rule("na41", "15.2.13a")
def test_a_group_of_one_drops_nobody() -> None:
    s = beside_foe()
    assert f"leave {advancekit.TANK}" in texts(s)
    do(s, f"leave {advancekit.GUNNERS}")
    assert not [text for text in texts(s) if text.startswith("leave")]
    assert forbidden(s, f"leave {advancekit.TANK}") == "15.2.13a"


# 8.5, 9.4, 17.3 Whose supply, and how far


def armed() -> State:
    """An attack on New Zealanders that has use for attack supply."""
    return field(["GE_I5_5L", "GE_155"], "NZ_6")


def sources(s: State) -> set[str]:
    """The ways to pay for the attack that are offered."""
    attack(s, "GE_I5_5L", "GE_155")
    if "no-artillery" in texts(s):
        do(s, "no-artillery")
    return {text for text in texts(s) if text.startswith("supply-")}


@rule("na41", "17.3", "8.5.1d", "9.4.1a")
def test_a_range_is_traced_and_not_measured() -> None:
    s = armed()
    supplies(s, "axis", "1942")
    place(s, "GE_ARKO", "1941")
    assert sources(s) == {"supply-sp 1942", "supply-asu GE_ARKO"}
    s = armed()
    supplies(s, "axis", "1942")
    place(s, "GE_ARKO", "1941")
    place(s, ["BR_2R", "BR_5R"], "1943")  # in the way, and their zone around them
    place(s, "BR_6R", "2142")
    place(s, "BR_1R", "1742")
    assert sources(s) == set()
    assert not [text for text in texts(s) if text.startswith("artillery")]


@rule("na41", "8.5.1b", "9.4.1b", "17.2.4c")
def test_nobody_uses_the_enemys_artillery_or_trucks() -> None:
    s = armed()
    place(s, ["AL_7M", "BR_3H"], "1947")
    place(s, "BR_7H", "1946")
    place(s, "AL_TR1", "1946", msu=True)
    assert support.suppliers(s, AXIS) == 0
    assert support.suppliers(s, ALLIED) == units("AL_7M", "AL_TR1")
    assert not support.gun_actions(s, AXIS, board.grid.all, units("GE_155"))
    assert sources(s) == set()


@rule("na41", "17.2.1e")
def test_an_asu_elsewhere_lends_an_sp_no_range() -> None:
    s = armed()
    supplies(s, "axis", "1940")  # four hexes away
    place(s, "GE_ARKO", "1943", depleted=True)
    supplies(s, "axis", "1943")  # so that it could use one itself
    assert support.ranges_of_sp(s, AXIS, H("1940")) == [(H("1940"), 3, support.ANY_NATION)]
    assert sources(s) == {"supply-sp 1943"}


@rule("na41", "8.5.1c", "8.5.2a")
def test_what_an_italian_asu_has_paid_for_covers_no_germans() -> None:
    s = armed()
    s.supplies = [(H("1943"), 5, board.nation[U("IT_5A")])]
    hexes_ = 1 << H("1944")
    assert not support.covered(s, hexes_, units("GE_I5_5L"))
    assert support.covered(s, hexes_, units("GE_I5_5L", "IT_VII"))


# 27.5.3, 12.5.1d


@rule("na41", "27.5.3a", "27.5.3d")
def test_slow_units_and_those_with_a_replacement_do_not_roll_to_disengage(monkeypatch: pytest.MonkeyPatch) -> None:
    s = fight([TANK, RIFLES, "BR_7H"], active="allied", disengagement=True)
    assert disengagement.candidates(s) == units(TANK, RIFLES, "BR_7H")

    def crawl(ma: int) -> None:
        monkeypatch.setattr(board, "ma", (*board.ma[: U(TANK)], (ma, ma), *board.ma[U(TANK) + 1 :]))
        touch(s)

    crawl(2)
    assert disengagement.candidates(s) & units(TANK)
    crawl(1)
    s.refreshed = units("BR_7H")
    touch(s)
    assert disengagement.candidates(s) == units(RIFLES)
    reason = disengagement.ROLLING.why(U(TANK), s, None, {"unit": U(TANK)})
    assert reason is not None
    assert reason.rule == "27.5.3a"
    s.group = units(RIFLES)
    assert not disengagement.mates(s) & disengagement.candidates(s)


@rule("na41", "12.5.1d", "16.2b")
def test_who_is_fed_by_a_port_is_eliminated_and_does_not_surrender() -> None:
    for fed in (True, False):
        s = fight(RIFLES)
        s.memo["full", ALLIED] = 0
        s.memo["claimants", ALLIED] = {U(RIFLES): 1 << H("3138")} if fed else {}
        surrender.perish(s, U(RIFLES), "12.2.1d")
        assert at(s, RIFLES) == ("eliminated" if fed else "surrender_left")


@rule("na41", "8.9.1a", "9.6c")
def test_an_attack_downhill_may_come_to_ten_to_one_though_its_printed_strength_is_far_from_it() -> None:
    s = empty("axis", "movement")
    s.rommel = 0
    place(s, "GE_I5_5L", "1609", "reduced")  # 4, doubled down the ridge, and two tank shifts
    place(s, "BR_KDG", "1509")
    assert H("1509") in rules.targets(s, AUTO_DS)
    place(s, "GE_I5_5L", "1508", "reduced")  # on the level
    assert H("1509") not in rules.targets(s, AUTO_DS)


@rule("na41", "8.4.2c")
def test_three_tanks_at_most_those_that_have_joined_among_them() -> None:
    s = empty("allied", "combat")
    tanks = ["BR_3H", "BR_7H", "BR_2R", "BR_1R"]
    place(s, [*tanks, "BR_2RB"], "1944")
    found = rules.largest(s, units("BR_3H"), units(*tanks[1:], "BR_2RB"))
    two_of_the_others = [units(*tanks[1:]) & ~units(left_out) for left_out in tanks[1:]]
    assert sorted(found) == sorted(units("BR_3H", "BR_2RB") | others for others in two_of_the_others)


@rule("na41", "14.1a")
def test_an_attacker_who_died_does_not_advance() -> None:
    s = empty("axis", "combat")
    place(s, ["GE_I5_5L", "GE_II5_5L"], "1944")
    effects.begin(s, COMBAT, H("1945"), units("GE_I5_5L", "GE_II5_5L"))
    s.fight.result = results.cell("A1/D1")
    eliminate(s, U("GE_II5_5L"), "10.1e")
    effects.follow_up(s)
    assert s.advancing == units("GE_I5_5L")


@rule("na41", "27.5.4b", "12.5.1b")
def test_a_disengagement_is_no_second_retreat_that_anybody_forced() -> None:
    s = empty("allied", "combat", disengagement=True)
    place(s, "BR_1DLI", "2727")
    place(s, "GE_I5_5L", "2726")
    s.retreated = units("BR_1DLI")
    s.stack.append(REST)
    retreats.begin(s, units("BR_1DLI"), H("2727"), search.DISENGAGING)
    start(s)
    assert at(s, "BR_1DLI") == "2727"
    assert s.stack[-1][:2] == (F_RETREAT_UNIT, U("BR_1DLI"))


@rule("na41", "5.8.2c", "12.1.5b", "13.3.2g")
@pytest.mark.parametrize("moment", [retreats.BEFORE_RETREAT, retreats.BEFORE_ADVANCE, retreats.BEFORE_DISPLACEMENT])
def test_trucks_carry_only_those_who_go(moment: int) -> None:
    s = empty("axis", "combat")
    place(s, ["IT_27", "IT_28", "IT_39", "AX_TR1"], "1944")
    s.retreating, s.advancing, s.routed = units("IT_27", "AX_TR1"), units("IT_28"), units("IT_39")
    start(s, REST, (F_CARRY, AXIS, moment, H("1944")))
    who = ("IT_27", "IT_28", "IT_39")[moment]
    assert texts(s) == [f"carry AX_TR1 {who}", "no-carry"]


@rule("na41", "12.1.5b", "27.5.4b")
def test_a_truck_that_stays_carries_nobody_away() -> None:
    s = empty("axis", "combat")
    place(s, ["IT_27", "AX_TR1"], "1944")
    s.retreating = units("IT_27")  # it disengages alone
    start(s, REST, (F_CARRY, AXIS, retreats.BEFORE_RETREAT, H("1944")))
    assert over(s)


@rule("na41", "12.1.1a", "13.3.2e")
def test_a_friend_on_the_way_shortens_only_the_way_of_those_in_full_retreat() -> None:
    for errand, ends in ((2, False), (displacement.DISPLACED, True)):
        s = fight(TANK)
        place(s, "BR_7H", "2728")
        found = search.Search(s, U(TANK), errand, (H(ORIGIN), H("2728")), 0, s.fight.defenders)
        assert found.ends_here(found.spot(0)) is ends


# 8.1a Why a hex is not attacked


@rule("na41", "8.1a", "13.2.1b")
def test_the_reason_is_that_of_a_unit_which_could_attack_at_all() -> None:
    s = field(["GE_ARKO", "GE_155"], "NZ_6")
    set_order(s, U("GE_155"), 1)
    assert no_attack(s, H(FIELD)) == "13.2.1b"
    place(s, "GE_155", "1503")
    assert no_attack(s, H(FIELD)) == "2.3.2a"
