"""8 Combat."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.caucasus.combat.combat import begin_fight
from sandtable.games.caucasus.combat.strengths import reckon
from sandtable.games.caucasus.table.ids import COMBAT, F_COMBAT, F_MOVES, IV_AIR, MOBILE, VIII_AIR
from sandtable.games.caucasus.table.state import State
from sandtable.mechanics.fights.odds import rung, rung_name

from ..fights import attack, combat, field, fight, panel, reads, resolve, shifts
from ..kit import GAME, H, at, do, empty, kinds, of_kind, place, roll, start, texts, units, why

POOR_DIVISIONS = [f"SU-{n}RD" for n in (223, 276, 317, 349, 392, 394, 408, 414, 416, 89, 402)]

# 8.1 General rules


@pytest.mark.rule("caucasus", "8.1a")
def test_adjacent_enemies_may_be_attacked_and_need_not() -> None:
    s = field("GE-13Pz", "SU-353RD")
    place(s, "SU-77RD", "1434")  # two hexes away
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    assert texts(s) == ["attack 1333", "end-attacks"]
    assert why(s, "attack 1434") == ("8.1a", "none of your units that could attack stands beside 1434")
    assert why(s, "attack 1432") == ("8.1a", "there is no enemy in 1432")
    do(s, "end-attacks")
    assert at(s, "SU-353RD") == "1333"
    assert not any("attack" in text for text in texts(s))


@pytest.mark.rule("caucasus", "8.1a")
def test_a_hexside_that_nobody_can_cross_is_no_way_to_attack() -> None:
    """A11: beside each other on the grid, with an alpine hexside between."""
    s = combat()
    grid = s.board.grid
    a, b = next(
        (a, b)
        for a in grid.hexes
        for _, b in grid.neighbours[a]
        if s.ground.terrain["mountain"] >> a & s.ground.terrain["mountain"] >> b & 1 and not s.ground.around[a] >> b & 1
    )
    place(s, ["GE-1Mtn", "GE-4Mtn"], grid.names[a])
    place(s, "SU-68RB", grid.names[b])
    place(s, ["GE-13Pz"], "1234")
    place(s, "SU-353RD", "1333")
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    assert f"attack {grid.names[b]}" not in texts(s)
    assert why(s, f"attack {grid.names[b]}").rule == "8.1a"  # type: ignore[union-attr]


@pytest.mark.rule("caucasus", "2.32b")
def test_no_attack_across_a_closed_pass() -> None:
    for turn, open_ in ((9, True), (10, False)):
        s = combat(turn=turn)
        place(s, ["GE-1Mtn", "GE-4Mtn"], "2633")
        place(s, "SU-68RB", "2733")
        place(s, "GE-13Pz", "1234")
        place(s, "SU-353RD", "1333")
        start(s, (F_MOVES, 0), (F_COMBAT, 0))
        assert ("attack 2733" in texts(s)) is open_


@pytest.mark.rule("caucasus", "4.1d")
def test_nobody_attacks_into_the_enemys_special_entry_hexes() -> None:
    s = combat("soviet")
    place(s, "SU-10GRC", "1130")
    place(s, "GE-4Bic", "1030")
    place(s, "GE-73", "1129")
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    assert "attack 1030" not in texts(s)
    assert "attack 1129" in texts(s)
    assert why(s, "attack 1030").rule == "4.1d"  # type: ignore[union-attr]


@pytest.mark.rule("caucasus", "8.1b")
def test_nobody_attacks_or_is_attacked_twice_in_a_phase() -> None:
    s = combat()
    place(s, ["GE-73", "GE-125"], "1234")
    place(s, "SU-10GRC", "1333")
    place(s, "SU-353RD", "1233")
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    resolve(s, 1, "1333", "GE-73")  # 1:2, A1
    assert at(s, "SU-10GRC") == "1333"
    assert texts(s) == ["attack 1233", "end-attacks"]
    assert why(s, "attack 1333") == ("8.1b", "the units in 1333 have been attacked in this phase")
    do(s, "attack 1233")
    assert why(s, "join GE-73") == ("8.1b", "73rd Infantry Division has attacked in this phase")


@pytest.mark.rule("caucasus", "8.1c")
def test_all_units_in_a_hex_defend_together() -> None:
    assert reads(panel(field("GE-13Pz", ["SU-353RD", "SU-77RD", "SU-68RB"]), "1333"))[1] == 12


@pytest.mark.rule("caucasus", "8.1d")
def test_attacks_in_any_order_each_completed_before_the_next() -> None:
    s = combat()
    place(s, ["GE-73", "GE-125"], "1234")
    place(s, "SU-353RD", "1333")
    place(s, "SU-77RD", "1233")
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    assert texts(s)[:2] == ["attack 1233", "attack 1333"]
    do(s, "attack 1333", "join GE-73")
    assert "attack 1233" not in texts(s)
    do(s, "commit")
    assert GAME.to_act(s) == CHANCE
    roll(s, 1)  # 1:1, A1
    assert texts(s) == ["attack 1233", "end-attacks"]


@pytest.mark.rule("caucasus", "8.1e")
def test_in_the_second_combat_phase_only_marked_units_attack() -> None:
    s = combat(second=True)
    place(s, ["GE-13Pz", "GE-73"], "1234")
    place(s, "SU-353RD", "1333")
    s.assault = units("GE-13Pz")
    start(s, (F_MOVES, 0), (F_COMBAT, 1))
    do(s, "attack 1333")
    assert s.fight.attackers == units("GE-13Pz")  # it is the only one that can
    assert why(s, "join GE-73") == ("7.3f", "73rd Infantry Division has no assault marker")


@pytest.mark.rule("caucasus", "8.1e")
def test_a_phase_in_which_nobody_can_attack_is_passed_over() -> None:
    s = combat(second=True)
    place(s, "GE-13Pz", "1234")
    place(s, "SU-353RD", "1333")
    place(s, "GE-73", "1436")
    start(s, (F_MOVES, 0), (F_COMBAT, 1))
    assert s.stack == [(F_MOVES, 0)]


@pytest.mark.rule("caucasus", "8.1a", "2.2a")
def test_a_unit_without_attack_strength_takes_no_part() -> None:
    s = combat("soviet")
    place(s, ["SU-98AT", "SU-353RD"], "1234")
    place(s, "EA-1", "1333")
    attack(s, "1333", "SU-353RD")
    assert texts(s) == ["commit"]
    assert why(s, "join SU-98AT") == ("2.2a", "98th Anti-tank Regiment has no attack strength")
    s = combat("soviet", second=True)
    place(s, ["SU-98AT", "SU-136TB"], "1234")
    place(s, "EA-1", "1333")
    start(s, (F_MOVES, 1))
    begin_fight(s, MOBILE, H("1333"), units("SU-98AT", "SU-136TB"))
    assert s.fight.attackers == units("SU-136TB")


# 8.2 Multiple units


@pytest.mark.rule("caucasus", "8.2a")
def test_many_hexes_attack_one() -> None:
    s = combat()
    for unit, hex_ in (("GE-13Pz", "1234"), ("GE-23Pz", "1334"), ("GE-73", "1433")):
        place(s, unit, hex_)
    place(s, ["SU-353RD", "SU-77RD"], "1333")
    place(s, "SU-68RB", "1432")
    odds = panel(s, "1333", "GE-13Pz", "GE-23Pz", "GE-73")
    assert reads(odds)[:2] == (25, 10)
    assert why(s, "attack 1432") is not None  # one target hex


@pytest.mark.rule("caucasus", "8.2b")
def test_a_unit_is_in_one_combat_with_all_its_strength() -> None:
    s = field(["GE-13Pz", "GE-73"], "SU-353RD")
    attack(s, "1333", "GE-13Pz")
    assert why(s, "join GE-13Pz") == ("8.2b", "13th Panzer Division takes part already")


@pytest.mark.rule("caucasus", "8.2c", "8.2d")
def test_units_of_one_hex_attack_different_hexes_or_not_at_all() -> None:
    s = combat()
    place(s, ["GE-13Pz", "GE-73", "GE-125"], "1234")
    place(s, "SU-10GRC", "1333")
    place(s, "SU-11GRC", "1233")
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    resolve(s, 1, "1333", "GE-13Pz")
    assert s.attacked == units("GE-13Pz")
    fight(s, "1233", "GE-73")
    assert s.attacked == units("GE-13Pz", "GE-73")
    roll(s, 1)
    assert not s.attacked & units("GE-125")


# 8.3 Procedure


@pytest.mark.rule("caucasus", "8.3a")
def test_x_8_3_fifteen_to_four_is_three_to_one() -> None:
    assert reads(panel(field(["GE-23Pz", "GE-73"], "SU-11NKVD"), "1333"))[:3] == (15, 4, "3:1")


@pytest.mark.rule("caucasus", "8.3a")
@pytest.mark.parametrize(
    ("attack_", "defence", "odds"),
    [(6, 4, "1:1"), (7, 8, "1:2"), (4, 8, "1:2"), (3, 8, "1:3"), (8, 8, "1:1"), (29, 10, "2:1"), (1, 5, "1:5")],
)
def test_odds_are_rounded_in_the_defenders_favour(attack_: int, defence: int, odds: str) -> None:
    assert rung_name(rung(attack_, defence)) == odds


@pytest.mark.rule("caucasus", "8.3b")
def test_support_is_decided_after_the_odds() -> None:
    s = field(["GE-13Pz", "GE-73"], "SU-353RD")
    place(s, "GE-17A-HQ", "1134")
    s.air = 1 << IV_AIR
    attack(s, "1333", "GE-13Pz")
    assert texts(s) == ["join GE-73", "commit"]
    do(s, "commit")
    assert texts(s) == ["support AX-IV", "support none"]


@pytest.mark.rule("caucasus", "8.3b")
def test_one_marker_an_attack() -> None:
    """A23."""
    s = combat(turn=2)
    s.air = 1 << IV_AIR | 1 << VIII_AIR
    place(s, ["GE-73", "GE-17A-HQ"], "1234")
    place(s, "SU-353RD", "1333")
    attack(s, "1333")
    do(s, "commit", "support AX-VIII")
    assert GAME.to_act(s) == CHANCE
    assert s.fight.column == 3


@pytest.mark.rule("caucasus", "8.3c")
def test_the_die_is_read_in_the_shifted_column() -> None:
    s = field("GE-13Pz", "SU-353RD")  # 10:5 = 2:1, armour and TQ: 4:1
    fight(s, "1333")
    assert (s.fight.base_column, s.fight.column) == (2, 4)
    assert GAME.chances(s) == [((GAME.parse("rolled 1")[0], n), Fraction(1, 6)) for n in range(1, 7)]
    events = roll(s, 1)
    result = of_kind(events, "combat_result")[0]
    assert result.data["result"] == "EX"
    assert result.data["column"] == "4:1"
    assert result.final


@pytest.mark.rule("caucasus", "8.3d")
def test_losses_then_defence_then_retreat_then_advance() -> None:
    s = field("GE-13Pz", ["SU-353RD", "SU-77RD"])
    place(s, "GE-23Pz", "1334")
    events = resolve(s, 6, "1333")  # 20:10 = 2:1, armour and TQ: 4:1, D1
    assert texts(s) == ["lose SU-353RD", "lose SU-77RD"]
    events += do(s, "lose SU-77RD")
    assert texts(s) == ["lead SU-353RD", "lead SU-77RD", "yield"]
    events += do(s, "lead SU-353RD") + roll(s, 4)
    while GAME.to_act(s) == 1:
        events += do(s, texts(s)[0])
    assert any(text.startswith("advance") for text in texts(s))
    events += do(s, "advance GE-13Pz 1333")
    order = [k for k in kinds(events) if k in ("combat", "combat_result", "step_lost", "determined_defence")]
    assert order == ["combat", "combat_result", "step_lost", "determined_defence"]
    assert not s.here.get(H("1333"), 0) & s.board.of_side[1]
    assert at(s, "GE-13Pz") == "1333"


# 8.4 Minimum and maximum


@pytest.mark.rule("caucasus", "8.4a")
def test_below_one_to_two_there_is_no_attack() -> None:
    s = field("GE-4Bic", "SU-353RD")
    place(s, ["GE-13Pz", "GE-23Pz"], "1434")
    place(s, "SU-77RD", "1435")
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    assert "attack 1333" in texts(s)  # with the panzers
    do(s, "attack 1333", "join GE-4Bic")
    assert "commit" not in texts(s)
    assert why(s, "commit") == ("8.4a", "1:3 at best so far, and 1:2 is the least allowed")
    do(s, "join GE-13Pz")
    assert "commit" in texts(s)
    s = field("GE-4Bic", "SU-353RD")
    place(s, "GE-13Pz", "1536")
    place(s, "SU-77RD", "1435")
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    assert s.stack == [(F_MOVES, 0)]


@pytest.mark.rule("caucasus", "8.4a")
def test_shifts_may_bring_an_attack_to_one_to_two() -> None:
    """A25, and support may do it: then the player has no choice to leave it out."""
    s = field("GE-4Bic", [])
    place(s, "SU-353RD", "1333", disrupted=True)
    assert reads(panel(s, "1333")) == (2, 5, "1:3", "1:2")
    s = field("GE-4Bic", "SU-353RD")
    place(s, "GE-17A-HQ", "1134")
    s.air = 1 << IV_AIR
    odds = panel(s, "1333")
    assert reads(odds)[3] == "1:2"  # with the marker that it needs
    do(s, "commit")
    assert GAME.to_act(s) == CHANCE
    assert s.air_used == 1 << IV_AIR


@pytest.mark.rule("caucasus", "8.4b", "8.4c")
def test_x_8_4_eleven_to_one_with_two_left_shifts_is_nine_to_one() -> None:
    """X-8.4: the shifts come before the limits."""
    s = combat("soviet")
    place(s, POOR_DIVISIONS, "1234")
    place(s, "GE-14Pz", "1333", shows="remnant")
    odds = panel(s, "1333")
    assert reads(odds) == (22, 2, "11:1", "9:1")
    assert shifts(odds) == {"9.5b": -1, "9.6b": -1}
    do(s, "commit")
    assert GAME.to_act(s) == CHANCE


@pytest.mark.rule("caucasus", "8.4b")
def test_above_nine_to_one_no_die_is_rolled() -> None:
    odds = panel(field(["GE-13Pz", "GE-23Pz"], "SU-68RB"), "1333")
    assert reads(odds)[2:] == ("10:1", "12:1")
    assert odds.results == (("Eliminated", Fraction(1)),)


# 8.5 Automatic elimination


@pytest.mark.rule("caucasus", "8.5a")
def test_ten_to_one_eliminates_in_combat_and_lets_the_attacker_advance() -> None:
    s = field(["GE-13Pz", "GE-23Pz"], ["SU-68RB", "SU-BlackSea-HQ"])
    events = fight(s, "1333")
    assert "combat_result" not in kinds(events)
    assert [e.rule for e in of_kind(events, "eliminated")] == ["8.5a", "8.5a"]
    assert (at(s, "SU-68RB"), at(s, "SU-BlackSea-HQ")) == ("cadre", "returning")
    assert "advance GE-13Pz 1333" in texts(s)


def crushing() -> State:
    """X-8.5: three German units in two hexes, 21 against a division with 3."""
    s = empty(turn=5)
    s.air = 1 << IV_AIR
    place(s, ["GE-13Pz", "GE-73"], "1234")
    place(s, "GE-16Mot", "1334")
    place(s, "GE-17A-HQ", "1134")
    place(s, ["GE-3Pz", "GE-14Pz"], "1235")
    place(s, "SU-216RD", "1333", shows="reduced")
    start(s, (F_MOVES, 0))
    return s


@pytest.mark.rule("caucasus", "8.5b", "8.5d")
def test_x_8_5_automatic_elimination_in_movement() -> None:
    """X-8.5: 21:3 = 7:1 with air, armour and TQ: 10:1. Others move on as if nobody had been there."""
    s = crushing()
    assert "crush 1333" in texts(s)
    do(s, "crush 1333", "join GE-73")
    assert why(s, "commit") == ("8.5b", "2:1 at best so far; 10:1 is needed")
    do(s, "join GE-13Pz")  # and without the 16th it cannot be had, so that joins too
    assert s.fight.attackers == units("GE-13Pz", "GE-73", "GE-16Mot")
    odds = GAME.odds(s, GAME.parse("commit"))
    assert odds is not None
    assert reads(odds) == (21, 3, "7:1", "10:1")
    assert shifts(odds) == {"9.5a": 1, "9.6a": 1, "16.12a": 1}
    events = do(s, "commit")
    assert at(s, "SU-216RD") == "cadre"
    assert of_kind(events, "eliminated")[0].rule == "8.5b"
    assert s.air_used == 1 << IV_AIR  # A58
    do(s, "move GE-3Pz")
    assert {"to 1333", "to 1433"} <= set(texts(s))


@pytest.mark.rule("caucasus", "8.5b")
def test_no_automatic_elimination_in_the_second_movement_phase_or_below_ten_to_one() -> None:
    s = crushing()
    s.second = 1
    s.assault = units("GE-13Pz", "GE-73", "GE-16Mot")
    assert why(s, "crush 1333").rule == "8.5b"  # type: ignore[union-attr]
    s.stack[-1] = GAME.framed((F_MOVES, 1))
    s.choices = None
    assert "crush 1333" not in texts(s)
    assert why(s, "crush 1333").rule == "8.5b"  # type: ignore[union-attr]
    s = crushing()
    place(s, "GE-16Mot", "1236")
    s.choices = None
    assert "crush 1333" not in texts(s)
    assert why(s, "crush 1333") == ("8.5b", "the units beside 1333 come to 8:1 at best; 10:1 is needed")


@pytest.mark.rule("caucasus", "8.5c")
def test_units_that_were_needed_are_marked() -> None:
    """They move no further in this phase and attack nobody in the next; nobody else is drawn in."""
    s = crushing()
    place(s, "GE-23Pz", "1334")
    place(s, "SU-77RD", "1433")
    s.choices = None
    do(s, "crush 1333", "join GE-13Pz", "join GE-23Pz", "join GE-16Mot", "commit")
    assert s.marked == units("GE-13Pz", "GE-23Pz", "GE-16Mot")
    assert not {"move GE-13Pz", "move GE-23Pz"} & set(texts(s))
    assert "move GE-73" in texts(s)
    s.stack = []
    place(s, "SU-68RB", "1335")
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    do(s, "attack 1335")
    assert why(s, "join GE-23Pz") == (
        "8.5c",
        "23rd Panzer Division took part in an automatic elimination",
    )


@pytest.mark.rule("caucasus", "8.5c")
def test_nobody_joins_an_automatic_elimination_beyond_need() -> None:
    s = crushing()
    place(s, "GE-23Pz", "1334")
    s.choices = None
    s.air = 0
    do(s, "crush 1333", "join GE-13Pz", "join GE-23Pz", "join GE-73")
    assert texts(s) == ["commit"]
    s = crushing()
    place(s, ["GE-23Pz"], "1334")
    place(s, "SU-216RD", "1236")
    place(s, "SU-68RB", "1333")
    s.choices = None
    do(s, "crush 1333", "join GE-13Pz", "join GE-23Pz")
    assert texts(s) == ["commit"]
    assert why(s, "join GE-73") == ("8.5c", "73rd Infantry Division is not needed for 10:1")


@pytest.mark.rule("caucasus", "8.5e")
def test_marked_units_advance_in_the_following_combat_phase() -> None:
    s = crushing()
    do(s, "crush 1333", "join GE-13Pz", "join GE-73", "commit")
    s.stack = []
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    assert {"advance GE-13Pz 1333", "advance GE-73 1333", "end-attacks"} <= set(texts(s))
    do(s, "advance GE-73 1333")
    assert at(s, "GE-73") == "1333"
    assert not s.marked & units("GE-73")


@pytest.mark.rule("caucasus", "8.5b", "17.2i")
def test_a_unit_with_a_replacement_is_no_part_of_it() -> None:
    s = crushing()
    s.rebuilt = units("GE-16Mot")
    s.choices = None
    assert "crush 1333" not in texts(s)


@pytest.mark.rule("caucasus", "8.4c")
def test_the_odds_of_the_panel_are_the_odds_of_the_fight() -> None:
    s = field(["GE-13Pz", "RO-19"], ["SU-353RD", "SU-68RB"])
    before = reads(panel(s, "1333"))
    events = do(s, "commit")
    told = of_kind(events, "combat")[0].data
    assert (told["attack"], told["defence"], told["odds"], told["column"]) == before
    assert reckon(s, COMBAT, H("1333"), s.fight.attackers).column == s.fight.column
