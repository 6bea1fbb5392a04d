"""A3.1 The Rally Phase: repairs, recovery, transfer, Deploying and Recombining, rally attempts."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.dice import ColoredDice, OneDie
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Each, Listed, Once, Phase

from ..boards.locations import Place
from ..fire.crews import aboard, company, known_unbroken
from ..fire.morale import CheckAt, bonus_of, reduce
from ..fire.sights import adjacent
from ..movement.infantry import RecoverAt
from ..movement.orders import ORDERS
from ..table import verbs
from ..table.captives import take_control
from ..table.ids import (
    ABOVE,
    DEPLOY,
    F_CHECK,
    F_RALLY,
    F_RALLY_ROLL,
    F_RECOVER_ROLL,
    F_REPAIR_ROLL,
    GONE,
    HALF_SQUAD,
    LEADER,
    MMC,
    ON_WIRE,
    PHASES,
    SPARE,
    SQUAD,
    UNDER_SANGAR,
    UNDER_TRENCH,
)
from ..table.state import State, all_men, forget, good_order, gun_of, put, takeable
from ..table.telling import INTO, emit
from ..table.weather import DENSE, density
from ..table.works import room, spot
from .mending import MEND, MEND_ONE, Sided, in_choice, try_mend, try_mend_mount, unmended


def no_orders(s: State, f: RallyAt) -> Reason | None:
    return None if ORDERS.standing(s, f.side) else Reason("A8.1", "there are no standing orders")


def revoke(s: State, f: RallyAt) -> None:
    """A8.1 the side is asked again."""
    ORDERS.revoke(s, f.side)


class RallyAt(NamedTuple):
    """The Rally Phase, of the phasing side first, then of the other."""

    frame: int
    side: int
    step: int = 0
    """A3.1 how far its order has been gone through."""


MENDING, HANDING, FORMING, RALLYING = range(4)
"""A3.1 the order of the phase: repair and recovery, transfer, Deploying and Recombining, rally attempts."""


def late(step: int) -> Bar[State, RallyAt]:
    """Everybody, once what comes after this step has been begun."""
    return Bar(
        "A3.1",
        "that comes earlier in the phase: repair and recovery, transfer, Deploying and Recombining, then rally",
        lambda s, f: -1 if too_late(s, f, step) else 0,
    )


def why_late() -> Reason:
    return Reason(
        "A3.1", "that comes earlier in the phase: repair and recovery, transfer, Deploying and Recombining, then rally"
    )


def too_late(s: State, f: RallyAt, step: int) -> bool:
    return f.step > step and s.edition > 2


def at_step(s: State, f: RallyAt, step: int) -> None:
    s.stack[-1] = f._replace(step=max(f.step, step))


class RollAt(NamedTuple):
    """A10.6 the DR of a rally attempt, with the leader who helps."""

    frame: int
    unit: int
    leader: int


class RepairAt(NamedTuple):
    """A9.72 the dr of a repair."""

    frame: int
    weapon: int


def leader_for(s: State, u: int) -> int:
    """The Good Order leader in its Location with the best modifier, -1 if there is none."""
    near = [one for one in units_of(good_order(s, company(s, u))) if s.kind(one).kind == LEADER and one != u]
    return min(near, key=lambda one: (bonus_of(s, one), one), default=-1)


def on_its_own(s: State, f_side: int, u: int) -> bool:
    """A10.63 SMC, crews and units marked for it rally themselves; besides one other MMC of the phasing side."""
    if s.kind(u).self_rally:
        return True
    return f_side == s.phasing and not s.self_rallied and s.kind(u).kind in MMC


def helpless(s: State, f: RallyAt, u: int) -> bool:
    if leader_for(s, u) >= 0:
        return False
    return bool(s.disrupted >> u & 1) or not on_its_own(s, f.side, u)


def rally_drm(s: State, u: int, leader: int) -> list[tuple[int, str, str]]:
    """The DRM of table rally, each with its rule."""
    chart = s.stage.pack.tables["rally"]
    found = []
    if leader >= 0 and bonus_of(s, leader):
        found.append((bonus_of(s, leader), "A10.6", term("leadership")))
    if leader < 0:
        found.append((int(chart["drm_self_rally"]), "A10.63", term("without a leader")))
    if s.dm >> u & 1:
        found.append((int(chart["drm_dm"]), "A10.62", term("desperation morale")))
    in_trench = s.under[u] == UNDER_TRENCH and "trench" in chart["fortifications"]
    if s.stage.field.terrain[s.at[u]] in chart["terrain"] or in_trench:
        found.append((int(chart["drm_terrain"]), "A10.6", term("terrain")))
    return found


RALLY: Bars[State, RallyAt] = Bars(
    Need("A10.6", "{unit} is not one of the Infantry that rallies now", lambda s, f: whole_side(s, f.side)),
    Need("A10.6", "{unit} is not broken", lambda s, f: s.broken),
    Bar("A10.6", "{unit} has tried already", lambda s, f: s.tried),
    Doubt("A10.63", "no leader is with {unit}, and it does not rally by itself", helpless),
)
REPAIR: Bars[State, RallyAt] = Bars(
    Need("A9.72", "nobody in Good Order of this side has it", lambda s, f: served(s, f.side)),
    Need("A9.72", "{unit} has not malfunctioned", lambda s, f: s.jammed),
    Bar("A9.72", "it has been tried in this phase", lambda s, f: s.tried),
    late(MENDING),
)


MENDS: Bars[State, RallyAt] = Bars(MEND.asked_of(lambda f: Sided(f.side)), late(MENDING))
MENDS_ONE: Bars[State, RallyAt] = Bars(MEND_ONE.asked_of(lambda f: Sided(f.side)), late(MENDING))


def mounts(s: State, f: RallyAt, now: RallyAt) -> list[tuple[int, int]]:
    """A9.72 each of several weapons of a vehicle that have malfunctioned."""
    able = MENDS_ONE.free(in_choice(s, f.side), s, f)
    return [(u, mount) for u in units_of(able) for mount in units_of(unmended(s, u))]


def why_no_mount(s: State, f: RallyAt, now: RallyAt, args: Any) -> Reason | None:
    u, mount = args
    held = MENDS_ONE.why(u, s, f, {"unit": u})
    if held is not None or unmended(s, u) >> mount & 1:
        return held
    return Reason("A9.72", "this weapon has not malfunctioned, or it has been tried in this phase")


def whole_side(s: State, side: int) -> int:
    """The Infantry of a side, AMB-190 those aboard its vehicles among them."""
    found = all_men(s, side)
    return found | aboard(s, side) if s.edition > 6 else found


def served(s: State, side: int) -> int:
    able = good_order(s, whole_side(s, side))
    return sum(1 << w for w in s.stage.roster.armoury if s.holder[w] >= 0 and able >> s.holder[w] & 1)


def led(s: State, units: int) -> int:
    """Those of some units who have a Good Order leader in their Location."""
    return sum(1 << u for u in units_of(units) if leader_for(s, u) >= 0)


def boxes(s: State, side: int) -> bool:
    """Whether there is a half-squad counter left."""
    roster = s.stage.roster
    return any(s.at[i] == SPARE for i in units_of(roster.spare & roster.of_side[side]))


def squads(s: State, side: int) -> int:
    return sum(1 << u for u in units_of(all_men(s, side)) if s.kind(u).kind == SQUAD)


def italians(s: State, side: int) -> int:
    return sum(1 << u for u in units_of(all_men(s, side)) if s.kind(u).nation == "italian")


DEPLOYS: Bars[State, RallyAt] = Bars(
    Need("A1.31", "squads deploy in their own Rally Phase", lambda s, f: -1 if f.side == s.phasing else 0),
    Need("A1.31", "only a squad of this side deploys", lambda s, f: squads(s, f.side)),
    Bar("A.7", "{unit} is not in Good Order", lambda s, f: s.broken | s.melee | s.captive),
    Bar("A1.31", "Italians may not deploy", lambda s, f: italians(s, f.side)),
    Bar("A1.31", "{unit} has tried already", lambda s, f: s.tried),
    Need("A1.31", "no Good Order leader is with {unit}", lambda s, f: led(s, all_men(s, f.side))),
    Bar("A1.31", "no half-squad counter is left", lambda s, f: 0 if boxes(s, f.side) else -1),
    late(FORMING),
)


def pairs(s: State, f: RallyAt, now: RallyAt) -> list[tuple[int, int]]:
    """A1.32 half-squads of one type in one Location with a leader."""
    if f.side != s.phasing or too_late(s, f, FORMING):
        return []
    halves = [u for u in units_of(led(s, good_order(s, all_men(s, f.side)))) if s.kind(u).kind == HALF_SQUAD]
    return [
        (a, b)
        for a in halves
        for b in halves
        if a < b and s.at[a] == s.at[b] and s.type[a] == s.type[b] and _whole(s, a) >= 0 and not _bound(s, a, b)
    ]


def _bound(s: State, a: int, b: int) -> bool:
    """C2.1 two that man a Gun each are no squad; F8.3b nor one with a Gun in a sangar, who holds no squad."""
    guns = [gun_of(s, one) for one in (a, b)] if s.edition > 6 else [-1, -1]
    sangared = any(g >= 0 and s.under[g] == UNDER_SANGAR for g in guns)
    return sangared or min(guns) >= 0


def _whole(s: State, u: int) -> int:
    """The squad that two such half-squads make."""
    id = s.kind(u).id
    return next((i for i, one in enumerate(s.stage.roster.types) if one.half == id and one.kind == SQUAD), -1)


def why_no_pair(s: State, f: RallyAt, now: RallyAt, args: Any) -> Reason | None:
    if tuple(args) in pairs(s, f, now):
        return None
    if too_late(s, f, FORMING):
        return why_late()
    return Reason("A1.32", "two half-squads of one type with a Good Order leader in their Location recombine")


def gifts(s: State, f: RallyAt, now: RallyAt) -> list[tuple[int, int]]:
    """A4.43 Good Order units in one Location exchange weapons."""
    if too_late(s, f, HANDING):
        return []
    able = good_order(s, all_men(s, f.side))
    done = s.handed if s.edition > 6 else s.tried  # what has been repaired or recovered in this phase is free to give
    return [
        (w, u)
        for w in units_of(served(s, f.side) & ~done & ~(s.mounted if s.edition > 6 else 0))
        for u in units_of(able & s.here.get(s.at[w], 0))
        if u != s.holder[w] and not (s.edition > 6 and s.stage.roster.guns >> w & 1 and gun_of(s, u) >= 0)
    ]


def why_no_gift(s: State, f: RallyAt, now: RallyAt, args: Any) -> Reason | None:
    if tuple(args) in gifts(s, f, now):
        return None
    if too_late(s, f, HANDING):
        return why_late()
    return Reason("A4.43", "Good Order units in one Location exchange weapons, each weapon once a phase")


def finds(s: State, f: RallyAt, now: RallyAt) -> list[tuple[int, int]]:
    """A4.44 unpossessed weapons that somebody in Good Order could take up; C2.1 a Gun only who mans no other."""
    if too_late(s, f, MENDING):
        return []
    able = good_order(s, all_men(s, f.side)) & ~s.tried
    found = []
    for w in units_of(takeable(s, f.side) & ~s.tried):
        if s.at[w] < 0 or s.holder[w] >= 0:
            continue
        gun = s.stage.roster.guns >> w & 1
        found += [(u, w) for u in units_of(able & s.here.get(s.at[w], 0)) if not gun or gun_of(s, u) < 0]
    return sorted(found)


def why_no_find(s: State, f: RallyAt, now: RallyAt, args: Any) -> Reason | None:
    if tuple(args) in finds(s, f, now):
        return None
    if too_late(s, f, MENDING):
        return why_late()
    return Reason("A4.44", "a Good Order unit takes up a weapon that lies in its Location, one attempt each")


def try_rally(s: State, f: RallyAt, u: int) -> None:
    leader = leader_for(s, u)
    at_step(s, f, RALLYING)
    s.tried |= 1 << u
    if leader < 0 and not s.kind(u).self_rally:
        s.self_rallied = 1
    s.stack.append(RollAt(F_RALLY_ROLL, u, leader))


def try_repair(s: State, f: RallyAt, w: int) -> None:
    s.tried |= 1 << w
    s.stack.append(RepairAt(F_REPAIR_ROLL, w))


def try_recover(s: State, f: RallyAt, u: int, w: int) -> None:
    s.tried |= 1 << u | 1 << w
    s.stack.append(RecoverAt(F_RECOVER_ROLL, u, w))


def transfer(s: State, f: RallyAt, w: int, u: int) -> None:
    at_step(s, f, HANDING)
    s.tried |= 1 << w if s.edition < 7 else 0
    s.handed |= 1 << w
    s.holder[w] = u
    emit(s, "transferred", "A4.43", {"unit": u, "other": w, "hex": s.at[u], "side": f.side})


def try_deploy(s: State, f: RallyAt, u: int) -> None:
    at_step(s, f, FORMING)
    s.tried |= 1 << u
    s.stack.append(CheckAt(F_CHECK, u, DEPLOY, 0))


def common_place(s: State, a: int, b: int) -> int:
    """B20.9 where both are: one at the Crest comes down to the other in the bed."""
    return s.place[a] if s.place[a] == s.place[b] else Place.IN


def common_cover(s: State, a: int, b: int) -> int:
    """B27.44 beneath what both lie, if a squad has room there; B26.4 on the wire if one of them is."""
    here = {s.under[a], s.under[b]}
    if len(here) == 1 or ON_WIRE in here:
        return ON_WIRE if ON_WIRE in here else s.under[a]
    side, h = s.stage.roster.side[a], s.at[a]
    return next((one for one in sorted(here - {ABOVE}) if room(s, h, one, side) >= 1), ABOVE)


def recombine(s: State, f: RallyAt, a: int, b: int) -> None:
    """A1.32 no roll is needed."""
    at_step(s, f, FORMING)
    if s.edition > 6:
        s.place[a], s.under[a] = common_place(s, a, b), common_cover(s, a, b)
    s.type[a] = _whole(s, a)
    for w, holder in enumerate(s.holder):
        if holder == b:
            s.holder[w] = a
    put(s, b, SPARE)
    if s.edition > 2:  # A4.51, A12.1 what one of them is known by or tired from, both are
        s.cx |= (s.cx >> b & 1) << a
        s.concealed &= ~(1 << a) if not s.concealed >> b & 1 else -1
        if s.edition > 5:  # A20.5
            s.guard = {one: a if by == b else by for one, by in s.guard.items()}
        forget(s, b)
        if s.edition > 6 and s.concealed >> a & 1:  # A12.1 under a "?" nobody sees it
            s.concealed |= 1 << b
    emit(s, "recombined", "A1.32", {"unit": a, "other": b, "hex": s.at[a], "side": f.side, INTO: s.type[a]})
    s.concealed &= ~(1 << b) if s.edition > 6 else -1


def end(s: State, f: RallyAt) -> None:
    if f.side == s.phasing:
        s.stack[-1] = RallyAt(F_RALLY, 1 - s.phasing)
        return
    s.stack.pop()
    calm(s)


def calm(s: State) -> None:
    """A10.621 DM comes off those who have no Known unbroken enemy ADJACENT."""
    for side in range(2):
        foes = {s.at[e] for e in units_of(known_unbroken(s, side))}
        near = 0
        for h in foes:
            near |= s.stage.grid.within(h, 1)
        for u in units_of(s.dm & whole_side(s, side) & ~(s.dismayed if s.edition > 4 else 0)):
            if not near >> s.at[u] & 1 or (s.edition > 3 and not faced(s, side, u)):
                s.dm &= ~(1 << u)
    s.dismayed = 0


def faced(s: State, side: int, u: int) -> bool:
    """Whether a Known unbroken enemy is ADJACENT."""
    return any(adjacent(s, spot(s, e), spot(s, u)) for e in units_of(known_unbroken(s, side)))


class Rally(Phase[State, RallyAt, RallyAt]):
    """A3.1"""

    at = RallyAt
    does = (
        Each(verbs.RALLY, bars=RALLY, take=try_rally),
        Each(verbs.REPAIR, bars=REPAIR, take=try_repair),
        Each(verbs.MEND, bars=MENDS, take=try_mend),
        Listed(verbs.MEND_MOUNT, of=mounts, reason=why_no_mount, take=try_mend_mount),
        Listed(verbs.RECOVER, of=finds, reason=why_no_find, take=try_recover),
        Listed(verbs.TRANSFER, of=gifts, reason=why_no_gift, take=transfer),
        Each(verbs.DEPLOY, bars=DEPLOYS, take=try_deploy),
        Listed(verbs.RECOMBINE, of=pairs, reason=why_no_pair, take=recombine),
        Once(verbs.END_RALLY, take=end),
        Once(verbs.REVOKE, take=revoke, shut=no_orders),
    )

    def now(self, s: State, f: RallyAt) -> RallyAt:
        return f

    def actor(self, s: State, f: RallyAt) -> int | None:
        return f.side

    def prompt(self, s: State, f: RallyAt) -> Prompt:
        return Prompt(
            "Rally Phase", "Rally broken units, repair and hand over weapons", ("A3.1", "A10.6"), PHASES[s.phase]
        )


class RallyRoll(ColoredDice[State, RollAt]):
    """A10.6 it rallies if the Final DR is not above its broken morale; an Original 12 reduces it (A10.64)."""

    at = RollAt

    def take(self, s: State, f: RollAt, action: Action) -> None:
        s.stack.pop()
        u, original = f.unit, action[1] + action[2]
        final = original + sum(value for value, _, _ in rally_drm(s, u, f.leader))
        need = s.kind(u).broken_morale - (s.wounded >> u & 1)
        rallied = original != 12 and final <= need
        facts = {"unit": u, "hex": s.at[u], "side": s.stage.roster.side[u], "dice": list(action[1:]), "final": final}
        emit(s, "rally", "A10.6", {**facts, "morale": need, "passed": rallied}, final=True)
        if rallied:
            s.broken &= ~(1 << u)
            s.dm &= ~(1 << u)
            s.dismayed &= ~(1 << u)
            s.disrupted &= ~(1 << u)
            if s.edition > 4:  # A26.1 it holds its hex again
                take_control(s, s.at[u], s.stage.roster.side[u])
        elif original == 12:
            reduce(s, u, "A10.64")

    def prompt(self, s: State, f: RollAt) -> Prompt:
        return Prompt(Text("{unit} tries to rally", unit=f.unit), "", ("A10.6",), PHASES[s.phase])


class RepairRoll(OneDie[State, RepairAt]):
    """A9.72 1 repairs, 6 removes."""

    at = RepairAt

    def take(self, s: State, f: RepairAt, action: Action) -> None:
        s.stack.pop()
        w, kind = f.weapon, s.kind(f.weapon)
        done, lost = action[1] <= kind.repair, action[1] >= kind.lost
        facts = {"unit": w, "hex": s.at[w], "die": action[1], "repaired": done, "lost": lost}
        emit(s, "repair", "A9.72", facts, final=True)
        if done:
            s.jammed &= ~(1 << w)
        elif lost:
            s.holder[w] = -1
            put(s, w, GONE)

    def prompt(self, s: State, f: RepairAt) -> Prompt:
        return Prompt(Text("A repair of {unit}", unit=f.weapon), "", ("A9.72",), PHASES[s.phase])


class RecoverRoll(OneDie[State, RecoverAt]):
    """A4.44 it is taken up on a Final dr of 5 or less; +1 if CX."""

    at = RecoverAt

    def take(self, s: State, f: RecoverAt, action: Action) -> None:
        s.stack.pop()
        chart = s.stage.pack.tables["recovery"]
        final = action[1] + (int(chart["drm"]["cx"]) if s.cx >> f.unit & 1 else 0)
        if density(s) in DENSE:  # F11.731e
            final += int(chart["drm"]["very_or_extremely_heavy_dust"])
        able = s.at[f.unit] >= 0 and not s.broken >> f.unit & 1
        taken = able and final <= int(chart["max_final_dr"])
        facts = {"unit": f.unit, "other": f.weapon, "hex": s.at[f.weapon], "die": action[1], "taken": taken}
        emit(s, "recovery", "A4.44", facts, final=True)
        if taken:
            s.holder[f.weapon] = f.unit
            s.tried &= ~(1 << f.weapon) if s.edition > 6 else -1  # A9.72 it may be repaired in the same phase

    def prompt(self, s: State, f: RecoverAt) -> Prompt:
        return Prompt(Text("{unit} reaches for a weapon", unit=f.unit), "", ("A4.44",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_RALLY: Rally(),
    F_RALLY_ROLL: RallyRoll(verbs.ROLLED),
    F_REPAIR_ROLL: RepairRoll(verbs.FELL),
    F_RECOVER_ROLL: RecoverRoll(verbs.FELL),
}
