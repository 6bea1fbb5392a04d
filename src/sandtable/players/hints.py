"""A hint: what the computer would do here, and why, in the game's words.

It reads the view of the side that asks and nothing else, and counts its work: the same moment gives the same hint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Game, Odds, Prompt, View
from sandtable.engine.seats import Seat
from sandtable.engine.table import Table
from sandtable.engine.texts.text import Said, Text
from sandtable.mechanics.planning import playout

from .levels import HINT
from .search import Searcher, Weighed, Work, planner_of

SHOWN = 8
"""Steps of a plan that are told one by one."""
LONGEST = 200
"""Steps after which a plan is not followed any further."""
FEW = 6
"""Games at least that a mean is taken of."""
PLAIN = 6
"""The part of its playouts that is spent on a decision without a plan, one in so many."""
RESULTS = 4
"""Results of a fight that are told with their chances: the likeliest."""


class Advice(NamedTuple):
    """What the computer would do, and why."""

    action: Action
    label: Said
    why: tuple[Said, ...]
    steps: tuple[Said, ...]
    """What would come after it, as far as no die and nobody else comes in between: the first of them."""
    more: int
    """How many more such steps there are."""


class Moment(NamedTuple):
    """A decision, as the side that makes it sees it."""

    side: int
    view: View
    legal: Sequence[Action]
    opened: View | None = None
    """The view when the phase could still be planned as a whole, if a unit is in hand by now."""
    since: Sequence[Action] = ()
    """What the side has done since then."""


def has_hints(game: Game[Any]) -> bool:
    """Whether there is a planner to ask."""
    return "planner" in game.info.players


def lately(table: Table[Any]) -> list[tuple[Any, Action]]:
    """The last actions since dice fell or another side acted, each with the state before it: what may belong to one
    plan, whether it may be taken back or not."""
    return [(s, table.game.parse(table.entries[i].do)) for s, i in table.unbroken()]


def moment_of(game: Game[Any], state: Any, side: int, done: Sequence[tuple[Any, Action]] = ()) -> Moment:
    """A decision of the side to act. `done` are its last actions with nobody else's and no dice between them, each with
    the state before it: a unit that was just taken in hand goes where the plan of the phase sends it."""
    front = planner_of(game)(game, Random(0))
    view, legal = game.view(state, side), list(game.legal(state))
    if front.opens(state, side):
        return Moment(side, view, legal)
    for back in range(len(done) - 1, -1, -1):
        before = done[back][0]
        if game.to_act(before) == side and front.opens(before, side):
            return Moment(side, view, legal, game.view(before, side), [action for _, action in done[back:]])
    return Moment(side, view, legal)


class _Recorder(Searcher):
    """A search that remembers what both sides lost where each plan was played out."""

    def __init__(self, game: Game[Any], rng: Random, work: Work) -> None:
        super().__init__(game, rng, work)
        self.lost: dict[int, list[list[float]]] = {}

    def after(self, plan: Any, view: View, side: int, seed: int) -> Any:
        table = super().after(plan, view, side, seed)
        self.lost.setdefault(id(plan), []).append(losses(self.game, table))
        return table


def losses(game: Game[Any], s: Any) -> list[float]:
    """What each side has lost so far, as the game counts it (`lost` of its scene)."""
    stat = lost_stat(game, s)
    return [] if stat is None else [float(value or 0.0) for value in stat["values"]]


def lost_stat(game: Game[Any], s: Any) -> Any:
    """What the game counts as lost, if it counts anything."""
    return next((stat for stat in game.scene(game.view(s, 0)).get("stats", ()) if stat["id"] == "lost"), None)


def advise(game: Game[Any], moment: Moment, seed: str) -> Advice:
    """What strong play with half of its work would do at this decision: the phase as it plans it, if it was played so
    up to here."""
    rng = Random(seed)
    search = _Recorder(game, rng, HINT)
    side, view = moment.side, moment.view if moment.opened is None else moment.opened
    front, table = search.front, search.front.imagine(view, side, rng)
    why: list[Said] = []
    action: Action | None = None
    if front.opens(table, side) and (plans := search.offered(table, side)):
        weighed = search.weigh(plans, view, side)
        # What was begun is gone on with, though another plan may look a little better this time.
        begun = (one.plan for one in weighed if _agrees(moment.since, front.play(one.plan, table, side)))
        plan = next(begun, None)
        if plan is not None:
            why += [_named(game, said, table) for said in front.aims(plan, table, side)]
            if len(weighed) > 1 and plan is weighed[0].plan:
                why.append(_verdict(weighed))
            while len(search.lost.setdefault(id(plan), [])) < FEW:
                search.after(plan, view, side, rng.getrandbits(64))
            why += _promise(game, table, side, search.lost[id(plan)])
            action = front.begin(plan, table, side)
            _follow(game, front, table, side, moment.since)
        else:
            front = planner_of(game)(game, rng)
    if action is None or moment.opened is not None or action not in moment.legal:
        action = front.choose(_seat(game, moment))
        table = front.imagine(moment.view, side, rng)
    if not why:
        why += _promise(game, table, side, _played_out(game, front, table, side, action, rng))
    odds = game.odds(table, action)
    if odds is not None and odds.results:
        why.append(_chances(odds))
    label = game.action_label(table, action)
    steps, more = _steps(game, table, side, action, front)
    return Advice(action, label, tuple(why), steps, more)


def _verdict(weighed: Sequence[Weighed]) -> Text:
    """Why the first of some plans was chosen: the planner's own is, too, where another one did better by chance."""
    first, second = weighed[:2]
    if first.mean >= second.mean:
        return Text("It did best of {n} plans on imagined tables", n=len(weighed))
    return Text("No other of {n} plans did surely better on imagined tables", n=len(weighed))


def _agrees(since: Sequence[Action], planned: Sequence[Action]) -> bool:
    """Whether what was done is what the plan does, unit for unit and hex for hex."""
    return {tuple(action[:2]) for action in since} <= {tuple(action[:2]) for action in planned}


def _follow(game: Game[Any], front: Any, s: Any, side: int, since: Sequence[Action]) -> None:
    """Let a planner see what was done of its plan, so that it knows what is left."""
    table = s.copy()
    for place, action in enumerate(since):
        if game.to_act(table) != side or action not in game.legal(table):
            return
        if place:
            front.decide(table, side)
        game.apply(table, action)


def _played_out(game: Game[Any], front: Any, s: Any, side: int, action: Action, rng: Random) -> list[list[float]]:
    """What is lost after an action that belongs to no plan, in some games played on by light planners."""
    if len(game.legal(s)) == 1:
        return []
    found = []
    for _ in range(max(FEW, front.playouts // PLAIN)):
        table = s.copy()
        game.apply(table, action)
        players = [front.light(rng) for _ in game.info.sides]
        playout(game, table, players, rng, front.horizon(s, side), HINT.longest)
        found.append(losses(game, table))
    return found


def _seat(game: Game[Any], moment: Moment) -> Seat:
    legal = moment.legal
    return Seat(
        moment.side,
        lambda: legal,
        lambda random: legal[int(random() * len(legal))],
        lambda: Prompt(""),
        lambda: moment.view,
        lambda action: game.odds(game.imagine(moment.view, Random(0)), action),
    )


def _named(game: Any, said: Said, s: Any) -> Said:
    named: Callable[[Said, Any], Said] = game.named
    return named(said, s)


def _promise(game: Game[Any], s: Any, side: int, ends: Sequence[Sequence[float]]) -> list[Said]:
    """What the sides lose where it is played out."""
    stat = lost_stat(game, s)
    if not ends or stat is None:
        return []
    now, count = [float(value or 0.0) for value in stat["values"]], len(ends)
    mean = [sum(one[i] - now[i] for one in ends) / count for i in range(len(now))]
    own, theirs = (round(mean[i], 1) for i in (side, 1 - side))
    return [
        Text(
            "{counted} in the mean of {count} games played on: {own} of yours, {theirs} of theirs",
            counted=stat["title"],
            count=count,
            own=own,
            theirs=theirs,
        )
    ]


def _chances(odds: Odds) -> Said:
    """The likeliest results of an action that leads to dice."""
    some = sorted(odds.results, key=lambda one: -one[1])[:RESULTS]
    told = tuple(Text("{result} {percent} %", result=result, percent=round(100 * chance)) for result, chance in some)
    return Text("{title}: {results}", title=odds.title, results=told) if told else odds.title


def _steps(game: Game[Any], s: Any, side: int, first: Action, front: Any) -> tuple[tuple[Said, ...], int]:
    """What the planner would do next on its imagined table."""
    table, actions = s.copy(), [first]
    game.apply(table, first)
    phase = game.prompt(table).phase
    while game.to_act(table) == side and game.prompt(table).phase == phase and len(actions) < LONGEST:
        actions.append(front.decide(table, side))
        game.apply(table, actions[-1])
    told = steps_of(game, s, actions)
    rest = told if _takes_up(game, first) else told[1:]
    return tuple(rest[:SHOWN]), max(0, len(rest) - SHOWN)


def steps_of(game: Game[Any], s: Any, actions: Sequence[Action]) -> list[Said]:
    """What is done by some actions; a unit and its way are one step, and what only ends something is none."""
    table, told = s.copy(), list[Said]()
    taken: Said | None = None
    for place, action in enumerate(actions):
        label = game.action_label(table, action)
        if _takes_up(game, action):
            taken = label
        else:
            if taken is not None:
                told.append(Text("{who}: {what}", who=taken, what=label))
            elif not place or len(action) > 1:
                told.append(label)
            taken = None
        game.apply(table, action)
    return told


def _takes_up(game: Any, action: Action) -> bool:
    """Whether an action only takes a unit in hand: its argument is a unit and nothing else."""
    verb = next(one for one in game.verbs if int(one) == action[0])
    return [kind for _, kind in verb.args] == ["unit"] and verb.word in ("move", "stack", "join")
