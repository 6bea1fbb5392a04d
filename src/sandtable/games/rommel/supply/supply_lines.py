"""12.2 to 12.5 Supply lines: which hexes are in supply. Their lengths and the network (12.6) are in networks.py.

A line runs from the source along the coast road, as far as that is open, and from there from link to link:
each link is a hex with undisrupted units of the side, no farther than the supply range from the link, the
source or the stretch of coast road before it. Here supply flows outward from the source; a unit's own line
is the same way back.

Everything depends only on who stands where and who owns which battle hexside, so the results are kept for
positions seen lately: the same question is asked several times in a turn.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask, mask_of, opposite
from sandtable.mechanics.masks import hexes_in
from sandtable.mechanics.memory import remembered

from ..table.board import NO_SIDES, Board, Sides, units_of
from ..table.ids import COAST
from ..table.state import State, owns_side

_tuple = tuple.__new__  # makes a named tuple without the detour over its own `__new__`


class Ground(NamedTuple):
    """What a side's supply lines meet on the map: all that their course depends on."""

    links: Mask  # 12.4a hexes whose units hand supply on
    blocked: Mask  # 12.2i enemy hexes
    attacked: Mask  # 12.5d battle hexes of which the side is the Attacker
    defended: Mask  # 12.2h battle hexes of which it is the Defender
    att_side: Sides  # 8.1 the battle hexsides that are the Attacker's


def is_cut_off(s: State, u: int) -> bool:
    """12.5f A raider whose way in is still an enemy hexside shares nothing with the friends in its hex."""
    return bool(s.raiders >> u & 1) and not owns_side(s, s.at[u], s.via[u], s.board.side[u])


def cut_off_units(s: State, side: int) -> int:
    """12.5f The raiders of a side that are cut off, as a unit mask."""
    raiders = s.raiders & s.board.of_side[side]
    return sum(1 << u for u in units_of(raiders) if is_cut_off(s, u)) if raiders else 0


def ground(s: State, side: int) -> Ground:
    """12.2g to 12.2i, 12.4h, 12.4i How the map lies for the lines of a side."""
    own = s.occ[side]
    battle = own & s.occ[1 - side]
    links = s.firm[side]  # 12.4i disrupted units are no links
    # 11.1f, A14, 13.1c: only an undisrupted enemy blocks
    blocked = s.firm[1 - side] & ~own
    if not battle:
        return _tuple(Ground, (links, blocked, 0, 0, NO_SIDES))
    defended = battle & s.defends[side]
    attacked = battle ^ defended
    links &= ~attacked  # A13: an Attacker's unit is only the end of a line
    raiders = s.raiders & s.board.of_side[side]
    if raiders:
        lost = cut_off_units(s, side)
        for u in units_of(lost):
            if not s.here[s.at[u]] & s.board.of_side[side] & ~(lost | s.disrupted):
                links &= ~(1 << s.at[u])
    return Ground(links, blocked, attacked, defended, tuple(s.att_side))


def exits(board: Board, blocked: Mask, attacked: Mask, defended: Mask, att_side: Sides) -> Sides:
    """The steps that supply may take: [d] holds the hexes which it may leave in direction d.

    12.2h, A12: a battle hex is passed by its Defender only, and both hexsides used must be his.
    12.5a: any battle hex is entered through a friendly hexside only.
    """
    shift = board.grid.shift
    steps = []
    if not attacked | defended:
        for d, n in enumerate(shift):
            steps.append(board.open[d] & ~(blocked | (blocked >> n if n > 0 else blocked << -n)))
        return tuple(steps)
    through = ~(blocked | attacked)
    for d in range(6):
        lost = att_side[d] & defended
        across = opposite(d)
        shut = blocked | att_side[across] & defended | attacked & ~att_side[across]
        n = shift[d]
        steps.append(board.open[d] & through & ~(lost | (shut >> n if n > 0 else shut << -n)))
    return tuple(steps)


def step(front: Mask, out: Sides, near: int) -> Mask:
    """The hexes one open step away from these; `near` is the grid's stride less one."""
    e, ne, nw, w, sw, se = out
    return (
        (front & e) << 1
        | (front & w) >> 1
        | (front & sw | (front & se) << 1) << near
        | (front & ne | (front & nw) >> 1) >> near
    )


# 12.4 Links and ranges


class Way(NamedTuple):
    """One way by which supply may come into a hex from an anchor within range."""

    anchor: Hex
    length: int
    d: int  # from the hex supplied, the side by which the way comes in
    last: Hex  # the hex on the other side of it
    hexes: Mask  # all hexes of the way but the one supplied
    steps: tuple[tuple[Hex, int], ...]  # the steps of supply along it: (hex, direction)


@remembered(8)
def ways_into(board: Board) -> tuple[tuple[Way, ...], ...]:
    """12.4c to 12.4f By hex, every way into it that terrain and roads allow."""
    return tuple(tuple(_ways(board, h)) for h in range(board.size))


def _ways(board: Board, h: Hex) -> list[Way]:
    """The ways into one hex, found by walking from it against the flow of supply."""
    # along the coast road alone 12.3a has no limit; in a mixture with others theirs is the shorter
    reach = (max(board.supply_range), *board.supply_range[1:])
    found: list[Way] = []

    def walk(path: tuple[Hex, ...], steps: tuple[tuple[Hex, int], ...], grade: int) -> None:
        here, length = path[-1], len(path)
        for d, n in board.steps[here]:
            worst = max(grade, board.grade[here][d])
            if n in path or length > reach[worst]:
                continue
            further = ((n, opposite(d)), *steps)
            if length == 1 or worst != COAST:  # 12.3a sees to the coast road itself
                inside = mask_of(path[1:]) | 1 << n
                last, back = further[-1]
                found.append(Way(n, length, opposite(back), last, inside, further))
            walk((*path, n), further, worst)

    walk((h,), (), COAST)
    return found


@remembered(8)
def coast_steps(board: Board) -> tuple[tuple[tuple[int, Hex], ...], ...]:
    """12.3a By hex, the steps (direction, hex) along the coast road."""
    coast = board.roads[COAST]
    return tuple(tuple((d, n) for d, n in board.steps[h] if coast[d] >> h & 1) for h in range(board.size))


@remembered(8)
def coast_runs(board: Board) -> tuple[tuple[tuple[Hex, int], ...], ...]:
    """12.3a The coast road hex by hex from one end to the other, with the direction to the next hex; it nowhere
    branches."""
    steps = coast_steps(board)
    left = board.coast_hexes
    runs = []
    for end in hexes_in(board.coast_hexes):
        if len(steps[end]) == 1 and left >> end & 1:
            run, h, ahead = [], end, steps[end]
            while ahead:
                left ^= 1 << h
                d, n = ahead[0]
                run.append((h, d))
                ahead = tuple(one for one in steps[n] if one[1] != h)
                h = n
            left ^= 1 << h
            runs.append((*run, (h, -1)))
    if left or any(len(around) > 2 for around in steps):
        raise ValueError("the coast road must be a line with two ends")
    return tuple(runs)


def stretches(board: Board, out: Sides, attacked: Mask) -> tuple[Mask, ...]:
    """12.3a The unbroken stretches of coast road of two hexes or more.

    The battle hexes of an Attacker are in none: the road leads into them, but nowhere out.
    """
    found = []
    for run in coast_runs(board):
        stretch = 0
        for (h, d), (n, _) in pairwise(run):
            if out[d] >> h & 1 and not attacked >> n & 1:
                stretch |= 1 << h | 1 << n
            elif stretch:
                found.append(stretch)
                stretch = 0
        if stretch:
            found.append(stretch)
    return tuple(found)


class Onward(NamedTuple):
    """Where one hex hands supply on to. Terrain alone decides if nobody fights in or near `ground`."""

    ground: Mask  # all hexes of all ways from here, and those they lead to
    one: Mask  # the hexes reached by a way of one, two, three hexes
    two: Mask
    three: Mask
    coast: Mask  # 12.3a the hexes next to it along the coast road
    all: Mask  # by any of the ways


class Inward(NamedTuple):
    """Where one hex gets supply from. Terrain alone decides if nobody fights in or near `ground`."""

    ground: Mask  # all hexes of all ways into it, and itself
    anchors: Mask  # the hexes from which a way comes in
    by_side: Sides  # by side of the hex, those whose ways come in there
    sided: tuple[tuple[Way, ...], ...]  # by side of the hex, the ways
    ways: dict[Hex, list[Way]]  # the ways by the hex they come from


@remembered(8)
def inward(board: Board) -> tuple[Inward, ...]:
    """12.4c to 12.4f By hex, where supply may come from."""
    found = []
    for h, into in enumerate(ways_into(board)):
        ground, sides = 1 << h, [0] * 6
        ways: dict[Hex, list[Way]] = {}
        for way in into:
            ground |= way.hexes
            sides[way.d] |= 1 << way.anchor
            ways.setdefault(way.anchor, []).append(way)
        sided = tuple(tuple(way for way in into if way.d == d) for d in range(6))
        found.append(Inward(ground, mask_of(ways), tuple(sides), sided, ways))
    return tuple(found)


@remembered(8)
def ways_over(board: Board) -> tuple[Mask, ...]:
    """By hex, all hexes into which some way leads from it or over it."""
    found = [0] * board.size
    for h, about in enumerate(inward(board)):
        for x in hexes_in(about.ground):
            found[x] |= 1 << h
    return tuple(found)


@remembered(8)
def onward(board: Board) -> tuple[Onward, ...]:
    """12.3a, 12.4c to 12.4f By hex, how far supply may go from it."""
    ground = [1 << h for h in range(board.size)]
    one, two, three = reach = [[0] * board.size for _ in range(3)]
    for h, into in enumerate(ways_into(board)):
        for way in into:
            ground[way.anchor] |= way.hexes | 1 << h
            reach[way.length - 1][way.anchor] |= 1 << h
    coast = [mask_of(n for _, n in steps) for steps in coast_steps(board)]
    return tuple(
        Onward(ground[h], one[h], two[h], three[h], coast[h], one[h] | two[h] | three[h]) for h in range(board.size)
    )


@remembered(8)
def handed_to(board: Board) -> tuple[Mask, ...]:
    """By hex, all hexes from which some way leads to it or over it."""
    sources = [0] * board.size
    for h, about in enumerate(onward(board)):
        for x in hexes_in(about.ground):
            sources[x] |= 1 << h
    return tuple(sources)


class Passages(NamedTuple):
    """The steps that supply may take."""

    out: Sides  # over any ground
    fan: Sides  # over any ground, by any road, by track or better: three sheets of the map in one number
    coast: tuple[Mask, ...]  # the open stretches of coast road
    near: Mask  # the hexes with enemies or fighting within range; elsewhere terrain alone decides


@remembered(4096)
def passages(board: Board, blocked: Mask, attacked: Mask, defended: Mask, att_side: Sides) -> Passages:
    """What enemies and battles leave open. A side's own units change it little, so it is kept apart from them."""
    out = exits(board, blocked, attacked, defended, att_side)
    near, sources = 0, handed_to(board)
    odd = blocked | attacked | defended
    while odd:
        bit = odd & -odd
        near |= sources[bit.bit_length() - 1]
        odd ^= bit
    every, steps = fans(board)
    fan = tuple([steps[d] & mask * every for d, mask in enumerate(out)])
    if (attacked | defended) & board.coast_hexes:
        coast = stretches(board, out, attacked)
    else:
        coast = _open_coast(board, blocked & board.coast_hexes)
    return Passages(out, fan, coast, near)


@remembered(1024)
def _open_coast(board: Board, blocked: Mask) -> tuple[Mask, ...]:
    """The open stretches of coast road when nobody fights on it: `stretches` with `exits`, cut where enemies are."""
    found = []
    for run, upto in coast_lengths(board):
        last = 0
        for n in sorted([run[h] for h in hexes_in(blocked) if h in run]):
            if n - last > 1:
                found.append(upto[n] ^ upto[last])
            last = n + 1
        if len(run) - last > 1:
            found.append(upto[-1] ^ upto[last])
    return tuple(found)


@remembered(8)
def coast_lengths(board: Board) -> tuple[tuple[dict[Hex, int], tuple[Mask, ...]], ...]:
    """12.3a For each coast road the place of each hex along it, and [n] its first n hexes."""
    roads = []
    for run in coast_runs(board):
        upto = [0]
        for h, _ in run:
            upto.append(upto[-1] | 1 << h)
        roads.append(({h: n for n, (h, _) in enumerate(run)}, tuple(upto)))
    return tuple(roads)


def coast_of_base(s: State, side: int) -> Mask:
    """12.3a The coast road in supply that runs on from the base, if nobody fights on it, else nothing: asked before
    `trace`, which takes longer."""
    board = s.board
    if s.occ[side] & s.occ[1 - side] & board.coast_hexes:
        return 0
    for stretch in _open_coast(board, s.firm[1 - side] & board.coast_hexes):
        if stretch & board.base_mask[side]:
            return stretch
    return 0


@remembered(8)
def fans(board: Board) -> tuple[int, Sides]:
    """12.4c to 12.4f The first bit of the three sheets, and the steps on each: anywhere, by any road, by track or
    better."""
    width = board.size
    kinds = (board.open, board.any_road, board.track_or_better)
    steps = tuple(sum(kind[d] << n * width for n, kind in enumerate(kinds)) for d in range(6))
    return 1 | 1 << width | 1 << 2 * width, steps


def by_length(board: Board, front: Mask, fan: Sides) -> tuple[Mask, Mask, Mask]:
    """12.4c to 12.4f The hexes within supply range by the length of the way: one hex anywhere, two by any road,
    three by track or better. A stretch of mixed roads has the shortest of their ranges."""
    width, near = board.size, board.grid.stride - 1
    sheet = (1 << width) - 1
    front = step(front * fans(board)[0], fan, near)
    one = front & sheet
    front ^= one
    if not front:
        return one, 0, 0
    front = step(front, fan, near)
    two = front >> width & sheet
    front = front >> 2 * width << 2 * width
    return one, two, step(front, fan, near) >> 2 * width if front else 0


class Flow(NamedTuple):
    """How far supply reaches from a source."""

    supplied: Mask  # hexes in which a unit is in supply
    anchors: Mask  # hexes from which a line may go on: the source, links, coast road in supply
    road: Mask  # those of them that are coast road in supply (or the source)
    open: Passages  # the steps that supply may take at all


@remembered(4096)
def flow(board: Board, source: Hex, g: Ground) -> Flow:
    """12.2e, 12.3, 12.4 Let supply flow from a source along the coast road and from link to link."""
    links, blocked, attacked, defended, att_side = g
    open_ = passages(board, blocked, attacked, defended, att_side)
    _, fan, coast, disturbed = open_
    start = 1 << source
    if start & blocked:
        return Flow(0, 0, 0, open_)
    if start & attacked:
        return Flow(start, 0, 0, open_)
    coast_hexes = board.coast_hexes & ~(blocked | attacked)
    supplied = new_road = start
    road = chain = 0
    while True:
        if new_road:  # 12.3a any stretch of coast road, however long
            for stretch in coast:
                if stretch & new_road:
                    new_road |= stretch
            new_road &= ~road
            road |= new_road
            supplied |= new_road | _over_terrain(board, new_road & ~disturbed)
            if new_road & disturbed:
                one, two, three = by_length(board, new_road & disturbed, fan)
                supplied |= one | two | three
        new_links = supplied & links & ~chain
        if not new_links:
            return _tuple(Flow, (supplied, road | chain, road, open_))
        chain |= new_links
        reached = _over_terrain(board, new_links & ~disturbed)
        if new_links & disturbed:
            one, two, three = by_length(board, new_links & disturbed, fan)
            reached |= one | two | three
        supplied |= reached
        # 12.3b: only a unit joins another stretch of coast road to the line
        new_road = (reached | new_links) & coast_hexes & ~road


@remembered(4096)
def _over_terrain(board: Board, front: Mask) -> Mask:
    """12.4c to 12.4f The hexes within supply range where there is nobody to prevent it."""
    terrain = onward(board)
    reached = 0
    while front:
        bit = front & -front
        reached |= terrain[bit.bit_length() - 1].all
        front ^= bit
    return reached


def trace(s: State, side: int, source: Hex | None = None) -> Mask:
    """12.0b, 12.1a The hexes in which a unit of this side is in supply from its base, or from that fortress.

    Raiders cut off in their battle hex (12.5f) are not, whatever this says of the hex: see `is_cut_off`.
    """
    board = s.board
    return flow(board, board.base[side] if source is None else source, ground(s, side)).supplied
