"""Why a unit may not move, or not go there: the answers of the Movement Phase."""

from __future__ import annotations

from sandtable.engine.contract import Action, Reason
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Fact, Text
from sandtable.engine.texts.words import count
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.paths.legs import STOPPED, TOO_DRY, TOO_FAR

from ..paths.legs import fresh_points, legs, pinned, tables, terms, why_pinned
from ..paths.modes import CLOSED, MODE, NO_ZOCS, THROUGH_ZOCS, WAYS, Movers, movers
from ..supply.supply_lines import full
from ..table.board import SIXTHS
from ..table.ids import ALLIED, AXIS, EXTENDED, NORMAL, ROAD_BONUS, TACTICAL
from ..table.state import State
from ..table.verbs import (
    V_FLEE,
    V_HALT,
    V_JOIN,
    V_LEAVE,
    V_LOAD,
    V_LOAD_SP,
    V_RAIL,
    V_ROMMEL,
    V_SURRENDER,
    V_TO,
    V_TRANSFER,
    V_UNLOAD_SP,
)
from ..table.zones import full_zoc
from . import rails


def why_not_move(s: State, u: int) -> Reason:
    """Why a unit may not begin a move."""
    board, b, h = s.board, 1 << u, s.at[u]
    who = board.unit_names[u]
    if board.side[u] != s.active:
        return Reason("5.1a", f"{who} is not yours")
    if h < 0:
        return Reason("5.1a", f"{who} is not on the map")
    if pinned(s) & b:
        return why_pinned(s, u)
    if s.auto & b:
        return Reason("8.9.1d", f"{who} made an Auto DS and may not move further")
    if s.shipped & b:
        rule = "5.9.1c" if s.railed & b else "18.7.6b" if s.flown & b else "21.1.4b"
        return Reason(rule, f"{who} is under a transport marker and may not move in this impulse")
    if s.moved & b:
        return Reason("5.1d", f"{who} has moved")
    if h == board.italy:
        return Reason("6.3.2c", f"{who} leaves Italy only by sea or air")
    if board.box_mask >> h & 1:
        return _why_not_leave(s, u)
    return Reason("5.1d", "finish the move that is under way first")


def _why_not_leave(s: State, u: int) -> Reason:
    """6.3.4, 19.5b why a unit does not leave an off-map box."""
    board, b = s.board, 1 << u
    who = board.unit_names[u]
    if (s.disrupted | s.routed) & b:
        return Reason("6.3.4a", f"{who} must be in Good Order to leave an off-map box")
    if s.refreshed & b:
        return Reason("19.5b", f"{who} took a replacement and may not leave an off-map box")
    return Reason("6.3.4b", f"{who} leaves an off-map box only on a truck or by rail, air or naval transport")


def why_not_on(s: State, action: Action) -> Reason:
    """Why the stack on the move does not do this."""
    verb = action[0]
    place = s.at[s.group.bit_length() - 1]
    if verb in (V_TO, V_LOAD, V_LEAVE) and s.spent >= 0 and full_zoc(s, enemy(s.active)) >> place & 1:
        return Reason("7.2a", f"the stack has entered an enemy ZOC in {s.board.hex_name(place)} and stops")
    if verb == V_TO:
        return why_not_to(s, action[1], action[2])
    if verb in (V_JOIN, V_LOAD):
        return _why_not_with(s, action[1], verb == V_LOAD)
    if verb in (V_LOAD_SP, V_UNLOAD_SP):
        return _why_no_sp(s, verb == V_LOAD_SP)
    if verb == V_ROMMEL:
        return _why_no_rommel(s)
    if verb == V_LEAVE:
        if s.spent < 0:
            return Reason("5.1c", "units are left behind on the way: the stack has not moved yet")
        return Reason("5.1c", f"{s.board.unit_names[action[1]]} is not one of several units in the stack")
    rides = verb == V_FLEE and s.spent < 0 and s.loads >> action[1] & 1
    if (
        verb in (V_RAIL, V_TRANSFER, V_SURRENDER, V_FLEE)
        and not rides
        and (s.spent >= 0 or s.loads or s.group != 1 << action[1] or s.stack_rommel)
    ):
        return Reason("5.1d", "the stack is on the move: this is for one unit that has done nothing yet")
    if verb == V_RAIL:
        return why_no_rail(s, action[1], action[2])
    if verb == V_TRANSFER:
        return why_no_transfer(s, action[1], action[2])
    if verb in (V_SURRENDER, V_FLEE):
        return why_not_give_up(s, action[1], verb == V_FLEE)
    if verb == V_HALT:
        return Reason("5.1d", "the move is not over")
    return Reason("5.1d", f"first finish the move of {called(s, s.group)}")


def called(s: State, units: int) -> str:
    """One unit by its name, several as a stack."""
    found = units_of(units)
    return s.board.unit_names[found[0]] if len(found) == 1 else f"a stack of {len(found)}"


# 5.1 to 5.7, 7, 13, 16 Where it goes


def why_not_to(s: State, h: Hex, mode: int) -> Reason:
    """Why the stack cannot go there in this mode."""
    board = s.board
    now = movers(s, s.group, s.loads, spent=s.spent, mode=s.mode, rommel=bool(s.stack_rommel))
    who, there = called(s, s.group), board.hex_name(h)
    if h == now.place:
        return Reason("5.1a", f"{who} is there")
    if board.own_boxes[now.foe] >> h & 1:
        return Reason("6.1.2b", f"{there} is a box of the enemy")
    if board.box_mask >> h & 1:
        if board.box_mask >> s.start & 1:
            return Reason("6.3.3d", f"{who} left an off-map box in this phase and enters none again")
        if h == board.italy:
            return Reason("6.3.3a", "Italy does not adjoin the map")
    elif not board.land >> h & 1:
        return Reason("5.6", f"no unit may enter {there}")
    holders = s.here.get(h, 0) & board.combat & board.of_side[now.foe]
    holder = called(s, holders) if holders else ""
    facts: dict[str, Fact] = {"hex": h, "stack": who, "unit": units_of(s.group)[0], "holder": holder}
    shut = CLOSED.why(h, s, now, facts) if holders else None
    shut = shut or MODE.why(mode, s, now, facts) or WAYS[mode].closed.why(h, s, now, facts)
    return shut or WAYS[mode].ends.why(h, s, now, facts) or _why_too_far(s, now, h, mode, who)


def _why_too_far(s: State, now: Movers, h: Hex, mode: int, who: str) -> Reason:
    """The place could be entered in itself: how far it is, and what stands in the way."""
    board, t, units = s.board, tables(s), now.units
    there = board.hex_name(h)
    boxes = board.box_mask & (1 << h | 1 << now.place)
    if mode == TACTICAL:
        rule = "19.5b" if units & s.refreshed else "5.4a"
        hexes = t.refreshed if units & s.refreshed else t.tactical
        if not boxes and board.grid.distance(now.place, h) <= hexes - max(s.spent, 0):
            rule = "5.4c"
        far = count(hexes, "hex", "hexes")
        return Reason(rule, f"{who}: {there} is not within {far}, or something on the way stops it (5.4c)")
    if mode == ROAD_BONUS:
        return Reason("5.2.2b", f"{there} is not 4 to 8 hexes along the highway, or 4 along roads, from {who}")
    if boxes:
        return Reason("6.3.3b", f"{who} has not the MPs to get to {there}")
    by_mode = {leg.mode: leg for leg in legs(board, terms(s, now, s.run))}
    leg = by_mode[mode]
    found = leg.why(h)
    if found.kind == TOO_DRY:
        return Reason("5.5b", f"{who} would enter more than two desert hexes in a row on the way to {there}")
    if board.bog >> h & 1 and units & ~board.foot:
        return Reason("5.1a", f"{there} is marsh without a road: no mechanised unit can be there")
    if mode == EXTENDED and NORMAL in by_mode and by_mode[NORMAL].to(h) is not None:
        return Reason("5.3a", f"{who} gets to {there} with its normal MPs")
    closing = WAYS[mode].shutting(h, leg, s, now)
    if closing is not None and closing.rule == NO_ZOCS:
        return Reason(NO_ZOCS, Text(THROUGH_ZOCS, hex=h))
    if found.kind == TOO_FAR:
        return Reason("5.1a", f"{who} needs {-(-found.needs // SIXTHS)} MP to {there}; it has {found.has // SIXTHS}")
    if found.kind == STOPPED:
        return Reason("7.2a", f"{who} must stop in an enemy ZOC on the way to {there}")
    rule = "5.7b" if closing is None or closing.rule == "5.1e" else closing.rule  # others would get there
    return Reason(rule, f"no way leads {who} to {there}: hexes or hexsides that it may not enter or cross")


# 5.8, 18.5 Who goes with it


def _why_not_with(s: State, u: int, loading: bool) -> Reason:
    """Why a unit does not join the stack, or is not picked up."""
    board, b = s.board, 1 << u
    who, place = board.unit_names[u], s.at[s.group.bit_length() - 1]
    if board.side[u] != s.active or s.at[u] != place:
        return Reason("5.1b", f"{who} is not one of your units in {board.hex_name(place)}")
    if (s.group | s.loads) & b:
        return Reason("5.1b", f"{who} is in the stack already")
    if not loading and s.spent >= 0:
        return Reason("5.1b", "the stack has begun its move: nobody joins it on the way")
    if loading and not s.group & board.trucks:
        return Reason("5.8.1b", "there is no truck in the stack")
    if loading and not (board.combat | board.replacements & board.foot) & b:
        return Reason("5.8.1b", f"a truck carries one combat unit, one replacement or one SP, not {who}")
    if s.moved & b and loading:
        return Reason("5.8.1e", f"{who} has already moved and may not be picked up")
    if (s.moved | s.auto | s.shipped | pinned(s)) & b:
        return why_not_move(s, u)
    if board.box_mask >> place & 1 and (s.disrupted | s.routed | s.refreshed | (0 if loading else board.foot)) & b:
        return _why_not_leave(s, u)
    if s.stack_rommel:
        return Reason("18.5c", f"{who} may not go with Rommel's stack")
    return Reason("5.8.2a", "every truck of the stack has its load")


def _why_no_sp(s: State, loading: bool) -> Reason:
    """17.2.4 why no SP is picked up or put down."""
    board = s.board
    place = s.at[s.group.bit_length() - 1]
    if not s.group & board.trucks:
        return Reason("17.2.1f", "only a truck carries supply points")
    if not loading:
        if not s.group & s.msu:
            return Reason("17.2.4b", "no truck of the stack has a supply point")
        return Reason("5.8.2a", "a truck stays with what it has picked up for the rest of the phase")
    if not s.group & board.trucks & ~s.msu or s.loads:
        return Reason("5.8.2a", "every truck of the stack has its load")
    if not s.sp[s.active].get(place, 0):
        return Reason("17.2.4a", f"there is no supply point in {board.hex_name(place)}")
    return Reason("5.8.1e", "the supply points there have moved in this phase or are under a transport marker")


def _why_no_rommel(s: State) -> Reason:
    """18.5 why Rommel does not help."""
    board = s.board
    if s.active != AXIS:
        return Reason("18.5a", "Rommel is on the other side")
    if not s.rommel:
        return Reason("18.5d", "the Rommel marker was used in this game turn")
    if s.spent >= 0:
        return Reason("18.5b", "the stack stays with Rommel for its whole move: he joins it before it sets out")
    if s.group & board.foot:
        return Reason("18.5a", "he hurries on mechanised stacks alone")
    if (s.group | s.loads) & (s.refreshed | s.disrupted | s.oos):
        return Reason("18.5c", "not units under replacement, Disrupted or out of supply markers")
    return Reason("18.5a", "he hurries on German units alone")


# 5.8.4, 5.9, 12.5.3, 13.3.4 Other ways


def why_no_rail(s: State, u: int, to: int) -> Reason:
    """5.9 why a unit does not go by rail."""
    board, b = s.board, 1 << u
    who = board.unit_names[u]
    if s.active != ALLIED:
        return Reason("5.9.1f", "the Axis may not use the railway")
    if s.rail_used:
        return Reason("5.9.1b", "the railway carries one unit or SP in a phase, and has done so")
    if not (board.combat | board.replacements) & b:
        return Reason("5.9.1b", f"{who}: the railway carries combat units, replacements and SPs")
    if (s.disrupted | s.routed) & b:
        return Reason("13.2.1a", f"{who} is not in Good Order and may not use the railway")
    if s.oos & b:
        return Reason("16.4a", f"{who} is out of supply and uses tactical movement only")
    if s.refreshed & b:
        return Reason("19.5b", f"{who} took a replacement and may not use the railway")
    return why_no_train(s, s.at[u], to)


def why_no_train(s: State, place: int, to: int) -> Reason:
    """5.9.1a, 5.9.1d, 5.9.1e why no train goes from here to there."""
    board = s.board
    if to == place:
        return Reason("5.9.1e", f"a train that stays in {board.hex_name(to)} carries nobody")
    stops = rails.line(s).stations | 1 << board.delta
    for h in (place, to):
        if not stops >> h & 1:
            if rails.line(s).hexes >> h & 1:
                return Reason(
                    "5.9.1e", f"{board.hex_name(h)} is no station: trains stop in cities, towns and landmarks"
                )
            rule = "5.9.2a" if board.pack.tables["railway"]["extension_end"] == board.grid.names[h] else "5.9.1a"
            return Reason(rule, f"the railway does not lead to {board.hex_name(h)}")
    return Reason("5.9.1d", f"the railway to {board.hex_name(to)} is blocked: no train enters or leaves an enemy ZOC")


def why_no_transfer(s: State, u: int, to: int) -> Reason:
    """5.8.4 why a truck is not transferred."""
    board, b = s.board, 1 << u
    who = board.unit_names[u]
    if not board.trucks & b:
        return Reason("5.8.4a", f"{who} is no truck")
    if s.msu & b:
        return Reason("5.8.4c", f"{who} is an MSU: a truck carries nothing in a special transfer")
    if s.at[u] == board.italy or to == board.italy:
        return Reason("6.3.2c", "Italy is left and entered by sea or air only")
    if s.refreshed & b:
        return Reason("19.5b", f"{who} is under a replacement marker and moves at most 1 hex")
    if not full(s, s.active) >> s.at[u] & 1:
        return Reason("5.8.4b", f"{who} is out of supply, or a port is its only source")
    if board.bog >> to & 1:
        return Reason("5.8.4a", f"{board.hex_name(to)} is marsh without a road: no mechanised unit can be there")
    return Reason("5.8.4a", f"{board.hex_name(to)} holds no friendly combat unit or SP in full supply")


def why_not_give_up(s: State, u: int, fleeing: bool) -> Reason:
    """12.5.3, 13.3.4 why a unit does not surrender or go into Full Retreat."""
    rule = "13.3.4a" if fleeing else "12.5.3"
    who = s.board.unit_names[u]
    if not s.board.combat >> u & 1:
        return Reason("13.2.3a" if fleeing else rule, f"{who} is no combat unit")
    if fleeing and s.routed >> u & 1:
        return Reason(rule, f"{who} is in Full Retreat")
    return Reason(rule, f"{who} is in an off-map box, where no enemy comes")


def why_no_rail_sp(s: State, place: int, to: int) -> Reason:
    """5.9.1b why an SP does not go by rail."""
    if s.active != ALLIED:
        return Reason("5.9.1f", "the Axis may not use the railway")
    if s.rail_used:
        return Reason("5.9.1b", "the railway carries one unit or SP in a phase, and has done so")
    if fresh_points(s, ALLIED, place) <= 0:
        return Reason("5.9.1b", f"{s.board.hex_name(place)} has no supply point that could go by rail")
    return why_no_train(s, place, to)


def why_not_ready(s: State, u: int) -> Reason:
    """17.1.4b why an ASU is not made ready."""
    board, b = s.board, 1 << u
    who = board.unit_names[u]
    if not board.asus & board.of_side[s.active] & b or s.at[u] < 0:
        return Reason("17.1.4b", f"{who} is not an ASU of yours in play")
    if not s.depleted & b:
        return Reason("17.1.4b", f"{who} is ready")
    if (s.disrupted | s.routed) & b:
        return Reason("13.2.1d", f"{who} is not in Good Order")
    if s.moved & b:
        return Reason("17.1.4b", f"{who} has moved in this phase")
    return Reason("17.1.4b", f"no supply point that has not moved is with {who}")
