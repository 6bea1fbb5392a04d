"""7.1 Where a unit goes that was picked to move: by the legs of paths/legs.py, by rail or by sea (rails.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint, HintLine
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.paths.legs import TOO_FAR
from sandtable.mechanics.phases import Each, Elsewhere, Forced, Listed, Ways
from sandtable.mechanics.shown.telling import emit
from sandtable.mechanics.walk import Walk, WalkAt, walking

from ..combat.attackers import powerless
from ..paths.chart import MECH
from ..paths.legs import CLOSED, ENDS, Reach, beside, reachable, tables, unbridged_major
from ..table import verbs
from ..table.board import HALF
from ..table.frames import UnitAt
from ..table.ids import AZOV, F_UNIT, F_WALK, PHASES, SEAS, SOVIET
from ..table.state import State, controlled, enter, take_control, zone
from .rails import (
    LAND,
    RAIL,
    cover,
    own_path,
    own_reach,
    rail_hexes_for,
    rail_path,
    ride,
    sail,
    ships,
    storm_ashore,
    why_no_ship,
)


class Going(NamedTuple):
    """Who goes, and where he can."""

    unit: int
    side: int
    foe: int
    second: int
    to: Mask  # by ordinary movement, or by rules of its own (7.9)
    reach: Reach | None  # of ordinary movement
    rail: Mask


def going(s: State, u: int, second: int) -> Going:
    side = s.board.side[u]
    if special(s, u):
        return Going(u, side, enemy(side), second, own_reach(s, u, second), None, 0)
    r = reachable(s, u, second)
    rail = 0 if second else rail_hexes_for(s, u)
    return tuple.__new__(Going, (u, side, 1 - side, second, r.hexes, r, rail))


def _facts(s: State, now: Going) -> Mapping[str, Fact]:
    """What the reasons speak of besides the hex."""
    sea = s.board.port_sea.get(s.at[now.unit], -1)
    return {
        "unit": now.unit,
        "from": s.at[now.unit],
        "sea": SEAS[sea],
        "ready": cover(s),
        "poti": s.board.hex_name(s.board.fleet_base),
    }


NEVER_ATTACKS: Bars[State, object] = Bars(
    Bar("15.1a", "{unit} is an HQ and never attacks", lambda s, _: s.board.hq),
    Bar("2.2a", "{unit} has no strength to attack with", lambda s, _: powerless(s)),
)


# 7.1, 15.3, 15.6, 15.9 Where it goes


def _of(s: State, now: Going, unit: int, hexes: Mask) -> Mask:
    """A bar for one unit alone."""
    return hexes if now.unit == unit else 0


def _rails(s: State) -> Mask:
    return _joined(s.board.rails)


def _joined(sides: tuple[Mask, ...]) -> Mask:
    found = 0
    for mask in sides:
        found |= mask
    return found


def why_too_far(s: State, now: Going, h: Hex) -> Reason:
    """The hex could be entered in itself: how far it is, and what stands in the way."""
    u = now.unit
    board, b, t = s.board, 1 << u, tables(s)
    facts: dict[str, Fact] = {"unit": u, "hex": h}
    if s.rebuilt & b:
        return Reason("17.2i", Text("{unit} got a replacement: it moves at most one hex", **facts))
    if now.second and board.foot & b:
        sentence = term("{unit} is a foot unit: it moves one hex in this phase, or two along a road out of EZOC")
        return Reason("7.3b", Text(sentence, **facts))
    if s.oos & b:
        return Reason("14.4c", Text("{unit} is out of supply: it moves at most two hexes", **facts))
    r = reachable(s, u, now.second)
    found = (r.farther or r.walk).why(h)
    if found.needs < 0:
        return why_never(s, now, h)
    scale = HALF // r.half
    facts |= {"needed": (found.needs + scale - 1) // scale, "ma": board.ma[u][s.step[u]], "more": t.extended}
    if found.kind != TOO_FAR:
        sentence = term("{unit} needs {needed} MP to {hex}; with extended movement it may not end in EZOC")
        return Reason("7.21a", Text(sentence, **facts))
    if now.second:
        return Reason("7.1b", Text("{unit} needs {needed} MP to {hex}; it has {ma}", **facts))
    sentence = term("{unit} needs {needed} MP to {hex}; it has {ma} and {more} more by extended movement")
    return Reason("7.1b", Text(sentence, **facts))


def why_never(s: State, now: Going, h: Hex) -> Reason:
    """No number of MPs takes this unit there in one move."""
    board, number = s.board, tables(s).kind_of[now.unit]
    facts: dict[str, Fact] = {"unit": now.unit, "hex": h}
    if number == MECH and s.ground.road_bound >> h & 1:
        return Reason("7.6a", Text("{unit} is mechanised and enters {hex} only along a road", **facts))
    if any(unbridged_major(s, n, (d + 3) % 6) for d, n in board.grid.neighbours[h]):
        sentence = term("{hex} lies behind a major river, which is crossed only as the first step of a move")
        return Reason("7.7b", Text(sentence, **facts))
    sentence = term("{unit} must stop in the terrain on the way to {hex}, or cannot pass it")
    return Reason("7.6b" if number == MECH else "7.8b", Text(sentence, **facts))


TO: Bars[State, Going] = Bars(
    Bar("7.1a", "{unit} is there", lambda s, now: 1 << s.at[now.unit]),
    CLOSED,
    # 15.3 the Azov Flotilla
    Bar(
        "15.3a",
        "{hex} is not a port on the Sea of Azov",
        lambda s, now: _of(s, now, s.board.flotilla, ~s.board.ports_of[AZOV]),
    ),
    Bar(
        "15.3f",
        "{hex} is not under Soviet control, and the flotilla cannot retake it",
        lambda s, now: _of(s, now, s.board.flotilla, ~controlled(s, SOVIET)),
    ),
    Bar(
        "11.5b",
        "the flotilla is disrupted and may not end its move in {hex}",
        lambda s, now: _of(s, now, s.board.flotilla, zone(s, now.foe)) if s.disrupted >> now.unit & 1 else 0,
    ),
    Bar(
        "7.8d",
        "no unit may enter {hex}",
        lambda s, now: 0 if now.unit == s.board.flotilla else ~s.ground.land,
    ),
    ENDS,
    # 15.6 the armoured train
    Bar(
        "15.6e",
        "the railway in {hex} is not for the armoured train",
        lambda s, now: _of(
            s,
            now,
            s.board.train,
            ~_rails(s) & (_joined(s.board.supply_rails) | _joined(s.board.unfinished_rails)),
        ),
    ),
    Bar("15.6b", "no railway leads to {hex}", lambda s, now: _of(s, now, s.board.train, ~_rails(s))),
    Bar(
        "14.4c",
        "the train is out of supply: it moves at most two hexes",
        lambda s, now: _of(s, now, s.board.train, ~now.to) if s.oos >> now.unit & 1 else 0,
    ),
    Bar(
        "15.6a",
        "the way to {hex} is blocked, or leads through an enemy zone of control where it stops",
        lambda s, now: _of(s, now, s.board.train, ~now.to),
    ),
    # 15.9 the 454th Security Division
    Bar(
        "15.9a",
        "{unit} goes to Rostov and nowhere else",
        lambda s, now: _of(s, now, s.board.security, reachable(s, now.unit, now.second).hexes & ~now.to),
    ),
    Need("7.1b", why_too_far, lambda s, now: now.to),
)


# 7.3d Where it goes and takes an assault marker


def charges(s: State, now: Going) -> Mask:
    """7.3d, 7.3g where a mobile unit can go and still take an assault marker: 3 MPs left, or one hex in any case.

    MPs for the marker are not spent along a road, so strategic movement (7.5) is no help here. A marker is for a unit
    that is to attack, so there must be an enemy beside it.
    """
    u, r = now.unit, now.reach
    if not now.second or r is None or s.board.unarmed >> u & 1 or not s.board.mobile >> u & 1:
        return 0
    near = tables(s).kinds[tables(s).kind_of[u]].walk.exits[s.at[u]]
    enough = r.hexes if s.oos >> u & 1 else r.within(r.ma - tables(s).assault) | near
    return enough & r.hexes & beside(s, now.foe)


def _unless(held: bool) -> Mask:
    return ALL if held else 0


CHARGE: Bars[State, Going] = Bars(
    Bar(
        "7.3d",
        "assault markers are given in the Second Movement Phase",
        lambda s, now: _unless(not now.second),
    ),
    Bar("15.1a", "{unit} is an HQ and never attacks", lambda s, now: _unless(bool(s.board.hq >> now.unit & 1))),
    Bar(
        "2.2a",
        "{unit} has no strength to attack with",
        lambda s, now: _unless(bool(powerless(s) >> now.unit & 1)),
    ),
    Bar(
        "7.3b",
        "{unit} is a foot unit: it moves one hex or attacks, not both",
        lambda s, now: _unless(not s.board.mobile >> now.unit & 1),
    ),
    Bar(
        "7.3f",
        "{unit} attacks in the Second Combat Phase without a marker",
        lambda s, now: _unless(bool(s.board.special_movers >> now.unit & 1)),
    ),
    TO,
    Need(
        "7.3d",
        "an assault marker is for a unit that is to attack: no enemy is beside {hex}",
        lambda s, now: beside(s, now.foe),
    ),
    Need("7.3d", "{unit} would not have 3 MPs left in {hex} for the assault marker", charges),
)


# The frame


def _goes(s: State, f: UnitAt) -> None:
    s.stack.pop()
    s.moved |= 1 << f.unit


def _to(s: State, f: UnitAt, h: Hex, errand: int = 0) -> None:
    _goes(s, f)
    u = f.unit
    if special(s, u):
        set_out(s, u, own_path(s, u, h, f.second), own_rule(s, u), -1)
    else:
        cost, path, rule = reachable(s, u, f.second).way(h)
        set_out(s, u, path, rule, cost, errand)


def _charge(s: State, f: UnitAt, h: Hex) -> None:
    _to(s, f, h, TO_ATTACK)


def _rail(s: State, f: UnitAt, h: Hex) -> None:
    _goes(s, f)
    ride(s, f.unit, h)


def _ship(s: State, f: UnitAt, h: Hex, air: int) -> None:
    _goes(s, f)
    sail(s, f.unit, h, air)


def _land(s: State, f: UnitAt, h: Hex) -> None:
    _goes(s, f)
    storm_ashore(s, f.unit, h)


def _shown(s: State, f: UnitAt, action: Action) -> Hint | None:
    """The way there, what it costs and by which rule it is possible."""
    u, h, names = f.unit, action[1], s.board.grid.names
    if action[0] == verbs.RAIL:
        return {"path": [names[x] for x in rail_path(s, u, h)], "note": "by rail (7.22i)"}
    if action[0] == verbs.SHIP:
        note = Text.many(action[2], "by sea (7.22d), {n} air marker", "by sea (7.22d), {n} air markers")
        return {"path": [names[h]], "note": note}
    if action[0] == verbs.LAND:
        return {"path": [names[h]], "note": "landing (16.23a): takes a Black Sea Fleet marker"}
    if special(s, u):
        return {"path": [names[x] for x in own_path(s, u, h, f.second)], "note": "its own movement (7.9)"}
    return way_shown(s, u, reachable(s, u, f.second), h, action[0] == verbs.CHARGE)


class To(Ways[State, UnitAt, Going]):
    """Ordinary movement: its actions are kept with the reach."""

    def actions(self, s: State, f: UnitAt, now: Going) -> list[Action]:
        if now.reach is None:
            return super().actions(s, f, now)
        now.reach.to = now.reach.to or tables(s).go.listed(now.to)
        return now.reach.to[:]


class Unit(Forced[State, UnitAt, Going]):
    """7.1 Where one unit goes: that is its whole move (7.1e, 7.1f)."""

    at = UnitAt
    does = (
        To(verbs.TO, of=lambda s, now: now.to, bars=TO, facts=_facts, take=_to, hint=_shown),
        Ways(verbs.CHARGE, of=charges, bars=CHARGE, facts=_facts, take=_charge, hint=_shown),
        Ways(verbs.RAIL, of=lambda s, now: now.rail, bars=RAIL, facts=_facts, take=_rail, hint=_shown),
        Listed(
            verbs.SHIP,
            of=lambda s, f, now: ships(s, now),
            reason=lambda s, f, now, way: why_no_ship(s, now, way, _facts(s, now)),
            take=_ship,
            hint=_shown,
            others=lambda s, f, now: [(h, air) for h in s.board.port_sea for air in range(3)],
        ),
        Each(
            verbs.LAND,
            of=lambda s, now: s.board.black_coast if s.fleet_ready and s.board.naval >> now.unit & 1 else 0,
            bars=LAND,
            facts=_facts,
            take=_land,
            hint=_shown,
        ),
        Elsewhere("7.1e", "first finish the move of {unit}"),
    )

    def now(self, s: State, f: UnitAt) -> Going:
        return going(s, f.unit, f.second)

    def facts(self, s: State, f: UnitAt) -> Mapping[str, Fact]:
        return {"unit": f.unit}

    def actor(self, s: State, f: UnitAt) -> int | None:
        return s.active if self.several(s, f) else None

    def prompt(self, s: State, f: UnitAt) -> Prompt:
        u, board = f.unit, s.board
        text = Text("{unit}, MA {ma}, from {hex}", unit=u, ma=board.ma[u][s.step[u]], hex=s.at[u])
        if special(s, u):
            rules: tuple[str, ...] = ("7.9", own_rule(s, u))
        elif f.second:
            rules = ("7.3b", "7.5c") if board.foot >> u & 1 else ("7.3a", "7.3d", "7.5b")
        else:
            rules = ("7.1b", "7.21a", "7.5a", "7.22a")
        return Prompt("Where does it go?", text, rules, PHASES[s.phase])


def own_rule(s: State, u: int) -> str:
    """7.9 the rule by which a unit with special movement moves."""
    return "15.3a" if u == s.board.flotilla else "15.6a" if u == s.board.train else "15.9a"


def special(s: State, u: int) -> bool:
    """7.9 whether a unit moves by rules of its own; the bicycles only have their own road rate (15.8)."""
    return bool(s.board.own_movers >> u & 1)


def mark(s: State, u: int) -> None:
    """7.3d, 7.3e the unit takes an assault marker: its move is over."""
    s.assault |= 1 << u
    s.moved |= 1 << u
    rule = "7.3e" if s.board.foot >> u & 1 else "7.3d"
    emit(s, "assault", rule, {"unit": u, "hex": s.at[u], "side": s.active})


def set_out(s: State, u: int, path: list[Hex], rule: str, cost: int, errand: int = 0) -> None:
    """7.1 a unit goes along a path."""
    facts = {"unit": u, "side": s.active, "from": s.at[u], "to": path[-1], "path": path}
    if cost >= 0:
        facts["mp"] = cost / HALF
    emit(s, "moved", rule, facts)
    walk(s, 1 << u, path, errand)


def walk(s: State, units: int, path: list[Hex], errand: int = 0) -> None:
    """7.1 units walk a way hex by hex. Hexes in which nothing happens are passed at once."""
    places = s.board.places
    way = [h for h in path[:-1] if places >> h & 1] if len(path) > 1 else []
    s.stack.append(walking(F_WALK, units, (*way, path[-1]), errand))


TO_ATTACK = 1  # an errand: an assault marker where the way ends (7.3d)


class OnTheWay(Walk[State]):
    """7.1 Units on their way: they take control of the places that they pass (2.37a), and stand where it ends."""

    def enter(self, s: State, f: WalkAt, h: int) -> bool:
        if f.entered < len(f.path):
            take_control(s, f.who.bit_length() - 1, h)
        else:
            for u in units_of(f.who):
                enter(s, u, h)
        return True

    def arrive(self, s: State, f: WalkAt) -> None:
        if f.errand == TO_ATTACK:
            mark(s, f.who.bit_length() - 1)


NOTE_WORDS = {
    "7.1b": "",
    "7.21a": "extended movement (7.21a)",
    "7.4a": "minimum movement (7.4a)",
    "7.5b": "strategic road movement (7.5b)",
    "7.5c": "strategic road movement (7.5c)",
}


def way_shown(s: State, u: int, r: Reach, h: Hex, charge: bool) -> Hint:
    """The hexes of a move, what is spent on the way and by which rule it is possible."""
    names = s.board.grid.names
    cost, path, rule = r.way(h)
    hint: Hint = {
        "cost": points(cost),
        "of": Text("{points} MP", points=points(r.ma)),
        "path": [names[x] for x in path],
        "costs": [points(x) for x in r.running(path, rule)],
        "extended": cost > r.ma,  # 7.5d along a road too
        "note": "then an assault marker, 3 MP (7.3d)" if charge else NOTE_WORDS[rule],
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


FRAMES: dict[int, Frame[State, Any]] = {F_UNIT: Unit(), F_WALK: OnTheWay()}
