"""What must always hold, for the fuzzer: at every moment (`faults`), and from one moment to the next (`leaks`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.engine.contract import Event
from sandtable.engine.hexes import hexes_of
from sandtable.mechanics.masks import by_hex
from sandtable.mechanics.shown.telling import change, switched, untold

from .table.ids import ALLIED, AXIS, BOXES, FLOWN, INTERDICTION, READY, SIDES, UNUSED
from .table.script import script
from .table.state import State
from .table.zones import controls

AIR_BOXES = (READY, FLOWN, INTERDICTION)


def faults(s: State) -> list[str]:
    """What is wrong with a state: empty if everything that must always hold does."""
    return [*_places(s), *_masks(s), *_marks(s), *_works(s), *_fights(s)]


def _places(s: State) -> Iterator[str]:
    """Every counter is in one hex or box that it may be in, and shows a side that it has."""
    board = s.board
    for u, h in enumerate(s.at):
        if h >= 0:
            if board.air >> u & 1:
                yield f"{board.units[u]} is an air unit in a hex"
            if not script(s).area >> h & 1:
                yield f"{board.units[u]} stands outside the map in play"
        elif h not in BOXES:
            yield f"{board.units[u]} is nowhere ({h})"
        elif h in AIR_BOXES and not board.air >> u & 1:
            yield f"{board.units[u]} is in an air box"
        if board.steps[u] and s.step[u] >= board.steps[u]:
            yield f"{board.units[u]} shows a side that its counter has not got"
    if by_hex(s.at) != s.here:
        yield "units and hexes disagree"


def _masks(s: State) -> Iterator[str]:
    """What is kept about hexes agrees with where the units are."""
    board = s.board
    if s.occ[0] & s.occ[1]:
        yield "units of both sides stand in one hex"
    for side in (AXIS, ALLIED):
        own = board.of_side[side]
        for name, hexes, kind in (
            ("hexes", s.occ, board.ground),
            ("combat units", s.fighting, board.combat),
            ("foot ZOC", s.foot_zoc, board.foot_combat),
            ("motorized ZOC", s.motor_zoc, board.motor_combat),
        ):
            if hexes[side] != sum(1 << h for h, units in s.here.items() if units & own & kind):
                yield f"the {name} of the {SIDES[side]} side are stale"
        if s.on_map[side] != sum(1 << u for u, h in enumerate(s.at) if h >= 0) & own:
            yield f"the units of the {SIDES[side]} side on the map are stale"
        for h in hexes_of(s.occ[side]):
            if not controls(s, side, h):
                yield f"the {SIDES[side]} side is in {board.grid.names[h]} and does not control it"


def _marks(s: State) -> Iterator[str]:
    """Markers lie on units of their kind that are on the map."""
    board = s.board
    there = s.on_map[0] | s.on_map[1]
    for name, units, kind in (
        ("disrupted", s.disrupted, board.ground),
        ("emergency", s.emergency, board.ground),
        ("oos", s.oos, board.ground),
        ("fired", s.fired, board.artillery),
        ("spent", s.spent, board.hqs),
        ("fire_net", s.fire_net, board.fire_net),
    ):
        if units & ~(there & kind):
            yield f"somebody is marked {name} who cannot be"
    if s.emergency & s.oos:
        yield "a unit is in Emergency Supply and out of supply"


def _works(s: State) -> Iterator[str]:
    """11.1, 11.45 no more works than there are; Untried minefields are Allied and not yet revealed."""
    play = script(s)
    for side in (AXIS, ALLIED):
        count = (s.strongpoints[side] | s.building[side]).bit_count() + s.strong_left[side]
        if count != play.pools[side].strongpoints or s.strong_left[side] < 0 or s.mines_left[side] < 0:
            yield f"the {SIDES[side]} side has {count} strongpoints of {play.pools[side].strongpoints}"
        if s.strongpoints[side] & s.occ[1 - side]:
            yield "an enemy stands in a strongpoint"
    if s.untried & ~s.mines[ALLIED] or s.double & ~s.mines[ALLIED] or s.untried & s.double:
        yield "minefields are confused"
    if s.untried.bit_count() > sum(s.hidden) or min(s.hidden) < 0:
        yield "more minefields are Untried than there are markers"
    if s.mines[0] & s.mines[1]:
        yield "two minefields lie in one hex"
    for h, u in s.builder.items():
        if s.at[u] != h or not s.building[s.board.side[u]] >> h & 1:
            yield "a builder is not where he builds"


def _fights(s: State) -> Iterator[str]:
    """7.12 declared attackers stand beside what they attack; a unit has one marker."""
    seen = 0
    grid = s.board.grid
    for h, units in s.aims.items():
        if units & seen:
            yield "a unit is declared for two attacks"
        seen |= units
        for u in range(len(s.at)):
            if units >> u & 1 and (s.at[u] < 0 or not grid.adjacent(s.at[u], h)):
                yield f"{s.board.units[u]} is declared against a hex that it is not next to"


def leaks(before: State, after: State, events: Sequence[Event]) -> list[str]:
    """What has come or gone without an event that says so."""
    board = before.board
    found = []
    for u in untold((before.at, after.at), (before.step, after.step), events):
        if not board.air >> u & 1:  # air units go from box to box in every turn
            found.append(f"{board.units[u]} changed {change(before, after, u, BOXES)}, and nothing told of it")
    for u in switched(before.at, after.at):
        if before.at[u] == UNUSED or after.at[u] == UNUSED:
            found.append(f"{board.units[u]} went {change(before, after, u, BOXES)}")
    return found
