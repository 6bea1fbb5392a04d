"""The games that can be played, their maps and rulebooks: made once, the same for everybody."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from gzip import compress
from hashlib import sha256
from typing import Any

import msgspec

from sandtable import registry, texts
from sandtable.engine.actions import Codec
from sandtable.engine.contract import Game
from sandtable.engine.drawing import PALETTES, MapStyle
from sandtable.engine.drawing.names import crests, on_crest, site_spot
from sandtable.engine.drawing.scene import RADIUS
from sandtable.engine.drawing.scene import Scene as Sheet
from sandtable.engine.ledger import CHAPTER, ENGLISH, HEADING, book
from sandtable.engine.packs import Joined, Pack, Row, pack_of
from sandtable.engine.packs.briefings import briefings
from sandtable.engine.packs.legend import Legend, read_legend
from sandtable.engine.texts.verbs import Verb, Vocabulary
from sandtable.examples.form import drawn_ids
from sandtable.players.balance import told

from ..wire.ending import tallied
from ..wire.library import (
    AppendixText,
    ArgumentInfo,
    ArrowPath,
    BalanceInfo,
    BriefingText,
    ChapterText,
    CounterLook,
    EdgeInfo,
    GameDetail,
    GameLook,
    GameSummary,
    GridInfo,
    HexInfo,
    NoteText,
    OptionInfo,
    PlaceInfo,
    Rulebook,
    RuleText,
    ScenarioInfo,
    UnitInfo,
    VerbInfo,
)
from . import kept, maps
from .maps import style_of

PREFERRED = "planner"
"""The computer player that is offered first, in games that have it."""


LISTED = "catalogue-"


@dataclass(frozen=True)
class Document:
    """Bytes that never change while the server runs, plain and compressed, and their tag."""

    body: bytes
    packed: bytes
    tag: str
    kind: str


def document(body: bytes, kind: str = "application/json") -> Document:
    return Document(body, compress(body, mtime=0), sha256(body).hexdigest()[:24], kind)


@cache
def catalogue(names: tuple[str, ...]) -> Document:
    """All games. A kept list is taken as it is: to make it, every game is imported, which takes seconds."""
    return document(kept.take(listed_as(names), lambda: listing(names)).encode())


def listing(names: tuple[str, ...]) -> str:
    return msgspec.json.encode([summary(registry.get(name)) for name in names]).decode()


def listed_as(names: tuple[str, ...]) -> str:
    """The name under which their list is kept."""
    return f"{LISTED}{kept.sources(names)}.json"


def detail(name: str, scenario: str = "") -> Document:
    """A game, with the map of one of its scenarios where each has its own."""
    return _detailed(name, scenario if isinstance(registry.get(name), Joined) else "")


@cache
def _detailed(name: str, scenario: str) -> Document:
    return document(msgspec.json.encode(_detail(registry.get(name), scenario)))


def map_svg(name: str, palette: str, names: bool = True, scenario: str = "") -> Document | None:
    """The empty map, with or without the names of places, or None for a game that has none."""
    game = registry.get(name)
    if isinstance(game, Joined):
        return _ground(name, palette, scenario or game.scenarios()[0].id)
    return _map_svg(name, palette, names)


@cache
def _ground(name: str, palette: str, scenario: str) -> Document:
    """The boards of a scenario, as the game draws them."""
    game = registry.get(name)
    assert isinstance(game, Joined)
    return document(game.draw(scenario, palette).encode(), "image/svg+xml")


@cache
def _map_svg(name: str, palette: str, names: bool) -> Document | None:
    game = registry.get(name)
    pack, style = pack_of(game), style_of(game)
    if pack is None or style is None:
        return None
    return document(maps.in_palette(drawn(name, names), palette).encode(), "image/svg+xml")


@cache
def drawn(name: str, names: bool) -> str:
    """The empty map in tokens of the page."""
    game = registry.get(name)
    pack, style = pack_of(game), style_of(game)
    assert pack is not None
    assert style is not None
    return maps.map_of(game, pack, style, names)


def warm_up() -> None:
    """What the first visitor of the lobby would wait for."""
    catalogue(tuple(registry.names()))
    for name in registry.names():
        map_svg(name, "light", names=False)


@cache
def rulebook(name: str, language: str = ENGLISH) -> Document | None:
    found = _rulebook(name, language)
    return None if found is None else document(msgspec.json.encode(found))


def players(game: Game[Any]) -> list[str]:
    """The computer players, the best first."""
    names = registry.player_names(game)
    return sorted(names, key=lambda name: name != PREFERRED)


def summary(game: Game[Any]) -> GameSummary:
    info = game.info
    return GameSummary(
        id=game.id,
        version=game.version,
        title=info.title,
        title_ja=info.title_ja,
        summary=info.summary,
        sides=list(info.sides),
        side_titles=list(info.side_titles),
        scenarios=[
            ScenarioInfo(s.id, s.title, s.title_ja, s.length, s.note, balance(game.id, s.id)) for s in game.scenarios()
        ],
        options=[OptionInfo(o.id, o.title, o.rule, o.default) for o in game.options()],
        players=players(game),
        picture=f"/api/catalogue/{game.id}/map.svg" if has_map(game) else None,
    )


def balance(game: str, scenario: str) -> BalanceInfo | None:
    """How the sides of a scenario fare, where enough games were counted."""
    found = told(game, scenario)
    return None if found is None else BalanceInfo(found.player, found.games, round(found.share, 4))


def has_map(game: Game[Any]) -> bool:
    return pack_of(game) is not None and style_of(game) is not None


POINTED = {"unit", "hex"}
"""The kinds of arguments that a client can name by itself."""


def plainly_labelled(verb: Verb) -> bool:
    """Whether a client can say what an action of this verb does from the verb's label alone."""
    kinds = {kind for _, kind in verb.args}
    return isinstance(verb.label, str) and bool(verb.label) and bool(kinds) and kinds <= POINTED


def _verbs(codec: Codec, declared: Vocabulary | None) -> list[VerbInfo]:
    found = [VerbInfo(v.word, [ArgumentInfo(name, kind.name) for name, kind in v.args]) for v in codec.verbs]
    for info, verb in zip(found, declared or (), strict=False):
        info.roles = list(verb.roles)
        if plainly_labelled(verb):
            info.label = str(verb.label)
    return found


@cache
def briefing(name: str, scenario: str) -> Document | None:
    """What a player is told before the first move of a scenario."""
    game: Game[Any] = registry.get(name)
    found = briefings(texts.home(game)).get(scenario)
    if found is None:
        return None
    shown = BriefingText(
        scenario=scenario,
        situation=found.situation,
        aims=found.aims,
        special=[NoteText(one.rule, one.text) for one in found.special],
        arrows=[ArrowPath(one.side, list(one.path)) for one in found.arrows],
        balance=found.balance,
        lines=tallied(game.reckoning(game.new(scenario)), game.info.sides),
    )
    return document(msgspec.json.encode(shown))


@cache
def legend(name: str) -> Document | None:
    """How a game's counters and map are read, and what its words mean."""
    found = legend_of(registry.get(name))
    return None if found is None else document(msgspec.json.encode(found))


def legend_of(game: Game[Any]) -> Legend | None:
    path, pack = texts.home(game) / "data" / "legend.toml", pack_of(game)
    return read_legend(path, pack.tables) if path.exists() and pack is not None else None


@cache
def text(name: str, language: str) -> Document:
    """What a game says, in another language, by its English."""
    return document(msgspec.json.encode(texts.speech(registry.get(name), language)))


@cache
def common_text(language: str) -> Document:
    """What is said outside of a game, in another language, by its English."""
    return document(msgspec.json.encode(texts.common_speech(language)))


def _detail(game: Game[Any], scenario: str) -> GameDetail:
    pack, style = pack_of(game, scenario), style_of(game)
    codec: Codec | None = getattr(game, "codec", None)
    return GameDetail(
        **msgspec.structs.asdict(summary(game)),
        grid=None if pack is None or style is None else _grid(pack, style),
        units={} if pack is None else {id: _unit(row) for id, row in pack.units.items()},
        verbs=[] if codec is None else _verbs(codec, getattr(game, "verbs", None)),
        places=[] if pack is None or style is None else _places(pack, style),
        hexsides=[] if pack is None else _edges(pack, pack.hexsides),
        ways=[] if pack is None else _edges(pack, pack.ways),
        palettes=list(PALETTES),
        look=None if style is None else _look(style),
    )


def _grid(pack: Pack, style: MapStyle) -> GridInfo:
    sheet = Sheet(pack, style, "light", maps.WIDTH)
    hexes = []
    for h in pack.grid.hexes:
        row = pack.hexes[h]
        x, y = sheet.xy(h)
        tags = sorted(tag for tag in row.tags if not tag.startswith("art:"))
        hexes.append(HexInfo(row.id, round(x, 1), round(y, 1), row.terrain, row.name, tags))
    return GridInfo(
        orientation=pack.grid.orientation,
        directions=list(pack.grid.directions),
        radius=round(RADIUS, 3),
        width=round(sheet.width, 1),
        height=round(sheet.height, 1),
        hexes=hexes,
    )


def _places(pack: Pack, style: MapStyle) -> list[PlaceInfo]:
    """The places that a client may name on the map; regions are lettered on it already."""
    sheet = Sheet(pack, style, "light", maps.WIDTH)
    found, lettered = [], crests(sheet)
    for place in pack.places:
        site = style.sites.get(place.kind)
        if site is None:
            continue
        x, y = site_spot(sheet, place)
        found.append(
            PlaceInfo(
                place.name,
                pack.id(place.hex),
                place.kind,
                round(x, 1),
                round(y, 1),
                name_ja=str(place.row["name_ja"]) if "name_ja" in place.row else "",
                mark=site.mark,
                type="crest" if on_crest(place, lettered, style) else site.name,
                shown_from=site.shown_from,
                badge=place.attributes.get(site.badge, "") if site.badge else "",
            )
        )
    return found


def _look(style: MapStyle) -> GameLook:
    sides = {
        side: CounterLook(edge=one.edge, square=one.square, block=one.block, label=one.label)
        for side, one in style.sides.items()
    }
    return GameLook(style.blocks, sides, dict(style.nations))


_SAID = ("id", "name", "side", "type", "size", "nation", "formation", "source", "note")


def _unit(row: Row) -> UnitInfo:
    return UnitInfo(
        name=row.get("name"),
        side=row.get("side"),
        symbol=row.get("type"),
        size=row.get("size"),
        nation=row.get("nation"),
        formation=row.get("formation"),
        facts={key: value for key, value in row.cells.items() if key not in _SAID and value},
    )


def _edges(pack: Pack, edges: Any) -> list[EdgeInfo]:
    return [EdgeInfo(pack.id(e.hex), pack.id(e.neighbour), e.kind, e.name) for e in edges if e.neighbour >= 0]


def _rulebook(name: str, language: str) -> Rulebook | None:
    shelf = book(name, language=language)
    if shelf is None:
        return None
    chapters: dict[str, ChapterText] = {}
    for rule in shelf.rules.values():
        chapter = chapters.setdefault(rule.chapter, ChapterText(rule.chapter, rule.chapter_title, []))
        chapter.rules.append(RuleText(rule.id, rule.title, rule.text, rule.after))
    preface, *appendices = _parts(shelf.source.splitlines())
    return Rulebook(shelf.language, preface.text, list(chapters.values()), appendices, drawn_ids(registry.get(name)))


def _parts(source: list[str]) -> list[AppendixText]:
    """What stands in a rulebook under headings that are not chapters, as Markdown: the preface first."""
    found: list[AppendixText] = []
    title = ""
    lines: list[str] | None = None
    for line in [*source, "## "]:
        if not HEADING.match(line):
            if lines is not None:
                lines.append(line)
            continue
        if lines is not None and (text := "\n".join(lines).strip()):
            found.append(AppendixText(title, text))
        title = re.sub(r"^#+\s*", "", line).strip()
        lines = None if CHAPTER.match(line) else []
    return found
