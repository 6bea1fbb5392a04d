"""22 Convoy attacks and Malta."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.na41.movement.anti_shipping import (
    BENGHAZI,
    COAST,
    MALTA,
    ast_result,
    column,
    crete,
    modifiers,
    sea,
)
from sandtable.games.na41.table.ids import ALLIED, AT_SEA, AXIS, F_SINKING, F_SPLIT
from sandtable.games.na41.table.position import put
from sandtable.games.na41.table.state import State

from .. import kit
from ..kit import (
    GAME,
    H,
    U,
    at,
    board,
    controlled_by,
    empty,
    names,
    of_kind,
    place,
    roll,
    start,
    supplies,
    texts,
    units,
)
from ..phasekit import END, over
from ..turnkit import do_and_sail as do
from ..turnkit import fill_pools, moving, prepare, prepared, rule_of

PORT = {name: i for i, name in enumerate(board.port_ids)}


def italy(malta: int = 0, points: int = 0) -> State:
    s = empty("axis", "movement", turn=4, impulse=1)
    controlled_by(s, "axis", "3211")
    fill_pools(s)
    s.malta = malta
    s.rp = [points, 0]
    return s


def total(s: State, leg: int) -> int:
    return sum(value for value, _, _ in modifiers(s, leg))


# 22.1, 22.2 The anti-shipping table


@pytest.mark.rule("na41", "22.1a", "22.1b")
def test_a_convoy_takes_what_is_in_one_port() -> None:
    s = empty("allied", "movement", turn=8)
    place(s, "AU_20", "2478")
    place(s, "BR_11H", "2660")
    moving(s)
    do(s, "convoy alexandria tobruk")
    assert (at(s, "AU_20"), at(s, "BR_11H")) == ("at_sea", "2660")
    s = empty("allied", "movement", turn=8)
    place(s, ["AU_20", "IN_CIH"], "2478")
    place(s, "BR_11H", "2660")
    moving(s)
    do(s, "convoy alexandria tobruk")
    assert rule_of(s, "ship BR_11H") == "21.1.1a"
    assert rule_of(s, "sail") == "22.1a"
    assert rule_of(s, "end-moves") == "22.1a"


@pytest.mark.rule("na41", "22.2.1a")
def test_two_dice_are_rolled_for_every_convoy() -> None:
    s = empty("allied", "movement", turn=8)
    place(s, "AU_20", "2478")
    moving(s)
    do(s, "convoy alexandria tobruk")
    assert GAME.is_chance(s)
    assert dict(GAME.chances(s))[GAME.parse("rolled 7")] == Fraction(1, 6)


@pytest.mark.rule("na41", "22.2.1c")
def test_the_worse_column_of_the_two_ports_is_used() -> None:
    assert sea(board).columns == ("tripoli", "alexandria", "benghazi", "mersa_matruh", "derna", "bardia", "tobruk")
    s = empty("allied", "movement", turn=8)
    for a, b, expected in (
        ("alexandria", "tobruk", "tobruk"),
        ("tobruk", "alexandria", "tobruk"),
        ("nile_delta", "alexandria", "alexandria"),
        ("mersa_matruh", "derna", "derna"),
    ):
        s.convoy_from, s.convoy_to = PORT[a], PORT[b]
        assert sea(board).columns[column(s, COAST)] == expected


@pytest.mark.rule("na41", "22.2.1b", "22.2.2a", "22.2.2b", "22.2.2c", "22.2.3", "3.1i")
def test_the_coastal_modifiers() -> None:
    s = empty("axis", "movement", turn=4, impulse=2)
    assert total(s, COAST) == 0
    controlled_by(s, "axis", "3212", "3629", "3041")
    assert total(s, COAST) == -3
    assert [(value, str(words)) for value, _, words in modifiers(s, COAST)] == [(-3, "friendly airfields: 3")]
    s.active = ALLIED
    assert total(s, COAST) == -3  # Sidi Barrani, Fuka and Crete
    s.turn = 6
    assert total(s, COAST) == -2
    assert (crete(s), s.turn) == (AXIS, 6)
    s.active = AXIS
    assert total(s, COAST) == -4
    s.impulse = 3
    assert total(s, COAST) == -5
    s.malta = 4
    assert total(s, COAST) == -5


@pytest.mark.rule("na41", "22.2.1b", "22.2.1d", "22.3.1a", "22.3.2a")
def test_italy_convoys_use_the_malta_modifier_and_the_column_of_tripoli() -> None:
    s = italy(3)
    controlled_by(s, "axis", "3212", "3629", "3041")
    s.convoy_from, s.convoy_to = PORT["italy"], PORT["tripoli"]
    assert [(v, r) for v, r, _ in modifiers(s, MALTA)] == [(3, "22.3.2a")]
    assert sea(board).columns[column(s, MALTA)] == "tripoli"
    assert sea(board).column[PORT["italy"]] == -1


@pytest.mark.rule("na41", "22.2.4a", "22.2.1a")
def test_the_table_ends_at_its_first_and_last_row() -> None:
    s = italy(-3)
    s.convoy_from, s.convoy_to = PORT["italy"], PORT["tripoli"]
    assert ast_result(s, MALTA, 2) == 0
    s.malta = 4
    assert ast_result(s, MALTA, 12) == 5
    supplies(s, "axis", "italy", 1)
    s.malta = -3
    moving(s)
    do(s, "convoy italy tripoli")
    roll(s, 1, 2)
    assert s.sp[AXIS] == {board.tripoli: 1}


# 22.2.4, 22.2.5 What is sunk


@pytest.mark.rule("na41", "22.2.4b", "22.2.5")
def test_ex_22_2_5() -> None:
    for face, sps, steps in ((1, 0, 0), (2, 0, 3), (3, 2, 3)):
        s = italy()
        place(s, "GE_104_15", "italy")
        supplies(s, "axis", "italy", 2)
        moving(s)
        do(s, "convoy italy tripoli", "ship GE_104_15", "ship-sp", "ship-sp")
        roll(s, 4, 4)  # Tripoli, 8: result 2
        while s.stack[-1][0] != s.stack[0][0] and (GAME.is_chance(s) or "remnant" in texts(s)):
            if GAME.is_chance(s):
                roll(s, face)
            else:
                do(s, "remnant")
        assert s.sp[AXIS].get(board.tripoli, 0) == sps
        alive = at(s, "GE_104_15") == "tripoli"
        assert (3 - s.step[U("GE_104_15")] if alive else 0) == steps
        if not alive:
            assert at(s, "GE_104_15") == "eliminated"


@pytest.mark.rule("na41", "21.3.2a", "22.2.4b")
def test_what_is_sunk_on_the_way_has_taken_room_in_the_port_all_the_same() -> None:
    """A68"""
    s = italy(points=1)
    s.port_level[PORT["benghazi"]] = 2  # capacity 3
    supplies(s, "axis", "italy", 4)
    moving(s)
    do(s, "convoy italy benghazi", *["ship-sp"] * 2)  # the first embarks by itself
    roll(s, 4, 4)  # Tripoli, 8: result 2
    for _ in range(3):
        roll(s, 1)
    assert s.sp[AXIS] == {board.italy: 1}
    s.rp = [1, 0]
    s.choices = None
    assert "convoy italy tripoli" in texts(s)
    assert rule_of(s, "convoy italy benghazi") == "21.3.2a"


@pytest.mark.rule("na41", "22.2.4c")
def test_where_the_sunk_go() -> None:
    s = italy(4)
    place(s, ["GE_I8", "AX_TR1", "GE_RI1"], "italy")
    supplies(s, "axis", "italy", 1)
    moving(s)
    do(s, "convoy italy tripoli", "ship GE_I8", "ship AX_TR1", "ship GE_RI1", "ship-sp")
    roll(s, 6, 6)
    roll(s, 1, 1, 1, 1, 1)
    assert at(s, "GE_I8") == "eliminated"
    assert at(s, "AX_TR1") == "eliminated"
    assert at(s, "GE_RI1") == "replacement_pool"
    assert s.sp[AXIS] == {}
    assert "end-moves" in texts(s)


@pytest.mark.rule("na41", "22.2.4b")
def test_a_unit_that_is_gone_is_not_rolled_for_again() -> None:
    s = italy(4)
    place(s, "GE_104_15", "italy")
    moving(s)
    do(s, "convoy italy tripoli")
    roll(s, 6, 6)
    roll(s, 1, 1)
    assert texts(s) == ["remnant", "no-remnant"]
    do(s, "no-remnant")
    assert at(s, "GE_104_15") == "eliminated"
    assert "end-moves" in texts(s)


@pytest.mark.rule("na41", "22.2.4b", "21.2c")
def test_an_msu_is_rolled_for_twice() -> None:
    """A34: one roll for its SP and one for the truck."""
    for faces, truck, msu, loose in (
        ((1, 6), "tripoli", 0, 0),
        ((6, 6), "tripoli", 1, 0),
        ((6, 1), "eliminated", 0, 1),
    ):
        s = italy(4)
        place(s, "AX_TR1", "italy", msu=True)
        moving(s)
        do(s, "convoy italy tripoli")
        roll(s, 6, 5)  # result 5
        roll(s, *faces)
        assert (at(s, "AX_TR1"), s.msu.bit_count()) == (truck, msu)
        assert s.sp[AXIS].get(board.tripoli, 0) == loose
        assert not GAME.invariants(s)


# 22.3 Italy to Africa


@pytest.mark.rule("na41", "22.3.1b", "22.3.5a")
def test_benghazi_costs_an_rp_before_the_convoy_leaves() -> None:
    s = italy(0, 1)
    supplies(s, "axis", "italy", 2)
    moving(s)
    assert {"convoy italy tripoli", "convoy italy benghazi"} <= set(texts(s))
    do(s, "convoy italy benghazi")
    assert s.rp == [0, 0]
    s = italy(0, 0)
    supplies(s, "axis", "italy", 2)
    moving(s)
    assert rule_of(s, "convoy italy benghazi") == "22.3.5a"


def bound_for_benghazi() -> State:
    s = italy(0, 1)
    place(s, ["GE_AA33", "GE_K15"], "italy")
    supplies(s, "axis", "italy", 1)
    moving(s)
    do(s, "convoy italy benghazi", "ship GE_AA33", "ship GE_K15", "ship-sp")
    if "sail" in texts(s):
        do(s, "sail")
    return s


@pytest.mark.rule("na41", "22.3.5b", "22.3.5d")
def test_a_convoy_to_benghazi_is_looked_for_twice_and_may_split() -> None:
    s = bound_for_benghazi()
    assert sea(board).columns[column(s, MALTA)] == "tripoli"
    roll(s, 1, 1)
    assert texts(s) == ["sail", "on GE_K15", "on GE_AA33", "sp-on"] or set(texts(s)) == {
        "sail",
        "on GE_AA33",
        "on GE_K15",
        "sp-on",
    }
    do(s, "on GE_K15", "sp-on", "sail")
    assert at(s, "GE_AA33") == "tripoli"
    assert at(s, "GE_K15") == "at_sea"
    assert sea(board).columns[column(s, BENGHAZI)] == "benghazi"
    assert [r for _, r, _ in modifiers(s, BENGHAZI)] == []  # the coastal ones
    events = roll(s, 3, 3)  # 6 on the Benghazi column: result 2
    assert of_kind(events, "anti_shipping")[0].data["result"] == 2
    roll(s, 6, 2)  # the unit is safe, the SP is sunk
    assert at(s, "GE_K15") == "3211"
    assert s.sp[AXIS] == {}
    assert names(s.shipped) == {"GE_K15", "GE_AA33"}  # 21.1.5a, and in the arrival area of Tripoli (21.1.5c)
    assert (s.landed[PORT["benghazi"]], s.landed[PORT["tripoli"]]) == (2, 1)


@pytest.mark.rule("na41", "22.3.5d")
def test_all_may_land_at_tripoli() -> None:
    s = bound_for_benghazi()
    roll(s, 1, 1)
    do(s, "sail")
    assert (at(s, "GE_AA33"), at(s, "GE_K15")) == ("tripoli", "tripoli")
    assert s.sp[AXIS] == {board.tripoli: 1}
    assert "end-moves" in texts(s)


@pytest.mark.rule("na41", "22.3.5d", "21.3.2a")
def test_no_more_land_at_tripoli_than_it_has_room_for() -> None:
    s = bound_for_benghazi()
    s.landed[PORT["tripoli"]] = 13  # of 14
    roll(s, 1, 1)
    assert "sail" not in texts(s)
    assert rule_of(s, "sail") == "21.3.2a"
    do(s, "sp-on")
    assert rule_of(s, "sail") == "21.3.2a"
    do(s, "on GE_K15", "sail")
    assert at(s, "GE_AA33") == "tripoli"
    assert s.landed[PORT["tripoli"]] == 14


@pytest.mark.rule("na41", "22.3.5c")
def test_a_convoy_to_benghazi_stays_within_its_capacity() -> None:
    s = italy(0, 1)
    s.port_level[PORT["benghazi"]] = 3  # capacity 1
    supplies(s, "axis", "italy", 3)
    moving(s)
    do(s, "convoy italy benghazi")
    assert s.convoy_sp == 1
    assert s.sp[AXIS][board.italy] == 2


@pytest.mark.rule("na41", "22.3.2b")
def test_whose_opportunity_it_is() -> None:
    sides = [board.turns[t]["malta_side"] for t in range(1, 20)]
    assert sides == ["luftwaffe"] * 5 + ["allied"] * 13 + ["luftwaffe"]


@pytest.mark.rule("na41", "22.3.3", "3.1c")
def test_ex_22_3_3() -> None:
    for face, box in ((4, -1), (5, -2), (6, -2)):
        s = prepared(4)
        s.malta = -1
        prepare(s, "roll_for_malta")
        roll(s, face)
        assert s.malta == box
    for face, box in ((4, 2), (5, 3)):
        s = prepared(10)
        s.malta = 2
        prepare(s, "roll_for_malta")
        roll(s, face)
        assert s.malta == box


@pytest.mark.rule("na41", "22.3.3")
def test_no_roll_in_the_last_box() -> None:
    for turn, box in ((4, -3), (10, 4)):
        s = prepared(turn)
        s.malta = box
        prepare(s, "roll_for_malta")
        assert over(s)  # A47


# The convoy example of the book


@pytest.mark.rule("na41", "21.2a", "21.2b", "21.1.3c", "22.2.1a", "22.2.4b", "22.2.4c", "22.2.5", "22.3.1a")
def test_ex_cv_a_to_d() -> None:
    s = italy(-2)
    place(s, ["GE_I8", "GE_AA33", "GE_115", "IT_RT1"], "italy")
    supplies(s, "axis", "italy", 2)
    moving(s)
    do(s, "convoy italy tripoli")
    assert "/14" in GAME.prompt(s).text or "of 14" in GAME.prompt(s).text
    do(s, "ship GE_I8", "ship GE_AA33", "ship GE_115", "ship IT_RT1", "ship-sp", "ship-sp")
    events = [] if GAME.is_chance(s) else do(s, "sail")
    assert s.landed[PORT["tripoli"]] == 8  # EX-CV-A
    assert not of_kind(events, "landed")
    found = of_kind(roll(s, 5, 5), "anti_shipping")[0].data
    assert (found["drm"], found["result"]) == (-2, 2)  # EX-CV-B, EX-CV-C
    items = s.stack[-1].items
    assert len(items) == 5 + 1 + 2
    for item in items:
        # EX-CV-D: one SP, one German tank step and the replacement are sunk
        sunk = item in (U("IT_RT1"),) or (item == U("GE_I8") and s.step[item] == 0) or (item == -1 and s.convoy_sp == 2)
        roll(s, 1 if sunk else 2 if item >= 0 and board.combat >> item & 1 else 3)
    assert (at(s, "GE_I8"), s.step[U("GE_I8")]) == ("tripoli", 1)
    assert (at(s, "GE_AA33"), at(s, "GE_115"), s.step[U("GE_115")]) == ("tripoli", "tripoli", 0)
    assert at(s, "IT_RT1") == "replacement_pool"
    assert s.sp[AXIS] == {board.tripoli: 1}


@pytest.mark.rule("na41", "22.2.1c", "22.2.2a", "22.2.4a", "21.1.2d", "21.1.5a")
def test_ex_cv_e_to_g() -> None:
    s = empty("axis", "movement", turn=4, impulse=1)
    controlled_by(s, "axis", "3211", "3212", "3629", "3041")
    s.port_level[PORT["benghazi"]] = 2  # EX-CV-F capacity 3 is no hindrance
    place(s, "GE_RI1", "tripoli")
    supplies(s, "axis", "tripoli", 1)
    moving(s)
    do(s, "convoy tripoli benghazi", "ship GE_RI1", "ship-sp")
    events = roll(s, 4, 4)
    found = of_kind(events, "anti_shipping")[0].data
    assert (found["drm"], found["column"], found["result"]) == (-3, "benghazi", 0)
    assert (at(s, "GE_RI1"), s.sp[AXIS]) == ("3211", {H("3211"): 1})
    assert (names(s.shipped), s.sp_held[AXIS]) == ({"GE_RI1"}, {H("3211"): 1})  # EX-CV-G


@pytest.mark.rule("na41", "22.3.5d")
def test_nobody_goes_on_to_benghazi_twice() -> None:
    s = empty("axis", "movement", 4, 1)
    controlled_by(s, "axis", "3211")
    for name in ("GE_I8", "GE_AA33"):
        put(s, U(name), AT_SEA)
    s.convoy, s.convoy_sp = units("GE_I8", "GE_AA33"), 1
    s.convoy_from, s.convoy_to = board.port_ids.index("italy"), board.port_ids.index("benghazi")
    s.landed[s.convoy_to] = 4
    start(s, END, (F_SPLIT, 0))
    assert set(texts(s)) == {"sail", "on GE_I8", "on GE_AA33", "sp-on"}
    do(s, "on GE_I8", "sp-on")
    assert texts(s) == ["sail", "on GE_AA33"]
    s = empty("axis", "movement", 4, 1)
    s.convoy_from, s.convoy_to = board.port_ids.index("italy"), board.port_ids.index("benghazi")
    start(s, END, (F_SPLIT, 0))  # everything was sunk off Malta
    assert s.stack == [END]


@pytest.mark.rule("na41", "22.2.5", "22.2.4b")
def test_only_combat_units_have_escorts() -> None:
    for item, left in (("AX_TR1", False), ("GE_RI1", False), ("GE_AA33", True)):
        s = empty("axis", "movement", 4, 1)
        put(s, U(item), AT_SEA)
        s.convoy = units(item)
        s.convoy_from, s.convoy_to = PORT["italy"], PORT["tripoli"]
        start(s, END, (F_SPLIT, -1), (F_SINKING, 2, U(item)))
        roll(s, 2)
        assert (at(s, item) == "tripoli") == left


@pytest.mark.rule("na41", "21.1.1b", "22.1a", "22.3.5a")
def test_a_convoy_sails_when_its_owner_says_so_and_can_be_called_off_before() -> None:
    """Where only one thing could embark it sailed at once in games of version 1, without a word about the odds."""
    for edition in (1, 2):
        s = empty("axis", impulse=1)
        s.edition = edition
        s.rp[AXIS] = 1
        place(s, "GE_AA33", "italy")
        controlled_by(s, "axis", "3211")
        moving(s)
        events = kit.do(s, "convoy italy benghazi")
        assert GAME.is_chance(s) == (edition == 1)
        if edition == 1:
            continue
        assert texts(s) == ["sail"]
        assert GAME.to_act(s) == AXIS
        assert not any(event.final for event in events), "so that it can be undone without asking anybody"
        assert str(GAME.prompt(s).text).startswith(
            f"On board: {board.unit_names[U('GE_AA33')]}. Shipping points: 1 of "
        )
        odds = GAME.odds(s, GAME.parse("sail"))
        assert odds is not None
        assert [term.rule for term in odds.terms] == ["22.3.2a"]
        assert (at(s, "GE_AA33"), s.rp[AXIS]) == ("italy", 0)
        kit.do(s, "sail")
        assert GAME.is_chance(s)
