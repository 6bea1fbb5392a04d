"""19 Replacements."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat.combat import FROZEN
from sandtable.games.na41.supply.supply_lines import fed_by_port, full
from sandtable.games.na41.table.ids import (
    AT_SEA,
    ELIMINATED,
    F_COMBAT,
    F_RECOVERY,
    REMOVED,
    RESERVE,
    SURRENDER_LEFT,
    WITHDRAWN,
)
from sandtable.games.na41.table.position import eliminate, put, remnants_left
from sandtable.games.na41.table.state import State
from sandtable.games.na41.turn.replacements import draw

from ..kit import H, U, at, board, do, empty, mask, names, new, of_kind, place, start, texts, units, why
from ..phasekit import END, over
from ..turnkit import dead, initial, moving, prepare, prepared, rule_of

# 2240 and the hexes around it are flat; El Agheila (1604) lies on the road from Tripoli


def axis(turn: int = 8) -> State:
    return empty("axis", "initial", turn=turn)


def allied(turn: int = 8) -> State:
    return empty("allied", "initial", turn=turn)


def offers(s: State) -> set[tuple[str, ...]]:
    """Who may take which replacement now."""
    initial(s)
    return {tuple(t.split()[1:]) for t in texts(s) if t.startswith("replace ")}


# 19.1, 19.2.2, 19.2.4 Receipt


@pytest.mark.rule("na41", "19.1.1b", "19.1.1c", "3.1b", "6.1.3")
def test_the_turn_track_puts_replacements_into_the_bases() -> None:
    s = prepared(6)
    prepare(s, "replacements")
    assert over(s)
    here = {board.units[u]: at(s, board.units[u]) for u in range(len(board.units)) if board.replacements >> u & 1}
    assert {k: v for k, v in here.items() if v != "replacement_pool"} == {
        "GE_RT1": "italy",
        "IT_RI1": "italy",
        "BR_RT1": "nile_delta",
        "BR_RT2": "nile_delta",
    }
    assert names(s.heavy) == {"BR_RT2"}  # 19.2.5b


@pytest.mark.rule("na41", "19.2.2b")
def test_without_a_counter_in_the_pool_a_replacement_is_forfeited() -> None:
    s = prepared(6)
    for name in ("GE_RT1", "GE_RT2", "GE_RT3"):
        place(s, name, "tripoli")
    events = prepare(s, "replacements")
    assert [(e.rule, e.data["code"]) for e in of_kind(events, "replacement_forfeited")] == [("19.2.2b", "ge_tank")]


@pytest.mark.rule("na41", "19.2.4a")
def test_any_infantry_is_picked_by_its_owner() -> None:
    s = prepared(15)
    prepare(s, "replacements")
    assert s.actor == 0
    assert texts(s) == ["choose GE_RI1", "choose IT_RI1"]
    do(s, "choose IT_RI1")
    assert at(s, "IT_RI1") == "italy"
    assert texts(s) == [f"choose {n}_RI1" for n in ("BR", "IN", "AU", "NZ", "SA", "PO")]
    assert rule_of(s, "choose GE_RI1") == "19.2.4a"


@pytest.mark.rule("na41", "19.2.4b")
def test_british_or_indian() -> None:
    s = prepared(8)
    prepare(s, "replacements")
    assert texts(s) == ["choose BR_RI1", "choose IN_RI1"]


# 19.2 What is good for whom


@pytest.mark.rule("na41", "19.2.3a", "19.2.3b", "19.2.5a", "19.2.5b")
def test_tank_replacements() -> None:
    s = allied()
    place(s, ["BR_7R", "BR_5R", "BR_11H"], "nile_delta", "reduced")
    s.step[U("BR_11H")] = 0
    place(s, "BR_RT1", "nile_delta")
    assert board.matildas >> U("BR_7R") & 1
    assert offers(s) == {("BR_5R", "BR_RT1")}
    assert rule_of(s, "replace BR_7R BR_RT1") == "19.2.5a"
    s = allied()
    place(s, ["BR_7R", "BR_5R"], "nile_delta", "reduced")
    place(s, "BR_RT1", "nile_delta")
    s.heavy = units("BR_RT1")
    assert offers(s) == {("BR_5R", "BR_RT1"), ("BR_7R", "BR_RT1")}


@pytest.mark.rule("na41", "19.2.3c", "19.3.2b")
def test_infantry_replacements_and_nationality() -> None:
    s = axis()
    place(s, ["GE_MG8_5L", "GE_FL33", "GE_I5_5L", "IT_27"], "italy", "reduced")
    dead(s, "GE_AA3_5L")
    place(s, "GE_RI1", "italy")
    assert {u for u, _ in offers(s)} == {"GE_MG8_5L", "GE_FL33", "GE_AA3_5L"}
    assert rule_of(s, "replace IT_27 GE_RI1") == "19.3.2b"
    assert rule_of(s, "replace GE_I5_5L GE_RI1") == "19.2.3c"


@pytest.mark.rule("na41", "19.2.1a")
def test_replacements_have_no_strength_and_no_zoc() -> None:
    for u in range(len(board.units)):
        if board.replacements >> u & 1:
            assert board.dfn[u] == (0,)
            assert not board.combat >> u & 1
    s = allied()
    place(s, "BR_RI1", "2240")
    assert not s.zocs[1]
    assert not s.men[1]


@pytest.mark.rule("na41", "19.2.1b", "19.2.2a")
def test_a_replacement_that_is_overrun_goes_to_the_pool() -> None:
    s = empty("axis", "movement", turn=8)
    place(s, "BR_RI1", "2240")
    place(s, "GE_I5_5L", "2238")
    moving(s)
    do(s, "move GE_I5_5L", "to 2240 normal")
    assert at(s, "BR_RI1") == "replacement_pool"


# 19.3 Restoring a unit


@pytest.mark.rule("na41", "19.1.1a", "19.3.1a", "19.3.1b", "19.2.2a", "19.5a")
def test_ex_19_3_1() -> None:
    s = axis()
    place(s, "GE_I5_5L", "1607", "reduced")
    place(s, "GE_RT1", "1602")
    assert offers(s) == {("GE_I5_5L", "GE_RT1")}
    do(s, "replace GE_I5_5L GE_RT1")
    assert s.step[U("GE_I5_5L")] == 0
    assert at(s, "GE_RT1") == "replacement_pool"
    assert names(s.refreshed) == {"GE_I5_5L"}
    assert over(s)
    s = axis()
    place(s, "GE_I5_5L", "1607", "reduced")
    place(s, "GE_RT1", "1602", isolated=True)  # when it comes again, it is another one
    assert offers(s) == {("GE_I5_5L", "GE_RT1")}
    do(s, "replace GE_I5_5L GE_RT1")
    assert s.oos == s.isolated == 0
    s = axis()
    place(s, "GE_I5_5L", "1608", "reduced")  # six hexes
    place(s, "GE_RT1", "1602")
    assert offers(s) == set()
    s = axis()
    place(s, "GE_I5_5L", "1607", "reduced")
    place(s, "GE_RT1", "1602")
    place(s, ["BR_5R"], "1605")  # enemies on every way
    place(s, ["BR_1R"], "1405")
    place(s, ["BR_4R"], "1805")
    assert offers(s) == set()
    s.rp = [1, 0]
    s.choices = None
    s.stack = []
    initial(s)
    assert rule_of(s, "replace GE_I5_5L GE_RT1") == "19.3.1a"


@pytest.mark.rule("na41", "19.3.1a", "16.3.1a")
def test_a_path_may_end_in_a_box_but_not_begin_in_one() -> None:
    """A57"""
    s = allied()
    place(s, "BR_1R", "2076", "reduced")  # four hexes to the edge of the map, and one more
    place(s, "BR_RT1", "nile_delta")
    assert board.grid.distance(H("2076"), H("2080")) == 4
    assert offers(s) == {("BR_1R", "BR_RT1")}
    s = allied()
    place(s, "BR_1R", "2075", "reduced")
    place(s, "BR_RT1", "nile_delta")
    assert offers(s) == set()
    for where in ("nile_delta", "2080"):
        s = allied()
        s.rp = [0, 1]
        place(s, "BR_1R", where, "reduced")
        place(s, "BR_RT1", "2080")
        assert offers(s) == ({("BR_1R", "BR_RT1")} if where == "2080" else set())
        assert rule_of(s, "replace BR_1R BR_RT1") == ("" if where == "2080" else "19.3.1a")
    s = allied()
    put(s, U("IN_5"), WITHDRAWN)  # 19.3.3 as if in the Nile Delta
    s.step[U("IN_5")] = 1
    place(s, "IN_RI1", "2080")
    assert offers(s) == set()


@pytest.mark.rule("na41", "19.3.1a", "13.2.1e", "16.4d")
def test_only_in_good_order_and_in_supply() -> None:
    for state, rule in (("disrupted", "13.2.1e"), ("routed", "13.2.1e"), ("oos", "16.4d")):
        s = axis()
        s.rp = [1, 0]
        place(s, "GE_I5_5L", "1604", "reduced")
        setattr(s, state, units("GE_I5_5L"))
        place(s, "GE_RT1", "1604")
        assert offers(s) == set()
        assert rule_of(s, "replace GE_I5_5L GE_RT1") == rule


@pytest.mark.rule("na41", "19.3.2a")
def test_no_unit_takes_two_in_a_phase() -> None:
    s = axis()
    place(s, "GE_104_15", "tripoli", "remnant")
    place(s, ["GE_RI1", "GE_RI2"], "tripoli")
    assert offers(s) == {("GE_104_15", "GE_RI1")}  # like replacements in one place are offered once
    s.rp = [1, 0]
    do(s, "replace GE_104_15 GE_RI1")
    assert s.step[U("GE_104_15")] == 1  # 19.6a
    assert rule_of(s, "replace GE_104_15 GE_RI2") == "19.3.2a"
    s.stack = []
    initial(s, 0)  # the next Initial Phase
    while s.actor == -1:
        do(s, "rolled 7")
    assert "replace GE_104_15 GE_RI2" in texts(s)


@pytest.mark.rule("na41", "19.3.2a", "19.4.1a")
def test_nor_does_a_unit_that_a_replacement_has_just_brought_back() -> None:
    s = axis()
    s.rp = [1, 0]
    dead(s, "GE_115")
    place(s, ["GE_RI1", "GE_RI2"], "tripoli")
    assert offers(s) == {("GE_115", "GE_RI1")}
    do(s, "replace GE_115 GE_RI1")
    assert (at(s, "GE_115"), s.step[U("GE_115")]) == ("tripoli", 1)
    assert rule_of(s, "replace GE_115 GE_RI2") == "19.3.2a"


@pytest.mark.rule("na41", "19.6a", "19.6b")
def test_a_remnant_becomes_its_parent_reduced() -> None:
    s = axis()
    place(s, "GE_104_15", "tripoli", "remnant")
    place(s, "GE_RI1", "tripoli")
    initial(s)
    do(s, "replace GE_104_15 GE_RI1")
    assert (at(s, "GE_104_15"), s.step[U("GE_104_15")]) == ("tripoli", 1)
    assert not any(s.at[u] >= 0 for u in range(len(board.units)) if board.remnant_counters >> u & 1)


@pytest.mark.rule("na41", "19.3.3", "20.3b")
def test_the_withdrawn_box_counts_as_the_nile_delta() -> None:
    s = allied()
    put(s, U("IN_5"), WITHDRAWN)
    s.step[U("IN_5")] = 1
    place(s, "IN_RI1", "nile_delta")
    assert offers(s) == {("IN_5", "IN_RI1")}
    do(s, "replace IN_5 IN_RI1")
    assert (at(s, "IN_5"), s.step[U("IN_5")]) == ("withdrawn", 0)
    s = allied()
    put(s, U("IN_5"), WITHDRAWN)
    s.step[U("IN_5")] = 1
    place(s, "IN_RI1", "2240")  # not in the Delta
    assert offers(s) == set()


@pytest.mark.rule("na41", "19.2.3b", "19.2.5b")
def test_a_heavy_and_a_normal_tank_replacement_in_one_place_are_not_alike() -> None:
    s = allied()
    place(s, ["BR_RT1", "BR_RT2", "BR_RT3"], "nile_delta")
    s.heavy = units("BR_RT2")
    place(s, "BR_3H", "nile_delta", "reduced")
    assert offers(s) == {("BR_3H", "BR_RT1"), ("BR_3H", "BR_RT2")}  # of two that are alike one


# 19.4 Return


@pytest.mark.rule("na41", "19.1.1a", "19.4.1a", "19.5a")
def test_a_unit_returns_in_the_box_of_the_replacement() -> None:
    s = axis()
    dead(s, "GE_I5_5L", "GE_104_15")
    place(s, "GE_RT1", "tripoli")
    place(s, "GE_RI1", "italy")
    assert offers(s) == {("GE_I5_5L", "GE_RT1"), ("GE_104_15", "GE_RI1")}
    do(s, "replace GE_I5_5L GE_RT1", "replace GE_104_15 GE_RI1")
    assert (at(s, "GE_I5_5L"), s.step[U("GE_I5_5L")]) == ("tripoli", 1)
    assert (at(s, "GE_104_15"), s.step[U("GE_104_15")]) == ("italy", 2)
    assert names(s.refreshed) == {"GE_I5_5L", "GE_104_15"}


@pytest.mark.rule("na41", "19.4.1b", "19.4.2b", "17.1.2g")
def test_a_unit_returns_with_a_corps_hq_of_its_nation() -> None:
    s = axis()
    dead(s, "GE_I5_5L", "IT_27")
    place(s, ["GE_RT1", "IT_RI1", "GE_DAK"], "1604")
    assert offers(s) == {("GE_I5_5L", "GE_RT1")}
    assert rule_of(s, "replace IT_27 IT_RI1") == "19.4.2b"
    do(s, "replace GE_I5_5L GE_RT1")
    assert at(s, "GE_I5_5L") == "1604"
    s = axis()
    dead(s, "GE_I5_5L")
    place(s, ["GE_RT1", "GE_ARKO"], "1604")  # 18.3a an artillery group is no entry point
    assert offers(s) == set()
    for state in ("disrupted", "routed"):
        s = axis()
        dead(s, "GE_I5_5L")
        place(s, "GE_RT1", "1604")
        place(s, "GE_DAK", "1604", disrupted=state == "disrupted", routed=state == "routed")
        assert offers(s) == set()


@pytest.mark.rule("na41", "19.4.1b")
def test_port_supply_will_not_do_for_the_hq() -> None:
    s = allied()
    dead(s, "BR_5R")
    place(s, ["BR_RT1", "AL_XIII"], "3138")
    assert offers(s) == {("BR_5R", "BR_RT1")}
    s = allied()
    dead(s, "BR_5R")
    place(s, ["BR_RT1", "AL_XIII", "AU_20"], "3138")
    for name, h in (("GE_I5_5L", "2936"), ("GE_II5_5L", "2938"), ("IT_27", "3036"), ("IT_28", "3039")):
        place(s, name, h)
    assert not full(s, 1) >> H("3138") & 1
    assert fed_by_port(s, 1) >> H("3138") & 1
    assert offers(s) == set()


@pytest.mark.rule("na41", "19.4.1c")
def test_a_three_step_unit_needs_a_remnant() -> None:
    pool = [board.units[u] for u in range(len(board.units)) if board.remnant[u] == "AL_REM_INF"]
    others = [name for name in pool if name != "AU_20"]
    s = allied()
    s.rp = [0, 1]
    dead(s, "AU_20")
    place(s, "AU_RI1", "nile_delta")
    place(s, others[:7], "2470", "remnant")
    assert offers(s) == {("AU_20", "AU_RI1")}
    place(s, others[7], "2470", "remnant")
    s.stack = []
    assert offers(s) == set()
    assert rule_of(s, "replace AU_20 AU_RI1") == "19.4.1c"


@pytest.mark.rule("na41", "19.4.2a")
def test_no_return_next_to_an_enemy_combat_unit() -> None:
    s = axis()
    s.rp = [1, 0]
    dead(s, "GE_I5_5L")
    place(s, ["GE_RT1", "GE_DAK", "IT_27"], "1604")
    place(s, "BR_5R", "1605")
    assert offers(s) == set()
    assert rule_of(s, "replace GE_I5_5L GE_RT1") == "19.4.2a"
    s = axis()
    dead(s, "GE_I5_5L")
    place(s, ["GE_RT1", "GE_DAK"], "1604")
    place(s, "AL_TR1", "1605")  # a truck is no combat unit
    assert offers(s) == {("GE_I5_5L", "GE_RT1")}


@pytest.mark.rule("na41", "19.4.2c")
def test_units_may_return_to_a_full_hex() -> None:
    s = axis()
    dead(s, "GE_MG8_5L")
    place(s, ["GE_RI1", "GE_DAK", "GE_115", "GE_104_15", "GE_MG2_5L"], "1604")
    initial(s)
    do(s, "replace GE_MG8_5L GE_RI1")
    assert at(s, "GE_MG8_5L") == "1604"
    s.stack = []
    moving(s)
    do(s, "end-moves")  # no port to see to
    assert s.stack[-1][0] != END[0]
    assert any(t.startswith("drop ") for t in texts(s))


# 19.1.2 Trucks and corps HQs


@pytest.mark.rule("na41", "19.1.2a", "19.1.2c", "19.4.2d", "17.1.2e", "19.5a")
def test_an_rp_brings_back_a_truck_or_a_corps_hq() -> None:
    s = axis()
    dead(s, "AX_TR2", "AX_TR3", "GE_DAK", "GE_ARKO", "GE_I5_5L")
    s.rp = [2, 0]
    initial(s)
    assert [t for t in texts(s) if t.startswith("return")] == ["return GE_DAK", "return AX_TR2"]
    do(s, "return GE_DAK", "return AX_TR2")
    assert s.rp == [0, 0]
    assert (at(s, "GE_DAK"), at(s, "AX_TR2")) == ("italy", "italy")
    assert s.depleted >> U("GE_DAK") & 1
    assert names(s.refreshed) == {"GE_DAK", "AX_TR2"}


@pytest.mark.rule("na41", "19.1.2a", "17.1.2f", "18.3c")
def test_artillery_groups_and_others_do_not_come_back_for_an_rp() -> None:
    s = axis()
    dead(s, "GE_ARKO", "GE_I5_5L", "AX_TR2")
    s.rp = [1, 0]
    initial(s)
    assert rule_of(s, "return GE_ARKO") == "17.1.2f"
    assert rule_of(s, "return GE_I5_5L") == "19.1.1a"
    place(s, "GE_RI1", "italy")
    assert rule_of(s, "replace GE_ARKO GE_RI1") == "19.1.2a"
    assert rule_of(s, "replace AX_TR2 GE_RI1") == "19.1.2a"


@pytest.mark.rule("na41", "19.1.2b", "27.1d")
def test_captured_trucks_cannot_be_replaced() -> None:
    s = axis()
    s.rp = [2, 0]
    place(s, "AX_CT1", "1604")
    dead(s, "AX_TR2")
    eliminate(s, U("AX_CT1"), "8.7b")
    assert at(s, "AX_CT1") == "aside"
    initial(s)
    assert rule_of(s, "return AX_CT1") == "19.1.2b"


# 19.5 The marker


@pytest.mark.rule("na41", "19.5b")
def test_a_marked_unit_moves_one_hex_and_stays_in_its_box() -> None:
    s = empty("axis", "movement", turn=8)
    place(s, ["GE_I5_5L", "GE_II5_5L"], "2240")
    place(s, "GE_AA3_5L", "tripoli")
    s.refreshed = units("GE_I5_5L", "GE_AA3_5L")
    moving(s)
    assert "move GE_AA3_5L" not in texts(s)
    assert "convoy tripoli benghazi" not in texts(s)
    do(s, "move GE_I5_5L")
    goals = {t.split()[1] for t in texts(s) if t.startswith("to ")}
    assert goals
    assert all(board.grid.distance(H("2240"), H(h)) == 1 for h in goals)


@pytest.mark.rule("na41", "19.5c", "19.5d")
def test_nobody_attacks_out_of_the_hex() -> None:
    for marked, attackers in ((0, {"GE_I5_5L", "GE_II5_5L", "GE_115"}), (units("GE_I5_5L"), {"GE_115"})):
        s = empty("axis", "combat", turn=8)
        place(s, ["GE_I5_5L", "GE_II5_5L"], "2240")
        place(s, ["GE_115", "GE_MG8_5L"], "2242")
        place(s, "AU_20", "2241")
        s.refreshed = marked
        start(s, END, (F_COMBAT,))
        do(s, "attack 2241")
        joined = {t.split()[1] for t in texts(s) if t.startswith("join ")}
        assert joined - {"GE_MG8_5L"} == attackers
    place(s, "AX_TR1", "2240")
    s.refreshed = units("AX_TR1")  # whatever unit it is
    assert FROZEN.held(s, None) == mask("2240")


@pytest.mark.rule("na41", "19.5e", "3.2f")
def test_the_markers_come_off_in_the_recovery_phase() -> None:
    s = empty("axis", "recovery", turn=8)
    place(s, "GE_I5_5L", "2240")
    place(s, "BR_5R", "2250")
    s.refreshed = units("GE_I5_5L", "BR_5R")
    start(s, END, (F_RECOVERY, 0))
    assert names(s.refreshed) == {"BR_5R"}


@pytest.mark.rule("na41", "19.2.1c")
def test_replacements_march_and_ride() -> None:
    s = empty("allied", "movement", turn=8)
    place(s, "BR_RT1", "2478")
    place(s, "BR_RI1", "nile_delta")
    moving(s)
    assert "move BR_RT1" in texts(s)
    do(s, "move BR_RI1")
    assert "rail BR_RI1 2478" in texts(s)


def test_reasons() -> None:
    s = new("s1_enter_rommel")
    s.stack = []
    s.rp = [1, 0]
    place(s, "GE_RT1", "italy")
    initial(s)
    for text, rule in (
        ("replace BR_5R BR_RT1", "19.1.1b"),
        ("replace GE_I5_5L GE_RT2", "19.1.1c"),
        ("replace GE_I5_5L GE_RT1", "19.1.1a"),
        ("replace GE_REM_MOT1 GE_RT1", "19.6b"),
        ("return AL_TR1", "19.1.2a"),
        ("return AX_TR1", "19.1.2a"),
    ):
        reason = why(s, text)
        assert reason is not None
        assert reason.rule == rule


@pytest.mark.rule("na41", "19.6b", "10.4.2b")
def test_remnants_at_sea_withdrawn_or_in_reserve_are_in_use() -> None:
    s = empty("allied", "initial")
    count = board.remnant_count["AL_REM_INF"]
    place(s, "AU_18", "2240", "remnant")
    assert remnants_left(s, "AL_REM_INF") == count - 1
    for box in (AT_SEA, WITHDRAWN, RESERVE):
        put(s, U("AU_18"), box)
        assert remnants_left(s, "AL_REM_INF") == count - 1
    for box in (ELIMINATED, SURRENDER_LEFT, REMOVED):
        put(s, U("AU_18"), box)
        assert remnants_left(s, "AL_REM_INF") == count


@pytest.mark.rule("na41", "20.3c", "10.4.2b")
def test_an_eliminated_unit_is_withdrawn_at_the_lowest_step_that_can_be_shown() -> None:
    remnants = ["AU_18", "AU_20", "AU_24", "AU_26", "NZ_4", "NZ_5", "NZ_6", "PO_CAR"]
    for used, step in ((7, 2), (8, 1)):
        s = prepared(5)
        dead(s, "IN_5")
        place(s, remnants[:used], "nile_delta", "remnant")
        prepare(s, "depart")
        assert (at(s, "IN_5"), s.step[U("IN_5")]) == ("withdrawn", step)
        assert remnants_left(s, "AL_REM_INF") >= 0


@pytest.mark.rule("na41", "19.2.5b")
def test_each_tank_replacement_shows_the_side_that_it_came_with() -> None:
    s = prepared(10)
    codes = [row["code"] for row in board.pack.tables["replacement_code"]]
    s.heavy = units("BR_RT2")  # it was lost on its heavy side
    draw(s, U("BR_RT1"), codes.index("heavy_tank"))
    draw(s, U("BR_RT2"), codes.index("br_tank"))
    draw(s, U("BR_RT3"), codes.index("heavy_tank"))
    assert names(s.heavy) == {"BR_RT1", "BR_RT3"}


@pytest.mark.rule("na41", "19.1.1b", "5.9.1i")
def test_only_own_replacements_that_are_under_no_marker_are_used() -> None:
    s = axis()
    place(s, "GE_I5_5L", "1604", "reduced")
    place(s, "BR_1R", "2478", "reduced")
    place(s, "GE_RT1", "1604")
    place(s, "BR_RT1", "2478")
    assert offers(s) == {("GE_I5_5L", "GE_RT1")}
    s.stack, s.choices = [], None
    s.shipped = units("GE_RT1")
    assert offers(s) == set()


@pytest.mark.rule("na41", "19.1.1a", "19.3.1a")
def test_a_unit_at_full_strength_takes_no_replacement() -> None:
    s = axis()
    place(s, ["GE_I5_5L", "GE_RT1"], "1604")
    assert offers(s) == set()


@pytest.mark.rule("na41", "19.1.2a", "23.2.1a")
def test_rps_bring_back_own_trucks_and_hqs_alone() -> None:
    s = axis()
    s.rp = [1, 1]
    dead(s, "AL_TR1", "AL_XIII", "AX_TR1", "GE_DAK")
    initial(s)
    assert {t for t in texts(s) if t.startswith("return")} == {"return AX_TR1", "return GE_DAK"}
