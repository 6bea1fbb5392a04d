"""15 Breakthrough combat: one stack of those who attacked fights on during its advance.

The group stands in s.group, with the trucks that carry some of it. While it fights, the fight that led to its advance
waits in s.waiting and comes back when the group is done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.phases import Each, Elsewhere, Forced, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..paths.legs import desert_run
from ..supply.support import PAID, places_of
from ..table.board import Board
from ..table.frames import AdvanceAt, BreakthroughAt, CrowdAt, GroupAt
from ..table.ids import AXIS, BREAKTHROUGH, F_ADVANCE, F_BREAKTHROUGH, F_CROWD, F_GROUP, NORMAL, PHASES
from ..table.position import touch
from ..table.stacking import limit, points
from ..table.state import State
from ..table.verbs import V_DONE, V_GROUP, V_GROUPED, V_LEAVE, V_SIT_OUT, V_STORM, V_TO, all_but
from ..table.zones import full_zoc
from . import advance, combat
from .advance import TERRAIN, clear_of_zones, go, hint, length, passengers, step, steps, with_truck
from .nations import GERMAN, ITALIAN, comando, together
from .strengths import defending

LEAST = 2
"""15.1a an advance of this many hexes allows breakthrough combat."""

# 15.4 Formations


@remembered()
def formations(board: Board) -> list[str]:
    """15.4.2, 15.4.3 the formation of each unit; the British armoured divisions are one, made up as their owner likes.

    Never more than six battalions of them stack (15.4.3a), because five points and a silhouette are the limit.
    """
    rules = board.pack.tables["formation_rules"]
    british = rules["british_armoured"]
    found = []
    for row in board.pack.units.values():
        name = row["formation"]
        like = row["nation"] == british["nation"] and row["size"] == british["size"] and row["type"] in british["types"]
        if name in rules["each_unit_own_formation"]:
            name = row["id"]
        elif name in british["formations"] and like:
            name = "british armour"
        found.append(name)
    return found


def one_formation(s: State, units: int) -> bool:
    """15.2.3b, 15.4.1 all units of one formation, but for one that is attached; trucks are of none."""
    names = formations(s.board)
    found = [names[u] for u in units_of(units & s.board.combat)]
    attached = int(s.board.pack.tables["formation_rules"]["attached_units_max"])
    return not found or max(found.count(name) for name in found) >= len(found) - attached


def one_army(s: State, units: int) -> bool:
    """15.2.3c, 27.3.1c Germans and Italians together only with Comando Supremo."""
    of = s.board.of_nation
    return s.active != AXIS or not (units & of[GERMAN] and units & of[ITALIAN]) or comando(s)


# 15.2.2, 15.2.3 The group


def eligible(s: State) -> int:
    """15.1b, 15.2.3d, 15.2.3e the combat units that may belong to the group: mechanised or carried, two hexes to go.

    Not those that may not attack: they used extended movement (A14), or rolled to disengage (27.5.3b).
    """
    if s.allowance < LEAST or s.fight.limited_advance:  # 15.1a
        return 0
    units = s.advancing & s.board.combat & ~s.extended & ~s.disengaged
    found = 0
    for u in units_of(units):
        if s.at[u] >= 0 and (s.board.mech >> u & 1 or s.carried[u] >= 0) and length(s, u) >= LEAST:
            found |= 1 << u
    return found


def forms_up(s: State, u: int) -> bool:
    """15.2.4a whether a unit can enter the vacated hex with its first step."""
    return bool(steps(s, step(s, u)) >> s.fight.vacated & 1)


def meet(s: State, units: int) -> bool:
    """15.2.4a whether these units stand in one hex, or can all enter the vacated one."""
    places = places_of(s, units)
    return not places & (places - 1) or all(forms_up(s, u) for u in units_of(units))


def in_reach(s: State, units: int) -> bool:
    """15.2.7a whether there is any enemy whom one of these units could come beside and attack."""
    men, within = s.men[enemy(s.active)], s.board.grid.within
    return any(within(h, s.allowance) & men for h in hexes_in(places_of(s, units)))


GROUPING: Bars[State, object] = Bars(
    Bar("15.2.1a", "{unit} belongs to it", lambda s, _: s.group),
    Need("15.2.3e", "{unit} took no part in this combat", lambda s, _: s.advancing & s.board.combat & s.present),
    Bar("2.3.2c", "{unit} used extended movement or the road bonus and may not attack", lambda s, _: s.extended),
    Bar("27.5.3b", "{unit} has rolled to disengage and may not attack", lambda s, _: s.disengaged),
    Doubt("15.2.3d", "{unit} is on foot", lambda s, _, u: not s.board.mech >> u & 1 and s.carried[u] < 0),
    Doubt("16.4c", "{unit} is out of supply and advances no more than 1 hex", lambda s, _, u: length(s, u) < LEAST),
    Doubt(
        "15.2.3a",
        "with {unit} there are too many stacking points",
        lambda s, _, u: points(s, s.group | 1 << u) > limit(s),
    ),
    Doubt(
        "15.2.3b",
        "all but one unit have to be of one formation",
        lambda s, _, u: not one_formation(s, s.group | 1 << u),
    ),
    Doubt(
        "15.2.3c",
        "Germans and Italians break through together only with Comando Supremo",
        lambda s, _, u: not one_army(s, s.group | 1 << u),
    ),
    Doubt(
        "15.2.4a", "the group would have to form up in {hex}, and cannot", lambda s, _, u: not meet(s, s.group | 1 << u)
    ),
)
"""15.2.3 who may belong to the group, with those who do."""


def joinable(s: State) -> int:
    """15.2.3 who may still join the group."""
    key = ("group", s.group, s.advancing, s.fight.vacated, s.allowance, s.fight.limited_advance, s.extended, s.comando)
    found: int | None = s.memo.get(key)
    if found is None:
        units = eligible(s)
        found = GROUPING.free(units, s, None) if units and in_reach(s, units) else 0
        s.memo[key] = found
    return found


def grouped(s: State, f: GroupAt, u: int) -> None:
    s.group |= 1 << u


def settled(s: State, f: GroupAt) -> None:
    """15.2.1b, 15.2.4b the group is known; one from several hexes forms up in the vacated hex, for 1 hex."""
    s.stack[-1] = AdvanceAt(F_ADVANCE)
    if not s.group:
        return
    places = places_of(s, s.group)
    for u in units_of(s.group):
        s.group |= sum(1 << v for v in with_truck(s, u))
    s.advancing &= ~s.group
    emit(s, "breakthrough_group", "15.2.1a", {"side": s.active, "units": list(units_of(s.group))})
    if places & (places - 1):
        s.stack.append(
            BreakthroughAt(F_BREAKTHROUGH, s.allowance - 1, 1, desert_run(s, 0, s.fight.vacated), -1, MOVING)
        )
        go(s, units_of(s.group), s.fight.vacated, "15.2.4a")
    else:
        s.stack.append(BreakthroughAt(F_BREAKTHROUGH, s.allowance, 0, 0, -1, MOVING))


class Group(Phase[State, GroupAt, GroupAt]):
    """15.2.1a Which units are the breakthrough group. Frame: 1 when trucks have been asked (5.8.2c).

    Passed over if nobody could fight on.
    """

    at = GroupAt
    does = (
        Each(
            V_GROUP,
            worked=lambda s, _: joinable(s),
            bars=GROUPING,
            take=grouped,
            facts=lambda s, _: {"hex": s.fight.vacated},
        ),
        Once(V_GROUPED, take=settled),
    )

    def actor(self, s: State, f: GroupAt) -> int | None:
        return s.active if f.asked and joinable(s) else None

    def run(self, s: State, f: GroupAt) -> None:
        if f.asked:
            settled(s, f)
        else:
            s.stack[-1] = GroupAt(F_GROUP, 1)
            advance.begin(s)

    def prompt(self, s: State, f: GroupAt) -> Prompt:
        names = list(units_of(s.group)) or term("Nobody so far")
        text = Text("{units}. It advances first and may attack on its way; the others advance after it", units=names)
        rules = ("15.2.1a", "15.2.3b", "15.2.4a")
        return Prompt("Who is the breakthrough group?", text, rules, PHASES[s.phase])


# The fight that waits


def lay_aside(s: State) -> None:
    """The fight that led to the advance waits while the group fights."""
    if not s.waiting:
        s.waiting.append(s.fight.copy())


def take_up(s: State) -> None:
    """The group is done: the fight that led to the advance is the one in hand again."""
    if s.waiting:
        s.fight = s.waiting.pop()


def supply_of(s: State) -> int:
    """15.2.8b, 15.2.8c the attack supply of the next breakthrough combat: that of the first attack. After 10:1 odds it
    is asked for each; what was spent reaches as far as it does (8.5.1c), in version 1 wherever they go."""
    paid = s.fight.supplied == PAID and s.edition < 2
    return s.waiting[0].supplied if s.waiting and not paid else s.fight.supplied


def first_vacated(s: State) -> Hex:
    """15.2.12a the hex that the first attack emptied."""
    return s.waiting[0].vacated if s.waiting else s.fight.vacated


# 15.2 The advance of the group

MOVING, FOUGHT = 0, 1  # the state of F_BREAKTHROUGH


def leaders(s: State) -> int:
    """The group without the trucks that carry some of it."""
    return s.group & ~passengers(s)


def place_of(s: State) -> Hex:
    return s.at[s.group.bit_length() - 1]


def able(s: State, left: int) -> int:
    """14.2.1b of the group, those who can go a hex farther: a Matilda ends its advance after 2 hexes."""
    spent = s.allowance - left + 1
    return sum([1 << u for u in units_of(leaders(s)) if length(s, u) >= spent])


def halts(s: State, h: Hex) -> bool:
    """15.2.12a, 14.4b whether the group has to stop or fight in this hex: an EZOC, but not in the hex first vacated."""
    return h != first_vacated(s) and bool(full_zoc(s, enemy(s.active)) >> h & 1)


class Onward(NamedTuple):
    """The group on its way."""

    at: BreakthroughAt
    here: Hex
    goers: int  # who can go on, if there is a combat unit among them
    near: Mask  # the hexes beside it, and its own off-map box
    free: Mask  # 15.2.6b the hex that may be entered for nothing
    ground: Mask  # 14.5 the hexes that all of them could enter, whoever is there


def onward(s: State, f: BreakthroughAt) -> Onward:
    here, goers = place_of(s), able(s, f.left) if f.left else 0
    ways, near = ALL, s.board.around[here]
    for u in units_of(goers):
        now = step(s, u, f.gone, f.run)
        near = now.near
        ways &= TERRAIN.free(near, s, now)
    free = 1 << f.free & ~s.men[enemy(s.active)] if f.free >= 0 else 0
    return Onward(f, here, goers if goers & s.board.combat else 0, near, free, ways)


def bad_ground(s: State, now: Onward, h: Hex) -> Reason:
    """14.5 what keeps the first of the group out who cannot enter."""
    found = (TERRAIN.why(h, s, step(s, u, now.at.gone, now.at.run), {"unit": u, "hex": h}) for u in units_of(now.goers))
    return next(filter(None, found))


def unless_free(closed: Callable[[State, Onward], Mask]) -> Callable[[State, Onward], Mask]:
    """15.2.6b what closes all hexes but the one just vacated."""
    return lambda s, now: closed(s, now) & ~now.free


GOING: Bars[State, Onward] = Bars(
    Bar("15.2.11", "the allowance of the first attack is used up", unless_free(lambda s, now: 0 if now.goers else ALL)),
    Bar(  # 15.2.12b not if its fights have removed it
        "15.2.12a",
        "the group stands in an enemy zone of control: it stops or fights",
        unless_free(lambda s, now: ALL if now.at.gone and halts(s, now.here) else 0),
    ),
    Need("14.1b", "{hex} is not the next hex: an advance goes hex by hex", lambda s, now: now.near | now.free),
    Bar("14.5a", "the enemy is in {hex}", lambda s, now: s.men[enemy(s.active)]),
    Bar("14.5a", bad_ground, unless_free(lambda s, now: ~now.ground)),
    Bar(
        "14.4a",
        "the group would go from one zone of control of an enemy unit into another of the same unit",
        unless_free(lambda s, now: ~clear_of_zones(s, now.here, 1 << first_vacated(s))),
    ),
)
"""15.2.1b, 15.2.10 where the group may go: any hex of an advance for 1 hex, the one just vacated for nothing."""

STORMING: Bars[State, Onward] = Bars(
    Bar("15.2.6a", "an attack costs a hex of the advance, and none is left", lambda s, now: 0 if now.goers else ALL),
    Need("15.2.7a", "there is no enemy combat unit in {hex}", lambda s, _: s.men[enemy(s.active)]),
    Need(
        "15.2.7a", "the group has not moved beside {hex}", lambda s, now: s.board.around[now.here] if now.at.gone else 0
    ),
    Need("15.2.7b", "the group could not advance into {hex}", lambda s, now: now.ground),
    Bar(
        "9.5.6c",
        lambda s, now, _: combat.FROZEN.why(now.here, s, None, {"hex": now.here}) or "",
        lambda s, now: ALL if combat.FROZEN.held(s, None) >> now.here & 1 else 0,
    ),
    Doubt(
        "8.4.2c",
        "these units may not attack together",
        lambda s, now, h: not together(s, combat.attackers_near(s, h, now.goers)),
    ),
    Doubt(
        "8.8.3a",
        "the odds against {hex} are less than 1:3",
        lambda s, now, h: not combat.suffices(s, BREAKTHROUGH, h, combat.attackers_near(s, h, now.goers)),
    ),
)
"""15.2.7 the hexes beside the group that it may attack: it moved there (15.2.7a), and could advance into them."""


class Options(NamedTuple):
    """What the group may do next."""

    way: Onward
    to: Mask
    storms: Mask
    may_leave: int  # 15.2.13a while there is something to do, and others are left


def options(s: State, f: BreakthroughAt) -> Options:
    key = ("breakthrough", s.group, s.fight.vacated, len(s.waiting), *f)
    found: Options | None = s.memo.get(key)
    if found is None:
        way = onward(s, f)
        to = GOING.free(way.near | way.free, s, way)
        storms = STORMING.free(s.board.around[way.here] & s.men[enemy(s.active)], s, way)
        units = leaders(s) & s.board.combat
        found = s.memo[key] = Options(way, to, storms, units if (to or storms) and units & (units - 1) else 0)
    return found


LEAVING: Bars[State, Options] = Bars(
    Need("15.2.13a", "{unit} is not one of several units of the group", lambda s, now: now.may_leave)
)


def drop(s: State, units: int) -> None:
    """15.2.13 units are left behind, with their trucks, and end their advance."""
    for u in units_of(units):
        emit(s, "dropped", "15.2.13b", {"unit": u, "hex": s.at[u], "side": s.active})
        for v in with_truck(s, u):
            s.group &= ~(1 << v)


def goes(s: State, f: BreakthroughAt, h: Hex) -> None:
    """15.2.6b into the hex just vacated for nothing, into any other for 1 hex."""
    price = int(h != f.free)
    if price:
        drop(s, leaders(s) & ~able(s, f.left))
    run = desert_run(s, f.run, h)
    s.stack[-1] = f._replace(left=f.left - price, gone=f.gone + 1, run=run, free=-1, state=MOVING)
    go(s, units_of(s.group), h, "15.2.1b" if price else "15.2.6b")


def storm(s: State, f: BreakthroughAt, h: Hex) -> None:
    """15.2.6a, 15.2.8 an attack for 1 hex, with the attack supply of the first attack (15.2.8b)."""
    drop(s, leaders(s) & ~able(s, f.left))
    s.stack[-1] = f._replace(left=f.left - 1, free=-1, state=FOUGHT)
    s.fight.supplied = supply_of(s)
    lay_aside(s)
    units = leaders(s) & s.board.combat
    s.attacked |= units  # 8.1h
    s.advanced |= s.group
    combat.begin_fight(s, BREAKTHROUGH, h, units)
    s.stack.append(CrowdAt(F_CROWD, enemy(s.active)))


def done(s: State, f: BreakthroughAt) -> None:
    """15.2.1c the others are next."""
    take_up(s)
    s.group = 0
    s.stack.pop()


def go_shown(s: State, f: BreakthroughAt, action: Action) -> Hint:
    h = action[1]
    stops = term("enemy zone of control: stop there or fight (15.2.12a)") if halts(s, h) else ""
    return hint(s, h, int(h != f.free), f.left, stops)


def storm_odds(s: State, f: BreakthroughAt, action: Action) -> Odds:
    return combat.storm_odds(s, action[1], able(s, f.left) & s.board.combat, supply_of(s))


class Breakthrough(Forced[State, BreakthroughAt, Options]):
    """15.2.1b The group advances and fights. Frame: hexes left, hexes entered, desert run, the hex that may be entered
    for nothing, or -1; and whether it has just fought."""

    at = BreakthroughAt
    does = (
        Each(
            V_TO,
            worked=lambda s, now: now.to,
            bars=GOING.asked_of(lambda now: now.way),
            take=goes,
            then=(NORMAL,),
            hint=go_shown,
        ),
        Each(V_LEAVE, bars=LEAVING, worked=lambda s, now: now.may_leave, take=lambda s, f, u: drop(s, 1 << u)),
        Each(
            V_STORM,
            worked=lambda s, now: now.storms,
            bars=STORMING.asked_of(lambda now: now.way),
            take=storm,
            odds=storm_odds,
        ),
        Once(V_DONE, take=done),
    )

    def now(self, s: State, f: BreakthroughAt) -> Options:
        return options(s, f)

    def actor(self, s: State, f: BreakthroughAt) -> int | None:
        return None if f.state == FOUGHT or not s.group & s.board.combat else super().actor(s, f)

    def run(self, s: State, f: BreakthroughAt) -> None:
        """15.2.9, 15.2.10 what came of a breakthrough combat; or there is nothing left to do."""
        if f.state == FOUGHT and not s.men[enemy(s.active)] >> s.fight.target & 1 and s.group & s.board.combat:
            left = 0 if s.fight.limited_advance else f.left  # 15.2.9b
            s.stack[-1] = f._replace(left=left, free=s.fight.target, state=MOVING)
        else:
            done(s, f)  # 15.2.9a

    def prompt(self, s: State, f: BreakthroughAt) -> Prompt:
        text = term(
            "{units}: {left} of {allowance} hexes left; a hex or an attack costs 1. Pick a hex, or a counter to drop it"
        )
        if f.free >= 0:
            text = term(
                "{units}: {left} of {allowance} hexes left; a hex or an attack costs 1, {hex} nothing. "
                "Pick a hex, or a counter to drop it"
            )
        facts: dict[str, Fact] = {
            "units": list(units_of(leaders(s))),
            "left": f.left,
            "allowance": s.allowance,
            "hex": f.free,
        }
        rules = ("15.2.1b", "15.2.6a", "15.2.12a")
        return Prompt("Where does the breakthrough group go?", Text.of(text, facts), rules, PHASES[s.phase])


# 15.3b Too many defenders


def counting(s: State) -> int:
    """The defenders that add to the defence."""
    return defending(s, s.fight.target) & ~(s.routed | s.crowd)


def weighing(s: State) -> int:
    """4.2b those of them that count for stacking."""
    units = counting(s)
    total = points(s, units)
    return sum(1 << u for u in units_of(units) if points(s, units & ~(1 << u)) < total)


SITTING_OUT: Bars[State, object] = Bars(
    Need("15.3b", "{unit} is not among the defenders that count", lambda s, _: counting(s)),
    Need("4.2b", "{unit} does not count for stacking there", lambda s, _: weighing(s)),
)
"""15.3b who can be left out of the defence."""


def sit_out(s: State, f: CrowdAt, u: int) -> None:
    """15.3b a defender adds nothing to the defence."""
    s.crowd |= 1 << u
    touch(s)
    emit(s, "crowded", "15.3b", {"unit": u, "hex": s.fight.target, "side": f.side})


class Crowd(Phase[State, CrowdAt, CrowdAt]):
    """15.3b The defenders of an overstacked hex leave out as many as are too many; before anything is declared, for
    the odds hang on it. Frame: side."""

    at = CrowdAt
    does = (
        Each(V_SIT_OUT, of=lambda s, _: counting(s), bars=SITTING_OUT, take=sit_out),
        Elsewhere("15.3b", "first choose who adds nothing to the defence", *all_but(V_SIT_OUT)),
    )

    def actor(self, s: State, f: CrowdAt) -> int | None:
        return f.side if points(s, counting(s)) > limit(s) else None

    def prompt(self, s: State, f: CrowdAt) -> Prompt:
        over = points(s, counting(s)) - limit(s)
        one, many = (
            term("{hex} is 1 stacking point over the limit"),
            term("{hex} is {n} stacking points over the limit"),
        )
        text = Text.many(over, one, many, hex=s.fight.target)
        return Prompt("Who adds nothing to the defence?", text, ("15.3b", "4.1a"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_GROUP: Group(), F_BREAKTHROUGH: Breakthrough(), F_CROWD: Crowd()}
