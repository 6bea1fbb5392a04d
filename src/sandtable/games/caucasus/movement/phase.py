"""7 Movement: the decisions of the two movement phases.

F_MOVES asks which unit, F_UNIT where it goes; where it can go and how is in routes.py and rails.py. Moves
are of single units: a stack that moves together (7.1c) matters in mobile assaults alone (mobile.py).
"""

from __future__ import annotations

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint, HintLine
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.picking import Choose
from sandtable.mechanics.telling import emit

from ..combat import combat
from ..combat.lookout import Watch, look
from ..paths.legs import Reach, beside, exits, reachable, tables
from ..supply import hqs
from ..table import verbs
from ..table.board import HALF
from ..table.ids import AFTER_MOVES, F_MOVES, F_OVERSTACK, F_RAID, F_UNIT, PHASES, SOVIET
from ..table.state import State, enter, on_map, take_control, zone
from . import merging, refusals, replacements
from .rails import (
    land_actions,
    open_rails,
    own_path,
    own_reach,
    rail_actions,
    rail_path,
    ride,
    sail,
    security_due,
    ship_actions,
    storm_ashore,
)

END: Action = (verbs.END_MOVES,)


def begin_moves(s: State) -> None:
    """7.1 a movement phase begins: nobody has moved; what is fixed at its start is noted (7.22k, 18.2)."""
    side = s.active
    s.moved = s.assault = s.marked = s.met = 0
    s.claims = {}
    s.raid = s.raid_spent = 0
    s.raid_failed = -1
    s.rail_used = s.sea_used = 0
    s.rail_open = 0 if s.second else open_rails(s, side)  # 7.22a, 7.22k
    s.pinned = 0
    if s.turn == 1 and side == SOVIET and s.second:  # 18.2, A44 not one step back
        ezoc = zone(s, enemy(side))
        for u in units_of(on_map(s, side)):
            if ezoc >> s.at[u] & 1:
                s.pinned |= 1 << u


# Who can do something


def movable(s: State, second: int) -> int:
    """7.1a the units of the active side that may still move and have somewhere to go."""
    return _movable(s, second, look(s))


def _movable(s: State, second: int, seen: Watch) -> int:
    board, side = s.board, s.active
    units = s.on_map[side] & ~(s.moved | s.assault | s.marked | s.pinned | board.immobile)  # 7.3e, 8.5c, 18.2, 7.1g
    doubtful = units & (seen.hemmed | board.own_movers)
    if doubtful:
        for u in units_of(doubtful):
            if not _somewhere(s, u, second):
                units ^= 1 << u
    return units


def _somewhere(s: State, u: int, second: int) -> bool:
    """Whether a unit about which there is a doubt can go anywhere."""
    board, h = s.board, s.at[u]
    if u == board.flotilla:
        return own_reach(s, u, second) != 0
    if u == board.security and h == board.rostov:  # 15.9b
        return False
    foe = enemy(s.active)
    near = exits(s, u, h) & ~s.occ[foe]
    if s.disrupted >> u & 1:
        near &= ~zone(s, foe)
    if u == board.security:  # 15.9
        near = near & board.grid.within(board.rostov, board.grid.distance(h, board.rostov) - 1) if near else 0
    if near:  # one step is always possible (7.4a)
        return True
    if board.special_movers >> u & 1 or u == board.security:
        return own_reach(s, u, second) != 0
    if reachable(s, u, second).hexes:
        return True
    return not second and bool(rail_actions(s, u) or ship_actions(s, u) or land_actions(s, u))


def markable(s: State) -> int:
    """7.3d, 7.3e units that may take an assault marker where they stand.

    A marker is for a unit that is to attack, so it must have a strength to attack with and an enemy beside
    it. The flotilla and the train need no marker (A14).
    """
    return _markable(s, look(s))


def _markable(s: State, seen: Watch) -> int:
    board = s.board
    out = s.moved | s.assault | s.marked | board.unarmed | board.special_movers
    units = seen.near & s.on_map[s.active] & ~out
    garrisons = units & board.immobile
    if garrisons:  # those whose reduced side has no attack strength
        for u in units_of(garrisons):
            if not board.att[u][s.step[u]]:
                units ^= 1 << u
    return units


def _raiders(s: State, seen: Watch) -> int:
    """13.1b, 13.2d mechanised units and cavalry that may begin a mobile assault, with an enemy in reach of one."""
    out = s.moved | s.assault | s.marked | s.pinned | s.oos | s.board.unarmed
    return seen.raiding & s.on_map[s.active] & ~out


# 7.1 Which unit


class Moves(Frame[State]):
    """7.2, 7.3 A movement phase. Frame: second."""

    def actor(self, s: State, f: F) -> int | None:
        if f[1] and not s.moved and not s.assault:  # a Second Movement Phase in which nobody can do anything
            choices = self.legal(s, f)
            if choices == [END]:
                return None
            s.choices = choices
        return s.active

    def run(self, s: State, f: F) -> None:
        self.take(s, f, END)

    def legal(self, s: State, f: F) -> list[Action]:
        second = f[1]
        t = tables(s)
        seen = look(s)
        actions = t.move(_movable(s, second, seen)) + t.remove(hqs.removable(s))
        if second:
            actions += t.mark(_markable(s, seen))
            actions += t.raid(_raiders(s, seen))
            if seen.crowds:
                actions += merging.actions(s, seen.crowds)
        else:
            if any(s.replacements):
                actions += replacements.actions(s)
            if seen.crowds:
                actions += merging.actions(s, seen.crowds)
            if seen.weak:
                actions += combat.crush_actions(s)
            if security_due(s):  # 15.9a
                return actions
        actions.append(END)
        return actions

    def take(self, s: State, f: F, action: Action) -> None:
        verb = action[0]
        if verb == verbs.MOVE:
            s.stack.append((F_UNIT, action[1], f[1]))
        elif verb == verbs.END_MOVES:
            s.stack[-1] = (F_OVERSTACK, s.active, AFTER_MOVES)  # 5.2b
        elif verb == verbs.ASSAULT:
            mark(s, action[1])
        elif verb == verbs.RAID:
            s.raid, s.raid_spent, s.raid_failed = 1 << action[1], -1, -1
            s.stack.append((F_RAID, 0, s.at[action[1]]))
        elif verb == verbs.REMOVE:
            hqs.take(s, action)
        elif verb == verbs.REBUILD:
            replacements.take(s, action)
        elif verb == verbs.MERGE:
            merging.take(s, action)
        else:
            combat.begin_crush(s, action[1])

    def prompt(self, s: State, f: F) -> Prompt:
        if f[1]:
            text = "Mechanised units and cavalry move and may raid; foot units move one hex or take assault markers"
            return Prompt("Second Movement Phase", text, ("7.3a", "7.3b", "7.3d", "13.1a"), PHASES[s.phase])
        text = "Move units, use replacements; extended, rail and sea movement are for this phase only"
        rules = ("7.2a", "7.21a", "7.22a", "17.2a") if s.active != SOVIET else ("7.2a", "7.21a", "7.22c", "17.2a")
        return Prompt("First Movement Phase", text, rules, PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        verb = action[0]
        if verb == verbs.MOVE:
            return refusals.why_not_move(s, action[1], f[1])
        if verb == verbs.ASSAULT:
            return refusals.why_not_mark(s, action[1], f[1])
        if verb == verbs.RAID:
            return refusals.why_not_raid(s, action[1], f[1])
        if verb == verbs.REMOVE:
            return hqs.why_not(s, action)
        if verb == verbs.REBUILD:
            return replacements.why_not(s, action)
        if verb == verbs.MERGE:
            return merging.why_not(s, action)
        if verb == verbs.CRUSH:
            return combat.why_no_crush(s, action[1])
        if verb == verbs.END_MOVES:
            return Reason("15.9a", "the 454th Security Division must move to Rostov in this impulse")
        if verb in (verbs.TO, verbs.CHARGE, verbs.RAIL, verbs.SHIP, verbs.LAND):
            return Reason("7.1e", "first pick the unit that moves, with `move`")
        if verb in (verbs.PICK, verbs.STORM, verbs.READY, verbs.HALT, verbs.ENTER, verbs.STAY):
            return Reason("13.1a", "no mobile assault is under way: in a Second Movement Phase `raid` begins one")
        return None

    def odds(self, s: State, f: F, action: Action) -> Odds | None:
        return combat.crush_odds(s, action[1]) if action[0] == verbs.CRUSH else None


def mark(s: State, u: int) -> None:
    """7.3d, 7.3e the unit takes an assault marker: its move is over."""
    s.assault |= 1 << u
    s.moved |= 1 << u
    rule = "7.3e" if s.board.foot >> u & 1 else "7.3d"
    emit(s, "assault", rule, {"unit": u, "hex": s.at[u], "side": s.active})


# 7.1 Where it goes


class Unit(Choose[State]):
    """7.1 Where one unit goes: that is its whole move (7.1e, 7.1f). Frame: unit, second."""

    def legal(self, s: State, f: F) -> list[Action]:
        _, u, second = f
        if special(s, u):
            return [(verbs.TO, h) for h in hexes_in(own_reach(s, u, second))]
        r = reachable(s, u, second)
        actions = r.to[:]
        if second:
            if s.board.mobile >> u & 1:
                actions += [(verbs.CHARGE, h) for h in hexes_in(charges(s, u, r))]
        else:
            actions += rail_actions(s, u)
            if s.active == SOVIET:
                actions += ship_actions(s, u)
                actions += land_actions(s, u)
        return actions

    def take(self, s: State, f: F, action: Action) -> None:
        _, u, second = f
        s.stack.pop()
        s.moved |= 1 << u
        verb, h = action[0], action[1]
        if verb == verbs.RAIL:
            ride(s, u, h)
        elif verb == verbs.SHIP:
            sail(s, u, h, action[2])
        elif verb == verbs.LAND:
            storm_ashore(s, u, h)
        else:
            if special(s, u):
                own = {"flotilla": "15.3a", "train": "15.6a"}
                rule = own["flotilla" if u == s.board.flotilla else "train"] if u != s.board.security else "15.9a"
                walk(s, u, own_path(s, u, h, second), rule, -1)
            else:
                cost, path, rule = reachable(s, u, second).way(h)
                walk(s, u, path, rule, cost)
            if verb == verbs.CHARGE:
                mark(s, u)

    def prompt(self, s: State, f: F) -> Prompt:
        _, u, second = f
        board = s.board
        ma = board.ma[u][s.step[u]]
        text = f"{board.unit_names[u]}, MA {ma}, from {board.hex_name(s.at[u])}"
        if special(s, u):
            rules: tuple[str, ...] = ("7.9", "15.3a" if u == board.flotilla else "15.6a")
        elif second:
            rules = ("7.3b", "7.5c") if board.foot >> u & 1 else ("7.3a", "7.3d", "7.5b")
        else:
            rules = ("7.1b", "7.21a", "7.5a", "7.22a")
        return Prompt("Where does it go?", text, rules, PHASES[s.phase])

    def hint(self, s: State, f: F, action: Action) -> Hint | None:
        _, u, second = f
        names, h = s.board.grid.names, action[1]
        if action[0] == verbs.RAIL:
            return {"path": [names[x] for x in rail_path(s, u, h)], "note": "by rail (7.22i)"}
        if action[0] == verbs.SHIP:
            return {"path": [names[h]], "note": f"by sea (7.22d), {action[2]} air markers"}
        if action[0] == verbs.LAND:
            return {"path": [names[h]], "note": "landing (16.23a): takes a Black Sea Fleet marker"}
        if special(s, u):
            return {"path": [names[x] for x in own_path(s, u, h, second)], "note": "its own movement (7.9)"}
        return way_shown(s, u, reachable(s, u, second), h, action[0] == verbs.CHARGE)

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        return refusals.why_not_there(s, f[1], f[2], action)


def special(s: State, u: int) -> bool:
    """7.9 whether a unit moves by rules of its own; the bicycles only have their own road rate (15.8)."""
    return bool(s.board.own_movers >> u & 1)


def charges(s: State, u: int, r: Reach) -> Mask:
    """7.3d, 7.3g where a mobile unit can go and still take an assault marker: 3 MPs left, or one hex in any case.

    MPs for the marker are not spent along a road, so strategic movement (7.5) is no help here. As in
    `markable` there must be an enemy beside it.
    """
    board = s.board
    if board.unarmed >> u & 1:
        return 0
    foe = enemy(board.side[u])
    near = tables(s).kinds[tables(s).kind_of[u]].walk.exits[s.at[u]]
    enough = r.hexes if s.oos >> u & 1 else r.within(r.ma - tables(s).assault) | near
    return enough & r.hexes & beside(s, foe)


def walk(s: State, u: int, path: list[Hex], rule: str, cost: int) -> None:
    """7.1 a unit goes along a path and takes control of the places that it passes (2.37a)."""
    facts = {"unit": u, "side": s.active, "from": s.at[u], "to": path[-1], "path": path}
    if cost >= 0:
        facts["mp"] = cost / HALF
    emit(s, "moved", rule, facts)
    places = s.board.places
    for h in path[:-1]:
        if places >> h & 1:
            take_control(s, u, h)
    enter(s, u, path[-1])


def way_shown(s: State, u: int, r: Reach, h: Hex, charge: bool) -> Hint:
    """The hexes of a move, what is spent on the way and by which rule it is possible."""
    names = s.board.grid.names
    cost, path, rule = r.way(h)
    notes = {
        "7.1b": "",
        "7.21a": "extended movement (7.21a)",
        "7.4a": "minimum movement (7.4a)",
        "7.5b": "strategic road movement (7.5b)",
        "7.5c": "strategic road movement (7.5c)",
    }
    hint: Hint = {
        "cost": points(cost),
        "of": f"{points(r.ma)} MP",
        "path": [names[x] for x in path],
        "costs": [points(x) for x in r.running(path, rule)],
        "extended": cost > r.ma,  # 7.5d along a road too
        "note": "then an assault marker, 3 MP (7.3d)" if charge else notes[rule],
    }
    start = path[-2] if len(path) > 1 else s.at[u]
    d = s.board.grid.direction(start, h)
    t = tables(s)
    if t.kinds[t.kind_of[u]].walk.halts[d] >> start & 1:
        hint["stop"] = True
    hint["lines"] = _consequences(s, u, path, "stop" in hint)
    return hint


def _consequences(s: State, u: int, path: list[Hex], stop: bool) -> list[HintLine]:
    """What the way costs beyond its hexes, and how the unit stands at its end."""
    ezoc, h = zone(s, enemy(s.board.side[u])), path[-1]
    lines: list[HintLine] = []
    left = sum(ezoc >> x & 1 for x in (s.at[u], *path[:-1]))
    if left:
        toll = f"+{tables(s).toll * left}"
        lines.append({"text": "Leaves an enemy zone of control", "rule": "6.3a", "value": toll})
    if ezoc >> h & 1:
        lines.append({"text": "Ends in an enemy zone of control", "rule": "6.3b"})
    if stop:
        ground = s.ground
        rule = "7.6b" if ground.forest >> h & 1 else "7.8a" if ground.marsh >> h & 1 else "7.8b"
        lines.append({"text": "Must stop there", "rule": rule})
    return lines


def points(half_points: int) -> str:
    """Half points as a player counts them."""
    whole, half = divmod(half_points, HALF)
    return f"{whole}½" if half and whole else "½" if half else str(whole)


FRAMES: dict[int, Frame[State]] = {F_MOVES: Moves(), F_UNIT: Unit()}
