"""The computer player of North Africa '41: legal, and better than chance on either side."""

from __future__ import annotations

from random import Random

import pytest

from sandtable import registry
from sandtable.engine.contract import CHANCE, Action
from sandtable.engine.dice import derive_seed
from sandtable.engine.seats import Player, seat_at
from sandtable.games.na41.ids import (
    ALLIED,
    AXIS,
    F_COMBAT,
    F_LOSS,
    F_MOVES,
    F_STACK,
    V_ATTACK,
    V_CONVOY,
    V_END_COMBAT,
    V_LOAD_SP,
    V_LOSE,
    V_TO,
)
from sandtable.games.na41.planner import Planner
from sandtable.games.na41.planning.moves import make_plan
from sandtable.games.na41.state import State
from sandtable.players.match import play
from sandtable.players.random_player import RandomPlayer

from ..rules.na41.kit import GAME, H, U, do, empty, place, start, supplies, units


def decide(s: State, side: int, seed: int = 1) -> Action:
    """What the planner does at this very decision."""
    seat = seat_at(GAME, s, side)
    seat.legal = GAME.legal(s)
    return Planner(GAME, Random(seed)).choose(seat)


def test_the_registry_knows_it() -> None:
    assert registry.player(GAME, "planner") is Planner


@pytest.mark.parametrize("scenario", ["s1_enter_rommel", "s2_campaign", "s3_crusader"])
@pytest.mark.parametrize("side", [AXIS, ALLIED])
def test_it_plays_legal_actions_and_beats_chance(scenario: str, side: int) -> None:
    players: list[Player] = [RandomPlayer(GAME, Random(3)), RandomPlayer(GAME, Random(4))]
    players[side] = Planner(GAME, Random(5))
    s = GAME.new(scenario)
    seats = [seat_at(GAME, s, i) for i in (0, 1)]
    rng = Random(8)
    while (who := GAME.to_act(s)) is not None:
        if who == CHANCE:
            action = GAME.roll(s, lambda n: rng.randint(1, n)).action
        else:
            seats[who].legal = GAME.legal(s)
            action = players[who].choose(seats[who])
            assert action in seats[who].legal
        GAME.apply(s, action)
    assert s.ended is not None
    assert s.ended.winner == side


def test_two_planners_fight_a_scenario_through_with_all_optional_rules() -> None:
    factory = registry.player(GAME, "planner")
    options = {option.id: True for option in GAME.options()}
    match = play(GAME, "s1_enter_rommel", [factory, factory], derive_seed("two planners"), options)
    assert match.outcome is not None
    assert match.decisions > 300


def test_it_takes_an_airfield_that_lies_open_and_leaves_the_gate_guarded() -> None:
    s = empty("axis")
    place(s, ["GE_I5_5L", "IT_61"], "1604")
    place(s, ["GE_MG8_5L"], "3111")
    place(s, "BR_KDG", "1707")
    start(s, (F_MOVES,))
    orders = make_plan(s, AXIS).orders
    verb, to, _ = orders[U("GE_MG8_5L")]
    assert verb == V_TO
    assert to in (H("Benghazi"), H("Benina"))
    assert U("IT_61") not in orders


def test_it_attacks_at_good_odds_and_not_at_bad_ones() -> None:
    for who, whom, expected in (
        (["GE_I5_5L", "GE_II5_5L", "GE_MG8_5L"], "BR_THR", (V_ATTACK, H("1707"))),
        (["IT_8B"], "BR_5R", (V_END_COMBAT,)),
    ):
        s = empty("axis", phase="combat")
        place(s, who, "1606")
        place(s, whom, "1707")
        start(s, (F_COMBAT,))
        assert (V_ATTACK, H("1707")) in GAME.legal(s)
        assert decide(s, AXIS) == expected


def test_it_gives_its_cheapest_step_and_takes_the_dearest() -> None:
    for chooser, expected in ((AXIS, "IT_FAB"), (ALLIED, "GE_I5_5L")):
        s = empty("axis", phase="combat")
        place(s, ["GE_I5_5L", "IT_FAB"], "1606")
        place(s, "BR_5R", "1707")
        s.target, s.attackers, s.defenders = H("1707"), units("GE_I5_5L", "IT_FAB"), units("BR_5R")
        start(s, (F_LOSS, chooser, AXIS, 0))
        assert decide(s, chooser) == (V_LOSE, U(expected))


def test_what_lies_in_italy_sails_for_tripoli_in_the_first_impulse() -> None:
    s = empty("axis", impulse=1)
    place(s, "GE_I5_5L", "1604")
    place(s, "GE_FL18", "italy")
    start(s, (F_MOVES,))
    ports = s.board.port_ids
    assert decide(s, AXIS) == (V_CONVOY, ports.index("italy"), ports.index("tripoli"))


def test_trucks_bring_supply_forward_from_tripoli() -> None:
    s = empty("axis")
    place(s, "GE_I5_5L", "2011")
    place(s, "AX_TR1", "tripoli")
    supplies(s, "axis", "tripoli", 1)
    start(s, (F_MOVES,))
    do(s, "move AX_TR1")
    assert s.stack[-1] == (F_STACK,)
    assert decide(s, AXIS) == (V_LOAD_SP,)
    do(s, "load-sp")
    verb, to, _ = decide(s, AXIS)
    assert verb == V_TO
    assert s.board.grid.distance(to, H("2011")) <= 1
