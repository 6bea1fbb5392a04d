"""The odds panel: what it promises is what the game then does."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.engine.contract import CHANCE, Odds
from sandtable.engine.odds import Ladder
from sandtable.games.caucasus.table import verbs
from sandtable.games.caucasus.table.ids import F_ADVANCE, F_COMBAT, F_MOVES, F_RETREAT
from sandtable.games.caucasus.table.state import State

from ..fights import attack, combat, field, panel, term
from ..kit import GAME, H, do, empty, place, roll, start, texts, units

AXIS, SOVIET = 0, 1


def ladder_of(odds: Odds | None) -> Ladder:
    assert odds is not None
    assert odds.ladder is not None
    return odds.ladder


def cleared(s: State, target: str) -> Fraction:
    """The chance that the hex is cleared, played out in the game: dice on average, the defender as well as he can."""
    top = s.stack[-1][0]
    if top in (F_RETREAT, F_ADVANCE, F_COMBAT, F_MOVES) or any(f[0] == F_RETREAT for f in s.stack):
        gone = not s.here.get(H(target), 0) & s.board.of_side[SOVIET]
        return Fraction(int(gone or any(f[0] == F_RETREAT for f in s.stack)))
    values = []
    for action in GAME.legal(s):
        branch = s.copy()
        GAME.apply(branch, action)
        values.append(cleared(branch, target))
    if s.actor == CHANCE:
        return sum(values, Fraction(0)) / len(values)
    return min(values) if s.actor == SOVIET else values[0]


def promised(ladder: Ladder) -> Fraction:
    column = ladder.columns[ladder.now]
    return sum((cell.chance * (cell.good or 0) for cell in column.cells), Fraction(0))


POSITIONS = [
    (["GE-13Pz"], ["SU-353RD"], "full"),
    (["GE-13Pz"], ["SU-353RD"], "reduced"),
    (["GE-13Pz", "GE-73"], ["SU-353RD", "SU-77RD"], "full"),
    (["GE-13Pz", "GE-23Pz"], ["SU-10GRC", "SU-68RB"], "full"),
    (["GE-73"], ["SU-68RB"], "full"),
    (["GE-73", "GE-125", "GE-9"], ["SU-223RD", "SU-9NKVD", "SU-BlackSea-HQ"], "full"),
    (["GE-13Pz"], ["SU-PG-Tuapse"], "full"),
]


@pytest.mark.rule("caucasus", "8.3c", "10.4a", "10.4i", "10.4l")
@pytest.mark.parametrize(("attackers", "defenders", "shows"), POSITIONS)
@pytest.mark.parametrize(("origin", "target"), [("1234", "1333"), ("1433", "1332"), ("2135", "2235")])
def test_the_chance_to_clear_the_hex_is_exact(
    attackers: list[str], defenders: list[str], shows: str, origin: str, target: str
) -> None:
    """In the open, in a town and in forest: the bar of the panel against the game played out to the end."""
    s = combat()
    place(s, attackers, origin)
    for name in defenders:
        one_step = s.board.steps[s.board.unit_index[name]] == 1
        place(s, name, target, shows="full" if one_step else shows)
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    assert f"attack {target}" in texts(s)  # 1:2 or better, every one of them
    ladder = ladder_of(panel(s, target, *attackers))
    do(s, "commit")
    assert cleared(s, target) == promised(ladder)


@pytest.mark.rule("caucasus", "10.4g", "10.4h")
def test_the_defenders_best_marker_is_reckoned_with() -> None:
    s = combat(turn=6)
    s.air = 0b1100
    place(s, "GE-13Pz", "1433")
    place(s, ["SU-10GRC", "SU-BlackSea-HQ"], "1332")
    ladder = ladder_of(panel(s, "1332"))
    do(s, "commit")
    assert cleared(s, "1332") == promised(ladder)


@pytest.mark.rule("caucasus", "8.3c")
def test_the_chances_are_the_table() -> None:
    odds = panel(field("GE-13Pz", "SU-353RD"), "1333")  # 4:1: EX DR DR A1/D1 D1 D1
    sixth = Fraction(1, 6)
    assert odds.results == (("EX", sixth), ("DR", 2 * sixth), ("A1/D1", sixth), ("D1", 2 * sixth))
    column = ladder_of(odds).columns[ladder_of(odds).now]
    assert [(cell.result, cell.faces, cell.good) for cell in column.cells] == [
        ("EX", (1,), 0),
        ("DR", (2, 3), Fraction(5, 6)),
        ("A1/D1", (4,), 1),  # its last step could only hold by being lost (10.4l)
        ("D1", (5, 6), 1),
    ]
    assert column.lost == (Fraction(2, 6), Fraction(4, 6))


@pytest.mark.rule("caucasus", "10.1c", "10.3a")
def test_average_losses_are_not_more_than_there_is_to_lose() -> None:
    """5:1 against a single step: A1/D2 takes one and costs the attacker none."""
    odds = panel(field(["GE-73", "GE-97Jg"], "SU-68RB"), "1333")  # DR DR A1/D1 D1 D1 A1/D2
    column = ladder_of(odds).columns[ladder_of(odds).now]
    assert column.label == "5:1"
    assert column.lost == (Fraction(1, 6), Fraction(4, 6))


@pytest.mark.rule("caucasus", "8.4a", "8.4b", "8.5a")
def test_the_ladder_has_columns_beyond_the_table() -> None:
    ladder = ladder_of(panel(field("GE-13Pz", ["SU-353RD", "SU-68RB"]), "1333"))
    assert [column.label for column in ladder.columns][:3] == ["1:3", "1:2", "1:1"]
    assert ladder.columns[0].cells[0].result == "No attack"
    assert ladder.columns[-1].label == "10:1+"
    assert ladder.columns[-1].cells[0].result == "Eliminated"
    assert ladder.columns[-1].lost == (Fraction(0), Fraction(3))
    far = ladder_of(panel(field(["GE-13Pz", "GE-23Pz", "GE-5SS"], "SU-98AT"), "1333"))
    assert far.columns[far.now].cells[0].result == "Eliminated"
    assert far.columns[far.now].label == "12:1+"  # 27 to 1: no shifts bring it back


@pytest.mark.rule("caucasus", "8.3a", "8.3b")
def test_every_action_that_leads_to_dice_has_odds() -> None:
    s = combat(turn=2)
    s.air = 0b11
    place(s, ["GE-73", "GE-Brand"], "1234")
    place(s, "GE-17A-HQ", "1134")
    place(s, "SU-353RD", "1333")
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    for action in ("attack 1333", "join GE-73", "shift GE-Brand", "commit", "support AX-IV"):
        odds = GAME.odds(s, GAME.parse(action))
        assert odds is not None, action
        ladder = ladder_of(odds)
        assert odds.results == ladder.results(), action
        assert sum(chance for _, chance in odds.results) == 1, action
        assert ladder.columns[ladder.now].label == odds.terms[-1].value, action
        assert ladder.hex == "1333", action
        do(s, action)
    assert GAME.odds(s, (verbs.LOSE, 0)) is None  # the dice are next
    roll(s, 6)
    assert GAME.odds(s, GAME.parse("lead SU-353RD")) is not None
    assert GAME.odds(s, GAME.parse("yield")) is None


@pytest.mark.rule("caucasus", "8.3b")
def test_each_marker_is_a_switch() -> None:
    s = combat(turn=2)
    s.air = 0b11
    place(s, ["GE-73", "GE-17A-HQ"], "1234")
    place(s, "SU-353RD", "1333")
    attack(s, "1333")
    do(s, "commit")
    ladder = ladder_of(GAME.odds(s, GAME.parse("support AX-VIII")))
    switches = [(one.text, one.value, one.on, one.action) for one in ladder.shifts if one.by == "decider"]
    assert switches == [
        ("VIII Air Corps", 2, True, "support none"),
        ("IV Air Corps", 1, False, "support AX-IV"),
    ]
    assert {action for *_, action in switches} <= set(texts(s))


@pytest.mark.rule("caucasus", "8.1c", "8.2a")
def test_both_forces_are_named_with_their_hexes() -> None:
    s = combat()
    place(s, "GE-13Pz", "1234")
    place(s, "GE-73", "1334")
    place(s, ["SU-353RD", "SU-68RB"], "1333")
    axis, soviet = ladder_of(panel(s, "1333", "GE-13Pz", "GE-73")).forces
    assert (axis.side, axis.units, axis.value, axis.hexes) == ("axis", ("GE-13Pz", "GE-73"), "15", ("1234", "1334"))
    assert (soviet.side, soviet.units, soviet.value) == ("soviet", ("SU-353RD", "SU-68RB"), "7")


@pytest.mark.rule("caucasus", "13.1e", "13.1j")
def test_a_mobile_assault_has_its_odds() -> None:
    s = empty(phase="axis_second_movement", turn=5)
    place(s, ["GE-13Pz", "GE-23Pz"], "1234")
    place(s, "SU-68RB", "1333")
    start(s, (F_MOVES, 1))
    do(s, "raid GE-13Pz", "pick GE-23Pz")
    odds = GAME.odds(s, GAME.parse("storm 1333"))
    assert odds is not None
    assert odds.terms[-1].value == "9:1"
    assert term(odds, "highest in a mobile assault").rule == "13.1j"
    assert sum(chance for _, chance in odds.results) == 1


@pytest.mark.rule("caucasus", "8.5b")
def test_an_automatic_elimination_in_movement_has_its_odds() -> None:
    s = empty(turn=5)
    s.air = 0
    place(s, ["GE-13Pz", "GE-23Pz"], "1234")
    place(s, "SU-68RB", "1333")
    start(s, (F_MOVES, 0))
    odds = GAME.odds(s, GAME.parse("crush 1333"))
    assert odds is not None
    assert odds.results == (("Eliminated", Fraction(1)),)
    assert s.fight.attackers & units("GE-13Pz") == 0
