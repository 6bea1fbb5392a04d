"""From the wishes on the command line to a game at the terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.text import Text

from sandtable import registry
from sandtable.engine.contract import Action, Game
from sandtable.engine.dice import derive_seed
from sandtable.engine.log import read_log
from sandtable.engine.table import Table
from sandtable.lookup import Failure, did_you_mean
from sandtable.players.base import PlayerFactory, seat_at

from .reader import Reader
from .session import Seat, Session

HUMAN = "human"

FindGame = Callable[[str], Game[Any]]


@dataclass
class Wishes:
    """What the command line asked for; None where it left it open."""

    game: str | None = None
    scenario: str | None = None
    seats: Mapping[str, str | None] = field(default_factory=dict)
    save: Path | None = None
    seed: int | None = None
    options: Sequence[str] = ()
    recover: bool = False


def start(
    wishes: Wishes,
    find: FindGame,
    lines: Iterable[str] | None = None,
    console: Console | None = None,
) -> int:
    """Set the table, or take up the saved game, and play."""
    console = console if console is not None else wide_console()
    reader = Reader(console, lines)
    resumed = wishes.save is not None and wishes.save.exists()
    if resumed:
        table = _resume(wishes, find, console)
    else:
        if wishes.recover:
            raise Failure(f"--recover needs a save: {wishes.save or 'name it with --save'}")
        if wishes.save is not None and not wishes.save.absolute().parent.is_dir():
            raise Failure(f"{wishes.save.parent} is not a folder")
        if wishes.game is None:
            _known_sides(wishes.seats)
        try:
            table = _begin(_ask(wishes, find, reader, console), find)
        except (EOFError, KeyboardInterrupt):
            console.print()
            return 0
    game = table.game
    names = _players(game, wishes.seats, table.header.players)
    rng = Random(wishes.seed) if wishes.seed is not None else Random()
    seats = [_seat(game, name, Random(rng.getrandbits(64))) for name in names]
    _introduce(console, table, names, resumed)
    Session(table, seats, console, reader, wishes.save, lambda: fallback_path(table)).run()
    return 0


def _known_sides(seats: Mapping[str, str | None]) -> None:
    """Refuse, before anything is asked, what is neither an option nor a side of any game."""
    known = {"axis", "allied"}.union(*(registry.get(name).info.sides for name in registry.names()))
    for side in seats:
        if side not in known:
            raise Failure(f"there is no option --{side}, and no game has a side of that name")


def wide_console() -> Console:
    """The terminal as it is; a file or a pipe as wide as a good terminal."""
    console = Console(highlight=False)
    if console.is_terminal or os.environ.get("COLUMNS", "").isdigit():
        return console
    return Console(highlight=False, width=120)


# ------------------------------------------------------------------------------------------ seats and options


def seat_names(game: Game[Any], asked: Mapping[str, str | None]) -> dict[int, str]:
    """Who was asked for, by side: `axis` is the first, `allied` the second, and each has its own name."""
    known = {"axis": 0, "allied": 1, **{side: number for number, side in enumerate(game.info.sides)}}
    found: dict[int, str] = {}
    for word, name in asked.items():
        if name is None:
            continue
        if word not in known:
            options = [*known, "save", "seed", "option", "pack", "recover"]
            near = did_you_mean(word, options).replace("mean ", "mean --").replace(" or ", " or --")
            raise Failure(f"play has no option --{word}{near if 'mean' in near else ''}")
        side = known[word]
        if found.get(side, name) != name:
            raise Failure(f"{game.info.sides[side]} is given to {found[side]} and to {name}")
        found[side] = name
    return found


def _players(game: Game[Any], asked: Mapping[str, str | None], before: Mapping[str, str]) -> list[str]:
    """Who plays each side: as asked, else as in the save, else a person."""
    given = seat_names(game, asked)
    names = [given.get(side, before.get(word, HUMAN)) for side, word in enumerate(game.info.sides)]
    for name in names:
        if name != HUMAN:
            _factory(game, name)
    return names


def _factory(game: Game[Any], name: str) -> PlayerFactory:
    try:
        return registry.player(game, name)
    except registry.UnknownName:
        known = [HUMAN, *registry.player_names(game)]
        raise registry.UnknownName(f"player of {game.id}", name, known) from None


def _seat(game: Game[Any], name: str, rng: Random) -> Seat:
    if name == HUMAN:
        return Seat(HUMAN)
    player = _factory(game, name)(game, rng)

    def choose(table: Table[Any], side: int) -> Action:
        return player.choose(seat_at(table.game, table.state, side))

    return Seat(name, choose)


def chosen_options(game: Game[Any], names: Sequence[str]) -> dict[str, bool]:
    """Options by name; `no-NAME` switches off one that is on by itself."""
    known = {option.id: option for option in game.options()}
    chosen = {option.id: True for option in known.values() if option.default}
    for name in names:
        bare = name.removeprefix("no-")
        key = next((k for k in (bare, bare.replace("-", "_")) if k in known), None)
        if key is None:
            hint = did_you_mean(bare, known) if known else "; it has none"
            raise Failure(f"{game.id} has no option {bare!r}{hint}")
        chosen[key] = not name.startswith("no-")
    return chosen


# ------------------------------------------------------------------------------------------ tables


def _begin(wishes: Wishes, find: FindGame) -> Table[Any]:
    assert wishes.game is not None
    assert wishes.scenario is not None
    game = find(wishes.game)
    scenario = registry.scenario(game, wishes.scenario)
    names = _players(game, wishes.seats, {})
    return Table.new(
        game,
        scenario.id,
        chosen_options(game, wishes.options),
        seed=derive_seed(wishes.seed) if wishes.seed is not None else None,
        players=dict(zip(game.info.sides, names, strict=True)),
        created=datetime.now().astimezone().isoformat(timespec="seconds"),
    )


def _resume(wishes: Wishes, find: FindGame, console: Console) -> Table[Any]:
    assert wishes.save is not None
    log = read_log(wishes.save, recover=wishes.recover)
    header = log.header
    pairs = (("game", wishes.game, header.game), ("scenario", wishes.scenario, header.scenario))
    for what, asked, held in pairs:
        if asked is not None and asked != held:
            raise Failure(f"{wishes.save} holds {what} {held}, not {asked}: name another file to begin anew")
    if wishes.seed is not None or wishes.options:
        raise Failure(f"{wishes.save} holds a game already: --seed and --option are for a new one")
    table = Table.replay(log, find(header.game), recover=wishes.recover)
    if table.dice is None and table.end is None:
        raise Failure(f"{wishes.save} is sealed: it does not hold the seed, so its dice cannot fall here")
    if table.note:
        console.print(Text(table.note, "yellow"))
    if wishes.recover and table.note:
        kept = wishes.save.with_name(wishes.save.name + ".damaged")
        kept.write_bytes(wishes.save.read_bytes())
        console.print(Text(f"The damaged file is kept as {kept}.", "yellow"))
        table.note = ""
    return table


def _introduce(console: Console, table: Table[Any], names: Sequence[str], resumed: bool) -> None:
    game = table.game
    scenario = registry.scenario(game, table.header.scenario)
    line = Text(game.info.title, "bold")
    line.append(f", {scenario.title}. ", "default not bold")
    pairs = zip(game.info.side_titles, names, strict=True)
    line.append(", ".join(f"{title}: {name}" for title, name in pairs) + ".", "default not bold")
    console.print(line)
    if resumed:
        console.print(Text(f"Resumed after {len(table.entries)} entries.", "dim"))
    if table.header.commitment:
        console.print(Text(f"The dice come from a seed with SHA-256 {table.header.commitment}.", "dim"))
    console.print(Text("help lists what can be typed.", "dim"))


def fallback_path(table: Table[Any]) -> Path:
    """Where a game is kept that was given no file: in the user's data folder."""
    home = os.environ.get("XDG_DATA_HOME", "")
    folder = (Path(home) if home else Path.home() / ".local" / "share") / "sandtable" / "saves"
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{table.header.game}-{table.header.scenario}-{datetime.now():%Y%m%d-%H%M%S}"
    path = folder / f"{stem}.jsonl"
    number = 2
    while path.exists():
        path = folder / f"{stem}-{number}.jsonl"
        number += 1
    return path


# ------------------------------------------------------------------------------------------ the menu


def _ask(wishes: Wishes, find: FindGame, reader: Reader, console: Console) -> Wishes:
    """Ask for whatever a new game needs and the command line did not say."""
    if wishes.game is not None and wishes.scenario is not None:
        return wishes
    if wishes.game is None:
        titles = {name: registry.get(name).info.title for name in registry.names()}
        wishes.game = _pick(reader, console, "Which game?", titles)
    game = find(wishes.game)
    if wishes.scenario is None:
        scenarios = {s.id: f"{s.title} ({s.length})" if s.length else s.title for s in game.scenarios()}
        wishes.scenario = _pick(reader, console, "Which scenario?", scenarios)
    if not seat_names(game, wishes.seats):
        known = registry.player_names(game)
        best = registry.PLANNER if registry.PLANNER in known else known[-1]
        pairs = zip(game.info.sides, game.info.side_titles, strict=True)
        sides = {side: f"you as {title}, against {best}" for side, title in pairs}
        sides["both"] = "two people at this screen"
        chosen = _pick(reader, console, "Who plays?", sides)
        wishes.seats = {side: HUMAN if chosen in (side, "both") else best for side in game.info.sides}
    return wishes


def _pick(reader: Reader, console: Console, question: str, choices: Mapping[str, str]) -> str:
    """One of several by number or name; Enter takes the first."""
    if len(choices) == 1:
        return next(iter(choices))
    console.print(Text(question, "bold"))
    for number, (name, title) in enumerate(choices.items(), start=1):
        console.print(Text(f" {number:>2} {name}: {title}"))
    names = list(choices)
    while True:
        text = reader.line(f"1 to {len(names)} [1]> ").strip().lower()
        if not text:
            return names[0]
        if text in choices:
            return text
        if text.isdigit() and 1 <= int(text) <= len(names):
            return names[int(text) - 1]
        if text in ("quit", "exit", "q"):
            raise EOFError
        console.print(Text(f"{text!r} is not in the list{did_you_mean(text, names)}"))
