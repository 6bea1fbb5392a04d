"""Maps and positions as picture files, and the check of a pack: what the command line draws and reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sandtable.engine.contract import SPECTATOR, Game
from sandtable.engine.drawing import PALETTES, Counter, MapStyle, Marker, draw_map, draw_position
from sandtable.engine.drawing.svg import group, line_path, tag
from sandtable.engine.hexes import mask_of
from sandtable.engine.packs import Fault, Joined, Pack, check_pack, pack_of
from sandtable.engine.scene import CounterItem, MarkerItem, Scene
from sandtable.engine.table import Table
from sandtable.examples.cut import Drawing
from sandtable.examples.form import captions, examples
from sandtable.examples.picture import own_ground, picture
from sandtable.export import svg_to_png
from sandtable.lookup import Failure

WIDTH = 2600
"""Pixels across."""

SUFFIXES = (".svg", ".png")

MARKERS = {"battle": "battle", "assault": "battle", "minefield": "minefield", "secret_minefield": "minefield"}
"""What the drawing calls the markers of a scene; others are left to the map itself."""


def draw_board(game: Game[Any], path: Path) -> None:
    """The map without units."""
    check_name(path)
    pack, style = _look(game)
    _write(game.draw(_first(game), "light") if isinstance(game, Joined) else draw_map(pack, style, width=WIDTH), path)


def draw_state(game: Game[Any], state: Any, side: int | None, path: Path, title: str = "", scenario: str = "") -> None:
    """A position as a side sees it, or with everything open if no side is given."""
    check_name(path)
    pack, style = _look(game, scenario)
    if side is None:
        scenes = [game.scene(game.view(state, number)) for number in range(len(game.info.sides))]
    else:
        scenes = [game.scene(game.view(state, side))]
    counters = _own(game, scenes) if side is None else list(scenes[0].get("counters", ()))
    markers = {(m.get("hex"), m.get("kind")): m for scene in scenes for m in scene.get("markers", ())}
    _write(
        draw_position(
            pack,
            style,
            _counters(pack, counters),
            _markers(pack, list(markers.values())),
            width=WIDTH,
            title=title,
            ground=game.draw(scenario or _first(game), "light") if isinstance(game, Joined) else "",
        ),
        path,
    )


def draw_table(table: Table[Any], side: int | None, path: Path) -> None:
    """The position that a replayed game has reached."""
    scenario = next(s for s in table.game.scenarios() if s.id == table.header.scenario)
    title = f"{table.game.info.title}, {scenario.title}, after {len(table.entries)} entries"
    draw_state(table.game, table.state, SPECTATOR if side == SPECTATOR else side, path, title, scenario.id)


def draw_example(game: Game[Any], id: str, path: Path) -> None:
    """A worked example of the rulebook: its part of the map, with what stands on it and where it goes."""
    check_name(path)
    one = examples(game).get(id)
    if one is None or one.none:
        raise Failure(f"{game.id} has no diagram {id}{': ' + one.none if one is not None else ''}")
    _, style = _look(game)
    shown = picture(game, style, one)
    hexes = shown.pack.grid.index
    whole = draw_position(
        shown.pack,
        style,
        _counters(shown.pack, shown.counters),
        _markers(shown.pack, shown.markers),
        highlight=mask_of(hexes[name] for name in one.lit),
        danger=mask_of(hexes[name] for name in one.danger),
        width=WIDTH,
        title=captions(game.id).get(id, id),
        ground=own_ground(game, one, "light") or "",
    )
    colours = PALETTES["light"]
    lines = [(way, colours["ink"]) for way in (*one.ways, *one.sights)]
    lines += [(way, colours["illegal"]) for way in (*one.barred, *one.blocked)]
    drawn = [
        tag("path", d=line_path([shown.sheet.xy(hexes[name]) for name in way]), stroke=ink, opacity=".75")
        for way, ink in lines
    ]
    over = group(drawn, fill="none", stroke_width=7, stroke_linecap="round", stroke_linejoin="round")
    _write(Drawing(whole).cut(shown.box, f"{id}-").replace("</svg>", f"{over}</svg>"), path)


def check_name(path: Path) -> None:
    if path.suffix.lower() not in SUFFIXES:
        raise Failure(f"{path} is neither {' nor '.join(SUFFIXES)}: pictures are .svg or .png")


def _first(game: Game[Any]) -> str:
    return game.scenarios()[0].id


def _look(game: Game[Any], scenario: str = "") -> tuple[Pack, MapStyle]:
    pack = pack_of(game, scenario)
    style: MapStyle | None = getattr(game, "style", None)
    if pack is None or style is None:
        raise Failure(f"{game.id} has no map to draw")
    return pack, style


def _write(svg: str, path: Path) -> None:
    if path.suffix.lower() == ".svg":
        path.write_text(svg, encoding="utf-8")
        return
    svg_to_png(svg, path, WIDTH)


def _own(game: Game[Any], scenes: Sequence[Scene]) -> list[CounterItem]:
    """Each side's counters as that side sees them."""
    return [
        counter
        for side, scene in zip(game.info.sides, scenes, strict=True)
        for counter in scene.get("counters", ())
        if counter["side"] == side
    ]


def _counters(pack: Pack, items: Sequence[CounterItem]) -> list[Counter]:
    found = []
    for item in items:
        h = pack.grid.index.get(item.get("hex", ""))
        if h is None:
            continue
        steps = item.get("steps", [])
        boxed = item.get("boxed", ["", "elite"] if item.get("elite") else [])
        found.append(
            Counter(
                h,
                item["side"],
                label=item.get("label", ""),
                strength="-".join(value for value in [item.get("strength", ""), *item.get("values", ())] if value),
                symbol=item.get("symbol", ""),
                size=item.get("size", ""),
                hidden=item.get("hidden", False),
                marks=tuple(item.get("marks", ())),
                steps=steps[0] if steps else 0,
                nation=item.get("nation", ""),
                detail=str(item.get("detail", "")),
                tank=item.get("tank", ""),
                tank_hollow=item.get("tank_hollow", False),
                boxed=tuple(boxed),
                band=item.get("band", ""),
                range=item.get("range", ""),
            )
        )
    return found


def _markers(pack: Pack, items: Sequence[MarkerItem]) -> list[Marker]:
    found = []
    for item in items:
        h = pack.grid.index.get(item.get("hex", ""))
        kind = MARKERS.get(item.get("kind", ""))
        if h is not None and kind is not None:
            found.append(Marker(h, kind, side=item.get("side", "")))
    return found


def pack_faults(game: Game[Any], overrides: Sequence[Path]) -> list[Fault]:
    """Everything that is wrong with a game's data under these overrides."""
    own: Callable[[Sequence[Path]], list[Fault]] | None = getattr(game, "pack_faults", None)
    if own is not None:
        return own(overrides)
    pack: Pack | None = getattr(game, "pack", None)
    if pack is None:
        raise Failure(f"{game.id} has no data pack")
    return check_pack(pack.folder, overrides, getattr(game, "check_pack", None))
