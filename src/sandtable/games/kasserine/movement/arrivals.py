"""14.1, 14.2 Reinforcements: when and where they come."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bars, Doubt, Need
from sandtable.mechanics.masks import enemy, mask_of, units_of
from sandtable.mechanics.paths.charts import due
from sandtable.mechanics.paths.legs import Leg, Way
from sandtable.mechanics.phases import Each, Phase
from sandtable.mechanics.shown.telling import emit

from ..paths.moves import cheapest_step, ends, move_leg, off_limits, tolls
from ..supply.lines import supplied
from ..table import steps, verbs
from ..table.ground import HALF
from ..table.ids import ALLIED, AXIS, B1_MOVEMENT, C1_MOVEMENT, PHASES, TO_COME
from ..table.position import enter
from ..table.ratings import allowance, mover
from ..table.script import Group, script
from ..table.stacking import limit, points, points_in, room
from ..table.state import State
from ..table.steps import At, UnitAt
from ..table.surprises import meet
from ..table.zones import controls, zone
from .stacks import could_overrun
from .walking import set_out


def group_of(s: State, u: int) -> Group:
    """The group with which a unit comes."""
    return script(s).groups[s.group[u]]


def expected(s: State, side: int) -> int:
    """14.11, 14.12a the units whose turn has come and who have not come yet; they enter in a Movement Phase (14.25)."""
    if s.phase not in (B1_MOVEMENT, C1_MOVEMENT):
        return 0
    key = ("expected", side, s.turn)
    found: int | None = s.waiting.get(key)
    if found is None:
        groups = [group for group in script(s).groups if group.side == side]
        found = mask_of(u for g in groups for u in g.units if s.at[u] == TO_COME and s.due[u] <= s.turn)
        s.waiting[key] = found
    return found


# Where


def gates(s: State, u: int) -> Mask:
    """14.21, 14.27, 14.28 by which hexes a unit can come on: its entry hex, or those next to a blocked one."""
    board = s.board
    side = board.side[u]
    letter = board.entry_letters[s.gate[u]] if s.gate[u] >= 0 else ""
    group = group_of(s, u)
    if group.at >= 0 and not controls(s, side, group.at):
        letter = group.otherwise
    if not letter:
        return 0
    entry = board.entries[letter]
    theirs, gone = s.occ[enemy(side)], shut(s, side)
    if not (theirs | gone) >> entry & 1:
        return 1 << entry
    if gone >> entry & 1:  # 14.28a overrides 14.27
        return 0
    edge = board.edge & script(s).area & ~(theirs | gone)
    beside = board.grid.around(1 << entry) & edge  # 14.27a
    if beside:
        return beside
    for n in range(2, 100):  # 14.27b
        found = board.grid.within(entry, n) & edge
        if found:
            return found
    return 0


def shut(s: State, side: int) -> Mask:
    """14.28 hexes closed to arrivals: where the enemy has left, beside it, and between two such roads."""
    board = s.board
    left = s.exited_by[enemy(side)]
    found = left | board.grid.around(left) & board.edge if left else 0
    if side == ALLIED and left & (left - 1):  # 14.28b
        for line in (board.row_of, board.column_of):
            along = board.column_of if line is board.row_of else board.row_of
            for end in {line[h] for h in hexes_of(board.edge)}:
                gone = [along[h] for h in hexes_of(left) if line[h] == end]
                if len(gone) > 1:
                    between = range(min(gone), max(gone) + 1)
                    found |= sum(1 << h for h in hexes_of(board.edge) if line[h] == end and along[h] in between)
    return found


def places(s: State, u: int) -> Mask:
    """The hexes in which a unit may be put instead of entering by road: near a hex that is theirs, or beside a host."""
    board, group = s.board, group_of(s, u)
    side = board.side[u]
    found = 0
    if group.at >= 0 and controls(s, side, group.at):
        found = board.grid.within(group.at, group.within) & ~zone(s, enemy(side)) & ~s.occ[enemy(side)]
        found &= ~sum(1 << h for h in hexes_of(found & s.occ[side]) if not room(s, h, side, 1 << u))
        found &= ~off_limits(s, u)
    if board.leaders >> u & 1:  # 15.13c, 12.45
        lines = supplied(s, side)
        hosts = board.of_nation[board.nation[u]] & board.ground
        for other in units_of(s.on_map[side] & (hosts | group.hosts)):
            h = s.at[other]
            if group.hosts >> other & 1 or (hosts >> other & 1 and lines >> h & 1):
                found |= 1 << h
    return found


def entry_points(s: State, u: int, gate: Hex, toll: int = -1) -> int:
    """14.22, 14.24 the half points left on entering at a hex: less the road cost there, and more in column."""
    if toll < 0:
        toll = due(tolls(s, s.board.side[u]), gate)
    return allowance(s, u) - entry_price(s, u, gate) - toll - behind(s, s.group[u], points(s, 1 << u))


def entry_price(s: State, u: int, gate: Hex) -> int:
    """14.22 the half points of the road in an entry hex."""
    return cheapest_step(s.ground, mover(s, u), gate) or HALF


def behind(s: State, group: int, size: int) -> int:
    """14.22, A80 the stacks of its group that are on the road before a unit of so many stacking points."""
    return (s.column.get(group, 0) + size - 1) // limit(s) if size else 0


def entry_leg(s: State, u: int, gate: Hex) -> Leg | None:
    """14.22 where a unit can go that comes on at a hex."""
    left = entry_points(s, u, gate)
    if left > 0 and s.edition > 3 and s.board.motorized >> u & 1 and s.mines[enemy(s.board.side[u])] >> gate & 1:
        left = 0  # 11.32c
    return move_leg(s, u, left, gate, fresh=False) if left >= 0 else None


def shut_out(s: State, u: int) -> bool:
    """14.23 no way on to the map; most can at least stop in their entry hex."""
    side = s.board.side[u]
    for gate in hexes_of(gates(s, u)):
        if room(s, gate, side, 1 << u) and entry_points(s, u, gate) >= 0:
            return False
    return not (places(s, u) or entry_ends(s, u))


def why_shut_out(s: State, u: int) -> Reason:
    """14.12b, 14.23, 14.28 what keeps a reinforcement from coming on."""
    side, gate = s.board.side[u], s.gate[u]
    if gates(s, u) or gate < 0:
        return Reason("14.23", Text("{unit} finds no way on to the map", unit=u))
    if shut(s, side) >> s.board.entries[s.board.entry_letters[gate]] & 1:
        return Reason("14.28a", Text("{unit} cannot come on where the enemy has left the map, nor beside it", unit=u))
    return Reason("14.12b", Text("{unit} waits until an entry hex is free of the enemy", unit=u))


class Column(NamedTuple):
    """Units of a group that wait before the same entry hex: the largest of them, and the points of the slowest."""

    group: int
    units: int
    entry: Hex  # -1 if something is special about it
    largest: int  # stacking points
    slowest: int  # half points, the road in the entry hex paid


def columns(s: State, expected: int) -> list[Column]:
    """The units expected, group by group."""
    key = ("columns", s.turn, s.phase, expected)
    found: list[Column] | None = s.waiting.get(key)
    if found is None:
        found, board = [], s.board
        for number in {s.group[u]: 0 for u in units_of(expected)}:
            waiting = [u for u in units_of(expected) if s.group[u] == number]
            gate = s.gate[waiting[0]] if group_of(s, waiting[0]).at < 0 else -1
            entry = board.entries[board.entry_letters[gate]] if gate >= 0 else -1
            slowest = min(allowance(s, u) - entry_price(s, u, entry) for u in waiting) if entry >= 0 else 0
            largest = max(points(s, 1 << u) for u in waiting)
            found.append(Column(number, mask_of(waiting), entry, largest, slowest))
        s.waiting[key] = found
    return found


def perhaps_shut_out(s: State, expected: int) -> int:
    """The units for which `shut_out` has to be asked: all others can stop in the open entry hex of their group."""
    if not expected:
        return 0
    asked, side = 0, s.board.side[expected.bit_length() - 1]
    closed, prices = s.occ[enemy(side)] | shut(s, side), tolls(s, side)
    for column in columns(s, expected):
        entry = column.entry
        if entry < 0 or closed >> entry & 1:
            asked |= column.units
            continue
        free, toll = limit(s) - points_in(s, entry, side), due(prices, entry)
        if column.largest > free or column.slowest < toll + behind(s, column.group, column.largest):
            for u in units_of(column.units):
                if points(s, 1 << u) > free or entry_points(s, u, entry, toll) < 0:
                    asked |= 1 << u
    return asked


def entry_ends(s: State, u: int) -> Mask:
    """Where a unit that comes on can end its move: on the map, in supply if it must be, with room (14.23)."""
    found = places(s, u)
    side = s.board.side[u]
    allowed = ends(s, u)
    for gate in hexes_of(gates(s, u)):
        leg = entry_leg(s, u, gate)
        if leg is not None:
            ends_here = leg.everywhere() & allowed
            if room(s, gate, side, 1 << u):
                ends_here |= 1 << gate
            found |= ends_here
    return found


class Coming(NamedTuple):
    """A reinforcement that comes on, and where it may end."""

    unit: int
    ends: Mask


ENTER: Bars[State, Any] = Bars(
    Need("14.11a", "{unit} does not come now", lambda s, now: now.expected),
    Doubt(
        "14.23",
        lambda s, now, u: why_shut_out(s, u),
        lambda s, now, u: shut_out(s, u),
        about=lambda s, now: perhaps_shut_out(s, now.expected),
    ),
)


def begin_entry(s: State, f: At, u: int) -> None:
    s.stack.append(UnitAt(steps.ENTERING, u))


ARRIVE: Bars[State, Coming] = Bars(
    Need(
        "14.22",
        lambda s, now, h: Text("{unit} does not get to {hex} in this turn", unit=now.unit, hex=h),
        lambda s, now: now.ends,
    ),
)


def way_in(s: State, u: int, h: Hex) -> tuple[Hex, Leg, Way | None] | None:
    """14.22 by which hex a unit comes on that ends its move in another, and how it goes on from there."""
    for gate in hexes_of(gates(s, u)):
        leg = entry_leg(s, u, gate)
        way = leg.to(h) if leg is not None else None
        if leg is not None and (h == gate or way is not None):
            return gate, leg, way
    return None


def entry_hint(s: State, f: UnitAt, action: Action) -> Hint | None:
    """14.22 what coming on to a hex costs, the road in the entry hex and the column before it counted."""
    u, h = f.unit, action[1]
    found = None if places(s, u) >> h & 1 else way_in(s, u, h)
    if found is None:
        return None
    gate, leg, way = found
    whole = allowance(s, u)
    spent = whole - leg.points + (way.cost if way is not None else 0)
    path = [gate, *(way.path if way is not None else ())]
    names = s.board.grid.names
    return {"cost": f"{spent / HALF:g}", "of": f"{whole / HALF:g} MP", "path": [names[n] for n in path]}


def arrive(s: State, f: UnitAt, h: int) -> None:
    """14.2 the unit comes on; one that is placed may still move, one that entered has made its move."""
    u = f.unit
    side = s.board.side[u]
    s.stack.pop()
    s.arrived |= 1 << u
    if places(s, u) >> h & 1:
        emit(s, "arrived", "14.11a", {"unit": u, "hex": h, "side": side})
        _come_on(s, u, h)
        return
    found = way_in(s, u, h)
    assert found is not None
    gate, leg, way = found
    emit(s, "arrived", "14.22", {"unit": u, "hex": gate, "side": side})
    s.column[s.group[u]] = s.column.get(s.group[u], 0) + points(s, 1 << u)
    _come_on(s, u, gate)
    s.moved |= 1 << u
    left = leg.points - (way.cost if way is not None else 0)
    if (way is None or leg.goes_on(h)) and could_overrun(s, u, h, left):  # 14.26
        s.stack_units, s.stack_spent = 1 << u, allowance(s, u) - left
        s.stack.append(At(steps.STACK_MOVES))
    if way is not None:
        set_out(s, 1 << u, way.path, way.cost, "14.22")


def _come_on(s: State, u: int, h: Hex) -> None:
    enter(s, u, h)
    if s.board.ground >> u & 1:
        meet(s, s.board.side[u], h)


class Entering(Phase[State, UnitAt, Coming]):
    """14.2 where the reinforcement goes."""

    at = UnitAt
    does = (Each(verbs.TO, of=lambda s, now: now.ends, bars=ARRIVE, take=arrive, hint=entry_hint),)

    def actor(self, s: State, f: UnitAt) -> int | None:
        return s.active

    def now(self, s: State, f: UnitAt) -> Coming:
        return Coming(f.unit, entry_ends(s, f.unit))

    def prompt(self, s: State, f: UnitAt) -> Prompt:
        return Prompt(Text("{unit} arrives", unit=f.unit), "Choose where it goes", ("14.21", "14.22"), PHASES[s.phase])


# 14.13 other places for Allied groups


def later(s: State, u: int, letter: str) -> int:
    """14.13a, A97 the turn from which the group of a unit may come at another letter: a turn after its own for each
    step away from its own place. Turns that it has waited count; on its way back they do not."""
    order, delay = s.board.charts.entry_order, s.board.charts.entry_delay
    own, mine, new = (order.index(x) for x in (group_of(s, u).letter, s.board.entry_letters[s.gate[u]], letter))
    if s.edition > 4 and abs(new - own) > abs(mine - own):
        return max(s.turn, group_of(s, u).turn + abs(new - own) * delay)
    return s.turn + abs(new - mine) * delay


def reroutes(s: State, f: At, now: Any) -> Iterable[tuple[int, int]]:
    """14.13a the first waiting unit of each Allied group, and the letters at which the group could enter instead."""
    if s.active != ALLIED or not now.expected:
        return []
    key = ("reroutes", s.turn, now.expected)
    known: list[tuple[int, int]] | None = s.waiting.get(key)
    if known is not None:
        return known
    found = []
    letters, order = s.board.entry_letters, s.board.charts.entry_order
    for number in sorted({s.group[u] for u in units_of(now.expected)}):
        first = next(u for u in units_of(now.expected) if s.group[u] == number)
        mine = letters[s.gate[first]] if s.gate[first] >= 0 else ""
        if mine in order and all(s.at[u] == TO_COME for u in script(s).groups[number].units if s.due[u]):
            others = [letter for letter in order if letter != mine and later(s, first, letter) <= script(s).last]
            found += [(first, letters.index(letter)) for letter in others]
    s.waiting[key] = sorted(found)
    return sorted(found)


def reroute_reason(s: State, f: At, now: Any, args: Sequence[int]) -> Reason | None:
    if tuple(args) in set(reroutes(s, f, now)):
        return None
    return Reason("14.13a", Text("{unit} cannot be sent to another place", unit=args[0]))


def reroute(s: State, f: At, u: int, letter: int) -> None:
    """14.13a the group comes at another letter, a turn later for each step along the row."""
    late = later(s, u, s.board.entry_letters[letter])
    for other in group_of(s, u).units:
        if s.at[other] == TO_COME:
            s.gate[other] = letter
            s.due[other] = late
    s.waiting, s.memo = {}, {}
    emit(s, "rerouted", "14.13a", {"unit": u, "entry": letter, "turn": late})


FRAMES: dict[int, Frame[State, Any]] = {steps.ENTERING: Entering()}

assert AXIS == 0
