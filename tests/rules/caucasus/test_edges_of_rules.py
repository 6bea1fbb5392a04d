"""Edges of the rules, and what questions say: what broken code would get wrong unseen."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.table.ids import F_COMBAT, F_MOVES

from .fights import attack, combat, field, fight, odds_of, shifts, shows, term
from .kit import GAME, H, at, do, empty, place, roll, start, texts
from .movekit import phase
from .test_ch08_combat import crushing
from .test_ch11_retreats import ORIGIN, battlefield, retreat, routed

rule = pytest.mark.rule

CORNER = "1046"  # the first hex of the map: 1045 east of it, 1145 and 1146 south


# 8 What the questions of a fight say


@rule("caucasus", "8.2a", "8.5b")
def test_who_gathers_is_told_for_what() -> None:
    s = field(["GE-73", "GE-125"], "SU-353RD")
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    do(s, "attack 1333")
    prompt = GAME.prompt(s)
    assert (str(prompt.title).split()[1], prompt.text) == ("attacks", "From any adjacent hexes")
    assert prompt.rules == ("8.2a", "8.2d", "8.4a")
    do(s, "join GE-73")
    assert GAME.prompt(s).text == "5 against 5, 1:1 with shifts so far"
    s = crushing()
    do(s, "crush 1333")
    prompt = GAME.prompt(s)
    assert prompt.text == "From any adjacent hexes; 10:1 is needed"
    assert prompt.rules == ("8.5b", "8.5c")


@rule("caucasus", "8.3c", "13.1h")
def test_the_die_is_named_after_its_fight() -> None:
    s = field("GE-73", "SU-353RD")
    fight(s, "1333", "GE-73")
    assert str(GAME.prompt(s).title).startswith("Attack on")
    s = empty(phase="axis_second_movement")
    s.air = 0
    place(s, ["GE-13Pz", "GE-23Pz"], "1143")
    place(s, "SU-68RB", "1142")
    phase(s)
    do(s, "raid GE-13Pz", "pick GE-23Pz", "storm 1142")
    assert str(GAME.prompt(s).title).startswith("Mobile assault on")


@rule("caucasus", "15.2a")
def test_the_odds_before_the_brandenburg_unit_shifts_hold_its_shift() -> None:
    s = field(["GE-73", "GE-125", "GE-Brand"], "SU-353RD")
    attack(s, "1333", "GE-73")
    without, shifted = odds_of(s, "join GE-125"), odds_of(s, "shift GE-Brand")
    assert "15.2a" not in shifts(without)
    assert shifts(shifted)["15.2a"] == 1
    assert term(shifted, "attack strength").value == "5", "its own strength does not count then"


@rule("caucasus", "8.5b", "15.2a")
def test_the_brandenburg_shift_may_be_the_one_that_makes_ten_to_one() -> None:
    """21:3 is 7:1; armour and troop quality make it 9:1, the Brandenburg unit 10:1."""
    s = crushing()
    s.air = 0
    assert "crush 1333" not in texts(s)
    s = crushing()
    s.air = 0
    place(s, "GE-Brand", "1334")
    start(s, (F_MOVES, 0))
    assert "crush 1333" in texts(s)


# The first hex of the map is one like others


@rule("caucasus", "10.1a", "15.2b")
def test_a_fight_for_the_first_hex_of_the_map() -> None:
    s = combat()
    place(s, ["GE-13Pz", "GE-73"], "1045")
    place(s, "SU-353RD", CORNER)
    fight(s, CORNER, "GE-13Pz", "GE-73")
    roll(s, 4)  # D1 at 5:1
    assert shows(s, "SU-353RD") == 1


@rule("caucasus", "15.2b")
def test_the_brandenburg_unit_withdraws_from_the_first_hex_of_the_map() -> None:
    s = combat()
    place(s, ["GE-73", "GE-Brand"], CORNER)
    place(s, "SU-353RD", "1045")
    attack(s, "1045", "GE-73")
    do(s, "shift GE-Brand", "commit")
    roll(s, 1)
    while GAME.to_act(s) == 0:
        do(s, texts(s)[0])
    assert at(s, "GE-Brand") == "brandenburg"


# 11 Retreats


@rule("caucasus", "11.2g")
def test_a_way_into_an_enemy_zone_says_what_it_costs() -> None:
    s = battlefield("1628", "1629")
    place(s, "GE-7Flak", "1828")
    place(s, "GE-210StG", "1829")
    place(s, ["SU-4RD", "SU-74RD"], ORIGIN)
    retreat(s, ["SU-4RD", "SU-74RD"])
    assert set(texts(s)) == {"to 1727", "to 1729"}
    for way in texts(s):
        hint = GAME.hint(s, GAME.parse(way))
        assert hint is not None
        assert "11.2g" in str(hint["note"])
    s = routed("SU-4RD")
    hint = GAME.hint(s, GAME.parse("to 1828"))
    assert hint is not None
    assert "note" not in hint


@rule("caucasus", "5.1c", "15.7h", "11.1g")
def test_a_corps_marker_elsewhere_makes_no_room_for_others() -> None:
    """Cavalry divisions count as one with their marker, and each for itself without."""
    s = battlefield()
    place(s, ["SU-12CD", "SU-13CD", "SU-15CD"], "1827")
    place(s, "SU-116CD", "2230")
    place(s, "SU-4RD", ORIGIN)
    s.corps = H("2230")
    retreat(s, "SU-4RD")
    do(s, "to 1828")
    assert "to 1827" not in texts(s)
    assert {"to 1927", "to 1928"} <= set(texts(s))
