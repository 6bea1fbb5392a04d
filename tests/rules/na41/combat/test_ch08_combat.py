"""8 Combat."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.na41.combat import combat as rules
from sandtable.games.na41.table.ids import AUTO_DS, AXIS, BREAKTHROUGH, COMANDO, COMBAT
from sandtable.mechanics.fights.odds import rung, rung_name

from ..fights import (
    ALLIED_WATCH,
    AXIS_WATCH,
    EAST,
    FIELD,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    attack,
    begin,
    combat,
    face_for,
    field,
    of,
)
from ..kit import GAME, H, at, board, do, of_kind, place, roll, texts, units, why

# 8.1 General rules


@pytest.mark.rule("na41", "8.1a", "8.1b")
def test_adjacent_enemy_combat_units_may_be_attacked_and_need_not() -> None:
    s = field("GE_155", "BR_1DLI")
    place(s, "BR_THR", "1947")  # two hexes away
    begin(s)
    assert texts(s) == [f"attack {FIELD}", f"attack {ALLIED_WATCH}", "end-combat"]
    assert why(s, "attack 1947") == ("8.1a", "none of your combat units stands beside 1947")
    assert why(s, "attack 1950") == ("8.1a", "there is no enemy combat unit in 1950")


@pytest.mark.rule("na41", "8.1c")
def test_nobody_attacks_or_is_attacked_twice_in_a_phase() -> None:
    s = field(["GE_155", "GE_III255"], "NZ_6")
    place(s, "BR_1DLI", NORTH_WEST)
    attack(s, "GE_155")  # 4 to 6, 1:2
    roll(s, 1)  # A1
    assert at(s, "NZ_6") == FIELD
    assert f"attack {FIELD}" not in texts(s)
    assert f"attack {NORTH_WEST}" in texts(s)
    assert why(s, f"attack {FIELD}") == ("8.1c", f"the units in {FIELD} have been attacked in this phase")
    do(s, f"attack {NORTH_WEST}")
    assert s.fight.attackers == units("GE_III255")
    assert texts(s) == ["commit"]  # nobody else can: what is left is to look at the odds
    s = field(["GE_155", "GE_III255"], "NZ_6")
    place(s, ["BR_1DLI", "BR_1KRRC"], NORTH_WEST)
    place(s, "GE_361", "2043")
    attack(s, "GE_155")
    roll(s, 1)
    do(s, f"attack {NORTH_WEST}")
    assert why(s, "join GE_155") == ("8.1c", "155 Infantry has attacked in this phase")


@pytest.mark.rule("na41", "8.1c")
def test_a_new_combat_phase_begins_with_a_clean_slate() -> None:
    s = field("GE_155", "NZ_6")
    s.attacked = units("GE_155")
    s.defended = units("NZ_6")
    s.supplies = [(H(WEST), 3, -1)]
    begin(s)
    assert f"attack {FIELD}" in texts(s)
    assert not s.supplies


@pytest.mark.rule("na41", "8.1a", "8.1c", "9.5.6c", "19.5d")
def test_what_could_be_attacked_is_worked_out_for_the_side_and_the_markers_of_the_moment() -> None:
    s = field("GE_155", "BR_THR")
    assert H(FIELD) in rules.targets(s, COMBAT)
    s.active = 1 - AXIS
    assert set(rules.targets(s, COMBAT)) == {H(WEST), H(AXIS_WATCH)}
    s.active = AXIS
    for marks in ("attacked", "auto", "extended", "refreshed", "shipped"):
        t = s.copy()
        t.memo = dict(s.memo)
        setattr(t, marks, units("GE_155"))
        assert H(FIELD) not in rules.targets(t, COMBAT), marks
    place(s, "GE_III255", WEST)
    assert H(FIELD) in rules.targets(s, COMBAT)
    s.refreshed = units("GE_155")  # nobody attacks out of its hex
    assert H(FIELD) not in rules.targets(s, COMBAT)
    s.refreshed = 0
    s.building[AXIS] = 1 << H(WEST)
    assert H(FIELD) not in rules.targets(s, COMBAT)


@pytest.mark.rule("na41", "8.1c", "8.1h")
def test_a_breakthrough_combat_leaves_its_defenders_open_to_fresh_attackers_only() -> None:
    s = field(["GE_288", "GE_155"], "NZ_6")
    begin(s)
    s.attacked = units("GE_288")
    rules.begin_fight(s, BREAKTHROUGH, H(FIELD), units("GE_288"))
    GAME.settle(s)
    s.choices = None
    roll(s, 1)  # A1
    assert f"attack {FIELD}" in texts(s)
    do(s, f"attack {FIELD}")
    assert s.fight.attackers == units("GE_155")  # the only one that is fresh


@pytest.mark.rule("na41", "8.1d", "8.2c")
def test_units_of_one_stack_may_attack_different_hexes_or_not_at_all() -> None:
    s = field(["GE_155", "GE_III255", "GE_361"], "BR_1DLI")
    place(s, "BR_THR", NORTH_WEST)
    attack(s, "GE_III255")
    assert s.fight.attackers == units("GE_III255")
    roll(s, face_for(s, "A1"))
    attack(s, "GE_155", hex_=NORTH_WEST)
    assert s.attacked == units("GE_III255", "GE_155")


@pytest.mark.rule("na41", "8.1e")
def test_all_combat_units_of_a_hex_defend_together() -> None:
    assert of(field("GE_155", ["BR_1DLI", "BR_THR"]), "GE_155").defence == 5


@pytest.mark.rule("na41", "8.1f")
def test_attacks_in_any_order_one_at_a_time() -> None:
    s = field(["GE_155", "GE_361"], "BR_1DLI")
    place(s, "BR_THR", NORTH_WEST)
    begin(s)
    assert f"attack {FIELD}" in texts(s)
    assert f"attack {NORTH_WEST}" in texts(s)
    do(s, f"attack {NORTH_WEST}")
    assert all(text.startswith("join") for text in texts(s))  # no other attack is announced meanwhile


@pytest.mark.rule("na41", "8.1g")
def test_no_attack_into_what_a_unit_could_not_enter() -> None:
    s = combat()
    place(s, ["GE_288", "GE_155"], "1007")
    place(s, "BR_1DLI", "1108")  # marsh without a road
    begin(s)
    do(s, "attack 1108")
    assert s.fight.attackers == units("GE_155")
    s = combat()
    place(s, "GE_288", "1007")
    place(s, "BR_1DLI", "1108")
    begin(s)
    assert why(s, "attack 1108") == ("8.1g", "Sonderverband 288 could not enter 1108")


# 8.2 Several units, several hexes


@pytest.mark.rule("na41", "8.2a", "8.2b")
def test_six_hexes_attack_one() -> None:
    s = combat()
    ours = ("GE_155", "GE_361", "GE_288", "GE_III255", "GE_III347", "GE_K15")
    for name, hex_ in zip(ours, (WEST, EAST, NORTH_WEST, NORTH_EAST, SOUTH_WEST, SOUTH_EAST), strict=True):
        place(s, name, hex_)
    place(s, "NZ_6", FIELD)
    place(s, "BR_1DLI", "1942")  # beside none of them but the one west of the field, were it attacked
    begin(s)
    do(s, f"attack {FIELD}", *(f"join {name}" for name in ours))
    assert s.fight.attackers == units(*ours)
    assert s.fight.target == H(FIELD)
    assert s.fight.defenders == units("NZ_6")
    assert of(s, *ours).brought == 4 + 4 + 4 + 2 + 2 + 2


@pytest.mark.rule("na41", "8.2d")
def test_a_unit_gives_its_strength_once() -> None:
    s = field(["GE_155", "GE_361"], "NZ_6")
    begin(s)
    do(s, f"attack {FIELD}", "join GE_155")
    assert why(s, "join GE_155") == ("8.2d", "155 Infantry takes part already")


# 8.3 Procedure


@pytest.mark.rule("na41", "8.3a")
@pytest.mark.parametrize(
    ("attack_", "defence", "odds"),
    [(7, 2, "3:1"), (9, 4, "2:1"), (6, 4, "1:1"), (5, 6, "1:2")],
    ids=["EX-8.3a", "EX-8.3b", "EX-8.3c", "EX-8.3d"],
)
def test_ex_8_3_odds_are_rounded_in_the_defenders_favour(attack_: int, defence: int, odds: str) -> None:
    assert rung_name(rung(attack_, defence)) == odds


@pytest.mark.rule("na41", "8.3a")
def test_strengths_are_compared_as_they_stand() -> None:
    found = of(field(["GE_155", "GE_III255"], "BR_22G"), "GE_155", "GE_III255")  # 6 to 5
    assert (found.attack, found.defence, rung_name(found.base)) == (6, 5, "1:1")
    found = of(field("GE_155", "BR_22G"), "GE_155")
    assert rung_name(found.base) == "1:2"


@pytest.mark.rule("na41", "8.3b", "8.3c")
def test_the_attacker_declares_guns_then_air_then_supply_and_the_defender_answers() -> None:
    """8.3b names no order among them; attack supply is last, because whoever comes to 10:1 uses none (8.5.3a)."""
    s = field(["GE_I5_5L", "GE_361"], "NZ_6")
    place(s, ["GE_DAK", "GE_ARKO"], "1943")
    place(s, "AL_7M", "1947")
    s.assets[0] = 1
    s.assets[2] = 1
    s.control = units()  # the airfields are Allied
    attack(s, "GE_I5_5L", "GE_361")
    assert GAME.to_act(s) == AXIS
    assert texts(s) == ["artillery GE_ARKO", "no-artillery"]
    do(s, "artillery GE_ARKO")
    assert texts(s) == ["supply-asu GE_DAK", "no-supply"]
    do(s, "supply-asu GE_DAK")
    assert GAME.to_act(s) != AXIS
    assert texts(s) == ["artillery AL_7M", "no-artillery"]  # no Axis air base is in full supply
    do(s, "no-artillery")
    assert texts(s) == ["air air_support_allied", "air none"]
    do(s, "air none")
    assert GAME.to_act(s) == CHANCE


@pytest.mark.rule("na41", "8.3d")
def test_the_die_is_read_in_the_column_after_shifts() -> None:
    s = field("GE_155", "BR_1DLI")
    attack(s, "GE_155")  # 4 to 2
    assert s.fight.column == 2
    for face in range(1, 7):
        t = s.copy()
        events = roll(t, face)
        told = of_kind(events, "combat_result")[0]
        assert told.data["result"] == board.crt_rows[face - 1][board.crt_columns.index("2:1")].split()[0]
        assert told.final


@pytest.mark.rule("na41", "8.3d")
def test_losses_are_taken_at_once() -> None:
    s = field("GE_155", "BR_1DLI")
    attack(s, "GE_155")
    roll(s, face_for(s, "A1"))
    assert s.step[units("GE_155").bit_length() - 1] == 1


# 8.4 Mixed forces


@pytest.mark.rule("na41", "8.4.1a", "8.4.1c")
def test_germans_and_italians_attack_together_with_comando_supremo_alone() -> None:
    s = field(["GE_155", "IT_61"], "NZ_6")
    begin(s)
    do(s, f"attack {FIELD}", "join GE_155")
    assert s.fight.attackers == units("GE_155")
    assert texts(s) == ["commit"]  # nobody else may join
    s = field(["GE_155", "IT_61", "GE_361"], "NZ_6")
    begin(s)
    do(s, f"attack {FIELD}", "join GE_155")
    assert why(s, "join IT_61") == ("8.4.1a", "Germans and Italians attack together only with Comando Supremo")
    s = field(["GE_155", "IT_61"], "NZ_6")
    s.assets[COMANDO] = 1
    events = attack(s, "GE_155", "IT_61")
    assert (s.comando, s.assets[COMANDO]) == (1, 0)
    assert of_kind(events, "comando_supremo")
    s = field(["GE_155", "IT_61"], "NZ_6")
    s.comando = 1
    attack(s, "GE_155", "IT_61")
    assert s.comando == 1
    for alone in ("GE_155", "IT_61"):  # who attacks without the other needs no marker
        s = field(alone, "NZ_6")
        s.assets[COMANDO] = 1
        attack(s, alone)
        assert (s.comando, s.assets[COMANDO]) == (0, 1)


@pytest.mark.rule("na41", "8.4.1b")
def test_comando_supremo_is_an_event_and_costs_one_rp() -> None:
    tables = board.pack.tables
    assert next(r for r in tables["resource"] if r["code"] == "comando_supremo")["cost"] == 1
    assert "comando_supremo" in str(tables["events"]["axis"])
    assert "comando_supremo" not in str(tables["events"]["allied"])


@pytest.mark.rule("na41", "8.4.1d")
def test_germans_and_italians_defend_together() -> None:
    assert of(field("NZ_6", ["GE_155", "IT_61"], "allied"), "NZ_6").defence == 8


@pytest.mark.rule("na41", "8.4.1e")
def test_an_auto_ds_by_germans_and_italians_needs_comando_supremo() -> None:
    s = field(["GE_I5_5L", "GE_II5_5L", "IT_8B"], "BR_1DLI")
    place(s, ["IT_7B", "IT_65"], NORTH_WEST)
    s.phase = 2
    assert of(s, "GE_I5_5L", "GE_II5_5L", fight=AUTO_DS).column == 9
    assert not rules.targets(s, AUTO_DS)
    s.comando = 1
    assert rules.targets(s, AUTO_DS)


@pytest.mark.rule("na41", "8.4.2a")
def test_all_allies_defend_together() -> None:
    assert of(field("GE_155", ["BR_THR", "NZ_6", "SA_1", "PO_CAR"]), "GE_155").held == 3 + 6 + 4 + 5


@pytest.mark.rule("na41", "8.4.2b")
def test_two_nationalities_in_an_allied_attack_at_most() -> None:
    s = field(["NZ_6", "SA_1"], "GE_361", "allied")
    place(s, ["AU_20", "NZ_4"], NORTH_WEST)
    begin(s)
    do(s, f"attack {FIELD}", "join NZ_6", "join AU_20")
    assert texts(s) == ["join NZ_4", "commit"]
    assert why(s, "join SA_1") == ("8.4.2b", "no more than two nationalities take part in one Allied attack")
    assert not rules.together(s, units("PO_CAR", "CZ_11", "BR_THR"))  # A42: each of them is one
    assert not rules.together(s, units("AU_20", "IN_11", "NZ_6"))


@pytest.mark.rule("na41", "8.4.2c")
def test_three_tank_units_in_an_allied_attack_at_most() -> None:
    s = field(["BR_5R", "BR_6R", "BR_2R", "BR_1R"], "GE_361", "allied")
    begin(s)
    do(s, f"attack {FIELD}", "join BR_5R", "join BR_6R", "join BR_2R")
    assert "join BR_1R" not in texts(s)
    s = field(["BR_5R", "BR_6R", "BR_2R", "BR_1R", "BR_THR"], "GE_361", "allied")
    begin(s)
    do(s, f"attack {FIELD}", "join BR_5R", "join BR_6R", "join BR_2R")
    assert why(s, "join BR_1R") == ("8.4.2c", "no more than three tank units take part in one Allied attack")


@pytest.mark.rule("na41", "8.4.2b", "8.8.3a")
def test_who_joins_first_may_not_spoil_the_attack() -> None:
    """Two nations come to 1:3 with the strong ones among them alone."""
    s = combat("allied")
    place(s, ["CZ_11", "IN_CIH", "SA_4AC"], WEST)
    place(s, ["NZ_6"], NORTH_WEST)
    place(s, ["GE_361", "GE_155", "GE_288"], FIELD)  # 14
    begin(s)
    do(s, f"attack {FIELD}", "join CZ_11")
    assert texts(s) == ["commit"]  # one more can join, and has to
    assert s.fight.attackers == units("CZ_11", "NZ_6")
