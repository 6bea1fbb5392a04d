"""24 Delay markers, and what is placed and removed with them: strafing (18.7.5) and the LRDG (18.8)."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Choices, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.dice import DicePair
from sandtable.mechanics.masks import enemy, hexes_in
from sandtable.mechanics.offers import Offers, Row, Rows
from sandtable.mechanics.shown.telling import emit

from ..supply import depots, forts, resources
from ..supply.resources import slot
from ..supply.supply_lines import held_ports
from ..supply.support import air_range
from ..table.board import Board
from ..table.frames import DelayAt
from ..table.ids import ALLIED, AXIS, F_DELAY, F_DELAY_ROLL, LRDG, PHASES, STRAFING
from ..table.position import controlled, touch_markers
from ..table.state import State
from ..table.verbs import V_BUY, V_DELAY, V_DESTROY_SP, V_END_DELAY, V_LRDG, V_PAIR, V_STRAFE, V_TAKE_BACK, V_UNFORTIFY

END: Action = (V_END_DELAY,)
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


def near_enemy(s: State, side: int) -> Mask:
    """24.3.1b the hexes on or beside enemy units, combat units or not (SPs too, 2.3.1b), and fortification markers."""
    found: Mask | None = s.memo.get(("near enemy", side))
    if found is None:
        foe = enemy(side)
        things = s.occ[foe] | s.forts[foe] | s.building[foe]
        for h in s.sp[foe]:
            things |= 1 << h
        found = s.memo["near enemy", side] = s.board.grid.dilate(things & s.board.grid.all)
    return found


def delay_hexes(s: State, side: int) -> Mask:
    """24.3.1 where a delay marker may be placed: not on or beside anything of the enemy's (24.3.1b) or a friendly
    delay marker (24.3.1c), nor in an enemy port or airfield (24.3.1d), nor on friendly strafing (18.7.5b)."""
    board = s.board
    foe = enemy(side)
    theirs = held_ports(s, foe) | board.airfields & controlled(s, foe)
    own = board.grid.dilate(laid(s, side))
    return board.land & ~near_enemy(s, side) & ~own & ~theirs & ~s.strafing[side]


def strafing_hexes(s: State, side: int) -> Mask:
    """18.7.5b where a strafing marker may be placed: in air range, one a hex, not on a friendly delay marker."""
    return air_range(s, side) & s.board.land & ~s.strafing[side] & ~laid(s, side)


def lrdg_hexes(s: State) -> Mask:
    """18.8b where the LRDG may be placed: neither on nor beside an enemy unit; one marker in a hex."""
    units = s.occ[AXIS]
    for h in s.sp[AXIS]:
        units |= 1 << h
    return s.board.land & ~s.board.grid.dilate(units & s.board.grid.all) & ~s.lrdg


def _offers(board: Board, *verb: int) -> Offers:
    found: Offers | None = board.kept.get(("offers", verb))
    if found is None:
        found = board.kept["offers", verb] = Offers(verb[0], board.size, *verb[1:])
    return found


def free_hexes(s: State, side: int, placed: int) -> tuple[Mask, Mask, Mask]:
    """24.3.1a, A7 where delay markers of the display can go, two at most in a phase; 18.7.5d, 18.8d the same for
    strafing markers and for the LRDG, as long as there are any."""
    more = at_hand(s, side) and placed < most(s.board)
    return (
        delay_hexes(s, side) if more else 0,
        strafing_hexes(s, side) if s.assets[slot(side, STRAFING)] > 0 else 0,
        lrdg_hexes(s) if side == ALLIED and s.assets[LRDG] > 0 else 0,
    )


def placements(s: State, side: int, placed: int) -> list[Row]:
    """24.3.1a everything that can be placed."""
    board = s.board
    delay, strafing, lrdg = free_hexes(s, side, placed)
    rows: list[Row] = []
    if delay:
        rows.append((_offers(board, V_DELAY, at_hand(s, side)), delay))
    if strafing:
        rows.append((_offers(board, V_STRAFE), strafing))
    if lrdg:
        rows.append((_offers(board, V_LRDG), lrdg))
    return rows


def most(board: Board) -> int:
    """24.1b, A7 how many delay markers a side may place in one Delay Phase."""
    return int(board.pack.tables["delay"]["max_placed_per_delay_phase"])


# 24.3 The Delay Phase


class Delay(Frame[State, DelayAt]):
    """3.2h The Delay Phase of the phasing player. Frame: step, delay markers placed in this phase."""

    at = DelayAt

    def actor(self, s: State, f: DelayAt) -> int | None:
        if f.step == PLACE:
            besides, rows = self.besides(s), placements(s, s.active, f.placed)
            if besides or rows:
                s.choices = Rows(besides, rows, (END,))
                return s.active
        return s.active if f.step == TAKE_BACK and laid(s, s.active) else None

    def besides(self, s: State) -> list[Action]:
        """23.2.1a, 9.5.7b, 17.2.3d what a player may do at any time of his turn: this is the last one."""
        return resources.purchases(s, PHASES[s.phase]) + forts.removals(s) + depots.destructions(s)

    def run(self, s: State, f: DelayAt) -> None:
        step, side = f.step, s.active
        s.stack[-1] = DelayAt(F_DELAY, step + 1, 0)
        if step == REMOVE_OLD:
            expire(s, side)
        elif step == ROLL:
            if laid(s, side):  # 24.3.2 without a marker on the map the dice change nothing
                s.stack.append((F_DELAY_ROLL,))
        elif step == MANDATORY:
            s.stack.pop()
            clear_overrun(s)

    def offer(self, s: State, f: DelayAt) -> list[Action] | Choices:
        if f.step == PLACE:
            return Rows(self.besides(s), placements(s, s.active, f.placed), (END,))
        return self.legal(s, f)

    def legal(self, s: State, f: DelayAt) -> list[Action]:
        if f.step == PLACE:
            return Rows(self.besides(s), placements(s, s.active, f.placed), (END,)).listed()
        return [*((V_TAKE_BACK, n + 1) for n, h in enumerate(markers(s, s.active)) if h >= 0), END]

    def take(self, s: State, f: DelayAt, action: Action) -> None:
        side, verb = s.active, action[0]
        if verb == V_END_DELAY:
            s.stack[-1] = DelayAt(F_DELAY, f.step + 1, 0)
        elif verb == V_BUY:
            resources.buy(s, action[1])
        elif verb == V_DESTROY_SP:
            depots.destroy_sp(s, action[1])
        elif verb == V_UNFORTIFY:
            forts.take(s, action)
        elif verb == V_DELAY:
            _, number, h = action
            markers(s, side)[number - 1] = h
            s.stack[-1] = DelayAt(F_DELAY, PLACE, f.placed + 1)
            emit(s, "delay_placed", "24.3.1a", {"marker": number, "hex": h, "side": side})
        elif verb == V_STRAFE:
            s.assets[slot(side, STRAFING)] -= 1
            s.strafing[side] |= 1 << action[1]
            emit(s, "strafing_placed", "18.7.5b", {"hex": action[1], "side": side})
        elif verb == V_LRDG:
            s.assets[LRDG] -= 1
            s.lrdg |= 1 << action[1]
            emit(s, "lrdg_placed", "18.8b", {"hex": action[1], "side": side})
        else:
            pick_up(s, side, action[1], "24.3.3")
        touch_markers(s)

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

    def why_not(self, s: State, f: DelayAt, action: Action) -> Reason | None:
        side = s.active
        if action[0] == V_BUY and f.step == PLACE:
            return resources.why_not_buy(s, action[1], PHASES[s.phase])
        if action[0] == V_DESTROY_SP and f.step == PLACE:
            return depots.WHY_NOT_DESTROYED
        if action[0] == V_UNFORTIFY and f.step == PLACE:
            return forts.why_not(s, action)
        if f.step == TAKE_BACK:
            if action[0] == V_TAKE_BACK:
                return Reason("24.3.3", Text("marker {marker} is not on the map", marker=action[1]))
            if action[0] in (V_BUY, V_DESTROY_SP, V_UNFORTIFY):
                return Reason("3.2h", "the player turn is all but over: that was to be done before the dice")
            return Reason("24.3.2", "markers are placed before the dice for their removal")
        if action[0] == V_TAKE_BACK:
            return Reason("24.3.3", "markers can be taken back only after the dice for their removal")
        if action[0] == V_DELAY:
            return why_no_delay(s, side, f.placed, action[1], action[2])
        if action[0] == V_STRAFE:
            return why_no_strafing(s, side, action[1])
        if action[0] == V_LRDG:
            return why_no_lrdg(s, side, action[1])
        return None


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


# Why not


def why_no_delay(s: State, side: int, placed: int, number: int, h: Hex) -> Reason | None:
    board = s.board
    name, b = board.hex_name(h), 1 << h
    places = markers(s, side)
    if not 1 <= number <= len(places):
        return Reason("24.3.2", Text("there is no delay marker {number}", number=number))
    if places[number - 1] >= 0:
        return Reason("24.3.1a", Text("marker {number} is on the map and may not be moved", number=number))
    if placed >= most(board):
        return Reason("24.1b", Text("{n} delay markers have been placed in this phase", n=most(board)))
    if number != at_hand(s, side):
        return Reason("24.3.1a", Text("take marker {marker} first: the numbers are alike", marker=at_hand(s, side)))
    if not board.land & b:
        return Reason("24.3.1a", Text("{hex} is not a land hex", hex=name))
    if near_enemy(s, side) & b:
        return Reason("24.3.1b", Text("an enemy unit or fortification is in {hex} or beside it", hex=name))
    if board.grid.dilate(laid(s, side)) & b:
        return Reason("24.3.1c", Text("a friendly delay marker is in {hex} or beside it", hex=name))
    if s.strafing[side] & b:
        return Reason("18.7.5b", Text("a friendly strafing marker is in {hex}", hex=name))
    return Reason("24.3.1d", Text("the enemy controls the port or airfield of {hex}", hex=name))


def why_no_strafing(s: State, side: int, h: Hex) -> Reason:
    name, b = s.board.hex_name(h), 1 << h
    if s.assets[slot(side, STRAFING)] <= 0:
        return Reason("18.7.1a", "you have no strafing marker")
    if s.strafing[side] & b:
        return Reason("18.7.5b", Text("there is a strafing marker in {hex}", hex=name))
    if laid(s, side) & b:
        return Reason("18.7.5b", Text("there is a friendly delay marker in {hex}", hex=name))
    if not s.board.land & b:
        return Reason("18.7.5b", Text("{hex} is not a land hex", hex=name))
    return Reason(
        "18.7.3", Text("no friendly airfield or corps HQ in full supply is within 16 hexes of {hex}", hex=name)
    )


def why_no_lrdg(s: State, side: int, h: Hex) -> Reason:
    name = s.board.hex_name(h)
    if side != ALLIED or s.assets[LRDG] <= 0:
        return Reason("18.8a", "you have no LRDG marker")
    if s.lrdg >> h & 1 or not s.board.land >> h & 1:
        return Reason("18.8b", Text("no LRDG marker can be placed in {hex}", hex=name))
    return Reason("18.8b", Text("an enemy unit is in {hex} or beside it", hex=name))


FRAMES: dict[int, Frame[State, Any]] = {F_DELAY: Delay(), F_DELAY_ROLL: DelayRoll(V_PAIR)}
