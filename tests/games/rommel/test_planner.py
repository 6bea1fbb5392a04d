"""The computer player of Rommel in the Desert: legal, quick, blind to secrets, and better than chance."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from sandtable import registry
from sandtable.engine.contract import CHANCE, Action
from sandtable.engine.seats import Player, Seat, seat_at
from sandtable.games.rommel.planner import planner as planner_module
from sandtable.games.rommel.planner.clash import Ground, force_of, prospect, worth_of_hits
from sandtable.games.rommel.planner.home import Home
from sandtable.games.rommel.planner.params import LIGHT, NORMAL, Params
from sandtable.games.rommel.planner.planner import Planner, end_of_turn, next_turn_of
from sandtable.games.rommel.table import verbs
from sandtable.games.rommel.table.board import units_of
from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    DEAD,
    F_LOSSES,
    F_MONTH,
    F_OPTION,
    F_TURN,
    INFANTRY,
)
from sandtable.games.rommel.table.state import State, put
from sandtable.mechanics.planning import playout
from sandtable.players.match import play
from sandtable.players.random_player import RandomPlayer

from ...rules.rommel.kit import GAME, H, U, battle, empty, new, place, start, texts, units

SCENARIOS = [scenario.id for scenario in GAME.scenarios()]


def seat(s: State, side: int) -> Seat:
    """The seat of a side whose turn it is to decide."""
    found = seat_at(GAME, s, side)
    return found


def decisions(s: State, players: list[Player], seed: int, most: int) -> Iterator[tuple[int, Seat, Action]]:
    """Play on, and give every decision with its seat before it is carried out."""
    rng = Random(seed)
    while most and (who := GAME.to_act(s)) is not None:
        if who == CHANCE:
            GAME.apply(s, GAME.roll(s, lambda n: rng.randint(1, n)).action)
            continue
        most -= 1
        place_ = seat(s, who)
        action = players[who].choose(place_)
        yield who, place_, action
        GAME.apply(s, action)


def pair(planner_side: int, seed: int, params: Params = NORMAL) -> list[Player]:
    """A planner against a random player."""
    players: list[Player] = [RandomPlayer(GAME, Random(seed)), RandomPlayer(GAME, Random(seed))]
    players[planner_side] = Planner(GAME, Random(seed), params)
    return players


Cards = tuple[tuple[int, int], tuple[int, int]]


def turn(active: str, passed: int = 0, cards: Cards = ((4, 2), (4, 2))) -> State:
    """An empty map, at the moment when a side is to choose its option."""
    s = empty(active=active, option=None, cards=cards)
    s.passed = passed
    return s


def begin(s: State) -> State:
    start(s, (F_MONTH, 3), (F_TURN, 1))
    return s


def plays_on(s: State, side: int, stop: Callable[[State], bool], seed: int = 1) -> list[str]:
    """What the planner does from here on until `stop`, its opponent taking the first legal action."""
    players: list[Player] = [First(), First()]
    players[side] = Planner(GAME, Random(seed))
    told = []
    for who, _, action in decisions(s, players, 1, 200):
        if who == side:
            told.append(GAME.text(action))
        if s.ended is not None or stop(s):
            break
    return told


class First:
    """Takes the first legal action."""

    def choose(self, seat: Seat) -> Action:
        return seat.legal[0]


# What every computer player owes


def test_the_registry_knows_it() -> None:
    assert registry.player(GAME, "planner") is Planner


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("side", [AXIS, COMMONWEALTH])
def test_it_plays_legal_actions_in_every_scenario(scenario: str, side: int) -> None:
    s = GAME.new(scenario)
    for who, place_, action in decisions(s, pair(side, 5), 5, 160):
        if who == side:
            assert action in place_.legal
    assert not GAME.invariants(s)


def test_it_plays_on_with_every_option() -> None:
    s = GAME.new("1941", {"free_setup": True, "infantry_tanks": True})
    first = next(iter(decisions(s, pair(COMMONWEALTH, 1), 1, 1)))
    assert first[0] == COMMONWEALTH
    assert first[2] == (verbs.ACCEPT,)


def test_it_leaves_the_table_alone() -> None:
    s = new("1941", 3)
    for _who, place_, _action in decisions(s, pair(AXIS, 3), 3, 60):
        before = GAME.view(s, AXIS), GAME.view(s, COMMONWEALTH), list(place_.legal)
        Planner(GAME, Random(1)).choose(place_)
        assert (GAME.view(s, AXIS), GAME.view(s, COMMONWEALTH), list(place_.legal)) == before


@pytest.mark.parametrize("scenario", ["1941", "crusader", "gazala"])
def test_hidden_facts_make_no_difference(scenario: str) -> None:
    """A twin table that looks the same to the side gets the same answer."""
    s = GAME.new(scenario)
    asked = 0
    for number, (who, place_, _) in enumerate(decisions(s, pair(AXIS, 11), 11, 240)):
        if len(place_.legal) == 1 or number % 7:
            continue
        twin = GAME.redeal(s, who, Random(number))
        GAME.settle(twin)
        assert GAME.view(twin, who) == GAME.view(s, who)
        other = seat(twin, who)
        assert list(other.legal) == list(place_.legal)
        mine = Planner(GAME, Random(2)).choose(place_)
        assert Planner(GAME, Random(2)).choose(other) == mine, GAME.prompt(s)
        asked += 1
    assert asked > 10


def test_the_same_seed_plays_the_same_game() -> None:
    games = []
    for _ in range(2):
        s = GAME.new("battleaxe")
        players: list[Player] = [Planner(GAME, Random(side)) for side in (0, 1)]
        games.append([action for _, _, action in decisions(s, players, 4, 150)])
    assert games[0] == games[1]


@pytest.mark.parametrize("side", [AXIS, COMMONWEALTH])
def test_it_beats_chance(side: int) -> None:
    names = ["random", "random"]
    names[side] = "planner"
    for seed in (b"one", b"two"):
        match = play(GAME, "1941", [registry.player(GAME, name) for name in names], seed)
        assert match.outcome is not None
        assert match.outcome.winner == side


# What it should see


def test_it_walks_into_an_open_base() -> None:
    s = turn("axis")
    place(s, "GE-AA3", "El Alamein")
    place(s, "IT-BRE", "El Agheila")
    place(s, "CW-22G", "Tobruk")
    plays_on(begin(s), AXIS, lambda s: s.active != AXIS)
    assert s.ended is not None
    assert s.ended.winner == AXIS


def test_it_leaves_the_map_if_that_wins() -> None:
    s = turn("commonwealth")
    place(s, ["CW-7A", "CW-4A", "CW-11H"], "Mersa Brega SE1")
    place(s, ["CW-2SG", "CW-KDG"], "Mersa Brega")
    place(s, ["IT-BRE", "IT-BOL", "GE-104", "GE-F118"], "El Agheila")
    place(s, "CW-22G", "Alexandria")
    plays_on(begin(s), COMMONWEALTH, lambda s: s.active != COMMONWEALTH)
    assert s.ended is not None
    assert s.ended.winner == COMMONWEALTH


def test_it_overruns_the_helpless() -> None:
    s = turn("axis")
    place(s, ["GE-PZ5", "GE-AA3"], "Msus")
    place(s, ["GE-MG8", "IT-ARI"], "Beda Fomm")
    place(s, "IT-BRE", "El Agheila")
    place(s, ["CW-22G", "CW-3IM", "CW-20A"], "Msus E1", disrupted=True, unsupplied=True)
    place(s, ["CW-24A", "CW-1RHA", "CW-26A"], "Tobruk")
    place(s, "CW-18A", "Alexandria")
    plays_on(begin(s), AXIS, lambda s: s.active != AXIS)
    assert all(s.cv[U(u)] == 0 for u in ("CW-22G", "CW-3IM", "CW-20A"))


def raided(guard: str | None = "CW-3IM") -> State:
    """A single Axis block, of whatever kind, has got behind the front and onto the road to Alexandria."""
    s = turn("commonwealth", cards=((4, 2), (4, 2)))
    place(s, ["CW-22G", "CW-11I", "CW-1AT", "CW-4A", "CW-7SG", "CW-7A", "CW-11H"], "Sidi Barrani", unsupplied=True)
    place(s, ["CW-3RHA", "CW-KDG"], "Mersa Matruh")
    place(s, ["CW-20A", "CW-24A"], "Tobruk")
    if guard:
        place(s, guard, "Alexandria", cv=1)
    place(s, "GE-AA33", "Sidi Barrani E1")
    place(s, ["GE-PZ5", "GE-AA3", "GE-MG8"], "El Adem")
    place(s, ["GE-PZ8", "GE-115", "GE-104", "IT-TRE"], "Gambut")
    place(s, "IT-BRE", "El Agheila")
    return s


def test_it_knows_an_open_base() -> None:
    """17.1b Whoever could be in it next turn is feared, whatever his block is; blocks in his way keep him out."""
    s = raided(guard=None)
    assert Home(s, COMMONWEALTH).peril(s, COMMONWEALTH) == 0.0  # Mersa Matruh is on the road
    place(s, ["CW-3RHA", "CW-KDG"], "Sofafi")
    bare = Home(s, COMMONWEALTH).peril(s, COMMONWEALTH)
    assert H("Alexandria") in Home(s, COMMONWEALTH).ways(s)
    assert H("Mersa Matruh") in Home(s, COMMONWEALTH).ways(s)
    place(s, "CW-3IM", "Alexandria", cv=1)
    weak = Home(s, COMMONWEALTH).peril(s, COMMONWEALTH)
    place(s, "CW-5I", "Alexandria")
    assert bare > weak > Home(s, COMMONWEALTH).peril(s, COMMONWEALTH)
    s = raided(guard=None)
    place(s, ["CW-3RHA", "CW-KDG"], "Sofafi")
    place(s, "GE-AA33", "Fort Capuzzo")
    assert Home(s, COMMONWEALTH).peril(s, COMMONWEALTH) == 0.0  # too far


@pytest.mark.parametrize("guard", ["CW-3IM", None])
@pytest.mark.parametrize("seed", range(3))
def test_it_does_not_leave_its_base_open(guard: str | None, seed: int) -> None:
    s = raided(guard)
    plays_on(begin(s), COMMONWEALTH, lambda s: s.active != COMMONWEALTH, seed)
    assert Home(s, COMMONWEALTH).peril(s, COMMONWEALTH) == 0.0


def test_it_closes_a_base_that_is_open() -> None:
    s = raided(guard=None)
    place(s, ["CW-3RHA", "CW-KDG"], "Sofafi")
    assert Home(s, COMMONWEALTH).peril(s, COMMONWEALTH) > 0.0
    plays_on(begin(s), COMMONWEALTH, lambda s: s.active != COMMONWEALTH)
    assert Home(s, COMMONWEALTH).peril(s, COMMONWEALTH) == 0.0


def test_it_keeps_its_cards_when_nothing_is_to_be_had() -> None:
    s = turn("axis", cards=((1, 2), (5, 1)))
    place(s, ["GE-PZ5", "GE-MG8", "IT-BRE"], "El Agheila")
    place(s, ["CW-24A", "CW-1RHA", "CW-26A", "CW-22G", "CW-7A", "CW-4A"], "Mersa Brega")
    place(s, "CW-18A", "Alexandria")
    begin(s)
    assert Planner(GAME, Random(1)).choose(seat(s, AXIS)) == (verbs.PASS,)


def test_it_saves_what_would_starve() -> None:
    """The enemy has passed: to pass as well would end the month and lose the blocks without supply."""
    s = turn("axis", passed=1)
    place(s, ["GE-PZ5", "GE-AA3", "GE-PJ605"], "Mechili E1", unsupplied=True)
    place(s, ["GE-MG8", "IT-ARI"], "Derna")
    place(s, "IT-BRE", "El Agheila")
    place(s, ["CW-24A", "CW-26A"], "Tobruk")
    place(s, "CW-18A", "Alexandria")
    begin(s)
    planner = Planner(GAME, Random(1))
    choice = planner.choose(seat(s, AXIS))
    assert choice[0] == verbs.OPTION


def test_it_takes_losses_where_they_cost_least() -> None:
    s = empty(active="axis", option="basic")
    place(s, ["GE-PZ5", "GE-AA3"], "Msus")
    place(s, "CW-26A", "Msus", cv=1)
    place(s, "CW-22G", "Msus", cv=4)
    battle(s, "Msus", "commonwealth", ["W"])
    s.hits = [0, 2, 0, 0]
    start(s, (F_MONTH, 3), (F_LOSSES, H("Msus"), COMMONWEALTH, INFANTRY))
    assert texts(s) == ["lose CW-26A", "lose CW-22G"]
    assert Planner(GAME, Random(1)).choose(seat(s, COMMONWEALTH)) == (verbs.LOSE, U("CW-22G"))


# How it reckons


def test_hits_are_worth_more_when_they_finish_a_block() -> None:
    s = empty()
    place(s, "CW-22G", "Msus", cv=1)
    place(s, "CW-20A", "Msus", cv=4)
    weak, strong = units("CW-22G"), units("CW-20A")
    assert worth_of_hits(s, weak, 2) > worth_of_hits(s, strong, 2) > 0
    assert worth_of_hits(s, weak | strong, 2) == worth_of_hits(s, strong, 2)


def test_an_odd_hit_on_an_elite_block_is_worth_next_to_nothing() -> None:
    s = empty()
    place(s, "GE-PZ5", "Msus")
    panzers = units("GE-PZ5")
    assert worth_of_hits(s, panzers, 2) < 0.2 < worth_of_hits(s, panzers, 4)


def test_fortresses_and_minefields_make_an_attack_dear() -> None:
    s = empty()
    place(s, ["GE-MG8", "GE-104", "GE-115"], "Gazala")
    place(s, ["CW-24A", "CW-26A"], "Tobruk")
    attack, defence = force_of(s, s.here[H("Gazala")]), force_of(s, s.here[H("Tobruk")])
    plain = prospect(s.board, attack, defence, Ground())
    walls = prospect(s.board, attack, defence, Ground(fortress=True))
    mines = prospect(s.board, attack, defence, Ground(mined=True))
    assert walls.active > plain.active
    assert mines.passive < plain.passive


# The front


def test_its_plans_can_be_played() -> None:
    """The plans of a turn, the best first; each begins with its option."""
    s = GAME.new("crusader")
    playout(GAME, s, [Planner(GAME, Random(n), LIGHT) for n in (0, 1)], Random(5), until=end_of_turn)
    planner = Planner(GAME, Random(3), LIGHT)
    plans = planner.plans(s, s.active, 3)
    assert 0 < len(plans) <= 3
    assert len(set(plans)) == len(plans)
    for plan in plans:
        actions = planner.play(plan, s, s.active)
        assert actions[0] in GAME.legal(s)
        assert actions[0][0] in (verbs.OPTION, verbs.PASS)


def test_a_game_is_played_out_to_a_mark_and_the_same_way_again() -> None:
    ends = []
    for _ in range(2):
        s = GAME.new("battleaxe")
        players = [Planner(GAME, Random(n), LIGHT) for n in (0, 1)]
        rng = Random(9)
        playout(GAME, s, players, rng, until=next_turn_of(COMMONWEALTH))
        assert GAME.to_act(s) == COMMONWEALTH
        assert s.stack[-1].frame == F_OPTION
        playout(GAME, s, players, rng, until=next_turn_of(COMMONWEALTH))
        assert GAME.to_act(s) == COMMONWEALTH
        ends.append(s.key())
    assert ends[0] == ends[1]


def test_what_it_judges_is_good_for_one_side_and_bad_for_the_other() -> None:
    s = GAME.new("crusader")
    playout(GAME, s, [Planner(GAME, Random(n), LIGHT) for n in (0, 1)], Random(5), until=end_of_turn)
    planner = Planner(GAME, Random(3), LIGHT)
    before = planner.evaluate(s, AXIS), planner.evaluate(s, COMMONWEALTH)
    for u in units_of(s.here[s.board.tobruk] & s.board.of_side[COMMONWEALTH]):
        put(s, u, DEAD)
    after = planner.evaluate(s, AXIS), planner.evaluate(s, COMMONWEALTH)
    assert after[0] > before[0]
    assert after[1] < before[1]


def test_the_work_is_counted_and_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, the same seed plays the same; and no clock is read."""
    for name in ("perf_counter", "monotonic", "time", "process_time"):
        monkeypatch.setattr(time, name, lambda: pytest.fail("the planner looks at a clock"))
    s = GAME.new("battleaxe")
    players = [Planner(GAME, Random(n), LIGHT) for n in (0, 1)]
    assert playout(GAME, s, players, Random(1), until=end_of_turn) > 0
    source = Path(planner_module.__file__).parent
    assert not [p.name for p in source.glob("*.py") if re.search(r"import time|from time|perf_counter", p.read_text())]
