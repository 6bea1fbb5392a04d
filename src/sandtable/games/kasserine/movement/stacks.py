"""6.6 Overruns: a stack of red-box units moves together and attacks as it moves."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need, all_if
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.paths.legs import Leg
from sandtable.mechanics.phases import Each, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..combat.fight import Fight
from ..combat.results import OVERRUN as OVERRUN_LOSS
from ..combat.showing import outlook
from ..combat.strengths import may_attack
from ..paths.moves import ends, held_back, off_limits, stack_ends, stack_leg, ways_on
from ..table import steps, verbs
from ..table.ground import HALF, PROHIBITED
from ..table.ids import MOTORIZED, PHASES, RAIN, ROAD_BOUND
from ..table.position import builders, enter, units_in
from ..table.ratings import leads, mover, rating, stack_allowance
from ..table.stacking import limit, points
from ..table.state import State
from ..table.steps import At, HexAt, LossAt, StageAt
from ..table.surprises import meet
from .orders import way_hint, why_closed, why_far, why_held
from .walking import set_out


class Group(NamedTuple):
    """The stack in hand: what it can still do."""

    units: int
    left: int  # half points
    leg: Leg
    everywhere: Mask
    ends: Mask  # 6.15a where its move may end
    passing: Mask  # 6.16 where it may go if it goes on from there
    targets: Mask  # enemy hexes that it stands next to


def kind_of(s: State, units: int) -> int:
    """13.22a a Tiger that is bound to roads binds its stack."""
    return ROAD_BOUND if any(mover(s, u) == ROAD_BOUND for u in units_of(units)) else MOTORIZED


def group(s: State) -> Group:
    """6.02, 6.61 the stack as it stands, with the MP of its slowest unit."""
    key = ("group", s.stack_units, s.stack_spent)
    known: Group | None = s.memo.get(key)
    if known is not None:
        return known
    units, board = s.stack_units, s.board
    lead = units_of(units)[0]
    left = stack_allowance(s, units) - max(s.stack_spent, 0)
    leg = stack_leg(s, units, kind_of(s, units), left, fresh=s.stack_spent < 0)
    near = board.grid.around(1 << s.at[lead]) & s.occ[enemy(board.side[lead])]
    allowed = stack_ends(s, units) if s.edition > 2 else _ends_of_each(s, units)
    found = s.memo[key] = Group(units, left, leg, leg.everywhere(), allowed, passing(s, units, leg, allowed), near)
    return found


def _ends_of_each(s: State, units: int) -> Mask:
    """The second edition let each unit count on those who leave with it."""
    allowed = -1
    for u in units_of(units):
        allowed &= ends(s, u)
    return allowed


def passing(s: State, units: int, leg: Leg, allowed: Mask) -> Mask:
    """6.16, A17 the hexes out of the reach of supply that a stack may pass through, to one where it may end its move or
    to an overrun (A83)."""
    outside = leg.everywhere() & ~allowed
    if not outside or s.edition < 3:
        return 0
    beside = s.board.grid.around(outside)
    foes = beside & s.occ[enemy(s.board.side[units_of(units)[0]])]
    if not (foes or beside & allowed):
        return 0
    overruns: dict[Hex, int] = {}
    for target in hexes_of(TARGET.free(foes, s, units)):
        for _, h in s.board.grid.neighbours[target]:
            price = overrun_cost(s, units, h, target)
            if outside >> h & 1 and price != PROHIBITED:
                overruns[h] = min(price, overruns.get(h, price))
    return ways_on(leg, allowed, overruns)


# 6.61 who comes along


def beside(s: State, now: Group) -> int:
    """The units in the stack's hex."""
    h = s.at[units_of(now.units)[0]]
    return s.here[h] & s.board.ground


JOIN: Bars[State, Group] = Bars(
    Need("6.61a", "{unit} did not start in the hex of the stack", beside),
    Bar("6.61c", "the stack has set out: nobody is picked up on the way", lambda s, now: -int(s.stack_spent >= 0)),
    Bar("6.61", "{unit} is in the stack already", lambda s, now: now.units),
    Need("6.61b", "{unit} has no red box and stays behind", lambda s, now: s.board.red),
    Bar("6.61", "{unit} is out of supply or disrupted", lambda s, now: s.oos | s.disrupted),
    Bar("6.11", "{unit} has finished its move in this phase", lambda s, now: s.moved),
    Bar("12.35", "{unit} is a Fire Net headquarters and cannot move", lambda s, now: s.fire_net),
    Bar("11.23b", "{unit} builds a strongpoint and stays", lambda s, now: builders(s)),
    Doubt("15.13a", why_held, lambda s, now, u: held_back(s, u) is not None),
    Doubt("6.68", "the stack would be too large", lambda s, now, u: points(s, now.units | 1 << u) > limit(s)),
)


def join(s: State, f: At, u: int) -> None:
    s.stack_units |= 1 << u


# Movement of the stack

GO: Bars[State, Group] = Bars(
    Need(
        "6.01",
        lambda s, now, h: why_not_overrun(s, now, h) or why_far(s, units_of(now.units)[0], h, now.leg),
        lambda s, now: now.everywhere,
    ),
    Need(
        "6.15a",
        "the stack may not leave the reach of supply of its own will",
        lambda s, now: now.ends | now.passing,
    ),
)


def go(s: State, f: At, h: int) -> None:
    """The stack goes to a hex; where the move is over there, it has spent everything."""
    now = group(s)
    way = now.leg.to(h)
    assert way is not None
    s.stack_spent = max(s.stack_spent, 0) + (way.cost if now.leg.goes_on(h) else now.left)
    s.stack_passing = int(not now.ends >> h & 1)
    set_out(s, now.units, way.path, way.cost)


# 6.62, 6.63 overruns


def overrun_cost(s: State, units: int, start: Hex, h: Hex) -> int:
    """6.63a, 6.63b, A20 terrain and hexside (or road) and 2 MP; PROHIBITED if the step cannot be made."""
    price, _ = s.ground.step(kind_of(s, units), start, s.board.grid.direction(start, h), h)
    return PROHIBITED if price == PROHIBITED else price + s.board.charts.constants["overrun_mp"] * HALF


def cost_from_here(s: State, now: Group, h: Hex) -> int:
    """The same from where the stack stands."""
    return overrun_cost(s, now.units, s.at[units_of(now.units)[0]], h)


def why_short(s: State, now: Group, h: int) -> Reason:
    price = cost_from_here(s, now, h)
    if price == PROHIBITED:
        return Reason("6.63a", Text("the stack cannot enter {hex} from here", hex=h))
    text = term("an overrun of {hex} costs {cost} MP, and {points} are left")
    return Reason("6.63c", Text(text, hex=h, cost=price / HALF, points=now.left / HALF))


TARGET: Bars[State, int] = Bars(  # whom these units could overrun if they stood beside
    Bar("6.62a", "there are no overruns in Rain", lambda s, units: -int(s.weather == RAIN)),
    Need("6.62b", "the terrain of {hex} cannot be overrun", lambda s, units: s.board.overrunnable),
    Bar("6.62c", "{hex} has a strongpoint or a minefield", lambda s, units: _works(s)),
    Bar("15.13d", lambda s, units, h: why_closed(s, units, h), lambda s, units: _limits(s, units)),
    Doubt("7.14b", "the stack is too weak to attack", lambda s, units, h: not may_attack(s, units, h)),
)

OVERRUN: Bars[State, Group] = Bars(
    Need("6.6b", "no enemy stands in {hex} beside the stack", lambda s, now: now.targets),
    Doubt("6.63c", why_short, lambda s, now, h: not 0 <= cost_from_here(s, now, h) <= now.left),
    TARGET.asked_of(lambda now: now.units),
)


def _works(s: State) -> Mask:
    return s.strongpoints[0] | s.strongpoints[1] | s.mines[0] | s.mines[1]


def _limits(s: State, units: int) -> Mask:
    found = 0
    for u in units_of(units):
        found |= off_limits(s, u)
    return found


def overrun(s: State, f: At, h: int) -> None:
    """6.67 the stack attacks the hex it wants to enter."""
    now = group(s)
    cost = cost_from_here(s, now, h)
    s.stack_spent = max(s.stack_spent, 0) + cost
    s.stack_passing = 0
    side = s.board.side[units_of(now.units)[0]]
    s.fight = Fight(s.board, overrun=1, target=h, side=side, attackers=now.units)
    emit(s, "overrun", "6.6a", {"hex": h, "side": side, "attackers": list(units_of(now.units)), "cost": cost / HALF})
    s.stack.append(At(steps.OVERRUN_END))
    s.stack.append(StageAt(steps.COMBAT_CHAIN))


def why_not_overrun(s: State, now: Group, h: Hex) -> Reason | None:
    """6.14a an enemy hex is entered by overrun alone: what keeps a stack beside it from that."""
    return OVERRUN.why(h, s, now, {"hex": h}) if now.targets >> h & 1 else None


def overrun_hint(s: State, f: At, action: Action) -> Hint:
    """6.63a what an overrun costs, of how many points."""
    now, h = group(s), action[1]
    price = cost_from_here(s, now, h) / HALF
    return {"cost": f"{price:g}", "of": f"{now.left / HALF:g} MP", "path": [s.board.grid.names[h]]}


def overrun_odds(s: State, f: At, action: Action) -> Odds | None:
    trial = s.copy()
    overrun(trial, f, action[1])
    fight: Fight = trial.fight
    fight.crt = 1
    defender = units_in(trial, fight.target, enemy(fight.side))
    fight.lead[fight.side] = max(units_of(leads(trial, fight.attackers)), key=lambda u: rating(trial, u))
    fight.lead[enemy(fight.side)] = max(units_of(leads(trial, defender)), key=lambda u: rating(trial, u))
    return outlook(trial, fight)


def could_overrun(s: State, u: int, h: Hex, left: int) -> bool:
    """14.26 whether a unit that comes on, with so many half points left in a hex, has somebody beside it to overrun."""
    b, board = 1 << u, s.board
    if s.edition < 4 or not board.red & b & ~(s.oos | s.disrupted) or not board.attack[u][s.step[u]]:
        return False
    foes = board.grid.around(1 << h) & s.occ[enemy(board.side[u])]
    return any(0 <= overrun_cost(s, b, h, n) <= left for n in hexes_of(TARGET.free(foes, s, b)))


class OverrunEnd(Frame[State, At]):
    """6.67d-6.67f the stack enters the hex, or stops before it and loses a step more."""

    at = At

    def run(self, s: State, f: At) -> None:
        fight: Fight = s.fight
        s.stack.pop()
        alive = sum(1 << u for u in units_of(s.stack_units) if s.at[u] >= 0)
        s.stack_units = alive
        if not alive:
            s.fight = None
            return
        if fight.retreating[fight.side]:  # A24 thrown back, and disrupted by it: the move is over, and a step more
            s.stack_spent = 1000
            s.stack.append(LossAt(steps.LOSSES, fight.side, 1, OVERRUN_LOSS))
            return
        if units_in(s, fight.target, enemy(fight.side)):  # 6.67f, 6.67fa
            emit(s, "overrun_failed", "6.67f", {"hex": fight.target, "side": fight.side})
            s.stack_spent = 1000
            s.stack.append(LossAt(steps.LOSSES, fight.side, 1, OVERRUN_LOSS))
            return
        target = fight.target
        s.fight = None
        if s.edition > 3:
            s.stack.append(HexAt(steps.OVERRUN_ENTRY, target))
        else:
            move_in(s, target)


def move_in(s: State, target: Hex) -> None:
    """6.67d the stack enters the hex that it has emptied: it costs nothing more, and EZOCs do not count."""
    units = s.stack_units
    side = s.board.side[units_of(units)[0]]
    told = {"units": list(units_of(units)), "from": s.at[units_of(units)[0]], "to": target}
    emit(s, "moved", "6.67d", {**told, "path": [target], "cost": 0})
    for u in units_of(units):
        enter(s, u, target)
    meet(s, side, target)


ENTER: Bars[State, HexAt] = Bars(
    Need("6.67d", "{hex} is not the hex that the stack has overrun", lambda s, f: 1 << f.hex),
)


def go_in(s: State, f: HexAt, h: int) -> None:
    s.stack.pop()
    move_in(s, h)


def stay_out(s: State, f: HexAt) -> None:
    s.stack.pop()


class OverrunEntry(Phase[State, HexAt, HexAt]):
    """6.67d the stack may enter the hex that it has emptied, and need not; either way it may go on (6.67e)."""

    at = HexAt
    does = (
        Each(verbs.TO, of=lambda s, f: 1 << f.hex, bars=ENTER, take=go_in),
        Once(verbs.STAY, take=stay_out),
    )

    def actor(self, s: State, f: HexAt) -> int | None:
        return s.active

    def prompt(self, s: State, f: HexAt) -> Prompt:
        title = Text("{hex} has been overrun", hex=f.hex)
        return Prompt(title, "The stack may enter it at no further cost", ("6.67d", "6.67e"), PHASES[s.phase])


def halt(s: State, f: At) -> None:
    """The stack has moved."""
    s.stack.pop()
    s.moved |= s.stack_units
    s.stack_units = s.stack_passing = 0
    s.stack_spent = -1
    s.fight = None


def must_go_on(s: State, now: Group) -> Reason | None:
    """6.16 a stack that passes through does not stop there of its own will, if it has a choice."""
    if s.stack_passing and (now.everywhere & (now.ends | now.passing) or OVERRUN.free(now.targets, s, now)):
        return Reason("6.15a", "the stack may not leave the reach of supply of its own will")
    return None


# 6.02 units that are left on the way

DROP: Bars[State, Group] = Bars(
    Need("6.02", "{unit} is not in the stack", lambda s, now: now.units),
    Bar("6.02", "the stack has not set out yet", lambda s, now: all_if(s.stack_spent < 0)),
    Bar("6.02", "the last unit of a stack stops with it", lambda s, now: all_if(not now.units & (now.units - 1))),
    Bar("6.02", "in games begun before this rule stacks drop nobody", lambda s, now: all_if(s.edition < 4)),
    Doubt(
        "6.15a",
        "{unit} may not leave the reach of supply of its own will",
        lambda s, now, u: bool(s.stack_passing) and not ends(s, u) >> s.at[u] & 1,
    ),
)


def drop(s: State, f: At, u: int) -> None:
    """6.02 a unit stays where the stack is; its move is over."""
    s.stack_units &= ~(1 << u)
    s.moved |= 1 << u


def stack_hint(s: State, f: At, action: Action) -> Hint | None:
    return way_hint(s, group(s).leg, action[1])


class StackMoves(Phase[State, At, Group]):
    """6.61 a stack that moves together: who comes along, where it goes, what it overruns."""

    at = At
    does = (
        Each(verbs.TO, of=lambda s, now: now.everywhere, bars=GO, take=go, hint=stack_hint),
        Each(verbs.JOIN, of=beside, bars=JOIN, take=join),
        Each(
            verbs.OVERRUN,
            of=lambda s, now: now.targets,
            bars=OVERRUN,
            take=overrun,
            odds=overrun_odds,
            hint=overrun_hint,
        ),
        Once(verbs.HALT, take=halt, shut=must_go_on),
        Each(verbs.DROP, of=lambda s, now: now.units, bars=DROP, take=drop),
    )

    def actor(self, s: State, f: At) -> int | None:
        s.stack_units &= s.on_map[s.active]
        if not s.stack_units or s.stack_spent >= stack_allowance(s, s.stack_units):
            return None
        return s.active

    def run(self, s: State, f: At) -> None:
        halt(s, f)

    def now(self, s: State, f: At) -> Group:
        return group(s)

    def prompt(self, s: State, f: At) -> Prompt:
        text = term("Take units along before it sets out; move it, overrun an enemy beside it, or stop")
        return Prompt("Overrun or move a stack", text, ("6.61", "6.63a", "6.67a"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    steps.STACK_MOVES: StackMoves(),
    steps.OVERRUN_END: OverrunEnd(),
    steps.OVERRUN_ENTRY: OverrunEntry(),
}
