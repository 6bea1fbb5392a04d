"""The odds panel: what it says about stands, second rolls and breakthroughs before anybody is committed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.na41.combat import defence, results
from sandtable.games.na41.combat.panel import Forecast, fight_odds
from sandtable.games.na41.supply import supply_lines, support
from sandtable.games.na41.supply.support import OVERWHELMING
from sandtable.games.na41.table.ids import AIR_ALLIED, AIR_GERMAN, ALLIED, AUTO_DS, BREAKTHROUGH, COMBAT, F_DD_ROLL
from sandtable.games.na41.table.state import State

from .. import advancekit
from ..fights import EAST, FIELD, WEST, attack, begin, combat, field, panel
from ..kit import H, U, board, controlled_by, do, of_kind, place, roll, supplies, texts, units
from ..retreatkit import ORIGIN, fight, forbidden, stand

rule = pytest.mark.rule
RING = {"GE_I5_5L": "2728", "GE_II5_5L": "2826", "GE_I8": "2626"}
"""Three tank units around ORIGIN: there is no way out."""


def chance(s: State, *names: str, lost: int = 0, colour: int = results.PLAIN, fight: int = COMBAT) -> Fraction:
    return defence.hold_chance(s, fight, H(ORIGIN), units(*names), lost, colour, 2)


# 11.3, 11.5 The chance that they stand


@rule("na41", "11.3a", "15.2.8a")
def test_the_chance_to_stand_counts_the_support_that_can_be_had() -> None:
    s = fight("BR_3H")
    assert chance(s, "BR_3H") == Fraction(2, 6)  # 5 and 6 on flat ground
    place(s, "AL_7M", "2729")
    assert chance(s, "BR_3H") == Fraction(3, 6)
    assert chance(s, "BR_3H", fight=BREAKTHROUGH) == Fraction(2, 6)
    s.depleted = units("AL_7M")
    s.memo.clear()
    assert chance(s, "BR_3H") == Fraction(2, 6)
    s.fight.dd_support = 1  # it has been paid for
    assert chance(s, "BR_3H") == Fraction(3, 6)
    s.fight.dd_support = 0
    s.turn = 10  # 18.6 contested
    s.assets[AIR_ALLIED] = 1
    controlled_by(s, "allied", *[board.grid.names[h] for h in range(board.size) if board.airfields >> h & 1])
    assert chance(s, "BR_3H") == Fraction(3, 6)


@rule("na41", "11.5.1", "11.5.3a")
def test_the_chance_of_the_doomed_counts_every_try() -> None:
    s = fight("BR_3H", attackers=RING)
    assert s.step[U("BR_3H")] == 0
    # two steps: a success costs one of them; the second try has only one left, and every success costs that
    assert chance(s, "BR_3H") == Fraction(1, 3)
    place(s, "BR_7H", ORIGIN)
    # four steps: three tries that leave somebody alive
    assert chance(s, "BR_3H", "BR_7H") == 1 - Fraction(2, 3) ** 3
    assert chance(s, "BR_3H", "BR_7H", lost=1) == 1 - Fraction(2, 3) ** 2
    assert chance(s, "BR_3H", "BR_7H", lost=3) == 0
    free = fight(["BR_3H", "BR_7H"])
    assert chance(free, "BR_3H", "BR_7H") == Fraction(1, 3)  # with a way out they try once


@rule("na41", "11.5.2b", "11.2.2b")
def test_the_panel_knows_who_may_try_again() -> None:
    s = fight(["BR_3H", "BR_7H"], attackers=RING)
    forecast = Forecast(s, COMBAT, H(ORIGIN), units(*RING))
    assert forecast.cleared("DR2") == Fraction(2, 3) ** 3
    assert forecast.cleared("DR4 (red)") == 1
    assert Forecast(s, AUTO_DS, H(ORIGIN), units(*RING)).cleared("DR2") == 1


@rule("na41", "11.3a")
def test_no_support_is_no_bonus() -> None:
    s = fight("BR_3H")
    place(s, "AL_7M", "2729")
    stand(s)
    do(s, "lead BR_3H", "air none")
    assert (s.stack[-1][0], s.fight.dd_support, s.depleted) == (F_DD_ROLL, 0, 0)
    assert of_kind(roll(s, 4), "determined_defence")[0].data["drm"] == 0
    assert s.fight.held == 0


# 11.5.2 Ports


@rule("na41", "11.5.2c")
def test_a_port_is_not_all_they_live_by_if_another_feeds_them() -> None:
    s = fight("BR_3H", hex_="3138", attackers={})
    controlled_by(s, "allied", "3138", "2946")
    s.memo["full", ALLIED] = 0
    for port in supply_lines.source_limits(s, ALLIED):
        s.memo["fed_by", ALLIED, port] = 1 << port
    assert defence.lives_by_port(s, H("3138"))
    s.memo["fed_by", ALLIED, H("2946")] = 1 << H("3138")
    assert not defence.lives_by_port(s, H("3138"))


@rule("na41", "11.5.2b", "11.5.2c")
def test_the_doomed_in_a_port_have_nothing_to_declare() -> None:
    s = fight("BR_3H", attackers=RING)
    stand(s)
    assert texts(s) == ["lead BR_3H", "yield"]
    assert forbidden(s, "desperate BR_3H") == "11.5.3a"
    do(s, "lead BR_3H")
    roll(s, 3)
    assert texts(s) == ["lead BR_3H", "yield"]  # 11.5.3a one step poorer
    assert s.step[U("BR_3H")] == 1


# 18.5a Rommel


@rule("na41", "18.5a")
def test_the_panel_counts_on_rommel() -> None:
    s = field(["GE_155", "GE_361"], "NZ_6")
    s.rommel = 1
    begin(s)
    found = panel(s, f"attack {FIELD}")
    assert found.ladder is not None
    column = found.ladder.columns[found.ladder.now]
    hopes = [(cell.chance, cell.good or Fraction(0)) for cell in column.cells]
    usual = sum((share * good for share, good in hopes), Fraction(0))
    best = sum((share * max(good, usual) for share, good in hopes), Fraction(0))
    assert usual < best < 1
    line = next(term for term in found.terms if term.rule == "18.5a")
    assert line.value == f"{round(100 * best)}%"
    s.rommel = 0
    assert "18.5a" not in {term.rule for term in panel(s, f"attack {FIELD}").terms}


@rule("na41", "18.5a")
def test_the_panel_warns_of_rommel_in_defence_and_tells_of_a_second_roll() -> None:
    s = field("NZ_6", "GE_155", active="allied")
    s.rommel = 1
    begin(s)
    assert ("once", "18.5a") in {(t.value, t.rule) for t in panel(s, f"attack {FIELD}").terms}
    s = fight("GE_155", attackers={"BR_3H": "2726"}, active="allied")
    s.rommel = 1
    stand(s)
    do(s, "lead GE_155")
    roll(s, 2)
    assert texts(s) == ["reroll", "accept"]
    found = dict(panel(s, "reroll").results)
    assert sum(found.values()) == 1
    assert found["fails"] == Fraction(3, 6)  # 2, 3 and 4 on flat ground; a 1 costs a step
    s = field(["GE_155", "GE_361"], "NZ_6")
    s.rommel = 1
    attack(s, "GE_155", "GE_361")
    roll(s, 1)
    assert texts(s) == ["reroll", "accept"]
    assert "18.5a" not in {term.rule for term in panel(s, "reroll").terms}  # he is being used


# 9.4.1, 18.7.4 What can still be declared


@rule("na41", "8.3b", "9.4.1a")
def test_who_is_asked_about_aircraft_has_decided_about_guns(monkeypatch: pytest.MonkeyPatch) -> None:
    s = field("GE_155", "BR_1DLI")
    place(s, "GE_ARKO", "1943")
    s.assets[AIR_GERMAN] = 1
    monkeypatch.setattr(support, "air_range", lambda s, side: board.grid.all)
    attack(s, "GE_155")
    ladder = panel(s, "no-artillery").ladder
    assert ladder is not None
    assert [x.rule for x in ladder.shifts] == ["9.4.1d", "18.7.4a"]
    do(s, "no-artillery")
    ladder = panel(s, "air air_support_german").ladder
    assert ladder is not None
    assert [x.rule for x in ladder.shifts] == ["18.7.4a"]


# 15.2.8 Breakthroughs


@rule("na41", "15.2.8c")
def test_the_panel_of_a_breakthrough_counts_the_supply_that_can_still_be_paid() -> None:
    group = [advancekit.TANK, advancekit.GUNNERS]
    for at_hand in (True, False):
        s = advancekit.prepared({WEST: group}, {advancekit.FAR_EAST: advancekit.FOE})
        if at_hand:
            supplies(s, "axis", WEST)
        advancekit.advance(s, {WEST: group})
        s.fight.supplied = OVERWHELMING
        advancekit.group(s, *group)
        advancekit.to(s, FIELD, EAST)
        rules = {term.rule for term in panel(s, f"storm {advancekit.FAR_EAST}").terms}
        assert ("9.2.3b" in rules) is at_hand
        assert ("8.5.1f" in rules) is not at_hand


@rule("na41", "8.9.1a")
def test_the_panel_of_an_auto_ds_needs_no_supply_and_no_die() -> None:
    s = combat()
    place(s, ["GE_I5_5L", "GE_II5_5L", "GE_I8"], WEST)
    place(s, "BR_1DLI", FIELD)
    found = fight_odds(s, AUTO_DS, H(FIELD), units("GE_I5_5L", "GE_II5_5L", "GE_I8"))
    assert found.results == (("DS (red)", Fraction(1)),)


@pytest.mark.rule("na41", "8.5.1e")
def test_attack_supply_is_a_switch_of_the_panel_until_it_is_asked_about() -> None:
    """The odds before shifts are those without it; what it is worth is the difference that it makes in the fight."""
    s = field("GE_I8", "NZ_6")
    supplies(s, "axis", WEST)
    begin(s)
    found = panel(s, f"attack {FIELD}").ladder
    assert found is not None
    (switch,) = [one for one in found.shifts if one.yes == "supply-"]
    assert (switch.rule, switch.by, switch.on, switch.no) == ("8.5.1a", "decider", True, "no-supply")
    attack(s, "GE_I8")
    while "no-supply" not in texts(s):
        do(s, next(text for text in texts(s) if text.startswith(("no-artillery", "air none"))))
    paid = next(text for text in texts(s) if text.startswith("supply-"))
    columns = [panel(s, text).ladder for text in (paid, "no-supply")]
    assert all(columns)
    with_it, without = (one.now for one in columns if one is not None)
    assert found.now == with_it
    assert switch.value == with_it - without


@pytest.mark.rule("na41", "8.8.3b")
def test_a_column_beyond_the_table_says_where_it_is_read() -> None:
    s = field("NZ_6", "GE_155", active="allied")
    begin(s)
    found = panel(s, f"attack {FIELD}").ladder
    assert found is not None
    read = {column.label: column.read for column in found.columns}
    assert (read["7:1"], read["8:1"], read["9:1"], read["6:1"]) == ("", "7:1", "7:1", "")
