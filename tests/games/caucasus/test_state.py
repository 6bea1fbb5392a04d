"""A state is flat: copies and pickles hold the position, not the board."""

from __future__ import annotations

import pickle
import subprocess
import sys
from random import Random

from sandtable.engine.flat import differences
from sandtable.games.caucasus.game import GAME
from sandtable.games.caucasus.table.state import State


def played(decisions: int, **options: bool) -> State:
    s, rng = GAME.new("campaign", options), Random(11)
    for _ in range(decisions):
        GAME.apply(s, rng.choice(GAME.legal(s)))
    return s


def test_a_pickled_state_is_small_and_comes_back_equal() -> None:
    s = played(400, elite_guards_tanks=True)
    data = pickle.dumps(s)
    assert len(data) < 20_000
    t = pickle.loads(data)
    assert t.board is s.board
    assert t.ground is s.ground
    assert t == s
    assert differences(t, s) == []
    assert GAME.legal(t) == GAME.legal(s)


def test_another_process_finds_its_own_board() -> None:
    s = played(60)
    code = (
        "import pickle, sys; s = pickle.load(sys.stdin.buffer);"
        "from sandtable.games.caucasus.game import GAME; print(len(GAME.legal(s)), s.board.hex_name(s.board.rostov))"
    )
    out = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(s), capture_output=True, check=True)
    assert out.stdout.decode().split() == [str(len(GAME.legal(s))), "Rostov"]


def test_equal_positions_have_equal_keys_and_a_copy_is_its_own() -> None:
    s = played(200)
    t = s.copy()
    assert t == s
    assert hash(t) == hash(s)
    t.fight.losses[0] += 1
    assert t != s
    assert s.fight.losses != t.fight.losses
    t.fight.losses[0] -= 1
    t.moved ^= 1
    assert t.key() != s.key()
