"""Old saves stay loadable: what changed between the versions of a game.

A game that changes how saves replay raises its `version` and registers, beside its rules, a function
that rewrites a log of the version before::

    @migration("rommel", 1)
    def supply_is_checked_twice(log: Log) -> Log:
        '''2: the verb 'march' became 'to'.'''
        return rewrite(log, lambda entry: entry._replace(do=entry.do.replace("march ", "to ")))
"""

from __future__ import annotations

from collections.abc import Callable
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
