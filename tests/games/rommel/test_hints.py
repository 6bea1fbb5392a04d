"""What a client shows of a move before it is made."""

from __future__ import annotations

from sandtable.games.rommel.table.ids import F_MOVES

from ...rules.rommel.kit import GAME, do, empty, place, start


def test_a_move_shows_its_cost_and_its_way() -> None:
    s = empty("axis")
    place(s, ["GE-PZ5", "IT-BRE"], "0902")
    place(s, "CW-3A", "0704")
    place(s, "CW-18A", "0626")
    start(s, (F_MOVES, 0, 0))
    do(s, "group 0902 0", "move GE-PZ5")
    hint = GAME.hint(s, GAME.parse("to 0903 -"))
    assert hint is not None
    assert (hint["cost"], hint["path"], hint["stop"]) == ("1", ["0903"], False)
    assert hint["note"] == "by coast road (6.2a)"
    attack = GAME.hint(s, next(a for a in GAME.legal(s) if GAME.text(a).startswith("to 0704")))
    assert attack is not None
    assert attack["stop"]
    assert attack["path"][-1] == "0704"
    assert len(attack["path"]) == int(attack["cost"])


def test_what_is_no_move_has_no_hint() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "0902")
    place(s, "CW-18A", "0626")
    start(s, (F_MOVES, 0, 0))
    assert GAME.hint(s, GAME.parse("end-moves")) is None
    assert GAME.hint(s, GAME.parse("to 0903 -")) is None  # not legal yet
