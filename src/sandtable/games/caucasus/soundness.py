"""What must always hold, for the fuzzer: at every moment (`faults`), and from one moment to the next (`leaks`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.engine.contract import Event
from sandtable.engine.hexes import Mask, hexes_of, touching
from sandtable.mechanics.masks import by_hex, units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.shown.telling import change, switched, untold

from .table.board import Ground
from .table.ids import AFTER_MOVES, BOXES, CADRE, CUP, F_COMBAT, FULL, PHASES, REMOVED, SIDES, UNUSED
from .table.stacking import overstacked
from .table.state import State, controls, steps_left

SETTLED = tuple(PHASES.index(name) for name in ("axis_supply", "soviet_supply", "victory"))
CHITS = 42  # 4.4a the counters of the cup, with the "None" chits


def faults(s: State) -> list[str]:
    """What is wrong with a state: empty if everything that must always hold does."""
    return [*_places(s), *_masks(s), *_hexes(s), *_stacks(s), *_markers(s)]


# Units


def _places(s: State) -> Iterator[str]:
    """Every counter is in one hex that it may be in or in one box, and shows a side that it has."""
    board = s.board
    for u, h in enumerate(s.at):
        if h >= 0:
            if not s.ground.land >> h & 1:
                yield f"{board.units[u]} stands in {board.grid.names[h]}, which nobody may enter"
            if board.barred[board.side[u]] >> h & 1:
                yield f"{board.units[u]} stands in an entry hex of the enemy"
        elif h not in BOXES:
            yield f"{board.units[u]} is nowhere ({h})"
        elif (s.disrupted | s.limited | s.oos | s.assault | s.fight.retreating) >> u & 1:
            yield f"{board.units[u]} is off the map but marked"
        if s.step[u] >= board.steps[u]:
            yield f"{board.units[u]} shows a side that its counter has not got"
        if h == CADRE and s.step[u] != board.steps[u] - 1:
            yield f"{board.units[u]} is in the Cadre Box and not at its weakest"
        if h == CADRE and (board.hq >> u & 1 or not board.cadre[u]):
            yield f"{board.units[u]} is in the Cadre Box and can never be rebuilt"
    if by_hex(s.at) != s.here:
        yield "units and hexes disagree"
    boxes = {box: sum(1 << u for u, h in enumerate(s.at) if h == box) for box in BOXES}
    if boxes != {box: s.boxes.get(box, 0) for box in BOXES}:
        yield "units and boxes disagree"


def _masks(s: State) -> Iterator[str]:
    """What is kept about hexes agrees with where the units are."""
    board = s.board
    if s.occ[0] & s.occ[1]:
        yield "units of both sides stand in one hex"
    for side in (0, 1):
        own = board.of_side[side]
        if s.occ[side] != sum(1 << h for h, units in s.here.items() if units & own):
            yield f"the hexes of the {SIDES[side]} side are stale"
        if s.on_map[side] != sum(1 << u for u, h in enumerate(s.at) if h >= 0) & own:
            yield f"the units of the {SIDES[side]} side on the map are stale"
        if s.zocs[side] != sum(1 << h for h, units in s.here.items() if units & own & board.zoc):
            yield f"the ZOC of the {SIDES[side]} side is stale"


# Hexes


def _hexes(s: State) -> Iterator[str]:
    """2.37a whoever is in a place has it."""
    board = s.board
    for side in (0, 1):
        for h in hexes_of(s.occ[side] & board.places):
            if not controls(s, side, h) and s.here[h] & ~(1 << board.flotilla):  # A40
                yield f"the {SIDES[side]} side is in {board.grid.names[h]} and does not control it"
    if s.control & ~board.places:
        yield "something is controlled that is no place"


def _ways(s: State) -> Mask:
    """The hexes with a road or railway."""
    return _ways_of(s.ground)


@remembered()
def _ways_of(ground: Ground) -> Mask:
    return touching(ground.bridges)


def _stacks(s: State) -> Iterator[str]:
    """5.2b movement, retreats and advances end within the limit: so does every phase that is over."""
    moved = bool(s.stack) and s.stack[-1][0] == F_COMBAT and not s.attacked | s.defended | s.retreated
    if moved or s.phase in SETTLED:
        for side in (0, 1):
            h = overstacked(s, side, AFTER_MOVES)
            if h >= 0:
                yield f"the {SIDES[side]} side is overstacked in {s.board.grid.names[h]} when a phase is over"


def _markers(s: State) -> Iterator[str]:
    """17.2k, 16.2, 15.7, 4.4 no more markers and chits than there are."""
    if any(not 0 <= n <= 3 for n in s.replacements):
        yield f"the replacement track reads {s.replacements}"
    if s.fleet_ready + s.fleet_away > 2 or s.none_chits < 0:
        yield "there are more markers than the game has"
    if s.corps >= 0 and not s.here.get(s.corps, 0) & s.board.cavalry:
        yield "the cavalry corps marker lies without cavalry"
    if sum(1 for h in s.at if h == CUP) + s.none_chits > CHITS:
        yield "the cup holds too much"


# From one moment to the next


def leaks(before: State, after: State, events: Sequence[Event]) -> list[str]:
    """What has come or gone without an event that says so."""
    return [*_units_moved(before, after, events), *_bogged(before, after), *_merged(before, after, events)]


def _units_moved(before: State, after: State, events: Sequence[Event]) -> Iterator[str]:
    """Who leaves the map or comes to it, goes from box to box, loses a step or gains one, is told of; what is out of
    the game stays there, and the cup is never filled again (4.4j)."""
    board = before.board
    for u in untold((before.at, after.at), (before.step, after.step), events):
        yield f"{board.units[u]} changed {change(before, after, u, BOXES)}, and nothing told of it"
    for u in switched(before.at, after.at):
        if before.at[u] in (UNUSED, REMOVED) or after.at[u] in (UNUSED, CUP):
            yield f"{board.units[u]} went {change(before, after, u, BOXES)}"
    if after.none_chits > before.none_chits:
        yield "a None chit came back"


def _bogged(before: State, after: State) -> Iterator[str]:
    """7.6a no mechanised unit goes into ground closed to it; who is drawn for an HQ there is put there (A68)."""
    board, ground = after.board, after.ground
    closed = ground.road_bound & ~_ways(after)
    for u in units_of(board.mech):
        old, h = before.at[u], after.at[u]
        if old != h and old >= 0 and h >= 0 and closed >> h & 1:
            name = board.grid.names[h]
            yield f"{board.units[u]} went to {name}, {ground.terrain_at(h)} to which no road leads"


def _merged(before: State, after: State, events: Sequence[Event]) -> Iterator[str]:
    """18.1 a merger makes one full division of two units and of as many steps."""
    mergers = [event.data for event in events if event.kind == "merged"]
    for data in mergers:
        u, v = data["unit"], data["other"]
        if after.step[u] != FULL or after.at[v] != CADRE:
            yield f"{before.board.units[u]} and {before.board.units[v]} merged into something else"
    if mergers and {event.kind for event in events} == {"merged"}:
        one, two = (steps_left(s, s.on_map[0] | s.on_map[1]) for s in (before, after))
        if one != two:
            yield f"a merger made {two} steps of {one}"
