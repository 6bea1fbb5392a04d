"""What a player reads is English as he would write it: numbers and articles agree, and units have their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sandtable import registry
from sandtable.engine.packs import pack_of

from .test_spoken import played

REFUSED, KEPT = 400, 300
"""Decisions at which it is asked why something is not allowed, and how many earlier actions are tried."""

MANY = "hexes|cards|steps|points|units|blocks|dice|turns|months|airfields|columns|factors"
WRONG = {
    "one of many": re.compile(rf"(?<![\w.:/+-])(?<!and )1 (?:\w+ )?(?:{MANY})\b"),
    "an": re.compile(r"\b[Aa] (?:[aeio]|un[^i]|8th|11th|18th)"),
    "a": re.compile(r"\b[Aa]n (?:[bcdfgjkpqtvwyz]|uni|us|one\b)"),
    "number of the verb": re.compile(
        r"^(?!.*\bdoes\b)[^,;]*\b(?:Division|Brigade|Battalion|Regiment) (?:move|go|retreat|advance|lose)\b"
    ),
    "order": re.compile(r"\bWhere to does\b"),
    "sign": re.compile(r"(?<!\d)-\d+ \d"),
}


def refusals(game: Any, scenario: str) -> Iterator[str]:
    """Why earlier actions cannot be taken any more, and those of other phases not yet."""
    random = Random(f"{scenario} refused")
    s = game.new(scenario, {})
    known: list[Any] = []
    for _ in range(REFUSED):
        if game.to_act(s) is None:
            return
        if game.is_chance(s):
            game.apply(s, game.roll(s, lambda sides: random.randint(1, sides)).action)
            continue
        legal = game.legal(s)
        listed = set(legal)
        for action in random.sample(known, min(4, len(known))):
            if action not in listed and (reason := game.why_not(s, action)) is not None:
                yield str(reason.why)
        known = (known + random.sample(legal, min(3, len(legal))))[-KEPT:]
        game.apply(s, random.choice(legal))


@pytest.mark.parametrize("name", registry.names())
def test_the_words_of_a_game_are_plain(name: str) -> None:
    game: Any = registry.get(name)
    pack = pack_of(game)
    assert pack is not None
    ids = [re.escape(unit) for unit in pack.units if re.search(r"[_-]", unit)]
    wrong = WRONG | ({"id": re.compile(rf"(?<![\w-])(?:{'|'.join(ids)})(?![\w-])")} if ids else {})
    found: dict[str, str] = {}
    for scenario in game.scenarios():
        for said in (*played(game, scenario.id), *refusals(game, scenario.id)):
            for fault, pattern in wrong.items():
                if pattern.search(str(said)):
                    found.setdefault(f"{fault}: {getattr(said, 'template', said)}", str(said))
    assert not found, "\n".join(f"{what!r}: {said!r}" for what, said in found.items())
