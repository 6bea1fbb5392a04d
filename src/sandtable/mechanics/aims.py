"""What a plan is for, in words that suit every game: whom it attacks, where it goes, what it holds."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text

MOST = 5
"""Places that are named; more would be a list and no reason."""


def aims(attacks: Iterable[Hex] = (), goes: Iterable[Hex] = (), holds: Iterable[Hex] = ()) -> list[Text]:
    """The sentences for some hexes, by their numbers; each hex is named once, where it matters most."""
    found: list[Text] = []
    told: set[Hex] = set()
    for template, hexes in (
        (Text("It attacks {hexes}"), attacks),
        (Text("It goes for {hexes}"), goes),
        (Text("It holds {hexes}"), holds),
    ):
        some = [h for h in dict.fromkeys(hexes) if h not in told and h >= 0][:MOST]
        told.update(some)
        if some:
            found.append(Text(template.template, hexes=tuple(some)))
    return found
