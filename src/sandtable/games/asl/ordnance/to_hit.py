"""C3 to C6 To Hit: the number that a shot needs, and every case that modifies its dice.

A `Shot` holds all facts of one shot; number and cases are lists of terms with rule and value, whose sums the dice, the
panel and the tests read alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from sandtable.engine.texts.text import Said, Text, term

from ..boards.pack import asl_pack
from ..fire.bursts import Burden
from .weapons import AP, APCR, ATR, BAZ, HE, LATW, PLACED, RED, Tube

VEHICLE, INFANTRY, AREA = range(3)
TARGETS = ("vehicle", "infantry", "area")

MISS, HIT, CRITICAL, IMPROBABLE = range(4)
"""What a To Hit DR gives; IMPROBABLE asks for one more die (C3.6)."""


class Piece(NamedTuple):
    """One part of a number: its value, the rule that it comes from, and what it is."""

    value: int
    rule: str
    text: Said


class Case(NamedTuple):
    """One case of the To Hit DRM."""

    case: str
    value: int
    rule: str
    text: Said


class Term(NamedTuple):
    """A modifier that others have worked out: TEM, Hindrances."""

    value: int
    rule: str
    text: Said


class Shot(NamedTuple):
    """All facts of one shot."""

    gun: Tube
    target: int
    """VEHICLE, INFANTRY or AREA."""
    range: int
    shell: int = HE
    # C5 the firer
    turn: int = 0
    """Case A: vertices of change of its CA."""
    cramped: bool = False
    """Case A in woods or a building: doubled."""
    advancing: bool = False
    """Case B (C3 for LATW): fire in the AFPh that is not Opportunity Fire."""
    bounding: bool = False
    """Case C: Bounding First Fire."""
    seen_mp: float = 99
    """Cases C1 and C2: MP for which the target was in the bounding firer's LOS."""
    motion: bool = False
    """Case C4: the firer is in Motion or has not stopped."""
    eased: bool = False
    """As it was ruled before version 3: in Motion without Case B."""
    pinned: bool = False
    intensive: bool = False
    deliberate: bool = False
    """Case G: Deliberate Immobilization."""
    captured: bool = False
    """Case H, C4.1, A21.1: captured."""
    unskilled: bool = False
    """Case H: no crew of its own, but of its nation."""
    green: bool = False
    """A19.3 an Inexperienced user."""
    buttoned: bool = False
    cx: bool = False
    burdens: tuple[Burden, ...] = ()
    """A7.7, B26.4, A5.12 what else hampers those who serve it."""
    leadership: int = 0
    shaken: bool = False
    """D5.34 its crew was stunned once."""
    spotted: bool = False
    """C9.3 a mortar fired by a spotter."""
    # C6 the target
    moving: bool = False
    """Case J: a moving vehicle."""
    mp_in_los: float = 99
    """Cases J1 and J2: MP that the moving vehicle has spent in the firer's LOS."""
    ffnam: bool = False
    ffmo: bool = False
    concealed: bool = False
    bore_sighted: bool = False
    acquired: int = 0
    hazardous: bool = False
    size: int = 0
    tem: tuple[Term, ...] = ()
    hindrances: tuple[Term, ...] = ()


def column(ranges: list[str], span: int) -> int:
    """The column of a range: "0-6", "7-12", … "55+"."""
    for i, word in enumerate(ranges):
        if span <= _last(word):
            return i
    raise ValueError(f"range {span} is beyond the table")


@cache
def _last(word: str) -> int:
    return 10**6 if word.endswith("+") else int(word.rpartition("-")[2])


def _chart() -> Any:
    return asl_pack().tables["to_hit"]


# C4.1 The number


def number(shot: Shot) -> list[Piece]:
    """C4.1 the Modified TH#: the Basic TH# and what barrel, caliber and ammunition add to it."""
    gun, chart = shot.gun, _chart()
    if gun.kind in LATW:
        return _latw(shot)
    at = column(chart["ranges"], shot.range)
    found = [_basic(shot, at)]
    if gun.barrel:
        row = chart[{"*": "mod_star", "L": "mod_L", "LL": "mod_LL"}[gun.barrel]]
        found.append(Piece(row[at], "C4.1", Text("barrel {barrel}", barrel=gun.barrel)))
    if gun.caliber <= 57:
        found.append(Piece(chart["mod_57mm_or_less"][at], "C4.1", "57mm or less"))
    if gun.caliber <= 40:
        found.append(Piece(chart["mod_40mm_or_less_extra"][at], "C4.1", "40mm or less"))
    if shot.shell == APCR:
        found.append(Piece(chart["mod_apcr_apds"][at], "C4.1", "APCR"))
    if shot.shell in PLACED:
        found.append(Piece(chart["mod_smoke"][at], "A24.2", "SMOKE"))
    return [one for one in found if one.value or one.rule == "C3.3"]


def _basic(shot: Shot, at: int) -> Piece:
    chart, span = _chart(), shot.range
    red = shot.gun.colour == RED or shot.captured
    if shot.target == AREA:
        return Piece(chart["area"][at], "C3.3", Text("Area Target Type at range {range}", range=span))
    if shot.target == VEHICLE:
        row = chart["vehicle_red" if red else "vehicle_black"]
        return Piece(row[at], "C3.3", Text("Vehicle Target Type at {range} hexes", range=span))
    row = chart["infantry_red" if red else "infantry_black"]
    return Piece(row[at], "C3.3", Text("Infantry Target Type at {range} hexes", range=span))


def _latw(shot: Shot) -> list[Piece]:
    """C13.3 bazooka and PIAT: a row of their own."""
    row = asl_pack().tables["latw"][BAZ if shot.gun.kind == BAZ else "PIAT"]
    return [Piece(row[shot.range], "C13.3", Text("{name} at {range} hexes", name=shot.gun.name, range=shot.range))]


def needed(shot: Shot) -> int:
    """The Modified TH#."""
    return sum(one.value for one in number(shot))


# C5.2 The cases


@cache
def _values() -> dict[str, Any]:
    return {str(row["case"]): row for row in asl_pack().tables["to_hit_drm"]}


def _value(case: str) -> int:
    return int(_values()[case]["value"])


def cases(shot: Shot) -> list[Case]:
    """C5.2 every case that applies, the firer's first."""
    return [*_firer(shot), *_target(shot)]


def drm(shot: Shot) -> int:
    return sum(one.value for one in cases(shot))


def _by_mount(case: str, mount: str) -> Any:
    row = _values()[case]
    key = {"T": "t", "ST": "st", "NT": "nt", "1MT": "1mt"}.get(mount, "nt")
    return row[key if key in row else "st"]


def turning(mount: str, vertices: int, cramped: bool) -> int:
    """Case A: what it costs a weapon on such a mount to turn by so many vertices."""
    return int(sum(_by_mount("A", mount)[:vertices])) * (2 if cramped else 1)


def _firer(shot: Shot) -> Iterator[Case]:
    gun = shot.gun
    if shot.turn:
        value = turning(gun.mount, shot.turn, shot.cramped)
        yield Case("A", value, "C3.2", Text.many(shot.turn, "{n} vertex of turn", "{n} vertices of turn"))
    if shot.bounding:
        yield Case("B", _value("B"), "D3.3", "Bounding First Fire")
        yield from _bounding(shot)
        if shot.motion:  # AMB-108
            yield Case("C4", _value("C4"), "D3.3", "not stopped: the lower die is doubled")
    elif shot.motion:
        if not shot.eased:
            yield Case("B", _value("B"), "D2.4", "in Motion")
        yield from _bounding(shot)
        yield Case("C4", _value("C4"), "D2.4", "in Motion: the lower die is doubled")
    elif shot.advancing:
        if gun.kind in (ATR, *LATW):
            yield Case("C3", _value("C3"), "C13.3", "in the Advancing Fire Phase")
        else:
            yield Case("B", _value("B"), "A3.5", "in the Advancing Fire Phase")
    for case, here, rule, text in (
        ("D", shot.pinned, "A7.8", term("the crew is pinned")),
        ("E", shot.range == 0, "C5.2", term("fire within its own hex")),
        ("F", shot.intensive, "C5.6", term("Intensive Fire")),
        ("G", shot.deliberate, "C5.7", term("Deliberate Immobilization")),
        ("H", shot.captured or shot.unskilled, "C2.1", term("captured, or no crew of its own")),
        ("I", shot.buttoned, "D5.3", term("buttoned up")),
        ("CX", shot.cx, "A4.51", term("CX")),
    ):
        if here:
            yield Case(case, _value(case), rule, text)
    yield from (Case(*one) for one in shot.burdens)
    if shot.spotted:
        yield Case("SPOT", 2, "C9.3", "by a spotter")
    if shot.shaken:
        yield Case("STUN", 1, "D5.34", "the crew was stunned before")
    if shot.leadership:
        yield Case("LDR", shot.leadership, "A7.531", "leadership")


def _bounding(shot: Shot) -> Iterator[Case]:
    """Cases C, C1, C2: how steady the gun is, and how long the target has been in sight."""
    if shot.gun.stabilized:
        yield Case("C", int(_values()["C"]["stabilized"]), "C5.2", "on the move, with a gyrostabilizer")
    else:
        yield Case("C", int(_by_mount("C", shot.gun.mount)), "C5.2", "on the move")
    if shot.seen_mp <= 2:
        yield Case("C2", _value("C2"), "C5.2", "the target is in sight for 2 MP or less")
    elif shot.seen_mp <= 3:
        yield Case("C1", _value("C1"), "C5.2", "the target is in sight for 3 MP or less")


def _target(shot: Shot) -> Iterator[Case]:
    if shot.target == VEHICLE and shot.moving:  # C.8 J1 and J2 stand in for J
        case = "J2" if shot.mp_in_los <= 1 else "J1" if shot.mp_in_los <= 3 else "J"
        text = {
            "J": term("moving target"),
            "J1": term("in sight for 3 MP or less"),
            "J2": term("in sight for 1 MP or less"),
        }[case]
        yield Case(case, _value(case), "C.8", text)
    if shot.target == INFANTRY:  # AMB-42 on the Area type they belong to the IFT
        if shot.hazardous:
            yield Case("O", _value("O"), "A4.62", "Hazardous Movement")
        else:
            if shot.ffnam:
                yield Case("J3", _value("J3"), "A4.6a", "moves, and not by Assault Movement")
            if shot.ffmo:
                yield Case("J4", _value("J4"), "A4.6b", "moves in Open Ground")
    if shot.concealed:
        yield Case("K", _value("K"), "A12.1", "concealed")
    if 1 <= shot.range <= 2 and not (shot.target == VEHICLE and shot.moving):
        yield Case("L", int(_values()["L"]["values"][shot.range - 1]), "C5.2", "point blank")
    if shot.bore_sighted:
        yield Case("M", _value("M"), "C6.4", "bore-sighted")
    if shot.acquired:
        value = int(_values()["N"]["values"][shot.acquired - 1])
        yield Case("N", value, "C6.5", "acquired")
    if shot.size and shot.target != AREA:
        yield Case("P", shot.size, "C5.2", "size of the target")
    if shot.target != AREA:
        yield from (Case("Q", one.value, one.rule, one.text) for one in shot.tem)
    yield from (Case("R", one.value, one.rule, one.text) for one in shot.hindrances)


# The dice


def final(shot: Shot, first: int, second: int) -> int:
    """The Final TH DR."""
    return rolled(shot, first, second) + drm(shot)


def rolled(shot: Shot, first: int, second: int) -> int:
    """The DR before its DRM: AMB-41 in Motion the lower die counts twice."""
    return first + second + (min(first, second) if shot.motion else 0)


def judge(shot: Shot, first: int, second: int) -> int:
    """C5.2, C3.7, C3.6 what a To Hit DR gives; a malfunction is not judged here (A9.7)."""
    return judged(shot, needed(shot), first + second, final(shot, first, second))


def judged(shot: Shot, goal: int, original: int, rolled: int) -> int:
    """The same where the number and the Final DR are known."""
    if rolled <= goal:
        if shot.target == INFANTRY:
            return CRITICAL if rolled < (goal + 1) // 2 else HIT
        return CRITICAL if original == 2 else HIT
    return IMPROBABLE if original == 2 else MISS


def improbable(target: int) -> int:
    """AMB-66 the most that the second die may show for an improbable hit."""
    return int(_chart()["improbable_hit_dr"][TARGETS[target]])


def breakdown(shot: Shot, worn: int = 0) -> int:
    """C5.6, A9.7 the B# of this shot; `worn` is what else lowers it."""
    return shot.gun.breakdown - lowered(shot) - worn


def lowered(shot: Shot) -> int:
    """Table malfunction: Intensive Fire and captured use lower the B# by 2, Inexperienced users by 1."""
    chart = asl_pack().tables["malfunction"]["b_reduction"]
    found = (chart["intensive_fire"] if shot.intensive else 0) + (chart["captured"] if shot.captured else 0)
    return int(found + (chart["inexperienced"] if shot.green else 0))


def turret(first: int, second: int) -> bool:
    """C3.9 a coloured die below the white one strikes the turret, otherwise the hull."""
    return first < second


# C3.3, C13, C8.3 What may be fired at what


def types_of(gun: Tube) -> tuple[int, ...]:
    """C3.3 the target types of a weapon: mortars only Area, ATR and MG only Vehicle, LATW Vehicle and Infantry."""
    if gun.mortar:
        return (AREA,)
    if gun.kind in (ATR, "MG") or gun.caliber <= 15:
        return (VEHICLE,)
    return (VEHICLE, INFANTRY) if gun.kind in LATW else (VEHICLE, INFANTRY, AREA)


def blinds(shell: int) -> bool:
    """A24.2 whether it leaves a screen and attacks nobody on the IFT."""
    return shell in PLACED


def fits(gun: Tube, shell: int, target: int) -> bool:
    """C8.3, A24.2, C13.3 which shell may be fired on which type: SMOKE on the Area type alone, AP and its kin not on
    it."""
    if gun.kind in LATW:
        return target in (VEHICLE, INFANTRY)
    if blinds(shell):
        return target == AREA
    if shell == HE:
        return True
    return target in (VEHICLE, INFANTRY) if shell == AP else target == VEHICLE
