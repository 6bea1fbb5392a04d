"""The log: what is written is read back, and any damage is found, named and recovered from."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandtable.engine.contract import Outcome
from sandtable.engine.dice import commitment
from sandtable.engine.log import (
    CONSENT,
    End,
    Entry,
    Header,
    Journal,
    Log,
    SaveError,
    chain,
    dump_log,
    read_log,
    write_log,
)

SEED = b"secret"
HEADER = Header(
    "toy",
    2,
    "line",
    ("red", "blue"),
    {"long": True},
    commitment(SEED),
    SEED.hex(),
    {"red": "human"},
    "1941-02-12",
)
ENTRIES = (
    Entry("red", "assign A 1"),
    Entry("red", undo=1),
    Entry("red", "assign A 3"),
    Entry("chance", "first red", (2,), 1),
    Entry("blue", "block X"),
    Entry(CONSENT, undo=2),
    Entry("chance", "result won", (6, 1, 5), 4),
)
END = End(Outcome(1, "by count", 2, "3.1"), SEED.hex())
FINISHED = Log(HEADER, ENTRIES, END)
OPEN = Log(HEADER, ENTRIES)


def entries(log: Log) -> tuple[Entry, ...]:
    return tuple(entry._replace(line=0) for entry in log.entries)


def chained(*lines: dict[str, Any]) -> str:
    """Lines with right checksums, whatever they say."""
    total, text = "", ""
    for line in lines:
        total = chain(total, line)
        text += json.dumps({**line, "sum": total}) + "\n"
    return text


def first_line(**changes: Any) -> dict[str, Any]:
    return {
        "format": 1, "game": "toy", "version": 2, "scenario": "line", "options": {}, "sides": ["red", "blue"],
        "commitment": "", **changes,
    }  # fmt: skip


@pytest.mark.parametrize("log", [FINISHED, OPEN, Log(HEADER), Log(HEADER, (), End(None, SEED.hex()))])
def test_what_is_written_is_read(log: Log, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    write_log(log, path)
    for read in (read_log(path), read_log(str(path)), read_log(dump_log(log))):
        assert read.header == log.header
        assert entries(read) == log.entries
        assert read.end == log.end
        assert not read.note
    assert [entry.line for entry in read_log(path).entries] == list(range(2, len(log.entries) + 2))
    assert read_log(path).name == "game.jsonl"


def test_the_form_of_the_lines() -> None:
    """Other programs read these lines: their keys do not change."""
    lines = [json.loads(line) for line in dump_log(FINISHED).splitlines()]
    assert list(lines[0]) == [
        "format", "game", "version", "scenario", "options", "sides", "commitment",
        "players", "created", "seed", "sum",
    ]  # fmt: skip
    assert {k: v for k, v in lines[1].items() if k != "sum"} == {"n": 1, "by": "red", "do": "assign A 1"}
    assert {k: v for k, v in lines[2].items() if k != "sum"} == {"n": 2, "by": "red", "undo": 1}
    assert {k: v for k, v in lines[4].items() if k != "sum"} == {
        "n": 4, "by": "chance", "do": "first red", "faces": [2], "dice": 1,
    }  # fmt: skip
    assert lines[-1]["end"] == {"winner": "blue", "level": "by count", "points": 2, "rule": "3.1"}
    assert lines[-1]["seed"] == SEED.hex()


def test_a_sealed_save_does_not_hold_the_seed_until_it_is_revealed() -> None:
    assert SEED.hex() in dump_log(OPEN)
    assert SEED.hex() not in dump_log(OPEN, sealed=True)
    assert read_log(dump_log(OPEN, sealed=True)).header.seed == ""
    assert read_log(dump_log(FINISHED, sealed=True)).end == END


def test_notes_are_kept() -> None:
    assert read_log(dump_log(Log(HEADER, ENTRIES, None, "why it was saved"))).note == "why it was saved"


# Damage


@pytest.mark.parametrize("log", [FINISHED, OPEN])
def test_no_changed_byte_goes_unseen(log: Log) -> None:
    """Any byte of a save set to another: the save is refused, or means exactly the same."""
    data = dump_log(log).encode()
    seen = 0
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] = ord("7") if data[place] != ord("7") else ord("8")
        try:
            read = read_log(changed.decode())
        except SaveError:
            seen += 1
        else:
            assert (read.header, entries(read), read.end) == (log.header, log.entries, log.end)
    assert seen > len(data) * 0.99


@pytest.mark.parametrize("log", [FINISHED, OPEN])
def test_a_save_cut_anywhere_is_refused_and_recovered(log: Log) -> None:
    data = dump_log(log)
    assert data.isascii()
    header = data.index("\n")
    for length in range(len(data) - 1):
        cut = data[:length]
        if length < header:
            if cut:
                with pytest.raises(SaveError, match=r"save:1: "):
                    read_log(cut, recover=True)
            continue
        with pytest.raises(SaveError):
            read_log(cut)
        got = read_log(cut, recover=True)
        assert entries(got) == log.entries[: len(got.entries)]
        assert len(got.entries) >= cut.count("\n") - 1
        assert got.end is None
        assert "was bad" in got.note
    assert read_log(data[:-1]).entries == read_log(data).entries, "the last line end may be missing"


def test_lines_lost_doubled_or_moved_are_found() -> None:
    lines = dump_log(FINISHED).splitlines(keepends=True)
    for place in range(1, len(lines)):
        lost = lines[:place] + lines[place + 1 :]
        doubled = lines[: place + 1] + lines[place:]
        for wrong in (lost, doubled):
            with pytest.raises(SaveError) as caught:
                read_log("".join(wrong))
            assert caught.value.line == (place + 1 if wrong is lost else place + 2)
        if place + 1 < len(lines):
            moved = [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]
            with pytest.raises(SaveError, match=rf"save:{place + 1}: checksum does not match"):
                read_log("".join(moved))


def test_the_words_of_refusal(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(dump_log(FINISHED).replace('"block X"', '"block Y"'))
    with pytest.raises(SaveError) as caught:
        read_log(path)
    assert str(caught.value) == "game.jsonl:6: checksum does not match (line changed or lines missing)"
    got = read_log(path, recover=True)
    assert entries(got) == ENTRIES[:4]
    assert got.note == ("recovered 4 actions; line 6 was bad: checksum does not match (line changed or lines missing)")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("\n", "1: the line is empty"),
        ("{}\n", "1: this is not a save"),
        ('{"a": 1}\nx\n', "1: this is not a save"),
        ("[1]\n", "1: the line is not a JSON object"),
        ("{not json\n", "1: the line is not JSON"),
        ('{"format": 1, "ga', "1: the file ends in the middle of this line"),
        (chained({"format": "one"}), "1: this is not a save"),
        (chained(first_line(format=2)), "1: save format 2 is newer"),
        (chained(first_line(version="2")), "1: the header lacks the game's version"),
        (chained(first_line(version=True)), "1: the header lacks the game's version"),
        (chained(first_line(sides="red")), "1: the header lacks the sides"),
        (chained(first_line(options={"long": 1})), "1: the header's options"),
        (chained(first_line(players=[])), "1: the header's players"),
        (chained(first_line(game=None)), "1: the line lacks 'game'"),
        (chained(first_line(seed="xyz")), "1: 'seed' is not hexadecimal"),
        (chained(first_line()), "2: the save is cut short"),
        (chained(first_line(), {"n": 2, "by": "red", "do": "x"}), "2: action 2 stands where action 1"),
        (chained(first_line(), {"n": "1", "by": "red", "do": "x"}), "2: 'n' is not a whole number"),
        (chained(first_line(), {"by": "red", "do": "x"}), "2: 'n' is not a whole number"),
        (chained(first_line(), {"n": 1, "by": "green", "do": "x"}), "2: nobody here is called 'green'"),
        (chained(first_line(), {"n": 1, "by": "red"}), "2: the line lacks 'do'"),
        (chained(first_line(), {"n": 1, "by": "chance", "do": "x"}), "2: 'faces' is not a list"),
        (
            chained(first_line(), {"n": 1, "by": "chance", "do": "x", "faces": ["6"]}),
            "2: 'faces' is not a list",
        ),
        (chained(first_line(), {"n": 1, "by": "chance", "do": "x", "faces": []}), "2: 'dice' is not"),
        (
            chained(first_line(), {"n": 1, "by": "red", "undo": 0}),
            "2: 'undo' is not a whole number of at least 1",
        ),
        (chained(first_line(), {"n": 1, "by": "chance", "undo": 1}), "2: nobody here is called 'chance'"),
        (chained(first_line(), {"saved": 3}), "2: 3 actions were saved, but 0 are here"),
        (chained(first_line(), {"saved": 0}, {"saved": 0}), "3: there is more after the closing line"),
        (chained(first_line(), {"end": 4}), "2: 'end' is not an outcome"),
        (
            chained(first_line(), {"end": {"winner": "green", "level": ""}}),
            "2: nobody here is called 'green'",
        ),
        (chained(first_line(), {"end": {"winner": None, "level": "", "points": "1"}}), "2: 'points' is not"),
        (chained(first_line(), {"end": None, "seed": "0"}), "2: 'seed' is not hexadecimal"),
    ],
)
def test_every_fault_is_named(text: str, why: str) -> None:
    with pytest.raises(SaveError) as caught:
        read_log(text)
    assert f"save:{why}" in str(caught.value)


def test_files_that_are_not_text(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"")
    with pytest.raises(SaveError, match="x:1: the file is empty"):
        read_log(path)
    path.write_bytes(bytes(range(256)))
    with pytest.raises(SaveError, match="x:1: "):
        read_log(path)
    path.write_bytes(dump_log(OPEN).encode().replace(b"block X", b"block \xff"))
    with pytest.raises(SaveError, match="x:6: the line is not JSON"):
        read_log(path)
    path.write_text(chained(first_line()) + '{"n": 1, "by": "red", "do": "\\ud800", "sum": ""}\n')
    with pytest.raises(SaveError, match="x:2: the line is not proper text"):
        read_log(path)


def test_a_save_tells_a_terminal_nothing_to_do() -> None:
    """Who is sent a save and looks at it does not have his screen wiped, or his window renamed."""
    bell, clear = "\x1b]0;mine\x07", "\x9b2J"
    for evil in (bell, clear, "\x7f"):
        named = replace(OPEN, header=replace(OPEN.header, players={"red": evil}))
        for log, line in ((named, 1), (replace(OPEN, note=evil), len(OPEN.entries) + 2)):
            with pytest.raises(SaveError, match="the line is not proper text") as caught:
                read_log(dump_log(log))
            assert caught.value.line == line


def test_other_line_ends_and_spaces_do_no_harm() -> None:
    text = dump_log(FINISHED)
    assert entries(read_log(text.replace("\n", "\r\n"))) == ENTRIES
    assert entries(read_log(text.replace(", ", ",  "))) == ENTRIES


def test_a_game_that_has_ended_has_ended_whatever_stands_after_it() -> None:
    got = read_log(dump_log(FINISHED) + "more\n", recover=True)
    assert entries(got) == ENTRIES
    assert got.end == END
    assert "there is more after the closing line" in got.note


# Writing


def test_a_save_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    write_log(OPEN, path)
    before = path.read_bytes()

    def full(number: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        write_log(FINISHED, path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_save_is_on_disk_before_it_takes_the_old_ones_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    fsync, put = os.fsync, os.replace

    def noted_fsync(number: int) -> None:
        order.append("fsync")
        fsync(number)

    def noted_replace(one: Path, other: Path) -> None:
        order.append("replace")
        put(one, other)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(os, "replace", noted_replace)
    write_log(OPEN, tmp_path / "game.jsonl")
    assert order[:2] == ["fsync", "replace"]


# Journals


def journal(path: Path, some: Sequence[Entry]) -> None:
    with Journal(path, Log(HEADER, tuple(some[:2]))) as book:
        for entry in some[2:]:
            book.append([entry])


def test_a_journal_is_a_log_at_any_time(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    with Journal(path, Log(HEADER)) as book:
        for count, entry in enumerate(ENTRIES, 1):
            book.append([entry])
            assert entries(read_log(path)) == ENTRIES[:count]
        book.append((), END)
    assert entries(read_log(path)) == ENTRIES
    assert read_log(path).end == END
    with pytest.raises(FileExistsError):
        Journal(path, Log(HEADER))


def test_a_half_written_last_line_is_found_dropped_and_written_on(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    journal(whole, ENTRIES)
    data = whole.read_bytes()
    start = data.rindex(b"\n", 0, len(data) - 1) + 1
    path = tmp_path / "j.jsonl"
    for length in range(start + 1, len(data)):
        path.write_bytes(data[:length])
        complete = length == len(data) - 1
        if not complete:
            with pytest.raises(SaveError, match=r"j.jsonl:8: the file ends in the middle of this line"):
                read_log(path)
        book, log = Journal.resume(path)
        assert entries(log) == (ENTRIES if complete else ENTRIES[:-1])
        with book:
            book.append([Entry("red", "pass")], END)
        after = read_log(path)
        assert entries(after) == (*entries(log), Entry("red", "pass"))
        assert after.end == END


def test_a_half_written_line_is_gone_once_the_journal_is_taken_up(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    journal(path, ENTRIES)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"n": 8, "by": "blue", "do": "a very long action that was never fini')
    Journal.resume(path)[0].close()
    assert path.read_bytes() == whole


def test_a_journal_damaged_elsewhere_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    journal(path, ENTRIES)
    data = path.read_text()
    path.write_text(data.replace('"first red"', '"first blue"'))
    with pytest.raises(SaveError, match=r"j.jsonl:5: checksum"):
        Journal.resume(path)
    path.write_text(data.replace('"result won"', '"result lost"'))
    with pytest.raises(SaveError, match=r"j.jsonl:8: checksum"):
        Journal.resume(path)
    assert path.read_text() == data.replace('"result won"', '"result lost"'), "and is left alone"
    path.write_text(dump_log(OPEN))
    with pytest.raises(SaveError, match="not a journal"):
        Journal.resume(path)
    path.unlink()
    with Journal(path, FINISHED):
        pass
    with pytest.raises(SaveError, match="has ended"):
        Journal.resume(path)


def test_a_full_disk_takes_nothing_from_a_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "j.jsonl"
    with Journal(path, Log(HEADER, ENTRIES[:2])) as book:
        before = path.read_bytes()
        with monkeypatch.context() as patch:

            def full(number: int) -> None:
                raise OSError("no space left on device")

            patch.setattr(os, "fsync", full)
            with pytest.raises(OSError, match="no space"):
                book.append(ENTRIES[2:])
        assert path.read_bytes() == before
        book.append(ENTRIES[2:])
    assert entries(read_log(path)) == ENTRIES


WRITER = """
import sys
from sandtable.engine.log import *
book = Journal(sys.argv[1], Log(Header("toy", 2, "line", ("red", "blue"))))
n = 0
while True:
    n += 1
    book.append([Entry("red", f"block {n}")])
    sys.stdout.write(f"{n}\\n")
    sys.stdout.flush()
"""


@pytest.mark.parametrize("many", [1, 40])
def test_what_was_acknowledged_survives_kill_9(many: int, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        acknowledged = 0
        for line in writer.stdout:
            acknowledged = int(line)
            if acknowledged >= many:
                writer.send_signal(signal.SIGKILL)
                break
        for line in writer.stdout:
            acknowledged = int(line)
    book, log = Journal.resume(path)
    book.close()
    assert len(log.entries) >= acknowledged
    assert [entry.do for entry in log.entries] == [f"block {n}" for n in range(1, len(log.entries) + 1)]
