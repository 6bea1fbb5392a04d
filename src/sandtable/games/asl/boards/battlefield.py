"""The battlefield: the whole ground of a scenario as one immutable value.

Hexes are bits of one `Grid`; their names are those of their boards ("D4.S3"; also "D4oS3" where an overlay lies, and
either name of a hex that two boards share). Levels are counted in half levels. Sets of hexes are masks, features of
hexsides six masks by direction, noted in both hexes.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from hashlib import sha256
from typing import Any

from sandtable.engine.hexes import Grid, GridSpec, Hex, Mask, Sides, hexes_of
from sandtable.games.asl.boards.alternate import apply_alternates
from sandtable.games.asl.boards.layout import STEPS, At, Layout, Placed, lay_out
from sandtable.games.asl.boards.pack import SIDE_KINDS, AslPack, asl_pack
from sandtable.games.asl.boards.terrain import LEVEL, HexsideKind, TerrainKind

N, NE, SE, S, SW, NW = range(6)
FASCINE = "fascine"
"""A hexside at which a fascine has made an ordinary wadi side of a cliff: there only once one is laid."""
ESCARPMENT, PLATEAU = "E1", 4 * LEVEL
"""F12.5 the overlay of the escarpment, and the level of its top."""
FORM_WORDS = ("deir", "lip", "wadi", "hillock", "summit", "dune", "high_dune")


class Battlefield:
    """The ground of one scenario. Nothing on it ever changes; what lies on it is the state's."""

    grid: Grid
    placed: tuple[Placed, ...]
    level: list[int]
    """Hex -> the elevation of a unit on it, in half levels; IN a wadi it is a full level lower."""
    base: list[int]
    """Hex -> the level of the ground under a hillock."""
    terrain: list[str]
    """Hex -> terrain word of the chart."""
    ground: dict[str, Mask]
    """Terrain word -> hexes."""
    form: dict[str, Mask]
    """Landform (deir, lip, wadi, hillock, summit, dune, high_dune) -> hexes; every word is there."""
    mass: list[int]
    """Hex -> number of the hillock, deir or dune that it is part of, 0 if of none."""
    sides: dict[str, Sides]
    """Kind of hexside -> six masks; every kind is there."""
    owned: dict[str, Sides]
    """The same, only in the hexes that own the feature: the higher hex, the dune's, the deir's."""
    inherent: Mask
    """B.6 Hexes whose terrain fills the whole hex, hexsides included."""
    tracks: Sides
    roads: Sides
    half: Mask
    """Half-hexes at the edge of the map."""
    edges: dict[str, Mask]
    """N, E, S, W -> the hexes along that edge of the playing area."""
    desert: Mask
    chapter_b: Mask
    """F.2Aa Hill hexes that use the movement costs of Chapter B."""
    covered: Mask
    """Hexes under an overlay."""

    def __init__(self, pack: AslPack, layout: Layout) -> None:
        self.pack = pack
        self.placed = layout.placed
        self.overlays = tuple(layout.overlays)
        self.alternates = frozenset(layout.alternates)
        """F13 "broken", "steppe", …: F.1Ac, F.1Cc, F11.73a, F11.8d, F13.1d and F13.2c ask for it."""
        self.kinds: Mapping[str, TerrainKind] = pack.terrain
        self.side_kinds: Mapping[str, HexsideKind] = pack.hexsides
        order = sorted(layout.cells)
        cells = [layout.cells[at] for at in order]
        names = [(cell.names[0], (y + x % 2) // 2, x) for (x, y), cell in zip(order, cells, strict=True)]
        aliases = {name: cell.names[0] for cell in cells for name in cell.names[1:]}
        self.grid = Grid(GridSpec("flat", tuple(names), shifted="even", shift="south", aliases=aliases))
        self.at: dict[At, Hex] = {at: self.grid.index[name] for at, (name, _, _) in zip(order, names, strict=True)}
        self.columns = (order[0][0], order[-1][0])
        """The first and the last column, and the highest and the lowest row, as places count them."""
        self.rows = (min(y for _, y in order), max(y for _, y in order))
        self._fill(layout)
        self._hexsides(layout)
        self.edges = self._edges()

    def __repr__(self) -> str:
        return f"<Battlefield {' '.join(one.board.id for one in self.placed)}, {len(self.grid.hexes)} hexes>"

    def _fill(self, layout: Layout) -> None:
        size = self.grid.size
        self.level, self.base, self.mass = [0] * size, [0] * size, [0] * size
        self.terrain = [""] * size
        self.place: list[At] = [(0, 0)] * size
        self.ground, self.form = {}, dict.fromkeys(FORM_WORDS, 0)
        self.tags: dict[str, Mask] = {}
        self.boards: dict[str, Mask] = {}
        self.board_edges: dict[tuple[str, str], Mask] = {}
        self.inherent = self.half = self.desert = self.chapter_b = self.covered = 0
        masses: dict[str, int] = {"": 0}
        for at, h in self.at.items():
            cell, one = layout.cells[at], 1 << h
            self.place[h] = at
            self.level[h], self.base[h] = cell.level, cell.base
            self.terrain[h] = cell.terrain
            self.mass[h] = masses.setdefault(cell.mass, len(masses))
            self.ground[cell.terrain] = self.ground.get(cell.terrain, 0) | one
            for word in cell.forms:
                self.form[word] |= one
            for word in cell.tags:
                self.tags[word] = self.tags.get(word, 0) | one
            for word in cell.boards:
                self.boards[word] = self.boards.get(word, 0) | one
            for edge in cell.edges:
                self.board_edges[edge] = self.board_edges.get(edge, 0) | one
            self.inherent |= one if cell.inherent or self.kinds[cell.terrain].inherent else 0
            self.half |= one if cell.half else 0
            self.desert |= one if cell.desert else 0
            self.chapter_b |= one if cell.chapter_b else 0
            self.covered |= one if cell.overlay else 0
        # F.2c A hex of one desert and one other half is desert if it holds a wadi or is beside hammada or sand.
        sandy = {p.board.id for p in self.placed if p.board.desert}
        for at, h in self.at.items():
            cell = layout.cells[at]
            if not cell.desert and cell.boards & sandy:
                words = {layout.cells[b].terrain for b in layout.accessible(at)}
                if "wadi" in cell.forms or words & {"hammada", "sand", "sand_scrub"}:
                    self.desert |= 1 << h

    def _hexsides(self, layout: Layout) -> None:
        words = (*SIDE_KINDS, "cactus")
        sides = {kind: [0] * 6 for kind in words}
        owned = {kind: [0] * 6 for kind in words}
        for (a, b, kind), owners in layout.sides.items():
            d = STEPS.index((b[0] - a[0], b[1] - a[1]))
            for at, way in ((a, d), (b, (d + 3) % 6)):
                sides[kind][way] |= 1 << self.at[at]
                if at in owners:
                    owned[kind][way] |= 1 << self.at[at]
        self.sides = {kind: tuple(masks) for kind, masks in sides.items()}
        self.owned = {kind: tuple(masks) for kind, masks in owned.items()}
        self.tracks, self.roads = self._ways(layout.tracks), self._ways(layout.roads)

    def _ways(self, pairs: set[tuple[At, At]]) -> Sides:
        masks = [0] * 6
        for a, b in pairs:
            d = STEPS.index((b[0] - a[0], b[1] - a[1]))
            masks[d] |= 1 << self.at[a]
            masks[(d + 3) % 6] |= 1 << self.at[b]
        return tuple(masks)

    def _edges(self) -> dict[str, Mask]:
        """The hexes along the edges: nothing lies beyond them in that direction."""
        grid = self.grid

        def open_to(*directions: int) -> Mask:
            found = grid.all
            for d in directions:
                found &= ~grid.step(grid.all, (d + 3) % 6)
            return found

        return {"N": open_to(N), "S": open_to(S), "E": open_to(NE, SE), "W": open_to(SW, NW)}

    # ------------------------------------------------------------------------------- questions

    def hex(self, name: str) -> Hex:
        """The hex of a name; a ValueError names the nearest ones."""
        return self.grid.index_of(name)

    def name(self, h: Hex) -> str:
        return self.grid.names[h]

    def kind(self, h: Hex) -> TerrainKind:
        """The row of the terrain chart for a hex."""
        return self.kinds[self.terrain[h]]

    def has(self, form: str, h: Hex) -> bool:
        """Is the hex part of such a landform?"""
        return bool(self.form[form] >> h & 1)

    def side(self, kind: str, h: Hex, d: int) -> bool:
        """Does the hexside in this direction have the feature?"""
        return bool(self.sides[kind][d] >> h & 1)

    def owns(self, kind: str, h: Hex, d: int) -> bool:
        """Does the feature of this hexside stand on this hex?"""
        return bool(self.owned[kind][d] >> h & 1)

    @property
    def plateau(self) -> Mask:
        """F12.51 with overlay E1: the hexes whose base (or Crest) level is 4 or more."""
        if ESCARPMENT not in self.overlays:
            return 0
        return sum(1 << h for h in self.grid.hexes if self.base[h] >= PLATEAU)

    def bridged(self, laid: Mapping[Hex, int]) -> Battlefield:
        """The same ground with fascines: hex -> the wadi cliffs (as bits by direction) that are ordinary sides now."""
        found = copy(self)
        cliffs, owned, bridges = ([*masks] for masks in (self.sides["wadi_cliff"], self.owned["wadi_cliff"], (0,) * 6))
        for h, ways in laid.items():
            for d in range(6):
                n = self.grid.neighbour(h, d)
                for x, way in ((h, d), (n, (d + 3) % 6)) if ways >> d & 1 and n >= 0 else ():
                    cliffs[way] &= ~(1 << x)
                    owned[way] &= ~(1 << x)
                    bridges[way] |= 1 << x
        found.sides = {**self.sides, "wadi_cliff": tuple(cliffs), FASCINE: tuple(bridges)}
        found.owned = {**self.owned, "wadi_cliff": tuple(owned)}
        return found

    def accessible(self, h: Hex) -> Mask:
        """The hexes beside this one that Infantry could advance into (TN1): not across a cliff."""
        found = 0
        for d, n in self.grid.neighbours[h]:
            if not (self.sides["cliff"][d] | self.sides["wadi_cliff"][d]) >> h & 1:
                found |= 1 << n
        return found

    def accessible_to(self, hexes: Mask) -> Mask:
        """The hexes from which at least one of these is Accessible."""
        grid, found = self.grid, 0
        for d in range(6):
            barred = self.sides["cliff"][d] | self.sides["wadi_cliff"][d]
            found |= grid.step(hexes, (d + 3) % 6) & ~barred
        return found

    def wall_height(self, kind: str, h: Hex, d: int) -> int:
        """The level of the top of a wall, hedge or dune crest, which stands on the higher of its hexes (F10.3a)."""
        n = self.grid.neighbour(h, d)
        levels: tuple[int, ...] = (self.level[h], self.level[n]) if n >= 0 else (self.level[h],)
        if kind == "dune_crest":  # F7.512a on the dune hex
            levels = tuple(self.level[x] for x, way in ((h, d), (n, (d + 3) % 6)) if self.owns(kind, x, way)) or levels
        return max(levels) + self.side_kinds[kind].obstacle

    def hillside(self, kind: str, h: Hex, d: int) -> bool:
        """F10.1a Is the wall or hedge on this hexside a hillside one: do its hexes differ in base level?"""
        n = self.grid.neighbour(h, d)
        return n >= 0 and self.side(kind, h, d) and abs(self.base[h] - self.base[n]) >= LEVEL

    def fingerprint(self) -> str:
        """A name for all that lines of sight depend on, for tables that are kept."""
        digest = sha256()
        for h in sorted(self.grid.hexes):
            facts = (self.grid.names[h], self.level[h], self.base[h], self.terrain[h], self.mass[h])
            digest.update(repr(facts).encode())
        for name in sorted(self.form):
            digest.update(f"{name}{self.form[name]:x}".encode())
        for name in sorted(self.sides):
            digest.update(f"{name}{self.sides[name]}{self.owned[name]}".encode())
        digest.update(f"{self.inherent:x}".encode())
        digest.update(repr(sorted(self.kinds.items())).encode())
        for one in self.placed:
            if one.board.pixels is not None:
                digest.update(one.board.pixels.read_bytes())
        return digest.hexdigest()[:32]

    def hexes(self, m: Mask) -> list[str]:
        """The names of a set of hexes, for messages and tests."""
        return [self.grid.names[h] for h in hexes_of(m)]


def battlefield(map_: Mapping[str, Any], pack: AslPack | None = None) -> Battlefield:
    """The battlefield of a scenario's `[map]` table; made once for each pack and map."""
    pack = pack or asl_pack()
    key = repr(sorted(map_.items()))
    found = pack.laid.get(key)
    if found is None:
        layout = lay_out(pack, map_)
        apply_alternates(layout, map_)
        found = pack.laid[key] = Battlefield(pack, layout)
    assert isinstance(found, Battlefield)
    return found


def scenario_battlefield(scenario: str, pack: AslPack | None = None) -> Battlefield:
    """The battlefield of one of the pack's scenarios."""
    pack = pack or asl_pack()
    return battlefield(pack.scenarios[scenario]["map"], pack)
