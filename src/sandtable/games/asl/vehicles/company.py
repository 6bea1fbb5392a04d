"""D9.31, D14.2 Who goes with a vehicle in its move: Infantry in Armored Assault, and the other AFV of its Platoon."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import ColoredDice
from sandtable.mechanics.masks import units_of

from ..boards.locations import Spot
from ..fire.attack import reveal
from ..fire.crews import crew_drm, dismay_beside, inert, told, vehicle_of
from ..movement.arrival import arrive
from ..movement.points import NEVER, cost
from ..movement.points import allotment as marching
from ..table import verbs
from ..table.ids import ABOVE, F_LONE, F_MINES, ON_WIRE, PHASES
from ..table.state import Move, State, all_vehicles, men, put
from ..table.telling import emit
from ..table.works import spot
from ..works.mines import MinesAt, mined
from .points import allotment, place_in

# D9.31 Armored Assault


def companions(s: State, move: Move) -> int:
    """Infantry in the AFV's Location that may go with it: in Good Order, unpinned, and not moved yet."""
    u = move.vehicle
    kind = s.kind(u).vehicle
    if kind is None or not kind.armoured or move.spent:
        return 0
    near = men(s, s.at[u], s.phasing) & ~(s.broken | s.pinned | s.melee | s.moved | s.fired)
    near &= ~(s.ti if s.edition > 1 else 0)  # A4.9
    if (
        s.edition > 6
    ):  # A7.25, A3.2, B26.4, B27.3 nor he who waits, has served a weapon, or lies in wire or beneath cover
        near &= ~(s.waits | has_served(s) | sum([1 << one for one in units_of(near) if s.under[one] != ABOVE]))
    return sum(1 << one for one in units_of(near) if s.place[one] == s.place[u])


def has_served(s: State) -> int:
    """A3.2 those who have fired a Gun or Support Weapon in this Player Turn."""
    return s.served | s.handled


def step_cost(s: State, move: Move, h: Hex) -> int:
    """The MF that the slowest of the escort pays to enter a hex, in halves."""
    costs = [cost(s, spot(s, one), Spot(h, place_in(s, h)), s.phasing) for one in units_of(move.escort)]
    return max(costs, default=0)


def lags(s: State, move: Move, h: Hex, halves: int) -> bool:
    """D9.31 whether the escort cannot follow: no MF left, or the AFV would spend more than 1 MP a MF."""
    if not move.escort:
        return False
    foot = step_cost(s, move, h)
    if foot >= NEVER or halves > foot or (s.edition > 4 and men(s, h, 1 - s.phasing) & ~s.concealed):  # A4.14
        return True
    return any(s.paces.get(one, 0) + foot > marching(s, one, False) for one in units_of(move.escort))


def follow(s: State, move: Move, h: Hex) -> None:
    """The escort enters the hex with its AFV; whoever is broken or pinned is left behind."""
    fit = sum(1 << one for one in units_of(move.escort) if s.at[one] >= 0) & ~(s.broken | s.pinned)
    if s.edition > 6:  # B26.4 who has come upon wire stops there
        fit &= ~sum([1 << one for one in units_of(fit) if s.under[one] == ON_WIRE])
    if fit and s.edition > 4 and found_there(s, fit, h):
        fit = 0
    dropped = move.escort & ~fit
    s.moved |= dropped
    move.movers &= ~dropped
    move.escort = fit
    foot = step_cost(s, move, h)
    for one in units_of(fit):
        s.paces[one] = s.paces.get(one, 0) + foot
        put(s, one, h)
        s.under[one], s.place[one] = ABOVE, place_in(s, h)
    move.assault = 0


def found_there(s: State, escort: int, h: Hex) -> bool:
    """A4.14, A12.15 the escort stays where it is if concealed enemies are there; the AFV goes on."""
    roster = s.stage.roster
    reveal(s, s.here.get(h, 0) & roster.dummies & roster.of_side[1 - s.phasing])
    foes = men(s, h, 1 - s.phasing)
    if foes:
        s.hip &= ~foes
        facts = {"hex": h, "units": list(units_of(escort)), "side": s.phasing}
        emit(s, "detected", "A12.15", facts, final=True)
    return bool(foes)


def push_mines(s: State, move: Move) -> None:
    """B28.41 the mines of the hex that they leave attack the escort too."""
    fit = move.escort & ~(s.broken | s.pinned)
    if fit and mined(s, move.hex) and s.edition > 4:
        s.stack.append(MinesAt(F_MINES, move.hex, fit))


def meet(s: State, move: Move, h: Hex) -> None:
    """B28.41, A12.33, A10.62 what meets whoever comes into a hex."""
    if s.edition < 5:
        return
    dismay_beside(s)
    if move.escort:
        arrive(s, h, move.escort)


# D14.2 Radioless AFV move by Platoon, hex by hex in turns, or alone with a NTC


MOST = 3
NEAR = 2


class LoneAt(NamedTuple):
    """D14.2 a lone radioless AFV's NTC."""

    frame: int
    vehicle: int


def radio(s: State, u: int) -> bool:
    """Whether it has a radio; a scenario may give it one."""
    for one in s.stage.script.get("ssr", ()):
        effect = one.get("effect", {})
        if effect.get("kind") == "radio" and s.kind(u).id in effect["units"]:
            return bool(effect["radio"])
    return vehicle_of(s, u).radio


def radioless(s: State, u: int) -> bool:
    """D14.2 the rule is for AFV: trucks go as they like."""
    return vehicle_of(s, u).armoured and not radio(s, u)


def mates(s: State, move: Move) -> int:
    """Radioless AFV of the side that begin within two hexes of the first and have not moved: up to three in all."""
    u = move.vehicle
    if move.spent or not radioless(s, u) or len(s.platoon) >= MOST - 1:
        return 0
    barred = s.moved | s.fired | s.immobile | s.bogged | inert(s) | 1 << u
    for other in s.platoon:
        barred |= 1 << other.vehicle
    found = all_vehicles(s, s.phasing) & ~barred
    near = (one for one in units_of(found) if s.stage.grid.distance(s.at[one], s.at[u]) <= NEAR)
    return sum(1 << one for one in near if radioless(s, one))


def enlist(s: State, u: int) -> None:
    """D14.2 an AFV joins the Platoon; it has its own MP and takes its turn after the others."""
    made = Move(movers=1 << u, vehicle=u, allowed=allotment(s, u), came=s.at[u], hex=s.at[u], enlisted=1)
    assert s.move is not None
    s.move.enlisted = 1
    s.platoon.append(made)
    s.track[u] = ()
    emit(s, "platoon", "D14.2", told(s, u))


def next_turn(s: State) -> bool:
    """D14.2 after each hex the next of the Platoon is in hand; whether it has changed."""
    move = s.move
    assert move is not None
    if not move.impulse or not s.platoon:
        return False
    move.impulse = 0
    s.platoon.append(move)
    s.move = s.platoon.pop(0)
    s.shots, s.faced = {}, 0
    return True


def alone(s: State) -> bool:
    """Whether the vehicle in hand has to take the NTC of a lone one: at its first expenditure."""
    move = s.move
    assert move is not None
    return not move.spent and not s.platoon and not move.enlisted and radioless(s, move.vehicle)


class Lone(ColoredDice[State, LoneAt]):
    """D14.2 who fails spends no more than half of its MP."""

    at = LoneAt

    def actor(self, s: State, f: LoneAt) -> int | None:
        return None if (s.immobile | inert(s)) >> f.vehicle & 1 else super().actor(s, f)

    def run(self, s: State, f: LoneAt) -> None:
        s.stack.pop()

    def take(self, s: State, f: LoneAt, action: Action) -> None:
        s.stack.pop()
        u, move = f.vehicle, s.move
        final = action[1] + action[2] + crew_drm(s, u)
        need = s.kind(u).morale
        emit(s, "lone", "D14.2", {**told(s, u), "final": final, "number": need, "passed": final <= need}, final=True)
        if final > need and move is not None:
            move.allowed = max(move.spent, move.allowed // 2)

    def prompt(self, s: State, f: LoneAt) -> Prompt:
        return Prompt(Text("{unit} is alone and has no radio", unit=f.vehicle), "", ("D14.2",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_LONE: Lone(verbs.ROLLED)}
