"""Edges of the rules, and what questions say: what broken code would get wrong unseen."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sandtable.games.caucasus.combat.losses import take_loss
from sandtable.games.caucasus.table.ids import (
    AIR_4,
    AIR_5,
    AXIS,
    F_COMBAT,
    F_MOVES,
)

from ..combat.ch11retreatskit import ORIGIN, battlefield, retreat, routed
from ..combat.test_ch08_combat import crushing
from ..fights import attack, combat, field, fight, odds_of, panel, shifts, shows, term
from ..kit import GAME, H, U, at, board, do, empty, place, roll, start, texts, units
from ..movekit import goes, hint, moving, phase, refusal

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


@rule("caucasus", "15.1a", "11.4a")
def test_the_panel_tells_an_hq_that_adds_nothing_from_a_unit_that_has_retreated() -> None:
    s = field("GE-13Pz", ["SU-353RD", "SU-77RD", "SU-BlackSea-HQ"])
    s.retreated |= units("SU-77RD")
    odds = panel(s, "1333")
    found = {unit: term(odds, board.unit_names[U(unit)]) for unit in ("SU-353RD", "SU-77RD", "SU-BlackSea-HQ")}
    assert {unit: (one.value, one.rule) for unit, one in found.items()} == {
        "SU-353RD": ("5", "2.2c"),
        "SU-77RD": ("0", "11.4a"),
        "SU-BlackSea-HQ": ("0", "15.1a"),
    }


@rule("caucasus", "10.1a", "10.3a")
def test_the_steps_that_a_fight_has_cost_are_counted_side_by_side() -> None:
    s = field(["GE-73", "GE-125"], "SU-353RD")
    fight(s, "1333", "GE-73", "GE-125")
    s.fight.losses = [0, 0]
    for unit, losses in (("GE-73", [1, 0]), ("SU-353RD", [1, 1]), ("GE-125", [2, 1])):
        take_loss(s, U(unit), 0)
        assert GAME.view(s, AXIS)["losses"] == losses


# 6, 7 Movement


@rule("caucasus", "7.6a", "7.6b", "7.7b", "7.8b")
@pytest.mark.parametrize(
    ("unit", "start_", "to", "because"),
    [
        ("GE-13Pz", "2428", "2431", "7.6a"),  # mountains
        ("GE-13Pz", "3226", "2724", "7.6b"),  # beyond forest in which it stops
        ("GE-13Pz", "3018", "2621", "7.7b"),  # beyond the Terek
        ("GE-73", "2430", "2631", "7.8b"),  # mountains in which it stops
    ],
)
def test_the_reason_says_what_ground_no_number_of_points_will_cross(
    unit: str, start_: str, to: str, because: str
) -> None:
    s = empty()
    place(s, unit, start_)
    assert refusal(moving(s, unit), f"to {to}") == because


@rule("caucasus", "6.3a", "6.3b")
def test_a_move_shows_each_enemy_zone_that_it_leaves() -> None:
    s = empty()
    place(s, "GE-13Pz", "1334")
    place(s, "SU-4RD", "1332")
    phase(s)
    out = hint(s, "GE-13Pz", "1335")
    assert not [line for line in out["lines"] if line["rule"] in ("6.3a", "6.3b")], "it never was in one"
    into = hint(s, "GE-13Pz", "1333")
    assert [line["rule"] for line in into["lines"] if line["rule"].startswith("6.3")] == ["6.3b"]
    s = empty()
    place(s, "GE-13Pz", "1333")
    place(s, "SU-4RD", "1332")
    phase(s)
    lines = {line["rule"]: line.get("value") for line in hint(s, "GE-13Pz", "1335")["lines"]}
    assert lines["6.3a"] == "+2"
    assert "6.3b" not in lines


@rule("caucasus", "13.1h", "8.3b")
def test_a_mobile_assault_shows_its_odds_before_it_is_made() -> None:
    s = empty(phase="axis_second_movement")
    s.air = 0
    place(s, ["GE-13Pz", "GE-23Pz"], "1143")
    place(s, "SU-68RB", "1142")
    phase(s)
    do(s, "raid GE-13Pz", "pick GE-23Pz")
    odds = odds_of(s, "storm 1142")
    assert odds.ladder is not None
    assert odds.ladder.hex == "1142"
    assert term(odds, "attack strength").value == "20"


@rule("caucasus", "11.5b", "15.3a")
def test_the_disrupted_flotilla_ends_in_no_enemy_zone() -> None:
    s = empty("soviet")
    place(s, "SU-Azov", "2041")
    place(s, "GE-73", "1637")  # beside the port of 1638
    assert goes(s, "SU-Azov") == {"1338", "1638", "2043"}
    s.disrupted |= units("SU-Azov")
    assert goes(s, "SU-Azov") == {"1338", "2043"}


@rule("caucasus", "11.5b", "15.6a")
def test_the_disrupted_train_ends_in_no_enemy_zone() -> None:
    s = empty("soviet")
    place(s, "SU-Train", "1733")
    place(s, "GE-73", "2330")  # beside the line: 2230 is in its zone
    assert {"2230", "2130"} <= goes(s, "SU-Train")
    s.disrupted |= units("SU-Train")
    assert "2130" in goes(s, "SU-Train")
    assert "2230" not in goes(s, "SU-Train")


@rule("caucasus", "15.6a", "7.9")
def test_the_train_shows_its_way_along_the_railway() -> None:
    s = empty("soviet")
    place(s, "SU-Train", "2230")
    place(s, "GE-73", "2330")  # it starts in a zone
    shown = hint(s, "SU-Train", "2130")
    assert shown["path"] == ["2130"]
    far = hint(s, "SU-Train", "1733")["path"]
    assert far[0] == "2130"
    assert far[-1] == "1733"
    assert all(board.grid.distance(H(a), H(b)) == 1 for a, b in pairwise(["2230", *far]))


@rule("caucasus", "7.22d", "16.14a")
def test_a_voyage_shows_the_air_markers_that_it_takes() -> None:
    s = empty("soviet", turn=6)
    s.air = 1 << AIR_4 | 1 << AIR_5
    place(s, "SU-4RD", "2240")
    place(s, "SU-BlackSea-HQ", "2536")
    place(s, "GE-73", "2436")  # Tuapse is in EZOC
    c = moving(phase(s), "SU-4RD")
    shown = GAME.hint(c, GAME.parse("ship 2536 1"))
    assert shown == {"path": ["2536"], "note": "by sea (7.22d), 1 air marker"}


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
        shown = GAME.hint(s, GAME.parse(way))
        assert shown is not None
        assert "11.2g" in str(shown["note"])
    s = routed("SU-4RD")
    shown = GAME.hint(s, GAME.parse("to 1828"))
    assert shown is not None
    assert "note" not in shown


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


@rule("caucasus", "11.2g")
def test_a_retreat_into_the_first_hex_of_the_map_costs_a_step_in_an_enemy_zone() -> None:
    """Whoever is there by this retreat is no friend who would make the hex safe."""
    s = battlefield("1044", "1144", "1145")
    place(s, "SU-4RD", "1045")
    place(s, "SU-74RD", "1146")  # makes that hex safe, and the corner a way
    events = retreat(s, "SU-4RD", 2, "1045")
    assert [(e.kind, e.rule) for e in events if e.kind == "step_lost"] == [("step_lost", "11.2g")]
    assert (at(s, "SU-4RD"), shows(s, "SU-4RD")) == ("1146", 1)


@rule("caucasus", "11.1e", "11.2g")
def test_a_stack_goes_on_into_the_zone_that_costs_it_a_step_already_in_the_first_hex_of_the_map_too() -> None:
    s = battlefield("1145")
    place(s, "GE-7Flak", "1044")
    place(s, ["SU-4RD", "SU-9MD"], "1045")
    place(s, "SU-74RD", "1146")
    retreat(s, ["SU-4RD", "SU-9MD"], 2, "1045")
    assert texts(s) == ["to 1046", "to 1144"]  # each would cost a step
    do(s, f"to {CORNER}")
    assert at(s, "SU-9MD") == CORNER, "1144 would cost another"


@rule("caucasus", "11.1e", "7.6a")
def test_who_could_go_elsewhere_goes_where_the_tanks_of_his_stack_must() -> None:
    """Both hexes are in enemy zones; mechanised units cannot enter the mountains of 2431."""
    s = empty("axis", 5, "axis_first_combat")
    for unit, hex_ in (("GE-73", "2531"), ("GE-125", "2231"), ("GE-198", "2332")):
        place(s, unit, hex_)
    place(s, ["SU-4RD", "SU-155TB"], "2331")
    retreat(s, ["SU-4RD", "SU-155TB"], 2, "2331")
    assert (at(s, "SU-4RD"), at(s, "SU-155TB")) == ("2330", "2330")
