"""13 Mobile assault: a stack of mechanised units and cavalry moves and attacks in a Second Movement Phase.

F_RAID is the stack s.raid on its way: it picks units up, moves on, storms, takes assault markers or halts.
A storm puts F_ENTER on the stack, which lets the fight run (combat.py) and then asks about the hex.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.paths.legs import Leg
from sandtable.mechanics.phases import Each, Elsewhere, Once, Phase, Ways
from sandtable.mechanics.shown.telling import emit

from ..combat.combat import begin_fight, can_storm, storm_odds
from ..combat.effects import begin
from ..paths.legs import beside, exits, stack_leg, stops, tables
from ..table import verbs
from ..table.board import HALF
from ..table.frames import EnterAt, RaidAt, StackAt
from ..table.ids import AFTER_STORM, COMBAT, F_ENTER, F_OVERSTACK, F_RAID, MOBILE, PHASES
from ..table.stacking import excess
from ..table.state import State, enter, zone
from .unit import mark, points, walk

STOPPED, STEPPED = 1, 2  # flags of F_RAID: terrain has stopped the stack; it has left the hex where it began


def where(s: State) -> Hex:
    """The hex of the stack."""
    return s.at[s.raid.bit_length() - 1]


def left(s: State) -> int:
    """7.1c, A62 the half points that the stack has left: its slowest unit counts."""
    board, step = s.board, s.step
    return min([board.ma[u][step[u]] for u in units_of(s.raid)]) * HALF - max(s.raid_spent, 0)


def price(s: State) -> int:
    """13.1e half points for a mobile assault."""
    return int(s.board.pack.tables["limits"]["mobile_assault_mp"]) * HALF


class Raiding(NamedTuple):
    """What the stack can do now: where it stands, whether it had to stop, what it has left, where it can go on to."""

    at: Hex
    foe: int
    stopped: int
    began: Hex
    left: int
    onward: Mask


def _facts(s: State, now: Raiding) -> Mapping[str, Fact]:
    """What the reasons speak of."""
    return {
        "from": now.at,
        "spent": points(s.raid_spent),
        "left": points(now.left),
        "price": points(price(s)),
        "failed": s.board.hex_name(s.raid_failed) if s.raid_failed >= 0 else "",
    }


# 13.1c The stack forms


def _too_slow(s: State, now: Raiding, u: int) -> bool:
    return s.board.ma[u][s.step[u]] * HALF < max(s.raid_spent, 0)


PICK: Bars[State, Raiding] = Bars(
    Need("13.1c", "{unit} is not yours", lambda s, now: s.board.of_side[s.active]),
    Bar("13.1c", "{unit} is in the stack", lambda s, now: s.raid),
    Need(
        "13.1b",
        "only mechanised units and cavalry make mobile assaults, not {unit}",
        lambda s, now: s.board.mobile & ~s.board.special_movers,
    ),
    Need("13.1c", "{unit} is not in {from}, where the stack is", lambda s, now: s.here[now.at]),
    Bar("15.1a", "{unit} is an HQ and never attacks", lambda s, now: s.board.hq),
    Bar("13.1c", "{unit} has moved in this phase", lambda s, now: s.moved | s.assault | s.marked),
    Bar("13.2d", "{unit} is out of supply", lambda s, now: s.oos),
    Bar("18.2", "{unit} began in an enemy zone of control: not one step back", lambda s, now: s.pinned),
    Doubt("13.1c", "{unit} has fewer MPs than the {spent} that the stack has spent", _too_slow),  # A62
)


# 13.1e, 13.1f What it can attack


def _across_major(s: State, now: Raiding) -> Mask:
    """13.1i the hexes across a major river, unless all of the stack began beside it."""
    if now.at == now.began:
        return 0
    rivers = s.ground.major_rivers
    return sum(1 << n for d, n in s.ground.steps[now.at] if rivers[d] >> now.at & 1)


STORM: Bars[State, Raiding] = Bars(
    Need("13.1e", "{hex} is not adjacent to the stack", lambda s, now: s.board.beside[now.at]),
    Need("13.1e", "no enemy is in {hex}", lambda s, now: s.occ[now.foe]),
    Need("13.1h", "no attack crosses that hexside", lambda s, now: s.ground.around[now.at]),
    Bar(
        "4.1d",
        "{hex} is an entry hex of the enemy: nobody attacks into it",
        lambda s, now: s.board.barred[s.active],
    ),
    Bar(
        "13.1a",
        "the stack had to stop; a mobile assault is movement",
        lambda s, now: ALL if now.stopped else 0,
    ),
    Bar(
        "13.1b",
        "an assault takes {price} MP, the stack has {left} left",
        lambda s, now: ALL if now.left < price(s) else 0,
    ),
    Need(
        "13.1m",  # A35
        "the stack failed to clear {failed}: it may only assault that hex again",
        lambda s, now: ALL if s.raid_failed < 0 else 1 << s.raid_failed,
    ),
    Bar("13.1i", "across a major river only units that began beside it make a mobile assault", _across_major),
    Doubt(
        "8.4a",
        "the odds against {hex} do not come to 1:2",
        lambda s, now, h: not can_storm(s, h, s.raid),
    ),
)

ON: Bars[State, Raiding] = Bars(
    Bar("7.1a", "the stack is there", lambda s, now: 1 << now.at),
    Bar("7.1d", "the enemy is in {hex}", lambda s, now: s.occ[now.foe]),
    Bar(
        "7.6b",
        "the stack had to stop in the terrain that it entered",
        lambda s, now: ALL if now.stopped else 0,
    ),
    Bar(
        "11.5b",
        "a disrupted unit may not end its move in {hex}, an enemy zone of control",
        lambda s, now: zone(s, now.foe) if s.raid & s.disrupted else 0,
    ),
    Need(
        "7.1b",
        "the stack does not get to {hex} with {left} MP at the rate of its slowest unit",
        lambda s, now: now.onward,
    ),
)
"""Where the stack can move on to."""


def leg_of(s: State, f: RaidAt) -> Leg:
    """The stack's way on."""
    return stack_leg(s, s.raid, left(s) // HALF, not f.flags & STEPPED)


def _not_ready(s: State, now: Raiding) -> Reason | None:
    """7.3d, 13.1l assault markers take three MPs, and an enemy to attack."""
    if now.left < tables(s).assault:
        return Reason("7.3d", Text("assault markers take 3 MP, the stack has {left} left", left=points(now.left)))
    if not beside(s, now.foe) >> now.at & 1:
        return Reason("7.3d", "an assault marker is for a unit that is to attack: no enemy is beside the stack")
    return None


def _idle(s: State, now: Raiding) -> Reason | None:
    """13.1a a stack that can do something does something."""
    if s.raid_spent >= 0 or not (
        now.onward
        or PICK.free(s.here[now.at], s, now)
        or STORM.free(s.occ[now.foe], s, now)
        or _not_ready(s, now) is None
    ):
        return None
    return Reason("13.1a", "the stack has done nothing yet")


def _way(s: State, f: RaidAt, action: Action) -> Hint | None:
    leg, names = leg_of(s, f), s.board.grid.names
    way = leg.to(action[1])
    if way is None:
        return None
    return {
        "cost": str(way.cost),
        "of": Text("{points} MP", points=points(left(s))),
        "path": [names[x] for x in way.path],
        "costs": [str(cost) for cost in leg.running(way.path)],
        "stop": leg.found.halts(action[1]),
    }


def pick_up(s: State, f: RaidAt, u: int) -> None:
    """13.1c the stack takes a unit along."""
    s.raid |= 1 << u
    emit(s, "picked_up", "13.1c", {"unit": u, "hex": s.at[u], "side": s.active})
    if s.at[u] != f.began:
        s.stack[-1] = f._replace(began=-1)


def make_ready(s: State, f: RaidAt) -> None:
    """13.1l, 13.1m the stack takes assault markers."""
    for u in units_of(s.raid):
        mark(s, u)
    over(s)


class Raid(Phase[State, RaidAt, Raiding]):
    """13.1 The stack in s.raid."""

    at = RaidAt
    does = (
        Ways(
            verbs.TO,
            of=lambda s, now: now.onward,
            bars=ON,
            facts=_facts,
            take=lambda s, f, h: move_on(s, f, h),
            hint=_way,
        ),
        Each(verbs.PICK, of=lambda s, now: s.here[now.at], bars=PICK, facts=_facts, take=pick_up),
        Each(
            verbs.STORM,
            of=lambda s, now: s.occ[now.foe],
            bars=STORM,
            facts=_facts,
            take=lambda s, f, h: storm(s, h),
            odds=lambda s, f, action: storm_odds(s, action[1], s.raid),
        ),
        Once(verbs.READY, take=make_ready, shut=_not_ready),
        Once(verbs.HALT, take=lambda s, f: over(s), shut=_idle),
        Elsewhere("7.1e", "first finish the move of this stack"),
    )

    def now(self, s: State, f: RaidAt) -> Raiding:
        stopped = f.flags & STOPPED
        onward = 0 if stopped else leg_of(s, f).everywhere()
        return Raiding(where(s), enemy(s.active), stopped, f.began, left(s), onward)

    def actor(self, s: State, f: RaidAt) -> int | None:
        if not s.raid:
            return None
        choices = self.legal(s, f)
        if len(choices) == 1 and choices[0][0] == verbs.HALT:
            return None
        s.choices = choices
        return s.active

    def run(self, s: State, f: RaidAt) -> None:
        """The stack is gone or can do nothing more."""
        over(s)

    def prompt(self, s: State, f: RaidAt) -> Prompt:
        text = Text(
            "{units} in {hex}: {left} MP left, an assault takes {price}",
            units=units_of(s.raid),
            hex=where(s),
            left=points(left(s)),
            price=points(price(s)),
        )
        return Prompt("Mobile assault", text, ("13.1b", "13.1c", "13.1e", "13.1m"), PHASES[s.phase])


def move_on(s: State, f: RaidAt, h: Hex) -> None:
    """7.1c, 13.1d the stack moves together; it takes control of places on its way (2.37a)."""
    start = where(s)
    found = leg_of(s, f).found
    cost, path = found.cost(h), found.path(h)
    stopped = STOPPED if found.halts(h) else 0  # 7.6b, 7.8
    s.raid_spent = max(s.raid_spent, 0) + cost * HALF
    units = units_of(s.raid)
    facts = {"units": list(units), "side": s.active, "from": start, "to": h, "path": path, "mp": cost}
    emit(s, "stack_moved", "13.1e", facts)
    s.stack[-1] = f._replace(flags=STEPPED | stopped)
    walk(s, s.raid, path)


def storm(s: State, target: Hex) -> None:
    """13.1e three MPs for an attack on one hex; stacking is checked at this moment (5.2b)."""
    s.raid_spent = max(s.raid_spent, 0) + price(s)
    s.met |= s.raid
    facts = {"units": list(units_of(s.raid)), "from": where(s), "hex": target, "side": s.active}
    emit(s, "mobile_assault", "13.1e", facts)
    s.stack.append(EnterAt(F_ENTER, target, 0))
    if excess(s, where(s), s.active):
        s.stack.append(StackAt(F_OVERSTACK, s.active, AFTER_STORM))


def over(s: State) -> None:
    """The stack's move is over; nobody of it moves again in this phase (7.1e, 13.1d)."""
    s.moved |= s.raid
    s.raid = s.raid_spent = 0
    s.raid_failed = -1
    s.stack.pop()


# 13.1k to 13.1m After the fight


def _enter(s: State, f: EnterAt) -> None:
    """13.1l the whole stack enters the cleared hex; it costs no MPs."""
    _fought(s)
    h, target = where(s), f.target
    d = s.board.grid.direction(h, target)
    units = units_of(s.raid)
    stopped = STOPPED if any(stops(s, u, h, d) for u in units) else 0  # 7.6b, 7.8
    facts = {"units": list(units), "from": h, "hex": target, "side": s.active}
    emit(s, "entered", "13.1l", facts)
    for u in units:
        enter(s, u, target)
    stack: RaidAt = s.stack[-1]  # type: ignore[assignment]
    s.stack[-1] = stack._replace(flags=STEPPED | stopped)


def _fought(s: State, failed: Hex = -1) -> None:
    """The fight is over; 13.1m, A35 the hex that was not cleared is remembered."""
    s.raid_failed = failed
    s.stack.pop()
    begin(s, COMBAT, -1, 0)


class Enter(Phase[State, EnterAt, None]):
    """13.1l, 13.1m The fight, and what follows."""

    at = EnterAt
    does = (
        Once(verbs.ENTER, take=_enter),
        Once(verbs.STAY, take=lambda s, f: _fought(s)),
        Elsewhere("13.1l", "first say whether the stack enters {hex}"),
    )

    def now(self, s: State, f: EnterAt) -> None:
        return None

    def facts(self, s: State, f: EnterAt) -> Mapping[str, Fact]:
        return {"hex": f.target}

    def actor(self, s: State, f: EnterAt) -> int | None:
        return s.active if f.fought and can_enter(s, f.target) else None

    def run(self, s: State, f: EnterAt) -> None:
        if f.fought:
            _fought(s, f.target if s.occ[enemy(s.active)] >> f.target & 1 else -1)
            return
        s.stack[-1] = f._replace(fought=1)
        if s.raid and can_storm(s, f.target, s.raid):  # losses by 5.2c may have made it too weak
            begin_fight(s, MOBILE, f.target, s.raid)

    def prompt(self, s: State, f: EnterAt) -> Prompt:
        text = term("It costs no MPs; the stack may go on from either hex")
        return Prompt(Text("Enter {hex}?", hex=f.target), text, ("13.1l",), PHASES[s.phase])


def can_enter(s: State, target: Hex) -> bool:
    """13.1l whether the hex is empty now and the whole stack (13.1d) may go in: terrain (7.6a), disruption (11.5b)."""
    if not s.raid or s.occ[enemy(s.active)] >> target & 1:
        return False
    if s.raid & s.disrupted and zone(s, enemy(s.active)) >> target & 1:
        return False
    h = where(s)
    return all(exits(s, u, h) >> target & 1 for u in units_of(s.raid))


FRAMES: dict[int, Frame[State, Any]] = {F_RAID: Raid(), F_ENTER: Enter()}
