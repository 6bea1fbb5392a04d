"""What lies on a table, moves, questions and answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from sandtable.engine.scene import Hint, Scene
from sandtable.engine.text import Said

from .common import Count, Id, Key
from .games import OutcomeRecord, UndoAsked


class PromptText(Struct):
    title: Said
    text: Said
    rules: list[str]
    phase: str


class ActionItem(Struct, omit_defaults=True):
    """`label` is left out where the label of the verb says it all."""

    action: dict[str, Any]
    text: str
    label: Said = ""
    hint: Hint | None = None


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
    actions: list[ActionItem]
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


class Moved(Struct):
    length: int
    events: list[dict[str, Any]]
    table: TableState


class ReasonText(Struct):
    rule: str
    why: Said


class TermText(Struct):
    value: Said
    rule: str
    text: Said


class ResultChance(Struct):
    result: Said
    chance: float
    exact: str


class ForceText(Struct, omit_defaults=True):
    side: str
    units: list[str]
    value: str
    text: Said
    rule: str = ""
    hexes: list[str] = []


class ShiftText(Struct, omit_defaults=True):
    """Columns to the right; who can change it ("", "decider", "answer"), and the action that has it otherwise.

    `yes`, `no`: how the texts of the actions begin that decide for and against it when its question comes.
    """

    value: int
    rule: str
    text: Said
    note: Said = ""
    by: str = ""
    on: bool = True
    action: str = ""
    yes: str = ""
    no: str = ""


class CellChance(Struct, omit_defaults=True):
    """A result of one column; `good` is the part of it that answers the question as the player wants it."""

    result: str
    chance: float
    exact: str
    text: Said = ""
    faces: list[int] = []
    good: float | None = None


class ColumnText(Struct, omit_defaults=True):
    label: str
    cells: list[CellChance]
    lost: list[float] = []


class LadderText(Struct, omit_defaults=True):
    """The whole odds table, so that the client can show what a shift more or less would mean."""

    columns: list[ColumnText]
    base: int
    now: int
    shifts: list[ShiftText] = []
    forces: list[ForceText] = []
    question: list[Said] = []
    legend: list[Said] = []
    legend_rule: str = ""
    unit: str = ""
    hex: str = ""


class OddsTable(Struct, omit_defaults=True):
    title: Said
    terms: list[TermText]
    results: list[ResultChance]
    ladder: LadderText | None = None


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
