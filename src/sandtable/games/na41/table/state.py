"""What lies on the table.

Sets of places (hexes and off-map boxes) are masks; sets of units are unit masks (int, one bit a unit). What
changes about a unit is changed through the functions of position.py alone.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Choices, Event, Outcome
from sandtable.engine.hexes import Mask

from .board import Board
from .ids import AXIS, UNUSED

# What the fields are, so that a view can name them (view.py). Every field of a state stands in one of these.
NUMBERS = (
    "turn",
    "impulse",
    "phase",
    "active",
    "flags",
    "malta",
    "vp",
    "rommel",
    "comando",
    "attacked_at_all",
    "moved_at_all",
    "rail_used",
    "convoys_used",
    "convoy_from",
    "convoy_to",
    "convoy_sp",
    "spent",
    "run",
    "mode",
    "stack_rommel",
    "origin",
    "start",
    "fight",
    "target",
    "supplied",
    "odds_att",
    "odds_def",
    "base_column",
    "column",
    "die",
    "result",
    "lead",
    "held",
    "dd_support",
    "vacated",
    "allowance",
    "limited_advance",
)
UNIT_SETS = (
    "disrupted",
    "routed",
    "oos",
    "isolated",
    "depleted",
    "shipped",
    "refreshed",
    "msu",
    "auto",
    "moved",
    "extended",
    "attacked",
    "defended",
    "retreated",
    "sheltered",
    "fed",
    "group",
    "loads",
    "attackers",
    "defenders",
    "air_att",
    "air_def",
    "guns_att",
    "guns_def",
    "retreating",
    "advancing",
    "convoy",
    "heavy",
    "flown",
    "railed",
    "restored",
    "advanced",
    "disengaged",
    "sandy",
    "parched",
    "crowd",
)
PLACE_SETS = ("control", "control_before", "repaired", "released", "displaced", "fought_from")
PAIRS = ("rp", "rp_debt", "losses")  # one number for each side
LISTS = (
    "port_level",
    "due",
    "delay_axis",
    "delay_allied",
    "assets",
    "supplies",
    "fights",
    "carried",
    "sp_moved",
    "garrisons",
    "embarked",
    "landed",
)


class State:
    """One game in progress. Flat: copying takes microseconds."""

    caches = ("zones", "memo")
    """What a state keeps to save work; the same position may lack it."""

    __slots__ = (
        *NUMBERS,
        *UNIT_SETS,
        *PLACE_SETS,
        *PAIRS,
        *LISTS,
        "actor",
        "at",
        "board",
        "building",
        "choices",
        "claims",
        "ended",
        "events",
        "forts",
        "here",
        "lrdg",
        "memo",
        "men",
        "occ",
        "present",
        "scenario",
        "sp",
        "sp_held",
        "stack",
        "step",
        "strafing",
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
        self.at: list[int] = [UNUSED] * n  # unit -> place, or a box of ids.py
        self.step = bytearray(n)  # unit -> FULL, REDUCED or REMNANT
        self.here: dict[int, int] = {}  # place -> unit mask; empty places are not in it
        self.present = 0  # all units on the map and in the off-map boxes, of both sides
        self.occ: list[Mask] = [0, 0]  # side -> hexes with any of its units
        self.men: list[Mask] = [0, 0]  # side -> hexes with a combat unit of it
        self.zocs: list[Mask] = [0, 0]  # side -> hexes with a combat unit that has a ZOC (7.1, 13.3.2b)
        self.zones: list[Mask] = [-1, -1]  # side -> hexes in its ZOC, -1 when not worked out
        self.memo: dict[Any, Any] = {}  # what a chapter has worked out for this very position (see `touch`)
        self.disrupted = 0  # 13.2
        self.routed = 0  # 13.3 in Full Retreat
        self.oos = 0  # 16.1c out of supply markers, either side
        self.isolated = 0  # of them: turned to the red side
        self.depleted = 0  # 17.1 ASUs on their depleted side
        self.shipped = 0  # 5.9.1g, 18.7.6b, 21.1.5 under a transport marker
        self.refreshed = 0  # 19.5 under a replacement marker
        self.msu = 0  # 17.2.4 trucks on their MSU side
        self.heavy = 0  # 19.2.5b tank replacements on their heavy side
        self.flown = 0  # 18.7.6b under the air transport marker: they are in `shipped` too
        self.railed = 0  # 5.9.1g under the rail marker: they are in `shipped` too
        self.restored = 0  # 19.3.2a units that took a replacement in this Initial Phase
        # 17.2 supply points: by side, place -> how many; and how many of them are under a transport marker
        self.sp: list[dict[int, int]] = [{}, {}]
        self.sp_held: list[dict[int, int]] = [{}, {}]
        # places
        self.control: Mask = 0  # 16.3.5 the places that the Axis controls; all other controllable ones are Allied
        self.control_before: Mask = 0  # 21.1.4a the same at the start of the Movement Phase
        self.port_level: list[int] = [0] * len(board.port_ids)  # 21.3 box of each port's track
        self.forts: list[Mask] = [0, 0]  # 9.5 completed fortifications
        self.building: list[Mask] = [0, 0]  # 9.5.3 under construction
        self.repaired: Mask = 0  # 21.4.4c, 21.4.4d ports repaired in this impulse, by place
        self.strafing: list[Mask] = [0, 0]  # 18.7.5 by the side that placed them
        self.lrdg: Mask = 0  # 18.8
        self.delay_axis: list[int] = [-1] * 6  # 24 place of each numbered marker, -1 in the display
        self.delay_allied: list[int] = [-1] * 6
        self.released: Mask = 0  # S2.2 places that an Axis unit has entered, for the release of reserves
        self.displaced: Mask = 0  # 13.3.2e hexes whose Full Retreat units have to go
        # the turn
        self.turn = 0
        self.impulse = 1
        self.phase = 0  # index in ids.PHASES
        self.active = AXIS
        self.malta = 0  # 22.3.2 the modifier
        self.vp = 0  # S2.3
        self.rp: list[int] = [0, 0]  # 23.1b
        self.rp_debt: list[int] = [0, 0]  # 21.4.3c the next RP is lost
        self.assets: list[int] = [0] * 10  # by ids.ASSETS; strafing is [3] for the Axis and [9] for the Allies
        self.rommel = 1  # 18.5 ready
        self.comando = 0  # 8.4.1 in effect in this impulse
        self.due: list[int] = [0] * n  # turn of arrival or return
        # the movement phase
        self.moved = 0  # units whose move is finished
        self.extended = 0  # A14 units that used extended movement or the road bonus: no attack
        self.auto = 0  # 8.9.1d Auto DS markers
        self.claims: dict[int, int] = {}  # 8.9.2 hex cleared by an Auto DS -> marked units that may still advance
        self.moved_at_all = 0  # 17.4a a unit used normal land movement or special transfer
        self.attacked_at_all = 0  # 17.4a
        self.rail_used = 0  # 5.9.1b
        self.convoys_used = 0  # 21.1.2b shipping points of coastal convoys sailed in this phase
        self.sp_moved: list[int] = []  # 5.8.1e the place of each loose SP that was moved in this phase
        self.group = 0  # the stack on the move; also the breakthrough group (15.2.2)
        self.loads = 0  # of the stack: units carried by trucks of the stack
        self.carried: list[int] = [-1] * n  # unit -> truck that carries it in this move, retreat or advance
        self.spent = 0  # sixths of MPs that the stack has spent; -1 before its first step
        self.run = 0  # 5.5b consecutive desert hexes entered
        self.mode = -1  # 5 how the stack moves, -1 when not settled
        self.stack_rommel = 0
        self.start = -1  # where the stack began
        # convoys
        self.convoy = 0  # units in the convoy
        self.convoy_from = -1
        self.convoy_to = -1
        self.convoy_sp = 0
        self.embarked: list[int] = [0] * len(board.port_ids)  # 21.3.2a shipping points by port in this player turn
        self.landed: list[int] = [0] * len(board.port_ids)
        # combat: one fight at a time; an outer one waits in `fights` while a breakthrough combat is fought
        self.fight = 0
        self.target = -1
        self.attackers = 0
        self.defenders = 0
        self.supplied = 0  # 8.5 this attack has attack supply
        self.fought_from: Mask = 0  # 8.5.3b where the attackers stood when the normal combat began
        self.supplies: list[tuple[int, int, int]] = []  # 8.5.1c sources spent this phase: place, range, nation or -1
        self.air_att = 0  # 18.7.4 asset + 1 used by the attacker
        self.air_def = 0
        self.guns_att = 0  # 9.4 ASUs that gave a shift
        self.guns_def = 0
        self.odds_att = 0
        self.odds_def = 0
        self.base_column = 0
        self.column = 0
        self.die = 0
        self.result = -1
        self.lead = -1
        self.held = 0
        self.dd_support = 0
        self.losses: list[int] = [0, 0]
        self.attacked = 0  # 8.1c units that attacked in this phase
        self.defended = 0
        self.retreated = 0  # 12.1.3e, 12.5.1b units that retreated in this phase
        self.sheltered = 0  # 12.3 of them, those that retreated into a hex which friends held
        self.crowd = 0  # 15.3b defenders that their owner leaves out of this breakthrough combat: too many in the hex
        self.retreating = 0
        self.origin = -1
        self.garrisons: list[tuple[int, int]] = []  # A26 port, unit: it lived by it when it was attacked
        self.vacated = -1
        self.allowance = 0  # 14.2 hexes of advance
        self.limited_advance = 0  # 14.2.2
        self.advancing = 0  # units that may still advance
        self.advanced = 0  # 27.3.1a units that advanced in this Combat Phase
        self.disengaged = 0  # 27.5.3b units that rolled to disengage in this Combat Phase
        self.sandy = 0  # 5.5b units whose last hex entered in this Movement or Combat Phase is desert
        self.parched = 0  # 5.5b of them, those whose last two are
        self.fights: list[tuple[int, ...]] = []
        # the supply phase
        self.fed = 0  # 16.2d units chosen for port supply

    def copy(self) -> State:
        c = object.__new__(State)
        c.turn = self.turn
        c.impulse = self.impulse
        c.phase = self.phase
        c.active = self.active
        c.flags = self.flags
        c.malta = self.malta
        c.vp = self.vp
        c.rommel = self.rommel
        c.comando = self.comando
        c.attacked_at_all = self.attacked_at_all
        c.moved_at_all = self.moved_at_all
        c.rail_used = self.rail_used
        c.convoys_used = self.convoys_used
        c.convoy_from = self.convoy_from
        c.convoy_to = self.convoy_to
        c.convoy_sp = self.convoy_sp
        c.spent = self.spent
        c.run = self.run
        c.mode = self.mode
        c.stack_rommel = self.stack_rommel
        c.origin = self.origin
        c.start = self.start
        c.fight = self.fight
        c.target = self.target
        c.supplied = self.supplied
        c.odds_att = self.odds_att
        c.odds_def = self.odds_def
        c.base_column = self.base_column
        c.column = self.column
        c.die = self.die
        c.result = self.result
        c.lead = self.lead
        c.held = self.held
        c.dd_support = self.dd_support
        c.vacated = self.vacated
        c.allowance = self.allowance
        c.limited_advance = self.limited_advance
        c.disrupted = self.disrupted
        c.routed = self.routed
        c.oos = self.oos
        c.isolated = self.isolated
        c.depleted = self.depleted
        c.shipped = self.shipped
        c.refreshed = self.refreshed
        c.msu = self.msu
        c.auto = self.auto
        c.moved = self.moved
        c.extended = self.extended
        c.attacked = self.attacked
        c.defended = self.defended
        c.retreated = self.retreated
        c.sheltered = self.sheltered
        c.fed = self.fed
        c.group = self.group
        c.loads = self.loads
        c.attackers = self.attackers
        c.defenders = self.defenders
        c.air_att = self.air_att
        c.air_def = self.air_def
        c.guns_att = self.guns_att
        c.guns_def = self.guns_def
        c.retreating = self.retreating
        c.advancing = self.advancing
        c.convoy = self.convoy
        c.heavy = self.heavy
        c.flown = self.flown
        c.railed = self.railed
        c.restored = self.restored
        c.advanced = self.advanced
        c.disengaged = self.disengaged
        c.sandy = self.sandy
        c.parched = self.parched
        c.crowd = self.crowd
        c.control = self.control
        c.control_before = self.control_before
        c.repaired = self.repaired
        c.released = self.released
        c.displaced = self.displaced
        c.fought_from = self.fought_from
        c.lrdg = self.lrdg
        c.actor = self.actor
        c.choices = None if isinstance(self.choices, Choices) else self.choices  # those look at their own table
        c.ended = self.ended
        c.scenario = self.scenario
        c.board = self.board
        c.present = self.present
        c.rp = self.rp[:]
        c.rp_debt = self.rp_debt[:]
        c.losses = self.losses[:]
        c.port_level = self.port_level[:]
        c.due = self.due[:]
        c.delay_axis = self.delay_axis[:]
        c.delay_allied = self.delay_allied[:]
        c.assets = self.assets[:]
        c.supplies = self.supplies[:]
        c.fights = self.fights[:]
        c.carried = self.carried[:]
        c.sp_moved = self.sp_moved[:]
        c.garrisons = self.garrisons[:]
        c.embarked = self.embarked[:]
        c.landed = self.landed[:]
        c.at = self.at[:]
        c.building = self.building[:]
        c.forts = self.forts[:]
        c.men = self.men[:]
        c.occ = self.occ[:]
        c.stack = self.stack[:]
        c.step = self.step[:]
        c.strafing = self.strafing[:]
        c.zocs = self.zocs[:]
        c.zones = self.zones[:]
        c.claims = self.claims.copy()
        c.here = self.here.copy()
        c.sp = [self.sp[0].copy(), self.sp[1].copy()]
        c.sp_held = [self.sp_held[0].copy(), self.sp_held[1].copy()]
        c.events = []
        c.memo = {}
        return c
