"""What must always hold, for the fuzzer: at every moment (`faults`), and from one moment to the next (`leaks`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sandtable.engine.contract import Event
from sandtable.mechanics.masks import by_hex, enemy, hexes_in
from sandtable.mechanics.shown.telling import change, switched, told_of, untold

from .supply.resources import markers_left
from .supply.supply_lines import source_limits
from .table.frames import CombatAt
from .table.ids import (
    ALLIED,
    ASIDE,
    ASSETS,
    AT_SEA,
    AXIS,
    BOXES,
    F_AST,
    F_CAPTURE,
    F_CAPTURE_ROLL,
    F_COMBAT,
    F_FREE_SP,
    F_MOVES,
    F_SINKING,
    F_SPLIT,
    NO_ASSET,
    PHASES,
    POOL,
    REMOVED,
    SIDES,
    STRAFING,
    UNUSED,
)
from .table.position import capacity, controls, remnants_left
from .table.scenarios import script
from .table.stacking import overstacked
from .table.state import State

AT_SEA_FRAMES = (F_AST, F_SINKING, F_SPLIT)


def faults(s: State) -> list[str]:
    """What is wrong with a state: empty if everything that must always hold does."""
    return [*_places(s), *_masks(s), *_counters(s), *_hexes(s), *_stacks(s), *_ports(s), *_markers(s)]


def under_way(s: State, frames: Iterable[int]) -> bool:
    """Whether one of these frames is on the stack."""
    wanted = set(frames)
    return any(frame[0] in wanted for frame in s.stack)


# Units


def _places(s: State) -> Iterator[str]:
    """Every counter is in one place, a hex or box that it may be in, and shows a side that it has."""
    board = s.board
    for u, h in enumerate(s.at):
        if h >= 0:
            if not (board.land | board.box_mask) >> h & 1:
                yield f"{board.units[u]} stands in {board.grid.names[h]}, which nobody may enter"
            if board.own_boxes[1 - board.side[u]] >> h & 1:
                yield f"{board.units[u]} stands in an off-map box of the enemy"
        elif h not in BOXES:
            yield f"{board.units[u]} is nowhere ({h})"
        elif h != AT_SEA and (s.disrupted | s.routed | s.oos | s.shipped | s.msu | s.retreating) >> u & 1:
            yield f"{board.units[u]} is out of play but marked"
        if s.step[u] >= board.steps_of[u]:
            yield f"{board.units[u]} shows a side that its counter has not got"
    if by_hex(s.at) != s.here or s.present != sum(s.here.values()):
        yield "units and places disagree"
    if s.disrupted & s.routed or s.isolated & ~s.oos:
        yield "a unit is in two states at once"
    if (s.disrupted | s.routed) & ~board.combat:
        yield "a non-combat unit is not in Good Order"


def _masks(s: State) -> Iterator[str]:
    """What is kept about places agrees with where the units are."""
    board = s.board
    on_hexes = {h: units for h, units in s.here.items() if not board.is_box(h)}
    for side in (0, 1):
        own = board.of_side[side]
        if s.occ[side] != sum(1 << h for h, units in on_hexes.items() if units & own):
            yield f"the hexes of the {SIDES[side]} side are stale"
        if s.men[side] != sum(1 << h for h, units in on_hexes.items() if units & own & board.combat):
            yield f"the combat units of the {SIDES[side]} side are stale"
        if s.zocs[side] != sum(1 << h for h, units in on_hexes.items() if units & own & board.combat & ~s.routed):
            yield f"the ZOC of the {SIDES[side]} side is stale"
    if s.occ[0] & s.occ[1]:
        yield "units of both sides stand in one hex"


def _counters(s: State) -> Iterator[str]:
    """8.7e, 10.4, 19.1.2b, 21.1.1b counters of one kind are only where that kind may be; no more remnants than there
    are counters (19.6b)."""
    board = s.board
    afloat = under_way(s, AT_SEA_FRAMES)
    for u, h in enumerate(s.at):
        name = board.units[u]
        if h == AT_SEA and not afloat:
            yield f"{name} is at sea without a convoy"
        if board.replacements >> u & 1 and h < 0 and h not in (POOL, AT_SEA, UNUSED):
            yield f"{name}, a replacement, is in the box {BOXES[h]}"
        if board.captured >> u & 1 and h < 0 and h not in (ASIDE, AT_SEA, UNUSED):
            yield f"{name}, a captured truck, is in the box {BOXES[h]}"
        if board.remnant_counters >> u & 1 and h not in (ASIDE, UNUSED):
            yield f"{name} is in play: a remnant's parent stands for it"
    for pool in board.remnant_count:
        if remnants_left(s, pool) < 0:
            yield f"there are more remnants of {pool} than counters"
    if s.msu & ~board.trucks or s.heavy & ~board.of_type["replacement_tank"]:
        yield "a counter shows a side of another kind"
    if (s.flown | s.railed) & ~s.shipped:
        yield "a unit came by rail or air without a marker"


# Hexes


def _hexes(s: State) -> Iterator[str]:
    """5.7, 16.3.5, 17.2.3, 9.5.7 nobody is in ground that he cannot enter, and whoever is in a hex has it."""
    board = s.board
    for h in hexes_in((s.occ[0] | s.occ[1]) & board.bog):
        if s.here[h] & board.mech & ~_motorised(s):
            yield f"a mechanised unit stands in the marsh of {board.grid.names[h]}"
    rolling = {frame.place for frame in s.stack if frame[0] == F_CAPTURE_ROLL}
    for side in (0, 1):
        foe = enemy(side)
        for h in hexes_in(s.occ[side] & board.controllable):
            if not controls(s, side, h):
                yield f"the {SIDES[side]} side is in {board.grid.names[h]} and does not control it"
        for h, count in s.sp[side].items():
            if count <= 0:
                yield f"the {SIDES[side]} side has supply points below one"
            if s.occ[foe] >> h & 1 and h not in rolling:
                yield f"supply points of the {SIDES[side]} side lie under enemies in {board.grid.names[h]}"
            if board.own_boxes[foe] >> h & 1:
                yield f"supply points of the {SIDES[side]} side lie in a box of the enemy"
        if any(n > s.sp[side].get(p, 0) for p, n in s.sp_held[side].items()):
            yield f"more {SIDES[side]} supply points are held than there are"
        if (s.forts[side] | s.building[side]).bit_count() > board.general["max_fortifications_per_side"]:
            yield f"the {SIDES[side]} side has too many fortifications"
        if (s.forts[side] | s.building[side]) & s.occ[foe]:
            yield f"a fortification of the {SIDES[side]} side is in enemy hands"
    if (s.forts[0] | s.building[0]) & (s.forts[1] | s.building[1]):
        yield "one hex has fortifications of both sides"
    if s.control & ~board.controllable:
        yield "something is controlled that cannot be"


def _motorised(s: State) -> int:
    """20.4.4 the units that were on foot and are replaced wherever they are, in a marsh too."""
    changes = script(s).conversions
    return sum(1 << new for c in changes for old, new in zip(c.old, c.new, strict=False) if s.board.foot >> old & 1)


def _stacks(s: State) -> Iterator[str]:
    """4.4.1b the phasing player keeps the stacking limit when his Movement Phase is over, and his Combat Phase; after
    it who has retreated may still be too many (12.1.4)."""
    moved = s.stack[-1:] == [CombatAt(F_COMBAT, 1)] and not s.attacked | s.defended | s.disengaged | s.retreated
    if (moved or s.stack[-1:] == [(F_FREE_SP,)]) and (h := overstacked(s, s.active)) >= 0:
        yield f"the {SIDES[s.active]} side is overstacked in {s.board.grid.names[h]} when its phase is over"


# Ports and markers


def _ports(s: State) -> Iterator[str]:
    """21.3, 16.2c no port handles or feeds more than it can."""
    board = s.board
    loading = any(
        frame[0] == F_MOVES and frame.stage == 1 for frame in s.stack
    )  # 21.4.2c they may be demolished afterwards
    for port, level in enumerate(s.port_level):
        name = board.port_ids[port]
        if not 0 <= level < len(board.port_track[port]):
            yield f"the port of {name} is at box {level}"
        elif loading and max(s.embarked[port], s.landed[port]) > capacity(s, port):
            yield f"the port of {name} has handled more than its capacity"
        if min(s.embarked[port], s.landed[port]) < 0:
            yield f"the port of {name} has handled less than nothing"
    if s.convoys_used > 2 * board.general["coastal_convoy_points"]:
        yield "there was a third coastal convoy"
    if s.phase == PHASES.index("supply"):
        fed = (s.fed & board.of_side[s.active]).bit_count()
        if fed > sum(source_limits(s, s.active).values()):
            yield f"ports of the {SIDES[s.active]} side feed {fed} units"


def _markers(s: State) -> Iterator[str]:
    """18.7.1b, 23.1b, 23.2.3b, 24.3 no more markers than there are, each in a place of its own."""
    board = s.board
    for side in (0, 1):
        if not 0 <= s.rp[side] <= board.general["max_rp"]:
            yield f"the {SIDES[side]} side has {s.rp[side]} resource points"
        delays = [h for h in (s.delay_axis, s.delay_allied)[side] if h >= 0]
        if len(set(delays)) < len(delays) or any(not board.land >> h & 1 for h in delays):
            yield f"delay markers of the {SIDES[side]} side lie where they cannot"
        for asset in range(NO_ASSET):
            if (asset == STRAFING or side == AXIS) and markers_left(s, side, asset) < 0:
                yield f"there are too many markers of {ASSETS[asset]}"
    if min(s.assets) < 0:
        yield "there are fewer markers than none"
    boxes = board.pack.tables["malta"]["boxes"]
    if s.malta not in boxes:
        yield f"the Malta marker is in no box ({s.malta})"


# From one moment to the next


def leaks(before: State, after: State, events: Sequence[Event]) -> list[str]:
    """What has come or gone without an event that says so: units and their steps, SPs, RPs."""
    return [*_units_moved(before, after, events), *_points_moved(before, after, events)]


def _units_moved(before: State, after: State, events: Sequence[Event]) -> Iterator[str]:
    """Who leaves play or comes into it, goes from box to box, loses a step or gains one, is told of; nobody leaves
    the game for good but by rules 20.2 and 20.4, and nobody comes back from there."""
    board = before.board
    for u in untold((before.at, after.at), (before.step, after.step), events):
        yield f"{board.units[u]} changed {change(before, after, u, BOXES)}, and nothing told of it"
    for u in switched(before.at, after.at):
        if before.at[u] in (UNUSED, REMOVED) or after.at[u] == UNUSED:
            yield f"{board.units[u]} went {change(before, after, u, BOXES)}"
    gone = [u for u, h in enumerate(after.at) if h == REMOVED != before.at[u]]
    leaving = told_of(e for e in events if e.kind in ("removed", "upgraded", "converted"))
    if any(not leaving >> u & 1 for u in gone):
        yield "a unit has left the game, and no rule said so"


def supply_points_of(s: State, side: int) -> int:
    """17.2 all SPs of a side: on the ground, on trucks, at sea, and on an MSU that may be captured (27.1b)."""
    loose = sum(s.sp[side].values()) + (s.msu & s.board.of_side[side]).bit_count()
    afloat = s.convoy_sp if side == s.active and under_way(s, AT_SEA_FRAMES) else 0
    left = sum(frame.msu for frame in s.stack if frame[0] == F_CAPTURE) if side == ALLIED else 0
    return loose + afloat + left


def _points_moved(before: State, after: State, events: Sequence[Event]) -> Iterator[str]:
    """17.2, 23 SPs and RPs come and go only as events say."""
    for side in (0, 1):
        told = sum(sp_change(event, side) for event in events)
        found = supply_points_of(after, side) - supply_points_of(before, side)
        if found != told:
            yield f"the supply points of the {SIDES[side]} side changed by {found}, and the events say {told}"
        told = sum(rp_change(event, side, after) for event in events)
        found = after.rp[side] - before.rp[side]
        if found != told:
            yield f"the resource points of the {SIDES[side]} side changed by {found}, and the events say {told}"


def sp_change(event: Event, side: int) -> int:
    """By how much an event changes the SPs of a side."""
    data, kind = event.data, event.kind
    if kind == "sp_captured":
        return 1 if data["side"] == side else -1
    if data.get("side") != side:
        return 0
    if kind == "sp_received":
        return int(data["count"])
    if kind == "sp_destroyed":
        return -int(data["count"])
    if kind == "free_sp":
        return 1
    spent = kind in ("ready", "attrition_sp") or (kind == "sinking" and data["sunk"] and data["sp"])
    paid = kind in ("attack_supply", "artillery") and data["paid"] in ("sp", "msu")
    return -int(spent or paid)


def rp_change(event: Event, side: int, s: State) -> int:
    """By how much an event changes the RPs of a side."""
    data, kind = event.data, event.kind
    if data.get("side") != side:
        return 0
    if kind == "resource_points":
        return int(data["received"]) - int(data["lost"])
    if kind == "bought":
        return -int(data["cost"])
    if kind == "fortification_begun":
        return -int(s.board.general["fortification_cost_rp"])
    return -int(kind == "rp_lost")
