"""B.5, B9.32 What protects a target: the best of the positive TEM it could claim, the negative ones; Wall Advantage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Said, Text
from sandtable.mechanics.masks import units_of

from ..boards.battlefield import Battlefield
from ..boards.locations import Place, Spot, crest_front, elevation
from ..los.arcs import in_arc
from ..los.cover import Cover, covers, entry_sides
from ..table.ids import BENEATH, UNDER_FOXHOLE, UNDER_SANGAR, UNDER_TRENCH
from ..table.state import State, all_men, gun_of, men
from ..table.works import SANDS, spot
from .sights import clear

CLUSTER_TEM = 4


class Drm(NamedTuple):
    """A modifier of the dice."""

    value: int
    rule: str
    text: Said
    outside: bool = False  # it arises outside the target's hex, so it lowers Residual FP (A8.2)


def wet(s: State) -> bool:
    """Whether the EC are Wet or Mud."""
    return str(s.stage.script["conditions"]["ec"]) in ("Wet", "Mud")


def beneath(s: State, u: int, shelling: bool = False) -> Drm | None:
    """B27.3, B27.5, F7.42b, F8.4a the TEM of what a unit lies beneath; `shelling` is OBA (but for sangars OVR too)."""
    chart = s.stage.pack.tables["fortifications"]
    under = s.under[u]
    if under == UNDER_SANGAR:
        return Drm(int(chart["sangar"]["tem_oba" if shelling else "tem"]), "F8.4a", "beneath a sangar")
    if under == UNDER_FOXHOLE:
        sandy = s.stage.field.terrain[s.at[u]] in SANDS and not wet(s)
        word = ("sand_tem" if sandy else "tem") + ("_obaovr" if shelling else "")
        return Drm(int(chart["foxhole"][word]), "F7.42b" if sandy else "B27.3", "in a foxhole")
    if under == UNDER_TRENCH:
        return Drm(int(chart["trench"]["tem_obaovr" if shelling else "tem"]), "B27.5", "in a trench")
    return None


def crest(s: State, firer: Spot, u: int) -> Drm | None:
    """B20.9 +2 across the three hexsides of its Crest front; AMB-43 not if the firer sees INTO the wadi hex."""
    if s.place[u] != Place.CREST:
        return None
    h, field = s.at[u], s.stage.field
    if clear(s, firer, Spot(h, Place.IN)):
        return None
    sides = entry_sides(s.stage.sights.lines, firer, spot(s, u))
    front = crest_front(field, h, s.cafp[u])
    return Drm(2, "B20.9", "at the Crest") if sides and all(d in front for d in sides) else None


def wall_counts(s: State, cover: Cover, firer: Spot, u: int) -> bool:
    """B9.32, B9.3 whether a wall or hedge protects: not from one right across it who holds Wall Advantage."""
    if not cover.wall_advantage:
        return True
    side = s.stage.roster.side[u]
    if s.walled & men(s, s.at[u], side):
        return True
    across = s.stage.grid.neighbour(cover.hex, cover.side)
    if firer.hex != across:
        return True
    return not s.walled & men(s, across, 1 - side)


def emplaced(s: State, u: int) -> Drm | None:
    """C11.2, F7.41, F8.4b an Emplaced Gun and its crew: +2, in sand that is not wet +1."""
    g = gun_of(s, u) if s.emplaced else -1
    if g < 0 or not s.emplaced >> g & 1:
        return None
    chart = s.stage.pack.tables["fortifications"]["gun_emplaced"]
    if s.stage.field.terrain[s.at[u]] not in SANDS:
        return Drm(int(chart["tem"]), "C11.2", "Emplaced")
    return (
        Drm(int(chart["tem"]), "F7.41b", "Emplaced") if wet(s) else Drm(int(chart["tem_in_sand"]), "F7.41a", "Emplaced")
    )


def gunshield(s: State, firers: list[Hex], u: int, indirect: bool = False) -> Drm | None:
    """C11.5 the shield of its Gun helps a crew against what comes in through its CA; F.1A or not."""
    g = gun_of(s, u)
    made = s.kind(g).gun if g >= 0 and g != u else None
    if made is None or not made.gunshield or not firers:
        return None
    field = s.stage.field
    through = [one != s.at[g] and in_arc(field, s.at[g], s.vca[g], one) for one in firers]
    if not (any(through) if s.edition > 4 else all(through)):  # A7.5 the largest DRM of any firer holds for all
        return None
    chart = s.stage.pack.tables["ift_drm"]
    return Drm(int(chart["gunshield_indirect" if indirect else "gunshield_direct"]), "C11.5", "gunshield")


def behind_rim(s: State, firers: Sequence[Spot], u: int, v: int) -> bool:
    """F5.423b whether a Crest hexside of the Infantry starts at the vertex of a vehicle at the rim, and the line of
    fire (if it is Direct Fire: else there are no firers) crosses it."""
    if s.edition < 3:
        return s.cafp[u] in (s.cafp[v], (s.cafp[v] + 1) % 6)
    front = crest_front(s.stage.field, s.at[u], s.cafp[u])
    covered = {d for d in (s.cafp[v], (s.cafp[v] + 1) % 6) if d in front}
    lines = [entry_sides(s.stage.sights.lines, one, spot(s, u)) for one in firers]
    return bool(covered) and all(sides and covered.issuperset(sides) for sides in lines)


def beside_armour(s: State, u: int, firers: Sequence[Spot] = ()) -> Drm | None:
    """D9.3, D9.31, F5.423 +1 beside a Stopped AFV of its side or a wreck that does not burn, or in Armored Assault."""
    roster = s.stage.roster
    if not roster.men >> u & 1 or s.mounted >> u & 1:
        return None
    if s.move is not None and s.move.escort >> u & 1:
        return Drm(1, "D9.31", "Armored Assault")
    own = roster.of_side[roster.side[u]]
    near = s.here.get(s.at[u], 0) & roster.vehicles & ~(s.motion | s.burning) & (own | s.wreck)
    for v in units_of(near):
        made = s.kind(v).vehicle
        armoured = s.wreck >> v & 1 or (made is not None and made.armoured)
        at_rim = s.place[v] == Place.CREST
        if armoured and s.place[v] == s.place[u] and (not at_rim or behind_rim(s, firers, u, v)):
            return Drm(1, "F5.423b" if at_rim else "D9.3", "beside a vehicle")
    return None


def ground_tem(s: State, u: int, indirect: bool = False) -> Drm | None:
    """B.5 the TEM of the hex itself: F12.43a +4 in the cluster of overlay X1; F12.44a a tomb gives nothing to who is
    Encircled; A4.31, D2.3 who is in Bypass stands in Open Ground beside the obstacle."""
    field, h = s.stage.field, s.at[u]
    kind = field.kind(h)
    value, rule = kind.tem_indirect if indirect else kind.tem_direct, kind.rule or "B.1"
    if clustered(field, h):
        value, rule = CLUSTER_TEM, "F12.43a"
    if kind.id == "tomb" and s.encircled >> u & 1:
        return None
    if value <= 0 or s.place[u] == Place.BYPASS:
        return None
    return Drm(value, rule, Text("{terrain}", terrain=kind.id.replace("_", " ")))


def clustered(field: Battlefield, h: Hex) -> bool:
    """F12.43a the cluster of buildings of overlay X1."""
    return bool(field.tags.get("tem4", 0) >> h & 1)


def in_the_open(s: State, u: int) -> bool:
    """B.1 whether FFMO and Interdiction apply to the ground a unit stands on; in Bypass always (A4.31)."""
    return s.place[u] == Place.BYPASS or s.stage.field.kind(s.at[u]).ffmo


def candidates(s: State, firers: list[Spot], u: int, indirect: bool = False, shelling: bool = False) -> list[Drm]:
    """Every positive TEM that a unit could claim against fire from any of these spots; `indirect` falls from above
    (mortars), `shelling` is OBA."""
    found: list[Drm] = []
    for own in (beneath(s, u, shelling), emplaced(s, u)):
        if own is not None:
            found.append(own)
    armour = beside_armour(s, u, [] if indirect else firers)
    if armour is not None:
        found.append(armour)
    own_ground = ground_tem(s, u, indirect)
    if own_ground is not None:
        found.append(own_ground)
    for firer in firers:
        at_rim = None if indirect else crest(s, firer, u)
        if at_rim is not None:
            found.append(at_rim)
        for one in covers(s.stage.sights.lines, firer, spot(s, u), s.edition < 6):
            value = one.indirect if indirect else one.tem
            if value > 0 and wall_counts(s, one, firer, u):
                found.append(Drm(value, one.rule, Text("{terrain}", terrain=one.kind.replace("_", " "))))
    return found


def tem(s: State, firers: int, u: int) -> list[Drm]:
    """A7.5 the TEM of a unit against the worst of the lines of fire."""
    return tem_of(s, [spot(s, one) for one in units_of(firers)], u)


def tem_of(s: State, firers: list[Spot], u: int) -> list[Drm]:
    """B.5 of all TEM that it could claim the best one."""
    found = candidates(s, firers, u)
    best = max(found, key=lambda one: one.value, default=None)
    return [best] if best is not None else []


def sides_of(s: State, u: int) -> list[int]:
    """The wall and hedge hexsides over which a unit may claim; F10.3c not those that stand above it."""
    field, h = s.stage.field, s.at[u]
    level = elevation(field, spot(s, u))
    found = []
    for d, n in field.grid.neighbours[h]:
        if not (field.side("wall", h, d) or field.side("hedge", h, d)) or level < max(field.base[h], field.base[n]):
            continue
        if s.place[u] == Place.CREST and d not in crest_front(field, h, s.cafp[u]):  # F10.3d
            continue
        found.append(d)
    return found


def taken(s: State, h: Hex, side: int, sides: list[int]) -> bool:
    """Whether an enemy across one of these hexsides holds it."""
    return any(s.walled & men(s, s.stage.grid.neighbour(h, d), 1 - side) for d in sides)


def sheltered(s: State, u: int) -> bool:
    """Whether a unit lies beneath an entrenchment or clings to a Crest."""
    return s.edition > 4 and (s.under[u] in BENEATH or s.place[u] == Place.CREST)


def claim(s: State, u: int) -> None:
    """B9.32, AMB-100 an unbroken unit that is not concealed claims Wall Advantage as soon as it may, unless that would
    take its entrenchment or Crest away (EX-F10.3-2)."""
    sides = [] if s.concealed >> u & 1 or sheltered(s, u) else sides_of(s, u)
    if sides and not taken(s, s.at[u], s.stage.roster.side[u], sides):
        s.walled |= 1 << u


def claim_walls(s: State) -> None:
    """At the start of a phase: those who hold it keep it, then the side that waits, then the side that moves."""
    field = s.stage.field
    if not any(field.sides["wall"]) and not any(field.sides["hedge"]):
        return
    s.walled &= ~(s.broken | s.captive | s.mounted | sum(1 << u for u in units_of(s.walled) if sheltered(s, u)))
    for side in (1 - s.phasing, s.phasing):
        for u in units_of(all_men(s, side) & ~(s.broken | s.walled)):
            claim(s, u)
