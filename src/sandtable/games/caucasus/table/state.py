"""What lies on the table, and the few ways in which it changes.

Sets of hexes are hex masks (`Mask`); sets of units are unit masks (int, one bit a unit). Everything
a rule changes about where a unit is or how strong it is goes through the functions here, so that the
derived masks (`occ`, `zocs`) and the zones of control are always true.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Choices, Event, Outcome
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.telling import emit

from .board import Board, Ground
from .ids import AXIS, AZOV, CADRE, CORPS_BOX, CORPS_GONE, NO_SUPPORT, REMOVED, RETURNING, SOVIET, UNUSED

# What the fields are, so that a view can name them (view.py). Every field of a state stands in one of these.
NUMBERS = (
    "turn",
    "phase",
    "active",
    "second",
    "bad",
    "air",
    "air_used",
    "fleet_ready",
    "fleet_away",
    "rail_used",
    "sea_used",
    "none_chits",
    "corps",
    "alpini_came",
    "eastern_formed",
    "no_roll",
    "flags",
    "fight",
    "target",
    "support",
    "column",
    "result",
    "odds_att",
    "odds_def",
    "base_column",
    "raid_spent",
    "raid_failed",
    "lead",
    "held",
    "origin",
    "vacated",
)
UNIT_SETS = (
    "disrupted",
    "limited",
    "oos",
    "moved",
    "assault",
    "rebuilt",
    "marked",
    "pinned",
    "attacked",
    "defended",
    "retreated",
    "attackers",
    "defenders",
    "shifters",
    "raid",
    "retreating",
    "advanced",
    "advanced_once",
    "supplied",
    "met",
)
HEX_SETS = ("control", "rail_open", "oos_hexes")
LISTS = ("replacements", "due", "losses")


class State:
    """One game in progress. Flat: copying takes microseconds."""

    caches = ("zones", "memo", "shifted", "stirred", "watch")
    """What a state keeps to save work; the same position may lack it."""

    __slots__ = (
        *NUMBERS,
        *UNIT_SETS,
        *HEX_SETS,
        *LISTS,
        "actor",
        "at",
        "board",
        "boxes",
        "choices",
        "claims",
        "ended",
        "events",
        "ground",
        "here",
        "memo",
        "occ",
        "on_map",
        "scenario",
        "shifted",
        "stack",
        "step",
        "stirred",
        "watch",
        "zocs",
        "zones",
    )

    def __init__(self, board: Board, scenario: str) -> None:
        n = len(board.units)
        self.board = board
        self.scenario = scenario
        self.flags = 0  # options of the game, see scenarios.py
        # the engine's part
        self.stack: list[tuple[int, ...]] = []
        self.actor = 0
        self.events: list[Event] = []
        self.choices: list[Action] | Choices | None = None
        self.ended: Outcome | None = None
        # counters
        self.at: list[int] = [UNUSED] * n  # unit -> hex, or a box of ids.py
        self.step = bytearray(n)  # unit -> FULL, REDUCED or REMNANT
        self.here: dict[Hex, int] = {}  # hex -> unit mask; empty hexes are not in it
        self.boxes: dict[int, int] = {UNUSED: (1 << n) - 1}  # box -> unit mask
        self.on_map: list[int] = [0, 0]  # side -> its units that stand in hexes
        self.occ: list[Mask] = [0, 0]  # side -> hexes with any of its units
        self.zocs: list[Mask] = [0, 0]  # side -> hexes with a unit of it that exerts a ZOC (6.2)
        self.zones: list[Mask] = [-1, -1]  # side -> hexes in its ZOC (6.1), -1 when not worked out
        self.memo: dict[Any, Any] = {}  # what a chapter has worked out for this very position (see `touch`)
        self.stirred: Mask = -1  # hexes whose units have changed since `watch` was brought up to date; -1: all
        self.shifted = -1  # these units
        self.watch: Any = None  # what a movement phase keeps up to date (lookout.py)
        self.control: Mask = 0  # 2.37 the places that the Axis controls; all others are Soviet
        self.disrupted = 0  # 11.5
        self.limited = 0  # 14.1f road supply markers
        self.oos = 0  # 14.1f out of supply markers
        # the turn
        self.turn = 0
        self.phase = 0  # index in ids.PHASES
        self.active = AXIS  # whose phase it is
        self.second = 0  # 7.3 this is a Second Impulse
        self.bad = 0  # 4.8c bad weather this turn
        self.ground: Ground = board.grounds[0]
        # the movement phase
        self.moved = 0  # units whose move is finished
        self.assault = 0  # 7.3d assault markers
        self.rebuilt = 0  # 17.2i got a replacement this turn
        self.marked = 0  # 8.5c automatic elimination markers
        self.claims: dict[Hex, int] = {}  # 8.5e cleared hex -> marked units that may still advance
        self.pinned = 0  # 18.2, 18.1b may not move in this phase, but take an assault marker
        self.rail_open: Mask = 0  # 7.22k rail hexes friendly at the start of the phase
        self.rail_used = 0  # 7.22j
        self.sea_used = 0  # 7.22f bit by sea
        self.raid = 0  # 13 the stack that moves together
        self.raid_spent = 0  # half MPs it has spent; -1 before its first step
        self.raid_failed = -1  # A35 the hex it failed to clear
        self.met = 0  # 18.1b, 13.1d units that made a mobile assault together this phase
        # combat: one fight at a time (8.1d)
        self.fight = 0  # COMBAT, MOBILE, AUTOMATIC
        self.target = -1  # the defenders' hex
        self.attackers = 0  # units taking part, those used for a shift included
        self.shifters = 0  # 15.2a of them: used for the shift
        self.defenders = 0  # units in the target hex when the fight began
        self.support = NO_SUPPORT
        self.odds_att = 0
        self.odds_def = 0
        self.base_column = 0  # before shifts
        self.column = 0  # after shifts
        self.result = -1  # index of the CRT code (combat.py)
        self.lead = -1  # 10.4d
        self.held = 0  # 10.4c the Determined Defence has succeeded: no retreat, no advance
        self.losses: list[int] = [0, 0]  # steps lost in this fight by attacker and defender
        self.attacked = 0  # 8.1b units that attacked in this phase
        self.defended = 0  # 8.1b units that were attacked in this phase
        self.retreated = 0  # 11.4 units that retreated in this phase
        self.retreating = 0
        self.origin = -1  # 11.1d the hex from which they retreat
        self.vacated = -1  # 12 the hex that the defender has left, -1 if he has not
        self.advanced = 0  # 12.1 units that may advance no more in this fight
        self.advanced_once = 0  # units that have advanced one hex
        # chapter 16: support markers
        self.air = 0  # air markers available, bit by marker
        self.air_used = 0  # of them: used in this impulse
        self.fleet_ready = 0
        self.fleet_away = 0
        # boxes, tracks, events
        self.none_chits = 0  # 4.4i left in the cup
        self.replacements: list[int] = [0] * 6  # 17.2k
        self.due: list[int] = [0] * n  # turn of arrival of units on the track, or since when one waits
        self.corps = CORPS_BOX  # 15.7 hex of the cavalry corps marker
        self.alpini_came = 0  # 4.2e
        self.eastern_formed = 0  # 4.2g
        self.no_roll = 0  # 18.3b no roll on the replacement table this turn
        self.supplied = 0  # 14.22c units chosen for small ports in this Supply Phase
        self.oos_hexes: Mask = 0  # 14.22d Azov ports cut off at the last Soviet Supply Phase (A56)

    def copy(self) -> State:
        c = object.__new__(State)
        c.board = self.board
        c.scenario = self.scenario
        c.flags = self.flags
        c.stack = self.stack[:]
        c.actor = self.actor
        c.events = []
        c.choices = self.choices
        c.ended = self.ended
        c.at = self.at[:]
        c.step = self.step[:]
        c.here = self.here.copy()
        c.boxes = self.boxes.copy()
        c.on_map = self.on_map[:]
        c.occ = self.occ[:]
        c.zocs = self.zocs[:]
        c.zones = self.zones[:]
        c.memo = {}
        c.stirred = self.stirred
        c.shifted = self.shifted
        c.watch = self.watch
        c.control = self.control
        c.disrupted = self.disrupted
        c.limited = self.limited
        c.oos = self.oos
        c.turn = self.turn
        c.phase = self.phase
        c.active = self.active
        c.second = self.second
        c.bad = self.bad
        c.ground = self.ground
        c.moved = self.moved
        c.assault = self.assault
        c.rebuilt = self.rebuilt
        c.marked = self.marked
        c.claims = self.claims.copy()
        c.pinned = self.pinned
        c.rail_open = self.rail_open
        c.rail_used = self.rail_used
        c.sea_used = self.sea_used
        c.raid = self.raid
        c.raid_spent = self.raid_spent
        c.raid_failed = self.raid_failed
        c.met = self.met
        c.fight = self.fight
        c.target = self.target
        c.attackers = self.attackers
        c.shifters = self.shifters
        c.defenders = self.defenders
        c.support = self.support
        c.odds_att = self.odds_att
        c.odds_def = self.odds_def
        c.base_column = self.base_column
        c.column = self.column
        c.result = self.result
        c.lead = self.lead
        c.held = self.held
        c.losses = self.losses[:]
        c.attacked = self.attacked
        c.defended = self.defended
        c.retreated = self.retreated
        c.retreating = self.retreating
        c.origin = self.origin
        c.vacated = self.vacated
        c.advanced = self.advanced
        c.advanced_once = self.advanced_once
        c.air = self.air
        c.air_used = self.air_used
        c.fleet_ready = self.fleet_ready
        c.fleet_away = self.fleet_away
        c.none_chits = self.none_chits
        c.replacements = self.replacements[:]
        c.due = self.due[:]
        c.corps = self.corps
        c.alpini_came = self.alpini_came
        c.eastern_formed = self.eastern_formed
        c.no_roll = self.no_roll
        c.supplied = self.supplied
        c.oos_hexes = self.oos_hexes
        return c


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
    return sum(value for h, value in s.board.vp.items() if s.control >> h & 1)


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
    s.retreating &= b
    s.raid &= b
    for h in [h for h, units in s.claims.items() if units & ~b]:
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
