"""24 Delay markers, and what is placed and removed with them: strafing (18.7.5) and the LRDG (18.8)."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.dice import DicePair
from sandtable.mechanics.masks import enemy, hexes_in, where
from sandtable.mechanics.phases import Each, Once, Pairs, Phase
from sandtable.mechanics.shown.telling import emit

from ..supply import depots, forts, resources
from ..supply.resources import slot
from ..supply.supply_lines import held_ports
from ..supply.support import air_range
from ..table.board import Board
from ..table.frames import DelayAt
from ..table.ids import ALLIED, AXIS, F_DELAY, F_DELAY_ROLL, LRDG, PHASES, STRAFING
from ..table.position import controlled, stores, touch_markers
from ..table.state import State
from ..table.verbs import V_DELAY, V_END_DELAY, V_LRDG, V_PAIR, V_STRAFE, V_TAKE_BACK

REMOVE_OLD, PLACE, ROLL, TAKE_BACK, MANDATORY = range(5)


def markers(s: State, side: int) -> list[int]:
    """24.3.2 the places of a side's delay markers, by number less one; -1 is the display."""
    return s.delay_axis if side == AXIS else s.delay_allied


def laid(s: State, side: int) -> Mask:
    """The hexes with delay markers of a side."""
    found = 0
    for h in markers(s, side):
        if h >= 0:
            found |= 1 << h
    return found


def at_hand(s: State, side: int) -> int:
    """The lowest number of a delay marker in the display, 0 if there is none.

    The numbers are alike until the dice fall, so that it is enough to offer one.
    """
    display = markers(s, side)
    return display.index(-1) + 1 if -1 in display else 0


# 24.3.1 Placement


class Placing(NamedTuple):
    """Whose markers are placed or taken back, how far the phase is, and how many delay markers were placed in it."""

    side: int
    step: int
    placed: int


def _now(s: State, now: Placing) -> int:
    """Nobody, once the dice have been rolled."""
    return ALL if now.step == TAKE_BACK else 0


AFTER_THE_DICE: Bar[State, Placing] = Bar("24.3.2", "markers are placed before the dice for their removal", _now)


def near_units(s: State, side: int, more: Mask = 0) -> Mask:
    """18.8b the hexes on or beside enemy units, combat units or not (SPs too, 2.3.1b), and these."""
    foe = enemy(side)
    return s.board.grid.dilate((more | stores(s, foe) | s.occ[foe]) & s.board.grid.all)


def near_enemy(s: State, side: int) -> Mask:
    """24.3.1b the same, fortification markers too."""
    return near_units(s, side, s.forts[enemy(side)] | s.building[enemy(side)])


def _places(s: State, now: Placing) -> int:
    """24.3.1a the numbers of the markers that lie on the map."""
    return where(h >= 0 for h in markers(s, now.side)) << 1


MARKERS: Bars[State, Placing] = Bars(
    AFTER_THE_DICE,
    Need("24.3.2", "there is no delay marker {marker}", lambda s, now: (1 << len(markers(s, now.side))) - 1 << 1),
    Bar("24.3.1a", "marker {marker} is on the map and may not be moved", _places),
    Bar(
        "24.1b",
        lambda s, _, n: Text("{n} delay markers have been placed in this phase", n=most(s.board)),
        lambda s, now: ALL if now.placed >= most(s.board) else 0,
    ),
    Need(
        "24.3.1a",
        lambda s, now, n: Text("take marker {marker} first: the numbers are alike", marker=at_hand(s, now.side)),
        lambda s, now: 1 << at_hand(s, now.side),
    ),
)
"""24.3.1a, A7 which delay marker of the display can be placed, two at most in a phase."""

DELAYS: Bars[State, Placing] = Bars(
    Need("24.3.1a", "{hex} is not a land hex", lambda s, _: s.board.land),
    Bar("24.3.1b", "an enemy unit or fortification is in {hex} or beside it", lambda s, now: near_enemy(s, now.side)),
    Bar(
        "24.3.1c",
        "a friendly delay marker is in {hex} or beside it",
        lambda s, now: s.board.grid.dilate(laid(s, now.side)),
    ),
    Bar("18.7.5b", "a friendly strafing marker is in {hex}", lambda s, now: s.strafing[now.side]),
    Bar(
        "24.3.1d",
        "the enemy controls the port or airfield of {hex}",
        lambda s, now: held_ports(s, enemy(now.side)) | s.board.airfields & controlled(s, enemy(now.side)),
    ),
)
"""24.3.1 where it can be placed."""

STRAFING_AT: Bars[State, Placing] = Bars(
    AFTER_THE_DICE,
    Bar("18.7.1a", "you have no strafing marker", lambda s, now: 0 if s.assets[slot(now.side, STRAFING)] > 0 else ALL),
    Bar("18.7.5b", "there is a strafing marker in {hex}", lambda s, now: s.strafing[now.side]),
    Bar("18.7.5b", "there is a friendly delay marker in {hex}", lambda s, now: laid(s, now.side)),
    Need("18.7.5b", "{hex} is not a land hex", lambda s, _: s.board.land),
    Need(
        "18.7.3",
        "no friendly airfield or corps HQ in full supply is within 16 hexes of {hex}",
        lambda s, now: air_range(s, now.side),
    ),
)
"""18.7.5b, 18.7.5d where strafing markers can be placed, as long as there are any."""

LRDG_AT: Bars[State, Placing] = Bars(
    AFTER_THE_DICE,
    Bar("18.8a", "you have no LRDG marker", lambda s, now: 0 if now.side == ALLIED and s.assets[LRDG] > 0 else ALL),
    Need("18.8b", "no LRDG marker can be placed in {hex}", lambda s, _: s.board.land & ~s.lrdg),
    Bar("18.8b", "an enemy unit is in {hex} or beside it", lambda s, now: near_units(s, now.side)),
)
"""18.8b, 18.8d the same for the LRDG."""


def most(board: Board) -> int:
    """24.1b, A7 how many delay markers a side may place in one Delay Phase."""
    return int(board.pack.tables["delay"]["max_placed_per_delay_phase"])


def lay(s: State, f: DelayAt, number: int, h: Hex) -> None:
    """24.3.1a a delay marker of the display is placed."""
    markers(s, s.active)[number - 1] = h
    s.stack[-1] = DelayAt(F_DELAY, PLACE, f.placed + 1)
    emit(s, "delay_placed", "24.3.1a", {"marker": number, "hex": h, "side": s.active})
    touch_markers(s)


def strafe(s: State, f: DelayAt, h: Hex) -> None:
    s.assets[slot(s.active, STRAFING)] -= 1
    s.strafing[s.active] |= 1 << h
    emit(s, "strafing_placed", "18.7.5b", {"hex": h, "side": s.active})
    touch_markers(s)


def lurk(s: State, f: DelayAt, h: Hex) -> None:
    s.assets[LRDG] -= 1
    s.lrdg |= 1 << h
    emit(s, "lrdg_placed", "18.8b", {"hex": h, "side": s.active})
    touch_markers(s)


def before_the_dice(deed: Each[State, Any, Any]) -> Each[State, Any, Placing]:
    """23.2.1a, 9.5.7b, 17.2.3d what a player may do at any time of his turn: this is the last one."""
    over: Bar[State, Placing] = Bar(
        "3.2h", "the player turn is all but over: that was to be done before the dice", _now
    )
    return Each(deed.verb, of=deed.of, bars=Bars(over, deed.bars), take=deed.take)


# 24.3 The Delay Phase


class Delay(Phase[State, DelayAt, Placing]):
    """3.2h The Delay Phase of the phasing player. Frame: step, delay markers placed in this phase."""

    at = DelayAt
    does = (
        before_the_dice(resources.BUY),
        before_the_dice(forts.UNFORTIFY),
        before_the_dice(depots.DESTROY),
        Pairs(V_DELAY, first=MARKERS, second=DELAYS, take=lay),
        Each(
            V_STRAFE,
            of=lambda s, now: s.board.land if s.assets[slot(now.side, STRAFING)] > 0 else 0,
            bars=STRAFING_AT,
            take=strafe,
        ),
        Each(
            V_LRDG,
            of=lambda s, now: s.board.land if now.side == ALLIED and s.assets[LRDG] > 0 else 0,
            bars=LRDG_AT,
            take=lurk,
        ),
        Each(
            V_TAKE_BACK,
            bars=Bars(
                Bar(
                    "24.3.3",
                    "markers can be taken back only after the dice for their removal",
                    lambda s, now: ALL if now.step == PLACE else 0,
                ),
                Need("24.3.3", "marker {marker} is not on the map", _places),
            ),
            take=lambda s, f, number: pick_up(s, s.active, number, "24.3.3"),
        ),
        Once(V_END_DELAY, take=lambda s, f: next_step(s, f)),
    )

    def now(self, s: State, f: DelayAt) -> Placing:
        return Placing(s.active, f.step, f.placed)

    def actor(self, s: State, f: DelayAt) -> int | None:
        return s.active if f.step in (PLACE, TAKE_BACK) and self.several(s, f) else None

    def run(self, s: State, f: DelayAt) -> None:
        step, side = f.step, s.active
        next_step(s, f)
        if step == REMOVE_OLD:
            expire(s, side)
        elif step == ROLL:
            if laid(s, side):  # 24.3.2 without a marker on the map the dice change nothing
                s.stack.append((F_DELAY_ROLL,))
        elif step == MANDATORY:
            s.stack.pop()
            clear_overrun(s)

    def prompt(self, s: State, f: DelayAt) -> Prompt:
        if f.step == TAKE_BACK:
            again = Text("Markers that you take back can be placed again in your next Delay Phase")
            return Prompt("Take delay markers back?", again, ("24.3.3",), PHASES[s.phase])
        left = most(s.board) - f.placed
        one = term("Up to {n} more delay marker; entering the hex costs the enemy 1 MP more")
        many = term("Up to {n} more delay markers; entering the hex costs the enemy 1 MP more")
        text = (
            Text.many(left, one, many) if left else Text("Strafing and LRDG markers stay until your next Delay Phase")
        )
        return Prompt("Place markers that slow the enemy", text, ("24.3.1a", "18.7.5b", "18.8b"), PHASES[s.phase])


def next_step(s: State, f: DelayAt) -> None:
    s.stack[-1] = DelayAt(F_DELAY, f.step + 1, 0)


def expire(s: State, side: int) -> None:
    """18.7.5d, 18.8d the strafing and LRDG markers of the last own Delay Phase come off."""
    if s.strafing[side]:
        emit(s, "strafing_over", "18.7.5d", {"hexes": list(hexes_in(s.strafing[side])), "side": side})
        s.strafing[side] = 0
        touch_markers(s)
    if side == ALLIED and s.lrdg:
        emit(s, "lrdg_over", "18.8d", {"hexes": list(hexes_in(s.lrdg)), "side": side})
        s.lrdg = 0
        touch_markers(s)


def pick_up(s: State, side: int, number: int, rule: str) -> None:
    """A delay marker goes back to the display."""
    places = markers(s, side)
    emit(s, "delay_removed", rule, {"marker": number, "hex": places[number - 1], "side": side})
    places[number - 1] = -1
    touch_markers(s)


class DelayRoll(DicePair[State]):
    """24.3.2 Two dice: the own delay markers with these numbers go back to the display."""

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack.pop()
        side = s.active
        emit(s, "delay_roll", "24.3.2", {"side": side, "dice": list(action[1:])}, final=True)
        for number in sorted(set(action[1:])):
            if markers(s, side)[number - 1] >= 0:
                pick_up(s, side, number, "24.3.2")

    def prompt(self, s: State, f: F) -> Prompt:
        text = term("Own delay markers whose numbers are rolled go back to the display")
        return Prompt("Random removal of delay markers", text, ("24.3.2",), PHASES[s.phase])


def clear_overrun(s: State) -> None:
    """24.3.4 in every Delay Phase, all delay markers stacked with enemy units, combat or not, are removed."""
    for side in (AXIS, ALLIED):
        for i, h in enumerate(markers(s, side)):
            if h >= 0 and (s.occ[enemy(side)] >> h & 1 or h in s.sp[enemy(side)]):
                pick_up(s, side, i + 1, "24.3.4")


FRAMES: dict[int, Frame[State, Any]] = {F_DELAY: Delay(), F_DELAY_ROLL: DelayRoll(V_PAIR)}
