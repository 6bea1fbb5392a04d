"""Where the chapters on combat meet: second attacks, second retreats, surrender, breakthroughs, the odds panel."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import combat as rules
from sandtable.games.na41.combat import strengths
from sandtable.games.na41.combat.losses import taking_part
from sandtable.games.na41.retreat import displacement, retreats
from sandtable.games.na41.table import zones
from sandtable.games.na41.table.ids import (
    ALLIED,
    ASIDE,
    AXIS,
    COMBAT,
    F_CARRY,
    TAG_ALONG,
)
from sandtable.games.na41.table.position import put, set_order, touch
from sandtable.games.na41.table.state import State

from .. import advancekit
from ..fights import attack, field
from ..kit import GAME, H, U, at, do, empty, of_kind, place, start, supplies, texts, units
from ..retreatkit import ORIGIN, REST, WEST, fight, forbidden, go, order, over, retreat
from ..turnkit import moving
from .combatedgeskit import RIFLES, TANK, beside_foe, no_attack

rule = pytest.mark.rule
REFUGE = "2729"
"""Two hexes east of ORIGIN."""


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
