"""Where the chapters on combat meet: second attacks, second retreats, surrender, breakthroughs, the odds panel."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import combat as rules
from sandtable.games.na41.combat import disengagement, effects, results, strengths
from sandtable.games.na41.combat.losses import taking_part
from sandtable.games.na41.retreat import displacement, retreats, search, surrender
from sandtable.games.na41.supply import support
from sandtable.games.na41.table import zones
from sandtable.games.na41.table.ids import (
    ALLIED,
    ASIDE,
    AUTO_DS,
    AXIS,
    BREAKTHROUGH,
    COMBAT,
    F_CARRY,
    F_RETREAT_UNIT,
    TAG_ALONG,
)
from sandtable.games.na41.table.position import eliminate, put, set_order, touch
from sandtable.games.na41.table.state import State

from . import advancekit
from .fights import FIELD, attack, field, force
from .kit import GAME, H, U, at, board, controlled_by, do, empty, hexes, of_kind, place, start, supplies, texts, units
from .retreatkit import ORIGIN, REST, WEST, fight, forbidden, go, order, over, retreat
from .turnkit import moving

TANK, RIFLES = "BR_3H", "BR_THR"
REFUGE = "2729"
"""Two hexes east of ORIGIN."""
rule = pytest.mark.rule


def no_attack(s: State, h: int) -> str:
    """The rule against attacking a hex now."""
    reason = rules.AGAINST[COMBAT].why(h, s, rules.declaring(s, COMBAT), {"hex": h})
    return "" if reason is None else reason.rule


# 8.1c, 12.3 Who has retreated, and who has been attacked


@rule("na41", "12.3a")
@pytest.mark.parametrize("friends", [True, False])
def test_who_retreats_into_an_empty_hex_defends_there(friends: bool) -> None:
    """The unit was driven back by a breakthrough combat: fresh attackers may attack it again (8.1h)."""
    s = fight(TANK)
    if friends:
        place(s, RIFLES, REFUGE)
    retreat(s)
    go(s, "2728", REFUGE)
    assert over(s)
    assert at(s, TANK) == REFUGE
    counts = bool(strengths.fighting(s, H(REFUGE), COMBAT) >> U(TANK) & 1)
    assert counts is not friends
    s.fight.target, s.fight.defenders, s.fight.kind = H(REFUGE), units(TANK, RIFLES), COMBAT
    assert bool(taking_part(s, ALLIED, 0) & units(TANK)) is not friends
    s.events = retreat(s)
    if friends:  # 12.3b
        assert at(s, TANK) == "eliminated"
    else:  # 13.1.3b
        go(s, "2730", "2731")
        assert (at(s, TANK), order(s, TANK)) == ("2731", "full retreat")


@rule("na41", "12.3a")
def test_a_stack_that_retreats_together_is_no_refuge_for_itself() -> None:
    s = fight([TANK, RIFLES])
    retreat(s)
    go(s, "2728", REFUGE, "2728", REFUGE)
    assert over(s)
    assert strengths.fighting(s, H(REFUGE), COMBAT) == units(TANK, RIFLES)
    s = fight(TANK, tag_along=True)
    place(s, [RIFLES, "BR_7H"], "2728")
    retreat(s)
    go(s, "2728")
    do(s, f"join {RIFLES}", "join BR_7H")
    go(s, REFUGE)
    while not over(s):
        do(s, "halt")
    assert strengths.fighting(s, H(REFUGE), COMBAT) == units(TANK, RIFLES, "BR_7H")


@rule("na41", "8.1c", "12.3a")
def test_a_stack_that_was_attacked_is_not_attacked_again_because_somebody_joined_it() -> None:
    s = fight(RIFLES, attackers={"GE_I5_5L": WEST, "GE_II5_5L": WEST})
    assert H(ORIGIN) in rules.targets(s, COMBAT)
    s.defended = units(RIFLES)
    assert H(ORIGIN) not in rules.targets(s, COMBAT)
    place(s, TANK, ORIGIN, disrupted=True)  # it came along with somebody's retreat and was never attacked
    s.retreated = s.sheltered = units(TANK)
    assert H(ORIGIN) not in rules.targets(s, COMBAT)
    assert no_attack(s, H(ORIGIN)) == "8.1c"
    s.defended = units(TANK)  # the other way round: fresh troops took up those who had been attacked
    assert H(ORIGIN) in rules.targets(s, COMBAT)
    s.sheltered = 0
    assert H(ORIGIN) not in rules.targets(s, COMBAT)


# 12.5.3, 10.2.2c Voluntary surrender


@rule("na41", "12.5.3", "10.2.2c", "27.1a")
def test_the_trucks_of_a_stack_that_gives_itself_up_are_lost_or_taken() -> None:
    s = empty("allied", "movement", truck_capture=True)
    put(s, U("AX_CT1"), ASIDE)
    place(s, [TANK, RIFLES, "AL_TR1", "BR_RT1"], ORIGIN)
    moving(s)
    do(s, f"move {TANK}", f"surrender {TANK}")
    assert at(s, "AL_TR1") == ORIGIN  # somebody is still there to protect it
    assert s.actor == ALLIED
    do(s, f"move {RIFLES}", f"surrender {RIFLES}")
    assert (at(s, TANK), at(s, RIFLES)) == ("surrender_left", "surrender_left")
    assert (at(s, "AL_TR1"), at(s, "BR_RT1")) == ("eliminated", "replacement_pool")
    assert s.actor == AXIS
    assert texts(s) == ["capture AX_CT1", "no-capture"]
    do(s, "capture AX_CT1")
    assert at(s, "AX_CT1") == ORIGIN
    assert s.actor == ALLIED  # whose Movement Phase goes on
    assert "end-moves" in texts(s)


# 12.2.1, 27.3.2 Who tags along is of the retreating stack


def in_company(friend: str) -> State:
    """A retreat of four hexes along a row; in its first hex the unit has picked up a friend, and gone two hexes on."""
    s = fight(TANK, tag_along=True)
    place(s, friend, "2728")
    retreat(s, 4)
    go(s, "2728")
    do(s, f"join {friend}")
    go(s, "2729", "2730")
    return s


def threaten(s: State, name: str, hex_: str) -> None:
    """An enemy beside the stack, as one who gave way to it would be (13.3.2e)."""
    place(s, name, hex_)
    s.choices = None


@rule("na41", "12.2.1a", "12.1.3e")
def test_a_companion_negates_no_zone_for_the_stack_with_which_it_retreats() -> None:
    s = in_company(RIFLES)
    threaten(s, "GE_AA33", "2630")
    assert zones.ezoc(s, ALLIED) >> H("2730") & 1
    assert retreats.into_zone(s, retreats.frame(U(TANK), 4, 0, (H(ORIGIN),)), H("2730"))
    place(s, "BR_7H", "2730")  # somebody else does
    assert not retreats.into_zone(s, retreats.frame(U(TANK), 4, 0, (H(ORIGIN),)), H("2730"))


@rule("na41", "12.2.1e", "27.3.2e")
def test_nobody_is_left_behind_alive_in_a_zone() -> None:
    s = in_company("BR_1DLI")
    assert "leave BR_1DLI" in texts(s)
    threaten(s, "GE_AA33", "2629")
    assert zones.ezoc(s, ALLIED) >> H("2730") & 1
    assert "leave BR_1DLI" not in texts(s)
    events = go(s, "2731")
    assert of_kind(events, "eliminated")[0].rule == "12.2.1e"
    assert (at(s, TANK), at(s, "BR_1DLI")) == ("2731", "eliminated")
    s = in_company("BR_1DLI")
    go(s, "2731")
    assert at(s, "BR_1DLI") == "2730"


@rule("na41", "12.2.1a", "13.3.2e")
def test_who_gave_way_is_of_no_retreating_stack_afterwards() -> None:
    s = fight(TANK, tag_along=True)
    place(s, RIFLES, "2728")
    set_order(s, U(TANK), 2)
    s.stack = [REST]
    displacement.check(s, units("GE_I5_5L"))
    start(s)
    go(s, "2728")
    do(s, f"join {RIFLES}")
    assert s.retreating == units(RIFLES)
    go(s, "2729")
    while not over(s):
        do(s, "halt")
    assert s.retreating == 0


@rule("na41", "12.1.5b", "27.5.3d")
def test_the_supply_point_goes_with_a_truck_that_retreats() -> None:
    s = fight([RIFLES, "AL_TR1", "AL_TR2"], active="axis")
    supplies(s, "allied", ORIGIN)
    s.stack = [REST]
    s.retreating, s.fight.origin = units(RIFLES, "AL_TR2"), H(ORIGIN)
    start(s, (F_CARRY, ALLIED, retreats.BEFORE_RETREAT, H(ORIGIN)))
    do(s, "load-sp")
    assert s.msu == units("AL_TR2")


# 9.5.6c, 19.5d, 15.2.8b Breakthroughs


def beside_foe() -> State:
    """A breakthrough group that has come beside an enemy."""
    s = advancekit.won(
        {advancekit.WEST: [advancekit.TANK, advancekit.GUNNERS]},
        foes={advancekit.FAR_EAST: advancekit.FOE},
        grouping=True,
    )
    advancekit.group(s, advancekit.TANK, advancekit.GUNNERS)
    advancekit.to(s, advancekit.FIELD, advancekit.EAST)
    return s


@rule("na41", "9.5.6c", "19.5d")
def test_no_breakthrough_combat_out_of_a_hex_where_nobody_may_attack() -> None:
    s = beside_foe()
    assert advancekit.storms(s) == {advancekit.FAR_EAST}
    s.building[AXIS] = 1 << H(advancekit.EAST)
    touch(s)
    s.choices = None
    assert not advancekit.storms(s)
    assert forbidden(s, f"storm {advancekit.FAR_EAST}") == "9.5.6c"
    s.building[AXIS] = 0
    place(s, "GE_155", advancekit.EAST)
    s.refreshed = units("GE_155")
    s.choices = None
    assert not advancekit.storms(s)
    assert forbidden(s, f"storm {advancekit.FAR_EAST}") == "19.5d"


@rule("na41", "15.2.8b", "8.5.1a")
def test_supply_may_be_bought_for_those_who_could_break_through_later() -> None:
    def offered(ours: list[str], joining: list[str], flags: int, oos: int = 0) -> bool:
        s = field(ours, "NZ_6")
        s.flags, s.oos = flags, oos
        supplies(s, "axis", "1943")
        attack(s, *joining)
        return "no-supply" in texts(s)

    foot, tank = "GE_155", "GE_I5_5L"
    assert not offered([foot], [foot], 0)
    assert not offered([foot, tank], [foot], 0)
    assert offered([foot, tank], [foot], TAG_ALONG)
    assert offered([foot, "GE_361", "GE_288"], [foot], TAG_ALONG)  # ten points between them
    assert not offered([foot, "GE_361"], [foot], TAG_ALONG)
    assert not offered([foot, tank], [foot], TAG_ALONG, oos=units(tank))  # 16.4c it would advance one hex


# 12.4 Giving way is a retreat


@rule("na41", "12.4", "13.3.2e")
def test_who_gives_way_may_stop_in_a_port_or_fortification() -> None:
    for fort in (True, False):
        s = fight(TANK)
        s.forts[ALLIED] = 1 << H("2728") if fort else 0
        set_order(s, U(TANK), 2)
        s.stack = [REST]
        displacement.check(s, units("GE_I5_5L"))
        start(s)
        go(s, "2728")
        assert ("halt" in texts(s)) is fort
        if not fort:
            assert forbidden(s, "halt") == "13.3.2e"


# 14.2.1a, 16.4c Trucks that carry an advance


@rule("na41", "16.4c", "19.5c", "14.2.1a")
@pytest.mark.parametrize(
    ("mark", "number"), [("oos", "16.4c"), ("refreshed", "14.1a"), ("advanced", "14.1a"), ("", "")]
)
def test_a_truck_that_may_not_go_on_carries_nobody_forward(mark: str, number: str) -> None:
    s = advancekit.prepared({advancekit.WEST: [advancekit.ON_FOOT, advancekit.TRUCK]})
    if mark:
        setattr(s, mark, units(advancekit.TRUCK))
    s.stack.append(REST)
    s.advancing = units(advancekit.ON_FOOT)
    start(s, (F_CARRY, AXIS, retreats.BEFORE_ADVANCE, H(advancekit.WEST)))
    assert over(s) is bool(mark)
    if mark:
        s.stack.append(GAME.framed((F_CARRY, AXIS, retreats.BEFORE_ADVANCE, H(advancekit.WEST))))
        assert forbidden(s, f"carry {advancekit.TRUCK} {advancekit.ON_FOOT}") == number
    else:
        told = do(s, f"carry {advancekit.TRUCK} {advancekit.ON_FOOT}")
        assert of_kind(told, "carried")[0].rule == "5.8.2c"


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
    assert len(found) == 3  # two of the other three
    for one in found:
        assert (one & board.tanks).bit_count() == 3
        assert not units("BR_3H", "BR_2RB") & ~one


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
