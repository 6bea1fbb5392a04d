"""23 Event tables and resource points, and what 18.6, 18.7 and 18.8 say about getting assets."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.na41.supply.resources import gain, goods, markers_left, purchases, slot
from sandtable.games.na41.supply.support import superiority
from sandtable.games.na41.table.ids import (
    AIR_ALLIED,
    AIR_GERMAN,
    AIR_ITALIAN,
    AIR_TRANSPORT,
    ALLIED,
    ASSETS,
    AXIS,
    COASTAL,
    COMANDO,
    F_COMBAT,
    F_EVENT,
    LRDG,
    RESOURCES,
    STRAFING,
)
from sandtable.games.na41.table.state import State
from sandtable.mechanics.masks import units_of

from ..kit import GAME, board, do, empty, kinds, mask, of_kind, place, roll, start, texts
from ..phasekit import END, delay_phase, over
from ..turnkit import initial, moving, rule_of

ALLIED_STRAFING = 9


def event(side: str, *faces: int, turn: int = 8) -> State:
    """Two dice on a side's event table."""
    s = empty(side, "initial", turn=turn)
    start(s, END, (F_EVENT,))
    roll(s, *faces)
    return s


def bought(s: State) -> set[str]:
    return {RESOURCES[r] for r in units_of(purchases(s))}


@pytest.mark.rule("na41", "23.1a", "3.2b")
def test_two_dice_on_the_own_table_give_rps_or_an_asset() -> None:
    s = empty("axis", "initial")
    start(s, END, (F_EVENT,))
    assert GAME.is_chance(s)
    assert GAME.chances(s)[0] == ((GAME.parse("rolled 2")), Fraction(1, 36))
    assert event("axis", 4, 4).rp == [2, 0]
    assert event("allied", 3, 3).rp == [0, 2]
    assert event("axis", 1, 1).assets[AIR_TRANSPORT] == 1
    s = event("axis", 4, 5)
    assert (s.rp, s.assets[AIR_GERMAN]) == ([1, 0], 1)
    s = event("allied", 6, 6)
    assert (s.assets[AIR_ALLIED], s.assets[LRDG]) == (1, 1)
    assert over(s)


@pytest.mark.rule("na41", "23.1a", "21.4.3a")
def test_a_raid_that_an_event_brings_is_flown_at_once() -> None:
    for side, faces, target in (("axis", (5, 5), "3138"), ("allied", (1, 2), "tripoli")):
        s = event(side, *faces)
        if side == "axis":
            assert f"bomb {target}" in texts(s)
            do(s, f"bomb {target}")
        assert not over(s)
        events = roll(s, 6)
        assert of_kind(events, "bombing")[0].data["hit"]


@pytest.mark.rule("na41", "23.1b")
def test_no_more_than_four_rps_are_held() -> None:
    s = empty("axis", "initial")
    s.rp = [3, 0]
    start(s, END, (F_EVENT,))
    events = roll(s, 6, 6)
    assert s.rp == [4, 0]
    assert of_kind(events, "resource_points")[0].data["lost"] == 2


@pytest.mark.rule("na41", "23.0", "23.2.1a", "23.2.2")
def test_rps_buy_what_the_list_shows_for_the_phasing_player() -> None:
    s = empty("axis", "initial", turn=8)
    assert bought(s) == set()
    s.rp = [1, 4]
    one = {"air_support", "strafing", "bombing_raid", "comando_supremo", "air_transport"}
    assert bought(s) == one
    s.rp = [3, 4]
    assert bought(s) == {*one, "u_boats"}
    s.active = ALLIED
    assert bought(s) == {
        "air_support",
        "strafing",
        "bombing_raid",
        "coastal_convoy",
        "lrdg",
        "malta_reinforcement",
    }
    initial(s)
    do(s, "buy lrdg")
    assert (s.rp, s.assets[LRDG]) == ([3, 3], 1)
    assert rule_of(s, "buy comando_supremo") == "23.2.2"
    s.rp = [3, 1]
    s.choices = None
    assert rule_of(s, "buy malta_reinforcement") == "23.2.2"


@pytest.mark.rule("na41", "23.2.1a", "23.2.1b")
def test_the_same_may_be_bought_again_while_markers_last() -> None:
    s = empty("allied", "movement", turn=8)
    s.rp = [0, 4]
    moving(s)
    do(s, "buy lrdg", "buy lrdg")
    assert s.assets[LRDG] == 2
    assert "buy lrdg" not in texts(s)
    assert rule_of(s, "buy lrdg") == "23.2.3b"
    s.assets[LRDG] = 0
    s.lrdg = mask("3030", "3031")  # both lie on the map
    assert markers_left(s, ALLIED, LRDG) == 0


@pytest.mark.rule("na41", "23.2.1a")
def test_rps_are_spent_in_the_combat_phase_too() -> None:
    s = empty("axis", "combat", turn=8)
    place(s, ["GE_I5_5L", "IT_27"], "2240")
    place(s, "AU_20", "2241")
    s.rp = [1, 4]
    start(s, END, (F_COMBAT,))
    assert "buy u_boats" not in texts(s)
    assert rule_of(s, "buy u_boats") == "23.2.2"
    do(s, "buy comando_supremo")
    assert (s.rp, s.assets[COMANDO]) == ([0, 4], 1)
    assert "attack 2241" in texts(s)


@pytest.mark.rule("na41", "23.2.3b", "18.7.1b")
def test_an_event_without_a_marker_left_is_forfeited() -> None:
    s = empty("axis", "initial", turn=8)
    s.assets[AIR_GERMAN] = 1
    start(s, END, (F_EVENT,))
    events = roll(s, 4, 5)
    assert s.assets[AIR_GERMAN] == 1
    assert "asset_forfeited" in kinds(events)
    limits = {AIR_GERMAN: 1, AIR_ITALIAN: 1, AIR_TRANSPORT: 1, COMANDO: 1, STRAFING: 2}
    fresh = empty("axis")
    assert {a: markers_left(fresh, AXIS, a) for a in limits} == limits
    assert {a: markers_left(fresh, ALLIED, a) for a in (AIR_ALLIED, LRDG, COASTAL)} == {
        AIR_ALLIED: 2,
        LRDG: 2,
        COASTAL: 1,
    }


@pytest.mark.rule("na41", "23.2.3b")
def test_markers_in_use_are_not_at_hand() -> None:
    s = empty("axis", "combat", turn=8)
    s.comando = 1
    assert markers_left(s, AXIS, COMANDO) == 0
    s.strafing[AXIS] = mask("3030")
    assert markers_left(s, AXIS, STRAFING) == 1
    assert markers_left(s, ALLIED, STRAFING) == 2
    s.flown = 1
    assert markers_left(s, AXIS, AIR_TRANSPORT) == 0


@pytest.mark.rule("na41", "23.2.1c", "23.2.3a", "23.2.3c", "18.7.1a", "18.7.2")
def test_what_has_a_marker_is_kept_on_the_display() -> None:
    s = empty("axis", "initial", turn=8)
    s.rp = [4, 0]
    initial(s)
    do(s, "buy air_support")
    assert texts(s) == ["take air_support_german", "take air_support_italian"]
    do(s, "take air_support_italian")
    assert s.assets[AIR_ITALIAN] == 1
    do(s, "buy air_support")  # only the German one is left
    assert s.assets[AIR_GERMAN] == 1
    do(s, "buy comando_supremo", "buy air_transport")
    kept = s.assets[:]
    assert [ASSETS[a] for a in range(8) if kept[a]] == [
        "air_support_german",
        "air_support_italian",
        "air_transport",
        "comando_supremo",
    ]
    s.active = ALLIED
    s.stack = []
    initial(s, 0)
    assert s.assets == kept


@pytest.mark.rule("na41", "18.7.5a")
def test_one_purchase_of_strafing_gives_two_markers() -> None:
    s = empty("allied", "initial", turn=8)
    s.rp = [0, 2]
    initial(s)
    do(s, "buy strafing")
    assert s.assets[ALLIED_STRAFING] == 2
    assert "buy strafing" not in texts(s)


@pytest.mark.rule("na41", "18.6a", "18.6b", "18.6d", "18.7.4b", "18.7.5a")
def test_no_air_support_or_strafing_against_air_superiority() -> None:
    assert [board.turns[t]["air_superiority"] for t in (1, 6, 7, 14, 15, 19)] == [
        "axis",
        "axis",
        "contested",
        "contested",
        "allied",
        "allied",
    ]
    for turn, side, free in ((4, "allied", False), (4, "axis", True), (8, "allied", True), (17, "axis", False)):
        s = empty(side, "initial", turn=turn)
        s.rp = [1, 1]
        assert superiority(s) == {"axis": AXIS, "allied": ALLIED}.get(board.turns[turn]["air_superiority"], -1)
        assert bool(bought(s) & {"air_support", "strafing"}) == free
        initial(s)
        assert (rule_of(s, "buy strafing") == "18.6b") == (not free)
    s = event("allied", 1, 4, turn=4)  # but events give them
    assert s.assets[AIR_ALLIED] == 1


@pytest.mark.rule("na41", "8.4.1b", "18.8a")
def test_comando_supremo_and_the_lrdg_come_by_event_too() -> None:
    assert event("axis", 1, 3).assets[COMANDO] == 1
    assert event("allied", 2, 2).assets[LRDG] == 1


@pytest.mark.rule("na41", "22.3.4")
def test_u_boats_and_malta_reinforcement_move_the_malta_marker() -> None:
    s = empty("axis", "movement", turn=8)
    s.rp = [3, 3]
    moving(s)
    do(s, "buy u_boats")
    assert (s.malta, s.rp) == (-1, [0, 3])
    s = empty("allied", "movement", turn=8)
    s.rp = [3, 3]
    moving(s)
    do(s, "buy malta_reinforcement")
    assert (s.malta, s.rp) == (1, [3, 0])
    for side, box, item in (("axis", -3, "u_boats"), ("allied", 4, "malta_reinforcement")):
        s = empty(side, "movement", turn=8)
        s.rp, s.malta = [3, 3], box
        moving(s)
        assert rule_of(s, f"buy {item}") == "22.3.4"


def test_what_is_bought_elsewhere_is_explained() -> None:
    s = empty("axis", "initial", turn=8)
    s.rp = [4, 0]
    initial(s)
    assert rule_of(s, "buy fortification") == "9.5.3a"
    assert rule_of(s, "buy repair_port") == "21.4.4a"
    assert rule_of(s, "buy benghazi_convoy") == "22.3.5a"
    assert rule_of(s, "buy replace_hq") == "19.1.2a"


@pytest.mark.rule("na41", "23.2.1a", "18.7.5d", "18.8d")
def test_rps_are_spent_in_the_delay_phase_too() -> None:
    """The LRDG is placed in the Delay Phase: it may be bought when the fighting is over."""
    s = empty("allied", "delay")
    s.rp = [0, 1]
    delay_phase(s)
    assert "buy lrdg" in texts(s)
    assert rule_of(s, "buy comando_supremo") == "23.2.2"
    do(s, "buy lrdg")
    assert s.rp[ALLIED] == 0
    assert not any(text.startswith("buy") for text in texts(s))
    assert "lrdg 2240" in texts(s)


@pytest.mark.rule("na41", "23.2.3b", "18.7.5a")
def test_of_two_strafing_markers_one_is_forfeited_if_one_is_left() -> None:
    s = empty("axis", "initial")
    total = goods(board).assets["strafing"]["markers_total"]
    s.assets[slot(AXIS, STRAFING)] = total - 1
    gain(s, AXIS, STRAFING, "23.1a")
    assert s.assets[slot(AXIS, STRAFING)] == total
    assert of_kind(s.events, "asset")[0].data["count"] == 1
