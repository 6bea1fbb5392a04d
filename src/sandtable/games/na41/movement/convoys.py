"""21 Naval transport, 22 convoy attacks; 18.7.6 Axis air transport.

A convoy is loaded (F_CONVOY), sails, is looked for (F_AST) and attacked if it was found (F_SINKING); one from Italy to
Benghazi may split after passing Malta (F_SPLIT) and is looked for again. Then the survivors land.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.picking import Choose
from sandtable.mechanics.shown.telling import emit

from ..paths.legs import fresh_points, pinned, why_pinned
from ..retreat import displacement
from ..supply.resources import can_pay, spend
from ..supply.supply_lines import held_ports, ungarrisoned
from ..table.frames import ASTAt, SplitAt
from ..table.ids import AT_SEA, AXIS, B_BENGHAZI, COASTAL, F_AST, F_CONVOY, F_SPLIT, PHASES
from ..table.position import add_sp, capacity, good_order, put, steps_left, touch
from ..table.stacking import value
from ..table.state import State
from ..table.verbs import V_CONVOY, V_SAIL, V_SHIP, V_SHIP_SP, V_SP_ON, V_TO_BENGHAZI
from . import anti_shipping
from .anti_shipping import BENGHAZI, LAND, ast_odds, leg_of, sea

REMEMBERED = 1024  # answers that are kept by what they depend on


# 21.1, 21.3 Which convoys can sail


def friendly_ports(s: State, side: int) -> list[int]:
    """21.1.4a the ports of a side: friendly when the Movement Phase began, EZOC or not (21.1.4d); 27.4b with a
    garrison. The ports of its boxes are always its own (6.1.2a)."""
    usable = port_places(s, side)
    return [port for port, place in enumerate(s.board.port_place) if usable >> place & 1]


def port_places(s: State, side: int) -> Mask:
    """The places of these ports, and the boxes of the side."""
    before = s.control_before if side == AXIS else ~s.control_before
    return held_ports(s, side) & before | s.board.own_boxes[side]


def room(s: State, origin: int, goal: int) -> int:
    """21.3.1, 21.3.2a the shipping points that the two ports can still handle in this phase."""
    return min(capacity(s, origin) - s.embarked[origin], capacity(s, goal) - s.landed[goal])


def coastal_points(s: State) -> int:
    """21.1.2b, 21.1.2d, 21.1.5d, A32 the shipping points of the next coastal convoy: two, or four if both convoys sail
    as one; a second one is the Allied marker (21.1.2c), and there is never a third."""
    general = s.board.general
    each: int = general["coastal_convoy_points"]
    free = each if not s.convoys_used else 0
    more = each if s.active != AXIS and s.assets[COASTAL] else 0
    return min(free + more, 2 * each - s.convoys_used)


def limit(s: State, origin: int, goal: int) -> int:
    """21.1.2d, 21.1.3c how many shipping points a convoy between two ports could have."""
    if origin != sea(s.board).italy:
        return min(coastal_points(s), room(s, origin, goal))
    return room(s, origin, goal)


def goals(s: State, origin: int, ports: list[int]) -> list[int]:
    """21.1.2a, 21.1.3 from one African port to another, or in the first impulse from Italy to Tripoli, and for an RP
    to Benghazi (22.3.5a)."""
    chart = sea(s.board)
    if origin != chart.italy:
        return [port for port in ports if port not in (origin, chart.italy)]
    if s.impulse not in s.board.general["italy_convoy_impulses"]:  # 21.1.3a
        return []
    paid = chart.benghazi in ports and can_pay(s, s.active, B_BENGHAZI)
    return [chart.benghazi, chart.tripoli] if paid else [chart.tripoli]


def cost(s: State, u: int) -> int:
    """21.2 the shipping points of a unit: its stacking value (21.2a), or one for each step if that is 0 (21.2b); an
    MSU two (21.2c)."""
    if s.msu >> u & 1:
        points: int = s.board.general["msu_shipping_points"]
        return points
    return value(s, u) or steps_left(s, 1 << u)


def able(s: State) -> int:
    """The units of the phasing player that may embark: in Good Order (13.2.1a), in supply (16.4a), without a
    replacement marker (19.5b), and not moved yet."""
    barred = s.moved | s.auto | s.shipped | s.refreshed | s.oos | s.disrupted | s.routed | pinned(s)
    return s.board.of_side[s.active] & ~barred


def passengers(s: State, place: int) -> int:
    """Those of them in a port."""
    return s.here.get(place, 0) & able(s)


def actions(s: State) -> list[Action]:
    """21.1.1a `convoy PORT PORT` for every convoy that could take something.

    Kept by all that it depends on: most moves leave the ports as they are.
    """
    ports = friendly_ports(s, s.active)
    units, places = able(s), s.board.port_place
    least = [cheapest(s, port, s.here.get(places[port], 0) & units) for port in ports]
    uses = s.convoys_used, s.assets[COASTAL], s.rp[s.active], s.impulse, s.repaired
    key = (s.active, *uses, *ports, *least, *s.port_level, *s.embarked, *s.landed)
    kept = sea(s.board).known
    found = kept.get(key)
    if found is None:
        if len(kept) >= REMEMBERED:
            kept.clear()
        found = kept[key] = [
            (V_CONVOY, origin, goal)
            for origin, needed in zip(ports, least, strict=True)
            if needed
            for goal in goals(s, origin, ports)
            if limit(s, origin, goal) >= needed
        ]
    return found


def imaginable(s: State) -> list[Action]:
    """21.1.1a every convoy out of a port that holds anything, whether or not it may embark and there is room for it."""
    side, chart = s.active, sea(s.board)
    from_italy = side == AXIS and s.impulse in chart.italy_impulses
    coastal = not s.convoys_used or (side != AXIS and coastal_points(s) > 0)  # 21.1.2b, 21.1.2c
    if not (from_italy or coastal):
        return []
    key = port_places(s, side), from_italy, coastal, from_italy and can_pay(s, side, B_BENGHAZI)
    convoys = chart.between.get(key)
    if convoys is None:
        if len(chart.between) >= REMEMBERED:
            chart.between.clear()
        convoys = chart.between[key] = between(s, from_italy, coastal)
    units, stock, here = s.board.of_side[side] & ~s.moved, s.sp[side], s.here
    found: list[Action] = []
    for place, sailings in convoys:
        if place in stock or here.get(place, 0) & units:
            found += sailings
    return found


def between(s: State, from_italy: bool, coastal: bool) -> list[tuple[int, list[Action]]]:
    """21.1 the places of the ports from which convoys may sail at all, and the convoys."""
    italy, ports = sea(s.board).italy, friendly_ports(s, s.active)
    return [
        (s.board.port_place[origin], [(V_CONVOY, origin, goal) for goal in goals(s, origin, ports)])
        for origin in ports
        if (from_italy if origin == italy else coastal)
    ]


def can_sail(s: State, origin: int, goal: int) -> bool:
    """21.2, 21.3 whether one of these convoys could take something."""
    needed = cheapest(s, origin, s.here.get(s.board.port_place[origin], 0) & able(s))
    return 0 < needed <= limit(s, origin, goal)


def cheapest(s: State, origin: int, units: int) -> int:
    """The fewest shipping points that an SP or one of these units in a port needs; 0 if nothing there can go."""
    place = s.board.port_place[origin]
    if place in s.sp[s.active] and fresh_points(s, s.active, place) > 0:
        return 1
    found = 0
    for u in units_of(units):
        points = cost(s, u)
        if points == 1:
            return 1
        found = min(found, points) if found else points
    return found


def begin(s: State, origin: int, goal: int) -> None:
    """21.1.1b a convoy is made up; for Benghazi an RP is paid before it leaves Italy (22.3.5a)."""
    chart = sea(s.board)
    if origin == chart.italy and goal == chart.benghazi:
        spend(s, s.active, B_BENGHAZI)
    s.convoy = s.convoy_sp = s.group = 0
    s.convoy_from, s.convoy_to = origin, goal
    s.stack.append((F_CONVOY,))


def why_not_convoy(s: State, origin: int, goal: int) -> Reason:
    """Why no convoy sails between these ports."""
    board, chart = s.board, sea(s.board)
    ports = friendly_ports(s, s.active)
    for port in (origin, goal):
        if port not in ports:
            place = board.port_place[port]
            name = board.hex_name(place)
            if ungarrisoned(s, s.active) >> place & 1:  # if only since a moment ago
                rule = "27.4b" if port == goal else "27.4a"
                return Reason(
                    rule, Text("no combat unit of yours is in {hex} or beside it: nobody controls the port", hex=name)
                )
            return Reason("21.1.4a", Text("{hex} was not a friendly port when the phase began", hex=name))
    if goal == chart.italy:
        return Reason("21.1.2a", "coastal convoys sail between African ports")
    if origin == chart.italy:
        if s.impulse not in board.general["italy_convoy_impulses"]:
            return Reason("21.1.3a", "convoys sail from Italy only in the first impulse")
        if goal == chart.benghazi and not can_pay(s, s.active, B_BENGHAZI):
            return Reason("22.3.5a", "a convoy to Benghazi costs an RP")
        if goal not in (chart.tripoli, chart.benghazi):
            return Reason("21.1.3b", "convoys from Italy land at Tripoli, or at Benghazi")
    elif origin == goal:
        return Reason("21.1.1a", "a convoy sails from one port to another")
    elif coastal_points(s) <= 0:
        return Reason("21.1.2b", "your coastal convoys of this impulse have sailed")
    if room(s, origin, goal) <= 0:
        return Reason("21.3.2a", "the capacity of one of the ports is used up")
    return Reason("21.1.1a", "nothing in the port can be shipped with the shipping points that are left")


# 21.2 What sails


def loaded(s: State) -> int:
    """The shipping points of the convoy so far."""
    return s.convoy_sp + sum(cost(s, u) for u in units_of(s.convoy))


def fills(s: State, action: Action) -> bool:
    """21.1.2d whether nothing more can embark after this: then the convoy sails at once."""
    place, units, points = s.board.port_place[s.convoy_from], s.convoy, s.convoy_sp
    if action[0] == V_SHIP:
        units |= 1 << action[1]
    elif action[0] == V_SHIP_SP:
        points += 1
    else:
        return False
    left = limit(s, s.convoy_from, s.convoy_to) - points - sum(cost(s, u) for u in units_of(units))
    if left > 0 and fresh_points(s, s.active, place) > points:
        return False
    return all(cost(s, u) > left for u in units_of(passengers(s, place) & ~units))


class Convoy(Choose[State]):
    """21.1.1b What goes with the convoy; those who embark wait in the port until it sails."""

    def options(self, s: State) -> list[Action]:
        place = s.board.port_place[s.convoy_from]
        left = limit(s, s.convoy_from, s.convoy_to) - loaded(s)
        out: list[Action] = [(V_SHIP, u) for u in units_of(passengers(s, place) & ~s.convoy) if cost(s, u) <= left]
        if left > 0 and fresh_points(s, s.active, place) > s.convoy_sp:
            out.append((V_SHIP_SP,))
        return out

    def legal(self, s: State, f: F) -> list[Action]:
        out = self.options(s)
        if s.convoy or s.convoy_sp:
            out.append((V_SAIL,))
        return out

    def take(self, s: State, f: F, action: Action) -> None:
        if action[0] == V_SHIP:
            s.convoy |= 1 << action[1]
        elif action[0] == V_SHIP_SP:
            s.convoy_sp += 1
        else:
            s.stack.pop()
            sail(s)

    def prompt(self, s: State, f: F) -> Prompt:
        a, b = (s.board.hex_name(s.board.port_place[p]) for p in (s.convoy_from, s.convoy_to))
        most = limit(s, s.convoy_from, s.convoy_to)
        text = Text(
            "{loaded} of {n} shipping points loaded. Pick what goes, then let it sail", loaded=loaded(s), n=most
        )
        return Prompt(
            Text("Convoy from {start} to {end}", start=a, end=b), text, ("21.1.1b", "21.2a", "21.2b"), PHASES[s.phase]
        )

    def odds(self, s: State, f: F, action: Action) -> Odds | None:
        if action[0] != V_SAIL and not fills(s, action):
            return None
        return ast_odds(s, leg_of(s), 1 << action[1] if action[0] == V_SHIP else 0)

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] == V_SHIP:
            return why_not_ship(s, action[1])
        if action[0] == V_SHIP_SP:
            return Reason("21.2b", "no supply point is left that could embark, or no shipping point for it")
        if action[0] == V_SAIL:
            return Reason("22.1a", "nothing has embarked")
        return Reason("22.1a", "first the convoy that is being made up sails")


def why_not_ship(s: State, u: int) -> Reason:
    """Why this unit does not embark."""
    board, name, b = s.board, s.board.unit_names[u], 1 << u
    if s.at[u] != board.port_place[s.convoy_from] or board.side[u] != s.active:
        return Reason("21.1.1a", Text("{unit} is not in the port", unit=name))
    if s.convoy & b:
        return Reason("21.1.1b", Text("{unit} has embarked", unit=name))
    if not good_order(s) & b:
        return Reason("13.2.1a", Text("{unit} is not in Good Order", unit=name))
    if s.refreshed & b:
        return Reason("19.5b", Text("{unit} is under a replacement marker", unit=name))
    if s.oos & b:
        return Reason("16.4a", Text("{unit} is out of supply: it may use tactical movement alone", unit=name))
    if pinned(s) & b:
        return why_pinned(s, u)
    if not passengers(s, s.at[u]) & b:
        return Reason("21.1.4b", Text("{unit} has moved", unit=name))
    small = s.convoy_from != sea(board).italy and loaded(s) + cost(s, u) > coastal_points(s)
    return Reason(
        "21.1.2d" if small else "21.3.2a",
        Text.many(cost(s, u), "{unit} needs 1 shipping point", "{unit} needs {n} shipping points", unit=name),
    )


def sail(s: State) -> None:
    """21.1.1b, 22.1a the convoy puts to sea."""
    chart, board = sea(s.board), s.board
    origin, goal, points = s.convoy_from, s.convoy_to, loaded(s)
    place = board.port_place[origin]
    if origin != chart.italy:
        use_coastal(s, points)
    s.embarked[origin] += points
    s.landed[goal] += points
    data = {"side": s.active, "units": list(units_of(s.convoy)), "count": s.convoy_sp, "points": points}
    emit(s, "convoy", "22.1a", {**data, "from": place, "to": board.port_place[goal]})
    for u in units_of(s.convoy):
        put(s, u, AT_SEA)
    if s.convoy_sp:
        add_sp(s, s.active, place, -s.convoy_sp)
    s.stack.append(ASTAt(F_AST, leg_of(s)))


def use_coastal(s: State, points: int) -> None:
    """21.1.2b, 21.1.2c the free convoy first, then the Allied marker; A32 a large convoy takes both."""
    each: int = s.board.general["coastal_convoy_points"]
    if s.convoys_used or points > each:
        s.assets[COASTAL] -= 1
        emit(s, "asset_used", "21.1.2c", {"side": s.active, "asset": COASTAL})
    s.convoys_used += 2 * each if points > each else each


# 21.1.1b, 22.3.5d Landing


class Split(Frame[State, SplitAt]):
    """22.3.5d After passing Malta, who goes on to Benghazi; the others land at Tripoli. Frame: SPs that go on."""

    at = SplitAt

    def afloat(self, s: State) -> int:
        return sum(1 << u for u in units_of(s.convoy) if s.at[u] == AT_SEA)

    def options(self, s: State, f: SplitAt) -> list[Action]:
        out: list[Action] = [(V_TO_BENGHAZI, u) for u in units_of(self.afloat(s) & ~s.group)]
        if s.convoy_sp > f.points:
            out.append((V_SP_ON,))
        return out

    def actor(self, s: State, f: SplitAt) -> int | None:
        return None if f.points == LAND or not (self.afloat(s) or s.convoy_sp) else s.active

    def run(self, s: State, f: SplitAt) -> None:
        s.stack.pop()
        land(s, s.convoy_to, self.afloat(s), s.convoy_sp)

    def legal(self, s: State, f: SplitAt) -> list[Action]:
        out = self.options(s, f)
        if self.fits(s, f):
            out.insert(0, (V_SAIL,))
        return out

    def fits(self, s: State, f: SplitAt) -> bool:
        """21.3.2a Tripoli has room for those who land there."""
        tripoli = sea(s.board).tripoli
        points = s.convoy_sp - f.points + sum(cost(s, u) for u in units_of(self.afloat(s) & ~s.group))
        return points <= capacity(s, tripoli) - s.landed[tripoli]

    def take(self, s: State, f: SplitAt, action: Action) -> None:
        if action[0] == V_TO_BENGHAZI:
            s.group |= 1 << action[1]
        elif action[0] == V_SP_ON:
            s.stack[-1] = SplitAt(F_SPLIT, f.points + 1)
        else:
            s.stack.pop()
            self.part(s, f.points)

    def part(self, s: State, points: int) -> None:
        """22.3.5d those who stay land at Tripoli; 22.3.5b only the others are looked for again."""
        chart = sea(s.board)
        going = s.group
        s.group = 0
        stay = self.afloat(s) & ~going
        shipped = s.convoy_sp - points + sum(cost(s, u) for u in units_of(stay))
        s.landed[chart.tripoli] += shipped
        s.landed[chart.benghazi] -= shipped
        land(s, chart.tripoli, stay, s.convoy_sp - points)
        s.convoy, s.convoy_sp = going, points
        if going or points:
            s.stack.append(ASTAt(F_AST, BENGHAZI))

    def prompt(self, s: State, f: SplitAt) -> Prompt:
        text = term("The others land at Tripoli and are safe")
        return Prompt("Who goes on to Benghazi?", text, ("22.3.5d", "22.3.5b"), PHASES[s.phase])

    def odds(self, s: State, f: SplitAt, action: Action) -> Odds | None:
        return ast_odds(s, BENGHAZI) if action[0] == V_SAIL and (s.group or f.points) else None

    def why_not(self, s: State, f: SplitAt, action: Action) -> Reason | None:
        if action[0] == V_TO_BENGHAZI:
            return Reason(
                "22.3.5d", Text("{unit} is not in the convoy, or goes on already", unit=s.board.unit_names[action[1]])
            )
        if action[0] == V_SP_ON:
            return Reason("22.3.5d", "no more supply points are in the convoy")
        if action[0] == V_SAIL:
            return Reason("21.3.2a", "Tripoli has not the capacity for all who would land there")
        return None


def land(s: State, goal: int, units: int, points: int) -> None:
    """21.1.1b the survivors are put in the port; 21.1.4b they neither move nor attack in this impulse.

    21.1.5a they are under a naval transport marker, for which at Tripoli the arrival area stands (21.1.5c, A58).
    """
    if not units and not points:
        return
    board, side = s.board, s.active
    place = board.port_place[goal]
    for u in units_of(units):
        put(s, u, place)
    s.moved |= units
    s.convoy &= ~units
    s.shipped |= units
    if points:
        add_sp(s, side, place, points)
        s.sp_held[side][place] = s.sp_held[side].get(place, 0) + points
        s.convoy_sp -= points
    touch(s)
    emit(s, "landed", "21.1.1b", {"side": side, "hex": place, "units": list(units_of(units)), "count": points})
    if units & board.combat:
        displacement.check(s, units)  # 13.3.2e


FRAMES: dict[int, Frame[State, Any]] = {F_CONVOY: Convoy(), F_SPLIT: Split(), **anti_shipping.FRAMES}
