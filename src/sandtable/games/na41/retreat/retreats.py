"""12 Retreats.

The units in `s.retreating` leave `origin` unit by unit, each its whole way hex by hex; trucks carry who is to be
carried from the start (12.5.1c). Where a unit may go is in retreat_ways.py, surrender in surrender.py.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.masks import enemy, hexes_in, units_of
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
from .retreat_refusals import why_no_halt, why_not_there
from .search import DISENGAGING, LENGTHS, WALK, Choice, choice, death, ground, riders, way_exists
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


def bound(s: State) -> int:
    """16.4c, 19.5c, 14.1a the trucks that carry nobody forward: out of supply, under a replacement marker, or advanced
    already in this phase."""
    return s.oos | s.refreshed | s.advanced


CARRY_TITLES = (
    "Who is carried as they retreat?",
    "Who is carried as they advance?",
    "Who is carried as they give way?",
)


class Carry(Frame[State, CarryAt]):
    """12.1.5b, 5.8.2c A truck takes up one unit of its hex, or an SP. Frame: side, moment, hex.

    One truck is as good as another, so the first that is free is offered. It would gain a mechanised unit nothing to
    be carried, so none is offered.
    """

    at = CarryAt

    def actor(self, s: State, f: CarryAt) -> int | None:
        choices = self.legal(s, f)
        if len(choices) <= (f.moment != SHELTERED):
            return None
        s.choices = choices
        return f.side

    def run(self, s: State, f: CarryAt) -> None:
        s.stack.pop()

    def legal(self, s: State, f: CarryAt) -> list[Action]:
        side, moment, h = f.side, f.moment, f.hex
        found: list[Action] = []
        trucks = free_trucks(s, side, h)
        if moment == BEFORE_RETREAT:
            trucks &= s.retreating
        elif moment == BEFORE_ADVANCE:
            trucks &= ~bound(s)
        if trucks:
            if moment == BEFORE_RETREAT and supply_points(s, side, h) > 0:
                found.append((V_LOAD_SP,))
            truck = units_of(trucks)[0]
            found += [(V_CARRY, truck, u) for u in units_of(on_foot(s, side, moment, h))]
        if moment != SHELTERED:
            found.append((V_NO_CARRY,))
        return found

    def take(self, s: State, f: CarryAt, action: Action) -> None:
        side, h = f.side, f.hex
        if action[0] == V_NO_CARRY:
            s.stack.pop()
        elif action[0] == V_CARRY:
            _, truck, u = action
            s.carried[u] = truck
            touch(s)
            rule = "5.8.2c" if f.moment == BEFORE_ADVANCE else "12.5.1b" if f.moment == SHELTERED else "12.1.5b"
            emit(s, "carried", rule, {"truck": truck, "unit": u, "hex": h, "side": side})
        else:
            truck = units_of(free_trucks(s, side, h) & s.retreating)[0]
            s.msu |= 1 << truck  # 17.2.4a
            add_sp(s, side, h, -1)
            emit(s, "sp_loaded", "17.2.4a", {"unit": truck, "hex": h, "side": side})

    def prompt(self, s: State, f: CarryAt) -> Prompt:
        if f.moment == SHELTERED:
            lost = Text("All are lost: whom a truck could carry goes to the Eliminated Box, the others surrender")
            return Prompt("Who does not surrender?", lost, ("12.3b", "12.5.1b"), PHASES[s.phase])
        text = Text(
            "{hex}: a unit on foot goes as far as a mechanised one if a truck carries it", hex=s.board.hex_name(f.hex)
        )
        rules = ("5.8.2c",) if f.moment == BEFORE_ADVANCE else ("12.1.5b", "12.5.1c")
        return Prompt(CARRY_TITLES[f.moment], text, rules, PHASES[s.phase])

    def why_not(self, s: State, f: CarryAt, action: Action) -> Reason | None:
        side, moment, h = f.side, f.moment, f.hex
        if action[0] == V_LOAD_SP:
            return Reason(
                "12.1.1b", Text("there is no supply point with a free truck in {hex}", hex=s.board.hex_name(h))
            )
        if action[0] == V_NO_CARRY:
            return Reason("12.5.1b", "whom a truck can carry does not surrender")
        if action[0] != V_CARRY:
            return None
        _, truck, u = action
        if not free_trucks(s, side, h) >> truck & 1:
            return Reason(
                "12.1.5b",
                Text("{unit} is no empty truck in {hex}", unit=s.board.unit_names[truck], hex=s.board.hex_name(h)),
            )
        if moment == BEFORE_ADVANCE and bound(s) >> truck & 1:
            name = s.board.unit_names[truck]
            if s.oos >> truck & 1:
                return Reason("16.4c", Text("{unit} is out of supply: it carries nobody forward", unit=name))
            return Reason("14.1a", Text("{unit} has advanced, or may not: it carries nobody forward", unit=name))
        if not on_foot(s, side, moment, h) >> u & 1:
            return Reason(
                "12.5.1c", Text("{unit} is not on foot with the truck from the start", unit=s.board.unit_names[u])
            )
        return Reason("12.1.5b", "one truck is as good as another: take the first")


# 12.1.1a One unit


def frame(
    u: int, errand: int, zones: int, path: tuple[Hex, ...], friends: tuple[tuple[int, int], ...] = ()
) -> RetreatUnitAt:
    return RetreatUnitAt(F_RETREAT_UNIT, u, errand, zones, len(path) - 1, path, friends)


def choice_of(s: State, f: RetreatUnitAt) -> Choice:
    return choice(s, f.unit, f.errand, f.path, f.zones)


class RetreatUnit(Frame[State, RetreatUnitAt]):
    """12.1.1a The next hex of one unit, or of a truck and its load."""

    at = staticmethod(RetreatUnitAt.of)

    def actor(self, s: State, f: RetreatUnitAt) -> int | None:
        found = choice_of(s, f)
        if found.to.bit_count() + found.halt > 1 or (s.flags & TAG_ALONG and (joinable(s, f) or leavable(s, f))):
            return s.board.side[f.unit]
        return None

    def run(self, s: State, f: RetreatUnitAt) -> None:
        found = choice_of(s, f)
        if found.to:
            self.go(s, f, found.to.bit_length() - 1)
        elif found.halt:
            self.stay(s, f)
        else:
            self.perish(s, f)

    def perish(self, s: State, f: RetreatUnitAt) -> None:
        """12.2.1 no way is left: of a displaced unit, or enemies who gave way (13.3.2e) closed the last."""
        u, errand, zones, path, friends = f.unit, f.errand, f.zones, f.path, f.friends
        s.stack.pop()
        rule, who = death(s, u, errand, path, zones, s.retreating), riders(s, u)
        trapped = into_zone(s, u, errand, path[-1])
        for v in units_of(who):
            perish(s, v, rule)
        for v in along(friends):
            self.stay_behind(s, f, v, trapped)
        self.part(s, f)
        if len(path) == 1:
            abandon(s, s.board.side[u], path[0], any(s.at[v] == SURRENDER_LEFT for v in units_of(who)))

    def legal(self, s: State, f: RetreatUnitAt) -> list[Action]:
        found = choice_of(s, f)
        out: list[Action] = []
        if s.flags & TAG_ALONG:
            out += [(V_JOIN, v) for v in units_of(joinable(s, f))]
        out += [(V_TO, h, NORMAL) for h in hexes_in(found.to)]
        if s.flags & TAG_ALONG:
            out += [(V_LEAVE, v) for v in units_of(leavable(s, f))]
        if found.halt:
            out.append((V_HALT,))
        return out

    def take(self, s: State, f: RetreatUnitAt, action: Action) -> None:
        if action[0] == V_TO:
            self.go(s, f, action[1])
        elif action[0] == V_JOIN:
            join(s, f, action[1])
        elif action[0] == V_LEAVE:
            leave(s, f, action[1])
        else:
            self.stay(s, f)

    def go(self, s: State, f: RetreatUnitAt, h: Hex) -> None:
        """One hex for the unit, its load and its companions; then units in Full Retreat beside them give way."""
        u, errand, zones, path, friends = f.unit, f.errand, f.zones, f.path, f.friends
        side, here = s.board.side[u], path[-1]
        entered = into_zone(s, u, errand, h)
        slow = [v for v, joined in friends if joined >= 0 and not keeps_up(s, v, joined, path, h, entered)]
        friends = tuple((v, LEFT if v in slow else joined) for v, joined in friends)
        trapped = into_zone(s, u, errand, here)
        for v in slow:
            self.stay_behind(s, f, v, trapped)
        going = (*units_of(riders(s, u)), *along(friends))
        for v in going:
            emit(s, "retreated", "12.1.1a", {"unit": v, "side": side, "from": here, "to": h, "path": [here, h]})
            put(s, v, h)
        tread(s, sum(1 << v for v in going), h)
        s.stack[-1] = frame(u, errand, zones + entered, (*path, h), friends)
        if s.board.box_mask >> h & 1:  # 12.2.1f
            self.stay(s, s.stack[-1])
            return
        captures.enter(s, side, h, retreat=True)
        if errand != DISPLACED:
            displacement.check(s, sum(1 << v for v in going))

    def stay_behind(self, s: State, f: RetreatUnitAt, v: int, trapped: int) -> None:
        """27.3.2e a companion goes no farther; 12.2.1e in an EZOC that is its end."""
        if trapped:
            perish(s, v, "12.2.1e")
        else:
            end_retreat(s, v, DISPLACED, company(f))

    def stay(self, s: State, f: RetreatUnitAt) -> None:
        """The retreat of this unit, its load and its companions is over."""
        u, errand, friends = f.unit, f.errand, f.friends
        s.stack.pop()
        for v in units_of(riders(s, u)):
            end_retreat(s, v, errand, company(f))
        for v in along(friends):
            end_retreat(s, v, DISPLACED, company(f))
        self.part(s, f)

    def part(self, s: State, f: RetreatUnitAt) -> None:
        """13.3.2e who gives way is of no retreating stack afterwards, nor are those it picked up."""
        if f.errand == DISPLACED:
            s.retreating &= ~company(f)

    def prompt(self, s: State, f: RetreatUnitAt) -> Prompt:
        u, errand, path = f.unit, f.errand, f.path
        least, most = LENGTHS[errand]
        span: Fact = least if least == most else Text("{least} or {most}", least=least, most=most)
        text = Text(
            "Hex {n} of {span}: past as few enemy zones as can be, away from the enemy, into supply",
            n=len(path),
            span=span,
        )
        rules = ["13.3.2e" if errand == DISPLACED else "12.1.1a", "12.1.3a"]
        if choice_of(s, f).halt:
            rules.append("12.4")
        return Prompt(
            Text("Where does {unit} retreat to?", unit=s.board.unit_names[u]), text, tuple(rules), PHASES[s.phase]
        )

    def hint(self, s: State, f: RetreatUnitAt, action: Action) -> Hint | None:
        if action[0] != V_TO:
            return None
        u, errand = f.unit, f.errand
        found: Hint = {"path": [s.board.grid.names[action[1]]]}
        if into_zone(s, u, errand, action[1]):
            found["note"] = term("enemy zone of control: the one that a retreat may lead through (12.1.3d)")
        return found

    def why_not(self, s: State, f: RetreatUnitAt, action: Action) -> Reason | None:
        u, errand, zones, path = f.unit, f.errand, f.zones, f.path
        if action[0] == V_HALT:
            return why_no_halt(s, u, errand, path)
        if action[0] == V_TO:
            return why_not_there(s, u, errand, zones, path, action[1])
        if action[0] == V_JOIN:
            return why_not_along(s, f, action[1])
        return None


def into_zone(s: State, u: int, errand: int, h: Hex) -> int:
    """12.1.3d 1 if this hex is in an EZOC for the unit."""
    return ground(s, u, errand, s.retreating).zone >> h & 1


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


def joinable(s: State, f: RetreatUnitAt) -> int:
    """27.3.2a whom a retreating unit may pick up here: combat units, trucks and MSUs, not beside an enemy unit."""
    u, path, friends = f.unit, f.path, f.friends
    side, h = s.board.side[u], path[-1]
    if len(path) == 1 or beside_any(s, enemy(side)) >> h & 1:
        return 0
    units = units_in(s, h, side) & (s.board.combat | s.board.trucks) & ~riders(s, u) & ~s.retreating
    for v, _ in friends:
        units &= ~(1 << v)
    return units & ~pinned(s)  # 17.1.2c, S1.2d


def leavable(s: State, f: RetreatUnitAt) -> int:
    """27.3.2e whom it may leave here: who has come along for a hex at least; nobody in an EZOC (12.2.1e)."""
    u, errand, path, friends = f.unit, f.errand, f.path, f.friends
    if into_zone(s, u, errand, path[-1]):
        return 0
    return sum(1 << v for v, joined in friends if LEFT < joined < len(path) - 1)


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


def why_not_along(s: State, f: RetreatUnitAt, v: int) -> Reason:
    """27.3.2 why a unit is not picked up."""
    u, path, friends = f.unit, f.path, f.friends
    side, h = s.board.side[u], path[-1]
    name, place = s.board.unit_names[v], s.board.hex_name(h)
    if not s.flags & TAG_ALONG:
        return Reason("27.3.2a", "the game is played without tag-along retreats")
    if not units_in(s, h, side) >> v & 1 or riders(s, u) >> v & 1:
        return Reason("27.3.2a", Text("{unit} is no other unit of yours in {hex}", unit=name, hex=place))
    if s.retreating >> v & 1 or any(v == other for other, _ in friends):
        return Reason("27.3.2a", Text("{unit} is retreating itself, or has been left behind", unit=name))
    if beside_any(s, enemy(side)) >> h & 1:
        return Reason("27.3.2a", Text("{unit} is beside an enemy unit", unit=name))
    return Reason("27.3.2a", Text("{unit} cannot be picked up in {hex}", unit=name, hex=place))


FRAMES: dict[int, Frame[State, Any]] = {F_RETREAT: Retreat(), F_CARRY: Carry(), F_RETREAT_UNIT: RetreatUnit()}
