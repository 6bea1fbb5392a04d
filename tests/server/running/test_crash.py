"""kill -9: no acknowledged move is lost, none is applied twice, and the game goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conftest import DATABASES, fresh_database
from ..crash import kill_while_playing


@pytest.mark.parametrize("kind", DATABASES)
def test_nothing_is_lost_when_the_server_is_killed(request: pytest.FixtureRequest, tmp_path: Path, kind: str) -> None:
    done = kill_while_playing(fresh_database(request, tmp_path, kind), kills=6, players=4, seed=11, quick=True)
    assert done["moves"] > 40
    assert done["repeated"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", DATABASES)
def test_fifty_kills(request: pytest.FixtureRequest, tmp_path: Path, kind: str) -> None:
    done = kill_while_playing(fresh_database(request, tmp_path, kind), kills=50, players=4, seed=12)
    assert done["kills"] == 50
    assert done["moves"] > 250
    assert done["repeated"] >= 25  # kills that hit a move on its way: it was sent again under its key
