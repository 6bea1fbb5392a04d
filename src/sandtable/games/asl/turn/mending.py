"""C7.42, D3.7, D5.4 What the Rally Phase does for vehicles: shock is recovered from, weapons are repaired, abandoned
vehicles are taken."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import units_of

from ..fire.crews import inert, recall_disarmed, told, vehicle_of
from ..fire.fate import destroy
from ..table import verbs
from ..table.hardware import MA, WEAPONRY
from ..table.ids import F_MEND, F_SHOCK, GONE, MMC, PHASES
from ..table.state import State, all_vehicles, forget, good_order, men, passengers, points_of, put
from ..table.telling import emit


class ShockAt(NamedTuple):
    """C7.42 a shocked AFV's dr of this RPh."""

    frame: int
    vehicle: int


class MendAt(NamedTuple):
    """A9.72, D3.7 the dr of a repair."""

    frame: int
    vehicle: int
    weapon: int


def begin(s: State) -> None:
    """A3.1 at the start of the RPh: abandoned vehicles are captured, the shocked roll."""
    capture(s)
    for u in units_of(all_vehicles(s, s.phasing)) if s.edition > 6 else ():
        recall_disarmed(s, u)
    shaken = s.shocked & (all_vehicles(s, 0) | all_vehicles(s, 1))
    s.stack += [ShockAt(F_SHOCK, u) for u in reversed(units_of(shaken))]


def capture(s: State) -> None:
    """D5.4, AMB-57, AMB-89 an abandoned vehicle is captured by an enemy MMC that begins its RPh there."""
    for u in units_of(s.abandoned & all_vehicles(s, 1 - s.phasing)):
        h = s.at[u]
        takers = [one for one in units_of(good_order(s, men(s, h, s.phasing))) if s.kind(one).kind in MMC]
        inside = s.edition > 6 and any(s.stage.roster.men >> one & 1 for one in passengers(s, u))
        if takers and not inside and not men(s, h, 1 - s.phasing):
            emit(s, "captured_vehicle", "D5.4", {**told(s, u), "other": takers[0]}, final=True)
            s.lost_points[1 - s.phasing] += 2 * points_of(s, u)
            for g in towed(s, u) if s.edition > 6 else ():  # the Gun behind it too
                s.lost_points[1 - s.phasing] += 2 * points_of(s, g)
                emit(s, "eliminated", "D5.4", told(s, g))
                forget(s, g)
                put(s, g, GONE)
            forget(s, u)
            put(s, u, GONE)


def towed(s: State, u: int) -> list[int]:
    """C10.1 the Gun behind a vehicle."""
    return [one for one in passengers(s, u) if s.stage.roster.guns >> one & 1]


class Shock(OneDie[State, ShockAt]):
    """C7.42 table shock: 1-2 recovers, otherwise it is an Unconfirmed Kill; then 1-3 recovers, otherwise a wreck."""

    at = ShockAt

    def take(self, s: State, f: ShockAt, action: Action) -> None:
        s.stack.pop()
        u, bit, chart = f.vehicle, 1 << f.vehicle, s.stage.pack.tables["shock"]
        second = bool(s.doomed & bit)
        recovers = action[1] in chart["second_rally" if second else "first_rally"]["recover"]
        facts = {**told(s, u), "die": action[1], "second": second, "passed": recovers}
        emit(s, "shock_roll", "C7.42", facts, final=True)
        if recovers:
            s.shocked &= ~bit
            s.doomed &= ~bit
        elif second:
            destroy(s, u, "C7.42")
        else:
            s.doomed |= bit

    def prompt(self, s: State, f: ShockAt) -> Prompt:
        return Prompt(Text("Does {unit} recover?", unit=f.vehicle), "", ("C7.42",), PHASES[s.phase])


def broken_down(s: State, side: int) -> int:
    """Vehicles of a side with a weapon that has malfunctioned."""
    return sum(1 << u for u in units_of(all_vehicles(s, side)) if s.jam[u])


def unmended(s: State, u: int) -> int:
    """A9.72 the weapons of a vehicle that have malfunctioned and have had no dr in this phase; a MG that is the MA is
    one weapon (D1.8)."""
    twin = vehicle_of(s, u).main_mg if s.jam[u] & MA else 0
    return s.jam[u] & ~twin & ~s.tended[u]


def tried(s: State, side: int) -> int:
    if s.edition < 3:
        return s.tried
    return sum(1 << u for u in units_of(broken_down(s, side)) if not unmended(s, u))


def in_choice(s: State, side: int) -> int:
    """Vehicles of a side with several weapons to repair."""
    if s.edition < 3:
        return 0
    return sum(1 << u for u in units_of(broken_down(s, side)) if unmended(s, u).bit_count() > 1)


class Sided(NamedTuple):
    side: int


MEND_ANY: Bars[State, Sided] = Bars(
    Need("A9.72", "no weapon of {unit} has malfunctioned", lambda s, now: broken_down(s, now.side)),
    Bar("A9.72", "it has been tried in this phase", lambda s, now: tried(s, now.side)),
    Bar("D5.34", "the crew of {unit} can do nothing now", lambda s, now: inert(s)),
)
MEND: Bars[State, Sided] = Bars(
    MEND_ANY,
    Bar("A9.72", "several weapons of {unit} have malfunctioned: say which", lambda s, now: in_choice(s, now.side)),
)
MEND_ONE: Bars[State, Sided] = Bars(
    MEND_ANY,
    Need("A9.72", "{unit} has only one weapon to repair", lambda s, now: in_choice(s, now.side)),
)


def try_mend(s: State, f: Any, u: int) -> None:
    """A9.72 the only weapon left; in older editions one alone in each phase, the MA first."""
    if s.edition < 3:
        s.tried |= 1 << u
        s.stack.append(MendAt(F_MEND, u, s.jam[u] & -s.jam[u]))
    else:
        tend(s, u, unmended(s, u))


def try_mend_mount(s: State, f: Any, u: int, mount: int) -> None:
    tend(s, u, 1 << mount)


def tend(s: State, u: int, weapon: int) -> None:
    s.tended[u] |= weapon
    s.stack.append(MendAt(F_MEND, u, weapon))


class Mend(OneDie[State, MendAt]):
    """A9.72 a 1 repairs; D3.7 a 6 disables: without its MA an AFV is Recalled unless it has Passengers to deliver."""

    at = MendAt

    def take(self, s: State, f: MendAt, action: Action) -> None:
        s.stack.pop()
        u, chart = f.vehicle, s.stage.pack.tables["malfunction"]
        kind = vehicle_of(s, u)
        bits = f.weapon | (MA | kind.main_mg if f.weapon & (MA | kind.main_mg) and kind.main_mg else 0)
        mended, lost = action[1] <= int(chart["repair_dr"]), action[1] >= int(chart["eliminate_dr"])
        facts = {**told(s, u), "mount": WEAPONRY[f.weapon], "die": action[1], "repaired": mended, "lost": lost}
        emit(s, "mended", "A9.72", facts, final=True)
        if mended or lost:
            s.jam[u] &= ~bits & 0xFF
        if lost:
            s.off[u] |= bits
            if bits & MA:
                recall_disarmed(s, u)

    def prompt(self, s: State, f: MendAt) -> Prompt:
        return Prompt(Text("{unit} repairs a weapon", unit=f.vehicle), "", ("A9.72", "D3.7"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_SHOCK: Shock(verbs.FELL), F_MEND: Mend(verbs.FELL)}
