"""What has happened since a side's last decision, in short: for who comes back to a slow game, and for his letters."""

from __future__ import annotations

from sandtable.engine.contract import SPECTATOR
from sandtable.engine.log import CHANCE_NAME
from sandtable.engine.texts.text import Said, Text

from ..wire.away import Away, AwayLine
from . import looks
from .live import LiveTable

FIGHTS = frozenset(
    ("attack", "attacked", "bombing", "close_combat", "combat", "fired", "mobile_assault", "overrun", "shot")
)
"""Kinds of events that begin a fight."""
LOSSES = frozenset(
    (
        "broke",
        "captured",
        "captured_vehicle",
        "crew_lost",
        "destroyed",
        "eliminated",
        "gun_destroyed",
        "immobilized",
        "lost",
        "reduced",
        "routed",
        "step_lost",
        "surrendered",
        "truck_captured",
    )
)
"""Kinds of events by which something is lost."""
TAKEN = frozenset(("control", "exited", "left_map", "yielded"))
"""Kinds of events by which ground changes hands."""
MOST = 12
"""Lines that are told; those of losses go before those of fights."""


def away(table: LiveTable, side: int, viewer: int) -> Away:
    """What the viewer has learned since the last decision of a side, or since the beginning if it has made none and
    others have: how much, and the lines that matter."""
    name = table.header.sides[side]
    deciders = {table.entries[index].by for index in table.live()} - {CHANCE_NAME}
    last = max((index + 1 for index in table.live() if table.entries[index].by == name), default=0)
    since = table.told.count(viewer, last)
    if not deciders:
        return Away(since=0, steps=0, fights=0, losses=0, lines=[])
    found = [event for event in looks.events(table, viewer, since) if event["by"] != name]
    fights = [event for event in found if event["event"] in FIGHTS]
    losses = [event for event in found if event["event"] in LOSSES | TAKEN]
    shown = [*losses[-MOST:], *fights[max(0, len(fights) - max(0, MOST - len(losses))) :]]
    shown.sort(key=lambda event: (event["n"], found.index(event)))
    return Away(
        since=since,
        steps=len({event["n"] for event in found}),
        fights=len(fights),
        losses=sum(event["event"] in LOSSES for event in found),
        lines=[AwayLine(event["n"], event["rule"], event["text"]) for event in shown],
    )


def digest(table: LiveTable, side: int) -> list[Said]:
    """The same for a letter, line by line: what everybody may know, because others read letters and hooks too."""
    found = away(table, side, SPECTATOR)
    if not found.steps:
        return []
    head = Text(
        "Since your last move: {steps}, {fights}, {losses}." if found.since else "So far: {steps}, {fights}, {losses}.",
        steps=Text.many(found.steps, "{n} step of the log", "{n} steps of the log"),
        fights=Text.many(found.fights, "{n} fight", "{n} fights"),
        losses=Text.many(found.losses, "{n} loss", "{n} losses"),
    )
    return [head, *(Text("- {line}", line=line.text) for line in found.lines)]
