"""16.2, 16.3 Lines of supply: in which places a unit would be in full or port supply at this moment; 17.3 ranges.

The places are worked out backwards for the whole map at once: from the sources along roads, then up to five hexes
across country (mechanics/lines.py). Every mask holds the places in which a unit of the side would be supplied if it
stood there, own off-map boxes included (6.2c).
"""

from __future__ import annotations

from typing import TypeVar

from sandtable.engine.hexes import Hex, Mask, either, hexes_of, steps_into, without
from sandtable.mechanics.lines import Berths, Country, Steps
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.memory import noted, remembered

from ..table.board import Board
from ..table.ids import OASIS_SUPPLY, PORT_GARRISONS
from ..table.position import capacity, controlled, dumps, zone
from ..table.state import State
from ..table.zones import overlapping

REMEMBERED = 256  # questions of which the last answers are kept
ANSWERS = 4  # how many of each
STRETCH = 12  # hexes of road that are taken at one stride where nobody is on them
NETS = 12  # road nets of which one is remembered


# 16.3.2, 16.3.3 What a line may follow


class Ways:
    """What never changes about lines of supply."""

    __slots__ = ("_lines", "_nets", "_spreads", "country", "length", "near", "roads", "source_roads")

    def __init__(self, board: Board) -> None:
        grid, general = board.grid, board.general
        self.length: int = general["overland_supply_hexes"]  # 16.3.2a
        self.roads = Steps(grid, board.roads, stretch=STRETCH)
        dry_land = board.land & ~board.trackless  # 16.3.2c no marsh, and no all-sea hexside, which are not in `open`
        crossing = tuple(a & b for a, b in zip(steps_into(grid, dry_land), board.open, strict=True))
        self.country = Country(
            grid,
            country=either(without(crossing, board.escarpments), board.roads),  # 16.3.2d
            first=either(crossing, board.roads),  # 16.3.2d the escarpment hexside beside the tracing unit
            roads=self.roads,
            hard=board.hard,  # 16.3.2b
            dry=board.desert,  # 16.3.2e
            run=general["desert_run_hexes"],
        )
        # 6.3.3 the hexes beside the boxes of each side, and those from which a road leads into one
        self.near: list[Mask] = [0, 0]
        self.source_roads: list[Mask] = [0, 0]
        for side in (0, 1):
            for box in hexes_of(board.own_boxes[side]):
                self.near[side] |= board.entry_hexes.get(box, 0)
                for (of, h), kind in board.entry_road.items():
                    if of == box and kind != "railway":
                        self.source_roads[side] |= 1 << h
        # The last answers, with what was open. Lines are followed from hex to hex of the answer: whatever opens or
        # closes elsewhere, a move behind the front or far from the line, it stays true.
        self._nets: list[tuple[Mask, Mask]] = []
        self._spreads: dict[tuple[Mask, Mask, int], list[tuple[Mask, Mask, Mask]]] = {}
        self._lines: dict[tuple[Mask, Mask], list[tuple[Mask, Mask, Mask, Mask]]] = {}

    def forget(self) -> None:
        """Work everything out anew from now on."""
        self._nets.clear()
        self._spreads.clear()
        self._lines.clear()

    def along(self, targets: Mask, through: Mask) -> Mask:
        """16.3.3 where a line along roads to one of the targets may begin, the targets among them."""
        found, left = targets, targets & self.roads.hexes & through
        while left:
            net = self._net(left & -left, through)
            found |= net
            left &= ~net
        return found

    def _net(self, target: Mask, through: Mask) -> Mask:
        """The net of open roads that an open hex lies on, with the hexes from which a road leads into it: the same for
        every open hex of it."""
        nets = self._nets
        for i, (open_, found) in enumerate(nets):
            if found & target:
                other = (open_ ^ through) & found
                if not other:
                    return found
                if not other & open_:  # nothing is closed, and from what is open now the lines go on
                    found = self.roads.flood_on(found, other, through)
                    nets[i] = through, found
                    return found
        found = self.roads.flood(target, through)
        nets.insert(0, (through, found))
        del nets[NETS:]
        return found

    def spread(self, targets: Mask, near: Mask, n: int, through: Mask, first: Mask) -> Mask:
        """16.3.2 where an overland path of at most n hexes to one of the targets may begin."""
        answers = last_answers(self._spreads, (targets, near, n))
        for open_, open_first, found in answers:
            if not (open_ ^ through | open_first ^ first) & found:
                return found
        found = self.country.widen(targets, through, first, n, near)
        keep(answers, (through, first, found))
        return found

    def lines(self, sources: Mask, near: Mask, msus: Mask, through: Mask, first: Mask) -> Mask:
        """16.3.1, 16.3.4 where a line to a source may begin, if need be from one MSU to the next."""
        answers = last_answers(self._lines, (sources, near))
        for trucks, open_, open_first, found in answers:
            if not (trucks ^ msus | open_ ^ through | open_first ^ first) & found:
                return found
        found, ends, left = 0, sources, msus
        while True:
            ends = self.along(ends, through)
            found |= self.spread(ends, near, self.length, through, first)
            ends = left & found & ~ends  # those on a road that leads to the source add nothing
            if not ends:
                keep(answers, (msus, through, first, found))
                return found
            left &= ~found
            near = 0


Q = TypeVar("Q")
A = TypeVar("A")


def last_answers(known: dict[Q, list[A]], question: Q) -> list[A]:
    """The last answers to a question, the newest first."""
    found = known.get(question)
    if found is None:
        if len(known) >= REMEMBERED:
            known.clear()
        found = known[question] = []
    return found


def keep(answers: list[A], answer: A) -> None:
    answers.insert(0, answer)
    del answers[ANSWERS:]


@remembered()
def ways(board: Board) -> Ways:
    return Ways(board)


def hostile(s: State, side: int) -> Mask:
    """16.3.5a the cities, ports and airfields that the enemy controls, even empty ones; 27.4a a port without a garrison
    is nobody's."""
    board, foe = s.board, enemy(side)
    places = board.blocks_supply & controlled(s, foe)
    if s.flags & PORT_GARRISONS:
        places &= ~(board.ports & ~board.city) | held_ports(s, foe)
    return places


def barred(s: State, side: int) -> Mask:
    """16.3.2i, 16.3.3d, A50 the enemy's cities, ports, airfields and fortifications; an unfinished fortification has no
    effect (9.5.4b)."""
    return hostile(s, side) | s.forts[enemy(side)]


def occupied(s: State, foe: int) -> Mask:
    """16.3.2f, 16.3.3b hexes that the enemy occupies, if only with SPs; replacements are no hindrance to anybody
    (19.2.1a)."""
    found = s.occ[foe]
    idle = found & ~s.men[foe]
    if idle:
        others = s.board.of_side[foe] & ~s.board.replacements
        for h in hexes_of(idle):
            if not s.here[h] & others:
                found ^= 1 << h
    return found | dumps(s, foe)


@noted
def open_to(s: State, side: int) -> tuple[Mask, Mask]:
    """The hexes that a line may enter, and those that it may enter with its first step across country.

    16.3.2f to i, 16.3.3b to d: none with enemy units or barred; none in an EZOC unless a friendly unit negates it,
    but the first hex may be in one that is not overlapping.
    """
    foe = enemy(side)
    free = s.board.land & ~occupied(s, foe) & ~barred(s, side)
    own = s.occ[side] | dumps(s, side)  # 16.3.2h, 16.3.3c
    return free & ~(zone(s, foe) & ~own), free & ~(overlapping(s, foe) & ~own)


def beginnings(s: State, side: int) -> Mask:
    """Where a unit of this side could stand, so that a line could begin there."""
    return s.board.land & ~s.men[enemy(side)]


# 16.3 Lines


def traced(s: State, side: int, targets: Mask) -> Mask:
    """16.3.1 the hexes from which a line leads to one of these hexes: across country, then along roads."""
    way = ways(s.board)
    through, first = open_to(s, side)
    ends = way.along(targets, through)
    return way.spread(ends, 0, way.length, through, first) & beginnings(s, side)


def supplied_from(s: State, side: int, sources: Mask, near: Mask = 0) -> Mask:
    """16.3.1, 16.3.4 the hexes from which a line leads to a source, if need be from one MSU to the next.

    `sources` are hexes; from those of `near` one step off the map leads to a source. An MSU from which a line leads
    to a source is as good as one (16.3.4a), and so is the next that reaches it, and so on (16.3.4b).
    """
    through, first = open_to(s, side)
    found = ways(s.board).lines(sources, near, msu_hexes(s, side), through, first)
    return found & beginnings(s, side)


def msu_hexes(s: State, side: int) -> Mask:
    """16.3.4a where MSUs are that extend supply lines; one under a transport marker is of no use (21.1.5b)."""
    found = 0
    for u in units_of(s.msu & s.board.of_side[side] & ~s.shipped):
        h = s.at[u]
        if h >= 0:
            found |= 1 << h
    return found & ~s.board.box_mask


# 16.2 Supply sources


@noted
def full(s: State, side: int) -> Mask:
    """16.2a, 16.3.4c the places where a unit of this side would be in full supply now: an off-map box, or a line to
    one, all MSUs on the way having full supply too."""
    way = ways(s.board)
    return supplied_from(s, side, way.source_roads[side], way.near[side]) | s.board.own_boxes[side]


def held_ports(s: State, side: int) -> Mask:
    """16.2b, 27.4a the ports on the map that a side controls; with 27.4 those alone that have a garrison: a combat
    unit of it in the port or beside it."""
    board = s.board
    found = board.ports & controlled(s, side)
    if s.flags & PORT_GARRISONS:
        men = s.men[side]
        for h in hexes_of(found):
            if not (board.around[h] | 1 << h) & men:
                found ^= 1 << h
    return found


def ungarrisoned(s: State, side: int) -> Mask:
    """27.4a the ports that a side would control if it had a garrison there: none without the optional rule."""
    return s.board.ports & controlled(s, side) & ~held_ports(s, side)


def source_limits(s: State, side: int) -> dict[Hex, int]:
    """16.2c how many units each port can supply, twice its capacity; 27.2 an oasis supplies one. None with 0."""
    general = s.board.general
    found: dict[Hex, int] = {}
    for h in hexes_of(held_ports(s, side)):
        units = capacity(s, s.board.port_at[h]) * general["port_supply_units_per_capacity"]
        if units:
            found[h] = units
    if s.flags & OASIS_SUPPLY:
        for h in hexes_of(s.board.oases & ~occupied(s, enemy(side))):
            found[h] = general["oasis_supply_units"]
    return found


@noted
def fed_by_port(s: State, side: int) -> Mask:
    """16.2b the hexes where a unit of this side could draw port supply now, whether or not it has full supply too.

    How many units a port supplies (16.2c) is settled in the Supply Phase.
    """
    sources = sum(1 << h for h in source_limits(s, side))
    return supplied_from(s, side, sources) if sources else 0


@noted
def fed_by(s: State, side: int, port: Hex) -> Mask:
    """16.2b the hexes where a unit of this side could draw supply from this one port (or oasis)."""
    return supplied_from(s, side, 1 << port) if port in source_limits(s, side) else 0


# 16.2c Who has port supply


def units_at(s: State, side: int, hexes: Mask) -> int:
    """The units of a side in these hexes of the map."""
    found = 0
    for h in hexes_of(s.occ[side] & hexes):
        found |= s.here[h]
    return found & s.board.of_side[side]


@noted
def claimants(s: State, side: int) -> dict[int, Mask]:
    """16.2b the units without full supply that can trace a line to a port (27.2: or an oasis), and to which ones."""
    found: dict[int, Mask] = {}
    needy = s.occ[side] & ~full(s, side)
    for port in sorted(source_limits(s, side)) if needy else ():
        for u in units_of(units_at(s, side, needy & fed_by(s, side, port))):
            found[u] = found.get(u, 0) | 1 << port
    return found


def served(s: State, side: int, units: int) -> Berths:
    """16.2c these units at the ports that supply them, twice its capacity each; A20 trucks and replacements count."""
    return Berths(claimants(s, side), source_limits(s, side), units)


def port_fed(s: State, u: int) -> bool:
    """16.2c, 16.2d whether a unit without full supply has port supply at this moment: it was chosen in its owner's last
    Supply Phase, or there is room for it beside those who were."""
    side = s.board.side[u]
    wanted = claimants(s, side)
    if u not in wanted or s.fed >> u & 1:
        return u in wanted
    chosen = sum(1 << v for v in wanted if s.fed >> v & 1)
    return served(s, side, chosen).has_room(u)


# 17.3 Ranges


@noted
def within(s: State, side: int, place: int, n: int) -> Mask:
    """17.3, 19.3.1a the places from which an overland path of at most n hexes leads to this place.

    Traced like the overland part of a line of supply (16.3.2), from the unit that fights or takes a replacement to
    the SP, ASU, MSU or replacement. A box is one hex away from the hexes beside it.
    """
    board, way = s.board, ways(s.board)
    through, first = open_to(s, side)
    boxed = board.box_mask >> place & 1
    target, near = (0, board.entry_hexes.get(place, 0)) if boxed else (1 << place, 0)
    return way.spread(target, near, n, through, first) & beginnings(s, side) | 1 << place
