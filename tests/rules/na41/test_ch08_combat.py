"""8 Combat."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.na41.combat import combat as rules
from sandtable.games.na41.combat import effects
from sandtable.games.na41.combat.results import AUTO, column_cells
from sandtable.games.na41.combat.strengths import Help, outcome, reckon
from sandtable.games.na41.supply.support import OVERWHELMING, PAID
from sandtable.games.na41.table.ids import AUTO_DS, AXIS, BREAKTHROUGH, COMANDO, COMBAT, F_COMBAT, F_CRUSH, F_MOVES
from sandtable.games.na41.table.state import State
from sandtable.mechanics.fights.odds import rung, rung_name

from .fights import (
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
    decline,
    face_for,
    field,
    of,
    panel,
    shifts,
)
from .kit import GAME, H, at, board, do, empty, kinds, of_kind, place, roll, start, supplies, texts, units, why

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


# 8.5 Attack supply


def armour() -> State:
    """Tanks of value 3 with a strength of 11 against infantry: everything that attack supply gives."""
    return field(["GE_I5_5L", "GE_155"], "NZ_6")


@pytest.mark.rule("na41", "8.5.1a", "8.5.1e", "8.5.1f")
def test_ten_points_and_tank_shifts_need_attack_supply() -> None:
    s = armour()
    paid, without = of(s, "GE_I5_5L", "GE_155"), of(s, "GE_I5_5L", "GE_155", supplied=False)
    assert (paid.attack, without.attack) == (11, 9)
    assert (shifts(paid), shifts(without)) == ({"9.2.3b": 2}, {})
    s = field(["GE_I5_5L", "GE_155"], "BR_5R")
    assert shifts(of(s, "GE_155", supplied=False)) == {"9.2.3e": -1}
    assert shifts(of(s, "GE_I5_5L", "GE_155", supplied=False)) == {}  # they still cancel the defender's
    # an attack with neither is not asked
    s = field(["GE_155", "GE_DAK"], "NZ_6")
    attack(s, "GE_155")
    assert GAME.to_act(s) == CHANCE


@pytest.mark.rule("na41", "8.5.1e")
def test_the_limit_of_nine_comes_after_halving_and_doubling() -> None:
    s = field(["GE_I5_5L", "GE_II5_5L", "GE_155"], "NZ_6")
    s.oos = units("GE_I5_5L", "GE_II5_5L")
    found = of(s, "GE_I5_5L", "GE_II5_5L", "GE_155", supplied=False)
    assert (found.brought, found.attack) == (4 + 4 + 4, 9)


@pytest.mark.rule("na41", "8.5.1b", "17.2.2")
def test_an_sp_is_removed_or_a_ready_asu_flipped() -> None:
    s = armour()
    place(s, "GE_DAK", "1943")
    supplies(s, "axis", "1942", 2)
    attack(s, "GE_I5_5L", "GE_155")
    assert texts(s) == ["supply-sp 1942", "supply-asu GE_DAK", "no-supply"]
    t = s.copy()
    do(t, "supply-sp 1942")
    assert t.sp[AXIS] == {H("1942"): 1}
    assert t.fight.supplied == PAID
    do(s, "supply-asu GE_DAK")
    assert s.depleted == units("GE_DAK")
    assert s.sp[AXIS] == {H("1942"): 2}
    for broken in ("depleted", "disrupted", "routed"):
        s = armour()
        place(s, "GE_DAK", "1943")
        setattr(s, broken, units("GE_DAK"))
        attack(s, "GE_I5_5L", "GE_155")
        assert GAME.to_act(s) == CHANCE, broken


@pytest.mark.rule("na41", "8.5.1b")
def test_the_reasons_why_a_source_gives_nothing() -> None:
    s = armour()
    place(s, "GE_DAK", "1943")
    place(s, "GE_ARKO", "1943", depleted=True)
    place(s, "IT_X", "1943")
    place(s, "AX_TR1", "1943")
    place(s, "IT_5A", "1943", disrupted=True)
    place(s, "IT_XX", "1960")
    supplies(s, "axis", "1930")
    attack(s, "GE_I5_5L", "GE_155")
    reasons = {
        "supply-asu GE_ARKO": "8.5.1b",
        "supply-asu IT_X": "8.5.2a",
        "supply-asu AX_TR1": "17.2.4a",
        "supply-asu IT_5A": "17.1.3a",
        "supply-asu GE_155": "8.5.1b",
        "supply-asu AL_7M": "8.5.1b",
        "supply-sp 1930": "17.2.1e",
        "supply-sp 1931": "8.5.1b",
    }
    for text, rule in reasons.items():
        reason = why(s, text)
        assert reason is not None
        assert reason.rule == rule, text


@pytest.mark.rule("na41", "8.5.1c")
def test_one_sp_supplies_every_attack_in_its_range() -> None:
    s = armour()
    place(s, "GE_I8", "2046")
    place(s, "BR_22G", "2047")
    place(s, "GE_II8", "1955")
    place(s, "BR_16", "1956")
    supplies(s, "axis", "2044")
    place(s, "GE_FL18", "2044")
    attack(s, "GE_I5_5L", "GE_155")
    do(s, "supply-sp 2044")
    roll(s, 1)  # 11:6 with two shifts is 3:1: A1
    do(s, "lose GE_155")
    assert not s.sp[AXIS]
    attack(s, "GE_I8", hex_="2047")  # two hexes from where the SP was
    assert s.fight.supplied == PAID
    roll(s, 1)
    attack(s, "GE_II8", hex_="1956")  # far away
    assert s.fight.supplied == 0


@pytest.mark.rule("na41", "8.5.1d", "17.3")
def test_ex_17_3_one_attacker_in_range_is_enough() -> None:
    s = combat()
    place(s, "GE_I5_5L", WEST)
    place(s, ["GE_155", "GE_361"], EAST)
    place(s, "NZ_6", FIELD)
    supplies(s, "axis", "1941")  # three hexes from the tanks, far from the others
    attack(s, "GE_I5_5L", "GE_155", "GE_361")
    assert texts(s) == ["supply-sp 1941", "no-supply"]
    s = combat()
    place(s, ["GE_155", "GE_361", "GE_288"], EAST)
    place(s, "NZ_6", FIELD)
    supplies(s, "axis", "1941")
    attack(s, "GE_155", "GE_361", "GE_288")
    assert GAME.to_act(s) == CHANCE


@pytest.mark.rule("na41", "8.5.1g")
def test_supply_is_settled_attack_by_attack() -> None:
    s = armour()
    place(s, "GE_II8", "1955")
    place(s, "BR_16", "1956")
    supplies(s, "axis", "1943")
    supplies(s, "axis", "1954")
    attack(s, "GE_I5_5L", "GE_155")
    assert texts(s) == ["supply-sp 1943", "no-supply"]
    do(s, "no-supply")
    assert s.sp[AXIS] == {H("1943"): 1, H("1954"): 1}
    roll(s, 1)
    do(s, "lose GE_155")
    attack(s, "GE_II8", hex_="1956")
    assert texts(s) == ["supply-sp 1954", "no-supply"]


@pytest.mark.rule("na41", "8.5.1h")
def test_the_defender_spends_nothing_to_defend() -> None:
    s = field("GE_155", ["NZ_6", "NZ_4", "BR_5R"])  # 16 defence strength
    supplies(s, "allied", FIELD)
    place(s, "GE_361", WEST)
    attack(s, "GE_155", "GE_361")
    assert GAME.to_act(s) == CHANCE
    assert s.fight.odds_def == 15


@pytest.mark.rule("na41", "8.5.2a", "17.1.3c")
def test_an_axis_asu_supplies_its_own_nation() -> None:
    for asu, offered in (("IT_X", False), ("GE_DAK", True)):
        s = armour()
        place(s, asu, "1943")
        attack(s, "GE_I5_5L", "GE_155")
        assert (f"supply-asu {asu}" in texts(s)) is offered


@pytest.mark.rule("na41", "8.5.2b")
def test_allied_supply_is_for_all_allies() -> None:
    s = field(["NZ_6", "NZ_4"], "GE_361", "allied")
    place(s, "AL_XIII", "1943")  # British
    attack(s, "NZ_6", "NZ_4")
    do(s, "no-artillery")
    assert texts(s) == ["supply-asu AL_XIII", "no-supply"]


@pytest.mark.rule("na41", "8.5.3a")
def test_ten_to_one_needs_no_attack_supply() -> None:
    s = field(["GE_I5_5L", "GE_II5_5L", "GE_155"], "BR_1DLI")  # 18:2 and two tank shifts
    supplies(s, "axis", "1943")
    events = attack(s, "GE_I5_5L", "GE_II5_5L", "GE_155")
    assert s.sp[AXIS] == {H("1943"): 1}
    told = of_kind(events, "combat")[0].data
    assert (told["attack"], told["column"], told["supplied"]) == (18, "11:1", False)


@pytest.mark.rule("na41", "8.5.3a", "8.3b")
def test_attack_supply_is_asked_after_the_shifts_that_may_make_it_needless() -> None:
    """In games of version 1 it was asked first, and could be wasted."""
    for edition in (1, 2):
        s = field(["GE_I5_5L", "GE_II5_5L"], "BR_1DLI")  # 14:2 and two tank shifts: 9:1
        s.edition = edition
        place(s, ["GE_ARKO", "GE_DAK"], "1943")
        attack(s, "GE_I5_5L", "GE_II5_5L")
        if edition == 1:
            assert texts(s) == ["supply-asu GE_DAK", "supply-asu GE_ARKO", "no-supply"]
            continue
        prompt = GAME.prompt(s)
        assert str(prompt.text) == f"9:1 against {FIELD} so far with attack supply, 4:1 without: that is asked last"
        found = panel(s, "artillery GE_ARKO")
        assert found.results == (("DS (red)", Fraction(1)),)
        events = do(s, "artillery GE_ARKO")
        assert of_kind(events, "combat")[0].data["column"] == "10:1"
        assert s.depleted == units("GE_ARKO")


@pytest.mark.rule("na41", "8.5.3a")
def test_support_may_bring_an_unsupplied_attack_to_ten_to_one() -> None:
    """A9: as if supplied; if that gives 10:1 nobody asks, otherwise nine points and no tank shift."""
    s = field(["GE_I5_5L", "GE_II5_5L"], "BR_1DLI")  # 14:2 and two tank shifts
    fighters = units("GE_I5_5L", "GE_II5_5L")
    assert outcome(s, COMBAT, H(FIELD), fighters, False).column == 4
    assert outcome(s, COMBAT, H(FIELD), fighters, False, Help(1)).column == AUTO
    assert outcome(s, COMBAT, H(FIELD), fighters, False, Help(1, 0, 1)).column == 4


@pytest.mark.rule("na41", "8.5.3b")
def test_a_breakthrough_after_ten_to_one_traces_to_where_it_began() -> None:
    for source, offered in (("1941", True), ("1952", False)):
        s = combat()
        place(s, ["GE_I5_5L", "GE_II5_5L"], "1949")
        place(s, "NZ_6", "1950")
        supplies(s, "axis", source)
        begin(s)
        s.fight.supplied = OVERWHELMING
        s.fought_from = 1 << H(WEST)
        rules.begin_fight(s, BREAKTHROUGH, H("1950"), units("GE_I5_5L", "GE_II5_5L"))
        s.choices = None
        GAME.settle(s)
        assert (f"supply-sp {source}" in texts(s)) is offered
    s = combat()
    place(s, "GE_I5_5L", "1949")  # seven points, but a tank shift
    place(s, "NZ_6", "1950")
    supplies(s, "axis", "1948")
    begin(s)
    s.fight.supplied = OVERWHELMING
    s.fought_from = 1 << H("1949")
    rules.begin_fight(s, BREAKTHROUGH, H("1950"), units("GE_I5_5L"))
    s.choices = None
    GAME.settle(s)
    assert texts(s) == ["supply-sp 1948", "no-supply"]
    for before, has in ((PAID, True), (0, False)):  # 15.2.8b it is what the first fight had
        s = combat()
        place(s, ["GE_I5_5L", "GE_II5_5L"], "1949")
        place(s, "NZ_6", "1950")
        supplies(s, "axis", "1948")
        begin(s)
        s.fight.supplied = before
        rules.begin_fight(s, BREAKTHROUGH, H("1950"), units("GE_I5_5L", "GE_II5_5L"))
        s.choices = None
        GAME.settle(s)
        assert GAME.to_act(s) == CHANCE
        assert (s.fight.supplied == PAID) is has


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
    assert str(GAME.named(reason.why)) == f"the units beside {FIELD} come to 9:1 at best; 10:1 is needed"


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
