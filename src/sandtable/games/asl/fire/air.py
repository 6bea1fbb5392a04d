"""F11.6 Desert Low Visibility in fire: sun, haze, dust and wind, and the extra die that is rolled in dust."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import term
from sandtable.mechanics.dice import OneDie

from ..boards.locations import Place, Spot
from ..los.visibility import Dlv, dust_die, in_sun, in_sun_zone, low_visibility
from ..table import verbs
from ..table.ids import F_CHECK, F_DUST_DIE, INTERDICTION, MPH, PHASES
from ..table.state import State
from ..table.telling import emit
from ..table.weather import air, density
from .morale import CheckAt

THIN = ("light", "moderate")
"""F11.6a the dust that is Low Visibility; heavier dust is a Hindrance like others."""
AIR_WORDS = {
    "sun": term("the sun in the eyes"),
    "haze": term("heat haze"),
    "dust": term("dust"),
    "upwind": term("into the wind"),
}


BUILDINGS = ("building_stone", "tomb")


class DustAt(NamedTuple):
    """F11.71b the extra dr of an attack in dust; `shot` is 1 for ordnance."""

    frame: int
    shot: int
    unit: int = -1  # F11.711b a router who is interdicted (`shot` is 2)


def dlv(s: State, firer: Spot, target: Spot, vehicle: bool, face: int, side: int = -1) -> list[Dlv]:
    """E3.1, F11.6a every Low Visibility Hindrance of a line; at range 0 only the die of dust, and for a side's fire the
    sun against an enemy who has come out of it (TN8)."""
    found = low_visibility(air(s), s.stage.field, firer, target, vehicle, face or None)
    if firer.hex == target.hex:
        indoors = s.stage.field.terrain[firer.hex] in BUILDINGS and Place.BYPASS not in (firer.place, target.place)
        found = [] if indoors else [one for one in found if one.kind == "dust"]  # F11.792
        if side == 1 - s.phasing and out_of_the_sun(s, target.hex):
            found.append(Dlv("TN8", "sun", 2))
    return found


def out_of_the_sun(s: State, h: Hex) -> bool:
    """TN8 whether the mover has entered this hex across a hexside in the Sun Blindness Zone of those in it."""
    move, now = s.move, air(s)
    if s.edition < 3 or now.sun == "none" or move is None or move.hex != h or move.came == h or s.phase != MPH:
        return False
    (x, y), (cx, cy) = s.stage.field.place[h], s.stage.field.place[move.came]
    return in_sun_zone(now, 3 * (cx - x), cy - y)


def interdict(s: State, u: int) -> None:
    """A10.53, F11.711b a router takes a NMC; in Light and Moderate Dust less what the extra die says."""
    if density(s) in THIN:
        s.stack.append(DustAt(F_DUST_DIE, 2, u))
    else:
        s.stack.append(CheckAt(F_CHECK, u, INTERDICTION, 0))


def murky(s: State, viewer: Spot, target: Spot) -> bool:
    """F11.6a, F11.601c whether any DLV lies between: dust or haze everywhere, the sun only where it blinds."""
    now = air(s)
    return now.dust in THIN or now.haze != "none" or in_sun(now, s.stage.field, viewer, target)


def dusty(s: State) -> bool:
    """Whether a shot needs the extra die."""
    return density(s) != "none"


class DustDie(OneDie[State, DustAt]):
    """F11.71b, F11.72"""

    at = DustAt

    def take(self, s: State, f: DustAt, action: Action) -> None:
        s.stack.pop()
        if f.unit >= 0:
            s.stack.append(CheckAt(F_CHECK, f.unit, INTERDICTION, -dust_die(density(s), action[1])))
        elif f.shot:
            assert s.shoot is not None
            s.shoot.dusty = action[1]
        else:
            assert s.attack is not None
            s.attack.dusty = action[1]
        emit(s, "dust_die", "F11.71b", {"die": action[1]}, final=True)

    def prompt(self, s: State, f: DustAt) -> Prompt:
        return Prompt("The die of dust", "", ("F11.71b", "F11.72"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_DUST_DIE: DustDie(verbs.FELL)}
