"""9 Combat modifiers (fortifications as such, 9.5.2 ff., have a file of their own)."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.na41.combat.combat import begin_fight
from sandtable.games.na41.combat.strengths import is_elite
from sandtable.games.na41.table.ids import ALLIED, AUTO_DS, AXIS, BREAKTHROUGH
from sandtable.games.na41.table.state import State
from sandtable.games.na41.table.zones import full_zoc, limited_zoc
from sandtable.mechanics.fights.odds import column_name, rung_name

from ..fights import EAST, FIELD, WEST, attack, begin, combat, decline, field, of, panel, shifts
from ..kit import GAME, H, U, board, do, mask, of_kind, place, roll, supplies, texts, units, why

UP, DOWN = ("1872", "1973"), ("1973", "1872")  # across a ridge
ESCARPMENT_ROAD = ("2746", "2745")  # up the escarpment by a track
ESCARPMENT = ("1144", "1244")  # up the escarpment, no road
INTO_TOBRUK = ("3036", "3037")
CITY, BESIDE_CITY = "2478", "2378"
JEBEL, BESIDE_JEBEL = "3417", "3316"


def across(way: tuple[str, str], ours: str | list[str], theirs: str | list[str], active: str = "axis") -> State:
    """Our units in the first hex, theirs in the second."""
    s = combat(active)
    place(s, ours, way[0])
    place(s, theirs, way[1])
    return s


# 9.1 Halving and doubling


@pytest.mark.rule("na41", "9.1a", "9.1b")
def test_each_unit_is_halved_once_and_rounded_up() -> None:
    s = across(UP, ["GE_I5_5L", "GE_104_15", "GE_K15"], "NZ_6")  # 7, 5 and 2 up a ridge
    fighters = ("GE_I5_5L", "GE_104_15", "GE_K15")
    assert of(s, *fighters, hex_=UP[1]).brought == 4 + 3 + 1
    s.oos = units(*fighters)  # a second reason
    assert of(s, *fighters, hex_=UP[1]).brought == 4 + 3 + 1


@pytest.mark.rule("na41", "9.1a", "9.5.1b")
def test_each_unit_is_doubled_once() -> None:
    s = combat()
    place(s, "GE_155", BESIDE_CITY)
    place(s, "NZ_6", CITY)
    s.forts[ALLIED] = mask(CITY)
    assert of(s, "GE_155", hex_=CITY).held == 12


@pytest.mark.rule("na41", "9.1c")
def test_halved_and_doubled_is_as_printed() -> None:
    s = across(DOWN, "GE_104_15", "NZ_6")
    assert of(s, "GE_104_15", hex_=DOWN[1]).brought == 10
    s.oos = units("GE_104_15")
    assert of(s, "GE_104_15", hex_=DOWN[1]).brought == 5
    s.forts[ALLIED] = mask(DOWN[1])
    s.disrupted = units("NZ_6")
    assert of(s, "GE_104_15", hex_=DOWN[1]).held == 6


@pytest.mark.rule("na41", "9.1d", "9.5.1d", "9.6g")
@pytest.mark.parametrize("unit", ["GE_I5_5L", "GE_AA3_5L", "GE_FL33"])
def test_vehicles_are_halved_at_the_perimeter_and_at_fortifications(unit: str) -> None:
    printed = board.att[U(unit)][0]
    s = across(INTO_TOBRUK, [unit, "GE_104_15"], "AU_20")
    assert of(s, unit, hex_=INTO_TOBRUK[1]).brought == (printed + 1) // 2
    assert of(s, "GE_104_15", hex_=INTO_TOBRUK[1]).brought == 5
    s = field([unit, "GE_104_15"], "AU_20")
    assert of(s, unit).brought == printed
    s.building[ALLIED] = mask(FIELD)  # 9.5.4b not yet
    assert of(s, unit).brought == printed
    s.forts[AXIS] = mask(FIELD)  # not the defender's
    assert of(s, unit).brought == printed
    s.forts[ALLIED] = mask(FIELD)
    assert of(s, unit).brought == (printed + 1) // 2
    assert of(s, "GE_104_15").brought == 5


@pytest.mark.rule("na41", "9.1d", "9.6g")
def test_the_perimeter_works_inward_only() -> None:
    s = across((INTO_TOBRUK[1], INTO_TOBRUK[0]), "BR_5R", "GE_155", "allied")
    assert of(s, "BR_5R", hex_=INTO_TOBRUK[0]).brought == 5
    assert shifts(of(s, "BR_5R", hex_=INTO_TOBRUK[0])) == {"9.2.3b": 1}


@pytest.mark.rule("na41", "9.1e", "9.6c", "9.6d")
def test_halved_up_a_slope_and_doubled_down() -> None:
    """A13: it is the attacker who is doubled, each unit by its own hexside."""
    for way in (UP, ESCARPMENT_ROAD, ESCARPMENT):
        s = across(way, "GE_104_15", "NZ_6")
        assert (of(s, "GE_104_15", hex_=way[1]).brought, of(s, "GE_104_15", hex_=way[1]).held) == (3, 6)
        s = across((way[1], way[0]), "GE_104_15", "NZ_6")
        assert (of(s, "GE_104_15", hex_=way[0]).brought, of(s, "GE_104_15", hex_=way[0]).held) == (10, 6)
    for way in (UP, ESCARPMENT_ROAD):  # all units, vehicles too
        s = across(way, "GE_AA33", "NZ_6")
        assert of(s, "GE_AA33", hex_=way[1]).brought == 2
        s = across((way[1], way[0]), "GE_AA33", "NZ_6")
        assert of(s, "GE_AA33", hex_=way[0]).brought == 6


@pytest.mark.rule("na41", "9.1f", "9.2.3d")
def test_out_tanked_attackers_are_halved_even_in_jebel() -> None:
    s = across((BESIDE_JEBEL, JEBEL), ["BR_5R", "BR_1KRRC"], "GE_I5_5L", "allied")
    found = of(s, "BR_5R", "BR_1KRRC", hex_=JEBEL)
    assert found.brought == 3 + 2
    assert shifts(found) == {"9.6b": -1}


@pytest.mark.rule("na41", "9.1g", "9.7e", "16.4b")
def test_units_marked_out_of_supply_attack_at_half() -> None:
    s = field(["GE_104_15", "GE_OASIS"], "NZ_6")
    s.oos = units("GE_104_15", "GE_OASIS")
    assert of(s, "GE_104_15").brought == 3
    assert of(s, "GE_OASIS").brought == 1  # EX-16.4: half of 1 is 1
    s = field("GE_104_15", "NZ_6")
    s.oos = units("NZ_6")
    assert of(s, "GE_104_15").held == 6  # in defence it does not matter


@pytest.mark.rule("na41", "9.1h", "9.7c", "13.2.1b", "5.9.1h")
def test_disrupted_and_shipped_units_defend_at_half() -> None:
    s = field("GE_104_15", "BR_22G")
    assert of(s, "GE_104_15").held == 5
    s.disrupted = units("BR_22G")
    assert of(s, "GE_104_15").held == 3
    s.disrupted = 0
    s.shipped = units("BR_22G")
    assert of(s, "GE_104_15").held == 3
    s.disrupted = units("BR_22G")
    assert of(s, "GE_104_15").held == 3


# 9.2 Tank shifts


@pytest.mark.rule("na41", "9.2.1a", "9.2.1b", "9.2.3a", "9.2.3b", "9.2.3c", "9.2.3d", "9.2.3e")
@pytest.mark.parametrize(
    ("ours", "theirs", "active", "shift", "halved"),
    [
        ("GE_I5_5L", "NZ_6", "axis", 2, False),  # EX-9.2.3A 3 against 0, two at most
        ("GE_I5_5L", "BR_5R", "axis", 2, False),  # EX-9.2.3B 3 against 1
        ("GE_I5_5L", "BR_7R", "axis", 1, False),  # EX-9.2.3C 3 against 2
        ("IT_VII", "BR_5R", "axis", 0, False),  # EX-9.2.3D 1 against 1
        ("BR_5R", "GE_I5_5L", "allied", 0, True),  # EX-9.2.3E 1 against 3
        ("GE_155", "BR_5R", "axis", -1, False),  # EX-9.2.3F no tank against a tank
        ("IT_32", "BR_3H", "axis", 0, False),  # 0 against 0: tanks all the same
        ("GE_155", "NZ_6", "axis", 0, False),
    ],
)
def test_ex_9_2_3_tank_values_are_compared(ours: str, theirs: str, active: str, shift: int, halved: bool) -> None:
    found = of(field(ours, theirs, active), ours)
    assert found.column - found.base == shift
    printed = board.att[U(ours)][0]
    assert found.brought == ((printed + 1) // 2 if halved else printed)


@pytest.mark.rule("na41", "9.2.3a", "9.2.3d")
def test_the_best_tank_of_each_side_counts_and_only_tanks_are_halved() -> None:
    s = field(["BR_5R", "BR_7R", "BR_1KRRC"], "IT_VII", "allied")  # 1 and 2 against 1
    assert shifts(of(s, "BR_5R", "BR_7R")) == {"9.2.3b": 1}
    s = field(["BR_5R", "BR_7R", "BR_1KRRC"], ["GE_I5_5L", "IT_VII"], "allied")
    assert of(s, "BR_5R", "BR_7R", "BR_1KRRC").brought == 3 + 3 + 2


@pytest.mark.rule("na41", "9.2.1a", "8.5.1f")
def test_tank_shifts_to_the_right_need_attack_supply() -> None:
    s = field("GE_I5_5L", "NZ_6")
    assert shifts(of(s, "GE_I5_5L", supplied=False)) == {}
    s = field("GE_155", "BR_5R")
    assert shifts(of(s, "GE_155", supplied=False)) == {"9.2.3e": -1}


@pytest.mark.rule("na41", "9.2.2a", "9.5.1c", "9.6a", "9.6b")
def test_no_tank_shift_either_way_in_fortification_jebel_and_city() -> None:
    """A11."""
    places: tuple[tuple[str, str, dict[str, int]], ...] = (
        (BESIDE_JEBEL, JEBEL, {"9.6b": -1}),
        (BESIDE_CITY, CITY, {}),
        (WEST, FIELD, {}),
    )
    for from_, to, shift in places:
        for ours, theirs in (("GE_I5_5L", "NZ_6"), ("GE_155", "BR_5R")):
            s = across((from_, to), ours, theirs)
            if to == FIELD:
                assert shifts(of(s, ours)) != {}
                s.forts[ALLIED] = mask(FIELD)
            assert shifts(of(s, ours, hex_=to)) == shift


@pytest.mark.rule("na41", "9.2.2b", "9.6g")
@pytest.mark.parametrize("way", [ESCARPMENT_ROAD, (ESCARPMENT_ROAD[1], ESCARPMENT_ROAD[0]), INTO_TOBRUK])
def test_tanks_across_escarpment_or_perimeter_gain_nothing_but_deny(way: tuple[str, str]) -> None:
    s = across(way, ["GE_I5_5L", "GE_155"], "NZ_6")
    assert shifts(of(s, "GE_I5_5L", hex_=way[1])) == {}
    s = across(way, ["GE_I5_5L", "GE_155"], "BR_5R")
    assert shifts(of(s, "GE_155", hex_=way[1])) == {"9.2.3e": -1}
    assert shifts(of(s, "GE_I5_5L", "GE_155", hex_=way[1])) == {}


@pytest.mark.rule("na41", "9.2.2b")
def test_one_tank_unit_that_comes_another_way_gains_the_shift() -> None:
    s = across(INTO_TOBRUK, "GE_I5_5L", "BR_7R")  # 3 across the ditch
    inside = next(n for _, n in board.steps[H("3037")] if board.inside_tobruk >> n & 1)
    place(s, "IT_VII", board.grid.names[inside])
    s.comando = 1
    assert shifts(of(s, "GE_I5_5L", "IT_VII", hex_="3037")) == {}  # 1 against 2 gains nothing
    place(s, "GE_II5_5L", board.grid.names[inside])
    assert shifts(of(s, "GE_I5_5L", "GE_II5_5L", hex_="3037")) == {"9.2.3b": 1}


@pytest.mark.rule("na41", "9.2.4a", "18.2a")
def test_an_88_negates_and_never_gains() -> None:
    s = field(["GE_FL33", "GE_155"], "BR_5R")
    assert shifts(of(s, "GE_155")) == {"9.2.3e": -1}
    assert shifts(of(s, "GE_155", "GE_FL33")) == {}
    s = field("GE_FL33", "NZ_6")
    assert shifts(of(s, "GE_FL33")) == {}
    s = field(["BR_5R", "BR_1KRRC"], ["GE_FL33", "GE_155"], "allied")
    assert shifts(of(s, "BR_1KRRC")) == {}  # A12
    assert shifts(of(s, "BR_5R")) == {}
    assert of(s, "BR_5R").brought == 3  # its tank value counts in the comparison


@pytest.mark.rule("na41", "9.2.4b")
def test_an_attacking_88_keeps_the_tanks_of_its_hex_from_being_halved() -> None:
    s = field(["IT_VII", "GE_FL33"], "BR_7R")  # 1 against 2
    place(s, "IT_VIII", EAST)
    s.comando = 1
    assert of(s, "IT_VII", "IT_VIII").brought == 2 + 2
    assert of(s, "IT_VII", "IT_VIII", "GE_FL33").brought == 3 + 2 + 2


@pytest.mark.rule("na41", "9.2.3a", "13.3.2f", "13.2.2")
def test_tanks_in_full_retreat_count_for_nothing_and_disrupted_ones_do() -> None:
    s = field("GE_155", ["BR_5R", "NZ_6"])
    s.disrupted = units("BR_5R")
    assert shifts(of(s, "GE_155")) == {"9.2.3e": -1}
    s.disrupted, s.routed = 0, units("BR_5R")
    assert shifts(of(s, "GE_155")) == {}


# 9.3 Elite combined arms


@pytest.mark.rule("na41", "9.3a", "9.3b", "9.3c")
def test_elite_tanks_and_elite_infantry_together_shift_one_column() -> None:
    s = field(["GE_I5_5L", "GE_104_15", "GE_155", "GE_AA3_5L"], ["BR_5R", "NZ_6"])
    assert shifts(of(s, "GE_I5_5L", "GE_104_15")) == {"9.2.3b": 2, "9.3a": 1}
    assert shifts(of(s, "GE_I5_5L", "GE_104_15", supplied=False)) == {"9.3a": 1}
    assert "9.3a" not in shifts(of(s, "GE_I5_5L", "GE_155"))  # normal infantry
    assert "9.3a" not in shifts(of(s, "GE_I5_5L", "GE_AA3_5L"))  # no infantry type
    assert "9.3a" not in shifts(of(s, "GE_104_15"))
    s = field("NZ_6", ["GE_I5_5L", "GE_104_15"], "allied")
    assert shifts(of(s, "NZ_6")) == {"9.2.3e": -1}  # the defender never has it


@pytest.mark.rule("na41", "9.3a", "2.3.2d")
def test_a_remnant_has_the_quality_of_its_own_counter() -> None:
    s = field(["GE_I5_5L", "GE_361"], "NZ_6")
    assert "9.3a" in shifts(of(s, "GE_I5_5L", "GE_361"))
    place(s, "GE_361", WEST, "remnant")
    assert not is_elite(s, U("GE_361"))
    assert "9.3a" not in shifts(of(s, "GE_I5_5L", "GE_361"))
    place(s, "NZ_6", FIELD, "remnant")
    assert is_elite(s, U("NZ_6"))  # an Allied remnant takes after its parent


# 9.4 Artillery support


@pytest.mark.rule("na41", "9.4.1a", "9.4.1d", "8.3c")
def test_both_sides_may_have_one_artillery_shift_each_the_attacker_first() -> None:
    s = field("GE_155", "BR_22G")
    place(s, ["GE_ARKO"], "1943")
    place(s, ["AL_7M", "AL_68M"], "1947")
    attack(s, "GE_155")
    assert GAME.to_act(s) == AXIS
    do(s, "artillery GE_ARKO")
    assert GAME.to_act(s) == ALLIED
    do(s, "artillery AL_7M")
    assert GAME.to_act(s) == CHANCE  # one each
    assert (s.fight.base_column, s.fight.column) == (0, 0)  # they cancel
    s = field("GE_155", "BR_22G")
    place(s, "GE_ARKO", "1943")
    attack(s, "GE_155")
    do(s, "artillery GE_ARKO")
    assert (s.fight.base_column, s.fight.column) == (0, 1)
    s = field("GE_155", "BR_1DLI")
    place(s, "AL_7M", "1947")
    attack(s, "GE_155")
    do(s, "artillery AL_7M")
    assert (s.fight.base_column, s.fight.column) == (2, 1)


@pytest.mark.rule("na41", "9.4.1a", "17.3")
def test_artillery_supports_combats_in_its_range() -> None:
    for place_, offered in (("1940", True), ("1939", False)):  # range 4
        s = field("GE_155", "BR_22G")
        place(s, "GE_ARKO", place_)
        attack(s, "GE_155")
        assert ("artillery GE_ARKO" in texts(s)) is offered
    s = field("GE_155", "BR_22G")
    place(s, "AL_7M", "1949")  # 4 hexes from the defender
    attack(s, "GE_155")
    assert texts(s) == ["artillery AL_7M", "no-artillery"]


@pytest.mark.rule("na41", "9.4.1b", "13.2.1d")
def test_only_a_good_order_asu_gives_artillery_support() -> None:
    for broken in ("disrupted", "routed"):
        s = field("GE_155", "BR_22G")
        place(s, "GE_ARKO", "1943")
        place(s, "IT_5A", "1960")
        setattr(s, broken, units("GE_ARKO"))
        attack(s, "GE_155")
        assert GAME.to_act(s) == CHANCE
    s = field("GE_155", "BR_22G")
    place(s, "GE_ARKO", "1943")
    place(s, ["IT_5A", "IT_8B"], "1943")
    place(s, "IT_24A", "1943", disrupted=True)
    attack(s, "GE_155")
    reasons = {
        "artillery IT_5A": "9.4.2",
        "artillery IT_24A": "9.4.1b",
        "artillery IT_8B": "9.4.1b",
        "artillery-sp GE_ARKO": "9.4.1c",
        "artillery AL_7M": "9.4.1b",
    }
    for text, rule in reasons.items():
        assert why(s, text).rule == rule, text  # type: ignore[union-attr]


@pytest.mark.rule("na41", "9.4.1c", "17.1.1d", "17.1.3a")
def test_artillery_support_flips_the_asu_or_takes_an_sp_stacked_with_it() -> None:
    s = field("GE_155", "BR_22G")
    place(s, "GE_ARKO", "1943")
    supplies(s, "axis", "1943", 1)
    attack(s, "GE_155")
    assert texts(s) == ["artillery GE_ARKO", "artillery-sp GE_ARKO", "no-artillery"]
    t = s.copy()
    do(t, "artillery GE_ARKO")
    assert (t.depleted, t.sp[AXIS]) == (units("GE_ARKO"), {H("1943"): 1})
    do(s, "artillery-sp GE_ARKO")
    assert (s.depleted, s.sp[AXIS]) == (0, {})
    s = field("GE_155", "BR_22G")
    place(s, "GE_ARKO", "1943", depleted=True)
    supplies(s, "axis", "1943", 1)
    attack(s, "GE_155")
    assert texts(s) == ["artillery-sp GE_ARKO", "no-artillery"]
    s = field("GE_155", "BR_22G")
    place(s, "GE_ARKO", "1943", depleted=True)
    supplies(s, "axis", "1942", 1)
    attack(s, "GE_155")
    assert GAME.to_act(s) == CHANCE


@pytest.mark.rule("na41", "9.4.1e")
def test_ex_9_4_1_attack_supply_and_artillery_cost_two() -> None:
    s = field(["GE_I5_5L", "GE_155"], "NZ_6")
    place(s, "GE_ARKO", "1943")
    supplies(s, "axis", "1943", 2)
    attack(s, "GE_I5_5L", "GE_155")
    do(s, "artillery-sp GE_ARKO", "supply-sp 1943")
    assert s.sp[AXIS] == {}
    s = field(["GE_I5_5L", "GE_155"], "NZ_6")
    place(s, "GE_ARKO", "1943")
    attack(s, "GE_I5_5L", "GE_155")
    do(s, "artillery GE_ARKO")
    assert GAME.to_act(s) == CHANCE  # the only ASU is spent


@pytest.mark.rule("na41", "9.4.2", "17.1.3c")
def test_axis_artillery_supports_its_own_nation() -> None:
    s = field("IT_61", "BR_1DLI")
    place(s, ["GE_ARKO", "IT_5A"], "1943")
    attack(s, "IT_61")
    assert texts(s) == ["artillery IT_5A", "no-artillery"]
    s = field("NZ_6", ["IT_61", "GE_III255"], "allied")
    place(s, ["GE_ARKO", "IT_5A"], "1947")
    attack(s, "NZ_6")
    assert texts(s) == ["artillery GE_ARKO", "artillery IT_5A", "no-artillery"]


@pytest.mark.rule("na41", "15.2.8a", "9.4.1a")
def test_no_support_in_breakthrough_combat() -> None:
    s = field("GE_288", "NZ_6")
    place(s, "GE_ARKO", "1943")
    place(s, "AL_7M", "1947")
    begin(s)
    begin_fight(s, BREAKTHROUGH, H(FIELD), units("GE_288"))
    s.choices = None
    GAME.settle(s)
    assert GAME.to_act(s) == CHANCE


# 9.5.1 Fortifications in combat


@pytest.mark.rule("na41", "9.5.1a", "9.5.1b")
def test_all_but_vehicles_are_doubled_in_a_fortification() -> None:
    s = field("GE_155", ["NZ_6", "BR_5R", "BR_KDG"])
    assert of(s, "GE_155").held == 6 + 4 + 1
    s.forts[ALLIED] = mask(FIELD)
    assert of(s, "GE_155").held == 12 + 4 + 1
    s = field("GE_155", "AL_XIII")
    s.forts[ALLIED] = mask(FIELD)
    assert of(s, "GE_155").held == 2  # an ASU is no vehicle unit


@pytest.mark.rule("na41", "9.5.6c")
def test_nobody_attacks_out_of_a_hex_where_a_fortification_is_built() -> None:
    s = field("GE_155", "BR_1DLI")
    s.building[AXIS] = mask(WEST)
    begin(s)
    assert f"attack {FIELD}" not in texts(s)
    assert why(s, f"attack {FIELD}").rule == "9.5.6c"  # type: ignore[union-attr]


@pytest.mark.rule("na41", "9.5.2")
def test_a_zoc_into_a_fortification_is_limited_and_one_out_of_it_is_not() -> None:
    s = field("GE_155", "NZ_6")
    s.forts[ALLIED] = mask(FIELD)
    assert limited_zoc(s, AXIS) >> H(FIELD) & 1
    assert full_zoc(s, ALLIED) >> H(WEST) & 1


@pytest.mark.rule("na41", "9.5.4b")
def test_an_unfinished_fortification_has_no_effect_on_a_fight() -> None:
    s = field("GE_155", "NZ_6")
    s.building[ALLIED] = mask(FIELD)
    assert of(s, "GE_155").held == 6


# 9.6 Terrain


@pytest.mark.rule("na41", "9.6a")
def test_in_the_city_all_but_vehicles_are_doubled() -> None:
    s = combat()
    place(s, "GE_155", BESIDE_CITY)
    place(s, ["NZ_6", "BR_5R"], CITY)
    assert of(s, "GE_155", hex_=CITY).held == 12 + 4
    assert board.city == mask("2478")  # the only one


@pytest.mark.rule("na41", "9.6b")
def test_jebel_shifts_one_column_to_the_left() -> None:
    s = across((BESIDE_JEBEL, JEBEL), "GE_155", "NZ_6")
    assert shifts(of(s, "GE_155", hex_=JEBEL)) == {"9.6b": -1}
    assert shifts(of(field("GE_155", "NZ_6"), "GE_155")) == {}


@pytest.mark.rule("na41", "9.6e")
@pytest.mark.parametrize("unit", ["GE_I5_5L", "GE_AA3_5L", "GE_FL33"])
def test_vehicles_attack_across_an_escarpment_only_by_road(unit: str) -> None:
    for way in (ESCARPMENT, (ESCARPMENT[1], ESCARPMENT[0])):
        s = across(way, unit, "CZ_11")
        place(s, "BR_KDG", "1504")
        begin(s)
        assert why(s, f"attack {way[1]}").rule == "9.6e"  # type: ignore[union-attr]
    s = across(ESCARPMENT_ROAD, unit, "BR_1DLI")
    begin(s)
    assert f"attack {ESCARPMENT_ROAD[1]}" in texts(s)


@pytest.mark.rule("na41", "9.6f", "8.1g")
def test_mechanised_infantry_types_attack_across_an_escarpment_anywhere() -> None:
    """A44; that they do not advance across it is 14.5d."""
    s = across(ESCARPMENT, ["GE_104_15", "GE_I5_5L"], "BR_1DLI")
    begin(s)
    do(s, f"attack {ESCARPMENT[1]}")
    assert s.fight.attackers == units("GE_104_15")


# 9.7 Other modifiers


@pytest.mark.rule("na41", "9.7a", "8.5.1e")
def test_attack_supply_changes_the_odds() -> None:
    s = field(["GE_I5_5L", "GE_155"], "NZ_6")
    supplies(s, "axis", "1943", 1)
    attack(s, "GE_I5_5L", "GE_155")
    t = s.copy()
    do(s, "supply-sp 1943")
    do(t, "no-supply")
    assert (rung_name(s.fight.column), rung_name(t.fight.column)) == ("3:1", "1:1")
    assert (s.fight.odds_att, t.fight.odds_att) == (11, 9)


@pytest.mark.rule("na41", "9.7d", "13.3.2f")
def test_units_in_full_retreat_have_no_defence_strength() -> None:
    s = field("GE_155", ["NZ_6", "BR_1DLI"])
    s.routed = units("NZ_6")
    assert of(s, "GE_155").held == 2
    s.routed = units("NZ_6", "BR_1DLI")
    assert column_name(of(s, "GE_155").base) == "no defence"


@pytest.mark.rule("na41", "12.3a")
def test_units_that_retreated_into_the_hex_add_nothing_except_against_a_breakthrough() -> None:
    s = field("GE_155", ["NZ_6", "BR_THR"])
    s.retreated = s.sheltered = units("BR_THR")
    assert of(s, "GE_155").held == 6
    assert of(s, "GE_155", fight=BREAKTHROUGH).held == 9
    assert of(s, "GE_155", fight=AUTO_DS).held == 9


@pytest.mark.rule("na41", "15.3b")
def test_against_a_breakthrough_those_beyond_the_stacking_limit_add_nothing() -> None:
    s = field("GE_155", ["NZ_6", "BR_22G", "BR_THR", "BR_1DLI", "BR_5R"])  # 2 + 2 + 1 + 1 and a free tank
    assert of(s, "GE_155").held == 6 + 5 + 3 + 2 + 4
    assert of(s, "GE_155", fight=BREAKTHROUGH).held == 6 + 5 + 3 + 4  # without the weakest that helps


@pytest.mark.rule("na41", "9.1a", "9.1c")
def test_the_panel_names_every_reason() -> None:
    s = across(UP, ["GE_I5_5L", "GE_155"], "BR_1DLI")
    s.oos = units("GE_I5_5L")
    s.disrupted = units("BR_1DLI")
    begin(s)
    do(s, f"attack {UP[1]}", "join GE_155")
    words = [term.text for term in panel(s, "join GE_I5_5L").terms]
    assert "I/5 Panzer: 7, halved: up a ridge (9.6c), halved: out of supply (9.1g), once only (9.1a)" in words
    assert "1 Durham Light Infantry: 2, halved: Disrupted (13.2.1b)" in words
    do(s, "commit")
    events = decline(s)
    roll(s, 1)
    assert not of_kind(events, "artillery")
