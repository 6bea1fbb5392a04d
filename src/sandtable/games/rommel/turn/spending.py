"""16.5 Spending buildup points: redeployment, replacements (16.54), minefields (16.55), extra cards.

The activities come in any order (16.5a, A47). What is spent on secrets is the player's own record
(16.5c): replacements, minefields and cards bought are told to nobody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from sandtable.engine.contract import Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import hexes_of
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import hexes_in
from sandtable.mechanics.phases import Each, Listed, Once, Phase

from ..table import verbs
from ..table.ids import (
    F_DEAL,
    F_PORT,
    F_REDEPLOY,
    F_RELAY,
    F_SPEND,
    REFIT,
)
from ..table.scenarios import Menu, script
from ..table.state import State, emit
from ..table.steps import BlockAt, DealAt, SideAt
from .initiative import hand
from .redeployment import COST, REDEPLOYING, REFITTING, SHIPPING, Spender, send_to_refit
from .resupply import deck, room


def menu(s: State) -> Menu:
    """What this Buildup allows: the modified one that opens Gazala allows less (16.0b)."""
    play = script(s)
    if play.first_menu is not None and s.month == play.first_month:
        return play.first_menu
    return play.menu


# 16.54 Replacement


def why_not_in_base(s: State, now: Spender, u: int) -> Reason:
    if not s.cv[u]:
        return Reason("16.54a", Text("{unit} is eliminated and can never be rebuilt", unit=u))
    if s.at[u] == REFIT:
        return Reason("16.52b", Text("{unit} is in refit and receives nothing for a month", unit=u))
    return Reason("16.54b", Text("{unit} is not in {hex}, your base", unit=u, hex=s.board.base[now.side]))


def why_no_step(s: State, now: Spender, u: int) -> Reason:
    """16.54c to 16.54e Nothing is missing, or the points do not pay for it."""
    cost = s.board.rebuild_cost[u]
    if s.cv[u] >= s.board.max_cv[u]:
        return Reason("16.54e", Text("{unit} is at full strength", unit=u))
    text = Text("a step of {unit} costs {cost}, you have {points}", unit=u, cost=cost, points=now.points)
    return Reason("16.54d" if s.board.step_cv[u] > 1 else "16.54c", text)


REBUILDING: Bars[State, Spender] = Bars(
    Need("16.54b", "{unit} is not yours", lambda s, now: s.board.of_side[now.side]),
    Need("16.54b", why_not_in_base, lambda s, now: s.here[s.board.base[now.side]]),
    Bar(  # M11
        "16.52f",
        "your base is a battle hex: no replacements there",
        lambda s, now: ALL if s.occ[1 - now.side] & s.board.base_mask[now.side] else 0,
    ),
    Doubt(
        "16.54c",
        why_no_step,
        lambda s, now, u: s.cv[u] >= s.board.max_cv[u] or s.board.rebuild_cost[u] > now.points,
    ),
)


def rebuild(s: State, f: SideAt, u: int) -> None:
    """16.54c, 16.54d One step; an elite step is 2 CV and costs twice."""
    side = f.side
    s.bp[side] -= s.board.rebuild_cost[u]
    s.cv[u] += s.board.step_cv[u]
    emit(s, "rebuilt", "16.54b", {"side": side}, side, {"unit": u, "cv": s.cv[u]}, hidden=True)


# 16.55 Minefields


MINE_GROUND: Bars[State, int] = Bars(
    Need("16.55a", "{hex} is not in your supply network", lambda s, side: s.nets[side]),
    Bar("16.55a", "{hex} is a battle hex", lambda s, side: s.occ[0] & s.occ[1]),
    Bar("16.55a", "{hex} is mined already", lambda s, side: s.mines[side] | s.mines_open),
)
"""16.55a Hexes of the network without battle, and without a minefield that this side knows."""

FIELDS: Bars[State, int] = Bars(
    Need("16.55b", "you know of no minefield in {hex}", lambda s, side: s.mines[side] | s.mines_open),
    Need("16.55b", "{hex} is not in your supply network", lambda s, side: s.nets[side]),
    Bar("16.55b", "{hex} is a battle hex", lambda s, side: s.occ[0] & s.occ[1]),
)
"""16.55b The minefields a side could dismantle: in its network, not in a battle, its own or disclosed."""

RELAYING: Bars[State, int] = Bars(
    Bar("16.55b", "the new minefield is laid elsewhere, not where one was dismantled", lambda s, side: s.lifted),
    MINE_GROUND,
)


def liftable(s: State, f: SideAt, now: Spender) -> Iterator[tuple[int, int]]:
    """16.55b Every two minefields that could become one elsewhere."""
    if now.menu.relocation:
        hexes = hexes_of(FIELDS.free(s.mines[now.side] | s.mines_open, s, now.side))
        if len(hexes) > 1 and MINE_GROUND.free(s.nets[now.side], s, now.side):
            yield from combinations(hexes, 2)


def why_not_lift(s: State, f: SideAt, now: Spender, pair: Sequence[int]) -> Reason | None:
    """Why two minefields may not be dismantled."""
    a, b = pair
    if not now.menu.relocation:
        return Reason("16.0b", MODIFIED)
    if a == b:
        return Reason("16.55b", "two different minefields have to be dismantled for a new one")
    for h in (a, b):
        reason = FIELDS.why(h, s, now.side, {"hex": h})
        if reason is not None:
            return reason
    if a > b:
        return Reason("16.55b", Text("write the pair the other way round: {hex} first", hex=s.board.grid.names[b]))
    if not MINE_GROUND.free(s.nets[now.side], s, now.side):
        return Reason("16.55b", "there is no other hex in your network for the new minefield")
    return None


def lift(s: State, a: int, b: int, side: int) -> None:
    """16.55b Two minefields are dismantled; everybody sees a disclosed one go."""
    fields = 1 << a | 1 << b
    seen = s.mines_open & fields
    s.mines[side] &= ~fields
    s.mines_open &= ~fields
    s.lifted = fields
    emit(s, "mines_lifted", "16.55b", {"side": side}, side, {"hexes": [a, b]}, hidden=True)
    if seen:
        emit(s, "minefield_gone", "16.55b", {"side": side, "hexes": hexes_of(seen)})


def lay(s: State, h: int, side: int) -> None:
    """14.1a, 16.55a The hex of a new minefield is written down in secret."""
    s.mines[side] |= 1 << h
    emit(s, "mine_laid", "16.55a", {"side": side}, side, {"hex": h}, hidden=True)


# 16.5 All of it


MODIFIED = term("the modified Buildup that opens this scenario does not allow that")


def on_the_menu(allowed: Callable[[Menu], bool]) -> Bars[State, Spender]:
    """16.0b What the modified Buildup that opens Gazala does not allow."""
    return Bars(Bar("16.0b", MODIFIED, lambda s, now: 0 if allowed(now.menu) else ALL))


def no_more_cards(s: State, now: Spender) -> Reason | None:
    """16.5, 16.6c An extra card has to be paid for, and the hand must have room for it."""
    if not now.menu.extra_card:
        return Reason("16.0b", MODIFIED)
    cost, side, most = s.board.card_cost, now.side, s.board.hand_limit
    if now.points < cost:
        return Reason(
            "16.5a", Text("an extra supply card costs {cost}, you have {points}", cost=cost, points=now.points)
        )
    free = hand(s, side) < most and sum(deck(s)) > 0 if now.menu.cards_at_once else room(s, side) > 0
    return None if free else Reason("16.6c", Text("your hand would have more than {most} cards", most=most))


def begin_redeploying(s: State, f: SideAt, u: int) -> None:
    s.stack.append(BlockAt(F_REDEPLOY, f.side, u))


def begin_shipping(s: State, f: SideAt, u: int) -> None:
    s.stack.append(BlockAt(F_PORT, f.side, u))


def lay_for_points(s: State, f: SideAt, h: int) -> None:
    s.bp[f.side] -= s.board.mine_cost
    lay(s, h, f.side)


def relocate(s: State, f: SideAt, a: int, b: int) -> None:
    lift(s, a, b, f.side)
    s.stack.append(SideAt(F_RELAY, f.side))


def buy(s: State, f: SideAt) -> None:
    s.bp[f.side] -= s.board.card_cost
    emit(s, "card_bought", "16.5a", {"side": f.side}, f.side, {"cards": 1}, hidden=True)
    if menu(s).cards_at_once:
        s.stack.append(DealAt(F_DEAL, f.side, 1))
    else:
        s.bought[f.side] += 1


def stop_spending(s: State, f: SideAt) -> None:
    emit(s, "spent", "16.5b", {"side": f.side}, f.side, {"points": s.bp[f.side]})
    s.stack.pop()


def in_port(s: State, now: Spender) -> int:
    """The units in ports that are or could be a side's; nobody if he can pay for no voyage."""
    units = 0
    if now.points >= COST:
        for h in hexes_in(s.firm[now.side] & s.board.ports[now.side]):
            units |= s.here[h]
    return units


class Spend(Phase[State, SideAt, Spender]):
    """16.5a One activity after the other, until the player has done enough."""

    at = SideAt
    does = (
        Each(
            verbs.REDEPLOY,
            of=lambda s, now: s.placed,
            bars=Bars(on_the_menu(lambda m: m.redeployment), REDEPLOYING),
            take=begin_redeploying,
        ),
        Each(
            verbs.SHIP,
            of=in_port,
            bars=Bars(on_the_menu(lambda m: m.sea_movement), SHIPPING),
            take=begin_shipping,
        ),
        Each(
            verbs.REFIT,
            of=lambda s, now: s.placed & ~s.moved,
            bars=Bars(on_the_menu(lambda m: m.refit), REFITTING),
            take=send_to_refit,
        ),
        Each(
            verbs.REBUILD,
            of=lambda s, now: s.here[s.board.base[now.side]],
            bars=Bars(on_the_menu(lambda m: m.replacements), REBUILDING),
            take=rebuild,
        ),
        Each(
            verbs.MINE,
            of=lambda s, now: s.nets[now.side] if now.points >= s.board.mine_cost else 0,
            bars=Bars(
                on_the_menu(lambda m: m.minefield),
                MINE_GROUND.asked_of(lambda now: now.side),
                Bar(
                    "14.1b",
                    lambda s, now, h: Text(
                        "a minefield costs {cost}, you have {points}", cost=s.board.mine_cost, points=now.points
                    ),
                    lambda s, now: ALL if now.points < s.board.mine_cost else 0,
                ),
            ),
            take=lay_for_points,
        ),
        Listed(verbs.LIFT, of=liftable, reason=why_not_lift, take=relocate),
        Once(verbs.BUY, shut=no_more_cards, take=buy),
        Once(verbs.SPENT, take=stop_spending),
    )

    def actor(self, s: State, f: SideAt) -> int | None:
        return f.side

    def now(self, s: State, f: SideAt) -> Spender:
        return Spender(f.side, s.bp[f.side], menu(s))

    def prompt(self, s: State, f: SideAt) -> Prompt:
        text = Text.many(
            s.bp[f.side],
            "{n} point left; at most {most} are saved for later months",
            "{n} points left; at most {most} are saved for later months",
            most=s.board.saved_limit,
        )
        return Prompt("Spend buildup points", text, ("16.5a", "16.5b"), "buildup")


def lay_again(s: State, f: SideAt, h: int) -> None:
    s.lifted = 0
    s.stack.pop()
    lay(s, h, f.side)


class Relay(Phase[State, SideAt, int]):
    """16.55b Where the minefield goes that two dismantled ones are worth: elsewhere in the network."""

    at = SideAt
    does = (Each(verbs.MINE, bars=RELAYING, take=lay_again),)

    def actor(self, s: State, f: SideAt) -> int | None:
        return f.side

    def now(self, s: State, f: SideAt) -> int:
        return f.side

    def prompt(self, s: State, f: SideAt) -> Prompt:
        # The title stands on both screens, and relocating is a secret
        text = term("Lay the minefield anew, elsewhere in your network, free")
        return Prompt("Spend buildup points", text, ("16.55b",), "buildup")


FRAMES: dict[int, Frame[State, Any]] = {F_SPEND: Spend(), F_RELAY: Relay()}
