"""Games, maps and rulebooks as they travel."""

from __future__ import annotations

from msgspec import Struct

from sandtable.engine.scene import CounterItem, MarkerItem

from .ending import TallyLine


class BalanceInfo(Struct):
    """How the first side fared in games in which both were played by one kind of computer player."""

    player: str
    games: int
    share: float


class ScenarioInfo(Struct):
    id: str
    title: str
    title_ja: str
    length: str
    note: str
    balance: BalanceInfo | None = None


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


class VerbInfo(Struct, omit_defaults=True):
    """A verb; `label` is how a player says it, where every argument is a unit or a hex, and `roles` what a client does
    with it: aside, listed, gathers, musters, onward, ends, chance."""

    word: str
    args: list[ArgumentInfo]
    label: str = ""
    roles: list[str] = []


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
    language: str
    """The language of its text: English (en) where there is none in the one that was asked for."""
    preface: str
    """What stands before the first chapter, as Markdown."""
    chapters: list[ChapterText]
    appendices: list[AppendixText]
    diagrams: list[str]
    """The worked examples that have a diagram."""


class NoteText(Struct):
    rule: str
    text: str


class ArrowPath(Struct):
    side: str
    path: list[str]


class BriefingText(Struct):
    """The page before the first move of a scenario."""

    scenario: str
    situation: str
    aims: dict[str, str]
    special: list[NoteText]
    arrows: list[ArrowPath]
    balance: str
    lines: list[TallyLine]
    """How victory is reckoned, as it stands before the first move."""


class PartText(Struct):
    """A number or sign of a counter: `part` says where a scene's counter has it, or which fact of its row it is; a fact
    of 0 is told only with `zero`."""

    part: str
    name: str
    text: str
    rule: str
    zero: bool = False


class ReadingText(Struct):
    """How counters of some kinds are read; those without kinds stand for all others."""

    kinds: list[str]
    name: str
    parts: list[PartText]


class SignText(Struct):
    """A mark on a counter, or a marker in a hex."""

    id: str
    name: str
    text: str
    rule: str


class EffectText(Struct):
    name: str
    value: str
    """A number or words; nothing where the name says it all."""
    rule: str


class GroundText(Struct):
    """A terrain, a tag, a hexside feature or a way, with its effects on movement and combat."""

    of: str
    id: str
    name: str
    text: str
    rule: str
    effects: list[EffectText]


class TermText(Struct):
    term: str
    also: list[str]
    text: str
    rule: str


class LegendText(Struct):
    """How counters and map of a game are read, and what its words mean."""

    counters: list[ReadingText]
    marks: list[SignText]
    markers: list[SignText]
    grounds: list[GroundText]
    terms: list[TermText]


class ExampleText(Struct):
    """The diagram of a worked example: a part of the map and what stands on it. Its words are those of the rulebook."""

    id: str
    rules: list[str]
    box: tuple[float, float, float, float]
    """Left, top, width and height, in the units of the map."""
    grid: GridInfo
    """The hexes that can be seen."""
    counters: list[CounterItem]
    markers: list[MarkerItem]
    ways: list[list[str]]
    barred: list[list[str]]
    notes: list[str]
    """Beside the heads of the ways, in their order."""
    sights: list[list[str]]
    blocked: list[list[str]]
    letters: dict[str, str]
    lit: list[str]
    danger: list[str]
    own: bool
    """It stands on a board laid out for it: the map of the game has other names and numbers."""
