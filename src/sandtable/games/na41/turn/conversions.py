"""20.4.2 to 20.4.4 Conversions: old units become new ones."""

from __future__ import annotations

from sandtable.engine.contract import Prompt, Reason
from sandtable.engine.texts.text import Text
from sandtable.mechanics.phases import Forced, Once, Only
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


def change_of(s: State, f: ConvertAt) -> Conversion:
    return script(s).conversions[f.number]


def room(s: State, f: ConvertAt) -> int:
    """20.4.3b the new units that can take another step."""
    pairs = zip(change_of(s, f).new, f.has, strict=True) if f.steps > 0 else ()
    return sum(1 << u for u, has in pairs if has < s.board.steps_of[u])


def agree(s: State, f: ConvertAt, u: int) -> None:
    """20.4.3a the pair is converted: its steps are to be shared."""
    change = change_of(s, f)
    steps = sum(steps_left(s, 1 << u) for u in change.old if s.at[u] != ELIMINATED)
    s.stack[-1] = ConvertAt(F_CONVERT, f.number, steps, (0,) * len(change.new))


def give(s: State, f: ConvertAt, u: int) -> None:
    has = [n + (v == u) for v, n in zip(change_of(s, f).new, f.has, strict=True)]
    s.stack[-1] = f._replace(steps=f.steps - 1, has=tuple(has))


def place(s: State, f: ConvertAt) -> None:
    """20.4.3b, 20.4.3c the new units where the old ones were, those without a step in the Eliminated Box."""
    change = change_of(s, f)
    where = max(s.at[u] for u in change.old)
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
        put(s, u, where if steps else ELIMINATED)
        if steps:
            set_order(s, u, order)
        data = {"units": list(change.old), "unit": u, "side": change.side, "shows": s.step[u], "steps": steps}
        emit(s, "converted", change.rule + "b", data)


AGREED: Reason = Reason("20.4.3b", "the pair is being converted: share its steps out")


class Convert(Forced[State, ConvertAt, ConvertAt]):
    """20.4.3 Two old units become one or two new ones with as many steps. Frame: index, then once it is agreed the
    steps that are left to give, and those of each new unit."""

    at = staticmethod(ConvertAt.of)
    does = (
        Only(V_GIVE, "20.4.3b", "{unit} cannot take another step of this pair", room, take=give),
        Only(
            V_CONVERT,
            "20.4.3a",
            "{unit} cannot be made now",
            lambda s, f: 1 << change_of(s, f).new[0] if f.steps < 0 else 0,
            take=agree,
        ),
        Once(V_PUT_OFF, take=lambda s, f: s.stack.pop(), shut=lambda s, f: AGREED if f.steps >= 0 else None),
    )

    def chooser(self, s: State, f: ConvertAt) -> int:
        return AXIS

    def nothing(self, s: State, f: ConvertAt) -> None:
        s.stack.pop()
        place(s, f)

    def prompt(self, s: State, f: ConvertAt) -> Prompt:
        change = change_of(s, f)
        old, new = (", ".join(s.board.unit_names[u] for u in units) for units in (change.old, change.new))
        if f.steps < 0:
            text = Text("{old} become {new}", old=old, new=new)
            return Prompt("Convert a pair of units?", text, ("20.4.3a", "20.4.3b"), "preparation")
        text = Text("{steps} to share between {new}", steps=f.steps, new=new)
        return Prompt("Which new unit gets a step?", text, ("20.4.3b",), "preparation")
