"""One game from beginning to end, played fast, its log kept."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from sandtable.engine.contract import CHANCE, Action, Game, Outcome
from sandtable.engine.dice import FairDice, commitment
from sandtable.engine.log import CHANCE_NAME, End, Entry, Header, Log

from .base import Player, PlayerFactory, seat_at

LIMIT = 200_000
"""More decisions than any game may take."""

UNLOOKED = 50_000
"""How many new objects the search for cycles of garbage waits for during a match: a game makes hardly any, and
looking for them every few hundred objects takes a tenth of the time."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """While games are played: cycles of garbage are looked for seldom, if they are looked for at all."""
    usual, *later = gc.get_threshold()
    if usual:
        gc.set_threshold(max(usual, UNLOOKED), *later)
    try:
        yield
    finally:
        gc.set_threshold(usual, *later)


class Move(NamedTuple):
    """One step of a match: who, what, and for dice the faces and how many dice had fallen."""

    actor: int
    action: Action
    faces: tuple[int, ...]
    dice: int


@dataclass
class Match:
    """A game that was played, or as much of it as was."""

    game: Game[Any]
    scenario: str
    seed: bytes
    options: Mapping[str, bool] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)
    steps: list[tuple[int, Action, tuple[int, ...], int]] = field(default_factory=list)
    """The moves as plain tuples: the loop makes one for every decision, and a plain one costs a quarter."""
    state: Any = None
    outcome: Outcome | None = None
    decisions: int = 0
    error: str = ""

    @property
    def moves(self) -> list[Move]:
        return [Move(*step) for step in self.steps]

    def log(self) -> Log:
        """The match as a log, to be saved, replayed and verified."""
        game = self.game
        names = {CHANCE: CHANCE_NAME} | dict(enumerate(game.info.sides))
        header = Header(
            game=game.id,
            version=game.version,
            scenario=self.scenario,
            sides=tuple(game.info.sides),
            options=dict(self.options),
            commitment=commitment(self.seed),
            seed=self.seed.hex(),
            players=dict(self.players),
        )
        entries = tuple(Entry(names[move.actor], game.text(move.action), move.faces, move.dice) for move in self.moves)
        end = None if self.outcome is None else End(self.outcome, self.seed.hex())
        return Log(header, entries, end, self.error)


class MatchError(Exception):
    """A match that went wrong: the match up to there, with the action that did it as its last move."""

    def __init__(self, match: Match, cause: BaseException) -> None:
        super().__init__(f"{type(cause).__name__}: {cause}")
        self.match = match
        match.error = str(self)


class Endless(Exception):
    """A game that went on and on."""


def play(
    game: Game[Any],
    scenario: str,
    players: Sequence[PlayerFactory],
    seed: bytes,
    options: Mapping[str, bool] | None = None,
    names: Mapping[str, str] | None = None,
    limit: int = LIMIT,
) -> Match:
    """Play a game, one player a side. The seed decides the dice and the players' own randomness."""
    match = Match(game, scenario, seed, dict(options or {}), dict(names or {}))
    try:
        with undisturbed():
            match.state = game.new(scenario, options)
            chairs = [factory(game, Random(f"{seed.hex()} {side}")) for side, factory in enumerate(players)]
            _play(match, chairs, FairDice(seed), limit)
    except Exception as error:
        match.decisions = sum(step[0] != CHANCE for step in match.steps)
        raise MatchError(match, error) from error
    return match


def _play(match: Match, players: Sequence[Player], dice: FairDice, limit: int) -> None:
    """The hot loop: a few tenths of a microsecond beside the game's own work."""
    game, state = match.game, match.state
    to_act, apply, roll = game.to_act, game.apply, game.roll
    seats = [seat_at(game, state, side) for side in range(len(players))]
    choosers = [player.choose for player in players]
    done = match.steps.append
    decisions = 0
    while (who := to_act(state)) is not None:
        if who == CHANCE:
            action, faces = roll(state, dice)
            done((CHANCE, action, tuple(faces), dice.index))
        else:
            action = choosers[who](seats[who])
            done((who, action, (), 0))
            decisions += 1
            if decisions > limit:
                raise Endless(f"the game is not over after {limit} decisions")
        apply(state, action)
    match.decisions = decisions
    match.outcome = game.outcome(state)
