"""25 The Supply Attrition Phase."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.dice import TwoDice
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.phases import Each, Forced
from sandtable.mechanics.shown.telling import emit

from ..supply.support import places_of
from ..table.board import Board
from ..table.frames import AttritionAt, AttritionLossAt
from ..table.ids import AXIS, F_ATTRITION, F_ATTRITION_LOSS, PHASES, SIDES
from ..table.position import add_sp, eliminate, stores, touch
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


def points_of(s: State, side: int) -> Mask:
    """25.1.1c where a side has SPs on the map, on the ground or on MSUs. Off-map boxes are no part of any sector, nor
    are they land hexes (25.1.2, 25.1.1d)."""
    places = stores(s, side) | places_of(s, s.msu & s.board.of_side[side] & s.present)
    return places & ~s.board.box_mask


def ready_asus(s: State, side: int) -> int:
    """25.1.1c the ASUs of a side on the map that are not depleted."""
    asus = s.board.asus & s.board.of_side[side] & s.present & ~s.depleted
    return sum(1 << u for u in units_of(asus) if not s.board.is_box(s.at[u]))


class Due(NamedTuple):
    """Who gives something up, and the hexes where it has to be."""

    side: int
    near: Mask


def due(s: State, side: int, sector: int) -> Due:
    """25.1.1c something in the sector; 25.1.1d if there is nothing, what is in the land hex nearest to it."""
    places = points_of(s, side) | places_of(s, ready_asus(s, side))
    near = s.board.sector[sector] & s.board.land
    while places and not places & near:
        near = s.board.grid.dilate(near)
    return Due(side, near)


NEARER = term("something nearer to the sector has to be given up")


def pay(s: State, f: AttritionLossAt, h: Hex) -> None:
    s.stack.pop()
    remove_sp(s, f.side, h)
    emit(s, "attrition_sp", "25.1.1c", {"hex": h, "side": f.side})


def deplete(s: State, f: AttritionLossAt, u: int) -> None:
    s.stack.pop()
    s.depleted |= 1 << u
    touch(s)
    emit(s, "attrition_asu", "25.1.1c", {"unit": u, "hex": s.at[u], "side": f.side})


class AttritionLoss(Forced[State, AttritionLossAt, Due]):
    """25.1.1c One SP or one ASU. Frame: side, sector."""

    at = AttritionLossAt
    does = (
        Each(
            V_PAY_SP,
            bars=Bars(
                Bar("25.1.2", "{hex} is not part of any sector", lambda s, _: s.board.box_mask),
                Need("25.1.1c", "you have no supply point in {hex}", lambda s, now: points_of(s, now.side)),
                Need("25.1.1d", NEARER, lambda s, now: now.near),
            ),
            take=pay,
        ),
        Each(
            V_DEPLETE,
            bars=Bars(
                Need("25.1.1c", "{unit} is no ready ASU of yours on the map", lambda s, now: ready_asus(s, now.side)),
                Doubt("25.1.1d", NEARER, lambda s, now, u: not now.near >> s.at[u] & 1),
            ),
            take=deplete,
        ),
    )

    def now(self, s: State, f: AttritionLossAt) -> Due:
        return due(s, f.side, f.sector)

    def nothing(self, s: State, f: AttritionLossAt) -> None:
        s.stack.pop()
        starve(s, f.side)

    def prompt(self, s: State, f: AttritionLossAt) -> Prompt:
        sector = s.board.sectors[f.sector].replace("_", " ").title()
        text = Text(
            "One supply point removed or one ASU depleted in the {sector} sector, or as near to it as can be",
            sector=sector,
        )
        return Prompt("What does supply attrition cost?", text, ("25.1.1c", "25.1.1d"), PHASES[s.phase])


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
