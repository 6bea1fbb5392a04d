"""A save that is replayed or loaded is checked like one that is verified: dice, options, and going far back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from sandtable import registry
from sandtable.cli import main
from sandtable.engine import table as tables
from sandtable.engine.dice import FairDice, commitment, derive_seed
from sandtable.engine.flat import differences
from sandtable.engine.log import CHANCE_NAME, Log, SaveError, dump_log, read_log, write_log
from sandtable.engine.table import Table, verify

from ...toygame import GAME, State, ToyGame
from .test_saves import fought


@pytest.mark.parametrize("what", ["faces", "dice"])
def test_replay_refuses_dice_that_the_seed_did_not_give(what: str, tmp_path: Path, toy: ToyGame) -> None:
    t = fought(3)
    for at, entry in enumerate(t.entries):
        if entry.by != CHANCE_NAME:
            continue
        faces = (entry.faces[0] % 6 + 1, *entry.faces[1:])
        forged = entry._replace(faces=faces) if what == "faces" else entry._replace(dice=entry.dice + 1)
        log = read_log(dump_log(replace(t.log, entries=(*t.entries[:at], forged, *t.entries[at + 1 :]))))
        with pytest.raises(SaveError, match="the seed gives") as caught:
            Table.replay(log, GAME)
        assert caught.value.line == at + 2
        path = tmp_path / "forged.jsonl"
        write_log(log, path)
        with pytest.raises(SaveError, match="the seed gives"):
            registry.load_table(path)
        assert len(Table.replay(log, GAME, recover=True).entries) == at


def test_the_command_line_refuses_forged_dice(tmp_path: Path, toy: ToyGame, capsys: pytest.CaptureFixture[str]) -> None:
    t = fought(3)
    at = next(n for n, entry in enumerate(t.entries) if entry.by == CHANCE_NAME)
    forged = t.entries[at]._replace(faces=(t.entries[at].faces[0] % 6 + 1, *t.entries[at].faces[1:]))
    path = tmp_path / "forged.jsonl"
    write_log(replace(t.log, entries=(*t.entries[:at], forged, *t.entries[at + 1 :])), path)
    assert main(["replay", str(path)]) != 0
    assert f"forged.jsonl:{at + 2}: the seed gives" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_an_unknown_option_is_a_fault_of_the_save(
    command: str, tmp_path: Path, toy: ToyGame, capsys: pytest.CaptureFixture[str]
) -> None:
    log = fought(3).log
    path = tmp_path / "other.jsonl"
    write_log(replace(log, header=replace(log.header, options={"no such option": True})), path)
    assert main([command, str(path)]) != 0
    said = capsys.readouterr().err
    assert "other.jsonl:1: toy has no option 'no such option'" in said
    assert "fault" not in said


def test_the_dice_of_another_game_are_told_and_not_compared() -> None:
    """A game that branched off goes on with dice of its own: the first entries say so, and no others."""
    t = fought(3)
    at = next(n for n, entry in enumerate(t.entries) if n > len(t.entries) // 2 and entry.by == CHANCE_NAME)
    seed = derive_seed("elsewhere")
    header = replace(t.header, seed=seed.hex(), commitment=commitment(seed), foreign=at)
    branch = Table.replay(Log(header, tuple(t.entries[:at])), GAME)
    assert isinstance(branch.dice, FairDice)
    branch.roll_on()
    log = read_log(dump_log(branch.log))
    assert log.header.foreign == at
    assert len(Table.replay(log, GAME).entries) == len(branch.entries)
    report = verify(log, GAME)
    assert report.ok, report.problems
    assert f"the dice of the first {at} entries are those of another game" in report.notes
    plain = replace(log, header=replace(log.header, foreign=0))
    assert not verify(plain, GAME).ok
    with pytest.raises(SaveError, match="the seed gives"):
        Table.replay(plain, GAME)


def test_consent_reaches_back_over_kept_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """States that are kept on the way spare playing the whole game again, and change nothing."""
    monkeypatch.setattr(tables, "KEPT_EVERY", 4)
    rng = Random(7)
    for number in range(6):
        t: Table[State] = Table.new(GAME, "line", {"long": True}, seed=derive_seed(f"long {number}"))
        went = 0
        while t.to_act is not None and went < 12:
            t.act(rng.choice(t.legal()))
            if t.to_act is not None and len(t._kept) > 1 and rng.random() < 0.3:
                t.undo_by_consent(rng.randint(1, 3))
                went += 1
        assert went
        assert list(t._kept) == list(range(4, len(t._live) + 1, 4))
        plain = GAME.new(t.header.scenario, t.header.options)
        for index in t._live:
            GAME.apply(plain, GAME.parse(t.entries[index].do))
        assert not differences(plain, t.state)
        assert not differences(Table.replay(t.log, GAME).state, t.state)
