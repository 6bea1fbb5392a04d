"""8 Combat: limits."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.na41.combat import combat as rules
from sandtable.games.na41.combat import effects
from sandtable.games.na41.combat.results import column_cells
from sandtable.games.na41.combat.strengths import Help, outcome, reckon
from sandtable.games.na41.table.ids import AUTO_DS, AXIS, COMBAT, F_COMBAT, F_CRUSH, F_MOVES
from sandtable.games.na41.table.state import State
from sandtable.mechanics.fights.odds import rung_name

from ..fights import (
    EAST,
    FIELD,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH_WEST,
    WEST,
    attack,
    begin,
    combat,
    decline,
    face_for,
    field,
    of,
    panel,
    shifts,
)
from ..kit import GAME, H, at, board, do, empty, kinds, of_kind, place, roll, start, supplies, texts, units, why
from .ch08combatkit import armour

# 8.6 Parenthesised strengths


@pytest.mark.rule("na41", "8.6a", "8.6b")
def test_a_parenthesised_strength_counts_only_alone_and_only_once() -> None:
    assert of(field("GE_155", ["AL_XIII", "BR_THR"]), "GE_155").defence == 3
    assert of(field("GE_155", "AL_XIII"), "GE_155").defence == 1
    assert of(field("NZ_6", ["IT_X", "GE_ARKO"], "allied"), "NZ_6").defence == 2  # the better of 1 and 2


@pytest.mark.rule("na41", "8.6c")
def test_parenthesised_units_lose_steps_last() -> None:
    s = field("GE_155", ["AL_XIII", "BR_1DLI", "BR_THR"])
    place(s, "GE_361", WEST)
    attack(s, "GE_155", "GE_361")
    decline(s)
    roll(s, face_for(s, "EX"))
    assert texts(s) == ["lose BR_THR", "lose BR_1DLI"]
    assert why(s, "lose AL_XIII").rule == "8.6c"  # type: ignore[union-attr]


# 8.7 Non-combat units


@pytest.mark.rule("na41", "8.7a")
def test_non_combat_units_alone_are_not_attacked() -> None:
    s = field("GE_155", ["AL_TR1", "BR_RI1"])
    supplies(s, "allied", FIELD)
    begin(s)
    assert f"attack {FIELD}" not in texts(s)
    assert why(s, f"attack {FIELD}") == ("8.7a", f"there are only non-combat units in {FIELD}")


@pytest.mark.rule("na41", "8.7b", "8.7c", "8.7e")
def test_non_combat_units_are_overrun_without_delay() -> None:
    s = empty("axis", "movement")
    place(s, "GE_288", WEST)
    place(s, ["AL_TR1", "BR_RI1"], FIELD)
    start(s, (F_MOVES,))
    do(s, "move GE_288")
    beyond = f"to {EAST} normal"
    assert beyond in texts(s)  # 2 MPs for two flat hexes, through the trucks
    assert f"to {FIELD} normal" in texts(s)
    t = s.copy()
    place(t, ["AL_TR1", "BR_RI1"], "1960")
    t.choices = None
    assert set(texts(s)) == set(texts(t))  # no MPs
    do(s, f"to {FIELD} normal")
    assert (at(s, "AL_TR1"), at(s, "BR_RI1")) == ("eliminated", "replacement_pool")


@pytest.mark.rule("na41", "8.7d")
def test_sps_may_be_captured_and_unescorted_trucks_may_not() -> None:
    s = empty("axis", "movement", truck_capture=True)
    place(s, "GE_288", WEST)
    place(s, "AL_TR1", FIELD)
    supplies(s, "allied", FIELD)
    start(s, (F_MOVES,))
    do(s, "move GE_288", f"to {FIELD} normal")
    roll(s, 3)
    assert s.sp[AXIS] == {H(FIELD): 1}
    assert at(s, "AL_TR1") == "eliminated"
    assert at(s, "AX_CT1") == "unused"
    assert not [text for text in texts(s) if "capture" in text]


# 8.8 Limits


@pytest.mark.rule("na41", "8.8.1")
def test_thirty_attack_points_at_most() -> None:
    s = field(["GE_I5_5L", "GE_II5_5L", "GE_I8", "GE_II8"], "NZ_6")
    place(s, ["GE_361", "GE_155"], NORTH_WEST)
    found = of(s, "GE_I5_5L", "GE_II5_5L", "GE_I8", "GE_II8", "GE_361", "GE_155")
    assert (found.brought, found.attack) == (36, 30)
    s.oos = units("GE_I5_5L", "GE_II5_5L", "GE_361")  # 4, 4 and 2: the limit comes after halving
    found = of(s, "GE_I5_5L", "GE_II5_5L", "GE_I8", "GE_II8", "GE_361", "GE_155")
    assert (found.brought, found.attack) == (28, 28)


@pytest.mark.rule("na41", "8.8.2")
def test_fifteen_defence_points_at_most() -> None:
    s = field("GE_155", ["NZ_6", "NZ_4", "BR_5R"])
    assert (of(s, "GE_155").held, of(s, "GE_155").defence) == (16, 15)
    s.disrupted = units("NZ_4")
    assert (of(s, "GE_155").held, of(s, "GE_155").defence) == (13, 13)


@pytest.mark.rule("na41", "8.8.3a")
def test_one_to_three_at_least_before_shifts() -> None:
    s = field("GE_III255", "NZ_6")  # 2 to 6
    begin(s)
    assert f"attack {FIELD}" in texts(s)
    s = field("IT_15", "NZ_6")  # 1 to 6
    begin(s)
    assert why(s, f"attack {FIELD}") == (
        "8.8.3a",
        f"the best odds against {FIELD} are 1:6, and 1:3 is the least allowed",
    )
    s = field(["IT_15", "IT_61"], "NZ_6")
    begin(s)
    do(s, f"attack {FIELD}", "join IT_15")
    assert s.fight.attackers == units("IT_15", "IT_61")  # alone it would not do


@pytest.mark.rule("na41", "8.8.3a")
def test_shifts_to_the_left_end_at_one_to_three() -> None:
    """A10."""
    s = field("GE_III255", ["BR_22G"])  # 2 to 5 is 1:3
    place(s, "BR_3H", FIELD, "reduced")  # 6, and a tank shift to the left
    found = of(s, "GE_III255")
    assert (found.base, found.column) == (-1, -2)
    attack(s, "GE_III255")
    assert column_cells(board, s.fight.column) == column_cells(board, -1)


@pytest.mark.rule("na41", "8.8.3b", "8.8.4a", "8.8.4b")
def test_eight_and_nine_to_one_are_read_on_seven_to_one() -> None:
    for column in (8, 9):
        assert column_cells(board, column) == column_cells(board, 7)
    s = field(["GE_I5_5L", "GE_II5_5L", "GE_I8"], "BR_1DLI")  # 21:2, and two shifts
    fighters = units("GE_I5_5L", "GE_II5_5L", "GE_I8")
    assert reckon(s, COMBAT, H(FIELD), fighters, False).column == 4  # nine points alone
    assert outcome(s, COMBAT, H(FIELD), fighters, True, Help(0, 0, 1, 1)).column == 10  # 10:1, +2 -2: net first


@pytest.mark.rule("na41", "8.8.4a", "8.8.4b")
def test_ex_8_8_4a_eight_to_one_with_one_shift_left_is_seven_to_one() -> None:
    s = combat()
    place(s, ["GE_155", "GE_361"], "3214")
    place(s, "BR_KDG", "3215")  # jebel
    found = of(s, "GE_155", "GE_361", hex_="3215")
    assert (rung_name(found.base), shifts(found), rung_name(found.column)) == ("8:1", {"9.6b": -1}, "7:1")


@pytest.mark.rule("na41", "8.8.4b")
def test_ex_8_8_4b_seven_to_one_with_one_shift_right_is_read_on_seven_to_one() -> None:
    s = field(["GE_104_15", "GE_K15"], "BR_KDG")  # 7 to 1
    fighters = units("GE_104_15", "GE_K15")
    assert outcome(s, COMBAT, H(FIELD), fighters, False, Help(1)).column == 8
    assert column_cells(board, 8) == column_cells(board, 7)


@pytest.mark.rule("na41", "8.8.3c")
def test_ten_to_one_is_a_ds_without_a_die() -> None:
    s = field(["GE_I5_5L", "GE_II5_5L", "GE_155"], "BR_1DLI")
    events = attack(s, "GE_I5_5L", "GE_II5_5L", "GE_155")
    assert of_kind(events, "combat_result")[0].data["result"] == "DS (red)"
    assert "die" not in of_kind(events, "combat_result")[0].data
    assert at(s, "BR_1DLI") in ("eliminated", "surrender_left")


# 8.9 Auto DS


def crushing() -> State:
    """EX-8.9: I/5, II/5 and I/8 Panzer with 8 Machine-gun against the Tower Hamlets Rifles; another stack north."""
    s = field(["GE_I5_5L", "GE_II5_5L", "GE_K15"], "BR_THR")
    place(s, "GE_104_15", NORTH_WEST)
    s.phase = 2
    start(s, (F_MOVES,))
    return s


@pytest.mark.rule("na41", "8.9.1a", "8.9.1b", "8.9.1c", "8.9.1d")
def test_ex_8_9a_four_german_units_crush_a_battalion() -> None:
    s = crushing()
    four = ("GE_I5_5L", "GE_II5_5L", "GE_K15", "GE_104_15")
    found = of(s, *four, fight=AUTO_DS)
    assert (found.attack, found.defence, rung_name(found.base)) == (21, 3, "7:1")
    assert shifts(found) == {"9.2.3b": 2, "9.3a": 1}
    assert rung_name(found.column) == "10:1"
    assert f"crush {FIELD}" in texts(s)
    assert panel(s, f"crush {FIELD}").results == (("DS (red)", Fraction(1)),)
    do(s, f"crush {FIELD}")
    while s.stack[-1][0] == F_CRUSH:
        do(s, texts(s)[0])
    assert at(s, "BR_THR") == "eliminated"
    assert not [text for text in texts(s) if text.startswith("move GE_I5")]
    assert s.auto == units(*four)
    assert s.claims == {H(FIELD): units(*four)}
    assert s.attacked_at_all == 1
    s.phase = 3
    place(s, "BR_KDG", "1943")
    start(s, (F_COMBAT,))
    assert "attack 1943" not in texts(s)
    assert why(s, "attack 1943").rule == "8.9.1d"  # type: ignore[union-attr]


@pytest.mark.rule("na41", "8.9.1b")
def test_ex_8_9b_shifts_count_in_the_combat_phase_as_well() -> None:
    """Strength 12 against 7 with three shifts to the right: 1:1, then 4:1."""
    s = field(["GE_I8", "GE_115"], ["BR_THR", "IN_29"])
    found = of(s, "GE_I8", "GE_115")
    assert (found.attack, found.defence, rung_name(found.base), rung_name(found.column)) == (12, 7, "1:1", "4:1")


@pytest.mark.rule("na41", "8.9.1b")
def test_guns_and_aircraft_do_not_count_for_an_auto_ds() -> None:
    s = field(["GE_I5_5L", "GE_II5_5L"], "BR_1DLI")  # 9:1 with both tank shifts
    place(s, "GE_ARKO", WEST)
    s.assets[0] = 1
    s.phase = 2
    start(s, (F_MOVES,))
    assert of(s, "GE_I5_5L", "GE_II5_5L", fight=AUTO_DS).column == 9
    assert not rules.targets(s, AUTO_DS)
    reason = why(s, f"crush {FIELD}")
    assert reason is not None
    assert reason.rule == "8.9.1a"
    assert str(GAME.named(reason.why, s)) == f"the units beside {FIELD} come to 9:1 at best; 10:1 is needed"


@pytest.mark.rule("na41", "8.9.1d")
def test_only_those_who_are_needed_take_part_in_an_auto_ds() -> None:
    s = crushing()
    place(s, "GE_361", SOUTH_WEST)
    rules.begin_crush(s, H(FIELD))
    s.events = []
    s.choices = None
    GAME.settle(s)
    do(s, "join GE_I5_5L", "join GE_II5_5L", "join GE_361")  # 18:3, two shifts
    assert s.stack[-1][0] == F_CRUSH
    do(s, "join GE_104_15")  # 23:3 is 7:1, and the elite infantry
    assert s.auto == units("GE_I5_5L", "GE_II5_5L", "GE_361", "GE_104_15")


@pytest.mark.rule("na41", "4.4.1b", "8.9.1a")
def test_no_more_make_an_auto_ds_out_of_a_hex_than_may_stack_there() -> None:
    """The limit holds at that moment. Games of version 1 counted everybody, and eliminated some afterwards."""
    s = field(["GE_200", "GE_104_21", "GE_115", "GE_MG8_5L"], "BR_1DLI")  # 21:2, with 7 stacking points
    s.phase = 2
    start(s, (F_MOVES,))
    assert not rules.targets(s, AUTO_DS)
    reason = why(s, f"crush {FIELD}")
    assert reason is not None
    assert str(reason.why) == f"the units beside {FIELD} come to 8:1 at best; 10:1 is needed"  # 16:2
    s.edition = 1
    s.memo.clear()
    assert rules.targets(s, AUTO_DS)
    s.edition = 2
    place(s, ["GE_MG8_5L", "GE_MG2_5L"], NORTH_WEST)
    start(s)
    assert f"crush {FIELD}" in texts(s)  # 12 of the one hex, 8 of the other
    do(s, f"crush {FIELD}", "join GE_200", "join GE_104_21")
    reason = why(s, "join GE_115")
    assert reason is not None
    assert (reason.rule, str(reason.why)) == (
        "4.4.1b",
        f"with 115 Schützen more would take part than may stack in {WEST}",
    )


@pytest.mark.rule("na41", "4.4.1b", "12.1.4")
def test_who_has_just_retreated_onto_friends_may_crowd_an_auto_ds() -> None:
    s = field(["GE_200", "GE_104_21", "GE_115", "GE_MG8_5L"], "BR_1DLI")
    s.phase = 2
    s.retreated = units("GE_115")
    start(s, (F_MOVES,))
    assert rules.targets(s, AUTO_DS)


@pytest.mark.rule("na41", "8.9.1e")
def test_the_combat_phase_offers_no_auto_ds() -> None:
    s = crushing()
    s.phase = 3
    start(s, (F_COMBAT,))
    assert not [text for text in texts(s) if text.startswith("crush")]
    attack(s, "GE_I5_5L", "GE_II5_5L", "GE_K15", "GE_104_15")
    assert s.auto == 0


@pytest.mark.rule("na41", "8.9.1c")
def test_an_auto_ds_leaves_no_room_for_determined_defence() -> None:
    """A24: the survivors retreat 4 hexes."""
    s = crushing()
    place(s, "BR_KDG", FIELD)
    place(s, ["GE_I8", "GE_II8"], NORTH_EAST)  # 35 counts as 30, against 4
    rules.begin_crush(s, H(FIELD))
    s.events = []
    s.choices = None
    GAME.settle(s)
    while s.stack[-1][0] == F_CRUSH:
        do(s, texts(s)[0])
    assert texts(s) == ["lose BR_KDG", "lose BR_THR"]  # 10.2.1b the attacker picks
    assert GAME.to_act(s) == AXIS
    do(s, "lose BR_THR")
    assert texts(s)[0].startswith("to ")  # the retreat is next
    assert GAME.to_act(s) != AXIS


# The panel


@pytest.mark.rule("na41", "8.3a", "8.8.4b")
def test_the_panel_shows_strengths_shifts_and_the_final_column() -> None:
    s = armour()
    supplies(s, "axis", "1943")
    begin(s)
    do(s, f"attack {FIELD}", "join GE_I5_5L")
    found = panel(s, "join GE_155")
    lines = [(term.value, term.rule) for term in found.terms]
    assert lines == [
        ("7", "2.3.2a"),
        ("4", "2.3.2a"),
        ("11", "8.3a"),
        ("6", "2.3.2b"),
        ("6", "8.1e"),
        ("1:1", "8.3a"),
        ("+2", "9.2.3b"),
        ("3:1", "8.8.4b"),
    ]
    ladder = found.ladder
    assert ladder is not None
    assert ladder.columns[ladder.now].label == "3:1"
    assert ladder.columns[ladder.base].label == "1:1"
    assert [column.label for column in ladder.columns] == [
        "1:3", "1:2", *(f"{n}:1" for n in range(1, 10)), "10:1+",
    ]  # fmt: skip
    assert [force.value for force in ladder.forces] == ["11", "6"]
    assert sum(chance for _, chance in found.results) == 1


@pytest.mark.rule("na41", "8.3a")
def test_without_supply_the_panel_shows_nine_points_and_no_tank_shift() -> None:
    s = armour()
    begin(s)
    do(s, f"attack {FIELD}", "join GE_I5_5L")
    found = panel(s, "join GE_155")
    assert ("9", "8.5.1e") in [(term.value, term.rule) for term in found.terms]
    assert found.ladder is not None
    assert found.ladder.forces[0].text == "11 attack, counts as 9"
    assert not found.ladder.shifts


@pytest.mark.rule("na41", "9.4.1a", "18.7.4a")
def test_the_panel_offers_support_as_shifts_that_can_be_switched() -> None:
    s = field("GE_155", "BR_1DLI")
    place(s, "GE_ARKO", "1943")
    place(s, "AL_7M", "1947")
    attack(s, "GE_155")
    ladder = panel(s, "artillery GE_ARKO").ladder
    assert ladder is not None
    assert [(x.value, x.by, x.on, x.action) for x in ladder.shifts] == [
        (1, "decider", True, "no-artillery"),
        (-1, "answer", False, ""),
    ]
    ladder = panel(s, "no-artillery").ladder
    assert ladder is not None
    assert (ladder.shifts[0].on, ladder.shifts[0].action) == (False, "artillery GE_ARKO")
    do(s, "artillery GE_ARKO")
    ladder = panel(s, "artillery AL_7M").ladder
    assert ladder is not None
    assert [(x.value, x.by, x.on, x.action) for x in ladder.shifts] == [
        (1, "", True, ""),
        (-1, "decider", True, "no-artillery"),
    ]
    assert kinds(do(s, "artillery AL_7M"))[0] == "artillery"


@pytest.mark.rule("na41", "8.9.1d", "8.9.2a")
def test_who_crushes_a_hex_again_shares_the_claim_to_it() -> None:
    s = field(["GE_I5_5L", "GE_II5_5L"], [])
    for name in ("GE_I5_5L", "GE_II5_5L"):
        effects.begin(s, AUTO_DS, H(FIELD), units(name))
        effects.mark(s)
    assert s.auto == units("GE_I5_5L", "GE_II5_5L")
    assert s.claims == {H(FIELD): s.auto}
