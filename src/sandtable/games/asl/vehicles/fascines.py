"""Fascines (a scenario's SSR to F5.3a, B11.4): a tank that carries one makes an ordinary side of a wadi's cliff."""

from __future__ import annotations

from sandtable.mechanics.bars import ALL, Bar, Bars, Need

from ..boards.locations import Place
from ..table.state import State
from ..table.telling import emit
from .driving import Drive, DriverAt, drive_of, spend


def carries(s: State, u: int) -> bool:
    """Whether the scenario gives this vehicle a fascine that it has not laid."""
    effects = [one.get("effect", {}) for one in s.stage.script.get("ssr", ())]
    given = any(one.get("kind") == "fascine" and s.kind(u).id in one["units"] for one in effects)
    return given and not s.unladen >> u & 1


def cliffs(s: State, now: Drive) -> int:
    """The hexes across the cliffs of the wadi that it is IN, in the numbers of actions."""
    field, found = s.stage.field, 0
    for d, n in field.grid.neighbours[now.here]:
        if field.side("wadi_cliff", now.here, d) and n in s.stage.out:
            found |= 1 << s.stage.out[n]
    return found


FASCINE: Bars[State, Drive] = Bars(
    Bar("F5.3a", "it carries no fascine", lambda s, now: 0 if carries(s, now.unit) else ALL),
    Bar("F5.3a", "it must be IN a wadi for it", lambda s, now: 0 if s.place[now.unit] == Place.IN else ALL),
    Bar("F5.3a", "it must have stopped, and do nothing else", lambda s, now: ALL if now.going or now.move.spent else 0),
    Need("F5.3a", "no cliff of the wadi lies towards {hex}", cliffs),
)


def lay_fascine(s: State, f: DriverAt, g: int) -> None:
    """Its only action of the MPh: all its MP are spent with it, and the cliff is an ordinary side of the wadi."""
    now, h = drive_of(s), s.stage.into[g]
    d = s.stage.grid.direction(now.here, h)
    s.fascines = {**s.fascines, now.here: s.fascines.get(now.here, 0) | 1 << d}
    s.stage = s.stage.bridged(s.fascines)
    s.unladen |= 1 << now.unit
    now.move.over = 1
    emit(s, "fascine", "F5.3a", {"unit": now.unit, "hex": h, "side": s.phasing})
    spend(s, now.left)
