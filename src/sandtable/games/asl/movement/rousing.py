"""D2.401 A Stopped vehicle that sees an enemy come into view may try to get into Motion."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import units_of

from ..boards.locations import Place, Spot
from ..fire.crews import inert, told, vehicle_of
from ..fire.sights import clear, sees
from ..table import verbs
from ..table.ids import F_ROUSE, PHASES
from ..table.state import Move, State, all_vehicles, passengers
from ..table.telling import emit
from ..table.works import spot


class RouseAt(NamedTuple):
    """D2.401 the dr of a vehicle that tries to get into Motion, and the vertex it would face."""

    frame: int
    vehicle: int
    vertex: int


def newly_seen(s: State, u: int) -> bool:
    """Whether the mover is in its sight now and was not in the hex that it came from (AMB-102)."""
    move = s.move
    if move is None or not move.entered:
        return False
    alive = sum(1 << one for one in units_of(move.movers) if s.at[one] >= 0)
    before = clear(s, spot(s, u), Spot(move.came)) and not came_on(s, move)
    return not before and sees(s, u, move.hex, alive)


def came_on(s: State, move: Move) -> bool:
    """A2.5, A2.51 whether the mover is in the edge hex by which it has come on: beyond it nobody saw it."""
    first = units_of(move.movers)[0]
    bypasses = s.place[first] == Place.BYPASS
    return s.edition > 6 and move.entered == 1 and move.came == move.hex and not bypasses


def no_start_before(s: State, u: int) -> int:
    """The first turn in which the scenario lets a vehicle start."""
    for one in s.stage.script.get("ssr", ()):
        effect = one.get("effect", {})
        if effect.get("kind") == "no_start_before" and s.kind(u).id in effect["units"]:
            return int(effect["turn"])
    return 0


def asleep(s: State) -> int:
    """Those that the scenario does not let start yet."""
    if s.edition < 7:
        return 0
    return sum(1 << u for u in units_of(all_vehicles(s, 1 - s.phasing)) if s.turn < no_start_before(s, u))


def riderless(s: State, side: int) -> int:
    """D15.1 motorcycles of a side without a Rider."""
    found = all_vehicles(s, side)
    return sum(1 << u for u in units_of(found) if vehicle_of(s, u).move == "motorcycle" and not passengers(s, u))


def vertices(s: State, u: int) -> tuple[int, ...]:
    """By how many vertices a vehicle may turn as it gets into Motion: by one; F5.42g at the rim of a wadi by none."""
    return (0,) if s.place[u] == Place.CREST and s.edition > 6 else (-1, 0, 1)


ROUSE: Bars[State, object] = Bars(
    Need("D2.401", "{unit} is not one of the vehicles that watch", lambda s, _: all_vehicles(s, 1 - s.phasing)),
    Bar("D2.401", "{unit} is in Motion", lambda s, _: s.motion),
    Bar("D2.401", "{unit} cannot move", lambda s, _: s.immobile | s.bogged | inert(s)),
    Bar("D2.1", "by the scenario {unit} may not start yet", lambda s, _: asleep(s)),
    Bar("D15.1", "nobody rides {unit}", lambda s, _: riderless(s, 1 - s.phasing) if s.edition > 6 else 0),
    Bar("D2.401", "{unit} has tried in this phase", lambda s, _: s.roused),
    Doubt("D2.401", "{unit} has no enemy newly in its sight", lambda s, _, u: not newly_seen(s, u)),
)


def starters(s: State, f: Any, now: Any) -> list[tuple[int, int]]:
    """The vehicles with the vertices that they may turn to: their own and those beside it."""
    able = units_of(ROUSE.free(all_vehicles(s, 1 - s.phasing), s, None))
    return sorted((u, (s.vca[u] + step) % 6) for u in able for step in vertices(s, u))


def why_not(s: State, f: Any, now: Any, args: Any) -> Reason | None:
    u, vertex = args
    reason = ROUSE.why(u, s, None, {"unit": u})
    if reason is not None:
        return reason
    if vertex != s.vca[u] and len(vertices(s, u)) == 1:
        return Reason("F5.42g", "a vehicle at the rim of a wadi does not change its VCA")
    if (vertex - s.vca[u]) % 6 not in (0, 1, 5):
        return Reason("D2.401", "it may turn one vertex")
    return None


def rouse(s: State, f: Any, u: int, vertex: int) -> None:
    s.roused |= 1 << u
    s.stack.append(RouseAt(F_ROUSE, u, vertex))


class Rouse(OneDie[State, RouseAt]):
    """D2.401 a dr not above the MF or MP that the enemy spent in its sight."""

    at = RouseAt

    def take(self, s: State, f: RouseAt, action: Action) -> None:
        s.stack.pop()
        u, move = f.vehicle, s.move
        number = 0 if move is None else move.here // 2
        passed = action[1] <= number
        emit(s, "roused", "D2.401", {**told(s, u), "final": action[1], "number": number, "passed": passed}, final=True)
        if passed:
            s.motion |= 1 << u
            s.rolled |= 1 << u
            s.tca[u] = (s.tca[u] + f.vertex - s.vca[u]) % 6
            s.vca[u] = f.vertex

    def prompt(self, s: State, f: RouseAt) -> Prompt:
        return Prompt(Text("Does {unit} get into Motion?", unit=f.vehicle), "", ("D2.401",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_ROUSE: Rouse(verbs.FELL)}
