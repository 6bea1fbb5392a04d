"""The command line: games, scenarios, play, serve, simulate, rules, replay, verify, map, packs, bench.

A failure is one line on standard error and a status that is not zero. JSON goes to standard output and
nothing else does then.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

from cyclopts import App, CycloptsError, Parameter
from rich.console import Console
from rich.text import Text

from sandtable import registry, reports
from sandtable.engine.contract import SPECTATOR, Illegal
from sandtable.engine.ledger import ENGLISH, LedgerError, book, coverage, tests_folder
from sandtable.engine.log import SaveError, read_log
from sandtable.engine.packs import PackError, config_overrides
from sandtable.engine.table import Report, Table, verify_file
from sandtable.engine.texts.catalogue import LANGUAGES
from sandtable.imports import packs_app
from sandtable.lookback import look_back
from sandtable.lookup import Failure, find_game, find_side
from sandtable.printing import Flag, Words, complain, out, print_json
from sandtable.series import balance, simulate, tournament
from sandtable.terminal.rulebook import NoSuchRule, chapter_lines, find_rules, notices, reader_language, rule_lines

DEBUG = "SANDTABLE_DEBUG"
"""With this in the environment, a failure shows where it came from."""

app = App(
    name="sandtable",
    help="Board wargames with their complete rules, for people, computer opponents and researchers.",
    version=version("sandtable"),
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)
app.command(packs_app)
app.command(simulate)
app.command(tournament)
app.command(balance)
app.command(look_back, name="analyse")


# ------------------------------------------------------------------------------------------ lists


@app.command
def games(*, json: Flag = False) -> int:
    """The games that can be played.

    Parameters
    ----------
    json
        Print JSON.
    """
    found = [registry.get(name) for name in registry.names()]
    if json:
        print_json(reports.games_json(found))
    else:
        out().print(reports.games_grid(found))
    return 0


@app.command
def scenarios(game: str, /, *, json: Flag = False) -> int:
    """The scenarios and options of a game.

    Parameters
    ----------
    game
        Its name, as `sandtable games` lists it.
    json
        Print JSON.
    """
    rules = registry.get(game)
    if json:
        print_json(reports.scenarios_json(rules))
        return 0
    console = out()
    console.print(reports.scenarios_grid(rules))
    if rules.options():
        console.print()
        console.print(reports.options_grid(rules))
    return 0


# ------------------------------------------------------------------------------------------ playing


@app.command
def play(
    game: Annotated[str | None, Parameter(show_default=False)] = None,
    scenario: Annotated[str | None, Parameter(show_default=False)] = None,
    /,
    *,
    axis: str | None = None,
    allied: str | None = None,
    save: Path | None = None,
    seed: int | None = None,
    option: Words = None,
    pack: Path | None = None,
    recover: Flag = False,
    **sides: Annotated[str, Parameter(show=False)],
) -> int:
    """Play a game in the terminal.

    Without a game and a scenario you are asked. A side that you do not give to a computer is played by a
    person at this terminal; two people hand the screen over. A side can also be given by its own name:
    --commonwealth planner.

    Parameters
    ----------
    game
        Its name, as `sandtable games` lists it.
    scenario
        Its name, as `sandtable scenarios GAME` lists it.
    axis
        Who plays the first side: human, random or planner.
    allied
        Who plays the second side: human, random or planner.
    save
        Keep the game in this file. If the file is there, the game in it is resumed.
    seed
        Dice from this number, the same each time. Otherwise from a secret seed.
    option
        An option of the game, as `sandtable scenarios GAME` lists it. May be repeated.
    pack
        A folder of your own data, laid over that of the game.
    recover
        Resume a damaged save up to the damage.
    """
    from sandtable.terminal.start import Wishes, start

    wishes = Wishes(
        game=game,
        scenario=scenario,
        seats={"axis": axis, "allied": allied, **sides},
        save=save,
        seed=seed,
        options=[word for words in option or () for word in words.split(",") if word],
        recover=recover,
    )
    return start(wishes, lambda name: find_game(name, pack))


@app.command
def learn(game: str, lesson: Annotated[str | None, Parameter(show_default=False)] = None, /) -> int:
    """Take a lesson in the terminal: a prepared position and a few coached decisions on the real rules.

    Parameters
    ----------
    game
        Its name, as `sandtable games` lists it.
    lesson
        Its name; the game's first one if none is given.
    """
    from sandtable.terminal.lecture import learn as lecture
    from sandtable.terminal.start import wide_console

    return lecture(find_game(game, None), lesson, wide_console())


@app.command
def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    database_url: str | None = None,
    workers: int | None = None,
) -> int:
    """Serve the browser table; prints the address of its page.

    Everything else is set in the environment: see docs/server.md.

    Parameters
    ----------
    host
        The address to listen on; 0.0.0.0 for all.
    port
        The port; 0 for any that is free.
    database_url
        sqlite:///FILE or postgresql://…; otherwise SANDTABLE_DATABASE_URL, or SQLite in your data folder.
    workers
        Processes that answer requests. More than one needs PostgreSQL, or Redis for the channels.
    """
    try:
        from sandtable.server.run import serve as run
        from sandtable.server.settings import SettingsError, from_environment
    except ImportError as error:
        raise Failure(f'`sandtable serve` needs more packages: pip install "sandtable[server]" ({error})') from error
    try:
        return run(from_environment(database_url=database_url, workers=workers), host, port)
    except SettingsError as error:
        raise Failure(str(error)) from error


# ------------------------------------------------------------------------------------------ rules


@app.command
def rules(
    game: str | None = None, /, *ids: str, lang: str | None = None, coverage: Flag = False, json: Flag = False
) -> int:
    """The rules under their numbers, or how many of them a test holds.

    Parameters
    ----------
    game
        Its name, as `sandtable games` lists it.
    ids
        Rule numbers: one rule (9.52a), all under a number (9.5), or a chapter (9). Without any, the chapters.
    lang
        The language of the text, en or ja; otherwise that of the terminal (LANG).
    coverage
        Count rules that are tested, not applicable and open.
    json
        Print JSON.
    """
    if coverage:
        return _coverage(game, json)
    if game is None:
        raise Failure("rules needs a game, or --coverage")
    if game not in registry.GAMES:
        registry.get(game)
    language = lang or reader_language()
    if language not in (ENGLISH, *LANGUAGES):
        raise Failure(f"no language is called {language!r}; there are {', '.join((ENGLISH, *LANGUAGES))}")
    shelf = book(game, language=language)
    if shelf is None:
        raise Failure(f"{game} has no rulebook")
    found = [rule for wanted in ids for rule in find_rules(shelf.rules, wanted)]
    if json:
        print_json(reports.rules_json(found if ids else list(shelf.rules.values())))
        return 0
    console = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
    shown = [line for rule in found for line in rule_lines(rule, shelf.language)]
    for line in (*notices(shelf, language), *(shown if ids else chapter_lines(shelf.rules, shelf.language))):
        console.print(line)
    return 0


def _coverage(game: str | None, json: bool) -> int:
    tests = tests_folder()
    if tests is None:
        raise Failure("coverage is counted from the tests, which are not installed here")
    report = coverage(tests)
    if game is not None:
        if game not in registry.GAMES:
            registry.get(game)
        if game not in report:
            raise Failure(f"{game} has no rulebook")
        report = {game: report[game]}
    if json:
        print_json(report)
        return 0
    console = out()
    console.print(reports.coverage_grid(report))
    for name, counts in report.items():
        if counts["open"]:
            console.print(Text(f"{name} open: {' '.join(counts['open'])}"), soft_wrap=True)
    return 0


# ------------------------------------------------------------------------------------------ saves


@app.command
def replay(
    save: Path,
    /,
    *,
    to: int | None = None,
    svg: Path | None = None,
    side: str | None = None,
    pack: Path | None = None,
    recover: Flag = False,
    json: Flag = False,
) -> int:
    """Tell a saved game from its beginning, as anybody (or one side) could see it.

    Parameters
    ----------
    save
        The file.
    to
        Stop after this many entries of the log.
    svg
        Draw the position reached into this file (.svg or .png).
    side
        See it as this side. Otherwise as everybody could; the picture of a finished game shows all.
    pack
        The folder of your own data that the game was played with.
    recover
        Read a damaged save up to the damage.
    json
        Print JSON: where the game stands, and every event.
    """
    from sandtable.terminal import show
    from sandtable.terminal.session import log_lines

    log = read_log(save, recover=recover)
    game = find_game(log.header.game, pack)
    if to is not None and not 0 <= to <= len(log.entries):
        raise Failure(f"--to takes a number from 0 to {len(log.entries)}, not {to}")
    viewer = find_side(game, side) if side is not None else SPECTATOR
    table = Table.replay(log, game, to=to, recover=recover)
    if table.note:
        complain(table.note)
    if svg is not None:
        from sandtable.terminal.pictures import draw_table

        draw_table(table, None if side is None and table.end is not None else viewer, svg)
    prompt = game.prompt(table.state)
    actor = table.to_act
    if json:
        print_json(
            {
                "game": log.header.game,
                "scenario": log.header.scenario,
                "entries": len(table.entries),
                "of": len(log.entries),
                "to_act": None if actor is None else table.side_name(actor),
                "prompt": prompt.title if viewer == actor else None,
                "outcome": reports.outcome_json(table),
                "events": table.events_for(viewer),
            }
        )
        return 0
    console = out()
    for line in log_lines(table, viewer):
        console.print(line)
    console.print(Text(f"{len(table.entries)} of {len(log.entries)} entries.", "dim"))
    if actor is not None and actor >= 0:
        if viewer == actor:
            for line in show.prompt_lines(prompt, actor, game.info.side_titles[actor]):
                console.print(line)
        else:
            console.print(f"{game.info.side_titles[actor]} decides.")
    elif table.end is not None:
        console.print(show.outcome_line(table.end.outcome, game.info.side_titles))
    return 0


@app.command
def verify(*saves: Path, pack: Path | None = None, json: Flag = False) -> int:
    """Check saves: nothing changed, every action legal, every die from the committed seed, the outcome right.

    Parameters
    ----------
    saves
        The files.
    pack
        The folder of your own data that the games were played with.
    json
        Print JSON.
    """
    if not saves:
        raise Failure("verify needs a save")
    checked = []
    failed = False
    for save in saves:
        try:
            found = verify_file(save, lambda name: find_game(name, pack))
        except OSError as error:
            found = Report(save.name, problems=[error.strerror or str(error)])
        except registry.UnknownName as error:
            found = Report(save.name, problems=[str(error)])
        failed = failed or not found.ok
        checked.append((save, found))
    if json:
        print_json([reports.checked_json(save, found) for save, found in checked])
        return 1 if failed else 0
    for save, r in checked:
        notes = "".join(f"; {note}" for note in r.notes)
        if r.ok:
            print(f"{save}: good, {r.actions} entries, {r.rolls} rolls, {r.dice} dice{notes}")
        else:
            complain(f"{save}: {'; '.join(r.problems)}{notes}", lead="")
    return 1 if failed else 0


# ------------------------------------------------------------------------------------------ maps and packs


@app.command(name="map")
def draw(
    game: str,
    scenario: str | None = None,
    /,
    *,
    output: Annotated[Path, Parameter(name=("--output", "-o"))],
    side: str | None = None,
    example: str | None = None,
    pack: Path | None = None,
) -> int:
    """Draw the map of a game, the set-up of a scenario, or a worked example of the rulebook.

    Parameters
    ----------
    game
        Its name, as `sandtable games` lists it.
    scenario
        Draw its units too.
    output
        The file, .svg or .png.
    side
        Draw what this side sees of the set-up. Otherwise everything.
    example
        Draw this worked example, by its name in the rulebook.
    pack
        A folder of your own data, laid over that of the game.
    """
    from sandtable.terminal.pictures import draw_board, draw_example, draw_state

    rules = find_game(game, pack)
    if example is not None:
        draw_example(rules, example, output)
    elif scenario is None:
        draw_board(rules, output)
    else:
        registry.scenario(rules, scenario)
        viewer = None if side is None else find_side(rules, side)
        draw_state(rules, rules.new(scenario, {}), viewer, output, scenario=scenario)
    print(output)
    return 0


@packs_app.command
def check(game: str, folder: Path | None = None, /, *, json: Flag = False) -> int:
    """Check a game's data, with a folder of your own laid over it: file, line and fault.

    Parameters
    ----------
    game
        Its name, as `sandtable games` lists it.
    folder
        Your folder. Otherwise the one in your configuration, if there is one.
    json
        Print JSON.
    """
    from sandtable.terminal.pictures import pack_faults

    rules = registry.get(game)
    own = folder if folder is not None else config_overrides(game)
    if own is not None and not own.is_dir():
        raise Failure(f"{own} is not a folder")
    faults = pack_faults(rules, [own] if own is not None else [])
    if json:
        print_json([{"file": fault.file, "line": fault.line, "fault": fault.fault} for fault in faults])
    else:
        for fault in faults:
            print(fault)
    if faults:
        complain(f"{len(faults)} {'fault' if len(faults) == 1 else 'faults'} in the pack of {game}")
        return 1
    if not json:
        over = f" with {own}" if own is not None else ""
        print(f"{game}: no faults{over}")
    return 0


@app.command
def bench(*names: str, json: Flag = False, quick: Flag = False) -> int:
    """Measure kernels, random play, copies, legal lists and views, all in one run.

    Parameters
    ----------
    names
        Games to measure; otherwise all.
    json
        Print JSON.
    quick
        A second or two for each game, for a first look.
    """
    from sandtable.bench import measure, report_grid

    for name in names:
        registry.get(name)
    report = measure(list(names) or registry.names(), quick=quick, tell=lambda text: complain(text, lead=""))
    if json:
        print_json(report)
    else:
        out().print(report_grid(report))
    return 0


# ------------------------------------------------------------------------------------------ in and out


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the status to exit with."""
    try:
        result = app(
            list(sys.argv[1:] if argv is None else argv),
            exit_on_error=False,
            print_error=False,
            result_action="return_value",
        )
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except BrokenPipeError:
        # Whoever read our output has left: say nothing more, not even when Python closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        complain("interrupted")
        return 130
    except CycloptsError as error:
        return fail(error, 2)
    except Exception as error:
        return fail(error, 1)


KNOWN = (Failure, registry.UnknownName, NoSuchRule, SaveError, PackError, LedgerError, Illegal, CycloptsError)
"""Errors whose text is meant for the user."""


def fail(error: Exception, status: int) -> int:
    if os.environ.get(DEBUG):
        raise error
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        complain("the disk is full: what was being written is not complete")
    elif isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        complain(f"{where}{error.strerror or error}")
    elif isinstance(error, KNOWN):
        complain(str(error))
    else:
        complain(f"this is a fault of the program: {type(error).__name__}: {error} ({DEBUG}=1 shows where)")
    return status


if __name__ == "__main__":
    sys.exit(main())
