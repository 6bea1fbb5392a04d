"""A view made drawable: what a table shows, in terms that every client understands.

A game turns a side's view into a `Scene`; terminal, picture and browser draw scenes and know
nothing of the game. Everything in it comes from the view, so it holds no secrets.

Annotations are evaluated here: the API's schema reads from them which keys are always there.
"""

from collections.abc import Sequence
from typing import Required, TypedDict

from sandtable.engine.texts.text import Said


class CounterItem(TypedDict, total=False):
    """A counter or block. A hidden one has no unit, label, strength or symbol."""

    unit: str  # the unit's id, as actions name it; absent when hidden
    side: Required[str]
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
    boxed: list[str]  # for each printed value (strength cut at its dashes, then values): elite, low, armor (red and
    # underlined), red (a red box), orange (an orange circle) or ""
    range: str  # in small letters above the steps: how far it fires
    band: str  # colour of the formation: a design token
    tank: str  # value in the circle beside the symbol
    tank_hollow: bool  # an open circle: stops tanks without being one
    steps: list[int]  # [now, full]
    elite: bool  # the same as an elite box around the second value
    marks: list[str]  # disrupted, out_of_supply, limited_supply, isolated, moved, assault, revealed, acting, …
    flat: bool  # a revealed block lies face up
    detail: Said  # one line for the hex card
    row: str  # the row of the counter sheets that it shows, where a counter can become another
    holder: str  # the unit that has it in hand: it is shown with that one
    facing: list[int]  # which way it points: hull or barrel, then a turret that has its own


class MarkerItem(TypedDict, total=False):
    """Something on the map that is not a counter."""

    hex: Required[str]
    kind: Required[str]  # battle, minefield, control, port, supply, …
    label: Said
    side: str
    rule: str
    directions: list[str]  # hexsides it concerns


class TrackItem(TypedDict, total=False):
    """A track beside the map: months, supply, weather. Cells with the one that holds now, or pips, or a value."""

    id: Required[str]
    title: Required[Said]
    cells: Sequence[Said]
    now: int
    pips: list[int]  # [filled, of]
    value: Said  # "2 SP", "Ready"
    tone: str  # good, warn or bad
    side: str
    rule: str


class HandItem(TypedDict, total=False):
    """Cards in a hand: kinds for the owner, a number for everybody else."""

    side: Required[str]
    title: Required[Said]
    count: Required[int]
    cards: list[str]


class BoxItem(TypedDict, total=False):
    """A place off the map that holds counters."""

    id: Required[str]
    title: Required[Said]
    side: str
    count: Required[int]
    rule: str
    note: Said  # "from turn 5", "1 a turn"


class StatItem(TypedDict):
    """A line of the strength chart: one number for each side."""

    id: str
    title: Said
    values: list[float | None]


class PhaseItem(TypedDict):
    """A step of the turn, for the bar at the top."""

    id: str
    title: Said
    state: str  # done, now, next


class Scene(TypedDict, total=False):
    """All of it."""

    title: Said
    subtitle: Said
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
    notes: Sequence[Said]


class Overlay(TypedDict, total=False):
    """Hexes to tint or hatch on demand: supply, reach, zones of control."""

    id: Required[str]
    title: Required[Said]
    rule: str
    hexes: list[str]
    cut: list[str]  # hexes shown as cut off
    paths: list[list[str]]
    numbers: dict[str, str]


class SightItem(TypedDict):
    """Something that a line of sight meets: in which hex, what it adds, by which rule."""

    hex: str
    value: str  # "+1"
    text: Said
    rule: str


class Sight(TypedDict):
    """A line of sight between two hexes, drawn out for a client."""

    hexes: list[str]  # in order, both ends among them
    range: int
    clear: bool
    blocked: str  # the hex that blocks it, or ""
    unseen: list[str]  # hexes along it that are not seen
    hindrances: list[SightItem]
    text: Said  # the whole in a sentence
    rule: str


class HintLine(TypedDict, total=False):
    """One line of what an action costs or brings: a hex of the way, a stop, a fight it makes possible."""

    value: Said
    text: Said
    rule: str


class Hint(TypedDict, total=False):
    """What a client may show of an action before it is taken: for a move its cost and the way it goes."""

    cost: Said
    of: Said  # out of how much: "5 MP"
    path: list[str]  # the hexes entered, in order
    costs: list[str]  # what has been spent on entering each of them
    stop: bool  # the unit has to stop there
    extended: bool  # within reach only by a special effort
    lines: list[HintLine]
    note: Said
