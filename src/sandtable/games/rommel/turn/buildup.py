"""16 The Buildup: the month advances, units without supply die, points come, reinforcements arrive.

16.1 to 16.4 are here, and the order of everything; 16.51 to 16.53 are in redeployment.py, the rest
of 16.5 in spending.py, 16.6 in resupply.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from sandtable.engine.contract import CHANCE, Action, Die, Prompt, Roll
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.phases import Each, Phase

from ..supply.supply import supply_network
from ..supply.victory import victory_at_once
from ..table import verbs
from ..table.board import units_of
from ..table.ids import (
    AXIS,
    BUILDUP,
    COMMONWEALTH,
    F_ARRIVE,
    F_BUILDUP,
    F_BUILDUP_DICE,
    F_EARLY,
    F_GIVE_UP,
    F_PLAYER_BUILDUP,
    F_SPEND,
    F_SUPPLY_CHECK,
    HELD,
    POOL,
    REFIT,
)
from ..table.scenarios import script
from ..table.state import State, emit, put
from ..table.steps import BlockAt, BuildupAt, BuildupDiceAt, PlayerBuildupAt, SideAt, SupplyCheckAt
from . import resupply

# 16.0 Order


class Buildup(Frame[State, BuildupAt]):
    """16.0c The steps of the Buildup, in this order; Gazala begins with a modified one (16.0b)."""

    at = BuildupAt

    def run(self, s: State, f: BuildupAt) -> None:
        step, first = f.step, f.first
        s.stack[-1] = BuildupAt(F_BUILDUP, step + 1, first)
        if step == 0:
            advance_month(s)
        elif step == 1:
            if modified(s):
                s.nets = [supply_network(s, AXIS), supply_network(s, COMMONWEALTH)]  # 12.7j, nobody dies
            else:
                s.stack.append(SupplyCheckAt(F_SUPPLY_CHECK, 0, BUILDUP, 0))  # 16.2
        elif step == 2:
            if not victory_at_once(s):
                return_from_refit(s)
        elif step == 3:
            s.stack.append(BuildupDiceAt(F_BUILDUP_DICE, AXIS, 0))  # 16.3
        elif step == 4:
            if not modified(s):
                resupply.collect_cards(s)
                s.stack += [SideAt(F_GIVE_UP, 1 - first), SideAt(F_GIVE_UP, first)]  # 16.6a, A28
        elif step == 5:
            s.stack.append(PlayerBuildupAt(F_PLAYER_BUILDUP, first, 0))
        elif step == 6:
            s.stack.append(PlayerBuildupAt(F_PLAYER_BUILDUP, 1 - first, 0))
        else:
            s.stack.pop()


def modified(s: State) -> bool:
    """16.0b Whether this is the modified Buildup that opens the first month of Gazala."""
    return s.month == script(s).first_month


class PlayerBuildup(Frame[State, PlayerBuildupAt]):
    """16.0c One player's Buildup: reinforcements, spending, resupply, in this order (A47)."""

    at = PlayerBuildupAt

    def run(self, s: State, f: PlayerBuildupAt) -> None:
        side, step = f.side, f.step
        s.stack[-1] = PlayerBuildupAt(F_PLAYER_BUILDUP, side, step + 1)
        whole = not modified(s)
        if step == 0:
            emit(s, "player_buildup", "16.3d", {"side": side})
            if whole:
                check_early(s, side)
        elif step == 1:
            if whole:
                arrive(s, side)
        elif step == 2:
            s.stack.append(SideAt(F_SPEND, side))
        elif step == 3:
            save_points(s, side)
            if whole:
                resupply.draw(s, side)
        else:
            s.bought[side] = 0
            s.stack.pop()


def save_points(s: State, side: int) -> None:
    """16.5b At most 20 points are saved; the rest is lost."""
    lost = s.bp[side] - s.board.saved_limit
    if lost > 0:
        s.bp[side] = s.board.saved_limit
        emit(s, "points_lost", "16.5b", {"side": side}, side, {"points": lost}, hidden=True)


# 16.1 Advance the month


def advance_month(s: State) -> None:
    """16.1 The next month begins; what was counted by the month is counted anew."""
    s.month += 1
    s.captured = [0] * len(s.captured)  # 13.4e
    s.port_used = [0] * len(s.port_used)  # 16.53f
    s.moved = 0  # 16.52a: units that redeploy in this Buildup are marked here
    emit(s, "buildup", "16.1", {"month": s.month, "name": script(s).months[s.month - 1]})


# 16.3 Buildup points


@cache
def sums(dice: int) -> tuple[tuple[Action, Fraction], ...]:
    """The chance of each sum of some dice."""
    ways = {0: 1}
    for _ in range(dice):
        thrown: dict[int, int] = {}
        for total, count in ways.items():
            for face in range(1, 7):
                thrown[total + face] = thrown.get(total + face, 0) + count
        ways = thrown
    return tuple(((verbs.ROLLED, total), Fraction(ways[total], 6**dice)) for total in sorted(ways))


class BuildupDice(Frame[State, BuildupDiceAt]):
    """16.3a Each player rolls two dice (one in 1940, 16.3c); the frame keeps the Axis roll for the second."""

    at = BuildupDiceAt

    def dice(self, s: State) -> int:
        play = script(s)
        menu = play.first_menu if modified(s) and play.first_menu is not None else play.menu
        return menu.dice_per_player

    def actor(self, s: State, f: BuildupDiceAt) -> int | None:
        return CHANCE

    def legal(self, s: State, f: BuildupDiceAt) -> list[Action]:
        return [action for action, _ in sums(self.dice(s))]

    def chances(self, s: State, f: BuildupDiceAt) -> list[tuple[Action, Fraction]]:
        return list(sums(self.dice(s)))

    def roll(self, s: State, f: BuildupDiceAt, die: Die) -> Roll:
        fell = tuple(die(6) for _ in range(self.dice(s)))
        return Roll((verbs.ROLLED, sum(fell)), fell)

    def take(self, s: State, f: BuildupDiceAt, action: Action) -> None:
        side, other, rolled = f.side, f.axis_roll, action[1]
        emit(s, "buildup_roll", "16.3a", {"side": side, "roll": rolled}, final=True)
        if side == AXIS:
            s.stack[-1] = BuildupDiceAt(F_BUILDUP_DICE, COMMONWEALTH, rolled)
            return
        points = rolled + other  # 16.3b the sum of all dice, to each
        s.bp[AXIS] += points  # 16.3f added to what was saved
        s.bp[COMMONWEALTH] += points
        first = COMMONWEALTH if rolled <= other else AXIS  # 16.3d the lower roll; 16.3e a tie
        s.stack.pop()
        s.stack[-1] = BuildupAt(F_BUILDUP, s.stack[-1].step, first)
        emit(s, "buildup_points", "16.3b", {"points": points, "side": first})

    def prompt(self, s: State, f: BuildupDiceAt) -> Prompt:
        text = Text("{n} dice; the sum of all dice goes to each player, the lower roll builds up first", n=self.dice(s))
        return Prompt("Buildup points", text, ("16.3a", "16.3b", "16.3d"), "buildup")


# 16.4 Reinforcements


def awaited(s: State, side: int) -> int:
    """16.41a The units of a side that are due in the next month, as a unit mask."""
    next_month = script(s).due_in.get(s.month + 1, 0) & s.board.of_side[side]
    return _in_box(s, next_month, POOL)


def ready(s: State, side: int) -> int:
    """16.41b, 16.41e, M11 The units that come to the base now: early, on time, or held back before.

    16.52f: a unit in refit is among them only if the base was a battle hex when it should have returned.
    """
    board = s.board
    own = board.of_side[side]
    found = _in_box(s, own, HELD)
    for month, units in script(s).due_in.items():
        if month <= s.month:
            found |= _in_box(s, units & own, POOL)
    return found | _in_box(s, own, REFIT)


def _in_box(s: State, units: int, box: int) -> int:
    found = 0
    for u in units_of(units & ~s.placed):
        if s.at[u] == box:
            found |= 1 << u
    return found


def base_in_battle(s: State, side: int) -> bool:
    """M11 whether units of both sides are in the base of this side."""
    return bool(s.occ[0] & s.occ[1] & s.board.base_mask[side])


def return_from_refit(s: State) -> None:
    """16.52e At the start of the Buildup units in refit stand up in their base, unless that is in battle."""
    for side in (AXIS, COMMONWEALTH):
        units = units_of(_in_box(s, s.board.of_side[side], REFIT))
        if units and not base_in_battle(s, side):
            _put_in_base(s, side, units, "returned", "16.52e")


def _put_in_base(s: State, side: int, units: Sequence[int], kind: str, rule: str) -> None:
    base = s.board.base[side]
    for u in units:
        put(s, u, base)
        s.plan[u] = -1
    emit(s, kind, rule, {"side": side, "hex": base, "blocks": len(units)}, side, {"units": units})


def check_early(s: State, side: int) -> None:
    """16.41a A die for every reinforcement due next month."""
    units = awaited(s, side)
    if units:
        emit(s, "early_checks", "16.41a", {"side": side, "blocks": units.bit_count()})
        s.stack.append(BlockAt(F_EARLY, side, (units & -units).bit_length() - 1))


class EarlyArrival(OneDie[State, BlockAt]):
    """16.41 One unit's die for early arrival.

    The enemy may not know which units come early (16.41d), but knows who is due: the dice are
    rolled in secret, and the early ones wait until all have been rolled, to be placed together.
    """

    at = BlockAt

    def take(self, s: State, f: BlockAt, action: Action) -> None:
        side, u, face = f.side, f.unit, action[1]
        early = face in s.board.pack.tables["dice"]["early_arrival"]  # 16.41b on 1 or 2; 16.41c
        told = {"unit": u, "roll": face, "early": early}
        emit(s, "early_check", "16.41b", {"side": side}, side, told, hidden=True, final=True)
        if early:
            s.at[u] = HELD
        left = awaited(s, side) >> (u + 1) << (u + 1)
        if left:
            s.stack[-1] = BlockAt(F_EARLY, side, (left & -left).bit_length() - 1)
        else:
            s.stack.pop()

    def prompt(self, s: State, f: BlockAt) -> Prompt:
        return Prompt("Early arrival", "On 1 or 2 a reinforcement comes early", ("16.41a",), "buildup")


def arrive(s: State, side: int) -> None:
    """16.4a Reinforcements are placed in the base; M11: into a battle there only if their owner likes."""
    units = ready(s, side)
    if not units:
        return
    if base_in_battle(s, side):
        s.stack.append(BlockAt(F_ARRIVE, side, (units & -units).bit_length() - 1))
    else:
        _put_in_base(s, side, units_of(units), "arrived", "16.4a")


def enter_the_battle(s: State, f: BlockAt, u: int) -> None:
    s.plan[u] = s.board.base[f.side]
    ask_the_next(s, f)


def hold_back(s: State, f: BlockAt, u: int) -> None:
    if s.at[u] == POOL:
        s.at[u] = HELD
    emit(s, "held", "16.52f", {"side": f.side}, f.side, {"unit": u}, hidden=True)
    ask_the_next(s, f)


def ask_the_next(s: State, f: BlockAt) -> None:
    """Those that enter do it together, when all have been asked about."""
    side, units = f.side, ready(s, f.side)
    left = units >> (f.unit + 1) << (f.unit + 1)
    if left:
        s.stack[-1] = BlockAt(F_ARRIVE, side, (left & -left).bit_length() - 1)
        return
    s.stack.pop()
    coming = [v for v in units_of(units) if s.plan[v] == s.board.base[side]]
    if coming:
        _put_in_base(s, side, coming, "arrived", "16.52f")


THIS_ONE: Bars[State, int] = Bars(
    Need("16.52f", lambda s, due, u: Text("now {unit} arrives", unit=due), lambda s, due: 1 << due)
)


class Arrive(Phase[State, BlockAt, int]):
    """M11, 16.52f The base is a battle hex: a unit that should arrive enters the battle or is held back.

    Both know who is due, and the order in which they are asked for: so those that enter do it together.
    """

    at = BlockAt
    does = (
        Each(verbs.ARRIVE, bars=THIS_ONE, take=enter_the_battle),
        Each(verbs.HOLD, bars=THIS_ONE, take=hold_back),
    )

    def actor(self, s: State, f: BlockAt) -> int | None:
        return f.side

    def now(self, s: State, f: BlockAt) -> int:
        return f.unit

    def prompt(self, s: State, f: BlockAt) -> Prompt:
        text = Text(
            "{unit} may enter the battle in {hex} or wait for the next Buildup",
            unit=f.unit,
            hex=s.board.base[f.side],
        )
        return Prompt("Arrival in battle", text, ("16.52f", "16.4a"), "buildup")


FRAMES: dict[int, Frame[State, Any]] = {
    F_BUILDUP: Buildup(),
    F_BUILDUP_DICE: BuildupDice(),
    F_PLAYER_BUILDUP: PlayerBuildup(),
    F_EARLY: EarlyArrival(verbs.ROLLED),
    F_ARRIVE: Arrive(),
}
