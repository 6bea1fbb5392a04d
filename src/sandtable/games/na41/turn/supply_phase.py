"""16 Supply and attrition: the Supply Phase. How lines run is in lines.py."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Mask
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.phases import Each, Elsewhere, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..combat.losses import step_loss
from ..combat.strengths import is_elite, is_low
from ..supply.depots import refit, stocked
from ..supply.supply_lines import claimants, full, served, source_limits, traced, units_at
from ..table.frames import IsolationAt, PortSupplyAt, RefitAt, SupplyAt
from ..table.ids import F_ISOLATION, F_PORT_SUPPLY, F_REFIT, F_SUPPLY, PHASES
from ..table.position import controlled, eliminate, good_order, of_no_use, touch_markers
from ..table.state import State
from ..table.verbs import V_END_SUPPLY, V_FEED, V_READY, V_ROLLED, all_but
from ..table.zones import beside, beside_any

# 16.1 Who is in supply


def checked(s: State, side: int) -> int:
    """16.1a the units on the map that are checked: combat units, trucks and replacement units, so all of them."""
    inside = 0
    for box in hexes_in(s.board.own_boxes[side]):
        inside |= s.here.get(box, 0)
    return s.present & s.board.of_side[side] & ~inside


# 16.2 Port supply


def eligible(s: State, side: int) -> int:
    """16.2c the units that a port still has room for beside those already chosen."""
    chosen = s.fed & s.board.of_side[side]
    berths = served(s, side, chosen)
    return sum(1 << u for u in claimants(s, side) if not chosen >> u & 1 and berths.has_room(u))


class Serving(NamedTuple):
    """Whose ports serve, and whom they can serve besides those who are chosen."""

    side: int
    eligible: int
    claimants: int


FEEDING: Bars[State, Serving] = Bars(
    Need("16.2d", "{unit} is not yours", lambda s, now: s.board.of_side[now.side]),
    Bar("16.2d", "{unit} has been chosen", lambda s, _: s.fed),
    Need("16.2b", "{unit} has full supply, or can trace no line to a port", lambda s, now: now.claimants),
    Need("16.2c", "the ports that {unit} can trace to supply as many units as they can", lambda s, now: now.eligible),
)
"""16.2 whom the ports can still supply."""


def feed(s: State, f: PortSupplyAt, u: int) -> None:
    """16.2d a port supplies a unit."""
    s.fed |= 1 << u
    emit(s, "port_supply", "16.2d", {"unit": u, "hex": s.at[u], "side": f.side})


class PortSupply(Phase[State, PortSupplyAt, Serving]):
    """16.2d The owner decides which units his ports supply, if they cannot supply all. Frame: side."""

    at = PortSupplyAt
    does = (
        Each(V_FEED, of=lambda s, now: now.eligible, bars=FEEDING, take=feed),
        Elsewhere("16.2d", "first choose the units that the ports supply", *all_but(V_FEED)),
    )

    def now(self, s: State, f: PortSupplyAt) -> Serving:
        return Serving(f.side, eligible(s, f.side), sum(1 << u for u in claimants(s, f.side)))

    def actor(self, s: State, f: PortSupplyAt) -> int | None:
        chosen = s.fed & s.board.of_side[f.side]
        more = eligible(s, f.side)
        return None if served(s, f.side, chosen | more).all_served else f.side

    def run(self, s: State, f: PortSupplyAt) -> None:
        s.stack.pop()
        s.fed |= eligible(s, f.side)

    def prompt(self, s: State, f: PortSupplyAt) -> Prompt:
        limits = source_limits(s, f.side)
        wanted = 0
        for ports in claimants(s, f.side).values():
            wanted |= ports
        where = [Text("{hex} {n}", hex=s.board.hex_name(h), n=limits[h]) for h in hexes_in(wanted)]
        chosen = (s.fed & s.board.of_side[f.side]).bit_count()
        text = Text(
            "Units a port can supply: {places}. {n} depend on them, {chosen} are chosen",
            places=where,
            n=len(claimants(s, f.side)),
            chosen=chosen,
        )
        return Prompt("Which units do the ports supply?", text, ("16.2d", "16.2c"), PHASES[s.phase])


# 16.1c, 16.1d Markers


def mark(s: State, side: int) -> None:
    """16.1c, 16.1d who is out of supply gets a marker, or has it turned to the red side; the others lose theirs."""
    own = s.board.of_side[side]
    on_map = checked(s, side)
    fully = on_map & ~units_at(s, side, ~full(s, side))
    out = on_map & ~fully & ~s.fed
    before = s.oos & own
    again = out & before
    back = before & ~out
    s.oos = s.oos & ~own | out
    s.isolated = s.isolated & ~own | again
    touch_markers(s)  # 16.4a how far a unit goes hangs on its marker
    data = {
        "side": side,
        "full": fully.bit_count(),
        "by_port": (on_map & s.fed & ~fully).bit_count(),
        "units": list(units_of(out & ~before)),
        "red": names(s, again),
        "back": names(s, back),
    }
    emit(s, "supply", "16.1c", data)


def names(s: State, units: int) -> list[str]:
    return [s.board.units[u] for u in units_of(units)]


class Supply(Frame[State, SupplyAt]):
    """3.2g The Supply Phase of the phasing player: check, isolation attrition, refit of ASUs. Frame: step."""

    at = SupplyAt

    def run(self, s: State, f: SupplyAt) -> None:
        step, side = f.step, s.active
        s.stack[-1] = SupplyAt(F_SUPPLY, step + 1)
        if step == 0:
            s.fed &= ~s.board.of_side[side]  # 16.2d decided anew each time
            if claimants(s, side):
                s.stack.append(PortSupplyAt(F_PORT_SUPPLY, side))
        elif step == 1:
            mark(s, side)
            # the first goes on top of the stack
            s.stack += [IsolationAt(F_ISOLATION, u) for u in reversed(isolated(s, side))]
        elif step == 2:
            lose_asus(s, side)
            s.stack.append(RefitAt(F_REFIT, side))
        else:
            s.stack.pop()


# 16.5 Isolation attrition


def isolated(s: State, side: int) -> list[int]:
    """16.5.1a the combat units that roll, in the order of their hexes: marked red, and without a line to a friendly
    unit in full or port supply; not ASUs (16.5.1b), nor units with water (16.5.1c)."""
    units = s.isolated & s.board.of_side[side] & s.board.combat & ~s.board.asus
    dry = sum([1 << u for u in units_of(units) if not has_water(s, u)])
    if not dry:
        return []
    supplied = places(s, checked(s, side) & ~s.oos)
    cut = dry & units_at(s, side, ~traced(s, side, supplied)) if supplied else dry
    return sorted(units_of(cut), key=lambda u: (s.at[u], u))


def places(s: State, units: int) -> Mask:
    found = 0
    for u in units_of(units):
        found |= 1 << s.at[u]
    return found


def has_water(s: State, u: int) -> bool:
    """16.5.1c, A41 not adjacent to an enemy unit, and within three hexes of a water source."""
    board, h = s.board, s.at[u]
    side = board.side[u]
    if beside_any(s, enemy(side)) >> h & 1:
        return False
    near = board.grid.within(h, board.general["water_source_range"])
    return bool((board.towns | board.landmarks) & near) or any(is_well(s, side, x) for x in wells(s, side, near))


def wells(s: State, side: int, near: Mask) -> Iterable[int]:
    """Places near by where own units or SPs are."""
    return (x for x in {*hexes_in(s.occ[side] & near), *s.sp[side]} if near >> x & 1)


def is_well(s: State, side: int, place: int) -> bool:
    """16.5.1c MSUs, SPs and ASUs that are not depleted carry water."""
    here = s.here.get(place, 0) & s.board.of_side[side]
    return bool(s.sp[side].get(place, 0) or here & (s.msu | s.board.asus & ~s.depleted))


def isolation_terms(s: State, u: int) -> list[tuple[int, str, Said]]:
    """16.5.4 the modifiers of a unit's isolation roll, which add up (16.5.4d): value, rule, words."""
    board, h = s.board, s.at[u]
    side = board.side[u]
    drm = board.pack.tables["isolation"]["drm"]
    fields = board.airfields & controlled(s, side)
    for v in units_of(checked(s, side) & board.hqs & ~of_no_use(s)):  # 21.1.5b
        fields |= 1 << s.at[v]
    fields &= ~beside(s, enemy(side))
    found: list[tuple[int, str, Said]] = []
    if fields and traced(s, side, fields) >> h & 1:
        found.append(
            (drm["airfield_or_corps_hq"], "16.5.4a", term("line of supply to a friendly airfield or corps HQ"))
        )
    if s.forts[side] and traced(s, side, s.forts[side]) >> h & 1:
        found.append((drm["fortification"], "16.5.4b", term("line of supply to a friendly fortification")))
    if is_elite(s, u):
        found.append((drm["elite"], "16.5.4c", term("elite")))
    if is_low(s, u):
        found.append((drm["low"], "16.5.4c", term("low quality")))
    return found


def worst(s: State, drm: int) -> int:
    """16.5.3 the highest face of the die at which a unit with these modifiers loses a step."""
    return int(max(s.board.pack.tables["isolation"]["loses_one_step"])) - drm


class Isolation(OneDie[State, IsolationAt]):
    """16.5.2a One die for one isolated unit. Frame: unit."""

    at = IsolationAt

    def take(self, s: State, f: IsolationAt, action: Action) -> None:
        s.stack.pop()
        u, die = f.unit, action[1]
        drm = sum(value for value, _, _ in isolation_terms(s, u))
        lost = die <= worst(s, drm)
        data = {"unit": u, "hex": s.at[u], "side": s.board.side[u], "die": die, "drm": drm, "lost": lost}
        emit(s, "isolation", "16.5.3", data, final=True)
        if lost:
            step_loss(s, u, "16.5.2d", surrenders=True)  # 16.5.2e

    def prompt(self, s: State, f: IsolationAt) -> Prompt:
        u = f.unit
        terms = isolation_terms(s, u)
        chance = Fraction(max(0, min(6, worst(s, sum(value for value, _, _ in terms)))), 6)
        text: Said = Text("{chance} to lose a step", chance=str(chance))
        for value, _, why in reversed(terms):
            one = Text("{value} {text}", value=f"{value:+d}", text=why)
            text = Text("{first}; {more}", first=one, more=text)
        rules = ("16.5.3", *dict.fromkeys(rule for _, rule, _ in terms))
        return Prompt(Text("Isolation attrition of {unit}", unit=s.board.unit_names[u]), text, rules, PHASES[s.phase])


def lose_asus(s: State, side: int) -> None:
    """16.5.2b, 16.5.2c an ASU marked red is lost at once, unless a friendly unit that is no ASU is with it or at the
    end of a line from it; 16.5.2e it goes to the Surrender Box. After the rolls, for they may leave it alone."""
    board = s.board
    asus = s.isolated & board.of_side[side] & board.asus
    if not asus:
        return
    others = checked(s, side) & ~board.asus
    safe = traced(s, side, places(s, others)) if others else 0
    for u in units_of(asus):
        if not safe >> s.at[u] & 1:
            eliminate(s, u, "16.5.2c", surrenders=True)


# 17.1.4 ASUs are made ready


REFITTING: Bars[State, int] = Bars(
    Need(
        "17.1.4b",
        "{unit} is no artillery support unit of yours in play",
        lambda s, side: s.board.of_side[side] & s.board.asus & s.present,
    ),
    Need("17.1.4a", "{unit} is ready", lambda s, _: s.depleted),
    Need("13.2.1d", "{unit} is not in Good Order", lambda s, _: good_order(s)),
    Bar("21.1.5b", "{unit} is under a naval transport marker", lambda s, _: of_no_use(s)),
    Doubt(
        "17.1.4b",
        "{unit} is not stacked with a supply point that can be spent",
        lambda s, side, u: not stocked(s, side, s.at[u]),
    ),
)
"""17.1.4 the depleted ASUs of a side that an SP makes ready."""


def refitted(s: State, f: RefitAt, u: int) -> None:
    refit(s, u)


def no_more(s: State, f: RefitAt) -> None:
    s.stack.pop()


class Refit(Phase[State, RefitAt, int]):
    """17.1.4b SPs flip depleted ASUs to ready. Frame: side."""

    at = RefitAt
    does = (
        Each(V_READY, of=lambda s, side: s.depleted, bars=REFITTING, take=refitted),
        Once(V_END_SUPPLY, take=no_more),
    )

    def now(self, s: State, f: RefitAt) -> int:
        return f.side

    def actor(self, s: State, f: RefitAt) -> int | None:
        return f.side if REFITTING.free(s.depleted, s, f.side) else None

    def prompt(self, s: State, f: RefitAt) -> Prompt:
        text = term("Each takes a supply point that is stacked with it")
        return Prompt("Make artillery support units ready?", text, ("17.1.4b", "3.2g"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_SUPPLY: Supply(),
    F_PORT_SUPPLY: PortSupply(),
    F_ISOLATION: Isolation(V_ROLLED),
    F_REFIT: Refit(),
}
