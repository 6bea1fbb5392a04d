"""16.5 Spending buildup points: redeployment, replacements (16.54), minefields (16.55), extra cards.

The activities come in any order (16.5a, A47). What is spent on secrets is the player's own record
(16.5c): replacements, minefields and cards bought are told to nobody else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Mask, hexes_of
from sandtable.engine.words import count
from sandtable.mechanics.masks import hexes_in
from sandtable.mechanics.offers import nth

from ..table import verbs
from ..table.board import units_of
from ..table.choices import NO_TAIL, Drawer, Row, Rows
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
from .redeployment import (
    COST,
    can_leave,
    harbours,
    redeployable,
    refittable,
    send_to_refit,
    why_not_redeploy,
    why_not_refit,
    why_not_ship,
)
from .resupply import deck, room


def menu(s: State) -> Menu:
    """What this Buildup allows: the modified one that opens Gazala allows less (16.0b)."""
    play = script(s)
    if play.first_menu is not None and s.month == play.first_month:
        return play.first_menu
    return play.menu


# 16.54 Replacement


def may_rebuild(s: State, side: int) -> int:
    """16.54b The reduced units in their base, out of battle (M11), that the points can raise by a step."""
    base = s.board.base[side]
    if s.occ[1 - side] >> base & 1:
        return 0
    return sum([1 << u for u in units_of(s.here[base]) if is_reduced(s, u, side)])


def is_reduced(s: State, u: int, side: int) -> bool:
    """16.54c, 16.54e Whether a unit lacks a step that the points can pay for."""
    return s.cv[u] < s.board.max_cv[u] and s.board.rebuild_cost[u] <= s.bp[side]


def why_not_rebuild(s: State, u: int, side: int) -> Reason:
    """Why a unit may not regain a step."""
    board = s.board
    name = board.units[u]
    if board.side[u] != side:
        return Reason("16.54b", f"{name} is not yours")
    if not s.cv[u]:
        return Reason("16.54a", f"{name} is eliminated and can never be rebuilt")
    if s.at[u] == REFIT:
        return Reason("16.52b", f"{name} is in refit and receives nothing for a month")
    if s.at[u] != board.base[side]:
        return Reason("16.54b", f"{name} is not in {board.hex_name(board.base[side])}, your base")
    if s.occ[1 - side] & board.base_mask[side]:
        return Reason("16.52f", "your base is a battle hex: no replacements there")
    if s.cv[u] >= board.max_cv[u]:
        return Reason("16.54e", f"{name} is at full strength")
    rule = "16.54d" if board.step_cv[u] > 1 else "16.54c"
    return Reason(rule, f"a step of {name} costs {board.rebuild_cost[u]}, you have {s.bp[side]}")


def rebuild(s: State, u: int, side: int) -> None:
    """16.54c, 16.54d One step; an elite step is 2 CV and costs twice."""
    s.bp[side] -= s.board.rebuild_cost[u]
    s.cv[u] += s.board.step_cv[u]
    emit(s, "rebuilt", "16.54b", {"side": side}, side, {"unit": u, "cv": s.cv[u]}, hidden=True)


# 16.55 Minefields


def mine_ground(s: State, side: int) -> Mask:
    """16.55a The hexes of the network without battle, and without a minefield that this side knows."""
    return s.nets[side] & ~(s.occ[0] & s.occ[1]) & ~s.mines[side] & ~s.mines_open


def known_fields(s: State, side: int) -> Mask:
    """16.55b The minefields a side could dismantle: in its network, not in a battle, its own or disclosed."""
    return (s.mines[side] | s.mines_open) & s.nets[side] & ~(s.occ[0] & s.occ[1])


def why_not_mine(s: State, h: int, side: int) -> Reason:
    """Why no minefield may be laid in a hex."""
    name = s.board.hex_name(h)
    bit = 1 << h
    if not s.nets[side] & bit:
        return Reason("16.55a", f"{name} is not in your supply network")
    if s.occ[0] & s.occ[1] & bit:
        return Reason("16.55a", f"{name} is a battle hex")
    if (s.mines[side] | s.mines_open) & bit:
        return Reason("16.55a", f"{name} is mined already")
    return Reason("14.1b", f"a minefield costs {s.board.mine_cost}, you have {s.bp[side]}")


def why_not_lift(s: State, a: int, b: int, side: int) -> Reason:
    """Why two minefields may not be dismantled."""
    if a == b:
        return Reason("16.55b", "two different minefields have to be dismantled for a new one")
    for h in (a, b):
        name = s.board.hex_name(h)
        if not (s.mines[side] | s.mines_open) >> h & 1:
            return Reason("16.55b", f"you know of no minefield in {name}")
        if not s.nets[side] >> h & 1:
            return Reason("16.55b", f"{name} is not in your supply network")
        if not known_fields(s, side) >> h & 1:
            return Reason("16.55b", f"{name} is a battle hex")
    if a > b:
        return Reason("16.55b", f"write the pair the other way round: {s.board.grid.names[b]} first")
    return Reason("16.55b", "there is no other hex in your network for the new minefield")


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


def can_buy(s: State, side: int, at_once: bool) -> bool:
    """16.5, 16.6c An extra card that the points pay for and the hand has room for."""
    if s.bp[side] < s.board.card_cost:
        return False
    if at_once:
        return hand(s, side) < s.board.hand_limit and sum(deck(s)) > 0
    return room(s, side) > 0


def travellers(s: State, side: int, land: Mask, sea: Mask, refit: Mask) -> tuple[int, int, int]:
    """The undisrupted units that may leave their hex by land, by sea and for refit, from which hexes that is possible
    given; as unit masks."""
    by_land = by_sea = to_base = 0
    here = s.here
    for h in hexes_in(can_leave(s, side) & (land | sea | refit)):
        units = here[h]
        if land >> h & 1:
            by_land |= units
        if sea >> h & 1:
            by_sea |= units
        if refit >> h & 1:
            to_base |= units
    ready = s.board.of_side[side] & ~s.disrupted
    return by_land & ready, by_sea & ready, to_base & ready


def in_ports(s: State, side: int) -> int:
    """The units in the harbours that are or could be a side's, as a unit mask."""
    units = 0
    for h in hexes_in(s.occ[side] & s.board.ports[side]):
        units |= s.here[h]
    return units


class Spend(Drawer[SideAt]):
    """16.5a One activity after the other, until the player has done enough."""

    at = SideAt

    def actor(self, s: State, f: SideAt) -> int | None:
        return f.side

    def legal(self, s: State, f: SideAt) -> list[Action]:
        side = f.side
        points = s.bp[side]
        allowed = menu(s)
        land = redeployable(s, side) if points >= COST and allowed.redeployment else 0
        sea = harbours(s, side) if points >= COST and allowed.sea_movement else 0
        by_land, by_sea, to_base = travellers(s, side, land, sea, refittable(s, side) if allowed.refit else 0)
        rows: list[Row] = [
            (verbs.REDEPLOY, by_land, NO_TAIL),
            (verbs.SHIP, by_sea, NO_TAIL),
            (verbs.REFIT, to_base & ~s.moved, NO_TAIL),  # 16.52a instead of redeploying
        ]
        if allowed.replacements:
            rows.append((verbs.REBUILD, may_rebuild(s, side), NO_TAIL))
        if allowed.minefield and points >= s.board.mine_cost:
            rows.append((verbs.MINE, mine_ground(s, side), NO_TAIL))
        last = self.pairs(s, side) if allowed.relocation else []
        if allowed.extra_card and can_buy(s, side, allowed.cards_at_once):
            last.append((verbs.BUY,))
        last.append((verbs.SPENT,))
        return Rows(rows, last).listed()

    def draw(self, s: State, f: SideAt, random: Callable[[], float]) -> Action:
        """From all units that might leave by land, by sea or for refit, and all that might be bought or laid."""
        side, allowed = f.side, menu(s)
        points, board = s.bp[side], s.board
        base, units = board.base[side], s.placed & board.of_side[side] & ~s.disrupted
        by_land = units if points >= COST and allowed.redeployment else 0
        by_sea = units & in_ports(s, side) if points >= COST and allowed.sea_movement else 0
        to_base = units & ~(s.moved | s.here[base]) if allowed.refit else 0
        at_base = s.here[base] if allowed.replacements and not s.occ[1 - side] >> base & 1 else 0
        ground = mine_ground(s, side)
        fields = known_fields(s, side) if allowed.relocation and ground else 0
        a = by_land.bit_count()
        b = a + by_sea.bit_count()
        c = b + to_base.bit_count()
        d = c + at_base.bit_count()
        e = d + (ground.bit_count() if allowed.minefield and points >= board.mine_cost else 0)
        g = e + (fields.bit_count() ** 2 if fields else 0)
        count = g + 1 + allowed.extra_card
        while True:
            n = int(random() * count)
            if n < a:
                u = nth(by_land, n)
                if redeployable(s, side) & can_leave(s, side) & 1 << s.at[u]:
                    return (verbs.REDEPLOY, u)
            elif n < b:
                u = nth(by_sea, n - a)
                if harbours(s, side) & can_leave(s, side) & 1 << s.at[u]:
                    return (verbs.SHIP, u)
            elif n < c:
                u = nth(to_base, n - b)
                if refittable(s, side) & can_leave(s, side) & 1 << s.at[u]:
                    return (verbs.REFIT, u)
            elif n < d:
                u = nth(at_base, n - c)
                if is_reduced(s, u, side):
                    return (verbs.REBUILD, u)
            elif n < e:
                return (verbs.MINE, nth(ground, n - d))
            elif n < g:
                known = hexes_in(fields)
                one, other = divmod(n - e, len(known))
                if one < other:
                    return (verbs.LIFT, known[one], known[other])
            elif n == g:
                return (verbs.SPENT,)
            elif can_buy(s, side, allowed.cards_at_once):
                return (verbs.BUY,)

    def pairs(self, s: State, side: int) -> list[Action]:
        """16.55b Every two minefields that could become one elsewhere."""
        fields = known_fields(s, side)
        if not fields or fields.bit_count() < 2 or not mine_ground(s, side):
            return []
        hexes = hexes_of(fields)
        return [(verbs.LIFT, a, b) for i, a in enumerate(hexes) for b in hexes[i + 1 :]]

    def take(self, s: State, f: SideAt, action: Action) -> None:
        side, verb = f.side, action[0]
        if verb == verbs.REDEPLOY:
            s.stack.append(BlockAt(F_REDEPLOY, side, action[1]))
        elif verb == verbs.SHIP:
            s.stack.append(BlockAt(F_PORT, side, action[1]))
        elif verb == verbs.REFIT:
            send_to_refit(s, action[1], side)
        elif verb == verbs.REBUILD:
            rebuild(s, action[1], side)
        elif verb == verbs.MINE:
            s.bp[side] -= s.board.mine_cost
            lay(s, action[1], side)
        elif verb == verbs.LIFT:
            lift(s, action[1], action[2], side)
            s.stack.append(SideAt(F_RELAY, side))
        elif verb == verbs.BUY:
            s.bp[side] -= s.board.card_cost
            emit(s, "card_bought", "16.5a", {"side": side}, side, {"cards": 1}, hidden=True)
            if menu(s).cards_at_once:
                s.stack.append(DealAt(F_DEAL, side, 1))
            else:
                s.bought[side] += 1
        else:
            emit(s, "spent", "16.5b", {"side": side}, side, {"points": s.bp[side]})
            s.stack.pop()

    def prompt(self, s: State, f: SideAt) -> Prompt:
        points = s.bp[f.side]
        text = f"{count(points, 'point')} left; at most {s.board.saved_limit} are saved for later months"
        return Prompt("Spend buildup points", text, ("16.5a", "16.5b"), "buildup")

    def why_not(self, s: State, f: SideAt, action: Action) -> Reason | None:
        side, verb = f.side, action[0]
        allowed = menu(s)
        barred: dict[int, bool] = {
            verbs.REDEPLOY: not allowed.redeployment,
            verbs.SHIP: not allowed.sea_movement,
            verbs.REFIT: not allowed.refit,
            verbs.REBUILD: not allowed.replacements,
            verbs.MINE: not allowed.minefield,
            verbs.LIFT: not allowed.relocation,
            verbs.BUY: not allowed.extra_card,
        }
        if barred.get(verb):
            return Reason("16.0b", "the modified Buildup that opens this scenario does not allow that")
        if verb in (verbs.REDEPLOY, verbs.SHIP):
            if s.bp[side] < COST:
                return Reason("16.51b" if verb == verbs.REDEPLOY else "16.53b", "you have no points left")
            return (why_not_redeploy if verb == verbs.REDEPLOY else why_not_ship)(s, action[1], side)
        if verb == verbs.REFIT:
            return why_not_refit(s, action[1], side)
        if verb == verbs.REBUILD:
            return why_not_rebuild(s, action[1], side)
        if verb == verbs.MINE:
            return why_not_mine(s, action[1], side)
        if verb == verbs.LIFT:
            return why_not_lift(s, action[1], action[2], side)
        if verb == verbs.BUY:
            cost = s.board.card_cost
            if s.bp[side] < cost:
                return Reason("16.5a", f"an extra supply card costs {cost}, you have {s.bp[side]}")
            return Reason("16.6c", f"your hand would have more than {s.board.hand_limit} cards")
        return None


class Relay(Frame[State, SideAt]):
    """16.55b Where the minefield goes that two dismantled ones are worth: elsewhere in the network."""

    at = SideAt

    def ground(self, s: State, side: int) -> Mask:
        return mine_ground(s, side) & ~s.lifted

    def actor(self, s: State, f: SideAt) -> int | None:
        return f.side

    def legal(self, s: State, f: SideAt) -> list[Action]:
        return self.offer(s, f).listed()

    def offer(self, s: State, f: SideAt) -> Rows:
        return Rows([(verbs.MINE, self.ground(s, f.side), NO_TAIL)])

    def take(self, s: State, f: SideAt, action: Action) -> None:
        s.lifted = 0
        s.stack.pop()
        lay(s, action[1], f.side)

    def prompt(self, s: State, f: SideAt) -> Prompt:
        # The title stands on both screens, and relocating is a secret
        text = "Lay the minefield anew, elsewhere in your network, free"
        return Prompt("Spend buildup points", text, ("16.55b",), "buildup")

    def why_not(self, s: State, f: SideAt, action: Action) -> Reason | None:
        if action[0] != verbs.MINE:
            return None
        if s.lifted >> action[1] & 1:
            return Reason("16.55b", "the new minefield is laid elsewhere, not where one was dismantled")
        return why_not_mine(s, action[1], f.side)


FRAMES: dict[int, Frame[State, Any]] = {F_SPEND: Spend(), F_RELAY: Relay()}
