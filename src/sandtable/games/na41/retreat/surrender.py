"""12.5 Surrender, and what becomes of the trucks and supplies of those who are lost (10.2.2c, 27.1)."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Prompt
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.phases import Each, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..supply import supply_lines
from ..table import captures
from ..table.frames import CaptureAt, CaptureRollAt
from ..table.ids import (
    ALLIED,
    ASIDE,
    AXIS,
    ELIMINATED,
    F_CAPTURE,
    F_CAPTURE_ROLL,
    PHASES,
    SURRENDER_LEFT,
    TRUCK_CAPTURE,
)
from ..table.position import add_sp, combat_units_in, controls, eliminate, put, touch, units_in
from ..table.state import State
from ..table.verbs import V_CAPTURE, V_NO_CAPTURE

# 12.5.1d Out of supply


def supplied(s: State, u: int) -> bool:
    """12.5.1d whether a unit is in supply at this moment: a port supplies so many units alone (16.2c)."""
    side, h = s.board.side[u], s.at[u]
    return bool(supply_lines.full(s, side) >> h & 1) or supply_lines.port_fed(s, u)


def perish(s: State, u: int, rule: str) -> None:
    """12.5.1d a unit is eliminated by combat or by its retreat; a combat unit that is out of supply surrenders."""
    if s.board.combat >> u & 1 and not supplied(s, u):
        eliminate(s, u, "12.5.1d", surrenders=True)
    else:
        eliminate(s, u, rule)


# 12.5.1e Ports


def drew_from_port(s: State, side: int, h: Hex) -> bool:
    """12.5.1e whether units of this side in this port hex live by the port: they have no full supply."""
    return h in supply_lines.source_limits(s, side) and not supply_lines.full(s, side) >> h & 1


def remember_garrison(s: State, h: Hex, units: int) -> None:
    """A26 a fight begins: keep who defends a port that alone feeds it, as it is now. Until the port is entered the
    advance of others may cut a road or open one, and after an Auto DS other fights have been fought (8.9.2a)."""
    if s.board.ports >> h & 1 and drew_from_port(s, enemy(s.active), h):
        fed = [u for u in units_of(units) if not s.board.combat >> u & 1 or supply_lines.port_fed(s, u)]  # 16.2c
        s.garrisons += [(h, u) for u in fed]


def port_falls(s: State, h: Hex) -> None:
    """12.5.1e, A26 the phasing player advances into a port: those it supplied, eliminated or forced out, surrender.

    Asked before the unit enters the hex, while the port still is the defender's.
    """
    loser = enemy(s.active)
    if not s.board.ports >> h & 1 or not controls(s, loser, h):
        return
    units = 0
    for port, u in s.garrisons:
        units |= 1 << u if port == h else 0
    s.garrisons = [pair for pair in s.garrisons if pair[0] != h]
    units &= s.board.of_side[loser]
    for u in units_of(units & s.board.combat):
        if s.at[u] == ELIMINATED:
            emit(s, "surrendered", "12.5.1e", {"unit": u, "hex": h, "side": loser, "box": SURRENDER_LEFT})
            put(s, u, SURRENDER_LEFT)
        elif s.at[u] >= 0:
            eliminate(s, u, "12.5.1e", surrenders=True)
    for u in units_of(units & s.board.trucks & s.board.of_side[ALLIED]):
        if s.at[u] >= 0:
            s.stack.append(left_to_capture(s, u, h))
            eliminate(s, u, "12.5.1e")
        elif s.at[u] == ELIMINATED:  # with the stack (10.2.2c): its truck is taken, its SP is gone
            s.stack.append(CaptureAt(F_CAPTURE, h, 0))


# 10.2.2c, 27.1 What is left behind


def free_trucks(s: State, side: int, h: Hex) -> int:
    """12.1.5b the trucks of a place that can take somebody up: neither MSUs nor laden nor just off a transport."""
    found = units_in(s, h, side) & s.board.trucks & ~s.msu & ~s.shipped
    if found:
        for truck in s.carried:
            if truck >= 0:
                found &= ~(1 << truck)
    return found


def abandon(s: State, side: int, h: Hex, surrendered: bool) -> None:
    """10.2.2c the last combat unit of a hex is gone: its non-combat units are eliminated or captured at once.

    27.1a if Allied units surrendered here, the Axis may take their trucks. SPs are for whoever enters (17.2.3a).
    """
    if combat_units_in(s, h, side):
        return
    found: list[tuple[int, ...]] = []
    for u in units_of(units_in(s, h, side)):
        if s.board.trucks >> u & 1 and surrendered and side == ALLIED:
            found.append(left_to_capture(s, u, h))
        eliminate(s, u, "10.2.2c")
    s.stack += found


def left_to_capture(s: State, u: int, h: Hex) -> F:
    """27.1a, 27.1b a truck that the Axis may take, and the SP that it carries."""
    msu = s.msu >> u & 1
    s.msu &= ~(1 << u)
    return CaptureAt(F_CAPTURE, h, msu)


def captured_truck(s: State) -> int:
    """27.1c a captured truck that is not in play yet, -1 if both are."""
    return next((u for u in units_of(s.board.captured) if s.at[u] == ASIDE), -1)


def captor_hexes(s: State, h: Hex) -> Mask:
    """27.1a, A52 where the captured truck is taken to: the hexes in or beside this one with Axis combat units, of those
    who attack before others; none if the stack surrendered far from any."""
    near = s.men[AXIS] & (s.board.around[h] | 1 << h) & ~s.board.bog
    attacking = 0
    for u in units_of(s.fight.attackers & s.board.of_side[AXIS]):
        if s.at[u] >= 0:
            attacking |= 1 << s.at[u]
    return near & attacking or near


TAKEN: Bars[State, CaptureAt] = Bars(
    Need("27.1a", "{unit} is not the captured truck that is next to come", lambda s, _: 1 << captured_truck(s))
)


def take_truck(s: State, f: CaptureAt, u: int) -> None:
    s.stack.pop()
    captors = captor_hexes(s, f.hex)
    h = (captors & -captors).bit_length() - 1 if captors else f.hex
    s.step[u] = 0
    put(s, u, h)
    emit(s, "truck_captured", "27.1a", {"unit": u, "hex": h, "side": AXIS})
    if f.msu:  # 27.1b its SP is captured or destroyed like any other
        add_sp(s, ALLIED, h, 1)
        if captors:
            s.stack.append(CaptureRollAt(F_CAPTURE_ROLL, h, 1, AXIS))
    if not captors:
        captures.enter(s, AXIS, h)
    touch(s)


def leave_truck(s: State, f: CaptureAt) -> None:
    """17.2.4a nobody takes the MSU: its SP is gone with it."""
    s.stack.pop()
    if f.msu:
        emit(s, "sp_destroyed", "17.2.4a", {"hex": f.hex, "side": ALLIED, "count": 1})


class Capture(Phase[State, CaptureAt, CaptureAt]):
    """27.1a The Axis may take a truck that the Allies have just lost by surrender. Frame: hex, was it an MSU."""

    at = CaptureAt
    does = (
        Each(V_CAPTURE, worked=lambda s, _: 1 << captured_truck(s), bars=TAKEN, take=take_truck),
        Once(V_NO_CAPTURE, take=leave_truck),
    )

    def actor(self, s: State, f: CaptureAt) -> int | None:
        return AXIS if s.flags & TRUCK_CAPTURE and captured_truck(s) >= 0 else None

    def run(self, s: State, f: CaptureAt) -> None:
        leave_truck(s, f)

    def prompt(self, s: State, f: CaptureAt) -> Prompt:
        text = Text("An Allied stack with a truck has surrendered in {hex}", hex=f.hex)
        return Prompt("Take a captured truck?", text, ("27.1a", "27.1c"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_CAPTURE: Capture()}
