"""23 Event tables and resource points: what the dice give, and what RPs buy.

Some purchases are made where they are used: a fortification by `fortify` (forts.py), a truck or corps HQ by `return`
(replacements.py), the repair of a port by `repair` (ports.py), a convoy to Benghazi by `convoy` (convoys.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.dice import TwoDice
from sandtable.mechanics.shown.telling import emit

from ..table.board import Board
from ..table.ids import (
    AIR_TRANSPORT,
    ASSETS,
    B_AIR_SUPPORT,
    B_BOMBING,
    B_MALTA,
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
REMEMBERED = 1024  # answers that are kept by what they depend on


# 23.2.3 Markers


class Goods:
    """What never changes about assets and resources."""

    def __init__(self, board: Board) -> None:
        tables = board.pack.tables
        self.assets: dict[str, Mapping[str, Any]] = {row["code"]: row for row in tables["asset"]}
        self.resources: dict[str, Mapping[str, Any]] = {row["code"]: row for row in tables["resource"]}
        self.costs: tuple[int, ...] = tuple(self.resources[code]["cost"] for code in RESOURCES)
        self.malta: tuple[int, ...] = tuple(tables["malta"]["boxes"])
        self.known: dict[tuple[int | str, ...], list[Action]] = {}  # what was on sale, by all that it depends on
        # 23.2.2 what each side can buy by `buy`, by phase
        self.offers: dict[tuple[int, str], tuple[int, ...]] = {
            (side, phase): tuple(r for r in range(len(RESOURCES)) if self._offered(r, side, phase))
            for side in range(2)
            for phase in PHASES
        }

    def _offered(self, resource: int, side: int, phase: str) -> bool:
        row = self.resources[RESOURCES[resource]]
        bought = "gains" in row["effect"] or "gains_one_of" in row["effect"] or "malta_shift" in row["effect"]
        return bought and row["side"] in ("both", SIDES[side]) and row["phase"] in ("any", phase)


def goods(board: Board) -> Goods:
    found: Goods | None = board.kept.get("goods")
    if found is None:
        found = board.kept["goods"] = Goods(board)
    return found


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
    rule = goods(s.board).resources[RESOURCES[resource]]["rule"]
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


def choice_of_air(s: State, side: int) -> list[int]:
    """18.7.1b the air support markers that a side could still get."""
    codes = goods(s.board).resources["air_support"]["effect"]["gains_one_of"]
    own = [ASSETS.index(c) for c in codes if goods(s.board).assets[c]["side"] == SIDES[side]]
    return [a for a in own if markers_left(s, side, a) > 0]


def malta_end(s: State, resource: int) -> bool:
    """22.3.4, A47 whether the Malta marker is already in the last box of this direction."""
    boxes = goods(s.board).malta
    return s.malta == (boxes[0] if resource == B_U_BOATS else boxes[-1])


def on_sale(s: State, side: int, resource: int) -> bool:
    """23.2.1b whether there is anything to be had for the RPs: the counter mix is the only limit, and 18.6b."""
    row = goods(s.board).resources[RESOURCES[resource]]
    if row.get("not_if_enemy_air_superiority") and outflown(s, side):
        return False
    if resource in (B_U_BOATS, B_MALTA):
        return not malta_end(s, resource)
    if resource == B_AIR_SUPPORT:
        return bool(choice_of_air(s, side))
    return resource == B_BOMBING or markers_left(s, side, ASSETS.index(RESOURCES[resource])) > 0


def most_purchases(s: State, phase: str) -> int:
    """How many resources are on offer to the phasing player in a phase, if he could pay for all of them."""
    return len(goods(s.board).offers[s.active, phase])


def purchases(s: State, phase: str) -> list[Action]:
    """23.2.1a `buy RESOURCE` for whatever the phasing player can pay for in this phase of his player turn."""
    side = s.active
    points = s.rp[side]
    if not points:
        return []
    chart = goods(s.board)
    markers = s.strafing[side].bit_count(), s.lrdg.bit_count(), s.comando, s.flown.bit_count()
    key: tuple[int | str, ...] = (side, phase, points, s.turn, s.malta, *markers, *s.assets)
    found = chart.known.get(key)
    if found is None:
        if len(chart.known) >= REMEMBERED:
            chart.known.clear()
        found = chart.known[key] = [
            (V_BUY, r) for r in chart.offers[side, phase] if chart.costs[r] <= points and on_sale(s, side, r)
        ]
    return found[:]


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


def shift_malta(s: State, by: int, rule: str) -> None:
    """22.3.2a, A47 the Malta marker moves a box, unless it is in the last one."""
    boxes = goods(s.board).malta
    s.malta = max(boxes[0], min(boxes[-1], s.malta + by))
    emit(s, "malta", rule, {"modifier": s.malta, "moved": by})


class TakeAsset(Frame[State]):
    """18.7.1a, 18.7.1b Which air support marker a purchase gives; the Axis has a German and an Italian one."""

    def actor(self, s: State, f: F) -> int | None:
        return s.active if len(choice_of_air(s, s.active)) > 1 else None

    def run(self, s: State, f: F) -> None:
        self.take(s, f, self.legal(s, f)[0])

    def legal(self, s: State, f: F) -> list[Action]:
        return [(V_TAKE, a) for a in choice_of_air(s, s.active)]

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack.pop()
        gain(s, s.active, action[1], "18.7.1a")

    def prompt(self, s: State, f: F) -> Prompt:
        text = term("It helps only where a unit of its nationality fights")
        return Prompt("Which air support?", text, ("18.7.1a", "18.7.4c"), PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] == V_TAKE:
            return Reason("18.7.1b", "no such air support marker of yours is left")
        return Reason("18.7.1a", "first take the air support that has been paid for")


_ELSEWHERE = {
    "fortification": ("9.5.3a", "a fortification is begun with `fortify` in the Movement Phase"),
    "replace_truck": ("19.1.2a", "a truck comes back by `return` in the Initial Phase"),
    "replace_hq": ("19.1.2a", "a corps HQ comes back by `return` in the Initial Phase"),
    "repair_port": ("21.4.4a", "a port is repaired with `repair` at the end of the Movement Phase"),
    "benghazi_convoy": ("22.3.5a", "a convoy to Benghazi is paid for when it sails from Italy"),
}


def refused(s: State, resource: int, phase: str) -> Reason | None:
    """Why this cannot be bought now, if it cannot."""
    return None if (V_BUY, resource) in purchases(s, phase) else why_not_buy(s, resource, phase)


def why_not_buy(s: State, resource: int, phase: str) -> Reason:
    """Why this cannot be bought now."""
    side, code = s.active, RESOURCES[resource]
    row = goods(s.board).resources[code]
    if row["side"] not in ("both", SIDES[side]):
        return Reason("23.2.2", Text("only the {side} player can buy this", side=row["side"].capitalize()))
    if code in _ELSEWHERE:
        return Reason(*_ELSEWHERE[code])
    if row["phase"] not in ("any", phase):
        return Reason("23.2.2", Text("it is bought in the {phase} phase", phase=row["phase"]))
    if not can_pay(s, side, resource):
        return Reason("23.2.2", Text("it costs {cost} RP, and you have {rp}", cost=row["cost"], rp=s.rp[side]))
    if row.get("not_if_enemy_air_superiority") and outflown(s, side):
        return Reason("18.6b", "the enemy has air superiority: it can only come as an event")
    if resource in (B_U_BOATS, B_MALTA):
        return Reason("22.3.4", "the Malta marker is in its last box")
    return Reason("23.2.3b", "no marker of this kind is left")


FRAMES: dict[int, Frame[State, Any]] = {F_EVENT: EventRoll(V_ROLLED), F_TAKE_ASSET: TakeAsset()}
