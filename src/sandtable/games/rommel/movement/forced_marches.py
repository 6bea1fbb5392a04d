"""6.4 Forced marches: one hex more, at the risk of disruption.

All of them are declared after the other moves and partial retreats of the phase (6.4b, A48), then
rolled for one by one. Two kinds of unit may try: one that has moved as far as it can goes one hex on
from where it stands; one that could join a regroup move only so goes all the way to its destination
(6.4f). A march off the map (17.1a) is declared to the edge hex in which the unit stands.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Reason, Term
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, hexes_of, mask_of
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.phases import Once, Phase, Routes

from ..combat.engagement import (
    FULL,
    GATHERED,
    GRADE_WORTH,
    HEX_WORTH,
    PARTIAL,
    UNPROBED,
    count_entry,
    exit_map,
    go,
    grade_kept,
    has_gathered,
    hexes_moved,
    in_rommel_move,
    plan_to_leave,
)
from ..paths.reach import OPPOSITE, Path, Reach, full, name, reach, ways_into, why_not_through
from ..paths.withdrawal import Lines, at_start
from ..table import verbs
from ..table.board import units_of
from ..table.ids import (
    F_LEAVE_HEX,
    F_MARCH,
    F_MARCH_ROLL,
    F_ROUT,
    NO_DIR,
    NO_ROAD,
    PASS,
)
from ..table.state import State, disrupt, emit, firm_in, lose_step
from ..table.steps import LeaveHexAt, MarchAt, RoutAt, UnitAt

SUCCEEDS = 4
"""6.4d the lowest number with which a march succeeds."""


def marchers(s: State) -> int:
    """The units of the Active side that may try a forced march, as a unit mask.

    Units that moved this phase and did not engage; units that wait to join a regroup move.
    """
    found = 0
    own = s.board.of_side[s.active] & ~s.marching
    start, far, at = s.start, s.moved_far, s.at
    for u in units_of(s.moved & own):
        if start[u] >= 0 and HEX_WORTH <= far[u] < GATHERED and at[u] >= 0:
            found |= 1 << u
    return found | waiting(s, own)


def is_on_the_way(s: State, u: int) -> bool:
    """6.4a it has made its move, and may go on: a unit that engaged had to stop (6.0c, 11.4c), and a regroup
    move goes to one hex and no farther (5.2a)."""
    return s.start[u] >= 0 and HEX_WORTH <= s.moved_far[u] < GATHERED


def is_waiting(s: State, u: int) -> bool:
    """6.4f it could join a regroup move only by a forced march."""
    return s.plan[u] >= 0 and s.start[u] < 0 and not s.disrupted >> u & 1


def waiting(s: State, units: int) -> int:
    """Those of these units that wait so, as a unit mask. Mostly there are none."""
    plan, start = s.plan, s.start
    if max(plan) < 0:
        return 0
    return sum([1 << u for u in units_of(units & s.placed & ~s.disrupted) if plan[u] >= 0 > start[u]])


def slack(s: State, u: int, grade: int) -> int:
    """6.4a, A20 how many hexes short of its maximum a unit has stopped, if it goes on by such a road.

    The whole way counts by its worst grade (A19): 0 means that one hex more is a forced march.
    """
    board = s.board
    worst = max(grade, grade_kept(s, u))
    return board.speed[u] + in_rommel_move(s, u) + board.bonus_hexes[worst] - hexes_moved(s, u)


@remembered(4096)
def roads_on(bonus: tuple[int, ...], speed: int, moved_far: int) -> tuple[bool, ...]:
    """By grade of road whether its `slack` is 0 for a unit that has moved so; nothing if it is for none."""
    kept = moved_far % HEX_WORTH // GRADE_WORTH
    used = moved_far % GATHERED // HEX_WORTH - speed - (moved_far & 1)
    grades = tuple(bonus[max(grade, kept)] == used for grade in range(NO_ROAD + 1))
    return grades if True in grades else ()


def onward(s: State, u: int, lines: Lines | None) -> list[tuple[Hex, int]]:
    """6.4 the hexes (and sides of them) into which a unit that has moved may march one hex farther."""
    board = s.board
    grades = roads_on(board.bonus_hexes, board.speed[u], s.moved_far[u])
    if not grades:
        return []
    h = s.at[u]
    side = board.side[u]
    enemies = s.occ[1 - side]
    # 7.2f a unit that disengaged engages nobody; one that withdraws only disrupted enemies (5.3i, A50)
    shy = s.disengaged >> u & 1
    back = None if lines is None else {n for _, n in lines.back(u, h)}
    found: list[tuple[Hex, int]] = []
    grade = board.grade[h]
    for d, n in board.steps[h]:
        if not grades[grade[d]] or (back is not None and n not in back):
            continue
        if not enemies >> n & 1:
            found.append((n, NO_DIR))
        elif not shy and not (lines is not None and s.firm[1 - side] >> n & 1):
            via = OPPOSITE[d]
            if not full(s, via) >> n & 1:
                found.append((n, via))
    if can_march_off(s, u, lines):
        found.append((h, NO_DIR))
    return sorted(found)


def can_march_off(s: State, u: int, lines: Lines | None) -> bool:
    """17.1a, M12 whether the forced march may leave the map."""
    board = s.board
    h = s.at[u]
    return (
        lines is None
        and bool(board.exits[board.side[u]] >> h & 1)
        and not (s.unsupplied | s.disengaged) >> u & 1
        and slack(s, u, board.exit_road.get(h, NO_ROAD)) == 0
    )


def joining(s: State, u: int, lines: Lines | None) -> Reach:
    """6.4f the reach of a unit that marches to join a regroup move: its maximum and one hex more."""
    bonus = in_rommel_move(s, u) + 1
    return reach(s, u, bonus) if lines is None else lines.way(u, bonus, overruns=True)


def targets(s: State, u: int, lines: Lines | None) -> list[tuple[Hex, int]]:
    """The hexes (and sides of them) that a unit may try to reach by forced march."""
    if is_on_the_way(s, u):
        return onward(s, u, lines)
    h = s.plan[u]
    return [(h, via) for via in ways_into(s, joining(s, u, lines), h)]


def withdrawing(s: State) -> Lines | None:
    """A17 in one's own Pass turn a forced march goes back along the line like the rest of the withdrawal."""
    return Lines(s, at_start(s)) if s.option == PASS else None


def marches(s: State, f: MarchAt, now: None) -> list[Action]:
    """Every forced march that can be declared now."""
    lines = withdrawing(s)
    return [(verbs.MARCH, u, h, via) for u in units_of(marchers(s)) for h, via in targets(s, u, lines)]


def declare(s: State, f: MarchAt, u: int, h: Hex, via: int) -> None:
    s.marching |= 1 << u
    s.march_order[u] = 1 + max(s.march_order)
    s.plan[u] = h
    if via != NO_DIR:
        s.via[u] = via
        count_entry(s, h, via)  # 7.1 counts as declared
    data = {"from": s.at[u], "to": h, "via": via, "side": s.active}
    emit(s, "march_declared", "6.4b", data, s.active, {"unit": u})


def all_declared(s: State, f: MarchAt) -> None:
    s.stack[-1] = MarchAt(F_MARCH, f.blitz, 1)


def march_odds(s: State, f: MarchAt, action: Action) -> Odds:
    """6.4d, 6.4e What the die brings."""
    terms = [
        Term("4, 5, 6", "6.4d", "the march succeeds"),
        Term("1, 2, 3", "6.4e", "the unit is disrupted"),
    ]
    if disengages(s, action[1]):
        terms.append(Term(term("-1 step"), "6.4h", "lost besides on 1, 2 or 3, as it disengages"))
    half = Fraction(1, 2)
    title = Text("Forced march to {hex}", hex=name(s, action[2]))
    return Odds(title, tuple(terms), ((term("success"), half), (term("failure"), half)))


class March(Phase[State, MarchAt, None]):
    """6.4b Forced marches are declared, then rolled for. Frame: blitz, and 1 once all are declared.

    Whether a unit has used all its movement is its owner's secret, so he is asked whenever a unit moved,
    or a regroup move ended without one, which must then consist of marches.
    """

    at = MarchAt
    does = (
        Routes(
            verbs.MARCH,
            of=marches,
            reason=lambda s, f, now, args: why_no_march(s, *args),
            take=declare,
            odds=march_odds,
        ),
        Once(verbs.MARCHES, take=all_declared),
    )

    def actor(self, s: State, f: MarchAt) -> int | None:
        if f.declared == 1:
            return None
        own = s.board.of_side[s.active]
        for u in units_of(s.moved & own):
            if s.start[u] >= 0:
                return s.active
        return s.active if waiting(s, own & ~s.moved) else None

    def run(self, s: State, f: MarchAt) -> None:
        awaited = {s.plan[u] for u in units_of(s.marching)}
        due = [h for h in hexes_of(s.overrun) if h not in awaited]
        if due:  # 11.4b an overrun is resolved when nobody else is to march into the hex
            s.overrun &= ~mask_of(due)
            s.stack.extend(RoutAt(F_ROUT, h, 1 - s.active, 0) for h in due)
        elif s.marching:  # in the order of their declaration, which both have seen
            s.stack.append(UnitAt(F_MARCH_ROLL, min(units_of(s.marching), key=s.march_order.__getitem__)))
        else:
            s.stack.pop()

    def now(self, s: State, f: MarchAt) -> None:
        return None

    def prompt(self, s: State, f: MarchAt) -> Prompt:
        text = Text("{n} declared; on 1, 2 or 3 a marching unit is disrupted", n=s.marching.bit_count())
        return Prompt("Declare forced marches", text, ("6.4b", "6.4e"), "movement")


def why_no_march(s: State, u: int, h: Hex, via: int) -> Reason:
    """Why a unit cannot try such a forced march."""
    board = s.board
    if board.side[u] != s.active:
        return Reason("3.4b", Text("{unit} is not yours", unit=u))
    if s.marching >> u & 1:
        return Reason("6.4a", Text("{unit} has been declared: a forced march is one hex", unit=u))
    if is_waiting(s, u):
        if h != s.plan[u]:
            return Reason(
                "6.4f", Text("{unit} may march only to {to}, where the regroup move goes", unit=u, to=s.plan[u])
            )
        return why_not_joining(s, u, h, via)
    if not is_on_the_way(s, u):
        if s.at[u] >= 0 and s.occ[1 - s.active] >> s.at[u] & 1:
            return Reason("6.0c", Text("{unit} is engaged and goes no farther", unit=u))
        if has_gathered(s, u):
            return Reason("5.2a", Text("{unit} has reached the one hex to which its regroup move goes", unit=u))
        return Reason("6.4a", Text("{unit} has not moved as far as it can in this phase", unit=u))
    d = board.grid.direction(s.at[u], h)
    if h == s.at[u]:
        return Reason("17.1a", Text("{unit} may not leave the map here", unit=u))
    if d < 0:
        return Reason("6.4a", Text("{hex} is not beside {unit}: a forced march is one hex", hex=h, unit=u))
    if not board.open[d] >> s.at[u] & 1:
        return Reason("1.4b", Text("the hexside to {hex} cannot be crossed", hex=h))
    left = slack(s, u, board.grade[s.at[u]][d])
    if left > 0:
        return Reason(
            "6.4a", Text("{unit} has stopped {left} short of its maximum: it could have moved there", unit=u, left=left)
        )
    if left < 0:
        return Reason(
            "6.2b", Text("{unit} has used the road bonus: off that road it would be more than one hex too far", unit=u)
        )
    lines = withdrawing(s)
    onto_line = lines is None or any(n == h for _, n in lines.back(u, s.at[u]))
    if s.occ[1 - s.active] >> h & 1:
        if s.disengaged >> u & 1:
            return Reason("7.2f", Text("{unit} disengaged and may not engage again this turn", unit=u))
        if lines is not None and s.firm[1 - s.active] >> h & 1:
            return Reason("5.3i", "a withdrawing unit does not engage")
        if onto_line and full(s, OPPOSITE[d]) >> h & 1:
            narrow = board.narrow[d] >> s.at[u] & 1
            return Reason(
                "7.1c" if narrow else "7.1b",
                Text("no more units may engage there through the {via} side", via=OPPOSITE[d]),
            )
        if onto_line:
            return Reason(
                "7.1a", Text("enemies are in {hex}: it engages them through the {via} side", hex=h, via=OPPOSITE[d])
            )
    elif via != NO_DIR:
        return Reason("7.0a", Text("there are no enemies in {hex}: no hexside is named for it", hex=h))
    return Reason("5.3e", Text("{hex} is not back along its supply line", hex=h))


def why_not_joining(s: State, u: int, h: Hex, via: int) -> Reason:
    """6.4f why a unit cannot march to the destination of its regroup move, through this side of it."""
    r = joining(s, u, withdrawing(s))
    if r.free >> h & 1:
        return Reason("7.0a", Text("there are no enemies in {hex}: no hexside is named for it", hex=h))
    if not r.engaged >> h & 1:
        return Reason("6.4f", Text("{unit} cannot reach {hex} even with one hex more", unit=u, hex=h))
    if via == NO_DIR:
        return Reason("7.1a", Text("enemies are in {hex}: name the hexside by which the unit engages", hex=h))
    reason = why_not_through(s, r, h, via)
    assert reason is not None  # r engages the hex, so it is the side that is wrong
    return reason


def disengages(s: State, u: int) -> bool:
    """6.4h it has left a battle hex this turn, or is to leave one by this march."""
    return bool(s.disengaged >> u & 1 or s.occ[1 - s.active] >> s.at[u] & 1)


class MarchRoll(OneDie[State, UnitAt]):
    """6.4c One die for one unit."""

    at = UnitAt

    def prompt(self, s: State, f: UnitAt) -> Prompt:
        return Prompt("Forced march", "4, 5 and 6 succeed", ("6.4c", "6.4d"), "movement")

    def take(self, s: State, f: UnitAt, action: Action) -> None:
        u = f.unit
        s.stack.pop()
        s.marching &= ~(1 << u)
        h, via = s.plan[u], s.via[u]
        if not s.occ[1 - s.active] >> s.at[u] & 1:
            s.via[u] = NO_DIR
        success = action[1] >= SUCCEEDS
        data = {"hex": s.at[u], "to": h, "side": s.active, "die": action[1], "success": int(success)}
        emit(s, "marched", "6.4d" if success else "6.4e", data, s.active, {"unit": u}, final=True)
        if success:
            succeed(s, u, h, via)
        else:
            fail(s, u)


def succeed(s: State, u: int, h: Hex, via: int) -> None:
    """6.4d the unit makes the extra movement."""
    if is_on_the_way(s, u):
        march_on(s, u, h, via)
    elif s.occ[1 - s.active] >> s.at[u] & 1:
        march_out(s, u, h)
    else:
        march_to_join(s, u, h, via)


def march_on(s: State, u: int, h: Hex, via: int) -> None:
    """One hex farther from where it stands, or off the map."""
    rommel, start, here = in_rommel_move(s, u), s.start[u], s.at[u]
    if h == here:
        exit_map(s, u, Path((), NO_ROAD), rommel, "6.4d")
        return
    if via == NO_DIR and s.occ[1 - s.active] >> h & 1:  # enemies routed into the hex after the march was declared
        via = OPPOSITE[s.board.grid.direction(here, h)]
        if s.disengaged >> u & 1 or full(s, via) >> h & 1:
            return
        count_entry(s, h, via)
    go(s, u, Path((h,), NO_ROAD), rommel, "6.4d")
    s.start[u] = start


def march_out(s: State, u: int, h: Hex) -> None:
    """It leaves a battle hex to join the regroup move, with all that follows (10.3, 10.4).

    The hex is probed once in a phase (A22). The unit counts as marching until it has gone.
    """
    b = s.at[u]
    if not joining(s, u, withdrawing(s)).free >> h & 1:
        return
    probed = any(s.start[v] == b and s.disengaged >> v & 1 for v in units_of(s.moved))
    s.marching |= 1 << u
    plan_to_leave(s, u, h, in_rommel_move(s, u))
    kind = FULL if not firm_in(s, b, s.active) & ~s.leaving else UNPROBED if probed else PARTIAL
    s.stack.append(LeaveHexAt(F_LEAVE_HEX, b, 0, kind))


def march_to_join(s: State, u: int, h: Hex, via: int) -> None:
    """All the way to the destination of the regroup move, its maximum and one hex more."""
    r = joining(s, u, withdrawing(s))
    if not s.occ[1 - s.active] >> h & 1:
        via = NO_DIR
    elif via == NO_DIR:
        via = next(iter(ways_into(s, r, h)), NO_DIR)
        if via != NO_DIR:
            count_entry(s, h, via)
    if (r.free if via == NO_DIR else r.by_side[via]) >> h & 1:
        go(s, u, r.path(s.board, h, via), in_rommel_move(s, u), "6.4d")


def fail(s: State, u: int) -> None:
    """6.4e, 6.4g the unit stays and is disrupted; one that disengages loses a step besides (6.4h)."""
    b = 1 << u
    h = s.at[u]
    lost = disengages(s, u)
    s.moved |= b
    s.plan[u] = -1
    disrupt(s, u)
    emit(s, "disrupted", "6.4e", {"hex": h, "side": s.active}, s.active, {"unit": u})
    if lost:
        lose_step(s, u, "6.4h")
    if s.occ[1 - s.active] >> h & 1:
        s.stack.append(RoutAt(F_ROUT, h, s.active, 0))  # 11.3a if nobody protects it


FRAMES: dict[int, Frame[State, Any]] = {F_MARCH: March(), F_MARCH_ROLL: MarchRoll(verbs.ROLLED)}
