"""The log is the save: a header and the actions of a game, one JSON object a line.

    {"format": 1, "game": "rommel", "version": 1, "scenario": "1941", …, "sum": "…"}   the header
    {"n": 1, "by": "axis", "do": "pass", "sum": "…"}                                   an action
    {"n": 2, "by": "chance", "do": "hits 2", "faces": [6, 1, 6], "dice": 3, "sum": "…"}   dice as they fell
    {"n": 3, "by": "axis", "undo": 1, "sum": "…"}                                      takes back an action
    {"end": {"winner": "axis", …}, "seed": "…", "sum": "…"}                            a finished game
    {"saved": 3, "sum": "…"}                                                           or an unfinished one

`sum` chains the lines: each is the hash of the sum before it and of its own line, so that a line
that was changed, lost or moved is found. A save ends with its closing line (`end` or `saved`), so
that a save cut short is found too. A journal (``"journal": true`` in the header) is a log that is
written while the game is played, and may stop after any line.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from .contract import Outcome

FORMAT = 1
CHANCE_NAME = "chance"
CONSENT = "consent"
"""Who takes back actions that a side may not take back alone."""


class SaveError(ValueError):
    """A save that cannot be used: where, and why."""

    def __init__(self, line: int, why: str, name: str = "save") -> None:
        super().__init__(f"{name}:{line}: {why}")
        self.line = line
        self.why = why
        self.name = name


@dataclass(frozen=True)
class Header:
    """What has to be known to replay the actions."""

    game: str
    version: int
    scenario: str
    sides: tuple[str, ...]
    options: Mapping[str, bool] = field(default_factory=dict)
    commitment: str = ""
    seed: str = ""
    """Kept in private saves, so that the game can be continued; never in a copy for others."""
    players: Mapping[str, str] = field(default_factory=dict)
    created: str = ""
    foreign: int = 0
    """How many entries at the start were played elsewhere, with other dice: a game that branched off from another."""


class Entry(NamedTuple):
    """One line of the log: an action, or actions taken back."""

    by: str
    do: str = ""
    faces: tuple[int, ...] = ()
    dice: int = 0
    """How many dice of the seed had been used after this roll."""
    undo: int = 0
    line: int = 0
    """Where it stood in the file it was read from."""


@dataclass(frozen=True)
class End:
    """The closing line of a finished (or abandoned) game, with the seed revealed."""

    outcome: Outcome | None
    seed: str = ""


@dataclass(frozen=True)
class Log:
    """A whole log."""

    header: Header
    entries: tuple[Entry, ...] = ()
    end: End | None = None
    note: str = ""
    """What was lost if the log was recovered from a damaged file, or what a program wrote about it."""
    migrated_from: int | None = None
    name: str = "save"


def chain(before: str, line: Mapping[str, Any]) -> str:
    """The running checksum: over the sum before, and the line in canonical JSON without its own sum."""
    text = json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256((before + text).encode()).hexdigest()[:16]


# Writing


def header_json(header: Header, sealed: bool = False, journal: bool = False) -> dict[str, Any]:
    line: dict[str, Any] = {
        "format": FORMAT,
        "game": header.game,
        "version": header.version,
        "scenario": header.scenario,
        "options": dict(header.options),
        "sides": list(header.sides),
        "commitment": header.commitment,
    }
    if header.players:
        line["players"] = dict(header.players)
    if header.created:
        line["created"] = header.created
    if header.foreign:
        line["foreign"] = header.foreign
    if header.seed and not sealed:
        line["seed"] = header.seed
    if journal:
        line["journal"] = True
    return line


def entry_json(number: int, entry: Entry) -> dict[str, Any]:
    line: dict[str, Any] = {"n": number, "by": entry.by}
    if entry.undo:
        line["undo"] = entry.undo
        return line
    line["do"] = entry.do
    if entry.by == CHANCE_NAME:
        line["faces"] = list(entry.faces)
        line["dice"] = entry.dice
    return line


def end_json(end: End, sides: tuple[str, ...]) -> dict[str, Any]:
    outcome: dict[str, Any] | None = None
    if end.outcome is not None:
        winner = end.outcome.winner
        outcome = {
            "winner": None if winner is None else sides[winner],
            "level": end.outcome.level,
            "points": end.outcome.points,
            "rule": end.outcome.rule,
        }
    return {"end": outcome, "seed": end.seed} if end.seed else {"end": outcome}


def _written(before: str, line: dict[str, Any]) -> tuple[str, str]:
    total = chain(before, line)
    return json.dumps({**line, "sum": total}, ensure_ascii=False) + "\n", total


def dump_log(log: Log, sealed: bool = False) -> str:
    """The log as the text of a save. A sealed one leaves out a seed that is not revealed yet."""
    text, total = _written("", header_json(log.header, sealed))
    parts = [text]
    for number, entry in enumerate(log.entries, 1):
        text, total = _written(total, entry_json(number, entry))
        parts.append(text)
    closing: dict[str, Any]
    if log.end is not None:
        closing = end_json(log.end, log.header.sides)
    else:
        closing = {"saved": len(log.entries)}
    if log.note:
        closing["note"] = log.note
    parts.append(_written(total, closing)[0])
    return "".join(parts)


def write_log(log: Log, path: str | os.PathLike[str], sealed: bool = False) -> None:
    """Write a save whole or not at all: to a file beside it first, then in its place."""
    target = Path(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(beside, "w", encoding="utf-8", newline="\n") as file:
            file.write(dump_log(log, sealed))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make a new name in a folder survive a power cut, where the system can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


def printable(found: Any) -> bool:
    """Whether there is no control character in any text of this."""
    if isinstance(found, str):
        return CONTROL.search(found) is None
    if isinstance(found, dict):
        return all(printable(key) and printable(value) for key, value in found.items())
    return not isinstance(found, list) or all(printable(one) for one in found)


class Journal:
    """A log that grows on disk while the game is played; what `append` has returned from is safe."""

    def __init__(self, path: str | os.PathLike[str], log: Log) -> None:
        """Begin a journal in a new file with the header and the actions so far."""
        self.path = Path(path)
        self._file = open(self.path, "xb", buffering=0)  # noqa: SIM115 (closed by `close`)
        self._good = 0
        self._count = 0
        self._sides = log.header.sides
        text, self._sum = _written("", header_json(log.header, journal=True))
        try:
            self._write(text)
            self.append(log.entries, log.end)
        except BaseException:
            self.close()
            raise
        _sync_folder(self.path.parent)

    @classmethod
    def resume(cls, path: str | os.PathLike[str]) -> tuple[Journal, Log]:
        """Go on with a journal; a last line that was only half written is dropped."""
        data = Path(path).read_bytes()
        reader = _Reader(data, Path(path).name, recover=True)
        log = reader.read()
        if not reader.journal:
            raise SaveError(1, "this save is not a journal", log.name)
        if log.end is not None:
            raise SaveError(len(log.entries) + 2, "this game has ended", log.name)
        if b"\n" in data[reader.cut :]:
            raise SaveError(reader.damage_line, reader.damage, log.name)
        journal = cls.__new__(cls)
        journal.path = Path(path)
        journal._file = open(path, "r+b", buffering=0)  # noqa: SIM115 (closed by `close`)
        journal._file.truncate(reader.cut)
        journal._file.seek(reader.cut)
        journal._good = reader.cut
        journal._count = len(log.entries)
        journal._sides = log.header.sides
        journal._sum = reader.total
        if not data[: reader.cut].endswith(b"\n"):
            journal._write("\n")
        return journal, log

    def append(self, entries: Iterable[Entry], end: End | None = None) -> None:
        """Add actions; they are on disk, all of them, when this returns."""
        total, count, parts = self._sum, self._count, []
        for entry in entries:
            count += 1
            text, total = _written(total, entry_json(count, entry))
            parts.append(text)
        if end is not None:
            text, total = _written(total, end_json(end, self._sides))
            parts.append(text)
        self._write("".join(parts))
        self._sum, self._count = total, count

    def _write(self, text: str) -> None:
        data = text.encode()
        view = memoryview(data)
        try:
            while view:
                view = view[self._file.write(view) :]
            os.fsync(self._file.fileno())
        except OSError:
            with suppress(OSError):
                self._file.truncate(self._good)
                self._file.seek(self._good)
            raise
        self._good += len(data)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


# Reading


def read_log(source: str | os.PathLike[str], recover: bool = False, name: str = "") -> Log:
    """Read a save from a file, or from its text.

    A damaged one is refused by SaveError; with `recover`, the log up to the damage is returned and
    its note says what was wrong.
    """
    if isinstance(source, str) and (source.lstrip().startswith("{") or "\n" in source):
        return _Reader(source.encode(), name or "save", recover).read()
    path = Path(source)
    return _Reader(path.read_bytes(), name or path.name, recover).read()


class _Reader:
    """Reads one file line by line, holding the chain."""

    def __init__(self, data: bytes, name: str, recover: bool) -> None:
        self.data = data
        self.name = name
        self.recover = recover
        self.line = 0
        self.total = ""
        self.cut = 0
        self.journal = False
        self.closed = False
        self.note = ""
        self.damage = ""
        self.damage_line = 0
        self.entries: list[Entry] = []
        self.end: End | None = None

    def fail(self, why: str) -> SaveError:
        return SaveError(self.line, why, self.name)

    def read(self) -> Log:
        lines = self.data.split(b"\n")
        if lines[-1] == b"":
            lines.pop()
        self.line = 1
        if not lines:
            raise self.fail("the file is empty")
        header = self.header(self.object(lines[0], last=len(lines) == 1))
        self.advance(lines[0])
        try:
            for number, raw in enumerate(lines[1:], 2):
                self.line = number
                if self.closed:
                    raise self.fail("there is more after the closing line")
                self.take(self.object(raw, last=number == len(lines)), header.sides)
                self.advance(raw)
            if not self.closed and not self.journal:
                self.line = len(lines) + 1
                raise self.fail("the save is cut short: its closing line is missing")
        except SaveError as error:
            if not self.recover:
                raise
            self.damage, self.damage_line = error.why, error.line
            self.note = f"recovered {len(self.entries)} actions; line {error.line} was bad: {error.why}"
        return Log(header, tuple(self.entries), self.end, self.note, name=self.name)

    def advance(self, raw: bytes) -> None:
        self.cut = min(self.cut + len(raw) + 1, len(self.data))

    def object(self, raw: bytes, last: bool) -> dict[str, Any]:
        """One line as an object, its checksum checked."""
        half = last and not self.data.endswith(b"\n")
        try:
            line = json.loads(raw.decode())
        except (UnicodeDecodeError, ValueError, RecursionError) as error:
            if half:
                raise self.fail("the file ends in the middle of this line") from error
            raise self.fail("the line is not JSON" if raw.strip() else "the line is empty") from error
        if not isinstance(line, dict):
            raise self.fail("the line is not a JSON object")
        given = line.pop("sum", None)
        try:
            total = chain(self.total, line)
        except (UnicodeEncodeError, RecursionError) as error:
            raise self.fail("the line is not proper text") from error
        if not printable(line):  # a terminal would do what it says
            raise self.fail("the line is not proper text")
        if given != total:
            if self.line == 1 and "format" not in line:
                raise self.fail("this is not a save of a Sandtable game")
            raise self.fail("checksum does not match (line changed or lines missing)")
        self.total = total
        return line

    def header(self, line: dict[str, Any]) -> Header:
        form = line.get("format")
        if not isinstance(form, int):
            raise self.fail("this is not a save of a Sandtable game")
        if form > FORMAT:
            raise self.fail(f"save format {form} is newer than this program's {FORMAT}: update it")
        self.journal = line.get("journal") is True
        version = line.get("version")
        if not isinstance(version, int) or isinstance(version, bool):
            raise self.fail("the header lacks the game's version")
        sides = line.get("sides")
        if not isinstance(sides, list) or not all(isinstance(side, str) for side in sides):
            raise self.fail("the header lacks the sides")
        options = line.get("options", {})
        players = line.get("players", {})
        if not isinstance(options, dict) or not all(isinstance(v, bool) for v in options.values()):
            raise self.fail("the header's options are not yes or no")
        if not isinstance(players, dict) or not all(isinstance(v, str) for v in players.values()):
            raise self.fail("the header's players are not names")
        return Header(
            game=self.text(line, "game"),
            version=version,
            scenario=self.text(line, "scenario"),
            sides=tuple(sides),
            options=options,
            commitment=self.text(line, "commitment", ""),
            seed=self.hexadecimal(line, "seed"),
            players=players,
            created=self.text(line, "created", ""),
            foreign=self.count(line, "foreign", 0) if "foreign" in line else 0,
        )

    def text(self, line: dict[str, Any], key: str, default: str | None = None) -> str:
        value = line.get(key, default)
        if not isinstance(value, str):
            raise self.fail(f"the line lacks '{key}'")
        return value

    def hexadecimal(self, line: dict[str, Any], key: str) -> str:
        value = self.text(line, key, "")
        try:
            bytes.fromhex(value)
        except ValueError as error:
            raise self.fail(f"'{key}' is not hexadecimal") from error
        return value

    def count(self, line: dict[str, Any], key: str, least: int) -> int:
        value = line.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.fail(f"'{key}' is not a whole number of at least {least}")
        return value

    def take(self, line: dict[str, Any], sides: tuple[str, ...]) -> None:
        """An entry or the closing line."""
        if "end" in line or "saved" in line:
            self.note = self.text(line, "note", "")
            self.closed = True
            if "end" in line:
                self.end = End(self.outcome(line["end"], sides), self.hexadecimal(line, "seed"))
            elif line["saved"] != len(self.entries):
                raise self.fail(f"{line['saved']} actions were saved, but {len(self.entries)} are here")
            return
        if self.count(line, "n", 1) != len(self.entries) + 1:
            raise self.fail(f"action {line['n']} stands where action {len(self.entries) + 1} belongs")
        by = self.text(line, "by")
        if "undo" in line:
            if by != CONSENT and by not in sides:
                raise self.fail(f"nobody here is called {by!r}")
            self.entries.append(Entry(by, undo=self.count(line, "undo", 1), line=self.line))
            return
        do = self.text(line, "do")
        if by != CHANCE_NAME:
            if by not in sides:
                raise self.fail(f"nobody here is called {by!r}")
            self.entries.append(Entry(by, do, line=self.line))
            return
        faces = line.get("faces")
        if not isinstance(faces, list) or not all(type(face) is int for face in faces):
            raise self.fail("'faces' is not a list of whole numbers")
        self.entries.append(Entry(by, do, tuple(faces), self.count(line, "dice", 0), line=self.line))

    def outcome(self, data: Any, sides: tuple[str, ...]) -> Outcome | None:
        if data is None:
            return None
        if not isinstance(data, dict):
            raise self.fail("'end' is not an outcome")
        winner = data.get("winner")
        if winner is not None and winner not in sides:
            raise self.fail(f"nobody here is called {winner!r}")
        points = data.get("points", 0)
        if type(points) is not int:
            raise self.fail("'points' is not a whole number")
        number = None if winner is None else sides.index(winner)
        return Outcome(number, self.text(data, "level"), points, self.text(data, "rule", ""))


def cut_log(log: Log, entries: int, why: str) -> Log:
    """The log up to an action, with a note why the rest was left."""
    return replace(log, entries=log.entries[:entries], end=None, note=why)
