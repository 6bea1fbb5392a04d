"""8.5 Attack supply, 9.4 artillery support, 18.6 and 18.7 air support: who may have what, and what it costs.

What the two sides declare with it before the die is in declarations.py; DD support (11.3) asks here too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from sandtable.engine.contract import Action
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.memory import noted
from sandtable.mechanics.shown.telling import emit

from ..table.ids import AIR_ALLIED, AIR_GERMAN, AIR_ITALIAN, AXIS, NATIONS, NO_ASSET, SIDES
from ..table.position import add_sp, controlled, good_order, of_no_use, supply_points, touch
from ..table.state import State
from ..table.verbs import V_ARTILLERY, V_ARTILLERY_SP, V_SUPPLY_ASU, V_SUPPLY_SP
from . import supply_lines
from .depots import stocked, take_sp

FRAMES: dict[int, Frame[State, Any]] = {}

PAID, OVERWHELMING = 1, 2
"""8.5 what State.supplied says: attack supply was spent; or 10:1 did without it (8.5.3a). 0 is none."""

ANY_NATION = -1


def places_of(s: State, units: int) -> Mask:
    """The places of some units."""
    places = 0
    for u in units_of(units):
        places |= 1 << s.at[u]
    return places


def reaches(s: State, side: int, place: int, n: int, hexes: Mask) -> bool:
    """17.3 whether one of these hexes is in range of a place; 17.1.5, 16.3.2 traced like an overland line."""
    board = s.board
    if not board.box_mask >> place & 1 and not board.grid.within(place, n) & hexes:
        return False
    return bool(supply_lines.within(s, side, place, n) & hexes)


# 17.1 Artillery support units


def nation_of(s: State, u: int) -> int:
    """8.5.2 the nation that an ASU helps: its own for the Axis (8.5.2a), any for the Allies (8.5.2b)."""
    return s.board.nation[u] if s.board.side[u] == AXIS else ANY_NATION


def helps(s: State, nation: int, units: int) -> bool:
    """8.5.2a, 9.4.2, 17.1.3c whether one of these units is of that nation."""
    return nation == ANY_NATION or bool(s.board.of_nation[nation] & units)


def in_order(s: State, side: int) -> int:
    """17.1.3a, 13.2.1d the Good Order ASUs of a side that are in play, and not just off a ship (21.1.5b)."""
    at = s.at
    units = s.board.asus & s.board.of_side[side] & good_order(s) & ~of_no_use(s)
    return sum([1 << u for u in units_of(units) if at[u] >= 0])


def may_pay(s: State, u: int) -> bool:
    """17.1.1d, 17.1.3a an ASU stacked with an SP, loose or on an MSU (17.2.4b), is as good as ready; marked OOS, only
    on its ready side (17.1.5)."""
    return stocked(s, s.board.side[u], s.at[u]) and not (s.depleted & s.oos) >> u & 1


# 8.5 Attack supply


def covered(s: State, hexes: Mask, attackers: int) -> bool:
    """8.5.1c, A21 whether a source that was spent earlier in this phase has these attackers in its range."""
    return any(helps(s, nation, attackers) and reaches(s, s.active, place, n, hexes) for place, n, nation in s.supplies)


def storm_hexes(s: State, units: int) -> Mask:
    """8.5.3b, 15.2.8c where supply for a breakthrough combat is traced to after 10:1 odds: where the attackers stood at
    first, for the original attack, or where the group is, for this one (not in games of version 1)."""
    return s.fought_from | places_of(s, units) if s.edition > 1 else s.fought_from


def ranges_of_sp(s: State, side: int, place: int) -> list[tuple[int, int, int]]:
    """17.2.1e an SP has range 3; with an ASU the ASU's, for whom the ASU may help (8.5.2). As entries of s.supplies."""
    found = [(place, int(s.board.general["sp_range"]), ANY_NATION)]
    for u in units_of(in_order(s, side) & s.here.get(place, 0)):
        if may_pay(s, u):
            found.append((place, s.board.asu_range[u], nation_of(s, u)))
    return found


def ranges_of_unit(s: State, u: int) -> list[tuple[int, int, int]]:
    """17.2.4c, 17.3 the range of an ASU or of an MSU, as entries of s.supplies; the SP of an MSU that is stacked with
    an ASU has the ASU's too (17.2.1e), as it would have if it were unloaded."""
    board = s.board
    if board.trucks >> u & 1:
        own = (s.at[u], int(board.general["msu_range"]), ANY_NATION)
        return [own, *ranges_of_sp(s, board.side[u], s.at[u])[1:]]
    return [(s.at[u], board.asu_range[u], nation_of(s, u))]


def suppliers(s: State, side: int) -> int:
    """8.5.1b, 17.1.1b, 17.2.4c ready ASUs in Good Order, and MSUs; not under a transport marker (5.9.1i)."""
    msus = s.msu & s.board.of_side[side] & ~s.shipped
    at = s.at
    return in_order(s, side) & ~s.depleted | sum([1 << u for u in units_of(msus) if at[u] >= 0])


class Help(NamedTuple):
    """Who would be helped: units of a side that fight, and the hexes one of which must be in range."""

    side: int
    hexes: Mask
    units: int


def _covers(s: State, now: Help, ranges: Iterable[tuple[int, int, int]]) -> bool:
    """8.5.1d whether one of these ranges reaches the fight, for a nation that takes part."""
    return any(helps(s, nation, now.units) and reaches(s, now.side, h, n, now.hexes) for h, n, nation in ranges)


def _strangers(s: State, now: Help) -> int:
    """8.5.2a, 9.4.2, 17.1.3c the ASUs of nations none of whose units takes part; the Allies help one another."""
    asus = s.board.asus & s.board.of_side[AXIS] if now.side == AXIS else 0
    return asus and asus & ~sum(units for units in s.board.of_nation if units & now.units)


def _in_play(s: State, now: Help) -> int:
    return s.board.of_side[now.side] & s.present


def _points(s: State, side: int) -> Mask:
    """17.2 the places with SPs of a side that can be spent."""
    return sum(1 << h for h in s.sp[side] if supply_points(s, side, h) > 0)


NO_POINT = term("there is no supply point of yours to spend in {hex}")
BY_SP: Bars[State, Help] = Bars(
    Bar("5.9.1i", NO_POINT, lambda s, now: sum(1 << h for h in s.sp_held[now.side]) & ~_points(s, now.side)),
    Need("8.5.1b", NO_POINT, lambda s, now: _points(s, now.side)),
    Doubt(
        "17.2.1e",
        "no attacking unit is in range of the supply point in {hex}",
        lambda s, now, h: not _covers(s, now, ranges_of_sp(s, now.side, h)),
    ),
)
"""8.5.1b where an SP can be spent for an attack, of which one unit at least stands in range (8.5.1d)."""

BY_UNIT: Bars[State, Help] = Bars(
    Need("8.5.1b", "{unit} is no unit of yours in play", _in_play),
    Bar(
        "17.2.4a",
        "{unit} carries no supply point that can be spent",
        lambda s, _: s.board.trucks & (~s.msu | s.shipped),
    ),
    Need("8.5.1b", "{unit} is neither an ASU nor an MSU", lambda s, _: s.board.asus | s.board.trucks),
    Bar("17.1.3a", "{unit} is not in Good Order", lambda s, _: s.board.asus & ~good_order(s)),
    Bar(
        "21.1.5b",
        "{unit} is under a naval transport marker and of no use yet",
        lambda s, _: s.board.asus & of_no_use(s),
    ),
    Bar("8.5.1b", "{unit} is depleted", lambda s, _: s.depleted),
    Bar("8.5.2a", "no unit of the nation of {unit} takes part in the attack", _strangers),
    Doubt(
        "8.5.1d", "no attacking unit is in range of {unit}", lambda s, now, u: not _covers(s, now, ranges_of_unit(s, u))
    ),
)
"""8.5.1b, 17.1.1b, 17.2.4c the ready ASUs in Good Order and the MSUs that can be spent for it."""


def supply_actions(s: State, hexes: Mask, attackers: int) -> list[Action]:
    """8.5.1b every way to pay for an attack by these units."""
    now = Help(s.active, hexes, attackers)
    points = BY_SP.free(_points(s, s.active), s, now)
    units = BY_UNIT.free(s.present & (s.board.asus | s.msu), s, now)
    return [*((V_SUPPLY_SP, h) for h in hexes_in(points)), *((V_SUPPLY_ASU, u) for u in units_of(units))]


def spend(s: State, action: Action) -> None:
    """8.5.1b, 17.2.2 the SP is removed, the ASU flipped, or the MSU a truck again (17.2.4b); its range is kept."""
    side = s.active
    if action[0] == V_SUPPLY_SP:
        place = action[1]
        s.supplies += ranges_of_sp(s, side, place)
        add_sp(s, side, place, -1)
        emit(s, "attack_supply", "8.5.1b", {"side": side, "from": place, "hex": s.fight.target, "paid": "sp"})
        return
    u = action[1]
    s.supplies += ranges_of_unit(s, u)
    msu = bool(s.board.trucks >> u & 1)
    if msu:
        s.msu &= ~(1 << u)
    else:
        s.depleted |= 1 << u
    touch(s)
    data = {"side": side, "unit": u, "from": s.at[u], "hex": s.fight.target, "paid": "msu" if msu else "asu"}
    emit(s, "attack_supply", "17.2.4b" if msu else "8.5.1b", data)


# 9.4 Artillery support


class GunRules(NamedTuple):
    """What forbids an ASU or an aircraft to give support, by number."""

    who: str
    order: str
    ready: str
    points: str
    nation: str
    range: str
    air: str


SHIFT = GunRules("9.4.1b", "9.4.1b", "9.4.1c", "9.4.1c", "9.4.2", "9.4.1a", "18.7.4c")
STAND = GunRules("11.3a", "13.2.1d", "11.3b", "11.3c", "11.3d", "11.3a", "11.3d")


def _guns(rules: GunRules, pays: Bar[State, Help] | Doubt[State, Help]) -> Bars[State, Help]:
    return Bars(
        Need(rules.who, "{unit} is no unit of yours in play", _in_play),
        Need(rules.who, "{unit} is not an artillery support unit", lambda s, _: s.board.asus),
        Need("18.4", "{unit} has no S: it gives attack supply only", lambda s, _: s.board.support_asus),
        Need(rules.order, "{unit} is not in Good Order", lambda s, _: good_order(s)),
        Bar("21.1.5b", "{unit} is under a naval transport marker and of no use yet", lambda s, _: of_no_use(s)),
        pays,
        Bar(rules.nation, "no unit of the nation of {unit} takes part", _strangers),
        Doubt(
            rules.range,
            "the combat is out of range of {unit}",
            lambda s, now, u: not reaches(s, now.side, s.at[u], s.board.asu_range[u], now.hexes),
        ),
    )


def _flips(rule: str) -> Bar[State, Help]:
    """17.1.1d a ready ASU can be flipped."""
    return Bar(rule, "{unit} is depleted", lambda s, _: s.depleted)


def _pays(rule: str) -> Doubt[State, Help]:
    text = term("{unit} is not stacked with a supply point that it could use")
    return Doubt(rule, text, lambda s, _, u: not may_pay(s, u))


FLIPS = {rules: _guns(rules, _flips(rules.ready)) for rules in (SHIFT, STAND)}
PAYS = {rules: _guns(rules, _pays(rules.points)) for rules in (SHIFT, STAND)}
"""9.4.1, 11.3 the ASUs with an S that can support units of a side: flipped, or with an SP."""


def gun_actions(s: State, side: int, hexes: Mask, units: int) -> list[Action]:
    """9.4.1, 11.3 the ASUs that can support the units of this side in these hexes, and how they pay."""
    now, guns = Help(side, hexes, units), s.present & s.board.support_asus
    flipped, paid = FLIPS[SHIFT].free(guns, s, now), PAYS[SHIFT].free(guns, s, now)
    return [*((V_ARTILLERY, u) for u in units_of(flipped)), *((V_ARTILLERY_SP, u) for u in units_of(paid))]


def fire(s: State, action: Action, rule: str) -> None:
    """9.4.1c, 17.1.1d the ASU is flipped to depleted, or an SP stacked with it is removed."""
    u = action[1]
    side = s.board.side[u]
    paid = "sp" if action[0] == V_ARTILLERY_SP else "flip"
    if paid == "sp":
        take_sp(s, side, s.at[u])
    else:
        s.depleted |= 1 << u
        touch(s)
    emit(s, "artillery", rule, {"side": side, "unit": u, "from": s.at[u], "hex": s.fight.target, "paid": paid})


# 18.6, 18.7 Air support


def superiority(s: State) -> int:
    """18.6a the side that has air superiority in this turn; -1 if it is contested."""
    name = s.board.turns[s.turn]["air_superiority"]
    return SIDES.index(name) if name in SIDES else -1


def outflown(s: State, side: int) -> bool:
    """18.6 whether the other side has air superiority."""
    return superiority(s) == enemy(side)


AIR_SUPPORT = ((AIR_GERMAN, AIR_ITALIAN), (AIR_ALLIED,))
"""18.7.1b the air support markers of each side."""
_AIR_NATION = {AIR_GERMAN: NATIONS.index("german"), AIR_ITALIAN: NATIONS.index("italian"), AIR_ALLIED: ANY_NATION}


@noted
def air_range(s: State, side: int) -> Mask:
    """18.7.3, A30 the hexes within 16 of a friendly airfield or Good Order corps HQ in full supply; of no use is one
    under a naval transport marker (21.1.5b)."""
    board = s.board
    hqs = board.hqs & board.of_side[side] & good_order(s) & ~of_no_use(s) & s.present
    bases = (board.airfields & controlled(s, side) | places_of(s, hqs)) & supply_lines.full(s, side) & ~board.box_mask
    found = 0
    for h in hexes_in(bases):
        found |= board.grid.within(h, int(board.general["air_range"]))
    return found


def _aircraft(s: State, side: int) -> int:
    """18.7.1a the air support markers that a side has ready."""
    return sum(1 << asset for asset in AIR_SUPPORT[side] if s.assets[asset] > 0)


def _air(rules: GunRules) -> Bars[State, Help]:
    """To use none is always allowed."""
    none = 1 << NO_ASSET
    return Bars(
        Need(
            "18.7.4a",
            "{asset} is not air support of yours",
            lambda s, now: none | sum(1 << asset for asset in AIR_SUPPORT[now.side]),
        ),
        Need("18.7.1a", "you have no such marker ready", lambda s, now: none | _aircraft(s, now.side)),
        Bar(
            "18.6c",
            "the enemy has air superiority: no air support in defence",
            lambda s, now: ~none if now.side != s.active and outflown(s, now.side) else 0,
        ),
        Need(
            rules.air,
            "no unit of that nation takes part in the combat",
            lambda s, now: none | sum(1 << asset for asset, of in _AIR_NATION.items() if helps(s, of, now.units)),
        ),
        Doubt(
            "18.7.3",
            "no airfield or Good Order corps HQ of yours in full supply within 16 hexes of {hex}",
            lambda s, now, _: not air_range(s, now.side) & now.hexes,
            lambda *_: ~none,
        ),
    )


AIR = {rules: _air(rules) for rules in (SHIFT, STAND)}
"""18.6, 18.7.4, 11.3 the air support markers that a side can use in a fight for a hex."""


def air_assets(s: State, side: int, target: Hex, units: int) -> list[int]:
    """18.7.4, 11.3 those markers, for a fight in which these units take part."""
    return list(units_of(AIR[SHIFT].free(_aircraft(s, side), s, Help(side, 1 << target, units))))


def fly(s: State, side: int, asset: int, rule: str) -> None:
    """18.7.4a the marker is used and goes back to the display (23.2.3c)."""
    if asset == NO_ASSET:
        return
    s.assets[asset] -= 1
    emit(s, "air_support", rule, {"side": side, "asset": asset, "hex": s.fight.target})
