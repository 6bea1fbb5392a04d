"""The game at the terminal, played by scripts: lists, answers, hand-over, secrets, saves."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable import registry
from sandtable.engine.contract import Odds, Term
from sandtable.engine.dice import derive_seed
from sandtable.engine.table import Table
from sandtable.terminal import show
from sandtable.terminal.desk import Desk, Names

from .terminalkit import first, human, play, printed, screen, session
from .toygame import GAME

# ------------------------------------------------------------------------------------------ playing


def test_a_whole_game_by_numbers_ends_with_its_outcome() -> None:
    found, text = play(["1"] * 400, [human(), first()])
    assert found.table.end is not None
    assert "The game is over." in text
    assert "3.1" in text


def test_two_computers_need_no_input() -> None:
    found, text = play([], [first(), first()])
    assert found.table.end is not None
    assert "passed" in text or "moved" in text


def test_prompt_shows_side_title_and_rule() -> None:
    _, text = play(["quit"], [human(), first()])
    assert "Assign a strength 1.2" in text
    assert "Nobody else sees it." in text
    assert "Red" in text


def test_actions_by_number_notation_and_part_of_it() -> None:
    for line in ("2", "assign A 2", "ASSIGN a 2", "A 2"):
        found, _ = play([line, "quit"], [human(), first()])
        assert found.table.entries[0].do == "assign A 2", line


def test_a_forced_choice_is_made_and_told() -> None:
    found, text = play(["1", "1", "quit"], [human(), first()])
    assert [e.do for e in found.table.entries[:3]] == ["assign A 1", "assign B 2", "assign C 3"]
    assert "Only one choice: assign C 3" in text


def test_why_not_names_the_rule() -> None:
    _, text = play(["1", "? assign A 2", "? 1", "quit"], [human(), first()])
    assert "No. Each strength is used once, block after block. 1.3" in text
    assert "Yes. assign B 2" in text


def test_an_illegal_action_is_refused_with_its_rule_and_nothing_changes() -> None:
    found, text = play(["1", "assign A 3", "quit"], [human(), first()])
    assert len(found.table.entries) == 1
    assert "1.3" in text


def test_unclear_lines_are_explained() -> None:
    _, text = play(["assign A", "zzz", "77", "quit"], [human(), first()])
    assert "could be 3 things" in text
    assert "no action is called 'zzz'" in text
    assert "77 is not in the list: it has 1 to 3" in text


def test_undo_goes_back_over_forced_choices() -> None:
    lines = ["1", "1", "block A", "undo", "log all", "quit"]
    found, text = play(lines, [human(), first()])
    game, table = found.game, found.table
    assert table.to_act == 0
    assert len(game.legal(table.state)) > 1
    assert "taken back" in text
    assert "×" not in text or "taken back by red ×" in text


def test_undo_does_not_cross_dice() -> None:
    _, text = play(["1", "1", "undo", "quit"], [human(), first()])
    assert "dice, a reveal or the other side came in between" in text


def test_odds_with_and_without_dice() -> None:
    console = screen()
    odds = Odds("Fire", (Term("3", "9.2", "dice"),), (("no hit", Fraction(8, 27)), ("a hit", Fraction(19, 27))))
    console.print(*show.odds_tables("fire A infantry", odds))
    text = printed(console)
    assert "29.6 %" in text
    assert "19/27" in text
    assert "9.2" in text
    _, told = play(["odds", "quit"], [human(), first()])
    assert "No dice follow" in told


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (Fraction(1, 2), "50 %"),
        (Fraction(1, 3), "33.3 %"),
        (Fraction(1, 100000), "<0.1 %"),
        (Fraction(99999, 100000), ">99.9 %"),
        (Fraction(0), "0 %"),
        (Fraction(1), "100 %"),
    ],
)
def test_percent(chance: Fraction, words: str) -> None:
    assert show.percent(chance) == words


def test_every_command_answers() -> None:
    lines = [
        "help",
        "?",
        "odds",
        "list",
        "list B",
        "more",
        "map",
        "hex H1",
        "units",
        "status",
        "log",
        "rules 1",
    ]
    _, text = play([*lines, "log all", "log x", "save", "undo", "quit"], [human(), first()])
    assert "why it is not allowed" in text
    assert "Nothing has happened yet" in text
    assert "log takes a number of lines" in text
    assert "save needs a file name here" in text
    assert "nothing to take back" in text.lower()
    assert "No action contains 'B'" in text


def test_a_hint_is_told_for_ones_own_decision() -> None:
    game = registry.get("asl")
    table = Table.new(game, "s01_capuzzo_outpost", seed=derive_seed(3))
    found, text = play(["hint", "quit"], table=table)
    assert not [entry for entry in found.table.entries if entry.by in game.info.sides]  # nothing was done
    labels = [str(game.action_label(table.state, action)) for action in table.legal()]
    assert any(f"\n{label}\n" in text for label in labels)
    _, told = play(["hint", "quit"], [human(), first()])
    assert "toy has no computer player that could be asked" in told


def test_a_legal_action_comes_before_a_command_of_the_same_word() -> None:
    found, _ = session([])
    found.viewer = 0
    found._desk = Desk(GAME, found.table.state, Names(None))
    assert found._is_action("assign A 1")
    assert not found._is_action("help")
