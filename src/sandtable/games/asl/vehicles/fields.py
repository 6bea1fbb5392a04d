"""B28.5, B26.4, B27.5 What is laid against vehicles: mines, wire, and trenches across their way."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import ColoredDice, OneDie
from sandtable.mechanics.masks import units_of

from ..fire.crews import immobilize, soft_targets, told, vehicle_of
from ..fire.fate import destroy
from ..fire.ift import FIRST_KIA, RESULTS, ift
from ..table import verbs
from ..table.ids import F_AT_DIE, F_AT_MINES, F_MINES, F_PRESS, F_WIRE_CRUSH, GONE, MINES_AP, MINES_AT, PHASES, WIRE
from ..table.state import State, put
from ..table.telling import emit
from ..table.works import works_in
from ..works.mines import MinesAt, find_dummies


class AtDieAt(NamedTuple):
    """B28.41 the dr whether the A-T mines of a hex go off."""

    frame: int
    vehicle: int
    work: int


class AtMinesAt(NamedTuple):
    """B28.5 A-T mines under a vehicle."""

    frame: int
    vehicle: int


class PressAt(NamedTuple):
    """B28.5 A-P mines under an AFV."""

    frame: int
    vehicle: int
    fp: int


class WireCrushAt(NamedTuple):
    """B26.4 whether a tracked AFV tears the wire away."""

    frame: int
    vehicle: int


def _laid(s: State, h: Hex, kind: int) -> list[int]:
    return [w for w in units_of(works_in(s, h, kind)) if s.strength[w]]


def mined(s: State, h: Hex) -> bool:
    """Whether a vehicle would meet mines there."""
    return bool(_laid(s, h, MINES_AP) or _laid(s, h, MINES_AT))


def push_mines(s: State, u: int, h: Hex) -> None:
    """B28.41 the mines of a hex that a vehicle enters or leaves attack it once: the A-T mines first."""
    find_dummies(s, h)
    if _laid(s, h, MINES_AP):
        if soft_targets(s, 1 << u):
            s.stack.append(MinesAt(F_MINES, h, 1 << u))
        if vehicle_of(s, u).armoured:
            w = _laid(s, h, MINES_AP)[0]
            s.hip &= ~(1 << w)
            s.read |= 1 << w
            s.stack.append(PressAt(F_PRESS, u, s.strength[w]))
    s.stack += [AtDieAt(F_AT_DIE, u, w) for w in _laid(s, h, MINES_AT)[:1]]


class AtDie(OneDie[State, AtDieAt]):
    """B28.41 a dr not above the A-T factors is an attack."""

    at = AtDieAt

    def take(self, s: State, f: AtDieAt, action: Action) -> None:
        s.stack.pop()
        factors = s.strength[f.work]
        s.hip &= ~(1 << f.work)
        struck = action[1] <= factors
        facts = {**told(s, f.vehicle), "final": action[1], "number": factors, "passed": not struck}
        emit(s, "at_mines", "B28.41", facts, final=True)
        if struck and s.at[f.vehicle] >= 0 and not s.wreck >> f.vehicle & 1:
            s.read |= 1 << f.work
            s.stack.append(AtMinesAt(F_AT_MINES, f.vehicle))

    def prompt(self, s: State, f: AtDieAt) -> Prompt:
        return Prompt(Text("{unit} among mines", unit=f.vehicle), "", ("B28.41", "B28.5"), PHASES[s.phase])


class AtMines(ColoredDice[State, AtMinesAt]):
    """B28.5 column 36 with the Aerial AF as DRM: a KIA destroys, anything else immobilizes; unarmoured is destroyed."""

    at = AtMinesAt

    def take(self, s: State, f: AtMinesAt, action: Action) -> None:
        s.stack.pop()
        u, kind = f.vehicle, vehicle_of(s, f.vehicle)
        column = ift().column(int(s.stage.pack.tables["mines"]["at_ift_column"]))
        drm = kind.aerial
        result = ift().result(column, action[1] + action[2] + drm)
        facts = {"hex": s.at[u], "dice": list(action[1:]), "drm": drm, "cowers": 0, "result": RESULTS[result]}
        emit(s, "attack_rolled", "B28.5", {**facts, "side": 1 - s.stage.roster.side[u]}, final=True)
        if not kind.armoured or result >= FIRST_KIA:
            destroy(s, u, "B28.5")
        else:
            immobilize(s, u, "B28.5")

    def prompt(self, s: State, f: AtMinesAt) -> Prompt:
        return Prompt(Text("A-T mines under {unit}", unit=f.vehicle), "", ("B28.5",), PHASES[s.phase])


class Press(ColoredDice[State, PressAt]):
    """B28.5 A-P mines immobilize an AFV with a KIA and do it nothing else."""

    at = PressAt

    def actor(self, s: State, f: PressAt) -> int | None:
        gone = s.wreck >> f.vehicle & 1 or s.at[f.vehicle] < 0
        return None if gone else super().actor(s, f)

    def run(self, s: State, f: PressAt) -> None:
        s.stack.pop()

    def take(self, s: State, f: PressAt, action: Action) -> None:
        s.stack.pop()
        u = f.vehicle
        result = ift().result(ift().column(f.fp), action[1] + action[2])
        facts = {"hex": s.at[u], "dice": list(action[1:]), "drm": 0, "cowers": 0, "result": RESULTS[result]}
        emit(s, "attack_rolled", "B28.5", {**facts, "side": 1 - s.stage.roster.side[u]}, final=True)
        if result >= FIRST_KIA and not s.immobile >> u & 1:
            immobilize(s, u, "B28.5")

    def prompt(self, s: State, f: PressAt) -> Prompt:
        return Prompt(Text("A-P mines under {unit}", unit=f.vehicle), "", ("B28.5",), PHASES[s.phase])


# B26.4


def push_wire(s: State, u: int, h: Hex) -> None:
    kind = vehicle_of(s, u)
    if works_in(s, h, WIRE) and kind.tracked and kind.armoured:
        s.stack.append(WireCrushAt(F_WIRE_CRUSH, u))


class WireCrush(OneDie[State, WireCrushAt]):
    """B26.4 a tracked AFV that gets through removes the wire on a dr of 1 or 2."""

    at = WireCrushAt

    def actor(self, s: State, f: WireCrushAt) -> int | None:
        caught = (s.bogged | s.immobile | s.wreck) >> f.vehicle & 1 or s.at[f.vehicle] < 0
        return None if caught else super().actor(s, f)

    def run(self, s: State, f: WireCrushAt) -> None:
        s.stack.pop()

    def take(self, s: State, f: WireCrushAt, action: Action) -> None:
        s.stack.pop()
        torn = action[1] <= 2
        emit(s, "wire_crushed", "B26.4", {**told(s, f.vehicle), "final": action[1], "passed": torn}, final=True)
        if torn:
            for w in units_of(works_in(s, s.at[f.vehicle], WIRE)):
                put(s, w, GONE)

    def prompt(self, s: State, f: WireCrushAt) -> Prompt:
        return Prompt(Text("{unit} in the wire", unit=f.vehicle), "", ("B26.4",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_AT_DIE: AtDie(verbs.FELL),
    F_AT_MINES: AtMines(verbs.ROLLED),
    F_PRESS: Press(verbs.ROLLED),
    F_WIRE_CRUSH: WireCrush(verbs.FELL),
}
