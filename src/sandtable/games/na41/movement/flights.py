"""18.7.6 Axis air transport."""

from __future__ import annotations

from sandtable.engine.contract import Action, Reason
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.shown.telling import emit

from ..supply.supply_lines import full
from ..table.ids import AIR_TRANSPORT, AXIS, SIDES
from ..table.position import good_order, put
from ..table.state import State
from ..table.verbs import V_FLY
from ..table.zones import beside_any


def flyers(s: State) -> int:
    """18.7.6a what can be flown: an infantry replacement or a one-step unit on foot, in Italy; not one under a
    replacement marker (19.5b)."""
    board = s.board
    if s.active != AXIS or not s.assets[AIR_TRANSPORT]:
        return 0
    here = s.here.get(board.italy, 0) & good_order(s) & ~(s.moved | s.refreshed)
    single = sum(1 << u for u in units_of(here & board.foot & board.combat) if board.steps_of[u] == 1)
    return single | here & board.of_type["replacement_inf"]


def quiet_fields(s: State) -> Mask:
    """18.7.6a the friendly airfields on the map that are not next to an enemy unit."""
    return s.board.airfields & s.control & ~beside_any(s, enemy(AXIS))


def landing_fields(s: State) -> Mask:
    """18.7.6a those of them that are in full supply."""
    return quiet_fields(s) & full(s, AXIS)


def can_land(s: State, h: Hex) -> bool:
    """18.7.6a whether one of them is."""
    return bool(full(s, AXIS) >> h & 1)


def imaginable(s: State) -> list[Action]:
    """18.7.6a `fly UNIT PLACE`, whether or not the airfield is in supply."""
    units = flyers(s)
    return [(V_FLY, u, h) for u in units_of(units) for h in hexes_in(quiet_fields(s))] if units else []


def flights(s: State) -> list[Action]:
    """18.7.6a `fly UNIT PLACE`"""
    units = flyers(s)
    if not units:
        return []
    fields = hexes_in(landing_fields(s))
    return [(V_FLY, u, h) for u in units_of(units) for h in fields]


def fly(s: State, u: int, to: int) -> None:
    """18.7.6b it uses the unit's whole MA, and the marker stays on it until the next own Initial Phase."""
    s.assets[AIR_TRANSPORT] -= 1
    emit(s, "flown", "18.7.6a", {"unit": u, "side": AXIS, "from": s.at[u], "to": to})
    put(s, u, to)
    s.shipped |= 1 << u
    s.flown |= 1 << u
    s.moved |= 1 << u


def why_not_fly(s: State, u: int, to: int) -> Reason:
    """Why this unit is not flown there."""
    name = s.board.unit_names[u]
    if s.active != AXIS or not s.assets[AIR_TRANSPORT]:
        return Reason("18.7.6a", Text("the {side} player has no air transport", side=SIDES[s.active].capitalize()))
    if s.refreshed >> u & 1:
        return Reason("19.5b", Text("{unit} took a replacement and may not leave an off-map box", unit=name))
    if not flyers(s) >> u & 1:
        return Reason(
            "18.7.6a", Text("{unit} is neither an infantry replacement nor a one-step unit on foot in Italy", unit=name)
        )
    where = s.board.hex_name(to)
    if not s.board.airfields & s.control & full(s, AXIS) & 1 << to:
        return Reason("18.7.6a", Text("{hex} is no friendly airfield in full supply", hex=where))
    return Reason("18.7.6a", Text("{hex} is next to an enemy unit", hex=where))
