"""10.4 Determined Defence."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.caucasus.combat.combat import begin_fight
from sandtable.games.caucasus.table.ids import F_MOVES, MOBILE, RESULTS
from sandtable.games.caucasus.table.state import State

from ..fights import (
    AXIS,
    FOUR_TO_ONE,
    attack,
    away,
    combat,
    field,
    may_advance,
    odds_of,
    resolve,
    retreat,
    shows,
    term,
)
from ..kit import GAME, H, U, at, board, do, kinds, of_kind, place, roll, start, texts, units, why


def stand(defenders: list[str], hex_: str = "1332", origin: str = "1433", attackers: str = "GE-13Pz") -> State:
    """An attack on some hex (a town in the open), up to the defender's choice after a DR."""
    s = combat()
    place(s, attackers, origin)
    place(s, ["GE-23Pz", "GE-14Pz", "GE-3Pz"], origin)
    place(s, defenders, hex_)
    attack(s, hex_)
    while RESULTS[s.fight.result] != "DR" if s.fight.result >= 0 else True:
        do(s, "commit")
        dice = [i + 1 for i, code in enumerate(board.crt[s.fight.column]) if code == "DR"]
        assert dice, board.crt_columns[s.fight.column]
        roll(s, dice[0])
    return s


@pytest.mark.rule("caucasus", "10.4a", "10.4c")
def test_a_stand_cancels_the_retreat_and_the_advance() -> None:
    for result, die in (("D1", 5), ("DR", 2), ("A1/D1", 4)):
        s = field(FOUR_TO_ONE, ["SU-353RD"])
        resolve(s, die, "1333")
        assert RESULTS[s.fight.result] == result
        do(s, "lead SU-353RD")
        events = roll(s, 6)  # clear: a 6 holds and costs a step
        assert of_kind(events, "determined_defence")[0].data["holds"] == 1
        if result == "DR":
            assert at(s, "SU-353RD") == "1333"
            assert not may_advance(s)


@pytest.mark.rule("caucasus", "10.4c")
def test_the_whole_stack_stands() -> None:
    s = stand(["SU-10GRC", "SU-9RC", "SU-PG-Tuapse"])
    do(s, "lead SU-10GRC")
    roll(s, 4)  # Elite +1: 5 in a town holds and costs a step
    assert at(s, "SU-10GRC") == at(s, "SU-9RC") == at(s, "SU-PG-Tuapse") == "1332"
    assert (shows(s, "SU-10GRC"), shows(s, "SU-9RC")) == (1, 0)
    assert not may_advance(s)


@pytest.mark.rule("caucasus", "10.4b")
def test_no_stand_without_a_survivor() -> None:
    s = field(FOUR_TO_ONE, [])
    place(s, "SU-353RD", "1333", shows="reduced")  # 10:3 = 3:1, armour, TQ: 5:1
    events = resolve(s, 4, "1333")
    assert RESULTS[s.fight.result] == "D1"
    assert at(s, "SU-353RD") == "cadre"
    assert "determined_defence" not in kinds(events)
    assert may_advance(s)


@pytest.mark.rule("caucasus", "10.4d", "10.4h")
def test_the_lead_unit_gives_its_quality_and_takes_the_loss() -> None:
    for lead, drm in (("SU-10GRC", 1), ("SU-9RC", 0), ("SU-223RD", -1)):
        s = stand(["SU-10GRC", "SU-9RC", "SU-223RD"])
        assert texts(s) == ["lead SU-10GRC", "lead SU-9RC", "lead SU-223RD", "yield"]
        do(s, f"lead {lead}")
        events = roll(s, 4)
        told = of_kind(events, "determined_defence")[0].data
        assert (told["drm"], told["column"]) == (drm, "town")
        assert shows(s, lead) == 1
        assert of_kind(events, "step_lost")[0].data["unit"] == U(lead)


@pytest.mark.rule("caucasus", "10.4e", "11.4a")
def test_who_may_not_lead() -> None:
    """Disrupted units, white boxes, and units that retreated earlier in the phase."""
    s = combat()
    place(s, ["GE-13Pz", "GE-23Pz", "GE-14Pz", "GE-3Pz"], "1433")
    place(s, "SU-10GRC", "1332", disrupted=True)
    place(s, ["SU-9RC", "SU-3RC", "SU-PG-Tuapse"], "1332")
    s.retreated = s.defended = units("SU-3RC")
    attack(s, "1332")
    assert term(odds_of(s, "commit"), "3rd Rifle Corps").rule == "11.4a"
    do(s, "commit")
    assert s.fight.odds_def == 8 + 7 + 2 + 2  # the corps that has retreated adds nothing
    dice = [i + 1 for i, code in enumerate(board.crt[s.fight.column]) if code == "DR"]
    roll(s, dice[0])
    assert texts(s) == ["lead SU-9RC", "yield"]
    assert why(s, "lead SU-10GRC") == ("11.5c", "10th Guards Rifle Corps is disrupted and cannot lead")
    assert why(s, "lead SU-PG-Tuapse") == ("10.4e", "Tuapse Port Garrison has a white box and cannot lead")
    assert why(s, "lead SU-3RC") == ("11.4a", "3rd Rifle Corps has retreated in this phase and cannot lead")


@pytest.mark.rule("caucasus", "10.4e", "2.2e", "11.5c")
def test_where_nobody_may_lead_they_retreat_at_once() -> None:
    s = field(FOUR_TO_ONE, [])
    place(s, "SU-353RD", "1333", disrupted=True)  # 5:1
    resolve(s, 1, "1333")
    assert RESULTS[s.fight.result] == "DR"
    assert "yield" not in texts(s)


@pytest.mark.rule("caucasus", "10.4e", "11.4b", "13.2c")
def test_in_a_mobile_assault_earlier_retreats_do_not_count() -> None:
    s = combat(second=True)
    place(s, "GE-13Pz", "1234")
    place(s, "SU-353RD", "1333")
    s.retreated = units("SU-353RD")
    start(s, (F_MOVES, 1))
    begin_fight(s, MOBILE, H("1333"), units("GE-13Pz"))
    s.choices = None
    GAME.settle(s)
    assert s.fight.odds_def == 5
    roll(s, 2)
    assert "lead SU-353RD" in texts(s)


@pytest.mark.rule("caucasus", "10.4f")
@pytest.mark.parametrize(
    ("hex_", "origin", "column"),
    [
        ("1333", "1234", "Clear"),
        ("1332", "1433", "Town"),
        ("2235", "2135", "Forest, marsh"),
        ("2333", "2332", "Minor city, mountain"),
        ("2536", "2535", "Minor city, mountain"),  # better than the town in it
        ("1134", "1234", "Major city"),
        ("2128", "2127", "Minor city, mountain"),  # better than the rough ground under it
    ],
)
def test_the_column_is_the_best_of_the_hex(hex_: str, origin: str, column: str) -> None:
    s = combat()
    place(s, ["GE-1Mtn", "GE-4Mtn", "GE-97Jg", "GE-101Jg"], origin)
    place(s, "SU-353RD", hex_)
    attack(s, hex_)
    do(s, "commit")
    dice = [i + 1 for i, code in enumerate(board.crt[s.fight.column]) if code == "DR"]
    roll(s, dice[0])
    assert term(odds_of(s, "lead SU-353RD"), "column for").value == column


@pytest.mark.rule("caucasus", "10.4g", "16.13b")
def test_one_marker_for_a_stand_declared_before_the_die() -> None:
    s = combat("axis", turn=6)
    s.air = 0b1100
    s.fleet_ready = 1
    place(s, ["GE-1Mtn", "GE-4Mtn", "GE-97Jg", "GE-101Jg"], "2535")
    place(s, ["SU-353RD", "SU-BlackSea-HQ"], "2536")
    attack(s, "2536")
    do(s, "commit")
    dice = [i + 1 for i, code in enumerate(board.crt[s.fight.column]) if code == "DR"]
    roll(s, dice[0])
    do(s, "lead SU-353RD")
    assert texts(s) == ["support SU-4VA", "support SU-5VA", "support SU-BSF", "support none"]
    do(s, "support SU-5VA")
    assert GAME.to_act(s) == CHANCE  # no second one
    assert (s.air_used, s.fleet_ready) == (0b1000, 1)


@pytest.mark.rule("caucasus", "10.4h")
@pytest.mark.parametrize(
    ("lead", "marker", "drm"),
    [
        ("SU-32Gds", "none", 1),
        ("SU-353RD", "none", 0),
        ("SU-223RD", "none", -1),
        ("SU-353RD", "SU-BSF", 2),
        ("SU-353RD", "SU-4VA", 1),
        ("SU-32Gds", "SU-BSF", 3),
        ("SU-223RD", "SU-4VA", 0),
    ],
)
def test_soviet_modifiers(lead: str, marker: str, drm: int) -> None:
    s = combat("axis", turn=6)
    s.air = 0b1100
    s.fleet_ready = 1
    place(s, ["GE-1Mtn", "GE-4Mtn", "GE-97Jg", "GE-101Jg", "GE-9"], "2535")
    place(s, [lead, "SU-BlackSea-HQ"], "2536")
    attack(s, "2536")
    do(s, "commit")
    roll(s, next(i + 1 for i, code in enumerate(board.crt[s.fight.column]) if code == "DR"))
    do(s, f"lead {lead}")
    assert term(odds_of(s, f"support {marker}"), "added to the die").value == (f"{drm:+d}" if drm else "0")
    do(s, f"support {marker}")
    assert of_kind(roll(s, 3), "determined_defence")[0].data["drm"] == drm


@pytest.mark.rule("caucasus", "10.4h", "16.15")
def test_viii_air_corps_adds_two() -> None:
    s = combat("soviet", turn=3)
    s.air = 0b0011
    place(s, ["SU-10GRC", "SU-11GRC", "SU-9RC"], "1433")
    place(s, ["GE-4Bic", "GE-17A-HQ"], "1332")
    attack(s, "1332")
    do(s, "commit")
    roll(s, next(i + 1 for i, code in enumerate(board.crt[s.fight.column]) if code == "DR"))
    do(s, "lead GE-4Bic")
    assert term(odds_of(s, "support AX-VIII"), "added to the die").value == "+2"
    assert term(odds_of(s, "support AX-IV"), "added to the die").value == "+1"


@pytest.mark.rule("caucasus", "10.4i", "10.4j", "10.4k")
def test_what_each_result_of_the_table_does() -> None:
    """A full-strength Regular division in a town: −1, −1, 1/1, bullet −1, bullet −1, bullet 1/1."""
    seen = []
    for die in range(1, 7):
        s = stand(["SU-9RC", "SU-3RC", "SU-10RC"])
        do(s, "lead SU-9RC")
        roll(s, die)
        attacker = "lose" if texts(s)[0].startswith("lose GE") and GAME.to_act(s) == AXIS else ""
        if attacker:
            do(s, texts(s)[0])
        seen.append(
            (bool(s.here.get(H("1332"), 0) & units("SU-3RC")) and not s.fight.retreating, shows(s, "SU-9RC"), attacker)
        )
    assert seen == [
        (False, 1, ""),
        (False, 1, ""),
        (False, 1, "lose"),
        (True, 1, ""),
        (True, 1, ""),
        (True, 1, "lose"),
    ]


@pytest.mark.rule("caucasus", "10.4i")
def test_a_failed_stand_ends_in_a_retreat_of_two() -> None:
    s = field(FOUR_TO_ONE, "SU-353RD")
    resolve(s, 2, "1333")
    do(s, "lead SU-353RD")
    roll(s, 3)  # clear: fails, no loss
    retreat(s)
    assert away(s, "SU-353RD") == 2
    assert shows(s, "SU-353RD") == 0
    assert may_advance(s)


@pytest.mark.rule("caucasus", "10.4i", "10.4j", "10.4k")
def test_the_panel_gives_the_chance_of_every_result() -> None:
    s = stand(["SU-9RC", "SU-10GRC", "SU-10RC"])
    assert odds_of(s, "lead SU-9RC").results == (
        ("fails, retreat 2; lead unit loses a step", Fraction(1, 3)),
        ("fails, retreat 2; lead unit and attacker lose a step each", Fraction(1, 6)),
        ("holds; lead unit loses a step", Fraction(1, 3)),
        ("holds; lead unit and attacker lose a step each", Fraction(1, 6)),
    )
    elite = dict(odds_of(s, "lead SU-10GRC").results)
    assert elite["holds; lead unit and attacker lose a step each"] == Fraction(1, 3)
    assert sum(elite.values()) == 1


@pytest.mark.rule("caucasus", "10.4l")
def test_the_last_step_lost_in_a_success_lets_the_attacker_in_and_no_further() -> None:
    s = field(FOUR_TO_ONE, [])
    place(s, "SU-353RD", "1333", shows="reduced")  # 10:3 = 3:1, armour, TQ: 5:1
    resolve(s, 1, "1333")
    do(s, "lead SU-353RD")
    roll(s, 6)
    assert at(s, "SU-353RD") == "cadre"
    assert [text for text in texts(s) if text.startswith("advance")] == ["advance GE-13Pz 1333"]
    do(s, "advance GE-13Pz 1333")
    assert not may_advance(s)
