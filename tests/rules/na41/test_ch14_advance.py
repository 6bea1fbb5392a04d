"""Chapter 14: advance after combat; 8.9.2 Auto DS; 17.4 the free supply point."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import effects, results
from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.table.ids import (
    ALLIED,
    AXIS,
    COMBAT,
    F_AUTO_ADVANCE,
    F_COMBAT,
    F_FREE_SP,
    F_MOVES,
    F_PLAYER_TURN,
)
from sandtable.games.na41.table.position import desert_behind, eliminate, set_order
from sandtable.games.na41.table.stacking import excess
from sandtable.games.na41.table.state import State
from sandtable.mechanics.masks import units_of

from . import fights
from .advancekit import (
    EAST,
    FAR_EAST,
    FIELD,
    FOE,
    GUNNERS,
    NORTH_EAST,
    NORTH_WEST,
    ON_FOOT,
    OTHER_FOE,
    RECON,
    SOUTH_EAST,
    SOUTH_WEST,
    TANK,
    TANKS,
    TRUCK,
    WEST,
    advance,
    group,
    groupable,
    march,
    over,
    plod,
    prepared,
    steps,
    to,
    won,
)
from .kit import (
    GAME,
    H,
    U,
    at,
    do,
    empty,
    kinds,
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
from .retreatkit import REST, forbidden

rule = pytest.mark.rule

MATILDA = "BR_7R"
"""A Matilda, of the Allies."""


def reach(s: State, unit: str, *hexes: str) -> int:
    """How many of these hexes a unit enters until it is not offered the next."""
    for gone, h in enumerate(hexes):
        if h not in steps(s, unit):
            return gone
        march(s, unit, h)
    return len(hexes)


# 14.1


@rule("na41", "14.1a")
def test_whoever_took_part_may_advance_and_nobody_else() -> None:
    s = won({WEST: TANK}, others={NORTH_WEST: GUNNERS, WEST: RECON})
    assert steps(s, TANK)
    assert not steps(s, GUNNERS)
    assert not steps(s, RECON)
    assert forbidden(s, f"advance {RECON} {FIELD}") == "14.1a"
    march(s, TANK, FIELD)
    do(s, "done")
    assert over(s)
    assert at(s, TANK) == FIELD


@rule("na41", "14.1a")
def test_nobody_advances_while_a_defender_is_left() -> None:
    s = prepared({WEST: TANK}, {FIELD: FOE})
    advance(s, {WEST: TANK}, "A1")
    assert over(s)


@rule("na41", "14.1a")
@pytest.mark.parametrize("fired", [False, True])
def test_an_asu_that_gave_a_shift_stays(fired: bool) -> None:
    s = prepared({WEST: [TANK, "GE_ARKO"]}, tag_along=True)
    advance(s, {WEST: TANK}, guns=units("GE_ARKO") if fired else 0)
    plod(s)
    assert bool(steps(s, "GE_ARKO")) != fired
    assert not fired or forbidden(s, f"advance GE_ARKO {FIELD}") == "14.1a"


@rule("na41", "19.5c")
def test_a_unit_with_a_replacement_marker_does_not_advance() -> None:
    s = prepared({WEST: [TANK, TANKS]})
    s.refreshed = units(TANKS)
    advance(s, {WEST: [TANK, TANKS]})
    assert steps(s, TANK)
    assert forbidden(s, f"advance {TANKS} {FIELD}") == "19.5c"


@rule("na41", "14.1b")
def test_hexes_are_counted_whatever_they_would_cost() -> None:
    """Four rough hexes would cost a tank 8 points, and markers more still."""
    s = prepared({"3415": TANK})
    s.lrdg = mask("3416")
    advance(s, {"3415": TANK}, "DR2", "3416")
    assert reach(s, TANK, "3416") == 1
    assert forbidden(won({WEST: TANK}), f"advance {TANK} {EAST}") == "14.1b"


@rule("na41", "14.1c", "4.4.1a")
def test_the_stacking_limit_applies_when_the_advance_is_over() -> None:
    crowd = {WEST: [ON_FOOT, "GE_361", GUNNERS]}
    s = won(crowd, others={EAST: ["GE_115"]})
    for unit in (ON_FOOT, "GE_361", GUNNERS):
        march(s, unit, FIELD, EAST)
        if unit == GUNNERS:
            do(s, "done")
    assert {text.split()[0] for text in texts(s)} == {"drop"}
    while not over(s):
        do(s, texts(s)[0])
    assert not excess(s, H(EAST), AXIS)


# 14.2


@rule("na41", "14.2.1a")
@pytest.mark.parametrize(
    ("result", "hexes"),
    [("DS", 4), ("DR4", 4), ("D1", 3), ("A1/DR2", 2), ("DR2", 2), ("DRX", 2), ("A1/D1", 2)],
)
def test_mechanised_units_advance_as_far_as_the_result_says(result: str, hexes: int) -> None:
    s = won({WEST: TANK}, result)
    assert reach(s, TANK, FIELD, EAST, FAR_EAST, "1948", "1949") == hexes
    assert over(s)


@rule("na41", "14.2.1a", "5.8.2c", "5.8.1f")
def test_units_carried_by_trucks_advance_as_far_and_the_truck_comes_along() -> None:
    s = won({WEST: ON_FOOT}, others={WEST: TRUCK}, grouping=True)
    do(s, f"carry {TRUCK} {ON_FOOT}")
    plod(s)
    assert forbidden(s, f"advance {TRUCK} {FIELD}") == "5.8.2c" or not steps(s, TRUCK)
    assert reach(s, ON_FOOT, FIELD, EAST, FAR_EAST, "1948", "1949") == 4
    assert at(s, TRUCK) == at(s, ON_FOOT) == "1948"
    assert set(s.carried) == {-1}, "the truck has set it down"
    s = won({WEST: ON_FOOT}, "EX", others={WEST: TRUCK}, grouping=True)
    do(s, f"carry {TRUCK} {ON_FOOT}")
    march(s, ON_FOOT, FIELD)
    assert at(s, TRUCK) == at(s, ON_FOOT) == FIELD, "into the vacated hex too"
    assert over(s)


@rule("na41", "14.2.1b", "10.1l")
def test_units_on_foot_advance_two_hexes_at_most() -> None:
    s = won({WEST: ON_FOOT})
    assert reach(s, ON_FOOT, FIELD, EAST, FAR_EAST) == 2


@rule("na41", "14.2.1b", "10.1l")
def test_matildas_advance_two_hexes_at_most() -> None:
    s = won({WEST: MATILDA}, active="allied")
    march(s, MATILDA, FIELD)
    assert FAR_EAST not in steps(s, MATILDA)
    assert reach(s, MATILDA, EAST, FAR_EAST) == 1


@rule("na41", "16.4c")
def test_a_unit_out_of_supply_advances_one_hex() -> None:
    s = prepared({WEST: TANK})
    s.oos = units(TANK)
    advance(s, {WEST: TANK})
    assert reach(s, TANK, FIELD, EAST) == 1


@rule("na41", "14.2.2")
def test_after_an_exchange_only_the_vacated_hex_is_entered() -> None:
    s = won({WEST: TANK, NORTH_WEST: TANKS}, "EX")
    assert steps(s, TANK) == steps(s, TANKS) == {FIELD}
    assert forbidden(s, f"advance {TANK} {SOUTH_WEST}") == "14.2.2"
    march(s, TANK, FIELD)
    assert not steps(s, TANK)


@rule("na41", "14.2.2", "11.4.2")
def test_after_a_costly_determined_defence_only_the_vacated_hex_is_entered() -> None:
    s = prepared({WEST: TANK})
    effects.begin(s, COMBAT, H(FIELD), units(TANK))
    s.fight.result = results.cell("DR4")
    s.fight.held = 1
    s.stack.append(REST)
    effects.follow_up(s)
    start(s)
    assert steps(s, TANK) == {FIELD}
    march(s, TANK, FIELD)
    assert over(s)


# 14.3, 14.4


@rule("na41", "14.3")
def test_an_advance_goes_in_any_direction() -> None:
    s = won({WEST: TANK})
    assert steps(s, TANK) == {FIELD, NORTH_WEST, "2043", "1943", "1843", SOUTH_WEST}


@rule("na41", "14.4a")
def test_nobody_goes_from_one_zone_of_an_enemy_unit_into_another() -> None:
    s = won({WEST: TANK}, foes={"1843": FOE})
    assert steps(s, TANK) == {FIELD, NORTH_WEST, "2043"}
    assert forbidden(s, f"advance {TANK} {SOUTH_WEST}") == "14.4a"


@rule("na41", "14.4a")
def test_a_zone_of_another_unit_may_be_entered() -> None:
    s = won({WEST: TANK}, foes={"1843": FOE, "2145": OTHER_FOE})
    assert NORTH_WEST in steps(s, TANK)


@rule("na41", "14.4a", "14.4c")
def test_entering_and_leaving_the_vacated_hex_is_free() -> None:
    """An enemy beside both the start and the vacated hex, and beside the hexes on the far side."""
    s = won({WEST: TANK}, foes={SOUTH_WEST: FOE, "1845": OTHER_FOE})
    assert FIELD in steps(s, TANK)
    march(s, TANK, FIELD)
    assert EAST in steps(s, TANK)


@rule("na41", "14.4b")
def test_an_advance_stops_in_an_enemy_zone_even_beside_a_friend() -> None:
    s = won({WEST: TANK}, foes={"2245": FOE}, others={"2145": RECON})
    march(s, TANK, NORTH_WEST)
    assert "2145" in steps(s, TANK)
    hint = GAME.hint(s, GAME.parse(f"advance {TANK} 2145"))
    assert hint is not None
    assert hint["stop"]
    march(s, TANK, "2145")
    assert not steps(s, TANK)


@rule("na41", "7.3b", "14.4b")
def test_a_limited_zone_does_not_stop_an_advance() -> None:
    s = prepared({WEST: TANK}, {"2245": FOE})
    s.forts[AXIS] = mask("2145")
    advance(s, {WEST: TANK})
    plod(s)
    march(s, TANK, NORTH_WEST, "2145")
    assert "2144" in steps(s, TANK)


@rule("na41", "14.4c")
def test_ex_14_4() -> None:
    """Two hexes through the vacated hex, which is in EZOCs, in any direction."""
    s = won({WEST: TANK}, "DR2", foes={"1745": FOE, "2146": OTHER_FOE})
    assert steps(s, TANK) >= {FIELD, NORTH_WEST, SOUTH_WEST}
    s = won({WEST: TANK}, "DR2", foes={NORTH_EAST: FOE, "1846": OTHER_FOE})
    march(s, TANK, FIELD)
    assert steps(s, TANK) >= {NORTH_WEST, EAST}
    march(s, TANK, EAST)
    assert at(s, TANK) == EAST


@rule("na41", "14.4d")
def test_overlapping_zones_are_like_others() -> None:
    """2045 lies between 2146 and 2044's neighbour: two enemies that are not adjacent reach it."""
    s = won({WEST: TANK}, foes={"2146": FOE, EAST: OTHER_FOE})
    march(s, TANK, FIELD)
    assert NORTH_EAST in steps(s, TANK)
    march(s, TANK, NORTH_EAST)
    assert at(s, TANK) == NORTH_EAST


# 14.5


@rule("na41", "14.5a", "6.3.3a")
def test_prohibited_terrain_is_prohibited_and_the_own_box_open() -> None:
    s = won({"2478": ON_FOOT}, hex_="2479")
    assert "2379" in steps(s, ON_FOOT)
    s = won({"2478": TANK}, hex_="2479")
    assert "2379" not in steps(s, TANK), "a marsh"
    assert forbidden(s, f"advance {TANK} 2379") == "14.5a"
    s = won({"1602": TANK}, hex_="1603")
    march(s, TANK, "1601")
    assert "tripoli" in steps(s, TANK)
    march(s, TANK, "tripoli")
    assert at(s, TANK) == "tripoli"
    assert over(s)


@rule("na41", "14.5b")
def test_mechanised_units_end_their_advance_in_the_jebel_but_by_road() -> None:
    s = won({"3516": TANK}, hex_="3517")
    march(s, TANK, "3517")
    assert not steps(s, TANK)
    s = won({"3821": TANK}, hex_="3822")
    march(s, TANK, "3822")
    assert steps(s, TANK) == {"3823", "3821"}
    assert forbidden(s, f"advance {TANK} 3722") == "14.5b"


@rule("na41", "14.5b")
def test_units_on_foot_pass_the_jebel() -> None:
    s = won({"3516": ON_FOOT}, hex_="3517")
    march(s, ON_FOOT, "3517")
    assert "3417" in steps(s, ON_FOOT)


@rule("na41", "14.5c", "5.5b")
def test_the_second_desert_hex_ends_an_advance() -> None:
    s = won({"2328": TANK}, hex_="2228")
    march(s, TANK, "2228", "2229")
    assert over(s)
    assert desert_behind(s, units(TANK)) == 2, "it counts for a retreat in the same phase too"
    s = won({"2328": TANK}, hex_="2228")
    march(s, TANK, "2228", "2329", "2229")
    assert steps(s, TANK)
    assert desert_behind(s, units(TANK)) == 1


@rule("na41", "14.5d", "9.6f")
def test_mechanised_units_cross_an_escarpment_only_by_road() -> None:
    s = won({"3820": GUNNERS, "3615": TANK}, hex_="3821")
    assert "3821" not in steps(s, GUNNERS)
    assert forbidden(s, f"advance {GUNNERS} 3821") == "14.5d"
    assert "3616" in steps(s, TANK)


@rule("na41", "14.5e")
def test_units_on_foot_cross_an_escarpment_first_and_into_the_attacked_hex() -> None:
    s = won({"3820": ON_FOOT}, hex_="3821")
    assert "3821" in steps(s, ON_FOOT)
    assert "3720" not in steps(s, ON_FOOT)
    assert forbidden(s, f"advance {ON_FOOT} 3720") == "14.5e"
    s = won({"3922": ON_FOOT}, hex_="3821")
    assert "3822" not in steps(s, ON_FOOT)
    march(s, ON_FOOT, "3821")
    assert "3922" not in steps(s, ON_FOOT)
    s = won({"3721": ON_FOOT}, hex_="3820")
    assert "3820" in steps(s, ON_FOOT)
    march(s, ON_FOOT, "3821")
    assert "3820" not in steps(s, ON_FOOT), "not with the second hex"


# 14.6


@rule("na41", "14.6", "8.7b", "8.7c", "17.2.3a")
def test_enemy_non_combat_units_do_not_stop_an_advance() -> None:
    s = prepared({WEST: TANK}, {EAST: "AL_TR1"})
    supplies(s, "allied", EAST)
    advance(s, {WEST: TANK})
    plod(s)
    march(s, TANK, FIELD, EAST)
    assert at(s, "AL_TR1") == "eliminated"
    assert kinds(roll(s, 3)) == ["sp_captured"]
    assert FAR_EAST in steps(s, TANK)


@rule("na41", "13.3.2e")
def test_units_in_full_retreat_give_way_to_an_advance() -> None:
    s = prepared({WEST: TANK}, {FAR_EAST: "BR_3H"})
    set_order(s, U("BR_3H"), 2)
    advance(s, {WEST: TANK})
    plod(s)
    march(s, TANK, FIELD, EAST)
    assert s.actor == ALLIED
    while s.actor == ALLIED:
        do(s, texts(s)[0])
    assert at(s, "BR_3H") != FAR_EAST
    assert steps(s, TANK)


@rule("na41", "12.5.1e")
def test_a_port_falls_to_an_advance() -> None:
    """The garrison of Tobruk lived by its port, and has been eliminated."""
    s = prepared({"3137": TANK}, {"3138": FOE}, {"3037": TANKS, "3038": GUNNERS})
    effects.begin(s, COMBAT, H("3138"), units(TANK))
    s.fight.result = results.cell("DS")
    eliminate(s, U(FOE), "10.1b")
    s.stack.append(REST)
    effects.follow_up(s)
    start(s)
    plod(s)
    assert at(s, FOE) == "eliminated"
    march(s, TANK, "3138")
    assert at(s, FOE) == "surrender_left"


@rule("na41", "12.5.1e")
def test_who_had_full_supply_does_not_surrender_because_the_advance_cut_its_road() -> None:
    """A26 asks how the garrison lived when it was attacked: the tanks are across the road before Bardia is entered."""
    s = fights.combat()
    place(s, [TANK, TANKS], "3045")
    place(s, "BR_2RB", "2946")
    assert supply_lines.full(s, ALLIED) >> H("2946") & 1
    fights.attack(s, TANK, TANKS, hex_="2946")
    fights.force(s, "DR4 r")
    fights.give_way(s)
    where = at(s, "BR_2RB")
    plod(s)
    march(s, TANK, "2945", "2845")
    do(s, "done")
    assert not supply_lines.full(s, ALLIED) >> H("2946") & 1
    march(s, TANKS, "2946")
    assert at(s, "BR_2RB") == where


@rule("na41", "12.5.1e", "8.9.2a")
def test_a_garrison_that_an_auto_ds_destroyed_surrenders_when_the_port_is_entered() -> None:
    s = empty("axis")
    s.rommel = 0
    place(s, [TANK, TANKS, "GE_I8", "GE_II8", GUNNERS], "3137")
    place(s, "BR_1DLI", "3138")
    place(s, RECON, "3037")
    place(s, "GE_AA33", "3038")
    assert not supply_lines.full(s, ALLIED) >> H("3138") & 1
    start(s, (F_PLAYER_TURN, 2), (F_MOVES,))
    do(s, "crush 3138")
    while texts(s)[0].startswith("join "):
        do(s, texts(s)[0])
    assert at(s, "BR_1DLI") == "eliminated"
    do(s, "end-moves")
    plod(s)
    march(s, names(s.advancing).pop(), "3138")
    assert at(s, "BR_1DLI") == "surrender_left"


@rule("na41", "9.5.7a", "16.3.5a")
def test_an_advance_takes_what_it_enters() -> None:
    s = prepared({"3137": TANK})
    s.forts[ALLIED] = mask("3138")
    advance(s, {"3137": TANK}, hex_="3138")
    plod(s)
    march(s, TANK, "3138")
    assert not s.forts[ALLIED]
    assert s.control >> H("3138") & 1


@rule("na41", "17.1.2c", "S1.2d")
def test_who_is_bound_to_its_hex_is_told_why_it_does_not_advance() -> None:
    s = won({"2478": ["PO_CAR", "BR_2R"]}, foes={"2675": TANK}, hex_="2477", active="allied")
    assert "BR_2R" in {text.split()[1] for text in texts(s) if text.startswith("advance ")}
    assert forbidden(s, "advance PO_CAR 2477") == "S1.2d"
    s = won({"3138": "BR_2R"}, others={"3138": "AL_TOB"}, hex_="3137", active="allied")
    assert forbidden(s, "advance AL_TOB 3137") == "17.1.2c"


# 8.9.2


def claimed() -> State:
    """Two Auto DS have been made: tanks cleared the field, and a regiment a hex far away."""
    s = empty("axis", "combat")
    s.rommel = 0
    place(s, TANK, WEST)
    place(s, ON_FOOT, "1644")
    place(s, FOE, "2147")
    s.claims = {H(FIELD): units(TANK), H("1645"): units(ON_FOOT)}
    s.auto = units(TANK, ON_FOOT)
    start(s, REST, (F_AUTO_ADVANCE,))
    return s


@rule("na41", "8.9.2a")
def test_marked_units_advance_at_the_full_rate_at_the_end() -> None:
    s = claimed()
    assert set(texts(s)) == {f"to {FIELD} normal", "to 1645 normal"}
    do(s, f"to {FIELD} normal")
    plod(s)
    assert not s.auto & units(TANK), "the marker has come off"
    assert not steps(s, ON_FOOT)
    assert reach(s, TANK, FIELD, "1845", "1846", "1847", "1848") == 4
    march(s, ON_FOOT, "1645")
    do(s, "done")
    assert over(s)
    assert not s.auto
    assert not s.claims


@rule("na41", "8.9.2b", "15.2.2a")
def test_one_stack_of_an_auto_ds_may_break_through() -> None:
    s = claimed()
    do(s, f"to {FIELD} normal")
    assert groupable(s) == {TANK}
    group(s, TANK)
    to(s, FIELD, NORTH_EAST)
    assert at(s, TANK) == NORTH_EAST


@rule("na41", "8.9.2a", "8.9.1d")
def test_a_marked_unit_that_is_gone_or_disrupted_does_not_advance() -> None:
    s = empty("axis", "combat")
    place(s, TANK, WEST, disrupted=True)
    s.claims = {H(FIELD): units(TANK, TANKS)}
    start(s, REST, (F_AUTO_ADVANCE,))
    assert over(s)


# 17.4


def idle(active: str = "axis") -> State:
    s = empty(active, "combat")
    place(s, "GE_DAK", "1602")
    place(s, "AL_XIII", "2478")
    return s


@rule("na41", "17.4a", "17.4b")
def test_whoever_neither_attacked_nor_marched_gets_a_supply_point() -> None:
    s = idle()
    s.advanced = s.disengaged = units(TANK)
    start(s, REST, (F_FREE_SP,))
    assert texts(s) == sorted(texts(s), key=lambda t: GAME.parse(t))
    assert set(texts(s)) == {"free-sp italy", "free-sp tripoli", "free-sp 1602"}
    events = do(s, "free-sp 1602")
    assert s.sp[AXIS] == {H("1602"): 1}
    assert of_kind(events, "free_sp")
    assert over(s)
    assert not s.advanced | s.disengaged, "the phase is over"


@rule("na41", "17.4a")
@pytest.mark.parametrize("deed", ["attacked_at_all", "moved_at_all"])
def test_there_is_none_after_an_attack_or_a_march(deed: str) -> None:
    s = idle()
    setattr(s, deed, 1)
    start(s, REST, (F_FREE_SP,))
    assert over(s)
    assert not s.sp[AXIS]


@rule("na41", "17.4b")
def test_an_hq_without_full_supply_gets_none() -> None:
    s = idle()
    place(s, "IT_X", FIELD)
    start(s, REST, (F_FREE_SP,))
    assert f"free-sp {FIELD}" in texts(s)
    s = idle()
    place(s, "IT_X", FIELD)
    for foe, where in ((FOE, NORTH_EAST), (OTHER_FOE, WEST), ("BR_3H", SOUTH_EAST)):
        place(s, foe, where)
    start(s, REST, (F_FREE_SP,))
    assert f"free-sp {FIELD}" not in texts(s)
    assert forbidden(s, f"free-sp {FIELD}") == "17.4b"


@rule("na41", "17.4b")
def test_the_only_place_is_taken_at_once() -> None:
    s = empty("allied", "combat")
    start(s, REST, (F_FREE_SP,))
    assert over(s)
    assert s.sp[ALLIED] == {H("nile_delta"): 1}


@rule("na41", "8.9.2a", "8.9.1d", "3.2e")
def test_from_the_auto_ds_in_the_movement_phase_to_the_advance_at_the_end_of_the_combat_phase() -> None:
    s = empty("axis", "movement")
    s.rommel = 0
    place(s, [TANK, TANKS, GUNNERS], WEST)
    place(s, "BR_1DLI", FIELD)
    place(s, RECON, "1503")
    place(s, "CZ_11", "1504")
    start(s, REST, (F_COMBAT,), (F_MOVES,))
    do(s, f"crush {FIELD}")
    while "end-moves" not in texts(s):
        do(s, "commit" if "commit" in texts(s) else texts(s)[0])
    assert at(s, "BR_1DLI") in ("eliminated", "surrender_left")
    marked = s.auto
    assert marked
    assert at(s, TANK) == WEST, "nobody advances yet"
    do(s, "end-moves")
    while "end-combat" not in texts(s):
        do(s, texts(s)[-1])
    do(s, "end-combat")
    plod(s)
    assert {U(text.split()[1]) for text in texts(s) if text.startswith("advance")} == set(units_of(marked))
    do(s, "done")
    assert over(s)
    assert not s.sp[AXIS], "and no free supply point after an Auto DS"


@rule("na41", "8.3e", "14.1a")
def test_an_attack_is_followed_by_its_advance_and_the_phase_goes_on() -> None:
    s = empty("axis", "combat")
    s.rommel = 0
    place(s, [TANK, TANKS], WEST)
    place(s, "BR_1DLI", FIELD)
    place(s, RECON, "1503")
    place(s, "CZ_11", "1504")
    start(s, REST, (F_COMBAT,))
    do(s, f"attack {FIELD}")
    while not steps(s, TANK) and s.stack[-1][0] != F_COMBAT:
        if s.actor < 0:
            roll(s, 6)
        else:
            do(s, next((t for t in ("commit", "yield", "no-supply") if t in texts(s)), texts(s)[0]))
    march(s, TANK, FIELD)
    while "done" in texts(s):
        do(s, "done")
    assert "end-combat" in texts(s)
    assert at(s, TANK) == FIELD
