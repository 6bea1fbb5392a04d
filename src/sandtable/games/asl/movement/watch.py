"""A8 The fire into a move: after every expenditure of MF the other side is asked whether it fires (WATCH), and whatever
Residual FP lies in the Location attacks first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bars
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.orders import Order
from sandtable.mechanics.phases import Each, Listed, Once, Phase

from ..fire import group
from ..fire.bursts import hexside, lane_column, snaps
from ..fire.firepower import in_location
from ..fire.group import JOIN, USE, Now, RollAt, held_weapons, now_of
from ..fire.ift import ift
from ..fire.mounts import ANTI_AIR, BOW, COAX, man
from ..fire.sights import sees
from ..ordnance.acquisition import prune
from ..ordnance.aim import Aiming, aiming_at, armed
from ..ordnance.ffe import shell_movers
from ..ordnance.laying import LAY, LAY_SECOND
from ..ordnance.laying import begin as begin_shot
from ..table import verbs
from ..table.hardware import AAMG, BMG, CMG, MA, SA
from ..table.ids import F_ATTACK_ROLL, F_GROUP, F_RESIDUAL, F_WATCH, FIRST, PHASES
from ..table.state import Attack, State
from .orders import ADJACENT, INFANTRY, ORDERS, RANGE, SHARES, UNTIL_TITLES, VEHICLE, WORTH
from .rousing import rouse, starters
from .rousing import why_not as why_not_rouse


class ResidualAt(NamedTuple):
    """A8.22 the Residual FP of the Location attacks those who have not met it there."""

    frame: int


class Residual(Frame[State, ResidualAt]):
    at = ResidualAt

    def run(self, s: State, f: ResidualAt) -> None:
        s.stack.pop()
        move = s.move
        if move is None:
            return
        shell_movers(s, move.movers)
        alive = sum(1 << u for u in units_of(move.movers) if s.at[u] >= 0) & ~s.faced
        if not alive:
            return
        h = s.at[units_of(alive)[0]]
        column = ift().column(s.residual.get(h, 0))
        weapon = -1
        for w in s.lanes:
            found = lane_column(s, w, units_of(alive)[0])
            if found > column:
                column, weapon = found, w
        if column < 0:
            return
        s.faced |= alive
        attack = Attack(fire=FIRST, side=1 - s.phasing, target=h, movers=alive, residual=1, column=column, lane=weapon)
        if not in_location(s, attack):  # a buttoned-up AFV does not mind it
            return
        s.attack = attack
        s.stack.append(RollAt(F_ATTACK_ROLL))


class WatchAt(NamedTuple):
    """A8.1 the other side may fire at what was just spent; `fresh` when the next attack is to be prepared."""

    frame: int
    fresh: int


def begin_join(s: State, f: WatchAt, u: int) -> None:
    s.stack[-1] = WatchAt(F_WATCH, 1)
    s.stack.append(group.GroupAt(F_GROUP))
    group.join(s, group.GroupAt(F_GROUP), u)


def begin_use(s: State, f: WatchAt, w: int) -> None:
    s.stack[-1] = WatchAt(F_WATCH, 1)
    s.stack.append(group.GroupAt(F_GROUP))
    group.use(s, group.GroupAt(F_GROUP), w)


def begin_mount(mg: int) -> Any:
    def take(s: State, f: WatchAt, u: int) -> None:
        s.stack[-1] = WatchAt(F_WATCH, 1)
        s.stack.append(group.GroupAt(F_GROUP))
        man(mg)(s, f, u)

    return take


def aiming(now: Now) -> Aiming:
    return aiming_at(FIRST, now.attack.side, now.attack.movers)


def guns(s: State, now: Now) -> int:
    return armed(s, aiming(now))


def second_guns(s: State, now: Now) -> int:
    return armed(s, aiming(now), SA)


def begin_lay(s: State, f: WatchAt, u: int, weapon: int = MA) -> None:
    assert s.attack is not None
    shot = Aiming(FIRST, s.attack.side, s.attack.movers)
    s.attack = None
    s.stack[-1] = WatchAt(F_WATCH, 1)
    begin_shot(s, shot, u, weapon)


def begin_second(s: State, f: WatchAt, u: int) -> None:
    begin_lay(s, f, u, SA)


def no_snap(s: State, now: Now) -> Reason | None:
    """A8.15 offered to who sees the hexside, whether he sees the hex beyond or not."""
    if now.attack.snap:
        return Reason("A8.15", "it is a Snap Shot already")
    if not hexside(s):
        return Reason("A8.15", "no hexside has been crossed just now")
    able = now.mine & ~(s.broken | s.melee | s.ti)
    if s.edition > 2:
        shot = now.attack.copy()
        shot.snap = 1
        snapping = now._replace(attack=shot)
        held = held_weapons(s, now)
        if JOIN.some(able, s, snapping) or (held and USE.some(held, s, snapping)):
            return None
        return Reason("A8.15", "nobody who sees the hexside could fire at it")
    if any(not sees(s, u, now.attack.target, now.shot) and snaps(s, u) for u in units_of(able)):
        return None
    return Reason("A8.15", "nobody sees the hexside alone: whoever sees the hex fires into it")


def snap(s: State, f: WatchAt) -> None:
    assert s.attack is not None
    s.attack.snap = 1


def hold(s: State, f: WatchAt) -> None:
    s.attack = None
    s.stack.pop()


# Standing orders


def hold_until(s: State, f: WatchAt, until: int) -> None:
    ORDERS.give(s, Order(1 - s.phasing, until, value=s.marches))
    hold(s, f)


def hold_odds(s: State, f: WatchAt, share: int) -> None:
    ORDERS.give(s, Order(1 - s.phasing, WORTH, value=share))
    hold(s, f)


def user_of(s: State, u: int) -> int:
    """Who fires: whoever has a weapon in hand."""
    return s.holder[u] if s.holder[u] >= 0 else u


def shooters(s: State, now: Now) -> int:
    """Units of the watching side that could fire at the mover."""
    weapons = USE.free(held_weapons(s, now), s, now)
    return JOIN.free(now.mine, s, now) | sum({1 << s.holder[w] for w in units_of(weapons)})


def unit_orders(s: State, f: WatchAt, now: Now) -> list[tuple[int, int]]:
    given = sum(1 << one.unit for one in ORDERS.standing(s, now.attack.side) if one.unit >= 0)
    return [(u, until) for u in units_of(shooters(s, now) & ~given) for until in BY_UNIT]


def no_unit_order(s: State, f: WatchAt, now: Now, args: Any) -> Reason | None:
    u, until = args
    if not shooters(s, now) >> u & 1:
        return Reason("A8.1", Text("{unit} could not fire at the mover", unit=u))
    if any(one.unit == u for one in ORDERS.standing(s, now.attack.side)):
        return Reason("A8.1", Text("{unit} has its orders", unit=u))
    return None if until in BY_UNIT else Reason("A8.1", "that is no order for one unit")


def order_unit(s: State, f: WatchAt, u: int, until: int) -> None:
    ORDERS.give(s, Order(1 - s.phasing, until, u))


def no_orders(s: State, now: Now) -> Reason | None:
    return None if ORDERS.standing(s, now.attack.side) else Reason("A8.1", "there are no standing orders")


def revoke(s: State, f: WatchAt) -> None:
    """A8.1 the side is asked again at every step."""
    ORDERS.revoke(s, 1 - s.phasing)


ALWAYS: Bars[State, Now] = Bars()
BY_UNIT = (ADJACENT, RANGE, INFANTRY, VEHICLE)
FIRES = (verbs.JOIN, verbs.USE, verbs.BOW, verbs.COAX, verbs.ANTI_AIR, verbs.LAY, verbs.LAY_SECOND, verbs.ROUSE)


def at_hexside_alone(s: State, bound: int) -> bool:
    """A8.15 whether somebody who is not under orders sees the hexside and not the hex: nothing else asks for him."""
    now = now_of(s)
    able = now.mine & ~(s.broken | s.melee | s.ti | bound)
    return any(snaps(s, u) and not sees(s, u, now.attack.target, now.shot) for u in units_of(able))


def wants_to_know(s: State, choices: Sequence[Action], side: int) -> bool:
    """Whether somebody who is not under orders to wait could fire."""
    bound = ORDERS.bound(s, side)
    if (int(verbs.SNAP),) in choices and (s.edition < 3 or at_hexside_alone(s, bound)):
        return True
    return any(a[0] in FIRES and not bound >> user_of(s, a[1]) & 1 for a in choices)


class Watch(Phase[State, WatchAt, Now]):
    """A8.1 First Fire, Subsequent First Fire or Final Protective Fire at the mover, or none.

    While the watching side has anything under a "?" or hidden, it is asked at every expenditure, whether it can fire
    or not: a pause must not betray where it lies. Who is not accounted for, the order of battle tells.
    """

    at = WatchAt
    does = (
        Each(verbs.JOIN, of=group.by_men, bars=JOIN, take=begin_join),
        Each(verbs.USE, of=group.by_weapons, bars=USE, take=begin_use),
        Each(verbs.BOW, of=group.by_motors, bars=BOW, take=begin_mount(BMG)),
        Each(verbs.COAX, of=group.by_motors, bars=COAX, take=begin_mount(CMG)),
        Each(verbs.ANTI_AIR, of=group.by_motors, bars=ANTI_AIR, take=begin_mount(AAMG)),
        Each(verbs.LAY, of=guns, bars=LAY.asked_of(aiming), take=begin_lay),
        Each(verbs.LAY_SECOND, of=second_guns, bars=LAY_SECOND.asked_of(aiming), take=begin_second),
        Listed(verbs.ROUSE, of=starters, reason=why_not_rouse, take=rouse),
        Once(verbs.SNAP, take=snap, shut=no_snap),
        Once(verbs.HOLD, take=hold),
        Each(verbs.HOLD_UNTIL, of=lambda s, now: (1 << len(UNTIL_TITLES)) - 1, bars=ALWAYS, take=hold_until),
        Each(verbs.HOLD_ODDS, of=lambda s, now: (1 << len(SHARES)) - 1, bars=ALWAYS, take=hold_odds),
        Listed(verbs.UNIT_HOLDS, of=unit_orders, reason=no_unit_order, take=order_unit),
        Once(verbs.REVOKE, take=revoke, shut=no_orders),
    )

    def now(self, s: State, f: WatchAt) -> Now:
        return now_of(s)

    def actor(self, s: State, f: WatchAt) -> int | None:
        if f.fresh:
            return None
        side = 1 - s.phasing
        if ORDERS.answer(s, side, keeping=s.edition > 2):
            return None
        if s.concealed & s.stage.roster.of_side[side]:
            return side
        choices = self.legal(s, f)
        if not wants_to_know(s, choices, side):
            return None
        s.choices = choices
        return side

    def run(self, s: State, f: WatchAt) -> None:
        move = s.move
        if f.fresh and (s.aim or s.aim_second):  # when it is not fresh any more, nothing has changed since
            prune(s)  # C6.5 what has left their sight
        alive = 0 if move is None else sum(1 << u for u in units_of(move.movers) if s.at[u] >= 0) & ~s.wreck
        if not f.fresh or not alive or not (alive & ~s.broken or s.edition > 2):  # A8.1 who breaks is still there
            s.attack = None
            s.stack.pop()
            return
        h = s.at[units_of(alive)[0]]
        s.attack = Attack(fire=FIRST, side=1 - s.phasing, target=h, movers=alive)
        s.stack[-1] = WatchAt(F_WATCH, 0)

    def prompt(self, s: State, f: WatchAt) -> Prompt:
        assert s.attack is not None
        return Prompt(_title(s, s.attack), _spent(s), ("A8.1", "A8.3", "A8.31"), PHASES[s.phase])


def _title(s: State, attack: Attack) -> Text:
    """Who moves, where: by name, unless a "?" or another who is not known goes with them (A12.1)."""
    where = s.stage.field.name(attack.target)
    movers = units_of(attack.movers & ~s.stage.roster.weapons)
    if not movers or attack.movers & (s.concealed | s.hip):
        return Text("Fire at the mover in {hex}?", hex=where)
    assert s.move is not None
    first = s.move.vehicle if s.move.vehicle in movers else movers[0]
    more = len(movers) - 1
    if more:
        return Text("Fire at {unit} and {n} more in {hex}?", unit=first, n=more, hex=where)
    return Text("Fire at {unit} in {hex}?", unit=first, hex=where)


def _spent(s: State) -> Text:
    """A8.14 what the mover has spent in this Location: so often may each fire at it."""
    assert s.move is not None
    points = f"{s.move.here / 2:g}"
    if s.move.vehicle >= 0:
        return Text("Defensive First Fire: {points} MP spent here", points=points)
    return Text("Defensive First Fire: {points} MF spent here", points=points)


FRAMES: dict[int, Frame[State, Any]] = {F_RESIDUAL: Residual(), F_WATCH: Watch()}
