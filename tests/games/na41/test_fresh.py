"""What North Africa '41 keeps to save work never shows: lists are those of a table that knows nothing, and what is
asked without a list is answered by the list."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.engine.dice import QuickDice
from sandtable.engine.hexes import hexes_of
from sandtable.games.na41.combat import combat
from sandtable.games.na41.game import GAME, NorthAfrica
from sandtable.games.na41.paths.legs import markers
from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.table import zones
from sandtable.games.na41.table.ids import AIR_TRANSPORT, ALLIED, AXIS, F_DELAY, F_MOVES
from sandtable.games.na41.table.position import zone
from sandtable.games.na41.table.state import State
from sandtable.games.na41.table.verbs import V_FLY
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from tests.rules.na41.kit import H, board, controlled_by, do, empty, place
from tests.rules.na41.phasekit import delay_phase
from tests.rules.na41.turnkit import moving

SCENARIOS = [scenario.id for scenario in GAME.scenarios()]
KEPT_FOR_GOOD = ("routes", "level", "stacking", "goods", "sea", "ways of supply")
"""What a board works out once for all; what these remember besides is forgotten by `forget`."""

OTHER = NorthAfrica(GAME.pack)


def game_of(scenario: str, seed: int, by_verb: bool = False) -> Iterator[State]:
    """A random game, decision by decision. By verb: kinds of actions have the same chance, so that rare ones are taken
    as well."""
    options = {option.id: True for option in GAME.options()} if seed % 2 else {}
    s = GAME.new(scenario, options)
    rng, dice = Random(seed), QuickDice(Random(seed))
    while (actor := GAME.to_act(s)) is not None:
        if actor == CHANCE:
            GAME.apply(s, GAME.roll(s, dice).action)
            continue
        yield s
        if by_verb:
            verb = rng.choice(sorted({action[0] for action in GAME.legal(s)}))
            GAME.apply(s, rng.choice([action for action in GAME.legal(s) if action[0] == verb]))
        else:
            GAME.apply(s, GAME.pick(s, rng.random))


def forget(game: NorthAfrica) -> None:
    """The board knows no more than what it works out once for all."""
    kept = game.board.kept
    passing = [key for key in kept if key not in KEPT_FOR_GOOD and key[0] != "offers"]
    for key in passing:
        del kept[key]
    for chart in ("goods", "sea"):
        if chart in kept:
            kept[chart].known.clear()
    supply_lines.ways(game.board).forget()


def fresh(s: State) -> State:
    """The same table, set up anew on a board that remembers nothing."""
    forget(OTHER)
    return OTHER.imagine(GAME.view(s, 0), Random(0))


@pytest.mark.parametrize("by_verb", [False, True])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_lists_are_those_of_a_table_that_knows_nothing(scenario: str, by_verb: bool) -> None:
    for n, s in enumerate(game_of(scenario, 31 + by_verb, by_verb)):
        assert GAME.legal(s) == OTHER.legal(fresh(s)), s.stack
        if n >= 400:
            break


@pytest.mark.parametrize("by_verb", [False, True])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_supply_is_that_of_a_table_that_knows_nothing(scenario: str, by_verb: bool) -> None:
    """16.2, 16.3, 17.3, 7.4 asked for at every decision, so that there is always an answer to go by."""
    rng = Random(9)
    for n, s in enumerate(game_of(scenario, 51 + by_verb, by_verb)):
        other = fresh(s)
        some = rng.sample(units_of(s.present), 2)
        places = [s.at[u] for u in some if not s.board.is_box(s.at[u])]
        for side in (AXIS, ALLIED):
            assert supply_lines.full(s, side) == supply_lines.full(other, side)
            assert supply_lines.fed_by_port(s, side) == supply_lines.fed_by_port(other, side)
            assert zones.overlapping(s, side) == zones.overlapping(other, side)
            for h in places:
                assert supply_lines.within(s, side, h, 3) == supply_lines.within(other, side, h, 3)
                assert supply_lines.traced(s, side, 1 << h) == supply_lines.traced(other, side, 1 << h)
        if n >= 400:
            break


def test_lines_while_the_map_opens_and_closes() -> None:
    """16.3.1, 16.3.4 hexes and MSUs come and go one by one, and the last answers are at hand or not."""
    rng, keeping, forgetting = Random(3), supply_lines.Ways(board), supply_lines.Ways(board)
    land = hexes_of(board.land)
    through = first = board.land & ~sum(1 << h for h in rng.sample(land, 60))
    msus = sum(1 << h for h in rng.sample(land, 8))
    changes = 0
    before: tuple[int, ...] = (board.land,)
    for _ in range(300):
        which, near = rng.randrange(3), before[rng.randrange(len(before))] & board.land
        h = 1 << rng.choice(hexes_of(near))
        through ^= h if which == 0 else 0
        first ^= h if which == 1 else 0
        msus ^= h if which == 2 else 0
        forgetting.forget()
        found, wanted = (
            tuple(
                answer
                for side in (AXIS, ALLIED)
                for answer in (
                    way.along(way.source_roads[side], through),
                    way.spread(1 << board.tobruk, 0, 5, through, first | through),
                    way.lines(way.source_roads[side], way.near[side], msus, through, first | through),
                )
            )
            for way in (keeping, forgetting)
        )
        assert found == wanted
        changes += found != before
        before = found
    assert changes > 50


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_asked_without_a_list_is_answered_by_the_list(scenario: str) -> None:
    for by_verb in (False, True):
        rng = Random(5)
        for s in game_of(scenario, 12 + by_verb, by_verb):
            f = s.stack[-1]
            if f[0] not in (F_MOVES, F_DELAY):
                continue
            frame, listed = GAME.frames[f[0]], GAME.legal(s)
            assert all(frame.allows(s, f, action) for action in listed)
            for action in rng.sample(listed, min(len(listed), 5)):
                other = (*action[:-1], action[-1] + rng.choice((-1, 1)))
                assert frame.allows(s, f, other) == (other in listed), other


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_action_of_the_movement_phase_has_the_same_chance(scenario: str) -> None:
    """Each number that can come stands for one of them."""
    seen: set[int] = set()
    for n, s in enumerate(game_of(scenario, 3, by_verb=True)):
        listed = GAME.legal(s)
        verbs = {action[0] for action in listed}
        if s.stack[-1][0] != F_MOVES or (verbs <= seen and n % 80):
            continue
        seen |= verbs
        numbers = iter([(number + 0.5) / len(listed) for number in range(len(listed))])
        assert [GAME.pick(s, numbers.__next__) for _ in listed] == listed


def test_flights_land_in_supply() -> None:
    """18.7.6a of all quiet airfields those with supply."""
    s = empty("axis")
    controlled_by(s, "axis", "3212", "3211", "3629")
    place(s, ["GE_RI1", "GE_III255", "GE_AA33"], "italy")
    s.assets[AIR_TRANSPORT] = 1
    around = board.grid.within(H("3629"), 2) & ~board.grid.within(H("3629"), 1) & board.land  # two hexes away
    for h, u in zip(hexes_in(around), units_of(board.tanks & board.of_side[ALLIED]), strict=False):
        place(s, board.units[u], board.grid.names[h])
    moving(s)
    assert {action[2] for action in GAME.legal(s) if action[0] == V_FLY} == {H("3212")}
    assert board.airfields & s.control & ~board.grid.dilate(s.occ[ALLIED]) & 1 << H("3629")  # quiet, without supply


def test_a_marker_is_felt_at_once() -> None:
    """24.2a what was worked out about markers does not outlive the next one."""
    s = empty("axis", "delay")
    place(s, ["BR_1R"], "2378")
    delay_phase(s)
    assert not markers(s, ALLIED)
    do(s, "delay 1 2240")
    assert markers(s, ALLIED)


def test_who_is_in_contact() -> None:
    """8.1a all enemies in the ZOC of the active side, hexside by hexside, and hardly any others."""
    met = others = 0
    for s in game_of(SCENARIOS[2], 4):
        found = zone(s, s.active) & s.men[enemy(s.active)]
        near = combat.in_contact(s)
        assert not found & ~near
        met += found != 0
        others += near != found
    assert others < met / 4
    assert met > 100
