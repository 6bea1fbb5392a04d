"""A3.8, A3.9 What comes at the end of a Player Turn: markers come off, concealment is gained, and victory is judged."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import units_of

from ..fire.air import murky
from ..fire.crews import wake
from ..fire.sights import sees
from ..table import verbs
from ..table.captives import count_prisoners
from ..table.ids import F_CONCEAL, F_END, LEADER, PHASES
from ..table.state import State, all_men, all_vehicles, equivalents, good_order, gun_of, men, on_map
from ..table.telling import emit
from ..table.works import spot
from ..vehicles.points import points_at_end
from .victory import judge

SHELTERED = ("building_stone", "woods")
"""A12.12 where it is easier to hide; F12.44 a tomb is no building."""


class ConcealAt(NamedTuple):
    """A12.12 who may still gain a "?"."""

    frame: int
    left: int


def covered(s: State, u: int) -> bool:
    """A12.12, F2.3a whether a unit is in Concealment Terrain: scrub is, for Infantry."""
    chart = s.stage.pack.tables["concealment"]
    word = s.stage.field.terrain[s.at[u]]
    return word in chart["terrain"] or word in chart["limited_terrain"]


def unbroken_foes(s: State, u: int) -> int:
    """A12.12 all unbroken enemies, vehicles that have a crew and whoever is aboard among them; hidden ones keep it."""
    roster = s.stage.roster
    side = 1 - roster.side[u]
    foes = all_men(s, side)
    if s.edition > 2:
        foes |= on_map(s) & s.mounted & roster.men & roster.of_side[side] | all_vehicles(s, side) & ~s.abandoned
    return foes & ~(s.broken | s.hip)


def seen(s: State, u: int) -> bool:
    """Whether an unbroken enemy sees it; F11.601b, AMB-62 in DLV nobody does who is 17 hexes away or more."""
    foes = units_of(unbroken_foes(s, u))
    least = int(s.stage.pack.tables["concealment"]["dlv_gain_min_range"])
    if covered(s, u) and all(
        s.stage.grid.distance(s.at[e], s.at[u]) >= least and murky(s, spot(s, e), spot(s, u)) for e in foes
    ):
        return False
    return any(sees(s, e, s.at[u], 1 << u) for e in foes)


def gain(s: State, u: int) -> None:
    """A12.12, F11.601b the Emplaced Gun that a unit mans gains its "?" with it."""
    s.concealed |= 1 << u
    gun = gun_of(s, u)
    if gun >= 0 and s.emplaced >> gun & 1 and s.edition > 5:
        s.concealed |= 1 << gun
    side = s.stage.roster.side[u]
    emit(s, "concealed", "A12.12", {"unit": u, "hex": s.at[u], "side": side})


class Conceal(OneDie[State, ConcealAt]):
    """A12.12 out of sight for nothing; in sight, in Concealment Terrain, idle and unattacked, on a dr of 5 or less."""

    at = ConcealAt

    def actor(self, s: State, f: ConcealAt) -> int | None:
        return super().actor(s, f) if self.next(s, f) >= 0 else None

    def next(self, s: State, f: ConcealAt) -> int:
        """The first who has to roll for it, -1 if nobody has."""
        busy = s.moved | s.fired | s.shot | (s.served if s.edition > 2 else 0)
        for u in units_of(f.left & ~busy):
            if covered(s, u) and seen(s, u):
                return u
        return -1

    def run(self, s: State, f: ConcealAt) -> None:
        s.stack.pop()
        for u in units_of(f.left):
            if not seen(s, u) and (covered(s, u) or far(s, u)):
                gain(s, u)

    def take(self, s: State, f: ConcealAt, action: Action) -> None:
        u = self.next(s, f)
        s.stack[-1] = f._replace(left=f.left & ~(1 << u))
        chart = s.stage.pack.tables["concealment"]
        drm = chart["gain_drm"]
        here = men(s, s.at[u], s.stage.roster.side[u])
        final = action[1] + (int(drm["cx"]) if s.cx >> u & 1 else 0)
        final += int(drm["leader_present"]) if any(s.kind(one).kind == LEADER for one in units_of(here)) else 0
        final += int(drm["per_extra_squad_in_stack"]) * max(0, equivalents(s, here) // 2 - 1)
        if s.edition > 2 and s.stage.field.terrain[s.at[u]] in SHELTERED:
            final += int(drm["in_building_or_woods"])
        gained = final <= int(chart["gain_dr"])
        emit(s, "hides", "A12.12", {"unit": u, "hex": s.at[u], "die": action[1], "passed": gained}, final=True)
        if gained:
            gain(s, u)

    def prompt(self, s: State, f: ConcealAt) -> Prompt:
        return Prompt(Text("{unit} tries to hide", unit=self.next(s, f)), "", ("A12.12",), PHASES[s.phase])


def far(s: State, u: int) -> bool:
    """A12.12 outside Concealment Terrain only beyond 16 hexes of all enemies."""
    return all(s.stage.grid.distance(s.at[e], s.at[u]) > 16 for e in units_of(unbroken_foes(s, u)))


def hopefuls(s: State) -> int:
    """Good Order units of the phasing side without a "?"."""
    return good_order(s, all_men(s, s.phasing)) & ~s.concealed


class EndAt(NamedTuple):
    """The end of a Player Turn."""

    frame: int


class End(Frame[State, EndAt]):
    """A3.8, A3.9"""

    at = EndAt

    def run(self, s: State, f: EndAt) -> None:
        s.stack.pop()
        s.pinned = s.fired = s.spent_fire = s.moved = s.shot = s.tried = s.routed = s.handed = 0
        s.self_rallied = s.directed = s.served = s.handled = 0
        s.worked = bytearray(len(s.worked))
        s.tended = bytearray(len(s.tended))
        s.used = bytearray(len(s.used))
        s.ti = s.waits = s.clears = s.encircled = s.lobbed = 0
        s.charges, s.crossed, s.guided = {}, {}, {}
        s.residual = {}
        s.track = {}
        s.paces = {}
        s.used = bytearray(len(s.used))
        s.smoked = s.roused = 0
        s.rolled = s.motion
        wake(s)
        if s.phasing != s.stage.first and s.turn >= s.stage.turns:
            count_prisoners(s)
            points_at_end(s)
            judge(s)
            return
        if s.phasing != s.stage.first:
            s.turn += 1
        s.phasing = 1 - s.phasing
        stood = s.settling & s.stage.roster.of_side[s.phasing]  # C2.6
        s.settling &= ~stood
        s.limbered &= ~(stood & ~s.mounted)


FRAMES: dict[int, Frame[State, Any]] = {F_CONCEAL: Conceal(verbs.FELL), F_END: End()}
