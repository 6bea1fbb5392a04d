"""A2.9 Setting up: the side that does not move first, then the other; as the scenario proposes or by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Option, Prompt, Reason, Scenario
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.phases import Each, Listed, Once, Phase, Routes

from ..boards.costs import Mover, Weather, offboard_price
from ..boards.locations import Place, Spot, may_centre
from ..boards.pack import asl_pack
from . import verbs, weather
from .counters import BALANCED, named_in
from .forces import SETUP, area_of_side, crews, force_of, forces
from .ids import (
    F_BORE,
    F_SETUP,
    F_TURN,
    FOXHOLE,
    KINDS,
    OFFMAP,
    SANGAR,
    SIDES,
    SMC,
    SPARE,
    TRENCH,
    UNDER_SANGAR,
    UNUSED,
)
from .minefields import WAITING, dummies_of, lay_out
from .stage import SCENARIOS, Stage
from .state import State, all_men, all_vehicles, board, equivalents, gun_of, men, passengers, put, vehicles
from .telling import emit, tell
from .works import forbidden, shelter_for, spot, works_in

OPTIONS: tuple[Option, ...] = (
    Option("balance_axis", "The Axis has its balance", "A26.5"),
    Option("balance_allied", "The Allies have their balance", "A26.5"),
)


def balanced(scenario: str, options: Mapping[str, bool], edition: int) -> str:
    """A26.5, AMB-64 the scenario, as an edition has it, with the balance that the players have agreed on."""
    return named_in(asl_pack(), scenario, edition) + "".join(
        f"{BALANCED}{side}" for side in SIDES if options.get(f"balance_{side}")
    )


class TurnAt(NamedTuple):
    """A Player Turn: which phase comes next."""

    frame: int
    step: int


class BoresAt(NamedTuple):
    """C6.4 a side names the hexes that its Guns are bore-sighted on."""

    frame: int
    side: int


class SetupAt(NamedTuple):
    """A side sets up."""

    frame: int
    side: int


def listing() -> Sequence[Scenario]:
    found = []
    offered = asl_pack().scenarios
    for id in (*SCENARIOS, *(own for own in offered if own not in SCENARIOS)):
        one = offered[id]
        note = str(one["place"])
        found.append(Scenario(id, one["title"], one.get("title_ja", ""), f"{one['turns']} turns", note))
    return found


def new_state(stage: Stage, options: Mapping[str, bool]) -> State:
    """A table at its first set-up."""
    s = State(stage)
    s.turn, s.phasing = 1, stage.first
    roster = stage.roster
    for u in units_of(roster.spare):
        s.at[u] = SPARE
    for force in forces(stage.scenario):
        for u in units_of(force.members):
            s.at[u] = WAITING if force.when == SETUP else OFFMAP
            s.strength[u] = 1 if s.kind(u).kind == FOXHOLE else 0
            if (roster.vehicles | roster.guns) >> u & 1:
                s.vca[u] = s.tca[u] = force.facing
        lay_out(s, force.members, force.script)
    for side, script in enumerate(stage.sides):
        holes = roster.of_kind[FOXHOLE] & roster.of_side[side]
        for u in units_of(holes):  # what may be dug in play
            if s.at[u] == UNUSED:
                s.at[u] = SPARE
        for i in range(1, int(script["dummies"]) + 1):
            s.at[roster.index[f"{SIDES[side]}_dummy#{i}"]] = WAITING
    arm(s)
    weather.begin(s)
    order = (stage.first, 1 - stage.first)
    bored = {force.side for force in forces(stage.scenario) if force.bores}
    s.stack = [TurnAt(F_TURN, 0), *(BoresAt(F_BORE, side) for side in order if side in bored)]
    for side in order:
        s.stack += [SetupAt(F_SETUP, side), *dummies_of(s, side)]
    return s


def arm(s: State) -> None:
    """Weapons go with the units that the scenario gives them to, Passengers with their vehicles, Guns with crews."""
    index = s.stage.roster.index
    for force in forces(s.stage.scenario):
        for one in (*force.script.get("default_setup", ()), *force.script.get("default_entry", ())):
            for weapon in one.get("sw", ()):
                s.holder[index[weapon]] = index[one["unit"]]
            if "aboard" in one:
                board(s, index[one["unit"]], index[one["aboard"]])
            if "towed_by" in one:
                board(s, index[one["unit"]], index[one["towed_by"]])
                s.limbered |= 1 << index[one["unit"]]
    for gun, crew in crews(s.stage.scenario).items():
        s.holder[gun] = crew


def area_of(s: State, u: int) -> Mask:
    """Where a piece sets up: its group's area; a dummy anywhere where its side does."""
    force = force_of(s.stage.scenario, u)
    return area_of_side(s.stage.scenario, s.stage.roster.side[u]) if force is None else force.area


def waiting(s: State, side: int) -> list[int]:
    """What is still in hand: men, vehicles, Guns, works and dummies. Weapons go with their men, crews with their Guns,
    Passengers with their vehicles."""
    roster = s.stage.roster
    manning = sum(1 << crew for crew in crews(s.stage.scenario).values())
    wanted = roster.of_side[side] & ~roster.weapons & ~manning & ~s.mounted
    return [u for u in units_of(wanted) if s.at[u] == WAITING]


def why_not_there(s: State, u: int, h: Hex) -> Reason:
    """Why a piece may not stand in a hex of its area."""
    roster, bit = s.stage.roster, 1 << u
    if roster.works & bit:
        rule = forbidden(s, s.kind(u).kind, h)
        return Reason(rule, WORK_WORDS[rule])
    if roster.dummies & bit:
        return Reason("A12.11", "a dummy stands by itself in Concealment Terrain")
    if roster.vehicles & bit:
        if vehicles(s, h, roster.side[u]):
            return Reason("A5.1", "a Location holds one vehicle of a side")
        return Reason("F.2b", "no vehicle of its class can enter that hex")
    if roster.guns & bit and (s.here.get(h, 0) & roster.guns).bit_count() >= 2:
        return Reason("A5.1", "at most 2 Guns may stay in a Location")
    return Reason("A5.1", "at most 3 squad equivalents and 4 single men may stay in a Location")


WORK_WORDS = {
    "F7.42a": term("no trench or sangar stands in sand"),
    "F8.2b": term("a hex holds one sangar"),
    "F.7Ad": term("a hex holds one minefield of a kind"),
    "B27.11": term("the ground is too hard to dig in"),
}


def may_stand(s: State, u: int, h: Hex) -> bool:
    """A5.1, F8.2b, A12.11 stacking; works where they may be; a dummy in Concealment Terrain."""
    roster, bit = s.stage.roster, 1 << u
    side = roster.side[u]
    if roster.works & bit:
        return not forbidden(s, s.kind(u).kind, h)
    if roster.dummies & bit:
        return hides(s, h) and not s.here.get(h, 0) & roster.of_side[side]
    if roster.vehicles & bit:
        return not vehicles(s, h, side) and passable(s, u, h)
    if roster.guns & bit:
        if s.edition < 2:
            return not s.here.get(h, 0) & roster.guns
        size = 2 if crews(s.stage.scenario).get(u, -1) >= 0 else 0  # A5.5
        return (s.here.get(h, 0) & roster.guns).bit_count() < 2 and equivalents(s, men(s, h, side)) + size <= 6
    there = men(s, h, side)
    if s.edition > 1 and s.kind(u).kind in SMC and sum(1 for one in units_of(there) if s.kind(one).kind in SMC) >= 4:
        return False
    return equivalents(s, there) + s.kind(u).equivalents <= 6


def passable(s: State, u: int, h: Hex) -> bool:
    """Whether a vehicle of this kind can be in a hex at all."""
    kind = s.kind(u).vehicle
    assert kind is not None
    place = Place.IN if s.stage.field.has("wadi", h) else Place.GROUND
    return offboard_price(s.stage.field, Mover(kind.move, kind.mp), Spot(h, place), Weather()) is not None


def hides(s: State, h: Hex) -> bool:
    """F2.3a Concealment Terrain for Infantry."""
    chart = s.stage.pack.tables["concealment"]
    word = s.stage.field.terrain[h]
    return word in chart["terrain"] or word in chart["limited_terrain"]


def standing(s: State, area: Mask, u: int) -> int:
    """Where a piece may stand in an area, in the numbers of actions. What it finds in an empty hex never changes."""
    told, key = s.stage.told, ("stands", s.type[u], s.stage.roster.side[u])
    asked, bare = told.get(key, (0, 0))
    full = sum([1 << h for h in s.here]) & area
    for h in hexes_of(area & ~(full | asked)):
        bare |= 1 << h if may_stand(s, u, h) else 0
    told[key] = (asked | area & ~full, bare)
    found = bare & area & ~full
    for h in hexes_of(full):
        found |= 1 << h if may_stand(s, u, h) else 0
    return s.stage.numbers(found)


def places(s: State, f: SetupAt, now: object) -> list[Action]:
    alike: dict[tuple[int, Mask], int] = {}
    found: list[Action] = []
    for u in waiting(s, f.side):
        key = (s.type[u], area_of(s, u))
        if key not in alike:
            alike[key] = standing(s, key[1], u)  # asked of one, true of all of its type
        found += _placed_in(u, alike[key])
    return found


@remembered(1 << 10)
def _placed_in(u: int, there: int) -> list[Action]:
    """A piece in each of these hexes: most are as free as they were before the piece that came last."""
    verb = int(verbs.PLACE)
    return [(verb, u, g) for g in hexes_in(there)]


def can_place(s: State, f: SetupAt, action: Action) -> bool:
    known = len(action) == 3 and 0 <= action[2] < len(s.stage.into)
    return known and why(s, f, None, action[1:]) is None


def why(s: State, f: SetupAt, now: object, args: Any) -> Reason | None:
    u, g = args
    h = s.stage.into[g]
    if u not in waiting(s, f.side):
        return Reason("A2.9", Text("{unit} is not to be set up now", unit=u))
    if h < 0 or not area_of(s, u) >> h & 1:
        return Reason("A2.9", "it is not in the set-up area")
    if not may_stand(s, u, h):
        return why_not_there(s, u, h)
    return None


def place(s: State, f: SetupAt, u: int, g: int) -> None:
    """Units, Guns, vehicles and works one by one; when nothing is left in hand, what stands may still be pointed."""
    lay(s, u, s.stage.into[g])
    tell(s, "set_up", "A2.9", 1 << u, f.side, {"hex": s.at[u]})
    if not waiting(s, f.side) and not placed(s, f) and not rims(s, f, None):
        finish(s, f)


def lay(s: State, u: int, h: Hex) -> None:
    """A piece is set up: a unit lies beneath an entrenchment if there is room, a Gun comes with its crew."""
    roster = s.stage.roster
    put(s, u, h)
    s.place[u] = Place.IN if s.stage.field.has("wadi", h) else Place.GROUND
    if roster.works >> u & 1:
        if s.kind(u).kind == SANGAR:
            s.posts |= 1 << h
        own = roster.of_side[roster.side[u]]
        there = sum(1 << one for one in units_of(s.here[h] & own) if s.place[one] != Place.CREST)
        for one in units_of(there & (roster.men | roster.dummies)):
            shelter(s, one, h)
        for one in units_of(there & roster.guns):
            nestle(s, one)
        return
    if roster.vehicles >> u & 1:
        for one in passengers(s, u):
            s.place[one] = s.place[u]
        return
    if (roster.men | roster.dummies) >> u & 1:  # a dummy lies as a unit would
        shelter(s, u, h)
    if hides(s, h):
        s.concealed |= 1 << u
    if roster.guns >> u & 1:
        crew = crews(s.stage.scenario).get(u, -1)
        if crew >= 0:
            s.holder[u] = crew
            lay(s, crew, h)
        nestle(s, u)


def nestle(s: State, g: int) -> None:
    """F8.3a a Gun lies beneath a sangar with its crew; C11.2 where the ground lets it, it is Emplaced."""
    crew = s.holder[g]
    if crew >= 0 and s.under[crew] == UNDER_SANGAR:
        s.under[g] = UNDER_SANGAR
    if emplaces(s, g, s.at[g]):
        s.emplaced |= 1 << g


def emplaces(s: State, u: int, h: Hex) -> bool:
    """F.1Aa, F.1Ac whether a Gun that sets up there is Emplaced: concealed, in sand, or in a trench or sangar (AMB-01);
    on ground that is no desert always (C11.2)."""
    field = s.stage.field
    if field.alternates & {"broken", "steppe"} or not field.desert >> h & 1:
        return True
    return (
        hides(s, h)
        or field.terrain[h] in ("sand", "sand_scrub")
        or s.under[u] == UNDER_SANGAR
        or bool(works_in(s, h, TRENCH))
    )


def shelter(s: State, u: int, h: Hex) -> None:
    if not s.under[u]:
        s.under[u] = shelter_for(s, h, 1 << u, s.stage.roster.side[u])


def accept(s: State, f: SetupAt) -> None:
    """The rest as the scenario proposes; dummies that nobody placed stay in the box."""
    stage = s.stage
    left = set(waiting(s, f.side))
    spots = [one for group in stage.sides[f.side]["group"] for one in group.get("default_setup", ())]
    for one in spots:
        id = one["unit"] if one["unit"] in KINDS else one.get("under", "")
        h = stage.field.hex(one["hex"])
        if not id or (one["unit"] != id and works_in(s, h, KINDS.index(id))):
            continue
        u = next((w for w in sorted(left & set(units_of(stage.roster.works))) if s.kind(w).id == id), -1)
        if u >= 0:
            left.discard(u)
            s.strength[u] = int(one.get("factors", s.strength[u]))
            lay(s, u, h)
    for one in spots:
        u = stage.roster.index.get(one["unit"], -1)
        if u in left:
            lay(s, u, stage.field.hex(one["hex"]))
            propose(s, u, one)
    for u in waiting(s, f.side):
        s.at[u] = UNUSED
    emit(s, "set_up_done", "A2.9", {"side": f.side})
    finish(s, f)


def propose(s: State, u: int, one: Mapping[str, Any]) -> None:
    """Facing, emplacement and hiding as the scenario proposes them."""
    if "facing" in one:
        s.vca[u] = s.tca[u] = int(one["facing"]) - 1
    if one.get("declined_emplacement"):
        unplace(s, u)
    if one.get("hidden"):
        hide(s, u)


def hide(s: State, u: int) -> None:
    """A12.3 a Gun and its crew are not on the map as far as the enemy knows."""
    both = 1 << u | (1 << s.holder[u] if s.holder[u] >= 0 else 0)
    s.hip |= both
    s.concealed |= both


# What else is said at set-up: which way a Gun or vehicle points, and whether a Gun is hidden


def placed(s: State, f: SetupAt) -> int:
    """Guns and vehicles of a side that are set up on the map."""
    roster = s.stage.roster
    found = roster.of_side[f.side] & (roster.guns | roster.vehicles) & ~s.mounted
    return sum(1 << u for u in units_of(found) if s.at[u] >= 0)


def points(s: State, f: SetupAt, now: object) -> list[tuple[int, int]]:
    return [(u, v) for u in units_of(placed(s, f) & ~s.tried) for v in range(6) if v != s.vca[u]]


def no_point(s: State, f: SetupAt, now: object, args: Any) -> Reason | None:
    u, v = args
    if not placed(s, f) >> u & 1:
        return Reason("A2.9", Text("{unit} is no Gun or vehicle that has been set up", unit=u))
    if s.tried >> u & 1:
        return Reason("A2.9", Text("{unit} has been pointed", unit=u))
    return Reason("D3.11", Text("{unit} points there", unit=u)) if v == s.vca[u] else None


def point(s: State, f: SetupAt, u: int, v: int) -> None:
    s.vca[u] = s.tca[u] = v
    s.tried |= 1 << u
    tell(s, "pointed", "D2.11", 1 << u, f.side, {})


def may_hide(s: State, f: SetupAt) -> int:
    """A12.3 Emplaced Guns in Concealment Terrain of groups that may hide theirs."""
    found = 0
    for u in units_of(placed(s, f) & s.emplaced & ~s.hip):
        force = force_of(s.stage.scenario, u)
        if force is not None and force.hides and hides(s, s.at[u]):
            found |= 1 << u
    return found


HIDE: Bars[State, SetupAt] = Bars(
    Need("A12.3", "{unit} is no Emplaced Gun in Concealment Terrain that may be hidden", lambda s, f: may_hide(s, f)),
)


def may_decline(s: State, f: SetupAt) -> int:
    """F.1Ab Guns that are Emplaced only because they set up in sand or scrub; AMB-59 one that is hidden stays so."""
    field, found = s.stage.field, 0
    for u in units_of(placed(s, f) & s.emplaced & ~s.hip):
        h = s.at[u]
        other = s.under[u] or works_in(s, h, TRENCH) or not field.desert >> h & 1
        if not other and field.terrain[h] in ("sand", "sand_scrub", "scrub"):
            found |= 1 << u
    return found


DECLINE: Bars[State, SetupAt] = Bars(
    Need("F.1Ab", "{unit} is not Emplaced only for standing in sand or scrub", lambda s, f: may_decline(s, f)),
)


def decline(s: State, f: SetupAt, u: int) -> None:
    unplace(s, u)


def unplace(s: State, u: int) -> None:
    """F.1Ab it stands un-Emplaced, to see farther; F2.3a, AMB-59 scrub conceals it no more."""
    s.emplaced &= ~(1 << u)
    if s.edition > 4 and s.stage.field.terrain[s.at[u]] in s.stage.pack.tables["concealment"]["limited_terrain"]:
        s.concealed &= ~(1 << u | (1 << s.holder[u] if s.holder[u] >= 0 else 0))


# F5.4a, F5.43f at the Crest of a wadi


def by_the_rim(s: State, f: SetupAt) -> int:
    """AMB-156 the Infantry of a side that has set up IN a wadi, neither beneath anything nor with a hidden Gun."""
    wadi = s.stage.field.form["wadi"]
    if s.edition < 6 or not wadi:
        return 0
    return sum(1 << u for u in units_of(all_men(s, f.side) & ~s.hip) if s.place[u] == Place.IN and not s.under[u])


def rims(s: State, f: SetupAt, now: object) -> list[tuple[int, int]]:
    return [(u, d) for u in units_of(by_the_rim(s, f)) for d in range(6) if no_rim(s, f, now, (u, d)) is None]


def no_rim(s: State, f: SetupAt, now: object, args: Any) -> Reason | None:
    u, d = args
    if not by_the_rim(s, f) >> u & 1:
        return Reason("F5.4a", Text("{unit} is not Infantry that has set up IN a wadi, in the open", unit=u))
    open_ = may_centre(s.stage.field, s.at[u], d)
    return None if open_ else Reason("F5.4b", "no Crest front may be centred on that hexside")


def set_rim(s: State, f: SetupAt, u: int, d: int) -> None:
    """F5.4a at the Crest, facing a hexside; F5.43f the Gun that it mans is there un-Emplaced."""
    for one in {u, gun_of(s, u)} - {-1}:
        s.place[one], s.cafp[one] = Place.CREST, d
        if s.emplaced >> one & 1:
            unplace(s, one)
    tell(s, "took_crest", "F5.4a", 1 << u, f.side, {"hex": s.at[u]})


def finish(s: State, f: SetupAt) -> None:
    """A2.9, A12.12 who is out of all enemies' sight may start concealed; control is as the areas are."""
    s.stack.pop()
    s.tried = 0
    if f.side != s.stage.first:
        return
    for side in range(2):
        foes = all_men(s, 1 - side)
        if s.edition > 6:  # AMB-122 those aboard vehicles, and vehicles, see too
            riders = s.present & s.mounted & s.stage.roster.men & s.stage.roster.of_side[1 - side]
            foes |= riders | all_vehicles(s, 1 - side) & s.stage.roster.crewed
        for u in units_of(all_men(s, side)):
            if not any(s.stage.sights.sees(spot(s, e), spot(s, u)) for e in units_of(foes)):
                s.concealed |= 1 << u
    for gun, crew in enumerate(s.holder):  # a Gun lies under the "?" of its crew
        if crew >= 0 and s.stage.roster.guns >> gun & 1 and s.concealed >> crew & 1:
            s.concealed |= 1 << gun
    s.control = area_of_side(s.stage.scenario, 1) & ~area_of_side(s.stage.scenario, 0)


class Setup(Phase[State, SetupAt, SetupAt]):
    """A2.9"""

    at = SetupAt
    does = (
        Routes(verbs.PLACE, of=places, reason=why, take=place, has=can_place),
        Once(verbs.ACCEPT, take=accept),
        Listed(verbs.POINT, of=points, reason=no_point, take=point),
        Each(verbs.HIDE, bars=HIDE, take=lambda s, f, u: hide(s, u)),
        Each(verbs.DECLINE, bars=DECLINE, take=decline),
        Listed(verbs.SET_CREST, of=rims, reason=no_rim, take=set_rim),
    )

    def now(self, s: State, f: SetupAt) -> SetupAt:
        return f

    def actor(self, s: State, f: SetupAt) -> int | None:
        return f.side

    def prompt(self, s: State, f: SetupAt) -> Prompt:
        return Prompt("Set-up", "Place your units, or take the scenario's proposal", ("A2.9",), "rally")


FRAMES: dict[int, Frame[State, Any]] = {F_SETUP: Setup()}
