"""What lies on the table, and the few ways in which it changes.

Sets of hexes are hex masks (`Mask`); sets of blocks are unit masks (int, one bit a block).
Everything a rule changes about a block goes through the functions here, so that the derived
masks (`placed`, `occ`, `firm`, `defends`) are always true.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Choices, Event, Outcome
from sandtable.engine.hexes import Hex, Mask

from .board import Board
from .ids import DEAD, NO_DIR, UNUSED


class State:
    """One game in progress. Flat: copying takes microseconds."""

    caches = ("before",)
    """What a state keeps to save work; the same position may lack it."""

    __slots__ = (
        "active",
        "actor",
        "assaults",
        "assigned",
        "at",
        "att_side",
        "attacked",
        "before",
        "board",
        "bonus",
        "bought",
        "bp",
        "captured",
        "choices",
        "cv",
        "defends",
        "disengaged",
        "disrupted",
        "dummy",
        "ended",
        "entered",
        "events",
        "exited",
        "fired",
        "firm",
        "first",
        "flags",
        "fort_owner",
        "fort_supply",
        "fresh",
        "here",
        "hits",
        "leaving",
        "lifted",
        "march_order",
        "marching",
        "mines",
        "mines_open",
        "mines_touched",
        "month",
        "moved",
        "moved_far",
        "nets",
        "no_fight",
        "oasis_supply",
        "occ",
        "option",
        "overrun",
        "passed",
        "placed",
        "plan",
        "played",
        "port_used",
        "raiders",
        "real",
        "retreating",
        "revealed",
        "rommel_used",
        "scenario",
        "spent",
        "stack",
        "start",
        "to_fight",
        "unsupplied",
        "via",
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
        # blocks
        self.at: list[int] = [UNUSED] * n  # unit -> hex, or a box of ids.py
        self.cv = bytearray(n)  # unit -> current CV
        self.here: list[int] = [0] * board.size  # hex -> unit mask
        self.placed = 0  # the units in a hex, of both sides
        self.occ: list[Mask] = [0, 0]  # side -> hexes with any of its units
        self.firm: list[Mask] = [0, 0]  # side -> hexes with an undisrupted unit of it
        self.disrupted = 0  # 11.0
        self.fresh = 0  # 11.2d disrupted during an enemy turn: no recovery at the next initial check
        self.unsupplied = 0  # 12.7b out-of-supply markers
        self.raiders = 0  # 12.5f second markers
        self.fort_supply = 0  # 12.7c fortress-supply markers
        self.oasis_supply = 0  # 15.1
        # 13.3i, 15.1d units given supply this turn, by fortress and then by oasis
        self.assigned: list[int] = [0] * (len(board.fortresses) + len(board.oases))
        self.revealed = 0  # 7.3, 8.5b lie face up
        self.via = bytearray([NO_DIR] * n)  # side of its battle hex by which a unit entered it (12.5e)
        # battles
        self.defends: list[Mask] = [0, 0]  # side -> battle hexes of which it is the Defender (8.3)
        self.att_side: list[Mask] = [0] * 6  # battle hexes whose side d belongs to the Attacker (8.1)
        # the player turn
        self.active = 0
        self.option = -1
        self.moved = 0  # units that moved this player turn (6.0d)
        self.disengaged = 0  # 7.2f
        self.rommel_used = 0  # 6.3a
        self.no_fight: Mask = 0  # 10.4e
        # the movement phase
        self.entered: list[Mask] = [0] * 12  # 7.1: hexes engaged through side d once [d], twice [6 + d]
        self.attacked: Mask = 0  # 8.2 attacked in this movement phase
        self.overrun: Mask = 0  # 11.4 hexes whose disrupted enemies wait to be routed
        self.leaving = 0  # 10.4 units declared to leave their battle hex
        self.plan: list[int] = [-1] * n  # destination of a leaving or marching unit
        self.start: list[int] = [-1] * n  # hex where a unit began its move of this phase
        self.moved_far = bytearray(n)  # 6.4: hexes moved * 8 + grade kept * 2 + rommel (engagement.py)
        self.marching = 0  # 6.4b forced marches declared
        self.march_order = bytearray(n)  # 6.4b which of them a unit's was: the first, the second, …
        self.mines_touched: Mask = 0  # 14.2b secret minefields entered in this phase
        self.before: State | None = None  # 5.3d the start of a withdrawal move, kept by withdrawal.py
        # combat
        self.to_fight: Mask = 0
        self.assaults: Mask = 0
        self.fired = 0
        self.hits: list[int] = [0, 0, 0, 0]  # by target class, in half hits (A51)
        self.retreating = 0  # units under pursuit
        # the month
        self.month = 0
        self.first = 0  # who has the initiative
        self.passed = 0  # the last player turn of this month was a pass
        # cards: by side; played face down this turn, spent this month: (real, dummy)
        self.real: list[int] = [0, 0]
        self.dummy: list[int] = [0, 0]
        self.played: list[int] = [0, 0]
        self.spent: list[int] = [0, 0]
        # buildup
        self.bp: list[int] = [0, 0]
        self.bought: list[int] = [0, 0]  # extra cards
        self.bonus: list[int] = [0, 0]  # bonus cards due (13.4c)
        self.nets: list[Mask] = [0, 0]  # 12.7j networks fixed for the Buildup
        self.port_used: list[int] = [0] * len(board.fortresses)
        self.lifted: Mask = 0  # 16.55b the two minefields just dismantled
        # fortresses, minefields, exits
        self.fort_owner: list[int] = [0] * len(board.fortresses)
        self.captured: list[int] = [0] * len(board.fortresses)  # 13.4e captured this month
        self.mines: list[Mask] = [0, 0]  # secret minefields by the side that knows them
        self.mines_open: Mask = 0  # disclosed minefields
        self.exited: list[int] = [0, 0]

    def copy(self) -> State:
        c = object.__new__(State)
        c.board = self.board
        c.scenario = self.scenario
        c.flags = self.flags
        c.stack = self.stack[:]
        c.actor = self.actor
        c.events = []
        # what is not listed looks at this table, not at the copy
        c.choices = self.choices if isinstance(self.choices, list) else None
        c.ended = self.ended
        c.at = self.at[:]
        c.cv = self.cv[:]
        c.here = self.here[:]
        c.placed = self.placed
        c.occ = self.occ[:]
        c.firm = self.firm[:]
        c.disrupted = self.disrupted
        c.fresh = self.fresh
        c.unsupplied = self.unsupplied
        c.raiders = self.raiders
        c.fort_supply = self.fort_supply
        c.oasis_supply = self.oasis_supply
        c.assigned = self.assigned[:]
        c.revealed = self.revealed
        c.via = self.via[:]
        c.defends = self.defends[:]
        c.att_side = self.att_side[:]
        c.active = self.active
        c.option = self.option
        c.moved = self.moved
        c.disengaged = self.disengaged
        c.rommel_used = self.rommel_used
        c.no_fight = self.no_fight
        c.entered = self.entered[:]
        c.attacked = self.attacked
        c.overrun = self.overrun
        c.leaving = self.leaving
        c.plan = self.plan[:]
        c.start = self.start[:]
        c.moved_far = self.moved_far[:]
        c.marching = self.marching
        c.march_order = self.march_order[:]
        c.mines_touched = self.mines_touched
        c.before = None
        c.to_fight = self.to_fight
        c.assaults = self.assaults
        c.fired = self.fired
        c.hits = self.hits[:]
        c.retreating = self.retreating
        c.month = self.month
        c.first = self.first
        c.passed = self.passed
        c.real = self.real[:]
        c.dummy = self.dummy[:]
        c.played = self.played[:]
        c.spent = self.spent[:]
        c.bp = self.bp[:]
        c.bought = self.bought[:]
        c.bonus = self.bonus[:]
        c.nets = self.nets[:]
        c.port_used = self.port_used[:]
        c.lifted = self.lifted
        c.fort_owner = self.fort_owner[:]
        c.captured = self.captured[:]
        c.mines = self.mines[:]
        c.mines_open = self.mines_open
        c.exited = self.exited[:]
        return c


# Asking


def units_in(s: State, h: Hex, side: int) -> int:
    """The units of a side in a hex, as a unit mask."""
    return s.here[h] & s.board.of_side[side]


def firm_in(s: State, h: Hex, side: int) -> int:
    """The undisrupted units of a side in a hex."""
    return s.here[h] & s.board.of_side[side] & ~s.disrupted


def battles(s: State) -> Mask:
    """1.2d hexes with units of both sides."""
    return s.occ[0] & s.occ[1]


def friendly_sides(s: State, h: Hex, side: int) -> list[bool]:
    """8.1 for each of the six sides of a battle hex, whether it belongs to `side`."""
    b = 1 << h
    if s.defends[side] & b:
        return [not m & b for m in s.att_side]
    return [bool(m & b) for m in s.att_side]


def owns_side(s: State, h: Hex, d: int, side: int) -> bool:
    """8.1 whether side `d` of battle hex `h` belongs to `side`."""
    attackers = s.att_side[d] >> h & 1
    return bool(attackers) != bool(s.defends[side] >> h & 1)


# Telling

_tuple = tuple.__new__


def in_sight(s: State, u: int) -> tuple[int, ...]:
    """0.3b What both players see of a block, whatever it is.

    Blocks that are dealt with one after the other come in an order made of this, never of their numbers:
    the order would tell the enemy which is which.
    """
    marks = 0
    for mask in (s.disrupted, s.fresh, s.unsupplied, s.raiders, s.fort_supply, s.oasis_supply, s.moved, s.disengaged):
        marks = marks << 1 | mask >> u & 1
    return s.at[u], s.via[u], s.start[u], s.moved_far[u], marks


def emit(
    s: State,
    kind: str,
    rule: str,
    data: dict[str, Any],
    owner: int = -1,
    secret: dict[str, Any] | None = None,
    hidden: bool = False,
    final: bool = False,
) -> None:
    """Tell that something happened; see `Event`, which is made here without the detour over its own `__new__`."""
    s.events.append(_tuple(Event, (kind, rule, data, owner, secret, hidden, final)))


# Changing


def _recount(s: State, h: Hex, side: int) -> None:
    """Bring the derived masks of one hex up to date after a change to one side's units in it; ends its battle
    when that side is gone (8.0a)."""
    b = 1 << h
    own = s.here[h] & s.board.of_side[side]
    occ, firm = s.occ, s.firm
    if own & ~s.disrupted:
        firm[side] |= b
        occ[side] |= b
        return
    if firm[side] & b:
        firm[side] ^= b
    if own:
        occ[side] |= b
    elif occ[side] & b:
        occ[side] ^= b
        if (s.defends[0] | s.defends[1]) & b:
            end_battle(s, h)


def end_battle(s: State, h: Hex) -> None:
    """8.0a, 7.3b: the battle in a hex is over; its blocks stand up again, its hexsides are nobody's."""
    b = ~(1 << h)
    s.defends[0] &= b
    s.defends[1] &= b
    for d in range(6):
        s.att_side[d] &= b
    s.attacked &= b
    s.to_fight &= b
    s.assaults &= b
    units = s.here[h]
    s.revealed &= ~units
    s.raiders &= ~units
    for u in _list(units):
        s.via[u] = NO_DIR  # 12.5f whoever has won the hex is no raider in it
    emit(s, "battle_over", "8.0a", {"hex": h})


def begin_battle(s: State, h: Hex, attacker: int) -> None:
    """8.2a, 8.3a: a new battle; the roles last as long as it does."""
    s.defends[1 - attacker] |= 1 << h
    s.attacked |= 1 << h


def put(s: State, u: int, h: int) -> None:
    """Put a unit into a hex or a box, from wherever it is."""
    old = s.at[u]
    b = 1 << u
    side = s.board.side[u]
    s.at[u] = h
    if old >= 0:
        s.here[old] ^= b
        s.revealed &= ~b
        s.raiders &= ~b
        s.via[u] = NO_DIR
        _recount(s, old, side)
    if h >= 0:
        s.here[h] |= b
        s.placed |= b
        _recount(s, h, side)
    else:
        s.placed &= ~b


def disrupt(s: State, u: int) -> None:
    """11.0 a unit becomes disrupted; in an enemy turn it is not ready to recover so soon (11.2d)."""
    b = 1 << u
    s.disrupted |= b
    s.revealed &= ~b  # 11.0b laid face down
    if s.board.side[u] != s.active:
        s.fresh |= b
    else:
        s.fresh &= ~b
    if s.at[u] >= 0:
        _recount(s, s.at[u], s.board.side[u])


def recover(s: State, u: int) -> None:
    """11.2 a unit recovers from disruption."""
    b = ~(1 << u)
    s.disrupted &= b
    s.fresh &= b
    if s.at[u] >= 0:
        _recount(s, s.at[u], s.board.side[u])


def eliminate(s: State, u: int, rule: str) -> None:
    """2.3d, 0.3f a unit is out of the game for good; it is laid face up beside the map."""
    h = s.at[u]
    b = ~(1 << u)
    s.cv[u] = 0
    put(s, u, DEAD)
    s.disrupted &= b
    s.fresh &= b
    s.unsupplied &= b
    s.fort_supply &= b
    s.oasis_supply &= b
    s.leaving &= b
    s.marching &= b
    s.retreating &= b
    s.plan[u] = -1
    emit(s, "eliminated", rule, {"unit": u, "hex": h, "side": s.board.side[u]}, final=True)


def lose_step(s: State, u: int, rule: str) -> None:
    """2.3a a unit loses one step; below its lowest CV it is eliminated."""
    cv = s.cv[u] - s.board.step_cv[u]
    if cv <= 0:
        eliminate(s, u, rule)
        return
    s.cv[u] = cv
    data: dict[str, Any] = {"hex": s.at[u], "side": s.board.side[u]}
    if s.revealed >> u & 1:
        emit(s, "step_lost", rule, {**data, "unit": u, "cv": cv})
    else:
        emit(s, "step_lost", rule, data, s.board.side[u], {"unit": u, "cv": cv})


def reveal(s: State, units: int, rule: str) -> None:
    """8.5b turn blocks face up."""
    new = units & ~s.revealed
    if new:
        s.revealed |= new
        u = (new & -new).bit_length() - 1
        emit(
            s, "revealed", rule, {"hex": s.at[u], "units": _list(new), "cvs": [s.cv[x] for x in _list(new)]}, final=True
        )


def _list(mask: int) -> list[int]:
    out: list[int] = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out
