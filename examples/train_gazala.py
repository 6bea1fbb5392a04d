"""Train a small network to play Rommel's Gazala until it beats random play, both sides with one network.

    pip install 'sandtable[learning]'
    python examples/train_gazala.py --updates 150 --weights gazala.pt --curve gazala.json --picture gazala.svg
    PYTHONPATH=examples sandtable tournament rommel gazala --players train_gazala:Trained,random --games 200

The network reads `features(view)` and the parts of the decision that are chosen already; it chooses the next part (the
verb, then each argument) from the mask of those that lead to something legal. It plays against random play, one half of
the games as each side, and learns by proximal policy optimisation from who won and from what was lost on the way. The
same arguments give the same games and, on one thread, the same network.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from sandtable import registry
from sandtable.engine.contract import Action, Game
from sandtable.engine.seats import Seat
from sandtable.players.tournament import interval
from sandtable.research.desk import Desk
from sandtable.research.features import GLOBALS, PLACES, Reader
from sandtable.research.heads import Choosing, Heads

DEEP, WIDE = 24, 96
"""Numbers that a hex or a unit becomes, and those of the layers behind."""
SWEEPS, PIECE, CLIP = 3, 512, 0.2
"""How often the games of an update are gone through, in pieces of how many choices, and how far the policy may move."""
RATE, SURPRISE, VALUE = 1e-3, 0.01, 0.5
"""The step of learning; what is paid for variety; the weight of the forecast."""
LOOK_AHEAD = 0.97
"""How far ahead a choice is credited with what came of it (lambda)."""
LOST = len(GLOBALS) + 2 * 2
"""Where `globals` tells the blocks lost, own and enemy, in hundreds: the third pair that Rommel's scene counts."""
HUNDRED = 5.0
"""What a hundred of them are worth; a win is 1. It speeds learning up: twenty blocks are a game."""


class Policy(nn.Module):
    """One network for every part of a decision, for both sides."""

    def __init__(self, game: Game[Any]) -> None:
        super().__init__()
        heads, shapes = Heads(game), Reader(game).shapes
        self.size, self.kinds, self.verbs = heads.size, heads.kinds, len(heads.verbs)
        self.names = ["verb", *heads.widths]
        self.widths = {"verb": self.verbs, **heads.widths}
        (hexes, planes), (units, marks), (table,) = shapes.planes, shapes.units, shapes.globals  # type: ignore[misc]
        self.place = nn.Parameter(0.1 * torch.randn(hexes, DEEP))
        self.name = nn.Parameter(0.1 * torch.randn(units, DEEP))
        self.hexes, self.units = nn.Linear(planes, DEEP), nn.Linear(marks, DEEP)
        self.verb = nn.Embedding(self.verbs + 1, DEEP)
        self.trunk = nn.Sequential(nn.Linear(8 * DEEP + table, WIDE), nn.ReLU(), nn.Linear(WIDE, WIDE), nn.ReLU())
        self.heads = nn.ModuleList(
            nn.Linear(WIDE, DEEP if name in PLACES or name == "unit" else self.widths[name]) for name in self.names
        )
        self.worth = nn.Linear(WIDE, 1)
        for head in (*self.heads, self.worth):
            nn.init.zeros_(head.bias)
            head.weight.data.mul_(0.1)

    def forward(self, seen: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """What speaks for each choice (nothing where it is none), and how the game is likely to end."""
        planes, begun, rows = seen["planes"], seen["begun"].long(), torch.arange(len(seen["begun"]))
        hexes = torch.relu(self.place + self.hexes(planes))
        units = torch.relu(self.name + self.units(seen["units"]))
        pools = [_mean(hexes, planes[:, :, column]) for column in (0, 1, 5, 6, 7)]
        pools.append(_mean(units, seen["units"][:, :, 0]))
        last = (begun > 0).sum(1) - 1  # the place of the part that was chosen last
        number = begun[rows, last.clamp(min=0)] - 1
        kinds = [self._kind(int(verb) - 1, int(place)) for verb, place in zip(begun[:, 0], last, strict=True)]
        hand = torch.zeros(len(rows), DEEP)
        for some, of in (((*PLACES,), hexes), (("unit",), units)):
            at = torch.tensor([i for i, kind in enumerate(kinds) if kind in some], dtype=torch.long)
            hand[at] = of[at, number[at]]
        trunk = self.trunk(torch.cat([*pools, self.verb(begun[:, 0]), hand, seen["globals"]], 1))
        logits = torch.full((len(rows), self.size), -torch.inf)
        asked = [self._kind(int(verb) - 1, int(place) + 1) for verb, place in zip(begun[:, 0], last, strict=True)]
        for name, head in zip(self.names, self.heads, strict=True):
            at = torch.tensor([i for i, kind in enumerate(asked) if kind == name], dtype=torch.long)
            if len(at):
                found = head(trunk[at])
                if name in PLACES or name == "unit":
                    found = torch.einsum("bd,bnd->bn", found, (hexes if name in PLACES else units)[at])
                logits[at, : self.widths[name]] = found
        return logits.masked_fill(seen["mask"] == 0, -torch.inf), self.worth(trunk)[:, 0]

    def _kind(self, verb: int, place: int) -> str:
        """What is chosen at a place of an action: its verb comes first."""
        return "verb" if place <= 0 else self.kinds[verb][place - 1]


def _mean(of: Tensor, weights: Tensor) -> Tensor:
    return torch.einsum("bnd,bn->bd", of, weights) / (1.0 + weights.sum(1, keepdim=True))


class Choice(NamedTuple):
    """A part that the network chose."""

    seen: dict[str, Any]
    part: int
    chance: float
    """The logarithm of its chance."""
    worth: float


@dataclass
class Episode:
    """One game of the network."""

    side: int
    choices: list[Choice] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    score: float = 0.0


class Seats:
    """Games at once, in each of which the network has one side and random play the other."""

    def __init__(self, game: Game[Any], scenario: str, policy: Policy, seed: int) -> None:
        self.game, self.scenario, self.policy, self.seed = game, scenario, policy, seed
        self.dealt = 0

    def play(self, games: int, at_once: int = 32, keep: bool = True) -> list[Episode]:
        """So many games, sides changing from one to the next."""
        numbers = list(range(self.dealt, self.dealt + games))
        self.dealt += games
        going, ended = list[_Seat](), list[Episode]()
        while numbers or going:
            going += [_Seat(self, numbers.pop(0)) for _ in range(min(len(numbers), at_once - len(going)))]
            ended += [table.episode for table in going if table.over]
            going = [table for table in going if not table.over]
            if going:
                _choose(self.policy, going, keep)
        return ended


class _Seat:
    """One of them."""

    def __init__(self, seats: Seats, number: int) -> None:
        self.game, self.episode = seats.game, Episode(number % 2)
        self.desk = Desk(seats.game, seats.scenario)
        self.desk.deal(f"{seats.seed} {number}")
        self.draws = Random(f"{seats.seed} {number} draws")
        self.lost = 0.0
        self._go_on()

    @property
    def over(self) -> bool:
        return self.desk.side is None

    def take(self, choice: Choice, keep: bool) -> None:
        if keep:
            self.episode.choices.append(choice)
            self.episode.rewards.append(0.0)
        self.desk.choose(choice.part)
        self._go_on()

    def _go_on(self) -> None:
        """Up to the next part that is to be chosen: random play answers, and where there is one choice it is taken."""
        desk, side = self.desk, self.episode.side
        while desk.side is not None:
            if desk.side != side:
                desk.take(self.game.pick(desk.state, desk.rng.random))
            elif len(some := desk.choices()) == 1:
                desk.choose(some[0])
            else:
                break
        if desk.side is None:
            self.episode.score = desk.scores()[side]
            self._pay(self.episode.score)
        elif not desk.choosing.begun:
            self.seen = desk.observe(side)
            own, enemy = self.seen["globals"][LOST : LOST + 2].tolist()
            self._pay(HUNDRED * (self.lost - (own - enemy)))
            self.lost = own - enemy

    def _pay(self, what: float) -> None:
        if self.episode.rewards:
            self.episode.rewards[-1] += what

    def asks(self) -> dict[str, Any]:
        return {**self.seen, "begun": self.desk.begun(), "mask": self.desk.mask()}


def _choose(policy: Policy, tables: list[_Seat], keep: bool) -> None:
    """The next part at each table, drawn by the chances that the network gives."""
    seen = [table.asks() for table in tables]
    with torch.no_grad():
        logits, worth = policy(stacked(seen))
    chances = torch.log_softmax(logits, 1).double().numpy()
    for table, one, row, value in zip(tables, seen, chances, worth.tolist(), strict=True):
        part = _drawn(np.exp(row), table.draws.random())
        table.take(Choice(one, part, float(row[part]), value), keep)


def _drawn(chances: Any, at: float) -> int:
    """The place at which the sum of the chances passes a number; never one without a chance."""
    sums = np.cumsum(chances)
    return min(int(np.searchsorted(sums, at * sums[-1], side="right")), int(np.flatnonzero(chances)[-1]))


def stacked(seen: list[dict[str, Any]]) -> dict[str, Tensor]:
    return {name: torch.from_numpy(np.stack([one[name] for one in seen])) for name in seen[0]}


def credits(episode: Episode) -> list[float]:
    """What came of each choice beyond what was forecast (generalised advantage)."""
    found, ahead, carried = list[float](), 0.0, 0.0
    for choice, reward in zip(reversed(episode.choices), reversed(episode.rewards), strict=True):
        carried = reward + ahead - choice.worth + LOOK_AHEAD * carried
        found.append(carried)
        ahead = choice.worth
    return found[::-1]


def learn(policy: Policy, optimiser: torch.optim.Optimizer, episodes: list[Episode], rng: Random) -> float:
    """One update out of some games; says how surprising the policy's choices are (entropy, in the mean)."""
    choices = [choice for episode in episodes for choice in episode.choices]
    gains = np.array([gain for episode in episodes for gain in credits(episode)], np.float32)
    aims = torch.from_numpy(gains + np.array([choice.worth for choice in choices], np.float32))
    gain = torch.from_numpy((gains - gains.mean()) / (gains.std() + 1e-6))
    before = torch.tensor([choice.chance for choice in choices])
    parts = torch.tensor([choice.part for choice in choices])
    variety, pieces = 0.0, 0
    for _ in range(SWEEPS):
        order = rng.sample(range(len(choices)), len(choices))
        for start in range(0, len(order), PIECE):
            some = order[start : start + PIECE]
            logits, worth = policy(stacked([choices[i].seen for i in some]))
            chances = torch.log_softmax(logits, 1)
            ratio = torch.exp(chances[torch.arange(len(some)), parts[some]] - before[some])
            gained = torch.minimum(ratio * gain[some], ratio.clamp(1 - CLIP, 1 + CLIP) * gain[some]).mean()
            entropy = -(chances.exp() * chances.masked_fill(chances == -torch.inf, 0.0)).sum(1).mean()
            loss = VALUE * nn.functional.smooth_l1_loss(worth, aims[some]) - gained - SURPRISE * entropy
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimiser.step()
            variety, pieces = variety + float(entropy.detach()), pieces + 1
    return variety / pieces


class Trained:
    """The trained network as a player of any series: `train_gazala:Trained`. Its weights are in `GAZALA_WEIGHTS`."""

    def __init__(self, game: Game[Any], rng: Random) -> None:
        path = Path(os.environ.get("GAZALA_WEIGHTS", "gazala.pt"))
        if not path.exists():
            raise FileNotFoundError(f"no trained network at {path}: run examples/train_gazala.py --weights {path}")
        torch.set_num_threads(1)
        self.rng, self.heads, self.reader, self.policy = rng, Heads(game), Reader(game), Policy(game)
        self.policy.load_state_dict(torch.load(path, weights_only=True))

    def choose(self, seat: Seat) -> Action:
        choosing, seen = Choosing(self.heads, seat.legal), self.reader.features(seat.view())._asdict()
        while True:
            some = choosing.choices()
            part = some[0] if len(some) == 1 else self._part(choosing, some, seen)
            action = choosing.choose(part)
            if action is not None:
                return action

    def _part(self, choosing: Choosing, some: list[int], seen: dict[str, Any]) -> int:
        mask, begun = np.zeros(self.heads.size, np.int8), np.zeros(self.heads.longest, np.float32)
        mask[some] = 1
        begun[: len(choosing.begun)] = [part + 1 for part in choosing.begun]
        with torch.no_grad():
            logits, _ = self.policy(stacked([{**seen, "begun": begun, "mask": mask}]))
        return _drawn(torch.softmax(logits[0], 0).double().numpy(), self.rng.random())


def counted(episodes: list[Episode], side: int | None = None) -> dict[str, Any]:
    """The share of wins, a draw half, with its interval of 19 in 20."""
    scores = [(1 + one.score) / 2 for one in episodes if side is None or one.side == side]
    low, high = interval(sum(scores), len(scores))
    share = round(sum(scores) / max(1, len(scores)), 4)
    return {"games": len(scores), "share": share, "low": round(low, 4), "high": round(high, 4)}


def picture(curve: list[dict[str, Any]], title: str, window: int = 5) -> str:
    """The curve as a drawing: the share of wins against random play over the games, smoothed over some updates."""
    wide, high, left, right, top, foot = 720, 360, 56, 120, 40, 44
    games = [0]
    for one in curve:
        games.append(games[-1] + one["games"])
    lines = {"both sides": "share", "Axis": "axis", "Commonwealth": "commonwealth"}
    colours = {"both sides": "#1f2937", "Axis": "#b45309", "Commonwealth": "#1d4ed8"}

    def at(x: float, y: float) -> str:
        px = left + (wide - left - right) * x / max(1, games[-1])
        return f"{px:.1f},{top + (high - top - foot) * (1 - y):.1f}"

    found = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="13">',
        f'<rect width="{wide}" height="{high}" fill="#ffffff"/><text x="{left}" y="22" font-size="15">{title}</text>',
    ]
    for percent in range(0, 101, 25):
        (x, y), (end, _) = (at(0, percent / 100).split(","), at(games[-1], percent / 100).split(","))
        dash = ' stroke-dasharray="5 4" stroke="#6b7280"' if percent == 50 else ' stroke="#e5e7eb"'
        found.append(f'<line x1="{x}" y1="{y}" x2="{end}" y2="{y}"{dash}/>')
        found.append(f'<text x="{left - 8}" y="{float(y) + 4:.1f}" text-anchor="end">{percent} %</text>')
    for part in range(5):
        count = games[-1] * part // 4
        x, y = at(count, 0).split(",")
        found.append(f'<text x="{x}" y="{float(y) + 18:.1f}" text-anchor="middle">{count:,}</text>')
    found.append(f'<text x="{(left + wide - right) / 2}" y="{high - 6}" text-anchor="middle">games played</text>')
    taken: list[float] = []
    for name, key in lines.items():
        smooth = [
            sum(one[key] for one in curve[max(0, i - window + 1) : i + 1]) / min(window, i + 1)
            for i in range(len(curve))
        ]
        points = " ".join(at((games[i] + games[i + 1]) / 2, share) for i, share in enumerate(smooth))
        wide_line = 2.5 if key == "share" else 1.3
        found.append(f'<polyline points="{points}" fill="none" stroke="{colours[name]}" stroke-width="{wide_line}"/>')
        y = float(at(0, smooth[-1]).split(",")[1]) + 4
        while any(abs(y - other) < 15 for other in taken):
            y += 1
        taken.append(y)
        found.append(f'<text x="{wide - right + 6}" y="{y:.1f}" fill="{colours[name]}">{name}</text>')
    return "\n".join([*found, "</svg>", ""])


def keep(given: argparse.Namespace, policy: Policy, report: dict[str, Any]) -> None:
    """What has been learnt so far: training that is broken off is not lost."""
    if given.weights is not None:
        torch.save(policy.state_dict(), given.weights)
    if given.curve is not None:
        given.curve.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if given.picture is not None:
        drawn = picture(report["curve"], "Gazala: wins of the network against random play")
        given.picture.write_text(drawn, encoding="utf-8")


def main(words: list[str] | None = None) -> dict[str, Any]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=150)
    parser.add_argument("--games", type=int, default=32, help="of each update, one half as either side")
    parser.add_argument("--at-once", type=int, default=32, help="games that the network answers for together")
    parser.add_argument("--final", type=int, default=400, help="games that measure the trained network")
    parser.add_argument("--scenario", default="gazala")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, help="the trained network")
    parser.add_argument("--curve", type=Path, help="the figures of every update, as JSON")
    parser.add_argument("--picture", type=Path, help="the curve, as SVG")
    given = parser.parse_args(words)
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    game, rng = registry.get("rommel"), Random(given.seed)
    policy = Policy(game)
    optimiser = torch.optim.Adam(policy.parameters(), RATE)
    seats, curve = Seats(game, given.scenario, policy, given.seed), list[dict[str, Any]]()
    report: dict[str, Any] = {"scenario": given.scenario, "seed": given.seed, "curve": curve}
    begin, used = time.perf_counter(), time.process_time()
    for number in range(given.updates):
        episodes = seats.play(given.games, given.at_once)
        variety = learn(policy, optimiser, episodes, rng)
        sides = {name: counted(episodes, side)["share"] for side, name in enumerate(game.info.sides)}
        choices = sum(len(one.choices) for one in episodes)
        curve.append({**counted(episodes), **sides, "choices": choices, "entropy": round(variety, 3)})
        spent = time.process_time() - used
        one = curve[-1]
        print(
            f"{number + 1:4} {one['share']:6.1%}  axis {one['axis']:6.1%}  commonwealth {one['commonwealth']:6.1%}  "
            f"{choices:6} choices, entropy {variety:.2f}, {spent:.0f} s of processor",
            flush=True,
        )
        report |= {
            "games": seats.dealt,
            "processor_minutes": round(spent / 60, 1),
            "minutes": round((time.perf_counter() - begin) / 60, 1),
        }
        keep(given, policy, report)
    if given.final:
        ended = Seats(game, given.scenario, policy, given.seed + 1_000_000).play(given.final, given.at_once, keep=False)
        report["final"] = {"both": counted(ended)}
        report["final"] |= {name: counted(ended, side) for side, name in enumerate(game.info.sides)}
        for name, one in report["final"].items():
            print(f"{name}: {one['share']:.1%} of {one['games']} games ({one['low']:.1%} to {one['high']:.1%})")
        keep(given, policy, report)
    return report


if __name__ == "__main__":
    main()
    sys.exit(0)
