"""15 Breakthrough combat: one stack of those who attacked fights on during its advance.

The group stands in s.group, with the trucks that carry some of it. While it fights, the fight that led to its advance
waits in s.waiting and comes back when the group is done.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.phases import Each, Elsewhere, Once, Phase
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
from .advance import clear_of_zones, go, length, passengers, ways_on, with_truck
from .nations import GERMAN, ITALIAN, comando, together
from .strengths import defending

LEAST = 2
"""15.1a an advance of this many hexes allows breakthrough combat."""

# 15.4 Formations


def formations(board: Board) -> list[str]:
    """15.4.2, 15.4.3 the formation of each unit; the British armoured divisions are one, made up as their owner likes.

    Never more than six battalions of them stack (15.4.3a), because five points and a silhouette are the limit.
    """
    found: list[str] | None = board.kept.get("formations")
    if found is None:
        rules = board.pack.tables["formation_rules"]
        british = rules["british_armoured"]
        found = []
        for row in board.pack.units.values():
            name = row["formation"]
            if name in rules["each_unit_own_formation"]:
                name = row["id"]
            elif (
                name in british["formations"]
                and row["nation"] == british["nation"]
                and row["size"] == british["size"]
                and row["type"] in british["types"]
            ):
                name = "british armour"
            found.append(name)
        board.kept["formations"] = found
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
    return bool(advance.steps(s, u, 0, 0) >> s.fight.vacated & 1)


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
        "15.2.4a",
        "the group would have to form up in {hex}, and cannot",
        lambda s, _, u: not meet(s, s.group | 1 << u),
    ),
)
"""15.2.3 who may belong to the group, with those who do."""


def joinable(s: State) -> int:
    """15.2.3 who may still join the group."""
    key = (
        "group",
        s.group,
        s.advancing,
        s.fight.vacated,
        s.allowance,
        s.fight.limited_advance,
        s.extended,
        s.comando,
    )
    found: int | None = s.memo.get(key)
    if found is None:
        units = eligible(s)
        found = GROUPING.free(units, s, None) if units and in_reach(s, units) else 0
        s.memo[key] = found
    return found


def grouped(s: State, f: GroupAt, u: int) -> None:
    s.group |= 1 << u


def settled(s: State, f: GroupAt) -> None:
    Group.settle(s)


class Group(Phase[State, GroupAt, object]):
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

    def now(self, s: State, f: GroupAt) -> object:
        return None

    def actor(self, s: State, f: GroupAt) -> int | None:
        if not f.asked:
            return None
        return s.active if joinable(s) else None

    def run(self, s: State, f: GroupAt) -> None:
        if not f.asked:
            s.stack[-1] = GroupAt(F_GROUP, 1)
            advance.begin(s)
        else:
            self.settle(s)

    @staticmethod
    def settle(s: State) -> None:
        """15.2.1b, 15.2.4b the group is known; one from several hexes forms up in the vacated hex, for 1 hex."""
        s.stack[-1] = AdvanceAt(F_ADVANCE)
        if not s.group:
            return
        group = s.group
        s.advancing &= ~group
        for u in units_of(group):
            s.group |= sum(1 << v for v in with_truck(s, u))
        s.advancing &= ~s.group
        places = places_of(s, group)
        emit(s, "breakthrough_group", "15.2.1a", {"side": s.active, "units": list(units_of(s.group))})
        if places & (places - 1):
            run = desert_run(s, 0, s.fight.vacated)
            s.stack.append(frame(s.allowance - 1, 1, run, -1, MOVING))
            go(s, units_of(s.group), s.fight.vacated, "15.2.4a")
        else:
            s.stack.append(frame(s.allowance, 0, 0, -1, MOVING))

    def prompt(self, s: State, f: GroupAt) -> Prompt:
        names = ", ".join(s.board.unit_names[u] for u in units_of(s.group)) or "Nobody so far"
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
    """15.2.8b, 15.2.8c the attack supply of the next breakthrough combat: paid for, or that of the first attack."""
    return s.waiting[0].supplied if s.waiting and s.fight.supplied != PAID else s.fight.supplied


def first_vacated(s: State) -> Hex:
    """15.2.12a the hex that the first attack emptied."""
    return s.waiting[0].vacated if s.waiting else s.fight.vacated


# 15.2 The advance of the group

MOVING, FOUGHT = 0, 1


def frame(left: int, gone: int, run: int, free: Hex, state: int) -> BreakthroughAt:
    """F_BREAKTHROUGH: hexes left, hexes entered, desert run, the hex that may be entered for nothing, or -1."""
    return BreakthroughAt(F_BREAKTHROUGH, left, gone, run, free, state)


def leaders(s: State) -> int:
    """The group without the trucks that carry some of it."""
    return s.group & ~passengers(s)


def place_of(s: State) -> Hex:
    return s.at[s.group.bit_length() - 1]


def able(s: State, left: int, price: int) -> int:
    """14.2.1b of the group, those who can go so much farther: a Matilda ends its advance after 2 hexes."""
    spent = s.allowance - left + price
    return sum([1 << u for u in units_of(leaders(s)) if length(s, u) >= spent])


def halts(s: State, h: Hex) -> bool:
    """15.2.12a, 14.4b whether the group has to stop or fight in this hex: an EZOC, but not in the hex first vacated."""
    return h != first_vacated(s) and bool(full_zoc(s, enemy(s.active)) >> h & 1)


def stopped(s: State, gone: int) -> bool:
    """15.2.12a whether the group stands in an EZOC that it has entered; 15.2.12b not if its fights have removed it."""
    return bool(gone) and halts(s, place_of(s))


def terrain(s: State, units: int, gone: int, run: int) -> Mask:
    """14.5 the hexes that all of these units could enter next, whoever is there."""
    found, h = -1, place_of(s)
    for u in units_of(units):
        found &= ways_on(s, u, h, gone, run)
    return found


def moves(s: State, f: BreakthroughAt) -> Mask:
    """15.2.1b, 15.2.10 where the group may go: any hex of an advance for 1 hex, the one just vacated for nothing."""
    left, gone, run, free = f.left, f.gone, f.run, f.free
    h, men = place_of(s), s.men[enemy(s.active)]
    found = 0
    if left and not stopped(s, gone) and not s.board.box_mask >> h & 1:
        goers = able(s, left, 1)
        if goers & s.board.combat:
            found = terrain(s, goers, gone, run) & ~men & clear_of_zones(s, h, 1 << first_vacated(s))
    if free >= 0 and not men >> free & 1:
        found |= 1 << free
    return found


def targets(s: State, f: BreakthroughAt) -> Mask:
    """15.2.7 the hexes beside the group that it may attack: it moved there (15.2.7a), and could advance into them."""
    left, gone, run = f.left, f.gone, f.run
    if not left or not gone or s.board.box_mask >> place_of(s) & 1:
        return 0
    units = able(s, left, 1)
    near = s.board.around[place_of(s)] & s.men[enemy(s.active)]
    if not near or not units & s.board.combat:
        return 0
    near &= terrain(s, units, gone, run)
    return sum([1 << h for h in hexes_in(near) if combat.can_storm(s, h, units)])


class Breakthrough(Frame[State, BreakthroughAt]):
    """15.2.1b The group advances and fights. Frame: see `frame`."""

    at = BreakthroughAt

    def choices(self, s: State, f: BreakthroughAt) -> list[Action]:
        if f.state == FOUGHT or not s.group & s.board.combat:
            return []
        key = ("breakthrough", s.group, s.fight.vacated, len(s.waiting), *f)
        found: list[Action] | None = s.memo.get(key)
        if found is None:
            found = [(V_TO, h, NORMAL) for h in hexes_in(moves(s, f))]
            storms: list[Action] = [(V_STORM, h) for h in hexes_in(targets(s, f))]
            if found or storms:
                units = leaders(s) & s.board.combat
                if units & (units - 1):
                    found += [(V_LEAVE, u) for u in units_of(units)]  # 15.2.13a
                found += [*storms, (V_DONE,)]
            s.memo[key] = found
        return found

    def actor(self, s: State, f: BreakthroughAt) -> int | None:
        choices = self.choices(s, f)
        if not choices:
            return None
        s.choices = choices[:]
        return s.active

    def run(self, s: State, f: BreakthroughAt) -> None:
        if f.state == FOUGHT:
            self.judge(s, f)
        else:
            self.over(s)

    def judge(self, s: State, f: BreakthroughAt) -> None:
        """15.2.9, 15.2.10 what came of a breakthrough combat."""
        left, gone, run = f.left, f.gone, f.run
        if s.men[enemy(s.active)] >> s.fight.target & 1 or not s.group & s.board.combat:  # 15.2.9a
            self.over(s)
        elif s.fight.limited_advance:  # 15.2.9b
            s.stack[-1] = frame(0, gone, run, s.fight.target, MOVING)
        else:
            s.stack[-1] = frame(left, gone, run, s.fight.target, MOVING)

    def over(self, s: State) -> None:
        """15.2.1c the others are next."""
        take_up(s)
        s.group = 0
        s.stack.pop()

    def legal(self, s: State, f: BreakthroughAt) -> list[Action]:
        return list(self.choices(s, f))

    def take(self, s: State, f: BreakthroughAt, action: Action) -> None:
        verb = action[0]
        if verb == V_TO:
            self.go(s, f, action[1])
        elif verb == V_STORM:
            self.storm(s, f, action[1])
        elif verb == V_LEAVE:
            self.drop(s, 1 << action[1])
        else:
            self.over(s)

    def go(self, s: State, f: BreakthroughAt, h: Hex) -> None:
        """15.2.6b into the hex just vacated for nothing, into any other for 1 hex."""
        left, gone, run, free = f.left, f.gone, f.run, f.free
        price = 0 if h == free else 1
        if price:
            self.drop(s, leaders(s) & ~able(s, left, price))
        s.stack[-1] = frame(left - price, gone + 1, desert_run(s, run, h), -1, MOVING)
        go(s, units_of(s.group), h, "15.2.1b" if price else "15.2.6b")

    def storm(self, s: State, f: BreakthroughAt, h: Hex) -> None:
        """15.2.6a, 15.2.8 an attack for 1 hex, with the attack supply of the first attack (15.2.8b)."""
        left, gone, run = f.left, f.gone, f.run
        self.drop(s, leaders(s) & ~able(s, left, 1))
        s.stack[-1] = frame(left - 1, gone, run, -1, FOUGHT)
        s.fight.supplied = supply_of(s)
        lay_aside(s)
        units = leaders(s) & s.board.combat
        s.attacked |= units  # 8.1h
        s.advanced |= s.group
        combat.begin_fight(s, BREAKTHROUGH, h, units)
        s.stack.append(CrowdAt(F_CROWD, enemy(s.active)))

    def drop(self, s: State, units: int) -> None:
        """15.2.13 units are left behind, with their trucks, and end their advance."""
        for u in units_of(units):
            emit(s, "dropped", "15.2.13b", {"unit": u, "hex": s.at[u], "side": s.active})
            for v in with_truck(s, u):
                s.group &= ~(1 << v)

    def prompt(self, s: State, f: BreakthroughAt) -> Prompt:
        left, free = f.left, f.free
        names = ", ".join(s.board.unit_names[u] for u in units_of(leaders(s)))
        text = term(
            "{units}: {left} of {allowance} hexes left; a hex or an attack costs 1. Pick a hex, or a counter to drop it"
        )
        if free >= 0:
            text = term(
                "{units}: {left} of {allowance} hexes left; a hex or an attack costs 1, {hex} nothing. "
                "Pick a hex, or a counter to drop it"
            )
        facts: dict[str, Fact] = {"units": names, "left": left, "allowance": s.allowance, "hex": free}
        rules = ("15.2.1b", "15.2.6a", "15.2.12a")
        return Prompt("Where does the breakthrough group go?", Text.of(text, facts), rules, PHASES[s.phase])

    def odds(self, s: State, f: BreakthroughAt, action: Action) -> Odds | None:
        if action[0] != V_STORM:
            return None
        return combat.storm_odds(s, action[1], able(s, f.left, 1) & s.board.combat, supply_of(s))

    def hint(self, s: State, f: BreakthroughAt, action: Action) -> Hint | None:
        if action[0] != V_TO:
            return None
        h, price = action[1], 0 if action[1] == f.free else 1
        stop = halts(s, h)
        left = Text.many(f.left, "{n} hex", "{n} hexes")
        found: Hint = {"path": [s.board.grid.names[h]], "cost": str(price), "of": left, "stop": stop}
        if stop:
            found["note"] = term("enemy zone of control: stop there or fight (15.2.12a)")
        return found

    def why_not(self, s: State, f: BreakthroughAt, action: Action) -> Reason | None:
        if action[0] == V_STORM:
            return why_no_storm(s, f, action[1])
        if action[0] == V_TO:
            return why_not_to(s, f, action[1])
        if action[0] == V_LEAVE:
            return Reason(
                "15.2.13a", Text("{unit} is not one of several units of the group", unit=s.board.unit_names[action[1]])
            )
        return None


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


class Crowd(Phase[State, CrowdAt, object]):
    """15.3b The defenders of an overstacked hex leave out as many as are too many; before anything is declared, for
    the odds hang on it. Frame: side."""

    at = CrowdAt
    does = (
        Each(V_SIT_OUT, of=lambda s, _: counting(s), bars=SITTING_OUT, take=sit_out),
        Elsewhere("15.3b", "first choose who adds nothing to the defence", *all_but(V_SIT_OUT)),
    )

    def now(self, s: State, f: CrowdAt) -> object:
        return None

    def actor(self, s: State, f: CrowdAt) -> int | None:
        return f.side if points(s, counting(s)) > limit(s) else None

    def run(self, s: State, f: CrowdAt) -> None:
        s.stack.pop()

    def prompt(self, s: State, f: CrowdAt) -> Prompt:
        over = points(s, counting(s)) - limit(s)
        one, many = (
            term("{hex} is 1 stacking point over the limit"),
            term("{hex} is {n} stacking points over the limit"),
        )
        text = Text.many(over, one, many, hex=s.fight.target)
        return Prompt("Who adds nothing to the defence?", text, ("15.3b", "4.1a"), PHASES[s.phase])


def why_no_storm(s: State, f: BreakthroughAt, h: Hex) -> Reason:
    """15.2.7 why a hex cannot be attacked in a breakthrough."""
    left, gone, run = f.left, f.gone, f.run
    name, here = s.board.hex_name(h), place_of(s)
    if not left:
        return Reason("15.2.6a", "an attack costs a hex of the advance, and none is left")
    if not s.men[enemy(s.active)] >> h & 1:
        return Reason("15.2.7a", Text("there is no enemy combat unit in {hex}", hex=name))
    if not gone or not s.board.around[here] >> h & 1:
        return Reason("15.2.7a", Text("the group has not moved beside {hex}", hex=name))
    units = able(s, left, 1)
    if not terrain(s, units, gone, run) >> h & 1:
        return Reason("15.2.7b", Text("the group could not advance into {hex}", hex=name))
    frozen = combat.FROZEN.why(here, s, None, {"hex": here})
    if frozen is not None:
        return frozen
    if not together(s, combat.attackers_near(s, h, units)):
        return Reason("8.4.2c", "these units may not attack together")
    return Reason("8.8.3a", Text("the odds against {hex} are less than 1:3", hex=name))


def why_not_to(s: State, f: BreakthroughAt, h: Hex) -> Reason:
    """15.2, 14.4, 14.5 why the group does not go into a hex."""
    left, gone, run = f.left, f.gone, f.run
    name, here = s.board.hex_name(h), place_of(s)
    if not left:
        return Reason("15.2.11", "the allowance of the first attack is used up")
    if stopped(s, gone):
        return Reason("15.2.12a", "the group stands in an enemy zone of control: it stops or fights")
    if not s.board.around[here] >> h & 1:
        return Reason("14.1b", Text("{hex} is not the next hex: an advance goes hex by hex", hex=name))
    if s.men[enemy(s.active)] >> h & 1:
        return Reason("14.5a", Text("the enemy is in {hex}", hex=name))
    for u in units_of(able(s, left, 1)):
        if not ways_on(s, u, here, gone, run) >> h & 1:
            return advance.why_no_way(s, u, h, gone, run)
    return Reason("14.4a", "the group would go from one zone of control of an enemy unit into another of the same unit")


FRAMES: dict[int, Frame[State, Any]] = {F_GROUP: Group(), F_BREAKTHROUGH: Breakthrough(), F_CROWD: Crowd()}
