"""Why a unit does not move, or not there: the answers of chapter 7 to moves that are not lawful."""

from __future__ import annotations

from sandtable.engine.contract import Action, Reason
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy
from sandtable.mechanics.paths.legs import TOO_FAR

from ..paths.chart import MECH
from ..paths.legs import WALK, Mover, beside, reachable, tables, unbridged_major
from ..table import verbs
from ..table.board import HALF
from ..table.ids import SOVIET
from ..table.state import State, controls
from .rails import own_reach, why_no_landing, why_no_rail, why_no_ship


def _not_its_turn(s: State, u: int) -> Reason | None:
    """What keeps a unit from doing anything in this phase."""
    board, b = s.board, 1 << u
    who = board.unit_names[u]
    if board.side[u] != s.active:
        return Reason("7.1a", f"{who} is not yours to move in this phase")
    if s.at[u] < 0:
        return Reason("7.1a", f"{who} is not on the map")
    if s.marked & b:
        return Reason("8.5c", f"{who} is marked for an automatic elimination and moves no further")
    if s.assault & b:
        return Reason("7.3e", f"{who} has an assault marker: its move is over")
    if s.moved & b:
        return Reason("7.1e", f"{who} has finished its move in this phase")
    return None


def why_not_move(s: State, u: int, second: int) -> Reason:
    """Why a unit may not be picked to move."""
    board = s.board
    who = board.unit_names[u]
    reason = _not_its_turn(s, u)
    if reason is not None:
        return reason
    if s.pinned >> u & 1 and s.turn > 1:
        return Reason("18.1b", f"{who} has merged: its movement is over")
    if s.pinned >> u & 1:
        return Reason("18.2", f"{who} began in an enemy zone of control: not one step back")
    if u == board.security and s.at[u] == board.rostov:
        return Reason("15.9b", f"{who} must remain in Rostov")
    if u == board.flotilla:
        return Reason("15.3a", "no other Azov port is under Soviet control")
    if u == board.train:
        return Reason("15.6a", "enemies stand on its railway on all sides")
    if not board.ma[u][s.step[u]]:
        return Reason("7.1g", f"{who} has a movement allowance of 0 and may never move")
    if s.disrupted >> u & 1:
        return Reason("11.5b", f"{who} is disrupted and finds no hex out of enemy zones of control to end its move in")
    return Reason("7.1d", f"{who} has no hex beside it that it may enter")


def why_not_mark(s: State, u: int, second: int) -> Reason:
    """Why a unit may not take an assault marker where it stands."""
    board = s.board
    who = board.unit_names[u]
    if not second:
        return Reason("7.3d", "assault markers are given in the Second Movement Phase")
    if board.foot >> u & 1 and s.moved >> u & 1 and not s.assault >> u & 1 and board.side[u] == s.active:
        return Reason("7.3b", f"{who} has moved: a foot unit moves one hex or attacks, not both")
    reason = _not_its_turn(s, u)
    if reason is not None:
        return reason
    if board.hq >> u & 1:
        return Reason("15.1a", f"{who} is an HQ and never attacks")
    if not board.att[u][s.step[u]]:
        return Reason("8.2b", f"{who} has no strength to attack with")
    if board.special_movers >> u & 1:
        return Reason("7.3f", f"{who} attacks in the Second Combat Phase without a marker")
    return Reason("7.3d", f"an assault marker is for a unit that is to attack: no enemy is beside {who}")


def why_not_raid(s: State, u: int, second: int) -> Reason:
    """Why a unit may not begin a mobile assault."""
    board, b = s.board, 1 << u
    who = board.unit_names[u]
    if not second:
        return Reason("13.1a", "mobile assaults are made in the Second Movement Phase")
    reason = _not_its_turn(s, u)
    if reason is not None:
        return reason
    if not board.mobile & b or board.special_movers & b:
        return Reason("13.1b", f"only mechanised units and cavalry make mobile assaults, not {who}")
    if board.hq & b:
        return Reason("15.1a", f"{who} is an HQ and never attacks")
    if not board.att[u][s.step[u]]:
        return Reason("8.2b", f"{who} has no strength to attack with")
    if s.oos & b:
        return Reason("13.2d", f"{who} is out of supply and makes no mobile assault")
    if s.pinned & b:
        return Reason("18.2", f"{who} began in an enemy zone of control: not one step back")
    return Reason("13.1e", f"{who} cannot get beside an enemy with 3 MPs left")


def why_not_there(s: State, u: int, second: int, action: Action) -> Reason:
    """Why a unit that was picked does not do this."""
    verb = action[0]
    if verb == verbs.RAIL:
        return why_no_rail(s, u, action[1], second)
    if verb == verbs.SHIP:
        return why_no_ship(s, u, action[1], action[2], second)
    if verb == verbs.LAND:
        return why_no_landing(s, u, action[1], second)
    if verb == verbs.CHARGE:
        return why_no_charge(s, u, action[1], second)
    if verb == verbs.TO:
        return why_not_to(s, u, action[1], second)
    return Reason("7.1e", f"first finish the move of {s.board.unit_names[u]}")


def why_no_charge(s: State, u: int, h: Hex, second: int) -> Reason:
    """Why a unit does not go there and take an assault marker."""
    board = s.board
    who, there = board.unit_names[u], board.hex_name(h)
    if not second:
        return Reason("7.3d", "assault markers are given in the Second Movement Phase")
    if board.hq >> u & 1:
        return Reason("15.1a", f"{who} is an HQ and never attacks")
    if not board.att[u][s.step[u]]:
        return Reason("8.2b", f"{who} has no strength to attack with")
    if not board.mobile >> u & 1:
        return Reason("7.3b", f"{who} is a foot unit: it moves one hex or attacks, not both")
    if board.special_movers >> u & 1:
        return Reason("7.3f", f"{who} attacks in the Second Combat Phase without a marker")
    r = reachable(s, u, second)
    if not r.hexes >> h & 1:
        return why_not_to(s, u, h, second)
    if not beside(s, enemy(s.active)) >> h & 1:
        return Reason("7.3d", f"an assault marker is for a unit that is to attack: no enemy is beside {there}")
    return Reason("7.3d", f"{who} would not have 3 MPs left in {there} for the assault marker")


def why_not_to(s: State, u: int, h: Hex, second: int) -> Reason:
    """Why a unit cannot end its move in a hex."""
    board = s.board
    who, there = board.unit_names[u], board.hex_name(h)
    now = Mover(u, board.side[u], enemy(board.side[u]))
    facts = {"unit": u, "hex": h}
    if h == s.at[u]:
        return Reason("7.1a", f"{who} is there")
    if (shut := WALK.closed.why(h, s, now, facts)) is not None:
        return shut
    if u == board.flotilla:
        return _why_no_port(s, h)
    if not s.ground.land >> h & 1:
        return Reason("7.8d", f"no unit may enter {there}")
    if (shut := WALK.ends.why(h, s, now, facts)) is not None:
        return shut
    if u == board.train:
        return _why_no_track(s, h)
    if u == board.security and reachable(s, u, second).hexes >> h & 1 and not own_reach(s, u, second) >> h & 1:
        return Reason("15.9a", f"{who} goes to Rostov and nowhere else")
    return _why_too_far(s, u, h, second)


def _why_no_port(s: State, h: Hex) -> Reason:
    there = s.board.hex_name(h)
    if not s.board.ports_of[0] >> h & 1:
        return Reason("15.3a", f"{there} is not a port on the Sea of Azov")
    if not controls(s, SOVIET, h):
        return Reason("15.3f", f"{there} is not under Soviet control, and the flotilla cannot retake it")
    return Reason("11.5b", f"the flotilla is disrupted and may not end its move in {there}")


def _why_no_track(s: State, h: Hex) -> Reason:
    board, there = s.board, s.board.hex_name(h)
    rails = supply = 0
    for d in range(6):
        rails |= board.rails[d]
        supply |= board.supply_rails[d] | board.unfinished_rails[d]
    if not rails >> h & 1:
        if supply >> h & 1:
            return Reason("15.6e", f"the railway in {there} is not for the armoured train")
        return Reason("15.6b", f"no railway leads to {there}")
    if s.oos >> board.train & 1:
        return Reason("14.4c", "the train is out of supply: it moves at most two hexes")
    return Reason("15.6a", f"the way to {there} is blocked, or leads through an enemy zone of control where it stops")


def _why_too_far(s: State, u: int, h: Hex, second: int) -> Reason:
    """The hex could be entered in itself: how far it is, and what stands in the way."""
    board, b, t = s.board, 1 << u, tables(s)
    who, there = board.unit_names[u], board.hex_name(h)
    if s.rebuilt & b:
        return Reason("17.2i", f"{who} got a replacement: it moves at most one hex")
    if second and board.foot & b:
        return Reason("7.3b", f"{who} is a foot unit: it moves one hex in this phase, or two along a road out of EZOC")
    if s.oos & b:
        return Reason("14.4c", f"{who} is out of supply: it moves at most two hexes")
    r = reachable(s, u, second)
    found = (r.farther or r.walk).why(h)
    if found.needs < 0:
        return _why_never(s, u, h)
    ma, scale = board.ma[u][s.step[u]], HALF // r.half
    needed = (found.needs + scale - 1) // scale
    if found.kind != TOO_FAR:
        return Reason("7.21a", f"{who} needs {needed} MP to {there}; with extended movement it may not end in EZOC")
    more = "" if second else f" and {t.extended} more by extended movement"
    return Reason("7.1b", f"{who} needs {needed} MP to {there}; it has {ma}{more}")


def _why_never(s: State, u: int, h: Hex) -> Reason:
    """No number of MPs takes this unit there in one move."""
    board, t = s.board, tables(s)
    who, there = board.unit_names[u], board.hex_name(h)
    number = t.kind_of[u]
    if number == MECH and (s.ground.marsh | s.ground.mountain) >> h & 1:
        return Reason("7.6a", f"{who} is mechanised and enters {there} only along a road")
    if any(unbridged_major(s, n, (d + 3) % 6) for d, n in board.grid.neighbours[h]):
        return Reason("7.7b", f"{there} lies behind a major river, which is crossed only as the first step of a move")
    halts = "7.6b" if number == MECH else "7.8b"
    return Reason(halts, f"{who} must stop in the terrain on the way to {there}, or cannot pass it")
