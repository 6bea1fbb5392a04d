"""3.2c The Movement Phase: which unit moves next, and everything else that is done in it in any order.

The move of a unit or stack is in stack.py, the railway in rails.py. Port demolition and repair come last (3.2d), and
then the stacking limit is enforced (4.4.1b).
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Prompt
from sandtable.engine.frames import F, Frame
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import hexes_in
from sandtable.mechanics.phases import Each, Elsewhere, Once, Only, Phase

from ..combat import combat
from ..paths.legs import fresh_points, pinned
from ..retreat import displacement
from ..supply import depots, forts, resources
from ..supply.supply_lines import ungarrisoned
from ..table import verbs
from ..table.frames import MovesAt, OverstackAt, PortsAt
from ..table.ids import AUTO_DS, AXIS, F_MOVES, F_OVERSTACK, F_PORTS
from ..table.position import good_order, of_no_use
from ..table.state import State
from . import companions, convoys, flights, rails, stack

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


# 5.1a, 6.3 Who can move


def _boxed(s: State) -> int:
    """6.3 the units of the phasing player in the box that adjoins the map."""
    return s.here.get(s.board.tripoli if s.active == AXIS else s.board.delta, 0)


def _walkers(s: State) -> int:
    """6.3.4b those of them on foot whom no train takes along."""
    units = _boxed(s) & s.board.foot & s.board.of_side[s.active]
    return units and units & ~rails.riders(s, s.at[units.bit_length() - 1])


MOVE: Bars[State, object] = Bars(
    Need("5.1a", "{unit} is not yours", lambda s, _: s.board.of_side[s.active]),
    Need("5.1a", "{unit} is not on the map", lambda s, _: s.present),
    companions.ABLE,
    Bar("6.3.2c", "{unit} leaves Italy only by sea or air", lambda s, _: s.here.get(s.board.italy, 0)),
    Bar(
        "6.3.4a",
        "{unit} must be in Good Order to leave an off-map box",
        lambda s, _: _boxed(s) & (s.disrupted | s.routed),
    ),
    Bar("19.5b", "{unit} took a replacement and may not leave an off-map box", lambda s, _: _boxed(s) & s.refreshed),
    Doubt(
        "6.3.4b",
        "{unit} leaves an off-map box only on a truck or by rail, air or naval transport",
        lambda *_: True,
        lambda s, _: _walkers(s),
    ),
)


def movable(s: State) -> int:
    """5.1a, 6.3 the units of the phasing player that may still move, or give up."""
    return MOVE.free(s.present & s.board.of_side[s.active], s, None)


# 17.1.4b ASUs are made ready


def fresh_msu(s: State, place: int) -> int:
    """17.1.4b, 17.2.4b an MSU of the place that has not moved in this phase, 0 if there is none."""
    laden = depots.laden(s, s.active, place) & ~s.moved
    return laden & -laden


READY: Bars[State, object] = Bars(
    Need(
        "17.1.4b",
        "{unit} is not an ASU of yours in play",
        lambda s, _: s.board.asus & s.board.of_side[s.active] & s.present,
    ),
    Need("17.1.4b", "{unit} is ready", lambda s, _: s.depleted),
    Need("13.2.1d", "{unit} is not in Good Order", lambda s, _: good_order(s)),
    Bar("17.1.4b", "{unit} has moved in this phase", lambda s, _: s.moved),
    Bar("21.1.5b", "{unit} is under a naval transport marker", lambda s, _: of_no_use(s)),
    Doubt(
        "17.1.4b",
        "no supply point that has not moved is with {unit}",
        lambda s, _, u: fresh_points(s, s.active, s.at[u]) <= 0 and not fresh_msu(s, s.at[u]),
    ),
)
"""17.1.4b depleted ASUs in Good Order that are stacked with an SP, neither having moved yet."""


def ready(s: State, f: MovesAt, u: int) -> None:
    """17.1.4b an ASU takes an SP that has not moved and is ready."""
    depots.refit(s, u, 0 if fresh_points(s, s.active, s.at[u]) > 0 else fresh_msu(s, s.at[u]))


# 3.2c, 3.2d The phase


def strength(s: State) -> int:
    """How many units the phasing player has in play."""
    return (s.present & s.board.of_side[s.active]).bit_count()


def end(s: State, *ports: F) -> None:
    """13.3.2c, A51 who has stayed beside the enemy in Full Retreat gives way; 3.2d the ports, once; 4.4.1b the stacking
    limit."""
    s.stack[-1] = MovesAt(F_MOVES, ENDING, strength(s))
    s.stack += [OverstackAt(F_OVERSTACK, s.active), *ports]
    displacement.drive(s, s.active, displacement.exposed(s, s.active))


class Moves(Phase[State, MovesAt, combat.Declaring]):
    """3.2c The Movement Phase. Frame: UNDER_WAY once it has begun, then ENDING and how many units there were."""

    at = MovesAt
    does = (
        resources.BUY,
        Each(
            verbs.V_MOVE,
            of=lambda s, _: s.present & s.board.of_side[s.active] & ~(s.moved | s.auto | s.shipped),
            bars=MOVE,
            take=lambda s, f, u: stack.begin(s, u),
        ),
        rails.RAIL_SP,
        flights.FLY,
        convoys.CONVOY,
        Each(
            verbs.V_CRUSH,
            of=lambda s, now: now.near,
            bars=combat.AGAINST[AUTO_DS],
            take=lambda s, f, h: combat.begin_crush(s, h),
            odds=lambda s, f, action: combat.crush_odds(s, action[1]),
        ),
        forts.FORTIFY,
        forts.UNFORTIFY,
        Each(verbs.V_READY, of=lambda s, _: s.depleted & s.board.of_side[s.active] & ~s.moved, bars=READY, take=ready),
        depots.DESTROY,
        Only(  # 12.5.3 those bound to their hex can do nothing else; others do it instead of moving
            verbs.V_SURRENDER,
            "5.1d",
            "first pick the unit with `move`",
            lambda s, _: s.present & pinned(s) & s.board.of_side[s.active] & ~s.moved,
            take=lambda s, f, u: stack.surrender(s, u),
        ),
        Once(verbs.V_END_MOVES, take=lambda s, f: end(s, PortsAt(F_PORTS))),
        Elsewhere("5.1d", "first pick the unit with `move`", verbs.V_TO, verbs.V_RAIL, verbs.V_TRANSFER, verbs.V_FLEE),
        Elsewhere(
            "5.1d",
            "no stack is on the move: `move` begins one",
            *(
                verbs.V_JOIN,
                verbs.V_LOAD,
                verbs.V_LOAD_SP,
                verbs.V_UNLOAD_SP,
                verbs.V_ROMMEL,
                verbs.V_LEAVE,
                verbs.V_HALT,
            ),
        ),
    )

    def now(self, s: State, f: MovesAt) -> combat.Declaring:
        return combat.declaring(s, AUTO_DS)

    def actor(self, s: State, f: MovesAt) -> int | None:
        return s.active if f == MOVING else None

    def run(self, s: State, f: MovesAt) -> None:
        if not f.stage:
            begin_moves(s)
            s.stack[-1] = MOVING
        elif strength(s) < f.strength and displacement.exposed(s, s.active):  # 4.4.1c took the friend of some away
            end(s)
        else:
            s.stack.pop()

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


FRAMES: dict[int, Frame[State, Any]] = {F_MOVES: Moves()}
