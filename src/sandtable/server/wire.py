"""What travels: the shapes of requests and answers, from which the OpenAPI schema is made."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from sandtable.engine.scene import Hint, Overlay, Scene

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Password = Annotated[str, Meta(min_length=8, max_length=200)]
Id = Annotated[str, Meta(max_length=40)]
Title = Annotated[str, Meta(max_length=100)]
Key = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+$")]
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class Problem(Struct, omit_defaults=True):
    """What an answer says that is not a success; `length` is in the count of who asked."""

    why: str
    code: str = ""
    rule: str = ""
    length: int | None = None
    line: int | None = None


# ------------------------------------------------------------------------------------------ accounts


class Credentials(Struct, forbid_unknown_fields=True):
    name: Name
    password: Password


class Login(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(max_length=200)]
    password: Annotated[str, Meta(max_length=1000)]


class GuestWish(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(max_length=40)] = ""


class PushKeys(Struct, forbid_unknown_fields=True):
    p256dh: Annotated[str, Meta(max_length=200)]
    auth: Annotated[str, Meta(max_length=100)]


class PushSubscription(Struct):
    """A browser's web push subscription, as `PushSubscription.toJSON()` gives it."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    keys: PushKeys


class MySettings(Struct, forbid_unknown_fields=True):
    """What an account has set. `client` belongs to the browser alone."""

    theme: Annotated[str, Meta(max_length=20)] = "system"
    palette: Annotated[str, Meta(max_length=20)] = "light"
    language: Annotated[str, Meta(max_length=10)] = "en"
    help: Annotated[str, Meta(max_length=20)] = "full"
    notify: bool = True
    email: Annotated[str, Meta(max_length=200)] = ""
    notify_urls: Annotated[list[Annotated[str, Meta(max_length=500)]], Meta(max_length=5)] = []
    push: Annotated[list[PushSubscription], Meta(max_length=10)] = []
    client: dict[str, Any] = {}


class Me(Struct):
    id: str
    name: str
    guest: bool
    settings: MySettings


class PushKey(Struct):
    """The key that a browser needs to subscribe to web push."""

    key: str


# ------------------------------------------------------------------------------------------ catalogue


class ScenarioInfo(Struct):
    id: str
    title: str
    title_ja: str
    length: str
    note: str


class OptionInfo(Struct):
    id: str
    title: str
    rule: str
    default: bool


class GameSummary(Struct):
    id: str
    version: int
    title: str
    title_ja: str
    summary: str
    sides: list[str]
    side_titles: list[str]
    scenarios: list[ScenarioInfo]
    options: list[OptionInfo]
    players: list[str]
    picture: str | None


class HexInfo(Struct, omit_defaults=True):
    id: str
    x: float
    y: float
    terrain: str
    name: str = ""
    tags: list[str] = []


class GridInfo(Struct):
    """`x` and `y` of a hex are in the units of map.svg's viewBox; `radius` is from centre to corner."""

    orientation: str
    directions: list[str]
    radius: float
    width: float
    height: float
    hexes: list[HexInfo]


class UnitInfo(Struct, omit_defaults=True):
    name: str
    side: str
    symbol: str = ""
    size: str = ""
    nation: str = ""
    formation: str = ""
    facts: dict[str, str] = {}


class ArgumentInfo(Struct):
    name: str
    kind: str


class VerbInfo(Struct):
    word: str
    args: list[ArgumentInfo]


class PlaceInfo(Struct, omit_defaults=True):
    """A place with a name. `mark` and `type` say how it is drawn, `shown_from` from how many pixels a hex on."""

    name: str
    hex: str
    kind: str
    x: float
    y: float
    name_ja: str = ""
    mark: str = ""
    type: str = ""
    shown_from: float = 0.0
    badge: str = ""


class EdgeInfo(Struct):
    """A hexside feature, or a way between two hexes."""

    hex: str
    neighbour: str
    kind: str
    name: str = ""


class CounterLook(Struct):
    """How one side's counters look; the colours are names of design tokens."""

    edge: str
    square: bool
    block: str
    label: str


class GameLook(Struct):
    blocks: bool
    sides: dict[str, CounterLook]
    nations: dict[str, str]


class GameDetail(GameSummary, kw_only=True):
    grid: GridInfo | None
    units: dict[str, UnitInfo]
    verbs: list[VerbInfo]
    places: list[PlaceInfo]
    hexsides: list[EdgeInfo]
    ways: list[EdgeInfo]
    palettes: list[str]
    look: GameLook | None


class RuleText(Struct):
    id: str
    title: str
    text: str
    after: str
    """What stands below the rule, tables above all, as Markdown."""


class ChapterText(Struct):
    id: str
    title: str
    rules: list[RuleText]


class AppendixText(Struct):
    title: str
    text: str


class Rulebook(Struct):
    preface: str
    """What stands before the first chapter, as Markdown."""
    chapters: list[ChapterText]
    appendices: list[AppendixText]


# ------------------------------------------------------------------------------------------ games


class NewGame(Struct, forbid_unknown_fields=True):
    game: Id
    scenario: Id
    options: dict[str, bool] = {}
    seats: dict[str, Id] = {}
    """By side: me, open, invite, or the name of a computer player."""
    pace: Annotated[int, Meta(ge=1, le=365)] | None = None
    """Days per turn."""
    watch: Literal["anyone", "players"] = "anyone"
    name: Title = ""


class SeatRecord(Struct, omit_defaults=True):
    side: str
    title: str
    holder: str | None = None
    account: str | None = None
    computer: str | None = None
    you: bool = False
    open: bool = False
    invite: str | None = None
    """The invitation's token; only for those who may give it on."""


class ClockRecord(Struct):
    days: int
    since: str
    due: str
    overdue: bool


class OutcomeRecord(Struct):
    winner: str | None
    level: str
    points: int
    rule: str


class UndoAsked(Struct):
    by: str
    """The side that asks."""
    decisions: int
    """How many would be taken back, of those that this seat has noticed."""
    length: int


class GameRecord(Struct):
    id: str
    name: str
    game: str
    title: str
    scenario: str
    scenario_title: str
    options: dict[str, bool]
    status: Literal["open", "running", "finished", "abandoned"]
    seats: list[SeatRecord]
    owner: bool
    length: int
    """How far the game has come, as spectators count; after the end, the length of its log."""
    to_act: str | None
    your_turn: bool
    commitment: str
    seed: str | None
    unsealed: bool
    clock: ClockRecord | None
    watch: str
    analysis: bool
    parent: str | None
    branched_at: int | None
    rematch: str | None
    notify: bool
    created: str
    updated: str
    outcome: OutcomeRecord | None


class Join(Struct, forbid_unknown_fields=True):
    """Take a seat: the one of an invitation, or an open one by its side."""

    invite: Annotated[str, Meta(max_length=64)] | None = None
    seat: Id | None = None


class Rename(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=100)]


class SeatWish(Struct, forbid_unknown_fields=True):
    """Who is to hold the seat: open, invite, me, a computer player, or an account by its name."""

    to: Annotated[str, Meta(min_length=1, max_length=60)]


class SeatChoice(Struct, forbid_unknown_fields=True):
    """Which of one's own seats; not needed by those who hold one."""

    seat: Id | None = None


class WatchWish(Struct, forbid_unknown_fields=True):
    watch: Literal["anyone", "players"] | None = None
    notify: bool | None = None


class Branch(Struct, forbid_unknown_fields=True):
    at: Count
    """The moment, in the count of this seat."""
    seat: Id | None = None


# ------------------------------------------------------------------------------------------ the table


class PromptText(Struct):
    title: str
    text: str
    rules: list[str]
    phase: str


class ActionItem(Struct, omit_defaults=True):
    action: dict[str, Any]
    label: str
    text: str
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
    why: str


class TermText(Struct):
    value: str
    rule: str
    text: str


class ResultChance(Struct):
    result: str
    chance: float
    exact: str


class ForceText(Struct, omit_defaults=True):
    side: str
    units: list[str]
    value: str
    text: str
    rule: str = ""
    hexes: list[str] = []


class ShiftText(Struct, omit_defaults=True):
    """Columns to the right; who can change it ("", "decider", "answer"), and the action that has it otherwise.

    `yes`, `no`: how the texts of the actions begin that decide for and against it when its question comes.
    """

    value: int
    rule: str
    text: str
    note: str = ""
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
    text: str = ""
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
    question: list[str] = []
    legend: list[str] = []
    legend_rule: str = ""
    unit: str = ""
    hex: str = ""


class OddsTable(Struct, omit_defaults=True):
    title: str
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


__all__ = [name for name in dir() if name[0].isupper()] + ["Overlay"]
