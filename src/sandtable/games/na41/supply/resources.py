"""23 Event tables and resource points: what the dice give, and what RPs buy.

Some purchases are made where they are used: a fortification by `fortify` (forts.py), a truck or corps HQ by `return`
(replacements.py), the repair of a port by `repair` (ports.py), a convoy to Benghazi by `convoy` (convoys.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import F, Frame
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.dice import TwoDice
from sandtable.mechanics.masks import units_of, where
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.phases import Each, Elsewhere, Forced, Only
from sandtable.mechanics.shown.telling import emit

from ..table.board import Board
from ..table.ids import (
    AIR_TRANSPORT,
    ASSETS,
    B_AIR_SUPPORT,
    B_BENGHAZI,
    B_BOMBING,
    B_FORTIFICATION,
    B_HQ,
    B_MALTA,
    B_REPAIR,
    B_TRUCK,
    B_U_BOATS,
    COMANDO,
    F_BOMB,
    F_EVENT,
    F_TAKE_ASSET,
    LRDG,
    PHASES,
    RESOURCES,
    SIDES,
    STRAFING,
)
from ..table.state import State
from ..table.verbs import V_BUY, V_ROLLED, V_TAKE
from .support import outflown

STRAFING_SLOT = (STRAFING, len(ASSETS))
"""Where each side's strafing markers are counted in State.assets; the other assets belong to one side alone."""

BOMBING = "bombing_raid"


# 23.2.3 Markers


class Goods:
    """What never changes about assets and resources."""

    def __init__(self, board: Board) -> None:
        tables = board.pack.tables
        self.assets: dict[str, Mapping[str, Any]] = {row["code"]: row for row in tables["asset"]}
        rows = {row["code"]: row for row in tables["resource"]}
        self.resources: tuple[Mapping[str, Any], ...] = tuple(rows[code] for code in RESOURCES)
        self.costs: tuple[int, ...] = tuple(row["cost"] for row in self.resources)
        self.malta: tuple[int, ...] = tuple(tables["malta"]["boxes"])
        # 23.2.2 what each side can buy, and in which phase
        self.of_side = [self._of("side", "both", side) for side in SIDES]
        self.in_phase = [self._of("phase", "any", phase) for phase in PHASES]
        self.for_points = [where(cost <= n for cost in self.costs) for n in range(board.general["max_rp"] + 1)]
        self.grounded = where(bool(row.get("not_if_enemy_air_superiority")) for row in self.resources)
        # 18.7.1b, 23.2.3 the assets of a side that a resource gives, or one of which
        codes = [row["effect"].get("gains_one_of", [row["code"]]) for row in self.resources]
        self.gains = [
            {
                r: tuple(ASSETS.index(c) for c in codes[r] if self.assets[c]["side"] in ("both", side))
                for r in units_of(self.of_side[n])
                if r != B_BOMBING and codes[r][0] in ASSETS
            }
            for n, side in enumerate(SIDES)
        ]

    def _of(self, key: str, every: str, which: str) -> int:
        return where(row[key] in (every, which) for row in self.resources)


@remembered()
def goods(board: Board) -> Goods:
    return Goods(board)


def slot(side: int, asset: int) -> int:
    """Where an asset of a side is counted."""
    return STRAFING_SLOT[side] if asset == STRAFING else asset


def markers_left(s: State, side: int, asset: int) -> int:
    """23.2.3b, 18.7.1b how many markers of an asset are neither on the available-assets display nor in use."""
    total: int = goods(s.board).assets[ASSETS[asset]]["markers_total"]
    used = s.assets[slot(side, asset)]
    if asset == STRAFING:
        used += s.strafing[side].bit_count()
    elif asset == LRDG:
        used += s.lrdg.bit_count()
    elif asset == COMANDO:
        used += s.comando  # 8.4.1c it goes back after the impulse
    elif asset == AIR_TRANSPORT:
        used += s.flown.bit_count()  # 18.7.6b it lies on a unit
    return total - used


def gain(s: State, side: int, asset: int, rule: str) -> None:
    """23.2.3 markers of an asset are put on the display; 23.2.3b what exceeds the markers is forfeited."""
    row = goods(s.board).assets[ASSETS[asset]]
    count = min(row["markers_gained"], markers_left(s, side, asset))
    if count <= 0:
        emit(s, "asset_forfeited", "23.2.3b", {"side": side, "asset": asset})
        return
    s.assets[slot(side, asset)] += count
    emit(s, "asset", rule, {"side": side, "asset": asset, "count": count})


# 23.1 Resource points


def receive(s: State, side: int, count: int) -> None:
    """23.1b RPs are recorded, at most 4; 21.4.3c after a raid on the base the next one is lost."""
    paid = min(count, s.rp_debt[side])
    s.rp_debt[side] -= paid
    held = s.rp[side]
    s.rp[side] = min(held + count - paid, s.board.general["max_rp"])
    lost = count - (s.rp[side] - held)
    emit(s, "resource_points", "23.1b", {"side": side, "received": count, "lost": lost, "held": s.rp[side]})


def spend(s: State, side: int, resource: int) -> None:
    """23.2.1a RPs are spent, in the own player turn alone."""
    cost = goods(s.board).costs[resource]
    if side != s.active or s.rp[side] < cost:
        raise ValueError(f"{SIDES[side]} cannot pay for {RESOURCES[resource]}")
    s.rp[side] -= cost
    rule = goods(s.board).resources[resource]["rule"]
    emit(s, "bought", rule, {"side": side, "resource": resource, "cost": cost, "held": s.rp[side]})


def can_pay(s: State, side: int, resource: int) -> bool:
    return s.rp[side] >= goods(s.board).costs[resource]


class EventRoll(TwoDice[State]):
    """23.1a Two dice on the phasing player's own event table; what it shows is received at once."""

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack.pop()
        side, total = s.active, action[1]
        row = s.board.pack.tables["events"][SIDES[side]][str(total)]
        data = {"side": side, "dice": total, "points": row["rp"], "assets": list(row["assets"])}
        emit(s, "event", "23.1a", data, final=True)
        if row["rp"]:
            receive(s, side, row["rp"])
        for code in row["assets"]:
            if code == BOMBING:
                s.stack.append((F_BOMB,))  # 21.4.3a it must be used at once
            else:
                gain(s, side, ASSETS.index(code), "23.1a")

    def prompt(self, s: State, f: F) -> Prompt:
        text = Text("Two dice on the {side} event table", side=SIDES[s.active].capitalize())
        return Prompt("Event", text, ("23.1a",), PHASES[s.phase])


# 23.2 Buying


def choice_of_air(s: State, side: int) -> int:
    """18.7.1b the air support markers that a side could still get."""
    return sum(1 << a for a in goods(s.board).gains[side][B_AIR_SUPPORT] if markers_left(s, side, a) > 0)


def malta_end(s: State) -> int:
    """22.3.4, A47 what would move the Malta marker beyond its last box."""
    boxes = goods(s.board).malta
    return (1 << B_U_BOATS if s.malta == boxes[0] else 0) | (1 << B_MALTA if s.malta == boxes[-1] else 0)


def sold_out(s: State) -> int:
    """23.2.3b the resources of which no marker is left: the counter mix is the only limit (23.2.1b)."""
    gains = goods(s.board).gains[s.active].items()
    return sum(1 << r for r, assets in gains if all(markers_left(s, s.active, a) <= 0 for a in assets))


def _whose(s: State, _: object, resource: int) -> Text:
    side = goods(s.board).resources[resource]["side"].capitalize()
    return Text("only the {side} player can buy this", side=side)


def _when(s: State, _: object, resource: int) -> Text:
    return Text("it is bought in the {phase} phase", phase=goods(s.board).resources[resource]["phase"])


def _how_dear(s: State, _: object, resource: int) -> Text:
    return Text("it costs {cost} RP, and you have {rp}", cost=goods(s.board).costs[resource], rp=s.rp[s.active])


ON_SALE: Bars[State, object] = Bars(
    Need("23.2.2", _whose, lambda s, _: goods(s.board).of_side[s.active]),
    Bar("9.5.3a", "a fortification is begun with `fortify` in the Movement Phase", lambda *_: 1 << B_FORTIFICATION),
    Bar("19.1.2a", "a truck comes back by `return` in the Initial Phase", lambda *_: 1 << B_TRUCK),
    Bar("19.1.2a", "a corps HQ comes back by `return` in the Initial Phase", lambda *_: 1 << B_HQ),
    Bar("21.4.4a", "a port is repaired with `repair` at the end of the Movement Phase", lambda *_: 1 << B_REPAIR),
    Bar("22.3.5a", "a convoy to Benghazi is paid for when it sails from Italy", lambda *_: 1 << B_BENGHAZI),
    Need("23.2.2", _when, lambda s, _: goods(s.board).in_phase[s.phase]),
    Need("23.2.2", _how_dear, lambda s, _: goods(s.board).for_points[s.rp[s.active]]),
    Bar(
        "18.6b",
        "the enemy has air superiority: it can only come as an event",
        lambda s, _: goods(s.board).grounded if outflown(s, s.active) else 0,
    ),
    Bar("22.3.4", "the Malta marker is in its last box", lambda s, _: malta_end(s)),
    Bar("23.2.3b", "no marker of this kind is left", lambda s, _: sold_out(s)),
)
"""23.2.1a what the phasing player can buy now."""


def purchases(s: State) -> int:
    """23.2.1a the resources that the phasing player can buy in this phase of his player turn."""
    return ON_SALE.free(goods(s.board).of_side[s.active] if s.rp[s.active] else 0, s, None)


def buy(s: State, resource: int) -> None:
    """23.2.2 a purchase by `buy`, made and recorded."""
    side = s.active
    spend(s, side, resource)
    if resource in (B_U_BOATS, B_MALTA):
        shift_malta(s, s.board.pack.tables["malta"]["bought_shift"][RESOURCES[resource]], "22.3.4")
    elif resource == B_AIR_SUPPORT:
        s.stack.append((F_TAKE_ASSET,))
    elif resource == B_BOMBING:
        s.stack.append((F_BOMB,))
    else:
        gain(s, side, ASSETS.index(RESOURCES[resource]), "23.2.3a")


BUY: Each[State, Any, Any] = Each(
    V_BUY, of=lambda s, _: ALL if s.rp[s.active] else 0, bars=ON_SALE, take=lambda s, f, resource: buy(s, resource)
)


def shift_malta(s: State, by: int, rule: str) -> None:
    """22.3.2a, A47 the Malta marker moves a box, unless it is in the last one."""
    boxes = goods(s.board).malta
    s.malta = max(boxes[0], min(boxes[-1], s.malta + by))
    emit(s, "malta", rule, {"modifier": s.malta, "moved": by})


class TakeAsset(Forced[State, F, object]):
    """18.7.1a, 18.7.1b Which air support marker a purchase gives; the Axis has a German and an Italian one."""

    does = (
        Only(
            V_TAKE,
            "18.7.1b",
            "no such air support marker of yours is left",
            lambda s, _: choice_of_air(s, s.active),
            take=lambda s, f, asset: take_asset(s, asset),
        ),
        Elsewhere("18.7.1a", "first take the air support that has been paid for"),
    )

    def prompt(self, s: State, f: F) -> Prompt:
        text = term("It helps only where a unit of its nationality fights")
        return Prompt("Which air support?", text, ("18.7.1a", "18.7.4c"), PHASES[s.phase])


def take_asset(s: State, asset: int) -> None:
    s.stack.pop()
    gain(s, s.active, asset, "18.7.1a")


FRAMES: dict[int, Frame[State, Any]] = {F_EVENT: EventRoll(V_ROLLED), F_TAKE_ASSET: TakeAsset()}
