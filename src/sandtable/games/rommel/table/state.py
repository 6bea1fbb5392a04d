"""What lies on the table, and the few ways in which it changes.

Sets of hexes are hex masks (`Mask`); sets of blocks are unit masks (int, one bit a block).
Everything a rule changes about a block goes through the functions here, so that the derived
masks (`placed`, `occ`, `firm`, `defends`) are always true.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Event, Outcome
from sandtable.engine.flat import Flat, cache, derived, given, hexes, number, row, units
from sandtable.engine.hexes import Hex, Mask

from .board import Board
from .ids import DEAD, NO_DIR, UNUSED


class State(Flat):
    """One game in progress."""

    apart = frozenset({"board"})
    """The same position on two boards made of the same pack is one position."""

    board: Board = given("map, blocks and charts", lambda board: board)
    scenario: str = given("which of the scenarios is played")
    flags: int = number("options of the game, see scenarios.py")
    # the engine's part
    stack: list[Any] = row(lambda _: [], "the sequence of play: frames")
    actor: int = number("who decides")
    events: list[Event] = cache("what has happened since the last decision", lambda _: [], "[]")
    choices: list[Action] | None = cache("the legal actions, if somebody has asked")
    ended: Outcome | None = given("how it ended")
    # blocks
    at: list[int] = row(lambda b: [UNUSED] * len(b.units), "unit -> hex, or a box of ids.py")
    cv: bytearray = row(lambda b: bytearray(len(b.units)), "unit -> current CV")
    here: list[int] = derived(lambda b: [0] * b.size, "hex -> unit mask")
    placed: int = derived(lambda _: 0, "the units in a hex, of both sides", "{}")
    occ: list[Mask] = derived(lambda _: [0, 0], "side -> hexes with any of its units")
    firm: list[Mask] = derived(lambda _: [0, 0], "side -> hexes with an undisrupted unit of it")
    # marks that a block carries openly
    disrupted: int = units("11.0")
    fresh: int = units("11.2d disrupted during an enemy turn: no recovery at the next initial check")
    unsupplied: int = units("12.7b out-of-supply markers")
    raiders: int = units("12.5f second markers")
    fort_supply: int = units("12.7c fortress-supply markers")
    oasis_supply: int = units("15.1")
    revealed: int = units("7.3, 8.5b lie face up")
    moved: int = units("units that moved this player turn (6.0d)")
    disengaged: int = units("7.2f")
    leaving: int = units("10.4 units declared to leave their battle hex")
    marching: int = units("6.4b forced marches declared")
    fired: int = units("9.0b in this round")
    retreating: int = units("10.5 under pursuit")
    assigned: list[int] = row(
        lambda b: [0] * (len(b.fortresses) + len(b.oases)),
        "13.3i, 15.1d units given supply this turn, by fortress and then by oasis",
    )
    via: bytearray = row(
        lambda b: bytearray([NO_DIR] * len(b.units)), "side of its battle hex by which a unit entered it (12.5e)"
    )
    # battles
    defends: list[Mask] = row(lambda _: [0, 0], "side -> battle hexes of which it is the Defender (8.3)")
    att_side: list[Mask] = row(lambda _: [0] * 6, "battle hexes whose side d belongs to the Attacker (8.1)")
    # the player turn
    active: int = number("whose player turn it is")
    option: int = number("4 the option he has chosen, -1 for none yet", -1)
    rommel_used: int = number("6.3a")
    no_fight: Mask = hexes("10.4e")
    # the movement phase
    entered: list[Mask] = row(lambda _: [0] * 12, "7.1: hexes engaged through side d once [d], twice [6 + d]")
    attacked: Mask = hexes("8.2 attacked in this movement phase")
    overrun: Mask = hexes("11.4 hexes whose disrupted enemies wait to be routed")
    plan: list[int] = row(lambda b: [-1] * len(b.units), "destination of a leaving or marching unit")
    start: list[int] = row(lambda b: [-1] * len(b.units), "hex where a unit began its move of this phase")
    moved_far: bytearray = row(
        lambda b: bytearray(len(b.units)), "6.4: hexes moved * 8 + grade kept * 2 + rommel (engagement.py)"
    )
    march_order: bytearray = row(
        lambda b: bytearray(len(b.units)), "6.4b which march a unit's was: the first, the second, …"
    )
    mines_touched: Mask = hexes("14.2b secret minefields entered in this phase")
    before: State | None = cache("5.3d the start of a withdrawal move, kept by withdrawal.py", copied="None")
    # combat
    to_fight: Mask = hexes("8.6e battles that will be fought")
    assaults: Mask = hexes("8.6f those that are assaults")
    hits: list[int] = row(lambda _: [0, 0, 0, 0], "by target class, in half hits (A51)")
    # the month
    month: int = number("the number of the month in the calendar")
    first: int = number("who has the initiative")
    passed: int = number("the last player turns of this month that were passes")
    # cards: by side; played face down this turn, spent this month: (real, dummy)
    real: list[int] = row(lambda _: [0, 0], "side -> real cards in hand")
    dummy: list[int] = row(lambda _: [0, 0], "side -> dummy cards in hand")
    played: list[int] = row(lambda _: [0, 0], "real and dummy cards played face down this turn")
    spent: list[int] = row(lambda _: [0, 0], "real and dummy cards spent this month")
    # buildup
    bp: list[int] = row(lambda _: [0, 0], "side -> buildup points")
    bought: list[int] = row(lambda _: [0, 0], "side -> extra cards bought")
    bonus: list[int] = row(lambda _: [0, 0], "side -> bonus cards due (13.4c)")
    nets: list[Mask] = row(lambda _: [0, 0], "12.7j side -> its network, fixed for the Buildup")
    port_used: list[int] = row(lambda b: [0] * len(b.fortresses), "16.53f fortress -> capacity used")
    lifted: Mask = hexes("16.55b the two minefields just dismantled")
    # fortresses, minefields, exits
    fort_owner: list[int] = row(lambda b: [0] * len(b.fortresses), "13.1 fortress -> side")
    captured: list[int] = row(lambda b: [0] * len(b.fortresses), "13.4e captured this month")
    mines: list[Mask] = row(lambda _: [0, 0], "secret minefields by the side that knows them")
    mines_open: Mask = hexes("disclosed minefields")
    exited: list[int] = row(lambda _: [0, 0], "17.1a side -> units that have left the map")


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
