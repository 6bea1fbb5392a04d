"""How the computer plays Rommel in the Desert.

The planner knows what its seat may know and nothing else. For a decision that matters it imagines tables that
fit its view (`game.imagine`), plans the whole turn on them (turn.py), and then carries the plan out
action by action as long as the game allows it. Everything else, from a shot to a shipment, is decided on
the spot, by what the blocks at stake are worth.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from random import Random

from sandtable.engine.contract import Action, Game, View
from sandtable.engine.hexes import Hex
from sandtable.engine.seats import Seat
from sandtable.engine.texts.text import Text
from sandtable.mechanics.planning import aims

from ..combat.combat import dice_of
from ..combat.disruption import battle_line
from ..supply.supply import unsupplied_units
from ..table import ids, verbs
from ..table.board import units_of
from ..table.minefields import worth_of_hit
from ..table.state import State
from ..table.steps import FireAt
from . import month
from .assessment import Outlook
from .clash import Ground, pursuit_loss, shot_worth, step_worth
from .orders import carry_out
from .params import LIGHT, NORMAL, Params
from .turn import Plan, TurnSearch, Work
from .withdrawals import withdrawal
from .worth import card_price, unit_worth

WON = 500.0  # what victory counts beside everything else


class Planner:
    """A computer player for either side of any scenario."""

    playouts = 72
    breadth = 1.0
    scale = 42.0

    def __init__(self, game: Game[State], rng: Random, params: Params = NORMAL) -> None:
        self.game = game
        self.rng = rng
        self.params = params
        self._orders: deque[Action] = deque()
        self._handlers: dict[int, Callable[[State, int, Sequence[Action]], Action]] = {
            ids.F_MOVES: self._moves,
            ids.F_GROUP: self._move_on,
            ids.F_REGROUP: self._move_on,
            ids.F_DEST: self._nearer,
            ids.F_GATHER: self._nearer,
            ids.F_LEAVE_HEX: self._safest,
            ids.F_RETIRE: self._safest,
            ids.F_MARCH: self._marches,
            ids.F_PROBE: self._probe,
            ids.F_AVOID: self._avoid,
            ids.F_DECLARE: self._declare,
            ids.F_BATTLES: self._first_battle,
            ids.F_FIRE: self._fire,
            ids.F_LOSSES: self._lose,
            ids.F_FORTRESS: self._fortress,
            ids.F_OASIS: self._best_block,
            ids.F_ARRIVE: self._arrive,
            ids.F_SPEND: self._spend,
            ids.F_REDEPLOY: self._nearer,
            ids.F_PORT: self._nearer,
            ids.F_RELAY: lambda s, me, legal: month.lay_again(s, me, legal, self.params),
            ids.F_CHALLENGE: lambda s, me, legal: month.challenge(s, self.rng, self.params),
            ids.F_ANSWER: lambda s, me, legal: month.answer(s, self.rng, self.params),
            ids.F_GIVE_UP: lambda s, me, legal: month.give_up(s, me, legal),
            ids.F_SETUP: lambda s, me, legal: (verbs.ACCEPT,),
        }

    def choose(self, seat: Seat) -> Action:
        """One of the legal actions of the seat."""
        legal = seat.legal
        planned = self._planned(legal)
        if planned is not None:
            return planned
        if len(legal) == 1:
            return legal[0]
        view, me = seat.view(), seat.side
        if view["frames"][-1][0] == ids.F_OPTION:
            worlds = (self.imagine(view, me, self.rng) for _ in range(self.params.worlds))
            plan, s = self._best(worlds, me)
            return self.begin(plan, s, me)
        return self._handle(self.imagine(view, me, self.rng), me, legal)

    # The front: what search and analysis ask of a table that lies open before them (mechanics/planning.py)

    def opens(self, s: State, side: int) -> bool:
        """3.42 the choice of an option: a player turn begins."""
        return bool(s.stack[-1].frame == ids.F_OPTION) and not self._orders

    def horizon(self, s: State, side: int) -> Callable[[State], bool]:
        """The side's next player turn."""
        return next_turn_of(side)

    def light(self, rng: Random) -> Planner:
        return Planner(self.game, rng, LIGHT)

    def plans(self, s: State, side: int, k: int) -> list[Plan]:
        """The k plans of a turn that promise most on this table, the best first; passing may be among them."""
        search = TurnSearch(s, side, self.params, Work(self.params.tries))
        plans = search.plans()
        weighed = search.weigh_all([(0.0, -i, plan) for i, plan in enumerate(plans)])
        if weighed is not None:
            plans = [plan for _, _, plan in sorted(weighed, reverse=True)]
        best = plans[:k]
        return best if Plan(ids.PASS) in best or Plan(ids.PASS) not in plans else [*best[:-1], Plan(ids.PASS)]

    def aims(self, plan: Plan, s: State, side: int) -> list[Text]:
        """Whom the moves of a turn attack and where they go, and whom they leave without supply; or why it passes."""
        if plan.option == ids.PASS:
            return [Text("No move promises more than the cards that it costs")]
        foe, after = 1 - side, s
        for move in plan.moves:
            after, _ = carry_out(after, side, move, Outlook(s, side, self.params))
        ends = [step.hex for move in plan.moves for step in move.steps if not step.off_map]
        found = aims((h for h in ends if s.occ[foe] >> h & 1), ends)
        cut = (unsupplied_units(after, foe) & ~unsupplied_units(s, foe)).bit_count()
        some = Text.many(cut, "It leaves a block without supply", "It leaves {n} blocks without supply")
        return [*found, some] if cut else found

    def play(self, plan: Plan, s: State, side: int) -> list[Action]:
        """A plan as actions; the first of them is the option itself. What the game does not allow ends it."""
        return [self.begin(plan, s, side), *self._orders]

    def decide(self, s: State, side: int) -> Action:
        """One of the legal actions of a side on this very table, whatever is hidden from it in the game."""
        legal = self.game.legal(s)
        planned = self._planned(legal)
        if planned is not None:
            return planned
        if len(legal) == 1:
            return legal[0]
        if s.stack[-1].frame == ids.F_OPTION:
            plan, _ = self._best((s,), side)
            return self.begin(plan, s, side)
        return self._handle(s, side, legal)

    def evaluate(self, s: State, side: int) -> float:
        """How good a table is for a side, cards counted: in points of about one CV of infantry."""
        if s.ended is not None:
            return 0.0 if s.ended.winner is None else WON if s.ended.winner == side else -WON
        own, theirs = (card_price(s, one, s.real[one]) for one in (side, 1 - side))
        return Outlook(s, side, self.params).judge(s, s.active) + own - theirs

    def _handle(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        handler = self._handlers.get(s.stack[-1].frame)
        return legal[0] if handler is None else handler(s, me, legal)

    def _planned(self, legal: Sequence[Action]) -> Action | None:
        """The next action of the plan, if the game allows it; otherwise the plan is dropped."""
        orders = self._orders
        while orders:
            action = orders.popleft()
            if action in legal:
                return action
            if action[0] not in (verbs.END_MOVE, verbs.END_MOVES):  # these the game sometimes sees to itself
                orders.clear()
        return None

    def imagine(self, view: View, side: int, rng: Random) -> State:
        """A table that fits the view. Unknown enemies are taken to be mostly fresh."""
        s = self.game.imagine(view, rng)
        board = s.board
        for u in units_of(board.of_side[1 - side] & ~s.revealed):
            if s.at[u] >= 0:
                steps = board.max_cv[u] // board.step_cv[u]
                worn = steps > 1 and rng.random() < 0.3
                s.cv[u] = board.max_cv[u] - (board.step_cv[u] if worn else 0)
        return s

    # 4 The turn

    def _best(self, worlds: Iterable[State], me: int) -> tuple[Plan, State]:
        """3.42 The plan of a turn that promises most on these tables together, and the first of them."""
        tables = iter(worlds)
        s = next(tables)
        work = Work(self.params.tries)
        search = TurnSearch(s, me, self.params, work)
        plans = search.plans()
        if len(plans) == 1:
            return plans[0], s
        found = [(0.0, -i, plan) for i, plan in enumerate(plans)]
        while True:
            weighed = search.weigh_all(found)
            if weighed is None:  # what is known has to do
                break
            found = sorted(weighed, reverse=True)[: self.params.finalists]
            table = next(tables, None)
            if table is None:
                break
            search = TurnSearch(table, me, self.params, work)
        return found[0][2], s

    def begin(self, plan: Plan, s: State, side: int) -> Action:
        """Turn a plan into orders; the option itself comes before them."""
        self._orders.clear()
        if plan.option == ids.PASS:
            return (verbs.PASS,)
        # 4.4 the second move of a Blitz is planned when the first combat phase is over
        moves = plan.moves[:1] if plan.option == ids.BLITZ else plan.moves
        for move in moves:
            self._orders.extend(move.actions())
        self._orders.append((verbs.END_MOVES,))
        return (verbs.OPTION, plan.option, self._bluff(s, side))

    def _bluff(self, s: State, me: int) -> int:
        """3.42b Dummies to play along: now and then, and when there are many."""
        roll = self.rng.random()
        dummies = s.dummy[me]
        if not dummies:
            return 0
        if dummies > 4 or roll < 0.25:
            return 1
        return 2 if dummies > 1 and roll > 0.92 else 0

    def _moves(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """3.43 A move without a plan: in a Pass turn, in the second half of a Blitz, or if the plan failed."""
        if s.option == ids.PASS:
            self._orders.extend(withdrawal(self.game, s, me, self.params))
        else:
            search = TurnSearch(s, me, self.params)
            assault = s.option == ids.ASSAULT
            quiet = search.outlook.judge(s, me, assault=assault)
            best = search.best_moves(s, self.params.moves, self.params.refined, assault)
            if best and best[0][0] > quiet + 0.05:
                self._orders.extend(best[0][1].actions())
        action = self._planned(legal)
        return action if action is not None else (verbs.END_MOVES,)

    def _move_on(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """5.1 A move that has begun and is not going as planned: end it as soon as it may be ended."""
        for stop in ((verbs.END_MOVE,), (verbs.ABANDON,)):
            if stop in legal:
                return stop
        return legal[0]

    def _nearer(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """The hex nearest to where blocks are wanted, without a fight."""
        outlook = Outlook(s, me, self.params)
        field, fed = outlook.fields[me], outlook.fed[me]
        enemies = s.occ[1 - me]
        return min(legal, key=lambda a: (enemies >> a[1] & 1, not fed >> a[1] & 1, field[a[1]], a))

    def _marches(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """6.4 Only for the enemy base: a failed march disrupts the unit."""
        goal = s.board.base[1 - me]
        for action in legal:
            if action[0] != verbs.MARCHES and action[2] == goal and action[3] == ids.NO_DIR:
                return action
        return (verbs.MARCHES,)

    # 8 to 11 Battles

    def _ground(self, s: State, h: Hex, active: int, me: int, assault: bool = False) -> Ground:
        fortress = bool(s.board.fortress_mask >> h & 1)
        mined = bool((s.mines_open | s.mines[me]) >> h & 1)
        return Ground(fortress, mined, bool(s.defends[1 - active] >> h & 1), assault)

    def _avoid(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """8.4 Stand, unless the battle costs much more than the flight."""
        outlook = Outlook(s, me, self.params)
        for action in legal:
            if action[0] != verbs.AVOID:
                continue
            h = action[1]
            own = battle_line(s, h, me)
            enemies = battle_line(s, h, 1 - me)
            fight = outlook.clash(s, enemies, own, self._ground(s, h, 1 - me, me))
            stack = outlook.stack(s, own)
            stand = fight.active - fight.passive - outlook.stake(h, me) * fight.passive_share**2
            flight = -pursuit_loss(s, enemies, stack.force) - (1 - self.params.in_the_open) * stack.worth
            if h in (s.board.base[me], s.board.tobruk):
                flight -= outlook.stake(h, me)
            if flight > stand + 0.5:
                return action
        return next(a for a in legal if a[0] == verbs.STAND)

    def _declare(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """8.6e Fight where the enemy loses more; assault where he loses so much more."""
        outlook = Outlook(s, me, self.params)
        best: Action = (verbs.DECLARED,)
        gain = 0.0
        for action in legal:
            if action[0] not in (verbs.FIGHT, verbs.ASSAULT):
                continue
            h = action[1]
            assault = action[0] == verbs.ASSAULT
            own, enemies = battle_line(s, h, me), battle_line(s, h, 1 - me)
            ground = self._ground(s, h, me, me, assault)
            fight = outlook.clash(s, own, enemies, ground, 1)
            worth = fight.passive - fight.active
            if assault and (verbs.FIGHT, h) not in legal:  # it is fought anyway
                plain = outlook.clash(s, own, enemies, ground._replace(assault=False), 1)
                worth -= plain.passive - plain.active
            if worth > gain:
                best, gain = action, worth
        return best

    def _first_battle(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """9.0a The order of battles matters little: the first in the list."""
        return legal[0]

    def _fire(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """9.2 The shot that takes most from the enemy."""
        board = s.board
        f: FireAt = s.stack[-1]
        h, side, probe = f.hex, f.side, f.probe
        line = battle_line(s, h, 1 - side)
        known: dict[tuple[int, int, int], float] = {}

        def worth(action: Action) -> float:
            u, cls = action[1], action[2]
            dice, firing = dice_of(s, h, u, probe), board.cls[u]
            key = (dice, firing, cls)
            if key not in known:
                full = worth_of_hit(s, h, 1 - side, firing, probe)
                known[key] = shot_worth(s, line & board.of_class[cls], dice, board.fire[firing][cls], s.hits[cls], full)
            return known[key]

        return max(legal, key=lambda a: (worth(a), -a[1], -a[2]))

    def _lose(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """9.5b The step that costs least for the hits it takes."""
        board = s.board

        def cost(action: Action) -> tuple[float, int, Action]:
            u = action[1]
            return step_worth(board, s.cv[u], u) / board.step_cv[u], -s.cv[u], action

        return min(legal, key=cost)

    def _probe(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """10.41a Probe a rearguard if it is likely to lose more."""
        h = legal[0][1]
        outlook = Outlook(s, me, self.params)
        own, rearguard = battle_line(s, h, me), battle_line(s, h, 1 - me)
        ground = self._ground(s, h, me, me)
        fight = outlook.clash(s, own, rearguard, ground, 1)
        return (verbs.PROBE, h) if fight.passive > fight.active else (verbs.NO_PROBE, h)

    def _safest(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """10.1, 11.3f Where a beaten unit goes: behind friends, out of reach, no farther than it must."""
        outlook = Outlook(s, me, self.params)
        threat, field = outlook.threats[1 - me], outlook.fields[me]
        friends = s.firm[me] & ~s.occ[1 - me]

        def risk(h: Hex) -> float:
            cover = 0.0
            if friends >> h & 1:
                cover = outlook.stack(s, s.here[h] & s.board.of_side[me] & ~s.disrupted).force.total
            return max(0.0, threat[h] - cover) + 0.4 * field[h]

        return min(legal, key=lambda a: (risk(a[1]), a))

    # 12 to 15 Supply

    def _fortress(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """13.3e Supply to the best blocks first."""
        units = [a for a in legal if a[0] != verbs.ASSIGNED]
        return max(units, key=lambda a: (unit_worth(s.board, s.cv[a[1]], a[1]), -a[1]))

    def _best_block(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        return max(legal, key=lambda a: (unit_worth(s.board, s.cv[a[1]], a[1]), -a[1]))

    # 16 The Buildup

    def _arrive(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """M11 Whoever can fight for the base does."""
        return next(a for a in legal if a[0] == verbs.ARRIVE)

    def _spend(self, s: State, me: int, legal: Sequence[Action]) -> Action:
        """16.5 One purchase after the other."""
        self._orders.extend(month.Quartermaster(self.game, s, me, legal, self.params).choose())
        action = self._planned(legal)
        return action if action is not None else legal[-1]


# Marks for playing a game out (see mechanics/planning.playout)


def next_turn_of(side: int) -> Callable[[State], bool]:
    """3.42 The moment at which a side chooses the option of its next player turn."""
    return lambda s: s.stack[-1].frame == ids.F_OPTION and s.active == side


def end_of_turn(s: State) -> bool:
    """3.42 The moment at which the other player turn begins, whosever it is."""
    return bool(s.stack[-1].frame == ids.F_OPTION)


def end_of_month(s: State) -> bool:
    """3.2 The Buildup that follows on this month."""
    return any(f.frame == ids.F_BUILDUP for f in s.stack)
