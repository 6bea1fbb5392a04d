"""Who sees whom: the rules of chapter A6, B10.2, and of every terrain of Chapter F, over one battlefield.

`Sightlines.look` answers with a `Los`, `Sightlines.sees` with yes or no; both are the same from either end (A6.5).
What comes and goes (vehicles, SMOKE, dust) is laid over the answer in `screens`; `tables` keeps the answers.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask, touching
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.locations import Place, Spot, elevation
from sandtable.games.asl.boards.terrain import LEVEL, TerrainKind
from sandtable.games.asl.los import hillocks
from sandtable.games.asl.los.answer import (
    ALONG_WADI,
    BLIND,
    CREST_BLIND,
    CREST_LINE,
    DEIR,
    ENTRENCHED_WALL,
    IN_THE_WAY,
    IN_WADI,
    OBSTACLES,
    OTHER,
    SIX,
    Block,
    Hindrance,
    Los,
    counted,
)
from sandtable.games.asl.los.art import Art, Tracer
from sandtable.games.asl.los.geometry import ALONG, THROUGH, path

MOST_HINDRANCE = 5
"""B.10 Hindrances of six or more block."""

WALLS = ("wall", "hedge", "dune_crest")


class Way(NamedTuple):
    """A path on this battlefield's bits, from the hex of its first end."""

    steps: tuple[tuple[int, int, int, int, int, tuple[int, ...], tuple[int, ...], float, float], ...]
    """(offset, how, range from a, range from b, offset of the twin or 0, entry, exit, begin, end)."""
    sides: tuple[tuple[int, int, int, float, float], ...]
    """(offset, direction below 3, how, begin, end)."""
    low: int
    bits: Mask
    """The hexes of the steps, shifted by `low`."""
    range: int
    leave: tuple[int, ...]
    enter: tuple[int, ...]


class Equal(NamedTuple):
    """A wall, hedge or dune crest, or what is like rubble, just as high as the higher end of a line."""

    begin: float
    """Where on the line it is met, from the higher end."""
    end: float
    beside: bool
    """Whether the lower end lies right behind it."""
    block: Block


class Sightlines:
    """All lines of sight on one battlefield."""

    def __init__(self, field: Battlefield, month: int = 6, former: bool = False) -> None:
        self.field = field
        self.month = month
        self.former = former
        """Whether they are read as before version 4: see AMB-140, AMB-141, and walls that meet in one hex."""
        grid = field.grid
        self.stride = grid.stride
        self.shift = grid.shift
        self.ways: dict[tuple[int, int, int, int], Way] = {}
        levels = [field.base[h] for h in grid.hexes]
        self.plain = max(set(levels), key=levels.count)
        self.art = Art(field) if any(one.board.pixels for one in field.placed) else None
        drawn = self.art.mixed if self.art is not None else 0
        grown = walled = 0
        for word, m in field.ground.items():
            kind = field.kinds[word]
            if kind.obstacle or kind.obstacle_from_above or kind.hindrance:
                grown |= m
        for word in WALLS:
            walled |= touching(field.sides[word])
        self.grown: Mask = grown | drawn
        """Hexes with terrain that blocks or hinders."""
        self.walled: Mask = walled
        """Hexes beside a wall, a hedge or a dune crest."""
        self.above = {
            level: drawn | sum(1 << h for h in grid.hexes if field.base[h] > level)
            for level in range(min(levels) - LEVEL - 1, max(levels) + 1)
        }
        """Level -> the hexes of higher ground; above the highest there is none."""
        busy = field.form["hillock"] | self.grown | walled
        for h in grid.hexes:
            if field.base[h] != self.plain:
                busy |= 1 << h
        self.busy: Mask = busy
        """Hexes that can matter to a line between two units on the ground; where a line meets none, it is clear."""
        self.walls: tuple[Mask, ...] = tuple(
            field.sides["wall"][d] | field.sides["hedge"][d] | field.sides["dune_crest"][d] for d in range(6)
        )

    # ------------------------------------------------------------------------------- answers

    def look(self, a: Spot, b: Spot) -> Los:
        """The line of sight from a viewer to a target, with whatever hinders or blocks it."""
        block, found = self.judge(a, b)
        span = self.field.grid.distance(a.hex, b.hex)
        return Los(span, block, () if block is not None else tuple(counted(found)))

    def sees(self, a: Spot, b: Spot) -> bool:
        """Is there a line of sight?"""
        return self.judge(a, b)[0] is None

    def way(self, a: Spot, b: Spot) -> Way:
        """The path between two spots, in this battlefield's bits."""
        (ac, ay), (bc, by) = self.field.place[a.hex], self.field.place[b.hex]
        key = (bc - ac, by - ay, a.vertex, b.vertex)
        found = self.ways.get(key)
        if found is None:
            found = self.ways[key] = self._compile(*key)
        return found

    def _compile(self, dc: int, dy: int, first: int, second: int) -> Way:
        plain = path(dc, dy, first, second)

        def offset(c: int, y: int) -> int:
            return c * self.stride + (y - c) // 2

        steps = tuple(
            (offset(*s.at), s.how, s.near, s.far, offset(*s.twin) if s.twin else 0, s.enter, s.leave, s.begin, s.end)
            for s in plain.steps
        )
        low = min((s[0] for s in steps), default=0)
        bits = 0
        for s in steps:
            bits |= 1 << (s[0] - low)
        sides = tuple((offset(*c.at), c.d, c.how, c.begin, c.end) for c in plain.crossings)
        return Way(steps, sides, low, bits, plain.range, plain.leave, plain.enter)

    def on_map(self, h: Hex) -> bool:
        return h >= 0 and bool(self.field.grid.all >> h & 1)

    def met(self, way: Way, a: Hex) -> Mask:
        """The hexes between the ends of a way that starts here."""
        at = a + way.low
        return (way.bits << at if at >= 0 else way.bits >> -at) & self.field.grid.all

    # ------------------------------------------------------------------------------- the rules

    def judge(self, a: Spot, b: Spot) -> tuple[Block | None, list[Hindrance]]:
        """What blocks the line, and every Hindrance on it (at equal range the larger counts, see `counted`)."""
        field = self.field
        if a.hex == b.hex:
            return None, []  # A6.1
        way = self.way(a, b)
        ea, eb = elevation(field, a), elevation(field, b)
        inside = False
        if a.place == Place.IN or b.place == Place.IN:
            block, inside = self._depression(way, a, b, ea, eb)
            if inside and self.art is not None:
                block = self._off_the_bed(way, a, b)
            if block is not None:
                return block, []
        if way.range == 1 and a.vertex < 0 and b.vertex < 0:
            return None, []  # A6.1
        met = self.met(way, a.hex)
        if not met & self.busy and ea >= self.plain and eb >= self.plain:
            return self._dug_in(way, a, b, ea, eb), []
        traced = self._trace(a, b, met)
        if not inside:
            block = self._levels(way, met, a, b, ea, eb, traced)
            if block is not None:
                return block, []
        block = self._dug_in(way, a, b, ea, eb) or self._walls(way, met, a, b, ea, eb)
        if block is not None:
            return block, []
        if met & field.form["hillock"] and not inside:
            rolling = met & field.form["hillock"]
            on_line = [(h, s[2], s[3]) for s in way.steps if (h := a.hex + s[0]) >= 0 and rolling >> h & 1]
            block = hillocks.blocked(field, hillocks.rises(field, on_line), a, b, ea, eb)
            if block is not None:
                return block, []
        found, block = self._terrain(way, met, a, b, ea, eb, inside, traced)
        return block, found

    def _trace(self, a: Spot, b: Spot, met: Mask) -> Tracer | None:
        """The line over hexes whose art is not all of one kind, if it meets any."""
        if self.art is None or not met & self.art.mixed:
            return None
        one, other = (a, b) if a < b else (b, a)
        return self.art.tracer(self.way(one, other).steps, one, other)

    def _off_the_bed(self, way: Way, a: Spot, b: Spot) -> Block | None:
        """A6.3b On a board with art the line must stay on the drawn bed of the wadi."""
        tracer = self._trace(a, b, self.met(way, a.hex))
        for step in way.steps if tracer is not None else ():
            h = a.hex + step[0]
            traced = tracer.at(h) if tracer is not None and self.mixed(h) else None
            if traced is not None and not traced.bed:
                return Block("A6.3b", ALONG_WADI, h)
        return None

    def mixed(self, h: Hex) -> bool:
        """Does the art of this hex have to be looked into?"""
        return self.art is not None and bool(self.art.mixed >> h & 1)

    def _depression(self, way: Way, a: Spot, b: Spot, ea: int, eb: int) -> tuple[Block | None, bool]:
        """A6.3 Into and along Depressions; also whether the line runs inside one."""
        field = self.field
        if a.place == b.place == Place.IN:
            wadi, sides = field.form["wadi"], field.sides["wadi"]
            for offset, d, *_ in way.sides:  # A6.3b, AMB-49
                h = a.hex + offset
                if h < 0 or not sides[d] >> h & 1:
                    return Block("A6.3b", ALONG_WADI, h if self.on_map(h) else a.hex, d), False
            for step in way.steps:
                h = a.hex + step[0]
                if h < 0 or not wadi >> h & 1:
                    return Block("A6.3b", ALONG_WADI, a.hex), False
            return None, True
        low, bottom, other = (a, ea, eb) if a.place == Place.IN else (b, eb, ea)
        if other - bottom < LEVEL * way.range:
            return Block("A6.3a", IN_WADI, low.hex), False
        return None, False

    def _levels(self, way: Way, met: Mask, a: Spot, b: Spot, ea: int, eb: int, traced: Tracer | None) -> Block | None:
        """B10.2 Hills: what is higher than both blocks, Crest Lines hide what lies close below (AMB-38)."""
        field, base = self.field, self.field.base
        high, low = (ea, eb) if ea >= eb else (eb, ea)
        if met & self.above.get(low, 0):
            for offset, how, near, far, twin, enter, leave, *_ in way.steps:
                h = a.hex + offset
                if h < 0 or not met >> h & 1 or how > ALONG:
                    continue
                level = base[h]
                if traced is not None and how == THROUGH and self.mixed(h):
                    level = self._drawn_level(traced, h, low, high)
                if level <= low:
                    continue
                if how == ALONG:
                    other = a.hex + twin
                    if other >= 0 and met >> other & 1 and base[other] < level:
                        level = base[other]
                        if level <= low:
                            continue
                if level > high:
                    return Block("B10.2", CREST_LINE, h)
                reach, toward = (near, leave) if ea >= eb else (far, enter)
                over, blind = toward, reach // 5
                if not self.former:
                    blind = max(0, blind - max(0, (high - level) // LEVEL - 1))  # AMB-140
                    over = toward[1:] if how == ALONG else toward  # a cliff that it follows is not crossed
                if not blind and any(field.sides["cliff"][d] >> h & 1 for d in over):
                    blind = 1  # B11: never less than one hex below a cliff
                if way.range - reach <= blind:
                    return Block("B10.2", CREST_BLIND, h)
        return None

    def _drawn_level(self, traced: Tracer, h: Hex, low: int, high: int) -> int:
        """The highest ground that a line crosses in a hex with art; it is looked at only where it matters."""
        assert self.art is not None
        if self.art.highest[h] <= low:
            return self.art.highest[h]
        if self.art.lowest[h] > high:
            return self.art.lowest[h]
        here = traced.at(h)
        return self.field.base[h] if here is None else here.level

    def _dug_in(self, way: Way, a: Spot, b: Spot, ea: int, eb: int) -> Block | None:
        """F4.4b, B9.21: units Entrenched or Emplaced inside a deir, or behind a wall or hedge."""
        for one, other, mine, theirs, first in ((a, b, ea, eb, True), (b, a, eb, ea, False)):
            if not one.dug_in:
                continue
            if way.range > 1 and theirs <= mine:
                wall = self._own_wall(one.hex, way.leave if first else way.enter)
                if wall >= 0:
                    return Block("B9.21", ENTRENCHED_WALL, one.hex, wall)
            if self.field.has("deir", one.hex) and not self.field.has("lip", one.hex):
                block = self._out_of_deir(way, a, one, other, mine, theirs, first)
                if block is not None:
                    return block
        return None

    def _own_wall(self, h: Hex, sides: tuple[int, ...]) -> int:
        """The wall or hedge of its own hex that a line crosses; dune crests do not count (F7.512b)."""
        for d in sides:
            if (self.field.sides["wall"][d] | self.field.sides["hedge"][d]) >> h & 1:
                return d
        return -1

    def _out_of_deir(
        self, way: Way, a: Spot, one: Spot, other: Spot, mine: int, theirs: int, first: bool
    ) -> Block | None:
        """F4.4b, AMB-03 Out past the lip it sees what is higher, and the hex that the lip hexside forms."""
        if theirs > mine:
            return None
        field, mass = self.field, self.field.mass[one.hex]
        hexes = []
        for step in way.steps:
            h, twin = a.hex + step[0], a.hex + step[4]
            # AMB-141 along the lip's own hexside it is not outside yet
            on_lip = not self.former and step[1] == ALONG and self.on_map(twin) and field.mass[twin] == mass
            if step[1] <= ALONG and not on_lip and self.on_map(h):
                hexes.append(h)
        if not first:
            hexes.reverse()
        outside = next((h for h in (*hexes, other.hex) if field.mass[h] != mass), None)
        if outside is None or (outside == other.hex and theirs == mine):
            return None
        for offset, d, *_ in way.sides:
            h = a.hex + offset
            if self.on_map(h) and field.side("lip", h, d) and mass in (field.mass[h], field.mass[h + self.shift[d]]):
                return Block("F4.4b", DEIR, outside)
        return None

    def _walls(self, way: Way, met: Mask, a: Spot, b: Spot, ea: int, eb: int) -> Block | None:
        """A6.21, F6.411, F6.412, F7.512, F10.2: walls, hedges, dune crests and what is like rubble."""
        field = self.field
        high = max(ea, eb)
        equal: list[Equal] = []  # those just as high as the higher end
        last: tuple[Hex, Hex, int] = (-1, -1, THROUGH)
        walled = (met | 1 << a.hex | 1 << b.hex) & self.walled
        for h, d, kind, how, begin, end in self._met_walls(way, a, b) if walled else ():
            top = field.wall_height(kind, h, d)
            if high > top:
                continue
            # F10.2a between levels; and along it, or past its end, below its base the line runs lower (EX-F10.2)
            beside = how == ALONG if self.former else how != THROUGH
            ignored = abs(ea - eb) >= LEVEL or (beside and high < top - 1)
            if ignored and kind != "dune_crest" and field.hillside(kind, h, d):
                continue
            block = Block("F7.512a" if kind == "dune_crest" else "A6.21", IN_THE_WAY[kind], h, d)
            if high < top:
                return block
            n, met_before = h + self.shift[d], last
            last = (h, n, how)
            if self.former and {how, met_before[2]} != {THROUGH} and {h, n} & {*met_before[:2]}:
                continue
            equal.append(Equal(*((begin, end) if ea >= eb else (1 - end, 1 - begin)), False, block))
        for offset, how, near, far, _, _, _, begin, end in way.steps if met & self.grown else ():
            h = a.hex + offset
            rubble = field.kinds[field.terrain[h]] if h >= 0 and met >> h & 1 else None
            if rubble is None or rubble.obstacle != 1 or (how != THROUGH and not field.inherent >> h & 1):
                continue
            top = field.level[h] + 1
            if high > top:
                continue  # F6.412a
            block = Block("A6.21", IN_THE_WAY.get(rubble.id, OTHER), h)
            if high < top:
                return block
            beside = (far if ea >= eb else near) == 1
            hedge = end if ea >= eb else 1 - begin  # F6.412b on the second hexside that the line crosses
            equal.append(Equal(hedge, hedge, beside, block))
        return self._past_equals(equal, a, b, ea, eb) if equal else None

    def _past_equals(self, equal: list[Equal], a: Spot, b: Spot, ea: int, eb: int) -> Block | None:
        """F6.411b, F6.412b From a hillock past what is just as high: the first, and to right behind the next."""
        field = self.field
        on = [one for one, height in ((a, ea), (b, eb)) if height == max(ea, eb) and field.has("hillock", one.hex)]
        equal.sort()
        if not on:
            return equal[0].block
        if ea == eb:  # from the one that is on a hillock the other is as high as itself
            return None
        number, reached = -1, -1.0
        for begin, end, beside, block in equal:
            number += begin > reached  # of several that meet on the line one counts
            reached = max(reached, end)
            if number > 1 or (number == 1 and not beside):
                return block._replace(rule="F6.411b" if block.side >= 0 else "F6.412b")
        return None

    def _met_walls(self, way: Way, a: Spot, b: Spot) -> list[tuple[Hex, int, str, int, float, float]]:
        """The walls, hedges and dune crests that a line meets and how, those of its own hexes left out, in order."""
        found: list[tuple[Hex, int, str, int, float, float]] = []
        for offset, d, how, begin, end in way.sides:
            h = a.hex + offset
            if h < 0 or not self.walls[d] >> h & 1:
                continue
            n = h + self.shift[d]
            if h not in (a.hex, b.hex) and n not in (a.hex, b.hex):
                kind = next(word for word in WALLS if self.field.sides[word][d] >> h & 1)
                found.append((h, d, kind, how, begin, end))
        return found

    def touched(self, h: Hex, how: int, traced: Tracer | None) -> tuple[tuple[TerrainKind, int], ...]:
        """The terrain, with the level it stands on, that a line touches in a hex (AMB-55, B.6)."""
        if traced is not None and self.art is not None and self.art.mixed >> h & 1:
            here = traced.at(h) if self.art.leafy >> h & 1 else None
            return here.terrain if here is not None else ()
        if how == THROUGH or self.field.inherent >> h & 1:
            return ((self.field.kinds[self.field.terrain[h]], self.field.level[h]),)
        return ()

    def _terrain(
        self, way: Way, met: Mask, a: Spot, b: Spot, ea: int, eb: int, inside: bool, traced: Tracer | None
    ) -> tuple[list[Hindrance], Block | None]:
        """A6.2, A6.4, A6.7, B14.2: obstacles of a level or more, blind hexes and Hindrances."""
        field = self.field
        found: list[Hindrance] = []
        if not met & self.grown:
            return found, None
        rolling = bool((met | 1 << a.hex | 1 << b.hex) & field.form["hillock"])
        for offset, how, near, far, *_ in way.steps:
            h = a.hex + offset
            if h < 0 or not met >> h & 1:
                continue
            for kind, ground in self.touched(h, how, traced):
                base = ground - LEVEL if inside else ground
                height = kind.obstacle if kind.obstacle > 1 else 0
                if kind.obstacle_from_above and max(ea, eb) >= base + kind.obstacle_from_above:
                    height = kind.obstacle_from_above
                if height:
                    block = over(h, kind, base, height, way.range, near, far, ea, eb)
                    if block is not None:
                        return found, block
                elif kind.hindrance and self._hinders(kind, h, base, a, b, ea, eb, rolling):
                    found.append(Hindrance(_rule(kind), kind.id, h, kind.hindrance, near))
        if len(found) > MOST_HINDRANCE:
            backwards = [one._replace(range=field.grid.distance(one.hex, b.hex)) for one in found]
            for list_ in (counted(found), counted(backwards)):
                if sum(one.drm for one in list_) > MOST_HINDRANCE:
                    return found, Block("B.10", SIX, list_[-1].hex)
        return found, None

    def _hinders(self, kind: TerrainKind, h: Hex, base: int, a: Spot, b: Spot, ea: int, eb: int, rolling: bool) -> bool:
        """Does terrain hinder this line?"""
        if kind.months and self.month not in kind.months and not self.field.inherent >> h & 1:
            return False
        if kind.hindrance_height > 1:  # B14.2 an orchard: between units of its level
            return base <= max(ea, eb) < base + kind.hindrance_height
        return half_level_hinders(self.field, h, base, a.hex, b.hex, ea, eb, rolling)


def half_level_hinders(field: Battlefield, h: Hex, base: int, a: Hex, b: Hex, ea: int, eb: int, rolling: bool) -> bool:
    """Does a half-level Hindrance on ground of this level hinder? `rolling`: the line involves a hillock hex."""
    if field.form["deir"] >> h & 1:  # F4.51b
        return ea == eb and field.mass[h] in (field.mass[a], field.mass[b])
    if rolling:  # F6.52b, AMB-34
        return abs(ea - eb) <= 1 and min(ea, eb) <= base
    return ea == eb == base


def over(
    h: Hex, kind: TerrainKind, base: int, height: int, span: int, near: int, far: int, ea: int, eb: int
) -> Block | None:
    """A6.2, A6.4 Whether an obstacle of a level or more blocks a line that crosses it."""
    top = base + height
    high, low = (ea, eb) if ea >= eb else (eb, ea)
    if high <= top:
        return Block("B14.2" if kind.obstacle_from_above else "A6.2", OBSTACLES.get(kind.id, OTHER), h)
    if low >= top:
        return None
    reach = near if ea >= eb else far
    blind = blind_hexes(height, reach, high - top)
    return Block("A6.4", BLIND, h) if span - reach <= blind else None


def blind_hexes(height: int, reach: int, above: int) -> int:
    """A6.4 Blind hexes behind an obstacle so high (half levels) at such a range from the higher unit, so far above."""
    return max(1, height // LEVEL + reach // 5 - max(0, above - LEVEL) // LEVEL)


def _rule(kind: TerrainKind) -> str:
    return {"orchard": "B14.2", "olive_grove": "F13.5a", "brush": "B12.2", "vineyard": "B12.2"}.get(kind.id, "A6.7")
