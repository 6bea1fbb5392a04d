"""D7 Overrun: a vehicle drives over enemy Infantry and Guns, which fire first and strike back afterwards."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.phases import Each, Once, Phase

from ..boards.costs import HALF
from ..combat.armour import GrappleRollAt, odds_against
from ..fire.air import DustAt, dusty
from ..fire.crews import exposed_riders, told, vehicle_of
from ..fire.fate import bail_out
from ..fire.firepower import OVERRUN_ATTACK, in_location
from ..fire.group import RollAt
from ..fire.ift import ift
from ..fire.mounts import MOUNTS, one_at_mg, one_man, rolls, shut_in
from ..table import verbs
from ..table.hardware import AAMG, CMG, MA
from ..table.ids import (
    ABOVE,
    BOUNDING,
    F_ATTACK_ROLL,
    F_DUST_DIE,
    F_GRAPPLE_ROLL,
    F_OVERRUN,
    F_REACTION,
    GONE,
    MMC,
    PHASES,
    SANGAR,
    UNDER_SANGAR,
)
from ..table.state import Attack, State, eliminate, good_order, men, put
from ..table.telling import emit
from ..table.works import works_in
from ..works.ruin import ruin
from .driving import ACROSS_RIM, AHEAD, ESCORTED, Drive, DriverAt, drive_of, go, stuck
from .points import price, quarter


class OverrunAt(NamedTuple):
    """D7.1 the attack of the vehicle that has driven into a Location."""

    frame: int
    vehicle: int


class ReactionAt(NamedTuple):
    """D7.2 the MMC that may still strike back at it."""

    frame: int
    vehicle: int
    left: int


# D7.1 What it is worth


def usable_mgs(s: State, u: int) -> int:
    """The MGs that it can bring to bear, as bits."""
    kind, found = vehicle_of(s, u), 0
    for mg in MOUNTS:
        shut = (mg == AAMG and shut_in(s, u)) or (mg == CMG and (one_man(s, u) or bool(one_at_mg(s) >> u & 1)))
        if kind.weapons & mg & ~(s.jam[u] | s.off[u] | s.used[u]) and not shut:
            found |= mg
    return found


def spent(s: State, u: int) -> int:
    """D3.5, AMB-171 what has fired in this Player Turn adds nothing."""
    return s.used[u] if s.edition > 5 else 0


def helpers(s: State, u: int) -> int:
    """D7.1 the Passengers who add their FP; Riders are none, and AMB-171 who has fired adds nothing."""
    found = good_order(s, exposed_riders(s, u))
    return found if s.edition < 7 else found & ~(s.riding | s.fired | s.served)


def overrun_fp(s: State, u: int) -> int:
    """D7.1 the FP of table overrun, in halves: its weight, half of thrice its MG FP, half of its Passengers' FP."""
    chart, kind = s.stage.pack.tables["overrun"], vehicle_of(s, u)
    base = chart["base_fp"]
    gun = kind.ma == "gun" and not (s.jam[u] | s.off[u] | spent(s, u)) & MA
    own = base["unarmored"] if not kind.armoured else base["afv_with_functioning_gun_ma" if gun else "afv"]
    mgs = sum(kind.fp(mg) for mg in MOUNTS if usable_mgs(s, u) & mg)
    riders = sum(s.kind(one).fp for one in units_of(helpers(s, u)))
    return int(HALF * (own + mgs * float(chart["mg_factor"]) + riders * float(chart["passenger_fp_factor"])))


# The deed


def enemy_places(s: State, now: Drive) -> int:
    """Hexes with enemy Infantry and Guns that are seen to be there, under a "?" or not."""
    roster = s.stage.roster
    foes = (roster.men & ~(s.captive | s.mounted) | roster.guns | roster.dummies) & roster.of_side[1 - s.phasing]
    foes &= ~s.hip
    beside = s.stage.grid.within(now.here, 1)  # it goes no farther
    return s.stage.numbers(sum([1 << h for h in hexes_in(beside) if s.here.get(h, 0) & foes]))


def overrun_cost(s: State, now: Drive, g: int) -> int:
    found = price(s, now.unit, s.stage.into[g], now.back)
    return 9999 if found is None else found.halves + quarter(s, now.unit)


OVERRUN: Bars[State, Drive] = Bars(
    AHEAD,
    ESCORTED,
    ACROSS_RIM,
    Need("D7.1", "no enemy Infantry or Gun is there to be Overrun", enemy_places),
    Bar("D7.1", "it does not Overrun in reverse", lambda s, now: -1 if now.back else 0),
    Bar("D5.341", "it is Recalled", lambda s, now: -1 if s.recalled >> now.unit & 1 else 0),
    Doubt("D7.1", "with a quarter of its MP it costs more than are left", lambda s, now, g: dear(s, now, g)),
)


def dear(s: State, now: Drive, g: int) -> bool:
    return overrun_cost(s, now, g) > now.left


def overrun(s: State, f: DriverAt, g: int) -> None:
    """D7.1, D7.2 it drives in; they may fire at it there before the Overrun is resolved."""
    now, h = drive_of(s), s.stage.into[g]
    s.stack.append(OverrunAt(F_OVERRUN, now.unit))
    now.move.overran = h
    go(s, h, overrun_cost(s, now, g))


class Overrun(Frame[State, OverrunAt]):
    """D7.1 one attack on everybody there; then those who are left strike back."""

    at = OverrunAt

    def run(self, s: State, f: OverrunAt) -> None:
        s.stack.pop()
        u = f.vehicle
        if s.move is not None:
            s.move.overran, s.move.belly = -1, 0  # F8.51c
        if stuck(s, u) or s.bogged >> u & 1:
            return
        fp = overrun_fp(s, u)
        s.fired |= helpers(s, u) if s.edition > 6 else 0  # AMB-171
        kind, used, before = vehicle_of(s, u), usable_mgs(s, u), s.used[u]
        attack = Attack(
            fire=BOUNDING,
            side=s.phasing,
            target=s.at[u],
            residual=OVERRUN_ATTACK,
            by=u,
            fp=fp,
            column=ift().column(fp / HALF),
        )
        s.stack.append(ReactionAt(F_REACTION, u, -1))
        for mg in MOUNTS:
            if used & mg:
                s.used[u] |= rolls(kind, mg)
        if s.edition > 5 and kind.ma == "gun" and not (s.jam[u] | s.off[u]) & MA:  # AMB-171
            s.used[u] |= MA
        emit(s, "overrun", "D7.1", {**told(s, u), "fp": fp / HALF})
        if s.edition > 6 and s.used[u] & ~before & MA:  # D6.2
            bail_out(s, u)
        if in_location(s, attack):
            s.attack = attack
            s.stack.append(RollAt(F_ATTACK_ROLL))
            if dusty(s) and s.edition > 4:  # F11.71b
                s.stack.append(DustAt(F_DUST_DIE, 0))


def crush(s: State, u: int) -> None:
    """F8.41b, F8.41c a fully-tracked AFV that can still move leaves no sangar, nor a Gun in it."""
    kind, h = vehicle_of(s, u), s.at[u]
    sangars = works_in(s, h, SANGAR)
    if not sangars or not kind.tracked or not kind.armoured or stuck(s, u) or s.bogged >> u & 1:
        return
    emit(s, "crushed", "F8.41b", {"hex": h, "unit": u, "side": s.stage.roster.side[u]})
    for one in units_of(s.here.get(h, 0)):
        if s.under[one] == UNDER_SANGAR:
            s.under[one] = ABOVE
            if s.stage.roster.guns >> one & 1:
                emit(s, "eliminated", "F8.41b", told(s, one))
                eliminate(s, one)
    for one in units_of(sangars):
        put(s, one, GONE)


def avengers(s: State, u: int) -> int:
    """D7.2 surviving, unbroken and unpinned MMC of the Location."""
    near = men(s, s.at[u], 1 - s.stage.roster.side[u]) & ~(s.broken | s.pinned)
    return sum(1 << one for one in units_of(near) if s.kind(one).kind in MMC)


REACT: Bars[State, ReactionAt] = Bars(
    Need("D7.2", "{unit} is no unpinned MMC that was Overrun", lambda s, f: avengers(s, f.vehicle)),
    Need("D7.2", "{unit} has struck back", lambda s, f: f.left),
)


def react(s: State, f: ReactionAt, u: int) -> None:
    s.stack[-1] = f._replace(left=f.left & ~(1 << u))
    s.concealed &= ~(1 << u)
    s.stack.append(GrappleRollAt(F_GRAPPLE_ROLL, 1 << u, f.vehicle))


def react_odds(s: State, f: ReactionAt, action: Action) -> Any:
    return odds_against(s, 1 << action[1], f.vehicle)


def no_more(s: State, f: ReactionAt) -> None:
    s.stack.pop()


class Reaction(Phase[State, ReactionAt, ReactionAt]):
    """D7.2 CC Reaction Fire: each surviving unpinned MMC may attack the vehicle once."""

    at = ReactionAt
    does = (Each(verbs.REACT, bars=REACT, take=react, odds=react_odds), Once(verbs.HOLD, take=no_more))

    def now(self, s: State, f: ReactionAt) -> ReactionAt:
        return f

    def actor(self, s: State, f: ReactionAt) -> int | None:
        u = f.vehicle
        if f.left == -1 or s.at[u] < 0 or s.wreck >> u & 1:
            return None
        return 1 - s.stage.roster.side[u] if avengers(s, u) & f.left else None

    def run(self, s: State, f: ReactionAt) -> None:
        u = f.vehicle
        if f.left == -1 and s.move is not None and s.move.razed:
            s.move.razed = 0
            ruin(s, s.move.hex, True)
        if f.left == -1 and s.at[u] >= 0 and not s.wreck >> u & 1:
            crush(s, u)
            s.stack[-1] = f._replace(left=avengers(s, u))
        else:
            s.stack.pop()

    def prompt(self, s: State, f: ReactionAt) -> Prompt:
        return Prompt(Text("Strike back at {unit}?", unit=f.vehicle), "CC Reaction Fire", ("D7.2",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_OVERRUN: Overrun(), F_REACTION: Reaction()}
