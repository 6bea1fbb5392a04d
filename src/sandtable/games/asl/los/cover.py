"""What the ground along a line of fire gives the target: lips, hillocks, dune crests, walls and height.

`covers` lists every protection that the target could claim by the way in which the line enters its hex; the fire
chapter picks the best (B.5) and asks for Wall Advantage. All of it is against Direct Fire only, save for walls.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask, opposite
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.locations import Spot, crest_front, elevation
from sandtable.games.asl.boards.terrain import LEVEL
from sandtable.games.asl.los import hillocks
from sandtable.games.asl.los.geometry import ALONG
from sandtable.games.asl.los.sight import Sightlines
from sandtable.mechanics.memory import remembered


class Cover(NamedTuple):
    """One protection of a target against fire along one line."""

    rule: str
    kind: str
    """"lip", "hillock", "dune_crest", "wall", "hedge" or "height"."""
    tem: int
    hull_down: bool
    """For a vehicle: is it HD instead?"""
    hex: Hex
    side: int
    """The hexside of `hex` that protects, -1 for height."""
    indirect: int = 0
    """The TEM against Indirect Fire."""
    wall_advantage: bool = False
    """B9.32 Does it depend on Wall Advantage?"""


def entry_sides(lines: Sightlines, firer: Spot, target: Spot) -> tuple[int, ...]:
    """The hexside by which a line of fire enters the target's hex, or both if it comes along a hexspine."""
    return lines.way(firer, target).enter if firer.hex != target.hex else ()


@remembered()
def front_of(lines: Sightlines, firer: Spot, cafp: int) -> Mask:
    """B20.9 the hexes at which a Crest unit fires through its front, its own hex among them."""
    front = crest_front(lines.field, firer.hex, cafp)
    hexes = lines.field.grid.hexes
    return sum([1 << h for h in hexes if all(d in front for d in entry_sides(lines, Spot(h), firer))])


def covers(lines: Sightlines, firer: Spot, target: Spot, followed: bool = False) -> list[Cover]:
    """Every hexside and height that could protect a target from this firer; `followed`: until version 6 also a lip that
    the line follows without ever leaving the deir."""
    if firer.hex == target.hex:
        return []
    field = lines.field
    mine, theirs = elevation(field, firer), elevation(field, target)
    found = [
        *_lips(lines, firer, target, mine, theirs, followed),
        *_hillocks(lines, firer, target, mine, theirs),
        *_dune_crests(field, lines, firer, target, mine, theirs),
        *_walls(field, lines, firer, target, theirs),
        *_rubble(lines, firer, target, mine, theirs),
    ]
    if theirs - mine >= LEVEL:
        # B10.31, F6.51a Height Advantage where nothing else protects; F6.51b never HD from a hillock
        hull_down = not field.has("hillock", target.hex)
        found.append(Cover("B10.31", "height", 1, hull_down, target.hex, -1))
    return found


def _lips(lines: Sightlines, firer: Spot, target: Spot, mine: int, theirs: int, followed: bool) -> list[Cover]:
    """F4.5a, F4.5b Across a lip of the target's deir, from its own elevation."""
    field = lines.field
    if mine != theirs or not field.has("deir", target.hex):
        return []
    mass = field.mass[target.hex]
    if field.mass[firer.hex] == mass and not followed and _stays_inside(lines, firer, target, mass):
        return []
    two_deirs = field.has("deir", firer.hex) and field.mass[firer.hex] != mass
    for offset, d, *_ in lines.way(firer, target).sides:
        h = firer.hex + offset
        if not lines.on_map(h) or not field.side("lip", h, d):
            continue
        n = field.grid.neighbour(h, d)
        for one, other, way in ((h, n, d), (n, h, opposite(d))):
            if field.owns("lip", one, way) and field.mass[one] == mass and field.mass[other] != mass:
                if firer.hex in (one, other) and not two_deirs:
                    continue
                return [Cover("F4.5b" if two_deirs else "F4.5a", "lip", 1, True, one, way)]
    return []


def _stays_inside(lines: Sightlines, firer: Spot, target: Spot, mass: int) -> bool:
    """Whether a line between two hexes of a deir crosses no lip: AMB-141 along one it is inside."""
    deir = lines.field.mass
    met = [
        (firer.hex + s[0], firer.hex + (s[4] if s[1] == ALONG else s[0]))
        for s in lines.way(firer, target).steps
        if s[1] <= ALONG
    ]
    return all(any(lines.on_map(h) and deir[h] == mass for h in hexes) for hexes in met)


def _hillocks(lines: Sightlines, firer: Spot, target: Spot, mine: int, theirs: int) -> list[Cover]:
    """F6.5a Across or along the hexside of a hillock half a level higher, unless the line passes OVER it (B.4)."""
    field = lines.field
    way = lines.way(firer, target)
    for d in way.enter:
        n = field.grid.neighbour(target.hex, d)
        if n < 0 or n == firer.hex or not field.has("hillock", n) or field.level[n] != theirs + 1:
            continue
        if mine > field.level[n] or (mine == field.level[n] and _over_first(lines, firer, target, n)):
            continue
        return [Cover("F6.5a", "hillock", 1, True, target.hex, d)]
    return []


def _over_first(lines: Sightlines, firer: Spot, target: Spot, n: Hex) -> bool:
    """F6.41a From a hillock the line passes OVER the firer's own and the next: is this hex part of one of them?"""
    field = lines.field
    way = lines.way(firer, target)
    on_line = [(firer.hex + s[0], s[2], s[3]) for s in way.steps if lines.on_map(firer.hex + s[0])]
    height = field.level[n]
    own = field.mass[firer.hex]
    order = sorted((r for r in hillocks.rises(field, on_line) if r.height == height), key=lambda r: r.from_a)
    others = [rise.mass for rise in order if rise.mass != own]
    return field.mass[n] == own or (bool(others) and others[0] == field.mass[n])


def _dune_crests(
    field: Battlefield, lines: Sightlines, firer: Spot, target: Spot, mine: int, theirs: int
) -> list[Cover]:
    """F7.513a Behind a dune crest of its hex, from a firer that is not higher (AMB-15)."""
    if mine > theirs:
        return []
    for d in lines.way(firer, target).enter:
        if field.side("dune_crest", target.hex, d):
            return [Cover("F7.513a", "dune_crest", 1, True, target.hex, d)]
    return []


def _rubble(lines: Sightlines, firer: Spot, target: Spot, mine: int, theirs: int) -> list[Cover]:
    """F6.412c from a hillock past what is like rubble and as high as the firer: right behind it, as behind a hedge."""
    field = lines.field
    if not field.has("hillock", firer.hex) or theirs >= mine:
        return []
    for d in lines.way(firer, target).enter:
        n = field.grid.neighbour(target.hex, d)
        if n >= 0 and n != firer.hex and field.kind(n).obstacle == 1 and field.level[n] + 1 == mine:
            row = field.side_kinds["hedge"]
            return [Cover("F6.412c", "hedge", row.tem_direct, row.hull_down, target.hex, d, row.tem_indirect)]
    return []


def _walls(field: Battlefield, lines: Sightlines, firer: Spot, target: Spot, theirs: int) -> list[Cover]:
    """B9.3 Across a wall or hedge of its hex; F10.3c a unit below a hillside wall gets nothing from it."""
    found = []
    for d in lines.way(firer, target).enter:
        for kind in ("wall", "hedge"):
            if not field.side(kind, target.hex, d):
                continue
            n = field.grid.neighbour(target.hex, d)
            if theirs < max(field.base[target.hex], field.base[n]):
                continue
            row = field.side_kinds[kind]
            found.append(
                Cover("B9.3", kind, row.tem_direct, row.hull_down, target.hex, d, row.tem_indirect, wall_advantage=True)
            )
    return found
