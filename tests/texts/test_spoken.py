"""Games played again in another language: nothing that a player reads may stay English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sandtable import registry, texts
from sandtable.engine.contract import Odds
from sandtable.engine.packs import pack_of
from sandtable.engine.texts.catalogue import BETWEEN, read_po
from sandtable.engine.texts.text import Said, Text, say

from .test_catalogues import WITH

STEPS, OFTEN = 500, 9
"""Decisions of each scenario, and at every how many of them all is read."""

CLIENT = texts.ROOT.parents[1] / "web" / "text"
WORDS = re.compile(r"[A-Za-z][a-z]{3,}")
JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")


def of_scene(scene: Any) -> Iterator[Said]:
    yield from (scene["title"], scene["subtitle"], *scene["notes"])
    for item in (*scene["phases"], *scene["stats"], *scene["tracks"], *scene["boxes"]):
        yield item["title"]
        yield from (item.get("value", ""), item.get("note", ""))
    for counter in scene["counters"]:
        yield from (mark.replace("_", " ") for mark in counter.get("marks", ()) if mark not in ("acting", "revealed"))


def of_odds(odds: Odds) -> Iterator[Said]:
    yield odds.title
    yield from (result for result, _ in odds.results)
    if odds.ladder is None:
        yield from (term.text for term in odds.terms)
        return
    yield from (*odds.ladder.question, *odds.ladder.legend, odds.ladder.unit)
    for shift in odds.ladder.shifts:
        yield from (shift.text, shift.note)
    for column in odds.ladder.columns:
        yield from (cell.text for cell in column.cells)


def of_reckoning(lines: Any) -> Iterator[Said]:
    for line in lines:
        yield from (line.text, line.value, line.ends.level if line.ends else "")
        yield from of_reckoning(line.parts)


def played(game: Any, scenario: str) -> Iterator[Said]:
    """What is said in a game of chance."""
    random = Random(scenario)
    s = game.new(scenario, {})
    yield from of_reckoning(game.reckoning(s))
    for n in range(STEPS):
        if game.to_act(s) is None:
            return
        if game.is_chance(s):
            action = game.roll(s, lambda sides: random.randint(1, sides)).action
        else:
            legal = game.legal(s)
            action = random.choice(legal)
            if n % OFTEN == 0:
                prompt = game.prompt(s)
                yield from (prompt.title, prompt.text)
                yield from of_scene(game.scene(game.view(s, 0)))
                for one in random.sample(legal, min(4, len(legal))):
                    yield game.action_label(s, one)
                    hint = game.hint(s, one) or {}
                    yield hint.get("note", "")
                    yield from (line["text"] for line in hint.get("lines", ()))
                    odds = game.odds(s, one)
                    if odds is not None:
                        yield from of_odds(odds)
        for event in game.apply(s, action):
            seen = game.event_json(event, 0)
            if seen is not None:
                yield game.describe(seen)


@pytest.mark.parametrize(("game", "language"), WITH)
def test_nothing_stays_english(game: str, language: str) -> None:
    one: Any = registry.get(game)
    known = read_po((CLIENT / f"{language}.po").read_text(encoding="utf-8")) | texts.speech(one, language)
    pack = pack_of(one)
    assert pack is not None
    places = {place.name for place in pack.places}
    titles = {scenario.title for scenario in one.scenarios()}

    def speech(english: str) -> str | None:
        bare = english[: english.rindex(" (")] if english.endswith(")") and " (" in english else english
        return "地" if bare in places | titles else known.get(english)

    left: dict[str, str] = {}
    for scenario in one.scenarios():
        for said in played(one, scenario.id):
            spoken = say(said, speech, BETWEEN[language])
            if WORDS.search(spoken) and not JAPANESE.search(spoken):
                left[said.template if isinstance(said, Text) else said] = spoken
    assert left == {}


DIRECTIONS = {"asl": {"vertex": 6, "facing": 6}, "rommel": {"via": 6}}
"""By game, what is a direction among the facts of its texts, and how many there are."""


@pytest.mark.parametrize(("game", "language"), [(game, language) for game, language in WITH if game in DIRECTIONS])
def test_directions_are_words_in_every_language(game: str, language: str) -> None:
    one: Any = registry.get(game)
    known = texts.speech(one, language)
    for key, many in DIRECTIONS[game].items():
        said = [say(one.words.text(Text(f"{{{key}}}", **{key: n})), known.get) for n in range(many)]
        assert len(set(said)) == many
        assert [word for word in said if not JAPANESE.search(word) or re.search("[A-Za-z]", word)] == []
