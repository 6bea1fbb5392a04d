"""What the game says: articles, plurals and names."""

from __future__ import annotations

import pytest

from sandtable import texts
from sandtable.engine.texts.catalogue import catalogue
from sandtable.engine.texts.text import say
from sandtable.games.rommel.table.ids import AXIS, F_MOVES, F_OPTION, F_SPEND
from sandtable.games.rommel.table.state import State

from ...rules.rommel.kit import GAME, U, empty, place, start, why


def said(s: State, action: str) -> str:
    reason = why(s, action)
    assert reason is not None
    return str(reason.why)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("basic", "a basic turn allows 1 move"),
        ("offensive", "an offensive turn allows 2 moves"),
        ("assault", "an assault turn allows 1 move"),
        ("blitz", "a blitz turn allows 1 move"),
    ],
)
def test_an_option_has_its_article_and_its_moves_their_number(option: str, words: str) -> None:
    s = empty("axis", option)
    place(s, "GE-PZ5", "0902")
    s.stack = [GAME.framed((F_MOVES, 2, 0))]
    reason = GAME.frames[F_MOVES].why_not(s, s.stack[-1], GAME.parse("group 0902 0"))
    assert reason is not None
    assert str(GAME.named(reason.why, s)) == words


def test_one_card_is_a_card() -> None:
    s = empty("axis", None, cards=((0, 1), (4, 2)))
    start(s, (F_OPTION,))
    assert said(s, "option basic 0") == "basic costs 1 real card, you hold 0"
    assert said(s, "option blitz 0") == "blitz costs 3 real cards, you hold 0"
    s = empty("axis", None, cards=((4, 1), (4, 2)))
    start(s, (F_OPTION,))
    assert said(s, "option basic 2") == "you hold only 1 dummy card"


def test_one_hex_is_a_hex() -> None:
    s = empty("axis", "pass")
    slow = next(u for u in range(len(s.board.units)) if s.board.side[u] == AXIS and s.board.speed[u] == 1)
    place(s, s.board.units[slow], "0704")
    start(s, (F_MOVES, 0, 0))
    GAME.apply(s, GAME.parse("group 0704 0"))
    GAME.apply(s, GAME.parse(f"move {s.board.units[slow]}"))
    assert "it may move 1 hex, more along roads" in said(s, "to 0626 -")


def test_refusals_of_the_buildup_name_units() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0704", cv=2)
    s.bp[AXIS] = 9
    start(s, (F_SPEND, AXIS))
    name = s.board.unit_names[U("GE-PZ5")]
    for action in ("rebuild GE-PZ5", "redeploy GE-PZ5", "refit GE-PZ5", "ship GE-PZ5"):
        assert name in said(s, action)
        assert "GE-PZ5" not in said(s, action)


def test_the_catalogue_says_it_in_japanese() -> None:
    known = catalogue(texts.home(GAME) / "text" / "ja.po")
    s = empty("axis", None, cards=((0, 1), (4, 2)))
    start(s, (F_OPTION,))
    reason = why(s, "option basic 0")
    assert reason is not None
    assert say(reason.why, known.get) == "基本には本物1枚が必要、手札は0枚"
