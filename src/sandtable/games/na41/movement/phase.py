"""3.2c The Movement Phase: which unit moves next, and everything else that is done in it in any order.

The march of a unit or stack is in marches.py, where it can go in routes.py, the railway in rails.py. Port
demolition and repair come last (3.2d), and then the stacking limit is enforced (4.4.1b).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.contract import Action, Choices, Odds, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.offers import nth

from ..combat import combat
from ..paths.legs import fresh_points, pinned, tables
from ..retreat import displacement
from ..supply import depots, forts, resources
from ..supply.supply_lines import ungarrisoned
from ..table.frames import MovesAt, OverstackAt, PortsAt
from ..table.ids import AIR_TRANSPORT, ALLIED, AXIS, F_MOVES, F_OVERSTACK, F_PORTS
from ..table.state import State
from ..table.verbs import (
    V_BUY,
    V_CONVOY,
    V_CRUSH,
    V_DESTROY_SP,
    V_END_MOVES,
    V_FLEE,
    V_FLY,
    V_FORTIFY,
    V_HALT,
    V_JOIN,
    V_LEAVE,
    V_LOAD,
    V_LOAD_SP,
    V_MOVE,
    V_RAIL,
    V_RAIL_SP,
    V_READY,
    V_ROMMEL,
    V_SURRENDER,
    V_TO,
    V_TRANSFER,
    V_UNFORTIFY,
    V_UNLOAD_SP,
)
from . import convoys, flights, rails, refusals, stack

END: Action = (V_END_MOVES,)
PHASE = "movement"
UNDER_WAY, ENDING = 1, 2
MOVING: F = MovesAt(F_MOVES, UNDER_WAY)


def begin_moves(s: State) -> None:
    """3.2c a Movement Phase begins: nobody has moved; what is fixed at its start is noted (21.1.4a)."""
    s.moved = s.extended = s.auto = 0
    s.claims = {}
    s.group = s.loads = s.run = s.stack_rommel = 0
    s.spent = s.mode = s.start = -1
    s.moved_at_all = s.attacked_at_all = 0
    s.rail_used = s.convoys_used = 0
    s.sp_moved = []
    s.sandy = s.parched = 0  # 5.5b
    s.control_before = s.control ^ ungarrisoned(s, s.active)  # 21.1.4a, 27.4a
    for u in range(len(s.carried)):
        s.carried[u] = -1


# Who can do something


def movable(s: State) -> int:
    """5.1a, 6.3 the units of the phasing player that may still move, or give up."""
    board = s.board
    units = s.present & board.of_side[s.active] & stack.able(s)
    for box in (board.italy, board.tripoli) if s.active == AXIS else (board.delta,):
        inside = s.here.get(box, 0) & units
        if inside:
            stays = inside if box == board.italy else inside & stack.bound(s, box)  # 6.3.2c, 6.3.4
            if stays:
                units &= ~stays | rails.riders(s, box)
    return units


def unmoved(s: State) -> int:
    """All of them, and some that may not move: such as are bound to their hex, or may not leave a box."""
    units = s.present & s.board.of_side[s.active] & ~(s.moved | s.auto | s.shipped)
    return units & ~s.here.get(s.board.italy, 0) if s.active == AXIS else units  # 6.3.2c nobody marches out of Italy


def spent_guns(s: State) -> int:
    """17.1.4b depleted ASUs in Good Order that have not moved yet, whether or not there is an SP for them."""
    return depots.depleted(s, s.active) & ~s.moved


def can_be_ready(s: State, u: int) -> bool:
    """17.1.4b whether a unit is one of them, and stacked with an SP that has not moved either."""
    if not spent_guns(s) >> u & 1:
        return False
    return fresh_points(s, s.active, s.at[u]) > 0 or fresh_msu(s, s.at[u]) != 0


def readiable(s: State) -> list[int]:
    """17.1.4b depleted ASUs in Good Order that are stacked with an SP, neither having moved yet."""
    return [u for u in units_of(spent_guns(s)) if can_be_ready(s, u)]


def fresh_msu(s: State, place: int) -> int:
    """17.1.4b, 17.2.4b an MSU of the place that has not moved in this phase, 0 if there is none."""
    laden = depots.laden(s, s.active, place) & ~s.moved
    return laden & -laden


def ready(s: State, u: int) -> None:
    """17.1.4b an ASU takes an SP that has not moved and is ready."""
    place = s.at[u]
    depots.refit(s, u, 0 if fresh_points(s, s.active, place) > 0 else fresh_msu(s, place))


def captive(s: State) -> int:
    """12.5.3 the units that can do nothing but surrender: those bound to their hex. Others do it instead of
    moving (marches.py)."""
    return s.present & pinned(s) & s.board.of_side[s.active] & ~s.moved


# What can be done


def everything(s: State) -> list[Action]:
    """3.2c all that the phasing player can do next, in order."""
    t = tables(s)
    actions = resources.purchases(s, PHASE)
    actions += t.move(movable(s))
    actions += rails.ride_sp_actions(s)
    actions += flights.flights(s)
    actions += convoys.actions(s)
    actions += combat.crush_actions(s)
    actions += forts.actions(s)
    actions += [(V_READY, u) for u in readiable(s)]
    actions += depots.destructions(s)
    actions += t.surrender(captive(s))
    actions.append(END)
    return actions


class Agenda(Choices):
    """The same without a list.

    Some things take long to find out: which enemies could be crushed, how far supply reaches, which convoys have
    room. Here they are only thought of, and it is found out whether they can be done when one of them is drawn; if
    not, the draw is made again, so that all that can be done has the same chance.
    """

    __slots__ = ("_picked", "_s")

    def __init__(self, s: State) -> None:
        self._s = s
        self._picked: Action | None = None

    def listed(self) -> list[Action]:
        return everything(self._s)

    def __contains__(self, action: object) -> bool:
        if action is self._picked or action == END:
            return True
        match action:
            case (int() as verb, int() as unit) if verb == V_MOVE:
                return unit >= 0 and bool(movable(self._s) >> unit & 1)
            case _:
                return action in everything(self._s)

    def pick(self, random: Callable[[], float]) -> Action:
        s = self._s
        side = s.active
        held = pinned(s)
        units, listed, sets = unmoved(s), self._few(s), self._sets(s, held)
        moves = units.bit_count()
        few = moves + len(listed)
        stocks = few + len(s.sp[side])
        goods = stocks + (resources.most_purchases(s, PHASE) if s.rp[side] else 0)
        total = goods
        for _, members, _ in sets:
            total += members.bit_count()
        while True:
            n = int(random() * total)
            found: Action | None = None
            if n < moves:
                u = nth(units, n)
                if not (s.board.box_mask >> s.at[u] | held >> u) & 1 or movable(s) >> u & 1:
                    found = (V_MOVE, u)
            elif n < few:
                found = self._tried(s, listed[n - moves])
            elif n < stocks:
                found = member_of(depots.destructions(s), n - few)
            elif n < goods:
                found = member_of(resources.purchases(s, PHASE), n - stocks)
            else:
                n -= goods
                for verb, members, allowed in sets:
                    count = members.bit_count()
                    if n < count:
                        member = nth(members, n)
                        found = (verb, member) if allowed(s, member) else None
                        break
                    n -= count
            if found is not None:
                self._picked = found
                return found

    def _few(self, s: State) -> list[Action]:
        """What there is but little of; convoys and flights are doubtful. SPs to destroy and purchases are left out: it
        is easily said how many there can be at most."""
        side = s.active
        found = [END]
        if side == ALLIED and not s.rail_used and s.sp[side]:
            found += rails.ride_sp_actions(s)
        if s.forts[side] or s.building[side]:
            found += forts.removals(s)
        found += convoys.imaginable(s)
        if side == AXIS and s.assets[AIR_TRANSPORT]:
            found += flights.imaginable(s)
        return found

    def _tried(self, s: State, action: Action) -> Action | None:
        """The same action, or None if it is a convoy without room or a flight to where there is no supply."""
        verb = action[0]
        if verb == V_CONVOY:
            return action if convoys.can_sail(s, action[1], action[2]) else None
        if verb == V_FLY:
            return action if flights.can_land(s, action[2]) else None
        return action

    def _sets(self, s: State, held: int) -> list[tuple[int, int, Callable[[State, int], bool]]]:
        """What could be done with each of a set, and how to find out whether it can."""
        side = s.active
        found: list[tuple[int, int, Callable[[State, int], bool]]] = []
        enemies, bound = combat.in_contact(s), s.present & held & s.board.of_side[side] & ~s.moved  # `captive`
        if enemies:
            found.append((V_CRUSH, enemies, combat.can_crush))
        if bound:
            found.append((V_SURRENDER, bound, always))
        if s.rp[side]:
            found.append((V_FORTIFY, forts.grounds(s), forts.in_supply))
        guns = s.depleted & s.present & ~s.moved & s.board.of_side[side]
        if guns and (s.sp[side] or s.msu):
            found.append((V_READY, guns, can_be_ready))
        return found


def member_of(actions: list[Action], n: int) -> Action | None:
    """The n-th of these, None if there are not so many."""
    return actions[n] if n < len(actions) else None


def always(s: State, u: int) -> bool:
    """12.5.3 surrender is never refused."""
    return True


class Moves(Frame[State, MovesAt]):
    """3.2c The Movement Phase. Frame: UNDER_WAY once it has begun, then ENDING and how many units there were."""

    at = MovesAt

    def actor(self, s: State, f: MovesAt) -> int | None:
        return s.active if f == MOVING else None

    def run(self, s: State, f: MovesAt) -> None:
        if not f.stage:
            begin_moves(s)
            s.stack[-1] = MOVING
        elif self.strength(s) < f.strength and displacement.exposed(s, s.active):  # 4.4.1c took the friend of some away
            self.end(s)
        else:
            s.stack.pop()

    def strength(self, s: State) -> int:
        """How many units the phasing player has in play."""
        return (s.present & s.board.of_side[s.active]).bit_count()

    def end(self, s: State, *ports: F) -> None:
        """13.3.2c, A51 who has stayed beside the enemy in Full Retreat gives way; 3.2d the ports, once; 4.4.1b the
        stacking limit."""
        s.stack[-1] = MovesAt(F_MOVES, ENDING, self.strength(s))
        s.stack += [OverstackAt(F_OVERSTACK, s.active), *ports]
        displacement.drive(s, s.active, displacement.exposed(s, s.active))

    def legal(self, s: State, f: MovesAt) -> list[Action]:
        return everything(s)

    def offer(self, s: State, f: MovesAt) -> list[Action] | Choices:
        return Agenda(s)

    def take(self, s: State, f: MovesAt, action: Action) -> None:
        verb = action[0]
        if verb == V_MOVE:
            stack.begin(s, action[1])
        elif verb == V_END_MOVES:
            self.end(s, PortsAt(F_PORTS))
        elif verb == V_RAIL_SP:
            rails.ride_sp(s, action[1], action[2])
        elif verb == V_BUY:
            resources.buy(s, action[1])
        elif verb == V_CRUSH:
            combat.begin_crush(s, action[1])
        elif verb == V_CONVOY:
            convoys.begin(s, action[1], action[2])
        elif verb == V_FLY:
            flights.fly(s, action[1], action[2])
        elif verb in (V_FORTIFY, V_UNFORTIFY):
            forts.take(s, action)
        elif verb == V_READY:
            ready(s, action[1])
        elif verb == V_DESTROY_SP:
            depots.destroy_sp(s, action[1])
        else:
            stack.surrender(s, action[1])

    def prompt(self, s: State, f: MovesAt) -> Prompt:
        text: Said = term("Pick a unit to move; others of its hex and loads join it before its first step")
        bare = displacement.exposed(s, s.active)
        if bare:
            text = Text(
                "{text}; in Full Retreat beside the enemy, to give way at the end of the phase (13.3.2c): {hexes}",
                text=text,
                hexes=hexes_in(bare),
            )
        return Prompt("Movement Phase", text, ("3.2c", "5.1a", "8.9.1a", "21.1.1a"), PHASE)

    def why_not(self, s: State, f: MovesAt, action: Action) -> Reason | None:
        verb = action[0]
        if verb == V_MOVE:
            return refusals.why_not_move(s, action[1])
        if verb == V_BUY:
            return resources.why_not_buy(s, action[1], PHASE)
        if verb == V_RAIL_SP:
            return refusals.why_no_rail_sp(s, action[1], action[2])
        if verb == V_CRUSH:
            return combat.why_no_crush(s, action[1])
        if verb == V_CONVOY:
            return convoys.why_not_convoy(s, action[1], action[2])
        if verb == V_FLY:
            return flights.why_not_fly(s, action[1], action[2])
        if verb in (V_FORTIFY, V_UNFORTIFY):
            return forts.why_not(s, action)
        if verb == V_READY:
            return refusals.why_not_ready(s, action[1])
        if verb == V_DESTROY_SP:
            return depots.WHY_NOT_DESTROYED
        if verb in (V_TO, V_RAIL, V_TRANSFER, V_SURRENDER, V_FLEE):
            return Reason("5.1d", "first pick the unit with `move`")
        if verb in (V_JOIN, V_LOAD, V_LOAD_SP, V_UNLOAD_SP, V_ROMMEL, V_LEAVE, V_HALT):
            return Reason("5.1d", "no stack is on the move: `move` begins one")
        return None

    def odds(self, s: State, f: MovesAt, action: Action) -> Odds | None:
        return combat.crush_odds(s, action[1]) if action[0] == V_CRUSH else None


FRAMES: dict[int, Frame[State, Any]] = {F_MOVES: Moves()}
