"""16.1, 16.2 Air support and the Black Sea Fleet: which marker may help in which fight.

Sea movement under air cover (16.14) and landings (16.23) are forms of movement and stand there.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.shown.telling import emit

from ..table.board import Board
from ..table.ids import AXIS, FLEET, MOBILE, NO_SUPPORT, VIII_AIR
from ..table.state import State

# 16.11 Availability


def ready(s: State, side: int) -> tuple[int, ...]:
    """16.11c, 16.15 the air markers of a side that are in play this turn and not used in this impulse."""
    return _ready(s.board, s.air & ~s.air_used, side, s.turn)


@remembered()
def _ready(board: Board, markers: int, side: int, turn: int) -> tuple[int, ...]:
    return tuple(
        m for m in range(FLEET) if markers >> m & 1 and board.air_side[m] == side and turn in board.air_turns[m]
    )


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


class Help(NamedTuple):
    """Whom a marker would help."""

    side: int
    kind: int
    hexes: Mask
    target: Hex


def for_attack(s: State, fight: int, target: Hex, attackers: int) -> tuple[int, ...]:
    """8.3b, 16.12, 16.22 the markers that the attacker may use."""
    if not s.air & ~s.air_used and not s.fleet_ready:
        return ()
    return units_of(MARKER.free(OF_AIR | OF_FLEET, s, Help(s.active, fight, places_of(s, attackers), target)))


def for_defence(s: State, fight: int, target: Hex) -> tuple[int, ...]:
    """10.4g, 16.13, 16.22 the markers that may help a Determined Defence."""
    if not s.air & ~s.air_used and not s.fleet_ready:
        return ()
    return units_of(MARKER.free(OF_AIR | OF_FLEET, s, Help(enemy(s.active), fight, 1 << target, target)))


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


# 16.11, 16.12, 16.13, 16.2 The markers that may help


class Helping(Protocol):
    """Whom a marker would help: a side with units in some hexes, in a fight about one hex."""

    @property
    def side(self) -> int: ...

    @property
    def kind(self) -> int: ...

    @property
    def hexes(self) -> Mask: ...

    @property
    def target(self) -> Hex: ...


NONE, OF_FLEET, OF_AIR = 1 << NO_SUPPORT, 1 << FLEET, (1 << FLEET) - 1


@remembered()
def _of_side(board: Board, side: int) -> int:
    return NONE | sum(1 << marker for marker, owner in enumerate(board.air_side) if owner == side)


@remembered()
def _absent(board: Board, air: int, turn: int) -> int:
    """16.15, 4.3c the air markers that are not in play this turn."""
    return sum(1 << m for m in range(FLEET) if not air >> m & 1 or turn not in board.air_turns[m])


MARKER: Bars[State, Helping] = Bars(
    Need("16.11a", "{marker} is not yours", lambda s, now: _of_side(s.board, now.side)),
    Bar(  # A24
        "13.1g",
        "the Black Sea Fleet takes no part in mobile assaults",
        lambda s, now: OF_FLEET if now.kind == MOBILE else 0,
    ),
    Bar(
        "16.12b",
        "only the Axis may use air support in mobile assaults",
        lambda s, now: OF_AIR if now.kind == MOBILE and now.side == s.active != AXIS else 0,
    ),
    Bar(
        "16.21a",
        "no Black Sea Fleet marker is in the available box",
        lambda s, now: 0 if s.fleet_ready else OF_FLEET,
    ),
    Bar(  # A19 the defender's hex
        "16.22",
        "{hex} is not on the Black Sea coast",
        lambda s, now: 0 if s.board.black_coast >> now.target & 1 else OF_FLEET,
    ),
    Bar(
        "16.15",
        "{marker} is not available on turn {turn}",
        lambda s, now: _absent(s.board, s.air, s.turn) & 1 << VIII_AIR,
    ),
    Bar("4.3c", "{marker} is not available on turn {turn}", lambda s, now: _absent(s.board, s.air, s.turn)),
    Bar("16.11c", "{marker} has been used in this impulse", lambda s, now: s.air_used & OF_AIR),
    Bar(  # 16.11b one unit in range will do
        "16.11a",
        "no HQ within 8 hexes of a unit taking part, so {marker} cannot come",
        lambda s, now: 0 if air_range(s, now.side) & now.hexes else OF_AIR,
    ),
)
"""The markers that a side may use in a fight; none is one of them."""
