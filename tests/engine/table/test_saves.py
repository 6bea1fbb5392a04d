"""The table: saves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable import registry
from sandtable.engine.contract import CHANCE, Event, Illegal, Outcome
from sandtable.engine.dice import commitment, derive_seed
from sandtable.engine.flat import differences, same
from sandtable.engine.log import (
    CHANCE_NAME,
    Entry,
    Journal,
    Log,
    SaveError,
    dump_log,
    read_log,
    write_log,
)
from sandtable.engine.migrations import as_it_was_ruled, chosen, edition, migrate, migration
from sandtable.engine.table import Table, verify, verify_file
from tests.toygame import BROKEN, GAME, State, ToyGame

from .tablekit import BLUE, RED, SEED, do, play, set_up, table, turn_of

# Replay, saves


def fought(seed: int, undo: float = 0.2) -> Table[State]:
    """A whole random game with actions taken back here and there, alone and by consent."""
    t = table(("line", "close")[seed % 2], derive_seed(f"fought {seed}"), options={"long": bool(seed % 3)})
    rng = Random(seed)
    while t.to_act is not None:
        side = t.to_act
        if rng.random() < undo and t.can_undo(side):
            t.undo(side)
        elif rng.random() < undo / 10 and t.entries:
            t.undo_by_consent()
        else:
            t.act(rng.choice(t.legal()), side)
    return t


@pytest.mark.parametrize("seed", range(12))
def test_a_replayed_log_is_the_same_game(seed: int, tmp_path: Path, toy: ToyGame) -> None:
    t = fought(seed)
    path = tmp_path / "game.jsonl"
    t.save(path)
    again = registry.load_table(path)
    assert not differences(t.state, again.state)
    assert [e._replace(line=0) for e in again.entries] == t.entries
    assert again.events == t.events
    assert again.end == t.end
    assert dump_log(again.log) == dump_log(t.log)
    report = registry.verify_save(path)
    assert report.ok, report.problems
    assert report.outcome == GAME.outcome(t.state)
    assert report.actions == len(t.entries)
    assert report.rolls == sum(entry.by == CHANCE_NAME for entry in t.entries)


def test_replay_to_any_moment() -> None:
    t = turn_of(RED)
    states = [Table.replay(t.log, GAME, to=0).state]
    assert same(states[0], GAME.new("line"))
    fresh = table(seed=bytes.fromhex(t.header.seed))
    for number, entry in enumerate(t.entries[:6], 1):
        fresh.act(GAME.parse(entry.do))
        if number < 6:
            assert same(Table.replay(t.log, GAME, to=number).state, fresh.state)
    assert same(Table.replay(t.log, GAME, to=99).state, t.state)
    assert Table.replay(t.log, GAME, to=6).game.to_act(Table.replay(t.log, GAME, to=6).state) == CHANCE


@pytest.mark.parametrize("stop", [0, 3, 6, 9, 20])
def test_a_loaded_game_goes_on_as_if_it_had_never_stopped(stop: int, tmp_path: Path, toy: ToyGame) -> None:
    rng = Random(8)
    whole = table("close")
    choices = []
    while whole.to_act is not None:
        choices.append(rng.choice(whole.legal()))
        whole.act(choices[-1])
    part = table("close")
    for action in choices[:stop]:
        part.act(action)
    path = tmp_path / "game.jsonl"
    part.save(path)
    report = registry.verify_save(path)
    assert report.ok
    assert "the game is not finished" in report.notes
    again = registry.load_table(path)
    assert again.can_undo(0) == part.can_undo(0)
    for action in choices[stop:]:
        again.act(action)
    assert dump_log(again.log) == dump_log(whole.log)


def test_undo_works_after_loading(tmp_path: Path, toy: ToyGame) -> None:
    t = turn_of(RED)
    before = t.state.copy()
    do(t, "block A", "to H1")
    t.save(tmp_path / "s")
    again = registry.load_table(tmp_path / "s")
    again.undo(RED)
    again.undo(RED)
    assert same(again.state, before)
    assert not again.can_undo(RED)


def test_a_sealed_save_can_be_looked_at_but_not_played_on_without_its_seed(tmp_path: Path, toy: ToyGame) -> None:
    t = table()
    do(t, "assign A 1", "assign B 2", "assign C 3", "assign X 1", "assign Y 2")
    path = tmp_path / "s"
    t.save(path, sealed=True)
    sealed = registry.load_table(path)
    assert sealed.dice is None
    before = sealed.state.copy()
    with pytest.raises(Illegal, match="the seed of the game is not known"):
        sealed.act(GAME.parse("assign Z 3"))
    assert same(sealed.state, before)
    assert len(sealed.entries) == 5
    assert "dice cannot be checked before the seed is revealed" in registry.verify_save(path).notes
    opened = Table.load(path, registry.get, seed=SEED)
    opened.act(GAME.parse("assign Z 3"))
    do(t, "assign Z 3")
    assert dump_log(opened.log) == dump_log(t.log)
    with pytest.raises(SaveError, match="not the one that the commitment was made for"):
        Table.load(path, registry.get, seed=b"another")


def test_an_illegal_action_in_a_log_is_named() -> None:
    t = table()
    set_up(t)
    entries = list(t.entries)

    def wrong(at: int, entry: Entry) -> str:
        log = read_log(dump_log(replace(t.log, entries=(*entries[:at], entry, *entries[at + 1 :]))))
        assert not verify(log, GAME).ok
        with pytest.raises(SaveError) as caught:
            Table.replay(log, GAME)
        rest = Table.replay(log, GAME, recover=True)
        assert len(rest.entries) == at
        assert f"recovered {at} actions" in rest.note
        return str(caught.value)

    assert wrong(1, Entry("red", "assign B 1")) == (
        "save:3: 'assign B 1' by red is not legal: 1.3: each strength is used once, block after block"
    )
    assert "save:4: 'assign X 1' by blue is not legal: it is not the turn of blue" in wrong(
        2, Entry("blue", "assign X 1")
    )
    assert "no action is called 'asign'; near it: assign" in wrong(1, Entry("red", "asign B 1"))
    assert "there are not 7 actions" in wrong(1, Entry("red", undo=7))
    assert "blue may not take back 1 actions here" in wrong(1, Entry("blue", undo=1))
    assert "red may not take back 2 actions here" in wrong(4, Entry("red", undo=2)), "not over the change of side"
    assert "it is not the turn of chance" in wrong(1, Entry("chance", "first red", (1,), 1))


def test_a_fault_of_the_rules_in_a_replay_is_a_fault_of_the_save() -> None:
    header = replace(Table.new(BROKEN, "line").header, seed="")
    entries = [Entry(by, f"assign {a}") for by, a in [("red", "A 1"), ("red", "B 2"), ("red", "C 3")]]
    entries += [Entry("blue", f"assign {a}") for a in ("X 1", "Y 2", "Z 3")]
    for first in ("red", "red", "blue"):
        entries.append(Entry("chance", f"first {first}", (1,), 0))
        entries += [Entry("red", "pass"), Entry("blue", "pass")] if first == "red" else []
    report = verify(Log(header, tuple(entries)), BROKEN)
    assert report.problems == [
        "save:14: 'first blue' by chance made the rules' code fail: ZeroDivisionError: the third turn"
    ]
    recovered = Table.replay(Log(header, tuple(entries)), BROKEN, recover=True)
    assert len(recovered.entries) == len(entries) - 1
    assert same(recovered.state, Table.replay(Log(header, tuple(entries[:-1])), BROKEN).state)


def test_saves_of_other_games_and_scenarios_are_refused() -> None:
    log = table().log
    with pytest.raises(SaveError, match="this is a game of toy, not of broken"):
        Table.replay(log, BROKEN)
    with pytest.raises(SaveError, match="no scenario 'lime'"):
        Table.replay(replace(log, header=replace(log.header, scenario="lime")), GAME)
    with pytest.raises(SaveError, match="the sides of toy are red, blue"):
        Table.replay(replace(log, header=replace(log.header, sides=("blue", "red"))), GAME)


# Proof


def test_verify_finds_dice_that_the_seed_did_not_give() -> None:
    t = fought(3)
    rolls = [i for i, entry in enumerate(t.entries) if entry.by == CHANCE_NAME]
    assert len(rolls) >= 6
    for at in rolls:
        entry = t.entries[at]
        faces = (entry.faces[0] % 6 + 1, *entry.faces[1:])
        for forged in (entry._replace(faces=faces), entry._replace(dice=entry.dice + 1)):
            entries = (*t.entries[:at], forged, *t.entries[at + 1 :])
            report = verify(read_log(dump_log(replace(t.log, entries=entries))), GAME)
            assert not report.ok
            assert report.problems[0].startswith(f"save:{at + 2}: the seed gives ")


def test_verify_finds_a_die_that_was_passed_over() -> None:
    """Whoever holds the seed could look at the next die and skip it: exactly that roll is told."""
    t = table("close")
    set_up(t)
    assert t.dice is not None
    t.dice.index += 1
    first = len(t.entries)
    play(t, Random(5))
    at = next(n for n, entry in enumerate(t.entries) if n >= first and entry.by == CHANCE_NAME)
    assert sum(entry.by == CHANCE_NAME for entry in t.entries[at:]) > 2
    report = verify(read_log(dump_log(t.log)), GAME)
    assert [problem.split(": ")[0] for problem in report.problems] == [f"save:{at + 2}"]


def test_verify_finds_another_seed_and_another_outcome() -> None:
    log = fought(4).log
    assert log.end is not None
    assert log.end.outcome is not None
    for forged in (
        replace(log, header=replace(log.header, seed=b"x".hex())),
        replace(log, end=replace(log.end, seed=b"x".hex())),
        replace(log, header=replace(log.header, commitment=commitment(b"x"))),
    ):
        report = verify(read_log(dump_log(forged)), GAME)
        assert any("commitment" in problem for problem in report.problems), report
        with pytest.raises(SaveError, match="commitment"):
            Table.replay(forged, GAME)
    other = replace(log, end=replace(log.end, outcome=Outcome(0, "triumph", 9, "")))
    assert any("outcome recorded" in problem for problem in verify(other, GAME).problems)


def test_verify_needs_the_whole_file(tmp_path: Path, toy: ToyGame) -> None:
    path = tmp_path / "game.jsonl"
    t = fought(5)
    t.save(path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    report = verify_file(path, registry.get)
    assert not report.ok
    assert report.problems == [f"game.jsonl:{len(lines)}: the save is cut short: its closing line is missing"]
    rest = registry.load_table(path, recover=True)
    assert same(rest.state, t.state)
    assert rest.end == t.end, "a game that is over ends itself"


def test_a_game_given_up() -> None:
    t = table()
    do(t, "assign A 1")
    end = t.finish(Outcome(BLUE, "red gave up"))
    assert end.seed == SEED.hex()
    assert t.to_act is None
    with pytest.raises(Illegal, match="over"):
        t.act(GAME.parse("assign B 2"))
    log = read_log(dump_log(t.log, sealed=True))
    report = verify(log, GAME)
    assert report.ok
    assert "the game was ended before it was over" in report.notes
    again = Table.replay(log, GAME)
    assert again.end == end
    assert again.finish() == end


# Journals


def test_a_journal_holds_the_game_at_any_time(tmp_path: Path, toy: ToyGame) -> None:
    path = tmp_path / "j.jsonl"
    t = table("close", journal=path)
    rng = Random(4)
    while t.to_act is not None:
        if rng.random() < 0.2 and t.can_undo(t.to_act):
            t.undo(t.to_act)
        else:
            t.act(rng.choice(t.legal()))
        assert same(Table.load(path, registry.get).state, t.state)
    assert registry.verify_save(path).ok
    assert read_log(path).end == t.end


def test_a_journal_is_taken_up_again_after_a_crash(tmp_path: Path, toy: ToyGame) -> None:
    """Cut anywhere, the game goes on from the last whole action, with the dice that were to come."""
    path, cut = tmp_path / "j.jsonl", tmp_path / "cut.jsonl"
    t = table("close", journal=path)
    rng = Random(4)
    play(t, rng, 12)
    data = path.read_bytes()
    texts = [(e.by, e.do, e.faces) for e in t.entries]
    first = data.index(b"\n") + 1
    for length in range(first, len(data), 7):
        cut.write_bytes(data[:length])
        again = Table.resume(cut, registry.get)
        done = [(e.by, e.do, e.faces) for e in again.entries]
        assert done == texts[: len(done)]
        for by, text, _ in texts[len(done) :]:
            if by != CHANCE_NAME:
                again.act(GAME.parse(text))
        assert same(again.state, t.state)
        assert again.journal is not None
        again.journal.close()
        assert same(Table.load(cut, registry.get).state, t.state)


def test_an_action_that_cannot_be_written_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    t = table(journal=tmp_path / "j.jsonl")
    do(t, "assign A 1")

    def full(*args: object) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("sandtable.engine.log.os.fsync", full)
        for step in (lambda: do(t, "assign B 2"), lambda: t.undo(RED), t.undo_by_consent, t.finish):
            with pytest.raises(OSError, match="no space"):
                step()
            assert [entry.do for entry in t.entries] == ["assign A 1"]
            assert t.can_undo(RED)
    do(t, "assign B 2")
    assert len(read_log(tmp_path / "j.jsonl").entries) == 2


# Versions


def old_save() -> Log:
    """A save as version 1 wrote it: 'go' for 'to'."""
    t = fought(6)
    entries = tuple(
        entry._replace(do="go " + entry.do[3:]) if entry.do.startswith("to ") else entry for entry in t.entries
    )
    return read_log(dump_log(replace(t.log, header=replace(t.header, version=1), entries=entries)))


def test_an_old_save_is_brought_up_to_date(tmp_path: Path, toy: ToyGame) -> None:
    old, new = old_save(), fought(6)
    assert any(entry.do.startswith("go ") for entry in old.entries)
    t = Table.replay(old, GAME)
    assert same(t.state, new.state)
    assert t.header.version == 2
    report = verify(old, GAME)
    assert report.ok
    assert "played under version 1, replayed under 2" in report.notes
    write_log(old, tmp_path / "old")
    t = registry.load_table(tmp_path / "old")
    t.save(tmp_path / "new")
    assert not registry.verify_save(tmp_path / "new").notes


def test_saves_of_versions_that_nothing_is_known_of() -> None:
    log = table().log
    with pytest.raises(SaveError, match="made by version 3 of toy, newer than this program's 2: update it"):
        Table.replay(replace(log, header=replace(log.header, version=3)), GAME)
    with pytest.raises(SaveError, match="made by version 0 of toy; nothing leads on from version 0"):
        Table.replay(replace(log, header=replace(log.header, version=0)), GAME)
    assert not verify(replace(log, header=replace(log.header, version=3)), GAME).ok


def test_migrations_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def add(text: str) -> Any:
        return lambda log: replace(log, note=log.note + text)

    monkeypatch.setattr("sandtable.engine.migrations.MIGRATIONS", {("toy", 1): add("x"), ("toy", 2): add("y")})
    log = replace(table().log, note="a")
    three = migrate(replace(log, header=replace(log.header, version=1)), 3)
    assert three.note == "axy"
    assert (three.header.version, three.migrated_from) == (3, 1)


def test_a_game_goes_on_by_the_rulings_that_it_was_begun_under(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {("toy", 1): as_it_was_ruled, ("toy", 2): as_it_was_ruled}
    monkeypatch.setattr("sandtable.engine.migrations.MIGRATIONS", kept)
    header = replace(table().log.header, version=1, options={"fog": True})
    options = migrate(replace(table().log, header=header), 3).header.options
    assert options == {"fog": True, "rulings_of_1": True}
    assert edition(options, 3) == 1
    assert edition({"fog": True}, 3) == 3
    assert chosen(options) == {"fog": True}
    with pytest.raises(SaveError, match="toy has no option 'rulings_of_old'"):
        Table.replay(replace(table().log, header=replace(header, version=2, options={"rulings_of_old": True})), GAME)


def test_two_migrations_from_one_version_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="two migrations lead from version 1 of toy"):
        migration("toy", 1)(lambda log: log)


def test_a_journal_of_an_old_version_is_not_written_on(tmp_path: Path, toy: ToyGame) -> None:
    path = tmp_path / "j.jsonl"
    log = table().log
    with Journal(path, replace(log, header=replace(log.header, version=1))):
        pass
    with pytest.raises(SaveError, match="begun by version 1 of toy"):
        Table.resume(path, registry.get)


# Comparing


def test_states_are_compared_without_their_caches() -> None:
    one, two = GAME.new("line"), GAME.new("line")
    GAME.legal(one)
    one.events.append(Event("x", "", {}))
    assert same(one, two)
    for change in ("turn", "actor"):
        other = one.copy()
        setattr(other, change, 77)
        assert differences(one, other) == [f"{change}: {getattr(one, change)} is not 77"]
    other = one.copy()
    other.at[3] = 0
    assert [line.split(":")[0] for line in differences(one, other)] == ["at"]
    assert differences(one, object()) == ["State is not object"]


def test_classes_of_any_make_can_be_compared() -> None:
    class Base:
        __slots__ = "a"  # noqa: PLC0205

    class Loose(Base):
        caches = ("memo",)

        def __init__(self, a: int, b: int, memo: int) -> None:
            self.a, self.b, self.memo = a, b, memo

    assert same(Loose(1, 2, 3), Loose(1, 2, 4))
    assert differences(Loose(1, 2, 3), Loose(1, 5, 3)) == ["b: 2 is not 5"]
    assert differences(Loose(1, 2, 3), Loose(0, 2, 3)) == ["a: 1 is not 0"]
    bare = Loose(1, 2, 3)
    del bare.b
    assert len(differences(bare, Loose(1, 2, 3))) == len(differences(Loose(1, 2, 3), bare)) == 1
