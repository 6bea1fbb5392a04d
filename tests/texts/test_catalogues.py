"""Every text that a player reads stands in the catalogues of the other languages, with the same facts."""

from __future__ import annotations

import ast
from io import BytesIO

import pytest

from sandtable import registry, texts
from sandtable.engine.texts.catalogue import LANGUAGES, catalogue, faults
from tests.texts.__main__ import brought_up

WITH = [
    (game, language)
    for game in registry.names()
    for language in LANGUAGES
    if (texts.home(registry.get(game)) / "text" / f"{language}.po").exists()
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_all_games_say_is_known(language: str) -> None:
    known = catalogue(texts.COMMON / f"{language}.po")
    assert faults(texts.common(), known) == []
    assert set(known) - texts.common() == set()


@pytest.mark.parametrize(("game", "language"), WITH)
def test_what_a_game_says_is_known(game: str, language: str) -> None:
    one = registry.get(game)
    assert faults(texts.wanted(one), texts.speech(one, language)) == []


@pytest.mark.parametrize(("game", "language"), WITH)
def test_nothing_stands_in_a_catalogue_that_nobody_says(game: str, language: str) -> None:
    one = registry.get(game)
    own = catalogue(texts.home(one) / "text" / f"{language}.po")
    assert sorted(set(own) - texts.wanted(one)) == []


SOURCE = """
LINES = {"moved": "{unit} moves", "rest": lambda w: Text("{n} rest", n=1)}
PHASE_TITLES: dict[str, str] = {"move": "Movement"}
MOVE = verb("move", {0: "Move {unit}", 1: "March {unit}"}, unit="unit")
BARS = Bars(Bar("1.1", "{unit} has moved", moved), Doubt("1.2", diagnose, ask))

def f(s):
    return Prompt("Who" if s else "What", "Say it"), Reason("2.1", Text("{hex} is closed", hex=1)), {"title": "Box"}
"""


def test_texts_are_found_where_they_stand() -> None:
    found = {text for _, text in texts.said(SOURCE)}
    assert found == {
        "{unit} moves",
        "{n} rest",
        "Movement",
        "Move {unit}",
        "March {unit}",
        "{unit} has moved",
        "Who",
        "What",
        "Say it",
        "{hex} is closed",
        "Box",
    }
    assert ("{unit} has moved") in {text for _, _, text, _ in texts.extract(BytesIO(SOURCE.encode()), (), (), {})}


def test_what_the_server_says_of_requests_is_found_and_nothing_else_of_it() -> None:
    source = """
@get("/", summary="All games")
async def games(request):
    unusable(f"{game} is unknown", "game")
    forbidden(Text("it is not your turn: {side} decides", side=1) if request else "this seat is not yours", "seat")
    raise Refused(404, "not_found", "no game is called that")
"""
    found = {text for _, text in texts.refused(source)}
    assert found == {"it is not your turn: {side} decides", "this seat is not yours", "no game is called that"}
    assert "it is not your turn: {side} decides" in texts.common()


def test_the_server_refuses_in_no_words_that_a_catalogue_cannot_know() -> None:
    """A sentence put together in place has no template: it would stay English."""
    put_together = [
        f"{path.relative_to(texts.ROOT)}, line {node.lineno}"
        for path in sorted(texts.SERVER.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in texts.REFUSALS
        if any(isinstance(given, ast.JoinedStr) for given in node.args)
    ]
    assert put_together == []


def test_what_has_no_words_is_not_asked_for() -> None:
    assert texts.is_words("{unit} moves")
    assert not texts.is_words("{unit}: {n} MP +1")
    assert texts.named("id,name\n1,Afrika Korps\n2,5/8\n") == {"Afrika Korps"}
    assert texts.named('[scenario]\ntitle = "Crusader"\nid = "x"\n') == {"Crusader"}


@pytest.mark.parametrize(("game", "language"), WITH)
def test_a_catalogue_that_is_up_to_date_stays_as_it_is(game: str, language: str) -> None:
    """`make texts` touches nothing that is known: neither its order nor how its lines are broken."""
    one = registry.get(game)
    source = (texts.home(one) / "text" / f"{language}.po").read_text(encoding="utf-8")
    assert brought_up(source, texts.wanted(one), texts.common_speech(language)) == source


def test_a_new_text_comes_last_and_one_that_nobody_says_goes() -> None:
    known = 'msgid "{unit} rests"\nmsgstr "{unit}は休む"\n\nmsgid ""\n"It is "\n"late"\nmsgstr "遅い"\n\n'
    wanted = {"{unit} rests", "It is late", 'a "new" one', "Yes"}
    found = brought_up(known + 'msgid "old"\nmsgstr "古"\n', wanted, {"Yes"})
    assert found == known + 'msgid "a \\"new\\" one"\nmsgstr ""\n'
