"""What lies on the table, and the few ways in which it changes.

Sets of hexes are hex masks (`Mask`); sets of units are unit masks (int, one bit a unit). Everything
a rule changes about where a unit is or how strong it is goes through the functions here, so that the
derived masks (`occ`, `zocs`) and the zones of control are always true.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Event, Outcome
from sandtable.engine.flat import Flat, cache, derived, given, hexes, number, record, row, table, units
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.shown.telling import emit

from .board import Board, Ground
from .ids import AXIS, AZOV, CADRE, CORPS_BOX, CORPS_GONE, NO_SUPPORT, REMOVED, RETURNING, SOVIET, UNUSED


class Fight(Flat):
    """A fight in hand: one at a time (8.1d)."""

    kind: int = number("COMBAT, MOBILE or AUTOMATIC")
    target: int = number("the defenders' hex", -1)
    attackers: int = units("those taking part, those used for a shift included")
    shifters: int = units("15.2a of them: used for the shift")
    defenders: int = units("those in the target hex when the fight began")
    support: int = number("8.3b the marker that helps the attack", NO_SUPPORT)
    odds_att: int = number("8.3a the strength of the attack")
    odds_def: int = number("8.3a the strength of the defence")
    base_column: int = number("before shifts")
    column: int = number("after shifts")
    result: int = number("index of ids.RESULTS", -1)
    lead: int = number("10.4d", -1)
    held: int = number("10.4c the Determined Defence has succeeded: no retreat, no advance")
    losses: list[int] = row(lambda _: [0, 0], "steps lost in this fight by attacker and defender")
    retreating: int = units("11.1 those under way")
    origin: int = number("11.1d the hex from which they retreat", -1)
    vacated: int = number("12 the hex that the defender has left, -1 if he has not", -1)
    advanced: int = units("12.1 those that may advance no more")
    advanced_once: int = units("those that have advanced one hex")


class State(Flat):
    """One game in progress."""

    apart = frozenset({"board"})

    board: Board = given("map, counters and charts", lambda board: board)
    scenario: str = given("which one", lambda _: "")
    flags: int = number("options of the game, see scenarios.py")
    # the engine's part
    stack: list[tuple[Any, ...]] = row(lambda _: [], "the sequence of play")
    actor: int = given("who decides", lambda _: 0)
    events: list[Event] = cache("what the last action brought", lambda _: [], "[]")
    choices: list[Action] | None = cache("the actions that are open")
    ended: Outcome | None = given("how the game has ended")
    # counters
    at: list[int] = row(lambda board: [UNUSED] * len(board.units), "unit -> hex, or a box of ids.py")
    step: bytearray = row(lambda board: bytearray(len(board.units)), "unit -> FULL, REDUCED or REMNANT")
    here: dict[Hex, int] = derived(lambda _: {}, "hex -> unit mask; empty hexes are not in it", "{}.copy()")
    boxes: dict[int, int] = derived(lambda b: {UNUSED: (1 << len(b.units)) - 1}, "box -> unit mask", "{}.copy()")
    on_map: list[int] = derived(lambda _: [0, 0], "side -> its units that stand in hexes")
    occ: list[Mask] = derived(lambda _: [0, 0], "side -> hexes with any of its units")
    zocs: list[Mask] = derived(lambda _: [0, 0], "side -> hexes with a unit of it that exerts a ZOC (6.2)")
    zones: list[Mask] = cache("side -> hexes in its ZOC (6.1), -1 when not worked out", lambda _: [-1, -1], "{}[:]")
    memo: dict[Any, Any] = cache("what was worked out for this very position (see `touch`)", lambda _: {}, "{{}}")
    stirred: Mask = cache("hexes whose units have changed since `watch` was brought up to date; -1: all", lambda _: -1)
    shifted: int = cache("these units", lambda _: -1)
    watch: Any = cache("what a movement phase keeps up to date (lookout.py)")
    control: Mask = hexes("2.37 the places that the Axis controls; all others are Soviet")
    disrupted: int = units("11.5 disruption markers")
    limited: int = units("14.1f road supply markers")
    oos: int = units("14.1f out of supply markers")
    # the turn
    turn: int = number("the game turn")
    phase: int = number("index in ids.PHASES")
    active: int = number("whose phase it is", AXIS)
    second: int = number("7.3 this is a Second Impulse")
    bad: int = number("4.8c bad weather this turn")
    ground: Ground = derived(lambda board: board.grounds[0], "the map of the season", "{}")
    # the movement phase
    moved: int = units("those whose move is finished")
    assault: int = units("7.3d assault markers")
    rebuilt: int = units("17.2i got a replacement this turn")
    marked: int = units("8.5c automatic elimination markers")
    claims: dict[Hex, int] = table("8.5e cleared hex -> marked units that may still advance")
    pinned: int = units("18.2, 18.1b may not move in this phase, but take an assault marker")
    rail_open: Mask = hexes("7.22k rail hexes friendly at the start of the phase")
    rail_used: int = number("7.22j")
    sea_used: int = number("7.22f bit by sea")
    raid: int = units("13 the stack that moves together")
    raid_spent: int = number("half MPs it has spent; -1 before its first step")
    raid_failed: int = number("A35 the hex it failed to clear", -1)
    met: int = units("18.1b, 13.1d those that made a mobile assault together this phase")
    # combat
    fight: Fight = record("8.1d the fight in hand", lambda _: Fight())
    attacked: int = units("8.1b those that attacked in this phase")
    defended: int = units("8.1b those that were attacked in this phase")
    retreated: int = units("11.4 those that retreated in this phase")
    # chapter 16: support markers
    air: int = number("air markers available, bit by marker")
    air_used: int = number("of them: used in this impulse")
    fleet_ready: int = number("16.21 fleet markers in the available box")
    fleet_away: int = number("16.21 fleet markers in the unavailable box")
    # boxes, tracks, events
    none_chits: int = number("4.4i left in the cup")
    replacements: list[int] = row(lambda _: [0] * 6, "17.2k")
    due: list[int] = row(lambda board: [0] * len(board.units), "turn of arrival on the track, or since when one waits")
    corps: int = number("15.7 hex of the cavalry corps marker", CORPS_BOX)
    alpini_came: int = number("4.2e")
    eastern_formed: int = number("4.2g")
    no_roll: int = number("18.3b no roll on the replacement table this turn")
    supplied: int = units("14.22c those chosen for small ports in this Supply Phase")
    oos_hexes: Mask = hexes("14.22d Azov ports cut off at the last Soviet Supply Phase (A56)")


# Asking


def units_in(s: State, h: Hex, side: int) -> int:
    """The units of a side in a hex, as a unit mask."""
    return s.here.get(h, 0) & s.board.of_side[side]


def on_map(s: State, side: int) -> int:
    """The units of a side that stand in hexes."""
    return s.on_map[side]


def zone(s: State, side: int) -> Mask:
    """6.1, 6.4: the hexes in this side's ZOC: around its units, across every hexside that can be crossed."""
    found = s.zones[side]
    if found < 0:
        grid, source = s.board.grid, s.zocs[side]
        found = 0
        for d in range(6):
            found |= grid.step(source & s.ground.open[d], d)
        s.zones[side] = found
    return found


def controls(s: State, side: int, h: Hex) -> bool:
    """2.37 whether this side controls a place (a town, city or entry hex)."""
    return bool(s.control >> h & 1) == (side == AXIS)


def controlled(s: State, side: int) -> Mask:
    """2.37 all places that this side controls."""
    return s.control if side == AXIS else s.board.places & ~s.control


def vp(s: State) -> int:
    """19.1a the victory points of the Axis."""
    return sum(vp_of(s, h) for h in s.board.vp)


def vp_of(s: State, h: Hex) -> int:
    """19.1a what a place gives the Axis: its points under Axis control."""
    return s.board.vp[h] if s.control >> h & 1 else 0


# Changing


def touch(s: State) -> None:
    """Something about the position has changed: forget what was worked out for it."""
    s.stirred = s.shifted = -1
    forget(s)


def forget(s: State) -> None:
    """The same, where `stirred` and `shifted` tell what has changed."""
    if s.memo:
        s.memo = {}


def put(s: State, u: int, h: int) -> None:
    """Put a unit into a hex or a box, from wherever it is."""
    board, here = s.board, s.here
    old = s.at[u]
    b = 1 << u
    side = board.side[u]
    own, zocs = board.of_side[side], s.zocs
    before = zocs[side]
    s.at[u] = h
    s.shifted |= b
    if old >= 0:
        bit = 1 << old
        left = _take_out(here, old, b)
        if not left & own:
            s.occ[side] &= ~bit
        if not left & own & board.zoc:
            zocs[side] &= ~bit
        s.stirred |= bit
    else:
        _take_out(s.boxes, old, b)
    if h >= 0:
        bit = 1 << h
        here[h] = here.get(h, 0) | b
        s.occ[side] |= bit
        if board.zoc & b:
            zocs[side] |= bit
        s.stirred |= bit
        s.on_map[side] |= b
    else:
        s.boxes[h] = s.boxes.get(h, 0) | b
        s.on_map[side] &= ~b
    if zocs[side] != before:
        s.zones[side] = -1
    if s.corps >= 0 and old == s.corps and board.cavalry & b:
        _follow_corps(s, old, h)
    if s.memo:
        s.memo = {}


def _take_out(places: dict[int, int], place: int, b: int) -> int:
    """A unit leaves a hex or box; those that stay. What is empty is not kept."""
    left = places[place] & ~b
    if left:
        places[place] = left
    else:
        del places[place]
    return left


def _follow_corps(s: State, old: Hex, h: int) -> None:
    """15.7f, 15.7h the corps marker goes with the last cavalry division that leaves its hex."""
    if units_in(s, old, SOVIET) & s.board.cavalry:
        return
    if h >= 0:
        s.corps = h
    else:
        s.corps = CORPS_GONE
        emit(s, "corps_gone", "15.7f", {"hex": old})


def enter(s: State, u: int, h: Hex) -> None:
    """A unit comes into a hex by movement, retreat, advance or landing: it takes control of a place (2.37a, A61)."""
    put(s, u, h)
    if s.board.places >> h & 1:
        take_control(s, u, h)


def take_control(s: State, u: int, h: Hex) -> None:
    """2.37a whoever passes last controls a place. The Azov Flotilla never does (A40)."""
    b = 1 << h
    side = s.board.side[u]
    if not s.board.places & b or controls(s, side, h) or u == s.board.flotilla:
        return
    s.control ^= b
    forget(s)
    emit(s, "control", "2.37a", {"hex": h, "side": side, "vp": vp(s)})
    if side == AXIS and h == s.board.fleet_base and s.fleet_ready + s.fleet_away:  # 16.21c
        s.fleet_ready = s.fleet_away = 0
        emit(s, "fleet_gone", "16.21c", {"hex": h})
    flotilla = s.board.flotilla
    if side == AXIS and s.at[flotilla] >= 0 and not s.board.ports_of[AZOV] & ~s.control:  # 15.3d
        eliminate(s, flotilla, "15.3d")


def clear_marks(s: State, u: int) -> None:
    """A unit that leaves the map leaves its markers behind."""
    b = ~(1 << u)
    s.disrupted &= b
    s.limited &= b
    s.oos &= b
    s.assault &= b
    s.rebuilt &= b
    s.marked &= b
    s.fight.retreating &= b
    s.raid &= b
    for h in [h for h, marked in s.claims.items() if marked & ~b]:
        s.claims[h] &= b
        if not s.claims[h]:
            del s.claims[h]


def eliminate(s: State, u: int, rule: str) -> None:
    """10.3a, A52 a unit leaves the map: to the Cadre Box, out of play, or (an HQ) to return (15.1f)."""
    board = s.board
    h = s.at[u]
    clear_marks(s, u)
    if board.hq >> u & 1:
        box = RETURNING
    else:
        box = CADRE if board.cadre[u] else REMOVED
    s.step[u] = board.steps[u] - 1  # 17.2a, 17.2j it comes back at its weakest
    emit(s, "eliminated", rule, {"unit": u, "hex": h, "side": board.side[u], "box": box})
    put(s, u, box)


def lose_step(s: State, u: int, rule: str) -> None:
    """10.3a a unit is flipped, becomes a remnant, or is eliminated."""
    if s.step[u] + 1 >= s.board.steps[u]:
        eliminate(s, u, rule)
        return
    s.step[u] += 1
    s.stirred |= 1 << s.at[u]
    s.shifted |= 1 << u
    forget(s)
    emit(s, "step_lost", rule, {"unit": u, "hex": s.at[u], "side": s.board.side[u], "shows": s.step[u]})


def steps_left(s: State, units: int) -> int:
    """How many steps these units have to lose."""
    return sum(s.board.steps[u] - s.step[u] for u in units_of(units))
