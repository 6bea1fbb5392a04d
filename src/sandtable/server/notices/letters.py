"""What a notice says: texts with facts in the queue, words in the language of whoever reads it when it is sent."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from sandtable import registry, texts
from sandtable.engine.packs import pack_of
from sandtable.engine.texts.catalogue import BETWEEN, LANGUAGES
from sandtable.engine.texts.text import ENGLISH_LIST, Said, Speech, say, unwire


def kept(lines: Iterable[Said]) -> str:
    """Lines as they stand in the queue."""
    return msgspec.json.encode(list(lines)).decode()


def told(text: str, language: str, game: str | None) -> str:
    """Such lines in words. What an older version has put into the queue are words already."""
    try:
        lines = [unwire(line) for line in msgspec.json.decode(text, type=list[Any])]
    except (msgspec.DecodeError, LookupError, TypeError):
        return text
    if language not in LANGUAGES:
        return "\n".join(say(line) for line in lines)
    speech = _speech(language, game)
    return "\n".join(say(line, speech, BETWEEN.get(language, ENGLISH_LIST)) for line in lines)


@lru_cache(maxsize=32)
def _speech(language: str, name: str | None) -> Speech:
    """What is known in a language: what the server says, and the texts, titles and places of a game."""
    if name is None:
        return texts.common_speech(language).get
    game: Any = registry.get(name)
    known = dict(texts.speech(game, language))
    if language == "ja":
        known |= {one.title: one.title_ja for one in (game.info, *game.scenarios()) if one.title_ja}
        pack = pack_of(game)
        for place in pack.places if pack else ():
            if place.row.get("name_ja"):
                known.setdefault(place.name, str(place.row["name_ja"]))

    def speech(english: str) -> str | None:
        found = known.get(english)
        if found is None and english.endswith(")"):  # a place with the number of its hex behind it
            bare, _, number = english[:-1].rpartition(" (")
            found = f"{known[bare]}（{number}）" if bare in known else None
        return found

    return speech
