"""What comes and goes laid over the table of the ground: for each spot the set of hexes that it sees at one moment.

A line that the ground leaves free is blocked by what lies on the map only where the Hindrances add up to six (B.10).
For all hexes at once the most that they could add up to is counted, in sums whose digits are sets of hexes: the hexes
behind a screen are its shadow. Only the few lines that could come to six are looked at one by one. Night and heavy dust
end sight at a range; within it each line is looked at.
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.games.asl.boards.locations import CENTRE, Spot
from sandtable.games.asl.los.answer import Los
from sandtable.games.asl.los.arcs import shadow
from sandtable.games.asl.los.screens import Screens, screened
from sandtable.games.asl.los.sight import MOST_HINDRANCE
from sandtable.games.asl.los.tables import SightTable, as_spot, posture
from sandtable.games.asl.los.visibility import Air, dust_range, in_darkness, in_dust

CLEAR_AIR = Air()
FEW = 12
"""So many lines are looked at one by one rather than all that leave a hex."""


class Veils:
    """The lines of sight of one moment. Nothing of it changes but what it remembers."""

    def __init__(self, table: SightTable, screens: Screens, air: Air = CLEAR_AIR) -> None:
        self.table = table
        self.screens = screens
        self.air = air
        self.short = bool(air.night) or bool(dust_range(air.dust, 1))
        """Whether the air itself ends sight."""
        self._seen: dict[tuple[Spot, int], Mask] = {}
        self._looks: dict[tuple[Spot, Spot], Los] = {}
        tall = {h: sum(one.drm for one in here if one.height > 1) for h, here in screens.at.items()}
        self._weights = {h: sum(one.drm for one in here) for h, here in screens.at.items()}
        self._inside = {h: drm + 1 for h, drm in tall.items() if drm}
        """A24.21 What screens add to a line that ends in their hex, at most: one more for fire out of it."""

    def look(self, a: Spot, b: Spot) -> Los:
        """The whole answer, with rules and places."""
        found = self._looks.get((a, b))
        if found is None:
            found = self._looks[a, b] = self._look(a, b)
        return found

    def _look(self, a: Spot, b: Spot) -> Los:
        los = self.table.look(a, b)
        if self.screens.mask and los.block is None:
            los = screened(self.table.lines, a, b, self.screens, los)
        if self.short:
            los = in_darkness(in_dust(los, self.air, b.hex), self.air, b.hex)
        return los

    def sees(self, a: Spot, b: Spot) -> bool:
        """Is there a line of sight?"""
        if a.vertex >= 0 or b.vertex >= 0:
            return self.look(a, b).clear
        how = posture(b)
        seen = self._seen.get((a, how))
        if seen is not None:
            return bool(seen >> b.hex & 1)
        if not self.table.sees(a, b):
            return False
        if not self.screens.mask and not self.short:
            return True
        lines = self.table.lines
        on_line = (lines.met(lines.way(a, b), a.hex) | 1 << a.hex | 1 << b.hex) & self.screens.mask
        return (not self.short and self._few(a, b, on_line)) or self.look(a, b).clear

    def _few(self, a: Spot, b: Spot, on_line: Mask) -> bool:
        """Whether Hindrances cannot come to six, with the screens in these hexes on the line."""
        if not on_line:
            return True
        most = sum(self._weights[h] for h in hexes_of(on_line)) + (a.hex in self._inside) + (b.hex in self._inside)
        return most <= MOST_HINDRANCE and most + self.table.look(a, b).hindrance <= MOST_HINDRANCE

    def among(self, a: Spot, how: int, hexes: Mask) -> Mask:
        """Those of these hexes in which a unit of this posture is seen from here; a few are looked at one by one."""
        seen = self._seen.get((a, how))
        if seen is not None:
            return seen & hexes
        if hexes.bit_count() > FEW:
            return self.seen(a, how) & hexes
        return sum(1 << h for h in hexes_of(hexes) if self.sees(a, as_spot(h, how)))

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
        doubtful = self._within(a.hex) & seen if self.short else self._six(a, how) & seen if self.screens.mask else 0
        seen &= self._within(a.hex) if self.short else -1
        for h in hexes_of(doubtful):
            if not self._look(a, as_spot(h, how)).clear:
                seen ^= 1 << h
        return seen

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


def _add(digits: list[Mask], where: Mask, number: int) -> None:
    """Add a number up to six in these hexes: digits of one, two and four, and what is eight or more."""
    for place in range(3):
        carried = where if number >> place & 1 else 0
        for digit in range(place, 3):
            if not carried:
                break
            digits[digit], carried = digits[digit] ^ carried, digits[digit] & carried
        digits[3] |= carried
