"""13 Mobile assault: a stack of mechanised units and cavalry moves and attacks in a Second Movement Phase.

F_RAID is the stack s.raid on its way: it picks units up, moves on, storms, takes assault markers or halts.
A storm puts F_ENTER on the stack, which lets the fight run (combat.py) and then asks about the hex.
"""

from __future__ import annotations

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.paths.legs import Leg
from sandtable.mechanics.telling import emit

from ..combat.combat import begin_fight, can_storm, storm_odds
from ..combat.effects import begin
from ..paths.legs import beside, may_cross, stack_leg, stops, tables
from ..table import verbs
from ..table.board import HALF
from ..table.ids import AFTER_STORM, COMBAT, F_ENTER, F_OVERSTACK, F_RAID, MOBILE, PHASES
from ..table.stacking import excess
from ..table.state import State, enter, take_control, zone
from .phase import mark, points

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


# 13.1c The stack forms


def pickable(s: State) -> int:
    """13.1b, 13.1c, A62 who can be picked up: not moved yet, and with as many MPs as the stack has spent."""
    board = s.board
    out = s.moved | s.assault | s.marked | s.pinned | s.oos | board.hq | board.special_movers | s.raid
    units = s.here[where(s)] & board.of_side[s.active] & board.mobile & ~out
    spent = max(s.raid_spent, 0)
    return sum(1 << u for u in units_of(units) if board.ma[u][s.step[u]] * HALF >= spent)


# 13.1e, 13.1f What it can attack


def stormable(s: State, f: F) -> list[Hex]:
    """13.1e, 13.1f, A34 the adjacent hexes that the stack can attack with 3 MPs left."""
    if f[1] & STOPPED or left(s) < price(s):
        return []
    h, foe = where(s), enemy(s.active)
    found = []
    for d, n in s.ground.steps[h]:
        if not s.occ[foe] >> n & 1 or s.raid_failed not in (-1, n):  # A35
            continue
        if s.ground.major_rivers[d] >> h & 1 and h != f[2]:  # 13.1i
            continue
        if can_storm(s, n, s.raid):
            found.append(n)
    return sorted(found)


def onward(s: State, f: F) -> Mask:
    """Where the stack can move on to. A disrupted unit keeps it out of EZOC (11.5b)."""
    if f[1] & STOPPED:
        return 0
    return leg_of(s, f).everywhere()


def leg_of(s: State, f: F) -> Leg:
    """13.1c, 13.1d the next stretch of the stack's move."""
    return stack_leg(s, s.raid, left(s) // HALF, not f[1] & STEPPED)


class Raid(Frame[State]):
    """13.1 The stack in s.raid. Frame: flags, the hex in which all its units began (-1 if they did not in one)."""

    def actor(self, s: State, f: F) -> int | None:
        if not s.raid:
            return None
        choices = self.legal(s, f)
        if len(choices) == 1 and choices[0][0] == verbs.HALT:
            return None
        s.choices = choices
        return s.active

    def run(self, s: State, f: F) -> None:
        """The stack is gone or can do nothing more."""
        over(s)

    def legal(self, s: State, f: F) -> list[Action]:
        actions = tables(s).go(onward(s, f))
        actions += [(verbs.PICK, u) for u in units_of(pickable(s))]
        actions += [(verbs.STORM, h) for h in stormable(s, f)]
        if left(s) >= tables(s).assault and beside(s, enemy(s.active)) >> where(s) & 1:
            actions.append((verbs.READY,))
        if s.raid_spent >= 0 or not actions:
            actions.append((verbs.HALT,))
        return actions

    def take(self, s: State, f: F, action: Action) -> None:
        verb = action[0]
        if verb == verbs.TO:
            move_on(s, f, action[1])
        elif verb == verbs.PICK:
            u = action[1]
            s.raid |= 1 << u
            emit(s, "picked_up", "13.1c", {"unit": u, "hex": s.at[u], "side": s.active})
            if s.at[u] != f[2]:
                s.stack[-1] = (F_RAID, f[1], -1)
        elif verb == verbs.STORM:
            storm(s, action[1])
        elif verb == verbs.READY:  # 13.1l, 13.1m
            for u in units_of(s.raid):
                mark(s, u)
            over(s)
        else:
            over(s)

    def prompt(self, s: State, f: F) -> Prompt:
        board = s.board
        names = ", ".join(board.unit_names[u] for u in units_of(s.raid))
        text = f"{names} in {board.hex_name(where(s))}: {points(left(s))} MP left, an assault takes {points(price(s))}"
        return Prompt("Mobile assault", text, ("13.1b", "13.1c", "13.1e", "13.1m"), PHASES[s.phase])

    def odds(self, s: State, f: F, action: Action) -> Odds | None:
        return storm_odds(s, action[1], s.raid) if action[0] == verbs.STORM else None

    def hint(self, s: State, f: F, action: Action) -> Hint | None:
        if action[0] != verbs.TO:
            return None
        leg, names = leg_of(s, f), s.board.grid.names
        way = leg.to(action[1])
        if way is None:
            return None
        return {
            "cost": str(way.cost),
            "of": f"{points(left(s))} MP",
            "path": [names[x] for x in way.path],
            "costs": [str(cost) for cost in leg.running(way.path)],
            "stop": leg.found.halts(action[1]),
        }

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        verb = action[0]
        if verb == verbs.PICK:
            return why_not_pick(s, action[1])
        if verb == verbs.STORM:
            return why_not_storm(s, f, action[1])
        if verb == verbs.TO:
            return why_not_on(s, f, action[1])
        if verb == verbs.READY:
            if left(s) < tables(s).assault:
                return Reason("7.3d", f"assault markers take 3 MP, the stack has {points(left(s))} left")
            return Reason("7.3d", "an assault marker is for a unit that is to attack: no enemy is beside the stack")
        if verb == verbs.HALT:
            return Reason("13.1a", "the stack has done nothing yet")
        return Reason("7.1e", "first finish the move of this stack")


def move_on(s: State, f: F, h: Hex) -> None:
    """7.1c, 13.1d the stack moves together; it takes control of places on its way (2.37a)."""
    start = where(s)
    found = leg_of(s, f).found
    cost, path = found.cost(h), found.path(h)
    stopped = STOPPED if found.halts(h) else 0  # 7.6b, 7.8
    s.raid_spent = max(s.raid_spent, 0) + cost * HALF
    units = units_of(s.raid)
    facts = {"units": list(units), "side": s.active, "from": start, "to": h, "path": path, "mp": cost}
    emit(s, "stack_moved", "13.1e", facts)
    for x in path[:-1]:
        take_control(s, units[0], x)
    for u in units:
        enter(s, u, h)
    s.stack[-1] = (F_RAID, STEPPED | stopped, f[2])


def storm(s: State, target: Hex) -> None:
    """13.1e three MPs for an attack on one hex; stacking is checked at this moment (5.2b)."""
    s.raid_spent = max(s.raid_spent, 0) + price(s)
    s.met |= s.raid
    facts = {"units": list(units_of(s.raid)), "from": where(s), "hex": target, "side": s.active}
    emit(s, "mobile_assault", "13.1e", facts)
    s.stack.append((F_ENTER, target, 0))
    if excess(s, where(s), s.active):
        s.stack.append((F_OVERSTACK, s.active, AFTER_STORM))


def over(s: State) -> None:
    """The stack's move is over; nobody of it moves again in this phase (7.1e, 13.1d)."""
    s.moved |= s.raid
    s.raid = s.raid_spent = 0
    s.raid_failed = -1
    s.stack.pop()


# 13.1k to 13.1m After the fight


class Enter(Frame[State]):
    """13.1l, 13.1m The fight, and what follows. Frame: target, 1 once it has been fought."""

    def actor(self, s: State, f: F) -> int | None:
        return s.active if f[2] and can_enter(s, f[1]) else None

    def run(self, s: State, f: F) -> None:
        if not f[2]:
            s.stack[-1] = (F_ENTER, f[1], 1)
            if s.raid and can_storm(s, f[1], s.raid):  # losses by 5.2c may have made it too weak
                begin_fight(s, MOBILE, f[1], s.raid)
            return
        s.raid_failed = f[1] if s.occ[enemy(s.active)] >> f[1] & 1 else -1  # 13.1m, A35
        self._done(s)

    def _done(self, s: State) -> None:
        s.stack.pop()
        begin(s, COMBAT, -1, 0)

    def legal(self, s: State, f: F) -> list[Action]:
        return [(verbs.ENTER,), (verbs.STAY,)]

    def take(self, s: State, f: F, action: Action) -> None:
        s.raid_failed = -1
        self._done(s)
        if action[0] == verbs.STAY:
            return
        h, target = where(s), f[1]
        d = s.board.grid.direction(h, target)
        units = units_of(s.raid)
        stopped = STOPPED if any(stops(s, u, h, d) for u in units) else 0  # 7.6b, 7.8
        facts = {"units": list(units), "from": h, "hex": target, "side": s.active}
        emit(s, "entered", "13.1l", facts)
        for u in units:
            enter(s, u, target)
        frame = s.stack[-1]
        s.stack[-1] = (F_RAID, STEPPED | stopped, frame[2])

    def prompt(self, s: State, f: F) -> Prompt:
        name = s.board.hex_name(f[1])
        text = "It costs no MPs; the stack may go on from either hex"
        return Prompt(f"Enter {name}?", text, ("13.1l",), PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        return Reason("13.1l", f"first say whether the stack enters {s.board.hex_name(f[1])}")


def can_enter(s: State, target: Hex) -> bool:
    """13.1l whether the hex is empty now and the whole stack (13.1d) may go in: terrain (7.6a), disruption (11.5b)."""
    if not s.raid or s.occ[enemy(s.active)] >> target & 1:
        return False
    if s.raid & s.disrupted and zone(s, enemy(s.active)) >> target & 1:
        return False
    h = where(s)
    d = s.board.grid.direction(h, target)
    return all(may_cross(s, u, h, d) for u in units_of(s.raid))


# Why not


def why_not_pick(s: State, u: int) -> Reason:
    """Why the stack cannot pick up a unit."""
    board, b = s.board, 1 << u
    who = board.unit_names[u]
    if board.side[u] != s.active:
        return Reason("13.1c", f"{who} is not yours")
    if s.raid & b:
        return Reason("13.1c", f"{who} is in the stack")
    if not board.mobile & b or board.special_movers & b:
        return Reason("13.1b", f"only mechanised units and cavalry make mobile assaults, not {who}")
    if s.at[u] != where(s):
        return Reason("13.1c", f"{who} is not in {board.hex_name(where(s))}, where the stack is")
    if board.hq & b:
        return Reason("15.1a", f"{who} is an HQ and never attacks")
    if (s.moved | s.assault | s.marked) & b:
        return Reason("13.1c", f"{who} has moved in this phase")
    if s.oos & b:
        return Reason("13.2d", f"{who} is out of supply")
    if s.pinned & b:
        return Reason("18.2", f"{who} began in an enemy zone of control: not one step back")
    return Reason("13.1c", f"{who} has fewer MPs than the {points(s.raid_spent)} that the stack has spent")


def why_not_storm(s: State, f: F, target: Hex) -> Reason:
    """Why the stack cannot attack a hex."""
    board, h = s.board, where(s)
    there = board.hex_name(target)
    d = board.grid.direction(h, target)
    if d < 0:
        return Reason("13.1e", f"{there} is not adjacent to the stack")
    if not s.occ[enemy(s.active)] >> target & 1:
        return Reason("13.1e", f"no enemy is in {there}")
    if not s.ground.open[d] >> h & 1:
        return Reason("13.1h", "no attack crosses that hexside")
    if board.barred[s.active] >> target & 1:
        return Reason("4.1d", f"{there} is an entry hex of the enemy: nobody attacks into it")
    if f[1] & STOPPED:
        return Reason("13.1a", "the stack had to stop; a mobile assault is movement")
    if left(s) < price(s):
        return Reason("13.1b", f"an assault takes {points(price(s))} MP, the stack has {points(left(s))} left")
    if s.raid_failed not in (-1, target):
        failed = board.hex_name(s.raid_failed)
        return Reason("13.1m", f"the stack failed to clear {failed}: it may only assault that hex again")
    if s.ground.major_rivers[d] >> h & 1 and h != f[2]:
        return Reason("13.1i", "across a major river only units that began beside it make a mobile assault")
    return Reason("8.4a", f"the odds against {there} do not come to 1:2")


def why_not_on(s: State, f: F, h: Hex) -> Reason:
    """Why the stack cannot move on to a hex."""
    there = s.board.hex_name(h)
    if h == where(s):
        return Reason("7.1a", "the stack is there")
    if s.occ[enemy(s.active)] >> h & 1:
        return Reason("7.1d", f"the enemy is in {there}")
    if f[1] & STOPPED:
        return Reason("7.6b", "the stack had to stop in the terrain that it entered")
    if s.raid & s.disrupted and zone(s, enemy(s.active)) >> h & 1:
        return Reason("11.5b", f"a disrupted unit may not end its move in {there}, an enemy zone of control")
    return Reason(
        "7.1b", f"the stack does not get to {there} with {points(left(s))} MP at the rate of its slowest unit"
    )


FRAMES: dict[int, Frame[State]] = {F_RAID: Raid(), F_ENTER: Enter()}
