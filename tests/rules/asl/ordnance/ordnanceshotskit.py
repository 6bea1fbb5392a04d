"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from typing import Any

from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.ids import F_FIRE, PREP
from sandtable.games.asl.turn.fires import FireAt

from ..vehiclekit import AXIS, Desk, E, event

GUN, CREW = "ge_at50#1", "ge_228#1"
SQUAD, FOE_GUN, FOE_CREW = "br_457#1", "br_at57#1", "br_228#1"
TANK = "br_crus2#1"


def desk(gun: str = GUN, crew: str = CREW, at: str = "N5", facing: int = E, scenario: str = "s08_totensonntag") -> Desk:
    """A manned Gun of the Axis at N5, facing east."""
    found = Desk("s08_totensonntag", phasing=AXIS)
    found.put(crew, at)
    found.put(gun, at, facing)
    found.s.holder[found.unit(gun)] = found.unit(crew)
    return found


def ready(d: Desk, fire: int = PREP, side: int = AXIS) -> Desk:
    return d.settle(FireAt(F_FIRE, side, fire))


def aimed(d: Desk, *words: str, gun: str = GUN, fire: int = PREP) -> Desk:
    ready(d, fire)
    d.do(f"lay {gun}", *words)
    return d


def panel(d: Desk) -> dict[str, Any]:
    """The odds of the shot that is laid: cases by letter, chances by word."""
    odds = GAME.odds(d.s, GAME.parse("shoot"))
    assert odds is not None
    cases = {}
    for term in odds.terms:
        text = str(term.text)
        if text.startswith("Case "):
            cases[text[5:].split(":", maxsplit=1)[0]] = int(term.value)
    return {"title": str(odds.title), "cases": cases, "chances": {str(k): v for k, v in odds.results}}


def number(events: list[Any]) -> tuple[int, int]:
    data = event(events, "shot")
    return data["number"], data["drm"]
