"""C6.5, C6.4, C.8 What a firer has of its target: acquired, bore-sighted, and for how many MP on the move in sight.

A weapon that has fired at a vehicle has acquired that vehicle, wherever it goes in sight; one that has fired at a hex
or at those in it has acquired the hex.
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.memory import Asking

from ..boards.locations import Place, Spot
from ..fire.sights import clear, in_sight
from ..table.captives import nation_of
from ..table.counters import captured_use
from ..table.hardware import SA
from ..table.ids import ADVANCING, BOUNDING, CREW, HALF_SQUAD, SMC
from ..table.state import Shoot, State, good_order, men
from ..table.telling import emit
from ..table.works import spot

MOST = 2


def aims(s: State, weapon: int) -> dict[int, tuple[int, int, int]]:
    """The acquisitions of main armaments, Guns and Support Weapons, or of second guns."""
    return s.aim_second if weapon == SA else s.aim


def acquired(s: State, u: int, weapon: int, unit: int, h: Hex) -> int:
    """C6.5 how well a weapon has its target: 0, 1 or 2; `unit` is -1 for a hex."""
    found = aims(s, weapon).get(u)
    if found is None:
        return 0
    same = found[0] == unit if unit >= 0 else found[0] < 0 and found[1] == h
    return found[2] if same else 0


def acquire(s: State, u: int, weapon: int, unit: int, h: Hex) -> None:
    """C6.5 a shot has been fired at this: -1 for the next one, then -2; whatever was acquired before is lost."""
    level = min(MOST, acquired(s, u, weapon, unit, h) + 1)
    aims(s, weapon)[u] = (unit, h, level)
    facts = {"hex": h, "level": -level, "side": s.stage.roster.side[u]}
    emit(s, "acquired", "C6.5", facts if unit < 0 else {**facts, "unit": unit})


def look_away(s: State, u: int, weapon: int, h: Hex) -> None:
    """C6.5 rapid fire or canister at another target than the one acquired changes the target."""
    found = aims(s, weapon).get(u)
    if found is not None and h != (s.at[found[0]] if found[0] >= 0 else found[1]):
        del aims(s, weapon)[u]


def lose(s: State, u: int) -> None:
    """C6.5 it has moved, malfunctioned, or its crew is broken."""
    s.aim.pop(u, None)
    s.aim_second.pop(u, None)


def user_of(s: State, u: int) -> int:
    """Who serves a weapon: a vehicle itself, whoever holds a Gun or Support Weapon; -1 if nobody does."""
    return u if s.stage.roster.vehicles >> u & 1 else s.holder[u]


def unskilled(s: State, u: int, user: int) -> bool:
    """C2.1, A21.1 Case H: no crew or HS of its nation at a Gun, or a captured weapon."""
    if taken(s, u, user):
        return True
    return bool(s.stage.roster.guns >> u & 1) and s.kind(user).kind not in (CREW, HALF_SQUAD)


def taken(s: State, u: int, user: int) -> bool:
    """C4.1, A21.1 whether it is used as captured."""
    if s.stage.roster.vehicles >> u & 1:
        return False
    return captured_use(s.kind(u), nation_of(s, user), s.stage.month)


def beside(s: State, user: int, side: int) -> int:
    """C9.3 Good Order SMC and HS beside the crew of a mortar."""
    found = 0
    for h in hexes_in(s.stage.field.accessible(s.at[user]) | 1 << s.at[user]):
        found |= good_order(s, men(s, h, side))
    return sum(1 << u for u in units_of(found & ~(1 << user)) if s.kind(u).kind in (HALF_SQUAD, *SMC))


def spotters(s: State, u: int, user: int) -> tuple[int, ...]:
    """C9.3, C6.5 who could spot for a mortar: what one of them sees is not out of its sight."""
    kind = s.kind(u)
    mortar = kind.weapon == "MTR" or (kind.gun is not None and kind.gun.kind == "MTR")
    return units_of(beside(s, user, s.stage.roster.side[user])) if mortar and s.edition > 3 else ()


def prune(s: State) -> None:
    """C6.5 what is lost: the crew is broken or gone, the target is gone or out of sight."""
    if not (s.aim or s.aim_second):
        return
    out = s.broken | s.wreck
    with Asking(s):
        for table in (s.aim, s.aim_second):
            for u in [u for u, aimed in table.items() if _lost(s, u, aimed, out)]:
                del table[u]


def _lost(s: State, u: int, aimed: tuple[int, int, int], out: int) -> bool:
    """The same of one weapon and its target."""
    who, (unit, h, _) = user_of(s, u), aimed
    if who < 0 or s.at[u] < 0 or out >> who & 1:
        return True
    if unit >= 0 and (s.at[unit] < 0 or s.wreck >> unit & 1):
        return True
    mine = spot(s, who)
    if unit >= 0:
        return not clear(s, mine, spot(s, unit))
    foes = men(s, h, 1 - s.stage.roster.side[u])
    if in_sight(s, mine, h, foes):
        return False
    return not any(in_sight(s, spot(s, one), h, foes) for one in spotters(s, u, who))


def bore_sighted(s: State, u: int, h: Hex) -> bool:
    """C6.4 Case M, as long as the Gun stands and faces as it was set up."""
    return h in s.bore.get(u, ())


def shift(s: State, u: int) -> None:
    """C6.4 it has changed its CA or moved: its bore sights are worth nothing any more."""
    s.bore.pop(u, None)


# C.8, C5.2 Vehicles on the move


def is_moving(s: State, u: int) -> bool:
    """C.8 a vehicle that has entered a hex, or was in Motion, in this Player Turn."""
    if not s.stage.roster.vehicles >> u & 1:
        return False
    if s.edition > 2 and s.rolled >> u & 1:
        return True
    return bool(s.motion >> u & 1) or len({h for h, _ in s.track.get(u, ())}) > 1


def mp_seen(s: State, user: int, u: int) -> float:
    """C.8 the MP that a vehicle has spent in the firer's LOS in this MPh; 99 if it has spent none at all."""
    way = s.track.get(u, ())
    if not way:
        return 99
    mine = spot(s, user)
    return sum(halves for h, halves in way if s.stage.sights.sees(mine, _passed(s, u, h))) / 2


def _passed(s: State, u: int, h: Hex) -> Spot:
    """Where a vehicle was in a hex of its way: IN a wadi, unless it is at its Crest now."""
    below = s.stage.field.has("wadi", h) and s.edition > 2 and not (h == s.at[u] and s.place[u] == Place.CREST)
    return Spot(h, Place.IN if below else Place.GROUND)


def sighted(s: State, u: int, shoot: Shoot, target: int) -> float:
    """C5.2, AMB-108 Cases C1 and C2: the MP that a vehicle which fires in its own MPh, or in Motion in its AFPh, has
    spent in that MPh where it had its target in sight; 99 if they do not apply."""
    way, late = s.track.get(u, ()), shoot.fire == ADVANCING and s.edition > 4
    if shoot.fire != BOUNDING and not (late and way):
        return 99
    if s.edition < 5:
        return sum(halves for at, halves in way if s.stage.sights.sees(Spot(at), Spot(shoot.hex))) / 2
    there = spot(s, target) if target >= 0 else Spot(shoot.hex)
    return sum(halves for at, halves in way if s.stage.sights.sees(_passed(s, u, at), there)) / 2
