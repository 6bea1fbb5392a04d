"""Single matches: played to the end, the same again from the same seed, and provable."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.engine.contract import CHANCE, Action
from sandtable.engine.dice import derive_seed
from sandtable.engine.flat import same
from sandtable.engine.log import dump_log, read_log
from sandtable.engine.table import Table, verify
from sandtable.players.base import Seat
from sandtable.players.match import Endless, MatchError, play
from sandtable.players.random_player import RandomPlayer
from tests.toygame import BROKEN, GAME, First

TWO = (RandomPlayer, RandomPlayer)


@pytest.mark.parametrize("number", range(10))
def test_a_match_is_a_game_that_verifies(number: int) -> None:
    match = play(GAME, ("line", "close")[number % 2], TWO, derive_seed(number), {"long": number > 5})
    assert match.outcome is not None
    assert match.outcome == GAME.outcome(match.state)
    assert match.decisions == sum(move.actor != CHANCE for move in match.moves)
    log = read_log(dump_log(match.log()))
    report = verify(log, GAME)
    assert report.ok, report.problems
    assert not report.notes
    assert same(Table.replay(log, GAME).state, match.state)


def test_the_seed_decides_everything() -> None:
    one = play(GAME, "close", TWO, derive_seed(1))
    assert play(GAME, "close", TWO, derive_seed(1)).moves == one.moves
    assert play(GAME, "close", TWO, derive_seed(2)).moves != one.moves


def test_the_two_players_do_not_share_their_luck() -> None:
    made: list[float] = []

    def noted(game: Any, rng: Random) -> RandomPlayer:
        made.append(rng.random())
        return RandomPlayer(game, rng)

    play(GAME, "line", (noted, noted), derive_seed(1))
    assert len(set(made)) == 2


def test_random_players_choose_uniformly() -> None:
    player = RandomPlayer(GAME, Random(1))
    state = GAME.new("line")
    seat = Seat(
        0,
        lambda: GAME.legal(state),
        lambda random: GAME.pick(state, random),
        lambda: GAME.prompt(state),
        dict,
        lambda action: None,
    )
    count = dict.fromkeys(seat.legal, 0)
    for _ in range(3000):
        count[player.choose(seat)] += 1
    assert all(900 < n < 1100 for n in count.values())


def test_a_seat_shows_its_own_side_as_the_game_goes_on() -> None:
    seen: list[tuple[int, int]] = []

    class Watcher(First):
        def choose(self, seat: Seat) -> Action:
            view = seat.view()
            seen.append((seat.side, view["turn"]))
            for block, strength in enumerate(view["strength"]):
                assert strength is None or view["seen"][block] or block // 3 == seat.side
            assert seat.odds(seat.legal[0]) is None or seat.prompt().title == "Where to?"
            return super().choose(seat)

    play(GAME, "close", (Watcher, Watcher), derive_seed(3))
    assert {side for side, _ in seen} == {0, 1}
    assert [turn for _, turn in seen] == sorted(turn for _, turn in seen)
    assert seen[-1][1] > 1


def test_an_error_brings_the_match_that_shows_it() -> None:
    with pytest.raises(MatchError) as caught:
        [play(BROKEN, "line", TWO, derive_seed(number)) for number in range(50)]
    match = caught.value.match
    assert str(caught.value) == "ZeroDivisionError: the third turn"
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert match.outcome is None
    assert match.decisions > 0
    log = read_log(dump_log(match.log()))
    assert log.note == "ZeroDivisionError: the third turn"
    assert log.entries[-1].do == "first blue", "the action that did it is the last"
    report = verify(log, BROKEN)
    assert "ZeroDivisionError" in report.problems[0]
    assert report.problems[0].startswith(f"save:{len(log.entries) + 1}: 'first blue' by chance")


def test_a_player_that_cheats_is_an_error() -> None:
    class Cheat(First):
        def choose(self, seat: Seat) -> Action:
            return GAME.parse("result won")

    with pytest.raises(MatchError, match=r"Illegal: 1.2: not now: Assign a strength") as caught:
        play(GAME, "line", (First, Cheat), derive_seed(1))
    assert [move.actor for move in caught.value.match.moves] == [0, 0, 0, 1]


def test_a_game_without_end_is_stopped() -> None:
    with pytest.raises(MatchError, match="not over after 10 decisions") as caught:
        play(GAME, "line", TWO, derive_seed(1), limit=10)
    assert isinstance(caught.value.__cause__, Endless)
