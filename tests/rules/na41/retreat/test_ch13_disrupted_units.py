"""Chapter 13: disrupted units."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import combat, defence, strengths
from sandtable.games.na41.retreat import displacement, search
from sandtable.games.na41.supply import support
from sandtable.games.na41.table import zones
from sandtable.games.na41.table.ids import (
    ALLIED,
    AXIS,
    COMBAT,
    F_CARRY,
    F_DISPLACE,
    F_MOVES,
    F_RALLY,
    F_RECOVERY,
    PHASES,
)
from sandtable.games.na41.table.position import put, set_order, zone
from sandtable.games.na41.table.state import State
from sandtable.games.na41.table.zones import limited_zoc
from sandtable.games.na41.turn.recovery import rally_drm

from ..kit import (
    GAME,
    H,
    U,
    at,
    board,
    controlled_by,
    do,
    empty,
    kinds,
    of_kind,
    place,
    roll,
    start,
    supplies,
    texts,
    units,
)
from ..marchkit import goes, phase
from ..retreatkit import ORIGIN, REST, WEST, fight, forbidden, go, mover, order, over, retreat, routed, ways
from .ch13orderkit import FOOT, TANK

# 13.3


@pytest.mark.rule("na41", "13.3.1", "13.3.3")
def test_full_retreat_moves_with_its_whole_allowance() -> None:
    s = empty("allied")
    place(s, TANK, ORIGIN)
    free = goes(s, TANK)
    set_order(s, U(TANK), 2)
    assert goes(s, TANK) == free


@pytest.mark.rule("na41", "13.3.2a", "13.2.1b", "13.2.1c")
def test_full_retreat_has_the_penalties_of_disruption() -> None:
    s = fight([])
    place(s, ["GE_II5_5L"], WEST, routed=True)
    assert not combat.may_attack(s) >> U("GE_II5_5L") & 1
    place(s, TANK, ORIGIN, routed=True)
    assert not defence.may_lead(s, units(TANK))
    place(s, "AL_7M", "2729", routed=True)
    assert not support.in_order(s, ALLIED) >> U("AL_7M") & 1


@pytest.mark.rule("na41", "13.3.2b", "13.3.3")
def test_full_retreat_has_no_zone() -> None:
    s = empty()
    place(s, TANK, ORIGIN, routed=True)
    assert zone(s, ALLIED) == 0
    place(s, "BR_7H", ORIGIN)
    assert zone(s, ALLIED) >> H("2728") & 1


@pytest.mark.rule("na41", "13.3.2c")
def test_full_retreat_keeps_away_from_the_enemy() -> None:
    s = empty("allied")
    place(s, TANK, "2730", routed=True)
    place(s, "GE_I5_5L", "2727")
    assert "2728" not in goes(s, TANK)
    place(s, "BR_7H", "2728")
    assert "2728" in goes(s, TANK)
    set_order(s, U("BR_7H"), 2)
    assert "2728" not in goes(s, TANK)


@pytest.mark.rule("na41", "13.3.2c")
def test_a_retreat_into_a_zone_kills_who_is_in_full_retreat() -> None:
    ring = {"GE_I5_5L": "2826", "GE_II5_5L": "2626", "GE_I8": "2729"}
    s = fight(TANK, attackers=ring)
    retreat(s)
    assert not over(s)  # in Good Order one EZOC may be crossed
    s = fight([], attackers=ring)
    place(s, TANK, ORIGIN, routed=True)
    s.fight.defenders = units(TANK)
    retreat(s)
    assert at(s, TANK) in ("eliminated", "surrender_left")
    s = fight([], attackers=ring)  # A28 a friend in Good Order negates it
    place(s, TANK, ORIGIN, routed=True)
    place(s, "BR_7H", "2827")
    s.fight.defenders = units(TANK)
    retreat(s)
    assert at(s, TANK) not in ("eliminated", "surrender_left")


@pytest.mark.rule("na41", "13.3.2d")
def test_where_full_retreat_may_not_go() -> None:
    s = empty("allied")
    place(s, TANK, "nile_delta", routed=True)
    assert not any(goes(s, TANK, mode) for mode in ("normal", "extended", "tactical"))
    s = empty("allied")
    place(s, TANK, ORIGIN, routed=True)
    assert "2728" in goes(s, TANK)
    place(s, "AX_TR1", "2728")
    assert "2728" not in goes(s, TANK)
    s.forts[AXIS] = 1 << H("2626")
    supplies(s, "axis", "2627")
    assert not goes(s, TANK) & {"2626", "2627"}


@pytest.mark.rule("na41", "13.3.2d")
def test_nor_in_a_retreat() -> None:
    s = fight([])
    place(s, TANK, ORIGIN, routed=True)
    place(s, "AX_TR1", "2728")
    s.forts[AXIS] = 1 << H("2627")
    s.fight.defenders = units(TANK)
    retreat(s)
    assert s.stack[-1].path == (H(ORIGIN), H("2827"))  # the only hex that is left
    s = routed(TANK)
    assert "2627" in ways(s)
    free = fight([], hex_="2937", attackers={"GE_I5_5L": "2936"})
    place(free, TANK, "2937", routed=True)
    controlled_by(free, "axis", "3138", "3041")
    barred = search.ground(free, U(TANK), 2, 0).enemies
    assert barred >> H("3138") & 1
    assert barred >> H("3041") & 1
    set_order(free, U(TANK), 1)
    assert not search.ground(free, U(TANK), 2, 0).enemies >> H("3138") & 1


def approached(unit: str, hex_: str = "2730", **places: str) -> State:
    """A German tank unit in its Movement Phase, four hexes from a unit in Full Retreat."""
    s = empty("axis")
    place(s, "GE_I5_5L", "2726")
    place(s, unit, hex_, routed=True)
    for name, where in places.items():
        place(s, name, where)
    phase(s)
    return s


@pytest.mark.rule("na41", "13.3.2e")
def test_full_retreat_gives_way_at_once_when_an_enemy_comes_beside_it() -> None:
    s = approached(TANK)
    do(s, "move GE_I5_5L", "to 2729 normal")
    assert s.actor == ALLIED
    assert mover(s) == TANK
    assert PHASES[s.phase] == "movement"
    go(s, "2731")
    go(s, sorted(ways(s))[0])
    assert board.grid.distance(H("2730"), s.at[U(TANK)]) == 2
    assert order(s, TANK) == "full retreat"
    assert s.retreated == 0  # no Combat Phase
    assert s.actor == AXIS
    assert s.displaced == 0


@pytest.mark.rule("na41", "13.3.2e")
def test_one_hex_is_enough_if_a_friend_in_order_is_there() -> None:
    s = approached(TANK, BR_7H="2731")
    do(s, "move GE_I5_5L", "to 2729 normal")
    assert "2731" in ways(s)
    go(s, "2731")
    assert "halt" in texts(s)
    do(s, "halt")
    assert at(s, TANK) == "2731"
    s = approached(TANK)
    place(s, "BR_7H", "2731", routed=True)
    do(s, "move GE_I5_5L", "to 2729 normal")
    go(s, "2731")
    assert forbidden(s, "halt") == "13.3.2e"


@pytest.mark.rule("na41", "13.3.2e")
def test_a_friend_who_has_retreated_himself_is_a_friend() -> None:
    """12.1.3e is about EZOCs: to end with a friend it is enough that he is not in Full Retreat."""
    s = fight("BR_2RB", attackers={"GE_I5_5L": "2728"})
    place(s, TANK, "2727", routed=True)
    place(s, "BR_7H", "2726", disrupted=True)
    s.retreated = units("BR_7H")
    s.stack = [REST]
    put(s, U("BR_2RB"), H("2923"))
    displacement.check(s, units("GE_I5_5L"))
    start(s)
    go(s, "2726")
    do(s, "halt")
    assert at(s, TANK) == "2726"


@pytest.mark.rule("na41", "13.3.2e")
def test_who_stands_with_a_friend_in_order_stays() -> None:
    s = approached(TANK, BR_7H="2730")
    do(s, "move GE_I5_5L", "to 2729 normal")
    assert at(s, TANK) == "2730"
    assert s.actor == AXIS
    assert displacement.exposed(s, ALLIED) == 0
    set_order(s, U("BR_7H"), 2)
    assert displacement.exposed(s, ALLIED) == 1 << H("2730")


@pytest.mark.rule("na41", "13.3.2e")
def test_an_enemy_that_begins_its_move_beside_it_drives_it_away() -> None:
    s = approached(TANK, "2727")
    do(s, "move GE_I5_5L")
    if s.actor == AXIS:
        do(s, "to 2725 tactical")
    assert s.actor == ALLIED
    assert mover(s) == TANK


@pytest.mark.rule("na41", "13.3.2e")
def test_so_does_one_that_a_truck_picks_up_beside_it() -> None:
    s = approached(TANK, AX_TR1="2726", GE_155="2729")
    do(s, "move AX_TR1", "to 2729 normal")
    assert s.actor == AXIS  # a truck drives nobody away
    do(s, "load GE_155")
    assert s.actor == ALLIED
    assert mover(s) == TANK


@pytest.mark.rule("na41", "13.3.2e")
def test_so_does_one_that_joins_a_truck_beside_it() -> None:
    s = approached(TANK, AX_TR1="2729", GE_155="2729")
    do(s, "move AX_TR1")
    assert s.actor == AXIS  # a truck drives nobody away
    do(s, "join GE_155")
    assert s.actor == ALLIED
    assert mover(s) == TANK


@pytest.mark.rule("na41", "13.3.2e")
def test_retreating_units_drive_the_enemys_away_too() -> None:
    s = fight(TANK)
    place(s, "GE_II5_5L", "2730", routed=True)
    retreat(s, 2)
    go(s, "2728")
    assert s.actor == ALLIED
    go(s, "2729")
    assert s.actor == AXIS
    assert mover(s) == "GE_II5_5L"
    go(s, sorted(ways(s))[0])
    while not over(s):
        go(s, sorted(ways(s))[0])
    assert board.grid.distance(H("2730"), s.at[U("GE_II5_5L")]) == 2
    assert s.retreated >> U("GE_II5_5L") & 1


@pytest.mark.rule("na41", "13.3.2e", "13.3.3")
def test_units_in_full_retreat_drive_nobody_away() -> None:
    s = empty("axis")
    place(s, "GE_I5_5L", "2729", routed=True)
    place(s, TANK, "2730", routed=True)
    assert displacement.exposed(s, ALLIED) == displacement.exposed(s, AXIS) == 0
    displacement.check(s, units("GE_I5_5L"))
    assert s.stack == []
    place(s, "GE_AA33", "2829")
    displacement.check(s, units("GE_AA33"))
    assert s.stack == [GAME.framed((F_DISPLACE, ALLIED))]


@pytest.mark.rule("na41", "13.3.2e")
def test_enemies_who_do_not_move_drive_nobody_away() -> None:
    s = approached(TANK, GE_II8="2927")
    place(s, "BR_7H", "2928", routed=True)  # beside II/8, which stays where it is
    do(s, "move GE_I5_5L", "to 2729 normal")
    go(s, "2731")
    go(s, sorted(ways(s))[0])
    assert s.actor == AXIS
    assert at(s, "BR_7H") == "2928"
    do(s, "halt")
    do(s, "move GE_II8")
    assert s.actor == ALLIED
    assert mover(s) == "BR_7H"


@pytest.mark.rule("na41", "13.3.2e")
def test_trucks_drive_nobody_away() -> None:
    s = fight(["AL_TR1", TANK])
    place(s, "GE_II5_5L", "2730", routed=True)
    retreat(s, 2)
    assert mover(s) == TANK
    go(s, "2627", "2628")
    assert mover(s) == "AL_TR1"
    go(s, "2728", "2729")
    assert at(s, "GE_II5_5L") == "2730"
    assert over(s)


@pytest.mark.rule("na41", "13.3.2e", "5.2.2a")
def test_the_road_bonus_is_not_cut_short_by_those_who_give_way() -> None:
    s = empty("axis")
    place(s, "IT_27", "1604")
    place(s, TANK, "1607", routed=True)  # beside the highway, far from the end of the march
    phase(s)
    end = "1911"
    events = do(s, "move IT_27", f"to {end} road")
    (told,) = of_kind(events, "moved")
    assert told.data["mp"] == 8
    assert at(s, "IT_27") == end
    assert s.actor == ALLIED
    assert mover(s) == TANK


@pytest.mark.rule("na41", "13.3.2c")
def test_who_has_stayed_beside_the_enemy_gives_way_at_the_end_of_his_phase() -> None:
    def ends(*friends: str) -> State:
        s = empty("allied")
        place(s, TANK, "2728", routed=True)
        place(s, friends, "2728")
        place(s, "GE_I5_5L", "2727")
        start(s, REST, (F_MOVES,))
        assert ("13.3.2c" in GAME.prompt(s).text) == (not friends)
        s.events = do(s, "end-moves")
        return s

    s = ends()
    (told,) = of_kind(s.events, "displaced")
    assert told.rule == "13.3.2c"
    assert mover(s) == TANK
    go(s, "2729", "2730")
    assert at(s, TANK) == "2730"
    s = ends("BR_7H")
    assert at(s, TANK) == "2728"
    assert not of_kind(s.events, "displaced")


@pytest.mark.rule("na41", "13.3.2c", "7.3d")
def test_an_enemy_below_an_escarpment_is_beside_it_too() -> None:
    s = empty("allied")
    place(s, TANK, "1340", routed=True)
    place(s, "GE_I5_5L", "1240")
    assert not zones.full_zoc(s, AXIS) >> H("1340") & 1
    assert displacement.exposed(s, ALLIED) == 1 << H("1340")


@pytest.mark.rule("na41", "13.3.2c", "4.4.1c")
def test_who_loses_his_friends_to_the_stacking_limit_gives_way_too() -> None:
    def ends(dropped: str) -> State:
        s = empty("allied")
        place(s, ["BR_22GM", "BR_2RB", "BR_KDG"], "2728", routed=True)  # 2 + 1 + 1
        place(s, "BR_16", "2728")  # and 2
        place(s, ["BR_14", "AU_20", "BR_11H"], "2729")
        place(s, "GE_I5_5L", "2727")
        start(s, REST, (F_MOVES,))
        assert not of_kind(do(s, "end-moves"), "displaced")
        s.events = do(s, f"drop {dropped}")
        return s

    s = ends("BR_KDG")
    assert over(s)
    assert at(s, "BR_22GM") == at(s, "BR_2RB") == "2728"
    s = ends("BR_16")
    assert of_kind(s.events, "displaced")[0].rule == "13.3.2c"
    for _ in range(3):
        go(s, "2729")
        do(s, "halt")
    assert {text.split()[0] for text in texts(s)} == {"drop"}
    do(s, "drop BR_14", "drop BR_22GM")  # 4.4.1b it is the end of the phase still
    assert over(s)


@pytest.mark.rule("na41", "13.3.2e", "12.2.1d")
def test_a_displaced_unit_without_a_way_is_lost() -> None:
    s = empty("axis")
    place(s, TANK, ORIGIN, routed=True)
    for name, hex_ in (("GE_I5_5L", "2728"), ("GE_II5_5L", "2826"), ("GE_I8", "2626")):
        place(s, name, hex_)
    place(s, "AL_TR1", ORIGIN)
    s.stack = [REST]
    displacement.check(s, units("GE_I5_5L"))
    events = start(s)
    assert at(s, TANK) in ("eliminated", "surrender_left")
    assert at(s, "AL_TR1") == "eliminated"
    assert over(s)
    assert "displaced" in kinds(events)


@pytest.mark.rule("na41", "5.5b", "13.3.2e", "12.2.1g")
def test_two_desert_hexes_in_a_phase_however_often_a_unit_gives_way() -> None:
    s = empty("axis")
    place(s, TANK, "1429", routed=True)  # nothing but desert for six hexes around
    place(s, "GE_I5_5L", "1427")
    place(s, "GE_II5_5L", "1434")
    phase(s)
    do(s, "move GE_I5_5L", "to 1428 tactical")
    go(s, "1430", "1431")
    assert at(s, TANK) == "1431"
    do(s, "halt")
    again = s.copy()
    do(s, "move GE_II5_5L", "to 1432 tactical")
    assert at(s, TANK) in ("eliminated", "surrender_left")
    again.stack = []
    phase(again)  # in another phase it may go on
    do(again, "move GE_II5_5L", "to 1432 tactical")
    assert mover(again) == TANK
    assert ways(again)


@pytest.mark.rule("na41", "5.5b", "13.3.2c")
def test_a_march_counts_for_who_gives_way_at_the_end_of_his_phase() -> None:
    s = empty("allied")
    place(s, TANK, "1429", routed=True)
    place(s, "BR_7H", "1431")
    place(s, "GE_I5_5L", "1432")
    start(s, REST, (F_MOVES,))
    do(s, f"move {TANK}", "to 1431 tactical", "move BR_7H", "to 1430 tactical", "end-moves")
    assert at(s, TANK) in ("eliminated", "surrender_left")


@pytest.mark.rule("na41", "13.3.2f")
def test_full_retreat_adds_nothing_to_the_defence() -> None:
    s = fight("BR_2RB")
    before = strengths.defence_total(s, H(ORIGIN), strengths.fighting(s, H(ORIGIN), COMBAT))
    tanks = strengths.armour(s, H(ORIGIN), s.fight.attackers, strengths.fighting(s, H(ORIGIN), COMBAT))
    place(s, "BR_7R", ORIGIN, routed=True)
    fighting = strengths.fighting(s, H(ORIGIN), COMBAT)
    assert strengths.defence_total(s, H(ORIGIN), fighting) == before
    assert strengths.armour(s, H(ORIGIN), s.fight.attackers, fighting) == tanks


@pytest.mark.rule("na41", "13.3.2g", "12.5.1a")
def test_on_foot_full_retreat_surrenders_unless_a_truck_carries_it() -> None:
    s = approached(FOOT)
    do(s, "move GE_I5_5L", "to 2729 normal")
    assert at(s, FOOT) == "surrender_left"
    s = approached(FOOT, AL_TR1="2730")
    do(s, "move GE_I5_5L", "to 2729 normal")
    assert s.stack[-1][0] == F_CARRY
    refused = s.copy()
    do(s, f"carry AL_TR1 {FOOT}")
    assert mover(s) == "AL_TR1"
    go(s, "2731")
    go(s, sorted(ways(s))[0])
    assert at(s, FOOT) == at(s, "AL_TR1")
    assert board.grid.distance(H("2730"), s.at[U(FOOT)]) == 2
    assert s.carried[U(FOOT)] == -1
    do(refused, "no-carry")
    assert (at(refused, FOOT), at(refused, "AL_TR1")) == ("surrender_left", "eliminated")


# 13.4, 13.5


def recovery(side: str = "allied") -> State:
    return empty(side, "recovery")


@pytest.mark.rule("na41", "13.4a", "13.3.2h")
def test_one_level_in_a_phase_out_of_enemy_zones() -> None:
    s = recovery()
    place(s, TANK, ORIGIN, disrupted=True)
    place(s, "BR_7H", "2729", routed=True)
    place(s, "GE_I5_5L", "2920", disrupted=True)
    place(s, "BR_2R", "nile_delta", routed=True)
    s.retreated = units(TANK)
    s.garrisons = [(H("2946"), U(TANK))]
    events = start(s, REST, (F_RECOVERY, 0))
    assert (order(s, TANK), order(s, "BR_7H"), order(s, "BR_2R")) == ("good", "disrupted", "disrupted")
    assert order(s, "GE_I5_5L") == "disrupted"  # the owner's phase alone
    assert [e.data["order"] for e in of_kind(events, "recovered")] == ["good_order", "disrupted", "disrupted"]
    assert (s.retreated, s.garrisons) == (0, [])
    start(s, (F_RECOVERY, 0))
    assert order(s, "BR_7H") == "good"


@pytest.mark.rule("na41", "3.2f", "19.5e")
def test_replacement_markers_come_off_after_that() -> None:
    s = recovery()
    place(s, [TANK, "GE_I5_5L"], ORIGIN)
    s.refreshed = units(TANK, "GE_I5_5L")
    start(s, REST, (F_RECOVERY, 0))
    assert s.refreshed == units("GE_I5_5L")


@pytest.mark.rule("na41", "13.4b", "13.5a")
@pytest.mark.parametrize(("face", "state"), [(1, "disrupted"), (4, "disrupted"), (5, "good"), (6, "good")])
def test_in_an_enemy_zone_a_unit_rolls(face: int, state: str) -> None:
    s = recovery()
    place(s, TANK, ORIGIN, disrupted=True)
    place(s, "GE_I5_5L", WEST)
    start(s, REST, (F_RECOVERY, 0))
    assert s.stack[-1] == (F_RALLY, U(TANK))
    (told,) = of_kind(roll(s, face), "rally")
    assert told.final
    assert order(s, TANK) == state
    assert over(s)


@pytest.mark.rule("na41", "13.4b", "13.3.2h")
def test_everybody_rolls_once_and_a_friend_is_no_excuse() -> None:
    s = recovery()
    place(s, TANK, ORIGIN, disrupted=True)
    place(s, "BR_7H", ORIGIN, routed=True)
    place(s, "BR_2R", ORIGIN)
    place(s, "GE_I5_5L", WEST)
    start(s, REST, (F_RECOVERY, 0))
    roll(s, 6)
    assert not over(s)
    roll(s, 6)
    assert over(s)
    assert (order(s, TANK), order(s, "BR_7H")) == ("good", "disrupted")


@pytest.mark.rule("na41", "13.4b")
def test_a_limited_zone_counts() -> None:
    s = recovery()
    place(s, TANK, "2714", disrupted=True)
    place(s, "GE_I5_5L", "2713")
    assert limited_zoc(s, AXIS) >> H("2714") & 1
    start(s, REST, (F_RECOVERY, 0))
    assert s.stack[-1] == (F_RALLY, U(TANK))


@pytest.mark.rule("na41", "13.5b")
def test_rally_modifiers() -> None:
    s = recovery()
    place(s, [TANK, "AU_20"], ORIGIN)
    place(s, [FOOT, "AU_24"], "2946")
    place(s, "IT_19", "2828")
    assert [rally_drm(s, U(n)) for n in (TANK, "AU_20", FOOT, "AU_24", "IT_19")] == [0, 1, 2, 3, -1]
    s.building[ALLIED] = 1 << H(ORIGIN)
    assert rally_drm(s, U(TANK)) == 0  # 9.5.4b
    s.forts[ALLIED] = 1 << H(ORIGIN) | 1 << H("2946")
    assert [rally_drm(s, U(n)) for n in (TANK, FOOT)] == [2, 2]  # not cumulative
    s.forts[AXIS] = 1 << H("2828")
    assert rally_drm(s, U("IT_19")) == 1


@pytest.mark.rule("na41", "13.5a", "13.5b")
def test_the_modified_die_decides() -> None:
    s = recovery()
    place(s, "AU_24", "2946", disrupted=True)
    place(s, "GE_I5_5L", "2945")
    start(s, REST, (F_RECOVERY, 0))
    roll(s, 2)
    assert order(s, "AU_24") == "good"
    s = recovery("axis")
    place(s, "IT_19", ORIGIN, disrupted=True)
    place(s, TANK, WEST)
    start(s, REST, (F_RECOVERY, 0))
    roll(s, 5)
    assert order(s, "IT_19") == "disrupted"
