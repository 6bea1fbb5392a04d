"""What lies on a table, moves, questions and answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from sandtable.engine.contract import Odds
from sandtable.engine.scene import Hint, Scene
from sandtable.engine.texts.text import Said

from .common import Count, Id, Key
from .games import OutcomeRecord, UndoAsked


class PromptText(Struct, omit_defaults=True):
    title: Said
    text: Said
    rules: list[str]
    phase: str
    advice: str = ""
    """What the question is for and what most players do, for the side that decides."""


class ActionsOfVerb(Struct, omit_defaults=True):
    """The legal actions of one verb, in order. Thousands of hexes are one column.

    `args` has each argument by name, in the order of the notation: its value in every action, or the one value that all
    have. `labels` are the sentences that say what is done, without the names of units and hexes pointed at, which the
    client knows; `said` has the number of its sentence for every action, and is left out where there is one for all.
    Both are left out where the label of the verb says it all.
    """

    do: str
    args: dict[str, str | list[str]] = {}
    labels: list[Said] = []
    said: list[int] = []


class TableState(Struct):
    """Everything that one seat is shown. `seat` is null for those who hold none.

    `length` says how far the game has come in this seat's own count: it goes up with what the seat notices,
    so that it does not tell what others do in secret. Events, moments and rolls are numbered in the same
    count, and a move names it. When the game has ended (`status`) all of it is told anew, numbered as in the
    log. `public` is the count of spectators, which means the same moment to everybody.
    """

    length: int
    seat: str | None
    status: str
    to_act: str | None
    prompt: PromptText
    actions: list[ActionsOfVerb]
    scene: Scene
    can_undo: bool
    undo_asked: UndoAsked | None
    outcome: OutcomeRecord | None
    public: int


class MoveWish(Struct, forbid_unknown_fields=True):
    seat: Id
    length: Count
    """The `length` of the table that the move was chosen at."""
    key: Key
    action: dict[str, Any]
    live: Id | None = None
    """The name of the sender's own live connection: what the answer says is not said there again."""
    brief: bool = False
    """The sender still has the scene of the table at `length`: the answer may say what is new in it alone."""


class Moved(Struct):
    """`kept`: parts of the scene that are left out, since they are those of the table before (null), or that hold new
    items alone: then for each item of the whole its place in the list before, or -1 for the next of the new ones."""

    length: int
    events: list[dict[str, Any]]
    table: TableState
    kept: dict[str, list[int] | None]


class ReasonText(Struct):
    rule: str
    why: Said


class Cost(Struct, omit_defaults=True):
    """What a listed action costs, in a word; the way there is told by `about`."""

    action: str
    cost: Said = ""
    stop: bool = False
    extended: bool = False


class About(Struct):
    """All that can be asked about one action: why it is not allowed, or else what it costs and what may come of it.

    Chances are exact fractions, written as "5/36".
    """

    reason: ReasonText | None
    hint: Hint | None
    odds: Odds | None


class HintRecord(Struct):
    """What the computer would do at one's own decision, and why. `steps` is what would come next, `more` how many
    further steps there are."""

    action: dict[str, Any]
    text: str
    label: Said
    why: list[Said]
    steps: list[Said]
    more: int


class Moment(Struct):
    """The table as this seat saw it when its count was `n`; everything after the end."""

    n: int
    public: int
    length: int
    to_act: str | None
    prompt: PromptText
    scene: Scene
    events: list[dict[str, Any]]


class UndoWish(Struct, forbid_unknown_fields=True):
    seat: Id | None = None
    length: Count | None = None
    key: Key | None = None
    live: Id | None = None
    brief: bool = False


class UndoAsk(Struct, forbid_unknown_fields=True):
    seat: Id | None = None
    decisions: Annotated[int, Meta(ge=1, le=50)] = 1


class UndoAnswer(Struct, forbid_unknown_fields=True):
    yes: bool
    seat: Id | None = None


class DieRecord(Struct):
    index: int
    sides: int
    value: int


class RollRecord(Struct):
    n: int
    index: int | None
    """The number of the first die of this roll; it and the dice are told with the seed."""
    faces: list[int]
    dice: list[DieRecord]


class DiceRecord(Struct):
    """Die number i is HMAC-SHA-256 of i (8 bytes, big-endian) under the seed; see docs/saves.md.

    Rolls that somebody may not know yet are left out until the end. `from_entry` is the last entry
    that was rolled with another seed (of the game this one was branched from).
    """

    commitment: str
    seed: str | None
    from_entry: int
    rolls: list[RollRecord]


HexName = Annotated[str, Meta(min_length=1, max_length=20)]


class DrawnArrow(Struct, forbid_unknown_fields=True):
    start: HexName
    end: HexName


class DrawnNote(Struct, forbid_unknown_fields=True):
    hex: HexName
    text: Annotated[str, Meta(min_length=1, max_length=80)]


class Drawing(Struct, forbid_unknown_fields=True):
    """Arrows and notes that a player shows to those at the table; none of either: no longer."""

    arrows: Annotated[list[DrawnArrow], Meta(max_length=40)] = []
    notes: Annotated[list[DrawnNote], Meta(max_length=20)] = []


class ChatLine(Struct):
    id: int
    by: str
    account: str
    guest: bool
    sides: list[str]
    you: bool
    system: bool
    """Not said, but told: who sat down or stood up."""
    text: str
    at: str
    drawing: Drawing | None = None
    """Not said, but drawn on the map: then there is no text."""


class Say(Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=2000)]


class Notes(Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=20000)]


class Health(Struct):
    status: str
    database: str
    """ok, unreachable, unwritable, or full: there is no room left to write."""
    version: str


class Lived(Struct):
    """A message of the live connection; `length` and the numbers of events are in the seat's own count."""

    kind: Literal["events", "chat", "game"]
    length: int
    to_act: str | None
    status: str
    undo_asked: UndoAsked | None
    events: list[dict[str, Any]] = []
    chat: list[ChatLine] = []
