"""13.4, 13.5 Recovery: the phasing player's units come back to order, one level in a phase."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.shown.telling import emit

from ..combat.strengths import is_elite, is_low
from ..table.frames import RallyAt, RecoveryAt
from ..table.ids import F_RALLY, F_RECOVERY, PHASES
from ..table.position import order_of, set_order, touch
from ..table.state import State
from ..table.verbs import V_ROLLED
from ..table.zones import ezoc

BEGIN = 0
"""The first step of F_RECOVERY; a later step n has seen to the units below number n."""


def out_of_order(s: State, side: int) -> int:
    """13.1.1a the units of a side that are Disrupted or in Full Retreat."""
    return (s.disrupted | s.routed) & s.board.of_side[side]


def recover(s: State, u: int, rule: str) -> None:
    """13.4a one level: Full Retreat to Disrupted, Disrupted to Good Order."""
    level = order_of(s, u) - 1
    set_order(s, u, level)
    data = {"unit": u, "hex": s.at[u], "side": s.board.side[u]}
    emit(s, "recovered", rule, {**data, "order": ("good_order", "disrupted")[level]})


class Recovery(Frame[State, RecoveryAt]):
    """3.2f First whoever is in no EZOC, then the rolls of the others, then the replacement markers. Frame: step."""

    at = RecoveryAt

    def run(self, s: State, f: RecoveryAt) -> None:
        step, zone = f.step, ezoc(s, s.active)  # 13.4b limited ZOCs count
        units = out_of_order(s, s.active)
        if step == BEGIN:
            s.retreated = s.sheltered = 0  # 12.3 the Combat Phase is over
            s.garrisons = []
            for u in units_of(units):
                if not zone >> s.at[u] & 1:
                    recover(s, u, "13.4a")
        pressed = [u for u in units_of(units) if u >= step and zone >> s.at[u] & 1]
        if pressed:
            s.stack[-1] = RecoveryAt(F_RECOVERY, pressed[0] + 1)
            s.stack.append(RallyAt(F_RALLY, pressed[0]))
        else:
            self.take_off(s)
            s.stack.pop()

    def take_off(self, s: State) -> None:
        """3.2f, 19.5e replacement markers come off."""
        marked = s.refreshed & s.board.of_side[s.active]
        if marked:
            s.refreshed &= ~marked
            touch(s)
            emit(s, "replacement_markers_off", "19.5e", {"side": s.active, "units": list(units_of(marked))})


# 13.5 The rally table


def rally_drm(s: State, u: int) -> int:
    """13.5b +2 in a port or fortification hex, +1 elite, -1 low quality."""
    board, h = s.board, s.at[u]
    drm: Mapping[str, int] = board.pack.tables["rally"]["drm"]
    total = drm["port_or_fortification"] if (board.ports | s.forts[board.side[u]]) >> h & 1 else 0
    return total + (drm["elite"] if is_elite(s, u) else drm["low"] if is_low(s, u) else 0)


class Rally(OneDie[State, RallyAt]):
    """13.5a The die of one unit in an EZOC. Frame: unit."""

    at = RallyAt

    def take(self, s: State, f: RallyAt, action: Action) -> None:
        s.stack.pop()
        u, die = f.unit, action[1]
        table: Mapping[str, Any] = s.board.pack.tables["rally"]
        drm = rally_drm(s, u)
        low, high = table["clamp"]
        rallied = max(low, min(high, die + drm)) in table["recovers_one_level"]
        data = {"unit": u, "hex": s.at[u], "side": s.board.side[u], "die": die, "drm": drm, "rallied": int(rallied)}
        emit(s, "rally", "13.5a", data, final=True)
        if rallied:
            recover(s, u, "13.5a")

    def prompt(self, s: State, f: RallyAt) -> Prompt:
        u = f.unit
        state = (term("in good order"), term("disrupted"), term("in Full Retreat"))[order_of(s, u)]
        text = Text(
            "{hex}: {state}, in an enemy zone; 5 or more with {rally_drm}",
            hex=s.board.hex_name(s.at[u]),
            state=state,
            rally_drm=f"{rally_drm(s, u):+d}",
        )
        return Prompt(Text("Does {unit} rally?", unit=s.board.unit_names[u]), text, ("13.5a", "13.5b"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_RECOVERY: Recovery(), F_RALLY: Rally(V_ROLLED)}
