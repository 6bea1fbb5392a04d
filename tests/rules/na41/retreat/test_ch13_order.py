"""Chapter 13: disruption, Full Retreat and recovery."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import combat, effects, strengths
from sandtable.games.na41.movement import convoys, rails
from sandtable.games.na41.paths.reaches import reach
from sandtable.games.na41.supply import support
from sandtable.games.na41.table.ids import (
    ALLIED,
    COMBAT,
    EXTENDED,
    F_MOVES,
    F_REFIT,
    NORMAL,
    PHASES,
    TACTICAL,
)
from sandtable.games.na41.table.position import set_order, zone
from sandtable.games.na41.turn import replacements

from ..kit import (
    GAME,
    H,
    U,
    do,
    empty,
    place,
    start,
    supplies,
    texts,
    units,
)
from ..marchkit import goes, phase
from ..retreatkit import ORIGIN, REST, WEST, fight, go, order, over, retreat, ways
from .ch13orderkit import FOOT, TANK

# 13.1


@pytest.mark.rule("na41", "13.1.1a")
def test_a_unit_is_in_one_of_three_states() -> None:
    s = empty()
    place(s, TANK, ORIGIN)
    seen = []
    for level in (0, 1, 2, 1, 0):
        set_order(s, U(TANK), level)
        assert not s.disrupted & s.routed
        seen.append(order(s, TANK))
    assert seen == ["good", "disrupted", "full retreat", "disrupted", "good"]
    set_order(s, U(TANK), 2)
    s.disrupted = s.routed
    assert GAME.invariants(s)


@pytest.mark.rule("na41", "13.1.1b")
def test_units_of_different_order_stack_together() -> None:
    s = fight(TANK)
    place(s, "BR_7H", "2729")
    retreat(s)
    go(s, "2728", "2729")
    assert (order(s, TANK), order(s, "BR_7H")) == ("disrupted", "good")


@pytest.mark.rule("na41", "13.1.2")
@pytest.mark.parametrize("cell", ["D1", "A1/D1", "DR2", "DRX", "A1/DR2"])
def test_short_retreats_disrupt(cell: str) -> None:
    s = fight(TANK, cell)
    s.stack.append(REST)
    effects.retreat(s)
    start(s)
    while not over(s):
        do(s, "halt") if "halt" in texts(s) else go(s, sorted(ways(s))[0])
    assert order(s, TANK) == "disrupted"


@pytest.mark.rule("na41", "13.1.3a")
@pytest.mark.parametrize("cell", ["DR4", "DS"])
def test_long_retreats_end_in_full_retreat(cell: str) -> None:
    s = fight(TANK, cell)
    s.stack.append(REST)
    effects.retreat(s)
    start(s)
    while not over(s):
        go(s, sorted(ways(s))[0])
    assert order(s, TANK) == "full retreat"


@pytest.mark.rule("na41", "13.1.3b", "13.3.2i")
def test_a_second_retreat_ends_in_full_retreat_and_a_third_changes_nothing() -> None:
    s = fight([])
    place(s, TANK, ORIGIN, disrupted=True)
    place(s, "BR_7H", ORIGIN, routed=True)
    s.fight.defenders = units(TANK, "BR_7H")
    retreat(s)
    while not over(s):
        go(s, "2728", "2729")
    assert order(s, TANK) == order(s, "BR_7H") == "full retreat"
    assert s.step[U("BR_7H")] == 0


@pytest.mark.rule("na41", "13.1.3c", "13.3.4a", "13.3.4b")
def test_a_player_may_put_his_units_into_full_retreat_and_move_them() -> None:
    for disrupted in (False, True):
        s = empty("allied")
        place(s, TANK, ORIGIN, disrupted=disrupted)
        phase(s)
        assert f"move {TANK}" in texts(s)
        do(s, f"move {TANK}")
        assert f"flee {TANK}" in texts(s)
        do(s, f"flee {TANK}")
        assert order(s, TANK) == "full retreat"
        assert len(goes(s, TANK)) > 40
    s = empty("allied")
    place(s, TANK, ORIGIN, routed=True)
    start(s, (F_MOVES,))
    do(s, f"move {TANK}")
    reason = GAME.why_not(s, GAME.parse(f"flee {TANK}"))
    assert reason is not None
    assert reason.rule == "13.3.4a"


# 13.2


@pytest.mark.rule("na41", "13.2.1a")
def test_disrupted_units_move_tactically() -> None:
    s = empty("allied")
    place(s, TANK, ORIGIN, disrupted=True)
    assert goes(s, TANK) == goes(s, TANK, "extended") == set()
    assert "2729" in goes(s, TANK, "tactical")
    place(s, "BR_7H", "nile_delta", disrupted=True)
    assert not any(goes(s, "BR_7H", mode) for mode in ("normal", "extended", "tactical", "road"))
    assert rails.RIDERS.holds(U("BR_7H"), s, None)
    place(s, "BR_2R", "nile_delta")
    assert not rails.RIDERS.holds(U("BR_2R"), s, None)
    place(s, "BR_1R", "nile_delta", routed=True)
    assert rails.RIDERS.holds(U("BR_1R"), s, None)
    assert convoys.passengers(s, H("nile_delta")) == units("BR_2R")


@pytest.mark.rule("na41", "13.2.1b")
def test_disrupted_units_do_not_attack_and_defend_at_half() -> None:
    s = empty("axis", "combat")
    place(s, "GE_I5_5L", WEST, disrupted=True)
    place(s, "GE_II5_5L", WEST)
    place(s, "BR_2R", ORIGIN, disrupted=True)
    assert not combat.may_attack(s) >> U("GE_I5_5L") & 1
    assert combat.may_attack(s) >> U("GE_II5_5L") & 1
    place(s, "BR_1R", "2828")
    assert strengths.defence_value(s, U("BR_1R"), H("2828")) == 4
    assert strengths.defence_value(s, U("BR_2R"), H(ORIGIN)) == 2
    place(s, "BR_2RB", ORIGIN, disrupted=True)
    assert strengths.defence_value(s, U("BR_2RB"), H(ORIGIN)) == 2  # 3, halved and rounded up


@pytest.mark.rule("na41", "13.2.1d")
def test_a_disrupted_asu_is_of_no_use() -> None:
    s = fight(TANK)
    place(s, "AL_7M", "2729")
    assert support.gun_actions(s, ALLIED, 1 << H(ORIGIN), units(TANK))
    place(s, "AL_7M", "2729", disrupted=True)
    supplies(s, "allied", "2729")
    assert not support.in_order(s, ALLIED) >> U("AL_7M") & 1
    assert support.gun_actions(s, ALLIED, 1 << H(ORIGIN), units(TANK)) == []
    s.depleted = units("AL_7M")
    s.active = ALLIED
    s.phase = PHASES.index("supply")
    start(s, REST, (F_REFIT, ALLIED))
    assert over(s)


@pytest.mark.rule("na41", "13.2.1e")
def test_only_good_order_units_take_replacements() -> None:
    s = empty("allied", "initial")
    place(s, "AU_20", ORIGIN, shows="reduced")
    place(s, "AU_RI1", ORIGIN)
    assert replacements.TAKERS.free(replacements.reduced(s), s, U("AU_RI1")) == units("AU_20")
    for level in (1, 2):
        set_order(s, U("AU_20"), level)
        assert not replacements.TAKERS.free(replacements.reduced(s), s, U("AU_RI1"))


@pytest.mark.rule("na41", "13.2.2")
def test_disrupted_units_keep_their_zone_and_their_armour() -> None:
    s = fight([], attackers={"GE_I5_5L": WEST})
    place(s, "BR_7R", ORIGIN, disrupted=True)
    assert zone(s, ALLIED) >> H("2728") & 1
    defenders = strengths.fighting(s, H(ORIGIN), COMBAT)
    kept = strengths.armour(s, H(ORIGIN), s.fight.attackers, defenders)
    set_order(s, U("BR_7R"), 0)
    assert strengths.armour(s, H(ORIGIN), s.fight.attackers, defenders) == kept


@pytest.mark.rule("na41", "13.2.3a", "12.1.5a")
def test_non_combat_units_are_always_in_good_order() -> None:
    s = fight(TANK)
    place(s, ["AL_TR1", "BR_RT1"], ORIGIN)
    retreat(s, 4)
    while not over(s):
        go(s, sorted(ways(s))[0])
    assert order(s, "AL_TR1") == order(s, "BR_RT1") == "good"


@pytest.mark.rule("na41", "13.2.3b")
def test_a_truck_with_a_disrupted_load_moves_tactically() -> None:
    s = empty("allied")
    place(s, FOOT, ORIGIN, disrupted=True)
    place(s, "AL_TR1", ORIGIN)
    found = reach(s, units("AL_TR1"), units(FOOT)).masks
    assert found[NORMAL] == found[EXTENDED] == 0
    assert found[TACTICAL]
    assert reach(s, units("AL_TR1")).masks[NORMAL]
