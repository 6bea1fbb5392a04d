"""Where a series is told to run."""

from __future__ import annotations

import pytest

from sandtable.cli import main
from sandtable.lookup import Failure
from sandtable.players.simulate import run_series
from sandtable.series import runner


def test_a_series_runs_here_unless_it_is_told_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    assert runner(None) is run_series
    with pytest.raises(Failure, match="--on takes ray or ray://HOST:PORT"):
        runner("slurm")
    assert main(["simulate", "rommel", "battleaxe", "--games", "1", "--on", "slurm"]) == 1
    assert "--on takes ray" in capsys.readouterr().err
