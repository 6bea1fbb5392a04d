"""D5.6, D10.1 A vehicle is destroyed: it becomes a wreck, and whoever was aboard survives or not."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.dice import ColoredDice, OneDie
from sandtable.mechanics.masks import units_of

from ..boards.locations import Place
from ..table import verbs
from ..table.hardware import MA
from ..table.ids import ARMOR_LEADER, EXITED, F_CHECK, F_MISHAP, F_SURVIVAL, MC, PHASES, SPARE
from ..table.state import State, eliminate, leave, make_wreck, passengers, put
from ..table.telling import emit
from .crews import crewed, immobilize, told, vehicle_of
from .ift import ift
from .morale import CheckAt, break_, lose

CREW = -1
"""In a SurvivalAt: the Inherent crew."""


class SurvivalAt(NamedTuple):
    """D5.6 whether the crew (unit -1) or one Passenger survives the end of a vehicle."""

    frame: int
    vehicle: int
    unit: int
    drm: int


def crew_points(s: State, u: int) -> int:
    """F.3e an Inherent crew is worth 2 VP, an Inherent HS 1."""
    chart = s.stage.pack.tables["victory_points"]
    kind = vehicle_of(s, u).inherent
    return {"crew": int(chart["inherent_crew"]), "hs": int(chart["inherent_hs"])}.get(kind, 0)


def destroy(s: State, u: int, rule: str, burns: bool = False) -> None:
    """D10.1 the vehicle is a wreck; D5.6 crew and Passengers roll for their lives, a Gun in tow is lost with it."""
    roster, bit = s.stage.roster, 1 << u
    chart = s.stage.pack.tables["crew_survival"]["drm"]
    drm = (int(chart["burning_wreck"]) if burns else 0) + (
        int(chart["immobilized_then_killed"]) if s.immobile & bit else 0
    )
    manned = crewed(s, u)
    aboard = passengers(s, u)
    emit(s, "destroyed", rule, {**told(s, u), "burns": burns}, final=True)
    for one in aboard:
        if roster.guns >> one & 1:
            leave(s, one)
            emit(s, "eliminated", "C10.1", told(s, one))
            eliminate(s, one)
    leaders = [one for one in aboard if s.kind(one).kind == ARMOR_LEADER]
    make_wreck(s, u, burns)
    if not manned:
        for one in leaders:
            lose(s, one, "D3.4")
    rolls = [SurvivalAt(F_SURVIVAL, u, one, drm) for one in aboard if roster.men >> one & 1]
    if manned:
        rolls.append(SurvivalAt(F_SURVIVAL, u, CREW, drm))
    s.stack += rolls


def afoot(s: State, u: int) -> int:
    """Where those are who get out of a vehicle: in its Location; beside one in Bypass, in the hex itself."""
    return Place.GROUND if s.place[u] == Place.BYPASS else s.place[u]


def bail_out(s: State, u: int) -> None:
    """D6.2 Riders get off with a NMC when their AFV fires its MA, turns its turret or is fired at by ordnance."""
    for one in [one for one in passengers(s, u) if s.riding >> one & 1]:
        leave(s, one)
        s.place[one], s.cafp[one] = afoot(s, u), 0
        emit(s, "bailed_out", "D6.2", {**told(s, one), "other": u})
        s.stack.append(CheckAt(F_CHECK, one, MC, 0))


SPARED, STOPPED, KILLED, BURNT = range(4)


def soft_outcome(s: State, u: int, column: int, final: int) -> int:
    """A7.308 what an attack on the IFT does to an unarmoured vehicle: below its Kill Number it is eliminated, at half
    of it or less it burns, at the number itself it is immobilized."""
    if column < 0 or vehicle_of(s, u).armoured:
        return SPARED
    kill = ift().kills[column]
    if final * 2 <= kill:
        return BURNT
    return KILLED if final < kill else STOPPED if final == kill else SPARED


def strike_soft(s: State, u: int, outcome: int) -> None:
    """A7.308"""
    if s.wreck >> u & 1 or s.at[u] < 0:
        return
    if outcome >= KILLED:
        destroy(s, u, "A7.308", outcome == BURNT)
    elif outcome == STOPPED and not s.immobile >> u & 1:
        immobilize(s, u, "A7.308")


def died(s: State, f: SurvivalAt) -> bool:
    """A10.31 whether a Passenger has been eliminated while his roll was still to come."""
    return f.unit != CREW and s.at[f.unit] < 0


class Survival(ColoredDice[State, SurvivalAt]):
    """D5.6 they survive on a DR not above the vehicle's CS#; who has died since of a leader's loss rolls no more."""

    at = SurvivalAt

    def actor(self, s: State, f: SurvivalAt) -> int | None:
        return None if s.edition > 4 and died(s, f) else super().actor(s, f)

    def run(self, s: State, f: SurvivalAt) -> None:
        s.stack.pop()

    def take(self, s: State, f: SurvivalAt, action: Action) -> None:
        s.stack.pop()
        final = action[1] + action[2] + f.drm
        number = vehicle_of(s, f.vehicle).cs
        lives = final <= number
        facts = {**told(s, f.vehicle), "dice": list(action[1:]), "final": final, "number": number, "passed": lives}
        emit(s, "survival", "D5.6", {**facts, "other": f.unit if f.unit >= 0 else f.vehicle}, final=True)
        if f.unit == CREW:
            crew_fate(s, f.vehicle, lives)
        elif not lives:
            lose(s, f.unit, "D5.6")
        elif not died(s, f):
            break_(s, f.unit, "D5.6")

    def prompt(self, s: State, f: SurvivalAt) -> Prompt:
        who = Text("Does {unit} survive?", unit=f.unit) if f.unit >= 0 else term("Does the crew survive?")
        return Prompt(who, "", ("D5.6",), PHASES[s.phase])


def crew_fate(s: State, u: int, lives: bool) -> None:
    """D5.1 a crew that survives is a counter of its own, broken; D3.4 its armor leader shares its fate."""
    side, h = s.stage.roster.side[u], s.at[u]
    inside = [one for one in units_of(s.here.get(h, 0)) if s.kind(one).kind == ARMOR_LEADER and s.aboard[one] < 0]
    for one in inside:
        if lives:  # he is out of the battle with them
            put(s, one, EXITED)
        else:
            lose(s, one, "D3.4")
    if not lives:
        s.lost_points[side] += crew_points(s, u)
        emit(s, "crew_lost", "D5.6", told(s, u))
        return
    made = crew_counter(s, u)
    if made >= 0:
        break_(s, made, "D5.6")


def crew_counter(s: State, u: int) -> int:
    """D5.1 the crew of a vehicle as a counter in its hex: a vehicle crew of its nation, or a HS; -1 if none is left."""
    roster, side = s.stage.roster, s.stage.roster.side[u]
    spare = next((i for i in units_of(roster.spare & roster.of_side[side]) if s.at[i] == SPARE), -1)
    if spare < 0:
        return -1
    s.type[spare] = roster.crew_of[s.kind(u).nation]
    s.place[spare], s.cafp[spare] = afoot(s, u), 0
    put(s, spare, s.at[u])
    emit(s, "crew_out", "D5.1", {**told(s, u), "other": spare})
    return spare


class MishapAt(NamedTuple):
    """D7.1 an Overrun with an Original 12."""

    frame: int
    vehicle: int


class Mishap(OneDie[State, MishapAt]):
    """D7.1 a dr of 3 or less immobilizes the vehicle, otherwise its MA malfunctions."""

    at = MishapAt

    def take(self, s: State, f: MishapAt, action: Action) -> None:
        s.stack.pop()
        u = f.vehicle
        armed = vehicle_of(s, u).weapons & MA
        stuck = action[1] <= 3 or not armed
        emit(s, "mishap", "D7.1", {**told(s, u), "die": action[1], "stuck": stuck}, final=True)
        if stuck:
            immobilize(s, u, "D7.1")
        else:
            s.jam[u] |= MA | vehicle_of(s, u).main_mg

    def prompt(self, s: State, f: MishapAt) -> Prompt:
        return Prompt(Text("{unit} has a mishap", unit=f.vehicle), "", ("D7.1",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_SURVIVAL: Survival(verbs.ROLLED), F_MISHAP: Mishap(verbs.FELL)}
