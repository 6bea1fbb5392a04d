"""9 Combat modifiers."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.combat.strengths import attack_strength, attack_terms, defence_total
from sandtable.games.caucasus.combat.strengths import shifts as pushes
from sandtable.games.caucasus.table.ids import COMBAT, F_COMBAT, NO_SUPPORT, VIII_AIR

from ..fights import combat, field, panel, reads, shifts, term
from ..kit import GAME, H, U, board, do, empty, place, start, texts, units

# 9.1 Halving


@pytest.mark.rule("caucasus", "9.1a")
def test_x_9_1a_two_halved_fives_make_six() -> None:
    """X-9.1a: halved one by one and rounded up, not as a stack of ten."""
    s = combat()
    place(s, ["GE-73", "GE-125"], "1232")
    place(s, "SU-353RD", "1132")
    odds = panel(s, "1132")
    assert reads(odds)[0] == 6
    assert term(odds, "73rd Infantry Division").value == "3"


@pytest.mark.rule("caucasus", "9.1b")
def test_x_9_1b_out_of_supply_across_a_river_is_halved_once() -> None:
    """X-9.1b: attack 10, out of supply and across a river hexside: 5."""
    s = combat()
    place(s, "GE-13Pz", "1232", oos=True)
    place(s, "SU-353RD", "1132")
    odds = panel(s, "1132")
    assert reads(odds)[0] == 5
    assert "once only (9.1b)" in term(odds, "13th Panzer").text


# 9.2 The defensive terrain bonus


@pytest.mark.rule("caucasus", "9.2a", "9.2b")
def test_a_defender_gets_one_bonus_the_best_one() -> None:
    """Town +2 in the open; a town in a mountain hex has the mountain's +5 and not 7."""
    s = combat()
    place(s, ["GE-13Pz", "GE-23Pz"], "1433")
    place(s, ["SU-353RD", "SU-77RD"], "1332")
    odds = panel(s, "1332")
    assert reads(odds)[1] == 5 + 5 + 2
    assert (term(odds, "town").value, term(odds, "town").rule) == ("+2", "9.2a")
    s = combat()
    place(s, ["GE-97Jg", "GE-101Jg", "GE-1Mtn"], "2535")
    place(s, ["SU-353RD", "SU-77RD"], "2536")
    odds = panel(s, "2536")
    assert reads(odds)[1] == 5 + 5 + 5
    assert [(t.value, t.rule) for t in odds.terms if t.text == "mountain"] == [("+5", "9.2a")]


@pytest.mark.rule("caucasus", "9.2a")
def test_x_9_2b_two_sevens_in_a_mountain_hex() -> None:
    """X-9.2b: 7 + 7 + 5 = 19: the hex has the bonus, not each unit."""
    s = combat("soviet")
    place(s, ["SU-10GRC", "SU-11GRC", "SU-9RC"], "2531")
    place(s, ["GE-73", "GE-125"], "2532")
    assert reads(panel(s, "2532"))[1] == 19


@pytest.mark.rule("caucasus", "9.2c")
def test_x_9_2a_the_bonus_is_not_more_than_the_units_have() -> None:
    """X-9.2a: a 2-2-3 brigade in a mountain hex: +5, limited to 2, defence 4."""
    s = combat()
    place(s, ["GE-97Jg", "GE-1Mtn"], "2531")
    place(s, "SU-68RB", "2532")
    odds = panel(s, "2532")
    assert reads(odds)[1] == 4
    assert (term(odds, "not more than").value, term(odds, "not more than").rule) == ("+2", "9.2c")


@pytest.mark.rule("caucasus", "9.2d")
def test_white_boxes_alone_have_no_bonus() -> None:
    s = combat()
    place(s, ["GE-97Jg", "GE-1Mtn"], "2535")
    place(s, "SU-PG-Tuapse", "2536")
    odds = panel(s, "2536")
    assert reads(odds)[1] == 2
    assert term(odds, "no bonus").rule == "9.2d"
    place(s, "SU-68RB", "2536")
    assert defence_total(s, H("2536"), COMBAT) == 2 + 2 + 4


@pytest.mark.rule("caucasus", "9.2e")
def test_novorossiysk_is_a_minor_city_and_tuapse_a_mountain() -> None:
    """Forest 3 is less than the minor city's 4: no superscript there. The mountain's 5 beats the town's 2."""
    s = combat()
    place(s, "GE-1Mtn", "2239")
    place(s, "SU-353RD", "2240")
    odds = panel(s, "2240")
    assert reads(odds)[:2] == (5, 5 + 4)
    s = combat()
    place(s, "GE-1Mtn", "2535")
    place(s, "SU-353RD", "2536")
    odds = panel(s, "2536")
    assert reads(odds)[:2] == (8, 5 + 5)


# 9.3 Halved attacks


@pytest.mark.rule("caucasus", "9.3a")
@pytest.mark.parametrize(
    ("origin", "target", "why"),
    [("1232", "1132", "minor"), ("1133", "1132", "major"), ("1133", "1233", "major, bridged or not")],
)
def test_attacks_across_rivers_are_halved(origin: str, target: str, why: str) -> None:
    s = combat()
    place(s, "GE-13Pz", origin)
    place(s, "SU-353RD", target)
    odds = panel(s, target)
    assert reads(odds)[0] == 5, why
    assert term(odds, "13th Panzer").rule == "9.3a"


@pytest.mark.rule("caucasus", "9.3a")
def test_a_bridge_does_not_help_an_attack() -> None:
    """The minor river between two hexes that a road or railway joins halves all the same."""
    grid, ground = board.grid, board.grounds[0]
    found = [
        (grid.names[h], grid.names[n])
        for h in grid.hexes
        for d, n in ground.steps[h]
        if ground.minor_rivers[d]
        & ground.bridges[d]
        & ground.terrain["clear"]
        & ~board.barred[1]
        & ~board.barred[0]
        & 1 << h
        and ground.terrain["clear"] >> n & 1
        and not board.city[n]
        and not board.barred[0] >> n & 1
    ]
    assert found
    origin, target = found[0]
    s = combat()
    place(s, "GE-13Pz", origin)
    place(s, "SU-353RD", target)
    assert reads(panel(s, target))[0] == 5


@pytest.mark.rule("caucasus", "9.3b")
def test_attacks_out_of_marsh_are_halved() -> None:
    s = combat()
    place(s, "GE-73", "1738")
    place(s, "SU-68RB", "1737")
    odds = panel(s, "1737")
    assert reads(odds)[0] == 3
    assert term(odds, "73rd").rule == "9.3b"


@pytest.mark.rule("caucasus", "9.3c")
def test_attacks_across_a_pass_are_halved() -> None:
    s = combat()
    place(s, ["GE-1Mtn", "GE-4Mtn"], "3121")
    place(s, "SU-68RB", "3222")
    odds = panel(s, "3222")
    assert reads(odds)[0] == 4 + 4
    assert term(odds, "1st Mountain").rule == "9.3c"


# 9.4 Mechanised units in difficult terrain


@pytest.mark.rule("caucasus", "9.4a")
def test_mechanised_attacks_into_mountain_and_marsh_count_five_at_most() -> None:
    s = combat()
    place(s, ["GE-13Pz", "GE-Felmy"], "2432")
    place(s, "SU-353RD", "2531")
    odds = panel(s, "2531")
    assert term(odds, "13th Panzer").value == "5"
    assert term(odds, "13th Panzer").rule == "9.4a"
    assert term(odds, "Felmy").value == "4"  # already below 5
    s = combat()
    place(s, ["GE-13Pz", "GE-9"], "1737")
    place(s, "SU-353RD", "1738")
    odds = panel(s, "1738")
    assert reads(odds)[0] == 5 + 6  # the infantry is not limited


@pytest.mark.rule("caucasus", "9.4b")
def test_x_9_4_the_limit_comes_before_the_halving() -> None:
    """X-9.4: attack 10 out of supply into a mountain hex: 5, then 3."""
    s = combat()
    place(s, "GE-13Pz", "2432", oos=True)
    place(s, "SU-68RB", "2531")
    assert reads(panel(s, "2531"))[0] == 3


# 9.5 Armour


@pytest.mark.rule("caucasus", "9.5a", "2.2a")
@pytest.mark.parametrize(
    ("unit", "shows", "shift"),
    [
        ("GE-13Pz", "full", 1),
        ("GE-210StG", "full", 1),
        ("GE-16Mot", "full", 1),
        ("GE-16Mot", "reduced", 0),
        ("SL-Fast", "full", 0),
        ("GE-73", "full", 0),
    ],
)
def test_attacking_armour_shifts_right(unit: str, shows: str, shift: int) -> None:
    """Panzers, assault guns and panzergrenadiers at full strength, not other mechanised units."""
    s = combat()
    place(s, unit, "1234", shows=shows)
    place(s, "GE-125", "1234")
    place(s, "SU-353RD", "1333")
    assert shifts(panel(s, "1333")).get("9.5a", 0) == shift


@pytest.mark.rule("caucasus", "9.5a")
def test_defending_armour_denies_the_shift() -> None:
    s = field(["GE-13Pz", "GE-125"], ["SU-353RD", "SU-136TB"])
    assert {"9.5a", "9.5b"}.isdisjoint(shifts(panel(s, "1333")))


@pytest.mark.rule("caucasus", "9.5b")
def test_defending_armour_shifts_left_against_none() -> None:
    s = field(["GE-73", "GE-125"], "SU-136TB")
    odds = panel(s, "1333")
    assert shifts(odds) == {"9.5b": -1}
    assert reads(odds) == (10, 2, "5:1", "4:1")


@pytest.mark.rule("caucasus", "9.5c", "2.2c")
def test_anti_tank_guns_cancel_the_shift_and_give_none() -> None:
    """Soviet anti-tank, German flak and reduced panzergrenadiers."""
    s = field("GE-13Pz", ["SU-353RD", "SU-98AT"])
    assert "9.5a" not in shifts(panel(s, "1333"))
    s = field(["GE-73", "GE-125"], ["SU-353RD", "SU-98AT"])
    assert shifts(panel(s, "1333")) == {}
    for unit, shows in (("GE-7Flak", "full"), ("GE-16Mot", "reduced")):
        s = combat("soviet")
        place(s, ["SU-136TB", "SU-10GRC"], "1234")
        place(s, unit, "1333", shows=shows)
        place(s, "GE-73", "1333")
        assert "9.5a" not in shifts(panel(s, "1333")), unit
        s = combat("soviet")
        place(s, ["SU-136TB", "SU-10GRC"], "1234")
        place(s, "GE-73", "1333")
        assert shifts(panel(s, "1333"))["9.5a"] == 1


@pytest.mark.rule("caucasus", "9.5d")
@pytest.mark.parametrize(
    ("origin", "target"),
    [("2135", "2235"), ("1737", "1738"), ("1234", "1134"), ("2332", "2333"), ("2432", "2531")],
)
def test_no_armour_shift_in_forest_marsh_city_or_mountain(origin: str, target: str) -> None:
    """Forest 2235, marsh 1738, major city 1134, minor city 2333, mountain 2531: neither side gets one."""
    s = combat()
    place(s, ["GE-13Pz", "GE-23Pz"], origin)
    place(s, "SU-353RD", target)
    assert "9.5a" not in shifts(panel(s, target))
    s = combat()
    place(s, ["GE-73", "GE-125", "GE-9"], origin)
    place(s, "SU-136TB", target)
    assert "9.5b" not in shifts(panel(s, target))


@pytest.mark.rule("caucasus", "9.5d")
def test_a_town_in_the_open_does_not_deny_armour() -> None:
    s = combat()
    place(s, "GE-13Pz", "1433")
    place(s, "SU-353RD", "1332")
    assert shifts(panel(s, "1332"))["9.5a"] == 1


@pytest.mark.rule("caucasus", "9.5e")
def test_armour_across_a_major_river_gives_no_shift() -> None:
    """A minor river does not deny it; one armour unit not across the major river will do (A22)."""
    s = combat()
    place(s, ["GE-13Pz", "GE-73"], "1133")
    place(s, "SU-353RD", "1132")
    assert "9.5a" not in shifts(panel(s, "1132"))
    s = combat()
    place(s, "GE-13Pz", "1232")
    place(s, "SU-353RD", "1132")
    assert shifts(panel(s, "1132"))["9.5a"] == 1
    s = combat()
    place(s, ["GE-13Pz", "GE-73"], "1133")
    place(s, "GE-210StG", "1232")
    place(s, "SU-353RD", "1132")
    assert shifts(panel(s, "1132"))["9.5a"] == 1


@pytest.mark.rule("caucasus", "9.5e")
def test_armour_across_a_major_river_still_meets_the_defenders_armour() -> None:
    """The attacker has armour, so the defender has no shift of his own."""
    s = combat()
    place(s, "GE-13Pz", "1133")
    place(s, "SU-136TB", "1132")
    assert "9.5b" not in shifts(panel(s, "1132"))


# 9.6 Troop quality


@pytest.mark.rule("caucasus", "9.6a", "2.24a")
def test_better_troops_shift_right() -> None:
    """One unit better than every defender will do; an Elite defender stops it."""
    s = field(["GE-1Mtn", "RO-19"], "SU-353RD")
    assert shifts(panel(s, "1333")) == {"9.6a": 1}
    s = field(["GE-1Mtn", "GE-73"], ["SU-353RD", "SU-9NKVD"])
    assert shifts(panel(s, "1333")) == {}
    s = field(["GE-73", "RO-19"], "SU-223RD")
    assert shifts(panel(s, "1333")) == {"9.6a": 1}


@pytest.mark.rule("caucasus", "9.6b")
def test_nothing_but_poor_troops_against_an_elite_unit_shift_left() -> None:
    s = field(["RO-19", "RO-10"], "SU-9NKVD")
    assert shifts(panel(s, "1333")) == {"9.6b": -1}
    s = field(["RO-19", "RO-10", "GE-4Bic"], "SU-9NKVD")
    assert shifts(panel(s, "1333")) == {}
    s = field(["RO-19", "RO-10"], "SU-353RD")
    assert shifts(panel(s, "1333")) == {}


@pytest.mark.rule("caucasus", "2.24b", "2.24c", "2.24f")
def test_quality_by_role_and_by_the_side_of_the_counter() -> None:
    """NKVD attack as Regular, naval brigades as Elite; a reduced Cossack division defends as Regular."""
    s = combat("soviet")
    place(s, "SU-11NKVD", "1234")
    place(s, "EA-1", "1333")
    assert shifts(panel(s, "1333")) == {"9.6a": 1}
    s = combat("soviet")
    place(s, "SU-11NKVD", "1234")
    place(s, "GE-4Bic", "1333")
    assert shifts(panel(s, "1333")) == {}
    s = combat("soviet")
    place(s, "SU-83NB", "1234")
    place(s, "GE-4Bic", "1333")
    assert shifts(panel(s, "1333")) == {"9.6a": 1}
    assert "9.6a" not in shifts(panel(field("GE-1Mtn", "SU-12CD"), "1333"))
    assert shifts(panel(field("GE-1Mtn", "SU-12CD", "reduced"), "1333")) == {"9.6a": 1}


# 9.7 Other modifiers


@pytest.mark.rule("caucasus", "9.7a", "14.4b")
def test_all_defenders_out_of_supply_shift_right() -> None:
    s = field("GE-73", [])
    place(s, "SU-68RB", "1333", oos=True)
    assert shifts(panel(s, "1333")) == {"14.4b": 1}
    s = field("GE-73", "SU-76RB")
    place(s, "SU-68RB", "1333", oos=True)
    assert shifts(panel(s, "1333")) == {}


@pytest.mark.rule("caucasus", "9.7a", "11.5d")
def test_one_disrupted_unit_in_the_hex_shifts_right() -> None:
    s = field("GE-73", "SU-76RB")
    place(s, "SU-68RB", "1333", disrupted=True)
    assert shifts(panel(s, "1333")) == {"11.5d": 1}


@pytest.mark.rule("caucasus", "14.4a", "14.5")
def test_limited_supply_halves_an_attack_and_so_does_none() -> None:
    s = combat()
    place(s, "GE-13Pz", "1234", oos=True)
    place(s, "GE-23Pz", "1234", limited=True)
    place(s, "SU-353RD", "1333")
    odds = panel(s, "1333")
    assert (term(odds, "13th").value, term(odds, "13th").rule) == ("5", "14.4a")
    assert (term(odds, "23rd").value, term(odds, "23rd").rule) == ("5", "14.5")


@pytest.mark.rule("caucasus", "9.7b")
def test_x_9_5a_armour_and_air_add_up() -> None:
    """X-9.5A: 12:5 with an assault-gun brigade and a +2 air marker: 2:1 + 1 + 2 = 5:1."""
    s = combat(turn=2)
    s.air = 1 << VIII_AIR
    place(s, ["GE-73", "GE-125", "GE-210StG"], "1234")
    place(s, "GE-17A-HQ", "1134")
    place(s, "SU-353RD", "1333")
    odds = panel(s, "1333")
    assert reads(odds) == (12, 5, "2:1", "3:1")
    do(s, "commit")
    with_air = GAME.odds(s, GAME.parse("support AX-VIII"))
    assert with_air is not None
    assert shifts(with_air) == {"9.5a": 1, "16.12a": 2}
    assert reads(with_air) == (12, 5, "2:1", "5:1")


@pytest.mark.rule("caucasus", "9.7b")
def test_x_9_5b_two_of_three_halved_across_a_minor_river() -> None:
    """X-9.5B: 14:7, higher TQ and armour: 2:1 + 1 + 1 = 4:1."""
    s = combat()
    place(s, ["GE-3Pz", "GE-97Jg"], "1232")  # 8 and 4, halved: 4 + 2
    place(s, "GE-14Pz", "1131")  # 8
    place(s, ["SU-353RD", "SU-68RB"], "1132")
    assert reads(panel(s, "1132")) == (14, 7, "2:1", "4:1")


# 15.5b Superscripts; and the quick strength against the explained one


@pytest.mark.rule("caucasus", "15.5b", "2.2b")
def test_superscripts_count_in_attacks_into_forest_and_mountain_only() -> None:
    s = combat()
    place(s, "GE-1Mtn", "2135")
    place(s, "SU-353RD", "2235")
    odds = panel(s, "2235")
    assert (reads(odds)[0], term(odds, "1st Mountain").rule) == (8, "15.5b")
    assert reads(panel(field("GE-97Jg", "SU-353RD"), "1333"))[0] == 4
    s = combat("soviet")  # not when defending
    place(s, ["SU-10GRC", "SU-11GRC"], "2135")
    place(s, "GE-1Mtn", "2235")
    assert reads(panel(s, "2235"))[1] == 7 + 3


@pytest.mark.rule("caucasus", "9.1a", "9.3a", "9.3b", "9.3c", "9.4a", "9.4b", "15.5b")
def test_the_strength_that_fights_is_the_strength_that_is_explained() -> None:
    """Everywhere on the map, in both seasons, in every state of supply."""
    for turn in (3, 12):
        s = empty(turn=turn)
        for name in ("GE-13Pz", "GE-97Jg", "SU-9MD"):
            u = U(name)
            for supply in ("", "oos", "limited"):
                s.oos, s.limited = (units(name) if supply == "oos" else 0), (units(name) if supply == "limited" else 0)
                for h in board.grid.hexes:
                    s.at[u] = h
                    for _, n in s.ground.steps[h]:
                        assert str(attack_strength(s, u, n)) == attack_terms(s, u, n).value


@pytest.mark.rule("caucasus", "9.7b")
def test_the_ladder_and_the_terms_tell_the_same() -> None:
    s = combat(turn=2)
    s.air = 3
    place(s, ["GE-1Mtn", "GE-125", "GE-210StG", "GE-Brand"], "1234")
    place(s, "GE-17A-HQ", "1134")
    place(s, "SU-353RD", "1333", oos=True, disrupted=True)
    start(s, (F_COMBAT, 0))
    do(s, "attack 1333", "join GE-125", "join GE-210StG", "join GE-1Mtn", "shift GE-Brand")
    odds = GAME.odds(s, GAME.parse("commit"))
    assert odds is not None
    assert odds.ladder is not None
    assert shifts(odds) == {"9.5a": 1, "9.6a": 1, "14.4b": 1, "11.5d": 1, "15.2a": 1}
    assert odds.ladder.columns[odds.ladder.base].label == reads(odds)[2] == "2:1"
    assert odds.ladder.columns[odds.ladder.now].label == reads(odds)[3] == "7:1"
    assert sum(p.value for p in pushes(s, 0, H("1333"), s.fight.attackers, s.fight.shifters, NO_SUPPORT)) == 5
    assert [one.text for one in odds.ladder.shifts if one.by == "decider"] == ["VIII Air Corps", "IV Air Corps"]
    assert "commit" in texts(s)
