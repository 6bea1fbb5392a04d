"""8.5 Attack supply, 9.4 artillery support, 18.6 and 18.7 air support: who may have what, and what it costs.

What the two sides declare with it before the die is in declarations.py; DD support (11.3) asks here too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.shown.telling import emit

from ..table.ids import AIR_ALLIED, AIR_GERMAN, AIR_ITALIAN, ASSETS, AXIS, NATIONS, NO_ASSET, SIDES
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


def may_flip(s: State, u: int) -> bool:
    """17.1.1d a ready ASU can be flipped."""
    return not s.depleted >> u & 1


def may_pay(s: State, u: int) -> bool:
    """17.1.1d, 17.1.3a an ASU stacked with an SP, loose or on an MSU (17.2.4b), is as good as ready; marked OOS, only
    on its ready side (17.1.5)."""
    return stocked(s, s.board.side[u], s.at[u]) and not (s.depleted & s.oos) >> u & 1


# 8.5 Attack supply


def covered(s: State, hexes: Mask, attackers: int) -> bool:
    """8.5.1c, A21 whether a source that was spent earlier in this phase has these attackers in its range."""
    return any(helps(s, nation, attackers) and reaches(s, s.active, place, n, hexes) for place, n, nation in s.supplies)


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


def supply_actions(s: State, hexes: Mask, attackers: int) -> list[Action]:
    """8.5.1b every way to pay for an attack by these units, of which one at least stands in range (8.5.1d)."""
    side = s.active
    found: list[Action] = []
    for place in sorted(s.sp[side]):
        if supply_points(s, side, place) > 0 and any(
            helps(s, nation, attackers) and reaches(s, side, place, n, hexes)
            for _, n, nation in ranges_of_sp(s, side, place)
        ):
            found.append((V_SUPPLY_SP, place))
    for u in units_of(suppliers(s, side)):
        if any(
            helps(s, nation, attackers) and reaches(s, side, place, n, hexes)
            for place, n, nation in ranges_of_unit(s, u)
        ):
            found.append((V_SUPPLY_ASU, u))
    return found


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


def why_no_supply(s: State, action: Action, hexes: Mask, attackers: int) -> Reason:
    """8.5 why a source cannot supply the attack."""
    board, side = s.board, s.active
    if action[0] == V_SUPPLY_SP:
        place = action[1]
        name = board.hex_name(place)
        if supply_points(s, side, place) <= 0:
            held = s.sp_held[side].get(place, 0)
            return Reason(
                "5.9.1i" if held else "8.5.1b", Text("there is no supply point of yours to spend in {hex}", hex=name)
            )
        return Reason("17.2.1e", Text("no attacking unit is in range of the supply point in {hex}", hex=name))
    u = action[1]
    name, b = board.unit_names[u], 1 << u
    if board.side[u] != side or s.at[u] < 0:
        return Reason("8.5.1b", Text("{hex} is no unit of yours in play", hex=name))
    if board.trucks & b:
        if not s.msu & b or s.shipped & b:
            return Reason("17.2.4a", Text("{hex} carries no supply point that can be spent", hex=name))
        return Reason("8.5.1d", Text("no attacking unit is in range of {hex}", hex=name))
    if not board.asus & b:
        return Reason("8.5.1b", Text("{hex} is neither an ASU nor an MSU", hex=name))
    if not good_order(s) & b:
        return Reason("17.1.3a", Text("{hex} is not in Good Order", hex=name))
    if of_no_use(s) & b:
        return Reason("21.1.5b", Text("{hex} is under a naval transport marker and of no use yet", hex=name))
    if s.depleted & b:
        return Reason("8.5.1b", Text("{hex} is depleted", hex=name))
    if not helps(s, nation_of(s, u), attackers):
        return Reason("8.5.2a", Text("no unit of the nation of {hex} takes part in the attack", hex=name))
    return Reason("8.5.1d", Text("no attacking unit is in range of {hex}", hex=name))


# 9.4 Artillery support


def gun_actions(s: State, side: int, hexes: Mask, units: int) -> list[Action]:
    """9.4.1, 11.3 the ASUs with an S that can support the units of this side in these hexes, and how they pay."""
    found: list[Action] = []
    by_sp: list[Action] = []
    for u in units_of(in_order(s, side) & s.board.support_asus):
        flip, pay = may_flip(s, u), may_pay(s, u)
        if not (flip or pay) or not helps(s, nation_of(s, u), units):
            continue
        if reaches(s, side, s.at[u], s.board.asu_range[u], hexes):
            if flip:
                found.append((V_ARTILLERY, u))
            if pay:
                by_sp.append((V_ARTILLERY_SP, u))
    return found + by_sp


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


class GunRules(NamedTuple):
    """What forbids an ASU to give support, by number."""

    who: str
    order: str
    ready: str
    points: str
    nation: str
    range: str


FOR_A_SHIFT = GunRules("9.4.1b", "9.4.1b", "9.4.1c", "9.4.1c", "9.4.2", "9.4.1a")
FOR_A_STAND = GunRules("11.3a", "13.2.1d", "11.3b", "11.3c", "11.3d", "11.3a")


def why_no_guns(s: State, side: int, action: Action, units: int, rules: GunRules = FOR_A_SHIFT) -> Reason:
    """9.4, 11.3 why an ASU of a side cannot support these units."""
    board, u = s.board, action[1]
    name, b = board.unit_names[u], 1 << u
    if board.side[u] != side or s.at[u] < 0:
        return Reason(rules.who, Text("{unit} is no unit of yours in play", unit=name))
    if not board.asus & b:
        return Reason(rules.who, Text("{unit} is not an artillery support unit", unit=name))
    if not board.support_asus & b:
        return Reason("18.4", Text("{unit} has no S: it gives attack supply only", unit=name))
    if not good_order(s) & b:
        return Reason(rules.order, Text("{unit} is not in Good Order", unit=name))
    if of_no_use(s) & b:
        return Reason("21.1.5b", Text("{unit} is under a naval transport marker and of no use yet", unit=name))
    if action[0] == V_ARTILLERY and not may_flip(s, u):
        return Reason(rules.ready, Text("{unit} is depleted", unit=name))
    if action[0] == V_ARTILLERY_SP and not may_pay(s, u):
        return Reason(rules.points, Text("{unit} is not stacked with a supply point that it could use", unit=name))
    if not helps(s, nation_of(s, u), units):
        return Reason(rules.nation, Text("no unit of the nation of {unit} takes part", unit=name))
    return Reason(rules.range, Text("the combat is out of range of {unit}", unit=name))


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
_AIR_NATION = {
    AIR_GERMAN: NATIONS.index("german"),
    AIR_ITALIAN: NATIONS.index("italian"),
    AIR_ALLIED: ANY_NATION,
}


def air_range(s: State, side: int) -> Mask:
    """18.7.3, A30 the hexes within 16 of a friendly airfield or Good Order corps HQ in full supply; of no use is one
    under a naval transport marker (21.1.5b)."""
    key = ("air range", side)
    found: Mask | None = s.memo.get(key)
    if found is None:
        board = s.board
        bases = board.airfields & controlled(s, side)
        for u in units_of(board.hqs & board.of_side[side] & good_order(s) & ~of_no_use(s)):
            if s.at[u] >= 0:
                bases |= 1 << s.at[u]
        bases &= supply_lines.full(s, side) & ~board.box_mask
        reach = int(board.general["air_range"])
        found = 0
        for h in hexes_in(bases):
            found |= board.grid.within(h, reach)
        s.memo[key] = found
    return found


def air_assets(s: State, side: int, target: Hex, units: int) -> list[int]:
    """18.7.4, 11.3 the air support markers that a side can use in a fight for this hex, its units taking part.

    Not in defence against a side with air superiority (18.6c, 18.7.4b).
    """
    ready = [a for a in AIR_SUPPORT[side] if s.assets[a] > 0 and helps(s, _AIR_NATION[a], units)]
    if not ready or (side != s.active and outflown(s, side)) or not air_range(s, side) >> target & 1:
        return []
    return ready


def fly(s: State, side: int, asset: int, rule: str) -> None:
    """18.7.4a the marker is used and goes back to the display (23.2.3c)."""
    if asset == NO_ASSET:
        return
    s.assets[asset] -= 1
    emit(s, "air_support", rule, {"side": side, "asset": asset, "hex": s.fight.target})


def why_no_air(s: State, side: int, asset: int, target: Hex, units: int, nation: str = "18.7.4c") -> Reason:
    """18.6, 18.7 why a marker cannot be used; `nation` is the rule on whom it helps."""
    if asset not in AIR_SUPPORT[side]:
        return Reason("18.7.4a", Text("{asset} is not air support of yours", asset=ASSETS[asset].replace("_", " ")))
    if s.assets[asset] <= 0:
        return Reason("18.7.1a", "you have no such marker ready")
    if side != s.active and outflown(s, side):
        return Reason("18.6c", "the enemy has air superiority: no air support in defence")
    if not helps(s, _AIR_NATION[asset], units):
        return Reason(nation, "no unit of that nation takes part in the combat")
    name = s.board.hex_name(target)
    return Reason(
        "18.7.3", Text("no airfield or Good Order corps HQ of yours in full supply within 16 hexes of {hex}", hex=name)
    )
