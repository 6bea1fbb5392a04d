"""20.4.2 to 20.4.4 Conversions: old units become new ones."""

from __future__ import annotations

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.shown.telling import emit

from ..supply.supply_lines import full
from ..table.frames import ConvertAt
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


class Convert(Frame[State, ConvertAt]):
    """20.4.3 Two old units become one or two new ones with as many steps. Frame: index, then once it is agreed the
    steps that are left to give, and those of each new unit."""

    at = staticmethod(ConvertAt.of)

    def change(self, s: State, f: ConvertAt) -> Conversion:
        return script(s).conversions[f.number]

    def room(self, s: State, f: ConvertAt) -> list[int]:
        """20.4.3b the new units that can take another step."""
        new = self.change(s, f).new
        return [u for u, has in zip(new, f.has, strict=True) if has < s.board.steps_of[u]]

    def actor(self, s: State, f: ConvertAt) -> int | None:
        if f.steps < 0:
            return AXIS
        return AXIS if f.steps and len(self.room(s, f)) > 1 else None

    def run(self, s: State, f: ConvertAt) -> None:
        room = self.room(s, f)
        if f.steps and room:
            self.give(s, f, room[0])
        else:
            s.stack.pop()
            self.place(s, f)

    def legal(self, s: State, f: ConvertAt) -> list[Action]:
        if f.steps < 0:
            return [(V_CONVERT, self.change(s, f).new[0]), (V_PUT_OFF,)]
        return [(V_GIVE, u) for u in self.room(s, f)]

    def take(self, s: State, f: ConvertAt, action: Action) -> None:
        if action[0] == V_PUT_OFF:
            s.stack.pop()
        elif action[0] == V_CONVERT:
            change = self.change(s, f)
            steps = sum(steps_left(s, 1 << u) for u in change.old if s.at[u] != ELIMINATED)
            s.stack[-1] = ConvertAt(F_CONVERT, f.number, steps, (0,) * len(change.new))
        else:
            self.give(s, f, action[1])

    def give(self, s: State, f: ConvertAt, u: int) -> None:
        new = self.change(s, f).new
        has = [n + (v == u) for v, n in zip(new, f.has, strict=True)]
        s.stack[-1] = f._replace(steps=f.steps - 1, has=tuple(has))

    def place(self, s: State, f: ConvertAt) -> None:
        """20.4.3b, 20.4.3c the new units where the old ones were, those without a step in the Eliminated Box."""
        change = self.change(s, f)
        place = max(s.at[u] for u in change.old)
        order = max(order_of(s, u) for u in change.old)
        old = sum(1 << u for u in change.old)
        marks = [mark for mark in KEPT if getattr(s, mark) & old]
        for u in change.old:
            clear_marks(s, u)
            put(s, u, REMOVED)
        for u, steps in zip(change.new, f.has, strict=True):
            s.step[u] = s.board.steps_of[u] - max(1, steps)
            if steps:
                for mark in marks:
                    setattr(s, mark, getattr(s, mark) | 1 << u)
            put(s, u, place if steps else ELIMINATED)
            if steps:
                set_order(s, u, order)
            data = {"units": list(change.old), "unit": u, "side": change.side, "shows": s.step[u], "steps": steps}
            emit(s, "converted", change.rule + "b", data)

    def prompt(self, s: State, f: ConvertAt) -> Prompt:
        change = self.change(s, f)
        old, new = (", ".join(s.board.unit_names[u] for u in units) for units in (change.old, change.new))
        if f.steps < 0:
            return Prompt(
                "Convert a pair of units?",
                Text("{old} become {new}", old=old, new=new),
                ("20.4.3a", "20.4.3b"),
                "preparation",
            )
        return Prompt(
            "Which new unit gets a step?",
            Text("{steps} to share between {new}", steps=f.steps, new=new),
            ("20.4.3b",),
            "preparation",
        )

    def why_not(self, s: State, f: ConvertAt, action: Action) -> Reason | None:
        if action[0] == V_CONVERT:
            return Reason("20.4.3a", Text("{unit} cannot be made now", unit=s.board.unit_names[action[1]]))
        if action[0] == V_GIVE and f.steps >= 0:
            return Reason(
                "20.4.3b", Text("{unit} cannot take another step of this pair", unit=s.board.unit_names[action[1]])
            )
        return None
