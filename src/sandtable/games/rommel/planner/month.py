"""The planner between turns: the initiative (3.3), the Buildup (16) and the cards (16.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from sandtable.engine.contract import Action, Game
from sandtable.engine.hexes import Hex, hexes_of

from ..table import verbs
from ..table.ids import (
    AXIS,
    CARD_DUMMY,
    CARD_REAL,
    COMMONWEALTH,
    REFIT,
)
from ..table.scenarios import script
from ..table.state import State, put
from .assessment import Outlook
from .clash import step_worth
from .params import NORMAL, Params
from .worth import CARD_WORTH, months_left, unit_worth

REAL_SHARE = 2 / 3  # 0.4b


class Purchase(NamedTuple):
    """Something to spend points on: what it brings, what it costs, how it is told to the game."""

    gain: float
    cost: int
    actions: tuple[Action, ...]

    @property
    def rate(self) -> float:
        return self.gain / max(self.cost, 0.5)


class Quartermaster:
    """Spends buildup points, the best use of them first."""

    def __init__(self, game: Game[State], s: State, side: int, legal: Sequence[Action], params: Params) -> None:
        self.params = params
        self.game = game
        self.s = s
        self.side = side
        self.legal = legal
        self.outlook = Outlook(s, side, params)
        self.quiet = self.outlook.judge(s, side)

    def choose(self) -> tuple[Action, ...]:
        """The next thing to do, as a list of actions."""
        s, side = self.s, self.side
        points = s.bp[side]
        over = points - s.board.saved_limit
        least = self.params.lost_point_worth if over > 0 or not months_left(s) else self.params.point_worth
        best: Purchase | None = None
        for purchase in self.offers():
            if purchase.cost > points or purchase.rate <= least:
                continue
            if best is None or purchase.rate > best.rate:
                best = purchase
        return best.actions if best is not None else ((verbs.SPENT,),)

    def offers(self) -> Iterator[Purchase]:
        """Everything that may be worth its points."""
        movers: list[int] = []
        sailors: list[int] = []
        for action in self.legal:
            verb = action[0]
            if verb == verbs.REBUILD:
                u = action[1]
                gain = step_worth(self.s.board, self.s.cv[u] + self.s.board.step_cv[u], u)
                yield Purchase(gain, self.s.board.rebuild_cost[u], (action,))
            elif verb == verbs.REDEPLOY:
                movers.append(action[1])
            elif verb == verbs.SHIP:
                sailors.append(action[1])
            elif verb == verbs.REFIT:
                yield from self.refit(action)
            elif verb == verbs.MINE:
                yield from self.mine(action)
            elif verb == verbs.BUY:
                yield self.card(action)
        yield from self.redeployments(movers)
        yield from self.voyages(sailors)

    def places(self, action: Action) -> tuple[State, Sequence[Action]]:
        """The table after a block has been named, and where it may go."""
        table = self.s.copy()
        table.choices = None
        self.game.apply(table, action)
        return table, self.game.legal(table)

    def moved(self, table: State, first: Action, place: Action) -> Purchase:
        """What it brings to take a block to a place."""
        after = table.copy()
        self.game.apply(after, place)
        cost = self.s.bp[self.side] - after.bp[self.side]
        return Purchase(self.outlook.judge(after, self.side) - self.quiet, cost, (first, place))

    def redeployments(self, movers: Sequence[int]) -> Iterator[Purchase]:
        """16.51 From every hex the strongest and the weakest block, to the hexes that want them most."""
        side = self.side
        field, threat = self.outlook.fields[side], self.outlook.threats[1 - side]
        wanted = self.outlook.fed[side]
        home = self.outlook.home
        posts = home.ways(self.s) if home.peril(self.s, side) else []  # 17.1b
        for h, units in self.by_hex(movers).items():
            for u in dict.fromkeys((units[0], units[-1])):
                first = (verbs.REDEPLOY, u)
                table, places = self.places(first)
                near = [a for a in places if wanted >> a[1] & 1 and field[a[1]] < field[h]]
                near.sort(key=lambda a: (field[a[1]] + self.risk(a[1], threat[a[1]]), a))
                guards = [a for a in places if a[1] in posts]
                for place in dict.fromkeys(near[:3] + guards):
                    yield self.moved(table, first, place)

    def risk(self, h: Hex, threat: float) -> float:
        """How much a hex without friends in it is to be shunned."""
        return 0.0 if self.s.firm[self.side] >> h & 1 else 0.15 * threat

    def by_hex(self, units: Sequence[int]) -> dict[Hex, list[int]]:
        """Blocks by the hex they are in, the strongest first."""
        found: dict[Hex, list[int]] = {}
        for u in sorted(units, key=lambda u: (-self.s.cv[u], u)):
            found.setdefault(self.s.at[u], []).append(u)
        return found

    def voyages(self, sailors: Sequence[int]) -> Iterator[Purchase]:
        """16.53 By sea, the strongest block of each port."""
        for units in self.by_hex(sailors).values():
            first = (verbs.SHIP, units[0])
            table, places = self.places(first)
            for place in places:
                yield self.moved(table, first, place)

    def refit(self, action: Action) -> Iterator[Purchase]:
        """16.52 A worn block goes back for a month, if it is not missed."""
        s, board = self.s, self.s.board
        u = action[1]
        missing = unit_worth(board, board.max_cv[u], u) - unit_worth(board, s.cv[u], u)
        if months_left(s) < 2 or s.cv[u] * 2 > board.max_cv[u] or missing < 2:
            return
        after = s.copy()
        put(after, u, REFIT)
        worth = unit_worth(board, s.cv[u], u)
        missed = self.quiet - self.outlook.judge(after, self.side) - worth
        tempo = self.params.tempo if self.outlook.threats[1 - self.side][s.at[u]] else self.params.quiet_tempo
        yield Purchase(0.5 * missing - tempo * worth - max(0.0, missed), 0, (action,))

    def card(self, action: Action) -> Purchase:
        """16.5 One more card, which is real two times in three."""
        s, side = self.s, self.side
        held = s.real[side] + s.bought[side] + script(s).cards(s.month, side)
        worth = CARD_WORTH[min(held, len(CARD_WORTH) - 1)] if months_left(s) or held < 6 else 0.0
        return Purchase(REAL_SHARE * worth, s.board.card_cost, (action,))

    def mine(self, action: Action) -> Iterator[Purchase]:
        """16.55 A minefield where a strong stack will have to stand: Tobruk, the base, the front."""
        s, side, board = self.s, self.side, self.s.board
        h = action[1]
        held = s.here[h] & board.of_side[side] & ~s.disrupted
        threat = self.outlook.threats[1 - side][h]
        if not held or not threat:
            return
        strength = self.outlook.stack(s, held).force.total
        share = min(1.0, threat / (2 * strength + 1)) * min(1.0, strength / 8)
        weight = 1.5 if h in (board.tobruk, board.base[side]) else 1.0
        yield Purchase(self.params.mine_worth * share * weight, board.mine_cost, (action,))


def lay_again(s: State, side: int, legal: Sequence[Action], params: Params = NORMAL) -> Action:
    """16.55b Where a relocated minefield is of most use."""
    threat = Outlook(s, side, params).threats[1 - side]
    own = s.board.of_side[side]
    return max(legal, key=lambda a: ((s.here[a[1]] & own).bit_count() * threat[a[1]], -a[1]))


# 3.3 The initiative


def challenge(s: State, rng: Random, params: Params = NORMAL) -> Action:
    """Go first in the month: with a real card when strong and near, with a dummy for the fun of it."""
    outlook = Outlook(s, COMMONWEALTH, params)
    mine, theirs = pressure(s, outlook, COMMONWEALTH), pressure(s, outlook, AXIS)
    roll = rng.random()
    if s.real[COMMONWEALTH] >= 5 and max(mine, theirs) > 12 and roll < 0.7:
        return (verbs.CHALLENGE, CARD_REAL)
    if s.dummy[COMMONWEALTH] >= 2 and roll < 0.5:
        return (verbs.CHALLENGE, CARD_DUMMY)
    return (verbs.NO_CHALLENGE,)


def answer(s: State, rng: Random, params: Params = NORMAL) -> Action:
    """Keep the initiative with a real card when much depends on it; a dummy never helps (3.3d)."""
    outlook = Outlook(s, AXIS, params)
    tension = max(pressure(s, outlook, COMMONWEALTH), pressure(s, outlook, AXIS))
    if s.real[AXIS] >= 4 and tension > 12 and rng.random() < 0.5:
        return (verbs.ANSWER, CARD_REAL)
    return (verbs.NO_ANSWER,)


def pressure(s: State, outlook: Outlook, side: int) -> float:
    """The CV that a side could bring against the enemy's stacks at once, where it can bring most."""
    threat = outlook.threats[side]
    return max((threat[h] for h in hexes_of(s.occ[1 - side])), default=0.0)


# 16.6 Cards


def give_up(s: State, side: int, legal: Sequence[Action]) -> Action:
    """16.6a Dummies that would keep new cards out of the hand (16.6c)."""
    coming = script(s).cards(s.month, side) + s.bonus[side]
    held = s.real[side] + s.dummy[side]
    if held + coming > s.board.hand_limit and (verbs.GIVE, CARD_DUMMY) in legal:
        return (verbs.GIVE, CARD_DUMMY)
    return (verbs.KEEP,)
