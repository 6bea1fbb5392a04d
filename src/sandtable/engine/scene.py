"""A view made drawable: what a table shows, in terms that every client understands.

A game turns a side's view into a `Scene`; terminal, picture and browser draw scenes and know
nothing of the game. Everything in it comes from the view, so it holds no secrets.
"""

from __future__ import annotations

from typing import TypedDict


class CounterItem(TypedDict, total=False):
    """A counter or block. A hidden one has no unit, label, strength or symbol."""

    unit: str  # the unit's id, as actions name it; absent when hidden
    side: str
    hex: str  # absent when it lies in a box
    box: str
    hidden: bool
    label: str  # short designation
    name: str  # full name
    formation: str
    symbol: str  # kind of troops, drawn as a NATO symbol
    size: str  # battalion, regiment, brigade, division, …
    nation: str
    strength: str  # the number that matters most (a block's CV, attack-defence of a counter)
    values: list[str]  # further printed values, in reading order
    steps: list[int]  # [now, full]
    elite: bool
    marks: list[str]  # disrupted, out_of_supply, moved, revealed, …
    flat: bool  # a revealed block lies face up
    detail: str  # one line for the hex card


class MarkerItem(TypedDict, total=False):
    """Something on the map that is not a counter."""

    hex: str
    kind: str  # battle, minefield, control, port, supply, …
    label: str
    side: str
    rule: str
    directions: list[str]  # hexsides it concerns


class TrackItem(TypedDict, total=False):
    """A track beside the map: months, supply, weather."""

    id: str
    title: str
    cells: list[str]
    now: int


class HandItem(TypedDict, total=False):
    """Cards in a hand: kinds for the owner, a number for everybody else."""

    side: str
    title: str
    count: int
    cards: list[str]


class BoxItem(TypedDict, total=False):
    """A place off the map that holds counters."""

    id: str
    title: str
    side: str
    count: int
    rule: str


class StatItem(TypedDict):
    """A line of the strength chart: one number for each side."""

    id: str
    title: str
    values: list[float | None]


class PhaseItem(TypedDict):
    """A step of the turn, for the bar at the top."""

    id: str
    title: str
    state: str  # done, now, next


class Scene(TypedDict, total=False):
    """All of it."""

    title: str
    subtitle: str
    active: str
    to_act: str | None
    phases: list[PhaseItem]
    counters: list[CounterItem]
    markers: list[MarkerItem]
    control: dict[str, list[str]]  # side -> hexes
    tracks: list[TrackItem]
    hands: list[HandItem]
    boxes: list[BoxItem]
    stats: list[StatItem]
    notes: list[str]


class Overlay(TypedDict, total=False):
    """Hexes to tint or hatch on demand: supply, reach, zones of control."""

    id: str
    title: str
    rule: str
    hexes: list[str]
    cut: list[str]  # hexes shown as cut off
    paths: list[list[str]]
    numbers: dict[str, str]


class Hint(TypedDict, total=False):
    """What a client may show of an action before it is taken: for a move its cost and the way it goes."""

    cost: str
    path: list[str]  # the hexes entered, in order
    stop: bool  # the unit has to stop there
    note: str
