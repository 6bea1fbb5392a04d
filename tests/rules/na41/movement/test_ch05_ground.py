"""Chapter 5: ground."""

from __future__ import annotations

import pytest

from sandtable.games.na41.paths.chart import FOOT, MECH, VEHICLE
from sandtable.games.na41.paths.legs import desert_run, exits, tables
from sandtable.games.na41.table.ids import ALLIED, AXIS

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
    mask,
    of_kind,
    place,
    supplies,
    texts,
    units,
)
from ..marchkit import cost, goes, phase, refusal, verbs

rule = pytest.mark.rule


# 5.5 Desert


@rule("na41", "5.5a")
def test_desert_hexes_are_hexes() -> None:
    s = empty()
    place(s, "GE_I5_5L", "1748")
    assert cost(s, "GE_I5_5L", "1749") == 2
    phase(s)
    do(s, "move GE_I5_5L", "to 1749 normal")
    assert at(s, "GE_I5_5L") == "1749"


@rule("na41", "5.5b")
def test_ex_5_5_b() -> None:
    s = empty()
    place(s, "GE_AA3_5L", "1744")  # flat; 1645, 1545 and 1445 to the south are desert
    south = goes(s, "GE_AA3_5L")
    assert "1545" in south
    assert "1445" not in south  # 3 x 2 MPs would do
    assert "1445" not in goes(s, "GE_AA3_5L", "extended")
    phase(s)
    do(s, "move GE_AA3_5L")
    assert refusal(s, "to 1445 normal") == "5.5b"
    assert [desert_run(s, run, H("1645")) for run in (0, 1, 2)] == [1, 2, 3]
    assert desert_run(s, 2, H("1744")) == 0


@rule("na41", "5.5b")
def test_a_starting_desert_hex_does_not_count() -> None:
    s = empty()
    place(s, "GE_AA3_5L", "1545")  # A18
    assert "1345" in goes(s, "GE_AA3_5L")  # two more
    assert "1245" not in goes(s, "GE_AA3_5L")


@rule("na41", "5.5b")
def test_the_run_goes_on_over_the_legs_of_a_move() -> None:
    s = empty()
    place(s, ["GE_AA3_5L", "GE_K15"], "1744")
    phase(s)
    do(s, "move GE_AA3_5L", "join GE_K15", "to 1645 normal", "leave GE_K15")
    assert "to 1545 normal" in texts(s)
    assert "to 1445 normal" not in texts(s)


@rule("na41", "5.5b", "5.4c")
def test_tactical_movement_is_never_longer() -> None:
    s = empty()
    place(s, "IT_27", "1744")
    assert "1545" in goes(s, "IT_27", "tactical")


@rule("na41", "5.5c")
def test_ex_5_5_a() -> None:
    s = empty()
    place(s, ["GE_AA3_5L", "GE_K15"], "1747")
    phase(s)
    do(s, "move GE_AA3_5L", "join GE_K15", "to 1748 normal", "to 1749 normal")  # both desert
    assert "to 1849 normal" in texts(s)  # out of it
    assert "to 1750 normal" not in texts(s)  # 2 MPs are left, but it would be the third in a row
    do(s, "to 1849 normal", "leave GE_K15")
    assert s.run == 0
    assert "to 1850 normal" in texts(s)


# 5.7 Escarpments


@rule("na41", "5.7a")
def test_ex_5_7_a() -> None:
    s = empty()
    place(s, "IT_27", "1242")  # up to 1342 and 1343, which are rough
    assert cost(s, "IT_27", "1343") == 2  # 1 for the hexside and 1 for the rough hex
    assert cost(s, "IT_27", "1344") == 3  # and 1 for the next


@rule("na41", "5.7b")
def test_mechanised_units_do_not_cross_an_escarpment() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "GE_115", "AX_TR1"], "1243")
    a, b = H("1243"), H("1344")
    for unit in ("GE_I5_5L", "GE_115", "AX_TR1"):
        assert "1344" not in goes(s, unit) | goes(s, unit, "extended")
        assert not exits(s, U(unit), a) >> b & 1
        assert not exits(s, U(unit), b) >> a & 1
    assert exits(s, U("IT_27"), a) >> b & 1
    assert not exits(s, U("IT_27"), a, carried=True) >> b & 1


@rule("na41", "5.7c")
def test_a_road_crosses_an_escarpment_at_the_road_rate() -> None:
    crossing = next(
        (h, d)
        for d in range(6)
        for h in board.grid.hexes
        if (board.escarpments[d] & board.tracks[d] & board.open[d]) >> h & 1
    )
    a, d = crossing
    b = board.grid.names[board.grid.neighbour(a, d)]
    s = empty()
    place(s, ["GE_I5_5L", "IT_27"], board.grid.names[a])
    assert cost(s, "GE_I5_5L", b) == pytest.approx(1 / 2)
    assert cost(s, "IT_27", b) == 1


@rule("na41", "5.2.2b")
def test_ex_5_7_c() -> None:
    s = empty()
    place(s, "IT_27", "1611")
    far = goes(s, "IT_27", "road")
    assert far
    assert {cost(s, "IT_27", h, "road") for h in far} == {4}


@rule("na41", "5.3a")
def test_ex_5_7_d() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2056")
    assert cost(s, "GE_I5_5L", "2048", "extended") == 8
    assert "2047" not in goes(s, "GE_I5_5L", "extended")


@rule("na41", "5.3c", "7.2c")
def test_ex_5_7_e() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2053")
    place(s, "BR_22G", "2054")
    assert cost(s, "GE_I5_5L", "2047", "extended") == 8  # 2 to leave and 6
    assert "2046" not in goes(s, "GE_I5_5L", "extended")


@rule("na41", "2.3.3e", "2.2.1c")
def test_ridges_and_the_tobruk_perimeter_slow_those_that_the_chart_names() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "GE_115", "IT_27"], "1872")  # the ridge to 1973
    assert [cost(s, unit, "1973") for unit in ("GE_I5_5L", "GE_115", "IT_27")] == [2, 2, 1]
    outside, inside = H("2939"), H("3038")  # the perimeter
    d = board.grid.direction(outside, inside)
    kinds_ = tables(s).kinds
    assert [kinds_[k].walk.price[d][outside] for k in (FOOT, MECH, VEHICLE)] == [6, 6, 12]
    assert kinds_[VEHICLE].walk.price[(d + 3) % 6][inside] == 12 + (
        6 if board.pack.terrain["rough"] >> outside & 1 else 0
    )


# 24.2, 18.7.5, 18.8 Markers


@rule("na41", "24.2a", "24.2c")
def test_delay_markers_cost_the_enemy_one_mp() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2050")
    assert cost(s, "GE_I5_5L", "2049") == 1
    s.delay_allied[3] = H("2049")
    s.memo.clear()
    assert cost(s, "GE_I5_5L", "2049") == 2
    assert cost(s, "GE_I5_5L", "2048") == 3  # through it, or around it
    place(s, "BR_3H", "2048")
    place(s, "GE_I5_5L", "2060")
    assert cost(s, "BR_3H", "2049") == 1  # not the own units


@rule("na41", "24.2b", "18.7.5c", "18.8c")
def test_markers_do_not_matter_in_tactical_movement() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2050")
    s.delay_allied[0] = H("2049")
    s.strafing[ALLIED] = mask("2149", "2150")
    s.lrdg = mask("1949", "1950")
    s.memo.clear()
    assert cost(s, "GE_I5_5L", "2049", "tactical") == 1
    assert cost(s, "GE_I5_5L", "2048", "tactical") == 2


@rule("na41", "18.7.5c", "18.8c")
def test_strafing_costs_one_and_the_lrdg_two_mps() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2050")
    s.strafing[ALLIED] = mask("2049")
    s.lrdg = mask("2051")
    s.memo.clear()
    assert cost(s, "GE_I5_5L", "2049") == 2
    assert cost(s, "GE_I5_5L", "2051") == 3
    s.delay_allied[5] = H("2051")  # both
    s.memo.clear()
    assert cost(s, "GE_I5_5L", "2051") == 4
    place(s, "GE_I5_5L", "2060")
    place(s, "BR_3H", "2050")
    assert cost(s, "BR_3H", "2049") == cost(s, "BR_3H", "2051") == 1
    s.strafing[AXIS] = mask("2049")
    s.memo.clear()
    assert (cost(s, "BR_3H", "2049"), cost(s, "BR_3H", "2051")) == (2, 1)


# 13, 16, 19 Units that are not free to go


@rule("na41", "13.2.1a", "13.2.3b")
def test_disrupted_units_and_trucks_that_carry_them_use_tactical_movement_only() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2050", disrupted=True)
    place(s, "IT_27", "2050", disrupted=True)
    place(s, "AX_TR1", "2050")
    assert not goes(s, "GE_I5_5L") | goes(s, "GE_I5_5L", "extended")
    assert "2052" in goes(s, "GE_I5_5L", "tactical")
    phase(s)
    do(s, "move GE_I5_5L")
    assert refusal(s, "to 2053 normal") == "13.2.1a"
    do(s, "halt", "move AX_TR1", "load IT_27")
    assert {text.split()[2] for text in texts(s) if text.startswith("to ")} == {"tactical"}
    assert refusal(s, "to 2053 normal") == "13.2.3b"


@rule("na41", "16.4a")
def test_units_out_of_supply_use_tactical_movement_only() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2050", oos=True)
    assert not goes(s, "GE_I5_5L") | goes(s, "GE_I5_5L", "extended")
    phase(s)
    do(s, "move GE_I5_5L")
    assert refusal(s, "to 2053 normal") == "16.4a"


@rule("na41", "19.5b")
def test_units_under_a_replacement_marker_move_one_hex() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2050")
    s.refreshed = units("GE_I5_5L")
    assert goes(s, "GE_I5_5L", "tactical") == {"2051", "2049", "2150", "2151", "1950", "1951"}
    assert not goes(s, "GE_I5_5L") | goes(s, "GE_I5_5L", "extended")
    phase(s)
    do(s, "move GE_I5_5L")
    assert refusal(s, "to 2052 tactical") == "19.5b"


@rule("na41", "13.3.1", "13.3.2c")
def test_full_retreat_keeps_away_from_the_enemy_unless_a_friend_is_there() -> None:
    s = empty()
    place(s, "IT_FAB", "2047", routed=True)
    place(s, "BR_22G", "2050")
    assert max(cost(s, "IT_FAB", h) for h in goes(s, "IT_FAB")) == 6
    assert not goes(s, "IT_FAB") & {"2049", "2150", "1950"}
    place(s, "IT_27", "2049")
    assert "2049" in goes(s, "IT_FAB")
    s.routed |= units("IT_27")
    s.memo.clear()
    place(s, "IT_27", "2049")
    assert "2049" not in goes(s, "IT_FAB")
    phase(s)
    do(s, "move IT_FAB")
    assert refusal(s, "to 2049 normal") == "13.3.2c"


@rule("na41", "13.3.1", "13.3.3", "5.3a", "5.2.2a")
def test_full_retreat_uses_its_ma_in_every_way() -> None:
    """A64."""
    s = empty()
    place(s, "IT_FAB", "2047", routed=True)
    assert max(cost(s, "IT_FAB", h, "extended") for h in goes(s, "IT_FAB", "extended")) == 6 + 3
    place(s, "IT_27", "1707", routed=True)
    assert max(cost(s, "IT_27", h, "road") for h in goes(s, "IT_27", "road")) == 8


@rule("na41", "5.2.2a", "6.3.3b")
def test_the_road_bonus_leads_into_no_box() -> None:
    """A65."""
    s = empty()
    place(s, "IT_27", "1701")
    assert "tripoli" in goes(s, "IT_27")
    place(s, "IT_27", "1604")
    assert "1701" in goes(s, "IT_27", "road") | goes(s, "IT_27")
    assert "tripoli" not in goes(s, "IT_27", "road") | goes(s, "IT_27")


@rule("na41", "13.3.2d")
def test_full_retreat_enters_nothing_that_the_enemy_holds() -> None:
    s = empty()
    place(s, "IT_FAB", "3036", routed=True)
    controlled_by(s, "axis", "3138")
    assert "3138" in goes(s, "IT_FAB") | goes(s, "IT_FAB", "extended") | goes(s, "IT_FAB", "tactical")
    controlled_by(s, "allied", "3138")
    assert "3138" not in goes(s, "IT_FAB") | goes(s, "IT_FAB", "extended") | goes(s, "IT_FAB", "tactical")
    s.forts[ALLIED] = mask("2936")
    place(s, "AL_TR1", "2935")
    supplies(s, "allied", "3035")
    there = goes(s, "IT_FAB") | goes(s, "IT_FAB", "tactical")
    assert not there & {"2936", "2935", "3035"}
    phase(s)
    do(s, "move IT_FAB")
    assert refusal(s, "to 2936 normal") == "13.3.2d"


@rule("na41", "17.1.2c")
def test_the_tobruk_asu_does_not_move() -> None:
    s = empty("allied")
    place(s, ["AL_TOB", "AL_TR1", "BR_KDG"], "3138")
    phase(s)
    assert refusal(s, "move AL_TOB") == "17.1.2c"
    do(s, "move AL_TR1")
    assert refusal(s, "load AL_TOB") == "17.1.2c"
    assert "join BR_KDG" in texts(s)


@rule("na41", "S1.2d")
def test_the_poles_stay_in_alexandria_until_turn_11() -> None:
    s = empty("allied", turn=10)
    place(s, ["PO_CAR", "AL_TR1"], "2478")
    phase(s)
    assert refusal(s, "move PO_CAR") == "S1.2d"
    assert not [text for text in texts(s) if text.startswith("rail PO_CAR")]
    do(s, "move AL_TR1")
    assert refusal(s, "load PO_CAR") == "S1.2d"
    s = empty("allied", turn=11)
    place(s, "PO_CAR", "2478")
    phase(s)
    assert "move PO_CAR" in texts(s)


@rule("na41", "8.9.1d", "21.1.4b", "5.9.1c")
def test_marked_units_do_not_move() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "GE_AA3_5L", "GE_115"], "2050")
    phase(s)
    s.auto, s.shipped = units("GE_I5_5L"), units("GE_AA3_5L")
    s.choices = None
    assert texts(s) == ["move GE_115", "end-moves"]
    assert refusal(s, "move GE_I5_5L") == "8.9.1d"
    assert refusal(s, "move GE_AA3_5L") == "21.1.4b"
    s.flown = s.shipped
    assert refusal(s, "move GE_AA3_5L") == "18.7.6b"
    s.flown, s.railed = 0, s.shipped
    assert refusal(s, "move GE_AA3_5L") == "5.9.1c"


@rule("na41", "13.3.2d", "5.8.3")
@pytest.mark.parametrize(("unit", "rule_"), [("GE_AA3_5L", "13.3.2d"), ("AX_TR1", "5.8.3")])
def test_what_only_some_may_not_pass_is_told_as_such(unit: str, rule_: str) -> None:
    """Trucks all around: a unit in Full Retreat and an empty truck do not get past them, others do."""
    s = empty()
    place(s, unit, "2050", routed=unit == "GE_AA3_5L")
    place(s, "GE_I5_5L", "2050")
    trucks = [f"AL_TR{n}" for n in range(1, 7)]
    for truck, (_, h) in zip(trucks, board.grid.neighbours[H("2050")], strict=True):
        place(s, truck, board.grid.names[h])
    assert "2052" in goes(s, "GE_I5_5L")
    phase(s)
    do(s, f"move {unit}")
    assert refusal(s, "to 2052 normal") == rule_


# What is met on the way


@rule("na41", "8.7b", "8.7c", "16.3.5a")
def test_a_unit_that_takes_something_may_go_on() -> None:
    s = empty()
    place(s, "GE_AA3_5L", "2047")
    place(s, "AL_TR1", "2049")
    phase(s)
    do(s, "move GE_AA3_5L", "to 2049 normal")
    assert at(s, "AL_TR1") == "eliminated"
    assert "to 2053 normal" in texts(s)
    do(s, "to 2053 normal")
    assert at(s, "GE_AA3_5L") == "2053"
    assert texts(s) == ["end-moves"]


@rule("na41", "16.3.5a")
def test_whoever_passes_through_a_place_controls_it() -> None:
    s = empty()
    place(s, "GE_AA3_5L", "3211")  # Benina is 3212
    phase(s)
    events = do(s, "move GE_AA3_5L", "to 3213 normal")
    path = of_kind(events, "moved")[0].data["path"]
    assert (H("3212") in path) == ("control" in kinds(events))
    assert GAME.text(GAME.parse("to 3213 normal")) == "to 3213 normal"


@rule("na41", "5.1a", "16.3.5a")
def test_who_takes_an_airfield_may_go_on_with_the_points_that_are_left() -> None:
    for side, goes_on in (("allied", True), ("axis", False)):  # 5.1d on own ground the move is over
        s = empty("axis")
        controlled_by(s, side, "3041")
        place(s, "GE_I5_5L", "3040")
        phase(s)
        do(s, "move GE_I5_5L", "to 3041 normal")
        assert at(s, "GE_I5_5L") == "3041"
        assert s.control >> H("3041") & 1
        assert ("to" in verbs(s)) == goes_on


@rule("na41", "17.4a")
@pytest.mark.parametrize(("mode", "counts"), [("extended", 1), ("normal", 1), ("tactical", 0)])
def test_of_land_movement_only_the_tactical_kind_leaves_the_free_sp(mode: str, counts: int) -> None:
    s = empty("axis")
    place(s, "GE_I5_5L", "2050")
    phase(s)
    do(s, "move GE_I5_5L", f"to {min(goes(s, 'GE_I5_5L', mode))} {mode}")
    assert s.moved_at_all == counts
