"""D13.2, F.10 How a vehicle hides itself: smoke dispensers and the smoke grenades of its crew."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import ColoredDice, OneDie

from ..boards.costs import HALF
from ..fire.crews import told, vehicle_of
from ..table import verbs
from ..table.ids import DISPERSED, F_DISPENSE, F_LOB, GRENADE, PHASES
from ..table.state import State
from ..table.telling import emit
from .driving import Drive, DriverAt, spend


class DispenseAt(NamedTuple):
    """D13.2 the usage DR of a dispenser."""

    frame: int
    vehicle: int


class LobAt(NamedTuple):
    """F.10c the usage dr of smoke grenades."""

    frame: int
    vehicle: int


def lay_smoke(s: State, u: int, kind: int) -> None:
    """A24 SMOKE in the vehicle's own hex, noted for its side."""
    h, side = s.at[u], s.stage.roster.side[u]
    s.smoke[h] = s.smoke.get(h, 0) | 1 << 2 * kind + side
    emit(s, "smoke", "D13.2" if kind == DISPERSED else "F.10e", {"hex": h, "unit": u})


# D13.2


def no_more_smoke(s: State, now: Drive) -> Reason | None:
    """What bars dispenser and grenades alike."""
    if s.smoked >> now.unit & 1:
        return Reason("F.10h", "it has used its dispenser or grenades in this Player Turn")
    if s.used[now.unit]:
        return Reason("D13.2", "it has fired")
    if now.left < HALF:
        return Reason("D13.2", "it costs 1 MP, and none is left")
    return None


def no_dispenser(s: State, now: Drive) -> Reason | None:
    if not now.kind.smoke:
        return Reason("D13.2", "it has no smoke dispenser")
    return no_more_smoke(s, now)


def dispense(s: State, f: DriverAt) -> None:
    move = s.move
    assert move is not None
    s.smoked |= 1 << move.vehicle
    spend(s, HALF)
    s.stack.append(DispenseAt(F_DISPENSE, move.vehicle))


class Dispense(ColoredDice[State, DispenseAt]):
    """D13.2 a DR not above the number puts dispersed smoke into its own hex."""

    at = DispenseAt

    def take(self, s: State, f: DispenseAt, action: Action) -> None:
        s.stack.pop()
        u = f.vehicle
        final, number = action[1] + action[2], vehicle_of(s, u).smoke_number
        final += s.shaken >> u & 1 if s.edition > 1 else 0  # D5.34
        facts = {**told(s, u), "dice": list(action[1:]), "final": final, "number": number}
        emit(s, "dispensed", "D13.2", {**facts, "passed": final <= number}, final=True)
        if final <= number:
            lay_smoke(s, u, DISPERSED)

    def prompt(self, s: State, f: DispenseAt) -> Prompt:
        return Prompt(Text("{unit} uses its smoke dispenser", unit=f.vehicle), "", ("D13.2",), PHASES[s.phase])


# F.10


def lob_number(s: State, u: int) -> int:
    """F.10c 1 for an armed unarmoured vehicle, 2 for a CE AFV, AMB-125 as an open-topped one always is; F.10b 0 for a
    BU closed-topped one."""
    chart, kind = s.stage.pack.tables["smoke"]["vehicle_smoke_grenade"], vehicle_of(s, u)
    opened = bool(s.exposed >> u & 1) or kind.always_ce or (kind.top == "OT" and s.edition > 2)
    if kind.top == "CT" and not opened:
        return 0
    return int(chart["ce_afv"] if kind.armoured and opened else chart["armed_unarmored_or_bu_ot"])


def no_lob(s: State, now: Drive) -> Reason | None:
    if not now.kind.ma or now.kind.inherent == "none":
        return Reason("F.10a", "only the crew of a vehicle with a main armament has smoke grenades")
    if not lob_number(s, now.unit):
        return Reason("F.10b", "the crew of a closed-topped AFV must be exposed for it")
    return no_more_smoke(s, now)


def lob(s: State, f: DriverAt) -> None:
    move = s.move
    assert move is not None
    s.smoked |= 1 << move.vehicle
    spend(s, HALF)
    s.stack.append(LobAt(F_LOB, move.vehicle))


class Lob(OneDie[State, LobAt]):
    """F.10c, F.10d, F.10e a half-inch Smoke counter in its own Location; a 6 is a failure like any other."""

    at = LobAt

    def take(self, s: State, f: LobAt, action: Action) -> None:
        s.stack.pop()
        number = lob_number(s, f.vehicle)
        facts = {**told(s, f.vehicle), "final": action[1], "number": number, "passed": action[1] <= number}
        emit(s, "dispensed", "F.10c", facts, final=True)
        if action[1] <= number:
            lay_smoke(s, f.vehicle, GRENADE)

    def prompt(self, s: State, f: LobAt) -> Prompt:
        return Prompt(Text("The crew of {unit} throws smoke grenades", unit=f.vehicle), "", ("F.10c",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_DISPENSE: Dispense(verbs.ROLLED), F_LOB: Lob(verbs.FELL)}
