"""18.7.6 Axis air transport."""

from __future__ import annotations

from typing import Any

from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bar, Bars, Need, all_if
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.phases import Linked
from sandtable.mechanics.shown.telling import emit

from ..supply.supply_lines import full
from ..table.ids import AIR_TRANSPORT, AXIS
from ..table.position import good_order, put
from ..table.state import State
from ..table.verbs import V_FLY
from ..table.zones import beside_any


def no_aircraft(s: State) -> bool:
    return s.active != AXIS or not s.assets[AIR_TRANSPORT]


def light(s: State) -> int:
    """18.7.6a infantry replacements and one-step units on foot, in Good Order and in Italy."""
    board = s.board
    here = s.here.get(board.italy, 0) & good_order(s) & ~s.moved
    single = here & board.foot & board.combat
    return here & board.of_type["replacement_inf"] | sum(1 << u for u in units_of(single) if board.steps_of[u] == 1)


FLYERS: Bars[State, object] = Bars(
    Bar(
        "18.7.6a",
        lambda s, _, u: Text("the {side} player has no air transport", side=s.active),
        lambda s, _: all_if(no_aircraft(s)),
    ),
    Bar("19.5b", "{unit} took a replacement and may not leave an off-map box", lambda s, _: s.refreshed),
    Need(
        "18.7.6a",
        "{unit} is neither an infantry replacement nor a one-step unit on foot in Italy",
        lambda s, _: light(s),
    ),
)
FIELDS: Bars[State, object] = Bars(
    Need(
        "18.7.6a",
        "{hex} is no friendly airfield in full supply",
        lambda s, _: s.board.airfields & s.control & full(s, AXIS),
    ),
    Bar("18.7.6a", "{hex} is next to an enemy unit", lambda s, _: beside_any(s, enemy(AXIS))),
)
FLY: Linked[State, Any, Any] = Linked(
    V_FLY,
    first=FLYERS,
    of=lambda s, _: 0 if no_aircraft(s) else s.here.get(s.board.italy, 0),
    second=FIELDS,
    to=lambda s, u: s.board.airfields,
    take=lambda s, f, u, to: fly(s, u, to),
)
"""18.7.6a what can be flown, and to which airfields."""


def fly(s: State, u: int, to: int) -> None:
    """18.7.6b it uses the unit's whole MA, and the marker stays on it until the next own Initial Phase."""
    s.assets[AIR_TRANSPORT] -= 1
    emit(s, "flown", "18.7.6a", {"unit": u, "side": AXIS, "from": s.at[u], "to": to})
    put(s, u, to)
    s.shipped |= 1 << u
    s.flown |= 1 << u
    s.moved |= 1 << u
