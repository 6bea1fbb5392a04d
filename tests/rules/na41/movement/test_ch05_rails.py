"""Chapter 5: the railway (5.9), and what else a player may do in his Movement Phase."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat.combat import unfit
from sandtable.games.na41.movement.rails import line, stations_from
from sandtable.games.na41.paths.legs import fresh_points
from sandtable.games.na41.table.ids import AIR_TRANSPORT, ALLIED, AXIS, F_STACK
from sandtable.games.na41.table.position import controls, supply_points

from ..kit import (
    GAME,
    H,
    U,
    at,
    board,
    controlled_by,
    do,
    empty,
    hexes,
    mask,
    names,
    of_kind,
    place,
    supplies,
    texts,
    units,
)
from ..marchkit import phase, refusal, verbs

rule = pytest.mark.rule


# 5.9 Rail


@rule("na41", "5.9.1a", "5.9.1e")
def test_the_railway_runs_from_the_delta_to_mersa_matruh() -> None:
    s = empty("allied")
    chart = board.pack.tables["railway"]
    assert hexes(line(s).stations) == set(chart["stations"])
    assert hexes(stations_from(s, H("nile_delta"))) == set(chart["stations"])
    assert hexes(stations_from(s, H("2660"))) == set(chart["stations"]) - {"2660"} | {"nile_delta"}
    assert stations_from(s, H("2071")) >> H("nile_delta") & 1
    assert not stations_from(s, H("2050"))


@rule("na41", "5.9.1b")
def test_one_unit_or_replacement_or_sp_in_a_phase() -> None:
    s = empty("allied")
    place(s, ["BR_22G", "BR_3H", "BR_RI1", "AL_TR1"], "nile_delta")
    supplies(s, "allied", "nile_delta", 1)
    phase(s)
    assert "rail-sp nile_delta 2660" in texts(s)
    for unit in ("BR_22G", "BR_RI1"):
        copy = s.copy()
        do(copy, f"move {unit}", f"rail {unit} 2660")
        assert at(copy, unit) == "2660"
        assert not [text for text in texts(copy) if text.startswith("rail")]
        assert refusal(copy, "rail-sp nile_delta 2660") == "5.9.1b"
        do(copy, "move BR_3H")
        assert refusal(copy, "rail BR_3H 2660") == "5.9.1b"
    do(s, "move AL_TR1")
    assert refusal(s, "rail AL_TR1 2660") == "5.9.1b"
    do(s, "halt", "rail-sp nile_delta 2660")
    assert s.sp[ALLIED] == {H("2660"): 1}
    do(s, "move BR_3H")
    assert refusal(s, "rail BR_3H 2660") == "5.9.1b"


@rule("na41", "5.9.1c")
def test_rail_movement_uses_the_whole_ma() -> None:
    s = empty("allied")
    place(s, "BR_3H", "2478")
    phase(s)
    do(s, "move BR_3H", "rail BR_3H 2660")
    assert texts(s) == ["end-moves"]
    assert names(s.moved) == {"BR_3H"}
    assert not s.moved_at_all  # 17.4a it is not normal land movement


@rule("na41", "5.9.1d")
def test_no_train_enters_or_leaves_an_ezoc() -> None:
    s = empty("allied")
    place(s, "BR_22G", "2660")
    place(s, "BR_16", "2478")
    place(s, "GE_AA3_5L", "2270")  # beside the line between El Daba and El Alamein
    assert hexes(stations_from(s, H("2660"))) & {"2478", "nile_delta", "2071"} == set()
    assert "2462" in hexes(stations_from(s, H("2660")))
    place(s, "GE_AA3_5L", "2560")  # beside Mersa Matruh
    assert not stations_from(s, H("2660"))
    assert "2660" not in hexes(stations_from(s, H("2478")))
    phase(s)
    do(s, "move BR_22G")
    assert refusal(s, "rail BR_22G 2478") == "5.9.1d"
    assert refusal(s, "rail BR_22G 2660") == "5.9.1e"  # it is there
    place(s, "BR_KDG", "2660")  # a friend does not help
    assert not stations_from(s, H("2660"))


@rule("na41", "5.9.1d", "7.3d")
def test_nor_a_limited_one() -> None:
    s = empty("allied")
    assert "2478" in hexes(stations_from(s, H("2660")))
    place(s, "GE_AA3_5L", "2659")  # beside no other hex of the line
    s.forts[ALLIED] = mask("2660")
    assert not stations_from(s, H("2660"))
    assert "2660" not in hexes(stations_from(s, H("2478")))


@rule("na41", "5.9.1d", "27.4b")
def test_nor_goes_through_the_enemy_and_his_places() -> None:
    s = empty("allied")
    controlled_by(s, "axis", "2660")
    assert "2660" not in hexes(stations_from(s, H("2478")))
    controlled_by(s, "allied", "2660")
    place(s, "AX_TR1", "2463")
    assert "2660" not in hexes(stations_from(s, H("2478")))


@rule("na41", "5.9.1d", "2.3.1b")
def test_nor_through_enemy_supply_points() -> None:
    s = empty("allied")
    supplies(s, "axis", "2463")
    assert "2660" not in hexes(stations_from(s, H("2478")))
    assert "2368" in hexes(stations_from(s, H("2478")))


@rule("na41", "9.5.7a", "16.3.5a", "27.4b")
@pytest.mark.parametrize(("to", "taken"), [("2660", True), ("2559", True), ("2462", False)])
def test_a_train_takes_what_lies_empty_on_its_way(to: str, taken: bool) -> None:
    s = empty("allied", turn=17, port_garrisons=True)
    controlled_by(s, "axis", "2660")  # without a garrison it is nobody's
    place(s, "BR_22G", "2478")
    s.forts[AXIS] = mask("2368", "2351")
    phase(s)
    do(s, "move BR_22G", f"rail BR_22G {to}")
    assert at(s, "BR_22G") == to
    assert s.forts[AXIS] == mask("2351")  # beyond all of them
    assert controls(s, ALLIED, H("2660")) == taken


@rule("na41", "5.9.1e")
def test_units_get_on_and_off_at_stations() -> None:
    s = empty("allied")
    place(s, "BR_22G", "2075")  # on the line, but no station
    phase(s)
    do(s, "move BR_22G")
    assert refusal(s, "rail BR_22G 2478") == "5.9.1e"
    do(s, "halt")
    s = empty("allied")
    place(s, "BR_22G", "2478")
    phase(s)
    do(s, "move BR_22G")
    assert refusal(s, "rail BR_22G 2075") == "5.9.1e"
    assert refusal(s, "rail BR_22G 2050") == "5.9.1a"


@rule("na41", "5.9.1f", "3.2i")
def test_the_axis_may_not_use_it() -> None:
    s = empty("axis")
    place(s, "GE_I5_5L", "2660")
    controlled_by(s, "axis", "2660", "2478")
    supplies(s, "axis", "2660")
    phase(s)
    assert refusal(s, "rail-sp 2660 2478") == "5.9.1f"
    do(s, "move GE_I5_5L")
    assert refusal(s, "rail GE_I5_5L 2478") == "5.9.1f"


@rule("na41", "5.9.1g", "5.9.1h")
def test_a_unit_that_used_rail_has_a_marker() -> None:
    s = empty("allied")
    place(s, "BR_22G", "2478")
    phase(s)
    do(s, "move BR_22G", "rail BR_22G 2660")
    assert names(s.shipped) == {"BR_22G"}  # 9.1h halves its defense, 8 keeps it from attacking
    assert refusal(s, "move BR_22G") == "5.9.1c"
    place(s, "IT_27", "2659")
    assert unfit(s, U("BR_22G"), H("2659")).rule == "5.9.1h"
    s.railed = 0
    assert unfit(s, U("BR_22G"), H("2659")).rule == "21.1.4b"
    s.flown = s.shipped
    assert unfit(s, U("BR_22G"), H("2659")).rule == "18.7.6b"


@rule("na41", "5.9.1i")
def test_an_sp_under_the_marker_is_not_used() -> None:
    s = empty("allied")
    supplies(s, "allied", "2478", 1)
    supplies(s, "allied", "2660", 1)
    place(s, ["AL_TR1", "AL_TR2"], "2660")
    phase(s)
    do(s, "rail-sp 2478 2660")
    assert s.sp[ALLIED] == {H("2660"): 2}
    assert supply_points(s, ALLIED, H("2660")) == 1
    do(s, "move AL_TR1", "load-sp", "halt", "move AL_TR2")
    assert refusal(s, "load-sp") == "5.8.1e"


@rule("na41", "5.9.1b", "13.2.1a", "16.4a", "19.5b")
@pytest.mark.parametrize(
    ("mark", "law"), [("disrupted", "13.2.1a"), ("routed", "13.2.1a"), ("oos", "16.4a"), ("refreshed", "19.5b")]
)
def test_not_everybody_may_ride(mark: str, law: str) -> None:
    s = empty("allied")
    place(s, "BR_22G", "2478")
    setattr(s, mark, units("BR_22G"))
    phase(s)
    do(s, "move BR_22G")
    assert refusal(s, "rail BR_22G 2660") == law


@rule("na41", "5.9.2a", "5.9.2b")
def test_on_turn_17_the_railway_reaches_misheifa() -> None:
    s = empty("allied", turn=16)
    place(s, "BR_22G", "2478")
    place(s, "GE_I5_5L", "2451")  # 5.9.2b
    phase(s)
    do(s, "move BR_22G")
    assert refusal(s, "rail BR_22G 2351") == "5.9.2a"
    s = empty("allied", turn=17)
    place(s, "BR_22G", "2478")
    chart = board.pack.tables["railway"]
    assert hexes(line(s).stations) == {*chart["stations"], *chart["extension_stations"]}
    phase(s)
    do(s, "move BR_22G", "rail BR_22G 2351")
    assert at(s, "BR_22G") == "2351"


# 12.5.3, 13.3.4, 17.1.4, 17.2.3 What else is done in the Movement Phase


@rule("na41", "12.5.3")
def test_voluntary_surrender() -> None:
    s = empty()
    place(s, ["IT_27", "AX_TR1"], "2050")
    phase(s)
    do(s, "move AX_TR1")
    assert refusal(s, "surrender AX_TR1") == "12.5.3"
    do(s, "halt", "move IT_27", "surrender IT_27")
    assert at(s, "IT_27") == "surrender_left"
    assert texts(s) == ["end-moves"]
    s = empty("allied")
    place(s, "AL_TOB", "3138")
    phase(s)
    do(s, "surrender AL_TOB")  # one that cannot move
    assert at(s, "AL_TOB") == "surrender_left"


@rule("na41", "13.3.4a", "13.3.4b", "13.3.1")
def test_voluntary_full_retreat() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2049", disrupted=True)
    place(s, "BR_22G", "2050")
    phase(s)
    do(s, "move GE_I5_5L")
    assert "to 2046 normal" not in texts(s)
    do(s, "flee GE_I5_5L")
    assert names(s.routed) == {"GE_I5_5L"}
    assert not s.disrupted
    assert "to 2046 normal" in texts(s)  # with its full MA
    assert "to 1950 normal" not in texts(s)
    assert refusal(s, "flee GE_I5_5L") == "13.3.4a"
    do(s, "to 2046 normal")
    assert at(s, "GE_I5_5L") == "2046"


@rule("na41", "13.3.4b", "13.2.3b", "5.8.1c")
def test_a_truck_carries_who_goes_into_full_retreat_at_its_full_rate() -> None:
    s = empty()
    place(s, ["IT_27", "IT_28"], "2050", disrupted=True)
    place(s, ["AX_TR1", "AX_TR2"], "2050")
    phase(s)
    do(s, "move AX_TR1", "load IT_27")
    assert {text.split()[2] for text in texts(s) if text.startswith("to ")} == {"tactical"}
    assert "flee IT_27" in texts(s)
    assert refusal(s, "flee IT_28") == "5.1d", "it is not in the stack"
    do(s, "flee IT_27")
    assert refusal(s, "flee IT_27") == "13.3.4a"
    assert names(s.routed) == {"IT_27"}
    do(s, "to 2054 normal")
    assert (at(s, "IT_27"), at(s, "AX_TR1")) == ("2054", "2054")
    do(s, "move AX_TR2", "load IT_28", "to 2051 tactical")
    assert refusal(s, "flee IT_28") == "5.1d", "on the way it is too late"
    s = empty()
    place(s, ["AX_TR1", "IT_27"], "tripoli")
    phase(s)
    do(s, "move AX_TR1", "load IT_27")
    assert "flee" not in verbs(s)
    assert refusal(s, "flee IT_27") == "13.3.4a", "no enemy comes into a box"


@rule("na41", "13.3.4a", "13.2.3a")
def test_non_combat_units_are_always_in_good_order() -> None:
    s = empty()
    place(s, "AX_TR1", "2049")
    phase(s)
    do(s, "move AX_TR1")
    assert refusal(s, "flee AX_TR1") == "13.2.3a"


@rule("na41", "17.1.4b")
def test_an_asu_takes_an_sp_before_either_moves() -> None:
    s = empty()
    place(s, ["GE_DAK", "IT_X"], "2050", depleted=True)
    place(s, "IT_XXI", "2052", depleted=True)
    supplies(s, "axis", "2050", 2)
    phase(s)
    assert {text for text in texts(s) if text.startswith("ready")} == {"ready GE_DAK", "ready IT_X"}
    assert refusal(s, "ready IT_XXI") == "17.1.4b"
    do(s, "ready GE_DAK")
    assert names(s.depleted) == {"IT_X", "IT_XXI"}
    assert supply_points(s, AXIS, H("2050")) == 1
    do(s, "move IT_X", "halt")
    assert refusal(s, "ready IT_X") == "17.1.4b"  # its move is over


@rule("na41", "17.1.4b", "13.2.1d")
def test_not_a_disrupted_one_nor_with_an_sp_that_came_in_this_phase() -> None:
    s = empty()
    place(s, "GE_DAK", "2050", depleted=True, disrupted=True)
    supplies(s, "axis", "2050", 1)
    place(s, "IT_X", "2054", depleted=True)
    place(s, "AX_TR1", "2056", msu=True)
    phase(s)
    assert refusal(s, "ready GE_DAK") == "13.2.1d"
    do(s, "move AX_TR1", "to 2054 normal", "unload-sp")
    assert refusal(s, "ready IT_X") == "17.1.4b"


@rule("na41", "17.2.3d")
def test_a_player_may_destroy_his_own_sps() -> None:
    s = empty()
    supplies(s, "axis", "2050", 2)
    supplies(s, "allied", "2055", 2)
    supplies(s, "axis", "tripoli", 2)
    phase(s)
    assert [text for text in texts(s) if text.startswith("destroy")] == ["destroy-sp 2050"]
    events = do(s, "destroy-sp 2050")
    assert of_kind(events, "sp_destroyed")[0].rule == "17.2.3d"
    assert s.sp[AXIS] == {H("2050"): 1, H("tripoli"): 2}
    do(s, "destroy-sp 2050")
    assert refusal(s, "destroy-sp 2050") == "17.2.3d"


@rule("na41", "17.2.3d", "5.9.1i", "5.8.1e")
def test_what_is_destroyed_are_fresh_sps_first_then_those_that_moved_or_lie_under_a_marker() -> None:
    s = empty()
    supplies(s, "axis", "2050", 2)
    supplies(s, "axis", "2052", 2)
    phase(s)
    s.sp_moved = [H("2050")]
    s.sp_held[AXIS] = {H("2052"): 1}
    do(s, "destroy-sp 2050", "destroy-sp 2052")
    assert (s.sp_moved, s.sp_held[AXIS]) == ([H("2050")], {H("2052"): 1})
    do(s, "destroy-sp 2050", "destroy-sp 2052")
    assert (s.sp_moved, s.sp_held[AXIS], s.sp[AXIS]) == ([], {}, {})
    supplies(s, "axis", "2050")  # captured there, say: nobody has moved it
    assert fresh_points(s, AXIS, H("2050")) == 1


@rule("na41", "13.3.2e")
def test_whoever_comes_upon_units_in_full_retreat_stops_to_see_them_off_and_may_go_on() -> None:
    s = empty()
    place(s, "GE_AA3_5L", "2046")
    place(s, "BR_3H", "2050", routed=True)
    phase(s)
    events = do(s, "move GE_AA3_5L", "to 1951 normal")
    assert at(s, "GE_AA3_5L") in ("2049", "1950")  # the first hex beside them
    assert of_kind(events, "displaced")
    while s.actor == ALLIED:  # he retreats
        do(s, texts(s)[0])
    assert at(s, "BR_3H") != "2050"
    assert "to 2050 normal" in texts(s) or "to 2051 normal" in texts(s)
    assert s.stack[-1] == GAME.framed((F_STACK,))


@rule("na41", "3.2c", "5.1a")
def test_a_new_phase_forgets_the_last() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "IT_27"], "2050")
    s.moved = s.extended = s.auto = units("IT_27")
    s.rail_used = s.convoys_used = s.moved_at_all = 1
    s.sp_moved = [H("2050")]
    s.claims = {H("2051"): units("IT_27")}
    s.control = mask("3138")
    s.carried[U("IT_27")] = U("AX_TR1")  # 5.8.2c in an advance
    phase(s)
    assert texts(s) == ["move GE_I5_5L", "move IT_27", "end-moves"]
    assert (s.moved, s.extended, s.auto, s.claims, s.sp_moved) == (0, 0, 0, {}, [])
    assert (s.rail_used, s.convoys_used, s.moved_at_all) == (0, 0, 0)
    assert s.control_before == mask("3138")  # 21.1.4a
    assert set(s.carried) == {-1}


@rule("na41", "3.2c")
def test_everything_is_offered_in_any_order() -> None:
    s = empty("axis", impulse=1)
    place(s, ["GE_I5_5L", "GE_II5_5L", "GE_115"], "2050")
    place(s, "BR_KDG", "2051")
    place(s, "IT_28", "1604")
    place(s, ["GE_RI1", "IT_27"], "italy")
    controlled_by(s, "axis", "3212")
    s.rp[AXIS], s.assets[AIR_TRANSPORT] = 2, 1
    phase(s)
    assert {"buy", "move", "fly", "convoy", "crush", "fortify", "end-moves"} <= verbs(s)
    s.control_before = s.control
    for text, verb in (("fly GE_RI1 3212", "flown"), ("fortify 1604", "fortification_begun")):
        assert verb in [e.kind for e in do(s, text)]
    assert "unfortify 1604" in texts(s)
    assert refusal(s, "fly IT_27 3212") == "18.7.6a"
    assert refusal(s, "fortify 1604") == "9.5.6a"
    assert refusal(s, "convoy italy tobruk") == "21.1.4a"
    assert refusal(s, "crush 1701").startswith("8.")
    assert refusal(s, "buy lrdg").startswith("23.")
    assert GAME.odds(s, next(a for a in GAME.legal(s) if GAME.text(a).startswith("crush"))) is not None
    assert "convoy italy tripoli" in texts(s)
    do(s, "convoy italy tripoli")
    assert names(s.convoy) == {"IT_27"}  # the only one there
