"""The game at the terminal, played by scripts: saves."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from sandtable import registry
from sandtable.engine.contract import Action, Illegal, Reason
from sandtable.engine.dice import derive_seed
from sandtable.engine.ledger import book
from sandtable.engine.packs import Pack, load_pack
from sandtable.engine.table import Table
from sandtable.terminal.desk import Desk, Names, Unclear, event_hexes
from sandtable.terminal.reader import Reader
from sandtable.terminal.rulebook import (
    NoSuchRule,
    chapter_lines,
    find_rules,
    is_under,
    notices,
    reader_language,
    rule_lines,
    show_rules,
)
from sandtable.terminal.session import CLEAR, Seat, Session
from sandtable.terminal.start import Wishes, chosen_options, fallback_path, seat_names, start

from .terminalkit import first, human, play, printed, screen, session
from .toygame import GAME, ToyGame

DATA = Path(__file__).parents[1] / "src" / "sandtable" / "games" / "rommel" / "data"


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(DATA)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ToyGame:
    """The toy game in the registry, and a home of its own."""
    monkeypatch.setitem(registry.GAMES, "toy", "tests.toygame:GAME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return GAME


# ------------------------------------------------------------------------------------------ saving


def test_end_of_input_saves_and_leaves(tmp_path: Path) -> None:
    path = tmp_path / "toy.jsonl"
    _, text = play(["1"], [human(), first()], save=path)
    assert path.exists()
    assert f"Saved as {path}" in text.replace("\n", "")
    assert len(Table.load(path, lambda name: GAME).entries) == 1


def test_ctrl_c_saves_and_leaves(tmp_path: Path) -> None:
    path = tmp_path / "toy.jsonl"

    def lines() -> Iterator[str]:
        yield "2"
        raise KeyboardInterrupt

    console = screen()
    table: Table[Any] = Table.new(GAME, "line", seed=derive_seed(3))
    assert Session(table, [human(), first()], console, Reader(console, lines()), path).run() is None
    assert Table.load(path, lambda name: GAME).entries[0].do == "assign A 2"


def test_the_game_is_saved_before_every_decision(tmp_path: Path) -> None:
    path = tmp_path / "toy.jsonl"
    counts = []

    def lines() -> Iterator[str]:
        for _ in range(2):
            counts.append(len(Table.load(path, lambda name: GAME).entries))
            yield "1"

    console = screen()
    table: Table[Any] = Table.new(GAME, "line", seed=derive_seed(3))
    Session(table, [human(), first()], console, Reader(console, lines()), path).run()
    assert counts == [0, 1]


def test_save_command_takes_a_file_and_a_bad_one_is_told(tmp_path: Path) -> None:
    good, bad = tmp_path / "a.jsonl", tmp_path / "no" / "such" / "folder.jsonl"
    _, text = play([f"save {bad}", f"save {good}", "1", "quit"], [human(), first()])
    assert "That did not work: No such file or directory" in text
    assert len(Table.load(good, lambda name: GAME).entries) == 1


def test_without_a_file_the_game_is_kept_in_the_data_folder(toy: ToyGame, tmp_path: Path) -> None:
    console = screen(200)
    wishes = Wishes("toy", "line", {"axis": "human", "allied": "random"}, seed=1)
    assert start(wishes, registry.get, ["1"], console) == 0
    saves = list((tmp_path / "data").rglob("*.jsonl"))
    assert len(saves) == 1
    assert str(saves[0]) in printed(console).replace("\n", "")


def test_nothing_decided_nothing_saved(toy: ToyGame, tmp_path: Path) -> None:
    console = screen()
    start(Wishes("toy", "line", {"axis": "human"}), registry.get, [], console)
    assert not list((tmp_path / "data").rglob("*.jsonl"))
    assert "nothing was saved" in printed(console)


def test_fallback_paths_never_collide(toy: ToyGame) -> None:
    table: Table[Any] = Table.new(GAME, "line")
    one = fallback_path(table)
    one.touch()
    assert fallback_path(table) != one


# ------------------------------------------------------------------------------------------ secrets


def parts_by_side(text: str) -> list[tuple[str, str]]:
    """What was printed between one clearing of the screen and the next, and who was asked to sit there."""
    pages = text.split(CLEAR)
    found = []
    for before, page in pairwise(pages):
        asked = re.search(r"Hand over to the (\w+) player", before)
        if asked:
            found.append((asked[1], page))
    return found


def test_hand_over_clears_screen_and_scrollback() -> None:
    _, text = play(["", "1", "1", "", "", "quit"], terminal=True)
    assert text.count(CLEAR) >= 3
    assert "\x1b[3J" in CLEAR
    assert "Hand over to the Blue player." in text


def test_no_secret_of_one_side_is_printed_while_the_other_looks() -> None:
    """Strengths are given in secret: no page for one side tells a strength of the other."""
    script = ["", "3", "1", "", "", "2", "1", "", "", *(["log all", "units", "status", "block A", "1"] * 3)]
    script += ["", "", *(["log all", "block X", "1"] * 3)]
    _, text = play(script, terminal=True)
    pages = parts_by_side(text)
    assert {side for side, _ in pages} == {"Red", "Blue"}
    for side, page in pages:
        mine, theirs = ("ABC", "XYZ") if side == "Red" else ("XYZ", "ABC")
        plain = re.sub(r"\x1b\[[0-9;]*m", "", page)
        assert not re.search(rf"assigned [{theirs}] \d ", plain), side
        assert not re.search(rf"picked [{theirs}]", plain), side
        assert re.search(rf"(assigned|assign) [{mine}] \d", plain) or "Assign" not in plain


def test_the_hand_over_page_itself_tells_nothing() -> None:
    _, text = play(["", "3", "1", "", "", "1", "1", "", "", "quit"], terminal=True)
    for page in text.split(CLEAR):
        if "Hand over to" in page:
            plain = re.sub(r"\x1b\[[0-9;]*m", "", page)
            assert "assigned" not in plain
            assert "assign " not in plain


def test_a_forced_choice_of_the_other_side_is_handed_over_too() -> None:
    """If it were made in passing, the side at the screen would learn that there was no choice."""
    table: Table[Any] = Table.new(GAME, "line", seed=derive_seed(3))
    for action in ("assign A 1", "assign B 2", "assign C 3", "assign X 1", "assign Y 2"):
        table.act(GAME.parse(action))
    found, text = play(["", "quit"], table=table, terminal=True)
    assert "Hand over to the Blue player." in text
    assert "Only one choice" in text
    before = text.split("Hand over to the Blue player.")[0]
    assert "Only one choice" not in before
    assert len(found.table.entries) >= 6


class Watched:
    """A game that notes for whom it is asked to look, and for whom the screen was then."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self.session: Session | None = None
        self.looks: list[tuple[str, int, int | None]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def _note(self, what: str, side: int) -> None:
        self.looks.append((what, side, self.session.viewer if self.session is not None else None))

    def view(self, s: Any, side: int) -> Any:
        self._note("view", side)
        return self._game.view(s, side)

    def event_json(self, event: Any, side: int) -> Any:
        self._note("event", side)
        return self._game.event_json(event, side)

    def prompt(self, s: Any) -> Any:
        self._note("prompt", self._game.to_act(s))
        return self._game.prompt(s)

    def action_label(self, s: Any, action: Any) -> Any:
        self._note("label", self._game.to_act(s))
        return self._game.action_label(s, action)

    def odds(self, s: Any, action: Any) -> Any:
        self._note("odds", self._game.to_act(s))
        return self._game.odds(s, action)


@pytest.mark.parametrize("seed", range(2))
def test_rommel_is_only_ever_asked_for_the_side_at_the_screen(seed: int) -> None:
    """Hot-seat, random lines: views, events, prompts, labels and odds are those of the viewer alone."""
    game: Any = Watched(registry.get("rommel"))
    rng = Random(seed)
    words = ["log all", "units", "status", "map", "odds", "?", "hex Tobruk", "undo", "list", ""]
    lines = [rng.choice(words) if rng.random() < 0.2 else str(rng.randint(1, 6)) for _ in range(100)]
    console = screen()
    table: Table[Any] = Table.new(game, "battleaxe", seed=derive_seed(seed))
    game.session = Session(table, [human(), human()], console, Reader(console, lines))
    game.session.run()
    assert {"view", "event", "prompt", "label"} <= {what for what, _, _ in game.looks}
    assert [look for look in game.looks if look[1] != look[2]] == []
    assert len(table.entries) > 20


def test_one_person_against_a_computer_sees_no_hand_over_and_no_secret() -> None:
    _, text = play(["1", "1", "log all", "1", "1", "quit"], [human(), first()])
    assert "Hand over" not in text
    assert not re.search(r"assigned [XYZ] \d ", text)
    assert "assigned X 1.2" in text  # that it was assigned, under rule 1.2, is known; the strength is not


def test_a_script_need_not_answer_hand_overs() -> None:
    found, _ = play(["1", "1", "1", "1", "quit"])
    assert [e.do for e in found.table.entries[:6]] == [
        "assign A 1",
        "assign B 2",
        "assign C 3",
        "assign X 1",
        "assign Y 2",
        "assign Z 3",
    ]


def test_a_keyboard_is_read_with_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enter at a hand-over is only Enter: what is typed there is not taken for an action."""

    class Keyboard:
        def isatty(self) -> bool:
            return True

    typed = iter(["ready", "1", "quit"])
    prompts = []

    def read(prompt: str) -> str:
        prompts.append(prompt)
        return next(typed)

    monkeypatch.setattr(sys, "stdin", Keyboard())
    monkeypatch.setattr("builtins.input", read)
    console = screen(terminal=True)
    table: Table[Any] = Table.new(GAME, "line", seed=derive_seed(3))
    Session(table, [human(), human()], console, Reader(console)).run()
    assert [e.do for e in table.entries] == ["assign A 1"]
    assert prompts == ["Enter when only that player sees the screen. ", "red> ", "red> "]


def test_whatever_goes_wrong_the_game_is_saved(tmp_path: Path) -> None:
    def broken(table: Table[Any], side: int) -> Action:
        raise ZeroDivisionError

    path = tmp_path / "kept.jsonl"
    found, _ = session(["1", "1"], [human(), Seat("broken", broken)], save=path)
    with pytest.raises(ZeroDivisionError):
        found.run()
    assert len(Table.load(path, lambda name: GAME).entries) == 3


# ------------------------------------------------------------------------------------------ the desk


def test_groups_split_long_verbs_and_filter(pack: Pack) -> None:
    state = GAME.new("line")
    desk = Desk(GAME, state, Names(pack))
    assert [g.title for g in desk.groups()] == ["assign"]
    assert [e.text for g in desk.groups("a 3") for e in g.entries] == ["assign A 3"]
    assert [e.number for e in desk.entries] == [1, 2, 3]


def test_names_become_numbers(pack: Pack) -> None:
    names = Names(pack)
    assert names.numbered("to Tobruk via W") == "to 0313 via w"
    assert names.numbered("to El Agheila via NW") == "to 0902 via nw"
    assert names.numbered("move Panzer-Rgt 5") == "move GE-PZ5"
    assert names.hex("tobruk") == pack.grid.index["0313"]
    assert names.hex("0313") == pack.grid.index["0313"]
    assert names.hex("Nowhere") is None
    assert Names(None).numbered("to Tobruk") == "to Tobruk"


def test_event_hexes_are_found_anywhere_in_an_event(pack: Pack) -> None:
    seen = {"kind": "moved", "hex": "0313", "more": {"path": ["0312", "0311"]}, "n": 3}
    assert event_hexes(Names(pack), seen) == {pack.grid.index[n] for n in ("0311", "0312", "0313")}


def test_why_not_about_a_thing(pack: Pack) -> None:
    table: Table[Any] = Table.new(GAME, "line", seed=derive_seed(3))
    for action in ("assign A 1", "assign B 2", "assign C 3", "assign X 1", "assign Y 2", "assign Z 3"):
        table.act(GAME.parse(action))
    side = table.to_act
    assert side is not None
    other = "X" if side == 0 else "A"
    desk = Desk(GAME, table.state, Names(None))
    assert [a.reason for a in desk.why_not(other)] == [Reason("2.2", "that block is not yours")]
    with pytest.raises(Unclear, match="has to do with H5"):
        desk.why_not("H5")
    with pytest.raises(Unclear):
        desk.why_not("nonsense")
    table.act((2, 0) if side == 0 else (2, 3))
    far = "H5" if side == 0 else "H1"
    answers = Desk(GAME, table.state, Names(None)).why_not(far)
    assert [a.reason.rule for a in answers if a.reason] == ["2.3"]


def test_read_refuses_what_the_rules_refuse() -> None:
    desk = Desk(GAME, GAME.new("line"), Names(None))
    with pytest.raises(Illegal, match=r"1\.3"):
        desk.read("assign B 1")
    with pytest.raises(Unclear, match="no action is called"):
        desk.read("mvoe")


# ------------------------------------------------------------------------------------------ wishes


def test_rules_are_found_by_number_section_and_chapter() -> None:
    shelf = book("rommel")
    assert shelf is not None
    assert [r.id for r in find_rules(shelf.rules, "1.3")] == ["1.3"]
    assert [r.id for r in find_rules(shelf.rules, "1.7")] == [f"1.7{c}" for c in "abcde"]
    assert all(r.chapter == "2" for r in find_rules(shelf.rules, "2"))
    assert len(chapter_lines(shelf.rules)) >= 18
    with pytest.raises(NoSuchRule, match="did you mean"):
        find_rules(shelf.rules, "1.7z")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "C", "LC_MESSAGES": "ja"}, "ja"),
        ({}, "en"),
    ],
)
def test_the_rulebook_is_read_in_the_language_of_the_terminal(environment: dict[str, str], language: str) -> None:
    assert reader_language(environment) == language


def test_a_book_in_another_language_says_so(tmp_path: Path) -> None:
    home = tmp_path / "toy"
    home.mkdir()
    (home / "rulebook.md").write_text("## 1 Map\n\n- [1.1] Hexes: Six sides.\n", encoding="utf-8")
    english = book("toy", tmp_path, "ja")
    assert english is not None
    assert [line.plain for line in notices(english, "ja")] == ["このゲームのルールブックは英語版だけです。"]
    assert notices(english, "en") == []
    (home / "rulebook.ja.md").write_text("## 1 マップ\n\n- [1.1] ヘックス：6辺。\n", encoding="utf-8")
    japanese = book("toy", tmp_path, "ja")
    assert japanese is not None
    assert notices(japanese, "ja") == []
    assert [line.plain for line in chapter_lines(japanese.rules, "ja")] == ["1  マップ  1項"]
    assert [str(line) for line in rule_lines(japanese.rules["1.1"], "ja")] == ["1.1 ヘックス。 6辺。"]


def test_a_table_after_a_rule_is_shown_with_it() -> None:
    page = io.StringIO()
    console = Console(file=page, width=100)
    show_rules(console, "na41", ["14.6"], "en")
    shown = page.getvalue()
    assert "14.6" in shown
    row = next(line for line in shown.splitlines() if "A1/DR2, DR2, DRX, A1/D1" in line)
    assert "|" not in row  # drawn, not as it stands in the book
    assert row.split()[-2:] == ["2", "2"]


@pytest.mark.parametrize(
    ("id", "head", "under"),
    [
        ("9.52a", "9.5", True),
        ("9.52a", "9", True),
        ("9.52a", "9.52", True),
        ("19.1", "1", False),
        ("9.5", "9.5", False),
    ],
)
def test_is_under(id: str, head: str, under: bool) -> None:
    assert is_under(id, head) is under


def test_seats_by_either_name() -> None:
    assert seat_names(GAME, {"axis": "random", "allied": None}) == {0: "random"}
    assert seat_names(GAME, {"red": "human", "blue": "random"}) == {0: "human", 1: "random"}
    with pytest.raises(Exception, match="given to"):
        seat_names(GAME, {"axis": "human", "red": "random"})
    with pytest.raises(Exception, match="did you mean --blue"):
        seat_names(GAME, {"bleu": "human"})


def test_options_are_checked() -> None:
    assert chosen_options(GAME, ["long"]) == {"long": True}
    assert chosen_options(GAME, ["no-long"]) == {"long": False}
    with pytest.raises(Exception, match="did you mean long"):
        chosen_options(GAME, ["lnog"])


def test_menu_asks_for_what_is_missing(toy: ToyGame) -> None:
    console = screen()
    start(Wishes("toy"), registry.get, ["7", "close", "1", "quit"], console)
    text = printed(console)
    assert "Which scenario?" in text
    assert "'7' is not in the list" in text
    assert "At close quarters. Red: human, Blue: first." in text


def test_menu_can_be_left(toy: ToyGame) -> None:
    assert start(Wishes("toy"), registry.get, ["quit"], screen()) == 0
