"""Old saves stay loadable: what changed between the versions of a game.

A game that changes how saves replay raises its `version` and registers, beside its rules, a function
that rewrites a log of the version before::

    @migration("rommel", 1)
    def supply_is_checked_twice(log: Log) -> Log:
        '''2: the verb 'march' became 'to'.'''
        return rewrite(log, lambda entry: entry._replace(do=entry.do.replace("march ", "to ")))

Where a rule itself was mended, no rewriting helps: the actions were chosen under the old one. Such a migration is
`as_it_was_ruled`; the log is marked, and the game, whose `new` asks `edition`, goes on by the rulings of that version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from .log import Entry, Log, SaveError

Migration = Callable[[Log], Log]

MIGRATIONS: dict[tuple[str, int], Migration] = {}


def migration(game: str, from_version: int) -> Callable[[Migration], Migration]:
    """Register a function that turns logs of this version into logs of the next."""

    def register(function: Migration) -> Migration:
        if MIGRATIONS.setdefault((game, from_version), function) is not function:
            raise ValueError(f"two migrations lead from version {from_version} of {game}")
        return function

    return register


def rewrite(log: Log, change: Callable[[Entry], Entry | None]) -> Log:
    """The log with every entry changed; None drops one."""
    changed = (change(entry) for entry in log.entries)
    return replace(log, entries=tuple(entry for entry in changed if entry is not None))


RULINGS = "rulings_of_"
"""How the mark begins that stands among the options of a log: nobody chooses it, and only migrations set it."""


def as_it_was_ruled(log: Log) -> Log:
    """The log marked to be played on by the rulings of its own version, or of the one that its mark names."""
    header = log.header
    if marks(header.options):
        return log
    return replace(log, header=replace(header, options={**header.options, f"{RULINGS}{header.version}": True}))


def marks(options: Mapping[str, bool]) -> list[str]:
    """Those of the options that are such marks."""
    return [name for name in options if name.startswith(RULINGS) and name.removeprefix(RULINGS).isdecimal()]


def edition(options: Mapping[str, bool], version: int) -> int:
    """The version by whose rulings a game is played that was begun with these options."""
    return min([version, *(int(name.removeprefix(RULINGS)) for name in marks(options) if options[name])])


def chosen(options: Mapping[str, bool]) -> dict[str, bool]:
    """The options without marks: what was chosen."""
    found = marks(options)
    return {name: on for name, on in options.items() if name not in found}


def migrate(log: Log, version: int) -> Log:
    """The log as this version of its game would have written it."""
    game, old = log.header.game, log.header.version
    if old > version:
        raise SaveError(1, f"made by version {old} of {game}, newer than this program's {version}: update it", log.name)
    while log.header.version < version:
        now = log.header.version
        step = MIGRATIONS.get((game, now))
        if step is None:
            why = f"made by version {old} of {game}; nothing leads on from version {now}"
            raise SaveError(1, why, log.name)
        log = step(log)
        log = replace(log, header=replace(log.header, version=now + 1), migrated_from=old)
    return log
