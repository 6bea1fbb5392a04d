"""12 Retreats.

The units in `s.retreating` leave `origin` unit by unit, each its whole way hex by hex; trucks carry who is to be
carried from the start (12.5.1c). Where a unit may go is in search.py, surrender in surrender.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.phases import Each, Once, Pairs, Phase
from sandtable.mechanics.shown.telling import emit

from ..paths.legs import exits, pinned
from ..table import captures
from ..table.frames import CarryAt, RetreatAt, RetreatUnitAt
from ..table.ids import COMBAT, F_CARRY, F_RETREAT, F_RETREAT_UNIT, NORMAL, PHASES, SURRENDER_LEFT, TAG_ALONG
from ..table.position import (
    add_sp,
    combat_units_in,
    eliminate,
    order_of,
    put,
    set_order,
    supply_points,
    touch,
    tread,
    units_in,
)
from ..table.state import State
from ..table.verbs import V_CARRY, V_HALT, V_JOIN, V_LEAVE, V_LOAD_SP, V_NO_CARRY, V_TO
from ..table.zones import beside_any
from . import displacement
from .displacement import DISPLACED
from .search import DISENGAGING, LENGTHS, NEXT, WALK, Way, choice, death, ground, not_here, riders, way_exists
from .surrender import abandon, free_trucks, perish, supplied

BEGIN, LOAD, CONDEMN, GO, OVER = range(5)  # the steps of F_RETREAT
BEFORE_RETREAT, BEFORE_ADVANCE, BEFORE_DISPLACEMENT = 0, 1, displacement.BEFORE_DISPLACEMENT  # moments of F_CARRY
SHELTERED = 3  # another: 12.3b who has sheltered with friends and must go again


def begin(s: State, units: int, origin: Hex, hexes: int) -> None:
    """12.1.1a these units must retreat from their hex: 2, 3 (2 or 3, 10.1d) or 4 hexes, or DISENGAGING (27.5.4b)."""
    s.retreating = units
    s.fight.origin = origin
    s.stack.append(RetreatAt(F_RETREAT, hexes, BEGIN))


def side_of(s: State) -> int:
    """Whose retreat it is: the enemy's, but a disengagement is the phasing player's own (27.5.1)."""
    return s.board.side[s.retreating.bit_length() - 1]


def in_combat_phase(s: State) -> bool:
    return PHASES[s.phase] == "combat"


# 12.1 The stack


class Retreat(Frame[State, RetreatAt]):
    """12.1.1 The units in s.retreating leave s.fight.origin. Frame: hexes (see LENGTHS), step."""

    at = RetreatAt

    def run(self, s: State, f: RetreatAt) -> None:
        hexes, step = f.hexes, f.step
        if not s.retreating:
            step = OVER
        else:
            s.stack[-1] = RetreatAt(F_RETREAT, hexes, step + 1)
        if step == BEGIN:
            self.gather(s, hexes)
            if not f.asked and self.seats_are_short(s, hexes):
                s.stack[-1] = f._replace(asked=1)
                s.stack.append(CarryAt(F_CARRY, side_of(s), SHELTERED, s.fight.origin))
            else:
                self.assemble(s, hexes)
        elif step == LOAD:
            s.stack.append(CarryAt(F_CARRY, side_of(s), BEFORE_RETREAT, s.fight.origin))
        elif step == CONDEMN:
            self.condemn(s, hexes)
        elif step == GO:
            waiting = s.here.get(s.fight.origin, 0) & s.retreating
            goes = next((u for u in units_of(waiting) if s.carried[u] < 0), -1)
            if goes >= 0:
                s.stack[-1] = f
                s.stack.append(frame(goes, hexes, 0, (s.fight.origin,)))
        else:
            s.retreating = 0
            s.stack.pop()

    def gather(self, s: State, hexes: int) -> None:
        """12.1.5a trucks, MSUs and replacements retreat with the others."""
        if hexes != DISENGAGING:
            s.retreating |= units_in(s, s.fight.origin, side_of(s))
            s.fight.defenders |= s.retreating

    def doomed(self, s: State, hexes: int) -> int:
        """12.3b who retreated onto friends and must go again; not in breakthroughs (15.3a)."""
        return s.sheltered & s.retreating if s.fight.kind == COMBAT and hexes != DISENGAGING else 0

    def seats_are_short(self, s: State, hexes: int) -> bool:
        """12.5.1b whether the trucks could carry some of the doomed, but not all: their owner says whom (A56). Out of
        supply all of them surrender (12.5.1d)."""
        seats = free_trucks(s, side_of(s), s.fight.origin).bit_count()
        doomed = self.doomed(s, hexes) & s.board.foot & s.board.combat
        return 0 < seats < doomed.bit_count() and any(supplied(s, u) for u in units_of(doomed))

    def assemble(self, s: State, hexes: int) -> None:
        """12.3b, 17.1.2c who cannot retreat is eliminated, and surrenders if on foot, with no truck to carry it
        (12.5.1b): each truck spares one unit."""
        board, doomed = s.board, self.doomed(s, hexes)
        side, surrendered = side_of(s), False
        seats = free_trucks(s, side, s.fight.origin).bit_count()  # 12.5.1b those that have been given to nobody
        for u in units_of(s.retreating):
            if u == board.tobruk_asu:
                perish(s, u, "17.1.2c")
            elif doomed >> u & 1:
                walks = (board.foot & board.combat) >> u & 1 and s.carried[u] < 0
                if walks > seats:
                    eliminate(s, u, "12.5.1b", surrenders=True)
                else:
                    seats -= walks
                    perish(s, u, "12.3b")
            surrendered = surrendered or s.at[u] == SURRENDER_LEFT
        abandon(s, side, s.fight.origin, surrendered)

    def condemn(self, s: State, hexes: int) -> None:
        """12.5.1 who is on foot and must go far or again surrenders; 12.2 who has no way is eliminated."""
        board, origin, side = s.board, s.fight.origin, side_of(s)
        party, surrendered = s.retreating, False
        for u in units_of(party):
            if s.carried[u] >= 0:
                continue
            walks = bool(board.foot >> u & 1)
            if walks and s.retreated >> u & 1 and hexes != DISENGAGING:
                eliminate(s, u, "12.5.1b", surrenders=bool(board.combat >> u & 1))
            elif not way_exists(s, u, hexes, origin, party):
                if walks and LENGTHS[hexes][0] > WALK:
                    eliminate(s, u, "12.5.1a", surrenders=bool(board.combat >> u & 1))
                else:
                    rule = death(s, u, hexes, (origin,), 0, party)
                    for rider in units_of(riders(s, u)):
                        perish(s, rider, rule)
            surrendered = surrendered or s.at[u] == SURRENDER_LEFT
        if hexes != DISENGAGING:
            abandon(s, side, origin, surrendered)


# 12.1.5b, 5.8.2c Trucks and their loads


def on_foot(s: State, side: int, moment: int, h: Hex) -> int:
    """Who could be carried: units on foot that are to retreat, to advance, to be displaced or, having retreated onto
    friends, to go again; nobody twice."""
    pool = (s.retreating, s.advancing, s.routed, s.retreating & s.sheltered)[moment]
    units = units_in(s, h, side) & s.board.combat & s.board.foot & pool
    return sum(1 << u for u in units_of(units) if s.carried[u] < 0)


CARRY_TITLES = (
    "Who is carried as they retreat?",
    "Who is carried as they advance?",
    "Who is carried as they give way?",
)


class Loading(NamedTuple):
    """Who loads where and when, and the trucks that are free for it."""

    moment: int
    side: int
    hex: Hex
    trucks: int


def forward(s: State, now: Loading, units: int) -> int:
    """What holds trucks that are to carry somebody forward."""
    return units if now.moment == BEFORE_ADVANCE else 0


TRUCKS: Bars[State, Loading] = Bars(
    Need("12.1.5b", "{unit} is no empty truck in {hex}", lambda s, now: now.trucks),
    Bar("16.4c", "{unit} is out of supply: it carries nobody forward", lambda s, now: forward(s, now, s.oos)),
    Bar(
        "14.1a",
        "{unit} has advanced, or may not: it carries nobody forward",
        lambda s, now: forward(s, now, s.refreshed | s.advanced),  # 19.5c
    ),
)
"""12.1.5b, 5.8.2c which trucks can take somebody up."""


def first_truck(s: State, now: Loading) -> int:
    """One truck is as good as another, so the first that is free is offered."""
    trucks = TRUCKS.free(now.trucks, s, now)
    return trucks & -trucks


CARRIERS: Bars[State, Loading] = Bars(
    TRUCKS, Need("12.1.5b", "one truck is as good as another: take the first", first_truck)
)
LOADS: Bars[State, Loading] = Bars(
    Need(
        "12.5.1c",
        "{other} is not on foot with the truck from the start",
        lambda s, now: on_foot(s, now.side, now.moment, now.hex),
    )
)


def carries(s: State, f: CarryAt, truck: int, u: int) -> None:
    s.carried[u] = truck
    touch(s)
    rule = "5.8.2c" if f.moment == BEFORE_ADVANCE else "12.5.1b" if f.moment == SHELTERED else "12.1.5b"
    emit(s, "carried", rule, {"truck": truck, "unit": u, "hex": f.hex, "side": f.side})


def loads_sp(s: State, f: CarryAt) -> None:
    truck = units_of(free_trucks(s, f.side, f.hex) & s.retreating)[0]
    s.msu |= 1 << truck  # 17.2.4a
    add_sp(s, f.side, f.hex, -1)
    emit(s, "sp_loaded", "17.2.4a", {"unit": truck, "hex": f.hex, "side": f.side})


def enough(s: State, f: CarryAt) -> None:
    s.stack.pop()


def no_sp(s: State, now: Loading) -> Reason | None:
    if now.moment == BEFORE_RETREAT and now.trucks and supply_points(s, now.side, now.hex) > 0:
        return None
    return Reason("12.1.1b", Text("there is no supply point with a free truck in {hex}", hex=now.hex))


def they_surrender(s: State, now: Loading) -> Reason | None:
    return Reason("12.5.1b", "whom a truck can carry does not surrender") if now.moment == SHELTERED else None


class Carry(Phase[State, CarryAt, Loading]):
    """12.1.5b, 5.8.2c A truck takes up one unit of its hex, or an SP. Frame: side, moment, hex.

    It would gain a mechanised unit nothing to be carried, so none is offered.
    """

    at = CarryAt
    does = (
        Once(V_LOAD_SP, take=loads_sp, shut=no_sp),
        Pairs(V_CARRY, first=CARRIERS, second=LOADS, take=carries, facts=lambda s, now: {"hex": now.hex}),
        Once(V_NO_CARRY, take=enough, shut=they_surrender),
    )

    def now(self, s: State, f: CarryAt) -> Loading:
        trucks = free_trucks(s, f.side, f.hex)
        return Loading(f.moment, f.side, f.hex, trucks & s.retreating if f.moment == BEFORE_RETREAT else trucks)

    def actor(self, s: State, f: CarryAt) -> int | None:
        s.choices = self.legal(s, f)
        return f.side if len(s.choices) > (f.moment != SHELTERED) else None

    def run(self, s: State, f: CarryAt) -> None:
        s.choices = None
        s.stack.pop()

    def prompt(self, s: State, f: CarryAt) -> Prompt:
        if f.moment == SHELTERED:
            lost = Text("All are lost: whom a truck could carry goes to the Eliminated Box, the others surrender")
            return Prompt("Who does not surrender?", lost, ("12.3b", "12.5.1b"), PHASES[s.phase])
        text = Text("{hex}: a unit on foot goes as far as a mechanised one if a truck carries it", hex=f.hex)
        rules = ("5.8.2c",) if f.moment == BEFORE_ADVANCE else ("12.1.5b", "12.5.1c")
        return Prompt(CARRY_TITLES[f.moment], text, rules, PHASES[s.phase])


# 12.1.1a One unit


def frame(
    u: int, errand: int, zones: int, path: tuple[Hex, ...], friends: tuple[tuple[int, int], ...] = ()
) -> RetreatUnitAt:
    return RetreatUnitAt(F_RETREAT_UNIT, u, errand, zones, len(path) - 1, path, friends)


class Steps(NamedTuple):
    """A unit on its retreat, whom it could pick up (27.3.2a), and whom it could leave behind (27.3.2e)."""

    f: RetreatUnitAt
    way: Way
    joinable: int
    leavable: int


def goes(s: State, f: RetreatUnitAt, h: Hex) -> None:
    """One hex for the unit, its load and its companions; then units in Full Retreat beside them give way."""
    u, path = f.unit, f.path
    side, here = s.board.side[u], path[-1]
    entered, trapped = into_zone(s, f, h), into_zone(s, f, here)
    slow = [v for v, joined in f.friends if joined >= 0 and not keeps_up(s, v, joined, path, h, entered)]
    friends = tuple((v, LEFT if v in slow else joined) for v, joined in f.friends)
    for v in slow:
        stay_behind(s, f, v, trapped)
    going = (*units_of(riders(s, u)), *along(friends))
    for v in going:
        emit(s, "retreated", "12.1.1a", {"unit": v, "side": side, "from": here, "to": h, "path": [here, h]})
        put(s, v, h)
    tread(s, sum(1 << v for v in going), h)
    s.stack[-1] = frame(u, f.errand, f.zones + entered, (*path, h), friends)
    if s.board.box_mask >> h & 1:  # 12.2.1f
        stays(s, s.stack[-1])
        return
    captures.enter(s, side, h, retreat=True)
    if f.errand != DISPLACED:
        displacement.check(s, sum(1 << v for v in going))


def stay_behind(s: State, f: RetreatUnitAt, v: int, trapped: int) -> None:
    """27.3.2e a companion goes no farther; 12.2.1e in an EZOC that is its end."""
    if trapped:
        perish(s, v, "12.2.1e")
    else:
        end_retreat(s, v, DISPLACED, company(f))


def stays(s: State, f: RetreatUnitAt) -> None:
    """The retreat of this unit, its load and its companions is over."""
    s.stack.pop()
    for v in units_of(riders(s, f.unit)):
        end_retreat(s, v, f.errand, company(f))
    for v in along(f.friends):
        end_retreat(s, v, DISPLACED, company(f))
    part(s, f)


def no_way_left(s: State, f: RetreatUnitAt) -> None:
    """12.2.1 no way is left: of a displaced unit, or enemies who gave way (13.3.2e) closed the last."""
    u, path = f.unit, f.path
    s.stack.pop()
    rule, who = death(s, u, f.errand, path, f.zones, s.retreating), riders(s, u)
    trapped = into_zone(s, f, path[-1])
    for v in units_of(who):
        perish(s, v, rule)
    for v in along(f.friends):
        stay_behind(s, f, v, trapped)
    part(s, f)
    if len(path) == 1:
        abandon(s, s.board.side[u], path[0], any(s.at[v] == SURRENDER_LEFT for v in units_of(who)))


def part(s: State, f: RetreatUnitAt) -> None:
    """13.3.2e who gives way is of no retreating stack afterwards, nor are those it picked up."""
    if f.errand == DISPLACED:
        s.retreating &= ~company(f)


def into_zone(s: State, f: RetreatUnitAt, h: Hex) -> int:
    """12.1.3d 1 if this hex is in an EZOC for the unit."""
    return ground(s, f.unit, f.errand, s.retreating).zone >> h & 1


def company(f: RetreatUnitAt) -> int:
    """27.3.2a the unit of a frame F_RETREAT_UNIT and everybody it has picked up."""
    u, friends = f.unit, f.friends
    return 1 << u | sum(1 << v for v, _ in friends)


def end_retreat(s: State, u: int, errand: int, party: int) -> None:
    """12.3, 13.1.2, 13.1.3 the unit has retreated in this phase, and in which order it is from now on.

    A displaced unit is in Full Retreat already (13.3.2i); the order of a disengaged one is chosen (27.5.4b).
    """
    b = 1 << u
    s.carried[u] = -1
    if in_combat_phase(s):
        s.retreated |= b
        s.sheltered = s.sheltered | b if onto_friends(s, u, party) else s.sheltered & ~b
    if not s.board.combat & b or errand in (DISPLACED, DISENGAGING):
        touch(s)
        return
    if errand == LENGTHS[4][0]:
        worsen(s, u, 2, "13.1.3a")
    elif order_of(s, u):
        worsen(s, u, 2, "13.1.3b")
    else:
        worsen(s, u, 1, "13.1.2")


def onto_friends(s: State, u: int, party: int) -> bool:
    """12.3a whether combat units of its own side other than those that retreat with it hold the hex where it is.

    Units that give way together (13.3.2e) are no refuge for each other.
    """
    friends = combat_units_in(s, s.at[u], s.board.side[u]) & ~(party | s.retreating | 1 << u)
    if s.routed >> u & 1:
        friends &= ~(s.routed & s.retreated)
    return friends != 0


def worsen(s: State, u: int, level: int, rule: str) -> None:
    """13.1 Disrupted (1) or Full Retreat (2); 13.3.2i who is in Full Retreat suffers nothing more."""
    if order_of(s, u) < level:
        set_order(s, u, level)
        kind = "disrupted" if level == 1 else "full_retreat"
        emit(s, kind, rule, {"unit": u, "hex": s.at[u], "side": s.board.side[u]})


# 27.3.2 Tag-along retreat

LEFT = -1
"""Instead of when it joined: the companion has been left behind."""


def along(friends: tuple[tuple[int, int], ...]) -> list[int]:
    """The companions that are still with the unit."""
    return [v for v, joined in friends if joined != LEFT]


PICKING_UP: Bars[State, RetreatUnitAt] = Bars(
    Need("27.3.2a", "the game is played without tag-along retreats", lambda s, f: ALL if s.flags & TAG_ALONG else 0),
    Need(
        "27.3.2a",
        "{unit} is no other unit of yours in {hex}",
        lambda s, f: units_in(s, f.path[-1], s.board.side[f.unit]) & ~riders(s, f.unit),
    ),
    Bar(
        "27.3.2a",
        "{unit} is retreating itself, or has been left behind",
        lambda s, f: s.retreating | sum(1 << v for v, _ in f.friends),
    ),
    Bar(
        "27.3.2a",
        "{unit} is beside an enemy unit",
        lambda s, f: ALL if beside_any(s, enemy(s.board.side[f.unit])) >> f.path[-1] & 1 else 0,
    ),
    Need(
        "27.3.2a",
        "{unit} cannot be picked up in {hex}",
        lambda s, f: (s.board.combat | s.board.trucks) & ~pinned(s) if f.gone else 0,  # 17.1.2c, S1.2d
    ),
)
"""27.3.2a whom a retreating unit may pick up here: combat units, trucks and MSUs, not beside an enemy unit."""


def joinable(s: State, f: RetreatUnitAt) -> int:
    return PICKING_UP.free(s.here[f.path[-1]], s, f) if s.flags & TAG_ALONG and f.gone else 0


def leavable(s: State, f: RetreatUnitAt) -> int:
    """27.3.2e whom it may leave here: who has come along for a hex at least; nobody in an EZOC (12.2.1e)."""
    found = sum(1 << v for v, joined in f.friends if LEFT < joined < f.gone)
    return 0 if found and into_zone(s, f, f.path[-1]) else found


LEAVING: Bars[State, RetreatUnitAt] = Bars(
    Need("27.3.2e", "{unit} has not come along, or cannot be left in {hex}", leavable)
)


def join(s: State, f: RetreatUnitAt, v: int) -> None:
    """27.3.2a, 27.3.2b a unit goes along, and is in worse order for it."""
    u, errand, zones, path, friends = f.unit, f.errand, f.zones, f.path, f.friends
    s.stack[-1] = frame(u, errand, zones, path, (*friends, (v, len(path) - 1)))
    s.retreating |= 1 << v  # 12.2.1a it is of the retreating stack now, and negates no EZOC
    emit(s, "tagged_along", "27.3.2a", {"unit": v, "other": u, "hex": path[-1], "side": s.board.side[u]})
    if s.board.combat >> v & 1:
        worsen(s, v, min(order_of(s, v) + 1, 2), "27.3.2b")


def leave(s: State, f: RetreatUnitAt, v: int) -> None:
    """27.3.2e a companion is left behind."""
    u, errand, zones, path, friends = f.unit, f.errand, f.zones, f.path, f.friends
    friends = tuple((w, LEFT if w == v else joined) for w, joined in friends)
    s.stack[-1] = frame(u, errand, zones, path, friends)
    end_retreat(s, v, DISPLACED, company(f))


def keeps_up(s: State, v: int, joined: int, path: tuple[Hex, ...], h: Hex, zone: int) -> bool:
    """27.3.2e whether a companion can take the next hex too: on foot 2 at most; 13.3.2c no EZOC in Full Retreat."""
    if s.board.foot >> v & 1 and len(path) - 1 - joined >= WALK:
        return False
    if zone and s.routed >> v & 1:
        return False
    if s.board.desert >> h & 1 and s.parched >> v & 1:  # 5.5b
        return False
    return bool(s.board.box_mask >> h & 1 or exits(s, v, path[-1]) >> h & 1)


def way_shown(s: State, f: RetreatUnitAt, action: Action) -> Hint:
    found: Hint = {"path": [s.board.grid.names[action[1]]]}
    if into_zone(s, f, action[1]):
        found["note"] = term("enemy zone of control: the one that a retreat may lead through (12.1.3d)")
    return found


class RetreatUnit(Phase[State, RetreatUnitAt, Steps]):
    """12.1.1a The next hex of one unit, or of a truck and its load."""

    at = staticmethod(RetreatUnitAt.of)
    does = (
        Each(
            V_JOIN,
            worked=lambda s, now: now.joinable,
            bars=PICKING_UP.asked_of(lambda now: now.f),
            take=join,
            facts=lambda s, now: {"hex": now.f.path[-1]},
        ),
        Each(
            V_TO,
            worked=lambda s, now: now.way.to,
            bars=NEXT.asked_of(lambda now: now.way),
            take=goes,
            then=(NORMAL,),
            facts=lambda s, now: {"unit": now.f.unit},
            hint=way_shown,
        ),
        Each(
            V_LEAVE,
            worked=lambda s, now: now.leavable,
            bars=LEAVING.asked_of(lambda now: now.f),
            take=leave,
            facts=lambda s, now: {"hex": now.f.path[-1]},
        ),
        Once(V_HALT, take=stays, shut=lambda s, now: not_here(s, now.way)),
    )

    def now(self, s: State, f: RetreatUnitAt) -> Steps:
        to, halt = choice(s, f.unit, f.errand, f.path, f.zones)
        return Steps(f, Way(f.unit, f.errand, f.path, f.zones, to, halt), joinable(s, f), leavable(s, f))

    def actor(self, s: State, f: RetreatUnitAt) -> int | None:
        now = self.now(s, f)
        asked = now.way.to.bit_count() + now.way.halt > 1 or now.joinable or now.leavable
        return s.board.side[f.unit] if asked else None

    def run(self, s: State, f: RetreatUnitAt) -> None:
        way = self.now(s, f).way
        if way.to:
            goes(s, f, way.to.bit_length() - 1)
        elif way.halt:
            stays(s, f)
        else:
            no_way_left(s, f)

    def prompt(self, s: State, f: RetreatUnitAt) -> Prompt:
        least, most = LENGTHS[f.errand]
        span: Fact = least if least == most else Text("{least} or {most}", least=least, most=most)
        text = term("Hex {n} of {span}: past as few enemy zones as can be, away from the enemy, into supply")
        rules = ("13.3.2e" if f.errand == DISPLACED else "12.1.1a", "12.1.3a")
        rules_here = (*rules, "12.4") if self.now(s, f).way.halt else rules
        title = Text("Where does {unit} retreat to?", unit=f.unit)
        return Prompt(title, Text(text, n=len(f.path), span=span), rules_here, PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_RETREAT: Retreat(), F_CARRY: Carry(), F_RETREAT_UNIT: RetreatUnit()}
