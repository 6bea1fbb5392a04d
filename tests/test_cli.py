"""The command line: names, JSON keys, one-line failures."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sandtable import bench, cli, registry
from sandtable.engine.contract import Illegal
from sandtable.engine.log import SaveError

ROOT = Path(__file__).parents[1]


class Ran(NamedTuple):
    """What one run of the command line gave."""

    status: int
    out: str
    err: str

    def json(self) -> Any:
        assert self.status == 0, self.err
        return json.loads(self.out)

    def refused(self) -> str:
        """The one line of a failure."""
        assert self.status != 0
        lines = self.err.strip().splitlines()
        assert len(lines) == 1, self.err
        assert "Traceback" not in self.err
        assert lines[0].startswith("sandtable: ")
        return lines[0].removeprefix("sandtable: ")


class Runner:
    """Runs `main` in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def __call__(self, *words: object, lines: str = "") -> Ran:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        self.capsys.readouterr()
        status = cli.main([str(word) for word in words])
        out, err = self.capsys.readouterr()
        return Ran(status, out, err)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Runner:
    """The command line with the toy game in the registry, and homes of its own."""
    monkeypatch.setitem(registry.GAMES, "toy", "tests.toygame:GAME")
    monkeypatch.setitem(registry.GAMES, "broken", "tests.toygame:BROKEN")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv(cli.DEBUG, raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(tmp_path)
    return Runner(monkeypatch, capsys)


@pytest.fixture
def finished(run: Runner, tmp_path: Path) -> Path:
    """A finished game of the toy."""
    path = tmp_path / "finished.jsonl"
    ran = run("play", "toy", "line", "--axis", "random", "--allied", "random", "--seed", 5, "--save", path)
    assert ran.status == 0
    return path


@pytest.fixture
def begun(run: Runner, tmp_path: Path) -> Path:
    """A game of the toy that was left in the middle."""
    path = tmp_path / "begun.jsonl"
    assert run("play", "toy", "line", "--allied", "random", "--seed", 5, "--save", path, lines="1\n1\n").status == 0
    return path


# ------------------------------------------------------------------------------------------ lists


def test_games(run: Runner) -> None:
    found = run("games").out
    assert "rommel" in found
    assert "Rommel in the Desert" in found
    listed = {game["id"]: game for game in run("games", "--json").json()}
    assert set(listed["rommel"]) == {
        "id",
        "title",
        "title_ja",
        "version",
        "sides",
        "scenarios",
        "players",
        "summary",
    }
    assert listed["rommel"]["sides"] == ["axis", "commonwealth"]
    assert {"random", "planner"} <= set(listed["rommel"]["players"])


def test_scenarios(run: Runner) -> None:
    listed = run("scenarios", "rommel", "--json").json()
    assert {s["id"] for s in listed} == {
        *("1940", "1941", "1942", "campaign", "battleaxe", "crusader", "gazala", "pursuit", "first_battle")
    }
    assert set(listed[0]) == {"id", "title", "title_ja", "length", "note"}
    text = run("scenarios", "toy").out
    assert "At close quarters" in text
    assert "Eight turns" in text


def test_help_and_version(run: Runner) -> None:
    assert "simulate" in run("--help").out
    assert run().status == 0
    assert run("--version").out.strip()
    assert "--allied" in run("play", "--help").out


# ------------------------------------------------------------------------------------------ failures


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["plya"], "play"),
        (["scenarios", "romel"], "did you mean rommel"),
        (["scenarios"], "requires an argument"),
        (["scenarios", "rommel", "more"], "more"),
        (["play", "rommel", "1491"], "1941"),
        (["play", "toy", "lin"], "did you mean line?"),
        (["play", "toy", "line", "--axis", "humna"], "did you mean human?"),
        (["play", "toy", "line", "--axi", "human"], "did you mean --axis?"),
        (["play", "toy", "line", "--bleu", "human"], "did you mean --blue?"),
        (["play", "toy", "line", "--seed", "x"], "--seed"),
        (["play", "toy", "line", "--option", "lnog"], "did you mean long?"),
        (["play", "toy", "line", "--pack", "no-such-folder"], "no-such-folder is not a folder"),
        (["play", "toy", "line", "--save", "no/such/folder/x.jsonl"], "no/such/folder is not a folder"),
        (["play", "toy", "line", "--recover"], "--recover needs a save"),
        (["play", "--load", "game.jsonl"], "there is no option --load, and no game has a side of that name"),
        (["serve", "--port", "99999"], "a port is a number from 0 to 65535, not 99999"),
        (
            ["play", "toy", "line", "--axis", "human", "--red", "random"],
            "red is given to human and to random",
        ),
        (["simulate", "toy", "lime"], "did you mean line?"),
        (["simulate", "toy", "--games", "0"], "--games takes a number from 1"),
        (["simulate", "toy", "--games", "many"], "--games"),
        (["simulate", "toy", "--jobs", "-3"], "--jobs takes a number from 1"),
        (["simulate", "toy", "--players", "random,randon"], "did you mean random?"),
        (["simulate", "toy", "--players", "random,random,random"], "--players takes one player"),
        (["rules"], "rules needs a game"),
        (["rules", "rommel", "--lang", "xx"], "no language is called 'xx'; there are en, ja"),
        (["rules", "rommel", "99.9"], "no rule is numbered '99.9'"),
        (["rules", "rommel", "1.7q"], "did you mean 1.7"),
        (["rules", "rommmel"], "did you mean rommel"),
        (["replay", "nothing.jsonl"], "nothing.jsonl: No such file or directory"),
        (["replay"], "requires an argument"),
        (["verify"], "verify needs a save"),
        (["map", "rommel"], "requires an argument"),
        (["map", "rommel", "1941", "-o", "map.gif"], ".svg or .png"),
        (["map", "rommel", "-o", "no/such/folder/map.svg"], "No such file or directory"),
        (["packs", "check", "romel"], "did you mean rommel"),
        (["packs", "check", "rommel", "no-such-folder"], "no-such-folder is not a folder"),
        (["packs", "chek", "rommel"], "check"),
        (["bench", "romel"], "did you mean rommel"),
        (["verify", "--jsno"], "--json"),
    ],
)
def test_wrong_words_give_one_line_and_the_nearest_right_ones(run: Runner, words: list[str], wanted: str) -> None:
    assert wanted in run(*words).refused()


def test_a_fault_of_the_program_is_one_line_too(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise ZeroDivisionError("over nothing")

    monkeypatch.setattr(registry, "get", broken)
    ran = run("scenarios", "toy")
    assert "a fault of the program: ZeroDivisionError: over nothing" in ran.refused()
    monkeypatch.setenv(cli.DEBUG, "1")
    with pytest.raises(ZeroDivisionError):
        run("scenarios", "toy")


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (SaveError(3, "checksum does not match", "x.jsonl"), "x.jsonl:3: checksum does not match"),
        (Illegal("9.3", "too far"), "9.3: too far"),
        (PermissionError(13, "Permission denied", "x.svg"), "x.svg: Permission denied"),
        (KeyboardInterrupt(), "interrupted"),
        (ValueError("two\nlines"), "ValueError: two lines"),
    ],
)
def test_each_kind_of_error_is_one_line(
    run: Runner, monkeypatch: pytest.MonkeyPatch, error: BaseException, wanted: str
) -> None:
    def raising(name: str) -> None:
        raise error

    monkeypatch.setattr(registry, "get", raising)
    assert wanted in run("scenarios", "toy").refused()


def test_the_installed_program_fails_without_a_traceback() -> None:
    """As a user runs it: another process, nothing patched."""
    command = [sys.executable, "-m", "sandtable.cli", "play", "rommel", "1491"]
    ran = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, check=False)
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    assert "1941" in ran.stderr


def test_a_reader_that_leaves_early_is_no_failure() -> None:
    command = f"{sys.executable} -m sandtable.cli rules rommel 0 1 2 3 4 5 6 7 8 9 10 --json | head -c 10"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert ran.stderr == ""


# ------------------------------------------------------------------------------------------ playing


def test_play_from_a_script_and_resume(run: Runner, begun: Path) -> None:
    before = len(begun.read_text().splitlines())
    ran = run("play", "--save", begun, lines="1\nquit\n")
    assert ran.status == 0
    assert "Resumed after" in ran.out
    assert "Blue: random" in ran.out  # who plays is kept in the save
    assert len(begun.read_text().splitlines()) > before
    assert run("verify", begun).status == 0


def test_play_two_computers_with_a_seed_twice_is_the_same_game(run: Runner, tmp_path: Path) -> None:
    saves = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for save in saves:
        run("play", "toy", "close", "--red", "random", "--blue", "random", "--seed", 9, "--save", save)
    one, two = (
        [{k: v for k, v in json.loads(line).items() if k not in ("sum", "created")} for line in s.open()] for s in saves
    )
    assert one == two


def test_play_says_who_plays_and_publishes_the_commitment(run: Runner) -> None:
    ran = run("play", "toy", "line", "--blue", "random")
    assert "Red: human, Blue: random." in ran.out
    assert "SHA-256" in ran.out


def test_play_options_reach_the_game(run: Runner, tmp_path: Path) -> None:
    save = tmp_path / "long.jsonl"
    run("play", "toy", "line", "--axis", "random", "--allied", "random", "--option", "long", "--save", save)
    assert json.loads(save.read_text().splitlines()[0])["options"] == {"long": True}


def test_a_save_of_another_game_is_not_resumed(run: Runner, begun: Path) -> None:
    assert "holds game toy, not rommel" in run("play", "rommel", "1941", "--save", begun).refused()
    assert "holds scenario line, not close" in run("play", "toy", "close", "--save", begun).refused()
    assert "are for a new one" in run("play", "--save", begun, "--seed", 4).refused()


def test_a_finished_game_only_tells_its_end(run: Runner, finished: Path) -> None:
    ran = run("play", "--save", finished)
    assert ran.status == 0
    assert "The game is over." in ran.out


def damage(path: Path, line: int, old: str, new: str) -> None:
    lines = path.read_text().splitlines(keepends=True)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    path.write_text("".join(lines))


def test_a_damaged_save_is_refused_and_recovered_up_to_the_damage(run: Runner, begun: Path) -> None:
    damage(begun, 3, "assign B", "assign C")
    assert f"{begun.name}:3: checksum does not match" in run("play", "--save", begun).refused()
    assert f"{begun.name}:3:" in run("replay", begun).refused()
    ran = run("play", "--save", begun, "--recover", lines="quit\n")
    assert ran.status == 0
    assert "recovered 1 actions" in ran.out
    assert begun.with_name(begun.name + ".damaged").exists()
    assert run("verify", begun).status == 0


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "the file is empty"),
        ("hello\n", "not JSON"),
        ("[1, 2]\n", "not a JSON object"),
        ('{"a": 1}\n', "not a save"),
        ("\x00\x01\x02", ":1:"),
    ],
)
def test_files_that_are_no_saves(run: Runner, tmp_path: Path, text: str, wanted: str) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(text)
    for command in (["play", "--save", path], ["replay", path]):
        assert wanted in run(*command).refused()
    ran = run("verify", path)
    assert ran.status == 1
    assert wanted in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_folder_is_no_save(run: Runner, tmp_path: Path) -> None:
    assert "Is a directory" in run("replay", tmp_path).refused()
    assert "Is a directory" in run("play", "--save", tmp_path).refused()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_full_disk_is_said_in_words(run: Runner, tmp_path: Path) -> None:
    """By a link: a series that replaced what is no file would put the link aside, and not the device itself."""
    full = tmp_path / "rows.jsonl"
    full.symlink_to("/dev/full")
    assert run("simulate", "rommel", "--games", "1", "--rows", full).refused() == (
        "the disk is full: what was being written is not complete"
    )
    assert full.is_symlink()


# ------------------------------------------------------------------------------------------ simulate


def test_simulate_json_keys(run: Runner, tmp_path: Path) -> None:
    ran = run("simulate", "toy", "line", "--games", 4, "--seed", 7, "--players", "random,first", "--json")
    report = ran.json()
    assert list(report)[:11] == [
        "game",
        "scenario",
        "games",
        "finished",
        "errors",
        "decisions",
        "seconds",
        "decisions_per_second",
        "games_per_second",
        "wins",
        "mean_length",
    ]
    assert report["games"] == report["finished"] == 4
    assert report["errors"] == 0
    assert sum(report["wins"].values()) == 4
    assert not list(tmp_path.rglob("*.jsonl"))


def test_simulate_text_and_saves(run: Runner, tmp_path: Path) -> None:
    ran = run("simulate", "toy", "--games", 4, "--save-dir", tmp_path / "all", "--players", "random")
    assert "4 played, 4 finished, 0 errors" in ran.out
    saves = sorted((tmp_path / "all").glob("*.jsonl"))
    assert len(saves) == 4
    assert run("verify", *saves).status == 0


def test_simulate_keeps_the_save_of_an_error(run: Runner, tmp_path: Path) -> None:
    ran = run("simulate", "broken", "--games", 6, "--seed", 1, "--json")
    report = json.loads(ran.out)
    assert ran.status == 1
    assert report["errors"] > 0
    assert report["finished"] + report["errors"] == 6
    assert len(list((tmp_path / "saves").glob("*.jsonl"))) == report["errors"]
    assert ran.err.count("went wrong") == report["errors"]
    assert "Traceback" not in ran.err


# ------------------------------------------------------------------------------------------ rules


def test_rules_chapters_and_single_rules(run: Runner) -> None:
    assert "Sequence of play" in run("rules", "rommel", "--lang", "en").out
    text = run("rules", "rommel", "1.3", "2.4a", "--lang", "en").out
    assert text.startswith("1.3 Stacking.")
    assert "\n2.4a Who is elite." in text
    assert [r["id"] for r in run("rules", "rommel", "1.7", "--json").json()] == [f"1.7{c}" for c in "abcde"]
    assert run("rules", "kasserine", "3.95a", "--lang", "ja").out.startswith("3.95a 敵ZOC外での回復。")
    assert "はじめに" in run("rules", "kasserine", "--lang", "ja").out


def test_rules_coverage(run: Runner) -> None:
    report = run("rules", "--coverage", "--json").json()
    assert set(report["rommel"]) == {"rules", "tested", "not_applicable", "open"}
    counts = report["rommel"]
    assert counts["rules"] >= 457
    assert counts["tested"] + counts["not_applicable"] + len(counts["open"]) == counts["rules"]
    text = run("rules", "--coverage").out
    assert "not applicable" in text
    assert str(counts["rules"]) in text
    assert list(run("rules", "rommel", "--coverage", "--json").json()) == ["rommel"]


# ------------------------------------------------------------------------------------------ replay and verify


def test_replay_tells_the_game(run: Runner, finished: Path) -> None:
    ran = run("replay", finished)
    assert "The game is over." in ran.out
    assert "over 3.1" in ran.out
    report = run("replay", finished, "--json").json()
    assert set(report) == {"game", "scenario", "entries", "of", "to_act", "prompt", "outcome", "events"}
    assert report["entries"] == report["of"]
    assert report["to_act"] is None
    assert set(report["outcome"]) == {"winner", "level", "points", "rule"}


def test_replay_to_a_moment(run: Runner, finished: Path) -> None:
    report = run("replay", finished, "--to", 2, "--json").json()
    assert report["entries"] == 2
    assert report["to_act"] == "red"
    assert report["prompt"] is None  # what is decided is that side's business
    assert report["outcome"] is None
    assert [e["event"] for e in report["events"]] == ["assigned", "assigned"]
    assert "--to takes a number from 0 to" in run("replay", finished, "--to", 100000).refused()
    assert "--to takes a number from 0 to" in run("replay", finished, "--to", -1).refused()


def test_replay_shows_secrets_only_to_their_side(run: Runner, finished: Path) -> None:
    anybody = run("replay", finished, "--to", 6, "--json").json()
    assert not any("strength" in e for e in anybody["events"])
    red = run("replay", finished, "--to", 6, "--side", "axis", "--json").json()
    assert ["strength" in e for e in red["events"]] == [True] * 3 + [False] * 3
    assert "did you mean" in run("replay", finished, "--side", "redd").refused()


def test_verify_good_and_bad(run: Runner, finished: Path, begun: Path) -> None:
    ran = run("verify", finished, begun)
    assert ran.status == 0
    assert ran.out.count(": good, ") == 2
    damage(finished, 4, '"do"', '"od"')
    ran = run("verify", begun, finished, "missing.jsonl")
    assert ran.status == 1
    assert ran.out.count(": good, ") == 1
    assert len(ran.err.splitlines()) == 2
    assert f"{finished.name}:4:" in ran.err
    assert "No such file" in ran.err


def test_verify_json(run: Runner, finished: Path) -> None:
    report = run("verify", finished, "--json").json()
    assert set(report[0]) == {"save", "ok", "entries", "rolls", "dice", "problems", "notes"}
    assert report[0]["ok"] is True
    assert report[0]["dice"] > 0


def test_verify_finds_changed_dice(run: Runner, finished: Path) -> None:
    """A save whose chain was made anew, but whose dice are not those of the seed."""
    from sandtable.engine.log import read_log, write_log

    log = read_log(finished)
    number = next(i for i, e in enumerate(log.entries) if e.by == "chance")
    entry = log.entries[number]
    other = "first blue" if entry.do == "first red" else "first red"
    entries = (*log.entries[:number], entry._replace(do=other), *log.entries[number + 1 :])
    write_log(type(log)(log.header, entries, log.end), finished)
    ran = run("verify", finished)
    assert ran.status == 1
    assert "the seed gives" in ran.err


def test_a_save_of_an_unknown_game(run: Runner, finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(registry.GAMES, "toy")
    assert "no game is called 'toy'" in run("replay", finished).refused()
    assert run("verify", finished).status == 1


# ------------------------------------------------------------------------------------------ maps and packs


def test_map_svg_and_png(run: Runner, tmp_path: Path) -> None:
    for words, name in (
        (["rommel"], "board.svg"),
        (["rommel", "1941"], "setup.png"),
        (["rommel", "1941", "--side", "axis"], "axis.svg"),
    ):
        path = tmp_path / name
        assert run("map", *words, "-o", path).status == 0
        data = path.read_bytes()
        assert data.startswith(b"\x89PNG" if name.endswith("png") else b"<svg") or b"<svg" in data[:300]
    assert "Tobruk" in (tmp_path / "board.svg").read_text()


def test_map_of_a_scenario_of_joined_boards_is_its_own(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "map.svg"
    assert run("map", "asl", "s05_hafid_ridge", "-o", path).status == 0
    assert "Behind the Third Hillock" in path.read_text(encoding="utf-8")


def test_replay_svg(run: Runner, tmp_path: Path) -> None:
    save, picture = tmp_path / "r.jsonl", tmp_path / "r.svg"
    players = ("--axis", "random", "--commonwealth", "random")
    assert run("play", "rommel", "battleaxe", *players, "--seed", 2, "--save", save).status == 0
    assert run("replay", save, "--to", 10, "--svg", picture).status == 0
    assert "<svg" in picture.read_text()[:300]
    assert run("verify", save).status == 0


def test_packs_check(run: Runner, tmp_path: Path) -> None:
    assert "no faults" in run("packs", "check", "rommel").out
    assert run("packs", "check", "rommel", "--json").json() == []
    own = tmp_path / "own"
    own.mkdir()
    (own / "hexes.csv").write_text("hex,terrain\n0313,land\n9999,land\n")
    ran = run("packs", "check", "rommel", own)
    assert ran.status == 1
    assert "hexes.csv:3:" in ran.out
    assert "9999" in ran.out
    assert ran.err == "sandtable: 1 fault in the pack of rommel\n"
    found = json.loads(run("packs", "check", "rommel", own, "--json").out)
    assert set(found[0]) == {"file", "line", "fault"}
    assert found[0]["line"] == 3


def test_own_pack_is_played_with_and_a_bad_one_refused(run: Runner, tmp_path: Path) -> None:
    own = tmp_path / "config" / "sandtable" / "packs" / "rommel"
    own.mkdir(parents=True)
    (own / "hexes.csv").write_text("hex,name\n0313,Fort Example\n")
    path = tmp_path / "map.svg"
    assert run("map", "rommel", "-o", path).status == 0
    (own / "hexes.csv").write_text("hex,nmae\n0313,Fort Example\n")
    assert "column 'nmae' is unknown" in run("map", "rommel", "-o", path).refused()


# ------------------------------------------------------------------------------------------ bench


def test_bench(run: Runner) -> None:
    ran = run("bench", "toy", "--quick", "--json")
    report = ran.json()
    assert set(report) == {"machine", "kernels", "games", "targets"}
    toy = report["games"]["toy"]
    assert set(toy["scenarios"]) == {"line", "close"}
    assert len(toy["rounds"]) == 5
    assert toy["decisions_per_second"] == max(toy["rounds"]) > 0
    assert toy["additions_per_decision"] > 0
    assert {"p50", "p99", "max", "lists"} == set(toy["legal_us"])
    assert toy["copy_us"] > 0
    assert toy["view_us"] > 0
    assert {"name", "value", "limit", "met"} == set(report["targets"][0])
    assert "toy" in ran.err  # progress is not mixed into the JSON


def test_bench_asks_of_each_game_what_was_asked_of_it() -> None:
    measured = {
        "decisions_per_second": 6_000,
        "copy_us": 12.0,
        "legal_us": {"p99": 2_500.0},
        "replay": {"scenario": "long", "seconds": 1.0},
        "players": {},
    }
    found = bench.targets({"games": dict.fromkeys(("rommel", "na41", "asl"), measured), "kernels": {}})
    limits = {(one["name"].split(":")[0], one["limit"]): one["met"] for one in found}
    assert limits[("rommel", ">= 15000")] is limits[("rommel", "< 10")] is limits[("rommel", "< 2000")] is False
    assert limits[("na41", ">= 10000")] is limits[("na41", "< 10")] is limits[("na41", "< 2000")] is False
    assert limits[("asl", ">= 5000")] is limits[("asl", "< 15")] is limits[("asl", "< 3000")] is True


# ------------------------------------------------------------------------------------------ the checkout


def test_make_and_ci_are_in_order() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in ("play", "test", "check", "bench", "soak", "ledger", "docs"):
        assert f"\n{target}:" in makefile
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_every_command_is_documented() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text()
    for command in (
        "games",
        "scenarios",
        "play",
        "simulate",
        "rules",
        "replay",
        "verify",
        "map",
        "packs check",
        "bench",
    ):
        assert f"\n## {command}\n" in text, command
