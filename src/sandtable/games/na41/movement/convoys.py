"""21 Naval transport, 22 convoy attacks.

A convoy is loaded (F_CONVOY), sails, is looked for (F_AST) and attacked if it was found (F_SINKING); one from Italy to
Benghazi may split after passing Malta (F_SPLIT) and is looked for again. Then the survivors land.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import units_of, where
from sandtable.mechanics.memory import Memory, remembered
from sandtable.mechanics.phases import Choose, Each, Elsewhere, Linked, Once, Only, Phase
from sandtable.mechanics.shown.telling import emit

from ..paths.legs import fresh_points
from ..retreat import displacement
from ..supply.resources import can_pay, spend
from ..supply.supply_lines import held_ports, ungarrisoned
from ..table.board import Board
from ..table.frames import ASTAt, SplitAt
from ..table.ids import AT_SEA, AXIS, B_BENGHAZI, COASTAL, F_AST, F_CONVOY, F_SPLIT, PHASES
from ..table.position import add_sp, capacity, good_order, put, steps_left, touch
from ..table.stacking import value
from ..table.state import State
from ..table.verbs import V_CONVOY, V_SAIL, V_SHIP, V_SHIP_SP, V_SP_ON, V_TO_BENGHAZI
from .anti_shipping import BENGHAZI, LAND, ast_odds, leg_of, sea
from .companions import PINNED

# 21.1, 21.3 Which convoys can sail


def port_places(s: State, side: int) -> Mask:
    """21.1.4a the places of the ports of a side: friendly when the Movement Phase began, EZOC or not (21.1.4d); 27.4b
    with a garrison. The ports of its boxes are always its own (6.1.2a)."""
    before = s.control_before if side == AXIS else ~s.control_before
    return held_ports(s, side) & before | s.board.own_boxes[side]


def friendly_ports(s: State, side: int) -> int:
    """The ports of a side, by number."""
    return _at(s.board, port_places(s, side))


@remembered()
def _at(board: Board, places: Mask) -> int:
    return where(bool(places >> place & 1) for place in board.port_place)


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


def cost(s: State, u: int) -> int:
    """21.2 the shipping points of a unit: its stacking value (21.2a), or one for each step if that is 0 (21.2b); an
    MSU two (21.2c)."""
    if s.msu >> u & 1:
        points: int = s.board.general["msu_shipping_points"]
        return points
    return value(s, u) or steps_left(s, 1 << u)


FIT: Bars[State, object] = Bars(
    Need("13.2.1a", "{unit} is not in Good Order", lambda s, _: good_order(s)),
    Bar("19.5b", "{unit} is under a replacement marker", lambda s, _: s.refreshed),
    Bar("16.4a", "{unit} is out of supply: it may use tactical movement alone", lambda s, _: s.oos),
    PINNED,
    Bar("21.1.4b", "{unit} has moved", lambda s, _: s.moved | s.auto | s.shipped),
)
"""Who may embark."""


def fit(s: State) -> int:
    """The units of the phasing player that may embark, where there is a port."""
    return FIT.free(s.present & s.board.of_side[s.active], s, None)


def passengers(s: State, place: int) -> int:
    """Those of them in a port."""
    return s.here.get(place, 0) & fit(s)


def cheapest(s: State, origin: int, units: int) -> int:
    """The fewest shipping points that an SP or one of these units needs in a port; 0 if nothing there can go."""
    place = s.board.port_place[origin]
    if place in s.sp[s.active] and fresh_points(s, s.active, place) > 0:
        return 1
    found = 0
    for u in units_of(s.here.get(place, 0) & units):
        points = cost(s, u)
        if points == 1:
            return 1
        found = min(found, points) if found else points
    return found


NO_GARRISON = term("no combat unit of yours is in {port} or beside it: nobody controls the port")
NOT_FRIENDLY: Need[State, object] = Need(
    "21.1.4a", "{port} was not a friendly port when the phase began", lambda s, _: friendly_ports(s, s.active)
)
NOTHING = term("nothing in the port can be shipped with the shipping points that are left")

ORIGINS: Bars[State, object] = Bars(
    Bar("27.4a", NO_GARRISON, lambda s, _: _at(s.board, ungarrisoned(s, s.active))),
    NOT_FRIENDLY,
    Bar(
        "21.1.3a",
        "convoys sail from Italy only in the first impulse",
        lambda s, _: 0 if s.impulse in sea(s.board).italy_impulses else 1 << sea(s.board).italy,
    ),
    Bar(
        "21.1.2b",
        "your coastal convoys of this impulse have sailed",
        lambda s, _: 0 if coastal_points(s) > 0 else ~(1 << sea(s.board).italy),
    ),
)
"""21.1 from where a convoy can sail."""


def _from_italy(s: State, origin: int, ports: int) -> int:
    return ports if origin == sea(s.board).italy else ALL


LANDINGS: Bars[State, int] = Bars(
    Bar("27.4b", NO_GARRISON, lambda s, _: _at(s.board, ungarrisoned(s, s.active))),
    NOT_FRIENDLY,
    Bar("21.1.2a", "coastal convoys sail between African ports", lambda s, _: 1 << sea(s.board).italy),
    Need(
        "22.3.5a",
        "a convoy to Benghazi costs an RP",
        lambda s, origin: (
            ALL if can_pay(s, s.active, B_BENGHAZI) else _from_italy(s, origin, ~(1 << sea(s.board).benghazi))
        ),
    ),
    Need(
        "21.1.3b",
        "convoys from Italy land at Tripoli, or at Benghazi",
        lambda s, origin: _from_italy(s, origin, 1 << sea(s.board).tripoli | 1 << sea(s.board).benghazi),
    ),
    Bar("21.1.1a", "a convoy sails from one port to another", lambda s, origin: 1 << origin),
    Doubt("21.3.2a", "the capacity of one of the ports is used up", lambda s, origin, port: room(s, origin, port) <= 0),
    Doubt("21.1.1a", NOTHING, lambda s, origin, port: not 0 < cheapest(s, origin, fit(s)) <= limit(s, origin, port)),
)
"""21.1.2a, 21.1.3 to where: from one African port to another, or from Italy to Tripoli, and for an RP to Benghazi."""


class Sailings(Linked[State, Any, Any]):
    """21.1.1a `convoy PORT PORT` for every convoy that could take something. Kept by all that it depends on: most moves
    leave the ports as they are."""

    known: Memory[tuple[int, ...], list[tuple[int, int]]] = Memory(1024)

    def pairs(self, s: State, now: Any) -> list[tuple[int, int]]:
        if s.impulse not in sea(s.board).italy_impulses and coastal_points(s) <= 0:
            return []
        ports = friendly_ports(s, s.active)
        units = fit(s)
        least = [cheapest(s, port, units) for port in units_of(ports)]
        if not any(least):  # nothing that could sail
            return []
        uses = s.convoys_used, s.assets[COASTAL], s.rp[s.active], s.impulse, s.repaired
        key = (id(s.board), s.active, *uses, ports, *least, *s.port_level, *s.embarked, *s.landed)
        found = self.known.get(key)
        return self.known.keep(key, super().pairs(s, now)) if found is None else found


CONVOY = Sailings(
    V_CONVOY,
    first=ORIGINS,
    of=lambda s, _: friendly_ports(s, s.active),
    second=LANDINGS,
    to=lambda s, origin: friendly_ports(s, s.active),
    facts=lambda s, port: {"port": port},
    take=lambda s, f, origin, goal: begin(s, origin, goal),
)


def begin(s: State, origin: int, goal: int) -> None:
    """21.1.1b a convoy is made up; for Benghazi an RP is paid before it leaves Italy (22.3.5a)."""
    chart = sea(s.board)
    if origin == chart.italy and goal == chart.benghazi:
        spend(s, s.active, B_BENGHAZI)
    s.convoy = s.convoy_sp = s.group = 0
    s.convoy_from, s.convoy_to = origin, goal
    s.stack.append((F_CONVOY,))


# 21.2 What sails


def loaded(s: State) -> int:
    """The shipping points of the convoy so far."""
    return s.convoy_sp + sum(cost(s, u) for u in units_of(s.convoy))


def fills(s: State, action: Action) -> bool:
    """21.1.2d whether nothing more can embark after this: then the convoy sails at once, in games of version 1."""
    if s.edition > 1:
        return False
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


class Loading(NamedTuple):
    """Where the convoy is made up, and the shipping points that it has left."""

    place: int
    left: int


def _too_dear(s: State, now: Loading, u: int) -> Reason:
    small = s.convoy_from != sea(s.board).italy and loaded(s) + cost(s, u) > coastal_points(s)
    text = Text.many(cost(s, u), "{unit} needs 1 shipping point", "{unit} needs {n} shipping points", unit=u)
    return Reason("21.1.2d" if small else "21.3.2a", text)


EMBARKS: Bars[State, Loading] = Bars(
    Need("21.1.1a", "{unit} is not in the port", lambda s, now: s.here.get(now.place, 0) & s.board.of_side[s.active]),
    Bar("21.1.1b", "{unit} has embarked", lambda s, _: s.convoy),
    FIT,
    Doubt("21.3.2a", _too_dear, lambda s, now, u: cost(s, u) > now.left),
)
"""21.1.1b who can go with the convoy."""


def _no_point(s: State, now: Loading) -> Reason | None:
    if now.left > 0 and fresh_points(s, s.active, now.place) > s.convoy_sp:
        return None
    return Reason("21.2b", "no supply point is left that could embark, or no shipping point for it")


def _empty(s: State, now: Loading) -> Reason | None:
    return None if s.convoy or s.convoy_sp else Reason("22.1a", "nothing has embarked")


def embark(s: State, f: F, u: int) -> None:
    s.convoy |= 1 << u


def embark_sp(s: State, f: F) -> None:
    s.convoy_sp += 1


def put_to_sea(s: State, f: F) -> None:
    s.stack.pop()
    sail(s)


def sailing_odds(s: State, f: F, action: Action) -> Odds | None:
    """22.2 what awaits the convoy, where this lets it sail."""
    if action[0] != V_SAIL and not fills(s, action):
        return None
    return ast_odds(s, leg_of(s), 1 << action[1] if action[0] == V_SHIP else 0)


class Convoy(Choose[State, F, Loading]):
    """21.1.1b What goes with the convoy; those who embark wait in the port until it sails, and it sails when its owner
    says so (not in games of version 1): until then all of it can be taken back."""

    does = (
        Each(V_SHIP, of=lambda s, now: s.here.get(now.place, 0), bars=EMBARKS, take=embark, odds=sailing_odds),
        Once(V_SHIP_SP, take=embark_sp, shut=_no_point, odds=sailing_odds),
        Once(V_SAIL, take=put_to_sea, shut=_empty, odds=sailing_odds),
        Elsewhere("22.1a", "first the convoy that is being made up sails"),
    )

    def now(self, s: State, f: F) -> Loading:
        return Loading(s.board.port_place[s.convoy_from], limit(s, s.convoy_from, s.convoy_to) - loaded(s))

    def actor(self, s: State, f: F) -> int | None:
        asked = super().actor(s, f)
        return s.active if asked is None and s.edition > 1 and (s.convoy or s.convoy_sp) else asked

    def prompt(self, s: State, f: F) -> Prompt:
        a, b = (s.board.hex_name(s.board.port_place[p]) for p in (s.convoy_from, s.convoy_to))
        most = limit(s, s.convoy_from, s.convoy_to)
        text = term("Shipping points loaded: {loaded} of {n}. Pick what goes, then let it sail")
        if s.edition > 1 and (s.convoy or s.convoy_sp):
            text = term(
                "On board: {loads}. Shipping points: {loaded} of {n}. "
                "Pick what else goes, or let it sail; undo calls it off"
            )
        loads = (*(s.board.unit_names[u] for u in units_of(s.convoy)), *[term("a supply point")] * s.convoy_sp)
        said = Text(text, loads=loads, loaded=loaded(s), n=most)
        return Prompt(
            Text("Convoy from {start} to {end}", start=a, end=b), said, ("21.1.1b", "21.2a", "21.2b"), PHASES[s.phase]
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


def afloat(s: State) -> int:
    return sum(1 << u for u in units_of(s.convoy) if s.at[u] == AT_SEA)


def go_on(s: State, f: SplitAt, u: int) -> None:
    s.group |= 1 << u


def point_goes_on(s: State, f: SplitAt) -> None:
    s.stack[-1] = SplitAt(F_SPLIT, f.points + 1)


def _no_more(s: State, f: SplitAt) -> Reason | None:
    return None if s.convoy_sp > f.points else Reason("22.3.5d", "no more supply points are in the convoy")


def _no_room(s: State, f: SplitAt) -> Reason | None:
    """21.3.2a Tripoli has room for those who land there."""
    tripoli = sea(s.board).tripoli
    points = s.convoy_sp - f.points + sum(cost(s, u) for u in units_of(afloat(s) & ~s.group))
    if points <= capacity(s, tripoli) - s.landed[tripoli]:
        return None
    return Reason("21.3.2a", "Tripoli has not the capacity for all who would land there")


def part(s: State, f: SplitAt) -> None:
    """22.3.5d those who stay land at Tripoli; 22.3.5b only the others are looked for again."""
    s.stack.pop()
    chart, points, going = sea(s.board), f.points, s.group
    s.group = 0
    stay = afloat(s) & ~going
    shipped = s.convoy_sp - points + sum(cost(s, u) for u in units_of(stay))
    s.landed[chart.tripoli] += shipped
    s.landed[chart.benghazi] -= shipped
    land(s, chart.tripoli, stay, s.convoy_sp - points)
    s.convoy, s.convoy_sp = going, points
    if going or points:
        s.stack.append(ASTAt(F_AST, BENGHAZI))


class Split(Phase[State, SplitAt, SplitAt]):
    """22.3.5d After passing Malta, who goes on to Benghazi; the others land at Tripoli. Frame: SPs that go on."""

    at = SplitAt
    does = (
        Once(
            V_SAIL,
            take=part,
            shut=_no_room,
            odds=lambda s, f, _: ast_odds(s, BENGHAZI) if s.group or f.points else None,
        ),
        Only(
            V_TO_BENGHAZI,
            "22.3.5d",
            "{unit} is not in the convoy, or goes on already",
            lambda s, _: afloat(s) & ~s.group,
            take=go_on,
        ),
        Once(V_SP_ON, take=point_goes_on, shut=_no_more),
    )

    def actor(self, s: State, f: SplitAt) -> int | None:
        return None if f.points == LAND or not (afloat(s) or s.convoy_sp) else s.active

    def run(self, s: State, f: SplitAt) -> None:
        s.stack.pop()
        land(s, s.convoy_to, afloat(s), s.convoy_sp)

    def prompt(self, s: State, f: SplitAt) -> Prompt:
        text = term("The others land at Tripoli and are safe")
        return Prompt("Who goes on to Benghazi?", text, ("22.3.5d", "22.3.5b"), PHASES[s.phase])


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


FRAMES: dict[int, Frame[State, Any]] = {F_CONVOY: Convoy(), F_SPLIT: Split()}
