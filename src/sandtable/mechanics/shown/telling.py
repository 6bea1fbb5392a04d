"""Telling what happens in games in which nothing is secret; and, for their fuzzers, whether events tell everything that
has become of the counters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sandtable.engine.contract import Event, State
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.shown.viewing import Counters

ONE = ("unit", "other", "truck", "lead")
MANY = ("units", "attackers", "defenders")


def emit(s: State, kind: str, rule: str, data: dict[str, Any], final: bool = False) -> None:
    """Tell everybody that something happened. `final` for dice and draws."""
    s.events.append(tuple.__new__(Event, (kind, rule, data, -1, None, False, final)))  # half the time of Event(...)


Line = str | Callable[[dict[str, Any]], Said]
"""How the log says an event: a template for its facts in words, or a text made of them."""

SHARED_LINES: dict[str, Line] = {
    "phase": lambda w: str(w["phase"]).replace("_", " ").capitalize(),
    "stack_moved": lambda w: moved(w),
    "overstacked": term("Too many in {hex}: {unit} is given up"),
    "step_lost": term("{unit} loses a step: {shows}"),
    "yielded": term("{side} gives {hex} up"),
    "retreated": term("{unit} retreats from {from} to {to}"),
    "disrupted": term("{unit} is disrupted"),
    "advanced": term("{unit} advances to {to}"),
    "port_supply": term("The port supplies {unit}"),
}
"""What happens in games with steps, stacks and retreats, in the words of a calm staff officer."""


def moved(w: dict[str, Any]) -> Said:
    """Somebody has moved, alone or with others."""
    alone = len(w["units"]) == 1
    return Text.of(term("{units} moves from {from} to {to}") if alone else term("{units} move from {from} to {to}"), w)


def told_of(events: Iterable[Event]) -> int:
    """The units that events speak of, as a unit mask."""
    found = 0
    for event in events:
        for key in ONE:
            u = event.data.get(key, -1)
            if isinstance(u, int) and u >= 0:
                found |= 1 << u
        for key in MANY:
            for u in event.data.get(key, ()):
                found |= 1 << u
    return found


def switched(before: Sequence[int], after: Sequence[int]) -> Iterator[int]:
    """The units that left the map or came to it, or went from one box (a place below 0) to another."""
    for u, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new and (old < 0 or new < 0):
            yield u


def untold(
    places: tuple[Sequence[int], Sequence[int]],
    steps: tuple[Sequence[int], Sequence[int]],
    events: Iterable[Event],
) -> Iterator[int]:
    """The units that have switched, or show another side, and that no event speaks of."""
    told = told_of(events)
    moved = set(switched(*places))
    for u, (old, new) in enumerate(zip(*steps, strict=True)):
        if (u in moved or old != new) and not told >> u & 1:
            yield u


def change(before: Counters, after: Counters, u: int, boxes: Mapping[int, str]) -> str:
    """From where to where a unit has gone, each with the side of its counter that shows."""
    old, new = (
        f"{s.board.grid.names[s.at[u]] if s.at[u] >= 0 else boxes.get(s.at[u], str(s.at[u]))} ({s.step[u]})"
        for s in (before, after)
    )
    return f"from {old} to {new}"
