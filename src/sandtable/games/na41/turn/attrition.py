"""25 The Supply Attrition Phase."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import TwoDice
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.shown.telling import emit

from ..table.board import Board
from ..table.frames import AttritionAt, AttritionLossAt
from ..table.ids import AXIS, F_ATTRITION, F_ATTRITION_LOSS, PHASES, SIDES
from ..table.position import add_sp, eliminate, touch
from ..table.state import State
from ..table.verbs import V_DEPLETE, V_PAY_SP, V_ROLLED


def sector_of(board: Board, side: int, total: int) -> int:
    """25.1.1a the sector that a total names on a side's table, by its place from west to east; -1 for no effect."""
    name = board.pack.tables["supply_attrition"][SIDES[side]][str(total)]
    return board.sectors.index(name) if name in board.sectors else -1


def beyond(board: Board, side: int, sector: int) -> Mask:
    """25.1.1b a sector and what lies beyond it: east of it for the Axis, west of it for the Allies."""
    east = board.pack.tables["supply_attrition"]["beyond"][SIDES[side]] == "east"
    return sum(board.sector[sector:] if east else board.sector[: sector + 1])


class Attrition(TwoDice[State, AttritionAt]):
    """25.1.1a Two dice on the side's own table. Frame: side, unused."""

    at = AttritionAt

    def take(self, s: State, f: AttritionAt, action: Action) -> None:
        s.stack.pop()
        side, total = f.side, action[1]
        sector = sector_of(s.board, side, total)
        bites = sector >= 0 and bool(s.men[side] & beyond(s.board, side, sector))
        name = s.board.sectors[sector] if sector >= 0 else "none"
        data = {"side": side, "dice": total, "sector": name, "bites": bites}
        emit(s, "supply_attrition", "25.1.1a", data, final=True)
        if side == AXIS and total in s.board.pack.tables["supply_attrition"]["axis"]["captured_trucks_removed_on"]:
            break_down(s)
        if bites:
            s.stack.append(AttritionLossAt(F_ATTRITION_LOSS, side, sector))

    def prompt(self, s: State, f: AttritionAt) -> Prompt:
        text = Text("Two dice on the {side} table name a sector that costs supplies", side=SIDES[f.side].capitalize())
        return Prompt("Supply attrition", text, ("25.1.1a", "25.1.1b"), PHASES[s.phase])


def break_down(s: State) -> None:
    """27.1e captured trucks are removed from play; they cannot be replaced (27.1d), but others may be captured."""
    for u in units_of(s.board.captured):
        if s.at[u] >= 0:
            eliminate(s, u, "27.1e")


# 25.1.1c to 25.1.1e What it costs


def stores(s: State, side: int) -> dict[Hex, list[Action]]:
    """25.1.1c what a side can give up, by the hex where it is: SPs, on the ground or on MSUs, and ready ASUs.

    Off-map boxes are no part of any sector, nor are they land hexes (25.1.2, 25.1.1d).
    """
    board = s.board
    found: dict[Hex, list[Action]] = {}
    for h in s.sp[side]:
        found[h] = [(V_PAY_SP, h)]
    for u in units_of(s.msu & board.of_side[side]):
        found[s.at[u]] = [(V_PAY_SP, s.at[u])]
    for u in units_of(board.asus & board.of_side[side] & ~s.depleted):
        found.setdefault(s.at[u], []).append((V_DEPLETE, u))
    return {h: actions for h, actions in found.items() if h >= 0 and not board.is_box(h)}


def payments(s: State, side: int, sector: int) -> list[Action]:
    """25.1.1c what a side can give up in the sector; 25.1.1d if nothing, what is in the land hex nearest to it."""
    found = stores(s, side)
    places = sum(1 << h for h in found)
    around = s.board.sector[sector] & s.board.land
    while places and not places & around:
        around = s.board.grid.dilate(around)
    return sorted(action for h in hexes_in(places & around) for action in found[h])


class AttritionLoss(Frame[State, AttritionLossAt]):
    """25.1.1c One SP or one ASU. Frame: side, sector."""

    at = AttritionLossAt

    def actor(self, s: State, f: AttritionLossAt) -> int | None:
        return f.side if len(payments(s, f.side, f.sector)) > 1 else None

    def run(self, s: State, f: AttritionLossAt) -> None:
        actions = payments(s, f.side, f.sector)
        if actions:
            self.take(s, f, actions[0])
        else:
            s.stack.pop()
            starve(s, f.side)

    def legal(self, s: State, f: AttritionLossAt) -> list[Action]:
        return payments(s, f.side, f.sector)

    def take(self, s: State, f: AttritionLossAt, action: Action) -> None:
        s.stack.pop()
        side = f.side
        if action[0] == V_PAY_SP:
            remove_sp(s, side, action[1])
            emit(s, "attrition_sp", "25.1.1c", {"hex": action[1], "side": side})
        else:
            u = action[1]
            s.depleted |= 1 << u
            touch(s)
            emit(s, "attrition_asu", "25.1.1c", {"unit": u, "hex": s.at[u], "side": side})

    def prompt(self, s: State, f: AttritionLossAt) -> Prompt:
        sector = s.board.sectors[f.sector].replace("_", " ").title()
        text = Text(
            "One supply point removed or one ASU depleted in the {sector} sector, or as near to it as can be",
            sector=sector,
        )
        return Prompt("What does supply attrition cost?", text, ("25.1.1c", "25.1.1d"), PHASES[s.phase])

    def why_not(self, s: State, f: AttritionLossAt, action: Action) -> Reason | None:
        verb, *what = action
        if verb not in (V_PAY_SP, V_DEPLETE):
            return None
        board = s.board
        if verb == V_PAY_SP:
            place = what[0]
            if board.is_box(place):
                return Reason("25.1.2", Text("{hex} is not part of any sector", hex=board.hex_name(place)))
            if action not in stores(s, f.side).get(place, []):
                return Reason("25.1.1c", Text("you have no supply point in {hex}", hex=board.hex_name(place)))
        else:
            name = board.unit_names[what[0]]
            if action not in stores(s, f.side).get(s.at[what[0]], []):
                return Reason("25.1.1c", Text("{unit} is no ready ASU of yours on the map", unit=name))
        return Reason("25.1.1d", "something nearer to the sector has to be given up")


def remove_sp(s: State, side: int, h: Hex) -> None:
    """One SP is gone: of those on the ground first, else of an MSU, which is a truck again (17.2.4b)."""
    if s.sp[side].get(h, 0):
        add_sp(s, side, h, -1)
        return
    load = s.msu & s.here.get(h, 0) & s.board.of_side[side]
    s.msu &= ~(load & -load)
    touch(s)


def starve(s: State, side: int) -> None:
    """25.1.1e nothing to give up: all units on the map are marked OOS; A35 white side, or the marker as it is."""
    units = 0
    for h in hexes_in(s.occ[side]):
        units |= s.here[h] & s.board.of_side[side]
    s.oos |= units
    touch(s)  # 16.4a how far a unit goes hangs on its marker
    emit(s, "starving", "25.1.1e", {"side": side, "units": list(units_of(units))})


FRAMES: dict[int, Frame[State, Any]] = {F_ATTRITION: Attrition(V_ROLLED), F_ATTRITION_LOSS: AttritionLoss()}
