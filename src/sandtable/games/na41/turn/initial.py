"""3.2b The Initial Phase: transport markers off, the event, fortifications, then replacements and purchases.

The phase leaves the order to the player. Markers that come off first only help him, and an event can only add to what
he has to spend, so this order takes no choice away, with one exception: who has so many RPs that the event might bring
more than he can hold (23.1b) may spend some first. Purchases may be made in the Movement Phase too (events.py).
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import term
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.phases import Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..supply import resources
from ..table.frames import FortRollAt, InitialAt
from ..table.ids import ALLIED, F_EVENT, F_FORT_ROLL, F_INITIAL, SIDES
from ..table.position import touch
from ..table.state import State
from ..table.verbs import V_END_INITIAL, V_EVENT
from . import replacements

MARKERS, EVENT, FORTS, RESTORE = range(4)


def clear_transport(s: State) -> None:
    """3.2b, 5.9.1g, 18.7.6b, 21.1.5a the phasing player's transport markers come off, those on SPs too."""
    marked = s.shipped & s.board.of_side[s.active]
    held = s.sp_held[s.active]
    if marked or held:
        s.shipped &= ~marked
        s.flown &= ~marked
        s.railed &= ~marked
        s.sp_held[s.active] = {}
        touch(s)
        emit(s, "transport_over", "3.2b", {"side": s.active, "units": list(units_of(marked))})


def begin(s: State) -> None:
    """A player turn begins: nobody has taken a replacement (19.3.2a), no port has been used (21.3.2a).

    What was repaired can be used when the next impulse begins, with the Allied player turn (21.4.4d, 3.2a).
    """
    s.restored = 0
    s.embarked = [0] * len(s.embarked)
    s.landed = [0] * len(s.landed)
    if s.repaired and s.active == ALLIED:
        s.repaired = 0
        touch(s)


def may_overflow(s: State) -> bool:
    """23.1b whether the event might bring more RPs than can be held."""
    rows = s.board.pack.tables["events"][SIDES[s.active]]
    most = max(row["rp"] for row in rows.values())
    return bool(s.rp[s.active] + most > s.board.general["max_rp"])


EVENT_FIRST: Reason = Reason("3.2b", "first roll for the event")
EVENT_PAST: Reason = Reason("23.1a", "the event of this player turn has been rolled for")


class Initial(Phase[State, InitialAt, int]):
    """3.2b The Initial Phase of the phasing player. Frame: step."""

    at = InitialAt
    does = (
        resources.BUY,
        *replacements.USE,
        Once(V_EVENT, take=lambda s, f: roll_for_event(s), shut=lambda s, step: None if step == EVENT else EVENT_PAST),
        Once(
            V_END_INITIAL, take=lambda s, f: s.stack.pop(), shut=lambda s, step: EVENT_FIRST if step == EVENT else None
        ),
    )

    def now(self, s: State, f: InitialAt) -> int:
        return f.step

    def actor(self, s: State, f: InitialAt) -> int | None:
        if f.step != RESTORE and not (f.step == EVENT and may_overflow(s)):
            return None
        return s.active if self.several(s, f) else None

    def run(self, s: State, f: InitialAt) -> None:
        if f.step == RESTORE:
            s.stack.pop()
        elif f.step == EVENT:
            roll_for_event(s)
        else:
            s.stack[-1] = InitialAt(F_INITIAL, f.step + 1)
            if f.step == MARKERS:
                begin(s)
                clear_transport(s)
            else:
                s.stack += [FortRollAt(F_FORT_ROLL, h) for h in reversed(hexes_in(s.building[s.active]))]  # 9.5.3d

    def prompt(self, s: State, f: InitialAt) -> Prompt:
        if f.step == EVENT:
            text = term("Spend resource points before the event: it may bring more than can be held")
            return Prompt("Initial Phase", text, ("3.2b", "23.1b", "23.2.1a"), "initial")
        text = term("Use replacements and resource points, or go on to the Movement Phase")
        return Prompt("Initial Phase", text, ("3.2b", "19.1.1b", "23.2.1a"), "initial")


def roll_for_event(s: State) -> None:
    s.stack[-1] = InitialAt(F_INITIAL, FORTS)
    s.stack.append((F_EVENT,))


FRAMES: dict[int, Frame[State, Any]] = {F_INITIAL: Initial()}
