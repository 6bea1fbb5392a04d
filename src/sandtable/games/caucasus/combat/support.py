"""16.1, 16.2 Air support and the Black Sea Fleet: which marker may help in which fight.

Sea movement under air cover (16.14) and landings (16.23) are forms of movement and stand there.
"""

from __future__ import annotations

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.telling import emit

from ..table.ids import AXIS, FLEET, MOBILE, NO_SUPPORT, SOVIET, SUPPORTS
from ..table.state import State
from .strengths import support_name

# 16.11 Availability


def ready(s: State, side: int) -> tuple[int, ...]:
    """16.11c, 16.15 the air markers of a side that are in play this turn and not used in this impulse."""
    markers = s.air & ~s.air_used
    if not markers:
        return ()
    key = ("ready", markers, side, s.turn)
    found: tuple[int, ...] | None = s.ground.kept.get(key)
    if found is None:
        board, turn = s.board, s.turn
        found = s.ground.kept[key] = tuple(
            m for m in range(FLEET) if markers >> m & 1 and board.air_side[m] == side and turn in board.air_turns[m]
        )
    return found


def air_range(s: State, side: int) -> Mask:
    """15.1e, 16.11a the hexes within range of this side's HQs; what lies between does not matter (16.11b)."""
    key = ("air range", side)
    found = s.memo.get(key)
    if found is None:
        reach = s.board.pack.tables["limits"]["air_range_from_hq"]
        found = 0
        for u in units_of(s.board.hq & s.board.of_side[side]):
            if s.at[u] >= 0:
                found |= s.board.grid.within(s.at[u], reach)
        s.memo[key] = found
    mask: Mask = found
    return mask


def places_of(s: State, units: int) -> Mask:
    """The hexes of some units."""
    hexes = 0
    for u in units_of(units):
        hexes |= 1 << s.at[u]
    return hexes


# Who may use what


def for_attack(s: State, fight: int, target: Hex, attackers: int) -> tuple[int, ...]:
    """8.3b, 16.12, 16.22 the markers that the attacker may use; in mobile assaults only Axis air (13.1g, 16.12b)."""
    side = s.active
    if side == SOVIET and fight == MOBILE:
        return ()
    markers = ready(s, side)
    if markers and not air_range(s, side) & places_of(s, attackers):  # 16.11b one unit in range will do
        markers = ()
    if side == SOVIET and s.fleet_ready and s.board.black_coast >> target & 1:  # A19 the defender's hex
        markers = (*markers, FLEET)
    return markers


def for_defence(s: State, fight: int, target: Hex) -> tuple[int, ...]:
    """10.4g, 16.13, 16.22 the markers that may help a Determined Defence; no fleet in mobile assaults (A24)."""
    side = enemy(s.active)
    markers = ready(s, side)
    if markers and not air_range(s, side) >> target & 1:
        markers = ()
    if side == SOVIET and fight != MOBILE and s.fleet_ready and s.board.black_coast >> target & 1:
        markers = (*markers, FLEET)
    return markers


def best_shift(s: State, fight: int, target: Hex, attackers: int) -> int:
    """The most columns that a marker could give."""
    shift = s.board.air_shift
    return max([shift[m] for m in for_attack(s, fight, target, attackers)], default=0)


def use(s: State, marker: int, side: int, rule: str) -> None:
    """16.11c, 16.21b an air marker is flipped to Used, a fleet marker goes back to the unavailable box."""
    if marker == NO_SUPPORT:
        return
    if marker == FLEET:
        s.fleet_ready -= 1
        s.fleet_away += 1
    else:
        s.air_used |= 1 << marker
    emit(s, "support", rule, {"side": side, "support": marker, "hex": s.fight.target})


def why_no_marker(s: State, fight: int, side: int, marker: int, hexes: Mask, target: Hex) -> Reason | None:
    """Why a marker cannot be used by a side with units in these hexes; None if it can."""
    if marker == NO_SUPPORT:
        return None
    board, name = s.board, support_name(s, marker)
    if board.air_side[marker] != side:
        return Reason("16.11a", f"{name} is not yours")
    attacking = side == s.active
    if fight == MOBILE and marker == FLEET:
        return Reason("13.1g", "the Black Sea Fleet takes no part in mobile assaults")
    if fight == MOBILE and attacking and side != AXIS:
        return Reason("16.12b", "only the Axis may use air support in mobile assaults")
    if marker == FLEET:
        if not s.fleet_ready:
            return Reason("16.21a", "no Black Sea Fleet marker is in the available box")
        if not board.black_coast >> target & 1:
            return Reason("16.22", f"{board.hex_name(target)} is not on the Black Sea coast")
        return None
    if not s.air >> marker & 1 or s.turn not in board.air_turns[marker]:
        rule = "16.15" if SUPPORTS[marker] == "AX-VIII" else "4.3c"
        return Reason(rule, f"{name} is not available on turn {s.turn}")
    if s.air_used >> marker & 1:
        return Reason("16.11c", f"{name} has been used in this impulse")
    if not air_range(s, side) & hexes:
        return Reason("16.11a", f"no HQ within 8 hexes of a unit taking part, so {name} cannot come")
    return None
