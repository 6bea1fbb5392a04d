"""5 Stacking."""

from __future__ import annotations

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.telling import emit

from . import verbs
from .ids import AFTER_MOVES, AFTER_STORM, F_OVERSTACK, PHASES, SOVIET
from .state import State, eliminate, units_in

# 5.1 The limit


def limit(s: State) -> int:
    """5.1a how many units of a side may be in one hex."""
    return int(s.board.pack.tables["limits"]["stacking"])


def free_kinds(s: State) -> tuple[int, ...]:
    """5.1b, A9 the kinds of which one unit a hex does not count, as unit masks."""
    kept = s.ground.kept
    found: tuple[int, ...] | None = kept.get("free_kinds")
    if found is None:
        names = s.board.pack.tables["limits"]["free_stacking_each"]
        found = kept["free_kinds"] = tuple(s.board.of_type.get(name, 0) for name in names)
    return found


def counted(s: State, h: Hex, units: int, with_corps: bool = False) -> int:
    """5.1 how many these units of one side count in this hex; `with_corps` as if the corps marker were there."""
    board = s.board
    count = units.bit_count()
    if units & board.white:
        for kind in free_kinds(s):  # 5.1b one of each kind counts nothing, A9 a second one counts
            if units & kind:
                count -= 1
    if (with_corps or h == s.corps) and units & board.of_side[SOVIET]:  # 5.1c, 15.7b up to three divisions count as one
        together = min((units & board.cavalry).bit_count(), CORPS_DIVISIONS)
        if together > 1:
            count -= together - 1
    return count


CORPS_DIVISIONS = 3  # 5.1c


def excess(s: State, h: Hex, side: int) -> int:
    """5.1 by how many units a side is over the limit in this hex; 0 if it is not."""
    units = units_in(s, h, side)
    if units.bit_count() <= 3:
        return 0
    return max(0, counted(s, h, units) - limit(s))


def full(s: State, h: Hex, u: int) -> bool:
    """Whether this unit, coming into this hex, would be over the limit."""
    units = units_in(s, h, s.board.side[u]) | 1 << u
    return units.bit_count() > 3 and counted(s, h, units) > limit(s)


# 5.2 When it counts


def overstacked(s: State, side: int, moment: int) -> Hex:
    """5.2b the first hex in which the limit is exceeded at this moment, -1 if there is none."""
    if moment == AFTER_STORM:  # at a mobile assault only the assaulting stack's hex is checked
        u = s.raid.bit_length() - 1
        return s.at[u] if u >= 0 and excess(s, s.at[u], side) else -1
    own = s.board.of_side[side]
    found = [h for h, units in s.here.items() if (units & own).bit_count() > 3 and excess(s, h, side)]
    return min(found) if found else -1


def droppable(s: State, h: Hex, side: int) -> int:
    """5.2c the units whose loss would help: not those that count nothing there."""
    units = units_in(s, h, side)
    count = counted(s, h, units)
    return sum(1 << u for u in units_of(units) if counted(s, h, units & ~(1 << u)) < count)


class Overstack(Frame[State]):
    """5.2c Too many units in a hex: the owner eliminates some. Frame: side, moment."""

    def actor(self, s: State, f: F) -> int | None:
        return f[1] if overstacked(s, f[1], f[2]) >= 0 else None

    def run(self, s: State, f: F) -> None:
        s.stack.pop()

    def legal(self, s: State, f: F) -> list[Action]:
        h = overstacked(s, f[1], f[2])
        return [(verbs.DROP, u) for u in units_of(droppable(s, h, f[1]))]

    def take(self, s: State, f: F, action: Action) -> None:
        u = action[1]
        emit(s, "overstacked", "5.2c", {"unit": u, "hex": s.at[u], "side": f[1]})
        eliminate(s, u, "5.2c")  # A10 the whole unit

    def prompt(self, s: State, f: F) -> Prompt:
        h = overstacked(s, f[1], f[2])
        over = excess(s, h, f[1])
        when = ("5.2b", "end of the movement phase") if f[2] == AFTER_MOVES else ("5.2b", "stacking is checked now")
        text = f"{s.board.hex_name(h)} holds {over} too many ({when[1]}): eliminate a unit"
        return Prompt("Too many units in a hex", text, ("5.2c", when[0], "5.1a"), PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != verbs.DROP:
            return Reason("5.2c", "first eliminate units until the stacking limit is met")
        h, u = overstacked(s, f[1], f[2]), action[1]
        who = s.board.unit_names[u]
        if s.board.side[u] != f[1]:
            return Reason("5.2c", f"{who} is not yours")
        if s.at[u] != h:
            return Reason("5.2c", f"{who} is not in {s.board.hex_name(h)}, where there are too many")
        return Reason("5.1b", f"{who} does not count for stacking there: its loss would not help")


FRAMES: dict[int, Frame[State]] = {F_OVERSTACK: Overstack()}
