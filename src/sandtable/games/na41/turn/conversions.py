"""20.4.2 to 20.4.4 Conversions: old units become new ones."""

from __future__ import annotations

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.mechanics.telling import emit

from ..supply.supply_lines import full
from ..table.ids import ASIDE, AXIS, ELIMINATED, F_CONVERT, REMOVED
from ..table.position import clear_marks, order_of, put, set_order, steps_left
from ..table.scenarios import Conversion, script
from ..table.state import State
from ..table.verbs import V_CONVERT, V_GIVE, V_PUT_OFF

KEPT = ("disrupted", "routed", "oos", "isolated", "depleted", "shipped", "flown", "railed", "refreshed")
"""20.4.2, 20.4.3 the marks that a successor takes over: those of either unit of a pair."""


def convert_in_place(s: State) -> None:
    """20.4.2, 20.4.4 each old unit is replaced wherever it is by its successor at the same step, without a marker."""
    for change in script(s).conversions:
        if not change.pair and s.turn >= change.from_turn and s.at[change.new[0]] == ASIDE:
            old, new = change.old[0], change.new[0]
            succeed(s, old, new, s.step[old])
            emit(s, "converted", change.rule, {"units": [old], "unit": new, "side": change.side, "shows": s.step[new]})


def succeed(s: State, old: int, new: int, step: int) -> None:
    """A new counter lies where the old one lay, which leaves the game."""
    place = s.at[old]
    for mark in (*KEPT, "fed"):  # 16.2d its place at a port too
        if getattr(s, mark) >> old & 1:
            setattr(s, mark, getattr(s, mark) | 1 << new)
    s.step[new] = step
    s.due[new], s.due[old] = s.due[old], 0
    clear_marks(s, old)
    put(s, old, REMOVED)
    put(s, new, place)


# 20.4.3 Pairs


def open_pairs(s: State) -> list[int]:
    """20.4.3a, 20.4.3b the pairs that can be converted now, and in every later Preparation Phase."""
    return [i for i, change in enumerate(script(s).conversions) if change.pair and ready(s, change)]


def ready(s: State, change: Conversion) -> bool:
    """20.4.3a, A31 both in full supply and stacked together; 20.4.3c one or both may be in the Eliminated Box."""
    if s.turn < change.from_turn or any(s.at[u] != ASIDE for u in change.new):
        return False
    places = {s.at[u] for u in change.old} - {ELIMINATED}
    return all(h >= 0 and full(s, change.side) >> h & 1 for h in places) and len(places) <= 1


class Convert(Frame[State]):
    """20.4.3 Two old units become one or two new ones with as many steps. Frame: index, then once it is agreed the
    steps that are left to give, and those of each new unit."""

    def change(self, s: State, f: F) -> Conversion:
        return script(s).conversions[f[1]]

    def room(self, s: State, f: F) -> list[int]:
        """20.4.3b the new units that can take another step."""
        new = self.change(s, f).new
        return [u for u, has in zip(new, f[3:], strict=True) if has < s.board.steps_of[u]]

    def actor(self, s: State, f: F) -> int | None:
        if len(f) == 2:
            return AXIS
        return AXIS if f[2] and len(self.room(s, f)) > 1 else None

    def run(self, s: State, f: F) -> None:
        room = self.room(s, f)
        if f[2] and room:
            self.give(s, f, room[0])
        else:
            s.stack.pop()
            self.place(s, f)

    def legal(self, s: State, f: F) -> list[Action]:
        if len(f) == 2:
            return [(V_CONVERT, self.change(s, f).new[0]), (V_PUT_OFF,)]
        return [(V_GIVE, u) for u in self.room(s, f)]

    def take(self, s: State, f: F, action: Action) -> None:
        if action[0] == V_PUT_OFF:
            s.stack.pop()
        elif action[0] == V_CONVERT:
            change = self.change(s, f)
            steps = sum(steps_left(s, 1 << u) for u in change.old if s.at[u] != ELIMINATED)
            s.stack[-1] = (F_CONVERT, f[1], steps, *(0 for _ in change.new))
        else:
            self.give(s, f, action[1])

    def give(self, s: State, f: F, u: int) -> None:
        new = self.change(s, f).new
        has = [n + (v == u) for v, n in zip(new, f[3:], strict=True)]
        s.stack[-1] = (F_CONVERT, f[1], f[2] - 1, *has)

    def place(self, s: State, f: F) -> None:
        """20.4.3b, 20.4.3c the new units where the old ones were, those without a step in the Eliminated Box."""
        change = self.change(s, f)
        place = max(s.at[u] for u in change.old)
        order = max(order_of(s, u) for u in change.old)
        old = sum(1 << u for u in change.old)
        marks = [mark for mark in KEPT if getattr(s, mark) & old]
        for u in change.old:
            clear_marks(s, u)
            put(s, u, REMOVED)
        for u, steps in zip(change.new, f[3:], strict=True):
            s.step[u] = s.board.steps_of[u] - max(1, steps)
            if steps:
                for mark in marks:
                    setattr(s, mark, getattr(s, mark) | 1 << u)
            put(s, u, place if steps else ELIMINATED)
            if steps:
                set_order(s, u, order)
            data = {"units": list(change.old), "unit": u, "side": change.side, "shows": s.step[u], "steps": steps}
            emit(s, "converted", change.rule + "b", data)

    def prompt(self, s: State, f: F) -> Prompt:
        change = self.change(s, f)
        old, new = (", ".join(s.board.unit_names[u] for u in units) for units in (change.old, change.new))
        if len(f) == 2:
            return Prompt("Convert a pair of units?", f"{old} become {new}", ("20.4.3a", "20.4.3b"), "preparation")
        return Prompt("Which new unit gets a step?", f"{f[2]} to share between {new}", ("20.4.3b",), "preparation")

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] == V_CONVERT:
            return Reason("20.4.3a", f"{s.board.unit_names[action[1]]} cannot be made now")
        if action[0] == V_GIVE and len(f) > 2:
            return Reason("20.4.3b", f"{s.board.unit_names[action[1]]} cannot take another step of this pair")
        return None
