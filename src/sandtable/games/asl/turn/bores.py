"""C6.4, A2.9 Bore sights: after set-up, before the first RPh, a Gun names the hexes that it is laid on beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine.contract import Event, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.phases import Listed, Once, Phase

from ..boards.locations import Spot
from ..los.arcs import arc
from ..ordnance.aim import area_reach, tube_of
from ..table import verbs
from ..table.forces import force_of
from ..table.ids import F_BORE
from ..table.scenarios import BoresAt
from ..table.state import State
from ..table.works import spot


def allowed(s: State, u: int) -> int:
    """How many hexes a Gun may name, by its group."""
    force = force_of(s.stage.scenario, u)
    return force.bores if force is not None else 0


def guns(s: State, side: int) -> list[int]:
    """Manned Guns on the map that may name another hex."""
    roster = s.stage.roster
    found = units_of(roster.guns & roster.of_side[side])
    return [u for u in found if s.at[u] >= 0 and s.holder[u] >= 0 and len(s.bore.get(u, ())) < allowed(s, u)]


def in_range(s: State, u: int) -> Mask:
    gun = tube_of(s, u)
    return 0 if gun is None else area_reach(s, u, gun)


def fault(s: State, u: int, h: Hex) -> Reason | None:
    """C6.4 what can be bore-sighted: a hex in sight, within range and CA."""
    if h in s.bore.get(u, ()):
        return Reason("C6.4", "it is bore-sighted on that hex already")
    if not in_range(s, u) >> h & 1:
        return Reason("C6.4", "the hex is out of range")
    if not arc(s.stage.field, s.at[u], s.vca[u]) >> h & 1:
        return Reason("C6.4", "the hex is outside its CA")
    if h == s.at[u] or not s.stage.sights.sees(spot(s, u), Spot(h)):
        return Reason("C6.4", "the Gun does not see the hex")
    return None


def bores(s: State, f: BoresAt, now: object) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for u in guns(s, f.side):
        named = sum(1 << h for h in {s.at[u], *s.bore.get(u, ())})
        seen = s.stage.sights.seen_from(spot(s, u)) & in_range(s, u) & arc(s.stage.field, s.at[u], s.vca[u])
        found += [(u, g) for g in hexes_in(s.stage.numbers(seen & ~named))]
    return found


def why_not(s: State, f: BoresAt, now: object, args: Sequence[int]) -> Reason | None:
    u, h = args[0], s.stage.into[args[1]]
    if u not in guns(s, f.side):
        return Reason("C6.4", "it is no manned Gun that may name another hex")
    return Reason("C6.4", "the Gun does not see the hex") if h < 0 else fault(s, u, h)


def bore(s: State, f: BoresAt, u: int, g: int) -> None:
    """Noted in secret (A2.9)."""
    h = s.stage.into[g]
    s.bore[u] = (*s.bore.get(u, ()), h)
    s.events.append(Event("bore_sighted", "C6.4", {"unit": u, "hex": g, "side": f.side}, f.side, {}, True))


def done(s: State, f: BoresAt) -> None:
    s.stack.pop()


class Bores(Phase[State, BoresAt, object]):
    """C6.4"""

    at = BoresAt
    does = (
        Listed(verbs.BORE, of=bores, reason=why_not, take=bore),
        Once(verbs.END_BORES, take=done),
    )

    def now(self, s: State, f: BoresAt) -> object:
        return None

    def actor(self, s: State, f: BoresAt) -> int | None:
        return f.side if guns(s, f.side) else None

    def run(self, s: State, f: BoresAt) -> None:
        s.stack.pop()

    def prompt(self, s: State, f: BoresAt) -> Prompt:
        return Prompt("Bore sights", "Which hexes are the Guns laid on beforehand?", ("C6.4", "A2.9"), "rally")


FRAMES: dict[int, Frame[State, Any]] = {F_BORE: Bores()}
