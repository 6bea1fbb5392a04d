"""What comes and goes laid over the table of the ground: for each spot the set of hexes that it sees at one moment.

A line that the ground leaves free is blocked by what lies on the map only where the Hindrances add up to six (B.10).
For all hexes at once the most that they could add up to is counted, in sums whose digits are sets of hexes: the hexes
behind a screen are its shadow. Only the few lines that could come to six are looked at one by one. Night and heavy dust
end sight at a range; within it each line is looked at.

What a line crosses never changes, and what it meets there seldom does: `Ways` keeps both for all moments of a
battlefield.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import count
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.games.asl.boards.locations import CENTRE, Spot, elevation
from sandtable.games.asl.los.answer import Los
from sandtable.games.asl.los.arcs import between, shadow
from sandtable.games.asl.los.geometry import THROUGH
from sandtable.games.asl.los.screens import END_OF_LINE, Screen, Screens, screened, weighed
from sandtable.games.asl.los.sight import MOST_HINDRANCE
from sandtable.games.asl.los.tables import DUG_IN, GROUND, SightTable, as_spot, posture
from sandtable.games.asl.los.visibility import Air, dust_range, in_darkness, in_dust
from sandtable.mechanics.memory import Memory

CLEAR_AIR = Air()
FEW = 12
"""So many lines are looked at one by one rather than all that leave a hex."""
BLOCKED = -1
NEAR, FAR = 1, 2
"""The places of both ranges in a span."""
NOTHING = (0, 0)
HEX, END = 3, 16
"""The bits of a posture below a hex, and those of one end of a line."""


Stance = int | Spot
"""How a unit is in its hex, as the tables of sight know it; one in Bypass is at a spot of its own."""
Stances = tuple[tuple[Stance, Mask], ...]
"""For each of these the hexes in which some units are so."""


class Pile(NamedTuple):
    """What the screens of one hex add to a line."""

    number: int
    weight: int
    tall: int
    """The part of those higher than half a level, which count in the target's hex too."""
    plain: bool
    """Whether they are nothing but vehicles on the ground."""


class Run(NamedTuple):
    """What a line meets between the centres of two hexes, from the first of them."""

    low: int
    through: Mask
    """The hexes that it runs through, not along a side, shifted by `low`."""
    spans: dict[int, tuple[int, int, int]]
    """Offset of a hex, the ends among them -> how it is met, and the ranges from both ends."""


class Ways:
    """What every line of a battlefield crosses, and the answers for what has lain on it."""

    def __init__(self, table: SightTable) -> None:
        self.table = table
        self._lines: Memory[int, tuple[Mask, int]] = Memory(1 << 18)
        self._heights: dict[Spot, int] = {}
        self._runs: dict[tuple[int, int], Run] = {}
        self._looks: Memory[tuple[Spot, Spot, tuple[int, ...]], Los] = Memory(1 << 16)
        self._piles: Memory[tuple[Screen, ...], Pile] = Memory(1 << 14)
        self._numbers = count()
        self._levels: dict[int, Mask] = {}
        self._masses: dict[int, Mask] = {}
        for h in table.field.grid.hexes:
            for known, of in ((self._levels, table.field.level), (self._masses, table.field.mass)):
                known[of[h]] = known.get(of[h], 0) | 1 << h
        self.last: Memory[tuple[Spot, int], tuple[dict[Hex, int], Mask]] = Memory(1 << 13)
        """What was seen from a spot when it was last asked for in clear air, and the piles that lay on the map."""

    def line(self, key: int) -> tuple[Mask, int]:
        """The hexes that a line meets, its ends among them, and its Hindrances from the first end; or BLOCKED. The key
        holds both ends: hexes and postures."""
        found = self._lines.get(key)
        if found is None:
            a, b = key >> END, key & (1 << END) - 1
            one, other = as_spot(a >> HEX, a & 7), as_spot(b >> HEX, b & 7)
            met = between(self.table.field, one.hex, other.hex) | 1 << one.hex | 1 << other.hex
            found = self._lines.keep(key, (met, self._hindrance(one, other, a & 7, b & 7)))
        return found

    def _hindrance(self, a: Spot, b: Spot, mine: int, theirs: int) -> int:
        if mine > DUG_IN or theirs > DUG_IN:
            los = self.table.look(a, b)
            return BLOCKED if los.block is not None else los.hindrance
        value = self.table.row(a.hex, GROUND, GROUND).hindrance[b.hex]  # nobody sees more for being dug in
        return value - 1 if value and (not mine | theirs or self.table.lines.sees(a, b)) else BLOCKED

    def run(self, a: Hex, b: Hex) -> Run:
        """What is counted along the line from the centre of a hex to that of another."""
        (ac, ay), (bc, by) = self.table.field.place[a], self.table.field.place[b]
        key = (bc - ac, by - ay)
        found = self._runs.get(key)
        if found is None:
            way, through = self.table.lines.way(Spot(a), Spot(b)), 0
            for offset, how, *_ in way.steps:
                through |= (how == THROUGH) << (offset - way.low)
            spans = {offset: (how, near, far) for offset, how, near, far, *_ in way.steps}
            spans |= {0: (END_OF_LINE, 0, way.range), b - a: (END_OF_LINE, way.range, 0)}
            found = self._runs[key] = Run(way.low, through, spans)
        return found

    def height(self, spot: Spot) -> int:
        """The elevation of a spot."""
        found = self._heights.get(spot)
        if found is None:
            found = self._heights[spot] = elevation(self.table.field, spot)
        return found

    def hindering(self, a: Spot, b: Spot, met: Mask) -> Mask:
        """Of the hexes that a line runs through, those in which a vehicle on the ground hinders it if it is seen: as
        `half_level_hinders` says of one."""
        field, deir = self.table.field, self.table.field.form["deir"]
        ea, eb = self.height(a), self.height(b)
        found = 0
        if met & deir and ea == eb:
            found = deir & (self._masses[field.mass[a.hex]] | self._masses[field.mass[b.hex]])
        if (met | 1 << a.hex | 1 << b.hex) & field.form["hillock"]:
            if abs(ea - eb) <= 1:
                low = min(ea, eb)
                found |= sum([hexes for level, hexes in self._levels.items() if level >= low]) & ~deir
        elif ea == eb:
            found |= self._levels.get(ea, 0) & ~deir
        return found & met

    def seen(self, a: Spot, vehicles: Mask) -> Mask:
        """F4.51c, D9.4 those of some hexes in which a vehicle on the ground is seen from here."""
        if not posture(a):
            return vehicles & self.table.row(a.hex, GROUND, GROUND).seen
        return sum([1 << h for h in hexes_of(vehicles) if self.table.sees(a, Spot(h))])

    def pile(self, here: tuple[Screen, ...]) -> Pile:
        """What lies in one hex, with a number that no other pile ever has."""
        found = self._piles.get(here)
        if found is None:
            level = self.table.field.level[here[0].hex]
            found = Pile(
                next(self._numbers),
                sum(one.drm for one in here),
                sum(one.drm for one in here if one.height > 1),
                all(one.height == 1 and one.base == level and one.group < 0 for one in here),
            )
            self._piles.keep(here, found)
        return found

    def look(self, a: Spot, b: Spot, screens: Screens, piles: tuple[int, ...]) -> Los:
        """The line with what lies on it, which is all that of the screens matters: the piles on it are the key."""
        key = (a, b, piles)
        found = self._looks.get(key)
        if found is None:
            table = self.table
            found = self._looks.keep(key, screened(table.lines, a, b, screens, self.plain(a, b), table.sees))
        return found

    def plain(self, a: Spot, b: Spot) -> Los:
        """What the ground alone says of a line; that nothing hinders it is known without a look at what it meets."""
        if a.vertex < 0 and b.vertex < 0 and self.line(_ENDS[a] << END | _ENDS[b])[1] == 0:
            return Los(self.table.field.grid.distance(a.hex, b.hex), None, ())
        return self.table.look(a, b)


_WAYS: WeakKeyDictionary[SightTable, Ways] = WeakKeyDictionary()


def ways_of(table: SightTable) -> Ways:
    """Those of a table, the same for all its moments."""
    found = _WAYS.get(table)
    if found is None:
        found = _WAYS[table] = Ways(table)
    return found


class Veils:
    """The lines of sight of one moment. Nothing of it changes but what it remembers."""

    def __init__(self, table: SightTable, screens: Screens, air: Air = CLEAR_AIR) -> None:
        self.table = table
        self.screens = screens
        self.air = air
        self.short = bool(air.night) or bool(dust_range(air.dust, 1))
        """Whether the air itself ends sight."""
        self._ways = ways_of(table)
        self._seen: dict[tuple[Spot, int], Mask] = {}
        self._looks: dict[tuple[Spot, Spot], Los] = {}
        self._open: dict[int, bool] = {}
        self._asked: dict[int, tuple[Mask, Mask]] = {}
        """For an end and a posture the hexes that have been asked about, and those of them that are seen."""
        self._views: dict[tuple[Spot, Stances, Mask], Mask] = {}
        self._told: dict[Hashable, dict[Any, Any]] = {}
        self._piles: dict[Hex, int] = {}
        self._weights: dict[Hex, int] = {}
        self._inside: dict[Hex, int] = {}
        """A24.21 What screens add to a line that ends in their hex, at most: one more for fire out of it."""
        heavy = odd = 0
        for h, here in screens.at.items():
            number, weight, tall, plain = self._ways.pile(tuple(here))
            self._piles[h], self._weights[h] = number, weight
            if tall:
                self._inside[h] = tall + 1
            if tall or weight > 1:
                heavy |= 1 << h
            if not plain:
                odd |= 1 << h
        self._heavy: Mask = heavy
        """Where the screens add more than one."""
        self._odd: Mask = odd
        """Where there is more than vehicles on the ground."""

    def look(self, a: Spot, b: Spot) -> Los:
        """The whole answer, with rules and places."""
        found = self._looks.get((a, b))
        if found is None:
            found = self._looks[a, b] = self._look(a, b)
        return found

    def _look(self, a: Spot, b: Spot) -> Los:
        los = self._ways.plain(a, b)
        if self.screens.mask and los.block is None:
            on_line = self._crossed(a, b) & self.screens.mask
            if on_line:
                los = self._ways.look(a, b, self.screens, tuple([self._piles[h] for h in hexes_of(on_line)]))
        if self.short:
            los = in_darkness(in_dust(los, self.air, b.hex), self.air, b.hex)
        return los

    def _crossed(self, a: Spot, b: Spot) -> Mask:
        """The hexes of a line, its ends among them."""
        if a.vertex < 0 and b.vertex < 0:
            return self._ways.line(_ENDS[a] << END | _ENDS[b])[0]
        lines = self.table.lines
        return (lines.met(lines.way(a, b), a.hex) if a.hex != b.hex else 0) | 1 << a.hex | 1 << b.hex

    def sees(self, a: Spot, b: Spot) -> bool:
        """Is there a line of sight?"""
        if a.vertex >= 0 or b.vertex >= 0:
            return self.look(a, b).clear
        return self._free(_ENDS[a], _ENDS[b])

    def _free(self, a: int, b: int) -> bool:
        """Whether a line is free; both ends as hex and posture."""
        key = a << END | b
        found = self._open.get(key)
        if found is None:
            met, drm = self._ways.line(key)
            if drm < 0:
                return False
            if not self.short:
                on_line = met & self.screens.mask
                if not on_line or drm + self._most(on_line, a >> HEX, b >> HEX) <= MOST_HINDRANCE:
                    return True
            one, other = as_spot(a >> HEX, a & 7), as_spot(b >> HEX, b & 7)
            if self.short or one.hex == other.hex:
                found = self._look(one, other).clear
            else:
                found = not self._shut(one, other, met)
            self._open[key] = found
        return found

    def _shut(self, a: Spot, b: Spot, met: Mask) -> bool:
        """Whether what lies on a line blocks it that the ground leaves free, by the hexes that it meets: as `screened`
        says, from both ends in one pass and without a list of what is in the way. Vehicles on the ground are counted as
        sets of hexes."""
        ways, weights = self._ways, self._weights
        lines, run = ways.table.lines, ways.run(a.hex, b.hex)
        on_line, place = met & self.screens.mask, a.hex + run.low
        through = run.through << place if place >= 0 else run.through >> -place
        there = back = ways.hindering(a, b, met) & through & on_line & ~self._odd
        if there and not lines.former:
            there, back = ways.seen(a, there), ways.seen(b, back)
        mine = {h: weights[h] for h in hexes_of(there)}
        theirs = {h: weights[h] for h in hexes_of(back)} if there != back or on_line & self._odd else mine.copy()
        for h in hexes_of(on_line & self._odd):
            line = a, b, ways.height(a), ways.height(b), met
            drms = weighed(lines, line, self.screens.at[h], run.spans[h - a.hex], ways.table.sees)
            if drms is None:
                return not self._look(a, b).clear
            if drms[0]:
                mine[h] = drms[0]
            if drms[1]:
                theirs[h] = drms[1]
        for one in ways.plain(a, b).hindrances:
            mine[one.hex] = mine.get(one.hex, 0) + one.drm
            theirs[one.hex] = theirs.get(one.hex, 0) + one.drm
        return _sum(mine, a.hex, run, NEAR) > MOST_HINDRANCE or _sum(theirs, a.hex, run, FAR) > MOST_HINDRANCE

    def _most(self, on_line: Mask, a: Hex, b: Hex) -> int:
        """What the screens in these hexes add up to on a line at the most."""
        if not on_line & self._heavy:
            return on_line.bit_count()
        return sum([self._weights[h] for h in hexes_of(on_line)]) + (a in self._inside) + (b in self._inside)

    def told(self, about: Hashable) -> dict[Any, Any]:
        """What others have worked out that depends on these lines, on what it is about, and on its key."""
        found = self._told.get(about)
        if found is None:
            found = self._told[about] = {}
        return found

    def view(self, a: Spot, there: Stances, wanted: Mask) -> Mask:
        """Of the hexes wanted those in which any of those is seen from here who stand so."""
        key = (a, there, wanted)
        found = self._views.get(key)
        if found is None:
            found = 0
            for how, hexes in there:
                left = hexes & wanted & ~found
                if left:
                    found |= self.among(a, how, left) if not isinstance(how, Spot) else left if self.sees(a, how) else 0
            self._views[key] = found
        return found

    def among(self, a: Spot, how: int, hexes: Mask) -> Mask:
        """Those of these hexes in which a unit of this posture is seen from here; a few are looked at one by one."""
        seen = self._seen.get((a, how))
        if seen is not None:
            return seen & hexes
        if a.vertex >= 0:
            if hexes.bit_count() > FEW:
                return self.seen(a, how) & hexes
            return sum(1 << h for h in hexes_of(hexes) if self.look(a, as_spot(h, how)).clear)
        mine = _ENDS[a]
        key = mine << HEX | how
        asked, found = self._asked.get(key, NOTHING)
        new = hexes & ~asked
        if new:
            found |= self._among(mine, how, new)
            self._asked[key] = (asked | new, found)
        return found & hexes

    def _among(self, mine: int, how: int, hexes: Mask) -> Mask:
        if mine & 7 <= DUG_IN and how <= DUG_IN:  # whoever digs in sees no more, and is not seen from more places
            hexes &= self.table.row(mine >> HEX, GROUND, GROUND).seen
            if not self.screens.mask and not self.short and not (mine & 7 or how):
                return hexes
        free, found = self._free, hexes
        for h in hexes_of(hexes):
            if not free(mine, h << HEX | how):
                found ^= 1 << h
        return found

    def seen(self, a: Spot, how: int = 0) -> Mask:
        """The hexes in which a unit of this posture is seen from here."""
        found = self._seen.get((a, how))
        if found is None:
            found = self._seen[a, how] = self._find(a, how)
        return found

    def _find(self, a: Spot, how: int) -> Mask:
        if a.vertex != CENTRE:
            return sum(1 << h for h in self.table.field.grid.hexes if self.look(a, as_spot(h, how)).clear)
        seen = self.table.seen_from(a, how)
        if self.short:
            seen &= self._within(a.hex)
            return seen ^ self._blocked(a, how, seen)
        piles, before = self._ways.last.get((a, how), ({}, seen))
        other = [h for h, _ in piles.items() ^ self._piles.items()]
        if a.hex in other or len(other) > FEW:
            seen ^= self._blocked(a, how, self._six(a, how) & seen)
        elif other:  # only lines that cross what has come or gone can be other than before
            again = 0
            for h in other:
                again |= shadow(self.table.field, a.hex, h)
            again &= seen
            seen = (before | again) ^ self._blocked(a, how, self._six(a, how) & again)
        else:
            seen = before
        self._ways.last.keep((a, how), (self._piles, seen))
        return seen

    def _blocked(self, a: Spot, how: int, doubtful: Mask) -> Mask:
        """Those of some hexes to which the line is not free."""
        mine, free = _ENDS[a], self._free
        return sum([1 << h for h in hexes_of(doubtful) if not free(mine, h << HEX | how)])

    def _within(self, h: Hex) -> Mask:
        """As far as the air lets anybody see; what is lit is seen from afar."""
        grid = self.table.field.grid
        far = max(
            (n for n in range(2 * MOST_HINDRANCE + 1) if dust_range(self.air.dust, n) <= MOST_HINDRANCE), default=0
        )
        found = grid.within(h, far) if dust_range(self.air.dust, 1) else grid.all
        return found & (grid.within(h, self.air.night) | self.air.lit) if self.air.night else found

    def _six(self, a: Spot, how: int) -> Mask:
        """The hexes to which Hindrances could come to six."""
        table = self.table
        digits = [*table.digits(a, how), 0]
        for h, weight in self._weights.items():
            if h != a.hex:
                _add(digits, shadow(table.field, a.hex, h), min(weight, MOST_HINDRANCE + 1))
        for h, weight in self._inside.items():
            where = table.field.grid.all if h == a.hex else 1 << h
            _add(digits, where, min(weight, MOST_HINDRANCE + 1))
        _, twos, fours, more = digits
        return more | fours & twos


class _Ends(Memory[Spot, int]):
    """Ends of lines at the centres of their hexes, as numbers."""

    __slots__ = ()

    def __missing__(self, spot: Spot) -> int:
        return self.keep(spot, spot.hex << HEX | posture(spot))


_ENDS = _Ends()


def _sum(drms: dict[Hex, int], a: Hex, run: Run, end: int) -> int:
    """A6.7 what the Hindrances of these hexes add up to from one end: at equal range only the larger counts."""
    total = sum(drms.values())
    if total <= MOST_HINDRANCE:
        return total
    most: dict[int, int] = {}
    for h, drm in drms.items():
        span = run.spans[h - a][end]
        if drm > most.get(span, 0):
            most[span] = drm
    return sum(most.values())


def _add(digits: list[Mask], where: Mask, number: int) -> None:
    """Add a number up to six in these hexes: digits of one, two and four, and what is eight or more."""
    for place in range(3):
        carried = where if number >> place & 1 else 0
        for digit in range(place, 3):
            if not carried:
                break
            digits[digit], carried = digits[digit] ^ carried, digits[digit] & carried
        digits[3] |= carried
