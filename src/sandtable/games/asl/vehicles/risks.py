"""F3.31, F7.31, D8.2, D2.51 What a vehicle rolls for on its way: rocks, sand, bog, and its own engine."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.engine.contract import CHANCE, Action, Die, Prompt, Roll
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import ColoredDice

from ..boards.costs import HALF
from ..boards.hazards import FATAL, Check, Modifier, hammada_check, is_open, rocks_of, sand_bog_check
from ..boards.hazards import Vehicle as Wheels
from ..boards.locations import Place
from ..boards.terrain import LEVEL
from ..fire.crews import armor_bonus, bog, crew_drm, immobilize, told, vehicle_of
from ..fire.morale import break_
from ..table import verbs
from ..table.counters import AXIS_NATIONS
from ..table.ids import (
    BOG,
    F_ESB,
    F_HAZARD,
    F_MUD,
    F_RELIABILITY,
    F_REMOVAL,
    HAMMADA,
    HAZARDS,
    PHASES,
    SAND_BOG,
    TRENCH,
    WIRE,
)
from ..table.state import State, eliminate, leave, passengers
from ..table.telling import emit
from ..table.works import works_in
from .points import in_mud, mud, towed_gun, way_in, way_of, wet

UNRELIABLE_TO = "1941-09"
"""F.4a the last month of Axis unreliability."""


HAZARD_TITLES = ("{unit} among the rocks", "{unit} in the sand", "{unit} in boggy ground")
"""What is asked at each of HAZARDS."""


class HazardAt(NamedTuple):
    """A DR that a vehicle has to make where it is."""

    frame: int
    vehicle: int
    hazard: int
    drm: int


def wheels(s: State, u: int) -> Wheels:
    """What rocks and sand ask of a vehicle."""
    kind = vehicle_of(s, u)
    return Wheels(kind.move, kind.tons, kind.british_made, kind.pressure)


def on_way(s: State, a: Hex, h: Hex) -> bool:
    d = s.stage.field.grid.direction(a, h)
    return d >= 0 and bool(way_of(s, a, d))


def along_way(s: State, u: int, came: Hex, before: int) -> bool:
    """F3.31a, F7.31a whether it uses a track or road: from hex to hex, AMB-155 as it comes on, or as it turns toward
    where that goes on, from the facing before."""
    field, h, move = s.stage.field, s.at[u], s.move
    if came != h:
        return on_way(s, came, h)
    if before < 0:
        return bool(way_in(s, h))
    if s.edition < 6 or move is None or not (move.came == h or on_way(s, move.came, h)):
        return False
    back = field.grid.direction(h, move.came)
    on = [d for d in range(6) if (field.tracks[d] | field.roads[d]) >> h & 1 and d != back]
    reverse = 3 if s.backing >> u & 1 else 0

    def far(facing: int) -> int:
        """By how many vertices it must still turn to have the way before it."""
        gaps = [(facing + reverse - ahead) % 6 for d in on for ahead in (d, d - 1)]
        return min((min(gap, 6 - gap) for gap in gaps), default=0)

    return far(s.vca[u]) < far(before)


def checks(s: State, u: int, came: Hex, doubled: bool, before: int = -1) -> list[tuple[int, Check]]:
    """The DRs for being where it is now: on entering from a hex, or (came = its own hex) for a vertex of VCA change,
    from the facing before, or on coming on (-1)."""
    field, h = s.stage.field, s.at[u]
    along = along_way(s, u, came, before)
    found: list[tuple[int, Check]] = []
    rocks = hammada_check(field, wheels(s, u), h, doubled=doubled, on_way=along, mud=mud(s))
    if rocks is not None:
        found.append((HAMMADA, rocks))
    side = field.grid.direction(h, came) if came != h else -1
    sand = sand_bog_check(field, wheels(s, u), h, came_from=side, on_way=along, wet=wet(s))
    if sand is not None:
        found.append((SAND_BOG, sand))
    other = bog_check(s, u, came)
    if other is not None:
        found.append((BOG, other))
    return found


def among_rocks(s: State, u: int, came: Hex, h: Hex) -> bool:
    """F3.31a whether it would have to make a Hammada Immobilization DR there."""
    along = came != h and on_way(s, came, h)
    return hammada_check(s.stage.field, wheels(s, u), h, on_way=along, mud=mud(s)) is not None


BOG_HEXES = ("woods", "building_stone", "vineyard", "broken_hex")


def bog_check(s: State, u: int, came: Hex) -> Check | None:
    """D8.2 the DR of a Bog hex entered, with the DRM of table bog."""
    field, h, kind = s.stage.field, s.at[u], vehicle_of(s, u)
    word = field.terrain[h]
    boggy = word in BOG_HEXES or works_in(s, h, WIRE, TRENCH)
    if s.place[u] == Place.BYPASS and not works_in(s, h, WIRE, TRENCH):  # D2.3 it is beside the obstacle
        return None
    if came == h or not boggy or kind.move == "motorcycle":
        return None
    chart = s.stage.pack.tables["bog"]["drm"]
    found = [Modifier("D8.2", key, int(chart[key])) for key in bog_cases(s, u, came)]
    crew = bog_crew(s, u)
    if crew:
        found.append(Modifier("D3.4", "armor leader", crew))
    return Check("D8.2", tuple(found))


def bog_crew(s: State, u: int) -> int:
    """D3.4 its armor leader, D5.34 a crew that was stunned before."""
    return crew_drm(s, u) if s.edition > 1 else armor_bonus(s, u)


def bog_cases(s: State, u: int, came: Hex) -> list[str]:
    """The rows of table bog that apply."""
    field, h, kind = s.stage.field, s.at[u], vehicle_of(s, u)
    word = field.terrain[h]
    found = []
    if kind.pressure != "Low":
        found.append("ground_pressure_high" if kind.pressure == "High" else "ground_pressure_normal")
    if towed_gun(s, u) >= 0:
        found.append("towing")
    if kind.move != "tracked":
        found.append("not_fully_tracked")
    if kind.move == "truck":
        found.append("truck_type")
    if wet(s):
        found.append("soft_or_mud_or_snow")
    if abs(field.base[h] - field.base[came]) > LEVEL:
        found.append("abrupt_elevation_change")
    if word == "woods":
        found.append("woods_half_mp")
        if field.base[h] > field.base[came]:
            found.append("up_into_woods")
    if word == "building_stone":
        found.append("building_stone_half_mp")
    if works_in(s, h, WIRE):
        found.append("wire")
    if works_in(s, h, TRENCH):
        found.append("trench")
    return found


def push_checks(s: State, u: int, came: Hex, doubled: bool = False, before: int = -1) -> None:
    """F7.31f the hammada's first, then the sand's, then the core's (AMB-53)."""
    found = checks(s, u, came, doubled, before)
    if came != s.at[u] and s.move is not None and miry(s, u, came):
        s.move.muddy += 1
        if s.move.muddy <= SIX:
            s.stack.append(MudAt(F_MUD, u, s.move.muddy, bogging(s, u, came)))
    s.stack += [HazardAt(F_HAZARD, u, hazard, check.drm) for hazard, check in reversed(found)]


class Hazard(ColoredDice[State, HazardAt]):
    """F3.31b, F7.31b, D8.2 a Final DR of 12 or more immobilizes or bogs."""

    at = HazardAt

    def actor(self, s: State, f: HazardAt) -> int | None:
        stuck = (s.immobile | s.bogged | s.wreck) >> f.vehicle & 1 or s.at[f.vehicle] < 0
        return None if stuck else super().actor(s, f)

    def run(self, s: State, f: HazardAt) -> None:
        s.stack.pop()

    def take(self, s: State, f: HazardAt, action: Action) -> None:
        s.stack.pop()
        u, final = f.vehicle, action[1] + action[2] + f.drm
        rule = ("F3.31b", "F7.31b", "D8.2")[f.hazard]
        facts = {**told(s, u), "hazard": HAZARDS[f.hazard], "dice": list(action[1:]), "final": final}
        emit(s, "hazard", rule, {**facts, "passed": final < FATAL}, final=True)
        if final < FATAL:
            return
        if f.hazard != HAMMADA:
            bog(s, u, rule)
        elif vehicle_of(s, u).move == "motorcycle":
            spill(s, u, final > FATAL)
        else:
            immobilize(s, u, rule)

    def prompt(self, s: State, f: HazardAt) -> Prompt:
        return Prompt(
            Text.of(HAZARD_TITLES[f.hazard], {"unit": f.vehicle}), "", ("F3.31b", "F7.31b", "D8.2"), PHASES[s.phase]
        )


def spill(s: State, u: int, lost: bool) -> None:
    """F3.32 the Riders of a motorcycle break and dismount; it is lost too if the DR was worse."""
    for one in passengers(s, u):
        leave(s, one)
        break_(s, one, "F3.32a")
    s.motion &= ~(1 << u)
    s.backing &= ~(1 << u)
    if lost:
        emit(s, "eliminated", "F3.32b", told(s, u))
        eliminate(s, u)
    elif s.move is not None:
        s.move.over = 1


# D8.23, F11.8 Mud


SIX = 6


class MudAt(NamedTuple):
    """D8.23 whether Mud bogs a vehicle in its nth eligible hex; `ways` of 36 the secret Bog DR says that it will."""

    frame: int
    vehicle: int
    nth: int
    ways: int


def miry(s: State, u: int, came: Hex) -> bool:
    """D8.23 whether Mud could bog it in the hex that it has entered: not along a paved road (F11.8c; a track does not
    help, F9.2a); F11.8a, AMB-19 in the desert only in Open Ground Accessible to hammada."""
    field, h = s.stage.field, s.at[u]
    d = field.grid.direction(came, h)
    paved = d >= 0 and bool(field.roads[d] >> came & 1)
    if not in_mud(s) or paved or vehicle_of(s, u).move == "motorcycle":
        return False
    return not mud(s) or (is_open(field, h, scrub=False) and bool(field.accessible(h) & rocks_of(field)))


def bogging(s: State, u: int, came: Hex) -> int:
    """In how many of 36 ways a Bog DR bogs it there."""
    chart = s.stage.pack.tables["bog"]
    drm = sum(int(chart["drm"][key]) for key in bog_cases(s, u, came)) + bog_crew(s, u)
    return sum(1 for a in range(1, 7) for b in range(1, 7) if a + b + drm >= int(chart["bogs_at"]))


class Mud(Frame[State, MudAt]):
    """D8.23 one Bog DR and one dr are rolled in secret for a vehicle's MPh: if the DR bogs it, it does so in the dr-th
    eligible hex. Nobody learns of them before, so they are rolled as one: in the nth hex it bogs with the chance that
    the dr is n and the DR bogs, if it has not bogged before."""

    at = MudAt

    def share(self, f: MudAt) -> tuple[int, int]:
        """So many of so many."""
        return f.ways, 36 * SIX - f.ways * (f.nth - 1)

    def actor(self, s: State, f: MudAt) -> int | None:
        stuck = (s.immobile | s.bogged | s.wreck) >> f.vehicle & 1 or s.at[f.vehicle] < 0 or not f.ways
        return None if stuck else CHANCE

    def run(self, s: State, f: MudAt) -> None:
        s.stack.pop()

    def legal(self, s: State, f: MudAt) -> list[Action]:
        return [(verbs.FELL, 1), (verbs.FELL, 2)]

    def chances(self, s: State, f: MudAt) -> list[tuple[Action, Fraction]]:
        bad = Fraction(*self.share(f))
        return [((verbs.FELL, 1), bad), ((verbs.FELL, 2), 1 - bad)]

    def roll(self, s: State, f: MudAt, die: Die) -> Roll:
        ways, every = self.share(f)
        face = die(every)
        return Roll((verbs.FELL, 1 if face <= ways else 2), (face,))

    def take(self, s: State, f: MudAt, action: Action) -> None:
        s.stack.pop()
        if action[1] == 1:
            emit(s, "mud", "D8.23", told(s, f.vehicle), final=True)
            bog(s, f.vehicle, "D8.23")

    def prompt(self, s: State, f: MudAt) -> Prompt:
        return Prompt(Text("{unit} in the mud", unit=f.vehicle), "", ("D8.23", "F11.8a"), PHASES[s.phase])


# D2.51 Starting


class ReliabilityAt(NamedTuple):
    """D2.51 the Mechanical Reliability DR of a Start."""

    frame: int
    vehicle: int


def unreliable(s: State, u: int) -> bool:
    """D2.51, F.4 whether its MP are printed in red; through September 1941 those of every Axis vehicle are."""
    kind = vehicle_of(s, u)
    if kind.move == "motorcycle":
        return kind.red_mp
    axis = s.kind(u).nation in AXIS_NATIONS
    return kind.red_mp or (axis and str(s.stage.script["date"])[:7] <= UNRELIABLE_TO)


class Reliability(ColoredDice[State, ReliabilityAt]):
    """D2.51 an Original 12 immobilizes."""

    at = ReliabilityAt

    def take(self, s: State, f: ReliabilityAt, action: Action) -> None:
        s.stack.pop()
        total = action[1] + action[2]
        facts = {**told(s, f.vehicle), "dice": list(action[1:]), "final": total, "passed": total < FATAL}
        emit(s, "reliability", "D2.51", facts, final=True)
        if total >= FATAL:
            immobilize(s, f.vehicle, "D2.51")

    def prompt(self, s: State, f: ReliabilityAt) -> Prompt:
        return Prompt(Text("Does {unit} start?", unit=f.vehicle), "", ("D2.51", "F.4a"), PHASES[s.phase])


# D2.5 ESB


class StrainAt(NamedTuple):
    """D2.5 the DR for so many MP more."""

    frame: int
    vehicle: int
    sought: int


def strain_drm(s: State, u: int, sought: int) -> int:
    """D2.5 +1 for each MP sought, and what the nation adds; American-made tanks have the American number."""
    chart = s.stage.pack.tables["esb"]
    kind = s.kind(u)
    american = vehicle_of(s, u).tracked and kind.nation == "british" and not vehicle_of(s, u).british_made
    nation = "american" if american else kind.nation
    numb = s.shaken >> u & 1 if s.edition > 1 else 0  # D5.34
    return sought * int(chart["drm_per_mp_sought"]) + int(chart["drm_nation"].get(nation, 2)) + numb


class Strain(ColoredDice[State, StrainAt]):
    """D2.5 a Final DR of 12 or more immobilizes it where it is; otherwise it has the MP."""

    at = StrainAt

    def take(self, s: State, f: StrainAt, action: Action) -> None:
        s.stack.pop()
        final = action[1] + action[2] + strain_drm(s, f.vehicle, f.sought)
        broken = final >= int(s.stage.pack.tables["esb"]["immobilized_at"])
        facts = {**told(s, f.vehicle), "dice": list(action[1:]), "final": final, "passed": not broken, "mp": f.sought}
        emit(s, "strained", "D2.5", facts, final=True)
        if broken:
            immobilize(s, f.vehicle, "D2.5")
        elif s.move is not None:
            s.move.allowed += HALF * f.sought

    def prompt(self, s: State, f: StrainAt) -> Prompt:
        return Prompt(Text("{unit} strains its engine", unit=f.vehicle), "", ("D2.5",), PHASES[s.phase])


# D8.3 Removal


class RemovalAt(NamedTuple):
    """D8.3 the dice of Bog Removal."""

    frame: int
    vehicle: int


class Removal(ColoredDice[State, RemovalAt]):
    """D8.3 it costs the product of the dice; the coloured die says what comes of it."""

    at = RemovalAt

    def take(self, s: State, f: RemovalAt, action: Action) -> None:
        s.stack.pop()
        u, bit, chart = f.vehicle, 1 << f.vehicle, s.stage.pack.tables["bog"]["removal"]
        cost = HALF * action[1] * action[2] * (1 if vehicle_of(s, u).tracked else 2)
        die = action[1] + (int(chart["mired_drm"]) if s.mired & bit else 0)
        move = s.move
        assert move is not None
        word = "freed" if die <= int(chart["freed"][1]) else "mired" if die == int(chart["mired_at"]) else "immobilized"
        facts = {**told(s, u), "dice": list(action[1:]), "mp": cost // HALF, "result": word}
        emit(s, "unbogged", "D8.3", facts, final=True)
        before = move.spent
        move.spent = min(move.allowed, move.spent + cost)
        move.here = move.spent
        if s.edition > 6:  # C.8 they have been spent here, in sight of whoever sees it
            s.track[u] = (*s.track.get(u, ()), (s.at[u], move.spent - before))
        if word == "immobilized":
            immobilize(s, u, "D8.3")
        elif word == "mired":
            s.mired |= bit
            move.over = 1
        else:
            s.bogged &= ~bit
            s.mired &= ~bit
            s.motion |= bit  # the MP count as its Start
            if s.edition > 6 and unreliable(s, u):  # D2.51
                s.stack.append(ReliabilityAt(F_RELIABILITY, u))

    def prompt(self, s: State, f: RemovalAt) -> Prompt:
        return Prompt(Text("{unit} tries to get out", unit=f.vehicle), "", ("D8.3",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_HAZARD: Hazard(verbs.ROLLED),
    F_MUD: Mud(),
    F_RELIABILITY: Reliability(verbs.ROLLED),
    F_ESB: Strain(verbs.ROLLED),
    F_REMOVAL: Removal(verbs.ROLLED),
}
