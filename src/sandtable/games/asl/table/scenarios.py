"""A2.9 Setting up: the side that does not move first, then the other; as the scenario proposes or by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sandtable.engine.contract import Option, Prompt, Reason, Scenario
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Listed, Once, Phase

from ..boards.locations import Place
from ..boards.pack import asl_pack
from . import verbs
from .ids import F_SETUP, F_TURN, FOXHOLE, KINDS, SANGAR, SIDES, SPARE, UNUSED
from .stage import SCENARIOS, Stage
from .state import State, all_men, equivalents, men, put
from .telling import emit, tell
from .works import forbidden, shelter_for, spot, works_in

OPTIONS: tuple[Option, ...] = ()
WAITING = -5
"""In hand, to be set up."""


class TurnAt(NamedTuple):
    """A Player Turn: which phase comes next."""

    frame: int
    step: int


class SetupAt(NamedTuple):
    """A side sets up."""

    frame: int
    side: int


def listing() -> Sequence[Scenario]:
    found = []
    for id in SCENARIOS:
        one = asl_pack().scenarios[id]
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
    for side, script in enumerate(stage.sides):
        for group in script["group"]:
            for unit in group["units"]:
                for i in range(1, int(unit["n"]) + 1):
                    s.at[roster.index[f"{unit['id']}#{i}"]] = WAITING
        for id, n in works_of(script).items():
            for i in range(1, n + 1):
                u = roster.index[f"{SIDES[side]}_{id}#{i}"]
                s.at[u] = WAITING
                s.strength[u] = 1 if id == "foxhole" else 0
        holes = roster.of_kind[FOXHOLE] & roster.of_side[side]
        for u in units_of(holes):  # what may be dug in play
            if s.at[u] == UNUSED:
                s.at[u] = SPARE
        for i in range(1, int(script["dummies"]) + 1):
            s.at[roster.index[f"{SIDES[side]}_dummy#{i}"]] = WAITING
    arm(s)
    s.stack = [TurnAt(F_TURN, 0), SetupAt(F_SETUP, stage.first), SetupAt(F_SETUP, 1 - stage.first)]
    return s


def works_of(script: Mapping[str, Any]) -> dict[str, int]:
    """The counters of works that a side has, by id."""
    count: dict[str, int] = {}
    for group in script["group"]:
        for id, n in group.get("fortifications", {}).items():
            laid = sum(1 for one in group.get("default_setup", ()) if one["unit"] == id)
            count[id] = count.get(id, 0) + (laid if "minefield" in id else int(n))
    return count


def arm(s: State) -> None:
    """Weapons go with the units that the scenario gives them to."""
    for script in s.stage.sides:
        for group in script["group"]:
            for place in group.get("default_setup", ()):
                for weapon in place.get("sw", ()):
                    s.holder[s.stage.roster.index[weapon]] = s.stage.roster.index[place["unit"]]


def area(s: State, side: int) -> Mask:
    """Where a side sets up."""
    found = 0
    for group in s.stage.sides[side]["group"]:
        for part in group.get("area", ()):
            found |= s.stage.mask_of(part)
    return found & s.stage.grid.all


def waiting(s: State, side: int) -> list[int]:
    """What is still in hand: men, works and dummies; weapons go with their men."""
    roster = s.stage.roster
    wanted = roster.of_side[side] & ~roster.weapons
    return [u for u in units_of(wanted) if s.at[u] == WAITING]


def may_stand(s: State, u: int, h: Hex) -> bool:
    """A5.1, F8.2b, A12.11 stacking; works where they may be; a dummy in Concealment Terrain."""
    roster, bit = s.stage.roster, 1 << u
    side = roster.side[u]
    if roster.works & bit:
        return not forbidden(s, s.kind(u).kind, h)
    if roster.dummies & bit:
        return hides(s, h) and not s.here.get(h, 0) & roster.of_side[side]
    return equivalents(s, men(s, h, side)) + s.kind(u).equivalents <= 6


def hides(s: State, h: Hex) -> bool:
    """F2.3a Concealment Terrain for Infantry."""
    chart = s.stage.pack.tables["concealment"]
    word = s.stage.field.terrain[h]
    return word in chart["terrain"] or word in chart["limited_terrain"]


def places(s: State, f: SetupAt, now: object) -> list[tuple[int, int]]:
    where, out = area(s, f.side), s.stage.out
    hexes = [h for h in s.stage.grid.hexes if where >> h & 1 and h in out]
    return sorted((u, out[h]) for u in waiting(s, f.side) for h in hexes if may_stand(s, u, h))


def why(s: State, f: SetupAt, now: object, args: Any) -> Reason | None:
    u, g = args
    h = s.stage.into[g]
    if u not in waiting(s, f.side):
        return Reason("A2.9", Text("{unit} is not to be set up now", unit=u))
    if h < 0 or not area(s, f.side) >> h & 1:
        return Reason("A2.9", "it is not in the set-up area")
    if not may_stand(s, u, h):
        return Reason("A5.1", "stacking, one sangar a hex, and dummies in Concealment Terrain of their own")
    return None


def place(s: State, f: SetupAt, u: int, g: int) -> None:
    lay(s, u, s.stage.into[g])
    tell(s, "set_up", "A2.9", 1 << u, f.side, {"hex": s.at[u]})
    if not waiting(s, f.side):
        finish(s, f)


def lay(s: State, u: int, h: Hex) -> None:
    """A unit that sets up with an entrenchment lies beneath it if there is room."""
    roster = s.stage.roster
    put(s, u, h)
    s.place[u] = Place.IN if s.stage.field.has("wadi", h) else Place.GROUND
    if roster.works >> u & 1:
        if s.kind(u).kind == SANGAR:
            s.posts |= 1 << h
        for one in units_of(men(s, h, roster.side[u])):
            shelter(s, one, h)
    elif roster.men >> u & 1:
        shelter(s, u, h)
    if hides(s, h) and not roster.works >> u & 1:
        s.concealed |= 1 << u


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
            if one.get("hidden"):
                s.hip |= 1 << u
                s.concealed |= 1 << u
    for u in waiting(s, f.side):
        s.at[u] = UNUSED
    emit(s, "set_up_done", "A2.9", {"side": f.side})
    finish(s, f)


def finish(s: State, f: SetupAt) -> None:
    """A2.9, A12.12 who is out of all enemies' sight may start concealed; control is as the areas are."""
    s.stack.pop()
    if f.side != s.stage.first:
        return
    for side in range(2):
        foes = all_men(s, 1 - side)
        for u in units_of(all_men(s, side)):
            if not any(s.stage.sights.sees(spot(s, e), spot(s, u)) for e in units_of(foes)):
                s.concealed |= 1 << u
    s.control = area(s, 1) & ~area(s, 0)


class Setup(Phase[State, SetupAt, object]):
    """A2.9"""

    at = SetupAt
    does = (Listed(verbs.PLACE, of=places, reason=why, take=place), Once(verbs.ACCEPT, take=accept))

    def now(self, s: State, f: SetupAt) -> object:
        return None

    def actor(self, s: State, f: SetupAt) -> int | None:
        return f.side

    def prompt(self, s: State, f: SetupAt) -> Prompt:
        return Prompt("Set-up", "Place your units, or take the scenario's proposal", ("A2.9",), "rally")


FRAMES: dict[int, Frame[State, Any]] = {F_SETUP: Setup()}
