"""The map of a scenario in the form that all games have one: for the terminal, and for the browser's hex cards."""

from __future__ import annotations

from functools import cache

from sandtable.engine.hexes import Hex, Mask, Sides, hexes_of
from sandtable.engine.packs import Edge, HexRow, Pack, Place, Row

from ..boards.battlefield import Battlefield
from ..boards.pack import DATA, asl_pack
from ..table.stage import roster, stage
from .ground import FIGURES

SHOWN_FORMS = ("hillock", "summit", "deir", "wadi", "dune")
SHOWN_SIDES = ("wadi_cliff", "cliff", "dune_crest", "wall", "hedge", "crest")
LEFT_OUT = frozenset(
    ("bpv", "years", "confidence", "source", "notes", "known_fields", "bpv_source", "elr_to", "dvp_without_ma", "dvp")
)
"""Columns of the counters that say nothing about their look."""


@cache
def sheet(scenario: str) -> Pack:
    """The boards of a scenario as they are joined, with all counters that there are."""
    return sheet_of(stage(scenario).field)


def sheet_of(field: Battlefield) -> Pack:
    """A ground in that form."""
    hexes = {h: _hex(field, h) for h in field.grid.hexes}
    terrain: dict[str, Mask] = {}
    tags: dict[str, Mask] = {}
    for h, row in hexes.items():
        terrain[row.terrain] = terrain.get(row.terrain, 0) | 1 << h
        for tag in row.tags:
            tags[tag] = tags.get(tag, 0) | 1 << h
    sides = {kind: field.sides[kind] for kind in SHOWN_SIDES if any(field.sides[kind])}
    links = {kind: masks for kind, masks in (("track", field.tracks), ("road", field.roads)) if any(masks)}
    return Pack(
        folder=DATA,
        overrides=(),
        grid=field.grid,
        hexes=hexes,
        terrain=terrain,
        tags=tags,
        impassable=0,
        hexsides=_edges(field, sides),
        sides=sides,
        rises={},
        ways=_edges(field, links),
        links=links,
        places=_places(field),
        units=_units(),
        tables=field.pack.tables,
        scenarios=field.pack.scenarios,
    )


def _hex(field: Battlefield, h: Hex) -> HexRow:
    words = {form for form in SHOWN_FORMS if field.has(form, h)}
    level = field.level[h]
    if level:
        words.add(f"level {FIGURES.get(level, f'−{-level // 2}')}")
    name = field.name(h)
    return HexRow(h, name, field.terrain[h], frozenset(words), "", "", Row("boards", 0, {}))


def _edges(field: Battlefield, kinds: dict[str, Sides]) -> tuple[Edge, ...]:
    """Every hexside once, as seen from the hex with the lower number."""
    found = []
    for kind, masks in kinds.items():
        for d, mask in enumerate(masks):
            for h in hexes_of(mask):
                n = field.grid.neighbour(h, d)
                if n > h:
                    found.append(Edge(h, n, d, kind, -1, "", Row("boards", 0, {})))
    return tuple(found)


def _places(field: Battlefield) -> tuple[Place, ...]:
    found = []
    for row in field.pack.places:
        h = field.grid.index.get(f"{row['board']}.{row['hex']}")
        if h is not None:
            found.append(Place(row["name"], h, "name", {}, -1, row))
    return tuple(found)


@cache
def _units() -> dict[str, Row]:
    """Pieces and kinds of counters by their ids: a squad may become a half-squad, so both are looked up."""
    pieces = roster()
    rows = {id: row for counters in asl_pack().counters.values() for id, row in counters.items()}
    found: dict[str, Row] = {}
    for kind in pieces.types:
        row = rows.get(kind.id)
        cells = {k: v for k, v in row.cells.items() if k not in LEFT_OUT and v} if row is not None else {}
        found[kind.id] = Row("counters", 0, {**cells, "name": kind.name, "id": kind.id})
    for u, name in enumerate(pieces.names):
        kind = pieces.types[pieces.first[u]]
        side = ("axis", "allied")[pieces.side[u]]
        found[name] = Row("counters", 0, {"name": pieces.called[u], "id": name, "side": side, "nation": kind.nation})
    return found
